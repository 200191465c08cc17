"""Every set of columns to a file: right, whole or not at all, and going on where it was interrupted."""

from __future__ import annotations

import json
import math
import os
import stat
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout
from singleout import progress_bar as showing
from singleout.cli.options import names
from singleout.engine.class_sizes import Sizes
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.errors import InputError, OutputError, UsageError
from singleout.read.source import source
from singleout.risk.combinations import survey as surveying
from singleout.risk.combinations.attribute_sets import all_sets, sets_up_to
from singleout.risk.combinations.survey import Count, Survey, count_survey, quoted_name, survey, write_survey

COLUMNS = ("age", "town", "job", "zip", "pet")
STEPS_AND_VALUES = ((3, 2), (5, 3), (8, 4), (11, 2), (13, 5))
RECORDS = [tuple(place * step // 7 % values for step, values in STEPS_AND_VALUES) for place in range(23)]
PEOPLE = [place % 9 for place in range(23)]
HEADINGS = ["columns", "size", "classes", "smallest_class", "unique", "records_at_risk", "people_at_risk"]
RATIOS = ["highest_risk", "average_risk", "entropy"]


def people_of_classes(mask: int) -> dict[tuple[int, ...], list[int]]:
    """The person behind each record of each class, by brute force."""
    found: dict[tuple[int, ...], list[int]] = {}
    for values, person in zip(RECORDS, PEOPLE, strict=True):
        found.setdefault(tuple(v for place, v in enumerate(values) if mask >> place & 1), []).append(person)
    return found


def counted(sets: Sets, allow: int = 2) -> SetCounts:
    """What an engine counts, from the classes themselves."""
    sizes, at_risk = [], []
    for mask in sets.tolist():
        classes = people_of_classes(mask).values()
        pairs = Counter((len(each), len(set(each))) for each in classes)
        sizes.append(Sizes.of([(*pair, number) for pair, number in pairs.items()]))
        at_risk.append(len({who for each in classes if len(set(each)) <= allow for who in each}))
    return SetCounts.of(sets, sizes, numpy.array(at_risk, dtype=numpy.int64), len(set(PEOPLE)), allow)


def by_hand(mask: int, allow: int = 2) -> tuple[Any, ...]:
    """The line of a set, straight from the definitions."""
    classes = list(people_of_classes(mask).values())
    people = [len(set(each)) for each in classes]
    exposed = [each for each in classes if len(set(each)) <= allow]
    shares = [len(each) / len(RECORDS) for each in classes]
    return (
        [name for place, name in enumerate(COLUMNS) if mask >> place & 1],
        mask.bit_count(),
        len(classes),
        min(people),
        sum(len(each) for each in classes if len(set(each)) == 1),
        sum(map(len, exposed)),
        len({who for each in exposed for who in each}),
        pytest.approx(1 / min(people)),
        pytest.approx(float(sum(Fraction(len(each), len(set(each))) for each in classes) / len(RECORDS))),
        pytest.approx(-math.fsum(share * math.log2(share) for share in shares), abs=1e-9),
    )


class Counting:
    """Remembers what it was asked, and gives up before a given call."""

    def __init__(self, gives_up: int | None = None, how: type[BaseException] = KeyboardInterrupt) -> None:
        self.asked: list[list[int]] = []
        self._gives_up = gives_up
        self._how = how

    def __call__(self, sets: Sets) -> SetCounts:
        if len(self.asked) == self._gives_up:
            raise self._how
        self.asked.append(sets.tolist())
        return counted(sets)


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of four whatever the clock says, and several batches of lines."""
    monkeypatch.setattr(surveying, "FIRST", 4)
    monkeypatch.setattr(surveying, "_next_length", lambda last, seconds: 4)  # noqa: ARG005
    monkeypatch.setattr(surveying, "LINES_A_BATCH", 10)


def everything(out: Path, **signature: Any) -> Survey:
    return Survey(COLUMNS, all_sets(len(COLUMNS)), out, {"source": "toy", "columns": COLUMNS, **signature})


def read(path: Path) -> list[tuple[Any, ...]]:
    reading = {".parquet": pyarrow.parquet.read_table, ".csv": pyarrow.csv.read_csv}
    table = reading[path.suffix](path)
    assert table.column_names == HEADINGS + RATIOS
    return [tuple(row.values()) for row in table.to_pylist()]


def left_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def interrupted(work: Survey, after: int, how: type[BaseException] = KeyboardInterrupt) -> None:
    with pytest.raises(how):
        survey(work, Counting(after, how))


def whole(tmp_path: Path, ending: str) -> bytes:
    """What a run that nobody interrupts writes."""
    out = tmp_path / f"whole{ending}"
    survey(everything(out), counted)
    return out.read_bytes()


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_each_line_against_brute_force(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"sets{ending}"
    found = survey(everything(out), Counting())
    assert (found.written, found.resumed, found.note) == (31, 0, "")
    order = sorted(range(1, 32), key=lambda mask: (mask.bit_count(), mask))
    expected = [by_hand(mask) for mask in order]
    lines = [(names(first), *rest) for first, *rest in read(out)]
    assert lines == expected
    assert left_in(tmp_path) == [out.name]


def test_the_order_of_the_sets_asked_for_changes_nothing(tmp_path: Path) -> None:
    some = sets_up_to(5, 2)
    for name, sets in (("a.csv", some), ("b.csv", numpy.concatenate((some[::-1], some)))):
        survey(Survey(COLUMNS, sets, tmp_path / name, {}), counted)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert len(read(tmp_path / "a.csv")) == 15


def test_sets_with_the_most_values_go_together(tmp_path: Path) -> None:
    work = replace(everything(tmp_path / "sets.csv"), values=(9, 3, 4, 5, 5))
    interrupted(work, 2)
    count = Counting()
    assert survey(work, count).resumed == 8
    asked = [mask for piece in count.asked for mask in piece]
    order = sorted(range(1, 32), key=lambda mask: [mask >> column & 1 for column in (0, 4, 3, 2, 1)])
    assert asked == order[8:]
    assert Path(work.out).read_bytes() == whole(tmp_path, ".csv")


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("after", range(1, 8))
@pytest.mark.parametrize("how", [KeyboardInterrupt, InputError, MemoryError])
def test_going_on(tmp_path: Path, ending: str, after: int, how: type[BaseException]) -> None:
    work = everything(tmp_path / f"sets{ending}")
    interrupted(work, after, how)
    assert left_in(tmp_path) == [f"sets{ending}.unfinished"]
    assert stat.S_IMODE(work.checkpoint_path.stat().st_mode) == 0o600
    count = Counting()
    found = survey(work, count)
    assert (found.written, found.resumed, found.note) == (31, 4 * after, "")
    assert [mask for piece in count.asked for mask in piece] == list(range(4 * after + 1, 32))
    assert left_in(tmp_path) == [f"sets{ending}"]
    assert Path(work.out).read_bytes() == whole(tmp_path, ending)


def test_interrupted_again_and_again(tmp_path: Path) -> None:
    work = everything(tmp_path / "sets.csv")
    for _ in range(3):
        interrupted(work, 2)
    count = Counting()
    assert survey(work, count).resumed == 24
    assert count.asked == [[25, 26, 27, 28], [29, 30, 31]]
    assert Path(work.out).read_bytes() == whole(tmp_path, ".csv")


def test_all_was_counted_but_nothing_written(tmp_path: Path) -> None:
    work = everything(tmp_path / "sets.csv")
    count_survey(work, counted)
    assert not Path(work.out).exists()
    count = Counting()
    again = count_survey(work, count)
    assert count.asked == []
    assert write_survey(work, again).resumed == 31
    assert Path(work.out).read_bytes() == whole(tmp_path, ".csv")


def test_interrupted_while_writing(tmp_path: Path) -> None:
    work = everything(tmp_path / "sets.csv")

    def progress(doing: str, done: int, total: int) -> None:
        if doing.startswith("writing") and 0 < done < total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        survey(work, counted, progress)
    assert left_in(tmp_path) == ["sets.csv.unfinished"]
    assert survey(work, counted).resumed == 31


def test_a_failure_leaves_the_target_and_no_trace_without_a_piece(tmp_path: Path) -> None:
    work = everything(tmp_path / "sets.csv")
    Path(work.out).write_text("of yesterday")
    interrupted(work, 0)
    assert left_in(tmp_path) == ["sets.csv"]
    interrupted(work, 3)
    assert Path(work.out).read_text() == "of yesterday"
    assert survey(work, counted).resumed == 12
    assert Path(work.out).read_bytes() == whole(tmp_path, ".csv")


CHANGES: list[Callable[[Survey], Survey]] = [
    lambda work: replace(work, signature={**work.signature, "missing": "drop"}),
    lambda work: replace(work, sets=work.sets[1:]),
    lambda work: replace(work, columns=(*COLUMNS[:-1], "dog")),
]


@pytest.mark.parametrize("change", CHANGES)
def test_another_question_starts_anew(tmp_path: Path, change: Callable[[Survey], Survey]) -> None:
    work = everything(tmp_path / "sets.csv")
    interrupted(work, 5)
    other, count = change(work), Counting()
    found = survey(other, count)
    assert found.resumed == 0
    assert sum(map(len, count.asked)) == len(other.sets)
    fault = "is of other data or another question; it is replaced, and all sets are counted anew"
    assert found.note == f"{work.checkpoint_path}: {fault}"
    assert left_in(tmp_path) == ["sets.csv"]


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"\n",
        b"\x00" * 5000,
        b"{}\n",
        b"[1]\n",
        b"{broken\n",
        b"[" * 100_000,
        b"\xff\xfe\n",
        b"name,age\nann,3\n",
    ],
)
def test_garbage_is_replaced(tmp_path: Path, garbage: bytes) -> None:
    work = everything(tmp_path / "sets.csv")
    work.checkpoint_path.write_bytes(garbage)
    interrupted(work, 2)
    assert stat.S_IMODE(work.checkpoint_path.stat().st_mode) == 0o600
    work.checkpoint_path.write_bytes(garbage)
    found = survey(work, counted)
    assert (found.resumed, found.note.count("\n")) == (0, 0)
    assert "is no unfinished run; it is replaced, and all sets are counted anew" in found.note
    assert Path(work.out).read_bytes() == whole(tmp_path, ".csv")


@given(st.data())
def test_cut_off_or_damaged_anywhere(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever a crash or a bad disk does to it, the table is right, and what is left of use is used."""
    folder = tmp_path_factory.mktemp("cut")
    work = everything(folder / "sets.csv")
    interrupted(work, 3)
    good = work.checkpoint_path.read_bytes()
    header, block = len(work.header), (len(good) - len(work.header)) // 3
    place = data.draw(st.integers(0, len(good) - 1))
    damage = data.draw(st.sampled_from(["cut", "flip", "zero"]))
    bad = {
        "cut": good[:place],
        "flip": good[:place] + bytes([good[place] ^ 1 << data.draw(st.integers(0, 7))]) + good[place + 1 :],
        "zero": good[:place] + bytes(len(good) - place),
    }[damage]
    work.checkpoint_path.write_bytes(bad)
    found = survey(work, counted)
    if bad == good:  # the end was zeros before
        assert found.resumed == 12
    elif damage != "zero":
        assert found.resumed == max(0, (place - header) // block) * 4
        assert bool(found.note) == (place < header or (place - header) % block > 0 or damage == "flip")
    assert Path(work.out).read_bytes() == whole(folder, ".csv")


def test_a_damaged_end_is_cut_off_and_said(tmp_path: Path) -> None:
    work = everything(tmp_path / "sets.csv")
    interrupted(work, 3)
    with work.checkpoint_path.open("ab") as handle:
        handle.write(b"half a piece")
    with pytest.raises(KeyboardInterrupt):
        survey(work, Counting(2))
    found = survey(work, counted)
    assert (found.resumed, found.note) == (20, "")
    interrupted(work, 3)
    with work.checkpoint_path.open("r+b") as handle:
        handle.truncate(work.checkpoint_path.stat().st_size - 1)
    assert survey(work, counted).note == (
        f"{work.checkpoint_path}: is damaged after 8 sets; the others are counted anew"
    )


def test_a_piece_that_two_runs_wrote_at_a_time_counts_once(tmp_path: Path) -> None:
    work = everything(tmp_path / "sets.csv")
    interrupted(work, 2)
    kept = work.checkpoint_path.read_bytes()
    work.checkpoint_path.write_bytes(kept + kept[len(work.header) :])
    assert survey(work, counted).resumed == 8
    assert Path(work.out).read_bytes() == whole(tmp_path, ".csv")


def test_what_is_unfinished_holds_no_values(tmp_path: Path) -> None:
    with open_engine(
        source(pyarrow.table({"town": ["secret", "other"], "job": ["hidden", "hidden"]}))
    ) as engine:
        columns = ("town", "job")
        work = Survey(columns, all_sets(2), tmp_path / "sets.csv", {"records": 2})
        count_survey(work, lambda sets: engine.count_sets(Question(columns), sets, 1))
    kept = work.checkpoint_path.read_bytes()
    assert json.loads(kept.splitlines()[0])["signature"] == {"records": 2}
    assert b"secret" not in kept
    assert b"hidden" not in kept


def test_data_that_changed_is_no_survey(tmp_path: Path) -> None:
    work = everything(tmp_path / "sets.csv")
    interrupted(work, 3)
    with pytest.raises(InputError, match=r"sets\.csv: the data changed since .*; run again"):
        survey(work, lambda sets: replace(counted(sets), records=24))
    assert left_in(tmp_path) == []
    assert survey(work, counted).resumed == 0


def test_what_can_not_be_written_is_said_before_the_work(tmp_path: Path) -> None:
    count = Counting()
    for out, fault in (
        ("a.txt", "end the name in"),
        ("no/a.csv", "choose a folder"),
        ("b.csv", "kept there"),
    ):
        (tmp_path / "b.csv.unfinished").mkdir(exist_ok=True)
        with pytest.raises(OutputError, match=fault):
            survey(everything(tmp_path / out), count)
    assert count.asked == []


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    work, other = everything(tmp_path / "sets.csv"), tmp_path / "other"
    other.write_text("mine")
    work.checkpoint_path.symlink_to(other)
    interrupted(work, 1)
    assert not work.checkpoint_path.is_symlink()
    assert other.read_text() == "mine"


def test_no_room_for_a_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work, write, room = everything(tmp_path / "sets.csv"), os.write, [3]

    def full(handle: int, block: bytes) -> int:
        if not room[0]:
            raise OSError(28, "No space left on device")
        room[0] -= 1
        return write(handle, block)

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(OutputError, match=r"unfinished: no space left on device; .* make room"):
            survey(work, counted)
    assert survey(work, counted).resumed == 8


def test_sets_that_can_not_be_meant() -> None:
    with pytest.raises(UsageError, match="no sets of columns"):
        Survey(("a",), all_sets(1)[:0], "a.csv", {})
    with pytest.raises(UsageError, match="not among the 1"):
        Survey(("a",), all_sets(2), "a.csv", {})
    with pytest.raises(UsageError, match="1 numbers of values for 2 columns"):
        Survey(("a", "b"), all_sets(2), "a.csv", {}, values=(3,))


@given(
    st.lists(
        st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1), min_size=1
    )
)
def test_names_can_be_pasted_back(columns: list[str]) -> None:
    assert names(",".join(map(quoted_name, columns))) == columns


def test_plain_names_stay_plain() -> None:
    assert [quoted_name(name) for name in ("a b", "c;d")] == ["a b", "c;d"]
    assert [quoted_name(name) for name in (" a", "b ", "c,d", '"e"')] == ['" a"', '"b "', '"c,d"', '"""e"""']


def test_names_in_the_file_can_be_pasted_back(tmp_path: Path) -> None:
    columns = ("a,b", ' "c" ', "plain")
    for out in (tmp_path / "sets.csv", tmp_path / "sets.parquet"):
        survey(Survey(columns, all_sets(3), out, {}), counted)
        assert names(read(out)[-1][0]) == list(columns)


def fake(sets: Sets) -> SetCounts:
    """Numbers that tell the set they belong to."""
    number = sets.astype(numpy.int64)
    return SetCounts(sets, 7, 7, 1, number, number + 1, number + 2, number + 3, number + 4, number, number)


def told(work: Survey, count: Count) -> list[tuple[str, int, int]]:
    steps: list[tuple[str, int, int]] = []
    survey(work, count, lambda doing, done, total: steps.append((doing, done, total)))
    return steps


def test_sixteen_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    columns = tuple(f"c{place}" for place in range(16))
    work = Survey(columns, numpy.arange(1 << 16, dtype=numpy.uint64), tmp_path / "sets.parquet", {})
    steps = told(work, fake)
    done = [step for doing, step, total in steps if doing == "counting sets of columns" and total == 1 << 16]
    assert (done[0], done[-1]) == (0, 1 << 16)
    assert all(first < second <= first + surveying.MOST for first, second in pairwise(done))
    table = pyarrow.parquet.read_table(work.out)
    masks = table["classes"].to_numpy()
    assert (numpy.sort(masks) == numpy.arange(1 << 16)).all()
    sizes = numpy.bitwise_count(masks)
    assert (table["size"].to_numpy() == sizes).all()
    assert (numpy.diff(sizes.astype(int) << 16 | masks) > 0).all()
    assert (table["people_at_risk"].to_numpy() == masks + 4).all()
    assert table["columns"][-1].as_py() == ",".join(columns)
    assert table["columns"][17].as_py() == "c0,c1"


def test_progress_of_a_run_that_goes_on(tmp_path: Path) -> None:
    work = everything(tmp_path / "sets.csv")
    interrupted(work, 6)
    steps = told(work, counted)
    assert steps[:3] == [("counting sets of columns", done, 31) for done in (24, 28, 31)]
    assert {doing for doing, _, _ in steps[3:]} == {"writing sets of columns"}


@pytest.mark.parametrize(
    ("last", "seconds", "following"),
    [
        (1000, 2.0, 1000),
        (1000, 4.0, 500),
        (1000, 1.0, 2000),
        (1000, 0.0, 8000),
        (1000, 1e9, 125),
        (16, 1e9, 16),
        (60_000, 1.0, 65_536),
    ],
)
def test_a_piece_takes_seconds(
    last: int, seconds: float, following: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    assert surveying._next_length(last, seconds) == following


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


class AtOnce:
    """A timer that does not wait."""

    def __init__(self, _: float, start: Callable[[], None]) -> None:
        self._start = start

    def start(self) -> None:
        self._start()

    def cancel(self) -> None: ...


def shown(monkeypatch: pytest.MonkeyPatch, steps: Sequence[tuple[float, str, int, int]]) -> str:
    """What the bar last shows after steps at the given seconds."""
    terminal, clock = Terminal(), [0.0]
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("rich.console.monotonic", lambda: clock[0])
    monkeypatch.setattr(showing, "Timer", AtOnce)
    for name, value in (("TERM", "xterm"), ("COLUMNS", "100")):
        monkeypatch.setenv(name, value)
    with showing.bar() as tell:
        for clock[0], doing, done, total in steps:
            tell(doing, done, total)
    return next(line for line in reversed(terminal.getvalue().splitlines()) if "left:" in line)


def test_the_bar_estimates_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = [(50.0 * step, "counting", 1000 + 10 * step, 1100) for step in range(4)]
    assert "0:05:50" in shown(
        monkeypatch, slow
    )  # 70 sets left, 10 in 50 seconds; what was resumed took no time


def test_other_work_of_the_same_length_is_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [(10.0 * step, "counting", step, 5) for step in range(6)]
    assert "0:00:00" in shown(monkeypatch, steps)
    assert "-:--:--" in shown(monkeypatch, [*steps, (60.0, "comparing", 0, 5)])


def test_swapped_values_are_other_data(tmp_path: Path) -> None:
    """A frame has no file whose time would tell, and swapping leaves the counts of each column alone."""
    random = numpy.random.default_rng(0)
    columns = {f"c{place}": random.integers(0, 4, 60) for place in range(10)}
    out = tmp_path / "sets.csv"

    def stop(doing: str, done: int, total: int) -> None:  # noqa: ARG001
        if done and list(tmp_path.glob("*.unfinished")):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        singleout.combinations(pyarrow.table(columns), all=True, out=out, progress=stop)
    swapped = pyarrow.table(columns | {"c3": random.permutation(columns["c3"])})
    found = singleout.combinations(swapped, all=True, out=out)
    assert found.written is not None
    assert found.written.resumed == 0
    assert "is of other data" in found.remarks[-1]
    again = out.read_bytes()
    singleout.combinations(swapped, all=True, out=out)
    assert out.read_bytes() == again
