"""Attacks on a sample of the release's people."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.attacks.attempt import run_linkage
from singleout.attacks.linkage.item_sets import tuples_as_items
from singleout.attacks.people_sample import as_estimate, restrict_release, sample_people
from singleout.attacks.record_linkage.record_linkage import RecordLinkage
from singleout.engine.codes.histories import Histories, History
from singleout.progress import silent
from tests.by_hand.nearest_by_hand import Table, coded, tables

CELLS = {"age": st.sampled_from(["20", "25", "50", None]), "job": st.sampled_from(["cook", "clerk"])}
COLUMNS = list(CELLS)
TABLES = tables(CELLS, 3)


@given(TABLES, TABLES, st.integers(0, 7), st.integers(0, 9))
def test_who_is_drawn_keeps_all_records(original: Table, release: Table, size: int, seed: int) -> None:
    both = coded(original, release, COLUMNS)
    people = sample_people(both.release, size, seed)
    assert sorted(set(people.tolist())) == people.tolist()
    assert len(people) == min(size, release.people)
    assert set(people.tolist()) <= set(sample_people(both.release, size + 1, seed).tolist())
    drawn = restrict_release(both, people).release
    assert drawn.people == len(people)
    for number, who in enumerate(people.tolist()):
        kept = numpy.flatnonzero(drawn.person == number)
        own = numpy.flatnonzero(both.release.person == who)
        for name in COLUMNS:
            assert drawn.codes[name][kept].tolist() == both.release.codes[name][own].tolist()


@given(TABLES, TABLES, st.integers(0, 6), st.integers(0, 9))
def test_who_is_drawn_has_the_same_scores(original: Table, release: Table, size: int, seed: int) -> None:
    """Although the range of numbers, and whether anybody has two records, may be another in the sample."""
    both = coded(original, release, COLUMNS)
    people = sample_people(both.release, size, seed)
    whole, sampled = RecordLinkage.of(both, COLUMNS), RecordLinkage.of(both, COLUMNS, people=people)
    every, some = whole.best(3, silent).at(people), sampled.best(3, silent)
    assert some.person.tolist() == every.person.tolist()
    assert some.score.tolist() == every.score.tolist()
    assert some.tied_last.tolist() == every.tied_last.tolist()
    alike, all_alike = sampled.indistinguishable(), whole.indistinguishable()[people]
    assert ((alike[:, None] == alike) == (all_alike[:, None] == all_alike)).all()


def test_an_estimate_has_the_interval_of_its_sample_and_the_bound_of_all() -> None:
    """Of 1,000 people every two look alike, and half are recognised; few pairs are in a sample of 50."""
    person = numpy.arange(1000, dtype=numpy.uint32)
    table = History(1000, person, {"age": person // 2})
    both = Histories(table, table, {"age": tuple(map(str, range(500)))})
    truth = numpy.arange(1000)
    people = sample_people(table, 50, seed=1)
    linkage = RecordLinkage.of(both, ["age"], people=people)
    sampled = run_linkage("nearest", "knows", 1.0, linkage, truth[people], 1000, silent)[0]
    assert sampled.bound is not None
    assert sampled.bound > 0.9
    alike = tuples_as_items(both, ["age"]).release.indistinguishable(with_counts=True)
    found = as_estimate(sampled, truth, alike, 1000)
    assert found.knowledge == "knows; asked of 50 of the 1,000 people, drawn at random"
    assert (found.people, found.rate, found.bound, found.look_alikes) == (50, 0.5, 0.5, {2: 500})
    assert found.baseline == pytest.approx(0.001)
    assert found.interval == pytest.approx((0.366, 0.634), abs=0.001)
    assert as_estimate(found, truth[people], alike, 1000) is found
