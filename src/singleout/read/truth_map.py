"""The truth map: who the people of a release are in the original; it scores what an attacker guesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

from singleout.checks import is_number
from singleout.errors import InputError, UsageError
from singleout.read.csv_sniffer import row_reader
from singleout.read.hierarchy_file import check
from singleout.read.located_rows import FilePath, numbered_rows, text_of

HEADINGS = ("release_user", "original_user")
DELIMITERS = (",", ";", "\t")
MOST_LISTED = 3


@dataclass(frozen=True)
class Truth:
    """Who is who: one entry a name of the release.

    It has the name there, the name in the original, and the line that says so. A person without an original
    is made up. The names are raw data: no message ever holds one.
    """

    release: tuple[str, ...]
    original: tuple[str | None, ...]
    lines: tuple[int, ...]
    place: str = "truth"
    unit: str = "line"

    @property
    def made_up(self) -> int:
        return self.original.count(None)

    def where(self, indices: Iterable[int]) -> str:
        """The lines of some entries, the first few by their numbers.

        >>> truth_of({name: None for name in "abcdef"}).where([0, 2, 3, 5])
        'entries 1, 3, 4 and 1 more'
        """
        numbers = [f"{self.lines[index]:,}" for index in indices]
        shown, more = numbers[:MOST_LISTED], len(numbers) - MOST_LISTED
        last = [f"{more:,} more"] if more > 0 else []
        *first, end = [*shown, *last]
        unit = self.unit if len(numbers) == 1 else {"line": "lines", "entry": "entries"}[self.unit]
        return f"{unit} {', '.join(first)} and {end}" if first else f"{unit} {end}"


def read_truth(path: FilePath) -> Truth:
    """Read a truth map; all its mistakes are told at once, by their lines and never by a name.

    CSV with the header release_user,original_user, separated by commas, semicolons or tabs; further columns
    are ignored. An empty original_user is a person who was made up. Several names of the release may be of
    the same original person: they are one person to every attack.
    """
    rows = _rows(path)
    first, header = next(rows, (1, []))
    columns = _columns(f"{path}: line {first:,}", header)
    entries, faults = [], []
    for line, cells in rows:
        if len(cells) == len(header):
            entries.append((line, *(cells[column] for column in columns)))
        else:
            faults.append(f"line {line:,} has {len(cells)} cells where the header has {len(header)}")
    if not entries and not faults:
        raise InputError(f"{path}: names nobody; write a line for each person of the release")
    return _checked_truth(entries, faults, str(path), "line")


def truth_of(mapping: Mapping[Any, Any], where: str = "truth") -> Truth:
    """The same from a mapping of names in the release to names in the original, None for a made-up person.

    A name may be a number too, as it stands in the table.

    >>> truth_of({"p1": "ann", "p2": None}).made_up
    1
    """
    if not mapping:
        raise UsageError(f"{where}: names nobody; give an entry for each person of the release")
    entries, faults = [], []
    for number, (release, original) in enumerate(mapping.items(), 1):
        if _is_name(release) and (original is None or _is_name(original)):
            entries.append((number, str(release), "" if original is None else str(original)))
        else:
            faults.append(f"entry {number:,}: a name is a text or a number, or None for a made-up person")
    return _checked_truth(entries, faults, where, "entry")


def _checked_truth(entries: list[tuple[Any, ...]], faults: list[str], where: str, unit: str) -> Truth:
    first_lines: dict[str, int] = {}
    for line, release, _ in entries:
        if not release.strip():
            faults.append(f"{unit} {line:,}: the release_user is empty; name one, or leave the {unit} out")
        elif (first := first_lines.setdefault(release, line)) != line:
            faults.append(same_person(Truth((), (), (first, line), where, unit)))
    check(where, faults)
    lines, release, original = zip(*entries, strict=True)
    names = tuple(name if name.strip() else None for name in original)
    return Truth(release, names, lines, where, unit)


def same_person(truth: Truth, one: int = 0, other: int = 1) -> str:
    """What is wrong with two entries for one person of the release."""
    return f"{truth.where([one, other])} name the same release_user; keep one"


def _is_name(name: Any) -> bool:
    return isinstance(name, str) or (is_number(name) and name == name)


def _rows(path: FilePath) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with its line, split at what stands in the header."""
    lines = list(StringIO(text_of(path, secret=True), newline=""))
    start = next((line for line in lines if line.strip()), "")
    delimiter = max(DELIMITERS, key=start.count)
    return numbered_rows(path, row_reader(lines, delimiter, '"', strict=True))


def _columns(where: str, header: list[str]) -> list[int]:
    names = [cell.strip().casefold() for cell in header]
    if any(names.count(heading) != 1 for heading in HEADINGS):
        raise InputError(f"{where}: the header should be {','.join(HEADINGS)}")
    return [names.index(heading) for heading in HEADINGS]
