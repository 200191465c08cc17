"""In which order the values of a column stand, and under which nodes of its hierarchy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.roles.hierarchies.hierarchy import Hierarchy, levels_over
from singleout.roles.hierarchies.level_rules import NUMBER

OrderedBy = Literal["numbers", "dates", "only two values"]
DATE = re.compile(r"[0-9]{4}(?P<mark>[-/.])[0-9]{2}(?P=mark)[0-9]{2}([ T].*)?", re.DOTALL)


@dataclass(frozen=True, eq=False)
class ValueOrder:
    """The place of each value, what is missing last, and what says so."""

    ranks: Counts
    by: OrderedBy


@dataclass(frozen=True, eq=False)
class ValueTree:
    """The node of each value at every level below the one where all are one."""

    levels: tuple[NDArray[numpy.int64], ...]


def value_order(values: Sequence[str | None]) -> ValueOrder | None:
    """The order of values, given in that of their texts; None where nothing says what it is.

    An order that means nothing would make classes look nearer to the table than they are.

    >>> value_order(["10", "9", None]).ranks.tolist(), value_order(["flu", "gout", "mumps"])
    ([1, 0, 2], None)
    """
    filled = [value for value in values if value is not None]
    if all(NUMBER.fullmatch(value) for value in filled):
        return ValueOrder(_ranks([(each is None, Decimal(each or 0)) for each in values]), "numbers")
    if len(values) < 3:
        return ValueOrder(numpy.arange(len(values)), "only two values")
    dates = [DATE.fullmatch(value) for value in filled]
    if all(dates) and len({each["mark"] for each in dates if each}) == 1:
        return ValueOrder(_ranks([(each is None, each or "") for each in values]), "dates")
    return None


def value_tree(hierarchy: Hierarchy, values: Sequence[str | None]) -> ValueTree:
    """The values below their hierarchy; where its top still tells values apart, one more joins them."""
    levels = levels_over(hierarchy, values)
    nodes = [levels.codes(level).astype(numpy.int64) for level in range(levels.height + 1)]
    if len(nodes) > 1 and not nodes[-1].any():
        nodes.pop()
    return ValueTree(tuple(nodes))


def _ranks(keys: Sequence[tuple[bool, Decimal | int | str]]) -> Counts:
    """The place of each key; they are all different."""
    ranks = numpy.empty(len(keys), dtype=numpy.int64)
    ranks[sorted(range(len(keys)), key=keys.__getitem__)] = numpy.arange(len(keys))
    return ranks
