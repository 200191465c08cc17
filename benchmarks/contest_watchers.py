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
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import page
from contest_board import CONTEST, fill
from sqlalchemy import func, select

from singleout.platform.contest import Quota
from singleout.platform.demo_contest import RELEASES, demo_releases
from singleout.platform.settings import Settings
from singleout.platform.store.accounts import sign_up
from singleout.platform.store.database import database_address, open_database
from singleout.platform.store.schema import ContestRow, SubmissionRow, TeamRow
from singleout.platform.store.submissions import receive
from singleout.platform.store.teams import make_team
from singleout.platform.web.app import create_app
from singleout.platform.web.requests import Platform
from singleout.read.samples import sample

TITLE = "1,000 people watch the board: singleout serve"
WATCHERS, SUBMISSIONS, SECONDS, PAUSE = 1_000, 50, 60.0, 20.0
ADDRESS = "/contests/big/board"
PATIENCE = 60.0
QUEUED, BUSY = 40, "Busy"
WATCH, SEEN = "watch", "200"


@dataclass
class Watched:
    """What the watchers saw; times in seconds, from asking to the last byte. Errors by what they were."""

    times: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        prepare(place)
        port = free_port()
        server = started("serve", folder, "--workers", "0", "--port", str(port))
        worker = started("worker", folder)
        try:
            wait_for(port)
            watched = json.loads(subprocess.check_output([sys.executable, __file__, WATCH, str(port)]))
            evaluated = scored(place)
        finally:
            worker.terminate()
            worker.wait()
            server.terminate()
            _, _, usage = os.wait4(server.pid, 0)
    page.write_section(TITLE, report(watched, evaluated, usage.ru_utime + usage.ru_stime))


def started(command: str, folder: str, *words: str) -> subprocess.Popen[bytes]:
    """As everybody starts it, with all its limits."""
    whole = [sys.executable, "-m", "singleout", command, "--folder", folder, *words]
    return subprocess.Popen(whole, stdout=subprocess.DEVNULL)


def prepare(folder: Path) -> None:
    """A board to look at, and releases of one of its teams that keep a worker busy and the board changing."""
    app = create_app(Settings(folder, database_address(None, folder)))
    platform: Platform = app.state.platform
    original = folder / "card.csv"
    sample("card", out=original)
    _, release, truth = next(iter(demo_releases(original, folder, RELEASES[:1])))
    quota = Quota(1_000, 1_000, 1_000)
    number = fill(platform, replace(CONTEST, quota=quota), SUBMISSIONS, platform.shelf.put_path(original))
    files = platform.shelf.put_path(release), platform.shelf.put_path(truth)
    with platform.database.writing() as session:
        row = session.get_one(ContestRow, number)
        member = sign_up(session, "busy member", "a long password")
        make_team(session, row, member, BUSY)
        for _ in range(QUEUED):
            receive(session, row, member, files[0], truth=files[1])
    platform.database.close()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


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
            said = await asyncio.wait_for(one_look(port), PATIENCE)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            said = type(error).__name__
        if said == SEEN:
            watched.times.append(time.monotonic() - begun)
        else:
            watched.errors[said] += 1
        await asyncio.sleep(max(0.0, PAUSE - (time.monotonic() - begun)))


async def one_look(port: int) -> str:
    """The status of a page that came whole."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"GET {ADDRESS} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        answer = await reader.read()
        while piece := await reader.read(1 << 16):
            answer += piece
        status = answer.split(b" ", 2)[1].decode() if b" " in answer else "nothing"
        return status if status != SEEN or b"</html>" in answer else "half a page"
    finally:
        writer.close()


def scored(folder: Path) -> int:
    database = open_database(database_address(None, folder))
    with database.reading() as session:
        busy = session.scalars(select(TeamRow.id).where(TeamRow.name == BUSY)).one()
        done = SubmissionRow.team_id == busy, SubmissionRow.state == "scored"
        found = session.scalar(select(func.count()).where(*done)) or 0
    database.close()
    return found


def report(watched: dict[str, Any], evaluated: int, processor: float) -> list[str]:
    times = sorted(watched["times"])
    at = {share: times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.95, 0.99)}
    errors: dict[str, int] = watched["errors"]
    listed = "".join(f" {number} × {kind}" for kind, number in errors.items())
    return [
        page.machine("singleout", "fastapi", "uvicorn"),
        "",
        f"{WATCHERS:,} people look at the board of a contest with {SUBMISSIONS} submissions, read for "
        f"{PAUSE:.0f} s and look again, for {SECONDS:.0f} s, on SQLite and one `singleout serve`, while a "
        "`singleout worker` on the same machine evaluates further submissions of it "
        f"({evaluated} meanwhile, after each of which the board is another). Every look is "
        "a connection of its own; times are from asking to the last byte. "
        f"The load of the machine was {os.getloadavg()[0]:.1f} at the end.",
        "",
        "| pages | pages/s | median | p95 | p99 | server's processor time a page | errors |",
        "|---:|---:|---:|---:|---:|---:|---:|",
        f"| {len(times):,} | {len(times) / SECONDS:.0f} | {at[0.5]:.2f} s | {at[0.95]:.2f} s | "
        f"{at[0.99]:.2f} s | {1000 * processor / len(times):.0f} ms | {sum(errors.values())}{listed} |",
    ]


if __name__ == "__main__":
    if sys.argv[1:2] == [WATCH]:
        found = asyncio.run(watch(int(sys.argv[2])))
        print(json.dumps({"times": found.times, "errors": found.errors}))
    else:
        main()
