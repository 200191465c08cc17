"""A progress bar on standard error: only at a terminal, and only once the work takes long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from singleout.progress import Progress, silent

PATIENCE_SECONDS = 2.0


@contextmanager
def bar() -> Iterator[Progress]:
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    shown = Bar(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    task = shown.add_task("starting", total=None)

    def tell(doing: str, done: int, total: int) -> None:
        shown.update(task, description=doing, completed=done, total=total)

    timer = Timer(PATIENCE_SECONDS, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        shown.stop()
