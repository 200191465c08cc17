"""Has cases run in processes that may crash or hang, and goes on behind them."""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.fuzz.case import Case, case_text
from tests.fuzz.findings import Finding, findings
from tests.fuzz.run import Runner

# a process is replaced now and then, so that what one case leaves in memory is no matter to many
CASES_A_PROCESS = 15_000
MOST_BYTES_OF_A_FILE = 2**28
# that is written to; of addresses libraries reserve more than any limit
MOST_MEMORY = 10 * 2**30
# thousands of small files come and go
MEMORY = Path("/dev/shm")
# the machine may be busy: what seems to hang is given more time before it is said
PATIENCE = 12


@dataclass(frozen=True)
class Verdict:
    """What came of a case; `text` is the case itself, if something was found."""

    number: int
    kind: str
    code: int
    digest: str
    findings: tuple[Finding, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Supervisor:
    """`make` gives the case of a number; `seconds` is how long a case may take."""

    make: Callable[[int], Case]
    postgres: str = ""
    seconds: float = 30

    def verdicts(self, numbers: Sequence[int], deadline: float = float("inf")) -> Iterator[Verdict]:
        """Of each number in turn, until the time is over."""
        first = 0
        while first < len(numbers) and time.monotonic() < deadline:
            batch = numbers[first : first + CASES_A_PROCESS]
            for verdict in self._of_process(batch, self.seconds):
                first += 1
                yield self._confirmed(verdict)
                if time.monotonic() > deadline:
                    return

    def _confirmed(self, verdict: Verdict) -> Verdict:
        if any(each.kind == "hang" for each in verdict.findings):
            return next(self._of_process([verdict.number], self.seconds * PATIENCE))
        return verdict

    def _of_process(self, numbers: Sequence[int], seconds: float) -> Iterator[Verdict]:
        """Those that a new process gets through; if it dies, its last one is the case that it died of."""
        with tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
            process, pipe = self._start(numbers, Path(folder))
            try:
                yield from self._told(numbers, process, pipe, seconds)
            finally:
                os.close(pipe)
                _end(process)

    def _told(self, numbers: Sequence[int], process: int, pipe: int, seconds: float) -> Iterator[Verdict]:
        lines, rest = 0, b""
        while lines < len(numbers):
            if not _is_heard(pipe, process, seconds):
                yield self._lost(numbers[lines], "hang", f"after {seconds} s")
                return
            got = os.read(pipe, 2**16)
            if not got:
                code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                yield self._lost(numbers[lines], "crash", f"ended by {code}")
                return
            *whole, rest = (rest + got).split(b"\n")
            for line in whole:
                lines += 1
                yield _verdict(line)

    def _start(self, numbers: Sequence[int], folder: Path) -> tuple[int, int]:
        reading, writing = os.pipe()
        gc.freeze()
        process = os.fork()
        if process:
            os.close(writing)
            return process, reading
        os.close(reading)
        status = 70
        try:
            self._work(numbers, folder, writing)
            status = 0
        finally:
            os._exit(status)

    def _work(self, numbers: Sequence[int], folder: Path, pipe: int) -> None:
        os.setpgid(0, 0)
        for kind, most in (
            (resource.RLIMIT_FSIZE, MOST_BYTES_OF_A_FILE),
            (resource.RLIMIT_DATA, MOST_MEMORY),
        ):
            resource.setrlimit(kind, (most, most))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        runner = Runner(folder, self.postgres)
        for number in numbers:
            made = self.make(number)
            outcomes = runner.run(made)
            found = findings(made, outcomes)
            text = case_text(made) if found else ""
            told = asdict(Verdict(number, made.name, outcomes[0].code, made.digest, tuple(found), text))
            os.write(pipe, json.dumps(told).encode() + b"\n")

    def _lost(self, number: int, kind: str, detail: str) -> Verdict:
        made = self.make(number)
        place = " ".join(made.words[:2]) if made.words[0] == "deidentify" else made.words[0]
        found = (Finding(kind, f"{place}, {made.name}", detail),)
        return Verdict(number, made.name, -1, made.digest, found, case_text(made))


def _is_heard(pipe: int, process: int, seconds: float) -> bool:
    """Before it has worked for so long, or stood still; on a busy machine it gets a part of each second."""
    first = last = _processor_seconds(process)
    while not select.select([pipe], [], [], seconds)[0]:
        now = _processor_seconds(process)
        if now == last or now > first + seconds:
            return False
        last = now
    return True


def _processor_seconds(process: int) -> float:
    """What it has used; 0 where that can't be known."""
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    user, system = told.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _verdict(line: bytes) -> Verdict:
    content = json.loads(line)
    found = tuple(Finding(**each) for each in content.pop("findings"))
    return Verdict(**content, findings=found)


def _end(process: int) -> None:
    """It and what it started, whether or not it is still at work."""
    for target in (os.killpg, os.kill):
        try:
            target(process, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
    try:
        os.waitpid(process, 0)
    except ChildProcessError:
        sys.stdout.flush()
