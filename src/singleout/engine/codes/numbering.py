"""Numbers equal keys alike: exact, part by part, so that several threads can share the work."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.dictionary import Codes

Whole = TypeVar("Whole", bound=numpy.integer[Any])

KEY_SPACE = 1 << 64
# the hash table of a part has up to three slots a row, of twelve bytes each
BYTES_A_ROW_OF_A_PART = 36
MOST_ROWS_A_PART = 1 << 22


def number_keys(keys: NDArray[numpy.uint64], threads: int = 1, rows_a_part: int = MOST_ROWS_A_PART) -> Codes:
    """Codes 0, 1, … that are equal exactly where the keys are.

    >>> number_keys(numpy.array([7, 9, 7], dtype=numpy.uint64)).codes.tolist()
    [0, 1, 0]
    """
    from singleout.engine.codes import count_kernels as kernels

    bits = (len(keys) // rows_a_part).bit_length()
    shift = numpy.uint64(64 - bits)
    ids = numpy.empty(len(keys), dtype=numpy.uint32)
    rows = [len(keys)] if bits == 0 else kernels.count_parts(keys, shift, 1 << bits)

    def number(part: int) -> int:
        slots = 1 << max(4, (int(rows[part]) * 3 // 2).bit_length())
        return int(kernels.number_part(keys, shift, part, slots, ids))

    if bits == 0:
        return Codes(ids, number(0))
    with ThreadPoolExecutor(threads) as pool:
        counts = list(pool.map(number, range(1 << bits)))
    starts = numpy.concatenate(([0], numpy.cumsum(counts)[:-1])).astype(numpy.uint32)
    kernels.add_part_starts(keys, shift, starts, ids)
    return Codes(ids, int(sum(counts)))


def distinct_keys(keys: NDArray[Whole]) -> NDArray[Whole]:
    """Each key once, rising: by sorting, for numpy's own hashes are much slower where most keys differ.

    >>> distinct_keys(numpy.array([7, 9, 7])).tolist()
    [7, 9]
    """
    rising = numpy.sort(keys)
    begins = numpy.ones(len(rising), dtype=numpy.bool_)
    begins[1:] = rising[1:] != rising[:-1]
    return rising[begins]


def join_codes(columns: Iterable[Codes], threads: int = 1, rows_a_part: int = MOST_ROWS_A_PART) -> Codes:
    """Codes of tuples: mixed radix while 64 bits hold it, numbered afresh when they don't."""
    rest = iter(columns)
    first = next(rest)
    keys, space = first.codes.astype(numpy.uint64), first.count
    for column in rest:
        if space * column.count > KEY_SPACE:
            afresh = number_keys(keys, threads, rows_a_part)
            keys, space = afresh.codes.astype(numpy.uint64), afresh.count
        keys *= numpy.uint64(column.count)
        keys += column.codes
        space *= column.count
    return number_keys(keys, threads, rows_a_part)
