"""A contest with its attack phase from opening to the final ranks in a real browser, on both databases."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from singleout.platform.attack_rules import AttackRules
from tests.support.attacked_contest import attacked_contest, blurred, guess_file, shop
from tests.support.browser import LONG, NARROW
from tests.support.contest_browser import (
    Server,
    become_admin,
    check_looks,
    drag_onto,
    drop,
    serving,
    sign_up,
    take_part,
    visiting,
)
from tests.support.postgres_server import new_schema

pytestmark = pytest.mark.xdist_group("browser")
RELEASES = {"Blue": shop(), "Red": blurred()}


@pytest.fixture(params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    database = None
    if request.param == "postgres":
        database = new_schema(request.getfixturevalue("postgres_address"))
    with serving(tmp_path, "--port", "0", database=database) as started:
        yield started


def make_contest(page: Page, server: Server, folder: Path) -> None:
    """From a template with an attack phase, its rules as TOML."""
    become_admin(page, server)
    page.goto("/contests/new?template=purchase-history")
    page.get_by_role("link", name="Add an attack phase").click()
    assert 'kind = "shuffled"' in page.input_value("#definition")
    check_looks(page)
    rules = replace(attacked_contest(), attack=AttackRules(looks_in_all=10))
    original, definition = folder / "original.csv", folder / "contest.toml"
    original.write_bytes(shop())
    definition.write_text(rules.to_toml(), encoding="utf-8")
    page.fill("#name", "duel")
    page.set_input_files("#original", original)
    page.set_input_files("#definition_file", definition)
    page.get_by_role("button", name="Create the draft").click()
    expect(page.locator(".said")).to_contain_text("The draft was made")
    page.get_by_role("button", name="Open the contest").click()
    expect(page.locator(".said")).to_have_text("Done.")


def start(page: Page, phase: str) -> None:
    page.goto("/contests/duel/manage")
    page.get_by_role("button", name=f"Start this phase now: {phase}").click()
    expect(page.locator(".said")).to_have_text("Done.")


def wait_for_publication(page: Page) -> None:
    """Pages without a script are reloaded by whoever waits."""
    for _ in range(60):
        page.goto("/contests/duel/manage")
        states = [each.inner_text() for each in page.locator("table >> nth=0 >> tbody td:nth-child(2)").all()]
        if states == ["published", "published"]:
            return
        page.wait_for_timeout(2_000)
    raise AssertionError(states)


def guesses_at(page: Page, number: int, folder: Path) -> Path:
    """By the goods, which nobody but their buyer buys together."""
    table = page.request.get(f"/api/contests/duel/published/{number}/release").text()
    baskets: dict[str, list[str]] = {}
    for row in csv.DictReader(io.StringIO(table)):
        baskets.setdefault(row["customer"], []).append(row["goods"])
    known: dict[str, list[str]] = {}
    for row in csv.DictReader(io.StringIO(shop().decode())):
        known.setdefault(row["customer"], []).append(row["goods"])
    people = {tuple(sorted(goods)): name for name, goods in known.items()}
    path = folder / "guesses.csv"
    path.write_bytes(guess_file({name: people[tuple(sorted(goods))] for name, goods in baskets.items()}))
    return path


def test_a_contest_with_its_attack_phase(browser: Browser, server: Server, tmp_path: Path) -> None:
    with visiting(browser, server) as organiser, visiting(browser, server) as red:
        make_contest(organiser, server, tmp_path)
        with visiting(browser, server) as blue:
            for page, team in ((blue, "Blue"), (red, "Red")):
                sign_up(page, f"Person of {team}")
                take_part(page, "duel", team)
                release = tmp_path / f"{team}.csv"
                release.write_bytes(RELEASES[team])
                drop(page, "duel", release)
                expect(page.locator(".state.scored")).to_be_visible(timeout=LONG)
        start(organiser, "Attack")
        wait_for_publication(organiser)
        attack_as_red(red, tmp_path)
        organiser.goto("/contests/duel/matrix")
        expect(organiser.locator("main")).to_contain_text("The attack is not over")
        start(organiser, "Scores")
        check_matrix(red)
        check_final_board(red)
    with visiting(browser, server, NARROW) as phone:
        for path in ("/contests/duel", "/contests/duel/matrix", "/contests/duel/matrix?lang=ja"):
            phone.goto(path)
            check_looks(phone)


def attack_as_red(page: Page, folder: Path) -> None:
    page.goto("/contests/duel/matrix")
    expect(page.locator("main")).to_contain_text("shown when the attack is over")
    page.goto("/contests/duel/attack")
    check_looks(page)
    listed = json.loads(page.request.get("/api/contests/duel/published").text())
    (number,) = (each["number"] for each in listed["releases"] if not each["own"])
    wrong = folder / "wrong.csv"
    wrong.write_text("release_user,original_user\nnobody,c001\n", encoding="utf-8")
    page.select_option("#target", str(number))
    drag_onto(page, page.locator("[data-drop]"), wrong)
    expect(page.locator(".problem")).to_contain_text("record 1: is nobody of this release", timeout=LONG)
    check_looks(page)
    page.goto("/contests/duel/attack")
    page.select_option("#target", str(number))
    drag_onto(page, page.locator("[data-drop]"), guesses_at(page, number, folder))
    expect(page.locator(".said")).to_contain_text("at least 100% of the people", timeout=LONG)
    check_looks(page)
    page.goto("/contests/duel/attack")
    expect(page.locator("main")).to_contain_text("9 in all")


def check_matrix(page: Page) -> None:
    page.goto("/contests/duel/matrix")
    check_looks(page)
    best = [each.inner_text().split("\t") for each in page.locator("#best-attacks tbody tr").all()]
    assert best[0][:3] == ["Blue", "Red", "100%"]
    assert best[1][0] == "Red"
    assert best[1][1].startswith("house: ")
    assert page.locator("#best-attackers tbody th").first.inner_text().startswith("Red")
    assert page.locator("svg.drawing").count() == 1


def check_final_board(page: Page) -> None:
    """Red's blurred data is better protected than Blue's, which everybody was recognised in."""
    page.goto("/contests/duel/board")
    check_looks(page)
    rows = {
        each.locator("th").inner_text(): each.inner_text() for each in page.locator("#ranks tbody tr").all()
    }
    assert "100%" in rows["Blue"]
    values = json.loads(page.request.get("/api/contests/duel/board").text())
    found = {line["team"]: line["values"] for line in values["lines"]}
    assert found["Blue"]["guesses"] == found["Blue"]["best"] == 1.0
    assert found["Red"]["best"] < 0.5
