"""Teams of a contest: made by one, joined by a code."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from singleout.platform.refusal import RefusalError
from singleout.platform.store.audit import record
from singleout.platform.store.contests import has_publications
from singleout.platform.store.database import moment, row_by_id
from singleout.platform.store.display_name import checked_name, name_key
from singleout.platform.store.schema import AccountRow, ContestRow, MemberRow, TeamRow
from singleout.platform.store.secret import join_code

HOUSE = "house:"
# what boards and drawings call the untouched original, in each language
ORIGINAL = ("original", "the original", "元データ")


def make_team(session: Session, contest: ContestRow, account: AccountRow, name: str) -> TeamRow:
    shown, key = checked_name(name), name_key(name)
    if key.startswith(HOUSE):
        raise RefusalError("bad_name", "such names are for the attacks of the house; choose another")
    if key in ORIGINAL:
        raise RefusalError("bad_name", "boards call the untouched data so; choose another")
    _check_free(session, contest, account)
    if has_publications(session, contest):
        raise RefusalError("not_open", "the attack has been prepared; join a team that is there")
    same = select(TeamRow.id).where(TeamRow.contest_id == contest.id, TeamRow.name_key == key)
    if session.scalar(same) is not None:
        raise RefusalError("name_taken", "a team of this contest has this name; choose another")
    team = TeamRow(
        contest_id=contest.id, name=shown, name_key=key, join_code=join_code(), created_at=moment(session)
    )
    session.add(team)
    session.flush()
    _add_member(session, team, account)
    return team


def join_team(session: Session, contest: ContestRow, account: AccountRow, code: str) -> TeamRow:
    _check_free(session, contest, account)
    wanted = select(TeamRow).where(
        TeamRow.contest_id == contest.id, TeamRow.join_code == code.strip().lower()
    )
    team = session.scalar(wanted.with_for_update())
    if team is None:
        raise RefusalError("bad_code", "no team of this contest has this code; ask its members")
    members = select(func.count()).where(MemberRow.team_id == team.id)
    if (session.scalar(members) or 0) >= contest.team_size:
        raise RefusalError("team_full", f"a team of this contest has at most {contest.team_size} members")
    _add_member(session, team, account)
    return team


def team_of(session: Session, contest: ContestRow, account: AccountRow) -> TeamRow | None:
    query = (
        select(TeamRow)
        .join(MemberRow, MemberRow.team_id == TeamRow.id)
        .where(MemberRow.contest_id == contest.id, MemberRow.account_id == account.id)
    )
    return session.scalar(query)


def teams_of(session: Session, contest: ContestRow) -> Sequence[TeamRow]:
    query = select(TeamRow).where(TeamRow.contest_id == contest.id)
    return session.scalars(query.order_by(TeamRow.name_key)).all()


def team_by_id(session: Session, contest: ContestRow, number: int) -> TeamRow:
    team = row_by_id(session, TeamRow, number)
    if team is None or team.contest_id != contest.id:
        raise RefusalError("not_found", "the contest has no such team")
    return team


def member_names(session: Session, team: TeamRow) -> Sequence[str]:
    query = (
        select(AccountRow.name)
        .join(MemberRow, MemberRow.account_id == AccountRow.id)
        .where(MemberRow.team_id == team.id)
        .order_by(MemberRow.id)
    )
    return session.scalars(query).all()


def _check_free(session: Session, contest: ContestRow, account: AccountRow) -> None:
    if team_of(session, contest, account) is not None:
        raise RefusalError("already_in_a_team", "you are in a team of this contest already")


def _add_member(session: Session, team: TeamRow, account: AccountRow) -> None:
    session.add(MemberRow(contest_id=team.contest_id, team_id=team.id, account_id=account.id))
    record(session, account, "join a team", f"team {team.id}")


def team_counts(session: Session) -> dict[int, int]:
    """How many teams each contest has, in one query."""
    query = select(TeamRow.contest_id, func.count()).group_by(TeamRow.contest_id)
    return {contest: int(number) for contest, number in session.execute(query)}
