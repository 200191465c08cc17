"""Whether a class keeps to the goals: people, sensitive values, how they are spread, risk."""

from __future__ import annotations

from singleout.deidentify.generalise.walk_types import ROUNDING
from singleout.engine.codes.count_kernels import compile_inner_loop


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
def is_close(rows, aim, walk, depth, first, last, scratch):
    """Whether each sensitive column is spread in the class nearly as in the table."""
    for column in range(rows.sensitive.shape[0]):
        codes, totals = rows.sensitive[column], aim.totals[column]
        count, size = 0, 0
        for position in range(first, last):
            code = codes[walk.rows[depth, position]]
            if scratch.amount[code] == 0:
                scratch.values[count] = code
                count += 1
            scratch.amount[code] += walk.weights[depth, position]
            size += walk.weights[depth, position]
        if aim.ordered:
            distance = ordered_distance(totals[: aim.values[column]], scratch.amount, size, aim.total)
        else:
            distance = equal_distance(totals, scratch.amount, scratch.values[:count], size, aim.total)
        for position in range(count):
            scratch.amount[scratch.values[position]] = 0
        if distance > aim.distance * size * aim.total * (1.0 + ROUNDING):
            return False
    return True


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
