"""Recipes with too small classes, counted from the columns' codes: no release has to be made for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.investigation.protect.recipe_space import CandidateRecipe, RecipeSpace
from singleout.policy.rules.rule import Rule
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.distinct_values import distinct_values_of

# rules on the smallest class, counted in records or in people
RECORDS, PEOPLE = "k", "people.k"
HISTORY, ONE_RECORD = "history", "one record a person"


@dataclass(frozen=True, eq=False)
class ClassScreen:
    """`known` are the columns that the rules are about by themselves, `threads` those that count.

    It only ever says that a rule is broken: what it does not see through is for the gate to judge.
    """

    space: RecipeSpace
    records: RecordTable
    known: frozenset[str]
    rules: tuple[Rule, ...]
    threads: int = 1
    _columns: dict[str, Codes] = field(default_factory=dict)

    def breaks(self, candidate: CandidateRecipe) -> bool:
        """Whether so many records as are asked for are not alike, though no record is changed otherwise."""
        return candidate.change == 0 and any(
            self.smallest_class(candidate, rule) < (rule.at_least or 0) for rule in self.rules
        )

    def smallest_class(self, candidate: CandidateRecipe, rule: Rule) -> int:
        """Of the columns that the rule asks about, those that are left out apart."""
        asked = self.known if rule.columns is None else {*rule.columns}
        columns = [
            self._coarse(each.column, rung.labels)
            for each, rung in zip(self.space.ladders, self.space.rungs(candidate), strict=True)
            if each.column in asked and not rung.left_out
        ]
        if not columns or not len(self.records):
            return len(self.records)
        classes = join_codes(columns, self.threads)
        return int(self._sizes(classes, people=rule.measure == PEOPLE).min())

    def _coarse(self, column: str, labels: NDArray[numpy.int64] | None) -> Codes:
        """A missing value, the first code, is a value of its own; what becomes missing is alike with it."""
        fine = self._fine(column)
        if labels is None:
            return fine
        shifted = numpy.append(0, labels + 1).astype(numpy.uint32)
        return Codes(shifted[fine.codes], int(shifted.max()) + 1)

    def _fine(self, column: str) -> Codes:
        if column not in self._columns:
            different = distinct_values_of(column, self.records.column(column))
            codes = (different.codes + 1).astype(numpy.uint32)
            self._columns[column] = Codes(codes, len(different.values) + 1)
        return self._columns[column]

    def _sizes(self, classes: Codes, *, people: bool) -> NDArray[numpy.uint32]:
        from singleout.engine.codes import count_kernels as kernels

        starts, order = self._by_person
        records, distinct = kernels.count_people(
            classes.codes, classes.count, starts, order, 0, self.records.people
        )
        counted: NDArray[numpy.uint32] = distinct if people else records
        return counted

    @cached_property
    def _by_person(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32]]:
        from singleout.engine.codes import count_kernels as kernels

        starts, order = kernels.order_by(self.records.person.astype(numpy.uint32), self.records.people)
        return starts, order


def class_screen(
    space: RecipeSpace,
    records: RecordTable,
    rules: Sequence[Rule],
    known: Sequence[str],
    threads: int = 1,
) -> ClassScreen | None:
    """None where no rule asks for the smallest class of all that is known, by counting alone."""
    kind = ONE_RECORD if space.user is None else HISTORY
    some = tuple(each for each in rules if _is_plain(each, space.user) and each.when in (None, kind))
    return ClassScreen(space, records, frozenset(known), some, threads) if some else None


def _is_plain(rule: Rule, user: str | None) -> bool:
    """Neither of an attacker's columns nor with a rule for missing values of its own."""
    asked = (RECORDS,) if user is None else (RECORDS, PEOPLE)
    plain = rule.attacker is None and rule.missing in (None, "value") and not rule.parameters
    return rule.measure in asked and rule.at_least is not None and plain
