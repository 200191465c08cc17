"""Writes statistics to files that `predict` can start from, without the table they come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.errors import OutputError, UsageError
from singleout.files import check_writable, files_together, real_path, write_text
from singleout.read.source import source
from singleout.risk.predict.avfm_files import ENDINGS, avfm_text, knowledge_text, pairs_text
from singleout.risk.predict.statistics_files import KnownTuple
from singleout.risk.predict.table_statistics import Statistics

FilePath = str | PathLike[str]


@dataclass(frozen=True)
class Targets:
    """Where to write what; `show_values` writes the values themselves, and not only their ranks."""

    avfm: FilePath | None = None
    pairs: FilePath | None = None
    knowledge: FilePath | None = None
    show_values: bool = False

    @property
    def named(self) -> tuple[FilePath, ...]:
        return tuple(each for each in (self.avfm, self.pairs, self.knowledge) if each is not None)

    def check(self, tables: Iterable[Any], files: Iterable[FilePath | None]) -> None:
        """Everything that can be wrong with the targets, before the work."""
        origins = [source(each) for each in tables if each is not None] if self.named else []
        read = {real_path(each) for each in files if each is not None}
        for target in self.named:
            if _file_ending(target) not in ENDINGS:
                raise OutputError(f"{target}: end the name in {' or '.join(ENDINGS)}")
            if real_path(target) in read or any(origin.holds(target) for origin in origins):
                raise OutputError(f"{target}: belongs to what is read; name another file")
            check_writable(target)
        if self.knowledge is not None and not self.show_values:
            raise UsageError(
                "knowledge is of use to others by its values only; add --show-values to write it"
            )
        if len({real_path(target) for target in self.named}) < len(self.named):
            raise UsageError("two of the files to write have the same name; name each differently")

    def write(self, known: Statistics, frequent: Sequence[KnownTuple]) -> None:
        if self.pairs is not None and not known.pairs:
            raise UsageError("there are no pairs to write; one column has none, and --avfm needs --pairs")
        texts = []
        if self.avfm is not None:
            texts.append((self.avfm, avfm_text(known.avfm, _file_ending(self.avfm), self.show_values)))
        if self.pairs is not None:
            text = pairs_text(known.avfm, known.pairs, _file_ending(self.pairs), self.show_values)
            texts.append((self.pairs, text))
        if self.knowledge is not None:
            texts.append((self.knowledge, knowledge_text(frequent, _file_ending(self.knowledge))))
        with files_together(self.named):
            for target, text in texts:
                write_text(target, text)


def _file_ending(target: FilePath) -> str:
    return Path(target).suffix.lower()
