"""What an attack came to: ties shared, intervals, bounds; attacks combined; a part of the knowledge."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as some

from singleout.attacks.attacker_knowledge import check_shares, cut_to_days, filled_records, known_share
from singleout.attacks.attempt import guess_credit, judge_candidates, random_guess, rate_bound, run_linkage
from singleout.attacks.linkage.candidates import NOBODY, Candidates, Indices, Scores
from singleout.attacks.linkage.item_sets import values_as_items
from singleout.attacks.linkage.set_linkage import OverlapLinkage
from singleout.attacks.rank_fusion import CombinedLinkage
from singleout.attacks.wilson_interval import wilson
from singleout.errors import UsageError
from singleout.progress import Progress, silent
from tests.by_hand.linkage_by_hand import Person, credit, expected, histories, jaccard, scores

TABLES = some.integers(1, 14).flatmap(
    lambda people: some.lists(
        some.lists(some.integers(0, 3).map(float), min_size=people, max_size=people), min_size=1, max_size=6
    )
)


@dataclass(frozen=True, eq=False)
class TableLinkage:
    """Scores that are simply listed."""

    table: list[list[float]]

    def best(self, most: int, progress: Progress) -> Candidates:  # noqa: ARG002
        found = expected(self.table, most)
        return Candidates(
            numpy.array([people for people, _, _ in found], numpy.int32),
            numpy.array([listed for _, listed, _ in found]),
            numpy.array([tied for _, _, tied in found]),
        )

    def score(self, release: Indices, original: Indices) -> Scores:
        return numpy.array([self.table[asked][known] for asked, known in zip(release, original, strict=True)])

    def indistinguishable(self) -> Indices:
        return numpy.array([self.table.index(row) for row in self.table])


@given(TABLES, some.data())
def test_credit_is_shared_between_ties(table: list[list[float]], data: some.DataObject) -> None:
    people = len(table[0])
    truth = numpy.array([data.draw(some.integers(-1, people - 1)) for _ in table])
    linkage = TableLinkage(table)
    found, within = judge_candidates(linkage, linkage.best(10, silent), truth)
    real = [None if true < 0 else int(true) for true in truth]
    by_hand = {k: [credit(row, true, k) for row, true in zip(table, real, strict=True)] for k in (1, 5, 10)}
    assert found == pytest.approx([float(each) for each in by_hand[1]])
    assert within == pytest.approx({k: float(sum(by_hand[k])) / len(table) for k in (5, 10)})


@given(TABLES, some.data())
def test_nothing_exceeds_the_bound(table: list[list[float]], data: some.DataObject) -> None:
    """Whatever the scores, on average over who is who among people that look alike."""
    linkage = TableLinkage(table)
    people = numpy.array(data.draw(some.permutations(range(max(len(table), len(table[0]))))))
    truth = people[: len(table)]
    truth = numpy.where(truth < len(table[0]), truth, NOBODY)
    attempt, _ = run_linkage("listed", "all", 1.0, linkage, truth, len(table[0]), silent)
    assert attempt.bound is not None
    assert attempt.rate <= attempt.bound + 1e-12


def test_someone_split_into_several_can_be_right_several_times() -> None:
    assert rate_bound(numpy.array([0, 0, 0, 1]), numpy.array([7, 7, 8, -1])) == 0.5


@pytest.mark.parametrize(
    ("successes", "attempts", "centre", "half"),
    [
        # Anonymeter's confidence module, 95 %
        (23, 100, 0.23998824451588613, 0.08155558571285167),
        (100, 100, 0.9815032508965071, 0.01849674910349284),
        (850, 1000, 0.849, 0.022),
        (0, 1000, 0.002, 0.002),
    ],
)
def test_wilson_as_anonymeter_has_it(successes: int, attempts: int, centre: float, half: float) -> None:
    low, high = wilson(successes, attempts)
    digits = 0.5e-3 if attempts == 1000 else 1e-12
    assert (low + high) / 2 == pytest.approx(centre, abs=digits)
    assert (high - low) / 2 == pytest.approx(half, abs=digits)


@given(some.integers(1, 10_000), some.floats(0, 1))
def test_the_interval_holds_the_rate(attempts: int, share: float) -> None:
    low, high = wilson(share * attempts, attempts)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1


def test_a_random_guess_is_right_for_real_people_only() -> None:
    assert random_guess(numpy.array([0, 3, -1, 1]), 10) == pytest.approx(3 / 40)
    assert guess_credit(numpy.array([0, 1, -1]), numpy.array([0, 2, -1]), numpy.arange(3)).tolist() == [
        1,
        0,
        0,
    ]


def votes_by_hand(tables: list[list[list[float]]], row: int) -> Counter[int]:
    """2520 parts a vote, of every table for those among its ten best whose ties are among them too."""
    votes: Counter[int] = Counter()
    for table in tables:
        people, best, tied = expected([table[row]], 10)[0]
        for who in people:
            as_good = sum(score >= table[row][who] for score in table[row])
            if table[row][who] > best[-1] or best.count(best[-1]) == tied:
                votes[who] += 2520 // as_good
    return votes


@given(some.integers(1, 14), some.integers(1, 4), some.data())
def test_votes_are_added_up(people: int, members: int, data: some.DataObject) -> None:
    row = some.lists(some.integers(0, 4).map(float), min_size=people, max_size=people)
    tables = [[data.draw(row), data.draw(row)] for _ in range(members)]
    each = [TableLinkage(table) for table in tables]
    linkage = CombinedLinkage(
        tuple(one.best(10, silent) for one in each), tuple(one.indistinguishable() for one in each), people
    )
    by_hand = [[votes_by_hand(tables, asker)[who] / 2520 for who in range(people)] for asker in (0, 1)]
    found = linkage.best(10, silent)
    for asker, (who, best, tied) in enumerate(expected(by_hand, 10)):
        assert found.person[asker].tolist() == who
        assert found.score[asker].tolist() == best
        assert found.tied_last[asker] == tied
    assert linkage.score(numpy.zeros(people, int), numpy.arange(people)).tolist() == by_hand[0]
    same = all(table[0] == table[1] for table in tables)
    assert (len(set(linkage.indistinguishable().tolist())) == 1) == same


PEOPLE = some.lists(some.lists(some.tuples(some.sampled_from("abc")), max_size=8), min_size=1, max_size=6)


@given(PEOPLE, some.integers(0, 3))
def test_a_smaller_share_is_part_of_a_larger_one(people: list[Person], seed: int) -> None:
    whole = histories(people, people, ["item"]).original
    known = {share: known_share(whole, share, seed) for share in (0.25, 0.5, 1.0)}
    for share, part in known.items():
        assert part.records_of_each().tolist() == [math.ceil(share * len(each)) for each in people]
    for smaller, larger in ((0.25, 0.5), (0.5, 1.0)):
        pairs = [
            Counter(zip(known[share].person.tolist(), known[share].codes["item"].tolist(), strict=True))
            for share in (smaller, larger)
        ]
        assert pairs[0] <= pairs[1]


def test_another_seed_knows_other_records() -> None:
    whole = histories([[(str(place),) for place in range(40)]], [[]], ["item"]).original
    parts = [set(known_share(whole, 0.5, seed).codes["item"].tolist()) for seed in (0, 0, 1)]
    assert parts[0] == parts[1] != parts[2]


@pytest.mark.parametrize("shares", [[], [0], [1.5], [0.5, -1], ["half"], [True], [math.nan]])
def test_shares_that_are_none(shares: list[Any]) -> None:
    with pytest.raises(UsageError, match="above 0 and at most 1"):
        check_shares(shares)


def test_records_that_lack_a_value_are_left_out() -> None:
    people: list[Person] = [[("a", None), ("b", "x")], [(None, "y")]]
    both = filled_records(histories(people, people, ["item", "place"]), ["item"])
    assert both.original.person.tolist() == [0, 0]
    assert filled_records(both, ["item", "place"]).release.person.tolist() == [0]


def test_times_are_cut_to_days() -> None:
    people: list[Person] = [[("2011-01-31 08:26:00",), ("2011/1/31 8:00",), (None,), ("2011-02-01T00:00",)]]
    both = cut_to_days(histories(people, people, ["time"]), "time")
    assert both.values["time"] == ("2011-01-31", None, "2011-02-01")
    assert both.original.codes["time"].tolist() == [0, 0, 1, 2]
    odd: list[Person] = [[("2011-01-31 08:26:00",), ("spring",)]]
    as_it_is = histories(odd, odd, ["time"])
    assert cut_to_days(as_it_is, "time") is as_it_is


def test_identity_shares_the_credit_of_equal_sets() -> None:
    people: list[Person] = [[("a",)], [("a",)], [("b",)], [], []]
    linkage = OverlapLinkage(values_as_items(histories(people, people, ["item"]), ["item"]), "jaccard", 1)
    attempt, _ = run_linkage("jaccard", "", 1.0, linkage, numpy.arange(5), 5, silent)
    assert attempt.credit.tolist() == [0.5, 0.5, 1, 0.5, 0.5]
    assert (attempt.identified, attempt.certain, attempt.rate) == (3.0, 1, 0.6)
    assert (attempt.baseline, attempt.bound) == (0.2, 0.6)
    table = scores(people, people, jaccard)
    assert sum(credit(row, true) for true, row in enumerate(table)) == Fraction(3)


@given(PEOPLE, some.integers(1, 3), some.integers(0, 10))
def test_unified_clusters_keep_to_c_over_n(people: list[Person], clusters: int, seed: int) -> None:
    """Improvements T4: with sets unified inside clusters, no item-set attack exceeds c/n."""
    draw = numpy.random.default_rng(seed)
    cluster = draw.integers(0, clusters, len(people))
    unified = [[r for who, each in enumerate(people) if cluster[who] == own for r in each] for own in cluster]
    both = histories(people, unified, ["item"])
    bound = len(set(cluster.tolist())) / len(people)
    for kind in ("jaccard", "containment", "coverage"):
        linkage = OverlapLinkage(values_as_items(both, ["item"]), kind, 1)
        attempt, _ = run_linkage(kind, "", 1.0, linkage, numpy.arange(len(people)), len(people), silent)
        assert attempt.bound is not None
        assert attempt.rate <= attempt.bound + 1e-12 <= bound + 2e-12
