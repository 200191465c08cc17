"""What a column holds, in texts that depend neither on the engine nor on the order of the records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.engine.codes.dictionary import Code, Pieces, encoded_pieces
from singleout.engine.codes.number_texts import number_texts
from singleout.engine.codes.text_codes import TEXT, common_codes
from singleout.errors import InputError


@dataclass(frozen=True, eq=False)
class ColumnContents:
    """A code for every record, and the texts that the codes stand for in their order, a missing one last."""

    codes: Code
    texts: pyarrow.LargeStringArray

    def parts(self, name: str) -> Iterator[bytes]:
        """What it holds: every text, and how many records have it."""
        yield name.encode()
        _, offsets, texts = self.texts.fill_null("").buffers()
        ends = numpy.frombuffer(offsets, numpy.int64)[self.texts.offset :][: len(self.texts) + 1]
        yield numpy.diff(ends).astype("<i8").tobytes()
        yield b"" if texts is None else memoryview(texts)[ends[0] : ends[-1]].tobytes()
        yield numpy.bincount(self.codes, minlength=len(self.texts)).astype("<i8").tobytes()
        yield str(self.texts.null_count).encode()

    @property
    def has_repeated_texts(self) -> bool:
        """Whether many records have the same text, which then needs to be held only once."""
        return 2 * len(self.texts) <= len(self.codes)

    def as_dictionary(self, kind: pyarrow.DataType) -> pyarrow.Array:
        """The texts by codes of four bytes."""
        known = len(self.texts) - self.texts.null_count
        codes = pyarrow.array(self.codes.astype(numpy.int32), mask=self.codes == known)
        return pyarrow.DictionaryArray.from_arrays(codes, self.texts[:known].cast(kind))


def row_hashes(records: NDArray[numpy.uint64], codes: Code) -> NDArray[numpy.uint64]:
    """A number for each record that depends on all its values so far and on this one (SplitMix64).

    >>> none = numpy.zeros(2, numpy.uint64)
    >>> one, other = (row_hashes(none, numpy.array(codes)) for codes in ([0, 1], [1, 1]))
    >>> bool(one[0] != other[0]), bool(one[1] == other[1])
    (True, True)
    """
    mixed = (records ^ codes.astype(numpy.uint64)) + numpy.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    found: NDArray[numpy.uint64] = mixed ^ (mixed >> numpy.uint64(31))
    return found


def column_of(source_name: str, table: pyarrow.Table, numbers: bool) -> ColumnContents:
    """The first column of a table, called by its `place` in errors; numbers are written in one way."""
    pieces = Pieces()
    try:
        for (piece,) in encoded_pieces(table.to_batches(), 1):
            pieces.add(piece)
        codes, values = pieces.join(in_order=False)
        texts = texts_of(values)
    except pyarrow.ArrowNotImplementedError as error:
        name, kind = table.column_names[0], table.schema.types[0]
        raise InputError(
            f"{source_name}: column {name!r}: values of the type {kind} can't be put in order; make it text "
            "before, or give a table without it"
        ) from error
    (order,), texts = common_codes([number_texts(texts) if numbers else texts])
    return ColumnContents(order[codes], texts)


def texts_of(values: pyarrow.Array) -> pyarrow.LargeStringArray:
    """Values as texts, whatever their type; times to the second if that is all they tell."""
    if pyarrow.types.is_timestamp(values.type):
        try:
            values = values.cast(pyarrow.timestamp("s", values.type.tz and "UTC"))
        except pyarrow.ArrowInvalid:
            values = values.cast(pyarrow.timestamp(values.type.unit, values.type.tz and "UTC"))
    if pyarrow.types.is_binary(values.type) or pyarrow.types.is_large_binary(values.type):
        return pyarrow.array([None if each is None else each.hex() for each in values.to_pylist()], TEXT)
    return values.cast(TEXT)
