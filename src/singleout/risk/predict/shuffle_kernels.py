"""The compiled loops that arrange values at random and count equal rows: exact, each shuffle for itself."""

from __future__ import annotations

import numpy

from singleout.engine.codes.count_kernels import HALF, MIX
from singleout.engine.codes.loop_compiler import compile_loop
from singleout.engine.codes.random_kernels import draw_below, shuffle_range

SLOTS_A_RECORD = 8


@compile_loop
def shuffle_blocks(values, starts, movable, state):
    """Shuffle each block for itself; a block's places from `movable` on hold its most frequent value."""
    for block in range(len(movable)):
        state = shuffle_range(values, starts[block], movable[block], starts[block + 1], state)


@compile_loop
def deal(blocks, starts, parent, values):
    """Each row takes the next value of its parent value's block."""
    following = starts[:-1].copy()
    for row in range(len(parent)):
        value = parent[row]
        values[row] = blocks[following[value]]
        following[value] += 1


@compile_loop
def count_pinned(values, pinned, given, radix, cells):
    """How many pinned rows each cell has; `cells` are sorted keys given·radix + value."""
    counts = numpy.zeros(len(cells), dtype=numpy.int64)
    for row in range(len(values)):
        if pinned[row]:
            key = numpy.int64(given[row]) * radix + numpy.int64(values[row])
            cell = numpy.searchsorted(cells, key)
            if cell < len(cells) and cells[cell] == key:
                counts[cell] += 1
    return counts


@compile_loop
def pin(values, pinned, left, rows, starts, cells, missing, state):
    """Put `missing` more of a value into free rows with the given value, chosen at random; what fell short.

    `rows` lists the rows of each given value from its start on; a row that was drawn is taken off the list.
    """
    ends = starts[1:].copy()
    short = 0
    for cell in range(len(missing)):
        value, given = cells[0, cell], cells[1, cell]
        wanted = missing[cell]
        while wanted > 0 and left[value] > 0 and ends[given] > starts[given]:
            position, state = draw_below(ends[given] - starts[given], state)
            ends[given] -= 1
            position += starts[given]
            row = rows[position]
            rows[position] = rows[ends[given]]
            if not pinned[row]:
                values[row] = value
                pinned[row] = True
                left[value] -= 1
                wanted -= 1
        short += max(0, wanted)
    return short


@compile_loop
def add_digit(keys, codes, radix):
    for row in range(len(keys)):
        keys[row] = keys[row] * radix + codes[row]


@compile_loop
def count_blocks(keys, sizes, space, gains):
    """Distinct keys inside each block, added up, and Σ count·log2(count) over them.

    A block's counts lie in an array where the keys are few, else in a hash table that holds the whole key.
    `gains` says what one more record adds to a small class; the sum of a large one is settled at the end.
    """
    largest = sizes.max()
    counts = numpy.empty(max(slots_for(largest), min(space, SLOTS_A_RECORD * largest)), dtype=numpy.uint32)
    held = numpy.empty(slots_for(largest), dtype=keys.dtype)
    large = numpy.empty(largest // len(gains) + 1, dtype=numpy.int64)
    distinct = 0
    spread = 0.0
    start = 0
    for size in sizes:
        block = keys[start : start + size]
        start += size
        if size == 1:
            distinct += 1
        elif space <= SLOTS_A_RECORD * size:
            classes, more = count_by_index(block, counts[:space], gains, large)
            distinct += classes
            spread += more
        else:
            slots = slots_for(size)
            classes, more = count_by_hash(block, counts[:slots], held[:slots], gains, large)
            distinct += classes
            spread += more
    return distinct, spread


@compile_loop
def slots_for(size):
    """A power of two, so that a table is at most half full."""
    slots = 4
    while slots < 2 * size:
        slots *= 2
    return slots


@compile_loop
def count_by_index(keys, counts, gains, large):
    counts[:] = 0
    distinct = 0
    spread = 0.0
    beyond = 0
    for key in keys:
        count = counts[key]
        counts[key] = count + 1
        distinct += count == 0
        if count < len(gains):
            spread += gains[count]
        elif count == len(gains):
            large[beyond] = key
            beyond += 1
    return distinct, spread + gains_beyond(counts, large[:beyond], len(gains))


@compile_loop
def count_by_hash(keys, counts, held, gains, large):
    counts[:] = 0
    mask = numpy.uint64(len(counts) - 1)
    distinct = 0
    spread = 0.0
    beyond = 0
    for key in keys:
        wide = numpy.uint64(key)
        slot = (((wide ^ (wide >> HALF)) * MIX) >> HALF) & mask
        # both sides are evaluated: one branch that is nearly always taken is faster than two
        while (counts[slot] != 0) & (held[slot] != key):
            slot = (slot + numpy.uint64(1)) & mask
        count = counts[slot]
        held[slot] = key
        counts[slot] = count + 1
        distinct += count == 0
        if count < len(gains):
            spread += gains[count]
        elif count == len(gains):
            large[beyond] = slot
            beyond += 1
    return distinct, spread + gains_beyond(counts, large[:beyond], len(gains))


@compile_loop
def gains_beyond(counts, large, limit):
    """What the classes above the limit lack in Σ count·log2(count)."""
    spread = 0.0
    for slot in large:
        count = numpy.float64(counts[slot])
        spread += count * numpy.log2(count) - limit * numpy.log2(limit)
    return spread
