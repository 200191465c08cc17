"""Sets of columns by the compiled walk: equal to a count by hand, for any sets, threads and people."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.engine.codes.collapsed_rows import collapse
from singleout.engine.codes.dictionary import Codes
from singleout.engine.column_sets.all_sets import AllSets
from singleout.engine.column_sets.lattice import Lattice
from singleout.engine.column_sets.set_counts import SetCounts, Sets

WHOLE = ("classes", "smallest", "unique", "at_risk", "people_at_risk")
PARTS = (*WHOLE, "risk_parts", "entropy_parts")
Columns = list[list[int]]


def coded(values: Sequence[Any]) -> Codes:
    known = {value: code for code, value in enumerate(dict.fromkeys(values))}
    return Codes(numpy.array([known[value] for value in values], dtype=numpy.uint32), len(known))


def lattice(columns: Columns, who: list[int] | None = None, threads: int = 1) -> Lattice:
    return Lattice(collapse([coded(each) for each in columns], coded(who) if who else None), threads)


def masks(*numbers: int) -> Sets:
    return numpy.array(numbers, dtype=numpy.uint64)


def every(columns: int) -> Sets:
    return numpy.arange(1 << columns, dtype=numpy.uint64)


def by_hand(columns: Columns, who: list[int], mask: int, allow: int) -> dict[str, float]:
    classes: dict[Any, list[int]] = defaultdict(list)
    taken = [column for bit, column in enumerate(columns) if mask >> bit & 1]
    for place, person in enumerate(who):
        classes[tuple(column[place] for column in taken)].append(person)
    people = {key: len(set(members)) for key, members in classes.items()}
    risky = [members for key, members in classes.items() if people[key] <= allow]
    sizes = [len(members) for members in classes.values()]
    return {
        "classes": len(classes),
        "smallest": min(people.values()),
        "unique": sum(len(members) for key, members in classes.items() if people[key] == 1),
        "at_risk": sum(map(len, risky)),
        "people_at_risk": len({person for members in risky for person in members}),
        "average_risk": sum(len(classes[key]) / people[key] for key in classes) / len(who),
        "entropy": -sum(size / len(who) * math.log2(size / len(who)) for size in sizes),
    }


def check(counts: SetCounts, columns: Columns, who: list[int]) -> None:
    for place, mask in enumerate(counts.sets.tolist()):
        expected = by_hand(columns, who, mask, counts.allow)
        found = {name: getattr(counts, name)[place] for name in expected}
        assert {name: found[name] for name in WHOLE} == {name: expected[name] for name in WHOLE}
        assert found["average_risk"] == pytest.approx(expected["average_risk"], abs=1e-12)
        assert found["entropy"] == pytest.approx(expected["entropy"], abs=1e-9)


@st.composite
def tables(draw: st.DrawFn, most_rows: int = 40) -> Columns:
    """Columns of one to eight values; some tables have each record several times, some one column twice."""
    rows = draw(st.integers(1, most_rows))
    values = draw(st.lists(st.sampled_from([1, 2, 2, 3, 8]), min_size=1, max_size=7))
    columns = [draw(st.lists(st.integers(0, most - 1), min_size=rows, max_size=rows)) for most in values]
    times = draw(st.sampled_from([1, 1, 2]))
    columns = [column * times for column in columns]
    if draw(st.booleans()):
        columns.append([value // 2 for value in columns[0]] if draw(st.booleans()) else list(columns[0]))
    return columns


def people_of(draw: Callable[[st.SearchStrategy[Any]], Any], columns: Columns) -> list[int]:
    rows = len(columns[0])
    return list(draw(st.lists(st.integers(0, 6), min_size=rows, max_size=rows)))


@settings(max_examples=150)
@given(tables(), st.integers(1, 4), st.sampled_from([1, 3]))
def test_all_sets_equal_a_count_by_hand(columns: Columns, allow: int, threads: int) -> None:
    counts = lattice(columns, threads=threads).count(every(len(columns)), allow)
    check(counts, columns, list(range(len(columns[0]))))


@settings(max_examples=80)
@given(st.data(), tables(), st.integers(1, 4), st.sampled_from([1, 3]))
def test_all_sets_of_people_equal_a_count_by_hand(
    data: st.DataObject, columns: Columns, allow: int, threads: int
) -> None:
    who = people_of(data.draw, columns)
    check(lattice(columns, who, threads).count(every(len(columns)), allow), columns, who)


@settings(max_examples=80)
@given(st.data(), tables(), st.booleans(), st.sampled_from([1, 3]))
def test_any_sets_in_any_order_and_twice(
    data: st.DataObject, columns: Columns, named: bool, threads: int
) -> None:
    who = people_of(data.draw, columns) if named else None
    sets = data.draw(st.lists(st.integers(0, (1 << len(columns)) - 1), min_size=1, max_size=60))
    counts = lattice(columns, who, threads).count(masks(*sets), 2)
    check(counts, columns, who or list(range(len(columns[0]))))


def random_columns(rows: int, values: Sequence[int], seed: int = 4) -> Columns:
    generator = numpy.random.default_rng(seed)
    return [generator.integers(0, each, rows).tolist() for each in values]


@pytest.mark.parametrize("common", [0, 0b1, 0b1001000])
def test_sets_that_have_columns_in_common(common: int) -> None:
    columns = random_columns(400, [3, 2, 5, 9, 2, 2, 4, 300])
    sets = every(8) | numpy.uint64(common)
    check(lattice(columns, threads=2).count(sets, 3), columns, list(range(400)))


def test_columns_of_many_values_and_a_class_of_many_records() -> None:
    rows = 3000
    columns = random_columns(rows, [1, 2, 2, 3, 2, 70_000, 300])
    columns[5] = [value if value % 3 else 0 for value in columns[5]]
    columns[6] = [value if value % 9 == 0 else 0 for value in columns[6]]
    check(lattice(columns).count(every(7), 2), columns, list(range(rows)))


def test_more_columns_than_two_words_hold() -> None:
    columns = random_columns(60, [2] * 18)
    counts = lattice(columns, threads=3).count(every(18), 2)
    for place in range(0, 1 << 18, 1777):
        expected = by_hand(columns, list(range(60)), place, 2)
        assert {name: getattr(counts, name)[place] for name in WHOLE} == {n: expected[n] for n in WHOLE}


@pytest.mark.parametrize("who", [None, [0, 1, 2, 0, 1, 2]])
def test_sixty_three_columns(who: list[int] | None) -> None:
    columns = random_columns(6, [2] * 63)
    sets = masks(0, 1, 1 << 62, (1 << 63) - 1, 1 << 62 | 1 << 31)
    check(lattice(columns, who).count(sets, 1), columns, who or list(range(6)))


def test_as_many_records_as_there_may_be() -> None:
    """Two values, of 2^32 − 2 records and of one."""
    most = 2**32 - 1
    rows = collapse([coded([0, 1]), *[coded([0, 0])] * 5], records=numpy.array([most - 1, 1]))
    counts = Lattice(rows).count(every(6), 1)
    assert counts.classes.tolist() == [1, 2] * 32
    assert counts.smallest.tolist() == [most, 1] * 32
    assert counts.average_risk[1] == 2 / most
    assert counts.entropy[0] == 0
    assert counts.entropy[1] == pytest.approx((math.log2(most) + 1 / math.log(2)) / most, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("named", [False, True])
def test_threads_do_not_matter(named: bool) -> None:
    columns = random_columns(2000, [2, 3, 4, 6, 9, 15, 40, 2, 2, 2, 3])
    who = random_columns(2000, [500])[0] if named else None
    one, many = (lattice(columns, who, threads).count(every(11), 2) for threads in (1, 5))
    for name in PARTS:
        assert numpy.array_equal(getattr(one, name), getattr(many, name)), name


@settings(max_examples=60)
@given(st.data(), tables(), st.booleans(), st.integers(1, 4))
def test_one_more_column_only_raises_risk(
    data: st.DataObject, columns: Columns, named: bool, allow: int
) -> None:
    who = people_of(data.draw, columns) if named else None
    counts = lattice(columns, who).count(every(len(columns)), allow)
    for column in range(len(columns)):
        without = counts.sets[counts.sets >> numpy.uint64(column) & numpy.uint64(1) == 0].astype(int)
        with_it = without | 1 << column
        for name in ("classes", "unique", "at_risk", "people_at_risk", "average_risk"):
            assert (getattr(counts, name)[with_it] >= getattr(counts, name)[without]).all(), name
        assert (counts.entropy[with_it] >= counts.entropy[without] - 1e-12).all()
        assert (counts.smallest[with_it] <= counts.smallest[without]).all()


@pytest.mark.parametrize("named", [False, True])
def test_an_interrupt_ends_the_walk(named: bool) -> None:
    columns = random_columns(200, [2] * 14)
    walked = lattice(columns, list(range(100)) * 2 if named else None, threads=2)
    told: list[tuple[str, int, int]] = []

    def interrupt(doing: str, done: int, total: int) -> None:
        told.append((doing, done, total))
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        walked.count(every(14), 1, interrupt)
    assert 0 < told[-1][1] < 1 << 14
    check(walked.count(masks(*range(64)), 1), columns, list(range(100)) * 2 if named else list(range(200)))


def test_progress_tells_of_the_preparation_and_reaches_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AllSets, "is_ready", False)
    told: list[tuple[str, int, int]] = []
    columns = random_columns(50, [2] * 12)
    lattice(columns, threads=2).count(every(12), 1, lambda *now: told.append(now))
    assert told[0] == ("preparing the compiled loops, once", 0, 1 << 12)
    done = [now[1] for now in told]
    assert done == sorted(done)
    assert told[-1] == ("counting sets of columns", 1 << 12, 1 << 12)


def read(file: Path, names: list[int], delimiter: str, skip: int) -> list[Codes]:
    options = pyarrow.csv.ReadOptions(autogenerate_column_names=True, skip_rows=skip)
    parse = pyarrow.csv.ParseOptions(delimiter=delimiter)
    table = pyarrow.csv.read_csv(file, read_options=options, parse_options=parse)
    return [coded(table.column(place).to_pylist()) for place in names]


def test_adult_as_arx_counts_it(real_data: Path) -> None:
    """ARX, TestRiskMetrics: 19,502 classes, 15,512 unique, average risk 0.6465751607983555."""
    columns = read(real_data / "arx_adult" / "adult.csv", list(range(9)), ";", 1)
    counts = Lattice(collapse(columns), 2).count(every(9), 1)
    assert (counts.classes[-1], counts.unique[-1], counts.smallest[-1]) == (19_502, 15_512, 1)
    assert counts.average_risk[-1] == pytest.approx(0.6465751607983555, rel=1e-15)


def test_adult_as_pycanon_counts_it(real_data: Path) -> None:
    """Age, education, occupation, relationship, sex, native-country: 15,093 classes, 10,154 unique, k = 1."""
    columns = read(real_data / "adult" / "adult.data", [0, 3, 6, 7, 9, 13], ",", 0)
    for sets in (every(6), masks(0b111111)):
        counts = Lattice(collapse(columns)).count(sets, 1)
        assert (counts.classes[-1], counts.unique[-1], counts.smallest[-1]) == (15_093, 10_154, 1)
