"""The `singleout` command: reads the words, runs one command, turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import NoReturn

from singleout import __version__
from singleout.cli import assess, demo, roles, sample
from singleout.errors import SingleoutError, one_line

DESCRIPTION = "How likely is it that someone is singled out in your data, by whom, and what to do about it."
COMMANDS = (assess, roles, sample, demo)
BAD_INPUT, INTERRUPTED = 2, 130


class Parser(argparse.ArgumentParser):
    """Bad usage is one line, like every other error."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"error: {one_line(message)}; see {self.prog} --help\n")


def parser() -> Parser:
    whole = Parser(prog="singleout", description=DESCRIPTION, allow_abbrev=False)
    whole.add_argument("--version", action="version", version=f"singleout {__version__}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        name = command.__name__.rpartition(".")[2]
        one = commands.add_parser(name, help=command.SUMMARY, description=command.SUMMARY, allow_abbrev=False)
        command.add_arguments(one)
        one.set_defaults(run=command.run)
    return whole


def console() -> int:
    """What the installed command runs: a request to end is taken like Ctrl-C, so that it cleans up."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return main()


def main(words: Sequence[str] | None = None) -> int:
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a character gets a question mark
    try:
        options = parser().parse_args(words)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except SingleoutError as error:
        return _say(str(error), BAD_INPUT)
    except KeyboardInterrupt:
        return _say("interrupted; no file was left half-written", INTERRUPTED)
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):
            return 0  # the same, noticed by rich
        raise
    except BrokenPipeError:
        # whoever read our output has seen enough; keep the interpreter from complaining at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _say(message: str, code: int) -> int:
    sys.stderr.write(f"error: {one_line(message)}\n")
    return code
