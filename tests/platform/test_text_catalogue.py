"""Texts of pages: every language has every key, and every key that a page asks for is there."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

import singleout.platform.web as web
from singleout.attacks.catalogue import KINDS
from singleout.platform.contest import (
    AUDIENCES,
    FAMILIES,
    PARTS,
    PHASE_KINDS,
    TEMPLATES,
    TRUTH_RULES,
    UNCERTAIN_RULES,
)
from singleout.platform.refusal import STATUS
from singleout.platform.store.schema import CONTEST_STATES, ROLES, SUBMISSION_STATES
from singleout.platform.web.metric_titles import OTHERS
from singleout.platform.web.text_catalogue import DEFAULT, LANGUAGES, catalogue
from singleout.utility.catalogue import UTILITY_MEASURES

FOLDER = Path(web.__file__).parent
ASKED = re.compile(r"""\bt\(\s*["']([a-z_]+\.[a-z_-]+)["']\s*[,)]""")
CHARTS = ("releases", "submission-rates", "metric-scatter", "submission-history")
# of keys that are put together, what may follow the dot
FAMILIES_OF_KEYS = {
    "state": SUBMISSION_STATES, "role": ROLES, "contest_state": CONTEST_STATES, "phase": PHASE_KINDS,
    "truth": TRUTH_RULES,
    "family_short": FAMILIES, "family": FAMILIES, "template": TEMPLATES, "refusal": STATUS,
    "sign": ("in", "up", "admin"),
    "chart": CHARTS, "chart_says": CHARTS, "part": PARTS, "audience": AUDIENCES, "uncertain": UNCERTAIN_RULES,
}  # fmt: skip


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_key_with_the_same_places_to_fill(language: str) -> None:
    own, english = catalogue(language).texts, catalogue("en").texts
    assert list(own) == list(english)
    assert [key for key in own if placeholders(own[key]) != placeholders(english[key])] == []
    assert [key for key, text in own.items() if not text.strip()] == []


def test_every_key_that_is_asked_for_is_there() -> None:
    sources = [*FOLDER.glob("templates/*.html"), *FOLDER.glob("*.py")]
    asked = {key for each in sources for key in ASKED.findall(each.read_text(encoding="utf-8"))}
    asked |= {f"{family}.{name}" for family, names in FAMILIES_OF_KEYS.items() for name in names}
    assert len(asked) > 100
    assert asked - {*catalogue("en").texts} == set()


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != DEFAULT])
def test_every_attack_and_metric_has_a_title(language: str) -> None:
    metrics = catalogue(language).metrics
    assert {*metrics["privacy"]} == {*KINDS, *OTHERS}
    assert {*metrics["utility"]} == {each.name for each in UTILITY_MEASURES}
    assert catalogue(language).metric_title("total_variation.fare", "utility").endswith("(fare)")
