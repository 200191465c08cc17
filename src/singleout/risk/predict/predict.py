"""Predicts the risk of re-identification from statistics: those of a table, or of a file that has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Unpack, get_args

from singleout.engine.job_options import CountOptions
from singleout.engine.open_engine import thread_count
from singleout.errors import UsageError, name_hint
from singleout.progress import Audience, Progress, silent, teller
from singleout.risk.predict.attribute_dependency import STRONG, spanning_tree
from singleout.risk.predict.avfm import Avfm
from singleout.risk.predict.closed_form import expected_orr
from singleout.risk.predict.entropy_rules import check_rules, entropies, sparse_warning
from singleout.risk.predict.frequent_tuples import (
    LIKELY,
    SHARE,
    SURE,
    TupleTable,
    coded_knowledge,
    frequent_tuples,
    labelled_tuples,
    translated_tuples,
)
from singleout.risk.predict.people_prediction import predict_people
from singleout.risk.predict.published_statistics import Targets
from singleout.risk.predict.random_shuffle import SampledOrr, ShufflePlan, random_sampling
from singleout.risk.predict.result import KeptPair, Method, MethodPrediction, Prediction, WhatIf
from singleout.risk.predict.semi_random import semi_random
from singleout.risk.predict.shuffle_layout import MOST_RECORDS
from singleout.risk.predict.statistics_files import KnownTuple, read_knowledge
from singleout.risk.predict.table_statistics import Statistics, statistics_of_files, statistics_of_table
from singleout.risk.predict.tree_permutation import tree_permutation
from singleout.risk.predict.what_if import GROWTH, closed_form_orr, what_if
from singleout.roles.study import EACH_RECORD

FilePath = str | PathLike[str]
METHODS: tuple[Method, ...] = get_args(Method)
BEST_FIRST: tuple[Method, ...] = ("tree", "semi_random", "closed_form", "random")
SAMPLES, MOST_CAPACITY = 10, 10
VALUES_A_SAMPLE = 3_000_000
MOST_VALUES = 200_000_000  # that are shuffled unasked
SHOWN_TUPLES = 10
OF_A_TABLE = ("user", "columns", "study", "engine", "memory", "csv")
NO_PAIRS = "needs to know which values go together; give pair tables by --pairs"
OR_ELSE: dict[Method, str] = {"tree": "or the table itself", "semi_random": "or knowledge by --knowledge"}


def predict(
    data: Any = None,
    *,
    avfm: FilePath | None = None,
    pairs: FilePath | None = None,
    knowledge: FilePath | None = None,
    knowledge_from: Any = None,
    methods: Sequence[Method] | None = None,
    samples: int = SAMPLES,
    capacity: int | None = None,
    strong: float = STRONG,
    sure: float = SURE,
    likely: float = LIKELY,
    frequent: float = SHARE,
    groups: Sequence[Sequence[str]] = (),
    drop: Sequence[Sequence[str]] = (),
    add: Sequence[str] = (),
    records: Sequence[int] = (),
    seed: int = 0,
    show_values: bool = False,
    write_avfm: FilePath | None = None,
    write_pairs: FilePath | None = None,
    write_knowledge: FilePath | None = None,
    progress: Audience = silent,
    **counting: Unpack[CountOptions],
) -> Prediction:
    """How risky is a table, judged by the statistics of its columns alone?

    Either `data` and what else `assess` takes, or `avfm`, a file with each column's value frequencies, and
    perhaps `pairs`, a file of pair tables. `knowledge` (a file) or `knowledge_from` (another table) tells the
    semi-random method which values go together. Its thresholds: columns whose gain ratio is `strong` or more,
    and in them values with a confidence above `sure`, or `likely` in more than a `frequent` share of the
    records. `groups` are sets of columns, to tell how much each says about each other. What if: `drop` lists
    sets of columns to leave out, `add` texts like "age=80" (so many equal values) or "sex=51,49" (two shares
    or more), `records` other numbers of records. The statistics can be written to files, their values as
    ranks unless `show_values`. The ORR is counted over records; of a history `people` has the risk counted in
    people too. Yang et al. 2020.

    >>> import pyarrow
    >>> predict(pyarrow.table({"age": [20, 20, 30, 40], "sex": ["f", "m", "f", "f"]})).predictions[0].orr
    0.875
    """
    targets = Targets(write_avfm, write_pairs, write_knowledge, show_values)
    targets.check((data, knowledge_from), (avfm, pairs, knowledge))
    plan = ShufflePlan(
        samples, MOST_CAPACITY if capacity is None else capacity, seed, thread_count(counting.get("threads"))
    )
    chosen = _methods(methods)
    from_file = _file_knowledge(knowledge, knowledge_from)
    labels = show_values or knowledge is not None or knowledge_from is not None
    progress = teller(progress)
    known = _statistics(data, avfm, pairs, (labels, strong, groups), progress, counting)
    changes = what_if(known.avfm, drop, add, records)
    limits = (frequent, sure, likely)
    own = frequent_tuples(known.avfm, known.pairs, known.dependencies, *limits)
    tuples, ignored = _known_tuples(
        known, own, from_file, knowledge_from, (strong, *limits), progress, counting
    )
    job = _Job(known, tuples, ignored, plan, capacity, progress)
    possible, remarks = _possible_methods(known.avfm, job.lacking, chosen)
    predictions = tuple(job.prediction_by(method) for method in possible)
    shown = known.avfm if show_values and known.avfm.labels else known.avfm.by_rank()
    targets.write(known, labelled_tuples(shown, own) if write_knowledge else ())
    measured = entropies(known.avfm, job.shuffled_entropy, known.row_entropy)
    return Prediction(
        source=known.source,
        engine=known.engine,
        missing=known.missing,
        seed=seed,
        records=known.avfm.records,
        columns=known.avfm.columns,
        values=tuple(map(len, known.avfm.frequencies)),
        predictions=predictions,
        recommended=next(method for method in BEST_FIRST if method in possible),
        orr=known.orr,
        entropies=measured,
        rules=check_rules(measured, known.orr),
        dependencies=known.dependencies,
        tree=tuple(_kept_pairs(known)),
        frequent=labelled_tuples(shown, own, SHOWN_TUPLES),
        frequent_total=sum(map(len, own)),
        what_if=changes,
        remarks=(*known.remarks, *remarks, *_warnings(known.avfm, changes)),
        groups=known.groups,
        people=predict_people(known.people, job.plan_at_size, progress)
        if known.people and possible[1:]
        else (),
        people_risk=known.people.risk if known.people else None,
    )


@dataclass(eq=False)
class _Job:
    """What is known and how much to shuffle; random sampling leaves the entropy of shuffled rows behind."""

    known: Statistics
    told: Sequence[TupleTable] | None
    ignored: int
    plan: ShufflePlan
    capacity: int | None
    progress: Progress
    shuffled_entropy: float | None = None

    @property
    def lacking(self) -> tuple[Method, ...]:
        """What can't be done with what is known."""
        semi: tuple[Method, ...] = ("semi_random",) if self.told is None else ()
        return semi if self.known.pairs else (*semi, "tree")

    def prediction_by(self, method: Method) -> MethodPrediction:
        self.progress(f"predicting by {method}", 0, 1)
        if method == "closed_form":
            orr, low, high, bound, deviation = closed_form_orr(self.known.avfm)
            return MethodPrediction(method, orr, low, high, bound, deviation, 0, self._error(orr))
        sampled = self._sampled_orr(method)
        if method == "random":
            self.shuffled_entropy = sampled.entropy
        half = (sampled.high - sampled.low) / 2
        about = (sampled.low, sampled.high, half, sampled.deviation, sampled.shuffles)
        return MethodPrediction(
            method, sampled.orr, *about, self._error(sampled.orr), sampled.notes, sampled.sample_means
        )

    @property
    def plan_at_size(self) -> ShufflePlan:
        """Fewer shuffles of a larger table, unless somebody asked for so many."""
        avfm = self.known.avfm
        by_default = max(1, min(MOST_CAPACITY, VALUES_A_SAMPLE // (avfm.records * len(avfm.columns))))
        capacity = by_default if self.capacity is None else self.capacity
        return replace(self.plan, capacity=max(capacity, 2 if self.plan.samples == 1 else 1))

    def _sampled_orr(self, method: Method) -> SampledOrr:
        avfm = self.known.avfm
        much: dict[str, Any] = {
            "samples": self.plan.samples,
            "capacity": self.plan_at_size.capacity,
            "seed": self.plan.seed,
            "threads": self.plan.threads,
            "progress": self.progress,
        }
        if method == "random":
            return random_sampling(avfm, **much)
        if method == "tree":
            return tree_permutation(avfm, self.known.pairs, **much)
        return semi_random(avfm, self.told or (), ignored=self.ignored, **much)

    def _error(self, orr: float) -> float | None:
        return None if self.known.orr is None else orr - self.known.orr


def _methods(methods: Sequence[Method] | None) -> tuple[Method, ...] | None:
    for method in methods or ():
        if method not in METHODS:
            raise UsageError(f"there is no method {method!r}; {name_hint(method, METHODS)}")
    if methods is not None and not methods:
        raise UsageError(f"name at least one method; there are {', '.join(METHODS)}")
    return None if methods is None else tuple(dict.fromkeys(methods))


def _file_knowledge(knowledge: FilePath | None, knowledge_from: Any) -> tuple[KnownTuple, ...] | None:
    if knowledge is not None and knowledge_from is not None:
        raise UsageError("knowledge comes either from a file or from another table; give one of them")
    return None if knowledge is None else read_knowledge(knowledge)


def _statistics(
    data: Any,
    avfm: FilePath | None,
    pairs: FilePath | None,
    asked: tuple[bool, float, Sequence[Sequence[str]]],
    progress: Progress,
    counting: CountOptions,
) -> Statistics:
    if (data is None) == (avfm is None):
        raise UsageError("give either the data or, by --avfm, a file with its statistics, not both or none")
    if avfm is None:
        if pairs is not None:
            raise UsageError("pair tables belong to a file of statistics; leave --pairs out, or give --avfm")
        labels, strong, groups = asked
        return statistics_of_table(
            data,
            with_labels=labels,
            strong=strong,
            groups=groups,
            in_people=True,
            progress=progress,
            **counting,
        )
    if asked[2]:
        raise UsageError(
            "how groups of columns depend on each other is counted in a table; leave --together out"
        )
    given = [name for name in OF_A_TABLE if counting.get(name) is not None]
    if given or counting.get("missing", "value") != "value":
        raise UsageError(f"{(given or ['missing'])[0]} is said of a table; with --avfm leave it out")
    return statistics_of_files(avfm, pairs, asked[1])


def _known_tuples(
    known: Statistics,
    own: Sequence[TupleTable],
    from_file: tuple[KnownTuple, ...] | None,
    other_table: Any,
    limits: tuple[float, float, float, float],
    progress: Progress,
    counting: CountOptions,
) -> tuple[Sequence[TupleTable] | None, int]:
    """What semi-random sampling is told, and how many tuples do not fit: by a file, by another table, or by
    the statistics' own pairs."""
    if from_file is not None:
        return coded_knowledge(known.avfm, from_file)
    if other_table is None:
        return own if known.pairs else None, 0
    same: CountOptions = {**counting, "columns": None, "user": None, "study": EACH_RECORD}
    other = statistics_of_table(
        other_table, with_labels=True, among=known.avfm.columns, strong=limits[0], progress=progress, **same
    )
    return translated_tuples(
        known.avfm, other.avfm, frequent_tuples(other.avfm, other.pairs, other.dependencies, *limits[1:])
    )


def _possible_methods(
    avfm: Avfm, lacking: Sequence[Method], asked: tuple[Method, ...] | None
) -> tuple[tuple[Method, ...], list[str]]:
    """The methods asked for, or all that is possible at this size, with a remark on what is left out."""
    for method in asked or ():
        if method in lacking:
            raise UsageError(f"{method} {NO_PAIRS}, {OR_ELSE[method]}")
    if asked is not None:
        return asked, []
    possible = tuple(method for method in METHODS if method not in lacking)
    if avfm.records * len(avfm.columns) <= MOST_VALUES and avfm.records <= MOST_RECORDS:
        return possible, []
    left_out = ", ".join(possible[1:])
    return possible[:1], [f"too large to shuffle unasked: name {left_out} by --methods to wait for them"]


def _kept_pairs(known: Statistics) -> list[KeptPair]:
    names = known.avfm.columns
    return [
        KeptPair(names[edge.parent], names[edge.child], edge.information)
        for edge in spanning_tree(known.avfm, known.pairs)
    ]


def _warnings(avfm: Avfm, changes: Sequence[WhatIf]) -> list[str]:
    sparse = sparse_warning(avfm, expected_orr(avfm).orr)
    growth = GROWTH if any(each.records > avfm.records for each in changes) else None
    return [warning for warning in (sparse, growth) if warning]
