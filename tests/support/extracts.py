"""The extracts of public data sets (tests/extracts) as what tests start from: lists, statistics, tables."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import duckdb
import numpy
import pyarrow
import pyarrow.parquet

from singleout.engine.class_sizes import Sizes
from singleout.risk.predict.avfm import Avfm, PairTable
from tests.extracts.build_extracts import ADULT

EXTRACTS = Path(__file__).parents[1] / "extracts"
ARX_ADULT = "sex age race marital-status education native-country workclass occupation salary-class"
PYCANON_ADULT = "age education occupation relationship sex native-country"
Cells = dict[tuple[int, int], int]


def adult_column(name: str) -> str:
    """What singleout calls a column of UCI Adult, whose file has no header."""
    return f"column{ADULT.index(name) + 1}"


def class_sizes(table: str, columns: str) -> Sizes:
    """How many classes there are of each size, by columns in any order."""
    asked = {(table, frozenset(columns.split()))}
    rows = (row for row in rows_of("class_sizes.csv") if (row[0], frozenset(row[1].split())) in asked)
    return Sizes.of((int(size), int(size), int(classes)) for *_, size, classes in rows)


def value_counts(table: str, column: str) -> Sizes:
    """How many values of a column have so many records and people."""
    rows = (row for row in rows_of("value_counts.csv") if row[:2] == [table, column])
    return Sizes.of((int(records), int(people), int(values)) for *_, records, people, values in rows)


def smallest_classes() -> Iterator[tuple[frozenset[str], int]]:
    """Of each set of Adult's columns where nobody is alone."""
    for columns, records in rows_of("smallest_classes.csv"):
        yield frozenset(columns.split()), int(records)


def statistics(table: str, columns: str) -> tuple[Avfm, list[PairTable]]:
    """The frequencies of the columns' values, and the tables of all pairs of them."""
    names = tuple(columns.split())
    frequencies = tuple(falling_frequencies(table, name) for name in names)
    pairs = [_pair_table(table, names, *places) for places in combinations(range(len(names)), 2)]
    return Avfm(names, frequencies), pairs


def falling_frequencies(table: str, column: str) -> numpy.typing.NDArray[numpy.int64]:
    """How often each value of a column occurs, the most frequent first."""
    counts = value_counts(table, column)
    return numpy.repeat(counts.records, counts.groups)[::-1].copy()


def _pair_table(table: str, names: Sequence[str], first: int, second: int) -> PairTable:
    one, other = names[first], names[second]
    cells = value_pairs().get((table, one, other))
    if cells is None:
        cells = {(a, b): records for (b, a), records in value_pairs()[table, other, one].items()}
    codes = numpy.array(sorted(cells), dtype=numpy.int64) - 1
    counts = numpy.array([cells[each] for each in sorted(cells)], dtype=numpy.int64)
    return PairTable(first, second, codes[:, 0], codes[:, 1], counts)


@cache
def value_pairs() -> dict[tuple[str, str, str], Cells]:
    """By table and two columns: how many records have the values of these ranks."""
    found: dict[tuple[str, str, str], Cells] = {}
    columns = pyarrow.parquet.read_table(EXTRACTS / "value_pairs.parquet").to_pydict()
    for table, one, rank, other, other_rank, records in zip(*columns.values(), strict=True):
        found.setdefault((table, one, other), {})[rank, other_rank] = records
    return found


@cache
def rows_of(name: str) -> list[list[str]]:
    """The lines of a CSV file below its header."""
    with (EXTRACTS / name).open(newline="") as lines:
        return list(csv.reader(lines))[1:]


def table_of_classes(sizes: Sizes, columns: Sequence[str]) -> pyarrow.Table:
    """A table that has these classes by its columns together: each has the number of the class in it."""
    classes = numpy.repeat(sizes.records, sizes.groups)
    numbers = numpy.repeat(numpy.arange(len(classes)), classes)
    return pyarrow.table(dict.fromkeys(columns, numbers))


def incomes_of_classes() -> pyarrow.Table:
    """The incomes of UCI Adult by the class that pyCANON's columns put them in, a number for each class."""
    listed = numpy.array(rows_of("class_values.csv"), dtype=numpy.int64)
    classes = numpy.repeat(listed[:, :2], listed[:, 2], axis=0)
    numbers = numpy.repeat(numpy.arange(classes.size) // 2, classes.ravel())
    incomes = numpy.repeat(numpy.arange(classes.size) % 2, classes.ravel())
    return pyarrow.table({"class": numbers, "income": numpy.array(["<=50K", ">50K"])[incomes]})


def write_purchases(file: Path) -> None:
    """T1, the 400 customers of Ito et al. 2019 and 2020, as CSV."""
    duckdb.sql(f"COPY (FROM read_parquet('{EXTRACTS / 'purchases.parquet'}')) TO '{file}'")


def write_arx_adult(folder: Path) -> None:
    """ARX's Adult and its hierarchies as ARX has them, except that an age is the least of its five years.

    With the ages at level 0 this table has the classes that the whole one has with them at level 1, but loses
    no more than level 0 does: what is safe in the whole table is safe here, and loses as little. So where the
    best that is found here has the ages at level 1 or more, the whole table has nothing better.
    """
    table = pyarrow.parquet.read_table(EXTRACTS / "arx_adult_by_five_years.parquet")
    *columns, records = (table[name].to_numpy(zero_copy_only=False) for name in table.column_names)
    order = numpy.random.default_rng(0).permutation(numpy.repeat(numpy.arange(len(records)), records))
    rows = zip(*(column[order] for column in columns), strict=True)
    head = table.column_names[:-1]
    (folder / "adult.csv").write_text("".join(";".join(row) + "\n" for row in [head, *rows]))
    for line in (EXTRACTS / "arx_hierarchies.csv").read_text().splitlines(keepends=True):
        column, _, levels = line.partition(";")
        with (folder / f"adult_hierarchy_{column}.csv").open("a") as file:
            file.write(levels)
