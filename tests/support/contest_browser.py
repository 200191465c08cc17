"""A contest in a real browser: a server that was started by one command, and people who visit it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import LONG, WIDE, scrolls_sideways, serious_faults

PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class Server:
    """Where it is, and the database of one whose workers are processes of their own."""

    url: str
    link: str
    database: str | None = None


@contextmanager
def serving(folder: Path, *words: str, database: str | None = None) -> Iterator[Server]:
    """`singleout serve` on an empty folder: the first lines are its address and the link for its admin."""
    with running(folder, "serve", *words, database=database) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline(), process.stdout.readline()]
        url, link = (re.search(r"http://\S+", line) for line in lines)
        assert url is not None, lines
        assert link is not None, lines
        yield Server(url[0], link[0], database)


@contextmanager
def running(folder: Path, *words: str, database: str | None) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "singleout", *words, "--folder", str(folder / "data")]
    environment = {**os.environ, **({} if database is None else {"SINGLEOUT_DATABASE": database})}
    with (folder / "log.txt").open("a", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        try:
            yield process
        finally:
            process.terminate()
            process.communicate(timeout=300)


@contextmanager
def visiting(browser: Browser, server: Server, width: int = WIDE) -> Iterator[Page]:
    """A person with a browser of their own; what the console complains of fails the test."""
    faults: list[str] = []
    context = browser.new_context(base_url=server.url, viewport={"width": width, "height": 900}, locale="en")
    context.set_default_timeout(LONG)
    page = context.new_page()
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    # a refusal has a status of its own, which the console repeats
    assert [each for each in faults if "the server responded with a status of 4" not in each] == []


def check_looks(page: Page) -> None:
    assert page.locator("h1").count() == 1
    assert not scrolls_sideways(page)
    assert serious_faults(page) == []


def sign_up(page: Page, name: str) -> None:
    page.goto("/sign-up")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.click("main button")
    expect(page.locator("nav >> text=Sign out")).to_be_visible()


def take_part(page: Page, contest: str, team: str) -> None:
    page.goto(f"/contests/{contest}")
    page.get_by_role("link", name="Take part").click()
    page.fill("#team-name", team)
    page.get_by_role("button", name="Make a team").click()
    expect(page.locator("main h2").first).to_have_text(team)


def drop(page: Page, contest: str, release: Path, truth: Path | None = None) -> None:
    page.goto(f"/contests/{contest}/submit")
    if truth is not None:
        page.set_input_files("#truth", truth)
    drag_onto(page, page.locator("[data-drop]").first, release)


def drag_onto(page: Page, target: Locator, file: Path) -> None:
    """A file from disk, by what the browser itself hears when somebody drags one in."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box is not None
    where = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 20}
    carried = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
    session = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, **where, "data": carried})


def become_admin(page: Page, server: Server) -> None:
    page.goto(server.link)
    page.fill("#name", "Ada")
    page.fill("#password", PASSWORD)
    page.click("main button")
