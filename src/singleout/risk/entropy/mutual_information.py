"""How much one record of a domain tells about its person, in bits and as a chance to name the person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from singleout.errors import InputError
from singleout.measurement import Measure
from singleout.risk.entropy.person_value_counts import Counts, CountTable
from singleout.risk.shannon_entropy import entropy_of

SKIPPED = "missing values are skipped unless asked otherwise"

H_USER = Measure(
    name="domain.h_user",
    title="uncertainty before (entropy)",
    question="How uncertain is it whose record a random record is, when nothing of it is known?",
    formula="H(U) = −Σ over people of P(u)·log2 P(u), P(u) = the person's share of the records",
    unit="bits",
    lowest=0,
    highest=None,
    better="higher",
    counted_over="records",
    missing=SKIPPED,
    reference="Ito et al. n.d., Section 3A",
)
H_USER_GIVEN = Measure(
    name="domain.h_user_given",
    title="uncertainty left (conditional entropy)",
    question="How uncertain is it whose record it is, once its value is known?",
    formula="H(U|x) = Σ over values of P(s)·H(U|s) = H(U,x) − H(x)",
    unit="bits",
    lowest=0,
    highest=None,
    better="higher",
    counted_over="records",
    missing=SKIPPED,
    reference="Ito et al. n.d., Section 3A",
)
INFORMATION = Measure(
    name="domain.information",
    title="information (mutual information)",
    question="How much does the value of one record tell about its person?",
    formula="I(U;x) = H(U) − H(U|x)",
    unit="bits",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    missing=SKIPPED,
    reference="Ito et al. n.d., Section 3A; to be read beside what chance alone gives",
)
PROBABILITY_BEFORE = Measure(
    name="domain.probability_before",
    title="probability before",
    question="Among how many equally likely people would one be as uncertain, knowing nothing (1 / them)?",
    formula="2^−H(U)",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing=SKIPPED,
    reference="Ito et al. n.d., Section 3A; never above the best guess",
)
PROBABILITY = Measure(
    name="domain.probability",
    title="probability",
    question="Among how many equally likely people would one be as uncertain, knowing a value (1 / them)?",
    formula="2^−H(U|x)",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing=SKIPPED,
    reference="Ito et al. n.d., Table VI, whose text prints another exponent; never above the best guess",
)
GUESS_BEFORE = Measure(
    name="domain.guess_before",
    title="best guess before",
    question="How often is the best guess at a record's person right, when nothing of it is known?",
    formula="max over people of P(u)",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing=SKIPPED,
    reference="Bayes success without knowledge",
)
BEST_GUESS = Measure(
    name="domain.best_guess",
    title="best guess (Bayes vulnerability)",
    question="How often is the best guess at a record's person right, once its value is known?",
    formula="Σ over values of P(s)·max over people of P(u|s)",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing=SKIPPED,
    reference="Bayes success; Ito et al. n.d. takes 2^−H(U|x) for it, which is a lower bound",
)


@dataclass(frozen=True)
class Information:
    """What one record of a domain tells; `people` and `values` are those with at least one event."""

    people: int
    values: int
    events: int
    h_user: float
    h_user_given: float
    information: float
    probability_before: float
    probability: float
    guess_before: float
    best_guess: float


def information(table: CountTable) -> Information:
    """How much does the value of one record tell about its person?

    I(U;x) = H(U) + H(x) − H(U,x), each from whole counts and added up over the different counts, so that no
    bit depends on how people and values are numbered. Counted over records; what the table leaves out, such
    as missing values, does not count. Reference: Ito et al. n.d., Section 3A and Table V.

    >>> from numpy import array
    >>> person, station = array([0, 0, 1, 1, 2, 2]), array([0, 1, 0, 2, 0, 1])
    >>> times = array([2, 1, 4, 4, 4, 4])
    >>> found = information(CountTable.of(person, station, times, people=3, values=3))
    >>> round(found.h_user, 2), round(found.information, 2), round(found.best_guess, 3)
    (1.47, 0.48, 0.632)
    """
    by_person, by_value = margins(table)
    events = table.events
    h_user = entropy_of(by_person)
    left = min(max(0.0, entropy_of(table.count) - entropy_of(by_value)), h_user)
    return Information(
        people=len(by_person),
        values=len(by_value),
        events=events,
        h_user=h_user,
        h_user_given=left,
        information=h_user - left,
        probability_before=2**-h_user,
        probability=2**-left,
        guess_before=int(by_person.max()) / events,
        best_guess=_most_frequent_people(table) / events,
    )


def margins(table: CountTable) -> tuple[Counts, Counts]:
    """The events of each person and of each value that has any."""
    if not len(table.count):
        raise InputError(
            "there are no events to learn from; each domain needs at least one value of a person"
        )
    return table.by_person[table.by_person > 0], table.by_value[table.by_value > 0]


def _most_frequent_people(table: CountTable) -> int:
    """Events that a guesser gets right who names, for each value, the person who has it most often."""
    most = numpy.zeros(table.values, dtype=numpy.int64)
    numpy.maximum.at(most, table.value, table.count)
    return int(most.sum())
