"""Workers beside the server: processes that start and end with it, and are started anew when they end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import dataclass, field

from singleout.platform.settings import DATABASE_VARIABLE, Settings

PARENT_VARIABLE = "SINGLEOUT_PARENT"
SECONDS_TO_END = 15
SECONDS_BETWEEN_LOOKS = 2.0


@dataclass
class WorkerProcesses:
    """As many as were asked for, until `stop`."""

    settings: Settings
    number: int
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    changes: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        self.processes = [self._start_one() for _ in range(self.number)]
        threading.Thread(target=self._watch, daemon=True).start()

    def _start_one(self) -> subprocess.Popen[bytes]:
        """The database's address may hold a password: others can read a command, not an environment."""
        environment = {
            **os.environ,
            DATABASE_VARIABLE: self.settings.database,
            PARENT_VARIABLE: str(os.getpid()),
        }
        limits = self.settings.limits
        words = [
            sys.executable, "-m", "singleout", "worker", "--folder", str(self.settings.folder),
            "--memory", f"{limits.memory_megabytes}MB", "--seconds", str(limits.scoring_seconds),
        ]  # fmt: skip
        # Ctrl-C at a terminal reaches a whole group: these are ended by us, in good order
        return subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)

    def _watch(self) -> None:
        while not self.stopped.wait(SECONDS_BETWEEN_LOOKS):
            with self.changes:
                if not self.stopped.is_set():
                    self.processes = [
                        each if each.poll() is None else self._start_one() for each in self.processes
                    ]
        # a process dies with the thread that started it
        self.ended.wait()

    def stop(self) -> None:
        self.stopped.set()
        with self.changes:
            for each in self.processes:
                each.terminate()
            for each in self.processes:
                _wait_or_kill(each)
        self.ended.set()


def _wait_or_kill(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
