"""Style, scripts and signs that pages ask for: ours, htmx, and the script of the reports."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from fastapi import APIRouter
from starlette.responses import Response

from singleout.platform.refusal import RefusalError
from singleout.platform.web.visit import PageRoute

router = APIRouter(route_class=PageRoute, include_in_schema=False)
MEDIA = {
    "platform.css": "text/css", "upload.js": "text/javascript", "htmx.min.js": "text/javascript",
    "report.js": "text/javascript", "icon.svg": "image/svg+xml", "htmx-LICENSE.txt": "text/plain",
}  # fmt: skip
# its tooltips are the reports' own
REPORTS = ("report.js",)


@router.get("/static/{name}")
def static_file(name: str) -> Response:
    if name not in MEDIA:
        raise RefusalError("not_found", "there is no such file")
    return Response(_content(name), media_type=MEDIA[name], headers={"Cache-Control": "max-age=3600"})


@cache
def _content(name: str) -> bytes:
    package, folder = (
        ("singleout.report.pages", "templates") if name in REPORTS else ("singleout.platform.web", "static")
    )
    return (files(package) / folder / name).read_bytes()
