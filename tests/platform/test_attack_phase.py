"""Releases are frozen, shuffled, published, attacked and scored; what nobody may know stays on the server."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from singleout.platform.board import GUESSES, board_of
from singleout.platform.contest import read_contest
from singleout.platform.refusal import RefusalError
from singleout.platform.store.contests import change_contest, is_scored, phases_of, set_state
from singleout.platform.store.database import Database, database_address
from singleout.platform.store.files import FileShelf
from singleout.platform.store.guesses import look_of, receive_guesses, shown_scores
from singleout.platform.store.publications import publication_of, publications_of, published_release
from singleout.platform.store.quota import LOOKS, quota_left
from singleout.platform.store.schema import ContestRow, PublicationRow, SubmissionRow
from singleout.platform.store.submissions import disqualify, run_again
from singleout.platform.store.teams import make_team
from singleout.platform.worker.worker import Worker
from tests.support.attacked_contest import (
    PEOPLE,
    Duel,
    fill_duel,
    guess_file,
    look,
    move,
    played_until,
    target_of,
    truth_of_release,
    work,
    worker_here,
)
from tests.support.small_platform import StandingClock


@pytest.fixture
def address(tmp_path: Path) -> str:
    """SQLite, where nothing depends on the database; another test plays a contest on both."""
    return database_address(None, tmp_path)


@pytest.fixture
def worker(database: Database, shelf: FileShelf, monkeypatch: pytest.MonkeyPatch) -> Worker:
    return worker_here(database, shelf, monkeypatch)


@pytest.fixture
def duel(database: Database, shelf: FileShelf, worker: Worker) -> Duel:
    return played_until("attack", database, worker, lambda session: fill_duel(session, shelf))


def table_of(database: Database, shelf: FileShelf, duel: Duel, team: str) -> list[dict[str, str]]:
    with database.reading() as session:
        row, _ = published_release(session, duel.contest, target_of(session, duel, team))
        assert row.file_digest is not None
        return [*csv.DictReader(io.StringIO(b"".join(shelf.pieces(row.file_digest)).decode()))]


def test_a_published_release_is_shuffled_and_renamed(
    database: Database, shelf: FileShelf, duel: Duel
) -> None:
    rows = table_of(database, shelf, duel, "Blue")
    submitted = [*csv.DictReader(io.StringIO(kept_text(database, shelf, duel)))]
    with database.reading() as session:
        who = truth_of_release(session, duel, "Blue")
        others = truth_of_release(session, duel, "Red")
    assert sorted((who[row["customer"]], row["goods"]) for row in rows) == sorted(
        (row["customer"], row["goods"]) for row in submitted
    )
    assert [row["goods"] for row in rows] != [row["goods"] for row in submitted]
    assert not {*who} & {*others}
    assert not {*who} & {row["customer"] for row in submitted}


def kept_text(database: Database, shelf: FileShelf, duel: Duel) -> str:
    with database.reading() as session:
        submission = session.get_one(SubmissionRow, target_of(session, duel, "Blue"))
        return b"".join(shelf.pieces(submission.file_digest)).decode()


@pytest.mark.usefixtures("duel")
def test_half_of_the_people_decide(database: Database) -> None:
    query = text("SELECT publication_id, decides, count(*) FROM published_people GROUP BY 1, 2")
    with database.reading() as session:
        halves = Counter((bool(decides), number) for _, decides, number in session.execute(query))
    assert halves == {(True, PEOPLE // 2): 3, (False, PEOPLE // 2): 3}


def test_nothing_is_published_before_its_phase(
    database: Database, shelf: FileShelf, worker: Worker, clock: StandingClock
) -> None:
    duel = played_until("shuffled", database, worker, lambda session: fill_duel(session, shelf))
    with database.reading() as session:
        (number, *_) = [row.submission_id for row, _ in publications_of(session, duel.contest)]
        with pytest.raises(RefusalError, match="no such published release"):
            published_release(session, duel.contest, number)
    start_by_date(database, duel, clock, "published")
    with database.reading() as session:
        assert published_release(session, duel.contest, number)[0].people == PEOPLE


def start_by_date(database: Database, duel: Duel, clock: StandingClock, kind: str) -> None:
    with database.writing() as session:
        phase = next(each for each in phases_of(session, duel.contest) if each.kind == kind)
        phase.starts_at = clock.now + timedelta(hours=1)
    clock.pass_by(hours=2)


def test_a_phase_that_begins_by_its_date_needs_nobody(
    database: Database, shelf: FileShelf, worker: Worker, clock: StandingClock
) -> None:
    with database.writing() as session:
        duel = fill_duel(session, shelf)
    start_by_date(database, duel, clock, "attack")
    worker._prepare_attacks()
    with database.reading() as session:
        assert publications_of(session, duel.contest) == []  # what was submitted is not scored yet
    work(worker)
    worker._prepare_attacks()
    work(worker)
    with database.reading() as session:
        assert {row.state for row, _ in publications_of(session, duel.contest)} == {"published"}


def test_guesses_are_checked_row_by_row(
    database: Database, shelf: FileShelf, duel: Duel, worker: Worker
) -> None:
    wrong = b"release_user,original_user,confidence\nnobody,c001,1\nx,c999,2\n"
    number = look(database, shelf, duel, "Red", "Blue", wrong)
    work(worker)
    with database.reading() as session:
        submission = session.get_one(SubmissionRow, number)
        told = [each["text"] for each in submission.problems]
        left = quota_left(session, duel.contest, duel.teams["Red"], LOOKS)
    assert submission.state == "refused"
    assert told == [
        "column release_user, records 1, 2: is nobody of this release; names are those of the published file",
        "column original_user, record 2: is nobody of the original",
        "column confidence, record 2: is no confidence; write a number above 0 and at most 1",
    ]
    assert (left.in_all, left.failures_today) == (60, 19)


def test_a_look_is_told_when_it_beats_the_best_by_the_step(
    database: Database, shelf: FileShelf, duel: Duel, worker: Worker
) -> None:
    with database.reading() as session:
        who = truth_of_release(session, duel, "Blue")
    wrong = dict(zip(who, [*who.values()][1:] + [*who.values()][:1], strict=True))
    numbers = [
        look(database, shelf, duel, "Red", "Blue", guess_file(each)) for each in (wrong, who, who, wrong)
    ]
    work(worker)
    with database.reading() as session:
        looks = [look_of(session, session.get_one(SubmissionRow, number)) for number in numbers]
        assert [each and each.shown for each in looks] == [None, 1.0, None, None]
        assert shown_scores(session, duel.teams["Red"]) == {target_of(session, duel, "Blue"): 1.0}
        assert quota_left(session, duel.contest, duel.teams["Red"], LOOKS).in_all == 56
        kept_rows = session.execute(text("SELECT count(*) FROM v_guesses WHERE team = 'Red'")).scalar_one()
    assert kept_rows == 4 * PEOPLE


def test_guesses_that_are_run_again_come_to_the_same(
    database: Database, shelf: FileShelf, duel: Duel, worker: Worker
) -> None:
    with database.reading() as session:
        who = truth_of_release(session, duel, "Blue")
    number = look(database, shelf, duel, "Red", "Blue", guess_file(who))
    work(worker)
    with database.writing() as session:
        run_again(session, duel.organiser, session.get_one(SubmissionRow, number))
    work(worker)
    with database.reading() as session:
        found = look_of(session, session.get_one(SubmissionRow, number))
        assert found is not None
        assert (found.shown, session.get_one(SubmissionRow, number).state) == (1.0, "scored")
        rows = session.execute(text("SELECT count(*) FROM guesses WHERE submission_id = :n"), {"n": number})
        assert rows.scalar_one() == PEOPLE


def test_nobody_attacks_their_own_release_or_too_often(
    database: Database, shelf: FileShelf, duel: Duel
) -> None:
    with pytest.raises(RefusalError, match="your own release"):
        look(database, shelf, duel, "Blue", "Blue", b"x")
    with database.writing() as session:
        session.get_one(ContestRow, duel.contest.id).looks_in_all = 1
    look(database, shelf, duel, "Red", "Blue", b"x")
    with pytest.raises(RefusalError, match="look 50 times a day and 1 times in all"):
        look(database, shelf, duel, "Red", "Blue", b"x")


def test_after_the_freeze_nobody_comes_or_goes_back(database: Database, duel: Duel) -> None:
    with database.writing() as session, pytest.raises(RefusalError, match="join a team"):
        make_team(session, duel.contest, duel.organiser, "Late")
    with pytest.raises(RefusalError, match="no others can be submitted"):
        move(database, duel, "open")


def found_team(entries: tuple, name: str) -> str:  # type: ignore[type-arg]
    return str(next(each.team for each in entries if each.submission_id == int(name)))


def test_an_attack_whose_matrix_was_shown_does_not_go_on(database: Database, duel: Duel) -> None:
    """Neither by an earlier phase nor by opening a closed contest again nor by other rules."""
    with database.writing() as session:
        set_state(session, duel.organiser, session.get_one(ContestRow, duel.contest.id), "closed")
    for state in ("open", "draft"):
        with pytest.raises(RefusalError, match="can't go on"), database.writing() as session:
            set_state(session, duel.organiser, session.get_one(ContestRow, duel.contest.id), state)
    move(database, duel, "scored")
    with database.writing() as session:
        set_state(session, duel.organiser, session.get_one(ContestRow, duel.contest.id), "open")
    for kind in ("attack", "published", "frozen"):
        with pytest.raises(RefusalError, match="can't go on"):
            move(database, duel, kind)
    with pytest.raises(RefusalError, match="can't go on"), database.writing() as session:
        contest = session.get_one(ContestRow, duel.contest.id)
        rules, later = read_contest(contest.definition), database.clock() + timedelta(days=1)
        phases = tuple(
            replace(each, starts=later) if each.kind == "scored" else each for each in rules.phases
        )
        change_contest(session, duel.organiser, contest, replace(rules, phases=phases))
    move(database, duel, "closed")
    with database.reading() as session:
        assert is_scored(session, session.get_one(ContestRow, duel.contest.id))


def test_what_was_not_published_ranks_last(database: Database, duel: Duel) -> None:
    with database.writing() as session:
        row = publication_of(session, target_of(session, duel, "Green"))
        assert row is not None
        row.state = "failed"
    move(database, duel, "closed")
    with database.reading() as session:
        board = board_of(session, duel.contest)
    assert board.ranking is not None
    worst = max(board.ranking.releases, key=lambda each: each.privacy_rank or 0)
    assert found_team(board.entries, worst.name) == "Green"
    assert not worst.compared


def test_a_disqualified_attack_does_not_count(
    database: Database, shelf: FileShelf, duel: Duel, worker: Worker
) -> None:
    with database.reading() as session:
        who = truth_of_release(session, duel, "Red")
    number = look(database, shelf, duel, "Green", "Red", guess_file(who))
    work(worker)
    with database.writing() as session:
        disqualify(session, duel.organiser, session.get_one(SubmissionRow, number), "had the map")
    move(database, duel, "scored")
    with database.reading() as session:
        found = {each.team: each.values[GUESSES] for each in board_of(session, duel.contest).entries}
    assert found == {"Blue": None, "Red": None, "Green": None}


def test_the_seed_stays_on_the_server(database: Database, duel: Duel) -> None:
    with database.reading() as session:
        contest = session.get_one(ContestRow, duel.contest.id)
        assert contest.attack_seed is not None
        assert len(contest.attack_seed) == 64
        assert contest.attack_seed not in contest.definition
        assert session.query(PublicationRow).count() == 3


def test_a_disqualified_release_can_no_longer_be_had_or_attacked(
    database: Database, shelf: FileShelf, duel: Duel
) -> None:
    with database.writing() as session:
        number = target_of(session, duel, "Blue")
        disqualify(session, duel.organiser, session.get_one(SubmissionRow, number), "is the original")
    with database.reading() as session, pytest.raises(RefusalError, match="no such published release"):
        published_release(session, duel.contest, number)
    with database.writing() as session, pytest.raises(RefusalError, match="no such published release"):
        file = shelf.put(io.BytesIO(b"x"), "guesses.csv")
        receive_guesses(session, duel.contest, duel.members["Red"], file, number)
