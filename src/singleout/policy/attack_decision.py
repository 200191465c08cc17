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
OF_ONE = "{} is not to be released as it is: {}"
ALONE = (
    "attacks alone can speak against a release and not for it; singleout check RELEASE --policy public "
    "--original ORIGINAL --truth MAP judges it"
)


def attack_decision(rates: Sequence[float | None], names: Sequence[str] = ()) -> Decision:
    """By the rate of the best attack on each release: all of them must be too high to say no to all.

    Where only some are, those are told by their names.

    >>> attack_decision([0.5]).headline, attack_decision([0.5, 0.01]).answer, attack_decision([]).answer
    ('Do not release as it is', 'not_judged', 'not_judged')
    >>> print(attack_decision([0.5, None], ["half.csv", "none.csv"]).reasons[1])
    half.csv is not to be released as it is: the best attack recognises people with probability 0.5, but \
at most 0.34 is asked for
    """
    least = BUILT_IN[0]
    policy = built_in_policy(least)
    number, rule = next((n, rule) for n, rule in enumerate(policy.rules, 1) if rule.measure == RATE)
    limit = rule.at_most
    assert limit is not None
    above = [rate for rate in rates if rate is not None and rate > limit]
    if not above:
        return Decision("not_judged", "none", (ALONE,))
    least_above, inputs = min(above), (policy_digest(policy),)
    broken = (RuleVerdict(number, rule, attacks.RATE, Answer(least_above)),)
    if len(above) == len(rates):
        words = FOUND.format(least_above, limit)
        return Decision("do_not_release", least, (words,), rules=broken, inputs=inputs)
    told = tuple(
        OF_ONE.format(name, FOUND.format(rate, limit))
        for name, rate in zip(names, rates, strict=False)
        if rate in above
    )
    return Decision("not_judged", least, (ALONE, *told), rules=broken, inputs=inputs)
