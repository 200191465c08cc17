"""`singleout compare ORIGINAL RELEASE …`: what is lost in a release and what is still at risk."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, TypeVar

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, check_not_input, save_report, watch_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from singleout.read.source import Source
    from singleout.utility.compare.result import Comparison

Given = TypeVar("Given")
SUMMARY = "what a release has lost, and who can still be recognised; of several, which is the best bargain"
PEOPLE = ("user", "release_user", "renamed", "without_records", "study", "missing")
SINGLE = {
    "item": "what was bought or used",
    "amount": "a price, a fare: numbers to add up",
    "number": "how many were bought at that price",
    "receipt": "what was bought at once",
    "category": "the kind of a record, such as a card's usage",
    "entry": "where a journey began",
    "exit": "where it ended",
    "location": "where a record was made",
}
# what Python calls otherwise
OPTIONS = {"location": "place"}
SEVERAL = {
    "time": "dates or times; a time of day may stand beside its date",
    "routes": "lines of a journey's beginning and end",
    "groups": "what people are, such as sex,nationality",
}
ASKED = ("columns", "metrics", "hierarchies", "recipe", "privacy", "attacks", "points")
MACHINE = ("engine", "memory", "threads", "seed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("original", metavar="ORIGINAL", help=f"the table as it was: {shared.KINDS_OF_TABLES}")
    parser.add_argument(
        "releases", metavar="RELEASE", nargs="+", help="what became of it; several are ranked"
    )
    shared.add_reading(parser)
    shared.add_people(parser)
    _add_truth(parser)
    _add_parts(parser)
    _add_questions(parser)
    parser.add_argument(
        "--plot", metavar="OUT.svg", help="draw several releases: what is kept against who is recognised"
    )
    add_html(parser)
    shared.add_output(parser)


def _add_truth(parser: argparse.ArgumentParser) -> None:
    how = "once for each release in their order, or once for all (default: people keep their names)"
    group = shared.add_truth(parser, truth=how, several=True)
    group.add_argument(
        "--people-table",
        metavar="FILE",
        help="one row a person, with columns of --groups that ORIGINAL lacks",
    )
    group.add_argument(
        "--release-people-table", metavar="FILE", action="append", default=[],
        help="the same of the release; like --truth, once for each or once for all",
    )  # fmt: skip


def _add_parts(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what columns mean, for metrics and attacks")
    for name, what in SINGLE.items():
        option = OPTIONS.get(name, name)
        group.add_argument(f"--{option}", dest=name, metavar="COL", help=what)
    for name, what in SEVERAL.items():
        group.add_argument(f"--{name}", type=shared.names, metavar="COL,…", help=what)
    shared.add_columns(
        parser, wildcard=False,
        columns="what is compared, and known to attackers (default: all that both tables have)",
    )  # fmt: skip


def _add_questions(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is asked")
    group.add_argument(
        "--metrics", type=shared.names, metavar="NAME,…",
        help="some metrics of utility by name (default: all that have their columns)",
    )  # fmt: skip
    group.add_argument("--all", action="store_true", help="tell every metric, not one line a family of them")
    group.add_argument(
        "--hierarchies", metavar="PLACE",
        help="of generalised columns, for their loss and for attacks: a folder of CSV files, or one file",
    )  # fmt: skip
    group.add_argument(
        "--recipe", action="append", metavar="RECIPE.toml",
        help="by which a release was made, for attacks; like --truth, once for each or once for all",
    )  # fmt: skip
    group.add_argument(
        "--no-privacy", dest="privacy", action="store_false", help="measure utility only, without attacks"
    )
    group.add_argument(
        "--attacks", type=shared.names, metavar="NAME,…",
        help="some of them by name, such as jaccard,amount (default: all that have their columns)",
    )  # fmt: skip
    group.add_argument(
        "--points", type=shared.whole_numbers, default=[], metavar="1,2,…",
        help="attack with so many known records of a person too (default: none)",
    )  # fmt: skip


def _people_tables(options: argparse.Namespace) -> dict[str, Any]:
    """Read like the others; the types of values are said of the others' columns."""
    from dataclasses import replace

    from singleout.read.source import source

    settings = replace(shared.csv_format(options), types=())

    def table(path: str) -> Source:
        return source(path, csv=settings if source(path).kind == "csv" else None)

    return {
        "people_table": None if options.people_table is None else table(options.people_table),
        "release_people_table": [table(path) for path in options.release_people_table] or None,
    }


def _check_plot(options: argparse.Namespace, read: list[Source]) -> None:
    """Fail before the work if nothing can be drawn, or not there."""
    from pathlib import Path

    from singleout.errors import OutputError, UsageError
    from singleout.files import check_writable

    target = Path(options.plot)
    if len(options.releases) < 2 or not options.privacy:
        raise UsageError("--plot draws the ranks of several releases in utility and privacy; ask for these")
    if target.suffix.lower() != ".svg":
        raise OutputError(f"{target}: end the name in .svg")
    check_not_input(options.plot, read, _other_files(options))
    check_writable(target)


def _other_files(options: argparse.Namespace) -> list[str | None]:
    """What is read beside the tables."""
    people = [options.people_table, *options.release_people_table]
    return [options.study, options.hierarchies, *(options.recipe or ()), *options.truth, *people]


def run(options: argparse.Namespace) -> int:
    from singleout.files import files_together
    from singleout.progress_bar import bar
    from singleout.utility.compare.compare import compare

    original, *releases = tables = shared.tables([options.original, *options.releases], options)
    if options.plot is not None:
        _check_plot(options, tables)
    check_html(options.html, tables, _other_files(options))
    chosen = shared.chosen_options(options, (*PEOPLE, *SINGLE, *SEVERAL, *ASKED, *MACHINE)) | _people_tables(
        options
    )
    read = [("original", original), *_by_release("release", releases), *_read_people(chosen)]
    with watch_inputs(read, _read_files(options)) as digests:
        with bar() as progress:
            found = compare(original, *releases, truth=options.truth or None, **chosen, progress=progress)
        with files_together([options.plot, options.html]):
            _write_plot(found, options.plot)
            if options.html is not None:
                from singleout.report.pages.compare import comparison_report

                save_report(comparison_report(found, digests()), options)
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.compare import show_comparison

        show_comparison(found, every=options.all or options.metrics is not None)
    return 0


def _by_release(what: str, given: Sequence[Given]) -> Iterator[tuple[str, Given]]:
    """Of several each under its release's letter."""
    from singleout.report.charts.release_letters import mark_of

    several = len(given) > 1
    yield from ((f"{what} {mark_of(index)}" if several else what, each) for index, each in enumerate(given))


def _read_people(chosen: dict[str, Any]) -> Iterator[tuple[str, Source]]:
    if chosen["people_table"] is not None:
        yield "people table", chosen["people_table"]
    yield from _by_release("release people table", chosen["release_people_table"] or ())


def _read_files(options: argparse.Namespace) -> list[tuple[str, str | None]]:
    """What is read beside the tables, each by what it is."""
    several = (*_by_release("truth", options.truth), *_by_release("recipe", options.recipe or ()))
    return [("study", options.study), *several, ("hierarchies", options.hierarchies)]


def _write_plot(found: Comparison, target: str | None) -> None:
    from singleout.errors import UsageError
    from singleout.files import write_text
    from singleout.report.charts.releases import utility_and_privacy, without_folders

    if target is None or found.ranking is None:
        return
    chart = utility_and_privacy(without_folders(found.ranking))
    if chart is None:
        raise UsageError(
            "--plot: no release has a rank in both utility and privacy; ask for more metrics or attacks, or "
            "say who is who by --truth"
        )
    write_text(target, chart.drawing())
