"""What the generalised columns of a release have lost, read off the release itself by their hierarchies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy

from singleout.engine.codes.histories import Code, Histories, Value
from singleout.errors import InputError
from singleout.roles.hierarchies.hierarchy import Hierarchy, Levels, levels_over
from singleout.roles.hierarchies.level_rules import SUPPRESSED
from singleout.utility.information_loss import Loss, combined_loss

LOSS = Loss()
RELEASE_LOSS = LOSS.measure


@dataclass(frozen=True)
class ColumnLoss:
    """How much coarser a column has become, from 0 to 1; `level` if all its labels are of one.

    `strange` is how many records have a value that the hierarchy has no such label for: it counts as lost.
    """

    column: str
    loss: float
    level: int | None
    strange: int = 0


def released_loss(columns: Sequence[ColumnLoss]) -> float:
    """One number for all columns, as `deidentify generalise` has it."""
    return combined_loss(LOSS, [1.0] * len(columns), [each.loss for each in columns])


def column_losses(histories: Histories, hierarchies: Mapping[str, Hierarchy]) -> tuple[ColumnLoss, ...]:
    """How much of each column's detail is gone?

    The mean over records of (values under the released label − 1) / (values of the hierarchy − 1): 0 for a
    raw value, 1 for `*`. Counted over the records of the original: those that the release lacks are lost, as
    is a column that it lacks. If the release has more, its own are counted. A missing value of the release
    stands for one of the original's as long as it has any, and is a suppressed one beyond. A label of several
    levels is of the lowest at which all labels of the column are. Reference: ARX's Loss, after Iyengar 2002.

    >>> from singleout.engine.codes.histories import History
    >>> from singleout.roles.hierarchies.definition_file import rules_of
    >>> age = Hierarchy("age", rules_of([{"type": "raw"}, {"type": "interval", "width": 10}])[0])
    >>> before = History(3, numpy.arange(3, dtype="uint32"), {"age": numpy.array([0, 1, 3], "uint32")})
    >>> after = History(2, numpy.arange(2, dtype="uint32"), {"age": numpy.array([2, 2], "uint32")})
    >>> both = Histories(before, after, {"age": ("31", "35", "30-39", "40")})
    >>> column_losses(both, {"age": age})
    (ColumnLoss(column='age', loss=0.6666666666666666, level=1, strange=0),)
    """
    found, faults = [], []
    for each in hierarchies.values():
        try:
            found.append(_column(histories, each))
        except InputError as fault:
            faults.append(str(fault))
    if faults:
        raise InputError("; ".join(faults))
    return tuple(found)


def _column(histories: Histories, hierarchy: Hierarchy) -> ColumnLoss:
    name = hierarchy.column
    if name not in histories.values:
        return ColumnLoss(name, 1.0, None)
    values = histories.values[name]
    before = _value_counts(histories.original.codes[name], values)
    after = _value_counts(histories.release.codes[name], values)
    levels = levels_over(hierarchy, tuple(before))
    return _loss_by_levels(levels, before, after)


def _value_counts(codes: Code, values: Sequence[Value]) -> Counter[Value]:
    """How many records have each value, those that none has left out."""
    counts = numpy.bincount(codes, minlength=len(values)).tolist()
    return Counter({value: many for value, many in zip(values, counts, strict=True) if many})


def _loss_by_levels(levels: Levels, before: Counter[Value], after: Counter[Value]) -> ColumnLoss:
    suppressed = after.pop(SUPPRESSED, 0) + max(0, after[None] - before[None])
    after[None] = min(after[None], before[None])
    shown = [label for label, many in after.items() if many]
    known = [_shares(levels, level) for level in range(levels.height + 1)]
    level = next((index for index, labels in enumerate(known) if labels.keys() >= {*shown}), None)
    shares = known[level] if level is not None else _lowest_shares(known)
    strange = sum(after[label] for label in shown if label not in shares)
    covered = sum(shares[label] * after[label] for label in shown if label in shares)
    kept = sum(after[label] for label in shown if label in shares)
    records = max(before.total(), after.total() + suppressed)
    return ColumnLoss(
        levels.column, _mean(covered, kept, records, levels.domain), level if shown else None, strange
    )


def _mean(covered: int, kept: int, records: int, domain: int) -> float:
    """Over all records: `kept` ones cover so many values in all, each of the others the whole domain."""
    if domain < 2:
        return 0.0
    return (covered + (records - kept) * domain - records) / (records * (domain - 1))


def _shares(levels: Levels, level: int) -> dict[Value, int]:
    """How many raw values each label of a level stands for."""
    return dict(zip(levels.labels[level], levels.shares[level], strict=True))


def _lowest_shares(known: Sequence[Mapping[Value, int]]) -> dict[Value, int]:
    """Each label as the lowest level has it, for columns that were generalised value by value."""
    shares: dict[Value, int] = {}
    for labels in reversed(known):
        shares.update(labels)
    return shares
