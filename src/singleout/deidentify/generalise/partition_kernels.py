"""How the search splits classes by one column more: compiled, exact, in whole numbers.

Rows are sorted so that those which the remaining columns can't tell apart stand side by side: after each
split they become one row, so that coarse levels are counted on few rows. Classes that are too small only get
smaller: they leave for good, also for the finer levels of the same column. Arrays are taken out of their
tuples once for many classes: handing a tuple over costs as much as counting a small class.
"""

from __future__ import annotations

import numpy

from singleout.deidentify.generalise.goal_kernels import is_diverse, is_too_risky, is_well_spread, size_of
from singleout.deidentify.generalise.walk_types import AVERAGE_SIZE, DISCERNIBILITY, SUM
from singleout.engine.codes.loop_compiler import compile_inlined_loop, compile_inner_loop

TOO_FINE, MISSED, HELD = range(3)
# rows that are alike are numbered from 1
NONE_ALIKE = 0


@compile_inner_loop
def floor_of(aim, walk, depth, first, last):
    """What the rows of a class add at least to a loss that is worked out from the sizes of classes."""
    if aim.kind == AVERAGE_SIZE:
        return last - first
    floor = 0
    if aim.kind == DISCERNIBILITY:
        for position in range(first, last):
            weight = numpy.int64(walk.weights[depth, position])
            floor += weight * min(aim.total, max(aim.k, weight))
    return floor


@compile_inner_loop
def pay_in_full(sums, columns, row, size, level, offsets, costs, raw, full):
    """Records that leave cost what suppressed ones do, in the columns split by so far."""
    for column in range(columns):
        cost = costs[offsets[column, level[column]] + raw[column, row]]
        sums[column] += size * (full[column] - cost)


@compile_inner_loop
def lose(rows, aim, walk, depth, row, size):
    """A class of the partition leaves."""
    walk.suppressed[depth] += size
    sums = walk.sums[depth]
    pay_in_full(sums, depth, row, size, walk.level, rows.offsets, rows.costs, rows.raw, aim.full)


@compile_inner_loop
def count_codes(rows, weights, raw, codes_of, codes, touched, number, size, example):
    """Which codes the rows of a class have at a level, and the rows and records of each."""
    count = 0
    for position in range(len(rows)):
        row = rows[position]
        code = codes_of[raw[row]]
        codes[position] = code
        if number[code] == 0:
            touched[count] = code
            example[code] = row
            count += 1
        number[code] += 1
        size[code] += weights[position]
    return count


@compile_inner_loop
def count_whole(rows, weights, codes, touched, number, size, example):
    """The same where all values are one."""
    codes[: len(rows)] = 0
    touched[0], example[0] = 0, rows[0]
    number[0] = len(rows)
    for weight in weights:
        size[0] += weight
    return 1


@compile_inner_loop
def records_of_small(touched, size, k):
    """The records of codes that have too few."""
    records = 0
    for code in touched:
        records += size[code] if size[code] < k else 0
    return records


@compile_inner_loop
def give_room(touched, number, size, k, filled, first, last, alive, latest):
    """Where the rows of each code go; codes of too few records get no room."""
    for code in touched:
        alive[code] = size[code] >= k
        latest[code] = NONE_ALIKE
        first[code] = filled
        last[code] = filled if alive[code] else -1
        filled += number[code] if alive[code] else 0
    return filled


@compile_inner_loop
def scatter(rows, weights, alike, code, last, latest, rows_below, weights_below, apart):
    """The rows of a class to the classes of their codes; alike ones become one, if not apart.

    One is put over the other without a branch: which rows are alike no processor can guess.
    """
    for position in range(len(rows)):
        here = code[position]
        end = last[here]
        if end < 0:
            continue
        row = rows[position]
        same = numpy.int64(not apart and latest[here] == alike[row])
        end -= same
        rows_below[end] = row
        weights_below[end] = weights[position] + same * weights_below[end]
        latest[here] = alike[row]
        last[here] = end + 1


@compile_inner_loop
def thin_out(rows, weights, first, last, alike, persons, k, seen, stamp):
    """Of rows that are alike but for their persons k persons are enough; the others' records go to the first.

    Wherever these rows come to be, they have k persons or more: no class of theirs is ever too small.
    """
    kept, group, people = first, first, 0
    for position in range(first, last):
        row = rows[position]
        if position == first or alike[row] != alike[rows[group]]:
            group, people = kept, 0
            stamp[0] += 1
        elif people == k or seen[persons[row]] == stamp[0]:
            weights[group] += weights[position]
            continue
        seen[persons[row]] = stamp[0]
        rows[kept], weights[kept] = row, weights[position]
        kept += 1
        people += 1
    return kept


@compile_inner_loop
def close_up(rows, weights, code, alive):
    """Rows of classes that left are not looked at again at the finer levels of the column."""
    kept = 0
    for position in range(len(rows)):
        if alive[code[position]]:
            rows[kept] = rows[position]
            weights[kept] = weights[position]
            kept += 1
    return kept


@compile_inner_loop
def forget(touched, number, size):
    for code in touched:
        number[code] = 0
        size[code] = 0


@compile_inlined_loop
def split(rows, aim, walk, column, level, scratch):
    """Refine the partition by a column at a level; False as soon as too many records have to leave.

    What leaves, leaves the partition before it too: at finer levels of the column it is too small again.
    """
    below, filled, classes, paid, floor = column + 1, 0, 0, 0, 0
    walk.level[column] = level
    k, budget, by_classes = aim.k, aim.budget, aim.kind > SUM
    plain = not len(rows.persons) and aim.diverse < 2
    here, weights = walk.rows[column], walk.weights[column]
    starts, ends = walk.starts[column], walk.ends[column]
    rows_below, weights_below = walk.rows[below], walk.weights[below]
    starts_below, ends_below = walk.starts[below], walk.ends[below]
    raw, alike = rows.raw[column], rows.alike[column]
    offset, whole = rows.offsets[column, level], rows.whole[column, level]
    codes_of, costs_of = rows.level_codes[offset:], rows.costs[offset:]
    code, touched, number, size = scratch.code, scratch.touched, scratch.number, scratch.size
    example, first, last = scratch.example, scratch.first, scratch.last
    alive, latest = scratch.alive, scratch.latest
    sums, levels, suppressed = walk.sums[column], walk.level, walk.suppressed[column]
    offsets, costs, every_raw, full = rows.offsets, rows.costs, rows.raw, aim.full
    for parent in range(walk.classes[column]):
        begin, end = numpy.int64(starts[parent]), numpy.int64(ends[parent])
        own, own_weights = here[begin:end], weights[begin:end]
        if whole:
            count = count_whole(own, own_weights, code, touched, number, size, example)
        else:
            count = count_codes(own, own_weights, raw, codes_of, code, touched, number, size, example)
        if suppressed + records_of_small(touched[:count], size, k) > budget:
            forget(touched[:count], number, size)
            return False
        filled = give_room(touched[:count], number, size, k, filled, first, last, alive, latest)
        scatter(own, own_weights, alike, code, last, latest, rows_below, weights_below, aim.people_only)
        lost = False
        for each in range(count):
            value = touched[each]
            if alive[value] and aim.people_only:
                last[value] = thin_out(
                    rows_below, weights_below, first[value], last[value], alike, rows.persons, k,
                    scratch.seen, scratch.stamp,
                )  # fmt: skip
            row, begins, ending = example[value], first[value], last[value]
            if alive[value] and (plain or is_diverse(rows, aim, walk, below, begins, ending, scratch)):
                starts_below[classes] = begins
                ends_below[classes] = ending
                classes += 1
                paid += size[value] * costs_of[raw[row]]
                floor += floor_of(aim, walk, below, begins, ending) if by_classes else 0
            else:
                alive[value] = False
                lost = True
                suppressed += size[value]
                pay_in_full(sums, column, row, size[value], levels, offsets, costs, every_raw, full)
        if lost:
            walk.floor[column] -= floor_of(aim, walk, column, begin, end) if by_classes else 0
            ends[parent] = begin + close_up(own, own_weights, code, alive)
            kept = numpy.int64(ends[parent])
            walk.floor[column] += floor_of(aim, walk, column, begin, kept) if by_classes else 0
        forget(touched[:count], number, size)
        if suppressed > budget:
            walk.suppressed[column] = suppressed
            return False
    walk.classes[below] = classes
    walk.suppressed[column] = suppressed
    walk.suppressed[below] = suppressed
    for earlier in range(column):
        walk.sums[below, earlier] = sums[earlier]
    walk.sums[below, column] = paid + suppressed * full[column]
    walk.floor[below] = floor
    return True


@compile_inlined_loop
def count_last(rows, aim, walk, column, level, scratch):
    """The classes by the last column where only their sizes count; False if too many records leave."""
    below, classes, paid, total = column + 1, 0, 0, 0
    walk.level[column] = level
    for earlier in range(column):
        walk.sums[below, earlier] = walk.sums[column, earlier]
    here, weights, raw = walk.rows[column], walk.weights[column], rows.raw[column]
    starts, ends = walk.starts[column], walk.ends[column]
    offset, touched, size, example = (
        rows.offsets[column, level],
        scratch.touched,
        scratch.size,
        scratch.example,
    )
    codes_of, costs_of = rows.level_codes[offset:], rows.costs[offset:]
    sums, levels, suppressed = walk.sums[below], walk.level, walk.suppressed[column]
    offsets, costs, every_raw, full, k, budget = (
        rows.offsets,
        rows.costs,
        rows.raw,
        aim.full,
        aim.k,
        aim.budget,
    )
    for parent in range(walk.classes[column]):
        count = 0
        for position in range(starts[parent], ends[parent]):
            value = codes_of[raw[here[position]]]
            if size[value] == 0:
                touched[count] = value
                example[value] = here[position]
                count += 1
            size[value] += weights[position]
        for each in range(count):
            value = touched[each]
            amount, row = size[value], example[value]
            size[value] = 0
            if amount >= k:
                paid += amount * costs_of[raw[row]]
                classes += 1
                total += amount * amount
            else:
                suppressed += amount
                pay_in_full(sums, column, row, amount, levels, offsets, costs, every_raw, full)
        if suppressed > budget:
            return False
    sums[column] = paid + suppressed * aim.full[column]
    walk.suppressed[below] = suppressed
    walk.classes[below] = classes
    walk.squares[0] = total
    return True


@compile_inner_loop
def add_up_squares(walk, depth):
    total = 0
    for index in range(walk.classes[depth]):
        first, last = numpy.int64(walk.starts[depth, index]), numpy.int64(walk.ends[depth, index])
        size = size_of(walk, depth, first, last)
        total += size * size
    walk.squares[0] = total


@compile_inner_loop
def drop_failing_classes(rows, aim, walk, depth, scratch):
    """Classes whose sensitive values are not spread as asked leave; False if too many records do."""
    kept = 0
    for index in range(walk.classes[depth]):
        first, last = numpy.int64(walk.starts[depth, index]), numpy.int64(walk.ends[depth, index])
        if is_well_spread(rows, aim, walk, depth, first, last, scratch):
            walk.starts[depth, kept] = first
            walk.ends[depth, kept] = last
            kept += 1
        else:
            size = size_of(walk, depth, first, last)
            lose(rows, aim, walk, depth, walk.rows[depth, first], size)
    walk.classes[depth] = kept
    add_up_squares(walk, depth)
    return walk.suppressed[depth] <= aim.budget


@compile_inlined_loop
def holds(rows, aim, walk, depth, scratch):
    """Whether the goals hold that are asked of the classes at the end."""
    if aim.spread.asked and not drop_failing_classes(rows, aim, walk, depth, scratch):
        return False
    return aim.risk < 0.0 or not is_too_risky(rows, aim, walk, depth, scratch)


@compile_inlined_loop
def partition(rows, aim, walk, column, level, scratch):
    """Refine by a column at a level: HELD, MISSED, or TOO_FINE if no finer level can hold either.

    With suppression, a coarse partition may miss a goal that a finer one reaches, and so it may where people
    have several records: only vectors are judged.
    """
    last = column == len(rows.heights) - 1
    if last and not len(rows.persons) and not rows.sensitive.shape[0]:
        fits = count_last(rows, aim, walk, column, level, scratch)
    else:
        fits = split(rows, aim, walk, column, level, scratch)
        if fits and last:
            add_up_squares(walk, column + 1)
    if not fits:
        return TOO_FINE
    if (not last and not aim.monotone) or holds(rows, aim, walk, column + 1, scratch):
        return HELD
    return TOO_FINE if aim.monotone else MISSED
