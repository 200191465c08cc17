"""Measures population models: how often intervals hold, how long fits, known records and sketches take."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import page
import pyarrow
import pyarrow.parquet
from numpy.typing import NDArray
from page import machine, write_section

from singleout import attack, known_records, sketch
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.progress import silent
from singleout.read.source import source
from singleout.risk.population.bootstrap import draw_sample, model_intervals
from singleout.risk.population.measures import POPULATION_MEASURES, number_of
from singleout.risk.population.models import MODELS, fit_models
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.population import population_view
from singleout.risk.population.sample_classes import SMALL, SampleClasses

EVERYBODY = 20_000
ADULT = Path(__file__).parent.parent / "tests" / "extracts" / "class_sizes.csv"
NUMBERS = ("unique_share", "small_share", "marketer")
HEADINGS = ("population", "number", "truth", *MODELS)
Homes = NDArray[numpy.int64]


def populations(seed: int) -> Iterator[tuple[str, Homes]]:
    """The class of each person."""
    random = numpy.random.default_rng(seed)
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
        law = draw_sample(PitmanYor(discount, concentration), EVERYBODY, seed)
        yield f"Pitman–Yor, d = {discount}, θ = {concentration:g}", homes(law.sizes, law.counts)


def homes(sizes: Any, counts: Any) -> Homes:
    each = numpy.repeat(numpy.asarray(sizes, int), numpy.asarray(counts, int))
    return numpy.repeat(numpy.arange(len(each)), each)


def drawn(everybody: Homes, people: int, seed: int) -> SampleClasses:
    chosen = numpy.random.default_rng(seed).choice(everybody, people, replace=False)
    sizes = numpy.bincount(numpy.bincount(chosen))
    return SampleClasses.of_pairs((size, int(many)) for size, many in enumerate(sizes) if size and many)


def coverage(samples: int, share: float, first: int) -> Iterator[tuple[str, ...]]:
    """Of each model's intervals that were not refused: how many held, of how many, and ended too low."""
    for name, everybody in populations(first):
        truths = true_numbers(everybody)
        counts = Counter[tuple[str, str, str]]()
        for seed in range(first, first + samples):
            sample = drawn(everybody, round(share * len(everybody)), seed)
            view = population_view(sample, len(everybody), seed, silent)
            for estimate in view.estimates:
                for measure in POPULATION_MEASURES:
                    if number_of(measure) in NUMBERS and (ends := estimate.interval(measure)):
                        number = number_of(measure)
                        counts[estimate.model, number, "accepted"] += 1
                        counts[estimate.model, number, "held"] += ends[0] <= truths[number] <= ends[1]
                        counts[estimate.model, number, "too low"] += ends[1] < truths[number]
        for number in NUMBERS:
            yield name, number, f"{truths[number]:.3f}", *(cell(each, number, counts) for each in MODELS)


def true_numbers(everybody: Homes) -> dict[str, float]:
    sizes = numpy.bincount(everybody)
    sizes = sizes[sizes > 0]
    people = len(everybody)
    small = float(sizes[sizes < SMALL].sum()) / people
    return {
        "unique_share": int((sizes == 1).sum()) / people,
        "small_share": small,
        "marketer": len(sizes) / people,
    }


def cell(model: str, number: str, counts: Counter[tuple[str, str, str]]) -> str:
    accepted, held, low = (counts[model, number, each] for each in ("accepted", "held", "too low"))
    if not accepted:
        return "refused"
    return f"{held} of {accepted}" + (f", {low} too low" if low else "")


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


def known_record_times() -> Iterator[tuple[str, ...]]:
    """Online Retail: 4,338 customers with goods and day, each law with its back-test and interval."""
    path = page.HERE.parents[1] / "shared" / "data" / "online_retail" / "online_retail.parquet"
    if not path.exists():
        return
    import pyarrow.compute as pc

    whole = pyarrow.parquet.read_table(path)
    sold = pc.and_(pc.greater(whole["Quantity"], 0), pc.greater(whole["UnitPrice"], 0))
    whole = whole.filter(pc.and_(sold, pc.is_valid(whole["CustomerID"])))
    shop = pyarrow.table(
        {"who": whole["CustomerID"], "goods": whole["StockCode"], "day": whole["InvoiceDate"]}
    )
    for points in ([1], [1, 2, 4, 8]):
        start = time.perf_counter()
        found = attack(shop, shop, user="who", attacks=[], points=points, granularity={"day": ["day"]})
        counted = time.perf_counter()
        laws = known_records(found, population=43_380)
        ended = time.perf_counter()
        seconds = (f"{counted - start:.1f} s", f"{ended - counted:.1f} s")
        yield ", ".join(map(str, points)), f"{len(laws.laws)}", *seconds


def sketch_times(most: int) -> Iterator[tuple[str, ...]]:
    """A Parquet file of values, a third of them of one person, beside the exact count."""
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        for rows in (most // 10, most):
            path = Path(folder) / f"{rows}.parquet"
            duckdb.execute(
                "COPY (SELECT hash(i) % $people AS who, CASE WHEN hash(i, 1) % 3 = 0 THEN i ELSE "
                "hash(i, 2) % $values END AS v FROM range($rows) t(i)) TO '"
                + str(path)
                + "' (FORMAT parquet)",
                {"people": rows // 50, "values": rows // 20, "rows": rows},
            )
            start = time.perf_counter()
            found = sketch(path, user="who", columns=["v"], memory="1GiB").sketches[0]
            sketched = time.perf_counter()
            with open_engine(source(path), memory="1GiB") as engine:
                sizes = engine.sizes(Question(("v",), "who"))
            counted = time.perf_counter()
            few = sizes.people == 1
            exact = float(sizes.groups[few].sum() / sizes.groups.sum())
            seconds = (sketched - start, counted - sketched)
            yield (
                f"{rows:,}", f"{found.share:.4f} (at most {found.share_high:.4f})", f"{exact:.4f}",
                *(f"{each:.1f} s" for each in seconds), f"{seconds[1] / seconds[0]:.1f}",
            )  # fmt: skip


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
    words.add_argument("--seed", type=int, default=1, help="of the populations and of the first sample")
    words.add_argument("--rows", type=int, default=100_000_000, help="of the largest table to sketch")
    words.add_argument("--only", choices=("fits", "records", "sketch", "coverage"), help="one part, printed")
    words.add_argument("--show", action="store_true", help="print the tables instead of writing the page")
    given = words.parse_args()
    parts: dict[str, tuple[tuple[str, ...], Iterator[tuple[str, ...]]]] = {
        "fits": (("people", "classes", "fit of all models", "bootstrap", "all with the back-test"), times()),
        "records": (("known records", "laws", "counting who fits", "laws"), known_record_times()),
        "sketch": (
            ("rows", "share of values of one person", "exact", "sketch", "exact count", "times faster"),
            sketch_times(given.rows),
        ),
        "coverage": (HEADINGS, coverage(given.samples, given.sampled, given.seed)),
    }
    lines = [machine("numpy", "scipy", "duckdb"), ""]
    for name, (headings, rows) in parts.items():
        if given.only in (None, name):
            lines += [*table(headings, rows), ""]
    if not given.show and given.only is None:
        write_section("Population models", lines)


if __name__ == "__main__":
    main()
