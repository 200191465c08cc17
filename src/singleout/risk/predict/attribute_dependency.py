"""How much one column says about another: gain ratio and the four classes of Yang et al. 2020."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy
from numpy.typing import NDArray

from singleout.errors import InputError
from singleout.measurement import Measure
from singleout.risk.predict.avfm import Avfm, Counts, PairTable
from singleout.risk.predict.shuffle_layout import longest_column

Strength = Literal["complete", "strong", "weak", "independent"]
Floats = NDArray[numpy.float64]
NOTHING = 1e-12
STRONG = 0.5

GAIN_RATIO = Measure(
    name="prediction.gain_ratio",
    title="gain ratio",
    question="How much of the uncertainty about one column goes once another is known?",
    formula="g(A, B) = I(A; B) / H(A), and 1 for a constant A",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Yang et al. 2020, Definition 3",
)


@dataclass(frozen=True)
class Dependency:
    """How much of the uncertainty about the column `of` is gone once the column `on` is known."""

    of: str
    on: str
    information: float
    gain_ratio: float
    dependency: Strength

    @property
    def strong(self) -> bool:
        """Complete or strong: worth knowing to Algorithm 2."""
        return self.dependency in ("complete", "strong")


@dataclass(frozen=True, eq=False)
class Edge:
    """A pair table worth keeping: the child column is arranged inside each value of the parent column."""

    parent: int
    child: int
    information: float
    table: PairTable


@dataclass(frozen=True, eq=False)
class OpenRecords:
    """What a pair table leaves open: records of each value of both columns that no known cell holds."""

    first: Counts
    second: Counts

    @property
    def records(self) -> int:
        return int(self.first.sum())


def open_records(avfm: Avfm, pair: PairTable) -> OpenRecords:
    """The records outside the known cells; an error where cells hold more than their column has."""
    left = []
    for column, codes in ((pair.first, pair.first_codes), (pair.second, pair.second_codes)):
        known = numpy.zeros_like(avfm.frequencies[column])
        numpy.add.at(known, codes, pair.counts)
        if (known > avfm.frequencies[column]).any():
            both = f"{avfm.columns[pair.first]!r} and {avfm.columns[pair.second]!r}"
            raise InputError(
                f"the pairs of {both} count a value of {avfm.columns[column]!r} more often than it occurs; "
                "each value's pairs must add up to at most its frequency"
            )
        left.append(avfm.frequencies[column] - known)
    return OpenRecords(*left)


def dependencies(avfm: Avfm, pairs: Iterable[PairTable], strong: float = STRONG) -> tuple[Dependency, ...]:
    """Which columns can be guessed from which others?

    g(A, B) = I(A; B) / H(A) for both orders of each pair, counted over records; 1 for a constant A. Complete
    (g = 1), strong (from 0.5 or `strong` on), weak or independent (g = 0). A missing value is one like any
    other. Where only some cells of a pair are known, the other records count as spread independently. Yang et
    al. 2020, Definitions 3 and 5, Table 2.

    >>> two = Avfm(("city", "county"), (numpy.array([2, 1, 1]), numpy.array([3, 1])))
    >>> pair = PairTable(0, 1, numpy.array([0, 1, 2]), numpy.array([0, 0, 1]), numpy.array([2, 1, 1]))
    >>> [(each.of, round(each.gain_ratio, 3), each.dependency) for each in dependencies(two, [pair])]
    [('city', 0.541, 'strong'), ('county', 1.0, 'complete')]
    """
    return tuple(found for pair in pairs for found in _both_orders(avfm, pair, strong))


def _both_orders(avfm: Avfm, pair: PairTable, strong: float) -> tuple[Dependency, Dependency]:
    left, information = open_records(avfm, pair).records, mutual_information(avfm, pair)

    def dependency(of: int, on: int, codes: Counts) -> Dependency:
        # each value that occurs has one cell exactly where the other column follows from it
        follows = None if left else int(numpy.bincount(codes[pair.counts > 0]).max(initial=0)) <= 1
        return _dependency(avfm, of, on, information, follows, strong)

    return (
        dependency(pair.first, pair.second, pair.second_codes),
        dependency(pair.second, pair.first, pair.first_codes),
    )


def _dependency(
    avfm: Avfm, of: int, on: int, information: float, follows: bool | None, strong: float
) -> Dependency:
    """Where not all cells are known, it follows as far as nothing stays unknown."""
    entropy = avfm.entropies[of]
    complete = entropy - information <= NOTHING * entropy if follows is None else follows
    ratio = 1.0 if complete else min(1.0, information / entropy)
    return Dependency(
        avfm.columns[of], avfm.columns[on], information, ratio, strength(ratio, complete, strong)
    )


def strength(ratio: float, complete: bool, strong: float = STRONG) -> Strength:
    """The class of a gain ratio (Definition 5, Table 2)."""
    if complete:
        return "complete"
    if ratio >= strong - NOTHING:
        return "strong"
    return "weak" if ratio > NOTHING else "independent"


def mutual_information(avfm: Avfm, pair: PairTable) -> float:
    """I(A; B), of open records as if they were spread independently.

    Summed cell by cell and not as a difference of entropies: independent columns give exactly 0.
    """
    left, counts = open_records(avfm, pair), pair.counts.astype(float)
    if left.records:
        return _filled_information(avfm, pair, left)
    first, second = _margins(avfm, pair)
    return max(0.0, _weighted_log_ratio(counts, counts * avfm.records, first * second) / avfm.records)


def _filled_information(avfm: Avfm, pair: PairTable, left: OpenRecords) -> float:
    """I(A; B) where the open records are spread independently: r_a·r_b/R more in each cell, known or not.

    Cells that are not known are never listed: Σ over all cells of the open shares is a sum over the margins,
    from which the shares of the known cells are taken out.
    """
    records, first_margin, second_margin = avfm.records, *_margins(avfm, pair)
    share = left.first[pair.first_codes].astype(float) * left.second[pair.second_codes] / left.records
    held = pair.counts + share
    everywhere = (
        _weighted_log_ratio(left.first, left.first, avfm.frequencies[pair.first])
        + _weighted_log_ratio(left.second, left.second, avfm.frequencies[pair.second])
        + left.records * math.log2(records / left.records)
    )
    known = _weighted_log_ratio(held, held * records, first_margin * second_margin)
    open_share = _weighted_log_ratio(share, share * records, first_margin * second_margin)
    return max(0.0, (known + everywhere - open_share) / records)


def _margins(avfm: Avfm, pair: PairTable) -> tuple[Floats, Floats]:
    """How often each cell's values occur, in the first and in the second column."""
    first = avfm.frequencies[pair.first][pair.first_codes].astype(float)
    return first, avfm.frequencies[pair.second][pair.second_codes].astype(float)


def _weighted_log_ratio(weights: Floats | Counts, above: Floats | Counts, below: Floats | Counts) -> float:
    """Σ weight·log2(above/below) where the weight is not zero."""
    there = weights > 0
    return math.fsum((weights[there] * numpy.log2(above[there] / below[there])).tolist())


def strongest_pairs(avfm: Avfm, measured: Iterable[Dependency]) -> set[tuple[int, int]]:
    """The pairs of columns that `spanning_tree` would choose, by their information alone; lower place first.

    >>> three = Avfm(tuple("abc"), (numpy.array([2, 2]),) * 3)
    >>> known = [("a", "b", 0.5), ("b", "c", 0.9), ("a", "c", 0.7)]
    >>> sorted(strongest_pairs(three, [Dependency(of, on, bits, bits, "strong") for of, on, bits in known]))
    [(0, 2), (1, 2)]
    """
    said = [(each.information, avfm.columns.index(each.of), avfm.columns.index(each.on)) for each in measured]
    pairs = sorted((-bits, min(one, other), max(one, other)) for bits, one, other in said)
    return {pairs[chosen][1:] for chosen in _forest_pairs(len(avfm.columns), [each[1:] for each in pairs])}


def _forest_pairs(columns: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Kruskal: which of the pairs, best first, join columns that were not joined before."""
    tree_of = list(range(columns))
    chosen = []
    for number, (one, other) in enumerate(pairs):
        if tree_of[one] != tree_of[other]:
            tree_of = [tree_of[one] if tree == tree_of[other] else tree for tree in tree_of]
            chosen.append(number)
    return chosen


def spanning_tree(avfm: Avfm, pairs: Sequence[PairTable]) -> tuple[Edge, ...]:
    """Which pairs say most without saying anything twice?

    The forest of pairs with the largest sum of I(A; B) (Kruskal; ties in the order of the columns), parents
    before children. The root of each tree is its column with the most values; a column without a pair stands
    alone. A pair without a single known cell says nothing and is left out. Chow and Liu 1968.

    >>> three = Avfm(("a", "b", "c"), (numpy.array([2, 2]), numpy.array([2, 2]), numpy.array([3, 1])))
    >>> same = PairTable(0, 1, numpy.array([0, 1]), numpy.array([0, 1]), numpy.array([2, 2]))
    >>> other = PairTable(1, 2, numpy.array([0, 1, 1]), numpy.array([0, 0, 1]), numpy.array([2, 1, 1]))
    >>> [(edge.parent, edge.child) for edge in spanning_tree(three, [other, same])]
    [(0, 1), (1, 2)]
    """
    said = [(mutual_information(avfm, pair), pair) for pair in pairs if len(pair.counts)]
    said.sort(key=lambda each: (-each[0], *_ordered_columns(each[1])))
    neighbours: dict[int, list[tuple[int, float, PairTable]]] = {
        column: [] for column in range(len(avfm.columns))
    }
    for chosen in _forest_pairs(len(avfm.columns), [_ordered_columns(pair) for _, pair in said]):
        information, pair = said[chosen]
        neighbours[pair.first].append((pair.second, information, pair))
        neighbours[pair.second].append((pair.first, information, pair))
    edges: list[Edge] = []
    alone = list(neighbours)
    while alone:
        members = {alone[0], *(edge.child for edge in _edges_from(alone[0], neighbours))}
        edges += _edges_from(longest_column(avfm, members), neighbours)
        alone = [column for column in alone if column not in members]
    return tuple(edges)


def _ordered_columns(pair: PairTable) -> tuple[int, int]:
    return min(pair.first, pair.second), max(pair.first, pair.second)


def _edges_from(root: int, neighbours: dict[int, list[tuple[int, float, PairTable]]]) -> list[Edge]:
    edges: list[Edge] = []
    reached, waiting = {root}, [root]
    while waiting:
        parent = waiting.pop(0)
        for child, information, pair in neighbours[parent]:
            if child not in reached:
                edges.append(Edge(parent, child, information, pair))
                reached.add(child)
                waiting.append(child)
    return edges
