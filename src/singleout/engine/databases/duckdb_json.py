"""JSON lines and arrays of objects as a table: texts stay as they are written, numbers are numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from singleout.engine.columns import checked_columns
from singleout.engine.databases.duckdb_csv import path_text, quote_name, text
from singleout.engine.protocol import Column
from singleout.errors import InputError

# as DuckDB finds them; whatever else it sees in a text is the text
NUMBERS = ("BIGINT", "UBIGINT", "HUGEINT", "DOUBLE")
SIMPLE = (*NUMBERS, "BOOLEAN", "VARCHAR", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "UUID")
# and each key is a column, however many there are, or however few a record has of them
EVERY_RECORD = "sample_size = -1, map_inference_threshold = -1"
NOTHING = '"NULL"'
# a double tells numbers of so many digits apart as they are written by programs
MOST_DIGITS = 17
STRING = r'"(?:[^"\\]|\\.)*"'
LARGE, SMALL = r"[1-9][0-9]*\.[0-9]*[1-9]", r"\b0\.0*([1-9][0-9]*[1-9])"
# that may be the same double as another one: those of 16 digits and more, the largest and the smallest
NARROW = r"[0-9][0-9.]{15}|[0-9][eE][-+]?[0-9]{3}"
EXPONENT = r"[eE][-+]?[0-9]+"
FRACTION = rf"-?[0-9]+(?:\.[0-9]+(?:{EXPONENT})?|{EXPONENT})"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
FAULT_PLACE = re.compile(r" in (?:line|record/value) ([0-9]+)")
Ask = Callable[[str], list[tuple[Any, ...]]]


def json_table(path: Path, name: str, ask: Ask) -> str:
    """How DuckDB reads the file; every record is looked at to know the columns and their types."""
    with path.open("rb") as handle:
        if handle.read(3) == BYTE_ORDER_MARK:
            raise InputError(f"{name}: begins with a byte-order mark; save it as UTF-8 without one")
    names = {key for (key,) in ask(f"SELECT DISTINCT key FROM ({_keys(path)})")}
    if not names:
        raise InputError(f'{name}: holds no objects, one for each record; write it like [{{"age": 30}}, …]')
    # before DuckDB gives a second one another name, under which it finds nothing
    checked_columns(name, tuple(Column(each, "") for each in sorted(names)))
    kinds = {column: kind for column, kind, *_ in ask(f"DESCRIBE SELECT * FROM {_call(path, EVERY_RECORD)}")}
    for column, kind in kinds.items():
        if kind not in (*SIMPLE, NOTHING):
            what = "values of several kinds" if kind == "JSON" else "lists or objects"
            raise InputError(f"{name}: column {column!r} holds {what}; make it one value a record")
    columns = {each: kind if kind in (*NUMBERS, "BOOLEAN") else "VARCHAR" for each, kind in kinds.items()}
    if "DOUBLE" in columns.values() and ask(_has_long_fractions(path)):
        raise InputError(
            f"{name}: has numbers of more than {MOST_DIGITS} digits, which can't be told apart here; "
            "write them as texts"
        )
    if "DOUBLE" in columns.values() and _has_merged_fractions(path, ask):
        raise InputError(
            f"{name}: has numbers that differ only in their last digits, which can't be told apart here; "
            "write them as texts"
        )
    columns |= dict.fromkeys(_inexact(path, columns, ask), "VARCHAR")
    return _call(path, _columns(columns))


def absent_columns(path: Path, names: Sequence[str], table: str, ask: Ask) -> tuple[str, ...]:
    """Columns that some records do not name and others call null, which the table does not tell apart."""
    named: dict[str, int] = dict(ask(f"SELECT key, count(*) FROM ({_keys(path)}) GROUP BY key"))
    counts = ", ".join(["count(*)", *(f"count({quote_name(name)})" for name in names)])
    records, *filled = ask(f"SELECT {counts} FROM {table}")[0]
    return tuple(
        name for name, many in zip(names, filled, strict=True) if many < named.get(name, 0) < records
    )


def _keys(path: Path) -> str:
    return f"SELECT unnest(json_keys(json)) AS key FROM read_json_objects({path_text(path)})"


def _inexact(path: Path, columns: dict[str, str], ask: Ask) -> Sequence[str]:
    """Columns of numbers so long that some which differ would be one double."""
    doubles = [name for name, kind in columns.items() if kind == "DOUBLE"]
    if not doubles:
        return ()
    raw = _call(path, _columns(dict.fromkeys(columns, "VARCHAR")))
    counts = [
        f"count(DISTINCT {quote_name(name)}) > count(DISTINCT {quote_name(name)}::DOUBLE)" for name in doubles
    ]
    merges = ask(f"SELECT {', '.join(counts)} FROM {raw}")[0]
    return [name for name, merged in zip(doubles, merges, strict=True) if merged]


def _has_long_fractions(path: Path) -> str:
    """DuckDB rounds them before anybody sees how they are written; texts are left out."""
    objects = f"SELECT json FROM read_json_objects({path_text(path)})"
    long = f"{objects} WHERE regexp_matches(json, '[0-9][0-9.]{{{MOST_DIGITS}}}')"
    plain = f"SELECT regexp_replace(json, {text(STRING)}, '', 'g') AS record FROM ({long})"
    written = f"regexp_extract_all(record, {text(LARGE)})", f"regexp_extract_all(record, {text(SMALL)}, 1)"
    numbers = f"SELECT unnest(list_concat({', '.join(written)})) AS number FROM ({plain})"
    return f"SELECT 1 FROM ({numbers}) WHERE length(replace(number, '.', '')) > {MOST_DIGITS} LIMIT 1"


def _has_merged_fractions(path: Path, ask: Ask) -> bool:
    """Whether numbers that differ as they are written are the same double."""
    objects = f"SELECT json FROM read_json_objects({path_text(path)})"
    if not ask(f"SELECT 1 FROM ({objects}) WHERE regexp_matches(json, {text(NARROW)}) LIMIT 1"):
        return False
    plain = f"SELECT regexp_replace(json, {text(STRING)}, '', 'g') AS record FROM ({objects})"
    numbers = f"SELECT unnest(regexp_extract_all(record, {text(FRACTION)})) AS number FROM ({plain})"
    alike = ask(
        f"SELECT list(DISTINCT number) FROM ({numbers}) GROUP BY try_cast(number AS DOUBLE) "
        "HAVING count(DISTINCT number) > 1"
    )
    return any(len(set(map(Decimal, each))) > 1 for (each,) in alike)


def _columns(kinds: dict[str, str]) -> str:
    written = ", ".join(f"{text(name)}: {text(kind)}" for name, kind in kinds.items())
    return f"columns = {{{written}}}"


def _call(path: Path, how: str) -> str:
    return f"read_json({path_text(path)}, {how}, union_by_name = true)"


def json_fault(message: str) -> str:
    """DuckDB's own words may hold values of the data."""
    place = FAULT_PLACE.search(message)
    where = f" (record {int(place[1]):,})" if place else ""
    return f"is no JSON that can be read{where}; write one object a line, or an array of objects"
