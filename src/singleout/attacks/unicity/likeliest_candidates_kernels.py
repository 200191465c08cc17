"""The compiled loops that weigh candidates: how likely is each of them to have just the known records?"""

from __future__ import annotations

from typing import Any

import numpy

from singleout.engine.codes.bitmap_kernels import is_in
from singleout.engine.codes.loop_compiler import compile_inner_loop

# of more candidates so many stand for all, which errs on the safe side: fewer may be likelier
MOST_WEIGHED = 1_000
# chances are equal within what sums of logarithms are exact to
ROUNDING = 1e-9
# of whom another number of records would be known
IMPOSSIBLE = -1e6


@compile_inner_loop
def some_candidates(released: Any, state: Any, point: Any, held: Any, count: Any, bitmap: Any) -> Any:
    """The first candidates: those of a single known point (state 0), of the bitmap (1), or held (2)."""
    if state == 2:
        return held[: min(count, MOST_WEIGHED)]
    if state == 0:
        first = released.heads[point]
        return released.people[first : first + min(count, MOST_WEIGHED)].astype(numpy.int64)
    some = numpy.empty(min(count, MOST_WEIGHED), dtype=numpy.int64)
    person, listed = 0, 0
    while listed < len(some):
        if not bitmap[person >> 6]:
            person = ((person >> 6) + 1) << 6
            continue
        if is_in(bitmap, person):
            some[listed] = person
            listed += 1
        person += 1
    return some


@compile_inner_loop
def points_below(released: Any, person: Any, point: Any) -> Any:
    """How many of a person's points come before one: found by halving, for they rise."""
    index, above = released.starts[person], released.starts[person + 1]
    while index < above:
        middle = (index + above) >> 1
        if released.points[middle] < point:
            index = middle + 1
        else:
            above = middle
    return index - released.starts[person]


@compile_inner_loop
def log_chance(released: Any, weights: Any, chosen: Any, most: Any, person: Any) -> Any:
    """The logarithm of how likely it is that just the chosen points of a person are known, up to a constant.

    Some of a person's points are drawn at random, each as likely: of m copies of a point k are among them in
    C(m, k) ways. So it is Π C(m, k) over the points / C(all of the person's, all that are known).
    """
    own, known = released.starts[person + 1] - released.starts[person], len(chosen)
    told = weights.told[person] if len(weights.told) else min(most, own)
    if own < known:
        return IMPOSSIBLE
    chance = 0.0 if told == known or not weights.are_counted else IMPOSSIBLE
    for index in range(known):
        chance -= weights.logarithms[own - index]
    if len(weights.last_copy):
        for point in chosen:
            first = weights.first_copy[point]
            copies = points_below(released, person, weights.last_copy[point]) - points_below(
                released, person, first
            )
            chance += weights.logarithms[max(copies - (point - first), 1)]
    return chance


@compile_inner_loop
def likeliest(released: Any, weights: Any, chosen: Any, most: Any, person: Any, candidates: Any) -> Any:
    """How many candidates are as likely as the right one, itself included; 0 if one is likelier."""
    own = log_chance(released, weights, chosen, most, person)
    equal = 1
    for other in candidates:
        if other == person:
            continue
        chance = log_chance(released, weights, chosen, most, other)
        if chance > own + ROUNDING * (1 + abs(own)):
            return 0
        equal += chance >= own - ROUNDING * (1 + abs(own))
    return equal
