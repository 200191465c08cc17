"""What a number is (Measure) and what it came to (Measurement)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Better = Literal["lower", "higher", "neither"]
CountedOver = Literal["records", "people", "classes", "values"]


BY_RULE = "a missing value is a value unless another rule is asked for; the rule is printed with the result"


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A question that has one number as its answer; a `lowest` of −∞ is no limit, as a `highest` of None."""

    name: str
    title: str
    question: str
    formula: str
    unit: str
    lowest: float
    highest: float | None
    better: Better
    counted_over: CountedOver
    missing: str = BY_RULE
    reference: str

    def __repr__(self) -> str:
        return f"<Measure {self.name}: {self.title}>"

    @property
    def limited_below(self) -> bool:
        return math.isfinite(self.lowest)

    def as_dict(self) -> dict[str, object]:
        return {
            "question": self.question,
            "formula": self.formula,
            "unit": self.unit,
            "range": [self.lowest if self.limited_below else None, self.highest],
            "better": self.better,
            "counted_over": self.counted_over,
            "missing": self.missing,
            "reference": self.reference,
        }


@dataclass(frozen=True)
class Measurement:
    """The answer to a measure's question; unknown is None with a reason, never zero."""

    measure: Measure
    value: float | int | None
    reason: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError(f"{self.measure.name}: a value, or a reason why there is none")

    def __repr__(self) -> str:
        if self.value is None:
            return f"<{self.measure.name}: unknown, {self.reason}>"
        return f"<{self.measure.name}: {self.value} {self.measure.unit}>"

    @property
    def known(self) -> float:
        """The value of a measurement that is known to have one."""
        if self.value is None:
            raise ValueError(f"{self.measure.name} is unknown: {self.reason}")
        return self.value
