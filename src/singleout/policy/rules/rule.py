"""A rule: a measure, the limits that it must keep, and what it is asked of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from singleout.attacks.catalogue import KINDS
from singleout.checks import is_number
from singleout.errors import UsageError, name_hint
from singleout.policy.rules.attacker import short_text
from singleout.policy.rules.measure_paths import NOT_FOR_RULES, POINTS, FoundMeasure, find_path, measure_paths
from singleout.policy.rules.policy_keys import ANY_RULE, RULE_KEYS, key_fault
from singleout.result_table import without_power
from singleout.risk.predict.result import Method
from singleout.utility.catalogue import OF_COLUMNS

ANY_ATTACK = re.compile(rf"({'|'.join(KINDS)})(_one_to_one)?|combined|best|{POINTS}")
METHODS: tuple[str, ...] = get_args(Method)
ALL = "(singleout check --list-measures tells all)"


def measure_faults(text: str, keys: Sequence[str]) -> list[str]:
    """What is wrong with a measure, and with the keys that a rule has for it.

    >>> measure_faults("k", ["points"]), measure_faults("attack.bays.rate", [])
    (['points: k does not take it; it takes columns, missing, attacker'], ["there is no attack 'bays'; did \
you mean 'bayes' or 'gaps' or 'best'?"])
    """
    found = find_path(text)
    if found is None:
        return [_unknown_measure(text)]
    faults = []
    if strange := [key for key in keys if key not in (*ANY_RULE, *found.takes)]:
        what = "it" if len(strange) == 1 else "them"
        taken = ", ".join(found.takes)
        faults.append(f"{', '.join(strange)}: {text} does not take {what}; it takes {taken}")
    return faults + _name_faults(found, keys)


def _name_faults(found: FoundMeasure, keys: Sequence[str]) -> list[str]:
    family, name = found.path.family, found.name
    if family == "attack" and not ANY_ATTACK.fullmatch(name):
        return [f"there is no attack {name!r}; {name_hint(name, (*KINDS, 'combined', 'best', 'points_2'))}"]
    if family == "prediction" and found.path.ends and name not in METHODS:
        return [f"there is no method {name!r}; {name_hint(name, METHODS)}"]
    if family == "points" and not {"points", "attacker"} & {*keys}:
        return ["say how many records are known, like points = 2, or which attacker knows them"]
    if found.path.part == "sampling.low" and "at_most" in keys:
        path = f"attribute.{name}.sampling"
        return [f"at_most: the risk may be above {path}.low; take {path}.high, or {path}.mean"]
    if family in ("sensitive", "inference") and "sensitive" not in keys:
        return ['say which column is sensitive, like sensitive = "diagnosis"']
    return []


def _unknown_measure(text: str) -> str:
    first = text.split(".")[0]
    for name, why in NOT_FOR_RULES.items():
        if text == name or (name == "dummies" and first == "dummies"):
            return f"the measure {text!r} is not for rules: {why}"
    if measure := next((each for each in OF_COLUMNS if each.name == text), None):
        return f"the measure {text!r} is of a column; write {measure.name}.price, or {measure.name}.* for all"
    return f"there is no measure {text!r}; {name_hint(text, _similar_paths(text))} {ALL}"


def _similar_paths(text: str) -> Iterator[str]:
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


LIMITS = ("at_least", "at_most", "equals")
# beyond, differences to a value are no longer numbers
LARGEST = 1e300
Number = int | float


@dataclass(frozen=True)
class Rule:
    """One demand: a measure, its limits, and what it is asked of.

    `parameters` are what its measure wants to know besides, such as `points` or `allow`. `reason` is why the
    organisation wants it, `source` who says that this is the limit; `when` is to what tables it applies, None
    for all. A rule without a name is called by its measure.

    >>> Rule("k")
    Traceback (most recent call last):
    singleout.errors.UsageError: rule k: has no limit; write at_least, at_most or equals
    """

    measure: str
    at_least: Number | None = None
    at_most: Number | None = None
    equals: Number | None = None
    columns: tuple[str, ...] | None = None
    attacker: str | None = None
    name: str | None = None
    reason: str | None = None
    source: str | None = None
    when: str | None = None
    missing: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if faults := [*self._faults()]:
            raise UsageError(f"rule {self.called}: {'; '.join(faults)}")

    def _faults(self) -> Iterator[str]:
        own: Any = self.parameters
        if not isinstance(own, Mapping):
            yield f"parameters: {short_text(self.parameters)} is wrong; give a mapping like {{'points': 2}}"
            return
        fields = {name: value for name in RULE_KEYS if (value := getattr(self, name, None)) is not None}
        yield from (f"{name}: is no parameter; say it as it is" for name in self.parameters if name in fields)
        yield from rule_faults({**self.parameters, **fields})

    @property
    def called(self) -> str:
        return self.name or self.measure

    @property
    def limit(self) -> Number | list[Number]:
        """The number that is not to be passed, or both if there are two."""
        given = [each for each in (self.at_least, self.at_most, self.equals) if each is not None]
        return given[0] if len(given) == 1 else given

    @property
    def limit_words(self) -> str:
        """The limits in words.

        >>> Rule("k", at_least=5).limit_words, Rule("k", at_least=2, at_most=9).limit_words
        ('at least 5', 'at least 2 and at most 9')
        """
        told = {"at least": self.at_least, "at most": self.at_most, "exactly": self.equals}
        return " and ".join(
            f"{words} {without_power(f'{limit:,}')}" for words, limit in told.items() if limit is not None
        )

    def allows(self, value: Number) -> bool:
        """Compared as they are: nothing is rounded."""
        return (
            (self.at_least is None or value >= self.at_least)
            and (self.at_most is None or value <= self.at_most)
            and (self.equals is None or value == self.equals)
        )


def label(number: int, rule: Mapping[str, Any] | Rule) -> str:
    """What a rule is called in an error."""
    told = rule.called if isinstance(rule, Rule) else rule.get("name") or rule.get("measure")
    return f"rule {number} ({told}): " if isinstance(told, str) and told else f"rule {number}: "


def rule_faults(said: Mapping[str, Any]) -> Iterator[str]:
    """All that is wrong with what a rule says, but for whom it names as attacker."""
    measure = said.get("measure")
    if measure is None:
        yield 'has no measure; write one like measure = "k"'
    for name, value in said.items():
        yield from key_fault(name, value, RULE_KEYS)
    yield from _limit_faults(said)
    if isinstance(measure, str) and measure:
        yield from measure_faults(measure, [name for name in said if name in RULE_KEYS])
    if said.get("worst") is True and "draws" in said:
        yield "draws: the most telling records are not drawn; leave it out, or worst"


def _limit_faults(said: Mapping[str, Any]) -> Iterator[str]:
    given = [name for name in LIMITS if name in said]
    odd = [name for name in given if not _is_number(said[name])]
    for name in odd:
        yield f"{name}: {short_text(said[name])} is no number to compare with; write one like 5 or 0.05"
    if not given:
        yield "has no limit; write at_least, at_most or equals"
    elif "equals" in given and len(given) > 1:
        yield f"has {' and '.join(given)}; keep equals, or at_least and at_most"
    elif len(given) == 2 and not odd and said["at_least"] > said["at_most"]:
        yield f"nothing is at least {said['at_least']} and at most {said['at_most']}; exchange them"


def _is_number(value: Any) -> bool:
    """Not one that is none, endless or beyond all that is measured."""
    return is_number(value) and isinstance(value, int | float) and abs(value) <= LARGEST
