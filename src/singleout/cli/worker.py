"""`singleout worker`: evaluates what is handed in, on this or on another machine than the server."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from singleout.cli.serve import add_place, settings_of

if TYPE_CHECKING:
    from singleout.platform.settings import Settings

SUMMARY = "evaluate what is handed in to the platform, on as many machines as wanted"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_place(parser)


def run(options: argparse.Namespace) -> int:
    # what it was at is back in the queue
    with suppress(KeyboardInterrupt):
        _work(settings_of(options))
    return 0


def _work(settings: Settings) -> None:
    from singleout.platform.store.files import open_shelf
    from singleout.platform.store.migration import open_platform
    from singleout.platform.worker.process_limits import die_with_parent
    from singleout.platform.worker.worker import Worker, worker_name
    from singleout.platform.worker.worker_processes import PARENT_VARIABLE

    parent = os.environ.pop(PARENT_VARIABLE, None)
    if parent is not None:
        die_with_parent(int(parent))
    database = open_platform(settings.database)
    worker = Worker(database, open_shelf(settings.folder), worker_name(), settings.limits)
    if parent is None:
        sys.stdout.write(f"{worker.name} waits for submissions; Ctrl-C ends it\n")
        sys.stdout.flush()
    try:
        worker.run()
    finally:
        database.close()
