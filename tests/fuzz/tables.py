"""Small tables of purchases with odd names and values, each value marked so that a leak is seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from random import Random
from typing import Any

import pyarrow

from tests.fuzz.hostile_texts import HOSTILE, NUMBER_MARK, TEXT_MARK, YEAR_MARK

FIRST_MARKED = 3
ORDINARY = {
    "person": "customer",
    "text": "goods",
    "day": "date",
    "time": "time",
    "number": "price",
    "whole": "number",
    "town": "town",
    "ill": "illness",
}
TYPES = {"day": pyarrow.date32(), "number": pyarrow.float64(), "whole": pyarrow.int64()}
# what some program or engine reads as a missing value, a number or another text
AMBIGUOUS = ("", "NA", "  ", " a", "a ", "null", "NULL", "None", "nan", "\ufeffa", "a\rb")


@dataclass(frozen=True)
class Table:
    """Cells as they are written in CSV; None is missing."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]

    def called(self, *kinds: str) -> list[str]:
        """The names of the columns of these kinds."""
        return [name for name, kind in zip(self.names, self.kinds, strict=True) if kind in kinds]

    @property
    def person(self) -> str:
        return self.called("person")[0]

    def cells(self, name: str) -> list[str | None]:
        index = self.names.index(name)
        return [row[index] for row in self.rows]


def random_table(draw: Random, *, plain: bool = False) -> Table:
    """A history of a few people; a `plain` one holds no text that formats read in different ways."""
    others = ["text", "day", "time", "number", "whole", "town", "ill"]
    kinds = ["person", *draw.sample(others, draw.choice((1, 3, 5, 7, 7, 7)))]
    names = [ORDINARY[kind] for kind in kinds]
    if draw.random() < 0.3:
        texts = [each for each in HOSTILE if each.strip() and each not in AMBIGUOUS]
        odd = iter(draw.sample(texts, len(names)))
        names = [next(odd) if draw.random() < 0.4 else name for name in names]
    people = draw.choice((1, 2, 3, 5, 5, 12))
    odd_values = draw.random() < 0.3
    rows = [
        tuple(_cell(draw, kind, index, people, odd_values) for kind in kinds)
        for index in range(draw.choice((1, 2, 4, 9, 20, 30, 30)))
    ]
    table = Table(tuple(names), tuple(kinds), tuple(rows))
    return _without_ambiguous(table) if plain else table


def ordinary_table(draw: Random) -> Table:
    """A history as anybody has one: every kind of column, several records of each person, nothing odd."""
    rows = [tuple(_cell(draw, kind, index, 8, odd=False) for kind in ORDINARY) for index in range(40)]
    return Table(tuple(ORDINARY.values()), tuple(ORDINARY), tuple(rows))


def _without_ambiguous(table: Table) -> Table:
    rows = tuple(
        tuple("x" if cell in AMBIGUOUS or cell is None else cell for cell in row) for row in table.rows
    )
    return replace(table, rows=rows)


def _cell(draw: Random, kind: str, index: int, people: int, odd: bool) -> str | None:
    marked = index >= FIRST_MARKED
    if kind == "person":
        return f"{TEXT_MARK if marked else 'p'}{draw.randrange(people)}"
    if draw.random() < 0.06:
        return None
    match kind:
        case "day":
            return f"{YEAR_MARK if marked else '2024'}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
        case "time":
            return f"{draw.randint(0, 23):02}:{draw.randint(0, 59):02}"
        case "number":
            if odd and draw.random() < 0.15:
                return draw.choice(("1e308", "-1e308", "nan", "inf", "-0.0", "1e-320", "0.1"))
            return f"{NUMBER_MARK if marked else ''}{draw.randint(1, 9)}.{draw.choice((0, 25, 5))}"
        case "whole":
            return f"{NUMBER_MARK if marked else ''}{draw.randint(1, 6)}"
    text = f"{TEXT_MARK if marked else 'v'}{draw.randrange(8)}"
    return text + draw.choice(HOSTILE) if odd and draw.random() < 0.3 else text


def arrow_table(table: Table, *, typed: bool = True) -> pyarrow.Table:
    """With typed columns, or all of texts."""
    columns = []
    for name, kind in zip(table.names, table.kinds, strict=True):
        kept = TYPES.get(kind) if typed else None
        cells: list[Any] = [
            None if cell is None else _typed(kind, cell) if kept else cell for cell in table.cells(name)
        ]
        columns.append(pyarrow.array(cells, kept or pyarrow.string()))
    return pyarrow.Table.from_arrays(columns, names=list(table.names))


def _typed(kind: str, cell: str) -> Any:
    match kind:
        case "day":
            return date.fromisoformat(cell)
        case "whole":
            return int(cell)
    return float(cell)


def any_frame(draw: Random) -> pyarrow.Table:
    """Columns of a few of Arrow's types."""
    size = draw.choice((0, 1, 2, 7, 20))
    kinds = draw.sample(list(ARROW_VALUES), draw.randint(1, 4))
    names = [f"c{index}" if draw.random() < 0.7 else draw.choice(HOSTILE) for index in range(len(kinds))]
    columns = [
        pyarrow.array(
            [None if draw.random() < 0.1 else draw.choice(ARROW_VALUES[kind]) for _ in range(size)], kind
        )
        for kind in kinds
    ]
    return pyarrow.Table.from_arrays(columns, names=names)


_MARKED = int(NUMBER_MARK)
ARROW_VALUES: dict[pyarrow.DataType, tuple[Any, ...]] = {
    pyarrow.null(): (None,),
    pyarrow.bool_(): (True, False),
    **dict.fromkeys((pyarrow.int8(), pyarrow.int16()), (0, 1, -5, 100)),
    **dict.fromkeys((pyarrow.uint8(), pyarrow.uint16()), (0, 1, 200)),
    pyarrow.int32(): (0, _MARKED, -(2**31)),
    pyarrow.uint32(): (0, _MARKED, 2**32 - 1),
    pyarrow.int64(): (_MARKED, 2**53, 2**53 + 1, -(2**63), 2**63 - 1),
    pyarrow.uint64(): (_MARKED, 2**63, 2**64 - 1),
    pyarrow.float16(): (0.5, float("nan"), float("inf")),
    pyarrow.float32(): (0.1, -0.0, 0.0, float("nan"), 3e38),
    pyarrow.float64(): (1e308, -1e308, float("nan"), float("-inf"), 5e-324, 0.1 + 0.2, 0.3),
    pyarrow.decimal32(5, 2): (1, 2),
    pyarrow.decimal64(12, 2): (1, 2),
    pyarrow.decimal128(38, 10): (1, _MARKED),
    pyarrow.decimal256(60, 5): (1, _MARKED),
    pyarrow.string(): (TEXT_MARK, "", "a\0b", *HOSTILE[:30]),
    pyarrow.large_string(): (TEXT_MARK, ""),
    pyarrow.string_view(): (TEXT_MARK, "", TEXT_MARK * 9),
    pyarrow.binary(): (b"\xff\x00", TEXT_MARK.encode()),
    pyarrow.large_binary(): (b"\xff\x00", b""),
    pyarrow.binary_view(): (b"\xff\x00", b""),
    pyarrow.binary(4): (b"abcd", b"\xff\xff\xff\xff"),
    pyarrow.date32(): (date(1, 1, 1), date(9999, 12, 31), date(int(YEAR_MARK), 1, 1)),
    pyarrow.date64(): (date(1970, 1, 1), date(int(YEAR_MARK), 1, 1)),
    pyarrow.time32("s"): (0, 86399),
    pyarrow.time32("ms"): (0, 1),
    pyarrow.time64("us"): (0, 1),
    pyarrow.time64("ns"): (0, 1),
    **{pyarrow.timestamp(unit): (0, 1, -1) for unit in ("s", "ms", "us", "ns")},
    pyarrow.timestamp("us", "UTC"): (0, 1),
    pyarrow.timestamp("ns", "Asia/Tokyo"): (0, 1),
    pyarrow.timestamp("s", "+05:30"): (0, 10**11),
    **{pyarrow.duration(unit): (0, 1, -1) for unit in ("s", "ms", "us", "ns")},
    pyarrow.month_day_nano_interval(): ((1, 2, 3), (0, 31, 0)),
    pyarrow.list_(pyarrow.int64()): ([], [1], [_MARKED, None]),
    pyarrow.large_list(pyarrow.string()): ([], [TEXT_MARK]),
    pyarrow.list_(pyarrow.int8(), 2): ([1, 2],),
    pyarrow.list_view(pyarrow.int64()): ([], [1]),
    pyarrow.struct({"a": pyarrow.int64(), "b": pyarrow.string()}): ({"a": 1, "b": TEXT_MARK}, {}),
    pyarrow.map_(pyarrow.string(), pyarrow.int64()): ([(TEXT_MARK, 1)], []),
    pyarrow.struct({"when": pyarrow.timestamp("us")}): ({"when": datetime(2024, 1, 1)},),
}
