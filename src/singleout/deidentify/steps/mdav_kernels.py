"""The compiled loops that part points into groups of near ones: MDAV with groups of a fixed size."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.count_kernels import compiled

Floats = NDArray[numpy.float64]
Places = NDArray[numpy.int64]

# distances, which are measured in a second or two
AT_ONCE = 10**8


@compiled
def measure(points, left, centre, times, distance):
    """The squared distance of each point, taken `times` as far from zero, to the centre."""
    for place in range(left):
        total = 0.0
        for column in range(points.shape[1]):
            gap = times * points[place, column] - centre[column]
            total += gap * gap
        distance[place] = total


@compiled
def sums_of(points, left):
    sums = numpy.zeros(points.shape[1])
    for place in range(left):
        for column in range(points.shape[1]):
            sums[column] += points[place, column]
    return sums


@compiled
def farthest(distance, left):
    """The first of those that are farthest."""
    found = 0
    for place in range(1, left):
        if distance[place] > distance[found]:
            found = place
    return found


@compiled
def is_nearer(one, other, distance):
    return distance[one] < distance[other] or (distance[one] == distance[other] and one < other)


@compiled
def sink(places, rank, distance):
    """Order a heap again, whose first is the farthest, after the place at a rank of it is another."""
    place = places[rank]
    while True:
        below = 2 * rank + 1
        if below + 1 < len(places) and is_nearer(places[below], places[below + 1], distance):
            below += 1
        if below >= len(places) or not is_nearer(place, places[below], distance):
            break
        places[rank] = places[below]
        rank = below
    places[rank] = place


@compiled
def mark_nearest(distance, left, size):
    """Make the distances of the `size` nearest −1; of points equally near the first ones are taken."""
    nearest = numpy.arange(size)
    for rank in range(size // 2 - 1, -1, -1):
        sink(nearest, rank, distance)
    for place in range(size, left):
        if distance[place] < distance[nearest[0]]:
            nearest[0] = place
            sink(nearest, 0, distance)
    for place in nearest:
        distance[place] = -1.0


@compiled
def take_marked(points, names, left, distance, number, group):
    """Give the marked points their group and close the gaps that they leave; returns how many are left."""
    kept = 0
    for place in range(left):
        if distance[place] < 0:
            group[names[place]] = number
        else:
            names[kept] = names[place]
            distance[kept] = distance[place]
            for column in range(points.shape[1]):
                points[kept, column] = points[place, column]
            kept += 1
    return kept


@compiled
def form_groups(points, names, distance, size, group, left, number, most):
    """More groups of the points that are left, until about `most` distances are measured.

    Returns how many points are left and the number of the next group.
    """
    measured = 0
    while left >= 2 * size and measured < most:
        measured += 3 * left
        measure(points, left, sums_of(points, left), float(left), distance)
        for _ in range(2 if left >= 3 * size else 1):
            first = farthest(distance, left)
            measure(points, left, points[first].copy(), 1.0, distance)
            distance[first] = -1.0
            mark_nearest(distance, left, size)
            left = take_marked(points, names, left, distance, number, group)
            number += 1
    return left, number


def part_into_groups(points: Floats, size: int, group: Places) -> int:
    """MDAV: around the point farthest from the mean, then around the one farthest from that, and again.

    The points are overwritten. Distances to the mean are compared as those of n·x to the sum of all n, which
    needs no division. It goes piece by piece, so that it can be broken off. Returns how many
    groups there are.
    """
    left, number = len(points), 0
    names, distance = numpy.arange(left), numpy.empty(left)
    while left >= 2 * size:
        left, number = form_groups(points, names, distance, size, group, left, number, AT_ONCE)
    group[names[:left]] = number
    return number + 1
