"""Ranks of submissions: by hand on small boards, and laws on random ones."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from singleout.measurement import Better
from singleout.platform.contest import template
from singleout.platform.ranking import RankedEntry, directions, places, rank
from singleout.platform.scorer import Score
from singleout.utility.compare.ranking import Contender, mean_ranks, rank_releases

Drawn = list[tuple[dict[str, float | None], float | None, bool]]
BETTER: dict[str, Better] = {"error": "lower", "kept": "higher"}
VALUES = st.one_of(st.none(), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
ENTRIES = st.lists(
    st.builds(
        lambda error, kept, rate, sure: ({"error": error, "kept": kept}, rate, sure and rate is not None),
        VALUES, VALUES, VALUES, st.booleans(),
    ),
    min_size=1, max_size=8,
)  # fmt: skip
ORIGINAL = RankedEntry("original", {"error": 0.0, "kept": 1.0}, 1.0)


def board(drawn: Drawn) -> list[RankedEntry]:
    return [RankedEntry(f"e{index}", *each) for index, each in enumerate(drawn)]


@given(ENTRIES)
def test_places_are_shared_out_among_all_and_unknown_is_never_before_known(
    drawn: Drawn,
) -> None:
    entries = board(drawn)
    found = rank(ORIGINAL, entries, BETTER, {})
    standings = {each.name: each for each in (*found.releases, found.original)}
    assert all(each.overall is not None for each in standings.values())
    for ranks in ("utility_rank", "privacy_rank"):
        assert sum(getattr(each, ranks) for each in standings.values()) == sum(range(1, len(standings) + 1))
    unsure = [standings[each.name].privacy_rank or 0 for each in entries if not each.certain]
    sure = [standings[each.name].privacy_rank or 0 for each in (*entries, ORIGINAL) if each.certain]
    assert all(last > first for last in unsure for first in sure)
    assert all(standings[each.name].highest_rate == each.highest_rate for each in entries)


@given(ENTRIES, st.randoms())
def test_the_order_of_entries_changes_nothing(drawn: Drawn, draw: object) -> None:
    entries = board(drawn)
    there = {each.name: each.overall for each in rank(ORIGINAL, entries, BETTER, {}).releases}
    draw.shuffle(entries)  # type: ignore[attr-defined]
    assert {each.name: each.overall for each in rank(ORIGINAL, entries, BETTER, {}).releases} == there


@given(ENTRIES)
def test_where_all_is_known_the_ranking_is_that_of_compare(
    drawn: Drawn,
) -> None:
    entries = [RankedEntry(each.name, each.values, each.highest_rate or 0.0, True) for each in board(drawn)]
    contenders = [Contender(each.name, each.values, each.highest_rate) for each in (ORIGINAL, *entries)]
    assert rank(ORIGINAL, entries, BETTER, {}) == rank_releases(contenders[0], contenders[1:], BETTER)


@given(ENTRIES)
def test_a_better_value_never_costs_a_place(
    drawn: Drawn,
) -> None:
    entries = board(drawn)
    better = [RankedEntry("e0", {"error": -1.0, "kept": 2.0}, 0.0), *entries[1:]]
    before, after = (rank(ORIGINAL, each, BETTER, {}).releases[0].overall for each in (entries, better))
    assert before is not None and after is not None and after <= before


@given(ENTRIES)
def test_an_uncertain_rate_can_rank_as_measured_and_an_unknown_one_never(drawn: Drawn) -> None:
    entries = board(drawn)
    found = rank(ORIGINAL, entries, BETTER, {}, "measured")
    rates = [each.highest_rate for each in (*entries, ORIGINAL)]
    costs = [math.inf if each is None else each for each in rates]
    standings = (*found.releases, found.original)
    assert [each.privacy_rank for each in standings] == mean_ranks(costs)
    assert [each.compared for each in standings] == [each.certain for each in (*entries, ORIGINAL)]


def test_weights_count_the_rank_of_a_metric_more() -> None:
    entries = [
        RankedEntry("near", {"error": 1.0, "kept": 0.2}, 0.5),
        RankedEntry("full", {"error": 2.0, "kept": 0.9}, 0.5),
    ]
    for weights, first in (({"error": 3.0}, "near"), ({"kept": 3.0}, "full")):
        found = rank(ORIGINAL, entries, BETTER, weights)
        assert found.best_first[0].name == first
        assert found.best_first[0].utility_score == (3 * 2 + 3) / 4


def test_the_first_five_thousand_are_ranked_at_once() -> None:
    assert mean_ranks([float(each % 10) for each in range(5000)])[:2] == [250.5, 750.5]


def test_equals_share_a_place() -> None:
    entries = [
        RankedEntry(name, {"error": error}, 0.5) for name, error in (("a", 1.0), ("b", 1.0), ("c", 2.0))
    ]
    assert places(rank(ORIGINAL, entries, BETTER, {})) == {"a": 1, "b": 1, "c": 3}


def test_an_entry_is_certain_only_if_its_highest_rate_has_no_reason() -> None:
    best = Score("best", "privacy", 0.25, "at least this much")
    assert RankedEntry.of("a", [best]) == RankedEntry("a", {}, 0.25, False)
    assert RankedEntry.of("a", []) == RankedEntry("a", {}, None, False)
    assert RankedEntry.of("a", [Score("best", "privacy", 0.25), Score("u", "utility", 1.0)]).values == {
        "u": 1.0
    }


def test_every_metric_of_a_template_has_a_direction() -> None:
    found = directions(template("purchase-history"))
    assert found["total_variation.price"] == "lower"
    assert found["item_popularity.rank_correlation"] == "higher"
