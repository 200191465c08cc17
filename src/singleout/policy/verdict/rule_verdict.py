"""One rule of a policy, what was found, and whether that is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from singleout.engine.missing_values import MISSING_WORDS, Missing
from singleout.measurement import BY_RULE, Measure
from singleout.policy.rules.rule import Rule
from singleout.result_table import cell_text


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
class RuleVerdict:
    """One rule, what was found, and whether that is allowed; what is unknown is not."""

    number: int
    rule: Rule
    measure: Measure
    answer: Answer

    @property
    def passed(self) -> bool:
        return self.answer.value is not None and self.rule.allows(self.answer.value)

    @property
    def breaks(self) -> bool:
        """Whether a number was found that is not allowed."""
        return self.answer.value is not None and not self.passed

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
            "source": rule.source,
            "counted_over": self.measure.counted_over,
            "missing": found.missing,
            "missing_rule": self.missing_rule,
        }


def value_words(value: float | int, rule: Rule) -> str:
    """With four digits, or with all of them where four would tell another verdict.

    >>> value_words(0.05000001, Rule("k", at_most=0.05)), value_words(0.123456, Rule("k", at_most=0.05))
    ('0.05000001', '0.1235')
    """
    short = cell_text(value)
    near = float(short.replace(",", "")) if isinstance(value, float) else value
    return short if rule.allows(near) == rule.allows(value) else repr(value)
