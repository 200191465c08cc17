"""The report of a gate: the verdict, what the rules found by the regulator's questions, and the policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.policy.result import AssumedAttacker, Verdict
from singleout.policy.verdict.decision import Decision, question_of
from singleout.policy.verdict.decision_words import rule_words
from singleout.policy.verdict.rule_verdict import RuleVerdict
from singleout.report.pages.page import Conclusion, Report, Section
from singleout.report.pages.policy_sections import policy_section
from singleout.report.wording import ONE_RECORD, table_name, whole_sentence
from singleout.result_table import Heading, ResultTable, table_size

COUNTED = "Exact: counted, nothing drawn at random."
NOT_MEASURED = "Nothing was measured."
KNOWLEDGE = (Heading("column", "column"), Heading("role", "role"), Heading("says", "what is known, and why"))
TRIED = "Counted for the attacks that were tried; somebody who finds a better one may recognise more."
CHANGE = (
    "Change the data (singleout protect searches for the change that keeps a policy and costs least; what it "
    "would find was not measured here), or argue for another limit."
)
AS_ABOVE = "Change the data as above, or argue for another limit."
LOOKED = "Looked for in names and values beside the rules; that nothing more was found proves nothing."
LOOK_AT_IT = "Change the data: this forbids a release, whatever the rules say."
GIVE_WHAT_IS_MISSING = "Give what is missing: a rule that could not be looked at does not pass."


def check_report(verdict: Verdict) -> Report:
    """May it be released by this policy, rule by rule?"""
    decision = verdict.decision
    return Report(
        title=f"May {table_name(verdict.source)} be released?",
        facts=_facts(verdict),
        conclusions=(*_observed(decision), *_by_rules(verdict.rules)),
        sections=(policy_section(decision), *map(_attacker_section, verdict.attackers)),
        remarks=verdict.remarks,
        decision=decision,
        not_tried={each.question: tuple(_gaps(each.not_tried, verdict.rules)) for each in decision.findings},
    )


def _observed(decision: Decision) -> Iterator[Conclusion]:
    """What forbids a release whatever the rules say, such as a column that names people."""
    told = {rule_words(each) for each in decision.rules}
    for finding in decision.findings:
        for words in (each for each in finding.found if each not in told):
            said, _, advice = words.partition("; ")
            advice = whole_sentence(advice) if advice else LOOK_AT_IT
            yield Conclusion(whole_sentence(said), advice, LOOKED, (), finding.question, "against")


def _gaps(not_tried: Sequence[str], rules: Sequence[RuleVerdict]) -> Iterator[str]:
    """Rules that are unknown have a card of their own."""
    told = {rule_words(each) for each in rules}
    yield from (each for each in not_tried if each not in told)


def _facts(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    size = table_size(verdict.records, verdict.people)
    return (
        ("What was checked", f"{table_name(verdict.source)}: {size}"),
        ("By which policy", verdict.policy),
        ("Whose records", f"column {verdict.user}" if verdict.user else ONE_RECORD),
        ("Raw values on this page", "none"),
        ("Counted by", f"{verdict.engine}, seed {verdict.seed}"),
    )


def _by_rules(rules: Sequence[RuleVerdict]) -> Iterator[Conclusion]:
    """What to do about the first broken rule is what to do about the others, too."""
    change = CHANGE
    for each in rules:
        yield _conclusion(each, change)
        if not each.passed and each.answer.value is not None:
            change = AS_ABOVE


def _conclusion(each: RuleVerdict, change: str) -> Conclusion:
    unknown = each.answer.value is None
    return Conclusion(
        whole_sentence(rule_words(each)),
        GIVE_WHAT_IS_MISSING if unknown else _wanted(each, change),
        NOT_MEASURED
        if unknown
        else f"Estimated from {each.answer.estimated}."
        if each.answer.estimated
        else TRIED
        if each.rule.measure.startswith("attack.")
        else COUNTED,
        (each.measure,),
        question_of(each.rule),
        "open" if unknown else "for" if each.passed else "against",
    )


def _wanted(each: RuleVerdict, change: str) -> str:
    """Of a rule that is kept the limit stands in the policy's table."""
    if each.passed:
        return ""
    why = (
        f"Wanted because {each.rule.reason.rstrip('.')}."
        if each.rule.reason
        else "The policy gives no reason."
    )
    return f"{change} {why}"


def _attacker_section(assumed: AssumedAttacker) -> Section:
    rows = tuple((each.column, each.role, each.says) for each in assumed.columns)
    table = ResultTable(f"What {assumed.attacker.title} is taken to know", KNOWLEDGE, rows)
    lead = (assumed.attacker.reason, f"The columns' roles are from {assumed.roles_from}.")
    return Section(f"attacker-{assumed.attacker.name}", f"{assumed.attacker.title}", lead, (), (table,))
