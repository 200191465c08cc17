"""`singleout entropy FILE --user U --domain …`: what the records of several domains tell about the person."""

from __future__ import annotations

import argparse

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, save_report, watch_inputs

SUMMARY = "what one record of each kind of use tells about its person (mutual information)"
MEASURING = ("domains", "user", "study", "pairs", "triples", "known", "amount", "missing", "seed")
MACHINE = ("engine", "memory", "threads")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    shared.add_people(parser)
    parser.add_argument(
        "--domain", dest="domains", action="append", required=True, metavar="NAME=COL+COL@COL=VALUE",
        help="a kind of use: its name, the columns whose values it leaves, a filter; can be repeated",
    )  # fmt: skip
    parser.add_argument("--alone", dest="pairs", action="store_false", help="measure each domain alone")
    parser.add_argument("--triples", action="store_true", help="also join three domains at a time")
    parser.add_argument(
        "--points", dest="known", type=shared.whole_numbers, default=[1, 2, 4, 8], metavar="1,2,…",
        help="also the success after so many known records (default: 1,2,4,8)",
    )  # fmt: skip
    parser.add_argument(
        "--given", action="append", default=[], metavar="NAME=VALUE",
        help="a value of a domain that is known of someone: how many it may be; can be repeated",
    )  # fmt: skip
    parser.add_argument("--amount", metavar="COL", help="numbers to add up for each person and to correlate")
    parser.add_argument(
        "--missing", default="drop", choices=("drop", "value"),
        help="missing values are skipped, or count as a value (default: drop)",
    )  # fmt: skip
    add_html(parser)
    shared.add_output(parser)


def run(options: argparse.Namespace) -> int:
    from singleout.progress_bar import bar
    from singleout.read.source import source
    from singleout.risk.entropy.entropy import entropy
    from singleout.roles.domain import known_value

    origin = source(options.file, csv=shared.csv_format(options))
    check_html(options.html, [origin], [options.study])
    chosen = shared.chosen_options(options, (*MEASURING, *MACHINE))
    with watch_inputs([("data", origin)], [("study", options.study)]) as digests:
        with bar() as progress:
            given = [known_value(text) for text in options.given]
            found = entropy(origin, **chosen, given=given, progress=progress)
        if options.html is not None:
            from singleout.report.pages.entropy import disclosure_report

            save_report(disclosure_report(found), options, digests())
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.entropy import show_entropy

        show_entropy(found)
    return 0
