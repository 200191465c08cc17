"""How likely is it that someone is singled out in your data, by whom, and what to do about it.

The public names load on first use, so that `import singleout` and `singleout --help` stay instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from singleout.version import VERSION

if TYPE_CHECKING:
    from singleout.attacks.attack import attack as attack
    from singleout.attacks.attempt import Ties as Ties
    from singleout.attacks.inference.infer import infer as infer
    from singleout.attacks.inference.result import Inference as Inference
    from singleout.attacks.result import Reidentification as Reidentification
    from singleout.deidentify.apply.apply import apply as apply
    from singleout.deidentify.apply.result import Application as Application
    from singleout.deidentify.dummies.dummies import dummies as dummies
    from singleout.deidentify.dummies.result import Concealment as Concealment
    from singleout.deidentify.generalise.generalise import generalise as generalise
    from singleout.deidentify.generalise.goals import Closeness as Closeness
    from singleout.deidentify.generalise.local_generalisation import (
        generalise_locally as generalise_locally,
    )
    from singleout.deidentify.generalise.local_result import LocalGeneralisation as LocalGeneralisation
    from singleout.deidentify.generalise.result import Generalisation as Generalisation
    from singleout.deidentify.hierarchy import BuiltHierarchy as BuiltHierarchy
    from singleout.deidentify.hierarchy import hierarchy as hierarchy
    from singleout.deidentify.release import Release as Release
    from singleout.deidentify.release_table import Order as Order
    from singleout.deidentify.suppress.result import CellSuppression as CellSuppression
    from singleout.deidentify.suppress.suppress import suppress as suppress
    from singleout.engine.job_options import CountOptions as CountOptions
    from singleout.engine.missing_values import Missing as Missing
    from singleout.engine.person_table import JoinedHistory as JoinedHistory
    from singleout.engine.person_table import join_people as join_people
    from singleout.errors import SingleoutError as SingleoutError
    from singleout.investigation.assess import assess as assess
    from singleout.investigation.assessment import JudgedAssessment as JudgedAssessment
    from singleout.investigation.describe.describe import describe as describe
    from singleout.investigation.describe.result import Description as Description
    from singleout.investigation.investigate import investigate as investigate
    from singleout.investigation.known_records import KnownRecordsLaws as KnownRecordsLaws
    from singleout.investigation.known_records import known_records as known_records
    from singleout.investigation.priced_alternatives import PricedAlternative as PricedAlternative
    from singleout.investigation.protect.protect import protect as protect
    from singleout.investigation.protect.result import Protection as Protection
    from singleout.investigation.record_prices import RecordPrices as RecordPrices
    from singleout.investigation.record_prices import record_prices as record_prices
    from singleout.investigation.release_ways import MeasuredWay as MeasuredWay
    from singleout.investigation.result import Investigation as Investigation
    from singleout.investigation.suggest_roles import suggest_roles as suggest_roles
    from singleout.investigation.sweep.result import Sweep as Sweep
    from singleout.investigation.sweep.sweep import sweep as sweep
    from singleout.policy.check import check as check
    from singleout.policy.check_settings import PolicyData as PolicyData
    from singleout.policy.result import Verdict as Verdict
    from singleout.policy.rules.attacker import Attacker as Attacker
    from singleout.policy.rules.policy import Policy as Policy
    from singleout.policy.rules.rule import Rule as Rule
    from singleout.policy.verdict.decision import Decision as Decision
    from singleout.progress import Progress as Progress
    from singleout.read.costs import Costs as Costs
    from singleout.read.costs import Price as Price
    from singleout.read.published_tables import data as data
    from singleout.read.samples import sample as sample
    from singleout.read.source import CsvFormat as CsvFormat
    from singleout.read.source import source as source
    from singleout.read.truth_map import Truth as Truth
    from singleout.report.pages.page import Report as Report
    from singleout.report.report_on import report_on as report_on
    from singleout.risk.assess.result import Assessment as Assessment
    from singleout.risk.assess.sampling import Sampling as Sampling
    from singleout.risk.combinations.allowable_risk import CriterionName as CriterionName
    from singleout.risk.combinations.combinations import combinations as combinations
    from singleout.risk.combinations.result import Combinations as Combinations
    from singleout.risk.entropy.entropy import entropy as entropy
    from singleout.risk.entropy.result import Disclosure as Disclosure
    from singleout.risk.join_uniqueness import JoinUniqueness as JoinUniqueness
    from singleout.risk.join_uniqueness import join_uniqueness as join_uniqueness
    from singleout.risk.predict.predict import predict as predict
    from singleout.risk.predict.result import Method as Method
    from singleout.risk.predict.result import Prediction as Prediction
    from singleout.risk.record_risks import person_risks as person_risks
    from singleout.risk.record_risks import record_risks as record_risks
    from singleout.risk.sketch import Sketch as Sketch
    from singleout.risk.sketch import sketch as sketch
    from singleout.risk.value_risks import risks_after as risks_after
    from singleout.risk.value_risks import value_risks as value_risks
    from singleout.roles.domain import Domain as Domain
    from singleout.roles.role import Role as Role
    from singleout.roles.study import Study as Study
    from singleout.roles.study import read_study as read_study
    from singleout.roles.suggestion import Suggestions as Suggestions
    from singleout.utility.compare.compare import compare as compare
    from singleout.utility.compare.result import Comparison as Comparison
    from singleout.utility.information_loss import LossName as LossName

__version__ = VERSION

_HOME = {
    "Application": "singleout.deidentify.apply.result",
    "Assessment": "singleout.risk.assess.result",
    "Attacker": "singleout.policy.rules.attacker",
    "BuiltHierarchy": "singleout.deidentify.hierarchy",
    "CellSuppression": "singleout.deidentify.suppress.result",
    "Closeness": "singleout.deidentify.generalise.goals",
    "Combinations": "singleout.risk.combinations.result",
    "Comparison": "singleout.utility.compare.result",
    "Concealment": "singleout.deidentify.dummies.result",
    "Costs": "singleout.read.costs",
    "CountOptions": "singleout.engine.job_options",
    "CriterionName": "singleout.risk.combinations.allowable_risk",
    "CsvFormat": "singleout.read.source",
    "Decision": "singleout.policy.verdict.decision",
    "Description": "singleout.investigation.describe.result",
    "Disclosure": "singleout.risk.entropy.result",
    "Domain": "singleout.roles.domain",
    "Generalisation": "singleout.deidentify.generalise.result",
    "Inference": "singleout.attacks.inference.result",
    "Investigation": "singleout.investigation.result",
    "JudgedAssessment": "singleout.investigation.assessment",
    "KnownRecordsLaws": "singleout.investigation.known_records",
    "LocalGeneralisation": "singleout.deidentify.generalise.local_result",
    "LossName": "singleout.utility.information_loss",
    "MeasuredWay": "singleout.investigation.release_ways",
    "PricedAlternative": "singleout.investigation.priced_alternatives",
    "Method": "singleout.risk.predict.result",
    "Missing": "singleout.engine.missing_values",
    "Order": "singleout.deidentify.release_table",
    "Policy": "singleout.policy.rules.policy",
    "PolicyData": "singleout.policy.check_settings",
    "Prediction": "singleout.risk.predict.result",
    "Protection": "singleout.investigation.protect.result",
    "Price": "singleout.read.costs",
    "Progress": "singleout.progress",
    "Reidentification": "singleout.attacks.result",
    "Release": "singleout.deidentify.release",
    "Report": "singleout.report.pages.page",
    "Role": "singleout.roles.role",
    "Rule": "singleout.policy.rules.rule",
    "Sampling": "singleout.risk.assess.sampling",
    "SingleoutError": "singleout.errors",
    "Sketch": "singleout.risk.sketch",
    "Study": "singleout.roles.study",
    "Suggestions": "singleout.roles.suggestion",
    "Sweep": "singleout.investigation.sweep.result",
    "Ties": "singleout.attacks.attempt",
    "Truth": "singleout.read.truth_map",
    "Verdict": "singleout.policy.result",
    "apply": "singleout.deidentify.apply.apply",
    "assess": "singleout.investigation.assess",
    "attack": "singleout.attacks.attack",
    "check": "singleout.policy.check",
    "combinations": "singleout.risk.combinations.combinations",
    "compare": "singleout.utility.compare.compare",
    "data": "singleout.read.published_tables",
    "describe": "singleout.investigation.describe.describe",
    "join_people": "singleout.engine.person_table",
    "join_uniqueness": "singleout.risk.join_uniqueness",
    "JoinedHistory": "singleout.engine.person_table",
    "JoinUniqueness": "singleout.risk.join_uniqueness",
    "dummies": "singleout.deidentify.dummies.dummies",
    "entropy": "singleout.risk.entropy.entropy",
    "generalise": "singleout.deidentify.generalise.generalise",
    "generalise_locally": "singleout.deidentify.generalise.local_generalisation",
    "hierarchy": "singleout.deidentify.hierarchy",
    "infer": "singleout.attacks.inference.infer",
    "investigate": "singleout.investigation.investigate",
    "known_records": "singleout.investigation.known_records",
    "person_risks": "singleout.risk.record_risks",
    "predict": "singleout.risk.predict.predict",
    "protect": "singleout.investigation.protect.protect",
    "read_study": "singleout.roles.study",
    "record_prices": "singleout.investigation.record_prices",
    "RecordPrices": "singleout.investigation.record_prices",
    "record_risks": "singleout.risk.record_risks",
    "report_on": "singleout.report.report_on",
    "risks_after": "singleout.risk.value_risks",
    "sample": "singleout.read.samples",
    "sketch": "singleout.risk.sketch",
    "source": "singleout.read.source",
    "suggest_roles": "singleout.investigation.suggest_roles",
    "sweep": "singleout.investigation.sweep.sweep",
    "value_risks": "singleout.risk.value_risks",
    "suppress": "singleout.deidentify.suppress.suppress",
}

__all__ = sorted(_HOME)


# hidden from type checkers: they would take any name for one of ours
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'singleout' has no attribute {name!r}{_hint(name)}")
        value = getattr(import_module(_HOME[name]), name)
        if callable(value) and not isinstance(value, type):
            value = import_module("singleout.progress_bar").with_bar(value)
        globals()[name] = value
        return value


def _hint(name: str) -> str:
    from difflib import get_close_matches

    alike = get_close_matches(name, _HOME, n=1)
    return f"; did you mean {alike[0]!r}?" if alike else ""


def __dir__() -> list[str]:
    return __all__
