"""Looks at combinations of attributes and returns one Combinations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any, Unpack

import numpy

from singleout.checks import is_whole
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.engine.columns import known_columns
from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.open_engine import thread_count
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import CheckedQuestion, open_session
from singleout.errors import InputError, UsageError
from singleout.progress import Progress, teller
from singleout.read.costs import Costs
from singleout.read.source import Source, source
from singleout.risk.combinations.allowable_risk import Criterion, CriterionName, minimal_and_maximal_sets
from singleout.risk.combinations.attacker_budget import Market, given_costs, market
from singleout.risk.combinations.attribute_sets import check_width, names_of, sets_of_size
from singleout.risk.combinations.enumeration import Bounds, Enumeration, enumerate_sets
from singleout.risk.combinations.known_start import KnownStart
from singleout.risk.combinations.minimal_sample_uniques import MinimalSets
from singleout.risk.combinations.record_uniques import CodedRows, contributions_of
from singleout.risk.combinations.request import SAMPLED, CombinationsRequest, lists_of_names, names_of_start
from singleout.risk.combinations.result import AllowableSets, Combinations, Synergies
from singleout.risk.combinations.set_risk import SetRisk, set_risks
from singleout.risk.combinations.synergy import Threshold, ranked_synergies
from singleout.risk.combinations.synergy import synergy as synergy_of
from singleout.risk.equivalence_classes import Classes, classes, history_classes
from singleout.risk.survey_weights import sampled_share
from singleout.roles.study import study_of, with_weight


@takes_options(JobOptions, after={"allow": "missing"})
def combinations(
    data: Any,
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    allow: int | None = None,
    criterion: CriterionName = "worst",
    share: float = 0.0,
    strict: bool = False,
    largest: int | None = None,
    size: int | None = None,
    synergy: float = 1.0,
    costs: Costs | Mapping[str, Any] | str | PathLike[str] | None = None,
    resource: Any = None,
    maximal: bool = False,
    identify: float | None = None,
    known: Sequence[Sequence[str]] = (),
    start: Sequence[str] = (),
    record: Sequence[int] = (),
    records: str | PathLike[str] | None = None,
    sampled: float = SAMPLED,
    weight: str | None = None,
    all: bool = False,  # noqa: A002
    prune: bool = False,
    out: str | PathLike[str] | None = None,
    **options: Unpack[JobOptions],
) -> Combinations:
    """Which attributes together single people out, which are safe, and at what price?

    `allow` N asks for the smallest sets with a class of at most N people (by `criterion` worst, mean, or
    share above `share`) and the largest safe ones, of at most `largest` columns; with `start` for the least
    that an attacker who knows these columns has to learn beside them. `size` and `synergy` ask for
    combinations riskier than their parts. `costs` (a file, or a mapping), `resource` and `identify` ask what
    an attacker can afford, and what it costs to put a share of the people at risk. `known` sets are attacked
    with, `record` numbers looked at one by one, `records` is a file for all of them; `sampled` is the share
    of the population for DIS-SUDA there, which a survey `weight` can say. `all` writes every set to `out`;
    `prune` stops above those that are too risky. Nothing here is random: `seed` is only told.

    >>> import pyarrow
    >>> table = pyarrow.table({"sex": ["f", "f", "m", "m"], "town": ["x", "y", "x", "y"]})
    >>> combinations(table, allow=1).allowable.minimal[0].columns
    ('sex', 'town')
    """
    request = CombinationsRequest(
        allow=_plain(allow), criterion=criterion, share=share, strict=strict, largest=_plain(largest),
        size=_plain(size), synergy=synergy, costs=costs, resource=resource, maximal=maximal,
        identify=identify, known=lists_of_names(known), start=names_of_start(start),
        record=_numbers(record), records=records,
        sampled=sampled, all=all, prune=prune, out=out,
    )  # fmt: skip
    progress, origin = teller(options["progress"]), source(data, csv=options["csv"])
    request.check(origin, options["missing"])
    _check_weight(weight, request)
    options = {**options, "study": with_weight(study_of(options["study"]), weight, None)}
    with open_session(origin, **count_options(options, user, columns) | {"csv": None}) as (counter, plan, _):
        check_width(len(plan.columns))
        if weight is not None:
            request = replace(request, sampled=sampled_share(counter, plan.user, weight))
        run = CombinationsRun(counter, plan, request, thread_count(options["threads"]), progress)
        parts = run.parts()
        enumeration = run.enumeration(origin)
        counted, people = run.counted
        result = Combinations(
            source=origin.name, engine=counter.name, user=plan.user, missing=plan.missing,
            seed=options["seed"], records=counted, people=people, columns=plan.columns, limit=request.limit,
            **parts, remarks=run.remarks,
        )  # fmt: skip
    run.write()
    if enumeration is None:
        return result
    written, note = enumeration.write(progress), enumeration.counted.note
    return replace(result, written=written, remarks=(*result.remarks, *([note] if note else [])))


def _check_weight(weight: str | None, request: CombinationsRequest) -> None:
    if weight is not None and (request.sampled != SAMPLED or request.records is None):
        raise UsageError(
            "weight: says which share was sampled, for the DIS-SUDA scores of the list of records; leave "
            "sampled out, and add records"
        )


@dataclass(frozen=True, eq=False)
class CombinationsRun:
    """One look at the data: each question in turn."""

    counter: Engine
    plan: CheckedQuestion
    asked: CombinationsRequest
    threads: int
    progress: Progress

    def parts(self) -> dict[str, Any]:
        request, shop = self.asked, self._market  # mistakes in the costs come before the work
        answers: dict[str, Any] = {}
        if request.size is not None:
            answers["synergies"] = self._synergies(request.size)
        if request.known:
            answers["known"] = tuple(map(self._attack_classes, request.known))
        if request.record or request.records is not None:
            answers |= self._record_answers(self._coded_rows)
        # all sets at once cost less than level by level, and what was counted is not counted again
        if shop and request.price and not request.all:
            answers["priced"] = shop.priced_sets(request.resource, request.maximal)
        if request.risk_criterion:
            answers["allowable"] = self._allowable_sets(request.risk_criterion)
        if shop and request.identify is not None:
            answers["cheapest"] = shop.cheapest(request.identify, self.progress)
        return answers

    def write(self) -> None:
        """The list of records, once the data is known not to have changed meanwhile."""
        request = self.asked
        if request.records is None:
            return
        if request.size is None:
            self._coded_rows.write_minimal(request.records, self._minimal_sets, request.sampled)
        else:
            self._coded_rows.write_synergies(request.records, request.size, Threshold(request.synergy))

    @cached_property
    def counted(self) -> tuple[int, int]:
        """The records and people that every set is counted over."""
        if self.plan.missing == "value":
            return self.plan.records, self.plan.people
        nothing = self._count(numpy.zeros(1, dtype=numpy.uint64))
        return nothing.records, nothing.people

    @property
    def remarks(self) -> tuple[str, ...]:
        left = self.plan.records - self.counted[0]
        told = [f"{left:,} records with a missing value are left out of every set"] if left else []
        return (*self.plan.remarks, *told, *(self._market.remarks if self._market else ()))

    def enumeration(self, origin: Source) -> Enumeration | None:
        request = self.asked
        if not request.all or request.out is None:
            return None
        bounds = Bounds(request.largest, request.resource, request.risk_criterion if request.prune else None)
        shop = self._market if request.price else None
        return enumerate_sets(
            self.counter, self.plan, origin, request.out, bounds, request.limit, shop, self.progress
        )

    @cached_property
    def _question(self) -> Question:
        return self.plan.question(self.plan.columns)

    @cached_property
    def _market(self) -> Market | None:
        if not self.asked.price and self.asked.identify is None:
            return None
        costs = given_costs(self.asked.costs, self.plan)
        return market(self.counter, self.plan, costs, self.asked.limit, self.progress)

    def _allowable_sets(self, criterion: Criterion) -> AllowableSets:
        columns = self.plan.columns
        start = KnownStart.of(self.asked.start, columns)
        boundary = minimal_and_maximal_sets(
            len(start.others), start.count_beside(self._count), criterion, start.room(self.asked.largest),
            self.progress,
        )  # fmt: skip
        return AllowableSets(
            criterion=criterion,
            evaluated=boundary.evaluated,
            subsets=boundary.subsets,
            minimal=tuple(sorted(set_risks(start.whole(boundary.minimal), columns), key=_risk_order)),
            safe=tuple(sorted(set_risks(start.whole(boundary.safe), columns), key=_safety_order)),
            not_looked_at=boundary.not_looked_at,
            start=self.asked.start,
        )

    def _count(self, sets: Sets) -> SetCounts:
        return self.counter.count_sets(self._question, sets, self.asked.limit, self.progress)

    def _synergies(self, size: int) -> Synergies:
        criterion = Threshold(self.asked.synergy)
        sets = sets_of_size(len(self.plan.columns), size).tolist()
        synergies = []
        for step, mask in enumerate(sets):
            self.progress("comparing combinations with their parts", step, len(sets))
            names = names_of(mask, self.plan.columns)
            synergies.append(synergy_of(names, self.counter.parts_of_set(self._question, mask), criterion))
        return Synergies(size, self.asked.synergy, len(sets), ranked_synergies(synergies))

    def _attack_classes(self, names: tuple[str, ...]) -> Classes:
        """The distribution of risk to an attacker who knows these columns."""
        columns = known_columns(self.counter, names)
        if self.plan.user in columns:
            raise UsageError(
                f"known: {self.plan.user!r} is the user column; an attacker who knows it is done"
            )
        question = replace(self.plan.question(columns), filled=self.plan.columns)
        sizes = self.counter.sizes(question)
        if not sizes.total_records:
            raise InputError(f"{self.counter.source_name}: no record has a value in {', '.join(columns)}")
        if self.plan.user is None:
            return classes(columns, sizes)
        return history_classes(columns, sizes, self.counter.people_alone(question))

    def _record_answers(self, coded: CodedRows) -> dict[str, Any]:
        request = self.asked
        answers: dict[str, Any] = {
            "singled_out": tuple(
                coded.singled_out(each, request.limit, request.largest, self.progress)
                for each in request.record
            )
        }
        if request.records is not None and request.size is None and request.limit == 1:
            answers["contributions"] = contributions_of(coded, self._minimal_sets)
        return answers

    @cached_property
    def _coded_rows(self) -> CodedRows:
        return CodedRows.of(self.counter, self._question, self.threads)

    @cached_property
    def _minimal_sets(self) -> MinimalSets:
        return self._coded_rows.minimal(self.asked.limit, self.asked.largest, self.progress)


def _risk_order(each: SetRisk) -> tuple[float, ...]:
    return len(each.columns), -each.people_at_risk, -each.average_risk


def _safety_order(each: SetRisk) -> tuple[float, ...]:
    return -len(each.columns), -each.smallest_class, each.average_risk


def _numbers(record: Any) -> tuple[int, ...]:
    numbers = record if isinstance(record, Iterable) else (record,)
    return tuple(dict.fromkeys(map(_plain, numbers)))


def _plain(number: Any) -> Any:
    """A whole number of numpy's as Python's, which JSON can say."""
    return int(number) if is_whole(number) else number
