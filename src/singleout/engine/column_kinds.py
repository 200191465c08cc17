"""What kind of values a column holds, by the type that its database gives it."""

from __future__ import annotations

import re
from typing import Literal

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
