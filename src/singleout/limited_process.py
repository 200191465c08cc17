"""A process for work that may crash, hang or fill the memory: started with limits, ended with its own."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
from typing import Any

# the rest of the environment may hold passwords
KEPT_VARIABLES = (
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "NUMBA_CACHE_DIR", "PATH",
    "PYTHONDONTWRITEBYTECODE", "TMPDIR", "VIRTUAL_ENV",
)  # fmt: skip
MEGABYTE = 1_000_000
PR_SET_PDEATHSIG = 1


def start(module: str, request: dict[str, Any], **variables: str) -> subprocess.Popen[bytes]:
    """Its input is the request as JSON, beside the number of this process; what it prints is its answer.

    It knows the modules that are known here; none is taken from the folder where we are (`-P`), which may be
    somebody else's.
    """
    environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env={**environment, **variables}, start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(json.dumps({**request, "parent": os.getpid()}).encode())
        process.stdin.close()
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    """With all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def take_request() -> dict[str, Any]:
    """In the started process, before it touches what somebody made: `limits` hold from here on."""
    request: dict[str, Any] = json.load(sys.stdin)
    die_with_parent(request["parent"])
    limit_this_process(**request["limits"])
    return request


def answer_file() -> int:
    """Where the answer goes; what a library prints must not mix with it."""
    answer = os.dup(1)
    os.dup2(2, 1)
    return answer


def limit_this_process(*, seconds: int, memory_megabytes: int, disk_megabytes: int) -> None:
    """Memory, processor time, size of files, and no memory dumps: there is no way back."""
    import resource

    cpus = os.cpu_count() or 1
    _lower(resource.RLIMIT_AS, memory_megabytes * MEGABYTE)
    _lower(resource.RLIMIT_CPU, seconds * cpus)
    _lower(resource.RLIMIT_FSIZE, disk_megabytes * MEGABYTE)
    _lower(resource.RLIMIT_CORE, 0)


def die_with_parent(parent: int) -> None:
    """A process that is killed takes the one that it started along."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _lower(kind: int, most: int) -> None:
    import resource

    known = [each for each in resource.getrlimit(kind) if each != resource.RLIM_INFINITY]
    least = min([most, *known])
    resource.setrlimit(kind, (least, least))
