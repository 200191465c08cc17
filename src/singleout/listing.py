"""One line a record, or one line a person: how likely each is to be re-identified."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import pyarrow
import pyarrow.compute

from singleout.engine.protocol import Missing
from singleout.errors import UsageError
from singleout.files import check_table_target, write_batches
from singleout.read.source import CsvFormat
from singleout.roles.study import Study
from singleout.session import opened

LABELS = ("record", "class", "class_records", "class_people", "risk")


def record_risks(
    data: Any,
    out: str | PathLike[str],
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    study: Study | str | PathLike[str] | None = None,
    missing: Missing = "value",
    show_values: bool = False,
    engine: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    csv: CsvFormat | None = None,
) -> int:
    """Write one line a record to a CSV or Parquet file; returns how many.

    `record` is its place in the data, `class` the group of look-alikes it is in, `risk` 1 / people in the
    class (1 / records where no user column is named). Raw values are added only with `show_values`.
    """
    check_table_target(out)
    with opened(
        data, user=user, columns=columns, study=study, missing=missing,
        engine=engine, memory=memory, threads=threads, csv=csv,
    ) as (counter, plan, _):  # fmt: skip
        carry = (*([plan.user] if plan.user else []), *plan.columns) if show_values else ()
        return write_batches(out, map(_with_risk, counter.labels(plan.question(plan.columns), carry)))


def person_risks(
    data: Any,
    out: str | PathLike[str],
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    study: Study | str | PathLike[str] | None = None,
    missing: Missing = "value",
    engine: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    csv: CsvFormat | None = None,
) -> int:
    """Write one line a person: their records, the highest and average risk over them; returns how many."""
    check_table_target(out)
    with opened(
        data, user=user, columns=columns, study=study, missing=missing,
        engine=engine, memory=memory, threads=threads, csv=csv,
    ) as (counter, plan, _):  # fmt: skip
        if plan.user is None:
            raise UsageError("one line a person needs to know the people; name the user column")
        labels = map(_with_risk, counter.labels(plan.question(plan.columns), (plan.user,)))
        pieces = [piece.select([plan.user, "risk"]) for piece in labels]
        return write_batches(out, iter(_by_person(pieces, plan.user).to_batches()))


def _with_risk(batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
    people = pyarrow.compute.cast(batch.column(3), pyarrow.float64())
    risk = pyarrow.compute.divide(1.0, people)
    arrays = [*batch.columns[:4], risk, *batch.columns[4:]]
    return pyarrow.RecordBatch.from_arrays(arrays, names=[*LABELS, *batch.schema.names[4:]])


def _by_person(pieces: list[pyarrow.RecordBatch], user: str) -> pyarrow.Table:
    grouped = pyarrow.Table.from_batches(pieces).group_by(user, use_threads=False)
    table = grouped.aggregate([("risk", "count"), ("risk", "max"), ("risk", "mean")])
    return table.rename_columns([user, "records", "highest_risk", "average_risk"])
