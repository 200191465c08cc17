"""How the samples draw: skewed shares, popular values, every value at least once, all from one seed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from singleout.errors import UsageError

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
WHEEL = 1 << 16


def check(people: int, seed: int) -> None:
    if people < 1:
        raise UsageError(f"a sample of {people} people is empty: ask for 1 or more")
    if seed < 0:
        raise UsageError(f"the seed {seed} is negative: use 0 or more")


def stream(seed: int, *key: int) -> np.random.Generator:
    """Chance that depends on the seed and the place only, so that batches don't depend on each other."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(seed, spawn_key=key)))


def shares(weights: Real, total: int, least: Whole | int = 0) -> Whole:
    """Whole numbers in proportion to the weights, none below the least, that add up to exactly the total."""
    low = np.broadcast_to(np.asarray(least, np.int64), weights.shape)
    running = np.cumsum(weights)
    steps = np.floor(running / running[-1] * (total - int(low.sum()))).astype(np.int64)
    return np.asarray(low + np.diff(steps, prepend=0))


def skewed_weights(count: int, spread: float, random: np.random.Generator) -> Real:
    """Many small and few large weights: the exponential of evenly spaced quantiles, in random order.

    The quantiles are Tukey's with lambda 0.05: tails between a normal's and a logistic's, but never endless.
    """
    rank = (np.arange(count) + 0.5) / count
    return random.permutation(np.exp(spread * (rank**0.05 - (1 - rank) ** 0.05) / 0.05))


def wheel(weights: Real) -> Whole:
    """The numbers of the weights, each as often as its weight says: spinning it is one lookup."""
    return np.repeat(np.arange(len(weights)), shares(weights, WHEEL))


def spin(wheel: Whole, count: int, random: np.random.Generator) -> Whole:
    return wheel[random.integers(0, WHEEL, count, dtype=np.uint16)]


def debuts(first: int, count: int, slots: int, values: int) -> Whole:
    """For each of these slots the number of the value that appears there for the first time, or -1.

    All the slots together have each value once, evenly spaced, so their number is exact in batches too.
    """
    due = np.arange(first, first + count + 1) * values // slots
    return np.where(due[1:] > due[:-1], due[:-1], -1)


def texts(numbers: Whole) -> pa.StringArray:
    return pa.array(numbers).cast(pa.string())


def pick(values: pa.StringArray, indices: Whole) -> pa.StringArray:
    return values.take(pa.array(indices))


def dates(days: npt.NDArray[np.datetime64]) -> pa.StringArray:
    return pa.array([str(day).replace("-", "/") for day in days], pa.string())
