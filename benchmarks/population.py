"""Measures population models: how often their intervals hold, how long fit, bootstrap and back-test take."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray
from page import machine, write_section

from singleout.progress import silent
from singleout.risk.population.bootstrap import draw_sample, model_intervals
from singleout.risk.population.models import MODELS, fit_models
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.population import population_view
from singleout.risk.population.sample_classes import SampleClasses

EVERYBODY = 20_000
ADULT = Path(__file__).parent.parent / "tests" / "extracts" / "class_sizes.csv"
HEADINGS = "population", "sampled", "truth", "model", "accepted", "held", "too low"
Homes = NDArray[numpy.int64]


def populations() -> Iterator[tuple[str, Homes]]:
    """The class of each person."""
    random = numpy.random.default_rng(1)
    chances = 1 / numpy.arange(1, 50_001) ** 1.1
    yield "Zipf, exponent 1.1", random.choice(50_000, EVERYBODY, p=chances / chances.sum())
    columns = [
        random.choice(width, EVERYBODY, p=random.dirichlet(numpy.ones(width))) for width in (2, 5, 8, 16, 60)
    ]
    yield (
        "five independent columns",
        numpy.unique(numpy.stack(columns), axis=1, return_inverse=True)[1].ravel(),
    )
    rows = [line.split(",") for line in ADULT.read_text().splitlines() if line.startswith("arx_adult,")]
    sizes, counts = (numpy.array([int(row[index]) for row in rows]) for index in (2, 3))
    yield "Adult, nine columns", homes(sizes, counts)
    for discount, concentration in ((0.6, 200.0), (0.2, 500.0)):
        law = draw_sample(PitmanYor(discount, concentration), EVERYBODY, 1)
        yield f"Pitman–Yor, d = {discount}, θ = {concentration:g}", homes(law.sizes, law.counts)


def homes(sizes: Any, counts: Any) -> Homes:
    each = numpy.repeat(numpy.asarray(sizes, int), numpy.asarray(counts, int))
    return numpy.repeat(numpy.arange(len(each)), each)


def drawn(everybody: Homes, people: int, seed: int) -> SampleClasses:
    chosen = numpy.random.default_rng(seed).choice(everybody, people, replace=False)
    sizes = numpy.bincount(numpy.bincount(chosen))
    return SampleClasses.of_pairs((size, int(many)) for size, many in enumerate(sizes) if size and many)


def coverage(samples: int, share: float) -> Iterator[tuple[str, ...]]:
    for name, everybody in populations():
        people = round(share * len(everybody))
        alone = int((numpy.bincount(everybody) == 1).sum())
        truth, counts = alone / len(everybody), Counter[tuple[str, str]]()
        for seed in range(samples):
            sample = drawn(everybody, people, seed)
            view = population_view(sample, len(everybody), seed, silent)
            for model in MODELS:
                estimate = view.of(model)
                if estimate.accepted:
                    low, high = estimate.intervals["unique_share"]
                    counts[model, "accepted"] += 1
                    counts[model, "held"] += low <= truth <= high
                    counts[model, "too low"] += high < truth
        for model in MODELS:
            yield name, f"{share:.0%}", f"{truth:.3f}", model, *cells(model, counts, samples)


def cells(model: str, counts: Counter[tuple[str, str]], samples: int) -> tuple[str, ...]:
    accepted = counts[model, "accepted"]
    held, low = (f"{counts[model, each] / accepted:.0%}" if accepted else "–" for each in ("held", "too low"))
    return f"{accepted} of {samples}", held, low


def times() -> Iterator[tuple[str, ...]]:
    fit_models(draw_sample(PitmanYor(0.5, 10.0), 1000, 0), 10_000)  # compiles
    for people, law in ((30_000, PitmanYor(0.72, 3000.0)), (5_000_000, PitmanYor(0.6, 20_000.0))):
        sample = draw_sample(law, people, 0)
        start = time.perf_counter()
        fits = fit_models(sample, 10 * people)
        fitted = time.perf_counter()
        model_intervals(sample, 10 * people, fits, 0)
        bootstrapped = time.perf_counter()
        population_view(sample, 10 * people, 0, silent)
        whole = time.perf_counter()
        seconds = (fitted - start, bootstrapped - fitted, whole - bootstrapped)
        yield f"{people:,}", f"{sample.classes:,.0f}", *(f"{each:.1f} s" for each in seconds)


def table(headings: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> list[str]:
    lines = ["| " + " | ".join(headings) + " |", "|---" * len(headings) + "|"]
    for row in rows:
        lines.append("| " + " | ".join(row) + " |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--samples", type=int, default=40, help="drawn from each population")
    words.add_argument("--sampled", type=float, default=0.1)
    words.add_argument("--show", action="store_true", help="print the tables instead of writing the page")
    given = words.parse_args()
    headings = ("people", "classes", "fit of all models", "bootstrap", "all with the back-test")
    lines = [machine("numpy", "scipy"), "", *table(headings, times()), ""]
    lines += table(HEADINGS, coverage(given.samples, given.sampled))
    if not given.show:
        write_section("Population models", lines)


if __name__ == "__main__":
    main()
