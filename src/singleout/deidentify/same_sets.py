"""Reads a release with dummy records as anybody can: all people of a cluster must have the same items."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy
import pyarrow

from singleout.deidentify.clusters import Places
from singleout.deidentify.rereading import reread
from singleout.errors import OutputError
from singleout.read.source import Kind


@dataclass(frozen=True, eq=False)
class SameSets:
    """What a release must be found to be: `names` are its people's, `cluster` is where each of them is."""

    names: pyarrow.Array
    cluster: Places
    columns: tuple[str, ...]
    user: str
    item: str
    records: int
    threads: int = 1

    def check(self, draft: Path, kind: Kind) -> None:
        """An OutputError if records or people are missing, or if somebody of a cluster stands out."""
        users, items = reread(draft, kind, self.columns, (self.user, self.item), self.threads)
        if (found := len(users.codes)) != self.records:
            raise OutputError(f"the release is read back with {found:,} records and not {self.records:,}")
        if users.count != len(self.names):
            raise OutputError(
                f"the release is read back with {users.count:,} people and not {len(self.names):,}"
            )
        # codes are in the order of their values: the person with the first name has the first
        cluster = self.cluster[numpy.argsort(self.names.to_numpy(zero_copy_only=False))]
        owner, item = numpy.divmod(
            numpy.unique(users.codes.astype(numpy.int64) * items.count + items.codes), items.count
        )
        mine = numpy.bincount(owner, minlength=users.count)
        together = numpy.unique(cluster[owner] * items.count + item) // items.count
        if (mine != numpy.bincount(together)[cluster]).any():
            raise OutputError("people of a cluster have different items when the release is read back")
