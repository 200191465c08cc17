"""Charts of sets of attributes: pairs, the smallest sets that are too risky, and what a budget reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from singleout.report.charts import layout
from singleout.report.charts.budget_curve import steps
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, marks, number, number_axis, plural, row_axis, silent_marks
from singleout.report.charts.pair_heat_map import heat_map
from singleout.result_table import Heading, ResultTable
from singleout.risk.combinations.attacker_budget import PricedSets
from singleout.risk.combinations.budget_curve import Reach
from singleout.risk.combinations.result import Combinations, set_name
from singleout.risk.combinations.set_risk import (
    AVERAGE_RISK,
    HIGHEST_RISK,
    PEOPLE_AT_RISK,
    RECORDS_AT_RISK,
    SMALLEST_CLASS,
    SetRisk,
)

MOST_COLUMNS, MOST_SETS, STEPS = 20, 20, 50
COLUMNS = Heading("columns", "attributes")
EACH_IS_1 = "each attribute costs 1"


def pairs_heat_map(pairs: Combinations) -> Chart | None:
    """How risky is each pair of attributes, beside each attribute alone?"""
    if pairs.priced is None:
        return None
    risks = {each.risk.columns: each.risk for each in pairs.priced.affordable}
    alone = sorted((each for each in risks.values() if len(each.columns) == 1), key=_safety)
    names = [each.columns[0] for each in alone[:MOST_COLUMNS]]
    found = [each for each in risks.values() if len(each.columns) in (1, 2) and {*each.columns} <= {*names}]
    if not any(len(each.columns) == 2 for each in found):
        return None
    return Chart(
        name="pairs",
        title="Average risk of each pair of attributes",
        says=_pairs_say([each for each in found if len(each.columns) == 2], risks),
        table=_pairs_table(found, len(alone) - len(names)),
        spec=heat_map(names, {frozenset(each.columns): each for each in found}),
        measures=(AVERAGE_RISK,),
    )


def _safety(risk: SetRisk) -> float:
    return -risk.average_risk


def _pairs_table(found: Sequence[SetRisk], left: int) -> ResultTable:
    return ResultTable(
        "Pairs and single attributes, riskiest first",
        (
            COLUMNS,
            Heading.of("average_risk", "average risk", AVERAGE_RISK),
            Heading.of("highest_risk", "highest risk", HIGHEST_RISK),
            Heading.of("smallest_class", "smallest class", SMALLEST_CLASS),
        ),
        tuple(
            (set_name(each.columns), each.average_risk, each.highest_risk, each.smallest_class)
            for each in sorted(found, key=_safety)
        ),
        f"Without {plural(left, 'attribute', 'attributes')} less risky alone." if left else "",
    )


def _pairs_say(pairs: Sequence[SetRisk], risks: dict[tuple[str, ...], SetRisk]) -> str:
    worst = max(pairs, key=lambda each: each.average_risk)
    alone = " and ".join(number(risks[column,].average_risk) for column in worst.columns)
    one, other = map(layout.short_name, worst.columns)
    return (
        f"The riskiest pair is {one} with {other}: together they name the person of a record with "
        f"probability {number(worst.average_risk)} on average, each alone with {alone}. "
        "The darker, the riskier, from nearly white for 0 to dark blue for 1; on the diagonal stands each "
        "attribute alone."
    )


def minimal_sets(sets: Combinations) -> Chart | None:
    """Which smallest sets of attributes are too risky, and how many are at risk by each?"""
    if sets.allowable is None or not sets.allowable.minimal:
        return None
    ranked = sorted(sets.allowable.minimal, key=lambda each: (-_at_risk(sets, each), -each.average_risk))
    shown = ranked[:MOST_SETS]
    return Chart(
        name="minimal-sets",
        title="The smallest sets of attributes that are too risky",
        says=_minimal_say(sets, shown[0], len(ranked)),
        table=_minimal_table(ranked, len(shown)),
        spec=_minimal_bars(sets, shown),
        measures=(PEOPLE_AT_RISK if sets.user else RECORDS_AT_RISK, SMALLEST_CLASS),
    )


def _at_risk(sets: Combinations, each: SetRisk) -> int:
    return each.people_at_risk if sets.user else each.records_at_risk


def _counted_unit(sets: Combinations) -> tuple[str, str, int]:
    """Who is counted: one, several, and how many there are."""
    return ("person", "people", sets.people) if sets.user else ("record", "records", sets.records)


def _minimal_bars(sets: Combinations, shown: Sequence[SetRisk]) -> dict[str, Any]:
    one, more, total = _counted_unit(sets)
    names = layout.labels((set_name(each.columns) for each in shown), longest=36)
    values = [
        {
            "set": name, "at_risk": _at_risk(sets, each), "shown": f"{_at_risk(sets, each):,}",
            "said": f"{name}: {_at_risk(sets, each):,} of {plural(total, one, more)} at risk; average risk "
            f"{number(each.average_risk)}",
        }
        for name, each in zip(names, shown, strict=True)
    ]  # fmt: skip
    title = f"{more} in a class of at most {plural(sets.limit, one, more)}"
    x = number_axis("at_risk", title, (0, max(1, *(_at_risk(sets, each) for each in shown))))
    text = silent_marks("text", {"x": number_axis("at_risk"), "text": {"field": "shown"}}, align="left", dx=5)
    bars = marks("bar", {"x": x}, height=15)
    return drawing(values, [bars, text], {"step": 24}, {"y": row_axis("set", names, 210)}, 52)


def _minimal_say(sets: Combinations, worst: SetRisk, number_of: int) -> str:
    one, more, total = _counted_unit(sets)
    at_risk = _at_risk(sets, worst)
    fewest = min(len(each.columns) for each in sets.allowable.minimal) if sets.allowable else 0
    return (
        f"{plural(number_of, 'set is', 'sets are')} too risky with nothing to spare (minimal unsafe "
        "sets); the "
        f"smallest have {plural(fewest, 'attribute', 'attributes')}. "
        f"Most are at risk by {layout.short_name(set_name(worst.columns))}: "
        f"{at_risk:,} of {plural(total, one, more)} ({layout.share(at_risk / total)}) "
        f"{'has' if at_risk == 1 else 'have'} a {'value' if len(worst.columns) == 1 else 'combination'} that "
        f"{_others_words(sets)}."
    )


def _others_words(sets: Combinations) -> str:
    """Who has the same as one that is at risk."""
    others = sets.limit - 1
    if others < 1:
        return "nobody else has" if sets.user else "no other record has"
    if others == 1:
        return f"at most 1 other {'person' if sets.user else 'record'} has"
    return f"at most {others:,} other {'people' if sets.user else 'records'} have"


def _minimal_table(ranked: Sequence[SetRisk], drawn: int) -> ResultTable:
    more = len(ranked) - drawn
    return ResultTable(
        "Smallest sets that are too risky, riskiest first",
        (
            COLUMNS,
            Heading.of("people_at_risk", "people at risk", PEOPLE_AT_RISK),
            Heading.of("records_at_risk", "records at risk", RECORDS_AT_RISK),
            Heading.of("smallest_class", "smallest class", SMALLEST_CLASS),
            Heading.of("average_risk", "average risk", AVERAGE_RISK),
        ),
        tuple(
            (
                set_name(each.columns), each.people_at_risk, each.records_at_risk, each.smallest_class,
                each.average_risk,
            )
            for each in ranked[:drawn]
        ),
        f"{more:,} more are not shown." if more else "",
    )  # fmt: skip


def budget_curve(sets: Combinations) -> Chart | None:
    """What risk does an attacker reach with a budget, if the right attributes are bought?"""
    if sets.priced is None or not sets.priced.curve:
        return None
    curve = sets.priced.curve
    kept = [curve[index] for index in layout.thin_points(_curve_points(curve), STEPS)]
    return Chart(
        name="budget",
        title="How far an attacker gets with a budget",
        says=_budget_says(curve, sets.priced),
        table=ResultTable(
            "What serves an attacker best, by budget",
            (
                Heading("resource", "budget", f"what the attributes cost together: {_pricing(sets.priced)}"),
                Heading("columns", "attributes with the highest average"),
                Heading.of("average_risk", "average risk", AVERAGE_RISK),
                Heading("highest_columns", "attributes with the highest risk"),
                Heading.of("highest_risk", "highest risk", HIGHEST_RISK),
            ),
            tuple(
                (
                    float(each.resource), set_name(each.columns), each.average_risk,
                    set_name(each.highest_columns), each.highest_risk,
                )
                for each in kept
            ),
            "" if len(kept) == len(curve) else f"{len(kept)} of {len(curve):,} steps.",
        ),
        spec=steps(kept, _end(curve, float(sets.priced.resource)), _pricing(sets.priced)),
        measures=(AVERAGE_RISK, HIGHEST_RISK),
    )  # fmt: skip


def _curve_points(curve: Sequence[Reach]) -> list[tuple[float, float]]:
    return [(float(each.resource), each.average_risk) for each in curve]


def _end(curve: Sequence[Reach], resource: float) -> float:
    """A little further than the last step, if that is still affordable."""
    last = float(curve[-1].resource)
    return max(last, min(resource, 1.25 * last)) or resource or 1.0


def _pricing(priced: PricedSets) -> str:
    return EACH_IS_1 if all(cost == 1 for _, cost in priced.costs) else "at the given costs"


def _budget_says(curve: Sequence[Reach], priced: PricedSets) -> str:
    each_is_1 = _pricing(priced) == EACH_IS_1
    costs = "Each attribute is taken to cost 1." if each_is_1 else "Attributes cost what was given for them."
    half = next((each for each in curve if each.average_risk >= curve[-1].average_risk / 2), curve[-1])
    return (
        f"{costs} An attacker who can spend {number(float(half.resource))} learns "
        f"{layout.short_name(set_name(half.columns))} and names the person of a record with probability "
        f"{number(half.average_risk)} on average. Whoever can spend "
        f"{number(float(curve[-1].resource))} reaches "
        f"{number(curve[-1].average_risk)}."
    )
