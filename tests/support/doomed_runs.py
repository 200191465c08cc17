"""Runs commands in processes of their own and ends them at random moments: `python doomed_runs.py JOBS.json`.

The parent imports everything once and forks, so that a run takes a fraction of a second. It prints one JSON
document: of every job and run how it ended, what its files held then, and what was left beside them.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import random
import resource
import signal
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import singleout

OLD = "as it was before"


def start(words: list[str], most: int | None = None, errors: int = 2) -> int:
    """A process that runs the command as a shell would; never comes back in it.

    No file that it writes can have more than `most` bytes, as on a full disk; it complains to `errors`.
    """
    process = os.fork()
    if process:
        return process
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(errors, 2)
    if most is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    from singleout.cli.main import console

    sys.argv = ["singleout", *words]
    sys.exit(console())


def state(job: dict[str, Any]) -> dict[str, Any]:
    held = {name: Path(name).read_bytes().hex() if Path(name).exists() else None for name in job["targets"]}
    beside = [*Path().glob(".*.part"), *Path(job["temporary"]).iterdir()]
    return {"held": held, "left": sorted(str(each) for each in beside)}


def finished(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def run(job: dict[str, Any]) -> list[dict[str, Any]]:
    draw = random.Random(job["seed"])
    before = time.monotonic()
    told = [{"kind": None, "code": finished(start(job["words"])), **state(job)}]
    longest = time.monotonic() - before
    for name in job["signals"]:
        for target in job["targets"]:
            Path(target).write_text(OLD)
        process = start(job["words"])
        time.sleep(draw.uniform(0.1, 1) * longest)
        os.kill(process, getattr(signal, name))
        told.append({"kind": name, "code": finished(process), **state(job)})
    told.append({"kind": None, "code": finished(start(job["words"])), **state(job)})
    return told


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


def main() -> None:
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    load_all()
    expect_small_tables()
    sys.stdout.write(json.dumps([_told(job) for job in jobs]))


def _told(job: dict[str, Any]) -> list[dict[str, Any]]:
    if "crowd" in job:
        return crowd(job)
    return on_full_disk(job) if "full" in job else run(job)


if __name__ == "__main__":
    main()
