"""Looks at every column of a table and suggests what it means."""

from __future__ import annotations

from typing import Any

from singleout.engine.column_profile import profiles
from singleout.engine.open_engine import open_engine
from singleout.engine.session import refuse_changes
from singleout.errors import InputError
from singleout.read.source import CsvFormat, source
from singleout.risk.identifiers import identifiers, unexplained_columns
from singleout.roles.identifiers.recognition import JUDGED
from singleout.roles.suggestion import Suggestion, Suggestions, suggest, suggested_user

MAY_NAME = "words or codes that may name people: say what they are, or leave it out"


def suggest_roles(data: Any, *, engine: str | None = None, csv: CsvFormat | None = None) -> Suggestions:
    """One suggestion a column, with its reason.

    >>> import pyarrow
    >>> table = pyarrow.table({"customer": ["a", "a", "b"], "date": ["2010/12/1", "2010/12/2", "2010/12/1"]})
    >>> [(each.column, each.role) for each in suggest_roles(table)]
    [('customer', 'user'), ('date', 'time')]
    """
    origin = source(data, csv=csv)
    with refuse_changes(origin), open_engine(origin, engine) as counter:
        looks, remarks = profiles(counter), counter.remarks
        if not looks[0].records:
            raise InputError(f"{origin.name}: has column names but no records")
        user = suggested_user(looks)
        found, unexplained = identifiers(counter, user), unexplained_columns(counter, user)
    # codes and a few words are looked at as other columns are, whoever they stand for
    possible = {name for name, each in unexplained.items() if each not in JUDGED}
    suggested = (
        Suggestion(each.column, "ignore", MAY_NAME)
        if each.column in possible and each.role != "sensitive"
        else each
        for each in suggest(looks, found)
    )
    return Suggestions(tuple(suggested), remarks)
