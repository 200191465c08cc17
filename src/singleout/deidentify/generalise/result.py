"""The result of a search for a generalisation, and of the release made by it, as one value."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.release import Release
from singleout.engine.missing_values import MISSING_WORDS, Missing
from singleout.measurement import Measure
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.risk.equivalence_classes import (
    AVERAGE_RISK,
    CLASSES,
    HIGHEST_RISK,
    PEOPLE_AVERAGE_RISK,
    PEOPLE_K,
    K,
)
from singleout.risk.l_diversity import DISTINCT_L
from singleout.risk.measures import SENSITIVE_MEASURES
from singleout.risk.t_closeness import T_EQUAL, T_HIERARCHICAL, T_ORDERED
from singleout.utility.information_loss import Loss


@dataclass(frozen=True)
class GeneralisedColumn:
    """What became of a column: `level` of `height`, its `rule`, how many values it has then and had.

    `example` is the label that most released records have, unless it is a raw value or `*`.
    """

    name: str
    level: int
    height: int
    rule: str
    example: str | None
    values: int
    values_before: int
    loss: float | None


@dataclass(frozen=True)
class Option:
    """Levels that reach the goals; `loss` tells how good they are."""

    levels: dict[str, int]
    loss: float
    suppressed: int
    classes: int
    discernibility: int


@dataclass(frozen=True)
class DiaryEntry:
    """One entry of the diary: what was done, to which columns, and how many records it changed."""

    step: str
    columns: tuple[str, ...]
    changed: int
    how: str


@dataclass(frozen=True, repr=False)
class Generalisation(TableResult):
    """The least lossy levels that reach the goals, as far as `optimal` says, and what they cost.

    `k` is the smallest released class in people (in records where no user is named), `bound` what every
    vector of levels loses at least, `seconds` how long the search took, `reference` how well released classes
    are hidden in a table of everybody. `release` is the release in memory; `to_dict()` has everything else.
    """

    source: str
    engine: str
    user: str | None
    missing: Missing
    seed: int
    records: int
    people: int
    goals: Goals
    loss_by: Loss
    attributes: tuple[GeneralisedColumn, ...]
    loss: float
    k: int
    classes: int
    average_risk: float
    suppressed: int
    released_people: int
    discernibility: int
    diversity: dict[str, int]
    closeness: dict[str, float]
    spread: dict[str, dict[str, float]]
    lattice: int
    evaluated: int
    optimal: bool
    bound: float
    alternatives: tuple[Option, ...]
    minimal: tuple[Option, ...] | None
    diary: tuple[DiaryEntry, ...]
    out: str | None
    written: int | None
    seconds: float
    remarks: tuple[str, ...]
    reference: dict[str, float] | None = None
    made: Release | None = field(default=None, compare=False)

    @property
    def release(self) -> Release:
        """What is in the file, in memory, whether or not one was named; made when it is first looked into."""
        assert self.made is not None
        return self.made

    @cached_property
    def levels(self) -> dict[str, int]:
        """The level of each column."""
        return {each.name: each.level for each in self.attributes}

    @property
    def released(self) -> int:
        """Records that are not suppressed."""
        return self.records - self.suppressed

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The definitions behind the numbers."""
        smallest, average = (K, AVERAGE_RISK) if self.user is None else (PEOPLE_K, PEOPLE_AVERAGE_RISK)
        return (self.loss_by.measure, smallest, CLASSES, HIGHEST_RISK, average)

    @property
    def sensitive_measures(self) -> dict[str, Measure]:
        """The definitions behind the numbers of sensitive columns, by what these are called here."""
        distance = {"equal": T_EQUAL, "ordered": T_ORDERED, "hierarchical": T_HIERARCHICAL}
        named = {"diversity": DISTINCT_L} if self.diversity else {}
        named |= {"closeness": distance[self.goals.closeness]} if self.closeness else {}
        by_name = {each.name.removeprefix("sensitive."): each for each in SENSITIVE_MEASURES}
        return named | {goal: by_name[goal] for numbers in self.spread.values() for goal in numbers}

    def __repr__(self) -> str:
        proven = "proven least" if self.optimal else f"at least {self.bound:.4g} is lost"
        return (
            f"<Generalisation of {self.source}: k = {self.k}, loss {self.loss:.4g} ({proven}), "
            f"{self.suppressed:,} of {self.records:,} records suppressed>"
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout deidentify generalise --json`."""
        return {
            "source": self.source,
            "engine": self.engine,
            "user": self.user,
            "missing": self.missing,
            "missing_rule": MISSING_WORDS[self.missing],
            "seed": self.seed,
            "records": self.records,
            "people": self.people,
            "goals": asdict(self.goals),
            "levels": self.levels,
            "attributes": [asdict(each) for each in self.attributes],
            "loss_by": self.loss_by.name,
            "weights": dict(self.loss_by.weights or {}),
            "loss": self.loss,
            "k": self.k,
            "classes": self.classes,
            "highest_risk": 1 / self.k,
            "average_risk": self.average_risk,
            "suppressed": self.suppressed,
            "released": self.released,
            "released_people": self.released_people,
            "discernibility": self.discernibility,
            "diversity": self.diversity,
            "closeness": self.closeness,
            "spread": self.spread,
            "reference": self.reference,
            "lattice": self.lattice,
            "evaluated": self.evaluated,
            "optimal": self.optimal,
            "bound": self.bound,
            "alternatives": [asdict(each) for each in self.alternatives],
            "minimal": None if self.minimal is None else [asdict(each) for each in self.minimal],
            "diary": [asdict(each) for each in self.diary],
            "out": self.out,
            "written": self.written,
            "remarks": list(self.remarks),
            "definitions": {
                name: measure.as_dict()
                for name, measure in [
                    *((measure.name, measure) for measure in self.measures),
                    *self.sensitive_measures.items(),
                ]
            },
        }

    def table(self) -> ResultTable:
        """One row a column."""
        rows = tuple(
            (each.name, each.level, each.height, each.rule, each.values, each.values_before, each.loss)
            for each in self.attributes
        )
        note = (
            f"k = {self.k}, loss {self.loss:.4g}, {self.suppressed:,} of {self.records:,} records suppressed"
        )
        return ResultTable(f"Generalisation of {self.source}", HEADINGS, rows, note)


HEADINGS = (
    Heading("name", "attribute"),
    Heading("level", "level", "0 is the finest"),
    Heading("height", "of", "the coarsest level"),
    Heading("rule", "rule", "what a value becomes"),
    Heading("values", "values", "distinct values in the release"),
    Heading("values_before", "before", "distinct values in the data"),
    Heading("loss", "loss", "what the attribute loses, from 0 to 1"),
)
