"""The report about attacks on a release: who is recognised first, then each attack and what limits it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.attempt import Attempt
from singleout.attacks.measures import BASELINE, BOUND, IDENTIFIED, INTERVAL, RATE, UNIQUE
from singleout.attacks.result import COVERS, Reidentification
from singleout.attacks.unicity.known_points import Narrowed
from singleout.engine.missing_values import MISSING_WORDS
from singleout.investigation.known_records import KnownRecordsLaws
from singleout.policy.attack_decision import attack_decision
from singleout.policy.verdict.decision import Decision
from singleout.policy.verdict.digest import Digest
from singleout.report.charts.attack_rates import attack_rates, shown_name
from singleout.report.charts.known_shares import rates_by_share
from singleout.report.charts.unicity import unicity
from singleout.report.pages.look_alikes import look_alike_conclusions, look_alike_section
from singleout.report.pages.open_questions import open_questions
from singleout.report.pages.page import Conclusion, Report, Section, Weight, drawable_charts
from singleout.report.pages.policy_sections import limits_section
from singleout.report.pages.population_sections import everybody_sections
from singleout.report.pages.protection import is_grouped, limit_advice, protection_advice
from singleout.report.terminal.attack import (
    WEIGHED_SHARE,
    comparison_rows,
    few_records,
    limit,
    people_text,
    sentences,
    unknown_rest,
    without_repeats,
)
from singleout.report.terminal.layout import share_text
from singleout.report.wording import ONE_RECORD, table_name
from singleout.result_table import Heading, ResultTable

OTHERS = "Whoever knows more than the attackers tried here may recognise more."
NOTHING_LEFT = "Nothing is left to do against those who know no more than this"
NO_BETTER = (
    f"{NOTHING_LEFT}: a guess recognises as many. That is about the attacks tried here; try those that your "
    "own case calls for, too."
)
TOO_SMALL = (
    "A guess recognises as many, for there are so few people. That protects nobody: release them among more "
    "people, or not at all."
)
# a guess that is right more often than once in so many tries is a risk by itself
SMALL_CROWD = 20
UNSEEN = (
    "Don't take that for safe: not all columns could be compared, and whoever knows how they were changed "
    "may recognise more. Name the hierarchies by --hierarchies, and attack again."
)
UNCOMPARED_MORE = (
    "An attack sees what its columns have in common with the original. Of a column that was compared in part "
    "or not at all, it is not known what an intruder finds who knows how it was changed."
)
HOW_HINT = "what values of the release and of the original were compared by"
TOO_FEW = "There are too few people to tell this from a guess: until more were attacked, take it for real."
BEYOND_THE_BOUND = (
    "The interval reaches beyond that, for it is about which people happen to be in the release; the limit "
    "holds on average for these."
)
NOT_TRIED = Conclusion(
    "Nobody was attacked, so it is not known who can be recognised.",
    "Leave --attacks and --points out, or name some: then every attack that has its columns is made.",
    "Nothing was measured.",
    question="linkability",
    weight="open",
)
ONE_KNOWN = "Counted over all {:,} people of the release, each of whom has one record; nothing was drawn."
NOT_TAKEN = "it was not taken; singleout {} --html takes it"


def attack_report(
    found: Reidentification, inputs: Sequence[Digest] = (), known: KnownRecordsLaws | None = None
) -> Report:
    """Who can be recognised, by whom, and what would help; `inputs` are what was read.

    `known` is what their known records tell among everybody whom the release is a sample of.
    """
    found = without_repeats(found)
    worst = any(each.worst for each in found.unicity)
    decision = attack_decision([] if found.most is None else [found.most.rate])
    return Report(
        title=f"Who can be recognised in {table_name(found.release)}?",
        facts=_facts(found),
        conclusions=tuple(_conclusions(found)) or (NOT_TRIED,),
        sections=(
            *(each for each in _sections(found) if each.charts or each.tables),
            *everybody_sections(None, None, known=known),
            *limits_section(decision),
        ),
        remarks=found.remarks,
        decision=with_inputs(decision, inputs or no_digests("attack", found.original, [found.release])),
        not_tried=open_questions(found.attacks, history=found.user is not None, worst=worst),
    )


def no_digests(command: str, original: str, releases: Sequence[str]) -> list[Digest]:
    """Of tables that Python was given: by now their files may be others."""
    tables = [("original", original), *(("release", each) for each in releases)]
    return [Digest(what, name, None, None, 0, NOT_TAKEN.format(command)) for what, name in tables]


def with_inputs(decision: Decision, inputs: Sequence[Digest]) -> Decision:
    """Beside the policy that it is by, the files that were read."""
    return replace(decision, inputs=(*inputs, *decision.inputs))


def _facts(found: Reidentification) -> tuple[tuple[str, str], ...]:
    made_up = f", {found.made_up:,} of whom have no original" if found.made_up else ""
    return (
        ("What was attacked", f"{table_name(found.release)}: {found.people:,} people{made_up}"),
        (
            "What the attackers have",
            f"{table_name(found.original)}: {found.original_people:,} people; each attack knows a part",
        ),
        ("Who is who", f"column {found.user} names people" if found.user else ONE_RECORD),
        ("Missing values", MISSING_WORDS[found.missing]),
        ("Intervals", f"95 %, of Wilson; they cover {COVERS}"),
        ("Counted by", f"{found.engine}, seed {found.seed}; no raw value is on this page"),
    )


def _conclusions(found: Reidentification) -> Iterator[Conclusion]:
    if found.most is not None:
        yield recognition(found.most, found.attacks, found.made_up)
    yield from (_few_records(found, each) for each in few_records(found))
    yield from _share_conclusions(found.attacks)
    yield from look_alike_conclusions(found.most, found.attacks, _is_limited(found.most))


def recognition(most: Attempt, attempts: Sequence[Attempt], made_up: int) -> Conclusion:
    """What the best attack does beside a guess, what would stop the one that hits hardest, and how sure."""
    low, high = most.interval
    said = (
        f"{most.knowledge.replace('the attacker knows', 'Somebody who knows', 1)}, recognises "
        f"{people_text(most.identified)} of {most.people:,} people ({share_text(most.rate)}); a mere guess "
        f"recognises {share_text(most.baseline)}."
    )
    limits = [*limit(most, made_up)]
    beyond = [BEYOND_THE_BOUND] if limits and high > (most.bound or 0) else []
    sure = f"The 95 % interval is {share_text(low)} to {share_text(high)}: it covers {COVERS}."
    measures = (RATE, IDENTIFIED, BASELINE, INTERVAL, BOUND)
    best = next((each for each in attempts if each.name == "best"), most)
    how_sure = " ".join([sure, *limits, *beyond, *unknown_rest(best), OTHERS])
    weight: Weight = "against" if most.rate > most.baseline else "open"
    return Conclusion(said, _advice(most, best, attempts), how_sure, measures, "linkability", weight)


def _advice(most: Attempt, best: Attempt, attempts: Sequence[Attempt]) -> str:
    if most.rate <= most.baseline:
        crowd = NO_BETTER if most.baseline * SMALL_CROWD <= 1 else TOO_SMALL
        return crowd if best.compared else UNSEEN
    advice = (
        limit_advice(most) if _is_limited(most) else protection_advice(attempts if most.linked else [most])
    )
    return advice if _beats_guess(most) else f"{TOO_FEW} {advice}"


def _is_limited(most: Attempt | None) -> bool:
    """Whether its groups are what limits the best attack, so that only larger ones help."""
    return most is not None and most.rate > most.baseline and is_grouped(most)


def _beats_guess(attempt: Attempt) -> bool:
    """Whether luck alone is no likely reason for its rate."""
    return attempt.interval[0] > attempt.baseline


def _few_records(found: Reidentification, said: str) -> Conclusion:
    few = found.enough
    assert few is not None
    sure = (
        f"Which records are known was drawn at random for each of {few.people:,} people, with "
        f"seed {found.seed}."
    )
    worst = next((each for each in found.unicity if each.worst and _is_like(each, few)), None)
    if worst is None:
        at_worst = "The most telling records would give away more: ask for them by --worst."
    else:
        at_worst = (
            f"At worst, with the most telling records, one candidate is left for {share_text(worst.unique)}."
        )
    weight: Weight = "against" if few.unique else "open"
    how_sure = f"{sure} {at_worst}" if found.user else ONE_KNOWN.format(few.people)
    return Conclusion(said, _coarser_advice(found, few), how_sure, (UNIQUE, RATE), "singling out", weight)


def _is_like(each: Narrowed, other: Narrowed) -> bool:
    return each.points == other.points and each.columns == other.columns


def _coarser_advice(found: Reidentification, few: Narrowed) -> str:
    """What was measured of the same records known less well; else which column to begin with."""
    if not few.unique and found.best is not None and not found.best.compared:
        return UNSEEN
    if not few.unique:
        return f"{NOTHING_LEFT}: nobody is left as the only candidate."
    same = [each for each in found.unicity if each.points == few.points and not each.worst]
    best = min((each for each in same if _names(each) == _names(few)), key=lambda each: each.unique)
    if best.unique < few.unique:
        known = in_words([column.words for column in best.columns])
        return (
            f"Release coarser values: known by {known}, as many records leave one candidate for "
            f"{share_text(best.unique)} of the people. If that is too much, release fewer columns too; what "
            "that would do was not measured here."
        )
    telling = max((each for each in same if len(each.columns) == 1), key=lambda each: each.unique)
    column = telling.columns[0]
    return (
        f"Begin with {column.words}, which by itself leaves one candidate for {share_text(telling.unique)}: "
        f"make it coarser or leave it out. What coarser values would do is measured by --granularity."
    )


def _names(each: Narrowed) -> list[str]:
    return [column.name for column in each.columns]


def _share_conclusions(attacks: Sequence[Attempt]) -> Iterator[Conclusion]:
    made = [each for each in attacks if each.linked and each.name != "best"]
    shares = sorted({each.share for each in made})
    if len(shares) < 2:
        return
    little, much = (
        max((each for each in made if each.share == share), key=lambda each: each.rate)
        for share in (shares[0], shares[-1])
    )
    few, most = share_text(little.rate), share_text(much.rate)
    said = (
        f"With {shares[0] * 100:g}% of each person's records known, {few} of the people are recognised; with "
        f"{shares[-1] * 100:g}% it is {most}."
    )
    sure = (
        "Which records are known was drawn once with a fixed seed; each rate has an interval in the table. "
        f"{WEIGHED_SHARE} {OTHERS}"
    )
    weight: Weight = "against" if max(little.rate, much.rate) > much.baseline else "open"
    yield Conclusion(said, _share_advice(little, much), sure, (RATE, BASELINE), "linkability", weight)


def _share_advice(little: Attempt, much: Attempt) -> str:
    guess = f"a mere guess, which recognises {share_text(much.baseline)}"
    if _beats_guess(little) and little.rate >= much.rate / 2:
        return (
            "Don't count on attackers who know little: change the values themselves, and attack again; what "
            "that would do was not measured here."
        )
    if _beats_guess(much):
        return "The risk is from those who know much of a person: decide whether such people get the release."
    if max(little.rate, much.rate) <= much.baseline:
        if not (little.compared and much.compared):
            return UNSEEN
        return f"{NOTHING_LEFT}: neither is better than {guess}."
    return f"There are too few people to tell either from {guess}: take both for real, as the first finding."


def _sections(found: Reidentification) -> Iterator[Section]:
    few = tuple(few_records(found))
    yield Section(
        "attacks",
        "Each attack, and what it knows",
        tuple(each for each in sentences(found) if each not in few),
        drawable_charts(attack_rates(found.attacks), rates_by_share(found)),
        (_table(found),) if found.attacks else (),
    )
    if found.attacks and found.comparisons:
        yield Section("columns", "How columns were compared", (UNCOMPARED_MORE,), (), (_comparisons(found),))
    if found.user:
        yield Section("known-records", "A few known records", few, drawable_charts(unicity(found)))
    yield look_alike_section(found.attacks)


def _comparisons(found: Reidentification) -> ResultTable:
    headings = (Heading("column", "column"), Heading("how", "how"), Heading("by", "by", HOW_HINT))
    return ResultTable("How columns were compared", headings, tuple(comparison_rows(found.comparisons)))


def _table(found: Reidentification) -> ResultTable:
    """Without what the name and the knowledge say anyway."""
    table = found.table()
    kept = [index for index, heading in enumerate(table.headings) if heading.name != "share"]
    rows = [
        (shown_name(each), *(row[index] for index in kept[1:]))
        for each, row in zip(found.attacks, table.rows, strict=True)
        if each.name != "best"
    ]
    return ResultTable(
        f"Attacks on {table_name(found.release)}",
        tuple(table.headings[index] for index in kept),
        tuple(rows),
        table.note,
    )
