"""The log-linear model (Skinner, Holmes): of who is unique in a sample, how many are so among all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.engine.columns import known_columns
from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.session import open_session
from singleout.errors import UsageError
from singleout.measurement import Measure, Measurement
from singleout.result_table import Heading, ResultTable
from singleout.risk.population.pitman_yor import Floats
from singleout.risk.survey_weights import weights_of
from singleout.roles.population_size import PopulationSize

Pair = tuple[str, str]
# of the table of a cycle of pairs, which is fitted as a whole
MOST_CELLS = 5_000_000
ROUNDS, NEAR = 500, 1e-10
# in standard deviations: a model that misses the table's own unique people by more does not describe it
FAR = 3.0
# expected people of a class that is hardly ever one of one person
LARGE = 700.0
ONLY_VALUES = "the log-linear model takes the missing rule value: who is dropped is in the population too"
NO_HISTORY = "the log-linear model is of people with one record each; this table has several"
NO_SHARE = "the log-linear model needs --population, --sampled or --weight, to know which share was sampled"
MISFIT = (
    "the model expects {:,.0f} of the {:,} classes of the table to be of one person, and {:,} are: it does "
    "not describe the table; name pairs of columns that depend on each other"
)
AS_NAMED = (
    "the log-linear model takes it that columns depend on each other as its pairs say, and its numbers are "
    "expectations without an interval: where they depend otherwise, more may be unique among all, and found; "
    "they hold for somebody who does not know who was sampled"
)
TOO_MANY = "the pairs {} go in a circle over {:,} cells; {:,} are the most, so leave one of them out"


def _measure(name: str, title: str, question: str, formula: str) -> Measure:
    return Measure(
        name=f"log_linear.{name}", title=title, question=question,
        formula=f"{formula}; λ = μ/π, μ fitted to main effects and chosen pairs, π the share sampled",
        unit="people", lowest=0, highest=None, better="lower", counted_over="people",
        missing="a missing value is a value", reference="Skinner and Holmes 1998; modRisk of sdcMicro",
    )  # fmt: skip


TAU_1 = _measure(
    "tau_1",
    "unique among all, of the unique in the table (τ₁)",
    "How many people who are unique in the table are expected to be unique in the population?",
    "Σ over people alone of exp(−(1 − π)·λ)",
)
TAU_2 = _measure(
    "tau_2",
    "right guesses among the unique (τ₂)",
    "How many of them are expected to be found by who guesses among their look-alikes in the population?",
    "Σ over people alone of (1 − exp(−x))/x, x = (1 − π)·λ",
)
LOG_LINEAR_MEASURES = (TAU_1, TAU_2)


@dataclass(frozen=True)
class LogLinearRisk:
    """`unique` people of the table are alone there, of `people`; unknown where the model does not fit it."""

    people: int
    unique: int
    expected_unique: float
    pairs: tuple[Pair, ...]
    tau_1: Measurement
    tau_2: Measurement

    @property
    def remarks(self) -> tuple[str, ...]:
        return (self.tau_1.reason or AS_NAMED,)

    def to_dict(self) -> dict[str, Any]:
        return {
            "people": self.people,
            "unique": self.unique,
            "expected_unique": self.expected_unique,
            "pairs": [list(each) for each in self.pairs],
            "tau_1": self.tau_1.value,
            "tau_2": self.tau_2.value,
            "reason": self.tau_1.reason,
        }

    def table(self) -> ResultTable:
        rows = ((each.measure.title, each.value) for each in (self.tau_1, self.tau_2))
        title = f"By a log-linear model of the {self.unique:,} people who are unique in the table"
        return ResultTable(title, (Heading("measure", ""), Heading("value", "people")), tuple(rows))


@takes_options(JobOptions)
def log_linear_risk(
    data: Any,
    pairs: Sequence[Pair] = (),
    *,
    size: PopulationSize | None = None,
    weight: str | None = None,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    **options: Unpack[JobOptions],
) -> LogLinearRisk:
    """Of those who are unique in the table, how many are so in the population, if columns hardly interact?

    >>> import pyarrow
    >>> table = pyarrow.table({"town": ["x", "x", "y"], "sex": ["f", "m", "f"]})
    >>> round(log_linear_risk(table, size=PopulationSize(3), user="none").tau_1.value, 6)
    3.0
    """
    if options["missing"] != "value":
        raise UsageError(ONLY_VALUES)
    with open_session(data, **count_options(options, user, columns)) as (counter, plan, _):
        if plan.people != plan.records:
            raise UsageError(NO_HISTORY)
        if size is None and weight is None:
            raise UsageError(NO_SHARE)
        known = [each for each in plan.columns if each != weight]
        _check_pairs(pairs, known)
        carried = known_columns(counter, [] if weight is None else [weight])
        coded, beside = counter.coded_records_and_columns(plan.question(tuple(known)), carried)
        weights = None if weight is None else weights_of(beside[weight], weight)
    codes = [Codes(each, many) for each, many in zip(coded.codes, coded.values, strict=True)]
    places = [(known.index(one), known.index(other)) for one, other in pairs]
    share = None if size is None else plan.people / size.people_of(plan.people)
    return _risk(codes, places, tuple(pairs), weights, share)


def _check_pairs(pairs: Sequence[Pair], known: Sequence[str]) -> None:
    faults = [
        f"{'+'.join(each)} is no pair of two known columns; there are {', '.join(known)}"
        for each in pairs
        if len({*each} & {*known}) != 2
    ]
    if faults:
        raise UsageError("; ".join(faults))


def _risk(
    codes: list[Codes],
    places: list[tuple[int, int]],
    pairs: tuple[Pair, ...],
    weights: Floats | None,
    share: float | None,
) -> LogLinearRisk:
    classes = join_codes(codes)
    sizes = numpy.bincount(classes.codes, minlength=classes.count)
    first = numpy.zeros(classes.count, dtype=numpy.int64)
    first[classes.codes[::-1]] = numpy.arange(len(classes.codes))[::-1]
    expected = expected_counts(codes, places)[first]
    alone = sizes == 1
    # of a class that is there: one person, by a Poisson law without its zero
    single = numpy.where(expected > 1e-9, expected / numpy.expm1(numpy.clip(expected, 1e-9, LARGE)), 1.0)
    foretold, spread = float(single.sum()), math.sqrt(float((single * (1 - single)).sum()))
    unique = int(alone.sum())
    reason = None
    if abs(unique - foretold) > FAR * spread + 1e-6:
        reason = MISFIT.format(foretold, classes.count, unique)
    if weights is not None:
        sampled = numpy.minimum(1.0, 1 / weights[first[alone]])
    else:
        assert share is not None
        sampled = numpy.full(unique, min(1.0, share))
    tau_1, tau_2 = taus(expected[alone], sampled)
    return LogLinearRisk(
        people=len(classes.codes),
        unique=unique,
        expected_unique=foretold,
        pairs=pairs,
        tau_1=Measurement(TAU_1, None if reason else tau_1, reason),
        tau_2=Measurement(TAU_2, None if reason else tau_2, reason),
    )


def taus(expected: Floats, share: Floats) -> tuple[float, float]:
    """From the expected count of the class of each who is alone, and the share of it that was sampled.

    >>> taus(numpy.array([0.5]), numpy.array([1.0]))
    (1.0, 1.0)
    """
    others = (1 - share) * expected / share
    found = numpy.where(others > 1e-12, -numpy.expm1(-others) / numpy.maximum(others, 1e-12), 1.0)
    return math.fsum(numpy.exp(-others).tolist()), math.fsum(found.tolist())


def expected_counts(codes: Sequence[Codes], pairs: Sequence[tuple[int, int]]) -> Floats:
    """Of each record's class, how many records the fitted model expects there.

    Columns that no pairs connect are independent. Connected ones without a circle have the closed form
    Π n_uv / Π n_v^(degree − 1); those with one are fitted by proportions until their margins agree (IPF).
    """
    records = len(codes[0].codes)
    logs = numpy.full(records, math.log(records))
    for columns in _connected(len(codes), pairs):
        edges = [each for each in dict.fromkeys(map(_sorted, pairs)) if each[0] in columns]
        if len(edges) == len(columns) - 1:
            logs += _tree_logs(codes, columns, edges)
        else:
            logs += _fitted_logs(codes, columns, edges)
    return numpy.asarray(numpy.exp(logs))


def _sorted(pair: tuple[int, int]) -> tuple[int, int]:
    return (min(pair), max(pair))


def _connected(count: int, pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    groups = [{index} for index in range(count)]
    for one, other in pairs:
        joined = [each for each in groups if {one, other} & each]
        groups = [each for each in groups if each not in joined] + [set().union(*joined)]
    return [sorted(each) for each in groups]


def _log_share(codes: Codes) -> Floats:
    counts = numpy.bincount(codes.codes, minlength=codes.count)
    return numpy.asarray(numpy.log(counts[codes.codes] / len(codes.codes)))


def _tree_logs(codes: Sequence[Codes], columns: list[int], edges: list[tuple[int, int]]) -> Floats:
    alone = {column: _log_share(codes[column]) for column in columns}
    logs = numpy.asarray(sum(alone.values()))
    for one, other in edges:
        logs = logs + _log_share(join_codes([codes[one], codes[other]])) - alone[one] - alone[other]
    return numpy.asarray(logs)


def _fitted_logs(codes: Sequence[Codes], columns: list[int], edges: list[tuple[int, int]]) -> Floats:
    shape = tuple(codes[column].count for column in columns)
    cells = math.prod(shape)
    if cells > MOST_CELLS:
        told = ", ".join(f"{one + 1}+{other + 1}" for one, other in edges)
        raise UsageError(TOO_MANY.format(f"of columns {told}", cells, MOST_CELLS))
    place = tuple(codes[column].codes.astype(numpy.int64) for column in columns)
    seen: NDArray[numpy.float64] = numpy.zeros(shape)
    numpy.add.at(seen, place, 1 / len(place[0]))
    fitted = numpy.full(shape, 1 / cells)
    margins = [(columns.index(one), columns.index(other)) for one, other in edges]
    for _ in range(ROUNDS):
        change = 0.0
        for margin in margins:
            others = tuple(axis for axis in range(len(shape)) if axis not in margin)
            wanted, now = seen.sum(axis=others, keepdims=True), fitted.sum(axis=others, keepdims=True)
            change = max(change, float(numpy.abs(wanted - now).max()))
            fitted = fitted * numpy.divide(wanted, now, out=numpy.zeros_like(wanted), where=now > 0)
        if change < NEAR:
            break
    return numpy.asarray(numpy.log(fitted[place]))
