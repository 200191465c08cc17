"""Rows that change their class while that loses less (simulated annealing): compiled, the same anywhere.

A row stands for all records with the same values. Only classes of few rows take part: to fit one again
without a row takes as long as it has rows, and large classes lose little.
"""

from __future__ import annotations

import math

import numpy

from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop
from singleout.engine.codes.random_kernels import STEP, mix_state

FAR = 1e300
MOST_ROWS = 40
NOBODY, NOT_POSSIBLE = -1, -2
# of the moves that need a row in return, so many get it from a third class
CHAINS = 0.7
DRAWN_BITS, UNIT = numpy.uint64(11), 2.0**-53


@compile_inner_loop
def draw(state):
    """A number from 0 to below 1."""
    state[0] += STEP
    return numpy.float64(mix_state(state[0]) >> DRAWN_BITS) * UNIT


@compile_inner_loop
def common_level(column, level, here, there, tops, offsets, codes):
    """From this level on the lowest at which two values are alike, −1 if they never are."""
    if here != there:
        while codes[offsets[column, level] + here] != codes[offsets[column, level] + there]:
            level += 1
            if level > tops[column]:
                return -1
    return level


@compile_inner_loop
def pair_cost(raw, row, other, least, tops, offsets, codes, costs):
    """What a record of the row loses if it has to look like the other."""
    cost = 0.0
    for column in range(raw.shape[1]):
        level = common_level(
            column, least[column], raw[row, column], raw[other, column], tops, offsets, codes
        )
        if level < 0:
            return FAR
        cost += costs[offsets[column, level] + raw[row, column]]
    return cost


@compile_inner_loop
def keep_near(row, other, cost, near, paid):
    """Put the other among the row's nearest, which are in the order of what they cost, if it is one."""
    last = near.shape[1] - 1
    if cost >= paid[row, last]:
        return
    for index in range(last + 1):
        if near[row, index] == other:
            return
    index = last
    while index > 0 and paid[row, index - 1] > cost:
        near[row, index], paid[row, index] = near[row, index - 1], paid[row, index - 1]
        index -= 1
    near[row, index], paid[row, index] = other, cost


@compile_loop
def look_around(raw, order, reach, near, paid, least, tops, offsets, codes, costs):
    """Hold each row against those that follow it in this order."""
    for place in range(len(order)):
        row = order[place]
        for index in range(place + 1, min(len(order), place + 1 + reach)):
            other = order[index]
            cost = pair_cost(raw, row, other, least, tops, offsets, codes, costs)
            keep_near(row, other, cost, near, paid)
            keep_near(other, row, cost, near, paid)


@compile_inner_loop
def fit(raw, weights, members, count, without, more, levels, least, tops, offsets, codes, costs):
    """Records of a class without one row and with another (−1: none), and what one of them loses."""
    example, size = more, 0
    levels[:] = least
    if more >= 0:
        size = weights[more]
    for index in range(count):
        row = members[index]
        if row == without:
            continue
        size += weights[row]
        if example < 0:
            example = row
            continue
        for column in range(raw.shape[1]):
            level = common_level(
                column, levels[column], raw[example, column], raw[row, column], tops, offsets, codes
            )
            if level < 0:
                return size, FAR
            levels[column] = level
    unit = 0.0
    for column in range(raw.shape[1]):
        unit += costs[offsets[column, levels[column]] + raw[example, column]]
    return size, unit


@compile_inner_loop
def few_members(classes, released):
    """The rows of each class of few, how many each class has, and where a row is among them."""
    count = numpy.zeros(released, numpy.int64)
    for row in range(len(classes)):
        if classes[row] >= 0:
            count[classes[row]] += 1
    members = numpy.full((released, MOST_ROWS + 1), -1, numpy.int64)
    filled, place = numpy.zeros(released, numpy.int64), numpy.zeros(len(classes), numpy.int64)
    for row in range(len(classes)):
        number = classes[row]
        if number >= 0 and count[number] <= MOST_ROWS:
            members[number, filled[number]], place[row] = row, filled[number]
            filled[number] += 1
    return members, count, place


@compile_inner_loop
def is_few(number, count):
    """Whether it is a class, and one of few rows."""
    return number >= 0 and count[number] <= MOST_ROWS


@compile_inner_loop
def drawn_row(classes, unit, state):
    """Of two random rows the one whose class loses more a record."""
    one, other = int(draw(state) * len(classes)), int(draw(state) * len(classes))
    return other if classes[other] >= 0 and unit[classes[other]] > unit[classes[one]] else one


@compile_inner_loop
def drawn_neighbour(row, near, state):
    return near[row, int(near.shape[1] * draw(state) ** 2)]


@compile_inner_loop
def row_of_other(row, other, own, its, weights, members, count, size, k, state):
    """One that comes back from the class to which the row goes."""
    back = members[its, int(draw(state) * count[its])]
    more = weights[row] - weights[back]
    return back if back != other and size[own] - more >= k and size[its] + more >= k else NOT_POSSIBLE


@compile_inner_loop
def row_of_third(row, own, its, weights, classes, members, count, size, near, k, state):
    """One that is near to a row that stays, from a third class that can do without it."""
    stays = members[own, int(draw(state) * count[own])]
    back = drawn_neighbour(stays, near, state)
    if stays == row or back < 0 or not is_few(classes[back], count):
        return NOT_POSSIBLE
    third = classes[back]
    enough = size[own] - weights[row] + weights[back] >= k and size[third] - weights[back] >= k
    return back if enough and third != own and third != its and count[third] > 1 else NOT_POSSIBLE


@compile_inner_loop
def row_in_return(row, other, weights, classes, members, count, size, near, k, state):
    """What the row's class gets for it: NOBODY where enough are left, else a row of another class."""
    own, its = classes[row], classes[other]
    chain = draw(state) < CHAINS
    if size[own] - weights[row] >= k and count[own] > 1:
        return NOBODY if count[its] < MOST_ROWS else NOT_POSSIBLE
    if not chain:
        return row_of_other(row, other, own, its, weights, members, count, size, k, state)
    if count[its] == MOST_ROWS:
        return NOT_POSSIBLE
    return row_of_third(row, own, its, weights, classes, members, count, size, near, k, state)


@compile_inner_loop
def take_out(row, own, members, count, place):
    last = members[own, count[own] - 1]
    members[own, place[row]], place[last] = last, place[row]
    count[own] -= 1


@compile_inner_loop
def put_in(row, its, classes, members, count, place):
    members[its, count[its]], place[row], classes[row] = row, count[its], its
    count[its] += 1


@compile_inner_loop
def try_move(
    row, back, its, limit, raw, weights, classes, members, count, place, size, unit, levels,
    least, tops, offsets, codes, costs,
):  # fmt: skip
    """The row goes to a class, and the one in return, if any, to the row's: if it loses at most `limit` more.

    Gives what it loses more, 0 if nothing was moved.
    """
    own, third = classes[row], classes[back] if back >= 0 else NOBODY
    before = size[own] * unit[own] + size[its] * unit[its]
    chain = third >= 0 and third != its
    if chain:
        before += size[third] * unit[third]
    shape = (least, tops, offsets, codes, costs)
    its_back = back if third == its else NOBODY
    its_size, its_unit = fit(raw, weights, members[its], count[its], its_back, row, levels, *shape)
    change = its_size * its_unit - before
    if change > limit:
        return 0.0
    own_size, own_unit = fit(raw, weights, members[own], count[own], row, back, levels, *shape)
    change += own_size * own_unit
    if change > limit:
        return 0.0
    if chain:
        third_size, third_unit = fit(raw, weights, members[third], count[third], back, NOBODY, levels, *shape)
        change += third_size * third_unit
        if change > limit:
            return 0.0
        size[third], unit[third] = third_size, third_unit
    take_out(row, own, members, count, place)
    if back >= 0:
        take_out(back, third, members, count, place)
        put_in(back, own, classes, members, count, place)
    put_in(row, its, classes, members, count, place)
    size[own], unit[own], size[its], unit[its] = own_size, own_unit, its_size, its_unit
    return change


@compile_loop
def exchange_rows(
    raw, weights, classes, released, near, k, moves, hot, cold, least, tops, offsets, codes, costs
):
    """Moves rows to a neighbour's class, alone or for another; gives by how much the loss has risen.

    What loses more is taken too while it is hot, by chance: the more it loses, the less often. No class
    falls below k.
    """
    members, count, place = few_members(classes, released)
    size, unit = numpy.zeros(released, numpy.int64), numpy.zeros(released)
    levels = numpy.empty(raw.shape[1], numpy.int64)
    shape = (least, tops, offsets, codes, costs)
    for number in range(released):
        if is_few(number, count):
            size[number], unit[number] = fit(
                raw, weights, members[number], count[number], NOBODY, NOBODY, levels, *shape
            )
    state, risen, heat = numpy.zeros(1, numpy.uint64), 0.0, hot
    cooler = math.exp(math.log(cold / hot) / max(moves, 1))
    for _ in range(moves):
        heat *= cooler
        row = drawn_row(classes, unit, state)
        other = drawn_neighbour(row, near, state)
        limit = -heat * math.log(1.0 - draw(state))
        if other < 0 or classes[row] == classes[other]:
            continue
        if not (is_few(classes[row], count) and is_few(classes[other], count)):
            continue
        back = row_in_return(row, other, weights, classes, members, count, size, near, k, state)
        if back != NOT_POSSIBLE:
            risen += try_move(
                row, back, classes[other], limit, raw, weights, classes, members, count, place, size, unit,
                levels, *shape,
            )  # fmt: skip
    return risen
