"""A report on whatever was found."""

from __future__ import annotations

import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from singleout.errors import UsageError

if TYPE_CHECKING:
    from singleout.report.pages.page import Report

# by what was found: the page, loaded only where it is asked for
PAGES = {
    "Assessment": ("assess", "assessment_report"),
    "Combinations": ("combinations", "combinations_report"),
    "Comparison": ("compare", "comparison_report"),
    "Concealment": ("dummies", "concealment_report"),
    "Description": ("describe", "description_report"),
    "Disclosure": ("entropy", "disclosure_report"),
    "Generalisation": ("generalise", "generalisation_report"),
    "Investigation": ("assess", "assessment_report"),
    "LocalGeneralisation": ("generalise", "generalisation_report"),
    "Prediction": ("predict", "prediction_report"),
    "Protection": ("protect", "protection_report"),
    "Reidentification": ("attack", "attack_report"),
    "Sweep": ("sweep", "sweep_report"),
    "Verdict": ("check", "check_report"),
}


def report_on(found: Any, *, date: str | None = None, command: str | None = None) -> Report:
    """A page for the person who decides: what was found, what to do about it, how sure that is; the evidence.

    `found` is what `investigate`, `assess`, `check`, `attack`, `compare`, `combinations`, `entropy`,
    `predict`, `describe`, `sweep`, `protect`, `generalise` or `dummies` returned; `date` is the day that
    stands on the page (default: today), `command` what was run. The report shows itself in a notebook;
    `save(path)` writes it as one HTML file that needs no network.

    >>> import pyarrow, singleout
    >>> table = pyarrow.table({"who": [1, 1, 2, 3], "shop": ["a", "b", "b", "b"]})
    >>> report_on(singleout.assess(table, user="who")).conclusions[0].found[:26]
    '1 of 3 people (33%) can be'
    """
    return _page(found).stamp(date or today(), command)


def today() -> str:
    return datetime.date.today().isoformat()


def _page(found: Any) -> Report:
    kinds = [each.__name__ for each in type(found).__mro__ if each.__module__.startswith("singleout.")]
    page = next((PAGES[name] for name in kinds if name in PAGES), None)
    if page is None:
        raise UsageError(
            f"there is no report on a {type(found).__name__}; give what investigate, assess, check, attack, "
            "compare, combinations, entropy, predict, describe, sweep, protect, generalise or dummies gave"
        )
    module, name = page
    report: Report = getattr(import_module(f"singleout.report.pages.{module}"), name)(found)
    return report
