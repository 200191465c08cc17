"""Which levels each record has after local recoding, told so that it can be repeated on the same table.

Records are told by their turn among the different ones, in the order of their values: no value is named.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.engine.codes.number_texts import number_texts
from singleout.errors import InputError, UsageError
from singleout.recipe.record_table import RecordTable, is_text
from singleout.recipe.steps.distinct_values import comparable_texts, distinct_values_of
from singleout.roles.hierarchies.hierarchy import levels_over, read_hierarchies

Numbers = NDArray[numpy.int64]
OTHER_TABLE = "is the diary of local recoding of another table; give the original that was recoded"


@dataclass(frozen=True)
class LevelAssignment:
    """`vectors` are levels of the `columns`; `numbers` says which vector each different record has.

    A number beyond the last vector is of records that were left out. `check` is of how many records there are
    of each, so that another table is told from the right one.
    """

    columns: tuple[str, ...]
    hierarchies: Mapping[str, Any]
    vectors: tuple[tuple[int, ...], ...]
    numbers: str
    check: int

    @staticmethod
    def of(
        hierarchies: Mapping[str, Any],
        values: Sequence[Sequence[str | None]],
        codes: Sequence[Numbers],
        levels: Numbers,
    ) -> LevelAssignment:
        """From the values of each column, their code of each record, and its levels: −1 if it is left out."""
        row, weights = distinct_records(
            [value_ranks(each)[code] for each, code in zip(values, codes, strict=True)]
        )
        first = numpy.zeros(len(weights), dtype=numpy.int64)
        first[row] = numpy.arange(len(row))
        if (levels != levels[first[row]]).any():
            raise UsageError("records of the same values have different levels; these can't be told")
        vectors, number = numpy.unique(levels[first], axis=0, return_inverse=True)
        out = vectors.min(axis=1) < 0
        # those left out come last
        turn = numpy.argsort(out, kind="stable")
        rank = numpy.empty(len(turn), dtype=numpy.int64)
        rank[turn] = numpy.arange(len(turn))
        kept = tuple(tuple(map(int, each)) for each in vectors[~out])
        text = base64.b64encode(zlib.compress(rank[number.reshape(-1)].astype("<u4").tobytes(), 9)).decode()
        return LevelAssignment(tuple(hierarchies), hierarchies, kept, text, _check_number(weights))

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> LevelAssignment:
        """From a diary."""
        return LevelAssignment(
            tuple(content["columns"]), dict(content["hierarchies"]),
            tuple(tuple(map(int, each)) for each in content["vectors"]), str(content["numbers"]),
            int(content["check"]),
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        return {
            "columns": list(self.columns),
            "hierarchies": dict(self.hierarchies),
            "vectors": [list(each) for each in self.vectors],
            "numbers": self.numbers,
            "check": self.check,
        }

    def replay(self, records: RecordTable) -> RecordTable:
        """The records at their levels, without those that were left out."""
        columns = [_column_texts(records, name) for name in self.columns]
        row, weights = distinct_records([value_ranks(texts)[codes] for texts, codes in columns])
        numbers = self._numbers()
        if len(numbers) != len(weights) or _check_number(weights) != self.check:
            raise UsageError(OTHER_TABLE)
        number = numbers[row]
        there = number < len(self.vectors)
        vectors = numpy.array([*self.vectors, (0,) * len(self.columns)], dtype=numpy.int64)
        recoded = records
        for index, (name, (texts, codes)) in enumerate(zip(self.columns, columns, strict=True)):
            labels = self._labels(name, texts)
            at = vectors[numpy.minimum(number, len(self.vectors)), index]
            flat = [label for level in labels for label in level]
            told = pyarrow.array(flat, pyarrow.large_string()).take(pyarrow.array(at * len(texts) + codes))
            kind = records.column(name).type
            recoded = recoded.with_column(name, told.cast(kind if is_text(kind) else pyarrow.string()))
        return recoded.only(there)

    def _labels(self, name: str, texts: Sequence[str | None]) -> Sequence[Sequence[str | None]]:
        """What each value is at each level: that of a hierarchy, or as it is and blank."""
        entry = self.hierarchies[name]
        if "blank" in entry:
            return texts, [entry["blank"]] * len(texts)
        hierarchies, _ = read_hierarchies({name: entry.get("file") or entry["levels"]}, [name])
        return levels_over(hierarchies[name], texts).labels

    def _numbers(self) -> Numbers:
        try:
            held = zlib.decompress(base64.b64decode(self.numbers, validate=True))
            return numpy.frombuffer(held, "<u4").astype(numpy.int64)
        except (ValueError, zlib.error, binascii.Error) as error:
            raise InputError("is no whole diary; let deidentify write it again") from error


def value_ranks(values: Sequence[str | None]) -> Numbers:
    """The turn of each value: numbers by the one way to write them, what is missing last.

    >>> value_ranks(["b", None, "a"]).tolist()
    [1, 2, 0]
    """
    alike = comparable_texts(pyarrow.array(values, pyarrow.large_string())).to_pylist()
    turns = sorted(
        range(len(values)), key=lambda index: (values[index] is None, alike[index] or "", values[index] or "")
    )
    ranks = numpy.empty(len(values), dtype=numpy.int64)
    ranks[turns] = numpy.arange(len(values))
    return ranks


def distinct_records(ranks: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    """The turn of each record among the different ones, and how many there are of each."""
    turn = numpy.zeros(len(ranks[0]), dtype=numpy.int64)
    for each in ranks:
        joined = turn * (int(each.max(initial=0)) + 1) + each
        _, turn = numpy.unique(joined, return_inverse=True)
    return turn, numpy.bincount(turn)


def _check_number(weights: Numbers) -> int:
    return zlib.crc32(weights.astype("<u4").tobytes())


def _column_texts(records: RecordTable, name: str) -> tuple[list[str | None], Numbers]:
    """The different values as texts, a missing one last, and which of them each record has."""
    column = records.column(name)
    different = distinct_values_of(name, column)
    texts = different.texts if is_text(column.type) else number_texts(different.texts)
    known: list[str | None] = texts.to_pylist()
    if different.missing.any():
        return [*known, None], numpy.where(different.missing, len(known), different.codes)
    return known, different.codes
