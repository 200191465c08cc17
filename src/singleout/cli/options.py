"""The options that commands share, and how their text is read."""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from singleout.engine.person_table import JoinedHistory
    from singleout.read.source import CsvFormat, Source

Number = TypeVar("Number", int, float)
# what json leaves as it is, and a terminal might obey: C1 controls, marks of direction, invisible characters
STEERING = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
KINDS_OF_TABLES = (
    "file (CSV, JSON, Parquet, Arrow, Excel, SPSS, Stata, SAS, DuckDB, SQLite), - or database::table"
)
KNOWN = "what an attacker may know (quasi-identifiers; default: all)"


def names(text: str) -> list[str]:
    """'a,b' as a list; a name with a comma stands in double quotes."""
    columns = _split_list(text)
    if not columns or not all(columns):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no list of columns; write it like date,time or '\"a,b\",c'"
        )
    return columns


def whole_numbers(text: str) -> list[int]:
    try:
        return [int(each) for each in text.split(",")]
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no list of whole numbers; write it like 1,50"
        ) from error


def numbers_by_name(text: str) -> dict[str, float]:
    """'age=2,sex=0.5': a number for each column."""
    return _numbers(text, float, "age=2,sex=0.5")


def whole_numbers_by_name(text: str) -> dict[str, int]:
    """'age=2,sex=0': a whole number for each column."""
    return _numbers(text, int, "age=2,sex=0")


def new_names(text: str) -> dict[str, str]:
    """'goods=article,price=fee': what columns are called elsewhere."""
    return _texts_by_name(text, "names", "goods=article,price=fee")


def tolerances(text: str) -> dict[str, str]:
    """'date=1 day,price=5%': how far off values of columns may be."""
    return _texts_by_name(text, "tolerances", "'date=1 day,price=5%'")


def _texts_by_name(text: str, what: str, example: str) -> dict[str, str]:
    pairs = _name_pairs(text, what, example)
    if len(dict(pairs)) < len(pairs):
        raise argparse.ArgumentTypeError(f"{text!r} has a column twice; keep one")
    return dict(pairs)


class Once(argparse.Action):
    """Said twice, the last would win and nobody notice."""

    def __call__(self, parser: Any, options: Any, values: Any, option: str | None = None) -> None:
        if getattr(options, self.dest, None) is not None:
            parser.error(f"{option} is given twice; give it once")
        setattr(options, self.dest, values)


def add_policy(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--policy", metavar="POLICY", action=Once,
        help="what the verdict is measured by: a file, or 'internal sharing', 'trusted partner' or 'public' "
        "(default: how far of these three)",
    )  # fmt: skip


def shares(text: str) -> tuple[float, ...]:
    """'0,0.2' as two numbers."""
    try:
        return tuple(float(each) for each in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} are no two shares; write them like 0,0.2") from error


def column_pairs(text: str) -> list[tuple[str, str]]:
    """'age+sex,town+job' as pairs of columns; 'main' are none."""
    if text == "main":
        return []
    pairs = [tuple(each.split("+")) for each in text.split(",")]
    if not all(len(each) == 2 and all(each) for each in pairs):
        raise argparse.ArgumentTypeError(f"{text!r} are no pairs of columns; write age+sex,town+job, or main")
    return [(each[0], each[1]) for each in pairs]


def parts_of_one(text: str) -> list[float]:
    """'0.25,1' as shares above nothing."""
    try:
        numbers = [float(each) for each in text.split(",")]
    except ValueError:
        numbers = [0]
    if not all(0 < each <= 1 for each in numbers):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of shares up to 1; write it like 0.25,0.5,1")
    return numbers


def megabytes(text: str) -> int:
    """'8GB' as whole megabytes, for limits that the system sets."""
    from singleout.engine.open_engine import memory_bytes

    return memory_bytes(text) // 1_000_000


def yes_or_no(text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise argparse.ArgumentTypeError(f"{text!r} must be yes or no")
    return text.lower() == "yes"


def add_table(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """FILE, and how to read it."""
    parser.add_argument(
        "file", metavar="FILE", nargs="?" if optional else None,
        help=KINDS_OF_TABLES,
    )  # fmt: skip
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How to read the tables."""
    reading = parser.add_argument_group("reading")
    reading.add_argument(
        "--delimiter", metavar="TEXT", help="between the fields of a CSV file (default: found out)"
    )
    reading.add_argument(
        "--quote", metavar="TEXT", help="around the fields of a CSV file; '' for none (default: found out)"
    )
    reading.add_argument(
        "--encoding", metavar="TEXT", help="of a CSV file, such as utf-8, cp932, latin-1 (default: found out)"
    )
    reading.add_argument(
        "--header", type=yes_or_no, metavar="yes|no", help="whether a CSV file starts with names"
    )
    reading.add_argument(
        "--missing-text", type=_texts, metavar="TEXTS",
        help="texts of a CSV file that mean missing, comma separated (default: empty and NA)",
    )  # fmt: skip
    reading.add_argument(
        "--types", type=_types, default=(), metavar="COL=KIND,…",
        help="of a CSV file's values: text, integer, number, boolean, date or timestamp (default: all text)",
    )  # fmt: skip
    reading.add_argument(
        "--engine", choices=("duckdb", "postgres", "spark"), help="default: where the data is"
    )


def add_people(parser: argparse.ArgumentParser) -> None:
    """Whose records they are, and what the machine may spend on them."""
    parser.add_argument(
        "--user", metavar="COL", help="the column that names the person; none: each record is its own"
    )
    parser.add_argument("--study", metavar="FILE", help="a study file with the columns' roles")
    parser.add_argument("--memory", metavar="SIZE", help="most memory to use, such as 4GB")
    parser.add_argument("--threads", type=int, metavar="N", help="processor threads to use")


def add_people_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--people-table", metavar="FILE",
        help="a table of one row a person, with the same user column: its columns are known too",
    )  # fmt: skip


def joined(
    options: argparse.Namespace, data: Source, table: str | None, user: str | None = None
) -> tuple[Source, JoinedHistory | None]:
    """The data, joined with a table of its people where one is given; what was noticed goes to the user."""
    if table is None:
        return data, None
    from singleout.engine.person_table import join_people
    from singleout.errors import UsageError
    from singleout.report.terminal.layout import show_notes
    from singleout.roles.study import study_of

    user = user or options.user or getattr(study_of(options.study), "user", None)
    if user is None:
        raise UsageError("a table of people is matched by the user column; name it by --user")
    found = join_people(data, table, user=user, engine=getattr(options, "engine", None))
    show_notes(found.remarks)
    return found.source, found


def people_tables(options: argparse.Namespace) -> list[tuple[str, Source]]:
    """The table of people, if there is one, as evidence names it."""
    from singleout.read.source import source

    return [] if options.people_table is None else [("people table", source(options.people_table))]


def add_truth(
    parser: argparse.ArgumentParser, *, truth: str, several: bool = False
) -> argparse._ArgumentGroup:
    """Who of the original the people of a release are; `several` releases may have a map each."""
    group = parser.add_argument_group("who is who")
    each: dict[str, Any] = {"action": "append", "default": []} if several else {}
    group.add_argument("--truth", metavar="MAP", help=f"CSV release_user,original_user, {truth}", **each)
    group.add_argument(
        "--release-user", metavar="COL", help="the user column of the release (default: as in the original)"
    )
    group.add_argument(
        "--renamed", type=new_names, metavar="COL=NEW,…", help="what the release calls columns"
    )
    group.add_argument(
        "--without-records", action="store_true", help="people of the map whom a table lacks have no records"
    )
    return group


def add_columns(parser: argparse.ArgumentParser, *, wildcard: bool = True, columns: str = KNOWN) -> None:
    """Which columns, and what a missing value does."""
    rules = ("value", "drop", *(["wildcard"] if wildcard else []))
    effects = (
        "is a value, drops the record, or matches all" if wildcard else "is a value, or drops the record"
    )
    parser.add_argument("--columns", type=names, metavar="A,B,…", help=columns)
    parser.add_argument(
        "--missing", default="value", choices=rules, help=f"a missing value {effects} (default: value)",
    )  # fmt: skip


def add_force(parser: argparse.ArgumentParser | argparse._ArgumentGroup, option: str) -> None:
    parser.add_argument("--force", action="store_true", help=f"let {option} replace a file that is there")


def refuse_replacement(target: str, *, force: bool) -> None:
    """A policy, a study, a recipe or a hierarchy may be somebody's handiwork."""
    from pathlib import Path

    from singleout.errors import OutputError

    if Path(target).is_file() and not force:
        raise OutputError(f"{target}: is there already; name another file, or replace it by --force")


def add_shown_values(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--show-values", action="store_true", help="name values of the data in an error that is about them"
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the random draws (default: 0)")
    add_json(parser)


def add_release_output(parser: argparse.ArgumentParser, default: int | None = 0, words: str = "0") -> None:
    """For commands that draw names: their seed may be one that nobody can guess."""
    parser.add_argument(
        "--seed", type=_seed, default=default, metavar="N",
        help=f"of the random draws; 'secret' for one that nobody can guess (default: {words})",
    )  # fmt: skip
    add_json(parser)


def _seed(text: str) -> int | str:
    try:
        return text if text == "secret" else int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number, and not 'secret'") from error


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of tables")


def csv_format(options: argparse.Namespace) -> CsvFormat:
    from singleout.read.source import CsvFormat

    given: dict[str, Any] = {
        "delimiter": {"\\t": "\t", "tab": "\t"}.get(options.delimiter, options.delimiter),
        "quote": options.quote,
        "encoding": options.encoding,
        "header": options.header,
        "types": options.types,
    }
    if options.missing_text is not None:
        given["missing_text"] = options.missing_text
    return CsvFormat(**given)


def tables(paths: Sequence[str], options: argparse.Namespace) -> list[Source]:
    """Several at once: settings of CSV files are for those of them that are CSV files."""
    from singleout.read.source import source

    settings = csv_format(options)
    kinds = [source(path).kind for path in paths]
    no_csv = "csv" not in kinds
    return [
        source(path, csv=settings if no_csv or kind == "csv" else None)
        for path, kind in zip(paths, kinds, strict=True)
    ]


def chosen_options(options: argparse.Namespace, chosen: Sequence[str]) -> dict[str, Any]:
    """The options a Python function takes under the same names."""
    return {name: getattr(options, name) for name in chosen}


def print_json(document: dict[str, Any]) -> None:
    """One document on standard output; escaped where that can't take the characters as they are."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
    text = STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, allow_nan=False, indent=2)
    sys.stdout.write(text + "\n")


def _split_list(text: str) -> list[str]:
    try:
        return next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        return []


def _numbers(text: str, read: Callable[[str], Number], example: str) -> dict[str, Number]:
    pairs = _name_pairs(text, "numbers", example)
    if len(dict(pairs)) < len(pairs):
        raise argparse.ArgumentTypeError(f"{text!r} has a column twice; keep one")
    try:
        return {name: read(said) for name, said in pairs}
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no list of numbers; write it like {example}"
        ) from error


def _texts(text: str) -> tuple[str, ...]:
    try:
        return tuple(next(csv.reader([text]), [])) or ("",)
    except csv.Error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of texts; write it like ?,NA") from error


def _types(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(_name_pairs(text, "types", "price=number,day=date"))


def _name_pairs(text: str, what: str, example: str) -> list[tuple[str, str]]:
    """'price=number,day=date' as pairs; what is said has no equals sign, but a name may."""
    parts = [each.rpartition("=") for each in _split_list(text)]
    if not parts or not all(name and said for name, _, said in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of {what}; write it like {example}")
    return [(name, said) for name, _, said in parts]


def add_granularity(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--granularity", type=_granularity, action="append", default=[], metavar="COL=G,…",
        help="how coarsely a column is known: exact, second … year, 'first 3', 'round 10'; may be repeated",
    )  # fmt: skip


def _granularity(text: str) -> tuple[str, list[str]]:
    """'date=day,month' as the column and how it is known."""
    name, _, listed = text.partition("=")
    ways = [each.strip() for each in listed.split(",")]
    if not name or not all(ways):
        raise argparse.ArgumentTypeError(f"{text!r} is no granularity; write it like date=day,month")
    return name, ways


def granularity_by_column(granularities: list[tuple[str, list[str]]]) -> dict[str, list[str]]:
    by_column = dict(granularities)
    if len(by_column) < len(granularities):
        from singleout.errors import UsageError

        raise UsageError("--granularity names a column twice; list all of its granularities in one")
    return by_column
