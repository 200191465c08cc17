"""A program of its own that gives up everything it may do, and becomes the one that runs uploaded code.

It is started with one argument, a plan as JSON, and imports nothing of singleout: as root it stands before
all walls, so that it should be short. In this order: the control group, as root a view of the few folders
that are needed, the identity of nobody, without bubblewrap Landlock and the filter of system calls.
"""

from __future__ import annotations

import ctypes
import json
import os
import stat
import struct
import sys
from contextlib import suppress
from typing import Any

NEW_MOUNTS = 0x00020000
BIND, RECURSIVE, PRIVATE, NO_DEVICES, NO_SETUID = 4096, 16384, 1 << 18, 4, 2
NO_NEW_PRIVILEGES, SET_SECCOMP, BY_FILTER = 38, 22, 2
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
BENEATH_PATH = 1
EXECUTE, READ_FILE, READ_FOLDER = 1, 4, 8
# every right that a version of Landlock knows; the rest is what the next ones added
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
ALL_FILE_RIGHTS = (1 << 16) - 1
BIND_AND_CONNECT = 3
ABSTRACT_SOCKETS_AND_SIGNALS = 3
RESULT = 3
# pages and uploads go first where a worker runs beside the server
NICE = 10

LIBRARY = ctypes.CDLL(None, use_errno=True)


def main(plan: dict[str, Any]) -> None:
    for path in plan["groups"]:
        with suppress(OSError), open(path, "w", encoding="ascii") as group:  # noqa: PTH123
            group.write(str(os.getpid()))
    os.dup2(plan["result"], RESULT)
    os.nice(NICE)
    if plan["user"] is not None:
        if plan["mounts"]:
            _mount_view(plan["view"], plan["mounts"])
        os.setgroups([])
        os.setresgid(plan["user"], plan["user"], plan["user"])
        os.setresuid(plan["user"], plan["user"], plan["user"])
    if plan["readable"]:
        restrict_files(plan["readable"], plan["listed"], plan["scratch"])
        _restrict_calls(plan["filter"])
    for number in plan["closed"]:
        os.close(number)
    os.chdir("/")
    os.execve(plan["command"][0], plan["command"], plan["environment"])


def _mount_view(place: str, sources: list[list[str]]) -> None:
    """Folders that only root can reach, for a moment where nobody can: in a view of this process alone."""
    _call("unshare", NEW_MOUNTS)
    _mount(None, "/", None, RECURSIVE | PRIVATE, None)
    opened = [(os.open(path, os.O_PATH), name) for path, name in sources]
    _mount("view", place, "tmpfs", NO_DEVICES | NO_SETUID, "mode=755,size=1m")
    for number, name in opened:
        target = os.path.join(place, name)
        if stat.S_ISDIR(os.fstat(number).st_mode):
            os.mkdir(target)  # noqa: PTH102
        else:
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o444))
        _mount(f"/proc/self/fd/{number}", target, None, BIND | RECURSIVE, None)
        os.close(number)


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None) -> None:
    words = [None if each is None else each.encode() for each in (source, target, kind, options)]
    _call("mount", words[0], words[1], words[2], flags, words[3])


def restrict_files(readable: list[str], listed: list[str], scratch: str | None = None) -> None:
    """Landlock: these can be read and executed, only `scratch` written; no sockets, no signals to others.

    Of the folders in `listed`, where Python looks for packages, only the names can be read.
    """
    version = LIBRARY.syscall(CREATE_RULESET, None, 0, 1)
    if version < 1:
        raise OSError("there is no Landlock here")
    rights = FILE_RIGHTS.get(version, ALL_FILE_RIGHTS)
    network = BIND_AND_CONNECT if version >= 4 else 0
    scoped = ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0
    content = struct.pack("QQQ", rights, network, scoped)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    ruleset = _call("syscall", CREATE_RULESET, content, len(content), 0)
    for path in (*readable, *listed, *([] if scratch is None else [scratch])):
        number = os.open(path, os.O_PATH)
        folder = stat.S_ISDIR(os.fstat(number).st_mode)
        allowed = (READ_FOLDER if folder else 0) | (0 if path in listed else EXECUTE | READ_FILE)
        allowed = rights if path == scratch else allowed
        _call("syscall", ADD_RULE, ruleset, BENEATH_PATH, struct.pack("=Qi", allowed, number), 0)
        os.close(number)
    _call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _call("syscall", RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _restrict_calls(number: int) -> None:
    steps = os.read(number, 1 << 16)
    buffer = ctypes.create_string_buffer(steps, len(steps))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]

    program = Program(len(steps) // 8, ctypes.addressof(buffer))
    _call("prctl", SET_SECCOMP, BY_FILTER, ctypes.byref(program), 0, 0)


def _call(name: str, *arguments: Any) -> int:
    found: int = getattr(LIBRARY, name)(*arguments)
    if found < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return found


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
