"""`singleout data NAME --from FILE --out OUT`: a table of the papers from a published data set."""

from __future__ import annotations

import argparse
import sys

from singleout.cli.options import add_json, print_json

SUMMARY = "the papers' tables (t1, t2, t3, adult) from the data sets as they are published"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="t1, t2, t3 or adult")
    parser.add_argument(
        "--from", dest="source", metavar="FILE",
        help="the data set's file; without it, the error says where it is published",
    )  # fmt: skip
    parser.add_argument("--out", required=True, metavar="OUT", help="a .csv or .parquet file")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from singleout.errors import printable_text
    from singleout.read.published_tables import TABLES, data

    written = data(options.name, source=options.source, out=options.out)
    chosen = TABLES[options.name]
    if options.json:
        print_json(
            {
                "table": chosen.name,
                "out": options.out,
                "records": written,
                "user": chosen.user,
                "digest": chosen.digest,
                "published": chosen.address,
                "licence": chosen.licence,
            }
        )
        return 0
    whose = f"user column {chosen.user}" if chosen.user else "each record is a person"
    told = f"{chosen.about}: {written:,} records, {whose}, digest as expected"
    sys.stdout.write(f"{printable_text(options.out)}: {told}\n")
    return 0
