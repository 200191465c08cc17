"""A column by its different values: which of them each record has, how many are no longer what they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.engine.codes.number_texts import NUMBER, number_texts
from singleout.engine.codes.numbering import distinct_keys
from singleout.errors import InputError
from singleout.recipe.record_table import Mask, Persons, RecordTable, is_number, is_text

Codes = NDArray[numpy.int64]
NO_PARTS = r"\.0+(Z|[+-][0-9:]+)?$"


@dataclass(frozen=True, eq=False)
class DistinctValues:
    """`values` are the different ones in their order, without a missing one; the code of that is −1."""

    codes: Codes
    values: pyarrow.Array

    @property
    def missing(self) -> Mask:
        return self.codes < 0

    @property
    def texts(self) -> pyarrow.LargeStringArray:
        """The different values as texts."""
        return as_texts(self.values)

    def of_each(self, values: pyarrow.Array) -> pyarrow.Array:
        """For every record what stands in the place of its value; a missing value stays missing."""
        return values.take(pyarrow.array(self.codes, mask=self.missing))

    def holders(self, person: Persons, people: int) -> Codes:
        """How many people have each value."""
        filled = ~self.missing
        pairs = distinct_keys(self.codes[filled] * max(people, 1) + person[filled])
        return numpy.bincount(pairs // max(people, 1), minlength=len(self.values))

    def occurrences(self) -> Codes:
        """How many records have each value."""
        return numpy.bincount(self.codes[~self.missing], minlength=len(self.values))


def distinct_values_of(name: str, column: pyarrow.Array) -> DistinctValues:
    """The different values of a column in their order, so that nothing depends on the order of the records.

    >>> found = distinct_values_of("town", pyarrow.array(["b", None, "a", "b"]))
    >>> found.codes.tolist(), found.values.to_pylist()
    ([1, -1, 0, 1], ['a', 'b'])
    """
    if pyarrow.types.is_null(column.type):
        return DistinctValues(
            numpy.full(len(column), -1, dtype=numpy.int64), pyarrow.nulls(0, pyarrow.string())
        )
    try:
        encoded = column.dictionary_encode()
        order = pyarrow.compute.sort_indices(encoded.dictionary)
    except (pyarrow.ArrowNotImplementedError, pyarrow.ArrowTypeError) as error:
        raise InputError(
            f"column {name!r}: its values are {column.type}, which can't be put in order"
        ) from error
    rank = numpy.full(len(order) + 1, -1, dtype=numpy.int64)
    rank[order.to_numpy()] = numpy.arange(len(order))
    codes = encoded.indices.fill_null(len(order)).to_numpy(zero_copy_only=False)
    return DistinctValues(rank[codes], encoded.dictionary.take(order))


def as_texts(values: pyarrow.Array) -> pyarrow.LargeStringArray:
    """Values as one would write them: a time without parts of a second that are 0.

    >>> as_texts(pyarrow.array([86400], pyarrow.timestamp("us"))).to_pylist()
    ['1970-01-01 00:00:00.086400']
    >>> as_texts(pyarrow.array([1], pyarrow.timestamp("s")).cast(pyarrow.timestamp("us"))).to_pylist()
    ['1970-01-01 00:00:01']
    """
    try:
        texts = values.cast(pyarrow.large_string())
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError) as error:
        raise InputError(f"values of type {values.type} are no texts; name another column") from error
    if not pyarrow.types.is_temporal(values.type):
        return texts
    return pyarrow.compute.replace_substring_regex(texts, NO_PARTS, r"\1")


def count_changed_values(before: pyarrow.Array, after: pyarrow.Array) -> int:
    """How many values are no longer what they were; missing is the same as missing.

    A number is what it was if it is equal, though its type be another, or it be a text that is written
    otherwise; so is one that is not a number.

    >>> count_changed_values(pyarrow.array([1, 2, None]), pyarrow.array([1.0, 2.5, None]))
    1
    >>> count_changed_values(pyarrow.array(["2.50", "1e1", "a"]), pyarrow.array(["2.5", "10", "b"]))
    1
    """
    both = before.is_valid().to_numpy(False) & after.is_valid().to_numpy(False)
    gone = int(numpy.count_nonzero(before.is_valid().to_numpy(False) != after.is_valid().to_numpy(False)))
    kept = pyarrow.array(both)
    return gone + _count_unequal(before.filter(kept), after.filter(kept))


def _count_unequal(before: pyarrow.Array, after: pyarrow.Array) -> int:
    if not len(before):
        return 0
    same, numbers = before.type == after.type, is_number(before.type) and is_number(after.type)
    if numbers and (not same or pyarrow.types.is_floating(before.type)):
        old, new = (each.cast(pyarrow.float64(), safe=False).to_numpy(False) for each in (before, after))
        return int(numpy.count_nonzero((old != new) & ~(numpy.isnan(old) & numpy.isnan(new))))
    if not same:
        before, after = as_texts(before), as_texts(after)
    unequal = pyarrow.compute.not_equal(before, after)
    if is_text(before.type) and unequal.true_count:
        unequal = pyarrow.compute.not_equal(
            *(comparable_texts(each.filter(unequal)) for each in (before, after))
        )
    return int(unequal.true_count)


def comparable_texts(column: pyarrow.Array) -> pyarrow.LargeStringArray:
    """Each value as a text, a number by the one text that all its writings have.

    >>> comparable_texts(pyarrow.array(["2.50", " 1e1", "a", None])).to_pylist()
    ['2.5', '10', 'a', None]
    """
    encoded = as_texts(column).dictionary_encode()
    trimmed = pyarrow.compute.utf8_trim_whitespace(encoded.dictionary)
    numbers = pyarrow.compute.match_substring_regex(trimmed, f"^({NUMBER})$")
    read = pyarrow.compute.replace_with_mask(
        encoded.dictionary, numbers, number_texts(trimmed.filter(numbers))
    )
    return read.take(encoded.indices)


@dataclass(frozen=True, eq=False)
class ComparableColumn:
    """The different `texts` of a column, numbers by the one text of all their writings, so that some may be
    equal; the code of a missing value is the last."""

    texts: pyarrow.LargeStringArray
    codes: NDArray[numpy.uint32]

    @classmethod
    def of(cls, column: pyarrow.Array | pyarrow.ChunkedArray) -> ComparableColumn:
        encoded = column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column
        if not pyarrow.types.is_dictionary(encoded.type):
            encoded = encoded.dictionary_encode()
        size, there = len(encoded.dictionary), encoded.dictionary.is_valid().to_numpy(zero_copy_only=False)
        indices = encoded.indices.fill_null(size).to_numpy(zero_copy_only=False)
        used = numpy.flatnonzero((numpy.bincount(indices, minlength=size + 1)[:size] > 0) & there)
        number = numpy.full(size + 1, len(used), dtype=numpy.uint32)
        number[used] = numpy.arange(len(used))
        return cls(comparable_texts(encoded.dictionary.take(pyarrow.array(used))), number[indices])

    @property
    def has_writings(self) -> bool:
        """Whether a number is written in several ways, which may tell what the number does not."""
        return len(self.texts.unique()) < len(self.texts)

    def occurrences(self) -> Codes:
        """How many records have each text."""
        return numpy.bincount(self.codes, minlength=len(self.texts) + 1)[:-1]

    def renumbered(self, number: NDArray[numpy.uint32], missing: int) -> NDArray[numpy.uint32]:
        codes: NDArray[numpy.uint32] = numpy.append(number, missing).astype(numpy.uint32)[self.codes]
        return codes


def change_columns(
    records: RecordTable, columns: Iterable[str], new_of: Callable[[str, pyarrow.Array], pyarrow.Array]
) -> tuple[RecordTable, int]:
    """The records with what `new_of` makes of each column's name and values, and how many values changed."""
    changed, new_records = 0, records
    for name in columns:
        old = records.column(name)
        new = new_of(name, old)
        changed += count_changed_values(old, new)
        new_records = new_records.with_column(name, new)
    return new_records, changed
