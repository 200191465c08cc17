"""Writes a release in the format that its name asks for: also Arrow, Excel, SPSS and Stata, with labels."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from functools import partial
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.compute
import pyarrow.parquet

from singleout.errors import OutputError, one_line
from singleout.files import TABLE_ENDINGS, check_writable, write_table
from singleout.read.office_process import read_labels
from singleout.read.office_table import FileLabels, lacking_extra
from singleout.read.source import Source
from singleout.recipe.record_table import is_text
from singleout.temporary_files import temporary_folder

ARROW, EXCEL, STATISTICS = (".arrow", ".feather"), (".xlsx",), (".sav", ".dta")
RELEASE_ENDINGS = (*TABLE_ENDINGS, *ARROW, *EXCEL, *STATISTICS)
# what a format needs: the packages, what is said of them, and the extra that has them
NEEDS = {
    EXCEL: (("xlsxwriter", "python_calamine"), "Excel files", "excel"),
    STATISTICS: (("pyreadstat", "polars"), "files of SPSS and Stata", "stats"),
}
LOGGER = logging.getLogger(__name__)
# but no number with a sign
FORMULA = re.compile(r"[=@\t\r]|[+-](?![0-9.,]+$)")
LABELLED = ("spss", "stata", "sas")
MOST_RECORDS, MOST_COLUMNS, LONGEST_TEXT, EXACT = 1_048_575, 16_384, 32_767, 2**53
FIRST_YEAR = 1901
WHOLE = pyarrow.int64()
WITH_UUIDS = (".parquet", *ARROW)
UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
DATE_FORMATS = {"date": "yyyy-mm-dd", "moment": "yyyy-mm-dd hh:mm:ss.000", "time": "hh:mm:ss.000"}


def check_release_target(target: str | os.PathLike[str]) -> None:
    """Fail before the work if a release can't be written there, or not in that format."""
    ending = Path(target).suffix.lower()
    if ending not in RELEASE_ENDINGS:
        listed = f"{', '.join(RELEASE_ENDINGS[:-1])} or {RELEASE_ENDINGS[-1]}"
        raise OutputError(f"{target}: end the name in {listed}")
    for endings, (packages, what, extra) in NEEDS.items():
        if ending in endings and not all(map(find_spec, packages)):
            raise lacking_extra(what, extra)
    check_writable(target)


def write_release_file(
    target: Path,
    draft: Path,
    table: pyarrow.Table,
    origin: Source | None,
    uuids: Sequence[str] = (),
    changed: Collection[str] = (),
) -> int:
    """To a draft of its target; what a statistics program calls columns and codes is as in the origin.

    Codes of columns that were `changed` have no words any more: these would lie about a value that came by
    chance. The columns that had UUIDs or durations have them again, where the format knows them.
    """
    ending = target.suffix.lower()
    if ending in WITH_UUIDS:
        table = with_durations(with_uuids(table, uuids), origin)
    if ending in TABLE_ENDINGS:
        if ending == ".csv":
            _tell_of_formulas(target, table)
        return write_table(target, draft, table)
    plain = plain_table(table)
    with _explained(target):
        if ending in ARROW:
            _write_arrow(draft, plain)
        elif ending in EXCEL:
            _write_excel(draft, plain)
        else:
            _write_statistics(draft, plain, ending, _labels_of(origin, changed))
    return int(table.num_rows)


def with_uuids(table: pyarrow.Table, names: Sequence[str]) -> pyarrow.Table:
    """These columns as UUIDs again, unless some value of theirs is another text by now."""
    for index, name in enumerate(table.column_names):
        uuids = _uuids(table[name]) if name in names else None
        if uuids is not None:
            table = table.set_column(index, name, uuids)
    return table


def with_durations(table: pyarrow.Table, origin: Source | None) -> pyarrow.Table:
    """Whole numbers as durations again: a Parquet file says only to Arrow that they are."""
    if origin is None or origin.kind != "parquet":
        return table
    for field in pyarrow.parquet.read_schema(origin.files()[0]):
        index = table.schema.get_field_index(field.name)
        if pyarrow.types.is_duration(field.type) and index >= 0 and table.schema.types[index] == WHOLE:
            table = table.set_column(index, field.name, table.column(index).cast(field.type))
    return table


def _uuids(column: pyarrow.ChunkedArray) -> pyarrow.Array | None:
    if pyarrow.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)  # its dictionary knows values that no row has
    if not is_text(column.type):
        return None
    coded = column.combine_chunks().dictionary_encode()
    fits = pyarrow.compute.match_substring_regex(coded.dictionary, UUID)
    if not pyarrow.compute.all(fits, min_count=0).as_py():
        return None
    digits = bytes.fromhex("".join(coded.dictionary.to_pylist()).replace("-", ""))
    buffers = [None, pyarrow.py_buffer(digits)]
    values = pyarrow.FixedSizeBinaryArray.from_buffers(pyarrow.binary(16), len(coded.dictionary), buffers)
    return pyarrow.ExtensionArray.from_storage(pyarrow.uuid(), values.take(coded.indices))


def _tell_of_formulas(target: Path, table: pyarrow.Table) -> None:
    """Values are not changed for the sake of a program that may or may not open the file."""
    for name, column in zip(table.column_names, table.columns, strict=True):
        values = pyarrow.compute.unique(column).to_pylist()
        if any(isinstance(each, str) and FORMULA.match(each) for each in values):
            LOGGER.warning(
                "%s: texts of %r begin like a formula, for which spreadsheets may take them; .xlsx has texts",
                target, name,
            )  # fmt: skip


@contextmanager
def _explained(target: Path) -> Iterator[None]:
    """Whatever a library says about what its format can't hold, in one line."""
    try:
        yield
    except OSError:
        raise
    except OutputError as error:
        raise OutputError(f"{target}: {error}") from error
    except Exception as error:
        fault = one_line(str(error))[:120]
        raise OutputError(f"{target}: can't hold this ({fault}); write .parquet or .csv") from error


def plain_table(table: pyarrow.Table) -> pyarrow.Table:
    """Values instead of dictionaries, which know those that no row has, and in which order they came."""
    kinds = [each.value_type if pyarrow.types.is_dictionary(each) else each for each in table.schema.types]
    return table.cast(pyarrow.schema(list(zip(table.column_names, kinds, strict=True))))


def _write_arrow(draft: Path, table: pyarrow.Table) -> None:
    with pyarrow.ipc.new_file(str(draft), table.schema) as writer:
        writer.write_table(table)


def _labels_of(origin: Source | None, changed: Collection[str]) -> FileLabels:
    if origin is None or origin.kind not in LABELLED:
        return FileLabels()
    labels = read_labels(Path(origin.place), origin.kind)
    values = {name: words for name, words in labels.values.items() if name not in changed}
    missing = {name: codes for name, codes in labels.missing.items() if name not in changed}
    return replace(labels, values=values, missing=missing)


def _write_statistics(draft: Path, table: pyarrow.Table, ending: str, labels: FileLabels) -> None:
    import polars
    import pyreadstat

    for name, column in zip(table.column_names, table.columns, strict=True):
        if fault := _statistics_fault(column):
            raise OutputError(f"column {name!r}: such a file can't hold {fault}; write .parquet")
    columns = {name: text for name, text in labels.columns.items() if name in table.column_names}
    told: dict[str, Any] = {"column_labels": columns, "variable_value_labels": _value_labels(table, labels)}
    numbers = {field.name for field in table.schema if _is_number(field.type)}
    if ending == ".sav":
        told["missing_ranges"] = {name: each for name, each in labels.missing.items() if name in numbers}
        told["variable_measure"] = {
            name: each for name, each in labels.measures.items() if name in table.column_names
        }
        told["variable_format"] = {
            name: each for name, each in labels.formats.items() if name in numbers and each.startswith("F")
        }
    write = pyreadstat.write_sav if ending == ".sav" else pyreadstat.write_dta
    write(polars.from_arrow(table), str(draft), **told)


def _statistics_fault(column: pyarrow.ChunkedArray) -> str | None:
    """All numbers are doubles there, a text ends at a zero byte, and there are no bytes."""
    kind, compute = column.type, pyarrow.compute
    if pyarrow.types.is_binary(kind) or pyarrow.types.is_large_binary(kind):
        return "bytes"
    if is_text(kind) and compute.any(compute.match_substring(column, "\0")).as_py():
        return "texts with a zero byte"
    if pyarrow.types.is_integer(kind):
        ends = compute.min_max(column).as_py().values()
        if any(each is not None and abs(each) >= EXACT for each in ends):
            return "a number with so many digits"
    return None


def _value_labels(table: pyarrow.Table, labels: FileLabels) -> dict[str, dict[Any, str]]:
    """The words for codes that occur: one for a code that no row has would tell of people who are gone."""
    found = {}
    for name in table.column_names:
        there = set(pyarrow.compute.unique(table[name]).to_pylist()) if name in labels.values else set()
        words = {code: text for code, text in labels.values.get(name, {}).items() if code in there}
        if words:
            found[name] = words
    return found


def _is_number(kind: pyarrow.DataType) -> bool:
    return bool(pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind))


class _ExactNumber(float):
    """With all its digits, whatever form is asked for: the library's own leaves out the seventeenth."""

    def __format__(self, form: str) -> str:
        return repr(float(self))


def _write_excel(draft: Path, table: pyarrow.Table) -> None:
    """Texts stay texts: none becomes a formula, a link or a number, however it begins."""
    import xlsxwriter

    if table.num_rows > MOST_RECORDS or table.num_columns > MOST_COLUMNS:
        raise OutputError(f"a sheet has at most {MOST_RECORDS:,} records and {MOST_COLUMNS:,} columns")
    settings = {
        "constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False,
        "strings_to_numbers": False,
    }  # fmt: skip
    # the library's own files are found again if it can't remove them
    with (
        temporary_folder() as folder,
        xlsxwriter.Workbook(str(draft), {**settings, "tmpdir": str(folder)}) as book,
    ):
        sheet = book.add_worksheet("release")
        for index, name in enumerate(table.column_names):
            sheet.write_string(0, index, name)
        formats = {name: book.add_format({"num_format": each}) for name, each in DATE_FORMATS.items()}
        writers = [_cell_writer(field, sheet, formats) for field in table.schema]
        row = 0
        for batch in table.to_batches():
            for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                row += 1
                for index, (value, write) in enumerate(zip(values, writers, strict=True)):
                    if value is not None:
                        write(row, index, value)


def _write_number(sheet: Any, row: int, index: int, value: float) -> None:
    sheet.write_number(row, index, _ExactNumber(value))


def _cell_writer(
    field: pyarrow.Field, sheet: Any, formats: dict[str, Any]
) -> Callable[[int, int, Any], None]:
    """How a value of the column becomes a cell that is read back as the same value."""
    kind, types = field.type, pyarrow.types

    def write(row: int, index: int, value: Any) -> None:
        if fault := _cell_fault(value):
            raise OutputError(f"column {field.name!r}: a cell can't hold {fault}; write .parquet or .csv")
        put(row, index, value, *form)

    form: tuple[Any, ...] = ()
    if types.is_string(kind) or types.is_large_string(kind) or types.is_null(kind):
        put = sheet.write_string
    elif _is_number(kind):
        put = partial(_write_number, sheet)
    elif types.is_boolean(kind):
        put = sheet.write_boolean
    elif (form := _date_format(kind, formats)) != ():
        put = sheet.write_datetime
    else:
        raise OutputError(
            f"column {field.name!r}: a cell can't hold values of the type {kind}; write .parquet"
        )
    return write


def _date_format(kind: pyarrow.DataType, formats: dict[str, Any]) -> tuple[Any, ...]:
    types = pyarrow.types
    if types.is_date(kind):
        return (formats["date"],)
    if types.is_timestamp(kind) and kind.tz is None:
        return (formats["moment"],)
    return (formats["time"],) if types.is_time(kind) else ()


def _cell_fault(value: Any) -> str | None:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"more than {LONGEST_TEXT:,} characters"
    if isinstance(value, str) and "\0" in value:
        return "texts with a zero byte"
    if isinstance(value, (int, float)) and not isfinite(value):
        return "what is no number"
    if isinstance(value, int) and abs(value) >= EXACT:
        return "a number with so many digits"
    if isinstance(value, date) and value.year < FIRST_YEAR:
        return f"a date before {FIRST_YEAR}"
    return None
