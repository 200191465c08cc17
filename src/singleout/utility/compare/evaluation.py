"""One release beside its original: reads both, measures what is kept, and tries who is recognised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from singleout.attacks.aligned_tables import align_tables
from singleout.attacks.attack_run import AttackRun
from singleout.attacks.attempt import Attempt, among_people
from singleout.attacks.linkage.number_linkage import NumberLinkage
from singleout.attacks.paired_tables import PairedTables, pair_tables
from singleout.attacks.plan import AttackColumns, KnownRecords, Names, chosen_attacks, parts_of
from singleout.attacks.replayed_original import (
    RecipeGiven,
    columns_of_recipe,
    parts_by_recipe,
    replay_original,
)
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import open_engine, thread_count
from singleout.engine.privacy_unit import privacy_unit
from singleout.engine.protocol import Engine
from singleout.errors import InputError, UsageError, name_hint
from singleout.progress import Progress
from singleout.read.source import Source
from singleout.roles.hierarchies.hierarchy import Hierarchy
from singleout.roles.renamed_columns import Side, renaming_of, shared_columns
from singleout.roles.study import Study
from singleout.utility.catalogue import utilities
from singleout.utility.compare.people_groups import PeopleTable, with_groups
from singleout.utility.compare.result import Outcome
from singleout.utility.finding import Finding
from singleout.utility.paired_columns import PARTS, Meaning, PairedColumns
from singleout.utility.release_loss import RELEASE_LOSS, column_losses, released_loss

# the part of an attack that columns play by what they mean; an attack may look at places of both kinds
PLACES = ("entry", "exit")
LINKED = ("item", "category", "time", "amount")
LEFT_OUT = "the attack {!r} was left out, for the release lacks its column"
NO_AMOUNT = "the attack 'amount' was left out: {}"
STRANGE = "{}: {:,} records of the release have a value that its hierarchy does not know; they count as lost"


@dataclass(frozen=True, eq=False)
class ReleaseEvaluation:
    """What every release is measured by; `named` are columns by the part they play, as the user said."""

    original: Source
    side: Side
    meaning: Meaning
    named: Mapping[str, Names]
    user: str | None
    release_user: str | None
    renamed: Mapping[str, str] | None
    without_records: bool
    columns: tuple[str, ...] | None
    people: PeopleTable | None
    hierarchies: Mapping[str, Hierarchy]
    recipe: RecipeGiven
    metrics: tuple[str, ...] | None
    privacy: bool
    attacks: tuple[str, ...] | None
    points: Sequence[int]
    study: Study | None
    missing: Missing
    seed: int
    engine: str | None
    memory: str | None
    threads: int | None

    def evaluate_original(self, progress: Progress) -> tuple[Outcome, PairedTables]:
        """The original as its own release: nothing is lost, and everybody is as they were."""
        study = replace(self.study, renamed={}) if self.study else None
        alone = replace(self, study=study, renamed=None, release_user=None, recipe=None)
        outcome, read = alone.evaluate_release(self.original, self.side, None, self.people, progress)
        own = tuple(each for each in outcome.remarks if each not in read.remarks)
        return replace(outcome, remarks=own), read

    def evaluate_release(
        self,
        release: Source,
        side: Side,
        truth: Any,
        people: PeopleTable | None,
        progress: Progress,
    ) -> tuple[Outcome, PairedTables]:
        """What became of a release."""
        common = self._common_columns(side)
        read = pair_tables(
            self.original, release, truth, user=self.user, release_user=self.release_user,
            columns=[name for name in common if self._is_wanted(name)], renamed=self.renamed,
            beside=columns_of_recipe(self.recipe, self.hierarchies or None),
            study=self.study, missing=self.missing, without_records=self.without_records, strangers=True,
            engine=self.engine, memory=self.memory, threads=self.threads, progress=progress,
        )  # fmt: skip
        remarks = list(read.remarks)
        kept = tuple(self._measure_kept(read, people, remarks, progress))
        attempts = [*self._run_attacks(read, remarks, progress)] if self.privacy and read.known else []
        tried = tuple(among_people(attempts, read.by_person().real_people))
        outcome = Outcome(
            release=read.release,
            records=read.histories.release.records,
            people=read.release_people,
            made_up=int((read.truth < 0).sum()) if read.known else None,
            lacking=self._absent_columns(read.columns),
            utility=kept,
            privacy=tried,
            remarks=tuple(remarks),
        )
        return outcome, read

    def _common_columns(self, side: Side) -> tuple[str, ...]:
        renaming = renaming_of(self.side, side, self.renamed, self.study)
        columns = shared_columns(
            self.side,
            side,
            renaming,
            user=self.user,
            release_user=self.release_user,
            columns=None,
            study=None,
        ).columns
        if not any(map(self._is_wanted, columns)):
            raise UsageError(f"{side.called} lacks all columns that are to be compared; name others")
        return columns

    def _is_wanted(self, name: str) -> bool:
        """Columns that were asked for, and those that play a part."""
        if name in self._part_columns:
            return True
        roles = self.study.roles if self.study else {}
        return name in self.columns if self.columns is not None else roles.get(name) != "ignore"

    @property
    def user_of_release(self) -> str | None:
        """What the release calls the user column."""
        if self.release_user or self.user is None:
            return self.release_user
        renaming = {**(self.study.renamed if self.study else {}), **(self.renamed or {})}
        return renaming.get(self.user, self.user)

    @property
    def _part_columns(self) -> set[str]:
        return {*columns_of(self.meaning), *self.hierarchies}

    def _absent_columns(self, read: Sequence[str]) -> tuple[str, ...]:
        there = (*read, *([] if self.user is None else [self.user]))
        return tuple(name for name in self.side.names if name not in there and self._is_wanted(name))

    def _measure_kept(
        self, read: PairedTables, people: PeopleTable | None, remarks: list[str], progress: Progress
    ) -> Iterator[Finding]:
        histories = read.histories
        groups = [name for name in self.meaning.groups if name not in self.side.names]
        if self.people is not None and groups:
            histories, group_remarks = with_groups(read, self.people, people, groups)
            remarks += group_remarks
        lacking = (
            *self._absent_columns(read.columns),
            *(name for name in groups if name not in histories.values),
        )
        compared = PairedColumns(
            histories, read.truth, self.meaning, lacking, self.seed, thread_count(self.threads), read.known
        )
        loss = RELEASE_LOSS.name
        yield from utilities(
            compared, self.metrics and [name for name in self.metrics if name != loss], progress
        )
        if self.hierarchies and (self.metrics is None or loss in self.metrics):
            yield self._loss(read, remarks)

    def _loss(self, read: PairedTables, remarks: list[str]) -> Finding:
        columns = column_losses(read.histories, self.hierarchies)
        remarks += [STRANGE.format(each.column, each.strange) for each in columns if each.strange]
        detail = {each.column: each.loss for each in columns}
        return Finding(RELEASE_LOSS, released_loss(columns), detail={"columns": detail})

    def _run_attacks(self, read: PairedTables, remarks: list[str], progress: Progress) -> list[Attempt]:
        hierarchies = self.hierarchies or None
        written, read = read, replay_original(read, self.recipe, hierarchies)
        read = align_tables(read, hierarchies, self.missing)
        remarks[:] = [each for each in remarks if each in read.remarks or each not in written.remarks]
        remarks += [each for each in read.remarks if each not in remarks]
        named = attack_parts(self.named, read.columns)
        parts = parts_of(named | parts_by_recipe(named, read), self.study, read.columns)
        known = self.study.known_to_attackers(read.columns) if self.study else read.columns
        looked_at = known if self.columns is None else tuple(n for n in read.columns if n in self.columns)
        run = AttackRun(
            read=read, parts=parts, columns=looked_at, weights={}, drop=self.missing == "drop",
            ties="shared", seed=self.seed, threads=thread_count(self.threads), progress=progress,
            remarks=remarks,
        )  # fmt: skip
        chosen = self._possible_attacks(run, parts, remarks)
        if self.attacks is None:
            chosen = run.needed_attacks(chosen)
        wait = self.attacks is not None
        attempts = [*run.linkage_attempts(chosen, 1.0, one_to_one=False, wait=wait)]
        if self.points and looked_at:
            attempts += run.known_records(KnownRecords(points=self.points))[0]
        return [*attempts, *run.best(attempts, chosen)]

    def _possible_attacks(self, run: AttackRun, parts: AttackColumns, remarks: list[str]) -> tuple[str, ...]:
        """What can be made of what was asked for."""
        there = chosen_attacks(None, parts)
        wanted = there if self.attacks is None else self.attacks
        remarks += [LEFT_OUT.format(name) for name in wanted if name not in there]
        unfit = [] if run.columns else ["histories", "nearest", "bayes"]
        if "amount" in wanted and parts.amount:
            column = parts.amount[0]
            try:
                NumberLinkage.of_amount(run.read.written or run.read.histories, column)
            except InputError as fault:
                remarks.append(NO_AMOUNT.format(fault))
                unfit.append("amount")
        return tuple(name for name in there if name in wanted and name not in unfit)


def side_of(called: str, origin: Source, engine: str | None) -> Side:
    """Which columns a table has."""
    with open_engine(origin, engine) as counter:
        return _side(called, counter)


def original_of(
    origin: Source, user: str | None, study: Study | None, engine: str | None
) -> tuple[Side, str | None]:
    """The same of the original, and the column that names its people; None: each record is its own person."""
    with open_engine(origin, engine) as counter:
        return _side("the original", counter), privacy_unit(counter, user, study)


def _side(called: str, counter: Engine) -> Side:
    return Side(f"{called} {counter.source_name}", {each.name: each.type for each in counter.columns()})


def columns_of(meaning: Meaning) -> tuple[str, ...]:
    """All columns that play a part, each once."""
    return tuple(dict.fromkeys(column for part in PARTS for column in meaning.of(part)))


def attack_parts(named: Mapping[str, Names], there: Iterable[str] | None = None) -> dict[str, Names]:
    """The columns that attacks look at, those of places together; only those that are there."""
    found = {part: _name_tuple(named[part]) for part in LINKED}
    found["place"] = tuple(dict.fromkeys(name for part in PLACES for name in _name_tuple(named[part])))
    known = None if there is None else {*there}
    return {
        part: tuple(name for name in names if known is None or name in known) for part, names in found.items()
    }


def _name_tuple(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names or ())


def meaning_of(named: Mapping[str, Names], study: Study | None, side: Side) -> Meaning:
    """What was said of columns, and what the study's roles say of others of the original."""
    found: dict[str, Any] = {part: names for part, names in named.items() if names}
    roles = {} if study is None else study.roles
    for part in ("item", "amount", "time"):
        columns = tuple(name for name, role in roles.items() if role == part and name in side.names)
        if columns and part not in found:
            found[part] = columns if part == "time" else columns[0]
    for part in ("time", "routes", "groups"):
        found[part] = tuple(dict.fromkeys(_name_tuple(found.get(part))))
    return Meaning(**found)


def unknown_columns(
    meaning: Meaning, columns: Sequence[str] | None, side: Side, people: PeopleTable | None, user: str | None
) -> list[str]:
    """What is wrong with the columns that were named."""
    of_people = {} if people is None else people.columns
    faults = []
    for name in dict.fromkeys((*columns_of(meaning), *(columns or ()))):
        if name == user:
            faults.append(f"{name!r} is the user column; name another")
        elif name not in side.names and (name not in meaning.groups or name not in of_people):
            known = (*side.names, *of_people)
            faults.append(f"{side.called} has no column {name!r}; {name_hint(name, known)}")
    if people is not None and all(name in side.names for name in meaning.groups):
        faults.append("all groups are columns of the original itself; leave the people table out")
    return faults
