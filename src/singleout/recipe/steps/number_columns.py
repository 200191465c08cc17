"""A column's values as numbers, and numbers written again as the column has them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.errors import InputError
from singleout.recipe.record_table import is_text
from singleout.recipe.steps.distinct_values import Codes

Floats = NDArray[numpy.float64]
Mask = NDArray[numpy.bool_]

MOST_DECIMALS = 12
NUMBER = r"^[+-]?([0-9]{1,400}(\.[0-9]{0,400})?|\.[0-9]{1,400})([eE][+-]?[0-9]{1,3})?$"
DECIMALS = r"^[^.eE]*(?:\.(?P<fraction>[0-9]*))?(?:[eE]\+?(?P<power>-?[0-9]+))?$"
LARGEST = float(numpy.finfo(numpy.float64).max)
# below it a number of steps may be moved by a few of its last bits and keeps its nearest whole number
MOST_MOVED = 2.0**45
MOST_FRACTION = 2.0**52
MOST_WHOLE = 2.0**53
MOST_DIGITS = 76


@dataclass(frozen=True, eq=False)
class Numbers:
    """The numbers of a column: 0.0 where a value is missing.

    `decimals` are the most that any of its values is written with, but no more than 12; `fewest` those that
    every text is written with.
    """

    column: pyarrow.Array
    values: Floats
    missing: Mask
    decimals: int
    fewest: int = 0

    @property
    def kind(self) -> pyarrow.DataType:
        return self.column.type

    def as_column(self, new: Floats, decimals: int | None = None) -> pyarrow.Array:
        """Other numbers in the type of the column, rounded to some decimals, else to those of the column.

        A half is rounded away from zero. Whole numbers stay whole, unless decimals are asked for; numbers
        beyond the range of the type become the last in it. A column of 12 decimals or more is not rounded
        unless asked. Missing values stay so, and a number that does not change stays what it is, with all
        its digits. If one of a column of texts changes, all are written in one form, for else it would tell
        which did: plain digits without a sign of plus, with as many decimals as all had and no more zeros.

        >>> prices = numbers_of("price", pyarrow.array(["2.50", None, "10.25"]))
        >>> prices.as_column(numpy.array([2.5, 7, 12.3])).to_pylist()
        ['2.50', None, '12.30']
        >>> prices = numbers_of("price", pyarrow.array(["2.55", "1e1", "7.50", "08.00"]))
        >>> prices.as_column(numpy.array([2.5, 10, 7.5, 8])).to_pylist()
        ['2.5', '10', '7.5', '8']
        """
        written_decimals = self._written_decimals(decimals)
        rounded = numpy.clip(
            new if written_decimals is None else round_to(new, written_decimals), -LARGEST, LARGEST
        )
        kept = self.missing | (rounded == self.values) | (new == self.values)
        if kept.all():
            return self._home(decimals)
        different, which = numpy.unique(rounded[~kept], return_inverse=True)
        if is_text(self.kind):
            texts = [
                _plain_text(_text(number, written_decimals), self.fewest) for number in different.tolist()
            ]
            return _put_values(self._plain_texts(), ~kept, pyarrow.array(texts), which)
        home = self._home(decimals)
        return _put_values(home, ~kept, _typed_array(different, home.type, written_decimals), which)

    def _plain_texts(self) -> pyarrow.Array:
        """The column's texts, each number written plainly."""
        codes, texts = _text_codes(self.column)
        plain = [*(_plain_text(text, self.fewest) for text in texts.to_pylist()), None]
        return pyarrow.array(plain, self.kind).take(pyarrow.array(codes))

    def _written_decimals(self, decimals: int | None) -> int | None:
        """How many decimals are written; None for as many as there are."""
        if pyarrow.types.is_integer(self.kind):
            return decimals or 0
        if decimals is not None:
            return decimals
        if pyarrow.types.is_decimal(self.kind):
            return int(self.kind.scale)
        return self.decimals if self.decimals < MOST_DECIMALS else None

    def _home(self, decimals: int | None) -> pyarrow.Array:
        """The column, in another type if its own has no room for the decimals."""
        if pyarrow.types.is_integer(self.kind) and decimals and decimals > 0:
            return pyarrow.array(self.values, mask=self.missing)
        if pyarrow.types.is_decimal(self.kind) and decimals is not None and decimals > self.kind.scale:
            digits = self.kind.precision + decimals - self.kind.scale
            wider = pyarrow.decimal128 if digits <= 38 else pyarrow.decimal256
            return self.column if digits > MOST_DIGITS else self.column.cast(wider(digits, decimals))
        return self.column


def numbers_of(name: str, column: pyarrow.Array) -> Numbers:
    """The numbers that a column's values are, be they typed or texts; it is an error if some are none.

    >>> found = numbers_of("price", pyarrow.array(["2.50", None, "1e1"]))
    >>> found.values.tolist(), found.missing.tolist(), found.decimals
    ([2.5, 0.0, 10.0], [False, True, False], 2)
    """
    kind = column.type
    missing = column.is_null().to_numpy(zero_copy_only=False)
    if pyarrow.types.is_null(kind):
        return Numbers(column, numpy.zeros(len(column)), missing, 0)
    if is_text(kind):
        return Numbers(column, *_numbers_of_texts(name, column, missing))
    if not (
        pyarrow.types.is_integer(kind) or pyarrow.types.is_decimal(kind) or pyarrow.types.is_floating(kind)
    ):
        raise InputError(f"column {name!r}: its values are no numbers but {kind}; name a column of numbers")
    values = column.cast(pyarrow.float64(), safe=False).fill_null(0.0).to_numpy(zero_copy_only=False)
    unfit = int(numpy.count_nonzero(~numpy.isfinite(values)))
    if unfit:
        raise InputError(
            f"column {name!r}: {unfit:,} of its {len(column):,} values are infinite or not a number; "
            "make them missing, or name another column"
        )
    return Numbers(column, values, missing, _typed_decimals(column))


def round_to(values: Floats, decimals: int) -> Floats:
    """Each number with so many decimals, a half away from zero, also one that binary digits just miss.

    >>> round_to(numpy.array([0.5, -2.5, 1.005]), 0).tolist(), round_to(numpy.array([1.005]), 2).tolist()
    ([1.0, -3.0, 1.0], [1.01])
    """
    step = 10.0 ** abs(decimals)
    with numpy.errstate(over="ignore"):
        steps = numpy.abs(values) * step if decimals >= 0 else numpy.abs(values) / step
    moved = numpy.where(steps < MOST_MOVED, steps * (1 + 2.0**-51), steps)
    whole = numpy.floor(moved + 0.5)
    size = whole / step if decimals >= 0 else whole * step
    return numpy.where(steps < MOST_FRACTION, numpy.copysign(size, values), values) + 0.0


def _numbers_of_texts(name: str, column: pyarrow.Array, missing: Mask) -> tuple[Floats, Mask, int, int]:
    codes, texts = _text_codes(column)
    alike = pyarrow.compute.match_substring_regex(texts, NUMBER)
    numbers = numpy.array([float(text) for text in texts.filter(alike).to_pylist()], dtype=numpy.float64)
    unfit = len(texts) - int(numpy.count_nonzero(numpy.isfinite(numbers)))
    if unfit:
        raise InputError(
            f"column {name!r}: {unfit:,} of its {len(texts):,} different values are no numbers; "
            "write all like 35 or 2.5, or name another column"
        )
    decimals = _decimals(texts)
    fewest = max(int(decimals.min()), 0) if len(decimals) else 0
    return numpy.append(numbers, 0.0)[codes], missing, _most_decimals(decimals), fewest


def _text_codes(column: pyarrow.Array) -> tuple[Codes, pyarrow.LargeStringArray]:
    """The different texts without blanks around them, and which each is; one past the last is missing."""
    encoded = column.cast(pyarrow.large_string()).dictionary_encode()
    codes = encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False)
    return codes, pyarrow.compute.utf8_trim_whitespace(encoded.dictionary)


def _typed_decimals(column: pyarrow.Array) -> int:
    if pyarrow.types.is_integer(column.type):
        return 0
    if pyarrow.types.is_decimal(column.type):
        return min(max(int(column.type.scale), 0), MOST_DECIMALS)
    shortest = column.unique().drop_null().cast(pyarrow.large_string())
    return _most_decimals(_decimals(shortest, counted_zeros=False))


def _decimals(texts: pyarrow.Array, counted_zeros: bool = True) -> NDArray[numpy.int64]:
    """How many decimals each number is written with."""
    parts = pyarrow.compute.extract_regex(texts, DECIMALS)
    fraction, power = (pyarrow.compute.struct_field(parts, name) for name in ("fraction", "power"))
    if not counted_zeros:
        fraction = pyarrow.compute.utf8_rtrim(fraction, "0")
    digits = pyarrow.compute.utf8_length(fraction).cast(pyarrow.int64())
    powers = pyarrow.compute.if_else(pyarrow.compute.equal(power, ""), "0", power).cast(pyarrow.int64())
    return numpy.asarray(pyarrow.compute.subtract(digits, powers).to_numpy(zero_copy_only=False))


def _most_decimals(decimals: NDArray[numpy.int64]) -> int:
    return min(int(decimals.max(initial=0)), MOST_DECIMALS)


def _put_values(home: pyarrow.Array, changed: Mask, written: pyarrow.Array, which: Codes) -> pyarrow.Array:
    """The column with these of the values written where it has changed."""
    new = written.cast(home.type).take(pyarrow.array(which))
    return pyarrow.compute.replace_with_mask(home, pyarrow.array(changed), new)


def _typed_array(numbers: Floats, kind: pyarrow.DataType, decimals: int | None) -> pyarrow.Array:
    if pyarrow.types.is_integer(kind):
        return _as_whole(numbers, kind)
    if pyarrow.types.is_decimal(kind):
        return _as_decimals(numbers, kind, decimals)
    most_float = float(numpy.finfo(kind.to_pandas_dtype()).max)
    return pyarrow.array(numpy.clip(numbers, -most_float, most_float)).cast(kind)


def _as_whole(numbers: Floats, kind: pyarrow.DataType) -> pyarrow.Array:
    limits = numpy.iinfo(kind.to_pandas_dtype())
    whole = [max(int(limits.min), min(int(limits.max), int(number))) for number in numbers.tolist()]
    return pyarrow.array(whole, kind)


def _as_decimals(numbers: Floats, kind: pyarrow.DataType, decimals: int | None) -> pyarrow.Array:
    # made of digits, and negated, without the rounding of decimals that are calculated with
    most = Decimal((0, (9,) * kind.precision, -kind.scale))
    fitting = kind.scale if decimals is None else min(decimals, kind.scale)
    exact = (Decimal(_text(number, fitting)) for number in numbers.tolist())
    return pyarrow.array([max(most.copy_negate(), min(most, each)) for each in exact], kind)


def _text(number: float, decimals: int | None) -> str:
    """With so many decimals; one that can have none is told by its shortest digits."""
    return repr(number) if decimals is None or abs(number) >= MOST_WHOLE else f"{number:.{max(decimals, 0)}f}"


def _plain_text(text: str, fewest: int) -> str:
    """The same number without exponent, plus, zeros before it, or more than a few zeros after it."""
    number = Decimal(text)
    whole, _, fraction = f"{number if number else number.copy_abs():f}".partition(".")
    fraction = fraction.rstrip("0").ljust(fewest, "0")
    return f"{whole}.{fraction}" if fraction else whole
