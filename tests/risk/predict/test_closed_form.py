"""The expected ORR without shuffling: against all arrangements, other formulas, shuffles and its own laws."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import pairwise, permutations, product
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.risk.predict import closed_form
from singleout.risk.predict.avfm import Avfm
from singleout.risk.predict.closed_form import ExpectedOrr, expected_orr
from singleout.risk.predict.frequency_grid import Histogram, ValueCombinations, log_falling
from singleout.risk.predict.random_shuffle import random_sampling
from tests.extracts.build_extracts import ADULT
from tests.support.extracts import falling_frequencies

Columns = Sequence[Sequence[int]]

# Yang et al. 2020, equation 16 by rows of the printed matrix, here by columns.
EQUATION_16 = ([2, 3, 1], [3, 3], [2, 2, 2])
# Table 1, with erratum E-004.1: three people are 25, so equation 4's first column is 1, 3, 1.
TABLE_1 = ([1, 3, 1], [3, 2], [2, 3])


def avfm_of(columns: Columns) -> Avfm:
    counts = tuple(numpy.array(sorted(column, reverse=True), dtype=numpy.int64) for column in columns)
    return Avfm(tuple(f"c{place}" for place in range(len(columns))), counts)


@contextmanager
def without_whole_numbers() -> Iterator[None]:
    """As if the table were too large for exact sums."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closed_form, "WORK", 0)
        yield


def estimated(columns: Columns) -> ExpectedOrr:
    with without_whole_numbers():
        return expected_orr(avfm_of(columns))


@cache
def arrangements(column: tuple[int, ...]) -> list[tuple[int, ...]]:
    values = [value for value, count in enumerate(column) for _ in range(count)]
    return list(permutations(values))


def over_all_arrangements(columns: Columns) -> tuple[float, float]:
    """Mean and standard deviation of ORR, the first column held still."""
    first, *others = (arrangements(tuple(column)) for column in columns)
    orders = [Counter(each) for each in others]
    mean = square = weight = 0.0
    for chosen in product(*(order.items() for order in orders)):
        times = math.prod(count for _, count in chosen)
        orr = len(set(zip(first[0], *(column for column, _ in chosen), strict=True))) / len(first[0])
        mean, square, weight = mean + times * orr, square + times * orr**2, weight + times
    mean /= weight
    return mean, math.sqrt(max(square / weight - mean**2, 0.0))


def by_chain(columns: Columns) -> float:
    """T6: a combination's records are thinned by one column after the other, hypergeometrically."""
    records = sum(columns[0])
    total = 0.0
    for frequencies in product(*columns):
        chance = {frequencies[0]: 1.0}
        for frequency in frequencies[1:]:
            after: dict[int, float] = defaultdict(float)
            for held, weight in chance.items():
                for both in range(max(0, held + frequency - records), min(held, frequency) + 1):
                    ways = math.comb(held, both) * math.comb(records - held, frequency - both)
                    after[both] += weight * ways / math.comb(records, frequency)
            chance = after
        total += 1 - chance.get(0, 0.0)
    return total / records


def by_whole_numbers(columns: Columns) -> float:
    """The alternating sum over r of Π_j (Σ over values of C(f,r)) / C(n,r)^(d-1), to 300 bits."""
    records, total = sum(columns[0]), 0
    for order in range(1, min(map(max, columns)) + 1):
        ways = math.prod(sum(math.comb(f, order) for f in column) for column in columns)
        total -= (-1) ** order * ((ways << 300) // math.comb(records, order) ** (len(columns) - 1))
    return total / (records << 300)


def shuffled(columns: Columns, times: int, seed: int = 0) -> tuple[float, float]:
    """Mean and standard deviation of ORR over shuffled data sets."""
    draw = numpy.random.default_rng(seed)
    codes = [numpy.repeat(numpy.arange(len(column)), column) for column in columns]
    found = []
    for _ in range(times):
        keys = numpy.zeros(len(codes[0]), dtype=numpy.int64)
        for column in codes:
            keys = numpy.unique(keys * (column[-1] + 1) + draw.permutation(column), return_inverse=True)[1]
        found.append((int(keys.max()) + 1) / len(keys))
    return float(numpy.mean(found)), float(numpy.std(found, ddof=1))


def zipf(records: int, values: int, power: float) -> list[int]:
    """Each value at least once, the first most often."""
    weights = 1 / numpy.arange(1, values + 1) ** power
    counts = 1 + numpy.floor(weights / weights.sum() * (records - values)).astype(int)
    counts[0] += records - counts.sum()
    return [int(count) for count in counts]


@st.composite
def tables(draw: st.DrawFn, most: int = 60, columns: int = 5) -> list[list[int]]:
    """Columns of any shape: from few frequent values to many rare ones."""
    records = draw(st.integers(1, most))
    return [draw(column_of(records)) for _ in range(draw(st.integers(1, columns)))]


@st.composite
def column_of(draw: st.DrawFn, records: int) -> list[int]:
    most = draw(st.integers(0, records - 1))
    cuts = draw(st.sets(st.integers(1, max(1, records - 1)), max_size=most))
    return [after - before for before, after in pairwise([0, *sorted(cuts), records])]


@pytest.mark.parametrize(
    "columns", [EQUATION_16, TABLE_1, ([2, 2], [2, 1, 1]), ([4, 1], [3, 2]), ([2, 1], [2, 1], [2, 1], [1, 2])]
)
def test_mean_and_deviation_over_all_arrangements(columns: Columns) -> None:
    mean, deviation = over_all_arrangements(columns)
    found = expected_orr(avfm_of(columns))
    assert found.exact
    assert found.orr == pytest.approx(mean, abs=1e-12)
    assert found.deviation == pytest.approx(deviation, abs=1e-7)
    assert estimated(columns).orr == pytest.approx(mean, abs=1e-9)


def test_equation_16() -> None:
    """By enumeration of all arrangements, see corrections; the paper's one drawn data set has 5/6."""
    assert expected_orr(avfm_of(EQUATION_16)).orr == pytest.approx(0.946667, abs=5e-7)


@given(tables(most=30, columns=3))
@settings(max_examples=60)
def test_exact_and_estimated_equal_the_chain(columns: list[list[int]]) -> None:
    want = by_chain(columns)
    exact, line = expected_orr(avfm_of(columns)), estimated(columns)
    assert exact.exact
    assert exact.orr == pytest.approx(want, abs=1e-11)
    assert abs(line.orr - want) <= line.bound + 1e-11


@given(tables(most=400, columns=6))
@settings(max_examples=100)
def test_the_bound_holds(columns: list[list[int]]) -> None:
    want = by_whole_numbers(columns)
    found = estimated(columns)
    assert abs(found.orr - want) <= found.bound + 1e-15
    assert found.bound < 1e-4


@pytest.mark.parametrize("rare", range(15, 60, 4))
def test_the_bound_holds_where_values_are_neither_rare_nor_frequent(rare: int) -> None:
    """The line is worst where many columns have values of 20 to 50 records among a hundred."""
    for records, columns in product((60, 100, 150), (2, 4, 8)):
        column = [rare] * (records // rare - 1)
        shape = [[*column, records - sum(column)]] * columns
        found = estimated(shape)
        assert abs(found.orr - by_whole_numbers(shape)) <= found.bound + 1e-15
        assert found.bound < 1e-4


@given(st.integers(2, 10**7), st.data())
def test_two_columns_by_the_hypergeometric_formula(records: int, data: st.DataObject) -> None:
    """P(no record has both) = C(n-f,g) / C(n,g), of two columns of two values each."""
    f, g = (data.draw(st.integers(1, records - 1)) for _ in range(2))
    want = sum(-math.expm1(log_never(records, *each)) for each in product((f, records - f), (g, records - g)))
    found = expected_orr(avfm_of([[f, records - f], [g, records - g]]))
    assert found.orr == pytest.approx(want / records, abs=found.bound + 1e-8)


def log_never(records: int, f: int, g: int) -> float:
    """log of C(n-f,g) / C(n,g), the smaller frequency factor by factor."""
    few, many = min(f, g), max(f, g)
    if few + many > records:
        return -math.inf
    if few < 1000:
        return math.fsum(math.log1p(-many / (records - step)) for step in range(few))
    logs = (math.lgamma(each + 1) for each in (records - f, records - g, records - f - g, records))
    one, other, neither, all_records = logs
    return one + other - neither - all_records


SHAPES: dict[str, Columns] = {
    "one column": ([30, 20, 10],),
    "a constant column": ([60], [20] * 3, zipf(60, 9, 1)),
    "a nearly unique column": (zipf(200, 198, 0.1), zipf(200, 5, 1)),
    "a unique column": ([1] * 50, [40, 10]),
    "two skewed columns": (zipf(500, 60, 1.3), zipf(500, 40, 1)),
    "hardly any choice": ([299, 1], [298, 2], [150, 150]),
    "six columns": tuple(zipf(1000, values, 0.9) for values in (2, 3, 5, 9, 17, 120)),
    "ten columns": tuple(zipf(400, values, 1.2) for values in (2, 2, 3, 3, 4, 4, 5, 6, 7, 8)),
    "rare values everywhere": tuple(zipf(300, values, 0.4) for values in (100, 120)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_against_ten_thousand_shuffles(shape: str) -> None:
    """By the compiled sampler, which is tested by itself; and some by numpy, to be sure of both."""
    columns = SHAPES[shape]
    sampled = random_sampling(avfm_of(columns), samples=100, capacity=100, threads=2)
    mean, deviation = shuffled(columns, 1000)
    for found in (expected_orr(avfm_of(columns)), estimated(columns)):
        assert abs(found.orr - sampled.orr) <= 3 * sampled.deviation / 100 + found.bound + 1e-15
        assert found.deviation == pytest.approx(sampled.deviation, rel=0.05, abs=1e-6)
        assert abs(found.orr - mean) <= 4 * deviation / math.sqrt(1000) + found.bound + 1e-15


@pytest.mark.parametrize("columns", [SHAPES["six columns"], SHAPES["two skewed columns"]])
def test_large_tables_against_ten_thousand_shuffles(columns: Columns) -> None:
    """Twenty times as many records of the same shape, for which the grid interpolates."""
    large = avfm_of([[20 * count for count in column] for column in columns])
    found = expected_orr(large)
    sampled = random_sampling(large, samples=100, capacity=100, threads=2)
    assert not found.exact
    assert abs(found.orr - sampled.orr) <= 3 * sampled.deviation / 100 + found.bound
    assert found.bound < 1e-8


@pytest.mark.parametrize("records", [10**9, 2**53])
def test_the_largest_tables(records: int) -> None:
    """Of few even columns all combinations occur, of many hardly any occurs twice."""
    half = [records // 2, records - records // 2]
    found = expected_orr(avfm_of([half] * 3))
    assert abs(found.orr - 8 / records) <= found.bound <= 8 / records
    assert expected_orr(avfm_of([half] * 200)).orr == pytest.approx(1, abs=1e-9)


def test_what_is_known_without_a_sum() -> None:
    assert expected_orr(avfm_of([[3, 2, 1]])) == ExpectedOrr(3 / 6, 0.0, 0.0, exact=True)
    assert expected_orr(avfm_of([[6], [6]])) == ExpectedOrr(1 / 6, 0.0, 0.0, exact=True)
    assert expected_orr(avfm_of([[1] * 6, [4, 2]])) == ExpectedOrr(1.0, 0.0, 0.0, exact=True)
    assert expected_orr(avfm_of([[1]])) == ExpectedOrr(1.0, 0.0, 0.0, exact=True)


@given(tables(), st.booleans(), st.randoms())
def test_laws(columns: list[list[int]], exactly: bool, order: Any) -> None:
    find = (lambda each: expected_orr(avfm_of(each))) if exactly else estimated
    found = find(columns)
    records, values = sum(columns[0]), [len(column) for column in columns]
    assert 0 < found.orr <= 1
    assert max(values) / records <= found.orr <= min(1, math.prod(values) / records)
    assert found.deviation is not None and 0 <= found.deviation <= 0.5
    assert find([*columns, [records]]) == found
    again = find(order.sample(columns, len(columns)))
    assert again.orr == pytest.approx(found.orr, abs=1e-12)
    fewer = find(columns[1:]) if columns[1:] else ExpectedOrr(1 / records, 0.0, 0.0, exact=True)
    assert fewer.orr <= found.orr + found.bound + fewer.bound + 1e-15


@pytest.mark.parametrize(
    "names",
    [
        "age sex",
        "age workclass education occupation",
        "fnlwgt sex race",
        "education education-num marital-status relationship",
        "age education marital-status race sex hours-per-week native-country",
        " ".join(ADULT[:2] + ADULT[3:]),
    ],
)
def test_on_adult(names: str) -> None:
    """E-004.7 has 0.411 for (age, workclass, education, occupation)."""
    columns = [falling_frequencies("adult", name).tolist() for name in names.split()]
    found = expected_orr(avfm_of(columns))
    mean, _ = shuffled(columns, 8)
    assert found.orr == pytest.approx(mean, abs=0.002)
    assert found.bound < 1e-8
    if names == "age workclass education occupation":
        assert found.orr == pytest.approx(0.411, abs=0.001)


def test_a_column_is_counted_in_any_order() -> None:
    falling, mixed = (Histogram.of(numpy.array(each)) for each in ([5, 2, 2, 1], [2, 1, 5, 2]))
    assert falling.pairs() == mixed.pairs() == [(5, 1), (2, 2), (1, 1)]


@pytest.mark.parametrize("frequency", [20, 57, 1000, 10**7, 2**53])
def test_falling_powers_of_whole_orders(frequency: int) -> None:
    """(f)_2 = f (f-1), as a power of any order should have it."""
    found = log_falling(numpy.float64(frequency), numpy.array([2.0 + 0j]))[0]
    assert found.real == pytest.approx(math.log(frequency) + math.log(frequency - 1), abs=1e-13)


def test_sums_by_value_add_up() -> None:
    """The expected combinations with exactly one record, added up over a column's values, are all of them."""
    columns = [Histogram.of(numpy.array(sorted(each, reverse=True))) for each in SHAPES["six columns"]]
    cells = ValueCombinations(columns, 1000)
    alone = cells.total(lambda r: r)
    for values, expected in zip(cells.values, cells.of_values([lambda r: r]), strict=True):
        assert float(values @ expected[0]) == pytest.approx(alone, abs=1e-7)
