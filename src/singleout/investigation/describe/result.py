"""What kind of data it is: the result of `describe`, which every page is written from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from singleout.engine.missing_values import Missing
from singleout.investigation.describe.measures import DESCRIPTION_MEASURES, FREQUENCY
from singleout.investigation.describe.people_spread import PeopleSpread
from singleout.investigation.describe.shared_items import SharedItems
from singleout.investigation.describe.sums import Category, Month, Scatter
from singleout.investigation.describe.value_ranges import ColumnRange, Frequencies
from singleout.result_table import Heading, ResultTable, TableResult, table_size
from singleout.risk.entropy.amount_correlation import CORRELATION


@dataclass(frozen=True, repr=False)
class Description(TableResult):
    """What `describe` found: `columns` one by one, people's records, items and amounts, months, categories.

    A part that nobody asked for is None or empty. `to_dict()` has everything with its definitions,
    `to_frame()` and `to_arrow()` one row a column.
    """

    source: str
    engine: str
    user: str | None
    missing: Missing
    seed: int
    records: int
    people: int
    columns: tuple[ColumnRange, ...]
    records_per_person: PeopleSpread | None
    items: SharedItems | None
    amount: str | None
    amount_per_person: PeopleSpread | None
    time: str | None
    months: tuple[Month, ...]
    category: str | None
    categories: tuple[Category, ...]
    domains: tuple[Frequencies, ...]
    scatters: tuple[Scatter, ...]
    remarks: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Description of {self.source}: {table_size(self.records, self.people)}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout describe --json`."""
        items = self.items
        return {
            "source": self.source,
            "engine": self.engine,
            "user": self.user,
            "missing": self.missing,
            "seed": self.seed,
            "records": self.records,
            "people": self.people,
            "columns": [each.to_dict() for each in self.columns],
            "records_per_person": _entry(self.records_per_person),
            "item": items and items.item,
            "items": items and items.items,
            "items_per_person": _entry(items.per_person if items else None),
            "shared_items": items and items.shared,
            "shared_items_by_rule": items and items.by_rule,
            "jaccard": items and items.jaccard_entry(),
            "amount": self.amount,
            "amount_per_person": _entry(self.amount_per_person),
            "time": self.time,
            "months": [vars(each).copy() for each in self.months],
            "category": self.category,
            "categories": [each.to_dict() for each in self.categories],
            "domains": [each.to_dict() for each in self.domains],
            "correlations": [each.to_dict() for each in self.scatters],
            "remarks": list(self.remarks),
            "definitions": {each.name: each.as_dict() for each in (*DESCRIPTION_MEASURES, CORRELATION)},
        }

    def table(self) -> ResultTable:
        """One row a column."""
        rows = tuple(
            (
                each.name,
                each.frequencies.all_values,
                each.missing,
                max(each.frequencies.records, default=0),
                sum(
                    values
                    for records, values in zip(each.frequencies.records, each.frequencies.values, strict=True)
                    if records == 1
                ),
                each.lowest,
                each.highest,
            )
            for each in self.columns
        )
        return ResultTable(f"Columns of {self.source}", _HEADINGS, rows, f"{self.records:,} records.")


_HEADINGS = (
    Heading("name", "column"),
    Heading("values", "values"),
    Heading("missing", "missing", "records without a value"),
    Heading.of("most_frequent", "most frequent", FREQUENCY),
    Heading("seen_once", "seen once", "values that one record has"),
    Heading("lowest", "from", "the lowest value, where it may be told"),
    Heading("highest", "to", "the highest value, where it may be told"),
)


def _entry(spread: PeopleSpread | None) -> dict[str, Any] | None:
    return None if spread is None else spread.to_dict()
