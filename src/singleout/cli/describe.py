"""`singleout describe FILE --user U`: what kind of data this is, before anybody judges it."""

from __future__ import annotations

import argparse

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, save_report, watch_inputs

SUMMARY = "what kind of data this is: records, people, items, how alike people are, sums and frequencies"
DESCRIBED = ("user", "study", "columns", "item", "time", "amount", "category", "domains", "show_values")
MACHINE = ("missing", "seed", "engine", "memory", "threads")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    shared.add_people(parser)
    parser.add_argument(
        "--columns", type=shared.names, metavar="A,B,…", help="columns to describe (default: all)"
    )
    group = parser.add_argument_group("what columns mean")
    group.add_argument("--item", metavar="COL", help="what was bought, used or visited")
    group.add_argument("--time", metavar="COL", help="dates, to add up by month")
    group.add_argument("--amount", metavar="COL", help="a price, a fare: numbers to add up")
    group.add_argument("--category", metavar="COL", help="the kind of a record, such as a card's usage")
    group.add_argument(
        "--domain", dest="domains", action="append", default=[], metavar="NAME=COL+COL@COL=VALUE",
        help="a kind of use, to set beside others: its name, columns and a filter; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--missing", default="drop", choices=("drop", "value"),
        help="missing values are skipped, or count as a value (default: drop)",
    )  # fmt: skip
    parser.add_argument(
        "--show-values", action="store_true",
        help="tell what is single people's own too: ends of ranges, names of categories, dots of a scatter",
    )  # fmt: skip
    add_html(parser)
    shared.add_output(parser)


def run(options: argparse.Namespace) -> int:
    from singleout.investigation.describe.describe import describe
    from singleout.progress_bar import bar
    from singleout.read.source import source

    origin = source(options.file, csv=shared.csv_format(options))
    check_html(options.html, [origin], [options.study])
    with watch_inputs([("data", origin)], [("study", options.study)]) as digests:
        with bar() as progress:
            chosen = shared.chosen_options(options, (*DESCRIBED, *MACHINE))
            found = describe(origin, **chosen, progress=progress)
        if options.html is not None:
            from singleout.report.pages.describe import description_report

            save_report(description_report(found), options, digests())
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.describe import show_description

        show_description(found)
    return 0
