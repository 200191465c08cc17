"""The audit log: who did what, and when."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from singleout.platform.store.database import moment
from singleout.platform.store.schema import AccountRow, AuditRow


def record(session: Session, actor: AccountRow | None, action: str, about: str = "") -> None:
    """Added to the transaction that does it. Secrets and values of data have no place here."""
    account_id = None if actor is None else actor.id
    session.add(AuditRow(account_id=account_id, action=action, about=about, done_at=moment(session)))


def audit_log(session: Session, most: int = 200) -> Sequence[tuple[AuditRow, str | None]]:
    """The newest entries first, each with the name of who did it."""
    query = (
        select(AuditRow, AccountRow.name)
        .outerjoin(AccountRow, AccountRow.id == AuditRow.account_id)
        .order_by(AuditRow.id.desc())
        .limit(most)
    )
    return [(row, name) for row, name in session.execute(query)]
