"""The walk over vectors of levels: one column after the other, each from its coarsest level to its finest.

The partition by the first columns is shared by all vectors that begin alike, and left as soon as it
suppresses too many records or loses more than the best vectors known.
"""

from __future__ import annotations

import numpy

from singleout.deidentify.generalise.partition_kernels import HELD, TOO_FINE, floor_of, partition
from singleout.deidentify.generalise.walk_types import AVERAGE_SIZE, DIGITS, DISCERNIBILITY, ROUNDING, SUM
from singleout.engine.codes.loop_compiler import compile_inlined_loop, compile_inner_loop, compile_loop

DONE, MORE = 0, 1


@compile_loop
def start(rows, aim, walk):
    """One class of all rows."""
    count = rows.raw.shape[1]
    for row in range(count):
        walk.rows[0, row] = row
        walk.weights[0, row] = rows.records[row]
    walk.starts[0, 0] = 0
    walk.ends[0, 0] = count
    walk.classes[0] = 1
    walk.suppressed[0] = 0
    walk.floor[0] = floor_of(aim, walk, 0, 0, count)
    walk.depth[0] = 0
    walk.counted[0] = 0
    walk.failed[0] = 0
    walk.covered[0] = 0.0
    walk.share[0] = 1.0
    begin_column(rows, walk, 0)


@compile_inner_loop
def begin_column(rows, walk, column):
    fixed = walk.fixed[column]
    walk.following[column] = rows.heights[column] if fixed < 0 else fixed
    walk.share[column + 1] = walk.share[column] / (rows.heights[column] + 1 if fixed < 0 else 1)


@compile_inner_loop
def end_column(walk, column):
    """None of the finer levels: all vectors with them are decided."""
    if walk.fixed[column] < 0:
        walk.covered[0] += walk.share[column + 1] * (walk.following[column] + 1)
    walk.following[column] = -1


@compile_loop
def loss_of(aim, sums, columns, suppressed):
    """The loss by the sums of the columns; of those not split by yet, what they lose at least."""
    product, total, later_product, later_total = 1.0, 0.0, 1.0, 0.0
    for column in range(len(aim.low)):
        if column < columns:
            part = max(0.0, (sums[column] - aim.low[column]) * aim.scale[column]) * aim.weight[column]
            product *= 1.0 + part
            total += part
        else:
            above = aim.rest[column] + suppressed * aim.gain[column]
            part = max(0.0, above * aim.scale[column]) * aim.weight[column]
            later_product *= 1.0 + part
            later_total += part
    if aim.kind == SUM:
        return total + max(later_total, aim.later[columns])
    return (product * max(later_product, aim.later[columns])) ** (1.0 / len(aim.low)) - 1.0


@compile_inlined_loop
def bound_of(aim, walk, depth):
    """What every vector below the partition loses at least."""
    suppressed = walk.suppressed[depth]
    if aim.kind == DISCERNIBILITY:
        return float(walk.floor[depth] + suppressed * aim.total)
    if aim.kind == AVERAGE_SIZE:
        most = min(walk.floor[depth], (aim.total - suppressed) // aim.k)
        return aim.total / (most + 1)
    return loss_of(aim, walk.sums[depth], depth, suppressed)


@compile_inlined_loop
def bound_at(aim, walk, column, level):
    """The same for a level of the next column, before it is split by; its sum is put in place."""
    if aim.kind > SUM:
        return 0.0
    suppressed = walk.suppressed[column]
    left = suppressed * (aim.full[column] - aim.most[column, level])
    walk.sums[column, column] = aim.every[column, level] + left
    return loss_of(aim, walk.sums[column], column + 1, suppressed)


@compile_loop
def open_bound(aim, walk):
    """What the vectors lose at least that a walk has not come to."""
    least = numpy.inf
    for depth in range(walk.depth[0] + 1):
        if walk.following[depth] >= 0:
            least = min(least, bound_of(aim, walk, depth))
    return least


@compile_loop
def cutoff_of(best):
    """What loses more than this need not be counted."""
    most = len(best.loss)
    if best.found[0] < most:
        return numpy.inf
    return best.loss[most - 1] + ROUNDING * (1.0 + best.loss[most - 1])


@compile_inner_loop
def comes_before(best, index, loss, discernibility, levels):
    """Whether the vector comes before the one at that place."""
    if best.loss[index] != loss:
        return loss < best.loss[index]
    if best.discernibility[index] != discernibility:
        return discernibility < best.discernibility[index]
    for column in range(len(levels)):
        if levels[column] != best.levels[index, column]:
            return levels[column] < best.levels[index, column]
    return False


@compile_inner_loop
def is_same_vector(levels, others):
    for column in range(len(levels)):  # noqa: SIM110
        if levels[column] != others[column]:
            return False
    return True


@compile_loop
def remember(best, loss, discernibility, suppressed, classes, levels):
    """Put a vector in its place among the best, if it has one."""
    most, index = len(best.loss), best.found[0]
    while index > 0 and comes_before(best, index - 1, loss, discernibility, levels):
        index -= 1
    if index == most or (index > 0 and is_same_vector(best.levels[index - 1], levels)):
        return
    best.found[0] = min(most, best.found[0] + 1)
    for later in range(best.found[0] - 1, index, -1):
        best.loss[later] = best.loss[later - 1]
        best.discernibility[later] = best.discernibility[later - 1]
        best.suppressed[later] = best.suppressed[later - 1]
        best.classes[later] = best.classes[later - 1]
        for column in range(len(levels)):
            best.levels[later, column] = best.levels[later - 1, column]
    best.loss[index] = loss
    best.discernibility[index] = discernibility
    best.suppressed[index] = suppressed
    best.classes[index] = classes
    for column in range(len(levels)):
        best.levels[index, column] = levels[column]


@compile_inlined_loop
def loss_at_end(aim, walk):
    depth = len(aim.low)
    if aim.kind == DISCERNIBILITY:
        return float(walk.squares[0] + walk.suppressed[depth] * aim.total)
    if aim.kind == AVERAGE_SIZE:
        classes = walk.classes[depth] + (1 if walk.suppressed[depth] else 0)
        return aim.total / max(1, classes)
    # equal losses, worked out in another order of columns, may differ in the last digits and must tie
    return round(loss_of(aim, walk.sums[depth], depth, walk.suppressed[depth]), DIGITS)


@compile_inlined_loop
def keep_vector(aim, walk, best, flags):
    """A vector that reaches the goals: flagged, or put in its place among the best."""
    depth, number = len(aim.low), 0
    if walk.suppressed[depth] == aim.total:
        return  # a release of nothing reaches everything
    levels = numpy.empty(depth, dtype=numpy.int64)
    for column in range(depth):
        levels[aim.column_index[column]] = walk.level[column]
        number += walk.level[column] * aim.stride[column]
    if len(flags):
        flags[number] = 1
    else:
        loss, suppressed = loss_at_end(aim, walk), walk.suppressed[depth]
        discernibility = walk.squares[0] + suppressed * aim.total
        remember(best, loss, discernibility, suppressed, walk.classes[depth], levels)


@compile_inner_loop
def rows_of(walk, depth):
    total = 0
    for index in range(walk.classes[depth]):
        total += walk.ends[depth, index] - walk.starts[depth, index]
    return total


@compile_loop
def go(rows, aim, walk, best, flags, scratch, most_counted, most_work):  # noqa: C901
    """Go on until all is decided (DONE), or so many vectors were counted or rows looked at (MORE)."""
    last, work = len(rows.heights) - 1, 0
    while True:
        column = walk.depth[0]
        level = walk.following[column]
        if level < 0:
            if column == 0:
                return DONE
            walk.depth[0] -= 1
            continue
        if walk.counted[0] >= most_counted or work > most_work:
            return MORE
        walk.following[column] = -1 if walk.fixed[column] >= 0 else level - 1
        cutoff = numpy.inf if len(flags) else cutoff_of(best)
        if bound_at(aim, walk, column, level) > cutoff:
            walk.covered[0] += walk.share[column + 1]
            continue
        work += rows_of(walk, column)
        outcome = partition(rows, aim, walk, column, level, scratch)
        if column == last:
            walk.counted[0] += 1
            if outcome == HELD:
                keep_vector(aim, walk, best, flags)
        elif outcome == HELD and bound_of(aim, walk, column + 1) <= cutoff:
            walk.depth[0] = column + 1
            begin_column(rows, walk, column + 1)
            continue
        walk.covered[0] += walk.share[column + 1]
        if outcome == TOO_FINE and column < walk.prefix[0]:
            walk.failed[0] = 1
        if outcome == TOO_FINE or bound_of(aim, walk, column) > cutoff:
            end_column(walk, column)
