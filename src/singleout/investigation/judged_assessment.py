"""An assessment with the verdict on it: the result of `singleout.assess`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

from singleout.policy.decision import Decision
from singleout.risk.assess.result import Assessment


@dataclass(frozen=True, repr=False)
class JudgedAssessment(Assessment):
    """What `assess` found, and whether the table may be released: `decision`, by which policy and why."""

    decision: Decision

    @classmethod
    def of(cls, assessment: Assessment, decision: Decision) -> Self:
        counted = {each.name: getattr(assessment, each.name) for each in fields(Assessment)}
        return cls(**counted, decision=decision)

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}; {self.decision.headline}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout assess --json`: the verdict first."""
        return {"verdict": self.decision.to_dict(), **super().to_dict()}
