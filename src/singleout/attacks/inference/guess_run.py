"""Runs the guessers on one sensitive column: what they learn from, whom they are asked about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy

from singleout.attacks.inference.boosted_trees import boosted_guesses
from singleout.attacks.inference.class_majority import class_majority, people_of_values
from singleout.attacks.inference.guess_target import Credit, GuessTarget, Of, person_target, record_target
from singleout.attacks.inference.known_table import Flags, KnownTable
from singleout.attacks.inference.people_features import Features, person_features, record_features
from singleout.attacks.inference.people_folds import FOLDS, most_frequent_elsewhere, people_folds
from singleout.attacks.inference.result import (
    OF_A_SAMPLE,
    OF_RECORDS,
    Guesser,
    InferenceAttempt,
    InferredColumn,
)
from singleout.attacks.inference.sensitive_values import SensitiveValues, sensitive_values
from singleout.attacks.people_sample import sample_people
from singleout.engine.codes.histories import Indices
from singleout.engine.codes.parallel import key_of
from singleout.progress import Progress

Columns = tuple[str, ...]
# a model learns from at most so many rows, and from fewer if there are many features
MOST_ROWS, LEAST_ROWS, MOST_CELLS = 50_000, 5_000, 1_000_000
NO_RECORD = "no record has a value in all of these columns"
NO_VALUE = "nobody has a value there"
TOO_FEW = "{:,} people are too few to learn from some and to guess of the others; it takes at least {}"
NEARLY_UNIQUE = (
    "{:,} of {:,} people have a value that nobody else has, so that it can't be learned from others; give "
    "the column coarser, as ranges or groups"
)


class UnknownInferenceError(Exception):
    """Why a column can't be guessed at."""


@dataclass(frozen=True, eq=False)
class GuessRun:
    """All attempts to guess the sensitive column of a table; `rows` is how many a model learns from."""

    table: KnownTable
    seed: int
    threads: int
    progress: Progress
    rows: int = MOST_ROWS

    def result(self, dropped: int) -> InferredColumn:
        """What came of it; people whom the rule `drop` has left out were counted before."""
        column, known, people = self.table.sensitive, self.table.known, self.table.history.people
        try:
            values, attempts, alone = self._attempts()
        except UnknownInferenceError as unknown:
            return InferredColumn(column, known, people, dropped=dropped, reason=str(unknown))
        return InferredColumn(column, known, people, alone, dropped, values.count, values.words, attempts)

    def _attempts(self) -> tuple[SensitiveValues, tuple[InferenceAttempt, ...], int]:
        if not self.table.history.records:
            raise UnknownInferenceError(NO_RECORD)
        filled = self.table.filled([self.table.sensitive])
        if not filled.any():
            raise UnknownInferenceError(NO_VALUE)
        tables = [*self._readings()]
        questions = [Questions(each, self, sensitive_values(each)) for each in tables]
        attempts = tuple(attempt for each in questions for attempt in each.attempts())
        return questions[0].values, attempts, questions[0].alone

    def _readings(self) -> Iterator[KnownTable]:
        """Blanks as a value and left out, spellings apart and as one."""
        for table in (self.table, self.table.with_one_spelling()):
            if table is not None:
                filled = table.filled([table.sensitive])
                yield table
                if filled.any() and not filled.all():
                    yield table.only(filled)


@dataclass(frozen=True, eq=False)
class Questions:
    """What is asked of one table: every person's value, and every record's where they differ."""

    table: KnownTable
    run: GuessRun
    values: SensitiveValues
    majorities: dict[Columns, tuple[Indices, Indices]] = field(default_factory=dict)

    @cached_property
    def person(self) -> Indices:
        return self.table.history.person.astype(numpy.int64)

    @cached_property
    def targets(self) -> dict[Of, GuessTarget]:
        """Where nobody has two values, a record's is the person's."""
        given = self.person, self.values.value, self.values.count
        whole: dict[Of, GuessTarget] = {"person": person_target(*given)}
        if people_of_values(self.person, self.values.value).sum() > self.table.history.people:
            whole["record"] = record_target(*given)
        return {of: self._learnable(target) for of, target in whole.items()}

    @property
    def alone(self) -> int:
        """People whose value nobody else has."""
        return self.table.history.people - len(self.targets["person"].people)

    def _learnable(self, target: GuessTarget) -> GuessTarget:
        people = self.table.history.people
        shared = target.shared()
        alone = people - len(shared.people)
        if people < FOLDS:
            raise UnknownInferenceError(TOO_FEW.format(people, FOLDS))
        if 2 * alone > people:
            raise UnknownInferenceError(NEARLY_UNIQUE.format(alone, people))
        if people - alone < FOLDS:
            raise UnknownInferenceError(TOO_FEW.format(people - alone, FOLDS))
        return shared

    @cached_property
    def fold(self) -> Indices:
        """Of each person, whatever is asked."""
        value = numpy.full(self.table.history.people, self.values.count)
        target = self.targets["person"]
        value[target.person] = target.value
        return people_folds(value, self.run.seed)

    def attempts(self) -> Iterator[InferenceAttempt]:
        for of, target in self.targets.items():
            base = self._base_credit(target)
            yield from self._look_alikes(of, target, base)
            asked, features, estimated = self._lesson(of, target)
            self.run.progress("learning from other people", 0, 1)
            guess = boosted_guesses(features, asked.value, self.fold[asked.person], asked.weight)
            among = numpy.searchsorted(target.people, asked.people)
            yield self._attempt("boosted", self.table.known, asked, guess, base[among], estimated)

    def _look_alikes(self, of: Of, target: GuessTarget, base: Credit) -> Iterator[InferenceAttempt]:
        """By all columns, and by the fewer that tell most: where all are known, often nobody is alike.

        Fewer are each column alone, then the best of these together, one more at a time while it helps.
        """
        known = self.table.known

        def attempt(guesser: Guesser, columns: Columns) -> InferenceAttempt:
            self.run.progress(f"looking for people alike in {', '.join(columns)}", 0, 1)
            return self._attempt(guesser, columns, target, self._guess_by_look_alikes(of, columns), base)

        yield attempt("look-alikes", known)
        if len(known) == 1:
            return
        alone = [attempt("look-alikes in fewer columns", (name,)) for name in known]
        alone.sort(key=lambda each: -each.successes)
        best = alone[0]
        for several in range(2, len(known)):
            columns = tuple(name for each in alone[:several] for name in each.columns)
            more = attempt("look-alikes in fewer columns", columns)
            if more.successes <= best.successes:
                break
            best = more
        yield best

    def _attempt(
        self,
        guesser: Guesser,
        columns: Columns,
        target: GuessTarget,
        guess: Indices,
        base: Credit,
        estimated: str | None = None,
    ) -> InferenceAttempt:
        credit = target.credit(guess)
        more = credit - base
        missing = self.table.values[self.table.sensitive].missing
        return InferenceAttempt(
            guesser,
            columns,
            target.of,
            missing is not None and not self.table.filled([self.table.sensitive]).all(),
            len(credit),
            float(credit.sum()),
            float(base.sum()),
            float(more[more > 0].sum()),
            float(-more[more < 0].sum()),
            estimated,
        )

    def _base_credit(self, target: GuessTarget) -> Credit:
        """Who is right by always guessing what is most frequent in the other folds."""
        fold = self.fold[target.person]
        return target.credit(most_frequent_elsewhere(target.value, fold, target.weight)[fold])

    def _majority(self, columns: Columns) -> tuple[Indices, Indices]:
        if columns not in self.majorities:
            codes = [self.table.history.codes[name] for name in columns]
            self.majorities[columns] = class_majority(self.person, codes, self.values.value, self.run.threads)
        return self.majorities[columns]

    def _guess_by_look_alikes(self, of: Of, columns: Columns) -> Indices:
        """A guess for each row; a person's is what most of the records have been guessed."""
        guess, of_all = self._majority(columns)
        if of == "record":
            every = numpy.where(guess < 0, of_all[self.person], guess)
            return every[self.targets[of].row]
        found = of_all.copy()
        voters = guess >= 0
        if voters.any():
            votes = person_target(self.person[voters], guess[voters], self.values.count)
            found[votes.person] = votes.value
        return found[self.targets[of].row]

    def _lesson(self, of: Of, target: GuessTarget) -> tuple[GuessTarget, Features, str | None]:
        """The rows that a model learns from and is asked about, what is known of them, if not all which."""
        features = self._features(of)
        most = min(self.run.rows, max(LEAST_ROWS, MOST_CELLS // features.matrix.shape[1]))
        asked = target
        if len(target.people) > most:
            drawn = sample_people(self.table.history, most, self.run.seed)
            asked = target.only(numpy.isin(target.person, drawn))
        if len(asked.row) > most:
            asked = asked.only(_some_rows(asked.person, most, self.run.seed))
        return asked, features.at(asked.row), self._estimate(target, asked)

    def _estimate(self, target: GuessTarget, asked: GuessTarget) -> str | None:
        if len(asked.row) == len(target.row):
            return None
        if len(asked.people) < len(target.people):
            return OF_A_SAMPLE.format(len(asked.people), len(target.people), self.run.seed)
        return OF_RECORDS.format(len(asked.row), len(target.row), self.run.seed)

    def _features(self, of: Of) -> Features:
        """Of a person of many records all of them together, of a record also itself."""
        if not self.table.several:
            return record_features(self.table)
        people = person_features(self.table)
        return people if of == "person" else record_features(self.table).beside(people.at(self.person))


def _some_rows(person: Indices, most: int, seed: int) -> Flags:
    """At most so many rows, drawn at random: of each person all, or equally many of those who have more."""
    draw = numpy.random.Generator(numpy.random.Philox(key=key_of("inference records", seed)))
    order = numpy.lexsort((draw.random(len(person)), person))
    rank = numpy.empty(len(person), dtype=numpy.int64)
    rank[order] = numpy.arange(len(person)) - numpy.searchsorted(person[order], person[order])
    # how many people have a row of each rank, so that so many ranks fit in
    ranks = int(numpy.searchsorted(numpy.cumsum(numpy.bincount(rank)), most, side="right"))
    return rank < max(1, ranks)
