"""Several records of a person have a price too: k times what their columns cost."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

import singleout
from singleout.cli.main import main
from singleout.errors import UsageError
from tests.support.command_line import Captured

# nobody is unique by one record of the town, everybody by both of them; days single everybody out at once
TRIPS = pyarrow.table(
    {
        "who": ["a", "a", "b", "b", "c", "c"],
        "town": ["x", "y", "y", "z", "z", "x"],
        "day": ["1", "2", "3", "4", "5", "6"],
    }
)


def test_more_records_cost_more_and_tell_more() -> None:
    found = singleout.record_prices(TRIPS, user="who", costs={"town": 1, "day": 5}, points=[1, 2])
    told = {(each.records, each.columns): (float(each.cost), each.unique) for each in found.offers}
    assert told[1, ("town",)] == (1.0, 0.0)
    assert told[2, ("town",)] == (2.0, 1.0)
    assert told[1, ("day",)] == (5.0, 1.0)
    assert told[2, ("town", "day")] == (12.0, 1.0)
    # what is dearer and tells no more is not on the curve
    assert [(float(each.cost), each.unique) for each in found.curve] == [(1.0, 0.0), (2.0, 1.0)]


def test_a_resource_buys_only_what_it_pays_for() -> None:
    found = singleout.record_prices(TRIPS, user="who", costs={"town": 1, "day": 5}, resource=5, points=[1, 2])
    assert {(each.records, each.columns) for each in found.offers} == {
        (1, ("town",)), (2, ("town",)), (1, ("day",)),
    }  # fmt: skip
    assert max(float(each.cost) for each in found.offers) <= 5
    with pytest.raises(UsageError, match="--user"):
        singleout.record_prices(TRIPS, user="none")


def test_the_command_tells_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    pyarrow.parquet.write_table(TRIPS, "t.parquet")
    asked = ["combinations", "t.parquet", "--user", "who", "--resource", "4", "--points", "1,2"]
    assert main([*asked, "--json"]) == 0
    curve = json.loads(capsys.readouterr().out)["record_prices"]["curve"]
    assert [(each["cost"], each["records"], each["unique"]) for each in curve] == [(1, 1, 1.0)]
    assert main(asked) == 0
    assert "several records of a person cost" in capsys.readouterr().out
