"""The result of an assessment: one value that every report is written from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from singleout.engine.class_sizes import Sizes
from singleout.engine.missing_values import MISSING_WORDS, Missing
from singleout.measurement import Measurement
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.risk.assess.measures import ASSESSMENT_MEASURES
from singleout.risk.assess.sampling import CurvePoint, SampledRisk
from singleout.risk.attribute_risk import AttributeRisk
from singleout.risk.equivalence_classes import Classes, Exposure, Point
from singleout.risk.identifiers import Identifier


@dataclass(frozen=True)
class Attribute:
    """One attribute, or tuple of attributes, under the three models of paper 0; `sizes` are its values'."""

    risk: AttributeRisk
    sampling: SampledRisk | None
    curve: tuple[CurvePoint, ...] = ()
    sizes: Sizes | None = field(default=None, repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.risk.name


@dataclass(frozen=True)
class RiskiestAttributes:
    """The riskiest attribute by each model; `separated`: its sampling interval lies above all others."""

    exact: str
    low_cost: str | None
    sampling: str | None
    separated: bool | None


@dataclass(frozen=True, repr=False)
class Assessment(TableResult):
    """What `assess` found: `attributes` one by one, `classes` of all of them together, and `remarks`.

    `identifiers` are columns of the table that name people, whether they were assessed or not.

    `to_dict()` has everything with its definitions, `to_frame()` and `to_arrow()` one row an attribute.
    """

    source: str
    engine: str
    user: str | None
    missing: Missing
    seed: int
    records: int
    people: int
    attributes: tuple[Attribute, ...]
    riskiest: RiskiestAttributes | None
    classes: Classes | None
    remarks: tuple[str, ...]
    identifiers: tuple[Identifier, ...] = ()

    def __repr__(self) -> str:
        risks = ", ".join(f"{each.name} {each.risk.risk.known:.3g}" for each in self.attributes)
        size = f"{self.records:,} records of {self.people:,} people"
        return f"<Assessment of {self.source}: {size}; risk: {risks}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout assess --json`."""
        return {
            "source": self.source,
            "engine": self.engine,
            "user": self.user,
            "missing": self.missing,
            "seed": self.seed,
            "records": self.records,
            "people": self.people,
            "identifiers": [each.to_dict() for each in self.identifiers],
            "attributes": [_attribute(attribute) for attribute in self.attributes],
            "riskiest": self.riskiest.exact if self.riskiest else None,
            "riskiest_by_model": vars(self.riskiest).copy() if self.riskiest else None,
            "classes": _classes(self.classes),
            "curve": _curve(self.classes.by_records) if self.classes else [],
            "people_curve": _curve(self.classes.by_people) if self.classes and self.classes.by_people else [],
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in ASSESSMENT_MEASURES},
        }

    def table(self) -> ResultTable:
        """One row an attribute, riskiest first."""
        ranked = sorted(self.attributes, key=lambda each: -each.risk.risk.known)
        return ResultTable(
            "Risk of each attribute, to an attacker who learns one value of it",
            _HEADINGS,
            tuple(_row(attribute) for attribute in ranked),
            f"{self.records:,} records of {self.people:,} people; {MISSING_WORDS[self.missing]}.",
        )

    def classes_table(self) -> ResultTable:
        """The class measures, counted in records and, for a history, in people."""
        return _classes_table(self.classes)

    def _repr_html_(self) -> str:
        remarks = "".join(f"<li>{_escape_html(remark)}</li>" for remark in self.remarks)
        return (
            self.table()._repr_html_()
            + (self.classes_table()._repr_html_() if self.classes else "")
            + (f"<ul>{remarks}</ul>" if remarks else "")
        )


NO_USER = "no user column was named"
_BY_NAME = {measure.name: measure for measure in ASSESSMENT_MEASURES}


def _heading(name: str, title: str, measure: str) -> Heading:
    return Heading.of(name, title, _BY_NAME[measure])


_HEADINGS = (
    Heading("name", "attribute"),
    _heading("values", "values", "values"),
    _heading("alpha", "records a person", "alpha"),
    _heading("risk", "risk", "risk"),
    _heading("low_cost", "low-cost", "low_cost"),
    _heading("low_cost_error", "its error", "low_cost_error"),
    _heading("sampled", "sampled", "sampling.risk"),
    _heading("low", "low", "sampling.risk"),
    _heading("high", "high", "sampling.risk"),
)


def _row(attribute: Attribute) -> tuple[Any, ...]:
    risk, sampling = attribute.risk, attribute.sampling
    sampled = (sampling.risk, sampling.low, sampling.high) if sampling else (None, None, None)
    exact = (risk.values, risk.alpha, risk.risk, risk.low_cost, risk.low_cost_error)
    return (attribute.name, *(each.value for each in exact), *sampled)


def _attribute(attribute: Attribute) -> dict[str, Any]:
    risk = attribute.risk
    return {
        "name": attribute.name,
        "columns": list(risk.columns),
        "records": risk.records,
        **_values(
            risk.values, risk.alpha, risk.risk, risk.low_cost, risk.low_cost_error, risk.low_cost_floor
        ),
        "sampling": vars(attribute.sampling).copy() if attribute.sampling else None,
        "sample_curve": [vars(point).copy() for point in attribute.curve],
        "unknown": _reasons(risk.alpha, risk.low_cost, risk.low_cost_error, risk.low_cost_floor)
        | ({} if attribute.sampling else {"sampling": str(risk.low_cost.reason)}),
    }


def _classes(classes: Classes | None) -> dict[str, Any] | None:
    if classes is None:
        return None
    return {
        "columns": list(classes.columns),
        "records": classes.records,
        **_values(classes.classes, classes.entropy),
        **_exposure(classes.by_records),
        "people": _exposure(classes.by_people) if classes.by_people else None,
        "people_alone": classes.people_alone.value if classes.people_alone else None,
        "unknown": _reasons(*filter(None, (classes.classes, classes.entropy, classes.people_alone)))
        | ({} if classes.by_people else {"people": NO_USER, "people_alone": NO_USER}),
    }


def _exposure(exposure: Exposure) -> dict[str, Any]:
    return {
        "k": exposure.k.value,
        "unique": exposure.unique.value,
        "highest_risk": exposure.highest_risk.value,
        "average_risk": exposure.average_risk.value,
    }


def _classes_table(classes: Classes | None) -> ResultTable:
    headings = [Heading("measure", ""), Heading("records", "counted in records")]
    if classes is None:
        return ResultTable("All attributes together", tuple(headings), ())
    both = [(classes.by_records, "records")]
    if classes.by_people:
        headings.append(Heading("people", "counted in people"))
        both.append((classes.by_people, "people"))
    exposures = [exposure for exposure, _ in both]
    blank = (None,) * (len(exposures) - 1)
    rows: list[tuple[Any, ...]] = [
        ("value combinations (classes)", classes.classes.value, *blank),
        ("smallest class (k)", *(each.k.value for each in exposures)),
        ("records in a class of size 1", *(each.unique.value for each in exposures)),
        ("highest risk", *(each.highest_risk.value for each in exposures)),
        ("average risk over records", *(each.average_risk.value for each in exposures)),
        ("entropy in bits", classes.entropy.value, *blank),
    ]
    if classes.people_alone:
        rows.append(("people with a record only they have", None, classes.people_alone.value))
    return ResultTable("All attributes together", tuple(headings), tuple(rows))


def _values(*measurements: Measurement) -> dict[str, Any]:
    return {measurement.measure.name: measurement.value for measurement in measurements}


def _reasons(*measurements: Measurement) -> dict[str, str]:
    return {each.measure.name: each.reason for each in measurements if each.reason}


def _curve(exposure: Exposure) -> list[dict[str, float]]:
    return [_point(point) for point in exposure.curve]


def _point(point: Point) -> dict[str, float]:
    return {"risk": point.risk, "share": point.share}


def _escape_html(text: str) -> str:
    from html import escape

    return escape(text)
