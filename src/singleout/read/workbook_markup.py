"""Find what a workbook of Excel tells beside the values of its cells: formulas, looks, rules, old texts."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

FORMULAS = "formulas behind values"
LOOKS = "cells or rows that look other than those of the same column"
OLD_TEXTS = "texts that no cell has"
PARTS_OF_TEXTS = "texts of which parts look different"
SEVERAL_TEXTS = "texts that are stored in several ways"
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
ROW_LOOKS = ("hidden", "ht", "outlineLevel", "s", "collapsed", "thickBot", "thickTop")
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


def _parse(archive: ZipFile, name: str, part: _Part) -> None:
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, attributes: part.start(name.rpartition(":")[2], attributes)
    parser.EndElementHandler = lambda name: part.end(name.rpartition(":")[2])
    parser.CharacterDataHandler = part.text
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
    row_looks: set[tuple[str, ...]] = field(default_factory=set)
    cell_looks: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    text_kinds: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    kind: str = ""
    value: str | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self.rows += 1
            if self.rows > 1:  # the first has the names of the columns
                self.row_looks.add(tuple(attributes.get(each, "") for each in ROW_LOOKS))
        elif name == "c":
            self._cell(attributes)
        elif name == "v":
            self.value = ""
        elif name not in PLAIN and name not in INSIDE:
            self.words.add(WORDS.get(name, OTHERS))

    def _cell(self, attributes: dict[str, str]) -> None:
        self.kind = attributes.get("t", "n")
        letters = LETTERS.match(attributes.get("r", ""))
        column = letters[0] if letters else ""
        if self.rows == 1:
            self.columns.add(column)
        elif column in self.columns:
            self.cell_looks[column].add(attributes.get("s", "0"))
            if self.kind in TEXT_KINDS:
                self.text_kinds[column].add(self.kind)
        else:
            self.words.add(LOOKS)

    def text(self, text: str) -> None:
        if self.value is not None:
            self.value += text

    def end(self, name: str) -> None:
        if name == "v" and self.value is not None:
            if self.kind == "s":
                self.used.add(int(self.value))
            self.value = None

    def told(self) -> Iterator[str]:
        yield from sorted(self.words)
        if len(self.row_looks) > 1 or any(len(each) > 1 for each in self.cell_looks.values()):
            yield LOOKS
        if any(len(each) > 1 for each in self.text_kinds.values()):
            yield SEVERAL_TEXTS


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
