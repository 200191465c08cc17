"""Jobs are done by whoever takes them, in processes with limits, and come back when a worker vanishes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from singleout.platform.sandbox.wall_check import WallCheck
from singleout.platform.settings import ProcessLimits
from singleout.platform.store.contests import add_data_version
from singleout.platform.store.database import Database, open_database
from singleout.platform.store.evaluations import board_entries, evaluations_of
from singleout.platform.store.files import FileShelf, open_shelf
from singleout.platform.store.migration import migrate
from singleout.platform.store.queue import all_workers, jobs_of, queue_place
from singleout.platform.store.quota import quota_left
from singleout.platform.store.schema import SubmissionRow
from singleout.platform.store.submissions import run_again, score_original
from singleout.platform.worker import persistence
from singleout.platform.worker.worker import Worker, _guarded
from tests.support.small_platform import SmallPlatform, StandingClock, fill, stored, submit

# on a busy machine a process may take a minute to start
LIMITS = ProcessLimits(validation_seconds=600, scoring_seconds=600, memory_megabytes=4_000)
SCORER = "tests.support.small_scorer"


def worker(database: Database, shelf: FileShelf, **settings: object) -> Worker:
    return Worker(database, shelf, "w1", **{"limits": LIMITS, "scorer": SCORER, **settings})  # type: ignore[arg-type]


def handed_in(database: Database, shelf: FileShelf, content: bytes) -> tuple[SmallPlatform, int]:
    with database.writing() as session:
        small = fill(session, shelf)
        return small, submit(session, shelf, small, content).id


def state_of(database: Database, number: int) -> SubmissionRow:
    with database.reading() as session:
        return session.get_one(SubmissionRow, number)


def test_a_good_release_is_validated_queued_and_scored(database: Database, shelf: FileShelf) -> None:
    small, number = handed_in(database, shelf, b"good")
    one = worker(database, shelf)
    assert not one.work_once("score")
    assert one.work_once("validate")
    assert state_of(database, number).state == "queued"
    assert one.work_once("score")
    assert state_of(database, number).state == "scored"
    with database.reading() as session:
        values = {
            row.metric: row.value
            for row in evaluations_of(session, small.contest, state_of(database, number))
        }
        assert values["best"] == 0.5
        assert quota_left(session, small.contest, small.team).today == 2
        assert queue_place(session, state_of(database, number)) is None


def test_twice_gives_the_same_numbers(database: Database, shelf: FileShelf) -> None:
    small, number = handed_in(database, shelf, b"good")
    one = worker(database, shelf)
    boards = []
    for _ in range(2):
        assert one.work_once("validate")
        assert one.work_once("score")
        with database.writing() as session:
            boards.append(board_entries(session, small.contest))
            run_again(session, small.organiser, session.get_one(SubmissionRow, number))
    assert boards[0] == boards[1]
    assert boards[0][0].values


def test_another_number_at_the_second_time_is_a_fault(database: Database, shelf: FileShelf) -> None:
    small, number = handed_in(database, shelf, b"random")
    one = worker(database, shelf)
    for expected in ("scored", "failed"):
        assert one.work_once("validate")
        assert one.work_once("score")
        assert state_of(database, number).state == expected
        if expected == "scored":
            with database.writing() as session:
                run_again(session, small.organiser, session.get_one(SubmissionRow, number))
    assert "another value" in state_of(database, number).log


@pytest.mark.parametrize(
    ("content", "state", "failures_left"),
    [
        (b"bad", "refused", 1), (b"crash", "failed", 1), (b"memory", "failed", 1), (b"mistake", "failed", 2),
        (b"contest", "failed", 2),
    ],
)  # fmt: skip
def test_what_fails_is_refunded_and_only_own_faults_count(
    database: Database, shelf: FileShelf, content: bytes, state: str, failures_left: int
) -> None:
    small, number = handed_in(database, shelf, content)
    assert worker(database, shelf).work_once("validate")
    row = state_of(database, number)
    assert row.state == state
    assert bool(row.problems) == (state == "refused")
    assert "4711" not in row.log
    with database.reading() as session:
        left = quota_left(session, small.contest, small.team)
    assert (left.today, left.failures_today) == (3, failures_left)


@pytest.mark.parametrize("original", [b"unscorable", b"a,b\n"])
def test_a_release_is_not_blamed_where_the_original_fails_too(
    database: Database, shelf: FileShelf, original: bytes
) -> None:
    small, number = handed_in(database, shelf, b"unscorable")
    with database.writing() as session:
        add_data_version(session, small.organiser, small.contest, {"original": stored(shelf, original)})
        first = score_original(session, small.contest).id
    one, fails = worker(database, shelf), original == b"unscorable"
    assert one.work_once("score")
    assert state_of(database, first).state == ("failed" if fails else "scored")
    assert one.work_once("validate")
    assert one.work_once("score")
    assert state_of(database, number).state == "failed"
    with database.reading() as session:
        left = quota_left(session, small.contest, small.team)
    assert (left.today, left.failures_today) == (3, 2 if fails else 1)


def test_the_original_tells_which_metrics_of_the_contest_are_unknown(
    database: Database, shelf: FileShelf
) -> None:
    with database.writing() as session:
        small = fill(session, shelf)
        add_data_version(session, small.organiser, small.contest, {"original": stored(shelf, b"unknown")})
        number = score_original(session, small.contest).id
    assert worker(database, shelf).work_once("score")
    assert state_of(database, number).log.splitlines() == [
        f"{name} is unknown of the original itself: not made" for name in ("nearest", "histories")
    ]


def test_too_long(database: Database, shelf: FileShelf) -> None:
    _, number = handed_in(database, shelf, b"forever")
    one = worker(database, shelf, limits=ProcessLimits(600, 3, 4_000))
    assert one.work_once("validate")
    assert one.work_once("score")
    assert "longer than 3 seconds" in state_of(database, number).log


def test_the_process_sees_no_secret_of_the_environment(
    database: Database, shelf: FileShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SINGLEOUT_DATABASE", "postgresql://u:secret@h/d")
    _, number = handed_in(database, shelf, b"environment")
    assert worker(database, shelf).work_once("validate")
    log = state_of(database, number).log
    assert "PATH" in log
    assert "SINGLEOUT" not in log


def test_an_evaluation_leaves_the_way_to_pages_and_uploads(database: Database, shelf: FileShelf) -> None:
    _, number = handed_in(database, shelf, b"priority")
    assert worker(database, shelf).work_once("validate")
    assert state_of(database, number).log == str(min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19))


@dataclass(frozen=True)
class DatabaseOnAndOff(Database):
    """One that answers some writers, by their number, as a server that restarts."""

    away: range = range(1, 5)
    asked: Iterator[int] = field(default_factory=count)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        if next(self.asked) in self.away:
            raise OperationalError("UPDATE", {}, Exception("the server is restarting"))
        with super().writing() as session:
            yield session


def test_a_database_that_is_away_for_a_while_costs_no_evaluation(
    database: Database, shelf: FileShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(persistence, "SECONDS_BETWEEN_TRIES", 0.01)
    _, number = handed_in(database, shelf, b"good")
    away = DatabaseOnAndOff(database.engine, database.clock)
    assert worker(away, shelf).work_once("validate")
    assert next(away.asked) > 5
    assert state_of(database, number).state == "queued"
    with database.reading() as session:
        assert [job.attempts for job in jobs_of(session, state_of(database, number))] == [1, 0]


def test_a_database_that_stays_away_gives_the_job_back(
    database: Database, shelf: FileShelf, monkeypatch: pytest.MonkeyPatch, clock: StandingClock
) -> None:
    monkeypatch.setattr(persistence, "SECONDS_BETWEEN_TRIES", 0.01)
    _, number = handed_in(database, shelf, b"good")
    away = DatabaseOnAndOff(database.engine, database.clock, away=range(1, 1_000_000))
    with pytest.raises(OperationalError):
        worker(away, shelf, lease=timedelta(seconds=1)).work_once("validate")
    clock.pass_by(minutes=2)
    assert worker(database, shelf).work_once("validate")
    assert state_of(database, number).state == "queued"


def test_a_mistake_ends_a_job_and_no_lane(
    database: Database, shelf: FileShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, number = handed_in(database, shelf, b"good")
    one = worker(database, shelf)
    monkeypatch.setattr(Worker, "_copy", lambda *_: 1 / 0)
    assert one.work_once("validate")
    assert state_of(database, number).state == "failed"
    assert _guarded(lambda: bool(1 / 0)) is None


def test_a_sandbox_that_can_t_be_tried_runs_no_metric_and_stops_nobody(
    database: Database, shelf: FileShelf
) -> None:
    one = worker(database, shelf, walls=lambda: WallCheck(*"no walls"))
    one.stop.set()
    one.run()
    with database.reading() as session:
        (row,) = all_workers(session)
    assert row.sandbox == "no uploaded metric runs here: the sandbox could not be tried (TypeError)"


def test_a_worker_whose_temporary_files_metrics_could_read_runs_none(
    database: Database, shelf: FileShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/usr/share")
    one = worker(database, shelf)
    one.stop.set()
    one.run()
    with database.reading() as session:
        (row,) = all_workers(session)
    assert row.sandbox is not None and "/usr/share lies in /usr, which metrics can read" in row.sandbox


def test_a_worker_that_is_killed_gives_its_job_back(address: str, tmp_path: Path) -> None:
    """The real clock and real processes: kill -9 on the way, and another worker ends what it began."""
    database, shelf = open_database(address), open_shelf(tmp_path)
    migrate(database)
    small, number = handed_in(database, shelf, b"forever")
    lease = timedelta(seconds=2)
    with_tests = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    doomed = subprocess.Popen([sys.executable, "-c", RUN, address, str(tmp_path)], env=with_tests)
    try:
        wait_for(lambda: _is_scored_now(database, number))
        with database.reading() as session:
            place = queue_place(session, session.get_one(SubmissionRow, number))
        assert place is not None
        # where files lie on the server is nobody's business
        assert place.progress == {"doing": "reading the release", "done": 1, "total": 2}
        child = children_of(doomed.pid)
        assert child
    finally:
        os.kill(doomed.pid, signal.SIGKILL)
        doomed.wait()
    wait_for(lambda: not any(is_alive(each) for each in child))
    other = worker(database, shelf, lease=lease)
    with database.writing() as session:
        row = session.get_one(SubmissionRow, number)
        row.file_digest = submit(session, shelf, small, b"good").file_digest
    wait_for(lambda: other.work_once("score"))
    assert state_of(database, number).state == "scored"
    with database.reading() as session:
        job = jobs_of(session, state_of(database, number))[-1]
        assert (job.attempts, job.worker) == (2, "w1")
        assert quota_left(session, small.contest, small.team).today == 1
    database.close()


RUN = """
import sys
from datetime import timedelta
from pathlib import Path
from singleout.platform.store.database import open_database
from singleout.platform.store.files import open_shelf
from singleout.platform.worker.worker import Worker
database, shelf = open_database(sys.argv[1]), open_shelf(Path(sys.argv[2]))
Worker(database, shelf, "doomed", lease=timedelta(seconds=2), scorer="tests.support.small_scorer").run()
"""


def _is_scored_now(database: Database, number: int) -> bool:
    with database.reading() as session:
        place = queue_place(session, session.get_one(SubmissionRow, number))
        return place is not None and place.kind == "score" and place.progress is not None


def wait_for(what: Callable[[], bool], seconds: float = 600) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def children_of(parent: int) -> list[int]:
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = each.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(each.parent.name))
    return found


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
