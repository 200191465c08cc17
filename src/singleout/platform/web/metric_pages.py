"""Pages of uploaded metrics: drag one in, watch its trial, read its log; the organiser adopts it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from singleout.errors import UsageError
from singleout.platform import access
from singleout.platform.refusal import RefusalError
from singleout.platform.store.queue import all_workers
from singleout.platform.uploaded_metric import ENDINGS, Language, header_text, read_metric
from singleout.platform.web.contest_pages import around
from singleout.platform.web.metric_api import (
    add,
    check_may_upload,
    manage,
    metric_file,
    seen_metric,
    seen_metrics,
    seen_runs,
)
from singleout.platform.web.requests import incoming_form, visible_contest
from singleout.platform.web.security import check_form_key
from singleout.platform.web.visit import FormHere, PageRoute, Visit, VisitHere

router = APIRouter(route_class=PageRoute, include_in_schema=False)
FIRST = {"language": "sql", "name": "goods_kept", "family": "utility", "better": "higher", "range": "[0, 1]"}
BODIES: dict[Language, str] = {
    "sql": "SELECT (SELECT count(*) FROM release) / (SELECT count(*) FROM original)",
    "python": "def metric(original, release):\n    return len(release) / len(original)",
    "r": "nrow(release) / nrow(original)",
}


@router.get("/contests/{name}/metrics")
def metrics_page(visit: VisitHere, name: str) -> Response:
    return _metrics_page(visit, name, None)


def _metrics_page(visit: Visit, name: str, error: RefusalError | None) -> Response:
    asked = {key: visit.request.query_params.get(key, first)[:200] for key, first in FIRST.items()}
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        shown = around(session, visit, contest)
        shown |= {
            "metrics": seen_metrics(session, visit.asker, contest),
            "may_upload": access.may_upload_metrics(session, visit.account, contest),
            "asked": asked, "languages_of_metrics": tuple(BODIES), **_skeleton(asked),
        }  # fmt: skip
    if error is not None:
        return visit.with_problem("metrics.html", error, **shown)
    return visit.page("metrics.html", **shown)


def _skeleton(asked: dict[str, str]) -> dict[str, str]:
    """The header that the fields say, with a body to start from, or what is wrong with it."""
    language: Language = next((each for each in BODIES if each == asked["language"]), "sql")
    said = {key: asked[key].replace('"', "").replace("\n", " ") for key in FIRST if key != "language"}
    text = f"{header_text(language, **said)}\n{BODIES[language]}\n"
    try:
        read_metric(text.encode(), f"metric{ENDINGS[language]}")
    except UsageError as fault:
        return {"skeleton": text, "skeleton_fault": str(fault).removeprefix("metric: ")}
    return {"skeleton": text, "skeleton_fault": ""}


@router.post("/contests/{name}/metrics")
async def upload_form(request: Request, visit: VisitHere, name: str) -> Response:
    """Who asks is known before the file is read."""
    try:
        await run_in_threadpool(check_may_upload, visit.platform, visit.asker, name)
        async with incoming_form(request) as form:
            check_form_key(request, form)
            content, file_name = await metric_file(form)
        number = await run_in_threadpool(add, visit.platform, visit.asker, name, content, file_name)
    except RefusalError as error:
        if error.status in (401, 403, 404):
            raise
        return await run_in_threadpool(_metrics_page, visit, name, error)
    return visit.go_to(f"/contests/{name}/metrics/{number}")


@router.get("/contests/{name}/metrics/{number}")
def metric_page(visit: VisitHere, name: str, number: int) -> Response:
    return visit.page("metric.html", **_metric(visit, name, number))


@router.get("/contests/{name}/metrics/{number}/state")
def metric_state(visit: VisitHere, name: str, number: int) -> Response:
    """The part of the page that changes while it is watched."""
    return visit.page("metric_state.html", **_metric(visit, name, number))


def _metric(visit: Visit, name: str, number: int) -> dict[str, Any]:
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        listed = seen_metric(session, visit.asker, contest, number)
        inside, runs = seen_runs(session, visit.asker, contest, listed.version)
        able = any("holds" in (each.sandbox or "") for each in all_workers(session))
        shown = around(session, visit, contest)
    waits = listed.version.state == "waiting" or any(each.state in ("waiting", "running") for each in runs)
    return shown | {"listed": listed, "inside": inside, "runs": runs, "waits": waits, "able": able}


@router.post("/contests/{name}/metrics/{number}/{action}")
def metric_form(visit: VisitHere, name: str, number: int, action: str, form: FormHere) -> Response:  # noqa: ARG001
    """Approve, adopt, drop or run: for who manages the contest."""
    manage(visit.platform, visit.asker, name, number, action)
    return visit.go_to(f"/contests/{name}/metrics/{number}", "manage.done")
