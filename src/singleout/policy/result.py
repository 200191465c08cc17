"""Whether data may be released by a policy: the result of `check`, which reports are written from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from singleout.engine.missing_values import MISSING_WORDS, Missing
from singleout.measurement import BY_RULE, Measure
from singleout.policy.attacker import Attacker
from singleout.policy.rule import Rule
from singleout.result_table import Heading, ResultTable, TableResult, cell_text
from singleout.risk.identifiers import Identifier
from singleout.version import VERSION


@dataclass(frozen=True)
class Answer:
    """What a measure came to; unknown is None with a reason.

    `columns` are what it was asked of, in words; `of` is which of several is the worst; `missing` is the rule
    for missing values, None where the measure has its own. `settings` are what the measure took besides,
    whoever said so; `estimated` is from what a number was estimated, None for what was counted; `assumption`
    is which records the attacker of the rule is taken to know.
    """

    value: float | int | None
    reason: str | None = None
    columns: tuple[str, ...] = ()
    of: str | None = None
    missing: Missing | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    estimated: str | None = None
    assumption: str | None = None


@dataclass(frozen=True)
class JudgedRule:
    """One rule, what was found, and whether that is allowed; what is unknown is not."""

    number: int
    rule: Rule
    measure: Measure
    answer: Answer

    @property
    def passed(self) -> bool:
        return self.answer.value is not None and self.rule.allows(self.answer.value)

    @property
    def reason(self) -> str:
        """What was found beside what is asked for, in one sentence."""
        found, limit = self.answer, f"{self.rule.limit_words} is asked for"
        if found.value is None:
            return f"unknown, which does not pass: {found.reason}; {limit}"
        whose = f" ({found.of})" if found.of else ""
        verdict = (
            f"{value_words(found.value, self.rule)}{whose}{', and ' if self.passed else ', but '}{limit}"
        )
        return "; ".join((verdict, *self.notes))

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of the number."""
        estimated = f"estimated from {self.answer.estimated}" if self.answer.estimated else None
        return tuple(note for note in (self.answer.reason, estimated) if note)

    @property
    def missing_rule(self) -> str:
        """By the rule that was asked for, unless the measure has its own."""
        by_rule = self.measure.missing == BY_RULE and self.answer.missing
        return MISSING_WORDS[by_rule] if by_rule else self.measure.missing

    def to_dict(self) -> dict[str, Any]:
        rule, found = self.rule, self.answer
        return {
            "rule": rule.called,
            "limit": rule.limit,
            "value": found.value,
            "passed": self.passed,
            "reason": self.reason,
            "number": self.number,
            "measure": rule.measure,
            "asked": rule.limit_words,
            "columns": list(found.columns),
            "worst": found.of,
            "attacker": rule.attacker,
            "assumption": found.assumption,
            "parameters": {**found.settings, **rule.parameters},
            "estimated": found.estimated,
            "wanted_because": rule.reason,
            "counted_over": self.measure.counted_over,
            "missing": found.missing,
            "missing_rule": self.missing_rule,
        }


@dataclass(frozen=True)
class ColumnKnowledge:
    """What an attacker is taken to know of one column; `says` is it in words, with why."""

    column: str
    role: str
    known: bool
    granularity: str | None
    says: str


@dataclass(frozen=True)
class AssumedAttacker:
    """An attacker beside this table, column by column; `roles_from` says who told the columns' roles."""

    attacker: Attacker
    columns: tuple[ColumnKnowledge, ...]
    roles_from: str

    def to_dict(self) -> dict[str, Any]:
        one = self.attacker
        return {
            "name": one.name,
            "title": one.title,
            "knows": one.knows,
            "reason": one.reason,
            "records": one.records,
            "points": one.points,
            "share": one.share,
            "roles_from": self.roles_from,
            "columns": [vars(each).copy() for each in self.columns],
        }


@dataclass(frozen=True)
class JudgedIdentifier:
    """A column that names people, and whether the policy allows it all the same."""

    identifier: Identifier
    allowed: bool

    def to_dict(self) -> dict[str, Any]:
        return {**self.identifier.to_dict(), "allowed": self.allowed}


@dataclass(frozen=True)
class Digest:
    """What was read, by its SHA-256 and size; of several files, of their bytes one after the other."""

    what: str
    name: str
    sha256: str | None
    bytes: int | None
    files: int
    reason: str | None = None


@dataclass(frozen=True, repr=False)
class Verdict(TableResult):
    """What `check` found: `rules` one by one, `attackers` as they were assumed, and `remarks`.

    It has `passed` if every rule has and no column names people, unless the policy allows that column.
    `identifiers` are such columns, allowed or not. `to_dict()` has everything, `evidence()` adds the
    definition of each rule's measure and digests of all that was read; `to_frame()` and `to_arrow()` have one
    row a rule.
    """

    source: str
    policy: str
    engine: str
    user: str | None
    seed: int
    records: int
    people: int
    rules: tuple[JudgedRule, ...]
    attackers: tuple[AssumedAttacker, ...]
    inputs: tuple[Digest, ...]
    remarks: tuple[str, ...]
    identifiers: tuple[JudgedIdentifier, ...] = ()

    @property
    def passed(self) -> bool:
        return all(each.passed for each in self.rules) and not self.blocking

    @property
    def blocking(self) -> tuple[Identifier, ...]:
        """The direct identifiers that the policy does not allow."""
        return tuple(each.identifier for each in self.identifiers if not each.allowed)

    @property
    def failed(self) -> tuple[JudgedRule, ...]:
        return tuple(each for each in self.rules if not each.passed)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The definitions behind the numbers, each once."""
        return tuple({each.measure.name: each.measure for each in self.rules}.values())

    def __repr__(self) -> str:
        broken = f"FAILED {len(self.failed)} of {len(self.rules)} rules"
        named = f", {len(self.blocking)} direct identifiers" if self.blocking else ""
        verdict = "passed" if self.passed else f"{broken}{named}"
        return f"<Verdict on {self.source} by {self.policy}: {verdict}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout check --json`."""
        return {
            "passed": self.passed,
            "source": self.source,
            "policy": self.policy,
            "engine": self.engine,
            "user": self.user,
            "seed": self.seed,
            "records": self.records,
            "people": self.people,
            "rules": [each.to_dict() for each in self.rules],
            "identifiers": [each.to_dict() for each in self.identifiers],
            "attackers": [each.to_dict() for each in self.attackers],
            "remarks": list(self.remarks),
            "definitions": {measure.name: measure.as_dict() for measure in self.measures},
        }

    def evidence(self) -> dict[str, Any]:
        """What an auditor needs to see that this verdict is of these files; no date, and no raw value."""
        rules = [
            {**each.to_dict(), "definition": {"name": each.measure.name, **each.measure.as_dict()}}
            for each in self.rules
        ]
        found = {name: value for name, value in self.to_dict().items() if name != "definitions"}
        inputs = [vars(each).copy() for each in self.inputs]
        return {"singleout": VERSION, **found, "rules": rules, "inputs": inputs}

    def table(self) -> ResultTable:
        """One row a rule."""
        rows = tuple(_rows(self.rules))
        note = f"{self.records:,} records of {self.people:,} people; policy {self.policy}."
        return ResultTable(f"{self.source} by the policy", _HEADINGS, rows, note)


_HEADINGS = (
    Heading("number", "rule"),
    Heading("rule", "name"),
    Heading("measure", "measure"),
    Heading("asked", "asked for"),
    Heading("value", "value"),
    Heading("passed", "passed"),
    Heading("reason", "what was found"),
)


def _rows(rules: Sequence[JudgedRule]) -> Iterator[tuple[Any, ...]]:
    for each in rules:
        value = each.answer.value
        number = None if value is None else float(value)
        asked = each.rule.limit_words
        yield each.number, each.rule.called, each.rule.measure, asked, number, each.passed, each.reason


def value_words(value: float | int, rule: Rule) -> str:
    """With four digits, or with all of them where four would tell another verdict.

    >>> value_words(0.05000001, Rule("k", at_most=0.05)), value_words(0.123456, Rule("k", at_most=0.05))
    ('0.05000001', '0.1235')
    """
    short = cell_text(value)
    near = float(short.replace(",", "")) if isinstance(value, float) else value
    return short if rule.allows(near) == rule.allows(value) else repr(value)
