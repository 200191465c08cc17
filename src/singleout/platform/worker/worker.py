"""A worker: takes jobs from the queue, one to validate and one to score at a time, until it is stopped."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from singleout.platform.board import keep_ranks
from singleout.platform.contest import read_contest
from singleout.platform.sandbox.wall_check import WallCheck, check_walls, exposed
from singleout.platform.settings import ProcessLimits
from singleout.platform.store.contests import current_data
from singleout.platform.store.database import Database
from singleout.platform.store.evaluations import (
    DifferentResultError,
    EvaluationBasis,
    MetricScore,
    basis_of,
    record_scores,
)
from singleout.platform.store.files import FileShelf
from singleout.platform.store.metrics import plan_runs
from singleout.platform.store.publications import contests_to_prepare, prepare_publications
from singleout.platform.store.queue import (
    LEASE,
    TakenJob,
    fail_job,
    finish_scores,
    finish_validation,
    has_job,
    keep_job,
    return_job,
    sign_of_life,
    take_job,
)
from singleout.platform.store.schema import ContestRow, SubmissionRow
from singleout.platform.store.submissions import original_of
from singleout.platform.worker.attack_jobs import (
    ATTACK_KINDS,
    attack_answers,
    finish_attack,
    request_kind,
    tables_of,
)
from singleout.platform.worker.evaluation_process import SCORER, ProcessAnswer, evaluate
from singleout.platform.worker.metric_runs import MetricRuns, table_copy
from singleout.platform.worker.persistence import AWAY, persist
from singleout.temporary_files import temporary_folder, temporary_place

# what was uploaded is checked at once, while something else is evaluated
LANES = (("validate",), ("publish", "attack", "score"))
SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_AFTER_A_FAULT = 5.0
LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Worker:
    """What one needs: the database, the files, its name, and how patient it is."""

    database: Database
    shelf: FileShelf
    name: str
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    lease: timedelta = LEASE
    scorer: str = SCORER
    walls: Callable[[], WallCheck] = check_walls
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def seconds_between_signs(self) -> float:
        return self.lease.total_seconds() / 6

    def run(self) -> None:
        """Lanes, so that a new submission is checked at once while another is evaluated."""
        said: list[str] = []
        works = [partial(self._lane, kinds) for kinds in LANES] + [partial(self._metric_lane, said)]
        lanes = [threading.Thread(target=work) for work in works]
        for lane in lanes:
            lane.start()
        try:
            while not self.stop.is_set():
                _guarded(lambda: self._give_sign(said[0] if said else None))
                _guarded(self._prepare_attacks)
                self.stop.wait(self.seconds_between_signs)
        finally:
            self.stop.set()
            for lane in lanes:
                lane.join()

    def _metric_lane(self, said: list[str]) -> None:
        """Uploaded metrics run only if the sandbox holds: that is tried first, and `said` to admins."""
        check = self._tried_walls()
        said.append(check.says)
        _guarded(lambda: self._give_sign(check.says))
        if check.confinement is None:
            LOG.warning("%s", check.says)
            return
        runs = MetricRuns(
            self.database, self.shelf, self.name, check.confinement, self.lease, self.stop,
            reading=self.limits,
        )  # fmt: skip
        self._repeat(runs.work_once)

    def _tried_walls(self) -> WallCheck:
        try:
            return exposed(self._private_places()) or self.walls()
        except Exception as fault:
            LOG.exception("the sandbox could not be tried")
            says = f"no uploaded metric runs here: the sandbox could not be tried ({type(fault).__name__})"
            return WallCheck(None, 0, (), says)

    def _private_places(self) -> list[Path]:
        """Where the platform keeps what metrics may not read."""
        address = self.database.engine.url
        file = address.database if address.get_backend_name() == "sqlite" else None
        return [self.shelf.folder, temporary_place(), *([Path(file)] if file else [])]

    def _lane(self, kinds: Sequence[str]) -> None:
        self._repeat(lambda: any(self.work_once(kind) for kind in kinds))

    def _repeat(self, work: Callable[[], bool]) -> None:
        while not self.stop.is_set():
            worked = _guarded(work)
            if worked is None:
                self.stop.wait(SECONDS_AFTER_A_FAULT)
            elif not worked:
                self.stop.wait(SECONDS_BETWEEN_LOOKS)

    def _give_sign(self, sandbox: str | None) -> bool:
        with self.database.writing() as session:
            sign_of_life(session, self.name, sandbox)
        return True

    def _prepare_attacks(self) -> bool:
        """What phases ask for that begin by their dates."""
        with self.database.reading() as session:
            waiting = contests_to_prepare(session)
        for contest in waiting:
            with self.database.writing() as session:
                prepare_publications(session, contest)
        return True

    def work_once(self, kind: str) -> bool:
        """Takes one job and does it; False if there was none."""
        with self.database.reading() as session:
            if not has_job(session, kind):
                return False
        with self.database.writing() as session:
            taken = take_job(session, self.name, kind, self.lease)
        if taken is None:
            return False
        try:
            self._do(taken)
        except SQLAlchemyError:
            raise  # no fault of the job's: it is given back when its lease is over
        except Exception as fault:
            # what is wrong here is the platform's; the data's own faults come as answers
            LOG.warning("job %d: %s: %s", taken.id, type(fault).__name__, fault)
            self._fail(taken, "a fault of the platform, not yours; the organiser can run it again")
        return True

    def _do(self, taken: TakenJob) -> None:
        with temporary_folder() as folder:
            with self.database.reading() as session:
                submission = session.get_one(SubmissionRow, taken.submission_id)
                contest = session.get_one(ContestRow, submission.contest_id)
                basis = basis_of(session, contest)
                parts = {part: row.digest for part, row in current_data(session, contest)[1].items()}
                digests = {
                    "original": parts["original"], "people": parts.get("people"),
                    **tables_of(session, taken.kind, submission),
                }  # fmt: skip
                if submission.kind == "original":
                    digests["release_people"] = parts.get("people")
            kind = request_kind(taken.kind, submission)
            request = {
                "kind": kind,
                "scorer": self.scorer,
                "definition": contest.definition,
                "files": {name: self._copy(digest, folder, name) for name, digest in digests.items()},
                **(attack_answers(contest, submission, folder) if kind in ATTACK_KINDS else {}),
            }
            answer = evaluate(
                request, folder, self.limits, lambda progress: self._keep(taken, progress),
                seconds_between_signs=self.seconds_between_signs, stop=self.stop,
            )  # fmt: skip
            self._persist(lambda: self._finish(taken, contest, basis, request, answer))

    def _persist(self, write: Callable[[], None]) -> None:
        persist(write, self.lease.total_seconds(), self.stop)

    def _copy(self, digest: str | None, folder: Path, name: str) -> str | None:
        """Named by what it is, and read by what it starts with: nobody's file name comes here."""
        if digest is None:
            return None
        if name == "recipe":
            self.shelf.write_to(digest, folder / name)
            return str(folder / name)
        return str(table_copy(self.shelf, digest, folder, name))

    def _keep(self, taken: TakenJob, progress: dict[str, Any] | None) -> bool:
        """A database that is away says nothing: whose the job is by then shows at the end."""
        try:
            with self.database.writing() as session:
                return keep_job(session, taken, progress, self.lease)
        except AWAY as fault:
            LOG.warning("job %d: no sign of life could be given: %s", taken.id, type(fault).__name__)
            return True

    def _finish(
        self, taken: TakenJob, contest: ContestRow, basis: EvaluationBasis, request: dict[str, Any],
        answer: ProcessAnswer,
    ) -> None:  # fmt: skip
        if answer.fault is not None:
            self._fail(taken, answer.fault, by_platform=answer.by_platform or self._lacks_original(contest))
        elif answer.result is None:
            self._return(taken)
        elif request["kind"] in ATTACK_KINDS:
            finish_attack(self.database, self.shelf, taken, contest, request, answer.result)
        elif taken.kind == "validate":
            with self.database.writing() as session:
                finish_validation(session, taken, answer.result)
        else:
            self._record(taken, basis, [MetricScore(**each) for each in answer.result])

    def _record(self, taken: TakenJob, basis: EvaluationBasis, scores: list[MetricScore]) -> None:
        try:
            with self.database.writing() as session:
                if not finish_scores(session, taken, ""):
                    return
                submission = session.get_one(SubmissionRow, taken.submission_id)
                record_scores(session, submission, basis, scores)
                session.flush()
                contest = session.get_one(ContestRow, submission.contest_id)
                if submission.kind == "original":
                    submission.log = _log_of_original(contest, scores)
                plan_runs(session, contest)
                keep_ranks(session, contest)
        except DifferentResultError as fault:
            LOG.error("job %d: %s", taken.id, fault)
            self._fail(taken, str(fault))

    def _fail(self, taken: TakenJob, fault: str, *, by_platform: bool = True) -> None:
        with self.database.writing() as session:
            fail_job(session, taken, fault, by_platform=by_platform)

    def _lacks_original(self, contest: ContestRow) -> bool:
        """Where even the original could not be scored, a release is not to blame."""
        with self.database.reading() as session:
            original = original_of(session, contest)
            return original is not None and original.state == "failed"

    def _return(self, taken: TakenJob) -> None:
        """Told to stop, or no longer ours: another worker may have it at once."""
        with self.database.writing() as session:
            return_job(session, taken)


def _log_of_original(row: ContestRow, scores: Sequence[MetricScore]) -> str:
    """What the contest asks for and can't be told of the original: it can't be told of releases either."""
    contest = read_contest(row.definition)
    asked = (*contest.of_family("utility"), *contest.of_family("privacy"))
    unknown = [each for each in scores if each.value is None and each.metric in asked]
    return "\n".join(f"{each.metric} is unknown of the original itself: {each.reason}" for each in unknown)


def _guarded(work: Callable[[], bool]) -> bool | None:
    """Nothing ends a lane, for its worker would look alive and do nothing; None if something went wrong."""
    try:
        return work()
    except SQLAlchemyError as fault:
        LOG.warning("the database could not be reached: %s", type(fault).__name__)
    except Exception:
        LOG.exception("a mistake of the platform")
    return None


def worker_name(number: int = 1) -> str:
    """Of this process on this machine."""
    return f"{socket.gethostname()}-{os.getpid()}-{number}"
