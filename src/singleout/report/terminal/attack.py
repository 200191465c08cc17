"""Attacks for a person at a terminal: what the best of them recognises, then each and what it knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rich.table import Table

from singleout.attacks.alignment.column_comparison import ColumnComparison
from singleout.attacks.attack_run import ONE_TO_ONE
from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.attempt import Attempt
from singleout.attacks.result import COVERS, Reidentification
from singleout.attacks.unicity.known_points import Narrowed
from singleout.engine.missing_values import MISSING_WORDS
from singleout.report.charts.attack_rates import shown_name
from singleout.report.terminal.layout import (
    bar,
    safe_text,
    share_text,
    short_number,
    show_page,
    sparks,
    titled_table,
)
from singleout.report.wording import whole_sentence
from singleout.roles.known_column import KnownColumn

NOT_LOOKED_AT = (
    "Not all values of {} could be compared with the original's, so the risk is unknown: whoever knows how "
    "they were changed may recognise more."
)
OTHERS_RECORDS = (
    "People have records in the release that the original does not have of them, such as dummies: whoever "
    "tells them from the others better than these attacks do may recognise more."
)
LEFT_OUT = (
    "People lack records in the release that the original has of them: whoever knows how they were left out, "
    "or how likely each was to stay, may recognise more."
)
CHOSEN_PEOPLE = (
    "People of the original are not in the release: whoever knows how they were chosen looks for the others "
    "among fewer, and may recognise more."
)
SEVERAL_NAMES = (
    "Records of one person stand under several names: whoever knows how they were divided among these may "
    "recognise more."
)
OTHER_RECORDS = (
    "Both periods hold other records of the same people, which agree in habits alone: whoever weighs these "
    "better than the attacks made here may recognise more."
)
OF_ITS_RECORD = re.compile(r"\d+ (?:random|different) records? of the person by (.*)")
WEIGHED_SHARE = (
    "Of a share of the records the attacks made here compare sums and likenesses: whoever weighs who is "
    "likeliest to have just these may recognise more, which a rule of check on attack.best.rate with a share "
    "asks."
)
KNOWS = re.compile("^the attacker knows,? ")
DEFINITIONS = (
    ("rate", "share of the people of the release whom the attack recognises (re-identification rate)"),
    ("people", "how many people that are; equally good candidates share the credit"),
    (
        "bound",
        "no attack with this knowledge exceeds it on average: people who look alike get the same guess",
    ),
    ("top 5", "share of the people for whom the right one is among the 5 best candidates"),
)
POINTS = (
    (
        "candidate",
        "a person of the release whom most of the known records fit, if any do; a single one may be wrong",
    ),
)
HOWS = {
    "equal": "equal", "form": "by form", "hierarchy": "by level", "replayed": "replayed",
    "likelihood": "by likelihood", "gaps": "by gaps", "role": "by role", "none": "not",
}  # fmt: skip
BY_SHARE = (("@25%", "with a random 25% of each person's records known, rounded up"),)
BY_PAIRS = (("1:1", "guesses in which nobody is named twice, those who look alike sharing the credit"),)


def show_attack(found: Reidentification) -> None:
    """The result on standard output, remarks on standard error."""
    found = without_repeats(found)
    who = f"{found.people:,} people of the release, {found.original_people:,} of the original"
    definitions = [
        *DEFINITIONS,
        *(BY_SHARE if any(each.share < 1 for each in found.attacks) else ()),
        *(BY_PAIRS if any(ONE_TO_ONE in each.name for each in found.attacks) else ()),
        *(POINTS if found.unicity else ()),
        ("interval", f"95% (Wilson); it covers {COVERS}"),
        ("missing", MISSING_WORDS[found.missing]),
    ]
    show_page(f"{found.release}: {who}", sentences(found), _tables(found), definitions, found.remarks)


def without_repeats(found: Reidentification) -> Reidentification:
    """Who has one record has no second: where more known records tell the same, they are told once."""
    told: dict[object, set[tuple[float, float]]] = {}
    for each in found.unicity:
        told.setdefault((each.columns, each.worst), set()).add((each.unique, each.most.rate))
    if found.user is not None or any(len(numbers) > 1 for numbers in told.values()):
        return found
    least = min((each.points for each in found.unicity), default=None)
    shown = [
        each
        for each in found.attacks
        if each.name != "best" and (each.points in (None, least) or each is found.most)
    ]
    told_once = [
        replace(each, knowledge=OF_ITS_RECORD.sub(r"\1 of the person's record", each.knowledge))
        for each in shown
    ]
    return replace(
        found,
        unicity=tuple(each for each in found.unicity if each.points == least),
        attacks=(*told_once, *([found.best] if found.best else [])),
    )


def sentences(found: Reidentification) -> list[str]:
    """The best attack, what limits it, what is not known, and how few known records are enough."""
    texts = [_bestwhole_sentence(found.most), *limit(found.most, found.made_up)] if found.most else []
    return [
        *texts,
        *_of_real_people(found),
        *unknown_rest(found.best),
        *of_a_share(found.attacks),
        *few_records(found),
    ]


def _of_real_people(found: Reidentification) -> Iterator[str]:
    """What made-up people, and those without a record, hide in a rate over all."""
    real = int(found.real.sum())
    if found.most and real < found.people and real:
        among = found.most.among(found.real)
        yield (
            f"Only {real:,} of the {found.people:,} people have an original and a record; of these it "
            f"recognises {share_text(among.rate)}."
        )


def unknown_rest(best: Attempt | None) -> Iterator[str]:
    """What lies between the best attack and the ceiling, and which columns nobody looked at."""
    if best is None:
        return
    if best.bound is not None and share_text(best.bound) != share_text(best.rate):
        yield (
            f"Between the best attack found ({share_text(best.rate)}) and the ceiling "
            f"({share_text(best.bound)}) lies what nobody knows yet. The ceiling is what no attack on these "
            "columns exceeds on average: people whose released records are equal can't be told apart."
        )
    if not best.compared:
        yield _what_others_know(best).format(in_words(best.uncompared))


def _what_others_know(best: Attempt) -> str:
    if best.other_period:
        return OTHER_RECORDS
    if best.added:
        return OTHERS_RECORDS
    if best.incomplete:
        return LEFT_OUT
    if best.selected:
        return CHOSEN_PEOPLE
    return SEVERAL_NAMES if best.divided else NOT_LOOKED_AT


def _bestwhole_sentence(most: Attempt) -> str:
    low, high = most.interval
    return (
        f"The best attack, {shown_name(most)}, recognises {people_text(most.identified)} of {most.people:,} "
        f"people ({share_text(most.rate)}, 95% interval {share_text(low)} to {share_text(high)}). Naming "
        f"people at random recognises {share_text(most.baseline)}. {whole_sentence(most.knowledge)}"
    )


def limit(most: Attempt, made_up: int) -> Iterator[str]:
    """What nobody exceeds who knows the same, and why."""
    if most.bound is not None and most.bound < 0.9995:
        real = (most.people - made_up) / most.people
        alike = ["some people of the release look alike to this attack"] if most.bound < real else []
        no_original = [f"{made_up:,} without an original can't be recognised"] if made_up else []
        why = " and ".join([*alike, *no_original])
        yield f"With just this knowledge no attack exceeds {share_text(most.bound)} on average: {why}."


def of_a_share(attacks: Iterable[Attempt]) -> Iterator[str]:
    """What a gate asks besides of who knows a share of everybody's records, and this page does not."""
    if any(each.share < 1 for each in attacks):
        yield WEIGHED_SHARE


def few_records(found: Reidentification) -> Iterator[str]:
    """What the fewest random records do that make most people unique, or the most that were tried."""
    enough = found.enough
    if enough is None:
        return
    known = ", ".join(column.words for column in enough.columns)
    random = "1 random record" if enough.points == 1 else f"{enough.points} random records"
    records = f"{random} of a person by {known}" if found.user else f"of a person's record {known}"
    yield (
        f"Whoever knows {records} is left with one candidate for "
        f"{share_text(enough.unique)} of the people (unicity), and recognises "
        f"{share_text(enough.most.rate)} in all."
        f"{_caveat(found)}"
    )


def _caveat(found: Reidentification) -> str:
    """Known records are looked for by equal values, which is not all that can be done with changed ones."""
    uncompared = next((each.uncompared for each in found.attacks if each.points), ())
    if not uncompared:
        return ""
    return f" That is by equal values: whoever knows how {in_words(uncompared)} changed may recognise more."


def _tables(found: Reidentification) -> Iterator[Table]:
    shown = [each for each in found.attacks if each.name != "best"]
    yield _attacks(shown)
    yield _knowledge(_distinct_attacks(shown))
    if any(each.how != "equal" or not each.exact for each in found.comparisons):
        yield _comparisons(found.comparisons)
    for worst in (False, True):
        rows = [each for each in found.unicity if each.worst == worst]
        if rows:
            yield _unicity(rows, worst, found.user is not None)
            yield _candidates_table(rows, found.together)


def _comparisons(compared: Sequence[ColumnComparison]) -> Table:
    """How the values of each column were compared, and whether that is all an intruder could do."""
    table = titled_table("How columns were compared")
    for title in ("column", "how", "by"):
        table.add_column(title, overflow="fold")
    for row in comparison_rows(compared):
        table.add_row(*map(safe_text, row))
    return table


def comparison_rows(compared: Iterable[ColumnComparison]) -> Iterator[tuple[str, str, str]]:
    """A column, how its values were compared, and by what; also those that could not be."""
    for each in compared:
        how = HOWS[each.how] if each.exact or each.how != "equal" else "equal, in part"
        yield each.column, how, "could not be compared" if each.how == "none" else each.words


def _distinct_attacks(attacks: Sequence[Attempt]) -> list[Attempt]:
    """What most is known for, one line for each: with a smaller share or one to one it is the same."""
    linked = [each for each in attacks if each.linked and ONE_TO_ONE not in each.name]
    largest = max((each.share for each in linked), default=1)
    return [each for each in linked if each.share == largest]


def _attacks(attacks: Sequence[Attempt]) -> Table:
    table = titled_table("How many people each attack recognises")
    table.add_column("attack", overflow="fold", min_width=12, max_width=18)
    for title in ("people", "rate", "interval"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for title in ("bound", "top 5", "top 10"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in attacks:
        low, high = each.interval
        interval = f"{100 * low:.1f}–{_percent(high)}"
        numbers = (people_text(each.identified), _percent(each.rate), interval, bar(each.rate, 6))
        beside = (each.bound, each.within.get(5), each.within.get(10))
        table.add_row(safe_text(shown_name(each)), *numbers, *map(_percent, beside))
    return table


def _knowledge(attacks: Sequence[Attempt]) -> Table:
    table = titled_table("What each attacker knows")
    table.add_column("attack", overflow="fold", min_width=12, max_width=22)
    table.add_column("knowledge", overflow="fold")
    for each in attacks:
        table.add_row(safe_text(shown_name(each)), safe_text(KNOWS.sub("", each.knowledge)))
    return table


def _unicity(rows: Sequence[Narrowed], worst: bool, history: bool) -> Table:
    """A line for each way of knowing a record, a column for each number of known records."""
    which = "the most telling" if worst else "random"
    by = f"by {which} known records" if history else "by what is known of their record"
    table = titled_table(f"Share of people left with one candidate (unicity), {by}")
    table.add_column("what is known of a record", overflow="fold", min_width=20)
    points = sorted({each.points for each in rows})
    for number in points:
        table.add_column(str(number) if history else "share", justify="right", no_wrap=True)
    table.add_column("curve" if history else "", no_wrap=True)
    for columns in dict.fromkeys(each.columns for each in rows):
        shares = {each.points: each.unique for each in rows if each.columns == columns}
        known = ", ".join(column.words for column in columns)
        curve = sparks(shares[number] for number in points)
        table.add_row(safe_text(known), *(short_number(shares[number]) for number in points), curve)
    return table


def _candidates_table(rows: Sequence[Narrowed], first: tuple[KnownColumn, ...]) -> Table:
    """The same in more detail for all columns together, as they were first asked for."""
    table = titled_table(f"The same in detail: {', '.join(column.words for column in first)}")
    for title in ("known records", "recognised", "candidates"):
        table.add_column(title, justify="right", no_wrap=True)
    limits = list(rows[0].narrowed)
    for limit in limits:
        table.add_column(f"at most {limit}", justify="right", no_wrap=True)
    for each in (each for each in rows if each.columns == first):
        shares = (short_number(each.narrowed[limit]) for limit in limits)
        table.add_row(
            str(each.points), people_text(each.most.identified), short_number(each.candidates), *shares
        )
    return table


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def people_text(number: float) -> str:
    """An expected number of people: whole where it is, else with a digit that says it is not."""
    return f"{number:,.0f}" if abs(number - round(number)) < 0.05 else f"{number:,.1f}"
