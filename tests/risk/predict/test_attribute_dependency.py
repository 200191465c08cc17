"""How much columns say about each other: against the definitions summed cell by cell, and by laws."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from singleout.errors import InputError, UsageError
from singleout.risk.predict import frequent_tuples as frequent
from singleout.risk.predict.attribute_dependency import (
    Dependency,
    dependencies,
    open_records,
    spanning_tree,
    strongest_pairs,
)
from singleout.risk.predict.avfm import Avfm, PairTable
from singleout.risk.predict.frequent_tuples import (
    TupleTable,
    frequent_tuples,
    labelled_tuples,
    swapped_pair,
    translated_tuples,
)
from singleout.risk.predict.statistics_files import KnownTuple
from tests.by_hand.avfm_by_hand import cells_of, coded, pair_table, some_cells, tables, tuples_of

# Yang et al. 2020, Table 1
EXAMPLE = [
    ("20", "Male", "Yes"),
    ("25", "Male", "Yes"),
    ("25", "Female", "No"),
    ("25", "Female", "No"),
    ("35", "Male", "No"),
]


def by_names(found: Sequence[Dependency]) -> dict[tuple[str, str], Dependency]:
    return {(each.of, each.on): each for each in found}


def information_by_hand(avfm: Avfm, first: int, second: int, cell: Mapping[tuple[int, int], float]) -> float:
    """Equation (8): Σ p(a, b)·log2(p(a, b)/(p(a)·p(b)))."""
    n, one, other = avfm.records, avfm.frequencies[first].tolist(), avfm.frequencies[second].tolist()
    return sum(x / n * math.log2(x * n / (one[a] * other[b])) for (a, b), x in cell.items() if x)


@given(tables(2))
def test_information_and_gain_are_as_defined(rows: list[tuple[str, ...]]) -> None:
    table = coded(rows)
    by_hand = information_by_hand(table.avfm, 0, 1, cells_of(table.pairs[0]))
    first, second = dependencies(table.avfm, table.pairs)
    assert first.information == second.information == pytest.approx(by_hand, abs=1e-12)
    for found, entropy in ((first, table.avfm.entropies[0]), (second, table.avfm.entropies[1])):
        assert found.gain_ratio == pytest.approx(by_hand / entropy if entropy else 1, abs=1e-12)
        assert 0 <= found.gain_ratio <= 1
        entropies = table.avfm.entropies[0] + table.avfm.entropies[1] - table.pairs[0].joint_entropy
        assert found.information == pytest.approx(entropies, abs=1e-12)


@given(tables(3))
def test_round_a_triangle_the_gains_cancel(rows: list[tuple[str, ...]]) -> None:
    """g(A, B)/g(B, A) = H(B)/H(A), the check that Table 5 of Yang et al. 2020 passes (errata, end)."""
    table = coded(rows)
    g = {pair: each.gain_ratio for pair, each in by_names(dependencies(table.avfm, table.pairs)).items()}
    if all(table.avfm.entropies):
        one_way = g["c0", "c1"] * g["c1", "c2"] * g["c2", "c0"]
        assert one_way == pytest.approx(g["c1", "c0"] * g["c2", "c1"] * g["c0", "c2"], abs=1e-12)


def test_the_example_of_paper_4() -> None:
    """Smoking ⇒ male has confidence 1 (Definition 4); age says all about smoking but one record."""
    table = coded(EXAMPLE, ["age", "gender", "smoking"])
    assert [each.tolist() for each in table.avfm.frequencies] == [[3, 1, 1], [3, 2], [3, 2]]  # E-004.1
    found = by_names(dependencies(table.avfm, table.pairs))
    entropy = math.log2(5) - 0.6 * math.log2(3) - 0.4
    unexplained = 0.6 * (math.log2(3) - 2 / 3)
    assert found["smoking", "age"].gain_ratio == pytest.approx(1 - unexplained / entropy)
    assert found["gender", "age"].information == pytest.approx(entropy - unexplained)


def test_the_four_classes() -> None:
    """Complete, strong, weak and independent, each from a table that is so by construction."""
    rows = [(a, b) for a in "wxyz" for b in "01"] * 50
    table = coded([(a, b, "l" if a in "wx" else "r", "k") for a, b in rows], ["a", "b", "half", "constant"])
    found = by_names(dependencies(table.avfm, table.pairs))
    assert found["half", "a"].dependency == "complete"
    assert found["a", "half"].dependency == "strong"
    assert found["a", "half"].gain_ratio == pytest.approx(0.5)
    assert (found["a", "b"].dependency, found["a", "b"].gain_ratio) == ("independent", 0.0)
    assert (found["constant", "a"].dependency, found["constant", "a"].gain_ratio) == ("complete", 1.0)
    assert found["a", "constant"].dependency == "independent"
    weak = coded([("x", "0"), ("x", "0"), ("x", "1"), ("y", "1")])
    assert dependencies(weak.avfm, weak.pairs)[1].dependency == "weak"


def test_rounding_does_not_turn_nothing_into_a_dependency() -> None:
    """Three odd records among 3·10⁹: their entropy would drown in a difference of entropies."""
    odd, even = 3, 999_999_999
    table = Avfm(("rare", "third"), (numpy.array([3 * even, odd]), numpy.array([10**9] * 3)))
    codes, others = numpy.repeat([0, 1], 3), numpy.tile([0, 1, 2], 2)
    pair = PairTable(0, 1, codes, others, numpy.array([even, even, even, 1, 1, 1]))
    assert {each.dependency for each in dependencies(table, [pair])} == {"independent"}


@given(tables(2), st.data())
def test_a_pair_known_in_part_is_filled_independently(
    rows: list[tuple[str, ...]], data: st.DataObject
) -> None:
    table = coded(rows)
    kept = data.draw(
        st.lists(st.booleans(), min_size=len(table.pairs[0].counts), max_size=len(table.pairs[0].counts))
    )
    part = some_cells(table.pairs[0], kept)
    left = open_records(table.avfm, part)
    known = cells_of(part)
    filled = {
        (a, b): known.get((a, b), 0) + (r * s / left.records if left.records else 0)
        for a, r in enumerate(left.first.tolist())
        for b, s in enumerate(left.second.tolist())
    }
    found = dependencies(table.avfm, [part])[0].information
    assert found == pytest.approx(information_by_hand(table.avfm, 0, 1, filled), abs=1e-12)
    if not any(kept):
        assert found == pytest.approx(0, abs=1e-12)
    if all(kept):
        assert found == dependencies(table.avfm, table.pairs)[0].information


def test_pairs_that_count_more_than_there_is() -> None:
    table = coded(EXAMPLE)
    too_many = pair_table(0, 1, {(0, 0): 4})
    with pytest.raises(InputError, match="'c0' and 'c1' count a value of 'c0' more often than it occurs"):
        dependencies(table.avfm, [too_many])


@given(tables(4, most_rows=12))
def test_the_tree_has_the_most_information_of_all_trees(rows: list[tuple[str, ...]]) -> None:
    table = coded(rows)
    said = {
        (pair.first, pair.second): dependencies(table.avfm, [pair])[0].information for pair in table.pairs
    }
    trees = [chosen for chosen in combinations(said, 3) if len(reached_by(chosen)) == 4]
    edges = spanning_tree(table.avfm, table.pairs)
    best = max(sum(said[pair] for pair in chosen) for chosen in trees)
    assert sum(edge.information for edge in edges) == pytest.approx(best)
    chosen = strongest_pairs(table.avfm, dependencies(table.avfm, table.pairs))
    assert chosen == {(edge.table.first, edge.table.second) for edge in edges}
    seen = {edges[0].parent}
    for edge in edges:
        assert edge.parent in seen and edge.child not in seen
        assert {edge.parent, edge.child} == {edge.table.first, edge.table.second}
        seen.add(edge.child)
    assert len(table.avfm.frequencies[edges[0].parent]) == max(map(len, table.avfm.frequencies))


def reached_by(chosen: Sequence[tuple[int, int]]) -> set[int]:
    reached = {0}
    for _ in chosen:
        reached |= {place for pair in chosen if reached & set(pair) for place in pair}
    return reached


@given(tables(4, most_rows=12), st.permutations(range(6)))
def test_the_tree_does_not_depend_on_how_pairs_are_listed(
    rows: list[tuple[str, ...]], order: list[int]
) -> None:
    table = coded(rows)
    one, other = (
        [(edge.parent, edge.child) for edge in spanning_tree(table.avfm, pairs)]
        for pairs in (table.pairs, [swapped_pair(table.pairs[place]) for place in order])
    )
    assert one == other


def test_columns_without_a_pair_stand_alone() -> None:
    table = coded(EXAMPLE)
    assert spanning_tree(table.avfm, []) == ()
    assert spanning_tree(table.avfm, [pair_table(0, 1, {})]) == ()
    edges = spanning_tree(table.avfm, [table.pairs[2]])
    assert [(edge.parent, edge.child) for edge in edges] == [(1, 2)]


@given(tables(3, most_rows=25), st.sampled_from([0.0, 0.1, 0.3]))
def test_frequent_tuples_are_those_of_the_definition(rows: list[tuple[str, ...]], share: float) -> None:
    table = coded(rows)
    g = {pair: each.gain_ratio for pair, each in by_names(dependencies(table.avfm, table.pairs)).items()}
    expected = set()
    for first, second in permutations(range(3), 2):
        of, on = table.avfm.columns[first], table.avfm.columns[second]
        if g[of, on] < 0.5 - 1e-12 or len(table.avfm.frequencies[first]) == 1:
            continue
        for (a, b), count in Counter((row[first], row[second]) for row in rows).items():
            confidence = count / sum(row[second] == b for row in rows)
            if confidence > 0.9 or (confidence >= 0.5 and count > share * len(rows)):
                expected.add(KnownTuple(of, a, on, b, confidence, count))
    found = labelled_tuples(table.avfm, tuples_of(table, share))
    assert set(found) == expected and len(found) == len(expected)
    order = [
        (-g[each.column, each.on_column], each.column, each.on_column, -each.frequency) for each in found
    ]
    assert order == sorted(order)


def test_the_bounds_of_frequent() -> None:
    """Exactly 0.9 needs a frequency above the share; 0.5 is enough for one; the share itself is not above."""
    rows = [("a", "p")] * 9 + [("b", "p")] + [("c", "q")] * 5 + [("d", "q")] * 5 + [("e", "r")] * 10
    table = coded(rows, ["of", "on"])
    found = {share: labelled_tuples(table.avfm, tuples_of(table, share)) for share in (0.1, 5 / 30, 9 / 30)}
    on = {share: {each.value for each in found[share] if each.column == "of"} for share in found}
    assert on == {0.1: {"a", "c", "d", "e"}, 5 / 30: {"a", "e"}, 9 / 30: {"e"}}


def test_tuples_need_a_possible_share_and_to_be_listed_values() -> None:
    with pytest.raises(UsageError, match="take one from 0 to 1"):
        tuples_of(coded(EXAMPLE), 2)
    same = coded([("x", "p"), ("y", "q")])
    nameless = Avfm(same.avfm.columns, same.avfm.frequencies)
    found = frequent_tuples(nameless, same.pairs, dependencies(nameless, same.pairs))
    assert labelled_tuples(same.avfm, found) == labelled_tuples(same.avfm, tuples_of(same)) != ()
    with pytest.raises(InputError, match="known tuples need the values"):
        labelled_tuples(nameless, found)


def test_dependencies_are_taken_as_given() -> None:
    """Of more pairs than there are tables of, in any order; a weak one has no frequent tuples."""
    table = coded([("P", "K", "m"), ("P", "K", "f"), ("Q", "K", "m"), ("R", "L", "f")])
    said = dependencies(table.avfm, table.pairs)
    assert len(said) == 6
    found = frequent_tuples(table.avfm, table.pairs[:1], said[::-1])
    assert shown(found) == shown(frequent_tuples(table.avfm, table.pairs[:1], said[:2])) != []
    weak = [replace(each, dependency="weak") for each in said]
    assert frequent_tuples(table.avfm, table.pairs, weak) == ()


def shown(tables: Sequence[TupleTable]) -> list[tuple[int, int, list[tuple[int, int, float, int]]]]:
    return [
        (each.of, each.on, list(zip(*(column.tolist() for column in columns_of(each)), strict=True)))
        for each in tables
    ]


def columns_of(table: TupleTable) -> tuple[NDArray[Any], ...]:
    return table.values, table.on_values, table.confidence, table.frequency


@given(tables(3, most_rows=25))
def test_the_first_tuples_are_listed_without_the_others(rows: list[tuple[str, ...]]) -> None:
    table = coded(rows)
    found = tuples_of(table, 0)
    every = labelled_tuples(table.avfm, found)
    assert len(every) == sum(map(len, found)) and all(map(len, found))
    for most in range(len(every) + 2):
        assert labelled_tuples(table.avfm, found, most) == every[:most]


KNOWN = st.builds(
    KnownTuple,
    st.sampled_from(["c0", "c1", "hair"]),
    st.sampled_from(["a", "b", "c", None]),
    st.sampled_from(["c2", "eyes"]),
    st.sampled_from(["a", "b", None]),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.integers(0, 4),
)


@given(tables(3, most_rows=6), st.lists(KNOWN, max_size=12))
def test_knowledge_as_codes(rows: list[tuple[str, ...]], knowledge: list[KnownTuple]) -> None:
    """By hand: what is there, pair by pair in the order of their first tuple, by falling frequency."""
    avfm = coded(rows).avfm
    labels = dict(zip(avfm.columns, avfm.labels or (), strict=True))
    there = [
        each
        for each in knowledge
        if each.value in labels.get(each.column, ()) and each.on_value in labels.get(each.on_column, ())
    ]
    pairs = list(dict.fromkeys((each.column, each.on_column) for each in there))
    there.sort(key=lambda each: (pairs.index((each.column, each.on_column)), -each.frequency))
    found, ignored = frequent.coded_knowledge(avfm, knowledge)
    assert labelled_tuples(avfm, found) == tuple(there)
    assert [(avfm.columns[each.of], avfm.columns[each.on]) for each in found] == pairs
    assert ignored == len(knowledge) - len(there)


@given(tables(3, most_rows=12), tables(3, most_rows=12, values="bcd"), st.permutations(["c0", "c1", "c2"]))
def test_knowledge_of_another_table(
    rows: list[tuple[str, ...]], others: list[tuple[str, ...]], names: list[str]
) -> None:
    """As if its tuples were written down and read again; a column may be missing, the others turned."""
    avfm, other = coded(rows).avfm.only(["c1", "c0"]), coded(others, names)
    learned = tuples_of(other, 0)
    found, ignored = translated_tuples(avfm, other.avfm, learned)
    expected, lost = frequent.coded_knowledge(avfm, labelled_tuples(other.avfm, learned))
    assert (shown(found), ignored) == (shown(expected), lost)
    same, none = translated_tuples(other.avfm, other.avfm, learned)
    assert (shown(same), none) == (shown(learned), 0)


def test_knowledge_of_another_table_needs_values_on_both_sides() -> None:
    table = coded([("x", "p"), ("y", "q")])
    nameless = Avfm(table.avfm.columns, table.avfm.frequencies)
    for avfm, other in ((table.avfm, nameless), (nameless, table.avfm)):
        with pytest.raises(InputError, match="known tuples need the values"):
            translated_tuples(avfm, other, tuples_of(table))


def test_knowledge_that_can_not_be() -> None:
    avfm = coded([("x", "p"), ("y", "q")]).avfm
    for known, message in (
        (KnownTuple("c0", "x", "c0", "y", 1.0, 5), "column 'c0' can't depend on itself"),
        (KnownTuple("c0", "x", "c1", "p", 1.5, 5), "a confidence of 1.5 is impossible"),
    ):
        with pytest.raises(InputError, match=message):
            frequent.coded_knowledge(avfm, [known])
    with pytest.raises(InputError, match="known tuples need the values"):
        frequent.coded_knowledge(
            Avfm(avfm.columns, avfm.frequencies), [KnownTuple("c0", "x", "c1", "p", 1.0, 5)]
        )
