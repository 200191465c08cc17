"""A scorer that answers at once: what a release says in its first line is what happens to it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from singleout.errors import InputError
from singleout.platform.contest import Contest
from singleout.platform.refusal import ContestFaultError
from singleout.platform.scorer import Problem, Score
from singleout.progress import Progress, silent

METRIC_VERSION = "small 1"


def validate(_contest: Contest, _original: Path, release: Path, *_others: Path | None) -> list[Problem]:
    text = release.read_text()
    if text.startswith("crash"):
        os.abort()
    if text.startswith("memory"):
        bytearray(10**12)
    if text.startswith("mistake"):
        raise RuntimeError("secret value 4711")
    if text.startswith("contest"):
        raise ContestFaultError("the contest itself is at fault")
    if text.startswith("environment"):
        raise InputError(" ".join(sorted(os.environ)))
    if text.startswith("priority"):
        raise InputError(f"{os.getpriority(os.PRIO_PROCESS, 0)}")
    return [Problem("is bad", "goods", 1, (1,))] if text.startswith("bad") else []


def score(
    contest: Contest, _original: Path, release: Path, *_others: Path | None, progress: Progress = silent
) -> list[Score]:
    text = release.read_text()
    if text.startswith("unscorable"):
        raise InputError("has no such column")
    progress(f"reading the release {release}", 1, 2)
    while text.startswith("forever"):
        time.sleep(0.05)
    return [*_scores(contest, text)]


def _scores(contest: Contest, text: str) -> Iterator[Score]:
    if text.startswith("random"):
        yield Score("random", "utility", time.time())
    for number, name in enumerate(contest.of_family("utility")):
        yield Score(name, "utility", len(text) + number / 8)
    for name in contest.of_family("privacy"):
        yield (
            Score(name, "privacy", None, "not made")
            if text.startswith("unknown")
            else Score(name, "privacy", 0.5)
        )
    yield Score("best", "privacy", 0.5)
