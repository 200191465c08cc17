"""Uploaded metrics for scripts: hand one in, see its trial and its values, adopt or approve it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from singleout.errors import UsageError
from singleout.platform import access
from singleout.platform.refusal import RefusalError
from singleout.platform.store import metrics
from singleout.platform.store.metrics import ListedMetric
from singleout.platform.store.schema import ContestRow, MetricRunRow, MetricVersionRow
from singleout.platform.store.teams import team_of
from singleout.platform.uploaded_metric import MOST_BYTES
from singleout.platform.web.api import REFUSALS, ContestName, Number
from singleout.platform.web.requests import (
    Asker,
    AskerHere,
    Platform,
    PlatformHere,
    ScriptHere,
    incoming_form,
    managed_contest,
    script_of,
    visible_contest,
)

router = APIRouter(prefix="/api", responses=REFUSALS)
MetricNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]
FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {"metric": {"type": "string", "format": "binary"}},
                    "required": ["metric"],
                }
            }
        },
    }
}


class MetricVersionAnswer(BaseModel):
    """A version of an uploaded metric; `state` is unapproved, waiting, accepted or refused."""

    number: int
    name: str
    title: str
    team: str | None = Field(description="null if it is the organiser's")
    version: str = Field(description="the digest of its text")
    language: str
    family: str
    better: str
    secret: bool
    state: str
    adopted: bool = Field(description="whether the contest ranks by this version")
    uploaded_at: datetime


class MetricValueAnswer(BaseModel):
    """Its value of a submission; null has a reason."""

    submission: int
    value: float | None
    reason: str | None


class MetricVersionDetails(MetricVersionAnswer):
    text: str
    trial_value: float | None = Field(description="on the example of the contest")
    trial_reason: str | None
    log: str = Field(description="what the trial printed, for who uploaded it")
    values: list[MetricValueAnswer]


def metric_answer(listed: ListedMetric) -> MetricVersionAnswer:
    version = listed.version
    return MetricVersionAnswer(
        number=version.id, name=listed.name, title=listed.title, team=listed.team, version=version.digest,
        language=version.language, family=version.family, better=version.better, secret=version.secret,
        state=version.state, adopted=listed.adopted, uploaded_at=version.created_at,
    )  # fmt: skip


def seen_metrics(session: Session, asker: Asker, contest: ContestRow) -> list[ListedMetric]:
    """All for who manages the contest; one's own team's, and what the contest ranks by, for others."""
    team = None if asker.account is None else team_of(session, contest, asker.account)
    return metrics.listed_metrics(
        session, contest, team=team, every=access.may_manage(asker.account, contest)
    )


def seen_metric(session: Session, asker: Asker, contest: ContestRow, number: int) -> ListedMetric:
    """One that is not the asker's to see is not there."""
    found = next((each for each in seen_metrics(session, asker, contest) if each.version.id == number), None)
    if found is None:
        raise RefusalError("not_found", "there is no such metric")
    return found


def seen_runs(
    session: Session, asker: Asker, contest: ContestRow, version: MetricVersionRow
) -> tuple[bool, Sequence[MetricRunRow]]:
    """Whether the asker may see its log, and its runs on what the asker may see.

    For who manages the contest, and for who uploaded it unless it reads who is who.
    """
    managed = access.may_manage(asker.account, contest)
    team = None if asker.account is None else team_of(session, contest, asker.account)
    own = team is not None and metrics.team_of_metric(session, version) == team.id
    if not managed and (version.secret or not own):
        return False, ()
    return True, metrics.runs_of(session, version, team=team, every=managed)


@router.get("/contests/{name}/metrics")
def list_metrics(name: ContestName, platform: PlatformHere, asker: AskerHere) -> list[MetricVersionAnswer]:
    with platform.database.reading() as session:
        contest = visible_contest(session, asker, name)
        return [metric_answer(each) for each in seen_metrics(session, asker, contest)]


@router.post("/contests/{name}/metrics", status_code=201, openapi_extra=FORM)
async def upload_metric(name: ContestName, request: Request, platform: PlatformHere) -> MetricVersionAnswer:
    """Hand in a metric: .sql, .py or .R with its header. It runs on the example first."""
    asker = await run_in_threadpool(script_of, request)
    await run_in_threadpool(check_may_upload, platform, asker, name)
    async with incoming_form(request) as form:
        content, file_name = await metric_file(form)
    number = await run_in_threadpool(add, platform, asker, name, content, file_name)
    return await run_in_threadpool(_answer, platform, asker, name, number)


def check_may_upload(platform: Platform, asker: Asker, name: str) -> None:
    """Before the file is read."""
    account = asker.signed_in()
    platform.rates.check("upload", str(account.id))
    with platform.database.reading() as session:
        contest = visible_contest(session, asker, name)
        access.check(access.may_upload_metrics(session, account, contest), account)


async def metric_file(form: FormData) -> tuple[bytes, str]:
    file = form.get("metric")
    if not isinstance(file, UploadFile) or not file.size:
        raise RefusalError("bad_file", "send the metric as the field 'metric': a file .sql, .py or .R")
    return await file.read(MOST_BYTES + 1), file.filename or ""


def add(platform: Platform, asker: Asker, name: str, content: bytes, file_name: str) -> int:
    account = asker.signed_in()
    with platform.database.writing() as session:
        contest = visible_contest(session, asker, name)
        access.check(access.may_upload_metrics(session, account, contest), account)
        team = None if access.may_manage(account, contest) else team_of(session, contest, account)
        try:
            return metrics.add_metric(session, contest, account, team, content, file_name).id
        except UsageError as fault:
            raise RefusalError("bad_metric", str(fault)) from fault


def _answer(platform: Platform, asker: Asker, name: str, number: int) -> MetricVersionAnswer:
    with platform.database.reading() as session:
        return metric_answer(seen_metric(session, asker, visible_contest(session, asker, name), number))


@router.get("/contests/{name}/metrics/{number}")
def show_metric(
    name: ContestName, number: MetricNumber, platform: PlatformHere, asker: AskerHere
) -> MetricVersionDetails:
    """Its text, its trial and, for who may see them, its log and its values."""
    with platform.database.reading() as session:
        contest = visible_contest(session, asker, name)
        listed = seen_metric(session, asker, contest, number)
        inside, runs = seen_runs(session, asker, contest, listed.version)
    trial = listed.trial if inside else None
    values: list[dict[str, Any]] = [
        {"submission": each.submission_id, "value": each.value, "reason": each.reason}
        for each in runs
        if each.state == "done"
    ]
    return MetricVersionDetails(
        **dict(metric_answer(listed)), text=listed.version.text,
        trial_value=None if trial is None else trial.value,
        trial_reason=None if trial is None else trial.reason, log="" if trial is None else trial.log,
        values=[MetricValueAnswer(**each) for each in values],
    )  # fmt: skip


@router.post("/contests/{name}/metrics/{number}/adopt")
def adopt_metric(
    name: ContestName, number: Number, platform: PlatformHere, asker: ScriptHere, adopted: bool = True
) -> MetricVersionAnswer:
    """Rank by this version, or no longer."""
    manage(platform, asker, name, number, "adopt" if adopted else "drop")
    return _answer(platform, asker, name, number)


@router.post("/contests/{name}/metrics/{number}/approve")
def approve_metric(
    name: ContestName, number: Number, platform: PlatformHere, asker: ScriptHere
) -> MetricVersionAnswer:
    """Let this version, and no other, read who is who."""
    manage(platform, asker, name, number, "approve")
    return _answer(platform, asker, name, number)


ACTIONS = {
    "adopt": metrics.adopt, "drop": metrics.drop, "approve": metrics.approve, "run": metrics.run_again,
}  # fmt: skip


def manage(platform: Platform, asker: Asker, name: str, number: int, action: str) -> None:
    """What only who manages the contest may do with a metric."""
    with platform.database.writing() as session:
        contest = managed_contest(session, asker, name)
        version = metrics.version_by_id(session, contest, number)
        if action not in ACTIONS:
            raise RefusalError("not_found", "there is no such page")
        ACTIONS[action](session, asker.signed_in(), contest, version)
