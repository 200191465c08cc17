"""Dummy records: they make all item sets of a cluster the same (Ito et al. 2020, Algorithm 2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy
import pyarrow

from singleout.deidentify.dummies.clusters import Clusters
from singleout.deidentify.dummies.dummy_columns import DummyColumns, Origin, unify_zeros
from singleout.deidentify.dummies.dummy_values import (
    NO_ROW,
    GroupedRows,
    Rows,
    TimeOrder,
    check_prices,
    filled_mask,
    latest_rows,
    one_in,
    time_order,
)
from singleout.deidentify.release_table import arrangement
from singleout.engine.codes.dictionary import Code, Codes
from singleout.recipe.record_table import Persons, RecordTable, is_text

WORDS: dict[Origin, str] = {
    "name": "a fresh pseudonym of the person",
    "goods": "what others of the cluster have",
    "person": "the person's latest record",
    "item": "the item's latest record that has a value",
    "number": "always 1",
}


def lacked_items(clusters: Clusters) -> tuple[Persons, Code]:
    """Who lacks what the others of the cluster have: a person and an item for each dummy record.

    I(x) − I(u) for every u of a cluster x, by cluster, then person, then item.
    """
    of, sets, unions = clusters.of, clusters.sets, clusters.unions
    people = numpy.argsort(of, kind="stable")
    whole = unions.of(of[people])
    before = numpy.empty(len(people), dtype=numpy.int64)
    before[people] = whole.starts[:-1] - unions.starts[of[people]]
    union_keys = numpy.repeat(numpy.arange(unions.people), unions.sizes) * clusters.width + unions.items
    kept = clusters.kept_entries
    own_keys = clusters.own_keys[kept]
    own = numpy.repeat(before, sets.sizes)[kept] + numpy.searchsorted(union_keys, own_keys)
    lacked = numpy.ones(len(whole.items), dtype=numpy.bool_)
    lacked[own] = False
    return numpy.repeat(people, whole.sizes)[lacked], whole.items[lacked]


@dataclass(frozen=True, eq=False)
class DummyMaker:
    """Makes up records from those there are: `items` has the item of each, as codes.

    A value that goes with the person is taken from the person's latest record, with `spread` from a random
    one for each dummy. One that goes with the item is taken from the item's latest record that has a value
    there. The number is 1; with `draw_numbers` it is that of a random record of the item, and the amounts are
    of the same record, so that a price stands beside a number that it had.
    """

    records: RecordTable
    items: Codes
    columns: DummyColumns
    origins: dict[str, Origin]
    spread: bool = False
    draw_numbers: bool = False

    def check(self) -> None:
        """Every item has a price, and the number is one: to be known before a long search."""
        for name in self.columns.amount:
            check_prices(name, self._item_rows(name))
        if self.columns.number is not None:
            one_in(self.columns.number, self.records.column(self.columns.number))

    def words(self, name: str) -> str:
        """Where a dummy has its value of a column from."""
        origin = self.origins[name]
        if self.draw_numbers and (origin == "number" or name in self.columns.amount):
            return "a random record of the item"
        if self.spread and origin == "person":
            return "a random record of the person"
        return WORDS[origin]

    @cached_property
    def order(self) -> TimeOrder:
        return time_order(self.records, self.columns.time)

    @cached_property
    def by_value(self) -> Rows:
        """The records by all their values: what is drawn must not depend on the order of the data."""
        return arrangement(self.records.table, "sorted")

    @cached_property
    def drawable_rows(self) -> GroupedRows:
        """The records of each item that have a number and all amounts."""
        number = (self.columns.number,) if self.columns.number is not None else ()
        among = filled_mask(self.records, (*number, *self.columns.amount))
        return GroupedRows.of(self.items.codes, self.items.count, self.by_value[among[self.by_value]])

    def with_dummies(self, person: Persons, item: Code, draw: numpy.random.Generator) -> RecordTable:
        """The records, and after them a dummy record for each person and item, in their order."""
        records = self.records
        person_rows = self._person_rows(person, draw)
        drawn_rows = self.drawable_rows.rows(item, draw) if self.draw_numbers else None
        columns = []
        for name in records.names:
            rows = self._rows(name, person_rows, item, drawn_rows)
            columns.append(self._column(name, rows))
        table = pyarrow.table(columns, names=list(records.names))
        return replace(records, table=table, person=numpy.concatenate((records.person, person)))

    def _person_rows(self, person: Persons, draw: numpy.random.Generator) -> Rows:
        if self.spread:
            return GroupedRows.of(self.records.person, self.records.people, self.by_value).rows(person, draw)
        return latest_rows(self.records.person, self.records.people, self.order.rows)[person]

    def _rows(self, name: str, person_rows: Rows, item: Code, drawn_rows: Rows | None) -> Rows:
        """The record that each dummy has its value of a column from, −1 for none."""
        origin = self.origins[name]
        if origin in ("name", "person"):
            return person_rows
        if origin == "goods":
            return latest_rows(self.items.codes, self.items.count, self.order.rows)[item]
        if origin == "number":
            return numpy.full(len(item), NO_ROW) if drawn_rows is None else drawn_rows
        rows = self._item_rows(name)[item]
        if drawn_rows is None or name not in self.columns.amount:
            return rows
        return numpy.where(drawn_rows == NO_ROW, rows, drawn_rows)

    def _item_rows(self, name: str) -> Rows:
        """The latest record of each item that has a value in the column."""
        rows = self.order.rows
        return latest_rows(self.items.codes, self.items.count, rows[filled_mask(self.records, (name,))[rows]])

    def _column(self, name: str, rows: Rows) -> pyarrow.ChunkedArray:
        """All values of the column and then those of the rows: texts as a dictionary, each once."""
        column = self.records.column(name)
        count = len(column)
        if self.origins[name] == "goods":
            column = unify_zeros(column)
        if self.origins[name] == "number":
            column = pyarrow.concat_arrays([column, pyarrow.array([one_in(name, column)], column.type)])
            rows = numpy.where(rows == NO_ROW, count, rows)
        if is_text(column.type):
            column = column.dictionary_encode()
        taken = column.take(pyarrow.array(rows, mask=rows == NO_ROW))
        return pyarrow.chunked_array([column[:count], taken])
