"""`singleout worker`: evaluates what is handed in, on this or on another machine than the server."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from singleout.cli.serve import add_place, files_for_owner, reachable

if TYPE_CHECKING:
    from singleout.platform.settings import Settings

SUMMARY = "evaluate what is handed in to the platform, on as many machines as wanted"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_place(parser)
    parser.add_argument(
        "--lease", type=int, default=60, metavar="S",
        help="seconds without a sign of life after which another worker takes over (default: 60)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    from singleout.errors import UsageError

    if not 1 <= options.lease <= 3_600:
        raise UsageError(f"--lease {options.lease}: 1 to 3600 seconds")
    # what it was at is back in the queue
    with files_for_owner(), suppress(KeyboardInterrupt):
        _work(reachable(options), options.lease)
    return 0


def _work(settings: Settings, lease: int) -> None:
    from datetime import timedelta

    from singleout.limited_process import die_with_parent
    from singleout.platform.store.files import open_shelf
    from singleout.platform.store.migration import open_platform
    from singleout.platform.worker.worker import Worker, worker_name
    from singleout.platform.worker.worker_processes import PARENT_VARIABLE

    parent = os.environ.pop(PARENT_VARIABLE, None)
    if parent is not None:
        die_with_parent(int(parent))
    database = open_platform(settings.database)
    worker = Worker(
        database, open_shelf(settings.folder), worker_name(), settings.limits, timedelta(seconds=lease)
    )
    if parent is None:
        sys.stdout.write(f"{worker.name} waits for submissions; Ctrl-C ends it\n")
        sys.stdout.flush()
    try:
        worker.run()
    finally:
        database.close()
