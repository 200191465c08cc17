"""A domain: columns whose values people leave behind in one kind of use, such as the stations passed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from singleout.errors import UsageError

FORM = "write it like NAME=COLUMN, stations=entry+exit or purchases=fare@usage=purchase"
QUOTED = r'"(?:[^"]|"")*"'
NAME = rf'(?:{QUOTED}|[^"@=+][^@=+]*)'
VALUE = rf'(?:{QUOTED}|[^"@][^@]*)'
COLUMN = re.compile(NAME)
FILTER = re.compile(f"@({NAME})=({VALUE})")
KNOWN_VALUE = re.compile(rf'({NAME})=({QUOTED}|[^"].*)', re.DOTALL)
WHOLE = re.compile(rf"({NAME})=({NAME}(?:\+{NAME})*)((?:{FILTER.pattern})*)")


@dataclass(frozen=True)
class Domain:
    """Each record that passes the filters adds its value of every column: entry and exit station are two."""

    name: str
    columns: tuple[str, ...]
    filters: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        texts = [self.name, *self.columns, *(text for pair in self.filters for text in pair)]
        if not isinstance(self.columns, tuple) or not all(isinstance(text, str) for text in texts):
            raise UsageError(f"domain {self.name!r}: give columns and filters as tuples of text; {FORM}")
        if not self.name or not self.columns or not all(self.columns):
            raise UsageError(f"a domain needs a name and a column; {FORM}")
        if len(set(self.columns)) < len(self.columns):
            raise UsageError(f"domain {self.name!r}: names a column twice; name each once")

    @property
    def all_columns(self) -> tuple[str, ...]:
        return (*self.columns, *(column for column, _ in self.filters))

    def restrict(self, value: str) -> tuple[Domain, ...]:
        """The events with one value, a domain for each column."""
        filters = [(*self.filters, (column, value)) for column in self.columns]
        return tuple(Domain(self.name, (each[-1][0],), each) for each in filters)


def domain(text: str) -> Domain:
    """'stations=entry+exit@usage=traffic' as a domain; a name with + @ = in it stands in double quotes.

    >>> domain('spent=fare@usage=purchase')
    Domain(name='spent', columns=('fare',), filters=(('usage', 'purchase'),))
    """
    parts = WHOLE.fullmatch(text)
    if not parts:
        raise UsageError(f"{text!r} is no domain; {FORM}")
    columns = tuple(map(_unquote, COLUMN.findall(parts[2])))
    filters = tuple((_unquote(column), _unquote(value)) for column, value in FILTER.findall(parts[3]))
    return Domain(_unquote(parts[1]), columns, filters)


def known_value(text: str) -> tuple[str, str]:
    """'stations=Ueno' as a domain's name and a value of it.

    >>> known_value('"a=b"=x=y')
    ('a=b', 'x=y')
    """
    parts = KNOWN_VALUE.fullmatch(text)
    if not parts:
        raise UsageError(f"{text!r} is no value of a domain; write it like stations=Ueno")
    return _unquote(parts[1]), _unquote(parts[2])


def _unquote(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text
