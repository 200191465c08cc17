"""Assesses a table and judges it by a policy, or by those that come with singleout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Unpack

import pyarrow

from singleout.attacks.inference.infer import infer
from singleout.attacks.inference.result import InferredColumn
from singleout.attacks.plan import KnownRecords
from singleout.engine.job_options import JobOptions, takes_options
from singleout.engine.open_tables import share_open_tables
from singleout.engine.session import refuse_changes
from singleout.errors import UsageError
from singleout.investigation.assessment import JudgedAssessment
from singleout.investigation.known_records import NO_SIZE, KnownRecordsLaws, known_records_of
from singleout.policy.check import check
from singleout.policy.check_settings import files_of
from singleout.policy.release_levels import farthest_release
from singleout.policy.result import Verdict
from singleout.policy.rules.policy import Policy, policy_of
from singleout.policy.verdict.decision import Decision
from singleout.progress import progress_about, teller
from singleout.read.source import Source, source
from singleout.risk.assess import assess as counted
from singleout.risk.assess.result import Assessment
from singleout.risk.assess.sampling import Sampling
from singleout.risk.k_map import ReferenceRisk, k_map
from singleout.risk.population.individual_risk import WeightedRisk, weighted_risk
from singleout.risk.population.log_linear import LogLinearRisk, log_linear_risk
from singleout.risk.population.population import population as estimated_population
from singleout.risk.population.result import PopulationView
from singleout.roles.population_size import PopulationSize, population_size
from singleout.roles.study import Study, study_of, with_sensitive, with_weight

EverybodySeen = tuple[
    PopulationView | None, ReferenceRisk | None, WeightedRisk | None, KnownRecordsLaws | None,
    LogLinearRisk | None,
]  # fmt: skip
AnyPolicy = Policy | Mapping[str, Any] | str | PathLike[str]


@share_open_tables()
@takes_options(JobOptions, after={"sample": "missing"})
def assess(
    data: Any,
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    together: Sequence[Sequence[str]] = (),
    sensitive: Sequence[str] | None = None,
    hierarchies: Any = None,
    policy: AnyPolicy | None = None,
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
    **options: Unpack[JobOptions],
) -> JudgedAssessment:
    """How risky is each attribute, and all of them together; may the table be released?

    `data` is a path, a database address or a frame; `user` names the person column; `columns` are those an
    attacker may know (default: all but the user's); `together` lists tuples of columns to assess as one
    attribute; `sensitive` columns are not known, and what follows of them is told, also by their
    `hierarchies` (['none'] says that no column is sensitive). The `decision` is by the `policy`: a file, a
    mapping, or 'internal sharing', 'trusted partner' or 'public', which come with singleout; by default how
    far of these three it may go. Of a table that is a sample of a `population` of so many people, or has the
    `sampled` share of them, it is estimated how many are unique among all; with a `reference`, a table of
    everybody whose people `reference_user` names, it is counted. A survey `weight` says how many
    people each stands for, and `household` who lives together, for risks by weights. `points` are numbers of
    records that somebody knows of a person, each column at its `granularity` as for `attack`: then it is
    estimated how many people they would single out in the population. `log_linear` are pairs of columns,
    perhaps none, for a log-linear model of those who are unique, by the weight or the share that was sampled.
    The same seed gives the same answer on every engine and thread count.

    >>> table = pyarrow.table({"who": [1, 1, 2, 3], "shop": ["a", "b", "b", "b"]})
    >>> found = assess(table, user="who", columns=["shop"])
    >>> found.attributes[0].risk.risk.value, found.decision.headline
    (0.5, 'Do not release as it is')
    """
    origin = rereadable_source(source(data, csv=options["csv"]))
    rules = None if policy is None else policy_of(policy)
    user, columns, sensitive, study = said_of_table(rules, user, columns, sensitive, options["study"])
    study = with_weight(study, weight, household)
    again: JobOptions = {**options, "study": study, "csv": None}
    everybody = Everybody.of(
        study, population, sampled, reference, reference_user, household, points, granularity, log_linear
    )
    judge = ReleaseJudge(rules, again, sensitive, hierarchies, everybody)
    with refuse_changes(origin):
        assessment = counted.assess(
            origin, user=user, columns=columns, together=together, sensitive=sensitive,
            hierarchies=hierarchies, sample=sample, sampling=sampling, confidence=confidence,
            sample_sizes=sample_sizes, **again,
        )  # fmt: skip
        decision = judge.decide(origin, user, columns, study)
        beside = everybody.look(origin, user, columns, again)
        inferred = _inferred(decision, assessment) or _infer(origin, assessment, user, columns, again)
    teller(options["progress"])("done", 1, 1)
    return JudgedAssessment.of(assessment, decision, inferred, *beside)


def said_of_table(
    policy: Policy | None,
    user: str | None,
    columns: Sequence[str] | None,
    sensitive: Sequence[str] | None,
    study: Any,
) -> tuple[str | None, Sequence[str] | None, Sequence[str] | None, Study | None]:
    """What the caller says of it, or else the policy in its table [data]: both speak of the same one."""
    told = {} if policy is None else {**policy.data, **files_of(policy)}
    by_policy = told.get("sensitive")
    by_policy = [by_policy] if isinstance(by_policy, str) else by_policy
    guarded = by_policy if sensitive is None else sensitive
    meant = study_of(told.get("study") if study is None else study)
    who = told.get("user") if user is None else user
    known = told.get("columns") if columns is None else columns
    return who, known, guarded, with_sensitive(meant, guarded)


def _inferred(decision: Decision, assessment: Assessment) -> tuple[InferredColumn, ...]:
    """What the verdict found out, if it asked of all sensitive columns just what the assessment tells."""
    known = () if assessment.classes is None else assessment.classes.columns
    same = {each.column: each for each in decision.inferred if each.known == known}
    names = [each.column for each in assessment.sensitive]
    complete = assessment.missing == "value" and all(name in same for name in names)
    return tuple(same[name] for name in names) if complete else ()


def _infer(
    origin: Source,
    assessment: Assessment,
    user: str | None,
    columns: Sequence[str] | None,
    options: JobOptions,
) -> tuple[InferredColumn, ...]:
    """How well sensitive columns are guessed, where the verdict did not have to ask."""
    names = [each.column for each in assessment.sensitive]
    if not names or assessment.missing == "wildcard":
        return ()
    return infer(origin, sensitive=names, user=user, columns=columns, **options).columns


@dataclass(frozen=True, eq=False)
class Everybody:
    """What is said of the people whom the table is a sample of: their number, or a table of them."""

    size: PopulationSize | None = None
    reference: Any = None
    reference_user: str | None = None
    weight: str | None = None
    household: str | None = None
    points: tuple[int, ...] = ()
    granularity: Mapping[str, Sequence[str]] | None = None
    log_linear: tuple[tuple[str, str], ...] | None = None

    @classmethod
    def of(
        cls,
        study: Study | None,
        population: int | None,
        sampled: float | None,
        reference: Any,
        reference_user: str | None,
        household: str | None,
        points: Sequence[int] = (),
        granularity: Mapping[str, Sequence[str]] | None = None,
        log_linear: Sequence[tuple[str, str]] | None = None,
    ) -> Everybody:
        """What was asked for goes before what the study says."""
        size = population_size(population, sampled) or (study.population if study else None)
        weight = study.first("weight") if study else None
        pairs = None if log_linear is None else tuple(log_linear)
        _check_points(size, points, granularity)
        return cls(size, reference, reference_user, weight, household, tuple(points), granularity, pairs)

    @property
    def settings(self) -> dict[str, Any]:
        """The same for a check."""
        size, sampled = (self.size.size, self.size.sampled) if self.size else (None, None)
        return {
            "population": size, "sampled": sampled, "reference": self.reference,
            "reference_user": self.reference_user, "weight": self.weight, "household": self.household,
        }  # fmt: skip

    def look(
        self, origin: Source, user: str | None, columns: Sequence[str] | None, options: JobOptions
    ) -> EverybodySeen:
        """What is estimated, and what is counted; None for what nobody asked for."""
        view = against = weighted = known = modelled = None
        if self.size is not None:
            view = estimated_population(origin, self.size, user=user, columns=columns, **options)
        if self.reference is not None:
            against = k_map(
                origin,
                self.reference,
                user=user,
                columns=columns,
                reference_user=self.reference_user,
                **options,
            )
        if self.weight is not None:
            weighted = weighted_risk(
                origin,
                self.weight,
                household=self.household,
                size=self.size,
                user=user,
                columns=columns,
                **options,
            )
        elif self.household is not None:
            raise UsageError("--household is for risks by weights; name their column by --weight")
        if self.points and self.size is not None:
            known = known_records_of(
                origin, self.size, user=user, columns=columns, points=self.points,
                granularity=self.granularity, options=options,
            )  # fmt: skip
        if self.log_linear is not None:
            modelled = log_linear_risk(
                origin, self.log_linear, size=self.size, weight=self.weight, user=user, columns=columns,
                **options,
            )  # fmt: skip
        return view, against, weighted, known, modelled


def _check_points(
    size: PopulationSize | None, points: Sequence[int], granularity: Mapping[str, Sequence[str]] | None
) -> None:
    if points and size is None:
        raise UsageError(NO_SIZE)
    if granularity and not points:
        raise UsageError("--granularity is how known records are known; say how many are by --points")
    KnownRecords(points)


NOBODY_ELSE = Everybody()


@dataclass(frozen=True, eq=False)
class ReleaseJudge:
    """Judges a table by a policy, or, where there is none, how far of those that come with singleout.

    A missing value is a value of its own there, unless the policy says otherwise: who dropped people, or let
    them match anything, would find them safer.
    """

    policy: Policy | None
    options: JobOptions
    sensitive: Sequence[str] | None
    hierarchies: Any
    everybody: Everybody = NOBODY_ELSE

    def decide(
        self, data: Any, user: str | None, columns: Sequence[str] | None, study: Study | None, **beside: Any
    ) -> Decision:
        """Also `beside` its original, with who is who and the recipe, where these are given."""
        progress = progress_about("verdict", teller(self.options["progress"]))

        def judge(rules: Policy) -> Verdict:
            return check(
                data, rules, user=user, columns=columns, study=study, sensitive=self.sensitive,
                hierarchies=self.hierarchies, seed=self.options["seed"] or None,
                engine=self.options["engine"], memory=self.options["memory"],
                threads=self.options["threads"], progress=progress, **self.everybody.settings, **beside,
            )  # fmt: skip

        with share_open_tables():
            return farthest_release(judge) if self.policy is None else judge(self.policy).decision


def rereadable_source(origin: Source) -> Source:
    """A stream can be read only once, and is asked about several times."""
    if isinstance(origin.frame, pyarrow.RecordBatchReader):
        return replace(origin, frame=origin.frame.read_all())
    return origin
