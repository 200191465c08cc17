"""The scaling law: the Pitman–Yor law whose share of recognised people falls as it does within the sample."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy

from singleout.risk.population.pitman import BOUNDS, NOT_CONVERGED, NoEstimate, check_fit, law_at, point_of
from singleout.risk.population.pitman_yor import TINY, Floats, PitmanYor, class_share
from singleout.risk.population.sample_classes import SampleClasses

# entropy in nats, and the tail's share of it: where to start
STARTS = ((12.0, 0.26), (6.0, 0.5), (8.0, 0.1))
HIGHEST_ENTROPY = 60.0
FEWEST_SIZES = 3
SIZES = 12
SMALLEST_SIZE = 10
# of the steps towards the laws of many samples
STEPS, LONGEST_STEP, WIDTH, NEAR, LEAST_DISCOUNT = 60, 2.0, 1e-6, 1e-6, 0.05
Curve = Callable[[PitmanYor, Floats], Floats]
Miss = Callable[[PitmanYor], float]


def fit_scaling_law(sample: SampleClasses) -> PitmanYor:
    """Fitted to the exact rarefaction of the sample: what smaller samples of it would show on average."""
    check_fit(sample)
    sizes = _sizes_of(sample)
    return fit_curve(sizes, sample.rarefied(sizes))


def _sizes_of(sample: SampleClasses) -> Floats:
    return numpy.geomspace(min(SMALLEST_SIZE, sample.people / 4), sample.people, SIZES)


def fit_curve(sizes: Floats, seen: Floats, curve: Curve = PitmanYor.correctness) -> PitmanYor:
    """The law whose curve is nearest to what was seen at these sizes, larger ones counting more."""
    if len(sizes) < FEWEST_SIZES:
        raise NoEstimate(f"a law needs {FEWEST_SIZES} sizes of the sample, not {len(sizes)}")
    weights = numpy.log(sizes) / len(sizes)

    def miss(law: PitmanYor) -> float:
        return float((weights * (curve(law, sizes) - seen) ** 2).sum())

    return _search(miss)


def _search(miss: Miss) -> PitmanYor:
    """In coordinates that hardly depend on each other, from several places, and where there is no tail."""
    from scipy.optimize import minimize, minimize_scalar

    def value(point: Floats) -> float:
        entropy, tail = point.tolist()
        if not (1e-6 < entropy < HIGHEST_ENTROPY and 0 <= tail < 1):
            return math.inf
        return miss(PitmanYor.of_entropy(entropy, tail))

    options = {"xatol": 1e-6, "fatol": 1e-14, "maxiter": 400}
    fits = [minimize(value, start, method="Nelder-Mead", options=options) for start in STARTS]
    ends = [(float(each.fun), each.x) for each in fits if each.success]
    edge = minimize_scalar(
        lambda entropy: value(numpy.array([entropy, 0.0])), bounds=(1e-3, HIGHEST_ENTROPY), method="bounded",
        options={"xatol": 1e-8},
    )  # fmt: skip
    ends.append((float(edge.fun), numpy.array([edge.x, 0.0])))
    found, point = min(ends, key=lambda each: each[0])
    if not math.isfinite(found):
        raise NoEstimate(NOT_CONVERGED)
    return PitmanYor.of_entropy(*point.tolist())


def refit_laws(samples: Sequence[SampleClasses], start: PitmanYor) -> list[PitmanYor | None]:
    """The laws of samples of equal size, all at once, from the law that they were drawn from.

    Levenberg's and Marquardt's steps, each damped until it is down. None of a sample that does not tell.
    """
    sizes = _sizes_of(samples[0])
    seen = numpy.stack([each.rarefied(sizes) for each in samples])
    roots = numpy.sqrt(numpy.log(sizes) / len(sizes))
    # at the edge, where the discount is 0, there is no slope that would lead away from it
    inside = PitmanYor(max(start.discount, LEAST_DISCOUNT), max(start.concentration, 0.0))
    points = numpy.tile(point_of(inside), (len(samples), 1))
    damping = numpy.full(len(samples), 1e-3)

    def misses(points: Floats) -> Floats:
        d = 1 / (1 + numpy.exp(-points[:, :1]))
        return numpy.asarray(roots * (class_share(d, numpy.exp(points[:, 1:]) - d, sizes) - seen))

    lowest, highest = numpy.array(BOUNDS).T
    now = misses(points)
    for _ in range(STEPS):
        first, second = ((misses(points + width) - now) / WIDTH for width in WIDTH * numpy.eye(2))
        step = _damped_steps(first, second, now, damping)
        ahead = numpy.clip(points + step, lowest, highest)
        then = misses(ahead)
        better = (then**2).sum(axis=1) < (now**2).sum(axis=1)
        points[better], now[better] = ahead[better], then[better]
        damping = numpy.where(better, damping / 5, damping * 5)
        if (numpy.abs(step).max(axis=1) < NEAR).all():
            break
    laws = zip(samples, map(law_at, points), strict=True)
    return [None if each.classes >= each.people - 1e-9 else law for each, law in laws]


def _damped_steps(first: Floats, second: Floats, misses: Floats, damping: Floats) -> Floats:
    """Of each sample, how both coordinates move, by the slopes of its misses in each of them."""
    one, both, other = (
        (first * first).sum(axis=1),
        (first * second).sum(axis=1),
        (second * second).sum(axis=1),
    )
    downs = -(first * misses).sum(axis=1), -(second * misses).sum(axis=1)
    one, other = one * (1 + damping) + TINY, other * (1 + damping) + TINY
    determinant = one * other - both**2
    steps = (
        (other * downs[0] - both * downs[1]) / determinant,
        (one * downs[1] - both * downs[0]) / determinant,
    )
    return numpy.asarray(numpy.clip(numpy.stack(steps, axis=1), -LONGEST_STEP, LONGEST_STEP))
