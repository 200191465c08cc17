"""The compiled walk over all sets of some columns, where each record is its own person.

Columns are decided one after the other, that of the highest bit first. Classes are ranges of an array of
rows; a row is how many records it stands for, in the upper half of a word, and its number.

A class of one row is settled: it counts the same in every larger set. A class of two or three rows is let go:
two rows stay together in the sets of those undecided columns in which they are alike, so what this changes is
added to the largest such set, and poured down to all sets within it without a look at the rows. Rows that are
alike in all undecided columns become one, under a number of their own, where there are few such numbers.

Arrays are hardly handed on within a loop over classes: counting references to them would cost more than the
work itself.
"""

from __future__ import annotations

from collections import namedtuple

import numpy

from singleout.engine.codes.loop_compiler import compile_loop
from singleout.engine.column_sets.lattice_kernels import entropy_part, rows_in

# what is added up of each set, and a class's part in it
CLASSES, UNIQUE, AT_RISK, ENTROPY = range(4)
SUMS = 4
SETTLED, TOTAL = range(2)
SMALL = 1024
NOBODY = 1 << 62
BYTES = 8

HALF = numpy.uint64(32)
ROW = numpy.uint64(0xFFFFFFFF)
WEIGHT = numpy.uint64(0xFFFFFFFF00000000)
NONE, ONE = numpy.uint64(0), numpy.uint64(1)
LOW_BITS = numpy.uint64(0x7F7F7F7F7F7F7F7F)
HIGH_BITS = numpy.uint64(0x8080808080808080)
SEVEN, GATHER, LAST_BYTE = numpy.uint64(7), numpy.uint64(0x0102040810204080), numpy.uint64(56)

# For the column of each bit: where its codes start, where the packed rows start, and where the numbers start
# that rows get before it is decided, or −1 where they keep theirs. `packed` has the codes of the last
# `narrow` columns, a byte each; `parts` is what classes of small sizes add to each sum.
Table = namedtuple("Table", "codes code_at packed packed_at narrow next next_at parts allow entropy_scale")
# `sums` has the settled and the total of the walk at each level; `stop` ends it early
Scratch = namedtuple("Scratch", "slots touched sums stop")


@compile_loop
def part(size, what, allow, entropy_scale):
    if what == ENTROPY:
        return entropy_part(size, entropy_scale)
    if what == AT_RISK:
        return size if size <= allow else 0
    return 1 if what == CLASSES or size == 1 else 0


@compile_loop
def parts_of(sizes, allow, entropy_scale):
    """What a class of each size adds to each sum."""
    parts = numpy.empty((len(sizes), SUMS), dtype=numpy.int64)
    for index in range(len(sizes)):
        for what in range(SUMS):
            parts[index, what] = part(numpy.int64(sizes[index]), what, allow, entropy_scale)
    return parts


@compile_loop
def equal_bytes(one, other):
    """A bit for each byte that two words have in common."""
    different = one ^ other
    same = ~(((different & LOW_BITS) + LOW_BITS) | different) & HIGH_BITS
    return numpy.int64((same >> SEVEN) * GATHER >> LAST_BYTE)


@compile_loop
def tally(keys, rows, start, end, slots, touched):
    """Adds the weight and the number of a range's rows to the slot of their key; returns how many keys."""
    distinct = 0
    for index in range(start, end):
        row = rows[index]
        key = keys[row & ROW]
        before = slots[key]
        touched[distinct] = key
        distinct += before == NONE
        slots[key] = before + (row & WEIGHT) + ONE
    return distinct


@compile_loop
def split(keys, rows, starts, ends, smallest, table, scratch, settled, total):
    """The classes by one more column: those of one row are settled, the others are returned."""
    slots, touched = scratch.slots, scratch.touched
    parts, allow, entropy_scale = table.parts, table.allow, table.entropy_scale
    active = rows_in(starts, ends)
    new_rows = numpy.empty(active, dtype=numpy.uint64)
    new_starts = numpy.empty(active // 2, dtype=numpy.uint32)
    new_ends = numpy.empty(active // 2, dtype=numpy.uint32)
    top, made, least = numpy.int64(0), 0, smallest
    total[:] = settled
    for group in range(len(starts)):
        start, end = starts[group], ends[group]
        distinct = tally(keys, rows, start, end, slots, touched)
        for index in range(distinct):
            key = touched[index]
            size, weight = numpy.int64(slots[key] & ROW), numpy.int64(slots[key] >> HALF)
            slots[key] = top
            for what in range(SUMS):
                more = parts[weight, what] if weight < SMALL else part(weight, what, allow, entropy_scale)
                total[what] += more
                if size == 1:
                    settled[what] += more
            least = min(least, weight)
            if size == 1:
                smallest = min(smallest, weight)
            else:
                new_starts[made] = top
                new_ends[made] = top + size
                made += 1
            top += size
        for index in range(start, end):
            row = rows[index]
            key = keys[row & ROW]
            new_rows[slots[key]] = row
            slots[key] += ONE
        for index in range(distinct):
            slots[touched[index]] = NONE
    return new_rows, new_starts[:made], new_ends[:made], smallest, least


@compile_loop
def merge(numbers, rows, starts, ends, smallest, table, scratch, settled):
    """Rows get their next number, and rows of a class with the same become one; returns how many classes."""
    slots, touched = scratch.slots, scratch.touched
    parts, allow, entropy_scale = table.parts, table.allow, table.entropy_scale
    kept = 0
    for group in range(len(starts)):
        first, end = numpy.int64(starts[group]), numpy.int64(ends[group])
        top = first
        for index in range(first, end):
            row = rows[index]
            number = numpy.uint64(numbers[row & ROW])
            before = slots[number]
            if before == NONE:
                rows[top] = row & WEIGHT | number
                touched[top - first] = number
                top += 1
                slots[number] = top
            else:
                rows[before - ONE] += row & WEIGHT
        for index in range(top - first):
            slots[touched[index]] = NONE
        if top - first == 1:
            weight = numpy.int64(rows[first] >> HALF)
            smallest = min(smallest, weight)
            for what in range(SUMS):
                more = parts[weight, what] if weight < SMALL else part(weight, what, allow, entropy_scale)
                settled[what] += more
        else:
            starts[kept] = first
            ends[kept] = top
            kept += 1
    return kept, smallest


@compile_loop
def let_go(packed, rows, starts, ends, bit, parts, settled, total, out):
    """Count classes of two or three rows in all sets of the columns `bit` … 0; returns how many stay."""
    within, last = (2 << bit) - 1, packed.shape[1] - 1
    kept = 0
    for each in range(len(starts)):
        start, end = numpy.int64(starts[each]), numpy.int64(ends[each])
        size = end - start
        one, two, three = rows[start], rows[start + (size > 1)], rows[end - 1]
        a, b, c = numpy.int64(one >> HALF), numpy.int64(two >> HALF), numpy.int64(three >> HALF)
        if size < 2 or size > 3 or a + b + c >= SMALL:
            starts[kept] = start
            ends[kept] = end
            kept += 1
            continue
        one, two, three = one & ROW, two & ROW, three & ROW
        low, high = packed[one, 0], packed[one, last]
        other_low, other_high = packed[two, 0], packed[two, last]
        ab = within & (equal_bytes(low, other_low) | equal_bytes(high, other_high) << BYTES)
        if size == 2:
            for what in range(SUMS):
                alone = parts[a, what] + parts[b, what]
                together = parts[a + b, what] - alone
                settled[what] += alone
                total[what] -= together
                out[ab, what] += together
            continue
        third_low, third_high = packed[three, 0], packed[three, last]
        ac = within & (equal_bytes(low, third_low) | equal_bytes(high, third_high) << BYTES)
        bc = within & (equal_bytes(other_low, third_low) | equal_bytes(other_high, third_high) << BYTES)
        for what in range(SUMS):
            alone = parts[a, what] + parts[b, what] + parts[c, what]
            together = parts[a + b + c, what] - alone
            settled[what] += alone
            total[what] -= together
            together_ab = parts[a + b, what] - parts[a, what] - parts[b, what]
            together_ac = parts[a + c, what] - parts[a, what] - parts[c, what]
            together_bc = parts[b + c, what] - parts[b, what] - parts[c, what]
            out[ab, what] += together_ab
            out[ac, what] += together_ac
            out[bc, what] += together_bc
            # where all three are, each of the pairs is too
            out[ab & ac, what] += together - together_ab - together_ac - together_bc
    return kept


@compile_loop
def count(keys, rows, starts, ends, smallest, table, scratch, settled, out):
    """Count the classes by one more column, the last one; returns the smallest."""
    slots, touched = scratch.slots, scratch.touched
    parts, allow, entropy_scale = table.parts, table.allow, table.entropy_scale
    out += settled
    for group in range(len(starts)):
        distinct = tally(keys, rows, starts[group], ends[group], slots, touched)
        for index in range(distinct):
            key = touched[index]
            weight = numpy.int64(slots[key] >> HALF)
            slots[key] = NONE
            smallest = min(smallest, weight)
            for what in range(SUMS):
                more = parts[weight, what] if weight < SMALL else part(weight, what, allow, entropy_scale)
                out[what] += more
    return smallest


@compile_loop
def pour(out, half):
    """What was added to the sets with the highest column also holds for those without it."""
    for each in range(half):
        for what in range(SUMS):
            out[each, what] += out[each + half, what]


@compile_loop
def finish(out, least, settled, smallest):
    """Nothing can split any more: pour down everything, and add what is settled."""
    half = len(out) // 2
    while half:
        for start in range(0, len(out), 2 * half):
            pour(out[start : start + 2 * half], half)
        half //= 2
    out += settled
    least[:] = smallest


@compile_loop
def arrive(bit, rows, starts, ends, smallest, table, scratch, settled):
    """Renumber and merge the rows where that is due before the column is decided."""
    if table.next_at[bit] < 0:
        return starts, ends, smallest
    numbers = table.next[table.next_at[bit] :]
    kept, smallest = merge(numbers, rows, starts, ends, smallest, table, scratch, settled)
    return starts[:kept], ends[:kept], smallest


@compile_loop
def walk(bit, rows, starts, ends, smallest, least, table, scratch, out, out_least):
    """Count all sets of the columns `bit` … 0; `smallest` is of the settled classes, `least` of all."""
    settled, total = scratch.sums[bit + 1, SETTLED], scratch.sums[bit + 1, TOTAL]
    while bit >= 0 and not scratch.stop[0]:
        starts, ends, smallest = arrive(bit, rows, starts, ends, smallest, table, scratch, settled)
        # sums don't know the smallest class; with somebody alone it is known
        if smallest == 1 and bit < table.narrow:
            packed = table.packed[table.packed_at[bit] :]
            kept = let_go(packed, rows, starts, ends, bit, table.parts, settled, total, out)
            starts, ends = starts[:kept], ends[:kept]
        half = 1 << bit
        if len(starts) == 0:
            finish(out[: 2 * half], out_least[: 2 * half], settled, smallest)
            return 0
        pour(out, half)
        keys = table.codes[table.code_at[bit] :]
        if bit == 0:
            out_least[1] = count(keys, rows, starts, ends, smallest, table, scratch, settled, out[1])
        else:
            scratch.sums[bit, SETTLED] = settled
            new_rows, new_starts, new_ends, new_smallest, new_least = split(
                keys, rows, starts, ends, smallest, table, scratch,
                scratch.sums[bit, SETTLED], scratch.sums[bit, TOTAL],
            )  # fmt: skip
            walk(
                bit - 1, new_rows, new_starts, new_ends, new_smallest, new_least, table, scratch,
                out[half:], out_least[half:],
            )  # fmt: skip
        bit -= 1
    out[0] += total
    out_least[0] = least
    return 0


@compile_loop
def walk_share(share, columns, bits, rows, starts, ends, total, least, table, scratch, out, out_least):
    """Take the columns of the share among the highest, and count all sets of the other `bits` columns."""
    smallest = numpy.int64(NOBODY)
    scratch.sums[columns, SETTLED] = 0
    scratch.sums[columns, TOTAL] = total
    for bit in range(columns - 1, bits - 1, -1):
        scratch.sums[bit] = scratch.sums[bit + 1]
        settled = scratch.sums[bit, SETTLED]
        starts, ends, smallest = arrive(bit, rows, starts, ends, smallest, table, scratch, settled)
        if share >> (bit - bits) & 1:
            keys = table.codes[table.code_at[bit] :]
            rows, starts, ends, smallest, least = split(
                keys, rows, starts, ends, smallest, table, scratch, settled, scratch.sums[bit, TOTAL]
            )
    walk(bits - 1, rows, starts, ends, smallest, least, table, scratch, out, out_least)
