"""Pages of the attack phase: releases to download, guesses to drop, and the matrix of who recognised whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass

from fastapi import APIRouter
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from singleout.platform import access
from singleout.platform.attack_matrix import AttackedRelease, AttackMatrix, MatrixAttacker, matrix_of
from singleout.platform.board import board_of
from singleout.platform.charts.attack_rates import attack_heat_map
from singleout.platform.refusal import RefusalError
from singleout.platform.scorer import HIGHEST
from singleout.platform.store.contests import is_published, is_scored
from singleout.platform.store.guesses import exposures, guesses_of_team, shown_scores
from singleout.platform.store.publications import publications_of
from singleout.platform.store.quota import LOOKS, quota_left
from singleout.platform.store.schema import ContestRow, SubmissionRow, TeamRow
from singleout.platform.store.teams import team_of
from singleout.platform.web.answers import LooksAnswer, PublishedRelease
from singleout.platform.web.contest_pages import around
from singleout.platform.web.requests import Asker, visible_contest, whole_number
from singleout.platform.web.upload_form import GUESS_FORM, answer_upload
from singleout.platform.web.visit import PageRoute, Visit, VisitHere

router = APIRouter(route_class=PageRoute, include_in_schema=False)


def looks_answer(session: Session, asker: Asker, contest: ContestRow) -> LooksAnswer:
    """The releases that may be had now, with what looks have told the asker's team of them."""
    team = None if asker.account is None else team_of(session, contest, asker.account)
    shown = {} if team is None else shown_scores(session, team)
    left = None if team is None else quota_left(session, contest, team, LOOKS)
    rows = publications_of(session, contest) if is_published(session, contest) else []
    return LooksAnswer(
        releases=[
            PublishedRelease(
                number=row.submission_id, team=owner.name, people=row.people or 0, records=row.records or 0,
                own=team is not None and owner.id == team.id, shown=shown.get(row.submission_id),
                recipe=session.get_one(SubmissionRow, row.submission_id).recipe_digest is not None,
            )
            for row, owner in rows
            if row.state == "published"
        ],
        left_today=max(0, left.today) if left else 0,
        left_in_all=max(0, left.in_all) if left else 0,
    )  # fmt: skip


@router.get("/contests/{name}/attack")
def attack_page(visit: VisitHere, name: str) -> Response:
    visit.signed_in()
    return _attack_page(visit, name, None, {})


def _attack_page(visit: Visit, name: str, error: RefusalError | None, texts: Mapping[str, str]) -> Response:
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        shown = around(session, visit, contest)
        team: TeamRow | None = shown["team"]
        if team is None and error is not None:
            raise error
        if team is None:
            return visit.go_to(f"/contests/{name}/team")
        shown |= {
            "looks": looks_answer(session, visit.asker, contest),
            "target": whole_number(texts.get("target", "")),
            "own_guesses": guesses_of_team(session, team),
            "server": str(visit.request.base_url).rstrip("/"),
        }  # fmt: skip
    if error is not None:
        return visit.with_problem("attack.html", error, **shown)
    return visit.page("attack.html", **shown)


@router.post("/contests/{name}/attack")
async def attack_form(request: Request, visit: VisitHere, name: str) -> Response:
    return await answer_upload(request, visit, name, GUESS_FORM, _attack_page)


@router.get("/contests/{name}/matrix")
def matrix_page(visit: VisitHere, name: str) -> Response:
    """Who did what to whom, for those who may see it by now; no person is named."""
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        access.check(access.is_among(session, visit.account, contest, contest.board_for), visit.account)
        shown = around(session, visit, contest)
        final = is_scored(session, contest)
        if not access.may_see_matrix(session, visit.account, contest):
            return visit.page("matrix.html", **shown, matrix=None, final=final)
        matrix = matrix_of(session, contest)
        counts = Counter(attackers for _, attackers, _ in exposures(session, contest))
        entries = board_of(session, contest).entries
    best = best_attacks(matrix, {each.submission_id for each in entries if HIGHEST not in each.reasons})
    chart = attack_heat_map(matrix)
    return visit.page(
        "matrix.html", **shown, matrix=matrix, final=final, best=best, charts=[chart] if chart else [],
        exposed=sorted(counts.items(), reverse=True),
    )  # fmt: skip


@dataclass(frozen=True)
class BestAttack:
    """The most that anybody did to a release; `least` if not all of it could be compared."""

    release: AttackedRelease
    attacker: MatrixAttacker | None
    rate: float | None
    least: bool


def best_attacks(matrix: AttackMatrix, certain: Container[int]) -> list[BestAttack]:
    """`certain` are the releases whose highest rate is known; of all others it is the least, unless all."""
    found = [(each, *(matrix.best_attack(each) or (None, None))) for each in matrix.releases]
    return [
        BestAttack(release, attacker, rate, rate is not None and rate < 1 and release.number not in certain)
        for release, attacker, rate in found
    ]
