"""The records that are changed: a table, whose record each one is, and nothing that refers to its order."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.errors import UsageError, name_hint

Persons = NDArray[numpy.int64]
Mask = NDArray[numpy.bool_]


@dataclass(frozen=True, eq=False)
class RecordTable:
    """`person` has the number of each record's person, 0 … people−1, and stays with it through all changes.

    The columns are as the data has them: texts of a CSV file, numbers and dates of a typed one; a missing
    value is null. Without a `user` column each record is its own person.
    """

    table: pyarrow.Table
    person: Persons
    people: int
    user: str | None = None

    def __len__(self) -> int:
        return len(self.person)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.table.column_names)

    def column(self, name: str) -> pyarrow.Array:
        """All values of a column in one piece, as plain values and not as a dictionary."""
        if name not in self.table.column_names:
            raise UsageError(f"there is no column {name!r}; {name_hint(name, self.names)}")
        found = self.table[name]
        if pyarrow.types.is_dictionary(found.type):
            found = found.cast(found.type.value_type)
        return found.chunk(0) if found.num_chunks == 1 else found.combine_chunks()

    def with_column(self, name: str, values: pyarrow.Array) -> RecordTable:
        """The same records with other values in one column, at its old place."""
        index = self.table.column_names.index(name)
        return replace(self, table=self.table.set_column(index, name, values))

    def without(self, columns: tuple[str, ...]) -> RecordTable:
        """The same records without some of their columns."""
        user = None if self.user in columns else self.user
        return replace(self, table=self.table.drop_columns(list(columns)), user=user)

    def only(self, kept: Mask) -> RecordTable:
        """Some of the records; people keep their numbers, even those who have no record any more."""
        return replace(self, table=self.table.filter(pyarrow.array(kept)), person=self.person[kept])

    def records_of_each(self) -> Persons:
        """How many records each person has."""
        return numpy.bincount(self.person, minlength=self.people)


def is_text(kind: pyarrow.DataType) -> bool:
    return bool(pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind))


def is_number(kind: pyarrow.DataType) -> bool:
    types = pyarrow.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))
