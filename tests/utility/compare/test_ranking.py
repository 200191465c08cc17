"""The ranking of releases: by definition on small lists, laws on random ones, and its drawing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.measurement import Better
from singleout.report.charts.release_letters import short_names
from singleout.report.terminal.ranking import ORIGINAL, LetterDot, scatter_plot
from singleout.utility.compare.ranking import Contender, mean_of_ranks, mean_ranks, rank_releases

VALUES = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0])
BETTER: dict[str, Better] = {"error": "lower", "kept": "higher", "size": "neither"}


def sorted_places(values: Sequence[float]) -> list[float]:
    """Everybody stands in a queue, and equals share the mean of the places they take."""
    queue = sorted(values)
    places = {
        value: [place for place, other in enumerate(queue, 1) if other == value] for value in set(values)
    }
    return [sum(places[value]) / len(places[value]) for value in values]


def contender(name: str, error: float | None, kept: float | None, rate: float | None) -> Contender:
    return Contender(name, {"error": error, "kept": kept, "size": 7.0}, rate)


ORIGINAL_ONE = contender("o", 0.0, 1.0, 1.0)


@given(st.lists(VALUES, min_size=1, max_size=8))
def test_ranks_are_places_in_a_queue(values: list[float]) -> None:
    found = mean_ranks(values)
    assert found == sorted_places(values)
    assert sum(found) == len(values) * (len(values) + 1) / 2


def test_rounding_is_no_difference() -> None:
    assert mean_ranks([0.1 + 0.2, 0.3]) == [1.5, 1.5]
    assert mean_ranks([0.3, 0.3 + 1e-9]) == [1.0, 2.0]


def test_three_releases_by_hand() -> None:
    """error: o 1, b 2, a and c 3.5; kept: o and a 1.5, b 3, c 4; so o 1.25, b 2.5, a 2.5, c 3.75."""
    releases = [
        contender("a", 2.0, 1.0, 0.5),
        contender("b", 1.0, 0.9, 0.1),
        contender("c", 2.0, 0.5, 0.5),
    ]
    found = rank_releases(ORIGINAL_ONE, releases, BETTER)
    assert found.metrics == ("error", "kept")
    assert [each.utility_score for each in found.releases] == [2.5, 2.5, 3.75]
    assert [each.utility_rank for each in found.releases] == [2.5, 2.5, 4.0]
    # rates: b 1, a and c 2.5, o 4
    assert [each.privacy_rank for each in found.releases] == [2.5, 1.0, 2.5]
    assert [each.overall for each in found.releases] == [2.5, 1.75, 3.25]
    assert (found.original.utility_rank, found.original.privacy_rank, found.boundary) == (1.0, 4.0, 2.5)
    assert [each.name for each in found.best_first] == ["b", "a", "c"]
    # a stands on the boundary, which is not below it
    assert [found.better_than_original(each) for each in found.best_first] == [True, False, False]


def test_equals_by_privacy_then_as_given() -> None:
    a, b, c = contender("a", 0.0, 1.0, 0.9), contender("b", 5.0, 0.0, 0.1), contender("c", 5.0, 0.0, 0.1)
    found = rank_releases(ORIGINAL_ONE, [a, c, b], BETTER)
    # a: 1.5 and 3 → 2.25; b, c: 3.5 and 1.5 → 2.5; o: 1.5 and 4 → 2.75
    assert [(each.name, each.overall) for each in found.best_first] == [("a", 2.25), ("c", 2.5), ("b", 2.5)]
    assert found.boundary == 2.75


def test_one_release_against_the_original() -> None:
    found = rank_releases(ORIGINAL_ONE, [contender("a", 1.0, 0.5, 0.2)], BETTER)
    assert (found.releases[0].overall, found.boundary) == (1.5, 1.5)
    assert found.better_than_original(found.releases[0]) is False


def test_what_is_unknown_of_a_release_comes_last() -> None:
    """Whoever leaves out a column must not win by it."""
    releases = [contender("a", None, 0.9, 0.2), contender("b", 9.0, 0.9, 0.2), contender("c", None, 0.5, 0.2)]
    found = rank_releases(ORIGINAL_ONE, releases, BETTER)
    assert (found.metrics, found.left_out) == (("error", "kept"), ())
    # error: o 1, b 2, a and c 3.5; kept: o 1, a and b 2.5, c 4
    assert [each.utility_score for each in found.releases] == [3.0, 2.25, 3.75]
    absent = rank_releases(ORIGINAL_ONE, [Contender("a", {"kept": 0.9}, 0.2), releases[1]], BETTER)
    assert [each.utility_score for each in absent.releases] == [2.75, 2.25]


def test_what_is_unknown_of_the_original_is_left_out() -> None:
    found = rank_releases(contender("o", None, 1.0, 1.0), [contender("a", 5.0, 0.5, 0.2)], BETTER)
    assert (found.metrics, found.left_out) == (("kept",), ("error",))
    assert found.releases[0].utility_rank == 2.0


def test_without_metrics_or_attacks_there_is_no_overall_rank() -> None:
    nothing = rank_releases(contender("o", None, None, 1.0), [contender("a", 1.0, None, 0.2)], BETTER)
    assert (nothing.releases[0].utility_rank, nothing.releases[0].privacy_rank) == (None, 1.0)
    assert (nothing.boundary, nothing.better_than_original(nothing.releases[0])) == (None, None)
    no_attack = rank_releases(
        contender("o", 0.0, 1.0, None),
        [contender("a", 2.0, 0.1, None), contender("b", 1.0, 0.5, None)],
        BETTER,
    )
    assert [each.privacy_rank for each in no_attack.releases] == [None, None]
    assert [each.name for each in no_attack.best_first] == ["b", "a"]
    assert mean_of_ranks([{}, {}], {}) == [None, None]


def test_who_cannot_be_attacked_takes_no_rank_from_others() -> None:
    x, a, b = contender("x", 0.0, 1.0, None), contender("a", 2.0, 0.9, 0.5), contender("b", 1.0, 0.5, 0.1)
    found = rank_releases(ORIGINAL_ONE, [x, a, b], BETTER)
    assert [each.privacy_rank for each in found.releases] == [None, 2.0, 1.0]
    assert found.original.privacy_rank == 3.0
    # error: o and x 1.5, b 3, a 4; kept: o and x 1.5, a 3, b 4; so o and x share the first two places
    assert [each.utility_rank for each in found.releases] == [1.5, 3.5, 3.5]
    assert [each.overall for each in found.releases] == [None, 2.75, 2.25]
    assert found.boundary == 2.25
    assert [each.name for each in found.best_first] == ["b", "a", "x"]
    assert [each.name for each in found.with_both] == ["a", "b"]
    assert found.better_than_original(found.releases[0]) is None


def test_who_has_no_rank_at_all_is_listed_last() -> None:
    nothing = [contender("x", None, None, None), contender("a", None, None, 0.2)]
    found = rank_releases(contender("o", None, None, 1.0), nothing, BETTER)
    assert [each.name for each in found.best_first] == ["a", "x"]
    assert found.with_both == ()


RATES = st.sampled_from([0.0, 0.1, 0.5, 1.0])
CONTENDERS = st.lists(st.builds(contender, st.text(max_size=3), VALUES, RATES, RATES), min_size=1, max_size=6)


@given(CONTENDERS, st.randoms(use_true_random=False))
def test_the_order_of_releases_changes_no_rank(releases: list[Contender], chance: object) -> None:
    order = sorted(range(len(releases)), key=lambda _: chance.random())  # type: ignore[attr-defined]
    found = rank_releases(ORIGINAL_ONE, releases, BETTER)
    other = rank_releases(ORIGINAL_ONE, [releases[place] for place in order], BETTER)
    assert other.releases == tuple(found.releases[place] for place in order)
    assert other.original == found.original


@given(CONTENDERS)
def test_laws_of_a_ranking(releases: list[Contender]) -> None:
    found = rank_releases(ORIGINAL_ONE, releases, BETTER)
    everybody = (*found.releases, found.original)
    many = len(everybody)
    assert sum(each.utility_rank or 0 for each in everybody) == pytest.approx(many * (many + 1) / 2)
    assert sum(each.overall or 0 for each in everybody) == pytest.approx(many * (many + 1) / 2)
    # nothing is better for use than the untouched table, and nothing worse for privacy
    assert all((each.utility_rank or 0) >= (found.original.utility_rank or 0) for each in everybody)
    assert all((each.privacy_rank or 0) <= (found.original.privacy_rank or 0) for each in everybody)
    twin = rank_releases(ORIGINAL_ONE, [*releases, ORIGINAL_ONE], BETTER)
    assert twin.releases[-1].overall == twin.boundary
    assert twin.better_than_original(twin.releases[-1]) is False


@given(CONTENDERS, st.lists(VALUES, max_size=3))
def test_privacy_is_ranked_as_if_the_unknown_were_not_there(
    releases: list[Contender], errors: list[float]
) -> None:
    others = [contender("x", error, 0.5, None) for error in errors]
    found, alone = (rank_releases(ORIGINAL_ONE, each, BETTER) for each in ([*others, *releases], releases))
    ranks = [each.privacy_rank for each in (found.original, *found.releases)]
    assert ranks[1 : len(others) + 1] == [None] * len(others)
    assert [ranks[0], *ranks[len(others) + 1 :]] == [
        each.privacy_rank for each in (alone.original, *alone.releases)
    ]
    assert [each.name for each in found.best_first[len(releases) :]] == ["x"] * len(others)


# The pictures


def test_names_are_short_where_they_stay_different() -> None:
    assert short_names(["x/" + "y" * 60 + ".csv"]) == ["…" + "y" * 23 + ".csv"]
    assert short_names(["a/r.csv", "b/r.csv", "c/s.csv"]) == ["a/r.csv", "b/r.csv", "c/s.csv"]


SHARES = st.floats(0, 1)


@given(st.lists(st.tuples(SHARES, SHARES), max_size=30))
def test_every_dot_is_in_the_field(spots: list[tuple[float, float]]) -> None:
    dots = [LetterDot(ORIGINAL, across, up) for across, up in spots]
    lines = scatter_plot(dots, "1", "9")
    assert len(lines) == 13
    assert max(map(len, lines)) <= 62
    assert sum(line.count(ORIGINAL) for line in lines) == len(dots)
