"""Releasing a part: some people with all their records, or some records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy

from singleout.errors import UsageError
from singleout.recipe.record_table import Mask, RecordTable
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    one_of_mistakes,
    refuse,
    share_mistakes,
    whole_mistakes,
)
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Thinned, rounded_share

WHATS = ("people", "records")


@dataclass(frozen=True)
class Sample:
    """Keep people, with all their records, or records: a `share` of them or a `number`, all equally likely.

    They are drawn without replacement; a share is rounded to the nearest whole number, a half up.

    >>> Sample(share=0.5, number=10)
    Traceback (most recent call last):
    singleout.errors.UsageError: give one of share, number, not share and number
    """

    step: ClassVar[str] = "sample"
    what: str = "people"
    share: float | None = None
    number: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        refuse(
            choice_mistakes("what", self.what, WHATS),
            share_mistakes("share", self.share),
            whole_mistakes("number", self.number, least=1),
            one_of_mistakes({"share": self.share, "number": self.number}),
            whole_mistakes("seed", self.seed),
        )

    @property
    def columns(self) -> tuple[str, ...]:
        return ()

    @property
    def trace(self) -> Thinned:
        return Thinned(self.what, self.share, self.number)

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:
        if self.what == "records":
            kept = self._sample_mask(len(records), draw)
            return Change(records.only(kept), int(numpy.count_nonzero(~kept)), "records", self._how)
        present = numpy.flatnonzero(records.records_of_each())
        chosen = numpy.zeros(records.people, dtype=numpy.bool_)
        chosen[present] = self._sample_mask(len(present), draw)
        gone = len(present) - int(numpy.count_nonzero(chosen))
        return Change(records.only(chosen[records.person]), gone, "people", self._how)

    @property
    def _how(self) -> str:
        size = f"{self.number:,}" if self.number is not None else f"a share of {self.share}"
        return f"{size} of the {self.what} kept"

    def _sample_mask(self, every: int, draw: numpy.random.Generator) -> Mask:
        """Which of so many are in the sample."""
        if self.number is not None and self.number > every:
            raise UsageError(f"number: there are only {every:,} {self.what} to draw {self.number:,} from")
        size = self.number if self.number is not None else rounded_share(self.share or 0, every)
        drawn = numpy.zeros(every, dtype=numpy.bool_)
        drawn[draw.permutation(every)[:size]] = True
        return drawn
