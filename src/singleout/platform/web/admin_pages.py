"""The page of administrators: workers, accounts, the audit log."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from singleout.platform import access
from singleout.platform.store.accounts import (
    all_accounts,
    password_hash,
    reset_password,
    set_active,
    set_role,
)
from singleout.platform.store.audit import audit_log
from singleout.platform.store.database import moment
from singleout.platform.store.queue import LEASE, all_workers
from singleout.platform.store.secret import new_secret
from singleout.platform.web.visit import FormHere, PageRoute, Visit, VisitHere

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/admin")
def admin_page(visit: VisitHere) -> Response:
    access.check(access.is_admin(visit.account), visit.account)
    return _admin_page(visit)


def _admin_page(visit: Visit, **new: str) -> Response:
    """`new` is a password that was made for somebody, and who they are."""
    with visit.platform.database.reading() as session:
        return visit.page(
            "admin.html", workers=all_workers(session), gone=moment(session) - 2 * LEASE,
            accounts=all_accounts(session), audit=audit_log(session), new=new,
        )  # fmt: skip


@router.post("/admin/accounts/{number}/role")
def role_form(visit: VisitHere, number: int, form: FormHere) -> Response:
    access.check(access.is_admin(visit.account), visit.account)
    with visit.platform.database.writing() as session:
        set_role(session, visit.signed_in(), number, form.get("role", ""))
    return visit.go_to("/admin")


@router.post("/admin/accounts/{number}/active")
def active_form(visit: VisitHere, number: int, form: FormHere) -> Response:
    access.check(access.is_admin(visit.account), visit.account)
    with visit.platform.database.writing() as session:
        set_active(session, visit.signed_in(), number, form.get("active") == "1")
    return visit.go_to("/admin")


@router.post("/admin/accounts/{number}/password")
def password_reset_form(visit: VisitHere, number: int, form: FormHere) -> Response:  # noqa: ARG001
    """The new password is on this page only, to be handed over."""
    access.check(access.is_admin(visit.account), visit.account)
    password = new_secret()[:20]
    hashed = password_hash(password)
    with visit.platform.database.writing() as session:
        name = reset_password(session, visit.signed_in(), number, hashed).name
    return _admin_page(visit, name=name, password=password)
