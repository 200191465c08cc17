"""The compiled loops that find whose records a released person must have, whatever dummies were added."""

from __future__ import annotations

import numpy

from singleout.attacks.linkage.candidate_list_kernels import insert
from singleout.attacks.linkage.cosine_kernels import TILE, index_tile
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop


@compile_loop
def link(starts, items, counts, records, weights, ask_starts, ask_items, ask_counts, first, last, listed):
    """Fill the lists (person, score, filled, tied_last) of the askers first … last−1, tile by tile."""
    person, score, filled, tied = listed
    people = len(starts) - 1
    for begin in range(0, people, TILE):
        end = min(begin + TILE, people)
        list_starts, lists, list_counts = index_tile(starts, items, counts, begin, end, len(weights))
        explained = numpy.zeros(end - begin, dtype=numpy.int64)
        common = numpy.zeros(end - begin, dtype=numpy.int64)
        for asker in range(first, last):
            explained[:] = 0
            common[:] = 0
            repeats, total = numpy.int64(0), numpy.int64(0)
            for at in range(ask_starts[asker], ask_starts[asker + 1]):
                item, count = ask_items[at], numpy.int64(ask_counts[at])
                repeats += count - 1
                total += count * weights[item]
                for entry in range(list_starts[item], list_starts[item + 1]):
                    both = min(count, numpy.int64(list_counts[entry]))
                    explained[lists[entry]] += 2 * both - 1
                    common[lists[entry]] += both * weights[item]
            for index in range(end - begin):
                faults = records[begin + index] + repeats - explained[index]
                value = likeness(faults, common[index], total)
                if filled[asker] < len(score[asker]) or value >= score[asker, -1]:
                    filled[asker], tied[asker] = insert(
                        person[asker], score[asker], filled[asker], tied[asker], begin + index, value
                    )


@compile_inner_loop
def likeness(faults, common, total):
    """Fewer faults are always better; where they are as many, what is common weighs, of at most a half."""
    return common / (2 * total) - faults if total else float(-faults)


@compile_loop
def scores(starts, items, counts, other_starts, other_items, other_counts, weights, pairs, other_pairs):
    """The scores of many pairs of people, the first of each being of the release."""
    found = numpy.empty(len(pairs))
    for pair in range(len(pairs)):
        one, other = pairs[pair], other_pairs[pair]
        faults, common, total = numpy.int64(0), numpy.int64(0), numpy.int64(0)
        for at in range(starts[one], starts[one + 1]):
            faults += numpy.int64(counts[at]) - 1
            total += numpy.int64(counts[at]) * weights[items[at]]
        for at in range(other_starts[other], other_starts[other + 1]):
            faults += numpy.int64(other_counts[at])
        at, there = starts[one], other_starts[other]
        while at < starts[one + 1] and there < other_starts[other + 1]:
            if items[at] == other_items[there]:
                both = min(numpy.int64(counts[at]), numpy.int64(other_counts[there]))
                faults -= 2 * both - 1
                common += both * weights[items[at]]
            step = items[at] <= other_items[there]
            there += items[at] >= other_items[there]
            at += step
        found[pair] = likeness(faults, common, total)
    return found
