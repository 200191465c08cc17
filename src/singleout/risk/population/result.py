"""What a sample says about its population: the models side by side, and which held in the back-test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from singleout.measurement import Measure, Measurement
from singleout.result_table import Heading, ResultTable
from singleout.risk.population.back_test import BackTest
from singleout.risk.population.bootstrap import CONFIDENCE, Interval
from singleout.risk.population.measures import (
    POPULATION_HIGHEST,
    POPULATION_MARKETER,
    POPULATION_MEASURES,
    POPULATION_SMALL,
    POPULATION_UNIQUE,
    number_of,
)
from singleout.risk.population.models import Model
from singleout.risk.population.sample_classes import SMALL
from singleout.risk.population.tested_interval import LARGE_SHARE

NO_MODEL = "no model held in its tests, so that this data does not tell"
NO_TEST = "this data does not tell"
BY_ANY_LAW = "at most, by any law"
NOT_BY_MODEL = "the model is of those who are alone only"
TITLES: dict[Model, str] = {
    "pitman": "Pitman",
    "pitman_asymptotic": "Pitman, for large populations (as ARX)",
    "law": "scaling law",
    "zayatz": "Zayatz",
    "snb": "slide negative binomial (SNB)",
}
# what stands beside uniqueness and its interval
BESIDE: dict[Measure, str] = {
    POPULATION_SMALL: f"in classes below {SMALL}",
    POPULATION_MARKETER: "average risk",
    POPULATION_HIGHEST: "highest risk",
}


@dataclass(frozen=True)
class PopulationEstimate:
    """What one model says: each number with its interval; all unknown for a `reason` if it was refused.

    `missed` are the numbers, besides uniqueness, that failed the back-test by themselves, and how.
    """

    model: Model
    numbers: Mapping[str, float]
    intervals: Mapping[str, Interval]
    reason: str | None
    missed: Mapping[str, str] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        return self.reason is None

    def measurement(self, measure: Measure) -> Measurement:
        number = number_of(measure)
        why = self.reason or self.missed.get(number)
        value = None if why else self.numbers.get(number)
        return Measurement(measure, value, None if value is not None else why or NOT_BY_MODEL)

    def interval(self, measure: Measure) -> Interval | None:
        number = number_of(measure)
        return self.intervals.get(number) if self.accepted and number not in self.missed else None

    def to_dict(self) -> dict[str, Any]:
        low, high = self.interval(POPULATION_UNIQUE) or (None, None)
        told: dict[str, Any] = {
            "model": self.model, "unique_share": self.measurement(POPULATION_UNIQUE).value, "low": low,
            "high": high, "reason": self.reason,
        }  # fmt: skip
        for measure in POPULATION_MEASURES[1:]:
            value, ends = self.measurement(measure).value, self.interval(measure) or (None, None)
            why = self.missed.get(number_of(measure))
            told[number_of(measure).replace(".", "_")] = {
                "value": value, "low": ends[0], "high": ends[1], "reason": why,
            }  # fmt: skip
        return told


@dataclass(frozen=True)
class SizePoint:
    """The uniqueness that a model, or the bound below all of them, has for so many people."""

    people: float
    model: str
    unique_share: float


@dataclass(frozen=True)
class PopulationBounds:
    """What needs no model: uniqueness is not expected below `lower` (convexity), no number above its `upper`.

    The upper ones are over all populations that may have shown this sample.
    """

    lower: float
    upper: Mapping[str, float]


@dataclass(frozen=True)
class PopulationView:
    """`size` people of whom a share was `sampled`; `people` are those of the sample, with its own numbers.

    `chosen` is Dankar's choice if it held in the back-test, else the highest estimate that did, None if none
    did. `known_records` are how many somebody knows of people who have several.
    """

    size: int
    sampled: float
    people: int
    sample: Mapping[str, float]
    estimates: tuple[PopulationEstimate, ...]
    chosen: Model | None
    rule: Model
    tests: tuple[BackTest, ...] = field(repr=False)
    bounds: PopulationBounds
    curve: tuple[SizePoint, ...] = field(repr=False)
    known_records: int | None
    remarks: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.size >= self.people > 0:
            raise ValueError("a sample is no larger than its population")

    @property
    def reason(self) -> str | None:
        """Why there is no chosen estimate."""
        if self.chosen is not None:
            return None
        first = self.of(self.rule).reason
        return f"{NO_MODEL}; {TITLES[self.rule]}: {first}" if self.tests else f"{NO_TEST}: {first}"

    def of(self, model: Model) -> PopulationEstimate:
        return next(each for each in self.estimates if each.model == model)

    def measurement(self, measure: Measure) -> Measurement:
        """By the chosen model, or by the highest of those that have this number."""
        if self.chosen is None:
            return Measurement(measure, None, self.reason)
        mine = self.of(self.chosen).measurement(measure)
        if mine.value is not None:
            return mine
        known = [each.measurement(measure) for each in self.estimates if each.accepted]
        numbers = [each for each in known if each.value is not None]
        return max(numbers, key=lambda each: each.known) if numbers else mine

    def highest_end(self, measure: Measure) -> float | None:
        """The highest end of all intervals that held in the back-test: what is on the safe side."""
        ends = [each.interval(measure) for each in self.estimates]
        return max((high for _, high in filter(None, ends)), default=None)

    def lowest_end(self, measure: Measure) -> float | None:
        ends = [each.interval(measure) for each in self.estimates]
        return min((low for low, _ in filter(None, ends)), default=None)

    def surely_at_least(self, measure: Measure) -> float | None:
        """What rules take: where low ends may be too short, the bound that needs no model."""
        low = self.lowest_end(measure)
        if low is None or measure is POPULATION_HIGHEST or not LARGE_SHARE < self.sampled < 1:
            return low
        return min(low, self.bounds.lower)

    def to_dict(self) -> dict[str, Any]:
        return {
            "size": self.size,
            "sampled": self.sampled,
            "people": self.people,
            "known_records": self.known_records,
            "confidence": CONFIDENCE,
            "sample": {name.replace(".", "_"): value for name, value in self.sample.items()},
            "estimates": [each.to_dict() for each in self.estimates],
            "chosen": self.chosen,
            "lower_bound": self.bounds.lower,
            "upper_bounds": {name.replace(".", "_"): value for name, value in self.bounds.upper.items()},
            "back_test": {
                "passed": self.chosen is not None,
                "reason": self.reason,
                "tests": [_test(each) for each in self.tests],
            },
            "curve": [vars(each).copy() for each in self.curve],
            "remarks": list(self.remarks),
        }

    def table(self) -> ResultTable:
        """One row a model; the sample's own numbers first."""
        headings = (
            Heading("model", "by"),
            Heading.of("unique_share", "unique", POPULATION_UNIQUE),
            Heading.of("low", "low", POPULATION_UNIQUE),
            Heading.of("high", "high", POPULATION_UNIQUE),
            *(Heading.of(number_of(each), title, each) for each, title in BESIDE.items()),
        )
        first, last = _plain_row("the table itself", self.sample), _plain_row(BY_ANY_LAW, self.bounds.upper)
        return ResultTable(
            f"In the population of {self.size:,}",
            headings,
            (first, *(self._row(each) for each in self.estimates), last),
        )

    def _row(self, estimate: PopulationEstimate) -> tuple[Any, ...]:
        ends = estimate.interval(POPULATION_UNIQUE) or (None, None)
        unique, *beside = (estimate.measurement(each).value for each in (POPULATION_UNIQUE, *BESIDE))
        name = TITLES[estimate.model] + (" ← chosen" if estimate.model == self.chosen else "")
        return (name, unique, *ends, *beside)


def _plain_row(name: str, numbers: Mapping[str, float]) -> tuple[Any, ...]:
    return (name, numbers["unique_share"], None, None, *(numbers[number_of(each)] for each in BESIDE))


def _test(test: BackTest) -> dict[str, Any]:
    low, high = test.interval or (None, None)
    return {
        "model": test.model, "share": test.share, "number": test.number, "foretold": test.foretold,
        "low": low, "high": high,
        "truth": test.truth, "passed": test.passed, "reason": test.reason,
    }  # fmt: skip
