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
def may_meet(own, its, count):
    """Whether both are classes, not the same one, and of few rows."""
    return own >= 0 and its >= 0 and own != its and max(count[own], count[its]) <= MOST_ROWS


@compile_inner_loop
def row_in_return(row, other, own, its, weights, members, count, size, k, chance):
    """What the row's class gets for it: NOBODY where enough are left, else a row of the other's."""
    if size[own] - weights[row] >= k and count[own] > 1:
        return NOBODY if count[its] < MOST_ROWS else NOT_POSSIBLE
    back = members[its, int(chance * count[its])]
    more = weights[row] - weights[back]
    return back if back != other and size[own] - more >= k and size[its] + more >= k else NOT_POSSIBLE


@compile_inner_loop
def put(row, back, own, its, classes, members, count, place):
    """The row goes to the other class, and the one in return, if any, comes from there."""
    classes[row] = its
    if back >= 0:
        members[own, place[row]], members[its, place[back]] = back, row
        place[row], place[back] = place[back], place[row]
        classes[back] = own
        return
    last = members[own, count[own] - 1]
    members[own, place[row]], place[last] = last, place[row]
    count[own] -= 1
    members[its, count[its]], place[row] = row, count[its]
    count[its] += 1


@compile_loop
def exchange_rows(
    raw, weights, classes, released, near, k, moves, hot, cold, least, tops, offsets, codes, costs
):
    """Moves rows to a neighbour's class, or exchanges two; gives by how much the loss has risen.

    What loses more is taken too while it is hot, by chance: the more it loses, the less often. No class
    falls below k.
    """
    members, count, place = few_members(classes, released)
    size, unit = numpy.zeros(released, numpy.int64), numpy.zeros(released)
    levels = numpy.empty(raw.shape[1], numpy.int64)
    shape = (least, tops, offsets, codes, costs)
    for number in range(released):
        if count[number] <= MOST_ROWS:
            size[number], unit[number] = fit(
                raw, weights, members[number], count[number], NOBODY, NOBODY, levels, *shape
            )
    state, risen, heat = numpy.zeros(1, numpy.uint64), 0.0, hot
    cooler = math.exp(math.log(cold / hot) / max(moves, 1))
    for _ in range(moves):
        heat *= cooler
        row = int(draw(state) * len(raw))
        other = near[row, int(near.shape[1] * draw(state) ** 2)]
        limit, chance = -heat * math.log(1.0 - draw(state)), draw(state)
        if other < 0 or not may_meet(classes[row], classes[other], count):
            continue
        own, its = classes[row], classes[other]
        before = size[own] * unit[own] + size[its] * unit[its]
        if before <= 0.0:
            continue
        back = row_in_return(row, other, own, its, weights, members, count, size, k, chance)
        if back == NOT_POSSIBLE:
            continue
        its_size, its_unit = fit(raw, weights, members[its], count[its], back, row, levels, *shape)
        if its_size * its_unit - before > limit:
            continue
        own_size, own_unit = fit(raw, weights, members[own], count[own], row, back, levels, *shape)
        change = own_size * own_unit + its_size * its_unit - before
        if change > limit:
            continue
        put(row, back, own, its, classes, members, count, place)
        size[own], unit[own], size[its], unit[its] = own_size, own_unit, its_size, its_unit
        risen += change
    return risen
