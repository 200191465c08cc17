"""Style, scripts and signs that pages ask for: ours, htmx, and the script of the reports."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from singleout.platform.refusal import RefusalError
from singleout.platform.web.page import static_content
from singleout.platform.web.visit import A_YEAR, PageRoute

router = APIRouter(route_class=PageRoute, include_in_schema=False)
MEDIA = {
    "platform.css": "text/css", "upload.js": "text/javascript", "htmx.min.js": "text/javascript",
    "report.js": "text/javascript", "icon.svg": "image/svg+xml", "htmx-LICENSE.txt": "text/plain",
}  # fmt: skip


@router.get("/static/{name}")
def static_file(name: str) -> Response:
    """Kept by browsers: pages ask for it by another address when it is another."""
    if name not in MEDIA:
        raise RefusalError("not_found", "there is no such file")
    headers = {"Cache-Control": f"max-age={A_YEAR}"}
    return Response(static_content(name), media_type=MEDIA[name], headers=headers)
