"""What coarser values would do to the risk, as tried on the data: of each column, and of all together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from singleout.investigation.remedies import Remedies, Trial
from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, marks, number, number_axis, row_axis, silent_marks
from singleout.report.charts.style import BLUE, PALE
from singleout.result_table import Cell, Heading, ResultTable
from singleout.risk.assess.result import Assessment
from singleout.risk.attribute_risk import RISK, VALUES
from singleout.risk.equivalence_classes import (
    AVERAGE_RISK,
    PEOPLE_ALONE,
    PEOPLE_AVERAGE_RISK,
    PEOPLE_K,
    PEOPLE_UNIQUE,
    UNIQUE,
    K,
)

MOST_TRIALS, MOST_ROWS = 40, 200
ADVISED = "all that is advised"
KINDS = {False: "as it is, or only tried", True: "advised"}


def trials(found: Remedies, untouched: Assessment | None = None) -> Chart | None:
    """How risky would each column be by itself, coarser and coarser? `untouched` has it as it is."""
    tried = found.trials[:MOST_TRIALS]
    if not tried:
        return None
    before = _untouched_rows(found, untouched)
    rows = _trial_rows(tried, before)
    values = [_record(name, row, found) for name, row in zip(_labels(rows), rows, strict=True)]
    left = len(found.trials) - len(tried)
    return Chart(
        name="trials",
        title="What coarser values would do to the risk of each attribute",
        says=_says(found, before),
        table=ResultTable(
            "Tried on the data, one attribute at a time",
            (
                Heading("trial", "trial"),
                Heading.of("values", "values", VALUES),
                Heading.of("risk", "its own risk", RISK),
                Heading("advised", "advised", "the finest that stays within the limit, else the coarsest"),
            ),
            tuple((row.words, row.values, row.risk, row.trial in found.chosen) for row in rows),
            f"The limit is {number(found.limit)}." + (f" {left:,} more were tried." if left else ""),
        ),
        spec=_spec(values, found.limit),
        measures=(RISK,),
    )


@dataclass(frozen=True)
class _Row:
    """A trial, or a column as it is."""

    column: str
    words: str
    values: int
    risk: float
    trial: Trial | None = None


def _untouched_rows(found: Remedies, untouched: Assessment | None) -> dict[str, _Row]:
    """The columns before anything is tried; without an assessment, only the riskiest one is known."""
    if untouched is None:
        known = [(found.before.column, found.before.values, found.before.risk)] if found.before else []
    else:
        single = [each.risk for each in untouched.attributes if len(each.risk.columns) == 1]
        known = [(each.name, int(each.values.known), each.risk.known) for each in single]
    return {column: _Row(column, f"{column} as it is", values, risk) for column, values, risk in known}


def _trial_rows(tried: Sequence[Trial], before: Mapping[str, _Row]) -> list[_Row]:
    """Each column as it is before its first trial."""
    rows: list[_Row] = []
    for each in tried:
        if each.column in before and (not rows or rows[-1].column != each.column):
            rows.append(before[each.column])
        rows.append(_Row(each.column, each.words, each.values, each.risk, each))
    return rows


def _labels(rows: Sequence[_Row]) -> list[str]:
    return layout.labels((row.words for row in rows), longest=34)


def _record(name: str, row: _Row, found: Remedies) -> dict[str, Any]:
    advised = row.trial in found.chosen
    return {
        "trial": name, "risk": row.risk,
        "shown": number(row.risk), "end": row.risk if row.risk > found.limit else found.limit,
        "kind": KINDS[advised],
        "said": f"{name}: risk {number(row.risk)}; {layout.plural(row.values, 'value', 'values')}"
        f"{'; advised' if advised else ''}",
    }  # fmt: skip


def _says(found: Remedies, before: Mapping[str, _Row]) -> str:
    effects = [
        f"{layout.short_name(each.words)} brings its risk "
        + (f"from {number(before[each.column].risk)} " if each.column in before else "")
        + f"to {number(each.risk)}"
        for each in found.chosen[:3]
    ]
    limit = f"The dashed line is the limit of {number(found.limit)}"
    return f"{limit}: {'; '.join(effects)}." if effects else f"{limit}; nothing that was tried is advised."


def _spec(values: Sequence[dict[str, Any]], limit: float) -> dict[str, Any]:
    names = [each["trial"] for each in values]
    top = max(limit, *(each["risk"] for each in values))
    x = number_axis("risk", "probability to name the person by one value", (0, top))
    drawn = _bars(values, names, x, "end")
    line = [{"limit": limit, "shown": f"limit {number(limit)}", "said": f"the limit: {number(limit)}"}]
    at = {"x": number_axis("limit"), "y": None}
    rule = marks("rule", at, strokeDash=[5, 3], strokeWidth=2)
    text = silent_marks("text", {**at, "y": {"value": -6}, "text": {"field": "shown"}}, align="left")
    return {
        **drawn,
        "layer": [*drawn["layer"], *({"data": {"values": line}, **each} for each in (rule, text))],
    }


def _bars(
    values: Sequence[dict[str, Any]], names: Sequence[str], x: layout.Encoding, field: str
) -> dict[str, Any]:
    fill = {
        "field": "kind", "type": "nominal", "scale": layout.scale(KINDS.values(), (PALE, BLUE)),
        "legend": {
            "title": None, "symbolType": layout.BLOCK, "symbolStrokeColor": BLUE, "offset": layout.ABOVE,
        },
    }  # fmt: skip
    bars = marks("bar", {"x": x, "fill": fill}, height=14, stroke=BLUE)
    text = silent_marks("text", {"x": number_axis(field), "text": {"field": "shown"}}, align="left", dx=5)
    return drawing(values, [bars, text], {"step": 23}, {"y": row_axis("trial", names, limit=200)}, right=64)


def combined_trials(found: Remedies) -> Chart | None:
    """What would each trial do to all columns together, and what all advised ones at once?

    Its table is all that was tried, with each column's own risk and that of all together.
    """
    if found.before is None or not found.trials:
        return None
    by_people = found.before.people_alone is not None
    alone = by_people and len({each.people_alone for each in _all_trials(found)}) > 1
    average = PEOPLE_AVERAGE_RISK if by_people else AVERAGE_RISK
    return Chart(
        name="trials-together",
        title="What coarser values would do to all attributes together",
        says=_combined_says(found.before, found.together, by_people),
        table=_combined_table(found, by_people),
        spec=_combined_spec(found, alone),
        measures=(PEOPLE_ALONE, average) if alone else (average,),
    )


def _all_trials(found: Remedies) -> list[Trial]:
    return [each for each in (found.before, *found.trials, found.together) if each is not None]


def _words(found: Remedies, each: Trial) -> str:
    return "as it is" if each is found.before else ADVISED if each is found.together else each.words


def _combined_spec(found: Remedies, alone: bool) -> dict[str, Any]:
    value: Callable[[Trial], float] = (
        (lambda each: each.people_alone or 0) if alone else (lambda each: each.average_risk)
    )
    shown = _all_trials(replace(found, trials=found.trials[:MOST_TRIALS]))
    names = layout.labels((_words(found, each) for each in shown), longest=34)
    advised = {*found.chosen, found.together}
    values = [
        _combined_record(name, value(each), each in advised, alone)
        for name, each in zip(names, shown, strict=True)
    ]
    title = "people with a record like nobody else's" if alone else "average risk over the records"
    x = number_axis("value", title, (0, max(map(value, shown)) or 1))
    return _bars(values, names, x, "value")


def _combined_record(name: str, value: float, advised: bool, alone: bool) -> dict[str, Any]:
    what = "people alone" if alone else "average risk"
    return {
        "trial": name, "value": value, "shown": number(value), "kind": KINDS[advised],
        "said": f"{name}: {what} {number(value)} of all attributes together{'; advised' if advised else ''}",
    }  # fmt: skip


def _combined_table(found: Remedies, by_people: bool) -> ResultTable:
    """All trials; the own risk of a column is none of everything as it is, nor of all advised ones."""
    k, unique, average = (
        (PEOPLE_K, PEOPLE_UNIQUE, PEOPLE_AVERAGE_RISK) if by_people else (K, UNIQUE, AVERAGE_RISK)
    )
    headings = (
        Heading("words", "what is released"),
        Heading.of("values", "its values", VALUES),
        Heading.of("risk", "its own risk", RISK),
        Heading.of("average_risk", "average risk of all together", average),
        Heading.of("k", "smallest class", k),
        Heading.of("unique", unique.title, unique),
        *([Heading.of("people_alone", "people who stand out", PEOPLE_ALONE)] if by_people else []),
        Heading("advised", "advised"),
    )
    rows = tuple(_row(found, each, by_people) for each in _all_trials(found)[:MOST_ROWS])
    left = len(_all_trials(found)) - len(rows)
    note = f"{left:,} more were tried." if left else ""
    return ResultTable("What was tried, and what it does to the risk", headings, rows, note)


def _row(found: Remedies, each: Trial, by_people: bool) -> tuple[Cell, ...]:
    of_all = each is found.before or each is found.together
    own: tuple[Cell, ...] = (None, None) if of_all else (each.values, each.risk)
    people: tuple[Cell, ...] = (each.people_alone,) if by_people else ()
    advised = each is found.together or (not of_all and each in found.chosen)
    return _words(found, each), *own, each.average_risk, each.k, each.unique, *people, advised


def _combined_says(before: Trial, together: Trial | None, by_people: bool) -> str:
    if together is None:
        return f"As it is, the average risk over the records is {number(before.average_risk)}."
    says = (
        f"All that is advised at once brings the average risk over the records from "
        f"{number(before.average_risk)} to {number(together.average_risk)}"
    )
    if not by_people:
        return f"{says}."
    if before.people_alone == together.people_alone:
        return f"{says}; still {before.people_alone:,} people have a record like nobody else's."
    return (
        f"{says}, and the people with a record like nobody else's from {before.people_alone:,} to "
        f"{together.people_alone:,}."
    )
