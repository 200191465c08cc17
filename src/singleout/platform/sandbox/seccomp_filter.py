"""A filter of system calls (seccomp): what is not on the list is refused, other processors' calls kill."""

from __future__ import annotations

import platform
import struct
from collections.abc import Iterable

from singleout.platform.sandbox.system_calls import (
    CLONE,
    CLONE3,
    FCNTL,
    FLOCK,
    IOCTL,
    PRCTL,
    PRLIMIT64,
    allowed_numbers,
)

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# numbers from here on are calls of x32, which another filter would have to judge
X32 = 0x40000000
KILL, ALLOW = 0x80000000, 0x7FFF0000
DONE, NOT_PERMITTED, UNKNOWN_CALL = 0x00050000, 0x00050001, 0x00050026
LOAD, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
THREAD = 0x00010000
NEW_NAMESPACES = 0x7E020080
# names of threads and memory areas, dying with a parent, never gaining, reading what a process may do
PROCESS_OPTIONS = (1, 2, 3, 15, 16, 21, 23, 38, 39, 0x53564D41)
# copies and flags of descriptors, sizes of pipes, seals
DESCRIPTOR_REQUESTS = (0, 1, 2, 3, 4, 1030, 1031, 1032, 1033, 1034)
# set a lock, or wait for it: of a process, or of an open file
LOCK_REQUESTS = (6, 7, 37, 38)
# is it a terminal, how wide, how much to read, close on exec, do not wait
DEVICE_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5450, 0x5451, 0x5421)


def seccomp_filter(machine: str | None = None) -> bytes:
    """A program for the kernel, as `bwrap --seccomp` and prctl take it.

    >>> len(seccomp_filter("x86_64")) % 8, len(seccomp_filter("aarch64")) % 8
    (0, 0)
    """
    machine = machine or platform.machine()
    steps = [
        _step(LOAD, ARCHITECTURE), _step(IF_EQUAL, ARCHITECTURES[machine], 1, 0), _step(RETURN, KILL),
        _step(LOAD, NUMBER), _step(IF_AT_LEAST, X32, 0, 1), _step(RETURN, KILL),
        *_when(CLONE3[machine], [_step(RETURN, UNKNOWN_CALL)]),
        *_when(CLONE[machine], _threads_only()),
        # who is alone in here needs no lock; on a file of the machine others would see it
        *_when(FLOCK[machine], [_step(RETURN, DONE)]),
        *_when(FCNTL[machine], _one_of(1, DESCRIPTOR_REQUESTS, done=LOCK_REQUESTS)),
        *_when(IOCTL[machine], _one_of(1, DEVICE_REQUESTS)),
        *_when(PRCTL[machine], _one_of(0, PROCESS_OPTIONS)),
        *_when(PRLIMIT64[machine], _one_of(0, (0,))),
    ]  # fmt: skip
    for number in allowed_numbers(machine):
        steps += _when(number, [_step(RETURN, ALLOW)])
    return b"".join([*steps, _step(RETURN, NOT_PERMITTED)])


def is_known_machine() -> bool:
    """Whether there is a list of calls for this kind of processor."""
    return platform.machine() in ARCHITECTURES


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _when(number: int, steps: list[bytes]) -> list[bytes]:
    """Steps that all end in an answer, for one call."""
    return [_step(IF_EQUAL, number, 0, len(steps)), *steps]


def _argument(index: int) -> bytes:
    """Its low half, in which all that is asked about is written."""
    return _step(LOAD, FIRST_ARGUMENT + 8 * index)


def _one_of(index: int, values: Iterable[int], done: Iterable[int] = ()) -> list[bytes]:
    """Those that are allowed, and those that are said to be done and are not."""
    steps = [_argument(index)]
    for value, answer in [*((each, ALLOW) for each in values), *((each, DONE) for each in done)]:
        steps += [_step(IF_EQUAL, value, 0, 1), _step(RETURN, answer)]
    return [*steps, _step(RETURN, NOT_PERMITTED)]


def _threads_only() -> list[bytes]:
    """No process can be made, and no namespace: one process has one limit of memory."""
    return [
        _argument(0), _step(IF_ANY_BIT, NEW_NAMESPACES, 0, 1), _step(RETURN, NOT_PERMITTED),
        _step(IF_ANY_BIT, THREAD, 0, 1), _step(RETURN, ALLOW), _step(RETURN, NOT_PERMITTED),
    ]  # fmt: skip
