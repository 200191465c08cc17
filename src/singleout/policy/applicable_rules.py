"""Which rules of a policy are asked of a table: those that speak of what it is, and of what came with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from singleout.attacks.attacker_knowledge import in_words
from singleout.errors import InputError
from singleout.policy.check_settings import Inquiry
from singleout.policy.rules.policy import Policy
from singleout.policy.rules.rule import Rule

NO_RULE_APPLIES = "{}: none of its rules is about a table like {}; see when each applies"
UNMET = {
    "history": "each record is its own person here, and it is about people with several",
    "one record a person": "people have several records here, and it is about one record a person",
    "sensitive": "no column was named as sensitive, so nobody asked what can be learned of people; name it "
    "by --sensitive, or in a study file",
    "original": "no original was given to link the data to "
    "(singleout check RELEASE --original ORIGINAL --truth MAP)",
}
NOTHING_SENSITIVE = "no column is sensitive, as was said, so nobody asked what can be learned of people"
SENSITIVE_GONE = "the release lacks {}, so nobody asked whether it can be learned of people from the rest"
GAPS = ("sensitive", "original")


@dataclass(frozen=True)
class RuleNotAsked:
    """A rule that was not asked, and why; it neither passes nor fails.

    It `is_a_gap` if it would have told something, as one for other kinds of tables would not.
    """

    number: int
    rule: Rule
    why: str
    is_a_gap: bool


def numbered_rules(policy: Policy, inquiry: Inquiry) -> tuple[tuple[int, Rule], ...]:
    """The rules that apply, each with its number in the policy."""
    applying = tuple((number, rule) for number, rule in enumerate(policy.rules, 1) if _applies(rule, inquiry))
    if not applying:
        raise InputError(NO_RULE_APPLIES.format(policy.called, inquiry.data.name))
    return applying


def rules_not_asked(policy: Policy, inquiry: Inquiry) -> Iterator[RuleNotAsked]:
    for number, rule in enumerate(policy.rules, 1):
        if rule.when is not None and not _applies(rule, inquiry):
            yield RuleNotAsked(number, rule, _why(rule.when, inquiry), rule.when in GAPS)


def _why(unmet: str, inquiry: Inquiry) -> str:
    if unmet == "sensitive" and inquiry.nothing_sensitive:
        return NOTHING_SENSITIVE
    if unmet == "sensitive" and (gone := inquiry.sensitive_gone):
        return SENSITIVE_GONE.format(in_words(gone))
    return UNMET[unmet]


def _applies(rule: Rule, inquiry: Inquiry) -> bool:
    facts = {
        None: True,
        "history": inquiry.person is not None,
        "one record a person": inquiry.person is None,
        "sensitive": bool(inquiry.sensitive),
        "original": inquiry.original is not None,
    }
    return facts[rule.when]
