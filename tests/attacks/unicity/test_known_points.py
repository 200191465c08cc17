"""Known points: every choice of points by hand on small histories, laws, and unicity of real purchases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any
from unittest.mock import Mock

import numpy
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from singleout.attacks.unicity import points_index
from singleout.attacks.unicity.fewest_left_kernels import drop_needless_sets, fewest_candidates
from singleout.attacks.unicity.known_points import Narrowed, combinations_of, known_points
from singleout.attacks.unicity.points_index import CommonPoints, PointOwners
from singleout.engine.codes.histories import Histories, History
from singleout.errors import InputError, UsageError
from singleout.progress import silent
from singleout.roles.known_column import KnownColumn

Record = tuple[str | None, str | None, str | None]
Table = list[list[Record]]

DAYS = ("2011-01-30", "2011-01-31", "2011-02-01", "2011-02-03")
PRICES = ("1.00", "1.05", "1.10", "2")
GOODS = ("a1", "a2", "b1", None)
DICTIONARIES: dict[str, tuple[str | None, ...]] = {"day": (*DAYS, None), "price": PRICES, "goods": GOODS}
RECORDS = st.tuples(*(st.sampled_from(values) for values in DICTIONARIES.values()))


@dataclass(frozen=True)
class Case:
    """People of the original and of the release with their records, and whose release it is."""

    original: Table
    release: Table
    truth: list[int]

    def coded(self) -> Histories:
        return Histories(history(self.original), history(self.release), DICTIONARIES)

    def known(self, columns: Sequence[KnownColumn], points: Sequence[int], **options: Any) -> list[Narrowed]:
        return known(self.coded(), self.truth, columns, points, **options)


def known(
    histories: Histories,
    truth: Sequence[int],
    columns: Sequence[KnownColumn],
    points: Sequence[int],
    **options: Any,
) -> list[Narrowed]:
    asked: dict[str, Any] = {
        "worst": False,
        "draws": 3,
        "narrow": (1, 2),
        "seed": 0,
        "threads": 1,
        "progress": silent,
    }
    whose = numpy.array(truth, dtype=numpy.int64)
    return list(known_points(histories, whose, columns, points, **(asked | options)))


def history(people: Table) -> History:
    person = [number for number, records in enumerate(people) for _ in records]
    rows = [record for records in people for record in records]
    codes = {
        name: numpy.array([values.index(row[place]) for row in rows], dtype=numpy.uint32)
        for place, (name, values) in enumerate(DICTIONARIES.items())
    }
    return History(len(people), numpy.array(person, dtype=numpy.uint32), codes)


def tables(fewest: int) -> st.SearchStrategy[Table]:
    return st.lists(st.lists(RECORDS, max_size=5), min_size=fewest, max_size=6)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A release that keeps some records of its originals and adds others, of more or fewer people."""
    original = draw(tables(1))
    truth = draw(st.lists(st.integers(-1, len(original) - 1), min_size=1, max_size=6))
    release = []
    for whose in truth:
        kept = [record for record in original[whose] if draw(st.booleans())] if whose >= 0 else []
        release.append(kept + draw(st.lists(RECORDS, max_size=2)))
    return Case(original, release, truth)


def cut(column: KnownColumn, value: str | None) -> Any:
    if value is None:
        return None
    if column.granularity == "month":
        return value[:7]
    if column.granularity == "first 1":
        return value[:1]
    if column.granularity == "round 0.5":
        return Fraction(value) // Fraction(1, 2)
    return value


def agree(column: KnownColumn, known: Any, other: Any) -> bool:
    if known is None or other is None or column.tolerance is None:
        return bool(known == other)
    if column.tolerance == "1 day":
        return abs((date.fromisoformat(known) - date.fromisoformat(other)).days) <= 1
    width = abs(Fraction(known)) / 20 if column.tolerance == "5%" else Fraction(column.tolerance)
    return abs(Fraction(known) - Fraction(other)) <= width


PLACES = {name: place for place, name in enumerate(DICTIONARIES)}
COLUMNS = [
    [KnownColumn("goods")],
    [KnownColumn("day", "month"), KnownColumn("goods", "first 1")],
    [KnownColumn("price", "round 0.5")],
    [KnownColumn("goods"), KnownColumn("day", None, "1 day")],
    [KnownColumn("price", None, "5%")],
    [KnownColumn("day", "day", "1 day"), KnownColumn("goods"), KnownColumn("price", None, "0.05")],
    [KnownColumn("day", None, "1 day"), KnownColumn("price", None, "5%")],
]
KNOWN = st.sampled_from(COLUMNS)


def points_of(columns: Sequence[KnownColumn], records: list[Record]) -> list[tuple[Any, ...]]:
    """The distinct points of a person."""
    found = [tuple(cut(column, record[PLACES[column.name]]) for column in columns) for record in records]
    return list(dict.fromkeys(found))


def candidates_by_hand(
    case: Case, columns: Sequence[KnownColumn], points: Sequence[tuple[Any, ...]]
) -> set[int]:
    def fits(known: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
        return all(agree(*each) for each in zip(columns, known, other, strict=True))

    fitting = [
        sum(any(fits(point, other) for other in points_of(columns, records)) for point in points)
        for records in case.release
    ]
    return {person for person, number in enumerate(fitting) if number == max(fitting) > 0 or not points}


def outcome(person: int, candidates: set[int]) -> tuple[int, float]:
    """How many candidates, and the credit."""
    return len(candidates), 1 / len(candidates) if person in candidates else 0.0


def only(case: Case, person: int) -> Case:
    """The same case with one target, so that its numbers can be read from the means."""
    truth = [whose if other == person else -1 for other, whose in enumerate(case.truth)]
    return Case(case.original, case.release, truth)


def seen(found: Narrowed, person: int) -> tuple[int, float]:
    assert found.candidates is not None
    assert found.unique * found.people == pytest.approx(int(found.candidates == 1))
    for most, share in found.narrowed.items():
        assert share * found.people == pytest.approx(int(1 <= found.candidates <= most))
    assert not numpy.delete(found.credit, person).any()
    return round(found.candidates), float(found.credit[person])


@given(cases(), KNOWN, st.integers(0, 9))
def test_a_draw_is_an_order_of_the_points(case: Case, columns: list[KnownColumn], seed: int) -> None:
    for person, whose in enumerate(case.truth):
        if whose < 0:
            continue
        results = only(case, person).known(columns, (1, 2, 3, 9), draws=1, seed=seed)
        found = [seen(each, person) for each in results]
        orders = [
            [outcome(person, candidates_by_hand(case, columns, order[:most])) for most in (1, 2, 3, 9)]
            for order in permutations(points_of(columns, case.original[whose]))
        ]
        assert found in orders


@settings(max_examples=25)
@given(cases(), KNOWN)
def test_the_mean_over_draws_is_that_over_all_choices(case: Case, columns: list[KnownColumn]) -> None:
    results = case.known(columns, (1, 2), draws=4000)
    for points, found in zip((1, 2), results, strict=True):
        counts = []
        for person, whose in enumerate(case.truth):
            if whose < 0:
                assert found.credit[person] == 0
                continue
            own = points_of(columns, case.original[whose])
            each = [
                outcome(person, candidates_by_hand(case, columns, chosen))
                for chosen in combinations(own, min(points, len(own)))
            ]
            counts.append([count for count, _ in each])
            # four deviations of a mean of 4000 numbers from 0 to 1
            assert found.credit[person] == pytest.approx(
                numpy.mean([credit for _, credit in each]), abs=0.032
            )
        assert found.people == len(case.release)
        unique = [numpy.mean([count == 1 for count in each]) for each in counts]
        assert found.unique == pytest.approx(sum(unique) / found.people, abs=0.032)
        within = [numpy.mean([1 <= count <= 2 for count in each]) for each in counts]
        assert found.narrowed[2] == pytest.approx(sum(within) / found.people, abs=0.032)
        assert (found.candidates is None) == (not counts)
        if counts:
            mean = numpy.mean([numpy.mean(each) for each in counts])
            assert found.candidates == pytest.approx(mean, abs=0.032 * found.people)


@given(cases(), KNOWN)
def test_all_points_known_needs_no_chance(case: Case, columns: list[KnownColumn]) -> None:
    (found,) = case.known(columns, [9])
    outcomes = [
        outcome(person, candidates_by_hand(case, columns, points_of(columns, case.original[whose])))
        for person, whose in enumerate(case.truth)
        if whose >= 0
    ]
    credit = iter(outcomes)
    assert found.credit.tolist() == [next(credit)[1] if whose >= 0 else 0 for whose in case.truth]
    assert found.unique == sum(count == 1 for count, _ in outcomes) / found.people
    if outcomes:
        assert found.candidates == sum(count for count, _ in outcomes) / len(outcomes)


EXACT = st.sampled_from([each for each in COLUMNS if not any(column.tolerance for column in each)])


def record_points(columns: Sequence[KnownColumn], records: list[Record]) -> list[tuple[Any, ...]]:
    """The points of a person, each as often as it is there."""
    return [tuple(cut(column, record[PLACES[column.name]]) for column in columns) for record in records]


def copies_of(points: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Whoever knows a point twice knows its first and its second copy."""
    return [(*point, points[:index].count(point)) for index, point in enumerate(points)]


def repeated_candidates(
    case: Case, columns: Sequence[KnownColumn], points: Sequence[tuple[Any, ...]]
) -> set[int]:
    fitting = [
        len({*copies_of(points)} & {*copies_of(record_points(columns, records))}) for records in case.release
    ]
    return {person for person, number in enumerate(fitting) if number == max(fitting) > 0 or not points}


@settings(max_examples=40)
@given(cases(), EXACT)
def test_repeated_records_are_known_as_often_as_they_are_drawn(
    case: Case, columns: list[KnownColumn]
) -> None:
    results = case.known(columns, (1, 2, 3), draws=3000, repeated=True)
    every = (*case.original, *case.release)
    assert bool(results) == any(len({*record_points(columns, each)}) < len(each) for each in every)
    for found in results:
        for person, whose in enumerate(case.truth):
            own = record_points(columns, case.original[whose]) if whose >= 0 else []
            credit = [
                outcome(person, repeated_candidates(case, columns, chosen))[1]
                for chosen in combinations(own, min(found.points, len(own)))
            ]
            by_hand = numpy.mean(credit) if whose >= 0 else 0
            assert found.credit[person] == pytest.approx(by_hand, abs=0.04)
        assert found.repeated and found.rate <= found.bound + 1e-12


def likely_by_hand(people: Sequence[Sequence[Any]], person: int, known: int) -> float:
    """Over all choices of so many of a person's points: everybody is named of whom most choices are that."""

    def choices(own: Sequence[Any]) -> list[tuple[Any, ...]]:
        return [tuple(sorted(each, key=repr)) for each in combinations(own, min(known, len(own)))]

    of_each, credit = [choices(own) for own in people], []
    for chosen in of_each[person]:
        chances = [Fraction(every.count(chosen), len(every)) for every in of_each]
        credit.append(chances.count(max(chances)) if chances[person] == max(chances) else 0)
    return float(numpy.mean([1 / each if each else 0 for each in credit]))


@settings(max_examples=40)
@given(st.lists(st.lists(RECORDS, min_size=1, max_size=5), min_size=1, max_size=6), EXACT, st.booleans())
def test_the_likeliest_candidate_is_that_of_bayes(
    people: Table, columns: list[KnownColumn], repeated: bool
) -> None:
    case = Case(people, people[::-1], [*reversed(range(len(people)))])
    points = record_points if repeated else points_of
    every = [points(columns, records) for records in case.release]
    for found in case.known(columns, (1, 2, 3), draws=3000, repeated=repeated):
        assert found.weighed is not None and found.weighed.by_chance
        for person in range(len(people)):
            by_hand = likely_by_hand(every, person, found.points)
            assert found.weighed.credit[person] == pytest.approx(by_hand, abs=0.04)
        assert found.weighed.rate <= found.bound + 1e-12
        assert found.weighed.rate >= found.rate - 0.04


def test_of_many_candidates_some_stand_for_all() -> None:
    """Everybody has bought tea and an item that nobody else has; the last one nothing but tea."""
    people = 3000
    person = numpy.repeat(numpy.arange(people, dtype=numpy.uint32), 2)[:-1]
    goods = numpy.where(numpy.arange(len(person)) % 2 == 0, 0, person + 1).astype(numpy.uint32)
    shop = History(people, person, {"goods": goods})
    values = tuple(str(each) for each in range(people + 1))
    truth = numpy.arange(people, dtype=numpy.int64)
    (found,) = known(Histories(shop, shop, {"goods": values}), truth.tolist(), [KnownColumn("goods")], [1])
    weighed = found.weighed
    assert weighed is not None and weighed.credit[-1] == 1 and found.credit[-1] < 0.001
    # who has a second item is never likelier by the first than the last one, who may not be among those seen
    assert 0.45 < weighed.rate < 0.55 and weighed.rate <= weighed.bound


def test_a_likelier_candidate_far_back_is_found() -> None:
    """Everybody has bought tea and an item that nobody else has; one in the middle nothing but tea."""
    people, alone = 100, 60
    goods = [[0, 1 + each] if each != alone else [0] for each in range(people)]
    person = numpy.repeat(numpy.arange(people, dtype=numpy.uint32), [len(own) for own in goods])
    shop = History(people, person, {"goods": numpy.concatenate(goods).astype(numpy.uint32)})
    values = tuple(str(each) for each in range(people + 1))
    both = Histories(shop, shop, {"goods": values})
    (found,) = known(both, range(people), [KnownColumn("goods")], [1], draws=20)
    assert found.weighed is not None and found.weighed.credit[alone] == 1
    drew_own = (found.credit * people - 1) / (people - 1)  # else tea, which fits all
    others = numpy.arange(people) != alone
    assert found.weighed.credit[others] == pytest.approx(drew_own[others])


@pytest.mark.parametrize("repeated", [False, True])
def test_the_likeliest_are_not_weighed_where_others_recognise_more(repeated: bool) -> None:
    shop = many_people(3)
    both = Histories(shop, shop, DICTIONARIES)

    def look(least: dict[int, float] | None) -> list[Narrowed]:
        columns, truth = [KnownColumn("goods")], range(shop.people)
        return known(both, truth, columns, [1, 3], repeated=repeated, least=least)

    every = [(each, each.weighed) for each in look(None)]
    rates = {each.points: weighed.rate for each, weighed in every if weighed is not None}
    assert len(rates) == 2
    for least in (rates, rates | {1: 1.0}):
        for (each, weighed), again in zip(every, look(least), strict=True):
            assert weighed is not None and again.weighed is not None
            assert again.weighed.credit.tolist() == weighed.credit.tolist()
            assert again.credit.tolist() == each.credit.tolist()
    for (each, _), again in zip(every, look(dict.fromkeys(rates, 1.0)), strict=True):
        assert again.weighed is None
        assert again.credit.tolist() == each.credit.tolist() and again.found == each.found


def test_a_known_share_tells_how_many_records_there_are() -> None:
    """A tenth of ten records is one, of twenty two: tea alone is not what is known of the second."""
    tea: list[Record] = [(DAYS[0], PRICES[0], "a1")]
    release = [tea * 10, tea * 20, tea * 12]
    case = Case([tea, tea * 2, tea * 2], release, [0, 1, 2])
    asked: dict[str, Any] = {"repeated": True, "share": 0.1}
    (found,) = case.known([KnownColumn("goods")], [9], **asked)
    assert found.credit.tolist() == pytest.approx([1 / 3] * 3)
    assert found.weighed is not None and found.weighed.credit.tolist() == [1, 0.5, 0.5]


@given(cases(), EXACT)
def test_at_worst_repeated_records_err_on_the_safe_side(case: Case, columns: list[KnownColumn]) -> None:
    for found in case.known(columns, (1, 2, 3), worst=True, repeated=True):
        for person, whose in enumerate(case.truth):
            if whose >= 0:
                own = record_points(columns, case.original[whose])
                every = [
                    outcome(person, repeated_candidates(case, columns, chosen))[1]
                    for size in range(1, min(found.points, len(own)) + 1)
                    for chosen in combinations(own, size)
                ]
                assert found.credit[person] >= max(every, default=0.0) - 1e-12
        assert found.rate <= found.bound + 1e-12


def worst_by_hand(case: Case, columns: Sequence[KnownColumn], person: int, most: int) -> tuple[int, float]:
    own = points_of(columns, case.original[case.truth[person]])
    if not own:
        return outcome(person, set(range(len(case.release))))
    every = [
        outcome(person, candidates_by_hand(case, columns, chosen))
        for size in range(1, min(most, len(own)) + 1)
        for chosen in combinations(own, size)
    ]
    best = max(credit for _, credit in every)
    return (round(1 / best), best) if best else (0, 0.0)


@given(cases(), KNOWN)
def test_the_worst_case_of_all_choices(case: Case, columns: list[KnownColumn]) -> None:
    for person, whose in enumerate(case.truth):
        if whose >= 0:
            for found in only(case, person).known(columns, (1, 2, 3, 4), worst=True):
                assert seen(found, person) == worst_by_hand(case, columns, person, found.points)
                assert found.unproven == 0


@given(cases(), KNOWN, st.booleans())
def test_threads_and_the_order_of_records_change_nothing(
    case: Case, columns: list[KnownColumn], worst: bool
) -> None:
    turned = Case([records[::-1] for records in case.original], case.release, case.truth)
    one = case.known(columns, (1, 2, 3), worst=worst)
    for other in (
        case.known(columns, (1, 2, 3), worst=worst, threads=3),
        turned.known(columns, (1, 2, 3), worst=worst),
    ):
        for left, right in zip(one, other, strict=True):
            assert left.credit.tolist() == right.credit.tolist()
            assert (left.unique, left.narrowed, left.candidates) == (
                right.unique,
                right.narrowed,
                right.candidates,
            )


@given(cases(), KNOWN, st.booleans())
def test_what_else_is_asked_changes_nothing(case: Case, columns: list[KnownColumn], worst: bool) -> None:
    (alone,) = case.known(columns, (2,), worst=worst)
    among = case.known(columns, (4, 2, 1, 2), worst=worst)
    assert [each.points for each in among] == [4, 2, 1, 2]
    for each in (among[1], among[3]):
        assert each.credit.tolist() == pytest.approx(alone.credit.tolist())
        assert (each.unique, each.candidates) == (alone.unique, alone.candidates)


@given(cases(), KNOWN, st.booleans())
def test_more_points_never_leave_more_candidates(case: Case, columns: list[KnownColumn], worst: bool) -> None:
    """Where records were changed, a random point that nobody has is followed by one that some have."""
    unchanged = Case(case.original, case.original, list(range(len(case.original))))
    results = (case if worst else unchanged).known(columns, (1, 2, 3, 4, 5), worst=worst, draws=5)
    counts = [each.candidates or 0 for each in results]
    assert counts == sorted(counts, reverse=True)
    if worst:
        assert (numpy.diff([each.credit for each in results], axis=0) >= 0).all()


COARSER = [
    ([KnownColumn("day"), KnownColumn("goods")], [KnownColumn("day", "month"), KnownColumn("goods")]),
    ([KnownColumn("goods")], [KnownColumn("goods", "first 1")]),
    ([KnownColumn("price")], [KnownColumn("price", "round 0.5")]),
    ([KnownColumn("day")], [KnownColumn("day", None, "1 day")]),
    ([KnownColumn("day"), KnownColumn("price", None, "0.05")], [KnownColumn("price", None, "5%")]),
]


@given(tables(1), st.sampled_from(COARSER))
def test_knowing_coarsely_never_leaves_fewer_candidates(
    people: Table, both: tuple[list[KnownColumn], list[KnownColumn]]
) -> None:
    """Where the release is the original: with all points known, and with the most telling ones."""
    case = Case(people, people, list(range(len(people))))
    for points, worst in [([9], False), ([1, 2], True)]:
        fine, coarse = (case.known(columns, points, worst=worst) for columns in both)
        for one, other in zip(fine, coarse, strict=True):
            assert (one.credit >= other.credit).all()
            assert one.credit.all()
            assert (one.candidates or 0) <= (other.candidates or 0)


@given(cases(), st.booleans())
def test_no_tolerance_is_exact(case: Case, worst: bool) -> None:
    exact = case.known([KnownColumn("day"), KnownColumn("price")], (1, 2), worst=worst)
    zero = case.known(
        [KnownColumn("day", None, "0 days"), KnownColumn("price", None, "0")], (1, 2), worst=worst
    )
    for one, other in zip(exact, zero, strict=True):
        assert one.credit.tolist() == other.credit.tolist()
        assert (one.unique, one.candidates) == (other.unique, other.candidates)


@given(cases(), KNOWN)
def test_points_of_more_than_64_bits(case: Case, columns: list[KnownColumn]) -> None:
    """Where keys can't hold all tuples they are closed up on the way, which changes nothing."""
    plain = case.known(columns, (1, 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("singleout.attacks.unicity.points_index.KEY_SPACE", 5)
        closed = case.known(columns, (1, 2))
    for one, other in zip(plain, closed, strict=True):
        assert one.credit.tolist() == other.credit.tolist()
        assert (one.unique, one.candidates) == (other.unique, other.candidates)


def many_people(seed: int, people: int = 150) -> History:
    """Few goods that most have, and prices that few have: points that are common, and others."""
    random = numpy.random.default_rng(seed)
    person = numpy.repeat(numpy.arange(people, dtype=numpy.uint32), 6)
    goods = random.integers(0, 4, len(person)).astype(numpy.uint32)
    price = (random.random(len(person)) ** 3 * 4).astype(numpy.uint32)
    days = random.integers(0, 5, len(person)).astype(numpy.uint32)
    return History(people, person, {"day": days, "price": price, "goods": goods})


@pytest.mark.parametrize("names", [("goods",), ("day", "goods"), ("day", "price", "goods")])
@pytest.mark.parametrize("same", [True, False])
def test_bitmaps_and_one_look_at_a_table_beside_itself_change_nothing(
    names: tuple[str, ...], same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = many_people(0)
    both = Histories(original, original if same else many_people(1), DICTIONARIES)
    assert both.are_equal() == same

    def found() -> list[Any]:
        every = known(both, range(150), [KnownColumn(name) for name in names], (1, 2, 3, 5), draws=7)
        return [(each.credit.tolist(), replace(each, credit=numpy.zeros(0)).__repr__()) for each in every]

    as_it_is = found()
    no_line = CommonPoints(numpy.full(1000, -1, dtype=numpy.int32), numpy.zeros((0, 3), dtype=numpy.uint64))
    monkeypatch.setattr("singleout.attacks.unicity.known_points.common_points", lambda _: no_line)
    monkeypatch.setattr(Histories, "are_equal", lambda _: False)
    assert found() == as_it_is


def test_people_with_the_same_points_get_the_same_number() -> None:
    """By hand, in the order of their first appearance; also where sums of different points were equal."""
    lists = [[1, 4], [2], [], [1, 4], [3], [], [2], [0, 5]]
    starts = numpy.cumsum([0, *map(len, lists)])
    owners = PointOwners(starts, numpy.concatenate(lists).astype(numpy.int32), None, None)
    assert owners.indistinguishable().tolist() == [0, 1, 2, 0, 3, 2, 1, 4]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("singleout.attacks.unicity.points_index.FACTOR", numpy.uint64(0))
        assert owners.indistinguishable().tolist() == [0, 1, 2, 0, 3, 2, 1, 4]


def test_seeds() -> None:
    people: Table = [[(day, "2", "a1") for day in DAYS[:number]] for number in (1, 2, 3, 4)]
    case = Case(people, people, [0, 1, 2, 3])
    one, same, other = (case.known([KnownColumn("day")], [2], seed=seed, draws=50)[0] for seed in (1, 1, 2))
    assert one.credit.tolist() == same.credit.tolist() != other.credit.tolist()


def test_people_of_whom_nothing_is_known_could_be_anybody() -> None:
    case = Case([[], [("2011-01-30", "2", "a1")]], [[], [("2011-01-30", "2", "b1")], []], [0, 1, -1])
    for worst in (False, True):
        (found,) = case.known([KnownColumn("goods")], [2], worst=worst, narrow=[2, 3])
        assert found.credit.tolist() == [1 / 3, 0, 0]
        assert found.narrowed == {2: 0, 3: 1 / 3}
        assert found.candidates == 1.5


def test_a_release_of_nobody_known() -> None:
    (found,) = Case([[]], [[], []], [-1, -1]).known([KnownColumn("goods")], [1])
    assert (found.credit.tolist(), found.unique, found.candidates) == ([0, 0], 0, None)


EXCLUDED = st.lists(st.sets(st.integers(0, 15), max_size=5), min_size=1, max_size=8)


@settings(max_examples=300)
@given(EXCLUDED, st.integers(2, 5), st.sampled_from([0, 1, 30]))
@example([{0, 1}, {0, 2}, {1, 3}], 2, 30)
def test_fewest_people_in_common(excluded: list[set[int]], most: int, steps: int) -> None:
    """Each set lacks a few of 17 people, spread over three words; none lacks the last one."""
    whole = sorted((set(range(17)) - each for each in excluded), key=len)
    bits = numpy.zeros((len(whole), 3), dtype=numpy.uint64)
    for place, each in enumerate(whole):
        for person in each:
            bits[place, person * 11 // 64] |= numpy.uint64(1 << person * 11 % 64)
    floor = len(set.intersection(*whole))
    fewest = min(len(set.intersection(*chosen)) for chosen in combinations(whole, min(most, len(whole))))
    needed = drop_needless_sets(bits.copy())
    assert len(needed) == len(
        [place for place, each in enumerate(whole) if not any(other <= each for other in whole[:place])]
    )
    for searched in (bits, needed):
        assert fewest_candidates(searched, most, len(whole[0]), floor, 1 << 20) == (fewest, True)
        best, proven = fewest_candidates(searched, most, len(whole[0]), floor, steps)
        assert fewest <= best <= len(whole[0])
        assert best == fewest or not proven


def test_an_unfinished_search_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten people, of whom each other one lacks another day: one more day excludes one more person."""
    days = tuple(f"2011-01-{day:02}" for day in range(1, 11))
    person = numpy.repeat(numpy.arange(11, dtype=numpy.uint32), 10)
    code = numpy.tile(numpy.arange(10, dtype=numpy.uint32), 11)
    table = History(11, person, {"day": code}).only(person != code)
    # the last person has all days; three of them exclude three of the others
    both = Histories(table, table, {"day": days})
    truth = [-1] * 10 + [10]
    (found,) = known(both, truth, [KnownColumn("day")], [3], worst=True)
    assert (found.candidates, found.unproven) == (8, 0)
    monkeypatch.setattr("singleout.attacks.unicity.known_points.MOST_STEPS", 5)
    (found,) = known(both, truth, [KnownColumn("day")], [3], worst=True)
    assert (found.candidates, found.unproven) == (8, 1)


def test_sentences() -> None:
    case = Case([[]], [[]], [0])
    month, price, goods = KnownColumn("day", "month"), KnownColumn("price", None, "5%"), KnownColumn("goods")
    (one, two) = case.known([month, price], (1, 2))
    (worst,) = case.known([month, price, goods], [2], worst=True)
    assert one.sentence() == (
        "the attacker knows 1 random record of the person by day (to the month) and price (± 5%)"
    )
    assert two.sentence().startswith(
        "the attacker knows 2 random different records of the person by day (to the month)"
    )
    assert worst.sentence() == (
        "the attacker knows the 2 most telling different records of the person by "
        "day (to the month), price (± 5%) and goods"
    )
    milk: Record = (None, "2", "a1")
    (often,) = Case([[milk, milk]], [[milk, milk]], [0]).known([goods], [2], repeated=True)
    assert often.sentence() == (
        "the attacker knows 2 random records of the person by goods, and how often each is among them"
    )


@pytest.mark.parametrize(
    ("columns", "points", "options", "message"),
    [
        ([], [1], {}, "knows no column"),
        (["goods", "goods"], [1], {}, "column 'goods' is known twice"),
        (["good"], [1], {}, "no column 'good' in both tables; did you mean 'goods'"),
        (["goods"], [], {}, "must be from 1 to 1,000"),
        (["goods"], [0], {}, "must be from 1 to 1,000"),
        (["goods"], [1001], {}, "must be from 1 to 1,000"),
        (["goods"], [1], {"draws": 0}, "0 draws can't be made; take 1 to 10,000"),
        (["goods"], [1], {"narrow": [0]}, "narrowed to fewer than 1"),
        (["good"], [0], {"draws": 0}, "no column.*known points.*draws"),
    ],
)
def test_what_can_not_be_meant(
    columns: list[str], points: list[int], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        Case([[]], [[]], [0]).known([KnownColumn(name) for name in columns], points, **options)


@pytest.mark.parametrize("truth", [[], [0, 0], [-2], [1]])
def test_a_truth_of_other_people(truth: list[int]) -> None:
    with pytest.raises(UsageError, match="for each of the 1 people of the release"):
        Case([[]], [[]], truth).known([KnownColumn("goods")], [1])


def test_a_release_without_people() -> None:
    with pytest.raises(InputError, match="the release has no people"):
        Case([[]], [], []).known([KnownColumn("goods")], [1])


def test_combinations() -> None:
    day = [KnownColumn("day"), KnownColumn("day", "month")]
    goods = [KnownColumn("goods"), KnownColumn("goods", "first 1")]
    assert combinations_of({"day": day}) == [(day[0],), (day[1],)]
    assert combinations_of({"day": day, "goods": goods, "price": []}) == [
        (day[0],), (day[1],), (goods[0],), (goods[1],),
        (day[0], goods[0]), (day[0], goods[1]), (day[1], goods[0]), (day[1], goods[1]),
    ]  # fmt: skip
    assert combinations_of({}) == []


def test_too_many_combinations_are_taken_in_step() -> None:
    long = [KnownColumn("goods", f"first {keep}") for keep in (13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)]
    steps = [KnownColumn("price", f"round {step}") for step in (1, 2, 5, 10, 20)]
    found = combinations_of({"goods": long, "price": steps})
    assert len(found) == 13 + 5 + 13
    assert found[18] == (long[0], steps[0])
    assert found[-1] == (long[12], steps[4])


def points_by_hand(purchases: Histories, names: Sequence[str]) -> list[set[tuple[int, ...]]]:
    found: list[set[tuple[int, ...]]] = [set() for _ in range(400)]
    columns = [purchases.original.codes[name].tolist() for name in names]
    for person, *point in zip(purchases.original.person.tolist(), *columns, strict=True):
        found[person].add(tuple(point))
    return found


def test_one_known_purchase_at_worst(purchases: Histories) -> None:
    """The rarest of a person's goods: how many people have it, counted in a dictionary."""
    owned = points_by_hand(purchases, ["goods"])
    buyers: dict[tuple[int, ...], int] = {}
    for point in (point for each in owned for point in each):
        buyers[point] = buyers.get(point, 0) + 1
    fewest = [min(buyers[point] for point in each) for each in owned]
    (found,) = known(purchases, range(400), [KnownColumn("goods")], [1], worst=True)
    assert found.credit.tolist() == [1 / count for count in fewest]
    assert found.unique == 121 / 400


def test_unicity_of_purchases(purchases: Histories) -> None:
    """De Montjoye's measure, estimated here with numpy's own random numbers: 400 people, 40 draws of each."""
    owned = points_by_hand(purchases, ["date", "goods"])
    random = numpy.random.default_rng(7)
    hits = numpy.zeros(4)
    for each in owned:
        points = sorted(each)
        for _ in range(40):
            order = [points[place] for place in random.permutation(len(points))[:4]]
            left = [other for other in owned if order[0] in other]
            for place in range(4):
                left = [other for other in left if set(order[: place + 1]) <= other]
                hits[place] += len(left) == 1
    found = known(purchases, range(400), [KnownColumn("date"), KnownColumn("goods")], (1, 2, 3, 4), draws=40)
    assert [each.unique for each in found] == pytest.approx((hits / 16_000).tolist(), abs=0.015)
    assert found[3].unique > 0.99


@settings(max_examples=150)
@given(cases(), KNOWN, st.booleans(), st.sampled_from([1, 3]))
def test_no_rate_is_above_its_bound(
    case: Case, columns: list[KnownColumn], worst: bool, threads: int
) -> None:
    """By hand: of people whose released points are equal, one original is named, as often as it is there."""
    groups: dict[frozenset[tuple[Any, ...]], list[int]] = {}
    for person, records in enumerate(case.release):
        groups.setdefault(frozenset(points_of(columns, records)), []).append(person)
    right = 0
    for members in groups.values():
        originals = [case.truth[person] for person in members if case.truth[person] >= 0]
        right += max(map(originals.count, originals), default=0)
    for found in case.known(columns, [1, 2, 9], worst=worst, threads=threads):
        assert found.bound == pytest.approx(right / len(case.release))
        assert found.rate <= found.bound + 1e-12
        assert sum(size * number for size, number in found.look_alikes.items()) == found.people
        low, high = found.over_draws
        assert 0 <= low <= found.rate <= high <= found.bound + 1e-12


@settings(max_examples=40)
@given(cases(), KNOWN, st.integers(0, 99))
def test_the_interval_of_draws_is_that_of_single_draws(
    case: Case, columns: list[KnownColumn], seed: int
) -> None:
    """It is the same on any number of threads, and closes where nothing is left to chance."""
    one, other = (case.known(columns, [1, 2], seed=seed, threads=threads, draws=5) for threads in (1, 3))
    assert [intervals(each) for each in one] == [intervals(each) for each in other]
    (everything,) = case.known(columns, [9], seed=seed)
    assert all(low == high for low, high in intervals(everything))
    assert everything.over_draws == (everything.rate, everything.rate)
    for each in (*one, everything):
        numbers = (each.rate, each.unique, *each.narrowed.values(), each.candidates)
        for number, (low, high) in zip(numbers, intervals(each), strict=False):
            assert number is not None and low - 1e-12 <= number <= high + 1e-12


def intervals(found: Narrowed) -> list[tuple[float, float]]:
    """Of the rate, those who are unique and narrowed down, and the candidates if anybody has an original."""
    candidates = [] if found.candidates_over_draws is None else [found.candidates_over_draws]
    return [found.over_draws, found.unique_over_draws, *found.narrowed_over_draws.values(), *candidates]


def test_the_ends_over_draws_hold_the_expected_numbers() -> None:
    """Over 400 seeds the stated 90 % hold, and the safe end is beyond the truth in at most 6 %."""
    people, goods = 12, tuple(f"item {number}" for number in range(30))
    draw = numpy.random.default_rng(5)
    own = [draw.choice(30, 8, replace=False, p=numpy.arange(1, 31) / 465) for _ in range(people)]
    person = numpy.repeat(numpy.arange(people), 8).astype(numpy.uint32)
    shop = History(people, person, {"goods": numpy.concatenate(own).astype(numpy.uint32)})
    both, owners = Histories(shop, shop, {"goods": goods}), numpy.bincount(numpy.concatenate(own))
    left = numpy.array([owners[items] for items in own])
    for draws in (1, 2, 10):
        found = [
            known(both, range(people), [KnownColumn("goods")], [1], draws=draws, seed=seed, narrow=[3])[0]
            for seed in range(400)
        ]
        for expected, ends, safe in (
            ((1 / left).mean(), [each.over_draws for each in found], 1),
            ((left == 1).mean(), [each.unique_over_draws for each in found], 1),
            ((left <= 3).mean(), [each.narrowed_over_draws[3] for each in found], 1),
            (left.mean(), [each.candidates_over_draws or (0.0, 0.0) for each in found], 0),
        ):
            assert sum(low <= expected <= high for low, high in ends) >= 0.88 * 400, draws
            beyond = [each[safe] < expected if safe else each[safe] > expected for each in ends]
            assert sum(beyond) <= 0.06 * 400, draws


def test_draws_that_are_all_alike_leave_a_doubt() -> None:
    """One telling record of many is met in few draws: an estimate without spread is no certainty."""
    records: list[Record] = [(day, PRICES[0], GOODS[0]) for day in DAYS]
    case = Case([records, records[:3]], [records, records[:3]], [0, 1])
    (found,) = case.known([KnownColumn("day")], [1], draws=2, seed=0)
    expected = ((3 * 0.5 + 1) / 4 + 0.5) / 2
    assert found.over_draws[0] < expected < found.over_draws[1]


@pytest.mark.parametrize("worst", [False, True])
def test_points_that_are_numbered_once_tell_the_same(worst: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of knowing records, one after the other, as attacks look at them."""
    records: list[Record] = [(day, PRICES[0], GOODS[0]) for day in (*DAYS, DAYS[0])]
    case = Case([records, records[:3]], [records[1:], records[:4]], [0, 1])
    both, columns = case.coded(), (KnownColumn("day"),)
    often = Mock(wraps=points_index._numbers)
    monkeypatch.setattr(points_index, "_numbers", often)
    shared = points_index.PeoplePoints(both, columns, 1)
    ways = [{"repeated": repeated, "worst": worst} for repeated in (False, True)]
    together = [each for way in ways for each in known(both, [0, 1], columns, [1, 2], numbered=shared, **way)]
    assert often.call_count == 1
    apart = [each for way in ways for each in known(both, [0, 1], columns, [1, 2], **way)]
    assert [(each.rate, each.unique, each.bound) for each in together] == [
        (each.rate, each.unique, each.bound) for each in apart
    ]
    assert len(together) == 4


def test_points_beyond_what_they_are_numbered_in_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their numbers would begin anew, and people be taken for others."""
    monkeypatch.setattr(points_index, "MOST_NUMBERED", 3)
    person, letter = (numpy.array(each, dtype=numpy.uint32) for each in ([0, 0, 1, 1], [0, 1, 2, 3]))
    shop = History(2, person, {"a": letter})
    both = Histories(shop, shop, {"a": tuple("wxyz")})
    with pytest.raises(InputError, match="4 different known records are too many"):
        known_points(
            both, numpy.array([0, 1]), [KnownColumn("a")], [1], worst=False, draws=1, narrow=[1], seed=0,
            threads=1, progress=silent,
        )  # fmt: skip
