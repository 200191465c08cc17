"""A release as other teams get it: its records in a secret order, people under fresh names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import shake_256
from os import PathLike
from pathlib import Path
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.attacks.identities import People, people_of, records_as_people
from singleout.attacks.paired_tables import PairedTables, pair_tables
from singleout.engine.columns import kind_of
from singleout.engine.open_engine import open_engine
from singleout.engine.open_tables import share_open_tables
from singleout.engine.protocol import Engine
from singleout.files import write_batches, write_text
from singleout.platform.contest import Contest
from singleout.read.source import source

FilePath = str | PathLike[str]
Indices = NDArray[numpy.int64]
NAME_BYTES = 8
ROWS_A_PIECE = 50_000


@dataclass(frozen=True)
class PublishedPerson:
    """A fresh name, and who it is in the original; made-up people are nobody."""

    release_user: str
    person: str | None


def publish(
    contest: Contest,
    original: FilePath,
    release: FilePath,
    truth: FilePath | None,
    seed: str,
    out: FilePath,
    people: FilePath,
) -> int:
    """Writes the release and who is who in it; returns its records. The same seed gives the same files.

    Without the seed, neither the order nor a name says anything of how they were in the submission.
    """
    with share_open_tables():
        read = pair_tables(
            source(str(original)), source(str(release)), None if truth is None else str(truth),
            user=contest.user or "none", study=contest.study, strangers=True,
        )  # fmt: skip
        with open_engine(source(str(release))) as table:
            names = tuple(each.name for each in table.columns())
            texts = table.texts(names)
            released = people_in(table, contest.user, "the release")
    order = secret_order(len(texts.codes[0]), seed)
    columns = {
        name: values.take(pyarrow.array(codes[order]))
        for name, codes, values in zip(names, texts.codes, texts.values, strict=True)
    }
    fresh = _fresh_names(contest, released, order, seed)
    if contest.user is not None:
        columns[contest.user] = pyarrow.array(fresh).take(pyarrow.array(released.person[order]))
    write_batches(out, pyarrow.table(columns).to_batches(max_chunksize=ROWS_A_PIECE))
    listed = [PublishedPerson(name, who) for name, who in zip(fresh, _who(read, released), strict=True)]
    listed.sort(key=lambda each: each.release_user)
    write_rows(people, [[each.release_user, each.person] for each in listed])
    return len(order)


def people_in(table: Engine, user: str | None, called: str) -> People:
    """Whose each record is, with names as attacks know them; without a user records are people."""
    first = table.columns()[0]
    if user is None:
        return records_as_people(called, table.look(first.name).records)
    texts = table.texts((user,))
    kind = next(kind_of(each.type) for each in table.columns() if each.name == user)
    return people_of(called, texts.codes[0], texts.values[0], kind == "numbers")


def secret_order(size: int, seed: str) -> Indices:
    """A permutation that nobody can tell from random without the seed, nor go on with by having seen some."""
    drawn = shake_256(f"order {seed}".encode()).digest(8 * size)
    return numpy.argsort(numpy.frombuffer(drawn, dtype=">u8"), kind="stable")


def _fresh_names(contest: Contest, released: People, order: Indices, seed: str) -> list[str]:
    """By the people's numbers; where each record is its own person, its new place is its name."""
    if contest.user is None:
        places = numpy.empty(len(order), dtype=numpy.int64)
        places[order] = numpy.arange(1, len(order) + 1)
        return [str(place) for place in places]
    return fresh_names(len(released.names), seed)


def fresh_names(number: int, seed: str) -> list[str]:
    """Names that say nothing without the seed."""
    drawn = shake_256(f"names {seed}".encode()).digest(NAME_BYTES * number).hex()
    width = 2 * NAME_BYTES
    # a letter first, or a name could be read as a number
    return [f"p{drawn[start : start + width]}" for start in range(0, width * number, width)]


def _who(read: PairedTables, released: People) -> list[str | None]:
    """Who each of the released people is in the original; several names may be one person's."""
    originals = read.original_names.to_pylist()
    by_name = {
        name: originals[person] if person >= 0 else None
        for name, person in zip(read.release_names.to_pylist(), read.truth.tolist(), strict=True)
    }
    return [by_name[name] for name in released.names.to_pylist()]


def deciding_people(people: Sequence[str], seed: str) -> set[str]:
    """A random half, the larger one if they are odd, on whom no look tells anything.

    Somebody always decides: of nobody there would be no rate, and no rate is not the rate 0.

    >>> len(deciding_people(["ann", "bob", "cid"], "secret")), deciding_people(["ann"], "secret")
    (2, {'ann'})
    """
    ordered = sorted(set(people))
    drawn = secret_order(len(ordered), f"half {seed}")
    return {ordered[index] for index in drawn[: (len(ordered) + 1) // 2].tolist()}


def write_rows(path: FilePath, rows: Sequence[Sequence[Any]]) -> None:
    """One JSON list a line: what comes back from a process that read somebody's file."""
    write_text(path, "".join(json.dumps(each) + "\n" for each in rows), private=True)


def read_rows(path: FilePath) -> list[list[Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
