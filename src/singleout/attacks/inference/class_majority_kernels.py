"""The compiled loop that looks for the most frequent value among other people who are alike."""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

NO_GUESS = -1


@compile_inner_loop
def _class_guess(first, last, pair_value, pair_people, value_people, has_pair, has_value, person):
    """The value that most others of a class have; pairs fall by (people, people of the value), values rise.

    Only the person's own values count one less than they are listed with, so that it ends after a few.
    """
    best, most, most_of_all = NO_GUESS, 0, 0
    for pair in range(first, last):
        value = pair_value[pair]
        people, of_all = pair_people[pair], value_people[value]
        if people < most or (people == most and of_all < most_of_all):
            break
        if people == most and of_all == most_of_all and value > best:
            break
        people -= has_pair[pair] == person
        of_all -= has_value[value] == person
        if people > most or (people == most and people > 0 and (of_all, -value) > (most_of_all, -best)):
            best, most, most_of_all = value, people, of_all
    return best


@compile_inner_loop
def _guess_of_all(falling, value_people, has_value, person):
    """The value that most others have; `falling` are the values by their people, then rising."""
    best, most = NO_GUESS, 0
    for value in falling:
        people = value_people[value]
        if people < most or (people == most and value > best):
            break
        people -= has_value[value] == person
        if people > most or (people == most and people > 0 and value < best):
            best, most = value, people
    return best


@compile_loop
def guess_by_others(starts, value, class_of, pair_of, class_starts, pair_value, pair_people, value_people):
    """For each record the value of most other people of its class, −1 where there is nobody else.

    Records stand person by person. Of values that as many have, the more frequent of all goes first, then the
    smaller. The second answer has for each person the most frequent value of all others.
    """
    people = len(starts) - 1
    guess = numpy.full(len(value), NO_GUESS, dtype=numpy.int64)
    of_all = numpy.full(people, NO_GUESS, dtype=numpy.int64)
    has_pair = numpy.full(len(pair_value), NO_GUESS, dtype=numpy.int64)
    has_value = numpy.full(len(value_people), NO_GUESS, dtype=numpy.int64)
    falling = numpy.argsort(-value_people, kind="mergesort")
    for person in range(people):
        for record in range(starts[person], starts[person + 1]):
            has_pair[pair_of[record]] = person
            has_value[value[record]] = person
        of_all[person] = _guess_of_all(falling, value_people, has_value, person)
        for record in range(starts[person], starts[person + 1]):
            first, last = class_starts[class_of[record]], class_starts[class_of[record] + 1]
            guess[record] = _class_guess(
                first, last, pair_value, pair_people, value_people, has_pair, has_value, person
            )
    return guess, of_all
