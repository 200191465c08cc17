"""Sandboxes that this machine can build, and what is left out where it can build none or has no R."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from singleout.platform.sandbox.break_outs import ATTEMPTS, FOR_ROOT
from singleout.platform.sandbox.confinement import Confinement, MetricLimits, Wall, possible_walls
from singleout.platform.sandbox.r_program import r_home
from singleout.platform.sandbox.sandbox import MetricRun, run_metric
from singleout.platform.sandbox.wall_check import outside
from singleout.platform.uploaded_metric import COMMENTS, Language, UploadedMetric

NO_WALL = "no sandbox can be built on this machine"
NO_R = "R is not installed on this machine"
HEADER = ('name = "tried"', 'family = "utility"', 'better = "lower"', "range = [-1000000, 1000000]")
ENDINGS: dict[Language, str] = {"sql": ".sql", "python": ".py", "r": ".R"}
LIMITS = MetricLimits(seconds=30)


def metric_file(language: Language, body: str, *lines: str) -> str:
    """The text of a metric with a header."""
    mark = COMMENTS[language]
    header = "\n".join(f"{mark} {each}" for each in ("/// metric", *(lines or HEADER), "///"))
    return f"{header}\n{body}\n"


def metric(language: Language, body: str) -> UploadedMetric:
    return UploadedMetric("tried", "utility", "lower", -1e6, 1e6, language, body)


@cache
def is_built(wall: Wall) -> bool:
    """Whether a wall stands here: as root, nobody may not be able to reach Python itself.

    A metric that was started behind it and gives no number is our fault, and leaves nothing out.
    """
    if wall not in possible_walls():
        return False
    trial = metric("python", "def metric():\n    return 1\n")
    found = run_metric(trial, {}, confinement(wall), limits=LIMITS)
    assert found.by_platform or found.value == 1, found
    return not found.by_platform


def confinement(wall: Wall) -> Confinement:
    """Landlock as who we are: where Python lies in root's folder, nobody else could start it."""
    return Confinement(wall) if wall == "bubblewrap" else Confinement(wall, as_root=False)


def wall_or_skip(wall: Wall = "bubblewrap") -> Confinement:
    if not is_built(wall):
        pytest.skip(f"{NO_WALL} ({wall})")
    return confinement(wall)


def r_or_skip() -> Confinement:
    if r_home() is None:
        pytest.skip(NO_R)
    return wall_or_skip()


def run(language: Language, body: str, folder: Path, **limits: int) -> MetricRun:
    """On a small table, in the strongest sandbox."""
    found = wall_or_skip()
    table = folder / "table.csv"
    table.write_text("who,age,city\na,30,Oslo\nb,40,\nc,,Rome\n", encoding="utf-8")
    files = {"original": table, "release": table}
    wanted = MetricLimits(**{"seconds": 30, **limits})
    return run_metric(metric(language, body), files, found, parameters={"user": "who"}, limits=wanted)


def attempts_outside(folder: Path) -> tuple[list[str], list[str]]:
    """All that can be tried by whoever runs this, and what succeeds where there is no wall."""
    table = folder / "original.csv"
    table.write_text("a\n1\n", encoding="ascii")
    with outside() as host:
        number = os.open(host["folder"], os.O_RDONLY)
        told = json.dumps({**host, "table": str(table)})
        command = [sys.executable, "-m", "singleout.platform.sandbox.break_outs", told]
        try:
            answer = subprocess.run(command, stdout=subprocess.PIPE, check=True, pass_fds=(number,), cwd="/")
        finally:
            os.close(number)
    possible = [name for name in ATTEMPTS if is_whole_root() or name not in FOR_ROOT]
    return possible, json.loads(answer.stdout)


def is_whole_root() -> bool:
    """Root with the power over mounts: in a container it often has none."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    powers = next(int(each.split()[1], 16) for each in status.splitlines() if each.startswith("CapEff"))
    return os.geteuid() == 0 and bool(powers >> 21 & 1)


def left_out_here(skipped: Iterable[pytest.TestReport]) -> list[str]:
    """How many tests were left out for want of a sandbox or of R, each in one line."""
    reasons = [str(report.longrepr) for report in skipped]
    lines = []
    for why in (NO_WALL, NO_R):
        if many := sum(why in reason for reason in reasons):
            lines.append(f"left out: {many} test{'' if many == 1 else 's'} of uploaded metrics: {why}")
    return lines
