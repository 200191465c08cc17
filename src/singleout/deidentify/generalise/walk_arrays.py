"""The arrays that the compiled walk works on, made from a space, its goals and its loss."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy

from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.search_space import Space, Vector, sorted_rows
from singleout.deidentify.generalise.walk_types import (
    AVERAGE_SIZE,
    DISCERNIBILITY,
    GEOMETRIC,
    SUM,
    Aim,
    Best,
    Rows,
    Scratch,
    Walk,
)
from singleout.utility.information_loss import Loss, LossName, weights_of

KINDS: dict[LossName, int] = {
    "loss": GEOMETRIC,
    "non_uniform_entropy": SUM,
    "levels": SUM,
    "discernibility": DISCERNIBILITY,
    "average_class_size": AVERAGE_SIZE,
}
MOST_NUMBERED = 2**62


def rows_and_order(space: Space, goals: Goals, loss: Loss) -> tuple[Rows, Vector]:
    """The sorted rows with the levels, and the place in the data of each column of theirs."""
    distinct, costs = sorted_rows(space, counts_people_only(space, goals)), space.costs(loss)
    offsets = numpy.zeros((len(distinct.order), max(space.heights) + 1), dtype=numpy.int64)
    codes, paid, filled = [], [], 0
    for column, index in enumerate(distinct.order):
        for level in range(space.heights[index] + 1):
            offsets[column, level] = filled
            codes.append(space.levels[index].codes(level))
            paid.append(costs[index].at[level])
            filled += len(codes[-1])
    rows = Rows(
        raw=distinct.raw, alike=distinct.alike, records=distinct.records, persons=distinct.persons,
        sensitive=distinct.sensitive, level_codes=numpy.concatenate(codes), costs=numpy.concatenate(paid),
        offsets=offsets, heights=_integers(space.heights[index] for index in distinct.order),
    )  # fmt: skip
    return rows, distinct.order


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
    values = [each.count for each in space.sensitive]
    totals = numpy.zeros((len(values), max(values, default=0)), dtype=numpy.int64)
    for line, each in zip(totals, space.totals, strict=True):
        line[: len(each)] = each
    return Aim(
        total=space.records,
        k=goals.k,
        budget=goals.budget(space.records),
        people_only=counts_people_only(space, goals),
        diverse=goals.diverse or 0,
        distance=-1.0 if goals.close is None or not space.sensitive else float(goals.close),
        ordered=goals.closeness == "ordered",
        risk=-1.0 if goals.average_risk is None else float(goals.average_risk),
        kind=KINDS[loss.name],
        low=_integers(low),
        every=_padded_lines(
            [(at * records).sum() for at in each.at] for each, records in zip(costs, frequencies, strict=True)
        ),
        most=_padded_lines([at.max() for at in each.at] for each in costs),
        scale=numpy.array([1 / each.span if each.span else 0.0 for each in costs]),
        full=_integers(each.full for each in costs),
        rest=_integers(each - below for each, below in zip(sums, low, strict=True)),
        gain=_integers(each.full - int(most.max()) for each, most in zip(costs, least, strict=True)),
        weight=numpy.array([weights[index] for index in order]),
        later=numpy.full(len(order) + 1, 1.0 if KINDS[loss.name] == GEOMETRIC else 0.0),
        totals=totals,
        values=_integers(values),
        column_index=_integers(order),
        stride=_integers(_stride(space, index) for index in order),
    )


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
    others = max((each.count for each in beside), default=0)
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
