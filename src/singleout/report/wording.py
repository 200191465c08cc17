"""What was found, in sentences for the person who decides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from singleout.risk.assess.result import Assessment
from singleout.risk.identifiers import Identifier

ONE_RECORD = "each record is its own person"


def findings(found: Assessment) -> tuple[str, ...]:
    """At most four sentences, the most important first."""
    sentences = (
        identifier_sentence(found.identifiers),
        overall_sentence(found),
        attribute_sentence(found),
        sampling_sentence(found),
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
    return (
        f"Direct identifiers are in this table: {listed}. Leave these columns out before it is released; "
        "what follows does not count while they are in it."
    )


def overall_sentence(found: Assessment) -> str | None:
    classes = found.classes
    if classes is None:
        return None
    if classes.people_alone and classes.people_alone.value is not None:
        alone = int(classes.people_alone.value)
        share = percent(alone, found.people)
        return (
            f"{alone:,} of {found.people:,} people ({share}) have a record like nobody else's: whoever knows "
            "all its values knows whose it is."
        )
    exposure = classes.by_people or classes.by_records
    unique = int(exposure.unique.known)
    kind = "of one person only" if classes.by_people else "the only ones of their kind"
    return (
        f"{unique:,} of {classes.records:,} records ({percent(unique, classes.records)}) are {kind}; "
        f"the risk is {exposure.average_risk.known:.3g} on average over the records."
    )


def percent(part: int, whole: int) -> str:
    """In whole per cent, but never 0 % for some or 100 % for nearly all."""
    if 0 < part < 0.005 * whole:
        return "under 1%"
    if 0.995 * whole <= part < whole:
        return "over 99%"
    return f"{part / whole:.0%}"


def attribute_sentence(found: Assessment) -> str | None:
    if found.riskiest is None:
        return None
    name = found.riskiest.exact
    risk = next(each.risk.risk.known for each in found.attributes if each.name == name)
    return (
        f"The riskiest attribute is {name}: learning it for one record gives away the person with "
        f"probability {risk:.3g} on average."
    )


def sampling_sentence(found: Assessment) -> str | None:
    riskiest = found.riskiest
    if found.user is None or riskiest is None or riskiest.sampling is None or len(found.attributes) < 2:
        return None
    if riskiest.separated and riskiest.sampling != riskiest.exact:
        return f"Beware: a sample of values would mislead, it points to {riskiest.sampling}."
    if riskiest.separated:
        return (
            f"A sample of its values tells so too: the interval of {riskiest.sampling} lies above all others."
        )
    return f"A sample of values would not settle which is riskiest; it points to {riskiest.sampling}."


def table_name(location: str) -> str:
    """A table without its folder.

    >>> table_name("out/shop.csv"), table_name("shop.duckdb::sales")
    ('shop.csv', 'shop.duckdb::sales')
    """
    return PurePath(location).name or location
