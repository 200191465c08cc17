"""An assessment with the verdict on it: the result of `singleout.assess`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

from singleout.attacks.inference.measures import INFERENCE_BASELINE, INFERENCE_GAIN, INFERENCE_RATE
from singleout.attacks.inference.result import InferredColumn
from singleout.investigation.known_records import KnownRecordsLaws
from singleout.policy.verdict.decision import Decision
from singleout.risk.assess.result import Assessment
from singleout.risk.k_map import REFERENCE_MEASURES, ReferenceRisk
from singleout.risk.population.individual_risk import WEIGHTED_MEASURES, WeightedRisk
from singleout.risk.population.log_linear import LOG_LINEAR_MEASURES, LogLinearRisk
from singleout.risk.population.measures import POPULATION_MEASURES
from singleout.risk.population.result import PopulationView

INFERENCE_MEASURES = (INFERENCE_RATE, INFERENCE_GAIN, INFERENCE_BASELINE)


@dataclass(frozen=True, repr=False, kw_only=True)
class JudgedAssessment(Assessment):
    """What `assess` found, and whether the table may be released: `decision`, by which policy and why.

    `inferred` is how well each sensitive column is guessed from the others; `population` what the table says
    about the people it is a sample of, `reference` how it is hidden in a table of them, and
    `weighted` its risk by survey weights, `known_records` what some known records of a person tell among all
    and `log_linear` a model of who is unique, where asked for.
    """

    decision: Decision
    inferred: tuple[InferredColumn, ...]
    population: PopulationView | None = None
    reference: ReferenceRisk | None = None
    weighted: WeightedRisk | None = None
    known_records: KnownRecordsLaws | None = None
    log_linear: LogLinearRisk | None = None

    @classmethod
    def of(
        cls,
        assessment: Assessment,
        decision: Decision,
        inferred: tuple[InferredColumn, ...],
        population: PopulationView | None = None,
        reference: ReferenceRisk | None = None,
        weighted: WeightedRisk | None = None,
        known_records: KnownRecordsLaws | None = None,
        log_linear: LogLinearRisk | None = None,
    ) -> Self:
        counted = {each.name: getattr(assessment, each.name) for each in fields(Assessment)}
        for beside in (population, reference, weighted, log_linear):
            counted["remarks"] += () if beside is None else beside.remarks
        return cls(
            **counted, decision=decision, inferred=inferred, population=population, reference=reference,
            weighted=weighted, known_records=known_records, log_linear=log_linear,
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}; {self.decision.headline}>"

    def _repr_html_(self) -> str:
        return self.decision._repr_html_() + super()._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout assess --json`: the verdict first."""
        told = super().to_dict()
        guessed = {each.column: each.to_dict() for each in self.inferred}
        for each in told["sensitive"]:
            each["inference"] = guessed.get(each["column"])
        definitions = {each.name: each.as_dict() for each in INFERENCE_MEASURES if self.inferred}
        told["definitions"] |= definitions
        for name, beside, measures in (
            ("population", self.population, POPULATION_MEASURES),
            ("reference", self.reference, REFERENCE_MEASURES),
            ("weighted", self.weighted, WEIGHTED_MEASURES),
            ("log_linear", self.log_linear, LOG_LINEAR_MEASURES),
        ):
            if beside is not None:
                told[name] = beside.to_dict()
                told["definitions"] |= {each.name: each.as_dict() for each in measures}
        if self.known_records is not None:
            told["known_records"] = self.known_records.to_dict()
        return {"verdict": self.decision.to_dict(), **told}
