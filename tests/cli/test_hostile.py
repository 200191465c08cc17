"""Bad input gives one clear line, in Python and at the command line; odd names give right numbers."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas
import psycopg
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

from singleout import assess, person_risks, record_risks, suggest_roles
from singleout.cli.main import main
from singleout.engine.databases.duckdb import DuckDbEngine
from singleout.errors import InputError, SingleoutError, UsageError
from singleout.read.source import CsvFormat
from tests.support.command_line import complaint

MANY = "".join(f"{number},{number * 7919:011}\n" for number in range(80_000))  # beyond the first megabyte


def check_bad_file(path: Path | str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """From Python and at the command line, the same line that starts with the file's name."""
    with pytest.raises(SingleoutError) as caught:
        assess(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
    if Path(path).stat().st_size < 1_000_000:
        assert complaint(["assess", str(path)], capsys) == f"error: {caught.value}\n"


BAD_CSV: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", ": is empty; a header and at least one record are needed"),
    "blank lines": ("\n\r\n \n", ": holds only blank lines; a header and"),
    "header only": ("a,b\n", ": has column names but no records"),
    "same name": ("a,b,a\n1,2,3\n", ": two columns are called 'a'; rename one"),
    "same unnamed": ("column2,\nx,2\n", ": two columns are called 'column2'; rename one"),
    "case": (
        "Name,name\nx,y\n",
        ": columns 'Name' and 'name' differ only in upper and lower case; rename one",
    ),
    "too short": ("a,b\n1,x\n2\n3,y\n", ": line 3 has 1 field where the first line has 2"),
    "too long": ("a,b\n1,x\n2,y,z\n3,y\n", ": line 3 has 3 fields where the first line has 2"),
    "after blank lines": ("\n\na,b\n\n1,x\n2\n", ": line 6 has 1 field where the first line has 2"),
    "after quoted lines": ('a,b\n1,"x\n\n\ny"\n2,z,q\n', ": line 6 has 3 fields where the first line has 2"),
    "after quoted lines, CRLF": (
        'a,b\r\n1,"x\r\ny"\r\n2\r\n',
        ": line 4 has 1 field where the first line has 2",
    ),
    "late and short": (f"a,b\n{MANY}1\n2,3\n", ": line 80,002 has 1 field where the first line has 2"),
    "late after quoted lines": (f'a,b\n1,"\n\n"\n{MANY}1,2,3\n', ": line 80,005 has 3 fields where"),
    "bad byte": (b"a,b\n1,x\n2,\xff\n", ""),
    "late bad byte": (
        f"a,b\n{MANY}1,".encode() + b"\xff\n",
        f": byte 0xFF at offset {len(MANY) + 6:,} is not utf-8; say the right --encoding, perhaps cp932 or",
    ),
    "cut character": (
        f"a,b\n{MANY}1,".encode() + "あ".encode()[:2],
        f": byte 0xE3 at offset {len(MANY) + 6:,} is not utf-8",
    ),
    "unclosed quote": ('a,b\n1,x\n2,"y\n3,z\n', ": line 3 has a quote that is not closed"),
    "late unclosed quote": (f'a,b\n{MANY}1,"x\n2,y\n', ": line 80,002 has a quote that is not closed"),
    "unclosed quote before much": (
        f'a,b\n1,"x\n{MANY * 2}',
        ": line 2 has a field of over 2,000,000 characters",
    ),
    "text after a quote": (
        'a,b\n1,"x"y\n',
        ": line 2 has a quote that is not closed, or text after a closing one",
    ),
    "mixed line ends": (
        "a,b\r\n1,x\r\n2,y\n3,z\r\n",
        ": line 3 ends in LF where the first line ends in CRLF",
    ),
    "late mixed line ends": (
        f"a,b\n{MANY}1,x\r\n",
        ": line 80,002 ends in CRLF where the first line ends in LF",
    ),
    "too long a line": (f"a,b\n1,{'x' * 3_000_000}\n", ": line 2 has a field of over 2,000,000 characters"),
}


@pytest.mark.parametrize("name", [name for name in BAD_CSV if name != "bad byte"])
def test_bad_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    content, said = BAD_CSV[name]
    path = tmp_path / "bad.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    check_bad_file(path, said, capsys)


@pytest.mark.parametrize(
    ("encoding", "content", "byte", "offset"),
    [
        ("utf-8", b"a,b\n1,x\n2,\xff\n", "FF", 10),
        ("ascii", "a,b\n1,é\n".encode(), "C3", 6),
        ("cp932", b"a,b\n1,\x82\n", "82", 6),
        ("utf-16", "a,b\n1,".encode("utf-16") + b"\x00\xdc\n\x00", "00", 14),
        ("cp932", f"a,b\n{MANY}1,".encode() + b"\x82\n", "82", len(MANY) + 6),
    ],
)
def test_bytes_that_are_not_in_the_encoding(
    tmp_path: Path, encoding: str, content: bytes, byte: str, offset: int
) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        assess(path, csv=CsvFormat(encoding=encoding))
    assert f"{path}: byte 0x{byte} at offset {offset:,} is not {encoding}" in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
@pytest.mark.parametrize("large", [False, True])
def test_a_compressed_file_that_is_cut_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], encoding: str, large: bool
) -> None:
    content = "é,b\n" + (MANY if large else "1,2\n" * 50)
    path = tmp_path / "bad.csv.gz"
    path.write_bytes(gzip.compress(content.encode(encoding))[: -20_000 if large else -12])
    check_bad_file(path, ": can't be ", capsys)


def test_a_file_that_is_not_compressed_though_its_name_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.csv.gz"
    path.write_text("a,b\n1,2\n")
    check_bad_file(path, ": can't be decompressed; is it damaged or misnamed?", capsys)


def damaged_parquet(path: Path, first: int, last: int) -> None:
    table = pyarrow.table({"x": list(range(20_000)), "y": [f"v{each % 999}" for each in range(20_000)]})
    pyarrow.parquet.write_table(table, path)
    content = bytearray(path.read_bytes())
    content[first:last] = b"\x07" * len(content[first:last])
    path.write_bytes(content)


def sqlite_with_a_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE customers (x)")
    connection.commit()
    connection.close()


def duckdb_with_a_table(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE customers AS SELECT 1 AS x")


def nothing(path: Path) -> None:
    assert path.parent.is_dir()


def two_csv_files(path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (path.parent / name).write_text("x\n1\n")


BAD_FILES: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "missing": ("no.csv", nothing, ": there is no such file"),
    "missing parquet": ("no.parquet", nothing, ": there is no such file"),
    "missing base": ("no.db::t", nothing, "no.db: there is no such file"),
    "empty folder": ("folder", Path.mkdir, ": is a folder without a .parquet file"),
    "no match": ("*.parquet", nothing, ": is matched by no file"),
    "two csv": ("[ab].csv", two_csv_files, ": several CSV files are not one table; convert them to Parquet"),
    "pipe": ("pipe.csv", os.mkfifo, ": is not a file that can be read twice"),
    "no parquet": ("no.parquet", lambda path: path.write_text("a,b\n1,2\n"), ": is not a Parquet file"),
    "cut parquet": (
        "cut.parquet",
        lambda path: damaged_parquet(path, -30, -4),
        ": is a damaged Parquet file",
    ),
    "damaged parquet": (
        "bad.parquet",
        lambda path: damaged_parquet(path, 4, 9_000),
        ": can't be read to its end",
    ),
    "empty parquet": ("empty.parquet", Path.touch, ": is empty"),
    "no arrow": ("no.arrow", lambda path: path.write_text("hello"), ": is not an Arrow or Feather file"),
    "cut stream": (
        "no.arrow",
        lambda path: path.write_bytes(b"\xff" * 9),
        ": is not an Arrow or Feather file",
    ),
    "no sqlite": (
        "no.sqlite::t",
        lambda path: path.write_text("hello" * 99),
        "is not a readable SQLite file",
    ),
    "no duckdb": (
        "no.duckdb::t",
        lambda path: path.write_text("hello" * 99),
        "can't be opened as a DuckDB file",
    ),
    "sqlite table": (
        "t.sqlite::customer",
        sqlite_with_a_table,
        "no table 'customer'; did you mean 'customers'?",
    ),
    "duckdb table": (
        "t.duckdb::customer",
        duckdb_with_a_table,
        "no table 'customer'; did you mean 'customers'?",
    ),
    "no sqlite table": ("t.sqlite", sqlite_with_a_table, ": say which table, as in "),
    "no duckdb table": ("t.duckdb", duckdb_with_a_table, ": say which table, as in "),
    "table of a file": (
        "t.csv::t",
        lambda path: path.write_text("a\n1\n"),
        "::t: '::table' names a table in a database",
    ),
    "long name": ("x" * 5000, nothing, ": can't be reached: file name too long"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    text, make, said = BAD_FILES[name]
    place = tmp_path / text.partition("::")[0]
    make(place)
    with pytest.raises(SingleoutError) as caught:
        assess(f"{tmp_path}/{text}")
    assert str(caught.value).startswith(str(place))
    assert said in str(caught.value)
    assert complaint(["assess", f"{tmp_path}/{text}"], capsys) == f"error: {caught.value}\n"


def test_a_file_name_that_is_not_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.csv"))
    path.write_text("a,b\n1,2\n")
    assert "the name is not UTF-8; rename the file" in complaint(["assess", str(path)], capsys)


@pytest.mark.parametrize("names", [["a", "a"], ["Age", "age"], ["straße", "STRASSE"]])
@pytest.mark.parametrize("kind", ["parquet", "arrow", "frame", "pandas"])
def test_names_that_collide(tmp_path: Path, kind: str, names: list[str]) -> None:
    table = pyarrow.table([[1], [2]], names=names)
    data: Any = table
    if kind == "pandas":
        data = pandas.DataFrame([[1, 2]], columns=names)
    elif kind == "parquet":
        data = tmp_path / "t.parquet"
        pyarrow.parquet.write_table(table, data)
    elif kind == "arrow":
        data = tmp_path / "t.arrow"
        with pyarrow.ipc.new_file(str(data), table.schema) as writer:
            writer.write_table(table)
    same = "two columns are called 'a'"
    said = same if names[0] == names[1] else f"columns {names[0]!r} and {names[1]!r} differ only in upper"
    with pytest.raises(InputError, match=said):
        assess(data)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.csv"
    path.write_text("customer,date,age\na,1,30\na,2,30\nb,1,31\n")
    return path


BAD_WORDS = {
    "--user customer --columns dat": "small.csv: there is no column 'dat'; did you mean 'date'? There are '",
    "--user customer --columns shoe_size": "no column 'shoe_size'; there are 'customer', 'date', 'age'",
    "--user customer --together date,agee": "there is no column 'agee'; did you mean 'age'",
    "--user Customer": "there is no column 'Customer'; did you mean 'customer'?",
    "--user customer --columns customer,age": "'customer' is the user column; an attacker who knows it needs",
    "--engine oracle": "--engine: invalid choice: 'oracle' (choose from",
    "--engine postgres": "the postgres engine can't read it where it is; leave --engine out to use duckdb",
    "--memory much": "memory 'much' is not a size; write it like 4GB or 500MiB",
    f"--memory {'9' * 400}GB": "is more than there is anywhere",
    "--memory 1MB": "memory '1MB' is too little to work with; give at least 100MB",
    "--threads 0": "threads must be a whole number from 1 to 256, not 0",
    "--threads 100000": "threads must be a whole number from 1 to 256, not 100000",
    "--threads two": "argument --threads: 'two' is no whole number; write it in digits, like 1000000",
    "--sample-values 0": "a sample of 0 values says nothing; take ",
    "--sample-sizes 5,x": "'5,x' is no list of whole numbers; write it like 1,50",
    "--confidence 2": "a confidence of 2.0 is impossible; take one like 0.9, between 0 and 1",
    "--confidence nan": "a confidence of nan is impossible",
    "--missing perhaps": "--missing: invalid choice: 'perhaps' (choose from",
    "--header perhaps": "'perhaps' must be yes or no",
    "--quote ab": "'ab' can't be the quote; give one mark such as ', or nothing for none",
    "--delimiter ab": "'ab' can't be the delimiter; give one mark such as ; or tab",
    "--encoding klingon": "there is no text encoding 'klingon'; there are utf-8, cp932, latin-1 and more",
    "--types age": "'age' is no list of types; write it like price=number,day=date",
    "--types age=": "'age=' is no list of types; write it like",
    "--types age=fish": "column 'age': 'fish' is no kind of value; there are 'text', 'integer', 'number'",
    "--types agee=integer": "small.csv: types: there is no column 'agee'; did you mean 'age'",
    "--types age=integer,age=text": "column 'age' has two types; keep one",
    "--types date=integer,customer=integer": "line 2, column 'customer': the value is no integer such as 12;",
    "--columns a,,b": "'a,,b' is no list of columns; write it like date,time",
    "--columns date\nage": "is no list of columns; write it like",
    "--study no.toml": "no.toml: no such file or directory",
    "--person-risks out.csv": "one line a person needs to know the people; name the user column by --user",
    "--record-risks out.csv --missing wildcard": "the missing rule wildcard puts it in several; use",
    "--record-risks out.txt": "out.txt: end the name in .csv or .parquet",
    "--show-values": "--show-values adds values to a list of records or values, or a report; say which by",
    "--user customer --record-risks a.csv --person-risks a.csv": "--person-risks and --value-risks",
    "--bogus": "unrecognized arguments: --bogus; did you mean '--verbose' or '--columns'",
}


@pytest.mark.parametrize("words", BAD_WORDS)
def test_bad_usage(small: Path, capsys: pytest.CaptureFixture[str], words: str) -> None:
    assert BAD_WORDS[words] in complaint(["assess", str(small), *words.split(" ")], capsys)


@pytest.mark.parametrize("words", ["assess", "roles --suggest", "roles --check no.toml"])
@pytest.mark.parametrize("setting", ["--delimiter ;", "--header yes", "--types x=text", "--missing-text ?"])
def test_csv_options_of_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str, setting: str
) -> None:
    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"x": [1]}), path)
    (tmp_path / "no.toml").write_text('[columns]\nx = "time"\n')
    command, *more = words.replace("no.toml", str(tmp_path / "no.toml")).split(" ")
    said = complaint([command, str(path), *more, *setting.split(" ")], capsys)
    assert f"({setting.split(' ')[0][2:]}), and it is no CSV file but of the kind parquet" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["assess"], "the following arguments are required: FILE; see singleout assess --help"),
        (["asess"], "there is no 'asess'; did you mean 'assess'?"),
        (["sample", "shoe", "--out", "t.csv"], "there is no sample 'shoe'; did you mean 'shop'"),
        (["sample", "shop", "--out", "t.xls"], "t.xls: end the name in .csv or .parquet"),
        (["sample", "shop", "--people", "0", "--out", "t.csv"], "a sample of 0 people is empty"),
        (["demo", "--seed", "-1"], "the seed -1 is negative: use 0 or more"),
    ],
)
def test_bad_commands(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert said in complaint(words, capsys)


def test_a_user_column_without_users(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("who,x\nNA,1\n,2\n")
    said = complaint(["assess", str(path), "--user", "who"], capsys)
    assert said == f"error: {path}: the user column 'who' holds nothing but missing values\n"


def test_an_engine_that_is_not_there() -> None:
    with pytest.raises(
        SingleoutError, match="there is no engine 'oracle'; there are duckdb, postgres, spark"
    ):
        assess(pyarrow.table({"x": [1]}), engine="oracle")


ODD_NAMES = [
    'say "hi"', "it's", "`tick`", "a.b", "two words", "a,b", "日本語", "🎉", "select", "group", "order",
    "k0", "v0", "one", "person", "records", "people", "record", "class", "risk", "line\nbreak", "n" * 300,
    "%s", "{x}", "-- x", "a;b", "source", "part", "rank_in_class", "[b]", "null",
    " lead", "\\", "rowid", "C1", "-1",
]  # fmt: skip


def odd_table() -> pyarrow.Table:
    """Each column has one of its odd names as a value too."""
    size = len(ODD_NAMES)
    columns = [[ODD_NAMES[(row * step) % size] for row in range(3 * size)] for step in range(1, size + 1)]
    return pyarrow.table(columns, names=ODD_NAMES)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_odd_names_and_values(tmp_path: Path, ending: str) -> None:
    table, path = odd_table(), tmp_path / f"t{ending}"
    if ending == ".csv":
        pandas.DataFrame(table.to_pydict()).to_csv(path, index=False, lineterminator="\n")
    else:
        pyarrow.parquet.write_table(table, path)
    csv = CsvFormat(header=True) if ending == ".csv" else None
    found = assess(path, user="person", together=[["k0", "a,b"]], csv=csv)
    by_name = {each.name: each.risk for each in found.attributes}
    for name in ODD_NAMES:
        if name != "person":
            assert by_name[name].values.value == len(set(table[name].to_pylist())), name
    pairs = set(zip(table["k0"].to_pylist(), table["a,b"].to_pylist(), strict=True))
    assert by_name["k0+a,b"].values.value == len(pairs)
    assert found.people == len(set(table["person"].to_pylist()))


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(odd_table().select([name, "k0" if name != "k0" else "v0"]), path)
    listed = '"' + name.replace('"', '""') + '"'
    assert main(["assess", str(path), "--user", "none", f"--columns={listed}"]) == 0
    assert main(["assess", str(path), f"--user={name}", f"--person-risks={tmp_path / 'people.csv'}"]) == 0
    assert all(line.startswith("note: ") for line in capsys.readouterr().err.splitlines())


def test_odd_users_and_columns_in_lists(tmp_path: Path) -> None:
    """Every odd name as the user's and as a shown column's, without two columns of one name in the output."""
    table = odd_table().append_column("risk_value", [["x"] * odd_table().num_rows])
    for name in ("record", "records", "class", "risk", "people", "k0", "v0", "person"):
        record_risks(table, tmp_path / "records.parquet", user=name, show_values=True)
        person_risks(table, tmp_path / "people.parquet", user=name)
        for file in ("records.parquet", "people.parquet"):
            names = pyarrow.parquet.read_schema(tmp_path / file).names
            assert len({each.casefold() for each in names}) == len(names)
        people = pyarrow.parquet.read_table(tmp_path / "people.parquet")
        assert Counter(table[name].to_pylist()) == dict(
            zip(people.column(0).to_pylist(), people["records"].to_pylist(), strict=True)
        )


def meddle_with(path: Path, change: str) -> None:
    if change == "append":
        with path.open("ab") as handle:
            handle.write(b" ")
    elif change == "replace":
        content, status = path.read_bytes(), path.stat()
        path.rename(path.with_suffix(".old"))
        path.write_bytes(content)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    else:
        path.unlink()


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("change", ["append", "replace", "remove"])
def test_a_file_that_changes_while_it_is_read(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    ending: str,
    change: str,
) -> None:
    out, columns = tmp_path / "out.csv", DuckDbEngine.columns
    out.write_text("old")

    def prepared(name: str) -> Path:
        """A file that is meddled with as soon as an engine has opened it."""
        path = tmp_path / f"{name}{ending}"
        table = pyarrow.table({"a": ["x", "y"], "b": ["p", "q"]})
        write = pyarrow.parquet.write_table if ending == ".parquet" else pyarrow.csv.write_csv
        write(table, str(path))

        def meddling(engine: DuckDbEngine) -> Any:
            monkeypatch.setattr(DuckDbEngine, "columns", columns)
            meddle_with(path, change)
            return columns(engine)

        monkeypatch.setattr(DuckDbEngine, "columns", meddling)
        return path

    said = (
        "went away while it was read"
        if change == "remove"
        else "changed while it was read; run again on a copy"
    )
    with pytest.raises(InputError, match=said):
        record_risks(prepared("api"), out)
    with pytest.raises(InputError, match=said):
        suggest_roles(prepared("roles"))
    assert said in complaint(["assess", str(prepared("cli")), "--record-risks", str(out)], capsys)
    assert out.read_text() == "old"
    assert list(tmp_path.glob(".*")) == []


def test_roles_of_bad_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("a,b\n")
    with pytest.raises(InputError, match="has column names but no records"):
        suggest_roles(path)
    assert "has column names but no records" in complaint(["roles", str(path), "--suggest"], capsys)


@pytest.mark.parametrize("numbers", [("1e308", "-1e308"), ("inf", "-inf"), ("nan", "5e-324")])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_numbers_far_apart_are_attacked_and_never_look_like_a_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, numbers: tuple[str, str]
) -> None:
    texts = [*numbers, "5", "6"]
    path, policy = tmp_path / f"t.{kind}", tmp_path / "policy.toml"
    if kind == "csv":
        rows = [f"{who},{pay}\n" for who, pay in zip("abcd", texts, strict=True)]
        path.write_text("who,pay\n" + "".join(rows))
    else:
        pyarrow.parquet.write_table(
            pyarrow.table({"who": list("abcd"), "pay": list(map(float, texts))}), path
        )
    policy.write_text('[[rule]]\nmeasure = "attack.nearest.rate"\nat_most = 0.5\n')
    for command in ("attack", "compare"):
        assert main([command, str(path), str(path), "--user", "who", "--json"]) == 0
    capsys.readouterr()
    words = ["check", str(path), "--original", str(path), "--policy", str(policy), "--user", "who", "--json"]
    assert main(words) == 1
    assert json.loads(capsys.readouterr().out)["rules"][0]["value"] > 0.5


MEANT_ADDRESSES = [
    "postgresql:/u:PASSWORD@host/db::t",
    "postgresql:u:PASSWORD@host/db::t",
    "postgres//u:PASSWORD@host/db",
    "jdbc:postgresql://u:PASSWORD@host/db::t",
    "sc:/u:PASSWORD@host::t",
    "mysql:/u:PASSWORD@host/db::t",
    "u:PASSWORD@host/db",
    "u:PASS@WORD@host/db::t",
]


@pytest.mark.parametrize("address", MEANT_ADDRESSES)
def test_the_password_of_a_malformed_address_is_not_repeated(
    capsys: pytest.CaptureFixture[str], address: str
) -> None:
    said = complaint(["assess", address], capsys)
    assert "PASS" not in said
    assert "WORD" not in said


def test_errors_of_databases_tell_no_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], postgres_address: str
) -> None:
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT * FROM (VALUES ('O''Canary'), ('17')) AS people (who)")
        connection.execute("CREATE VIEW v AS SELECT CAST(who AS INTEGER) AS who FROM t")
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute("CREATE TABLE canaries AS SELECT 'O''Canary' AS who")
        connection.execute("CREATE VIEW canary_view AS SELECT CAST(who AS integer) AS who FROM canaries")
    for data in (f"{path}::v", f"{postgres_address}::canary_view"):
        said = complaint(["assess", data], capsys)
        assert "Canary" not in said
        assert "integer" in said or "INT32" in said


def test_a_table_given_as_statistics_tells_no_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("name,town\ncanary,Ulm\n")
    said = complaint(["predict", "--avfm", str(path)], capsys)
    assert "line 2: a cell is no frequency" in said
    assert "canary" not in said


@pytest.mark.parametrize("words", [["assess", "a\0b"], ["assess", "a.csv", "--user", "\0"], ["--\0"]])
def test_a_nul_character(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert "a word of the command holds a NUL character" in complaint(words, capsys)
    with pytest.raises(UsageError, match="the name of the data holds a NUL character"):
        assess("a\0b")


NESTED = {
    "lists": f"a = {'[' * 5000}{']' * 5000}\n",
    "tables": f"a = {'{a = ' * 3000}1{'}' * 3000}\n",
    "names": f"{'.'.join('a' * 3000)} = 1\n",
}


@pytest.mark.parametrize("nested", NESTED)
@pytest.mark.parametrize(
    "words", ["assess t.csv --study", "check t.csv --policy", "deidentify apply t.csv --recipe"]
)
def test_toml_that_is_nested_too_deeply(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    nested: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a,b\n1,2\n")
    Path("n.toml").write_text(NESTED[nested])
    more = ["--out", "o.csv"] if "apply" in words else []
    assert "n.toml: " in complaint([*words.split(), "n.toml", *more], capsys)
