"""The papers' tables from the published files: by their rules, and nothing else under their names."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from singleout import data
from singleout.errors import InputError, SingleoutError
from singleout.read import published_tables
from singleout.read.published_tables import TABLES, rows_digest
from tests.support.command_line import Captured, complaint
from tests.support.whole_files import whole_files

HEADER = "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n"
LINES = [
    "536365,85123A,tea,6,12/1/2010 8:26,2.55,17850,United Kingdom",
    "C536379,D,back,-1,12/1/2010 9:41,27.5,14527,United Kingdom",
    "536366,22633,nobody,6,12/1/2010 8:28,1.85,,United Kingdom",
    "536367,22633,free,6,12/1/2010 8:28,0,12346,United Kingdom",
    "536368,22633,none,0,12/1/2010 8:28,1,12346,United Kingdom",
    "536369,22633,where,6,12/1/2010 8:28,1,12363,Unspecified",
    "536370,22633,jam,2,12/1/2010 8:28,1.85,12347.0,Iceland",
]
WHOLE = {
    "t1": "online_retail/online_retail.parquet",
    "t2": "diabetes/diabetic_data.csv.gz",
    "t3": "adult/adult.data",
    "adult": "adult/adult.data",
}


def expecting(monkeypatch: pytest.MonkeyPatch, name: str, table: pyarrow.Table) -> None:
    from dataclasses import replace

    changed = replace(TABLES[name], records=table.num_rows, digest=rows_digest(table))
    monkeypatch.setitem(published_tables.TABLES, name, changed)


def test_the_rule_of_the_purchases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "retail.csv"
    place.write_text(HEADER + "\n".join(LINES) + "\n")
    kept = [
        {
            "customer": 17850, "receipt": "536365", "date": "2010/12/01", "time": "08:26",
            "goods": "85123A", "price": 2.55, "number": 6, "country": "United Kingdom",
        },
        {
            "customer": 12347, "receipt": "536370", "date": "2010/12/01", "time": "08:28",
            "goods": "22633", "price": 1.85, "number": 2, "country": "Iceland",
        },
    ]  # fmt: skip
    made = TABLES["t1"].make(place)
    assert made.to_pylist() == kept
    monkeypatch.setattr(published_tables, "CUSTOMERS", 1)
    assert TABLES["t1"].make(place)["customer"].to_pylist() == [12347]
    with pytest.raises(InputError, match=r"1 records that are not the 38,087 .*archive.ics.uci.edu"):
        data("t1", source=place, out=tmp_path / "t1.csv")
    assert not (tmp_path / "t1.csv").exists()
    monkeypatch.setattr(published_tables, "CUSTOMERS", 400)
    expecting(monkeypatch, "t1", made)
    assert data("t1", source=place, out=tmp_path / "t1.parquet") == 2
    assert pyarrow.parquet.read_table(tmp_path / "t1.parquet").to_pylist() == kept


def test_one_changed_value_is_another_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "retail.csv"
    place.write_text(HEADER + "\n".join(LINES) + "\n")
    expecting(monkeypatch, "t1", TABLES["t1"].make(place))
    place.write_text(place.read_text().replace("2.55", "2.56"))
    with pytest.raises(InputError, match="not the 2 of the papers"):
        data("t1", source=place)


def test_adults_have_names_and_t3_numbers_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "adult.data"
    line = "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male"
    place.write_text(f"{line}, 2174, 0, 40, United-States, <=50K\n" * 2 + "\n")
    made = TABLES["adult"].make(place)
    assert (made.num_rows, made["education"].to_pylist()) == (2, ["Bachelors"] * 2)
    assert TABLES["t3"].make(place)["person"].to_pylist() == [1, 2]
    expecting(monkeypatch, "adult", made)
    found = data("adult", source=place)
    assert isinstance(found, pyarrow.Table)


def test_patients_are_called_as_in_the_paper(tmp_path: Path) -> None:
    place = tmp_path / "diabetic_data.csv.gz"
    text = "encounter_id,patient_nbr,race,gender,age,time_in_hospital\n1,7,?,Female,[0-10),3\n"
    place.write_bytes(gzip.compress(text.encode()))
    assert TABLES["t2"].make(place).to_pylist() == [
        {"patient": "7", "days": "3", "age": "[0-10)", "ethnicity": "?", "gender": "Female"}
    ]


@pytest.mark.parametrize(
    ("name", "file", "content", "fault"),
    [
        ("t9", "a.csv", b"", "there is no table 't9'; did you mean"),
        ("t1", "none.csv", None, "no such file; its data set is published at https"),
        ("t1", "a.xlsx", b"PK", "save it as CSV"),
        ("t1", "a.csv", b"a,b\n1,2\n", "has no column 'InvoiceNo'"),
        ("t1", "a.parquet", b"nothing", "no Parquet file"),
        ("t2", "a.csv.gz", b"nothing", "no gzip file"),
        ("adult", "a.data", b"1,2\n", "has not 15 fields"),
        ("adult", "a.data", b"", "has not 15 fields"),
        (
            "t1", "a.csv", (HEADER + LINES[0].replace("12/1/2010 8:26", "yesterday")).encode(),
            "InvoiceDate is not written like",
        ),
        ("t1", "a.csv", HEADER.encode() + b"1,2\n", "is not the file as it was published"),
        ("t1", "a.csv", (HEADER + LINES[0].replace("2.55", "dear")).encode(), "not the file as it was"),
        ("t1", "a.csv", b"x" * 200_000, "is not the file as it was published|has no column 'InvoiceNo'"),
        ("t2", "a.csv.gz", gzip.compress(b"a" * 9000)[:15] + b"\xff" * 9, "not the file as it was|no gzip"),
    ],
    ids=[
        "no-table", "no-file", "workbook", "other-columns", "no-parquet", "no-gzip", "short", "empty",
        "date-words", "short-line", "price-words", "long-line", "damaged-gzip",
    ],
)  # fmt: skip
def test_what_no_table_is_made_of(
    name: str, file: str, content: bytes | None, fault: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / file).write_bytes(content)
    with pytest.raises(SingleoutError, match=fault):
        data(name, source=tmp_path / file)


def test_what_is_read_is_not_written(tmp_path: Path) -> None:
    place = tmp_path / "a.csv"
    place.write_text(HEADER)
    with pytest.raises(SingleoutError, match="name another file"):
        data("t1", source=place, out=place)


def test_the_command_says_where_a_set_is_published(tmp_path: Path, capsys: Captured) -> None:
    said = complaint(["data", "t1", "--out", str(tmp_path / "t1.csv")], capsys)
    assert "https://archive.ics.uci.edu/dataset/352" in said


@pytest.mark.parametrize("name", WHOLE)
def test_the_published_files(name: str) -> None:
    found = data(name, source=whole_files() / WHOLE[name])
    assert isinstance(found, pyarrow.Table)
