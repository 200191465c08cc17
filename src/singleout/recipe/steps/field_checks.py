"""What can be wrong with a parameter of a step, whatever the step: each check returns all it finds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from singleout.checks import is_number, is_whole
from singleout.errors import UsageError, name_hint
from singleout.read.located_rows import short_text


def freeze(given: Any) -> Any:
    """A list as a tuple, and so the lists in it; anything else as it is.

    >>> freeze(["age", ["a", "b"]]), freeze("age")
    (('age', ('a', 'b')), 'age')
    """
    return tuple(map(freeze, given)) if isinstance(given, list) else given


def refuse(*mistakes: list[str]) -> None:
    """Tell all mistakes of a step at once.

    >>> refuse(whole_mistakes("seed", -1), share_mistakes("chance", 2))
    Traceback (most recent call last):
    singleout.errors.UsageError: seed: -1 is no whole number from 0 up; chance: 2 is no share; write a \
number above 0, and 1 at most
    """
    if found := [each for some in mistakes for each in some]:
        raise UsageError("; ".join(found))


def names_mistakes(name: str, given: Any, needed: bool = True) -> list[str]:
    """For names of columns: a tuple of texts, each once.

    >>> names_mistakes("columns", ("price", "price"))
    ["columns: names 'price' twice; name it once"]
    """
    if given is None or (needed and isinstance(given, tuple) and not given):
        return [f'{name}: is missing; write it like {name} = ["price"]']
    if not isinstance(given, tuple) or not all(isinstance(each, str) and each for each in given):
        return [f'{name}: {short_text(given)} is no list of columns; write it like {name} = ["price"]']
    twice = [each for each in dict.fromkeys(given) if given.count(each) > 1]
    return [f"{name}: names {each!r} twice; name it once" for each in twice]


def text_mistakes(name: str, given: Any, what: str) -> list[str]:
    """For an optional text."""
    if given is None or (isinstance(given, str) and given):
        return []
    return [f"{name}: {short_text(given)} is no {what}; write it as a text"]


def choice_mistakes(name: str, given: Any, choices: Iterable[str]) -> list[str]:
    known = tuple(choices)
    if isinstance(given, str) and given in known:
        return []
    hint = name_hint(given, known) if isinstance(given, str) else f"there are {', '.join(map(repr, known))}"
    return [f"{name}: {short_text(given)} is unknown; {hint}"]


def whole_mistakes(name: str, given: Any, least: int = 0, needed: bool = False) -> list[str]:
    if given is None:
        return [f"{name}: is missing; write a whole number from {least} up"] if needed else []
    if is_whole(given) and given >= least:
        return []
    return [f"{name}: {short_text(given)} is no whole number from {least} up"]


def number_mistakes(name: str, given: Any, above: float | None = None, needed: bool = False) -> list[str]:
    """For a number that has an end; with `above` only larger ones.

    >>> number_mistakes("to", float("inf"), above=0)
    ['to: inf is no amount; write a number above 0']
    """
    right = f"write a number above {above}" if above is not None else "write one like 10 or 2.5"
    if given is None:
        return [f"{name}: is missing; {right}"] if needed else []
    if _is_finite(given) and (above is None or given > above):
        return []
    return [f"{name}: {short_text(given)} is no {'number' if above is None else 'amount'}; {right}"]


def share_mistakes(name: str, given: Any, most: bool = True) -> list[str]:
    """For an optional share, which may be 1 unless `most` says no."""
    if given is None or (_is_finite(given) and (0 < given < 1 or (most and given == 1))):
        return []
    end = "1 at most" if most else "below 1"
    return [f"{name}: {short_text(given)} is no share; write a number above 0, and {end}"]


def flag_mistakes(name: str, given: Any) -> list[str]:
    return [] if isinstance(given, bool) else [f"{name}: {short_text(given)} is neither true nor false"]


def one_of_mistakes(given: dict[str, Any], least: int = 1, most: int | None = 1) -> list[str]:
    """For parameters of which so many must be given.

    >>> one_of_mistakes({"share": 0.5, "number": 10})
    ['give one of share, number, not share and number']
    >>> one_of_mistakes({"begin": None, "end": None}, most=None)
    ['give one or more of begin, end']
    """
    found = [name for name, each in given.items() if each is not None]
    if least <= len(found) and (most is None or len(found) <= most):
        return []
    asked = f"give {'one' if most == 1 else 'one or more'} of {', '.join(given)}"
    return [f"{asked}, not {' and '.join(found)}" if found else asked]


def only_with_mistakes(given: dict[str, Any], condition: bool, where: str) -> list[str]:
    """For parameters that mean something only together with others."""
    idle = [name for name, each in given.items() if not _is_default(each)]
    return [] if condition else [f"{name}: is only for {where}; leave it out" for name in idle]


def _is_default(given: Any) -> bool:
    return given is None or given is False or (isinstance(given, tuple) and not given)


def _is_finite(number: Any) -> bool:
    try:
        return is_number(number) and math.isfinite(number)
    except OverflowError:
        return False
