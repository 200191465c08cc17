"""The policy behind a verdict with its limits and their sources, and ways to a release that were tried."""

from __future__ import annotations

from collections.abc import Sequence

from singleout.investigation.release_ways import MeasuredWay
from singleout.policy.verdict.decision import Decision
from singleout.policy.verdict.rule_verdict import RuleVerdict
from singleout.report.pages.page import Section
from singleout.result_table import Heading, ResultTable

CONVENTIONS = (
    "The limits are conventions, not law: whoever uses others should be able to say why. singleout check "
    "--write-policy writes a policy to start from; singleout check --list-policies lists those that come "
    "with singleout."
)
LIMITS = (
    Heading("rule", "rule"),
    Heading("asked", "asked for"),
    Heading("found", "found"),
    Heading("kept", "verdict"),
    Heading("source", "where the limit is from"),
)
WAYS = (
    Heading("way", "what was tried"),
    Heading("verdict", "verdict on the release"),
    Heading("why", "why"),
    Heading("price", "what it costs"),
)


def policy_section(decision: Decision) -> Section:
    table = ResultTable("Rules, what was found, and sources", LIMITS, tuple(map(_rule_row, decision.rules)))
    measures = tuple({each.measure.name: each.measure for each in decision.rules}.values())
    return Section("policy", "The policy and its limits", (CONVENTIONS,), (), (table,), measures)


def _rule_row(each: RuleVerdict) -> tuple[str | float | None, ...]:
    kept = "kept" if each.passed else "unknown" if each.answer.value is None else "broken"
    asked, source = each.rule.limit_words, each.rule.source or each.rule.reason or "the policy"
    return each.rule.called, asked, each.answer.value, kept, source


def ways_section(ways: Sequence[MeasuredWay]) -> Section:
    """Each was gone on this data, and what came out was judged as this table was."""
    table = ResultTable(
        "Releases that were made of this table, and judged as it was", WAYS, tuple(map(_way_row, ways))
    )
    lead = "The commands stand below, to be run in the folder of the table:"
    code = tuple("\n".join(each.commands) for each in ways)
    return Section("ways", "What it takes", (lead,), (), (table,), code=code)


def _way_row(way: MeasuredWay) -> tuple[str, ...]:
    why = (*way.decision.conditions, *way.decision.reasons) if way.reaches else way.decision.reasons
    headline = f"{way.decision.headline} (policy: {way.decision.policy})"
    return way.words, headline, "; ".join(why), way.price
