"""Random numbers that depend on a key alone, compiled: the same on any number of threads."""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop

STEP = numpy.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = numpy.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = numpy.uint64(0x94D049BB133111EB)
HALF = numpy.uint64(32)
LOW = numpy.uint64(0xFFFFFFFF)
ONE = numpy.uint64(1)


@compile_loop
def mix_state(state):
    """SplitMix64: the number that belongs to a state."""
    state = (state ^ (state >> numpy.uint64(30))) * FIRST_FACTOR
    state = (state ^ (state >> numpy.uint64(27))) * SECOND_FACTOR
    return state ^ (state >> numpy.uint64(31))


@compile_loop
def stream_start(seed, shuffle, stream):
    """A state for each stream of each shuffle: which thread asks for it does not matter."""
    start = mix_state(seed + STEP)
    start = mix_state(start ^ (numpy.uint64(shuffle) + STEP))
    return mix_state(start ^ (numpy.uint64(stream) + STEP))


@compile_loop
def redraw(product, bound, state):
    """Lemire's rejection: every number below the bound is equally likely, without exception."""
    threshold = ((LOW + ONE) - bound) % bound
    while (product & LOW) < threshold:
        state += STEP
        product = (mix_state(state) >> HALF) * bound
    return product, state


@compile_loop
def shuffle_range(values, first, movable, last, state):
    """Shuffle values[first:last], of which values[movable:last] are all alike.

    Fisher and Yates from behind: what lies after `place` is in random order already, and alike values are so
    from the start. One random number serves two places.
    """
    position = movable - 1
    while position >= first:
        state += STEP
        number = mix_state(state)
        bound = numpy.uint64(last - position)
        product = (number >> HALF) * bound
        if (product & LOW) < bound:
            product, state = redraw(product, bound, state)
        other = position + numpy.int64(product >> HALF)
        values[position], values[other] = values[other], values[position]
        position -= 1
        if position < first:
            break
        bound += ONE
        product = (number & LOW) * bound
        if (product & LOW) < bound:
            product, state = redraw(product, bound, state)
        other = position + numpy.int64(product >> HALF)
        values[position], values[other] = values[other], values[position]
        position -= 1
    return state


@compile_loop
def draw_below(count, state):
    """A place from 0 up to count, all equally likely."""
    state += STEP
    bound = numpy.uint64(count)
    product = (mix_state(state) >> HALF) * bound
    if (product & LOW) < bound:
        product, state = redraw(product, bound, state)
    return numpy.int64(product >> HALF), state
