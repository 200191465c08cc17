"""The ways in which a column's values may be compared, by how they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import product

from singleout.attacks.alignment.date_forms import (
    CLOCK_UNITS,
    DATE_UNITS,
    DateForm,
    ReadDate,
    clock_label,
    date_label,
    day_first,
    month_first,
    time_of_day,
    year_first,
)
from singleout.attacks.alignment.number_forms import (
    NumberForm,
    RoundedNumbers,
    number_form,
    number_of,
    roundings,
)
from singleout.attacks.alignment.reading import UNREAD_ORIGINAL, UNREAD_RELEASE, Label, Reading
from singleout.engine.codes.histories import Value
from singleout.roles.hierarchies.level_rules import SUPPRESSED

# these shares of the different values must fit a form: the original has some that were not released
LEAST_OF_ORIGINAL, LEAST_OF_RELEASE = 0.1, 0.9
MASK = re.compile(r"[*#]+$")
SET = re.compile(r"\{(.*)\}")
WRITINGS = (("", year_first), ("day first, ", day_first), ("month first, ", month_first))
MOST_LENGTHS = 30
# what stands where a coarser unit was written out
FIRSTS = {"quarter": 1, "month": 1, "day": 1, "hour": 0, "minute": 0}
ReadText = Callable[[str], Label]
# in words, and what a text of the original and one of the release become
Way = tuple[str, ReadText, ReadText]


@dataclass(frozen=True, eq=False)
class WrittenValues:
    """The values of a column by their codes, and which of them each table has."""

    values: tuple[Value, ...]
    original: frozenset[int]
    release: frozenset[int]

    def texts(self, side: frozenset[int]) -> list[str]:
        """Those that say something: a star alone says that the value was left out."""
        values = (self.values[code] for code in sorted(side))
        return [value for value in values if value is not None and value != SUPPRESSED]

    def reading(self, words: str, original: ReadText, release: ReadText) -> Reading | None:
        """Each side's values read in its way; None where too few can be."""
        first = self._labels(self.original, original, UNREAD_ORIGINAL, LEAST_OF_ORIGINAL)
        second = self._labels(self.release, release, UNREAD_RELEASE, LEAST_OF_RELEASE)
        if first is None or second is None:
            return None
        return Reading("form", words, first, second)

    def _labels(
        self, side: frozenset[int], read: ReadText, unread: str, least: float
    ) -> tuple[Label, ...] | None:
        labels: list[Label] = [None] * len(self.values)
        filled = [code for code in side if self.values[code] not in (None, SUPPRESSED)]
        failures = (1 - least) * len(filled)
        for code in filled:
            label = read(self.values[code] or "")
            failures -= label is None
            if failures < 0:
                return None
            labels[code] = unread if label is None else label
        return tuple(labels)


def form_readings(written: WrittenValues) -> Iterator[Reading]:
    """Every way that fits nearly all values of both tables."""
    ways = (_text_ways, _date_ways, _number_ways, _interval_ways, _set_ways, _prefix_ways, _rounding_ways)
    for way in ways:
        for words, original, release in way(written):
            reading = written.reading(words, original, release)
            if reading is not None:
                yield replace(reading, guessed=way is _rounding_ways)


def _text_ways(written: WrittenValues) -> Iterator[Way]:  # noqa: ARG001
    yield "but for capitals and blanks", _folded_text, _folded_text


def _folded_text(text: str) -> Label:
    return " ".join(text.casefold().split())


def _date_ways(written: WrittenValues) -> Iterator[Way]:
    """Dates and times at a unit at which one side ends, whichever of them is finer."""
    sides = [written.texts(side) for side in (written.original, written.release)]
    ends = [{words: _last_units(map(read, side), DATE_UNITS) for words, read in WRITINGS} for side in sides]
    for (words, read), (other_words, other) in product(WRITINGS, WRITINGS):
        for unit in sorted(ends[0][words] | ends[1][other_words]):
            original, release = (partial(_date_text, each, unit) for each in (read, other))
            yield f"as dates, {words or other_words}to the {unit}", original, release
    for unit in sorted(set().union(*(_last_units(map(time_of_day, side), CLOCK_UNITS) for side in sides))):
        read_time = partial(_clock_text, unit)
        yield f"as times, to the {unit}", read_time, read_time


def _last_units(forms: Iterable[DateForm | None], units: Sequence[str]) -> set[str]:
    """The finest unit that dates say, and the finest that they need: 2011-11-01 may stand for a month."""
    known = {form for form in forms if form is not None}
    said = [unit for unit in units if any(getattr(form, unit) is not None for form in known)]
    needed = [
        unit for unit in said if any(getattr(form, unit) not in (None, FIRSTS.get(unit)) for form in known)
    ]
    return {*said[-1:], *needed[-1:]}


def _date_text(read: ReadDate, unit: str, text: str) -> Label:
    return date_label(read(text), unit)


def _clock_text(unit: str, text: str) -> Label:
    return clock_label(time_of_day(text), unit)


def _number_ways(written: WrittenValues) -> Iterator[Way]:  # noqa: ARG001
    yield "as numbers", _number_text, _number_text


def _rounding_ways(written: WrittenValues) -> Iterator[Way]:
    """Numbers as multiples of the step that those of one side have in common, or cut off at their ends."""
    numbers = [_numbers(written.texts(side)) for side in (written.release, written.original)]
    if all(numbers):
        for rounded in (*roundings(*numbers), *roundings(*reversed(numbers))):
            read = partial(_rounded_text, rounded)
            yield rounded.words, read, read


def _number_text(text: str) -> Label:
    number = number_of(text)
    return None if number is None else f"{number.normalize():f}"


def _rounded_text(rounded: RoundedNumbers, text: str) -> Label:
    number = number_of(text)
    return None if number is None else rounded.label(number)


def _numbers(texts: Sequence[str]) -> list[Decimal]:
    """None of them where a text is no number."""
    numbers = [number_of(text) for text in texts]
    return [] if None in numbers else [each for each in numbers if each is not None]


def _interval_ways(written: WrittenValues) -> Iterator[Way]:
    """The values of one side by the narrowest interval of the other that contains them."""
    for coarse, words in ((written.release, "the release's"), (written.original, "the original's")):
        intervals = _intervals(written.texts(coarse))
        if intervals:
            read = partial(_interval_text, intervals, {form: form.words for form in intervals})
            yield f"by {words} intervals", read, read


def _intervals(texts: Sequence[str]) -> list[NumberForm]:
    """From the narrowest to the widest; none where they are all single numbers."""
    forms = {form for text in texts if (form := number_form(text)) is not None}
    return sorted(forms, key=lambda form: (form.width, form.low)) if any(form.width for form in forms) else []


def _interval_text(intervals: Sequence[NumberForm], names: Mapping[NumberForm, str], text: str) -> Label:
    form = number_form(text)
    if form is None or form in names:
        return names[form] if form else None
    return next((names[each] for each in intervals if each.contains(form)), None)


def _set_ways(written: WrittenValues) -> Iterator[Way]:
    """The members of one side's sets by the first set, in alphabetical order, that has them."""
    for side in (written.release, written.original):
        sets = sorted(text for text in written.texts(side) if SET.fullmatch(text))
        holders = {member: text for text in reversed(sets) for member in _members(text)}
        if holders:
            read = partial(_set_text, holders)
            yield "by the sets they are in", read, read


def _set_text(holders: Mapping[str, str], text: str) -> Label:
    return holders.get(text, text)


def _members(text: str) -> list[str]:
    inner = SET.fullmatch(text)
    return [] if inner is None else [part.strip() for part in re.split(r"[,;|]", inner[1])]


def _prefix_ways(written: WrittenValues) -> Iterator[Way]:
    """Both sides cut to each length at which one of them ends, the longest first."""
    texts = [written.texts(side) for side in (written.original, written.release)]
    lengths = [{len(MASK.sub("", text)) for text in side} for side in texts]
    longest = [max(side, default=0) for side in lengths]
    masked = any(MASK.search(text) for side in texts for text in side)
    cuts = sorted((length for length in set.union(*lengths) if 0 < length < max(longest)), reverse=True)
    if (longest[0] != longest[1] or masked) and len(cuts) <= MOST_LENGTHS:
        for length in cuts:
            read = partial(_prefix_text, length)
            yield f"by their first {length:,} characters", read, read


def _prefix_text(length: int, text: str) -> Label:
    return MASK.sub("", text)[:length]
