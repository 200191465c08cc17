"""The SQL of a new column made from another's values, and of a check that these have the form it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# of so many digits that no double overflows, and without a backslash, which databases read differently
NUMBER = "[ ]*[+-]?([0-9]{1,40}([.][0-9]{0,40})?|[.][0-9]{1,40})([eE][+-]?[0-9]{1,2})?[ ]*"
# the digits of two numbers and of their quotient may be off by one in so many; as in the step `round`
SHARPNESS = 2**50
MOST_STEPS = 2**52


def add_start_column(table: str, text: str, characters: int, name: str) -> str:
    """The table with one more column: the first characters of a text; the name comes quoted."""
    return f"(SELECT *, substr({text}, 1, {characters}) AS {name} FROM {table}) AS with_starts"


@dataclass(frozen=True)
class StepColumn:
    """A column's text, whether that is a number, and how many steps long it is: all of them as SQL."""

    text: str
    is_number: str
    steps: str
    text_type: str

    def add_to(self, table: str, name: str) -> str:
        """The table with one more column: the whole steps of a number, else the text; the name is quoted."""
        return f"(SELECT *, {self._whole_or_text()} AS {name} FROM {table}) AS with_steps"

    def _whole_or_text(self) -> str:
        """A CASE within a CASE: the parts of an AND may come in any order, and cast what is no number."""
        whole = f"CAST(CAST({self._whole_steps()} AS BIGINT) AS {self.text_type})"
        few = f"CASE WHEN abs({self.steps}) < {MOST_STEPS} THEN {whole} ELSE {self.text} END"
        return f"CASE WHEN {self.is_number} THEN {few} ELSE {self.text} END"

    def _whole_steps(self) -> str:
        """Rounded down, unless the next whole number is missed by the last binary digits only."""
        down, up = f"floor({self.steps})", f"(floor({self.steps}) + 1)"
        near = f"({up} - {self.steps}) * {SHARPNESS} <= abs({up})"
        return f"CASE WHEN {near} THEN {up} ELSE {down} END"


def misfits(table: str, text: str, marks: Sequence[tuple[int, Sequence[str]]]) -> str:
    """How many records have a text that lacks a mark at its place; the marks come as literals.

    A text that ends before the place has no mark there.
    """
    fits = " AND ".join(
        f"substr(label, {position}, 1) IN ({', '.join(characters)})" for position, characters in marks
    )
    return (
        f"SELECT count(*) FROM (SELECT {text} AS label FROM {table}) AS labelled "
        f"WHERE label IS NOT NULL AND NOT ({fits or 'true'})"
    )
