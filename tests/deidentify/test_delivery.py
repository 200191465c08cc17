"""What is delivered: arranged, private where it must be, read back, and all of it or nothing."""

from __future__ import annotations

import csv
import hashlib
import json
import stat
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.deidentify.delivery import Delivery, Goods, check_draft
from singleout.errors import OutputError, SingleoutError, UsageError
from singleout.read.source import Kind, source
from singleout.read.truth_map import read_truth

RELEASE = pyarrow.table({"who": ["p", "q", "p", None], "goods": ["tea", 'a "b",\nc', None, ""]})
PEOPLE = pyarrow.table({"who": ["q", "p"], "sex": ["f", "m"]})
TRUTH = (pyarrow.array(["q", "p", None]), pyarrow.array(["ann", "bob, jr", "cid"]))
PARTS = {"out": "o", "people_out": "m", "secret": "s"}


def goods(**other: Any) -> Goods:
    usual: dict[str, Any] = {
        "people": PEOPLE, "truth": TRUTH, "secret": numpy.array([False, True, False, False]),
        "told": {"seed": 7},
    }  # fmt: skip
    return Goods(RELEASE, **(usual | other))


def delivery(folder: Path, ending: str = ".csv", **other: Any) -> Delivery:
    places: dict[str, Any] = {name: folder / f"{place}{ending}" for name, place in PARTS.items()}
    return Delivery(**(places | {"truth": folder / "t.csv", "diary": folder / "d.json"} | other))


def rows_of(path: Path) -> list[tuple[Any, ...]]:
    """The records of a file, whatever its kind; a missing value of a CSV file is an empty text."""
    if path.suffix == ".parquet":
        table = pyarrow.parquet.read_table(path)
        return list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    with path.open(newline="", encoding="utf-8") as handle:
        return [tuple(row) for row in csv.reader(handle)][1:]


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_every_part_holds_what_was_given(tmp_path: Path, ending: str, order: Any) -> None:
    found = delivery(tmp_path, ending, order=order, seed=3).deliver(goods())
    assert found.records == {"out": 4, "people_out": 2, "secret": 1, "truth": 2}
    missing = "" if ending == ".csv" else None
    release = rows_of(tmp_path / f"o{ending}")
    expected = [("p", "tea"), ("q", 'a "b",\nc'), ("p", missing), (missing, "")]
    assert sorted(map(repr, release)) == sorted(map(repr, expected))
    (listed,) = rows_of(tmp_path / f"s{ending}")
    assert release[int(listed[0]) - 1] == listed[1:] == ("q", 'a "b",\nc')
    assert sorted(rows_of(tmp_path / f"m{ending}")) == [("p", "m"), ("q", "f")]


def test_sorted_rows_do_not_depend_on_how_they_stood(tmp_path: Path) -> None:
    for order in ("sorted", "shuffled"):
        written: list[bytes] = []
        for places in ([0, 1, 2, 3], [3, 1, 0, 2]):
            Delivery(out=tmp_path / "o.csv", order=order, seed=5).deliver(Goods(RELEASE.take(places)))
            written.append((tmp_path / "o.csv").read_bytes())
        assert written[0] == written[1]


def test_only_the_owner_may_read_who_is_who(tmp_path: Path) -> None:
    for name in ("t.csv", "s.csv", "o.csv"):
        (tmp_path / name).write_text("was here before")
        (tmp_path / name).chmod(0o666)
    delivery(tmp_path).deliver(goods())
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes["t.csv"] == modes["s.csv"] == modes["d.json"] == 0o600
    assert modes["o.csv"] & 0o044 != 0


def test_the_truth_map_can_be_read_by_attack(tmp_path: Path) -> None:
    delivery(tmp_path).deliver(goods())
    assert (tmp_path / "t.csv").read_text() == 'release_user,original_user\np,"bob, jr"\nq,ann\n'
    found = read_truth(tmp_path / "t.csv")
    assert dict(zip(found.release, found.original, strict=True)) == {"p": "bob, jr", "q": "ann"}


def test_the_diary_has_the_digests_of_the_files(tmp_path: Path) -> None:
    found = delivery(tmp_path).deliver(goods())
    told = json.loads((tmp_path / "d.json").read_text())
    assert told["seed"] == 7
    assert {each["part"] for each in told["outputs"]} == {"out", "people_out", "secret", "truth"}
    for each in told["outputs"]:
        digest = hashlib.sha256(Path(each["file"]).read_bytes()).hexdigest()
        # a digest of a secret file would let others confirm what they guess
        assert each["sha256"] == (None if each["part"] in ("secret", "truth") else digest)
        assert (each["sha256"], each["records"]) == (
            found.digests.get(each["part"]),
            found.records[each["part"]],
        )


def test_what_is_not_named_is_not_written(tmp_path: Path) -> None:
    Delivery(out=tmp_path / "o.csv").deliver(goods())
    assert [path.name for path in tmp_path.iterdir()] == ["o.csv"]
    Delivery(diary=tmp_path / "d.json").deliver(goods())
    assert json.loads((tmp_path / "d.json").read_text())["outputs"] == []


def refuse(draft: Path, kind: Kind) -> None:
    assert draft.exists()
    raise OutputError(f"this {kind} file is not what it should be")


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def full(*_: Any) -> int:
    raise OSError(28, "No space left on device")


FAILURES: dict[str, tuple[type[BaseException], str, Callable[[Path, Kind], None] | None, str | None]] = {
    "a check": (OutputError, "o.csv: this csv file is not what it should be; nothing was", refuse, None),
    "an interrupt": (KeyboardInterrupt, "", interrupt, None),
    "a full disk": (OutputError, "no space left on device; nothing was written", None, "write_truth"),
}


@pytest.mark.parametrize("case", FAILURES)
@pytest.mark.parametrize("before", [False, True])
def test_a_failure_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str, before: bool
) -> None:
    kind, said, check, replaced = FAILURES[case]
    if before:
        for name in ("o.csv", "m.csv", "s.csv", "t.csv", "d.json"):
            (tmp_path / name).write_text(f"{name} as it was")
    was = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    if replaced:
        monkeypatch.setattr(f"singleout.deidentify.delivery.{replaced}", full)
    with pytest.raises(kind) as failed:
        delivery(tmp_path).deliver(goods(check=check))
    assert said in str(failed.value)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == was


@pytest.mark.parametrize("turn", range(5))
@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), KeyboardInterrupt()])
@pytest.mark.parametrize("links", [True, False])
def test_files_that_were_put_into_place_are_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turn: int, error: BaseException, links: bool
) -> None:
    """The move of one file fails, after others: those are as they were, or are not there."""
    (tmp_path / "o.csv").write_text("as it was")
    (tmp_path / "t.csv").write_text("this too")
    moved, move = [], Path.replace

    def failing(self: Path, target: Path) -> Path:
        moved.append(target)
        if len(moved) == turn + 1:
            raise error
        return move(self, target)

    def no_links(*_: Any, **__: Any) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(Path, "replace", failing)
    if not links:
        monkeypatch.setattr("os.link", no_links)
    with pytest.raises((OutputError, KeyboardInterrupt)):
        delivery(tmp_path).deliver(goods())
    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert kept == {"o.csv": "as it was", "t.csv": "this too"}


WRONG: dict[str, tuple[dict[str, Any], type[SingleoutError], str]] = {
    "an order": ({"order": "random"}, UsageError, "order: 'random' is none; there are sorted and shuffled"),
    "a seed": ({"seed": -1}, UsageError, "seed: -1 is none; write a whole number, 0 or more"),
    "half a seed": ({"seed": 1.5}, UsageError, "seed: 1.5 is none"),
    "an ending": ({"out": "o.txt"}, OutputError, "o.txt: end the name in .csv, .parquet"),
    "an ending of the secret": ({"out": "o.csv", "secret": "s"}, OutputError, "s: end the name in .csv"),
    "a truth map of another kind": (
        {"out": "o.csv", "truth": "t.parquet"}, OutputError, "t.parquet: a truth map is a CSV file",
    ),
    "a folder that is not there": (
        {"out": "o.csv", "diary": "no/d.json"}, OutputError, "choose a folder that exists",
    ),
    "a folder": ({"out": "o.csv", "diary": "."}, OutputError, ".: is a folder; name a file in it"),
    "no name": ({"out": 5}, UsageError, "out: 5 is no name of a file"),
    "two in one": ({"out": "o.csv", "people_out": "./o.csv"}, OutputError, "and out need two files"),
    "no release": ({"truth": "t.csv"}, UsageError, "truth: belongs to a release; name its file by --out"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_can_not_be_written_is_said_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    monkeypatch.chdir(tmp_path)
    places, kind, said = WRONG[case]
    with pytest.raises(kind) as failed:
        Delivery(**places)
    assert said in str(failed.value)
    assert "\n" not in str(failed.value)
    assert list(tmp_path.iterdir()) == []


def test_nothing_that_is_read_is_replaced(tmp_path: Path) -> None:
    data, recipe = tmp_path / "data.csv", tmp_path / "recipe.toml"
    data.write_text("who\nann\n")
    recipe.write_text("")
    other = tmp_path / "other.csv"
    other.symlink_to(data)
    for target in (data, other):
        with pytest.raises(OutputError, match="belongs to the data that is read"):
            Delivery(out=target).check_against([source(data)])
    with pytest.raises(OutputError, match="is read for this"):
        Delivery(out=tmp_path / "o.csv", diary=recipe).check_against([source(data)], [str(recipe), None, {}])


VALUES = st.one_of(st.none(), st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4))
NUMBERS = st.one_of(st.none(), st.floats(width=64), st.sampled_from([0.0, -0.0, 1e300]))


@given(
    rows=st.lists(st.tuples(VALUES, NUMBERS, st.booleans()), min_size=1, max_size=8), csv_file=st.booleans()
)
def test_whatever_is_written_is_read_back_alike(
    tmp_path: Path, rows: list[tuple[Any, ...]], csv_file: bool
) -> None:
    kinds = {"text": pyarrow.string(), "number": pyarrow.float64(), "flag": pyarrow.bool_()}
    columns = zip(*rows, strict=True)
    table = pyarrow.table(
        {
            name: pyarrow.array(column, kind)
            for (name, kind), column in zip(kinds.items(), columns, strict=True)
        }
    )
    target = tmp_path / ("o.csv" if csv_file else "o.parquet")
    assert Delivery(out=target).deliver(Goods(table)).records == {"out": len(rows)}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('"who","goods"\np,tea\n', "is read back with 1 records and not 2"),
        ('"who","good"\np,tea\nq,milk\n', "is read back with the columns 'who', 'good' and not"),
        ('"who","goods"\np,tea\np,milk\n', "column 'who' is read back otherwise than it was written"),
        ('"who","goods"\np,tea\nq,milk\n', None),
    ],
)
def test_a_file_that_is_not_what_was_written_is_found(tmp_path: Path, written: str, said: str | None) -> None:
    draft = tmp_path / "draft"
    draft.write_text(written)
    table = pyarrow.table({"who": ["p", "q"], "goods": ["tea", "milk"]})
    with pytest.raises(OutputError, match=said) if said else nullcontext():
        check_draft(draft, "csv", table)


def test_a_column_may_be_called_record_already(tmp_path: Path) -> None:
    release = pyarrow.table({"Record": ["b", "a"]})
    listed = numpy.array([True, False])
    Delivery(out=tmp_path / "o.csv", secret=tmp_path / "s.csv").deliver(Goods(release, secret=listed))
    assert (tmp_path / "s.csv").read_text() == '"record_","Record"\n2,"b"\n'
