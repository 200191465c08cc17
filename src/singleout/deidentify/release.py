"""A release in memory: an Arrow table in an order that tells nothing, or a frame of the caller's own kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from singleout.deidentify.delivery import Delivery, Goods
from singleout.deidentify.release_file import with_durations, with_uuids
from singleout.errors import UsageError
from singleout.read.source import Source

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """What may be given away, made when it is first asked for; row for row what the file would hold.

    It speaks Arrow: `polars.DataFrame(release)`, `pyarrow.table(release)` and every job of singleout take it.
    To those that do not know UUIDs they are text. `truth` says who of the original is who in it, for the
    owner only.
    """

    make: Callable[[], Goods]
    delivery: Delivery
    origin: Source

    @cached_property
    def goods(self) -> Goods:
        return self.make()

    @cached_property
    def _table(self) -> pyarrow.Table:
        return self.delivery.arrange(self.goods.release)

    def to_arrow(self) -> pyarrow.Table:
        return with_durations(with_uuids(self._table, self.goods.uuids), self.origin)

    def to_frame(self) -> Any:
        """A pandas frame, or a polars or pyarrow table where the original was one."""
        kind = type(self.origin.frame).__module__.partition(".")[0]
        if kind == "pyarrow":
            return self.to_arrow()
        if kind == "polars":
            import polars

            return polars.from_arrow(self._table)
        try:
            import pandas  # noqa: F401
        except ImportError as error:
            raise UsageError(
                "to_frame() makes a pandas frame and pandas is not installed; install it or use to_arrow()"
            ) from error
        return pandas_frame(self._table)

    @property
    def people(self) -> pyarrow.Table | None:
        """The person table beside the history, if there is one."""
        people = self.goods.people
        return None if people is None else self.delivery.arrange(people)

    @property
    def truth(self) -> dict[Any, Any] | None:
        """Original names by those in the release, as `attack` takes them; None where people have no name."""
        if self.goods.truth is None:
            return None
        names, originals = (each.to_pylist() for each in self.goods.truth)
        return {name: was for name, was in zip(names, originals, strict=True) if name is not None}

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __repr__(self) -> str:
        columns = len(self._table.column_names)
        return f"<Release of {self.origin.name}: {len(self):,} records in {columns} columns>"


def pandas_frame(table: pyarrow.Table) -> Any:
    """Whole numbers stay so where some are missing: as fractions, those beyond 2^53 would be others."""
    import pandas
    from pyarrow import types

    frame = table.to_pandas()
    for name, column in zip(table.column_names, table.columns, strict=True):
        if column.null_count and (types.is_integer(column.type) or types.is_boolean(column.type)):
            word = str(column.type).replace("int", "Int").replace("uI", "UI").replace("bool", "boolean")
            frame[name] = column.to_pandas(types_mapper={column.type: pandas.array([], word).dtype}.get)
    return frame
