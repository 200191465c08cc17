"""Attempts to break out of the sandbox: a worker tries them on itself, and takes no metrics if one succeeds.

Each is a function that is given what there is outside, and returns whether it reached it. None does harm
where it succeeds, for outside of a sandbox all of them do.
"""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import pty
import resource
import signal
import socket
import stat
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

Host = Mapping[str, Any]
Attempt = Callable[[Host], bool]
ATTEMPTS: dict[str, Attempt] = {}
# those that only root can make outside
FOR_ROOT: set[str] = set()
# Landlock has nothing that hides a name
NOT_BEHIND_LANDLOCK = {"know_the_name_of_the_machine"}
LIBRARY = ctypes.CDLL(None, use_errno=True)
X86 = os.uname().machine == "x86_64"
GIGABYTE = 1 << 30


def escaped(host: Host) -> list[str]:
    """The names of all attempts that succeeded."""
    return [name for name, attempt in ATTEMPTS.items() if _succeeds(attempt, host)]


def _succeeds(attempt: Attempt, host: Host) -> bool:
    try:
        return attempt(host)
    except (
        OSError,
        ValueError,
        KeyError,
        MemoryError,
        RuntimeError,
        SystemError,
        subprocess.SubprocessError,
    ):
        return False


def _attempt(function: Attempt) -> Attempt:
    ATTEMPTS[function.__name__] = function
    return function


def _root_attempt(function: Attempt) -> Attempt:
    FOR_ROOT.add(function.__name__)
    return _attempt(function)


def _call(number_x86: int, number_arm: int, *arguments: Any) -> int:
    """A system call by its number; it raises if the kernel refuses."""
    LIBRARY.syscall.restype = ctypes.c_long
    # the kernel reads whole words: half a word may stand beside anything, and be refused for that
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    found: int = LIBRARY.syscall(number_x86 if X86 else number_arm, *words)
    if found < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return found


def _holds(path: str, word: str) -> bool:
    return word.encode() in Path(path).read_bytes()


def _can_write(path: str) -> bool:
    os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
    return True


def _can_create(path: str) -> bool:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    Path(path).unlink()
    return True


def _scratch(name: str) -> str:
    return os.path.join(os.environ.get("TMPDIR", "/tmp"), f"{name}-{os.getpid()}")


def _processes(part: str) -> Iterator[bytes]:
    for each in Path("/proc").iterdir():
        if each.name.isdecimal():
            with suppress(OSError):
                yield (each / part).read_bytes()


# files


@_attempt
def read_a_file(host: Host) -> bool:
    return _holds(host["file"], host["word"])


@_attempt
def read_the_list_of_accounts(_host: Host) -> bool:
    return _holds("/etc/passwd", "root")


@_attempt
def read_a_folder(host: Host) -> bool:
    return Path(host["file"]).name in os.listdir(host["folder"])  # noqa: PTH208


@_attempt
def write_into_a_folder(host: Host) -> bool:
    return _can_create(os.path.join(host["folder"], "written"))


@_root_attempt
def change_singleout(_host: Host) -> bool:
    return _can_write(__file__)


@_root_attempt
def change_python(_host: Host) -> bool:
    return _can_write(os.__file__)


@_root_attempt
def write_into_the_root(_host: Host) -> bool:
    return _can_create(f"/break-out-{os.getpid()}")


@_root_attempt
def write_into_usr(_host: Host) -> bool:
    return _can_create(f"/usr/break-out-{os.getpid()}")


@_attempt
def change_a_table(host: Host) -> bool:
    return _can_write(host["table"])


@_attempt
def read_by_a_link(host: Host) -> bool:
    link = _scratch("link")
    os.symlink(host["file"], link)  # noqa: PTH211
    try:
        return _holds(link, host["word"])
    finally:
        Path(link).unlink()


@_attempt
def swap_a_table_by_a_link(host: Host) -> bool:
    """Between the check of an upload and its use."""
    table = host["table"]
    link = f"{table}-swapped"
    os.symlink(host["file"], link)  # noqa: PTH211
    os.rename(link, f"{table}-used")  # noqa: PTH104
    try:
        return _holds(f"{table}-used", host["word"])
    finally:
        Path(f"{table}-used").unlink()


@_attempt
def read_by_a_hard_link(host: Host) -> bool:
    link = _scratch("hard-link")
    os.link(host["file"], link)
    Path(link).unlink()
    return True


@_attempt
def read_by_dots(host: Host) -> bool:
    return _holds(f"{Path(host['table']).parent}/../../../../../../../..{host['file']}", host["word"])


@_attempt
def read_by_the_root_of_a_process(host: Host) -> bool:
    return _holds(f"/proc/self/root{host['file']}", host["word"])


@_attempt
def read_by_the_root_of_another_process(host: Host) -> bool:
    return _holds(f"/proc/{host['process']}/root{host['file']}", host["word"])


@_attempt
def read_by_the_working_folder(host: Host) -> bool:
    return _holds(f"/proc/self/cwd/../../../../../../..{host['file']}", host["word"])


@_attempt
def use_a_descriptor_that_was_left_open(host: Host) -> bool:
    links = [os.readlink(f"/proc/self/fd/{each}") for each in range(256) if _is_open(each)]  # noqa: PTH115
    return any(each.startswith(host["folder"]) for each in links)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


@_attempt
def name_a_file_by_its_handle(host: Host) -> bool:
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    return _call(303, 264, -100, host["file"].encode(), handle, ctypes.byref(mount), 0) == 0


@_root_attempt
def make_a_device(_host: Host) -> bool:
    path = _scratch("device")
    os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    Path(path).unlink()
    return True


@_root_attempt
def own_a_file_as_root(_host: Host) -> bool:
    path = _scratch("owned")
    Path(path).write_bytes(b"")
    try:
        os.chown(path, 0, 0)
        return os.stat(path).st_uid == 0  # noqa: PTH116
    finally:
        Path(path).unlink()


@_root_attempt
def write_a_setting_of_the_kernel(_host: Host) -> bool:
    return _can_write("/proc/sys/kernel/core_pattern")


@_attempt
def see_network_cards(_host: Host) -> bool:
    return bool(os.listdir("/sys/class/net"))  # noqa: PTH208


@_attempt
def lock_a_file_for_others(_host: Host) -> bool:
    """Another run would see it: a way to tell it something."""
    return _is_locked(fcntl.flock)


@_attempt
def lock_a_part_of_a_file_for_others(_host: Host) -> bool:
    return _is_locked(fcntl.lockf)


def _is_locked(lock: Callable[[Any, int], None]) -> bool:
    with open(os.__file__, "rb") as file:  # noqa: PTH123
        lock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        ours = f":{os.fstat(file.fileno()).st_ino} "
        return any(ours in line and f" {os.getpid()} " in line for line in _lines("/proc/locks"))


@_attempt
def be_told_who_looks_into_a_folder(_host: Host) -> bool:
    number = os.open(os.path.dirname(os.__file__), os.O_RDONLY)  # noqa: PTH120
    try:
        return fcntl.fcntl(number, fcntl.F_NOTIFY, fcntl.DN_RENAME) == 0
    finally:
        os.close(number)


@_attempt
def see_what_others_keep_in_memory(_host: Host) -> bool:
    area = mmap.mmap(-1, mmap.PAGESIZE)
    place = (ctypes.c_char * mmap.PAGESIZE).from_buffer(area)
    seen = _call(27, 232, ctypes.byref(place), ctypes.c_size_t(mmap.PAGESIZE), ctypes.create_string_buffer(1))
    return seen == 0


# environment and identity


@_attempt
def read_the_environment(host: Host) -> bool:
    return host["word"] in os.environ.values()


@_attempt
def read_the_environment_of_any_process(host: Host) -> bool:
    return any(host["word"].encode() in each for each in _processes("environ"))


@_attempt
def read_the_environment_of_one_process(host: Host) -> bool:
    return _holds(f"/proc/{host['process']}/environ", host["word"])


@_attempt
def read_commands_of_other_processes(host: Host) -> bool:
    return any(host["word"].encode() in each for each in _processes("cmdline"))


@_attempt
def know_the_name_of_the_machine(host: Host) -> bool:
    return bool(os.uname().nodename == host["machine"])


@_root_attempt
def be_root(_host: Host) -> bool:
    return os.geteuid() == 0


@_root_attempt
def become_root(_host: Host) -> bool:
    os.setresuid(0, 0, 0)
    return True


@_root_attempt
def have_a_capability(_host: Host) -> bool:
    return any(line.startswith("CapEff") and int(line.split()[1], 16) for line in _lines("/proc/self/status"))


@_attempt
def gain_privileges_by_a_program(_host: Host) -> bool:
    return any(line.split() == ["NoNewPrivs:", "0"] for line in _lines("/proc/self/status"))


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


# other processes


@_attempt
def signal_a_process(host: Host) -> bool:
    os.kill(host["process"], 0)
    return _is_the_one(host)


def _is_the_one(host: Host) -> bool:
    """Numbers are given anew inside: the same number may be another process."""
    return _holds(f"/proc/{host['process']}/cmdline", host["word"])


@_attempt
def hold_a_process(host: Host) -> bool:
    os.close(os.pidfd_open(host["process"]))
    return _is_the_one(host)


@_attempt
def trace_a_process(host: Host) -> bool:
    seize, interrupt, detach = 0x4206, 0x4207, 17
    LIBRARY.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if LIBRARY.ptrace(seize, host["process"], None, None) != 0:
        return False
    LIBRARY.ptrace(interrupt, host["process"], None, None)
    os.waitpid(host["process"], 0x40000000)
    LIBRARY.ptrace(detach, host["process"], None, None)
    return True


@_attempt
def open_the_memory_of_a_process(host: Host) -> bool:
    os.close(os.open(f"/proc/{host['process']}/mem", os.O_RDONLY))
    return _is_the_one(host)


@_attempt
def read_the_memory_of_a_process(host: Host) -> bool:
    area = next(each for each in _lines(f"/proc/{host['process']}/maps") if " r" in each)
    target = ctypes.create_string_buffer(8)
    here = struct.pack("QQ", ctypes.addressof(target), 8)
    there = struct.pack("QQ", int(area.partition("-")[0], 16), 8)
    return _call(310, 270, host["process"], here, 1, there, 1, 0) == 8


@_attempt
def read_limits_of_a_process(host: Host) -> bool:
    resource.prlimit(host["process"], resource.RLIMIT_NOFILE)
    return _is_the_one(host)


@_attempt
def slow_a_process_down(host: Host) -> bool:
    os.setpriority(os.PRIO_PROCESS, host["process"], os.getpriority(os.PRIO_PROCESS, host["process"]))
    return _is_the_one(host)


@_attempt
def make_a_process(_host: Host) -> bool:
    if (child := os.fork()) == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


@_attempt
def make_a_process_by_a_call(_host: Host) -> bool:
    if (child := _call(56, 220, int(signal.SIGCHLD), 0, 0, 0, 0)) == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


@_attempt
def make_a_process_by_a_newer_call(_host: Host) -> bool:
    wanted = struct.pack("8Q", 0, 0, 0, 0, int(signal.SIGCHLD), 0, 0, 0)
    if (child := _call(435, 435, wanted, len(wanted))) == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


@_attempt
def start_a_program(_host: Host) -> bool:
    return os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", "exit 0"], {}), 0)[1] == 0


@_attempt
def run_a_shell(_host: Host) -> bool:
    return subprocess.run(["/bin/sh", "-c", "exit 0"], check=False).returncode == 0


@_attempt
def run_a_shell_by_c(_host: Host) -> bool:
    return int(LIBRARY.system(b"exit 0")) == 0


# too much of everything


@_attempt
def start_very_many_threads(_host: Host) -> bool:
    done = threading.Event()
    threads = [threading.Thread(target=done.wait, daemon=True) for _ in range(100)]
    started = []
    try:
        for each in threads:
            each.start()
            started.append(each)
    finally:
        done.set()
        for each in started:
            each.join()
    return True


@_attempt
def take_very_much_memory(_host: Host) -> bool:
    return len(bytes(4 * GIGABYTE)) > 0


@_attempt
def reserve_very_much_memory(_host: Host) -> bool:
    mmap.mmap(-1, 64 * GIGABYTE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000).close()
    return True


@_attempt
def keep_memory_in_a_nameless_file(_host: Host) -> bool:
    os.close(os.memfd_create("nameless"))
    return True


@_attempt
def share_memory(_host: Host) -> bool:
    number = _call(29, 194, 0, 1 << 20, 0o1600)
    _call(31, 195, number, 0, 0)
    return True


@_attempt
def write_a_very_large_file(_host: Host) -> bool:
    return _can_fill([_scratch("large")], GIGABYTE)


@_attempt
def write_very_many_files(_host: Host) -> bool:
    return _can_fill([_scratch(f"many-{each}") for each in range(8)], GIGABYTE // 8)


def _can_fill(paths: list[str], size: int) -> bool:
    try:
        for path in paths:
            with open(path, "wb") as file:  # noqa: PTH123
                os.posix_fallocate(file.fileno(), 0, size)
    finally:
        for path in paths:
            Path(path).unlink(missing_ok=True)
    return True


@_attempt
def fill_the_shared_memory(_host: Host) -> bool:
    return _can_fill([f"/dev/shm/break-out-{os.getpid()}"], GIGABYTE // 32)


@_root_attempt
def write_among_the_devices(_host: Host) -> bool:
    return _can_create(f"/dev/break-out-{os.getpid()}")


@_attempt
def lift_the_limit_of_memory(_host: Host) -> bool:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return True


# sockets


@contextmanager
def _socket(family: int, kind: int = socket.SOCK_STREAM) -> Iterator[socket.socket]:
    with socket.socket(family, kind) as opened:
        opened.settimeout(2)
        yield opened


def _can_open(family: int, kind: int = socket.SOCK_STREAM) -> bool:
    with _socket(family, kind):
        return True


@_attempt
def open_a_socket(_host: Host) -> bool:
    return _can_open(socket.AF_INET)


@_attempt
def open_a_datagram_socket(_host: Host) -> bool:
    return _can_open(socket.AF_INET, socket.SOCK_DGRAM)


@_attempt
def open_a_socket_of_ip_6(_host: Host) -> bool:
    return _can_open(socket.AF_INET6)


@_attempt
def open_a_socket_of_the_system(_host: Host) -> bool:
    return _can_open(socket.AF_UNIX)


@_attempt
def open_a_pair_of_sockets(_host: Host) -> bool:
    for each in socket.socketpair():
        each.close()
    return True


@_attempt
def open_a_socket_to_the_kernel(_host: Host) -> bool:
    return _can_open(socket.AF_NETLINK, socket.SOCK_RAW)


@_root_attempt
def open_a_socket_to_the_card(_host: Host) -> bool:
    return _can_open(socket.AF_PACKET, socket.SOCK_RAW)


@_root_attempt
def open_a_raw_socket(_host: Host) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP):
        return True


@_attempt
def open_a_socket_to_the_machine_around(_host: Host) -> bool:
    return _can_open(socket.AF_VSOCK)


@_attempt
def open_a_socket_of_any_family(_host: Host) -> bool:
    for family in range(1, 46):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            with suppress(OSError):
                return _can_open(family, kind)
    return False


@_attempt
def reach_a_port(host: Host) -> bool:
    with _socket(socket.AF_INET) as opened:
        opened.connect(("127.0.0.1", host["port"]))
        return True


@_attempt
def reach_an_abstract_socket(host: Host) -> bool:
    with _socket(socket.AF_UNIX) as opened:
        opened.connect("\0" + host["abstract"])
        return True


@_attempt
def reach_a_socket_by_its_file(host: Host) -> bool:
    with _socket(socket.AF_UNIX) as opened:
        opened.connect(host["socket"])
        return True


@_attempt
def see_ports_that_are_open(host: Host) -> bool:
    return _holds("/proc/net/tcp", f":{host['port']:04X} ")


# the kernel


@_root_attempt
def type_for_others_at_a_terminal(_host: Host) -> bool:
    outer, inner = pty.openpty()
    try:
        fcntl.ioctl(inner, termios.TIOCSTI, b"x")
    finally:
        os.close(outer)
        os.close(inner)
    return True


@_root_attempt
def load_a_program_into_the_kernel(_host: Host) -> bool:
    array = struct.pack("IIIIII", 2, 4, 8, 1, 0, 0)
    os.close(_call(321, 280, 0, array, len(array)))
    return True


@_attempt
def watch_the_processor(_host: Host) -> bool:
    event = ctypes.create_string_buffer(
        struct.pack("IIQ", 1, 112, 0) + bytes(24) + struct.pack("Q", 0x60), 112
    )
    os.close(_call(298, 241, event, 0, -1, -1, 0))
    return True


@_root_attempt
def handle_page_faults(_host: Host) -> bool:
    os.close(_call(323, 282, os.O_CLOEXEC))
    return True


@_root_attempt
def watch_files(_host: Host) -> bool:
    os.close(_call(300, 262, 0, 0))
    return True


@_root_attempt
def read_the_log_of_the_kernel(_host: Host) -> bool:
    return _call(103, 116, 10, None, 0) > 0


@_attempt
def use_another_personality(_host: Host) -> bool:
    return _call(135, 92, 0xFFFFFFFF) >= 0


@_root_attempt
def change_the_root(_host: Host) -> bool:
    os.chroot("/")
    return True


@_root_attempt
def mount_something(host: Host) -> bool:
    folder = host["mount"].encode()
    if LIBRARY.mount(b"none", folder, b"tmpfs", 0, None) != 0:
        return False
    LIBRARY.umount2(folder, 2)
    return True


@_root_attempt
def join_the_namespaces_of_a_process(host: Host) -> bool:
    number = os.open(f"/proc/{host['process']}/ns/uts", os.O_RDONLY)
    try:
        return int(LIBRARY.setns(number, 0)) == 0 and _is_the_one(host)
    finally:
        os.close(number)


@_root_attempt
def make_a_namespace_of_mounts(_host: Host) -> bool:
    return int(LIBRARY.unshare(0x00020000)) == 0


@_root_attempt
def make_a_namespace_of_the_network(_host: Host) -> bool:
    return int(LIBRARY.unshare(0x40000000)) == 0


@_attempt
def make_a_namespace_of_users(_host: Host) -> bool:
    """The last, for it changes who this process is."""
    return int(LIBRARY.unshare(0x10000000)) == 0


if __name__ == "__main__":
    import json

    sys.stdout.write(json.dumps(escaped(json.loads(sys.argv[1]))))
