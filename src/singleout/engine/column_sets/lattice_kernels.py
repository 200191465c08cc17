"""The compiled walk over sets of columns: each set's classes are split from those of a smaller set.

Classes are ranges of an array of rows. A class of one row can't split any more and leaves the walk: it counts
the same in every larger set. When a column is left out, rows of a class that differ only there become one row
with the sum of their weights. Rows stay in the order of their persons, so that a person is new to a class
unless it was the last one seen there.

Sets are bit masks in rising order, the column decided first in the highest bit: all sets that share the
columns taken so far stand together.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy

from singleout.engine.codes.loop_compiler import compile_loop

# what is counted of a set
CLASSES, SMALLEST, UNIQUE, AT_RISK, RISK, ENTROPY, PEOPLE_AT_RISK = range(7)
NUMBERS = 7
SMALL = 1024
WORTH_MERGING = 4

# `suffix` says which of the `suffixes` numbers the columns from each column on, or −1 where none does
Table = namedtuple("Table", "codes suffixes suffix persons entropy entropy_scale risk_bits allow")
# `marked` are the people at risk, `marks` lists them, and `tick[1]` says how many there are
Scratch = namedtuple("Scratch", "tick stamp number weight people last following touched marked marks stop")


@compile_loop
def entropy_part(size, scale):
    return numpy.int64(numpy.rint(size * math.log2(size) * scale)) if size > 1 else numpy.int64(0)


@compile_loop
def entropy_parts(sizes, scale):
    """size·log2(size) as a whole number, for each size."""
    parts = numpy.empty(len(sizes), dtype=numpy.int64)
    for index in range(len(sizes)):
        parts[index] = entropy_part(sizes[index], scale)
    return parts


@compile_loop
def determines(codes, other, values):
    """Whether records with the same code have the same code in the other column."""
    known = numpy.full(values, -1, dtype=numpy.int64)
    for row in range(len(codes)):
        code = codes[row]
        if known[code] < 0:
            known[code] = other[row]
        elif known[code] != other[row]:
            return False
    return True


@compile_loop
def no_counts():
    zero = numpy.int64(0)
    return zero, numpy.int64(1) << 62, zero, zero, zero, zero


@compile_loop
def add_class(counted, records, people, more, risk_bits, allow):
    classes, smallest, unique, at_risk, risk, entropy = counted
    class_risk = numpy.int64(1) << risk_bits
    if records != people:
        class_risk = (records << risk_bits) // people
    return (
        classes + 1,
        min(smallest, people),
        unique + (records if people == 1 else 0),
        at_risk + (records if people <= allow else 0),
        risk + class_risk,
        entropy + more,
    )


@compile_loop
def add_counts(one, other):
    return (
        one[0] + other[0],
        min(one[1], other[1]),
        one[2] + other[2],
        one[3] + other[3],
        one[4] + other[4],
        one[5] + other[5],
    )


@compile_loop
def tell(counted, named, scratch, out):
    for index in range(NUMBERS - 1):
        out[index] = counted[index]
    out[PEOPLE_AT_RISK] = scratch.tick[1] if named else counted[AT_RISK]


@compile_loop
def tally(keys, rows, weights, start, end, tick, stamp, number, weight, touched):
    """How many rows and records of a range have each key; returns how many keys there are."""
    distinct = 0
    for index in range(start, end):
        key = keys[rows[index]]
        if stamp[key] != tick:
            stamp[key] = tick
            number[key] = 1
            weight[key] = weights[index]
            touched[distinct] = key
            distinct += 1
        else:
            number[key] += 1
            weight[key] += weights[index]
    return distinct


@compile_loop
def tally_people(keys, rows, start, end, distinct, table, scratch):
    """How many people of a range have each key; those at risk are marked."""
    people, last, persons = scratch.people, scratch.last, table.persons
    for index in range(distinct):
        people[scratch.touched[index]] = 0
    for index in range(start, end):
        key, person = keys[rows[index]], persons[rows[index]]
        if people[key] == 0 or last[key] != person:
            last[key] = person
            people[key] += 1
    for index in range(start, end):
        person = persons[rows[index]]
        if people[keys[rows[index]]] <= table.allow and not scratch.marked[person]:
            scratch.marked[person] = True
            scratch.marks[scratch.tick[1]] = person
            scratch.tick[1] += 1


@compile_loop
def unmark(height, scratch):
    """Forget the people at risk that were marked since."""
    while scratch.tick[1] > height:
        scratch.tick[1] -= 1
        scratch.marked[scratch.marks[scratch.tick[1]]] = False


@compile_loop
def rows_in(starts, ends):
    rows = 0
    for each in range(len(starts)):
        rows += ends[each] - starts[each]
    return rows


@compile_loop
def split(keys, rows, weights, starts, ends, final, table, scratch):
    """The classes by one more column: those of one row count as final, the others are returned."""
    tick, stamp, number, weight = scratch.tick[0], scratch.stamp, scratch.number, scratch.weight
    following, touched = scratch.following, scratch.touched
    entropy, scale, bits, allow = table.entropy, table.entropy_scale, table.risk_bits, table.allow
    named = len(table.persons) > 0
    people = scratch.people if named else weight
    active = rows_in(starts, ends)
    new_rows = numpy.empty(active, dtype=numpy.uint32)
    new_weights = numpy.empty(active, dtype=numpy.uint32)
    new_starts = numpy.empty(active // 2, dtype=numpy.uint32)
    new_ends = numpy.empty(active // 2, dtype=numpy.uint32)
    live, top, made = no_counts(), 0, 0
    for group in range(len(starts)):
        start, end = numpy.int64(starts[group]), numpy.int64(ends[group])
        tick += 1
        distinct = tally(keys, rows, weights, start, end, tick, stamp, number, weight, touched)
        if named:
            tally_people(keys, rows, start, end, distinct, table, scratch)
        first = top
        for index in range(distinct):
            key = touched[index]
            records = weight[key]
            more = entropy[records] if records < SMALL else entropy_part(records, scale)
            if number[key] == 1:
                final = add_class(final, records, people[key], more, bits, allow)
                following[key] = -1
                continue
            live = add_class(live, records, people[key], more, bits, allow)
            following[key] = top
            new_starts[made] = top
            top += number[key]
            new_ends[made] = top
            made += 1
        if top > first:
            for index in range(start, end):
                key = keys[rows[index]]
                target = following[key]
                if target >= 0:
                    following[key] = target + 1
                    new_rows[target] = rows[index]
                    new_weights[target] = weights[index]
    scratch.tick[0] = tick
    return new_rows[:top], new_weights[:top], new_starts[:made], new_ends[:made], final, live


@compile_loop
def merge(keys, rows, weights, starts, ends, final, table, scratch):
    """Rows of a class with the same key become one; a class of one row counts as final and is left out."""
    tick, stamp, index_of = scratch.tick[0], scratch.stamp, scratch.number
    entropy, scale, bits, allow = table.entropy, table.entropy_scale, table.risk_bits, table.allow
    named = len(table.persons) > 0
    active = rows_in(starts, ends)
    new_rows = numpy.empty(active, dtype=numpy.uint32)
    new_weights = numpy.empty(active, dtype=numpy.uint32)
    new_starts = numpy.empty(len(starts), dtype=numpy.uint32)
    new_ends = numpy.empty(len(starts), dtype=numpy.uint32)
    top, made = 0, 0
    for group in range(len(starts)):
        tick += 1
        first = top
        for index in range(starts[group], ends[group]):
            key = keys[rows[index]]
            if stamp[key] != tick:
                stamp[key] = tick
                index_of[key] = top
                new_rows[top] = rows[index]
                new_weights[top] = weights[index]
                top += 1
            else:
                new_weights[index_of[key]] += weights[index]
        if top - first == 1:
            top = first
            records = numpy.int64(new_weights[first])
            more = entropy[records] if records < SMALL else entropy_part(records, scale)
            final = add_class(final, records, numpy.int64(1) if named else records, more, bits, allow)
        else:
            new_starts[made] = first
            new_ends[made] = top
            made += 1
    scratch.tick[0] = tick
    return new_rows[:top], new_weights[:top], new_starts[:made], new_ends[:made], final


@compile_loop
def count(keys, rows, weights, starts, ends, counted, table, scratch):
    """Count the classes by one more column, and leave them as they are."""
    tick, stamp, number, weight = scratch.tick[0], scratch.stamp, scratch.number, scratch.weight
    touched = scratch.touched
    entropy, scale, bits, allow = table.entropy, table.entropy_scale, table.risk_bits, table.allow
    named = len(table.persons) > 0
    people = scratch.people if named else weight
    for group in range(len(starts)):
        start, end = numpy.int64(starts[group]), numpy.int64(ends[group])
        tick += 1
        distinct = tally(keys, rows, weights, start, end, tick, stamp, number, weight, touched)
        if named:
            tally_people(keys, rows, start, end, distinct, table, scratch)
        for index in range(distinct):
            key = touched[index]
            records = weight[key]
            more = entropy[records] if records < SMALL else entropy_part(records, scale)
            counted = add_class(counted, records, people[key], more, bits, allow)
    scratch.tick[0] = tick
    return counted


@compile_loop
def highest_bit(mask):
    bit = -1
    while mask:
        mask >>= 1
        bit += 1
    return bit


@compile_loop
def walk(masks, low, high, below, rows, weights, starts, ends, final, total, table, scratch, out):
    """Count the sets masks[low:high]; they agree on all columns but those in the bits `below`."""
    named = len(table.persons) > 0
    height = scratch.tick[1]
    if masks[low] & below == 0:
        tell(total, named, scratch, out[low])
        low += 1
    merging = False
    while low < high and not scratch.stop[0]:
        if len(starts) == 0:
            for index in range(low, high):
                tell(final, named, scratch, out[index])
            return 0
        bit = highest_bit(masks[high - 1] & below)
        column = table.codes.shape[0] - 1 - bit
        if merging and high - low >= WORTH_MERGING and table.suffix[column] >= 0:
            keys = table.suffixes[table.suffix[column]]
            rows, weights, starts, ends, final = merge(
                keys, rows, weights, starts, ends, final, table, scratch
            )
        here = numpy.int64(1) << bit
        middle = high
        while middle > low and masks[middle - 1] & here:
            middle -= 1
        below = here - 1
        codes = table.codes[column]
        if high - middle == 1 and masks[middle] & below == 0:
            counted = count(codes, rows, weights, starts, ends, final, table, scratch)
            tell(counted, named, scratch, out[middle])
        else:
            new_rows, new_weights, new_starts, new_ends, new_final, live = split(
                codes, rows, weights, starts, ends, final, table, scratch
            )
            walk(
                masks, middle, high, below, new_rows, new_weights, new_starts, new_ends,
                new_final, add_counts(live, new_final), table, scratch, out,
            )  # fmt: skip
        unmark(height, scratch)
        high, merging = middle, True
    return 0
