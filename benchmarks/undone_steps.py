"""Measures what an intruder undoes of each step of a recipe on T1, and writes its section: the rows of the
table in "what an intruder can undo".

Each release has new names for customers and the columns named here; all records of everybody are known.
For some releases or seeds alone, which leaves the page as it is:
python benchmarks/undone_steps.py --only pram --seeds 0,1
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import page
from attack_purchases import RETAIL

TITLE = "What an intruder undoes of each step"
SEEDS = (0, 1, 2, 3, 4)
MONTHS = [{"type": "raw"}, {"type": "date", "to": "month"}]
# by name: the columns of the release, and its step
RELEASES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "generalise": (["date"], {"step": "generalise", "columns": ["date"], "level": 1, "levels": MONTHS}),
    "round": (["price"], {"step": "round", "columns": ["price"], "to": 5}),
    "top_bottom": (["price"], {"step": "top_bottom", "columns": ["price"], "top": 10}),
    "cut": (["date"], {"step": "cut", "column": "date", "begin": "2011-06"}),
    "microaggregate": (
        ["price", "number"], {"step": "microaggregate", "columns": ["price", "number"], "k": 5},
    ),
    "shift_dates": (["date"], {"step": "shift_dates", "columns": ["date"], "days": 30}),
    "pseudonymise": (["goods"], {"step": "pseudonymise", "columns": ["goods"]}),
    "noise_price": (["price"], {"step": "noise", "columns": ["price"], "amount": 1}),
    "noise_date": (["date"], {"step": "noise", "columns": ["date"], "days": 7}),
    "pram_0.5": (["goods"], {"step": "pram", "columns": ["goods"], "keep": 0.5}),
    "pram_0.1": (["goods"], {"step": "pram", "columns": ["goods"], "keep": 0.1}),
    "swap": (["price"], {"step": "swap", "columns": ["price"], "within": 0.05}),
    "sample": (["goods"], {"step": "sample", "what": "records", "share": 0.1}),
}  # fmt: skip


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("retail", nargs="?", type=Path, default=RETAIL, help="UCI Online Retail, in Parquet")
    words.add_argument("--only", default="", help="releases whose name starts so; prints, writes nothing")
    words.add_argument(
        "--seeds", type=_numbers, default=SEEDS, help="of the draws, with commas between; prints"
    )
    given = words.parse_args()
    if not given.retail.exists():
        print("undone_steps: Online Retail is not at hand; docs/data.md says where it is")
        return
    lines = report(given.retail, [name for name in RELEASES if name.startswith(given.only)], given.seeds)
    if given.only or given.seeds != SEEDS:
        print("\n".join(lines))
        return
    page.write_section(TITLE, lines)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def report(retail: Path, names: Sequence[str], seeds: Sequence[int]) -> list[str]:
    import singleout

    with tempfile.TemporaryDirectory() as folder:
        t1 = Path(folder) / "t1.csv"
        singleout.data("t1", source=retail, out=t1)
        rows = []
        for name in names:
            rows.append(table_row(t1, name, seeds))
            print(rows[-1], flush=True)
    return [
        page.machine("duckdb", "numba", "numpy", "pyarrow", "scipy"),
        "",
        "The task: T1 (see [data](data.md)), 400 customers with 38,087 purchases. Each release is of the",
        "columns named in [the table](how-to/what-an-intruder-can-undo.md), under new names for customers;",
        f"the intruder knows all records of everybody. Rates over {len(seeds)} seeds, the lowest and the",
        "highest where a step draws; seconds are of all these releases and attacks, on the clock, beside",
        "other work of the machine.",
        "",
        "| release | without the recipe | with it | not compared without it | best with it | seconds |",
        "|---|---|---|---|---|---:|",
        *rows,
    ]


def table_row(t1: Path, name: str, seeds: Sequence[int]) -> str:
    start = time.perf_counter()
    found = [[*attacked(t1, name, seed)] for seed in seeds]
    blind, informed = zip(*found, strict=True)
    lost = " ".join(sorted({column for each in blind for column in each.best.uncompared}))
    rates = " | ".join(span([each.best.rate for each in side]) for side in (blind, informed))
    attacks = " ".join(sorted({each.most.name for each in informed}))
    return f"| {name} | {rates} | {lost} | {attacks} | {time.perf_counter() - start:.0f} |"


def span(rates: list[float]) -> str:
    low, high = (f"{100 * each:.1f}" for each in (min(rates), max(rates)))
    return f"{low} %" if low == high else f"{low} to {high} %"


def attacked(t1: Path, name: str, seed: int) -> Iterator[Any]:
    """All attacks without the recipe, then with it."""
    import singleout

    columns, step = RELEASES[name]
    recipe = {"columns": ["customer", *columns], "step": [step, {"step": "pseudonymise"}]}
    day, goods = (name if name in columns else None for name in ("date", "goods"))
    with tempfile.TemporaryDirectory() as folder:
        release, truth = Path(folder) / "release.csv", Path(folder) / "who.csv"
        singleout.apply(t1, recipe, user="customer", seed=seed, out=release, truth=truth)
        for known in (None, recipe):
            yield singleout.attack(
                t1, release, truth, user="customer", columns=columns, points=[4], without_records=True,
                recipe=known, time=day, item=goods,
            )  # fmt: skip


if __name__ == "__main__":
    main()
