"""Mean prices and amounts by groups of people (Ito et al. 2020, U1-cMAE and U2-cMAE)."""

from __future__ import annotations

import math

import numpy

from singleout.measurement import Measure
from singleout.utility.finding import Metric, metric
from singleout.utility.paired_columns import NoAnswerError, PairedColumns
from singleout.utility.whole_amounts import MISSING, amounts

DIVISOR = "a cell without records is 0; cells are all combinations of the groups that the original has"

U1_CMAE = Measure(
    name="u1_cmae",
    title="U1-cMAE: mean price by group",
    question="How far off are the mean prices of groups of people?",
    formula="mean over the cells of the cross table of groups of |mean price in the original − in the "
    f"release|; {DIVISOR}",
    unit="of the amount",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    missing=f"{MISSING}; a missing group is a group",
    reference="Ito et al. 2020, U1-cMAE (PWS Cup 2016)",
)
U2_CMAE = Measure(
    name="u2_cmae",
    title="U2-cMAE: mean amount by group",
    question="How far off are mean amounts (price · number) of groups of people?",
    formula="the same of price · number of each record",
    unit="of the amount",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    missing=f"{MISSING}, and so does a missing number; a missing group is a group",
    reference="Ito et al. 2020, U2-cMAE (PWS Cup 2016)",
)


def cross_table_error(compared: PairedColumns, *, times_number: bool = False) -> float:
    """The mean absolute error between the cross tables of the mean amount by groups.

    >>> from singleout.engine.codes.histories import Histories, History
    >>> from singleout.utility.paired_columns import Meaning
    >>> def table(sexes, prices):
    ...     codes = {"sex": numpy.array(sexes, "uint32"), "price": numpy.array(prices, "uint32")}
    ...     return History(1, numpy.zeros(len(sexes), "uint32"), codes)
    >>> values = {"sex": ("f", "m"), "price": ("1", "2", "5")}
    >>> both = Histories(table([0, 0, 1], [0, 1, 2]), table([0, 0], [0, 0]), values)
    >>> cross_table_error(PairedColumns(both, numpy.array([0]), Meaning(amount="price", groups=("sex",))))
    2.75
    """
    worth, groups = amounts(compared, times_number=times_number), compared.meaning.groups
    cells = compared.joint(groups, compared.threads)
    means = [
        sums / numpy.maximum(counts, 1) / worth.steps
        for sums, counts in zip(worth.sums(cells), cells.counts(), strict=True)
    ]
    divisor = math.prod(len(numpy.unique(compared.codes(group).original)) for group in groups)
    if not divisor:
        raise NoAnswerError("the original has no records")
    return math.fsum(numpy.abs(means[0] - means[1])) / divisor


GROUP_METRICS: tuple[Metric, ...] = (
    metric(U1_CMAE, ("amount", "groups"), cross_table_error),
    metric(
        U2_CMAE,
        ("amount", "number", "groups"),
        lambda compared: cross_table_error(compared, times_number=True),
    ),
)
