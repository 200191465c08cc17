"""The compiled loops that turn records into people's item sets, and compare two sets."""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop


@compile_loop
def sets_of(record_starts, order, item):
    """Each person's items, sorted and each once, and how many records have them."""
    people = len(record_starts) - 1
    starts = numpy.zeros(people + 1, dtype=numpy.int64)
    items = numpy.empty(len(order), dtype=numpy.uint32)
    counts = numpy.empty(len(order), dtype=numpy.uint32)
    filled = 0
    for person in range(people):
        mine = numpy.sort(item[order[record_starts[person] : record_starts[person + 1]]])
        for index in range(len(mine)):
            if index and mine[index] == mine[index - 1]:
                counts[filled - 1] += 1
            else:
                items[filled], counts[filled] = mine[index], 1
                filled += 1
        starts[person + 1] = filled
    return starts, items[:filled].copy(), counts[:filled].copy()


@compile_loop
def numbered_copies(starts, items, counts, first_of_item):
    """A multiset as a set: the first, the second, … copy of an item are items of their own."""
    people = len(starts) - 1
    copy_starts = numpy.zeros(people + 1, dtype=numpy.int64)
    copies = numpy.empty(counts.sum(), dtype=numpy.uint32)
    filled = 0
    for person in range(people):
        for at in range(starts[person], starts[person + 1]):
            for copy in range(counts[at]):
                copies[filled] = first_of_item[items[at]] + copy
                filled += 1
        copy_starts[person + 1] = filled
    return copy_starts, copies


@compile_loop
def common_items(starts, items, other_starts, other_items, pairs, other_pairs):
    """How many items the sets of each pair of people have in common."""
    common = numpy.zeros(len(pairs), dtype=numpy.int64)
    for pair in range(len(pairs)):
        at, end = starts[pairs[pair]], starts[pairs[pair] + 1]
        there, stop = other_starts[other_pairs[pair]], other_starts[other_pairs[pair] + 1]
        while at < end and there < stop:
            if items[at] == other_items[there]:
                common[pair] += 1
            step = items[at] <= other_items[there]
            there += items[at] >= other_items[there]
            at += step
    return common


@compile_loop
def common_weight(starts, items, weights, other_starts, other_items, other_weights, pairs, other_pairs):
    """The sum over common items of the product of both weights, in the order of the items."""
    common = numpy.zeros(len(pairs))
    for pair in range(len(pairs)):
        at, end = starts[pairs[pair]], starts[pairs[pair] + 1]
        there, stop = other_starts[other_pairs[pair]], other_starts[other_pairs[pair] + 1]
        while at < end and there < stop:
            if items[at] == other_items[there]:
                common[pair] += weights[at] * other_weights[there]
            step = items[at] <= other_items[there]
            there += items[at] >= other_items[there]
            at += step
    return common
