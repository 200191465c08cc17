"""What a passed policy takes for granted: columns that no rule looked at, fresh names, nothing sensitive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.attacks.attacker_knowledge import in_words
from singleout.policy.asked_rule import AskedRule
from singleout.policy.check_settings import Inquiry
from singleout.policy.decision import question_of

LEAVE_OUT = "{} {} left out of what is released, for no rule looked at {}"
LEARNED = "what can be learned of {} does not matter, for no rule asks for it"
EACH_RECORD, BY_COLUMN = "each record is its own person", "{} says whose records they are"
OTHER_PERSON = "{}, though {} looks like the column that names people"
FRESH_NAMES = "the names in {} are made up for this release (pseudonyms), and nobody else can look them up"
KEPT_NAMES = "{:,} names in {} are replaced by pseudonyms, for they are those of the original"
NOT_SAMPLED = (
    "nobody can know who is in the data, for rules about the population, a reference or weights take that "
    "for granted; for who does, the risk is that of the data itself"
)
NOTHING_SENSITIVE = (
    "no column holds what must not be learned about people, for none was named as sensitive; name them by "
    "--sensitive, or say --sensitive none"
)


def release_conditions(
    inquiry: Inquiry, rules: Sequence[AskedRule], kept_names: int, other_person: str | None
) -> Iterator[str]:
    """Each is a clause of its own, for a list.

    `kept_names` are people called as in the original, `other_person` is a column that looks like the one that
    names people, though nobody said so.
    """
    about_people = [one for one in rules if question_of(one.rule) is not None]
    looked_at = {name for one in about_people for name in _columns_of(one, inquiry)}
    others = [name for name in inquiry.names if name not in {*looked_at, inquiry.person, *inquiry.sensitive}]
    if others:
        several = len(others) > 1
        yield LEAVE_OUT.format(in_words(others), "are" if several else "is", "them" if several else "it")
    guarded = {name for one in about_people for name in one.sensitive}
    if unasked := [name for name in inquiry.sensitive if name not in guarded]:
        yield LEARNED.format(in_words(unasked))
    if other_person is not None:
        unit = EACH_RECORD if inquiry.person is None else BY_COLUMN.format(inquiry.person)
        yield OTHER_PERSON.format(unit, other_person)
    if kept_names:
        yield KEPT_NAMES.format(kept_names, inquiry.person)
    elif inquiry.person is not None and (inquiry.original is None or inquiry.said.get("truth") is None):
        yield FRESH_NAMES.format(inquiry.person)
    if any(one.family in ("population", "reference", "weighted") for one in rules):
        yield NOT_SAMPLED
    if not inquiry.sensitive and not inquiry.nothing_sensitive:
        yield NOTHING_SENSITIVE


def _columns_of(one: AskedRule, inquiry: Inquiry) -> tuple[str, ...]:
    """What a rule looked at; attacks by themselves take all that both tables have."""
    if one.names is not None:
        return one.names
    old = {new: name for name, new in inquiry.new_names.items()}
    shared = (name for name in inquiry.names if old.get(name, name) in inquiry.original_names)
    return tuple(shared) if one.family in ("attack", "points") else ()
