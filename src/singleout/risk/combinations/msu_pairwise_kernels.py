"""The compiled loops over all sets of a few columns at once, one row at a time: a bit for each set.

Bit S of `hidden` says that a row is not found by the columns of S: too many others agree with it in them.
Whoever agrees in S agrees in all of its subsets, so the agreements are marked first and then handed down.
"""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop
from singleout.risk.combinations.msu_walk_kernels import NONE, ONE, columns_in

COMPARED = 2048
WORD_COLUMNS = 6
# of the 64 sets of a word those with its column 0, 1, …, 5
HAVING = numpy.array(
    [0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
     0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000],
    dtype=numpy.uint64,
)  # fmt: skip
IN_WORD = numpy.uint64(63)
WORD_BITS = numpy.uint64(WORD_COLUMNS)


@compile_loop
def smallest_sets(columns, persons, records, rows, allow, largest):
    """How many minimal sets each of the rows has, and all of them, by size and then by mask."""
    words = 1 << max(len(columns) - WORD_COLUMNS, 0)
    hidden, minimal = numpy.empty(words, dtype=numpy.uint64), numpy.empty(words, dtype=numpy.uint64)
    agree = numpy.empty(COMPARED, dtype=numpy.uint32)
    people = numpy.empty(1 << len(columns) if allow > 1 else 0, dtype=numpy.int64)
    number = numpy.zeros(len(rows), dtype=numpy.int64)
    masks = numpy.empty(1024, dtype=numpy.uint64)
    end = 0
    for index in range(len(rows)):
        if allow == 1:
            mark_others(columns, persons, rows[index], agree, hidden)
        else:
            mark_crowds(columns, records, rows[index], allow, agree, people, hidden)
        keep_minimal(hidden, len(columns), minimal)
        by_size = sizes_of(minimal, largest)
        number[index] = by_size.sum()
        masks = make_room(masks, end, number[index])
        fill(minimal, largest, by_size, masks, end)
        end += number[index]
    return number, masks[:end].copy()


@compile_loop
def compare(columns, row, first, last, agree):
    """The columns in which each of the rows from … to − 1 has this row's value."""
    agree[: last - first] = 0
    for column in range(len(columns)):
        codes, bit = columns[column, first:last], numpy.uint32(1 << column)
        own = columns[column, row]
        for index in range(len(codes)):
            agree[index] |= bit if codes[index] == own else numpy.uint32(0)


@compile_loop
def mark_others(columns, persons, row, agree, hidden):
    """Hidden is what another person agrees in."""
    hidden[:] = NONE
    for first in range(0, columns.shape[1], COMPARED):
        last = min(first + COMPARED, columns.shape[1])
        compare(columns, row, first, last, agree)
        for index in range(last - first):
            if persons[first + index] != persons[row]:
                mask = numpy.uint64(agree[index])
                hidden[mask >> WORD_BITS] |= ONE << (mask & IN_WORD)
    for word in range(len(hidden)):
        hidden[word] = hand_down(hidden[word])
    step = 1
    while step < len(hidden):
        for start in range(0, len(hidden), 2 * step):
            for word in range(start, start + step):
                hidden[word] |= hidden[word + step]
        step *= 2


@compile_loop
def hand_down(word):
    for column in range(WORD_COLUMNS):
        word |= (word & HAVING[column]) >> numpy.uint64(1 << column)
    return word


@compile_loop
def mark_crowds(columns, records, row, allow, agree, people, hidden):
    """Hidden is what more than `allow` records agree in, the row's own among them."""
    people[:] = 0
    for first in range(0, columns.shape[1], COMPARED):
        last = min(first + COMPARED, columns.shape[1])
        compare(columns, row, first, last, agree)
        for index in range(last - first):
            people[agree[index]] += records[first + index]
    step = 1
    while step < len(people):
        for start in range(0, len(people), 2 * step):
            for mask in range(start, start + step):
                people[mask] += people[mask + step]
        step *= 2
    hidden[:] = NONE
    for mask in range(len(people)):
        if people[mask] > allow:
            hidden[mask >> WORD_COLUMNS] |= ONE << (numpy.uint64(mask) & IN_WORD)


@compile_loop
def keep_minimal(hidden, columns, minimal):
    """A set is minimal if it is not hidden, and is without any one of its columns."""
    real = ~NONE if columns >= WORD_COLUMNS else (ONE << numpy.uint64(1 << columns)) - ONE
    for word in range(len(hidden)):
        found = ~hidden[word] & real
        for column in range(WORD_COLUMNS):
            has = HAVING[column]
            found &= ~has | (hidden[word] & ~has) << numpy.uint64(1 << column)
        minimal[word] = found
    step = 1
    while step < len(hidden):
        for start in range(0, len(hidden), 2 * step):
            for word in range(start, start + step):
                minimal[word + step] &= hidden[word]
        step *= 2


@compile_loop
def lowest_bit(word):
    """The place of the lowest bit."""
    return columns_in((word & (~word + ONE)) - ONE)


@compile_loop
def sizes_of(minimal, largest):
    """How many sets there are of each size up to the largest."""
    by_size = numpy.zeros(largest + 1, dtype=numpy.int64)
    for word in range(len(minimal)):
        left, size = minimal[word], columns_in(numpy.uint64(word))
        while left:
            more = size + columns_in(numpy.uint64(lowest_bit(left)))
            if more <= largest:
                by_size[more] += 1
            left &= left - ONE
    return by_size


@compile_loop
def fill(minimal, largest, by_size, masks, end):
    """Put the sets from `end` on, the smallest first."""
    following = end + numpy.cumsum(by_size) - by_size
    for word in range(len(minimal)):
        left, size = minimal[word], columns_in(numpy.uint64(word))
        while left:
            bit = lowest_bit(left)
            more = size + columns_in(numpy.uint64(bit))
            if more <= largest:
                masks[following[more]] = numpy.uint64(word << WORD_COLUMNS | bit)
                following[more] += 1
            left &= left - ONE


@compile_loop
def make_room(masks, end, more):
    if end + more <= len(masks):
        return masks
    larger = numpy.empty(max(end + more, 2 * len(masks)), dtype=numpy.uint64)
    larger[:end] = masks[:end]
    return larger
