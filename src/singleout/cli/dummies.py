"""`singleout deidentify dummies FILE`: hide each person's item set among others by dummy records."""

from __future__ import annotations

import argparse

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, save_report, watch_inputs

SUMMARY = "hide each person's item set among others by dummy records"
METHODS = ("simple", "1", "2", "search")
COUNTING = ("user", "study", "engine", "memory", "threads", "seed", "columns")
GROUPS = ("clusters", "smallest", "bound", "method", "edit")
VALUES = ("item", "time", "amount", "number", "with_item", "with_person", "spread", "draw_numbers")
RELEASE = ("out", "truth", "dummies", "people_table", "people_out", "diary", "order")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    shared.add_people(parser)
    parser.add_argument(
        "--item", metavar="COL", help="what was bought, used or visited (default: the study's item)"
    )
    _add_clusters(parser)
    _add_values(parser)
    _add_release(parser)
    add_html(parser)
    shared.add_release_output(parser)


def _add_clusters(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("clusters")
    group.add_argument("--clusters", type=int, metavar="C", help="how many clusters people are put into")
    group.add_argument(
        "--smallest", type=int, metavar="S",
        help="people in every cluster, at least (methods 2 and search; default: as equal as can be)",
    )  # fmt: skip
    group.add_argument(
        "--recognised",
        dest="bound",
        type=float,
        metavar="SHARE",
        help="share of people recognised by item sets, at most",
    )
    group.add_argument(
        "--method", default="search", choices=METHODS,
        help="simple, method 1 or 2 of Ito et al. 2020, or a search for the fewest dummies (default: search)",
    )  # fmt: skip
    group.add_argument(
        "--edit", default="add", choices=("add", "remove", "any"),
        help="make the people of a cluster alike by adding records, by removing some, or by whatever takes "
        "the fewest (default: add)",
    )  # fmt: skip


def _add_values(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("values of dummy records")
    group.add_argument(
        "--time", type=shared.names, metavar="COL,…",
        help="which record is the latest, the most telling column first (default: the last in the data)",
    )  # fmt: skip
    group.add_argument(
        "--amount", type=shared.names, metavar="COL,…", help="prices: taken from the item's latest record"
    )
    group.add_argument("--number", metavar="COL", help="how many were bought: 1 in a dummy record")
    group.add_argument(
        "--with-item", type=shared.names, metavar="COL,…", help="other columns that go with the item"
    )
    group.add_argument(
        "--with-person", type=shared.names, metavar="COL,…",
        help="columns that go with the person's record, even if each item has one value there",
    )  # fmt: skip
    group.add_argument(
        "--spread", action="store_true", help="at random records of the person, not all at the latest"
    )
    group.add_argument(
        "--draw-numbers", action="store_true",
        help="number and amount of a random record of the item, not 1 and the latest amount",
    )  # fmt: skip


def _add_release(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("release")
    group.add_argument(
        "--out", metavar="OUT",
        help="write real and dummy records (.csv, .parquet, .xlsx, .sav …); without it, only count",
    )  # fmt: skip
    group.add_argument(
        "--columns",
        type=shared.names,
        metavar="A,B,…",
        help="what is released beside user and item (default: all)",
    )
    group.add_argument("--truth", metavar="MAP", help="write who is who (.csv), for your eyes only")
    group.add_argument(
        "--dummies-out",
        dest="dummies",
        metavar="OUT",
        help="write which records are dummies (.csv, .parquet), likewise",
    )
    group.add_argument(
        "--people-table", metavar="FILE", help="a table of one row a person, with the same user column"
    )
    group.add_argument("--people-out", metavar="OUT", help="write it with the same new names")
    group.add_argument("--diary", metavar="OUT.json", help="write what was done and reached (.json)")
    group.add_argument(
        "--order", default="shuffled", choices=("sorted", "shuffled"),
        help="of the records, never that of the data (default: shuffled)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    from singleout.deidentify.dummies.dummies import dummies
    from singleout.files import files_together
    from singleout.progress_bar import bar
    from singleout.read.source import source

    data = source(options.file, csv=shared.csv_format(options))
    files = [options.study, *(getattr(options, name) for name in RELEASE if name != "order")]
    check_html(options.html, [data], files)
    chosen = shared.chosen_options(options, (*COUNTING, *GROUPS, *VALUES, *RELEASE))
    read = [("data", data), *shared.people_tables(options)]
    with (
        files_together([*files[1:], options.html]),
        watch_inputs(read, [("study", options.study)]) as digests,
        bar() as progress,
    ):
        found = dummies(data, **chosen, progress=progress)
        if options.html is not None:
            from singleout.report.pages.dummies import concealment_report

            save_report(concealment_report(found), options, digests())
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.dummies import show_concealment

        show_concealment(found)
    return 0
