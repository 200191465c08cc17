"""What attacks alone say about a release: they can speak against it, and never for it."""

from __future__ import annotations

from collections.abc import Sequence

from singleout.policy.input_digests import policy_digest
from singleout.policy.rules.built_in_policies import BUILT_IN
from singleout.policy.rules.policy import built_in_policy
from singleout.policy.verdict.decision import Decision

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
    limit = next(rule.at_most for rule in policy.rules if rule.measure == RATE)
    assert limit is not None
    known = [rate for rate in rates if rate is not None]
    if known and len(known) == len(rates) and min(known) > limit:
        reasons = (FOUND.format(min(known), limit),)
        return Decision("do_not_release", least, reasons, inputs=(policy_digest(policy),))
    return Decision("not_judged", "none", (ALONE,))
