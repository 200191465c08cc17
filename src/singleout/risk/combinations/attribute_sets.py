"""Families of attribute sets as bit masks in rising order, and how many sets they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.column_sets.set_counts import MOST_COLUMNS, Sets
from singleout.errors import UsageError

# all the sets of 20 attributes
MOST_SETS = 1 << 20
FEWER = "name fewer columns, or bound the sets by size or by budget"
# so many pairs of sets are joined at a time
PAIRS = 1 << 20


@dataclass(frozen=True)
class SkippedSets:
    """How many sets nothing is known of, and why; `at_most` where their number is only bounded."""

    sets: int
    reason: str
    at_most: bool = False


def all_sets(width: int) -> Sets:
    """Every set of one or more of so many columns.

    >>> all_sets(2).tolist()
    [1, 2, 3]
    """
    check_family(number_up_to(width, width))
    return numpy.arange(1, 1 << width, dtype=numpy.uint64)


def sets_of_size(width: int, size: int) -> Sets:
    """Every set of `size` of `width` columns.

    >>> sets_of_size(3, 2).tolist()
    [3, 5, 6]
    """
    if size > width:
        raise UsageError(f"sets of {size}: there are only {width} columns; ask for {width} at most")
    check_family(number_of_size(width, size))
    return _sets_of_size(width, size)


def sets_up_to(width: int, size: int) -> Sets:
    """Every set of 1 to `size` columns.

    >>> sets_up_to(3, 2).tolist()
    [1, 2, 3, 4, 5, 6]
    """
    check_family(number_up_to(width, size))
    sizes = range(1, min(size, width) + 1)
    return numpy.sort(numpy.concatenate([_sets_of_size(width, each) for each in sizes]))


def number_of_size(width: int, size: int) -> int:
    """How many sets of this size there are.

    >>> number_of_size(63, 31)
    916312070471295267
    """
    check_width(width)
    if size < 1:
        raise UsageError(f"sets of {size}: a set has at least one column; ask for 1 or more")
    return comb(width, size)


def number_up_to(width: int, size: int) -> int:
    """How many sets of 1 to `size` columns there are.

    >>> number_up_to(20, 20)
    1048575
    """
    return number_of_size(width, size) + sum(comb(width, each) for each in range(1, size))


def sizes_of(sets: Sets) -> Counts:
    """How many columns each set has.

    >>> sizes_of(numpy.array([0, 1, 6], dtype=numpy.uint64)).tolist()
    [0, 1, 2]
    """
    return numpy.bitwise_count(sets).astype(numpy.int64)


def names_of(mask: int, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns of a set in their order.

    >>> names_of(5, ("age", "sex", "zip"))
    ('age', 'zip')
    """
    return tuple(name for index, name in enumerate(columns) if int(mask) >> index & 1)


def exact_fraction(number: float | Fraction) -> Fraction:
    """A share as it is written in decimals: 0.1 is a tenth.

    >>> exact_fraction(0.1) * 3 <= exact_fraction(0.3)
    True
    """
    return number if isinstance(number, Fraction) else Fraction(str(number))


def check_width(width: int) -> None:
    if width < 1:
        raise UsageError("there is no column to choose sets from; name one or more")
    if width > MOST_COLUMNS:
        raise UsageError(f"{width} columns are too many for sets of them; name {MOST_COLUMNS} at most")


def check_family(number: int) -> None:
    if number > MOST_SETS:
        raise UsageError(f"{number:,} sets are too many, for the most is {MOST_SETS:,}; {FEWER}")


def _sets_of_size(width: int, size: int) -> Sets:
    """Column by column: sets without the new column come before those with it, so they stay in order."""
    if size > width - size:  # from what they leave out, for sets in between would be more than sets found
        whole = numpy.uint64((1 << width) - 1)
        return whole ^ _sets_of_size(width, width - size)[::-1]
    by_size = [numpy.zeros(1 if each == 0 else 0, dtype=numpy.uint64) for each in range(size + 1)]
    for column in range(width):
        bit = numpy.uint64(1 << column)
        for each in range(size, 0, -1):
            by_size[each] = numpy.concatenate((by_size[each], by_size[each - 1] | bit))
    return by_size[size]


def subsets_without_one(sets: Sets) -> Sets:
    """All that is left of the sets when one column is taken away; some more than once."""
    found, rest = [sets[:0]], sets
    while rest.any():  # all sets have one size
        lowest = _lowest_columns(rest)
        found.append(sets ^ lowest)
        rest = rest ^ lowest
    return numpy.concatenate(found)


def candidate_sets(family: Sets, width: int, most: int) -> Sets | None:
    """The sets of one column more all of whose subsets are in a family of one size; None if over `most`.

    >>> candidate_sets(numpy.array([3, 5, 6, 9], dtype=numpy.uint64), 4, 10).tolist()
    [7]
    """
    if not len(family) or not family[0]:
        return numpy.uint64(1) << numpy.arange(width if len(family) else 0, dtype=numpy.uint64)
    found, total = [family[:0]], 0
    for first, second in _pairs(family):
        sets = first | second
        rest = first & second
        while rest.any():
            lowest = _lowest_columns(rest)
            kept = _member_flags(sets ^ lowest, family)
            sets, rest = sets[kept], (rest ^ lowest)[kept]
        found.append(sets)
        total += len(sets)
        if total > most:
            return None
    return numpy.sort(numpy.concatenate(found))


def _pairs(family: Sets) -> Iterator[tuple[Sets, Sets]]:
    """Every two sets that differ in their lowest column only, some at a time."""
    rest = family ^ _lowest_columns(family)
    order = numpy.lexsort((family, rest))
    family, rest = family[order], rest[order]
    partners = numpy.searchsorted(rest, rest, side="right") - numpy.arange(len(rest)) - 1
    ends = numpy.cumsum(partners)
    start = 0
    while start < len(family):
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(numpy.searchsorted(ends, before + PAIRS, side="right")))
        each = partners[start:stop]
        first = numpy.repeat(numpy.arange(start, stop), each)
        step = numpy.arange(len(first)) - numpy.repeat(numpy.cumsum(each) - each, each)
        yield family[first], family[first + step + 1]
        start = stop


def _member_flags(sets: Sets, known: Sets) -> NDArray[numpy.bool_]:
    """Which sets are among the known ones, which are in order."""
    positions = numpy.minimum(numpy.searchsorted(known, sets), len(known) - 1)
    flags: NDArray[numpy.bool_] = known[positions] == sets
    return flags


def _lowest_columns(sets: Sets) -> Sets:
    """Each set's lowest column."""
    return sets & (~sets + numpy.uint64(1))
