"""Suggest the levels between raw and suppressed by how a column's values look."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext

from singleout.errors import InputError
from singleout.roles.hierarchies.level_rules import (
    EXACT,
    DateTo,
    Interval,
    Label,
    LevelRule,
    Number,
    Prefix,
    RawLevel,
    SuppressAll,
    number,
)

CODE = re.compile(r"[0-9A-Z]{3,12}")
CODE_NAME = re.compile(r"zip|plz|postal|code", re.IGNORECASE)
MANY, MANY_LEFT = 100, 0.3
BY_HAND = (
    "no rule fits its values: let --out write a CSV file, and put what each value becomes before its *, "
    "in all rows as many levels"
)
NOTHING_BETWEEN = "its values are too few or too alike for anything between raw and suppressed"


def suggested_levels(column: str, values: Sequence[Label]) -> tuple[tuple[LevelRule, ...], tuple[str, ...]]:
    """The levels from raw to suppressed, and what to remark.

    >>> [rule.words for rule in suggested_levels("age", [str(age) for age in range(17, 91)])[0]]
    ['as it is', 'intervals of 5', 'intervals of 10', 'intervals of 20', 'suppressed']
    """
    filled = [value for value in values if value is not None]
    if len(filled) < 2:
        return (RawLevel(), SuppressAll()), (NOTHING_BETWEEN,)
    tried = (rules(column, filled) for rules in (_dates, _prefixes, _intervals))
    levels = next((between for between in tried if between is not None), None)
    remarks = (BY_HAND,) if levels is None else () if levels else (NOTHING_BETWEEN,)
    return (RawLevel(), *(levels or ()), SuppressAll()), remarks


def _dates(_: str, filled: Sequence[str]) -> list[LevelRule] | None:
    try:
        DateTo("day").labels(filled)
    except InputError:
        return None
    kept: list[LevelRule] = []
    before = len(filled)
    for rule in map(DateTo, ("day", "month", "quarter", "year")):
        left = len(set(rule.labels(filled)))
        if 1 < left < before:
            kept.append(rule)
            before = left
    return kept


def _prefixes(column: str, filled: Sequence[str]) -> list[LevelRule] | None:
    if not _are_codes(column, filled):
        return None
    kept: list[LevelRule] = []
    before = len(filled)
    for keep in range(len(filled[0]) - 1, 0, -1):
        left = len({value[:keep] for value in filled})
        if 1 < left <= _most_left(before):
            kept.append(Prefix(keep))
            before = left
    return kept


def _are_codes(column: str, filled: Sequence[str]) -> bool:
    """Digits and capitals, all of one length, that are no numbers to count with."""
    if len({len(value) for value in filled}) > 1 or not all(map(CODE.fullmatch, filled)):
        return False
    digits = all(map(str.isdecimal, filled))
    return not digits or any(value.startswith("0") for value in filled) or bool(CODE_NAME.search(column))


def _intervals(_: str, filled: Sequence[str]) -> list[LevelRule] | None:
    numbers = [number(value) for value in filled]
    known = [each for each in numbers if each is not None]
    return [Interval(width) for width in widths(known)] if len(known) == len(numbers) else None


def widths(numbers: Sequence[Number]) -> Iterator[Number]:
    """Widths of 1, 2 or 5 times a power of ten, each a multiple of the one before.

    The first leaves about a fifth of the values, each further one about a quarter of the intervals while they
    are many, then about a half, as long as two or more are left.

    >>> [*map(str, widths([Decimal(number) / 4 for number in range(100)]))]
    ['1', '2', '10', '20']
    """
    exponent, multiples = _whole_multiples(numbers)
    ladder = [
        step * 10**power
        for power in range(len(str(max(multiples) - min(multiples))) + 1)
        for step in (1, 2, 5)
    ]
    wanted = max(2, len(multiples) / 5)
    first = (
        bisect_left(ladder, True, key=lambda width: len(_coarser_multiples(multiples, width)) < wanted) - 1
    )
    width = 1
    for wider in ladder[first:] if first > 0 else ():
        joined = multiples if wider % width else _coarser_multiples(multiples, wider // width)
        most = MANY_LEFT * len(multiples) if len(multiples) > MANY else _most_left(len(multiples))
        if width == 1 or 1 < len(joined) <= most:
            width, multiples = wider, joined
            yield _exact_width(width, exponent)


def _most_left(before: int) -> float:
    """A level is worth having if it leaves about a half, or one fewer of a few."""
    return 0.6 * before if before >= 10 else before - 1


def _coarser_multiples(multiples: set[int], width: int) -> set[int]:
    return {multiple // width for multiple in multiples}


def _whole_multiples(numbers: Sequence[Number]) -> tuple[int, set[int]]:
    """The power of ten of the smallest decimal place in use, and the numbers in multiples of it."""
    with localcontext(EXACT):
        decimals = [Decimal(each).normalize() for each in numbers if isinstance(each, Decimal)]
        exponent = min((int(each.as_tuple().exponent) for each in decimals), default=0)
        return exponent, {int(each * Decimal(10) ** -exponent) if exponent else int(each) for each in numbers}


def _exact_width(width: int, exponent: int) -> Number:
    exact = Decimal(width).scaleb(exponent)
    return int(exact) if exact == exact.to_integral_value() else exact
