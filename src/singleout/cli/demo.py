"""`singleout demo`: the main job once, on generated shop data."""

from __future__ import annotations

import argparse
import sys

SUMMARY = "generate a shop's purchase history and assess it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the generated data (default: 0)")


def run(options: argparse.Namespace) -> int:
    import tempfile
    from dataclasses import replace
    from pathlib import Path

    from singleout.assessing import assess
    from singleout.cli.bar import bar
    from singleout.read.samples import sample
    from singleout.report.terminal import show_assessment

    with tempfile.TemporaryDirectory(prefix="singleout-") as folder, bar() as progress:
        file = Path(folder) / "shop.csv"
        sample("shop", seed=options.seed, out=file)
        columns = ["date", "time", "goods", "price", "number"]
        found = assess(file, user="customer", columns=columns, sample=50, progress=progress)
    show_assessment(replace(found, source="shop.csv (generated)"))
    sys.stdout.write(
        "\nThe same on your machine, step by step:\n"
        "  singleout sample shop --out shop.csv\n"
        "  singleout assess shop.csv --user customer --columns date,time,goods,price,number --sample 50\n"
    )
    return 0
