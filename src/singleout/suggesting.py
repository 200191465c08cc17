"""Looks at every column of a table and suggests what it means."""

from __future__ import annotations

from typing import Any

from singleout.engine.opening import open_engine
from singleout.engine.profile import profiles
from singleout.errors import InputError
from singleout.read.source import CsvFormat, source
from singleout.roles.suggest import Suggestion, suggest


def suggest_roles(
    data: Any, *, engine: str | None = None, csv: CsvFormat | None = None
) -> tuple[Suggestion, ...]:
    """One suggestion a column, with its reason.

    >>> import pyarrow
    >>> table = pyarrow.table({"customer": ["a", "a", "b"], "date": ["2010/12/1", "2010/12/2", "2010/12/1"]})
    >>> [(each.column, each.role) for each in suggest_roles(table)]
    [('customer', 'user'), ('date', 'time')]
    """
    origin = source(data, csv=csv)
    with open_engine(origin, engine) as counter:
        looks = profiles(counter)
    if not looks[0].records:
        raise InputError(f"{origin.name}: has column names but no records")
    return suggest(looks)
