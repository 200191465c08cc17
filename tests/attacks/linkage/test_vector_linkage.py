"""Linkage by vectors of counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.attacks.linkage import vector_linkage
from singleout.attacks.linkage.vector_linkage import VectorLinkage
from singleout.engine.codes.histories import Histories, History
from singleout.errors import UsageError
from singleout.progress import silent
from tests.by_hand.nearest_by_hand import Table, check, coded, tables

CELLS = {"usage": st.sampled_from(["bus", "shop", None]), "zone": st.sampled_from(["1", "2"])}


def squares_by_hand(one: Sequence[object], other: Sequence[object]) -> int:
    mine, yours = Counter(one), Counter(other)
    return sum((mine[each] - yours[each]) ** 2 for each in mine | yours)


def scores_by_hand(original: Table, release: Table, columns: list[str]) -> list[list[float]]:
    def categories(table: Table, person: int) -> list[object]:
        return [tuple(row[name] for name in columns) for row in table.of(person)]

    return [
        [
            -math.sqrt(squares_by_hand(categories(release, one), categories(original, other)))
            for other in range(original.people)
        ]
        for one in range(release.people)
    ]


@settings(max_examples=60)
@given(
    tables(CELLS, 7),
    tables(CELLS, 7),
    st.sampled_from([["usage"], ["zone", "usage"]]),
    st.sampled_from([1, 3]),
)
def test_vectors_equal_the_definition(
    original: Table, release: Table, columns: list[str], threads: int
) -> None:
    linkage = VectorLinkage.of_categories(coded(original, release, ["usage", "zone"]), columns, threads)
    check(linkage, scores_by_hand(original, release, columns), original.people)


def history(counts: numpy.ndarray[tuple[int, int], numpy.dtype[numpy.int64]]) -> History:
    person, category = numpy.nonzero(counts)
    often = counts[person, category]
    codes = {"c": numpy.repeat(category, often).astype(numpy.uint32)}
    return History(len(counts), numpy.repeat(person, often).astype(numpy.uint32), codes)


@pytest.mark.parametrize("width", [1, 3, 40])
def test_many_people_on_several_threads(width: int) -> None:
    random = numpy.random.default_rng(width)
    known, asked = random.poisson(1.5, (300, width)), random.poisson(1.3, (200, width))
    both = Histories(history(known), history(asked), {"c": tuple(map(str, range(width)))})
    squares = ((asked[:, None] - known[None]) ** 2).sum(axis=2)
    order = numpy.argsort(squares, axis=1, kind="stable")[:, :12]
    nearest = numpy.take_along_axis(squares, order, axis=1)
    for threads in (1, 3):
        best = VectorLinkage.of_categories(both, ["c"], threads).best(12, silent)
        assert (best.person == order).all()
        assert (best.score == -numpy.sqrt(nearest)).all()
        assert (best.tied_last == (squares == nearest[:, -1:]).sum(axis=1)).all()


def test_too_many_categories(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = {"item": numpy.arange(1001, dtype=numpy.uint32)}
    table = History(2, numpy.zeros(1001, dtype=numpy.uint32), codes)
    both = Histories(table, table, {"item": tuple(map(str, range(1001)))})
    with pytest.raises(UsageError, match=r"'item' has 1,001 categories, .* name a column with at most 1,000"):
        VectorLinkage.of_categories(both, ["item"])
    monkeypatch.setattr(vector_linkage, "MOST_CATEGORIES", 5000)
    monkeypatch.setattr(vector_linkage, "MOST_COUNTS", 4000)
    with pytest.raises(UsageError, match=r"too many for 4 people; name a column with at most 1,000"):
        VectorLinkage.of_categories(both, ["item"])
