"""The compiled loop that adds up the votes of several attacks."""

from __future__ import annotations

import numpy

from singleout.attacks.linkage.candidate_list_kernels import fill_with_strangers, insert
from singleout.engine.codes.loop_compiler import compile_loop


@compile_loop
def combine(voted_for, votes, people, person, score, tied):
    """For each person of the release the candidates with the most votes; −1 is nobody."""
    for asker in range(len(voted_for)):
        order = numpy.argsort(voted_for[asker], kind="mergesort")
        filled, tally, count = 0, 0, 0
        for index in range(len(order)):
            who = voted_for[asker, order[index]]
            tally += votes[asker, order[index]]
            following = voted_for[asker, order[index + 1]] if index + 1 < len(order) else -1
            if following != who:
                if who >= 0 and tally > 0:
                    filled, count = insert(person[asker], score[asker], filled, count, who, float(tally))
                tally = 0
        _, tied[asker] = fill_with_strangers(person[asker], score[asker], filled, count, people)
