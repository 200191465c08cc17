"""Compiled loops that move and exchange people between clusters while that saves dummy records."""

from __future__ import annotations

import numpy

from singleout.engine.codes.count_kernels import order_by
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

NOBODY = -1


@compile_loop
def linked_lists(of, clusters):
    """The people of each cluster as lists: (first of each cluster, next and previous of each person)."""
    first = numpy.full(clusters, NOBODY, dtype=numpy.int64)
    following = numpy.full(len(of), NOBODY, dtype=numpy.int64)
    before = numpy.full(len(of), NOBODY, dtype=numpy.int64)
    for person in range(len(of) - 1, -1, -1):
        _link(person, of[person], first, following, before)
    return first, following, before


@compile_inner_loop
def _link(person, cluster, first, following, before):
    following[person], before[person] = first[cluster], NOBODY
    if first[cluster] != NOBODY:
        before[first[cluster]] = person
    first[cluster] = person


@compile_inner_loop
def _unlink(person, cluster, first, following, before):
    if before[person] == NOBODY:
        first[cluster] = following[person]
    else:
        following[before[person]] = following[person]
    if following[person] != NOBODY:
        before[following[person]] = before[person]


@compile_inner_loop
def _count_items(cluster, held, change, starts, items, first, following):
    """Add `change` to `held`[item] for every item of everybody in the cluster."""
    person = first[cluster]
    while person != NOBODY:
        for at in range(starts[person], starts[person + 1]):
            held[items[at]] += change
        person = following[person]


@compile_loop
def clusters_by_item(of, starts, items, count, clusters):
    """The clusters in which each item occurs: (item starts, clusters), and how many items each has."""
    last = numpy.full((count,), NOBODY, dtype=numpy.int64)
    entries = numpy.zeros(count + 1, dtype=numpy.int64)
    sizes = numpy.zeros(clusters, dtype=numpy.int64)
    cluster_starts, order = order_by(of, clusters)
    for fill in range(2):
        last[:] = NOBODY
        if fill:
            for item in range(count):
                entries[item + 1] += entries[item]
            following = entries[:-1].copy()
            cluster_of = numpy.empty(entries[-1], dtype=numpy.uint32)
        for cluster in range(clusters):
            for position in range(cluster_starts[cluster], cluster_starts[cluster + 1]):
                person = order[position]
                for at in range(starts[person], starts[person + 1]):
                    item = items[at]
                    if last[item] == cluster:
                        continue
                    last[item] = cluster
                    if fill:
                        cluster_of[following[item]] = cluster
                        following[item] += 1
                    else:
                        entries[item + 1] += 1
                        sizes[cluster] += 1
    return entries, cluster_of, sizes


@compile_inner_loop
def _choose_clusters(
    own, mine, entries, cluster_of, person, starts, items, sizes, unions, overlap, chosen, cost
):
    """The clusters into which a person would fit best, by rising cost; returns how many."""
    for at in range(starts[person], starts[person + 1]):
        for position in range(entries[items[at]], entries[items[at] + 1]):
            overlap[cluster_of[position]] += 1
    many = 0
    for cluster in range(len(sizes)):
        if cluster != own:
            new = unions[cluster] + mine - overlap[cluster]
            price = (sizes[cluster] + 1) * new - sizes[cluster] * unions[cluster]
            if many < len(chosen) or price < cost[many - 1]:
                at = many if many < len(chosen) else many - 1
                many = min(many + 1, len(chosen))
                while at > 0 and cost[at - 1] > price:
                    chosen[at], cost[at] = chosen[at - 1], cost[at - 1]
                    at -= 1
                chosen[at], cost[at] = cluster, price
        overlap[cluster] = 0
    return many


@compile_inner_loop
def _count_lacked(person, held, starts, items):
    """Items of a person that a cluster lacks."""
    lacking = 0
    for at in range(starts[person], starts[person + 1]):
        lacking += held[items[at]] == 0
    return lacking


@compile_inner_loop
def _exchange_effect(other, own_held, other_held, has, starts, items):
    """What the own cluster gains by somebody else, what the other one loses, and what of that comes back.

    `has` are the items of the person who goes there: what only they held in the own cluster goes with them.
    """
    gained, lost, back = 0, 0, 0
    for at in range(starts[other], starts[other + 1]):
        item = items[at]
        gained += own_held[item] == has[item]
        if other_held[item] == 1:
            lost += 1
            back += has[item]
    return gained, lost, back


@compile_inner_loop
def _first_candidate(cluster, turn, most, sizes, first, following):
    """With whom to begin: not always with the same people of a large cluster."""
    other = first[cluster]
    if sizes[cluster] > most:
        for _ in range((turn * 7919) % (sizes[cluster] - most + 1)):
            other = following[other]
    return other


@compile_inner_loop
def _move_cost(own, cluster, own_union, union, sizes, unions):
    """By how much the records change if somebody goes to another cluster."""
    left = (sizes[own] - 1) * own_union - sizes[own] * unions[own]
    return left + (sizes[cluster] + 1) * union - sizes[cluster] * unions[cluster]


@compile_inner_loop
def _best_change(
    person,
    turn,
    chosen,
    smallest,
    most,
    of,
    sizes,
    unions,
    starts,
    items,
    first,
    following,
    own_held,
    held,
    has,
):
    """(records saved, cluster, who comes back or NOBODY, |I| of the own and of the other cluster then).

    The counts `own_held`, `held` and `has` are zeros before and after.
    """
    own = of[person]
    _count_items(own, own_held, 1, starts, items, first, following)
    lost = 0
    for at in range(starts[person], starts[person + 1]):
        has[items[at]] = True
        lost += own_held[items[at]] == 1
    best = (0, NOBODY, NOBODY, 0, 0)
    for cluster in chosen:
        _count_items(cluster, held, 1, starts, items, first, following)
        new = _count_lacked(person, held, starts, items)
        if sizes[own] > smallest:
            own_union, union = unions[own] - lost, unions[cluster] + new
            saved = -_move_cost(own, cluster, own_union, union, sizes, unions)
            if saved > best[0]:
                best = (saved, cluster, NOBODY, own_union, union)
        other, asked = _first_candidate(cluster, turn, most, sizes, first, following), 0
        while other != NOBODY and asked < most:
            gained, other_lost, back = _exchange_effect(other, own_held, held, has, starts, items)
            own_union = unions[own] - lost + gained
            union = unions[cluster] + new - other_lost + back
            saved = sizes[own] * (unions[own] - own_union) + sizes[cluster] * (unions[cluster] - union)
            if saved > best[0]:
                best = (saved, cluster, other, own_union, union)
            other = following[other]
            asked += 1
        _count_items(cluster, held, -1, starts, items, first, following)
    _count_items(own, own_held, -1, starts, items, first, following)
    for at in range(starts[person], starts[person + 1]):
        has[items[at]] = False
    return best


@compile_loop
def improve(
    people,
    of,
    sizes,
    unions,
    smallest,
    near,
    most,
    starts,
    items,
    entries,
    cluster_of,
    first,
    following,
    before,
):
    """One turn over `people`: each goes, or changes places with somebody, where that saves the most records.

    The clusters that a person may go to are the `near` most promising; in each at most `most` people are
    asked to change places. Changes `of`, `sizes`, `unions` and the lists; returns the records saved.
    """
    count, clusters = len(entries) - 1, len(sizes)
    own_held = numpy.zeros(count, dtype=numpy.int32)
    held = numpy.zeros(count, dtype=numpy.int32)
    has = numpy.zeros(count, dtype=numpy.bool_)
    overlap = numpy.zeros(clusters, dtype=numpy.int64)
    chosen = numpy.empty(near, dtype=numpy.int64)
    cost = numpy.empty(near, dtype=numpy.int64)
    total = 0
    for turn in range(len(people)):
        person = people[turn]
        own, mine = of[person], starts[person + 1] - starts[person]
        many = _choose_clusters(
            own, mine, entries, cluster_of, person, starts, items, sizes, unions, overlap, chosen, cost
        )
        saved, cluster, other, own_union, union = _best_change(
            person, turn, chosen[:many], smallest, most,
            of, sizes, unions, starts, items, first, following, own_held, held, has,
        )  # fmt: skip
        if saved > 0:
            total += saved
            _change(person, other, cluster, of, sizes, first, following, before)
            unions[own], unions[cluster] = own_union, union
    return total


@compile_inner_loop
def _change(person, other, cluster, of, sizes, first, following, before):
    """The person goes to the cluster, and somebody comes back unless that is NOBODY."""
    own = of[person]
    _unlink(person, own, first, following, before)
    if other == NOBODY:
        sizes[own] -= 1
        sizes[cluster] += 1
    else:
        _unlink(other, cluster, first, following, before)
        _link(other, own, first, following, before)
        of[other] = own
    _link(person, cluster, first, following, before)
    of[person] = cluster
