"""`singleout assess FILE`: how risky is each attribute, and all of them together."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from singleout.cli import options as shared
from singleout.cli.html_option import add_html, check_html, check_not_input, save_report
from singleout.cli.population_options import add_known_records, add_population, add_sketch

if TYPE_CHECKING:
    from singleout.engine.person_table import JoinedHistory
    from singleout.progress import Progress
    from singleout.read.source import Source
    from singleout.risk.assess.result import Assessment
    from singleout.risk.join_uniqueness import JoinUniqueness
    from singleout.risk.value_risks import RiskAfter
    from singleout.roles.study import Study

SUMMARY = "how risky is each attribute, and all of them together (k-anonymity, prosecutor risk)"
COUNTING = ("user", "columns", "missing", "engine", "memory", "threads")
POPULATION = (
    "population",
    "sampled",
    "reference",
    "reference_user",
    "weight",
    "household",
    "points",
    "granularity",
    "log_linear",
)
NOT_OF_SKETCH = (
    *POPULATION, "sensitive", "hierarchies", "policy", "sample", "sample_sizes", "sampling", "confidence",
    "records", "people", "values", "original", "html", "costs", "limit", "show_values",
)  # fmt: skip
# what they are called where that is not their name, and what they are where they were not said
OPTIONS_CALLED = {
    "sample": "sample-values", "sampling": "sample-by", "records": "record-risks", "people": "person-risks",
    "values": "value-risks", "limit": "attribute-risk",
}  # fmt: skip
NOT_SAID: dict[str, Any] = {
    "points": [], "granularity": [], "sample_sizes": [], "sampling": "uniform", "confidence": 0.9,
    "show_values": False,
}  # fmt: skip
OF_SKETCH = (*COUNTING, "together", "seed", "study", "contained_in", "portable")
SENSITIVE = ("sensitive", "hierarchies")
SAMPLING = ("together", "sample", "sampling", "confidence", "sample_sizes", "seed", "policy")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_table(parser)
    shared.add_people(parser)
    shared.add_people_table(parser)
    shared.add_columns(parser)
    parser.add_argument(
        "--together", type=shared.names, action="append", default=[], metavar="A,B",
        help="also assess these columns as one attribute; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--sensitive", type=shared.names, metavar="A,B", action=shared.Once,
        help="what must not be learned, and an attacker does not know (default: by the study); none says "
        "that there is no such column",
    )  # fmt: skip
    parser.add_argument(
        "--hierarchies", metavar="PLACE",
        help="of sensitive columns: how near their values are, as for deidentify generalise",
    )  # fmt: skip
    shared.add_policy(parser)
    add_population(parser)
    add_known_records(parser)
    add_sketch(parser)
    _add_sampling(parser)
    shared.add_output(parser)
    parser.add_argument(
        "--record-risks",
        dest="records",
        metavar="OUT",
        help="write one line a record to this .csv or .parquet file",
    )
    parser.add_argument(
        "--person-risks",
        dest="people",
        metavar="OUT",
        help="write one line a person to this .csv or .parquet file",
    )
    parser.add_argument(
        "--value-risks", dest="values", metavar="OUT",
        help="write one line a value: its records, people and risk (.csv or .parquet; ranks, not values)",
    )  # fmt: skip
    parser.add_argument(
        "--original", metavar="TABLE",
        help="FILE is a release of this table: also the risk of each attribute to whoever knows values there",
    )  # fmt: skip
    _add_report(parser)


def _add_sampling(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what a sample of values would say (sampling model)")
    group.add_argument(
        "--sample-values", dest="sample", type=int, metavar="N", help="values to sample (default: 10)"
    )
    group.add_argument(
        "--sample-by", dest="sampling", default="uniform", choices=("uniform", "tempered"),
        help="draw values alike, or frequent ones more often (default: uniform)",
    )  # fmt: skip
    group.add_argument(
        "--confidence", type=float, default=0.9, metavar="P", help="of intervals (default: 0.9)"
    )
    group.add_argument(
        "--sample-sizes", type=shared.whole_numbers, default=[], metavar="N,N",
        help="also tell how sure samples of these sizes would be",
    )  # fmt: skip


def _add_report(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("report")
    add_html(group)
    group.add_argument(
        "--costs", metavar="FILE",
        help="of the report: what knowing a column costs an attacker, as for combinations (default: 1 each)",
    )  # fmt: skip
    group.add_argument(
        "--attribute-risk", dest="limit", type=float, metavar="P",
        help="of the report: the risk of one column that its advice aims at (default: 0.05)",
    )  # fmt: skip
    parser.add_argument(
        "--show-values",
        action="store_true",
        help="add raw values to the lists of records and values, and to the report",
    )


def run(options: argparse.Namespace) -> int:
    from singleout.engine.session import refuse_changes
    from singleout.files import files_together
    from singleout.progress_bar import bar
    from singleout.read.source import source
    from singleout.roles.study import read_study, with_sensitive

    read = source(options.file, csv=shared.csv_format(options))
    origin, joined = shared.joined(options, read, options.people_table)
    if options.sketch:
        return _sketch(options, origin)
    _refuse_sketch_options(options)
    study = read_study(options.study) if options.study else None
    _check_lists(options, read, study)
    options.granularity = shared.granularity_by_column(options.granularity)
    known = with_sensitive(study, options.sensitive)
    counting = shared.chosen_options(options, COUNTING) | {"study": known}
    targets = [options.records, options.people, options.values, options.html]
    with files_together(targets), refuse_changes(origin), bar() as progress:
        found = _assessment(options, origin, counting, progress)
        _write_lists(options, origin, counting)
        after = _risks_after(options, origin)
        join = _join_uniqueness(joined, options.columns)
    if options.json:
        more: dict[str, Any] = {"after": [each.to_dict() for each in after]} if options.original else {}
        more |= {"join": join.to_dict()} if join else {}
        shared.print_json({**found.to_dict(), **more})
    else:
        from singleout.report.terminal.assess import show_assessment
        from singleout.report.terminal.risks_after import show_risks_after

        show_assessment(found, sampling=_asks_for_sampling(options))
        show_risks_after(after)
        if join:
            from singleout.report.terminal.join_uniqueness import show_join_uniqueness

            show_join_uniqueness(join)
    return 0


def _join_uniqueness(joined: JoinedHistory | None, columns: list[str] | None) -> JoinUniqueness | None:
    from singleout.risk.join_uniqueness import join_uniqueness

    return None if joined is None else join_uniqueness(joined, columns=columns)


def _sketch(options: argparse.Namespace, origin: Source) -> int:
    """Instead of an assessment: whatever is asked for beside it would need all values."""
    from singleout.errors import UsageError
    from singleout.progress_bar import bar
    from singleout.report.terminal.sketch import show_sketch
    from singleout.risk.sketch import sketch

    said = (name for name in NOT_OF_SKETCH if getattr(options, name) != NOT_SAID.get(name))
    useless = [f"--{OPTIONS_CALLED.get(name, name).replace('_', '-')}" for name in said]
    if useless:
        raise UsageError(f"{', '.join(useless)}: not for --sketch, which looks at some values; leave out")
    asked = shared.chosen_options(options, OF_SKETCH)
    with bar() as progress:
        found = sketch(origin, at_most=1 if options.allow is None else options.allow, **asked,
                       progress=progress)  # fmt: skip
    shared.print_json(found.to_dict()) if options.json else show_sketch(found)
    return 0


def _refuse_sketch_options(options: argparse.Namespace) -> None:
    from singleout.errors import UsageError

    if options.allow is not None or options.contained_in is not None or options.portable:
        raise UsageError("--allow, --contained-in and --portable are for --sketch; say it too")


def _risks_after(options: argparse.Namespace, origin: Source) -> tuple[RiskAfter, ...]:
    from singleout.read.source import source
    from singleout.risk.value_risks import risks_after

    if options.original is None:
        return ()
    asked = shared.chosen_options(options, ("user", "columns", "missing"))
    return risks_after(origin, source(options.original, csv=shared.csv_format(options)), **asked)


def _asks_for_sampling(options: argparse.Namespace) -> bool:
    drawn = options.sample is not None or options.sample_sizes
    return bool(drawn or options.sampling != "uniform" or options.confidence != 0.9)


def _assessment(
    options: argparse.Namespace, origin: Source, counting: dict[str, Any], progress: Progress
) -> Assessment:
    """With a report, all that it tells is measured beside it."""
    from singleout.investigation.assess import assess

    sampling = shared.chosen_options(options, (*SAMPLING, *SENSITIVE, *POPULATION))
    if options.html is None:
        return assess(origin, **counting, **sampling, progress=progress)
    from singleout.investigation.investigate import investigate
    from singleout.report.pages.assess import assessment_report

    more = {} if options.limit is None else {"limit": options.limit}
    investigation = investigate(
        origin, **counting, **sampling, **more, costs=options.costs, show_values=options.show_values,
        progress=progress,
    )  # fmt: skip
    save_report(assessment_report(investigation), options)
    return investigation.assessment


def _check_lists(options: argparse.Namespace, origin: Source, study: Study | None) -> None:
    """Everything that can be wrong with the lists, before the work."""
    from singleout.errors import UsageError
    from singleout.files import real_path
    from singleout.risk.record_risks import NO_PEOPLE, check_list
    from singleout.roles.person_column import NONE

    lists = (options.records, options.people, options.values)
    targets = [target for target in lists if target is not None]
    for target in targets:
        check_list(target, origin, options.missing)
        check_not_input(target, [], [options.people_table])
    if len({real_path(target) for target in targets}) < len(targets):
        raise UsageError(
            "two of --record-risks, --person-risks and --value-risks name the same file; name others"
        )
    if options.html is not None:
        read = [options.study, options.costs, options.hierarchies, *_policy_files(options.policy)]
        check_html(options.html, [origin], read)
    user = options.user or (study.user if study else None)
    if options.people and user in (None, NONE):
        raise UsageError(NO_PEOPLE)
    if options.html is None and (options.costs is not None or options.limit is not None):
        raise UsageError("--costs and --attribute-risk are for the report; say where to write it by --html")
    if options.show_values and not (options.records or options.values or options.html):
        raise UsageError(
            "--show-values adds values to a list of records or values, or a report; say which by "
            "--record-risks, --value-risks or --html"
        )


def _policy_files(policy: str | None) -> list[str]:
    """A policy's own file, and those that it names."""
    from singleout.policy.check_settings import files_of
    from singleout.policy.rules.built_in_policies import built_in_name
    from singleout.policy.rules.policy import policy_of

    if policy is None or built_in_name(policy):
        return []
    return [policy, *files_of(policy_of(policy)).values()]


def _write_lists(options: argparse.Namespace, origin: Source, counting: dict[str, Any]) -> None:
    from singleout.risk.record_risks import person_risks, record_risks
    from singleout.risk.value_risks import value_risks

    if options.records:
        record_risks(origin, options.records, show_values=options.show_values, **counting)
    if options.people:
        person_risks(origin, options.people, **counting)
    if options.values:
        value_risks(origin, options.values, show_values=options.show_values, **counting)
