"""What the numbers about a population mean: what is not here is not in the documentation."""

from __future__ import annotations

from typing import Final

from singleout.measurement import Measure
from singleout.risk.population.sample_classes import SMALL

VALUES_ONLY = (
    "a missing value is a value; no other rule is taken here, for who is dropped is in the population too"
)
ESTIMATED = "estimated from the sample's class sizes by each model, with an interval"
SOURCES = "Hoshino 2001; Rocher et al. 2025; Zayatz 1991; Chen and Keller-McNulty 1998; Dankar et al. 2012"


def _share(name: str, title: str, question: str, formula: str, unit: str = "share") -> Measure:
    return Measure(
        name=f"population.{name}", title=title, question=question, formula=f"{formula}; {ESTIMATED}",
        unit=unit, lowest=0, highest=1, better="lower", counted_over="people", missing=VALUES_ONLY,
        reference=SOURCES,
    )  # fmt: skip


POPULATION_UNIQUE: Final = _share(
    "unique_share",
    "unique in the population",
    "What share of the people have no look-alike in the whole population?",
    "people alone in their class of the population / people",
)
POPULATION_SMALL: Final = _share(
    "small_share",
    f"in classes below {SMALL} in the population",
    f"What share of the people have fewer than {SMALL} look-alikes in the population, themselves included?",
    f"people in classes of the population of fewer than {SMALL} / people",
)
POPULATION_MARKETER: Final = _share(
    "marketer",
    "average risk in the population (marketer risk)",
    "What share of the sample does somebody recognise who knows the population, but not who was sampled?",
    "mean over people of 1 / their class's size in the population = classes / people there",
    "probability",
)
POPULATION_HIGHEST: Final = _share(
    "journalist.highest",
    "highest risk in the population (journalist risk)",
    "With what probability is the least protected person found by who does not know who was sampled?",
    "1/(k+1) + (1/k − 1/(k+1))·(expected number of the sample's classes of k people that are no larger in "
    "the population, 1 at most): no less than the expected 1 / smallest class",
    "probability",
)
POPULATION_MEASURES: tuple[Measure, ...] = (
    POPULATION_UNIQUE,
    POPULATION_SMALL,
    POPULATION_MARKETER,
    POPULATION_HIGHEST,
)


def number_of(measure: Measure) -> str:
    """What models call the number."""
    return measure.name.removeprefix("population.")
