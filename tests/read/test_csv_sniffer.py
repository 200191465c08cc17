"""Reading CSV: every common way of writing one gives the same records, and what the user says stands."""

from __future__ import annotations

import datetime
import gzip
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from singleout import assess
from singleout.engine.open_engine import open_engine
from singleout.errors import InputError, SingleoutError, UsageError
from singleout.read.csv_sniffer import sniff
from singleout.read.encoding import sniff_encoding
from singleout.read.source import CsvFormat, source

Rows = list[tuple[Any, ...]]
JAPANESE = "氏名,年齢,備考\n山田太郎,20,①ｱｲｳ\n鈴木花子,30,表示\n"


def read(path: Path, wish: CsvFormat | None = None) -> tuple[list[str], Rows]:
    with open_engine(source(path, csv=wish)) as engine:
        names = [column.name for column in engine.columns()]
        assert {column.type for column in engine.columns()} == {"VARCHAR"}
        return names, engine.rows(f"SELECT * FROM {engine.table}")


def read_text(folder: Path, content: str | bytes, wish: CsvFormat | None = None) -> tuple[list[str], Rows]:
    path = folder / "table.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(path, wish)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", ", "])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_delimiter_and_line_end_are_found(tmp_path: Path, delimiter: str, line_end: str) -> None:
    lines = [("name", "age"), ("Ann", "30"), ("Bob", "31")]
    content = line_end.join(delimiter.join(line) for line in lines) + line_end
    assert read_text(tmp_path, content) == (["name", "age"], [("Ann", "30"), ("Bob", "31")])


def test_decimal_commas_do_not_hide_the_semicolon(tmp_path: Path) -> None:
    assert read_text(tmp_path, "a;b\n1,5;2,5\n1,6;2,7\n") == (["a", "b"], [("1,5", "2,5"), ("1,6", "2,7")])


@pytest.mark.parametrize("quote", ['"', "'"])
def test_quote_is_found(tmp_path: Path, quote: str) -> None:
    other = "'" if quote == '"' else '"'
    content = f"a,b\n{quote}x, y{quote},1\n{quote}5{other} pipe{quote},2\n{quote}it{quote * 2}s{quote},3\n"
    assert read_text(tmp_path, content)[1] == [("x, y", "1"), (f"5{other} pipe", "2"), (f"it{quote}s", "3")]


def test_quotes_inside_fields_need_no_quoting(tmp_path: Path) -> None:
    content = "a\tb\n5\" pipe\tx\nO'Brien\ty\n"
    assert read_text(tmp_path, content)[1] == [('5" pipe', "x"), ("O'Brien", "y")]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_line_end_inside_quotes_belongs_to_the_value(tmp_path: Path, line_end: str) -> None:
    content = line_end.join(["a,b", f'1,"x{line_end}y"', "2,z", ""])
    assert read_text(tmp_path, content)[1] == [("1", f"x{line_end}y"), ("2", "z")]


MARKED = ("utf-8", "utf-8-sig", "utf-16", "utf-32", "cp932")
UNMARKED = ("utf-16-be", "utf-16-le", "shift_jis_2004")  # can't be found out, must be said


@pytest.mark.parametrize(
    ("encoding", "said"),
    [*((each, False) for each in MARKED), *((each, True) for each in (*MARKED, *UNMARKED))],
)
def test_japanese(tmp_path: Path, encoding: str, said: bool) -> None:
    wish = CsvFormat(encoding=encoding) if said else None
    names, rows = read_text(tmp_path, JAPANESE.encode(encoding), wish)
    assert names == ["氏名", "年齢", "備考"]
    assert rows == [("山田太郎", "20", "①ｱｲｳ"), ("鈴木花子", "30", "表示")]


def test_latin_1(tmp_path: Path) -> None:
    content = "prénom,âge\nRené,20\nÅsa,30\nZoë,41\n"
    assert read_text(tmp_path, content.encode("latin-1")) == read_text(tmp_path, content)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("item,price\nMen’s shoe,10\nWomen’s shoe,12\n", "cp1252"),
        ("a,b\nx—y,“hello”\nrock’n’roll,5€\n", "cp1252"),
        ("a,b\nL’été,ÅÄÖ’s\n", "cp1252"),
        ("name,age\nRenéb,20\n", "latin-1"),
        ("name,age\nÜnal,20\nGroß,30\n", "latin-1"),
        ("name,age\nMünchen,20\n", "latin-1"),
        ("名前,年\n山田,1\n", "cp932"),
        ("town,n\n東京,1\nUlm,2\n", "cp932"),
        ("code,n\nア,1\nイ,2\n", "cp932"),
        ("氏名,ﾌﾘｶﾞﾅ\n山田太郎,ﾔﾏﾀﾞﾀﾛｳ\n鈴木,ｽｽﾞｷﾊﾅｺ\n", "cp932"),
        ("sex,age\n男,30\n女,31\n", "cp932"),
        ("Men’s 東京", "utf-8"),
    ],
)
def test_encodings_without_a_mark(text: str, encoding: str) -> None:
    assert sniff_encoding(text.encode(encoding)) == encoding


@pytest.mark.parametrize("encoding", ["cp932", "cp1252", "latin-1"])
def test_an_encoding_that_was_guessed_is_told(tmp_path: Path, encoding: str) -> None:
    """Whoever says it, or writes what can be nothing else, is told nothing."""
    word = {"cp932": "山田", "cp1252": "Ann’s", "latin-1": "René"}[encoding]
    path = tmp_path / "table.csv"
    content = f"name,age\n{word},20\n"
    for written, wish, told in (
        (encoding, CsvFormat(), [f"the text is taken to be {encoding}; say --encoding"]),
        (encoding, CsvFormat(encoding=encoding), []),
        ("utf-8", CsvFormat(), []),
        ("utf-16", CsvFormat(), []),
    ):
        path.write_bytes(content.encode(written))
        with open_engine(source(path, csv=wish)) as engine:
            assert [each.partition(" if ")[0] for each in engine.remarks] == told


def test_windows_quotes_are_read_as_they_were_written(tmp_path: Path) -> None:
    content = "item,price\nMen’s shoe,10\n"
    assert read_text(tmp_path, content.encode("cp1252")) == read_text(tmp_path, content)


def test_a_mark_at_the_start_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    content = "a,b\n1,x\n".encode("utf-8-sig")
    assert read_text(tmp_path, content, CsvFormat(encoding="utf-8")) == (["a", "b"], [("1", "x")])


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("1,x\n2,y\n", ["column1", "column2"]),
        ("name,age\nAnn,30\n", ["name", "age"]),
        ("x,y\nx,z\ny,y\n", ["column1", "column2"]),
        (",a\n0,x\n1,y\n", ["column1", "a"]),
        ("a,,b\n1,2,3\n", ["a", "column2", "b"]),
        ('a,"b\nc"\n1,2\n', ["a", "b\nc"]),
        ("a\u2028b,c\x0bd\n1,2\n", ["a\u2028b", "c\x0bd"]),
    ],
)
def test_names(tmp_path: Path, content: str, names: list[str]) -> None:
    assert read_text(tmp_path, content)[0] == names


@pytest.mark.parametrize(
    ("header", "names", "records"), [(True, ["1", "2"], 1), (False, ["column1", "column2"], 2)]
)
def test_the_user_knows_the_header_better(
    tmp_path: Path, header: bool, names: list[str], records: int
) -> None:
    found, rows = read_text(tmp_path, "1,2\n3,4\n", CsvFormat(header=header))
    assert (found, len(rows)) == (names, records)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("lines", [["a,b", "1,x", "2,y"], ["a", "x", "y"]])
def test_blank_lines_at_both_ends_are_no_records(tmp_path: Path, lines: list[str], line_end: str) -> None:
    names, rows = read_text(tmp_path, line_end.join(["", "  ", *lines, "", "", ""]))
    assert names == lines[0].split(",")
    assert rows == [tuple(line.split(",")) for line in lines[1:]]


def test_one_column(tmp_path: Path) -> None:
    assert read_text(tmp_path, 'town\nUlm\n""\nBonn\n') == (["town"], [("Ulm",), (None,), ("Bonn",)])


def test_values_are_text(tmp_path: Path) -> None:
    _, rows = read_text(tmp_path, "a,b\n08:45,007\n8:45,7\n1.0, 1\n1,1\nTrue,1e3\n")
    assert rows == [("08:45", "007"), ("8:45", "7"), ("1.0", " 1"), ("1", "1"), ("True", "1e3")]


@pytest.mark.parametrize(
    ("missing", "values"),
    [
        (None, [None, None, None, None, "?", "na"]),
        (("",), [None, None, "NA", "NA", "?", "na"]),
        (("?",), ["", "", "NA", "NA", None, "na"]),
        ((), ["", "", "NA", "NA", "?", "na"]),
    ],
)
def test_missing_text(tmp_path: Path, missing: tuple[str, ...] | None, values: list[str | None]) -> None:
    wish = None if missing is None else CsvFormat(missing_text=missing)
    _, rows = read_text(tmp_path, 'a,b\n1,\n2,""\n3,NA\n4,"NA"\n5,?\n6,na\n', wish)
    assert [value for _, value in rows] == values


@pytest.mark.parametrize(
    ("wish", "row"),
    [
        (CsvFormat(delimiter=";"), ("1,2", "'3'")),
        (CsvFormat(delimiter=";", quote="'"), ("1,2", "3")),
        (CsvFormat(delimiter=",", quote=""), ("1", "2;'3'")),
    ],
)
def test_what_the_user_says_stands(tmp_path: Path, wish: CsvFormat, row: tuple[str, ...]) -> None:
    header = "a;b" if wish.delimiter == ";" else "a,b"
    assert read_text(tmp_path, f"{header}\n1,2;'3'\n1,2;4\n", wish)[1][0] == row


@pytest.mark.parametrize("ending", [".csv.gz", ".csv.zst", ".tsv.gz", ".gz"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_compressed(tmp_path: Path, ending: str, encoding: str) -> None:
    path, content = tmp_path / f"table{ending}", JAPANESE.encode(encoding)
    if ending.endswith(".gz"):
        path.write_bytes(gzip.compress(content))
    else:
        with pyarrow.CompressedOutputStream(str(path), "zstd") as stream:
            stream.write(content)
    names, rows = read(path)
    assert names == ["氏名", "年齢", "備考"]
    assert len(rows) == 2


def test_a_field_may_be_long(tmp_path: Path) -> None:
    content = f"a,b\n1,{'x' * 300_000}\n2,y\n"
    assert [len(value) for _, value in read_text(tmp_path, content)[1]] == [300_000, 1]


@pytest.mark.parametrize("name", ["data[1].csv", "da*ta.csv", "da?ta.csv", 'o\'brien "x".csv', "表 🎉.csv"])
def test_a_file_name_is_no_pattern(tmp_path: Path, name: str) -> None:
    for decoy in ("data1.csv", "daXta.csv"):
        (tmp_path / decoy).write_text("a,b\n9,wrong\n")
    (tmp_path / name).write_text("a,b\n1,right\n")
    assert read(tmp_path / name)[1] == [("1", "right")]


def test_a_folder_name_is_no_pattern(tmp_path: Path) -> None:
    for folder, value in (("in[1]*", "right"), ("in1x", "wrong")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "t.csv").write_text(f"a,b\n1,{value}\n")
    assert read(tmp_path / "in[1]*" / "t.csv")[1] == [("1", "right")]


TYPED = """\
t,i,n,b,d,s
007,007,1.50,yes,2020-1-2,2020-01-02
7, +7,1.5e0,TRUE,2020/01/02,2020-01-02 00:00
NA,,NA,,NA,
"""
DAY = datetime.date(2020, 1, 2)
KINDS = {"t": "text", "i": "integer", "n": "number", "b": "boolean", "d": "date", "s": "timestamp"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_types_that_the_user_gives(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(TYPED.encode(encoding))
    row = (7, 1.5, True, DAY, datetime.datetime(2020, 1, 2))
    with open_engine(source(path, csv=CsvFormat(types=KINDS))) as engine:
        found = [column.type for column in engine.columns()]
        rows = engine.rows(f"SELECT * FROM {engine.table}")
    assert found == ["VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN", "DATE", "TIMESTAMP"]
    assert rows == [("007", *row), ("7", *row), (None,) * 6]


def test_types_decide_what_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,1.0\n2,1.00\n3,1\n")
    for wish, values in ((None, 3), (CsvFormat(types={"b": "number"}), 1)):
        assert assess(path, columns=["b"], csv=wish).attributes[0].risk.values.value == values


def test_types_are_kept_as_pairs() -> None:
    given = CsvFormat(types={"a": "date", "b": "text"})
    assert given.types == (("a", "date"), ("b", "text"))
    assert given == CsvFormat(types=[("a", "date"), ("b", "text")])
    assert len({given, CsvFormat(types=given.types)}) == 1


@pytest.mark.parametrize(
    ("types", "said"),
    [
        ({"a": "nummer"}, "column 'a': 'nummer' is no kind of value; did you mean 'number'"),
        ({"a": "x", "b": "int"}, "'int' is no kind of value; did you mean 'integer'"),
        ([("a", "text"), ("a", "date")], "column 'a' has two types; keep one"),
        ({"pric": "number"}, "table.csv: types: there is no column 'pric'; did you mean 'price'?"),
        ({"q": "date", "a": "date", "r": "date"}, "there is no column 'r'; there are 'a', 'price'"),
    ],
)
def test_types_that_can_not_be_meant(tmp_path: Path, types: Any, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_text(tmp_path, "a,price\n1,2\n", CsvFormat(types=types))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("integer", "secret"),
        ("integer", "1.5"),
        ("integer", "1e3"),
        ("integer", "99999999999999999999"),
        ("number", "1,5"),
        ("boolean", "secret"),
        ("date", "2020-02-30"),
        ("date", "2020-01-01 10:00"),
        ("timestamp", "31.12.2020"),
        ("timestamp", "2020-01-01 10:00:00+09"),
        ("timestamp", "2020-01-01 10:00:00.1234567"),
    ],
)
def test_a_value_that_is_not_of_its_kind(tmp_path: Path, kind: str, value: str) -> None:
    good = {"integer": "1", "number": "1", "boolean": "no"}.get(kind, "2020-01-01")
    content = f'\n\nx,my col\n"p\nq",{good}\n\nr,\ns,{good}\n"t","{value}"\n"u","{value}"\n'
    with pytest.raises(InputError) as caught:
        read_text(tmp_path, content, CsvFormat(types={"x": "text", "my col": kind}))
    assert f"table.csv: line 9, column 'my col': the value is no {kind} such as " in str(caught.value)
    assert value not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_first_value_that_is_not_of_its_kind(tmp_path: Path) -> None:
    """The first record, of many threads' work; in one column a blank line is a record."""
    many = "".join(f"{number},1\n" for number in range(300_000))
    with pytest.raises(InputError, match="line 300,002, column 'b': the value is no integer"):
        read_text(tmp_path, f"a,b\n{many}1,x\nx,1\n", CsvFormat(types={"a": "integer", "b": "integer"}))
    with pytest.raises(InputError, match="line 4, column 'a': the value is no integer"):
        read_text(tmp_path, "a\n1\n\nx\n", CsvFormat(types={"a": "integer"}))


def test_a_broken_line_after_a_value_that_is_not_of_its_kind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line [23](,| has 1 field)"):
        read_text(tmp_path, "a,b\nx,1\n2\n", CsvFormat(types={"a": "integer"}))


GUESSES = {
    "name,age\nAnn,30\n": "",
    "1,x\n2,y\n": "the first line is taken as a record, and the columns are called column1, column2, …; "
    "say --header yes if it holds names",
    "x,y\nx,z\ny,y\n": "say --header yes",
    "secret,y\nz,q\n": "the first line is taken as the column names; say --header no if it is a record",
}


@pytest.mark.parametrize("content", GUESSES)
def test_a_guessed_header_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content)
    for header in (None, True, False):
        with open_engine(source(path, csv=CsvFormat(header=header))) as engine:
            said = " ".join(engine.remarks)
            assert len(engine.remarks) == (header is None and GUESSES[content] != "")
        assert header is not None or GUESSES[content] in said
        assert "secret" not in said


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        (CsvFormat(encoding="klingon"), "'klingon'"),
        (CsvFormat(encoding="rot13"), "'rot13'"),
        (CsvFormat(encoding="hex"), "'hex'"),
        (CsvFormat(delimiter=""), "''"),
        (CsvFormat(delimiter="||"), "'||'"),
        (CsvFormat(delimiter="\n"), r"'\n'"),
        (CsvFormat(delimiter='"'), "'\"'"),
        (CsvFormat(quote="ab"), "'ab'"),
        (CsvFormat(quote=","), "','"),
    ],
)
def test_impossible_wishes(tmp_path: Path, wish: CsvFormat, named: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_text(tmp_path, "a,b\n1,x\n", wish)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        (gzip.compress(b"a,b\n1,x\n", mtime=0), "add .gz"),
        (b"\x28\xb5\x2f\xfd rest", "add .zst"),
        (b"PK\x03\x04 rest", "save it as CSV"),
        ("a,b\n1,x\n".encode("utf-16-le"), "--encoding utf-16-le"),
        (b"a,b\n1,\0\n", "zero bytes"),
    ],
)
def test_what_is_no_text_is_not_read_as_text(tmp_path: Path, content: bytes, advice: str) -> None:
    with pytest.raises(InputError, match=r"table\.csv: ") as caught:
        read_text(tmp_path, content)
    assert advice in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-16", "idna", "punycode", "undefined"])
def test_an_encoding_that_can_not_read_the_file_is_one_line(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(SingleoutError) as caught:
        sniff(tmp_path / "x.csv", CsvFormat(encoding=encoding))
    assert "encoding" in str(caught.value)


def test_a_text_is_no_list_of_texts() -> None:
    wrong: Any = "NA"
    with pytest.raises(UsageError, match="give a tuple"):
        CsvFormat(missing_text=wrong)


def test_blanks_that_a_quoted_cell_keeps_are_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = "".join(f"{number}, NA, {number}\n" for number in range(9))
    path.write_text(f"a, b, c\n{rows}")
    assert assess(path).to_dict()["attributes"][1]["name"] == "b"
    assert not any("blank" in remark for remark in assess(path).remarks)
    path.write_text(f'a, b, c\n1, "x, y", 2\n{rows}')
    found = assess(path)
    assert found.to_dict()["attributes"][1]["name"] == " b"
    assert any(
        "so that ' NA' is not missing" in each and "--delimiter ', '" in each for each in found.remarks
    )
    mended = assess(path, csv=CsvFormat(delimiter=", "))
    assert [each["name"] for each in mended.to_dict()["attributes"]] == ["a", "b", "c"]
    assert not any("blank" in remark for remark in mended.remarks)
