"""How well sensitive values are guessed: the result of `infer`, which reports are written from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from singleout.attacks.inference.guess_target import Of
from singleout.attacks.inference.measures import INFERENCE_MEASURES
from singleout.attacks.wilson_interval import CONFIDENCE, wilson
from singleout.engine.missing_values import MISSING_WORDS, Missing
from singleout.result_table import Heading, ResultTable, TableResult

Guesser = Literal["look-alikes", "look-alikes in fewer columns", "boosted"]
GUESSERS: dict[Guesser, str] = {
    "look-alikes": "the most frequent value among other people who are alike in all known columns",
    "look-alikes in fewer columns": "the same in those known columns that tell most, without the others",
    "boosted": "gradient-boosted trees that learned from the people of the other folds",
}
COVERS = (
    "which people happen to be in the table, or in the sample of it; not that the best of several guessers "
    "was chosen, which makes the rate a little too high, nor better guessers than these"
)
OF_A_SAMPLE = "{:,} of {:,} people drawn at random, seed {}; who learns from more may guess better"
OF_RECORDS = "{:,} of {:,} records of people drawn at random, seed {}; who learns from more may guess better"


@dataclass(frozen=True)
class InferenceAttempt:
    """One guesser asked about some people: how many it gets right, how many the base rate does.

    `columns` are those that it looks at. `of` is whether a person's most frequent value is guessed or each
    record's, a person then counting by the share guessed right. `missing_guessed` is whether a missing value
    is among what is guessed. `only_guesser` and `only_baseline` are how many people only one of the two gets
    right. `estimated` is from what it was learned, None where that is everybody.
    """

    guesser: Guesser
    columns: tuple[str, ...]
    of: Of
    missing_guessed: bool
    attempts: int
    successes: float
    baseline_successes: float
    only_guesser: float
    only_baseline: float
    estimated: str | None = None

    @property
    def rate(self) -> float:
        return self.successes / self.attempts

    @property
    def baseline(self) -> float:
        return self.baseline_successes / self.attempts

    @property
    def gain(self) -> float:
        return (self.successes - self.baseline_successes) / self.attempts

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.successes, self.attempts)

    @property
    def gain_interval(self) -> tuple[float, float]:
        """Wider than need be, which is the safe side: both parts at their ends at once.

        >>> InferenceAttempt("boosted", ("age",), "person", False, 100, 60, 50, 10, 0).gain_interval[0] > 0
        True
        """
        more, less = wilson(self.only_guesser, self.attempts), wilson(self.only_baseline, self.attempts)
        return more[0] - less[1], more[1] - less[0]

    def to_dict(self) -> dict[str, Any]:
        low, high = self.interval
        gain_low, gain_high = self.gain_interval
        return {
            "guesser": self.guesser,
            "columns": list(self.columns),
            "rate": self.rate,
            "baseline": self.baseline,
            "low": low,
            "high": high,
            "gain": self.gain,
            "gain_low": gain_low,
            "gain_high": gain_high,
            "attempts": self.attempts,
            "successes": self.successes,
            "of": self.of,
            "missing_guessed": self.missing_guessed,
            "estimated": self.estimated,
        }


@dataclass(frozen=True)
class InferredColumn:
    """A sensitive column, and every attempt to guess it; where there is none the `reason` says why.

    `people` are all of the table, `alone` those left out whose value nobody else has, `dropped` those of whom
    the rule `drop` left no record. `counted_as` is what counts as one value. `best` is the attempt that gains
    most over its base rate; rules go by `highest` and `highest_gain`, the upper ends of the worst attempt.
    """

    column: str
    known: tuple[str, ...]
    people: int
    alone: int = 0
    dropped: int = 0
    values: int | None = None
    counted_as: str | None = None
    attempts: tuple[InferenceAttempt, ...] = ()
    reason: str | None = None

    def __post_init__(self) -> None:
        if bool(self.attempts) == (self.reason is not None):
            raise ValueError(f"{self.column}: attempts, or a reason why there are none")

    @property
    def best(self) -> InferenceAttempt | None:
        return max(self.attempts, key=lambda each: (each.gain, each.rate), default=None)

    @property
    def highest(self) -> float | None:
        return max((each.interval[1] for each in self.attempts), default=None)

    @property
    def highest_gain(self) -> float | None:
        return max((each.gain_interval[1] for each in self.attempts), default=None)

    @property
    def knowledge(self) -> str:
        by = ", ".join(self.known)
        return f"somebody who knows {by} of the person, and of other people also {self.column}"

    def to_dict(self) -> dict[str, Any]:
        unknown = ("rate", "baseline", "low", "high", "gain", "gain_low", "gain_high", "guesser", "columns")
        best = self.best.to_dict() if self.best else dict.fromkeys(unknown)
        return {
            "column": self.column,
            **best,
            "highest": self.highest,
            "highest_gain": self.highest_gain,
            "people": self.people,
            "alone": self.alone,
            "dropped": self.dropped,
            "values": self.values,
            "counted_as": self.counted_as,
            "knowledge": self.knowledge,
            "known": list(self.known),
            "guessers": [each.to_dict() for each in self.attempts],
            "reason": self.reason,
        }


@dataclass(frozen=True, repr=False)
class Inference(TableResult):
    """What `infer` found: each of the sensitive `columns` with every attempt to guess it, and `remarks`.

    `to_dict()` has everything with its definitions, `to_frame()` and `to_arrow()` one row an attempt.
    """

    source: str
    engine: str
    user: str | None
    missing: Missing
    seed: int
    records: int
    people: int
    columns: tuple[InferredColumn, ...]
    remarks: tuple[str, ...]

    def by_name(self, column: str) -> InferredColumn | None:
        return next((each for each in self.columns if each.column == column), None)

    def __repr__(self) -> str:
        rates = ", ".join(
            f"{each.column} {each.best.rate:.3g} (base rate {each.best.baseline:.3g})"
            if each.best
            else f"{each.column} unknown"
            for each in self.columns
        )
        return f"<Inference in {self.source}: {self.people:,} people; guessed right: {rates}>"

    def to_dict(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "engine": self.engine,
            "user": self.user,
            "missing": self.missing,
            "missing_rule": MISSING_WORDS[self.missing],
            "seed": self.seed,
            "records": self.records,
            "people": self.people,
            "sensitive": [each.to_dict() for each in self.columns],
            "guessers": dict(GUESSERS),
            "interval": {"confidence": CONFIDENCE, "covers": COVERS},
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in INFERENCE_MEASURES},
        }

    def table(self) -> ResultTable:
        """One row an attempt; a column that could not be guessed at has one without numbers."""
        rows = [row for each in self.columns for row in _rows(each)]
        note = f"{self.people:,} people; {MISSING_WORDS[self.missing]}."
        return ResultTable("Sensitive values guessed from the other columns", _HEADINGS, tuple(rows), note)


_RATE, _BASELINE, _GAIN, _INTERVAL = INFERENCE_MEASURES
_HEADINGS = (
    Heading("column", "sensitive"),
    Heading("guesser", "guesser"),
    Heading("columns", "by"),
    Heading("of", "guess of each"),
    Heading.of("rate", "guessed right", _RATE),
    Heading.of("baseline", "base rate", _BASELINE),
    Heading.of("low", "low", _INTERVAL),
    Heading.of("high", "high", _INTERVAL),
    Heading.of("gain", "gain", _GAIN),
    Heading.of("gain_low", "gain, low", _GAIN),
    Heading.of("gain_high", "gain, high", _GAIN),
    Heading("attempts", "people"),
    Heading("note", "note"),
)


def _rows(each: InferredColumn) -> list[tuple[Any, ...]]:
    if not each.attempts:
        return [(each.column, *[None] * (len(_HEADINGS) - 2), each.reason)]
    return [
        (
            each.column, one.guesser, ", ".join(one.columns), one.of, one.rate, one.baseline,
            *one.interval, one.gain, *one.gain_interval, one.attempts, one.estimated,
        )
        for one in each.attempts
    ]  # fmt: skip
