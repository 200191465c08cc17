"""`singleout protect FILE --policy POLICY --out RELEASE`: the change that keeps a policy and costs least."""

from __future__ import annotations

import argparse
from typing import Any

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, save_report, watch_inputs

SUMMARY = "find the change that keeps a policy and costs the least; make the release and judge it"
NOT_REACHED = 1
PARTS = {
    "item": "what was bought or used",
    "time": "dates or times",
    "amount": "a price, a fare: numbers to add up",
    "number": "how many were bought at that price",
    "receipt": "what was bought at once",
    "category": "the kind of a record, such as a card's usage",
}
TAKEN = (
    "user", "study", "minutes", "tries", "lose_people", "lose_records", "nearest", "out", "truth",
    "recipe_out", "hierarchies", "columns", "sensitive", *PARTS, "seed", "engine", "memory", "threads",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    parser.add_argument(
        "--policy", metavar="POLICY", required=True, action=shared.Once,
        help="the rules to keep: a file, or one that comes with singleout",
    )  # fmt: skip
    shared.add_people(parser)
    parser.add_argument("--columns", type=shared.names, metavar="A,B,…", help=shared.KNOWN)
    parser.add_argument(
        "--sensitive", type=shared.names, metavar="A,B", help="what must not be learned about people"
    )
    parser.add_argument("--hierarchies", metavar="PLACE", help="how columns become coarser: a folder or file")
    parts = parser.add_argument_group("what columns mean, for attacks and utility")
    for name, what in PARTS.items():
        several: dict[str, Any] = {"type": shared.names} if name == "time" else {}
        parts.add_argument(f"--{name}", metavar="COL,…" if several else "COL", help=what, **several)
    _add_search(parser)
    _add_files(parser)
    shared.add_release_output(parser)


def _add_search(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is kept, and what may not be done")
    group.add_argument(
        "--keep", type=shared.numbers_by_name, action="append", metavar="METRIC=WEIGHT,…",
        help="a metric of utility that matters, as compare names it, and how much; can be repeated (default: "
        "distributions, associations, counts and sums, popularity, detail)",
    )  # fmt: skip
    group.add_argument(
        "--fixed",
        type=shared.names,
        action="extend",
        default=[],
        metavar="COL,…",
        help="released as they are",
    )
    group.add_argument(
        "--forbid", type=shared.names, action="extend", default=[], metavar="STEP,…",
        help="steps that are not taken: generalise, round, suppress (leave columns out), cut, remove_people, "
        "sample, shift_dates, dummies, local, cells",
    )  # fmt: skip
    group.add_argument(
        "--lose-people", type=float, default=0.05, metavar="SHARE", help="at most (default: 0.05)"
    )
    group.add_argument(
        "--lose-records", type=float, default=1.0, metavar="SHARE", help="at most (default: 1)"
    )
    group.add_argument(
        "--minutes", type=float, metavar="M",
        help="end the search then with the best so far, which may differ from run to run",
    )  # fmt: skip
    group.add_argument(
        "--tries", type=int, default=120, metavar="N", help="recipes to try at most (default: 120)"
    )


def _add_files(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is written, if the policy is reached")
    group.add_argument(
        "--out", metavar="OUT", required=True, help="the release (.csv, .parquet, .xlsx, .sav …)"
    )
    group.add_argument("--truth", metavar="MAP", help="who is who, for you only")
    group.add_argument("--recipe-out", metavar="OUT", help="for deidentify apply (default: OUT.recipe)")
    shared.add_force(group, "--recipe-out")
    group.add_argument("--nearest", action="store_true", help="write the nearest even if it is not reached")
    add_html(group)


def run(options: argparse.Namespace) -> int:
    from singleout.files import files_together
    from singleout.investigation.protect.protect import protect
    from singleout.investigation.protect.request import recipe_path
    from singleout.progress_bar import bar

    table = shared.tables([options.file], options)[0]
    targets = [options.out, options.truth, options.recipe_out]
    check_html(options.html, [table], [options.policy, *targets])
    shared.refuse_replacement(recipe_path(options.out, options.recipe_out), force=options.force)
    keep = {name: weight for each in options.keep or () for name, weight in each.items()} or None
    chosen = shared.chosen_options(options, TAKEN)
    noted = [(name, getattr(options, name, None)) for name in ("study", "hierarchies")]
    with (
        files_together([*targets, options.html]),
        watch_inputs([("data", table)], noted) as digests,
        bar() as progress,
    ):
        found = protect(
            table, options.policy, keep=keep, fixed=options.fixed, forbid=options.forbid, **chosen,
            progress=progress,
        )  # fmt: skip
        if options.html is not None:
            from singleout.policy.input_digests import policy_digest
            from singleout.policy.rules.policy import policy_of
            from singleout.report.pages.protect import protection_report

            judged_by = policy_digest(policy_of(options.policy))
            save_report(protection_report(found), options, (*digests(), judged_by))
    options.decided = 0 if found.reached else NOT_REACHED
    if options.json:
        shared.print_json(found.to_dict())
    else:
        from singleout.report.terminal.protect import show_protection

        show_protection(found)
    return int(options.decided)
