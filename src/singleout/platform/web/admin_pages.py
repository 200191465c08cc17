"""The page of administrators: workers, accounts, the audit log."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from singleout.platform import access
from singleout.platform.store.accounts import all_accounts, set_active, set_role
from singleout.platform.store.audit import audit_log
from singleout.platform.store.queue import all_workers
from singleout.platform.web.visit import FormHere, PageRoute, VisitHere

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/admin")
def admin_page(visit: VisitHere) -> Response:
    access.check(access.is_admin(visit.account), visit.account)
    with visit.platform.database.reading() as session:
        return visit.page(
            "admin.html", workers=all_workers(session), accounts=all_accounts(session),
            audit=audit_log(session),
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
