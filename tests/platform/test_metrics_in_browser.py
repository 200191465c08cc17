"""An SQL, a Python and an R metric dragged onto the page, tried, run and shown on the board."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, expect

from singleout.platform.sandbox.r_program import r_home
from singleout.platform.store.accounts import account_by_token, open_sign_in
from singleout.platform.store.database import database_address
from singleout.platform.store.schema import SubmissionRow
from singleout.platform.store.submissions import score_original
from singleout.platform.worker.metric_runs import MetricRuns
from tests.support.sandbox_walls import metric_file, wall_or_skip
from tests.support.web_people import WebPeople, web_people

pytestmark = pytest.mark.xdist_group("browser")

DROP = """([name, text]) => {
  const given = new DataTransfer();
  given.items.add(new File([text], name));
  document.querySelector("[data-drop]").dispatchEvent(
    new DragEvent("drop", {dataTransfer: given, bubbles: true, cancelable: true}));
}"""
BODIES = {
    "rows.sql": "SELECT count(*) FROM release",
    "names.py": "def metric(release):\n    print('hello')\n    return release.num_columns",
    "cells.R": "nrow(release) * ncol(release)",
}
WANTED = {"rows": "1", "names": "2", "cells": "2"}


@contextmanager
def listening(people: WebPeople) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(people.app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://localhost:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def text_of(file: str) -> str:
    name, ending = file.split(".")
    lines = f'name = "{name}"', 'family = "utility"', 'better = "higher"', "range = [0, 100]"
    return metric_file("sql" if ending == "sql" else "python", BODIES[file], *lines)


def test_metrics_dragged_onto_the_page_are_shown(browser: Browser, tmp_path: Path) -> None:
    walls = wall_or_skip()
    files = [each for each in BODIES if not each.endswith(".R") or r_home() is not None]
    with web_people(tmp_path, database_address(None, tmp_path)) as people, listening(people) as url:
        platform = people.platform
        with platform.database.writing() as session:
            session.get_one(SubmissionRow, people.submission).state = "scored"
            score_original(session, people.small.contest).state = "scored"
            account = account_by_token(session, people.tokens["member"])
            assert account is not None
            secret = open_sign_in(session, account)
        runs = MetricRuns(platform.database, platform.shelf, "w1", walls)
        context = browser.new_context(base_url=url)
        context.add_cookies([{"name": "singleout", "value": secret, "url": url}])
        page = context.new_page()
        for file in files:
            page.goto("/contests/small/metrics")
            page.evaluate(DROP, [file, text_of(file)])
            page.wait_for_url(re.compile(r"/metrics/\d+$"))
            while runs.work_once():
                pass
            page.reload()
            expect(page.locator("#state .state")).to_contain_text("accepted")
            expect(page.locator("#values")).to_contain_text(WANTED[file.split(".")[0]])
            if file.endswith(".py"):
                expect(page.locator("#state pre")).to_have_text("hello\n")
        page.goto("/contests/small/board")
        for file in files:
            expect(page.locator("#own-metrics thead")).to_contain_text(file.split(".")[0])
        own = page.locator("#own-metrics tbody tr", has_text="Blue").locator("td").all_inner_texts()
        # and 1 by the metric that their team had uploaded before
        assert sorted(own) == sorted(["1", *(WANTED[file.split(".")[0]] for file in files)])
        context.close()
