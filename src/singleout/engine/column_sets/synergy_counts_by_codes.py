"""How many people share each row's value combination, and how many its single values: from coded rows."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.collapsed_rows import CollapsedRows
from singleout.engine.codes.dictionary import Code, Codes
from singleout.engine.codes.numbering import join_codes
from singleout.engine.column_sets.synergy_counts import SynergyCounts


@dataclass(frozen=True, eq=False)
class SynergyCounter:
    """Answers for one set of columns at a time; the people of single values are counted once."""

    rows: CollapsedRows
    threads: int = 1
    _single: dict[int, Code] = field(default_factory=dict)

    def parts(self, chosen: int) -> SynergyCounts:
        """Each class of the chosen columns beside the rarest single value of its tuple."""
        classes = self._classes(chosen)
        first = numpy.empty(classes.count, dtype=numpy.int64)
        first[classes.codes[::-1]] = numpy.arange(len(classes.codes) - 1, -1, -1)
        records = numpy.bincount(classes.codes, self.rows.records, classes.count).astype(numpy.int64)
        return SynergyCounts.of_classes(records, self._people(classes), self.least(chosen)[first])

    def people(self, chosen: int) -> Counts:
        """Of each row: how many people have a record with its values in the chosen columns."""
        classes = self._classes(chosen)
        return self._people(classes)[classes.codes]

    def least(self, chosen: int) -> Counts:
        """Of each row: how many people have the rarest of its values."""
        each = [self._people_with_value(column) for column in _columns(chosen)]
        least: Code = numpy.minimum.reduce(each)
        return least.astype(numpy.int64)

    def _people_with_value(self, column: int) -> Code:
        if column not in self._single:
            self._single[column] = self.people(1 << column).astype(numpy.uint32)
        return self._single[column]

    def _classes(self, chosen: int) -> Codes:
        columns = _columns(chosen)
        if not columns:
            return Codes(numpy.zeros(len(self.rows.records), dtype=numpy.uint32), 1)
        coded = [Codes(self.rows.codes[column], self.rows.values[column]) for column in columns]
        return join_codes(coded, self.threads)

    def _people(self, classes: Codes) -> Counts:
        """Of each class; a person who has several rows there counts once."""
        if self.rows.persons is None:
            return numpy.bincount(classes.codes, self.rows.records, classes.count).astype(numpy.int64)
        pairs = join_codes([classes, Codes(self.rows.persons, self.rows.people)], self.threads)
        class_of_pair = numpy.empty(pairs.count, dtype=numpy.uint32)
        class_of_pair[pairs.codes] = classes.codes
        return numpy.bincount(class_of_pair, minlength=classes.count)


def _columns(chosen: int) -> list[int]:
    return [column for column in range(chosen.bit_length()) if chosen >> column & 1]
