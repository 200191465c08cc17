"""Rows that change their class while that loses less (simulated annealing): compiled, the same anywhere.

A row stands for all records with the same values. Only classes of few rows take part: the others lose little.
Values are numbered so that those alike at any level follow each other: what a class loses in a column then
depends on its lowest and highest value alone, and what it would lose without a row on the second of each.

The arrays are: `raw`, the values of each row; `near`, its neighbours; `rows`, its class, its place there and
its records; `members`, the rows of each class; `sizes`, how many these are and their records; `bounds`, the
lowest and highest two values in each column; `unit`, what a record loses; `gain`, what is lost less, a record
of the row, if the row were not in its class; `side`, on which of the sides a row is that do not know each
other, so that several threads can work at once. `shape` and `table` tell what a range of values loses.
"""

from __future__ import annotations

import math

import numpy

from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop
from singleout.engine.codes.random_kernels import STEP, mix_state

FAR = 1e300
MOST_ROWS = 40
NOBODY, NOT_POSSIBLE = -1, -2
LOW, NEXT_LOW, HIGH, NEXT_HIGH = range(4)
NO_VALUE = 1 << 30
CLASS, PLACE, WEIGHT = range(3)
COUNT, RECORDS = range(2)
START, HEIGHT, WIDTH = range(3)
# of the moves that need a row in return, so many get it from a third class
CHAINS = 0.5
# of all moves, so many dissolve a class, and those up to here found one; classes of more rows never dissolve
DISSOLVED, FOUNDED, MOST_DISSOLVED = 0.02, 0.05, 8
DRAWN_BITS, UNIT = numpy.uint64(11), 2.0**-53


@compile_inner_loop
def draw(state):
    """A number from 0 to below 1."""
    state[0] += STEP
    return numpy.float64(mix_state(state[0]) >> DRAWN_BITS) * UNIT


@compile_inner_loop
def price(column, low, high, shape, table):
    """What a record loses at the finest level that has both values in one group, FAR if none has.

    Of columns of few values the table has every pair. Of each value of the others it has, level by level, the
    last value of its group and what is lost there.
    """
    if shape[column, WIDTH] > 0:
        return table[shape[column, START] + shape[column, WIDTH] * low + high]
    place = shape[column, START] + 2 * shape[column, HEIGHT] * low
    for _ in range(shape[column, HEIGHT]):
        if high <= table[place]:
            return table[place + 1]
        place += 2
    return FAR


@compile_inner_loop
def unit_cost(number, gone, more, most, raw, bounds, shape, table):
    """What a record of a class loses, without one row and with another (NOBODY: none); FAR above `most`."""
    cost = 0.0
    for column in range(raw.shape[1]):
        low, high = bounds[number, column, LOW], bounds[number, column, HIGH]
        if gone >= 0:
            value = raw[gone, column]
            if value == low:
                low = bounds[number, column, NEXT_LOW]
            if value == high:
                high = bounds[number, column, NEXT_HIGH]
        if more >= 0:
            value = raw[more, column]
            low, high = min(low, value), max(high, value)
        if low > high:
            return 0.0
        cost += price(column, low, high, shape, table)
        if cost > most:
            return FAR
    return cost


@compile_inner_loop
def fit(number, raw, members, sizes, bounds, unit, shape, table):
    """Look at all rows of a class again."""
    for column in range(raw.shape[1]):
        low, next_low, high, next_high = NO_VALUE, NO_VALUE, -1, -1
        for index in range(sizes[number, COUNT]):
            value = raw[members[number, index], column]
            if value < low:
                low, next_low = value, low
            elif value < next_low:
                next_low = value
            if value > high:
                high, next_high = value, high
            elif value > next_high:
                next_high = value
        bounds[number, column, LOW], bounds[number, column, NEXT_LOW] = low, next_low
        bounds[number, column, HIGH], bounds[number, column, NEXT_HIGH] = high, next_high
    unit[number] = unit_cost(number, NOBODY, NOBODY, FAR, raw, bounds, shape, table)


@compile_inner_loop
def rate_rows(number, raw, rows, members, sizes, bounds, unit, gain, shape, table):
    """What each row of a class adds to what the class loses."""
    lost = sizes[number, RECORDS] * unit[number]
    for index in range(sizes[number, COUNT]):
        row = members[number, index]
        weight = rows[row, WEIGHT]
        without = unit_cost(number, row, NOBODY, FAR, raw, bounds, shape, table)
        gain[row] = (lost - (sizes[number, RECORDS] - weight) * without) / weight


@compile_inner_loop
def is_few(number, sizes):
    """Whether it is a class, and one of few rows."""
    return number >= 0 and sizes[number, COUNT] <= MOST_ROWS


@compile_inner_loop
def has_room(number, sizes):
    return number >= 0 and sizes[number, COUNT] < MOST_ROWS


@compile_inner_loop
def can_do_without(row, rows, sizes, k):
    own = rows[row, CLASS]
    return is_few(own, sizes) and sizes[own, COUNT] > 1 and sizes[own, RECORDS] - rows[row, WEIGHT] >= k


@compile_inner_loop
def drawn_row(those, gain, state):
    """Of three random rows the one that adds most to what its class loses."""
    row = those[int(draw(state) * len(those))]
    for _ in range(2):
        other = those[int(draw(state) * len(those))]
        if gain[other] > gain[row]:
            row = other
    return row


@compile_inner_loop
def drawn_neighbour(row, near, state):
    """A near one more often than a far one; where few are known, the nearest for all that are not."""
    other = near[row, int(near.shape[1] * draw(state) ** 2)]
    return other if other >= 0 else near[row, 0]


@compile_inner_loop
def take_out(row, rows, members, sizes):
    own, place = rows[row, CLASS], rows[row, PLACE]
    sizes[own, COUNT] -= 1
    sizes[own, RECORDS] -= rows[row, WEIGHT]
    last = members[own, sizes[own, COUNT]]
    members[own, place], rows[last, PLACE] = last, place


@compile_inner_loop
def put_in(row, number, rows, members, sizes):
    members[number, sizes[number, COUNT]], rows[row, PLACE] = row, sizes[number, COUNT]
    rows[row, CLASS] = number
    sizes[number, COUNT] += 1
    sizes[number, RECORDS] += rows[row, WEIGHT]


@compile_inner_loop
def shift(row, number, raw, rows, members, sizes, bounds, unit, shape, table):
    """The row goes to a class; gives what the two classes lose more."""
    own = rows[row, CLASS]
    before = sizes[own, RECORDS] * unit[own] + sizes[number, RECORDS] * unit[number]
    take_out(row, rows, members, sizes)
    put_in(row, number, rows, members, sizes)
    fit(own, raw, members, sizes, bounds, unit, shape, table)
    fit(number, raw, members, sizes, bounds, unit, shape, table)
    return sizes[own, RECORDS] * unit[own] + sizes[number, RECORDS] * unit[number] - before


@compile_inner_loop
def row_of_other(row, other, rows, members, sizes, k, state):
    """One that comes back from the class to which the row goes."""
    own, its = rows[row, CLASS], rows[other, CLASS]
    back = members[its, int(draw(state) * sizes[its, COUNT])]
    more = rows[row, WEIGHT] - rows[back, WEIGHT]
    enough = sizes[own, RECORDS] - more >= k and sizes[its, RECORDS] + more >= k
    return back if back != other and enough else NOT_POSSIBLE


@compile_inner_loop
def row_of_third(row, its, near, side, rows, members, sizes, k, state):
    """One that is near to a row that stays, from a third class that can do without it."""
    own = rows[row, CLASS]
    stays = members[own, int(draw(state) * sizes[own, COUNT])]
    back = drawn_neighbour(stays, near, state)
    if stays == row or back < 0 or side[back] != side[row] or not can_do_without(back, rows, sizes, k):
        return NOT_POSSIBLE
    enough = sizes[own, RECORDS] - rows[row, WEIGHT] + rows[back, WEIGHT] >= k
    return back if enough and rows[back, CLASS] != own and rows[back, CLASS] != its else NOT_POSSIBLE


@compile_inner_loop
def row_in_return(row, other, near, side, rows, members, sizes, k, state):
    """What the row's class gets for it: NOBODY where enough are left, else a row of another class."""
    its = rows[other, CLASS]
    if can_do_without(row, rows, sizes, k):
        return NOBODY if has_room(its, sizes) else NOT_POSSIBLE
    if draw(state) >= CHAINS:
        return row_of_other(row, other, rows, members, sizes, k, state)
    if not has_room(its, sizes):
        return NOT_POSSIBLE
    return row_of_third(row, its, near, side, rows, members, sizes, k, state)


@compile_inner_loop
def move_cost(row, back, its, limit, raw, rows, sizes, bounds, unit, shape, table):
    """What is lost more if the row goes to a class, and the one in return, if any, to the row's.

    FAR as soon as it is more than `limit`.
    """
    own, third, returned, swapped = rows[row, CLASS], NOBODY, 0, NOBODY
    change = -sizes[own, RECORDS] * unit[own] - sizes[its, RECORDS] * unit[its]
    joined = sizes[its, RECORDS] + rows[row, WEIGHT]
    if back >= 0:
        third, returned = rows[back, CLASS], rows[back, WEIGHT]
    if third == its:
        swapped, joined, third = back, joined - returned, NOBODY
    elif third >= 0:
        change -= sizes[third, RECORDS] * unit[third]
    most = (limit - change) / joined
    change += joined * unit_cost(its, swapped, row, most, raw, bounds, shape, table)
    if change > limit:
        return FAR
    left = sizes[own, RECORDS] - rows[row, WEIGHT] + returned
    change += left * unit_cost(own, row, back, (limit - change) / left, raw, bounds, shape, table)
    if change <= limit and third >= 0:
        left = sizes[third, RECORDS] - returned
        change += left * unit_cost(third, back, NOBODY, FAR, raw, bounds, shape, table)
    return change if change <= limit else FAR


@compile_inner_loop
def try_move(
    row, other, limit, near, side, raw, rows, members, sizes, bounds, unit, gain, k, state, shape, table
):
    """The row goes to its neighbour's class if that loses at most `limit` more; gives how much that is."""
    if side[row] != side[other]:
        return 0.0
    own, its, third = rows[row, CLASS], rows[other, CLASS], NOBODY
    if own == its or not is_few(its, sizes):
        return 0.0
    back = row_in_return(row, other, near, side, rows, members, sizes, k, state)
    if back == NOT_POSSIBLE:
        return 0.0
    change = move_cost(row, back, its, limit, raw, rows, sizes, bounds, unit, shape, table)
    if change > limit:
        return 0.0
    take_out(row, rows, members, sizes)
    if back >= 0:
        third = rows[back, CLASS]
        take_out(back, rows, members, sizes)
        put_in(back, own, rows, members, sizes)
    put_in(row, its, rows, members, sizes)
    for number in (own, its, third):
        if number >= 0:
            fit(number, raw, members, sizes, bounds, unit, shape, table)
            rate_rows(number, raw, rows, members, sizes, bounds, unit, gain, shape, table)
    return change


@compile_inner_loop
def cheapest_neighbour(row, near, side, raw, rows, sizes, bounds, unit, shape, table):
    """The class of a neighbour that the row joins at the least cost, and that cost; FAR if there is none."""
    best, least = NOBODY, FAR
    for index in range(near.shape[1]):
        other = near[row, index]
        if other < 0:
            break
        if side[other] != side[row]:
            continue
        number = rows[other, CLASS]
        if number == rows[row, CLASS] or not has_room(number, sizes):
            continue
        before, joined = sizes[number, RECORDS] * unit[number], sizes[number, RECORDS] + rows[row, WEIGHT]
        most = (least + before) / joined
        cost = joined * unit_cost(number, NOBODY, row, most, raw, bounds, shape, table) - before
        if cost < least:
            best, least = number, cost
    return best, least


@compile_inner_loop
def undo(moved, changed, raw, rows, members, sizes, bounds, unit, shape, table):
    """Each row goes back where it came from, the last one first."""
    for index in range(moved - 1, -1, -1):
        shift(changed[index, 0], changed[index, 1], raw, rows, members, sizes, bounds, unit, shape, table)


@compile_inner_loop
def dissolve(number, limit, changed, near, side, raw, rows, members, sizes, bounds, unit, gain, shape, table):
    """All rows of a class join their neighbours' if that loses at most `limit` more: whether, how much."""
    many, change = sizes[number, COUNT], -sizes[number, RECORDS] * unit[number]
    for index in range(many):
        changed[index, 0], changed[index, 1] = members[number, index], number
    for index in range(many):
        row = changed[index, 0]
        target, added = cheapest_neighbour(row, near, side, raw, rows, sizes, bounds, unit, shape, table)
        change += added
        if change > limit:
            undo(index, changed, raw, rows, members, sizes, bounds, unit, shape, table)
            return False, 0.0
        shift(row, target, raw, rows, members, sizes, bounds, unit, shape, table)
    for index in range(many):
        target = rows[changed[index, 0], CLASS]
        rate_rows(target, raw, rows, members, sizes, bounds, unit, gain, shape, table)
    return True, change


@compile_inner_loop
def found_class(
    row, number, limit, changed, near, side, raw, rows, members, sizes, bounds, unit, gain, k, shape, table
):
    """A row and its nearest that their classes can do without make one of their own, as above."""
    change, moved, index, other = 0.0, 0, 0, row if can_do_without(row, rows, sizes, k) else NOBODY
    while other >= 0:
        known = side[other] == side[row]
        if known and rows[other, CLASS] != number and can_do_without(other, rows, sizes, k):
            changed[moved, 0], changed[moved, 1] = other, rows[other, CLASS]
            change += shift(other, number, raw, rows, members, sizes, bounds, unit, shape, table)
            moved += 1
        if sizes[number, RECORDS] >= k or index == near.shape[1]:
            break
        other = near[row, index]
        index += 1
    if sizes[number, RECORDS] < k or change > limit:
        undo(moved, changed, raw, rows, members, sizes, bounds, unit, shape, table)
        return False, 0.0
    rate_rows(number, raw, rows, members, sizes, bounds, unit, gain, shape, table)
    for index in range(moved):
        rate_rows(changed[index, 1], raw, rows, members, sizes, bounds, unit, gain, shape, table)
    return True, change


@compile_loop
def fill_classes(raw, rows, members, sizes, bounds, unit, gain, shape, table):
    """The members of each class of few, and what is known of them."""
    for row in range(len(rows)):
        if rows[row, CLASS] >= 0:
            sizes[rows[row, CLASS], COUNT] += 1
    filled = numpy.zeros(len(sizes), numpy.int64)
    for row in range(len(rows)):
        number = rows[row, CLASS]
        if is_few(number, sizes):
            members[number, filled[number]], rows[row, PLACE] = row, filled[number]
            filled[number] += 1
            sizes[number, RECORDS] += rows[row, WEIGHT]
    for number in range(len(sizes)):
        if is_few(number, sizes):
            fit(number, raw, members, sizes, bounds, unit, shape, table)
            rate_rows(number, raw, rows, members, sizes, bounds, unit, gain, shape, table)


@compile_loop
def exchange_rows(
    those, empty, free, near, side, k, moves, hot, cold, seed, raw, rows, members, sizes, bounds, unit, gain,
    shape, table,
):  # fmt: skip
    """Moves rows to a neighbour's class, alone or for another; gives by how much the loss has risen.

    Whole classes dissolve, and as many more are founded as the first `free` of the `empty`. What loses more
    is taken too while it is hot, by chance: the more it loses, the less often. No class falls below k. Only
    `those` rows of one side are moved, and only to classes of that side.
    """
    changed = numpy.empty((max(near.shape[1], MOST_DISSOLVED) + 1, 2), numpy.int64)
    state, risen, heat = numpy.full(1, seed, numpy.uint64), 0.0, hot
    cooler = math.exp(math.log(cold / hot) / max(moves, 1))
    for _ in range(moves):
        heat *= cooler
        kind, row = draw(state), drawn_row(those, gain, state)
        own, limit = rows[row, CLASS], -heat * math.log(1.0 - draw(state))
        if not is_few(own, sizes):
            continue
        if kind < DISSOLVED and sizes[own, COUNT] <= MOST_DISSOLVED:
            gone, change = dissolve(
                own, limit, changed, near, side, raw, rows, members, sizes, bounds, unit, gain, shape, table
            )
            if gone:
                empty[free] = own
                free, risen = free + 1, risen + change
        elif DISSOLVED <= kind < FOUNDED and free > 0:
            founded, change = found_class(
                row, empty[free - 1], limit, changed, near, side, raw, rows, members, sizes, bounds, unit,
                gain, k, shape, table,
            )  # fmt: skip
            if founded:
                free, risen = free - 1, risen + change
        elif kind >= FOUNDED and near[row, 0] >= 0:
            risen += try_move(
                row, drawn_neighbour(row, near, state), limit, near, side, raw, rows, members, sizes, bounds,
                unit, gain, k, state, shape, table,
            )  # fmt: skip
    return risen
