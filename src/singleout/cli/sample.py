"""`singleout sample NAME --out FILE`: a generated table of any size."""

from __future__ import annotations

import argparse
import sys

from singleout.cli.options import print_json

SUMMARY = "write a generated table: shop (purchases) or card (payment card)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="shop or card")
    parser.add_argument("--out", required=True, metavar="FILE", help="a .csv or .parquet file")
    parser.add_argument("--people", type=int, metavar="N", help="how many people (default: as published)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="same seed, same table (default: 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    from singleout.errors import printable_text
    from singleout.read.samples import SAMPLES, sample

    written = sample(options.name, people=options.people, seed=options.seed, out=options.out)
    chosen = SAMPLES[options.name]
    if options.json:
        found = {"sample": chosen.name, "out": options.out, "records": written, "user": chosen.user}
        print_json(found)
    else:
        told = f"{chosen.about} of {written:,} records, user column {chosen.user}"
        sys.stdout.write(f"{printable_text(options.out)}: {told}\n")
    return 0
