"""Measures how long population models with their bootstrap, laws of known records, and sketches take."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import page
import pyarrow
import pyarrow.parquet
from page import machine, write_section

from singleout import attack, known_records, sketch
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.progress import silent
from singleout.read.source import source
from singleout.risk.population.bootstrap import draw_sample, model_intervals
from singleout.risk.population.models import fit_models
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.population import population_view

MEMORY = "1GiB"
LAWS = (
    (30_000, PitmanYor(0.72, 3000.0)),
    (300_000, PitmanYor(0.72, 3000.0)),
    (3_000_000, PitmanYor(0.72, 9000.0)),
    (5_500_000, PitmanYor(0.6, 20_000.0)),
)


# what stands above each table
WORDS = {
    "fits": "Fit of all models to samples drawn from a law, and 99 samples of at most 200,000 people for the "
    "bootstrap, each refitted; then all that `assess --population` does from the list of class sizes.",
    "records": "Known records on Online Retail (4,338 customers; goods and day, alone and together), with "
    "back-test, interval and bound of each law, for 43,380 people.",
    "sketch": "Sketch from Parquet beside the exact count of people for each value, in a process each with "
    "1 GiB for DuckDB, the file read once before; the largest memory of the process, imports included. One "
    "column of numbers, by DuckDB's own hash.",
}


def timed(work: Callable[..., Any], *given: Any, **named: Any) -> tuple[Any, str]:
    """What came of it, and how long it took by the clock, and of one processor."""
    start, busy = time.perf_counter(), time.process_time()
    found = work(*given, **named)
    return found, f"{time.perf_counter() - start:.2f} s ({time.process_time() - busy:.2f} s)"


def fit_times() -> Iterator[tuple[str, ...]]:
    population_view(draw_sample(PitmanYor(0.5, 10.0), 1000, 0), 10_000, 0, silent)  # compiles
    for people, law in LAWS:
        sample, size = draw_sample(law, people, 0), 10 * people
        fits, fitting = timed(fit_models, sample, size)
        _, drawing = timed(model_intervals, sample, size, fits, 0)
        _, whole = timed(population_view, sample, size, 0, silent)
        yield f"{people:,}", f"{sample.classes:,.0f}", fitting, drawing, whole


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
    attack(shop.slice(0, 100), shop.slice(0, 100), user="who", attacks=[], points=[1, 2])  # compiles
    for points in ([1], [1, 2, 4, 8], [*range(1, 9)]):
        asked = {"user": "who", "attacks": [], "points": points, "granularity": {"day": ["day"]}}
        found, counting = timed(attack, shop, shop, **asked)
        laws, fitting = timed(known_records, found, population=43_380)
        held = sum(each.why is None for each in laws.laws)
        yield ", ".join(map(str, points)), f"{len(laws.laws)}", f"{held}", counting, fitting


def sketch_times(most: int, folder: Path) -> Iterator[tuple[str, ...]]:
    """A Parquet file of values, a third of them of one person, beside the exact count: each in a process."""
    for rows in (most // 100, most // 10, most):
        path = folder / f"{rows}.parquet"
        if not path.exists():
            write_values(path, rows)
        path.read_bytes()  # both find the file in memory
        found, exact = (of_process(way, path) for way in ("sketch", "exact"))
        yield (
            f"{rows:,}", f"{found['share']:.4f} (at most {found['high']:.4f})", f"{exact['share']:.4f}",
            *map(cost, (found, exact)),
            f"{exact['seconds'] / found['seconds']:.1f}",
        )  # fmt: skip


def cost(found: dict[str, float]) -> str:
    return f"{found['seconds']:.1f} s ({found['busy']:.1f} s), {found['peak']:.2f} GB"


def write_values(path: Path, rows: int) -> None:
    import duckdb

    duckdb.execute(
        "COPY (SELECT hash(i) % $people AS who, CASE WHEN hash(i, 1) % 3 = 0 THEN i ELSE "
        f"hash(i, 2) % $values END AS v FROM range($rows) t(i)) TO '{path}' (FORMAT parquet)",
        {"people": rows // 50, "values": rows // 20, "rows": rows},
    )


def of_process(way: str, path: Path) -> dict[str, float]:
    words = [sys.executable, __file__, "--way", way, "--path", str(path)]
    found: dict[str, float] = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return found


def one_way(way: str, path: Path) -> dict[str, float]:
    start, busy = time.perf_counter(), time.process_time()
    if way == "sketch":
        found = sketch(path, user="who", columns=["v"], memory=MEMORY).sketches[0]
        numbers = {"share": found.share, "high": found.share_high}
    else:
        with open_engine(source(path), memory=MEMORY) as engine:
            sizes = engine.sizes(Question(("v",), "who"))
        numbers = {"share": float(sizes.groups[sizes.people == 1].sum() / sizes.groups.sum())}
    seconds, of_processor = time.perf_counter() - start, time.process_time() - busy
    return {**numbers, "seconds": seconds, "busy": of_processor, "peak": own_peak()}


def own_peak() -> float:
    """In GB; what getrusage tells begins with the memory of the process that started this one."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024 / 1e9


def table(headings: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> list[str]:
    lines = ["| " + " | ".join(headings) + " |", "|---" * len(headings) + "|"]
    for row in rows:
        lines.append("| " + " | ".join(row) + " |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rows", type=int, default=100_000_000, help="of the largest table to sketch")
    words.add_argument("--folder", type=Path, help="where tables to sketch are, or are left")
    words.add_argument("--only", choices=("fits", "records", "sketch"), help="one part, printed")
    words.add_argument("--way", choices=("sketch", "exact"), help="of one table, at --path")
    words.add_argument("--path", type=Path)
    given = words.parse_args()
    if given.way:
        print(json.dumps(one_way(given.way, given.path)))
        return
    with tempfile.TemporaryDirectory() as folder:
        parts: dict[str, tuple[tuple[str, ...], Iterator[tuple[str, ...]]]] = {
            "fits": (
                ("people", "classes", "fit of all models", "bootstrap", "all with the tests"),
                fit_times(),
            ),
            "records": (("known records", "laws", "held", "counting who fits", "laws"), known_record_times()),
            "sketch": (
                ("rows", "share of values of one person", "exact", "sketch", "exact count", "times faster"),
                sketch_times(given.rows, given.folder or Path(folder)),
            ),
        }
        lines = [f"{machine('numpy', 'scipy', 'duckdb')} Seconds by the clock (of the processor).", ""]
        for name, (headings, rows) in parts.items():
            if given.only in (None, name):
                lines += [WORDS[name], "", *table(headings, rows), ""]
    if given.only is None:
        write_section("Population models", lines)


if __name__ == "__main__":
    main()
