"""`singleout check FILE --policy POLICY.toml`: may this be released? For pipelines."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, save_report
from singleout.cli.population_options import add_population

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from singleout.policy.result import Verdict
    from singleout.policy.rules.policy import Policy
    from singleout.read.source import Source

SUMMARY = "may this be released? check data against the rules of a policy"
FAILED = 1
PARTS = {
    "item": "what was bought or used",
    "time": "dates or times",
    "amount": "a price, a fare: numbers to add up",
    "place": "where a record was made; utility looks at the first",
    "category": "the kind of a record, such as a card's usage",
    "pair": "columns that belong together, for attacks",
    "number": "how many were bought at that price",
    "receipt": "what was bought at once",
    "entry": "where a journey began",
    "exit": "where it ended",
    "routes": "lines of a journey's beginning and end",
    "groups": "what people are, such as sex,nationality",
}
SEVERAL = ("item", "time", "place", "category", "pair", "routes", "groups")
SAID = (
    "user", "columns", "study", "sensitive", "missing", "truth", "release_user", "renamed", *PARTS,
    "people_table", "release_people_table", "hierarchies", "recipe", "domains", "seed",
    "population", "sampled", "reference", "reference_user", "weight", "household",
)  # fmt: skip
MACHINE = ("engine", "memory", "threads")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="*",
        help=f"{shared.KINDS_OF_TABLES}; several are checked one by one",
    )  # fmt: skip
    parser.add_argument(
        "--policy", metavar="POLICY", action=shared.Once,
        help="the rules: a file (see --write-policy), or one that comes with singleout (see --list-policies)",
    )  # fmt: skip
    shared.add_reading(parser)
    shared.add_people(parser)
    shared.add_columns(parser)
    parser.add_argument(
        "--sensitive", type=shared.names, metavar="A,B", action=shared.Once,
        help="what must not be learned about people; none says that there is no such column",
    )  # fmt: skip
    _add_original(parser)
    parser.add_argument(
        "--domain", dest="domains", action="append", metavar="NAME=COL+COL@COL=VALUE",
        help="a domain that rules name; can be repeated",
    )  # fmt: skip
    add_population(parser)
    _add_outputs(parser)
    _add_lists(parser)
    shared.add_output(parser)
    # what is not said here is left to the policy
    parser.set_defaults(missing=None, seed=None)


def _add_original(parser: argparse.ArgumentParser) -> None:
    group = shared.add_truth(parser, truth="for rules about attacks and utility")
    group.add_argument("--original", metavar="TABLE", help="the table as it was, for attacks and utility")
    group.add_argument("--people-table", metavar="FILE", help="one row a person, with columns of --groups")
    group.add_argument("--release-people-table", metavar="FILE", help="the same of the release")
    group.add_argument("--hierarchies", metavar="PLACE", help="of generalised columns, for attacks and loss")
    group.add_argument("--recipe", metavar="RECIPE.toml", help="by which the data was made, for attacks")
    parts = parser.add_argument_group("what columns mean, for attacks and utility")
    for name, what in PARTS.items():
        one: dict[str, Any] = {"type": shared.names} if name in SEVERAL else {}
        option = {"pair": "together"}.get(name, name)
        metavar = "COL,…" if one else "COL"
        parts.add_argument(f"--{option}", dest=name, metavar=metavar, help=what, **one)
    # by its old name (`option_names.py`); a policy can still name it beside the places of attacks
    parts.add_argument("--location", help=argparse.SUPPRESS)


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is written, whether the rules pass or not")
    group.add_argument("--evidence", metavar="OUT.json", help="the verdict with digests of all that was read")
    group.add_argument("--junit", metavar="OUT.xml", help="the rules as tests, for continuous integration")
    add_html(group)


def _add_lists(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("instead of a check")
    group.add_argument(
        "--list-attackers",
        action="store_true",
        help="the attackers that rules can name, what they know and why",
    )
    group.add_argument("--list-measures", action="store_true", help="the measures that rules can name")
    group.add_argument(
        "--list-policies",
        action="store_true",
        help="the policies that come with singleout, their limits and where these are from",
    )
    group.add_argument(
        "--write-policy", metavar="OUT.toml",
        help="write a policy to start from, or the one that --policy names",
    )  # fmt: skip
    shared.add_force(group, "--write-policy")


def run(options: argparse.Namespace) -> int:
    if options.list_attackers or options.list_measures or options.list_policies or options.write_policy:
        return _run_lists(options)
    from singleout.errors import UsageError
    from singleout.policy.check import check
    from singleout.policy.release_conditions import OTHER_FILES
    from singleout.policy.rules.policy import policy_of
    from singleout.progress_bar import bar

    if not options.files or not options.policy:
        raise UsageError(
            "name what to check and the policy, as in: singleout check FILE --policy policy.toml"
        )
    if options.force:
        raise UsageError("--force is for --write-policy; leave it out")
    policy = policy_of(options.policy)
    tables, original = _tables(options, policy)
    if options.html is not None and len(tables) > 1:
        raise UsageError("--html is the report on one file; name one, or leave it out")
    _check_targets(options, [*tables, *([original] if original else [])], policy)
    said = shared.chosen_options(options, SAID)
    if "location" not in policy.data:
        said["location"] = options.location or (options.place or [None])[0]
    said |= {"original": original, "without_records": options.without_records or None}
    verdicts = []
    with bar() as progress:
        for table in tables:
            machine = shared.chosen_options(options, MACHINE)
            verdicts.append(check(table, policy, **said, **machine, progress=progress))
    if len(verdicts) > 1:
        verdicts = [replace(each, conditions=(*each.conditions, OTHER_FILES)) for each in verdicts]
    _write(options, verdicts)
    options.decided = 0 if all(each.passed for each in verdicts) else FAILED  # even if nobody reads on
    _tell(options, verdicts)
    return int(options.decided)


def _tables(options: argparse.Namespace, policy: Policy) -> tuple[list[Source], Source | None]:
    """The files to check, each once, and the original if somebody names one."""
    from singleout.policy.check_settings import files_of

    original = options.original or files_of(policy).get("original")
    files = list(dict.fromkeys(options.files))
    sources = shared.tables([*files, *([original] if original else [])], options)
    return sources[: len(files)], sources[len(files)] if original else None


def _check_targets(options: argparse.Namespace, tables: Sequence[Source], policy: Policy) -> None:
    """Everything that can be wrong with what is to be written, before the work."""
    from singleout.errors import OutputError, UsageError
    from singleout.files import check_writable, real_path

    check_html(options.html, tables)
    targets = _targets(options)
    if len({real_path(path) for path in targets}) < len(targets):
        raise UsageError("--evidence, --junit and --html name the same file; name another")
    read = {real_path(each) for each in _input_files(options, policy)}
    for path in targets:
        if real_path(path) in read or any(each.holds(path) for each in tables):
            raise OutputError(f"{path}: belongs to what is read; name another file")
        check_writable(path)


def _input_files(options: argparse.Namespace, policy: Policy) -> Iterator[str]:
    from singleout.policy.check_settings import files_of
    from singleout.policy.rules.built_in_policies import built_in_name

    if built_in_name(options.policy) is None:
        yield options.policy
    yield from files_of(policy).values()
    named = (options.study, options.truth, options.hierarchies, options.recipe, options.people_table)
    yield from (each for each in (*named, options.release_people_table, options.reference) if each)


def _targets(options: argparse.Namespace) -> list[Path]:
    return [Path(each) for each in (options.evidence, options.junit, options.html) if each]


def _write(options: argparse.Namespace, verdicts: Sequence[Verdict]) -> None:
    """All files or none."""
    from singleout.files import files_together, write_text

    with files_together(_targets(options)):
        if options.evidence:
            document = _merge_documents([each.evidence() for each in verdicts])
            text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
            write_text(options.evidence, f"{text}\n")
        if options.junit:
            from singleout.report.junit import junit

            write_text(options.junit, junit(verdicts))
        if options.html:
            from singleout.report.pages.check import check_report

            save_report(check_report(verdicts[0]), options)


def _tell(options: argparse.Namespace, verdicts: Sequence[Verdict]) -> None:
    if options.json:
        shared.print_json(_merge_documents([each.to_dict() for each in verdicts]))
        return
    from singleout.report.terminal.check import show_verdict

    for each in verdicts:
        show_verdict(each)


def _merge_documents(documents: list[dict[str, Any]]) -> dict[str, Any]:
    """One file is a document by itself, several are a list."""
    if len(documents) == 1:
        return documents[0]
    return {"passed": all(each["passed"] for each in documents), "files": documents}


def _run_lists(options: argparse.Namespace) -> int:
    """What needs neither data nor a policy."""
    from singleout.errors import UsageError
    from singleout.report.terminal import check as page

    asked = (options.list_attackers, options.list_measures, options.list_policies, options.write_policy)
    if sum(map(bool, asked)) > 1:
        raise UsageError(
            "--list-attackers, --list-measures, --list-policies and --write-policy are one each; ask for one"
        )
    if options.files:
        raise UsageError("nothing is checked where a list or a first policy is asked for; leave FILE out")
    if options.write_policy:
        _write_policy(options)
    elif options.list_attackers:
        shared.print_json(page.attackers_as_dict()) if options.json else page.show_attackers()
    elif options.list_measures:
        shared.print_json(page.measures_as_dict()) if options.json else page.show_measures()
    else:
        shared.print_json(page.policies_as_dict()) if options.json else page.show_policies()
    return 0


def _write_policy(options: argparse.Namespace) -> None:
    """One of those that come with singleout, to be changed, or examples of rules."""
    from singleout.errors import UsageError, name_hint
    from singleout.files import write_text
    from singleout.policy.rules.built_in_policies import BUILT_IN, built_in_name, built_in_text
    from singleout.policy.rules.starter_policy import FIRST_POLICY

    name = built_in_name(options.policy) if options.policy else None
    if options.policy and name is None:
        hint = name_hint(options.policy, BUILT_IN)
        raise UsageError(f"--policy: {options.policy!r} does not come with singleout; {hint}")
    shared.refuse_replacement(options.write_policy, force=options.force)
    write_text(options.write_policy, built_in_text(name) if name else FIRST_POLICY)
    if options.json:
        shared.print_json({"written": options.write_policy})
