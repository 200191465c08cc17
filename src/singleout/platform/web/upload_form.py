"""Files that are sent to a contest, by a page or by a script: who may is asked before they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from singleout.platform.refusal import RefusalError
from singleout.platform.store.files import StoredFile
from singleout.platform.store.guesses import check_may_guess, receive_guesses
from singleout.platform.store.schema import AccountRow, ContestRow, SubmissionRow
from singleout.platform.store.submissions import check_may_submit, receive
from singleout.platform.web.requests import (
    Asker,
    Platform,
    incoming_form,
    kept_files,
    text_field,
    visible_contest,
    whole_number,
)
from singleout.platform.web.security import check_form_key
from singleout.platform.web.visit import Visit

Files = Mapping[str, StoredFile | None]
Texts = Mapping[str, str]


@dataclass(frozen=True)
class UploadForm:
    """Its fields, who may send it, and what becomes of what was sent."""

    files: tuple[str, ...]
    texts: tuple[str, ...]
    check: Callable[[Session, ContestRow, AccountRow], Any]
    receive: Callable[[Session, ContestRow, AccountRow, Files, Texts], SubmissionRow]


def _receive_release(
    session: Session, contest: ContestRow, account: AccountRow, files: Files, texts: Texts
) -> SubmissionRow:
    release = files["release"]
    if release is None:
        raise RefusalError("bad_file", "choose a file, the field 'release' of a multipart form")
    return receive(
        session, contest, account, release, truth=files["truth"], recipe=files["recipe"],
        people=files["people"], comment=texts["comment"],
    )  # fmt: skip


def _receive_guesses(
    session: Session, contest: ContestRow, account: AccountRow, files: Files, texts: Texts
) -> SubmissionRow:
    file, target = files["guesses"], whole_number(texts["target"])
    if file is None or target is None:
        raise RefusalError("bad_file", "choose a release and a file: the fields 'target' and 'guesses'")
    return receive_guesses(session, contest, account, file, target, comment=texts["comment"])


RELEASE_FORM = UploadForm(
    ("release", "truth", "recipe", "people"), ("comment",), check_may_submit, _receive_release
)
GUESS_FORM = UploadForm(("guesses",), ("target", "comment"), check_may_guess, _receive_guesses)


async def answer_upload(
    request: Request, visit: Visit, name: str, upload: UploadForm,
    page: Callable[[Visit, str, RefusalError, Texts], Response],
) -> Response:  # fmt: skip
    """Of a browser: on to what was sent, or the page again with what was wrong and the texts so far."""
    texts: dict[str, str] = {}
    try:
        row = await take_upload(request, visit.platform, visit.asker, name, upload, texts, keyed=True)
    except RefusalError as error:
        if error.status in (401, 404):
            raise
        return await run_in_threadpool(page, visit, name, error, texts)
    return visit.go_to(f"/contests/{name}/submissions/{row.id}")


async def take_upload(
    request: Request, platform: Platform, asker: Asker, name: str, upload: UploadForm, texts: dict[str, str],
    *, keyed: bool = False,
) -> SubmissionRow:  # fmt: skip
    """The submission that was sent; `texts` are filled as soon as they are read."""
    most = await run_in_threadpool(_check, platform, asker, name, upload)
    async with kept_files(platform) as kept:
        async with incoming_form(request, most) as form:
            if keyed:
                check_form_key(request, form)
            texts |= {field: text_field(form, field) for field in upload.texts}
            files = {field: await kept.keep(form, field, most) for field in upload.files}
        return await run_in_threadpool(_receive, platform, asker, name, upload, files, texts)


def _check(platform: Platform, asker: Asker, name: str, upload: UploadForm) -> int:
    """How large a file may be."""
    account = asker.signed_in()
    platform.rates.check("upload", str(account.id))
    with platform.database.reading() as session:
        contest = visible_contest(session, asker, name)
        upload.check(session, contest, account)
        return contest.most_bytes


def _receive(
    platform: Platform, asker: Asker, name: str, upload: UploadForm, files: Files, texts: Texts
) -> SubmissionRow:
    with platform.database.writing() as session:
        contest = visible_contest(session, asker, name)
        return upload.receive(session, contest, asker.signed_in(), files, texts)
