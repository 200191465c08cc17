"""Looks at one table from all sides that a report shows, each where it makes sense and can be afforded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any, TypeVar

import numpy

from singleout.attacks.attack import attack
from singleout.attacks.result import Reidentification
from singleout.engine.class_sizes import Sizes
from singleout.engine.job_options import DEFAULTS
from singleout.engine.missing_values import Missing
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import CheckedQuestion
from singleout.errors import InputError, UsageError
from singleout.investigation.coarser_values import coarsenings
from singleout.investigation.remedies import Remedies
from singleout.investigation.remedy_trials import MOST_TRIED, remedies
from singleout.investigation.result import Investigation, TellingValue
from singleout.progress import Progress, progress_about
from singleout.read.costs import Costs, Price
from singleout.read.source import Source
from singleout.risk.assess.result import Assessment, Attribute
from singleout.risk.combinations.combinations import combinations
from singleout.risk.combinations.result import Combinations
from singleout.risk.entropy.entropy import BRIEF, KNOWN, disclosure_by
from singleout.risk.entropy.result import Disclosure
from singleout.risk.predict.predict import predict
from singleout.risk.predict.result import Prediction
from singleout.roles.domain import Domain
from singleout.roles.study import EACH_RECORD

Found = TypeVar("Found")

MOST_TELLING = 10
MOST_PAIRED, MOST_IN_SETS, MOST_KNOWN, MOST_DOMAINS, MOST_PREDICTED = 20, 12, 6, 8, 12
# sets times records: about a quarter of a minute, by codes or by a database's own counts
MOST_COUNTED, MOST_COUNTED_BY_SQL = 150_000_000, 20_000_000
# columns times records of domains, for the same
MOST_EVENTS = 6_000_000
# people whom the drawn records fit, added up over people and draws, for the same
MOST_FITTING = 3_000_000_000
# what reads every record is not done unasked above
MOST_RECORDS = 5_000_000
MANY_DRAWS, FEW_DRAWS, FEW_DRAWS_FROM = 10, 3, 100_000
# drawn for once each, so many people tell as much as fewer do in three draws
ONE_DRAW_FROM = 4_000
# of shuffled tables, where `predict` takes ten
FEW_SAMPLES = 4
NO_USER = "no histories were looked at, for each record is its own person"
ONE_COLUMN = "there is one column only, so no pairs of them"
NO_VALUES = "no column has a value in any record that counts, so there is nothing more to look at"
ALL_IN_ONE = (
    "under the missing rule wildcard a record is in several classes at once: combinations, known records, "
    "domains, predictions and coarser values are not looked at; use the rule value or drop to see them"
)


@dataclass(frozen=True, eq=False)
class Evidence:
    """One table looked at from several sides; `remarks` grow."""

    origin: Source
    told: Assessment
    limit: float
    allow: int
    asked: tuple[Domain, ...]
    costs: Costs
    counting: dict[str, Any]
    progress: Progress
    remarks: list[str]

    def investigation(
        self,
        tried_remedies: Remedies | None,
        telling: tuple[TellingValue, ...],
        units: Mapping[str, list[str]],
    ) -> Investigation:
        parts: dict[str, Any] = {}
        if self.told.missing == "wildcard":
            self.remarks.append(ALL_IN_ONE)
        elif not self._ranked_columns:
            self.remarks.append(NO_VALUES)
        else:
            # all sets at once cost less than some of them first, and are not counted again
            parts |= {"sets": self._sets(), "pairs": self._pairs(), "prediction": self._prediction()}
            if self.told.user is None:
                self.remarks.append(NO_USER)
            else:
                parts |= {"points": self._points(units), "domains": self._domains()}
        return Investigation(
            self.told,
            **parts,
            remedies=tried_remedies,
            telling=telling,
            remarks=tuple(dict.fromkeys(self.remarks)),
        )

    def riskiest(self, most: int) -> list[str]:
        """So many of the riskiest columns, in their order in the table."""
        chosen = self._ranked_columns[:most]
        return [each.name for each in self._single if each.name in chosen]

    @property
    def _single(self) -> list[Attribute]:
        return [each for each in self.told.attributes if len(each.risk.columns) == 1]

    @property
    def _ranked_columns(self) -> list[str]:
        return [each.name for each in sorted(self._single, key=lambda each: -each.risk.risk.known)]

    def find_remedies(self, counter: Engine, plan: CheckedQuestion) -> Remedies | None:
        if plan.missing == "wildcard" or not self._ranked_columns:
            return None
        progress = progress_about("remedies", self.progress)
        return self._try_or_remark(
            "coarser values",
            lambda: remedies(
                counter,
                plan,
                self.told.attributes,
                limit=self.limit,
                identifiers=[each.column for each in self.told.identifiers],
                progress=progress,
            ),
        )

    def telling_values(self, counter: Engine, plan: CheckedQuestion) -> tuple[TellingValue, ...]:
        if self._has_too_many_records("raw values"):
            return ()
        values: list[TellingValue] = []
        for name in self._ranked_columns[:MOST_TRIED]:
            self.progress(f"looking for telling values of {name}", len(values), MOST_TRIED * MOST_TELLING)
            rule: Missing = "drop" if plan.missing == "drop" else "value"
            look = partial(telling_values, counter, Question((name,), plan.user, rule))
            values += self._try_or_remark("raw values", look) or ()
        return tuple(values)

    def _pairs(self) -> Combinations | None:
        most = int((2 * self._most_sets) ** 0.5)
        columns = self._some("pairs of columns", min(MOST_PAIRED, most))
        if len(columns) < 2:
            self.remarks.extend([ONE_COLUMN] if len(self._ranked_columns) == 1 else [])
            return None
        each_one = Costs(tuple(Price(name, None, Fraction(1)) for name in columns))
        return self._count_combinations("pairs of columns", columns, costs=each_one, resource=2)

    def _sets(self) -> Combinations | None:
        """What an attacker can buy, and which sets are too risky; as many columns as can be afforded."""
        number = {name: 1 + len(self.costs.of([name])) for name in self._ranked_columns}
        fitting = [
            most
            for most in range(1, min(MOST_IN_SETS, len(number)) + 1)
            if prod(number[name] for name in self._ranked_columns[:most]) <= self._most_sets
        ]
        columns = self._some("sets of columns", max(fitting, default=0))
        if not columns:
            return None
        return self._count_combinations("sets of columns", columns, costs=self.costs, allow=self.allow)

    def _count_combinations(self, what: str, columns: list[str], **asked: Any) -> Combinations | None:
        progress = progress_about(what, self.progress)
        settings = {**self._same, "columns": columns, "progress": progress}
        return self._try_or_remark(what, lambda: combinations(self.origin, **settings, **asked))

    def _points(self, units: Mapping[str, list[str]]) -> Reidentification | None:
        if self._has_too_many_records("known records"):
            return None
        draws = self._draws
        most = MOST_FITTING // (draws * self.told.people)
        columns = self._rare_value_columns(self._some("known records", MOST_KNOWN), most)
        if not columns:
            return None
        coarse = {name: ["exact", *units[name]] for name in columns if units[name]}
        if coarse and self.told.people > most:
            self.remarks.append("known records: not looked at by coarse times, for that would take too long")
            coarse = {}
        progress = progress_about("known records", self.progress)

        def is_known(granularity: dict[str, list[str]]) -> Reidentification:
            return attack(
                self.origin, self.origin, **self._same, columns=columns, attacks=[], draws=draws,
                granularity=granularity, progress=progress,
            )  # fmt: skip

        reidentification = (
            self._try_or_remark("known records, by coarse times", lambda: is_known(coarse))
            if coarse
            else None
        )
        reidentification = reidentification or self._try_or_remark("known records", lambda: is_known({}))
        # the names of people are for lists of them only
        return reidentification and replace(reidentification, names=reidentification.names.slice(0, 0))

    def _rare_value_columns(self, columns: list[str], most: int) -> list[str]:
        """Without those of which a known value fits so many people that looking at them all takes long."""
        fits = {each.name: each.sizes for each in self._single if each.sizes is not None}
        common = [name for name in columns if name in fits and _mean_people(fits[name]) > most]
        if common:
            self.remarks.append(
                f"known records: {', '.join(common)} not looked at, for so many people have each value that "
                "it would take too long"
            )
        return [name for name in columns if name not in common]

    def _domains(self) -> Disclosure | None:
        if self._has_too_many_records("what one record tells"):
            return None
        domains = self.asked
        if not domains:
            most = min(MOST_DOMAINS, max(1, MOST_EVENTS // self.told.records))
            domains = tuple(Domain(name, (name,)) for name in self._some("what one record tells", most))
        return self._try_or_remark(
            "what one record tells",
            lambda: self._disclosure(domains, progress_about("domains", self.progress)),
        )

    def _disclosure(self, domains: tuple[Domain, ...], progress: Progress) -> Disclosure:
        options: Any = {**DEFAULTS, **self._same, "progress": progress}
        user = options.pop("user")
        return disclosure_by(
            self.origin, user, domains, (False, False), KNOWN, (), None, BRIEF, options
        )  # fmt: skip

    def _prediction(self) -> Prediction | None:
        if self._has_too_many_records("predictions"):
            return None
        columns = self._some("predictions", MOST_PREDICTED)
        progress = progress_about("prediction", self.progress)
        return self._try_or_remark(
            "predictions",
            lambda: predict(
                self.origin, **self._same, columns=columns, samples=FEW_SAMPLES, progress=progress
            ),
        )

    @property
    def _draws(self) -> int:
        if self.told.records < FEW_DRAWS_FROM:
            return MANY_DRAWS
        return FEW_DRAWS if self.told.people < ONE_DRAW_FROM else 1

    @property
    def _same(self) -> dict[str, Any]:
        """What all jobs are told: the study has been looked at by then."""
        unit = {"study": EACH_RECORD} if self.told.user is None else {"user": self.told.user}
        return {**self.counting, **unit, "seed": self.told.seed}

    @property
    def _most_sets(self) -> int:
        most = MOST_COUNTED if self.told.engine == "duckdb" else MOST_COUNTED_BY_SQL
        return most // max(self.told.records, 1)

    def _some(self, what: str, most: int) -> list[str]:
        every = len(self._ranked_columns)
        if most < every:
            looked = f"only the {most} riskiest of {every} columns are" if most else "no columns are"
            self.remarks.append(f"{what}: {looked} looked at, for more would take too long")
        return self.riskiest(most)

    def _has_too_many_records(self, what: str) -> bool:
        too_many = self.told.records > MOST_RECORDS
        if too_many:
            self.remarks.append(
                f"{what}: not looked at, for every record would be read, and there are more than "
                f"{MOST_RECORDS:,}"
            )
        return too_many

    def _try_or_remark(self, what: str, job: Callable[[], Found]) -> Found | None:
        """A part that can't be done leaves the others as they are."""
        try:
            return job()
        except (InputError, UsageError) as error:
            self.remarks.append(f"{what}: not looked at: {error}")
            return None


def _mean_people(sizes: Sizes) -> float:
    """How many people have the value of a record, on average over the records."""
    return float((sizes.own * sizes.people).sum()) / sizes.total_records


def telling_values(counter: Engine, question: Question) -> tuple[TellingValue, ...]:
    """The values of one column that the fewest people have, of these first those of the most records."""
    (column,) = question.columns
    coded = counter.coded_records(question)
    codes, size = coded.codes[0].astype(numpy.int64), coded.values[0]
    records = people = numpy.bincount(codes, minlength=size)
    if coded.person is not None:
        pairs = numpy.unique(codes * coded.people + coded.person)
        people = numpy.bincount(pairs // coded.people, minlength=size)
    values = counter.values(column, question)
    order = numpy.lexsort((numpy.arange(size), -records, people))[:MOST_TELLING].tolist()
    return tuple(TellingValue(column, values[code], int(records[code]), int(people[code])) for code in order)


def units_of(counter: Engine, column: str) -> list[str]:
    """The units that dates and times may also be known at."""
    ways = coarsenings(column, counter.look(column).examples, text=False, dates=False)
    fitting = [each.granularity for each in ways]
    return [unit for unit in ("day", "month") if unit in fitting] or ["hour"] * ("hour" in fitting)
