"""The sampling model of Ito et al. 2019: the risk estimated from a few values whose records are all read.

Which values are drawn depends on the seed and the attribute's name alone: the list of (records, people) has a
fixed order on every engine. `read` counts the records that a reader of the sample would have to look at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args
from zlib import crc32

import numpy
from numpy.typing import NDArray

from singleout.checks import is_whole
from singleout.engine.class_sizes import Counts, Sizes
from singleout.errors import UsageError
from singleout.measurement import Measure

Sampling = Literal["uniform", "tempered"]
SAMPLE = 10
PILOT = 10
ALIKE_SHARE = 0.25
UNSEEN = 3
HEAVY_SHARE = 0.3
NO_SPREAD = 1e-12
LARGEST_EXPONENT = 700.0
REPETITIONS = 1_000

SAMPLED_RISK = Measure(
    name="sampling.risk",
    title="sampled risk (sampling model)",
    question="What is the risk, judged by a few values only?",
    formula=(
        "R_sample = (mean of α_x over s sampled values)·|D_X|/m; interval by Student's t on the logarithm of "
        "the mean of α_x − 1 with the finite-population correction, for the upper end with one more value, "
        "three times as far above the mean as the largest drawn; at most 1. A rule about sampling.risk is "
        "judged by the upper end under at_most, by the lower one under at_least; sampling.mean is R_sample"
    ),
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Ito et al. 2019, Definition 8; the interval replaces Theorem 2, see the corrections",
)


@dataclass(frozen=True)
class SampledRisk:
    """An estimate with the interval that should hold the true risk in `confidence` of all samples."""

    method: str
    sample: int
    risk: float
    low: float
    high: float
    confidence: float
    read: int
    theorem_2_as_printed: float | None = None
    warning: str | None = None

    def holds(self, risk: float) -> bool:
        """Whether the interval holds this risk, up to rounding."""
        return self.low * (1 - NO_SPREAD) <= risk <= self.high * (1 + NO_SPREAD)


@dataclass(frozen=True)
class CurvePoint:
    """How sure a sample of this size is: the spread of the sampled α over many samples, and in theory."""

    sample: int
    mean: float
    deviation: float
    deviation_in_theory: float


@dataclass(frozen=True)
class ValueSample:
    """How values are sampled, checked once; `sample_sizes` are those a curve is wanted for."""

    sample: int = SAMPLE
    sampling: Sampling = "uniform"
    confidence: float = 0.9
    sample_sizes: tuple[int, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if self.sampling not in get_args(Sampling):
            raise UsageError(f"there is no sampling {self.sampling!r}; there are uniform and tempered")
        for sample in (self.sample, *self.sample_sizes):
            check_sample(sample, self.confidence)
        if not is_whole(self.seed):
            raise UsageError(f"the seed {self.seed!r} must be a whole number")

    def risk(self, columns: tuple[str, ...], sizes: Sizes, *, one_record_each: bool) -> SampledRisk:
        """`one_record_each`: nobody has two records, so α is 1 for every value, drawn or not."""
        draw = uniform_sample if self.sampling == "uniform" else tempered_sample
        found = draw(sizes, self.sample, self.confidence, self._seed_of(columns))
        return replace(found, low=found.risk, high=found.risk, warning=None) if one_record_each else found

    def curve(self, columns: tuple[str, ...], sizes: Sizes) -> tuple[CurvePoint, ...]:
        return sample_curve(sizes, self.sample_sizes, seed=self._seed_of(columns))

    def _seed_of(self, columns: tuple[str, ...]) -> int:
        """Each attribute draws for itself, whatever other attributes are assessed beside it."""
        return crc32(repr((self.seed, columns)).encode())


def check_sample(sample: int, confidence: float) -> None:
    if not is_whole(sample) or sample < 1:
        raise UsageError(f"a sample of {sample!r} values says nothing; take a whole number from 1 up")
    if not isinstance(confidence, (int, float)) or not 0 < confidence < 1:
        raise UsageError(f"a confidence of {confidence!r} is impossible; take one like 0.9, between 0 and 1")


def uniform_sample(sizes: Sizes, sample: int = 10, confidence: float = 0.9, seed: int = 0) -> SampledRisk:
    """Draw values without replacement, all equally likely; more than there are means all of them."""
    check_sample(sample, confidence)
    records, values = sizes.total_records, sizes.total_groups
    sample = min(sample, values)
    drawn = _draw(sizes.groups, sample, numpy.random.default_rng(seed))
    alpha = numpy.repeat(sizes.records / sizes.people, drawn)
    mean, scale = float(alpha.mean()), values / records
    printed = None
    if sample > 1:
        printed = float(alpha.std(ddof=1)) * records / (math.sqrt(sample) * values * mean)
    read = int((drawn * sizes.records).sum())
    if sample == values:
        exact = mean * scale
        return SampledRisk("uniform", sample, exact, exact, exact, confidence, read, printed)
    ends = interval(alpha - 1, confidence, left=1 - sample / values)
    low, high = (min((1 + end) * scale, 1.0) for end in ends)
    risk = min(mean * scale, 1.0)
    return SampledRisk("uniform", sample, risk, low, high, confidence, read, printed, _doubt(alpha))


def tempered_sample(sizes: Sizes, sample: int = 10, confidence: float = 0.9, seed: int = 0) -> SampledRisk:
    """Draw values with probability proportional to |R_x|^γ, γ learned from a pilot of ten values.

    A quarter of the draws is alike: no value is then so unlikely that it alone would carry the estimate. A
    value with one record has α = 1 for certain, so it is counted and never drawn. Needs fewer draws than the
    uniform sample for the same accuracy, but the value counts must be known.
    """
    check_sample(sample, confidence)
    records, values = sizes.total_records, sizes.total_groups
    rest = sizes.records > 1
    groups, size, people = sizes.groups[rest], sizes.records[rest], sizes.people[rest]
    unsure = int(groups.sum())
    if unsure <= sample:
        exact = (values - unsure + math.fsum((groups * size / people).tolist())) / records
        read = int((groups * size).sum())
        return SampledRisk("tempered", unsure, exact, exact, exact, confidence, read)
    random = numpy.random.default_rng(seed)
    pilot = _draw(groups, min(PILOT, unsure), random)
    weight = size.astype(float) ** temper(size, people, pilot)
    chance = ALIKE_SHARE / unsure + (1 - ALIKE_SHARE) * weight / float((groups * weight).sum())
    drawn = random.multinomial(sample, groups * chance)
    excess = numpy.repeat((size / people - 1) / (chance * values), drawn)
    mean, scale = float(excess.mean()), values / records
    risk, low, high = (min((1 + each) * scale, 1.0) for each in (mean, *interval(excess, confidence)))
    read = int(((pilot + drawn) * size).sum())
    return SampledRisk("tempered", sample, risk, low, high, confidence, read, None, _doubt(1 + excess))


def sample_curve(
    sizes: Sizes, samples: tuple[int, ...], repetitions: int = REPETITIONS, seed: int = 0
) -> tuple[CurvePoint, ...]:
    """Table 8 of Ito et al. 2019: mean and standard deviation of the sampled α for several sample sizes."""
    values = sizes.total_groups
    alpha = sizes.records / sizes.people
    mean = float((sizes.groups * alpha).sum()) / values
    variance = float((sizes.groups * (alpha - mean) ** 2).sum()) / values
    points = []
    for index, wanted in enumerate(samples):
        sample = min(wanted, values)
        random = numpy.random.default_rng((seed, index))
        means = [
            float((_draw(sizes.groups, sample, random) * alpha).sum()) / sample for _ in range(repetitions)
        ]
        correction = (values - sample) / (values - 1) if values > 1 else 0.0
        theory = math.sqrt(variance / sample * correction)
        points.append(CurvePoint(sample, float(numpy.mean(means)), float(numpy.std(means)), theory))
    return tuple(points)


def _draw(groups: Counts, sample: int, random: numpy.random.Generator) -> Counts:
    """How many values of each kind a sample without replacement holds."""
    last = numpy.cumsum(groups)
    values = int(last[-1])
    if sample == values:
        return groups
    positions = random.choice(values, sample, replace=False, shuffle=False)
    kinds = numpy.searchsorted(last, positions, side="right")
    return numpy.bincount(kinds, minlength=len(groups))


def interval(excess: NDArray[numpy.float64], confidence: float, left: float = 1.0) -> tuple[float, float]:
    """Of the mean of α − 1 over all values, of which the share `left` was not drawn.

    Student's t on the logarithm, as α is skewed: a few draws are too low more often than too high. A sample
    that met no heavy value also spreads too little, so the upper end is that of the sample with one more
    value, UNSEEN times as far above the mean as the largest drawn: with three, each attribute of the papers
    was above it in at most 7 % of the samples. A sample without spread says nothing about the other values.
    """
    mean = float(excess.mean())
    if len(excess) == 1 or float(excess.std()) <= NO_SPREAD * mean:
        return 0.0, math.inf
    from scipy.special import stdtrit

    quantile, correction = float(stdtrit(len(excess) - 1, (1 + confidence) / 2)), math.sqrt(left)
    unseen = mean + UNSEEN * (float(excess.max()) - mean)
    more = numpy.append(excess, unseen)
    factor = math.exp(min(quantile * _relative_error(more), LARGEST_EXPONENT))
    low = mean * math.exp(-correction * quantile * _relative_error(excess))
    return low, mean + correction * (float(more.mean()) * factor - mean)


def _relative_error(numbers: NDArray[numpy.float64]) -> float:
    """The standard error of the mean as a share of it, which is the standard error of its logarithm."""
    return float(numbers.std(ddof=1)) / math.sqrt(len(numbers)) / float(numbers.mean())


def temper(size: Counts, people: Counts, pilot: Counts) -> float:
    """γ: the slope of log α on log |R_x| in the pilot, between 0 (all alike) and 1 (by size)."""
    x = numpy.repeat(numpy.log(size), pilot)
    y = numpy.repeat(numpy.log(size / people), pilot)
    spread = float(((x - x.mean()) ** 2).sum())
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread if spread > 0 else 0.0
    return min(max(slope, 0.0), 1.0)


def _doubt(sampled: NDArray[numpy.float64]) -> str | None:
    """Why the interval can't be trusted: one value carries the estimate, or all are alike by chance."""
    if len(sampled) > 1 and float(sampled.std()) <= NO_SPREAD * float(sampled.mean()):
        return "all sampled values are alike, which says nothing about the others"
    share = float(sampled.max()) / float(sampled.sum())
    if len(sampled) < 4 or share <= HEAVY_SHARE:
        return None
    return f"one sampled value carries {share:.0%} of the estimate"
