"""Measures what the board of a contest costs the server as submissions grow, and writes its section."""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import page
from sqlalchemy import event, insert
from starlette.testclient import TestClient

from singleout.platform.contest import Contest, template
from singleout.platform.scorer import HIGHEST, METRIC_VERSION
from singleout.platform.server import freeze_what_is_loaded
from singleout.platform.settings import Settings
from singleout.platform.store.accounts import sign_up
from singleout.platform.store.contests import create_contest, set_state
from singleout.platform.store.database import database_address
from singleout.platform.store.evaluations import MetricScore, basis_of, record_scores
from singleout.platform.store.files import StoredFile
from singleout.platform.store.schema import ContestRow, EvaluationRow, SubmissionRow, TeamRow
from singleout.platform.web.app import create_app
from singleout.platform.web.requests import Platform

TITLE = "The board of a contest: singleout serve"
SIZES = (50, 500, 5_000)
ROUNDS, AIM = 3, 0.3
PAGE, API = "/contests/big/board", "/api/contests/big/board"
CONTEST = replace(template("payment-card"), name="big")


def main() -> None:
    found = {size: measured(size) for size in SIZES}
    page.write_section(TITLE, report(found))


def measured(size: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        app = create_app(Settings(place, database_address(None, place), rates=False))
        freeze_what_is_loaded()
        platform: Platform = app.state.platform
        fill(platform, CONTEST, size)
        client = TestClient(app, base_url="http://localhost")
        client.get(PAGE).raise_for_status()  # loads what draws
        platform.database.boards.clear()
        queries = counted(platform)
        first = processor_time(lambda: client.get(PAGE).raise_for_status())
        asked = len(queries)
        changed = min(after_a_change(platform, client, size + 1) for _ in range(ROUNDS))
        again = min(processor_time(lambda: client.get(PAGE).raise_for_status()) for _ in range(ROUNDS))
        api = min(processor_time(lambda: client.get(API).raise_for_status()) for _ in range(ROUNDS))
        platform.database.close()
    print(size, first, changed, again, api, asked, flush=True)
    return {"first": first, "changed": changed, "again": again, "api": api, "queries": asked}


def after_a_change(platform: Platform, client: TestClient, original: int) -> float:
    """Of the page, when one more submission was scored: here the latest one of the last team, anew."""
    random = Random(platform.database.clock().isoformat())
    with platform.database.writing() as session:
        row = session.get_one(ContestRow, 1)
        last = session.get_one(SubmissionRow, original - 1)
        more = SubmissionRow(
            contest_id=1, team_id=last.team_id, state="scored", kind="release", file_name="release.csv",
            log="", file_digest=last.file_digest, problems=[], comment="", pinned=False,
            received_at=platform.database.clock(),
        )  # fmt: skip
        session.add(more)
        session.flush()
        scores = [
            MetricScore(name, family, random.random(), None, METRIC_VERSION)
            for name, family in metrics_of(CONTEST)
        ]
        record_scores(session, more, basis_of(session, row), scores)
    return processor_time(lambda: client.get(PAGE).raise_for_status())


def metrics_of(contest: Contest) -> list[tuple[str, str]]:
    return [*((each.name, each.family) for each in contest.metrics), (HIGHEST, "privacy")]


def processor_time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def counted(platform: Platform) -> list[str]:
    queries: list[str] = []

    def count(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        if statement.startswith("SELECT"):
            queries.append(statement)

    event.listen(platform.database.engine, "before_cursor_execute", count)
    return queries


def fill(platform: Platform, contest: Contest, size: int, original: StoredFile | None = None) -> int:
    """A team for each submission, every metric of the contest, and the original; the contest's number."""
    metrics = metrics_of(contest)
    random, now = Random(0), platform.database.clock()
    with platform.database.writing() as session:
        owner = sign_up(session, "organiser", "a long password", "organiser")
        original = original or platform.shelf.put(io.BytesIO(b"a\n1\n"), "original.csv")
        row = create_contest(session, owner, contest, {"original": original})
        set_state(session, owner, row, "open")
        basis, numbers = basis_of(session, row), range(1, size + 2)
        teams = [
            {"id": each, "contest_id": row.id, "name": f"Team {each}", "name_key": f"team {each}",
             "join_code": str(each), "created_at": now}
            for each in numbers[:-1]
        ]  # fmt: skip
        submissions: list[dict[str, Any]] = [
            {"id": each, "contest_id": row.id, "team_id": each if each <= size else None, "state": "scored",
             "kind": "release" if each <= size else "original", "file_name": "release.csv", "log": "",
             "file_digest": original.digest, "problems": [], "comment": "", "pinned": False,
             "received_at": now}
            for each in numbers
        ]  # fmt: skip
        values = [
            {"submission_id": each, "metric": metric, "metric_version": METRIC_VERSION, "family": family,
             "data_version_id": basis.data_version_id, "parameters": basis.parameters,
             "value": random.random(), "evaluated_at": now}
            for each in numbers
            for metric, family in metrics
        ]  # fmt: skip
        session.execute(insert(TeamRow), teams)
        session.execute(insert(SubmissionRow), submissions)
        session.execute(insert(EvaluationRow), values)
        return row.id


def report(found: dict[int, dict[str, float]]) -> list[str]:
    lines = [
        page.machine("singleout", "fastapi", "sqlalchemy"),
        "",
        f"A contest by the template of payment cards with {len(CONTEST.metrics)} metrics, a submission of "
        "each team, random values, SQLite. The server's processor time for one request: the page when its "
        "board is drawn for the first time since the server started, the page when one more was scored, the "
        "page after that, and the API's board "
        f"(best of {ROUNDS}); and the queries of the first. A page lists at most 500 rows, and has charts "
        "while they can be read.",
        "",
        "| submissions | page, first | after a change | after that | API | queries |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for size, each in found.items():
        times = " | ".join(f"{each[name] * 1000:,.0f} ms" for name in ("first", "changed", "again", "api"))
        lines.append(f"| {size:,} | {times} | {each['queries']:.0f} |")
    return [*lines, "", aim(found[SIZES[-1]])]


def aim(largest: dict[str, float]) -> str:
    told = {
        "the first page": largest["first"], "the page after a change": largest["changed"],
        "a page after that": largest["again"],
    }  # fmt: skip
    met = [f"{name} {'met' if each < AIM else 'missed'}" for name, each in told.items()]
    return f"The aim is a page of {SIZES[-1]:,} in less than {AIM * 1000:.0f} ms: {', '.join(met)}."


if __name__ == "__main__":
    main()
