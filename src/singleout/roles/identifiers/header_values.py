"""Identifiers that stand in the header: a person's own column, or a first record taken for the header."""

from __future__ import annotations

import unicodedata

from singleout.roles.identifiers.column_names import (
    NAME_PHRASES,
    NEUTRAL,
    PEOPLE,
    THINGS,
    kinds_by_name,
    words_of,
)
from singleout.roles.identifiers.identifier_kind import KIND_WORDS, IdentifierKind
from singleout.roles.identifiers.recognition import CODES, MEASURED, Recognised
from singleout.roles.identifiers.value_forms import sightings
from singleout.roles.identifiers.written_words import is_full_name, name_parts

OF_COLUMNS = NAME_PHRASES | NEUTRAL | PEOPLE | THINGS | CODES | MEASURED


def recognise_header(name: str, records: int) -> tuple[Recognised, ...]:
    """What the name of a column is by itself; every record of the column stands below it.

    >>> [each.kind for each in recognise_header("ann@example.com", 3)], recognise_header("e-mail", 3)
    (['e-mail'], ())
    """
    plain = unicodedata.normalize("NFKC", name).strip()
    kinds: list[IdentifierKind] = [*sightings([(plain, 1)], [], 1)]
    if "name" not in kinds and _is_persons(plain):
        kinds.append("name")
    return tuple(Recognised(kind, records, False, f"its header is {KIND_WORDS[kind]}") for kind in kinds)


def _is_persons(header: str) -> bool:
    """`John Smith`, `Smith_John` or `JohnSmith`, and not `Martin Score`."""
    parts = name_parts(header)
    if not parts.capitalised or kinds_by_name(header) or any(word in OF_COLUMNS for word in words_of(header)):
        return False
    return is_full_name(header) or is_full_name(" ".join(reversed(parts.words)))
