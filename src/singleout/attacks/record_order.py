"""Whether the order of a release's records tells who is who: it stands as in the original, beyond what its
values explain."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.histories import Code, Histories, History, Indices

# chance alone does that once in a hundred thousand times
STANDARD_ERRORS, LEAST_CHANCE = 4.5, 1e-5
# less than that helps nobody
LEAST_CORRELATION = 0.05
# a column whose values lie together is one that is sorted by, unless nearly all of them are different
RECORDS_A_VALUE = 3
# of the release's records, those whose person has the value in the original
KEPT = 0.9
FOLLOWS = "the records of the release stand in an order that follows {} (rank correlation {:.2f})"
SAME_ROWS = "the records of the release stand in the order of the original: {} agrees in {:.0%} of the lines"
Ranks = NDArray[numpy.float64]
Flags = NDArray[numpy.bool_]
# a column of the original alone: the code of each record, and the values in their order
Unreleased = Mapping[str, tuple[Code, tuple[str | None, ...]]]


@dataclass(frozen=True)
class Clue:
    """What tells who is who beside the values: the order of the records, or how names were made."""

    kind: Literal["order", "names"]
    words: str


@dataclass(frozen=True)
class RankAgreement:
    """How two orders agree within runs: their rank correlation, and by how many standard errors it differs
    from none; `perfect` if they are the same or reverse, which chance does so rarely."""

    correlation: float
    errors: float
    perfect: float | None = None

    @property
    def is_beyond_chance(self) -> bool:
        if self.perfect is not None and self.perfect <= LEAST_CHANCE:
            return True
        return abs(self.errors) >= STANDARD_ERRORS and abs(self.correlation) >= LEAST_CORRELATION


def record_order_clue(both: Histories, truth: Indices, unreleased: Unreleased | None = None) -> str | None:
    """Both tables in the order of their files; `truth` is who each person of the release is, or −1.

    Records may also stand in the order of columns that the original has and the release has not.

    >>> person = numpy.arange(9, dtype=numpy.uint32)
    >>> table = History(9, person, {"town": person % 2})
    >>> record_order_clue(Histories(table, table, {"town": ("x", "y")}), numpy.arange(9))
    'the records of the release stand in an order that follows that of the original (rank correlation 1.00)'
    """
    runs = sorted_runs(both.release, both.values)
    if (truth >= 0).any() and (clue := _people_clue(both, truth, runs, unreleased or {})):
        return clue
    return _line_clue(both, truth, runs) if both.original.records == both.release.records else None


def sorted_runs(release: History, values: Mapping[str, tuple[str | None, ...]]) -> Indices:
    """Lines that are alike in all columns that the release is sorted by, as far as that can be seen.

    Within a run nothing that is released says which line comes first.

    >>> table = History(4, numpy.arange(4, dtype=numpy.uint32), {"day": numpy.array([0, 0, 1, 1])})
    >>> sorted_runs(table, {"day": ("9", "10")}).tolist()
    [0, 0, 1, 1]
    """
    runs = numpy.zeros(release.records, dtype=numpy.int64)
    left = {name: _ranks(values[name]) for name in release.codes}
    while found := [name for name, each in left.items() if _is_sorted(release.codes[name], each, runs)]:
        for name in found:
            del left[name]
            changes = numpy.diff(release.codes[name].astype(numpy.int64)) != 0
            runs = numpy.append(0, numpy.cumsum(changes | (numpy.diff(runs) != 0)))[: len(runs)]
    return runs


def is_sorted_by_values(release: History, values: Mapping[str, tuple[str | None, ...]]) -> bool:
    """Whether the lines rise or fall by all that is released, so that places tell nothing more than values.

    >>> codes = {"day": numpy.array([0, 0, 1]), "town": numpy.array([1, 0, 1])}
    >>> table = History(3, numpy.arange(3, dtype=numpy.uint32), codes)
    >>> is_sorted_by_values(table, {"day": ("1", "2"), "town": ("x", "y")})
    True
    """
    within = numpy.ones(max(0, release.records - 1), dtype=numpy.bool_)
    left = {name: _ranks(values[name]) for name in release.codes}
    while sorted_by := [
        name for name, each in left.items() if _is_monotone(release.codes[name], each, within)
    ]:
        for name in sorted_by:
            del left[name]
            within &= numpy.diff(release.codes[name].astype(numpy.int64)) == 0
    return not left


def _is_monotone(codes: NDArray[numpy.uint32], rankings: Sequence[Ranks], within: Flags) -> bool:
    """Whether the values rise or fall wherever a line is not told from the next by others."""
    steps = (numpy.diff(rank[codes])[within] for rank in rankings)
    return any((each >= 0).all() or (each <= 0).all() for each in steps)


def rank_agreement(runs: Indices, line: Indices | Ranks, other: Indices | Ranks) -> RankAgreement:
    """Spearman's, added up over the runs: only what comes before what within one counts; equal ones tie."""
    order = numpy.lexsort((line, runs))
    run, other = runs[order], other[order]
    starts = numpy.flatnonzero(numpy.append(True, numpy.diff(run) != 0)[: len(run)])
    sizes = numpy.diff(numpy.append(starts, len(run)))
    number = numpy.repeat(numpy.arange(len(sizes)), sizes)
    place = numpy.arange(len(run)) - starts[number] - (sizes[number] - 1) / 2
    rank = _tied_ranks(number, other, starts) - (sizes[number] - 1) / 2
    squares = [numpy.bincount(number, each**2) for each in (place, rank)]
    together, most = float((place * rank).sum()), float(numpy.sqrt(squares[0] * squares[1]).sum())
    if not most:
        return RankAgreement(0.0, 0.0)
    several = sizes > 1
    error = math.sqrt(float((squares[0] * squares[1])[several] @ (1 / (sizes[several] - 1))))
    same = abs(together) >= float(squares[0].sum()) * (1 - 1e-12)
    chance = 2 * math.exp(-sum(math.lgamma(size + 1) for size in sizes.tolist())) if same else None
    return RankAgreement(together / most, together / error, chance)


def _tied_ranks(run: Indices, other: Indices | Ranks, starts: Indices) -> Ranks:
    """The mean of their places for those that are equal within a run."""
    order = numpy.lexsort((other, run))
    changes = (numpy.diff(run[order]) != 0) | (numpy.diff(other[order]) != 0)
    tie = numpy.append(0, numpy.cumsum(changes))[: len(order)]
    place = numpy.arange(len(order)) - starts[run[order]]
    mean = numpy.bincount(tie, place) / numpy.maximum(numpy.bincount(tie), 1)
    ranks = numpy.empty(len(order))
    ranks[order] = mean[tie]
    return ranks


def _people_clue(both: Histories, truth: Indices, runs: Indices, unreleased: Unreleased) -> str | None:
    """Whether the release's lines follow where people, or their records, are in the original, or what they
    have there."""
    lines = _block_starts(both.release, runs)
    for old, new in _keys(both, truth):
        known = lines[new[lines] >= 0]
        for words, own in _own_places(both, old, unreleased):
            there = known[~numpy.isnan(own[new[known]])]
            agreement = rank_agreement(runs[there], there, own[new[there]])
            if agreement.is_beyond_chance:
                return FOLLOWS.format(words, agreement.correlation)
    return None


def _keys(both: Histories, truth: Indices) -> Iterator[tuple[Indices, Indices]]:
    """By what lines of both tables are paired, −1 for none: the person, then also values that were kept."""
    old, new = both.original.person.astype(numpy.int64), truth[both.release.person]
    new = numpy.where(new > old.max(), -1, new)  # somebody without a record
    yield old, new
    wider = False
    for name, codes in both.release.codes.items():
        count = len(both.values[name])
        keys = numpy.concatenate((old * count + both.original.codes[name], new * count + codes))
        _, number = numpy.unique(keys, return_inverse=True)
        first, second = number[: len(old)], numpy.where(new < 0, -1, number[len(old) :])
        occurs = numpy.append(numpy.bincount(first, minlength=int(number.max()) + 1) > 0, False)
        if occurs[second].mean() >= KEPT:
            old, new, wider = first, numpy.where(occurs[second], second, -1), True
    if wider:
        yield old, new


def _block_starts(release: History, runs: Indices) -> Indices:
    """The first of the lines of one person that lie together: files may be grouped by people."""
    changes = (numpy.diff(release.person.astype(numpy.int64)) != 0) | (numpy.diff(runs) != 0)
    return numpy.flatnonzero(numpy.append(True, changes)[: release.records])


def _own_places(both: Histories, key: Indices, unreleased: Unreleased) -> Iterator[tuple[str, Ranks]]:
    """A number for each key of the original: the first line, or the lowest or mean value of a column."""
    lines = numpy.arange(both.original.records, dtype=numpy.float64)
    yield "that of the original", _lowest(key, lines)
    shared = {name: (codes, both.values[name]) for name, codes in both.original.codes.items()}
    for name, (codes, values) in {**shared, **unreleased}.items():
        for ranks in _ranks(values):
            words = f"the order of {name} in the original"
            yield words, _lowest(key, ranks[codes])
            yield words, _mean(key, ranks[codes])


def totals_of_people(
    history: History, codes: Code, values: tuple[str | None, ...]
) -> Iterator[tuple[str, Ranks]]:
    """For each person, from all of their records: the lowest, highest and mean value of a column, and of
    numbers the sum; NaN for who has none."""
    person = history.person.astype(numpy.int64)
    if not len(person):
        return
    most = numpy.full(history.people, math.nan)
    for rank in (each[codes] for each in _ranks(values)):
        for words, own in (
            ("the lowest value", _lowest(person, rank)),
            ("the highest value", -_lowest(person, -rank)),
            ("the mean", _mean(person, rank)),
        ):
            yield words, numpy.append(own, most)[: history.people]
    try:
        numbers = numpy.array([math.nan if each is None else float(each) for each in values])
    except ValueError:
        return
    numbers[~numpy.isfinite(numbers)] = math.nan
    sums = numpy.bincount(person, numpy.nan_to_num(numbers)[codes], history.people)
    there = numpy.bincount(person, ~numpy.isnan(numbers)[codes], history.people) > 0
    yield "the sum", numpy.where(there, sums, math.nan)


def _lowest(key: Indices, rank: Ranks) -> Ranks:
    lowest = numpy.full(int(key.max()) + 1, math.inf)
    numpy.minimum.at(lowest, key, rank)
    return numpy.where(numpy.isinf(lowest), math.nan, lowest)


def _mean(key: Indices, rank: Ranks) -> Ranks:
    records = numpy.bincount(key)
    means: Ranks = numpy.where(records > 0, numpy.bincount(key, rank) / numpy.maximum(records, 1), math.nan)
    return means


def first_lines(history: History) -> Indices:
    """Where each person first appears; −1 for who has no record."""
    first = numpy.full(history.people, -1, dtype=numpy.int64)
    persons, lines = numpy.unique(history.person, return_index=True)
    first[persons] = lines
    return first


def _line_clue(both: Histories, truth: Indices, runs: Indices) -> str | None:
    """Whether people, or where nobody says who they are values, agree line by line more often than chance."""
    pairs: dict[str, tuple[Code | Indices, Code | Indices]]
    if (truth >= 0).any():
        pairs = {"the person": (both.original.person, truth[both.release.person])}
    else:
        pairs = {name: (both.original.codes[name], codes) for name, codes in both.release.codes.items()}
    for name, (first, second) in pairs.items():
        one, other = first.astype(numpy.int64), second.astype(numpy.int64)
        count = int(max(one.max(), other.max())) + 1
        known = other >= 0
        expected = _expected(_counts(runs * count + one), _counts((runs * count + other)[known]), count, runs)
        # lines that lie together agree together
        length = len(one) / max(1, int((numpy.diff(other) != 0).sum()))
        beyond = int((one == other).sum()) - expected
        least = max(LEAST_CORRELATION * len(one), STANDARD_ERRORS * math.sqrt((expected + 1) * length))
        if beyond > least:
            return SAME_ROWS.format(name, (beyond + expected) / len(one))
    return None


def _counts(keys: Indices) -> tuple[Indices, Indices]:
    found, often = numpy.unique(keys, return_counts=True)
    return found, often.astype(numpy.int64)


def _expected(
    one: tuple[Indices, Indices], other: tuple[Indices, Indices], count: int, runs: Indices
) -> float:
    """How many lines agree if each run of one table is shuffled."""
    sizes = numpy.bincount(runs)
    keys, first, second = numpy.intersect1d(one[0], other[0], assume_unique=True, return_indices=True)
    return float((one[1][first] * other[1][second] / sizes[keys // count]).sum())


def _is_sorted(codes: NDArray[numpy.uint32], rankings: Sequence[Ranks], runs: Indices) -> bool:
    """Whether the values rise, fall or lie together within every run."""
    if _is_monotone(codes, rankings, numpy.diff(runs) == 0):
        return True
    pairs = runs * (int(codes.max(initial=0)) + 1) + codes
    blocks = 1 + int((numpy.diff(pairs) != 0).sum())
    distinct = len(numpy.unique(pairs))
    return blocks == distinct and distinct * RECORDS_A_VALUE <= len(codes)


def _ranks(values: tuple[str | None, ...]) -> list[Ranks]:
    """In the order of texts, and of numbers where all are; what is missing comes last."""
    texts = numpy.arange(len(values), dtype=numpy.float64)
    try:
        numbers = [math.inf if each is None else float(each) for each in values]
    except ValueError:
        return [texts]
    return [texts, numpy.unique(numbers, return_inverse=True)[1].astype(numpy.float64)]
