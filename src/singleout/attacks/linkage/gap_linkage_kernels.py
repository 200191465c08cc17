"""The compiled loops that compare two people's days by the best shift.

Patterns are (starts, days, counts, falling, totals): the days of pattern p are days[starts[p]:starts[p + 1]],
rising, with their counts, `falling` has the same counts from the highest on, and `totals` their sums. Those
of the original rise by their totals, and people[owner_starts[p]:owner_starts[p + 1]] have pattern p.
"""

from __future__ import annotations

import numpy

from singleout.attacks.linkage.candidate_list_kernels import fill_with_strangers, insert
from singleout.attacks.linkage.overlap_kernels import JACCARD, likeness
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

# somebody with so many days, and at least one in so many, is compared by windows: they take less time then
FEW, SPARSE = 12, 30


@compile_loop
def link(first, last, asked, known, owner_starts, people, most_shift, person, score, tied):
    """Fill the lists of the askers first … last−1."""
    starts, days, counts, falling, totals = asked
    memory, floor = memory_for(days, known[1], most_shift), numpy.int64(0)
    for asker in range(first, last):
        begin, end = starts[asker], starts[asker + 1]
        tied[asker], floor = _link_one(
            days[begin:end], counts[begin:end], falling[begin:end], totals[asker], known,
            owner_starts, people, memory, floor, person[asker], score[asker],
        )  # fmt: skip


@compile_inner_loop
def _link_one(
    days, counts, falling, total, known,
    owner_starts, people, memory, floor, person, score,
):  # fmt: skip
    """Outwards from those with as many records, until the best of the rest would not reach the last place."""
    starts, there, others, most_first, totals = known
    filled, tied = 0, 0
    right = numpy.searchsorted(totals, total)
    left = right - 1
    while left >= 0 or right < len(totals):
        below = _ceiling(total, totals[left]) if left >= 0 else -1.0
        above = _ceiling(total, totals[right]) if right < len(totals) else -1.0
        if not _reaches(max(below, above), score, filled):
            break
        pattern = right if above > below else left
        left, right = (left, right + 1) if above > below else (left - 1, right)
        least = _least_common(score, filled, total + totals[pattern])
        start, stop = starts[pattern], starts[pattern + 1]
        if common_at_most(falling, most_first, start, stop) < least:
            continue
        common = most_common(days, counts, total, there, others, start, stop, least, memory, floor)
        floor += total
        value = likeness(JACCARD, common, total, totals[pattern])
        if _reaches(value, score, filled):
            for at in range(owner_starts[pattern], owner_starts[pattern + 1]):
                filled, tied = insert(person, score, filled, tied, people[at], value)
    filled, tied = fill_with_strangers(person, score, filled, tied, len(people))
    return tied, floor


@compile_loop
def scores_of_pairs(asked, known, left, right, most_shift):
    starts, days, counts, _, totals = asked
    known_starts, there, others, _, known_totals = known
    memory, floor = memory_for(days, there, most_shift), numpy.int64(0)
    scores = numpy.empty(len(left))
    for pair in range(len(left)):
        own = slice(starts[left[pair]], starts[left[pair] + 1])
        start, stop = known_starts[right[pair]], known_starts[right[pair] + 1]
        total = totals[left[pair]]
        common = most_common(days[own], counts[own], total, there, others, start, stop, 0, memory, floor)
        floor += total
        scores[pair] = likeness(JACCARD, common, total, known_totals[right[pair]])
    return scores


@compile_inner_loop
def memory_for(days, there, most_shift):
    """Two tallies of the shifts that bring days together, that of 0 in the middle; room for all days."""
    highest = numpy.int64(0)
    for day in days:
        highest = max(highest, day)
    for day in there:
        highest = max(highest, day)
    shifts = 2 * min(highest, most_shift) + 1
    tally = numpy.zeros(shifts, dtype=numpy.int64)
    return tally, numpy.zeros(shifts, dtype=numpy.int32), numpy.zeros(highest + 1, dtype=numpy.int32)


@compile_inner_loop
def most_common(days, counts, total, there, others, start, stop, least, memory, floor):
    """The most records in common by any shift; some number below `least` where it does not reach that."""
    if start == stop or len(days) == 0:
        return numpy.int64(0)
    tally, sums, room = memory
    span = there[stop - 1] - there[start] + 1
    if len(days) >= FEW and stop - start >= FEW and (stop - start) * SPARSE > span:
        return _most_by_windows(days, counts, there, others, start, stop, sums, room[:span])
    return _most_by_pairs(days, counts, total, there, others, start, stop, least, tally, floor)


@compile_inner_loop
def _most_by_pairs(days, counts, total, there, others, start, stop, least, tally, floor):
    """Day by day with each of the other's; what is at most `floor` is of earlier pairs, and counts as 0."""
    zero = len(tally) // 2
    most, left, first = floor, total, start
    for index in range(len(days)):
        if most - floor + left < least:
            break
        day, count = days[index], counts[index]
        left -= count
        while first < stop and day - there[first] > zero:
            first += 1
        at = first
        while at < stop and there[at] - day <= zero:
            shift = numpy.uint64(zero + day - there[at])
            common = max(tally[shift], floor) + min(count, others[at])
            tally[shift] = common
            most = max(most, common)
            at += 1
    return most - floor


@compile_inner_loop
def _most_by_windows(days, counts, there, others, start, stop, sums, room):
    """Day by day with all days from the other's first to the last, many at once; leaves all at 0 again."""
    zero, origin, end = len(sums) // 2, there[start], there[stop - 1]
    for at in range(start, stop):
        room[there[at] - origin] = others[at]
    for index in range(len(days)):
        day = days[index]
        low, high = max(origin, day - zero), min(end, day + zero)
        if low <= high:
            window = sums[zero + low - day : zero + high - day + 1]
            _add_minima(window, room[low - origin : high - origin + 1], numpy.int32(counts[index]))
    room[:] = 0
    low, high = max(origin - days[-1], -zero), min(end - days[0], zero)
    return _taken_most(sums[zero + low : zero + high + 1]) if low <= high else numpy.int64(0)


@compile_inner_loop
def _add_minima(sums, others, count):
    for index in range(len(others)):
        sums[index] += min(count, others[index])


@compile_inner_loop
def _taken_most(sums):
    most = numpy.int32(0)
    for index in range(len(sums)):
        most = max(most, sums[index])
    sums[:] = 0
    return numpy.int64(most)


@compile_inner_loop
def common_at_most(falling, most_first, start, stop):
    """The sum of minima if the days with most records met, those with second most, and so on."""
    common = numpy.int64(0)
    for index in range(min(len(falling), stop - start)):
        common += min(falling[index], most_first[start + index])
    return common


@compile_inner_loop
def _ceiling(total, other):
    """The score if whoever has fewer records had all of them in common."""
    return likeness(JACCARD, min(total, other), total, other)


@compile_inner_loop
def _reaches(value, score, filled):
    """Whether a score is worth a place; people with nothing in common are added in the end."""
    return value > 0 and (filled < len(score) or value >= score[-1])


@compile_inner_loop
def _least_common(score, filled, records):
    """With fewer records in common, two people with so many together stay below the last place."""
    if filled < len(score):
        return numpy.int64(0)
    least = score[-1] * (1 - 1e-12)
    return numpy.int64(numpy.ceil(least * records / (1 + least)))
