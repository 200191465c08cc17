"""How much of the original an attacker knows: a share of each person's records, filled values, days."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.checks import is_number
from singleout.engine.codes.histories import Histories, History
from singleout.engine.codes.parallel import key_of
from singleout.errors import UsageError
from singleout.roles.dates_and_times import days_of


def check_shares(shares: Any) -> tuple[float, ...]:
    """Shares above 0 and at most 1, each once, the smallest first."""
    if isinstance(shares, str) or not isinstance(shares, Iterable):
        raise UsageError(f"known shares: {shares!r} is no list; give one like [0.25, 1]")
    odd = [each for each in shares if not _is_share(each)]
    if odd or not shares:
        raise UsageError(
            f"known shares: {odd[0] if odd else 'nothing'!r} is none; give some above 0 and at most 1, "
            "as 0.25 for a quarter of each person's records"
        )
    return tuple(sorted({float(each) for each in shares}))


def _is_share(share: Any) -> bool:
    return is_number(share) and 0 < share <= 1


def known_share(history: History, share: float, seed: int) -> History:
    """A random share of each person's records, rounded up; a smaller share is part of a larger one."""
    if share == 1:
        return history
    key = numpy.random.Generator(numpy.random.Philox(key=key_of("known share", seed)))
    order = numpy.lexsort((key.random(history.records), history.person))
    counts = history.records_of_each()
    starts = numpy.concatenate(([0], numpy.cumsum(counts)))
    rank = numpy.empty(history.records, dtype=numpy.int64)
    rank[order] = numpy.arange(history.records) - starts[history.person[order]]
    return history.only(rank < known_counts(share, counts)[history.person])


def known_counts(share: float, counts: NDArray[numpy.int64]) -> NDArray[numpy.int64]:
    """How many records such a share is, rounded up, of people who have so many.

    >>> known_counts(0.1, numpy.array([0, 10, 11])).tolist()
    [0, 1, 2]
    """
    of_each = [_round_up(share, count) for count in range(int(counts.max(initial=0)) + 1)]
    return numpy.array(of_each, dtype=numpy.int64)[counts]


def _round_up(share: float, count: int) -> int:
    """A tenth of ten is one, although 0.1 is a little more than a tenth."""
    return math.ceil(share * count - 1e-9)


def in_words(names: Sequence[str]) -> str:
    """
    >>> in_words(["date", "goods", "price"])
    'date, goods and price'
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def filled_records(histories: Histories, columns: Sequence[str]) -> Histories:
    """Without the records that lack a value in one of the columns."""
    lacking = {name: _lacks(histories, name) for name in columns}

    def fill_columns(side: History) -> History:
        kept = numpy.ones(side.records, dtype=numpy.bool_)
        for name, lacks in lacking.items():
            kept &= ~lacks[side.codes[name]]
        return side if kept.all() else side.only(kept)

    return Histories(fill_columns(histories.original), fill_columns(histories.release), histories.values)


def _lacks(histories: Histories, name: str) -> NDArray[numpy.bool_]:
    return numpy.array([value is None for value in histories.values[name]], dtype=numpy.bool_)


def cut_to_days(histories: Histories, column: str) -> Histories:
    """The column with times cut to their days; as it is where not all of its values have one."""
    days = days_of(histories.values[column])
    if days is None:
        return histories
    number = {day: index for index, day in enumerate(dict.fromkeys(days))}
    code = numpy.array([number[day] for day in days], dtype=numpy.uint32)

    def cut_column(side: History) -> History:
        return History(side.people, side.person, {**side.codes, column: code[side.codes[column]]})

    return Histories(
        cut_column(histories.original),
        cut_column(histories.release),
        {**histories.values, column: tuple(number)},
    )
