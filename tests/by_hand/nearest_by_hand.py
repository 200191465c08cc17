"""Linkage by the definition: plain tables, all scores of all pairs, and what the best candidates are then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy
import pytest
from hypothesis import strategies as st

from singleout.attacks.linkage.candidates import Candidates, Linkage
from singleout.engine.codes.histories import Histories, History
from singleout.progress import silent

Value = str | None
Score = Fraction | float
Row = tuple[int, dict[str, Value]]


@dataclass(frozen=True)
class Table:
    people: int
    rows: tuple[Row, ...]

    def of(self, person: int) -> list[dict[str, Value]]:
        return [values for who, values in self.rows if who == person]


@st.composite
def tables(draw: st.DrawFn, cells: Mapping[str, st.SearchStrategy[Value]], each: int = 4) -> Table:
    """Up to six people with up to so many records each, in any order."""
    records = draw(st.lists(st.integers(0, each), max_size=6))
    owners = draw(st.permutations([who for who, count in enumerate(records) for _ in range(count)]))
    return Table(len(records), tuple((who, draw(st.fixed_dictionaries(dict(cells)))) for who in owners))


def coded(original: Table, release: Table, columns: Sequence[str]) -> Histories:
    values = {
        name: tuple(dict.fromkeys(row[name] for table in (release, original) for _, row in table.rows))
        for name in columns
    }
    return Histories(_history(original, values), _history(release, values), values)


def _history(table: Table, values: Mapping[str, tuple[Value, ...]]) -> History:
    person = numpy.array([who for who, _ in table.rows], dtype=numpy.uint32)
    codes = {
        name: numpy.array([known.index(row[name]) for _, row in table.rows], dtype=numpy.uint32)
        for name, known in values.items()
    }
    return History(table.people, person, codes)


def check(linkage: Linkage, scores: Sequence[Sequence[Score]], people: int) -> None:
    """`scores` has, for each person of the release, the exact score of each of the `people`."""
    for most in (1, 2, 4, 50):
        best = linkage.best(most, silent)
        assert best.person.shape == best.score.shape == (len(scores), min(most, people))
        assert best.person.dtype == numpy.int32
        for place, row in enumerate(scores):
            check_row(best, place, row)
    pairs = [(left, right) for left in range(len(scores)) for right in range(people)]
    left, right = numpy.array(pairs, dtype=numpy.int64).reshape(-1, 2)[::-1].T
    found = linkage.score(left, right)
    assert found.tolist() == pytest.approx(
        [float(scores[one][other]) for one, other in zip(left, right, strict=True)], abs=1e-11
    )
    full = linkage.best(50, silent)
    listed = {
        (row, who): full.score[row, at]
        for row in range(len(scores))
        for at, who in enumerate(full.person[row])
    }
    assert [listed[pair] for pair in zip(left.tolist(), right.tolist(), strict=True)] == found.tolist()
    check_alike(linkage, scores)


def check_row(best: Candidates, place: int, row: Sequence[Score]) -> None:
    """Exact scores decide the order, so scores that are equal must have been found equal."""
    by_hand = sorted(range(len(row)), key=lambda who: (-row[who], who))[: best.person.shape[1]]
    assert best.person[place].tolist() == by_hand
    assert best.score[place].tolist() == pytest.approx([float(row[who]) for who in by_hand], abs=1e-11)
    ties = [one == two for one, two in pairwise(best.score[place])]
    assert ties == [row[one] == row[two] for one, two in pairwise(by_hand)]
    assert best.tied_last[place] == (row.count(row[by_hand[-1]]) if by_hand else 0)


def check_alike(linkage: Linkage, scores: Sequence[Sequence[Score]]) -> None:
    """Who is said to look alike has the same scores."""
    alike = linkage.indistinguishable()
    assert len(alike) == len(scores)
    assert alike.dtype == numpy.int64
    first: dict[int, Any] = {}
    for number, row in zip(alike.tolist(), scores, strict=True):
        assert list(first.setdefault(number, row)) == list(row)
