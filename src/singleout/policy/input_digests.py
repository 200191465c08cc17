"""Says by digests which files a result comes from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.deidentify.input_tables import PIECE
from singleout.errors import InputError
from singleout.policy.built_in_policies import built_in_text
from singleout.policy.check_settings import Inquiry
from singleout.policy.digest import Digest
from singleout.policy.policy import Policy
from singleout.read.source import Source, without_secrets
from singleout.roles.study import Study

IN_A_DATABASE = "it is a table in a database, not a file"
IN_MEMORY = "it was given in memory, not as a file"
OTHER_INPUTS = ("study", "truth", "hierarchies", "recipe", "people_table", "release_people_table")


def digests(inquiry: Inquiry, policy: Policy) -> tuple[Digest, ...]:
    """Of the data, the policy, and whatever else was read."""
    return tuple(_digests(inquiry, policy))


def _digests(inquiry: Inquiry, policy: Policy) -> Iterator[Digest]:
    yield _table_digest("data", inquiry.data)
    yield _policy_digest(policy)
    if inquiry.original is not None:
        yield _table_digest("original", inquiry.original)
    for what in OTHER_INPUTS:
        if inquiry.said.get(what) is not None:
            yield _input_digest(what.replace("_", " "), inquiry.said[what])


def _policy_digest(policy: Policy) -> Digest:
    if policy.name is None:
        return _input_digest("policy", policy.place)
    text = built_in_text(policy.name).encode()
    return Digest("policy", policy.name, hashlib.sha256(text).hexdigest(), len(text), 1)


def _table_digest(what: str, table: Source) -> Digest:
    files = table.files()
    if files:
        return _files_digest(what, table.name, files)
    return Digest(what, table.name, None, None, 0, IN_MEMORY if table.frame is not None else IN_A_DATABASE)


def _input_digest(what: str, given: Any) -> Digest:
    """Of a file, or of a folder's hierarchies."""
    if isinstance(given, Source):
        return _table_digest(what, given)
    if isinstance(given, Study):
        given = given.place
    if not isinstance(given, str | PathLike):
        return Digest(what, what, None, None, 0, IN_MEMORY)
    path = Path(given)
    if what == "study" and not path.exists():
        return Digest(what, what, None, None, 0, IN_MEMORY)
    if not path.exists():  # a people table may be in a database
        return Digest(what, without_secrets(str(given)), None, None, 0, IN_A_DATABASE)
    files = sorted(each for each in path.glob("*.csv") if each.is_file()) if path.is_dir() else [path]
    return _files_digest(what, str(given), files)


def _files_digest(what: str, name: str, files: list[Path]) -> Digest:
    """One digest over all bytes in order, as `cat` and `sha256sum` would have it."""
    digest, size = hashlib.sha256(), 0
    for path in files:
        try:
            with path.open("rb") as handle:
                while piece := handle.read(PIECE):
                    digest.update(piece)
                    size += len(piece)
        except OSError as error:
            raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    return Digest(what, name, digest.hexdigest(), size, len(files))
