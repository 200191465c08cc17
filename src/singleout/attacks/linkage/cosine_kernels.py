"""The compiled loops that find the people whose weighted items point most in the same direction."""

from __future__ import annotations

import numpy

from singleout.attacks.linkage.candidate_list_kernels import fill_with_strangers, insert
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

TILE = 8192
BLOCK = 64
# rounding errors, which depend on which items they come from, must not break ties
DIGITS = 1e12


@compile_loop
def link(starts, items, weights, item_count, ask_starts, ask_items, ask_weights, first, last, listed):
    """Fill the lists (person, score, filled, tied_last) of the askers first … last−1, tile by tile."""
    person, score, filled, tied = listed
    people = len(starts) - 1
    for begin in range(0, people, TILE):
        end = min(begin + TILE, people)
        list_starts, lists, list_weights = index_tile(starts, items, weights, begin, end, item_count)
        common = numpy.zeros(end - begin)
        for asker in range(first, last):
            if ask_starts[asker] == ask_starts[asker + 1]:
                filled[asker], tied[asker] = _offer_empty(
                    starts, begin, end, person[asker], score[asker], filled[asker], tied[asker]
                )
                continue
            common[:] = 0
            for at in range(ask_starts[asker], ask_starts[asker + 1]):
                item, weight = ask_items[at], ask_weights[at]
                for entry in range(list_starts[item], list_starts[item + 1]):
                    common[lists[entry]] += weight * list_weights[entry]
            filled[asker], tied[asker] = _offer(
                common, begin, person[asker], score[asker], filled[asker], tied[asker]
            )
    for asker in range(first, last):
        filled[asker], tied[asker] = fill_with_strangers(
            person[asker], score[asker], filled[asker], tied[asker], people
        )


@compile_inner_loop
def index_tile(starts, items, weights, begin, end, item_count):
    """For each item, the people of the tile who have it and its weights for them."""
    list_starts = numpy.zeros(item_count + 1, dtype=numpy.int64)
    for at in range(starts[begin], starts[end]):
        list_starts[items[at] + 1] += 1
    for item in range(item_count):
        list_starts[item + 1] += list_starts[item]
    following = list_starts[:-1].copy()
    lists = numpy.empty(list_starts[-1], dtype=numpy.uint16)
    list_weights = numpy.empty(list_starts[-1], dtype=weights.dtype)
    for person in range(begin, end):
        for at in range(starts[person], starts[person + 1]):
            item = items[at]
            lists[following[item]], list_weights[following[item]] = person - begin, weights[at]
            following[item] += 1
    return list_starts, lists, list_weights


@compile_inner_loop
def _offer(common, first_person, person, score, filled, tied):
    for begin in range(0, len(common), BLOCK):
        end = min(begin + BLOCK, len(common))
        least = score[-1] if filled == len(score) else 0.0
        highest = 0.0
        for index in range(begin, end):
            highest = max(highest, common[index])
        if highest == 0.0 or highest < least - 1 / DIGITS:
            continue
        for index in range(begin, end):
            value = round_score(common[index])
            if value > 0.0:
                filled, tied = insert(person, score, filled, tied, first_person + index, value)
    return filled, tied


@compile_inner_loop
def _offer_empty(starts, begin, end, person, score, filled, tied):
    """Nothing asked for: alike are only those who have nothing either."""
    for who in range(begin, end):
        if starts[who] == starts[who + 1]:
            filled, tied = insert(person, score, filled, tied, who, 1.0)
    return filled, tied


@compile_loop
def round_score(value):
    return numpy.rint(value * DIGITS) / DIGITS
