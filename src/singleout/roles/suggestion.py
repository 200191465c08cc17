"""Suggest what each column means and why: by its name, its values' look, and how distinct they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, overload

from singleout.result_table import Heading, ResultTable
from singleout.roles.identifiers.identifier_kind import IdentifierKind
from singleout.roles.person_column import (
    BY_VALUES,
    STRONG,
    ColumnLook,
    person_rank,
    repeated_person,
    spaced_name,
)
from singleout.roles.role import Role
from singleout.roles.study import study_text

if TYPE_CHECKING:
    import pandas
    import pyarrow


NEARLY_ALL = 0.95
DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}([T ].*)?")
CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?")
NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")

SENSITIVE_NAME = re.compile(
    r"diag|disease|illness|salary|income|religion|politic|orientation|hiv|cancer|medication|result|readmit"
    r"|wages?(?![a-z])|earnings|sexual|pregnan|disabilit|genetic|krank|gehalt|einkommen|maladie|salaire"
    r"|enfermedad|病名|診断|年収|疾病|诊断",
    re.IGNORECASE,
)
ITEM_NAME = re.compile(
    r"(^|[_\W])(item|goods?|product|sku|stock_?code|article|station|place|location|point|code)s?([_\W]|$)",
    re.IGNORECASE,
)
AMOUNT_NAME = re.compile(
    r"(^|[_\W])(amount|price|fare|cost|quantity|qty|number|count|sum|total|value)s?([_\W]|$)", re.IGNORECASE
)
TIME_NAME = re.compile(r"(^|[_\W])(date|time|day|month|year|timestamp|when)s?([_\W]|$)", re.IGNORECASE)


class ColumnIdentifier(Protocol):
    """A column that was found to hold direct identifiers, and by what."""

    @property
    def column(self) -> str: ...
    @property
    def kind(self) -> IdentifierKind: ...
    @property
    def hidden(self) -> bool: ...
    @property
    def reason(self) -> str: ...


@dataclass(frozen=True)
class Suggestion:
    """`kind` is what is found by whoever looks for direct identifiers; values may identify without it."""

    column: str
    role: Role
    reason: str
    direct_identifier: bool = False
    kind: IdentifierKind | None = None


def suggest(columns: Sequence[ColumnLook], identifiers: Sequence[ColumnIdentifier]) -> tuple[Suggestion, ...]:
    """One suggestion a column, by the first rule that fits; at most one of them is the user.

    `identifiers` are those of the same columns, with the suggested user as the user.
    """
    user = suggested_user(columns)
    found = {each.column: each for each in reversed(identifiers)}
    return tuple(_suggestion(column, column.name == user, found.get(column.name)) for column in columns)


def _suggestion(column: ColumnLook, is_user: bool, identifier: ColumnIdentifier | None) -> Suggestion:
    if is_user:
        return _flag_identifier(column, _user_suggestion(column), identifier)
    if identifier and not identifier.hidden and identifier.kind != "near-unique code":
        reason = f"direct identifier: {identifier.reason}; remove it before release"
        return Suggestion(column.name, "ignore", reason, True, identifier.kind)
    return _flag_identifier(column, _rule_suggestion(column), identifier)


def _flag_identifier(
    column: ColumnLook, suggestion: Suggestion, identifier: ColumnIdentifier | None
) -> Suggestion:
    """Whatever a column means, it identifies if hardly two records share a value of it."""
    if identifier:
        flagged = replace(suggestion, direct_identifier=True, kind=identifier.kind)
        if suggestion.direct_identifier:
            return flagged
        return replace(flagged, reason=f"{suggestion.reason}; direct identifier: {identifier.reason}")
    if suggestion.direct_identifier or not _is_nearly_unique(column):
        return suggestion
    reason = f"{suggestion.reason}; nearly every record has its own value, which identifies by itself"
    return replace(suggestion, reason=reason, direct_identifier=True)


def _rule_suggestion(column: ColumnLook) -> Suggestion:
    suggestions = (rule(column, spaced_name(column.name)) for rule in RULES)
    return next(suggestion for suggestion in suggestions if suggestion is not None)


def _user_suggestion(column: ColumnLook) -> Suggestion:
    average = (column.records - column.missing) / column.distinct
    why = "its values repeat like people's" if person_rank(column) == BY_VALUES else "its name says so"
    people = "1 person" if column.distinct == 1 else f"{column.distinct:,} people"
    reason = f"{why}; {people} with {average:.1f} records each"
    return Suggestion(column.name, "user", reason)


def _empty_column(column: ColumnLook, _: str) -> Suggestion | None:
    return None if column.distinct else Suggestion(column.name, "ignore", "all its values are missing")


def _time(column: ColumnLook, name: str) -> Suggestion | None:
    if _look_like(column.examples, CLOCK, DATE):
        return Suggestion(column.name, "time", "its values look like dates or times")
    return Suggestion(column.name, "time", "its name says so") if TIME_NAME.search(name) else None


def _sensitive_attribute(column: ColumnLook, name: str) -> Suggestion | None:
    reason = "its name suggests what people keep to themselves"
    return Suggestion(column.name, "sensitive", reason) if is_sensitive_name(name) else None


def is_sensitive_name(name: str) -> bool:
    """
    >>> is_sensitive_name("diag_1"), is_sensitive_name("town")
    (True, False)
    """
    return SENSITIVE_NAME.search(name) is not None


def _amount(column: ColumnLook, name: str) -> Suggestion | None:
    counter = "number" in name.lower() and _is_nearly_unique(column)  # such as an invoice's
    if counter or not (AMOUNT_NAME.search(name) and _look_like(column.examples, NUMBER)):
        return None
    return Suggestion(column.name, "amount", "its name says so, and its values are numbers")


def _unique_values(column: ColumnLook, _: str) -> Suggestion | None:
    if not _is_nearly_unique(column):
        return None
    reason = f"direct identifier: {_variety(column)}; remove it before release"
    return Suggestion(column.name, "ignore", reason, True)


def _item(column: ColumnLook, name: str) -> Suggestion | None:
    reason = f"its name says so; {_variety(column)}"
    return Suggestion(column.name, "item", reason) if ITEM_NAME.search(name) else None


def _quasi_identifier(column: ColumnLook, _: str) -> Suggestion:
    return Suggestion(column.name, "quasi-identifier", _variety(column))


RULES = (
    _empty_column,
    _time,
    _sensitive_attribute,
    _amount,
    _unique_values,
    _item,
    _quasi_identifier,
)


def suggested_user(columns: Sequence[ColumnLook]) -> str | None:
    """The column whose values repeat like a person's, else of those named like a person the most distinct."""
    if repeated := repeated_person(columns):
        return repeated.name
    named = [column for column in columns if person_rank(column) == STRONG and column.distinct > 1]
    best = max(named, key=lambda column: column.distinct, default=None)
    return best.name if best else None


def _variety(column: ColumnLook) -> str:
    values = "the same value" if column.distinct == 1 else f"{column.distinct:,} different values"
    filled = column.records - column.missing
    return f"{values} in {filled:,} record{'' if filled == 1 else 's'}"


def _is_nearly_unique(column: ColumnLook) -> bool:
    filled = column.records - column.missing
    return filled > 20 and column.distinct >= NEARLY_ALL * filled


def _look_like(examples: Iterable[str], *looks: re.Pattern[str]) -> bool:
    filled = [each for each in examples if each.strip()]
    fitting = sum(any(look.fullmatch(each.strip()) for look in looks) for each in filled)
    return bool(filled) and fitting >= 0.9 * len(filled)


HEADINGS = (
    Heading("column", "column"),
    Heading("role", "role", "what the column probably means"),
    Heading("reason", "why", "what speaks for the role"),
    Heading("direct_identifier", "direct identifier", "whether a value says by itself whose record it is"),
    Heading("kind", "kind", "of the direct identifier, such as a name or a phone number"),
)


@dataclass(frozen=True, repr=False)
class Suggestions(Sequence[Suggestion]):
    """One suggestion a column, in the table's order; `remarks` tell what was guessed in reading it."""

    columns: tuple[Suggestion, ...]
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        roles = Counter(each.role for each in self)
        told = ", ".join(f"{many} {role}" for role, many in roles.items())
        return f"<Suggestions for {len(self)} columns: {told}>"

    @overload
    def __getitem__(self, index: int) -> Suggestion: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Suggestion, ...]: ...
    def __getitem__(self, index: int | slice) -> Suggestion | tuple[Suggestion, ...]:
        return self.columns[index]

    def study_text(self) -> str:
        """A study file with these roles, and the reason beside each."""
        return study_text(
            {each.column: each.role for each in self}, {each.column: each.reason for each in self}
        )

    def to_arrow(self) -> pyarrow.Table:
        return self._table().to_arrow()

    def to_frame(self) -> pandas.DataFrame:
        return self._table().to_frame()

    def _repr_html_(self) -> str:
        return self._table()._repr_html_()

    def _table(self) -> ResultTable:
        rows = tuple(
            (each.column, each.role, each.reason, each.direct_identifier, each.kind) for each in self
        )
        return ResultTable("What each column probably means", HEADINGS, rows, "; ".join(self.remarks))
