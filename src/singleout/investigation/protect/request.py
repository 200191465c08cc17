"""What is asked of `protect`: checked before any work, as far as that goes without the data."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from singleout.checks import is_number, is_whole
from singleout.deidentify.release_file import check_release_target
from singleout.errors import OutputError, UsageError, name_hint
from singleout.files import check_writable, real_path
from singleout.investigation.protect.ladder import Ladder
from singleout.investigation.protect.recipe_search import SearchLimits
from singleout.investigation.protect.record_change import NO_CHANGE, RecordChange
from singleout.read.source import Source

OptionalPath = str | PathLike[str] | None
# the steps that the search takes, by the names that forbid them
FORBIDDABLE = (
    "generalise", "round", "suppress", "cut", "remove_people", "sample", "shift_dates", "dummies", "local",
    "cells",
)  # fmt: skip
RECIPE_ENDING = ".recipe"


@dataclass(frozen=True)
class SearchBounds:
    """What a search may not do: change `fixed` columns, take steps that are `forbidden`, lose more than these
    shares of the people and of the records."""

    fixed: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    lose_people: float = 0.05
    lose_records: float = 1.0

    def __post_init__(self) -> None:
        faults = [
            f"forbid: there is no step {each!r}; {name_hint(str(each), FORBIDDABLE)}"
            for each in self.forbidden
            if each not in FORBIDDABLE
        ]
        shares = {"lose_people": self.lose_people, "lose_records": self.lose_records}
        faults += [
            f"{name}: {share!r} is no share; write a number from 0 to 1"
            for name, share in shares.items()
            if not (is_number(share) and 0 <= share <= 1)
        ]
        if faults:
            raise UsageError("; ".join(faults))

    def check(self, columns: Sequence[str]) -> None:
        if odd := [name for name in self.fixed if name not in columns]:
            said = "; ".join(f"there is no column {name!r}; {name_hint(name, columns)}" for name in odd)
            raise UsageError(f"fixed: {said}")

    def allowed_rungs(self, ladder: Ladder) -> Ladder:
        """Without steps that are forbidden."""
        rungs = [
            rung
            for rung in ladder.rungs
            if not (rung.left_out and "suppress" in self.forbidden)
            and (rung.step is None or rung.step["step"] not in self.forbidden)
        ]
        return replace(ladder, rungs=tuple(rungs))

    def allows(self, change: RecordChange) -> bool:
        steps = {change.kind, *(each["step"] for each in change.steps)}
        return change == NO_CHANGE or (
            not steps & {*self.forbidden}
            and change.people <= self.lose_people
            and change.records <= self.lose_records
        )


@dataclass(frozen=True)
class ReleaseFiles:
    """Where the release, who is who, and the recipe go; nothing is written where no release is named."""

    out: OptionalPath = None
    truth: OptionalPath = None
    recipe: OptionalPath = None

    def __post_init__(self) -> None:
        if self.out is None and (self.truth is not None or self.recipe is not None):
            raise UsageError("out: is missing; name the file of the release, for truth and recipe go with it")
        if self.out is None:
            return
        object.__setattr__(self, "recipe", recipe_path(self.out, self.recipe))
        check_release_target(self.out)
        paths = [each for each in (self.out, self.truth, self.recipe) if each is not None]
        if len({real_path(each) for each in paths}) < len(paths):
            raise OutputError("out, truth and recipe name the same file; name another")
        for each in paths:
            check_writable(each)

    def check_against(self, origin: Source) -> None:
        for each in (self.out, self.truth, self.recipe):
            if each is not None and origin.holds(each):
                raise OutputError(f"{each}: belongs to what is read; name another file")


def recipe_path(out: str | PathLike[str], recipe: OptionalPath) -> str:
    """Beside the release, unless it was said."""
    return f"{out}{RECIPE_ENDING}" if recipe is None else str(recipe)


def limits_of(minutes: Any, tries: Any) -> SearchLimits:
    """The time is looked at only to end the search.

    >>> limits_of(None, 0)
    Traceback (most recent call last):
    singleout.errors.UsageError: tries: 0 is no number of recipes; write a whole number, 1 or more
    """
    faults = []
    if minutes is not None and not (is_number(minutes) and minutes > 0):
        faults.append(f"minutes: {minutes!r} is no time; write a number above 0")
    if not (is_whole(tries) and tries >= 1):
        faults.append(f"tries: {tries!r} is no number of recipes; write a whole number, 1 or more")
    if faults:
        raise UsageError("; ".join(faults))
    return SearchLimits(tries, None if minutes is None else time.monotonic() + 60 * minutes)
