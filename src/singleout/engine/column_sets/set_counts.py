"""What was counted of each of many sets of columns, in whole numbers that add up alike on every engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts, Sizes

Sets = NDArray[numpy.uint64]
MOST_COLUMNS = 63
# a sum of parts of this size stays below 2^62 whatever it adds up
BITS = 62


@dataclass(frozen=True, eq=False)
class SetCounts:
    """One entry a set of columns; `sets` are bit masks, bit j is the question's column j.

    A class's size is counted in people: where nobody is named, each record is its own person. `at_risk` are
    the records in classes of at most `allow` people, `people_at_risk` the people who have such a record.
    `risk_parts` and `entropy_parts` are sums of whole numbers, so that no order of adding changes them.
    """

    sets: Sets
    records: int
    people: int
    allow: int
    classes: Counts
    smallest: Counts
    unique: Counts
    at_risk: Counts
    people_at_risk: Counts
    risk_parts: Counts
    entropy_parts: Counts

    @classmethod
    def of(
        cls, sets: Sets, sizes: Sequence[Sizes], people_at_risk: Counts, people: int, allow: int
    ) -> SetCounts:
        """From the short list of each set, as a database counts it."""
        scale = Scale(sizes[0].total_records if sizes else 1)
        return cls(
            sets=sets,
            records=scale.records,
            people=people,
            allow=allow,
            classes=_count_array(each.total_groups for each in sizes),
            smallest=_count_array(int(each.people.min()) for each in sizes),
            unique=_count_array(int(each.own[each.people == 1].sum()) for each in sizes),
            at_risk=_count_array(int(each.own[each.people <= allow].sum()) for each in sizes),
            people_at_risk=people_at_risk,
            risk_parts=_count_array(scale.risk_of(each) for each in sizes),
            entropy_parts=_count_array(scale.entropy_of(each) for each in sizes),
        )

    @classmethod
    def join(cls, parts: Sequence[SetCounts]) -> SetCounts:
        """The entries of all parts, one after the other; all were counted in one table."""
        together: dict[str, Any] = {
            name: numpy.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS
        }
        return replace(parts[0], **together)

    def at(self, indices: NDArray[Any] | list[int]) -> SetCounts:
        """The entries at these places, or where a list of yes and no says yes."""
        return replace(self, **{name: getattr(self, name)[indices] for name in ARRAYS})

    @property
    def is_rounded_down(self) -> NDArray[numpy.bool_]:
        """Where `risk_parts` may be too low, by less than 1 a class: not where records are people."""
        rounded: NDArray[numpy.bool_] = self.risk_parts != self.classes << Scale(self.records).risk_bits
        return rounded

    @property
    def average_risk(self) -> NDArray[numpy.float64]:
        """Mean over records of 1 / people in the class."""
        return self.risk_parts / 2.0 ** Scale(self.records).risk_bits / self.records

    @property
    def highest_risk(self) -> NDArray[numpy.float64]:
        return 1 / self.smallest

    @property
    def entropy(self) -> NDArray[numpy.float64]:
        """Of the value combinations, in bits, counted over records."""
        known = self.entropy_parts / 2.0 ** Scale(self.records).entropy_bits / self.records
        left: NDArray[numpy.float64] = numpy.maximum(0.0, numpy.log2(self.records) - known)
        return left


ARRAYS = tuple(field.name for field in fields(SetCounts) if field.name not in ("records", "people", "allow"))


@dataclass(frozen=True)
class Scale:
    """How finely 1 / people and size·log2(size) are written as whole numbers, for so many records in all."""

    records: int

    @property
    def risk_bits(self) -> int:
        return BITS - self.records.bit_length()

    @cached_property
    def entropy_bits(self) -> int:
        return BITS - int(self.records * numpy.log2(self.records) + 1).bit_length()

    def risk_of(self, sizes: Sizes) -> int:
        """Σ over classes of records / people."""
        rows = sizes.rows()
        return sum(groups * ((records << self.risk_bits) // people) for records, people, groups in rows)

    def entropy_of(self, sizes: Sizes) -> int:
        """Σ over classes of size·log2(size), the size counted in records."""
        return int((self.entropy_parts(sizes.records) * sizes.groups).sum())

    def entropy_parts(self, sizes: Counts) -> Counts:
        """size·log2(size) of each size; one without records has none."""
        from singleout.engine.column_sets.lattice_kernels import entropy_parts

        parts: Counts = entropy_parts(sizes, 2.0**self.entropy_bits)
        return parts


def _count_array(numbers: Iterable[int]) -> Counts:
    return numpy.fromiter(numbers, dtype=numpy.int64)
