"""Checks data against a policy and returns one Verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from os import PathLike
from typing import Any, Literal, Unpack

from singleout.engine.open_tables import share_open_tables
from singleout.engine.session import refuse_changes
from singleout.policy.answers.rule_answers import RuleAnswers, rule_answers
from singleout.policy.applicable_rules import rules_not_asked
from singleout.policy.check_settings import Machine, PolicyData, inquiry_of
from singleout.policy.input_digests import digests
from singleout.policy.person_names import names_in_headers, names_written_apart
from singleout.policy.release_clues import release_clues
from singleout.policy.release_conditions import (
    merged_values,
    nameless_records,
    release_conditions,
    uncounted_people,
    undeclared_columns,
    unexplained_values,
    unguarded_columns,
    unknown_unit,
    unseen_columns,
    unseen_contents,
    unsorted_records,
)
from singleout.policy.result import Verdict
from singleout.policy.rules.policy import Policy, policy_of
from singleout.policy.verdict.decision import Observation
from singleout.progress import Progress, silent
from singleout.read.input_files import note_files
from singleout.read.source import CsvFormat
from singleout.risk.identifiers import unexplained_columns
from singleout.roles.identifiers.recognition import JUDGED

CluesFor = Literal["all", "kept", "none"]


def check(
    data: Any,
    policy: Policy | Mapping[str, Any] | str | PathLike[str],
    *,
    engine: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    csv: CsvFormat | None = None,
    original_csv: CsvFormat | None = None,
    progress: Progress = silent,
    **said: Unpack[PolicyData],
) -> Verdict:
    """May this be released? Every rule of a policy must pass; what is unknown does not.

    Nor does a table with a column that names people, such as an e-mail address, whatever the rules are about
    and the column's role says: the policy must name it in `allow_identifiers`. A column of the table that no
    rule looked at is unknown, and does not pass unless the policy names it in `allow_unjudged`; so is what a
    file holds beside the table, such as other sheets, labels or notes ('other contents').

    `policy` is a file, or a mapping of what would be in it: rules, each a `measure` with `at_least`,
    `at_most` or `equals`, asked of `columns` or of what an `attacker` knows. What its table [data] says can
    be said here too, and goes before it: `user`, `columns`, `study`, `missing`, `seed`; for attacks and
    utility `original`, `truth`, `item`, `time`, `amount` and the others of `attack` and `compare`; `domains`,
    `hierarchies`, `recipe`. The verdict has `passed`, one row a rule, and `evidence()`.

    >>> import pyarrow
    >>> table = pyarrow.table({"sex": ["f", "f", "m", "m"], "town": ["x", "y", "y", "y"]})
    >>> rules = [{"measure": "k", "at_least": 2}, {"measure": "classes", "at_most": 3}]
    >>> verdict = check(table, {"rule": rules})
    >>> verdict.passed, [each.passed for each in verdict.rules]
    (False, [False, True])
    >>> verdict.rules[0].reason
    '1, but at least 2 is asked for'
    """
    machine: Machine = {"engine": engine, "memory": memory, "threads": threads}
    return verdict_of(data, policy_of(policy), said, machine, csv, original_csv, progress)


@share_open_tables()
def verdict_of(
    data: Any,
    rules: Policy,
    said: PolicyData,
    machine: Machine,
    csv: CsvFormat | None = None,
    original_csv: CsvFormat | None = None,
    progress: Progress = silent,
    *,
    clues_for: CluesFor = "all",
) -> Verdict:
    """The same; clues beside the values are looked for in all, in what keeps all rules, or in none.

    Whoever searches a release spares them, and has the one that it takes judged with them.
    """
    with ExitStack() as stack:
        read = stack.enter_context(note_files())
        inquiry = inquiry_of(data, rules, said, machine, csv, original_csv, progress)
        for origin in (inquiry.data, inquiry.original, *inquiry.people_tables.values()):
            if origin is not None:
                stack.enter_context(refuse_changes(origin))
        answers = rule_answers(inquiry, rules, stack)
        table = answers.tables.default
        judged = answers.judge()
        kept = all(each.passed for each in judged)
        wanted = clues_for == "all" or (clues_for == "kept" and kept)
        clues = release_clues(answers.inquiry) if wanted else None
        not_asked = tuple(rules_not_asked(rules, inquiry))
        unexplained = unexplained_columns(table.counter, table.plan.user)
        explained = (*rules.allow_identifiers, *rules.allow_unjudged)
        open_for = {name: each for name, each in unexplained.items() if name not in explained}
        on_condition = {
            what: [name for name, each in open_for.items() if each == what and name != answers.other_person]
            for what in JUDGED
        }
        verdict = Verdict(
            source=inquiry.data.name,
            policy=rules.called,
            engine=table.counter.name,
            user=table.plan.user,
            seed=inquiry.seed,
            records=table.plan.records,
            people=table.plan.people,
            rules=judged,
            attackers=answers.attackers,
            inputs=digests(inquiry, rules, read, table.counter),
            not_asked=not_asked,
            conditions=tuple(
                release_conditions(
                    answers.inquiry,
                    answers.rules,
                    answers.kept_names,
                    answers.name_origin,
                    answers.other_person,
                    table.counter.other_contents(),
                    answers.coordinates,
                    rules.allow_unjudged,
                    # where nobody could look, it is told that nobody did
                    clues is None or clues.ordered or bool(clues.observations),
                    clues.made_up if clues else 0,
                    codes=on_condition["codes"],
                    few_words=on_condition["few words"],
                    several=table.plan.people < table.plan.records,
                )
            ),
            inferred=tuple(table.inferred.values()),
            remarks=tuple(dict.fromkeys((*inquiry.remarks, *answers.remarks))),
            identifiers=answers.judged_identifiers,
            allow_unjudged=rules.allow_unjudged,
            observations=(
                *unseen_columns(answers.inquiry, answers.rules, answers.told_columns),
                *unexplained_values(
                    answers.inquiry,
                    unexplained,
                    explained,
                ),
                *unknown_unit(answers.inquiry, answers.other_person),
                *nameless_records(
                    answers.inquiry, answers.nameless_records, table.plan.records, answers.rules
                ),
                *uncounted_people(table.plan.records, table.plan.people, answers.rules),
                *unguarded_columns(answers.inquiry, answers.rules),
                *undeclared_columns(answers.inquiry),
                *merged_values(table.counter.merged_columns()),
                *unseen_contents(inquiry, table.counter.other_contents(), rules.allow_unjudged),
                *(clues.observations if clues else ()),
                *(_name_observations(answers) if wanted else ()),
                *unsorted_records(
                    wanted and answers.are_by_look_alikes,
                    clues is not None and clues.ordered and not answers.inquiry.unpaired[0],
                ),
            ),
            order_tried=clues is not None,
        )
    progress("done", 1, 1)
    return verdict


def _name_observations(answers: RuleAnswers) -> Iterator[Observation]:
    """Of names that the release has, and of those that only its headers may have."""
    for column, names in answers.named_people():
        yield from names_in_headers(answers.inquiry.names, names, column)
    if (person := answers.inquiry.person) is not None:
        yield from names_written_apart(answers.released_names, person)
