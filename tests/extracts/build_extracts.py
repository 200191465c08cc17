"""Writes the extracts of this folder anew from the public data sets: python -m tests.extracts.build_extracts.

A folder of data sets other than ../shared/data can be named after it. README.md says what each file is.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pyarrow.csv
import pyarrow.parquet

HERE = Path(__file__).parent
DATA = HERE.parents[2] / "shared" / "data"

ADULT = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country",
    "income",
)  # fmt: skip
DIABETES = ("patient_nbr", "race", "gender", "age", "time_in_hospital", "diag_1", "diag_2")
# column sets whose class sizes and pairs of values tests ask for; pyCANON's is the third of Adult
SETS = {
    "adult": (
        "age workclass education marital-status occupation relationship race sex hours-per-week "
        "native-country",
        "age workclass education occupation",
        "age education occupation relationship sex native-country",
        "age education marital-status occupation",
        "education occupation hours-per-week native-country",
        "age marital-status relationship sex",
        "age race sex native-country",
        "age fnlwgt sex",
        "workclass occupation hours-per-week",
        "marital-status relationship sex",
        "age race sex",
        "education education-num",
        "age hours-per-week",
        "age capital-gain capital-loss hours-per-week",
    ),
    "diabetes": (
        "race gender age time_in_hospital",
        "diag_1 diag_2",
        "gender age time_in_hospital diag_1",
        "race gender age",
        "gender age time_in_hospital",
        "age diag_1",
    ),
}


def write_extracts(data: Path, folder: Path) -> None:
    """All extracts of the data sets in `data`."""
    tables = {"adult": adult(data), "diabetes": diabetes(data)}
    arx = arx_adult(data)
    _write_parquet(purchases(data), folder / "purchases.parquet")
    _write_csv(class_sizes({**tables, "arx_adult": arx}), folder / "class_sizes.csv")
    _write_csv(value_counts(tables), folder / "value_counts.csv")
    _write_parquet(value_pairs(tables), folder / "value_pairs.parquet")
    _write_csv(smallest_classes(tables["adult"]), folder / "smallest_classes.csv")
    _write_csv(class_values(tables["adult"]), folder / "class_values.csv")
    _write_parquet(arx_adult_by_five_years(arx, data), folder / "arx_adult_by_five_years.parquet")
    (folder / "arx_hierarchies.csv").write_text(arx_hierarchies(data, arx.column_names))


def purchases(data: Path) -> pyarrow.Table:
    """T1: the 400 customers of Ito et al. 2019 and 2020, by the rule in docs/data.md, in the file's order.

    All new numbers of customers have as many digits, and so have those of receipts: they sort as before,
    as numbers and as text.
    """
    retail = f"read_parquet('{data / 'online_retail' / 'online_retail.parquet'}', file_row_number = true)"
    kept = "CustomerID IS NOT NULL AND InvoiceNo NOT LIKE 'C%' AND Quantity > 0 AND UnitPrice > 0"
    found: pyarrow.Table = duckdb.sql(
        f"""SELECT CAST(1000 + dense_rank() OVER (ORDER BY CustomerID) AS INT) AS customer,
                   CAST(10000 + dense_rank() OVER (ORDER BY InvoiceNo) AS INT) AS receipt,
                   strftime(InvoiceDate, '%Y/%m/%d') AS date, strftime(InvoiceDate, '%H:%M') AS time,
                   StockCode AS goods, UnitPrice AS price, Quantity AS number
            FROM {retail} WHERE {kept} AND CustomerID IN (
                SELECT DISTINCT CustomerID FROM {retail} WHERE {kept} AND Country <> 'Unspecified'
                ORDER BY CustomerID LIMIT 400)
            ORDER BY file_row_number"""
    ).to_arrow_table()
    return found


def adult(data: Path) -> pyarrow.Table:
    """UCI Adult, whose file has no header and ends with an empty line."""
    with (data / "adult" / "adult.data").open(newline="") as lines:
        rows = [row for row in csv.reader(lines, skipinitialspace=True) if row]
    return pyarrow.table(dict(zip(ADULT, map(list, zip(*rows, strict=True)), strict=True)))


def diabetes(data: Path) -> pyarrow.Table:
    """The columns of UCI Diabetes that papers and tests ask about."""
    return _as_text(data / "diabetes" / "diabetic_data.csv.gz", ",", DIABETES)


def arx_adult(data: Path) -> pyarrow.Table:
    """ARX's Adult."""
    file = data / "arx_adult" / "adult.csv"
    return _as_text(file, ";", file.read_text().partition("\n")[0].split(";"))


def class_sizes(tables: Mapping[str, pyarrow.Table]) -> pyarrow.Table:
    """How many classes have how many records, for each set of columns; of ARX's Adult for all of them."""
    rows = []
    for name, table in tables.items():
        for columns in SETS.get(name, (" ".join(table.column_names),)):
            sizes = Counter(_counted(table, columns.split())["count_all"].to_pylist())
            rows += [(name, columns, *each) for each in sorted(sizes.items())]
    return _table(("table", "columns", "records", "classes"), rows)


def value_counts(tables: Mapping[str, pyarrow.Table]) -> pyarrow.Table:
    """How many values of a column have how many records and people; in Adult each record is a person."""
    rows = []
    for name, table in tables.items():
        person = "patient_nbr" if name == "diabetes" else None
        for column in table.column_names:
            found = _counted(table, [column], person)
            records = found["count_all"].to_pylist()
            people = found[f"{person}_count_distinct"].to_pylist() if person else records
            pairs = Counter(zip(records, people, strict=True))
            rows += [(name, column, *pair, values) for pair, values in sorted(pairs.items())]
    return _table(("table", "column", "records", "people", "values"), rows)


def value_pairs(tables: Mapping[str, pyarrow.Table]) -> pyarrow.Table:
    """How many records have both values of two columns, a value being called by its rank: 1 is the first."""
    rows = []
    for name, table in tables.items():
        ranked = {column: _ranks(table[column].to_pylist()) for column in table.column_names}
        for one, other in _pairs_of_columns(name, table.column_names):
            cells = Counter(zip(ranked[one], ranked[other], strict=True))
            rows += [(name, one, a, other, b, records) for (a, b), records in sorted(cells.items())]
    return _table(("table", "column", "rank", "other_column", "other_rank", "records"), rows)


def class_values(table: pyarrow.Table) -> pyarrow.Table:
    """How many classes of pyCANON's columns of Adult have so many low and so many high incomes."""
    incomes: dict[tuple[str, ...], Counter[str]] = {}
    columns = [table[name].to_pylist() for name in SETS["adult"][2].split()]
    for *key, income in zip(*columns, table["income"].to_pylist(), strict=True):
        incomes.setdefault(tuple(key), Counter())[income] += 1
    pairs = Counter((each["<=50K"], each[">50K"]) for each in incomes.values())
    return _table(("low", "high", "classes"), [(*pair, many) for pair, many in sorted(pairs.items())])


def smallest_classes(table: pyarrow.Table) -> pyarrow.Table:
    """The sets of Adult's columns, without weight and income, where nobody is alone: their smallest class."""
    columns = [name for name in table.column_names if name not in ("fnlwgt", "income")]
    smallest = {(): table.num_rows}
    for size in range(1, len(columns) + 1):
        for chosen in combinations(columns, size):
            # who is alone by some columns is alone by more
            if all(part in smallest for part in combinations(chosen, size - 1)):
                least = min(_counted(table, chosen)["count_all"].to_pylist())
                smallest |= {chosen: least} if least > 1 else {}
    return _table(("columns", "records"), [(" ".join(each), least) for each, least in smallest.items()])


def arx_adult_by_five_years(table: pyarrow.Table, data: Path) -> pyarrow.Table:
    """The classes of ARX's Adult, each age being the least of its five years: level 1 of its hierarchy."""
    with (data / "arx_adult" / "adult_hierarchy_age.csv").open(newline="") as lines:
        years = {row[0]: row[1] for row in csv.reader(lines, delimiter=";")}
    least: dict[str, str] = {}
    for age in sorted(years, key=int):
        least.setdefault(years[age], age)
    ages = [least[years[age]] for age in table["age"].to_pylist()]
    lowered = table.set_column(table.column_names.index("age"), "age", [ages])
    found = _counted(lowered, table.column_names).rename_columns([*table.column_names, "records"])
    return found.sort_by([(name, "ascending") for name in table.column_names])


def arx_hierarchies(data: Path, columns: Sequence[str]) -> str:
    """All nine in one text: the column, then a line of its hierarchy."""
    files = {column: data / "arx_adult" / f"adult_hierarchy_{column}.csv" for column in columns}
    lines = (f"{column};{line}\n" for column in columns for line in files[column].read_text().splitlines())
    return "".join(lines)


def _as_text(file: Path, delimiter: str, columns: Sequence[str]) -> pyarrow.Table:
    as_text = pyarrow.csv.ConvertOptions(
        column_types=dict.fromkeys(columns, pyarrow.string()), include_columns=list(columns)
    )
    return pyarrow.csv.read_csv(
        file, parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter), convert_options=as_text
    )


def _counted(table: pyarrow.Table, columns: Sequence[str], person: str | None = None) -> pyarrow.Table:
    """One row a class: its values, how many records it has, and how many people."""
    people = [(person, "count_distinct")] if person else []
    return table.group_by(list(columns)).aggregate([([], "count_all"), *people])


def _ranks(values: Sequence[str]) -> list[int]:
    """Of each record's value; equally frequent values are ranked by their text."""
    falling = sorted(Counter(values).items(), key=lambda each: (-each[1], each[0]))
    ranks = {value: rank for rank, (value, _) in enumerate(falling, 1)}
    return [ranks[value] for value in values]


def _pairs_of_columns(table: str, columns: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs that lie in some set, in the order of the columns."""
    together = [set(each.split()) for each in SETS[table]]
    return [pair for pair in combinations(columns, 2) if any(each >= set(pair) for each in together)]


def _table(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> pyarrow.Table:
    return pyarrow.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def _write_csv(table: pyarrow.Table, file: Path) -> None:
    """Pyarrow's own writer would put names in quotes and values not."""
    with file.open("w", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerows([table.column_names, *(row.values() for row in table.to_pylist())])


def _write_parquet(table: pyarrow.Table, file: Path) -> None:
    pyarrow.parquet.write_table(table, file, compression="zstd", compression_level=19)


if __name__ == "__main__":
    write_extracts(Path(sys.argv[1]) if sys.argv[1:] else DATA, HERE)
