"""What a rule found, as a sentence for somebody who decides."""

from __future__ import annotations

import re

from singleout.policy.verdict.rule_verdict import RuleVerdict, value_words

SENTENCES = {
    "k": "the smallest group of look-alikes has {counted} (k-anonymity)",
    "people.k": "the least protected record fits {counted} (k-anonymity by people)",
    "highest_risk": "whoever knows all columns recognises the least protected person with probability {} "
    "(prosecutor risk)",
    "people.highest_risk": "the least protected record gives its person away with probability {}",
    "average_risk": "a record is recognised with probability {}, on average",
    "people.average_risk": "a known record gives its person away with probability {}, on average",
    "points.rate": "{points} {which} known records give a person away with probability {}",
    "attack.best.rate": "the best attack recognises people with probability {}",
    "attack.best.bound": "nobody can exclude that people are recognised with probability {}",
    "sensitive.distinct_l": "the most uniform group of look-alikes has {counted} of {of} (l-diversity)",
    "sensitive.skew": "in the most one-sided group of look-alikes a value of {of} is more frequent than "
    "among all people by {} (Cohen's h: 0.2 is little, 0.8 is much, 3.14 the most)",
    "sensitive.rare_share": "the share of people whose record is found by their value of {of} alone, as "
    "fewer than 3 people have it, is {}",
    "sensitive.certain_people": "for {counted} {of} follows from what else is known of them",
    "inference.gain": "guesses of {of} from the other columns gain {} over the base rate",
}

KNOWN_RECORDS = re.compile(r"attack\.(?P<worst>worst_)?points_(?P<many>[0-9]+)\.rate")
# what the whole numbers of these sentences count: one, and several
COUNTED = {
    "k": ("record", "records"),
    "people.k": ("person", "people"),
    "sensitive.distinct_l": ("value", "different values"),
    "sensitive.certain_people": ("person", "people"),
}


def rule_words(judged: RuleVerdict) -> str:
    """A sentence of its own for the usual measures, else the rule's name and number."""
    rule, answer = judged.rule, judged.answer
    if answer.value is None:
        return f"{rule.called} is unknown: {answer.reason}"
    number = value_words(answer.value, rule)
    sentence = SENTENCES.get(rule.measure) or _of_known_records(rule.measure)
    found = f"{rule.called} is {number}"
    if sentence:
        one, several = COUNTED.get(rule.measure, ("", ""))
        counted = f"{number} {one if answer.value == 1 else several}"
        found = sentence.format(number, counted=counted, **_parameters(judged))
    end = f" ({answer.reason})" if answer.reason and "end of the" in answer.reason else ""
    return f"{found}{end}, {'and' if judged.passed else 'but'} {rule.limit_words} is asked for"


def _of_known_records(measure: str) -> str | None:
    """
    >>> _of_known_records("attack.points_4.rate").format("0.2")
    'whoever knows 4 random records of a person recognises them with probability 0.2'
    """
    known = KNOWN_RECORDS.fullmatch(measure)
    if known is None:
        return None
    which = "of the most telling" if known["worst"] else "random"
    records = f"{known['many']} {which} {'record' if known['many'] == '1' else 'records'}"
    return f"whoever knows {records} of a person recognises them with probability {{}}"


def _parameters(judged: RuleVerdict) -> dict[str, str]:
    told = {name: str(each) for name, each in judged.rule.parameters.items()}
    which = "of the most telling" if judged.rule.parameters.get("worst") else "random"
    return {
        "points": "some",
        "which": which,
        **told,
        "of": judged.answer.of or told.get("sensitive", "the sensitive column"),
    }
