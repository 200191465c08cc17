"""The SQL of a new column made from another's text, and of a check that the text has the form it needs."""

from __future__ import annotations

from collections.abc import Sequence


def with_start_of(table: str, text: str, characters: int, name: str) -> str:
    """The table with one more column: the first characters of a text; the name comes quoted."""
    return f"(SELECT *, substr({text}, 1, {characters}) AS {name} FROM {table}) AS with_starts"


def misfits(table: str, text: str, marks: Sequence[tuple[int, Sequence[str]]]) -> str:
    """How many records have a text that lacks a mark at its place; the marks come as literals.

    A text that ends before the place has no mark there.
    """
    fits = " AND ".join(f"substr(label, {place}, 1) IN ({', '.join(each)})" for place, each in marks)
    return (
        f"SELECT count(*) FROM (SELECT {text} AS label FROM {table}) AS labelled "
        f"WHERE label IS NOT NULL AND NOT ({fits or 'true'})"
    )
