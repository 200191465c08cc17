"""What a command tells beside its result: notes, written files, with --verbose its steps."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import logging

FILES = "singleout.files"


def add_messages(parser: argparse.ArgumentParser) -> None:
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--quiet", action="store_true", help="no notes, no bar, no names of written files; errors stay"
    )
    how.add_argument("--verbose", action="store_true", help="tell each step of the work as it begins")


@contextmanager
def messages(options: argparse.Namespace, *, tells: bool) -> Iterator[None]:
    """Within it what the library logs becomes lines for people, if the command `tells`."""
    if getattr(options, "quiet", False):
        with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stderr(nowhere):  # noqa: PTH123
            yield
        return
    if not tells or not hasattr(options, "verbose"):
        yield
        return
    import logging

    logger, handler = logging.getLogger("singleout"), _handler()
    # where steps are logged there is no bar
    told = logger if options.verbose else logging.getLogger(FILES)
    before = told.level
    logger.addHandler(handler)
    told.setLevel(logging.INFO)
    try:
        yield
    finally:
        told.setLevel(before)
        logger.removeHandler(handler)


def _handler() -> logging.Handler:
    import logging

    from singleout.errors import one_line, printable_text

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            kind = "note: " if record.levelno >= logging.WARNING else ""
            sys.stderr.write(f"{kind}{printable_text(one_line(record.getMessage()))}\n")

    return Lines()


class UnpaddedText:
    """Text on its way to a file or a pipe, without the spaces that fill lines up at a terminal."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._spaces = ""

    def write(self, text: str) -> int:
        *lines, last = f"{self._spaces}{text}".split("\n")
        kept = last.rstrip(" ")
        self._spaces = last[len(kept) :]
        self._out.write("".join(f"{line.rstrip(' ')}\n" for line in lines) + kept)
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._out, name)
