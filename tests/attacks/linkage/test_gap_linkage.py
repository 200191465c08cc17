"""Linkage by the gaps between a person's days, where all of them were shifted by a secret number."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout
from singleout.attacks.attempt import Attempt, run_linkage
from singleout.attacks.linkage.candidates import Linkage
from singleout.attacks.linkage.gap_linkage import GapLinkage
from singleout.attacks.linkage.item_sets import values_as_items
from singleout.attacks.linkage.set_linkage import OverlapLinkage
from singleout.attacks.paired_tables import PairedTables, pair_tables
from singleout.engine.codes.histories import Histories, History
from singleout.errors import InputError
from singleout.progress import silent
from tests.by_hand.gap_linkage_by_hand import (
    best_overlap,
    calendar,
    day_of,
    days_of_people,
    gap_pattern,
    released,
    scores,
)
from tests.by_hand.nearest_by_hand import Table, check, coded, tables

DAYS = (*calendar("2010-12-27", range(9)), "2010/12/30", "2011/1/2 08:26", "2011-01-20 23:59:59", None)
TABLES = tables({"day": st.sampled_from(DAYS)}, 7)
LIMITS = st.sampled_from([None, 0, 1, 3, 30, 4_000_000])
Dates = numpy.ndarray[Any, numpy.dtype[numpy.int64]]


def attempt(linkage: Linkage, truth: numpy.ndarray[Any, Any], people: int) -> Attempt:
    return run_linkage("gaps", "", 1.0, linkage, truth, people, silent)[0]


@settings(max_examples=150)
@given(TABLES, TABLES, LIMITS, st.sampled_from([1, 3]))
def test_the_definition(original: Table, release: Table, most_shift: int | None, threads: int) -> None:
    linkage = GapLinkage.of(coded(original, release, ["day"]), "day", threads, most_shift)
    by_hand = scores(days_of_people(release, "day"), days_of_people(original, "day"), most_shift)
    check(linkage, by_hand, original.people)


@given(TABLES, LIMITS)
def test_who_looks_alike(release: Table, most_shift: int | None) -> None:
    """By their days, which tell more than gaps do to whoever can guess a shift."""
    looks = [frozenset(each.items()) for each in days_of_people(release, "day")]
    alike = GapLinkage.of(coded(release, release, ["day"]), "day", 1, most_shift).indistinguishable().tolist()
    assert [looks.index(look) for look in looks] == [alike.index(number) for number in alike]


@given(TABLES, TABLES, st.lists(st.integers(-700_000, 2_900_000), min_size=6, max_size=6))
def test_no_shift_changes_anything(original: Table, release: Table, shifts: list[int]) -> None:
    before, after = (
        GapLinkage.of(coded(original, each, ["day"]), "day")
        for each in (release, released(release, "day", shifts))
    )
    one, other = before.best(4, silent), after.best(4, silent)
    assert one.person.tolist() == other.person.tolist()
    assert one.score.tolist() == other.score.tolist()
    assert one.tied_last.tolist() == other.tied_last.tolist()


@given(TABLES.filter(lambda table: table.people > 0), st.lists(st.integers(-30, 30), min_size=6, max_size=6))
def test_where_all_days_are_there_every_pattern_is_found(original: Table, shifts: list[int]) -> None:
    both = coded(original, released(original, "day", shifts), ["day"])
    everybody = numpy.arange(original.people)
    patterns = {gap_pattern(each) for each in days_of_people(original, "day")}
    by_gaps = attempt(GapLinkage.of(both, "day"), everybody, original.people)
    assert by_gaps.rate == pytest.approx(len(patterns) / original.people)
    within = attempt(GapLinkage.of(both, "day", most_shift=30), everybody, original.people)
    assert within.rate >= by_gaps.rate - 1e-12


@given(TABLES, TABLES.filter(lambda table: table.people > 0), LIMITS, st.data())
def test_no_rate_exceeds_its_bound(
    original: Table, release: Table, most_shift: int | None, data: st.DataObject
) -> None:
    truth = data.draw(
        st.lists(st.integers(-1, original.people - 1), min_size=release.people, max_size=release.people)
    )
    if original.people:
        linkage = GapLinkage.of(coded(original, release, ["day"]), "day", 1, most_shift)
        made = attempt(linkage, numpy.array(truth), original.people)
        assert made.bound is not None
        assert made.rate <= made.bound + 1e-12


def history(days: list[Dates], offset: int) -> History:
    person = numpy.repeat(numpy.arange(len(days)), [len(each) for each in days]).astype(numpy.uint32)
    return History(len(days), person, {"day": (numpy.concatenate(days) + offset).astype(numpy.uint32)})


@pytest.mark.parametrize(("most_days", "span"), [(3, 40), (20, 60), (20, 1500)])
@pytest.mark.parametrize("most_shift", [None, 5])
def test_many_days_on_several_threads(most_days: int, span: int, most_shift: int | None) -> None:
    """People with few days and with many, which different loops compare; some as others are."""
    random = numpy.random.default_rng(most_days * span)
    known = [random.choice(span, random.integers(1, 2 * most_days)) for _ in range(10)]
    known += known[:2]
    asked = [each[random.random(len(each)) < 0.8] + random.integers(-5, 6) for each in known[:7] + known[10:]]
    both = Histories(
        history(known, 5), history(asked, 5), {"day": tuple(calendar("2011-01-01", range(span + 10)))}
    )
    by_hand = scores(
        [Counter(each.tolist()) for each in asked], [Counter(each.tolist()) for each in known], most_shift
    )
    for threads in (1, 3):
        check(GapLinkage.of(both, "day", threads, most_shift), by_hand, len(known))


def test_an_end_of_time_among_the_days() -> None:
    days = ["0001-01-01", "2011-01-31", "2011-02-01", "9999-12-31"]
    original = Table(
        2, ((0, {"day": days[1]}), (0, {"day": days[3]}), (1, {"day": days[0]}), (1, {"day": days[3]}))
    )
    release = Table(1, ((0, {"day": days[2]}), (0, {"day": days[3]})))
    by_hand = scores(days_of_people(release, "day"), days_of_people(original, "day"), None)
    check(GapLinkage.of(coded(original, release, ["day"]), "day"), by_hand, 2)
    assert best_overlap(Counter({1: 1}), Counter({day_of(days[3]): 1}), None) == 1


def test_months_have_no_gaps_of_days() -> None:
    table = Table(1, ((0, {"day": "2011-01"}), (0, {"day": "2011-01-31"})))
    with pytest.raises(InputError, match=r"'day': not all its values have a day, .* like 2011-01-31"):
        GapLinkage.of(coded(table, table, ["day"]), "day")


@pytest.fixture(scope="module", params=["named", "pseudonymised"])
def shifted(
    t1: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> PairedTables:
    """T1 with the dates of each of the 400 customers moved by up to 30 days."""
    steps: list[dict[str, Any]] = [{"step": "shift_dates", "columns": ["date"], "days": 30}]
    if request.param == "pseudonymised":
        steps.append({"step": "pseudonymise", "columns": ["customer"]})
    folder = tmp_path_factory.mktemp("shifted")
    out, truth = folder / "release.csv", folder / "truth.csv"
    singleout.apply(t1, {"user": "customer", "step": steps}, out=out, truth=truth, seed=1)
    return pair_tables(t1, out, truth, user="customer", columns=["date"])


def test_shifted_dates_of_t1(shifted: PairedTables) -> None:
    """By hand: 314 patterns of 400 people, so 78.5 %; by the days as they are a few in a hundred."""
    both, people = shifted.histories, shifted.histories.original.people
    by_gaps = attempt(GapLinkage.of(both, "date", 2), shifted.truth, people)
    assert by_gaps.rate == pytest.approx(0.785)
    days = OverlapLinkage(values_as_items(both, ["date"]).copies(), "jaccard", 2)
    assert attempt(days, shifted.truth, people).rate < 0.06


def test_shifted_dates_of_t1_within_a_known_limit(shifted: PairedTables) -> None:
    """Equal gaps are told apart by where they lie: no bound by gaps would hold."""
    both = shifted.histories
    within = attempt(GapLinkage.of(both, "date", 2, 30), shifted.truth, both.original.people)
    assert within.bound is not None
    assert 0.9 < within.rate <= within.bound


@pytest.mark.parametrize("most_shift", [None, 30])
def test_nobody_of_t1_is_passed_over(shifted: PairedTables, most_shift: int | None) -> None:
    """The best of the lists are the best of all scores, although most pairs are never compared."""
    people = shifted.histories.original.people
    linkage = GapLinkage.of(shifted.histories, "date", 2, most_shift)
    every = linkage.score(*map(numpy.ravel, numpy.indices((people, people)))).reshape(people, people)
    order = numpy.argsort(-every, axis=1, kind="stable")[:, :10]
    best = linkage.best(10, silent)
    assert (best.person == order).all()
    assert (best.score == numpy.take_along_axis(every, order, axis=1)).all()
    assert (best.tied_last == (every == best.score[:, -1:]).sum(axis=1)).all()


def test_a_sample_of_shifted_records_of_t1(shifted: PairedTables) -> None:
    """Where nine of ten records are left, most whom their gaps single out are still found."""
    both = shifted.histories
    kept = numpy.random.default_rng(1).random(both.release.records) < 0.9
    sample = Histories(both.original, both.release.only(kept), both.values)
    made = attempt(GapLinkage.of(sample, "date", 2), shifted.truth, both.original.people)
    assert made.bound is not None
    assert 0.5 < made.rate <= made.bound
