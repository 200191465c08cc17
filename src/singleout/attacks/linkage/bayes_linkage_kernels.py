"""The compiled loops that add up how likely released records are, given each person's records.

An index is the original's entries (a person's equal records are one, with a count) in an order in which those
that a released record may come from stand together; several of them stand one after the other. A `space` is
(codes, person, count, key columns of each index, all records, entries of an index), `models` (kinds, settings,
offsets, tables, sizes) are those of column_likelihood.LikelihoodTables, and `asked` is (codes, missing, index,
first, last, total) of the released records: where in which index they may come from, and what all entries there make
together, −1 until that was looked up. `held` is (starts, row, copies): which released records people have.
"""

from __future__ import annotations

import math

import numpy

from singleout.attacks.linkage.record_vote_kernels import list_by_votes
from singleout.engine.codes.count_kernels import compile_inner_loop, compile_loop

REDRAWN, MATRIX, UNIFORM, NORMAL, LAPLACE, DAYS = range(6)
# a term is rounded finely, so that sums are the same in any order, and a score 4,096 times more coarsely
TERM_STEPS = 2.0**34
SCORE_STEP = numpy.int64(2**12)
WHOLE_DAY = 1e-6
# intervals that share less of their length only touch, and binary digits make it look otherwise
TOUCH = 1e-7
ROOT_2 = math.sqrt(2.0)
PEAK = 1 / math.sqrt(2 * math.pi)


@compile_inner_loop
def noise_likelihood(kind, apart, scale, half):
    """How likely noise lies within `half` of `apart`, which is at least 0; its density where that is 0."""
    if kind == UNIFORM:
        if half == 0:
            return 0.5 / scale
        within = min(apart + half, scale) - max(apart - half, -scale)
        return within * (0.5 / scale) if within > TOUCH * min(half, scale) else 0.0
    if kind == NORMAL:
        if half == 0:
            return PEAK / scale * math.exp(-0.5 * (apart / scale) ** 2)
        width = scale * ROOT_2
        return 0.5 * (math.erfc((apart - half) / width) - math.erfc((apart + half) / width))
    if half == 0:
        return 0.5 / scale * math.exp(-apart / scale)
    if apart >= half:
        return math.exp(-apart / scale) * math.sinh(half / scale)
    return 1 - math.exp(-half / scale) * math.cosh(apart / scale)


@compile_inner_loop
def moved_likelihood(kind, released, original, scale, half, relative, reach):
    apart = abs(released - original)
    if kind == DAYS:
        whole = abs(apart - numpy.rint(apart)) <= WHOLE_DAY
        return 1 / (2 * scale + 1) if whole and apart <= scale + WHOLE_DAY else 0.0
    slack = 1e-9 * (abs(released) + abs(original) + scale)
    if relative:
        unit = abs(original)
        if unit == 0:
            return 1.0 if apart <= half else 0.0
        if apart > reach * unit + half + slack:
            return 0.0
        likely = noise_likelihood(kind, apart / unit, scale, half / unit)
        return likely if half else likely / unit
    return noise_likelihood(kind, apart, scale, half) if apart <= reach + half + slack else 0.0


@compile_inner_loop
def value_likelihood(own, other, column, models):
    """How likely the code `own` is released where `other` is the original one."""
    kinds, settings, offsets, tables, sizes = models
    kind, start = kinds[column], offsets[column]
    if kind == REDRAWN:
        return tables[start + own] + (settings[column, 0] if own == other else 0.0)
    if kind == MATRIX:
        return tables[start + own * sizes[column] + other]
    released, original = tables[start + own], tables[start + other]
    if math.isnan(released) or math.isnan(original):
        return 1.0 if own == other else 0.0
    return moved_likelihood(
        kind, released, original, settings[column, 0], settings[column, 1], settings[column, 2] != 0,
        settings[column, 3],
    )  # fmt: skip


@compile_inner_loop
def columns_to_compare(row, asked, space, columns):
    """Those in which the released record has a value, and in which entries of its index may differ."""
    missing, index, keys = asked[1], asked[2], space[3]
    found = 0
    for column in range(missing.shape[1]):
        if not missing[row, column] and not keys[index[row], column]:
            columns[found] = column
            found += 1
    return found


@compile_inner_loop
def entry_likelihood(own, entry, columns, space, models):
    codes, count = space[0], space[2]
    likely = float(count[entry])
    for column in columns:
        likely *= value_likelihood(own[column], codes[entry, column], column, models)
        if likely == 0:
            break
    return likely


@compile_inner_loop
def term_of(likely, records, total, all_records, odds):
    """log(1 + (1 − ε)/ε · mean/p) in whole steps: the person's mean over how common the record is."""
    ratio = (likely / records) / (total / all_records)
    return numpy.int64(numpy.rint(math.log1p(odds * ratio) * TERM_STEPS))


@compile_inner_loop
def rounded_score(points):
    return (points + SCORE_STEP // 2) // SCORE_STEP


@compile_inner_loop
def add_record(row, copies, asked, space, models, records, odds, memory, touched, some):
    """Add what one released record says of all people that it may be of; returns how many are touched."""
    codes, _, _, first, last, total = asked
    likely, near, points, columns = memory
    owner = space[1]
    compared = columns[: columns_to_compare(row, asked, space, columns)]
    near_by, whole = 0, 0.0
    for entry in range(first[row], last[row]):
        value = entry_likelihood(codes[row], entry, compared, space, models)
        if value > 0:
            who = owner[entry]
            if likely[who] == 0:
                near[near_by] = who
                near_by += 1
            likely[who] += value
            whole += value
    total[row] = whole
    seen_likely, seen_records, term = -1.0, numpy.int64(0), numpy.int64(0)
    for index in range(near_by):
        who = near[index]
        if likely[who] != seen_likely or records[who] != seen_records:
            seen_likely, seen_records = likely[who], records[who]
            term = term_of(seen_likely, seen_records, whole, space[4], odds) * copies
        likely[who] = 0
        if points[who] == 0 and term:
            touched[some] = who
            some += 1
        points[who] += term
    return some


@compile_loop
def likeliest_people(first, last, held, asked, space, models, records, odds, person, points, tied):
    """The people with the highest scores for the released persons first … last−1."""
    starts, row, copies = held
    people = len(records)
    memory = (
        numpy.zeros(people), numpy.empty(people, dtype=numpy.int64), numpy.zeros(people, dtype=numpy.int64),
        numpy.empty(asked[0].shape[1], dtype=numpy.int64),
    )  # fmt: skip
    touched, sums = numpy.empty(people, dtype=numpy.int64), memory[2]
    for asker in range(first, last):
        some = 0
        for index in range(starts[asker], starts[asker + 1]):
            some = add_record(
                row[index], copies[index], asked, space, models, records, odds, memory, touched, some
            )
        above = 0
        for who in touched[:some]:
            sums[who] = rounded_score(sums[who])
            above += sums[who] > 0
        list_by_votes(touched[:some], sums, above, person[asker], points[asker], tied[asker : asker + 1])
        sums[touched[:some]] = 0


@compile_inner_loop
def fill_total(row, asked, space, models, columns):
    """What all entries that a released record may come from make together, in their order."""
    codes, _, _, first, last, total = asked
    whole = 0.0
    for entry in range(first[row], last[row]):
        whole += entry_likelihood(codes[row], entry, columns, space, models)
    total[row] = whole


@compile_inner_loop
def first_within(own, begin, end, least):
    """The first of the rising entries begin … end−1 that is at least so high."""
    while begin < end:
        middle = (begin + end) // 2
        if own[middle] < least:
            begin = middle + 1
        else:
            end = middle
    return begin


@compile_loop
def scores_of_pairs(
    first, last, left, right, held, own, own_starts, asked, space, models, records, odds, points
):
    """The scores of pairs of people; `own` has each person's entries of every index, rising."""
    starts, row_of, copies = held
    codes, _, index_of, begins, ends, total = asked
    room = numpy.empty(codes.shape[1], dtype=numpy.int64)
    for pair in range(first, last):
        who, points[pair] = right[pair], 0
        for at in range(starts[left[pair]], starts[left[pair] + 1]):
            row = row_of[at]
            columns = room[: columns_to_compare(row, asked, space, room)]
            start = index_of[row] * space[5]
            end = start + own_starts[who + 1]
            entry_at = first_within(own, start + own_starts[who], end, begins[row])
            likely = 0.0
            while entry_at < end and own[entry_at] < ends[row]:
                likely += entry_likelihood(codes[row], own[entry_at], columns, space, models)
                entry_at += 1
            if likely > 0:
                if total[row] < 0:
                    fill_total(row, asked, space, models, columns)
                points[pair] += term_of(likely, records[who], total[row], space[4], odds) * copies[at]
        points[pair] = rounded_score(points[pair])
