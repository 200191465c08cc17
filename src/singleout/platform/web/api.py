"""The JSON API: what pages do, for scripts with a token; results as CSV, Parquet and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import SEEK_END
from tempfile import TemporaryFile
from typing import IO, Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from singleout.errors import UsageError
from singleout.platform import access
from singleout.platform.board import board_of
from singleout.platform.contest import read_contest
from singleout.platform.kit import write_kit
from singleout.platform.refusal import RefusalError
from singleout.platform.scorer import table_ending
from singleout.platform.store import submissions, teams
from singleout.platform.store.audit import record
from singleout.platform.store.contests import all_contests, current_data
from singleout.platform.store.files import PIECE, StoredFile
from singleout.platform.store.queue import all_workers
from singleout.platform.store.quota import quota_left
from singleout.platform.store.results import result_rows
from singleout.platform.store.schema import ContestRow, DataFileRow, SubmissionRow
from singleout.platform.web.answers import (
    AccountAnswer,
    BoardAnswer,
    ContestAnswer,
    ContestDetails,
    JoinWish,
    RefusalAnswer,
    StateWish,
    SubmissionAnswer,
    SubmissionDetails,
    TeamAnswer,
    TeamWish,
    WorkerAnswer,
    board_answer,
    contest_answer,
    contest_details,
    submission_answer,
    submission_details,
    team_answer,
)
from singleout.platform.web.contest_archive import write_archive
from singleout.platform.web.requests import (
    Asker,
    AskerHere,
    Platform,
    PlatformHere,
    ScriptHere,
    definition_in,
    incoming_form,
    kept_files,
    managed_contest,
    script_of,
    visible_contest,
)
from singleout.platform.web.table_export import MEDIA_TYPES, ExportFormat, exported
from singleout.platform.web.upload_form import RELEASE_FORM, take_upload
from singleout.temporary_files import temporary_folder

ContestName = Annotated[str, Path(max_length=100)]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
ResultName = Literal["submissions", "metric_values", "ranks", "guesses", "attack_scores", "exposures"]
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": RefusalAnswer} for status in (400, 401, 403, 404, 409, 413, 429)
}
DATA_PARTS = ("original", "people", "example")

router = APIRouter(prefix="/api", responses=REFUSALS)


def form_fields(**described: str) -> dict[str, Any]:
    """What OpenAPI says of a route that reads its form itself, after it knows who asks."""
    fields = {
        name: {"type": "string", "format": "binary", "description": text} if text.startswith("file: ")
        else {"type": "string", "description": text}
        for name, text in described.items()
    }  # fmt: skip
    schema = {"type": "object", "properties": fields, "required": [next(iter(described))]}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}


@router.get("/account")
def account(asker: AskerHere) -> AccountAnswer:
    """Whose token this is."""
    row = asker.signed_in()
    return AccountAnswer(name=row.name, role=row.role)


@router.get("/contests")
def list_contests(platform: PlatformHere, asker: AskerHere) -> list[ContestAnswer]:
    with platform.database.reading() as session:
        rows = [row for row in all_contests(session) if access.may_see(asker.account, row)]
        return [contest_answer(session, row) for row in rows]


@router.post("/contests", status_code=201, openapi_extra=form_fields(
    definition="the contest as TOML, written or as a file", original="file: the table to be de-identified",
    people="file: one record a person, where there is such a table", example="file: a release as an example",
))  # fmt: skip
async def create_contest(request: Request, platform: PlatformHere) -> ContestAnswer:
    """Make a contest; it is a draft until its state is `open`."""
    asker = await run_in_threadpool(script_of, request)
    platform.rates.check("upload", str(asker.signed_in().id))
    access.check(access.may_organise(asker.account), asker.account)
    async with kept_files(platform) as kept:
        async with incoming_form(request) as form:
            data = {part: await kept.keep(form, part) for part in DATA_PARTS}
            definition = await definition_in(form, "definition")
        return await run_in_threadpool(_create, platform, asker, definition, data)


def _create(
    platform: Platform, asker: Asker, definition: str, data: dict[str, StoredFile | None]
) -> ContestAnswer:
    try:
        contest = read_contest(definition)
    except UsageError as fault:
        raise RefusalError("bad_contest", str(fault)) from fault
    given = {part: file for part, file in data.items() if file is not None}
    with platform.database.writing() as session:
        return contest_answer(session, submissions.make_contest(session, asker.signed_in(), contest, given))


@router.get("/contests/{name}")
def show_contest(name: ContestName, platform: PlatformHere, asker: AskerHere) -> ContestDetails:
    with platform.database.reading() as session:
        return contest_details(session, visible_contest(session, asker, name))


@router.post("/contests/{name}/state")
def set_contest_state(
    name: ContestName, wish: StateWish, platform: PlatformHere, asker: ScriptHere
) -> ContestAnswer:
    """Open a draft, or close it; the original is scored when it opens."""
    with platform.database.writing() as session:
        row = managed_contest(session, asker, name)
        submissions.change_state(session, asker.signed_in(), row, wish.state)
        return contest_answer(session, row)


@router.get("/contests/{name}/kit", response_class=StreamingResponse)
def download_kit(name: ContestName, platform: PlatformHere, asker: AskerHere) -> StreamingResponse:
    """Data, rules, checker and commands as a zip file, for those who may have the data."""
    with platform.database.reading() as session:
        row = visible_contest(session, asker, name)
        access.check(access.is_among(session, asker.account, row, row.data_for), asker.account)
        data = current_data(session, row)[1]
    return _zip(kit_of(platform, row, data), f"{row.name}-kit.zip")


def kit_of(platform: Platform, row: ContestRow, data: Mapping[str, DataFileRow]) -> IO[bytes]:
    """The kit's writer reads tables, which lie in a folder for this while; the kit is gone when closed."""
    with temporary_folder() as folder:
        paths = {part: folder / f"{part}.part" for part in ("original", "people") if part in data}
        for part, path in paths.items():
            platform.shelf.write_to(data[part].digest, path)
            with path.open("rb") as content:
                ending = table_ending(content.read(16))
            paths[part] = path.rename(path.with_suffix(ending))
        write_kit(folder / "kit.zip", read_contest(row.definition), paths["original"], paths.get("people"))
        return (folder / "kit.zip").open("rb")


@router.get("/contests/{name}/data/{part}", response_class=StreamingResponse)
def download_data(
    name: ContestName,
    part: Literal["original", "people", "example"],
    platform: PlatformHere,
    asker: AskerHere,
) -> StreamingResponse:
    with platform.database.reading() as session:
        row = visible_contest(session, asker, name)
        access.check(access.is_among(session, asker.account, row, row.data_for), asker.account)
        file = current_data(session, row)[1].get(part)
    if file is None:
        raise RefusalError("not_found", "this contest has no such data")
    return stream_file(platform, file.digest, f"{row.name}-{part}")


@router.get("/contests/{name}/team")
def show_team(name: ContestName, platform: PlatformHere, asker: AskerHere) -> TeamAnswer:
    with platform.database.reading() as session:
        return _team(session, asker, name)


def _team(session: Any, asker: Asker, name: str) -> TeamAnswer:
    account, contest = asker.signed_in(), visible_contest(session, asker, name)
    team = teams.team_of(session, contest, account)
    if team is None:
        raise RefusalError("not_in_a_team", "make or join a team of this contest first")
    members = list(teams.member_names(session, team))
    return team_answer(team.name, team.join_code, members, quota_left(session, contest, team))


@router.post("/contests/{name}/team", status_code=201)
def make_team(name: ContestName, wish: TeamWish, platform: PlatformHere, asker: ScriptHere) -> TeamAnswer:
    with platform.database.writing() as session:
        contest = visible_contest(session, asker, name)
        teams.make_team(session, contest, asker.signed_in(), wish.name)
        session.flush()
        return _team(session, asker, name)


@router.post("/contests/{name}/team/join")
def join_team(name: ContestName, wish: JoinWish, platform: PlatformHere, asker: ScriptHere) -> TeamAnswer:
    platform.rates.check("join_code", str(asker.signed_in().id))
    with platform.database.writing() as session:
        contest = visible_contest(session, asker, name)
        teams.join_team(session, contest, asker.signed_in(), wish.code)
        session.flush()
        return _team(session, asker, name)


@router.get("/contests/{name}/submissions")
def list_submissions(name: ContestName, platform: PlatformHere, asker: AskerHere) -> list[SubmissionAnswer]:
    """One's own team's; all of them for who manages the contest."""
    with platform.database.reading() as session:
        account, contest = asker.signed_in(), visible_contest(session, asker, name)
        team = teams.team_of(session, contest, account)
        rows = [] if team is None else submissions.submissions_of_team(session, team)
        if access.may_manage(account, contest):
            rows = [row for row, _ in submissions.submissions_of_contest(session, contest)]
        return [submission_answer(row, own=team is not None and row.team_id == team.id) for row in rows]


@router.post("/contests/{name}/submissions", status_code=201, openapi_extra=form_fields(
    release="file: CSV or Parquet", truth="file: who is who, if the contest wants it",
    recipe="file: the steps that made it, if the contest publishes these",
    people="file: the table of people that goes with it, if the contest has one", comment="for yourselves",
))  # fmt: skip
async def submit(name: ContestName, request: Request, platform: PlatformHere) -> SubmissionAnswer:
    """Hand in a release. Who asks, and whether they may, is known before the file is read."""
    asker = await run_in_threadpool(script_of, request)
    return submission_answer(await take_upload(request, platform, asker, name, RELEASE_FORM, {}), own=True)


def _own(session: Any, asker: Asker, name: str, number: int) -> tuple[Any, SubmissionRow]:
    """A submission that is not the asker's is not there."""
    contest = visible_contest(session, asker, name)
    asker.signed_in()
    row = submissions.submission_by_id(session, contest, number)
    if not access.may_see_submission(session, asker.account, contest, row):
        raise RefusalError("not_found", "there is no such submission")
    return contest, row


@router.get("/contests/{name}/submissions/{number}")
def show_submission(
    name: ContestName, number: Number, platform: PlatformHere, asker: AskerHere
) -> SubmissionDetails:
    """Its state, its place in the queue, what is wrong with it, and its values."""
    with platform.database.reading() as session:
        contest, row = _own(session, asker, name, number)
        own = access.is_own(session, asker.account, contest, row)
        return submission_details(session, contest, row, own=own)


@router.get("/contests/{name}/submissions/{number}/release", response_class=StreamingResponse)
def download_release(
    name: ContestName, number: Number, platform: PlatformHere, asker: AskerHere
) -> StreamingResponse:
    with platform.database.reading() as session:
        _, row = _own(session, asker, name, number)
    return stream_file(platform, row.file_digest, f"{name}-{number}")


@router.post("/contests/{name}/submissions/{number}/pin")
def pin_submission(
    name: ContestName, number: Number, platform: PlatformHere, asker: ScriptHere, pinned: bool = True
) -> SubmissionAnswer:
    """Count this one instead of the latest; only its own team decides that."""
    with platform.database.writing() as session:
        contest, row = _own(session, asker, name, number)
        access.check(access.is_own(session, asker.account, contest, row), asker.account)
        submissions.pin(session, asker.signed_in(), row, pinned)
        return submission_answer(row, own=True)


@router.post("/contests/{name}/submissions/{number}/run-again")
def run_submission_again(
    name: ContestName, number: Number, platform: PlatformHere, asker: ScriptHere
) -> SubmissionAnswer:
    with platform.database.writing() as session:
        contest = managed_contest(session, asker, name)
        row = submissions.submission_by_id(session, contest, number)
        submissions.run_again(session, asker.signed_in(), row)
        return submission_answer(row, own=access.is_own(session, asker.account, contest, row))


@router.get("/contests/{name}/board")
def show_board(name: ContestName, platform: PlatformHere, asker: AskerHere) -> BoardAnswer:
    with platform.database.reading() as session:
        row = visible_contest(session, asker, name)
        access.check(access.is_among(session, asker.account, row, row.board_for), asker.account)
        with_values = access.is_among(session, asker.account, row, row.values_for)
        return board_answer(board_of(session, row), with_values=with_values)


@router.get("/contests/{name}/results/{table}", response_class=Response)
def download_results(
    name: ContestName, table: ResultName, platform: PlatformHere, asker: AskerHere,
    form: Annotated[ExportFormat, Query(alias="format")] = "json",
) -> Response:  # fmt: skip
    """A view as a file: everybody's rows for those who may see the values, or else one's own team's."""
    with platform.database.reading() as session:
        row = visible_contest(session, asker, name)
        team = None
        if not access.may_see_results(session, asker.account, row, table):
            team = None if asker.account is None else teams.team_of(session, row, asker.account)
            access.check(team is not None and table not in access.NOBODYS_OWN, asker.account)
        content = exported(result_rows(session, table, row, team), form)
    return _attachment(content, MEDIA_TYPES[form], f"{row.name}-{table}.{form}")


@router.get("/contests/{name}/archive", response_class=StreamingResponse)
def download_archive(name: ContestName, platform: PlatformHere, asker: AskerHere) -> StreamingResponse:
    """Everything of a contest as a zip file, for who manages it."""
    with platform.database.writing() as session:
        row = managed_contest(session, asker, name)
        record(session, asker.signed_in(), "export everything", row.name)
    # without a name, so that nothing is left of it however this ends; who sends it closes it
    file = TemporaryFile()  # noqa: SIM115
    with platform.database.reading() as session:
        write_archive(file, session, row, platform.shelf)
    return _zip(file, f"{row.name}-archive.zip")


@router.get("/workers")
def list_workers(platform: PlatformHere, asker: AskerHere) -> list[WorkerAnswer]:
    """Their last signs of life, for admins."""
    access.check(access.is_admin(asker.account), asker.account)
    with platform.database.reading() as session:
        return [
            WorkerAnswer(
                name=row.name,
                started_at=row.started_at,
                last_sign_of_life=row.last_sign_at,
                sandbox=row.sandbox,
            )
            for row in all_workers(session)
        ]


def _attachment(content: bytes, media_type: str, file_name: str) -> Response:
    """Names are ours: contests' names are letters, digits and hyphens."""
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return Response(content, media_type=media_type, headers=headers)


def _zip(file: IO[bytes], file_name: str) -> StreamingResponse:
    """Sent piece by piece and closed: it may be larger than the memory."""
    headers = {
        "Content-Disposition": f'attachment; filename="{file_name}"',
        "Content-Length": str(file.seek(0, SEEK_END)),
    }
    file.seek(0)
    return StreamingResponse(_pieces(file), media_type="application/zip", headers=headers)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece


def stream_file(platform: Platform, digest: str, file_name: str) -> StreamingResponse:
    pieces: Iterator[bytes] = platform.shelf.pieces(digest)
    first = next(pieces, b"")
    ending = "parquet" if first.startswith(b"PAR1") else "csv"
    headers = {"Content-Disposition": f'attachment; filename="{file_name}.{ending}"'}
    return StreamingResponse(_after(first, pieces), media_type="application/octet-stream", headers=headers)


def _after(first: bytes, others: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from others
