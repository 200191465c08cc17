"""Measures `deidentify generalise` where the lattice is far too large to be counted, and writes its section.

Also how long the loops take to compile the first time. Generated data only; each run in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from typing import Any

import page

TITLE = "Very large lattices: singleout deidentify generalise"
RECORDS, VALUES, K, SECONDS = 100_000, 8, 5, 20.0
WIDTHS, PERCENTS = (8, 10, 12, 16), (0, 2)
LEVELS = [
    {"type": "raw"},
    {"type": "interval", "width": 2},
    {"type": "interval", "width": 4},
    {"type": "suppress"},
]
HEAD = (
    "| columns | nodes | suppressed at most | seconds of search | nodes counted | loss | bound | proven |",
    "|---:|---:|---:|---:|---:|---:|---:|---|",
)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--run", nargs=2, type=int, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        print(json.dumps(searched(*given.run)))
        return
    with tempfile.TemporaryDirectory() as empty:
        cold = page.run(__file__, ["8", "0"], {"NUMBA_CACHE_DIR": empty})["first"]
    warm = page.run(__file__, ["8", "0"])["first"]
    lines = [line(width, percent) for width in WIDTHS for percent in PERCENTS]
    page.write_section(TITLE, [*about(cold, warm), *HEAD, *lines])


def about(cold: float, warm: float) -> list[str]:
    return [
        page.machine("duckdb", "numba"),
        "",
        f"The task: {RECORDS:,} generated records, columns of {VALUES} values that depend on each other,",
        f"four levels each, to be {K}-anonymous with the least of ARX's Loss; stopped after {SECONDS:g} s.",
        "Searches are warm.",
        "",
        f"The first call in a fresh environment took {cold:.1f} s, of which the loops take most to compile;",
        f"the next process took {warm:.1f} s for the same call.",
        "",
    ]


def line(width: int, percent: int) -> str:
    found = page.run(__file__, [str(width), str(percent)])
    print(width, percent, found, flush=True)
    proven = "yes" if found["optimal"] else "no"
    numbers = f"{found['search']:.2f} | {found['evaluated']:,} | {found['loss']:.4f} | {found['bound']:.4f}"
    return f"| {width} | {found['lattice']:,} | {percent} % | {numbers} | {proven} |"


def searched(width: int, percent: int) -> dict[str, Any]:
    import singleout

    table, levels = generated(width), {f"column{place}": LEVELS for place in range(width)}
    start = time.perf_counter()
    singleout.generalise(table, hierarchies=levels, k=K, nodes=1)
    first = time.perf_counter() - start
    found = singleout.generalise(table, hierarchies=levels, k=K, suppress=percent / 100, seconds=SECONDS)
    told: dict[str, Any] = {
        "lattice": found.lattice,
        "evaluated": found.evaluated,
        "loss": found.loss,
        "bound": found.bound,
    }
    return told | {"first": first, "search": found.seconds, "optimal": found.optimal}


def generated(width: int) -> Any:
    """A hidden value shows through in most columns, more or less coarsely; the rest is drawn apart."""
    import numpy
    import pyarrow

    draw = numpy.random.default_rng(3)
    hidden = draw.integers(0, VALUES, RECORDS)
    columns = {}
    for place in range(width):
        apart = (draw.geometric(0.5, RECORDS) - 1).clip(0, VALUES - 1)
        columns[f"column{place}"] = numpy.where(
            draw.random(RECORDS) < 0.6, hidden >> draw.integers(0, 3), apart
        )
    return pyarrow.table(columns)


if __name__ == "__main__":
    main()
