"""Says by digests which files a result comes from: what was read is what is hashed, and no secret is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.deidentify.input_tables import PIECE
from singleout.engine.protocol import Engine, Question
from singleout.errors import InputError
from singleout.policy.check_settings import Inquiry
from singleout.policy.rules.built_in_policies import built_in_text
from singleout.policy.rules.policy import Policy
from singleout.policy.verdict.digest import Digest
from singleout.read.input_files import ReadFiles
from singleout.read.source import Source, source
from singleout.roles.study import ROLES_OF_A_CALL, Study

IN_A_DATABASE = "it is a table in a database, not a file"
IN_THE_CALL = "no file was given: the roles are those of the command or call"
IN_MEMORY = "it was given in memory, not as a file"
CHANGED = "its rules were changed in memory after it was read"
STUDY_CHANGED = "it was changed in memory after it was read"
NOT_READ = "no rule needed it, and it was not read"
SECRET = "it is a secret, and a digest would let others confirm what they guess of it"
OTHER_INPUTS = ("study", "truth", "hierarchies", "recipe")


def digests(inquiry: Inquiry, policy: Policy, read: ReadFiles, counter: Engine) -> tuple[Digest, ...]:
    """Of the data, the policy, and whatever else was read; tables must be known not to have changed."""
    return tuple(_digests(inquiry, policy, read, counter))


def job_digests(
    tables: Sequence[tuple[str, Source]], files: Sequence[tuple[str, Any]], read: ReadFiles
) -> tuple[Digest, ...]:
    """The same of a job that no policy was asked of: its tables and other files, each by what it is."""
    others = (_input_digest(what, given, read) for what, given in files if given is not None)
    return (*(_table_digest(what, table) for what, table in tables), *others)


def _digests(inquiry: Inquiry, policy: Policy, read: ReadFiles, counter: Engine) -> Iterator[Digest]:
    yield counter.once("digest", Question(()), lambda: _table_digest("data", inquiry.data))
    yield policy_digest(policy)
    if inquiry.original is not None:
        yield _table_digest("original", inquiry.original)
    for what in OTHER_INPUTS:
        if inquiry.said.get(what) is not None:
            yield _input_digest(what, inquiry.said[what], read)
    if inquiry.said.get("reference") is not None:
        yield _table_digest("reference", source(inquiry.said["reference"]))
    for what, table in inquiry.people_tables.items():
        yield _table_digest(what.replace("_", " "), table)


def policy_digest(policy: Policy) -> Digest:
    """Of the bytes that the rules come from, whatever the file holds by now."""
    if not policy.is_as_written:
        return Digest("policy", policy.called, None, None, 0, CHANGED)
    if policy.name is not None:
        return _bytes_digest("policy", policy.name, [built_in_text(policy.name).encode()])
    if policy.content is None:
        return Digest("policy", policy.place or "policy", None, None, 0, IN_MEMORY)
    return _bytes_digest("policy", policy.called, [policy.content])


def text_digest(what: str, name: str, text: str) -> Digest:
    """Of a file that gets this text."""
    return _bytes_digest(what, name, [text.encode(errors="surrogatepass")])


def _table_digest(what: str, table: Source) -> Digest:
    files = table.files()
    if files:
        return _files_digest(what, table.name, files)
    return Digest(what, table.name, None, None, 0, IN_MEMORY if table.frame is not None else IN_A_DATABASE)


def _input_digest(what: str, given: Any, read: ReadFiles) -> Digest:
    """Of a file, or of a folder's hierarchies, as far as they were read."""
    if isinstance(given, Study):
        if given.place == ROLES_OF_A_CALL:
            return Digest(what, what, None, None, 0, IN_THE_CALL)
        if not given.is_as_written:
            return Digest(what, f"{given.place} (changed)", None, None, 0, STUDY_CHANGED)
        if given.content is not None:
            return _bytes_digest(what, given.place, [given.content])
    if not isinstance(given, str | PathLike):
        return Digest(what, what, None, None, 0, IN_MEMORY)
    contents = read.below(given)
    if contents:
        return _bytes_digest(what, str(given), list(contents.values()))
    was_read = read.was_read(given)
    return Digest(what, str(given), None, None, int(was_read), SECRET if was_read else NOT_READ)


def _bytes_digest(what: str, name: str, contents: list[bytes]) -> Digest:
    """One digest over all bytes in order, as `cat` and `sha256sum` would have it."""
    digest = hashlib.sha256()
    for content in contents:
        digest.update(content)
    return Digest(what, name, digest.hexdigest(), sum(map(len, contents)), len(contents))


def _files_digest(what: str, name: str, files: list[Path]) -> Digest:
    """The same of files that may not fit into memory."""
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
