"""What it costs an attacker to learn an attribute, exactly or coarsely: from CSV, JSON or a study file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from singleout.errors import InputError, UsageError, name_hint
from singleout.read.located_rows import FilePath, Row, lines, same_width, short_text, text_of

UNITS = ("year", "month", "day", "hour", "minute", "second")
FIRST = re.compile(r"first ([1-9][0-9]{0,3})")
EXACT = ("", "exact")
HEADERS = (("attribute", "cost"), ("attribute", "granularity", "cost"))
NUMBER = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?")
# before and after the point
MOST_DIGITS = 12
DEFAULT = Fraction(1)


@dataclass(frozen=True)
class Price:
    """What knowing an attribute costs; without a granularity, its exact value."""

    attribute: str
    granularity: str | None
    cost: Fraction


@dataclass(frozen=True)
class Costs:
    """What an attacker pays: all prices in the order in which they were written; `place` is where."""

    prices: tuple[Price, ...] = ()
    place: str = "costs"

    def check(self, names: Iterable[str]) -> None:
        """Every attribute with a cost must be a column of the table."""
        if faults := self.unknown(names):
            raise InputError(f"{self.place}: {'; '.join(faults)}")

    def unknown(self, names: Iterable[str]) -> list[str]:
        """What is wrong with the attributes that are no column of the table."""
        known = tuple(names)
        lacking = dict.fromkeys(price.attribute for price in self.prices if price.attribute not in known)
        return [f"the table has no column {name!r}; {name_hint(name, known)}" for name in lacking]

    def without_cost(self, columns: Iterable[str]) -> tuple[str, ...]:
        """The columns that nothing is said of: each costs 1."""
        priced = {price.attribute for price in self.prices}
        return tuple(name for name in columns if name not in priced)

    def of(self, columns: Iterable[str]) -> tuple[Price, ...]:
        """The prices of these columns, column by column.

        >>> costs_of({"age": 0.5, "date": {"month": 1, "day": 3}}).of(["date", "sex"])[1:]
        (Price(attribute='date', granularity='day', cost=Fraction(3, 1)), \
Price(attribute='sex', granularity=None, cost=Fraction(1, 1)))
        """
        found: list[Price] = []
        for name in columns:
            own = [price for price in self.prices if price.attribute == name]
            found.extend(own or [Price(name, None, DEFAULT)])
        return tuple(found)


def read_costs(path: FilePath) -> Costs:
    """Read a file of costs; all its mistakes are told at once.

    CSV has the header attribute,cost or attribute,granularity,cost; JSON is an object such as
    {"age": 1, "date": {"month": 1, "day": 3}}. A granularity is year, month, day, hour, minute, second or
    first N (characters); an empty one, or `exact`, is the exact value. Costs are 0 or more, as written: 0.1
    is a tenth.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".json"):
        raise UsageError(f"{path}: a file of costs is CSV or JSON; let its name end in .csv or .json")
    found = _costs(_of_csv(path) if suffix == ".csv" else _of_json(path), str(path))
    if not found.prices:
        raise InputError(f"{path}: has no cost of any attribute; write one or more")
    return found


def costs_of(table: Mapping[str, Any], where: str = "costs") -> Costs:
    """The same from a mapping, as in a study file's table [costs].

    >>> costs_of({"age": -1, "date": {"week": 2}})
    Traceback (most recent call last):
    singleout.errors.InputError: costs: 'age': cost: -1 is no amount; write a number, 0 or more; \
'date' at 'week': granularity: there are year, month, day, hour, minute, second and first N, not 'week'
    """
    return _costs(_of_pairs(table.items()), where)


def cost_mistakes(table: Any) -> list[str]:
    """All that is wrong with a study file's table [costs]."""
    if not isinstance(table, dict):
        return ["a table [costs] has lines like age = 2"]
    return [f"costs: {fault}" for fault in _prices_and_faults(_of_pairs(table.items()))[1]]


def amount(number: Any) -> Fraction:
    """A cost or a budget, from a number or its text, as it is written in decimals.

    >>> amount("0.1") + amount(0.2) == amount(" .30")
    True
    """
    text = str(number).strip()
    if isinstance(number, Fraction) and number >= 0:
        return number
    if not NUMBER.fullmatch(text) or Decimal(text) < 0:
        raise UsageError(f"{short_text(number)} is no amount; write a number, 0 or more")
    exact = Fraction(text)
    if exact >= 10**MOST_DIGITS or 10**MOST_DIGITS % exact.denominator:
        raise UsageError(
            f"{short_text(number)}: write {MOST_DIGITS} digits at most before and after the point"
        )
    return exact


def granularity(text: Any) -> str | None:
    """A granularity by its name; None is the exact value.

    >>> granularity(" First  3"), granularity("")
    ('first 3', None)
    """
    plain = " ".join(text.casefold().split()) if isinstance(text, str) else "?"
    if plain in EXACT:
        return None
    if plain not in UNITS and not FIRST.fullmatch(plain):
        raise UsageError(f"there are {', '.join(UNITS)} and first N, not {short_text(text)}")
    return plain


def _costs(rows: Iterable[Row], where: str) -> Costs:
    prices, faults = _prices_and_faults(rows)
    if faults:
        raise InputError(f"{where}: {'; '.join(faults)}")
    return Costs(prices, where)


def _prices_and_faults(rows: Iterable[Row]) -> tuple[tuple[Price, ...], list[str]]:
    """The prices, and all that is wrong."""
    prices: dict[tuple[str, str | None], Price] = {}
    faults: list[str] = []
    for row in rows:
        price, mistakes = _price(row.cells)
        if price and prices.setdefault((price.attribute, price.granularity), price) is not price:
            mistakes = [f"attribute: {price.attribute!r} has such a cost already; leave one out"]
        faults.extend(f"{row.where}: {mistake}" for mistake in mistakes)
    return tuple(prices.values()), faults


def _price(cells: tuple[Any, ...]) -> tuple[Price | None, list[str]]:
    faults: list[str] = []
    known: list[Any] = []
    for heading, read, cell in zip(HEADERS[1], (_name, granularity, amount), cells, strict=True):
        try:
            known.append(read(cell))
        except UsageError as fault:
            faults.append(f"{heading}: {fault}")
    return (None if faults else Price(*known)), faults


def _name(cell: Any) -> str:
    if not isinstance(cell, str) or not cell.strip():
        raise UsageError(f"{short_text(cell)} is no name; write an attribute's name")
    return cell


def _of_csv(path: FilePath) -> Iterator[Row]:
    rows = lines(path)
    header = next(rows)
    names = tuple(cell.strip().casefold() for cell in header.cells)
    if names not in HEADERS:
        raise InputError(f"{header.where}: the header should be {' or '.join(map(','.join, HEADERS))}")
    for row in same_width(header, rows):
        where = row.where.removeprefix(f"{path}: ")
        yield Row(where, row.cells if len(names) == 3 else (row.cells[0], "", row.cells[1]))


class _Pairs(tuple[tuple[str, Any], ...]):
    """A JSON object that keeps a name that comes twice."""

    def __repr__(self) -> str:
        return repr(dict(self))


def _of_json(path: FilePath) -> Iterator[Row]:
    try:
        content = json.loads(text_of(path), object_pairs_hook=_Pairs, parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is not JSON: {error}") from error
    if not isinstance(content, _Pairs):
        raise InputError(
            f'{path}: should be an object such as {{"age": 1, "date": {{"month": 1, "day": 3}}}}'
        )
    return _of_pairs(content)


def _of_pairs(pairs: Iterable[tuple[Any, Any]]) -> Iterator[Row]:
    """Of each attribute its cost, or its costs by granularity."""
    for name, known in pairs:
        if isinstance(known, (dict, _Pairs)) and known:
            for each, number in known.items() if isinstance(known, dict) else known:
                yield Row(f"{name!r} at {each!r}", (name, each, number))
        else:
            yield Row(repr(name), (name, "", known))
