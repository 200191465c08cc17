"""The individual risk by survey weights: who looks alike in the population, as their weights add up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.engine.columns import known_columns
from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion, open_session
from singleout.errors import InputError, UsageError
from singleout.measurement import Measure, Measurement
from singleout.result_table import Heading, ResultTable
from singleout.risk.population.back_test import FEWEST_PEOPLE
from singleout.risk.population.pitman_yor import Floats
from singleout.risk.population.weight_back_test import TOO_FEW, WeightTest, weight_tests
from singleout.risk.survey_weights import NEAR, codes_of, weights_of, weights_of_people
from singleout.roles.population_size import PopulationSize

ONLY_VALUES = "weights are used with the missing rule value: who is dropped, or matches anything, counts too"
NO_HOUSEHOLD = "no household column was named"
REMARK = (
    "risks by weights take it that the weights of look-alikes add up to all who look like them, for "
    "somebody who does not know who was sampled; they are expectations without a bound, and where a few are "
    "rare among many averages too may be far too low"
)
# from so many people on, so many terms are all that a number can tell
MANY, TERMS = 30.0, 60
OVER = (
    "the weights in {!r} add up to {:,.0f} people, more than the {:,} of the population that was said; one "
    "of both is wrong, and weights that are too large make risks look too small"
)
UNDER = (
    "the weights in {} add up to {:,.0f} people, fewer than the {:,} of the population that was said: "
    "numbers by weights and those of the population are of different people"
)
RISKIEST = "the risk of a person with several records is that of the riskiest one: one known record"


def _measure(name: str, title: str, question: str, formula: str, unit: str, highest: float | None) -> Measure:
    return Measure(
        name=f"weighted.{name}", title=title, question=question, formula=formula, unit=unit, lowest=0,
        highest=highest, better="lower", counted_over="people", missing="a missing value is a value",
        reference="Benedetti and Franconi 1998; individual risk of sdcMicro and μ-Argus, exact for every f",
    )  # fmt: skip


FORMULA = "r = (p/f)·₂F₁(1, 1; f+1; 1−p), p = f / sum of the weights, f people alike"
WEIGHTED_HIGHEST = _measure(
    "highest",
    "highest risk by weights (individual risk)",
    "With what probability is the least protected person found, by the weights of their look-alikes?",
    f"max over people of {FORMULA}",
    "probability",
    1,
)
WEIGHTED_EXPECTED = _measure(
    "expected",
    "expected re-identifications by weights",
    "How many people of the table are found, as expected by the weights?",
    f"Σ over people of {FORMULA}",
    "people",
    None,
)
WEIGHTED_SHARE = _measure(
    "share",
    "their share (global risk)",
    "What share of the people of the table is found, as expected by the weights?",
    f"mean over people of {FORMULA}",
    "share",
    1,
)
HOUSEHOLD_HIGHEST = _measure(
    "household.highest",
    "highest risk of a household",
    "With what probability is somebody of the least protected household found?",
    "max over households of 1 − Π over its people of (1 − r)",
    "probability",
    1,
)
HOUSEHOLD_SHARE = _measure(
    "household.share",
    "share of people in found households",
    "What share of the people lives in a household of which somebody is found, as expected by the weights?",
    "mean over people of 1 − Π over the people of their household of (1 − r)",
    "share",
    1,
)
WEIGHTED_MEASURES: tuple[Measure, ...] = (
    WEIGHTED_HIGHEST,
    WEIGHTED_EXPECTED,
    WEIGHTED_SHARE,
    HOUSEHOLD_HIGHEST,
    HOUSEHOLD_SHARE,
)


def individual_risk(people: Any, weights: Any) -> Floats:
    """The expected 1 / people alike in the population, of whom so many with these weights were sampled.

    Weights that add up to fewer people than were sampled count as these: 1 / people.

    >>> individual_risk([1, 2], [45.5, 100]).round(6).tolist()
    [0.085791, 0.018779]
    """
    alike = numpy.asarray(people, float)
    share = numpy.minimum(1.0, alike / numpy.asarray(weights, float))
    return numpy.asarray(share / alike * _hypergeometric(alike, 1 - share))


def _hypergeometric(alike: Floats, rest: Floats) -> Floats:
    """₂F₁(1, 1; f+1; 1−p): for many people its own series, for the library's overflows from f = 170 on."""
    from scipy.special import hyp2f1

    many = numpy.maximum(alike, MANY)
    term = total = numpy.ones(numpy.broadcast(alike, rest).shape)
    for step in range(TERMS):
        term = term * (step + 1) * rest / (many + 1 + step)
        total = total + term
    few = hyp2f1(1.0, 1.0, numpy.minimum(alike, MANY) + 1, rest)
    return numpy.where(alike < MANY, few, total)


@dataclass(frozen=True)
class WeightedRisk:
    """`people` of the table stand for `population` people by their weights; `weight` names the column.

    What said too little in the `tests`, by a part of the table's own people, is unknown. The `ceilings` of
    the measures are what nobody exceeds whatever the population: who looks alike in the table does there too.
    """

    weight: str
    people: int
    population: float
    highest: Measurement
    expected: Measurement
    share: Measurement
    household_highest: Measurement
    household_share: Measurement
    ceilings: Mapping[str, float] = field(repr=False)
    tests: tuple[WeightTest, ...] = field(default=(), repr=False)
    remarks: tuple[str, ...] = ()

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        return tuple(value for value in vars(self).values() if isinstance(value, Measurement))

    @property
    def untested(self) -> str | None:
        """Why nothing shows that these numbers do not say too little, if nothing does."""
        return None if self.tests else TOO_FEW.format(self.people, FEWEST_PEOPLE)

    def to_dict(self) -> dict[str, Any]:
        named = {name: value for name, value in vars(self).items() if isinstance(value, Measurement)}
        return {
            "weight": self.weight,
            "people": self.people,
            "population": self.population,
            **{name: value.value for name, value in named.items()},
            "unknown": {name: value.reason for name, value in named.items() if value.reason},
            "back_test": [{**vars(each), "passed": each.passed} for each in self.tests],
            "remarks": list(self.remarks),
        }

    def table(self) -> ResultTable:
        asked = (each for each in self.measurements if each.reason != NO_HOUSEHOLD)
        rows = tuple((each.measure.title, each.value) for each in asked)
        headings = (Heading("measure", ""), Heading("value", "value"))
        title = f"By the weights in {self.weight}: {self.people:,} people stand for {self.population:,.0f}"
        return ResultTable(title, headings, rows)


@takes_options(JobOptions)
def weighted_risk(
    data: Any,
    weight: str,
    *,
    household: str | None = None,
    size: PopulationSize | None = None,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    **options: Unpack[JobOptions],
) -> WeightedRisk:
    """How likely are people found, if each stands for as many as the column `weight` says?

    Weights that add up to more people than the population's `size` are refused.

    >>> table = pyarrow.table({"town": ["x", "x", "y"], "w": [60, 40, 45.5]})
    >>> weighted_risk(table, "w", user="none", columns=["town"]).highest.value.__round__(6)
    0.085791
    """
    if options["missing"] != "value":
        raise UsageError(ONLY_VALUES)
    with open_session(data, **count_options(options, user, columns)) as (counter, plan, _):
        return weighted_risk_of(counter, plan, plan.columns, weight, household, size)


def weighted_risk_of(
    counter: Engine,
    plan: CheckedQuestion,
    columns: tuple[str, ...],
    weight: str,
    household: str | None,
    size: PopulationSize | None = None,
) -> WeightedRisk:
    """The same of a table that is open."""
    carried = known_columns(counter, [each for each in (weight, household, plan.user) if each is not None])
    if weight in columns:
        raise UsageError(f"{weight!r} is the weight; leave it out of the columns that are known")
    if weight in (plan.user, household):
        raise UsageError(f"{weight!r} is the weight; name another column of persons or households")
    table = pyarrow.Table.from_batches(list(counter.labels(plan.question(columns), carried)))
    records = _Records(
        weight=weight,
        classes=table["class"].to_numpy().astype(int) - 1,
        weights=weights_of(table[weight], weight),
        person=numpy.arange(len(table)) if plan.user is None else codes_of(table[plan.user]),
        household=None if household is None else codes_of(table[household], alone=True),
    )
    found = records.risk()
    return found if size is None else _beside_size(found, size)


def _beside_size(found: WeightedRisk, size: PopulationSize) -> WeightedRisk:
    """An error where weights say more people than there are, a remark where they say fewer."""
    people = size.people_of(found.people)
    if found.population > people * NEAR:
        raise InputError(OVER.format(found.weight, found.population, people))
    if found.population * NEAR < people:
        return replace(found, remarks=(*found.remarks, UNDER.format(found.weight, found.population, people)))
    return found


@dataclass(frozen=True, eq=False)
class _Records:
    weight: str
    classes: NDArray[numpy.int64]
    weights: Floats
    person: NDArray[numpy.int64]
    household: NDArray[numpy.int64] | None

    def risk(self) -> WeightedRisk:
        own, first, person = weights_of_people(self.weights, self.person, self.weight)
        people, population = len(own), math.fsum(own.tolist())
        alike, risks = self._of_people(person, own)
        several = people < len(self.person)
        tests = weight_tests(alike, people, individual_risk)
        average, single = _too_little(tests, several)
        homes = None if self.household is None else self.household[first]
        numbers = _numbers(risks, homes)
        # as many people as are in the table, each standing for one
        _, most = self._of_people(person, numpy.ones(people))
        found = WeightedRisk(
            weight=self.weight,
            people=people,
            population=population,
            highest=_measurement(WEIGHTED_HIGHEST, numbers, single),
            expected=_measurement(WEIGHTED_EXPECTED, numbers, average),
            share=_measurement(WEIGHTED_SHARE, numbers, average),
            household_highest=_measurement(HOUSEHOLD_HIGHEST, numbers, single),
            household_share=_measurement(HOUSEHOLD_SHARE, numbers, average),
            ceilings={measure.name: value for measure, value in _numbers(most, homes).items()},
            tests=tests,
        )
        told = (found.untested, average or single, RISKIEST if several else None)
        return replace(found, remarks=(REMARK, *filter(None, told)))

    def _of_people(self, person: NDArray[numpy.int64], own: Floats) -> tuple[Floats, Floats]:
        """How many people each class has, and the risk of each person's riskiest record.

        People count once in a class.
        """
        pairs = numpy.unique(numpy.stack([self.classes, person]), axis=1)
        alike = numpy.bincount(pairs[0])
        weights = numpy.bincount(pairs[0], weights=own[pairs[1]])
        risks = numpy.zeros(len(own))
        by_class = individual_risk(numpy.maximum(alike, 1), numpy.maximum(weights, 1e-300))
        numpy.maximum.at(risks, pairs[1], by_class[pairs[0]])
        return alike[alike > 0].astype(float), risks


def _too_little(tests: Sequence[WeightTest], several: bool) -> tuple[str | None, str | None]:
    """Why averages are unknown, and why the highest risk is: single people are tested where they are alone.

    Of people with several records every risk is that of the riskiest one, where few look alike.
    """
    average = next((each.reason for each in tests if each.whom == "all" and each.reason), None)
    single = average or next((each.reason for each in tests if each.reason), None)
    return (single if several else average), single


def _numbers(risks: Floats, homes: NDArray[numpy.int64] | None) -> dict[Measure, float]:
    """From the risk of each person; of households where it is known who lives together."""
    expected = math.fsum(risks.tolist())
    found = {
        WEIGHTED_HIGHEST: float(risks.max()),
        WEIGHTED_EXPECTED: expected,
        WEIGHTED_SHARE: expected / len(risks),
    }
    if homes is None:
        return found
    together = _of_households(risks, homes)
    return {**found, HOUSEHOLD_HIGHEST: float(together.max()), HOUSEHOLD_SHARE: float(together.mean())}


def _measurement(measure: Measure, numbers: Mapping[Measure, float], reason: str | None) -> Measurement:
    if measure not in numbers:
        return Measurement(measure, None, NO_HOUSEHOLD)
    return Measurement(measure, None if reason else numbers[measure], reason)


def _of_households(risks: Floats, household: NDArray[numpy.int64]) -> Floats:
    """Of each person, the probability that somebody of their household is found."""
    with numpy.errstate(divide="ignore"):
        missed = numpy.bincount(household, weights=numpy.log1p(-risks))
    return numpy.asarray(-numpy.expm1(missed[household]))
