"""A small contest with an attack phase, its teams and releases, and a worker that needs no processes."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session

from singleout.platform.attack_rules import AttackRules
from singleout.platform.contest import Contest, ContestMetric, template, with_attack_phase
from singleout.platform.store.accounts import sign_up
from singleout.platform.store.contests import create_contest, move_to_phase, phases_of, set_state
from singleout.platform.store.database import Database
from singleout.platform.store.files import FileShelf, StoredFile
from singleout.platform.store.guesses import receive_guesses
from singleout.platform.store.publications import prepare_publications, publications_of
from singleout.platform.store.schema import AccountRow, ContestRow, PublishedPersonRow, TeamRow
from singleout.platform.store.submissions import receive, score_original
from singleout.platform.store.teams import make_team
from singleout.platform.worker import worker as worker_file
from singleout.platform.worker.evaluation_process import ProcessAnswer
from singleout.platform.worker.evaluator import _result
from singleout.platform.worker.worker import LANES, Worker
from tests.support.small_platform import PASSWORD

PEOPLE = 12
TEAMS = ("Blue", "Red", "Green")
RULES = AttackRules(looks_a_day=50, looks_in_all=60, candidates=3, house=False)
QUICK = "tests.support.small_scorer"


def attacked_contest(name: str = "duel", **changes: Any) -> Contest:
    metrics = (ContestMetric("jaccard", "privacy"), ContestMetric("records_kept", "utility"))
    contest = replace(
        with_attack_phase(template("purchase-history")), name=name, title="Duel", metrics=metrics,
        parts={"item": "goods"}, truth="either", attack=RULES,
    )  # fmt: skip
    return replace(contest, **changes)


def shop(people: int = PEOPLE) -> bytes:
    """Everybody buys two goods that nobody else buys together."""
    lines = [f"c{number:03},g{each % people}" for number in range(people) for each in (number, number + 1)]
    return "\n".join(["customer,goods", *lines, ""]).encode()


def blurred(people: int = PEOPLE) -> bytes:
    """Everybody buys the same: only blind guesses are left."""
    return "\n".join(["customer,goods", *(f"c{number:03},tea" for number in range(people)), ""]).encode()


@dataclass(frozen=True)
class Duel:
    """The rows of the contest, its organiser, and a member of each team."""

    contest: ContestRow
    organiser: AccountRow
    members: dict[str, AccountRow]
    teams: dict[str, TeamRow]


def fill_duel(
    session: Session, shelf: FileShelf, contest: Contest | None = None, people: int = PEOPLE
) -> Duel:
    """Blue's release is the untouched data, the others' are blurred."""
    organiser = sign_up(session, "Duel's organiser", PASSWORD, role="organiser")
    original = kept(shelf, shop(people), "original.csv")
    row = create_contest(session, organiser, contest or attacked_contest(), {"original": original})
    set_state(session, organiser, row, "open")
    score_original(session, row)
    members = {team: sign_up(session, f"Member of {team}", PASSWORD) for team in TEAMS}
    teams = {team: make_team(session, row, member, team) for team, member in members.items()}
    for team, member in members.items():
        content = shop(people) if team == "Blue" else blurred(people)
        receive(session, row, member, kept(shelf, content, f"{team}.csv"))
    return Duel(row, organiser, members, teams)


def kept(shelf: FileShelf, content: bytes, name: str = "table.csv") -> StoredFile:
    return shelf.put(io.BytesIO(content), name)


def worker_here(
    database: Database, shelf: FileShelf, monkeypatch: pytest.MonkeyPatch, scorer: str = QUICK
) -> Worker:
    """Evaluates in this process, which takes no time to start; releases are scored by their length."""

    def evaluate(request: dict[str, Any], _folder: Path, *_others: Any, **_more: Any) -> ProcessAnswer:
        return ProcessAnswer(result=_result(request, lambda **_content: None))

    monkeypatch.setattr(worker_file, "evaluate", evaluate)
    return Worker(database, shelf, "here", scorer=scorer)


def work(worker: Worker) -> None:
    """Until nothing is left to do."""
    while any(worker.work_once(kind) for lane in LANES for kind in lane):
        pass


def move(database: Database, duel: Duel, kind: str) -> None:
    with database.writing() as session:
        contest = session.get_one(ContestRow, duel.contest.id)
        position = next(each.position for each in phases_of(session, contest) if each.kind == kind)
        move_to_phase(session, duel.organiser, contest, position)
        prepare_publications(session, contest)


def target_of(session: Session, duel: Duel, team: str) -> int:
    rows = publications_of(session, duel.contest)
    return next(row.submission_id for row, owner in rows if owner.name == team)


def truth_of_release(session: Session, duel: Duel, team: str) -> dict[str, str]:
    """What only the server knows: who each fresh name is."""
    rows = publications_of(session, duel.contest)
    (number,) = (row.id for row, owner in rows if owner.name == team)
    people = session.query(PublishedPersonRow).filter(PublishedPersonRow.publication_id == number)
    return {each.release_user: each.person for each in people if each.person is not None}


def guess_file(pairs: dict[str, str]) -> bytes:
    lines = [f"{released},{original}" for released, original in pairs.items()]
    return "\n".join(["release_user,original_user", *lines, ""]).encode()


def look(database: Database, shelf: FileShelf, duel: Duel, attacker: str, target: str, content: bytes) -> int:
    with database.writing() as session:
        number = target_of(session, duel, target)
        file, member = kept(shelf, content, "guesses.csv"), duel.members[attacker]
        return receive_guesses(session, duel.contest, member, file, number).id


def played_until(kind: str, database: Database, worker: Worker, fill: Callable[[Session], Duel]) -> Duel:
    """A contest that has come to a phase, with all jobs done."""
    with database.writing() as session:
        duel = fill(session)
    work(worker)
    move(database, duel, kind)
    work(worker)
    return duel
