"""`singleout sweep STUDY.toml --out OUT`: how privacy and utility change with the parameters of recipes."""

from __future__ import annotations

import argparse

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, save_report, watch_inputs

SUMMARY = "how privacy and utility change with the parameters of recipes, over random seeds"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "study", metavar="STUDY.toml", help="the table, what is measured, and releases with their parameters"
    )
    parser.add_argument(
        "--out", required=True, metavar="OUT", help="one row a release, setting and seed (.csv or .parquet)"
    )
    parser.add_argument(
        "--averages", metavar="OUT",
        help="one row a measure: its mean over seeds and interval (.csv or .parquet)",
    )  # fmt: skip
    parser.add_argument(
        "--threads", type=int, metavar="N", help="runs to make at once (default: as many as processors)"
    )
    add_html(parser)
    shared.add_json(parser)


def run(options: argparse.Namespace) -> int:
    from singleout.investigation.sweep.sweep import swept
    from singleout.investigation.sweep.sweep_study import study_of
    from singleout.progress_bar import bar
    from singleout.read.source import source

    check_html(options.html, [], [options.study, options.out, options.averages])
    tables, chosen = (options.out, options.averages), shared.chosen_options(options, ("threads",))
    with (
        watch_inputs([("data", source(study_of(options.study).data))], [("study", options.study)]) as digests,
        bar() as progress,
        swept(options.study, tables, also=options.html, **chosen, progress=progress) as found,
    ):
        if options.html is not None:
            from singleout.report.pages.sweep import sweep_report

            save_report(sweep_report(found), options, digests())
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.sweep import show_sweep

        show_sweep(found)
    return 0
