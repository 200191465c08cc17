"""What the process that reads uploads does for an attack phase; rows come back in a file beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from singleout.platform.contest import Contest
from singleout.platform.guess_table import check_guesses
from singleout.platform.house_players import house_guesses
from singleout.platform.publication import publish, write_rows
from singleout.platform.published_recipe import recipe_problems
from singleout.platform.scorer import Problem
from singleout.platform.unlinked_release import UNLINK, write_unlinked
from singleout.progress import Progress

Files = Mapping[str, Path | None]
Request = Mapping[str, Any]
Answer = list[dict[str, Any]]


def publish_release(contest: Contest, files: Files, request: Request, _progress: Progress) -> Answer:
    tables = _there(files, "original"), _there(files, "release"), files["truth"]
    return [{"records": publish(contest, *tables, request["seed"], request["table"], request["rows"])}]


def play_for_the_house(contest: Contest, files: Files, request: Request, progress: Progress) -> Answer:
    tables = _there(files, "original"), _there(files, "release"), _there(files, "truth"), files["recipe"]
    write_rows(request["rows"], house_guesses(contest, *tables, progress=progress))
    return []


def read_guesses(contest: Contest, files: Files, request: Request, _progress: Progress) -> Answer:
    problems, guesses = check_guesses(
        contest, _there(files, "original"), _there(files, "release"), _there(files, "guesses")
    )
    rows = [[each.release_user, each.original_user, each.confidence] for each in guesses]
    write_rows(request["rows"], rows)
    return [each.as_dict() for each in problems]


def unlink_release(contest: Contest, files: Files, request: Request, _progress: Progress) -> Answer:
    """For an uploaded metric, which never sees who is who."""
    write_unlinked(_there(files, "release"), contest.user, request["table"])
    return []


def check_recipe(contest: Contest, files: Files) -> Iterator[Problem]:
    """Of a release that is otherwise as it should be."""
    tables = _there(files, "original"), _there(files, "release"), files["truth"]
    return recipe_problems(contest, *tables, files["recipe"])


def _there(files: Files, name: str) -> Path:
    path = files[name]
    assert path is not None
    return path


ATTACK_REQUESTS: dict[str, Callable[[Contest, Files, Request, Progress], Answer]] = {
    "publish": publish_release,
    "attack": play_for_the_house,
    "guesses": read_guesses,
    UNLINK: unlink_release,
}
