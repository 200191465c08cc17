"""Links people by how likely their released records are, given the original ones and how values changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.candidates import NOBODY, Candidates, Indices, Scores
from singleout.attacks.linkage.item_sets import tuples_as_items
from singleout.attacks.linkage.nearest_records import distinct_rows, run_in_rounds
from singleout.attacks.linkage.set_linkage import first_of_each
from singleout.attacks.record_linkage.candidate_records import CandidateRecords
from singleout.attacks.record_linkage.column_likelihood import AnyValue, ColumnLikelihood, LikelihoodTables
from singleout.engine.codes.histories import Histories, History, Value
from singleout.engine.codes.parallel import map_shares
from singleout.errors import UsageError
from singleout.progress import Progress

Flags = NDArray[numpy.bool_]
# (starts, record, copies): which different records each person has, and how often
HeldRecords = tuple[Indices, Indices, Indices]
SUPPRESSED = "*"
# the chance that a released record says nothing of its person
EPSILON = 0.01
# steps of a score, bayes_linkage_kernels.TERM_STEPS / SCORE_STEP
SCORE_STEPS = 2.0**22
UNKNOWN = -1.0


@dataclass(frozen=True, eq=False)
class BayesLinkage:
    """Released records against each person's; the arrays are those of bayes_linkage_kernels.

    `records` is how many each person of the original has, `alike` numbers people of the release whose records
    are equal, `looks` those whose records are equal in the columns that say something.
    """

    asked: tuple[Any, ...]
    space: tuple[Any, ...]
    models: tuple[Any, ...]
    held: HeldRecords
    records: Indices
    alike: Indices
    looks: Indices
    odds: float
    counted: bool
    threads: int

    @classmethod
    def of(
        cls,
        histories: Histories,
        models: Mapping[str, ColumnLikelihood],
        threads: int = 1,
        missing: Mapping[str, Flags] | None = None,
        epsilon: float = EPSILON,
        counted: bool = False,
    ) -> BayesLinkage:
        """Whose records are the likeliest origin of the released ones?

        The score of a person a of the release and b of the original is Σ log(1 + (1 − ε)/ε · m/p), over the
        released records r of a: m is the mean, over b's records o, of Π P(r | o) over the columns, p the mean
        over all records of the original, which is how common r is by chance. That is the logarithm of
        ε·p + (1 − ε)·m above that of ε·p: ε is the chance that a record is not b's at all, and who has
        nothing that r may come from gets 0 for r. What has no origin at all says nothing of anybody.

        `missing` has the codes of a column's missing cells, which fit anything in a release; without it these
        are None and "*". With `counted` nobody's records were added or left out: of all who may have some of
        the released records, those who have as many come first. Scores are rounded to 2^−22, so that equal
        ones are equal.

        >>> from numpy import array
        >>> from singleout.attacks.record_linkage.column_likelihood import EqualValues
        >>> table = History(2, array([0, 1], dtype="uint32"), {"job": array([0, 1], dtype="uint32")})
        >>> both = Histories(table, table, {"job": ("cook", "clerk")})
        >>> linkage = BayesLinkage.of(both, {"job": EqualValues()}, epsilon=0.5)
        >>> linkage.score(array([0, 0]), array([0, 1])).round(3).tolist()
        [1.099, 0.0]
        """
        if not 0 < epsilon < 1:
            raise UsageError(f"epsilon: {epsilon!r} is no chance; give a number above 0 and below 1")
        named = [name for name, model in models.items() if not isinstance(model, AnyValue)]
        if not named:
            raise UsageError("no column says anything: give one a model that is not AnyValue")
        values = [histories.values[name] for name in named]
        tables = LikelihoodTables.of([models[name] for name in named], [len(each) for each in values])
        original, release = histories.original, histories.release
        entries, owner, count = _person_records(original, _rows(tables, original, named))
        different, number = distinct_rows(_rows(tables, release, named))
        lacking = [
            (missing or {}).get(name, _missing_codes(given))
            for name, given in zip(named, values, strict=True)
        ]
        flags = _missing_cells(tables, different, lacking)
        candidates = CandidateRecords.of(tables, entries, different, flags)
        held = _held_records(release, number, len(different))
        looks = _equal_holders(held)
        return cls(
            _asked_arrays(candidates, different, flags, len(entries)),
            _space_arrays(candidates, entries, owner, count, original.records),
            (tables.kinds, tables.settings, tables.offsets, tables.tables, numpy.array(tables.sizes)),
            held, original.records_of_each(),
            looks if len(named) == len(models) else _alike_people(histories, list(models)),
            looks, (1 - epsilon) / epsilon, counted, threads,
        )  # fmt: skip

    def only(self, people: Indices) -> BayesLinkage:
        """Asked of some people of the release, numbered anew in this order."""
        return replace(
            self, held=_held_by(self.held, people), alike=_numbered(self.alike[people]),
            looks=_numbered(self.looks[people]),
        )  # fmt: skip

    def work(self) -> int:
        """How many pairs of records `best` looks at."""
        record = _held_by(self.held, first_of_each(self.looks))[1]
        return int((self.asked[4] - self.asked[3])[record].sum())

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.record_linkage import bayes_linkage_kernels as loops

        held = _held_by(self.held, first_of_each(self.looks))
        askers, most = len(held[0]) - 1, min(most, len(self.records))
        person = numpy.full((askers, most), NOBODY, dtype=numpy.int32)
        points = numpy.zeros((askers, most), dtype=numpy.int64)
        tied = numpy.zeros(askers, dtype=numpy.int64)

        def look(first: int, last: int) -> None:
            loops.likeliest_people(
                first, last, held, self.asked, self.space, self.models, self.records, self.odds,
                self.counted, person, points, tied,
            )  # fmt: skip

        if most:
            run_in_rounds(askers, look, self.threads, "weighing records", progress)
        return Candidates(person, points / SCORE_STEPS, tied).at(self.looks)

    def score(self, release: Indices, original: Indices) -> Scores:
        from singleout.attacks.record_linkage import bayes_linkage_kernels as loops

        points = numpy.empty(len(release), dtype=numpy.int64)

        def look(first: int, last: int) -> None:
            loops.scores_of_pairs(
                first, last, release, original, self.held, *self._own_entries, self.asked, self.space,
                self.models, self.records, self.odds, self.counted, points,
            )  # fmt: skip

        map_shares(len(release), look, self.threads, self.threads)
        scores: Scores = points / SCORE_STEPS
        return scores

    def indistinguishable(self) -> Indices:
        """By their records in all columns, also in those that say nothing here."""
        return self.alike

    @cached_property
    def _own_entries(self) -> tuple[Indices, Indices]:
        """Each person's entries in every order, and from where to where they stand in each."""
        owner, entries = self.space[1], self.space[5]
        own = [
            numpy.argsort(owner[start : start + entries], kind="stable") + start
            for start in range(0, len(owner), max(1, entries))
        ]
        sizes = numpy.bincount(owner[:entries], minlength=len(self.records))
        starts = numpy.concatenate(([0], numpy.cumsum(sizes))).astype(numpy.int64)
        return numpy.concatenate([numpy.zeros(0, dtype=numpy.int64), *own]), starts


def _rows(tables: LikelihoodTables, side: History, names: Sequence[str]) -> NDArray[numpy.int64]:
    return tables.codes([side.codes[name] for name in names])


def _missing_codes(values: Sequence[Value]) -> Flags:
    return numpy.array([value is None or value == SUPPRESSED for value in values], dtype=numpy.bool_)


def _missing_cells(tables: LikelihoodTables, rows: NDArray[numpy.int64], lacking: Sequence[Flags]) -> Flags:
    """Which cells of renumbered records are missing."""
    flags = numpy.zeros(rows.shape, dtype=numpy.bool_)
    for column, lacks in enumerate(lacking):
        renumbered = numpy.empty(len(lacks), dtype=numpy.bool_)
        renumbered[tables.ranks[column]] = lacks
        flags[:, column] = renumbered[rows[:, column]]
    return flags


def _person_records(
    side: History, rows: NDArray[numpy.int64]
) -> tuple[NDArray[numpy.int64], Indices, Indices]:
    """Each person's different records with their owner and how often they are there, ordered by values."""
    different, number = distinct_rows(rows)
    people = max(1, side.people)
    pairs, count = numpy.unique(number * people + side.person, return_counts=True)
    return different[pairs // people], pairs % people, count.astype(numpy.int64)


def _held_records(side: History, number: Indices, records: int) -> HeldRecords:
    records = max(1, records)
    pairs, copies = numpy.unique(side.person * numpy.int64(records) + number, return_counts=True)
    sizes = numpy.bincount(pairs // records, minlength=side.people)
    starts = numpy.concatenate(([0], numpy.cumsum(sizes))).astype(numpy.int64)
    return starts, pairs % records, copies.astype(numpy.int64)


def _held_by(held: HeldRecords, people: Indices) -> HeldRecords:
    """The records of some people, in their order."""
    starts, record, copies = held
    sizes = numpy.diff(starts)[people]
    begins = numpy.concatenate(([0], numpy.cumsum(sizes))).astype(numpy.int64)
    index = numpy.arange(begins[-1]) - numpy.repeat(begins[:-1] - starts[people], sizes)
    return begins, record[index], copies[index]


def _equal_holders(held: HeldRecords) -> Indices:
    """A number for each person, equal where the same records are held equally often; 0, 1, … as they come."""
    starts, record, copies = held
    whole, seen = numpy.stack([record, copies], axis=1), dict[bytes, int]()
    keys = (whole[begin:end].tobytes() for begin, end in pairwise(starts.tolist()))
    return numpy.array([seen.setdefault(key, len(seen)) for key in keys], dtype=numpy.int64)


def _alike_people(histories: Histories, names: Sequence[str]) -> Indices:
    return tuples_as_items(histories, names).release.indistinguishable(with_counts=True)


def _numbered(groups: Indices) -> Indices:
    """The same groups as 0, 1, … in the order of first appearance."""
    _, first, number = numpy.unique(groups, return_index=True, return_inverse=True)
    rank = numpy.argsort(numpy.argsort(first))
    return rank[number.reshape(-1)].astype(numpy.int64)


def _asked_arrays(
    candidates: CandidateRecords, rows: NDArray[numpy.int64], missing: Flags, entries: int
) -> tuple[Any, ...]:
    start = candidates.order_of * entries
    total = numpy.full(len(rows), UNKNOWN)
    bounds = start + candidates.first, start + candidates.last
    return rows.astype(numpy.int32), missing, candidates.order_of, *bounds, total


def _space_arrays(
    candidates: CandidateRecords,
    entries: NDArray[numpy.int64],
    owner: Indices,
    count: Indices,
    records: int,
) -> tuple[Any, ...]:
    """All orders of the entries, one after the other."""
    order = numpy.concatenate(
        [numpy.zeros(0, dtype=numpy.int64), *(each.order for each in candidates.orders)]
    )
    keys = numpy.zeros((len(candidates.orders), entries.shape[1]), dtype=numpy.bool_)
    for index, each in enumerate(candidates.orders):
        keys[index, list(each.keys)] = True
    codes = numpy.ascontiguousarray(entries.astype(numpy.int32).T[:, order])
    return (
        codes,
        owner[order].astype(numpy.int32),
        count[order].astype(numpy.int32),
        keys,
        records,
        len(entries),
    )
