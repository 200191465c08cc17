"""Charts of a contest say what the values say, and never more."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from singleout.platform.charts.metric_scatter import metric_scatter
from singleout.platform.charts.submission_history import PastSubmission, submission_history
from singleout.platform.charts.submission_rates import submission_rates
from singleout.platform.scorer import HIGHEST, Score
from singleout.platform.web.page import drawing
from singleout.report.charts.chart import Chart


def rates(best: float | None, reason: str | None = None, **attacks: float) -> list[Score]:
    scores = [Score(name, "privacy", rate) for name, rate in attacks.items()]
    return [*scores, Score(HIGHEST, "privacy", best, reason), Score("u1_fare_by_person", "utility", 5.0)]


LOW, HIGH = rates(0.2, records=0.1, amount=0.2), rates(0.9, records=0.9, amount=0.3)
UNSURE, UNKNOWN = rates(0.1, "at least", records=0.1), rates(None, "nobody known")


def said(spec: Any) -> list[str]:
    """What marks tell, wherever they are."""
    if isinstance(spec, dict):
        own = [spec["said"]] if "said" in spec else []
        return own + [each for value in spec.values() for each in said(value)]
    return [each for value in spec for each in said(value)] if isinstance(spec, list) else []


def test_the_rates_of_each_submission_and_their_maximum_are_told() -> None:
    chart = submission_rates({"a": LOW, "b": HIGH, "c": UNSURE, "d": UNKNOWN})
    assert chart is not None
    assert "In 1 of 3 submissions" in chart.says
    assert "1 could not be attacked" in chart.says
    assert "Of 1 not all could be compared: attacks may recognise more" in chart.says
    open_ends = [layer["data"]["values"] for layer in chart.spec["layer"] if "x2" in layer["encoding"]]
    assert [[(each["row"], each["rate"], each["most"]) for each in values] for values in open_ends] == [
        [("c", 0.1, 1.0)]
    ]
    told = said(dict(chart.spec))
    assert "b: the best attack recognises 90%" in told
    assert "c: the best attack recognises at least 10%" in told
    assert "b: amount recognises 30%" in told
    assert chart.table.rows[0] == ("a", 0.2, False, 0.1, 0.2)
    assert chart.table.rows[2] == ("c", 0.1, True, 0.1, None)
    assert chart.table.rows[3] == ("d", None, None, None, None)


def test_an_attack_that_could_not_compare_all_recognises_at_least() -> None:
    """Also in a submission in which another attack recognises everybody."""
    chart = submission_rates({"a": [*rates(1.0, records=1.0), Score("amount", "privacy", 0.1, "at least")]})
    assert chart is not None
    assert {"a: amount recognises at least 10%", "a: records recognises 100%"} <= {*said(dict(chart.spec))}
    assert chart.table.rows == (("a", 1.0, False, 1.0, 0.1),)


def test_long_names_leave_the_legend_less_room() -> None:
    scores = rates(0.1, records=0.1, amount=0.1, categories=0.1, places=0.1, dates=0.1, pairs=0.1)
    columns = []
    for name in ("Tens", "a team with a name that leaves less room"):
        chart = submission_rates({name: scores})
        assert chart is not None
        signs = next(layer for layer in chart.spec["layer"] if "shape" in layer["encoding"])
        columns.append(signs["encoding"]["shape"]["legend"]["columns"])
    # of 460, names take 7 a letter and 160 at most; a column takes 38 and 10 letters of 7
    assert columns == [4, 2]


def test_nothing_is_drawn_of_nothing() -> None:
    assert submission_rates({"a": UNKNOWN}) is None
    assert metric_scatter(LOW, {"a": UNKNOWN}, "u1_fare_by_person", "amount") is None
    assert submission_history([PastSubmission("#1", 0.5)]) is None


def test_one_metric_against_another_has_a_dot_for_all_that_have_both() -> None:
    chart = metric_scatter(LOW, {"a": LOW, "b": UNKNOWN}, "u1_fare_by_person", "amount")
    assert chart is not None
    assert "1 without both values can't be drawn" in chart.says
    assert said(dict(chart.spec)) == [
        "a: u1_fare_by_person 5, amount recognises 20%",
        "the original: u1_fare_by_person 5, amount recognises 20%",
    ]


def test_numbers_along_the_axis_are_as_far_apart_as_their_lines() -> None:
    """The last one is not moved towards the one before it."""
    far = [Score("amount", "privacy", 0.1), Score("u1_fare_by_person", "utility", 6_900.0)]
    chart = metric_scatter(LOW, {"a": far}, "u1_fare_by_person", "amount")
    assert chart is not None
    label = r'text-anchor="(\w+)" transform="translate\(([\d.]+),[\d.]+\)"[^>]*>([\d,]+)</text>'
    found = re.findall(label, chart.svg())
    assert {anchor for anchor, _, _ in found} == {"middle"}
    places = [float(x) for _, x, _ in found]
    steps = {round(after - before) for before, after in pairwise(places)}
    assert max(steps) - min(steps) <= 1
    assert found[-1][2] == "7,000"


def test_a_rate_that_is_only_the_least_is_a_hollow_dot() -> None:
    least = [Score("amount", "privacy", 0.1, "at least"), Score("u1_fare_by_person", "utility", 5.0)]
    chart = metric_scatter(LOW, {"a": LOW, "b": least}, "u1_fare_by_person", "amount")
    assert chart is not None
    assert "A hollow dot is only the least" in chart.says
    hollow = [layer for layer in chart.spec["layer"] if layer["mark"].get("filled") is False]
    assert [said(layer) for layer in hollow] == [["b: u1_fare_by_person 5, amount recognises at least 10%"]]


def test_the_history_tells_a_least_as_such() -> None:
    past = [PastSubmission("#1", 0.5, 2.0, 1.5), PastSubmission("#2", 0.25, certain=False)]
    chart = submission_history(past)
    assert chart is not None
    assert said(dict(chart.spec)) == [
        "#1: the best attack recognises 50%, utility rank 2, privacy rank 1.5",
        "#2: the best attack recognises at least 25%",
    ]


@pytest.mark.parametrize(
    "chart",
    [
        submission_rates({"a": LOW, "b": HIGH}),
        metric_scatter(LOW, {"a": LOW}, "u1_fare_by_person", "amount"),
        submission_history([PastSubmission("#1", 0.5), PastSubmission("#2", 0.2)]),
    ],
)
def test_a_drawing_on_a_page_brings_no_style_of_its_own(chart: Chart) -> None:
    svg = str(drawing(chart))
    assert svg.startswith("<svg")
    assert ' style="' not in svg.replace('font-style="', "")
    assert "aria-label" in svg
