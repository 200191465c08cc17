"""What one record of each of several domains tells together (Ito et al. n.d., Section 3C, Table VIII).

The product table E(u; x_1, …, x_k) = Π E_i(u, x_i) takes the domains to be independent given the person. So
only the entropy of its columns needs to see all domains; the rest follows from the parts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from singleout.engine.codes.parallel import key_of, map_units
from singleout.measurement import Measure
from singleout.risk.entropy.chance_baseline import Chance, chance_of, events_of, starts_of
from singleout.risk.entropy.mutual_information import SKIPPED
from singleout.risk.entropy.person_value_counts import Counts, CountTable
from singleout.risk.entropy.product_table import (
    PRIORS,
    ColumnSums,
    Prior,
    ProductTable,
    Shares,
    SingleDomains,
    column_sums,
    entropy_of_shares,
    estimated_column_sums,
    parts_of,
    shares_of,
    weights_of,
)

MOST_CELLS = 1_000_000_000
MOST_CELLS_BY_CHANCE = 200_000_000
# dealing an event anew takes about as long as adding so many cells up
CELLS_AN_EVENT = 10
MOST_PERMUTATIONS = 200
FEWEST_PERMUTATIONS = 4

SUM_OF_PARTS = Measure(
    name="domain.sum_of_parts",
    title="sum of the parts",
    question="How much do the domains tell one by one, added up?",
    formula="Σ over domains of I(U;x_i), each by itself: over its own people, with its own P(u)",
    unit="bits",
    lowest=0,
    highest=None,
    better="neither",
    counted_over="records",
    missing=SKIPPED,
    reference="Ito et al. n.d., Section 3C; not to be compared with I(U;x_1,…,x_k), which has another P(u)",
)
PARTS = Measure(
    name="domain.parts",
    title="parts under one prior",
    question="How much do the domains tell one by one, added up, over the same people with the same P(u)?",
    formula="Σ over domains of I(U;x_i), all with the same P(u)",
    unit="bits",
    lowest=0,
    highest=None,
    better="neither",
    counted_over="records",
    missing=SKIPPED,
    reference="the correction of Ito et al. n.d., Section 3C; never below I(U;x_1,…,x_k)",
)
OVERLAP = Measure(
    name="domain.overlap",
    title="overlap",
    question="How much of what the domains tell do they tell twice?",
    formula="Σ I(U;x_i) − I(U;x_1,…,x_k) = Σ H(x_i) − H(x_1,…,x_k); for two domains I(S;B)",
    unit="bits",
    lowest=0,
    highest=None,
    better="neither",
    counted_over="records",
    missing=SKIPPED,
    reference="Ito et al. n.d., Section 3C; never below zero, whatever the data: no sign of dependence",
)
PRINTED_GUESS = Measure(
    name="domain.printed_guess",
    title="printed guess",
    question="How often is the person right whom the rule of Ito et al. n.d. for several domains names?",
    formula="Σ over x of P(u*, x), u* with the largest Π E_i(u, x_i); those who tie share the credit",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing=SKIPPED,
    reference="Ito et al. n.d., Section 3C: P(u|s,b) ∝ P(u|s)·P(u|b), which does not divide by the prior",
)


@dataclass(frozen=True)
class InformationByPrior:
    """What the domains tell together if people occur as the prior says."""

    prior: Prior
    h_user: float
    h_user_given: float
    information: float
    probability_before: float
    probability: float
    guess_before: float
    best_guess: float
    printed_guess: float
    parts: float
    overlap: float


@dataclass(frozen=True)
class JointInformation:
    """Several domains together, over the people who have events in all of them.

    `values` counts all tuples of values, also those nobody has; `cells` those that somebody has. Where there
    are too many of them, `error` is the standard error of the information and `guess_error` that of the
    guesses, the largest over the priors.
    """

    domains: tuple[str, ...]
    people: int
    values: int
    cells: int
    exact: bool
    error: float
    guess_error: float
    by_prior: tuple[InformationByPrior, ...]


def joint_information(
    domains: Sequence[str],
    tables: Sequence[CountTable],
    seed: int = 0,
    threads: int = 1,
    most_cells: int = MOST_CELLS,
) -> JointInformation:
    """What does one record of each of these domains tell together?

    P(u, x) = w_u·Π E_i(u, x_i)/S_i(u) with the weights w_u ∝ Π S_i(u) (the paper's product table), alike for
    all, or ∝ Σ S_i(u). All is counted under one of them, the parts too. Above `most_cells` cells, tuples are
    drawn instead. Counted over records of the people who have all domains; missing values are skipped.
    Reference: Ito et al. n.d., Section 3C, Tables VI, VIII and IX.

    >>> from numpy import array
    >>> stations = CountTable.of(array([0, 0, 1]), array([0, 1, 1]), array([2, 1, 3]), people=2, values=2)
    >>> goods = CountTable.of(array([0, 1, 1]), array([0, 0, 1]), array([1, 1, 1]), people=2, values=2)
    >>> found = joint_information(["stations", "goods"], [stations, goods])
    >>> found.cells, round(found.by_prior[0].information, 3), round(found.by_prior[0].parts, 3)
    (4, 0.558, 0.71)
    """
    product = ProductTable.of(tables)
    weights = [shares_of(weights_of(prior, product.records)) for prior in PRIORS]
    parts = [parts_of(product, each) for each in weights]
    exact = product.is_small_enough(most_cells)
    if exact:
        sums = column_sums(product, weights, parts, threads)
    else:
        sums = estimated_column_sums(product, weights, parts, seed, threads)
    return JointInformation(
        domains=tuple(domains),
        people=product.people,
        values=math.prod(int((table.by_value > 0).sum()) for table in tables),
        cells=product.cells,
        exact=exact,
        error=sums.error,
        guess_error=sums.guess_error,
        by_prior=tuple(
            _information_by_prior(index, weights[index], parts[index], sums) for index in range(len(PRIORS))
        ),
    )


def joint_chance(tables: Sequence[CountTable], seed: int, threads: int) -> Chance:
    """How much would the domains seem to tell together if none had anything to do with the people?

    Each domain's values are permuted over its own events, those of the people who have all domains; with the
    weights of the product table. Counted over records; missing values are skipped. Where a permuted table has
    too many cells, tuples are drawn from it. The correction of Ito et al. n.d., Table VI, for several
    domains.

    >>> from numpy import arange, ones
    >>> each_value_once = CountTable.of(arange(4) // 2, arange(4), ones(4, dtype=int), people=2, values=4)
    >>> joint_chance([each_value_once, each_value_once], seed=0, threads=1).information
    1.0
    """
    product = ProductTable.of(tables)
    # by their margins, so that it does not matter how people and values are numbered
    people = numpy.lexsort([table.by_person for table in product.tables])
    margins = [(table.by_person[people], numpy.sort(table.by_value)) for table in product.tables]

    def dealt(permutation: int) -> ProductTable:
        keys = [key_of(seed, permutation, index) for index in range(len(margins))]
        return ProductTable(
            tuple(_permuted_table(*each, key) for each, key in zip(margins, keys, strict=True))
        )

    def tell(permutation: int) -> tuple[float, float]:
        return _information_and_guess(dealt(permutation), key_of(seed, permutation, "drawn"))

    cost = dealt(0).cells + CELLS_AN_EVENT * sum(table.events for table in product.tables)
    wanted = max(FEWEST_PERMUTATIONS, min(MOST_PERMUTATIONS, MOST_CELLS_BY_CHANCE // cost))
    most = entropy_of_shares(shares_of(weights_of("product", product.records)))
    return chance_of(map_units(range(wanted), tell, threads), most)


def _information_and_guess(product: ProductTable, seed: int) -> tuple[float, float]:
    """The information and the best guess under the weights of the product table."""
    weights = shares_of(weights_of("product", product.records))
    parts = parts_of(product, weights)
    if product.is_small_enough(MOST_CELLS_BY_CHANCE):
        sums = column_sums(product, [weights], [parts], threads=1)
    else:
        sums = estimated_column_sums(product, [weights], [parts], seed, threads=1)
    return max(0.0, parts.told - sums.overlap[0]), sums.best_guess[0]


def _information_by_prior(
    index: int, weights: Shares, parts: SingleDomains, sums: ColumnSums
) -> InformationByPrior:
    h_user = entropy_of_shares(weights)
    information = min(max(0.0, parts.told - sums.overlap[index]), h_user)
    before = float(weights.max())
    return InformationByPrior(
        prior=PRIORS[index],
        h_user=h_user,
        h_user_given=h_user - information,
        information=information,
        probability_before=2**-h_user,
        probability=2 ** (information - h_user),
        guess_before=before,
        best_guess=min(max(before, sums.best_guess[index]), 1.0),
        printed_guess=min(sums.printed_guess[index], 1.0),
        parts=parts.told,
        overlap=sums.overlap[index],
    )


def _permuted_table(by_person: Counts, by_value: Counts, key: int) -> CountTable:
    """A domain whose values are dealt to its events anew."""
    from singleout.risk.entropy import chance_baseline_kernels as loops

    starts, value, count = loops.permuted_cells(
        events_of(by_value), starts_of(by_person), numpy.uint64(key), len(by_value)
    )
    return CountTable(starts, value, count, len(by_value))
