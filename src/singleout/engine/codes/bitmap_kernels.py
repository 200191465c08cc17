"""The compiled loops for sets as bitmaps: a line of words, a bit for each member."""

from __future__ import annotations

from typing import Any

import numpy

from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

ONES = numpy.uint64(0x5555555555555555)
PAIRS = numpy.uint64(0x3333333333333333)
FOURS = numpy.uint64(0x0F0F0F0F0F0F0F0F)
BYTES = numpy.uint64(0x0101010101010101)
ONE, TWO, FOUR, TOP = (numpy.uint64(bits) for bits in (1, 2, 4, 56))


@compile_inner_loop
def bits_of(word: Any) -> Any:
    """How many bits of a word are set: in pairs, in fours, in bytes, in all."""
    word = word - ((word >> ONE) & ONES)
    word = (word & PAIRS) + ((word >> TWO) & PAIRS)
    word = (word + (word >> FOUR)) & FOURS
    return numpy.int64((word * BYTES) >> TOP)


@compile_loop
def fill_bitmaps(starts: Any, members: Any, line: Any, bitmaps: Any) -> None:
    """The members of each set that has a line, members[starts[i]:starts[i + 1]], as the bits of this line."""
    for index in range(len(line)):
        if line[index] >= 0:
            for place in range(starts[index], starts[index + 1]):
                bit = numpy.uint64(members[place] & 63)
                bitmaps[line[index], members[place] >> 6] |= numpy.uint64(1) << bit


@compile_inner_loop
def is_in(bitmap: Any, member: Any) -> Any:
    return (bitmap[member >> 6] >> numpy.uint64(member & 63)) & numpy.uint64(1) == numpy.uint64(1)


@compile_inner_loop
def count_common(one: Any, other: Any) -> Any:
    """How many members two sets share."""
    count = 0
    for word in range(len(one)):
        count += bits_of(one[word] & other[word])
    return count
