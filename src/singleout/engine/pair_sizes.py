"""The classes of a sample beside those of a reference table: how many people each class has in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.number_texts import number_texts
from singleout.engine.codes.text_codes import TEXT, common_codes
from singleout.engine.columns import kind_of
from singleout.engine.protocol import Engine, Question


@dataclass(frozen=True, eq=False)
class PairSizes:
    """One entry for each class of the sample: its `records` and `people`, and those of the `reference`.

    A class that the reference lacks has no people there.
    """

    records: Counts
    people: Counts
    reference: Counts

    def __post_init__(self) -> None:
        if not len(self.records) == len(self.people) == len(self.reference):
            raise ValueError("a class has its records, its people and its people of the reference")


def pair_sizes(sample: tuple[Engine, Question], reference: tuple[Engine, Question]) -> PairSizes:
    """Both tables are counted where they are; only their classes are brought together.

    Values are compared as text, and where one of the tables has numbers in a column, as numbers. Texts that
    the sample tells apart stay apart: whoever writes numbers can't tell 01 from 1.
    """
    tables = [_class_counts(*each) for each in (sample, reference)]
    width = len(sample[1].columns)
    keys = [numpy.zeros(len(each), dtype=numpy.int64) for each in tables]
    for index in range(width):
        texts = [each.column(index).cast(TEXT).combine_chunks() for each in tables]
        kinds = [_kind(engine, question.columns[index]) for engine, question in (sample, reference)]
        if "numbers" in kinds:
            mine, theirs = (number_texts(each) for each in texts)
            texts = [mine if kinds[0] == "numbers" else _kept_apart(texts[0], mine), theirs]
        codes, values = common_codes(texts)
        keys = _joined_keys(keys, codes, len(values))
    first, second = keys
    both = numpy.unique(numpy.concatenate(keys))
    places = [numpy.searchsorted(both, each) for each in (first, second)]
    records, people = (_sums(tables[0], name, places[0], len(both)) for name in ("records", "people"))
    others = _sums(tables[1], "people", places[1], len(both))
    there = records > 0
    return PairSizes(records[there], people[there], others[there])


def _class_counts(engine: Engine, question: Question) -> pyarrow.Table:
    return pyarrow.Table.from_batches(list(engine.class_counts(question)))


def _kind(engine: Engine, column: str) -> str:
    return kind_of(next(each.type for each in engine.columns() if each.name == column))


def _kept_apart(
    texts: pyarrow.LargeStringArray, numbers: pyarrow.LargeStringArray
) -> pyarrow.LargeStringArray:
    """Each text as its number, but where several of them are the same one."""
    pairs = pyarrow.table({"text": texts, "number": numbers}).group_by(["text", "number"]).aggregate([])
    writings = pairs.group_by("number").aggregate([("text", "count")])
    several = writings.filter(pyarrow.compute.greater(writings["text_count"], 1))["number"]
    return pyarrow.compute.if_else(pyarrow.compute.is_in(numbers, value_set=several), texts, numbers)


def _joined_keys(keys: list[Counts], codes: Sequence[NDArray[numpy.uint32]], values: int) -> list[Counts]:
    """One whole number for the columns so far, numbered anew so that it never overflows."""
    joined = [key * values + code.astype(numpy.int64) for key, code in zip(keys, codes, strict=True)]
    _, numbers = numpy.unique(numpy.concatenate(joined), return_inverse=True)
    first = len(joined[0])
    return [numbers[:first].astype(numpy.int64), numbers[first:].astype(numpy.int64)]


def _sums(table: pyarrow.Table, name: str, places: NDArray[numpy.intp], length: int) -> Counts:
    counts = table.column(name).to_numpy().astype(numpy.int64)
    sums = numpy.zeros(length, dtype=numpy.int64)
    numpy.add.at(sums, places, counts)
    return sums
