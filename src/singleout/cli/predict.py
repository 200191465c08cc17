"""`singleout predict FILE` or `singleout predict --avfm FILE`: the risk from statistics alone."""

from __future__ import annotations

import argparse

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, save_report, watch_inputs

SUMMARY = "the average risk predicted from statistics alone, also before the data is collected"
FROM = ("avfm", "pairs", "knowledge")
HOW = (
    "methods", "samples", "capacity", "strong", "sure", "likely", "frequent", "groups", "seed",
)  # fmt: skip
CHANGES = ("drop", "add", "records")
WRITTEN = ("write_avfm", "write_pairs", "write_knowledge", "show_values")
COUNTING = ("user", "columns", "study", "missing", "engine", "memory", "threads")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser, optional=True)
    shared.add_people(parser)
    shared.add_columns(parser, wildcard=False)
    _add_statistics(parser)
    _add_methods(parser)
    _add_thresholds(parser)
    _add_changes(parser)
    add_html(parser)
    shared.add_output(parser)


def _add_statistics(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("statistics")
    group.add_argument("--avfm", metavar="FILE", help="value frequencies (.csv or .json) instead of FILE")
    group.add_argument("--pairs", metavar="FILE", help="pair tables (.csv or .json) that go with --avfm")
    group.add_argument(
        "--knowledge", metavar="FILE", help="which values go together, for semi_random (.csv or .json)"
    )
    group.add_argument("--knowledge-from", metavar="FILE", help="another, larger table to learn that from")
    group.add_argument("--write-avfm", metavar="OUT", help="write the value frequencies (.csv or .json)")
    group.add_argument(
        "--write-pairs", metavar="OUT", help="write the pair tables that tree and semi_random use"
    )
    group.add_argument("--write-knowledge", metavar="OUT", help="write the frequent tuples")
    group.add_argument(
        "--show-values", action="store_true", help="show and write raw values; otherwise their ranks"
    )


def _add_methods(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("methods")
    group.add_argument(
        "--methods", type=shared.names, metavar="A,B",
        help="of closed_form, random, semi_random, tree (default: all that the statistics allow)",
    )  # fmt: skip
    group.add_argument(
        "--draws",
        dest="samples",
        type=int,
        default=10,
        metavar="N",
        help="of samples of shuffled data sets (default: 10)",
    )
    group.add_argument(
        "--capacity", type=int, metavar="N", help="data sets a sample (default: 10, fewer if large)"
    )


def _add_thresholds(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("dependencies of columns")
    limits = (
        ("strong", 0.5, "G", "gain ratio from which a column depends strongly on another"),
        ("sure", 0.9, "P", "of semi_random: values go together above this confidence"),
        ("likely", 0.5, "P", "or from this one on, if they are frequent"),
        ("frequent", 1e-4, "SHARE", "in more than this share of the records"),
    )
    for name, default, metavar, words in limits:
        group.add_argument(
            f"--{name}", type=float, default=default, metavar=metavar, help=f"{words} (default: {default:g})"
        )
    group.add_argument(
        "--together", dest="groups", type=shared.names, action="append", default=[], metavar="A,B",
        help="columns taken together: how much they say about the other groups; can be repeated",
    )  # fmt: skip


def _add_changes(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what if")
    group.add_argument(
        "--drop", type=shared.names, action="append", default=[], metavar="A,B",
        help="these columns were left out; can be repeated",
    )  # fmt: skip
    group.add_argument(
        "--add", action="append", default=[], metavar="NAME=N",
        help="a column with N equally frequent values, or of shares NAME=50,30,20, were collected too",
    )  # fmt: skip
    group.add_argument(
        "--record-counts",
        dest="records",
        type=shared.whole_numbers,
        default=[],
        metavar="N,N",
        help="there were so many records",
    )


def run(options: argparse.Namespace) -> int:
    from singleout.errors import UsageError
    from singleout.files import files_together
    from singleout.progress_bar import bar
    from singleout.read.source import CsvFormat, source
    from singleout.risk.predict.predict import predict

    csv = shared.csv_format(options)
    if options.file is None and csv != CsvFormat():
        raise UsageError("how to read a CSV file is said of a table; with --avfm leave it out")
    data, other = (
        source(file, csv=csv) if file is not None else None for file in (options.file, options.knowledge_from)
    )
    tables = (("data", data), ("knowledge from", other))
    read = [(what, table) for what, table in tables if table is not None]
    noted = [(name.replace("_", " "), getattr(options, name)) for name in ("study", *FROM)]
    files = [options.study, *(getattr(options, name) for name in (*FROM, *WRITTEN[:3]))]
    check_html(options.html, [table for _, table in read], files)
    chosen = shared.chosen_options(options, (*FROM, *HOW, *CHANGES, *WRITTEN, *COUNTING))
    with (
        files_together([*(getattr(options, name) for name in WRITTEN[:3]), options.html]),
        watch_inputs(read, noted) as digests,
        bar() as progress,
    ):
        found = predict(data, knowledge_from=other, **chosen, progress=progress)
        if options.html is not None:
            from singleout.report.pages.predict import prediction_report

            save_report(prediction_report(found), options, digests())
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.predict import show_prediction

        show_prediction(found)
    return 0
