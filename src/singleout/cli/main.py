"""The `singleout` command: reads the words, runs one command, turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO, cast

from singleout import __version__
from singleout.address_space import check_addresses
from singleout.cli import (
    assess,
    attack,
    check,
    combinations,
    compare,
    completion,
    data,
    deidentify,
    demo,
    describe,
    doctor,
    entropy,
    hierarchy,
    metric,
    predict,
    protect,
    roles,
    sample,
    serve,
    submit,
    sweep,
    warm_up,
    worker,
)
from singleout.cli import help as help_command
from singleout.cli.interruption import SIGNALS, stopped
from singleout.cli.messages import UnpaddedText, add_messages, messages
from singleout.cli.parser import BAD_INPUT, Parser
from singleout.cli.words import TYPED, shown_line
from singleout.errors import GoalError, SingleoutError, UsageError

DESCRIPTION = "How likely is it that someone is singled out in your data, by whom, and what to do about it."
COMMANDS = (
    assess,
    describe,
    combinations,
    entropy,
    predict,
    attack,
    compare,
    sweep,
    check,
    protect,
    deidentify,
    hierarchy,
    roles,
    sample,
    data,
    serve,
    worker,
    submit,
    metric,
    demo,
    doctor,
    warm_up,
    completion,
    help_command,
)
NOT_REACHED = 1
MOST_SHOWN = 1000
TRACEBACK_SETTING = "SINGLEOUT_TRACEBACK"
OWN_FOLDER = f"{os.sep}singleout{os.sep}"
NO_MEMORY = "there is not enough memory for this; ask for less, or a method that needs none"
# as Python says it where memory is limited (`ulimit -v`)
NO_THREAD = "can't start new thread"


def parser() -> Parser:
    whole = Parser(prog="singleout", description=DESCRIPTION, allow_abbrev=False)
    whole.add_argument("--version", action="version", version=f"singleout {__version__}")
    whole.set_defaults(run=help_command.run, topic=[], all=False)
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        name = command.__name__.rpartition(".")[2].replace("_", "-")
        one = commands.add_parser(name, help=command.SUMMARY, description=command.SUMMARY, allow_abbrev=False)
        command.add_arguments(one)
        for each in one.commands().values() or [one]:
            add_messages(each)
        one.set_defaults(run=command.run)
    return whole


def own_fault(error: BaseException) -> int:
    """Python would end with 1, which is a verdict; its message may hold a value of the data."""
    import traceback

    if os.environ.get(TRACEBACK_SETTING):
        traceback.print_exception(error)
    steps = [step for step in traceback.extract_tb(error.__traceback__) if OWN_FOLDER in step.filename]
    where = f"{steps[-1].filename.rpartition(OWN_FOLDER)[2]}, line {steps[-1].lineno}" if steps else "?"
    return _say(
        f"a mistake of singleout itself, not yours: {type(error).__name__} in {where} of {__version__}; "
        f"nothing was decided; please report it with what {TRACEBACK_SETTING}=1 prints",
        BAD_INPUT,
    )


def main(words: Sequence[str] | None = None, *, tells: bool = False) -> int:
    """`tells` is whether it may say more than its result, and shape its output for a pipe."""
    _prepare_output(tells)
    options = argparse.Namespace()
    TYPED[:] = sys.argv[1:] if words is None else words
    try:
        options = parser().parse(_without_nul(TYPED))
        check_addresses(drawing=_draws(options))
        with messages(options, tells=tells):
            code: int = options.run(options)
        sys.stdout.flush()
        return code
    except SingleoutError as error:
        return _say(_told(error, options), NOT_REACHED if isinstance(error, GoalError) else BAD_INPUT)
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        return _say(NO_MEMORY, BAD_INPUT)
    except KeyboardInterrupt:
        return stopped()
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):
            return _decided_code(options)  # as rich noticed
        raise
    except BrokenPipeError:
        _forget_output()
        return _decided_code(options)
    except OSError as error:
        return _say(_file_fault(error), BAD_INPUT)


def _prepare_output(tells: bool) -> None:
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a character gets a question mark
    if tells and not sys.stdout.isatty():
        sys.stdout = cast("TextIO", UnpaddedText(sys.stdout))
    if tells and not sys.stderr.isatty():
        sys.stderr = cast("TextIO", UnpaddedText(sys.stderr))


def _without_nul(words: Sequence[str]) -> Sequence[str]:
    """No file and no column of any table can have such a name; Python would fail in many places."""
    if any("\0" in word for word in words):
        raise UsageError("a word of the command holds a NUL character; write it without")
    return words


def _is_out_of_memory(error: MemoryError | RuntimeError) -> bool:
    return isinstance(error, MemoryError) or str(error) == NO_THREAD


def _file_fault(error: OSError) -> str:
    """Of standard output, if no file is named."""
    if error.filename is not None:
        return f"{error.filename}: {error.strerror or error}"
    _forget_output()
    return f"the result can't be written: {error.strerror or error}"


def _draws(options: argparse.Namespace) -> bool:
    return any(getattr(options, name, None) is not None for name in ("html", "plot"))


def _told(error: SingleoutError, options: argparse.Namespace) -> str:
    """Values of the data only if asked for, by a command that can be asked."""
    from singleout.read.standard_input import in_words

    asked: bool | None = getattr(options, "show_values", None)
    message = in_words(_as_typed(str(error), options))
    if asked is None or not error.values:
        return message
    if not asked:
        return f"{message}; --show-values names them"
    more = f" and {len(error.values) - MOST_SHOWN:,} more" if len(error.values) > MOST_SHOWN else ""
    return f"{message}: {', '.join(map(repr, error.values[:MOST_SHOWN]))}{more}"


def _as_typed(message: str, options: argparse.Namespace) -> str:
    """An error that begins with a parameter of Python begins with the option, where that has another name."""
    name, colon, fault = message.partition(": ")
    whole: Parser | None = getattr(options, "parser", None)
    for action in whole.of(options.words)._actions if whole and colon else ():
        option = (action.option_strings or [""])[-1]
        if action.dest == name and option.startswith("--") and option[2:].replace("-", "_") != name:
            return f"{option}: {fault}"
    return message


def _decided_code(options: argparse.Namespace) -> int:
    """Whoever reads has seen enough; what a command had decided by then still counts."""
    return getattr(options, "decided", 0)


def _forget_output() -> None:
    """Keep the interpreter from trying once more at its end, and complaining."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str, code: int) -> int:
    if SIGNALS:  # of which the error came
        return stopped()
    with suppress(OSError):
        sys.stderr.write(f"error: {shown_line(message)}\n")
        sys.stderr.flush()
    return code
