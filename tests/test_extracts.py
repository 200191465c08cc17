"""The extracts are small, told of, and what singleout and the script count in the whole public files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy
import pyarrow
import pyarrow.parquet
import pytest

import singleout
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.read.source import source
from tests.extracts.build_extracts import ADULT, SETS, write_extracts
from tests.support.extracts import (
    ARX_ADULT,
    EXTRACTS,
    adult_column,
    class_sizes,
    rows_of,
    smallest_classes,
    value_counts,
    value_pairs,
    write_arx_adult,
)

FILES = {
    "adult": "adult/adult.data",
    "diabetes": "diabetes/diabetic_data.csv.gz",
    "arx_adult": "arx_adult/adult.csv",
}
DATA_FILES = sorted(path for path in EXTRACTS.iterdir() if path.suffix in (".csv", ".parquet"))


@contextmanager
def opened(data: Path, table: str) -> Iterator[SqlEngine]:
    with open_engine(source(data / FILES[table])) as engine:
        yield engine


def named(table: str, column: str) -> str:
    """What singleout calls the column."""
    return adult_column(column) if table == "adult" else column


def test_the_extracts_are_small_and_told_of() -> None:
    sizes = {path.name: path.stat().st_size for path in DATA_FILES}
    assert max(sizes.values()) < 500_000
    assert sum(sizes.values()) < 1_500_000
    told = (EXTRACTS / "README.md").read_text()
    assert [name for name in sizes if f"`{name}`" not in told] == []


def test_the_purchases_have_the_published_counts() -> None:
    """Ito et al. 2019 and 2020: 38,087 records of 400 people, 2,781 goods, 1,763 receipts."""
    table = pyarrow.parquet.read_table(EXTRACTS / "purchases.parquet")
    counts = [len(table[name].unique()) for name in ("customer", "goods", "receipt")]
    assert (table.num_rows, *counts) == (38_087, 400, 2_781, 1_763)


def test_the_script_writes_the_extracts(real_data: Path, tmp_path: Path) -> None:
    write_extracts(real_data, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [path.name for path in DATA_FILES]
    for path in DATA_FILES:
        if path.suffix == ".parquet":  # the bytes depend on who writes them
            assert pyarrow.parquet.read_table(tmp_path / path.name).equals(pyarrow.parquet.read_table(path))
        else:
            assert (tmp_path / path.name).read_text() == path.read_text()


def test_the_purchases_are_those_of_the_rule(real_data: Path) -> None:
    """Row by row, up to the numbers of customers and receipts, which keep their order."""
    by_rule = purchases_by_the_rule(real_data / "online_retail" / "online_retail.parquet")
    extract = pyarrow.parquet.read_table(EXTRACTS / "purchases.parquet").to_pydict()
    customer, receipt, *others = map(list, zip(*by_rule, strict=True))
    assert others == [extract[name] for name in ("date", "time", "goods", "price", "number")]
    for old, new in ((customer, extract["customer"]), (receipt, extract["receipt"])):
        numbers = dict(sorted(set(zip(old, new, strict=True))))
        assert [numbers[each] for each in old] == new
        assert list(numbers.values()) == sorted(set(new))
        assert len({len(str(number)) for number in new}) == 1


def purchases_by_the_rule(file: Path) -> list[tuple[object, ...]]:
    """As docs/data.md tells it: (customer, receipt, date, time, goods, price, number)."""
    names = ("CustomerID", "InvoiceNo", "InvoiceDate", "StockCode", "UnitPrice", "Quantity", "Country")
    table = pyarrow.parquet.read_table(file, columns=list(names))
    rows = [
        row
        for row in zip(*(table[name].to_pylist() for name in names), strict=True)
        if row[0] and row[1][0] != "C" and row[4] > 0 and row[5] > 0
    ]
    unspecified = {row[0] for row in rows if row[6] == "Unspecified"}
    first = set(sorted({row[0] for row in rows} - unspecified)[:400])
    return [
        (customer, receipt, f"{moment:%Y/%m/%d}", f"{moment:%H:%M}", *others)
        for customer, receipt, moment, *others, _ in rows
        if customer in first
    ]


@pytest.mark.parametrize("table", FILES)
def test_class_sizes_are_what_singleout_counts(real_data: Path, table: str) -> None:
    listed = {columns for name, columns, *_ in rows_of("class_sizes.csv") if name == table}
    assert listed == set(SETS.get(table, [ARX_ADULT]))
    with opened(real_data, table) as engine:
        for columns in listed:
            found = engine.sizes(Question(tuple(named(table, each) for each in columns.split())))
            assert found.rows() == class_sizes(table, columns).rows()


@pytest.mark.parametrize(("table", "person"), [("adult", None), ("diabetes", "patient_nbr")])
def test_value_counts_are_what_singleout_counts(real_data: Path, table: str, person: str | None) -> None:
    with opened(real_data, table) as engine:
        for column in {column for name, column, *_ in rows_of("value_counts.csv") if name == table}:
            found = engine.sizes(Question((named(table, column),), person))
            assert found.rows() == value_counts(table, column).rows()


@pytest.mark.parametrize("table", SETS)
def test_pairs_of_values_are_what_singleout_counts(real_data: Path, table: str) -> None:
    with opened(real_data, table) as engine:
        for (name, one, other), cells in value_pairs().items():
            if name == table:
                assert pairs_counted(engine, named(table, one), named(table, other)) == cells


def pairs_counted(engine: SqlEngine, one: str, other: str) -> dict[tuple[int, int], int]:
    question = Question((one, other))
    tuples = engine.tuples(question)
    first = ranks(engine.values(one, question), tuples.frequencies(0).tolist())
    second = ranks(engine.values(other, question), tuples.frequencies(1).tolist())
    cells = zip(*(each.tolist() for each in tuples.pairs(0, 1)), strict=True)
    return {(first[a], second[b]): records for a, b, records in cells}


def ranks(values: Sequence[str | None], frequencies: Sequence[int]) -> list[int]:
    """By falling frequency, then by text, from 1."""
    order = sorted(range(len(values)), key=lambda code: (-frequencies[code], str(values[code])))
    places = {code: rank for rank, code in enumerate(order, 1)}
    return [places[code] for code in range(len(values))]


def test_smallest_classes_are_what_singleout_counts(real_data: Path) -> None:
    columns = [name for name in ADULT if name not in ("fnlwgt", "income")]
    sets = numpy.arange(2**13, dtype=numpy.uint64)
    with opened(real_data, "adult") as engine:
        found = engine.count_sets(Question(tuple(map(adult_column, columns))), sets, 1).smallest.tolist()
    safe = {
        frozenset(columns[place] for place in range(13) if mask >> place & 1): least
        for mask, least in enumerate(found)
        if least > 1
    }
    assert safe == dict(smallest_classes())


def test_arx_adult_by_five_years_is_what_singleout_makes(real_data: Path, tmp_path: Path) -> None:
    """The same records are released at level 1 of the ages from the whole file and from the extract."""
    (tmp_path / "extract").mkdir()
    write_arx_adult(tmp_path / "extract")
    levels = dict.fromkeys(ARX_ADULT.split(), 0) | {"age": 1}
    released = []
    for folder in (real_data / "arx_adult", tmp_path / "extract"):
        out = tmp_path / "out.csv"
        singleout.generalise(folder / "adult.csv", hierarchies=folder, k=1, levels=levels, out=out)
        released.append(out.read_text())
    assert released[0] == released[1]
    assert len(released[0].splitlines()) == 30_163


def test_the_hierarchies_are_those_of_arx(real_data: Path, tmp_path: Path) -> None:
    write_arx_adult(tmp_path)
    for column in ARX_ADULT.split():
        name = f"adult_hierarchy_{column}.csv"
        expected = (real_data / "arx_adult" / name).read_text().splitlines()
        assert (tmp_path / name).read_text().splitlines() == expected
