"""The policy behind a verdict with its limits and their sources, and ways to a release that were tried."""

from __future__ import annotations

from singleout.investigation.priced_alternatives import PricedAlternative, protect_command
from singleout.investigation.release_ways import MeasuredWay, join_command
from singleout.investigation.result import Investigation
from singleout.policy.verdict.decision import GRANTED, Decision
from singleout.policy.verdict.rule_verdict import RuleVerdict
from singleout.report.pages.page import Section
from singleout.result_table import Heading, ResultTable

CONVENTIONS = (
    "The limits are conventions, not law: whoever sets other ones should be able to say why. singleout check "
    "--write-policy writes a policy to start from; singleout check --list-policies lists those that come "
    "with singleout."
)
LIMITS = (
    Heading("rule", "rule"),
    Heading("asked", "asked for"),
    Heading("found", "found", "by the measure of the rule, which is defined below"),
    Heading("kept", "verdict"),
    Heading("source", "where the limit is from"),
)
WAYS = (
    Heading("way", "what was tried"),
    Heading("verdict", "verdict on the release"),
    Heading("why", "why"),
    Heading("price", "what it costs"),
)
ALTERNATIVES = (
    Heading("what", "what else could be released"),
    Heading("price", "what it costs"),
    Heading("keeps", "what it protects by its making"),
)
COMMANDS = "The commands stand below, to be run in the folder of the table:"


def policy_section(decision: Decision) -> Section:
    table = ResultTable("Rules, what was found, and sources", LIMITS, tuple(map(_rule_row, decision.rules)))
    measures = tuple({each.measure.name: each.measure for each in decision.rules}.values())
    # where these are what the verdict hangs on, they stand in it
    granted = () if decision.answer == "conditions" else decision.conditions
    lead = (CONVENTIONS, *map(GRANTED.format, granted))
    return Section("policy", "The policy and its limits", lead, (), (table,), measures)


def limits_section(decision: Decision) -> tuple[Section, ...]:
    """Where a rule was asked."""
    return (policy_section(decision),) if decision.rules else ()


def _rule_row(each: RuleVerdict) -> tuple[str | float | None, ...]:
    kept = "kept" if each.passed else "unknown" if each.answer.value is None else "broken"
    asked, source = each.rule.limit_words, each.rule.source or each.rule.reason or "the policy"
    return each.rule.called, asked, each.answer.value, kept, source


def ways_section(found: Investigation) -> Section:
    """Ways that were gone on this data and judged as this table was, what else was counted, and a search."""
    made = ResultTable(
        "Releases that were made of this table, and judged as it was", WAYS, tuple(map(_way_row, found.ways))
    )
    counted = ResultTable(
        "What else was counted on this table, and not judged",
        ALTERNATIVES,
        tuple(map(_alternative_row, found.alternatives)),
    )
    commands = [*(each.commands for each in found.ways), *(each.commands for each in found.alternatives)]
    code = ["\n".join(each) for each in commands]
    if found.decision is not None and not any(each.reaches for each in found.ways):
        told = found.assessment
        sensitive = [each.column for each in told.sensitive]
        code.append(protect_command(told.source, told.user, sensitive, found.decision.policy))
    code = [*join_command(found.assessment.source, found.assessment.user), *code]
    tables = tuple(each for each in (made, counted) if each.rows)
    return Section("ways", "What it takes", (COMMANDS,), (), tables, code=tuple(code))


def _alternative_row(each: PricedAlternative) -> tuple[str, ...]:
    return each.words, each.price, each.keeps


def _way_row(way: MeasuredWay) -> tuple[str, ...]:
    why = (*way.decision.conditions, *way.decision.reasons) if way.reaches else way.decision.reasons
    headline = f"{way.decision.headline} (policy: {way.decision.policy})"
    return way.words, headline, "; ".join(why), way.price
