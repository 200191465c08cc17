"""`singleout attack ORIGINAL [RELEASE]`: how many people of a release can be recognised, by which attack."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, save_report, watch_inputs
from singleout.cli.population_options import add_size

if TYPE_CHECKING:
    from singleout.attacks.result import Reidentification
    from singleout.investigation.known_records import KnownRecordsLaws
    from singleout.progress import Progress

if TYPE_CHECKING:
    from singleout.read.source import Source

SUMMARY = "how many people of a release somebody recognises who knows the original (re-identification)"
PEOPLE = ("periods", "user", "release_user", "renamed", "without_records", "study", "missing")
PARTS = ("item", "place", "category", "time", "amount", "pair", "columns")
LINKING = ("attacks", "shares", "one_to_one", "ties", "weights", "hierarchies", "recipe")
POINTS = ("points", "worst", "draws", "narrow", "granularity", "tolerance")
SIZE = "everybody whom the release is a sample of, for known records (scaling law)"
MACHINE = ("engine", "memory", "threads", "seed", "people", "guesses")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    wanted = (("original", "what the attacker knows", None), ("release", "what he looks into", "?"))
    for name, what, number in wanted:
        parser.add_argument(
            name, metavar=name.upper(), nargs=number,
            help=f"{what}: {shared.KINDS_OF_TABLES}",
        )  # fmt: skip
    parser.add_argument(
        "--periods", metavar="DATE",
        help="in place of RELEASE: records of ORIGINAL before this date are known, and the same people are "
        "looked for from it on; needs --user and --time",
    )  # fmt: skip
    shared.add_reading(parser)
    shared.add_people(parser)
    shared.add_people_table(parser)
    parser.add_argument(
        "--release-people-table", metavar="FILE",
        help="the same of the release, with the names of people there",
    )  # fmt: skip
    shared.add_truth(
        parser, truth="scores guesses, and tells how columns compare (default: people keep their names)"
    )
    _add_parts(parser)
    _add_knowledge(parser)
    _add_points(parser)
    parser.add_argument(
        "--person-risks", dest="people", metavar="OUT",
        help="write one line a released name, with the original one and each attack's success, to this .csv "
        "or .parquet",
    )  # fmt: skip
    parser.add_argument(
        "--guesses-out", dest="guesses", metavar="OUT",
        help="write whom each attack names for each released name, with its confidence, to this .csv or "
        ".parquet",
    )  # fmt: skip
    add_size(parser.add_argument_group(SIZE))
    add_html(parser)
    shared.add_output(parser)


def _add_parts(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "columns that attacks look at (S2 to S6 are metrics of Ito et al. n.d.)"
    )
    wanted = (
        ("item", "what was bought or used: item sets"),
        ("place", "places passed, such as entry,exit, all in one set (S4)"),
        ("category", "kinds of records to count, several as combinations (S3)"),
        ("time", "dates or times, by the day (S5)"),
        ("amount", "numbers to add up (S2)"),
        ("together", "columns that belong together (S6; default: category or item, and amount)"),
    )
    for name, what in wanted:
        dest = {"together": "pair"}.get(name, name)
        group.add_argument(f"--{name}", dest=dest, type=shared.names, metavar="COL,…", help=what)
    shared.add_columns(
        parser, wildcard=False, columns="all that is known of a record (default: all that both tables have)"
    )


def _add_knowledge(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("attacks")
    group.add_argument(
        "--attacks", type=shared.names, metavar="NAME,…",
        help="some of them by name, such as jaccard,nearest (default: all that have their columns)",
    )  # fmt: skip
    group.add_argument(
        "--hierarchies", metavar="PLACE",
        help="by which columns were generalised: a folder of CSV files, one such file, or a .json file",
    )  # fmt: skip
    group.add_argument(
        "--recipe", metavar="RECIPE.toml",
        help="of the steps that made the release, or a diary of deidentify: what needs no draws is replayed",
    )  # fmt: skip
    group.add_argument(
        "--known-shares", dest="shares", type=shared.parts_of_one, default=[1.0], metavar="0.25,1,…",
        help="share of each person's records that are known, rounded up (default: 1)",
    )  # fmt: skip
    group.add_argument(
        "--one-to-one", action="store_true", help="also guess so that nobody is named twice, at best in all"
    )
    group.add_argument(
        "--ties", default="shared", choices=("shared", "first", "random"),
        help="equally good candidates share the credit, or one is named (default: shared)",
    )  # fmt: skip
    group.add_argument(
        "--importance", dest="weights", type=shared.numbers_by_name, metavar="COL=W,…",
        help="how much a column counts for nearest (default: 1)",
    )  # fmt: skip


def _add_points(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("known records")
    group.add_argument(
        "--points", type=_points, default=[1, 2, 3, 4], metavar="1,2,…",
        help="how many different records of a person are known; 0 for no such attack (default: 1,2,3,4)",
    )  # fmt: skip
    group.add_argument(
        "--worst", action="store_true", help="also the most telling records, beside random ones"
    )
    group.add_argument(
        "--draws", type=int, default=10, metavar="N", help="of random records for each person (default: 10)"
    )
    group.add_argument(
        "--narrow", type=shared.whole_numbers, default=[1, 5, 10], metavar="1,5,…",
        help="count the people with at most so many candidates (default: 1,5,10)",
    )  # fmt: skip
    shared.add_granularity(group)
    group.add_argument(
        "--tolerance", type=shared.tolerances, metavar="COL=T,…",
        help="how far off a value may be: '1 day', '2 hours', '5%%', 0.5",
    )  # fmt: skip


def _points(text: str) -> list[int]:
    return [] if text == "0" else shared.whole_numbers(text)


def _joined_release(options: argparse.Namespace, release: Source) -> Source:
    user = options.release_user or options.user
    return shared.joined(options, release, options.release_people_table, user)[0]


def run(options: argparse.Namespace) -> int:
    from singleout.attacks.attack import attack
    from singleout.files import files_together
    from singleout.progress_bar import bar

    given = [each for each in (options.original, options.release) if each is not None]
    tables = shared.tables(given, options)
    check_html(options.html, tables, [options.study, options.truth, options.people_table])
    original, _ = shared.joined(options, tables[0], options.people_table)
    release = _joined_release(options, tables[1]) if len(tables) > 1 else None
    options.granularity = shared.granularity_by_column(options.granularity)
    chosen = shared.chosen_options(options, (*PEOPLE, *PARTS, *LINKING, *POINTS, *MACHINE))
    read = [*zip(("original", "release"), tables, strict=False)]
    files = [(name, getattr(options, name)) for name in ("study", "truth", "hierarchies", "recipe")]
    with (
        files_together([options.people, options.guesses, options.html]),
        watch_inputs(read, files) as digests,
    ):
        with bar() as progress:
            found = attack(original, release, options.truth, **chosen, progress=progress)
            laws = _laws(options, found, progress)
        if options.html is not None:
            from singleout.report.pages.attack import attack_report

            save_report(attack_report(found, digests(), laws), options)
    if options.json:
        shared.print_json(found.to_dict() | ({"known_records": laws.to_dict()} if laws else {}))
    else:
        from singleout.report.terminal.attack import show_attack
        from singleout.report.terminal.layout import show_notes
        from singleout.report.terminal.population import show_known_records

        show_attack(found)
        show_known_records(laws)
        if laws:
            show_notes(laws.remarks)
    return 0


def _laws(
    options: argparse.Namespace, found: Reidentification, progress: Progress
) -> KnownRecordsLaws | None:
    from singleout.investigation.known_records import known_records

    if options.population is None and options.sampled is None:
        return None
    return known_records(found, population=options.population, sampled=options.sampled, progress=progress)
