"""Answers about a release beside its original: attacks and utility; each job is run once."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from singleout.attacks.attack import DRAWS, POINTS, attack
from singleout.attacks.attack_run import BLIND, NO_RECORD_FITS, OF_SOME, ONE_TO_ONE
from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.attempt import Attempt
from singleout.attacks.catalogue import KINDS
from singleout.attacks.plan import parts_of
from singleout.attacks.result import Reidentification
from singleout.attacks.unicity.draw_interval import CONFIDENCE
from singleout.attacks.wilson_interval import wilson
from singleout.policy.answers.count_answers import LOSES_PEOPLE, NO_RECORD
from singleout.policy.answers.rule_question import RuleQuestion
from singleout.policy.answers.unicity_answers import (
    ADDED,
    CEILING,
    DIVIDED,
    LEFT_OUT,
    LEFT_OUT_BY_CHANCE,
    NOTHING_KNOWN,
    RENAMED,
    SELECTED,
    UNCOMPARED,
    WHO_IS_WHO,
    PointsAnswers,
    lost_people,
)
from singleout.policy.check_settings import Inquiry
from singleout.policy.result import AssumedAttacker
from singleout.policy.verdict.rule_verdict import Answer
from singleout.utility.compare.compare import compare
from singleout.utility.compare.result import Outcome
from singleout.utility.finding import Finding

OF_ATTACKS = ("item", "place", "category", "time", "amount", "pair")
OF_UTILITY = (
    "item", "time", "amount", "number", "receipt", "category", "entry", "exit", "routes", "location",
    "groups", "people_table", "release_people_table", "hierarchies",
)  # fmt: skip
OF_ALL = ("best", "combined")
DOES_NOT_KNOW = "{} does not know the columns that the attack {!r} looks at"
NOT_MADE = "the attack was not made; see the remarks"
NONE_TO_COMBINE = "fewer than two attacks could be made"
BY_CHANCE = (
    "the values of {} were changed by chance or under other names, and somebody may find more than the "
    "attacks made here; ask for attack.best.bound, or let the rule's columns leave it out"
)
EXACTLY = "attacks that compare whole people take {} exactly, where {} knows less: they err on the safe side"
DIFFERENT_ONES = (
    "the most telling records were looked for among different ones, and somebody who knows how often each is "
    "there may find more; ask for points.rate with worst = true"
)


@dataclass(eq=False)
class ReleaseAnswers:
    """`asked` are all rules, so that one run of a job can answer several of them; `remarks` grow."""

    inquiry: Inquiry
    asked: tuple[RuleQuestion, ...]
    remarks: list[str]
    found: dict[Hashable, Any] = field(default_factory=dict)

    @cached_property
    def points(self) -> PointsAnswers:
        return PointsAnswers(self.inquiry, self.remarks)

    def attack(self, one: RuleQuestion) -> Answer:
        name = one.found.name
        kind = name.removesuffix(ONE_TO_ONE)
        if one.assumed and not one.columns:
            return one.answer(None, NOTHING_KNOWN.format(one.assumed.attacker.title))
        if one.assumed and kind in KINDS and kind not in self._playable_attacks(one):
            return one.answer(None, DOES_NOT_KNOW.format(one.assumed.attacker.title, kind))
        called = f"{kind}@{one.share * 100:g}%" if one.share < 1 and kind in (*KINDS, "combined") else kind
        wanted = called + (ONE_TO_ONE if name != kind else "")
        result: Reidentification = self._find_once(
            (*self._same(one), _kind(name)), lambda: self._run_attacks(one)
        )
        found, lacks = result.by_name(wanted), _lack_remarks(kind, result.remarks)
        # made-up people, and those without a record, hide nobody
        attempt = None if found is None else found.among(result.real)
        if attempt is not None and one.part == "bound":
            # it depends on the release alone, whatever could be compared
            return one.answer(*_number(one, attempt))
        if attempt is None or _is_all_blind(kind, result):
            first = [NONE_TO_COMBINE] if kind == "combined" and attempt is None else []
            return one.answer(None, "; ".join([*first, *lacks]) or NOT_MADE)
        # whoever tells apart best what was added or left out is no better than the ceiling
        sure = attempt.others_may_weigh_better and attempt.compared
        if attempt.uncompared and not sure and (ceiling := _kept_ceiling(one, attempt)) is not None:
            return one.answer(ceiling, "; ".join([CEILING, *lacks]), None, _settings(one))
        if attempt.uncompared and not sure and not _breaks(one, attempt):
            return one.answer(None, self._why_unknown(attempt).format(in_words(attempt.uncompared)))
        added, gone = self.inquiry.unpaired
        if added and gone and one.rule.columns is None and not _breaks(one, attempt):
            return one.answer(None, RENAMED.format(in_words(added), in_words(gone)))
        whole = _underlying_attempt(found or attempt, result)
        return self._answer_by(one, attempt, whole, lacks)

    def _answer_by(self, one: RuleQuestion, attempt: Attempt, whole: Attempt, lacks: Sequence[str]) -> Answer:
        """By an attack that could look at all it asks for, unless somebody else may do better."""
        if one.missing == "drop" and self._has_no_values(one, whole):
            return one.answer(None, NO_RECORD)
        if one.missing == "drop" and (lost := self._lost_people(one)) and not _breaks(one, attempt):
            return one.answer(None, LOSES_PEOPLE.format(lost))
        if attempt.points is not None and not _breaks(one, attempt) and (doubt := self.points.doubt(one)):
            return doubt
        if self._leaves_repeats(one, attempt) and not _breaks(one, attempt):
            return one.answer(None, DIFFERENT_ONES)
        if (more := self._more_of_share(one, attempt)) is not None:
            return more
        value, reason = _number(one, attempt)
        notes = [*([reason] if reason else []), *lacks]
        best = whole.name if one.found.name == "best" else None
        return one.answer(value, "; ".join(notes) or None, best, _settings(one), self._draw_note(one, whole))

    def _more_of_share(self, one: RuleQuestion, attempt: Attempt) -> Answer | None:
        """What the best attack misses that compares part of everybody's records with all of them."""
        if one.share == 1 or one.found.name != "best" or one.part not in ("rate", "identified", "high"):
            return None
        value, answer = _number(one, attempt)[0], self.points.share_answer(one)
        higher = answer is not None and answer.value is not None and (value is None or answer.value > value)
        return answer if higher and one.rule.at_least is None else None

    def _leaves_repeats(self, one: RuleQuestion, attempt: Attempt) -> bool:
        """The most telling records are different ones: who knows that one is there twice may find more."""
        if one.rule.at_least is not None or not attempt.name.startswith("worst_points_"):
            return False
        original = self.points.tables(one.names, one).histories.original
        return original.records > original.people

    def _why_unknown(self, attempt: Attempt) -> str:
        told = self.inquiry.said.get("recipe") is not None
        if attempt.added:
            return ADDED.format("attack.best.bound")
        if attempt.incomplete:
            return (LEFT_OUT_BY_CHANCE if told else LEFT_OUT).format("attack.best.bound")
        if attempt.selected:
            return SELECTED.format("attack.best.bound")
        if attempt.divided:
            return DIVIDED.format("attack.best.bound")
        return BY_CHANCE if told else UNCOMPARED

    def _has_no_values(self, one: RuleQuestion, attempt: Attempt) -> bool:
        """Who only guesses, since all is missing, has found out nothing."""
        if attempt.name.partition("@")[0].removesuffix(ONE_TO_ONE) in ("records", "combined"):
            return False
        read = self.points.tables(attempt.columns or one.names, one)
        # of known records, those by a single column may be the best
        ways = [attempt.columns] if attempt.columns else [(name,) for name in one.names or read.columns]
        tables = [self.points.fill_columns(read, way, one) for way in ways]
        return not any(both.original.records and both.release.records for both in tables)

    def _lost_people(self, one: RuleQuestion) -> int:
        read = self.points.tables(one.names, one)
        return lost_people(read, one.names or read.columns)

    def _draw_note(self, one: RuleQuestion, attempt: Attempt) -> str | None:
        """From what the number is estimated, if it is."""
        seed = self.inquiry.seed
        if attempt.name.startswith("points_"):
            return f"{DRAWS:,} draws, seed {seed}"
        if attempt.name.startswith("worst_points_") or one.share == 1:
            return None
        return f"1 draw of {one.share * 100:g}% of the records, seed {seed}"

    def _same(self, one: RuleQuestion) -> tuple[Hashable, ...]:
        return one.family, one.columns, one.missing, one.share, one.rule.attacker

    def _playable_attacks(self, one: RuleQuestion) -> list[str]:
        """The attacks that look at nothing but what is known."""
        parts, known = parts_of(self.inquiry.settings(*OF_ATTACKS), self.inquiry.study), {*(one.names or ())}
        looked_at = {
            name: () if kind.part in ("nothing", "columns") else parts.of(kind.part)
            for name, kind in KINDS.items()
        }
        possible = [
            name for name, kind in KINDS.items() if looked_at[name] or kind.part in ("nothing", "columns")
        ]
        return [name for name in possible if known.issuperset(looked_at[name])]

    def _parts(self, one: RuleQuestion) -> dict[str, Any]:
        """What columns mean, of those that are known."""
        said = self.inquiry.settings(*OF_ATTACKS)
        if one.assumed is None:
            return said
        known = {*(one.names or ())}
        return {part: names for part, names in said.items() if known.issuperset(_name_tuple(names))}

    def _run_attacks(self, one: RuleQuestion) -> Reidentification:
        """All attacks of a kind that rules ask for under the same conditions."""
        same_rules = [
            each for each in self.asked if each.family == "attack" and self._same(each) == self._same(one)
        ]
        kind = _kind(one.found.name)
        names = [each.found.name for each in same_rules if _kind(each.found.name) == kind]
        chosen: dict[str, Any] = {"attacks": [each.removesuffix(ONE_TO_ONE) for each in names], "points": ()}
        if kind == "all":
            chosen = {"attacks": None, "points": _points(one)}
        if kind == "points":
            numbers = sorted({int(each.rpartition("_")[2]) for each in names})
            worst = any(each.startswith("worst") for each in names)
            chosen = {"attacks": (), "points": numbers, "worst": worst}
        inquiry = self.inquiry
        if one.assumed and kind != "points":
            self.remarks += _exactness_remarks(one, one.assumed)
        coarse = {each.name: [each.granularity] for each in one.columns or () if each.granularity}
        result = attack(
            inquiry.original, inquiry.data, inquiry.said.get("truth"), user=inquiry.original_user,
            **self._parts(one), **inquiry.settings(*WHO_IS_WHO), columns=one.names, shares=(one.share,),
            one_to_one=kind == "one to one", granularity=coarse, study=inquiry.study, missing=one.missing,
            seed=inquiry.seed, **inquiry.machine, progress=inquiry.progress,
            hierarchies=inquiry.said.get("hierarchies"), recipe=inquiry.said.get("recipe"), **chosen,
        )  # fmt: skip
        self.remarks += result.remarks
        return result

    def utility(self, one: RuleQuestion) -> list[Finding]:
        """One metric, or all of it column by column where every column is asked for."""
        outcome: Outcome = self._find_once(self._same(one), lambda: self._run_comparison(one))
        if one.found.every:
            return [each for each in outcome.utility if each.measure == one.found.path.measure]
        name = f"{one.part}.{one.found.plain_name}" if one.found.name else one.part
        found = outcome.metric(name)
        return [found] if found else []

    def _run_comparison(self, one: RuleQuestion) -> Outcome:
        same_rules = [each for each in self.asked if self._same(each) == self._same(one)]
        wanted = [
            each.part if each.found.every or not each.found.name else f"{each.part}.{each.found.plain_name}"
            for each in same_rules
        ]
        inquiry = self.inquiry
        comparison = compare(
            inquiry.original, inquiry.data, truth=inquiry.said.get("truth"), user=inquiry.original_user,
            **inquiry.settings(*OF_UTILITY, *WHO_IS_WHO), columns=one.names, privacy=False,
            metrics=list(dict.fromkeys(wanted)), study=inquiry.study, missing=one.missing, seed=inquiry.seed,
            **inquiry.machine, progress=inquiry.progress,
        )  # fmt: skip
        self.remarks += (*comparison.remarks, *comparison.outcomes[0].remarks)
        return comparison.outcomes[0]

    def _find_once(self, key: Hashable, find: Callable[[], Any]) -> Any:
        if key not in self.found:
            self.found[key] = find()
        return self.found[key]


def _name_tuple(names: Any) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _exactness_remarks(one: RuleQuestion, assumed: AssumedAttacker) -> list[str]:
    coarse = [each.name for each in one.columns or () if each.granularity]
    return [EXACTLY.format(in_words(coarse), assumed.attacker.title)] if coarse else []


def _kind(name: str) -> str:
    """What has to be run for it."""
    if name in OF_ALL:
        return "all"
    if "points_" in name:
        return "points"
    return "one to one" if name.endswith(ONE_TO_ONE) else "linked"


def _number(one: RuleQuestion, attempt: Attempt) -> tuple[float | int | None, str | None]:
    part, (low, high) = one.part, attempt.interval
    if part in ("rate", "identified") and (over_draws := _over_draws(attempt)):
        value, note = one.safe_value(attempt.rate, *over_draws)
        whole = attempt.identified if value == attempt.rate else value * attempt.people
        return (value if part == "rate" else whole), note
    told: dict[str, float | int | None] = {
        "low": low,
        "high": high,
        "top_5": attempt.within.get(5),
        "top_10": attempt.within.get(10),
    }
    number = told[part] if part in told else getattr(attempt, part)
    return number, f"it is not known of the attack {attempt.name!r}" if number is None else None


def _over_draws(attempt: Attempt) -> tuple[float, float] | None:
    """A share of the records is drawn once, so that people stand in for other draws."""
    if attempt.over_draws is None and attempt.share < 1:
        return wilson(attempt.identified, attempt.people, CONFIDENCE)
    return attempt.over_draws


def _underlying_attempt(attempt: Attempt, result: Reidentification) -> Attempt:
    """Which one the best is."""
    same = (each for each in result.attacks if each.credit is attempt.credit and each.name != "best")
    return next(same, attempt)


def _settings(one: RuleQuestion) -> dict[str, Any]:
    """What was known, whoever said so."""
    if one.found.few_records:
        return {"points": one.points, "worst": True} if one.worst else {"points": one.points, "draws": DRAWS}
    known: dict[str, Any] = {"share": one.share}
    return {**known, "points": list(_points(one)), "draws": DRAWS} if one.found.name == "best" else known


def _points(one: RuleQuestion) -> tuple[int, ...]:
    """How many records are known besides, where the best of all attacks is looked for."""
    few = one.assumed.attacker.points if one.assumed else None
    return (few,) if few else POINTS


def _kept_ceiling(one: RuleQuestion, attempt: Attempt) -> float | None:
    """Where records were added or left out, what nobody exceeds on average, if that keeps the rule."""
    if attempt.bound is None or not attempt.others_may_weigh_better:
        return None
    ceiling = {"rate": attempt.bound, "identified": attempt.bound * attempt.people}.get(one.part)
    return ceiling if ceiling is not None and one.rule.allows(ceiling) else None


def _breaks(one: RuleQuestion, attempt: Attempt) -> bool:
    """Whether what was found is enough to say no, whatever others may find."""
    value, limit = _number(one, attempt)[0], one.rule.at_most
    return limit is not None and value is not None and value > limit


def _lack_remarks(kind: str, remarks: Iterable[str]) -> list[str]:
    """What an attack did not look at, or could not: nobody should take it for more than it is."""
    return [each for each in remarks if _is_lack(kind, each)]


def _is_lack(kind: str, remark: str) -> bool:
    if kind in OF_ALL and (_says(OF_SOME, remark) or _says(BLIND, remark)):
        return True
    if "points_" in kind or kind == "best":
        return _says(NO_RECORD_FITS, remark)
    return _is_blind(kind, [remark])


def _is_blind(kind: str, remarks: Iterable[str]) -> bool:
    return any(each.startswith(BLIND.partition(" here:")[0].format(kind)) for each in remarks)


def _is_all_blind(kind: str, result: Reidentification) -> bool:
    """Whether it only guesses, for nothing agrees where it looks."""
    names = {each.name.partition("@")[0].removesuffix(ONE_TO_ONE) for each in result.attacks} - {*OF_ALL}
    return all(_is_blind(name, result.remarks) for name in (names if kind in OF_ALL else [kind]))


def _says(template: str, remark: str) -> bool:
    """
    >>> _says("the attack {!r} was not made: {}", "the attack 'dates' was not made: nothing agrees")
    True
    """
    pieces = re.split(r"\{[^}]*\}", template)
    return re.fullmatch(".*".join(map(re.escape, pieces)), remark, re.DOTALL) is not None
