"""The answer that somebody can act on: do not release, on which conditions, no objection, or not judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, Literal

from singleout.attacks.inference.result import InferredColumn
from singleout.policy.applicable_rules import RuleNotAsked
from singleout.policy.rules.measure_paths import Family, find_path
from singleout.policy.rules.rule import Rule
from singleout.policy.verdict.decision_words import rule_words
from singleout.policy.verdict.digest import Digest
from singleout.policy.verdict.rule_verdict import RuleVerdict
from singleout.result_table import html_list

GRANTED = "It is taken for granted that {}."
ReleaseAnswer = Literal["do_not_release", "conditions", "no_objection", "not_judged"]
HEADLINES: dict[ReleaseAnswer, str] = {
    "do_not_release": "Do not release as it is",
    "conditions": "Only under these conditions",
    "no_objection": "No objection found by what was tried",
    "not_judged": "Not judged",
}
RegulatorQuestion = Literal["singling out", "linkability", "inference"]
QUESTIONS: dict[RegulatorQuestion, str] = {
    "singling out": "Can somebody be picked out of the data?",
    "linkability": "Can records of one person be linked to each other, or to other data?",
    "inference": "Can something be learned about a person that the data was not to tell?",
}
OF_FAMILY: dict[Family, RegulatorQuestion] = {
    "attack": "linkability",
    "sensitive": "inference",
    "inference": "inference",
}
NOT_TRIED: dict[RegulatorQuestion, str] = {
    "singling out": "no rule asks for it",
    "linkability": "no rule links the data to other data; give the original to link it to",
    "inference": "no rule asks what can be learned of a sensitive column",
}
NOT_ABOUT_PEOPLE: tuple[Family, ...] = ("utility",)
# counted of classes, and about what is left of the data
LOSSES = ("discernibility", "average_class_size")
WORST = "the most telling records instead of random ones (worst = true in a rule)"
GUESSED = "whoever names the likeliest of several who fit the known records (points.rate in a rule)"
STRONGER = "stronger attacks than those that rules name (attack.best.rate asks for all)"
WHOLE = "whole histories, of which somebody knows every record"
ORDER = "whether the order of the records, or of the names, tells who is who"
NEVER_TRIED: dict[RegulatorQuestion, tuple[str, ...]] = {
    "singling out": (
        "identifiers in a form that the scan of values does not know: encrypted or in a code of one's own; "
        "initials, or rare names in small letters, within a text; names that no list has under a header that "
        "says something else (such as town); pictures",
    ),
    "linkability": (
        "other files of the same release, which these records may be joined with",
        "how the file is written beside its values, such as quotes around some of them alone",
    ),
}


@dataclass(frozen=True)
class Observation:
    """It `forbids` the release, or else leaves open whether it may go out; neither passes.

    `topic` names it in a few words, `words` are a sentence that says what would settle it.
    """

    topic: str
    words: str
    question: RegulatorQuestion
    forbids: bool

    def to_dict(self) -> dict[str, Any]:
        return vars(self).copy()


@dataclass(frozen=True)
class RegulatorFinding:
    """One of the three questions of Working Party 29: what was found, and what was not tried."""

    question: RegulatorQuestion
    found: tuple[str, ...]
    not_tried: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"question": self.question, "found": list(self.found), "not_tried": list(self.not_tried)}


@dataclass(frozen=True)
class Decision:
    """The answer by a policy, why, and on what conditions; `findings` are by the regulator's questions,
    `rules` what they come from, `inputs` the files that were judged,
    `inferred` how well sensitive columns were guessed for it."""

    answer: ReleaseAnswer
    policy: str
    reasons: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    findings: tuple[RegulatorFinding, ...] = field(default=(), repr=False)
    rules: tuple[RuleVerdict, ...] = field(default=(), repr=False)
    inputs: tuple[Digest, ...] = field(default=(), repr=False)
    inferred: tuple[InferredColumn, ...] = field(default=(), repr=False)

    @property
    def headline(self) -> str:
        """The verdict in one line; what is not judged with why, and not with what would settle it.

        >>> Decision("not_judged", "public", ("no record has a value; give some",)).headline
        'Not judged: no record has a value'
        """
        line = HEADLINES[self.answer]
        return f"{line}: {_first_clause(self.reasons)}" if self._says_why else line

    @property
    def further_reasons(self) -> tuple[str, ...]:
        """Those that the headline does not say in full."""
        said = self._says_why and self.reasons[0] == _first_clause(self.reasons)
        return self.reasons[1:] if said else self.reasons

    @property
    def _says_why(self) -> bool:
        return self.answer == "not_judged" and bool(self.reasons)

    @property
    def goes_further(self) -> bool:
        """Whether the reasons are why it may not go further than it may."""
        return any(each.startswith("not for ") for each in self.reasons)

    @property
    def sentences(self) -> tuple[tuple[str, str], ...]:
        """What is said below the headline, each with what it is: if, found, because, not tried.

        What is a reason is not told again as not tried.
        """
        told = [("if", each) for each in self.conditions if self.answer == "conditions"]
        kept = self.answer in ("conditions", "no_objection") and not self.goes_further
        reasons = self._kept_limits() if kept else self.further_reasons
        told += [("found" if kept else "because", each) for each in reasons]
        for finding in self.findings:
            gaps = [each for each in finding.not_tried if each not in self.reasons]
            told += [("not tried", f"{finding.question}: {gap}") for gap in gaps]
        return tuple(told)

    def _kept_limits(self) -> Iterator[str]:
        """By the regulator's questions; last what is about the use of the data."""
        by_question = [(each.question, found) for each in self.findings for found in each.found]
        yield from (f"{question}: {found}" for question, found in by_question)
        told = {found for _, found in by_question}
        yield from (reason for reason in self.reasons if reason not in told)

    def _repr_html_(self) -> str:
        """In a notebook the verdict is read before any number."""
        line = f"<p><strong>{escape(self.headline)}</strong> (policy: {escape(self.policy)})</p>"
        return line + html_list(f"{what}: {words}" for what, words in self.sentences)

    def to_dict(self) -> dict[str, Any]:
        return {
            "answer": self.answer,
            "policy": self.policy,
            "reasons": list(self.reasons),
            "conditions": list(self.conditions),
            "questions": [each.to_dict() for each in self.findings],
        }


def _first_clause(reasons: Sequence[str]) -> str:
    return reasons[0].partition("; ")[0]


def decide(
    policy: str,
    rules: Sequence[RuleVerdict],
    not_asked: Sequence[RuleNotAsked],
    conditions: Sequence[str],
    observations: Sequence[Observation] = (),
    order_tried: bool = False,
) -> Decision:
    """A broken rule forbids, an unknown one leaves it open, and so does what was observed beside them."""
    broken = [*dict.fromkeys(each.words for each in observations if each.forbids)]
    broken += [rule_words(each) for each in rules if not each.passed and each.answer.value is not None]
    unknown = [each.words for each in observations if not each.forbids]
    unknown += [rule_words(each) for each in rules if each.answer.value is None]
    passed = [rule_words(each) for each in rules if each.passed]
    answer: ReleaseAnswer = (
        "do_not_release" if broken else "not_judged" if unknown else "conditions" if conditions
        else "no_objection"
    )  # fmt: skip
    about = rules, not_asked, observations, order_tried
    findings = tuple(_finding(question, *about) for question in QUESTIONS)
    if answer in ("conditions", "no_objection"):
        findings = tuple(map(_with_what_nobody_can_look_at, findings))
    return Decision(
        answer, policy, tuple(broken or unknown or passed), tuple(conditions), findings, tuple(rules)
    )


def _finding(
    question: RegulatorQuestion,
    rules: Sequence[RuleVerdict],
    not_asked: Sequence[RuleNotAsked],
    observations: Sequence[Observation],
    order_tried: bool,
) -> RegulatorFinding:
    observed = [each for each in observations if each.question == question]
    asked = [each for each in rules if question_of(each.rule) == question]
    skipped = [each for each in not_asked if each.is_a_gap and question_of(each.rule) == question]
    found = [each.words for each in observed if each.forbids]
    found += [rule_words(each) for each in asked if each.answer.value is not None]
    gaps = [each.words for each in observed if not each.forbids]
    gaps += _gaps(question, asked, skipped)
    gaps += [] if order_tried or question != "linkability" else [ORDER]
    return RegulatorFinding(question, tuple(found), tuple(dict.fromkeys(gaps)))


def _with_what_nobody_can_look_at(finding: RegulatorFinding) -> RegulatorFinding:
    """What is said only where the data may go out: elsewhere it decides nothing."""
    return replace(finding, not_tried=(*finding.not_tried, *NEVER_TRIED.get(finding.question, ())))


def _gaps(
    question: RegulatorQuestion, asked: Sequence[RuleVerdict], skipped: Sequence[RuleNotAsked]
) -> Iterator[str]:
    yield from (rule_words(each) for each in asked if each.answer.value is None)
    yield from (each.why for each in skipped)
    known = [each.rule for each in asked if each.rule.measure.startswith("points.")]
    if question == "singling out" and known:
        # where known records were drawn at random, and nobody asked for the most telling ones
        yield from () if any(rule.parameters.get("worst") for rule in known) else (WORST,)
        yield from (GUESSED,) if all(_counts_who_fits(rule) for rule in known) else ()
        yield WHOLE
    attacks = [each.rule.measure for each in asked if each.rule.measure.startswith("attack.")]
    if attacks and not any(each.startswith("attack.best.") for each in attacks):
        yield STRONGER
    if not asked and not skipped:
        yield NOT_TRIED[question]


def _counts_who_fits(rule: Rule) -> bool:
    """Whether somebody who is right by a guess among several is not counted."""
    return rule.measure.split(".")[1] in ("unique", "narrowed", "candidates")


def question_of(rule: Rule) -> RegulatorQuestion | None:
    """Which of the three questions a rule is about; None for what is not about people."""
    measure = find_path(rule.measure)
    if measure is None or measure.path.family in NOT_ABOUT_PEOPLE or measure.path.part in LOSSES:
        return None
    return OF_FAMILY.get(measure.path.family, "singling out")
