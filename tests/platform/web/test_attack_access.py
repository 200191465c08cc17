"""Guesses, truth and unpublished releases can't be had by others: a crawler tries everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from singleout.platform.settings import Settings
from singleout.platform.store.accounts import make_token, open_sign_in, sign_up
from singleout.platform.store.database import database_address
from singleout.platform.store.guesses import receive_guesses
from singleout.platform.store.results import RESULTS
from singleout.platform.store.schema import AccountRow, ContestRow
from singleout.platform.store.submissions import receive
from singleout.platform.web.app import create_app
from singleout.platform.web.requests import Platform
from tests.support.access_table import ROUTES
from tests.support.attacked_contest import (
    Duel,
    attacked_contest,
    fill_duel,
    guess_file,
    kept,
    move,
    shop,
    target_of,
    truth_of_release,
    work,
    worker_here,
)
from tests.support.small_platform import PASSWORD

# in the release as it was submitted, beside a name of the original
MARK = "only-blue-has-it"
LINKS = re.compile(r"""(?:href|src|action|hx-get)="(/[^"#]*)""")
HIGHEST_NUMBER = 14
OTHERS = ("visitor", "stranger", "Green", "other_organiser")
WATCHERS = ("visitor", "stranger", "Green", "organiser")


@dataclass(frozen=True)
class DuelOnTheWeb:
    """The platform with the duel, everybody who may look at it, and what only the server knows."""

    platform: Platform
    duel: Duel
    accounts: dict[str, AccountRow]
    app: object

    def client(self, role: str, *, by_token: bool) -> TestClient:
        client = TestClient(self.app, base_url="http://localhost", follow_redirects=False)  # type: ignore[arg-type]
        if role in self.accounts:
            with self.platform.database.writing() as session:
                if by_token:
                    token = make_token(session, self.accounts[role], "crawler")[1]
                    client.headers["Authorization"] = f"Bearer {token}"
                else:
                    client.cookies.set("singleout", open_sign_in(session, self.accounts[role]))
        return client

    def bodies(self, role: str) -> Iterator[tuple[str, str]]:
        """Every page and file that somebody can have: all links, and all addresses with all numbers."""
        yield from crawled(self.client(role, by_token=False), self.duel.contest.name)
        yield from crawled(self.client(role, by_token=True), self.duel.contest.name)


def crawled(client: TestClient, contest: str) -> Iterator[tuple[str, str]]:
    waiting, seen = ["/", *addresses(contest)], set()
    while waiting:
        path = waiting.pop()
        if path in seen or path.startswith("/static"):
            continue
        seen.add(path)
        answer = client.get(path)
        if answer.status_code in (301, 302, 303, 307):
            waiting.append(answer.headers["location"])
            assert re.match(r"/(?![/\\])", waiting[-1]), path
        body = answer.content.decode("utf-8", "replace")
        if answer.status_code == 200:
            private = "published" in path or "submissions/" in path or "results" in path
            assert not private or answer.headers["cache-control"] == "no-store", path
            yield path, body
            waiting += [unescape(link) for link in LINKS.findall(body)]


def addresses(contest: str) -> Iterator[str]:
    """All routes that are asked by GET, with every number and every choice."""
    for key in ROUTES:
        method, _, path = key.partition(" ")
        if method != "GET" or "secret" in path or path.startswith("/static"):
            continue
        path = path.replace("{name}", contest)
        choices = {"{part}": ("original", "people", "example"), "{table}": tuple(RESULTS)}
        name = next((each for each in choices if each in path), None)
        for choice in choices.get(name or "", ("",)):
            chosen = path.replace(name or "\0", choice)
            if "{number}" in chosen:
                yield from (chosen.replace("{number}", str(each)) for each in range(1, HIGHEST_NUMBER))
            elif "{" not in chosen:
                yield chosen


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DuelOnTheWeb]:
    app = create_app(Settings(tmp_path, database_address(None, tmp_path), rates=False))
    platform: Platform = app.state.platform
    with platform.database.writing() as session:
        duel = fill_duel(session, platform.shelf, attacked_contest())
        marked = shop().replace(b"c000,g0", f"c000,{MARK}".encode())
        receive(session, duel.contest, duel.members["Blue"], kept(platform.shelf, marked))
        accounts = dict(duel.members) | {"organiser": duel.organiser}
        accounts["stranger"] = sign_up(session, "Stranger", PASSWORD)
        accounts["other_organiser"] = sign_up(session, "Other", PASSWORD, "organiser")
    work(worker_here(platform.database, platform.shelf, monkeypatch))
    yield DuelOnTheWeb(platform, duel, accounts, app)
    platform.database.close()


def prepared(web: DuelOnTheWeb, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    move(web.platform.database, web.duel, kind)
    work(worker_here(web.platform.database, web.platform.shelf, monkeypatch))


def test_nothing_of_an_unpublished_release_is_anywhere(
    web: DuelOnTheWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(web, monkeypatch, "shuffled")
    with web.platform.database.reading() as session:
        names = {*truth_of_release(session, web.duel, "Blue"), *truth_of_release(session, web.duel, "Red")}
        seed = session.get_one(ContestRow, web.duel.contest.id).attack_seed
    assert seed is not None
    for role in (*OTHERS, "Red"):
        bodies = dict(web.bodies(role))
        assert len(bodies) > 5
        for path, body in bodies.items():
            assert MARK not in body, path
            assert seed not in body, path
            assert not [name for name in names if name in body], path


def test_guesses_and_truth_stay_with_their_owners(web: DuelOnTheWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared(web, monkeypatch, "attack")
    with web.platform.database.writing() as session:
        who = truth_of_release(session, web.duel, "Blue")
        number = target_of(session, web.duel, "Blue")
        file = kept(web.platform.shelf, guess_file(who), "reds-own.csv")
        row = receive_guesses(session, web.duel.contest, web.duel.members["Red"], file, number)
    work(worker_here(web.platform.database, web.platform.shelf, monkeypatch))
    for role in (*OTHERS, "Blue"):
        for path, body in web.bodies(role):
            of_release = path.endswith(f"/published/{number}/release")
            assert of_release or not [name for name in who if name in body], (role, path)
            assert f"c000,{MARK}" not in body or role == "Blue", (role, path)
            assert "reds-own.csv" not in body, (role, path)
    own = dict(web.bodies("Red"))
    assert f"/contests/duel/submissions/{row.id}" in own
    assert [name for name in who if name in own["/api/contests/duel/results/guesses"]] == [*who]
    managers = dict(web.bodies("organiser"))
    assert "c000" in managers["/api/contests/duel/results/exposures"]


def test_guesses_stay_so_when_the_attack_is_over(web: DuelOnTheWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrix is for those who see values; whoever does not is told that, and not to wait for it."""
    prepared(web, monkeypatch, "attack")
    with web.platform.database.writing() as session:
        who = truth_of_release(session, web.duel, "Blue")
        number = target_of(session, web.duel, "Blue")
        file = kept(web.platform.shelf, guess_file(who), "reds-own.csv")
        receive_guesses(session, web.duel.contest, web.duel.members["Red"], file, number)
    assert (
        "when the attack is over" in web.client("visitor", by_token=False).get("/contests/duel/matrix").text
    )
    prepared(web, monkeypatch, "scored")
    pages = {role: web.client(role, by_token=False).get("/contests/duel/matrix").text for role in WATCHERS}
    assert [role for role, page in pages.items() if 'id="best-attacks"' in page] == ["Green", "organiser"]
    assert [role for role, page in pages.items() if "not shown to you" in page] == ["visitor", "stranger"]
    for role in ("visitor", "Green"):
        for path, body in web.bodies(role):
            of_release = path.endswith(f"/published/{number}/release")
            assert of_release or not [name for name in who if name in body], (role, path)
            assert "reds-own.csv" not in body, (role, path)


def test_a_release_is_for_participants_when_its_phase_has_come(
    web: DuelOnTheWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(web, monkeypatch, "published")
    with web.platform.database.reading() as session:
        path = f"/api/contests/duel/published/{target_of(session, web.duel, 'Blue')}/release"
    found = {
        role: web.client(role, by_token=True).get(path).status_code
        for role in (*OTHERS, "Red", "Blue", "organiser")
    }
    assert found == {
        "visitor": 401, "stranger": 403, "other_organiser": 403, "Green": 200, "Red": 200, "Blue": 200,
        "organiser": 200,
    }  # fmt: skip
