"""The compiled loops that put candidates into lists by their corrected scores."""

from __future__ import annotations

import numpy

from singleout.attacks.linkage.candidate_list_kernels import insert
from singleout.engine.codes.loop_compiler import compile_loop


@compile_loop
def offer_listed(people, scores, lists):
    """Offer each asker, a row, its own people."""
    person, score, filled, tied = lists
    for row in range(len(people)):
        for index in range(people.shape[1]):
            filled[row], tied[row] = insert(
                person[row], score[row], filled[row], tied[row], people[row, index], scores[row, index]
            )


@compile_loop
def offer_pairs(rows, known, scores, listed, lists):
    """Offer the askers `rows`, which stand together, people who were not listed before."""
    person, score, filled, tied = lists
    before, own = -1, numpy.sort(listed[0])
    for pair in range(len(rows)):
        row = rows[pair]
        if row != before:
            before, own = row, numpy.sort(listed[row])
        index = numpy.searchsorted(own, known[pair])
        if index == len(own) or own[index] != known[pair]:
            filled[row], tied[row] = insert(
                person[row], score[row], filled[row], tied[row], known[pair], scores[pair]
            )
