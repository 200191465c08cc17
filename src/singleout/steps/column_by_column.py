"""Changing columns one by one, and counting the values that are no longer what they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pyarrow

from singleout.deidentify.record_table import Records
from singleout.steps.distinct import values_changed


def each_changed(
    records: Records, columns: Iterable[str], new_of: Callable[[str, pyarrow.Array], pyarrow.Array]
) -> tuple[Records, int]:
    """The records with what `new_of` makes of each column's name and values, and how many values changed."""
    changed, found = 0, records
    for name in columns:
        old = records.column(name)
        new = new_of(name, old)
        changed += values_changed(old, new)
        found = found.with_column(name, new)
    return found, changed
