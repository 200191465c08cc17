"""The compiled list of best candidates: by falling score, then by number, with a count of the last score.

Everyone better than the last place is in the list, so only those tied with it have to be counted.
"""

from __future__ import annotations

import numpy

from singleout.engine.codes.count_kernels import inner


@inner
def insert(person, score, filled, tied, who, value):
    """Offer a person to a list; returns its length, and how many have the score of its last place."""
    most = len(person)
    if filled < most:
        _put(person, score, filled, who, value)
        return filled + 1, _tied_in(score, filled + 1)
    last = score[most - 1]
    if value < last:
        return filled, tied
    if value > last or who < person[most - 1]:
        _put(person, score, most - 1, who, value)
    if score[most - 1] > last:
        return filled, _tied_in(score, filled)
    return filled, tied + (value == last)


@inner
def fill_with_strangers(person, score, filled, tied, people):
    """The places that are left go to people with nothing in common, the lowest numbers first."""
    most = len(person)
    if filled == most:
        return filled, tied
    known = numpy.sort(person[:filled])
    place, at, who = filled, 0, 0
    while place < most and who < people:
        if at < len(known) and known[at] == who:
            at += 1
        else:
            person[place], score[place] = who, 0.0
            place += 1
        who += 1
    return place, (people - filled if people > filled else tied)


@inner
def _put(person, score, place, who, value):
    while place > 0 and (score[place - 1] < value or (score[place - 1] == value and person[place - 1] > who)):
        person[place], score[place] = person[place - 1], score[place - 1]
        place -= 1
    person[place], score[place] = who, value


@inner
def _tied_in(score, filled):
    tied = 1
    while tied < filled and score[filled - 1 - tied] == score[filled - 1]:
        tied += 1
    return tied
