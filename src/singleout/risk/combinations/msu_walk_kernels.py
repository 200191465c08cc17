"""The compiled walk that finds, for every row, the minimal sets of columns that single it out.

A class is a range of `order`, refined in place. Only classes that a column has split go on into its
branch: where a column does not split a row's class, no set of that branch needs it, so none is minimal.
Hence the classes on the way to any set are nested and distinct, and fewer than there are rows.
"""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop

# a block of a row's list: a link to the block before it, and the masks
BLOCK = 8
HELD = BLOCK - 1
# what a walk counts: blocks in use, sets on the lists, and its work in steps of about a nanosecond
BLOCKS, SETS, WORK = range(3)
# a block is seldom in the cache
STEPS_A_ROW, STEPS_A_BLOCK = 8, 100
NONE = numpy.uint64(0)
ONE = numpy.uint64(1)
PAIRS, FOURS = numpy.uint64(0x5555555555555555), numpy.uint64(0x3333333333333333)
EIGHTS, ONES = numpy.uint64(0x0F0F0F0F0F0F0F0F), numpy.uint64(0x0101010101010101)


@compile_loop
def people_within(order, first, last, allow, records, persons, seen, tick):
    """The people in a range of rows, counted no further than one beyond `allow`."""
    people = 0
    for position in range(first, last):
        row = order[position]
        if len(persons) == 0:
            people += records[row]
        elif seen[persons[row]] != tick:
            seen[persons[row]] = tick
            people += 1
        if people > allow:
            break
    return people


@compile_loop
def has_wanted(order, first, last, wanted):
    position = first
    while position < last and not wanted[order[position]]:
        position += 1
    return position < last


@compile_loop
def split(codes, order, spare, held, first, last, stamp, tick, ends, met):
    """Sort a range by code; `met` has the codes in order of appearance, `ends` where each one's rows end."""
    parts = 0
    for position in range(first, last):
        code = codes[order[position]]
        held[position] = code
        if stamp[code] != tick:
            stamp[code] = tick
            ends[code] = 0
            met[parts] = code
            parts += 1
        ends[code] += 1
    if parts == 1:
        return parts
    start = first
    for part in range(parts):
        rows = ends[met[part]]
        ends[met[part]] = start
        start += rows
    for position in range(first, last):
        code = held[position]
        spare[ends[code]] = order[position]
        ends[code] += 1
    for position in range(first, last):
        order[position] = spare[position]
    return parts


@compile_loop
def keep(row, mask, head, kept, store, totals):
    """Put a set on a row's list unless one of its subsets is there."""
    block = head[row]
    filled = (kept[row] - 1) % HELD + 1
    while block >= 0:
        totals[WORK] += STEPS_A_BLOCK
        for slot in range(1, filled + 1):
            if store[block, slot] & ~mask == NONE:
                return
        block = numpy.int64(store[block, 0]) - 1
        filled = HELD
    if kept[row] % HELD == 0:
        store[totals[BLOCKS], 0] = numpy.uint64(head[row] + 1)
        head[row] = totals[BLOCKS]
        totals[BLOCKS] += 1
    store[head[row], kept[row] % HELD + 1] = mask
    kept[row] += 1
    totals[SETS] += 1


@compile_loop
def make_room(store, blocks):
    if blocks <= len(store):
        return store
    larger = numpy.empty((max(blocks, len(store) * 3 // 2), BLOCK), dtype=numpy.uint64)
    for block in range(len(store)):
        for slot in range(BLOCK):
            larger[block, slot] = store[block, slot]
    return larger


@compile_loop
def refine(codes, table, desk, lists, store, classes, mask, noted, allow):
    """Refine the classes from … to − 1 by one column; what is left is put on top of them.

    A part of at most `allow` people is found by this set and leaves the branch.
    """
    records, persons, wanted = table
    order, spare, held, firsts, lasts, stamp, ends, met, seen, ticks = desk
    head, kept, totals = lists
    top = classes[1]
    for parent in range(classes[0], classes[1]):
        first, last = firsts[parent], lasts[parent]
        totals[WORK] += STEPS_A_ROW * numpy.int64(last - first)
        ticks[0] += 1
        parts = split(codes, order, spare, held, first, last, stamp, ticks[0], ends, met)
        if parts == 1:
            continue
        start = first
        for part in range(parts):
            end = ends[met[part]]
            ticks[0] += 1
            if not has_wanted(order, start, end, wanted):
                pass
            elif people_within(order, start, end, allow, records, persons, seen, ticks[0]) > allow:
                firsts[top], lasts[top] = start, end
                top += 1
            elif noted:
                store = make_room(store, totals[BLOCKS] + end - start)
                for position in range(start, end):
                    if wanted[order[position]]:
                        keep(order[position], mask, head, kept, store, totals)
            start = end
    return top, store


@compile_loop
def walk(columns, table, desk, lists, store, path, below, allow, largest, most):
    """Every set that has the columns of `path` and any of the columns before `below`, subsets first.

    It ends early once there are more sets, or more work, than `most` says.
    """
    depth = 0
    classes = numpy.zeros((largest + 1, 2), dtype=numpy.int64)
    masks = numpy.zeros(largest + 1, dtype=numpy.uint64)
    following = numpy.zeros(largest + 1, dtype=numpy.int64)
    limit = numpy.zeros(largest + 1, dtype=numpy.int64)
    for step in range(len(path)):
        following[step], limit[step] = path[step], path[step] + 1
    limit[len(path)] = below
    classes[0, 1] = 1
    desk[3][0], desk[4][0] = 0, columns.shape[1]
    totals = lists[2]
    while depth >= 0 and totals[SETS] <= most[SETS] and totals[WORK] <= most[WORK]:
        column = following[depth]
        if column >= limit[depth] or depth == largest:
            depth -= 1
            continue
        following[depth] += 1
        mask = masks[depth] | ONE << numpy.uint64(column)
        noted = depth + 1 >= len(path)
        top, store = refine(columns[column], table, desk, lists, store, classes[depth], mask, noted, allow)
        if top > classes[depth, 1]:
            depth += 1
            masks[depth] = mask
            classes[depth, 0], classes[depth, 1] = classes[depth - 1, 1], top
            if depth > len(path):
                following[depth], limit[depth] = 0, column
    return store


@compile_loop
def collect(rows, lists, store, starts, own_column, masks):
    """Each row's sets with the columns in their own places, by size and then by mask."""
    head, kept, _ = lists
    for row in rows:
        block = head[row]
        filled = (kept[row] - 1) % HELD + 1
        at = starts[row]
        while block >= 0:
            for slot in range(1, filled + 1):
                masks[at] = reordered_mask(store[block, slot], own_column)
                at += 1
            block = numpy.int64(store[block, 0]) - 1
            filled = HELD
        sort_by_size(masks[starts[row] : at])


@compile_loop
def reordered_mask(mask, own_column):
    result = NONE
    for column in range(len(own_column)):
        if mask >> numpy.uint64(column) & ONE:
            result |= ONE << numpy.uint64(own_column[column])
    return result


@compile_loop
def columns_in(mask):
    """The bits of a mask, counted in pairs, then in fours, then in bytes that a product adds up."""
    pairs = mask - (mask >> ONE & PAIRS)
    fours = (pairs & FOURS) + (pairs >> numpy.uint64(2) & FOURS)
    eights = (fours + (fours >> numpy.uint64(4))) & EIGHTS
    return numpy.int64(eights * ONES >> numpy.uint64(56))


@compile_loop
def sort_by_size(masks):
    rising = numpy.sort(masks)
    starts = numpy.zeros(65, dtype=numpy.int64)
    for mask in rising:
        starts[columns_in(mask) + 1] += 1
    for size in range(64):
        starts[size + 1] += starts[size]
    for mask in rising:
        size = columns_in(mask)
        masks[starts[size]] = mask
        starts[size] += 1
