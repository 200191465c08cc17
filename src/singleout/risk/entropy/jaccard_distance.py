"""How much the values of two people have in common (Ito et al. n.d., Figure 6)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.parallel import key_of, map_shares, map_units
from singleout.measurement import Measure
from singleout.risk.entropy.chance_baseline import starts_of
from singleout.risk.entropy.mutual_information import SKIPPED
from singleout.risk.entropy.person_value_counts import Counts, CountTable

BINS = 20
MOST_PAIRS = 20_000_000
MOST_SHARED = 2_000_000_000
SAMPLED_PAIRS = 1_000_000
NORMAL_95 = 1.959964

JACCARD_DISTANCE = Measure(
    name="domain.jaccard_distance",
    title="distance between people",
    question="How little do the values of two different people have in common, on average?",
    formula="mean over pairs of people of 1 − |X(u) ∩ X(v)| / |X(u) ∪ X(v)|",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=SKIPPED,
    reference="Ito et al. n.d., Section 4A, Figure 6",
)


@dataclass(frozen=True)
class Likeness:
    """Distances of `pairs` of people; `bins` counts them in equal steps, the last one up to 1 itself.

    `low` and `high` hold the mean over all pairs in 95 % of all samples; where all pairs were taken they are
    the mean. `most_alike` is 1 − the smallest distance of the pairs that were taken.
    """

    people: int
    pairs: int
    exact: bool
    mean: float
    low: float
    high: float
    deviation: float
    bins: tuple[int, ...]
    most_alike: float


def likeness(
    table: CountTable,
    seed: int,
    threads: int,
    most_pairs: int = MOST_PAIRS,
    drawn: int = SAMPLED_PAIRS,
    bins: int = BINS,
) -> Likeness | None:
    """How little do the values of two people have in common?

    Jaccard distances 1 − |X(u) ∩ X(v)| / |X(u) ∪ X(v)| of the sets of values. Counted over all pairs of
    people with at least one value, or over so many `drawn` ones where there are too many; None below two
    people. `bins` is how many equal steps they are counted in. Missing values are in no set.
    Reference: Ito et al. n.d., Figure 6.

    >>> from numpy import array, ones
    >>> table = CountTable.of(array([0, 0, 1, 1]), array([0, 1, 1, 2]), ones(4, dtype=int), 2, 3)
    >>> round(likeness(table, seed=0, threads=1).mean, 3)
    0.667
    """
    lengths = numpy.diff(table.starts)
    table = CountTable(starts_of(lengths[lengths > 0]), table.value, table.count, table.values)
    if table.people < 2:
        return None
    if table.people * (table.people - 1) // 2 <= most_pairs and _is_cheap(table):
        return _all_pairs_likeness(table, threads, bins)
    return _drawn_pairs_likeness(table, seed, threads, drawn, bins)


def _is_cheap(table: CountTable) -> bool:
    """Whether all pairs take few steps, or at least no more than the drawn ones would."""
    shared = (numpy.bincount(table.value).astype(numpy.float64) ** 2).sum() / 2
    drawn = 2 * SAMPLED_PAIRS * len(table.value) / table.people
    return bool(shared <= max(MOST_SHARED, drawn))


def _all_pairs_likeness(table: CountTable, threads: int, steps: int) -> Likeness:
    from singleout.engine.codes.count_kernels import order_by
    from singleout.risk.entropy import jaccard_distance_kernels as loops

    heads, order = order_by(table.value, table.values)
    person = table.person[order]
    sums = numpy.zeros((table.people, 3))

    def count(first: int) -> Counts:
        bins = numpy.zeros(steps, dtype=numpy.int64)
        loops.distances_of_all(first, threads, table.starts, table.value, heads, person, sums, bins)
        return bins

    bins = numpy.array(map_units(range(threads), count, threads))
    mean, deviation, pairs = _mean_and_deviation(sums, bins)
    counts, most_alike = tuple(bins.sum(axis=0).tolist()), float(sums[:, 2].max())
    return Likeness(table.people, pairs, True, mean, mean, mean, deviation, counts, most_alike)


def _drawn_pairs_likeness(table: CountTable, seed: int, threads: int, pairs: int, steps: int) -> Likeness:
    from singleout.risk.entropy import jaccard_distance_kernels as loops

    random = numpy.random.default_rng(key_of("pairs", seed))
    one = random.integers(table.people, size=pairs)
    two = random.integers(table.people - 1, size=pairs)
    two += two >= one
    shared, bitmaps = numpy.zeros(pairs, dtype=numpy.int64), _bitmaps(table)

    def count(first: int, last: int) -> None:
        if bitmaps is None:
            loops.shared_by_pairs(first, last, one, two, table.starts, table.value, shared)
        else:
            loops.shared_by_bitmaps(first, last, one, two, bitmaps, shared)

    map_shares(pairs, count, threads, threads)
    lengths = numpy.diff(table.starts)
    either = lengths[one] + lengths[two] - shared
    mean, deviation, bins = _distances_of(either, shared, steps)
    half = NORMAL_95 * deviation / math.sqrt(pairs)
    low, high = max(0.0, mean - half), min(1.0, mean + half)
    most_alike = float((shared / either).max())
    return Likeness(table.people, pairs, False, mean, low, high, deviation, bins, most_alike)


def _distances_of(either: Counts, shared: Counts, steps: int) -> tuple[float, float, tuple[int, ...]]:
    """Mean, deviation and bins of distances; each that occurs is looked at once, and sums are exact."""
    width = int(shared.max()) + 1
    found, pairs = numpy.unique(either * width + shared, return_counts=True)
    unshared = found // width - found % width
    distances = unshared / (found // width)
    mean = min(1.0, _exact_sum(distances, pairs) / len(either))
    square = _exact_sum(distances * distances, pairs) / len(either)
    # by whole numbers: a distance on an edge belongs to the bin that starts there
    bin_of = numpy.minimum(steps - 1, steps * unshared // (found // width))
    bins = numpy.bincount(bin_of, pairs, steps).astype(numpy.int64)
    return mean, math.sqrt(max(0.0, square - mean * mean)), tuple(bins.tolist())


def _exact_sum(numbers: NDArray[numpy.float64], times: Counts) -> float:
    """As `math.fsum` of each number so often: none is so small that its last bit is lost in 2^-200."""
    whole = (int(number) for number in (numbers * 2.0**200).tolist())
    total: int = sum(number * often for number, often in zip(whole, times.tolist(), strict=True))
    return total / 2**200


def _bitmaps(table: CountTable) -> NDArray[numpy.uint64] | None:
    """Of each person the values as bits, where a bitmap has fewer words than a person has values."""
    from singleout.engine.codes.bitmap_kernels import fill_bitmaps

    words = (table.values + 63) // 64
    if words * table.people > len(table.value):
        return None
    bitmaps = numpy.zeros((table.people, words), dtype=numpy.uint64)
    fill_bitmaps(table.starts, table.value, numpy.arange(table.people), bitmaps)
    return bitmaps


def _mean_and_deviation(sums: NDArray[numpy.float64], bins: Counts) -> tuple[float, float, int]:
    pairs = int(bins.sum())
    mean = min(1.0, math.fsum(sums[:, 0].tolist()) / pairs)
    square = math.fsum(sums[:, 1].tolist()) / pairs
    return mean, math.sqrt(max(0.0, square - mean * mean)), pairs
