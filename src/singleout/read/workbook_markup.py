"""Find what a workbook of Excel tells beside the values of its cells: formulas, looks, rules, old texts."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

FORMULAS = "formulas behind values"
LOOKS = "cells or rows that look other than those of the same column"
OLD_TEXTS = "texts that no cell has"
PARTS_OF_TEXTS = "texts of which parts look different"
SEVERAL_TEXTS = "texts that are stored in several ways"
SEVERAL_NUMBERS = "equal numbers that are written in several ways"
BETWEEN = "remarks or gaps between its parts"
OTHERS = "whatever else its sheet has besides cells"
NAMES = "names of cells or values"
PROPERTIES = "notes in its properties"
UNREADABLE = "parts that can't be looked through"
UNREAD = (
    BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError, ValueError, zlib.error,
    expat.ExpatError,
)  # fmt: skip
SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
TEXTS, BOOK, CORE = "xl/sharedstrings.xml", "xl/workbook.xml", "docprops/core.xml"
# of these a sheet always has some, and none has a value or says which cell is which
PLAIN = {
    "worksheet", "sheetPr", "tabColor", "outlinePr", "pageSetUpPr", "dimension", "sheetViews", "sheetView",
    "pane", "selection", "sheetFormatPr", "cols", "col", "sheetData", "row", "c", "v", "is", "t",
    "autoFilter", "sheetProtection", "printOptions", "pageMargins", "pageSetup", "phoneticPr", "tableParts",
    "tablePart", "drawing", "legacyDrawing",
}  # fmt: skip
WORDS = {
    "f": FORMULAS,
    "r": PARTS_OF_TEXTS,
    "rPr": PARTS_OF_TEXTS,
    "rPh": PARTS_OF_TEXTS,
    "hyperlinks": "links",
    "dataValidations": "lists of what may be written",
    "conditionalFormatting": "rules of how cells look",
    "filterColumn": "filters",
    "headerFooter": "headers or footers",
    "mergeCells": "merged cells",
}
# what is part of one of these is told with it
INSIDE = {
    "hyperlink", "dataValidation", "formula1", "formula2", "cfRule", "formula", "filters", "filter",
    "customFilters", "customFilter", "oddHeader", "oddFooter", "mergeCell", "sqref",
}  # fmt: skip
TEXT_KINDS = ("s", "str", "inlineStr")
# where a row or a cell is, and what is looked at by itself
OF_ROWS, OF_CELLS = {"r", "spans"}, {"r", "s", "t"}
# rows of a block are written with the same span
ROWS_A_BLOCK = 16
# of so many different ones it is remembered how they were written
MOST_NUMBERS = 1_000_000
NOTES = ("title", "subject", "description", "keywords", "category", "contentStatus")
OWN_NAMES = "_xlnm."
LETTERS = re.compile("[A-Z]+")


def markup(path: Path) -> tuple[str, ...]:
    """In words, of which each is there once; the reader of values passes over much that is damaged."""
    try:
        with ZipFile(path) as archive:
            return tuple(dict.fromkeys(_markup(archive)))
    except UNREAD:
        return (UNREADABLE,)


def _markup(archive: ZipFile) -> Iterator[str]:
    if archive.comment or any(each.comment for each in archive.infolist()):
        yield BETWEEN
    names = {each.lower(): each for each in archive.namelist()}
    used: set[int] = set()
    for name in filter(SHEET.fullmatch, names.values()):
        sheet = _Sheet(used)
        _parse(archive, name, sheet)
        yield from sheet.told()
    if TEXTS in names:
        texts = _Texts(used)
        _parse(archive, names[TEXTS], texts)
        yield from texts.told()
    for part, reader in ((BOOK, _DefinedNames()), (CORE, _Properties())):
        if part in names:
            _parse(archive, names[part], reader)
            yield from reader.words


class _Part:
    """Told of each element and text in turn."""

    def start(self, name: str, attributes: dict[str, str]) -> None: ...

    def text(self, text: str) -> None: ...

    def end(self, name: str) -> None: ...

    def remark(self, *said: str) -> None: ...


def _parse(archive: ZipFile, name: str, part: _Part) -> None:
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, attributes: part.start(name.rpartition(":")[2], attributes)
    parser.EndElementHandler = lambda name: part.end(name.rpartition(":")[2])
    parser.CharacterDataHandler = part.text
    parser.CommentHandler = parser.ProcessingInstructionHandler = part.remark
    parser.EntityDeclHandler = _refuse
    parser.buffer_text = True
    with archive.open(name) as file:
        parser.ParseFile(file)


def _refuse(*_declared: object) -> None:
    """A short file could stand for a text that fills the memory."""
    raise ValueError


@dataclass
class _Sheet(_Part):
    """`used` collects the texts that cells have, by their numbers."""

    used: set[int]
    words: set[str] = field(default_factory=set)
    rows: int = 0
    columns: set[str] = field(default_factory=set)
    row_looks: set[tuple[tuple[str, str], ...]] = field(default_factory=set)
    spans: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    cell_looks: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    text_kinds: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    number_kinds: dict[str, set[bool]] = field(default_factory=lambda: defaultdict(set))
    numbers: dict[str, dict[float, str]] = field(default_factory=lambda: defaultdict(dict))
    known_numbers: int = 0
    gaps: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    gap: str = ""
    column: str = ""
    kind: str = ""
    is_explicit: bool = False
    is_text: bool = False
    value: str | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self._row(attributes)
        elif name == "c":
            self._cell(attributes)
        elif name == "v":
            self.value = ""
        elif name == "t":
            self.is_text = True
            if self.rows > 1 and "xml:space" in attributes:
                self.text_kinds[self.column].add("with blanks")
        elif name not in PLAIN and name not in INSIDE:
            self.words.add(WORDS.get(name, OTHERS))
        self.gap = ""

    def _row(self, attributes: dict[str, str]) -> None:
        self.rows += 1
        if self.rows > 1:  # the first has the names of the columns
            self.row_looks.add(tuple(sorted(each for each in attributes.items() if each[0] not in OF_ROWS)))
            block = (int(attributes.get("r", self.rows)) - 1) // ROWS_A_BLOCK
            self.spans[block].add(attributes.get("spans", ""))
            self.gaps["row"].add(self.gap)

    def _cell(self, attributes: dict[str, str]) -> None:
        self.kind, self.is_explicit = attributes.get("t", "n"), "t" in attributes
        letters = LETTERS.match(attributes.get("r", ""))
        self.column = letters[0] if letters else ""
        if not OF_CELLS.issuperset(attributes):
            self.words.add(OTHERS)
        if self.rows == 1:
            self.columns.add(self.column)
        elif self.column in self.columns:
            self.cell_looks[self.column].add(attributes.get("s", "0"))
            self.gaps[self.column].add(self.gap)
            if self.kind in TEXT_KINDS:
                self.text_kinds[self.column].add(self.kind)
        else:
            self.words.add(LOOKS)

    def text(self, text: str) -> None:
        if self.value is not None:
            self.value += text
        elif not self.is_text:
            self.gap += text

    def end(self, name: str) -> None:
        if name == "v" and self.value is not None:
            self._value(self.value)
            self.value = None
        elif name == "t":
            self.is_text = False
        self.gap = ""

    def remark(self, *_said: str) -> None:
        self.words.add(BETWEEN)

    def _value(self, written: str) -> None:
        if self.kind == "s":
            self.used.add(int(written))
            if written != str(int(written)):
                self.words.add(SEVERAL_TEXTS)
        elif self.kind == "n" and self.rows > 1:
            self.number_kinds[self.column].add(self.is_explicit)
            self._number(written)

    def _number(self, written: str) -> None:
        """Equal numbers of a column are written alike by a program."""
        known, number = self.numbers[self.column], float(written)
        if number in known:
            if known[number] != written:
                self.words.add(SEVERAL_NUMBERS)
        elif self.known_numbers < MOST_NUMBERS:
            known[number] = written
            self.known_numbers += 1
        else:
            self.words.add(UNREADABLE)

    def told(self) -> Iterator[str]:
        yield from sorted(self.words)
        if len(self.row_looks) > 1 or _differ(self.spans) or _differ(self.cell_looks):
            yield LOOKS
        if _differ(self.text_kinds):
            yield SEVERAL_TEXTS
        if _differ(self.number_kinds):
            yield SEVERAL_NUMBERS
        if _differ(self.gaps):
            yield BETWEEN


def _differ(by_place: Mapping[Any, Set[Any]]) -> bool:
    return any(len(each) > 1 for each in by_place.values())


@dataclass
class _Texts(_Part):
    """The texts of all cells, of which each should be there once."""

    used: set[int]
    words: set[str] = field(default_factory=set)
    many: int = 0
    written: str = ""
    different: set[str] = field(default_factory=set)

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        if name in WORDS:
            self.words.add(WORDS[name])

    def text(self, text: str) -> None:
        self.written += text

    def end(self, name: str) -> None:
        if name == "si":
            self.many += 1
            self.different.add(self.written)
            self.written = ""

    def told(self) -> Iterator[str]:
        yield from sorted(self.words)
        if len(self.different) < self.many:
            yield SEVERAL_TEXTS
        if self.used != {*range(self.many)}:
            yield OLD_TEXTS


@dataclass
class _DefinedNames(_Part):
    """Excel makes some by itself, such as that of what is printed."""

    words: set[str] = field(default_factory=set)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "definedName" and not attributes.get("name", "").startswith(OWN_NAMES):
            self.words.add(NAMES)


@dataclass
class _Properties(_Part):
    """Who wrote the file is told to everybody who writes one."""

    words: set[str] = field(default_factory=set)
    noted: bool = False

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self.noted = name in NOTES

    def text(self, text: str) -> None:
        if self.noted and text.strip():
            self.words.add(PROPERTIES)

    def end(self, _name: str) -> None:
        self.noted = False
