"""What every request passes: hosts, sizes, headers, the browser's cookie, and the key that forms carry."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request, cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from singleout.platform.refusal import RefusalError
from singleout.platform.settings import Settings
from singleout.platform.store.secret import new_secret

FORM_KEY_FIELD, FORM_KEY_HEADER = "form_key", "x-form-key"
API, STATIC = "/api", "/static"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
MOST_FORM_BYTES = 1_000_000
# where tables come in; everything else is a small form
UPLOADS = re.compile(r"/contests(/[^/]+/(submit|data|attack))?|/api/contests(/[^/]+/(submissions|guesses))?")
A_FORTNIGHT = 14 * 24 * 3600
SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(frozen=True)
class BrowserCookie:
    """The secret that a browser carries, signed in or not; a new one is sent with the answer."""

    secret: str
    is_new: bool = False

    @property
    def form_key(self) -> str:
        """What a form of this browser has to carry; whoever knows it does not know the secret."""
        return sha256(b"form key of " + self.secret.encode()).hexdigest()


def browser_cookie(request: Request) -> BrowserCookie:
    cookie: BrowserCookie = request.scope["singleout.cookie"]
    return cookie


def change_cookie(request: Request, secret: str | None = None) -> None:
    """After signing in or out: nobody who knew the old secret knows this one."""
    request.scope["singleout.cookie"] = BrowserCookie(secret or new_secret(), is_new=True)


def check_form_key(request: Request, form: Any) -> None:
    """Asked by every page that changes something; the key is in the form, or in a header of a script."""
    given = request.headers.get(FORM_KEY_HEADER) or form.get(FORM_KEY_FIELD) or ""
    wanted = browser_cookie(request).form_key
    if not isinstance(given, str) or not compare_digest(given.encode(), wanted.encode()):
        raise RefusalError("bad_form_key", "the form is too old; load the page again and send it once more")


def secured(app: ASGIApp, settings: Settings) -> ASGIApp:
    """The application within all that every request passes."""
    guarded: ASGIApp = BodyLimitMiddleware(app, settings.most_upload_bytes)
    guarded = TrustedHostMiddleware(guarded, allowed_hosts=settings.hosts, www_redirect=False)
    return SecurityMiddleware(guarded, settings)


class BodyLimitMiddleware:
    """Counts while a body comes in: tables may be large, forms may not."""

    def __init__(self, app: ASGIApp, most_upload_bytes: int) -> None:
        self.form = RequestBodyLimitMiddleware(app, MOST_FORM_BYTES)
        self.upload = RequestBodyLimitMiddleware(app, most_upload_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_upload = scope["type"] == "http" and UPLOADS.fullmatch(scope["path"]) is not None
        await (self.upload if is_upload else self.form)(scope, receive, send)


class SecurityMiddleware:
    """Headers on every answer, a cookie for every browser, and no change asked for by another site."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.https = settings.https
        # a browser takes such a name only over https, for the whole host and from no other
        self.cookie_name = "__Host-singleout" if settings.https else "singleout"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        scope["singleout.cookie"] = self._cookie(headers)

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._complete(scope, MutableHeaders(scope=message))
            await send(message)

        if scope["method"] not in SAFE_METHODS and _is_from_elsewhere(headers):
            await PlainTextResponse("asked for by another site", 403)(scope, receive, send_secured)
            return
        await self.app(scope, receive, send_secured)

    def _cookie(self, headers: Headers) -> BrowserCookie:
        given = cookie_parser(headers.get("cookie", "")).get(self.cookie_name, "")
        return BrowserCookie(given) if SECRET.fullmatch(given) else BrowserCookie(new_secret(), is_new=True)

    def _complete(self, scope: Scope, headers: MutableHeaders) -> None:
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        if self.https:
            headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        path: str = scope["path"]
        headers.setdefault("Cache-Control", "no-store")  # what may be kept says so itself
        cookie: BrowserCookie = scope["singleout.cookie"]
        if cookie.is_new and not path.startswith((API, STATIC)):
            headers.append("Set-Cookie", self._set_cookie(cookie.secret))

    def _set_cookie(self, secret: str) -> str:
        secure = "; Secure" if self.https else ""
        return f"{self.cookie_name}={secret}; Path=/; Max-Age={A_FORTNIGHT}; HttpOnly; SameSite=Lax{secure}"


def _is_from_elsewhere(headers: Headers) -> bool:
    """What browsers say of themselves; scripts say nothing and have no cookie to be misused."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host", "")
