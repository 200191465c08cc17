"""How far a table may go: judged by all policies that come with singleout at once, least demanding first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from singleout.policy.built_in_policies import ALL_LEVELS, BUILT_IN
from singleout.policy.decision import Decision, decide
from singleout.policy.policy import Policy, built_in_policy
from singleout.policy.result import Verdict

ONLY = {
    "internal sharing": "it stays with colleagues under the same rules and controls (internal sharing)",
    "trusted partner": "it goes to somebody who signed not to re-identify and is audited (trusted partner)",
}


def policy_of_all_levels() -> Policy:
    """One policy with the rules of all, so that each measure is asked once."""
    return built_in_policy(ALL_LEVELS)


def farthest_release(verdict: Verdict) -> Decision:
    """By a verdict on the policy of all levels: how far the table may go, and why not farther."""
    decisions = {name: decide(each) for name, each in _by_level(verdict).items()}
    passed = [name for name in BUILT_IN if decisions[name].answer in ("conditions", "no_objection")]
    if not passed:
        return decisions[BUILT_IN[0]]
    farthest = passed[-1]
    if farthest == BUILT_IN[-1]:
        return decisions[farthest]
    beyond = decisions[BUILT_IN[BUILT_IN.index(farthest) + 1]]
    reasons = tuple(f"{beyond.policy}: {each}" for each in beyond.reasons)
    conditions = (ONLY[farthest], *decisions[farthest].conditions)
    return replace(decisions[farthest], answer="conditions", reasons=reasons, conditions=conditions)


def _by_level(verdict: Verdict) -> Mapping[str, Verdict]:
    """The rules of each level, numbered as in its own policy."""
    levels, first = {}, 0
    for name in BUILT_IN:
        last = first + len(built_in_policy(name).rules)
        numbers = range(first + 1, last + 1)
        levels[name] = replace(
            verdict,
            policy=name,
            rules=tuple(replace(r, number=r.number - first) for r in verdict.rules if r.number in numbers),
            not_asked=tuple(
                replace(r, number=r.number - first) for r in verdict.not_asked if r.number in numbers
            ),
        )
        first = last
    return levels
