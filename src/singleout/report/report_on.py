"""A report on whatever was found."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from singleout.errors import UsageError

if TYPE_CHECKING:
    from singleout.report.pages.page import Report


def report_on(found: Any, *, date: str | None = None, command: str | None = None) -> Report:
    """A page for the person who decides: what was found, what to do about it, how sure that is; the evidence.

    `found` is what `investigate`, `assess`, `check`, `attack`, `compare`, `describe`, `sweep` or `protect`
    returned; `date` is the day that stands on the page (default: today), `command` what was run. The report
    shows itself in a notebook; `save(path)` writes it as one HTML file that needs no network.

    >>> import pyarrow, singleout
    >>> table = pyarrow.table({"who": [1, 1, 2, 3], "shop": ["a", "b", "b", "b"]})
    >>> report_on(singleout.assess(table, user="who")).conclusions[0].found[:26]
    '1 of 3 people (33%) can be'
    """
    return _page(found).stamp(date or today(), command)


def today() -> str:
    return datetime.date.today().isoformat()


def _page(found: Any) -> Report:
    from singleout.attacks.result import Reidentification
    from singleout.investigation.describe.result import Description
    from singleout.investigation.protect.result import Protection
    from singleout.investigation.result import Investigation
    from singleout.investigation.sweep.result import Sweep
    from singleout.policy.result import Verdict
    from singleout.risk.assess.result import Assessment
    from singleout.utility.compare.result import Comparison

    if isinstance(found, (Assessment, Investigation)):
        from singleout.report.pages.assess import assessment_report

        return assessment_report(found)
    if isinstance(found, Reidentification):
        from singleout.report.pages.attack import attack_report

        return attack_report(found)
    if isinstance(found, Comparison):
        from singleout.report.pages.compare import comparison_report

        return comparison_report(found)
    if isinstance(found, Verdict):
        from singleout.report.pages.check import check_report

        return check_report(found)
    if isinstance(found, Description):
        from singleout.report.pages.describe import description_report

        return description_report(found)
    if isinstance(found, Sweep):
        from singleout.report.pages.sweep import sweep_report

        return sweep_report(found)
    if isinstance(found, Protection):
        from singleout.report.pages.protect import protection_report

        return protection_report(found)
    raise UsageError(
        f"there is no report on a {type(found).__name__}; give what investigate, assess, check, attack, "
        "compare, describe, sweep or protect returned"
    )
