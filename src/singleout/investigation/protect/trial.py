"""One recipe tried: the release is made, judged by the gate, the cheap rules first, and measured."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from singleout.deidentify.apply.apply import apply_to
from singleout.deidentify.delivery import Delivery
from singleout.deidentify.dummies.dummies import dummies
from singleout.deidentify.input_tables import Subject
from singleout.engine.open_tables import open_beside
from singleout.errors import GoalError, SingleoutError
from singleout.investigation.protect.attack_screen import AttackScreen, asks_some, attack_screen
from singleout.investigation.protect.class_screen import ClassScreen, class_screen
from singleout.investigation.protect.local_change import LocalRecoding
from singleout.investigation.protect.objective import Kept, Objective, total_lost
from singleout.investigation.protect.recipe_file import dummies_content, recoding_content
from singleout.investigation.protect.recipe_space import CandidateRecipe, RecipeSpace
from singleout.policy.check import CluesFor, verdict_of
from singleout.policy.check_settings import Machine
from singleout.policy.result import Verdict
from singleout.policy.rules.measure_paths import find_path
from singleout.policy.rules.policy import Policy
from singleout.policy.rules.rule import Rule
from singleout.policy.verdict.decision import Decision
from singleout.policy.verdict.rule_verdict import RuleVerdict
from singleout.recipe.recipe import Recipe, recipe_of
from singleout.roles.study import Study, study_of
from singleout.temporary_files import temporary_folder
from singleout.utility.compare.compare import compare
from singleout.utility.finding import Finding
from singleout.utility.information_loss import AVERAGE_CLASS_SIZE, DISCERNIBILITY

# attacks and what is learned by trying cost more than what is counted
SLOW = ("attack", "points", "inference", "utility", "prediction", "combinations", "domain")
# what columns mean to attacks and to rules
OF_COLUMNS = ("item", "place", "category", "time", "amount", "pair", "number", "receipt", "columns")
# what they count is how much is lost, though no original is needed for it
OF_USE = (AVERAGE_CLASS_SIZE, DISCERNIBILITY)
# of groups of look-alikes: what is coarser never makes these worse
OF_GROUPS = ("k", "highest_risk", "average_risk", "unique", "distinct_l")
UNKNOWN = math.inf


@dataclass(frozen=True)
class RecipeTrial:
    """`rules` are those that were judged: all of them, unless a cheap one was broken before.

    `stopped` is why the recipe could not be followed or judged; nothing else is known of it then. `blocked`
    is what forbids the release whatever the rules are, `naming` the columns of it that name people;
    `decision` is what the gate says in all, with what passing takes for granted. Of one that is `sampled`
    some people tell that it breaks a rule, and the gate was not asked.
    """

    candidate: CandidateRecipe
    words: tuple[str, ...]
    content: Mapping[str, Any]
    detail_lost: float
    rules: tuple[RuleVerdict, ...] = ()
    passed: bool = False
    complete: bool = False
    kept: tuple[Kept, ...] = ()
    records: int = 0
    people: int = 0
    blocked: tuple[str, ...] = ()
    naming: tuple[str, ...] = ()
    stopped: str | None = None
    decision: Decision | None = None
    sampled: bool = False

    @property
    def lost(self) -> float | None:
        """Of what the data is needed for; None where it was not measured."""
        return total_lost(self.kept) if self.kept else None

    @property
    def breaks(self) -> bool:
        """Whether a number that was found breaks a rule, so that whoever has more detail breaks it too."""
        return any(each.breaks and not lacks_detail(each) for each in self.rules)

    @property
    def breaks_by_counting(self) -> bool:
        """Whether it breaks a rule on groups of look-alikes: whoever has more detail surely breaks it too.

        An attack that was made may find less where there is more to see; it is no proof of what others find.
        """
        return any(each.breaks and not lacks_detail(each) and _is_of_groups(each) for each in self.rules)

    @property
    def is_too_coarse(self) -> bool:
        """Whether all that it breaks are rules that ask for detail, which finer recipes may keep."""
        broken = [each for each in self.rules if not each.passed]
        return bool(broken) and all(map(lacks_detail, broken))

    @property
    def excess(self) -> float:
        """How far the worst rule is from its limit: at most 1 if all are kept, endless if one is unknown."""
        if self.stopped:
            return UNKNOWN
        return max((rule_excess(each) for each in self.rules), default=UNKNOWN)


def rule_excess(judged: RuleVerdict) -> float:
    """How many times the limit, or the other way round where more is better.

    >>> from singleout.policy.verdict.rule_verdict import Answer
    >>> from singleout.risk.equivalence_classes import K
    >>> rule_excess(RuleVerdict(1, Rule("k", at_least=5), K, Answer(2)))
    2.5
    """
    rule, value = judged.rule, judged.answer.value
    if value is None:
        return UNKNOWN
    if judged.passed:
        return 1.0
    excess = 1.0
    if rule.at_most is not None and value > rule.at_most:
        excess = value / rule.at_most if rule.at_most > 0 else 1 + value
    if rule.at_least is not None and value < rule.at_least:
        excess = max(excess, rule.at_least / value if value > 0 else 1 + rule.at_least)
    return max(excess, 1 + 1e-9)


def lacks_detail(judged: RuleVerdict) -> bool:
    """Whether it breaks a limit on the side of use, or of more safety than was wanted, or lacks what use is
    measured by.

    >>> from singleout.policy.verdict.rule_verdict import Answer
    >>> from singleout.risk.equivalence_classes import CLASSES, K
    >>> lacks_detail(RuleVerdict(1, Rule("classes", at_least=9), CLASSES, Answer(4)))
    True
    >>> lacks_detail(RuleVerdict(1, Rule("k", at_least=9), K, Answer(4)))
    False
    """
    rule, value, better = judged.rule, judged.answer.value, judged.measure.better
    if judged.passed:
        return False
    if better == "neither" or judged.measure in OF_USE or _family(rule) == "utility":
        return True
    if value is None:
        return False
    most = rule.at_most if rule.equals is None else rule.equals
    above = most is not None and value > most
    return above != (better == "lower")


@dataclass(frozen=True, eq=False)
class MadeRelease:
    """`recipe` is what an intruder may know of how it was made, `content` what the file of it holds."""

    recipe: Recipe
    content: Mapping[str, Any]
    detail_lost: float


@dataclass(frozen=True, eq=False)
class TrialRoom:
    """What every recipe is tried on and judged by; `said` is what the gate is told besides."""

    subject: Subject
    space: RecipeSpace
    policy: Policy
    objective: Objective
    said: Mapping[str, Any]
    measured: Mapping[str, Any]
    machine: Machine
    seed: int
    local: LocalRecoding
    done: dict[CandidateRecipe, RecipeTrial] = field(default_factory=dict)

    @cached_property
    def cheap_rules(self) -> Policy | None:
        """The rules that are only counted, where there are others too."""
        cheap = tuple(rule for rule in self.policy.rules if not _is_slow(rule))
        return replace(self.policy, rules=cheap) if 0 < len(cheap) < len(self.policy.rules) else None

    @cached_property
    def screen(self) -> ClassScreen | None:
        study = study_of(self.measured.get("study")) or Study({})
        threads = self.machine.get("threads") or 1
        known = self.said.get("columns") or study.known_to_attackers(self.space.columns)
        return class_screen(self.space, self.subject.history, self.policy.rules, known, threads)

    @cached_property
    def attack_screen(self) -> AttackScreen | None:
        people = int((self.subject.history.records_of_each() > 0).sum())
        if self.space.user is None or not asks_some(people):
            return None
        return attack_screen(self.policy, self.subject.origins[0], self.machine, self.seed)

    def trial(self, candidate: CandidateRecipe) -> RecipeTrial:
        """Made, judged and measured once, however often it is asked for."""
        if candidate not in self.done:
            self.done[candidate] = self._made(candidate)
        return self.done[candidate]

    def in_full(self, candidate: CandidateRecipe) -> RecipeTrial:
        """The same judged by all rules and measured, whatever a cheap one says of it."""
        return self._made(candidate, in_full=True)

    def _made(self, candidate: CandidateRecipe, *, in_full: bool = False) -> RecipeTrial:
        with temporary_folder() as folder, open_beside():
            trial = self._blank(candidate)
            try:
                made = self.make(candidate, folder / "release.parquet", folder / "truth.csv")
                trial = replace(trial, content=made.content, detail_lost=made.detail_lost)
                sooner = None if in_full else self._judged_sooner(trial, folder, made.recipe)
                return sooner or self._judged(trial, folder, made.recipe)
            except GoalError as error:
                return replace(trial, stopped=str(error))
            except SingleoutError as error:
                # nobody else knows the file that was tried
                said = str(error).replace(str(folder / "release.parquet"), self.subject.source)
                if candidate == self.space.original:
                    raise type(error)(said) from error
                return replace(trial, stopped=said)

    def _blank(self, candidate: CandidateRecipe) -> RecipeTrial:
        space = self.space
        lost = space.detail_lost(candidate)
        return RecipeTrial(candidate, space.words(candidate), space.content(candidate), lost)

    def make(self, candidate: CandidateRecipe, out: Path, truth: Path | None) -> MadeRelease:
        """Writes the release, and tells how."""
        space, change = self.space, self.space.changes[candidate.change]
        content, lost = space.content(candidate), space.detail_lost(candidate)
        truth = None if space.user is None else truth
        if change.dummies is not None:
            recipe = self._make_dummies(candidate, out, truth)
            return MadeRelease(recipe, dummies_content(content, recipe, change.dummies), lost)
        recipe = recipe_of(content)
        if change.local is not None:
            recoded, lost = self.local.recipe(change, space.released(candidate))
            recipe = replace(recipe, recoded=recoded.recoded)
            content = recoding_content(content, recipe)
        apply_to(self.subject, recipe, self._delivery(out, truth))
        return MadeRelease(recipe, content, lost)

    def _make_dummies(self, candidate: CandidateRecipe, out: Path, truth: Path | None) -> Recipe:
        """The columns become coarser first; then dummy records hide what is left of people's items."""
        content = self.space.content(candidate)
        steps = [each for each in content["step"] if each["step"] != "pseudonymise"]
        recipe = recipe_of({**content, "step": steps})
        with temporary_folder() as folder, open_beside():
            coarse = folder / "coarse.parquet"
            apply_to(self.subject, recipe, self._delivery(coarse, None))
            change = self.space.changes[candidate.change]
            found = dummies(
                coarse, user=self.space.user, item=change.item, bound=change.dummies, out=out, truth=truth,
                seed=self.seed, threads=self.machine.get("threads"),
            )  # fmt: skip
        return replace(recipe, dummies=found.item, columns=tuple(found.columns))

    def _delivery(self, out: Path, truth: Path | None) -> Delivery:
        return Delivery(out=out, truth=truth, seed=self.seed, threads=self.machine.get("threads") or 1)

    def _judged_sooner(self, trial: RecipeTrial, folder: Path, recipe: Recipe) -> RecipeTrial | None:
        """What a counted rule tells, or some of the people; None where neither breaks a limit."""
        release, truth = folder / "release.parquet", folder / "truth.csv"
        if self.cheap_rules is not None:
            verdict = self.verdict(release, truth, recipe, self.cheap_rules, clues_for="none")
            if any(each.breaks for each in verdict.rules):
                return replace(trial, **_told(verdict))
        if broken := self._surely_broken(folder, recipe):
            kept = self.kept(trial, release, truth)
            naming = self._naming(folder, recipe) if trial.candidate == self.space.original else ()
            return replace(trial, rules=broken, complete=True, kept=kept, sampled=True, naming=naming)
        return None

    def _naming(self, folder: Path, recipe: Recipe) -> tuple[str, ...]:
        """The columns that name people by the gate, which is asked for little else."""
        rules = self.cheap_rules or replace(self.policy, rules=(Rule("k", at_least=1),))
        release, truth = folder / "release.parquet", folder / "truth.csv"
        verdict = self.verdict(release, truth, recipe, rules, clues_for="none")
        return tuple(each.column for each in verdict.blocking)

    def _judged(self, trial: RecipeTrial, folder: Path, recipe: Recipe) -> RecipeTrial:
        release, truth = folder / "release.parquet", folder / "truth.csv"
        verdict = self.verdict(release, truth, recipe, self.policy, clues_for="kept")
        kept = self.kept(trial, release, truth)
        return replace(trial, **_told(verdict), complete=True, passed=verdict.passed, kept=kept)

    def _surely_broken(self, folder: Path, recipe: Recipe) -> tuple[RuleVerdict, ...]:
        """By some people."""
        if self.attack_screen is None:
            return ()
        release, truth = folder / "release.parquet", folder / "truth.csv"
        return self.attack_screen.broken(release, truth, recipe, self._said_of(recipe))

    def verdict(
        self, release: Path, truth: Path, recipe: Recipe, policy: Policy, *, clues_for: CluesFor = "all"
    ) -> Verdict:
        """What the gate says, with the original beside it and all known but the draws."""
        named: dict[str, Any] = {} if self.space.user is None else {"truth": truth}
        beside: Any = {
            **self._said_of(recipe),
            **named,
            "original": self.subject.origins[0],
            "recipe": recipe,
        }
        return verdict_of(release, policy, beside, self.machine, clues_for=clues_for)

    def _said_of(self, recipe: Recipe) -> dict[str, Any]:
        """What is said of columns that are released."""
        released = {*(recipe.columns or self.space.columns)}
        return {
            name: _present(value, released) if name in OF_COLUMNS else value
            for name, value in self.said.items()
        }

    def findings(self, candidate: CandidateRecipe, release: Path, truth: Path) -> tuple[Finding, ...]:
        """What a comparison with the original finds of the metrics that are to be kept."""
        coarsening = self.space.coarsening(candidate)
        of_values = self.objective.of_values if coarsening else []
        plain = [name for name in self.objective.metrics if name not in of_values]
        found = self._compared(self.subject.origins[0], release, truth, plain)
        if coarsening and of_values:
            with temporary_folder() as folder, open_beside():
                coarse = folder / "original.parquet"
                apply_to(self.subject, recipe_of(coarsening), self._delivery(coarse, None))
                found += self._compared(coarse, release, truth, of_values)
        return found

    def _compared(
        self, original: Any, release: Path, truth: Path, metrics: Sequence[str]
    ) -> tuple[Finding, ...]:
        if not metrics:
            return ()
        named: dict[str, Any] = {} if self.space.user is None else {"truth": truth}
        compared = compare(
            original, release, **named, **self.measured, privacy=False, metrics=metrics, **self.machine
        )
        return compared.outcomes[0].utility

    def kept(self, trial: RecipeTrial, release: Path, truth: Path) -> tuple[Kept, ...]:
        left = sum(not rung.left_out for rung in self.space.rungs(trial.candidate))
        findings = self.findings(trial.candidate, release, truth)
        return self.objective.kept(findings, trial.detail_lost, left, len(self.space.ladders))


def _present(names: Any, released: Container[str]) -> Any:
    """What plays a part must be there to be looked at."""
    if isinstance(names, str):
        return names if names in released else None
    return [name for name in names if name in released] or None


def _is_slow(rule: Rule) -> bool:
    return _family(rule) in SLOW


def _is_of_groups(judged: RuleVerdict) -> bool:
    """Groups only grow with what is coarser, unless records that lack a value are left out."""
    number = judged.rule.measure.split(".")[-1]
    return number in OF_GROUPS and "drop" not in (judged.rule.missing, judged.answer.missing)


def _family(rule: Rule) -> str | None:
    found = find_path(rule.measure)
    return None if found is None else found.path.family


def _told(verdict: Verdict) -> dict[str, Any]:
    named = tuple(each.column for each in verdict.blocking)
    seen = tuple(each.words for each in verdict.observations)
    words = (*(f"column {name} names people" for name in named), *seen)
    # digests are of a file that nobody else gets
    decision = replace(verdict.decision, inputs=())
    told = {"records": verdict.records, "people": verdict.people, "decision": decision}
    return {"rules": verdict.rules, "blocked": words, "naming": named, **told}
