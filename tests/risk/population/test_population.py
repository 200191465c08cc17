"""The population view: back-test, intervals, what is refused, histories, and bad input."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import numpy
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.errors import InputError, UsageError
from singleout.progress import silent
from singleout.risk.population import back_test, bootstrap
from singleout.risk.population.bootstrap import draw_sample, model_intervals
from singleout.risk.population.measures import (
    POPULATION_HIGHEST,
    POPULATION_MARKETER,
    POPULATION_MEASURES,
    POPULATION_UNIQUE,
    number_of,
)
from singleout.risk.population.models import fit_models
from singleout.risk.population.nonparametric_bound import (
    bounds_however_drawn,
    least_highest_risk,
    lower_bound,
)
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.population import (
    BY_CHANCE,
    population,
    population_view,
    sample_classes,
)
from singleout.risk.population.result import PopulationView
from singleout.risk.population.sample_classes import SampleClasses
from singleout.risk.population.tested_interval import widened
from singleout.roles.population_size import PopulationSize
from singleout.roles.study import Study
from tests.support.home import Home

LAW = PitmanYor(0.6, 300.0)


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough to tell a broken interval; how often they hold is measured elsewhere."""
    monkeypatch.setattr(bootstrap, "DRAWS", 19)


@pytest.fixture(scope="module")
def drawn() -> SampleClasses:
    return draw_sample(LAW, 4000, 11)


@pytest.fixture(scope="module")
def view(drawn: SampleClasses) -> PopulationView:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "DRAWS", 39)
        return population_view(drawn, 40_000, 0, silent)


def test_a_sample_of_a_law_is_foretold(view: PopulationView) -> None:
    truth = LAW.uniqueness(40_000)
    pitman = view.of("pitman")
    assert view.chosen == view.rule == "pitman"
    assert pitman.accepted
    low, high = pitman.intervals["unique_share"]
    assert low <= truth <= high
    assert low < pitman.numbers["unique_share"] < high < view.sample["unique_share"]
    assert view.reason is None
    assert view.measurement(POPULATION_UNIQUE).value == pitman.numbers["unique_share"]
    low, high = pitman.intervals["marketer"]
    assert low <= float(LAW.correctness(40_000)) <= high


def test_the_end_on_the_safe_side_is_the_farthest_of_all_that_held(view: PopulationView) -> None:
    for measure in POPULATION_MEASURES:
        ends = [each.interval(measure) for each in view.estimates if each.accepted]
        known = [each for each in ends if each]
        assert view.highest_end(measure) == max(high for _, high in known)
        assert view.lowest_end(measure) == min(low for low, _ in known)


def test_the_document_has_what_was_promised(view: PopulationView) -> None:
    told = view.to_dict()
    json.dumps(told, allow_nan=False)
    assert (told["size"], told["sampled"], told["chosen"]) == (40_000, 0.1, "pitman")
    assert [each["model"] for each in told["estimates"]] == [
        "pitman",
        "pitman_asymptotic",
        "law",
        "zayatz",
        "snb",
    ]
    assert {"unique_share", "low", "high", "reason"} <= {*told["estimates"][0]}
    assert told["back_test"]["passed"] is True
    assert told["back_test"]["reason"] is None
    for each in told["estimates"]:
        assert (each["unique_share"] is None) == (each["reason"] is not None)
    assert {each["model"] for each in told["curve"]} >= {"sample", "pitman", "bound"}


def test_the_same_seed_gives_the_same_numbers(drawn: SampleClasses) -> None:
    one, other, third = (population_view(drawn, 40_000, seed, silent).to_dict() for seed in (5, 5, 6))
    assert one == other
    assert one["estimates"] != third["estimates"]


def test_what_does_not_follow_a_law_is_refused() -> None:
    """Two thousand pairs of people, nobody else: a part of them looks like many who are alone."""
    pairs = SampleClasses.of_pairs([(2, 2000)])
    found = population_view(pairs, 4000 * 10, 0, silent)
    assert found.chosen is None
    assert all(each.reason for each in found.estimates)
    assert "this data does not tell" in str(found.reason)
    for measure in POPULATION_MEASURES:
        assert found.measurement(measure).value is None
        assert found.highest_end(measure) is None
    told = found.to_dict()
    assert told["back_test"]["passed"] is False
    assert {each["unique_share"] for each in told["estimates"]} == {None}


def test_what_a_model_missed_makes_its_interval_wider(
    view: PopulationView, drawn: SampleClasses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "DRAWS", 39)
    missed = [each for each in view.tests if each.model == "pitman"]
    assert {each.share for each in missed} == {*back_test.SHARES}
    assert {each.number for each in missed} == {"unique_share", "small_share", "marketer"}
    assert all(each.truth == drawn.numbers()[each.number] for each in missed)
    missed = [each for each in missed if each.number == "unique_share"]
    found = bootstrap.model_intervals(drawn, 40_000, fit_models(drawn, 40_000), 0)
    low, high = found.intervals["pitman"]["unique_share"]
    tests = [each for each in view.tests if each.model == "pitman"]
    wide = widened(drawn, 40_000, found.intervals["pitman"], tests)["unique_share"]
    most = max(abs(odds(each.truth) - odds(each.foretold)) for each in missed if each.foretold)
    # to both sides, for the next miss may be to the other one
    assert odds(wide[1]) == pytest.approx(odds(high) + most)
    assert odds(wide[0]) <= odds(low) - most + 1e-9


def test_the_low_end_reaches_where_the_tables_own_parts_lead(
    view: PopulationView, drawn: SampleClasses
) -> None:
    """A decade on: twice the half decade before, as log-odds."""
    for number in ("unique_share", "marketer"):
        before, now = drawn.thinned(10**-0.5).numbers()[number], drawn.numbers()[number]
        straight = odds(now) + 2 * (odds(now) - odds(before))
        assert odds(view.of("pitman").intervals[number][0]) <= straight + 1e-9


def odds(share: float) -> float:
    return math.log(share / (1 - share))


def test_arxs_form_is_chosen_last(drawn: SampleClasses) -> None:
    """Of a table that is everybody it says more than there are."""
    whole = population_view(drawn, round(drawn.people), 0, silent)
    asymptotic = whole.of("pitman_asymptotic")
    assert asymptotic.accepted
    assert asymptotic.numbers["unique_share"] > drawn.unique_share + 0.01
    assert whole.chosen in ("pitman", "law")
    assert whole.measurement(POPULATION_UNIQUE).known < asymptotic.numbers["unique_share"]


def test_too_few_people_tell_nothing() -> None:
    found = population_view(SampleClasses.of_pairs([(1, 300), (2, 100)]), 10_000, 0, silent)
    assert found.chosen is None
    assert found.tests == ()
    assert "500 people are too few to test a model on a tenth of them; it takes 1,000" in str(found.reason)


def test_a_larger_population_than_was_tested_is_told(drawn: SampleClasses) -> None:
    far = population_view(drawn, 4_000_000, 0, silent)
    assert any("1,000.0 times the sample" in each and "growth by 10 only" in each for each in far.remarks)
    tenfold = population_view(drawn, 40_000, 0, silent)
    # nothing beyond was tested: the upper end of a law is the one of what was, and the lower end falls
    near, own = (model_intervals(drawn, people, fit_models(drawn, people), 0) for people in (40_000, 4e6))
    for measure in POPULATION_MEASURES:
        _, high = near.intervals["pitman"][number_of(measure)]
        assert own.intervals["pitman"][number_of(measure)][1] <= high <= (far.highest_end(measure) or 0)
        assert (far.lowest_end(measure) or 0) <= (tenfold.lowest_end(measure) or 0)
    nearer = population_view(drawn, 8000, 0, silent)
    assert not any("times the sample" in each for each in nearer.remarks)


def test_low_ends_of_large_samples_are_marked_as_too_short(
    drawn: SampleClasses, view: PopulationView
) -> None:
    large = population_view(drawn, 10_000, 0, silent)
    assert any("low ends of intervals may be too short here" in each for each in large.remarks)
    for measure in POPULATION_MEASURES[:3]:
        low, sure = large.lowest_end(measure), large.surely_at_least(measure)
        assert low is not None
        assert sure == min(low, lower_bound(drawn, 10_000))
        assert view.surely_at_least(measure) == view.lowest_end(measure)
    assert not any("too short" in each for each in view.remarks)


def test_low_ends_farther_away_than_was_tested_need_no_model() -> None:
    """Of 200,000 people in 50,000 classes by a Zipf law, 1 % sampled: by all laws too many are unique."""
    random = numpy.random.default_rng(8)
    chances = 1 / numpy.arange(1, 50_001) ** 1.1
    home = random.choice(50_000, 200_000, p=chances / chances.sum())
    truth = float((numpy.bincount(home) == 1).sum()) / 200_000
    counts = Counter(Counter(random.choice(home, 2000, replace=False).tolist()).values())
    sample = SampleClasses.of_pairs(counts.items())
    found = population_view(sample, 200_000, 0, silent)
    alone = model_intervals(sample, 200_000, fit_models(sample, 200_000), 0).intervals["pitman"]
    assert truth < alone["unique_share"][0]
    assert found.of("pitman").accepted
    for measure in POPULATION_MEASURES[:3]:
        low, high = found.of("pitman").interval(measure) or (1.0, 0.0)
        assert low <= lower_bound(sample, 200_000) <= high
    low, high = found.of("pitman").interval(POPULATION_UNIQUE) or (1.0, 0.0)
    assert low <= truth <= high
    assert any("low ends are those of the bound that needs no model" in each for each in found.remarks)


def rows_of(sizes: list[int]) -> pyarrow.Table:
    return pyarrow.table({"a": [str(number) for number, size in enumerate(sizes) for _ in range(size)]})


def test_a_table_is_its_class_sizes(drawn: SampleClasses) -> None:
    sizes = [
        int(size) for size, many in zip(drawn.sizes, drawn.counts, strict=True) for _ in range(int(many))
    ]
    found = population(rows_of(sizes), PopulationSize(40_000), user="none")
    assert found.to_dict()["estimates"] == population_view(drawn, 40_000, 0, silent).to_dict()["estimates"]


def test_histories_are_asked_by_one_record(home: Home) -> None:
    """Each person's records count alike; a size is how many people have the value."""
    table = pyarrow.table({"who": [1, 1, 1, 2, 2, 3], "a": ["x", "x", "y", "x", "z", "z"]})
    with home.open(table) as engine:
        from singleout.engine.session import CheckedQuestion

        plan = CheckedQuestion("who", ("a",), "value", 6, 3, ())
        found = sample_classes(engine, plan, ("a",))
    # x: 1, 2; y: 1; z: 2, 3. Of person 1 a third fits one person, of all others every record two
    assert found.sizes.tolist() == [1, 2]
    assert (found.sizes * found.counts).tolist() == pytest.approx([1 / 3, 8 / 3])
    assert found.overlapping


def test_a_history_has_the_law_only() -> None:
    random = numpy.random.default_rng(3)
    people = numpy.repeat(numpy.arange(1500), 3)
    goods = random.zipf(1.6, len(people)) % 5000
    table = pyarrow.table({"who": people, "goods": goods})
    found = population(table, PopulationSize(15_000), user="who")
    assert found.known_records == 1
    assert found.rule == "law"
    assert found.chosen in ("law", None)
    assert all("several records" in str(found.of(name).reason) for name in ("pitman", "zayatz", "snb"))
    assert any("one record of a person" in each for each in found.remarks)
    assert found.of("law").numbers["journalist.highest"] == found.sample["journalist.highest"]


def test_a_number_that_the_chosen_model_lacks_comes_from_the_others(view: PopulationView) -> None:
    from dataclasses import replace

    accepted = [each for each in view.estimates if each.accepted]
    bare = replace(accepted[0], model="zayatz", numbers={"unique_share": 0.5}, intervals={})
    mixed = replace(
        view, estimates=(*(each for each in accepted if each.model != "zayatz"), bare), chosen="zayatz"
    )
    assert mixed.measurement(POPULATION_UNIQUE).value == 0.5
    known = [each.numbers.get("marketer", 0) for each in accepted]
    assert mixed.measurement(POPULATION_MARKETER).value == max(known)


@pytest.mark.parametrize("rule", ["drop", "wildcard"])
def test_only_values(rule: Any) -> None:
    with pytest.raises(UsageError, match="with the missing rule value"):
        population(rows_of([1, 2]), PopulationSize(sampled=0.5), user="none", missing=rule)


@pytest.mark.parametrize("share", [1e-12, 1e-300, 5e-324])
def test_a_population_has_an_end(share: float) -> None:
    with pytest.raises(InputError, match=r"the 3 people of the table are .* more than 1,000,000,000,000"):
        PopulationSize(sampled=share).people_of(3)
    assert PopulationSize(sampled=1e-12).people_of(1) == 10**12


def test_a_population_is_no_smaller_than_its_sample() -> None:
    with pytest.raises(InputError, match="2 people are fewer than the 3 of the table"):
        population(rows_of([1, 2]), PopulationSize(2), user="none")
    assert population(rows_of([1, 2]), PopulationSize(3), user="none").size == 3


def weighted(rows: pyarrow.Table, weights: list[float]) -> pyarrow.Table:
    return rows.append_column("w", pyarrow.array(weights, pyarrow.float64()))


def test_people_who_were_drawn_unlike_are_no_sample_for_models() -> None:
    """Only this is left: who has look-alikes in the table has them among all."""
    rows = rows_of([1] * 900 + [2] * 300 + [5] * 20)
    weights = [9.0] * 800 + [12.0] * 800
    size, study = PopulationSize(16_000), Study({"w": "weight"})
    found = population(weighted(rows, weights), size, user="none", study=study)
    assert found.chosen is None
    assert not found.tests
    assert {each.reason for each in found.estimates} == {found.of("pitman").reason}
    assert "the weights in 'w' go from 9 to 12, so that some people were likelier" in str(found.reason)
    assert found.bounds.upper["unique_share"] == pytest.approx((900 + 14_400) / 16_000)
    assert found.bounds.upper["marketer"] == pytest.approx((1_220 + 14_400) / 16_000)
    assert found.bounds.lower == 0
    assert {each.model for each in found.curve} == {"sample"}
    assert BY_CHANCE not in found.remarks
    # nor are those who are said to be drawn from more people than the weights tell
    fewer = population(weighted(rows, [9.0] * 1600), size, user="none", study=study)
    assert "the weights in 'w' add up to 14,400 people, and the population is said to have" in str(
        fewer.reason
    )
    # weights that hardly differ are those of people who were drawn alike, and so it is without weights
    alike = [population(weighted(rows, [each] * 800 + [10.5] * 800), size, user="none", study=study)
             for each in (10.0, 10.5)]  # fmt: skip
    plain = population(rows, size, user="none")
    assert alike[0].to_dict() == alike[1].to_dict() == plain.to_dict()
    assert BY_CHANCE in plain.remarks


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30))
def test_bounds_hold_however_people_were_drawn(people: list[tuple[int, bool]]) -> None:
    """Brute force: whoever was chosen, in whichever way."""
    everybody, chosen = Counter(home for home, _ in people), Counter(home for home, here in people if here)
    if not chosen:
        return
    whole, sample = (SampleClasses.of_pairs(Counter(each.values()).items()) for each in (everybody, chosen))
    lowest, highest = bounds_however_drawn(sample, len(people))
    assert lowest <= whole.unique_share + 1e-12
    for number in ("unique_share", "small_share", "marketer"):
        assert whole.numbers()[number] <= highest[number] + 1e-12
    risk = max(1 / everybody[home] for home in chosen)
    assert least_highest_risk(sample, len(people)) <= risk <= highest["journalist.highest"]


def test_low_ends_of_the_highest_risk_reach_it() -> None:
    """A hundred classes or so: a person alone in the sample has four look-alikes among all, or more."""
    for seed in range(6):
        everybody = draw_sample(PitmanYor(0.0, 5.0), 20_000, seed)
        sizes = numpy.repeat(everybody.sizes, everybody.counts.astype(int)).astype(int)
        homes = numpy.repeat(numpy.arange(len(sizes)), sizes)
        rows = numpy.random.default_rng(seed).choice(homes, 2000, replace=False)
        seen = numpy.bincount(rows, minlength=len(sizes))
        sample = SampleClasses.of_pairs(sorted(Counter(seen[seen > 0].tolist()).items()))
        truth = 1 / float(sizes[seen > 0].min())
        for each in population_view(sample, 20_000, seed, silent).estimates:
            low, high = each.interval(POPULATION_HIGHEST) or (0.0, 1.0)
            assert low <= truth <= high


def test_the_law_is_no_surer_than_the_likeliest_one() -> None:
    """Five independent columns: the law ends at the edge of its family, and its own draws hardly spread."""
    random = numpy.random.default_rng(1)
    columns = [random.choice(many, 2_000, p=random.dirichlet(numpy.ones(many))) for many in (2, 5, 8, 16, 60)]
    sizes = numpy.bincount(numpy.unique(numpy.stack(columns), axis=1, return_inverse=True)[1].ravel())
    sample = SampleClasses.of_pairs(sorted(Counter(sizes.tolist()).items()))
    fits = fit_models(sample, 20_000)
    found = model_intervals(sample, 20_000, fits, 0).intervals
    for number, (low, high) in found["law"].items():
        law, likeliest = fits["law"].numbers[number], fits["pitman"].numbers[number]  # type: ignore[union-attr]
        bottom, top = found["pitman"][number]
        assert high >= min(1.0, law + top - likeliest) - 1e-12
        assert low <= max(0.0, law - (likeliest - bottom)) + 1e-12
