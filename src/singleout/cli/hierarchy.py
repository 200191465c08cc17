"""`singleout hierarchy FILE --column age`: into which coarser values a column's values can be turned."""

from __future__ import annotations

import argparse

from singleout.cli import options as shared

SUMMARY = "build a column's hierarchy: how its values become coarser, level by level"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    parser.add_argument("--column", required=True, metavar="COL", help="whose values become coarser")
    group = parser.add_argument_group("levels (default: suggested by the values)")
    how = group.add_mutually_exclusive_group()
    how.add_argument("--intervals", type=_texts, metavar="N,N", help="of numbers: widths, such as 5,10,20")
    how.add_argument(
        "--prefixes",
        type=shared.whole_numbers,
        metavar="N,N",
        help="of codes: characters to keep, such as 3,1",
    )
    how.add_argument(
        "--date-parts",
        dest="dates",
        type=_texts,
        metavar="A,B",
        help="of dates: from hour, day, month, quarter, year and decade",
    )
    group.add_argument("--origin", default="0", metavar="N", help="where intervals start (default: 0)")
    parser.add_argument(
        "--out", metavar="OUT", help="write it: .csv with one row a value, or .json with one rule a level"
    )
    shared.add_force(parser, "--out")
    shared.add_shown_values(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a table")


def run(options: argparse.Namespace) -> int:
    from singleout.deidentify.hierarchy import hierarchy
    from singleout.read.source import source

    if options.out and not source(options.file).holds(options.out):
        shared.refuse_replacement(options.out, force=options.force)
    chosen = shared.chosen_options(options, ("intervals", "origin", "prefixes", "dates", "out", "engine"))
    found = hierarchy(options.file, options.column, csv=shared.csv_format(options), **chosen)
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.hierarchy import show_hierarchy

        show_hierarchy(found)
    return 0


def _texts(text: str) -> list[str]:
    return [each.strip() for each in text.split(",")]
