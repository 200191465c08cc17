"""Pages of an organiser: a contest by form, template or TOML; its submissions, phases and announcements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from singleout.errors import UsageError
from singleout.platform import access
from singleout.platform.contest import TEMPLATES, Contest, read_contest, template, with_attack_phase
from singleout.platform.refusal import RefusalError
from singleout.platform.store.contests import (
    PEOPLE,
    add_data_version,
    announce,
    current_data,
    current_phase,
    move_to_phase,
    phases_of,
)
from singleout.platform.store.files import StoredFile
from singleout.platform.store.publications import prepare_publications, publications_of
from singleout.platform.store.schema import ContestRow
from singleout.platform.store.submissions import (
    change_state,
    disqualify,
    grant,
    make_contest,
    original_of,
    redefine_contest,
    refund_by_hand,
    run_again,
    score_original,
    submission_by_id,
    submissions_of_contest,
)
from singleout.platform.store.teams import team_by_id, teams_of
from singleout.platform.web.contest_form import (
    FIELDS,
    FormChoices,
    contest_from_form,
    form_values,
)
from singleout.platform.web.contest_pages import around
from singleout.platform.web.requests import (
    definition_in,
    incoming_form,
    kept_files,
    managed_contest,
    text_field,
    whole_number,
)
from singleout.platform.web.security import check_form_key
from singleout.platform.web.visit import FormHere, PageRoute, Visit, VisitHere

router = APIRouter(route_class=PageRoute, include_in_schema=False)
DATA_PARTS = ("original", "people")
ROWS_A_PAGE = 100


@router.get("/contests/new")
def new_contest_page(visit: VisitHere) -> Response:
    access.check(access.may_organise(visit.account), visit.account)
    name = _template_name(visit.request.query_params.get("template", ""))
    with_attack = visit.request.query_params.get("attack") == "1"
    contest = with_attack_phase(template(name)) if with_attack else template(name)
    return _new_page(visit, name, form_values(contest), contest.to_toml())


def _template_name(name: str) -> str:
    return name if name in TEMPLATES else TEMPLATES[0]


def _new_page(
    visit: Visit, name: str, values: Mapping[str, str], definition: str, **problem: Any
) -> Response:
    return visit.page(
        "new_contest.html", choices=FormChoices(), template=name, values=values, definition=definition,
        with_attack="[attack]" in definition, **problem,
    )  # fmt: skip


@router.post("/contests")
async def create_form(request: Request, visit: VisitHere) -> Response:
    """Who asks is known before a file is read; a draft is what comes of it."""
    access.check(access.may_organise(visit.account), visit.account)
    visit.platform.rates.check("upload", str(visit.signed_in().id))
    async with incoming_form(request) as form:
        check_form_key(request, form)
        values = {name: text_field(form, name) for name in FIELDS}
        definition = await definition_in(form, "definition_file")
        chosen = _template_name(text_field(form, "template"))
        try:
            contest = contest_from_form(definition, values, form_values(template(chosen)))
            async with kept_files(visit.platform) as kept:
                data = {part: await kept.keep(form, part) for part in DATA_PARTS}
                name = await run_in_threadpool(_create, visit, contest, data)
        except (RefusalError, UsageError) as error:
            return _new_again(visit, error, values, definition, chosen)
    return visit.go_to(f"/contests/{name}/manage", "new.created")


def _create(visit: Visit, contest: Contest, data: Mapping[str, StoredFile | None]) -> str:
    given = {part: file for part, file in data.items() if file is not None}
    with visit.platform.database.writing() as session:
        return make_contest(session, visit.signed_in(), contest, given).name


def _new_again(
    visit: Visit, error: RefusalError | UsageError, values: Mapping[str, str], definition: str, name: str
) -> Response:
    return _new_page(visit, name, values, definition, **_wrong(visit, error))


def _wrong(visit: Visit, error: RefusalError | UsageError) -> dict[str, Any]:
    """What a page says of a definition that was not taken."""
    if isinstance(error, RefusalError):
        return {"status": error.status, "problem": visit.texts.refusal(error)}
    said = visit.texts("refusal.bad_contest")
    return {"status": 422, "problem": said, "problems": mistakes_of(error)}


def mistakes_of(error: Exception) -> list[str]:
    """One a line.

    >>> mistakes_of(UsageError("contest: name: write one; title: write one"))
    ['name: write one', 'title: write one']
    """
    return [each.strip().removeprefix("contest: ") for each in str(error).split("; ")]


@router.get("/contests/{name}/manage")
def manage_page(visit: VisitHere, name: str) -> Response:
    return _manage(visit, name)


def _manage(visit: Visit, name: str, toml: str | None = None, **wrong: Any) -> Response:
    """With the definition as it is, or as somebody wrote it with what is wrong about it."""
    with visit.platform.database.reading() as session:
        contest = managed_contest(session, visit.asker, name)
        shown = around(session, visit, contest)
        before = whole_number(visit.request.query_params.get("before", ""))
        listed = submissions_of_contest(session, contest, most=ROWS_A_PAGE + 1, before=before)
        return visit.page(
            "manage.html", **shown, phases=phases_of(session, contest), phase=current_phase(session, contest),
            original=original_of(session, contest), publications=publications_of(session, contest),
            submissions=listed[:ROWS_A_PAGE],
            toml=contest.definition if toml is None else toml, teams=teams_of(session, contest),
            older=listed[ROWS_A_PAGE - 1][0].id if len(listed) > ROWS_A_PAGE else None, **wrong,
        )  # fmt: skip


@router.post("/contests/{name}/manage/state")
def state_form(visit: VisitHere, name: str, form: FormHere) -> Response:
    with visit.platform.database.writing() as session:
        contest = managed_contest(session, visit.asker, name)
        change_state(session, visit.signed_in(), contest, form.get("state", ""))
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
    text = form.get("definition", "")
    try:
        with visit.platform.database.writing() as session:
            row = managed_contest(session, visit.asker, name)
            redefine_contest(session, visit.signed_in(), row, read_contest(text))
    except (UsageError, RefusalError) as error:
        if isinstance(error, RefusalError) and error.status in (401, 403, 404):
            raise
        return _manage(visit, name, text, **_wrong(visit, error))
    return _done(visit, name)


@router.post("/contests/{name}/data")
async def data_form(request: Request, visit: VisitHere, name: str) -> Response:
    """Another original: values on the old one no longer count, and all that was submitted is run again."""
    await run_in_threadpool(_check_may_manage, visit, name)
    visit.platform.rates.check("upload", str(visit.signed_in().id))
    async with kept_files(visit.platform) as kept:
        async with incoming_form(request) as form:
            check_form_key(request, form)
            data = {part: await kept.keep(form, part) for part in DATA_PARTS}
        await run_in_threadpool(_add_data, visit, name, {part: each for part, each in data.items() if each})
    return _done(visit, name)


def _check_may_manage(visit: Visit, name: str) -> None:
    with visit.platform.database.reading() as session:
        managed_contest(session, visit.asker, name)


def _add_data(visit: Visit, name: str, data: Mapping[str, StoredFile]) -> None:
    with visit.platform.database.writing() as session:
        contest = managed_contest(session, visit.asker, name)
        before = current_data(session, contest)[1]
        # without it every release that was sent with one would be refused
        if PEOPLE in before and PEOPLE not in data:
            people = before[PEOPLE]
            data = {**data, PEOPLE: StoredFile(people.digest, 0, people.file_name)}
        add_data_version(session, visit.signed_in(), contest, data)
        _run_all(session, visit, contest)
        score_original(session, contest)


@router.post("/contests/{name}/manage/run-all")
def run_all_form(visit: VisitHere, name: str, form: FormHere) -> Response:  # noqa: ARG001
    with visit.platform.database.writing() as session:
        _run_all(session, visit, managed_contest(session, visit.asker, name))
    return _done(visit, name)


def _run_all(session: Session, visit: Visit, contest: ContestRow) -> None:
    for submission, _ in submissions_of_contest(session, contest):
        if submission.kind != "guesses":  # they depend on no metric
            run_again(session, visit.signed_in(), submission)


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
