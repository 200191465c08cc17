"""How much there is of what: sums by month, by category and by person, and two domains side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.domain_events import Amounts
from singleout.engine.protocol import Engine
from singleout.errors import UsageError
from singleout.investigation.describe.people_spread import TOO_FEW, PeopleSpread, shown_amount, whole_sum
from singleout.investigation.describe.value_ranges import counted_values
from singleout.policy.answers.coarse_columns import CoarseColumns
from singleout.risk.entropy.amount_correlation import Correlation, correlations, paired_figures
from singleout.roles.domain import Domain
from singleout.roles.known_column import KnownColumn

MOST_CATEGORIES = 30
Numbers = NDArray[numpy.float64]


@dataclass(frozen=True)
class Month:
    """`amount` is None where no column has amounts, or with a reason where too few records make it up."""

    month: str
    records: int
    amount: float | None
    reason: str | None = None


@dataclass(frozen=True)
class Category:
    """A value of the category column by its rank: 1 has most records; `value` only where it may be told.

    `of_people` is how the share of a person's own records that are of this category spreads over people.
    """

    rank: int
    value: str | None
    records: int
    share: float
    people: int | None
    of_people: PeopleSpread | None
    amount: float | None
    reason: str | None = None

    @property
    def name(self) -> str:
        return f"rank {self.rank}" if self.value is None else self.value

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "of_people": None if self.of_people is None else self.of_people.to_dict()}


@dataclass(frozen=True)
class Scatter:
    """Two figures of each person who has both: only where people's own figures may be told."""

    correlation: Correlation
    points: tuple[tuple[float, float], ...] | None

    def to_dict(self) -> dict[str, Any]:
        points = None if self.points is None else [list(each) for each in self.points]
        return {**vars(self.correlation), "points": points}


def months(counter: Engine, time: str, amount: str | None, show_values: bool) -> tuple[Month, ...]:
    """Records and amounts of each month that has any."""
    column = CoarseColumns(counter).column(KnownColumn(time, "month"))
    records = dict(sorted(counted_values(counter, column).items()))
    if amount is None:
        return tuple(Month(month, count, None) for month, count in records.items())
    # months take the place of people: the engine sums by whatever column it is told
    sums = counter.amounts(column, (Domain(time, (time,)),), amount, "drop")
    return tuple(
        _month(month, count, float(total), int(parts), show_values)
        for (month, count), total, parts in zip(records.items(), sums.amounts[0], sums.parts[0], strict=True)
    )


def _month(month: str, records: int, total: float, parts: int, show_values: bool) -> Month:
    if not numpy.isfinite(total):
        return Month(month, records, None, "no record of it has an amount")
    amount = shown_amount(total, parts, show_values)
    return Month(month, records, amount, None if amount is not None else TOO_FEW)


def categories(
    counter: Engine, column: str, person: str | None, amount: str | None, show_values: bool
) -> tuple[Category, ...]:
    """What share of all records, and of a person's, each category has."""
    records = counted_values(counter, column)
    if len(records) > MOST_CATEGORIES:
        raise UsageError(
            f"column {column!r} has {len(records):,} values; a category has at most {MOST_CATEGORIES}, such "
            "as what a card was used for"
        )
    total = sum(records.values())
    if person is None:
        return tuple(
            Category(rank, value if show_values else None, count, count / total, None, None, None)
            for rank, (value, count) in enumerate(records.items(), start=1)
        )
    domains = [Domain(f"{rank}", (column,), ((column, value),)) for rank, value in enumerate(records)]
    sums = counter.amounts(person, domains, amount, "drop")
    of_person = numpy.array(sums.records).sum(axis=0)
    return tuple(
        _category(index, value if show_values else None, sums, of_person, total, amount, show_values)
        for index, value in enumerate(records)
    )


def _category(
    index: int, value: str | None, sums: Amounts, of_person: NDArray[Any], total: int, amount: str | None,
    show_values: bool,
) -> Category:  # fmt: skip
    counts = sums.records[index]
    there = of_person > 0
    shares = counts[there] / of_person[there]
    shown = None
    if amount:
        of_all = whole_sum(numpy.nan_to_num(sums.amounts[index]))
        shown = shown_amount(of_all, int(sums.parts[index].sum()), show_values)
    return Category(
        rank=index + 1,
        value=value,
        records=int(counts.sum()),
        share=int(counts.sum()) / total,
        people=int((counts > 0).sum()),
        of_people=PeopleSpread.of_counts(shares) if there.any() else None,
        amount=shown,
        reason=TOO_FEW if amount and shown is None else None,
    )


def amounts_of_people(counter: Engine, person: str, amount: str, show_values: bool) -> PeopleSpread | None:
    sums = counter.amounts(person, (Domain("all", (person,)),), amount, "drop")
    return PeopleSpread.of_amounts(sums.amounts[0], show_values)


def scatters(
    counter: Engine, person: str, domains: Sequence[Domain], amount: str | None, show_values: bool
) -> tuple[Scatter, ...]:
    """Whether people who do much in one domain do much in another."""
    if len(domains) < 2:
        return ()
    sums = counter.amounts(person, domains, amount, "drop")
    names = [each.name for each in domains]
    amounts = sums.amounts if amount else [None] * len(domains)
    pairs = paired_figures(names, sums.records, amounts)
    return tuple(
        Scatter(each, tuple(zip(x.tolist(), y.tolist(), strict=True)) if show_values else None)
        for each, (_, _, x, y) in zip(correlations(names, sums.records, amounts), pairs, strict=True)
    )
