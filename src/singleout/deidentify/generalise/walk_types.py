"""What the search for levels works on: plain arrays under names, for the compiled loops."""

from __future__ import annotations

from typing import Any, NamedTuple

GEOMETRIC, SUM, DISCERNIBILITY, AVERAGE_SIZE = range(4)
EQUAL, ORDERED, HIERARCHICAL = range(3)
# a bound is worked out by other steps than the loss it bounds: a last digit must not decide
ROUNDING = 1e-12
DIGITS = 12


class Rows(NamedTuple):
    """The distinct rows, sorted, and the levels; columns are in the order in which the walk splits by them.

    `raw` and `alike` have a line for each column: the codes, and a number that rows share which are alike in
    all later columns, in person and in sensitive values. `pairs` has a line for each sensitive column: a
    number for each person with a value, where people are named. `level_codes` and `costs` are looked up at
    `offsets[column, level]` + raw code; `whole` is whether all values are one there.
    """

    raw: Any
    alike: Any
    records: Any
    persons: Any
    sensitive: Any
    pairs: Any
    level_codes: Any
    costs: Any
    offsets: Any
    whole: Any
    heights: Any


class Aim(NamedTuple):
    """What is asked of the classes, and how a loss is worked out from the sums of the columns' costs.

    `every` is what all records cost in a column at a level, `most` the most that one of them does. A column's
    loss is (sum − `low`) · `scale`, at least `rest` · `scale`; a suppressed record costs `full`, which is at
    least `gain` more than as it is. `later` is what the columns from a place on lose at least by themselves:
    the product of 1 + loss, or the sum. With `people_only`, of the people in a class nothing counts but
    whether there are k; if `monotone`, a partition that fails lets no finer one hold. Without a wish
    `diverse` is 0, and `risk` is negative. `column_index` is a column's place in the data, `stride` what one
    level more of it adds to a vector's number.
    """

    total: int
    k: int
    budget: int
    people_only: bool
    monotone: bool
    diverse: int
    spread: Any
    risk: float
    kind: int
    low: Any
    every: Any
    most: Any
    scale: Any
    full: Any
    rest: Any
    gain: Any
    weight: Any
    later: Any
    column_index: Any
    stride: Any


class SpreadLimits(NamedTuple):
    """What is asked of how a class's sensitive values are spread; a limit that is not asked for is negative.

    If `several`, no class may have a value that all its people have. `kind` is how far values are apart.
    `totals` are the people (records, where none are named) who have each of the `codes` of each column, of
    which `values` occur, `whole` their sum, `people` all of them; `nodes` are the nodes of values at each of
    the `depths` levels of a hierarchy, `node_totals` the people below them.
    """

    asked: bool
    several: bool
    distance: float
    kind: int
    entropy: float
    ratio: float
    least: int
    basic: float
    enhanced: float
    delta: float
    present: float
    alpha: float
    totals: Any
    codes: Any
    values: Any
    whole: Any
    people: int
    nodes: Any
    node_totals: Any
    depths: Any


class Walk(NamedTuple):
    """Where a walk is: the partition by the first columns, for each number of them.

    `fixed` levels (−1: all) are those the walk keeps to, `following` the next level of each column,
    `counted` how many vectors were counted, `failed` 1 if the first `prefix` columns fail by themselves,
    `covered` the share of all vectors that are decided, `squares` the sum of squared class sizes of the last.
    """

    rows: Any
    weights: Any
    starts: Any
    ends: Any
    classes: Any
    suppressed: Any
    sums: Any
    floor: Any
    level: Any
    following: Any
    fixed: Any
    prefix: Any
    depth: Any
    counted: Any
    failed: Any
    covered: Any
    share: Any
    squares: Any


class Best(NamedTuple):
    """The best vectors so far, by loss, discernibility and levels; `found` is how many."""

    found: Any
    loss: Any
    discernibility: Any
    suppressed: Any
    classes: Any
    levels: Any


class Scratch(NamedTuple):
    """Room for one class: the `code` of each row, and by code (of which some are `touched`) or by value."""

    code: Any
    touched: Any
    number: Any
    size: Any
    example: Any
    first: Any
    last: Any
    alive: Any
    latest: Any
    seen: Any
    stamp: Any
    amount: Any
    values: Any
    ranked: Any
