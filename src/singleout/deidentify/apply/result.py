"""The result of applying a recipe, as one value: what each step changed, and what is released."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from singleout.deidentify.release import Release
from singleout.deidentify.seeds import told_seed
from singleout.recipe.steps.step import Unit
from singleout.result_table import Heading, ResultTable, TableResult

DEFINITIONS = {
    "records": "records of the history that was read",
    "people": "different people who have records there; an unknown one, whose name is missing, counts as one",
    "released_records": "records that are left when all steps are done",
    "released_people": "people who have some of them",
    "released_rows": "rows of the person table that are left",
    "changed": "by this step in this table, in units: values that are no longer what they were before it, or "
    "records, people or columns that are no longer there",
}


@dataclass(frozen=True)
class AppliedStep:
    """What a step did to one of the tables; `how` has no raw value in it."""

    step: str
    table: str
    columns: tuple[str, ...]
    changed: int
    unit: Unit
    how: str


@dataclass(frozen=True, repr=False)
class Application(TableResult):
    """What a recipe made of the tables. `columns` are those of the release, `people_columns` of the person
    table, `untouched` those of the release that hold what they held before.

    `out` is None if no file was written; `release` has what is in it, in memory. `to_dict()` has everything.
    """

    source: str
    people_source: str | None
    engine: str
    user: str | None
    seed: int
    order: str
    records: int
    people: int
    released_records: int
    released_people: int
    released_rows: int | None
    steps: tuple[AppliedStep, ...]
    columns: tuple[str, ...]
    people_columns: tuple[str, ...] | None
    untouched: tuple[str, ...]
    out: str | None
    people_out: str | None
    truth: str | None
    remarks: tuple[str, ...]
    release: Release = field(compare=False)

    def __repr__(self) -> str:
        steps = "1 step" if len(self.steps) == 1 else f"{len(self.steps)} steps"
        left = f"{self.released_records:,} of {self.records:,} records"
        return f"<Application of {steps} to {self.source}: {left} are left>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout deidentify apply --json`."""
        told = (each.name for each in fields(self) if each.name != "release")
        found = {name: getattr(self, name) for name in told}
        listed = ("columns", "people_columns", "untouched", "remarks")
        found |= {name: None if found[name] is None else list(found[name]) for name in listed}
        found["seed"] = told_seed(self.seed)
        found["steps"] = [{**asdict(each), "columns": list(each.columns)} for each in self.steps]
        return {**found, "definitions": DEFINITIONS}

    def table(self) -> ResultTable:
        """One row a step and table."""
        rows = tuple(
            (each.step, each.table, ", ".join(each.columns), each.changed, each.unit, each.how)
            for each in self.steps
        )
        note = f"{self.released_records:,} of {self.records:,} records are left"
        return ResultTable(f"Steps applied to {self.source}", HEADINGS, rows, note)


HEADINGS = (
    Heading("step", "step"),
    Heading("table", "table", "the history, or the person table"),
    Heading("columns", "columns", "those that the step is about"),
    Heading("changed", "changed", "how many, in units"),
    Heading("unit", "unit", "what is counted"),
    Heading("how", "how"),
)
