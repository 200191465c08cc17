"""Gathers the statistics that a prediction starts from: counted in a table, or read from files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from os import PathLike
from typing import Any, Unpack

import numpy

from singleout.engine.codes.parallel import map_parts
from singleout.engine.codes.tuple_codes import Code, Counts, Tuples
from singleout.engine.job_options import CountOptions
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import thread_count
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import NO_USER, CheckedQuestion, open_session
from singleout.errors import InputError, UsageError, name_hint
from singleout.progress import Progress, silent
from singleout.risk.equivalence_classes import average_risk, entropy
from singleout.risk.predict.attribute_dependency import (
    NOTHING,
    STRONG,
    Dependency,
    dependencies,
    strength,
    strongest_pairs,
)
from singleout.risk.predict.avfm import Avfm, PairTable
from singleout.risk.predict.avfm_files import read_avfm, read_pairs
from singleout.risk.predict.people_prediction import MOST_RECORDS, PeopleStatistics

MOST_COLUMNS = 250


@dataclass(frozen=True, eq=False)
class Statistics:
    """What is known of a table without its records.

    `pairs` are tables of two columns: all that a file has, or of a table those that predictions use. The ORR
    and the entropy of the rows are known where the table itself is there.
    """

    source: str
    avfm: Avfm
    pairs: tuple[PairTable, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    orr: float | None = None
    row_entropy: float | None = None
    engine: str | None = None
    missing: Missing | None = None
    remarks: tuple[str, ...] = ()
    groups: tuple[Dependency, ...] = ()
    people: PeopleStatistics | None = None


def statistics_of_files(
    avfm: str | PathLike[str], pairs: str | PathLike[str] | None, strong: float = STRONG
) -> Statistics:
    frequencies = read_avfm(avfm)
    tables = read_pairs(pairs, frequencies) if pairs is not None else ()
    return Statistics(str(avfm), frequencies, tables, dependencies(frequencies, tables, strong))


def statistics_of_table(
    data: Any,
    *,
    with_labels: bool = False,
    among: Sequence[str] | None = None,
    strong: float = STRONG,
    groups: Sequence[Sequence[str]] = (),
    in_people: bool = False,
    progress: Progress = silent,
    **counting: Unpack[CountOptions],
) -> Statistics:
    """All that `predict` needs of a table; `with_labels` also the values behind the codes.

    Of `among` only the columns count that the table has. `groups` are sets of columns whose dependencies are
    asked for; `in_people` also what a prediction in people needs, of a history.
    """
    threads = thread_count(counting.get("threads"))
    with open_session(data, **counting) as (counter, plan, origin):
        if among is not None:
            plan = replace(plan, columns=_shared_columns(counter, among))
        _check_width(counter, plan)
        progress("counting rows", 0, 1)
        question = _question(plan)
        sizes = counter.sizes(question)
        if not sizes.total_records:
            raise InputError(
                f"{counter.source_name}: no record has a value in every column; use the missing rule value"
            )
        coded = _coded_tuples(counter, question, with_labels)
        measured, pairs = _dependencies(coded, strong, threads, progress)
        return Statistics(
            source=origin.name,
            avfm=coded.avfm,
            pairs=pairs,
            dependencies=measured,
            orr=average_risk(sizes),
            row_entropy=entropy(sizes),
            engine=counter.name,
            missing=plan.missing,
            remarks=_remarks(counter, plan, sizes.total_records),
            groups=_group_dependencies(counter, plan, groups, strong),
            people=_people_statistics(counter, plan, coded.avfm.records, measured, threads, progress)
            if in_people
            else None,
        )


def _people_statistics(
    counter: Engine,
    plan: CheckedQuestion,
    records: int,
    measured: Sequence[Dependency],
    threads: int,
    progress: Progress,
) -> PeopleStatistics | None:
    """Of a history that is not too large to arrange; None of a table of one record a person.

    What was `measured` between the columns over so many records holds here too, if these are as many.
    """
    if plan.user is None or not plan.people < plan.records <= MOST_RECORDS:
        return None
    question = replace(_question(plan), columns=(*plan.columns, plan.user))
    coded = _coded_tuples(counter, question, with_labels=False)
    known = measured if coded.avfm.records == records else ()
    _, pairs = _dependencies(coded, STRONG, threads, progress, known)
    sizes = counter.sizes(plan.question(plan.columns))
    return PeopleStatistics(coded.avfm, pairs, average_risk(sizes.by_people()))


def _group_dependencies(
    counter: Engine, plan: CheckedQuestion, groups: Sequence[Sequence[str]], strong: float
) -> tuple[Dependency, ...]:
    """How much each group of columns says about each other group."""
    for group in groups:
        if unknown := [name for name in group if name not in plan.columns]:
            raise UsageError(
                f"group: {unknown[0]!r} is none of the columns; {name_hint(unknown[0], plan.columns)}"
            )
    bits: dict[frozenset[str], float] = {}

    def entropy_of_set(names: frozenset[str]) -> float:
        if names not in bits:
            columns = tuple(name for name in plan.columns if name in names)
            bits[names] = entropy(counter.sizes(replace(_question(plan), columns=columns)))
        return bits[names]

    found = []
    for one, other in permutations([frozenset(group) for group in groups], 2):
        if one & other:
            raise UsageError(f"group: {min(one & other)!r} is in two groups; name each column once")
        h_one, h_both = entropy_of_set(one), entropy_of_set(one | other)
        information = max(0.0, h_one + entropy_of_set(other) - h_both)
        left = h_both - entropy_of_set(other)
        complete = left <= NOTHING * max(1.0, h_one)
        ratio = 1.0 if complete else min(1.0, information / h_one)
        of, on = (" + ".join(name for name in plan.columns if name in each) for each in (one, other))
        found.append(Dependency(of, on, information, ratio, strength(ratio, complete, strong)))
    return tuple(found)


def _check_width(counter: Engine, plan: CheckedQuestion) -> None:
    """Every pair of columns is looked at, which is too much of a very wide table."""
    if (width := len(plan.columns)) > MOST_COLUMNS:
        raise UsageError(
            f"{counter.source_name}: {width} columns have {width * (width - 1) // 2:,} pairs, too many to "
            f"look at; name those that an attacker may know by --columns, {MOST_COLUMNS} at most"
        )


def _shared_columns(counter: Engine, among: Sequence[str]) -> tuple[str, ...]:
    names = {column.name for column in counter.columns()}
    shared = tuple(name for name in among if name in names)
    if len(shared) < 2:
        wanted = ", ".join(among)
        raise UsageError(
            f"{counter.source_name}: shares fewer than two columns with the statistics: {wanted}"
        )
    return shared


@dataclass(frozen=True, eq=False)
class _CodedTuples:
    """The table's tuples, its frequencies, and the code by falling frequency of each value's rank."""

    tuples: Tuples
    avfm: Avfm
    codes: tuple[Code, ...]

    def pair(self, first: int, second: int) -> PairTable:
        ones, others, records = self.tuples.pairs(first, second)
        one, other = self.codes[first][ones], self.codes[second][others]
        return PairTable(first, second, one.astype(numpy.int64), other.astype(numpy.int64), records)


def _question(plan: CheckedQuestion) -> Question:
    if plan.missing == "wildcard":
        raise UsageError(
            "a frequency counts one value of a record, and the missing rule wildcard gives it several; "
            "use value or drop"
        )
    return Question(plan.columns, missing=plan.missing)


def _coded_tuples(counter: Engine, question: Question, with_labels: bool) -> _CodedTuples:
    tuples = counter.tuples(question)
    frequencies = [tuples.frequencies(column) for column in range(len(question.columns))]
    orders = [numpy.argsort(-counts, kind="stable") for counts in frequencies]
    falling = tuple(counts[order] for counts, order in zip(frequencies, orders, strict=True))
    labels = _labels(counter, question, orders) if with_labels else None
    return _CodedTuples(tuples, Avfm(question.columns, falling, labels), tuple(map(_ranks, orders)))


def _labels(
    counter: Engine, question: Question, orders: Sequence[Counts]
) -> tuple[tuple[str | None, ...], ...]:
    values = [counter.values(name, question) for name in question.columns]
    return tuple(
        tuple(each[index] for index in order.tolist()) for each, order in zip(values, orders, strict=True)
    )


def _ranks(order: Counts) -> Code:
    """Where each went in a new order."""
    ranks = numpy.empty(len(order), dtype=numpy.uint32)
    ranks[order] = numpy.arange(len(order), dtype=numpy.uint32)
    return ranks


def _dependencies(
    coded: _CodedTuples, strong: float, threads: int, progress: Progress, known: Sequence[Dependency] = ()
) -> tuple[tuple[Dependency, ...], tuple[PairTable, ...]]:
    """Of all pairs of columns; a table stays only where the tree or a strong dependency needs it.

    All of them together may need more memory than the data, so those that stay are counted twice. Pairs of
    which the dependencies are `known` are not counted for them.
    """
    told = {(each.of, each.on): each for each in known}
    work = list(combinations(range(len(coded.avfm.columns)), 2))

    def compare(step: int, tell: Progress) -> tuple[Dependency, ...]:
        tell("comparing columns", step, len(work))
        names = tuple(coded.avfm.columns[index] for index in work[step])
        both = tuple(told[each] for each in (names, names[::-1]) if each in told)
        return both or dependencies(coded.avfm, [coded.pair(*work[step])], strong)

    of_pairs = map_parts(range(len(work)), compare, threads, progress)
    measured = [each for both in of_pairs for each in both]
    needed = {pair for pair, both in zip(work, of_pairs, strict=True) if any(each.strong for each in both)}
    needed |= strongest_pairs(coded.avfm, measured)
    return tuple(measured), tuple(coded.pair(*pair) for pair in sorted(needed))


def _remarks(counter: Engine, plan: CheckedQuestion, records: int) -> tuple[str, ...]:
    """What was guessed of the file, whom the ORR counts, and what the rule for missing values left out."""
    remarks = list(counter.remarks)
    if plan.user is None:
        remarks.append(NO_USER)
    else:
        remarks.append(f"the ORR counts records: a person of {plan.user!r} with several counts several times")
    if left_out := counter.look(plan.columns[0]).records - records:
        remarks.append(f"{left_out:,} records with a missing value are left out")
    return tuple(remarks)
