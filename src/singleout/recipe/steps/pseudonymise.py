"""New names for people, or for the values of other columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy
import pyarrow

from singleout.errors import InputError, UsageError
from singleout.read.input_files import regular_bytes
from singleout.recipe.pseudonyms import keyed_pseudonyms, random_pseudonyms
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.distinct_values import change_columns, distinct_values_of
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    freeze,
    names_mistakes,
    refuse,
    text_mistakes,
    whole_mistakes,
)
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Renamed

HOWS = ("random", "keyed")
LEAST_KEY = 16
NO_USER = 'there is no user column to pseudonymise; name the user, or name columns like columns = ["receipt"]'


@dataclass(frozen=True)
class Pseudonymise:
    """Put a text in the place of each different value, the same for the same value of a column.

    Without `columns` it is the user column. `random` draws each text anew; two columns, and two releases, get
    texts that have nothing to do with each other. `keyed` makes them from the value and the content of
    `key_file` (HMAC-SHA-256), 16 bytes or more that only you have, so that they are the same wherever the key
    is. The user column gets one random text for each person by number, so that two tables of the same people
    have the same names if both start from the same generator. A missing value stays missing.

    >>> Pseudonymise(how="keyed")
    Traceback (most recent call last):
    singleout.errors.UsageError: key_file: is missing; keyed names need the path of a file of 16 bytes or more
    """

    step: ClassVar[str] = "pseudonymise"
    columns: tuple[str, ...] = ()
    how: str = "random"
    key_file: str | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        refuse(
            names_mistakes("columns", self.columns, needed=False),
            choice_mistakes("how", self.how, HOWS),
            text_mistakes("key_file", self.key_file, "path"),
            self._key_mistakes(),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Renamed:
        return Renamed(keyed=self.how == "keyed")

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:
        columns = self.columns or ((records.user,) if records.user else ())
        if not columns:
            raise UsageError(NO_USER)

        def rename(name: str, column: pyarrow.Array) -> pyarrow.Array:
            if name == records.user and self.how == "random":
                return self._names_of_people(records, column, draw)
            different = distinct_values_of(name, column)
            return different.of_each(self.names(different.values, draw))

        found, changed = change_columns(records, columns, rename)
        return Change(found, changed, "values", f"{self.how} names for {', '.join(columns)}")

    def names(self, values: pyarrow.Array, draw: numpy.random.Generator) -> pyarrow.Array:
        """A new name for each of some different values."""
        return (
            random_pseudonyms(len(values), draw)
            if self.how == "random"
            else keyed_pseudonyms(values, self._key())
        )

    def _names_of_people(
        self, records: RecordTable, column: pyarrow.Array, draw: numpy.random.Generator
    ) -> pyarrow.Array:
        person = pyarrow.array(records.person, mask=column.is_null().to_numpy(zero_copy_only=False))
        return random_pseudonyms(records.people, draw).take(person)

    def _key_mistakes(self) -> list[str]:
        if self.how == "keyed" and self.key_file is None:
            return ["key_file: is missing; keyed names need the path of a file of 16 bytes or more"]
        if self.how == "random" and self.key_file is not None:
            return ['key_file: is only for keyed names; write how = "keyed", or leave it out']
        return []

    def _key(self) -> bytes:
        assert self.key_file
        try:
            key = regular_bytes(self.key_file)
        except (OSError, ValueError) as error:
            why = (getattr(error, "strerror", None) or str(error)).lower()
            raise InputError(f"key_file: {self.key_file}: {why}") from error
        if len(key) < LEAST_KEY:
            raise InputError(
                f"key_file: {self.key_file}: has {len(key)} bytes; a key has {LEAST_KEY} or more"
            )
        return key
