"""The product table of several domains, added up column by column without ever being built."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.parallel import key_of, map_shares
from singleout.errors import InputError, UsageError
from singleout.risk.entropy.chance_baseline import starts_of
from singleout.risk.entropy.known_records import drawn_values, lists_by_length
from singleout.risk.entropy.person_value_counts import Counts, CountTable

Shares = NDArray[numpy.float64]
Prior = Literal["product", "uniform", "records"]
PRIORS: tuple[Prior, ...] = get_args(Prior)
MOST_ENTRIES = 50_000_000
MOST_DRAWS = 30_000
FEWEST_DRAWS = 3_000
STEPS = 1_000_000_000
WHOLE = 2**63


@dataclass(frozen=True, eq=False)
class ProductTable:
    """Tables of the same people, each of whom has events in all of them; the one with most values first."""

    tables: tuple[CountTable, ...]

    @classmethod
    def of(cls, tables: Sequence[CountTable]) -> ProductTable:
        """Cut to the people whom all tables know."""
        if len(tables) < 2 or len({table.people for table in tables}) > 1:
            raise UsageError(
                "domains are put together by twos or more, of tables that number the same people"
            )
        here = numpy.logical_and.reduce([table.by_person > 0 for table in tables])
        if not here.any():
            raise InputError("nobody has records in all of the domains; put together those that share people")
        return cls(
            tuple(
                sorted((_restricted_table(table, here) for table in tables), key=lambda table: -table.values)
            )
        )

    @property
    def people(self) -> int:
        return self.tables[0].people

    @property
    def records(self) -> list[Counts]:
        """Events of each person, domain by domain."""
        return [table.by_person for table in self.tables]

    @cached_property
    def cells(self) -> int:
        """Σ over people of the number of value tuples they have."""
        return _number_of_tuples(self.tables)

    def is_small_enough(self, most_cells: int) -> bool:
        """Whether all columns can be added up: in time, in memory, and with keys that fit."""
        between = self.tables[1:-1]
        keys = math.prod(table.values for table in between)
        return self.cells <= most_cells and _number_of_tuples(between) <= MOST_ENTRIES and keys < WHOLE

    @cached_property
    def counts(self) -> list[Counts | Shares]:
        """Whole numbers, unless a product of them might be too large for one."""
        whole = math.prod(int(table.count.max()) for table in self.tables) < WHOLE
        return [table.count if whole else table.count.astype(numpy.float64) for table in self.tables]

    @cached_property
    def person_entropies(self) -> list[Shares]:
        """H(X_i | u) of each person, for each domain."""
        return [_entropy_of_people(table) for table in self.tables]

    def factors(self, weights: Sequence[Shares]) -> Shares:
        """What turns a product of counts into P(u, x): one row a person, one column a prior."""
        records = weights_of("product", self.records)
        return numpy.ascontiguousarray((numpy.array(weights) / records).T)


@dataclass(frozen=True)
class SingleDomains:
    """The domains one by one, under one prior: Σ I(U;x_i), Σ H(x_i), and P(x_i) of each value."""

    told: float
    entropy: float
    columns: tuple[Shares, ...]


@dataclass(frozen=True)
class ColumnSums:
    """What needs all domains at once, for each prior; errors are the largest over the priors."""

    overlap: list[float]
    best_guess: list[float]
    printed_guess: list[float]
    error: float = 0.0
    guess_error: float = 0.0


def weights_of(prior: Prior, records: Sequence[Counts]) -> Shares:
    """P(u), not yet adding up to 1: as in the product table, all alike, or by all records."""
    of_people = numpy.array(records, dtype=numpy.float64)
    if prior == "uniform":
        return numpy.ones(of_people.shape[1])
    weights: Shares = of_people.prod(axis=0) if prior == "product" else of_people.sum(axis=0)
    return weights


def shares_of(weights: Shares) -> Shares:
    return weights / math.fsum(weights.tolist())


def entropy_of_shares(shares: Shares) -> float:
    there = shares[shares > 0]
    return max(0.0, -math.fsum((there * numpy.log2(there)).tolist()))


def parts_of(product: ProductTable, weights: Shares) -> SingleDomains:
    """H(x_i) from the columns of each domain, less what each person leaves uncertain."""
    columns: list[Shares] = []
    for table in product.tables:
        share = (weights / table.by_person)[table.person] * table.count
        column = numpy.bincount(table.value, weights=share, minlength=table.values)
        columns.append(column.astype(numpy.float64))
    entropies = [entropy_of_shares(column) for column in columns]
    left = [math.fsum((weights * own).tolist()) for own in product.person_entropies]
    information = math.fsum(max(0.0, h - own) for h, own in zip(entropies, left, strict=True))
    return SingleDomains(information, math.fsum(entropies), tuple(columns))


def column_sums(
    product: ProductTable, weights: Sequence[Shares], parts: Sequence[SingleDomains], threads: int
) -> ColumnSums:
    """All columns, exactly: in time by the number of cells, in memory by the number of values."""
    from singleout.engine.codes.count_kernels import order_by
    from singleout.risk.entropy import product_table_kernels as loops

    first, *others = product.tables
    heads, order = order_by(first.value, first.values)
    person, count = first.person[order], product.counts[0][order]
    ends = numpy.cumsum([0] + [len(table.value) for table in others])
    starts = numpy.array([table.starts + end for table, end in zip(others, ends[:-1], strict=True)])
    value = numpy.concatenate([table.value for table in others])
    counts = numpy.concatenate(product.counts[1:])
    sizes = numpy.array([table.values for table in others])
    factors = product.factors(weights)
    rows = numpy.zeros((first.values, 3 * len(weights)))

    def add(start: int, end: int) -> None:
        loops.joint_columns(start, end, heads, person, count, starts, value, counts, sizes, factors, rows)

    map_shares(first.values, add, threads, min(8 * threads, first.values))
    entropy, best, printed = numpy.split(numpy.array([math.fsum(column) for column in rows.T.tolist()]), 3)
    overlap = [max(0.0, each.entropy - h) for each, h in zip(parts, entropy.tolist(), strict=True)]
    return ColumnSums(overlap, best.tolist(), printed.tolist())


def estimated_column_sums(
    product: ProductTable, weights: Sequence[Shares], parts: Sequence[SingleDomains], seed: int, threads: int
) -> ColumnSums:
    """From drawn tuples: the overlap is the mean of log2 of q(x) / Π q(x_i), and q(x) is exact for each.

    All priors share the draws, of which each prior makes as many; P(x) under one prior over the mean of all
    priors is then a draw's weight.
    """
    from singleout.risk.entropy import product_table_kernels as loops

    draws = _number_of_draws(product, parts) // len(weights) * len(weights)
    random = numpy.random.default_rng(key_of("tuples", seed))
    people = numpy.concatenate([_drawn_people(each, draws // len(weights), random) for each in weights])
    values = [drawn_values(table, people, random.random((draws, 1)))[:, 0] for table in product.tables]
    heads, person, count, lists = _lists(product, values)
    factors = product.factors(weights)
    rows = numpy.zeros((draws, 3 * len(weights)))

    def judge(start: int, end: int) -> None:
        loops.joint_draws(start, end, lists, heads, person, count, factors, rows)

    map_shares(draws, judge, threads, 8 * threads)
    joint_q, best, printed = numpy.split(rows, 3, axis=1)
    independent_q = numpy.array(
        [numpy.prod([q[x] for q, x in zip(each.columns, values, strict=True)], axis=0) for each in parts]
    ).T
    mixed = joint_q.mean(axis=1)[:, None]
    overlap, error = _mean_and_error(joint_q / mixed * numpy.log2(joint_q / independent_q))
    right, guess_error = _mean_and_error(best / mixed)
    named, _ = _mean_and_error(printed / mixed)
    return ColumnSums([max(0.0, each) for each in overlap], right, named, error, guess_error)


def _restricted_table(table: CountTable, here: NDArray[numpy.bool_]) -> CountTable:
    cells = here[table.person]
    return CountTable(
        starts_of(numpy.diff(table.starts)[here]), table.value[cells], table.count[cells], table.values
    )


def _number_of_tuples(tables: Sequence[CountTable]) -> int:
    """Floats hold it whole as far as it can matter, and do not overflow."""
    lengths = numpy.array([numpy.diff(table.starts) for table in tables], dtype=numpy.float64)
    return int(lengths.prod(axis=0).sum()) if len(tables) else 0


def _entropy_of_people(table: CountTable) -> Shares:
    weighted = numpy.bincount(table.person, weights=table.count * numpy.log2(table.count))
    return numpy.maximum(0.0, numpy.log2(table.by_person) - weighted / table.by_person)


def _number_of_draws(product: ProductTable, parts: Sequence[SingleDomains]) -> int:
    """Fewer where the people of a drawn value are many."""
    people = [numpy.bincount(table.value, minlength=table.values) for table in product.tables]
    walked = max(sum(float(q @ n) for q, n in zip(each.columns, people, strict=True)) for each in parts)
    return max(FEWEST_DRAWS, min(MOST_DRAWS, int(STEPS / walked)))


def _drawn_people(weights: Shares, draws: int, random: numpy.random.Generator) -> Counts:
    found = numpy.searchsorted(numpy.cumsum(weights), random.random(draws), side="right")
    return numpy.minimum(found, len(weights) - 1)


def _lists(product: ProductTable, values: Sequence[Counts]) -> tuple[Counts, Counts, Counts | Shares, Counts]:
    """Where each value's list starts, domain after domain, its people and counts; the lists of each draw."""
    from singleout.engine.codes.count_kernels import order_by

    starts, person, count, wanted = [], [], [], []
    cells = lists = 0
    for table, counts, drawn in zip(product.tables, product.counts, values, strict=True):
        heads, order = order_by(table.value, table.values)
        starts.append(heads[:-1] + cells)
        person.append(table.person[order])
        count.append(counts[order])
        wanted.append(drawn + lists)
        cells += len(table.value)
        lists += table.values
    all_heads = numpy.concatenate([*starts, [cells]])
    of_draws = lists_by_length(numpy.array(wanted).T, all_heads)
    return all_heads, numpy.concatenate(person), numpy.concatenate(count), of_draws


def _mean_and_error(drawn: Shares) -> tuple[list[float], float]:
    """The mean of each column, and the largest standard error of one."""
    means = [math.fsum(column) / len(drawn) for column in drawn.T.tolist()]
    return means, float(drawn.std(axis=0, ddof=1).max()) / math.sqrt(len(drawn))
