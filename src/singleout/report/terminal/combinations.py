"""Combinations of attributes for a person at a terminal: what to know first, then the sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from rich.table import Table

from singleout.engine.missing_values import MISSING_WORDS
from singleout.report.terminal.assess import risk_levels
from singleout.report.terminal.layout import bar, safe_text, share_text, short_number, show_page, titled_table
from singleout.risk.combinations.attacker_budget import PricedSets
from singleout.risk.combinations.attribute_sets import SkippedSets
from singleout.risk.combinations.cheapest_sets import CheapestSet
from singleout.risk.combinations.result import AllowableSets, Combinations, Synergies, set_name
from singleout.risk.combinations.set_risk import SetRisk
from singleout.risk.combinations.synergy import Synergy

SHOWN = 12
Shown = TypeVar("Shown")
DEFINITIONS = {
    "class": "the {who} with the same value combination; risk: 1 / {who} in the class, counted over records",
    "at risk": "in a class of {allow} or fewer {who}",
    "synergy": "{who} with the rarest of the values / {who} with all of them, counted over records",
    "SUDA": "points for each smallest set, (attributes - size)! each: more for smaller sets",
}


def show_combinations(found: Combinations) -> None:
    """The result on standard output, remarks on standard error."""
    size = f"{found.records:,} records of {found.people:,} people, {len(found.columns)} attributes"
    title = f"{found.source}: {size}"
    show_page(title, sentences(found), _tables(found), _definitions(found), found.remarks)


def sentences(found: Combinations) -> list[str]:
    """What to know of each part that was asked for."""
    texts: list[str] = []
    if found.allowable:
        texts += _about_risk(found, found.allowable)
    if found.synergies:
        texts.append(_about_synergy(found.synergies))
    if found.priced:
        texts += _about_price(found.priced)
    if found.cheapest:
        texts.append(_about_cheapest(found.cheapest))
    if found.written:
        written = found.written
        resumed = f", {written.resumed:,} of them counted before" if written.resumed else ""
        texts.append(f"{written.written:,} of {written.subsets:,} sets are in {written.out}{resumed}.")
        texts += [_gap_words(each) for each in written.not_looked_at]
    return texts


def _about_risk(found: Combinations, part: AllowableSets) -> list[str]:
    rule, bounded = _rule(part), bool(part.not_looked_at)
    looked = f"{part.evaluated:,} of {part.subsets:,} sets were counted"
    if not part.minimal:
        which = "set that was counted" if bounded else "set of attributes"
        texts = [f"No {which} is too risky ({rule}); {looked}."]
    elif not part.minimal[0].columns:
        texts = [f"There are so few people that every set is too risky ({rule}), even knowing nothing."]
    else:
        first = part.minimal[0]
        alike = sum(len(each.columns) == len(first.columns) for each in part.minimal)
        many = f"{len(part.minimal):,} sets are" if len(part.minimal) > 1 else "1 set is"
        worst = f"the riskiest of the {alike:,} smallest" if alike > 1 else "the smallest"
        others = ", the others hold one of these" if part.evaluated < part.subsets and not bounded else ""
        texts = [
            f"{many} just enough to be too risky ({rule}): {worst} is {set_name(first.columns)}, with "
            f"{share_text(first.people_at_risk / found.people)} of the people at risk; {looked}{others}."
        ]
    largest = max((len(each.columns) for each in part.safe), default=0)
    if part.minimal and largest:
        best = next(each for each in part.safe if len(each.columns) == largest)
        alike = sum(len(each.columns) == largest for each in part.safe)
        which = f"The safest of the {alike:,} largest safe sets" if alike > 1 else "The largest safe set"
        texts.append(f"{which}: {set_name(best.columns)}, smallest class {best.smallest_class:,}.")
    return texts + [_gap_words(each) for each in part.not_looked_at]


def _rule(part: AllowableSets) -> str:
    rule = part.criterion
    below = "fewer than" if rule.strict else "at most"
    if rule.kind == "mean":
        return f"average risk {'above' if rule.strict else 'at least'} 1/{rule.allow}"
    small = f"a class of {below} {rule.allow}"
    return small if rule.kind == "worst" else f"over {float(rule.share):.4g} of the records in {small}"


def _about_synergy(part: Synergies) -> str:
    times = f"more than {part.synergy:g} times riskier" if part.synergy > 1 else "riskier"
    if not part.combinations:
        none = f"None of the {part.looked_at:,} combinations of {part.size}"
        return f"{none} is {times} than its riskiest attribute."
    first = part.combinations[0]
    return (
        f"{len(part.combinations):,} of {part.looked_at:,} combinations of {part.size} are {times} than "
        f"their riskiest attribute for some record; {set_name(first.columns)} most of all: up to "
        f"{first.highest_synergy:,.4g} times."
    )


def _about_price(part: PricedSets) -> list[str]:
    if not part.curve:
        return []
    best = part.curve[-1]
    return [
        f"A resource of {_amount(part.resource)} buys {set_name(best.columns)}: average risk "
        f"{short_number(best.average_risk)}, {share_text(best.share_at_risk)} of the people at risk; "
        f"the highest risk, {short_number(best.highest_risk)}, is reached by "
        f"{set_name(best.highest_columns)}."
    ]


def _about_cheapest(part: CheapestSet) -> str:
    if part.columns is None or part.cost is None:
        which = "found is enough" if part.not_looked_at else "for sale is enough"
        return f"No knowledge {which}: {part.reason}."
    return (
        f"The cheapest knowledge that is enough costs {_amount(part.cost)}: {set_name(part.columns)} puts "
        f"{part.people_at_risk:,} of {part.people:,} people ({share_text(part.share)}) at risk."
    )


def _gap_words(gap: SkippedSets) -> str:
    most = "at most " if gap.at_most else ""
    return f"Not looked at: {most}{gap.sets:,} sets, for {gap.reason}."


def _tables(found: Combinations) -> Iterator[Table]:
    if found.allowable:
        bounded = bool(found.allowable.not_looked_at)
        more = "larger sets not looked at" if bounded else "too risky with any attribute more"
        if found.allowable.minimal:
            yield _sets("Just enough to be too risky", found.allowable.minimal, found.people)
        yield _sets(f"Safe, {more}", found.allowable.safe, found.people)
    if found.synergies and found.synergies.combinations:
        yield _synergies(found.synergies.combinations)
    if found.priced and found.priced.curve:
        yield _curve(found.priced)
    if found.priced:
        yield _affordable_sets(found.priced)
    for each in found.known:
        exposure, counted = each.by_people or each.by_records, "people" if each.by_people else "records"
        yield risk_levels(
            f"Who knows {safe_text(set_name(each.columns))}: records by risk", exposure, counted
        )
    for one in found.singled_out:
        yield _record_table(one.record, one.minimal, one.suda)
    if found.contributions:
        yield _contributions(found.contributions)


def _sets(title: str, sets: Sequence[SetRisk], people: int) -> Table:
    table = titled_table(f"{title}{_cut_note(sets)}")
    table.add_column("attributes", overflow="fold", min_width=12)
    for heading in ("smallest\nclass", "records\nat risk", "people\nat risk", "average\nrisk"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in sets[:SHOWN]:
        numbers = (short_number(each.smallest_class), short_number(each.records_at_risk))
        shares = (share_text(each.people_at_risk / people), short_number(each.average_risk))
        table.add_row(safe_text(set_name(each.columns)), *numbers, *shares, bar(each.average_risk))
    return table


def _synergies(found: Sequence[Synergy]) -> Table:
    table = titled_table(f"Riskier than their parts{_cut_note(found)}")
    table.add_column("attributes", overflow="fold", min_width=12)
    for heading in ("highest\nsynergy", "mean\nsynergy", "records\nabove", "highest\nrisk"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in found[:SHOWN]:
        numbers = (_times(each.highest_synergy), _times(each.mean_synergy), share_text(each.share))
        table.add_row(safe_text(set_name(each.columns)), *numbers, short_number(each.highest_risk))
    return table


def _curve(found: PricedSets) -> Table:
    """Every rise of the average risk, thinned out if there are many."""
    points = _thin_points(found.curve)
    left = f", {len(points)} of {len(found.curve)} steps" if len(points) < len(found.curve) else ""
    table = titled_table(f"What a resource buys{left}")
    table.add_column("from", justify="right", no_wrap=True)
    table.add_column("best knowledge", overflow="fold", min_width=12)
    for heading in ("average\nrisk", "people\nat risk"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("highest risk\nof any set", justify="right", no_wrap=True)
    for each in points:
        numbers = (short_number(each.average_risk), share_text(each.share_at_risk), bar(each.average_risk))
        bought = safe_text(set_name(each.columns))
        table.add_row(_amount(each.resource), bought, *numbers, short_number(each.highest_risk))
    return table


def _affordable_sets(found: PricedSets) -> Table:
    which = "nothing can be added" if found.maximal else "riskiest first"
    table = titled_table(f"Affordable sets, {which}{_cut_note(found.affordable, found.number)}")
    table.add_column("attributes", overflow="fold", min_width=12)
    for heading in ("cost", "highest\nrisk", "average\nrisk"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in found.affordable[:SHOWN]:
        risks = (short_number(each.risk.highest_risk), short_number(each.risk.average_risk))
        table.add_row(safe_text(set_name(each.risk.columns)), _amount(each.cost), *risks)
    return table


def _record_table(record: int, sets: Sequence[Sequence[str]], score: float | None) -> Table:
    exact = score is not None and score < 1e15
    points = "" if score is None else f", SUDA score {f'{score:,.0f}' if exact else f'{score:.3g}'}"
    table = titled_table(f"Record {record}: {len(sets):,} smallest sets{_cut_note(sets)}{points}")
    table.add_column("", overflow="fold")
    for each in sets[:SHOWN]:
        table.add_row(safe_text(set_name(each)))
    return table


def _contributions(found: dict[str, float | None]) -> Table:
    table = titled_table("Which attributes make records special: share of the SUDA scores")
    table.add_column("attribute", overflow="fold")
    table.add_column("share", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for name, part in sorted(found.items(), key=lambda each: -(each[1] or 0)):
        table.add_row(safe_text(name), "–" if part is None else share_text(part), bar(part or 0))
    return table


def _definitions(found: Combinations) -> Iterator[tuple[str, str]]:
    who = "people" if found.user else "records"
    asked: dict[str, Callable[[], object]] = {
        "class": lambda: True,
        "at risk": lambda: found.allowable or found.priced or found.cheapest,
        "synergy": lambda: found.synergies,
        "SUDA": lambda: found.contributions or any(each.suda is not None for each in found.singled_out),
    }
    for term, is_asked in asked.items():
        if is_asked():
            yield term, DEFINITIONS[term].format(who=who, allow=found.limit)
    yield "missing values", MISSING_WORDS[found.missing]


def _thin_points(points: Sequence[Shown]) -> list[Shown]:
    """The first and the last, and some in between."""
    if len(points) <= SHOWN:
        return list(points)
    return [points[index * (len(points) - 1) // (SHOWN - 1)] for index in range(SHOWN)]


def _cut_note(items: Sequence[object], number: int | None = None) -> str:
    total = len(items) if number is None else number
    if total <= SHOWN:
        return ""
    return f": {SHOWN} of {total:,} (--json has {'all' if total == len(items) else f'{len(items):,}'})"


def _times(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else short_number(number)


def _amount(cost: Fraction) -> str:
    return f"{float(cost):,.6g}"
