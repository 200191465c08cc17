"""Releases that surely break a rule on attacks: seen on some of their people, drawn at random."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.attacks.aligned_tables import align_tables
from singleout.attacks.attack import POINTS
from singleout.attacks.attack_run import AttackRun
from singleout.attacks.attempt import Attempt
from singleout.attacks.paired_tables import PairedTables, pair_tables
from singleout.attacks.people_sample import sample_people
from singleout.attacks.plan import AttackColumns, KnownRecords
from singleout.attacks.replayed_original import columns_of_recipe, replay_original
from singleout.engine.codes.histories import Indices
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import thread_count
from singleout.policy.check_settings import Machine
from singleout.policy.rules.measure_paths import find_path
from singleout.policy.rules.policy import Policy
from singleout.policy.rules.rule import Rule
from singleout.policy.verdict.rule_verdict import Answer, RuleVerdict
from singleout.progress import silent
from singleout.recipe.recipe import Recipe

# of no more people all are attacked at once
MOST_PEOPLE, ASKED = 4_000, 2_000
# how likely a release that keeps the rule is to be taken for one that breaks it, at most; by each of so many
# ways to know records
DOUBT, MOST_WAYS = 1e-6, 1_000
BEST = "best"
AT_LEAST = "by known records alone; of all people it is at least {:.3g}, but for one case in a million"
ESTIMATED = "{:,} of the {:,} people, drawn at random"


@dataclass(frozen=True, eq=False)
class AttackScreen:
    """`rules` are those that known records by themselves may break, with their numbers in the policy.

    It only ever says that a rule is broken: what may keep it is attacked in full by the gate.
    """

    rules: tuple[tuple[int, Rule], ...]
    original: Any
    hierarchies: Any
    machine: Machine
    seed: int

    def broken(
        self, release: Path, truth: Path, recipe: Recipe, said: Mapping[str, Any]
    ) -> tuple[RuleVerdict, ...]:
        """The rules that are surely broken, by what is `said` of the columns."""
        read = self._read(release, truth, recipe, said)
        asked = _asked_people(read, self.seed)
        if asked is None:
            return ()
        attempts, _ = self._run(read, asked).known_records(KnownRecords(self._points))
        return tuple(self._verdicts(attempts, asked, int(read.real_people.sum())))

    def _read(self, release: Path, truth: Path, recipe: Recipe, said: Mapping[str, Any]) -> PairedTables:
        missing: Missing = "value"
        read = pair_tables(
            self.original, release, truth, user=said.get("user"), columns=said.get("columns"),
            beside=columns_of_recipe(recipe, self.hierarchies), study=said.get("study"), missing=missing,
            **self.machine,
        )  # fmt: skip
        return align_tables(replay_original(read, recipe, self.hierarchies), self.hierarchies, missing)

    def _run(self, read: PairedTables, asked: Indices) -> AttackRun:
        """Who is not asked about has no original to be told by, and is a candidate like anybody else."""
        unknown = numpy.full_like(read.truth, -1)
        unknown[asked] = read.truth[asked]
        return AttackRun(
            read=replace(read, truth=unknown), parts=AttackColumns(), columns=read.columns, weights={},
            drop=False, ties="shared", seed=self.seed, threads=thread_count(self.machine["threads"]),
            progress=silent, remarks=[],
        )  # fmt: skip

    @property
    def _points(self) -> Sequence[int]:
        numbers = {_known_number(rule) for _, rule in self.rules}
        return POINTS if None in numbers else sorted(each for each in numbers if each)

    def _verdicts(self, attempts: Sequence[Attempt], asked: Indices, people: int) -> Iterator[RuleVerdict]:
        for number, rule in self.rules:
            known = _known_number(rule)
            rates = [_mean(each.credit[asked]) for each in attempts if known in (None, each.points)]
            rate = max(rates, default=0.0)
            least = least_rate(rate, len(asked))
            found = find_path(rule.measure)
            if found is not None and rule.at_most is not None and least > rule.at_most:
                words = ESTIMATED.format(len(asked), people)
                answer = Answer(rate, AT_LEAST.format(least), missing="value", estimated=words)
                yield RuleVerdict(number, rule, found.path.measure, answer)


def attack_screen(policy: Policy, original: Any, machine: Machine, seed: int) -> AttackScreen | None:
    """None where no rule limits how many are named by known records, of all columns as they are."""
    some = tuple((number, rule) for number, rule in enumerate(policy.rules, 1) if _is_plain(rule))
    if not some or policy.data.get("missing") not in (None, "value"):
        return None
    return AttackScreen(some, original, policy.data.get("hierarchies"), machine, seed)


def asks_some(people: int) -> bool:
    """Whether these are so many that some are asked first; else neither table need be read for that."""
    return people > MOST_PEOPLE


def least_rate(rate: float, people: int) -> float:
    """What the rate of all is at least if it is this one of some, drawn at random (Hoeffding 1963).

    >>> round(least_rate(0.5, 2000), 3)
    0.428
    """
    return rate - math.sqrt(math.log(MOST_WAYS / DOUBT) / (2 * people))


def _is_plain(rule: Rule) -> bool:
    """Of all columns, by nobody's knowledge in particular; the best of all attacks does no worse."""
    found = find_path(rule.measure)
    if found is None or found.path.family != "attack" or found.path.part != "rate" or rule.at_most is None:
        return False
    plain = rule.attacker is None and rule.columns is None and not rule.parameters
    named = found.name == BEST or found.name.startswith("points_")
    return plain and named and rule.missing in (None, "value") and rule.when in (None, "history")


def _known_number(rule: Rule) -> int | None:
    """None for the best of all attacks."""
    found = find_path(rule.measure)
    assert found is not None
    return None if found.name == BEST else int(found.name.rpartition("_")[2])


def _asked_people(read: PairedTables, seed: int) -> Indices | None:
    """Some of those who have an original; None where they are so few that all are asked about at once."""
    if not asks_some(int(read.real_people.sum())):
        return None
    drawn = sample_people(read.histories.release, ASKED, seed)
    return drawn[read.real_people[drawn]]


def _mean(credit: NDArray[numpy.float64]) -> float:
    return math.fsum(credit.tolist()) / len(credit)
