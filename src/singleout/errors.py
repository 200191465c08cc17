"""One family of errors: each says in one line what was wrong and what would be right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

QUOTED = re.compile(r"""["']([^"']*)["']""")
FROM_FIRST_TO_LAST_QUOTE = re.compile(r"""["'](.*["']|.*$)""", re.DOTALL)
BARE_NUMBER = re.compile(r"(?<![\w…])[-+]?\d[\d.,:eE+-]*(?!\w)")


class SingleoutError(Exception):
    """Anything that a user can put right: bad usage, bad input, an output that can't be written.

    `values` are those of the data that it is about; the message itself tells none.
    """

    def __init__(self, message: str = "", *, values: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.values = tuple(values)


class InputError(SingleoutError):
    """The data, or the place where it was said to be, is not usable."""


class UsageError(SingleoutError):
    """The question itself is wrong: an option, a column or a number that can't be meant."""


class OutputError(SingleoutError):
    """The result can't be written where it was asked for."""


class GoalError(SingleoutError):
    """Everything was in order, but what was asked for can't be reached, or a check did not pass."""


def one_line(text: str) -> str:
    return " ".join(text.split())


def without_values(message: str, known: Iterable[str] = ()) -> str:
    """A database's own message without what it quotes of the data; names that are `known` may stay.

    >>> without_values('column "age" does not exist', ["age"])
    'column "age" does not exist'
    >>> without_values("Could not convert string 'O'Brien' to INT32, row 17", ["age"])
    'Could not convert string … to INT32, row …'
    """
    if not set(QUOTED.findall(message)) <= set(known):
        message = FROM_FIRST_TO_LAST_QUOTE.sub("…", message)
    return BARE_NUMBER.sub("…", message)


def printable_text(text: str) -> str:
    r"""The name of a file or a column must not steer the terminal.

    >>> printable_text("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def printable_lines(text: str) -> str:
    r"""The same of several lines.

    >>> printable_lines("a\x1b\nb")
    'a\\x1b\nb'
    """
    return "\n".join(map(printable_text, text.split("\n")))


def name_hint(name: str, names: Iterable[str]) -> str:
    """The sentence that points to what was probably meant; dashes before options make none alike.

    >>> name_hint("--usr", ["--user", "--columns", "--seed"])
    "did you mean '--user'?"
    >>> name_hint("people", [])
    'there are none'
    """
    known = list(names)
    by_folded = {_folded(each): each for each in known}
    close = get_close_matches(_folded(name), by_folded, n=3, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(repr(by_folded[each]) for each in close) + "?"
    return _listed(known)


def _folded(name: str) -> str:
    return name.casefold().lstrip("-")


def with_all_names(faults: Iterable[str], names: Iterable[str]) -> str:
    """Hints about names in one line, with what there is at its end, if none of them lists it.

    >>> with_all_names([f"no 'gods'; {name_hint('gods', ['goods', 'date'])}"], ["goods", "date"])
    "no 'gods'; did you mean 'goods'? There are 'goods', 'date'"
    """
    told, there = "; ".join(faults), _listed(list(names))
    if there in told:
        return told
    return f"{told} T{there[1:]}" if told.endswith("?") else f"{told}; {there}"


def _listed(known: Sequence[str]) -> str:
    shown = ", ".join(repr(each) for each in known[:8]) or "none"
    more = f" and {len(known) - 8} more" if len(known) > 8 else ""
    return f"there are {shown}{more}"
