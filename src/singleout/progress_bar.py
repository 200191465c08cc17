"""A progress bar at a terminal (on standard error) or in a notebook, and only once the work takes long."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.util import find_spec
from inspect import signature
from threading import Timer
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from singleout.progress import Progress, silent

if TYPE_CHECKING:
    from rich.console import Console

P = ParamSpec("P")
Result = TypeVar("Result")
PATIENCE_SECONDS = 2.0
# the estimate of the time left is made from what was done in them; a step may take minutes
REMEMBERED_SECONDS = 600.0
LOGGER = logging.getLogger("singleout.progress")
COMPILES = "compiling loops, once: "
# for the bar itself, how much is done, and the time
BAR_WIDTH = 38


@contextmanager
def bar() -> Iterator[Progress]:
    console = _console()
    if LOGGER.isEnabledFor(logging.INFO):
        yield _log_steps()
        return
    if console is None:
        yield silent
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar
    from rich.table import Column

    room = Column(no_wrap=True, max_width=max(console.width - BAR_WIDTH, 12))
    shown = Bar(
        TextColumn("{task.fields[compiles]}{task.description}", table_column=room), BarColumn(bar_width=None),
        MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn(),
        console=console, transient=True, speed_estimate_period=REMEMBERED_SECONDS,
    )  # fmt: skip
    task = shown.add_task("starting", total=None, compiles="")

    watch = CompilationWatch(lambda now: shown.update(task, compiles=COMPILES if now else ""))

    def tell(doing: str, done: int, total: int) -> None:
        watch.look()
        if done < shown.tasks[0].completed:
            shown.update(task, total=0)  # other work: how fast the last went says nothing about it
        shown.update(task, description=doing, completed=done, total=total)

    timer = Timer(PATIENCE_SECONDS, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        watch.end()
        timer.cancel()
        shown.stop()


def _log_steps() -> Progress:
    """Each step once, as it begins: for those who keep a log instead of watching a bar."""
    last = ""

    def tell(doing: str, done: int, total: int) -> None:
        nonlocal last
        if doing != last:
            LOGGER.info("%s (%d of %d)", doing, done, total)
            last = doing

    return tell


def with_bar(job: Callable[P, Result]) -> Callable[P, Result]:
    """The job with a bar of its own unless it was told whom to tell; jobs that tell nothing as they are."""
    if "progress" not in signature(job).parameters:
        return job

    @wraps(job)
    def call(*args: P.args, **kwargs: P.kwargs) -> Result:
        if "progress" in kwargs:
            return job(*args, **kwargs)
        with bar() as progress:
            return job(*args, **kwargs, progress=progress)  # type: ignore[arg-type]

    return call


def _console() -> Console | None:
    """Where a bar can be drawn; None if nobody would see it."""
    notebook = _is_notebook()
    if not notebook and not (sys.stderr and sys.stderr.isatty()):
        return None
    # rich draws in a notebook by widgets, and complains without
    if notebook and find_spec("ipywidgets") is None:
        return None
    from rich.console import Console

    return Console() if notebook else Console(stderr=True)


def _is_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class CompilationWatch:
    """Tells when loops are compiled, from when on the compiler is loaded: loading it takes time too."""

    def __init__(self, tell: Callable[[bool], None]) -> None:
        self.tell = tell
        self.listener: Any = None

    def look(self) -> None:
        if self.listener is not None or "numba" not in sys.modules:
            return
        from numba.core import event

        tell = self.tell

        class Listener(event.Listener):  # type: ignore[misc]
            def on_start(self, _: Any) -> None:
                tell(True)

            def on_end(self, _: Any) -> None:
                tell(False)

        self.listener = Listener()
        event.register("numba:compile", self.listener)

    def end(self) -> None:
        if self.listener is not None:
            from numba.core import event

            event.unregister("numba:compile", self.listener)
