"""What was found, in sentences for the person who decides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from singleout.policy.verdict.decision import ReleaseAnswer
from singleout.risk.assess.result import Assessment
from singleout.risk.attribute_disclosure import AttributeDisclosure
from singleout.risk.equivalence_classes import Classes, Exposure
from singleout.risk.identifiers import Identifier

ONE_RECORD = "each record is its own person"
# the sign tells it where there is no colour
SIGNS: dict[ReleaseAnswer, str] = {
    "do_not_release": "✗",
    "conditions": "!",
    "no_objection": "✓",
    "not_judged": "?",
}


def whole_sentence(words: str) -> str:
    """With a capital letter and a full stop.

    >>> whole_sentence("nobody stands out")
    'Nobody stands out.'
    """
    return f"{words[:1].upper()}{words[1:]}."


def findings(found: Assessment) -> tuple[str, ...]:
    """At most three sentences, the most important first."""
    sentences = (
        identifier_sentence(found.identifiers),
        overall_sentence(found),
        attribute_sentence(found),
    )
    return tuple(filter(None, sentences))


def identifier_line(found: Identifier) -> str:
    """One column that names people, and why it is taken as such."""
    return f"{found.column} ({found.kind}): {found.reason}"


def identifier_sentence(found: Sequence[Identifier]) -> str | None:
    """What stands before all numbers: who has a name needs no guess."""
    if not found:
        return None
    kinds: dict[str, list[str]] = {}
    for each in found:
        kinds.setdefault(each.column, []).append(f"{each.kind}{' in its texts' if each.hidden else ''}")
    listed = "; ".join(f"{column} ({', '.join(told)})" for column, told in kinds.items())
    several = len(kinds) > 1
    which, they, are = ("these columns", "they", "are") if several else ("this column", "it", "is")
    return (
        f"Direct identifiers are in this table: {listed}. Leave {which} out before it is released; what "
        f"follows does not count while {they} {are} in it."
    )


def overall_sentence(found: Assessment) -> str | None:
    classes = found.classes
    if classes is None:
        return None
    exposure, alone = classes.by_people or classes.by_records, classes.people_alone
    unique = int(exposure.unique.known)
    if not unique:
        return _least_sentence(found, classes, exposure)
    if alone and alone.value is not None:
        have = "has" if alone.value == 1 else "have"
        share = percent(int(alone.value), found.people)
        return (
            f"{alone.value:,} of {found.people:,} people ({share}) {have} a record like nobody "
            "else's: whoever "
            "knows all its values knows whose it is."
        )
    kind = "of one person only" if classes.by_people else "the only ones with their values (sample uniques)"
    return (
        f"{unique:,} of {classes.records:,} records ({percent(unique, classes.records)}) are {kind}; "
        f"the risk of a record is {exposure.average_risk.known:.3g} on average (prosecutor risk)."
    )


def _least_sentence(found: Assessment, classes: Classes, exposure: Exposure) -> str:
    """Nobody is alone: how few are together, of the records that could be counted."""
    k = f"{int(exposure.k.known):,}"
    alike = f"is one of at least {k} alike"
    fits = f"fits at least {k} of {found.people:,} people" if classes.by_people else alike
    return (
        f"Each of {classes.records:,} records {fits} (k-anonymity): whoever knows all its values is right "
        f"about whose it is with probability {exposure.average_risk.known:.3g} on average, and "
        f"{exposure.highest_risk.known:.3g} at most."
    )


def percent(part: int, whole: int) -> str:
    """In whole per cent, but never 0 % for some or 100 % for nearly all."""
    if 0 < part < 0.005 * whole:
        return "under 1%"
    if 0.995 * whole <= part < whole:
        return "over 99%"
    return f"{part / whole:.0%}"


def sensitive_sentences(found: Assessment) -> tuple[str, ...]:
    """Of each sensitive column, whether it is given away though nobody is singled out."""
    return tuple(map(sensitive_sentence, found.sensitive))


def sensitive_sentence(disclosed: AttributeDisclosure) -> str:
    name, certain, alpha = disclosed.column, disclosed.certain_people.value, disclosed.alpha.value
    if certain is None or alpha is None:
        return f"What the other attributes give away of {name} is not known: {disclosed.alpha.reason}."
    if certain:
        share = percent(int(certain), disclosed.people)
        return (
            f"{name} is given away for {certain:,} of {disclosed.people:,} people ({share}): all who look "
            "like them have the same value (attribute disclosure)."
        )
    return (
        f"{name} does not follow for certain for anybody; at worst, {alpha:.3g} of the people who look alike "
        "have the same value."
    )


def attribute_sentence(found: Assessment) -> str | None:
    if found.riskiest is None:
        return None
    name = found.riskiest.exact
    risk = next(each.risk.risk.known for each in found.attributes if each.name == name)
    return (
        f"The riskiest attribute (quasi-identifier) is {name}: whoever learns it of one record names the "
        f"person with probability {risk:.3g} on average."
    )


def sampling_sentence(found: Assessment) -> str | None:
    riskiest = found.riskiest
    if found.user is None or riskiest is None or riskiest.sampling is None or len(found.attributes) < 2:
        return None
    if riskiest.separated and riskiest.sampling != riskiest.exact:
        return f"Beware: a sample of values (sampling model) would mislead; it points to {riskiest.sampling}."
    if riskiest.separated:
        return (
            f"A sample of values (sampling model) says so too: the interval of {riskiest.sampling} lies "
            "above all others."
        )
    return (
        "A sample of values (sampling model) would not settle which is riskiest; it points to "
        f"{riskiest.sampling}."
    )


def table_name(location: str) -> str:
    """A table without its folder.

    >>> table_name("out/shop.csv"), table_name("shop.duckdb::sales")
    ('shop.csv', 'shop.duckdb::sales')
    """
    return PurePath(location).name or location
