"""Reads a sheet of a workbook (Excel, OpenDocument): the first row has the names, each cell its own type."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from singleout.errors import InputError, UsageError, name_hint
from singleout.read.office_table import OfficeTable, lacking_extra
from singleout.read.workbook_parts import check_extent, other_parts

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

EMPTY = ""
# whole numbers up to here are exact in a cell
EXACT = 2**53


def read_excel(path: Path, sheet: str | None) -> OfficeTable:
    """A workbook with several sheets needs the name of one."""
    with _workbook(path) as book:
        name = _sheet_name(path, book, sheet)
        check_extent(path)
        rows = [_row(each) for each in _sheet_rows(path, book, name)]
        others = _other_sheets(len(book.sheet_names) - 1)
    names, records, blank = _names_and_records(f"{path}::{name}", rows)
    columns = [_column([record[index] for record in records]) for index in range(len(names))]
    import pyarrow

    remarks = [f"{blank:,} empty rows between others are left out"] if blank else []
    return OfficeTable(
        pyarrow.table([values for values, _ in columns], names=names),
        remarks=tuple(remarks),
        merged=tuple(name for name, (_, merges) in zip(names, columns, strict=True) if merges),
        other_contents=(*others, *other_parts(path)),
    )


def _other_sheets(many: int) -> tuple[str, ...]:
    return (f"{many:,} other {'sheet' if many == 1 else 'sheets'}",) if many else ()


def _workbook(path: Path) -> CalamineWorkbook:
    try:
        from python_calamine import CalamineWorkbook
    except ImportError as error:
        raise lacking_extra("Excel files", "excel") from error
    try:
        return CalamineWorkbook.from_path(path)
    except BaseException as error:
        raise _fault(path, error) from error


def _fault(path: Path, error: BaseException) -> BaseException:
    """What a library in Rust raises where its own code gives up is no Exception; it may tell a cell."""
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        return error
    if type(error).__name__ == "PasswordError":
        return InputError(f"{path}: is protected by a password; save it without")
    return InputError(f"{path}: is no workbook, or a damaged one; save it again")


def _sheet_name(path: Path, book: CalamineWorkbook, sheet: str | None) -> str:
    names: list[str] = book.sheet_names
    if sheet is None and len(names) == 1:
        return names[0]
    if sheet is None:
        listed = ", ".join(map(repr, names[:8])) + (" …" if len(names) > 8 else "")
        raise UsageError(f"{path}: has the sheets {listed}; say which, as in '{path}::{names[0]}'")
    if sheet not in names:
        raise InputError(f"{path}: there is no sheet {sheet!r}; {name_hint(sheet, names)}")
    return sheet


def _sheet_rows(path: Path, book: CalamineWorkbook, name: str) -> list[list[Any]]:
    try:
        sheet: CalamineSheet = book.get_sheet_by_name(name)
        rows: list[list[Any]] = sheet.to_python(skip_empty_area=True)
    except BaseException as error:
        raise _fault(path, error) from error
    return rows


def _row(cells: Sequence[Any]) -> list[Any]:
    return [_value(each) for each in cells]


def _value(cell: Any) -> Any:
    """Whole numbers as such: in a workbook all numbers are doubles."""
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and abs(cell) < EXACT else cell
    if isinstance(cell, datetime.timedelta):
        return str(cell)
    return None if cell == EMPTY and isinstance(cell, str) else cell


def _names_and_records(place: str, rows: list[list[Any]]) -> tuple[list[str], list[list[Any]], int]:
    """The names of the columns, the records, and how many empty rows stood between these."""
    if not rows or all(each is None for each in rows[0]):
        raise InputError(f"{place}: the first row has no names; let the table begin with them")
    while rows and all(each is None for each in rows[-1]):
        rows.pop()
    width = max((index + 1 for row in rows for index, each in enumerate(row) if each is not None), default=0)
    lacking = [index + 1 for index, each in enumerate(rows[0][:width]) if each is None]
    if lacking:
        raise InputError(f"{place}: column {lacking[0]} has no name in the first row; give it one")
    records = [row[:width] for row in rows[1:] if any(each is not None for each in row)]
    if not records:
        raise InputError(f"{place}: has column names but no records")
    return [_text(each) for each in rows[0][:width]], records, len(rows) - 1 - len(records)


def _column(values: list[Any]) -> tuple[Any, bool]:
    """As one type if all cells are of one, else as text; and whether different cells became the same text."""
    import pyarrow

    there = [each for each in values if each is not None]
    kinds = {type(each) for each in there}
    if kinds <= {int, float} and kinds:
        return pyarrow.array(values, pyarrow.int64() if kinds == {int} else pyarrow.float64()), False
    if kinds == {datetime.date, datetime.datetime}:
        return pyarrow.array([_moment(each) for each in values], pyarrow.timestamp("us")), False
    if len(kinds) <= 1:
        return pyarrow.array(values, None if kinds else pyarrow.string()), False
    texts = [None if each is None else _text(each) for each in values]
    differ = {(type(each) is str, _text(each)) for each in there}
    return pyarrow.array(texts, pyarrow.string()), len(differ) > len({text for _, text in differ})


def _moment(value: datetime.date | None) -> datetime.datetime | None:
    if value is None or isinstance(value, datetime.datetime):
        return value
    return datetime.datetime.combine(value, datetime.time())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)
