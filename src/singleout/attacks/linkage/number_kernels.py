"""The compiled loops that list the people at the nearest numbers.

People are kept by levels, a level being all people with the same number: those of level x are
people[starts[x]:starts[x + 1]], rising.
"""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop


@compile_loop
def add_level(row, begun, filled, people, first, last):
    """Put people[first:last] among row[begun:filled], both rising; those for whom there is no room fall out.

    Returns up to where the row is filled then.
    """
    room = len(row)
    if filled == room and (begun == room or people[first] > row[room - 1]):
        return filled
    kept, taken = begun, first
    while kept + taken - first < room and (kept < filled or taken < last):
        if taken == last or (kept < filled and row[kept] < people[taken]):
            kept += 1
        else:
            taken += 1
    filled = kept + taken - first
    index = filled - 1
    while taken > first:
        if kept > begun and row[kept - 1] > people[taken - 1]:
            kept -= 1
            row[index] = row[kept]
        else:
            taken -= 1
            row[index] = people[taken]
        index -= 1
    return filled


@compile_loop
def nearest_numbers(asked, levels, starts, people, person, distance, tied):
    """For each number asked for, walk outwards over the rising levels until its row of people is full."""
    most = person.shape[1]
    for row in range(len(asked)):
        number = asked[row]
        right = numpy.searchsorted(levels, number)
        left = right - 1
        filled = 0
        while filled < most and (left >= 0 or right < len(levels)):
            if left < 0 or (right < len(levels) and levels[right] - number < number - levels[left]):
                gap = levels[right] - number
            else:
                gap = number - levels[left]
            begun = filled
            tied[row] = 0
            while left >= 0 and number - levels[left] == gap:
                filled = add_level(person[row], begun, filled, people, starts[left], starts[left + 1])
                tied[row] += starts[left + 1] - starts[left]
                left -= 1
            while right < len(levels) and levels[right] - number == gap:
                filled = add_level(person[row], begun, filled, people, starts[right], starts[right + 1])
                tied[row] += starts[right + 1] - starts[right]
                right += 1
            distance[row, begun:filled] = gap
