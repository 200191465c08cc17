"""How far a table may go: judged by all policies that come with singleout at once, least demanding first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import takewhile

from singleout.policy.applicable_rules import UNMET, RuleNotAsked
from singleout.policy.built_in_policies import ALL_LEVELS, BUILT_IN
from singleout.policy.decision import Decision
from singleout.policy.measure_paths import find_path
from singleout.policy.policy import Policy, built_in_policy
from singleout.policy.result import Verdict
from singleout.policy.rule import Rule

LEAST = BUILT_IN[0]
ONLY = {
    "internal sharing": "it stays with colleagues under the same rules and controls (internal sharing)",
    "trusted partner": "it goes to somebody who signed not to re-identify and is audited (trusted partner)",
}
DECIDED = "{}, for what else was found decides"


def farthest_release(check: Callable[[Policy], Verdict]) -> Decision:
    """How far the table that `check` judges may go, and why not farther.

    What is only counted comes first: where that breaks the least demanding policy, nothing else is tried.
    """
    first = _counted_first(check(_counted_policy()))
    return first.decision if not first.passed else _farthest(check(built_in_policy(ALL_LEVELS)))


def _counted_policy() -> Policy:
    least = built_in_policy(LEAST)
    return replace(least, rules=tuple(rule for rule in least.rules if _is_counted(rule)))


def _is_counted(rule: Rule) -> bool:
    measure = find_path(rule.measure)
    return measure is not None and measure.path.family in ("classes", "sensitive")


def _counted_first(verdict: Verdict) -> Verdict:
    """With the rules of the least demanding policy that were not asked beside it."""
    asked = {each.rule.when for each in verdict.rules}
    others = (
        RuleNotAsked(number, rule, _why_not(rule), True)
        for number, rule in enumerate(built_in_policy(LEAST).rules, 1)
        if not _is_counted(rule) and (rule.when in asked or rule.when == "original")
    )
    every = built_in_policy(LEAST).rules
    judged = tuple(replace(each, number=every.index(each.rule) + 1) for each in verdict.rules)
    skipped = (replace(each, number=every.index(each.rule) + 1) for each in verdict.not_asked)
    return replace(verdict, rules=judged, not_asked=(*skipped, *others))


def _why_not(rule: Rule) -> str:
    return UNMET["original"] if rule.when == "original" else DECIDED.format(rule.called)


def _farthest(verdict: Verdict) -> Decision:
    decisions = {name: each.decision for name, each in _by_level(verdict).items()}
    passed = [*takewhile(lambda name: decisions[name].answer in ("conditions", "no_objection"), BUILT_IN)]
    if not passed:
        return decisions[LEAST]
    farthest = passed[-1]
    if farthest == BUILT_IN[-1]:
        return decisions[farthest]
    beyond = decisions[BUILT_IN[BUILT_IN.index(farthest) + 1]]
    reasons = tuple(f"not for {beyond.policy}: {each}" for each in beyond.reasons)
    conditions = (ONLY[farthest], *decisions[farthest].conditions)
    return replace(decisions[farthest], answer="conditions", reasons=reasons, conditions=conditions)


def _by_level(verdict: Verdict) -> Mapping[str, Verdict]:
    """The rules of each level, numbered as in its own policy."""
    levels, before = {}, 0
    for name in BUILT_IN:
        many = len(built_in_policy(name).rules)
        levels[name] = _some_rules(verdict, name, before, many)
        before += many
    return levels


def _some_rules(verdict: Verdict, name: str, before: int, many: int) -> Verdict:
    numbers = range(before + 1, before + many + 1)
    return replace(
        verdict,
        policy=name,
        rules=tuple(replace(e, number=e.number - before) for e in verdict.rules if e.number in numbers),
        not_asked=tuple(
            replace(e, number=e.number - before) for e in verdict.not_asked if e.number in numbers
        ),
    )
