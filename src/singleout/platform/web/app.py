"""The application: the platform opened once, its routes, and what a refusal looks like."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DataError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from singleout.errors import SingleoutError
from singleout.platform.refusal import RefusalError
from singleout.platform.settings import Settings
from singleout.platform.store.database import Clock, now_in_utc
from singleout.platform.store.files import open_shelf
from singleout.platform.store.migration import open_platform
from singleout.platform.web import api, attack_api, metric_api, pages
from singleout.platform.web.rate_limits import RateLimits
from singleout.platform.web.requests import Platform
from singleout.platform.web.security import API, secured
from singleout.platform.web.visit import no_page, refusal_page
from singleout.version import VERSION

LOG = logging.getLogger(__name__)
OPENAPI = "/api/openapi.json"


class SecuredApp(FastAPI):
    """Security stands outside of all else, errors included."""

    def build_middleware_stack(self) -> ASGIApp:
        return secured(super().build_middleware_stack(), self.state.platform.settings)


def create_app(settings: Settings, *, clock: Clock = now_in_utc) -> FastAPI:
    """Opens the database, brings its schema up to date, and puts all routes together."""
    database = open_platform(settings.database, clock=clock)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        database.close()

    app = SecuredApp(
        title="singleout", version=VERSION, docs_url=None, redoc_url=None, openapi_url=OPENAPI,
        lifespan=lifespan,
    )  # fmt: skip
    rates = RateLimits(on=settings.rates)
    app.state.platform = Platform(settings, database, open_shelf(settings.folder), rates)
    app.include_router(api.router)
    app.include_router(attack_api.router)
    app.include_router(metric_api.router)
    app.include_router(pages.router)
    for kind in (SingleoutError, IntegrityError, OperationalError, PoolTimeoutError, DataError,
                 UnicodeEncodeError, RequestValidationError, Exception):  # fmt: skip
        app.add_exception_handler(kind, answer_error)
    app.add_exception_handler(HTTPException, answer_missing)
    return app


async def answer_missing(request: Request, error: Exception) -> Response:
    """An address that leads nowhere, or takes forms only: a page for people, JSON for scripts."""
    assert isinstance(error, HTTPException)
    if error.status_code in (404, 405) and not request.url.path.startswith(API):
        return await run_in_threadpool(refusal_page, request, no_page())
    return await http_exception_handler(request, error)


async def answer_error(request: Request, error: Exception) -> Response:
    """One code and one sentence, never an inner message: a page for people, JSON for scripts."""
    code, message, status = refusal_of(error)
    if status >= 500:
        LOG.error("%s %s: %s", request.method, _route(request), type(error).__name__, exc_info=error)
    if request.url.path.startswith(API):
        headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
        return JSONResponse({"code": code, "message": message}, status, headers)
    return await run_in_threadpool(refusal_page, request, RefusalError(code, message))


def _route(request: Request) -> str:
    """As it is written in the code: an address may hold a secret."""
    return str(getattr(request.scope.get("route"), "path", "an address that leads nowhere"))


def refusal_of(error: Exception) -> tuple[str, str, int]:
    """Code, sentence and status of anything that can go wrong."""
    if isinstance(error, RefusalError):
        return error.code, str(error), error.status
    if isinstance(error, RequestValidationError):
        places = sorted({".".join(map(str, each["loc"])) for each in error.errors()})
        return "bad_request", f"not as it should be: {', '.join(places)}", 422
    if isinstance(error, DataError | UnicodeEncodeError):
        return "bad_text", "a text holds what can't be stored, such as NUL or half a character", 422
    if isinstance(error, IntegrityError):
        return "name_taken", "somebody else did the same at this moment; try again", 409
    if isinstance(error, OperationalError | PoolTimeoutError):
        return "busy", "the database can't be reached now; try again in a moment", 503
    if isinstance(error, SingleoutError):
        return "bad_request", str(error), 422
    return "own_fault", "a mistake of the platform, not yours", 500
