"""Charts of attacks and of releases: their records against the results they come from, never pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.attacks.measures import LOOK_ALIKES
from singleout.report.charts.attack_rates import attack_rates
from singleout.report.charts.known_shares import rates_by_share
from singleout.report.charts.label_placement import Spot, fit_labels
from singleout.report.charts.look_alikes import look_alikes
from singleout.report.charts.releases import utility_and_privacy, without_folders
from singleout.report.charts.utility_losses import metrics
from singleout.utility.compare.ranking import Contender, Ranking, rank_releases
from singleout.utility.distributions import TOTAL_VARIATION, WASSERSTEIN
from singleout.utility.finding import LOST, Finding, lost_share
from singleout.utility.item_popularity import POPULARITY
from singleout.utility.retention import PEOPLE_KEPT
from tests.support.attacked_shop import (
    RELEASE,
    SOFTER,
    TRUTH,
    attacked,
    attempt,
    check_chart,
    compared,
    layers,
    values,
)

# Charts of attacks


def test_a_bar_for_each_attack_but_the_best_the_highest_first() -> None:
    found = attacked(points=[1, 2])
    chart = attack_rates(found.attacks)
    assert chart is not None
    check_chart(chart)
    bars = values(chart.spec, "rate")
    assert {bar["attack"]: bar["rate"] for bar in bars} == {
        each.name: each.rate for each in found.attacks if each.name != "best"
    }
    rates = [bar["rate"] for bar in bars]
    assert rates == sorted(rates, reverse=True)
    signs = values(chart.spec, "kind")
    with_bound = {sign["attack"] for sign in signs if sign["kind"] == "at most possible"}
    assert with_bound == {each.name for each in found.attacks if each.name != "best"}
    assert [row[:2] for row in chart.table.rows] == [(bar["attack"], bar["rate"]) for bar in bars]


def test_a_bar_says_its_rate_and_its_interval() -> None:
    # Wilson at 95 % of 5 of 10: 0.2366 to 0.7634 (Wilson 1927; the same in R's binom.wilson)
    chart = attack_rates([attempt("jaccard")])
    assert chart is not None
    assert values(chart.spec, "rate")[0]["said"] == (
        "jaccard recognises 50% of 10 people; 95 % interval 23.7% to 76.3%"
    )


def test_many_attacks_are_drawn_in_part_and_told_in_full() -> None:
    chart = attack_rates([attempt(f"points_{place}", place / 100, bound=None) for place in range(30)])
    assert chart is not None
    assert len(values(chart.spec, "rate")) == 24
    assert len(chart.table.rows) == 30
    assert "6 more" in chart.says
    assert attack_rates([]) is None


def test_lines_by_share_only_where_there_are_several() -> None:
    assert rates_by_share(attacked()) is None
    found = attacked(shares=[0.5, 1.0], one_to_one=True)
    chart = rates_by_share(found)
    assert chart is not None
    check_chart(chart)
    dots = {(dot["line"], dot["share"]): dot["rate"] for dot in values(chart.spec, "line")}
    for each in found.attacks:
        if each.linked and each.name != "best" and "one_to_one" not in each.name:
            assert dots.pop((each.name.partition("@")[0], each.share)) == each.rate
    assert not dots


@given(st.dictionaries(st.integers(1, 9000), st.integers(1, 50), min_size=1, max_size=60))
def test_nobody_is_lost_among_look_alikes(groups: dict[int, int]) -> None:
    people = sum(size * many for size, many in groups.items())
    weaker = attempt("tfidf", 0.4, look_alikes={5: 2})
    chart = look_alikes([weaker, attempt("jaccard", look_alikes=groups), attempt("combined", 0.9)])
    assert chart is not None
    bars = values(chart.spec, "people")
    assert len(bars) <= 24
    assert sum(bar["people"] for bar in bars) == people
    assert [bar["people"] for bar in bars if bar["size"] == "alone"] == ([groups[1]] if 1 in groups else [])
    assert sum(int(row[2] or 0) for row in chart.table.rows) == people
    assert "jaccard" in chart.title


def test_look_alikes_of_the_small_shop() -> None:
    # by hand: after softening, p1 and p2 have {tea}, p3 and p4 {salt}: two groups of two
    chart = look_alikes(attacked(release=SOFTER).attacks)
    assert chart is not None
    check_chart(chart)
    assert [(bar["size"], bar["people"]) for bar in values(chart.spec, "people")] == [("2", 4)]
    assert "Of 4 people nobody is alone" in chart.says
    assert {heading.measure for heading in chart.table.headings} == {LOOK_ALIKES}
    assert look_alikes([attempt("points_1")]) is None


# Charts of releases


def ranking_of(many: int, name: str = "release_{}.csv") -> Ranking:
    draw = numpy.random.default_rng(many)
    return rank_releases(
        Contender("shop", {"error": 0.0, "kept": 1.0}, 1.0),
        [
            Contender(name.format(place), {"error": float(draw.integers(9)), "kept": float(draw.random())},
                      float(draw.integers(1, 5)) / 5)
            for place in range(many)
        ],
        {"error": "lower", "kept": "higher"},
    )  # fmt: skip


@pytest.mark.parametrize("many", [1, 3, 12, 60])
def test_releases_by_rank_and_the_boundary(many: int) -> None:
    ranking = ranking_of(many)
    chart = utility_and_privacy(ranking)
    assert chart is not None
    check_chart(chart)
    dots = values(chart.spec, "said")
    assert [(dot["utility"], dot["privacy"]) for dot in dots] == [
        (each.utility_rank, each.privacy_rank) for each in (ranking.original, *ranking.releases)
    ]
    line = next(each for each in layers(chart.spec) if each["mark"]["type"] == "line")["data"]["values"]
    for place in line:
        assert (place["utility"] + place["privacy"]) / 2 == pytest.approx(ranking.boundary)
        assert 0.5 <= place["utility"] <= many + 1.5
        assert 0.5 <= place["privacy"] <= many + 1.5
    better = sum(ranking.better_than_original(each) is True for each in ranking.releases)
    assert f"{better or 'none'} of {many} drawn." in chart.says
    assert len(chart.table.rows) == many + 1


def test_the_numbers_behind_say_what_is_only_the_least() -> None:
    original = Contender("shop", {"error": 0.0}, 1.0)
    others = [
        Contender("sure", {"error": 1.0}, 0.5),
        Contender("unsure", {"error": 1.0}, 0.1, compared=False),
    ]
    chart = utility_and_privacy(rank_releases(original, others, {"error": "lower"}))
    assert chart is not None
    place = [each.name for each in chart.table.headings].index("only_the_least")
    assert [row[place] for row in chart.table.rows] == [False, True, False]


def test_markup_in_the_name_of_a_release_stays_text() -> None:
    ranking = ranking_of(3, "<b onload=x>&{}\x07</b>")
    chart = utility_and_privacy(ranking)
    assert chart is not None
    check_chart(chart)
    assert "<b" not in chart.svg()


def test_only_names_of_files_lose_their_folders() -> None:
    ranking = ranking_of(2, "team A/B {}")
    (_, first), *_ = _told(ranking)
    assert first == "team A/B 0"
    (_, first), *_ = _told(without_folders(ranking))
    assert first == "B 0"


def _told(ranking: Ranking) -> list[tuple[str, str]]:
    """Each release's mark and name, in the table behind the drawing and beside its dot."""
    chart = utility_and_privacy(ranking)
    assert chart is not None
    dots = [dot["said"].partition(":")[0] for dot in values(chart.spec, "said")][1:]
    rows = [str(row[0]).split(": ", 1) for row in chart.table.rows[:-1]]
    assert sorted(name for _, name in rows) == sorted(dots)
    return sorted((mark, name) for mark, name in rows)


def test_releases_without_a_rank_are_no_dots() -> None:
    original, good = Contender("shop", {"error": 0.0}, 1.0), Contender("good", {"error": 1.0}, 0.5)
    some = rank_releases(original, [good, Contender("unknown", {"error": 2.0}, None)], {"error": "lower"})
    chart = utility_and_privacy(some)
    assert chart is not None
    assert len(values(chart.spec, "said")) == 2
    assert "1 without a privacy rank" in chart.says
    nothing = rank_releases(original, [Contender("unknown", {"error": 2.0}, None)], {"error": "lower"})
    assert utility_and_privacy(nothing) is None


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 300)), max_size=40))
def test_labels_cover_neither_dots_nor_each_other(places: list[tuple[int, int]]) -> None:
    spots = [Spot(x, y, (f"release {number}", "R")) for number, (x, y) in enumerate(places)]
    found = fit_labels(spots, 400, 300)
    assert len(found) <= len(spots)
    boxes = []
    for label in found:
        width = 6.5 * len(label.text)
        left = label.x - {"left": 0, "center": width / 2, "right": width}[label.align]
        boxes.append((left, left + width, label.y - 7, label.y + 7))
        assert not any(left < x < left + width and abs(y - label.y) < 7 for x, y in places)
    for place, (left, right, top, bottom) in enumerate(boxes):
        for other in boxes[:place]:
            assert right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top


def test_names_in_one_line_are_not_read_as_one_word() -> None:
    def sides(distance: int, second: str = "Noise") -> list[str]:
        spots = [Spot(100, 50, ("Swappers",)), Spot(100 + distance, 50, (second,))]
        # nothing fits right of the second dot
        return [each.align for each in fit_labels(spots, 109 + distance, 100)]

    # 8 and 5 letters of 6.9 and twice 9 to the dots are 107.7, and 7 between them
    assert sides(114) == ["left"]
    assert sides(115) == ["left", "right"]
    assert sides(81, "N") == ["left", "right"]


def test_what_is_lost_is_the_way_from_an_untouched_table() -> None:
    assert lost_share(Finding(PEOPLE_KEPT, 0.75)) == 0.25
    assert lost_share(Finding(TOTAL_VARIATION, 0.25, of=("goods",))) == 0.25
    assert lost_share(Finding(TOTAL_VARIATION, None, "a reason", of=("goods",))) is None
    # Spearman's goes from -1 to 1: none at all is half of the way
    assert lost_share(Finding(POPULARITY, 0.0)) == 0.5
    assert lost_share(Finding(WASSERSTEIN, 2.0, of=("price",))) is None  # it has no end


def test_a_bar_for_each_share_among_the_metrics() -> None:
    found = compared(RELEASE, SOFTER, truth=[TRUTH, TRUTH])
    chart = metrics(found, "AB", ["one", "two"])
    assert chart is not None
    check_chart(chart)
    bars = {(bar["metric"], bar["mark"]): bar["lost"] for bar in values(chart.spec, "lost")}
    # by hand: tea, milk, salt, rice are 2, 1, 2, 1 of 6 and then 2, 0, 2, 0 of 4: (4 · 1/6) / 2
    assert bars["total variation of goods", "A"] == 0
    assert bars["total variation of goods", "B"] == pytest.approx(1 / 3)
    assert bars["people kept", "A"] == bars["people kept", "B"] == 0
    assert [heading.measure for heading in chart.table.headings] == [None, LOST, LOST]
    (row,) = [row for row in chart.table.rows if row[0] == "total variation of goods"]
    assert [*row[1:]] == pytest.approx([0, 1 / 3])
    assert all(0 <= each <= 1 for each in bars.values())
    none = replace(found, outcomes=tuple(replace(each, utility=()) for each in found.outcomes))
    assert metrics(none, "AB", ["one", "two"]) is None
