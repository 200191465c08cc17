"""Means over the seeds of a sweep, with how far other seeds might move them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from singleout.measurement import Measure

CONFIDENCE = 0.95

SWEEP_MEAN = Measure(
    name="sweep.mean",
    title="mean over seeds",
    question="What does a measure come to on average, if the same recipe is run with other random draws?",
    formula="mean over the seeds; unknown if it is unknown for one of them",
    unit="as the measure's",
    lowest=-math.inf,
    highest=None,
    better="neither",
    counted_over="values",
    missing="a run of which the measure is unknown makes the mean unknown",
    reference="Ito et al. 2020, Table 8 (means of ten runs)",
)
SWEEP_INTERVAL = Measure(
    name="sweep.interval",
    title="interval of the mean over seeds",
    question="Where does the mean over all seeds lie?",
    formula="mean ± t(s − 1; 0.975) · standard deviation / √s over s seeds; it covers the draws of recipes "
    "and attacks, not which people are in the table",
    unit="as the measure's",
    lowest=-math.inf,
    highest=None,
    better="neither",
    counted_over="values",
    missing="none with one seed, or where the mean is unknown",
    reference="improvement: the paper prints means only",
)
SWEEP_CORRELATION = Measure(
    name="sweep.correlation",
    title="correlation of two measures",
    question="Do two measures rise and fall together from run to run?",
    formula="Pearson's r over the runs that have both",
    unit="correlation",
    lowest=-1,
    highest=1,
    better="neither",
    counted_over="values",
    missing="a run of which one is unknown is left out",
    reference="Ito et al. 2020, Table 7",
)
SWEEP_MEASURES: tuple[Measure, ...] = (SWEEP_MEAN, SWEEP_INTERVAL, SWEEP_CORRELATION)


@dataclass(frozen=True)
class Average:
    """A measure of a release at one setting; a mean with a `reason` beside it is a lower bound."""

    release: str
    setting: Mapping[str, Any]
    name: str
    runs: int
    mean: float | None
    low: float | None
    high: float | None
    lowest: float | None
    highest: float | None
    reason: str | None = None


def average(
    release: str, setting: Mapping[str, Any], name: str, rows: Sequence[Mapping[str, Any]]
) -> Average:
    """Of one measure over the runs that differ in their seed only.

    >>> found = average("noise", {}, "x", [{"x": 1.0}, {"x": 2.0}, {"x": 3.0}])
    >>> found.mean, round(found.low, 3), found.highest
    (2.0, -0.484, 3.0)
    """
    values = [row.get(name) for row in rows]
    known = [float(value) for value in values if value is not None]
    reason = next((row[f"reason.{name}"] for row in rows if row.get(f"reason.{name}")), None)
    if len(known) < len(values) or not known:
        why = reason or "this release has none"
        return Average(release, setting, name, len(rows), None, None, None, None, None, why)
    mean = math.fsum(known) / len(known)
    half = _half_width(known, mean)
    low, high = (None, None) if half is None else _within(name, mean - half, mean + half)
    return Average(release, setting, name, len(rows), mean, low, high, min(known), max(known), reason)


def _half_width(known: Sequence[float], mean: float) -> float | None:
    if len(known) < 2:
        return None
    from scipy.special import stdtrit

    square = math.fsum((each - mean) ** 2 for each in known) / (len(known) - 1)
    return float(stdtrit(len(known) - 1, (1 + CONFIDENCE) / 2)) * math.sqrt(square / len(known))


def _within(name: str, low: float, high: float) -> tuple[float, float]:
    """A rate is none below 0 and none above 1."""
    return (max(0.0, low), min(1.0, high)) if name.startswith("privacy.") else (low, high)
