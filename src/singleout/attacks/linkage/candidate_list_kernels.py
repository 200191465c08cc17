"""The compiled list of best candidates: by falling score, then by number, with a count of the last score.

Everyone better than the last place is in the list, so only those tied with it have to be counted.
"""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_inner_loop


@compile_inner_loop
def insert(person, score, filled, tied, who, value):
    """Offer a person to a list; returns its length, and how many have the score of its last place."""
    most = len(person)
    if filled < most:
        _put(person, score, filled, who, value)
        return filled + 1, _count_tied(score, filled + 1)
    last = score[most - 1]
    if value < last:
        return filled, tied
    if value > last or who < person[most - 1]:
        _put(person, score, most - 1, who, value)
    if score[most - 1] > last:
        return filled, _count_tied(score, filled)
    return filled, tied + (value == last)


@compile_inner_loop
def fill_with_strangers(person, score, filled, tied, people):
    """The places that are left go to people with nothing in common, the lowest numbers first."""
    most = len(person)
    if filled == most:
        return filled, tied
    known = numpy.sort(person[:filled])
    index, at, who = filled, 0, 0
    while index < most and who < people:
        if at < len(known) and known[at] == who:
            at += 1
        else:
            person[index], score[index] = who, 0.0
            index += 1
        who += 1
    return index, (people - filled if people > filled else tied)


@compile_inner_loop
def _put(person, score, index, who, value):
    while index > 0 and (score[index - 1] < value or (score[index - 1] == value and person[index - 1] > who)):
        person[index], score[index] = person[index - 1], score[index - 1]
        index -= 1
    person[index], score[index] = who, value


@compile_inner_loop
def _count_tied(score, filled):
    tied = 1
    while tied < filled and score[filled - 1 - tied] == score[filled - 1]:
        tied += 1
    return tied
