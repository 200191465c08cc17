"""Runs all that a report tells about one table, and returns one Investigation."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from pyarrow.parquet import read_schema

from singleout.checks import is_number, is_whole
from singleout.engine.columns import known_columns
from singleout.engine.job_options import JobOptions, ReadOptions, count_options, takes_options
from singleout.engine.open_tables import share_open_tables
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion, open_session, refuse_changes
from singleout.errors import UsageError
from singleout.investigation.assess import (
    AnyPolicy,
    Everybody,
    ReleaseJudge,
    assess,
    rereadable_source,
    said_of_table,
)
from singleout.investigation.assessment import JudgedAssessment
from singleout.investigation.evidence import MOST_KNOWN, Evidence, units_of
from singleout.investigation.priced_alternatives import Alternatives, PricedAlternative
from singleout.investigation.release_ways import IntrudersTable, MeasuredWay, WayTrials, needed_group
from singleout.investigation.remedies import Remedies
from singleout.investigation.remedy_trials import LIMIT
from singleout.investigation.result import Investigation
from singleout.investigation.short_search import ShortSearch
from singleout.policy.rules.policy import built_in_policy, policy_of
from singleout.policy.verdict.decision import Decision
from singleout.progress import teller
from singleout.read.costs import Costs
from singleout.read.source import source
from singleout.risk.assess.sampling import Sampling
from singleout.risk.combinations.attacker_budget import given_costs
from singleout.roles.domain import FORM, Domain, domain
from singleout.roles.person_column import NONE
from singleout.roles.role import Role
from singleout.roles.study import Study, study_of, with_weight


@takes_options(JobOptions, after={"sample": "missing"})
@share_open_tables()
def investigate(
    data: Any,
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    together: Sequence[Sequence[str]] = (),
    sensitive: Sequence[str] | None = None,
    hierarchies: Any = None,
    population: int | None = None,
    sampled: float | None = None,
    reference: Any = None,
    reference_user: str | None = None,
    weight: str | None = None,
    household: str | None = None,
    points: Sequence[int] = (),
    granularity: Mapping[str, Sequence[str]] | None = None,
    log_linear: Sequence[tuple[str, str]] | None = None,
    sample: int | None = None,
    sampling: Sampling = "uniform",
    confidence: float = 0.9,
    sample_sizes: Sequence[int] = (),
    costs: Costs | Mapping[str, Any] | str | PathLike[str] | None = None,
    domains: Sequence[Domain | str] | None = None,
    policy: AnyPolicy | None = None,
    limit: float = LIMIT,
    allow: int | None = None,
    show_values: bool = False,
    **options: Unpack[JobOptions],
) -> Investigation:
    """How risky is a table, what makes it so, and what would help?

    An assessment as by `assess`, judged by the `policy` as there, and beside it, as far as that makes sense
    and can be afforded: all pairs of columns; the smallest sets of columns with a class of at most `allow`
    people (default: 1), and what an attacker can buy at these `costs` (default: the study's, else 1 a
    column); how many people a few known records single out; what one record of each of the `domains`
    (default: each column) tells; what statistics alone predict; and what coarser values of the riskiest
    attributes would do, with advice that aims at an own risk of at most `limit` for each. With `show_values`,
    also the raw values that the fewest people have. What is left out is None, and the remarks say why.

    >>> import pyarrow
    >>> table = pyarrow.table({"who": [1, 1, 2, 3], "day": ["2024-01-01", "2024-01-02", "2024-02-01", None]})
    >>> found = investigate(table, user="who", columns=["day"])
    >>> found.remedies.chosen[0].words, found.remedies.chosen[0].people_alone
    ('day to the month', 3)
    """
    asked_domains = _check_request(limit, allow, domains)
    origin = rereadable_source(source(data, csv=options["csv"]))
    rules = None if policy is None else policy_of(policy)
    user, columns, sensitive, study = said_of_table(rules, user, columns, sensitive, options["study"])
    study = with_weight(study, weight, household)
    again: JobOptions = {**options, "study": study, "csv": None}
    everybody = Everybody.of(study, population, sampled, reference, reference_user, household)
    judge = ReleaseJudge(rules, again, sensitive, hierarchies, everybody)
    with refuse_changes(origin):
        assessment = assess(
            origin, user=user, columns=columns, together=together, sensitive=sensitive,
            hierarchies=hierarchies, population=population, sampled=sampled, reference=reference,
            reference_user=reference_user, weight=weight, household=household, points=points,
            granularity=granularity, log_linear=log_linear, sample=sample, sampling=sampling,
            confidence=confidence, sample_sizes=sample_sizes, policy=judge.policy, **again,
        )  # fmt: skip
        with open_session(origin, **count_options(again, user, columns)) as (counter, plan, _):
            known_columns(counter, [name for each in asked_domains for name in each.all_columns])
            used = {plan.user, *plan.columns, *(each.column for each in assessment.sensitive)}
            others = tuple(each.name for each in counter.columns() if each.name not in used)
            evidence = Evidence(
                origin=origin, told=assessment, limit=limit, allow=allow or 1, asked=asked_domains,
                costs=_prices(counter, plan, costs), counting=_count_options(again),
                progress=teller(options["progress"]), remarks=[],
            )  # fmt: skip
            units = {name: units_of(counter, name) for name in evidence.riskiest(MOST_KNOWN)}
            remedies = evidence.find_remedies(counter, plan)
            ways = tuple(_ways(evidence, counter, plan, judge, assessment, remedies))
            alternatives = tuple(_alternatives(evidence, counter, plan, judge, assessment, ways))
            telling_values = evidence.telling_values(counter, plan) if show_values else ()
        investigation = replace(
            evidence.investigation(remedies, telling_values, units), others=others, ways=ways,
            alternatives=alternatives,
        )  # fmt: skip
    teller(options["progress"])("done", 1, 1)
    return investigation


def _ways(
    evidence: Evidence,
    counter: Engine,
    plan: CheckedQuestion,
    judge: ReleaseJudge,
    assessment: JudgedAssessment,
    remedies: Remedies | None,
) -> Iterator[MeasuredWay]:
    """Only where the table may not go out as it is."""
    if assessment.decision.answer != "do_not_release" or remedies is None:
        return
    study, sensitive = study_of(judge.options["study"]), [each.column for each in assessment.sensitive]
    weight = () if judge.everybody.weight is None else (judge.everybody.weight,)
    released = (*plan.columns, *sensitive, *weight)
    user = plan.user or NONE

    def judge_release(release: Path, beside: IntrudersTable | None = None) -> Decision:
        names, guarded = {*released, plan.user}, judge.sensitive
        if beside is None:  # else the original tells what was left out
            names &= {*read_schema(release).names}
            guarded = ([name for name in sensitive if name in names] or [NONE]) if sensitive else guarded
        kept = None if study is None else replace(study, roles=_roles_of(study, names))
        # who lives together is no column of a release
        everybody = replace(judge.everybody, household=None)
        apart = replace(judge, everybody=everybody, sensitive=guarded)
        return apart.decide(release, user, None, kept, **({} if beside is None else vars(beside)))

    trials = WayTrials(
        evidence.origin, counter, plan, released, assessment.identifiers,
        _work_options(judge.options, study), judge_release, evidence.remarks,
    )  # fmt: skip
    gone = [*trials.ways(remedies, assessment.decision)]
    yield from gone
    if not any(way.reaches for way in gone):
        rules = judge.policy or built_in_policy(assessment.decision.policy)
        search = ShortSearch(
            evidence.origin, plan.user, released, tuple(sensitive), rules,
            _work_options(judge.options, study), judge_release, evidence.remarks,
        )  # fmt: skip
        yield from search.ways(plan.records)


def _alternatives(
    evidence: Evidence,
    counter: Engine,
    plan: CheckedQuestion,
    judge: ReleaseJudge,
    assessment: JudgedAssessment,
    ways: Sequence[MeasuredWay],
) -> Iterator[PricedAlternative]:
    """Only where the table may not go out as it is, nor by a way that was gone."""
    decision = assessment.decision
    if decision.answer != "do_not_release" or any(way.reaches for way in ways) or plan.missing == "wildcard":
        return
    left_out = tuple(each.column for each in assessment.identifiers)
    group = needed_group([each.rule for each in decision.rules])
    options = _work_options(judge.options, study_of(judge.options["study"]))
    trials = Alternatives(evidence.origin, counter, plan, left_out, group, options, evidence.remarks)
    yield from trials.priced()


def _work_options(options: JobOptions, study: Study | None) -> ReadOptions:
    return {
        "study": study, "engine": options["engine"], "memory": options["memory"],
        "threads": options["threads"], "csv": None,
    }  # fmt: skip


def _roles_of(study: Study, names: Container[str | None]) -> dict[str, Role]:
    return {name: role for name, role in study.roles.items() if name in names}


def _check_request(limit: Any, allow: Any, domains: Any) -> tuple[Domain, ...]:
    """What was asked beyond an assessment, as far as that goes without the data; the domains as such."""
    faults = []
    if not (is_number(limit) and 0 <= limit <= 1):
        faults.append(f"limit: {limit!r} is no risk; write a number from 0 to 1")
    if allow is not None and not (is_whole(allow) and allow >= 1):
        faults.append(f"allow: {allow!r} is no class size; write a whole number, 1 or more")
    domain_list = domains if isinstance(domains, Sequence) and not isinstance(domains, str) else ()
    if domains is not None and not all(isinstance(each, str | Domain) for each in domain_list or (domains,)):
        faults.append(f"domains: {domains!r} is no list of domains; {FORM}")
    elif isinstance(domains, str):
        faults.append(f"domains: {domains!r} is one domain; give a list of them")
    if faults:
        raise UsageError("; ".join(faults))
    return tuple(domain(each) if isinstance(each, str) else each for each in domain_list)


def _count_options(options: JobOptions) -> dict[str, Any]:
    """What every part is counted by; what columns mean is known from the assessment."""
    return {
        "missing": options["missing"], "engine": options["engine"], "memory": options["memory"],
        "threads": options["threads"],
    }  # fmt: skip


def _prices(counter: Engine, plan: CheckedQuestion, costs: Any) -> Costs:
    prices = given_costs(costs, plan)
    prices.check(column.name for column in counter.columns())
    return prices
