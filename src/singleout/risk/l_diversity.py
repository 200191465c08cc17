"""How many different sensitive values a class has: distinct, by entropy, and recursive (c,l)-diversity."""

from __future__ import annotations

import numpy

from singleout.engine.class_sizes import Counts
from singleout.measurement import Measure
from singleout.risk.sensitive_values import MISSING, ONCE, Reals, SensitiveCounts

DIGITS = 12
PAPER = "Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, l-Diversity, ACM TKDD 1(1), 2007"
ALL_HAVE = "1 where all people of a class have one value"

DISTINCT_L = Measure(
    name="sensitive.distinct_l",
    title="fewest different values",
    question="How many different sensitive values does the most uniform class have?",
    formula=f"min over classes of the number of distinct sensitive values in it; {ALL_HAVE}",
    unit="values",
    lowest=1,
    highest=None,
    better="higher",
    counted_over="classes",
    missing=MISSING,
    reference=f"distinct l-diversity; {PAPER}",
)
ENTROPY_L = Measure(
    name="sensitive.entropy_l",
    title="fewest values by entropy",
    question="By how evenly they are spread, how many values does the most uniform class have in effect?",
    formula="min over classes of exp(H), H = −Σ p ln p over the shares p of its values: the effective number "
    f"of values, l of entropy l-diversity, rounded to {DIGITS} decimals; {ONCE}; {ALL_HAVE}",
    unit="values",
    lowest=1,
    highest=None,
    better="higher",
    counted_over="classes",
    missing=MISSING,
    reference=f"entropy l-diversity; {PAPER}",
)
RECURSIVE_C = Measure(
    name="sensitive.recursive_c",
    title="the most frequent value beside the rare ones",
    question="How many times as frequent is a class's first value as its l-th and all later ones together?",
    formula="max over classes of r₁ / (r_l + … + r_m), r₁ ≥ r₂ ≥ … being how many have each value of it: "
    "(c,l)-diversity holds for every c above it, and for none if a class has fewer than l values (unknown "
    f"then); {ONCE}",
    unit="ratio",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference=f"recursive (c,l)-diversity; {PAPER}",
)


def distinct_values(counts: SensitiveCounts) -> Counts:
    """Of each class, how many different values it has."""
    return numpy.where(counts.certain, 1, counts.sums(numpy.ones(len(counts.having))))


def effective_values(counts: SensitiveCounts) -> Reals:
    """Of each class, exp of the entropy of its values.

    A class whose values are equally frequent has as many, though logarithms miss it by a last digit.
    """
    having = counts.having.astype(numpy.float64)
    sizes = numpy.maximum(counts.sizes, 1)
    logs = numpy.bincount(counts.class_of, having * numpy.log(having), counts.classes)
    effective = numpy.round(numpy.exp(numpy.log(sizes) - logs / sizes), DIGITS)
    found: Reals = numpy.where(counts.certain, 1.0, effective)
    return found


def recursive_ratios(counts: SensitiveCounts, least: int) -> Reals:
    """Of each class, the first value's people ÷ those of the `least`-th value and all later ones."""
    order = numpy.lexsort((-counts.having, counts.class_of))
    class_of, having = counts.class_of[order], counts.having[order]
    starts = numpy.searchsorted(class_of, numpy.arange(counts.classes))
    rank = numpy.arange(len(having)) - starts[class_of]
    tails = numpy.bincount(class_of, numpy.where(rank >= least - 1, having, 0), counts.classes)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        ratios = counts.highest / tails
    found: Reals = numpy.where(counts.certain & (least > 1), numpy.inf, ratios)
    return found
