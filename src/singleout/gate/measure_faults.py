"""What is wrong with the name of a measure in a rule, or with what the rule says besides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import get_args

from singleout.attacks.catalogue import KINDS
from singleout.errors import nearest
from singleout.gate.measure_paths import NOT_FOR_RULES, POINTS, Found, find_path, measure_paths
from singleout.gate.policy_keys import ANY_RULE
from singleout.prediction import Method
from singleout.utility.catalogue import OF_COLUMNS

ANY_ATTACK = re.compile(rf"({'|'.join(KINDS)})(_one_to_one)?|combined|best|{POINTS}")
METHODS: tuple[str, ...] = get_args(Method)
ALL = "(singleout check --list-measures tells all)"


def measure_faults(text: str, keys: Sequence[str]) -> list[str]:
    """What is wrong with a measure, and with the keys that a rule has for it.

    >>> measure_faults("k", ["points"]), measure_faults("attack.jacard.rate", [])
    (['points: k does not take it; it takes columns, missing, attacker'], ["there is no attack 'jacard'; did \
you mean 'jaccard' or 'weighted_jaccard'?"])
    """
    found = find_path(text)
    if found is None:
        return [_unknown(text)]
    faults = []
    if strange := [key for key in keys if key not in (*ANY_RULE, *found.takes)]:
        what = "it" if len(strange) == 1 else "them"
        taken = ", ".join(found.takes)
        faults.append(f"{', '.join(strange)}: {text} does not take {what}; it takes {taken}")
    return faults + _name_faults(found, keys)


def _name_faults(found: Found, keys: Sequence[str]) -> list[str]:
    family, name = found.path.family, found.name
    if family == "attack" and not ANY_ATTACK.fullmatch(name):
        return [f"there is no attack {name!r}; {nearest(name, (*KINDS, 'combined', 'best', 'points_2'))}"]
    if family == "prediction" and found.path.ends and name not in METHODS:
        return [f"there is no method {name!r}; {nearest(name, METHODS)}"]
    if family == "points" and not {"points", "attacker"} & {*keys}:
        return ["say how many records are known, like points = 2, or which attacker knows them"]
    if family == "sensitive" and "sensitive" not in keys:
        return ['say which column is sensitive, like sensitive = "diagnosis"']
    return []


def _unknown(text: str) -> str:
    first = text.split(".")[0]
    for name, why in NOT_FOR_RULES.items():
        if text == name or (name == "dummies" and first == "dummies"):
            return f"the measure {text!r} is not for rules: {why}"
    if measure := next((each for each in OF_COLUMNS if each.name == text), None):
        return f"the measure {text!r} is of a column; write {measure.name}.price, or {measure.name}.* for all"
    return f"there is no measure {text!r}; {nearest(text, _alike(text))} {ALL}"


def _alike(text: str) -> Iterator[str]:
    """Every path, with the text's own name in it where it has one."""
    for path in measure_paths():
        if path.ends is None:
            yield path.words
            continue
        before, after = path.ends
        rest = text.removeprefix(before)
        inside = rest.rsplit(".", after.count("."))[0] if after else rest
        name = inside if text.startswith(before) and inside else "NAME"
        yield f"{before}{name}{after}"
