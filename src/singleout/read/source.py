"""Where a table is: the text that names it, taken apart once and checked."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from glob import glob, has_magic
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

from singleout.errors import InputError, SingleoutError, UsageError, name_hint
from singleout.files import real_path
from singleout.read.file_signature import COMPRESSED, file_signature

Fingerprint = tuple[tuple[str, int, int, int], ...]
Kind = Literal[
    "csv", "json", "parquet", "arrow", "excel", "spss", "stata", "sas", "duckdb", "sqlite", "postgres",
    "spark", "frame",
]  # fmt: skip
ValueKind = Literal["text", "integer", "number", "boolean", "date", "timestamp"]
VALUE_KINDS: tuple[ValueKind, ...] = get_args(ValueKind)

KIND_BY_ENDING: dict[str, Kind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arrows": "arrow",
    ".duckdb": "duckdb",
    ".ddb": "duckdb",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xlsb": "excel",
    ".xls": "excel",
    ".ods": "excel",
    ".sav": "spss",
    ".zsav": "spss",
    ".por": "spss",
    ".dta": "stata",
    ".sas7bdat": "sas",
    ".xpt": "sas",
}
# of a folder's files, so many are looked at for a name that was meant
MOST_BESIDE = 10_000
STANDARD_INPUT = "-"
NOT_FILES: tuple[Kind, ...] = ("postgres", "spark", "frame")
POSTGRES_URL = re.compile(r"^postgres(ql)?://", re.IGNORECASE)
SPARK_URL = re.compile(r"^(spark|sc://.*)$", re.IGNORECASE)
ANY_URL = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
SECRET_OF_USER = re.compile(r"(://[^:]*):.*@", re.DOTALL)  # up to the last @: a password may hold one too
# of what is no address, though somebody may have meant one: postgresql:/user:password@host
MAYBE_SECRET = re.compile(r"(?<=[\w]):[^:@/\\].*@", re.DOTALL)
MEANT_URL = re.compile(r"^(jdbc:)?(postgres(ql)?|pg|sc|spark):?/{0,3}[^/]*@", re.IGNORECASE)
SECRET_SETTING = re.compile(r"([?&;][^=&;]*(?:pass|secret|token)[^=&;]*=)[^&]*", re.IGNORECASE)
# of what was meant to be an address, and is none: host=h password=secret, postgresql:/user:secret@host
SECRET_WORD = re.compile(r"((?:^|[\s=])(?:ssl)?(?:password|passwd|pwd)\s*=).*", re.IGNORECASE | re.DOTALL)
SECRET_OF_SOMEBODY = re.compile(r"^([^:]*:).*@", re.DOTALL)


@dataclass(frozen=True)
class CsvFormat:
    """How to read a CSV file where the user knows better than the sniffer; None means: find out.

    `types` says of which kind a column's values are, as in `{"price": "number"}`: text (as all are if nothing
    is said), integer, number, boolean, date or timestamp.

    >>> CsvFormat(types={"price": "number"}).types
    (('price', 'number'),)
    """

    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    header: bool | None = None
    missing_text: tuple[str, ...] = ("", "NA")
    types: Mapping[str, str] | Iterable[tuple[str, str]] = ()

    def __post_init__(self) -> None:
        texts: Any = self.missing_text
        if isinstance(texts, str):
            raise UsageError(f"missing_text: {texts!r} is one text; give a tuple of texts")
        pairs = self.types.items() if isinstance(self.types, Mapping) else self.types
        kept = tuple((name, kind) for name, kind in pairs)
        object.__setattr__(self, "types", kept)
        if mistakes := _type_mistakes(kept):
            raise UsageError("; ".join(mistakes))

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each column that has one."""
        return dict(self.types)

    @property
    def settings(self) -> list[str]:
        """The names of the settings that the user made."""
        return [each.name for each in fields(self) if getattr(self, each.name) != each.default]


def _type_mistakes(types: tuple[tuple[str, str], ...]) -> list[str]:
    unknown = [
        f"column {name!r}: {kind!r} is no kind of value; {name_hint(str(kind), VALUE_KINDS)}"
        for name, kind in types
        if kind not in VALUE_KINDS
    ]
    times = Counter(name for name, _ in types)
    return unknown + [f"column {name!r} has two types; keep one" for name in times if times[name] > 1]


@dataclass(frozen=True, repr=False)
class Source:
    """A table that can be opened by an engine: `place` is a path, a glob or a database address."""

    kind: Kind
    place: str
    table: str | None = None
    csv: CsvFormat = field(default_factory=CsvFormat)
    frame: Any = field(default=None, compare=False, repr=False)
    shown: str | None = None

    @property
    def name(self) -> str:
        """The name for people: without a password, which an address may hold."""
        if self.shown is not None:
            return self.shown
        if self.kind not in NOT_FILES:
            return f"{self.place}::{self.table}" if self.table else self.place
        if not self.table:
            return without_secrets(self.place)
        # a password with :: in it, and no table: what looks like the table is the rest of the password
        if "@" in self.table and SECRET_OF_USER.search(f"{self.place}{self.table}"):
            return without_secrets(f"{self.place}::{self.table}")
        return f"{without_secrets(self.place)}::{self.table}"

    def __repr__(self) -> str:
        return f"Source({self.kind!r}, {self.name!r})"

    def files(self) -> list[Path]:
        """The files behind a file source, in a fixed order."""
        if self.kind in NOT_FILES:
            return []
        path = Path(self.place)
        if path.is_dir():
            return sorted(each for each in path.rglob("*.parquet") if _is_data(each.relative_to(path), each))
        return _matches(self.place) if _is_pattern(self.place) else [path]

    def holds(self, target: str | os.PathLike[str]) -> bool:
        """Whether a file written there would replace this data or become part of it."""
        if self.kind in NOT_FILES:
            return False
        path = Path(target).absolute()
        if any(each.exists() and path.exists() and each.samefile(path) for each in self.files()):
            return True
        own_path = Path(self.place).absolute()
        if own_path.is_dir():
            return real_path(path).is_relative_to(real_path(own_path))
        return _is_pattern(self.place) and path.match(str(own_path))


def source(data: Any, *, csv: CsvFormat | None = None, name: str | None = None) -> Source:
    """Say where the table is: a path, a database address with `::table`, or a frame in memory.

    `name` is what a frame is called in results and reports. Named parts of a pandas index are columns too.
    """
    wish = CsvFormat() if csv is None else csv
    if not isinstance(wish, CsvFormat):
        raise UsageError(
            f"csv: a {type(wish).__name__} is no CsvFormat; give one, like CsvFormat(delimiter=';')"
        )
    if isinstance(data, Source):
        return _refuse_settings(data, wish, "comes as a source; give them to it when it is made")
    if not isinstance(data, (str, os.PathLike)):
        return _refuse_settings(_memory_source(data, name), wish, "is a table in memory; leave them out")
    if name is not None:
        raise UsageError("name: is for tables in memory; what has an address is called by it")
    if "\0" in os.fspath(data):
        raise UsageError("the name of the data holds a NUL character; write it without")
    if not os.fspath(data):
        raise UsageError("the name of the data is empty; give a path or a database address")
    if data == STANDARD_INPUT:
        return _standard_input(wish)
    try:
        found = _source_of_text(os.fspath(data), wish)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{without_secrets(str(data))}: can't be reached: {reason}") from error
    if found.kind == "csv":
        return found
    return _refuse_settings(found, wish, f"is no CSV file but of the kind {found.kind}; leave them out")


def _standard_input(wish: CsvFormat) -> Source:
    from singleout.read.standard_input import WORDS, in_words, input_file

    path = input_file()
    if file_signature(path).ending in (".duckdb", ".sqlite"):
        raise UsageError("standard input: is a database; save it as a file, and name its table: FILE::TABLE")
    try:
        return replace(source(path, csv=wish), shown=WORDS)
    except SingleoutError as error:
        raise type(error)(in_words(str(error))) from error


def without_secrets(address: str) -> str:
    """The address of a database without its password; user and host stay.

    Of what is no address, but may have been meant as one, all goes that could be a password.

    >>> without_secrets("postgresql://ann:pass@host/base"), without_secrets("postgresql:/ann:pass@host/base")
    ('postgresql://ann@host/base', 'postgresql:…@host/base')
    """
    shown = SECRET_WORD.sub(r"\1…", address)
    if "://" in shown:
        return SECRET_OF_USER.sub(r"\1@", SECRET_SETTING.sub(r"\1…", shown))
    return SECRET_OF_SOMEBODY.sub(r"\1…@", shown)


def secret_part(address: str) -> str:
    """All that is left out where the address is shown; empty if there is no secret.

    >>> secret_part("postgresql://ann:pass@host/base")
    ':pass'
    """
    shown = without_secrets(address)
    if shown == address:
        return ""
    start = _alike(address, shown)
    end = _alike(address[start:][::-1], shown[start:][::-1])
    return address[start : len(address) - end]


def _alike(one: str, other: str) -> int:
    """How many characters both start with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _shown_path(path: str | os.PathLike[str]) -> str:
    """As it was written, unless it may be an address with a password in it."""
    return MAYBE_SECRET.sub(":…@", os.fspath(path))


def _refuse_settings(origin: Source, wish: CsvFormat, why: str) -> Source:
    """A setting that would have no effect is refused by its name."""
    if wish.settings:
        names = ", ".join(name.replace("_", "-") for name in wish.settings)
        raise UsageError(f"{origin.name}: settings of CSV files were given ({names}), and it {why}")
    return origin


def _is_pattern(path: str) -> bool:
    return has_magic(path) and not Path(path).exists()


def _matches(pattern: str) -> list[Path]:
    # glob takes the place before a last ** for granted
    return sorted(Path(each) for each in glob(pattern, recursive=True) if os.path.lexists(each))  # noqa: PTH207


def _is_data(inside: Path, path: Path) -> bool:
    """Names that start with _ or . are notes and drafts of whoever writes the folder."""
    return path.is_file() and not any(part.startswith(("_", ".")) for part in inside.parts)


def _source_of_text(text: str, csv: CsvFormat) -> Source:
    address, _, table = text.rpartition("::") if "::" in text else (text, "", "")
    if POSTGRES_URL.match(address):
        return Source("postgres", address, _table_of(text, table, "postgresql://host/database::table"))
    if SPARK_URL.match(address):
        return Source("spark", address, _table_of(text, table, "spark::table or sc://host:port::table"))
    if ANY_URL.match(address) and not Path(address).exists():
        raise UsageError(
            f"{without_secrets(text)}: no such address can be read; there are postgresql:// and sc://"
        )
    if without_secrets(text) != text and not _is_there(text) and not _is_there(address):
        raise UsageError(
            f"{without_secrets(text)}: there is no such file, and no such address can be read; write one "
            "like postgresql://user:password@host/database::table"
        )
    kind = _kind_of_file(address)
    if kind in ("duckdb", "sqlite"):
        return _checked_source(Source(kind, address, _table_of(text, table, f"{address}::table")))
    if kind == "excel" and not Path(text).exists():
        return _checked_source(Source(kind, address, table or None))
    if table and not Path(text).exists():
        check_file(Path(address))
        raise UsageError(
            f"{_shown_path(text)}: '::table' names a table in a database, and {address} is a {kind} file"
        )
    return _checked_source(Source(kind, text if Path(text).exists() else address, csv=csv))


def _is_there(path: str) -> bool:
    return Path(path).exists() or bool(_is_pattern(path) and _matches(path))


def _table_of(text: str, table: str, example: str) -> str:
    if not table:
        raise UsageError(f"{without_secrets(text)}: say which table, as in {example}")
    return table


def _kind_of_file(name: str) -> Kind:
    path = Path(name)
    if path.is_dir():
        return "parquet"
    endings = [each.lower() for each in path.suffixes]
    if endings and endings[-1] in COMPRESSED:
        endings.pop()
    if endings and endings[-1] in KIND_BY_ENDING:
        return KIND_BY_ENDING[endings[-1]]
    ending = file_signature(next(iter(_matches(name)), path) if _is_pattern(name) else path).ending
    return KIND_BY_ENDING.get(ending, "csv")


def _checked_source(source: Source) -> Source:
    files = source.files()
    if not files:
        lacking = "a folder without a .parquet file" if Path(source.place).is_dir() else "matched by no file"
        raise InputError(f"{source.place}: is {lacking}; say where the data is")
    for path in files:
        check_file(path)
        _check_compression(path, source.kind)
    return source


def _check_compression(path: Path, kind: Kind) -> None:
    """What is wrong with a CSV file is told where its text is read."""
    compression = "" if kind == "csv" else file_signature(path).compression
    if compression and kind != "json":
        raise InputError(f"{path}: is a file of the kind {kind} that was compressed; decompress it first")
    if compression and path.suffix.lower() != compression:
        raise InputError(f"{path}: is compressed and its name does not say so; add {compression} to the name")


def _hint_of_files(path: Path) -> str:
    """A file beside it that is called nearly so."""
    try:
        beside = [each.name for each in islice(path.parent.iterdir(), MOST_BESIDE)]
    except OSError:
        return ""
    close = get_close_matches(path.name, beside, n=1, cutoff=0.8)
    return f"; did you mean {_shown_path(path.parent / close[0])}?" if close else ""


def check_file(path: Path) -> None:
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{str(path)!r}: the name is not UTF-8; rename the file") from error
    try:
        there = path.exists()
    except OSError as error:
        raise InputError(f"{_shown_path(path)}: {(error.strerror or str(error)).lower()}") from error
    if not there:
        raise InputError(f"{_shown_path(path)}: there is no such file{_hint_of_files(path)}")
    if path.is_dir():
        raise InputError(f"{path}: is a folder, not a file")
    if not path.is_file():
        raise InputError(
            f"{path}: is not a file that can be read twice, such as a pipe; save it as a file first"
        )
    if not os.access(path, os.R_OK):
        raise InputError(f"{path}: may not be read; ask for permission")
    if path.stat().st_size == 0:
        raise InputError(f"{path}: is empty; a header and at least one record are needed")


def _memory_source(data: Any, name: str | None) -> Source:
    if name is not None and not (isinstance(name, str) and name):
        raise UsageError(f"name: {name!r} is none; give a text")
    if type(data).__module__.startswith("pyspark."):
        return Source("spark", name or "spark", frame=data)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "to_arrow_table"):
        return Source("frame", name or type(data).__name__, frame=_with_index(data))
    lazy = "; collect() makes it one" if hasattr(data, "collect") else ""
    raise UsageError(
        f"a {type(data).__name__} is not a table; give a path, a database address, "
        f"or a pandas, polars or pyarrow table{lazy}"
    )


def _with_index(data: Any) -> Any:
    """A pandas frame whose index has names: what it says is data that an attacker may know, too.

    A part that is called like a column is none: the column is meant.
    """
    if type(data).__module__.partition(".")[0] != "pandas" or not hasattr(data, "columns"):
        return data
    names = enumerate(data.index.names)
    levels = [level for level, name in names if name is not None and name not in data.columns]
    return data.reset_index(levels) if levels else data


def fingerprint(source: Source) -> Fingerprint:
    """Which file, its size and time of change: differs if a file was written to or replaced in between."""
    found = []
    for path in source.files():
        try:
            status = path.stat()
        except OSError as error:
            raise InputError(f"{path}: went away while it was read; run again on a copy") from error
        found.append((str(path), status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(found)


def check_unchanged(source: Source, before: Fingerprint) -> None:
    """Refuse files that are not what they were before."""
    if fingerprint(source) != before:
        raise InputError(f"{source.name}: changed while it was read; run again on a copy that stands still")
