"""Which record each value of a dummy record is taken from: the latest one, or one that is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.engine.codes.column_numbers import Kind, amounts_of, kind_of, seconds_of
from singleout.engine.codes.dictionary import Code
from singleout.errors import InputError, UsageError
from singleout.recipe.record_table import Mask, Persons, RecordTable, is_number, is_text

Rows = NDArray[numpy.int64]
KEY_SPACE = 1 << 62
NO_ROW = -1


@dataclass(frozen=True, eq=False)
class TimeOrder:
    """The rows from the earliest to the latest; `as_text` are columns that are no dates, times or numbers."""

    rows: Rows
    as_text: tuple[str, ...]


def time_order(records: RecordTable, columns: Sequence[str]) -> TimeOrder:
    """Ordered by the first column, then the next; where all are equal, the later row is the later one.

    Dates, times of day and numbers are compared as such, other texts by their characters' codes; what is
    missing is the earliest.

    >>> table = pyarrow.table({"at": ["10:00", "9:30", None, "9:30"]})
    >>> time_order(RecordTable(table, numpy.zeros(4, dtype=numpy.int64), 1), ["at"]).rows.tolist()
    [2, 1, 3, 0]
    """
    when, space, as_text = numpy.zeros(len(records), dtype=numpy.int64), 1, []
    for name in columns:
        ranks, is_text = _ranks(name, records.column(name))
        as_text += [name] if is_text else []
        width = int(ranks.max(initial=0)) + 1
        if space * width > KEY_SPACE:
            moments, when = numpy.unique(when, return_inverse=True)
            space = len(moments)
        when = when * width + ranks
        space *= width
    return TimeOrder(numpy.argsort(when, kind="stable"), tuple(as_text))


def latest_rows(groups: Code | Persons, count: int, rows: Rows) -> Rows:
    """For each group the last of the rows, which stand in their order in time; −1 where it has none.

    >>> latest_rows(numpy.array([0, 1, 0]), 3, numpy.array([2, 0, 1])).tolist()
    [0, 1, -1]
    """
    last = numpy.full(count, NO_ROW, dtype=numpy.int64)
    last[groups[rows]] = rows
    return last


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Some rows by their group, to draw from."""

    order: Rows
    sizes: Rows

    @classmethod
    def of(cls, groups: Code | Persons, count: int, rows: Rows) -> GroupedRows:
        """Rows in an order that does not depend on how they stood, or else draws would."""
        order = rows[numpy.argsort(groups[rows], kind="stable")]
        return cls(order, numpy.bincount(groups[rows], minlength=count))

    def rows(self, wanted: Code | Persons, draw: numpy.random.Generator) -> Rows:
        """A random row of each wanted group, −1 where it has none."""
        starts = numpy.cumsum(self.sizes) - self.sizes
        sizes = self.sizes[wanted]
        positions = starts[wanted] + draw.integers(0, numpy.maximum(sizes, 1))
        if not len(self.order):
            return numpy.full(len(wanted), NO_ROW, dtype=numpy.int64)
        return numpy.where(sizes > 0, self.order[numpy.minimum(positions, len(self.order) - 1)], NO_ROW)


def filled_mask(records: RecordTable, columns: Iterable[str]) -> Mask:
    """Which records have a value in all of the columns; NaN is none."""
    mask: Mask = numpy.ones(len(records), dtype=numpy.bool_)
    for name in columns:
        missing = pyarrow.compute.is_null(records.column(name), nan_is_null=True)
        mask &= ~missing.to_numpy(zero_copy_only=False)
    return mask


def check_prices(name: str, price_rows: Rows) -> None:
    """Every item must have a record that says what it costs."""
    lacking = int((price_rows == NO_ROW).sum())
    if lacking:
        told = f"{lacking:,} of {len(price_rows):,} items have" if lacking > 1 else "one item has"
        raise InputError(
            f"column {name!r}: {told} no value in any record, and dummy records of it need one; "
            "fill it in, leave these records out, or do not name the column as an amount"
        )


def one_in(name: str, column: pyarrow.Array) -> pyarrow.Scalar:
    """The number 1 as the column writes it: of texts the most frequent one that is 1.

    >>> one_in("number", pyarrow.array(["1.0", "6", "1.0", "1"])).as_py()
    '1.0'
    """
    kind = column.type
    if not is_text(kind):
        if not is_number(kind):
            raise UsageError(f"column {name!r}: is of the type {kind}; name a column of numbers")
        return pyarrow.scalar(1).cast(kind)
    counted = pyarrow.compute.value_counts(column)
    texts = counted.field("values").to_pylist()
    read = amounts_of(name, texts)
    ones = (read.numbers == 10**read.decimals) & ~read.missing
    if not ones.any():
        return pyarrow.scalar("1", kind)
    return pyarrow.scalar(texts[int((counted.field("counts").to_numpy() * ones).argmax())], kind)


def _ranks(name: str, column: pyarrow.Array) -> tuple[Rows, bool]:
    """Of each record how many different moments come before its own; and whether they are mere texts."""
    if column.null_count == len(column):
        return numpy.zeros(len(column), dtype=numpy.int64), False
    try:
        coded = column.dictionary_encode("encode")
        values = coded.dictionary
        texts = values.to_pylist() if is_text(values.type) else []
        kind = kind_of(texts)
        ranks = _order_ranks(values) if kind == "category" else _number_ranks(name, kind, texts)
    except pyarrow.ArrowNotImplementedError as error:
        raise UsageError(
            f"column {name!r}: values of the type {column.type} have no order in time"
        ) from error
    return ranks[coded.indices.to_numpy()], bool(texts) and kind == "category"


def _order_ranks(values: pyarrow.Array) -> Rows:
    ranked = pyarrow.compute.rank(values, sort_keys="ascending", tiebreaker="dense")
    ranks: Rows = ranked.to_numpy().astype(numpy.int64)
    ranks[pyarrow.compute.is_null(values, nan_is_null=True).to_numpy(zero_copy_only=False)] = 0
    return ranks


def _number_ranks(name: str, kind: Kind, texts: list[str | None]) -> Rows:
    read = amounts_of(name, texts) if kind == "number" else seconds_of(name, texts)
    ranks: Rows = numpy.unique(read.numbers, return_inverse=True)[1].astype(numpy.int64) + 1
    ranks[read.missing] = 0
    return ranks
