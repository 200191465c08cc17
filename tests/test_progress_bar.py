"""The bar that jobs called from Python show by themselves."""

import io
import re
import sys
from time import sleep
from typing import Any

import pyarrow
import pytest

import singleout
from singleout import progress_bar
from singleout.progress import Progress, silent

TABLE = pyarrow.table({"who": [1, 2], "shop": ["a", "b"]})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def job(*, progress: Progress = silent) -> Progress:
    return progress


def test_a_job_gets_a_bar_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress_bar, "PATIENCE_SECONDS", 0.0)
    with progress_bar.bar() as progress:
        progress("counting", 1, 2)
    assert progress_bar.with_bar(job)() is not silent


def test_a_long_description_leaves_room_for_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 80 columns: how much is done and the times are told whole."""
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress_bar, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar.bar() as progress:
        progress("looking for people who fit the known records of everybody else", 120, 400)
        while "120/400" not in terminal.getvalue():
            sleep(0.01)
    shown = re.sub("\x1b\\[[0-9?]*[a-zA-Z]", "", terminal.getvalue())
    line = next(each for each in re.split("[\r\n]", shown) if "120/400" in each)
    assert re.search(r"looking for people .*… ━.* 120/400 0:00:0\d left: ", line)
    assert len(line) <= 80


def test_nobody_is_told_where_nobody_looks() -> None:
    assert progress_bar.with_bar(job)() is silent


def test_whoever_is_named_is_told() -> None:
    told: list[str] = []
    singleout.assess(TABLE, user="who", progress=lambda doing, *_: told.append(doing))
    assert told
    assert singleout.assess(TABLE, user="who", progress=False).people == 2


def test_jobs_that_tell_nothing_stay_as_they_are() -> None:
    assert progress_bar.with_bar(singleout.read_study) is singleout.read_study


def test_compilation_is_said() -> None:
    from numba import njit

    told: list[bool] = []
    watch = progress_bar.CompilationWatch(told.append)
    watch.look()
    watch.look()

    @njit  # type: ignore[untyped-decorator]
    def loop(number: Any) -> Any:
        return number + 1

    assert loop(1) == 2
    watch.end()
    assert told == [True, False]
    loop(1.5)
    assert told == [True, False]
