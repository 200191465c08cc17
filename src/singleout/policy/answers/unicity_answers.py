"""Answers about known records: how many people fit some of them, by whichever columns tell most."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy

from singleout.attacks.aligned_tables import (
    align_tables,
    alike_people,
    columns_as_known,
    uncompared_columns,
)
from singleout.attacks.attacker_knowledge import filled_records, in_words, known_share
from singleout.attacks.attempt import random_guess, rate_bound
from singleout.attacks.paired_tables import PairedTables, pair_tables
from singleout.attacks.replayed_original import columns_of_recipe, replay_original
from singleout.attacks.unicity.draw_interval import CONFIDENCE
from singleout.attacks.unicity.known_points import MOST_POINTS, Interval, Narrowed, known_points
from singleout.attacks.wilson_interval import wilson
from singleout.engine.codes.histories import Histories, Indices
from singleout.engine.open_engine import thread_count
from singleout.policy.answers.count_answers import LOSES_PEOPLE, NO_RECORD, Part
from singleout.policy.answers.rule_question import RuleQuestion
from singleout.policy.check_settings import Inquiry
from singleout.policy.verdict.rule_verdict import Answer
from singleout.roles.known_column import KnownColumn

WHO_IS_WHO = ("release_user", "renamed", "without_records")
NOTHING_KNOWN = "{} knows no column that both tables have"
UNCOMPARED = (
    "the values of {} could not all be compared with the original's, so that it is not known what an "
    "intruder finds who knows how they were changed; give the recipe by --recipe or the hierarchies by "
    "--hierarchies, or in [data], or let the rule's columns leave it out"
)
NOT_EQUAL = (
    "the values of {} were changed by chance or under other names, and known records are looked for by equal "
    "values alone; ask for attack.best.bound, or let the rule's columns leave it out"
)
RENAMED = (
    "{} of the release have no partner in the original, which has {} instead: if these are the same under "
    "other names, say so by --renamed; else let the rule's columns leave them out"
)
ADDED = (
    "people have records in the release that the original does not have of them, and somebody may tell these "
    "from the others better than the attacks made here; ask for {}"
)
LEFT_OUT = (
    "people lack records in the release that the original has of them, and somebody who knows how these were "
    "left out may find more than the attacks made here; give the recipe by --recipe, or ask for {}"
)
LEFT_OUT_BY_CHANCE = (
    "people lack records in the release, left out by chance or by what the recipe does not repeat (such as "
    "classes that failed a goal), and somebody may find more than the attacks made here; ask for {}"
)
SELECTED = (
    "people of the original are not in the release, and somebody who knows how they were chosen looks for "
    "the others among fewer; give the recipe that leaves them out by --recipe, or ask for {}"
)
DIVIDED = (
    "records of one person stand under several names in the release, and somebody who knows how they were "
    "divided may find more than the attacks made here; ask for {}"
)
CEILING = (
    "it is the ceiling, which nobody exceeds on average, for records or people were added, left out or "
    "divided"
)
UNPROVEN = "{:,} people whose worst case was not proven count as found"
NOT_PROVEN = "it is not proven how few candidates are left at worst"
AS_A_GUESS = "it is what naming people at random gives, for known records give less"
NO_ORIGINAL = "nobody of the release has an original"
# what depends on whom somebody names, and not on how many fit
GUESSED = ("rate", "mean", "rate_high", "identified")
Columns = tuple[KnownColumn, ...]


@dataclass(eq=False)
class PointsAnswers:
    """Each question is asked once; `remarks` grow."""

    inquiry: Inquiry
    remarks: list[str]
    found: dict[Hashable, Any] = field(default_factory=dict)

    def answer(self, one: RuleQuestion) -> Answer:
        """Of the ways that an attacker can use the columns, the one that tells most."""
        columns = self.inquiry.shared_columns(one.columns or ())
        if not columns:
            whose = one.assumed.attacker.title if one.assumed else "the rule"
            return one.answer(None, NOTHING_KNOWN.format(whose))
        read = self.tables(tuple(each.name for each in columns), one)
        beside = self.inquiry.original is not None
        uncompared = uncompared_columns(read, [each.name for each in columns]) if beside else ()
        if uncompared:
            why = UNCOMPARED if self.inquiry.said.get("recipe") is None else NOT_EQUAL
            return one.answer(None, why.format(in_words(uncompared)))
        empty = {each.column for each in read.comparisons if each.empty}
        left = tuple(each for each in columns if each.name not in empty) or columns
        ways = self._ways(left)
        parts = [(way, self._number(one, read, way, often)) for often in (False, True) for way in ways]
        known = [(way, part) for way, part in parts if part is not None]
        if not known:
            return one.answer(None, NO_RECORD)
        names = [each.name for each in columns]
        added, gone = self.inquiry.unpaired if beside else ((), ())
        answer = _worst_answer(one, known, len(ways) > 1)
        passes = answer.value is not None and one.rule.allows(answer.value)
        if added and gone and one.rule.columns is None and passes:
            return one.answer(None, RENAMED.format(in_words(added), in_words(gone)))
        if one.missing == "drop" and (lost := lost_people(read, names)):
            return one.answer(None, LOSES_PEOPLE.format(lost))
        if beside and passes and (unsure := self._why_unsure(read)):
            return self._ceiling_answer(one, read, [each.name for each in left], unsure)
        return answer

    def doubt(self, one: RuleQuestion) -> Answer | None:
        """What a rule about an attack by known records gets that it would keep, if counting is not enough."""
        read = self.tables(one.names, one)
        unsure = self._why_unsure(read)
        return None if unsure is None else self._ceiling_answer(one, read, one.names or read.columns, unsure)

    def share_answer(self, one: RuleQuestion) -> Answer | None:
        """What somebody finds who knows a share of everybody's records, and names the likeliest candidate."""
        read = self.tables(one.names, one)
        way = tuple(KnownColumn(name) for name in one.names or read.columns)
        both = self.fill_columns(read, [each.name for each in way], one)
        if not both.original.records or not both.release.records:
            return None
        tried = (self._narrowed(one, read, both, way, often, False, None) for often in (True, False))
        rates = [each.most.rate for each in tried if each is not None]
        rate = _among_real_people(one, max(rates), read) or 0.0
        people = int(read.real_people.sum())
        value, note = one.safe_value(rate, rate, wilson(rate * people, people, CONFIDENCE)[1])
        if one.part == "identified":
            value *= people
        if one.part == "high":
            value, note = wilson(rate * people, people)[1], None
        drawn = f"1 draw of {one.share * 100:g}% of the records, seed {self.inquiry.seed}"
        return one.answer(value, note, "known records", {"share": one.share}, drawn)

    def _ceiling_answer(
        self, one: RuleQuestion, read: PairedTables, names: Sequence[str], unsure: str
    ) -> Answer:
        """What nobody exceeds, if that keeps the rule: who looks alike in the release can't be told apart."""
        ceiling = _ceiling(one, alike_people(read, names), read)
        if one.rule.allows(ceiling):
            return one.answer(ceiling, CEILING)
        return one.answer(None, unsure.format("attack.best.bound"))

    def _why_unsure(self, read: PairedTables) -> str | None:
        """Where records were added, left out or divided, counting who fits is not the best there is."""
        if read.added:
            return ADDED
        if read.apart is not None:
            return DIVIDED
        told = self.inquiry.said.get("recipe") is not None
        return (LEFT_OUT_BY_CHANCE if told else LEFT_OUT) if read.incomplete else None

    def _ways(self, columns: Columns) -> list[Columns]:
        """In a release an attacker may ignore what was changed; the table itself is known best by all."""
        alone = [(each,) for each in columns] if self.inquiry.original and len(columns) > 1 else []
        return [columns, *alone] if columns else []

    def _number(self, one: RuleQuestion, read: PairedTables, way: Columns, repeated: bool) -> Part | None:
        """None where no record has a value in all of the columns, or none is there twice."""
        way = columns_as_known(read, way)
        both = self.fill_columns(read, [each.name for each in way], one)
        if not both.original.records or not both.release.records:
            return None
        settings, estimated = self._settings(one, both)
        # what is known at worst can't tell less than what is drawn
        kinds = (True, False) if one.worst and _kind(one) in GUESSED else (one.worst,)
        every = [self._narrowed(one, read, both, way, repeated, worst, one.points) for worst in kinds]
        values = [_points_value(one, each) for each in every if each is not None]
        if not values:
            return None
        value, reason = max(values, key=lambda each: -1 if each[0] is None else each[0])
        value, guess = _among_real_people(one, value, read), _guess(one, read)
        if value is not None and value < guess:
            value, reason = guess, AS_A_GUESS
        return Part(value, reason, settings, estimated)

    def _settings(self, one: RuleQuestion, both: Histories) -> tuple[dict[str, Any], str | None]:
        """What is known, and from what the number is estimated if records are drawn."""
        seed = self.inquiry.seed
        if one.points is None:
            drawn = f"1 draw of {one.share * 100:g}% of the records, seed {seed}" if one.share < 1 else None
            return {"share": one.share}, drawn
        if one.worst:
            return {"points": one.points, "worst": True}, None
        draws = int(one.parameter("draws"))
        every = int(both.original.records_of_each().max(initial=0)) <= one.points
        drawn = f"{draws:,} {'draw' if draws == 1 else 'draws'}, seed {seed}"
        return {"points": one.points, "draws": draws}, None if every else drawn

    def _narrowed(
        self,
        one: RuleQuestion,
        read: PairedTables,
        both: Histories,
        way: Columns,
        repeated: bool,
        worst: bool,
        points: int | None,
    ) -> Narrowed | None:
        said = tuple(sorted(one.rule.parameters.items()))
        key = "known", way, one.missing, one.rule.attacker, said, repeated, worst, points
        return self._find_once(  # type: ignore[no-any-return]
            key, lambda: self._narrow_candidates(one, read, both, way, repeated, worst, points)
        )

    def _narrow_candidates(
        self,
        one: RuleQuestion,
        read: PairedTables,
        both: Histories,
        way: Columns,
        repeated: bool,
        worst: bool,
        points: int | None,
    ) -> Narrowed | None:
        share, draws = 1.0 if points else one.share, one.parameter("draws")
        if points is None:  # all records of the share that is known
            both = both.with_original(known_share(both.original, one.share, self.inquiry.seed))
            points, draws = MOST_POINTS, 1
        narrowed = known_points(
            both, read.truth, way, (points,), worst=worst, draws=draws, narrow=(one.parameter("narrow"),),
            seed=self.inquiry.seed, threads=thread_count(self.inquiry.machine["threads"]),
            progress=self.inquiry.progress, repeated=repeated, share=share,
        )  # fmt: skip
        return narrowed[0] if narrowed else None

    def fill_columns(self, read: PairedTables, names: Sequence[str], one: RuleQuestion) -> Histories:
        """The records that the rule for missing values lets count."""
        return filled_records(read.histories, names) if one.missing == "drop" else read.histories

    def tables(self, names: tuple[str, ...] | None, one: RuleQuestion) -> PairedTables:
        """Without an original, the table as a release of itself: who is alone in it is recognised."""
        return self._find_once(("read", names, one.missing), lambda: self._read_tables(names, one))  # type: ignore[no-any-return]

    def _read_tables(self, names: tuple[str, ...] | None, one: RuleQuestion) -> PairedTables:
        inquiry = self.inquiry
        beside = inquiry.original is not None
        recipe, hierarchies = inquiry.said.get("recipe"), inquiry.said.get("hierarchies")
        tables = pair_tables(
            inquiry.original if beside else inquiry.data, inquiry.data,
            inquiry.said.get("truth") if beside else None, user=inquiry.original_user, columns=names,
            **(inquiry.settings(*WHO_IS_WHO) if beside else {}),
            beside=columns_of_recipe(recipe, hierarchies) if beside else (),
            study=inquiry.study if beside else inquiry.own_study, missing=one.missing, **inquiry.machine,
            progress=inquiry.progress,
        )  # fmt: skip
        if not beside:  # its remarks are about two tables
            return tables
        tables = replay_original(tables, recipe, hierarchies)
        tables = align_tables(tables, hierarchies, one.missing)
        self.remarks += tables.remarks
        return tables

    def _find_once(self, key: Hashable, find: Callable[[], Any]) -> Any:
        if key not in self.found:
            self.found[key] = find()
        return self.found[key]


def _among_real_people(
    one: RuleQuestion, value: float | int | None, read: PairedTables
) -> float | int | None:
    """The same share of the people who have an original and a record: the others hide nobody."""
    real = read.real_people
    if value is None or one.part.startswith(("identified", "candidates")) or real.all() or not real.any():
        return value
    return min(value * len(real) / int(real.sum()), 1.0)


def _guess(one: RuleQuestion, read: PairedTables) -> float:
    """The same number for whoever names people at random, which known records that fit nobody leave."""
    if not one.part.startswith(("rate", "identified")):
        return 0.0
    people = len(read.truth)
    guess = random_guess(read.truth, people)
    return (
        guess * people if one.part.startswith("identified") else _among_real_people(one, guess, read) or 0.0
    )


def _ceiling(one: RuleQuestion, alike: Indices, read: PairedTables) -> float:
    """The same number for whoever sees all that was released of everybody."""
    kind, people = one.part.partition(".")[0], len(alike)
    if kind in ("unique", "narrowed", "candidates"):
        most = 1 if kind == "unique" else one.parameter("narrow")
        group = numpy.bincount(alike)[alike]
        return float(group.mean()) if kind == "candidates" else float((group <= most).mean())
    rate = rate_bound(alike, read.truth)
    return rate * people if kind == "identified" else _among_real_people(one, rate, read) or 0.0


def _worst_answer(one: RuleQuestion, parts: Sequence[tuple[Columns, Part]], several: bool) -> Answer:
    """The highest number, of candidates the lowest; one that is unknown is worse."""
    sign = -1 if one.part.startswith("candidates") else 1
    broken = [
        (way, part) for way, part in parts if part.value is not None and not one.rule.allows(part.value)
    ]
    for _, part in parts if not broken else ():
        if part.value is None:
            return one.answer(None, part.reason)
    way, part = max(broken or parts, key=lambda each: sign * (each[1].value or 0))
    by = f"by {in_words([each.words for each in way])}" if several else None
    return one.answer(part.value, part.reason, by, part.settings, part.estimated)


def _points_value(one: RuleQuestion, narrowed: Narrowed) -> tuple[float | int | None, str | None]:
    """The safe end of an estimate; at worst, whoever was not looked at to the end counts as found."""
    kind, mean = _kind(one), one.part.partition(".")[2]
    if kind in GUESSED:
        narrowed = narrowed.most
    if kind == "candidates" and (narrowed.unproven or narrowed.candidates is None):
        return None, NOT_PROVEN if narrowed.unproven else NO_ORIGINAL
    if kind == "rate_high":
        return wilson(_identified(narrowed), narrowed.people)[1], _unproven_note(narrowed)
    value = _mean(one, kind, narrowed)
    if not (mean or kind == "mean" or narrowed.unproven):
        return one.safe_value(value, *_over_draws(one, kind, narrowed, value))
    return value, _unproven_note(narrowed)


def _kind(one: RuleQuestion) -> str:
    return one.part.partition(".")[0]


def _unproven_note(narrowed: Narrowed) -> str | None:
    return UNPROVEN.format(narrowed.unproven) if narrowed.unproven else None


def _identified(narrowed: Narrowed) -> float:
    return min(narrowed.identified + narrowed.unproven, float(narrowed.people))


def _mean(one: RuleQuestion, kind: str, narrowed: Narrowed) -> float:
    if kind == "candidates":
        assert narrowed.candidates is not None
        return narrowed.candidates
    if kind == "identified":
        return _identified(narrowed)
    shares = {
        "rate": narrowed.rate,
        "mean": narrowed.rate,
        "unique": narrowed.unique,
        "narrowed": narrowed.narrowed[one.parameter("narrow")],
    }
    return min(float(shares[kind] + narrowed.unproven / narrowed.people), 1.0)


def _over_draws(one: RuleQuestion, kind: str, narrowed: Narrowed, mean: float) -> Interval:
    """A share of all records is drawn once, however many of them are then known."""
    people = narrowed.people
    # what it is at most, and over how many people it is a mean
    most, among = {"candidates": (people, narrowed.targets), "identified": (people, people)}.get(
        kind, (1, people)
    )
    if one.points is None and one.share < 1:
        low, high = wilson(mean / most * among, among, CONFIDENCE)
        return low * most, high * most
    if kind in ("rate", "identified"):
        low, high = narrowed.over_draws
        return (mean, mean) if low == high else (low * most, high * most)
    if kind == "candidates":
        assert narrowed.candidates_over_draws is not None
        return narrowed.candidates_over_draws
    if kind == "unique":
        return narrowed.unique_over_draws
    return narrowed.narrowed_over_draws[one.parameter("narrow")]


def lost_people(read: PairedTables, names: Sequence[str]) -> int:
    """People of the release of whom no record is left once those that lack a value are dropped."""
    left = filled_records(read.histories, names).release
    there, kept = read.histories.release.records_of_each() > 0, left.records_of_each() > 0
    return int((there & ~kept).sum())
