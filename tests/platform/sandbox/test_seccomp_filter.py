"""The filter of system calls, run by hand: what it answers to each call on each kind of processor."""

from __future__ import annotations

import struct
from functools import cache

import pytest

from singleout.platform.sandbox.seccomp_filter import (
    ALLOW,
    ARCHITECTURES,
    DONE,
    KILL,
    NOT_PERMITTED,
    UNKNOWN_CALL,
    seccomp_filter,
)
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

MACHINES = ("x86_64", "aarch64")
# name: number on x86_64, on aarch64, from the kernel's own tables
REFUSED = {
    "socket": (41, 198), "connect": (42, 203), "socketpair": (53, 199), "bind": (49, 200),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "keyctl": (250, 219), "add_key": (248, 217), "io_uring_setup": (425, 425),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264), "kill": (62, 129),
    "tkill": (200, 130), "tgkill": (234, 131), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "memfd_create": (319, 279), "shmget": (29, 194), "mknodat": (259, 33), "init_module": (175, 105),
    "kexec_load": (246, 104), "reboot": (169, 142), "setuid": (105, 146),
    "move_mount": (429, 429), "open_tree": (428, 428), "fsopen": (430, 430), "quotactl": (179, 60),
    "sethostname": (170, 161), "settimeofday": (170, 170), "personality": (135, 92), "syslog": (103, 116),
    "fanotify_init": (300, 262), "mq_open": (240, 180), "swapon": (167, 224),
}  # fmt: skip


def answer(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """The kernel's interpreter, as far as our filter needs it."""
    called = ARCHITECTURES[machine] if architecture is None else architecture
    given = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, called, 0, *given)
    program, loaded, position = steps(machine), 0, 0
    while True:
        code, if_true, if_false, value = program[position]
        position += 1
        if code == 0x20:
            (loaded,) = struct.unpack_from("<I", data, value)
        elif code == 0x06:
            return int(value)
        else:
            holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[code]
            position += if_true if holds else if_false


@cache
def steps(machine: str) -> list[tuple[int, int, int, int]]:
    return [*struct.iter_unpack("<HBBI", seccomp_filter(machine))]


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_on_the_list_is_allowed_and_nothing_else(machine: str) -> None:
    judged = {each[machine] for each in (CLONE, CLONE3, FCNTL, FLOCK, IOCTL, PRCTL, PRLIMIT64)}
    allowed = set(allowed_numbers(machine))
    assert not allowed & judged
    for number in range(600):
        if number not in judged:
            assert answer(machine, number) == (ALLOW if number in allowed else NOT_PERMITTED), number


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", REFUSED)
def test_what_could_break_out_is_refused(machine: str, name: str) -> None:
    assert answer(machine, REFUSED[name][MACHINES.index(machine)]) == NOT_PERMITTED


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_processor_end_the_process(machine: str) -> None:
    others = [*(each for name, each in ARCHITECTURES.items() if name != machine), 0x40000003]
    assert {answer(machine, 0, architecture=each) for each in others} == {KILL}
    assert answer(machine, 0x40000000 + 41) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_threads_can_be_made_and_processes_can_not(machine: str) -> None:
    thread = 0x3D0F00
    assert answer(machine, CLONE[machine], thread) == ALLOW
    assert answer(machine, CLONE[machine], 17) == NOT_PERMITTED
    for namespace in (0x20000, 0x80, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert answer(machine, CLONE[machine], thread | namespace) == NOT_PERMITTED
    assert answer(machine, CLONE3[machine]) == UNKNOWN_CALL


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_with_many_purposes_are_allowed_for_some(machine: str) -> None:
    assert answer(machine, FCNTL[machine], 3, 1030) == ALLOW
    assert answer(machine, FCNTL[machine], 3, 1026) == NOT_PERMITTED  # F_NOTIFY
    assert answer(machine, FCNTL[machine], 3, 5) == NOT_PERMITTED  # F_GETLK
    assert answer(machine, IOCTL[machine], 1, 0x5401) == ALLOW
    assert answer(machine, IOCTL[machine], 1, 0x5412) == NOT_PERMITTED  # TIOCSTI
    assert answer(machine, PRCTL[machine], 15) == ALLOW
    assert answer(machine, PRCTL[machine], 4) == NOT_PERMITTED  # PR_SET_DUMPABLE
    assert answer(machine, PRLIMIT64[machine], 0) == ALLOW
    assert answer(machine, PRLIMIT64[machine], 4711) == NOT_PERMITTED


@pytest.mark.parametrize("machine", MACHINES)
def test_locks_are_said_to_be_set_and_are_not(machine: str) -> None:
    """A program that locks its own file in its own folder goes on; nobody outside sees it."""
    assert answer(machine, FLOCK[machine], 3, 2) == DONE
    assert {answer(machine, FCNTL[machine], 3, each) for each in (6, 7, 37, 38)} == {DONE}
