"""The compiled loop that draws the classes of people from a Pitman–Yor law, one person after the other."""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop
from singleout.engine.codes.random_kernels import STEP, draw_below, mix_state

UNIT = 2.0**-53


@compile_loop
def drawn_sizes(people, discount, concentration, state):
    """The size of each class; who comes joins a class by its size less the discount, or opens another."""
    home = numpy.empty(people, dtype=numpy.int64)
    sizes = numpy.zeros(people, dtype=numpy.int64)
    home[0], sizes[0], classes = 0, 1, 1
    for person in range(1, people):
        state += STEP
        level = (mix_state(state) >> numpy.uint64(11)) * UNIT
        if level * (concentration + person) < concentration + discount * classes:
            chosen = classes
            classes += 1
        else:
            while True:
                other, state = draw_below(person, state)
                chosen = home[other]
                state += STEP
                level = (mix_state(state) >> numpy.uint64(11)) * UNIT
                if level * sizes[chosen] < sizes[chosen] - discount:
                    break
        home[person] = chosen
        sizes[chosen] += 1
    return sizes[:classes]
