"""The same table in every format that can be read, and CSV in the dialects of the world."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

import duckdb
import pyarrow
import pyarrow.parquet

from tests.fuzz.case import POSTGRES, POSTGRES_FILE
from tests.fuzz.tables import Table, arrow_table

ENCODINGS = (
    "utf-8",
    "utf-8",
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "cp932",
    "latin-1",
    "cp1252",
    "gb18030",
    "euc-jp",
)
DELIMITERS = (",", ",", ";", "\t", "|")
# those that one file can hold whatever the cells are; PostgreSQL where there is a server
FORMATS = (
    *("csv", "csv.gz", "csv.zst", "tsv", "parquet", "arrow", "arrows", "feather", "duckdb", "sqlite"),
    *("json", "jsonl"),
)


@dataclass(frozen=True)
class TableFile:
    """Where a table is, as a command is told, and the bytes of the file."""

    word: str
    name: str
    data: bytes
    head: int = 0


def csv_file(draw: Random, table: Table, stem: str) -> TableFile:
    """In some dialect and encoding; one that lacks a character is replaced by UTF-8."""
    dialect = {
        "delimiter": draw.choice(DELIMITERS),
        "quoting": draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
        "lineterminator": draw.choice(("\n", "\n", "\r\n", "\r")),
    }
    text = csv_text(table, **dialect)
    encoding = draw.choice(ENCODINGS)
    data = _encoded(text, encoding)
    head = len(_encoded(csv_text(Table(table.names, table.kinds, ()), **dialect), encoding))
    return TableFile(f"{stem}.csv", f"{stem}.csv", data, head)


def csv_text(table: Table, **dialect: object) -> str:
    text = io.StringIO()
    writer = csv.writer(text, **{"lineterminator": "\n", **dialect})  # type: ignore[arg-type]
    writer.writerow(table.names)
    writer.writerows([["" if cell is None else cell for cell in row] for row in table.rows])
    return text.getvalue()


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def table_file(table: Table, kind: str, stem: str = "t", *, typed: bool = True) -> TableFile:
    """A file of the kind; CSV files and SQLite hold texts only if not `typed`."""
    name = f"{stem}.{kind}"
    if kind == "postgres":
        return TableFile(POSTGRES, POSTGRES_FILE, _postgres_rows(table))
    data = _bytes(table, kind, typed)
    return TableFile(f"{name}::t" if kind in ("duckdb", "sqlite") else name, name, data)


def _bytes(table: Table, kind: str, typed: bool) -> bytes:
    # Python's own writer leaves a lone CR without quotes
    quoting = csv.QUOTE_MINIMAL if typed else csv.QUOTE_ALL
    text = csv_text(table, delimiter="\t" if kind == "tsv" else ",", quoting=quoting)
    match kind:
        case "csv" | "tsv":
            return text.encode()
        case "csv.gz":
            return gzip.compress(text.encode(), mtime=0)
        case "csv.zst":
            return bytes(pyarrow.compress(text.encode(), "zstd", asbytes=True))
        case "json" | "jsonl":
            return _json(arrow_table(table, typed=typed).to_pylist(), kind).encode()
        case "duckdb" | "sqlite":
            return _database(table, kind, typed)
    content = io.BytesIO()
    write_arrow(arrow_table(table, typed=typed), content, kind)
    return content.getvalue()


def _json(records: list[dict[str, object]], kind: str) -> str:
    texts = [json.dumps(each, default=str, ensure_ascii=False) for each in records]
    return "\n".join(texts) if kind == "jsonl" else f"[{', '.join(texts)}]"


def write_arrow(table: pyarrow.Table, target: io.BytesIO, kind: str) -> None:
    if kind == "parquet":
        pyarrow.parquet.write_table(table, target)
        return
    new = pyarrow.ipc.new_stream if kind == "arrows" else pyarrow.ipc.new_file
    with new(target, table.schema) as writer:
        writer.write_table(table, max_chunksize=7)


def _database(table: Table, kind: str, typed: bool) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t.{kind}"
        (_write_duckdb if kind == "duckdb" else _write_sqlite)(path, arrow_table(table, typed=typed))
        return path.read_bytes()


def _write_duckdb(path: Path, table: pyarrow.Table) -> None:
    with duckdb.connect(str(path), config={"threads": 1}) as connection:
        connection.register("original", table)
        connection.execute("CREATE TABLE t AS SELECT * FROM original")


def _write_sqlite(path: Path, table: pyarrow.Table) -> None:
    connection = sqlite3.connect(path)
    quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in table.column_names)
    connection.execute(f"CREATE TABLE t ({quoted})")
    rows = zip(*([_plain(cell) for cell in each.to_pylist()] for each in table.columns), strict=True)
    connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * table.num_columns)})", list(rows))
    connection.commit()
    connection.close()


def _plain(cell: object) -> object:
    return cell if cell is None or isinstance(cell, (int, float, str)) else str(cell)


def _postgres_rows(table: Table) -> bytes:
    return json.dumps({"names": table.names, "rows": table.rows}).encode()
