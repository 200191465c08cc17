"""A soak: uploads while servers and workers are killed, the disk fills up and PostgreSQL restarts.

`python -m tests.support.contest_soak --submissions 200 --megabytes 5 --seconds 60 [--postgres]` prints what
was accepted, lost and evaluated as JSON; as root the platform's folder is a small disk of its own (tmpfs).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import select

from singleout.errors import SingleoutError
from singleout.platform.client import Server
from singleout.platform.contest import Quota
from singleout.platform.store.accounts import make_token, sign_up
from singleout.platform.store.contests import create_contest, set_state
from singleout.platform.store.database import database_address
from singleout.platform.store.files import open_shelf
from singleout.platform.store.migration import open_platform
from singleout.platform.store.schema import AccountRow, EvaluationRow, JobRow, SubmissionRow
from singleout.platform.store.submissions import run_again
from singleout.platform.store.teams import make_team
from tests.support.postgres_server import new_schema, postgres_server, restart_postgres
from tests.support.small_platform import PASSWORD, small_contest, stored
from tests.support.soak_scorer import value_of

SCORER = "tests.support.soak_scorer"
TEAMS, WORKERS, UPLOADERS = 10, 2, 4
LEASE = 5
# a scorer of the tests is found by what a worker starts, too
PROJECT = Path(__file__).parents[2]
RUN_WORKER = "from tests.support.contest_soak import run_worker; import sys; run_worker(*sys.argv[1:])"


def run_worker(folder: str, address: str) -> None:
    from datetime import timedelta

    from singleout.platform.worker.worker import Worker, worker_name

    worker = Worker(
        open_platform(address), open_shelf(Path(folder)), worker_name(), scorer=SCORER,
        lease=timedelta(seconds=LEASE),
    )  # fmt: skip
    worker.run()


@dataclass
class Soaked:
    """What happened; the first three are what must not: accepted ones that are gone, changed or unlike."""

    lost: int = 0
    changed: int = 0
    different: int = 0
    accepted: int = 0
    refused: int = 0
    scored: int = 0
    given_up: int = 0
    taken_twice: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    upload_seconds: float = 0.0
    all_seconds: float = 0.0


@dataclass
class Platform:
    """Processes that are started anew when they were killed."""

    folder: Path
    address: str
    port: int
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    changes: threading.Lock = field(default_factory=threading.Lock)

    def start(self, name: str) -> None:
        if name == "server":
            words = ["-m", "singleout", "serve", "--folder", str(self.folder), "--port", str(self.port),
                     "--workers", "0"]  # fmt: skip
        else:
            words = ["-c", RUN_WORKER, str(self.folder), self.address]
        environment = {**os.environ, "SINGLEOUT_DATABASE": self.address, "PYTHONPATH": str(PROJECT)}
        self.processes[name] = subprocess.Popen(
            [sys.executable, *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill(self, name: str) -> None:
        with self.changes:
            self.processes[name].kill()
            self.processes[name].wait()
            self.start(name)

    def revive(self) -> None:
        """Whatever ended by itself, as on a full disk, is started again: a service manager does that."""
        with self.changes:
            for name, process in [*self.processes.items()]:
                if process.poll() is not None:
                    self.start(name)

    def stop(self) -> None:
        with self.changes:
            for each in self.processes.values():
                each.send_signal(signal.SIGKILL)
                each.wait()


def soak(
    folder: Path, address: str, *, submissions: int, size: int, seconds: float, seed: int = 0,
    restart: Callable[[], None] | None = None, small_disk: bool = False, patience: float = 1800,
) -> Soaked:  # fmt: skip
    """Uploads within so many seconds under faults, then lets everything be evaluated, and counts."""
    tokens = _fill(folder, address)
    found, accepted = Soaked(), dict[int, str]()
    platform = Platform(folder, address, _free_port())
    begun, stop = time.monotonic(), threading.Event()
    for name in ("server", *(f"worker {number}" for number in range(WORKERS))):
        platform.start(name)
    faults = threading.Thread(target=_make_faults, args=(platform, restart, small_disk, stop, found, seed))
    try:
        time.sleep(1)
        faults.start()
        pace = seconds / submissions
        threads = [
            threading.Thread(
                target=_upload, args=(platform, tokens, range(one, submissions, UPLOADERS), size, pace,
                                      begun, accepted, found, patience),
            )
            for one in range(UPLOADERS)
        ]  # fmt: skip
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        found.upload_seconds = time.monotonic() - begun
        stop.set()
        faults.join()
        _drain(platform, found, patience)
    finally:
        stop.set()
        platform.stop()
    found.all_seconds = time.monotonic() - begun
    _count(folder, address, accepted, found)
    return found


def _fill(folder: Path, address: str) -> list[str]:
    database, shelf = open_platform(address), open_shelf(folder)
    with database.writing() as session:
        organiser = sign_up(session, "Olga", PASSWORD, role="admin")
        quota = Quota(a_day=10_000, in_all=10_000, failures_a_day=10_000)
        contest = replace(small_contest("soak"), quota=quota, truth="either", user="customer")
        row = create_contest(session, organiser, contest, {"original": stored(shelf)})
        set_state(session, organiser, row, "open")
        tokens = []
        for number in range(TEAMS):
            member = sign_up(session, f"Member {number}", PASSWORD)
            make_team(session, row, member, f"Team {number}")
            tokens.append(make_token(session, member, "soak")[1])
    database.close()
    return tokens


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def content_of(number: int, size: int) -> bytes:
    head = f"customer,goods\nsoak,{number}\n".encode()
    return head + Random(number).randbytes((size - len(head)) // 2).hex().encode()


def _upload(
    platform: Platform, tokens: list[str], numbers: range, size: int, pace: float, begun: float,
    accepted: dict[int, str], found: Soaked, patience: float,
) -> None:  # fmt: skip
    """Each until it is accepted; what a fault cut off may be there twice, and only what was told counts."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = Path(folder) / "release.csv"
        for number in numbers:
            path.write_bytes(content := content_of(number, size))
            time.sleep(max(0.0, begun + number * pace - time.monotonic()))
            server = Server(f"http://127.0.0.1:{platform.port}", tokens[number % TEAMS])
            while time.monotonic() < begun + patience:
                try:
                    answer = server.submit("soak", {"release": path}, "")
                except SingleoutError:
                    found.refused += 1
                    time.sleep(0.3)
                    continue
                accepted[answer["number"]] = sha256(content).hexdigest()
                break


def _make_faults(
    platform: Platform, restart: Callable[[], None] | None, small_disk: bool, stop: threading.Event,
    found: Soaked, seed: int,
) -> None:  # fmt: skip
    draw = Random(seed)
    kinds: dict[str, Callable[[], None]] = {name: _killer(platform, name) for name in platform.processes}
    if small_disk:
        kinds["disk full"] = lambda: _fill_disk(platform.folder)
    if restart is not None:
        kinds["database restart"] = restart
    listed = [*kinds]
    while not stop.wait(draw.uniform(0.5, 4)):
        name = listed.pop() if listed else draw.choice([*kinds])
        if name == "server" and not _answers(platform.port):
            listed.append(name)  # on a busy machine it would never be up
            continue
        kinds[name]()
        platform.revive()
        called = name.partition(" ")[0] + " killed" if name in platform.processes else name
        found.faults[called] = found.faults.get(called, 0) + 1


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=10).close()
    except OSError:
        return False
    return True


def _killer(platform: Platform, name: str) -> Callable[[], None]:
    return lambda: platform.kill(name)


def _fill_disk(folder: Path) -> None:
    """To the last byte, for a moment."""
    path = folder / "filler"
    with contextlib.suppress(OSError), path.open("wb") as filler:
        while True:
            filler.write(bytes(1 << 20))
    time.sleep(2)
    path.unlink(missing_ok=True)


def _drain(platform: Platform, found: Soaked, patience: float) -> None:
    """Until all is evaluated; what three workers vanished from is run again, as an organiser would."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        platform.revive()
        database = open_platform(platform.address)
        with database.writing() as session:
            rows = session.scalars(select(SubmissionRow).where(SubmissionRow.kind == "release")).all()
            admin = session.scalars(select(AccountRow).where(AccountRow.role == "admin")).one()
            for row in rows:
                if row.state == "failed" and "another value" not in row.log:
                    found.given_up += 1
                    found.reasons[row.log] = found.reasons.get(row.log, 0) + 1
                    run_again(session, admin, row)
            left = [row for row in rows if row.state not in ("scored", "refused")]
        database.close()
        if not left:
            return
        time.sleep(2)


def _count(folder: Path, address: str, accepted: dict[int, str], found: Soaked) -> None:
    database, shelf = open_platform(address), open_shelf(folder)
    with database.reading() as session:
        for number, digest in accepted.items():
            row = session.get(SubmissionRow, number)
            values = session.scalars(
                select(EvaluationRow.value).where(EvaluationRow.submission_id == number)
            ).all()
            found.accepted += 1
            found.scored += row is not None and row.state == "scored" and len(values) > 0
            found.lost += row is None or row.state != "scored" or not values
            content = b"" if row is None else b"".join(shelf.pieces(row.file_digest))
            found.changed += sha256(content).hexdigest() != digest
            found.different += any(value != value_of(content) for value in values)
            if row is not None and "another value" in row.log:
                found.different += 1
        found.taken_twice = len(session.scalars(select(JobRow.id).where(JobRow.attempts > 1)).all())
    database.close()


@contextmanager
def small_disk(megabytes: int) -> Iterator[tuple[Path, bool]]:
    """A folder, as root on a disk of its own; whether it is."""
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    mounted = os.geteuid() == 0 and subprocess.run(words, check=False, capture_output=True).returncode == 0
    try:
        yield folder, mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=False)
        subprocess.run(["rm", "-rf", str(folder)], check=False)


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, default in (("submissions", 200), ("megabytes", 5), ("seconds", 60), ("patience", 3600)):
        parser.add_argument(f"--{name}", type=float, default=default)
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    disk = int(options.submissions * options.megabytes * 1.5) + 200
    with ExitStack() as stack:
        folder, is_small = stack.enter_context(small_disk(disk))
        restart: Any = None
        address = database_address(None, folder)
        if options.postgres:
            server = stack.enter_context(postgres_server())
            address, restart = database_address(new_schema(server), folder), lambda: restart_postgres(server)
        found = soak(
            folder, address, submissions=int(options.submissions), size=int(options.megabytes * 1_000_000),
            seconds=options.seconds, restart=restart, small_disk=is_small, patience=options.patience,
        )  # fmt: skip
    sys.stdout.write(json.dumps({"small_disk": is_small, **asdict(found)}) + "\n")


if __name__ == "__main__":
    main()
