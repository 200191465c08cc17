"""Pages of an organiser: a contest by form, template or TOML; its submissions, phases and announcements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from singleout.errors import UsageError
from singleout.platform import access
from singleout.platform.contest import TEMPLATES, Contest, Phase, read_contest, template, with_attack_phase
from singleout.platform.refusal import RefusalError
from singleout.platform.store.contests import (
    announce,
    change_contest,
    create_contest,
    current_phase,
    move_to_phase,
    phases_of,
    set_state,
)
from singleout.platform.store.files import StoredFile
from singleout.platform.store.publications import prepare_publications, publications_of
from singleout.platform.store.submissions import (
    disqualify,
    grant,
    refund_by_hand,
    run_again,
    score_original,
    submission_by_id,
    submissions_of_contest,
)
from singleout.platform.store.teams import team_by_id, teams_of
from singleout.platform.web.contest_pages import around
from singleout.platform.web.requests import (
    incoming_form,
    keep_file,
    managed_contest,
    text_field,
    whole_number,
)
from singleout.platform.web.security import check_form_key
from singleout.platform.web.visit import FormHere, PageRoute, Visit, VisitHere

router = APIRouter(route_class=PageRoute, include_in_schema=False)
DATA_PARTS = ("original", "people")
MOST_DEFINITION, ROWS_A_PAGE = 200_000, 100
FIELDS = ("name", "title", "starts", "ends", "a_day")


@router.get("/contests/new")
def new_contest_page(visit: VisitHere) -> Response:
    access.check(access.may_organise(visit.account), visit.account)
    name = visit.request.query_params.get("template", TEMPLATES[0])
    contest = template(name if name in TEMPLATES else TEMPLATES[0])
    with_attack = visit.request.query_params.get("attack") == "1"
    contest = with_attack_phase(contest) if with_attack else contest
    values = {"name": "", "title": contest.title, "starts": "", "ends": "", "a_day": str(contest.quota.a_day)}
    return visit.page(
        "new_contest.html", templates=TEMPLATES, template=name, values=values, definition=contest.to_toml(),
        definition_open=False, with_attack=with_attack,
    )  # fmt: skip


@router.post("/contests")
async def create_form(request: Request, visit: VisitHere) -> Response:
    """Who asks is known before a file is read; a draft is what comes of it."""
    access.check(access.may_organise(visit.account), visit.account)
    visit.platform.rates.check("upload", str(visit.signed_in().id))
    async with incoming_form(request) as form:
        check_form_key(request, form)
        values = {name: text_field(form, name) for name in FIELDS}
        definition = await _definition(form)
        try:
            contest = contest_from_form(definition, values)
            data = {part: await keep_file(visit.platform, form, part) for part in DATA_PARTS}
            name = await run_in_threadpool(_create, visit, contest, data)
        except (RefusalError, UsageError) as error:
            return _new_again(visit, error, values, definition, text_field(form, "template"))
    return visit.go_to(f"/contests/{name}/manage", "new.created")


async def _definition(form: FormData) -> str:
    file = form.get("definition_file")
    if isinstance(file, UploadFile) and file.size:
        return (await file.read(MOST_DEFINITION)).decode("utf-8", "replace")
    return text_field(form, "definition")


def contest_from_form(definition: str, values: Mapping[str, str]) -> Contest:
    """The TOML text with what the fields of the form say instead."""
    contest = read_contest(definition)
    changes: dict[str, Any] = {
        each: values[each].strip() for each in ("name", "title") if values[each].strip()
    }
    if values["a_day"].strip():
        if not values["a_day"].strip().isdecimal():
            raise UsageError("contest: the submissions a day are a whole number")
        changes["quota"] = replace(contest.quota, a_day=int(values["a_day"]))
    if phases := _phases(contest, values):
        changes["phases"] = phases
    return replace(contest, **changes)


def _phases(contest: Contest, values: Mapping[str, str]) -> tuple[Phase, ...]:
    """The first open phase and what comes after it, by the dates of the form; empty if there are none."""
    starts, ends = (_moment(values[each]) for each in ("starts", "ends"))
    if starts is None and ends is None:
        return ()
    opened = next(index for index, each in enumerate(contest.phases) if each.kind == "open")
    before = [*contest.phases[:opened]]
    if starts is not None and not before:
        before = [Phase("Announced", "announced")]
    own = replace(contest.phases[opened], starts=starts)
    after = [*contest.phases[opened + 1 :]] or [Phase("Closed", "closed")]
    return (*before, own, replace(after[0], starts=ends), *after[1:])


def _moment(text: str) -> datetime | None:
    if not text.strip():
        return None
    try:
        return datetime.fromisoformat(text.strip()).replace(tzinfo=UTC)
    except ValueError as error:
        raise UsageError("contest: write dates like 2026-12-01T09:00") from error


def _create(visit: Visit, contest: Contest, data: Mapping[str, StoredFile | None]) -> str:
    given = {part: file for part, file in data.items() if file is not None}
    with visit.platform.database.writing() as session:
        return create_contest(session, visit.signed_in(), contest, given).name


def _new_again(
    visit: Visit, error: RefusalError | UsageError, values: Mapping[str, str], definition: str, name: str
) -> Response:
    status, problem, problems = 422, visit.texts("refusal.bad_contest"), mistakes_of(error)
    if isinstance(error, RefusalError):
        status, problem, problems = error.status, visit.texts.refusal(error), []
    chosen = name if name in TEMPLATES else TEMPLATES[0]
    return visit.page(
        "new_contest.html", status=status, templates=TEMPLATES, template=chosen, values=values,
        definition=definition, definition_open=True, problem=problem, problems=problems,
        with_attack="[attack]" in definition,
    )  # fmt: skip


def mistakes_of(error: Exception) -> list[str]:
    """One a line.

    >>> mistakes_of(UsageError("contest: name: write one; title: write one"))
    ['name: write one', 'title: write one']
    """
    return [each.strip().removeprefix("contest: ") for each in str(error).split("; ")]


@router.get("/contests/{name}/manage")
def manage_page(visit: VisitHere, name: str) -> Response:
    with visit.platform.database.reading() as session:
        contest = managed_contest(session, visit.asker, name)
        shown = around(session, visit, contest)
        before = whole_number(visit.request.query_params.get("before", ""))
        listed = submissions_of_contest(session, contest, most=ROWS_A_PAGE + 1, before=before)
        return visit.page(
            "manage.html", **shown, phases=phases_of(session, contest), phase=current_phase(session, contest),
            publications=publications_of(session, contest), submissions=listed[:ROWS_A_PAGE],
            toml=contest.definition, teams=teams_of(session, contest),
            older=listed[ROWS_A_PAGE - 1][0].id if len(listed) > ROWS_A_PAGE else None,
        )  # fmt: skip


@router.post("/contests/{name}/manage/state")
def state_form(visit: VisitHere, name: str, form: FormHere) -> Response:
    with visit.platform.database.writing() as session:
        contest = managed_contest(session, visit.asker, name)
        set_state(session, visit.signed_in(), contest, form.get("state", ""))
        if contest.state == "open":
            score_original(session, contest)
    return _done(visit, name)


@router.post("/contests/{name}/manage/phase")
def phase_form(visit: VisitHere, name: str, form: FormHere) -> Response:
    with visit.platform.database.writing() as session:
        contest = managed_contest(session, visit.asker, name)
        position = whole_number(form.get("position", ""))
        move_to_phase(session, visit.signed_in(), contest, -1 if position is None else position)
        prepare_publications(session, contest)
    return _done(visit, name)


@router.post("/contests/{name}/manage/announce")
def announce_form(visit: VisitHere, name: str, form: FormHere) -> Response:
    with visit.platform.database.writing() as session:
        announce(
            session, visit.signed_in(), managed_contest(session, visit.asker, name), form.get("text", "")
        )
    return _done(visit, name)


@router.post("/contests/{name}/manage/definition")
def definition_form(visit: VisitHere, name: str, form: FormHere) -> Response:
    with visit.platform.database.writing() as session:
        row = managed_contest(session, visit.asker, name)
        try:
            contest = read_contest(form.get("definition", ""))
        except UsageError as error:
            raise RefusalError("bad_contest", str(error)) from error
        change_contest(session, visit.signed_in(), row, contest)
    return _done(visit, name)


@router.post("/contests/{name}/manage/run-all")
def run_all_form(visit: VisitHere, name: str, form: FormHere) -> Response:  # noqa: ARG001
    with visit.platform.database.writing() as session:
        contest = managed_contest(session, visit.asker, name)
        for submission, _ in submissions_of_contest(session, contest):
            if submission.kind != "guesses":  # they depend on no metric
                run_again(session, visit.signed_in(), submission)
    return _done(visit, name)


@router.post("/contests/{name}/manage/submissions/{number}/run")
def run_form(visit: VisitHere, name: str, number: int, form: FormHere) -> Response:  # noqa: ARG001
    with visit.platform.database.writing() as session:
        contest = managed_contest(session, visit.asker, name)
        run_again(session, visit.signed_in(), submission_by_id(session, contest, number))
    return _done(visit, name)


@router.post("/contests/{name}/manage/submissions/{number}/refund")
def refund_form(visit: VisitHere, name: str, number: int, form: FormHere) -> Response:  # noqa: ARG001
    with visit.platform.database.writing() as session:
        contest = managed_contest(session, visit.asker, name)
        done = refund_by_hand(session, visit.signed_in(), submission_by_id(session, contest, number))
    return _done(visit, name, "manage.refunded" if done else "manage.nothing_to_refund")


@router.post("/contests/{name}/manage/grant")
def grant_form(visit: VisitHere, name: str, form: FormHere) -> Response:
    number, amount = (whole_number(form.get(each, "")) or 0 for each in ("team", "amount"))
    with visit.platform.database.writing() as session:
        contest = managed_contest(session, visit.asker, name)
        grant(session, visit.signed_in(), team_by_id(session, contest, number), amount)
    return _done(visit, name, "manage.granted")


@router.post("/contests/{name}/manage/submissions/{number}/disqualify")
def disqualify_form(visit: VisitHere, name: str, number: int, form: FormHere) -> Response:
    return _judge(visit, name, number, form.get("why", ""))


@router.post("/contests/{name}/manage/submissions/{number}/qualify")
def qualify_form(visit: VisitHere, name: str, number: int, form: FormHere) -> Response:  # noqa: ARG001
    return _judge(visit, name, number, None)


def _judge(visit: Visit, name: str, number: int, why: str | None) -> Response:
    with visit.platform.database.writing() as session:
        contest = managed_contest(session, visit.asker, name)
        disqualify(session, visit.signed_in(), submission_by_id(session, contest, number), why)
    return _done(visit, name)


def _done(visit: Visit, name: str, said: str = "manage.done") -> Response:
    return visit.go_to(f"/contests/{name}/manage", said)
