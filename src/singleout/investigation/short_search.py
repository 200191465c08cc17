"""The change that a short run of `protect` finds: what a report advises where nothing else is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from singleout.deidentify.input_tables import subject_of
from singleout.engine.job_options import ReadOptions
from singleout.engine.open_tables import open_beside
from singleout.errors import SingleoutError
from singleout.investigation.priced_alternatives import protect_command
from singleout.investigation.protect.objective import DETAIL
from singleout.investigation.protect.protect import trial_room
from singleout.investigation.protect.recipe_search import INTERRUPTED, RecipeSearch, SearchLimits
from singleout.investigation.protect.request import SearchBounds
from singleout.investigation.protect.subject_space import space_of
from singleout.investigation.protect.trial import RecipeTrial, TrialRoom
from singleout.investigation.release_ways import IntrudersTable, Judge, MeasuredWay, toml_text, write_command
from singleout.policy.rules.policy import Policy
from singleout.progress import silent
from singleout.read.source import Source
from singleout.roles.person_column import NONE
from singleout.roles.role import Role
from singleout.roles.study import Study, study_of
from singleout.temporary_files import temporary_folder

# some seconds at most
TRIES, MOST_RECORDS = 8, 20_000
WORDS = "the best of {} changes that a short search tried (singleout protect: {})"
PRICE = "{:.1%} of the detail of values is lost"
STUDY = "columns.toml"
NOT_SEARCHED = "a short search (singleout protect): not run, for there are more than {:,} records"
NOTHING = "a short search (singleout protect): none of {} changes keeps the policy {}"


@dataclass(frozen=True, eq=False)
class ShortSearch:
    """A table, its columns that may be released, and who judges what is made of it."""

    origin: Source
    user: str | None
    released: tuple[str, ...]
    sensitive: tuple[str, ...]
    policy: Policy
    options: ReadOptions
    judge: Judge
    remarks: list[str]

    def ways(self, records: int) -> Sequence[MeasuredWay]:
        """The cheapest that keeps the policy, judged as all ways are; none where nothing does."""
        if records > MOST_RECORDS:
            self.remarks.append(NOT_SEARCHED.format(MOST_RECORDS))
            return ()
        try:
            return self._searched()
        except SingleoutError as error:
            self.remarks.append(f"a short search (singleout protect): not run: {error}")
            return ()

    def _searched(self) -> Sequence[MeasuredWay]:
        room = self._room()
        search = RecipeSearch(room.space, room.trial, SearchLimits(TRIES), silent, room.screen)
        search.run()
        if search.ended == INTERRUPTED:
            # protect keeps the best so far; who interrupts a report wants none
            raise KeyboardInterrupt
        if search.best is None:
            self.remarks.append(NOTHING.format(len(search.trials) - 1, self.policy.called))
            return ()
        return (self._way(room, search.best, len(search.trials) - 1),)

    def _room(self) -> TrialRoom:
        subject = subject_of(self.origin, user=self.user or NONE, **self.options)
        space = space_of(
            subject, self._roles(self._others(subject.columns)), SearchBounds(), self.policy.rules, {}, {}
        )
        said = {"sensitive": list(self.sensitive) or None}
        return trial_room(
            subject, self.origin, space, self.policy, {DETAIL.name: 1.0}, said, {}, 0, self.options
        )

    def _roles(self, others: Sequence[str]) -> Study:
        """What is no column of a release is none of this one either."""
        given = study_of(self.options["study"]) or Study({})
        guarded: dict[str, Role] = dict.fromkeys(self.sensitive, "sensitive")
        left: dict[str, Role] = dict.fromkeys(others, "ignore")
        return replace(given, roles={**given.roles, **guarded, **left}, content=None)

    def _way(self, room: TrialRoom, best: RecipeTrial, tried: int) -> MeasuredWay:
        with temporary_folder() as folder, open_beside():
            release, truth = folder / "release.parquet", folder / "who.csv"
            made = room.make(best.candidate, release, truth)
            decision = self.judge(release, self._beside(truth, made.recipe))
        words, price = WORDS.format(tried, "; ".join(best.words)), PRICE.format(best.detail_lost)
        return MeasuredWay(words, price, tuple(self._commands(room)), decision)

    def _commands(self, room: TrialRoom) -> Iterator[str]:
        """The same search again: columns that are not to be released are set aside by a study file."""
        command = protect_command(self.origin.name, self.user, self.sensitive, self.policy.called)
        search = f"{command} --tries {TRIES} --keep {DETAIL.name}=1"
        roles = self._roles(self._others(room.subject.columns)).roles
        told = {name: role for name, role in roles.items() if name not in (self.user, *self.sensitive)}
        if not told:
            yield search
            return
        lines = (f'{toml_text(name)} = "{role}"' for name, role in told.items())
        yield write_command("\n".join(("[columns]", *lines, "")), STUDY)
        yield f"{search} --study {STUDY}"

    def _others(self, columns: Sequence[str]) -> list[str]:
        return [name for name in columns if name not in (self.user, *self.released)]

    def _beside(self, truth: Path, recipe: object) -> IntrudersTable | None:
        """Where each record is its own person, the groups tell as much."""
        return None if self.user is None else IntrudersTable(self.origin, truth, recipe)
