"""`singleout deidentify apply FILE --recipe RECIPE.toml`: change the data by a recipe of steps."""

from __future__ import annotations

import argparse

from singleout.cli import options as shared

SUMMARY = "a recipe of steps: new names, rounding, noise, swapping, leaving out and more"
READING = ("user", "study", "engine", "memory", "threads", "seed")
RELEASE = ("out", "truth", "people_out", "diary", "order", "columns")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    shared.add_people(parser)
    parser.add_argument(
        "--recipe", required=True, metavar="RECIPE.toml", help="the steps, in their order (.toml)"
    )
    parser.add_argument(
        "--people-table", metavar="FILE",
        help="a table of one row a person, with the same user column: both go on naming the same people",
    )  # fmt: skip
    _add_release(parser)
    shared.add_release_output(parser, None, "the recipe's, else 0")


def _add_release(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("release")
    group.add_argument(
        "--out", metavar="OUT",
        help="write the release (.csv, .parquet, .xlsx, .sav …); without it, the steps are tried",
    )  # fmt: skip
    group.add_argument("--truth", metavar="MAP", help="write who is who (.csv), for nobody's eyes but yours")
    group.add_argument("--people-out", metavar="OUT", help="write the person table (.csv or .parquet)")
    group.add_argument(
        "--diary", metavar="OUT.json", help="write what was done, with digests of all files (.json)"
    )
    group.add_argument(
        "--order", default="sorted", choices=("sorted", "shuffled"),
        help="of the records, never that of the data (default: sorted)",
    )  # fmt: skip
    group.add_argument(
        "--columns", type=shared.names, metavar="A,B,…",
        help="what is released (default: the recipe's, else all that are left)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    from singleout.deidentify.apply.apply import apply
    from singleout.progress_bar import bar

    people = [] if options.people_table is None else [options.people_table]
    data, *people_table = shared.tables([options.file, *people], options)
    chosen = shared.chosen_options(options, (*READING, *RELEASE))
    with bar() as progress:
        found = apply(
            data, options.recipe, people_table=next(iter(people_table), None), **chosen, progress=progress
        )
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.apply import show_application

        show_application(found)
    return 0
