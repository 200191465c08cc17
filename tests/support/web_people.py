"""A platform in this process with an account of every role, asked as a script would ask."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from singleout.platform.settings import Settings
from singleout.platform.store.accounts import account_by_token, make_token, open_sign_in, sign_up
from singleout.platform.store.contests import create_contest
from singleout.platform.store.metrics import add_metric
from singleout.platform.store.schema import AccountRow
from singleout.platform.store.teams import make_team
from singleout.platform.web.app import create_app
from singleout.platform.web.requests import Platform
from singleout.platform.web.security import FORM_KEY_HEADER, BrowserCookie
from tests.support.access_table import METRIC_TEXT
from tests.support.small_platform import PASSWORD, SmallPlatform, fill, small_contest, stored, submit

# the secret of a browser that is not signed in; forms that it sends carry its key
BROWSER = "b" * 43
NAMES = {"stranger": "participant", "rival": "participant", "other_organiser": "organiser", "admin": "admin"}


@dataclass(frozen=True)
class WebPeople:
    """The application, its contest `small` and its draft `unborn`, and a token of each role."""

    app: FastAPI
    small: SmallPlatform
    submission: int
    tokens: dict[str, str]

    @property
    def platform(self) -> Platform:
        platform: Platform = self.app.state.platform
        return platform

    def browser(self, role: str = "visitor") -> TestClient:
        """Signed in by a cookie, with the key that forms carry; it follows no redirection."""
        client = TestClient(self.app, base_url="http://localhost", follow_redirects=False)
        secret = "v" * 43
        if role != "visitor":
            with self.platform.database.writing() as session:
                account = account_by_token(session, self.tokens[role])
                assert account is not None
                secret = open_sign_in(session, account)
        client.cookies.set("singleout", secret)
        client.headers[FORM_KEY_HEADER] = BrowserCookie(secret).form_key
        return client

    def client(self, role: str = "visitor", **settings: Any) -> TestClient:
        token = self.tokens.get(role)
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return TestClient(self.app, base_url="http://localhost", headers=headers, **settings)

    def client_with_forms(self, role: str) -> TestClient:
        """The same, whose forms are those of our own pages."""
        client = self.client(role, cookies={"singleout": BROWSER})
        client.headers[FORM_KEY_HEADER] = BrowserCookie(BROWSER).form_key
        return client


@contextmanager
def web_people(folder: Path, address: str, **changes: Any) -> Iterator[WebPeople]:
    app = create_app(replace(Settings(folder, address, rates=False), **changes))
    platform: Platform = app.state.platform
    with platform.database.writing() as session:
        small = fill(session, platform.shelf)
        accounts: dict[str, AccountRow] = {"member": small.member, "organiser": small.organiser}
        for name, role in NAMES.items():
            accounts[name] = sign_up(session, name, PASSWORD, role)
        make_team(session, small.contest, accounts["rival"], "Red")
        number = submit(session, platform.shelf, small).id
        text = METRIC_TEXT.format("kept").encode()
        add_metric(session, small.contest, small.member, small.team, text, "kept.sql")
        create_contest(
            session, small.organiser, small_contest("unborn"), {"original": stored(platform.shelf)}
        )
        tokens = {role: make_token(session, account, "t")[1] for role, account in accounts.items()}
    yield WebPeople(app, small, number, tokens)
    platform.database.close()
