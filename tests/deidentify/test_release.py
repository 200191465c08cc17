"""Releases come back to whoever called from Python, in the caller's own kind of frame."""

from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import singleout
from singleout.deidentify.release import Release
from singleout.errors import UsageError

SHOP = pyarrow.table(
    {
        "who": ["ann", "ann", "bob", "bob", "cyd", "cyd"],
        "goods": ["tea", "milk", "tea", "bread", "milk", "bread"],
        "price": [11, 19, 12, 18, 21, 29],
    }
)
STEPS: dict[str, Any] = {
    "user": "who",
    "step": [{"step": "round", "columns": ["price"], "to": 10}, {"step": "pseudonymise"}],
}


def release_by(command: str, table: Any, **files: Any) -> Release:
    if command == "apply":
        found: Any = singleout.apply(table, STEPS, **files)
    elif command == "dummies":
        found = singleout.dummies(table, user="who", item="goods", clusters=1, seed=3, **files)
    else:
        found = singleout.suppress(table, user="none", columns=["goods"], k=2, **files)
    release: Release = found.release
    return release


@pytest.mark.parametrize("command", ["apply", "dummies", "suppress"])
def test_a_release_in_memory_is_the_file(command: str, tmp_path: Path) -> None:
    out = tmp_path / "release.parquet"
    release = release_by(command, SHOP, out=out)
    assert release.to_arrow().to_pylist() == pyarrow.parquet.read_table(out).to_pylist()
    assert release_by(command, SHOP).to_arrow().equals(release.to_arrow())


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (SHOP, pyarrow.Table),
        (SHOP.to_pandas(), pandas.DataFrame),
        (polars.from_arrow(SHOP), polars.DataFrame),
    ],
    ids=("pyarrow", "pandas", "polars"),
)
def test_frames_come_back_as_they_came(table: Any, kind: type) -> None:
    release = release_by("apply", table)
    frame: Any = release.to_frame()
    assert len(frame) == len(release) == 6
    assert isinstance(frame, kind)


def test_a_release_speaks_arrow_and_knows_who_is_who() -> None:
    release = release_by("apply", SHOP)
    assert polars.DataFrame(release).height == 6
    assert release.truth is not None
    assert sorted(release.truth.values()) == ["ann", "bob", "cyd"]
    tried = singleout.attack(SHOP, release, user="who", truth=release.truth, columns=["goods"])
    assert tried.people == 3
    assert repr(release) == "<Release of Table: 6 records in 3 columns>"


@pytest.mark.parametrize("command", ["apply", "dummies", "suppress"])
def test_a_release_in_memory_holds_nothing_but_its_rows(command: str) -> None:
    """A dictionary knows values that no row has, and the order in which the people of the original came."""
    frame = SHOP.to_pandas().astype({"goods": "category"})
    frame.attrs = {"source": "the till"}
    release = release_by(command, frame)
    for schema in (release.to_arrow().schema, pyarrow.table(release).schema):
        assert not any(map(pyarrow.types.is_dictionary, schema.types))
        assert b"till" not in str(schema.metadata).encode()
    returned = release.to_frame()
    assert "category" not in map(str, returned.dtypes)
    assert returned.attrs == {}
    by_polars: Any = release_by(command, polars.from_arrow(SHOP)).to_frame()
    assert not any(isinstance(each, polars.Categorical | polars.Enum) for each in by_polars.dtypes)


def test_whole_numbers_of_a_frame_stay_whole() -> None:
    """Also beside missing ones, where a fraction can't hold them."""
    numbers = pandas.DataFrame(
        {
            "who": ["ann", "bob", "cyd"],
            "code": pandas.array([2**53 + 1, None, 7], dtype="Int64"),
            "small": pandas.array([None, 1, 2], dtype="UInt8"),
            "yes": pandas.array([True, None, False], dtype="boolean"),
            "price": [1.5, None, 2.0],
        }
    )
    back = release_by("apply", numbers).to_frame()
    kinds = ["Int64", "UInt8", "boolean", "float64"]
    assert [str(each) for each in back.dtypes[["code", "small", "yes", "price"]]] == kinds
    assert set(back["code"].dropna()) == {2**53 + 1, 7}


def test_tables_of_people_hold_nothing_but_their_rows() -> None:
    people = pyarrow.table({"who": ["ann", "bob", "cyd"], "zip": ["10115", "10115", "10115"]})
    release = singleout.apply(SHOP, STEPS, people_table=people).release
    assert release.people is not None
    assert not any(map(pyarrow.types.is_dictionary, release.people.schema.types))


def test_without_names_there_is_no_truth() -> None:
    assert release_by("suppress", SHOP).truth is None
    assert release_by("suppress", SHOP).people is None


def test_lists_come_back_as_tables() -> None:
    risks = singleout.record_risks(SHOP, user="who", columns=["goods"])
    assert risks.column("risk").to_pylist() == [0.5] * 6
    people = singleout.person_risks(SHOP, user="who", columns=["goods"])
    assert people.column("who").to_pylist() == ["ann", "bob", "cyd"]
    values = singleout.value_risks(SHOP, user="who", columns=["goods"])
    assert values.column("people").to_pylist() == [2, 2, 2]
    nothing = pyarrow.table({"who": ["ann", None], "goods": pyarrow.array([None, "tea"])})
    assert singleout.record_risks(nothing, user="who", missing="drop").num_rows == 0


def test_an_index_with_a_name_is_a_column() -> None:
    frame = SHOP.to_pandas()
    plain = singleout.assess(frame, user="who", columns=["goods"]).to_dict()
    by_index = singleout.assess(frame.set_index("who"), user="who", columns=["goods"]).to_dict()
    assert by_index["people"] == plain["people"] == 3
    assert [each["name"] for each in by_index["attributes"]] == ["goods"]
    twice = singleout.assess(frame.set_index("who", drop=False), user="who", columns=["goods"])
    assert twice.to_dict()["people"] == 3


def test_an_index_without_a_name_is_told_of() -> None:
    """Not where it only numbers the rows, as after a filter."""
    frame = SHOP.to_pandas()
    kept = singleout.assess(frame[1:], user="who", columns=["goods"])
    by_index = frame.set_index("who").rename_axis(None)
    lost = singleout.assess(by_index, user="none", columns=["goods"])
    assert [any("reset_index" in each for each in found.remarks) for found in (kept, lost)] == [False, True]
    with pytest.raises(UsageError, match=r"no column 'who'.*frame\.reset_index\(\) makes it"):
        singleout.assess(by_index, user="who")


def test_a_frame_can_be_named() -> None:
    found = singleout.assess(singleout.source(SHOP, name="purchases"), user="who", columns=["goods"])
    assert repr(found).startswith("<Assessment of purchases: 6 records of 3 people")
    with pytest.raises(singleout.SingleoutError, match="name: is for tables in memory"):
        singleout.source("shop.csv", name="purchases")
