"""What is being done now, told to whoever wants to show it."""

from __future__ import annotations

from typing import Literal, Protocol


class Progress(Protocol):
    """Called with what is being done, how many steps of it are done, and of how many."""

    def __call__(self, doing: str, done: int, total: int) -> None: ...


# whom jobs tell; False is nobody
Audience = Progress | Literal[False]


def teller(audience: Audience) -> Progress:
    return audience or silent


def silent(doing: str, done: int, total: int) -> None:
    """Tell nobody."""


def progress_about(what: str, progress: Progress) -> Progress:
    """The same, saying what it is about."""

    def told(doing: str, done: int, total: int) -> None:
        progress(f"{what}: {doing}", done, total)

    return told
