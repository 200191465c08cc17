"""A policy: what an organisation asks of data before it may be released, as rules with limits."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.errors import InputError, UsageError, name_hint
from singleout.policy.rules.attacker import Attacker, short_text
from singleout.policy.rules.attacker_presets import PRESETS, own_attacker
from singleout.policy.rules.built_in_policies import BUILT_IN, built_in_name, built_in_text
from singleout.policy.rules.policy_keys import DATA_KEYS, PARAMETERS, TEXTS, TOP_KEYS, key_fault
from singleout.policy.rules.rule import LIMITS, Rule, label, rule_faults
from singleout.read.input_files import input_bytes

PARTS = ("allow_identifiers", "allow_unjudged", "data", "attackers", "rule")
EXAMPLE = '[[rule]] with measure = "k" and at_least = 5 below it'
NO_RULE = f"has no rule, and would let everything pass; write one or more, each {EXAMPLE}"


@dataclass(frozen=True)
class Policy:
    """The rules that `check` judges by, and the attackers they are about.

    `data` is what the command line could say too; `place` is the file, None for what was given as such;
    `name` is what a policy that comes with singleout is called. `allow_identifiers` are columns that may be
    released though they name people, `allow_unjudged` those that may be though no rule looked at them: only
    a policy can say so. `content` are the bytes of its file, as they were when it was read.

    >>> Policy(())
    Traceback (most recent call last):
    singleout.errors.UsageError: policy: has no rule, and would let everything pass; write one or more, each \
[[rule]] with measure = "k" and at_least = 5 below it
    """

    rules: tuple[Rule, ...]
    data: Mapping[str, Any] = field(default_factory=dict)
    attackers: Mapping[str, Attacker] = field(default_factory=dict)
    place: str | None = None
    allow_identifiers: tuple[str, ...] = ()
    allow_unjudged: tuple[str, ...] = ()
    name: str | None = None
    content: bytes | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if faults := [*self._faults()]:
            raise UsageError(f"{self.called}: {'; '.join(faults)}")

    def _faults(self) -> Iterator[str]:
        if not isinstance(self.rules, tuple | list) or not all(isinstance(each, Rule) for each in self.rules):
            yield f"rules: {short_text(self.rules)} are no rules; give a tuple of Rule"
        elif not self.rules:
            yield NO_RULE
        elif not isinstance(self.attackers, Mapping) or not all(map(_is_attacker, self.attackers.values())):
            yield f"attackers: {short_text(self.attackers)} are none; give a mapping of names to Attacker"
        else:
            for number, rule in enumerate(self.rules, 1):
                yield from (f"{label(number, rule)}{each}" for each in self._attacker_faults(rule))
        yield from _data_faults(self.data)
        for name in TOP_KEYS:
            yield from key_fault(name, getattr(self, name), TOP_KEYS)

    def _attacker_faults(self, rule: Rule) -> Iterator[str]:
        """A rule alone does not know which attackers there are."""
        there = [*PRESETS, *self.attackers]
        if rule.attacker is None:
            return
        if rule.attacker not in there:
            yield f"there is no attacker {rule.attacker!r}; {name_hint(rule.attacker, there)}"
            return
        odd = [key for key in ("draws", "worst") if key in rule.parameters]
        if odd and self.attacker(rule.attacker).points is None and "points" not in rule.parameters:
            known = f"{rule.attacker} knows a share of the records, and not a number of them"
            yield f"{' and '.join(odd)}: {known}; say points too, or leave it out"

    @property
    def called(self) -> str:
        written = self.place or self.name
        return "policy" if written is None else written if self.is_as_written else f"{written} (changed)"

    @property
    def is_as_written(self) -> bool:
        """Whether it says what its file does, or the one that it is called after: Python may change it."""
        if self.name is not None:
            return self == built_in_policy(self.name)
        if self.content is None or self.place is None:
            return True
        return self == _policy(_parsed(self.place, self.content), self.place)

    @property
    def folder(self) -> Path:
        """Where files are that the policy names."""
        return Path(self.place).parent if self.place else Path()

    def attacker(self, name: str) -> Attacker:
        return self.attackers[name] if name in self.attackers else PRESETS[name]


def _is_attacker(each: Any) -> bool:
    return isinstance(each, Attacker)


def policy_of(policy: Mapping[str, Any] | Policy | str | PathLike[str]) -> Policy:
    """A policy, what would be in its file, the file that it is in, or the name of one that comes with
    singleout; all its mistakes are told at once.

    >>> policy_of({"rule": [{"measure": "k", "at_leest": 5}, {"at_most": "1"}]})
    Traceback (most recent call last):
    singleout.errors.InputError: policy: rule 1 (k): there is no 'at_leest'; did you mean 'at_least' or \
'at_most'?; has no limit; write at_least, at_most or equals; rule 2: has no measure; write one like \
measure = "k"; at_most: '1' is no number to compare with; write one like 5 or 0.05
    """
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, Mapping):
        return _policy(policy, None)
    if isinstance(policy, str) and (name := built_in_name(policy)):
        return built_in_policy(name)
    if isinstance(policy, str | PathLike):
        content = _file_bytes(policy)
        return replace(_policy(_parsed(policy, content), str(policy)), content=content)
    raise UsageError(f"policy: a {type(policy).__name__} is no policy; give a file's name or a mapping")


@cache
def built_in_policy(name: str) -> Policy:
    """One of those that come with singleout.

    >>> built_in_policy("public").rules[0].source[:17]
    'threshold of 0.09'
    """
    return replace(_policy(tomllib.loads(built_in_text(name)), None), name=name)


def _file_bytes(path: str | PathLike[str]) -> bytes:
    try:
        return input_bytes(path)
    except (OSError, ValueError) as error:
        lacks = isinstance(error, FileNotFoundError) and not Path(path).suffix
        hint = f"; policies that come with singleout: {', '.join(BUILT_IN)}" if lacks else ""
        said = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"{path}: {said}{hint}") from error


def _parsed(path: str | PathLike[str], content: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is not TOML: {error}") from error


def _policy(content: Mapping[str, Any], path: str | None) -> Policy:
    faults = [f"there is no {name!r}; {name_hint(str(name), PARTS)}" for name in content if name not in PARTS]
    data = content.get("data", {})
    faults += _data_faults(data)
    allowed = {name: content.get(name, []) for name in TOP_KEYS}
    faults += (fault for name in TOP_KEYS for fault in key_fault(name, allowed[name], TOP_KEYS))
    attackers, attacker_faults = _attackers(content.get("attackers", {}))
    faults += attacker_faults
    rules, more = _rules(content.get("rule"), [*PRESETS, *_names(content)])
    if faults := faults + more:
        raise InputError(f"{path or 'policy'}: {'; '.join(faults)}")
    try:
        named, unjudged = (tuple(allowed[name]) for name in TOP_KEYS)
        return Policy(rules, dict(data), attackers, path, allow_identifiers=named, allow_unjudged=unjudged)
    except UsageError as error:  # what rules and attackers are only together
        raise InputError(str(error)) from error


def _names(content: Mapping[str, Any]) -> list[str]:
    said = content.get("attackers", {})
    return list(said) if isinstance(said, Mapping) else []


def _data_faults(data: Any) -> list[str]:
    if not isinstance(data, Mapping):
        return ['data: write it as a table, [data] with lines like user = "customer"']
    return [f"data: {fault}" for name, value in data.items() for fault in key_fault(name, value, DATA_KEYS)]


def _attackers(said: Any) -> tuple[dict[str, Attacker], list[str]]:
    if not isinstance(said, Mapping):
        return {}, ['attackers: write each as a table, [attackers.postman] with based_on = "neighbour"']
    found, faults = {}, []
    for name, each in said.items():
        attacker, mistakes = own_attacker(str(name), each)
        faults += [f"attackers.{name}: {mistake}" for mistake in mistakes]
        if attacker:
            found[attacker.name] = attacker
    return found, faults


def _rules(content: Any, attackers: Sequence[str]) -> tuple[tuple[Rule, ...], list[str]]:
    """The rules that are right, and all that is wrong with the others."""
    if not isinstance(content, list | tuple | None):
        return (), [f"rule: write each rule as {EXAMPLE}, with two brackets"]
    if not content:
        return (), [NO_RULE]
    rules, faults = [], []
    for number, each in enumerate(content, 1):
        if not isinstance(each, Mapping):
            faults.append(f"rule {number}: {short_text(each)} is no rule; write {EXAMPLE}")
        elif mistakes := [*rule_faults(each), *_unknown_attacker(each, attackers)]:
            faults.append(f"{label(number, each)}{'; '.join(mistakes)}")
        else:
            rules.append(_rule(each))
    return tuple(rules), faults


def _unknown_attacker(said: Mapping[str, Any], attackers: Sequence[str]) -> Iterator[str]:
    if isinstance(attacker := said.get("attacker"), str) and attacker not in attackers:
        yield f"there is no attacker {attacker!r}; {name_hint(attacker, attackers)}"


def _rule(said: Mapping[str, Any]) -> Rule:
    texts = {name: said.get(name) for name in ("measure", *TEXTS)}
    columns = tuple(said["columns"]) if "columns" in said else None
    limits = {name: said.get(name) for name in LIMITS}
    own = {name: said[name] for name in said if name in PARAMETERS}
    return Rule(**texts, **limits, columns=columns, parameters=own)  # type: ignore[arg-type]
