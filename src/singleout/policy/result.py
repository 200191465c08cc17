"""Whether data may be released by a policy: the result of `check`, which reports are written from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from singleout.attacks.inference.result import InferredColumn
from singleout.measurement import Measure
from singleout.policy.applicable_rules import RuleNotAsked
from singleout.policy.rules.attacker import Attacker
from singleout.policy.verdict.decision import GRANTED, Decision, Observation, decide
from singleout.policy.verdict.digest import Digest
from singleout.policy.verdict.rule_verdict import RuleVerdict
from singleout.result_table import Heading, ResultTable, TableResult, html_list, table_size
from singleout.risk.identifiers import Identifier
from singleout.version import VERSION

NAMES_PEOPLE = "column {} leads to people ({}); leave it out, or replace its values by pseudonyms"
ALLOWED = "{} names nobody, though it looks like it: the policy allows it"


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


@dataclass(frozen=True, repr=False)
class Verdict(TableResult):
    """What `check` found: `rules` one by one, `attackers` as they were assumed, and `remarks`.

    It has `passed` if every rule has, no column names people, unless the policy allows that column, and there
    are no `observations`: what else forbids the release, or was not looked at. `identifiers` are columns that
    name people, allowed or not, `allow_unjudged` those that the policy lets pass unseen; `conditions` are
    what passing takes for granted, and `not_asked` are rules that are about other tables. `to_dict()` has
    everything, `evidence()` adds the definition of each rule's measure and digests of all that was read;
    `to_frame()` and `to_arrow()` have one row a rule.
    """

    source: str
    policy: str
    engine: str
    user: str | None
    seed: int
    records: int
    people: int
    rules: tuple[RuleVerdict, ...]
    attackers: tuple[AssumedAttacker, ...]
    inputs: tuple[Digest, ...]
    not_asked: tuple[RuleNotAsked, ...]
    conditions: tuple[str, ...]
    inferred: tuple[InferredColumn, ...]
    remarks: tuple[str, ...]
    identifiers: tuple[JudgedIdentifier, ...] = ()
    allow_unjudged: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()
    order_tried: bool = False

    @property
    def passed(self) -> bool:
        return all(each.passed for each in self.rules) and not self.blocking and not self.observations

    @property
    def blocking(self) -> tuple[Identifier, ...]:
        """The direct identifiers that the policy does not allow."""
        return tuple(each.identifier for each in self.identifiers if not each.allowed)

    @property
    def decision(self) -> Decision:
        """What that means for somebody who decides."""
        words = (NAMES_PEOPLE.format(each.column, each.kind) for each in self.blocking)
        named = [Observation("direct identifiers", each, "singling out", True) for each in words]
        allowed = [ALLOWED.format(each.identifier.column) for each in self.identifiers if each.allowed]
        conditions = (*dict.fromkeys(allowed), *self.conditions)
        observations = (*named, *self.observations)
        about = self.rules, self.not_asked, conditions, observations, self.order_tried
        decision = decide(self.policy, *about)
        return replace(decision, inputs=self.inputs, inferred=self.inferred)

    @property
    def failed(self) -> tuple[RuleVerdict, ...]:
        return tuple(each for each in self.rules if not each.passed)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The definitions behind the numbers, each once."""
        return tuple({each.measure.name: each.measure for each in self.rules}.values())

    def __repr__(self) -> str:
        faults = [f"{len(self.failed)} of {len(self.rules)} rules"] if self.failed else []
        faults += [f"{len(self.blocking)} direct identifiers"] if self.blocking else []
        faults += dict.fromkeys(each.topic for each in self.observations)
        verdict = "passed" if self.passed else f"FAILED {', '.join(faults)}"
        return f"<Verdict on {self.source} by {self.policy}: {verdict}>"

    def _repr_html_(self) -> str:
        """The rules alone may all be kept where something else forbids the release."""
        decision = self.decision
        granted = () if decision.answer == "conditions" else map(GRANTED.format, decision.conditions)
        return decision._repr_html_() + html_list(granted) + super()._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout check --json`."""
        return {
            "passed": self.passed,
            "verdict": self.decision.to_dict(),
            "source": self.source,
            "policy": self.policy,
            "engine": self.engine,
            "user": self.user,
            "seed": self.seed,
            "records": self.records,
            "people": self.people,
            "rules": [each.to_dict() for each in self.rules],
            "identifiers": [each.to_dict() for each in self.identifiers],
            "allow_unjudged": list(self.allow_unjudged),
            "not_asked": [
                {"number": each.number, "rule": each.rule.called, "why": each.why} for each in self.not_asked
            ],
            "conditions": list(self.conditions),
            "observations": [each.to_dict() for each in self.observations],
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
        note = f"{table_size(self.records, self.people)}; policy {self.policy}."
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


def _rows(rules: Sequence[RuleVerdict]) -> Iterator[tuple[Any, ...]]:
    for each in rules:
        value = each.answer.value
        number = None if value is None else float(value)
        asked = each.rule.limit_words
        yield each.number, each.rule.called, each.rule.measure, asked, number, each.passed, each.reason
