"""The table that is given away: each record as it was generalised, in an order that tells nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal, get_args

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.deidentify.release_file import write_release_file
from singleout.engine.class_sizes import Counts
from singleout.errors import OutputError, UsageError
from singleout.files import whole_file
from singleout.read.source import Source
from singleout.recipe.record_table import is_text
from singleout.roles.hierarchies.level_rules import SUPPRESSED

Order = Literal["sorted", "shuffled"]
ORDERS: tuple[Order, ...] = get_args(Order)
KEY_SPACE = 1 << 63
Ranks = NDArray[numpy.uint64]


@dataclass(frozen=True, eq=False)
class LabelledColumn:
    """What each record becomes in one column: `codes` name a label for each, in the order of the data."""

    name: str
    codes: NDArray[Any]
    labels: tuple[str | None, ...]


def released_table(
    kept: NDArray[numpy.bool_],
    columns: Sequence[LabelledColumn | str],
    carried: pyarrow.Table | None = None,
    star: bool = False,
) -> pyarrow.Table:
    """The columns in the given order: a generalised one as text, a name for a carried one as it is.

    `kept`, the codes and `carried` go record by record. Records that are not kept are left out; with `star`
    they stay, and each generalised column of theirs says `*`. A label that is None stays missing.

    >>> zip_code = LabelledColumn("zip", numpy.array([0, 1, 0]), ("12*", None))
    >>> released_table(numpy.array([True, True, False]), [zip_code], star=True)["zip"].to_pylist()
    ['12*', None, '*']
    """
    shown = numpy.arange(len(kept)) if star else numpy.flatnonzero(kept)
    arrays = [
        _carried_column(carried, column, shown)
        if isinstance(column, str)
        else _label_array(column, kept, shown)
        for column in columns
    ]
    names = [column if isinstance(column, str) else column.name for column in columns]
    return pyarrow.table(arrays, names=names)


def arrangement(table: pyarrow.Table, order: Order, seed: int = 0) -> Counts:
    """Which row comes first, second, …: `table.take` of it is the table in its new order.

    Sorted by all columns from left to right, text by its characters' codes, what is missing last: rows that
    tie are identical, so that the result depends on which rows there are and not on how they stood.

    >>> arrangement(pyarrow.table({"age": ["40-49", None, "30-39"]}), "sorted").tolist()
    [2, 0, 1]
    """
    if order not in ORDERS:
        raise UsageError(f"order: {order!r} is no order of records; there are {' and '.join(ORDERS)}")
    keys, space = numpy.zeros(table.num_rows, dtype=numpy.uint64), 1
    for ranks in _ranks_of_all(table):
        width = int(ranks.max(initial=0)) + 1
        if space * width > KEY_SPACE:
            distinct_keys, ranked = numpy.unique(keys, return_inverse=True)
            keys, space = ranked.astype(numpy.uint64), len(distinct_keys)
        keys *= numpy.uint64(width)
        keys += ranks
        space *= width
    rows = numpy.argsort(keys, kind="stable").astype(numpy.int64)
    if order == "sorted":
        return rows
    # sorted first: who knows the seed and undoes the shuffle finds sorted rows, not the order of the data
    return rows[numpy.random.Generator(numpy.random.PCG64(seed)).permutation(len(rows))]


def write_release(
    table: pyarrow.Table,
    out: str | PathLike[str],
    check: Callable[[Path], None],
    origin: Source | None = None,
    uuids: Sequence[str] = (),
    changed: Collection[str] = (),
) -> None:
    """Write the format that the ending of `out` asks for, once `check` has read the draft and is content.

    The draft's name has another ending: `check` has to be told the kind of the file. An OutputError that it
    raises is told with the name of the target before it; the target then stays as it was.
    """

    with whole_file(out) as draft:
        write_release_file(Path(out), draft, table, origin, uuids, changed)
        try:
            check(draft)
        except OutputError as error:
            raise OutputError(f"{out}: {error}; nothing was written") from error


def _label_array(column: LabelledColumn, kept: NDArray[numpy.bool_], shown: Counts) -> pyarrow.Array:
    """Codes beside the labels that are shown, and no others: a label of a suppressed record would leak."""
    labels = (*column.labels, SUPPRESSED)
    codes = numpy.where(kept, column.codes, len(column.labels))[shown]
    occurs = numpy.bincount(codes, minlength=len(labels)) > 0
    texts = sorted(
        {label for label, there in zip(labels, occurs, strict=True) if there and label is not None}
    )
    number_of = {text: number for number, text in enumerate(texts)}
    numbers = [-1 if label is None else number_of.get(label, -1) for label in labels]
    renumbered = numpy.array(numbers, dtype=numpy.int32)[codes]
    indices = pyarrow.array(renumbered, mask=renumbered < 0)
    return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(texts, pyarrow.string()))


def _carried_column(carried: pyarrow.Table | None, name: str, shown: Counts) -> pyarrow.ChunkedArray:
    if carried is None:
        raise UsageError(f"column {name!r}: nothing is carried over; generalise it or leave it out")
    column = carried[name]
    if pyarrow.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)  # its dictionary knows values that nobody may see
    return column.take(pyarrow.array(shown))


def _ranks_of_all(table: pyarrow.Table) -> Iterator[Ranks]:
    for name, column in zip(table.column_names, table.columns, strict=True):
        try:
            yield _ranks(column)
            if pyarrow.types.is_floating(column.type):
                yield _ranks(_bits(column))
        except pyarrow.ArrowNotImplementedError as error:
            raise OutputError(
                f"column {name!r}: values of the type {column.type} can't be sorted, and must not keep the "
                "order of the data; leave the column out, or make it text"
            ) from error


def _ranks(column: pyarrow.ChunkedArray) -> Ranks:
    if column.null_count == len(column):
        return numpy.zeros(len(column), dtype=numpy.uint64)
    if is_text(column.type):
        # comparing each text once
        column = column.dictionary_encode()
    if pyarrow.types.is_dictionary(column.type):
        coded = column.combine_chunks()
        missing = len(coded.dictionary)
        ranks = numpy.append(_dense_ranks(coded.dictionary), numpy.uint64(missing))
        found: Ranks = ranks[coded.indices.fill_null(missing).to_numpy()]
        return found
    return _dense_ranks(column)


def _dense_ranks(column: pyarrow.Array | pyarrow.ChunkedArray) -> Ranks:
    dense = pyarrow.compute.rank(column, sort_keys="ascending", tiebreaker="dense")
    return numpy.asarray(dense.to_numpy(), dtype=numpy.uint64) - numpy.uint64(1)


def _bits(column: pyarrow.ChunkedArray) -> pyarrow.ChunkedArray:
    """0.0 and −0.0 tie, and so do NaNs, but they are not written alike."""
    kinds = {16: pyarrow.uint16(), 32: pyarrow.uint32(), 64: pyarrow.uint64()}
    kind = kinds[column.type.bit_width]
    return pyarrow.chunked_array([chunk.view(kind) for chunk in column.chunks], kind)
