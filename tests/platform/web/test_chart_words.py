"""Drawings in another language: no English is left in them but the names of metrics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from singleout.platform.attack_matrix import AttackedRelease, AttackMatrix, MatrixAttacker
from singleout.platform.charts.attack_rates import attack_heat_map
from singleout.platform.charts.metric_scatter import metric_scatter
from singleout.platform.charts.submission_history import PastSubmission, submission_history
from singleout.platform.charts.submission_rates import TOLD_APART, submission_rates
from singleout.platform.scorer import Score
from singleout.platform.web.chart_words import WORDS, chart_words
from singleout.platform.web.page import drawing
from singleout.platform.web.text_catalogue import DEFAULT, LANGUAGES, catalogue
from singleout.report.charts.chart import Chart
from singleout.report.charts.releases import utility_and_privacy
from singleout.result_table import cell_text
from singleout.utility.compare.ranking import Ranking, Standing

OTHERS = [each for each in LANGUAGES if each != DEFAULT]
METRIC = re.compile(r"u1_fare_by_person|amount|best|m[0-9]+")
ENGLISH = re.compile(r"[A-Za-z]{2,}")


def charts() -> Iterator[Chart | None]:
    """All that the platform draws, of people whose names have no letter of English."""
    sure, unsure = Standing("甲", 1, 1, 0.4, 1), Standing("乙", 2, 2, 0.5, 3, compared=False)
    yield utility_and_privacy(Ranking((sure, unsure), Standing("元", 1, 3, None, 2), ("u1",), ()))
    attacks = [Score(f"m{index}", "privacy", 0.1) for index in range(TOLD_APART + 1)]
    scores = [*attacks, Score("amount", "privacy", 0.2, "at least"), Score("u1_fare_by_person", "utility", 5)]
    yield submission_rates({"甲": [*scores, Score("best", "privacy", 0.2, "at least")]})
    yield metric_scatter(scores, {"甲": scores}, "u1_fare_by_person", "amount")
    both, one = PastSubmission("#1", 0.5, 1, 2), PastSubmission("#2", 0.4, 1, certain=False)
    yield submission_history([both, one, PastSubmission("#3", 0.3)])
    releases = tuple(AttackedRelease(number, f"{number}", number, 4) for number in range(20))
    yield attack_heat_map(AttackMatrix(releases, (MatrixAttacker("甲", False, 1, 0.5),), {("甲", 1): 0.5}))


def words_in(part: Any, key: str = "") -> Iterator[str]:
    if isinstance(part, Mapping):
        for name, each in part.items():
            yield from words_in(each, name)
    elif isinstance(part, list):
        for each in part:
            yield from words_in(each, key)
    elif isinstance(part, str) and key in (*WORDS, "domain"):
        yield part


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left_in_a_drawing(language: str) -> None:
    for drawn in charts():
        assert drawn is not None
        before, chart = {*words_in(drawn.spec)}, catalogue(language).chart(drawn)
        shown = [*words_in(chart.spec), chart.title, chart.says, chart.table.title]
        shown += [heading.title for heading in chart.table.headings]
        shown += [cell_text(cell) for row in chart.table.rows for cell in row]
        assert [each for each in shown if ENGLISH.search(METRIC.sub("", each))] == []
        assert any(ENGLISH.search(METRIC.sub("", each)) for each in before)
        svg = drawing(chart)
        assert "<svg" in svg and re.findall('"[^"]*(?:-axis|legend) [^"]*(?:for|titled) [^"]*"', svg) == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", ["the original", "at least", "x ({unit})", "{name}", "a: b recognises {0}"])
def test_a_name_is_no_sentence_to_fill(language: str, name: str) -> None:
    """Whatever a team is called, its name is in what its dot says, and nothing is filled in."""
    told = chart_words(language).say("said", f"{name}: utility rank 1, privacy rank 2, mean 1.5")
    assert told.endswith("1.5") and ("{" in name) == ("{" in told)


def test_a_drawing_is_no_larger_than_it_was_made() -> None:
    """A heat map of one cell does not fill the page."""
    one = AttackedRelease(1, "Blue", 1, 4)
    chart = attack_heat_map(AttackMatrix((one,), (MatrixAttacker("Red", False, 2, 0.5),), {("Red", 1): 0.5}))
    assert chart is not None
    width = re.search(r'<svg [^>]*class="drawing" width="([0-9.]+)"', drawing(chart))
    assert width is not None and float(width[1]) < 300
