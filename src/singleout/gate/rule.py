"""A rule: a measure, the limits that it must keep, and what it is asked of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from singleout.errors import UsageError
from singleout.gate.attacker import shown
from singleout.gate.measure_faults import measure_faults
from singleout.gate.policy_keys import RULE_KEYS, key_fault

LIMITS = ("at_least", "at_most", "equals")
# beyond, differences to a value are no longer numbers
LARGEST = 1e300
Number = int | float


@dataclass(frozen=True)
class Rule:
    """One demand: a measure, its limits, and what it is asked of.

    `parameters` are what its measure wants to know besides, such as `points` or `allow`. `reason` is why the
    organisation wants it. A rule without a name is called by its measure.

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
    missing: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if faults := [*self._faults()]:
            raise UsageError(f"rule {self.called}: {'; '.join(faults)}")

    def _faults(self) -> Iterator[str]:
        own: Any = self.parameters
        if not isinstance(own, Mapping):
            yield f"parameters: {shown(self.parameters)} is wrong; give a mapping like {{'points': 2}}"
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
        """
        >>> Rule("k", at_least=5).limit_words, Rule("k", at_least=2, at_most=9).limit_words
        ('at least 5', 'at least 2 and at most 9')
        """
        told = {"at least": self.at_least, "at most": self.at_most, "exactly": self.equals}
        return " and ".join(f"{words} {limit:,}" for words, limit in told.items() if limit is not None)

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
        yield f"{name}: {shown(said[name])} is no number to compare with; write one like 5 or 0.05"
    if not given:
        yield "has no limit; write at_least, at_most or equals"
    elif "equals" in given and len(given) > 1:
        yield f"has {' and '.join(given)}; keep equals, or at_least and at_most"
    elif len(given) == 2 and not odd and said["at_least"] > said["at_most"]:
        yield f"nothing is at least {said['at_least']} and at most {said['at_most']}; exchange them"


def _is_number(value: Any) -> bool:
    """Not one that is none, endless or beyond all that is measured."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST
