"""The API of the attack phase: published releases, guesses, and the matrix of who recognised whom."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from singleout.platform import access
from singleout.platform.attack_matrix import matrix_of
from singleout.platform.refusal import RefusalError
from singleout.platform.store.contests import is_scored
from singleout.platform.store.publications import published_release
from singleout.platform.store.schema import SubmissionRow
from singleout.platform.web.answers import (
    LooksAnswer,
    MatrixAnswer,
    MatrixLine,
    SubmissionAnswer,
    submission_answer,
)
from singleout.platform.web.api import (
    REFUSALS,
    ContestName,
    Number,
    form_fields,
    stream_file,
)
from singleout.platform.web.attack_pages import looks_answer
from singleout.platform.web.requests import AskerHere, PlatformHere, script_of, visible_contest
from singleout.platform.web.upload_form import GUESS_FORM, take_upload

router = APIRouter(prefix="/api", responses=REFUSALS)


@router.get("/contests/{name}/published")
def list_published(name: ContestName, platform: PlatformHere, asker: AskerHere) -> LooksAnswer:
    """The releases of the other teams, shuffled and under fresh names, for participants."""
    with platform.database.reading() as session:
        contest = visible_contest(session, asker, name)
        access.check(access.is_among(session, asker.account, contest, "participants"), asker.account)
        return looks_answer(session, asker, contest)


@router.get("/contests/{name}/published/{number}/release", response_class=StreamingResponse)
def download_published(
    name: ContestName, number: Number, platform: PlatformHere, asker: AskerHere
) -> StreamingResponse:
    with platform.database.reading() as session:
        contest = visible_contest(session, asker, name)
        access.check(access.is_among(session, asker.account, contest, "participants"), asker.account)
        row, _ = published_release(session, contest, number)
    assert row.file_digest is not None
    return stream_file(platform, row.file_digest, f"{name}-published-{number}")


@router.get("/contests/{name}/published/{number}/recipe", response_class=Response)
def download_recipe(name: ContestName, number: Number, platform: PlatformHere, asker: AskerHere) -> Response:
    """The steps that made a release, where the contest publishes them."""
    with platform.database.reading() as session:
        contest = visible_contest(session, asker, name)
        access.check(access.is_among(session, asker.account, contest, "participants"), asker.account)
        row, _ = published_release(session, contest, number)
        digest = session.get_one(SubmissionRow, row.submission_id).recipe_digest
    if digest is None:
        raise RefusalError("not_found", "this release was published without a recipe")
    headers = {"Content-Disposition": f'attachment; filename="{name}-recipe-{number}.toml"'}
    return Response(b"".join(platform.shelf.pieces(digest)), media_type="application/toml", headers=headers)


@router.post("/contests/{name}/guesses", status_code=201, openapi_extra=form_fields(
    guesses="file: CSV or Parquet with release_user, original_user and, if you like, confidence",
    target="the number of the release", comment="for yourselves",
))  # fmt: skip
async def submit_guesses(name: ContestName, request: Request, platform: PlatformHere) -> SubmissionAnswer:
    """Say who is who in a published release; it costs a look. Follow it as a submission."""
    asker = await run_in_threadpool(script_of, request)
    return submission_answer(await take_upload(request, platform, asker, name, GUESS_FORM, {}), own=True)


@router.get("/contests/{name}/matrix")
def show_matrix(name: ContestName, platform: PlatformHere, asker: AskerHere) -> MatrixAnswer:
    """Who recognised how many of whose people, when the attack is over."""
    with platform.database.reading() as session:
        contest = visible_contest(session, asker, name)
        access.check(access.may_see_matrix(session, asker.account, contest), asker.account)
        matrix, final = matrix_of(session, contest), is_scored(session, contest)
    return MatrixAnswer(
        final=final,
        releases={each.number: each.team for each in matrix.releases},
        lines=[
            MatrixLine(
                attacker=each.name, house=each.house, mean=each.mean,
                rates={number: rate for (name, number), rate in matrix.rates.items() if name == each.name},
            )
            for each in matrix.attackers
        ],
    )  # fmt: skip
