"""Measures what an intruder undoes of each step of a recipe on T1: the table of "what an intruder can undo".

Each release has new names for customers and the columns named here; all records of everybody are known.
Without a seed it is 0, as by `singleout deidentify apply`; with several, the lowest and the highest rate.
python benchmarks/undone_steps.py t1.csv --only pram --seeds 0,1,2,3,4
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    words.add_argument("t1", type=Path, help="T1 as docs/data.md says: singleout data t1 --from FILE")
    words.add_argument("--only", default="", help="releases whose name starts so")
    words.add_argument("--seeds", default="0", help="of the draws, with commas between")
    given = words.parse_args()
    seeds = [int(seed) for seed in given.seeds.split(",")]
    print("| release | without the recipe | with it | not compared | best | seconds |")
    print("|---|---|---|---|---|---|")
    for name in RELEASES:
        if name.startswith(given.only):
            print(table_row(given.t1, name, seeds), flush=True)


def table_row(t1: Path, name: str, seeds: list[int]) -> str:
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
