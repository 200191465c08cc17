"""When, from what and by which command a page was made, so that a print can be tied to its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.policy.verdict.digest import Digest
from singleout.report.wording import table_name
from singleout.version import VERSION


def provenance(inputs: Sequence[Digest], date: str, command: str | None) -> Iterator[tuple[str, str]]:
    """(term, meaning), for the foot of the first page."""
    yield "Date", date
    yield "Made by", f"singleout {VERSION}"
    if command:
        yield "Command", command
    for digest in inputs:
        yield f"SHA-256 of the {digest.what}", _digest_words(digest)


def _digest_words(digest: Digest) -> str:
    if digest.sha256 is None:
        return f"none: {digest.reason}"
    of = f"{digest.files} files of " if digest.files > 1 else ""
    return f"{digest.sha256} ({of}{table_name(digest.name)}, {digest.bytes or 0:,} bytes)"
