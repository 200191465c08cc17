"""What a page of documentation shows: its blocks of code, and whether the output that it shows is real."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

LEFT_OUT = "…"
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEXT_BLOCK = "--- next block of the page ---"


@dataclass(frozen=True)
class Block:
    """Code with its language; `shown` is the output that stands directly below it, if any does."""

    language: str
    body: str
    shown: str | None = None


def blocks_of(page: Path) -> list[Block]:
    """All blocks of a page; a `text` block directly after a `bash` block is what that prints.

    Directly means that nothing but blank lines stands between them.
    """
    text = page.read_text(encoding="utf-8")
    found = list(FENCE.finditer(text))
    blocks = []
    for number, match in enumerate(found, 1):
        after = found[number] if number < len(found) else None
        beside = after is not None and not text[match.end() : after.start()].strip()
        output = after[2] if after is not None and beside and after[1] == "text" else None
        blocks.append(Block(match[1], match[2], output if match[1] == "bash" else None))
    return blocks


def printed_by(scripts: Sequence[str], folder: Path, programs: Path | None = None) -> list[list[str]]:
    """Run the scripts one after the other in one folder; the lines that each of them printed.

    The first command that fails stops all; an output is 80 characters wide, and has both streams.
    `programs` are those of another environment, which knows no module but its own.
    """
    whole = f"exec 2>&1\nset -e\n{f'{chr(10)}echo {NEXT_BLOCK!r}{chr(10)}'.join(scripts)}"
    path = f"{programs or Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    known = {name: value for name, value in os.environ.items() if programs is None or name != "PYTHONPATH"}
    done = subprocess.run(
        ["bash", "-c", whole],
        cwd=folder, env=known | {"PATH": path, "COLUMNS": "80"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    return [each.splitlines() for each in done.stdout.split(f"{NEXT_BLOCK}\n")]


def not_printed(shown: str, printed: Iterable[str]) -> list[str]:
    """The lines shown that were not printed, in their order; a line … stands for lines that are left out.

    >>> not_printed("a\\n…\\nd\\n", ["a", "b ", "c", "d"]), not_printed("a\\nd\\n", ["a", "b ", "c", "d"])
    ([], ['d'])
    """
    lines = [line.rstrip() for line in printed]
    place, jump, missing = 0, True, []
    for line in shown.rstrip("\n").split("\n"):
        if line.strip() == LEFT_OUT:
            jump = True
            continue
        reachable = lines[place:] if jump else lines[place : place + 1]
        if line.rstrip() in reachable:
            place += reachable.index(line.rstrip()) + 1
            jump = False
        else:
            missing.append(line)
    return missing
