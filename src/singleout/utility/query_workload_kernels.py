"""The compiled loop that answers many queries in one pass over the records."""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop

ONE = numpy.uint64(1)


@compile_loop
def answer(meets, amounts, counts, sums):
    """`meets` has a bit for each query whose condition a record meets; its amount is added to their sums."""
    for row in range(len(meets)):
        left = meets[row]
        query = 0
        while left:
            while not left & numpy.uint64(255):
                left >>= numpy.uint64(8)
                query += 8
            if left & ONE:
                counts[query] += 1
                sums[query] += amounts[row]
            left >>= ONE
            query += 1
