"""How classes are released one by one, from the least to the most lossy: compiled, the same on any machine.

A row stands for all records with the same values. Its number at a vector of levels is put together from
numbers of three groups of columns, which are exact: rows have the same one where they look alike.
"""

from __future__ import annotations

import heapq

import numpy

from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

MIX = numpy.uint64(0x9E3779B97F4A7C15)
FAR = 1e300
FEW_BITS = 4
SPREAD_BITS = numpy.uint64(29)


@compile_inner_loop
def find_slot(key, keys, stamp, turn, bits):
    """Where a key is in the hash table, or where it would go."""
    mask = (1 << bits) - 1
    slot = numpy.int64(((key ^ (key >> SPREAD_BITS)) * MIX) >> numpy.uint64(64 - bits))
    while stamp[slot] == turn and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@compile_inner_loop
def key_of(numbers, places, shifts, row):
    key = numpy.uint64(numbers[places[0], row]) << shifts[0]
    key |= numpy.uint64(numbers[places[1], row]) << shifts[1]
    return key | numpy.uint64(numbers[places[2], row])


@compile_inner_loop
def unit_cost(raw, row, vector, offsets, costs):
    """What a record of the row loses at these levels."""
    cost = 0.0
    for column in range(len(vector)):
        cost += costs[offsets[column, vector[column]] + raw[row, column]]
    return cost


@compile_inner_loop
def count_rows(rows, left, weights, numbers, places, shifts, k, turn, bits, keys, stamp, size, slots, large):
    """The records of each class of the rows that are left; `large` gets those of at least k."""
    many = 0
    for index in range(left):
        row = rows[index]
        key = key_of(numbers, places, shifts, row)
        slot = find_slot(key, keys, stamp, turn, bits)
        if stamp[slot] != turn:
            stamp[slot], keys[slot], size[slot] = turn, key, 0
        before = size[slot]
        size[slot] = before + weights[row]
        if before < k <= size[slot]:
            large[many, 0], large[many, 1] = slot, row
            many += 1
        slots[index] = slot
    return many


@compile_loop
def large_classes(rows, weights, numbers, places, shifts, k):
    """The number of each row's class, −1 where it has fewer than k records, and a row of each class."""
    left, bits = len(rows), FEW_BITS
    while (1 << bits) < 2 * left:
        bits += 1
    keys, stamp = numpy.empty(1 << bits, numpy.uint64), numpy.zeros(1 << bits, numpy.int64)
    size, number = numpy.zeros(1 << bits, numpy.int64), numpy.full(1 << bits, -1, numpy.int64)
    slots, large = numpy.empty(left, numpy.int64), numpy.empty((left, 2), numpy.int64)
    many = count_rows(
        rows, left, weights, numbers, places, shifts, k, 1, bits, keys, stamp, size, slots, large
    )
    for index in range(many):
        number[large[index, 0]] = index
    return number[slots], large[:many, 1]


@compile_inner_loop
def keep_rest(rows, left, slots, size, number, k, classes):
    """Rows of released classes go, and the others close up."""
    kept = 0
    for index in range(left):
        row, slot = rows[index], slots[index]
        if size[slot] >= k and number[slot] >= 0:
            classes[row] = number[slot]
        else:
            rows[kept] = row
            kept += 1
    return kept


@compile_loop
def release_classes(raw, weights, numbers, places, shifts, vectors, lowest, offsets, costs, k):
    """The class in which each row is released, −1 if in none, and how many classes there are.

    The cheapest class of at least k records among those left goes next. What a vector's cheapest class costs
    is only known by counting it: until then by `lowest`, which no class of it is below; it can only rise.
    """
    left, bits = len(raw), FEW_BITS
    while (1 << bits) < 2 * left:
        bits += 1
    rows = numpy.arange(left)
    keys, stamp = numpy.empty(1 << bits, numpy.uint64), numpy.zeros(1 << bits, numpy.int64)
    size, number = numpy.zeros(1 << bits, numpy.int64), numpy.zeros(1 << bits, numpy.int64)
    slots, large = numpy.empty(left, numpy.int64), numpy.empty((left, 2), numpy.int64)
    classes, released, turn = numpy.full(left, -1, numpy.int64), 0, 0
    queue = [(lowest[vector], vector) for vector in range(len(vectors))]
    heapq.heapify(queue)
    while len(queue) > 0 and left > 0:
        limit, vector = heapq.heappop(queue)
        if len(queue) > 0:
            limit = max(limit, queue[0][0])
        while bits > FEW_BITS and (1 << (bits - 1)) >= 2 * left:
            bits -= 1
        turn += 1
        many = count_rows(
            rows,
            left,
            weights,
            numbers,
            places[vector],
            shifts,
            k,
            turn,
            bits,
            keys,
            stamp,
            size,
            slots,
            large,
        )
        following, first = FAR, released
        for index in range(many):
            slot, row = large[index, 0], large[index, 1]
            cost = unit_cost(raw, row, vectors[vector], offsets, costs)
            number[slot] = -1
            if cost <= limit:
                number[slot] = released
                released += 1
            else:
                following = min(following, cost)
        if released > first:
            left = keep_rest(rows, left, slots, size, number, k, classes)
        if following < FAR:
            heapq.heappush(queue, (following, vector))
    return classes, released


@compile_inner_loop
def joined_cost(raw, row, other, levels, tops, offsets, codes, costs, limit):
    """What a record loses in a class that the other row joins; FAR if they can't meet, or from `limit` on."""
    cost = 0.0
    for column in range(len(levels)):
        level, here, there = levels[column], raw[row, column], raw[other, column]
        while codes[offsets[column, level] + here] != codes[offsets[column, level] + there]:
            level += 1
            if level > tops[column]:
                return FAR
        cost += costs[offsets[column, level] + here]
        if cost >= limit:
            return FAR
    return cost


@compile_inner_loop
def join(raw, row, other, levels, offsets, codes):
    """Raise the levels of a class until the other row looks alike."""
    for column in range(len(levels)):
        level, here, there = levels[column], raw[row, column], raw[other, column]
        while codes[offsets[column, level] + here] != codes[offsets[column, level] + there]:
            level += 1
        levels[column] = level


@compile_inner_loop
def cheapest_class(raw, weights, row, example, levels, size, unit, tops, offsets, codes, costs):
    """The class that a row joins at the least added cost in all its records, −1 if none."""
    best, least, weight = -1, FAR, weights[row]
    for number in range(len(size)):
        # it costs a record no less than before the row joins
        if unit[number] * weight >= least:
            continue
        before = unit[number] * size[number]
        limit = (least + before) / (size[number] + weight)
        cost = joined_cost(raw, example[number], row, levels[number], tops, offsets, codes, costs, limit)
        if cost < FAR and cost * (size[number] + weight) - before < least:
            best, least = number, cost * (size[number] + weight) - before
    return best


@compile_inner_loop
def fit_levels(raw, classes, example, levels, offsets, codes):
    """The finest levels at which the rows of each class are alike."""
    for row in range(len(raw)):
        number = classes[row]
        if number >= 0:
            if example[number] < 0:
                example[number] = row
            join(raw, example[number], row, levels[number], offsets, codes)


@compile_inner_loop
def join_rest(raw, weights, classes, example, levels, size, unit, tops, offsets, codes, costs):
    """Rows of no class join the one where that costs least."""
    for row in range(len(raw)):
        if classes[row] >= 0:
            continue
        best = cheapest_class(raw, weights, row, example, levels, size, unit, tops, offsets, codes, costs)
        if best >= 0:
            join(raw, example[best], row, levels[best], offsets, codes)
            unit[best] = unit_cost(raw, example[best], levels[best], offsets, costs)
            classes[row], size[best] = best, size[best] + weights[row]


@compile_loop
def join_classes(raw, weights, classes, released, tops, least_levels, offsets, codes, costs):
    """Rows that are left join classes: the class of each row, −1 if it can join none, and levels of each."""
    example, size = numpy.full(released, -1, numpy.int64), numpy.zeros(released, numpy.int64)
    levels, unit = numpy.zeros((released, raw.shape[1]), numpy.int64), numpy.zeros(released)
    levels[:] = least_levels
    fit_levels(raw, classes, example, levels, offsets, codes)
    for row in range(len(raw)):
        if classes[row] >= 0:
            size[classes[row]] += weights[row]
    for number in range(released):
        unit[number] = unit_cost(raw, example[number], levels[number], offsets, costs)
    joined = classes.copy()
    join_rest(raw, weights, joined, example, levels, size, unit, tops, offsets, codes, costs)
    return joined, levels
