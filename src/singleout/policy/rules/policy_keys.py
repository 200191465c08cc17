"""What a policy may say of the data and in a rule: each key, and what is right for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from singleout.checks import is_number
from singleout.errors import name_hint
from singleout.policy.rules.attacker import MOST_POINTS, are_names, short_text

MISSING_RULES = ("value", "drop", "wildcard")
WHEN = ("history", "one record a person", "sensitive", "original")
TEXTS = ("attacker", "name", "reason", "source", "when", "missing")
MOST = 10**9
# of a rule, whether its measure takes it or not
ANY_RULE = ("measure", "at_least", "at_most", "equals", "name", "reason", "source", "when")
Kinds = Mapping[str, str]

PARAMETERS: Kinds = {
    "points": "few",
    "worst": "flag",
    "narrow": "count",
    "draws": "few",
    "share": "share",
    "allow": "count",
    "synergy": "positive",
    "sampled": "share",
    "sensitive": "text",
    "l": "few",
    "known": "few",
    "times": "few",
}
RULE_KEYS: Kinds = {
    "measure": "text",
    "at_least": "limit",
    "at_most": "limit",
    "equals": "limit",
    "columns": "names",
    "attacker": "text",
    "name": "text",
    "reason": "text",
    "source": "text",
    "when": "when",
    "missing": "missing",
    **PARAMETERS,
}
DATA_KEYS: Kinds = {
    "user": "text",
    "columns": "names",
    "study": "text",
    "sensitive": "text or names",
    "missing": "missing",
    "original": "text",
    "truth": "text",
    "release_user": "text",
    "renamed": "renaming",
    "without_records": "flag",
    "item": "text or names",
    "time": "text or names",
    "amount": "text",
    "place": "text or names",
    "category": "text or names",
    "pair": "names",
    "number": "text",
    "receipt": "text",
    "entry": "text",
    "exit": "text",
    "routes": "text or names",
    "location": "text",
    "groups": "text or names",
    "people_table": "text",
    "release_people_table": "text",
    "hierarchies": "text",
    "recipe": "text",
    "domains": "names",
    "population": "whole",
    "sampled": "share",
    "reference": "text",
    "reference_user": "text",
    "weight": "text",
    "household": "text",
    "seed": "whole",
}
# of the policy as a whole, above its tables
TOP_KEYS: Kinds = {"allow_identifiers": "names or none", "allow_unjudged": "names or none"}
# what a file holds beside the table, in allow_unjudged
FILE_CONTENTS = "other contents"
# of the data, those that name a file
FILES = (
    "study",
    "original",
    "truth",
    "people_table",
    "release_people_table",
    "hierarchies",
    "recipe",
    "reference",
)
RIGHT = {
    "text": "write a text that is not empty",
    "names": 'write a list of texts, each once, like ["date", "zip"]',
    "names or none": 'write a list of columns, each once, like ["receipt"]',
    "text or names": "write a text, or a list of texts",
    "when": f"there are {', '.join(WHEN)}",
    "missing": f"there are {', '.join(MISSING_RULES)}",
    "renaming": 'write it like { goods = "article" }',
    "flag": "write true or false",
    "few": f"write a whole number from 1 to {MOST_POINTS:,}",
    "count": f"write a whole number from 1 to {MOST:,}",
    "whole": "write a whole number",
    "share": "write a number above 0, and 1 at most",
    "positive": "write a number above 0",
}


def key_fault(name: Any, value: Any, kinds: Kinds) -> list[str]:
    """What is wrong with one line, if anything is; limits are looked at by whoever compares with them.

    >>> key_fault("points", True, PARAMETERS)
    ['points: True is wrong; write a whole number from 1 to 1,000']
    """
    kind = kinds.get(name)
    if kind is None:
        return [f"there is no {name!r}; {name_hint(str(name), kinds)}"]
    return [] if _fits_kind(kind, value) else [f"{name}: {short_text(value)} is wrong; {RIGHT[kind]}"]


def _fits_kind(kind: str, value: Any) -> bool:
    text = isinstance(value, str) and bool(value)
    number = is_number(value) and isinstance(value, int | float)
    whole = number and isinstance(value, int)
    right: dict[str, bool] = {
        "limit": True,
        "text": text,
        "names": are_names(value),
        "names or none": isinstance(value, list | tuple) and (not value or are_names([*value])),
        "text or names": text or are_names(value),
        "when": text and value in WHEN,
        "missing": text and value in MISSING_RULES,
        "renaming": isinstance(value, Mapping) and all(isinstance(each, str) for each in value.values()),
        "flag": isinstance(value, bool),
        "few": whole and 1 <= value <= MOST_POINTS,
        "count": whole and 1 <= value <= MOST,
        "whole": whole,
        "share": number and 0 < value <= 1,
        "positive": number and 0 < value < float("inf"),
    }
    return right[kind]
