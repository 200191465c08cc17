"""The SQL that reads a CSV file with DuckDB, its columns in the kinds the user said, and what went wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from singleout.errors import one_line, without_values
from singleout.read.csv_fault import first_fault
from singleout.read.csv_sniffer import CsvLayout
from singleout.read.encoding import encoding_fault

GLOB_MARK = re.compile(r"[*?\[]")


def quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def path_text(path: Path) -> str:
    """A file's name, of which DuckDB would take some for a pattern."""
    return text(GLOB_MARK.sub(r"[\g<0>]", str(path.absolute())))


def text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def first_line(error: object) -> str:
    return without_values(one_line(str(error).strip().split("\n")[0]))


NEVER_A_VALUE = "\U0010ffff no text means missing \U0010ffff"
UNCONVERTED = "a value is not of its column's kind"


@dataclass(frozen=True)
class ValueType:
    """What a kind of value is in SQL, what its text looks like, and an example for people.

    DuckDB alone would round 1.5 to an integer, and cut a timestamp to a date or off its time zone.
    """

    type: str
    look: str
    example: str


DAY = r"\d{1,6}[-/]\d{1,2}[-/]\d{1,2}"
VALUE_TYPES = {
    "integer": ValueType("BIGINT", r"[-+]?\d+", "12"),
    "number": ValueType("DOUBLE", r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|(?i:nan|[-+]?inf(inity)?)", "1.5"),
    "boolean": ValueType("BOOLEAN", r"\w+", "true"),
    "date": ValueType("DATE", DAY, "2020-12-31"),
    "timestamp": ValueType(
        "TIMESTAMP", rf"{DAY}([T ]\d{{1,2}}:\d{{2}}(:\d{{2}}(\.\d{{1,6}})?)?)?Z?", "2020-12-31 08:45:00"
    ),
}


def csv_table(path: Path, layout: CsvLayout, missing_text: tuple[str, ...]) -> str:
    names = ", ".join(f"{text(name)}: 'VARCHAR'" for name in layout.names)
    options = {
        "auto_detect": "false",
        "columns": f"{{{names}}}",
        "delim": text(layout.delimiter),
        "quote": text(layout.quote),
        "escape": text(layout.quote),
        "header": str(layout.header).lower(),
        "skip": str(layout.blank_lines),
        "nullstr": f"[{', '.join(text(each) for each in missing_text or (NEVER_A_VALUE,))}]",
        "strict_mode": "true",
    }
    settings = ", ".join(f"{name} = {value}" for name, value in options.items())
    return f"read_csv({path_text(path)}, {settings})"


def typed_columns(names: tuple[str, ...], kinds: dict[str, str]) -> str:
    return ", ".join(
        _typed_column(name, kinds[name]) if name in kinds else quote_name(name) for name in names
    )


def _typed_column(name: str, kind: str) -> str:
    failing = f"CASE WHEN {quote_name(name)} IS NOT NULL THEN error({text(UNCONVERTED)}) END"
    return f"coalesce({_converted_value(name, kind)}, {failing}) AS {quote_name(name)}"


def misfit_condition(name: str, kind: str) -> str:
    return f"({quote_name(name)} IS NOT NULL AND {_converted_value(name, kind)} IS NULL)"


def _converted_value(name: str, kind: str) -> str:
    """The value in its kind; missing if its text does not look like that."""
    typed = VALUE_TYPES[kind]
    trimmed = f"trim({quote_name(name)})"
    looking = f"CASE WHEN regexp_full_match({trimmed}, {text(typed.look)}) THEN {trimmed} END"
    return f"TRY_CAST({looking} AS {typed.type})"


def csv_fault(path: Path, layout: CsvLayout, message: str) -> str:
    """DuckDB's page of advice in one line, with the line of the file."""
    if "unicode" in message or "utf-8" in message.lower():
        fault = encoding_fault(path, layout.encoding)
        if fault:
            return fault
    if fault := first_fault(path, layout):
        return fault
    line = re.search(r"Line: (\d+)", message)
    where = f"line {int(line[1]):,}" if line else "somewhere"
    if width := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message):
        return f"{where} has {width[2]} fields where the first line has {width[1]}"
    return f"can't be read as CSV, {where}: {first_line(message)}"


def merged_counts(names: tuple[str, ...], kinds: dict[str, str], missing_text: tuple[str, ...]) -> str:
    """For each column how many of its different texts are no values of their own once they are read."""
    return ", ".join(_merged_count(name, kinds.get(name), missing_text) for name in names)


def _merged_count(name: str, kind: str | None, missing_text: tuple[str, ...]) -> str:
    column = quote_name(name)
    meaning_missing = ", ".join(map(text, missing_text))
    missing = f"{column} IN ({meaning_missing})" if missing_text else "false"
    lost = f"greatest(count(DISTINCT {column}) FILTER ({missing}) - 1, 0)"
    if kind is None:
        return lost
    there = f"FILTER (NOT {missing})"
    value = _converted_value(name, kind)
    return f"{lost} + count(DISTINCT {column}) {there} - count(DISTINCT {value}) {there}"
