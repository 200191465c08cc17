"""`singleout sample NAME --out FILE`: a generated table of any size."""

from __future__ import annotations

import argparse
import sys

from singleout.cli.options import print_json

SUMMARY = "write a generated table: shop (purchases), card (payment cards) or cardholders (their people)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="shop, card or cardholders")
    parser.add_argument("--out", required=True, metavar="OUT", help="a .csv or .parquet file")
    parser.add_argument(
        "--people-out", metavar="OUT",
        help="of card: also write its table of people, with the ranges of their season tickets",
    )  # fmt: skip
    parser.add_argument("--people", type=int, metavar="N", help="how many people (default: as published)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="same seed, same table (default: 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    from singleout.errors import UsageError, printable_text
    from singleout.files import files_together, real_path
    from singleout.read.samples import SAMPLES, sample

    size = {"people": options.people, "seed": options.seed}
    known = SAMPLES.get(options.name)
    more = {}
    if options.people_out is not None and known is not None and known.people_table is None:
        raise UsageError(f"the sample {known.name} has no table of people; leave --people-out out")
    if options.people_out is not None and real_path(options.people_out) == real_path(options.out):
        raise UsageError("--out and --people-out name the same file; name two")
    with files_together([options.out, options.people_out]):
        written = sample(options.name, **size, out=options.out)
        chosen = SAMPLES[options.name]
        if options.people_out is not None and chosen.people_table is not None:
            people = sample(chosen.people_table, **size, out=options.people_out)
            more = {"people_out": options.people_out, "people": people}
    if options.json:
        found = {"sample": chosen.name, "out": options.out, "records": written, "user": chosen.user}
        print_json({**found, **more})
    else:
        told = f"{chosen.about} of {written:,} records, user column {chosen.user}"
        sys.stdout.write(f"{printable_text(options.out)}: {told}\n")
        if more:
            sys.stdout.write(f"{printable_text(options.people_out)}: their {more['people']:,} people\n")
    return 0
