"""Each value's records, people and risk, and what is left of it after a change."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import apply, assess, risks_after, value_risks
from singleout.errors import SingleoutError
from tests.support.command_line import Captured, complaint, document_of
from tests.support.extracts import EXTRACTS
from tests.support.home import Home

RECORDS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["x", "y", "z", None])), min_size=1, max_size=25
)
# Ito et al. 2019, Table 1: X = date
WHO = ["1", "1", "1", "2", "1", "1", "3", "2", "2", "2"]
DATES: list[tuple[str, str | None]] = [*zip(WHO, ["d1"] * 4 + ["d2"] * 3 + ["d3"] * 3, strict=True)]


def table_of(records: list[tuple[str, str | None]]) -> pyarrow.Table:
    who, shop = zip(*records, strict=True)
    return pyarrow.table({"who": pyarrow.array(who), "shop": pyarrow.array(shop, pyarrow.string())})


@given(records=RECORDS, missing=st.sampled_from(["value", "drop"]))
@settings(max_examples=25, deadline=None)
def test_counted_like_by_hand(
    records: list[tuple[str, str | None]], missing: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kept = [each for each in records if missing == "value" or each[1] is not None]
    if not kept:
        return
    out = tmp_path_factory.mktemp("values") / "v.parquet"
    many = value_risks(table_of(records), out, user="who", missing=missing, show_values=True)
    rows = pyarrow.parquet.read_table(out).to_pylist()
    often = Counter(shop for _, shop in kept)
    assert many == len(rows) == len(often)
    for row in rows:
        people = {who for who, shop in kept if shop == row["value"]}
        assert (row["records"], row["people"]) == (often[row["value"]], len(people))
        assert row["probability"] == pytest.approx(row["records"] / len(kept))
        assert row["risk"] == pytest.approx(row["records"] / len(people) / len(kept))
    assert [row["rank"] for row in rows] == [*range(1, len(rows) + 1)]
    assert [row["records"] for row in rows] == sorted(often.values(), reverse=True)
    # the values of an attribute add up to its risk
    whole = assess(table_of(records), user="who", missing=missing).attributes[0].risk.risk.value
    assert sum(row["risk"] for row in rows) == pytest.approx(whole)


def test_the_worked_example_on_every_engine(home: Home, tmp_path: Path) -> None:
    """Ito et al. 2019, Table 3: α_x of the three dates is 2, 1.5 and 3, and the risk is 0.65."""
    out = tmp_path / "v.csv"
    value_risks(home.put(table_of(DATES)), out, user="who")
    rows = pyarrow.csv.read_csv(out).to_pylist()
    assert sorted((row["records"], row["people"], row["alpha"]) for row in rows) == [
        (3, 1, 3.0),
        (3, 2, 1.5),
        (4, 2, 2.0),
    ]
    assert sum(row["risk"] for row in rows) == pytest.approx(0.65)
    assert "value" not in rows[0]


def test_the_published_alphas(tmp_path: Path) -> None:
    """Ito et al. 2019, Table 5, date of T1: 290 values, α 24.42 (truncated)."""
    out = tmp_path / "v.parquet"
    value_risks(EXTRACTS / "purchases.parquet", out, user="customer", columns=["date"])
    table = pyarrow.parquet.read_table(out)
    assert table.num_rows == 290
    assert table["records"].to_numpy().sum() == 38_087
    whole = assess(EXTRACTS / "purchases.parquet", user="customer", columns=["date"]).attributes[0].risk
    assert table["alpha"].to_numpy().mean() == pytest.approx(whole.alpha.value)
    assert int(table["alpha"].to_numpy().mean() * 100) == 2442


@given(before=RECORDS, after=RECORDS)
@settings(max_examples=25, deadline=None)
def test_after_a_change_as_by_hand(
    before: list[tuple[str, str | None]], after: list[tuple[str, str | None]]
) -> None:
    found = risks_after(table_of(after), table_of(before), user="who")[0]
    low = high = 0.0
    for _, shop in before:
        people = {who for who, other in after if other == shop}
        low += (1 / len(people) if people else 0) / len(before)
        high += (1 / len(people) if people else 1) / len(before)
    assert [found.low, found.high] == pytest.approx([low, high])
    assert found.not_found == pytest.approx(high - low)


def test_nothing_changed_is_the_same_risk_and_a_column_left_out_tells_nothing() -> None:
    table = table_of(DATES)
    found = risks_after(table, table, user="who")[0]
    assert [found.before, found.low, found.high] == pytest.approx([0.65] * 3)
    without = risks_after(table.drop_columns(["shop"]).append_column("b", table["shop"]), table, user="who")
    assert (without[0].low, without[0].high) == (0, 0)


def test_coarser_values_are_unknown_not_safe(tmp_path: Path) -> None:
    """Cut to two characters no date is found again: the risk is anything from none to all."""
    table = pyarrow.table({"who": ["a", "b"], "day": ["2011-01-30", "2011-01-31"]})
    out = tmp_path / "r.csv"
    levels = [{"step": "round", "columns": ["n"], "to": 10}]
    numbers = table.append_column("n", pyarrow.array(["11", "18"]))
    apply(numbers, {"user": "who", "step": levels}, out=out)
    found = {each.column: each for each in risks_after(out, numbers, user="who")}
    assert (found["n"].low, found["n"].high, found["n"].not_found) == (0, 1, 1)
    assert (found["day"].low, found["day"].high) == (1, 1)


def test_the_command(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pyarrow.csv.write_csv(table_of(DATES), "t.csv")
    pyarrow.csv.write_csv(table_of([(who, shop) for who, shop in DATES if shop != "d3"]), "r.csv")
    words = ["assess", "r.csv", "--user", "who", "--original", "t.csv", "--value-risks", "v.csv"]
    document = document_of(capsys, words)
    assert document["after"] == [
        {
            "column": "shop", "before": pytest.approx(0.65), "low": pytest.approx(0.35),
            "high": pytest.approx(0.65), "not_found": pytest.approx(0.3),
        }
    ]  # fmt: skip
    assert "d1" not in Path("v.csv").read_text()
    assert "at most" in complaint_free(words, capsys)
    assert "name the same file" in complaint([*words, "--record-risks", "v.csv"], capsys)


def complaint_free(words: list[str], capsys: Captured) -> str:
    from singleout.cli.main import main

    assert main(words) == 0
    return capsys.readouterr().out


def test_wildcards_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SingleoutError, match="value or drop"):
        value_risks(table_of(DATES), tmp_path / "v.csv", user="who", missing="wildcard")
    with pytest.raises(SingleoutError, match="value or drop"):
        risks_after(table_of(DATES), table_of(DATES), user="who", missing="wildcard")


def test_a_column_of_which_no_value_counts_has_no_risk_to_tell() -> None:
    empty = pyarrow.table({"who": ["a", "b"], "shop": ["x", "y"], "town": pyarrow.nulls(2, pyarrow.string())})
    filled = empty.set_column(2, "town", pyarrow.array(["Ulm", "Bonn"]))
    assert [each.column for each in risks_after(filled, empty, user="who", missing="drop")] == ["shop"]
    found = risks_after(empty, filled, user="who", missing="drop")
    assert [(each.column, each.low, each.high) for each in found] == [("shop", 1, 1), ("town", 0, 1)]
