"""`singleout help [COMMAND | reading]`: the page of a command, or how tables are read."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from singleout.cli import options as shared

if TYPE_CHECKING:
    from singleout.cli.parser import Parser

SUMMARY = "the page of a command, or how tables are read (help reading)"
READING = "reading"
PLACES = """\
A table is read from where it is; its kind is found out by its ending, else by
its first bytes.

  shop.csv, shop.tsv.gz, shop.csv.zst   text; how it is written is found out
  shop.parquet, folder/, '*.parquet'    one Parquet file, or several as one
  shop.arrow, shop.feather              Arrow
  shop.json, shop.jsonl, shop.jsonl.gz  an array of objects, or one a line
  people.xlsx, 'people.xlsx::Sheet 2'   a sheet of a workbook: .xlsx, .xls, .ods
                                        … (extra excel)
  survey.sav, .dta, .sas7bdat           SPSS, Stata and SAS, codes as they are
                                        (extra stats)
  shop.duckdb::purchases, a.sqlite::t   a table of a database file
  postgresql://host/database::table     a table of PostgreSQL (extra postgres)
  spark::table, sc://host:15002::table  a table of Spark (extra spark)
  -                                     standard input, of any kind that is no
                                        database

Values of CSV files are text unless --types says otherwise; empty cells and NA
are missing. A missing value is a value like any other unless --missing says
otherwise. What was guessed is told in a note.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "topic", nargs="*", metavar="COMMAND", help="such as assess, deidentify apply, reading"
    )
    parser.add_argument("--all", action="store_true", help="tell what every option says, not only its name")


def run(options: argparse.Namespace) -> int:
    from singleout.errors import UsageError, name_hint

    whole: Parser = options.parser
    if options.topic == [READING]:
        sys.stdout.write(_about_reading())
        return 0
    chosen = whole.of(options.topic)
    if chosen.prog != " ".join([whole.prog, *options.topic]):
        topic = " ".join(options.topic)
        raise UsageError(f"there is no page {topic!r}; {name_hint(topic, [READING, *whole.commands()])}")
    sys.stdout.write(chosen.whole_page() if options.all else chosen.format_help())
    return 0


def _about_reading() -> str:
    reader = argparse.ArgumentParser(
        prog="singleout COMMAND FILE", usage="%(prog)s [options]", add_help=False
    )
    shared.add_reading(reader)
    return f"{PLACES}\n{reader.format_help()}"
