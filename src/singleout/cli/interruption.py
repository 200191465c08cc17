"""Who asked the process to end, and what is told then."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from types import FrameType

INTERRUPTED = 130
STOPPED = "error: interrupted; no file was left half-written\n"
SOON = 0.05
# the alarm first, which the others may set
KINDS = (signal.SIGALRM, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
# those that asked the process to end
SIGNALS: list[int] = []
# from then on no signal changes what is told
ENDING: list[bool] = []


def take_signals() -> None:
    """Each is like Ctrl-C, so that the command cleans up."""
    sys.unraisablehook = _interrupt_again
    for kind in KINDS:
        # whoever started us in the background, or by nohup, may have had it ignored
        if kind == signal.SIGALRM or signal.getsignal(kind) is not signal.SIG_IGN:
            signal.signal(kind, _interrupt)


def ignore_signals() -> None:
    """All is done and told: while Python takes itself apart it would end by what comes, as if it were not."""
    for kind in KINDS:
        if signal.getsignal(kind) is _interrupt:
            signal.signal(kind, signal.SIG_IGN)


def stopped() -> int:
    ENDING.append(True)
    # there may be nowhere to tell it
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(STOPPED)
        sys.stderr.flush()
    return INTERRUPTED


def _interrupt(kind: int, frame: FrameType | None) -> None:
    SIGNALS.append(kind)
    _silence_libraries()
    if _is_of_hook(frame):
        signal.setitimer(signal.ITIMER_REAL, SOON)  # in there it would be lost
    elif not ENDING:
        signal.default_int_handler(kind, frame)


def _silence_libraries() -> None:
    """What they log of an interruption, though nobody asked for their logs, would be told beside our line."""
    if "logging" in sys.modules:
        import logging

        with suppress(AttributeError):  # it may be half loaded
            logging.lastResort = logging.NullHandler()


def _is_of_hook(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code is _interrupt_again.__code__:
            return True
        frame = frame.f_back
    return False


def _interrupt_again(ignored: sys.UnraisableHookArgs) -> None:
    """An interruption within a callback of a library is swallowed: it comes once more, a little later."""
    if SIGNALS and isinstance(ignored.exc_value, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, SOON)
    elif not SIGNALS:
        sys.__unraisablehook__(ignored)
    # else an object that the interruption left half made can't be taken apart, which tells nobody anything
