"""How far a table may go: judged by all policies that come with singleout at once, least demanding first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import takewhile

from singleout.policy.applicable_rules import UNMET, RuleNotAsked
from singleout.policy.input_digests import policy_digest
from singleout.policy.result import Verdict
from singleout.policy.rules.built_in_policies import BUILT_IN
from singleout.policy.rules.measure_paths import find_path
from singleout.policy.rules.policy import Policy, built_in_policy
from singleout.policy.rules.rule import Rule
from singleout.policy.verdict.decision import Decision

LEAST = BUILT_IN[0]
ONLY = {
    "internal sharing": "it stays with colleagues under the same rules and controls (internal sharing)",
    "trusted partner": "it goes to somebody who signed not to re-identify and is audited (trusted partner)",
}
DECIDED = "{}, for the verdict is clear without"


def farthest_release(check: Callable[[Policy], Verdict]) -> Decision:
    """How far the table that `check` judges may go, and why not farther.

    What is only counted comes first: where that breaks the least demanding policy, nothing else is tried.
    """
    first = _counted_first(check(_counted_policy()))
    return first.decision if not first.passed else _farthest(check(_rules_of_all_levels()))


def _counted_policy() -> Policy:
    return Policy(tuple(rule for rule in built_in_policy(LEAST).rules if _is_counted(rule)))


def _rules_of_all_levels() -> Policy:
    """One after the other, so that a table is looked at once."""
    return Policy(tuple(rule for name in BUILT_IN for rule in built_in_policy(name).rules))


def _judged_by(verdict: Verdict, name: str) -> Verdict:
    """As the verdict of the level whose rules these are."""
    policy = policy_digest(built_in_policy(name))
    inputs = tuple(policy if each.what == policy.what else each for each in verdict.inputs)
    return replace(verdict, policy=name, inputs=inputs)


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
    return replace(_judged_by(verdict, LEAST), rules=judged, not_asked=(*skipped, *others))


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
        _judged_by(verdict, name),
        rules=tuple(replace(e, number=e.number - before) for e in verdict.rules if e.number in numbers),
        not_asked=tuple(
            replace(e, number=e.number - before) for e in verdict.not_asked if e.number in numbers
        ),
    )
