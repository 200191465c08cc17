"""What risk an attacker's resource can buy: the curve of the highest and the average risk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.column_sets.set_counts import SetCounts
from singleout.risk.combinations.affordable_sets import PriceList
from singleout.risk.combinations.attribute_sets import sizes_of


@dataclass(frozen=True)
class Reach:
    """From this resource on, until the next: the highest average risk and the highest risk that it can buy.

    `columns` have the highest average risk over records, and this share of the people at risk;
    `highest_columns` reach the highest risk of any record.
    """

    resource: Fraction
    columns: tuple[str, ...]
    average_risk: float
    share_at_risk: float
    highest_columns: tuple[str, ...]
    highest_risk: float


def price_curve(prices: PriceList, counts: SetCounts) -> tuple[Reach, ...]:
    """What risk does an attacker reach with a resource? One point wherever the highest or the average rises.

    Over the sets in `counts`: all affordable ones. Of sets equally good, that which costs least, then has
    the fewest columns, then the lowest mask. Anon. n.d., Algorithm 6: resource ↦ max risk, mean risk.
    """
    amounts = prices.amounts_of(counts.sets)
    order = numpy.lexsort((counts.sets, sizes_of(counts.sets), amounts))
    amounts, counts = amounts[order], counts.at(order)
    return tuple(
        Reach(
            resource=int(max(amounts[average], amounts[highest])) * prices.unit,
            columns=prices.names_of(int(counts.sets[average])),
            average_risk=float(counts.at([average]).average_risk[0]),
            share_at_risk=int(counts.people_at_risk[average]) / counts.people,
            highest_columns=prices.names_of(int(counts.sets[highest])),
            highest_risk=1 / int(counts.smallest[highest]),
        )
        for average, highest in _rises(amounts, counts)
    )


def _rises(amounts: Counts, counts: SetCounts) -> Iterator[tuple[int, int]]:
    """The places of the best sets by average and by highest risk, each time one of them changes."""
    starts = numpy.flatnonzero(numpy.diff(amounts, prepend=-1))
    stops = numpy.append(starts[1:], len(amounts))
    tops = numpy.maximum.reduceat(counts.risk_parts, starts)
    lows = numpy.minimum.reduceat(counts.smallest, starts)
    # up to where an average may be, for a rise that rounding may have made is none
    above = counts.risk_parts + numpy.where(counts.is_rounded_down, counts.classes, 1)
    average = highest = 0
    for group in numpy.flatnonzero(_new_highs(tops) | _new_highs(-lows)).tolist():
        cost_alike = slice(starts[group], stops[group])
        risen = group == 0 or tops[group] >= above[average]
        fallen = group == 0 or lows[group] < counts.smallest[highest]
        if risen:
            average = int(starts[group] + numpy.argmax(above[cost_alike] > tops[group]))
        if fallen:
            highest = int(starts[group] + numpy.argmin(counts.smallest[cost_alike]))
        if risen or fallen:
            yield average, highest


def _new_highs(numbers: Counts) -> NDArray[numpy.bool_]:
    """Where a number is higher than all before it."""
    return numpy.append(True, numbers[1:] > numpy.maximum.accumulate(numbers)[:-1])
