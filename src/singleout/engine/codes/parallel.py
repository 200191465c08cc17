"""Work on several threads that has the same result on any number of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from itertools import pairwise
from typing import TypeVar

Unit = TypeVar("Unit")
Made = TypeVar("Made")


def key_of(*about: int | str) -> int:
    """The key of a stream of random numbers: one for each unit of work, whichever thread does it."""
    text = " ".join(map(str, about))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def map_units(units: Iterable[Unit], work: Callable[[Unit], Made], threads: int) -> list[Made]:
    """What became of each unit of work, in their order."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, units))


def map_shares(size: int, work: Callable[[int, int], Made], threads: int, shares: int) -> list[Made]:
    """Do the places first … last−1 of 0 … size−1 share by share; a share may be empty."""
    bounds = [size * share // shares for share in range(shares + 1)]
    return map_units(pairwise(bounds), lambda share: work(*share), threads)
