"""A report on whatever was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from singleout.errors import UsageError

if TYPE_CHECKING:
    from singleout.report.pages.page import Report


def report_on(found: Any) -> Report:
    """A page for the person who decides: what was found, what to do about it, how sure that is; the evidence.

    `found` is what `investigate`, `assess`, `attack` or `compare` returned. The report shows itself in a
    notebook; `save(path)` writes it as one HTML file that needs no network.

    >>> import pyarrow, singleout
    >>> table = pyarrow.table({"who": [1, 1, 2, 3], "shop": ["a", "b", "b", "b"]})
    >>> report_on(singleout.assess(table, user="who")).conclusions[0].found[:26]
    '1 of 3 people (33%) can be'
    """
    from singleout.attacks.result import Reidentification
    from singleout.investigation.result import Investigation
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
    raise UsageError(
        f"there is no report on a {type(found).__name__}; give what investigate, assess, attack or compare "
        "returned"
    )
