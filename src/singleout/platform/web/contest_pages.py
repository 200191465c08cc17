"""Pages of a contest for everybody: the list, the overview, the kit, the team, the results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fastapi import APIRouter
from sqlalchemy.orm import Session
from starlette.responses import Response

from singleout.platform import access
from singleout.platform.contest import Contest, read_contest
from singleout.platform.refusal import RefusalError
from singleout.platform.scorer import compare_command
from singleout.platform.store.contests import (
    PEOPLE,
    accepts_releases,
    all_contests,
    announcements_of,
    current_data,
    current_phase,
    phases_of,
)
from singleout.platform.store.guesses import accepts_guesses
from singleout.platform.store.quota import quota_left
from singleout.platform.store.results import ALWAYS, RESULTS
from singleout.platform.store.schema import ContestRow, PhaseRow, TeamRow
from singleout.platform.store.teams import join_team, make_team, member_names, team_counts, team_of
from singleout.platform.web.requests import visible_contest
from singleout.platform.web.table_export import MEDIA_TYPES
from singleout.platform.web.visit import FormHere, PageRoute, Visit, VisitHere

router = APIRouter(route_class=PageRoute, include_in_schema=False)
LONGEST_ABOUT = 220


@dataclass(frozen=True)
class ListedContest:
    """A contest on the first page."""

    row: ContestRow
    phase: PhaseRow
    teams: int
    about: str
    until: datetime | None


@router.get("/")
def home(visit: VisitHere) -> Response:
    with visit.platform.database.reading() as session:
        counts = team_counts(session)
        listed = [
            _listed(session, row, counts.get(row.id, 0))
            for row in all_contests(session)
            if access.may_see(visit.account, row)
        ]
    return visit.page("home.html", contests=listed)


def _listed(session: Session, row: ContestRow, teams: int) -> ListedContest:
    phase, about = current_phase(session, row), read_contest(row.definition).about.strip()
    later = [each.starts_at for each in phases_of(session, row) if each.position > phase.position]
    short = about if len(about) <= LONGEST_ABOUT else f"{about[:LONGEST_ABOUT].rpartition(' ')[0]} …"
    return ListedContest(row, phase, teams, short, next((each for each in later if each), None))


def heading(session: Session, visit: Visit, contest: ContestRow) -> dict[str, Any]:
    """What stands above every page of a contest."""
    return {
        "contest": contest,
        "team": None if visit.account is None else team_of(session, contest, visit.account),
        "managed": access.may_manage(visit.account, contest),
    }


def around(session: Session, visit: Visit, contest: ContestRow) -> dict[str, Any]:
    """What most pages of a contest show."""
    return {
        **heading(session, visit, contest),
        "definition": read_contest(contest.definition),
        "accepts": accepts_releases(session, contest),
        "guessing": accepts_guesses(session, contest),
    }


@router.get("/contests/{name}")
def overview(visit: VisitHere, name: str) -> Response:
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        shown = around(session, visit, contest)
        definition: Contest = shown["definition"]
        truth = "who.csv" if definition.truth == "map" else None
        people = "people.csv" if PEOPLE in current_data(session, contest)[1] else None
        return visit.page(
            "contest.html", **shown, phases=phases_of(session, contest),
            phase=current_phase(session, contest), announcements=announcements_of(session, contest),
            may_have_data=access.is_among(session, visit.account, contest, contest.data_for),
            command=compare_command(definition, "original.csv", "release.csv", truth, people),
        )  # fmt: skip


@router.get("/contests/{name}/team")
def team_page(visit: VisitHere, name: str) -> Response:
    visit.signed_in()
    return _team_page(visit, name, None)


def _team_page(visit: Visit, name: str, error: RefusalError | None) -> Response:
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        shown = around(session, visit, contest)
        team: TeamRow | None = shown["team"]
        shown["members"] = [] if team is None else member_names(session, team)
        shown["quota"] = None if team is None else quota_left(session, contest, team)
    if error is not None:
        return visit.with_problem("team.html", error, **shown)
    return visit.page("team.html", **shown)


@router.post("/contests/{name}/team/make")
def make_team_form(visit: VisitHere, name: str, form: FormHere) -> Response:
    account = visit.signed_in()
    try:
        with visit.platform.database.writing() as session:
            make_team(session, visible_contest(session, visit.asker, name), account, form.get("name", ""))
    except RefusalError as error:
        return _team_page(visit, name, error)
    return visit.go_to(f"/contests/{name}/team")


@router.post("/contests/{name}/team/join")
def join_team_form(visit: VisitHere, name: str, form: FormHere) -> Response:
    account = visit.signed_in()
    try:
        visit.platform.rates.check("join_code", str(account.id))
        with visit.platform.database.writing() as session:
            join_team(session, visible_contest(session, visit.asker, name), account, form.get("code", ""))
    except RefusalError as error:
        return _team_page(visit, name, error)
    return visit.go_to(f"/contests/{name}/team")


@router.get("/contests/{name}/results")
def results(visit: VisitHere, name: str) -> Response:
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        access.check(access.is_among(session, visit.account, contest, contest.board_for), visit.account)
        shown = around(session, visit, contest)
    return visit.page(
        "results.html",
        **shown,
        views=tuple(RESULTS) if contest.looks_in_all else ALWAYS,
        endings=tuple(MEDIA_TYPES),
    )
