"""Searches the change that keeps a policy and costs the least, makes the release, and has it judged."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from singleout.deidentify.input_tables import Subject, subject_of
from singleout.deidentify.seeds import SEED_0, seed_of
from singleout.engine.job_options import ReadOptions, takes_options
from singleout.engine.open_tables import open_beside, share_open_tables
from singleout.errors import UsageError
from singleout.files import files_together, whole_file, write_text
from singleout.investigation.assess import AnyPolicy, rereadable_source, said_of_table
from singleout.investigation.protect.attack_screen import ASKED
from singleout.investigation.protect.explanation import (
    advice,
    change_reasons,
    cheaper_choice,
    front_of,
    nearest_trial,
    obstacles,
    privacy_rule,
    safer_choice,
)
from singleout.investigation.protect.local_change import LocalRecoding
from singleout.investigation.protect.objective import objective_of
from singleout.investigation.protect.recipe_file import recipe_text
from singleout.investigation.protect.recipe_search import INTERRUPTED, TRIES, RecipeSearch
from singleout.investigation.protect.recipe_space import CandidateRecipe, RecipeSpace
from singleout.investigation.protect.request import OptionalPath, ReleaseFiles, SearchBounds, limits_of
from singleout.investigation.protect.result import Protection, SearchProof
from singleout.investigation.protect.subject_space import is_history, space_of
from singleout.investigation.protect.trial import RecipeTrial, TrialRoom
from singleout.policy.answers.rule_question import is_kept_by_look_alikes
from singleout.policy.check_settings import Machine, files_of
from singleout.policy.input_digests import text_digest
from singleout.policy.release_conditions import undeclared_words
from singleout.policy.rules.measure_paths import find_path
from singleout.policy.rules.policy import Policy, policy_of
from singleout.policy.verdict.digest import Digest
from singleout.progress import Audience, Progress, silent, teller
from singleout.read.source import Source, source
from singleout.roles.hierarchies.hierarchy import Hierarchy, read_hierarchies
from singleout.roles.person_column import NONE
from singleout.roles.study import Study, says_none
from singleout.temporary_files import temporary_folder

Names = str | Sequence[str] | None
# what columns mean to attacks and to metrics of utility, where somebody says so
PARTS = ("item", "time", "amount", "number", "receipt", "category")
NO_NAMES = (
    "{} is about attacks, which need to know who is who, and {} has no user column: number its records in a "
    "column and name that by --user, or take a policy of your own without the rule"
)
NO_TRUTH = "truth: there is no user column, and so nobody to tell apart; name it by user, or leave truth out"
SAMPLED = (
    "{:,} of {:,} recipes surely break a rule by known records of some {:,} people drawn at random, and were "
    "not attacked further: their rates are estimates; what keeps the rules was attacked in full"
)
SAYS = "by singleout protect: {}\nto repeat, by the same seed: singleout deidentify apply TABLE --recipe THIS"


@takes_options(ReadOptions, after={"seed": "study", "progress": "csv"})
@share_open_tables()
def protect(
    data: Any,
    policy: AnyPolicy,
    *,
    user: str | None = None,
    keep: Mapping[str, float] | None = None,
    minutes: float | None = None,
    tries: int = TRIES,
    fixed: Sequence[str] = (),
    forbid: Sequence[str] = (),
    lose_people: float = 0.05,
    lose_records: float = 1.0,
    nearest: bool = False,
    out: OptionalPath = None,
    truth: OptionalPath = None,
    recipe_out: OptionalPath = None,
    hierarchies: Any = None,
    columns: Sequence[str] | None = None,
    sensitive: Sequence[str] | None = None,
    item: str | None = None,
    time: Names = None,
    amount: str | None = None,
    number: str | None = None,
    receipt: str | None = None,
    category: str | None = None,
    seed: int | str = 0,
    progress: Audience = silent,
    **options: Unpack[ReadOptions],
) -> Protection:
    """Which change keeps this policy, and costs the least of what the data is needed for?

    Each column is released as it is, coarser by its hierarchy (one of the `hierarchies`, or else the coarser
    ways to write it that fit), or left out; records of a history may be cut, thinned, shifted or hidden by
    dummies, people left out; a table may be recoded locally or lose cells. `keep` are metrics of utility by
    name with weights; what they lose together is made as small as the rules allow. `fixed` columns stay as
    they are, steps that are `forbid` are not taken, and no more than these shares of people and records are
    lost. The search ends after `tries` recipes or so many `minutes`, and, interrupted, goes on with the best
    so far. The release is written only if the gate, which reads it back with the original and the recipe
    beside it, passes it, or with `nearest`: `out` gets it, `truth` who is who, `recipe_out` the recipe
    (default: beside the release).

    >>> import pyarrow
    >>> table = pyarrow.table({"age": ["31", "34", "52", "57"], "sex": ["f", "f", "f", "f"]})
    >>> found = protect(table, {"rule": [{"measure": "k", "at_least": 2}]}, user="none")
    >>> found.reached, found.chosen.words
    (True, ('age in steps of 20',))
    """
    rules, targets = policy_of(policy), ReleaseFiles(out, truth, recipe_out)
    bounds, limits = (
        SearchBounds(tuple(fixed), tuple(forbid), lose_people, lose_records),
        limits_of(minutes, tries),
    )
    origin = rereadable_source(source(data, csv=options["csv"]))
    targets.check_against(origin)
    user, columns, sensitive, study = said_of_table(rules, user, columns, sensitive, options["study"])
    parts = _parts(
        rules, item=item, time=time, amount=amount, number=number, receipt=receipt, category=category
    )
    progress = teller(progress)
    progress("reading records", 0, 1)
    reading: ReadOptions = {**options, "study": study, "csv": None}
    subject = subject_of(origin, user=user, **reading)
    _check_sensitive_said(subject, sensitive, study)
    if subject.user is None and truth is not None:
        raise UsageError(NO_TRUTH)
    given = hierarchies if hierarchies is not None else files_of(rules).get("hierarchies")
    names = [name for name in subject.columns if name != subject.user]
    known = {} if given is None else read_hierarchies(given, names)[0]
    space = space_of(subject, study, bounds, rules.rules, known, parts, columns)
    said = {"columns": columns, "sensitive": sensitive, **parts}
    chosen_seed = seed_of(seed)
    room = trial_room(subject, origin, space, rules, keep, said, known, chosen_seed, reading)
    search = RecipeSearch(space, room.trial, limits, progress, room.screen)
    search.run()
    return _Answer(room, search, bounds, targets, nearest, progress).protection(chosen_seed)


def trial_room(
    subject: Subject,
    origin: Source,
    space: RecipeSpace,
    rules: Policy,
    keep: Mapping[str, float] | None,
    said: Mapping[str, Any],
    hierarchies: Mapping[str, Hierarchy],
    seed: int,
    options: ReadOptions,
) -> TrialRoom:
    """Where recipes of one table are tried; what is `said` of columns is None where it is not."""
    machine: Machine = {
        "engine": options["engine"], "memory": options["memory"], "threads": options["threads"],
    }  # fmt: skip
    _check_names(subject, rules)
    told = {name: value for name, value in said.items() if value is not None}
    parts = {name: value for name, value in told.items() if name in PARTS}
    measured = {"user": subject.user or NONE, "study": options["study"], **parts}
    known = {name: value for name, value in measured.items() if value is not None}
    return TrialRoom(
        subject=subject, space=space, policy=rules,
        objective=objective_of(keep, parts, history=is_history(subject), columns=len(space.ladders)),
        said={**known, **told}, measured=measured, machine=machine, seed=seed,
        local=LocalRecoding(origin, subject.user, space.ladders, hierarchies, machine),
    )  # fmt: skip


def _check_sensitive_said(subject: Subject, sensitive: Sequence[str] | None, study: Study | None) -> None:
    """Before all recipes are tried: the gate passes none that has such a column."""
    if says_none(sensitive) or (study is not None and study.sensitive):
        return
    roles = study.roles if study else {}
    released = [name for name in subject.columns if roles.get(name) != "ignore"]
    if words := undeclared_words(released, subject.user, study):
        raise UsageError(f"{subject.source}: {words}")


def _check_names(subject: Subject, policy: Policy) -> None:
    """Before all recipes are tried: where nobody has a name, the gate can judge no attack on any of them."""
    if subject.user is not None:
        return
    for number, rule in enumerate(policy.rules, 1):
        found = find_path(rule.measure)
        if rule.when == "history" or found is None or found.path.family != "attack":
            continue
        if not is_kept_by_look_alikes(rule, found):
            called = f"{policy.called}: rule {number} ({rule.called})"
            raise UsageError(NO_NAMES.format(called, subject.source))


def _parts(policy: Policy, **said: Any) -> dict[str, Any]:
    """What the caller says of columns, or else the policy."""
    told = {name: said[name] if said[name] is not None else policy.data.get(name) for name in PARTS}
    return {name: value for name, value in told.items() if value is not None}


@dataclass(frozen=True, eq=False)
class _Answer:
    """What a search came to, and what is made of it."""

    room: TrialRoom
    search: RecipeSearch
    bounds: SearchBounds
    targets: ReleaseFiles
    nearest: bool
    progress: Progress

    def protection(self, seed: int) -> Protection:
        reasons = self._reasons()
        best, written = self._delivered()
        reached = best is not None
        chosen = best or self._nearest()
        trials = tuple(self.search.trials.values())
        if chosen is not None and not reached and self.nearest and self.targets.out is not None:
            chosen, written = self._deliver(chosen)
        subject, rule = self.room.subject, privacy_rule(self.room.policy.rules)
        self.progress("done", 1, 1)
        return Protection(
            source=subject.source,
            policy=self.room.policy.called,
            user=subject.user,
            seed=seed,
            records=len(subject.history),
            people=int((subject.history.records_of_each() > 0).sum()),
            reached=reached,
            chosen=chosen,
            reasons=reasons,
            trials=trials,
            front=front_of(trials, rule),
            privacy_rule=rule,
            proof=self._proof(),
            cheaper=None if chosen is None else cheaper_choice(chosen, trials),
            safer=None if chosen is None or not reached else safer_choice(chosen, trials, rule),
            obstacles=() if reached else tuple(obstacles(chosen, trials, self.room.policy.rules)),
            advice=() if reached else tuple(advice(self.bounds, self.room.space, self.search.ended)),
            written=written,
            remarks=tuple(self._remarks(written)),
        )

    def _reasons(self) -> tuple[Any, ...]:
        """Measured where nobody asked for an end; what turns out to be better is taken instead."""
        while (best := self.search.best) is not None:
            asked = None if self.search.is_in_haste else self._attempt
            reasons = tuple(change_reasons(best, self.room.space, asked, tuple(self.search.trials.values())))
            if self.search.best is best:
                return reasons
        return ()

    def _attempt(self, candidate: CandidateRecipe) -> RecipeTrial | None:
        try:
            return self.search.attempt_beyond(candidate)
        except KeyboardInterrupt:
            self.search.ended = INTERRUPTED
            return None

    def _delivered(self) -> tuple[RecipeTrial | None, dict[str, str]]:
        """The cheapest that the gate passes when it reads the very file; where none is written, as judged."""
        for trial in self.search.reached:
            self.progress("judging the release", 0, 1)
            judged, written = self._deliver(trial)
            if judged.passed:
                return judged, written
        return None, {}

    def _nearest(self) -> RecipeTrial | None:
        """Judged by all rules, also where every recipe broke one that is only counted, and no other was
        asked, and of all people, unless somebody waits for the end."""
        trials = self.search.trials
        nearest = nearest_trial(tuple(trials.values()))
        if nearest is None:
            return None
        if not nearest.complete or (nearest.sampled and not self.search.is_in_haste):
            self.progress("judging the nearest", 0, 1)
            nearest = self.room.in_full(nearest.candidate)
            trials[nearest.candidate] = nearest
        return nearest

    def _deliver(self, trial: RecipeTrial) -> tuple[RecipeTrial, dict[str, str]]:
        """Written aside, read back and judged; put into place if it passed, or the nearest is wanted."""
        if self.targets.out is None:
            return trial, {}
        says = SAYS.format("; ".join(trial.words) or "names only")
        recipe = recipe_text(trial.content, says)
        with temporary_folder() as folder, open_beside():
            release = folder / f"release{Path(self.targets.out).suffix.lower()}"
            truth = folder / "truth.csv"
            made = self.room.make(trial.candidate, release, truth)
            verdict = self.room.verdict(release, truth, made.recipe, self.room.policy)
            kept = self.room.kept(trial, release, truth)
            decision = replace(verdict.decision, inputs=self._digests(verdict.inputs, recipe))
            judged = replace(trial, rules=verdict.rules, passed=verdict.passed, kept=kept, decision=decision)
            if not verdict.passed and not self.nearest:
                return judged, {}
            return judged, self._put(recipe, release, truth)

    def _digests(self, inputs: Iterable[Digest], recipe: str) -> tuple[Digest, ...]:
        """Of what was judged aside, by the names that it gets; the gate's original is the data given here."""
        names = {"data": self.targets.out, "truth": self.targets.truth}
        parts = {"data": "release", "original": "data"}
        named = (
            replace(each, what=parts.get(each.what, each.what), name=str(names.get(each.what) or each.name))
            for each in inputs
            if each.what != "recipe"
        )
        return (*named, text_digest("recipe", str(self.targets.recipe), recipe))

    def _put(self, recipe: str, release: Path, truth: Path) -> dict[str, str]:
        targets, written = self.targets, {}
        with files_together([targets.out, targets.truth, targets.recipe]):
            pairs: list[tuple[str, str | PathLike[str] | None, Path]] = [
                ("release", targets.out, release), ("truth", targets.truth, truth)
            ]  # fmt: skip
            for name, target, made in pairs:
                if target is not None and made.is_file():
                    with whole_file(target, private=name == "truth") as draft:
                        shutil.copyfile(made, draft)
                    written[name] = str(target)
            assert targets.recipe is not None
            write_text(targets.recipe, recipe)
            written["recipe"] = str(targets.recipe)
        return written

    def _proof(self) -> SearchProof:
        search, space = self.search, self.room.space
        tried = list(search.trials)
        counted = space.count_known(search.broken, tried)
        broken, unknown = counted if counted is not None else (None, None)
        proven = space.count_known(search.broken_by_counting, tried)
        inferred = proven[1] - unknown if proven is not None and unknown is not None else None
        changing = sum(each.change > 0 for each in search.trials)
        ways = len(space.changes) - 1
        return SearchProof(len(tried), space.recipes, broken, unknown, inferred, ways, changing, search.ended)

    def _remarks(self, written: Mapping[str, str]) -> Iterator[str]:
        yield from self.room.subject.remarks
        if sampled := sum(each.sampled for each in self.search.trials.values()):
            yield SAMPLED.format(sampled, len(self.search.trials), ASKED)
        if written and self.room.seed == 0 and self.room.space.user is not None:
            yield SEED_0
