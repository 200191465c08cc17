"""A progress bar on standard error: only at a terminal, and only once the work takes long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from singleout.progress import Progress, silent

PATIENCE_SECONDS = 2.0
# the estimate of the time left is made from what was done in them; a step may take minutes
REMEMBERED_SECONDS = 600.0


@contextmanager
def bar() -> Iterator[Progress]:
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    shown = Bar(
        TextColumn("{task.description}"), BarColumn(bar_width=None), MofNCompleteColumn(),
        TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, speed_estimate_period=REMEMBERED_SECONDS,
    )  # fmt: skip
    task = shown.add_task("starting", total=None)

    def tell(doing: str, done: int, total: int) -> None:
        if done < shown.tasks[0].completed:
            shown.update(task, total=0)  # other work: how fast the last went says nothing about it
        shown.update(task, description=doing, completed=done, total=total)

    timer = Timer(PATIENCE_SECONDS, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        shown.stop()
