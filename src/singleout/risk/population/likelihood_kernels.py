"""The compiled search for the Pitman–Yor law under which the classes of a sample are the likeliest."""

from __future__ import annotations

import math

from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

STEPS = 100
LONGEST_STEP = 2.0
WIDTH = 1e-5
NEAR = 1e-10
FLAT = 1e-9
# from here on, the terms of Stirling's series that are left out are below the last digit
STIRLING, DIGAMMA = 1e4, 10.0


@compile_loop
def likeliest_point(sizes, counts, people, classes, first, second, bounds):
    """Newton's method in ln(d/(1 − d)) and ln(θ + d), from a point on; and whether it came to an end."""
    value = likelihood(sizes, counts, people, classes, first, second)
    up, across = slopes(sizes, counts, people, classes, first, second)
    for _ in range(STEPS):
        # a coordinate is held by the end that it presses against
        if (first <= bounds[0, 0] and up <= 0) or (first >= bounds[0, 1] and up >= 0):
            up, first_free = 0.0, False
        else:
            first_free = True
        if (second <= bounds[1, 0] and across <= 0) or (second >= bounds[1, 1] and across >= 0):
            across, second_free = 0.0, False
        else:
            second_free = True
        step, other = newton_step(
            sizes, counts, people, classes, first, second, up, across, first_free, second_free
        )
        if max(abs(step), abs(other)) < NEAR or abs(up) + abs(across) < FLAT:
            return first, second, True
        # never down: half as far, until it is up
        while True:
            one = min(max(first + step, bounds[0, 0]), bounds[0, 1])
            two = min(max(second + other, bounds[1, 0]), bounds[1, 1])
            better = likelihood(sizes, counts, people, classes, one, two)
            if better > value:
                break
            step, other = step / 2, other / 2
            if max(abs(step), abs(other)) < NEAR:
                return first, second, True
        first, second, value = one, two, better
        up, across = slopes(sizes, counts, people, classes, first, second)
    return first, second, False


@compile_inner_loop
def newton_step(sizes, counts, people, classes, first, second, up, across, first_free, second_free):
    """To the top of the parabola that fits here, or up where there is none."""
    here, beside = slopes(sizes, counts, people, classes, first, second)
    one = slopes(sizes, counts, people, classes, first + WIDTH, second)
    two = slopes(sizes, counts, people, classes, first, second + WIDTH)
    bend = (one[0] - here) / WIDTH if first_free else -1.0
    other_bend = (two[1] - beside) / WIDTH if second_free else -1.0
    both = ((one[1] - beside) / WIDTH + (two[0] - here) / WIDTH) / 2
    if not (first_free and second_free):
        both = 0.0
    determinant = bend * other_bend - both * both
    if bend < 0 and determinant > 0:
        step = (both * across - other_bend * up) / determinant
        other = (both * up - bend * across) / determinant
    else:
        # towards d = 0 the likelihood flattens out: each coordinate goes its own way, or they zigzag
        step = -up / bend if bend < 0 else math.copysign(1.0, up) * (up != 0)
        other = -across / other_bend if other_bend < 0 else math.copysign(1.0, across) * (across != 0)
    shorter = min(1.0, LONGEST_STEP / max(abs(step), abs(other), NEAR))
    return step * shorter, other * shorter


@compile_inner_loop
def likelihood(sizes, counts, people, classes, first, second):
    """The logarithm of the probability of such classes."""
    d = 1 / (1 + math.exp(-first))
    theta = math.exp(second) - d
    value = (classes - 1) * math.log(d) + log_rising(theta / d + 1, classes - 1)
    value -= log_rising(theta + 1, people - 1)
    single = math.lgamma(1 - d)
    for index in range(len(sizes)):
        value += counts[index] * (math.lgamma(sizes[index] - d) - single)
    return value


@compile_inner_loop
def slopes(sizes, counts, people, classes, first, second):
    """How it changes with both coordinates."""
    d = 1 / (1 + math.exp(-first))
    theta = math.exp(second) - d
    by_theta = digamma_rising(theta / d + 1, classes - 1) / d
    of_theta = by_theta - digamma_rising(theta + 1, people - 1)
    of_d = (classes - 1 - theta * by_theta) / d
    single = digamma(1 - d)
    for index in range(len(sizes)):
        of_d -= counts[index] * (digamma(sizes[index] - d) - single)
    # θ moves against d where their sum stays
    return (of_d - of_theta) * d * (1 - d), of_theta * (theta + d)


@compile_inner_loop
def log_rising(start, steps):
    """ln Γ(start + steps) − ln Γ(start), also where their difference would drown."""
    top = start + steps
    if start < STIRLING:
        return math.lgamma(top) - math.lgamma(start)
    far = steps * math.log(top) + (start - 0.5) * math.log1p(steps / start) - steps
    return far + (1 / top - 1 / start) / 12 - (1 / top**3 - 1 / start**3) / 360


@compile_inner_loop
def digamma_rising(start, steps):
    """ψ(start + steps) − ψ(start), as exactly."""
    top = start + steps
    if start < STIRLING:
        return digamma(top) - digamma(start)
    series = (1 / start - 1 / top) / 2 + (1 / start**2 - 1 / top**2) / 12
    return math.log1p(steps / start) + series - (1 / start**4 - 1 / top**4) / 120


@compile_inner_loop
def digamma(point):
    """ψ, by its recurrence up to where the asymptotic series has all digits."""
    value = 0.0
    while point < DIGAMMA:
        value -= 1 / point
        point += 1
    square = 1 / (point * point)
    series = 1 / 252 - square * (1 / 240 - square * (1 / 132 - square * 691 / 32760))
    return value + math.log(point) - 0.5 / point - square * (1 / 12 - square * (1 / 120 - square * series))
