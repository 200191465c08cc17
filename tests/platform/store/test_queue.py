"""The queue: each job is one worker's at a time, and what nobody works on comes back."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from singleout.platform.contest import read_contest
from singleout.platform.refusal import RefusalError
from singleout.platform.store.contests import (
    accepts_releases,
    change_contest,
    create_contest,
    current_phase,
    move_to_phase,
    set_state,
)
from singleout.platform.store.database import Database
from singleout.platform.store.files import FileShelf
from singleout.platform.store.queue import (
    LEASE,
    MOST_ATTEMPTS,
    fail_job,
    finish_scores,
    finish_validation,
    has_job,
    jobs_of,
    keep_job,
    queue_place,
    return_job,
    take_job,
)
from singleout.platform.store.quota import quota_left
from singleout.platform.store.schema import SubmissionRow
from singleout.platform.store.submissions import (
    check_may_submit,
    grant,
    refund_by_hand,
    run_again,
    score_original,
)
from singleout.platform.store.teams import join_team, make_team
from tests.support.small_platform import (
    START,
    SmallPlatform,
    StandingClock,
    fill,
    small_contest,
    stored,
    submit,
)


@pytest.fixture
def small(database: Database, shelf: FileShelf) -> SmallPlatform:
    with database.writing() as session:
        return fill(session, shelf)


def hand_in(database: Database, shelf: FileShelf, small: SmallPlatform) -> int:
    with database.writing() as session:
        return submit(session, shelf, small).id


def row(database: Database, number: int) -> SubmissionRow:
    with database.reading() as session:
        return session.get_one(SubmissionRow, number)


def test_a_submission_and_its_job_come_together(
    database: Database, shelf: FileShelf, small: SmallPlatform
) -> None:
    with pytest.raises(ZeroDivisionError), database.writing() as session:
        submit(session, shelf, small)
        raise ZeroDivisionError
    with database.reading() as session:
        assert not has_job(session, "validate")
        assert session.get(SubmissionRow, 1) is None
        assert quota_left(session, small.contest, small.team).today == 3
    number = hand_in(database, shelf, small)
    with database.reading() as session:
        assert [job.state for job in jobs_of(session, row(database, number))] == ["waiting"]
        assert quota_left(session, small.contest, small.team).today == 2


def test_the_place_in_the_queue(
    database: Database, shelf: FileShelf, small: SmallPlatform, clock: StandingClock
) -> None:
    numbers = [hand_in(database, shelf, small) for _ in range(3)]
    with database.writing() as session:
        taken = take_job(session, "w", "validate")
        assert taken is not None
        clock.pass_by(seconds=10)
        assert keep_job(session, taken, {"doing": "reading"})
        session.flush()
        places = [queue_place(session, row(database, each)) for each in numbers]
    assert [place.position for place in places if place is not None] == [0, 1, 2]
    assert places[0] is not None
    assert places[0].progress == {"doing": "reading"}
    assert places[0].last_sign_at == START + timedelta(seconds=10)


def test_a_job_is_taken_once_by_many_at_the_same_time(
    database: Database, shelf: FileShelf, small: SmallPlatform
) -> None:
    for _ in range(3):
        hand_in(database, shelf, small)
    taken: list[int] = []

    def work(name: str) -> None:
        while True:
            with database.writing() as session:
                job = take_job(session, name, "validate")
            if job is None:
                return
            taken.append(job.id)

    threads = [threading.Thread(target=work, args=(f"w{number}",)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(taken) == [1, 2, 3]


def test_a_silent_worker_s_job_goes_to_another_and_its_late_answer_is_not_taken(
    database: Database, shelf: FileShelf, small: SmallPlatform, clock: StandingClock
) -> None:
    number = hand_in(database, shelf, small)
    with database.writing() as session:
        silent = take_job(session, "silent", "validate")
        assert take_job(session, "other", "validate") is None
    assert silent is not None
    clock.now += LEASE + timedelta(seconds=1)
    with database.writing() as session:
        other = take_job(session, "other", "validate")
        assert other is not None
        assert (other.id, other.attempt) == (silent.id, 2)
    with database.writing() as session:
        assert not keep_job(session, silent)
        assert not finish_validation(session, silent, [{"text": "bad"}])
        assert not fail_job(session, silent, "late", by_platform=True)
        assert finish_validation(session, other, [])
    assert row(database, number).state == "queued"


def test_after_too_many_vanished_workers_the_platform_failed(
    database: Database, shelf: FileShelf, small: SmallPlatform, clock: StandingClock
) -> None:
    number = hand_in(database, shelf, small)
    for _ in range(MOST_ATTEMPTS):
        with database.writing() as session:
            assert take_job(session, "w", "validate") is not None
        clock.now += LEASE + timedelta(seconds=1)
    with database.writing() as session:
        assert take_job(session, "w", "validate") is None
        left = quota_left(session, small.contest, small.team)
    assert row(database, number).state == "failed"
    assert (left.today, left.failures_today) == (3, 2)


def test_a_worker_that_stops_in_good_order_costs_no_attempt(
    database: Database, shelf: FileShelf, small: SmallPlatform
) -> None:
    hand_in(database, shelf, small)
    for _ in range(MOST_ATTEMPTS + 1):
        with database.writing() as session:
            taken = take_job(session, "w", "validate")
            assert taken is not None
            assert return_job(session, taken)


def test_run_again_in_any_state(database: Database, shelf: FileShelf, small: SmallPlatform) -> None:
    number = hand_in(database, shelf, small)
    with database.writing() as session:
        taken = take_job(session, "w", "validate")
        assert taken is not None
        run_again(session, small.organiser, session.get_one(SubmissionRow, number))
    with database.writing() as session:
        assert not finish_validation(session, taken, [])
        again = take_job(session, "w", "validate")
        assert again is not None
        assert finish_validation(session, again, [])
        scoring = take_job(session, "w", "score")
        assert scoring is not None
        assert finish_scores(session, scoring, "")
    assert row(database, number).state == "scored"


def test_the_quota_is_a_ledger(
    database: Database, shelf: FileShelf, small: SmallPlatform, clock: StandingClock
) -> None:
    numbers = [hand_in(database, shelf, small) for _ in range(3)]
    with pytest.raises(RefusalError, match="3 times a day"):
        hand_in(database, shelf, small)
    with database.writing() as session:
        assert refund_by_hand(session, small.organiser, session.get_one(SubmissionRow, numbers[0]))
        assert not refund_by_hand(session, small.organiser, session.get_one(SubmissionRow, numbers[0]))
    hand_in(database, shelf, small)
    with database.writing() as session:
        grant(session, small.organiser, small.team, 1)
    hand_in(database, shelf, small)
    clock.pass_by(days=1, seconds=1)
    with database.reading() as session:
        left = quota_left(session, small.contest, small.team)
    assert (left.today, left.in_all) == (3, 2)


def test_failures_have_a_cap_of_their_own(
    database: Database, shelf: FileShelf, small: SmallPlatform, clock: StandingClock
) -> None:
    for _ in range(2):
        hand_in(database, shelf, small)
        with database.writing() as session:
            taken = take_job(session, "w", "validate")
            assert taken is not None
            finish_validation(session, taken, [{"text": "bad"}])
    with pytest.raises(RefusalError, match="could not be used today"):
        hand_in(database, shelf, small)
    clock.pass_by(days=1, seconds=1)
    hand_in(database, shelf, small)


def test_only_teams_of_an_open_phase_submit(
    database: Database, small: SmallPlatform, clock: StandingClock
) -> None:
    with database.writing() as session:
        with pytest.raises(RefusalError, match="team"):
            check_may_submit(session, small.contest, small.organiser)
        contest = session.merge(small.contest)
        move_to_phase(session, small.organiser, contest, 1)
        session.flush()
        assert current_phase(session, contest).kind == "closed"
        with pytest.raises(RefusalError, match="no submissions now"):
            check_may_submit(session, contest, small.member)
        change_contest(session, small.organiser, contest, read_contest(contest.definition))
        assert current_phase(session, contest).kind == "closed"
        clock.pass_by(hours=1)
        move_to_phase(session, small.organiser, contest, 0)
        session.flush()
        assert accepts_releases(session, contest)
        set_state(session, small.organiser, contest, "closed")
        assert not accepts_releases(session, contest)


def test_teams_are_joined_by_their_code(database: Database, small: SmallPlatform, shelf: FileShelf) -> None:
    with database.writing() as session:
        other = create_contest(session, small.organiser, small_contest("other"), {"original": stored(shelf)})
        with pytest.raises(RefusalError, match="code"):
            join_team(session, other, small.organiser, small.team.join_code)
        with pytest.raises(RefusalError, match="already"):
            make_team(session, small.contest, small.member, "Second")
        with pytest.raises(RefusalError, match="has this name"):
            make_team(session, small.contest, small.organiser, " BLUE")
        joined = join_team(session, small.contest, small.organiser, f" {small.team.join_code.upper()} ")
        assert joined.id == small.team.id
        session.merge(small.contest).team_size = 2


def test_the_original_is_scored_once(database: Database, small: SmallPlatform) -> None:
    with database.writing() as session:
        first, second = (score_original(session, small.contest).id for _ in range(2))
    assert first == second
