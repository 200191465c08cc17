"""The process that reads what was uploaded: one request as JSON on its input, lines of JSON as its output."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from singleout import limited_process
from singleout.errors import SingleoutError, one_line
from singleout.platform.refusal import ContestFaultError, without_paths
from singleout.progress import Progress

SECONDS_BETWEEN_SIGNS = 0.5
# pages and uploads go first where a worker runs beside the server
NICE = 10
CALLED = {"release_people": "your table of people"}


def main() -> int:
    request = limited_process.take_request()
    os.nice(NICE)
    answer = os.fdopen(limited_process.answer_file(), "w", encoding="utf-8")

    def say(**content: Any) -> None:
        answer.write(json.dumps(content) + "\n")
        answer.flush()

    try:
        say(result=_result(request, say))
    except ContestFaultError as fault:
        say(fault=_public(str(fault), request), of_contest=True)
    except SingleoutError as fault:
        say(fault=_public(str(fault), request))
    except MemoryError:
        say(memory=True)
    return 0


def _result(request: dict[str, Any], say: Callable[..., None]) -> list[dict[str, Any]]:
    from singleout.platform.contest import read_contest
    from singleout.platform.worker.attack_requests import ATTACK_REQUESTS, check_recipe

    scorer = import_module(request["scorer"])
    contest = read_contest(request["definition"])
    files = {name: None if path is None else Path(path) for name, path in request["files"].items()}
    if request["kind"] in ATTACK_REQUESTS:
        return ATTACK_REQUESTS[request["kind"]](contest, files, request, _progress(say, request))
    tables = [files[each] for each in ("original", "release", "truth", "people", "release_people")]
    if request["kind"] == "validate":
        problems = [*scorer.validate(contest, *tables)]
        if not problems:
            problems += check_recipe(contest, files)
        return [each.as_dict() for each in problems]
    scores = scorer.score(contest, *tables, progress=_progress(say, request))
    return [
        {
            "metric": each.metric, "family": each.family, "value": each.value, "reason": each.reason,
            "version": scorer.METRIC_VERSION,
        }
        for each in scores
    ]  # fmt: skip


def _progress(say: Callable[..., None], request: dict[str, Any]) -> Progress:
    last = 0.0

    def tell(doing: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS_BETWEEN_SIGNS:
            last = time.monotonic()
            say(progress={"doing": _public(doing, request), "done": done, "total": total})

    return tell


def _public(message: str, request: dict[str, Any]) -> str:
    files = [
        (path, CALLED.get(name, f"the {name}"), f"the {name}")
        for name, path in request["files"].items()
        if path is not None
    ]
    return one_line(without_paths(message, files))


if __name__ == "__main__":
    raise SystemExit(main())
