"""SUDA scores, contributions and DIS-SUDA: published examples, and the definition by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import combinations
from singleout.engine.codes.collapsed_rows import CollapsedRows
from singleout.errors import UsageError
from singleout.risk.combinations.minimal_sample_uniques import MinimalSets, minimal_sets
from singleout.risk.combinations.suda import (
    CONTRIBUTION,
    DIS_SUDA,
    MINIMAL_SETS,
    SCORE,
    SMALLEST_SET,
    attribute_contributions,
    contributions,
    dis_suda,
    people_in_pairs,
    points,
    scores,
)
from tests.by_hand.minimal_sample_uniques_by_hand import Table, by_hand, coded, drawn_rows, tables

# Benschop, Machingauta, Welch: Statistical Disclosure Control: A Practice Guide, section SUDA, table 4.5
# (residence, gender, education level, labour status; SUDA score; DIS-SUDA)
GUIDE = [
    ("urban", "female", "secondary incomplete", "employed", 0, 0.0),
    ("urban", "female", "secondary incomplete", "employed", 0, 0.0),
    ("urban", "female", "primary incomplete", "non-LF", 6, 0.0051),
    ("urban", "male", "secondary complete", "employed", 0, 0.0),
    ("rural", "female", "secondary complete", "unemployed", 12, 0.0107),
    ("urban", "male", "secondary complete", "employed", 0, 0.0),
    ("urban", "female", "primary complete", "non-LF", 6, 0.0051),
    ("urban", "male", "post-secondary", "unemployed", 10, 0.0088),
    ("urban", "female", "secondary incomplete", "non-LF", 0, 0.0),
    ("urban", "female", "secondary incomplete", "non-LF", 0, 0.0),
]
# the guide's footnote on that table: the minimal sample uniques of its four unique records
GUIDE_SETS = {
    2: [{"education"}],
    4: [{"residence"}, {"gender", "education"}, {"gender", "labour"}, {"education", "labour"}],
    6: [{"education"}],
    7: [{"education"}, {"residence", "labour"}, {"gender", "labour"}],
}
# sdcMicro, tests/testthat/test_suda2.R, "suda2 book example" (Templ 2017): age, gender, income, education
# and the scores of the last four records
BOOK = [
    ("20s", "male", "50k+", "highschool"),
    ("20s", "male", "50k+", "highschool"),
    ("20s", "male", "50k-", "highschool"),
    ("20s", "male", "50k-", "highschool"),
    ("20s", "female", "50k-", "university"),
    ("20s", "female", "50k-", "highschool"),
    ("20s", "female", "50k-", "middleschool"),
    ("60s", "male", "50k-", "university"),
]
BOOK_SCORES = [4, 2, 6, 8]
# sdcMicro, tests/testthat/test_suda2.R, "suda2 simple example contribution" 1 to 4: the columns, and what
# each contributes to the scores in percent, in whatever order they stand
SIMPLE = {"a": ((2, 1, 1), 50), "b": ((0, 3, 0), 37.5), "c": ((0, 6, 0), 37.5)}
# a public test file for sdcMicro before version 5.0.3: ten records, three key variables, four records in
# pairs; its scores of that time, and disScore for a fraction of 0.01 and of 0.1
EARLIER = [
    (0, 0.0, 0.0),
    (1 / 3, 0.005967813, 0.06194895),
    (0, 0.0, 0.0),
    (1, 0.023154855, 0.20681556),
    (2 / 3, 0.014078124, 0.13574852),
    (0, 0.0, 0.0),
    (2, 0.053368476, 0.38277308),
    (0, 0.0, 0.0),
    (4 / 3, 0.032846213, 0.27197489),
    (2 / 3, 0.014078124, 0.13574852),
]
# suda 0.2.2 on PyPI, run on the guide's table with max_msu=2: it counts every unique set, minimal or not
EVERY_UNIQUE_SET = [0, 0, 12, 0, 18, 0, 12, 16, 0, 0]


def in_numbers(table: Sequence[tuple[str, ...]]) -> Table:
    columns = [numpy.unique(column, return_inverse=True)[1].tolist() for column in zip(*table, strict=True)]
    return list(zip(*columns, strict=True))


def guide() -> tuple[CollapsedRows, MinimalSets]:
    rows = coded(in_numbers([each[:4] for each in GUIDE]))
    return rows, minimal_sets(rows)


def test_the_guide_s_minimal_sample_uniques() -> None:
    rows, minimal = guide()
    names = ("residence", "gender", "education", "labour")
    for record in range(len(GUIDE)):
        sets = [
            {name for place, name in enumerate(names) if mask >> place & 1}
            for mask in of(rows, minimal, record)
        ]
        assert sorted(map(sorted, sets)) == sorted(map(sorted, GUIDE_SETS.get(record, [])))


def of(rows: CollapsedRows, minimal: MinimalSets, record: int) -> list[int]:
    return [int(mask) for mask in minimal.of(int(rows.row[record]))]


@pytest.mark.parametrize("largest", [None, 3])
def test_the_guide_s_scores(largest: int | None) -> None:
    """The guide takes M = 3 of 4 columns; sdcMicro's test of the same table takes none."""
    rows, _ = guide()
    found = scores(minimal_sets(rows, largest=largest))
    assert found[rows.row].tolist() == [each[4] for each in GUIDE]


def test_the_guide_s_dis_suda() -> None:
    """The guide's DIS-SUDA column is of an earlier sdcMicro, which scored by shares of the lattice.

    A set of size s of d had (2^(d−s) − 1)·s!·(d−s)!/d! points then. The printed numbers follow from those
    for a sampling fraction of 0.01, not from the SUDA scores printed beside them.
    """
    rows, minimal = guide()
    then = numpy.array([1.0, 1.75, 0.5, 0.25, 0.0])
    earlier = numpy.bincount(minimal.row_of_set, then[minimal.sizes], minimal.rows).astype(float)
    assert sorted(set(earlier.tolist())) == [0, 1.75, 2.75, 3.25]
    risk = dis_suda(earlier, columns=4, in_pairs=people_in_pairs(rows), fraction=0.01)
    assert risk[rows.row].round(4).tolist() == [each[5] for each in GUIDE]


@pytest.mark.parametrize(("fraction", "place"), [(0.01, 1), (0.1, 2)])
def test_dis_suda_as_sdcmicro_computes_it(fraction: float, place: int) -> None:
    found = dis_suda(
        numpy.array([float(each[0]) for each in EARLIER]), columns=3, in_pairs=4, fraction=fraction
    )
    assert found == pytest.approx([each[place] for each in EARLIER], rel=2e-6)


def test_the_book_s_scores() -> None:
    rows = coded(in_numbers(BOOK))
    assert scores(minimal_sets(rows))[rows.row][4:].tolist() == BOOK_SCORES


@pytest.mark.parametrize("names", list(permutations("abc")))
def test_sdcmicro_s_contributions(names: tuple[str, ...]) -> None:
    rows = coded(list(zip(*(SIMPLE[name][0] for name in names), strict=True)))
    shares = attribute_contributions(minimal_sets(rows), rows.records)
    assert [share and 100 * share for share in shares] == [SIMPLE[name][1] for name in names]


def test_why_the_suda_package_scores_higher() -> None:
    """It adds (d − s)! for every set of up to max_msu columns that is unique, also above a minimal one."""
    rows, minimal = guide()
    every = []
    for record in range(len(GUIDE)):
        own = of(rows, minimal, record)
        unique = [
            mask for mask in range(16) if mask.bit_count() <= 2 and any(each & ~mask == 0 for each in own)
        ]
        every.append(sum(math.factorial(4 - mask.bit_count()) for mask in unique))
    assert every == EVERY_UNIQUE_SET


@given(tables(), st.data())
@settings(max_examples=100, deadline=None)
def test_the_definition_by_hand(drawn: tuple[Table, list[int] | None], data: st.DataObject) -> None:
    table, persons = drawn
    width = len(table[0])
    largest = data.draw(st.integers(1, width))
    rows = coded(table, persons)
    minimal = minimal_sets(rows, largest=largest)
    found, shares = scores(minimal), contributions(minimal)
    total, parts = 0, [0] * width
    for record in range(len(table)):
        sets = by_hand(table, persons, record, 1, largest)
        worth = [
            math.prod(width - i for i in range(s.bit_count(), min(largest, width - 1) + 1)) for s in sets
        ]
        own = [sum(w for s, w in zip(sets, worth, strict=True) if s >> c & 1) for c in range(width)]
        assert found[rows.row[record]] == sum(worth)
        expected = [part / sum(worth) if worth else 0.0 for part in own]
        assert shares[rows.row[record]] == pytest.approx(expected)
        total += sum(worth)
        parts = [part + more for part, more in zip(parts, own, strict=True)]
    known = [part / total if total else None for part in parts]
    assert attribute_contributions(minimal, rows.records) == pytest.approx(known)


def test_a_bound_changes_all_scores_by_the_same_factor() -> None:
    rows = drawn_rows(9, 150, 7, False)
    bounded = minimal_sets(rows, largest=3)
    as_unbounded = MinimalSets(bounded.starts, bounded.masks, 7, 1, 7)
    assert (scores(as_unbounded) == 6 * scores(bounded)).all()
    assert contributions(as_unbounded) == pytest.approx(contributions(bounded))


def test_points() -> None:
    assert points(5, 5) == [*points(5, 4), 1] == [120, 24, 6, 2, 1, 1]
    assert points(5, 3) == [60 * 2, 24, 6, 2]
    assert points(25, 25)[1] == math.factorial(24)


def test_pairs_are_counted_in_people() -> None:
    table = [(0,), (0,), (1,), (1,), (1,), (2,)]
    assert people_in_pairs(coded(table)) == 2
    assert people_in_pairs(coded(table, [1, 1, 2, 2, 3, 3])) == 2
    assert people_in_pairs(coded(table, [1, 2, 3, 3, 4, 3])) == 4
    assert people_in_pairs(coded(table, [1, 2, 1, 1, 3, 3])) == 3


@given(
    st.lists(st.integers(1, 10**6), min_size=1, max_size=20),
    st.integers(1, 27),
    st.integers(1, 500),
    st.floats(0.001, 0.999),
)
def test_a_higher_score_or_a_larger_sample_is_riskier(
    drawn: list[int], columns: int, pairs: int, fraction: float
) -> None:
    score = numpy.sort(numpy.array(drawn, dtype=float))
    risk = dis_suda(score, columns, pairs, fraction)
    assert (numpy.diff(risk) >= 0).all()
    assert (risk > 0).all() and (risk <= 1).all()
    assert (dis_suda(score, columns, pairs, min(1.0, 1.5 * fraction)) >= risk).all()


def test_dis_suda_at_its_ends() -> None:
    assert dis_suda(numpy.zeros(3), 4, 2, 0.1).tolist() == [0, 0, 0]
    assert dis_suda(numpy.array([0.0, 3.0]), 4, 0, 0.1).tolist() == [0, 1]
    assert dis_suda(numpy.array([0.0, 3.0]), 4, 8, 1).tolist() == [0, 1]
    huge = numpy.array([float(math.factorial(26)), 1.0])
    assert numpy.isfinite(dis_suda(huge, 27, 10, 0.01)).all()


def test_without_any_score_no_attribute_contributes() -> None:
    rows = coded([(0, 1), (0, 1)])
    minimal = minimal_sets(rows)
    assert attribute_contributions(minimal, rows.records) == [None, None]
    assert contributions(minimal).tolist() == [[0, 0]]


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(UsageError, match=r"sample of 0 of .*; DIS-SUDA is not defined for 28 columns"):
        dis_suda(numpy.ones(1), 28, 1, 0)
    larger = minimal_sets(coded([(0, 1), (0, 1), (2, 3)]), allow=2)
    with pytest.raises(UsageError, match="allow 1, not 2"):
        scores(larger)
    with pytest.raises(UsageError, match="allow 1, not 2"):
        attribute_contributions(larger, numpy.ones(2, dtype=numpy.int64))


def test_the_measures_have_names_of_their_own() -> None:
    measures = (MINIMAL_SETS, SMALLEST_SET, SCORE, CONTRIBUTION, DIS_SUDA)
    assert len({each.name for each in measures}) == len(measures)


def test_the_share_that_was_sampled_by_weights(tmp_path: Path) -> None:
    """Four people who stand for forty are a tenth."""
    table = pyarrow.table({"a": [1, 1, 2, 3], "b": [1, 1, 1, 2], "w": [10.0, 20.0, 5.0, 5.0]})
    by_weight, by_share = tmp_path / "weight.csv", tmp_path / "share.csv"
    combinations(table, user="none", allow=1, records=by_weight, weight="w")
    combinations(table.drop_columns(["w"]), user="none", allow=1, records=by_share, sampled=0.1)
    assert by_weight.read_text() == by_share.read_text()
    with pytest.raises(UsageError, match="leave sampled out, and add records"):
        combinations(table, user="none", allow=1, weight="w")
