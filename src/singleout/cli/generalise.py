"""`singleout deidentify generalise FILE`: the least lossy generalisation that is safe enough."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, save_report, watch_inputs

if TYPE_CHECKING:
    from singleout.read.source import Source

SUMMARY = "make values coarser until a goal such as k is reached, losing least (generalisation)"
LOSSES = ("loss", "non_uniform_entropy", "levels", "discernibility", "average_class_size")
COUNTING = ("user", "columns", "study", "missing", "engine", "memory", "threads", "seed")
GOALS = (
    "k", "suppress", "average_risk", "diverse", "close", "closeness", "entropy_l", "recursive_c",
    "recursive_l", "beta_basic", "beta_enhanced", "delta", "delta_of_present", "alpha", "sensitive",
    "k_map", "presence", "reference", "reference_user", "sampled",
)  # fmt: skip
SEARCH = ("hierarchies", "loss", "weights", "levels", "alternatives", "minimal", "nodes", "seconds")
RELEASE = ("out", "keep", "order", "keep_suppressed", "diary")
NOT_LOCAL = (
    "alternatives", "sampled", "minimal", "nodes", "seconds", "keep_suppressed",
)  # fmt: skip
AS_A_WHOLE = "--local tries no generalisation as a whole; leave one of them out"
ESTIMATED = (
    "--local can't estimate how many people are like those of a class, for it puts rare records together; "
    "name a table of everybody by --reference, or ask for --k"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    shared.add_people(parser)
    shared.add_columns(parser, wildcard=False, columns="what is generalised (default: all with a hierarchy)")
    parser.add_argument(
        "--hierarchies", required=True, metavar="PLACE",
        help="a folder of CSV files named after the columns, one such file, or a definition file (.json)",
    )  # fmt: skip
    _add_goals(parser)
    _add_search(parser)
    _add_release(parser)
    shared.add_shown_values(parser)
    add_html(parser)
    shared.add_output(parser)


def _add_goals(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("goals")
    group.add_argument(
        "--k", type=int, metavar="N", help="people (or records) in every class, at least (k-anonymity)"
    )
    group.add_argument(
        "--suppress", type=float, default=0.0, metavar="SHARE",
        help="of the records that may be left out to reach it (default: 0)",
    )  # fmt: skip
    group.add_argument(
        "--average-risk", type=float, metavar="R", help="average risk of released records, at most"
    )
    group.add_argument(
        "--sensitive",
        type=shared.names,
        metavar="A,B",
        help="columns that these are about: --l-diversity, --t-closeness …",
    )
    group.add_argument(
        "--l-diversity", dest="diverse", type=int, metavar="L",
        help="different sensitive values in every class, at least (l-diversity)",
    )  # fmt: skip
    group.add_argument(
        "--t-closeness", dest="close", type=float, metavar="T",
        help="how unlike the table they may be spread in a class, from 0 to 1 (t-closeness)",
    )  # fmt: skip
    group.add_argument(
        "--t-distance", dest="closeness", default="equal", choices=("equal", "ordered", "hierarchical"),
        help="for --t-closeness: values equally far apart, by their order, or by their hierarchy (default: "
        "equal)",
    )  # fmt: skip
    _add_models(group)
    _add_reference(group)


def _add_reference(group: argparse._ArgumentGroup) -> None:
    """Goals about everybody whom the table is a sample of."""
    group.add_argument(
        "--k-map", type=int, metavar="N", help="people of the reference in every class, at least (k-map)"
    )
    group.add_argument(
        "--presence", type=shared.shares, metavar="LOW,HIGH",
        help="of the reference's people in a class, the share that may be in the table (δ-presence)",
    )  # fmt: skip
    group.add_argument("--reference", metavar="FILE", help="a table of everybody with the same columns")
    group.add_argument(
        "--reference-user", metavar="COL", help="the person column there, none if there is none"
    )
    group.add_argument(
        "--sampled", type=float, metavar="SHARE",
        help="for --k-map without a reference: which share of everybody the table is, to estimate it by",
    )  # fmt: skip


def _add_models(group: argparse._ArgumentGroup) -> None:
    """The other models of sensitive values."""
    group.add_argument(
        "--entropy-l", type=float, metavar="L",
        help="values of every class in effect, exp of their entropy, at least (entropy l-diversity)",
    )  # fmt: skip
    group.add_argument(
        "--recursive-c", type=float, metavar="C",
        help="a class's first value is less frequent than C times its rare ones ((c,l)-diversity)",
    )  # fmt: skip
    group.add_argument(
        "--recursive-l", type=int, default=2, metavar="L",
        help="for --recursive-c: its rare values are the L-th and all later ones (default: 2)",
    )  # fmt: skip
    group.add_argument(
        "--beta-basic", type=float, metavar="B",
        help="the class raises no value's probability by more than B times (basic β-likeness)",
    )  # fmt: skip
    group.add_argument(
        "--beta-enhanced", type=float, metavar="B",
        help="the same, and by no more than −ln of its share in the table (enhanced β-likeness)",
    )  # fmt: skip
    group.add_argument(
        "--delta", type=float, metavar="D",
        help="the class moves the logarithm of no value's probability by D (δ-disclosure privacy)",
    )  # fmt: skip
    group.add_argument(
        "--delta-of-present", type=float, metavar="D",
        help="the same of the values that the class has, though others be ruled out (as in ARX and pyCANON)",
    )  # fmt: skip
    group.add_argument(
        "--alpha", type=float, metavar="A",
        help="share of a class that has the same value, at most; with --k it is (α,k)-anonymity",
    )  # fmt: skip


def _add_search(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("search")
    group.add_argument("--loss", default="loss", choices=LOSSES, help="what to lose least of (default: loss)")
    group.add_argument(
        "--importance",
        dest="weights",
        type=shared.numbers_by_name,
        metavar="COL=W,…",
        help="how much a column counts (default: 1)",
    )
    group.add_argument(
        "--levels",
        type=shared.whole_numbers_by_name,
        metavar="COL=N,…",
        help="levels that you have chosen yourself",
    )
    group.add_argument(
        "--alternatives", type=int, default=5, metavar="N", help="others near the best (default: 5)"
    )
    group.add_argument(
        "--minimal", action="store_true", help="list every generalisation that can't be made any finer"
    )
    group.add_argument(
        "--local", action="store_true",
        help="different levels for different records, which loses far less (local recoding)",
    )  # fmt: skip
    group.add_argument("--nodes", type=int, metavar="N", help="stop when so many are counted")
    group.add_argument("--seconds", type=float, metavar="S", help="stop after so long with the best so far")


def _add_release(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("release")
    group.add_argument(
        "--out",
        metavar="OUT",
        help="write the generalised records (.csv, .parquet, .xlsx, .sav …); without it, only search",
    )
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
    group.add_argument(
        "--keep-suppressed", action="store_true", help="write suppressed records too, with * everywhere"
    )
    group.add_argument("--diary", metavar="OUT.json", help="write what was done and reached (.json)")


def run(options: argparse.Namespace) -> int:
    from singleout.errors import UsageError

    if options.out is None and (options.keep or options.keep_suppressed):
        raise UsageError("--fixed and --keep-suppressed are about a release; name its file by --out")
    return _run_local(options) if options.local else _run_search(options)


def _run_local(options: argparse.Namespace) -> int:
    from singleout.deidentify.generalise.local_generalisation import generalise_locally
    from singleout.errors import UsageError
    from singleout.files import files_together
    from singleout.progress_bar import bar
    from singleout.read.source import source

    if given := [name for name in NOT_LOCAL[1:] if getattr(options, name)]:
        option, why = given[0].replace("_", "-"), ESTIMATED if given[0] == "sampled" else AS_A_WHOLE
        raise UsageError(f"--{option}: {why}")
    data = source(options.file, csv=shared.csv_format(options))
    check_html(options.html, [data], [options.study, options.out, options.diary])
    names = [name for name in (*COUNTING, *GOALS, *SEARCH, *RELEASE) if name not in NOT_LOCAL]
    with (
        files_together([options.out, options.diary, options.html]),
        watch_inputs([("data", data), *_reference(options)], _small_files(options)) as digests,
        bar() as progress,
    ):
        found = generalise_locally(data, **shared.chosen_options(options, names), progress=progress)
        if options.html is not None:
            from singleout.report.pages.generalise import generalisation_report

            save_report(generalisation_report(found), options, digests())
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.generalise import show_local_generalisation

        show_local_generalisation(found)
    return 0


def _run_search(options: argparse.Namespace) -> int:
    from singleout.deidentify.generalise.generalise import generalise
    from singleout.files import files_together
    from singleout.progress_bar import bar
    from singleout.read.source import source

    data = source(options.file, csv=shared.csv_format(options))
    check_html(options.html, [data], [options.study, options.out, options.diary])
    chosen = shared.chosen_options(options, (*COUNTING, *GOALS, *SEARCH, *RELEASE))
    with (
        files_together([options.out, options.diary, options.html]),
        watch_inputs([("data", data), *_reference(options)], _small_files(options)) as digests,
        bar() as progress,
    ):
        found = generalise(data, **chosen, progress=progress)
        if options.html is not None:
            from singleout.report.pages.generalise import generalisation_report

            save_report(generalisation_report(found), options, digests())
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.generalise import show_generalisation

        show_generalisation(found)
    return 0


def _reference(options: argparse.Namespace) -> list[tuple[str, Source]]:
    from singleout.read.source import source

    return [] if options.reference is None else [("reference", source(options.reference))]


def _small_files(options: argparse.Namespace) -> list[tuple[str, str | None]]:
    return [("study", options.study), ("hierarchies", options.hierarchies)]
