"""The compiled loops that count codes: exact, and with the same answer on any number of threads."""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop

MIX = numpy.uint64(0x9E3779B97F4A7C15)
HALF = numpy.uint64(32)
WORD = numpy.uint64(64)
EMPTY = numpy.uint32(0xFFFFFFFF)


@compile_loop
def count_each(codes, count):
    """How many rows have each code."""
    found = numpy.zeros(count, dtype=numpy.int64)
    for code in codes:
        found[code] += 1
    return found


@compile_loop
def order_by(codes, count):
    """A stable counting sort: where each code's rows start, and the rows in that order."""
    starts = numpy.zeros(count + 1, dtype=numpy.int64)
    for code in codes:
        starts[code + 1] += 1
    for index in range(count):
        starts[index + 1] += starts[index]
    following = starts[:-1].copy()
    order = numpy.empty(len(codes), dtype=numpy.uint32)
    for row in range(len(codes)):
        code = codes[row]
        order[following[code]] = row
        following[code] += 1
    return starts, order


@compile_loop
def count_people(values, count, starts, order, first, last):
    """Records and distinct people of each value, over the persons first … last−1 only.

    Walking person by person, a value is new to a person unless that person was the last one seen with it.
    """
    records = numpy.zeros(count, dtype=numpy.uint32)
    people = numpy.zeros(count, dtype=numpy.uint32)
    last_seen = numpy.zeros(count, dtype=numpy.uint32)
    for person in range(first, last):
        stamp = numpy.uint32(person + 1)
        for index in range(starts[person], starts[person + 1]):
            value = values[order[index]]
            records[value] += 1
            if last_seen[value] != stamp:
                last_seen[value] = stamp
                people[value] += 1
    return records, people


@compile_loop
def count_people_alone(values, people, starts, order):
    """People with at least one record whose value only they have."""
    alone = 0
    for person in range(len(starts) - 1):
        for index in range(starts[person], starts[person + 1]):
            if people[values[order[index]]] == 1:
                alone += 1
                break
    return alone


@compile_loop
def part_of(key, shift):
    """The part of the key space a key belongs to; shift 64 means a single part."""
    mixed = (key ^ (key >> HALF)) * MIX
    return numpy.int64(0) if shift == WORD else numpy.int64(mixed >> shift)


@compile_loop
def count_parts(keys, shift, parts):
    rows = numpy.zeros(parts, dtype=numpy.int64)
    for key in keys:
        rows[part_of(key, shift)] += 1
    return rows


@compile_loop
def number_part(keys, shift, part, slots, ids):
    """Give equal keys of one part equal numbers 0, 1, …, by a hash table that holds the whole key."""
    held = numpy.empty(slots, dtype=numpy.uint64)
    number = numpy.full(slots, EMPTY, dtype=numpy.uint32)
    mask = numpy.uint64(slots - 1)
    found = numpy.uint32(0)
    for row in range(len(keys)):
        key = keys[row]
        if part_of(key, shift) != part:
            continue
        slot = (((key ^ (key >> HALF)) * MIX) >> numpy.uint64(8)) & mask
        while number[slot] != EMPTY and held[slot] != key:
            slot = (slot + numpy.uint64(1)) & mask
        if number[slot] == EMPTY:
            held[slot] = key
            number[slot] = found
            found += numpy.uint32(1)
        ids[row] = number[slot]
    return found


@compile_loop
def add_part_starts(keys, shift, starts, ids):
    for row in range(len(keys)):
        ids[row] += starts[part_of(keys[row], shift)]


@compile_loop
def count_small_pairs(records, people, side):
    """How many groups have each pair (records, people) with both below `side`, and how many do not."""
    table = numpy.zeros((side, side), dtype=numpy.int64)
    large = 0
    for group in range(len(records)):
        if records[group] < side:
            table[records[group], people[group]] += 1
        else:
            large += 1
    return table, large
