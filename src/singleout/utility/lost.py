"""How much of its range a metric has lost: what metrics of different units are set beside each other by."""

from __future__ import annotations

from singleout.measurement import Measure
from singleout.utility.finding import Finding

LOST = Measure(
    name="lost",
    title="lost",
    question="How far is a metric from what an untouched table gets, of all that it could be?",
    formula="distance of the metric from its best value, which an untouched table gets / (highest − lowest "
    "value that the metric can have). Told of metrics that have a better way and both ends of a range",
    unit="share of the range",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="values",
    missing="as in the metric's own definition",
    reference="a number by its range, so that metrics of different units stand side by side",
)


def lost(found: Finding) -> float | None:
    """The share of its range that a metric lost; None if it is unknown or has no such range.

    >>> from singleout.utility.popularity import POPULARITY
    >>> lost(Finding(POPULARITY, 0.5))
    0.25
    """
    measure = found.measure
    if found.value is None or measure.highest is None or measure.better == "neither":
        return None
    best = measure.highest if measure.better == "higher" else measure.lowest
    return abs(best - found.value) / (measure.highest - measure.lowest)
