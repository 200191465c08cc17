"""The rules by which one level of a hierarchy makes values coarser."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Context, Decimal, localcontext

from singleout.errors import InputError
from singleout.read.hierarchy_file import HierarchyTable

Label = str | None
Number = int | Decimal

SUPPRESSED = "*"
WHOLE = re.compile(r"\s*[+-]?[0-9]{1,400}\s*")
NUMBER = re.compile(r"\s*[+-]?([0-9]{1,400}(\.[0-9]{0,400})?|\.[0-9]{1,400})([eE][+-]?[0-9]{1,3})?\s*")
# more digits than the difference or the quotient of two such numbers can have
EXACT = Context(prec=4000)
DATE = re.compile(
    r"\s*([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})([ T]([01][0-9]|2[0-3]):[0-5][0-9](?![0-9]).*|\s*)"
)
UNITS = ("hour", "day", "month", "quarter", "year", "decade")


@dataclass(frozen=True)
class LevelRule(ABC):
    """What each value becomes at one level."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The rule for people."""

    @abstractmethod
    def of_filled(self, values: Sequence[str]) -> list[Label]:
        """What the values become that are not missing."""

    def of_missing(self, others: Sequence[Label]) -> Label:
        """A missing value stays missing, unless all others become one and the same: then it joins them."""
        first = others[0] if others else None
        return first if all(each == first for each in others) else None

    def labels(self, values: Sequence[Label]) -> list[Label]:
        """What each value becomes; values that the rule does not fit are an error that lists them all."""
        found = self.of_filled([value for value in values if value is not None])
        if len(found) == len(values):
            return found
        missing, others = self.of_missing(found), iter(found)
        return [missing if value is None else next(others) for value in values]


@dataclass(frozen=True)
class RawLevel(LevelRule):
    words = "as it is"

    def of_filled(self, values: Sequence[str]) -> list[Label]:
        return list(values)

    def of_missing(self, others: Sequence[Label]) -> Label:  # noqa: ARG002
        return None


@dataclass(frozen=True)
class Interval(LevelRule):
    """[start, start + width) with start = origin + a multiple of width, computed exactly.

    >>> Interval(10).labels(["35", "39", "40"]), Interval(10).labels(["-1", "0.5"])
    (['30-39', '30-39', '40-49'], ['[-10, 0)', '[0, 10)'])
    """

    width: Number
    origin: Number = 0

    @property
    def words(self) -> str:
        start = f" from {decimal_text(self.origin)}" if self.origin else ""
        return f"intervals of {decimal_text(self.width)}{start}"

    def of_filled(self, values: Sequence[str]) -> list[Label]:
        numbers = numbers_of(values)
        with localcontext(EXACT):
            indices = [self._place(number) for number in numbers]
            whole = all(isinstance(number, int) for number in (self.width, self.origin, *numbers))
            texts = self._texts(set(indices), whole)
        return [texts[index] for index in indices]

    def _place(self, number: Number) -> int:
        times, rest = divmod(number - self.origin, self.width)
        return int(times) - (rest < 0)  # a decimal's quotient is cut off, not rounded down

    def _texts(self, indices: Iterable[int], whole: bool) -> dict[int, str]:
        starts = {index: self.origin + index * self.width for index in indices}
        if whole and min(starts.values(), default=0) >= 0:
            return {index: self._range_text(start) for index, start in starts.items()}
        return {
            index: f"[{decimal_text(start)}, {decimal_text(start + self.width)})"
            for index, start in starts.items()
        }

    def _range_text(self, start: Number) -> str:
        return str(start) if self.width == 1 else f"{start}-{start + self.width - 1}"


@dataclass(frozen=True)
class Prefix(LevelRule):
    """The first characters; a star says that there were more.

    >>> Prefix(3).labels(["89073", "890", None, "101"])
    ['890*', '890', None, '101']
    """

    keep: int

    @property
    def words(self) -> str:
        return "first character" if self.keep == 1 else f"first {self.keep} characters"

    def of_filled(self, values: Sequence[str]) -> list[Label]:
        keep = self.keep
        return [value if len(value) <= keep else f"{value[:keep]}{SUPPRESSED}" for value in values]


@dataclass(frozen=True)
class MappedLevel(LevelRule):
    """A label for each value, and one for all others if there is a default; that of "" is for the missing.

    >>> MappedLevel({"nurse": "health"}, "other").labels(["nurse", "cook", None])
    ['health', 'other', None]
    """

    map: Mapping[str, Label] = field(hash=False)
    default: str | None = None

    @property
    def words(self) -> str:
        return f"groups of {len(self.map):,} listed values"

    def of_filled(self, values: Sequence[str]) -> list[Label]:
        if self.default is None:
            unfit = [value for value in values if value not in self.map]
            refuse(unfit, "is not in the map", "are not in the map", "add a label for each, or a default")
        return [self.map.get(value, self.default) for value in values]

    def of_missing(self, others: Sequence[Label]) -> Label:
        return self.map[""] if "" in self.map else super().of_missing(others)


@dataclass(frozen=True)
class DateTo(LevelRule):
    """Dates, with or without a time, at a coarser unit.

    >>> [DateTo(unit).labels(["2024-01-31 08:45"])[0] for unit in UNITS]
    ['2024-01-31 08h', '2024-01-31', '2024-01', '2024-Q1', '2024', '2020s']
    """

    to: str

    @property
    def words(self) -> str:
        return self.to

    def of_filled(self, values: Sequence[str]) -> list[Label]:
        parts = [DATE.fullmatch(value) for value in values]
        keys = [each and each.group(1, 3, 4, 6) for each in parts]
        labels = {key: self._label(*key) for key in set(keys) if key}
        unfit = [value for value, key in zip(values, keys, strict=True) if not key or labels[key] is None]
        kind = "date with a time" if self.to == "hour" else "date"
        example = "2024-01-31 08:45" if self.to == "hour" else "2024-01-31"
        refuse(unfit, f"is no {kind}", f"are no {kind}s", f"write all like {example}, or use another rule")
        return [labels[key] for key in keys if key]

    def _label(self, year: str, month: str, day: str, hour: str | None) -> Label:
        try:
            known = date(int(year), int(month), int(day))
        except ValueError:
            return None
        if self.to == "hour":
            return hour and f"{known} {hour}h"
        return _coarse_date(known, self.to)


@dataclass(frozen=True)
class SuppressAll(LevelRule):
    words = "suppressed"

    def of_filled(self, values: Sequence[str]) -> list[Label]:
        return [SUPPRESSED] * len(values)

    def of_missing(self, others: Sequence[Label]) -> Label:  # noqa: ARG002
        return SUPPRESSED


@dataclass(frozen=True, eq=False)
class TableLevel(LevelRule):
    """One level of a CSV file, which says of every value what it becomes."""

    table: HierarchyTable
    level: int

    @property
    def words(self) -> str:
        if not self.level:
            return RawLevel.words
        if all(label == SUPPRESSED for label in self.table.at(self.level)):
            return SuppressAll.words
        return f"level {self.level} of {self.table.name}"

    def of_filled(self, values: Sequence[str]) -> list[Label]:
        level, rows = self.level, [self.table.labels.get(value or None) for value in values]
        unfit = [value for value, row in zip(values, rows, strict=True) if row is None]
        where = f"not in {self.table.name}"
        refuse(unfit, f"is {where}", f"are {where}", "add a row for each")
        return [row[level] for row in rows if row]

    def of_missing(self, others: Sequence[Label]) -> Label:
        if None in self.table.labels:
            return self.table.labels[None][self.level]
        return super().of_missing(others) if self.level else None


def numbers_of(values: Iterable[str]) -> list[Number]:
    """The numbers that the texts are, exactly; whole ones as int."""
    found = [number(value) for value in values]
    unfit = [value for value, known in zip(values, found, strict=True) if known is None]
    refuse(unfit, "is no number", "are no numbers", "write all like 35 or 2.5, or use another rule")
    return [known for known in found if known is not None]


def number(text: str) -> Number | None:
    if WHOLE.fullmatch(text):
        return int(text)
    if not NUMBER.fullmatch(text):
        return None
    exact = Decimal(text)
    return int(exact) if exact == exact.to_integral_value() else exact


def decimal_text(known: Number) -> str:
    """All digits, and no more.

    >>> decimal_text(Decimal("0.10")), decimal_text(Decimal("1e2"))
    ('0.1', '100')
    """
    return format(EXACT.normalize(Decimal(known)), "f")


def refuse(unfit: Sequence[str], one: str, many: str, remedy: str) -> None:
    """Tell how many values a rule does not fit; which they are, the error knows."""
    if unfit:
        count = f"1 value {one}" if len(unfit) == 1 else f"{len(unfit):,} values {many}"
        raise InputError(f"{count}; {remedy}", values=unfit)


def _coarse_date(day: date, unit: str) -> str:
    if unit == "day":
        return str(day)
    if unit == "month":
        return f"{day.year:04}-{day.month:02}"
    if unit == "quarter":
        return f"{day.year:04}-Q{(day.month + 2) // 3}"
    return f"{day.year:04}" if unit == "year" else f"{day.year // 10:03}0s"
