"""Compiled loops over people who share items: who is closest to whom by Jaccard."""

from __future__ import annotations

import numpy

from singleout.engine.codes.count_kernels import compiled


@compiled
def people_by_item(starts, items, count):
    """The sets turned round: the people of each item, in their order."""
    item_starts = numpy.zeros(count + 1, dtype=numpy.int64)
    for item in items:
        item_starts[item + 1] += 1
    for place in range(count):
        item_starts[place + 1] += item_starts[place]
    following = item_starts[:-1].copy()
    people = numpy.empty(len(items), dtype=numpy.uint32)
    for person in range(len(starts) - 1):
        for at in range(starts[person], starts[person + 1]):
            item = items[at]
            people[following[item]] = person
            following[item] += 1
    return item_starts, people


@compiled
def jaccard_to_all(person, starts, items, item_starts, people, shared, found):
    """J of one person with everybody, into `found`; `shared` must be zeros, and is left so.

    Two empty sets are identical. Divided numbers compare exactly: different fractions of numbers below 2^26
    are different floats.
    """
    mine = starts[person + 1] - starts[person]
    for at in range(starts[person], starts[person + 1]):
        item = items[at]
        for place in range(item_starts[item], item_starts[item + 1]):
            shared[people[place]] += 1
    for other in range(len(starts) - 1):
        union = mine + starts[other + 1] - starts[other] - shared[other]
        found[other] = shared[other] / union if union else 1.0
        shared[other] = 0


@compiled
def closest(representatives, starts, items, item_starts, people):
    """For each person the place of the representative with the highest J, the first of equals."""
    everybody = len(starts) - 1
    shared = numpy.zeros(everybody, dtype=numpy.int64)
    found = numpy.empty(everybody, dtype=numpy.float64)
    best = numpy.full(everybody, -1.0)
    place_of = numpy.zeros(everybody, dtype=numpy.int64)
    for place in range(len(representatives)):
        jaccard_to_all(representatives[place], starts, items, item_starts, people, shared, found)
        for person in range(everybody):
            if found[person] > best[person]:
                best[person], place_of[person] = found[person], place
    for place in range(len(representatives)):
        place_of[representatives[place]] = place
    return place_of


@compiled
def fill_cluster(cluster, smallest, of, sizes, starts, items, item_starts, people):
    """Move people into a cluster until it has `smallest`; changes `of` and `sizes`.

    It is always the one of the largest cluster who is most like somebody in it (paper 2's Algorithm 4), the
    first of equals.
    """
    everybody = len(of)
    shared = numpy.zeros(everybody, dtype=numpy.int64)
    found = numpy.empty(everybody, dtype=numpy.float64)
    likest = numpy.full(everybody, -1.0)
    for person in range(everybody):
        if of[person] == cluster:
            jaccard_to_all(person, starts, items, item_starts, people, shared, found)
            likest = numpy.maximum(likest, found)
    while sizes[cluster] < smallest:
        largest = sizes.argmax()
        chosen = -1
        for person in range(everybody):
            if of[person] == largest and (chosen < 0 or likest[person] > likest[chosen]):
                chosen = person
        of[chosen] = cluster
        sizes[largest] -= 1
        sizes[cluster] += 1
        jaccard_to_all(chosen, starts, items, item_starts, people, shared, found)
        likest = numpy.maximum(likest, found)
