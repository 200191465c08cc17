"""The compiled loops that find the people whose item sets overlap most by the weight of their items."""

from __future__ import annotations

import numpy

from singleout.attacks.linkage.candidate_list_kernels import fill_with_strangers, insert
from singleout.attacks.linkage.cosine_kernels import BLOCK, TILE, index_tile, round_score
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop


@compile_loop
def link(starts, items, totals, weights, ask_starts, ask_items, ask_totals, first, last, listed):
    """Fill the lists (person, score, filled, tied_last) of the askers first … last−1, tile by tile."""
    person, score, filled, tied = listed
    people = len(starts) - 1
    own_weights = weights[items]
    for begin in range(0, people, TILE):
        end = min(begin + TILE, people)
        list_starts, lists, _ = index_tile(starts, items, own_weights, begin, end, len(weights))
        common = numpy.zeros(end - begin, dtype=numpy.int64)
        for asker in range(first, last):
            common[:] = 0
            for item in ask_items[ask_starts[asker] : ask_starts[asker + 1]]:
                weight = weights[item]
                for entry in range(list_starts[item], list_starts[item + 1]):
                    common[lists[entry]] += weight
            filled[asker], tied[asker] = _offer(
                common, totals[begin:end], ask_totals[asker], begin,
                person[asker], score[asker], filled[asker], tied[asker],
            )  # fmt: skip
    for asker in range(first, last):
        filled[asker], tied[asker] = fill_with_strangers(
            person[asker], score[asker], filled[asker], tied[asker], people
        )


@compile_inner_loop
def _offer(common, totals, asked, first_person, person, score, filled, tied):
    """Offer everybody of the tile who can still reach the list; who scores 0 is added in the end."""
    for begin in range(0, len(common), BLOCK):
        end = min(begin + BLOCK, len(common))
        least = score[-1] if filled == len(score) else 0.0
        highest = common[begin:end].max()
        # what is common weighs at least this share of what is asked for
        if asked and (highest == 0 or highest < (least - 1e-9) * asked):
            continue
        for index in range(begin, end):
            value = likeness(common[index], asked, totals[index])
            if value > 0.0:
                filled, tied = insert(person, score, filled, tied, first_person + index, value)
    return filled, tied


@compile_inner_loop
def likeness(common, asked, had):
    """The score of sets that weigh `asked` and `had`, of it `common`; two that weigh nothing are the same."""
    if asked + had == 0:
        return 1.0
    return round_score(common / (asked + had - common))


@compile_loop
def scores(starts, items, totals, other_starts, other_items, other_totals, weights, pairs, other_pairs):
    """The scores of many pairs of sets."""
    found = numpy.empty(len(pairs))
    for pair in range(len(pairs)):
        one, other, common = pairs[pair], other_pairs[pair], 0
        at, end = starts[one], starts[one + 1]
        there, stop = other_starts[other], other_starts[other + 1]
        while at < end and there < stop:
            if items[at] == other_items[there]:
                common += weights[items[at]]
            step = items[at] <= other_items[there]
            there += items[at] >= other_items[there]
            at += step
        found[pair] = likeness(common, totals[one], other_totals[other])
    return found
