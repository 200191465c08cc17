"""The page of measurements: each benchmark writes its section, and a contender runs in its own process."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA = HERE / ".data"
PAGE = HERE.parent / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

Each section is written by a script in `benchmarks/`; `make bench` runs them. What needs real data that is
not at hand leaves itself out.
"""


def run(script: str, words: list[str], environment: dict[str, str] | None = None) -> dict[str, Any]:
    """What a process prints as JSON, with its time from start to end, on the clock and of the processor, and
    its memory at the peak."""
    start = time.perf_counter()
    command = [sys.executable, script, "--run", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | (environment or {}))
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"{' '.join(words)} failed")
    found: dict[str, Any] = json.loads(said)
    worked = usage.ru_utime + usage.ru_stime
    return {"seconds": seconds, "worked": worked, "gib": usage.ru_maxrss / 2**20} | found


def write_section(title: str, lines: list[str]) -> None:
    """Replace the section, or add it at the end; the others stay as they are."""
    text = PAGE.read_text() if PAGE.exists() else HEAD
    section = "\n".join([f"## {title}", "", *lines, ""])
    pattern = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if pattern.search(text):
        text = pattern.sub(lambda _: section + "\n", text)
    else:
        text = text.rstrip("\n") + "\n\n" + section
    PAGE.write_text(text.rstrip("\n") + "\n")
    print(f"wrote {PAGE.relative_to(HERE.parent)}: {title}")


def machine(*packages: str) -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    return (
        f"Measured on {date.today()}: {os.cpu_count()} processor threads, {memory:.0f} GiB of memory, "
        f"Python {platform.python_version()}, {versions}."
    )
