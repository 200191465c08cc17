"""Measures how often the sampling model's interval holds the true risk: the table in docs/explanation.md."""

from __future__ import annotations

import argparse

import numpy

from singleout.engine.class_sizes import Sizes
from singleout.engine.opening import open_engine
from singleout.engine.protocol import Question
from singleout.read.source import source
from singleout.risk.assess.sampling import tempered_sample, uniform_sample
from singleout.risk.attribute_risk import attribute_risk

SAMPLES = 4_000


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("file", help="any table that singleout reads")
    words.add_argument("--user", required=True)
    words.add_argument("--columns", required=True, help="comma separated")
    given = words.parse_args()
    with open_engine(source(given.file)) as engine:
        for column in given.columns.split(","):
            show(column, engine.sizes(Question((column,), given.user)))


def show(column: str, sizes: Sizes) -> None:
    exact = attribute_risk((column,), sizes, sizes.total_records).risk.known
    for draw in (uniform_sample, tempered_sample):
        for size in (10, 50):
            found = [draw(sizes, size, seed=seed) for seed in range(SAMPLES)]
            held = numpy.mean([each.holds(exact) for each in found])
            spread = numpy.std([each.risk for each in found]) / exact
            print(f"{column:<12} {draw.__name__:<16} {size:>3}  held {held:6.1%}  deviation {spread:6.1%}")


if __name__ == "__main__":
    main()
