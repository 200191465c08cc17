"""Files of offices: workbooks, statistics programs and JSON, and what comes by a pipe."""

import datetime
import gzip
import io
import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars
import pyarrow
import pyreadstat
import pytest
import xlsxwriter

from singleout import apply
from singleout.cli.main import main
from singleout.engine.open_engine import open_engine
from singleout.errors import InputError, SingleoutError, UsageError
from singleout.read import standard_input
from singleout.read.source import source
from singleout.read.standard_input import input_file
from singleout.read.workbook_markup import (
    BETWEEN,
    FORMULAS,
    LOOKS,
    NAMES,
    OLD_TEXTS,
    OTHERS,
    PARTS_OF_TEXTS,
    PROPERTIES,
    SEVERAL_NUMBERS,
    SEVERAL_TEXTS,
    UNREADABLE,
)
from singleout.read.workbook_parts import UNSEEN_PARTS, other_parts
from tests.fuzz.office_files import binary_workbook

ROWS: list[dict[str, Any]] = [
    {"who": "ann", "sex": 1, "height": 1.5, "town": "Köln", "day": datetime.date(2020, 1, 2)},
    {"who": "bob", "sex": 2, "height": None, "town": None, "day": datetime.date(1950, 12, 31)},
    {"who": "eve", "sex": 9, "height": 2.25, "town": "=1+1", "day": None},
]
LABELS = {"sex": {1: "male", 2: "female", 9: "refused"}}


def table_of(place: str | Path) -> pyarrow.Table:
    with open_engine(source(place)) as engine:
        return engine.records(tuple(column.name for column in engine.columns()))


def rows_of(place: str | Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table_of(place).to_pylist()
    return found


def workbook(path: Path, **sheets: list[list[Any]]) -> Path:
    with xlsxwriter.Workbook(str(path), {"strings_to_formulas": False}) as book:
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for index, value in enumerate(row):
                    kind = (day,) if isinstance(value, datetime.date) else ()
                    sheet.write(number, index, value, *kind)
    return path


def lines_of(rows: list[dict[str, Any]]) -> list[list[Any]]:
    return [list(rows[0]), *(list(row.values()) for row in rows)]


def test_a_sheet_is_a_table(tmp_path: Path) -> None:
    path = workbook(tmp_path / "people.xlsx", people=lines_of(ROWS))
    assert rows_of(path) == ROWS
    assert rows_of(f"{path}::people") == ROWS


def test_one_of_several_sheets_is_named(tmp_path: Path) -> None:
    path = workbook(tmp_path / "two.xlsx", first=lines_of(ROWS), second=[["a"], [1]])
    assert rows_of(f"{path}::second") == [{"a": 1}]
    with pytest.raises(UsageError, match="has the sheets 'first', 'second'; say which, as in"):
        rows_of(path)
    with pytest.raises(InputError, match="there is no sheet 'secnd'; did you mean 'second'"):
        rows_of(f"{path}::secnd")
    with open_engine(source(f"{path}::first")) as engine:
        assert engine.other_contents() == ("1 other sheet",)


def test_a_cell_far_from_the_table_does_not_fill_the_memory(tmp_path: Path) -> None:
    """The library would keep all cells up to it; one that has a colour only counts for nothing."""
    for name, far in (("written.xlsx", "x"), ("coloured.xlsx", None)):
        with xlsxwriter.Workbook(str(tmp_path / name)) as book:
            sheet = book.add_worksheet("people")
            sheet.write_row(0, 0, [f"c{index}" for index in range(100)])
            sheet.write_row(1, 0, range(100))
            sheet.write(1_048_575, 16_383, far, book.add_format({"bg_color": "red"}))
    assert rows_of(tmp_path / "coloured.xlsx") == [{f"c{index}": index for index in range(100)}]
    with pytest.raises(InputError, match="there are 17,179,869,184 cells between the first and the last"):
        rows_of(tmp_path / "written.xlsx")


def test_what_a_workbook_holds_besides_cells_is_told(tmp_path: Path) -> None:
    path = tmp_path / "people.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("people")
        sheet.write_column(0, 0, ["age", 30])
        sheet.write_comment(1, 0, "this is Ann")
    with open_engine(source(path)) as engine:
        assert engine.other_contents() == ("comments",)
    with ZipFile(path, "a") as archive:
        archive.writestr("xl/pivotCache/pivotCacheRecords1.xml", "<r/>")
    assert [*other_parts(path)] == ["the records behind pivot tables", "comments"]
    other = tmp_path / "people.xls"
    other.write_bytes(b"\xd0\xcf\x11\xe0")
    assert [*other_parts(other)] == [UNSEEN_PARTS]


TELLING: dict[str, tuple[Any, str | None]] = {
    "nothing": (lambda _book, _sheet: None, None),
    "a wide column": (
        lambda book, sheet: sheet.set_column(1, 1, 12, book.add_format({"num_format": "0"})),
        None,
    ),
    "bold names": (lambda book, sheet: sheet.write(0, 0, "town", book.add_format({"bold": True})), None),
    "bold": (lambda book, sheet: sheet.write(2, 0, "Köln", book.add_format({"bold": True})), LOOKS),
    "far away": (lambda book, sheet: sheet.write_blank(9, 9, None, book.add_format({"bold": True})), LOOKS),
    "height": (lambda _book, sheet: sheet.set_row(2, 30), LOOKS),
    "hidden": (lambda _book, sheet: sheet.set_row(2, None, None, {"hidden": True}), LOOKS),
    "formula": (lambda _book, sheet: sheet.write_formula(2, 0, '="Ann"', None, "Köln"), FORMULAS),
    "link": (lambda _book, sheet: sheet.write_url(2, 0, "https://x.org/ann", None, "Köln"), "links"),
    "parts": (
        lambda book, sheet: sheet.write_rich_string(2, 0, "K", book.add_format({"bold": True}), "ö", "ln"),
        PARTS_OF_TEXTS,
    ),
    "list": (
        lambda _book, sheet: sheet.data_validation(
            1, 0, 2, 0, {"validate": "list", "source": ["Ann", "Bob"]}
        ),
        "lists of what may be written",
    ),
    "rule": (
        lambda book, sheet: sheet.conditional_format(
            1, 0, 2, 0, {"type": "cell", "criteria": "==", "value": '"Ann"', "format": book.add_format()}
        ),
        "rules of how cells look",
    ),
    "name": (lambda book, _sheet: book.define_name("Ann", "=people!$A$2"), NAMES),
    "property": (lambda book, _sheet: book.set_properties({"comments": "Ann is first"}), PROPERTIES),
    "own property": (lambda book, _sheet: book.set_custom_property("first", "Ann"), PROPERTIES),
    "author": (lambda book, _sheet: book.set_properties({"author": "the office"}), None),
    "header": (lambda _book, sheet: sheet.set_header("&CAnn is first"), "headers or footers"),
    "page": (lambda _book, sheet: sheet.set_h_pagebreaks([2]), OTHERS),
}


@pytest.mark.parametrize("name", TELLING)
def test_what_is_no_value_of_a_cell_is_told(tmp_path: Path, name: str) -> None:
    """Both have the same town: which of them is bold, or has a formula, may say who is who."""
    path, (tell, words) = tmp_path / "people.xlsx", TELLING[name]
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("people")
        sheet.write_column(0, 0, ["town", "Köln", "Köln"])
        sheet.write_column(0, 1, ["age", 30, 30])
        tell(book, sheet)
    assert rows_of(path) == [{"town": "Köln", "age": 30}] * 2
    told = [*other_parts(path)]
    assert [each for each in told if each == words] == ([] if words is None else [words])
    assert bool(told) == (words is not None)


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ("<si><t>town</t></si><si><t>Köln</t></si>", []),
        ("<si><t>town</t></si><si><t>Köln</t></si><si><t>Ann</t></si>", [OLD_TEXTS]),
        ("<si><t>town</t></si><si><t>Köln</t></si><si><t>Köln</t></si>", [SEVERAL_TEXTS, OLD_TEXTS]),
        ('<!DOCTYPE sst [<!ENTITY e "ee">]><si><t>&e;</t></si>', [UNREADABLE]),
    ],
)
def test_texts_that_no_cell_has_are_told(tmp_path: Path, texts: str, told: list[str]) -> None:
    path = tmp_path / "people.xlsx"
    rows = "".join(
        f'<row r="{row}"><c r="A{row}" t="s"><v>{min(row, 2) - 1}</v></c></row>' for row in (1, 2, 3)
    )
    with ZipFile(path, "w") as archive:
        archive.writestr("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{rows}</sheetData></worksheet>")
        archive.writestr("xl/sharedStrings.xml", texts if "DOCTYPE" in texts else f"<sst>{texts}</sst>")
    assert [*other_parts(path)] == told
    # a part that is not as long as the archive says
    content = path.read_bytes()
    path.write_bytes(content.replace(b"</sheetData>", b"</sheetDatA>"))
    assert UNREADABLE in other_parts(path)


@pytest.mark.parametrize(
    ("third", "told"),
    [
        ('<row r="3"><c r="A3"><v>7</v></c></row>', []),
        ('<row r="3"><c r="A3"><v>8.0</v></c></row>', []),
        ('<row r="3"><c r="A3"><v>7.0</v></c></row>', [SEVERAL_NUMBERS]),
        ('<row r="3"><c r="A3"><v>7E0</v></c></row>', [SEVERAL_NUMBERS]),
        ('<row r="3"><c r="A3" t="n"><v>7</v></c></row>', [SEVERAL_NUMBERS]),
        ('<row r="3"><c r="A3" cm="1"><v>7</v></c></row>', [OTHERS]),
        ('<row r="3" spans="1:1"><c r="A3"><v>7</v></c></row>', [LOOKS]),
        ('<row r="3"> <c r="A3"><v>7</v></c></row>', [BETWEEN]),
        ('\n<row r="3"><c r="A3"><v>7</v></c></row>', [BETWEEN]),
        ('<row r="3"><c r="A3"><v>7</v></c><!-- Ann --></row>', [BETWEEN]),
    ],
)
def test_how_equal_cells_are_written_is_told(tmp_path: Path, third: str, told: list[str]) -> None:
    """Both have the same number: which of them is written in another way may say who is who."""
    path = tmp_path / "people.xlsx"
    head = '<row r="1"><c r="A1" t="inlineStr"><is><t>age</t></is></c></row>'
    rows = f'{head}<row r="2"><c r="A2"><v>7</v></c></row>{third}'
    with ZipFile(path, "w") as archive:
        archive.writestr("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{rows}</sheetData></worksheet>")
    assert [*other_parts(path)] == told
    with ZipFile(path, "a") as archive:
        archive.comment = b"Ann is first"
    assert BETWEEN in other_parts(path)


def test_cells_of_several_kinds_are_text_and_what_they_merge_is_told(tmp_path: Path) -> None:
    path = workbook(tmp_path / "mixed.xlsx", a=[["code", "same"], [12, 1], ["A1", "1"], [None, "x"]])
    assert rows_of(path) == [
        {"code": "12", "same": "1"}, {"code": "A1", "same": "1"}, {"code": None, "same": "x"},
    ]  # fmt: skip
    with open_engine(source(path)) as engine:
        assert engine.merged_columns() == ("same",)


def test_empty_rows_are_no_records(tmp_path: Path) -> None:
    path = workbook(tmp_path / "gaps.xlsx", a=[["a", "b"], [1, 2], [None, None], [3, None]])
    assert rows_of(path) == [{"a": 1, "b": 2}, {"a": 3, "b": None}]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["a", None, "c"], [1, 2, 3]], "column 2 has no name in the first row"),
        ([["a", "a"], [1, 2]], "two columns are called 'a'"),
        ([["a", "b"]], "has column names but no records"),
        ([[]], "the first row has no names"),
    ],
)
def test_sheets_that_are_no_tables(tmp_path: Path, rows: list[list[Any]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        rows_of(workbook(tmp_path / "odd.xlsx", a=rows))


def statistics_file(path: Path) -> Path:
    write = pyreadstat.write_sav if path.suffix in (".sav", ".zsav") else pyreadstat.write_dta
    frame = polars.DataFrame(ROWS)
    more: dict[str, Any] = {"missing_ranges": {"sex": [9]}} if path.suffix == ".sav" else {}
    write(frame, str(path), column_labels={"sex": "Sex"}, variable_value_labels=LABELS, **more)
    return path


@pytest.mark.parametrize("name", ["survey.sav", "survey.dta"])
def test_codes_are_values_also_those_that_the_user_calls_missing(tmp_path: Path, name: str) -> None:
    assert rows_of(statistics_file(tmp_path / name)) == ROWS


def test_sas_transport_files(tmp_path: Path) -> None:
    path = tmp_path / "survey.xpt"
    frame = polars.DataFrame([{"who": "ann", "sex": 1}, {"who": "bob", "sex": 2}])
    pyreadstat.write_xport(frame, str(path))
    assert rows_of(path) == frame.to_dicts()


def test_what_sas_says_of_columns_fits_into_files_of_spss(tmp_path: Path) -> None:
    """SAS files mostly name no format: nothing is said of it then."""
    path = tmp_path / "survey.xpt"
    frame = polars.DataFrame({"who": ["ann", "bob"], "age": [31.0, 42.0]})
    pyreadstat.write_xport(frame, str(path), column_labels={"age": "age in years"})
    recipe = {"columns": ["who", "age"], "step": [{"step": "round", "columns": ["age"], "to": 5}]}
    apply(path, recipe, user="who", out=tmp_path / "release.sav")
    assert {row["age"] for row in rows_of(tmp_path / "release.sav")} == {30, 40}


def test_marked_missing_values_of_stata_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "marked.dta"
    frame = polars.DataFrame({"income": ["a", "b", None]})
    pyreadstat.write_dta(frame.to_pandas(), str(path), missing_user_values={"income": ["a", "b"]})
    assert {row["income"] for row in rows_of(path)} == {"a", "b", None}


def test_labels_of_values_that_nobody_has_are_told(tmp_path: Path) -> None:
    path = tmp_path / "gone.sav"
    frame = polars.DataFrame({"sex": [1, 1]})
    pyreadstat.write_sav(frame, str(path), variable_value_labels=LABELS, note="made for Ann")
    with open_engine(source(path)) as engine:
        assert engine.other_contents() == (
            "1 note about the file",
            "labels of 1 value",
            "labels of 2 values that no record has",
        )


JSON = [{"who": "ann", "n": 1, "x": 1.5, "ok": True, "day": "2020-1-1"}, {"who": "bob", "n": 2, "day": "x"}]
READ = [JSON[0], {"who": "bob", "n": 2, "x": None, "ok": None, "day": "x"}]


def test_json_lines_and_arrays(tmp_path: Path) -> None:
    lines = "\n".join(map(json.dumps, JSON))
    (tmp_path / "a.json").write_text(json.dumps(JSON))
    (tmp_path / "a.jsonl").write_text(lines)
    (tmp_path / "a.ndjson.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "without").write_text(lines)
    for name in ("a.json", "a.jsonl", "a.ndjson.gz", "without"):
        assert rows_of(tmp_path / name) == READ


def test_null_and_no_value_of_json_are_told_to_be_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    path.write_text('{"a": 1, "b": null}\n{"a": null, "c": 1}\n{"a": 2, "b": 1}\n')
    with open_engine(source(path)) as engine:
        assert engine.merged_columns() == ("b",)


def test_long_numbers_of_json_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"id": 12345678901234567890123}, {"id": 12345678901234567890124}]')
    assert len({row["id"] for row in rows_of(path)}) == 2


@pytest.mark.parametrize(
    "longer", ["0.10000000000000000001", "1234.00000000000000001", "1.2345678901234567891e5"]
)
def test_fractions_of_json_that_would_be_one_double_are_refused(tmp_path: Path, longer: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(f'[{{"x": 0.1}}, {{"x": {longer}}}]')
    with pytest.raises(InputError, match="has numbers of more than 17 digits, which can't be told apart"):
        rows_of(path)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.1", "0.10000000000000001"),
        ("90071992547409921e1", "90071992547409922e1"),
        ("1e-400", "2e-400"),
    ],
)
def test_numbers_of_json_that_differ_in_their_last_digits_are_refused(
    tmp_path: Path, one: str, other: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text(f'[{{"x": {one}}}, {{"x": {other}}}]')
    with pytest.raises(InputError, match="differ only in their last digits, which can't be told apart"):
        rows_of(path)
    path.write_text(f'[{{"x": {other}}}, {{"x": {other}}}, {{"x": 0.50}}, {{"x": 0.5}}]')
    assert len({row["x"] for row in rows_of(path)}) == 2


def test_a_byte_order_mark_in_json_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"x": 1}]', encoding="utf-8-sig")
    with pytest.raises(InputError, match=r"a\.json: begins with a byte-order mark; save it as UTF-8 without"):
        rows_of(path)


@pytest.mark.parametrize("row", [2**20, 2**32 - 1])
def test_a_row_that_no_sheet_has_is_refused(tmp_path: Path, row: int) -> None:
    path = tmp_path / "a.xlsb"
    book = binary_workbook([["who", "n"], ["ann", 1], ["bob", 2]])
    head = struct.Struct("<IIHHBI")
    with ZipFile(io.BytesIO(book)) as parts, ZipFile(path, "w") as archive:
        for name in parts.namelist():
            last = head.pack(2, 0, 300, 0, 0, 0), head.pack(row, 0, 300, 0, 0, 0)
            archive.writestr(name, parts.read(name).replace(*last))
    with pytest.raises(InputError, match=r"a\.xlsb: has a row beyond the last that a sheet can have"):
        rows_of(path)


def test_fractions_of_json_as_programs_write_them_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    numbers = [0.1 + 0.2, 1.0000000000000002e-7, 123456789.12345679, 1e-20, 5e-324]
    records = [{"x": each, "y": 'a " 0.10000000000000000001'} for each in numbers]
    path.write_text(json.dumps(records)[:-1] + ', {"x": 2.50000000000000000000, "y": null}]')
    assert [row["x"] for row in rows_of(path)] == [*numbers, 2.5]


@pytest.mark.parametrize(
    "record", [{f"c{number}": number for number in range(250)}, {"c1": 1}], ids=["many keys", "few of them"]
)
def test_every_key_of_json_is_a_column(tmp_path: Path, record: dict[str, int]) -> None:
    """DuckDB takes objects of many keys, or of which each has a few of all, for one map of them."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps([record, *({f"c{number}": number} for number in range(30))]))
    rows = rows_of(path)
    assert len(rows[0]) == max(len(record), 30)
    assert {key: value for key, value in rows[0].items() if value is not None} == record


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1, 2]", "holds no objects"),
        ('[{"a": {"b": 1}}]', "column 'a' holds lists or objects"),
        ('[{"a": [1]}]', "column 'a' holds lists or objects"),
        ('[{"a": 1}, {"a": "secret"}]', "column 'a' holds values of several kinds"),
        ('[{"a": 1, "A": 2}]', "differ only in upper and lower case"),
        ('{"a": 1}\n{"a": "secret', r"is no JSON that can be read \(record"),
        ('[{"a": "secret", "a": "x"}]', r"is no JSON that can be read \(record 1\)"),
        ("nonsense", "is no JSON that can be read"),
    ],
)
def test_json_that_is_no_table(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        rows_of(path)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["a.xlsx", "a.sav", "a.dta", "a.xpt", "a.sas7bdat", "a.ods", "a.xls", "a.por"]
)
def test_what_is_no_such_file_is_one_line(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(b"who,secret\n1,2\n" * 50)
    assert main(["assess", str(tmp_path / name)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "cell", ['t="e"><v>secret</v>', 't="b"><v>secret</v>', 't="secret"><v>1</v>', 't="str"><v>&secret;</v>']
)
def test_a_damaged_cell_is_not_told(tmp_path: Path, cell: str) -> None:
    sound, damaged = workbook(tmp_path / "sound.xlsx", a=[["n"], [8642]]), tmp_path / "a.xlsx"
    with ZipFile(sound) as archive, ZipFile(damaged, "w") as changed:
        for name in archive.namelist():
            part = archive.read(name)
            changed.writestr(name, part.replace(b"><v>8642</v>", f" {cell}".encode()))
    assert damaged.read_bytes() != sound.read_bytes()
    with pytest.raises(InputError, match="is no workbook, or a damaged one; save it again") as caught:
        rows_of(damaged)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["a.xlsx", "a.sav", "a.dta"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.95])
def test_files_that_were_cut_off(tmp_path: Path, name: str, share: float) -> None:
    path = tmp_path / name
    workbook(path, a=lines_of(ROWS)) if name == "a.xlsx" else statistics_file(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    try:
        read = rows_of(path)
    except SingleoutError as error:
        assert "damaged" in str(error)
        assert "\n" not in str(error)
    else:
        # what is missing is behind the records
        assert read == ROWS
        assert share > 0.9


@pytest.mark.parametrize(
    ("module", "name", "extra"), [("python_calamine", "a.xlsx", "excel"), ("pyreadstat", "a.sav", "stats")]
)
def test_a_format_that_needs_an_extra_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str, extra: str
) -> None:
    (tmp_path / name).write_bytes(b"x")
    (tmp_path / f"{module}.py").write_text("raise ImportError")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match=rf"need the extra {extra}: pip install 'singleout\[{extra}\]'"):
        rows_of(tmp_path / name)


class Pipe(io.TextIOWrapper):
    """Standard input that is no terminal."""


def written(path: Path, frame: polars.DataFrame) -> bytes:
    """The frame as a file of the kind that the path's ending says."""
    kind, _, compression = path.name.partition(".")[2].partition("-")
    if kind == "xlsx":
        workbook(path, a=lines_of(frame.to_dicts()))
    elif kind == "json":
        path.write_text(json.dumps(frame.to_dicts(), indent=1))
    elif kind in STATISTICS:
        write, more = STATISTICS[kind]
        getattr(pyreadstat, write)(frame, str(path), **more)
    else:
        {"csv": frame.write_csv, "jsonl": frame.write_ndjson, "parquet": frame.write_parquet}[kind](path)
    raw = path.read_bytes()
    if compression == "gz":
        return gzip.compress(raw)
    return bytes(pyarrow.compress(raw, "zstd", asbytes=True)) if compression else raw


STATISTICS: dict[str, tuple[str, dict[str, Any]]] = {
    "sav": ("write_sav", {}), "zsav": ("write_sav", {"compress": True}), "por": ("write_por", {}),
    "dta": ("write_dta", {}), "dta8": ("write_dta", {"version": 8}), "dta12": ("write_dta", {"version": 12}),
    "xpt": ("write_xport", {}), "xpt5": ("write_xport", {"file_format_version": 5}),
}  # fmt: skip
PIPED = (
    "csv", "csv-gz", "csv-zst", "json", "json-gz", "json-zst", "jsonl", "jsonl-gz", "jsonl-zst", "parquet",
    "xlsx", *STATISTICS,
)  # fmt: skip


@pytest.mark.parametrize("kind", PIPED)
def test_a_table_by_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Also by a file whose name tells nothing but how it is compressed."""
    frame = polars.DataFrame({"WHO": ["ann", "bob"], "GOODS": ["tea", "salt"]})
    raw = written(tmp_path / f"a.{kind}", frame)
    input_file.cache_clear()
    monkeypatch.setattr(sys, "stdin", Pipe(io.BytesIO(raw)))
    assert rows_of("-") == frame.to_dicts()
    assert source("-").name == "standard input"
    input_file.cache_clear()
    path = tmp_path / f"dump.of.2020{kind.partition('-')[1].replace('-', '.')}{kind.partition('-')[2]}"
    path.write_bytes(raw)
    assert rows_of(path) == frame.to_dicts()


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (gzip.compress(b"PAR1"), "is a file of the kind parquet that was compressed; decompress it first"),
        (gzip.compress(b"$FL2"), "is a file of the kind spss that was compressed; decompress it first"),
        (b"SQLite format 3\x00", "is a database; save it as a file, and name its table: FILE::TABLE"),
        (b"\xfd7zXZ\x00\x00", "is compressed by xz, which is not read; decompress it, or compress"),
        (b"BZh91AY&SY\x00", "is compressed by bzip2, which is not read; decompress it"),
        (gzip.compress(b'{"a": 1}\n{"a": 2 3}'), "is no JSON that can be read (record"),
        (gzip.compress(b'{"a": 1}\n' * 9)[:-4], "can't be decompressed; is it damaged"),
        (b"HEADER RECORD*******", "is no sas file, or a damaged one; save it again"),
    ],
    ids=["parquet-gz", "sav-gz", "sqlite", "xz", "bzip2", "no-json-gz", "cut-json-gz", "cut-xpt"],
)  # fmt: skip
def test_what_can_not_be_read_from_a_pipe_is_told_of_standard_input(raw: bytes, fault: str) -> None:
    words = [sys.executable, "-m", "singleout", "describe", "-", "--user", "none"]
    done = subprocess.run(words, input=raw, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"error: standard input: {fault}")


def test_compressed_files_whose_names_do_not_say_so(tmp_path: Path) -> None:
    lines = gzip.compress(b'{"a": 1}\n')
    for name in ("a.json", "a"):
        (tmp_path / name).write_bytes(lines)
        with pytest.raises(InputError, match=r"its name does not say so; add \.gz to"):
            rows_of(tmp_path / name)


def test_nothing_by_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    input_file.cache_clear()
    folder = tmp_path / "kept"
    monkeypatch.setattr(standard_input, "folder_path", lambda: folder)
    monkeypatch.setattr(sys, "stdin", Pipe(io.BytesIO(b"")))
    with pytest.raises(InputError, match="standard input: is empty"):
        source("-")
    assert not folder.exists()


def test_what_came_by_a_pipe_is_gone_afterwards(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "singleout", "describe", "-", "--user", "who", "--json"]
    done = subprocess.run(
        words,
        input=b"who,goods\nann,tea\nbob,salt\n",
        capture_output=True,
        env={"TMPDIR": str(tmp_path)},
        check=True,
    )
    assert json.loads(done.stdout)["records"] == 2
    assert list(tmp_path.iterdir()) == []
