"""`singleout deidentify suppress FILE --k N`: the fewest cells to blank so that nobody stands out."""

from __future__ import annotations

import argparse

from singleout.cli import options as shared

SUMMARY = "blank the fewest cells so that nobody stands out (cell suppression)"
READING = ("user", "study", "engine", "memory", "threads")
SEARCH = ("k", "size", "sets", "importance", "columns")
RELEASE = ("out", "keep", "order", "diary", "wildcards")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    shared.add_people(parser)
    parser.add_argument(
        "--columns",
        type=shared.names,
        metavar="A,B,…",
        help="what may be blanked (default: all but the user)",
    )
    group = parser.add_argument_group("goals")
    group.add_argument(
        "--k", type=int, required=True, metavar="N",
        help="people (or records) that look alike, at least (k-anonymity)",
    )  # fmt: skip
    group.add_argument(
        "--size", type=int, metavar="N", help="in every set of so many columns (default: in all together)"
    )
    group.add_argument("--sets", metavar="FILE", help="in these sets, one a line, names apart by commas")
    group.add_argument(
        "--importance", type=shared.numbers_by_name, metavar="COL=W,…",
        help="what a blank cell of a column costs (default: 1)",
    )  # fmt: skip
    _add_release(parser)
    shared.add_json(parser)


def _add_release(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("release")
    group.add_argument(
        "--out", metavar="OUT",
        help="write the release (.csv, .parquet, .xlsx, .sav …); without it, only search",
    )  # fmt: skip
    group.add_argument(
        "--blank", default="*", metavar="TEXT",
        help="what a blank cell holds; '' for a missing value (default: *)",
    )  # fmt: skip
    group.add_argument(
        "--wildcards", action="store_true",
        help="a blank cell fits every value, as other tools count it; weaker against who knows the data",
    )  # fmt: skip
    group.add_argument(
        "--fixed",
        dest="keep",
        type=shared.names,
        default=[],
        metavar="COL,…",
        help="other columns, released as they are",
    )
    group.add_argument(
        "--order", default="sorted", choices=("sorted", "shuffled"),
        help="of the records, never that of the data (default: sorted)",
    )  # fmt: skip
    group.add_argument("--diary", metavar="OUT.json", help="write what was done and reached (.json)")


def run(options: argparse.Namespace) -> int:
    from singleout.deidentify.suppress.suppress import suppress
    from singleout.progress_bar import bar
    from singleout.read.source import source

    data = source(options.file, csv=shared.csv_format(options))
    chosen = shared.chosen_options(options, (*READING, *SEARCH, *RELEASE))
    with bar() as progress:
        found = suppress(data, **chosen, blank=options.blank or None, progress=progress)
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.suppress import show_suppression

        show_suppression(found)
    return 0
