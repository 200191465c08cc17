"""All that a report says about one table: the result of `investigate`, which reports are written from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from singleout.attacks.result import Reidentification
from singleout.investigation.assessment import JudgedAssessment
from singleout.investigation.priced_alternatives import PricedAlternative
from singleout.investigation.release_ways import MeasuredWay
from singleout.investigation.remedies import Remedies
from singleout.policy.verdict.decision import Decision
from singleout.result_table import html_list
from singleout.risk.assess.result import Assessment
from singleout.risk.combinations.result import Combinations
from singleout.risk.entropy.result import Disclosure
from singleout.risk.predict.result import Prediction

PARTS = ("assessment", "sets", "pairs", "points", "domains", "prediction")


@dataclass(frozen=True)
class TellingValue:
    """A raw value that few people have; only looked up when somebody asks to see values."""

    column: str
    value: str | None
    records: int
    people: int


@dataclass(frozen=True, repr=False)
class Investigation:
    """An assessment and the evidence beside it; what could not be found out is None, and `remarks` say why.

    `sets` are pairs, minimal risky sets and the attacker's budget, `points` what a few known records give
    away, `domains` what one record of each column tells, `prediction` the risk by statistics alone,
    `remedies` what coarser values would do, `ways` what whole releases would cost and whether they may go
    out; where none may, `alternatives` are what else could be released, and its price. `telling` are raw
    values, empty unless they were asked for; `others` are columns of the table that take no part.
    `singleout.report_on` makes a report of it, `to_dict()` has everything with its definitions.
    """

    assessment: Assessment
    sets: Combinations | None = None
    pairs: Combinations | None = None
    points: Reidentification | None = None
    domains: Disclosure | None = None
    prediction: Prediction | None = None
    remedies: Remedies | None = None
    telling: tuple[TellingValue, ...] = ()
    others: tuple[str, ...] = ()
    ways: tuple[MeasuredWay, ...] = ()
    alternatives: tuple[PricedAlternative, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def decision(self) -> Decision | None:
        """None for an assessment that nobody has judged."""
        return self.assessment.decision if isinstance(self.assessment, JudgedAssessment) else None

    def __repr__(self) -> str:
        looked = (*PARTS[1:], "remedies")
        parts = ", ".join(name for name in looked if getattr(self, name) is not None)
        return f"<Investigation: {self.assessment!r}; also {parts or 'nothing'}>"

    def _repr_html_(self) -> str:
        further = (each for each in self.remarks if each not in self.assessment.remarks)
        return self.assessment._repr_html_() + html_list(further)

    def to_dict(self) -> dict[str, Any]:
        """Each part as its own job tells it in JSON, None where it was left out; the definitions of all."""
        told = {name: part.to_dict() for name in PARTS if (part := getattr(self, name)) is not None}
        definitions = {name: each for part in told.values() for name, each in part.pop("definitions").items()}
        return {
            **{name: told.get(name) for name in PARTS},
            "remedies": None if self.remedies is None else _remedies(self.remedies),
            "telling": [asdict(each) for each in self.telling],
            "others": list(self.others),
            "ways": [
                {
                    "words": each.words,
                    "price": each.price,
                    "commands": list(each.commands),
                    "verdict": each.decision.to_dict(),
                }
                for each in self.ways
            ],
            "alternatives": [asdict(each) | {"commands": list(each.commands)} for each in self.alternatives],
            "remarks": list(self.remarks),
            "definitions": definitions,
        }


def _remedies(remedies: Remedies) -> dict[str, Any]:
    """Its fields, with lists as JSON has them."""
    told = asdict(remedies)
    return {name: list(each) if isinstance(each, tuple) else each for name, each in told.items()}
