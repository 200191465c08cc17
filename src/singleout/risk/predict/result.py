"""The risk predicted from statistics: the result of `predict`, which every report is written from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from singleout.engine.missing_values import Missing
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.risk.predict.attribute_dependency import Dependency
from singleout.risk.predict.entropy_rules import Entropies, RuleCheck
from singleout.risk.predict.measures import PREDICTION_MEASURES
from singleout.risk.predict.people_prediction import PeoplePrediction
from singleout.risk.predict.statistics_files import KnownTuple

Method = Literal["closed_form", "random", "semi_random", "tree"]


@dataclass(frozen=True)
class MethodPrediction:
    """The ORR by one method. `low` and `high` bound the method's own mean, not its distance from the truth.

    `bound` is how far that mean may be off: of the closed form all its errors, else half a 95 % interval.
    `deviation` is the spread of the ORR of one data set that the method may draw; `error` how far the
    prediction is from the ORR of the data itself, where that is known. `sample_means` are those of Yang et
    al. 2020, Algorithm 1, one a sample, where data sets were shuffled.
    """

    method: Method
    orr: float
    low: float
    high: float
    bound: float
    deviation: float | None
    shuffles: int
    error: float | None = None
    notes: tuple[str, ...] = ()
    sample_means: tuple[float, ...] = ()


@dataclass(frozen=True)
class WhatIf:
    """The closed form's ORR after a change; with more records `high` lets new values come at today's rate."""

    change: str
    records: int
    columns: tuple[str, ...]
    orr: float
    low: float
    high: float


@dataclass(frozen=True)
class KeptPair:
    """A pair of columns whose table the tree keeps."""

    parent: str
    child: str
    information: float


@dataclass(frozen=True, repr=False)
class Prediction(TableResult):
    """What `predict` found: `predictions` by method, `dependencies`, `entropies` with the rules, `what_if`.

    `to_dict()` has everything with its definitions, `to_frame()` and `to_arrow()` one row a method.
    """

    source: str
    engine: str | None
    missing: Missing | None
    seed: int
    records: int
    columns: tuple[str, ...]
    values: tuple[int, ...]
    predictions: tuple[MethodPrediction, ...]
    recommended: Method
    orr: float | None
    entropies: Entropies
    rules: tuple[RuleCheck, ...]
    dependencies: tuple[Dependency, ...]
    tree: tuple[KeptPair, ...]
    frequent: tuple[KnownTuple, ...]
    frequent_total: int
    what_if: tuple[WhatIf, ...]
    remarks: tuple[str, ...]
    groups: tuple[Dependency, ...] = ()
    people: tuple[PeoplePrediction, ...] = ()
    people_risk: float | None = None

    def __repr__(self) -> str:
        risks = ", ".join(f"{each.method} {each.orr:.3g}" for each in self.predictions)
        size = f"{self.records:,} records × {len(self.columns)} columns"
        return f"<Prediction for {self.source}: {size}; {risks}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout predict --json`."""
        return {
            "source": self.source,
            "engine": self.engine,
            "missing": self.missing,
            "seed": self.seed,
            "records": self.records,
            "columns": list(self.columns),
            "values": dict(zip(self.columns, self.values, strict=True)),
            "predictions": [
                {**vars(each), "notes": list(each.notes), "sample_means": list(each.sample_means)}
                for each in self.predictions
            ],
            "recommended": self.recommended,
            **({} if self.orr is None else {"orr": self.orr}),
            "entropies": vars(self.entropies).copy(),
            "rules": [vars(each).copy() for each in self.rules],
            "dependencies": [_dependency(each) for each in self.dependencies],
            "groups": [_dependency(each) for each in self.groups],
            **self._in_people(),
            "tree": [vars(each).copy() for each in self.tree],
            "frequent_tuples": {
                "total": self.frequent_total,
                "first": [_tuple(each, self.records) for each in self.frequent],
            },
            "what_if": [{**vars(each), "columns": list(each.columns)} for each in self.what_if],
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in PREDICTION_MEASURES},
        }

    def _in_people(self) -> dict[str, Any]:
        if self.people_risk is None:
            return {}
        return {
            "by_people": {
                "risk": self.people_risk,
                "predictions": [vars(each).copy() for each in self.people],
            }
        }

    def table(self) -> ResultTable:
        """One row a method."""
        rows = tuple(
            (each.method, each.orr, each.low, each.high, each.deviation, each.error)
            for each in self.predictions
        )
        note = f"{self.records:,} records, {len(self.columns)} columns."
        return ResultTable("Predicted ORR (distinct rows / records)", _HEADINGS, rows, note)


_HEADINGS = (
    Heading("method", "method"),
    Heading("orr", "ORR", "expected number of distinct rows / records"),
    Heading("low", "low", "the method's own mean is at least this"),
    Heading("high", "high", "the method's own mean is at most this"),
    Heading("deviation", "one data set", "standard deviation of the ORR of one data set"),
    Heading("error", "error", "distance from the ORR of the data itself"),
)


def _dependency(each: Dependency) -> dict[str, Any]:
    return {
        "of": each.of,
        "on": each.on,
        "information": each.information,
        "gain_ratio": each.gain_ratio,
        "class": each.dependency,
    }


def _tuple(each: KnownTuple, records: int) -> dict[str, Any]:
    return {**vars(each), "support": each.frequency / records}
