"""`singleout assess FILE`: how risky is each attribute, and all of them together."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from singleout.cli import options as shared

if TYPE_CHECKING:
    from singleout.read.source import Source
    from singleout.roles.study import Study

SUMMARY = "how risky is each attribute, and all of them together"
COUNTING = ("user", "columns", "missing", "engine", "memory", "threads")
SAMPLING = ("together", "sample", "sampling", "confidence", "sample_sizes", "seed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    shared.add_people(parser)
    shared.add_columns(parser)
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
    shared.add_output(parser)
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
    from singleout.read.source import source
    from singleout.roles.study import read_study
    from singleout.session import unchanged

    origin = source(options.file, csv=shared.csv_format(options))
    study = read_study(options.study) if options.study else None
    _check_lists(options, origin, study)
    counting = shared.common(options, COUNTING) | {"study": study}
    with unchanged(origin), bar() as progress:
        found = assess(origin, **counting, **shared.common(options, SAMPLING), progress=progress)
        _write_lists(options, origin, counting)
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal import show_assessment

        show_assessment(found)
    return 0


def _check_lists(options: argparse.Namespace, origin: Source, study: Study | None) -> None:
    """Everything that can be wrong with the lists, before the work."""
    from singleout.errors import UsageError
    from singleout.listing import NO_PEOPLE, check_list

    targets = [target for target in (options.records, options.people) if target is not None]
    for target in targets:
        check_list(target, origin, options.missing)
    if len({Path(target).resolve() for target in targets}) < len(targets):
        raise UsageError("--records and --people name the same file; name two")
    if options.people and not (options.user or (study and study.user)):
        raise UsageError(NO_PEOPLE)
    if options.show_values and not options.records:
        raise UsageError("--show-values adds values to the list of records; say where by --records")


def _write_lists(options: argparse.Namespace, origin: Source, counting: dict[str, Any]) -> None:
    from singleout.listing import person_risks, record_risks

    if options.records:
        record_risks(origin, options.records, show_values=options.show_values, **counting)
    if options.people:
        person_risks(origin, options.people, **counting)
