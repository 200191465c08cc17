"""`singleout assess FILE`: how risky is each attribute, and all of them together."""

from __future__ import annotations

import argparse
import sys

from singleout.cli import options as shared

SUMMARY = "how risky is each attribute, and all of them together"
COUNTING = ("user", "columns", "study", "missing", "engine", "memory", "threads")
SAMPLING = ("together", "sample", "sampling", "confidence", "sample_sizes", "seed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    shared.add_people(parser)
    parser.add_argument(
        "--together", type=shared.names, action="append", default=[], metavar="A,B",
        help="also assess these columns as one attribute; can be repeated",
    )  # fmt: skip
    parser.add_argument("--sample", type=int, default=10, metavar="N", help="values to sample (default: 10)")
    parser.add_argument(
        "--sampling", default="uniform", choices=("uniform", "tempered"),
        help="draw values alike, or frequent ones more often (default: uniform)",
    )  # fmt: skip
    parser.add_argument(
        "--confidence", type=float, default=0.9, metavar="P", help="of intervals (default: 0.9)"
    )
    parser.add_argument(
        "--sample-sizes", type=shared.whole_numbers, default=[], metavar="N,N",
        help="also tell how sure samples of these sizes would be",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the random draws (default: 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of tables")
    parser.add_argument(
        "--records", metavar="OUT", help="write one line a record to this .csv or .parquet file"
    )
    parser.add_argument(
        "--people", metavar="OUT", help="write one line a person to this .csv or .parquet file"
    )
    parser.add_argument("--show-values", action="store_true", help="add raw values to the records file")


def run(options: argparse.Namespace) -> int:
    from singleout.assessing import assess
    from singleout.cli.bar import bar
    from singleout.files import check_table_target

    for target in filter(None, (options.records, options.people)):
        check_table_target(target)
    counting = shared.common(options, COUNTING) | {"csv": shared.csv_format(options)}
    with bar() as progress:
        found = assess(options.file, **counting, **shared.common(options, SAMPLING), progress=progress)
        _write_lists(options, counting)
    if options.json:
        import json

        sys.stdout.write(json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n")
    else:
        from singleout.report.terminal import show_assessment

        show_assessment(found)
    return 0


def _write_lists(options: argparse.Namespace, counting: dict[str, object]) -> None:
    from singleout.listing import person_risks, record_risks

    if options.records:
        record_risks(options.file, options.records, show_values=options.show_values, **counting)  # type: ignore[arg-type]
    if options.people:
        person_risks(options.file, options.people, **counting)  # type: ignore[arg-type]
