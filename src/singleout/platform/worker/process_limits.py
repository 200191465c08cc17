"""Limits that a process sets itself before it touches what somebody uploaded."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal

MEGABYTE = 1_000_000
PR_SET_PDEATHSIG = 1


def limit_this_process(*, seconds: int, memory_megabytes: int, disk_megabytes: int) -> None:
    """Memory, processor time, size of files, and no memory dumps: there is no way back."""
    cpus = os.cpu_count() or 1
    _lower(resource.RLIMIT_AS, memory_megabytes * MEGABYTE)
    _lower(resource.RLIMIT_CPU, seconds * cpus)
    _lower(resource.RLIMIT_FSIZE, disk_megabytes * MEGABYTE)
    _lower(resource.RLIMIT_CORE, 0)


def die_with_parent(parent: int) -> None:
    """A worker that is killed takes the process that it started along."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _lower(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))
