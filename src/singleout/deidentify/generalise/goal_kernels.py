"""Whether a class keeps to the goals: people, sensitive values, how they are spread, risk."""

from __future__ import annotations

import math

from singleout.deidentify.generalise.walk_types import EQUAL, ORDERED, ROUNDING
from singleout.engine.codes.loop_compiler import compile_inner_loop


@compile_inner_loop
def count_distinct(codes, walk, depth, first, last, wanted, scratch):
    """How many different codes the rows have; no more than wanted are counted."""
    scratch.stamp[0] += 1
    stamp, count = scratch.stamp[0], 0
    for position in range(first, last):
        code = codes[walk.rows[depth, position]]
        if scratch.seen[code] != stamp:
            scratch.seen[code] = stamp
            count += 1
            if count == wanted:
                break
    return count


@compile_inner_loop
def is_diverse(rows, aim, walk, depth, first, last, scratch):
    """Whether a class has enough people and different sensitive values: finer classes never have more."""
    if len(rows.persons) and count_distinct(rows.persons, walk, depth, first, last, aim.k, scratch) < aim.k:
        return False
    if aim.diverse > 1:
        for column in range(rows.sensitive.shape[0]):
            codes = rows.sensitive[column]
            if count_distinct(codes, walk, depth, first, last, aim.diverse, scratch) < aim.diverse:
                return False
    return True


@compile_inner_loop
def is_well_spread(rows, aim, walk, depth, first, last, scratch):
    """Whether the values of each sensitive column are spread in the class as is asked."""
    spread, people = aim.spread, 0
    if len(rows.persons):
        people = count_distinct(rows.persons, walk, depth, first, last, last - first, scratch)
    for column in range(rows.sensitive.shape[0]):
        count, size = count_values(rows, walk, depth, first, last, column, scratch)
        values, amount = scratch.values[:count], scratch.amount
        among = people if len(rows.persons) else size
        kept = has_several_values(spread, values, amount, size, among, scratch.ranked) and is_like_table(
            spread, column, values, amount, among
        )
        if kept and spread.distance >= 0.0:
            far = distance_from_table(spread, column, values, amount, size, scratch.ranked)
            kept = far <= spread.distance * size * spread.whole[column] * (1.0 + ROUNDING)
        for code in values:
            amount[code] = 0
        if not kept:
            return False
    return True


@compile_inner_loop
def count_values(rows, walk, depth, first, last, column, scratch):
    """How many values a class has, and how often in all; a person's records with one value count once."""
    codes, once, count, size = rows.sensitive[column], len(rows.persons) > 0, 0, 0
    scratch.stamp[0] += 1
    for position in range(first, last):
        row = walk.rows[depth, position]
        if once:
            pair = rows.pairs[column, row]
            if scratch.seen[pair] == scratch.stamp[0]:
                continue
            scratch.seen[pair] = scratch.stamp[0]
        added = 1 if once else walk.weights[depth, position]
        code = codes[row]
        if scratch.amount[code] == 0:
            scratch.values[count] = code
            count += 1
        scratch.amount[code] += added
        size += added
    return count, size


@compile_inner_loop
def has_several_values(spread, values, amount, size, people, ranked):
    """Whether no value stands out: by the most frequent, by entropy, by (c,l)-diversity."""
    most, logs = 0, 0.0
    for code in values:
        most = max(most, amount[code])
        logs += amount[code] * math.log(amount[code])
    if spread.several and most == people:
        return False
    if spread.alpha >= 0.0 and most > spread.alpha * people * (1.0 + ROUNDING):
        return False
    if spread.entropy >= 0.0:
        effective = math.exp(math.log(size) - logs / size)
        if effective * (1.0 + ROUNDING) < spread.entropy:
            return False
    if spread.ratio >= 0.0:
        tail = tail_of(values, amount, size, spread.least, ranked)
        return most < spread.ratio * tail * (1.0 - ROUNDING)
    return True


@compile_inner_loop
def tail_of(values, amount, size, least, ranked):
    """What is left without the values that are more frequent than the `least`-th."""
    count = len(values)
    if count < least:
        return 0
    for index in range(count):
        ranked[index] = amount[values[index]]
    for place in range(least - 1):
        highest = place
        for index in range(place + 1, count):
            if ranked[index] > ranked[highest]:
                highest = index
        ranked[place], ranked[highest] = ranked[highest], ranked[place]
        size -= ranked[place]
    return size


@compile_inner_loop
def is_like_table(spread, column, values, amount, people):
    """Whether knowing the class moves the probability of no value too far."""
    if spread.delta >= 0.0 and len(values) < spread.values[column]:
        return False
    delta = spread.present if spread.delta < 0.0 else spread.delta
    if spread.present >= 0.0:
        delta = min(delta, spread.present)
    if spread.basic < 0.0 and spread.enhanced < 0.0 and delta < 0.0:
        return True
    for code in values:
        total = spread.totals[column, code]
        ratio = amount[code] * float(spread.people) / (people * float(total))
        if spread.basic >= 0.0 and ratio - 1.0 > spread.basic * (1.0 + ROUNDING):
            return False
        if spread.enhanced >= 0.0:
            most = min(spread.enhanced, -math.log(total / spread.people))
            if ratio - 1.0 > most * (1.0 + ROUNDING) + ROUNDING:
                return False
        if delta >= 0.0 and abs(math.log(ratio)) >= delta * (1.0 - ROUNDING):
            return False
    return True


@compile_inner_loop
def distance_from_table(spread, column, values, amount, size, ranked):
    """The earth mover's distance, times the sizes of class and table."""
    totals, whole = spread.totals[column], spread.whole[column]
    if spread.kind == ORDERED:
        return ordered_distance(totals[: spread.codes[column]], amount, size, whole)
    if spread.kind == EQUAL:
        return equal_distance(totals, amount, values, size, whole)
    far = 0.0
    for level in range(spread.depths[column]):
        far += level_distance(
            spread.nodes[column, level],
            spread.node_totals[column, level],
            amount,
            values,
            size,
            whole,
            ranked,
        )
    return far / spread.depths[column]


@compile_inner_loop
def level_distance(nodes, totals, amount, values, size, total, ranked):
    """The equal distance of the values at a level of their hierarchy."""
    for code in values:
        ranked[nodes[code]] = 0
    for code in values:
        ranked[nodes[code]] += amount[code]
    differences, rest = 0, total
    for code in values:
        node = nodes[code]
        if ranked[node]:
            differences += abs(ranked[node] * total - size * totals[node])
            rest -= totals[node]
            ranked[node] = 0
    return (differences + size * rest) / 2


@compile_inner_loop
def equal_distance(totals, amount, values, size, total):
    """Half the sum of the differences between two shares, times size and total."""
    differences, rest = 0, total
    for code in values:
        differences += abs(amount[code] * total - size * totals[code])
        rest -= totals[code]
    return (differences + size * rest) / 2


@compile_inner_loop
def ordered_distance(totals, amount, size, total):
    """How much has to be moved on to the next value, of the way from the first to the last, times both."""
    carried, distance = 0, 0.0
    for code in range(len(totals)):
        carried += amount[code] * total - size * totals[code]
        distance += abs(carried)
    return distance / max(1, len(totals) - 1)


@compile_inner_loop
def size_of(walk, depth, first, last):
    size = 0
    for position in range(first, last):
        size += walk.weights[depth, position]
    return size


@compile_inner_loop
def is_too_risky(rows, aim, walk, depth, scratch):
    """Whether a record of the classes is found too often, on average over records."""
    risk, released = 0.0, aim.total - walk.suppressed[depth]
    if not len(rows.persons):
        risk = float(walk.classes[depth])
    else:
        for index in range(walk.classes[depth]):
            first, last = walk.starts[depth, index], walk.ends[depth, index]
            people = count_distinct(rows.persons, walk, depth, first, last, last - first, scratch)
            risk += size_of(walk, depth, first, last) / people
    return risk > aim.risk * released * (1.0 + ROUNDING)
