"""Attacks on a random sample of the release's people, where all of them would take too long."""

from __future__ import annotations

from dataclasses import replace

import numpy

from singleout.attacks.attempt import Attempt, group_sizes, random_guess, rate_bound
from singleout.engine.codes.histories import Histories, History, Indices
from singleout.engine.codes.parallel import key_of

OF_A_SAMPLE = "{}; asked of {:,} of the {:,} people, drawn at random"


def sample_people(history: History, people: int, seed: int) -> Indices:
    """So many people drawn at random without replacement, rising; all where there are no more.

    Those without a record are drawn like others. A smaller sample is part of a larger one of the same seed.

    >>> table = History(5, numpy.zeros(0, dtype=numpy.uint32), {})
    >>> len(sample_people(table, 3, seed=1)), sample_people(table, 9, seed=1).tolist()
    (3, [0, 1, 2, 3, 4])
    """
    draw = numpy.random.Generator(numpy.random.Philox(key=key_of("people sample", seed)))
    drawn: Indices = numpy.sort(draw.permutation(history.people)[:people]).astype(numpy.int64)
    return drawn


def restrict_release(histories: Histories, people: Indices) -> Histories:
    """The same original, and of the release the records of some people: the first of them is person 0.

    What an attack measures on both tables, as the range of numbers, is then that of fewer records.
    """
    return replace(histories, release=histories.release.of_people(people))


def as_estimate(attempt: Attempt, truth: Indices, alike: Indices, choices: int) -> Attempt:
    """What an attempt on a sample says of the whole release, whose truth and look-alikes are given.

    Credit is still that of the sample, so that rate and interval are an estimate from so many people. The
    baseline, the bound and the look-alikes are those of all people: in a sample fewer look alike, and a bound
    of its own would be too high. By luck, the rate of a sample may exceed the bound, as its interval says.
    `choices` is how many people the original has, among whom a random guess chooses.
    """
    if attempt.people == len(truth):
        return attempt
    knowledge = OF_A_SAMPLE.format(attempt.knowledge, attempt.people, len(truth))
    return replace(
        attempt,
        knowledge=knowledge,
        baseline=random_guess(truth, choices),
        bound=rate_bound(alike, truth),
        look_alikes=group_sizes(alike),
    )
