"""Whether a class keeps to the goals: people, sensitive values, how they are spread, risk."""

from __future__ import annotations

from singleout.deidentify.generalise.walk_types import ROUNDING
from singleout.engine.codes.count_kernels import inner


@inner
def different(codes, walk, depth, first, last, wanted, scratch):
    """How many different codes the rows have; no more than wanted are counted."""
    scratch.stamp[0] += 1
    stamp, found = scratch.stamp[0], 0
    for place in range(first, last):
        code = codes[walk.rows[depth, place]]
        if scratch.seen[code] != stamp:
            scratch.seen[code] = stamp
            found += 1
            if found == wanted:
                break
    return found


@inner
def mixed_enough(rows, aim, walk, depth, first, last, scratch):
    """Whether a class has enough people and different sensitive values: finer classes never have more."""
    if len(rows.persons) and different(rows.persons, walk, depth, first, last, aim.k, scratch) < aim.k:
        return False
    if aim.diverse > 1:
        for column in range(rows.sensitive.shape[0]):
            codes = rows.sensitive[column]
            if different(codes, walk, depth, first, last, aim.diverse, scratch) < aim.diverse:
                return False
    return True


@inner
def near_enough(rows, aim, walk, depth, first, last, scratch):
    """Whether each sensitive column is spread in the class nearly as in the table."""
    for column in range(rows.sensitive.shape[0]):
        codes, totals = rows.sensitive[column], aim.totals[column]
        found, size = 0, 0
        for place in range(first, last):
            code = codes[walk.rows[depth, place]]
            if scratch.amount[code] == 0:
                scratch.values[found] = code
                found += 1
            scratch.amount[code] += walk.weights[depth, place]
            size += walk.weights[depth, place]
        if aim.ordered:
            moved = moved_along(totals[: aim.values[column]], scratch.amount, size, aim.total)
        else:
            moved = moved_anywhere(totals, scratch.amount, scratch.values[:found], size, aim.total)
        for place in range(found):
            scratch.amount[scratch.values[place]] = 0
        if moved > aim.distance * size * aim.total * (1.0 + ROUNDING):
            return False
    return True


@inner
def moved_anywhere(totals, amount, values, size, total):
    """Half the sum of the differences between two shares, times size and total."""
    differences, rest = 0, total
    for code in values:
        differences += abs(amount[code] * total - size * totals[code])
        rest -= totals[code]
    return (differences + size * rest) / 2


@inner
def moved_along(totals, amount, size, total):
    """How much has to be moved on to the next value, of the way from the first to the last, times both."""
    carried, moved = 0, 0.0
    for code in range(len(totals)):
        carried += amount[code] * total - size * totals[code]
        moved += abs(carried)
    return moved / max(1, len(totals) - 1)


@inner
def size_of(walk, depth, first, last):
    size = 0
    for place in range(first, last):
        size += walk.weights[depth, place]
    return size


@inner
def too_risky(rows, aim, walk, depth, scratch):
    """Whether a record of the classes is found too often, on average over records."""
    risk, released = 0.0, aim.total - walk.suppressed[depth]
    if not len(rows.persons):
        risk = float(walk.classes[depth])
    else:
        for place in range(walk.classes[depth]):
            first, last = walk.starts[depth, place], walk.ends[depth, place]
            people = different(rows.persons, walk, depth, first, last, last - first, scratch)
            risk += size_of(walk, depth, first, last) / people
    return risk > aim.risk * released * (1.0 + ROUNDING)
