"""What a passed policy takes for granted: columns that no rule looked at, fresh names, nothing sensitive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.attacks.attacker_knowledge import in_words
from singleout.policy.applicable_rules import RuleNotAsked
from singleout.policy.asked_rule import AskedRule
from singleout.policy.check_settings import Inquiry

LEAVE_OUT = "{} {} left out of what is released, for no rule looked at {}"
FRESH_NAMES = "the names in {} are made up for this release (pseudonyms), and nobody else can look them up"
NOTHING_SENSITIVE = (
    "no column holds what must not be learned about people, for none was named as sensitive; name them by "
    "--sensitive, or say --sensitive none"
)


def release_conditions(
    inquiry: Inquiry, rules: Sequence[AskedRule], not_asked: Sequence[RuleNotAsked]
) -> Iterator[str]:
    """Each is a clause of its own, for a list."""
    looked_at = {name for one in rules for name in one.names or ()}
    aside = {inquiry.person, *inquiry.sensitive}
    others = [name for name in inquiry.names if name not in looked_at | aside]
    if others:
        several = len(others) > 1
        yield LEAVE_OUT.format(in_words(others), "are" if several else "is", "them" if several else "it")
    if inquiry.person is not None and (inquiry.original is None or inquiry.said.get("truth") is None):
        yield FRESH_NAMES.format(inquiry.person)
    if not inquiry.nothing_sensitive and any(each.rule.when == "sensitive" for each in not_asked):
        yield NOTHING_SENSITIVE
