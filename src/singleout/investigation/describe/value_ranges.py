"""Each column at a glance: its values, what is missing, how often values occur, and from where to where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.domain_events import NUMBER
from singleout.engine.protocol import Engine, Question
from singleout.investigation.describe.shared_items import item_table
from singleout.roles.domain import Domain
from singleout.roles.granularity import SHAPES

RANGE_REASON = "the ends are somebody's own values; --show-values tells them"
NO_ORDER = "its values are no numbers, dates or times"


@dataclass(frozen=True)
class Frequencies:
    """How many values have how many records, the most frequent first."""

    name: str
    records: tuple[int, ...]
    values: tuple[int, ...]

    @classmethod
    def of(cls, name: str, sizes: dict[int, int]) -> Frequencies:
        ordered = sorted(sizes.items(), reverse=True)
        return cls(name, tuple(size for size, _ in ordered), tuple(count for _, count in ordered))

    @property
    def all_values(self) -> int:
        return sum(self.values)

    @property
    def all_records(self) -> int:
        return sum(size * count for size, count in zip(self.records, self.values, strict=True))

    @property
    def ranks(self) -> tuple[tuple[int, int], ...]:
        """(rank, records) at the first and at the last rank of each number of records."""
        ends: list[tuple[int, int]] = []
        last = 0
        for size, count in zip(self.records, self.values, strict=True):
            ends += [(last + 1, size)] if count == 1 else [(last + 1, size), (last + count, size)]
            last += count
        return tuple(ends)

    def to_dict(self) -> dict[str, Any]:
        rows = zip(self.records, self.values, strict=True)
        counted = [{"records": size, "values": count} for size, count in rows]
        return {"name": self.name, "values": self.all_values, "frequencies": counted}


@dataclass(frozen=True)
class ColumnRange:
    """`lowest` and `highest` only where they may be told; `reason` says why not."""

    frequencies: Frequencies
    missing: int
    lowest: str | None
    highest: str | None
    reason: str | None

    @property
    def name(self) -> str:
        return self.frequencies.name

    def to_dict(self) -> dict[str, Any]:
        ends = {"lowest": self.lowest, "highest": self.highest, "reason": self.reason}
        return {**self.frequencies.to_dict(), "missing": self.missing, **ends}


def column_range(counter: Engine, column: str, person: str | None, missing: Any, show: bool) -> ColumnRange:
    sizes = counter.sizes(Question((column,), person, missing))
    ends = _ends(counter, column) if show else (None, None, RANGE_REASON)
    return ColumnRange(Frequencies.of(column, sizes.histogram()), counter.look(column).missing, *ends)


def domain_frequencies(counter: Engine, person: str, domain: Domain, missing: Any) -> Frequencies:
    table = item_table(counter, person, domain, missing)
    by_value = numpy.bincount(table.value, weights=table.count).astype(numpy.int64)
    return Frequencies.of(domain.name, _histogram(by_value))


def _histogram(counts: NDArray[numpy.int64]) -> dict[int, int]:
    sizes, times = numpy.unique(counts[counts > 0], return_counts=True)
    return dict(zip(sizes.tolist(), times.tolist(), strict=True))


def _ends(counter: Engine, column: str) -> tuple[str | None, str | None, str | None]:
    """As numbers if all are numbers, by their text if all are dates or times of one shape."""
    numbers, shapes = True, [shape.look for shape in SHAPES]
    ends: list[str] = []
    for batch in counter.value_counts(column):
        texts = batch.column("text").to_pylist()
        numbers = numbers and all(NUMBER.fullmatch(text) for text in texts)
        shapes = [look for look in shapes if all(look.fullmatch(text) for text in texts)]
        if not texts or not (numbers or shapes):
            return None, None, NO_ORDER
        ordered = sorted({*texts, *ends}, key=float) if numbers else sorted({*texts, *ends})
        ends = [ordered[0], ordered[-1]]
    return (ends[0], ends[1], None) if ends else (None, None, NO_ORDER)


def counted_values(counter: Engine, column: str) -> dict[str, int]:
    """Every value of a column as text, in the order of their records."""
    found: dict[str, int] = {}
    for batch in counter.value_counts(column):
        found |= dict(
            zip(batch.column("text").to_pylist(), map(int, batch.column("records").to_pylist()), strict=True)
        )
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))
