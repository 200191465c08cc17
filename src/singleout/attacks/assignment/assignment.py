"""The one-to-one guess: everybody of the release is somebody else of the original."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from singleout.attacks.linkage.candidate_lists import CandidateLists
from singleout.attacks.linkage.candidates import NOBODY, Indices, Linkage, Scores
from singleout.attacks.linkage.number_linkage import NumberLinkage
from singleout.engine.codes.column_numbers import Numbers
from singleout.engine.codes.parallel import key_of
from singleout.errors import UsageError
from singleout.progress import Progress

MOST_PEOPLE = 20_000
# on a line a table of the fewer people times those too many is kept: never larger with MOST_PEOPLE
MOST_LEFT_OUT = MOST_PEOPLE**2 // 4
SHARES = 50


@dataclass(frozen=True, eq=False)
class OptimalAssignment:
    """A best assignment, and the prices that prove it.

    A pair costs `top` less its score, and never less than both its prices together; as much as these in every
    best assignment. Who of the release gets nobody costs `aside`. Who of the original is left over has the
    price 0, the highest.
    """

    guess: Indices
    top: float
    release_price: Scores
    original_price: Scores
    aside: float


def assign_people(
    linkage: Linkage, release_people: int, original_people: int, seed: int, progress: Progress
) -> Indices:
    """Who is everybody, if no two are the same?

    For each person of the release one of the original, or −1 where there are too few: as many pairs as there
    can be, and among all such assignments one with the greatest total score. Which one of several equally
    good ones depends on the seed, and never on the order of the people. Counted over people; missing values
    are as in the attack. Reference: Kuhn (1955) and, for the shortest augmenting paths, Jonker and Volgenant
    (1987); here on lists of candidates that grow until the prices prove that no better one is left out.

    >>> from singleout.attacks.linkage.number_linkage import NumberLinkage
    >>> from singleout.progress import silent
    >>> linkage = NumberLinkage(original=numpy.array([1, 5, 9]), release=numpy.array([6, 5, 4]))
    >>> assign_people(linkage, 3, 3, 0, silent).tolist()
    [2, 1, 0]
    """
    if not release_people or not original_people:
        return numpy.full(release_people, NOBODY, dtype=numpy.int64)
    if isinstance(linkage, NumberLinkage):
        random = numpy.random.default_rng(key_of("assignment", seed))
        return _assign_on_line(linkage.release, linkage.original, random)
    return optimal_assignment(linkage, release_people, original_people, seed, progress).guess


def optimal_assignment(
    linkage: Linkage, release_people: int, original_people: int, seed: int, progress: Progress
) -> OptimalAssignment:
    """The same with its proof; there is at least one person on each side."""
    check_people(release_people, original_people)
    random = numpy.random.default_rng(key_of("assignment", seed))
    order = random.permutation(release_people)
    lists = CandidateLists(linkage, original_people, random, progress)
    solved = _Assignment(lists, release_people, original_people)
    guess = solved.solve(order, progress)
    price = numpy.empty(original_people)
    price[lists.person] = solved.prices[1][:-1]
    aside = solved.aside_cost - solved.prices[1][-1]
    return OptimalAssignment(guess, lists.top, solved.prices[0], price, aside)


def _assign_on_line(release: Numbers, original: Numbers, random: numpy.random.Generator) -> Indices:
    """By the order of the numbers, equal ones in random order."""
    from singleout.attacks.assignment.assignment_kernels import columns_on_line

    few, many = sorted((len(release), len(original)))
    if few * (many - few) > MOST_LEFT_OUT:
        check_people(few, many)
    asked, known = (_rising_order(numbers, random) for numbers in (release, original))
    guess = numpy.full(len(release), NOBODY, dtype=numpy.int64)
    if len(release) <= len(original):
        guess[asked] = known[columns_on_line(release[asked], original[known])]
    else:
        guess[asked[columns_on_line(original[known], release[asked])]] = known
    return guess


def _rising_order(numbers: Numbers, random: numpy.random.Generator) -> Indices:
    shuffled = random.permutation(len(numbers))
    order: Indices = shuffled[numpy.argsort(numbers[shuffled], kind="stable")]
    return order


class _Assignment:
    """What is assigned so far, and the prices that prove it."""

    def __init__(self, lists: CandidateLists, rows: int, columns: int) -> None:
        self.lists, self.rows = lists, rows
        spare = max(0, rows - columns)
        whole = numpy.int64
        self.column = numpy.full(rows, NOBODY, dtype=whole)
        aside = (numpy.zeros(spare, dtype=whole), numpy.zeros(rows, dtype=whole), numpy.array([0, spare]))
        self.matched = (self.column, numpy.full(columns, NOBODY, dtype=whole), *aside)
        self.prices = (numpy.zeros(rows), numpy.zeros(columns + 1))
        self.short = numpy.zeros(len(lists.example), dtype=numpy.bool_)
        self.looked = numpy.zeros(len(lists.example), dtype=whole)
        nodes = columns + 2 + len(lists.example)
        heap, heap_index, by_row, seen, done, finished = (numpy.zeros(nodes, dtype=whole) for _ in range(6))
        sizes, end = numpy.zeros(2, dtype=whole), numpy.zeros(1, dtype=whole)
        self.state = (heap, heap_index, numpy.zeros(nodes), by_row, seen, done, finished, sizes, end)
        # any cost will do; one that only those pay who have no better candidate saves detours
        self.aside_cost = float(numpy.sort(lists.cheapest())[columns]) if spare else numpy.inf

    def solve(self, order: Indices, progress: Progress) -> Indices:
        from singleout.attacks.assignment.assignment_kernels import assign_rows

        done = search = 0
        for bound in (self.rows * share // SHARES for share in range(1, SHARES + 1)):
            while done < bound:
                progress("assigning people one to one", done, self.rows)
                done, search = assign_rows(
                    order, done, bound, search, self.aside_cost, self.short, self.looked,
                    self.lists.arrays(), self.prices, self.matched, self.state,
                )  # fmt: skip
                self._lengthen()
        progress("assigning people one to one", self.rows, self.rows)
        return numpy.append(self.lists.person, NOBODY)[self.column].astype(numpy.int64)

    def _lengthen(self) -> None:
        for which in numpy.flatnonzero(self.short):
            self.lists.lengthen(int(which), self.prices[1][:-1])
        self.short[:] = False


def check_people(release: int, original: int) -> None:
    """Beyond this many people it would take too long."""
    if max(release, original) > MOST_PEOPLE:
        raise UsageError(
            f"a one-to-one assignment is made for at most {MOST_PEOPLE:,} people, and there are "
            f"{max(release, original):,}; attack a part of the release, or guess independently"
        )
