"""What routes need of a request: the platform, who asks, and files that come in while they stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.types import Message, Receive

from singleout.errors import UsageError
from singleout.platform import access
from singleout.platform.refusal import RefusalError
from singleout.platform.settings import Settings
from singleout.platform.store.accounts import account_by_sign_in, account_by_token, note_use
from singleout.platform.store.contests import contest_by_name
from singleout.platform.store.database import Database
from singleout.platform.store.files import FileShelf, StoredFile
from singleout.platform.store.schema import AccountRow, ContestRow, FileRow
from singleout.platform.store.submissions import check_size
from singleout.platform.web.rate_limits import RateLimits
from singleout.platform.web.security import MOST_FORM_BYTES, browser_cookie

BEARER = "bearer "
MOST_FIELDS, MOST_FILES = 200, 20
MOST_DEFINITION = 200_000


@dataclass(frozen=True)
class Platform:
    """All that the routes share."""

    settings: Settings
    database: Database
    shelf: FileShelf
    rates: RateLimits


@dataclass(frozen=True)
class Asker:
    """Who asks: an account, or a visitor; a script has a token, a browser a cookie."""

    account: AccountRow | None
    by_token: bool
    address: str

    def signed_in(self) -> AccountRow:
        if self.account is None:
            raise RefusalError("not_signed_in", "sign in first")
        return self.account


def platform_of(request: Request) -> Platform:
    platform: Platform = request.app.state.platform
    return platform


def asker_of(request: Request) -> Asker:
    """By the token if there is one, or else by the browser's cookie."""
    platform = platform_of(request)
    address = request.client.host if request.client else "?"
    platform.rates.check("request", address)
    words = request.headers.get("authorization", "")
    with platform.database.reading() as session:
        if not words:
            cookie = browser_cookie(request)
            account = None if cookie.is_new else account_by_sign_in(session, cookie.secret)
        else:
            account = account_by_token(session, words[len(BEARER) :].strip()) if _is_bearer(words) else None
            if account is None:
                raise RefusalError("not_signed_in", "this token is unknown or was revoked")
    if account is not None:
        platform.rates.check("request_of_account", str(account.id))
    return Asker(account, bool(words), address)


def _is_bearer(words: str) -> bool:
    return words[: len(BEARER)].lower() == BEARER


def script_of(request: Request) -> Asker:
    """For routes of the API that change something: a cookie is not enough, for any site could misuse it."""
    asker = asker_of(request)
    if not asker.by_token:
        raise RefusalError("not_signed_in", "send a token: Authorization: Bearer …")
    with platform_of(request).database.writing() as session:
        note_use(session, request.headers["authorization"][len(BEARER) :].strip())
    return asker


PlatformHere = Annotated[Platform, Depends(platform_of)]
AskerHere = Annotated[Asker, Depends(asker_of)]
ScriptHere = Annotated[Asker, Depends(script_of)]


def visible_contest(session: Session, asker: Asker, name: str) -> ContestRow:
    """A contest that the asker may not see is not there."""
    contest = contest_by_name(session, name)
    if not access.may_see(asker.account, contest):
        raise RefusalError("not_found", "there is no such contest")
    return contest


def managed_contest(session: Session, asker: Asker, name: str) -> ContestRow:
    contest = visible_contest(session, asker, name)
    access.check(access.may_manage(asker.account, contest), asker.account)
    return contest


@asynccontextmanager
async def incoming_form(request: Request, most_bytes: int | None = None) -> AsyncIterator[FormData]:
    """Files go to disk while they come in; the server's limit ends them, or the contest's for each file."""
    if most_bytes is not None:
        request = Request(request.scope, _counted(request.receive, most_bytes))
    async with request.form(max_files=MOST_FILES, max_fields=MOST_FIELDS) as form:
        yield form


def _counted(receive: Receive, most_bytes: int) -> Receive:
    """Ends a body that is larger than the files and the words of a submission may be."""
    taken, most = 0, 2 * most_bytes + MOST_FORM_BYTES

    async def receive_counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            check_size(taken, most_bytes)
        return message

    return receive_counted


@dataclass(frozen=True)
class KeptFiles:
    """What one request has put into the shelf."""

    platform: Platform
    files: list[StoredFile] = field(default_factory=list)

    async def keep(self, form: FormData, part: str, most_bytes: int | None = None) -> StoredFile | None:
        """The file of a field, put into the shelf; None if it was left empty."""
        file = form.get(part)
        if not isinstance(file, UploadFile) or (not file.filename and not file.size):
            return None
        if not file.size:
            raise RefusalError("bad_file", "the file is empty")
        if most_bytes is not None:
            check_size(file.size, most_bytes)
        put = self.platform.shelf.put
        self.files.append(await run_in_threadpool(put, file.file, file.filename or "unnamed"))
        return self.files[-1]

    def take_away(self) -> None:
        with self.platform.database.reading() as session:
            for file in self.files:
                if session.get(FileRow, file.digest) is None:
                    self.platform.shelf.take_away(file)


@asynccontextmanager
async def kept_files(platform: Platform) -> AsyncIterator[KeptFiles]:
    """Files stay unless what they are for was refused; after other faults nobody knows, and they stay."""
    kept = KeptFiles(platform)
    try:
        yield kept
    except (RefusalError, UsageError):
        await run_in_threadpool(kept.take_away)
        raise


def whole_number(text: str) -> int | None:
    """A number that somebody wrote, or None: no line of a thousand digits is worth reading.

    >>> whole_number("12"), whole_number("-1"), whole_number("9" * 5000)
    (12, None, None)
    """
    return int(text) if text.isdecimal() and len(text) < 10 else None


def text_field(form: FormData, field: str) -> str:
    value = form.get(field, "")
    return value if isinstance(value, str) else ""


async def definition_in(form: FormData, file_field: str) -> str:
    """The definition of a contest, as a file or as text."""
    file = form.get(file_field)
    if isinstance(file, UploadFile) and file.size:
        return (await file.read(MOST_DEFINITION)).decode("utf-8", "replace")
    return text_field(form, "definition")
