"""Random sampling (Yang et al. 2020, Algorithm 1): columns shuffled for themselves, and the risk then.

A method arranges the columns anew for every shuffle; counting equal rows and averaging is the same for all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from queue import SimpleQueue

import numpy
from numpy.typing import NDArray

from singleout.checks import is_whole
from singleout.errors import UsageError
from singleout.measurement import Measure
from singleout.progress import Progress, silent
from singleout.risk.predict.avfm import Avfm, Counts
from singleout.risk.predict.shuffle_layout import (
    Arranger,
    Codes,
    Desk,
    ValuePool,
    check_size,
    longest_column,
    pool_of,
    random_start,
    standard_column,
)

KEY_SPACE = 1 << 64
SHORT_KEY_SPACE = 1 << 32
CELLS_A_TASK = 1_000_000
CONFIDENCE = 0.95
RULE_OF_THREE = 3
MOST_SPACE = 1 << 62
# distinct rows, Σ count·log2(count) over them, and shortfalls
ShuffleOutcome = tuple[int, float, tuple[int, ...]]
SETTLED = "every arrangement of these values has the same risk"

PREDICTED_ORR = Measure(
    name="prediction.orr",
    title="predicted risk (ORR)",
    question="With what probability would a record be re-identified, judged by statistics alone?",
    formula="mean of ORR = distinct rows / records over the tables that have these statistics",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Yang et al. 2020, Definition 2 and Algorithms 1 and 2",
)


@dataclass(frozen=True)
class SampledOrr:
    """The risk over shuffled data sets with the statistics that the method keeps.

    `low` and `high` bound the mean (95 %), `deviation` is the spread of one shuffled data set, `entropy` the
    mean H(D) in bits; `sample_means` has one mean for each of Algorithm 1's samples.
    """

    method: str
    orr: float
    low: float
    high: float
    deviation: float
    sample_means: tuple[float, ...]
    shuffles: int
    entropy: float
    notes: tuple[str, ...] = ()


# far more than any interval needs
MOST_SHUFFLES = 10**8


@dataclass(frozen=True)
class ShufflePlan:
    """How much to shuffle, checked once: `samples` samples of `capacity` shuffled data sets each."""

    samples: int
    capacity: int
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        for name in ("samples", "capacity", "threads"):
            value = getattr(self, name)
            if not is_whole(value) or value < 1:
                raise UsageError(f"{name} {value!r} is impossible; take a whole number from 1 up")
        if not is_whole(self.seed):
            raise UsageError(f"the seed {self.seed!r} must be a whole number")
        if self.shuffles < 2:
            raise UsageError("a single shuffle says nothing about the spread; take at least 2 shuffles")
        if self.shuffles > MOST_SHUFFLES:
            raise UsageError(
                f"{self.samples:,} samples of {self.capacity:,} shuffles never end; ask for {MOST_SHUFFLES:,}"
                " at most"
            )

    @property
    def shuffles(self) -> int:
        return self.samples * self.capacity


@dataclass(frozen=True, eq=False)
class IndependentArranger:
    """Each column shuffled for itself. Only the relative order matters, so one column may lie still."""

    avfm: Avfm
    order: Sequence[int]
    first: Codes
    pools: Sequence[ValuePool]

    @classmethod
    def of(cls, avfm: Avfm) -> IndependentArranger:
        still = longest_column(avfm, range(len(avfm.columns)))
        order = [still, *(column for column in range(len(avfm.columns)) if column != still)]
        return cls(avfm, order, standard_column(avfm, still), [pool_of(avfm, column) for column in order[1:]])

    def arrange(self, seed: int, shuffle: int, desk: Desk) -> tuple[int, ...]:
        for index, pool, column in zip(self.order[1:], self.pools, desk.columns[1:], strict=True):
            column[:] = pool.values
            pool.shuffle(column, random_start(seed, shuffle, index))
        return ()


def random_sampling(
    avfm: Avfm, *, samples: int, capacity: int, seed: int = 0, threads: int = 1, progress: Progress = silent
) -> SampledOrr:
    """What would the risk be if the columns had nothing to do with each other?

    The mean over shuffled data sets of ORR = distinct rows / records, counted over records. A missing value
    is a value like any other. Yang et al. 2020, Algorithm 1; the closed form gives the same without
    shuffling.

    >>> three = Avfm(("age", "sex", "smoker"), tuple(map(numpy.array, ([3, 2, 1], [3, 3], [2, 2, 2]))))
    >>> round(random_sampling(three, samples=100, capacity=50).orr, 2)
    0.95
    """
    plan = ShufflePlan(samples, capacity, seed, threads)
    return run("random sampling", IndependentArranger.of(check_size(avfm)), plan, progress)[0]


def run(method: str, arranger: Arranger, plan: ShufflePlan, progress: Progress) -> tuple[SampledOrr, Counts]:
    """The sampled risk, and for each pair the records it fell short of, added up over the shuffles."""
    if has_one_answer(arranger.avfm):
        return _exact_orr(method, arranger.avfm, plan), numpy.zeros(0, dtype=numpy.int64)
    outcomes = _outcomes(arranger, plan, progress)
    short = numpy.array([each for _, _, each in outcomes], dtype=numpy.int64).sum(axis=0)
    return _sampled_orr(method, arranger.avfm, plan, outcomes), short


def _sampled_orr(
    method: str, avfm: Avfm, plan: ShufflePlan, outcomes: Sequence[ShuffleOutcome]
) -> SampledOrr:
    """Means and spread from whole numbers: risks that are all the same have a spread of exactly zero."""
    records, shuffles, capacity = avfm.records, plan.shuffles, plan.capacity
    distinct = [each for each, _, _ in outcomes]
    total = sum(distinct)
    squares = shuffles * sum(each**2 for each in distinct) - total**2
    mean = total / (shuffles * records)
    deviation = math.sqrt(squares / (shuffles * (shuffles - 1))) / records
    low, high = _interval(avfm, mean, deviation, shuffles)
    starts = range(0, shuffles, capacity)
    means = tuple(sum(distinct[start : start + capacity]) / (capacity * records) for start in starts)
    entropy = math.log2(records) - math.fsum(spread for _, spread, _ in outcomes) / shuffles / records
    return SampledOrr(method, mean, low, high, deviation, means, shuffles, max(0.0, entropy))


def _outcomes(arranger: Arranger, plan: ShufflePlan, progress: Progress) -> list[ShuffleOutcome]:
    """Of each shuffle, in their order; a task is several shuffles of a small table, or one of a large one."""
    cells = arranger.avfm.records * len(arranger.avfm.columns)
    step = max(1, min(CELLS_A_TASK // cells, plan.shuffles // plan.threads))
    tasks = [range(start, min(start + step, plan.shuffles)) for start in range(0, plan.shuffles, step)]
    desks: SimpleQueue[Desk] = SimpleQueue()
    for _ in range(plan.threads):
        desks.put(Desk.of(arranger))

    def work(task: range) -> list[ShuffleOutcome]:
        desk = desks.get()
        try:
            return [outcome(arranger, plan.seed, shuffle, desk) for shuffle in task]
        finally:
            desks.put(desk)

    outcomes: list[ShuffleOutcome] = []
    with ThreadPoolExecutor(plan.threads) as pool:
        try:
            for more in pool.map(work, tasks):
                outcomes.extend(more)
                progress("shuffling", len(outcomes), plan.shuffles)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return outcomes


def outcome(arranger: Arranger, seed: int, shuffle: int, desk: Desk) -> ShuffleOutcome:
    """One shuffle: the desk's columns arranged and their rows counted."""
    from singleout.risk.predict import shuffle_kernels

    short = arranger.arrange(seed, shuffle, desk)
    sizes = [arranger.avfm.frequencies[column] for column in arranger.order]
    blocks = numpy.ascontiguousarray(sizes[0])
    keys, space = _keys(desk, list(map(len, sizes)))
    distinct, spread = shuffle_kernels.count_blocks(keys, blocks, min(space, MOST_SPACE), _gains())
    return int(distinct), float(spread), short


def _keys(desk: Desk, values: Sequence[int]) -> tuple[Codes, int]:
    """Equal keys where rows are equal in all columns but the first, which cuts them into blocks.

    Mixed radix, numbered afresh before 64 bits overflow.
    """
    from singleout.risk.predict import shuffle_kernels

    kind = numpy.dtype(numpy.uint32 if math.prod(values[1:]) <= SHORT_KEY_SPACE else numpy.uint64)
    keys, space = desk.numbers(kind), 1
    keys[:] = 0
    for codes, count in zip(desk.columns[1:], values[1:], strict=True):
        if space * count > KEY_SPACE:
            keys, space = _renumbered_keys(keys)
        if count > 1:
            shuffle_kernels.add_digit(keys, codes, kind.type(count))
            space *= count
    return keys, space


def _renumbered_keys(keys: Codes) -> tuple[Codes, int]:
    from singleout.engine.codes import count_kernels as kernels

    numbers = numpy.empty(len(keys), dtype=numpy.uint32)
    slots = 1 << max(4, (len(keys) * 3 // 2).bit_length())
    count = kernels.number_part(keys, numpy.uint64(64), 0, slots, numbers)
    return numbers.astype(numpy.uint64), int(count)


@lru_cache(maxsize=1)
def _gains() -> NDArray[numpy.float64]:
    """(c + 1)·log2(c + 1) − c·log2(c) for small c: what one more record adds to Σ count·log2(count)."""
    size = numpy.arange(1, 1025)
    return numpy.diff(size * numpy.log2(size), prepend=0.0)


def _interval(avfm: Avfm, mean: float, deviation: float, shuffles: int) -> tuple[float, float]:
    """Student's t around the mean, no wider than what is possible.

    Shuffles that all gave the same may have missed a rare other number: what never happened in s trials has a
    probability of at most 3/s (95 %), so the mean may be off by 3/s of a record.
    """
    from scipy.special import stdtrit

    error = float(stdtrit(shuffles - 1, (1 + CONFIDENCE) / 2)) * deviation / math.sqrt(shuffles)
    half = max(error, RULE_OF_THREE / (shuffles * avfm.records))
    fewest, most = most_values(avfm), min(avfm.records, math.prod(map(len, avfm.frequencies)))
    return max(mean - half, min(fewest / avfm.records, mean)), min(mean + half, most / avfm.records)


def has_one_answer(avfm: Avfm) -> bool:
    """Whether a column alone decides: all others are constant, or it names every record."""
    varied = sum(len(column) > 1 for column in avfm.frequencies)
    return varied < 2 or most_values(avfm) == avfm.records


def _exact_orr(method: str, avfm: Avfm, plan: ShufflePlan) -> SampledOrr:
    risk = most_values(avfm) / avfm.records
    means = (risk,) * plan.samples
    return SampledOrr(method, risk, risk, risk, 0.0, means, plan.shuffles, max(avfm.entropies), (SETTLED,))


def most_values(avfm: Avfm) -> int:
    return max(map(len, avfm.frequencies))
