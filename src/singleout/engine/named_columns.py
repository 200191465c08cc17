"""Which columns a question may name, and which names a table may have."""

from __future__ import annotations

from collections.abc import Sequence

from singleout.engine.protocol import Column, Engine, Question
from singleout.errors import InputError, UsageError, nearest


def check_sets(question: Question, masks: Sequence[int], *, empty: bool = True) -> None:
    """Only the question's columns, and at least one of them unless the empty set makes sense too."""
    columns = len(question.columns)
    if not empty and 0 in masks:
        raise UsageError("the parts of no columns can't be counted; choose at least one column")
    if odd := [mask for mask in masks if mask < 0 or mask >> columns]:
        raise UsageError(f"the bits of {odd[0]:#b} name more columns than the {columns} asked about")


def checked_columns(place: str, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Column names that no engine can confuse with each other."""
    if not columns:
        raise InputError(f"{place}: has no columns")
    seen: dict[str, str] = {}
    for column in columns:
        folded = column.name.casefold()
        if folded not in seen:
            seen[folded] = column.name
            continue
        other = seen[folded]
        if other == column.name:
            raise InputError(f"{place}: two columns are called {other!r}; rename one")
        raise InputError(
            f"{place}: columns {other!r} and {column.name!r} differ only in upper and lower case; rename one"
        )
    return columns


def known_columns(engine: Engine, names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once; all that are unknown are told at once."""
    if odd := [name for name in names if not isinstance(name, str)]:
        raise UsageError(f"a column is named by text, not by {odd[0]!r}")
    known = [column.name for column in engine.columns()]
    unknown = [name for name in dict.fromkeys(names) if name not in known]
    if unknown:
        faults = "; ".join(f"there is no column {name!r}; {nearest(name, known)}" for name in unknown)
        raise UsageError(f"{engine.place}: {faults}")
    return tuple(dict.fromkeys(names))
