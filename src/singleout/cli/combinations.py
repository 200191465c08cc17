"""`singleout combinations FILE`: which attributes together, which are safe, and at what price."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, save_report, watch_inputs

if TYPE_CHECKING:
    from singleout.investigation.record_prices import RecordPrices
    from singleout.progress import Progress
    from singleout.read.source import Source

SUMMARY = "which attributes together (quasi-identifiers) single people out, and at what price"
COUNTING = ("user", "columns", "study", "missing", "engine", "memory", "threads", "seed")
RISK = ("allow", "criterion", "share", "strict", "largest", "size", "synergy")
PRICE = ("costs", "resource", "maximal", "identify")
RECORDS = ("known", "start", "record", "records", "sampled", "weight", "all", "prune", "out")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    shared.add_people(parser)
    shared.add_people_table(parser)
    shared.add_columns(parser, wildcard=False)
    _add_risk(parser)
    _add_synergy(parser)
    _add_price(parser)
    _add_records(parser)
    _add_all(parser)
    add_html(parser)
    shared.add_output(parser)


def _add_risk(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("allowable risk")
    group.add_argument(
        "--allow",
        type=int,
        metavar="N",
        help="sets with a class of at most N people (k-anonymity) are too risky",
    )
    group.add_argument(
        "--criterion", default="worst", choices=("worst", "mean", "share"),
        help="by the smallest class, the average risk 1/N, or the share of records in small classes",
    )  # fmt: skip
    group.add_argument(
        "--share-at-risk",
        dest="share",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="by --criterion share: the most that may be at risk (default: 0)",
    )
    group.add_argument("--strict", action="store_true", help="a class of N itself is still acceptable")
    group.add_argument("--largest", type=int, metavar="K", help="look at sets of at most K attributes")


def _add_synergy(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("synergy")
    group.add_argument("--size", type=int, metavar="N", help="combinations of N attributes")
    group.add_argument(
        "--synergy", type=float, default=1.0, metavar="Y",
        help="tell those more than Y times riskier than their riskiest attribute (default: 1)",
    )  # fmt: skip


def _add_price(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("price")
    group.add_argument(
        "--costs", metavar="FILE",
        help="what each attribute costs (.csv or .json; default: the study's [costs], else 1 each)",
    )  # fmt: skip
    group.add_argument("--resource", metavar="R", help="what the attacker can spend (default: all)")
    group.add_argument(
        "--points", type=shared.whole_numbers, metavar="1,2,…",
        help="with --costs or --resource: so many records of a person are bought, each at its columns' price",
    )  # fmt: skip
    group.add_argument("--maximal", action="store_true", help="list only sets to which nothing can be added")
    group.add_argument(
        "--identify",
        type=float,
        metavar="SHARE",
        help="the cheapest set that puts this share of the people at risk",
    )


def _add_records(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("attacks and records")
    group.add_argument(
        "--known-already", dest="start", type=shared.names, default=[], metavar="A,B",
        help="of --allow: what the attacker knows already; tells what has to be learned beside it",
    )  # fmt: skip
    group.add_argument(
        "--known", type=shared.names, action="append", default=[], metavar="A,B",
        help="the risk to whoever knows these; can be repeated",
    )  # fmt: skip
    group.add_argument(
        "--record", type=int, action="append", default=[], metavar="N",
        help="the smallest sets that single record N out (minimal sample uniques); can be repeated",
    )  # fmt: skip
    group.add_argument(
        "--record-risks", dest="records", metavar="OUT",
        help="write the same for all records, or with --size those behind each synergy (.csv or .parquet)",
    )  # fmt: skip
    group.add_argument(
        "--sampled", type=float, default=0.01, metavar="SHARE",
        help="of the population that the data is a sample of, for DIS-SUDA (default: 0.01)",
    )  # fmt: skip
    group.add_argument(
        "--weight", metavar="COL",
        help="survey weights that say so instead: how many people each stands for, for DIS-SUDA",
    )  # fmt: skip


def _add_all(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("every set")
    group.add_argument(
        "--all", action="store_true",
        help="count every set, up to --largest and --resource; goes on where it was interrupted",
    )  # fmt: skip
    group.add_argument(
        "--prune",
        action="store_true",
        help="leave out sets above those too risky by --allow; can't be resumed",
    )
    group.add_argument("--out", metavar="OUT", help="where to write them (.csv or .parquet)")


def run(options: argparse.Namespace) -> int:
    from singleout.errors import printable_text
    from singleout.files import files_together
    from singleout.progress_bar import bar
    from singleout.read.source import source
    from singleout.risk.combinations.combinations import combinations

    data = source(options.file, csv=shared.csv_format(options))
    targets = [options.records, options.out]
    check_html(options.html, [data], [options.study, options.costs, *targets])
    read = [("data", data), *shared.people_tables(options)]
    data, _ = shared.joined(options, data, options.people_table)
    chosen = shared.chosen_options(options, (*COUNTING, *RISK, *PRICE, *RECORDS))
    try:
        with (
            files_together([*targets, options.html]),
            watch_inputs(read, [("study", options.study), ("costs", options.costs)]) as digests,
            bar() as progress,
        ):
            found = combinations(data, **chosen, progress=progress)
            bought = _record_prices(options, data, progress)
            if options.html is not None:
                from singleout.report.pages.combinations import combinations_report

                save_report(combinations_report(found), options, digests())
    except KeyboardInterrupt:
        unfinished = Path(f"{options.out}.unfinished")
        if options.all and unfinished.exists():
            kept = printable_text(str(unfinished))
            sys.stderr.write(f"note: {kept} keeps what was counted; the same command goes on\n")
        raise
    if options.json:
        more = {"record_prices": bought.to_dict()} if bought else {}
        shared.print_json({**found.to_dict(), **more})
    else:
        from singleout.report.terminal.combinations import show_combinations

        show_combinations(found)
        if bought:
            from singleout.report.terminal.record_prices import show_record_prices

            show_record_prices(bought)
    return 0


def _record_prices(options: argparse.Namespace, data: Source, progress: Progress) -> RecordPrices | None:
    """What several records of a person cost, where that was asked."""
    from singleout.investigation.record_prices import record_prices

    if not options.points:
        return None
    asked = ("user", "columns", "costs", "resource", "points", "seed")
    return record_prices(data, **shared.chosen_options(options, asked), progress=progress)
