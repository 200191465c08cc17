"""Combinations of attributes for a person at a terminal: what to know first, then the sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from rich.table import Table

from singleout.engine.missing_values import MISSING_WORDS
from singleout.report.terminal.assess import risk_levels
from singleout.report.terminal.layout import bar, safe_text, share_text, short_number, show_page, titled_table
from singleout.result_table import table_size
from singleout.risk.combinations.attacker_budget import PricedSets
from singleout.risk.combinations.attribute_sets import SkippedSets
from singleout.risk.combinations.cheapest_sets import CheapestSet
from singleout.risk.combinations.result import AllowableSets, Combinations, Synergies, set_name
from singleout.risk.combinations.set_risk import SetRisk
from singleout.risk.combinations.synergy import Synergy

SHOWN = 12
Shown = TypeVar("Shown")
DEFINITIONS = {
    "class": "the {who} that share all values of a set (equivalence class); the smallest class is k "
    "(k-anonymity)",
    "risk": "1 / {who} in the class (prosecutor risk), counted over records",
    "at risk": "in a class of at most {allow} {who}",
    "synergy": "{who} with the rarest of the values / {who} with all of them, counted over records",
    "SUDA": "points for each smallest set (minimal sample unique), (attributes - size)! each",
}

GAP = "Not looked at"
ALONE = "alone in a class: with values that no other has"


def show_combinations(found: Combinations) -> None:
    """The result on standard output, remarks on standard error."""
    size = f"{table_size(found.records, found.people)}, {len(found.columns)} attributes"
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
        resumed = f", {written.resumed:,} of them counted by an earlier run" if written.resumed else ""
        texts.append(f"{written.out} holds {written.written:,} of {written.subsets:,} sets{resumed}.")
        texts += [_gap_words(each) for each in written.not_looked_at]
    return texts


def _about_risk(found: Combinations, part: AllowableSets) -> list[str]:
    rule, bounded = _rule(part, found.user is not None), bool(part.not_looked_at)
    known = f", besides {set_name(part.start)}," if part.start else ""
    looked = f"{part.evaluated:,} of {part.subsets:,} sets were counted"
    if not part.minimal:
        which = "No set that was counted is" if bounded else "No set of these attributes is"
        texts = [f"{which} too risky, which would mean that {rule}. {looked}."]
    elif not part.minimal[0].columns:
        texts = [f"There are so few people that every set is too risky, even knowing nothing: {rule}."]
    else:
        first = part.minimal[0]
        alike = sum(len(each.columns) == len(first.columns) for each in part.minimal)
        many = (
            f"{len(part.minimal):,} sets of attributes are too risky, and with any attribute less{known} "
            "they are not"
            if len(part.minimal) > 1
            else f"1 set of attributes is too risky, and with any attribute less{known} it is not"
        )
        worst = f", the riskiest of these {alike:,} smallest sets," if alike > 1 else ""
        rest = "; the others contain one of these and are too risky too"
        others = rest if part.evaluated < part.subsets and not bounded else ""
        texts = [
            f"{many} (minimal unsafe sets). Too risky means that {rule}.",
            f"Knowledge of {set_name(first.columns)}{worst} puts "
            f"{share_text(first.people_at_risk / found.people)} of the people at risk. {looked}{others}.",
        ]
    texts += _about_largest(found, part)
    return texts + [_gap_words(each) for each in part.not_looked_at]


def _about_largest(found: Combinations, part: AllowableSets) -> Iterator[str]:
    """The most that somebody may know within the rule, which by share or mean may still single people out."""
    largest = max((len(each.columns) for each in part.safe), default=0)
    if not part.minimal or not largest:
        if part.minimal and part.minimal[0].columns and not part.safe and not part.not_looked_at:
            yield "The rule allows none of the sets."
        return
    best = next(each for each in part.safe if len(each.columns) == largest)
    alike = sum(len(each.columns) == largest for each in part.safe)
    which = f"The least risky of the {alike:,} largest sets" if alike > 1 else "The largest set"
    at_risk = share_text(best.people_at_risk / found.people)
    still = f", and {at_risk} of the people are at risk" if best.people_at_risk else ""
    yield (
        f"{which} that the rule allows is {set_name(best.columns)}: its smallest class (k) has "
        f"{best.smallest_class:,}{still}."
    )


def _rule(part: AllowableSets, of_people: bool) -> str:
    rule = part.criterion
    if rule.kind == "mean":
        return f"the average risk is {'above' if rule.strict else 'at least'} 1/{rule.allow}"
    most = rule.allow - 1 if rule.strict else rule.allow
    who = "people" if of_people else "records"
    if rule.kind == "share":
        return (
            f"more than {share_text(float(rule.share))} of the records are in a class of at most "
            f"{most:,} {who}"
        )
    if most == 1:
        return f"some {'person' if of_people else 'record'} has values that no other has (k = 1)"
    return f"some class has at most {most:,} {who} (k-anonymity with k = {most + 1:,} fails)"


def _about_synergy(part: Synergies) -> str:
    times = f"more than {part.synergy:g} times as risky as" if part.synergy > 1 else "riskier than"
    if not part.combinations:
        none = f"None of the {part.looked_at:,} combinations of {part.size} attributes"
        return f"{none} is {times} its riskiest attribute (synergy)."
    first = part.combinations[0]
    return (
        f"{len(part.combinations):,} of {part.looked_at:,} combinations of {part.size} attributes are, for "
        f"some record, {times} their riskiest attribute (synergy). {set_name(first.columns)} is the worst: "
        f"up to {first.highest_synergy:,.4g} times as risky."
    )


def _about_price(part: PricedSets) -> list[str]:
    if not part.curve:
        return []
    best = part.curve[-1]
    return [
        f"An attacker who can spend {_amount(part.resource)} gets furthest by knowing "
        f"{set_name(best.columns)}: the average risk is then {short_number(best.average_risk)}, and "
        f"{share_text(best.share_at_risk)} of the people are at risk. The record that is easiest to find has "
        f"the risk {short_number(best.highest_risk)}, by {set_name(best.highest_columns)}."
    ]


def _about_cheapest(part: CheapestSet) -> str:
    if part.columns is None or part.cost is None:
        which = "was found that puts" if part.not_looked_at else "puts"
        return f"No set of attributes {which} as many people at risk as was asked: {part.reason}."
    return (
        f"The cheapest knowledge that puts as many people at risk as was asked costs {_amount(part.cost)}: "
        f"{set_name(part.columns)}, by which {part.people_at_risk:,} of {part.people:,} "
        f"({share_text(part.share)}) are."
    )


def _gap_words(gap: SkippedSets) -> str:
    most = "at most " if gap.at_most else ""
    return f"{GAP}: {most}{gap.sets:,} sets, because {gap.reason}."


def _tables(found: Combinations) -> Iterator[Table]:
    if found.allowable:
        bounded = bool(found.allowable.not_looked_at)
        more = "larger sets were not looked at" if bounded else "but not with any attribute more"
        if found.allowable.minimal:
            yield _sets("Too risky, but not with any attribute less", found.allowable.minimal, found.people)
        if found.allowable.safe:
            yield _sets(f"Allowed by the rule, {more}", found.allowable.safe, found.people)
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
    table = titled_table(f"How far an attacker gets who can spend so much{left}")
    table.add_column("from", justify="right", no_wrap=True)
    table.add_column("attributes", overflow="fold", min_width=12)
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
    which = "to which nothing can be added" if found.maximal else "riskiest first"
    table = titled_table(
        f"What an attacker can afford to know, {which}{_cut_note(found.affordable, found.number)}"
    )
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
    sets_text = "1 smallest set" if len(sets) == 1 else f"{len(sets):,} smallest sets"
    table = titled_table(f"Record {record} is singled out by {sets_text}{_cut_note(sets)}{points}")
    table.add_column("", overflow="fold")
    for each in sets[:SHOWN]:
        table.add_row(safe_text(set_name(each)))
    return table


def _contributions(found: dict[str, float | None]) -> Table:
    table = titled_table("Which attributes make records special: their share of the SUDA scores")
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
        "risk": lambda: True,
        "at risk": lambda: found.allowable or found.priced or found.cheapest,
        "synergy": lambda: found.synergies,
        "SUDA": lambda: found.contributions or any(each.suda is not None for each in found.singled_out),
    }
    for term, is_asked in asked.items():
        if is_asked():
            meaning = ALONE if term == "at risk" and found.limit == 1 else DEFINITIONS[term]
            yield term, meaning.format(who=who, allow=found.limit)
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
