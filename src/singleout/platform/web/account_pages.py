"""Pages of an account: signing up, in and out, the first admin's link, tokens."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from singleout.platform.refusal import RefusalError
from singleout.platform.store.accounts import (
    account_by_password,
    close_sign_in,
    make_token,
    open_sign_in,
    revoke_token,
    sign_up,
    tokens_of,
    use_admin_link,
)
from singleout.platform.store.display_name import name_key
from singleout.platform.store.schema import AccountRow
from singleout.platform.web.security import browser_cookie, change_cookie
from singleout.platform.web.visit import FormHere, PageRoute, Visit, VisitHere

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/sign-up")
def sign_up_page(visit: VisitHere) -> Response:
    return visit.page("sign.html", kind="up", action="/sign-up", next="", name="")


@router.post("/sign-up")
def sign_up_form(visit: VisitHere, form: FormHere) -> Response:
    name = form.get("name", "")
    try:
        visit.platform.rates.check("sign_up", visit.asker.address)
        with visit.platform.database.writing() as session:
            account = sign_up(session, name, form.get("password", ""))
            _enter(visit, open_sign_in(session, account))
    except RefusalError as error:
        return visit.with_problem("sign.html", error, kind="up", action="/sign-up", next="", name=name)
    return visit.go_to("/")


@router.get("/sign-in")
def sign_in_page(visit: VisitHere) -> Response:
    following = local_path(visit.request.query_params.get("next", ""))
    return visit.page("sign.html", kind="in", action="/sign-in", next=following, name="")


@router.post("/sign-in")
def sign_in_form(visit: VisitHere, form: FormHere) -> Response:
    name, following = form.get("name", ""), local_path(form.get("next", ""))
    try:
        visit.platform.rates.check("sign_in", visit.asker.address)
        visit.platform.rates.check("sign_in_of_name", _key(name))
        with visit.platform.database.writing() as session:
            account = account_by_password(session, name, form.get("password", ""))
            _enter(visit, open_sign_in(session, account))
    except RefusalError as error:
        return visit.with_problem("sign.html", error, kind="in", action="/sign-in", next=following, name=name)
    return visit.go_to(following or "/")


@router.post("/sign-out")
def sign_out_form(visit: VisitHere, form: FormHere) -> Response:  # noqa: ARG001
    with visit.platform.database.writing() as session:
        close_sign_in(session, browser_cookie(visit.request).secret)
    change_cookie(visit.request)
    return visit.go_to("/")


@router.get("/admin-link/{secret}")
def admin_link_page(visit: VisitHere, secret: str) -> Response:
    return visit.page("sign.html", kind="admin", action=f"/admin-link/{secret}", next="", name="")


@router.post("/admin-link/{secret}")
def admin_link_form(visit: VisitHere, secret: str, form: FormHere) -> Response:
    name, action = form.get("name", ""), f"/admin-link/{secret}"
    try:
        visit.platform.rates.check("admin_link", visit.asker.address)
        with visit.platform.database.writing() as session:
            account = use_admin_link(session, secret, name, form.get("password", ""))
            _enter(visit, open_sign_in(session, account))
    except RefusalError as error:
        return visit.with_problem("sign.html", error, kind="admin", action=action, next="", name=name)
    return visit.go_to("/admin")


@router.get("/account")
def account_page(visit: VisitHere) -> Response:
    return _account_page(visit, visit.signed_in(), None)


@router.post("/account/tokens")
def token_form(visit: VisitHere, form: FormHere) -> Response:
    """The token is on this page only: it is never in an address, and never again."""
    account = visit.signed_in()
    with visit.platform.database.writing() as session:
        _, secret = make_token(session, account, form.get("name", ""))
    return _account_page(visit, account, secret)


@router.post("/account/tokens/{token_id}/revoke")
def revoke_form(visit: VisitHere, token_id: int, form: FormHere) -> Response:  # noqa: ARG001
    with visit.platform.database.writing() as session:
        revoke_token(session, visit.signed_in(), token_id)
    return visit.go_to("/account")


def _account_page(visit: Visit, account: AccountRow, secret: str | None) -> Response:
    with visit.platform.database.reading() as session:
        tokens = tokens_of(session, account)
    return visit.page("account.html", tokens=tokens, secret=secret)


def _enter(visit: Visit, secret: str) -> None:
    change_cookie(visit.request, secret)


def _key(name: str) -> str:
    try:
        return name_key(name)
    except RefusalError:
        return "?"


def local_path(path: str) -> str:
    """A way on within this site, or none.

    >>> local_path("/contests/a"), local_path("//elsewhere"), local_path("https://elsewhere")
    ('/contests/a', '', '')
    """
    is_local = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if is_local and "\\" not in path else ""
