"""A release handed in from the command line: one call, then its status until it is scored."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal
from urllib.parse import quote, urlsplit

from singleout.checks import is_number, is_whole
from singleout.errors import InputError, UsageError, one_line, printable_text

PIECE = 1 << 16
SECONDS_TO_ANSWER = 60
SECONDS_BETWEEN_LOOKS = 1.0
ENDED = ("refused", "scored", "failed", "accepted", "unapproved")
What = Literal["submissions", "metrics"]
LONGEST_ANSWER = 16_000_000
# what each value is told with
VALUE_KEYS: dict[What, set[str]] = {
    "submissions": {"family", "metric", "value", "reason"}, "metrics": {"submission", "value", "reason"},
}  # fmt: skip


@dataclass(frozen=True)
class Server:
    """A platform's address and the token that it knows somebody by."""

    address: str
    token: str

    def __post_init__(self) -> None:
        if not _can_be_asked(self.address):
            raise UsageError("--server: write an address like https://contest.example.org")
        if not self.token.isascii() or not self.token.isprintable() or " " in self.token:
            raise UsageError("the token is none; copy it from your account's page")

    def submit(self, contest: str, files: dict[str, Path], comment: str) -> dict[str, Any]:
        """The new submission as the platform tells it; `files` are its release and what goes with it."""
        return self._send(contest, "submissions", files, {"comment": comment})

    def guess(self, contest: str, guesses: Path, target: int, comment: str) -> dict[str, Any]:
        """The same of guesses at who is who in a published release."""
        words = {"target": str(target), "comment": comment}
        return self._send(contest, "guesses", {"guesses": guesses}, words)

    def send_metric(self, contest: str, metric: Path) -> dict[str, Any]:
        """The new version of a metric as the platform tells it."""
        return self._send(contest, "metrics", {"metric": metric}, {})

    def _send(
        self, contest: str, place: str, files: dict[str, Path], words: dict[str, str]
    ) -> dict[str, Any]:
        if any(map(_is_no_text, (contest, *words.values()))):
            raise UsageError("--contest and --comment: write texts in UTF-8")
        boundary = token_hex(16)
        pieces = [*_parts(files, words, boundary)]
        size = sum(each.stat().st_size if isinstance(each, Path) else len(each) for each in pieces)
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Content-Length": str(size)}
        what: What = "metrics" if place == "metrics" else "submissions"
        return self._ask("POST", f"/api/contests/{quote(contest, safe='')}/{place}", what, headers, pieces)

    def status(self, contest: str, number: int, what: What = "submissions") -> dict[str, Any]:
        return self._ask("GET", f"/api/contests/{quote(contest, safe='')}/{what}/{number}", what)

    def follow(
        self,
        contest: str,
        number: int,
        tell: Callable[[dict[str, Any]], None],
        seconds: float,
        what: What = "submissions",
    ) -> dict[str, Any]:
        """Asks until all is done that the platform does with it, or until the time is up."""
        deadline = time.monotonic() + seconds
        while True:
            found = self.status(contest, number, what)
            tell(found)
            if found["state"] in ENDED or time.monotonic() > deadline:
                return found
            time.sleep(SECONDS_BETWEEN_LOOKS)

    def _ask(
        self,
        method: str,
        path: str,
        what: What,
        headers: dict[str, str] | None = None,
        pieces: list[bytes | Path] | None = None,
    ) -> dict[str, Any]:
        parts = urlsplit(self.address)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        assert parts.hostname is not None
        connection = kind(parts.hostname, parts.port, timeout=SECONDS_TO_ANSWER)
        try:
            given = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **(headers or {})}
            body = None if pieces is None else _content(pieces)
            connection.request(method, parts.path.rstrip("/") + path, body=body, headers=given)
            answer = connection.getresponse()
            return _told(answer.status, answer.read(LONGEST_ANSWER), what)
        except (OSError, HTTPException) as error:
            # a server that refuses a large body answers before it has read it
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise InputError(f"{self.address}: can't be reached, or closed the line ({reason})") from error
        finally:
            connection.close()


def _can_be_asked(address: str) -> bool:
    try:
        parts = urlsplit(address)
        named = (parts.hostname or "").encode("idna")
        return bool(
            parts.scheme in ("http", "https") and named and parts.username is None and parts.port != 0
            and parts.path.isascii() and parts.path.isprintable() and " " not in parts.path
        )  # fmt: skip
    except ValueError:
        return False


def _is_no_text(text: str) -> bool:
    """A terminal gives bytes that are not UTF-8 as half characters."""
    return any("\ud800" <= each <= "\udfff" for each in text)


def _told(status: int, content: bytes, what: What) -> dict[str, Any]:
    """What the platform tells of what was sent; whoever answers may be another server altogether."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if status >= 300 or not isinstance(found, dict):
        told = found.get("message") if isinstance(found, dict) else None
        raise InputError(printable_text(one_line(f"the platform says: {told or f'HTTP {status}'}")))
    if not _is_understood(found, VALUE_KEYS[what]):
        raise InputError("the answer is not understood; is there a platform of this version at --server?")
    return found


def _is_understood(found: dict[str, Any], keys: set[str]) -> bool:
    problems, values = found.get("problems", []), found.get("values", [])
    listed = isinstance(problems, list) and isinstance(values, list)
    return (
        is_whole(found.get("number"))
        and isinstance(found.get("state"), str)
        and isinstance(found.get("queue") or {}, dict)
        and listed
        and all(isinstance(each, dict) for each in problems)
        and all(isinstance(each, dict) and _is_value(each, keys) for each in values)
    )


def _is_value(told: dict[str, Any], keys: set[str]) -> bool:
    value = told.get("value")
    return keys <= told.keys() and (value is None or is_number(value))


def _parts(files: dict[str, Path], words: dict[str, str], boundary: str) -> Iterator[bytes | Path]:
    for field, path in files.items():
        name = quote(path.name, safe=" .-_()")
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'
        yield head.encode()
        yield path
        yield b"\r\n"
    for field, text in words.items():
        yield f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{text}\r\n'.encode()
    yield f"--{boundary}--\r\n".encode()


def _content(pieces: list[bytes | Path]) -> Iterator[bytes]:
    for each in pieces:
        if isinstance(each, bytes):
            yield each
            continue
        with each.open("rb") as content:
            while piece := content.read(PIECE):
                yield piece
