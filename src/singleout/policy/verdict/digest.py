"""By what bytes a result was found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Digest:
    """What was read, by its SHA-256 and size; of several files, of their bytes one after the other."""

    what: str
    name: str
    sha256: str | None
    bytes: int | None
    files: int
    reason: str | None = None
