"""Reports as the command writes them, on small tables whose raw values nothing else on a page looks like."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy
import pyarrow
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet

from singleout import sample
from singleout.cli.main import main

# people, goods, days and times of the histories below
RAW_VALUE = re.compile(r"zofia\d|trinket\d|\b20\d\d/\d\d/\d\d\b|\b[012]\d:[0-5]\d\b")
ODD_NAMES = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "漢字", "a.b", "a,b", "[x]", "{{ 7 * 7 }}",
    "long " * 30 + "name",
)  # fmt: skip
ODD_FILE = "<img src=x onerror=alert(3)>.csv"
ITEMS = ("--user", "customer", "--item", "goods", "--time", "date", "--amount", "price")
COLUMNS = ("--columns", "date,goods,price,number")
RECIPE = """\
[[step]]
step = "noise"
columns = ["date"]
days = {days}
[[step]]
step = "pseudonymise"
"""


def report_files(folder: Path) -> Callable[[str], Path]:
    """The report of this name, made when it is first asked for."""

    @cache
    def made(name: str) -> Path:
        place = folder / name
        place.mkdir()
        target = place / "report.html"
        assert main([*REPORTS[name](place), "--html", str(target)]) == 0
        return target

    return made


def _history(folder: Path) -> list[str]:
    return ["assess", str(_shop(folder)), "--user", "customer", "--columns", "date,time,goods,price,number"]


def _with_values(folder: Path) -> list[str]:
    return [*_history(folder), "--show-values"]


def _one_record_each(folder: Path) -> list[str]:
    """A sample of people, and what it says of everybody."""
    draw, people = numpy.random.default_rng(1), 1_200
    columns = {
        "age": draw.integers(18, 90, people), "postcode": draw.integers(10_000, 10_040, people),
        "job": draw.choice(["clerk", "nurse", "smith"], people), "ill": draw.choice(["yes", "no"], people),
    }  # fmt: skip
    table = _written(folder / "people.csv", pyarrow.table(columns))
    return ["assess", table, "--user", "none", "--sampled", "0.1", "--reference", table,
            "--reference-user", "none"]  # fmt: skip


def _attack(folder: Path) -> list[str]:
    shop = _shop(folder)
    table = pyarrow.csv.read_csv(shop)
    half = _written(folder / "half.csv", table.filter(pyarrow.array(numpy.arange(table.num_rows) % 2 == 0)))
    return ["attack", str(shop), half, *ITEMS, *COLUMNS]


def _comparison(folder: Path) -> list[str]:
    shop = str(_shop(folder))
    releases, truths = [], []
    for days in (1, 7, 90):
        recipe, release, truth = (folder / f"{days}_days.{end}" for end in ("toml", "csv", "who.csv"))
        recipe.write_text(RECIPE.format(days=days))
        applied = ["deidentify", "apply", shop, "--user", "customer", "--recipe", str(recipe)]
        assert main([*applied, "--out", str(release), "--truth", str(truth)]) == 0
        releases.append(str(release))
        truths += ["--truth", str(truth)]
    return ["compare", shop, *releases, *truths, *ITEMS, *COLUMNS]


def _odd_names(folder: Path) -> list[str]:
    """Markup in the names of the file and the columns, and in the values, which are asked for."""
    draw = numpy.random.default_rng(2)
    values = numpy.array(['<img src=x onerror="alert(4)">', "</td></table>", "'\"&amp;", *"abcdefg"])
    columns = {name: values[draw.integers(0, 10, 60)] for name in ODD_NAMES}
    table = pyarrow.table({"who": numpy.arange(60) // 3, **columns})
    return ["assess", _written(folder / ODD_FILE, table), "--user", "who", "--show-values"]


def _many_values(folder: Path) -> list[str]:
    """Seven times the records of the history, and five times its values."""
    draw, records = numpy.random.default_rng(3), 20_000
    sizes = {"day": 700, "shop": 300, "goods": 10_000, "price": 5_000, "number": 40}
    columns = {name: (size * draw.random(records) ** 2).astype(numpy.int32) for name, size in sizes.items()}
    table = pyarrow.table({"customer": draw.integers(0, 1_000, records), **columns})
    pyarrow.parquet.write_table(table, folder / "many.parquet")
    return ["assess", str(folder / "many.parquet"), "--user", "customer"]


REPORTS: dict[str, Callable[[Path], Sequence[str]]] = {
    "history": _history,
    "with_values": _with_values,
    "one_record_each": _one_record_each,
    "attack": _attack,
    "comparison": _comparison,
    "odd_names": _odd_names,
    "many_values": _many_values,
}


def _shop(folder: Path) -> Path:
    table: pyarrow.Table = sample("shop", people=30, seed=1)
    for place, name, start in ((0, "customer", "zofia"), (4, "goods", "trinket")):
        named = pyarrow.compute.binary_join_element_wise(start, table[name], "")
        table = table.set_column(place, name, named)
    file = folder / "shop.csv"
    _written(file, table)
    return file


def _written(file: Path, table: pyarrow.Table) -> str:
    pyarrow.csv.write_csv(table, file)
    return str(file)
