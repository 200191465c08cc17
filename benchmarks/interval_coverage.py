"""Measures how often the sampling model's interval holds the true risk: the table in docs/explanation.md."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path
from statistics import median, pstdev

from singleout.engine.class_sizes import Sizes
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.read.source import source
from singleout.risk.assess.sampling import SampledRisk, tempered_sample, uniform_sample
from singleout.risk.attribute_risk import attribute_risk

WAYS = {"uniform": uniform_sample, "tempered": tempered_sample}
HEADINGS = "attribute", "values drawn", "way", "held", "upper end below the risk", "upper end", "deviation"


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("file", nargs="?", help="any table that singleout reads")
    words.add_argument("--user")
    words.add_argument("--columns", help="comma separated")
    words.add_argument("--counts", help="lines of table, column, records, people, values (tests/extracts)")
    words.add_argument("--table", help="of the counts")
    words.add_argument("--samples", default="10,20,50", help="comma separated")
    words.add_argument("--seeds", type=int, default=1_000)
    given = words.parse_args()
    print("|" + "|".join(f" {each} " for each in HEADINGS) + "|\n" + "|---" * len(HEADINGS) + "|")
    for column, sizes in {**dict(of_file(given)), **dict(of_counts(given))}.items():
        for sample in map(int, given.samples.split(",")):
            for way in WAYS:
                show(column, sizes, sample, way, given.seeds)


def of_file(given: argparse.Namespace) -> Iterator[tuple[str, Sizes]]:
    if given.file:
        with open_engine(source(given.file)) as engine:
            for column in given.columns.split(","):
                yield column, engine.sizes(Question((column,), given.user))


def of_counts(given: argparse.Namespace) -> Iterator[tuple[str, Sizes]]:
    if given.counts:
        with Path(given.counts).open(encoding="utf-8", newline="") as lines:
            rows = [row for row in csv.reader(lines) if row[0] == given.table]
        for column in dict.fromkeys(row[1] for row in rows):
            numbers = [tuple(map(int, row[2:])) for row in rows if row[1] == column]
            yield column, Sizes.of((records, people, values) for records, people, values in numbers)


def show(column: str, sizes: Sizes, sample: int, way: str, seeds: int) -> None:
    if sample >= sizes.total_groups:
        return
    exact = attribute_risk((column,), sizes, sizes.total_records).risk.known
    samples: list[SampledRisk] = [WAYS[way](sizes, sample, seed=seed) for seed in range(seeds)]
    held = sum(each.holds(exact) for each in samples) / seeds
    below = sum(each.high < exact and not each.holds(exact) for each in samples) / seeds
    high = median(each.high for each in samples) / exact
    deviation = pstdev(each.risk for each in samples) / exact
    cells = column, sample, way, f"{held:.1%}", f"{below:.1%}", f"{high:.2f} × the risk", f"{deviation:.1%}"
    print("|" + "|".join(f" {each} " for each in cells) + "|")


if __name__ == "__main__":
    main()
