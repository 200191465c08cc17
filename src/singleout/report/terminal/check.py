"""A verdict at a terminal: whether the data may be released, the rules one by one, and what was assumed."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from singleout.policy.result import AssumedAttacker, Verdict
from singleout.policy.rules.attacker import Attacker
from singleout.policy.rules.attacker_presets import PRESETS
from singleout.policy.rules.built_in_policies import BUILT_IN
from singleout.policy.rules.measure_paths import NOT_FOR_RULES, MeasurePath, measure_paths
from singleout.policy.rules.policy import built_in_policy
from singleout.policy.verdict.decision import HEADLINES
from singleout.policy.verdict.decision_words import rule_words
from singleout.policy.verdict.rule_verdict import RuleVerdict
from singleout.references import cited_papers
from singleout.report.terminal.decision import open_ends
from singleout.report.terminal.layout import safe_text, show_page, titled_table
from singleout.report.wording import identifier_line, whole_sentence
from singleout.result_table import cell_text, table_size

CONVENTIONS = (
    "The limits are conventions, not law. To change one, write the policy to a file by singleout check "
    "--policy public --write-policy my.toml, and say why."
)
LEAVE_OUT = "Leave it out; if it names nobody here, say so in the policy: allow_identifiers = [{}]."
PASSED, FAILED, UNKNOWN = "✓ passed", "✗ FAILED", "? unknown"
WORST = (
    "NAME stands for a column, a domain, an attack or a method; * for the worst of all columns or domains."
)


def show_verdict(found: Verdict) -> None:
    """The result on standard output, remarks on standard error."""
    tables = [_rules(found), *_identifier_tables(found), *map(_knowledge_table, found.attackers)]
    show_page(verdict_words(found), [*_sentences(found)], tables, _definitions(found), found.remarks)


def verdict_words(found: Verdict) -> str:
    """Passed or failed, in one line."""
    many = len(found.rules)
    only = f"the only rule of {found.policy}"
    if found.passed:
        kept = only if many == 1 else f"all {many} rules of {found.policy}"
        return f"PASSED: {found.source} keeps {kept}. {found.decision.headline}."
    names = " and ".join(dict.fromkeys(each.column for each in found.blocking))
    named = f"{found.source} names people ({names})" if found.blocking else found.source
    if found.observations and not found.blocking:
        named = f"{found.source} ({'; '.join(dict.fromkeys(each.topic for each in found.observations))})"
    answer = HEADLINES[found.decision.answer]
    if not found.failed:
        kept = f"{only} is kept" if many == 1 else f"all {many} rules of {found.policy} are kept"
        return f"FAILED: {named}, though {kept}. {answer}."
    unknown = sum(each.answer.value is None for each in found.failed)
    broken = len(found.failed) - unknown
    told = broken or unknown
    rules = f"all {many} rules" if told == many else f"{told} of {many} rules"
    some = only if many == 1 else f"{rules} of {found.policy}"
    verb = "breaks" if broken else "is not judged by"
    also = f"; {unknown} {'is' if unknown == 1 else 'are'} unknown" if broken and unknown else ""
    return f"FAILED: {named}{' and' if found.blocking else ''} {verb} {some}{also}. {answer}."


def _sentences(found: Verdict) -> Iterator[str]:
    for identifier in found.blocking:
        name = json.dumps(identifier.column, ensure_ascii=False)
        yield f"Column {identifier_line(identifier)}. {LEAVE_OUT.format(name)}"
    for observation in found.observations:
        yield whole_sentence(observation.words)
    if allowed := dict.fromkeys(each.identifier.column for each in found.identifiers if each.allowed):
        yield f"The policy allows columns that look as if they named people: {', '.join(allowed)}."
    for each in found.failed:
        why = f" Wanted because {each.rule.reason.rstrip('.')}." if each.rule.reason else ""
        yield f"Rule {each.number}, {each.rule.called}: {each.reason}.{why}"
    for each in found.rules:
        if each.passed and each.notes:
            yield f"Rule {each.number}, {each.rule.called}, passed: {'; '.join(each.notes)}."
    # rules that are unknown have been told
    told = {*map(rule_words, found.failed), *(each.words for each in found.observations)}
    yield from open_ends(found.conditions, found.decision.findings, told)
    yield f"Looked at: {table_size(found.records, found.people)}."


def _identifier_tables(found: Verdict) -> Iterator[Table]:
    if not found.identifiers:
        return
    table = titled_table("Direct identifiers")
    for title in ("column", "kind"):
        table.add_column(title, overflow="fold")
    table.add_column("records", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in found.identifiers:
        one = each.identifier
        verdict = Text("allowed by the policy" if each.allowed else FAILED, "" if each.allowed else "bold")
        table.add_row(safe_text(one.column), one.kind, f"{one.records:,} of {one.of_records:,}", verdict)
    yield table


def _rules(found: Verdict) -> Table:
    table = titled_table("Rules")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("measure", overflow="fold", min_width=20)
    table.add_column("asked for", overflow="fold", min_width=10)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in found.rules:
        broken = UNKNOWN if each.answer.value is None else FAILED
        verdict = Text(PASSED if each.passed else broken, "" if each.passed else "bold")
        asked = safe_text(each.rule.limit_words)
        table.add_row(str(each.number), safe_text(_scope(each)), asked, cell_text(each.answer.value), verdict)
    return table


def _scope(each: RuleVerdict) -> str:
    """The measure and what it was asked of."""
    rule = each.rule
    named = f"{rule.name}: {rule.measure}" if rule.name else rule.measure
    parts = [name if value is True else f"{name} {value}" for name, value in rule.parameters.items()]
    columns = f"of {', '.join(each.answer.columns)}" if each.answer.columns else ""
    known = f"to {rule.attacker}, who knows {each.answer.assumption}" if rule.attacker else ""
    worst = f"worst case: {each.answer.of}" if each.answer.of else ""
    return "; ".join(part for part in (named, *parts, columns, known, worst) if part)


def _knowledge_table(assumed: AssumedAttacker) -> Table:
    attacker = assumed.attacker
    table = titled_table(f"What {attacker.title} is taken to know (roles: {assumed.roles_from})")
    for title in ("column", "role"):
        table.add_column(title, overflow="fold")
    table.add_column("", overflow="fold")
    for column in assumed.columns:
        table.add_row(safe_text(column.column), safe_text(column.role), safe_text(column.says))
    return table


def _definitions(found: Verdict) -> Iterator[tuple[str, str]]:
    for measure in found.measures:
        over = f"counted over {measure.counted_over}"
        yield measure.name, f"{measure.question} ({measure.formula}; {over}; {measure.reference})"
    for rule in dict.fromkeys(each.missing_rule for each in found.rules):
        numbers = [str(each.number) for each in found.rules if each.missing_rule == rule]
        yield f"missing values in {'rule' if len(numbers) == 1 else 'rules'} {', '.join(numbers)}", rule
    for each in found.attackers:
        yield each.attacker.name, _attacker_words(each.attacker)


def show_attackers() -> None:
    """The presets: what each knows, and why."""
    sentences = [f"{each.name}: {_attacker_words(each)}" for each in PRESETS.values()]
    show_page("Attackers that a rule can name", sentences, (), (), ())


def _attacker_words(attacker: Attacker) -> str:
    return f"{attacker.title} knows {attacker.knows}. Records: {attacker.records}. {attacker.reason}"


def attackers_as_dict() -> dict[str, object]:
    listed = [{**vars(each), "granularity": dict(each.granularity)} for each in PRESETS.values()]
    return {"attackers": listed}


def show_policies() -> None:
    """Those that come with singleout: every limit, and where it is from."""
    tables = []
    for name in BUILT_IN:
        table = titled_table(f"{name[0].upper()}{name[1:]}")
        for title in ("asked for", "of", "where the limit is from"):
            table.add_column(title, overflow="fold")
        for rule in built_in_policy(name).rules:
            asked = f"{rule.measure} {rule.limit_words}"
            table.add_row(asked, safe_text(rule.when or "every table"), safe_text(rule.source or ""))
        tables.append(table)
    sources = (rule.source or "" for name in BUILT_IN for rule in built_in_policy(name).rules)
    show_page("Policies that come with singleout", [CONVENTIONS], tables, cited_papers(sources), ())


def policies_as_dict() -> dict[str, object]:
    return {"policies": [{"policy": name, "rules": _listed_rules(name)} for name in BUILT_IN]}


def _listed_rules(name: str) -> list[dict[str, object]]:
    return [
        {
            "rule": each.called,
            "measure": each.measure,
            "asked": each.limit_words,
            "when": each.when,
            "parameters": dict(each.parameters),
            "wanted_because": each.reason,
            "source": each.source,
        }
        for each in built_in_policy(name).rules
    ]


def show_measures() -> None:
    """Every path, with what it asks."""
    table = titled_table("Measures that a rule can name")
    table.add_column("measure", overflow="fold", min_width=34)
    table.add_column("question", overflow="fold")
    for path in measure_paths():
        needs = f" Needs {path.needs}." if path.needs else ""
        table.add_row(safe_text(path.words), safe_text(f"{path.measure.question}{needs}"))
    left_out = [(name, why) for name, why in NOT_FOR_RULES.items()]
    show_page(
        "singleout check", [WORST], [table], [(f"not for rules: {name}", why) for name, why in left_out], ()
    )


def measures_as_dict() -> dict[str, object]:
    return {"measures": [_path(each) for each in measure_paths()], "not_for_rules": NOT_FOR_RULES}


def _path(path: MeasurePath) -> dict[str, object]:
    definition = {"name": path.measure.name, **path.measure.as_dict()}
    return {"measure": path.words, "takes": list(path.takes), "needs": path.needs, "definition": definition}
