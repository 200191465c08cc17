"""The ways to read a sensitive column, of which the worst counts: blanks and spellings, apart or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.spelling_variants import spelling_groups
from singleout.risk.sensitive_values import Flags, SensitiveCounts, sensitive_counts

Texts = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class SensitiveReading:
    """What is counted, what the values are, which records count, and which classes have any of these."""

    counts: SensitiveCounts
    texts: Texts
    kept: Flags
    class_numbers: Counts

    def of_records(self, flags: Flags, classes: Codes) -> Flags:
        """Which records count here and are in such a class."""
        every = numpy.zeros(classes.count, dtype=numpy.bool_)
        every[self.class_numbers[flags]] = True
        found: Flags = self.kept & every[classes.codes]
        return found


def sensitive_readings(
    classes: Codes, values: Codes, texts: Sequence[str | None], persons: Codes | None, threads: int = 1
) -> Iterator[SensitiveReading]:
    """First the column as it is: a blank is a value, and so is each spelling."""
    for spelled, names in _spellings(values, tuple(texts)):
        for kept in _with_and_without_blanks(spelled, names):
            numbers, of_kept = _occurring(classes, kept)
            there, values_kept = _occurring(spelled, kept)
            persons_kept = None if persons is None else Codes(persons.codes[kept], persons.count)
            counts = sensitive_counts(of_kept, values_kept, persons_kept, threads=threads)
            yield SensitiveReading(counts, tuple(names[code] for code in there.tolist()), kept, numbers)


def _occurring(codes: Codes, kept: Flags) -> tuple[Counts, Codes]:
    """Which codes some of the records have, and these records by the number among them."""
    some = codes.codes[kept]
    numbers = numpy.flatnonzero(numpy.bincount(some, minlength=codes.count))
    place = numpy.zeros(codes.count, dtype=numpy.uint32)
    place[numbers] = numpy.arange(len(numbers), dtype=numpy.uint32)
    return numbers, Codes(place[some], len(numbers))


def _spellings(values: Codes, texts: Texts) -> Iterator[tuple[Codes, Texts]]:
    yield values, texts
    groups = spelling_groups(texts)
    if groups is None:
        return
    names: list[str | None] = [None] * groups.count
    for group, text in zip(reversed(groups.of.tolist()), reversed(texts), strict=True):
        names[group] = None if group == groups.blank else text
    yield Codes(groups.of[values.codes], groups.count), tuple(names)


def _with_and_without_blanks(values: Codes, texts: Texts) -> Iterator[Flags]:
    yield numpy.ones(len(values.codes), dtype=numpy.bool_)
    blank = [code for code, text in enumerate(texts) if text is None]
    filled: Flags = ~numpy.isin(values.codes, numpy.array(blank, dtype=numpy.uint32))
    if filled.any() and not filled.all():
        yield filled
