"""Runs commands in processes of their own and ends them on the way: `python doomed_runs.py JOBS.json`.

The parent imports everything once and forks, so that a run takes a fraction of a second. It prints one JSON
document: of every job and run how it ended, what its files held then, and what was left beside them.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import mmap
import os
import pkgutil
import random
import resource
import shutil
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import singleout

OLD = "as it was before"
# before each of them a run can be ended: what it does to files, by Python's own names
OF_FILES = {f"os.{each}" for each in ("rename", "remove", "mkdir", "rmdir", "link", "chmod", "truncate")}
STOPPING = {signal.SIGINT, signal.SIGTERM}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass
class Moments:
    """Counts, in the process that is started, the steps of its work; at the one wanted, a signal comes."""

    signal: int = 0
    wanted: int = 0
    _shared: mmap.mmap = field(default_factory=lambda: mmap.mmap(-1, 8))

    @property
    def passed(self) -> int:
        return int.from_bytes(self._shared[:], "little")

    @property
    def is_reached(self) -> bool:
        return self.passed >= self.wanted

    def watch(self, *folders: str) -> None:
        """From now on: whatever is done to a file below these folders, and all that is told of progress."""

        def hook(event: str, given: tuple[Any, ...]) -> None:
            opens = event == "open" and isinstance(given[2], int) and given[2] & WRITES
            if (opens or event in OF_FILES) and _is_below(given[0], folders):
                self._step()

        sys.addaudithook(hook)
        _count_progress(self._step)
        _count_restoration(self._step)

    def _step(self) -> None:
        number = self.passed + 1
        self._shared[:] = number.to_bytes(8, "little")
        if number == self.wanted:
            os.kill(os.getpid(), self.signal)


def _is_below(path: Any, folders: tuple[str, ...]) -> bool:
    return not isinstance(path, int) and os.path.abspath(os.fsdecode(path)).startswith(folders)  # noqa: PTH100


def _count_progress(step: Callable[[], None]) -> None:
    from singleout import progress_bar

    @contextmanager
    def counted() -> Iterator[Callable[..., None]]:
        yield lambda *_: step()

    progress_bar.bar = counted


def _count_restoration(step: Callable[[], None]) -> None:
    """Files and rows of a platform are written by libraries, of which Python's own names tell nothing."""
    from singleout.platform import backup

    def counted(work: Callable[..., Any]) -> Callable[..., Any]:
        def done(*given: Any) -> Any:
            step()
            return work(*given)

        return done

    for name in ("_restore_files", "migrate", "_rows"):
        setattr(backup, name, counted(getattr(backup, name)))


def start(words: list[str], most: int | None = None, errors: int = 2, moments: Moments | None = None) -> int:
    """A process that runs the command as a shell would; never comes back in it.

    No file that it writes can have more than `most` bytes, as on a full disk; it complains to `errors`.
    On a busy machine a signal may come before it has done anything: it waits until the command takes signals.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    process = os.fork()
    if process:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return process
    # whoever started us in the background may have had it ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if moments is not None:
        moments.watch(os.getcwd(), os.environ["TMPDIR"])  # noqa: PTH109
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(errors, 2)
    if most is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    from singleout.cli import console
    from singleout.cli.interruption import take_signals

    def taken() -> None:
        take_signals()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    vars(console).update(take_signals=taken)
    sys.argv = ["singleout", *words]
    try:
        code = console.console()
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
    # as Python would, but without taking apart all that was imported
    sys.stdout.flush()
    atexit._run_exitfuncs()
    os._exit(code)


def state(job: dict[str, Any]) -> dict[str, Any]:
    held = {name: Path(name).read_bytes().hex() if Path(name).exists() else None for name in job["targets"]}
    return {"held": held, "left": left_in(job)}


def left_in(job: dict[str, Any]) -> list[str]:
    """Python's own tries whether a folder can be written to are not ours."""
    beside = [*Path().glob(".*.part"), *Path(job["temporary"]).iterdir()]
    return sorted(str(each) for each in beside if "-" in each.name)


def finished(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def run(job: dict[str, Any]) -> list[dict[str, Any]]:
    """Undisturbed, then ended by each signal at some moments and once after some time, then undisturbed."""
    draw, moments = random.Random(job["seed"]), Moments()
    before = time.monotonic()
    told = [{"kind": None, "code": finished(start(job["words"], moments=moments)), **state(job)}]
    longest = time.monotonic() - before
    for name in job["signals"]:
        for moment in sorted(draw.sample(range(1, moments.passed + 1), min(job["moments"], moments.passed))):
            told.append(_ended_at(job, name, moment))
    told.append(_ended(job, draw.choice(job["signals"]), None, draw.uniform(0.1, 1) * longest))
    told.append({"kind": None, "code": finished(start(job["words"])), **state(job)})
    return told


def _ended_at(job: dict[str, Any], name: str, moment: int) -> dict[str, Any]:
    """How often progress is told depends on the clock: where a run had fewer moments, at an earlier one."""
    moments = Moments(getattr(signal, name), moment)
    told = _ended(job, name, moments)
    return told if moments.is_reached else _ended_at(job, name, moments.passed)


def _ended(job: dict[str, Any], name: str, moments: Moments | None, seconds: float = 0) -> dict[str, Any]:
    for target in job["targets"]:
        Path(target).write_text(OLD)
    before = left_in(job)
    process = start(job["words"], moments=moments)
    if moments is None:
        time.sleep(seconds)
        os.kill(process, getattr(signal, name))
    moment = moments.wanted if moments else None
    told = {"kind": name, "moment": moment, "code": finished(process), **state(job)}
    return {**told, "left": [each for each in told["left"] if each not in before]}


def on_full_disk(job: dict[str, Any]) -> list[dict[str, Any]]:
    """Each of some commands, where no file can have more than a few bytes."""
    told = []
    for words in job["words"]:
        for target in job["targets"]:
            Path(target).write_text(OLD)
        reading, writing = os.pipe()
        process = start(words, job["full"], writing)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as stream:
            said = stream.read()
        told.append({"code": finished(process), "said": said, **state(job)})
    return told


def restored(job: dict[str, Any]) -> list[dict[str, Any]]:
    """Into a folder that is not there: whole, then ended at some moments, each with another try after it."""
    folder, draw, moments = Path(job["folder"]), random.Random(job["seed"]), Moments()
    told: list[dict[str, Any]] = []
    endings = [("", False, moments)]
    for kind, again, at in endings:
        shutil.rmtree(folder, ignore_errors=True)
        code = finished(start(job["words"], moments=at))
        there = folder.exists()
        told.append({"kind": kind, "code": code, "there": there, "left": left_in(job), "rows": _rows(job)})
        if again:
            told[-1] |= {"again": finished(start(job["words"])), "then": _rows(job)}
        else:
            endings += [
                (name, True, Moments(getattr(signal, name), moment))
                for name in job["signals"]
                for moment in draw.sample(range(1, moments.passed + 1), job["moments"])
            ]
    return told


def _rows(job: dict[str, Any]) -> int:
    """Of all tables of the platform, and its files."""
    files = [each for each in Path(job["folder"]).rglob("*") if each.is_file() and each.suffix == ""]
    path = Path(job["folder"], "platform.sqlite")
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        counts: list[int] = [
            database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for (name,) in names
        ]
    return sum(counts) + len(files)


def crowd(job: dict[str, Any]) -> list[dict[str, Any]]:
    """All commands at once, on the same files."""
    processes = [start(words) for words in job["crowd"]]
    return [{"code": finished(each), **state(job)} for each in processes]


def load_all() -> None:
    """Each run would import on its own, for seconds; engines whose drivers are not installed are left out."""
    for module in pkgutil.walk_packages(singleout.__path__, "singleout."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):
                importlib.import_module(module.name)


def expect_small_tables() -> None:
    """A published table has an expected digest, which a test's few records don't have."""
    from singleout.read.published_tables import TABLES, rows_digest

    if Path("retail.csv").exists():
        small = TABLES["t1"].make(Path("retail.csv"))
        TABLES["t1"] = replace(TABLES["t1"], records=small.num_rows, digest=rows_digest(small))


def make_demo_short() -> None:
    """Few people, and none of the jobs that only print."""
    from singleout.cli import demo
    from singleout.read import samples

    samples.sample = partial(samples.sample, people=20)
    for name in ("_combinations", "_generalise", "_hide", "_check", "_entropy", "_predict"):
        setattr(demo, name, lambda *_: 0.0)


def main() -> None:
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    load_all()
    expect_small_tables()
    make_demo_short()
    gc.freeze()
    sys.stdout.write(json.dumps([_told(job) for job in jobs]))


def _told(job: dict[str, Any]) -> list[dict[str, Any]]:
    if "crowd" in job:
        return crowd(job)
    if "folder" in job:
        return restored(job)
    return on_full_disk(job) if "full" in job else run(job)


if __name__ == "__main__":
    main()
