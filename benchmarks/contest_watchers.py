"""Measures 1,000 people who watch the board while submissions are evaluated, and writes its section."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import page
from contest_board import CONTEST, fill

from singleout.platform.contest import Quota, template
from singleout.platform.demo_contest import RELEASES, demo_releases
from singleout.platform.settings import Settings
from singleout.platform.store.accounts import sign_up
from singleout.platform.store.contests import create_contest, set_state
from singleout.platform.store.database import database_address
from singleout.platform.store.submissions import receive, score_original
from singleout.platform.store.teams import make_team
from singleout.platform.web.app import create_app
from singleout.platform.web.requests import Platform
from singleout.read.samples import sample

TITLE = "1,000 people watch the board: singleout serve"
WATCHERS, SUBMISSIONS, SECONDS, PAUSE = 1_000, 50, 60.0, 20.0
ADDRESS = "/contests/big/board"
PATIENCE = 60.0
QUEUED = 40
SERVE, WATCH = "serve", "watch"


@dataclass
class Watched:
    """What the watchers saw; times in seconds, from asking to the last byte."""

    times: list[float] = field(default_factory=list)
    errors: int = 0


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        prepare(place)
        port = free_port()
        server = started(SERVE, folder, str(port))
        worker = subprocess.Popen([sys.executable, "-m", "singleout", "worker", "--folder", folder])
        try:
            wait_for(port)
            watched = json.loads(subprocess.check_output([sys.executable, __file__, WATCH, str(port)]))
            evaluated = scored(place)
        finally:
            for each in (worker, server):
                each.terminate()
                each.wait()
    page.write_section(TITLE, report(watched, evaluated))


def started(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, __file__, *words])


def prepare(folder: Path) -> None:
    """A board to look at, and another contest whose submissions keep a worker busy."""
    app = create_app(settings(folder))
    platform: Platform = app.state.platform
    fill(platform, CONTEST, SUBMISSIONS)
    original = folder / "card.csv"
    sample("card", out=original)
    _, release, truth = next(iter(demo_releases(original, folder, RELEASES[:1])))
    busy = replace(template("payment-card"), name="busy", quota=Quota(1_000, 1_000, 1_000))
    with platform.database.writing() as session:
        owner = sign_up(session, "busy organiser", "a long password", "organiser")
        row = create_contest(session, owner, busy, {"original": platform.shelf.put_path(original)})
        set_state(session, owner, row, "open")
        score_original(session, row)
        member = sign_up(session, "busy member", "a long password")
        make_team(session, row, member, "Busy")
        files = platform.shelf.put_path(release), platform.shelf.put_path(truth)
        for _ in range(QUEUED):
            receive(session, row, member, files[0], truth=files[1])
    platform.database.close()


def settings(folder: Path) -> Settings:
    """All watchers come from one address here, which the limits of a real server are there to stop."""
    return Settings(folder, database_address(None, folder), rates=False)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def serve(folder: str, port: str) -> None:
    import uvicorn

    app = create_app(settings(Path(folder)))
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error", access_log=False, backlog=4096)


def wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as caller:
            if caller.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("the server did not start")


async def watch(port: int) -> Watched:
    """Everybody looks, reads for a while, and looks again; they don't all come at once."""
    watched, end = Watched(), time.monotonic() + SECONDS
    await asyncio.gather(
        *(one_watcher(port, each * PAUSE / WATCHERS, end, watched) for each in range(WATCHERS))
    )
    return watched


async def one_watcher(port: int, later: float, end: float, watched: Watched) -> None:
    await asyncio.sleep(later)
    while time.monotonic() < end:
        begun = time.monotonic()
        try:
            status = await asyncio.wait_for(one_look(port), PATIENCE)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            status = 0
        if status == 200:
            watched.times.append(time.monotonic() - begun)
        else:
            watched.errors += 1
        await asyncio.sleep(max(0.0, PAUSE - (time.monotonic() - begun)))


async def one_look(port: int) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"GET {ADDRESS} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        answer = await reader.read()
        while piece := await reader.read(1 << 16):
            answer += piece
        return int(answer.split(b" ", 2)[1]) if b"</html>" in answer else 0
    finally:
        writer.close()


def scored(folder: Path) -> int:
    from sqlalchemy import func, select

    from singleout.platform.store.database import open_database
    from singleout.platform.store.schema import ContestRow, SubmissionRow

    database = open_database(database_address(None, folder))
    with database.reading() as session:
        busy = session.scalars(select(ContestRow.id).where(ContestRow.name == "busy")).one()
        done = SubmissionRow.contest_id == busy, SubmissionRow.state == "scored"
        found = session.scalar(select(func.count()).where(*done)) or 0
    database.close()
    return found


def report(watched: dict[str, object], evaluated: int) -> list[str]:
    times = sorted(watched["times"])  # type: ignore[call-overload]
    at = {share: times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.95, 0.99)}
    load = os.getloadavg()[0]
    return [
        page.machine("singleout", "fastapi", "uvicorn"),
        "",
        f"{WATCHERS:,} people look at the board of a contest with {SUBMISSIONS} submissions, read for "
        f"{PAUSE:.0f} s and look again, for {SECONDS:.0f} s, on SQLite and one server, while a worker on the "
        f"same machine evaluates submissions of another contest ({evaluated} meanwhile). Every look is a "
        "connection of its own; times are from asking to the last byte. The load of the machine was "
        f"{load:.1f} at the end.",
        "",
        "| pages | pages/s | median | p95 | p99 | errors |",
        "|---:|---:|---:|---:|---:|---:|",
        f"| {len(times):,} | {len(times) / SECONDS:.0f} | {at[0.5]:.2f} s | {at[0.95]:.2f} s | "
        f"{at[0.99]:.2f} s | {watched['errors']} |",
    ]


if __name__ == "__main__":
    if sys.argv[1:2] == [SERVE]:
        serve(*sys.argv[2:])
    elif sys.argv[1:2] == [WATCH]:
        found = asyncio.run(watch(int(sys.argv[2])))
        print(json.dumps({"times": found.times, "errors": found.errors}))
    else:
        main()
