"""Linking people by one number each: their records, or what they spent (S1 and S2 of Ito et al. n.d.)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from singleout.attacks.linkage.candidates import NOBODY, Candidates, Indices, Scores
from singleout.engine.codes.column_numbers import Numbers, amounts_of
from singleout.engine.codes.histories import Histories, History
from singleout.errors import InputError
from singleout.progress import Progress

# different whole numbers up to this one are different as float64, also after division
MOST_DISTINCT = 2**51
MOST_SUM = 1e300


@dataclass(frozen=True, eq=False)
class NumberLinkage:
    """The nearer two people's numbers, the more alike: the score is −|a − b|.

    Numbers are counted in steps of 1 / `scale`, so that equal distances are equal scores.
    """

    original: Numbers
    release: Numbers
    scale: float = 1.0

    @classmethod
    def of_records(cls, histories: Histories) -> NumberLinkage:
        """Who has about as many records?

        The score of a pair of people is −|records of the one − records of the other|; people without a
        record have 0. Missing values do not matter. Reference: Ito et al. n.d., metric S1.

        >>> from numpy import array
        >>> from singleout.progress import silent
        >>> original = History(3, array([0, 0, 1], dtype="uint32"), {})
        >>> release = History(1, array([0, 0, 0], dtype="uint32"), {})
        >>> NumberLinkage.of_records(Histories(original, release, {})).best(2, silent)
        Candidates(person=array([[0, 1]], dtype=int32), score=array([[-1., -2.]]), tied_last=array([1]))
        """
        return cls(histories.original.records_of_each(), histories.release.records_of_each())

    @classmethod
    def of_amount(cls, histories: Histories, column: str) -> NumberLinkage:
        """Whose amounts add up to about as much?

        The score of a pair of people is −|sum of the one − sum of the other|; people without a record have
        0. A missing amount counts as 0. Sums are exact, of amounts rounded to as many decimals as fit into
        51 bits. Reference: Ito et al. n.d., S2.

        >>> from numpy import array
        >>> codes = array([0, 1, 1], dtype="uint32")
        >>> original = History(2, array([0, 0, 1], dtype="uint32"), {"fare": codes})
        >>> linkage = NumberLinkage.of_amount(Histories(original, original, {"fare": ("0.1", "0.2")}), "fare")
        >>> linkage.score(array([0]), array([1])).tolist()
        [-0.1]
        """
        tables = (histories.original, histories.release)
        records = max(int(table.records_of_each().max(initial=0)) for table in tables)
        amounts = amounts_of(column, histories.values[column], MOST_DISTINCT // max(1, records))
        add = _whole_sums if amounts.exact else _nearest_sums
        original, release = (add(table, column, amounts.numbers) for table in tables)
        return cls(original, release, 10.0**amounts.decimals)

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.linkage.number_kernels import nearest_numbers
        from singleout.engine.codes.count_kernels import order_by

        progress("looking up the nearest numbers", 0, 1)
        most = min(most, len(self.original))
        levels, level = numpy.unique(self.original, return_inverse=True)
        starts, people = order_by(level, len(levels))
        asked, rows = numpy.unique(self.release, return_inverse=True)
        person = numpy.full((len(asked), most), NOBODY, dtype=numpy.int32)
        distance = numpy.full((len(asked), most), numpy.inf)
        tied = numpy.zeros(len(asked), dtype=numpy.int64)
        nearest_numbers(asked, levels, starts, people.astype(numpy.int32), person, distance, tied)
        progress("looking up the nearest numbers", 1, 1)
        return Candidates(person, 0.0 - distance / self.scale, tied).at(rows)

    def score(self, release: Indices, original: Indices) -> Scores:
        distance = numpy.abs(self.release[release] - self.original[original]).astype(numpy.float64)
        return 0.0 - distance / self.scale

    def indistinguishable(self) -> Indices:
        return numpy.unique(self.release, return_inverse=True)[1].astype(numpy.int64)


def _whole_sums(table: History, column: str, numbers: Numbers) -> Numbers:
    sums = numpy.zeros(table.people, dtype=numpy.int64)
    numpy.add.at(sums, table.person, numbers[table.codes[column]])
    return sums


def _nearest_sums(table: History, column: str, numbers: Numbers) -> Numbers:
    """Added up from the smallest amount on, so that the same amounts have the same sum in any order."""
    amounts = numbers[table.codes[column]]
    order = numpy.lexsort((amounts, table.person))
    sums = numpy.bincount(table.person[order], amounts[order], table.people)
    if not (abs(sums) < MOST_SUM).all():
        raise InputError(
            f"column {column!r}: the amounts are too large to add up; they must stay below 1e300"
        )
    return sums
