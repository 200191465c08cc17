"""The bar that jobs called from Python show by themselves."""

import io
import sys
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
