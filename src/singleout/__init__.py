"""How likely is it that someone is singled out in your data, by whom, and what to do about it.

The public names load on first use, so that `import singleout` and `singleout --help` stay instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from singleout.version import VERSION

if TYPE_CHECKING:
    from singleout.application import Application as Application
    from singleout.applying import apply as apply
    from singleout.assessing import assess as assess
    from singleout.assessment import Assessment as Assessment
    from singleout.attacking import attack as attack
    from singleout.building import hierarchy as hierarchy
    from singleout.combination import Combinations as Combinations
    from singleout.combining import combinations as combinations
    from singleout.comparing import compare as compare
    from singleout.comparison import Comparison as Comparison
    from singleout.concealment import Concealment as Concealment
    from singleout.disclosing import entropy as entropy
    from singleout.disclosure import Disclosure as Disclosure
    from singleout.errors import SingleoutError as SingleoutError
    from singleout.gate.checking import check as check
    from singleout.gate.verdict import Verdict as Verdict
    from singleout.generalisation import Generalisation as Generalisation
    from singleout.generalising import generalise as generalise
    from singleout.hiding import dummies as dummies
    from singleout.investigating import investigate as investigate
    from singleout.investigation import Investigation as Investigation
    from singleout.listing import person_risks as person_risks
    from singleout.listing import record_risks as record_risks
    from singleout.predicting import predict as predict
    from singleout.prediction import Prediction as Prediction
    from singleout.read.samples import sample as sample
    from singleout.read.source import CsvFormat as CsvFormat
    from singleout.read.source import source as source
    from singleout.reidentification import Reidentification as Reidentification
    from singleout.report.any_result import report_on as report_on
    from singleout.report.page import Report as Report
    from singleout.roles.domain import Domain as Domain
    from singleout.roles.study import Study as Study
    from singleout.roles.study import read_study as read_study
    from singleout.suggesting import suggest_roles as suggest_roles

__version__ = VERSION

_HOME = {
    "Application": "singleout.application",
    "Assessment": "singleout.assessment",
    "Combinations": "singleout.combination",
    "Comparison": "singleout.comparison",
    "Concealment": "singleout.concealment",
    "CsvFormat": "singleout.read.source",
    "Disclosure": "singleout.disclosure",
    "Domain": "singleout.roles.domain",
    "Generalisation": "singleout.generalisation",
    "Investigation": "singleout.investigation",
    "Prediction": "singleout.prediction",
    "Reidentification": "singleout.reidentification",
    "Report": "singleout.report.page",
    "SingleoutError": "singleout.errors",
    "Study": "singleout.roles.study",
    "Verdict": "singleout.gate.verdict",
    "apply": "singleout.applying",
    "assess": "singleout.assessing",
    "attack": "singleout.attacking",
    "check": "singleout.gate.checking",
    "combinations": "singleout.combining",
    "compare": "singleout.comparing",
    "dummies": "singleout.hiding",
    "entropy": "singleout.disclosing",
    "hierarchy": "singleout.building",
    "investigate": "singleout.investigating",
    "generalise": "singleout.generalising",
    "person_risks": "singleout.listing",
    "predict": "singleout.predicting",
    "read_study": "singleout.roles.study",
    "record_risks": "singleout.listing",
    "report_on": "singleout.report.any_result",
    "sample": "singleout.read.samples",
    "source": "singleout.read.source",
    "suggest_roles": "singleout.suggesting",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'singleout' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
