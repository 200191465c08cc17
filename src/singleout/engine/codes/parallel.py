"""Work on several threads that has the same result on any number of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from itertools import pairwise
from typing import TypeVar

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
