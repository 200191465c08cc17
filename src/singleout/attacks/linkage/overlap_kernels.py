"""The compiled loops that find the people whose item sets overlap most with a given one.

People are taken tile by tile. In a tile, an item that many have is a bitmap of people, and the bitmaps of a
set's items are added up for all people at once: plane k holds bit k of everybody's count, so that one word
counts for 64 people. An item that few have goes through its list of people. People stand in the order of
their sets' sizes, and a block of them is passed over when none can reach the last place of the list any more.
"""

from __future__ import annotations

import numpy

from singleout.attacks.linkage.candidate_list_kernels import fill_with_strangers, insert
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

WORDS = 128
TILE = 64 * WORDS
BLOCK = 64
# for so many people, who have sets of about the same size, what is needed is computed once
STRETCH = 512
# an item of more people in a tile is cheaper as a bitmap: to add it up costs as much as such a list
MANY = 96
# planes of bits: as many items at once can be counted in a byte, and the last plane is the carry
MOST_AT_ONCE = 255
PLANES, CARRY = 9, 8
EVERY_BYTE = numpy.uint64(0x0101010101010101)
HIGH_BITS = numpy.uint64(0x8080808080808080)
JACCARD, CONTAINMENT, COVERAGE = 0, 1, 2


@compile_loop
def link(starts, items, order, sizes, item_count, ask_starts, ask_items, first, last, kind, listed):
    """Fill the lists (person, score, filled, tied_last) of the askers first … last−1, tile by tile."""
    for begin in range(0, len(order), TILE):
        people = order[begin : begin + TILE]
        bitmaps, bitmap_of, list_starts, lists = index_tile(starts, items, people, item_count)
        _link_tile(
            people, sizes[begin : begin + TILE], bitmaps, bitmap_of, list_starts, lists,
            ask_starts, ask_items, first, last, kind, listed,
        )  # fmt: skip
    person, score, filled, tied = listed
    for asker in range(first, last):
        filled[asker], tied[asker] = fill_with_strangers(
            person[asker], score[asker], filled[asker], tied[asker], len(order)
        )


@compile_inner_loop
def index_tile(starts, items, people, item_count):
    """Bitmaps of the items that many people of the tile have, and lists of people for the others."""
    having = numpy.zeros(item_count + 1, dtype=numpy.int64)
    for person in people:
        for at in range(starts[person], starts[person + 1]):
            having[items[at]] += 1
    bitmap_of = numpy.full(item_count, -1, dtype=numpy.int32)
    bitmaps_needed, list_starts, total = 0, numpy.zeros(item_count + 1, dtype=numpy.int32), 0
    for item in range(item_count):
        list_starts[item] = total
        if having[item] > MANY:
            bitmap_of[item] = bitmaps_needed
            bitmaps_needed += 1
        else:
            total += having[item]
    list_starts[item_count] = total
    bitmaps = numpy.zeros((bitmaps_needed, WORDS), dtype=numpy.uint64)
    lists = numpy.empty(total, dtype=numpy.uint16)
    following = list_starts[:-1].copy()
    as_bytes = bitmaps.view(numpy.uint8)
    for index in range(len(people)):
        person = people[index]
        for at in range(starts[person], starts[person + 1]):
            item = items[at]
            bitmap = bitmap_of[item]
            if bitmap < 0:
                lists[following[item]] = index
                following[item] += 1
            else:
                as_bytes[bitmap, index & (8 * WORDS - 1)] |= numpy.uint8(1 << (index // (8 * WORDS)))
    return bitmaps, bitmap_of, list_starts, lists


@compile_inner_loop
def _link_tile(
    people, sizes, bitmaps, bitmap_of, list_starts, lists,
    ask_starts, ask_items, first, last, kind, listed,
):  # fmt: skip
    person, score, filled, tied = listed
    counts = numpy.zeros(WORDS * 8, dtype=numpy.uint64)
    small = counts.view(numpy.uint8)
    large = numpy.zeros(TILE, dtype=numpy.uint32)
    planes = numpy.zeros((PLANES, WORDS), dtype=numpy.uint64)
    for asker in range(first, last):
        asked = ask_items[ask_starts[asker] : ask_starts[asker + 1]]
        counts[:] = 0
        if len(asked) <= MOST_AT_ONCE:
            count_common(asked, bitmaps, bitmap_of, list_starts, lists, planes, counts, small)
            filled[asker], tied[asker] = _offer(
                people, sizes, small, counts, len(asked), kind,
                person[asker], score[asker], filled[asker], tied[asker],
            )  # fmt: skip
            continue
        large[:] = 0
        for begin in range(0, len(asked), MOST_AT_ONCE):
            part = asked[begin : begin + MOST_AT_ONCE]
            count_common(part, bitmaps, bitmap_of, list_starts, lists, planes, counts, small)
            large += small
            counts[:] = 0
        filled[asker], tied[asker] = _offer(
            people, sizes, large, counts[:0], len(asked), kind,
            person[asker], score[asker], filled[asker], tied[asker],
        )  # fmt: skip


@compile_inner_loop
def count_common(asked, bitmaps, bitmap_of, list_starts, lists, planes, counts, small):
    """How many of the asked items each person of the tile has: at most 255, a byte for each."""
    waiting, added, used = -1, 0, 0
    for item in asked:
        bitmap = bitmap_of[item]
        if bitmap < 0:
            for at in range(list_starts[item], list_starts[item + 1]):
                small[lists[at]] += numpy.uint8(1)
        elif waiting < 0:
            waiting = bitmap
        else:
            used = planes_for(added + 2, used, planes)
            add_two(planes, used, bitmaps[waiting], bitmaps[bitmap])
            waiting = -1
            added += 2
    if waiting >= 0:
        used = planes_for(added + 1, used, planes)
        add_one(planes, used, bitmaps[waiting])
    spread(planes, used, counts)


@compile_inner_loop
def planes_for(count, used, planes):
    """As many planes as the count has bits; a new one starts empty."""
    while (1 << used) <= count:
        planes[used, :] = 0
        used += 1
    return used


@compile_inner_loop
def add_two(planes, used, one, other):
    """Add two bitmaps to everybody's count: a full adder, and its carry through the higher planes."""
    lowest, carry = planes[0], planes[CARRY]
    for word in range(WORDS):
        either = lowest[word] ^ one[word]
        carry[word] = (lowest[word] & one[word]) | (either & other[word])
        lowest[word] = either ^ other[word]
    carry_on(planes, used)


@compile_inner_loop
def add_one(planes, used, one):
    lowest, carry = planes[0], planes[CARRY]
    for word in range(WORDS):
        carry[word] = lowest[word] & one[word]
        lowest[word] ^= one[word]
    carry_on(planes, used)


@compile_inner_loop
def carry_on(planes, used):
    carry = planes[CARRY]
    for plane in range(1, used):
        bits = planes[plane]
        for word in range(WORDS):
            both = bits[word] & carry[word]
            bits[word] ^= carry[word]
            carry[word] = both


@compile_inner_loop
def spread(planes, used, counts):
    """Add the planes to the bytes of counts: person p is bit p // (8·WORDS) of byte p % (8·WORDS)."""
    for bit in range(8):
        part, down = counts[bit * WORDS : (bit + 1) * WORDS], numpy.uint64(bit)
        for plane in range(used):
            bits, up = planes[plane], numpy.uint64(plane)
            for word in range(WORDS):
                part[word] += ((bits[word] >> down) & EVERY_BYTE) << up


@compile_inner_loop
def _offer(people, sizes, common, words, asked, kind, person, score, filled, tied):
    """Offer everybody of the tile who can still reach the list; `words` are the counts if they are bytes."""
    for begin in range(0, len(people), STRETCH):
        fewest = _fewest_common(kind, score, filled, asked, sizes[begin])
        for block in range(begin, min(begin + STRETCH, len(people)), BLOCK):
            if len(words) and not _reaches(words[block >> 3 : (block + BLOCK) >> 3], fewest):
                continue
            for index in range(block, min(block + BLOCK, len(people))):
                if common[index] >= fewest:
                    value = likeness(kind, common[index], asked, sizes[index])
                    filled, tied = insert(person, score, filled, tied, people[index], value)
            fewest = _fewest_common(kind, score, filled, asked, sizes[block])
    return filled, tied


@compile_inner_loop
def _reaches(words, fewest):
    """Whether a byte is at least `fewest`: with the high bit set, taking that away leaves the bit."""
    least = numpy.uint64(min(fewest, 127)) * EVERY_BYTE
    found = numpy.uint64(0)
    for word in words:
        found |= ((word | HIGH_BITS) - least) | word
    return found & HIGH_BITS != 0


@compile_inner_loop
def _fewest_common(kind, score, filled, asked, had):
    """The fewest common items with which a set of at least `had` items may reach the last place.

    One at least: people with nothing in common are added in the end, unless nothing is asked for.
    """
    if asked == 0:
        return 0
    if filled < len(score):
        return 1
    least = score[-1] * (1 - 1e-12)
    if kind == JACCARD:
        least = least * (asked + had) / (1 + least)
    elif kind == CONTAINMENT:
        least = least * asked
    else:
        least = least * had
    return max(numpy.int64(numpy.ceil(least)), 1)


@compile_inner_loop
def likeness(kind, common, asked, had):
    """The score of `common` items of a set of `asked` and one of `had`; two empty sets are the same."""
    if asked + had == 0:
        return 1.0
    if common == 0:
        return 0.0
    if kind == JACCARD:
        return common / (asked + had - common)
    return common / asked if kind == CONTAINMENT else common / had


@compile_loop
def likenesses(kind, common, asked, had):
    """The scores of many pairs of sets."""
    scores = numpy.empty(len(common))
    for pair in range(len(common)):
        scores[pair] = likeness(kind, common[pair], asked[pair], had[pair])
    return scores
