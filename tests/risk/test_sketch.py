"""Sketches: exact where there are few values, the same on every engine, bounds that hold, containment."""

from __future__ import annotations

from collections import defaultdict
from hashlib import md5
from typing import Any

import numpy
import pyarrow
import pytest

from singleout import sketch
from singleout.cli.main import main
from singleout.engine.open_engine import open_engine
from singleout.engine.value_sketch import SPACE, ValueSketch, value_sketch
from singleout.errors import UsageError
from singleout.read.source import source
from singleout.risk.sketch import column_sketch
from tests.support.command_line import Captured
from tests.support.home import Home

ROWS = pyarrow.table(
    {
        "who": [1, 1, 2, 3, None, 4, 4],
        "a": ["x", "x", "x", "yy", "y", None, None],
        "b": ["1", "2", "1", "1", "y1", "1", "1"],
    }
)


def by_hand(table: pyarrow.Table, columns: list[str], at_most: int) -> tuple[int, float, float]:
    people: dict[Any, set[Any]] = defaultdict(set)
    records: dict[Any, int] = defaultdict(int)
    for row in table.to_pylist():
        key = tuple(row[name] for name in columns)
        people[key].add(row["who"])
        records[key] += 1
    few = [key for key, each in people.items() if len(each) <= at_most]
    return len(people), len(few) / len(people), sum(records[key] for key in few) / len(table)


@pytest.mark.parametrize("at_most", [1, 2])
def test_few_values_are_counted(home: Home, at_most: int) -> None:
    found = sketch(home.put(ROWS), user="who", at_most=at_most)
    assert [each.columns for each in found.sketches] == [("a",), ("b",), ("a", "b")]
    for each in found.sketches:
        values, share, records = by_hand(ROWS, [*each.columns], at_most)
        assert each.exact
        assert (each.values, each.low, each.high) == (values, values, values)
        assert each.share == each.share_high == pytest.approx(share)
        assert each.records_share == each.records_share_high == pytest.approx(records)
    assert found.records == len(ROWS)


def test_every_engine_keeps_the_same_values(home: Home) -> None:
    random = numpy.random.default_rng(2)
    table = pyarrow.table({"who": random.integers(0, 300, 3000), "v": random.integers(0, 1200, 3000)})
    with home.open(table) as engine:
        found = value_sketch(engine, ("v",), "who", 7, kept=100)
    assert found.kept == 100
    assert not found.whole
    assert found.hashes == tuple(sorted(found.hashes))
    # by the definition, on no engine: MD5 of the seed and the value
    values = {int(each) for each in table["v"].to_pylist()}
    hashes = {md5(f"7|={each}".encode()).hexdigest(): each for each in values}
    lowest = sorted(hashes)[:100]
    assert found.hashes == tuple(each[:16] for each in lowest)
    people = [len({w for w, v in zip(*table.to_pydict().values(), strict=True) if v == hashes[each]})
              for each in lowest]  # fmt: skip
    assert found.people.tolist() == people
    assert found.total == 3000


def test_duckdbs_own_hash_draws_by_chance() -> None:
    """Over 60 seeds the estimates are right on average, and values are counted exactly."""
    random = numpy.random.default_rng(3)
    table = pyarrow.table(
        {
            "who": random.integers(0, 400, 12_000),
            "v": random.zipf(1.3, 12_000) % 4_000,
            "w": pyarrow.array(random.integers(0, 3, 12_000), mask=random.random(12_000) < 0.1),
        }
    )
    people: dict[Any, set[int]] = defaultdict(set)
    records: dict[Any, int] = defaultdict(int)
    for row in table.to_pylist():
        people[row["v"], row["w"]].add(row["who"])
        records[row["v"], row["w"]] += 1
    there = {(records[key], len(people[key])) for key in people}
    share = sum(len(each) == 1 for each in people.values()) / len(people)
    with open_engine(source(table)) as engine:
        found = [value_sketch(engine, ("v", "w"), "who", seed, 200, portable=False) for seed in range(60)]
    assert all({*zip(each.records.tolist(), each.people.tolist(), strict=True)} <= there for each in found)
    told = [column_sketch(("v", "w"), each, 1) for each in found]
    assert numpy.mean([each.share for each in told]) == pytest.approx(share, abs=0.02)
    assert numpy.mean([each.values for each in told]) == pytest.approx(len(people), rel=0.05)
    assert sum(each.share_high >= share for each in told) >= 52
    assert len({each.hashes for each in found}) == 60


def test_a_portable_sketch_is_the_same_on_every_engine(home: Home) -> None:
    random = numpy.random.default_rng(4)
    table = pyarrow.table({"who": random.integers(0, 900, 9_000), "v": random.integers(0, 30_000, 9_000)})
    found = sketch(home.put(table), user="who", columns=["v"], seed=3, portable=True)
    (one,) = found.sketches
    # by the definition: the 2,048 values with the lowest MD5 of the seed and the text
    people: dict[int, set[int]] = defaultdict(set)
    for who, value in zip(*(each.to_pylist() for each in table.columns), strict=True):
        people[value].add(who)
    lowest = sorted(people, key=lambda value: md5(f"3|={value}".encode()).hexdigest())[:2048]
    assert one.share == sum(len(people[each]) == 1 for each in lowest) / 2048
    assert (found.hash, len(found.remarks)) == ("MD5", 1)
    # without it, whoever has a hash of its own says so
    other = sketch(home.put(table), user="who", columns=["v"], seed=3)
    told = "the same seed chooses others in other databases" in " ".join(other.remarks)
    assert told == (other.hash != "MD5") == (other.engine == "duckdb")
    assert (other.to_dict()["hash"] == "MD5") == (other.sketches == found.sketches)


def drawn(random: numpy.random.Generator, people: Any, records: Any, kept: int) -> ValueSketch:
    """A sketch as random hashes of all values would make it."""
    hashes = random.integers(0, SPACE, len(people), dtype=numpy.uint64)
    low = numpy.argsort(hashes)[:kept]
    texts = tuple(f"{int(each):016x}" for each in hashes[low])
    parts = numpy.bincount(random.integers(0, 4096, len(people)), weights=records).astype(int)
    return ValueSketch(texts, records[low], people[low], parts, False)


def test_bounds_hold_as_often_as_they_say() -> None:
    """By 400 draws of hashes: the bounds of 95 % hold in 92 % of them at least, the estimates are right."""
    random = numpy.random.default_rng(5)
    people = random.geometric(0.4, 20_000)
    records = people + random.geometric(0.2, 20_000) - 1
    truth, of_records = float((people <= 1).mean()), float(records[people <= 1].sum() / records.sum())
    found = [column_sketch(("v",), drawn(random, people, records, 500), 1) for _ in range(400)]
    for number, right in (("share", truth), ("records_share", of_records), ("values", 20_000)):
        mean = numpy.mean([getattr(each, number) for each in found])
        assert mean == pytest.approx(right, rel=0.01)
    assert numpy.mean([each.share_high >= truth for each in found]) >= 0.92
    assert numpy.mean([each.records_share_high >= of_records for each in found]) >= 0.92
    assert numpy.mean([each.low <= 20_000 <= each.high for each in found]) >= 0.87


def test_no_bound_is_below_its_estimate() -> None:
    """Most records are of others: what these have at least may leave fewer than the estimate."""
    random = numpy.random.default_rng(6)
    people = numpy.where(random.random(20_000) < 0.5, 1, 9)
    found = [column_sketch(("v",), drawn(random, people, people, 500), 1) for _ in range(300)]
    assert all(each.records_share <= each.records_share_high for each in found)
    assert all(each.share <= each.share_high for each in found)


def test_rare_heavy_values_do_not_hide() -> None:
    """Where no risky value was drawn, the bound is not 0."""
    people, records = numpy.full(1000, 9), numpy.full(1000, 9)
    found = column_sketch(("v",), drawn(numpy.random.default_rng(1), people, records, 100), 1)
    assert found.share == found.records_share == 0
    assert found.share_high > 0.02
    assert found.records_share_high > 0


@pytest.mark.parametrize(("heavy", "most"), [(1, 20_000), (40, 500), (2_000, 10)])
def test_a_few_persons_with_most_records_do_not_hide(heavy: int, most: int) -> None:
    """Values of one person that have a fifth of all records: the bound holds though hardly one was drawn."""
    random = numpy.random.default_rng(2)
    people = numpy.where(numpy.arange(20_000) < heavy, 1, random.integers(2, 6, 20_000))
    records = numpy.where(people == 1, most, random.integers(2, 6, 20_000))
    truth = float(records[people == 1].sum() / records.sum())
    found = [column_sketch(("v",), drawn(random, people, records, 500), 1) for _ in range(200)]
    assert numpy.mean([each.records_share_high >= truth for each in found]) >= 0.92
    assert numpy.median([each.records_share_high for each in found]) < truth + 0.25


def test_few_values_among_many_are_not_called_absent() -> None:
    """Five values, all of them in the other table, whose sketch keeps only the lowest hashes of a million."""
    mine = pyarrow.table({"id": [str(each) for each in range(5)]})
    other = pyarrow.table({"key": [str(each) for each in range(300_000)]})
    (one,) = sketch(mine, user="none", contained_in=other).contained
    assert one.high == 1
    assert one.share is None or one.share == 1


def test_containment() -> None:
    mine = pyarrow.table({"id": [str(each) for each in range(5000)], "town": ["x"] * 5000})
    other = pyarrow.table({"key": [str(each) for each in range(2500, 9000)], "n": ["-"] * 6500})
    found = sketch(mine, user="none", columns=["id", "town"], contained_in=other)
    (one,) = (each for each in found.contained if each.column == "id")
    assert one.within == "key"
    # the one town may be among the keys whose hashes were not kept
    assert [(each.column, each.within, each.high) for each in found.contained if each is not one] == [
        ("town", "key", 1.0)
    ]
    assert one.low <= 0.5 <= one.high
    assert one.share == pytest.approx(0.5, abs=0.05)
    exact = sketch(mine.slice(0, 10), user="none", columns=["id"], contained_in=mine.slice(5, 10))
    assert [each.share for each in exact.contained] == [0.5]
    assert exact.contained[0].low == exact.contained[0].high == 0.5


def test_the_command(tmp_path: Any, capsys: Captured) -> None:
    path = tmp_path / "t.csv"
    path.write_text("town,age\n" + "".join(f"t{each % 7},{each}\n" for each in range(60)))
    assert main(["assess", str(path), "--user", "none", "--sketch", "--contained-in", str(path)]) == 0
    out, aside = capsys.readouterr()
    assert "Values of at most 1 person" in out
    assert "is no verdict" in " ".join(aside.split())
    assert "t1" not in out
    other = tmp_path / "other.csv"
    other.write_text("key\nx\ny\n")
    assert main(["assess", str(path), "--user", "none", "--sketch", "--contained-in", str(other)]) == 0
    assert "No column of" in capsys.readouterr().out
    wide = tmp_path / "wide.csv"
    wide.write_text(",".join(f"c{each}" for each in range(5)) + "\n1,1,1,1,1\n2,2,2,2,2\n")
    assert main(["assess", str(wide), "--user", "none", "--sketch", "--contained-in", str(wide)]) == 0
    assert "… and 5 more pairs of columns" in capsys.readouterr().out
    assert main(["assess", str(path), "--user", "none", "--sketch", "--json"]) == 0
    assert '"sketches"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--sketch", "--population", "100"], "--population: not for --sketch"),
        (["--allow", "3"], "are for --sketch"),
        (["--portable"], "are for --sketch"),
        (["--sketch", "--allow", "0"], "0 is no number of people"),
        (["--sketch", "--columns", "nothing"], "there is no column 'nothing'"),
        (["--sketch", "--missing", "drop"], "takes the missing rule value"),
        (["--sketch", "--log-linear", "main"], "--log-linear: not for --sketch"),
        (["--sketch", "--sampled", "0"], "--sampled: not for --sketch"),
        (["--sketch", "--confidence", "0.5"], "--confidence: not for --sketch"),
        (["--sketch", "--sample-by", "tempered"], "--sample-by: not for --sketch"),
        (["--sketch", "--record-risks", "r.csv", "--show-values"], "--record-risks, --show-values: not for"),
    ],
)
def test_one_clear_line(tmp_path: Any, capsys: Captured, words: list[str], error: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("town,age\nx,1\ny,2\n")
    assert main(["assess", str(path), "--user", "none", *words]) == 2
    err = capsys.readouterr().err
    assert error in " ".join(err.split())
    assert len(err.splitlines()) == 1


def test_a_question_about_nobody() -> None:
    with pytest.raises(UsageError, match="name at least one column"):
        sketch(ROWS, user="who", columns=[])
