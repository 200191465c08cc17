"""Pages of submissions: drag one in, watch its way, read its values, keep a comment, choose which counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from singleout.platform import access
from singleout.platform.board import Board, board_of
from singleout.platform.charts.submission_history import PastSubmission, submission_history
from singleout.platform.refusal import RefusalError
from singleout.platform.scorer import HIGHEST
from singleout.platform.store.contests import PEOPLE, current_data
from singleout.platform.store.evaluations import BoardEntry, evaluations_of
from singleout.platform.store.guesses import look_of
from singleout.platform.store.metrics import shown_metrics, shown_versions
from singleout.platform.store.queue import QueuePlace, queue_place
from singleout.platform.store.quota import quota_left
from singleout.platform.store.schema import ContestRow, EvaluationRow, SubmissionRow, TeamRow
from singleout.platform.store.submissions import (
    pin,
    set_comment,
    submission_by_id,
    submissions_of_team,
)
from singleout.platform.uploaded_metric import UploadedMetric
from singleout.platform.web.contest_pages import around
from singleout.platform.web.metric_titles import better_of
from singleout.platform.web.requests import visible_contest
from singleout.platform.web.text_catalogue import TextCatalogue
from singleout.platform.web.upload_form import RELEASE_FORM, answer_upload
from singleout.platform.web.visit import FormHere, PageRoute, Visit, VisitHere

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@dataclass(frozen=True)
class ScoreLine:
    """One metric of one submission beside the original's value."""

    name: str
    family: str
    better: str
    value: float | None
    original: float | None
    reason: str | None

    @property
    def least(self) -> bool:
        """Whether it is a rate that may be higher."""
        return self.family == "privacy" and self.value is not None and self.reason is not None


@dataclass(frozen=True)
class ListedSubmission:
    """One of a team's own; `least` marks a rate that may be higher."""

    row: SubmissionRow
    highest: float | None
    least: bool


@router.get("/contests/{name}/submit")
def submit_page(visit: VisitHere, name: str) -> Response:
    visit.signed_in()
    return _submit_page(visit, name, None, {})


def _submit_page(visit: Visit, name: str, error: RefusalError | None, _texts: Mapping[str, str]) -> Response:
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        shown = around(session, visit, contest)
        team: TeamRow | None = shown["team"]
        if team is None and error is not None:
            raise error
        if team is None:
            return visit.go_to(f"/contests/{name}/team")
        quota = quota_left(session, contest, team)
        shown["has_people"] = PEOPLE in current_data(session, contest)[1]
    server = str(visit.request.base_url).rstrip("/")
    shown |= {"quota": quota, "server": server}
    if error is not None:
        return visit.with_problem("submit.html", error, **shown)
    return visit.page("submit.html", **shown)


@router.post("/contests/{name}/submit")
async def submit_form(request: Request, visit: VisitHere, name: str) -> Response:
    return await answer_upload(request, visit, name, RELEASE_FORM, _submit_page)


@router.get("/contests/{name}/submissions")
def own_submissions(visit: VisitHere, name: str) -> Response:
    account = visit.signed_in()
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        shown = around(session, visit, contest)
        team: TeamRow | None = shown["team"]
        access.check(team is not None, account)
        assert team is not None
        rows = submissions_of_team(session, team)
        board = board_of(session, contest, every=True)
    entries = {each.submission_id: each for each in board.entries}
    listed = [_listed(row, entries.get(row.id)) for row in rows]
    past = [_past(row, entries[row.id], board) for row in reversed(rows) if row.id in entries]
    return visit.page("submissions.html", **shown, submissions=listed, chart=submission_history(past))


def _listed(row: SubmissionRow, entry: BoardEntry | None) -> ListedSubmission:
    highest = _highest(entry)
    return ListedSubmission(
        row, highest, least=entry is not None and highest is not None and HIGHEST in entry.reasons
    )


def _highest(entry: BoardEntry | None) -> float | None:
    return None if entry is None else entry.values.get(HIGHEST)


def _past(row: SubmissionRow, entry: BoardEntry, board: Board) -> PastSubmission:
    standings = () if board.ranking is None else board.ranking.releases
    standing = next((each for each in standings if each.name == str(row.id)), None)
    ranks = (None, None) if standing is None else (standing.utility_rank, standing.privacy_rank)
    certain = HIGHEST not in entry.reasons
    return PastSubmission(f"#{row.id} {row.file_name}", _highest(entry), *ranks, certain=certain)


@router.get("/contests/{name}/submissions/{number}")
def submission_page(visit: VisitHere, name: str, number: int) -> Response:
    return visit.page("submission.html", **_submission(visit, name, number))


@router.get("/contests/{name}/submissions/{number}/state")
def submission_state(visit: VisitHere, name: str, number: int) -> Response:
    """The part of the page that changes while it is watched."""
    return visit.page("submission_state.html", **_submission(visit, name, number))


def _submission(visit: Visit, name: str, number: int) -> dict[str, Any]:
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        submission = _seen_submission(session, visit, contest, number)
        shown = around(session, visit, contest)
        place = queue_place(session, submission)
        scored, look = submission.state == "scored", look_of(session, submission)
        versions, uploaded = shown_versions(session, contest), shown_metrics(session, contest)
        values = evaluations_of(session, contest, submission, versions) if scored else []
        originals = _original_values(session, contest) if values else {}
        team = None if submission.team_id is None else session.get(TeamRow, submission.team_id)
    lines = [_line(each, originals, uploaded) for each in values]
    return shown | {
        "submission": submission, "place": place, "team_name": team.name if team else None,
        "own": shown["team"] is not None and shown["team"].id == submission.team_id,
        "privacy": _best_first(each for each in lines if each.family == "privacy"),
        "utility": [each for each in lines if each.family == "utility"],
        "look": look,
        "progress_words": _progress_words(visit.texts, place), "progress_share": _progress_share(place),
    }  # fmt: skip


def _seen_submission(session: Session, visit: Visit, contest: ContestRow, number: int) -> SubmissionRow:
    """A submission that somebody may not see is not there."""
    visit.signed_in()
    submission = submission_by_id(session, contest, number)
    if not access.may_see_submission(session, visit.account, contest, submission):
        raise RefusalError("not_found", "there is no such submission")
    return submission


def _original_values(session: Session, contest: ContestRow) -> dict[str, float | None]:
    original = board_of(session, contest).original
    return dict(original.values) if original else {}


def _line(
    row: EvaluationRow, originals: dict[str, float | None], uploaded: Mapping[str, UploadedMetric]
) -> ScoreLine:
    better = better_of(row.metric, row.family, uploaded)
    return ScoreLine(row.metric, row.family, better, row.value, originals.get(row.metric), row.reason)


def _best_first(lines: Iterable[ScoreLine]) -> list[ScoreLine]:
    """The rate that counts stands above the others."""
    return sorted(lines, key=lambda each: each.name != HIGHEST)


def _progress_words(texts: TextCatalogue, place: QueuePlace | None) -> str:
    if place is None or place.position:
        return texts("submission.waiting")
    doing = str((place.progress or {}).get("doing", ""))
    return texts.told(doing) or texts("submission.checking")


def _progress_share(place: QueuePlace | None) -> float | None:
    progress = (place.progress if place else None) or {}
    total = progress.get("total") or 0
    return min(progress.get("done", 0) / total, 1.0) if total else None


@router.post("/contests/{name}/submissions/{number}/comment")
def comment_form(visit: VisitHere, name: str, number: int, form: FormHere) -> Response:
    with visit.platform.database.writing() as session:
        set_comment(_own_submission(session, visit, name, number), form.get("comment", ""))
    return visit.go_to(f"/contests/{name}/submissions/{number}")


@router.post("/contests/{name}/submissions/{number}/pin")
def pin_form(visit: VisitHere, name: str, number: int, form: FormHere) -> Response:
    with visit.platform.database.writing() as session:
        submission = _own_submission(session, visit, name, number)
        pin(session, visit.signed_in(), submission, form.get("pinned") == "1")
    return visit.go_to(f"/contests/{name}/submissions/{number}")


def _own_submission(session: Session, visit: Visit, name: str, number: int) -> SubmissionRow:
    contest = visible_contest(session, visit.asker, name)
    submission = _seen_submission(session, visit, contest, number)
    access.check(access.is_own(session, visit.account, contest, submission), visit.account)
    return submission
