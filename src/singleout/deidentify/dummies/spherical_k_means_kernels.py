"""Compiled loops of spherical k-means on people's item sets; a person is a vector of length one."""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop


@compile_loop
def weights_of(starts, items, item_weights):
    """The weight of each entry of the sets: TF is the same for all items of a person, and cancels."""
    weights = numpy.empty(len(items), dtype=numpy.float64)
    for person in range(len(starts) - 1):
        length = 0.0
        for at in range(starts[person], starts[person + 1]):
            length += item_weights[items[at]] ** 2
        for at in range(starts[person], starts[person + 1]):
            weights[at] = item_weights[items[at]] / numpy.sqrt(length)
    return weights


@compile_loop
def come_nearer(person, starts, items, weights, item_starts, people, by_item, near):
    """Raise `near`, everybody's cosine with the nearest centre so far, by a new centre: a person."""
    everybody = len(starts) - 1
    cosine = numpy.zeros(everybody, dtype=numpy.float64)
    for at in range(starts[person], starts[person + 1]):
        item = items[at]
        for position in range(item_starts[item], item_starts[item + 1]):
            cosine[people[position]] += weights[at] * by_item[position]
    for other in range(everybody):
        near[other] = max(near[other], min(cosine[other], 1.0))
    near[person] = 1.0


@compile_loop
def centres(cluster_starts, members, starts, items, weights, count):
    """The mean directions of the clusters, by item: (item starts, cluster, weight)."""
    clusters = len(cluster_starts) - 1
    total = numpy.zeros(count, dtype=numpy.float64)
    seen = numpy.empty(count, dtype=numpy.int64)
    entries = numpy.zeros(count + 1, dtype=numpy.int64)
    of_cluster = numpy.zeros(clusters + 1, dtype=numpy.int64)
    found_item = numpy.empty(len(items), dtype=numpy.uint32)
    found_weight = numpy.empty(len(items), dtype=numpy.float64)
    filled = 0
    for cluster in range(clusters):
        many = 0
        for position in range(cluster_starts[cluster], cluster_starts[cluster + 1]):
            person = members[position]
            for at in range(starts[person], starts[person + 1]):
                if total[items[at]] == 0.0:
                    seen[many] = items[at]
                    many += 1
                total[items[at]] += weights[at]
        length = 0.0
        for position in range(many):
            length += total[seen[position]] ** 2
        for position in range(many):
            item = seen[position]
            found_item[filled], found_weight[filled] = item, total[item] / numpy.sqrt(length)
            entries[item + 1] += 1
            total[item] = 0.0
            filled += 1
        of_cluster[cluster + 1] = filled
    for item in range(count):
        entries[item + 1] += entries[item]
    following = entries[:-1].copy()
    cluster_of = numpy.empty(filled, dtype=numpy.uint32)
    weight_of = numpy.empty(filled, dtype=numpy.float64)
    for cluster in range(clusters):
        for position in range(of_cluster[cluster], of_cluster[cluster + 1]):
            at = following[found_item[position]]
            cluster_of[at], weight_of[at] = cluster, found_weight[position]
            following[found_item[position]] += 1
    return entries, cluster_of, weight_of


@compile_loop
def nearest_centre(first, last, starts, items, weights, entries, cluster_of, weight_of, clusters, of, near):
    """For the persons first … last−1 the centre with the highest cosine, the first of equals."""
    cosine = numpy.zeros(clusters, dtype=numpy.float64)
    for person in range(first, last):
        for at in range(starts[person], starts[person + 1]):
            weight = weights[at]
            for position in range(entries[items[at]], entries[items[at] + 1]):
                cosine[cluster_of[position]] += weight * weight_of[position]
        best = of[person]  # who is as near to the old one stays there
        for cluster in range(clusters):
            if cosine[cluster] > cosine[best]:
                best = cluster
        of[person], near[person] = best, cosine[best]
        cosine[:] = 0.0
