"""A contest from its opening to its export in a real browser, on a server that was started by one command."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from zipfile import ZipFile

import psycopg
import pytest
from playwright.sync_api import Browser, Page, expect

from singleout.platform.demo_contest import RELEASES, demo_releases
from singleout.platform.web.page import figure_of, rank_of
from singleout.read.samples import sample
from singleout.report.charts.layout import number, share
from singleout.utility.compare.compare import compare
from singleout.utility.compare.result import Comparison
from tests.support.access_table import PAGE_ROUTES
from tests.support.browser import LONG, NARROW, WIDE
from tests.support.contest_browser import (
    Server,
    become_admin,
    check_looks,
    drop,
    running,
    serving,
    sign_up,
    take_part,
    visiting,
)
from tests.support.postgres_server import new_schema

pytestmark = pytest.mark.xdist_group("browser")

CHOSEN = ("tens.csv", "columns.csv")
LEASE = 3


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The small form in one command; the large one on PostgreSQL with two workers."""
    folder = tmp_path_factory.mktemp("platform")
    if request.param == "sqlite":
        with serving(folder, "--port", "0") as started:
            yield started
        return
    database = new_schema(request.getfixturevalue("postgres_address"))
    with serving(folder, "--port", "0", "--workers", "0", database=database) as started, ExitStack() as rest:
        for _ in range(2):
            rest.enter_context(running(folder, "worker", "--lease", str(LEASE), database=database))
        yield started


def make_contest(page: Page, server: Server, original: Path) -> None:
    """From the template, ranked as `compare` ranks, with small files only."""
    become_admin(page, server)
    page.goto("/contests/new?template=payment-card")
    check_looks(page)
    page.fill("#name", "cards")
    page.set_input_files("#original", original)
    assert 'uncertain = "last"' in page.input_value("#definition")
    page.fill("#megabytes", "1")
    page.get_by_role("button", name="Create the draft").click()
    expect(page.locator(".said")).to_contain_text("The draft was made")
    page.get_by_role("button", name="Open the contest").click()
    expect(page.locator(".said")).to_have_text("Done.")


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    original = tmp_path_factory.mktemp("card") / "card.csv"
    sample("card", out=original)
    return original


@pytest.fixture(scope="module")
def releases(card: Path) -> dict[str, tuple[Path, Path]]:
    assert {*CHOSEN} <= {each.name for each in RELEASES}
    made = demo_releases(card, card.parent)
    return {each.name: (out, truth) for each, out, truth in made if each.name in CHOSEN}


@pytest.fixture(scope="module")
def by_hand(card: Path, releases: dict[str, tuple[Path, Path]]) -> Comparison:
    """What `singleout compare` says of the same files."""
    from singleout.platform.contest import template

    contest = template("payment-card")
    return compare(
        card, *(out for out, _ in releases.values()), truth=[truth for _, truth in releases.values()],
        user=contest.user, metrics=contest.of_family("utility"), attacks=contest.of_family("privacy"),
        **contest.parts,
    )  # fmt: skip


def test_a_contest_from_its_opening_to_its_export(
    browser: Browser,
    server: Server,
    card: Path,
    releases: dict[str, tuple[Path, Path]],
    by_hand: Comparison,
) -> None:
    with visiting(browser, server) as organiser:
        make_contest(organiser, server, card)
        for team, name in zip(("Tens", "Columns"), CHOSEN, strict=True):
            with visiting(browser, server) as page:
                sign_up(page, f"Person of {team}")
                take_part(page, "cards", team)
                drop(page, "cards", *releases[name])
                expect(page.locator("#state")).to_be_visible()
                if server.database is not None and team == "Tens":
                    kill_whoever_scores(server.database, team)
                expect(page.locator(".state.scored")).to_be_visible(timeout=LONG)
                check_looks(page)
                check_metrics(page, by_hand, CHOSEN.index(name))
                if server.database is None and team == "Tens":
                    check_every_page(page, "member", int(page.url.rpartition("/")[2]))
        with visiting(browser, server) as page:
            sign_up(page, "Careless")
            take_part(page, "cards", "Careless")
            refuse_bad_files(page, card)
        check_board(organiser, by_hand)
        check_values(organiser, by_hand)
        if server.database is None:
            check_every_page(organiser, "admin", 1)
        close_and_export(organiser)
    with visiting(browser, server) as page:
        page.goto("/contests/cards")
        expect(page.locator("main")).to_contain_text("Closed")


def check_every_page(page: Page, role: str, number: int) -> None:
    """Whatever a role may look at, by the table that has every route: on a phone at night, and by day."""
    pages = [
        (each.path or key.removeprefix("GET ")).format(name="cards", number=number)
        for key, each in PAGE_ROUTES.items()
        if key.startswith("GET ") and each.statuses[role] == 200 and "/static/" not in key
        and not key.endswith("/state")
    ]  # fmt: skip
    assert len(pages) > 8
    for width, scheme, language in ((NARROW, "dark", "ja"), (WIDE, "light", "en")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for path in pages:
            page.goto(f"{path}?lang={language}")
            check_looks(page)


def kill_whoever_scores(database: str, team: str) -> None:
    """kill -9 while it is at it: the other worker does it anew, and the participant only waits longer."""
    query = """SELECT jobs.worker FROM jobs JOIN submissions ON submissions.id = jobs.submission_id
        JOIN teams ON teams.id = submissions.team_id
        WHERE jobs.kind = 'score' AND jobs.state = 'running' AND teams.name = %s"""
    deadline = time.monotonic() + LONG / 1000
    with psycopg.connect(database, autocommit=True) as connection:
        while (found := connection.execute(query, [team]).fetchone()) is None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    os.kill(int(found[0].split("-")[-2]), signal.SIGKILL)


def check_metrics(page: Page, comparison: Comparison, index: int) -> None:
    """Each metric of a submission beside the original's, as its team reads them."""
    outcome = comparison.outcomes[index]
    shown = {row[0].split()[0]: row[1] for row in table_rows(page, "#state table")}
    for metric in outcome.utility:
        assert shown[metric.name] == figure_of(metric.value, "utility"), metric.name
    for attempt in outcome.privacy:
        assert shown[attempt.name].removeprefix("≥ ") == figure_of(attempt.rate, "privacy"), attempt.name


def refuse_bad_files(page: Page, card: Path) -> None:
    lines = card.read_text(encoding="utf-8").splitlines()
    bad = card.parent / "bad.csv"
    bad.write_text(
        "\n".join([*lines[:4], lines[4].rpartition(",")[0] + ",much", *lines[5:]]), encoding="utf-8"
    )
    drop(page, "cards", bad)
    expect(page.locator(".problem")).to_contain_text("column fare, record 4: is no number", timeout=LONG)
    assert "much" not in page.locator("main").inner_text()
    check_looks(page)
    large = card.parent / "large.csv"
    large.write_text("\n".join([lines[0], *lines[1:] * 40]), encoding="utf-8")
    drop(page, "cards", large)
    expect(page.locator(".problem")).to_contain_text("was not sent: up to 1 MB")
    # a browser without our script sends it, and is told the same
    answer = page.request.post(
        "/contests/cards/submit",
        multipart={
            "form_key": page.input_value("main [name=form_key]"),
            "release": {"name": "large.csv", "mimeType": "text/csv", "buffer": large.read_bytes()},
        },
    )
    assert answer.status == 413
    assert "1 MB at most" in answer.text()
    page.goto("/contests/cards/team")
    expect(page.locator("main dl")).to_contain_text("10")


def check_board(page: Page, comparison: Comparison) -> None:
    page.goto("/contests/cards/board")
    check_looks(page)
    ranking = comparison.ranking
    assert ranking is not None
    teams = dict(zip((each.name for each in ranking.releases), ("Tens", "Columns"), strict=True))
    shown = {row[1]: row[2:6] for row in table_rows(page, "#ranks")}
    for each, name in [(each, teams[each.name]) for each in ranking.releases] + [
        (ranking.original, "The original")
    ]:
        least = "" if each.compared else "≥ "
        assert shown[name] == [
            rank_of(each.overall), rank_of(each.utility_rank), rank_of(each.privacy_rank),
            least + figure_of(each.highest_rate, "privacy"),
        ]  # fmt: skip
    check_scatter(page, comparison, teams)
    places = [row[1] for row in table_rows(page, "#ranks") if row[1] != "The original"]
    assert places == [teams[each.name] for each in ranking.best_first]


def check_scatter(page: Page, comparison: Comparison, teams: dict[str, str]) -> None:
    """What each mark of the drawings says: the ranks, and S2 against U1."""
    assert page.locator("svg.drawing").count() == 3
    said = {each.get_attribute("aria-label") for each in page.locator("svg.drawing [aria-label]").all()}
    assert comparison.ranking is not None
    for each in comparison.ranking.releases:
        team = teams[each.name]
        start = f"{team}: utility rank {each.utility_rank:g}, privacy rank {each.privacy_rank:g}, "
        assert any(text and text.startswith(start) for text in said), start
    for team, outcome in zip(("Tens", "Columns"), comparison.outcomes, strict=True):
        use = next(each.value for each in outcome.utility if each.name == "u1_fare_by_person")
        attempt = next(each for each in outcome.privacy if each.name == "amount")
        assert use is not None
        rate = ("" if attempt.compared else "at least ") + share(attempt.rate)
        assert f"{team}: u1_fare_by_person {number(use)}, amount recognises {rate}" in said


def table_rows(page: Page, table: str) -> list[list[str]]:
    rows = page.locator(f"{table} tbody tr").all()
    return [[" ".join(cell.inner_text().split()) for cell in row.locator("th, td").all()] for row in rows]


def check_values(page: Page, comparison: Comparison) -> None:
    """To the last digit."""
    rows = json.loads(page.request.get("/api/contests/cards/results/metric_values?format=json").text())
    found = {(row["team"], row["metric"]): row["value"] for row in rows if row["team"]}
    wanted: dict[tuple[str, str], float | None] = {}
    for team, outcome in zip(("Tens", "Columns"), comparison.outcomes, strict=True):
        wanted |= {(team, each.name): each.value for each in outcome.utility}
        wanted |= {(team, each.name): each.rate for each in outcome.privacy}
    assert found == wanted
    assert len(wanted) == 2 * (12 + 6 + 2)


def close_and_export(page: Page) -> None:
    page.goto("/contests/cards/manage")
    check_looks(page)
    page.get_by_role("button", name="Close the contest").click()
    expect(page.locator(".said")).to_have_text("Done.")
    archive = ZipFile(io.BytesIO(page.request.get("/api/contests/cards/archive").body()))
    names = archive.namelist()
    assert {"contest.toml", "submissions.csv", "metric_values.csv", "ranks.csv"} <= {*names}
    rows = [*csv.DictReader(io.StringIO(archive.read("submissions.csv").decode()))]
    assert sorted((row["team"], row["state"]) for row in rows) == [
        ("", "scored"), ("Careless", "refused"), ("Columns", "scored"), ("Tens", "scored"),
    ]  # fmt: skip
    assert len([name for name in names if name.endswith("/release")]) == len(rows)


@pytest.mark.parametrize("server", ["sqlite"], indirect=True)
@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_a_visitor_are_readable(
    browser: Browser, server: Server, width: int, language: str, scheme: str
) -> None:
    with visiting(browser, server, width) as page:
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for path in ("/", "/sign-in", "/sign-up", "/nowhere"):
            page.goto(f"{path}?lang={language}")
            assert page.locator("html").get_attribute("lang") == language
            check_looks(page)
        page.goto("/")
        assert page.locator("html").get_attribute("lang") == language
