"""Pages of an account: signing up, in and out, the first admin's link, tokens."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from sqlalchemy.orm import Session
from starlette.background import BackgroundTask
from starlette.responses import Response

from singleout.platform.refusal import RefusalError
from singleout.platform.store.accounts import (
    account_by_password,
    add_account,
    change_password,
    close_sign_in,
    make_token,
    open_sign_in,
    password_hash,
    record_wrong_password,
    revoke_token,
    tokens_of,
    use_admin_link,
)
from singleout.platform.store.display_name import name_key
from singleout.platform.store.schema import AccountRow
from singleout.platform.web.security import browser_cookie, change_cookie
from singleout.platform.web.visit import FormHere, PageRoute, Visit, VisitHere, local_path

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/sign-up")
def sign_up_page(visit: VisitHere) -> Response:
    following = local_path(visit.request.query_params.get("next", ""))
    return visit.page("sign.html", kind="up", action="/sign-up", next=following, name="")


@router.post("/sign-up")
def sign_up_form(visit: VisitHere, form: FormHere) -> Response:
    name, following = form.get("name", ""), local_path(form.get("next", ""))
    try:
        visit.platform.rates.check("sign_up", visit.asker.address)
        hashed = password_hash(form.get("password", ""))
        with visit.platform.database.writing() as session:
            _enter(visit, session, add_account(session, name, hashed))
    except RefusalError as error:
        return visit.with_problem("sign.html", error, kind="up", action="/sign-up", next=following, name=name)
    return visit.go_to(following or "/")


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
        with visit.platform.database.reading() as session:
            account = account_by_password(session, name, form.get("password", ""))
        with visit.platform.database.writing() as session:
            _enter(visit, session, account)
    except RefusalError as error:
        answer = visit.with_problem(
            "sign.html", error, kind="in", action="/sign-in", next=following, name=name
        )
        if error.code == "wrong_password":  # written down after the answer, whose time says nothing then
            answer.background = BackgroundTask(_note_wrong_password, visit, name)
        return answer
    return visit.go_to(following or "/")


def _note_wrong_password(visit: Visit, name: str) -> None:
    with visit.platform.database.writing() as session:
        record_wrong_password(session, name)


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
            _enter(visit, session, use_admin_link(session, secret, name, form.get("password", "")))
    except RefusalError as error:
        return visit.with_problem("sign.html", error, kind="admin", action=action, next="", name=name)
    return visit.go_to("/admin")


@router.get("/account")
def account_page(visit: VisitHere) -> Response:
    return _account_page(visit)


@router.post("/account/password")
def password_form(visit: VisitHere, form: FormHere) -> Response:
    """The old one is asked for: a browser that was left open is not enough."""
    account = visit.signed_in()
    try:
        visit.platform.rates.check("sign_in_of_name", account.name_key)
        with visit.platform.database.reading() as session:
            account_by_password(session, account.name, form.get("old", ""))
        hashed = password_hash(form.get("new", ""))
    except RefusalError as error:
        return _account_page(visit, error=error)
    with visit.platform.database.writing() as session:
        change_password(session, account, hashed)
        _enter(visit, session, account)
    return visit.go_to("/account", "account.password_changed")


@router.post("/account/tokens")
def token_form(visit: VisitHere, form: FormHere) -> Response:
    """The token is on this page only: it is never in an address, and never again."""
    with visit.platform.database.writing() as session:
        _, secret = make_token(session, visit.signed_in(), form.get("name", ""))
    return _account_page(visit, secret)


@router.post("/account/tokens/{token_id}/revoke")
def revoke_form(visit: VisitHere, token_id: int, form: FormHere) -> Response:  # noqa: ARG001
    with visit.platform.database.writing() as session:
        revoke_token(session, visit.signed_in(), token_id)
    return visit.go_to("/account")


def _account_page(visit: Visit, secret: str | None = None, error: RefusalError | None = None) -> Response:
    with visit.platform.database.reading() as session:
        shown: dict[str, Any] = {"tokens": tokens_of(session, visit.signed_in()), "secret": secret}
    if error is not None:
        return visit.with_problem("account.html", error, **shown)
    return visit.page("account.html", **shown)


def _enter(visit: Visit, session: Session, account: AccountRow) -> None:
    """With a new secret; the browser's old one is good for nothing any more."""
    close_sign_in(session, browser_cookie(visit.request).secret)
    change_cookie(visit.request, open_sign_in(session, account))


def _key(name: str) -> str:
    try:
        return name_key(name)
    except RefusalError:
        return "?"
