"""Which columns a question may name, and which names a table may have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from singleout.engine.protocol import Column, Engine, Question
from singleout.errors import InputError, UsageError, name_hint, with_all_names

LOST_INDEX = "the frame's index has no name and is not looked at; frame.reset_index() makes it a column"


def check_sets(question: Question, masks: Sequence[int], *, empty: bool = True) -> None:
    """Only the question's columns, and at least one of them unless the empty set makes sense too."""
    columns = len(question.columns)
    if not empty and 0 in masks:
        raise UsageError("the parts of no columns can't be counted; choose at least one column")
    if odd := [mask for mask in masks if mask < 0 or mask >> columns]:
        raise UsageError(f"the bits of {odd[0]:#b} name more columns than the {columns} asked about")


def checked_columns(where: str, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Column names that no engine can confuse with each other."""
    if not columns:
        raise InputError(f"{where}: has no columns")
    seen: dict[str, str] = {}
    for column in columns:
        folded = column.name.casefold()
        if folded not in seen:
            seen[folded] = column.name
            continue
        other = seen[folded]
        if other == column.name:
            raise InputError(f"{where}: two columns are called {other!r}; rename one")
        raise InputError(
            f"{where}: columns {other!r} and {column.name!r} differ only in upper and lower case; rename one"
        )
    return columns


def known_columns(engine: Engine, names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once; all that are unknown are told at once."""
    if odd := [name for name in names if not isinstance(name, str)]:
        raise UsageError(f"a column is named by text, not by {odd[0]!r}")
    known = [column.name for column in engine.columns()]
    unknown = [name for name in dict.fromkeys(names) if name not in known]
    if unknown:
        faults = (f"there is no column {name!r}; {name_hint(name, known)}" for name in unknown)
        beside = f"; {LOST_INDEX}" if LOST_INDEX in engine.remarks else ""
        raise UsageError(f"{engine.source_name}: {with_all_names(faults, known)}{beside}")
    return tuple(dict.fromkeys(names))


Kind = Literal["numbers", "text", "dates", "times", "yes or no", "other values"]
# whole names: an INTERVAL or an INTEGER[] is no number
KINDS: tuple[tuple[Kind, str], ...] = (
    (
        "numbers",
        r"(u?(tiny|small|big|huge)?int(eger|[248])?|float[48]?|double( precision)?|real|decimal|numeric)"
        r"(\([0-9, ]*\))?",
    ),
    ("text", r"(var|bp)?char.*|character.*|text|string|enum.*|name|citext"),
    ("dates", r"date"),
    ("times", r"timestamp.*|datetime.*"),
    ("yes or no", r"bool(ean)?"),
)


def kind_of(column_type: str) -> Kind:
    """The kind of a column's values, whatever its database calls it.

    >>> [kind_of(each) for each in ("DECIMAL(9,2)", "float8", "bpchar(3)", "INTERVAL", "INTEGER[]")]
    ['numbers', 'numbers', 'text', 'other values', 'other values']
    """
    for kind, pattern in KINDS:
        if re.fullmatch(pattern, column_type, re.IGNORECASE) and not column_type.endswith("[]"):
            return kind
    return "other values"
