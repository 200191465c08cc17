"""The options about the people whom a table is a sample of, the same for every command that takes them."""

from __future__ import annotations

import argparse

from singleout.cli import options as shared


def add_population(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "everybody: whom the table is a sample of, for somebody who does not know who was sampled"
    )
    size = group.add_mutually_exclusive_group()
    size.add_argument("--population", type=int, metavar="N", help="how many people they are")
    size.add_argument(
        "--sampled", type=float, metavar="SHARE", help="which share of them is in the table, like 0.05"
    )
    group.add_argument(
        "--reference", metavar="FILE", action=shared.Once,
        help="a table of all of them with the same columns, in any place that FILE may be (k-map)",
    )  # fmt: skip
    group.add_argument(
        "--reference-user", metavar="COL", help="the person column there, none if there is none"
    )
    group.add_argument("--weight", metavar="COL", help="survey weights: how many people each stands for")
    group.add_argument("--household", metavar="COL", help="who lives together, for the risk by weights")
