"""The scaling law: the Pitman–Yor law whose share of recognised people falls as it does within the sample."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from singleout.risk.population.pitman import BOUNDS, NOT_CONVERGED, NoEstimate, check_fit, law_at, point_of
from singleout.risk.population.pitman_yor import Floats, PitmanYor
from singleout.risk.population.sample_classes import SampleClasses

# entropy in nats, and the tail's share of it: where to start
STARTS = ((12.0, 0.26), (6.0, 0.5), (8.0, 0.1))
HIGHEST_ENTROPY = 60.0
FEWEST_SIZES = 3
SIZES = 12
SMALLEST_SIZE = 10
Curve = Callable[[PitmanYor, Floats], Floats]
Miss = Callable[[PitmanYor], float]


def fit_scaling_law(sample: SampleClasses, start: PitmanYor | None = None) -> PitmanYor:
    """Fitted to the exact rarefaction of the sample: what smaller samples of it would show on average."""
    check_fit(sample)
    sizes = numpy.geomspace(min(SMALLEST_SIZE, sample.people / 4), sample.people, SIZES)
    return fit_curve(sizes, sample.rarefied(sizes), start=start)


def fit_curve(
    sizes: Floats, seen: Floats, curve: Curve = PitmanYor.correctness, start: PitmanYor | None = None
) -> PitmanYor:
    """The law whose curve is nearest to what was seen at these sizes, larger ones counting more.

    With a `start`, the fit to a similar sample, it is looked for from there, which is faster.
    """
    if len(sizes) < FEWEST_SIZES:
        raise NoEstimate(f"a law needs {FEWEST_SIZES} sizes of the sample, not {len(sizes)}")
    weights = numpy.log(sizes) / len(sizes)

    def miss(law: PitmanYor) -> float:
        return float((weights * (curve(law, sizes) - seen) ** 2).sum())

    return _search(miss) if start is None else _descent(miss, start)


def _search(miss: Miss) -> PitmanYor:
    """In coordinates that hardly depend on each other, from several places."""

    def value(point: Floats) -> float:
        entropy, tail = point.tolist()
        if not (1e-6 < entropy < HIGHEST_ENTROPY and 0 <= tail < 1):
            return math.inf
        return miss(PitmanYor.of_entropy(entropy, tail))

    options = {"xatol": 1e-6, "fatol": 1e-14, "maxiter": 400}
    fits = [_minimum(value, start, options) for start in STARTS]
    found, point = min(fits, key=lambda each: each[0])
    if not math.isfinite(found):
        raise NoEstimate(NOT_CONVERGED)
    return PitmanYor.of_entropy(*point.tolist())


def _descent(miss: Miss, start: PitmanYor) -> PitmanYor:
    def value(point: Floats) -> float:
        inside = all(low < each < high for each, (low, high) in zip(point, BOUNDS, strict=True))
        return miss(law_at(point)) if inside else math.inf

    first = point_of(start)
    corners = first + numpy.array([[0.0, 0.0], [-2.0, 0.0], [0.0, 0.5]])
    options = {"xatol": 1e-3, "fatol": 1e-11, "maxfev": 300, "initial_simplex": corners}
    return law_at(_minimum(value, first, options)[1])


def _minimum(value: Callable[[Floats], float], start: Any, options: dict[str, Any]) -> tuple[float, Floats]:
    from scipy.optimize import minimize

    found = minimize(value, start, method="Nelder-Mead", options=options)
    return (float(found.fun) if found.success or "maxfev" in options else math.inf), numpy.asarray(found.x)
