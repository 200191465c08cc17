"""The compiled loops that look for the people whom known points fit."""

from __future__ import annotations

import numpy

from singleout.attacks.unicity.common_points_kernels import keep_in, meet
from singleout.attacks.unicity.fewest_left_kernels import drop_needless_sets, fewest_candidates
from singleout.attacks.unicity.likeliest_candidates_kernels import (
    FIRST_WEIGHED,
    MOST_WEIGHED,
    likeliest,
    list_members,
)
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop
from singleout.engine.codes.random_kernels import draw_below, stream_start

CANDIDATES, UNIQUE, UNPROVEN, CREDIT, WEIGHED, FIRST_NARROWED = range(6)
# credit in whole numbers: their sum over people is the same in any order of the threads
WHOLE_CREDIT = 1 << 40
FREE = -1
# how many people can be walked over while one person's points are searched
STEPS_A_SEARCH = 32


@compile_inner_loop
def fits_further(fits, known, point):
    """Whether a point among first … last−1 fits in the further columns too."""
    for column in range(fits.rank.shape[0]):
        rank = fits.rank[column, point]
        if rank < fits.low[column, known] or rank >= fits.high[column, known]:
            return False
    return True


@compile_inner_loop
def fits_person(fits, released, known, person):
    """Whether at least one of a person's points fits: found by halving, for they rise."""
    index, end = released.starts[person], released.starts[person + 1]
    above = end
    while index < above:
        middle = (index + above) >> 1
        if released.points[middle] < fits.first[known]:
            index = middle + 1
        else:
            above = middle
    while index < end and released.points[index] < fits.last[known]:
        if fits_further(fits, known, released.points[index]):
            return True
        index += 1
    return False


@compile_inner_loop
def fits_by_all(fits, released, chosen, person):
    for known in chosen:  # noqa: SIM110
        if not fits_person(fits, released, known, person):
            return False
    return True


@compile_inner_loop
def people_bound(fits, released, known):
    """How many people fit, some of them counted more than once."""
    return released.heads[fits.last[known]] - released.heads[fits.first[known]]


@compile_inner_loop
def is_one_point(fits, known):
    """Whether the people who fit are those of a single point: then `people_bound` is how many there are."""
    return fits.last[known] - fits.first[known] == 1 and not len(fits.rank)


@compile_inner_loop
def hold_fitting(fits, released, known, stamps, held):
    """All people who fit, each once, at the beginning of `held`; returns how many."""
    stamps[0] += 1
    count = 0
    for point in range(fits.first[known], fits.last[known]):
        if not fits_further(fits, known, point):
            continue
        for index in range(released.heads[point], released.heads[point + 1]):
            person = released.people[index]
            if stamps[person + 1] != stamps[0]:
                stamps[person + 1] = stamps[0]
                held[count] = person
                count += 1
    return count


@compile_inner_loop
def mark_fitting(fits, released, known, stamps, held, count):
    """Mark those of the first `count` who fit, by walking over all who do; returns the mark."""
    stamps[0] += 2
    held_mark, mark = stamps[0] - 1, stamps[0]
    for index in range(count):
        stamps[held[index] + 1] = held_mark
    for point in range(fits.first[known], fits.last[known]):
        if not fits_further(fits, known, point):
            continue
        for index in range(released.heads[point], released.heads[point + 1]):
            person = released.people[index]
            if stamps[person + 1] == held_mark:
                stamps[person + 1] = mark
    return mark


@compile_inner_loop
def keep_fitting(fits, released, known, stamps, held, count):
    """Keep those of the first `count` who fit; returns how many."""
    kept = 0
    if people_bound(fits, released, known) < count * STEPS_A_SEARCH:
        mark = mark_fitting(fits, released, known, stamps, held, count)
        for index in range(count):
            held[kept] = held[index]
            kept += stamps[held[index] + 1] == mark
    else:
        for index in range(count):
            held[kept] = held[index]
            kept += fits_person(fits, released, known, held[index])
    return kept


@compile_inner_loop
def count_fitting(fits, released, known, held, count):
    kept = 0
    for index in range(count):
        kept += fits_person(fits, released, known, held[index])
    return kept


@compile_inner_loop
def hold_rarest(fits, released, chosen, stamps, held):
    """The people whom all chosen points fit, starting with the point that few have; returns how many."""
    rarest = 0
    for index in range(1, len(chosen)):
        if people_bound(fits, released, chosen[index]) < people_bound(fits, released, chosen[rarest]):
            rarest = index
    count = hold_fitting(fits, released, chosen[rarest], stamps, held)
    for index in range(len(chosen)):
        if index != rarest and count:
            count = keep_fitting(fits, released, chosen[index], stamps, held, count)
    return count


@compile_inner_loop
def hold_fitting_all(fits, released, common, chosen, taken, want, state, stamps, held, bitmap):
    """The people whom all of the first `want` points fit, of which `taken` were looked at; returns how many.

    At first those of the point that few have. While all points are common ones, the people are those of the
    bitmap (state 1), from then on those held (state 2).
    """
    count, first = 0, taken
    if state[0] == 0:
        rarest = 0
        for index in range(1, want):
            if people_bound(fits, released, chosen[index]) < people_bound(fits, released, chosen[rarest]):
                rarest = index
        chosen[0], chosen[rarest] = chosen[rarest], chosen[0]
        if common.line[chosen[0]] >= 0:
            bitmap[:] = common.bitmaps[common.line[chosen[0]]]
            count, state[0] = people_bound(fits, released, chosen[0]), 1
        else:
            count, state[0] = hold_fitting(fits, released, chosen[0], stamps, held), 2
        first = 1
    else:
        count = state[1]
    for index in range(first, want):
        line = common.line[chosen[index]]
        if state[0] == 1 and line >= 0:
            count = meet(bitmap, common.bitmaps[line])
        elif state[0] == 1:
            count = keep_in(bitmap, held, hold_fitting(fits, released, chosen[index], stamps, held))
            state[0] = 2
        elif line >= 0:
            count = keep_in(common.bitmaps[line], held, count)
        else:
            count = keep_fitting(fits, released, chosen[index], stamps, held, count)
    state[1] = count
    return count


@compile_inner_loop
def hold_most_fitting(fits, released, chosen, stamps, held, fitting, met):
    """The people whom the most of the points fit, where nobody fits all; returns how many they are.

    `fitting` counts the points that fit each person, and is all 0 before and after.
    """
    seen, most = 0, 0
    for known in chosen:
        for person in held[: hold_fitting(fits, released, known, stamps, held)]:
            if not fitting[person]:
                met[seen] = person
                seen += 1
            fitting[person] += 1
            most = max(most, fitting[person])
    count = 0
    for person in met[:seen]:
        if fitting[person] == most:
            held[count] = person
            count += 1
        fitting[person] = 0
    return count


@compile_inner_loop
def add_result(totals, count, times, narrow):
    totals[CANDIDATES] += count * times
    totals[UNIQUE] += times * (count == 1)
    for index in range(len(narrow)):
        totals[FIRST_NARROWED + index] += times * (1 <= count <= narrow[index])


@compile_inner_loop
def draw_points(points, most, key, draw, person, chosen):
    """The first of a random order of the points, `most` of them."""
    own = len(points)
    chosen[:own] = points
    state = stream_start(key, draw, person)
    for index in range(min(most, own - 1)):
        step, state = draw_below(own - index, state)
        chosen[index], chosen[index + step] = chosen[index + step], chosen[index]


@compile_inner_loop
def take_first_copies(chosen, first_copy, slots, taken):
    """Of each point its first copies in place of some: whoever knows two knows that there are two.

    They are counted in `taken`, at the place that each has in the `slots`: a power of two of them, more than
    there are points, free before and after. Points that have no copies stay as they are.
    """
    if not len(first_copy):
        return
    for index in range(len(chosen)):
        first = first_copy[chosen[index]]
        place = first & (len(slots) - 1)
        while slots[place] != FREE and slots[place] != first:
            place = (place + 1) & (len(slots) - 1)
        if slots[place] == FREE:
            slots[place], taken[place] = first, 0
        chosen[index] = first + taken[place]
        taken[place] += 1
    slots[:] = FREE


@compile_inner_loop
def most_points(known, truth, first, last):
    most = 1
    for person in range(first, last):
        if truth[person] >= 0:
            most = max(most, known.starts[truth[person] + 1] - known.starts[truth[person]])
    return most


@compile_inner_loop
def equally_likely(
    released, fits, weights, chosen, most, person, state, held, count, bitmap, alike
):  # fmt: skip
    """Of the candidates, as many as are no less likely than the right one; all where nothing is known.

    They are those of a single known point (state 0), of the bitmap (1), or held (2). Where one of the first
    few is likelier, as mostly, nobody looks at the others.
    """
    if not len(chosen):
        return count
    equal = 0
    for most_weighed in (FIRST_WEIGHED, MOST_WEIGHED):
        some = min(count, most_weighed)
        if state == 0:
            first = released.heads[fits.first[chosen[0]]]
            for index in range(some):
                held[index] = released.people[first + index]
        elif state == 1:
            list_members(bitmap, some, held)
        equal = likeliest(released, weights, chosen, most, person, held, some)
        if not equal or some == count:
            break
    return max(equal, alike[person]) if equal else 0


@compile_loop
def narrow_by_drawn(
    first, last, truth, known, released, fits, first_copy, common, points, draws, key, weights, alike, weigh,
    narrow, credit, weighed, totals, candidates,
):  # fmt: skip
    """The people first … last−1 of the release, of whom rising numbers of `points` in random order are known.

    `credit` gets the mean over the draws, `totals` first the sums over people and draws, then those of each
    draw over the people of whom not all points are known: for others the draws do not differ. `weighed` is
    the credit of who names the likeliest, where they `weigh`: as many are equally good as are `alike`, or
    more. `candidates` gets how many there were by person, points and draw, 0 where the person is not among
    them.
    """
    people = len(released.starts) - 1
    stamps, held = numpy.zeros(people + 1, dtype=numpy.int64), numpy.empty(people, dtype=numpy.int64)
    fitting, met = numpy.zeros(people, dtype=numpy.int64), numpy.empty(people, dtype=numpy.int64)
    bitmap, state = numpy.zeros((people + 63) >> 6, dtype=numpy.uint64), numpy.zeros(2, dtype=numpy.int64)
    chosen = numpy.empty(most_points(known, truth, first, last), dtype=numpy.int64)
    places = 1 << (int(numpy.log2(points[-1])) + 2)
    slots, copies = numpy.full(places, FREE, dtype=numpy.int64), numpy.empty(places, dtype=numpy.int64)
    for person in range(first, last):
        if truth[person] < 0:
            continue
        own = known.points[known.starts[truth[person]] : known.starts[truth[person] + 1]]
        rounds = draws if len(own) > points[0] else 1
        for draw in range(rounds):
            draw_points(own, points[-1], key, draw, truth[person], chosen)
            take_first_copies(chosen[: min(points[-1], len(own))], first_copy, slots, copies)
            taken, right, count = 0, True, people
            state[0] = 0
            for index in range(len(points)):
                want = min(points[index], len(own))
                right = right and fits_by_all(fits, released, chosen[taken:want], person)
                if want == 1 and is_one_point(fits, chosen[0]):
                    count = people_bound(fits, released, chosen[0])
                elif want:
                    count = hold_fitting_all(
                        fits, released, common, chosen, taken, want, state, stamps, held, bitmap
                    )
                taken = want
                left, among = count, right
                if not count:
                    left = hold_most_fitting(fits, released, chosen[:want], stamps, held, fitting, met)
                    among = numpy.any(held[:left] == person)
                add_result(totals[index, 0], left, draws // rounds, narrow)
                differs = want < len(own)
                add_result(totals[index, 1 + draw], left, differs, narrow)
                if among:
                    candidates[person - first, index, draw : draw + draws // rounds] = left
                    credit[person, index] += 1 / left
                    totals[index, 1 + draw, CREDIT] += differs * (WHOLE_CREDIT // left)
                    if weigh:
                        left = equally_likely(
                            released, fits, weights, chosen[:want], points[index], person,
                            state[0] if count else 2, held, left, bitmap, alike,
                        )  # fmt: skip
                        weighed[person, index] += 1 / left if left else 0.0
                        whole = (WHOLE_CREDIT // max(left, 1)) * (left > 0)
                        totals[index, 1 + draw, WEIGHED] += differs * whole
        credit[person] /= rounds
        weighed[person] /= rounds


@compile_inner_loop
def helpful_points(fits, released, own, person, stamps, held):
    """The points that fit the person's own release, those that fit few people first."""
    helpful, sizes = numpy.empty(len(own), dtype=numpy.int64), numpy.empty(len(own), dtype=numpy.int64)
    count = 0
    for known in own:
        if fits_person(fits, released, known, person):
            helpful[count] = known
            if is_one_point(fits, known):
                sizes[count] = people_bound(fits, released, known)
            else:
                sizes[count] = hold_fitting(fits, released, known, stamps, held)
            count += 1
    order = numpy.argsort(sizes[:count], kind="mergesort")
    return helpful[:count][order]


@compile_inner_loop
def choose_greedily(fits, released, helpful, floor, stamps, held, reached):
    """reached[t]: how many people are left after t + 1 points, each the one that then leaves the fewest."""
    count = hold_fitting(fits, released, helpful[0], stamps, held)
    reached[0] = count
    for taken in range(1, len(reached)):
        best, fewest = 0, count
        for index in range(1, len(helpful)):
            if fewest == floor:
                break
            left = count_fitting(fits, released, helpful[index], held, count)
            if left < fewest:
                best, fewest = index, left
        if fewest < count:
            count = keep_fitting(fits, released, helpful[best], stamps, held, count)
        reached[taken] = count


@compile_inner_loop
def bit_sets(fits, released, helpful, most_words, stamps, held, number):
    """A set of people for each helpful point, for as many of them as the words suffice."""
    people = numpy.empty(len(number), dtype=numpy.int64)
    every = 0
    for known in helpful:
        for person in held[: hold_fitting(fits, released, known, stamps, held)]:
            if number[person] < 0:
                number[person] = every
                people[every] = person
                every += 1
    words = (every + 63) >> 6
    sets = numpy.zeros((min(len(helpful), most_words // words), words), dtype=numpy.uint64)
    for index in range(len(sets)):
        for person in held[: hold_fitting(fits, released, helpful[index], stamps, held)]:
            bit = numpy.uint64(number[person] & 63)
            sets[index, number[person] >> 6] |= numpy.uint64(1) << bit
    number[people[:every]] = -1
    return sets


@compile_loop
def narrow_at_worst(first, last, truth, known, released, fits, points, steps, narrow, credit, totals):
    """The people first … last−1 of the release, of whom the most telling `points` are known.

    A person's search looks at `steps` words at most, and holds no more.
    """
    people = len(released.starts) - 1
    stamps, held = numpy.zeros(people + 1, dtype=numpy.int64), numpy.empty(people, dtype=numpy.int64)
    number = numpy.full(people, -1, dtype=numpy.int64)
    for person in range(first, last):
        if truth[person] < 0:
            continue
        own = known.points[known.starts[truth[person]] : known.starts[truth[person] + 1]]
        helpful = helpful_points(fits, released, own, person, stamps, held)
        floor = people if not len(own) else 0
        if len(helpful):
            floor = hold_rarest(fits, released, helpful, stamps, held)
        reached = numpy.full(max(1, min(points[-1], len(helpful))), floor, dtype=numpy.int64)
        if len(helpful):
            choose_greedily(fits, released, helpful, floor, stamps, held, reached)
        best, whole = people, True
        sets = numpy.empty((0, 0), dtype=numpy.uint64)
        for index in range(len(points)):
            best = min(best, reached[min(points[index], len(reached)) - 1])
            if best > floor and points[index] > 1:
                if not len(sets):
                    sets = bit_sets(fits, released, helpful, steps, stamps, held, number)
                    whole = len(sets) == len(helpful)
                    sets = drop_needless_sets(sets)
                best, proven = fewest_candidates(sets, points[index], best, floor, steps)
                totals[index, 0, UNPROVEN] += best > floor and not (proven and whole)
            add_result(totals[index, 0], best, 1, narrow)
            if best:
                credit[person, index] = 1 / best
