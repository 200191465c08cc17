"""A visit of a page: who looks, in which language, and how the page, a refusal or a way on is answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from singleout.platform import access
from singleout.platform.refusal import RefusalError
from singleout.platform.store.accounts import account_by_sign_in
from singleout.platform.store.schema import AccountRow
from singleout.platform.web.page import filled
from singleout.platform.web.requests import (
    Asker,
    AskerHere,
    Platform,
    PlatformHere,
    incoming_form,
    platform_of,
)
from singleout.platform.web.security import FORM_KEY_FIELD, SAFE_METHODS, browser_cookie, check_form_key
from singleout.platform.web.text_catalogue import (
    COOKIE,
    LANGUAGES,
    TextCatalogue,
    catalogue,
    chosen_language,
)

A_YEAR = 365 * 24 * 3600
# what a page may be told to say by the address that led to it
SAID = (
    "manage.done", "manage.refunded", "manage.nothing_to_refund", "manage.granted", "new.created",
    "account.password_changed",
)  # fmt: skip
# what an address asks of a page in any language
ASKED = ("template", "attack", "every", "utility", "rows")
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


@dataclass(frozen=True)
class Visit:
    """One look at one page."""

    request: Request
    platform: Platform
    asker: Asker

    @property
    def account(self) -> AccountRow | None:
        return self.asker.account

    def signed_in(self) -> AccountRow:
        return self.asker.signed_in()

    @property
    def texts(self) -> TextCatalogue:
        asked, kept = self.request.query_params.get("lang"), self.request.cookies.get(COOKIE)
        return catalogue(chosen_language(asked, kept, self.request.headers.get("accept-language", "")))

    def page(self, template: str, /, *, status: int = 200, **context: Any) -> HTMLResponse:
        """A template filled; what it needs on every page is added."""
        return _page(self.request, self.account, self.texts, template, status, context)

    def with_problem(self, template: str, error: RefusalError, /, **context: Any) -> HTMLResponse:
        """The page again, with what was wrong with the form."""
        return self.page(template, status=error.status, problem=self.texts.refusal(error), **context)

    def go_to(self, path: str, said: str | None = None) -> RedirectResponse:
        """After a form: the browser asks for another page."""
        return RedirectResponse(path + ("" if said is None else "?" + urlencode({"said": said})), 303)


def _page(
    request: Request,
    account: AccountRow | None,
    texts: TextCatalogue,
    template: str,
    status: int,
    context: Mapping[str, Any],
) -> HTMLResponse:
    key = Markup('<input type="hidden" name="{}" value="{}">').format(
        FORM_KEY_FIELD, browser_cookie(request).form_key
    )
    said = request.query_params.get("said")
    everywhere = {
        "t": texts, "language": texts.language, "account": account, "form_key_field": key,
        "languages": {each: catalogue(each)("called") for each in LANGUAGES}, "problem": None, "problems": (),
        "may_organise": access.may_organise(account), "said": texts(said) if said in SAID else None,
        "path": request.url.path,
        "page_in": lambda code: f"{_page_of(request)}?{urlencode(_asked_again(request) | {'lang': code})}",
    }  # fmt: skip
    response = HTMLResponse(filled(template, {**everywhere, **context}), status)
    if request.query_params.get("lang") in LANGUAGES:
        response.set_cookie(COOKIE, texts.language, max_age=A_YEAR, samesite="lax", httponly=True)
    return response


def _page_of(request: Request) -> str:
    """This page, or the one whose form this answers: what a form is sent to can't be asked for again."""
    if request.method in SAFE_METHODS:
        return ""
    address = re.split("[?#]", request.headers.get("referer", ""))[0]
    return local_path("/" + address.partition("://")[2].partition("/")[2]) or "/"


def _asked_again(request: Request) -> dict[str, str]:
    return {name: value for name, value in request.query_params.items() if name in ASKED}


def visit_of(request: Request, platform: PlatformHere, asker: AskerHere) -> Visit:
    return Visit(request, platform, asker)


VisitHere = Annotated[Visit, Depends(visit_of)]


async def small_form(request: Request) -> dict[str, str]:
    """The texts of a form that came from one of our pages."""
    async with incoming_form(request) as form:
        check_form_key(request, form)
        return {name: value for name, value in form.items() if isinstance(value, str)}


FormHere = Annotated[dict[str, str], Depends(small_form)]


class PageRoute(APIRoute):
    """A route that says no with a page."""

    def get_route_handler(self) -> Handler:
        answer = super().get_route_handler()

        async def answer_or_refusal(request: Request) -> Response:
            try:
                return await answer(request)
            except RefusalError as error:
                return await run_in_threadpool(refusal_page, request, error)
            except RequestValidationError:
                return await run_in_threadpool(refusal_page, request, no_page())

        return answer_or_refusal


def no_page() -> RefusalError:
    return RefusalError("not_found", "there is no such page")


def refusal_page(request: Request, error: RefusalError) -> Response:
    account = None
    if error.code not in ("too_often", "busy", "own_fault"):  # those must not ask the database again
        with platform_of(request).database.reading() as session:
            account = account_by_sign_in(session, browser_cookie(request).secret)
    asked, kept = request.query_params.get("lang"), request.cookies.get(COOKIE)
    texts = catalogue(chosen_language(asked, kept, request.headers.get("accept-language", "")))
    context = {"sentence": texts.refusal(error)}
    return _page(request, account, texts, "error.html", error.status, {**context, "status": error.status})


def local_path(path: str) -> str:
    """A way on within this site, or none.

    >>> local_path("/contests/a"), local_path("//elsewhere"), local_path("https://elsewhere")
    ('/contests/a', '', '')
    """
    is_local = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if is_local and "\\" not in path else ""
