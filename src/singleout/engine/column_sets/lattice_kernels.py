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

from singleout.engine.codes.count_kernels import compiled

# what is counted of a set
CLASSES, SMALLEST, UNIQUE, AT_RISK, RISK, ENTROPY, PEOPLE_AT_RISK = range(7)
NUMBERS = 7
SMALL = 1024
WORTH_MERGING = 4

# `suffix` says which of the `suffixes` numbers the columns from each column on, or −1 where none does
Table = namedtuple("Table", "codes suffixes suffix persons entropy entropy_scale risk_bits allow")
# `marked` are the people at risk, `marks` lists them, and `tick[1]` says how many there are
Scratch = namedtuple("Scratch", "tick stamp number weight people last following touched marked marks stop")


@compiled
def entropy_part(size, scale):
    return numpy.int64(numpy.rint(size * math.log2(size) * scale)) if size > 1 else numpy.int64(0)


@compiled
def entropy_parts(sizes, scale):
    """size·log2(size) as a whole number, for each size."""
    parts = numpy.empty(len(sizes), dtype=numpy.int64)
    for place in range(len(sizes)):
        parts[place] = entropy_part(sizes[place], scale)
    return parts


@compiled
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


@compiled
def nothing():
    zero = numpy.int64(0)
    return zero, numpy.int64(1) << 62, zero, zero, zero, zero


@compiled
def with_class(counted, records, people, more, risk_bits, allow):
    classes, smallest, unique, at_risk, risk, entropy = counted
    found = numpy.int64(1) << risk_bits
    if records != people:
        found = (records << risk_bits) // people
    return (
        classes + 1,
        min(smallest, people),
        unique + (records if people == 1 else 0),
        at_risk + (records if people <= allow else 0),
        risk + found,
        entropy + more,
    )


@compiled
def both(one, other):
    return (
        one[0] + other[0],
        min(one[1], other[1]),
        one[2] + other[2],
        one[3] + other[3],
        one[4] + other[4],
        one[5] + other[5],
    )


@compiled
def tell(counted, named, scratch, told):
    for place in range(NUMBERS - 1):
        told[place] = counted[place]
    told[PEOPLE_AT_RISK] = scratch.tick[1] if named else counted[AT_RISK]


@compiled
def tally(keys, rows, weights, start, end, tick, stamp, number, weight, touched):
    """How many rows and records of a range have each key; returns how many keys there are."""
    found = 0
    for place in range(start, end):
        key = keys[rows[place]]
        if stamp[key] != tick:
            stamp[key] = tick
            number[key] = 1
            weight[key] = weights[place]
            touched[found] = key
            found += 1
        else:
            number[key] += 1
            weight[key] += weights[place]
    return found


@compiled
def tally_people(keys, rows, start, end, found, table, scratch):
    """How many people of a range have each key; those at risk are marked."""
    people, last, persons = scratch.people, scratch.last, table.persons
    for place in range(found):
        people[scratch.touched[place]] = 0
    for place in range(start, end):
        key, person = keys[rows[place]], persons[rows[place]]
        if people[key] == 0 or last[key] != person:
            last[key] = person
            people[key] += 1
    for place in range(start, end):
        person = persons[rows[place]]
        if people[keys[rows[place]]] <= table.allow and not scratch.marked[person]:
            scratch.marked[person] = True
            scratch.marks[scratch.tick[1]] = person
            scratch.tick[1] += 1


@compiled
def unmark(height, scratch):
    """Forget the people at risk that were marked since."""
    while scratch.tick[1] > height:
        scratch.tick[1] -= 1
        scratch.marked[scratch.marks[scratch.tick[1]]] = False


@compiled
def rows_in(starts, ends):
    rows = 0
    for each in range(len(starts)):
        rows += ends[each] - starts[each]
    return rows


@compiled
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
    live, top, made = nothing(), 0, 0
    for each in range(len(starts)):
        start, end = numpy.int64(starts[each]), numpy.int64(ends[each])
        tick += 1
        found = tally(keys, rows, weights, start, end, tick, stamp, number, weight, touched)
        if named:
            tally_people(keys, rows, start, end, found, table, scratch)
        first = top
        for place in range(found):
            key = touched[place]
            records = weight[key]
            more = entropy[records] if records < SMALL else entropy_part(records, scale)
            if number[key] == 1:
                final = with_class(final, records, people[key], more, bits, allow)
                following[key] = -1
                continue
            live = with_class(live, records, people[key], more, bits, allow)
            following[key] = top
            new_starts[made] = top
            top += number[key]
            new_ends[made] = top
            made += 1
        if top > first:
            for place in range(start, end):
                key = keys[rows[place]]
                target = following[key]
                if target >= 0:
                    following[key] = target + 1
                    new_rows[target] = rows[place]
                    new_weights[target] = weights[place]
    scratch.tick[0] = tick
    return new_rows[:top], new_weights[:top], new_starts[:made], new_ends[:made], final, live


@compiled
def merged(keys, rows, weights, starts, ends, final, table, scratch):
    """Rows of a class with the same key become one; a class of one row counts as final and is left out."""
    tick, stamp, place_of = scratch.tick[0], scratch.stamp, scratch.number
    entropy, scale, bits, allow = table.entropy, table.entropy_scale, table.risk_bits, table.allow
    named = len(table.persons) > 0
    active = rows_in(starts, ends)
    new_rows = numpy.empty(active, dtype=numpy.uint32)
    new_weights = numpy.empty(active, dtype=numpy.uint32)
    new_starts = numpy.empty(len(starts), dtype=numpy.uint32)
    new_ends = numpy.empty(len(starts), dtype=numpy.uint32)
    top, made = 0, 0
    for each in range(len(starts)):
        tick += 1
        first = top
        for place in range(starts[each], ends[each]):
            key = keys[rows[place]]
            if stamp[key] != tick:
                stamp[key] = tick
                place_of[key] = top
                new_rows[top] = rows[place]
                new_weights[top] = weights[place]
                top += 1
            else:
                new_weights[place_of[key]] += weights[place]
        if top - first == 1:
            top = first
            records = numpy.int64(new_weights[first])
            more = entropy[records] if records < SMALL else entropy_part(records, scale)
            final = with_class(final, records, numpy.int64(1) if named else records, more, bits, allow)
        else:
            new_starts[made] = first
            new_ends[made] = top
            made += 1
    scratch.tick[0] = tick
    return new_rows[:top], new_weights[:top], new_starts[:made], new_ends[:made], final


@compiled
def count(keys, rows, weights, starts, ends, counted, table, scratch):
    """Count the classes by one more column, and leave them as they are."""
    tick, stamp, number, weight = scratch.tick[0], scratch.stamp, scratch.number, scratch.weight
    touched = scratch.touched
    entropy, scale, bits, allow = table.entropy, table.entropy_scale, table.risk_bits, table.allow
    named = len(table.persons) > 0
    people = scratch.people if named else weight
    for each in range(len(starts)):
        start, end = numpy.int64(starts[each]), numpy.int64(ends[each])
        tick += 1
        found = tally(keys, rows, weights, start, end, tick, stamp, number, weight, touched)
        if named:
            tally_people(keys, rows, start, end, found, table, scratch)
        for place in range(found):
            key = touched[place]
            records = weight[key]
            more = entropy[records] if records < SMALL else entropy_part(records, scale)
            counted = with_class(counted, records, people[key], more, bits, allow)
    scratch.tick[0] = tick
    return counted


@compiled
def highest_bit(mask):
    bit = -1
    while mask:
        mask >>= 1
        bit += 1
    return bit


@compiled
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
            for place in range(low, high):
                tell(final, named, scratch, out[place])
            return 0
        bit = highest_bit(masks[high - 1] & below)
        column = table.codes.shape[0] - 1 - bit
        if merging and high - low >= WORTH_MERGING and table.suffix[column] >= 0:
            keys = table.suffixes[table.suffix[column]]
            rows, weights, starts, ends, final = merged(
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
                new_final, both(live, new_final), table, scratch, out,
            )  # fmt: skip
        unmark(height, scratch)
        high, merging = middle, True
    return 0
