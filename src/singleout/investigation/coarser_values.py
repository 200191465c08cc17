"""Coarser ways to write a column: which there are, judged by examples, and the steps of a recipe for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from singleout.errors import InputError, UsageError
from singleout.roles.granularity import SHAPES, Marks, Shape, known_prefix
from singleout.roles.hierarchies.level_rules import DateTo, decimal_text

FINEST_FIRST = ("minute", "hour", "day", "month", "year")
# what a level of a hierarchy can cut dates to; all else is cut as text
OF_DATES = ("hour", "day", "month", "year")
NUMBER = re.compile(r"\s*[+-]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?\s*")
# digits of the same number, so many of them or with a zero in front, name something and count nothing
LEAST_DIGITS_OF_A_CODE = 5
CODE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-"
LONGEST_CODE, MOST_LONGER = 40, 2
STEPS = 3
MOST_EXPONENT = 9


@dataclass(frozen=True)
class Coarsening:
    """A column's first `keep` characters, its numbers in steps of `step`, or, with neither, nothing of it.

    The beginning of a text means the same in all records if they have the `marks`: at each place, counted
    from 1, one of these characters.
    """

    column: str
    granularity: str | None
    words: str
    recipe: str
    keep: int | None = None
    step: Decimal | None = None
    marks: Marks = ()


def coarsenings(column: str, examples: Sequence[str], *, text: bool, dates: bool) -> tuple[Coarsening, ...]:
    """All that fit the examples, the finest first; `dates` are valid ones, `text` may hold codes.

    >>> [each.words for each in coarsenings("date", ["2024-01-31"], text=True, dates=True)]
    ['date to the month', 'date to the year']
    >>> [each.words for each in coarsenings("price", ["0.5", "20", "120"], text=True, dates=False)]
    ['price in steps of 5', 'price in steps of 20', 'price in steps of 100']
    >>> [each.granularity for each in coarsenings("zip", ["89073", "10115"], text=True, dates=False)]
    ['first 3', 'first 2', 'first 1']
    """
    texts = [each for each in examples if each.strip()]
    if not texts:
        return ()
    for shape in SHAPES:
        if all(shape.look.fullmatch(each) for each in texts):
            return tuple(_time_coarsenings(column, texts, shape, dates))
    if text and _is_code(texts):
        return tuple(_code_coarsenings(column, texts))
    if all(NUMBER.fullmatch(each) for each in texts):
        return tuple(_rounding(column, step) for step in nested_steps([Decimal(each) for each in texts]))
    return ()


def column_suppression(column: str) -> Coarsening:
    """Nothing of the column."""
    recipe = _step("suppress", column, 'what = "columns"')
    return Coarsening(column, None, f"{column} left out", recipe)


def are_dates(values: Sequence[str]) -> bool:
    """Whether a hierarchy can cut all of them to a month: there is no 30 February among them."""
    try:
        DateTo("day").labels(values)
    except InputError:
        return False
    return True


def nested_steps(numbers: Sequence[Decimal]) -> list[Decimal]:
    """Up to three steps of 1, 2 or 5 times a power of ten that suit nine tenths of the numbers.

    Each is four or five times the one before, so that what is alike in steps of one is alike in the next.

    >>> [decimal_text(each) for each in nested_steps([Decimal(each) for each in range(18, 80)])]
    ['2', '10', '50']
    """
    ranked = sorted(numbers)
    low, high = ranked[len(ranked) // 20], ranked[-1 - len(ranked) // 20]
    spread = high - low or ranked[-1] - ranked[0]
    if not spread or abs(spread.adjusted()) > MOST_EXPONENT:
        return []
    first, power = int(str(spread.scaleb(-spread.adjusted()))[0]), spread.adjusted()
    digit = max(each for each in (1, 2, 5) if each <= first)
    steps = []
    for _ in range(STEPS):
        steps.append(Decimal(digit).scaleb(power))
        digit, power = {1: (2, power - 1), 2: (5, power - 1), 5: (1, power)}[digit]
    finest = max(min(_exponent(each) for each in ranked), -MOST_EXPONENT)
    return [each for each in reversed(steps) if each > Decimal(1).scaleb(finest)]


def _exponent(number: Decimal) -> int:
    """Of its last digit; a zero at its end counts for nothing behind the point only."""
    exponent = number.normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return min(exponent, 0)


def _is_code(texts: Sequence[str]) -> bool:
    """Letters and digits of one length; where all have a digit and some a letter, of about one length."""
    shortest, longest = min(map(len, texts)), max(map(len, texts))
    if shortest < 2 or longest > LONGEST_CODE or not all(set(each) <= set(CODE) for each in texts):
        return False
    only_digits = all(each.isdigit() for each in texts)
    if not only_digits and all(map(NUMBER.fullmatch, texts)):
        return False
    if shortest < longest:
        mixed = not only_digits and all(any(map(str.isdigit, each)) for each in texts)
        return mixed and longest <= shortest + MOST_LONGER
    return not only_digits or shortest >= LEAST_DIGITS_OF_A_CODE or any(each[0] == "0" for each in texts)


def _time_coarsenings(column: str, texts: Sequence[str], shape: Shape, dates: bool) -> Iterator[Coarsening]:
    for unit in FINEST_FIRST:
        keep = shape.ends.get(unit)
        if keep is None or keep >= min(map(len, texts)):
            continue
        try:
            start = known_prefix(column, unit, texts)
        except UsageError:
            continue
        of_dates = dates and shape is SHAPES[0] and unit in OF_DATES
        rule = f'{{type = "date", to = "{unit}"}}' if of_dates else _prefix(keep)
        yield Coarsening(
            column, unit, f"{column} to the {unit}", _level(column, rule), keep, marks=start.marks
        )


def _code_coarsenings(column: str, texts: Sequence[str]) -> Iterator[Coarsening]:
    """At three, two and one fifths of what is not the same in all of them."""
    length, common = min(map(len, texts)), _common_length(min(texts), max(texts))
    for keep in dict.fromkeys(common + round((length - common) * fifths / 5) for fifths in (3, 2, 1)):
        if not max(common, 1) <= keep < length:
            continue
        words = f"{column} cut to {keep} character{'s' if keep > 1 else ''}"
        # one character more than is kept: the star that says so is then behind every value
        marks = tuple((position, CODE) for position in range(1, keep + 2))
        yield Coarsening(column, f"first {keep}", words, _level(column, _prefix(keep)), keep, marks=marks)


def _common_length(first: str, last: str) -> int:
    """How many characters the first and the last of some texts begin with, and so all between them."""
    both = zip(first, last, strict=False)
    return next(
        (index for index, (one, other) in enumerate(both) if one != other), min(len(first), len(last))
    )


def _rounding(column: str, step: Decimal) -> Coarsening:
    recipe = _step("round", column, f'to = {decimal_text(step)}\nhow = "down"')
    return Coarsening(
        column, f"round {decimal_text(step)}", f"{column} in steps of {decimal_text(step)}", recipe, step=step
    )


def _prefix(keep: int) -> str:
    return f'{{type = "prefix", keep = {keep}}}'


def _level(column: str, rule: str) -> str:
    return _step("generalise", column, f'level = 1\nlevels = [{{type = "raw"}}, {rule}]')


def _step(name: str, column: str, settings: str) -> str:
    """JSON's escapes are TOML's too, but for the one control character that JSON leaves alone."""
    named = json.dumps(column, ensure_ascii=False).replace("\x7f", "\\u007F")
    return f'[[step]]\nstep = "{name}"\ncolumns = [{named}]\n{settings}\n'
