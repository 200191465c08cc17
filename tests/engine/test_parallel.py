"""Parts of a job side by side: the same on any number of threads, told by the caller, and ended together."""

from __future__ import annotations

from threading import Barrier, get_ident
from typing import NoReturn

import pytest

from singleout.engine.codes.parallel import map_parts
from singleout.errors import InputError
from singleout.progress import Progress, silent

PATIENCE = 300


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("parts", [0, 1, 2, 40])
def test_parts_keep_their_order_and_the_caller_tells_each_of_their_steps(parts: int, threads: int) -> None:
    told = []

    def progress(doing: str, done: int, total: int) -> None:
        told.append((get_ident(), doing, done, total))

    def work(part: int, tell: Progress) -> int:
        tell("working", part, parts)
        return -part

    assert map_parts(range(parts), work, threads, progress) == [-part for part in range(parts)]
    assert sorted(told) == [(get_ident(), "working", part, parts) for part in range(parts)]


def test_parts_run_side_by_side() -> None:
    both = Barrier(2, timeout=PATIENCE)
    assert map_parts(range(2), lambda part, _: both.wait() >= 0 and part, 2, silent) == [0, 1]


@pytest.mark.parametrize("error", [InputError("no records"), KeyboardInterrupt()])
def test_what_ends_one_part_ends_the_others(error: BaseException) -> None:
    both, steps = Barrier(2, timeout=PATIENCE), []

    def work(part: int, tell: Progress) -> None:
        if part > 1:
            steps.append("begun after the end")
        both.wait()
        if part:
            raise error
        while True:
            tell("working", 0, 1)

    with pytest.raises(type(error)):
        map_parts(range(9), work, 2, silent)
    assert not steps


@pytest.mark.parametrize("error", [InputError("stopped"), KeyboardInterrupt()])
def test_who_stops_waiting_stops_the_parts(error: BaseException) -> None:
    told = []

    def progress(doing: str, done: int, total: int) -> NoReturn:
        told.append((doing, done, total))
        raise error

    def work(part: int, tell: Progress) -> None:
        while True:
            tell("working", part, 2)

    with pytest.raises(type(error)):
        map_parts(range(2), work, 2, progress)
    assert len(told) == 1
