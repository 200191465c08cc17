"""How many people a table is a sample of: their number, or the share of them that it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from singleout.checks import is_number, is_whole
from singleout.errors import InputError, UsageError

MOST = 10**12
ONE_OF = "say how many people there are, or which share of them was sampled, not both"
FORM = "a table [population] has one line, like size = 1000000 or sampled = 0.05"


@dataclass(frozen=True)
class PopulationSize:
    """Either the `size`, or the share that was `sampled`.

    >>> PopulationSize(sampled=0.1).people_of(300)
    3000
    >>> PopulationSize(sampled=2)
    Traceback (most recent call last):
    singleout.errors.UsageError: sampled: 2 is no share of a population; write a number above 0, and 1 at most
    """

    size: int | None = None
    sampled: float | None = None

    def __post_init__(self) -> None:
        if faults := [*_faults(self.size, self.sampled)]:
            raise UsageError("; ".join(faults))

    def __str__(self) -> str:
        """As a part of a sentence.

        >>> str(PopulationSize(30162)), str(PopulationSize(sampled=0.1))
        ('a population of 30,162', 'a population of which they are 0.1')
        """
        if self.sampled is not None:
            return f"a population of which they are {self.sampled:g}"
        return f"a population of {self.size:,}"

    def people_of(self, sample: int) -> int:
        """How many people there are if so many are in the sample."""
        if self.sampled is not None:
            if sample > self.sampled * MOST:
                raise InputError(
                    f"sampled: if the {sample:,} people of the table are {self.sampled:g} of all, these are "
                    f"more than {MOST:,}; write the share that was sampled, like 0.05"
                )
            return round(sample / self.sampled)
        assert self.size is not None
        if self.size < sample:
            raise InputError(
                f"population: {self.size:,} people are fewer than the {sample:,} of the table; "
                "give the number of those whom it was sampled from"
            )
        return self.size


def population_size(size: Any = None, sampled: Any = None) -> PopulationSize | None:
    """What was said of the population, if anything was."""
    return None if size is None and sampled is None else PopulationSize(size, sampled)


def population_mistakes(said: Any) -> list[str]:
    """All that is wrong with a table [population] of a study file.

    >>> population_mistakes({"sampled": 0})
    ['population: sampled: 0 is no share of a population; write a number above 0, and 1 at most']
    """
    if not isinstance(said, dict) or not said or {*said} - {"size", "sampled"}:
        return [FORM]
    return [f"population: {each}" for each in _faults(said.get("size"), said.get("sampled"))]


def _faults(size: Any, sampled: Any) -> Iterator[str]:
    if (size is None) == (sampled is None):
        yield ONE_OF
    if size is not None and not (is_whole(size) and 1 <= size <= MOST):
        yield f"population: {size!r} is no number of people; write a whole number from 1 to {MOST:,}"
    if sampled is not None and not (is_number(sampled) and 0 < sampled <= 1):
        yield f"sampled: {sampled!r} is no share of a population; write a number above 0, and 1 at most"
