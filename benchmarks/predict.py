"""Measures the closed form of the ORR beside shuffling, and writes its section of docs/benchmarks.md.

The time of a contender is its work alone, warm: a user who predicts once also waits for Python to start.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import page

SIZES = (30_000, 300_000, 4_000_000)
VALUES = (2, 7, 16, 42, 119, 1_000)
SHUFFLES = 5_000
MOST_VALUES = 10_000_000_000  # shuffled in one measurement; what is more is scaled up from fewer shuffles
ROUNDS = 5
MANY = 20  # shuffles that are timed as one
THREADS = 2


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--run", nargs=2, metavar=("NAME", "RECORDS"), help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        print(json.dumps(RUN[given.run[0]](int(given.run[1]))))
        return
    found = {}
    for size in SIZES:
        found[size] = {name: page.run(__file__, [name, str(size)]) for name in RUN}
        for name, each in found[size].items():
            print(f"{size:>11,} {name:<16} {each['seconds']:10.5f} s {each['gib']:6.2f} GiB", flush=True)
        check_same(found[size])
    page.write_section("Predicting: singleout predict", report(found))


def check_same(found: dict[str, dict[str, Any]]) -> None:
    """The formula and the shuffles must agree on what they estimate."""
    for name, each in found.items():
        distance = abs(each["orr"] - found["closed form"]["orr"])
        assert distance <= found["closed form"]["bound"] + each["error"], (name, distance)


def statistics(records: int) -> Any:
    """Columns of a few to a thousand values, the frequent ones far more frequent than the rare ones."""
    import numpy

    from singleout.risk.predict.avfm import Avfm

    draw = numpy.random.default_rng(0)
    columns = []
    for values in VALUES:
        weights = 1 / numpy.arange(1, values + 1) ** 0.9
        counts = draw.multinomial(records - values, weights / weights.sum()) + 1
        columns.append(numpy.sort(counts)[::-1])
    return Avfm(tuple(f"column {place}" for place in range(len(VALUES))), tuple(columns))


def best_of(work: Callable[[], Any]) -> tuple[float, Any]:
    answer, best = work(), float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        answer = work()
        best = min(best, time.perf_counter() - start)
    return best, answer


def closed_form(records: int) -> dict[str, Any]:
    from singleout.risk.predict.closed_form import expected_orr

    known = statistics(records)
    seconds, found = best_of(lambda: expected_orr(known))
    return {"seconds": seconds, "orr": found.orr, "bound": found.bound, "error": 0.0}


def shuffles(records: int) -> dict[str, Any]:
    from singleout.risk.predict.random_shuffle import random_sampling

    known = statistics(records)
    random_sampling(known, samples=2, capacity=1)
    made = min(SHUFFLES, MOST_VALUES // (records * len(VALUES)))
    start = time.perf_counter()
    found = random_sampling(known, samples=made, capacity=1, threads=THREADS)
    seconds = (time.perf_counter() - start) * SHUFFLES / made
    return {"seconds": seconds, "orr": found.orr, "made": made, "error": 4 * found.deviation / made**0.5}


def one_shuffle(records: int) -> dict[str, Any]:
    from singleout.risk.predict.random_shuffle import random_sampling

    known = statistics(records)
    seconds, found = best_of(lambda: random_sampling(known, samples=MANY, capacity=1, threads=1))
    return {"seconds": seconds / MANY, "orr": found.orr, "error": 4 * found.deviation}


def one_in_numpy(records: int) -> dict[str, Any]:
    import numpy

    known = statistics(records)
    draw = numpy.random.default_rng(0)
    columns = [numpy.repeat(numpy.arange(len(each)), each) for each in known.frequencies]

    def shuffle_and_count() -> float:
        keys = numpy.zeros(records, dtype=numpy.int64)
        for codes, values in zip(columns, VALUES, strict=True):
            keys = keys * values + draw.permutation(codes)
        return len(numpy.unique(keys)) / records

    seconds, orr = best_of(shuffle_and_count)
    return {"seconds": seconds, "orr": orr, "error": 0.01}


RUN: dict[str, Callable[[int], dict[str, Any]]] = {
    "closed form": closed_form,
    "shuffles": shuffles,
    "one shuffle": one_shuffle,
    "numpy": one_in_numpy,
}


def report(found: dict[int, dict[str, dict[str, Any]]]) -> list[str]:
    lines = [
        page.machine("numba", "numpy"),
        "",
        f"The task: the expected ORR of {len(VALUES)} independent columns with {VALUES[0]} to {VALUES[-1]:,}",
        f"values. The closed form beside the mean of {SHUFFLES:,} compiled shuffles on {THREADS} threads (as",
        "many as Yang et al. do), and one compiled shuffle-and-count beside the same in numpy (`permutation`",
        "of each column, `unique` of the mixed key), on one thread. Warm, each in a process of its own, best",
        f"of {ROUNDS}. Memory is of the closed form, the shuffles and numpy.",
        "",
        "| records | closed form | bound | 5,000 shuffles | ratio | one shuffle | numpy | ratio | memory |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    lines += [row(size, each) for size, each in found.items()]
    scaled = [
        f"{size:,} records from {each['shuffles']['made']:,}"
        for size, each in found.items()
        if each["shuffles"]["made"] < SHUFFLES
    ]
    if scaled:
        lines += ["", f"The time of 5,000 shuffles is scaled up: {', '.join(scaled)}."]
    return [*lines, "", *growth(found)]


def row(size: int, each: dict[str, dict[str, Any]]) -> str:
    form, many, one, by_hand = (each[name] for name in RUN)
    memory = ", ".join(f"{part['gib']:.2f}" for part in (form, many, by_hand))
    return (
        f"| {size:,} | {form['seconds'] * 1000:.1f} ms | {form['bound']:.1e} | {many['seconds']:.1f} s "
        f"| {many['seconds'] / form['seconds']:,.0f} | {one['seconds'] * 1000:.1f} ms "
        f"| {by_hand['seconds'] * 1000:.0f} ms | {by_hand['seconds'] / one['seconds']:.1f} | {memory} GiB |"
    )


def growth(found: dict[int, dict[str, dict[str, Any]]]) -> list[str]:
    steps = []
    for small, large in pairwise(found):
        times = [
            found[large][name]["seconds"] / found[small][name]["seconds"]
            for name in ("closed form", "one shuffle")
        ]
        steps.append(
            f"from {small:,} to {large:,} records ({large / small:.0f} times as many) the closed form takes "
            f"{times[0]:.1f} times and a shuffle {times[1]:.1f} times as long"
        )
    return [f"How cost grows: {'; '.join(steps)}."]


if __name__ == "__main__":
    main()
