"""All the suggestions for a table: a sequence that shows itself and turns into a frame or a study file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from singleout.roles.study import study_text
from singleout.roles.suggest import Suggestion
from singleout.table import Heading, ResultTable

if TYPE_CHECKING:
    import pandas
    import pyarrow

HEADINGS = (
    Heading("column", "column"),
    Heading("role", "role", "what the column probably means"),
    Heading("reason", "why", "what speaks for the role"),
    Heading("direct_identifier", "direct identifier", "whether a value says by itself whose record it is"),
)


@dataclass(frozen=True)
class Suggestions(Sequence[Suggestion]):
    """One suggestion a column, in the table's order; `remarks` tell what was guessed in reading it."""

    columns: tuple[Suggestion, ...]
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.columns)

    @overload
    def __getitem__(self, place: int) -> Suggestion: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Suggestion, ...]: ...
    def __getitem__(self, place: int | slice) -> Suggestion | tuple[Suggestion, ...]:
        return self.columns[place]

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
        rows = tuple((each.column, each.role, each.reason, each.direct_identifier) for each in self)
        return ResultTable("What each column probably means", HEADINGS, rows, "; ".join(self.remarks))
