"""Slightly damaged copies of a small file, each given to the command in a process that may crash.

`python -m tests.support.damaged_copies FILE FIRST LAST` prints a line of JSON for every copy.
"""

from __future__ import annotations

import io
import json
import random
import sqlite3
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pyarrow.csv
import pyarrow.parquet

from singleout.cli.main import main

RECORDS = 300
ODD_BYTES = (0, 1, 127, 128, 255)
SHARE_CUT_OFF = 0.15
# all copies of a file take half a minute; a busy machine gives a part of each second
SECONDS = 1500


def small_table() -> pyarrow.Table:
    draw = random.Random(1)
    towns = [draw.choice(["Kyoto", "Ōsaka", "Nara", None]) for _ in range(RECORDS)]
    return pyarrow.table(
        {
            "name": [f"person {number:04} é" for number in range(RECORDS)],
            "town": pyarrow.array(towns).dictionary_encode(),
            "age": [draw.choice([None, *range(90)]) for _ in range(RECORDS)],
            "pay": [draw.random() for _ in range(RECORDS)],
            "member": [draw.random() < 0.5 for _ in range(RECORDS)],
        }
    )


def write_small(path: Path) -> None:
    """The table in the format of the name's ending; nothing is compressed, which would find most damage."""
    table = small_table()
    match path.suffix:
        case ".arrow" | ".arrows":
            new = pyarrow.ipc.new_file if path.suffix == ".arrow" else pyarrow.ipc.new_stream
            with new(str(path), table.schema) as writer:
                writer.write_table(table, max_chunksize=100)
        case ".parquet":
            pyarrow.parquet.write_table(table, path, compression="none", row_group_size=100)
        case ".csv":
            pyarrow.csv.write_csv(_plain(table), path)
        case ".duckdb":
            with duckdb.connect(str(path)) as connection:
                connection.register("small", _plain(table))
                connection.execute("CREATE TABLE t AS SELECT * FROM small")
        case ".sqlite":
            _write_sqlite(path, table)


def _plain(table: pyarrow.Table) -> pyarrow.Table:
    return table.set_column(1, "town", table["town"].cast(pyarrow.string()))


def _write_sqlite(path: Path, table: pyarrow.Table) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE t ({', '.join(table.column_names)})")
    rows = [tuple(row.values()) for row in table.to_pylist()]
    connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", rows)
    connection.commit()
    connection.close()


def damaged(content: bytes, number: int) -> bytes:
    """The copy of this number: cut off somewhere, or a few bytes changed."""
    draw = random.Random(number)
    if draw.random() < SHARE_CUT_OFF:
        return content[: draw.randrange(1, len(content))]
    copy = bytearray(content)
    for _ in range(draw.choice([1, 1, 1, 2, 4, 8])):
        index = draw.randrange(len(copy))
        copy[index] = draw.choice([*ODD_BYTES, copy[index] ^ 1 << draw.randrange(8), draw.randrange(256)])
    return bytes(copy)


def runs(path: Path, copies: int) -> Iterator[dict[str, Any]]:
    """What became of each copy; a process that dies is one, and the next goes on behind it."""
    first = 0
    while first < copies:
        words = [sys.executable, "-m", "tests.support.damaged_copies", str(path), str(first), str(copies)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        yield from told
        first += len(told)
        if done.returncode:
            yield {"copy": first, "code": done.returncode, "said": done.stderr, "records": ""}
            first += 1


def _run(path: Path, content: bytes, number: int) -> dict[str, Any]:
    copy, records = path.with_stem("copy"), path.with_name("records.csv")
    copy.write_bytes(damaged(content, number))
    records.unlink(missing_ok=True)
    data = f"{copy}::t" if path.suffix in (".duckdb", ".sqlite") else str(copy)
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(io.StringIO()):
        try:
            words = ["assess", data, "--record-risks", str(records), "--show-values", "--threads", "1"]
            code = main(words)
        except BaseException:
            code = -1
            traceback.print_exc()
    shown = records.read_text() if records.exists() else ""
    return {"copy": number, "code": code, "said": said.getvalue(), "records": shown}


if __name__ == "__main__":
    original = Path(sys.argv[1])
    for each in range(int(sys.argv[2]), int(sys.argv[3])):
        sys.stdout.write(json.dumps(_run(original, original.read_bytes(), each)) + "\n")
        sys.stdout.flush()
