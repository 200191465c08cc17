"""Post-randomisation: replacing categories at random, with known probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.checks import is_number
from singleout.read.located_rows import short_text
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.distinct_values import (
    DistinctValues,
    count_changed_values,
    distinct_values_of,
)
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    flag_mistakes,
    freeze,
    names_mistakes,
    refuse,
    whole_mistakes,
)
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Redrawn

Codes = NDArray[numpy.int64]

BYS = ("frequency", "uniform")


@dataclass(frozen=True)
class Pram:
    """Each value stays with probability `keep`; else another category of the column is drawn in its place.

    The others are drawn in proportion to how often the column has them (`by` = "frequency"), or all alike
    ("uniform"). With `invariant` it is P = keep · I + (1 − keep) · 1πᵀ, π being the frequencies: what is not
    kept is drawn from all categories by frequency, the old one included, so that πP = π and the expected
    frequencies are those of the data. Each column and record is drawn by itself. A missing value stays
    missing. Reference: J. M. Gouweleeuw, P. Kooiman, L. C. R. J. Willenborg and P.-P. de Wolf,
    Post randomisation for statistical disclosure control: theory and implementation, 1998.

    >>> towns = RecordTable(pyarrow.table({"sex": ["f", "m", None, "f"]}), numpy.arange(4), 4)
    >>> change = Pram(("sex",), keep=0).apply(towns, numpy.random.default_rng(0))
    >>> change.records.column("sex").to_pylist(), change.changed
    (['m', 'f', None, 'm'], 3)
    """

    step: ClassVar[str] = "pram"
    columns: tuple[str, ...]
    keep: float
    by: str = "frequency"
    invariant: bool = False
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        refuse(
            names_mistakes("columns", self.columns),
            self._keep_mistakes(),
            choice_mistakes("by", self.by, BYS),
            flag_mistakes("invariant", self.invariant),
            self._invariant_mistakes(),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Redrawn:
        return Redrawn(float(self.keep), self.by, another=not self.invariant)

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:
        changed, found, remarks = 0, records, []
        for name in self.columns:
            old = records.column(name)
            different = distinct_values_of(name, old)
            if len(different.values) == 1:
                remarks.append(f"{name}: has one category only, so that there is none to change to")
            if len(different.values) > 1:
                new = self._randomise(different, draw).cast(old.type)
                changed += count_changed_values(old, new)
                found = found.with_column(name, new)
        return Change(found, changed, "values", self._how, tuple(remarks))

    @property
    def _how(self) -> str:
        to = "any category" if self.invariant else "another category"
        drawn = "by frequency" if self.by == "frequency" else "all alike"
        return f"kept with probability {float(self.keep):g}, else {to} drawn, {drawn}"

    def _randomise(self, different: DistinctValues, draw: numpy.random.Generator) -> pyarrow.Array:
        filled = numpy.flatnonzero(~different.missing)
        moved = filled[draw.random(len(filled)) >= float(self.keep)]
        codes = different.codes.copy()
        codes[moved] = self._draw_values(different.codes[moved], different.occurrences(), draw)
        return different.values.take(pyarrow.array(codes, mask=different.missing))

    def _draw_values(self, codes: Codes, records: Codes, draw: numpy.random.Generator) -> Codes:
        """New categories for those not kept; `records` has how many records have each category."""
        if self.invariant:
            return _category_at(draw.integers(0, records.sum(), size=len(codes)), records)
        if self.by == "uniform":
            return (codes + draw.integers(1, len(records), size=len(codes))) % len(records)
        position = draw.integers(0, records.sum() - records[codes])
        beyond = position >= (numpy.cumsum(records) - records)[codes]
        return _category_at(position + numpy.where(beyond, records[codes], 0), records)

    def _keep_mistakes(self) -> list[str]:
        if is_number(self.keep) and 0 <= self.keep < 1:
            return []
        return [
            f"keep: {short_text(self.keep)} is no probability to keep a value; "
            "write a number from 0 to below 1"
        ]

    def _invariant_mistakes(self) -> list[str]:
        if self.invariant is not True or self.by == "frequency":
            return []
        return [
            'invariant: only what is drawn by frequency keeps it; write by = "frequency", or leave it out'
        ]


def _category_at(position: Codes, records: Codes) -> Codes:
    """The category of the record at a place, if all records stood in the order of their categories."""
    return numpy.searchsorted(numpy.cumsum(records), position, side="right")
