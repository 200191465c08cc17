"""The compiled loops that find the nearest records over several columns.

Distinct records are levels, sorted by their columns one after the other. A distance is a sum over columns:
as soon as the first columns are too far, so are all levels that begin alike. `ends[level, column]` is where
those end that are equal up to the column, `begins[level]` the first column that differs from the one before.
The people of level x are people[starts[x]:starts[x + 1]], rising; the level after the last has no record.
A `space` is (levels, begins, ends, starts, people, kinds, costs, step).
"""

from __future__ import annotations

import numpy

from singleout.attacks.linkage.number_kernels import add_level
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

CATEGORY, NUMBER, SQUARE = 0, 1, 2
FAR = numpy.int64(2**62)
AROUND = 8


@compile_loop
def runs_of(levels):
    """For sorted rows: the first column that differs from the row before, and where equal beginnings end."""
    count, columns = levels.shape
    begins = numpy.zeros(count, dtype=numpy.int64)
    ends = numpy.full((count, columns), count, dtype=numpy.int32)
    for level in range(count - 1, 0, -1):
        while begins[level] < columns and levels[level, begins[level]] == levels[level - 1, begins[level]]:
            begins[level] += 1
        for column in range(columns):
            ends[level - 1, column] = ends[level, column] if column < begins[level] else level
    return begins, ends


@compile_inner_loop
def gap(own, other, kind, cost):
    """How far two values are apart in one column; a missing number is −1."""
    if own == other:
        return numpy.int64(0)
    if kind == CATEGORY or own < 0 or other < 0:
        return cost
    apart = abs(own - other)
    return apart * apart if kind == SQUARE else apart


@compile_inner_loop
def steps_apart(own, other, kinds, costs, step):
    total = numpy.int64(0)
    for column in range(len(own)):
        total += gap(own[column], other[column], kinds[column], costs[column])
    return (total + step // 2) // step


@compile_loop
def steps_of_pairs(asked, left, right, space):
    """How far apart pairs of rows asked for and levels are."""
    levels, _, _, _, _, kinds, costs, step = space
    found = numpy.empty(len(left), dtype=numpy.int64)
    for pair in range(len(left)):
        found[pair] = steps_apart(asked[left[pair]], levels[right[pair]], kinds, costs, step)
    return found


@compile_inner_loop
def insertion_index(own, levels):
    """Where a row would stand among the sorted ones."""
    low, high = 0, len(levels)
    while low < high:
        middle = (low + high) // 2
        column = 0
        while column < len(own) and own[column] == levels[middle, column]:
            column += 1
        if column < len(own) and levels[middle, column] < own[column]:
            low = middle + 1
        else:
            high = middle
    return low


@compile_inner_loop
def memory_for(most, count, columns):
    """Room for the `most` shortest distances, for the levels found, and for the sums over first columns."""
    nearest, sizes = numpy.empty(most + 1, dtype=numpy.int64), numpy.empty(most + 1, dtype=numpy.int64)
    found, apart = numpy.empty(count + 1, dtype=numpy.int64), numpy.empty(count + 1, dtype=numpy.int64)
    sums, held = numpy.zeros(columns + 1, dtype=numpy.int64), numpy.zeros(2, dtype=numpy.int64)
    return nearest, sizes, held, sums, found, apart


@compile_inner_loop
def remember(steps, size, nearest, sizes, held):
    """Keep the shortest distances at which there are `most` people in all: held[0] of them, held[1] people.

    Returns the longest of them, which is how far one need look.
    """
    most = len(nearest) - 1
    index = held[0]
    while index > 0 and nearest[index - 1] > steps:
        nearest[index], sizes[index] = nearest[index - 1], sizes[index - 1]
        index -= 1
    nearest[index], sizes[index] = steps, size
    held[0] += 1
    held[1] += size
    while held[1] - sizes[held[0] - 1] >= most:
        held[0] -= 1
        held[1] -= sizes[held[0]]
    return nearest[held[0] - 1] if held[1] >= most else FAR


@compile_inner_loop
def limit_around(own, start, space, memory):
    """How far one need look at most, by the levels that begin most alike."""
    levels, _, _, starts, _, kinds, costs, step = space
    nearest, sizes, held = memory[:3]
    limit = FAR
    for level in range(max(0, start - AROUND), min(len(levels), start + AROUND)):
        steps = steps_apart(own, levels[level], kinds, costs, step)
        if steps <= limit:
            limit = remember(steps, starts[level + 1] - starts[level], nearest, sizes, held)
    held[:] = 0
    return limit


@compile_inner_loop
def longest_sum(limit, step):
    """The largest sum that makes at most `limit` steps when it is rounded."""
    return FAR if limit == FAR else (limit + 1) * step - step // 2 - 1


@compile_inner_loop
def next_level_near(own, rest, level, column, kind, levels, ends):
    """The next level after one that is too far in the column, without those that are as well.

    Levels that are equal in the columns before stand together, by rising values of this one, a missing one
    first: only values up to `rest` from one's own are near enough, if other categories are too far.
    """
    following = ends[level, column]
    stop = ends[level, column - 1] if column else len(levels)
    if following == stop or rest < 0 or levels[level, column] > own:
        return stop
    least = own
    if kind == NUMBER:
        least = own - rest
    elif kind == SQUARE:
        least = own - numpy.int64(numpy.ceil(numpy.sqrt(rest)))
    if levels[following, column] >= least:
        return following
    low, high = following + 1, stop
    while low < high:
        middle = (low + high) // 2
        if levels[middle, column] < least:
            low = middle + 1
        else:
            high = middle
    return low


@compile_inner_loop
def levels_near(own, limit, space, memory):
    """All levels up to the limit, which falls to the nearest `most` people as they are found.

    It starts where the row itself would stand, for there the limit falls fastest. Returns how many were found
    and the limit; which ones and how far they are is in the memory.
    """
    levels, begins, ends, starts, _, kinds, costs, step = space
    nearest, sizes, held, sums, found, apart = memory
    columns = len(own)
    start = insertion_index(own, levels)
    limit = min(limit, limit_around(own, start, space, memory))
    bound = longest_sum(limit, step)
    count = 0
    for half in range(2):
        level, last = (start, len(levels)) if half == 0 else (0, start)
        column = 0
        while level < last:
            while column < columns:
                step_here = gap(own[column], levels[level, column], kinds[column], costs[column])
                sums[column + 1] = sums[column] + step_here
                if sums[column + 1] > bound:
                    break
                column += 1
            if column < columns:
                rest = bound - sums[column]
                level = next_level_near(own[column], rest, level, column, kinds[column], levels, ends)
            else:
                found[count] = level
                apart[count] = (sums[columns] + step // 2) // step
                size = starts[level + 1] - starts[level]
                limit = min(limit, remember(apart[count], size, nearest, sizes, held))
                bound = longest_sum(limit, step)
                count += 1
                level += 1
            if level < last:
                column = begins[level]
    held[:] = 0
    return keep_within(limit, count, found, apart), limit


@compile_inner_loop
def keep_within(limit, count, found, apart):
    kept = 0
    for index in range(count):
        if apart[index] <= limit:
            found[kept], apart[kept] = found[index], apart[index]
            kept += 1
    return kept


@compile_loop
def nearest_people(first, last, asked, space, whole, person, distance, tied):
    """The nearest people of each row asked for; those without a record are `whole` away."""
    levels, starts = space[0], space[3]
    count = len(levels)
    memory = memory_for(person.shape[1], count, levels.shape[1])
    found, apart = memory[4:]
    without = starts[count + 1] - starts[count]
    for row in range(first, last):
        limit = whole if without >= person.shape[1] else FAR
        near, limit = levels_near(asked[row], limit, space, memory)
        if without and whole <= limit:
            found[near], apart[near] = count, whole
            near += 1
        list_in_order(near, found, apart, space, person[row], distance[row], tied[row : row + 1])


@compile_inner_loop
def list_in_order(near, found, apart, space, person, distance, tied):
    """Fill a row with people, group by group of levels that are equally far."""
    starts, people = space[3], space[4]
    order = numpy.argsort(apart[:near], kind="mergesort")
    filled = index = 0
    while filled < len(person) and index < near:
        begun = filled
        here = apart[order[index]]
        tied[0] = 0
        while index < near and apart[order[index]] == here:
            level = found[order[index]]
            filled = add_level(person, begun, filled, people, starts[level], starts[level + 1])
            tied[0] += starts[level + 1] - starts[level]
            index += 1
        distance[begun:filled] = here
