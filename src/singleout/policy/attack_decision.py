"""What attacks alone say about a release: they can speak against it, and never for it."""

from __future__ import annotations

from collections.abc import Sequence

from singleout.attacks import measures as attacks
from singleout.policy.input_digests import policy_digest
from singleout.policy.rules.built_in_policies import BUILT_IN
from singleout.policy.rules.policy import built_in_policy
from singleout.policy.verdict.decision import Decision
from singleout.policy.verdict.rule_verdict import Answer, RuleVerdict

RATE = "attack.best.rate"
FOUND = "the best attack recognises people with probability {:.3g}, but at most {:g} is asked for"
ALONE = (
    "attacks alone can speak against a release and not for it; singleout check RELEASE --policy public "
    "--original ORIGINAL --truth MAP judges it"
)


def attack_decision(rates: Sequence[float | None]) -> Decision:
    """By the rate of the best attack on each release: all of them must be too high to say no to all.

    >>> attack_decision([0.5]).headline, attack_decision([0.5, 0.01]).answer, attack_decision([]).answer
    ('Do not release as it is', 'not_judged', 'not_judged')
    """
    least = BUILT_IN[0]
    policy = built_in_policy(least)
    number, rule = next((n, rule) for n, rule in enumerate(policy.rules, 1) if rule.measure == RATE)
    limit, measure = rule.at_most, attacks.RATE
    assert limit is not None
    known = [rate for rate in rates if rate is not None]
    if known and len(known) == len(rates) and min(known) > limit:
        reasons = (FOUND.format(min(known), limit),)
        broken = RuleVerdict(number, rule, measure, Answer(min(known)))
        return Decision(
            "do_not_release", least, reasons, rules=(broken,), inputs=(policy_digest(policy),)
        )  # fmt: skip
    return Decision("not_judged", "none", (ALONE,))
