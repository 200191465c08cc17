"""A metric that somebody wrote: one SQL SELECT, one Python function or an R script, below a header."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import isinf
from pathlib import PurePath
from sys import float_info
from typing import Any, Literal, get_args
from unicodedata import category

from singleout.checks import is_number
from singleout.errors import UsageError, name_hint
from singleout.measurement import Measure
from singleout.platform.contest import FAMILIES, PARTS, Contest, Family, is_attack_name
from singleout.utility.catalogue import UTILITY_MEASURES

Language = Literal["sql", "python", "r"]
TableForm = Literal["arrow", "pandas", "polars"]
Direction = Literal["lower", "higher"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
TABLE_FORMS: tuple[TableForm, ...] = get_args(TableForm)
LANGUAGES: dict[str, Language] = {".sql": "sql", ".py": "python", ".r": "r"}
ENDINGS: dict[str, str] = {language: ending for ending, language in LANGUAGES.items()}
COMMENTS: dict[Language, str] = {"sql": "--", "python": "#", "r": "#"}
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
MOST_BYTES, LONGEST_TITLE = 100_000, 200
START, END = "/// metric", "///"
NEEDED = ("name", "family", "better", "range")
KNOWN = (*NEEDED, "title", "tables", "secret")
TAKEN = {each.name for each in UTILITY_MEASURES}
DIGITS_OF_SECRETS = 2
# controls, marks of direction, separators of lines, what is nobody's
INVISIBLE = ("Cc", "Cf", "Co", "Cn", "Zl", "Zp")


@dataclass(frozen=True)
class UploadedMetric:
    """A metric and its text; `digest` names this version of it, and no other.

    `secret` says that it reads the map of who is who: it runs only where an organiser approved this version.
    """

    name: str
    family: Family
    better: Direction
    lowest: float
    highest: float
    language: Language
    text: str
    title: str = ""
    tables: TableForm = "arrow"
    secret: bool = False

    @property
    def digest(self) -> str:
        return sha256(self.text.encode()).hexdigest()

    @property
    def measure(self) -> Measure:
        """As its author declared it: what is counted and how is theirs to say."""
        said = self.title or self.name
        return Measure(
            name=self.name, title=said, question=said, formula=f"as uploaded ({self.language})",
            unit="as declared", lowest=self.lowest, highest=None if isinf(self.highest) else self.highest,
            better=self.better, counted_over="records", missing="as its author decided",
            reference=f"uploaded, sha256 {self.digest}",
        )  # fmt: skip

    def judged(self, value: float | None, reason: str | None) -> tuple[float | None, str | None]:
        """The value, or why there is none; what is outside of the declared range is no value."""
        if value is None:
            return None, reason or "the metric gave no value"
        if not self.lowest <= value <= self.highest:
            shown = f"{value:.6g}" if not self.secret else "a value"
            return None, f"it gave {shown}, outside its range {self.lowest:g} to {self.highest:g}"
        return (_rounded(value) if self.secret else value), None


def _rounded(value: float) -> float:
    """Of what saw who is who, only the first digits.

    >>> _rounded(0.12345), _rounded(98765.0)
    (0.12, 99000.0)
    """
    return float(f"{value:.{DIGITS_OF_SECRETS}g}")


def read_metric(content: bytes, file_name: str) -> UploadedMetric:
    """By the header in its first comment; all that is wrong with it is told at once.

    >>> lines = ["-- /// metric", '-- name = "kept"', '-- family = "utility"', '-- better = "higher"',
    ...     "-- range = [0, 1]", "-- ///", "SELECT 1"]
    >>> read_metric("\\n".join(lines).encode(), "kept.sql").highest
    1.0
    """
    text, language = _text(content), _language(file_name)
    header = _header(text, COMMENTS[language])
    if faults := [*_faults(header, language)]:
        raise UsageError(f"metric: {'; '.join(faults)}")
    lowest, highest = header["range"]
    return UploadedMetric(
        header["name"], header["family"], header["better"], float(lowest), float(highest), language, text,
        header.get("title", ""), header.get("tables", "arrow"), header.get("secret", False),
    )  # fmt: skip


def _text(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise UsageError(f"metric: a file of at most {MOST_BYTES:,} bytes is taken")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("metric: the file is no text in UTF-8") from error
    if "\0" in text:
        raise UsageError("metric: the file is no text; it holds NUL")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def check_visible(metric: UploadedMetric) -> None:
    """What turns letters around, or is none, can show an organiser another program than the one that runs."""
    for number, line in enumerate(metric.text.split("\n"), 1):
        if (hidden := _hidden(line.replace("\t", ""))) is not None:
            raise UsageError(
                f"metric: line {number} has U+{ord(hidden):04X}, which nobody sees and which can hide what "
                "it does; write it as an escape"
            )
    if _hidden(metric.title) is not None:
        raise UsageError("metric: title: write letters that can be seen")


def _hidden(text: str) -> str | None:
    return next((each for each in text if category(each) in INVISIBLE), None)


def _language(file_name: str) -> Language:
    ending = PurePath(file_name).suffix.lower()
    if ending not in LANGUAGES:
        raise UsageError("metric: its name ends in .sql, .py or .R, by the language that it is written in")
    return LANGUAGES[ending]


def _header(text: str, mark: str) -> dict[str, Any]:
    lines = [each.strip() for each in text.split("\n")]
    start, end = f"{mark} {START}", f"{mark} {END}"
    if start not in lines or end not in lines[lines.index(start) + 1 :]:
        raise UsageError(f"metric: begin with a header from a line '{start}' to a line '{end}'")
    first = lines.index(start) + 1
    inside = lines[first : lines.index(end, first)]
    if any(not each.startswith(mark) for each in inside):
        raise UsageError(f"metric: each line of the header begins with {mark}")
    try:
        return tomllib.loads("\n".join(each.removeprefix(mark) for each in inside))
    except (ValueError, RecursionError) as error:  # also of a number with too many digits
        raise UsageError(f"metric: the header is not TOML: {error}") from error


def _faults(header: Mapping[str, Any], language: Language) -> Iterator[str]:
    for key in header:
        if key not in KNOWN:
            yield f"{key!r} is unknown in the header; {name_hint(key, KNOWN)}"
    lacking = [key for key in NEEDED if key not in header]
    if lacking:
        yield f"the header lacks {', '.join(lacking)}"
        return
    name = header["name"]
    if not isinstance(name, str) or not NAME.fullmatch(name):
        yield "name: write small letters, digits and underscores, like goods_kept"
    elif name in TAKEN or is_attack_name(name):
        yield f"name: {name!r} is one of singleout's own; choose another"
    if header["family"] not in FAMILIES:
        yield f"family: {header['family']!r} is none; {name_hint(str(header['family']), FAMILIES)}"
    if header["better"] not in DIRECTIONS:
        yield f"better: {header['better']!r} is none; {name_hint(str(header['better']), DIRECTIONS)}"
    yield from _range_faults(header["range"])
    if header["family"] == "privacy" and (header["better"] != "lower" or header["range"] != [0, 1]):
        yield 'a metric of privacy is a risk: write better = "lower" and range = [0, 1]'
    yield from _option_faults(header, language)


def _range_faults(found: Any) -> Iterator[str]:
    is_pair = isinstance(found, list) and len(found) == 2 and all(map(_is_end, found))
    if not is_pair or not found[0] < found[1]:
        yield "range: write the lowest and the highest value, like [0, 1] or [0, inf]"


def _is_end(number: Any) -> bool:
    """A whole number of TOML may be larger than any value."""
    return is_number(number) and (isinstance(number, float) or abs(number) <= float_info.max)


def _option_faults(header: Mapping[str, Any], language: Language) -> Iterator[str]:
    if not isinstance(title := header.get("title", ""), str) or len(title) > LONGEST_TITLE:
        yield f"title: write a text of at most {LONGEST_TITLE} characters"
    if (form := header.get("tables", "arrow")) not in TABLE_FORMS:
        yield f"tables: {form!r} is none; {name_hint(str(form), TABLE_FORMS)}"
    elif "tables" in header and language != "python":
        yield "tables: only a Python metric may choose how tables come"
    if not isinstance(header.get("secret", False), bool):
        yield "secret: write true or false"


def header_text(language: Language, **said: Any) -> str:
    """The header that a form's fields make, ready to stand at the top of a file.

    >>> print(header_text("sql", name="kept", family="utility", better="higher", range="[0, 1]"))
    -- /// metric
    -- name = "kept"
    -- family = "utility"
    -- better = "higher"
    -- range = [0, 1]
    -- ///
    """
    mark = COMMENTS[language]
    lines = [f"{key} = {value}" if key == "range" else f'{key} = "{value}"' for key, value in said.items()]
    return "\n".join(f"{mark} {each}" for each in (START, *lines, END))


def metric_parameters(contest: Contest) -> dict[str, str | int]:
    """What a metric is told of the contest: the column of people, columns by what they mean, the seed."""
    parts = {part: contest.parts[part] for part in PARTS if part in contest.parts}
    told = {part: named if isinstance(named, str) else ",".join(named) for part, named in parts.items()}
    return {**({} if contest.user is None else {"user": contest.user}), **told, "seed": contest.seed}
