"""The options about the people whom a table is a sample of, the same for every command that takes them."""

from __future__ import annotations

import argparse

from singleout.cli import options as shared


def add_population(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "everybody whom the table is a sample of, if nobody knows who was sampled"
    )
    add_size(group)
    group.add_argument(
        "--reference", metavar="FILE", action=shared.Once,
        help="a table of all of them with the same columns, in any place that FILE may be (k-map)",
    )  # fmt: skip
    group.add_argument(
        "--reference-user", metavar="COL", help="the person column there, none if there is none"
    )
    group.add_argument("--weight", metavar="COL", help="survey weights: how many people each stands for")
    group.add_argument(
        "--log-linear", type=shared.column_pairs, metavar="A+B,…",
        help="a log-linear model of who is unique: pairs of columns that depend on each other, or main",
    )  # fmt: skip
    group.add_argument("--household", metavar="COL", help="who lives together, for the risk by weights")


def add_size(group: argparse._ArgumentGroup) -> None:
    size = group.add_mutually_exclusive_group()
    size.add_argument("--population", type=int, metavar="N", help="how many people they are")
    size.add_argument(
        "--sampled", type=float, metavar="SHARE", help="which share of them is in the table, like 0.05"
    )


def add_sketch(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("instead of all this: tables that are too large to count")
    group.add_argument(
        "--sketch", action="store_true",
        help="estimate from 2,048 values of each column which share of them few people have; no verdict",
    )  # fmt: skip
    group.add_argument(
        "--allow",
        type=int,
        metavar="N",
        help="for --sketch: so many people or fewer are too few (default: 1)",
    )
    group.add_argument(
        "--contained-in", metavar="TABLE",
        help="for --sketch: also which of its columns have the same values, to join both tables by",
    )  # fmt: skip
    group.add_argument(
        "--portable", action="store_true",
        help="for --sketch: a seed chooses the same values in every database (by MD5, slower on files)",
    )  # fmt: skip


def add_known_records(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("known records among everybody")
    group.add_argument(
        "--points", type=shared.whole_numbers, default=[], metavar="1,2,…",
        help="how many different records of a person somebody knows, who looks among all (scaling law)",
    )  # fmt: skip
    shared.add_granularity(group)
