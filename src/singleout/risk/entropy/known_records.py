"""How often a person is named rightly by an attacker who knows some of the person's records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.engine.codes.parallel import key_of, map_shares
from singleout.errors import UsageError
from singleout.measurement import Measure
from singleout.risk.entropy.chance_baseline import ROUNDING
from singleout.risk.entropy.mutual_information import SKIPPED, Information, information
from singleout.risk.entropy.person_value_counts import Counts, CountTable

Shares = NDArray[numpy.float64]

MOST_PRODUCTS = 2_000_000
# beyond, the probability of a likely multiset's first values in order may be too small for a number
MOST_COUNTED = 500
DRAWS, FEWEST_DRAWS = 10_000, 500
MOST_CANDIDATES = 40_000_000
NORMAL_95 = 1.959964
SHARES_A_THREAD = 8
# a list of more than one in so many people can be looked up instead of searched
LONG_LIST = 4

SUCCESS_AFTER = Measure(
    name="domain.success_after",
    title="success after k records",
    question="How often is the best guess at a person right, once k of the person's records are known?",
    formula="Σ over multisets of k values of max over people of P(u)·P(multiset | u), records independent",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=SKIPPED,
    reference="Bayes success; Ito et al. n.d., Section 3A, takes it to be about 1 as soon as k·I(U;x) ≥ H(U)",
)


@dataclass(frozen=True)
class Success:
    """The success after `known` records; where it was simulated, with its 95 % interval."""

    known: int
    success: float
    low: float
    high: float
    exact: bool


def success_after(
    table: CountTable, known: Sequence[int], seed: int, threads: int, draws: int = DRAWS
) -> tuple[Success, ...]:
    """How often is the best guess right, once k records of a person are known?

    The person is drawn by P(u), the records from the person's own distribution. One known record, or few
    enough multisets of values, are counted exactly; else the mean over simulated draws of the highest
    posterior probability. Counted over people, by their records; missing values are never drawn.
    Reference: the correction of Ito et al. n.d., Section 3A.

    >>> from numpy import array
    >>> person, station = array([0, 0, 1, 1, 2, 2]), array([0, 1, 0, 2, 0, 1])
    >>> times = array([2, 1, 4, 4, 4, 4])
    >>> stations = CountTable.of(person, station, times, people=3, values=3)
    >>> [round(each.success, 3) for each in success_after(stations, (1, 2, 4), seed=0, threads=1)]
    [0.632, 0.737, 0.821]
    """
    for each in known:
        if each < 1:
            raise UsageError(f"{each} known records say nothing about the person; take 1 or more")
    if draws < 2:
        raise UsageError(f"{draws} draws have no spread to judge them by; take 2 or more")
    record_information = information(table)
    simulated = [each for each in known if not _is_countable(each, record_information)]
    by_draws = _simulated_successes(table, simulated, seed, threads, draws) if simulated else {}
    return tuple(by_draws.get(each) or _exact_success(table, each, record_information) for each in known)


def rule_of_thumb(record_information: Information) -> int | None:
    """The paper's rule: the smallest k with k·I(U;x) ≥ H(U); None where a record tells nothing.

    >>> rule_of_thumb(Information(3, 3, 19, 1.47, 0.99, 0.48, 0.36, 0.5, 0.42, 0.63))
    4
    """
    if record_information.information <= ROUNDING:
        return None
    return max(1, math.ceil(record_information.h_user / record_information.information - ROUNDING))


def drawn_values(table: CountTable, people: Counts, random: Shares) -> Counts:
    """A value of the person's own distribution for each random number, 0 up to 1, in the person's row."""
    last = numpy.cumsum(table.count)
    own = table.by_person[people]
    before = numpy.concatenate(([0], last))[table.starts[people]]
    events = before[:, None] + (random * own[:, None]).astype(numpy.int64)
    values: Counts = table.value[numpy.searchsorted(last, events, side="right")]
    return values


def lists_by_length(lists: Counts, heads: Counts) -> Counts:
    """Each row's lists by their length, equal ones side by side; a list ends where the next one starts."""
    return numpy.take_along_axis(lists, numpy.lexsort((lists, heads[lists + 1] - heads[lists])), axis=1)


def _is_countable(known: int, record_information: Information) -> bool:
    if known == 1:
        return True
    products = math.comb(record_information.values + known - 1, known) * record_information.people
    return known <= MOST_COUNTED and products <= MOST_PRODUCTS


def _exact_success(table: CountTable, known: int, record_information: Information) -> Success:
    from singleout.risk.entropy import product_table_kernels as loops

    success = record_information.best_guess
    if known > 1:
        here = table.by_person > 0
        people, values = numpy.cumsum(here) - 1, numpy.cumsum(table.by_value > 0) - 1
        given = numpy.zeros((record_information.values, record_information.people))
        given[values[table.value], people[table.person]] = table.count / table.by_person[table.person]
        success = min(
            1.0, loops.best_of_multisets(given, table.by_person[here] / record_information.events, known)
        )
    return Success(known, success, success, success, exact=True)


def _simulated_successes(
    table: CountTable, known: Sequence[int], seed: int, threads: int, draws: int
) -> dict[int, Success]:
    """Each k takes the first k records of the same drawn people, so that a curve over k is not all noise."""
    random = numpy.random.default_rng(key_of("records", seed))
    events = random.integers(table.events, size=draws)
    people = numpy.searchsorted(numpy.cumsum(table.by_person), events, side="right")
    # the k-th records of all people together: what is drawn for k does not depend on what else is asked
    values = drawn_values(table, people, random.random((max(known), draws)).T)
    return {
        each: _estimate(each, _highest_posteriors(table, _affordable_draws(table, values[:, :each]), threads))
        for each in known
    }


def _affordable_draws(table: CountTable, values: Counts) -> Counts:
    """The first draws, as many as can be judged in seconds: where values are common, many people fit."""
    people = numpy.bincount(table.value, minlength=table.values)
    candidates = numpy.cumsum(people[values].min(axis=1) * values.shape[1])
    return values[: max(FEWEST_DRAWS, int(numpy.searchsorted(candidates, MOST_CANDIDATES)))]


def _highest_posteriors(table: CountTable, values: Counts, threads: int) -> Shares:
    """The highest posterior probability of a person, for each row of known values."""
    from singleout.engine.codes.count_kernels import order_by
    from singleout.risk.entropy import product_table_kernels as loops

    known = values.shape[1]
    heads, order = order_by(table.value, table.values)
    person, logs = table.person[order], loops.logarithms(table.count[order])
    # P(u)·Π count/S(u), in logarithms and up to a constant
    weight = (1 - known) * numpy.log(numpy.maximum(table.by_person, 1))
    lists, draw = _different_rows(lists_by_length(values, heads))
    line, long_lists = _long_lists(heads, person, table.people)
    best = numpy.zeros(len(lists))

    def judge(first: int, last: int) -> None:
        loops.best_posteriors(first, last, lists, heads, person, logs, line, long_lists, weight, best)

    map_shares(len(lists), judge, threads, threads * SHARES_A_THREAD)
    return best[draw]


def _different_rows(rows: Counts) -> tuple[Counts, Counts]:
    """Each row once, in the order of their first appearance, and which of them each row is."""
    codes = join_codes(Codes(column.astype(numpy.uint32), int(column.max()) + 1) for column in rows.T)
    first = numpy.empty(codes.count, dtype=numpy.int64)
    first[codes.codes[::-1]] = numpy.arange(len(rows) - 1, -1, -1)
    return rows[first], codes.codes.astype(numpy.int64)


def _long_lists(heads: Counts, person: Counts, people: int) -> tuple[Counts, NDArray[numpy.int32]]:
    """The lists that hold a good part of all people: a line for each, with everybody's position or −1."""
    from singleout.risk.entropy import product_table_kernels as loops

    line = numpy.full(len(heads) - 1, -1, dtype=numpy.int64)
    long = numpy.flatnonzero(numpy.diff(heads) * LONG_LIST > people)
    line[long] = numpy.arange(len(long))
    positions = numpy.full((len(long), people), -1, dtype=numpy.int32)
    loops.fill_positions(heads, person, line, positions)
    return line, positions


def _estimate(known: int, best: Shares) -> Success:
    """Never narrower than 3/draws: where no draw of many differs, a rare one still may."""
    mean = math.fsum(best.tolist()) / len(best)
    half = max(NORMAL_95 * float(best.std(ddof=1)) / math.sqrt(len(best)), 3 / len(best))
    return Success(known, mean, max(0.0, mean - half), min(1.0, mean + half), exact=False)
