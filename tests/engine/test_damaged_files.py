"""Files of others may be damaged or made to harm: each ends in an answer or in one line, never in a crash."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pyarrow
import pytest

from singleout import assess
from singleout.engine.databases.arrow_data import read_files
from singleout.errors import InputError
from tests.support.command_line import complaint
from tests.support.damaged_copies import damaged, runs, write_small

COPIES = {"arrow": 400, "arrows": 400, "parquet": 400, "csv": 100, "duckdb": 100, "sqlite": 100}


@pytest.mark.parametrize(("ending", "copies"), COPIES.items())
def test_no_damaged_copy_crashes_or_shows_what_it_does_not_hold(
    tmp_path: Path, ending: str, copies: int
) -> None:
    path = tmp_path / f"small.{ending}"
    write_small(path)
    found = list(runs(path, copies))
    assert [run["copy"] for run in found] == list(range(copies))
    assert [run for run in found if not _ends_well(run)] == []
    content = path.read_bytes()
    answers = [run for run in found if run["code"] == 0]
    assert answers
    assert len(answers) < copies
    for run in answers:
        assert _is_in_the_file(run, ending, damaged(content, run["copy"])), run["copy"]


def _ends_well(run: dict[str, Any]) -> bool:
    said: str = run["said"]
    return bool(run["code"] == 0) or (
        run["code"] == 2 and said.startswith("error: ") and said.count("\n") == 1
    )


def _is_in_the_file(run: dict[str, Any], ending: str, content: bytes) -> bool:
    """Arrow's own reader finds nothing wrong, or every name that is shown stands there letter by letter.

    CSV may be read in another encoding, and SQLite's mixed values are written otherwise than they stand.
    """
    if ending in ("arrow", "arrows"):
        open_data = pyarrow.ipc.open_file if ending == "arrow" else pyarrow.ipc.open_stream
        open_data(content).read_all().validate(full=True)
        return True
    if ending in ("csv", "sqlite"):
        return True
    rows = csv.DictReader(io.StringIO(run["records"]))
    return all(str(row.get("name") or "").encode() in content for row in rows)


def beyond_the_buffer() -> pyarrow.Array:
    """Three texts, the first of which would end far behind the bytes that there are."""
    buffers = [
        None,
        pyarrow.array([0, 90_000, 6, 9], pyarrow.int32()).buffers()[1],
        pyarrow.py_buffer(b"annbobcid"),
    ]
    return pyarrow.Array.from_buffers(pyarrow.string(), 3, buffers)


def not_utf8() -> pyarrow.Array:
    return pyarrow.array([b"ann", b"b\xffb", b"cid"]).view(pyarrow.string())


def unknown_code() -> pyarrow.Array:
    indices = pyarrow.array([0, 1, 7], pyarrow.int32())
    return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(["ann", "bob"]), safe=False)


HARMFUL: dict[str, tuple[Callable[[], pyarrow.Array], str]] = {
    "offset": (beyond_the_buffer, "column 'who' has offsets or values that can't be; write it again"),
    "bytes": (not_utf8, "column 'who' holds text that is not UTF-8; write it again as UTF-8"),
    "code": (unknown_code, "column 'who' has offsets or values that can't be"),
}


@pytest.mark.parametrize("harm", HARMFUL)
@pytest.mark.parametrize("way", ["arrow", "arrows", "pyarrow", "stream", "pandas"])
def test_buffers_that_point_elsewhere_are_refused(tmp_path: Path, harm: str, way: str) -> None:
    make, said = HARMFUL[harm]
    table = pyarrow.table({"who": make()})
    data: Any = table
    if way == "stream":
        data = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches())
    elif way == "pandas":
        data = pandas.DataFrame(
            {"who": pandas.array(table["who"], dtype=pandas.ArrowDtype(table["who"].type))}
        )
    elif way in ("arrow", "arrows"):
        data = tmp_path / f"t.{way}"
        with (pyarrow.ipc.new_file if way == "arrow" else pyarrow.ipc.new_stream)(
            data, table.schema
        ) as writer:
            writer.write_table(table)
    with pytest.raises(InputError) as caught:
        assess(data)
    assert said in str(caught.value)
    assert "bob" not in str(caught.value)


@pytest.mark.parametrize("ending", ["arrow", "arrows"])
def test_an_arrow_file_that_is_cut_off_is_refused_wherever_it_ends(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"small.{ending}"
    write_small(path)
    content = path.read_bytes()
    for length in range(1, len(content) - 8, 997):
        path.write_bytes(content[:length])
        with pytest.raises(InputError, match="is not an Arrow or Feather file, or a damaged one"):
            read_files([path])


HARMFUL_VIEWS = {
    "text": "SELECT content AS x FROM read_text('{file}')",
    "csv": "SELECT * FROM read_csv('{file}')",
    "by name": "SELECT * FROM '{file}'",
    "folder": "SELECT file AS x FROM glob('{folder}/*')",
    "macro": "SELECT * FROM anything('{file}')",
}


@pytest.mark.parametrize("view", HARMFUL_VIEWS)
def test_a_view_in_a_duckdb_file_reads_no_other_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], view: str
) -> None:
    secret, path = tmp_path / "secret.csv", tmp_path / "t.duckdb"
    secret.write_text("x\ncanary\n")
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE own AS SELECT 1 AS x")
        connection.execute("CREATE MACRO anything(name) AS TABLE SELECT content AS x FROM read_text(name)")
        connection.execute("CREATE VIEW harmless AS SELECT x + 1 AS y FROM own")
        connection.execute(
            f"CREATE VIEW harmful AS {HARMFUL_VIEWS[view].format(file=secret, folder=tmp_path)}"
        )
    assert "reads other files, which it may not" in complaint(["assess", f"{path}::harmful"], capsys)
    assert assess(f"{path}::harmless").to_dict()["records"] == 1


def test_computed_columns_of_sqlite_are_columns_too(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE t (a, twice GENERATED ALWAYS AS (a * 2) VIRTUAL, "
        "more GENERATED ALWAYS AS (a + 1) STORED)"
    )
    connection.execute("INSERT INTO t (a) VALUES (1), (2)")
    connection.commit()
    connection.close()
    found = assess(f"{path}::t").to_dict()
    assert [each["name"] for each in found["attributes"]] == ["a", "twice", "more"]
    assert [each["values"] for each in found["attributes"]] == [2, 2, 2]


def test_a_damaged_text_of_a_release_is_not_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original, release = tmp_path / "original.parquet", tmp_path / "release.parquet"
    write_small(original)
    release.write_bytes(original.read_bytes().replace(b"person 0211", b"\xfferson 0211"))
    said = complaint(["attack", str(original), str(release), "--user", "name"], capsys)
    assert f"{release}: can't be read to its end (Invalid Input Error" in said
    assert "0211" not in said


def test_a_part_of_a_parquet_file_whose_column_has_no_name_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each part says the column's name once more, and the database does not look at that."""
    path = tmp_path / "small.parquet"
    write_small(path)
    schema, parts, others = path.read_bytes().rpartition(b"\x04name")
    path.write_bytes(schema + b"\x04na\xffe" + others)
    assert parts
    assert complaint(["assess", str(path)], capsys) == (
        f"error: {path}: is a damaged Parquet file; copy or write it again\n"
    )


def test_a_sqlite_file_that_was_cut_gets_no_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Within its last page: SQLite reads zeros there and says nothing."""
    path = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (who TEXT, town TEXT)")
        rows = [(f"p{index}", f"town {index % 7}") for index in range(300)]
        connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
        connection.commit()
    assert assess(f"{path}::t", user="who").people == 300
    content = path.read_bytes()
    for cut in (1, 1_000, 2_700):
        path.write_bytes(content[:-cut])
        message = complaint(["assess", f"{path}::t", "--user", "who"], capsys)
        assert "damaged" in message
