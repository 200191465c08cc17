"""An assessment with the verdict on it: the result of `singleout.assess`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

from singleout.attacks.inference.measures import INFERENCE_BASELINE, INFERENCE_GAIN, INFERENCE_RATE
from singleout.attacks.inference.result import InferredColumn
from singleout.policy.decision import Decision
from singleout.risk.assess.result import Assessment

INFERENCE_MEASURES = (INFERENCE_RATE, INFERENCE_GAIN, INFERENCE_BASELINE)


@dataclass(frozen=True, repr=False, kw_only=True)
class JudgedAssessment(Assessment):
    """What `assess` found, and whether the table may be released: `decision`, by which policy and why.

    `inferred` is how well each sensitive column is guessed from the others.
    """

    decision: Decision
    inferred: tuple[InferredColumn, ...]

    @classmethod
    def of(cls, assessment: Assessment, decision: Decision, inferred: tuple[InferredColumn, ...]) -> Self:
        counted = {each.name: getattr(assessment, each.name) for each in fields(Assessment)}
        return cls(**counted, decision=decision, inferred=inferred)

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}; {self.decision.headline}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout assess --json`: the verdict first."""
        told = super().to_dict()
        guessed = {each.column: each.to_dict() for each in self.inferred}
        for each in told["sensitive"]:
            each["inference"] = guessed.get(each["column"])
        definitions = {each.name: each.as_dict() for each in INFERENCE_MEASURES if self.inferred}
        told["definitions"] |= definitions
        return {"verdict": self.decision.to_dict(), **told}
