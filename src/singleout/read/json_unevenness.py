"""Find what a JSON file tells by how it is written, such as the order of the keys of some of its records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

LAYOUTS = "records whose keys stand in another order, or with other blanks, than those of others"
BETWEEN = "blanks or lines between some records alone"
CHARACTERS = "characters that are written in several ways"
NUMBERS = "equal numbers that are written in several ways"
STRING = r'"(?:[^"\\]++|\\.)*+"'
NUMBER = r"-?[0-9][0-9.eE+-]*+"
RECORD = re.compile(rf'\{{(?:[^"{{}}]++|{STRING})*+\}}', re.DOTALL)
VALUE = re.compile(rf"({STRING}\s*:\s*)(?:{STRING}|{NUMBER}|true|false|null)", re.DOTALL)
KEY = re.compile(STRING, re.DOTALL)
NUMBER_OF_KEY = re.compile(rf"({STRING})\s*:\s*({NUMBER})", re.DOTALL)
PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
ESCAPE = re.compile(rf"{PAIR}|\\u[0-9a-fA-F]{{4}}|\\.")
# these can't stand in a text otherwise
NEVER_BARE = {'"', "\\", *map(chr, range(32))}
# values that can be written in one way only
PLAIN_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?"
PLAIN = rf'(?:"[^"\\]*"|{PLAIN_NUMBER}|true|false|null)'
MARK = "\0"
PIECE = 1 << 20


def uneven_records(path: Path) -> tuple[str, ...]:
    """In words; a reader of values sees none of it."""
    layouts: dict[frozenset[str], set[str]] = {}
    between: set[str] = set()
    escapes: set[str] = set()
    odd: set[str] = set()
    alike: re.Pattern[str] | None = None
    for gap, record in _records(path):
        between.update(() if gap is None else (gap,))
        if alike and alike.fullmatch(record):
            continue
        layout = VALUE.sub(rf"\g<1>{MARK}", record)
        alike = alike or re.compile(PLAIN.join(map(re.escape, layout.split(MARK))))
        layouts.setdefault(frozenset(KEY.findall(layout)), set()).add(layout)
        escapes.update(ESCAPE.findall(record))
        odd.update(key for key, number in NUMBER_OF_KEY.findall(record) if not _is_plain(number))
    words = {
        LAYOUTS: any(len(each) > 1 for each in layouts.values()),
        BETWEEN: len(between) > 1,
        CHARACTERS: bool(escapes) and _are_also_bare(path, escapes),
        NUMBERS: bool(odd) and _stand_both_ways(path, odd),
    }
    return tuple(name for name, there in words.items() if there)


def _is_plain(number: str) -> bool:
    return re.fullmatch(PLAIN_NUMBER, number) is not None


def _records(path: Path) -> Iterator[tuple[str | None, str]]:
    """Each with what stands between it and the one before."""
    rest, begun = "", False
    with path.open(encoding="utf-8", newline="", errors="surrogateescape") as file:
        while piece := file.read(PIECE):
            rest += piece
            end = 0
            for match in RECORD.finditer(rest):
                yield rest[end : match.start()] if begun else None, match[0]
                begun, end = True, match.end()
            rest = rest[end:]


def _are_also_bare(path: Path, escapes: set[str]) -> bool:
    """Whether a character stands escaped here, and otherwise there."""
    characters = [json.loads(f'"{each}"') for each in escapes]
    if len({*characters}) < len(characters):
        return True
    may_be_bare = {*characters} - NEVER_BARE
    return bool(may_be_bare) and any(
        not may_be_bare.isdisjoint(ESCAPE.sub("", record)) for _, record in _records(path)
    )


def _stand_both_ways(path: Path, keys: set[str]) -> bool:
    """Whether a number stands in several writings under one of these keys."""
    written = {
        both for _, record in _records(path) for both in NUMBER_OF_KEY.findall(record) if both[0] in keys
    }
    return len({(key, Decimal(number)) for key, number in written}) < len(written)
