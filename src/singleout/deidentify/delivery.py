"""Writes a release and what belongs to it, all or nothing; it is read back and checked before it stands."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import numpy
import pyarrow

from singleout.checks import is_whole
from singleout.deidentify.input_tables import file_digest
from singleout.deidentify.release_file import check_release_target, plain_table, write_release_file
from singleout.deidentify.release_reader import determines, reread
from singleout.deidentify.release_table import ORDERS, Order, arrangement
from singleout.engine.codes.dictionary import Codes, Pieces, encoded_pieces
from singleout.errors import OutputError, UsageError
from singleout.files import Target, check_table_target, check_writable, whole_files
from singleout.read.source import KIND_BY_ENDING, Kind, Source
from singleout.read.truth_map import HEADINGS
from singleout.recipe.record_table import Mask

OptionalPath = str | PathLike[str] | None
RECORD = "record"
# secrets first: a run that is killed in between must not leave a release of which nobody knows the people
TURNS = ("truth", "secret", "people_out", "out", "diary")
RELEASED = ("out", "people_out")
PRIVATE = ("truth", "secret")
# the diary tells the seed
FOR_THE_OWNER = (*PRIVATE, "diary")
# formats in which an empty text is a missing value
NO_EMPTY_TEXT = ("csv", "excel", "spss", "stata")


@dataclass(frozen=True, eq=False)
class Goods:
    """What may be delivered; each part is written only if a file was named for it.

    `truth` has the names in the release and those in the original, a missing one for somebody who was made
    up. Without a user column records are called by their numbers, from 1, and `numbers` has those that rows
    of the release had in the original. `secret` are rows of the release: the secret list has them with their
    record number there, from 1. `check` reads the draft of the release, of this kind, and raises an
    OutputError if it is not what it should be. `told` is what the diary says beside what was written.
    `origin` is where the data came from: what a statistics program calls its columns and codes goes with
    them, but for columns whose values were `changed`, of the history or the people; these may have an
    origin of their own. `uuids` are columns that had UUIDs.
    """

    release: pyarrow.Table
    people: pyarrow.Table | None = None
    _: KW_ONLY
    truth: tuple[pyarrow.Array, pyarrow.Array] | None = None
    numbers: pyarrow.Array | None = None
    secret: Mask | None = None
    told: Mapping[str, Any] = field(default_factory=dict)
    check: Callable[[Path, Kind], None] | None = None
    origin: Source | None = None
    uuids: Sequence[str] = ()
    people_origin: Source | None = None
    changed: frozenset[tuple[str, str]] = frozenset()

    def truth_by(self, order: pyarrow.Array) -> tuple[pyarrow.Array, pyarrow.Array]:
        """Who is who, of a release whose rows are written in this order."""
        if self.truth is not None:
            return self.truth
        assert self.numbers is not None
        called = pyarrow.array(numpy.arange(1, len(order) + 1)).cast(pyarrow.string())
        return called, self.numbers.take(order)

    def origin_of(self, part: str) -> tuple[Source | None, set[str]]:
        """Where the table of a part came from, and its columns whose values were changed since."""
        of_people = part == "people_out"
        changed = {name for table, name in self.changed if (table == "people") == of_people}
        return (self.people_origin if of_people else self.origin), changed


def named_people(user: str | None) -> frozenset[tuple[str, str]]:
    """As changed columns: words for a code of a person would be the name."""
    return frozenset() if user is None else frozenset({("history", user), ("people", user)})


@dataclass(frozen=True)
class WrittenFiles:
    """By part, as `out` or `truth`: how many records the file has; of those not secret, the SHA-256."""

    records: Mapping[str, int]
    digests: Mapping[str, str]


@dataclass(frozen=True)
class Delivery:
    """Where everything goes; checked when it is made, which is before any work."""

    out: OptionalPath = None
    people_out: OptionalPath = None
    truth: OptionalPath = None
    secret: OptionalPath = None
    diary: OptionalPath = None
    order: Order = "sorted"
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise UsageError(f"order: {self.order!r} is none; there are {' and '.join(ORDERS)}")
        if not is_whole(self.seed) or self.seed < 0:
            raise UsageError(f"seed: {self.seed!r} is none; write a whole number, 0 or more")
        for name, target in self.targets.items():
            if not isinstance(target, (str, PathLike)):
                raise UsageError(f"{name}: {target!r} is no name of a file")
            _checks(name)(target)
        if self.truth is not None and Path(self.truth).suffix.lower() != ".csv":
            raise OutputError(f"{self.truth}: a truth map is a CSV file; end the name in .csv")
        if self.out is None and (lonely := [each for each in self.targets if each != "diary"]):
            raise UsageError(f"{lonely[0]}: belongs to a release; name its file by --out")
        self._check_distinct_targets()

    def _check_distinct_targets(self) -> None:
        seen: dict[str, str] = {}
        for name, target in self.targets.items():
            if (other := seen.setdefault(os.path.realpath(target), name)) != name:
                raise OutputError(f"{target}: {other} and {name} need two files")

    @property
    def targets(self) -> dict[str, str | PathLike[str]]:
        """The files that were named, in the turn in which they are put into place."""
        paths = {name: getattr(self, name) for name in TURNS}
        return {name: target for name, target in paths.items() if target is not None}

    def check_against(self, origins: Sequence[Source], read: Collection[Any] = ()) -> None:
        """Nothing that was read may be replaced: no table, and no file such as a recipe or a study."""
        files = {os.path.realpath(each) for each in read if isinstance(each, (str, PathLike))}
        for target in self.targets.values():
            if any(origin.holds(target) for origin in origins):
                raise OutputError(f"{target}: belongs to the data that is read; name another file")
            if os.path.realpath(target) in files:
                raise OutputError(f"{target}: is read for this; name another file")

    def deliver(self, goods: Goods) -> WrittenFiles:
        """Write and check everything first, then put it into place; a failure leaves all as it was."""
        targets = {
            name: Target(Path(target), name in FOR_THE_OWNER)
            for name, target in self.targets.items()
            if name == "diary" or self._part(goods, name) is not None
        }
        with whole_files(tuple(targets.values())) as drafts:
            files = dict(zip(targets, drafts, strict=True))
            records = self._write_parts(goods, targets, files)
            # not of secret files: a digest lets others confirm what they guess
            digests = {name: file_digest(files[name]) for name in records if name not in PRIVATE}
            if "diary" in files:
                self._write_diary(files["diary"], goods.told, records, digests)
        return WrittenFiles(records, digests)

    def _part(self, goods: Goods, name: str) -> Any:
        if name == "truth":
            return goods.numbers if goods.truth is None else goods.truth
        return getattr(goods, {"out": "release", "people_out": "people"}.get(name, name))

    def _write_parts(
        self, goods: Goods, targets: Mapping[str, Target], drafts: Mapping[str, Path]
    ) -> dict[str, int]:
        records: dict[str, int] = {}
        tables: dict[str, pyarrow.Table] = {}
        if "out" in drafts:
            release = self._row_order(goods.release)
            tables["out"] = goods.release.take(release)
        if goods.people is not None and "people_out" in drafts:
            tables["people_out"] = self.arrange(goods.people)
        if goods.secret is not None and "secret" in drafts:
            tables["secret"] = secret_list(tables["out"], goods.secret[release.to_numpy()])
        for name, table in tables.items():
            target = targets[name].path
            origin, changed = goods.origin_of(name)
            records[name] = write_release_file(target, drafts[name], table, origin, goods.uuids, changed)
            self._check(target, drafts[name], table, goods.check if name == "out" else None)
        if "truth" in drafts:  # which belongs to a release
            records["truth"] = write_truth(drafts["truth"], *goods.truth_by(release))
        return records

    def arrange(self, table: pyarrow.Table) -> pyarrow.Table:
        """As whoever gets it may see it: nothing but its rows, in the order in which they are written."""
        return plain_table(table.take(self._row_order(table)))

    def _row_order(self, table: pyarrow.Table) -> pyarrow.Array:
        return pyarrow.array(arrangement(table, self.order, self.seed))

    def _check(
        self,
        target: Path,
        draft: Path,
        table: pyarrow.Table,
        check: Callable[[Path, Kind], None] | None,
    ) -> None:
        kind = KIND_BY_ENDING[target.suffix.lower()]
        try:
            check_draft(draft, kind, table, self.threads)
            if check is not None:
                check(draft, kind)
        except OutputError as error:
            raise OutputError(f"{target}: {error}; nothing was written") from error

    def _write_diary(
        self, draft: Path, told: Mapping[str, Any], records: Mapping[str, int], digests: Mapping[str, str]
    ) -> None:
        outputs = [
            {"part": name, "file": str(target), "records": records[name], "sha256": digests.get(name)}
            for name, target in self.targets.items()
            if name in records
        ]
        text = json.dumps({**told, "outputs": outputs}, ensure_ascii=False, indent=2, allow_nan=False)
        # half a character, as in the name of a file, becomes what JSON writes for it
        draft.write_bytes(f"{text}\n".encode("utf-8", "backslashreplace"))


def _checks(part: str) -> Callable[[str | PathLike[str]], None]:
    if part in RELEASED:
        return check_release_target
    return check_table_target if part == "secret" else check_writable


def secret_list(release: pyarrow.Table, listed: Mask) -> pyarrow.Table:
    """Some records of a release as it is written, each with its number there.

    >>> secret_list(pyarrow.table({"goods": ["tea", "milk"]}), numpy.array([False, True])).to_pylist()
    [{'record': 2, 'goods': 'milk'}]
    """
    name, taken = RECORD, {each.casefold() for each in release.column_names}
    while name in taken:
        name += "_"
    rows = numpy.flatnonzero(listed)
    return release.take(pyarrow.array(rows)).add_column(0, name, pyarrow.array(rows + 1))


def write_truth(draft: Path, release: pyarrow.Array, original: pyarrow.Array) -> int:
    """Who is who, by the names in the release; who has no name there can't be listed."""
    people = zip(release.to_pylist(), original.to_pylist(), strict=True)
    rows = sorted((name, was or "") for name, was in people if name is not None)
    with draft.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(HEADINGS)
        writer.writerows(rows)
    return len(rows)


def check_draft(draft: Path, kind: Kind, table: pyarrow.Table, threads: int = 1) -> None:
    """A file as anybody will read it: the same columns, the same records, row by row."""
    names = tuple(table.column_names)
    found = reread(draft, kind, names, names, threads)
    if len(found[0].codes) != table.num_rows:
        many = f"{len(found[0].codes):,} records and not {table.num_rows:,}"
        raise OutputError(f"is read back with {many}")
    for name, codes in zip(names, found, strict=True):
        if not _is_same_column(table[name], codes, kind):
            fault = f"column {name!r} is read back otherwise than it was written"
            raise OutputError(f"{fault}; write .parquet or .csv")


def _is_same_column(column: pyarrow.ChunkedArray, read_back: Codes, kind: Kind) -> bool:
    """Equal values are read as equal, and different ones as different, but for what a file can't tell apart.

    In most files a missing value is an empty text; 0.0 and −0.0 are one number.
    """
    plain = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
    column = column.cast(plain)
    if kind in NO_EMPTY_TEXT and plain in (pyarrow.string(), pyarrow.large_string()):
        column = column.fill_null("")
    pieces = Pieces()
    for (piece,) in encoded_pieces(pyarrow.table({"value": column}).to_batches(), 1):
        pieces.add(piece)
    codes, values = pieces.join(in_order=False)
    known = Codes(codes, len(values))
    return determines(known, read_back) and (pyarrow.types.is_floating(plain) or determines(read_back, known))
