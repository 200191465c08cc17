"""Files under the digest of their content: written once, never changed, found by nobody's file name."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError
from obstore.store import LocalStore
from sqlalchemy.orm import Session

from singleout.errors import InputError, printable_text
from singleout.platform.refusal import RefusalError
from singleout.platform.store.database import moment
from singleout.platform.store.schema import FileRow

PIECE = 1 << 20
LONGEST_FILE_NAME = 200
FILES_FOLDER = "files"
# nobody runs these files, so the bit is free
SENT_TWICE = stat.S_IXUSR


@dataclass(frozen=True)
class StoredFile:
    """What is in the shelf; `name` is what its owner calls it, to be shown only.

    `made` says that the same content was not there before.
    """

    digest: str
    size: int
    name: str
    made: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class FileShelf:
    """A folder of files; another kind of store of obstore's would do as well."""

    store: LocalStore

    @property
    def folder(self) -> Path:
        return Path(str(self.store.prefix))

    def put(self, content: IO[bytes], name: str) -> StoredFile:
        """Reads a file from its start and keeps it; the same content is kept once."""
        digest, size = content_digest(content)
        content.seek(0)
        try:
            made = self._create(digest, content)
            self._settle(digest)
        except (BaseError, OSError) as error:
            raise RefusalError("not_stored", "the file can't be stored now; try again later") from error
        return StoredFile(digest, size, shown_name(name), made)

    def _create(self, digest: str, content: IO[bytes]) -> bool:
        """Whether it was not there. A file that was sent twice is marked: its maker may not take it away."""
        try:
            obstore.put(self.store, _key(digest), content, mode="create", use_multipart=False)
        except AlreadyExistsError:
            path = self._path(digest)
            path.chmod(path.stat().st_mode | SENT_TWICE)
            return False
        return True

    def take_away(self, file: StoredFile) -> None:
        """A file that no row names, by whoever put it there, unless somebody sent the same since."""
        path, aside = self._path(file.digest), self._aside(file.digest)
        if not file.made:
            return
        with suppress(FileNotFoundError):
            path.rename(aside)  # whoever comes now puts it there anew
            if aside.stat().st_mode & SENT_TWICE:
                aside.rename(path)
            else:
                aside.unlink()

    def _path(self, digest: str) -> Path:
        return self.folder / _key(digest)

    def _aside(self, digest: str) -> Path:
        return self._path(digest).with_name(f"{digest}.aside")

    def _put_back(self, digest: str) -> None:
        """What somebody was killed with in hand who looked whether it was sent twice."""
        with suppress(FileNotFoundError):
            if not self._path(digest).exists():
                self._aside(digest).rename(self._path(digest))

    def _settle(self, digest: str) -> None:
        """On the disk before anybody is told so: else a row could outlive its file when the power fails."""
        path = self._path(digest)
        for each in (path, path.parent, path.parent.parent):
            place = os.open(each, os.O_RDONLY)
            try:
                os.fsync(place)
            finally:
                os.close(place)

    def put_path(self, path: Path, name: str | None = None) -> StoredFile:
        with path.open("rb") as content:
            return self.put(content, path.name if name is None else name)

    def pieces(self, digest: str) -> Iterator[bytes]:
        self._put_back(digest)
        try:
            answer = obstore.get(self.store, _key(digest))
        except (NotFoundError, FileNotFoundError) as error:
            raise InputError(f"the file {digest[:12]}… is not where the platform keeps files") from error
        for piece in answer.stream(min_chunk_size=PIECE):
            yield bytes(piece)

    def write_to(self, digest: str, path: Path) -> None:
        """A copy, checked against its digest."""
        check = sha256()
        with path.open("xb") as copy:
            for piece in self.pieces(digest):
                check.update(piece)
                copy.write(piece)
        if check.hexdigest() != digest:
            raise InputError(f"the file {digest[:12]}… was changed after it was stored")


def open_shelf(folder: Path) -> FileShelf:
    return FileShelf(LocalStore(prefix=str(folder / FILES_FOLDER), mkdir=True))


def add_file(session: Session, file: StoredFile) -> None:
    """Its row, in the transaction that needs it."""
    if session.get(FileRow, file.digest) is None:
        session.add(FileRow(digest=file.digest, size=file.size, created_at=moment(session)))
        session.flush()


def shown_name(name: str) -> str:
    """Only the last part, without what would steer a terminal or a page.

    >>> shown_name("C:\\\\data\\\\../release.csv")
    'release.csv'
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    clean = printable_text(last.encode("utf-8", "replace").decode("utf-8"))
    return clean[-LONGEST_FILE_NAME:] or "unnamed"


def content_digest(content: IO[bytes]) -> tuple[str, int]:
    content.seek(0, os.SEEK_SET)
    digest, size = sha256(), 0
    while piece := content.read(PIECE):
        digest.update(piece)
        size += len(piece)
    return digest.hexdigest(), size


def _key(digest: str) -> str:
    if len(digest) != 64 or set(digest) - set("0123456789abcdef"):
        raise InputError("a file of the platform is named by its digest")
    return f"{digest[:2]}/{digest}"
