"""A small table of results that shows itself in a notebook and turns into a frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING, Any

from singleout.errors import UsageError
from singleout.measurement import Measure

if TYPE_CHECKING:
    import pandas
    import pyarrow

Cell = str | int | float | bool | None


@dataclass(frozen=True)
class Heading:
    """One column of a result table; `hint` is the definition behind it, `measure` whose it is."""

    name: str
    title: str
    hint: str = ""
    measure: Measure | None = None

    @classmethod
    def of(cls, name: str, title: str, measure: Measure) -> Heading:
        return cls(name, title, f"{measure.question} {measure.formula}", measure)


@dataclass(frozen=True)
class ResultTable:
    title: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def to_arrow(self) -> pyarrow.Table:
        import pyarrow

        columns = {
            heading.name: [row[index] for row in self.rows] for index, heading in enumerate(self.headings)
        }
        return pyarrow.table(columns)

    def to_frame(self) -> pandas.DataFrame:
        try:
            import pandas
        except ImportError as error:
            raise UsageError(
                "to_frame() makes a pandas frame and pandas is not installed; install it or use to_arrow()"
            ) from error
        return pandas.DataFrame(self.rows, columns=pandas.Index([heading.name for heading in self.headings]))

    def _repr_html_(self) -> str:
        head = "".join(
            f'<th scope="col" title="{escape(heading.hint)}">{escape(heading.title)}</th>'
            for heading in self.headings
        )
        body = "".join(f"<tr>{_html_cells(row)}</tr>" for row in self.rows)
        note = f"<p>{escape(self.note)}</p>" if self.note else ""
        return (
            f"<table><caption>{escape(self.title)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"
        )


class TableResult:
    """A result whose main part is a table: it turns into a frame and shows itself in a notebook."""

    def table(self) -> ResultTable:
        raise NotImplementedError

    def to_frame(self) -> pandas.DataFrame:
        """The table as a pandas frame."""
        return self.table().to_frame()

    def to_arrow(self) -> pyarrow.Table:
        return self.table().to_arrow()

    def _repr_html_(self) -> str:
        return self.table()._repr_html_() + html_list(getattr(self, "remarks", ()))


def table_size(records: int, people: int) -> str:
    """How much was looked at.

    >>> table_size(38087, 400), table_size(1, 1)
    ('38,087 records of 400 people', '1 record of 1 person')
    """
    return f"{records:,} record{'s'[: records != 1]} of {people:,} {'person' if people == 1 else 'people'}"


def html_list(sentences: Iterable[str]) -> str:
    """What a notebook shows of sentences; nothing where there are none.

    >>> html_list(["a < b"]), html_list([])
    ('<ul><li>a &lt; b</li></ul>', '')
    """
    items = "".join(f"<li>{escape(each)}</li>" for each in sentences)
    return f"<ul>{items}</ul>" if items else ""


def cell_text(cell: Any) -> str:
    """A cell as a person reads it: four significant digits, thousands apart, unknown as a dash."""
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return without_power(f"{cell:.4g}") if cell < 10_000 else f"{cell:,.0f}"
    return str(cell)


def without_power(text: str) -> str:
    """A small number as people write it; below a billionth the zeros would be counted by nobody.

    >>> without_power("6.63e-05"), without_power("0.25"), without_power("3e-12")
    ('0.0000663', '0.25', '3e-12')
    """
    return f"{Decimal(text):f}" if "e-0" in text else text


def _html_cells(row: Sequence[Cell]) -> str:
    return "".join(f"<td>{escape(cell_text(cell))}</td>" for cell in row)
