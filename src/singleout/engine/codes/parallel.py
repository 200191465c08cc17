"""Work on several threads that has the same result on any number of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from hashlib import blake2b
from itertools import pairwise
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

from singleout.progress import Progress

PARTS_A_THREAD = 16
Unit = TypeVar("Unit")
Made = TypeVar("Made")


def key_of(*about: int | str) -> int:
    """The key of a stream of random numbers: one for each unit of work, whichever thread does it."""
    text = " ".join(map(str, about))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def map_units(units: Iterable[Unit], work: Callable[[Unit], Made], threads: int) -> list[Made]:
    """What became of each unit of work, in their order; several small ones go to a thread at once."""
    every = list(units)
    size = max(1, len(every) // (threads * PARTS_A_THREAD))
    parts = [every[start : start + size] for start in range(0, len(every), size)]
    if len(parts) < 2:
        return [work(unit) for unit in every]
    with ThreadPoolExecutor(threads) as pool:
        made = pool.map(lambda part: [work(unit) for unit in part], parts)
        return [each for part in made for each in part]


def map_shares(size: int, work: Callable[[int, int], Made], threads: int, shares: int) -> list[Made]:
    """Do the places first … last−1 of 0 … size−1 share by share; a share may be empty."""
    bounds = [size * share // shares for share in range(shares + 1)]
    return map_units(pairwise(bounds), lambda share: work(*share), threads)


def map_parts(
    parts: Iterable[Unit], work: Callable[[Unit, Progress], Made], threads: int, progress: Progress
) -> list[Made]:
    """What became of each part of a job, in their order: large ones, side by side.

    What they tell of their progress is told by the thread that called. Whatever ends one of them, or the
    caller's wait, ends the others the next time that they tell something.
    """
    every = list(parts)
    if threads < 2 or len(every) < 2:
        return [work(part, progress) for part in every]
    told: SimpleQueue[tuple[str, int, int] | None] = SimpleQueue()
    failures: list[BaseException] = []
    ended = Event()

    def tell(doing: str, done: int, total: int) -> None:
        if ended.is_set():
            raise CancelledError
        told.put((doing, done, total))

    def run(part: Unit) -> Made:
        try:
            if ended.is_set():
                raise CancelledError
            return work(part, tell)
        except BaseException as error:
            failures.append(error)
            ended.set()
            raise
        finally:
            told.put(None)

    with ThreadPoolExecutor(threads) as pool:
        try:
            under_way = [pool.submit(run, part) for part in every]
            for _ in under_way:
                while (step := told.get()) is not None:
                    progress(*step)
                if failures:
                    raise failures[0]
            return [each.result() for each in under_way]
        finally:
            ended.set()
            pool.shutdown(cancel_futures=True)
