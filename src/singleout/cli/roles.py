"""`singleout roles FILE --suggest`: what each column probably means, as a study file."""

from __future__ import annotations

import argparse
import sys

from singleout.cli import options as shared

SUMMARY = "what each column means: suggest a study file, or check one"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--suggest", action="store_true", help="suggest a role for each column, with the reason"
    )
    what.add_argument("--check", metavar="STUDY", help="check that a study file fits the table")
    parser.add_argument("--out", metavar="OUT", help="write the suggestion to this study file (TOML)")
    shared.add_force(parser, "--out")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    return _check(options) if options.check else _suggest(options)


def _suggest(options: argparse.Namespace) -> int:
    from singleout.errors import OutputError, one_line
    from singleout.files import check_writable, write_text
    from singleout.investigation.suggest_roles import suggest_roles
    from singleout.read.source import source
    from singleout.report.terminal.layout import show_notes

    origin = source(options.file, csv=shared.csv_format(options))
    if options.out:
        check_writable(options.out)
        shared.refuse_replacement(options.out, force=options.force)
        if origin.holds(options.out):
            raise OutputError(f"{options.out}: belongs to the data that is read; name another file")
    suggestions = suggest_roles(origin, engine=options.engine)
    if options.out:
        write_text(options.out, suggestions.study_text())
    if options.json:
        shared.print_json(
            {"columns": [vars(each).copy() for each in suggestions], "remarks": list(suggestions.remarks)}
        )
    elif not options.out:
        sys.stdout.write(suggestions.study_text())
    identifiers = [
        f"{one_line(each.column)}: {each.reason}" for each in suggestions if each.direct_identifier
    ]
    show_notes((*suggestions.remarks, *identifiers))
    return 0


def _check(options: argparse.Namespace) -> int:
    from singleout.engine.session import open_session
    from singleout.errors import UsageError, printable_text
    from singleout.roles.study import read_study

    if options.out:
        raise UsageError("--out writes a suggestion; leave it out, or use --suggest")
    csv = shared.csv_format(options)
    with open_session(options.file, study=read_study(options.check), engine=options.engine, csv=csv) as (
        _,
        plan,
        _,
    ):
        found = {"user": plan.user, "known_to_attackers": list(plan.columns)}
    if options.json:
        shared.print_json(found)
    else:
        user = printable_text(plan.user or "none: each record is its own person")
        sys.stdout.write(f"user: {user}\n")
        sys.stdout.write(f"an attacker may know: {printable_text(', '.join(plan.columns))}\n")
    return 0
