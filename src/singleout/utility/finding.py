"""What a metric of utility came to: a number, of which columns, and what it was put together from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from singleout.measurement import Better, Measure
from singleout.utility.paired_columns import PairedColumns, Part


@dataclass(frozen=True)
class Finding:
    """The answer to a measure's question about two tables; unknown is None with a reason.

    `of` are the columns it is about where the same is asked of several, `detail` what else can be told of it,
    ready for JSON.
    """

    measure: Measure
    value: float | int | None
    reason: str | None = None
    of: tuple[str, ...] = ()
    detail: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError(f"{self.name}: a value, or a reason why there is none")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"{self.name}: {self.value} is no value")

    @property
    def name(self) -> str:
        """The measure's name, and behind it the columns.

        >>> from singleout.utility.distributions import TOTAL_VARIATION
        >>> Finding(TOTAL_VARIATION, 0.25, of=("price",)).name
        'total_variation.price'
        """
        return ".".join((self.measure.name, *self.of))

    @property
    def better(self) -> Better:
        return self.measure.better


@dataclass(frozen=True)
class Metric:
    """Measures that are found together; asked only if the parts that they need are named.

    The columns of parts that they use must be in the release if they are named.
    """

    measures: tuple[Measure, ...]
    find: Callable[[PairedColumns], Iterable[Finding]]
    needs: tuple[Part, ...] = ()
    uses: tuple[Part, ...] = ()


def metric(
    measure: Measure,
    needs: tuple[Part, ...],
    value: Callable[[PairedColumns], float],
    uses: tuple[Part, ...] = (),
) -> Metric:
    """One measure whose answer is one number."""
    return Metric((measure,), lambda compared: (Finding(measure, value(compared)),), needs, uses)


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


def lost_share(finding: Finding) -> float | None:
    """The share of its range that a metric lost; None if it is unknown or has no such range.

    >>> from singleout.utility.item_popularity import POPULARITY
    >>> lost_share(Finding(POPULARITY, 0.5))
    0.25
    """
    measure = finding.measure
    if finding.value is None or measure.highest is None or measure.better == "neither":
        return None
    best = measure.highest if measure.better == "higher" else measure.lowest
    return abs(best - finding.value) / (measure.highest - measure.lowest)
