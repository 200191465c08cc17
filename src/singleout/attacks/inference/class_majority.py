"""The guess by look-alikes: the most frequent sensitive value among other people of the class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.histories import Code, Indices
from singleout.engine.codes.numbering import join_codes


def class_majority(
    person: Indices, columns: Sequence[Code], value: Indices, threads: int = 1
) -> tuple[Indices, Indices]:
    """For each record the value that most other people have whose record is equal in all columns.

    Nobody has a vote about themselves, and everybody else one for each value they have in the class. −1 where
    nobody else is in it; the second answer has for each person the most frequent value of all other people.
    Persons are 0, 1, …, each one's records stand together.

    >>> alike = numpy.array([0, 0, 0, 1], dtype=numpy.uint32)
    >>> guess, of_all = class_majority(numpy.arange(4), [alike], numpy.array([5, 5, 2, 5]))
    >>> guess.tolist(), of_all.tolist()
    ([5, 5, 5, -1], [5, 5, 5, 5])
    """
    from singleout.attacks.inference import class_majority_kernels as loops

    classes = join_codes([Codes(each, int(each.max()) + 1) for each in columns], threads)
    starts = numpy.searchsorted(person, numpy.arange(int(person[-1]) + 2))
    pairs, pair_of, pair_people = _people_of_pairs(person, classes, value, threads)
    value_people = people_of_values(person, value)
    class_of_pair, pair_value = pairs
    falling = numpy.lexsort((pair_value, -value_people[pair_value], -pair_people, class_of_pair))
    place = numpy.empty(len(falling), dtype=numpy.int64)
    place[falling] = numpy.arange(len(falling))
    class_starts = numpy.searchsorted(class_of_pair[falling], numpy.arange(classes.count + 1))
    guess, of_all = loops.guess_by_others(
        starts, value, classes.codes, place[pair_of], class_starts, pair_value[falling],
        pair_people[falling], value_people,
    )  # fmt: skip
    return guess, of_all


def _people_of_pairs(
    person: Indices, classes: Codes, value: Indices, threads: int
) -> tuple[tuple[Indices, Indices], Indices, Indices]:
    """(class, value) of each pair that occurs, which one each record has, and how many people have it."""
    width = int(value.max()) + 1
    pairs = join_codes([classes, Codes(value.astype(numpy.uint32), width)], threads)
    pair_of = pairs.codes.astype(numpy.int64)
    class_of, value_of = numpy.zeros((2, pairs.count), dtype=numpy.int64)
    class_of[pair_of], value_of[pair_of] = classes.codes, value
    return (class_of, value_of), pair_of, people_of_values(person, pair_of)


def people_of_values(person: Indices, value: Indices) -> Indices:
    """How many people have each value."""
    width = int(value.max(initial=0)) + 1
    pairs = numpy.sort(person * width + value)
    return numpy.bincount(pairs[numpy.flatnonzero(numpy.diff(pairs, prepend=-1))] % width, minlength=width)
