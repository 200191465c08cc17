"""The compiled loops of the optimal one-to-one assignment: shortest augmenting paths over short lists.

Rows are people of the release, columns those of the original. Prices u of rows and v of columns keep every
cost − u − v at 0 or more, and at 0 for assigned pairs: this proves that no assignment of the same rows is
cheaper. The prices of columns start at 0 and only fall. Rows that look alike share a list of columns. Where a
list is `complete`, all columns beyond it cost exactly its `tail`; where not, their cost − v is at least that.
`lists` is (list of each row, starts, ends, column, cost, key, tail, complete), where the key is what cost − v
was when the column was listed, by which a list is sorted.

Rows that get nobody are assigned to one column more, number `columns`, that takes as many as there are too
many, at the same cost for all. In a search the next number stands for all that is beyond complete lists, and
the numbers after it for what is beyond each of the others.
`prices` is (of rows, of columns), `matched` (column of each row, row of each column, rows aside, place of
each row there, [how many are aside, how many may be]), `state` (heap, place in it, distance, by which row,
search that saw it, search that finished it, finished columns, [size of the heap, how many are finished],
[end]).
"""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

NONE = -1
SHORT_AT_ONCE = 64


@compile_inner_loop
def comes_before(one, other, distance):
    return distance[one] < distance[other] or (distance[one] == distance[other] and one < other)


@compile_inner_loop
def move_up(column, heap, heap_index, distance):
    index = heap_index[column]
    while index > 0 and comes_before(column, heap[(index - 1) // 2], distance):
        heap[index] = heap[(index - 1) // 2]
        heap_index[heap[index]] = index
        index = (index - 1) // 2
    heap[index] = column
    heap_index[column] = index


@compile_inner_loop
def take_first(heap, size, heap_index, distance):
    """Take the nearest column out of the heap; returns it."""
    first, column = heap[0], heap[size - 1]
    size -= 1
    index = 0
    while 2 * index + 1 < size:
        below = 2 * index + 1
        if below + 1 < size and comes_before(heap[below + 1], heap[below], distance):
            below += 1
        if not comes_before(heap[below], column, distance):
            break
        heap[index] = heap[below]
        heap_index[heap[index]] = index
        index = below
    heap[index] = column
    heap_index[column] = index
    heap_index[first] = NONE
    return first


@compile_inner_loop
def reach(column, away, row, search, state):
    """A column can be reached by way of a row: keep it if that is shorter than before."""
    heap, heap_index, distance, by_row, seen, done, _, sizes, _ = state
    if done[column] == search or (seen[column] == search and away >= distance[column]):
        return
    if seen[column] != search:
        seen[column] = search
        heap_index[column] = sizes[0]
        sizes[0] += 1
    distance[column] = away
    by_row[column] = row
    move_up(column, heap, heap_index, distance)


@compile_inner_loop
def end_at(column, away, row, state):
    """A free column ends the search; of equally near ones that with the lower number, which is random."""
    distance, by_row, end = state[2], state[3], state[8]
    if end[0] == NONE or away < distance[end[0]] or (away == distance[end[0]] and column < end[0]):
        end[0] = column
        distance[column], by_row[column] = away, row


@compile_inner_loop
def look_beyond(row, away, base, search, free, highest, lists, matched, state):
    """Reach what is not in the row's list: any free column, or any at all, or what is not known yet."""
    tail, complete = lists[6], lists[7]
    columns, own = len(matched[1]), lists[0][row]
    if not complete[own]:
        reach(columns + 2 + own, max(away, base + tail[own]), row, search, state)
    elif free < columns:
        end_at(free, max(away, base + tail[own]), row, state)
    else:
        reach(columns + 1, max(away, base + tail[own] - highest), row, search, state)


@compile_inner_loop
def look_aside(row, away, base, aside_cost, search, prices, matched, state):
    columns, aside = len(matched[1]), matched[4]
    if aside[1]:
        further = max(away, base + aside_cost - prices[1][columns])
        if aside[0] < aside[1]:
            end_at(columns, further, row, state)
        else:
            reach(columns, further, row, search, state)


@compile_inner_loop
def look_from(row, away, price, search, free, highest, aside_cost, looked, lists, prices, matched, state):
    """Reach what can be reached from a row and may lie before the nearest end.

    Rows with the same list have the same price, so the first of them to be reached does it for all.
    """
    of_row, starts, ends, column_of, cost_of, key_of, _, _ = lists
    own = of_row[row]
    if looked[own] == search:
        return
    looked[own] = search
    distance, end = state[2], state[8]
    base = away - price
    look_aside(row, away, base, aside_cost, search, prices, matched, state)
    look_beyond(row, away, base, search, free, highest, lists, matched, state)
    for index in range(starts[own], ends[own]):
        if end[0] != NONE and base + key_of[index] > distance[end[0]]:
            break
        column = column_of[index]
        further = max(away, base + cost_of[index] - prices[1][column])
        if matched[1][column] == NONE:
            end_at(column, further, row, state)
        else:
            reach(column, further, row, search, state)


@compile_inner_loop
def look_around(start, search, free, aside_cost, short, looked, lists, prices, matched, state):
    """Walk from a row to the nearest free column, nearer ones first; it is the end of the search.

    Returns how many lists were too short to know, which are marked; then the walk is in vain.
    """
    row_of, members, aside = matched[1], matched[2], matched[4]
    heap, heap_index, distance, by_row, _, done, finished, sizes, end = state
    columns = len(row_of)
    highest = 0.0 if free < columns else prices[1][:columns].max()
    sizes[:] = 0
    end[0] = NONE
    marked = 0
    look_from(start, 0.0, 0.0, search, free, highest, aside_cost, looked, lists, prices, matched, state)
    while sizes[0] and (end[0] == NONE or distance[heap[0]] < distance[end[0]]) and marked < SHORT_AT_ONCE:
        column = take_first(heap, sizes[0], heap_index, distance)
        sizes[0] -= 1
        done[column] = search
        away = distance[column]
        if column > columns + 1:
            short[column - columns - 2] = True
            marked += 1
        elif column == columns + 1:
            for other in range(columns):
                reach(other, away + highest - prices[1][other], by_row[column], search, state)
        else:
            finished[sizes[1]] = column
            sizes[1] += 1
            rows = row_of[column : column + 1] if column < columns else members[: aside[0]]
            for row in rows:
                price = prices[0][row]
                look_from(
                    row, away, price, search, free, highest, aside_cost, looked, lists, prices, matched, state
                )
    return marked


@compile_inner_loop
def pay(delta, start, prices, matched, state):
    """Change the prices so that the path just found costs nothing."""
    row_of, members, aside = matched[1], matched[2], matched[4]
    distance, finished, sizes = state[2], state[6], state[7]
    for column in finished[: sizes[1]]:
        rows = row_of[column : column + 1] if column < len(row_of) else members[: aside[0]]
        for row in rows:
            prices[0][row] += delta - distance[column]
        prices[1][column] += distance[column] - delta
    prices[0][start] = delta


@compile_inner_loop
def change_along(column, start, matched, by_row):
    """Assign along the path, from its end back to the row where it started."""
    column_of, row_of, members, aside_index, aside = matched
    index = aside[0]
    if column == len(row_of):
        aside[0] += 1
    while True:
        row = by_row[column]
        before, index_before = column_of[row], aside_index[row]
        column_of[row] = column
        if column < len(row_of):
            row_of[column] = row
        else:
            members[index], aside_index[row] = row, index
        if row == start:
            return
        column, index = before, index_before


@compile_loop
def assign_rows(order, first, last, search, aside_cost, short, looked, lists, prices, matched, state):
    """Assign the rows order[first:last] one after the other, until lists turn out to be too short.

    Returns how far it came, and the number of searches.
    """
    row_of, distance, end = matched[1], state[2], state[8]
    free = 0
    for index in range(first, last):
        while free < len(row_of) and row_of[free] != NONE:
            free += 1
        start = order[index]
        search += 1
        if look_around(start, search, free, aside_cost, short, looked, lists, prices, matched, state):
            return index, search
        pay(distance[end[0]], start, prices, matched, state)
        change_along(end[0], start, matched, state[3])
    return last, search


@compile_loop
def columns_on_line(rows, columns):
    """Which columns the rows get, both being rising numbers, at the least sum of differences.

    On a line nobody need overtake: a row gets the column at its own place plus how many were left out so far.
    `least[out]` is the least sum of the rows so far, with at most `out` columns left out up to the last one.
    """
    spare = len(columns) - len(rows) + 1
    least = numpy.zeros(spare)
    taken = numpy.zeros((len(rows), spare), dtype=numpy.bool_)
    for row in range(len(rows)):
        for out in range(spare):
            least[out] += abs(rows[row] - columns[row + out])
            if out and least[out - 1] <= least[out]:
                least[out] = least[out - 1]
            else:
                taken[row, out] = True
    found = numpy.empty(len(rows), dtype=numpy.int64)
    out = spare - 1
    for row in range(len(rows) - 1, -1, -1):
        while not taken[row, out]:
            out -= 1
        found[row] = row + out
    return found
