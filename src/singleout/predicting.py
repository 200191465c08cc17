"""Predicts the risk of re-identification from statistics: those of a table, or of a file that has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Unpack, get_args

from singleout.engine.opening import thread_count
from singleout.errors import UsageError, nearest
from singleout.gathering import Statistics, statistics_of_files, statistics_of_table
from singleout.prediction import Kept, Method, Predicted, Prediction, WhatIf
from singleout.progress import Progress, silent
from singleout.publishing import Targets
from singleout.read.statistics import Known, read_known
from singleout.risk.avfm import Avfm
from singleout.risk.closed_form import expected_orr
from singleout.risk.dependency import spanning_tree
from singleout.risk.frequent import frequent_tuples
from singleout.risk.rules import check_rules, entropies, sparse_warning
from singleout.risk.semi_random import semi_random
from singleout.risk.shuffling import Sampled, random_sampling
from singleout.risk.tree import tree_permutation
from singleout.risk.what_if import added, scaled, without
from singleout.session import Counting

Place = str | PathLike[str]
METHODS: tuple[Method, ...] = get_args(Method)
SAMPLES, MOST_CAPACITY = 10, 10
VALUES_A_SAMPLE = 3_000_000
SHOWN_TUPLES = 10
NO_PAIRS = "needs to know which values go together; give pair tables by --pairs, or the table itself"


def predict(
    data: Any = None,
    *,
    avfm: Place | None = None,
    pairs: Place | None = None,
    knowledge: Place | None = None,
    knowledge_from: Any = None,
    methods: Sequence[Method] | None = None,
    samples: int = SAMPLES,
    capacity: int | None = None,
    drop: Sequence[Sequence[str]] = (),
    add: Sequence[str] = (),
    records: Sequence[int] = (),
    seed: int = 0,
    show_values: bool = False,
    write_avfm: Place | None = None,
    write_pairs: Place | None = None,
    write_knowledge: Place | None = None,
    progress: Progress = silent,
    **counting: Unpack[Counting],
) -> Prediction:
    """How risky is a table, judged by the statistics of its columns alone?

    Either `data` and what else `assess` takes, or `avfm`, a file with each column's value frequencies, and
    perhaps `pairs`, a file of pair tables. `knowledge` (a file) or `knowledge_from` (another table) tells the
    semi-random method which values go together. `drop`, `add` and `records` ask what would be if columns
    were left out, one more were collected, or there were more or fewer records. The statistics can be written
    to files, their values as ranks unless `show_values`. The ORR is counted over records. Paper 4.

    >>> import pyarrow
    >>> predict(pyarrow.table({"age": [20, 20, 30, 40], "sex": ["f", "m", "f", "f"]})).predictions[0].orr
    0.875
    """
    targets = Targets(write_avfm, write_pairs, write_knowledge, show_values)
    targets.check((data, knowledge_from), (avfm, pairs, knowledge))
    labels = show_values or knowledge is not None or knowledge_from is not None
    known = _statistics(data, avfm, pairs, labels, progress, counting)
    frequent = frequent_tuples(known.avfm if show_values else known.avfm.ranked(), known.pairs)
    told = _told(known, knowledge, knowledge_from, counting)
    job = _Job(known, told, samples, capacity, seed, thread_count(counting.get("threads")), progress)
    possible = _possible(job, methods)
    changes = _what_if(known.avfm, drop, add, records)
    found = tuple(job.predicted(method) for method in possible)
    targets.write(known, frequent)
    measured = entropies(known.avfm, job.shuffled_entropy, known.row_entropy)
    return Prediction(
        source=known.source,
        engine=known.engine,
        missing=known.missing,
        seed=seed,
        records=known.avfm.records,
        columns=known.avfm.columns,
        values=tuple(map(len, known.avfm.frequencies)),
        predictions=found,
        recommended="tree" if "tree" in possible else possible[0],
        orr=known.orr,
        entropies=measured,
        rules=check_rules(measured, known.orr),
        dependencies=known.dependencies,
        tree=tuple(_kept(known)),
        frequent=frequent[:SHOWN_TUPLES],
        frequent_total=len(frequent),
        what_if=changes,
        remarks=(*known.remarks, *_warnings(known.avfm)),
    )


@dataclass(eq=False)
class _Job:
    """What is known and how much to shuffle; each method's answer is kept."""

    known: Statistics
    told: tuple[Known, ...] | None
    samples: int
    capacity: int | None
    seed: int
    threads: int
    progress: Progress
    shuffled_entropy: float | None = None

    def predicted(self, method: Method) -> Predicted:
        self.progress(f"predicting by {method}", 0, 1)
        if method == "closed_form":
            return self._by_formula()
        sampled = self._sampled(method)
        if method == "random":
            self.shuffled_entropy = sampled.entropy
        interval = (sampled.low, sampled.high, sampled.deviation, sampled.shuffles)
        return Predicted(method, sampled.orr, *interval, self._error(sampled.orr), sampled.notes)

    def _by_formula(self) -> Predicted:
        expected = expected_orr(self.known.avfm)
        low, high = max(0.0, expected.orr - expected.bound), min(1.0, expected.orr + expected.bound)
        spread = (low, high, expected.deviation, 0)
        return Predicted("closed_form", expected.orr, *spread, self._error(expected.orr))

    def _sampled(self, method: Method) -> Sampled:
        avfm = self.known.avfm
        by_default = max(1, min(MOST_CAPACITY, VALUES_A_SAMPLE // (avfm.records * len(avfm.columns))))
        plan: dict[str, Any] = {
            "samples": self.samples,
            "capacity": by_default if self.capacity is None else self.capacity,
            "seed": self.seed,
            "threads": self.threads,
            "progress": self.progress,
        }
        if method == "random":
            return random_sampling(avfm, **plan)
        if method == "tree":
            return tree_permutation(avfm, self.known.pairs, **plan)
        return semi_random(avfm if avfm.labels else avfm.ranked(), self.told or (), **plan)

    def _error(self, orr: float) -> float | None:
        return None if self.known.orr is None else orr - self.known.orr


def _statistics(
    data: Any, avfm: Place | None, pairs: Place | None, labels: bool, progress: Progress, counting: Counting
) -> Statistics:
    if (data is None) == (avfm is None):
        raise UsageError("give either the data or, by --avfm, a file with its statistics, not both or none")
    if avfm is None:
        if pairs is not None:
            raise UsageError("pair tables belong to a file of statistics; leave --pairs out, or give --avfm")
        return statistics_of_table(data, with_labels=labels, progress=progress, **counting)
    if counting.get("columns") is not None:
        raise UsageError("the statistics' columns are those of their file; leave columns out by --drop")
    return statistics_of_files(avfm, pairs)


def _told(
    known: Statistics, knowledge: Place | None, knowledge_from: Any, counting: Counting
) -> tuple[Known, ...] | None:
    """What semi-random sampling is told: by a file, by another table, or by the statistics' own pairs."""
    if knowledge is not None and knowledge_from is not None:
        raise UsageError("knowledge comes either from a file or from another table; give one of them")
    if knowledge is not None:
        return read_known(knowledge)
    if knowledge_from is not None:
        same: Counting = {"columns": known.avfm.columns, "missing": counting.get("missing", "value")}
        other = statistics_of_table(knowledge_from, with_labels=True, **same)
        return frequent_tuples(other.avfm, other.pairs)
    own = known.avfm if known.avfm.labels else known.avfm.ranked()
    return frequent_tuples(own, known.pairs) if known.pairs else None


def _possible(job: _Job, methods: Sequence[Method] | None) -> tuple[Method, ...]:
    """The methods asked for, or all that what is known allows."""
    if methods is not None and not methods:
        raise UsageError(f"name at least one method; there are {', '.join(METHODS)}")
    for method in methods or ():
        if method not in METHODS:
            raise UsageError(f"there is no method {method!r}; {nearest(method, METHODS)}")
    lacking = {"tree"} if not job.known.pairs else set()
    lacking |= {"semi_random"} if job.told is None else set()
    for method in methods or ():
        if method in lacking:
            raise UsageError(f"{method} {NO_PAIRS}")
    return tuple(dict.fromkeys(methods or (each for each in METHODS if each not in lacking)))


def _what_if(
    avfm: Avfm, drop: Sequence[Sequence[str]], add: Sequence[str], records: Sequence[int]
) -> tuple[WhatIf, ...]:
    """Each change by itself, and all together where there are several kinds."""
    found = [
        *((f"without {', '.join(names)}", without(avfm, names)) for names in drop),
        *((f"with {text}", added(avfm, text)) for text in add),
        *((f"with {number:,} records", scaled(avfm, number)) for number in records),
    ]
    if sum(map(bool, (drop, add, records))) > 1:
        whole = without(avfm, [name for names in drop for name in names]) if drop else avfm
        for text in add:
            whole = added(whole, text)
        found += [("all of these", scaled(whole, number)) for number in records or (avfm.records,)]
    return tuple(_changed(change, after) for change, after in found)


def _changed(change: str, after: Avfm) -> WhatIf:
    expected = expected_orr(after)
    low, high = max(0.0, expected.orr - expected.bound), min(1.0, expected.orr + expected.bound)
    return WhatIf(change, after.records, after.columns, expected.orr, low, high)


def _kept(known: Statistics) -> list[Kept]:
    names = known.avfm.columns
    return [
        Kept(names[edge.parent], names[edge.child], edge.information)
        for edge in spanning_tree(known.avfm, known.pairs)
    ]


def _warnings(avfm: Avfm) -> list[str]:
    warning = sparse_warning(avfm, expected_orr(avfm).orr)
    return [warning] if warning else []
