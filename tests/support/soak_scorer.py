"""A scorer for soaks: its value is a number of the content, so that any other evaluation shows."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from singleout.platform.contest import Contest
from singleout.platform.scorer import Problem, Score
from singleout.progress import Progress, silent

METRIC_VERSION = "soak 1"


def validate(_contest: Contest, _original: Path, _release: Path, *_others: Path | None) -> list[Problem]:
    return []


def score(
    contest: Contest, _original: Path, release: Path, *_others: Path | None, progress: Progress = silent
) -> list[Score]:
    progress("reading", 0, 1)
    return [Score(name, "utility", value_of(release.read_bytes())) for name in contest.of_family("utility")]


def value_of(content: bytes) -> float:
    return int(sha256(content).hexdigest()[:8], 16) / 2**32
