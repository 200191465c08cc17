"""Linkage by how likely released records are, given the original ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.attacks.attempt import Attempt, run_linkage
from singleout.attacks.record_linkage import candidate_records
from singleout.attacks.record_linkage.bayes_linkage import BayesLinkage
from singleout.attacks.record_linkage.column_likelihood import (
    AnyValue,
    ColumnLikelihood,
    EqualValues,
    MovedNumbers,
    NoiseKind,
    RedrawnByMatrix,
    RedrawnValues,
)
from singleout.engine.codes.histories import Histories, History
from singleout.errors import UsageError
from singleout.progress import silent
from tests.by_hand.bayes_linkage_by_hand import scores
from tests.by_hand.nearest_by_hand import Table, Value, check, coded, tables

# sums and differences of these are exact in binary digits
NUMBERS = ["-2", "0", "1", "1.25", "2", "3.5", "8", "?", "*", None]
CELLS: dict[str, st.SearchStrategy[Value]] = {
    "job": st.sampled_from(["cook", "clerk", "*", None]),
    "town": st.sampled_from(["Ulm", "Bonn", None]),
    "price": st.sampled_from(NUMBERS),
    "number": st.sampled_from(NUMBERS),
    "goods": st.sampled_from(["a", "b", "c", None]),
}
COLUMNS = list(CELLS)
TABLES = tables(CELLS, 3)
SOME = TABLES.filter(lambda table: table.people > 0)
EXACT: dict[str, ColumnLikelihood] = {name: EqualValues() for name in COLUMNS}


def cells_of(row: Mapping[str, Value]) -> tuple[Value, ...]:
    return tuple(row[name] for name in COLUMNS)


def numbers_of(values: tuple[Value, ...]) -> numpy.ndarray[Any, Any]:
    return numpy.array([math.nan if value in ("?", "*", None) else float(value or 0) for value in values])


@st.composite
def moves(draw: st.DrawFn, values: tuple[Value, ...]) -> ColumnLikelihood:
    kinds: list[NoiseKind] = ["uniform", "normal", "laplace"]
    noise = draw(st.sampled_from(kinds))
    if draw(st.integers(0, 4)) == 0:
        return MovedNumbers(numbers_of(values), "days", draw(st.sampled_from([1, 2])))
    scale, half = draw(st.sampled_from([0.25, 0.5, 2])), draw(st.sampled_from([0, 0.03125, 0.125, 1]))
    return MovedNumbers(numbers_of(values), noise, scale, draw(st.booleans()), half)


@st.composite
def models_of(draw: st.DrawFn, both: Histories) -> dict[str, ColumnLikelihood]:
    chances = st.sampled_from([0, 0.25, 0.5, 1])

    def model(name: str) -> ColumnLikelihood:
        size = len(both.values[name])
        if name in ("price", "number") and draw(st.integers(0, 3)):
            return draw(moves(both.values[name]))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            return AnyValue()
        if kind == 1:
            return RedrawnValues(draw(chances), numpy.array([draw(chances) for _ in range(size)]))
        if kind == 2:
            rows = [[draw(chances) for _ in range(size)] for _ in range(size)]
            return RedrawnByMatrix(numpy.array(rows, dtype=float).reshape(size, size))
        return EqualValues()

    return {"job": EqualValues(), **{name: model(name) for name in COLUMNS[1:]}}


def attempt(linkage: BayesLinkage, truth: numpy.ndarray[Any, Any], people: int) -> Attempt:
    return run_linkage("bayes", "", 1.0, linkage, truth, people, silent)[0]


@settings(max_examples=200, deadline=None)
@given(TABLES, TABLES, st.data(), st.sampled_from([1, 2]), st.sampled_from([0.01, 0.5]))
@pytest.mark.parametrize(("orders", "few"), [(24, 32), (24, 0), (1, 0), (0, 0)])
def test_the_definition(
    orders: int, few: int, original: Table, release: Table, data: st.DataObject, threads: int, epsilon: float
) -> None:
    """Also where windows are always used, and where most patterns have no order of their own."""
    both = coded(original, release, COLUMNS)
    models = data.draw(models_of(both))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidate_records, "MOST_ORDERS", orders)
        patch.setattr(candidate_records, "FEW", few)
        linkage = BayesLinkage.of(both, models, threads, epsilon=epsilon)
    by_hand = scores(original, release, models, both.values, epsilon)
    check(linkage, by_hand, original.people)
    scored_first = BayesLinkage.of(both, models, threads, epsilon=epsilon)
    left, right = numpy.indices((release.people, original.people)).reshape(2, -1)
    assert scored_first.score(left, right).tolist() == linkage.score(left, right).tolist()


@given(SOME, SOME, st.data())
def test_who_has_as_many_records_comes_first_among_who_has_some(
    original: Table, release: Table, data: st.DataObject
) -> None:
    both = coded(original, release, COLUMNS)
    models = data.draw(models_of(both))
    plain, counted = (BayesLinkage.of(both, models, counted=each) for each in (False, True))
    left, right = numpy.indices((release.people, original.people)).reshape(2, -1)
    known, seen = both.original.records_of_each(), both.release.records_of_each()
    score = plain.score(left, right)
    first = (score > 0) & (seen[left] == known[right])
    by_hand = (score + numpy.where(first, 2.0**28, 0)).reshape(release.people, -1)
    assert counted.score(left, right).reshape(by_hand.shape).tolist() == by_hand.tolist()
    best = counted.best(3, silent)
    order = numpy.lexsort((numpy.indices(by_hand.shape)[1], -by_hand))
    most = min(3, original.people)
    assert best.person.tolist() == order[:, :most].tolist()
    assert best.score.tolist() == numpy.take_along_axis(by_hand, order, 1)[:, :most].tolist()


@given(TABLES)
def test_who_looks_alike(release: Table) -> None:
    """Also by columns that say nothing."""
    both = coded(release, release, COLUMNS)
    looks = [Counter(map(cells_of, release.of(who))) for who in range(release.people)]
    for models in (EXACT, {**EXACT, "goods": AnyValue()}):
        alike = BayesLinkage.of(both, models).indistinguishable().tolist()
        assert [looks.index(look) for look in looks] == [alike.index(number) for number in alike]


@given(SOME, st.permutations(range(18)), st.data())
def test_the_order_of_records_changes_nothing(table: Table, order: list[int], data: st.DataObject) -> None:
    rows = tuple(table.rows[index] for index in order if index < len(table.rows))
    both, shuffled = coded(table, table, COLUMNS), Table(table.people, rows)
    models = data.draw(models_of(both))
    again = coded_as(both, shuffled)
    one, other = (BayesLinkage.of(each, models).best(3, silent) for each in (both, again))
    assert one.person.tolist() == other.person.tolist()
    assert one.score.tolist() == other.score.tolist()
    assert one.tied_last.tolist() == other.tied_last.tolist()


def coded_as(both: Histories, table: Table) -> Histories:
    """Another table in the same codes."""
    person = numpy.array([who for who, _ in table.rows], dtype=numpy.uint32)
    codes = {
        name: numpy.array([values.index(row[name]) for _, row in table.rows], dtype=numpy.uint32)
        for name, values in both.values.items()
    }
    history = History(table.people, person, codes)
    return Histories(history, history, both.values)


@given(st.lists(st.fixed_dictionaries(CELLS), min_size=1, max_size=12))
def test_exact_columns_give_one_over_the_class_size(rows: list[dict[str, Value]]) -> None:
    table = Table(len(rows), tuple(enumerate(rows)))
    both = coded(table, table, COLUMNS)
    nothing_missing = {name: numpy.zeros(len(values), dtype=bool) for name, values in both.values.items()}
    linkage = BayesLinkage.of(both, EXACT, missing=nothing_missing)
    found = attempt(linkage, numpy.arange(len(rows)), len(rows))
    sizes = Counter(map(cells_of, rows))
    assert found.credit.tolist() == pytest.approx([1 / sizes[cells_of(row)] for row in rows])
    assert found.rate == pytest.approx(found.bound)


@given(SOME, SOME, st.data())
def test_no_rate_exceeds_its_bound(original: Table, release: Table, data: st.DataObject) -> None:
    both = coded(original, release, COLUMNS)
    truth = st.lists(st.integers(-1, original.people - 1), min_size=release.people, max_size=release.people)
    linkage = BayesLinkage.of(both, data.draw(models_of(both)))
    found = attempt(linkage, numpy.array(data.draw(truth)), original.people)
    assert found.bound is not None
    assert found.rate <= found.bound + 1e-12


@given(TABLES, SOME, st.data())
def test_only_some_people_are_asked(original: Table, release: Table, data: st.DataObject) -> None:
    both = coded(original, release, COLUMNS)
    linkage = BayesLinkage.of(both, data.draw(models_of(both)))
    people = numpy.array(
        data.draw(st.lists(st.integers(0, release.people - 1), unique=True)), dtype=numpy.int64
    )
    some, whole = linkage.only(people), linkage.best(3, silent).at(people)
    best = some.best(3, silent)
    assert best.person.tolist() == whole.person.tolist()
    assert best.score.tolist() == whole.score.tolist()
    assert best.tied_last.tolist() == whole.tied_last.tolist()
    assert some.work() <= linkage.work()
    alike, all_alike = some.indistinguishable(), linkage.indistinguishable()[people]
    assert ((alike[:, None] == alike) == (all_alike[:, None] == all_alike)).all()


def noisy(people: int, seed: int = 0) -> tuple[Histories, dict[str, ColumnLikelihood]]:
    """One record each: a town, and an income that was moved by normal noise."""
    random = numpy.random.default_rng(seed)
    town, income = random.integers(0, 20, people), random.integers(0, 5000, people)
    moved = numpy.clip(numpy.rint(income + random.normal(0, 20, people)), -100, 5100).astype(int)
    person = numpy.arange(people, dtype=numpy.uint32)
    sides = [
        History(
            people, person, {"town": town.astype(numpy.uint32), "income": (each + 100).astype(numpy.uint32)}
        )
        for each in (income, moved)
    ]
    values = {"town": tuple(map(str, range(20))), "income": tuple(str(each - 100) for each in range(5201))}
    numbers = numpy.arange(5201.0) - 100
    normal = MovedNumbers(numbers, "normal", 20, half_width=0.5)
    return Histories(sides[0], sides[1], values), {"town": EqualValues(), "income": normal}


def test_an_index_leaves_few_pairs_and_finds_who_a_posterior_finds() -> None:
    """One record each: the best candidate is the nearest income of the town, ties shared."""
    both, models = noisy(3000)
    linkage = BayesLinkage.of(both, models, 2)
    assert linkage.work() < 3000 * 3000 / 20 / 10
    town, income = (both.original.codes[name].astype(int) for name in ("town", "income"))
    here, seen = (both.release.codes[name].astype(int) for name in ("town", "income"))
    credit = []
    for who in range(3000):
        apart = numpy.where(town == here[who], abs(income - seen[who]), 10**6)
        credit.append((apart[who] == apart.min()) / (apart == apart.min()).sum())
    found = attempt(linkage, numpy.arange(3000), 3000)
    assert found.credit.tolist() == pytest.approx(credit)
    assert found.rate > 0.2


def test_any_number_of_threads_and_order_of_scores_is_the_same() -> None:
    """Also people with several records, and scores that are asked for before the best candidates."""
    both, models = noisy(2000)
    sides = [
        History(700, (side.person % 700).astype(numpy.uint32), side.codes)
        for side in (both.original, both.release)
    ]
    both = Histories(sides[0], sides[1], both.values)
    one, other = (BayesLinkage.of(both, models, threads) for threads in (1, 3))
    left, right = numpy.indices((700, 700)).reshape(2, -1)
    every = one.score(left, right).reshape(700, 700)
    assert (other.score(left, right).reshape(700, 700) == every).all()
    order = numpy.argsort(-every, axis=1, kind="stable")[:, :10]
    for best in (one.best(10, silent), other.best(10, silent)):
        assert (best.person == order).all()
        assert (best.score == numpy.take_along_axis(every, order, axis=1)).all()
        assert (best.tied_last == (every == best.score[:, -1:]).sum(axis=1)).all()
    assert (order[:, 0] == numpy.arange(700)).mean() > 0.9


def test_missing_cells_fit_anything_and_are_looked_up_by_the_others() -> None:
    both, models = noisy(500)
    lacking: Mapping[str, Any] = {
        "town": numpy.arange(20) < 5, "income": numpy.arange(5201) < 1000,
    }  # fmt: skip
    linkage = BayesLinkage.of(both, models, 2, missing=lacking)
    assert linkage.work() < 500 * 500 / 3
    whole = attempt(linkage, numpy.arange(500), 500)
    assert whole.bound is not None
    assert 0.3 < whole.rate < attempt(BayesLinkage.of(both, models), numpy.arange(500), 500).rate


def test_what_is_no_model() -> None:
    numbers = numpy.zeros(2)
    for wrong, words in (
        (lambda: MovedNumbers(numbers, "cauchy", 1), "'cauchy' is none"),  # type: ignore[arg-type]
        (lambda: MovedNumbers(numbers, "normal", 0), "scale: 0 is none"),
        (lambda: MovedNumbers(numbers, "normal", 1, half_width=-1), "half width: -1"),
        (lambda: MovedNumbers(numbers, "days", 1.5), "whole days"),
        (lambda: RedrawnValues(2, numbers), "keep: 2"),
        (lambda: RedrawnValues(1, numbers - 1), "probabilities are from 0 to 1"),
        (lambda: RedrawnByMatrix(numbers), "a row and a column for each code"),
    ):
        with pytest.raises(UsageError, match=words):
            wrong()
    table = Table(1, ((0, {"job": "cook"}),))
    both = coded(table, table, ["job"])
    with pytest.raises(UsageError, match="has 1 codes, and the model of it has 2"):
        BayesLinkage.of(both, {"job": RedrawnValues(0.5, numbers)})
    with pytest.raises(UsageError, match="no column says anything"):
        BayesLinkage.of(both, {"job": AnyValue()})
    with pytest.raises(UsageError, match="epsilon: 0 is no chance"):
        BayesLinkage.of(both, {"job": EqualValues()}, epsilon=0)
