"""The result of an assessment: one value that every report is written from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from singleout.engine.class_sizes import Sizes
from singleout.engine.missing_values import MISSING_WORDS, Missing
from singleout.measurement import Measure, Measurement
from singleout.result_table import Heading, ResultTable, TableResult, html_list, table_size
from singleout.risk.assess.measures import ASSESSMENT_MEASURES
from singleout.risk.assess.sampling import CurvePoint, SampledRisk
from singleout.risk.attribute_disclosure import SENSITIVE_MEASURES, AttributeDisclosure
from singleout.risk.attribute_risk import AttributeRisk
from singleout.risk.equivalence_classes import Classes, Exposure, Point
from singleout.risk.identifiers import Identifier

if TYPE_CHECKING:
    import pandas
    import pyarrow


@dataclass(frozen=True)
class Attribute:
    """One attribute, or tuple of them, under the three models of Ito et al. 2019; `sizes` are its values'."""

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

    `sensitive` has what these classes give away of each sensitive column; `identifiers` are columns of the
    table that name people, whether they were assessed or not. `to_dict()` has everything with its
    definitions, `to_frame()` and `to_arrow()` one row an attribute.
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
    sensitive: tuple[AttributeDisclosure, ...] = ()
    identifiers: tuple[Identifier, ...] = ()

    def __repr__(self) -> str:
        risks = ", ".join(f"{each.name} {each.risk.risk.known:.3g}" for each in self.attributes)
        size = table_size(self.records, self.people)
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
            "sensitive": [each.to_dict() for each in self.sensitive],
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in self._measures},
        }

    @property
    def _measures(self) -> tuple[Measure, ...]:
        return (*ASSESSMENT_MEASURES, *(SENSITIVE_MEASURES if self.sensitive else ()))

    def table(self) -> ResultTable:
        """One row an attribute, riskiest first: the exact risk."""
        return self._models_table(_EXACT)

    def models_table(self) -> ResultTable:
        """The same with what the low-cost and the sampling model would say."""
        return self._models_table(len(_HEADINGS))

    def to_frame(self) -> pandas.DataFrame:
        """One row an attribute as a pandas frame, with the low-cost and the sampling model."""
        return self.models_table().to_frame()

    def to_arrow(self) -> pyarrow.Table:
        return self.models_table().to_arrow()

    def _models_table(self, columns: int) -> ResultTable:
        ranked = sorted(self.attributes, key=lambda each: -each.risk.risk.known)
        return ResultTable(
            "Risk of each attribute, to an attacker who learns one value of it",
            _HEADINGS[:columns],
            tuple(_row(attribute)[:columns] for attribute in ranked),
            f"{table_size(self.records, self.people)}; {MISSING_WORDS[self.missing]}.",
        )

    def classes_table(self) -> ResultTable:
        """The class measures, counted in records and, for a history, in people."""
        return _classes_table(self.classes)

    def sensitive_table(self) -> ResultTable:
        """One row a measure, a column for each sensitive column."""
        return _sensitive_table(self.sensitive)

    def _repr_html_(self) -> str:
        return (
            self.table()._repr_html_()
            + (self.classes_table()._repr_html_() if self.classes else "")
            + (self.sensitive_table()._repr_html_() if self.sensitive else "")
            + html_list(self.remarks)
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
# the first columns need no cheaper model
_EXACT = 4


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
        ("value combinations (equivalence classes)", classes.classes.value, *blank),
        ("smallest class (k-anonymity)", *(each.k.value for each in exposures)),
        ("records in a class of size 1", *(each.unique.value for each in exposures)),
        ("highest risk (prosecutor risk)", *(each.highest_risk.value for each in exposures)),
        ("average risk over records", *(each.average_risk.value for each in exposures)),
        ("entropy in bits", classes.entropy.value, *blank),
    ]
    if classes.people_alone:
        rows.append(("people with a record only they have", None, classes.people_alone.value))
    return ResultTable("All attributes together", tuple(headings), tuple(rows))


# in the order in which somebody reads them who asks first what is given away for certain
SENSITIVE_ROWS: dict[str, str] = {
    "certain_people": "people whose value follows from their class",
    "certain_share": "their share",
    "certain_records": "records in such classes",
    "certain_classes": "such classes (homogeneous)",
    "alpha": "surest guess in a class (α)",
    "skew": "most one-sided class (Cohen's h)",
    "rare_share": "share of people with a rare value",
    "distinct_l": "fewest different values (l-diversity)",
    "entropy_l": "fewest in effect (entropy l-diversity)",
    "recursive_c": "first beside rare values (c of (c,l)-diversity)",
    "t_equal": "farthest from the table (t-closeness)",
    "t_ordered": "the same, in order",
    "t_hierarchical": "the same, by hierarchy",
    "beta_basic": "highest gain (β-likeness)",
    "beta_enhanced": "the same, frequent values guarded (enhanced)",
    "delta": "widest ratio of shares (δ-disclosure)",
    "delta_of_present": "the same, of values that a class has",
}


def _sensitive_table(sensitive: tuple[AttributeDisclosure, ...]) -> ResultTable:
    headings = [Heading("measure", ""), *(Heading(each.column, each.column) for each in sensitive)]
    rows = tuple(
        (words, *(getattr(each, name).value for each in sensitive)) for name, words in SENSITIVE_ROWS.items()
    )
    return ResultTable("What a class gives away of each sensitive column", tuple(headings), rows)


def _values(*measurements: Measurement) -> dict[str, Any]:
    return {measurement.measure.name: measurement.value for measurement in measurements}


def _reasons(*measurements: Measurement) -> dict[str, str]:
    return {each.measure.name: each.reason for each in measurements if each.reason}


def _curve(exposure: Exposure) -> list[dict[str, float]]:
    return [_point(point) for point in exposure.curve]


def _point(point: Point) -> dict[str, float]:
    return {"risk": point.risk, "share": point.share}
