"""What a domain would tell if its values had nothing to do with the people: chance alone.

On short histories nearly every value is rare, so that a table of pure noise seems to tell a lot. The same
events with their values dealt anew say how much of the information is of that kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.parallel import key_of, map_units
from singleout.measurement import Measure
from singleout.risk.entropy.mutual_information import SKIPPED, margins
from singleout.risk.entropy.person_value_counts import Counts, CountTable
from singleout.risk.shannon_entropy import entropy_of

MOST_PERMUTATIONS = 1_000
FEWEST_PERMUTATIONS = 8
MOVES = 40_000_000
ROUNDING = 1e-9
CONFIDENCE = 0.95

CHANCE_INFORMATION = Measure(
    name="domain.chance_information",
    title="information by chance (permutation baseline)",
    question="How much would a value seem to tell about its person if it had nothing to do with the person?",
    formula="mean of I(U;x) over tables with the events' values permuted, both margins kept",
    unit="bits",
    lowest=0,
    highest=None,
    better="neither",
    counted_over="records",
    missing=SKIPPED,
    reference="permutation null; the correction of Ito et al. n.d., Table VI",
)
CHANCE_BEST_GUESS = Measure(
    name="domain.chance_best_guess",
    title="best guess by chance",
    question="How often would the best guess be right if values had nothing to do with people?",
    formula="mean of Σ over values of P(s)·max P(u|s) over tables with the events' values permuted",
    unit="probability",
    lowest=0,
    highest=1,
    better="neither",
    counted_over="records",
    missing=SKIPPED,
    reference="permutation null; the correction of Ito et al. n.d., Table VI",
)


@dataclass(frozen=True)
class Chance:
    """Mean information by chance, the range that holds 95 % of it, and the mean best guess by chance."""

    information: float
    low: float
    high: float
    best_guess: float
    permutations: int


def chance(table: CountTable, seed: int, threads: int, moves: int = MOVES) -> Chance:
    """How much would the values seem to tell if they had nothing to do with the people?

    I(U;x) and the best guess of tables in which the events' values are permuted. Counted over records; only
    what the table holds counts. Depends on nothing but both margins, the seed and how many events are dealt
    in all: so many `moves`, or a few permutations.
    Reference: the correction of Ito et al. n.d., Table VI.

    >>> from numpy import arange, ones
    >>> each_value_once = CountTable.of(arange(4) // 2, arange(4), ones(4, dtype=int), people=2, values=4)
    >>> chance(each_value_once, seed=0, threads=1).information
    1.0
    """
    from singleout.risk.entropy import chance_baseline_kernels as loops

    by_person, by_value = (numpy.sort(margin) for margin in margins(table))
    starts, events = starts_of(by_person), events_of(by_value)
    largest = min(int(by_person[-1]), int(by_value[-1]))
    margin_entropy = entropy_of(by_person) + entropy_of(by_value)

    def deal(permutation: int) -> tuple[float, float]:
        key = numpy.uint64(key_of(seed, permutation))
        cells, right = loops.permuted_counts(events, starts, key, len(by_value), largest)
        return max(0.0, margin_entropy - _entropy_of_cells(cells, len(events))), int(right) / len(events)

    wanted = max(FEWEST_PERMUTATIONS, min(MOST_PERMUTATIONS, moves // len(events)))
    return chance_of(map_units(range(wanted), deal, threads), entropy_of(by_person))


def chance_of(runs: Sequence[tuple[float, float]], most: float) -> Chance:
    """From the information and the best guess of each permutation; `most` is all that can be told.

    A thousand show the range by themselves; fewer give the range in which one more would fall.
    """
    bits = numpy.array([information for information, _ in runs])
    mean = math.fsum(bits.tolist()) / len(runs)
    if len(runs) >= MOST_PERMUTATIONS:
        low, high = numpy.percentile(bits, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)]).tolist()
    else:
        from scipy.special import stdtrit

        width = float(stdtrit(len(runs) - 1, (1 + CONFIDENCE) / 2)) * math.sqrt(1 + 1 / len(runs))
        half = width * float(bits.std(ddof=1))
        low, high = max(0.0, mean - half), min(max(mean, most), mean + half)
    guess = math.fsum(right for _, right in runs) / len(runs)
    return Chance(mean, low, high, guess, len(runs))


def is_beyond_chance(information: float, by_chance: Chance) -> bool:
    """Whether a domain tells more than the range of chance holds, and not by rounding only."""
    return information > by_chance.high + ROUNDING


def chance_sentence(name: str, information: float, by_chance: Chance) -> str:
    """One sentence for a reader who does not think in bits."""
    if is_beyond_chance(information, by_chance):
        more = information - by_chance.information
        return (
            f"{name} tells {more:.2f} bits more of the person than chance would: "
            f"{information:.2f} instead of {by_chance.information:.2f}"
        )
    return (
        f"{name} tells no more of the person than chance would: {information:.2f} bits, "
        f"where chance alone gives {by_chance.low:.2f} to {by_chance.high:.2f}"
    )


def starts_of(lengths: Counts) -> Counts:
    """Where each of several runs starts, and where the last one ends."""
    return numpy.concatenate(([0], numpy.cumsum(lengths))).astype(numpy.int64)


def events_of(by_value: Counts) -> NDArray[numpy.uint32]:
    """The value of each event, grouped by value."""
    return numpy.repeat(numpy.arange(len(by_value), dtype=numpy.uint32), by_value)


def _entropy_of_cells(cells: Counts, events: int) -> float:
    """As entropy_of, from how many cells have each count."""
    sizes = numpy.flatnonzero(cells)
    weighted = math.fsum((cells[sizes] * sizes * numpy.log2(sizes)).tolist())
    return math.log2(events) - weighted / events
