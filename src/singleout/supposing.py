"""What the risk would be after a change to the statistics, by the closed form."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from singleout.errors import UsageError
from singleout.prediction import WhatIf
from singleout.risk.avfm import Avfm
from singleout.risk.closed_form import expected_orr
from singleout.risk.what_if import added, grown, scaled, without

GROWTH = (
    "with more records new values turn up: the ORR keeps today's proportions, its high end lets new values "
    "come as often as those seen once did"
)


def what_if(
    avfm: Avfm, drop: Sequence[Sequence[str]], add: Sequence[str], records: Sequence[int]
) -> tuple[WhatIf, ...]:
    """Each change by itself, and all together where there are several kinds."""
    if any(isinstance(each, str) for each in drop) or isinstance(add, str) or isinstance(records, int):
        raise UsageError("drop lists lists of columns, add lists texts, and records lists whole numbers")
    found = [
        *(_changed(f"without {', '.join(names)}", without(avfm, names)) for names in drop),
        *(_changed(f"with {text}", added(avfm, text)) for text in add),
        *(_resized(f"with {number:,} records", avfm, number) for number in records),
    ]
    if sum(map(bool, (drop, add, records))) > 1:
        with suppress(UsageError):  # what can't be together was asked for as alternatives
            whole = without(avfm, [name for names in drop for name in names]) if drop else avfm
            for text in add:
                whole = added(whole, text)
            found += [_resized("all of these", whole, number) for number in records or (avfm.records,)]
    return tuple(found)


def _changed(change: str, after: Avfm) -> WhatIf:
    orr, low, high, *_ = by_formula(after)
    return WhatIf(change, after.records, after.columns, orr, low, high)


def _resized(change: str, avfm: Avfm, records: int) -> WhatIf:
    """From the same proportions up to new values at today's rate."""
    orr, low, high, *_ = by_formula(scaled(avfm, records))
    if records > avfm.records:
        larger = grown(avfm, records)
        high = 1.0 if larger is None else max(high, by_formula(larger)[2])
    return WhatIf(change, records, avfm.columns, orr, low, high)


def by_formula(avfm: Avfm) -> tuple[float, float, float, float, float | None]:
    """The expected ORR, its low and high end, its bound, and the deviation of one table."""
    found = expected_orr(avfm)
    low, high = max(0.0, found.orr - found.bound), min(1.0, found.orr + found.bound)
    return found.orr, low, high, found.bound, found.deviation
