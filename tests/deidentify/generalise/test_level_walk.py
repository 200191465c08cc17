"""The search over levels finds what trying every vector finds, whatever is asked, and stops when told."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.deidentify.generalise import level_search, level_walk
from singleout.deidentify.generalise.goals import Closeness, Goals
from singleout.deidentify.generalise.level_search import LevelSearch, SearchResult
from singleout.deidentify.generalise.level_walk import Candidate, Limits
from singleout.deidentify.generalise.search_space import Space
from singleout.engine.codes.dictionary import Codes
from singleout.errors import UsageError
from singleout.roles.hierarchies.hierarchy import Levels, levels_over, read_hierarchies
from singleout.utility.information_loss import LOSS_NAMES, Loss, LossName
from tests.by_hand import generalise_oracle as oracle
from tests.by_hand.attribute_disclosure_by_hand import LIMITS
from tests.by_hand.generalise_by_hand import MODELS
from tests.by_hand.generalise_oracle import Judged, Records, Vector, Wish

OF_COLUMNS: tuple[LossName, ...] = ("loss", "non_uniform_entropy", "levels")
TIE = 1e-12


@st.composite
def tables(draw: st.DrawFn) -> Records:
    """How large is drawn, what is in it by chance: drawn values would mostly be the same few."""
    many, rows = draw(st.integers(1, 4)), draw(st.integers(1, 40))
    chance = Random(draw(st.integers(0, 2**32)))
    asked = tuple(column_by_chance(chance, name) for name in "abcd"[:many])
    skewed = chance.choice([1, 2, 3])
    values = tuple(chance.randint(1, 4) for _ in range(draw(st.integers(0, 2))))
    people = chance.choice([4, 12, 40])
    return Records(
        columns=asked,
        rows=tuple(
            tuple(int(column.present * chance.random() ** skewed) for column in asked) for _ in range(rows)
        ),
        persons=tuple(chance.randrange(people) for _ in range(rows)) if draw(st.booleans()) else None,
        sensitive=tuple(tuple(chance.randrange(value) for _ in range(rows)) for value in values),
        sensitive_values=values,
    )


def column_by_chance(chance: Random, name: str) -> oracle.Column:
    """Groups of groups of raw values; the last level is one group or more."""
    present = chance.randint(1, 6)
    group = list(range(present + chance.randint(0, 2)))
    labels: list[list[str | None]] = [[str(value)] for value in group]
    labels[chance.choice(group)] = [chance.choice([None, "?"])]
    for level in range(1, chance.choice([0, 1, 2, 3, 3]) + 1):
        groups = min(len(group), chance.choice([1, 2, 8]))
        parents = [chance.randrange(groups) for _ in group]
        group = [parents[each] for each in group]
        for value, each in enumerate(group):
            labels[value].append(f"{level}/{each}")
    return oracle.Column(name, tuple(tuple(each) for each in labels), present)


@st.composite
def wishes(draw: st.DrawFn) -> Wish:
    """One or two goals beside k and suppression: all at once are seldom reached."""
    wish = Wish(draw(st.integers(1, 9)), draw(st.sampled_from([0.0, 0.05, 0.1, 0.15, 0.28, 0.55, 1.0])))
    goals = draw(st.sets(st.sampled_from(["average_risk", "diverse", "close", "others"]), max_size=2))
    if "average_risk" in goals:
        wish = replace(wish, average_risk=draw(st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.4, 0.6])))
    if "diverse" in goals:
        wish = replace(wish, diverse=draw(st.sampled_from([1, 2, 3])))
    if "close" in goals:
        close = draw(st.sampled_from([0.0, 0.2, 0.3, 0.4, 0.6]))
        wish = replace(wish, close=close, ordered=draw(st.booleans()))
    return replace(wish, **draw(st.sampled_from(MODELS))) if "others" in goals else wish


@st.composite
def losses(draw: st.DrawFn) -> Loss:
    name = draw(st.sampled_from(LOSS_NAMES))
    weights = st.dictionaries(st.sampled_from("abcd"), st.sampled_from([0.0, 0.25, 1.0, 3.0]))
    return Loss(name, draw(weights) if name in OF_COLUMNS else None)


def space_of(records: Records) -> Space:
    return Space(
        levels=tuple(map(levels_of, records.columns)),
        codes=tuple(codes(row[place] for row in records.rows) for place in range(len(records.columns))),
        persons=Codes(codes(records.persons), max(records.persons) + 1) if records.persons else None,
        sensitive=tuple(
            Codes(codes(column), many)
            for column, many in zip(records.sensitive, records.sensitive_values, strict=True)
        ),
    )


def levels_of(column: oracle.Column) -> Levels:
    height, present = range(column.height + 1), range(column.present)
    return Levels(
        column=column.name,
        rules=tuple(map(str, height)),
        labels=tuple(tuple(column.values[value][level] for value in present) for level in height),
        shares=tuple(tuple(column.alike(value, level) for value in present) for level in height),
        domain=len(column.values),
    )


def codes(numbers: Iterable[int]) -> Any:
    return numpy.array(list(numbers), dtype=numpy.uint32)


def goals_of(wish: Wish) -> Goals:
    closeness: Closeness = "ordered" if wish.ordered else "equal"
    more = {name: getattr(wish, name) for name in (*LIMITS, "recursive_l")}
    return Goals(wish.k, wish.suppress, wish.average_risk, wish.diverse, wish.close, closeness, **more)


@dataclass(frozen=True)
class Case:
    """A table, what is asked of it, and what trying every vector gives."""

    records: Records
    wish: Wish
    loss: Loss
    judged: dict[Vector, Judged]

    @property
    def best(self) -> list[Judged]:
        return oracle.best_of(self.judged)

    @property
    def least(self) -> float:
        return self.best[0].loss if self.best else numpy.inf

    def search(self, **given: Any) -> LevelSearch:
        return LevelSearch(space_of(self.records), goals_of(self.wish), self.loss, **given)

    def find(self, **given: Any) -> SearchResult:
        return self.search(**given).find_least_lossy()

    def check_candidate(self, found: Candidate) -> None:
        judged = self.judged[found.vector]
        assert judged.reaches
        assert (found.suppressed, found.classes) == (judged.suppressed, judged.classes)
        assert found.discernibility == judged.discernibility
        assert found.loss == pytest.approx(judged.loss, rel=1e-9, abs=1e-9)

    def check_complete(self, found: SearchResult, keep: int) -> None:
        """Losses as by hand; where two are the same to the last digits, their order is left open."""
        assert found.complete
        assert [each.loss for each in found.best] == pytest.approx(
            [each.loss for each in self.best[:keep]], rel=1e-9, abs=1e-9
        )
        assert found.bound == pytest.approx(self.least, rel=1e-9, abs=1e-9)
        assert len({each.vector for each in found.best}) == len(found.best)
        assert list(found.best) == sorted(found.best, key=order)
        for each in found.best:
            self.check_candidate(each)


def order(found: Candidate) -> tuple[float, int, Vector]:
    return found.loss, found.discernibility, found.vector


def case_of(records: Records, wish: Wish, loss: Loss) -> Case:
    return Case(records, wish, loss, oracle.judge_all(records, wish, loss.name, loss.weights or {}))


cases = st.builds(case_of, tables(), wishes(), losses())


def walking(fewest: int, a_round: int, rows: int) -> AbstractContextManager[Any]:
    """The walk cut into other pieces."""
    return patch.multiple(level_walk, FEWEST_BRANCHES=fewest, BRANCHES_A_ROUND=a_round, ROWS_A_SLICE=rows)


@settings(max_examples=500)
@given(case=cases, keep=st.sampled_from([1, 2, 5, 1000]))
def test_the_least_lossy_are_those_by_hand(case: Case, keep: int) -> None:
    found = case.find(keep=keep)
    case.check_complete(found, keep)
    assert found.evaluated <= len(case.judged)


@settings(max_examples=150)
@given(case=cases, keep=st.integers(1, 6))
def test_fewer_are_the_first_of_more(case: Case, keep: int) -> None:
    every = case.find(keep=len(case.judged))
    case.check_complete(every, len(case.judged))
    assert case.find(keep=keep).best == every.best[:keep]


@settings(max_examples=150)
@given(case=cases, fewest=st.integers(1, 40), a_round=st.integers(1, 9), rows=st.integers(0, 30))
def test_the_result_does_not_depend_on_how_the_walk_is_cut(
    case: Case, fewest: int, a_round: int, rows: int
) -> None:
    expected = case.find(keep=4)
    assert case.find(keep=4, threads=2) == expected
    with walking(fewest, a_round, rows):
        cut = case.find(keep=4)
        assert case.find(keep=4, threads=2) == cut
    assert (cut.best, cut.complete, cut.bound) == (expected.best, True, expected.bound)


@settings(max_examples=150)
@given(case=cases, fewest=st.sampled_from([1, 5, 24]), rows=st.sampled_from([0, 20, 10**6]))
def test_what_reaches_the_goals_is_what_does_by_hand(case: Case, fewest: int, rows: int) -> None:
    with walking(fewest, 8, rows):
        found = case.search(threads=2).reaching_vectors()
    assert found.shape == tuple(column.height + 1 for column in case.records.columns)
    for vector, judged in case.judged.items():
        assert found[vector] == judged.reaches


@settings(max_examples=150)
@given(case=cases, data=st.data())
def test_a_column_kept_at_a_level(case: Case, data: st.DataObject) -> None:
    asked = case.records.columns
    places = data.draw(st.sets(st.integers(0, len(asked) - 1), min_size=1))
    fixed = {place: data.draw(st.integers(0, asked[place].height)) for place in sorted(places)}
    kept = {
        vector: judged
        for vector, judged in case.judged.items()
        if all(vector[place] == level for place, level in fixed.items())
    }
    found = case.find(keep=3, fixed=fixed)
    replace(case, judged=kept).check_complete(found, 3)
    assert found.nodes == len(kept)


@settings(max_examples=100)
@given(case=cases, data=st.data())
def test_given_vectors_are_judged_by_themselves(case: Case, data: st.DataObject) -> None:
    given_vectors = data.draw(st.lists(st.sampled_from(list(case.judged)), min_size=1))
    kept = replace(case, judged={vector: case.judged[vector] for vector in given_vectors})
    found = case.search(keep=len(given_vectors)).candidates(given_vectors)
    assert {each.vector for each in found} == {each.vector for each in kept.best}
    assert list(found) == sorted(found, key=order)
    for each in found:
        kept.check_candidate(each)


def check_stopped(case: Case, found: SearchResult, keep: int) -> None:
    """What was found is true, and nothing loses less than the bound."""
    assert found.bound <= case.least * (1 + 1e-9) + 1e-9
    for each in found.best:
        case.check_candidate(each)
    if found.complete:
        case.check_complete(found, keep)


@settings(max_examples=150)
@given(case=cases, nodes=st.integers(1, 40), fewest=st.sampled_from([1, 5, 24]))
def test_a_search_stopped_by_count_says_what_it_does_not_know(case: Case, nodes: int, fewest: int) -> None:
    with walking(fewest, 4, 10):
        found = case.find(keep=2, limits=Limits(nodes=nodes))
        assert case.find(keep=2, limits=Limits(nodes=nodes), threads=2) == found
    check_stopped(case, found, 2)
    if len(case.judged) <= nodes // 4:
        assert found.complete


@settings(max_examples=150)
@given(case=cases, nodes=st.sampled_from([3, 10, 30, 10**6]), for_a_bound=st.sampled_from([1, 5, 10**6]))
def test_a_search_of_very_many_is_as_true(case: Case, nodes: int, for_a_bound: int) -> None:
    """A first descent and bounds of the last columns alone change what is counted, not what is found."""
    expected = case.find(keep=2)
    with patch.multiple(level_search, MANY=0, MOST_FOR_A_BOUND=for_a_bound):
        assert case.find(keep=2).best == expected.best
        with walking(5, 4, 10):
            found = case.find(keep=2, limits=Limits(nodes=nodes))
            assert case.find(keep=2, limits=Limits(nodes=nodes), threads=2) == found
    check_stopped(case, found, 2)
    if nodes == 10**6:
        assert (found.best, found.complete) == (expected.best, True)


@settings(max_examples=150)
@given(case=cases, ticks=st.integers(1, 30), fewest=st.sampled_from([1, 5, 24]))
def test_a_search_stopped_by_the_clock_says_what_it_does_not_know(
    case: Case, ticks: int, fewest: int
) -> None:
    check_stopped(case, stopped_by_the_clock(case, ticks, fewest), 2)


def stopped_by_the_clock(case: Case, ticks: int, fewest: int) -> SearchResult:
    """The clock goes on by a second whenever it is looked at: before each slice of a walk."""
    seconds = count()
    clock = SimpleNamespace(monotonic=lambda: float(next(seconds)))
    with walking(fewest, 4, 0), patch.object(level_walk, "time", clock):
        return case.find(keep=2, limits=Limits(seconds=ticks))


@pytest.mark.parametrize("ticks", range(1, 8))
@pytest.mark.parametrize("name", LOSS_NAMES)
def test_the_bound_holds_where_no_class_can_be_large_enough(name: LossName, ticks: int) -> None:
    column = oracle.Column("a", (("0", "*"), ("1", "*")), 2)
    records = Records((column, replace(column, name="b")), ((0, 0), (0, 1), (1, 1)), None, (), ())
    case = case_of(records, Wish(k=5, suppress=1.0), Loss(name))
    check_stopped(case, stopped_by_the_clock(case, ticks, 1), 2)


@given(case=cases)
@settings(max_examples=10)
def test_no_time_at_all_finds_the_coarsest_at_most_and_knows_it(case: Case) -> None:
    found = case.find(limits=Limits(seconds=0))
    coarsest = tuple(column.height for column in case.records.columns)
    assert [each.vector for each in found.best] == [coarsest] * case.judged[coarsest].reaches
    assert not found.complete
    check_stopped(case, found, 1)


@settings(max_examples=100)
@given(case=cases, fewest=st.sampled_from([1, 5, 24]))
def test_all_that_is_decided_is_told(case: Case, fewest: int) -> None:
    """A walk to its end covers its whole branch, whatever it left out."""
    told: list[int] = []
    with walking(fewest, 4, 10):
        searching = case.search(progress=lambda *now: told.append(now[1]))
        branches = searching.branches()
        with patch.object(searching, "branches", lambda: branches):
            searching.find_least_lossy()
    walked = [branch for branch in branches if branch.counted]
    assert [branch.covered for branch in walked] == pytest.approx([1.0] * len(walked))
    assert told == sorted(told)
    assert told[-1] == len(case.judged)


def test_who_is_told_may_stop_the_search() -> None:
    def refuse(*_: Any) -> None:
        raise KeyboardInterrupt

    column = oracle.Column("a", (("0", "*"), ("1", "*")), 2)
    records = Records((column,), ((0,), (1,)), None, (), ())
    with pytest.raises(KeyboardInterrupt):
        case_of(records, Wish(k=1), Loss()).find(progress=refuse)


@settings(max_examples=100)
@given(
    records=tables(), wish=wishes(), loss=losses(), more=st.integers(1, 3), less=st.sampled_from([0.0, 0.1])
)
def test_asking_for_more_never_loses_less(
    records: Records, wish: Wish, loss: Loss, more: int, less: float
) -> None:
    """An average falls when the smallest classes leave: a larger k may reach one that a smaller can't."""
    without = replace(wish, average_risk=None)
    before, stricter = bound_of(records, without, loss), replace(without, k=without.k + more)
    assert bound_of(records, stricter, loss) >= before - TIE
    more_diverse = replace(without, diverse=(without.diverse or 1) + more)
    assert bound_of(records, more_diverse, loss) >= before - TIE
    fewer = replace(wish, suppress=wish.suppress * less)
    assert bound_of(records, fewer, loss) >= bound_of(records, wish, loss) - TIE


def bound_of(records: Records, wish: Wish, loss: Loss) -> float:
    return LevelSearch(space_of(records), goals_of(wish), loss).find_least_lossy().bound


@settings(max_examples=150)
@given(records=tables(), wish=wishes())
def test_what_is_coarser_reaches_monotone_goals_too(records: Records, wish: Wish) -> None:
    people = records.persons is not None
    if not goals_of(wish).is_monotone(people):
        wish = Wish(wish.k, wish.suppress, diverse=None if people else wish.diverse)
    found = LevelSearch(space_of(records), goals_of(wish), Loss()).reaching_vectors()
    for column in range(found.ndim):
        assert not (numpy.diff(found.astype(int), axis=column) < 0).any()


ONLY_RAW = {
    # b and c leave as they are; together they stay, as a class of two
    "average_risk": ((10, 0), (1, 0), (1, 0), Wish(k=2, suppress=0.2, average_risk=0.1)),
    # b leaves as it is; with c it makes a class that is spread unlike the table
    "close": ((10, 10), (3, 0), (2, 2), Wish(k=4, suppress=0.12, close=0.1)),
}


@pytest.mark.parametrize("goal", ONLY_RAW)
def test_with_suppression_a_finer_vector_may_reach_what_a_coarser_misses(goal: str) -> None:
    *spread, wish = ONLY_RAW[goal]
    column = oracle.Column("a", (("a", "a"), ("b", "bc"), ("c", "bc")), 3)
    other = oracle.Column("b", (("0",),), 1)
    values = [
        (code, value) for code, both in enumerate(spread) for value in (0, 1) for _ in range(both[value])
    ]
    records = Records(
        (column, other),
        tuple((code, 0) for code, _ in values),
        None,
        (tuple(value for _, value in values),),
        (2,),
    )
    assert not goals_of(wish).is_monotone(people=False)
    for many in (
        records,
        replace(records, columns=(other, column), rows=tuple((0, code) for code, _ in values)),
    ):
        case = case_of(many, wish, Loss())
        assert [each.reaches for each in case.judged.values()] == [True, False]
        case.check_complete(case.find(), 1)
        assert case.search().reaching_vectors().ravel().tolist() == [True, False]


def test_what_the_last_column_misses_alone_may_be_reached_with_the_others() -> None:
    """Those with p are spread unlike the table, until the first column sets six of them apart."""
    first = oracle.Column("a", (("0", "*"), ("1", "*"), ("2", "*")), 3)
    second = oracle.Column("b", (("p", "*"), ("q", "*")), 2)
    rows = [((0, 0), 0)] * 7 + [((0, 0), 1)] * 7 + [((1, 0), 0)] * 6 + [((0, 1), 0)] * 20 + [((0, 1), 1)] * 20
    values = tuple(value for _, value in rows)
    records = Records((first, second), tuple(row for row, _ in rows), None, (values,), (2,))
    case = case_of(records, Wish(k=7, suppress=0.1, close=0.07), Loss())
    assert case.best[0].vector == (0, 0)
    with patch.object(level_search, "MANY", 0):
        for nodes in range(1, 9):
            check_stopped(case, case.find(limits=Limits(nodes=nodes)), 1)


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_a_bound_by_the_last_columns_is_reached_where_the_first_lose_nothing(name: LossName) -> None:
    first = oracle.Column("a", tuple((str(value), "*") for value in range(3)), 3)
    two = oracle.Column("b", (("0", "*"), ("1", "*")), 2)
    rows = ((0, 0, 0),) * 4 + ((0, 0, 1),) * 4 + ((0, 1, 0),) * 4 + ((0, 1, 1),)
    case = case_of(Records((first, two, replace(two, name="c")), rows, None, (), ()), Wish(k=2), Loss(name))
    with walking(2, 4, 10):
        searching = case.search(limits=Limits(nodes=1000))
        searching._learn_later()
        assert min(branch.least for branch in searching.branches()) == pytest.approx(case.least)


@settings(max_examples=60)
@given(records=tables(), loss=losses())
def test_without_suppression_what_is_coarser_loses_no_less(records: Records, loss: Loss) -> None:
    space = space_of(records)
    found = LevelSearch(space, Goals(k=1), loss, keep=space.nodes).find_least_lossy().best
    lost = {each.vector: each.loss for each in found}
    assert len(lost) == space.nodes
    for vector in lost:
        for column in range(len(vector)):
            finer = (*vector[:column], vector[column] - 1, *vector[column + 1 :])
            assert vector[column] == 0 or lost[finer] <= lost[vector] + TIE


@settings(max_examples=100)
@given(case=cases, seed=st.integers(0, 99))
def test_shuffling_records_changes_nothing(case: Case, seed: int) -> None:
    by = list(range(len(case.records.rows)))
    Random(seed).shuffle(by)
    persons = case.records.persons
    shuffled = replace(
        case.records,
        rows=tuple(case.records.rows[place] for place in by),
        persons=tuple(persons[place] for place in by) if persons else None,
        sensitive=tuple(tuple(column[place] for place in by) for column in case.records.sensitive),
    )
    assert replace(case, records=shuffled).find(keep=3) == case.find(keep=3)


@settings(max_examples=100)
@given(case=cases, seed=st.integers(0, 99))
def test_numbering_values_otherwise_changes_nothing(case: Case, seed: int) -> None:
    """Codes go by the first appearance of a value: they say nothing of it."""
    columns_, rows = [], [list(row) for row in case.records.rows]
    for place, column in enumerate(case.records.columns):
        new = list(range(column.present))
        Random(seed).shuffle(new)
        by_new = sorted(range(column.present), key=new.__getitem__)
        present = tuple(column.values[value] for value in by_new)
        columns_.append(replace(column, values=present + column.values[column.present :]))
        for row in rows:
            row[place] = new[row[place]]
    renumbered = replace(case.records, columns=tuple(columns_), rows=tuple(map(tuple, rows)))
    assert replace(case, records=renumbered).find(keep=3) == case.find(keep=3)


def larger_table(persons: bool) -> Records:
    """300 records of 8, 6 and 5 values, the first of them frequent."""
    chance = Random(7)
    asked = (
        oracle.Column("a", tuple((str(v), f"{v // 2}", f"{v // 4}", "*") for v in range(9)), 8),
        oracle.Column("b", tuple((str(v), f"{v // 3}", "*") for v in range(6)), 6),
        oracle.Column("c", tuple((str(v), f"{min(v, 2)}") for v in range(5)), 5),
    )
    rows = tuple(tuple(int(column.present * chance.random() ** 2) for column in asked) for _ in range(300))
    who = tuple(chance.randrange(120) for _ in rows) if persons else None
    return Records(asked, rows, who, (tuple(chance.randrange(3) for _ in rows),), (3,))


@pytest.mark.parametrize("name", LOSS_NAMES)
@pytest.mark.parametrize(
    "wish",
    [
        Wish(k=4),
        Wish(k=5, suppress=0.12),
        Wish(k=30, suppress=0.05),
        Wish(k=2, suppress=0.3, average_risk=0.1, diverse=2),
        Wish(k=3, suppress=0.4, close=0.3, ordered=True),
    ],
)
def test_a_larger_table(name: LossName, wish: Wish) -> None:
    case = case_of(larger_table(persons=wish.average_risk is not None), wish, Loss(name))
    assert case.best
    for keep in (1, 7):
        case.check_complete(case.find(keep=keep), keep)
    with patch.object(level_search, "MANY", 0):
        check_stopped(case, case.find(keep=2, limits=Limits(nodes=5)), 2)
        case.check_complete(case.find(keep=2, limits=Limits(nodes=1000)), 2)


@pytest.fixture(scope="module")
def adult(arx_adult: Path) -> Space:
    options = pyarrow.csv.ParseOptions(delimiter=";")
    as_text = pyarrow.csv.ConvertOptions(column_types={"age": pyarrow.string()})
    table = pyarrow.csv.read_csv(arx_adult / "adult.csv", parse_options=options, convert_options=as_text)
    hierarchies, _ = read_hierarchies(arx_adult, table.column_names)
    coded = {name: table[name].combine_chunks().dictionary_encode() for name in table.column_names}
    return Space(
        levels=tuple(
            levels_over(hierarchies[name], each.dictionary.to_pylist()) for name, each in coded.items()
        ),
        codes=tuple(codes(each.indices.to_pylist()) for each in coded.values()),
    )


@pytest.mark.parametrize("at", ["without_suppression", "with_suppression"])
def test_arx_and_we_find_the_same_generalisation(adult: Space, golden: dict[str, Any], at: str) -> None:
    told = golden["arx_generalisation"][at]
    found = LevelSearch(adult, Goals(told["k"], told["suppress"]), Loss(), threads=2).find_least_lossy()
    (best,) = found.best
    assert found.complete
    assert list(best.vector) == told["levels"]
    assert best.suppressed == told["suppressed"]
    assert best.loss == pytest.approx(told["loss"], abs=5e-11)


def test_arx_finds_the_same_by_rank(adult: Space, golden: dict[str, Any]) -> None:
    """Of all that reach k = 2, ARX takes that whose largest loss of an attribute is least, then the next."""
    told = golden["arx_generalisation"]["by_rank"]
    found = LevelSearch(adult, Goals(k=told["k"]), Loss(), keep=adult.nodes).find_least_lossy().best
    costs = adult.costs(Loss())

    def ranked(candidate: Candidate) -> list[float]:
        paid = zip(costs, candidate.vector, adult.frequencies, strict=True)
        lost = (float((cost.at[level] * has).sum() - cost.low) / cost.span for cost, level, has in paid)
        return sorted(lost, reverse=True)

    best = min(found, key=ranked)
    assert best.classes == told["classes"]
    assert best.classes / adult.records == told["average_risk"]


def test_a_share_is_taken_as_it_is_written() -> None:
    assert Goals(suppress=0.29).budget(100) == 29
    assert Goals(suppress=0.07).budget(100) == 7
    assert Goals(suppress=0.999).budget(1000) == 999
    assert Goals(suppress=1e-05).budget(99_999) == 0
    assert Goals(suppress=1.0).budget(3) == 3
    assert Goals().budget(3) == 0


def test_what_is_monotone() -> None:
    one_record_each = (
        Goals(k=3, average_risk=0.1, close=0.2),
        Goals(k=3, suppress=0.1, diverse=2),
        Goals(entropy_l=2, recursive_c=3, beta_basic=1, beta_enhanced=1, delta=1, alpha=0.5),
    )
    assert all(goals.is_monotone(people=False) for goals in one_record_each)
    assert not any(goals.is_monotone(people=True) for goals in one_record_each)
    assert Goals(k=3, diverse=1).is_monotone(people=True)
    for name in ("average_risk", "close", *LIMITS):
        limit: dict[str, Any] = {name: 1.0}
        assert not Goals(k=3, suppress=0.1, **limit).is_monotone(people=False)
    assert not Goals(delta_of_present=1).is_monotone(people=False)
    assert Goals(k=3, suppress=0.1, diverse=2, alpha=0.5).monotone_part(people=False) == Goals(
        k=3, suppress=0.1, diverse=2
    )


def test_goals_name_every_mistake_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        Goals(k=0, suppress=1.5, average_risk=-1, diverse=True, close=float("nan"), closeness="far")  # type: ignore[arg-type]
    for wrong in ("k: 0", "suppress: 1.5", "average_risk: -1", "diverse: True", "close: nan", "'far'"):
        assert wrong in str(caught.value)
