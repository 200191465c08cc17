"""Inputs that once came to harm, one file each: they are tried again whenever the tests run."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from tests.fuzz.case import Case, case_of
from tests.fuzz.supervisor import Verdict

CORPUS = Path(__file__).parent / "corpus"


def paths(folder: Path = CORPUS) -> list[Path]:
    return sorted(folder.glob("*.json"))


def read(path: Path) -> Case:
    return case_of(path.read_text(encoding="utf-8"))


def write(verdict: Verdict, folder: Path) -> Path:
    """Named by what was found, and by its content."""
    first = verdict.findings[0]
    words = re.sub(r"\W+", "-", f"{first.kind} {first.place}").strip("-").lower()[:80]
    path = folder / f"{words}-{hashlib.sha256(verdict.text.encode()).hexdigest()[:6]}.json"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(verdict.text, encoding="utf-8")
    return path
