"""The compiled loops that part points into groups of near ones: MDAV with groups of a fixed size."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.loop_compiler import compile_loop

Floats = NDArray[numpy.float64]
Indices = NDArray[numpy.int64]

# distances, which are measured in a second or two
AT_ONCE = 10**8


@compile_loop
def measure(points, left, centre, times, distance):
    """The squared distance of each point, taken `times` as far from zero, to the centre."""
    for point in range(left):
        total = 0.0
        for column in range(points.shape[1]):
            gap = times * points[point, column] - centre[column]
            total += gap * gap
        distance[point] = total


@compile_loop
def sums_of(points, left):
    sums = numpy.zeros(points.shape[1])
    for point in range(left):
        for column in range(points.shape[1]):
            sums[column] += points[point, column]
    return sums


@compile_loop
def farthest_point(distance, left):
    """The first of those that are farthest."""
    best = 0
    for point in range(1, left):
        if distance[point] > distance[best]:
            best = point
    return best


@compile_loop
def is_nearer(one, other, distance):
    return distance[one] < distance[other] or (distance[one] == distance[other] and one < other)


@compile_loop
def sink(heap, rank, distance):
    """Order a heap again, whose first is the farthest, after the place at a rank of it is another."""
    point = heap[rank]
    while True:
        below = 2 * rank + 1
        if below + 1 < len(heap) and is_nearer(heap[below], heap[below + 1], distance):
            below += 1
        if below >= len(heap) or not is_nearer(point, heap[below], distance):
            break
        heap[rank] = heap[below]
        rank = below
    heap[rank] = point


@compile_loop
def mark_nearest(distance, left, size):
    """Make the distances of the `size` nearest −1; of points equally near the first ones are taken."""
    nearest = numpy.arange(size)
    for rank in range(size // 2 - 1, -1, -1):
        sink(nearest, rank, distance)
    for point in range(size, left):
        if distance[point] < distance[nearest[0]]:
            nearest[0] = point
            sink(nearest, 0, distance)
    for point in nearest:
        distance[point] = -1.0


@compile_loop
def take_marked(points, names, left, distance, number, group):
    """Give the marked points their group and close the gaps that they leave; returns how many are left."""
    kept = 0
    for point in range(left):
        if distance[point] < 0:
            group[names[point]] = number
        else:
            names[kept] = names[point]
            distance[kept] = distance[point]
            for column in range(points.shape[1]):
                points[kept, column] = points[point, column]
            kept += 1
    return kept


@compile_loop
def form_groups(points, names, distance, size, group, left, number, most):
    """More groups of the points that are left, until about `most` distances are measured.

    Returns how many points are left and the number of the next group.
    """
    measured = 0
    while left >= 2 * size and measured < most:
        measured += 3 * left
        measure(points, left, sums_of(points, left), float(left), distance)
        for _ in range(2 if left >= 3 * size else 1):
            first = farthest_point(distance, left)
            measure(points, left, points[first].copy(), 1.0, distance)
            distance[first] = -1.0
            mark_nearest(distance, left, size)
            left = take_marked(points, names, left, distance, number, group)
            number += 1
    return left, number


def part_into_groups(points: Floats, size: int, group: Indices) -> int:
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
