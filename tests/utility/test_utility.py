"""What a release is still good for: every metric against its definition, worked examples, and hard tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.engine.codes.histories import Histories, History
from singleout.errors import UsageError
from singleout.utility import associations
from singleout.utility import item_popularity as popularity
from singleout.utility import query_workload as workload
from singleout.utility.catalogue import UTILITY_MEASURES, utilities
from singleout.utility.column_values import read_numbers
from singleout.utility.finding import Finding
from singleout.utility.paired_columns import Meaning, PairedColumns
from singleout.utility.query_workload import queries
from singleout.utility.rfm import cut_points, rfm_error
from singleout.utility.whole_amounts import amounts
from tests.by_hand import utility_by_hand as hand
from tests.by_hand.nearest_by_hand import Table, Value, coded, tables

MEANING = Meaning(
    item="goods",
    time=("at", "date"),
    amount="price",
    number="number",
    receipt="receipt",
    category="usage",
    entry="in",
    exit="out",
    routes=("line in", "line out"),
    location="place",
    groups=("sex", "country"),
)
FEW = st.sampled_from(["a", "b", "c", None])
CELLS: dict[str, st.SearchStrategy[Value]] = {
    **dict.fromkeys(hand.ALL_COLUMNS, FEW),
    "date": st.sampled_from(["2011-01-01", "2011/1/2", "2011-01-02 06:00", "2011-02-05", None]),
    "at": st.sampled_from(["08:30", "09:00", "23:45", None]),
    "price": st.sampled_from(["1", "2.5", "-3", "0.1", "+10", "1e1", None]),
    "number": st.sampled_from(["1", "2", "3", None]),
    "receipt": st.sampled_from(["1", "2", "3", None]),
}
WORKLOAD = tuple(measure.name for measure in (*workload.COUNTS, *workload.SUMS))
NOT_WORKLOAD = [measure.name for measure in UTILITY_MEASURES if measure.name not in WORKLOAD]
IS_ONE = (
    "people_kept",
    "records_released",
    "records_kept",
    "records_true",
    "item_popularity.rank_correlation",
    "item_popularity.top_kept",
    "co_purchase.rank_correlation",
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Table, Table, list[int]]:
    """An original, a release that has some of its records, and who is who; people may have several names."""
    original = draw(tables(CELLS))
    release = draw(tables(CELLS))
    if original.rows and release.people and draw(st.booleans()):
        owner = st.integers(0, release.people - 1)
        taken = draw(
            st.lists(st.tuples(owner, st.sampled_from([row for _, row in original.rows])), max_size=6)
        )
        release = Table(release.people, (*release.rows, *taken))
    who = st.integers(-1, original.people - 1)
    return original, release, draw(st.lists(who, min_size=release.people, max_size=release.people))


def compared(original: Table, release: Table, truth: Sequence[int], **other: Any) -> PairedColumns:
    both = coded(original, release, hand.ALL_COLUMNS)
    return PairedColumns(both, numpy.array(truth, dtype=numpy.int64), **{"meaning": MEANING, **other})


def values_of(found: Sequence[Finding]) -> dict[str, float | None]:
    assert len({each.name for each in found}) == len(found)
    return {each.name: each.value for each in found}


def table(rows: Sequence[tuple[int, Mapping[str, Value]]], people: int | None = None) -> Table:
    most = max((who for who, _ in rows), default=-1) + 1
    return Table(most if people is None else people, tuple((who, dict(row)) for who, row in rows))


def small(
    original: Table, release: Table, truth: Sequence[int], meaning: Meaning, **other: Any
) -> PairedColumns:
    """With the columns that the first record has."""
    both = coded(original, release, list((original.rows or release.rows)[0][1]))
    return PairedColumns(both, numpy.array(truth, dtype=numpy.int64), meaning, **other)


def value(both: PairedColumns, name: str) -> float | None:
    (found,) = utilities(both, [name])
    return found.value


@settings(max_examples=100)
@given(pairs())
def test_every_metric_equals_its_definition(drawn: tuple[Table, Table, list[int]]) -> None:
    found = {each.name: each for each in utilities(compared(*drawn), NOT_WORKLOAD)}
    expected = hand.by_hand(*drawn)
    named = {name for name in found if name not in expected}
    assert not {name for name in named if found[name].reason != "there are no numbers"}
    for name, number in expected.items():
        value, measure = found[name].value, found[name].measure
        if number is None or value is None:
            assert (value, number) == (None, None), name
            continue
        assert value == pytest.approx(float(number), rel=1e-9, abs=1e-9), name
        assert measure.lowest <= value
        assert measure.highest is None or value <= measure.highest


@settings(max_examples=12)
@given(pairs(), st.integers(0, 3))
def test_the_workload_equals_its_definition(drawn: tuple[Table, Table, list[int]], seed: int) -> None:
    original, release, _ = drawn
    both = compared(*drawn, seed=seed)
    found = values_of(utilities(both, ["counts", "sums"]))
    if not original.rows:
        assert set(found.values()) == {None}
        return
    asked = [
        (
            query.columns,
            [
                both.histories.values[name][code]
                for name, code in zip(query.columns, query.codes, strict=True)
            ],
        )
        for query in queries(both)
    ]
    assert len(asked) == 1000
    whole = len(original.rows), sum((abs(hand.price(row)) for _, row in original.rows), Fraction())
    answers = [
        (hand.answered(original, columns, values), hand.answered(release, columns, values))
        for columns, values in asked
    ]
    assert all(before[0] for before, _ in answers)
    for place, kind in enumerate(("counts", "sums")):
        numbers = [found[name] for name in WORKLOAD if name.startswith(kind)]
        if not whole[place]:
            assert numbers == [None] * 5
            continue
        bound = Fraction(whole[place]) / 1000
        pairs = [(Fraction(before[place]), Fraction(after[place])) for before, after in answers]
        errors = sorted(float(abs(after - before) / max(abs(before), bound)) for before, after in pairs)
        levels = [sum(errors) / 1000, errors[499], errors[899], errors[949], errors[999]]
        assert numbers == pytest.approx(levels)


@settings(max_examples=15)
@given(tables(CELLS), st.randoms())
def test_a_release_that_only_renames_people_is_as_good_as_the_original(original: Table, random: Any) -> None:
    names = list(range(original.people))
    random.shuffle(names)
    rows = [(names[who], row) for who, row in original.rows]
    random.shuffle(rows)
    release = Table(original.people, tuple(rows))
    truth = [names.index(who) for who in range(original.people)]
    for found in utilities(compared(original, release, truth)):
        if found.value is None:
            assert found.reason
        else:
            assert found.value == (1 if found.measure.name in IS_ONE else 0), found.name


@settings(max_examples=10)
@given(pairs(), st.randoms())
def test_neither_the_order_of_records_nor_threads_change_anything(
    drawn: tuple[Table, Table, list[int]], random: Any
) -> None:
    both = compared(*drawn, seed=3)

    def shuffled(side: History) -> History:
        order = list(range(side.records))
        random.shuffle(order)
        codes = {name: column[order] for name, column in side.codes.items()}
        return History(side.people, side.person[order], codes)

    known = both.histories
    histories = Histories(shuffled(known.original), shuffled(known.release), known.values)
    other = replace(both, histories=histories, threads=3)
    assert values_of(utilities(both)) == values_of(utilities(other))


def test_another_seed_asks_other_questions_and_the_same_the_same() -> None:
    rows = table([(who, dict.fromkeys(hand.ALL_COLUMNS, str(who))) for who in range(30)])
    rows = Table(30, tuple((who, {**row, "date": None, "at": None}) for who, row in rows.rows))
    first, again, other = (queries(compared(rows, rows, range(30), seed=seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert {len(query.columns) for query in first} == {1, 2, 3}


# two stations, three people and one who is made up; u2 is the original's first, u3 has no release
ORIGINAL = table(
    [
        (0, {"fare": "200", "day": "2017-01-01", "usage": "traffic", "from": "A", "to": "B"}),
        (0, {"fare": "100", "day": "2017-01-02", "usage": "purchase", "from": None, "to": None}),
        (1, {"fare": "300", "day": "2017-01-01", "usage": "traffic", "from": "A", "to": "C"}),
        (2, {"fare": "50", "day": "2017-01-03", "usage": "purchase", "from": None, "to": None}),
    ]
)
RELEASE = table(
    [
        (0, {"fare": "260", "day": "2017-01-01", "usage": "traffic", "from": "A", "to": "B"}),
        (1, {"fare": "150", "day": "2017-01-02", "usage": "traffic", "from": "B", "to": "B"}),
        (1, {"fare": "110", "day": "2017-01-02", "usage": "purchase", "from": None, "to": None}),
        (1, {"fare": "10", "day": "2017-01-02", "usage": "purchase", "from": None, "to": None}),
        (2, {"fare": "40", "day": "2017-01-04", "usage": "bus", "from": None, "to": None}),
    ]
)
TRUTH = (1, 0, -1)
CARD = Meaning(
    amount="fare",
    time=("day",),
    category="usage",
    entry="from",
    exit="to",
    routes=("from", "to"),
    location="to",
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # sums 300, 300, 50, 0 and 270, 260, 0, 40
        ("u1_fare_by_person", (30 + 40 + 50 + 40) / 4),
        # means 150, 300, 50, 0 and 90, 260, 0, 40
        ("u2_mean_fare_by_person", (60 + 40 + 50 + 40) / 4),
        # of 1 to 4 January: 500, 100, 50, 0 and 260, 270, 0, 40
        ("u3_fare_by_day", (240 + 170 + 50 + 40) / 4),
        ("u4_records_by_person", (1 + 0 + 1 + 1) / 4),
        # 2, 1, 1, 0 and 1, 3, 0, 1
        ("u5_records_by_day", (1 + 2 + 1 + 1) / 4),
        # A 2 → 1, B 0 → 1, none 2 → 3
        ("u6_records_by_entry", (1 + 1 + 1) / 3),
        # B 1 → 2, C 1 → 0, none 2 → 3
        ("u7_records_by_exit", (1 + 1 + 1) / 3),
        ("u8_records_by_route", (3 + 3) / 6),
        ("u9_records_by_location", (1 + 1 + 1) / 3),
        # traffic 2 → 2, purchase 2 → 2, bus 0 → 1
        ("u10_records_by_category", 1 / 3),
        # traffic 200, 300, 0, 0 → 150, 260, 0, 0; purchase 100, 0, 50, 0 → 120, 0, 0, 0; bus → 40
        ("u11_fare_by_category_and_person", (50 + 40 + 20 + 50 + 40) / 12),
        # (0, 100, 200) and (10, 110, 150); 300 and 260; 50 and 0; 0 and 40
        ("u12_sorted_fares", (10 + 10 + 50 + 40 + 50 + 40) / 6),
        ("people_kept", 2 / 3),
        ("records_released", 5 / 4),
        ("records_kept", 0),
        ("records_of_made_up_people", 1 / 5),
    ],
)
def test_paper_3_by_hand(name: str, expected: float) -> None:
    assert value(small(ORIGINAL, RELEASE, TRUTH, CARD), name) == pytest.approx(expected)


def test_who_has_several_names_in_the_release_is_one_person() -> None:
    rows = [(0, {"fare": "1"}), (0, {"fare": "2"}), (1, {"fare": "4"})]
    split = table([(0, {"fare": "1"}), (1, {"fare": "2"}), (2, {"fare": "4"})])
    both = small(table(rows), split, (0, 0, 1), Meaning(amount="fare"))
    assert {
        value(both, name) for name in ("u1_fare_by_person", "u4_records_by_person", "u12_sorted_fares")
    } == {0}
    assert value(both, "records_kept") == value(both, "people_kept") == 1


def test_without_knowing_who_is_who_only_people_one_by_one_have_no_answer() -> None:
    both = small(ORIGINAL, RELEASE, TRUTH, CARD)
    named, nameless = (values_of(utilities(each)) for each in (both, replace(both, known=False)))
    unknown = {name for name, number in nameless.items() if number is None and named[name] is not None}
    assert {name for name in named if "person" in name} < unknown
    assert unknown >= {"people_kept", "records_kept", "records_true", "u12_sorted_fares"}
    assert {nameless[name] == named[name] for name in named.keys() - unknown} == {True}
    assert nameless["records_released"] == 5 / 4


def test_the_cross_table_has_all_combinations_of_groups_of_the_original() -> None:
    """2 sexes · 3 countries = 6 cells of which 3 are filled; one of the release is none of them."""
    original = table(
        [
            (0, {"sex": "f", "country": "FR", "price": "2", "number": "3"}),
            (1, {"sex": "m", "country": "DE", "price": "5", "number": "1"}),
            (1, {"sex": "m", "country": "DE", "price": "7", "number": "1"}),
            (2, {"sex": "f", "country": "IT", "price": "1", "number": "2"}),
        ]
    )
    release = table(
        [
            (0, {"sex": "f", "country": "FR", "price": "3", "number": "3"}),
            (1, {"sex": "m", "country": "DE", "price": "5", "number": "2"}),
            (2, {"sex": "x", "country": "IT", "price": "1", "number": "2"}),
        ]
    )
    meaning = Meaning(amount="price", number="number", groups=("sex", "country"))
    both = small(original, release, (0, 1, 2), meaning)
    assert value(both, "u1_cmae") == pytest.approx((1 + 1 + 1 + 1) / 6)
    assert value(both, "u2_cmae") == pytest.approx((3 + 4 + 2 + 2) / 6)


def test_people_at_a_cut_point_are_in_the_rank_above() -> None:
    """Ten people spent 1, 1, 1, 1, 2, …, 7; the release moves one by nothing that any cut point sees."""
    assert cut_points(numpy.array([1, 1, 1, 1, 2, 3, 4, 5, 6, 7])).tolist() == [1, 1, 1, 2, 3, 4, 5, 6, 7]

    def spending(amounts: Sequence[str]) -> Table:
        return table([(who, {"price": each, "date": "2011-01-01"}) for who, each in enumerate(amounts)])

    meaning = Meaning(amount="price", time=("date",))
    spent = ["1", "1", "1", "1", "2", "3", "4", "5", "6", "7"]

    def error(*changed: str) -> float:
        return rfm_error(
            small(spending(spent), spending([*changed, *spent[len(changed) :]]), range(10), meaning)
        )

    # 1 is in the rank of [1, 2) like 1.5; 0.99 is below all cut points; 2 is a cut point, so in [2, 3)
    assert error("1.5") == error("1", "1.999") == 0
    assert error("0.99") == error("2") == error("100") == pytest.approx(1 / 10)
    assert error("2", "0.5", "3") == pytest.approx(3 / 10)


def test_rfm_compares_how_many_people_are_of_a_kind_and_not_who() -> None:
    """As its question says: who swaps places with another leaves the numbers as they are."""
    meaning = Meaning(time=("date",), amount="price")
    rows = [(0, {"date": "2011-01-01", "price": "1"}), (1, {"date": "2011-03-01", "price": "9"})]
    swapped = [(1 - person, row) for person, row in rows]
    assert rfm_error(small(table(rows), table(swapped), (0, 1), meaning)) == 0
    question = next(each.question for each in UTILITY_MEASURES if each.name == "u3_rfm")
    assert question.startswith("By what share do the numbers of people")


def test_what_counts_records_asks_for_records() -> None:
    counting = [each for each in UTILITY_MEASURES if "_records_by_" in each.name]
    assert len(counting) == 7
    for each in counting:
        assert "how many records" in each.question
        assert "of |records in the original" in each.formula
        assert each.unit == "records"


def test_entropy_of_large_counts_needs_no_more_room_than_that_of_small_ones() -> None:
    assert associations._entropy(numpy.array([10**15, 0, 10**15])) == 1
    assert associations._entropy(numpy.array([1, 0, 3, 0, 4])) == pytest.approx(3 - 3 / 8 * math.log2(3) - 1)


def test_rfm_of_other_numbers_of_people_compares_shares() -> None:
    rows = [(who, {"price": "1", "date": "2011-01-01"}) for who in range(4)]
    meaning = Meaning(amount="price", time=("date",))
    assert rfm_error(small(table(rows), table(rows[:2]), (0, 1), meaning)) == 0


def test_receipts_count_once_and_records_count_where_no_receipt_is_named() -> None:
    rows = [
        {"price": "1", "date": "2011-01-01", "receipt": "a"},
        {"price": "0", "date": "2011-01-01", "receipt": "a"},
    ]
    original = table([(0, rows[0]), (0, rows[1]), (1, rows[0])])
    release = table([(0, rows[0]), (1, rows[0])])
    meaning = Meaning(amount="price", time=("date",))
    assert rfm_error(small(original, release, (0, 1), replace(meaning, receipt="receipt"))) == 0
    assert rfm_error(small(original, release, (0, 1), meaning)) == pytest.approx(1 / 2)


def test_distances_by_hand() -> None:
    """Prices 0, 0, 2, 4 and 1, 2, 2, 4: deviation √2.75, moved by 1 · ½ + 1 · ¼."""
    original = table([(0, {"price": each}) for each in ("0", "0", "2", "4")])
    release = table([(0, {"price": each}) for each in ("1", "2", "2", "4")])
    both = small(original, release, (0,), Meaning(amount="price"))
    assert value(both, "total_variation.price") == 1 / 2
    assert value(both, "kolmogorov_smirnov.price") == 1 / 2
    assert value(both, "wasserstein.price") == 3 / 4
    assert value(both, "wasserstein_relative.price") == pytest.approx(0.75 / math.sqrt(2.75))


def test_dates_are_counted_in_days_and_times_of_day_in_hours() -> None:
    original = table([(0, {"date": "2011-01-01 12:00", "at": "08:30"})])
    release = table([(0, {"date": "2011/1/3", "at": "10:00:00"})])
    for found in utilities(small(original, release, (0,), Meaning()), ["wasserstein"]):
        assert (found.value, found.detail["unit"]) == {"date": (1.5, "days"), "at": (1.5, "hours")}[
            found.of[0]
        ]


def test_association_by_hand() -> None:
    """a says all of b, one bit, and nothing in the release; x rises with y, and falls in the release."""
    names = ("a", "b", "x", "y")

    def rows(*each: str) -> Table:
        return table([(0, dict(zip(names, row, strict=True))) for row in each])

    both = small(
        rows("0013", "0024", "1135", "1146"),
        rows("0019", "0128", "1037", "1146"),
        (0,),
        Meaning(groups=("a", "b")),
    )
    (found,) = utilities(both, ["mutual_information.largest_difference"])
    assert found.value == 1
    assert found.detail["pair"] == {"columns": ["a", "b"], "original": 1.0, "release": 0.0}
    (found,) = utilities(both, ["correlation.mean_difference"])
    assert found.value == pytest.approx(2)
    assert found.detail["pairs"] == [
        {"columns": ["x", "y"], "original": pytest.approx(1), "release": pytest.approx(-1)}
    ]


def test_large_tables_of_pairs_and_many_people_are_counted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    random = numpy.random.default_rng(5)
    rows = [
        (int(who), {name: str(random.integers(4)) for name in ("goods", "b", "c")})
        for who in random.integers(9, size=60)
    ]
    both = small(table(rows, 9), table(rows[:40], 9), range(9), Meaning(item="goods"))
    before = values_of(utilities(both))
    monkeypatch.setattr(associations, "FEWEST_CELLS", 0)
    monkeypatch.setattr(associations, "CELLS_A_RECORD", 0)
    monkeypatch.setattr(popularity, "PEOPLE_AT_ONCE", 2)
    monkeypatch.setattr(workload, "RECORDS_AT_ONCE", 7)
    assert values_of(utilities(both)) == before
    assert before["co_purchase.rank_correlation"] not in (None, 1.0)


def test_only_the_most_popular_items_are_paired(monkeypatch: pytest.MonkeyPatch) -> None:
    """a is had by 3 people, b and c by 2, d by 1; a with b by 2, a with c by 1, b with c by 1."""
    sets = ["ab", "abc", "ac", "d"]
    original = table([(who, {"goods": item}) for who, items in enumerate(sets) for item in items])
    release = table(
        [(who, {"goods": item}) for who, items in enumerate(["ab", "abc", "a", "dc"]) for item in items]
    )
    both = small(original, release, range(4), Meaning(item="goods"))
    monkeypatch.setattr(popularity, "MOST_ITEMS", 3)
    (found,) = utilities(both, ["co_purchase"])
    # people with a and b, a and c, b and c: 2, 2, 1 and 2, 1, 1
    assert found.value == pytest.approx(0.5)
    assert found.detail == {"ranked": 3}
    monkeypatch.setattr(popularity, "TOP", 1)
    assert value(both, "item_popularity.top_kept") == 1


def test_metrics_of_columns_that_are_not_named_are_left_out() -> None:
    both = small(ORIGINAL, RELEASE, TRUTH, Meaning())
    found = {each.measure.name for each in utilities(both)}
    assert found >= {"u4_records_by_person", "total_variation", "counts.mean_error", "people_kept"}
    assert not [name for name in found if name.startswith(("u1_", "u3", "u12", "sums", "item", "co_"))]
    (asked,) = utilities(both, ["u3_fare_by_day"])
    assert (asked.value, asked.reason) == (None, "no column was named as its amount")


def test_columns_that_the_release_lacks_have_a_reason() -> None:
    meaning = Meaning(amount="fare", time=("day", "clock"), receipt="ticket", item="what")
    lacking = small(ORIGINAL, RELEASE, TRUTH, meaning, lacking=("clock", "ticket", "what"))
    found = {each.name: each for each in utilities(lacking)}
    assert found["u3_rfm"].reason == "the release has no column 'ticket'"
    assert found["item_popularity.top_kept"].reason == "the release has no column 'what'"
    assert found["total_variation.what"].reason == "the release has no such column"
    assert found["u5_records_by_day"].value == pytest.approx(5 / 4)
    no_date = small(
        table([(0, {"clock": "08:30"})]),
        table([(0, {"clock": "08:30"})]),
        (0,),
        Meaning(time=("day", "clock")),
        lacking=("day",),
    )
    assert utilities(no_date, ["u5_records_by_day"])[0].reason == "the release has no column 'day'"


def test_numbers_that_the_release_has_made_coarser_have_a_reason() -> None:
    original = table([(0, {"age": str(age), "pay": str(age)}) for age in (23, 25, 31)])
    release = table([(0, {"age": age, "pay": "7"}) for age in ("20-29", "20-29", "30-39")])
    both = small(original, release, (0,), Meaning(amount="age"))
    found = {each.name: each for each in utilities(both)}
    assert found["total_variation.age"].value == 1
    assert found["wasserstein.age"].reason == "the values of column 'age' are numbers in the original only"
    assert found["u1_fare_by_person"].reason == "not all values of column 'age' are numbers"
    assert found["correlation.mean_difference"].reason == "there are no two columns of numbers"


def test_dates_are_looked_for_among_the_columns_of_times() -> None:
    meaning = Meaning(time=("at", "day"))

    def records_by_day(*rows: tuple[Value, Value]) -> Finding:
        times = table([(0, {"at": at, "day": day}) for at, day in rows])
        (found,) = utilities(small(times, table([times.rows[0]]), (0,), meaning), ["u5_records_by_day"])
        return found

    assert records_by_day(("08:30", "2011-01-01"), ("08:30", "2011-01-02")).value == 1 / 2
    assert records_by_day((None, "2011-01-01"), (None, "2011-01-02")).value == 1 / 2
    assert records_by_day(("08:30", None), ("09:30", None)).value == 1
    times = records_by_day(("08:30", "10:00"), ("09:30", "11:00"))
    assert times.reason == "column 'at' has times of day and no dates"


def test_dates_coarser_than_days_are_days_of_their_own() -> None:
    original = table(
        [(0, {"day": "2011-01-01 08:26"}), (0, {"day": "2011-01-01"}), (0, {"day": "2011-01-02"})]
    )
    release = table([(0, {"day": "2011-01"}), (0, {"day": "2011-01"}), (0, {"day": "2011/1/2"})])
    assert value(
        small(original, release, (0,), Meaning(time=("day",))), "u5_records_by_day"
    ) == pytest.approx(4 / 3)


@pytest.mark.parametrize("rows", [[], [(0, {})], [(0, {}), (0, {}), (1, {})]])
@pytest.mark.parametrize("other", [[], [(0, {})]])
def test_empty_tables_and_missing_values_have_reasons(rows: list[Any], other: list[Any]) -> None:
    blank: dict[str, Value] = dict.fromkeys(hand.ALL_COLUMNS)
    original, release = (table([(who, blank) for who, _ in each]) for each in (rows, other))
    truth = [0 if original.people else -1] * release.people
    found = utilities(compared(original, release, truth))
    assert {each.measure.name for each in found} >= {"u1_fare_by_person", "u3_rfm", "counts.mean_error"}
    assert all(each.value is not None or each.reason for each in found)


@pytest.mark.parametrize("odd", ["nan", "inf", "true", "1,5", "", "1e400", "x", "2011-01-01"])
def test_what_is_no_amount_has_a_reason(odd: str) -> None:
    rows = table([(0, {"price": odd, "number": "1"}), (0, {"price": odd, "number": "2"})])
    both = small(rows, rows, (0,), Meaning(amount="price", number="number", groups=("number",)))
    found = values_of(utilities(both, ["u1_cmae", "u1_fare_by_person", "u12_sorted_fares", "sums"]))
    assert set(found.values()) == {None}


@pytest.mark.parametrize("huge", ["1e308", "-1e308", "9" * 300, "1e-300", "-9223372036854775808", "0"])
def test_huge_and_tiny_amounts_give_numbers_or_reasons(huge: str) -> None:
    rows = [(0, {"price": huge, "number": "1"}), (1, {"price": "1", "number": "1e10"})]
    both = small(table(rows), table(rows[:1], 2), (0, 1), Meaning(amount="price", number="number", time=()))
    for found in (*utilities(both), *utilities(small(table(rows[:1]), table(rows[:1]), (0,), both.meaning))):
        assert found.value is None or math.isfinite(found.value)


def test_amounts_are_exact_as_far_as_they_are_written() -> None:
    rows = [(0, {"price": each}) for each in ("0.1", "0.2", "-0.3", "1234.56")]
    both = small(table(rows), table(rows[:3]), (0,), Meaning(amount="price"))
    assert value(both, "u1_fare_by_person") == 1234.56
    worth = amounts(both)
    assert int(worth.release.sum()) == 0


def test_times_the_number_bought() -> None:
    rows: list[tuple[int, dict[str, Value]]] = [
        (0, {"price": "19.99", "number": "3"}),
        (0, {"price": None, "number": "5"}),
        (0, {"price": "7", "number": None}),
    ]
    worth = amounts(
        small(table(rows), table(rows[:1]), (0,), Meaning(amount="price", number="number")), times_number=True
    )
    assert (worth.original / worth.steps).tolist() == [59.97, 0, 0]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", " 2 ", None], "number"),
        (["1", "nan"], None),
        (["yes", "1"], None),
        (["2011-01-01", "2011-02-30"], None),
        (["2011-01-01", "08:30"], None),
        (["08:30", "23:59:59"], "time of day"),
        ([None], None),
        ([], None),
    ],
)
def test_columns_of_numbers_and_times(values: list[Value], kind: str | None) -> None:
    found = read_numbers("column", values)
    assert (found.kind if found else None) == kind


def test_names_are_no_numbers() -> None:
    rows = table([(0, {"goods": "1", "price": "2"}), (0, {"goods": "3", "price": "4"})])
    both = small(rows, rows, (0,), Meaning(item="goods"))
    assert [each.name for each in utilities(both, ["wasserstein"])] == ["wasserstein.price"]
    (asked,) = utilities(both, ["wasserstein.goods"])
    assert (asked.name, asked.reason) == ("wasserstein.goods", "there are no numbers")


@pytest.mark.parametrize(
    ("only", "said"),
    [
        (["u3_rmf"], "did you mean 'u3_rfm'"),
        (["total_variation.fair"], "did you mean 'total_variation.fare'"),
        (["u3_rfm.fare"], "'u3_rfm.fare' is none"),
        ([3, "nix"], "3 is none; .*, and 'nix' is none"),
        ("u3_rfm", "is no list of names"),
        (7, "is no list of names"),
    ],
)
def test_what_is_no_metric_is_refused(only: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        utilities(small(ORIGINAL, RELEASE, TRUTH, CARD), only)


def test_parts_of_columns_that_are_nowhere_are_refused() -> None:
    with pytest.raises(UsageError, match="there is no column 'fair'; did you mean 'fare'"):
        small(ORIGINAL, RELEASE, TRUTH, Meaning(amount="fair"))
    with pytest.raises(UsageError, match="as many entries"):
        small(ORIGINAL, RELEASE, (0,), CARD)


def test_progress_is_told_and_measures_have_names_of_their_own() -> None:
    told: list[tuple[int, int]] = []

    def progress(doing: str, done: int, total: int) -> None:
        assert doing.startswith("measuring ")
        told.append((done, total))

    utilities(small(ORIGINAL, RELEASE, TRUTH, CARD), None, progress)
    assert told == [(done, len(told) - 1) for done in range(len(told))]
    names = [measure.name for measure in UTILITY_MEASURES]
    assert len(set(names)) == len(names)


def test_the_purchases_of_paper_2_are_as_good_as_themselves(purchases: Histories) -> None:
    meaning = Meaning(item="goods", time=("date", "time"), amount="price", number="number")
    both = PairedColumns(purchases, numpy.arange(purchases.original.people), meaning, threads=2)
    for found in utilities(both):
        assert found.value == (1 if found.measure.name in IS_ONE else 0), found.name
