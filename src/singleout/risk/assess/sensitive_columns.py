"""The sensitive columns of an assessment: which they are, and what the classes give away of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion
from singleout.errors import UsageError
from singleout.read.source import Source
from singleout.risk.attribute_disclosure import AttributeDisclosure, disclosure_of
from singleout.roles.hierarchies.hierarchy import Hierarchy, read_hierarchies
from singleout.roles.study import says_none

KNOWN = "{}: sensitive, but among the columns that an attacker knows: what follows from it is not judged"
OTHERS = "each sensitive column is judged by classes that are alike in the other sensitive columns too"
NOT_NEEDED = "hierarchies are for sensitive columns here; name them by --sensitive"


def check_sensitive(sensitive: Sequence[str] | None, columns: Sequence[str] | None, user: str | None) -> None:
    """What is asked to be sensitive is neither the person nor known."""
    if says_none(sensitive):
        return
    if user is not None and user in (sensitive or ()):
        raise UsageError(f"{user!r} is the user column; it can't be sensitive too")
    if both := [name for name in sensitive or () if name in (columns or ())]:
        raise UsageError(
            f"{both[0]!r} is sensitive, which an attacker does not know; leave it out of the columns"
        )


def sensitive_disclosures(
    counter: Engine, plan: CheckedQuestion, hierarchies: Any, origin: Source, threads: int, remarks: list[str]
) -> tuple[AttributeDisclosure, ...]:
    """What the classes of all known columns give away of each sensitive one, the others being known too."""
    named = plan.study.sensitive if plan.study else ()
    remarks += [KNOWN.format(name) for name in named if name in plan.columns]
    guarded = [name for name in named if name not in plan.columns]
    remarks += [OTHERS] if len(guarded) > 1 else []
    by_column = _hierarchies(counter, hierarchies, guarded, origin)
    found = []
    for name in guarded:
        others = [each for each in guarded if each != name]
        question = plan.question((*plan.columns, *others, name))
        found.append(disclosure_of(counter, question, by_column.get(name), threads=threads))
    return tuple(found)


def _hierarchies(
    counter: Engine, hierarchies: Any, guarded: Sequence[str], origin: Source
) -> dict[str, Hierarchy]:
    if hierarchies is None:
        return {}
    if not guarded:
        raise UsageError(NOT_NEEDED)
    names = tuple(column.name for column in counter.columns())
    return read_hierarchies(hierarchies, names, origin.files())[0]
