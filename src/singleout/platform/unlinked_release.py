"""A release as a metric gets it that may not know who is who: in another order, people under fresh names."""

from __future__ import annotations

from hashlib import file_digest
from os import PathLike
from pathlib import Path

import pyarrow
import pyarrow.parquet

from singleout.engine.open_engine import open_engine
from singleout.errors import InputError, name_hint
from singleout.platform.publication import fresh_names, secret_order
from singleout.read.source import source

FilePath = str | PathLike[str]
# what a worker asks of the process that reads uploads
UNLINK = "unlink"


def write_unlinked(release: FilePath, user: str | None, out: FilePath) -> None:
    """As Parquet, with its types; the same for whoever has the release, for its digest is the seed."""
    with Path(release).open("rb") as content:
        seed = file_digest(content, "sha256").hexdigest()
    with open_engine(source(str(release))) as table:
        names = tuple(each.name for each in table.columns())
        if user is not None and user not in names:
            raise InputError(f"{release}: there is no column of people {user!r}; {name_hint(user, names)}")
        records = table.records(names)
    shuffled = records.take(pyarrow.array(secret_order(records.num_rows, seed)))
    if user is not None:
        people = _distinct(shuffled[user].combine_chunks())
        fresh = pyarrow.array(fresh_names(len(people.dictionary), seed), pyarrow.string())
        shuffled = shuffled.set_column(names.index(user), user, fresh.take(people.indices))
    pyarrow.parquet.write_table(shuffled, out)


def _distinct(people: pyarrow.Array) -> pyarrow.DictionaryArray:
    """Lists and the like are told apart by how they are written."""
    if pyarrow.types.is_nested(people.type):
        people = pyarrow.array([None if each is None else repr(each) for each in people.to_pylist()])
    return people.dictionary_encode()
