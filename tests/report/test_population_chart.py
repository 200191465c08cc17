"""The chart and the sections about everybody: their records against the results they come from."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import numpy
import pytest
from rich.console import Console

from singleout.engine.pair_sizes import PairSizes
from singleout.progress import silent
from singleout.report.charts.population_sizes import WORDS, population_sizes
from singleout.report.pages.population_sections import everybody_sections
from singleout.report.terminal.population import population_sentences, refusals, show_everybody
from singleout.risk.k_map import reference_risk
from singleout.risk.population import bootstrap
from singleout.risk.population.bootstrap import draw_sample
from singleout.risk.population.measures import POPULATION_MARKETER, POPULATION_SMALL, POPULATION_UNIQUE
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.population import population_view
from singleout.risk.population.result import PopulationView
from singleout.risk.population.sample_classes import SampleClasses


@pytest.fixture(scope="module")
def view() -> PopulationView:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "DRAWS", 9)
        return population_view(draw_sample(PitmanYor(0.6, 300.0), 3000, 11), 30_000, 0, silent)


def test_the_chart_has_what_the_view_has(view: PopulationView) -> None:
    chart = population_sizes(view)
    values = chart.spec["data"]["values"]
    drawn = [(each["model"], each["people"], each["unique"]) for each in values]
    assert drawn == [(WORDS[each.model], each.people, each.unique_share) for each in view.curve]
    assert view.curve[24].people == view.people
    assert view.curve[24].unique_share == view.sample["unique_share"]
    (ends,) = chart.spec["layer"][-1]["data"]["values"]
    assert (ends["low"], ends["high"]) == (
        view.lowest_end(POPULATION_UNIQUE), view.highest_end(POPULATION_UNIQUE),
    )  # fmt: skip
    assert f"from {ends['low']:.1%} to {ends['high']:.1%} may be (the green line)" in chart.says
    assert "<svg" in chart.svg()


def test_the_bound_ends_where_it_says_nothing(view: PopulationView) -> None:
    bounds = [each.unique_share for each in view.curve if each.model == "bound"]
    assert bounds[0] == view.sample["unique_share"]
    assert bounds.count(0) == 1
    assert bounds[-1] == 0


def test_what_does_not_tell_is_drawn_without_models() -> None:
    few = population_view(SampleClasses.of_pairs([(1, 300), (2, 100)]), 10_000, 0, silent)
    chart = population_sizes(few)
    assert {each["model"] for each in chart.spec["data"]["values"]} == {WORDS["sample"], WORDS["bound"]}
    assert "this data does not tell" in chart.says
    assert "<svg" in chart.svg()
    assert [each for each in few.remarks if "ends" in each] == []


def test_the_sections(view: PopulationView) -> None:
    assert [*everybody_sections(None, None)] == []
    against = reference_risk(PairSizes(*numpy.array([[5, 1], [5, 1], [100, 0]])))
    population, reference = everybody_sections(view, against)
    assert (population.name, reference.name) == ("population", "reference")
    assert any("does not know who was sampled" in each for each in population.lead)
    for measure in (POPULATION_SMALL, POPULATION_MARKETER):
        ends = f"({view.lowest_end(measure):.3g} to {view.highest_end(measure):.3g})"
        assert any(ends in each for each in population.lead)
    for estimate in view.estimates:
        assert estimate.reason is None or any(estimate.reason in each for each in population.lead)
    assert any("they count as singled out" in each for each in reference.lead)


def test_hardly_anybody_is_not_nobody(view: PopulationView) -> None:
    """0.02 % of 100 million people are 20,000."""
    chosen = view.of("pitman")
    numbers = {**chosen.numbers, "unique_share": 0.0002}
    few = replace(chosen, numbers=numbers, intervals={**chosen.intervals, "unique_share": (0.0, 0.0003)})
    rare = replace(view, estimates=(few,), chosen="pitman", sample={**view.sample, "unique_share": 0.0004})
    first = next(population_sentences(rare))
    assert "under 0.1% are unique among themselves; under 0.1% are estimated to be so" in first
    assert "up to 0.1% may be" in first
    assert " 0.0%" not in first


def test_every_unknown_number_has_its_reason_once(view: PopulationView) -> None:
    chosen = replace(view.of("pitman"), missed={"marketer": "fitted to a tenth of the people it misses"})
    lost = replace(view.of("zayatz"), reason="too far off")
    three = replace(view, estimates=(chosen, lost, replace(lost, model="snb")))
    assert [*refusals(three)] == [
        ("Pitman", "fitted to a tenth of the people it misses"),
        ("Zayatz; slide negative binomial (SNB)", "too far off"),
    ]
    page = Console(file=StringIO(), width=80)
    show_everybody(page, three, None, None, None, None)
    told = page.file.getvalue()  # type: ignore[attr-defined]
    assert told.count("too far off") == 1
    assert ("* chosen" in told, "Pitman *" in told) == (True, True)


def test_what_is_unknown_of_histories_is_no_number() -> None:
    few = SampleClasses.of_candidates([(1, 200.0), (40, 100.0)])
    history = population_view(few, 10_000, 0, silent)
    out = Console(file=StringIO(), width=80)
    show_everybody(out, history, None, None, None, None)
    told = out.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert [each.split() for each in told if "convexity" in each] == [["lower", "bound", "(convexity)", "–"]]
    assert " ".join(told).count("this data does not tell") == 1
