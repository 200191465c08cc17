"""Measures what risks by weights say of samples of known populations, and which their back-test refuses.

Everybody stands for as many people: a tenth of them was drawn, and two other shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy
import page
from population_coverage import Homes, adult, alone_and_alike, independent_columns, pitman_yor, zipf

from singleout.risk.population.individual_risk import individual_risk
from singleout.risk.population.weight_back_test import weight_tests

PEOPLE, SAMPLES, SHARES = 20_000, 40, (0.05, 0.1, 0.4)
POPULATIONS: dict[str, Callable[[numpy.random.Generator], Homes]] = {
    "Zipf, exponent 1.1": zipf(PEOPLE),
    "five independent columns": independent_columns(PEOPLE),
    "Adult, nine columns": adult,
    "Pitman–Yor, d = 0.6, θ = 200": pitman_yor(0.6, 200.0, PEOPLE),
    "Pitman–Yor, d = 0.2, θ = 500": pitman_yor(0.2, 500.0, PEOPLE),
    "Pitman–Yor, d = 0, θ = 50": pitman_yor(0.0, 50.0, PEOPLE),
    "Pitman–Yor, d = 0, θ = 5": pitman_yor(0.0, 5.0, PEOPLE),
    "all in pairs": alone_and_alike(0.0, 2, PEOPLE),
    "30 % alone, others in nines": alone_and_alike(0.3, 9, PEOPLE),
    "1 % alone, others in hundreds": alone_and_alike(0.01, 100, PEOPLE),
    "0.5 % alone, others in two thousands": alone_and_alike(0.005, 2000, PEOPLE),
}
SECTION = "Risks by survey weights"
WORDS = (
    f"The average risk by weights (`weighted.share`) of {SAMPLES} samples of each population, everybody "
    "standing for as many people; the average risk that is true of the same people; and how many of the "
    "samples passed the back-test, with what weights said of those, as a share of the truth: on average, and "
    "the least."
)


def main() -> None:
    lines = [page.machine("numpy", "scipy"), "", WORDS, ""]
    lines += ["| population | sampled | by weights | true | passed | said of the truth there |"]
    lines += ["|---|---:|---:|---:|---:|---|"]
    page.write_section(SECTION, [*lines, *rows(), ""])


def rows() -> Iterator[str]:
    for name, everybody in POPULATIONS.items():
        for share in SHARES:
            seen = [one(everybody, share, seed) for seed in range(SAMPLES)]
            said, true, passed = (numpy.array(each) for each in zip(*seen, strict=True))
            ratios = (said / true)[passed]
            told = f"{ratios.mean():.0%}, {ratios.min():.0%} at least" if len(ratios) else "–"
            numbers = f"{said.mean():.3g} | {true.mean():.3g} | {passed.sum()} of {SAMPLES}"
            yield f"| {name} | {share:.0%} | {numbers} | {told} |"


def one(everybody: Any, share: float, seed: int) -> tuple[float, float, bool]:
    random = numpy.random.default_rng([777, seed])
    home = everybody(random)
    sizes, chosen = numpy.bincount(home), random.choice(home, round(share * len(home)), replace=False)
    alike = numpy.bincount(chosen, minlength=len(sizes))
    said = individual_risk(alike[chosen], alike[chosen] / share).mean()
    tests = weight_tests(alike[alike > 0], len(chosen), individual_risk)
    passed = all(each.passed for each in tests if each.whom == "all")
    return float(said), float((1 / sizes[chosen]).mean()), passed


if __name__ == "__main__":
    main()
