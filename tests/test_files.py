"""Output files: whole or not at all, never over the input, right for each record and each person."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

from singleout import person_risks, record_risks
from singleout.cli.main import main
from singleout.errors import OutputError, SingleoutError, UsageError
from singleout.files import (
    Target,
    check_writable,
    files_together,
    once_in_place,
    whole_file,
    whole_files,
    write_batches,
    write_text,
)

Row = tuple[Any, ...]


def random_table(seed: int) -> pyarrow.Table:
    """Few values, many of them missing, so that classes of all sizes come up."""
    draw = random.Random(seed)
    size = draw.randint(1, 60)

    def column(values: list[Any]) -> list[Any]:
        return [draw.choice(values) for _ in range(size)]

    return pyarrow.table(
        {
            "who": pyarrow.array(["ann", *column(["ann", "bob", "eve", None])][:size], pyarrow.string()),
            "town": pyarrow.array(column(["Ulm", "Bonn", None]), pyarrow.string()),
            "age": pyarrow.array(column([30, 31, 32, None]), pyarrow.int64()),
        }
    )


def by_hand(
    table: pyarrow.Table, user: str | None, columns: list[str], drop: bool
) -> list[tuple[int, Row, int, int]]:
    """(place, values, records in the class, people in the class) of each record, by brute force."""
    records = table.to_pylist()
    kept = []
    for place, record in enumerate(records, start=1):
        asked = [record[name] for name in (*columns, *([user] if user else []))]
        if not (drop and None in asked):
            kept.append((place, tuple(record[name] for name in columns), record[user] if user else place))
    found = []
    for place, values, _ in kept:
        alike = [each for each in kept if each[1] == values]
        found.append((place, values, len(alike), len({person for _, _, person in alike})))
    return found


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("user", ["who", None])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_records_against_brute_force(tmp_path: Path, seed: int, user: str | None, ending: str) -> None:
    table, out = random_table(seed), tmp_path / f"out{ending}"
    columns = ["town", "age"]
    assert record_risks(table, out, user=user, columns=columns, show_values=True) == table.num_rows
    found = read(out)
    expected = by_hand(table, user, columns, drop=False)
    assert found.column_names[:5] == ["record", "class", "class_records", "class_people", "risk"]
    assert found["record"].to_pylist() == [place for place, *_ in expected]
    assert found["class_records"].to_pylist() == [records for *_, records, _ in expected]
    assert found["class_people"].to_pylist() == [people for *_, people in expected]
    assert found["risk"].to_pylist() == pytest.approx([1 / people for *_, people in expected])
    shown = found.select([*([user] if user else []), *columns]).to_pylist()
    assert shown == table.select([*([user] if user else []), *columns]).to_pylist()
    classes = defaultdict(set)
    for label, (_, values, *_) in zip(found["class"].to_pylist(), expected, strict=True):
        classes[label].add(values)
    assert all(len(values) == 1 for values in classes.values())
    assert len(classes) == len({values for _, values, *_ in expected})


@pytest.mark.parametrize("seed", range(8))
def test_records_without_those_that_miss_a_value(tmp_path: Path, seed: int) -> None:
    table, out = random_table(seed), tmp_path / "out.parquet"
    record_risks(table, out, user="who", columns=["town", "age"], missing="drop")
    expected = by_hand(table, "who", ["town", "age"], drop=True)
    found = pyarrow.parquet.read_table(out)
    assert found["class_records"].to_pylist() == [records for *_, records, _ in expected]
    assert found["class_people"].to_pylist() == [people for *_, people in expected]


def test_a_record_keeps_its_place_when_others_are_left_out(tmp_path: Path) -> None:
    table, out = pyarrow.table({"x": [None, "a", None, "b"]}), tmp_path / "out.parquet"
    record_risks(table, out, missing="drop")
    assert pyarrow.parquet.read_table(out)["record"].to_pylist() == [2, 4]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("drop", [False, True])
def test_people_against_brute_force(tmp_path: Path, seed: int, drop: bool) -> None:
    table, out = random_table(seed), tmp_path / "out.parquet"
    columns = ["town", "age"]
    risks = defaultdict(list)
    for place, _, _, people in by_hand(table, "who", columns, drop):
        risks[table["who"][place - 1].as_py()].append(1 / people)
    written = person_risks(table, out, user="who", columns=columns, missing="drop" if drop else "value")
    assert written == len(risks)
    found = pyarrow.parquet.read_table(out)
    assert found.column_names == ["who", "records", "highest_risk", "average_risk"]
    for row in found.to_pylist():
        mine = risks[row["who"]]
        assert row["records"] == len(mine)
        assert row["highest_risk"] == pytest.approx(max(mine))
        assert row["average_risk"] == pytest.approx(sum(mine) / len(mine))


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_lists_of_nothing_have_names(tmp_path: Path, ending: str) -> None:
    table, out = pyarrow.table({"u": ["a", "b"], "x": [1, None], "y": [None, 2]}), tmp_path / f"out{ending}"
    assert record_risks(table, out, missing="drop") == 0
    assert read(out).column_names == ["record", "class", "class_records", "class_people", "risk"]
    assert person_risks(table, out, user="u", missing="drop") == 0
    assert read(out).column_names == ["u", "records", "highest_risk", "average_risk"]


def test_raw_values_only_if_asked_for(tmp_path: Path) -> None:
    record_risks(pyarrow.table({"name": ["secret", "other"]}), tmp_path / "out.csv")
    assert "secret" not in (tmp_path / "out.csv").read_text()


def test_a_type_that_csv_can_not_hold(tmp_path: Path) -> None:
    table, out = pyarrow.table({"x": [[1, 2], [3]]}), tmp_path / "out.csv"
    with pytest.raises(OutputError, match=r"out\.csv: can't hold a column of such a type .*\.parquet"):
        record_risks(table, out, show_values=True)
    assert list(tmp_path.iterdir()) == []
    assert record_risks(table, out.with_suffix(".parquet"), show_values=True) == 2


def test_people_need_a_user(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name the user column"):
        person_risks(pyarrow.table({"x": [1]}), tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def read(path: Path) -> pyarrow.Table:
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path)
    texts = pyarrow.csv.ConvertOptions(strings_can_be_null=True, quoted_strings_can_be_null=False)
    return pyarrow.csv.read_csv(path, convert_options=texts)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "small.csv"
    path.parent.mkdir()
    path.write_text("who,age\na,30\na,30\nb,31\n")
    return path


@pytest.mark.parametrize("command", ["--record-risks", "--person-risks", "--out"])
@pytest.mark.parametrize(
    "target", ["none/out.csv", "in/small.csv/out.csv", "/proc/out.csv", "in/small.csv", "in"]
)
def test_outputs_that_can_not_be(
    small: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    target: str,
) -> None:
    """Told before the work starts: no engine is opened."""
    monkeypatch.setattr(
        "singleout.engine.open_engine.thread_count", lambda _: pytest.fail("the work has started")
    )
    monkeypatch.chdir(small.parents[1])
    before = small.read_text()
    words = (
        ["roles", str(small), "--suggest"] if command == "--out" else ["assess", str(small), "--user", "who"]
    )
    assert main([*words, command, target]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {target}: ")
    assert err.count("\n") == 1
    assert small.read_text() == before
    assert sorted(each.name for each in small.parents[1].rglob("*")) == ["in", "small.csv"]


@pytest.mark.parametrize("target", ["link.csv", "hard.csv", "in/../in/small.csv"])
def test_the_input_is_never_written(small: Path, capsys: pytest.CaptureFixture[str], target: str) -> None:
    folder, before = small.parents[1], small.read_text()
    (folder / "link.csv").symlink_to(small)
    (folder / "hard.csv").hardlink_to(small)
    assert main(["assess", str(small), "--record-risks", str(folder / target)]) == 2
    assert "belongs to the data that is read; name another file" in capsys.readouterr().err
    assert small.read_text() == before


def test_both_lists_at_once(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["assess", str(small), "--user", "who", "--json", "--show-values"]
    records, people = tmp_path / "records.csv", tmp_path / "people.csv"
    assert main([*words, "--record-risks", str(records), "--person-risks", str(people)]) == 0
    assert records.read_text().splitlines()[1] == '1,1,2,1,1,"a","30"'
    assert people.read_text().splitlines()[1:] == ['"a",2,1,1', '"b",1,1,1']
    assert capsys.readouterr().err == ""


def test_a_file_is_replaced_only_on_success(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt), whole_file(target) as draft:
        draft.write_text("half")
        raise KeyboardInterrupt
    assert (target.read_text(), os.listdir(tmp_path)) == ("old", ["out.txt"])  # noqa: PTH208
    write_text(target, "new")
    assert (target.read_text(), os.listdir(tmp_path)) == ("new", ["out.txt"])  # noqa: PTH208


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_waited_for_further_out_waits_with_all_beside_it(tmp_path: Path, fails: bool) -> None:
    one, two, three, four = (tmp_path / name for name in ("1.txt", "2.txt", "3.txt", "4.txt"))
    told = []
    try:
        with files_together([one, four]):
            with files_together([one, two]):
                write_text(one, "a")
                write_text(two, "b", private=True)
            with whole_files([Target(three), Target(four)]) as drafts:
                drafts[0].write_text("c")
            once_in_place(two, lambda: told.append(two.exists()))
            assert not any(each.exists() for each in (one, two, three, four))
            if fails:
                raise OutputError("no room")
    except OutputError:
        assert list(tmp_path.iterdir()) == []
        assert told == []
    else:
        assert sorted(tmp_path.iterdir()) == [one, two, three, four]
        assert told == [True]


def test_a_part_that_fails_leaves_the_rest(tmp_path: Path) -> None:
    one, two = tmp_path / "1.txt", tmp_path / "2.txt"
    with files_together([one, two]):
        write_text(one, "a")
        with pytest.raises(OutputError), files_together([two, tmp_path / "3.txt"]):
            write_text(two, "b")
            raise OutputError("no room")
    assert list(tmp_path.iterdir()) == [one]


def test_files_have_the_usual_rights_unless_private(tmp_path: Path) -> None:
    write_text(tmp_path / "usual", "x")
    write_text(tmp_path / "private", "x", private=True)
    before = os.umask(0)
    os.umask(before)
    assert (tmp_path / "usual").stat().st_mode & 0o777 == 0o666 & ~before
    assert (tmp_path / "private").stat().st_mode & 0o777 == 0o600


def test_a_name_as_long_as_can_be(tmp_path: Path) -> None:
    write_text(tmp_path / ("n" * 255), "x")
    check_writable(tmp_path / ("日" * 85))


def test_a_file_without_a_name_is_not_written() -> None:
    with pytest.raises(OutputError, match="the name of a file to write is empty"):
        check_writable("")


def test_a_table_of_no_batches_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="nothing to write"):
        write_batches(tmp_path / "out.parquet", iter(()))
    assert list(tmp_path.iterdir()) == []


def test_an_error_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    def batches() -> Any:
        yield pyarrow.RecordBatch.from_pydict({"x": [1]})
        raise SingleoutError("no more")

    for ending in (".csv", ".parquet"):
        with pytest.raises(SingleoutError, match="no more"):
            write_batches(tmp_path / f"out{ending}", batches())
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw, size = numpy.random.default_rng(0), 700_000
    columns = {f"c{place}": draw.integers(0, 1000, size) for place in range(3)}
    table = pyarrow.table({"user": draw.integers(0, size // 10, size), **columns})
    path: Path = tmp_path_factory.mktemp("large") / "large.parquet"
    pyarrow.parquet.write_table(table, path)
    return path


# a busy machine gives the process a part of each second
PATIENCE = 1500


def start_list(table: Path, target: Path, spill: Path) -> subprocess.Popen[str]:
    words = ["assess", str(table), "--user", "user", "--record-risks", str(target), "--show-values"]
    return subprocess.Popen(
        [sys.executable, "-m", "singleout", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(spill)},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("wait_for", "delay", "kind"),
    [
        ("spill", 0.0, signal.SIGINT),
        ("spill", 0.2, signal.SIGINT),
        ("draft", 0.0, signal.SIGINT),
        ("draft", 0.3, signal.SIGINT),
        ("spill", 0.2, signal.SIGTERM),
        ("draft", 0.3, signal.SIGTERM),
    ],
)
def test_an_interrupt_leaves_nothing_behind(
    large: Path, tmp_path: Path, wait_for: str, delay: float, kind: signal.Signals
) -> None:
    """While counting (the temporary folder is there) and while the list is made (the draft is)."""
    out, spill = tmp_path / "out", tmp_path / "spill"
    for folder in (out, spill):
        folder.mkdir()
    watched = (spill, "singleout-*") if wait_for == "spill" else (out, ".*.part")
    # a machine that is quick, or that lets us wait, may be done before the signal comes
    for seconds in (delay, delay / 8, *[0] * 8):
        (out / "records.csv").write_text("old")
        process = start_list(large, out / "records.csv", spill)
        deadline = time.monotonic() + PATIENCE
        while not (any(spill.iterdir()) and any(watched[0].glob(watched[1]))) and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        time.sleep(seconds)
        process.send_signal(kind)
        stdout, stderr = process.communicate(timeout=PATIENCE)
        if process.returncode:
            break
    assert (process.returncode, stdout) == (130, "")
    assert stderr == "error: interrupted; no file was left half-written\n"
    assert [each.name for each in out.iterdir()] == ["records.csv"]
    assert (out / "records.csv").read_text() == "old"
    assert list(spill.iterdir()) == []
