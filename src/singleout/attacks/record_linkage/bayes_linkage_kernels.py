"""The compiled loops that add up how likely released records are, given each person's records.

An index is the original's entries (a person's equal records are one, with a count) in an order in which those
that a released record may come from stand together; several indices stand one after the other. A `space` is
(codes by column, person, count, which columns are keys of each index, all records, entries of an index).
`models` (kinds, settings, offsets, tables, sizes) are those of column_likelihood.LikelihoodTables. `asked` is
(codes, missing, index, first, last, total) of the released records: where in which index they may come from,
and what all entries there make together, −1 until that was looked up. `held` is (starts, row, copies): which
released records people have.
"""

from __future__ import annotations

import math

import numpy

from singleout.attacks.record_linkage.record_vote_kernels import list_by_votes
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

REDRAWN, MATRIX, UNIFORM, NORMAL, LAPLACE, DAYS, TRIANGULAR = range(7)
# a term is rounded finely, so that sums are the same in any order, and a score 4,096 times more coarsely
TERM_STEPS = 2.0**34
SCORE_STEP = numpy.int64(2**12)
# above any sum of terms, and so low that a score is exact in binary digits
SAME_NUMBER = numpy.int64(2**50)
WHOLE_DAY = 1e-6
# intervals that share less of their length only touch, and binary digits make it look otherwise
TOUCH = 1e-7
# up to here the series of narrow_normal_likelihood is right to eleven digits
NARROW = 0.1
ROOT_2 = math.sqrt(2.0)
PEAK = 1 / math.sqrt(2 * math.pi)


@compile_inner_loop
def narrow_normal_likelihood(apart, half):
    """Of standard normal noise, by the Taylor series of its density: faster than two error functions."""
    square, width = apart * apart, half * half
    fourth = square * square - 6 * square + 3
    sixth = square * (square * square - 15 * square + 45) - 15
    series = 1 + width / 6 * (square - 1 + width / 20 * (fourth + width / 42 * sixth))
    return PEAK * math.exp(-0.5 * square) * 2 * half * series


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
        if half * max(apart, scale) <= NARROW * scale * scale:
            return narrow_normal_likelihood(apart / scale, half / scale)
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
    if kind == TRIANGULAR:
        return max(0.0, 1 - apart / scale)
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
def weigh_redrawn(likely, codes, own, same, other):
    for index in range(len(codes)):
        likely[index] *= same if codes[index] == own else other


@compile_inner_loop
def weigh_by_matrix(likely, codes, chances):
    for index in range(len(codes)):
        likely[index] *= chances[codes[index]]


@compile_inner_loop
def weigh_moved(likely, codes, own, numbers, kind, scale, half, relative, reach):
    released = numbers[own]
    for index in range(len(codes)):
        if likely[index] > 0:
            original = numbers[codes[index]]
            if math.isnan(released) or math.isnan(original):
                likely[index] *= 1.0 if own == codes[index] else 0.0
            else:
                likely[index] *= moved_likelihood(kind, released, original, scale, half, relative, reach)


@compile_inner_loop
def weigh_entries(own, missing, keys, codes, count, first, last, models, likely):
    """How likely the released record is from each of the entries first … last−1, times their counts.

    Only columns are compared in which it has a value, and in which the entries of its index may differ.
    """
    kinds, settings, offsets, tables, sizes = models
    likely[: last - first] = count[first:last]
    for column in range(len(own)):
        if missing[column] or keys[column]:
            continue
        there, start, kind = codes[column, first:last], offsets[column], kinds[column]
        if kind == REDRAWN:
            other = tables[start + own[column]]
            weigh_redrawn(likely, there, own[column], other + settings[column, 0], other)
        elif kind == MATRIX:
            weigh_by_matrix(likely, there, tables[start + own[column] * sizes[column] :])
        else:
            scale, half, reach = settings[column, 0], settings[column, 1], settings[column, 3]
            weigh_moved(
                likely, there, own[column], tables[start:], kind, scale, half, settings[column, 2] != 0, reach
            )


@compile_inner_loop
def weigh_candidates(row, asked, space, models, likely):
    """All entries that a released record may come from; returns what they make together, in their order."""
    codes, missing, index, first, last, total = asked
    begin, end = first[row], last[row]
    weigh_entries(
        codes[row], missing[row], space[3][index[row]], space[0], space[2], begin, end, models, likely
    )
    whole = 0.0
    for value in likely[: end - begin]:
        whole += value
    total[row] = whole
    return whole


@compile_inner_loop
def term_of(likely, records, total, all_records, odds):
    """log(1 + (1 − ε)/ε · mean/p) in whole steps: the person's mean over how common the record is."""
    ratio = (likely / records) / (total / all_records)
    return numpy.int64(numpy.rint(math.log1p(odds * ratio) * TERM_STEPS))


@compile_inner_loop
def rounded_score(points):
    return (points + SCORE_STEP // 2) // SCORE_STEP


@compile_inner_loop
def add_record(row, copies, asked, space, models, records, odds, memory, some):
    """Add what one released record says of all people that it may be of; returns how many are touched."""
    likely, sums, near, points, touched = memory
    whole = weigh_candidates(row, asked, space, models, likely)
    first, owner = asked[3][row], space[1]
    near_by = 0
    for index in range(asked[4][row] - first):
        if likely[index] > 0:
            who = owner[first + index]
            if sums[who] == 0:
                near[near_by] = who
                near_by += 1
            sums[who] += likely[index]
    seen, seen_records, term = -1.0, numpy.int64(0), numpy.int64(0)
    for who in near[:near_by]:
        if sums[who] != seen or records[who] != seen_records:
            seen, seen_records = sums[who], records[who]
            term = term_of(seen, seen_records, whole, space[4], odds) * copies
        sums[who] = 0
        if points[who] == 0 and term:
            touched[some] = who
            some += 1
        points[who] += term
    return some


@compile_inner_loop
def longest_range(firsts, lasts):
    most = 0
    for index in range(len(firsts)):
        most = max(most, lasts[index] - firsts[index])
    return most


@compile_loop
def likeliest_people(first, last, held, asked, space, models, records, odds, counted, person, points, tied):
    """The people with the highest scores for the released persons first … last−1.

    Where records are `counted`, those with as many come first.
    """
    starts, row, copies = held
    people = len(records)
    sums, scores = numpy.zeros(people), numpy.zeros(people, dtype=numpy.int64)
    near, touched = numpy.empty(people, dtype=numpy.int64), numpy.empty(people, dtype=numpy.int64)
    memory = numpy.empty(longest_range(asked[3], asked[4])), sums, near, scores, touched
    for asker in range(first, last):
        some, own = 0, numpy.int64(0)
        for at in range(starts[asker], starts[asker + 1]):
            own += copies[at]
            some = add_record(row[at], copies[at], asked, space, models, records, odds, memory, some)
        above = 0
        for who in touched[:some]:
            scores[who] = rounded_score(scores[who])
            if counted and scores[who] > 0 and records[who] == own:
                scores[who] += SAME_NUMBER
            above += scores[who] > 0
        list_by_votes(touched[:some], scores, above, person[asker], points[asker], tied[asker : asker + 1])
        scores[touched[:some]] = 0


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


@compile_inner_loop
def person_likelihood(row, entries, asked, space, models, memory):
    """What the entries of one person make together, in their order."""
    likely, codes, count = memory[:3]
    for index in range(len(entries)):
        codes[:, index] = space[0][:, entries[index]]
        count[index] = space[2][entries[index]]
    keys = space[3][asked[2][row]]
    weigh_entries(asked[0][row], asked[1][row], keys, codes, count, 0, len(entries), models, likely)
    whole = 0.0
    for value in likely[: len(entries)]:
        whole += value
    return whole


@compile_loop
def scores_of_pairs(
    first, last, left, right, held, own, own_starts, asked, space, models, records, odds, counted, points
):
    """The scores of pairs of people; `own` has each person's entries of every index, rising."""
    starts, row_of, copies = held
    _, _, index_of, begins, ends, total = asked
    most = longest_range(own_starts[:-1], own_starts[1:])
    memory = (
        numpy.empty(most), numpy.empty((asked[0].shape[1], most), dtype=numpy.int32),
        numpy.empty(most, dtype=numpy.int32), numpy.empty(longest_range(asked[3], asked[4])),
    )  # fmt: skip
    for pair in range(first, last):
        who, points[pair], number = right[pair], 0, numpy.int64(0)
        for at in range(starts[left[pair]], starts[left[pair] + 1]):
            row = row_of[at]
            number += copies[at]
            start = index_of[row] * space[5]
            end = start + own_starts[who + 1]
            begin = first_within(own, start + own_starts[who], end, begins[row])
            end = first_within(own, begin, end, ends[row])
            if begin == end:
                continue
            likely = person_likelihood(row, own[begin:end], asked, space, models, memory)
            if likely > 0:
                if total[row] < 0:
                    weigh_candidates(row, asked, space, models, memory[3])
                points[pair] += term_of(likely, records[who], total[row], space[4], odds) * copies[at]
        points[pair] = rounded_score(points[pair])
        if counted and points[pair] > 0 and records[who] == number:
            points[pair] += SAME_NUMBER
