"""One line a value: its records, its people, and what learning it gives away (Ito et al. 2019, Table 3)."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Unpack, overload

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.engine.job_options import CountOptions
from singleout.engine.missing_values import Missing
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import open_session
from singleout.errors import UsageError
from singleout.measurement import Measure
from singleout.read.source import source
from singleout.risk.record_risks import check_list, listed

Counts = NDArray[numpy.int64]
EXACT_VALUES = "values are compared as they are written; what was changed otherwise is not found again"

VALUE_PROBABILITY = Measure(
    name="value.probability",
    title="Pr(x)",
    question="How likely is it that a record picked at random has the value?",
    formula="Pr(x) = |R_x| / m, always of the original",
    unit="probability",
    lowest=0,
    highest=1,
    better="neither",
    counted_over="records",
    reference="Ito et al. 2019, Definition 2",
)
VALUE_IDENTIFIED = Measure(
    name="value.identified",
    title="Pr(idf | x)",
    question="How likely does the value give away the person, once it is known?",
    formula="Pr(idf | x) = 1 / |U_x|",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    reference="Ito et al. 2019, Definition 3",
)
VALUE_ALPHA = Measure(
    name="value.alpha",
    title="records a person",
    question="How many records has a person with the value?",
    formula="α_x = |R_x| / |U_x|",
    unit="records",
    lowest=1,
    highest=None,
    better="lower",
    counted_over="people",
    reference="Ito et al. 2019, Definition 4",
)
VALUE_RISK = Measure(
    name="value.risk",
    title="part of the risk",
    question="How much of the attribute's risk comes from the value?",
    formula="Pr(x) · Pr(idf | x) = α_x / m; the values of an attribute add up to its risk",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Ito et al. 2019, Definition 5, Table 3",
)
RISK_AFTER = Measure(
    name="value.risk_after",
    title="risk after the change",
    question="Somebody knows a value of the original: how likely does it give away a person of the release?",
    formula="Σ over values x of Pr(x) of the original · 1/|U'_x| of the release; at most that and the "
    "Pr(x) of all values that the release does not have as they are",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Ito et al. 2019, Definition 2, Example 2",
)
VALUE_MEASURES = (VALUE_PROBABILITY, VALUE_IDENTIFIED, VALUE_ALPHA, VALUE_RISK, RISK_AFTER)


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """|R_x| and |U_x| of every value of a column; the most frequent first, then by their text."""

    column: str
    texts: tuple[str | None, ...]
    records: Counts
    people: Counts

    @property
    def total(self) -> int:
        return int(self.records.sum())

    @property
    def risk(self) -> float:
        return math.fsum((self.records / self.people).tolist()) / self.total


def value_counts(counter: Engine, column: str, person: str | None, missing: Missing) -> ValueCounts:
    """Of each value its records and its people; without people each record is one of its own."""
    question = Question((column,) if person is None else (column, person), None, missing)
    tuples = counter.tuples(question)
    texts = counter.values(column, question)
    records = tuples.frequencies(0)
    if person is None:
        people = records
    else:
        value, _, _ = tuples.pairs(0, 1)
        people = numpy.bincount(value, minlength=tuples.values[0]).astype(numpy.int64)
    order = sorted(range(len(texts)), key=lambda place: (-int(records[place]), texts[place] or ""))
    return ValueCounts(column, tuple(texts[place] for place in order), records[order], people[order])


@overload
def value_risks(
    data: Any, out: None = None, *, show_values: bool = False, **counting: Unpack[CountOptions]
) -> pyarrow.Table: ...
@overload
def value_risks(
    data: Any, out: str | PathLike[str], *, show_values: bool = False, **counting: Unpack[CountOptions]
) -> int: ...
def value_risks(
    data: Any,
    out: str | PathLike[str] | None = None,
    *,
    show_values: bool = False,
    **counting: Unpack[CountOptions],
) -> pyarrow.Table | int:
    """One line a value of each column, as a table; or written to a CSV or Parquet file, and then how many.

    `rank` 1 is the column's most frequent value; `records` and `people` are |R_x| and |U_x|, `probability` is
    Pr(x), `alpha` records a person, `identified` 1/|U_x|, `risk` the value's part of the column's. Raw values
    are added only with `show_values`. Ito et al. 2019, Table 3.
    """
    origin = source(data, csv=counting.get("csv"))
    check_list(out, origin, counting.get("missing", "value"))

    def batches() -> Generator[pyarrow.RecordBatch, None, None]:
        with open_session(origin, **counting) as (counter, plan, _):
            for column in plan.columns:
                yield _batch(value_counts(counter, column, plan.user, plan.missing), show_values)

    return listed(out, batches())


def _batch(counts: ValueCounts, show_values: bool) -> pyarrow.RecordBatch:
    alpha = counts.records / counts.people
    shown: Mapping[str, Any] = {"value": pyarrow.array(counts.texts, pyarrow.string())} if show_values else {}
    return pyarrow.RecordBatch.from_pydict(
        {
            "column": pyarrow.array([counts.column] * len(counts.texts), pyarrow.string()),
            "rank": pyarrow.array(range(1, len(counts.texts) + 1), pyarrow.int64()),
            **shown,
            "records": counts.records,
            "people": counts.people,
            "probability": counts.records / max(counts.total, 1),
            "alpha": alpha,
            "identified": 1 / counts.people,
            "risk": alpha / max(counts.total, 1),
        }
    )


@dataclass(frozen=True)
class RiskAfter:
    """One attribute before and after: `low` counts what was found again, `high` also what was not."""

    column: str
    before: float
    low: float
    high: float
    not_found: float

    def to_dict(self) -> dict[str, Any]:
        return vars(self).copy()


def risks_after(
    release: Any,
    original: Any,
    *,
    user: str | None = None,
    release_user: str | None = None,
    columns: Sequence[str] | None = None,
    missing: Missing = "value",
) -> tuple[RiskAfter, ...]:
    """How risky is each attribute after a change, to somebody who learned values of the original?

    The probability to learn a value is that of the original, before and after: Ito et al. 2019, Definition 2.
    Values are compared as they are written: of what the release has in another form, such as coarser, it is
    not known whom it gives away, so the risk is told from `low` (nobody) to `high` (everybody).
    A column of which no value of the original counts (`missing="drop"`) has no risk to tell, and is left out.

    >>> before = pyarrow.table({"who": [1, 2, 3, 3], "shop": ["a", "a", "b", "c"]})
    >>> after = pyarrow.table({"who": [1, 2, 3, 3], "shop": ["a", "a", "b", "d"]})
    >>> [(each.before, each.low, each.high) for each in risks_after(after, before, user="who")]
    [(0.75, 0.5, 0.75)]
    """
    if missing == "wildcard":
        raise UsageError("before and after needs each record to have one value; use missing value or drop")
    with open_session(original, user=user, columns=columns, missing=missing) as (counter, plan, _):
        before = [value_counts(counter, name, plan.user, missing) for name in plan.columns]
    person = release_user or plan.user or "none"
    with open_session(release, user=person, missing=missing) as (counter, changed, _):
        there = {column.name for column in counter.columns()}
        after = {
            each.column: value_counts(counter, each.column, changed.user, missing)
            for each in before
            if each.column in there
        }
    return tuple(_after(each, after.get(each.column)) for each in before if each.total)


def _after(before: ValueCounts, after: ValueCounts | None) -> RiskAfter:
    """A column that is not released gives nothing away by itself."""
    if after is None:
        return RiskAfter(before.column, before.risk, 0.0, 0.0, 0.0)
    people = dict(zip(after.texts, after.people.tolist(), strict=True))
    known = [
        (records / before.total, people.get(text))
        for text, records in zip(before.texts, before.records.tolist(), strict=True)
    ]
    low = math.fsum(share / there for share, there in known if there)
    lost = math.fsum(share for share, there in known if not there)
    return RiskAfter(before.column, before.risk, low, min(1.0, low + lost), lost)
