"""Compiled loops over people who share items: who is closest to whom by Jaccard."""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop


@compile_loop
def people_by_item(starts, items, count):
    """The sets turned round: the people of each item, in their order."""
    item_starts = numpy.zeros(count + 1, dtype=numpy.int64)
    for item in items:
        item_starts[item + 1] += 1
    for index in range(count):
        item_starts[index + 1] += item_starts[index]
    following = item_starts[:-1].copy()
    people = numpy.empty(len(items), dtype=numpy.uint32)
    for person in range(len(starts) - 1):
        for at in range(starts[person], starts[person + 1]):
            item = items[at]
            people[following[item]] = person
            following[item] += 1
    return item_starts, people


@compile_loop
def jaccard_to_all(person, starts, items, item_starts, people, shared, jaccard):
    """J of one person with everybody, into `found`; `shared` must be zeros, and is left so.

    Two empty sets are identical. Divided numbers compare exactly: different fractions of numbers below 2^26
    are different floats.
    """
    mine = starts[person + 1] - starts[person]
    for at in range(starts[person], starts[person + 1]):
        item = items[at]
        for position in range(item_starts[item], item_starts[item + 1]):
            shared[people[position]] += 1
    for other in range(len(starts) - 1):
        union = mine + starts[other + 1] - starts[other] - shared[other]
        jaccard[other] = shared[other] / union if union else 1.0
        shared[other] = 0


@compile_loop
def fill_cluster(cluster, smallest, of, sizes, starts, items, item_starts, people):
    """Move people into a cluster until it has `smallest`; changes `of` and `sizes`.

    It is always the one of the largest cluster who is most like somebody in it (Ito et al. 2020, Algorithm
    4), the first of equals.
    """
    everybody = len(of)
    shared = numpy.zeros(everybody, dtype=numpy.int64)
    jaccard = numpy.empty(everybody, dtype=numpy.float64)
    likest = numpy.full(everybody, -1.0)
    for person in range(everybody):
        if of[person] == cluster:
            jaccard_to_all(person, starts, items, item_starts, people, shared, jaccard)
            likest = numpy.maximum(likest, jaccard)
    while sizes[cluster] < smallest:
        largest = sizes.argmax()
        chosen = -1
        for person in range(everybody):
            if of[person] == largest and (chosen < 0 or likest[person] > likest[chosen]):
                chosen = person
        of[chosen] = cluster
        sizes[largest] -= 1
        sizes[cluster] += 1
        jaccard_to_all(chosen, starts, items, item_starts, people, shared, jaccard)
        likest = numpy.maximum(likest, jaccard)
