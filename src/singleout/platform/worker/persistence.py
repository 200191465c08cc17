"""A database that is away for a while: what was evaluated is written when it is back."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

# a server that restarts, a full disk, a lock that somebody holds for long
AWAY = (OperationalError, InterfaceError, PoolTimeoutError)
SECONDS_BETWEEN_TRIES = 1.0
LOG = logging.getLogger(__name__)


def persist(write: Callable[[], None], seconds: float, stop: threading.Event) -> None:
    """Tries again for so long, a lease as a rule: afterwards another worker has the job, and does it anew.

    `write` is one transaction that asks whether the job is still ours: when nobody can tell whether it was
    kept, it is tried again and finds out.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            return write()
        except AWAY as fault:
            if time.monotonic() >= deadline or stop.wait(SECONDS_BETWEEN_TRIES):
                raise
            LOG.warning("the database could not be reached: %s; trying again", type(fault).__name__)
