"""The smallest sets of attributes that single a record out: for one record, or as a list of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike

import numpy
import pyarrow

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.collapsed_rows import CollapsedRows, collapsed_records
from singleout.engine.codes.dictionary import Code
from singleout.engine.column_sets.set_counts import MOST_COLUMNS
from singleout.engine.column_sets.synergy_counts_by_codes import SynergyCounter
from singleout.engine.protocol import Engine, Question
from singleout.errors import InputError, UsageError
from singleout.files import write_batches
from singleout.progress import Progress, silent
from singleout.risk.combinations.attribute_sets import names_of, sets_of_size
from singleout.risk.combinations.minimal_sample_uniques import MinimalSets, minimal_sets, minimal_sets_of
from singleout.risk.combinations.suda import (
    MOST_COLUMNS_OF_DIS,
    attribute_contributions,
    contributions,
    dis_suda,
    people_in_pairs,
    points,
    scores,
)
from singleout.risk.combinations.survey import quoted_name
from singleout.risk.combinations.synergy import Threshold

RECORDS_A_BATCH = 100_000


@dataclass(frozen=True)
class SingledOutRecord:
    """One record: the sets that are just enough to bring its class down to the allowed size."""

    record: int
    minimal: tuple[tuple[str, ...], ...]
    suda: float | None


@dataclass(frozen=True, eq=False)
class CodedRows:
    """The records of a question, those that are alike collapsed."""

    question: Question
    number: Counts
    rows: CollapsedRows
    threads: int = 1

    @classmethod
    def of(cls, counter: Engine, question: Question, threads: int) -> CodedRows:
        found = counter.coded_records(question)
        if not len(found.record):
            raise InputError(
                f"{counter.source_name}: no record has a value in every column; use the missing rule value"
            )
        return cls(question, found.record, collapsed_records(found, threads), threads)

    def singled_out(
        self, record: int, allow: int, largest: int | None, progress: Progress = silent
    ) -> SingledOutRecord:
        """The minimal sets of one record; its SUDA score where singling out means being alone."""
        index = numpy.searchsorted(self.number, record)
        if index == len(self.number) or self.number[index] != record:
            lacking = " with a value in every column" if self.question.missing == "drop" else ""
            raise UsageError(f"record {record}: there is none{lacking}; take one from 1 to {self.number[-1]}")
        masks = minimal_sets_of(self.rows, int(self.rows.row[index]), allow, largest, progress)
        points_by_size = points(
            len(self.question.columns), min(largest or MOST_COLUMNS, len(self.question.columns))
        )
        score = (
            float(sum(points_by_size[int(mask).bit_count()] for mask in masks.tolist()))
            if allow == 1
            else None
        )
        sets = tuple(names_of(mask, self.question.columns) for mask in masks.tolist())
        return SingledOutRecord(record, sets, score)

    def minimal(self, allow: int, largest: int | None, progress: Progress) -> MinimalSets:
        return minimal_sets(self.rows, allow, largest, self.threads, progress)

    def write_minimal(self, out: str | PathLike[str], found: MinimalSets, fraction: float) -> int:
        """One line a record: how many minimal sets, the smallest, all of them, and the SUDA numbers."""
        return write_batches(out, self._minimal_lines(found, fraction))

    def write_synergies(self, out: str | PathLike[str], size: int, criterion: Threshold) -> int:
        """One line for each record and combination whose synergy is above the criterion."""
        return write_batches(out, self._synergy_lines(size, criterion))

    def _minimal_lines(self, found: MinimalSets, fraction: float) -> Iterator[pyarrow.RecordBatch]:
        columns: dict[str, pyarrow.Array] = {
            "minimal_sets": pyarrow.array(found.number),
            "smallest_set": pyarrow.array(found.smallest, mask=found.number == 0),
        }
        if found.allow == 1:
            columns |= self._suda(found, fraction)
        by_row = pyarrow.table(columns)
        texts: dict[int, str] = {}
        for start in range(0, len(self.number), RECORDS_A_BATCH):
            part = slice(start, start + RECORDS_A_BATCH)
            rows = self.rows.row[part]
            lines = by_row.take(pyarrow.array(rows))
            lines = lines.add_column(2, "sets", pyarrow.array(self._texts(found, rows, texts)))
            lines = lines.add_column(0, "record", pyarrow.array(self.number[part]))
            yield lines.combine_chunks().to_batches()[0]

    def _texts(self, found: MinimalSets, rows: Code, texts: dict[int, str]) -> list[str]:
        """All minimal sets of each record in one cell, each as `--columns` takes it."""
        listed = []
        for row in rows.tolist():
            masks = found.of(row).tolist()
            for mask in masks:
                if mask not in texts:
                    texts[mask] = _column_list(names_of(mask, self.question.columns))
            listed.append(" | ".join(texts[mask] for mask in masks))
        return listed

    def _suda(self, found: MinimalSets, fraction: float) -> dict[str, pyarrow.Array]:
        score, width = scores(found), len(self.question.columns)
        columns = {"suda": pyarrow.array(score)}
        if width <= MOST_COLUMNS_OF_DIS:
            columns["dis_suda"] = pyarrow.array(dis_suda(score, width, people_in_pairs(self.rows), fraction))
        shares = contributions(found)
        for column, name in enumerate(self.question.columns):
            columns[f"contribution of {name}"] = pyarrow.array(shares[:, column])
        return columns

    def _synergy_lines(self, size: int, criterion: Threshold) -> Iterator[pyarrow.RecordBatch]:
        parts = SynergyCounter(self.rows, self.threads)
        yield _synergy_batch(self.number[:0], "", self.number[:0], self.number[:0])
        for mask in sets_of_size(len(self.question.columns), size).tolist():
            people, least = parts.people(mask), parts.least(mask)
            above = numpy.flatnonzero(criterion.is_exceeded(least, people)[self.rows.row])
            rows = self.rows.row[above]
            names = _column_list(names_of(mask, self.question.columns))
            yield _synergy_batch(self.number[above], names, people[rows], least[rows])


def contributions_of(coded: CodedRows, found: MinimalSets) -> dict[str, float | None]:
    """Which share of all SUDA scores comes from sets with each attribute."""
    shares = attribute_contributions(found, coded.rows.records)
    return dict(zip(coded.question.columns, shares, strict=True))


def _synergy_batch(record: Counts, names: str, people: Counts, least: Counts) -> pyarrow.RecordBatch:
    return pyarrow.RecordBatch.from_pydict(
        {
            "record": record,
            "columns": pyarrow.array([names] * len(record), pyarrow.string()),
            "people": people,
            "risk": 1 / people,
            "synergy": least / people,
        }
    )


def _column_list(names: Sequence[str]) -> str:
    return ",".join(map(quoted_name, names))
