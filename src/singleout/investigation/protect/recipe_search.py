"""The search: climbs from the coarsest recipes to finer ones, leaving out what is known to break a rule."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product

from singleout.investigation.protect.class_screen import ClassScreen
from singleout.investigation.protect.recipe_space import CandidateRecipe, RecipeSpace
from singleout.investigation.protect.record_change import RecordChange
from singleout.investigation.protect.trial import RecipeTrial
from singleout.progress import Progress

# so few are all tried, unless they are known to break a rule
SMALL = 200
WIDTH = 3
TRIES = 120
TIME_UP, INTERRUPTED = "the time was up", "interrupted"


class SearchEndError(Exception):
    """No more recipes are to be tried: the number or the time that was allowed is used up."""


@dataclass(frozen=True)
class SearchLimits:
    """`tries` are recipes; `until` is a time of the clock that is the only thing a search asks of it."""

    tries: int = TRIES
    until: float | None = None


@dataclass(eq=False)
class RecipeSearch:
    """`attempt` makes, judges and measures a recipe; `screen` says of some, sooner, that they break a rule.

    `floors` are the finest rungs of columns that name people on finer ones, `screened` the coarsest recipes
    that were not tried for what the screen said. `ended` says why the search ended before it was done.
    """

    space: RecipeSpace
    attempt: Callable[[CandidateRecipe], RecipeTrial]
    limits: SearchLimits
    progress: Progress
    screen: ClassScreen | None = None
    trials: dict[CandidateRecipe, RecipeTrial] = field(default_factory=dict)
    floors: dict[str, int] = field(default_factory=dict)
    screened: list[CandidateRecipe] = field(default_factory=list)
    ended: str | None = None

    def run(self) -> None:
        """Until nothing is left to try, the limits are reached, or somebody interrupts."""
        try:
            self._try(self.space.original)
            self._walk()
        except SearchEndError as end:
            self.ended = str(end)
        except KeyboardInterrupt:
            if not self.trials:
                raise
            self.ended = INTERRUPTED

    @property
    def is_in_haste(self) -> bool:
        """Whether somebody waits for the end, so that nothing more is to be tried."""
        return self.ended in (TIME_UP, INTERRUPTED)

    @property
    def best(self) -> RecipeTrial | None:
        """The cheapest that keeps all rules; of equally cheap ones the one with the most detail."""
        return min(self.reached, key=_cost, default=None)

    @property
    def reached(self) -> list[RecipeTrial]:
        """All that keep the rules, the cheapest first."""
        return sorted((each for each in self.trials.values() if each.passed), key=_cost)

    @property
    def _best_of_all_records(self) -> RecipeTrial | None:
        """The same of the recipes that only make columns coarser."""
        return min((each for each in self.reached if not each.candidate.change), key=_cost, default=None)

    def attempt_beyond(self, candidate: CandidateRecipe) -> RecipeTrial:
        """One more, whatever the limits: to tell what a change is for."""
        if candidate not in self.trials:
            self.progress("measuring what each change is for", len(self.trials), self.limits.tries)
            self._note(candidate, self.attempt(candidate))
        return self.trials[candidate]

    @property
    def broken(self) -> list[CandidateRecipe]:
        """Recipes that break a rule, and with them all that are finer."""
        return [*self.screened, *(each.candidate for each in self.trials.values() if each.breaks)]

    @property
    def broken_by_counting(self) -> list[CandidateRecipe]:
        """Of these the ones that break a rule on groups of look-alikes."""
        return [*self.screened, *(each.candidate for each in self.trials.values() if each.breaks_by_counting)]

    def is_known(self, candidate: CandidateRecipe) -> bool:
        """Whether it was tried, is as fine as one that breaks a rule, or has a column that names people."""
        return (
            candidate in self.trials
            or any(each.is_as_coarse_as(candidate) for each in self.broken)
            or any(
                level < self.floors.get(each.column, 0)
                for level, each in zip(candidate.levels, self.space.ladders, strict=True)
            )
            or self._is_screened(candidate)
        )

    def _is_screened(self, candidate: CandidateRecipe) -> bool:
        """Whether the screen says that it breaks a rule, which is remembered."""
        if self.screen is None or not self.screen.breaks(candidate):
            return False
        self.screened = [each for each in self.screened if not candidate.is_as_coarse_as(each)]
        self.screened.append(candidate)
        return True

    def _walk(self) -> None:
        if self.trials[self.space.original].passed:
            return
        small = self.space.recipes <= SMALL
        # one recipe each, and often the best: a short search must not end before them
        self._try_once(lambda change: change.local is not None)
        if not small:
            self._halve()
        self._try_once(lambda change: change.item is not None and not change.costly)
        if small:
            self._try_all()
        else:
            if (best := self._best_of_all_records) is not None:
                self._climb(self.space.finer(best.candidate))
            self._climb(self.space.starts(0))
            self._improve()
        if not self.reached:
            # the nearest that there is tells which rule stands in the way
            for each in self.space.starts(0):
                self._try(each)
        for costly in (False, True):
            for index, change in enumerate(self.space.changes):
                by_chance = change.by_chance and self.best
                if index and change.local is None and change.costly == costly and not by_chance:
                    self._try_change(index)

    def _try_once(self, chosen: Callable[[RecordChange], bool]) -> None:
        """Of some changes of records the recipe that is likeliest to be the best."""
        for index, change in enumerate(self.space.changes):
            if chosen(change):
                only = self._all_local(index) if change.item is None else self.space.only(change.item, index)
                self._going_on([only])

    def _try_all(self) -> None:
        """The coarsest first: each that breaks a rule spares all that are finer."""
        every = product(*(range(len(each.rungs)) for each in self.space.ladders))
        releases = filter(self.space.is_release, map(CandidateRecipe, every))
        for each in sorted(releases, key=lambda each: (-self.space.detail_lost(each), each)):
            if not self.is_known(each):
                self._try(each)

    def _halve(self) -> None:
        """The finest that keeps the rules on one way from the original to the coarsest.

        On it, what follows a recipe that keeps the rules keeps them too, but for those that ask for detail:
        so each trial halves the rest.
        """
        way = self.space.way_down()
        first, last = 0, len(way)
        while first < last:
            middle = (first + last) // 2
            known = self.is_known(way[middle]) and way[middle] not in self.trials
            if known or not _goes_on(self._try(way[middle])):
                first = middle + 1
            else:
                last = middle

    def _climb(self, starts: Iterable[CandidateRecipe]) -> None:
        """A beam: of all that are one rung finer and keep the rules or lack detail, the cheapest go on."""
        beam = self._going_on(starts)
        while beam:
            finer = {each: None for trial in beam[:WIDTH] for each in self.space.finer(trial.candidate)}
            beam = self._going_on(finer)

    def _going_on(self, candidates: Iterable[CandidateRecipe]) -> list[RecipeTrial]:
        """Those that keep all rules, or all but such as ask for detail, the cheapest first; what was tried
        before does not go on."""
        new = [each for each in candidates if not self.is_known(each)]
        trials = [self._try(each) for each in sorted(new, key=self._guess) if not self.is_known(each)]
        return sorted(filter(_goes_on, trials), key=_cost)

    def _improve(self) -> None:
        """From the best: one column finer and another coarser, as long as that costs less."""
        while (best := self._best_of_all_records) is not None:
            guess = self._guess(best.candidate)
            near = [each for each in self.space.exchanges(best.candidate) if self._guess(each) < guess]
            if not self._going_on(near) or self._best_of_all_records is best:
                return
            assert self._best_of_all_records
            self._climb(self.space.finer(self._best_of_all_records.candidate))

    def _try_change(self, change: int) -> None:
        """From where the best is with all records, or, where nothing is, from the coarsest."""
        best, item = self.best, self.space.changes[change].item
        if item is not None:
            alone = self.space.only(item, change)
            self._climb([*self.space.finer(alone)] if _goes_on(self._try(alone)) else [])
            return
        if best is None:
            self._climb(self.space.starts(change))
            return
        if self._guess(CandidateRecipe(self.space.original.levels, change)) >= best.detail_lost:
            return
        start = CandidateRecipe(best.candidate.levels, change)
        self._climb([start, *self.space.finer(start)])

    def _all_local(self, change: int) -> CandidateRecipe:
        """All columns but those that name people: each record gets levels of its own."""
        gone = [each.top if each.column in self.floors else 0 for each in self.space.ladders]
        return CandidateRecipe(tuple(gone), change)

    def _guess(self, candidate: CandidateRecipe) -> float:
        return self.space.detail_lost(candidate)

    def _try(self, candidate: CandidateRecipe) -> RecipeTrial:
        if candidate not in self.trials:
            if len(self.trials) >= self.limits.tries:
                raise SearchEndError(f"{self.limits.tries:,} recipes were tried")
            if self.limits.until is not None and self.trials and time.monotonic() > self.limits.until:
                raise SearchEndError(TIME_UP)
            self.progress(self._status(), len(self.trials), self.limits.tries)
            self._note(candidate, self.attempt(candidate))
        return self.trials[candidate]

    def _note(self, candidate: CandidateRecipe, trial: RecipeTrial) -> None:
        self.trials[candidate] = trial
        for level, each in zip(candidate.levels, self.space.ladders, strict=True):
            if each.column in trial.naming:
                self.floors[each.column] = max(level + 1, self.floors.get(each.column, 0))

    def _status(self) -> str:
        """A picture of progress: the best so far."""
        best = self.best
        if best is None or best.lost is None:
            return "searching, nothing keeps the policy yet"
        return f"searching, {best.lost:.1%} lost at best"


def _goes_on(trial: RecipeTrial) -> bool:
    """Whether recipes that are finer may keep the rules."""
    return trial.passed or trial.is_too_coarse


def _cost(trial: RecipeTrial) -> tuple[float, float, CandidateRecipe]:
    return trial.lost if trial.lost is not None else 1.0, trial.detail_lost, trial.candidate
