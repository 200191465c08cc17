"""The compiled loops that weigh candidates: how likely is each of them to have just the known records?"""

from __future__ import annotations

from typing import Any

import numpy

from singleout.attacks.unicity.points_index import MANY_COPIES
from singleout.engine.codes.bitmap_kernels import ONE, bits_of
from singleout.engine.codes.loop_compiler import compile_inner_loop

# of more candidates so many stand for all, which errs on the safe side: fewer may be likelier
MOST_WEIGHED = 1_000
# before these, so many: whoever is right is rarely the likeliest of them
FIRST_WEIGHED = 32
# chances are equal within what sums of logarithms are exact to
ROUNDING = 1e-9
# of whom another number of records would be known
IMPOSSIBLE = -1e6


@compile_inner_loop
def list_members(bitmap: Any, most: Any, held: Any) -> Any:
    """The first members of a set, at the beginning of `held`; returns how many."""
    listed = 0
    for index in range(len(bitmap)):
        word = bitmap[index]
        while word and listed < most:
            held[listed] = (index << 6) + bits_of((word & (~word + ONE)) - ONE)
            listed += 1
            word &= word - ONE
        if listed == most:
            break
    return listed


@compile_inner_loop
def place_of(points: Any, index: Any, above: Any, point: Any) -> Any:
    """Where rising points reach one, from a place on: found by halving."""
    while index < above:
        middle = (index + above) >> 1
        if points[middle] < point:
            index = middle + 1
        else:
            above = middle
    return index


@compile_inner_loop
def copies_chance(
    points: Any, first_copy: Any, last_copy: Any, logarithms: Any, copies_line: Any,
    copies_of: Any, chosen: Any, person: Any, index: Any, above: Any,
) -> Any:  # fmt: skip
    """What is likelier for whoever has more copies of the chosen points, as logarithms: Σ log C(m, k) k!."""
    chance = 0.0
    for point in chosen:
        first, last = first_copy[point], last_copy[point]
        line = copies_line[first]
        copies = numpy.int64(copies_of[line, person]) if line >= 0 else numpy.int64(MANY_COPIES)
        if copies == MANY_COPIES:
            here = place_of(points, index, above, first)
            # copies follow one another
            copies = place_of(points, here, min(above, here + last - first), last) - here
        chance += logarithms[max(copies - (point - first), 1)]
    return chance


@compile_inner_loop
def most_by_copies(weights: Any, chosen: Any) -> Any:
    """What `copies_chance` is at most, for whomever."""
    chance = 0.0
    for point in chosen:
        chance += weights.logarithms[max(weights.last_copy[point] - point, 1)]
    return chance


@compile_inner_loop
def likeliest(
    released: Any, weights: Any, chosen: Any, most: Any, person: Any, candidates: Any, count: Any
) -> Any:
    """How many candidates are as likely as the right one, itself included; 0 if one is likelier.

    Some of a person's points are drawn at random, each as likely: of m copies of a point k are among them in
    C(m, k) ways. So the chance is Π C(m, k) over the points / C(all of the person's, all that are known), of
    which what is the same for all is left out. First without copies, which only add to it: who has fewer
    points is found likelier by a look at their number.
    """
    starts, points = released.starts, released.points
    told, factorials, logarithms = weights.told, weights.log_factorials, weights.logarithms
    first_copy, last_copy = weights.first_copy, weights.last_copy
    copies_line, copies_of = weights.copies_line, weights.copies_of
    known, by_copies, some_told = len(chosen), len(last_copy) > 0, len(told) > 0
    right, margin, above, equal = 0.0, 0.0, 0.0, 1
    # the right one, then the candidates by the number of their points alone, then with copies
    for index in range(-1, 2 * count if by_copies else count):
        other = person if index < 0 else candidates[index % count]
        if other == person and index >= 0:
            continue
        with_copies = by_copies and (index < 0 or index >= count)
        own = starts[other + 1] - starts[other]
        if own < known:
            chance = IMPOSSIBLE
        else:
            others_told = told[other] if some_told else min(most, own)
            chance = 0.0 if others_told == known or not weights.are_counted else IMPOSSIBLE
            chance += factorials[own - known] - factorials[own]
            if with_copies and (index < 0 or chance + above >= right - margin):
                chance += copies_chance(
                    points, first_copy, last_copy, logarithms, copies_line, copies_of, chosen, other,
                    starts[other], starts[other + 1],
                )  # fmt: skip
        if index < 0:
            right, margin = chance, ROUNDING * (1 + abs(chance))
            above = most_by_copies(weights, chosen) if by_copies else 0.0
        elif chance > right + margin:
            return 0
        elif with_copies or not by_copies:
            equal += chance >= right - margin
    return equal
