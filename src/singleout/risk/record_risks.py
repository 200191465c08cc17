"""One line a record, or one line a person: how likely each is to be re-identified."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from os import PathLike
from typing import Any, Unpack, overload

import pyarrow
import pyarrow.compute

from singleout.engine.job_options import CountOptions
from singleout.engine.missing_values import Missing
from singleout.engine.session import open_session
from singleout.errors import InputError, OutputError, UsageError
from singleout.files import check_table_target, write_batches
from singleout.read.source import Source, source

LABELS = ("record", "class", "class_records", "class_people", "risk")
PERSON_LABELS = ("records", "highest_risk", "average_risk")
NO_PEOPLE = "one line a person needs to know the people; name the user column by --user"


@overload
def record_risks(
    data: Any, out: None = None, *, show_values: bool = False, **counting: Unpack[CountOptions]
) -> pyarrow.Table: ...
@overload
def record_risks(
    data: Any, out: str | PathLike[str], *, show_values: bool = False, **counting: Unpack[CountOptions]
) -> int: ...
def record_risks(
    data: Any,
    out: str | PathLike[str] | None = None,
    *,
    show_values: bool = False,
    **counting: Unpack[CountOptions],
) -> pyarrow.Table | int:
    """One line a record, as a table; or written to a CSV or Parquet file, and then how many.

    Parameters as in `assess`.

    `record` is its place in the file (in a database only a number), `class` the group of look-alikes it is
    in, `risk` 1 / people in the class (1 / records where no user column is named). Raw values are added only
    with `show_values`; a column called like one of these five gets `_value` after its name.
    """
    origin = source(data, csv=counting.get("csv"))
    check_list(out, origin, counting.get("missing", "value"))

    def batches() -> Generator[pyarrow.RecordBatch, None, None]:
        with open_session(origin, **counting) as (counter, plan, _):
            carry = (*([plan.user] if plan.user else []), *plan.columns) if show_values else ()
            names = [*LABELS, *_free_names(LABELS, carry)]
            for batch in counter.labels(plan.question(plan.columns), carry):
                arrays = [*batch.columns[:4], _risk(batch), *batch.columns[4:]]
                yield pyarrow.RecordBatch.from_arrays(arrays, names=names)

    return listed(out, batches())


@overload
def person_risks(data: Any, out: None = None, **counting: Unpack[CountOptions]) -> pyarrow.Table: ...
@overload
def person_risks(data: Any, out: str | PathLike[str], **counting: Unpack[CountOptions]) -> int: ...
def person_risks(
    data: Any, out: str | PathLike[str] | None = None, **counting: Unpack[CountOptions]
) -> pyarrow.Table | int:
    """One line a person, as a table or written to a file: their records, the highest and average risk.

    Parameters as in `assess`.
    The first column names the person as the data does, with `_value` after its name if it is called like
    one of the other three.
    """
    origin = source(data, csv=counting.get("csv"))
    check_list(out, origin, counting.get("missing", "value"))

    def batches() -> Generator[pyarrow.RecordBatch, None, None]:
        with open_session(origin, **counting) as (counter, plan, _):
            if plan.user is None:
                raise UsageError(NO_PEOPLE)
            pieces = counter.person_classes(plan.question(plan.columns))
            yield from _person_batches(list(pieces), plan.user)

    return listed(out, batches())


def check_list(out: str | PathLike[str] | None, origin: Source, missing: Missing) -> None:
    """Fail before the work if the list can't be made, or can't be written there."""
    if out is not None:
        check_table_target(out)
    if out is not None and origin.holds(out):
        raise OutputError(f"{out}: belongs to the data that is read; name another file")
    if missing == "wildcard":
        raise UsageError(
            "a list needs each record in one class, and the missing rule wildcard puts it in several; "
            "use value or drop"
        )


def listed(
    out: str | PathLike[str] | None, batches: Generator[pyarrow.RecordBatch, None, None]
) -> pyarrow.Table | int:
    """In memory, or in a file: the data is closed, and known not to have changed, before that is in place."""
    with closing(batches):
        return pyarrow.Table.from_batches(list(batches)) if out is None else write_batches(out, batches)


def _risk(batch: pyarrow.RecordBatch) -> pyarrow.Array:
    people = pyarrow.compute.cast(batch.column(3), pyarrow.float64())
    return pyarrow.compute.divide(1.0, people)


def _person_batches(pieces: list[pyarrow.RecordBatch], user: str) -> list[pyarrow.RecordBatch]:
    """From (person, people, records): the records, 1 / fewest people, and the mean of 1 / people."""
    classes = pyarrow.Table.from_batches(pieces)
    if pyarrow.types.is_floating(classes["person"].type):
        classes = classes.set_column(0, "person", pyarrow.compute.add(classes["person"], 0.0))  # -0.0 is 0.0
    records = pyarrow.compute.cast(classes["records"], pyarrow.float64())
    classes = classes.append_column("found", pyarrow.compute.divide(records, classes["people"]))
    grouped = classes.group_by("person", use_threads=False)
    try:
        table = grouped.aggregate([("records", "sum"), ("people", "min"), ("found", "sum")])
    except pyarrow.ArrowNotImplementedError as error:
        raise InputError(f"the user column {user!r} can't name people: {error}; use a plain one") from error
    highest = pyarrow.compute.divide(1.0, table["people_min"])
    average = pyarrow.compute.divide(table["found_sum"], table["records_sum"])
    names = [*_free_names(PERSON_LABELS, (user,)), *PERSON_LABELS]
    named = pyarrow.table([table["person"], table["records_sum"], highest, average], names=names)
    return named.to_batches() or [pyarrow.RecordBatch.from_pylist([], schema=named.schema)]


def _free_names(labels: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    """The data's names, changed where they would be taken for one of ours."""
    taken = {*labels, *(name.casefold() for name in names)}
    return [_free_name(name, taken) if name.casefold() in labels else name for name in names]


def _free_name(name: str, taken: set[str]) -> str:
    while name.casefold() in taken:
        name += "_value"
    return name
