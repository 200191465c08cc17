"""The arrays that the compiled walk works on, made from a space, its goals and its loss."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy

from singleout.deidentify.generalise.goals import Closeness, Goals
from singleout.deidentify.generalise.search_space import SortedRows, Space, Vector, sorted_rows
from singleout.deidentify.generalise.walk_types import (
    AVERAGE_SIZE,
    DISCERNIBILITY,
    EQUAL,
    GEOMETRIC,
    HIERARCHICAL,
    ORDERED,
    SUM,
    Aim,
    Best,
    Rows,
    Scratch,
    SpreadLimits,
    Walk,
)
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.utility.information_loss import Loss, LossName, weights_of

KINDS: dict[LossName, int] = {
    "loss": GEOMETRIC,
    "non_uniform_entropy": SUM,
    "levels": SUM,
    "discernibility": DISCERNIBILITY,
    "average_class_size": AVERAGE_SIZE,
}
CLOSENESS_KINDS: dict[Closeness, int] = {
    "equal": EQUAL,
    "ordered": ORDERED,
    "hierarchical": HIERARCHICAL,
}
MOST_NUMBERED = 2**62


def rows_and_order(space: Space, goals: Goals, loss: Loss) -> tuple[Rows, Vector]:
    """The sorted rows with the levels, and the place in the data of each column of theirs."""
    distinct, costs = sorted_rows(space, counts_people_only(space, goals)), space.costs(loss)
    offsets = numpy.zeros((len(distinct.order), max(space.heights) + 1), dtype=numpy.int64)
    whole = numpy.zeros(offsets.shape, dtype=numpy.bool_)
    codes, paid, filled = [], [], 0
    for column, index in enumerate(distinct.order):
        for level in range(space.heights[index] + 1):
            offsets[column, level] = filled
            codes.append(space.levels[index].codes(level))
            whole[column, level] = not codes[-1].any()
            paid.append(costs[index].at[level])
            filled += len(codes[-1])
    rows = Rows(
        raw=distinct.raw, alike=distinct.alike, records=distinct.records, persons=distinct.persons,
        sensitive=distinct.sensitive, pairs=_person_values(space, distinct),
        level_codes=numpy.concatenate(codes), costs=numpy.concatenate(paid),
        offsets=offsets, whole=whole, heights=_integers(space.heights[index] for index in distinct.order),
    )  # fmt: skip
    return rows, distinct.order


def _person_values(space: Space, distinct: SortedRows) -> Any:
    """Of each sensitive column, a number that rows share which have the same person and value."""
    if space.persons is None or not space.sensitive:
        return numpy.zeros((0, distinct.raw.shape[1]), dtype=numpy.uint32)
    persons = Codes(distinct.persons, space.persons.count)
    lines = zip(distinct.sensitive, space.sensitive, strict=True)
    return numpy.stack([join_codes([Codes(line, each.count), persons]).codes for line, each in lines])


def counts_people_only(space: Space, goals: Goals) -> bool:
    """Whether it is enough to know k people of each class."""
    return space.persons is not None and not space.sensitive and goals.average_risk is None


def aim_of(space: Space, goals: Goals, loss: Loss, order: Vector) -> Aim:
    every = space.costs(loss)
    costs, weights = [every[index] for index in order], weights_of(loss, space.columns, every)
    low = [each.low for each in costs]
    least = [each.least() for each in costs]
    frequencies = [space.frequencies[index] for index in order]
    sums = [int((each * records).sum()) for each, records in zip(least, frequencies, strict=True)]
    return Aim(
        total=space.records,
        k=goals.k,
        budget=goals.budget(space.records),
        people_only=counts_people_only(space, goals),
        monotone=not goals.budget(space.records)
        and replace(goals, suppress=0.0).is_monotone(space.persons is not None),
        diverse=goals.diverse or 0,
        spread=spread_of(space, goals),
        risk=-1.0 if goals.average_risk is None else float(goals.average_risk),
        kind=KINDS[loss.name],
        low=_integers(low),
        every=_padded_lines(
            [int((at * records).sum()) for at in each.at]
            for each, records in zip(costs, frequencies, strict=True)
        ),
        most=_padded_lines([int(at.max()) for at in each.at] for each in costs),
        scale=numpy.array([1 / each.span if each.span else 0.0 for each in costs]),
        full=_integers(each.full for each in costs),
        rest=_integers(each - below for each, below in zip(sums, low, strict=True)),
        gain=_integers(each.full - int(most.max()) for each, most in zip(costs, least, strict=True)),
        weight=numpy.array([weights[index] for index in order]),
        later=numpy.full(len(order) + 1, 1.0 if KINDS[loss.name] == GEOMETRIC else 0.0),
        column_index=_integers(order),
        stride=_integers(_stride(space, index) for index in order),
    )


def spread_of(space: Space, goals: Goals) -> SpreadLimits:
    tables = [each.table for each in space.guarded]
    trees = [each.levels for each in space.trees]
    values, deep = [len(each.totals) for each in tables], max(map(len, trees), default=0)
    widest = max(values, default=0)
    totals = numpy.zeros((len(values), widest), dtype=numpy.int64)
    nodes, node_totals = numpy.zeros((2, len(trees), deep, widest), dtype=numpy.int64)
    for line, table in zip(totals, tables, strict=True):
        line[: len(table.totals)] = table.totals
    for column, tree in enumerate(trees):
        for level, codes in enumerate(tree):
            nodes[column, level, : len(codes)] = codes
            node_totals[column, level] = numpy.bincount(codes, tables[column].totals, widest)
    several = space.persons is not None and goals.needs_several_values
    return SpreadLimits(
        asked=bool(space.sensitive) and (goals.of_spread or several),
        several=several,
        distance=_limit(goals.close),
        kind=CLOSENESS_KINDS[goals.closeness],
        entropy=_limit(goals.entropy_l),
        ratio=_limit(goals.recursive_c),
        least=goals.recursive_l,
        basic=_limit(goals.beta_basic),
        enhanced=_limit(goals.beta_enhanced),
        delta=_limit(goals.delta),
        present=_limit(goals.delta_of_present),
        alpha=_limit(goals.alpha),
        totals=totals,
        codes=_integers(values),
        values=_integers(numpy.count_nonzero(each.totals) for each in tables),
        whole=_integers(each.totals.sum() for each in tables),
        people=tables[0].people if tables else 0,
        nodes=nodes,
        node_totals=node_totals,
        depths=_integers(map(len, trees)),
    )


def _limit(wish: float | None) -> float:
    return -1.0 if wish is None else float(wish)


def new_walk(rows: Rows) -> Walk:
    """Room for every depth; pages of it that are never used are never taken."""
    columns, count = rows.raw.shape
    deep = columns + 1
    return Walk(
        rows=numpy.empty((deep, count), dtype=numpy.uint32),
        weights=numpy.empty((deep, count), dtype=numpy.uint32),
        starts=numpy.empty((deep, count), dtype=numpy.uint32),
        ends=numpy.empty((deep, count), dtype=numpy.uint32),
        classes=_zeros(deep),
        suppressed=_zeros(deep),
        sums=numpy.zeros((deep, columns), dtype=numpy.int64),
        floor=_zeros(deep),
        level=_zeros(columns),
        following=_zeros(deep),
        fixed=numpy.full(columns, -1, dtype=numpy.int64),
        prefix=_zeros(1),
        depth=_zeros(1),
        counted=_zeros(1),
        failed=_zeros(1),
        covered=numpy.zeros(1),
        share=numpy.ones(deep),
        squares=_zeros(1),
    )


def new_scratch(space: Space, rows: Rows) -> Scratch:
    codes = max(len(each.labels[0]) for each in space.levels)
    beside = [*space.sensitive, *([space.persons] if space.persons else [])]
    pairs = int(rows.pairs.max(initial=0)) + 1
    others = max([*(each.count for each in beside), pairs], default=0)
    return Scratch(
        code=numpy.empty(rows.raw.shape[1], dtype=numpy.uint32),
        touched=_zeros(codes),
        number=_zeros(codes),
        size=_zeros(codes),
        example=_zeros(codes),
        first=_zeros(codes),
        last=_zeros(codes),
        alive=numpy.zeros(codes, dtype=numpy.bool_),
        latest=numpy.zeros(codes, dtype=numpy.uint32),
        seen=_zeros(others),
        stamp=_zeros(1),
        amount=_zeros(others),
        values=_zeros(others),
        ranked=_zeros(others),
    )


def new_best(most: int, columns: int) -> Best:
    return Best(
        found=_zeros(1),
        loss=numpy.full(most, numpy.inf),
        discernibility=_zeros(most),
        suppressed=_zeros(most),
        classes=_zeros(most),
        levels=numpy.zeros((most, columns), dtype=numpy.int64),
    )


def copy_best(best: Best) -> Best:
    return Best(*(each.copy() for each in best))


def _padded_lines(numbers: Iterable[Sequence[int]]) -> Any:
    """A line for each column, a place for each level; columns of fewer levels end in zeros."""
    lines = [list(map(int, line)) for line in numbers]
    width = max(map(len, lines))
    return numpy.array([line + [0] * (width - len(line)) for line in lines], dtype=numpy.int64)


def _stride(space: Space, index: int) -> int:
    """What one level more adds to a vector's number; vectors too many to be numbered are not."""
    if space.nodes > MOST_NUMBERED:
        return 0
    stride = 1
    for height in space.heights[index + 1 :]:
        stride *= height + 1
    return stride


def _zeros(count: int) -> Any:
    return numpy.zeros(count, dtype=numpy.int64)


def _integers(numbers: Any) -> Any:
    return numpy.array(list(numbers), dtype=numpy.int64)
