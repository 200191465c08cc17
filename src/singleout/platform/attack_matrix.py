"""The attacker × target matrix: who recognised how many of whose people, and who did best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from sqlalchemy.orm import Session

from singleout.platform.store.guesses import AttackOutcome, attack_outcomes
from singleout.platform.store.publications import publications_of
from singleout.platform.store.schema import ContestRow


@dataclass(frozen=True)
class AttackedRelease:
    """A published release: its number, its team, and how many people of the original are in it."""

    number: int
    team: str
    team_id: int
    people: int


@dataclass(frozen=True)
class MatrixAttacker:
    """A team, or an attack of the library that plays for the house; `mean` is over others' releases."""

    name: str
    house: bool
    team_id: int | None
    mean: float


@dataclass(frozen=True)
class AttackMatrix:
    """`rates` by attacker and target: the most that their guesses recognised in the half that decides.

    A pair is not there if the attacker did not try.
    """

    releases: tuple[AttackedRelease, ...]
    attackers: tuple[MatrixAttacker, ...]
    rates: Mapping[tuple[str, int], float]

    def best_attack(self, target: AttackedRelease) -> tuple[MatrixAttacker, float] | None:
        """On a release; a team before the house where they are equally good."""
        tried = [(each, self.rates[each.name, target.number]) for each in self.attackers
                 if (each.name, target.number) in self.rates]  # fmt: skip
        return max(tried, key=lambda each: (each[1], not each[0].house), default=None)


def attack_matrix(targets: Sequence[AttackedRelease], outcomes: Sequence[AttackOutcome]) -> AttackMatrix:
    """The best attackers first; who did not try a release recognised nobody in it.

    >>> shop = AttackedRelease(1, "Blue", 10, 4), AttackedRelease(2, "Red", 20, 4)
    >>> found = [AttackOutcome(5, "Red", False, 20, 1, 0.5), AttackOutcome(6, "Red", False, 20, 1, 0.25)]
    >>> matrix = attack_matrix(shop, found)
    >>> matrix.rates, matrix.attackers[0].mean
    ({('Red', 1): 0.5}, 0.5)
    """
    there = {each.number for each in targets}
    rates: dict[tuple[str, int], float] = {}
    who: dict[str, AttackOutcome] = {}
    for each in outcomes:
        if each.target_id in there:
            key, who[_name(each)] = (_name(each), each.target_id), each
            rates[key] = max(rates.get(key, 0.0), each.rate)
    attackers = [_attacker(name, each, targets, rates) for name, each in who.items()]
    ordered = sorted(attackers, key=lambda each: (-each.mean, each.house, each.name))
    return AttackMatrix(tuple(targets), tuple(ordered), rates)


def _name(outcome: AttackOutcome) -> str:
    """A team can't take the name of a house player."""
    return f"house: {outcome.attacker}" if outcome.house else outcome.attacker


def _attacker(
    name: str,
    outcome: AttackOutcome,
    targets: Sequence[AttackedRelease],
    rates: Mapping[tuple[str, int], float],
) -> MatrixAttacker:
    others = [each for each in targets if each.team_id != outcome.team_id]
    total = fsum(rates.get((name, each.number), 0.0) for each in others)
    return MatrixAttacker(name, outcome.house, outcome.team_id, total / len(others) if others else 0.0)


def matrix_of(session: Session, contest: ContestRow) -> AttackMatrix:
    targets = [
        AttackedRelease(row.submission_id, team.name, team.id, row.people or 0)
        for row, team in publications_of(session, contest)
        if row.state == "published"
    ]
    return attack_matrix(targets, attack_outcomes(session, contest))
