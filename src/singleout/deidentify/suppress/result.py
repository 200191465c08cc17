"""The result of cell suppression as one value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from singleout.deidentify.release import Release
from singleout.deidentify.suppress.measures import FITTING, SUPPRESS_MEASURES
from singleout.measurement import Measure
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.risk.equivalence_classes import PEOPLE_K, K


@dataclass(frozen=True, repr=False)
class CellSuppression(TableResult):
    """Which cells were blanked: `cells` in all and in each column, what they `cost`, and at least would.

    `k` is the smallest class over all `sets` of columns, a blank cell being a value like any other: this is
    what somebody finds who knows which cells were blanked. Where blanks are wildcards, every record fits
    `fitting` people of the data at least; it is None otherwise.
    """

    source: str
    engine: str
    user: str | None
    records: int
    people: int
    asked: int
    sets: tuple[tuple[str, ...], ...]
    blank: str | None
    importance: dict[str, float]
    cells: int
    cells_by_column: dict[str, int]
    changed_records: int
    cost: float
    lower_bound: float
    k: int
    fitting: int | None
    columns: tuple[str, ...]
    out: str | None
    seconds: float
    remarks: tuple[str, ...]
    release: Release = field(compare=False)

    def __repr__(self) -> str:
        fit = "" if self.fitting is None else f", as wildcards for {self.fitting} who fit"
        return (
            f"<CellSuppression in {self.source}: {self.cells:,} cells of {self.changed_records:,} records "
            f"blanked for k = {self.k}{fit}; at least {self.lower_bound:,.4g} are needed>"
        )

    @property
    def gap(self) -> float:
        """By how much the cost is above what is known to be needed, as a share of it."""
        return 0.0 if self.cost <= self.lower_bound else (self.cost - self.lower_bound) / self.cost

    @property
    def optimal(self) -> bool:
        return self.gap <= ROUNDING

    @property
    def measures(self) -> tuple[Measure, ...]:
        k = K if self.user is None else PEOPLE_K
        own = [each for each in SUPPRESS_MEASURES if each != FITTING or self.fitting is not None]
        return (*own, k)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout deidentify suppress --json`."""
        return {
            "command": "deidentify suppress",
            "source": self.source,
            "engine": self.engine,
            "user": self.user,
            "records": self.records,
            "people": self.people,
            "asked": self.asked,
            "sets": [list(each) for each in self.sets],
            "blank": self.blank,
            "importance": self.importance,
            "cells": self.cells,
            "cells_by_column": self.cells_by_column,
            "changed_records": self.changed_records,
            "cost": self.cost,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "optimal": self.optimal,
            "k": self.k,
            "fitting": self.fitting,
            "released_columns": list(self.columns),
            "out": self.out,
            "remarks": list(self.remarks),
            "definitions": {each.name: each.as_dict() for each in self.measures},
        }

    def table(self) -> ResultTable:
        """One row a column."""
        rows = tuple(
            (name, cells, cells / self.records, self.importance.get(name, 1.0))
            for name, cells in self.cells_by_column.items()
        )
        return ResultTable(f"Blank cells of {self.source}", HEADINGS, rows, f"k = {self.k}")


ROUNDING = 1e-9
HEADINGS = (
    Heading("name", "attribute"),
    Heading("cells", "blank cells"),
    Heading("share", "share", "of the records"),
    Heading("importance", "importance", "what a blank cell costs"),
)
