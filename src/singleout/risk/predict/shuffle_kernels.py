"""The compiled loops that arrange values at random and count equal rows: exact, each shuffle for itself."""

from __future__ import annotations

import numpy

from singleout.engine.codes.count_kernels import HALF, MIX, compiled
from singleout.engine.codes.random_kernels import drawn_below, shuffle_range

SLOTS_A_RECORD = 8


@compiled
def shuffle_blocks(values, starts, movable, state):
    """Shuffle each block for itself; a block's places from `movable` on hold its most frequent value."""
    for block in range(len(movable)):
        state = shuffle_range(values, starts[block], movable[block], starts[block + 1], state)


@compiled
def deal(blocks, starts, parent, dealt):
    """Each row takes the next value of its parent value's block."""
    following = starts[:-1].copy()
    for row in range(len(parent)):
        value = parent[row]
        dealt[row] = blocks[following[value]]
        following[value] += 1


@compiled
def count_pinned(values, pinned, given, radix, cells):
    """How many pinned rows each cell has; `cells` are sorted keys given·radix + value."""
    found = numpy.zeros(len(cells), dtype=numpy.int64)
    for row in range(len(values)):
        if pinned[row]:
            key = numpy.int64(given[row]) * radix + numpy.int64(values[row])
            place = numpy.searchsorted(cells, key)
            if place < len(cells) and cells[place] == key:
                found[place] += 1
    return found


@compiled
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
            place, state = drawn_below(ends[given] - starts[given], state)
            ends[given] -= 1
            place += starts[given]
            row = rows[place]
            rows[place] = rows[ends[given]]
            if not pinned[row]:
                values[row] = value
                pinned[row] = True
                left[value] -= 1
                wanted -= 1
        short += max(0, wanted)
    return short


@compiled
def add_digit(keys, codes, radix):
    for row in range(len(keys)):
        keys[row] = keys[row] * radix + codes[row]


@compiled
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
            found, more = count_by_place(block, counts[:space], gains, large)
            distinct += found
            spread += more
        else:
            slots = slots_for(size)
            found, more = count_by_hash(block, counts[:slots], held[:slots], gains, large)
            distinct += found
            spread += more
    return distinct, spread


@compiled
def slots_for(size):
    """A power of two, so that a table is at most half full."""
    slots = 4
    while slots < 2 * size:
        slots *= 2
    return slots


@compiled
def count_by_place(keys, counts, gains, large):
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


@compiled
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


@compiled
def gains_beyond(counts, large, limit):
    """What the classes above the limit lack in Σ count·log2(count)."""
    spread = 0.0
    for place in large:
        count = numpy.float64(counts[place])
        spread += count * numpy.log2(count) - limit * numpy.log2(limit)
    return spread
