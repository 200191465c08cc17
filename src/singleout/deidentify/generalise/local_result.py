"""The result of local recoding: which levels how many records have, and what that loses."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.result import DiaryEntry
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
from singleout.utility.information_loss import Loss


@dataclass(frozen=True)
class LocalColumn:
    """How many records a column has at each level, from the finest, and what it loses in all."""

    name: str
    records: tuple[int, ...]
    values_before: int
    values: int
    loss: float


@dataclass(frozen=True)
class RecodingRound:
    """Records that have the same levels; `loss` is theirs."""

    levels: dict[str, int]
    records: int
    loss: float


@dataclass(frozen=True, repr=False)
class LocalGeneralisation(TableResult):
    """Records at different levels, so that every class reaches the goals.

    `rounds` have the records by their levels, the least lossy first; `bound` is what every way to generalise
    these records loses at least. The release was found by rules of thumb: another may lose less. `reference`
    is how well released classes are hidden in a table of everybody, where there is one.
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
    attributes: tuple[LocalColumn, ...]
    rounds: tuple[RecodingRound, ...]
    loss: float
    bound: float
    k: int
    classes: int
    average_risk: float
    suppressed: int
    released_people: int
    diversity: dict[str, int]
    closeness: dict[str, float]
    lattice: int
    tried: int
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

    @property
    def released(self) -> int:
        return self.records - self.suppressed

    @property
    def measures(self) -> tuple[Measure, ...]:
        of_people = self.user is not None
        return (
            self.loss_by.measure,
            PEOPLE_K if of_people else K,
            CLASSES,
            HIGHEST_RISK,
            PEOPLE_AVERAGE_RISK if of_people else AVERAGE_RISK,
        )

    def __repr__(self) -> str:
        return (
            f"<LocalGeneralisation of {self.source}: k = {self.k}, loss {self.loss:.4g} (at least "
            f"{self.bound:.4g} is lost), {self.suppressed:,} of {self.records:,} records suppressed>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, in plain lists and numbers."""
        return {
            "command": "deidentify generalise",
            "local": True,
            "source": self.source,
            "engine": self.engine,
            "user": self.user,
            "missing": self.missing,
            "missing_rule": MISSING_WORDS[self.missing],
            "seed": self.seed,
            "records": self.records,
            "people": self.people,
            "goals": asdict(self.goals),
            "rounds": [asdict(each) for each in self.rounds],
            "attributes": [asdict(each) for each in self.attributes],
            "loss_by": self.loss_by.name,
            "weights": dict(self.loss_by.weights or {}),
            "loss": self.loss,
            "bound": self.bound,
            "optimal": False,
            "k": self.k,
            "classes": self.classes,
            "highest_risk": 1 / self.k,
            "average_risk": self.average_risk,
            "suppressed": self.suppressed,
            "released": self.released,
            "released_people": self.released_people,
            "diversity": self.diversity,
            "closeness": self.closeness,
            "reference": self.reference,
            "lattice": self.lattice,
            "tried": self.tried,
            "diary": [asdict(each) for each in self.diary],
            "out": self.out,
            "written": self.written,
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in self.measures},
        }

    def table(self) -> ResultTable:
        """One row a column."""
        rows = tuple(
            (
                each.name,
                ", ".join(f"{count:,}" for count in each.records),
                each.values,
                each.values_before,
                each.loss,
            )
            for each in self.attributes
        )
        note = (
            f"k = {self.k}, loss {self.loss:.4g}, {self.suppressed:,} of {self.records:,} records suppressed"
        )
        return ResultTable(f"Local recoding of {self.source}", HEADINGS, rows, note)


HEADINGS = (
    Heading("name", "attribute"),
    Heading("records", "records at each level", "from the finest on"),
    Heading("values", "values", "distinct values in the release"),
    Heading("values_before", "before", "distinct values in the data"),
    Heading("loss", "loss", "what the attribute loses, from 0 to 1"),
)
