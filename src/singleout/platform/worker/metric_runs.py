"""Runs of uploaded metrics: taken by a worker whose sandbox holds, one at a time, each on its own copies."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from singleout.platform.board import keep_ranks
from singleout.platform.contest import read_contest
from singleout.platform.sandbox.confinement import Confinement, MetricLimits
from singleout.platform.sandbox.sandbox import MetricRun, run_metric
from singleout.platform.scorer import table_ending
from singleout.platform.settings import ProcessLimits
from singleout.platform.store.database import Database
from singleout.platform.store.evaluations import DifferentResultError
from singleout.platform.store.files import FileShelf
from singleout.platform.store.metrics import (
    TakenRun,
    fail_run,
    finish_run,
    has_run,
    keep_run,
    return_run,
    tables_of_run,
    take_run,
)
from singleout.platform.store.queue import LEASE
from singleout.platform.store.schema import ContestRow
from singleout.platform.unlinked_release import UNLINK
from singleout.platform.uploaded_metric import metric_parameters
from singleout.platform.worker.evaluation_process import SCORER, ProcessAnswer, evaluate
from singleout.platform.worker.persistence import AWAY, persist
from singleout.temporary_files import temporary_folder

OWN_FAULT = "a fault of the platform, not yours; the organiser can run it again"
LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class MetricRuns:
    """What one needs: the database, the files, whose runs they are, and the walls around each."""

    database: Database
    shelf: FileShelf
    worker: str
    confinement: Confinement
    lease: timedelta = LEASE
    stop: threading.Event = field(default_factory=threading.Event)
    limits: MetricLimits = field(default_factory=MetricLimits)
    reading: ProcessLimits = field(default_factory=ProcessLimits)

    def work_once(self) -> bool:
        """Takes one run and does it; False if there was none."""
        with self.database.reading() as session:
            if not has_run(session):
                return False
        with self.database.writing() as session:
            taken = take_run(session, self.worker, self.lease)
        if taken is None:
            return False
        try:
            done = self._run(taken)
            persist(lambda: self._finish(taken, done), self.lease.total_seconds(), self.stop)
        except SQLAlchemyError:
            raise  # no fault of the run's: it is given back when its lease is over
        except Exception as fault:
            LOG.warning("run %d: %s: %s", taken.id, type(fault).__name__, fault)
            self._fail(taken, OWN_FAULT)
        return True

    def _run(self, taken: TakenRun) -> MetricRun:
        with temporary_folder() as folder, _signs(self, taken) as ended:
            with self.database.reading() as session:
                digests = tables_of_run(session, taken)
            files = {name: table_copy(self.shelf, digest, folder, name) for name, digest in digests.items()}
            if "truth" not in files:
                answer = self._unlink(taken, files, folder, ended)
                if answer.result is None:
                    return _no_run(answer)
            told = metric_parameters(read_contest(taken.contest.definition))
            return run_metric(
                taken.metric, files, self.confinement, parameters=told, limits=self.limits, stop=ended
            )

    def _unlink(
        self, taken: TakenRun, files: dict[str, Path], folder: Path, ended: threading.Event
    ) -> ProcessAnswer:
        """Whose records are whose is not for this metric: the release comes shuffled, under fresh names."""
        table = folder / "unlinked.parquet"
        request = {
            "kind": UNLINK, "scorer": SCORER, "definition": taken.contest.definition,
            "files": {"release": str(files["release"])}, "table": str(table),
        }  # fmt: skip
        files["release"] = table
        return evaluate(request, folder, self.reading, lambda _progress: not ended.is_set(), stop=ended)

    def _finish(self, taken: TakenRun, done: MetricRun) -> None:
        if done.called_off:
            with self.database.writing() as session:
                return_run(session, taken)
        elif done.by_platform:
            LOG.warning("run %d: %s", taken.id, done.log)
            self._fail(taken, done.reason or OWN_FAULT)
        else:
            self._record(taken, done)

    def _record(self, taken: TakenRun, done: MetricRun) -> None:
        try:
            with self.database.writing() as session:
                finish_run(session, taken, done.value, done.reason, done.log)
                session.flush()
                keep_ranks(session, session.get_one(ContestRow, taken.contest.id))
        except DifferentResultError as fault:
            self._fail(taken, str(fault))

    def _fail(self, taken: TakenRun, fault: str) -> None:
        with self.database.writing() as session:
            fail_run(session, taken, fault)


def _no_run(answer: ProcessAnswer) -> MetricRun:
    """Of a release that could not be made ready: called off, or why."""
    called_off = answer.fault is None
    return MetricRun(None, answer.fault, "", 0.0, answer.by_platform, called_off)


class _signs:  # noqa: N801
    """Signs of life while a metric runs; it is called off when the worker stops or no longer holds it."""

    def __init__(self, runs: MetricRuns, taken: TakenRun) -> None:
        self.runs, self.taken = runs, taken
        self.ended, self.done = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._give, daemon=True)

    def __enter__(self) -> threading.Event:
        self.thread.start()
        return self.ended

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.thread.join()

    def _give(self) -> None:
        between = self.runs.lease.total_seconds() / 6
        waited = 0.0
        while not self.done.wait(0.2):
            waited += 0.2
            if self.runs.stop.is_set():
                self.ended.set()
            if waited >= between:
                waited = 0.0
                if not self._is_held():
                    self.ended.set()

    def _is_held(self) -> bool:
        """A database that is away says nothing: whose the run is by then shows at the end."""
        try:
            with self.runs.database.writing() as session:
                return keep_run(session, self.taken, self.runs.lease)
        except AWAY:
            return True


def table_copy(shelf: FileShelf, digest: str, folder: Path, name: str) -> Path:
    """Named by what it is, and read by what it starts with: nobody's file name comes here."""
    path = folder / name
    shelf.write_to(digest, path)
    with path.open("rb") as content:
        ending = table_ending(content.read(16))
    return path.rename(folder / f"{name}{ending}")
