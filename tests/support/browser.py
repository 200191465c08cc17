"""A real browser for the tests: pages from disk with the network off, and what can be wrong with one."""

from __future__ import annotations

import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, expect, sync_playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
WIDE, NARROW = 1280, 400
# milliseconds until what is waited for counts as missing: the machine may be busy
LONG = 120_000
# axe would ask for the style sheets again, which a page from disk may not
AXE = {"resultTypes": ["violations"], "preload": False}
# Chromium prints each object of a PDF whole and one after another
PDF_OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)

STOPS = """() => [...document.querySelectorAll(
    'a[href], button, summary, input, select, textarea, [tabindex="0"]'
)].filter(each => each.checkVisibility() && !each.disabled)"""
# what can show that something has the focus
LOOKS = """each => {
    const look = getComputedStyle(each);
    const outline = look.outlineStyle === 'none' ? '' : look.outline;
    return [outline, look.stroke, look.strokeWidth, look.boxShadow, look.backgroundColor].join(' ');
}"""

IN_WORDS = """each => {
    const all = [...document.querySelectorAll('*')];
    const text = each.getAttribute('aria-label') || each.textContent.trim();
    return `${each.tagName.toLowerCase()} ${all.indexOf(each)}: ${text.slice(0, 60)}`;
}"""


def browser_program() -> str:
    """Where the browser is; playwright's own download is never used."""
    for name in PROGRAMS:
        if found := shutil.which(name):
            return found
    raise RuntimeError(f"none of {', '.join(PROGRAMS)} is installed; `make test` installs Debian's chromium")


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), timeout=LONG)
        expect.set_options(timeout=LONG)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, address: Path | str, width: int = WIDE, height: int = 900) -> Iterator[Page]:
    """A page from disk, whose errors and requests to elsewhere fail the test when it is closed."""
    faults: list[str] = []
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    context.set_default_timeout(LONG)
    context.set_offline(True)
    context.route(lambda url: not url.startswith("file:"), lambda route: route.abort())
    page = context.new_page()
    _listen(page, faults)
    try:
        page.goto(address.as_uri() if isinstance(address, Path) else address)
        yield page
    finally:
        context.close()
    assert not faults, "\n".join(faults)


def _listen(page: Page, faults: list[str]) -> None:
    def asks(request: Request) -> None:
        if not request.url.startswith(("file:", "data:", "blob:", "about:")):
            faults.append(f"asks for {request.url}")

    def says(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            faults.append(f"console {message.type}: {message.text}")

    def halts(dialog: Dialog) -> None:
        faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("request", asks)
    page.on("console", says)
    page.on("dialog", halts)
    page.on("pageerror", lambda error: faults.append(f"page error: {error}"))
    page.on("requestfailed", lambda request: faults.append(f"failed request: {request.url}"))


def serious_faults(page: Page, colours: bool = True) -> list[str]:
    """What axe-core calls serious or critical: the rule, where, and why; looking at colours takes longest."""
    options = AXE | {"rules": {"color-contrast": {"enabled": colours}}}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node['html'][:200]} {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def tab_stops(page: Page) -> list[str]:
    """Everything the Tab key should reach, in words."""
    return sorted(page.evaluate(f"() => ({STOPS})().map({IN_WORDS})"))


def tab_round(page: Page, most: int = 1000) -> dict[str, str]:
    """Press Tab until it comes round: each element that had the focus, and how it looked then."""
    reached: dict[str, str] = {}
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    for _ in range(most):
        page.keyboard.press("Tab")
        name, look = page.evaluate(
            f"() => {{ const e = document.activeElement; return [({IN_WORDS})(e), ({LOOKS})(e)]; }}"
        )
        if name in reached:
            break
        if not name.startswith("body "):  # where the browser's own bars would have it
            reached[name] = look
    return reached


def looks_unfocused(page: Page) -> dict[str, str]:
    """How the same elements look while nothing has the focus."""
    page.evaluate("() => document.activeElement.blur()")
    return dict(page.evaluate(f"() => ({STOPS})().map(each => [({IN_WORDS})(each), ({LOOKS})(each)])"))


def scrolls_sideways(page: Page) -> bool:
    return bool(
        page.evaluate("() => document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth")
    )


def letters_on_pages(pdf: bytes) -> list[int]:
    """For each page of a printed document, how many times it puts down letters: 0 is a blank page."""
    objects = dict(PDF_OBJECT.findall(pdf))
    pages = [each for each in objects.values() if re.search(rb"/Type /Page\b", each)]
    contents = [re.search(rb"/Contents (\d+) 0 R", each) for each in pages]
    return [len(re.findall(rb"\bT[jJ]\b", _stream(objects[each[1]]))) for each in contents if each]


def _stream(text: bytes) -> bytes:
    head, _, rest = text.partition(b"stream\n")
    body = rest.rpartition(b"\nendstream")[0]
    return zlib.decompress(body) if b"/FlateDecode" in head else body
