"""What every request passes: size, host, origin, headers, cookie, rate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from singleout.platform.store.accounts import revoke_token, tokens_of
from singleout.platform.store.database import database_address
from singleout.platform.web.security import BrowserCookie
from tests.support.web_people import WebPeople, web_people

UPLOAD = "/api/contests/small/submissions"


@pytest.fixture
def people(tmp_path: Path) -> Iterator[WebPeople]:
    with web_people(tmp_path, database_address(None, tmp_path), most_upload_bytes=300_000) as filled:
        yield filled


def pieces(megabytes: int, read: list[int]) -> Iterator[bytes]:
    """A body of unknown length; `read` counts what the server took of it."""
    head = b'--b\r\nContent-Disposition: form-data; name="release"; filename="r.csv"\r\n\r\n'
    yield head
    for _ in range(megabytes * 16):
        read.append(65_536)
        yield bytes(65_536)
    yield b"\r\n--b--\r\n"


def test_a_body_is_counted_while_it_streams(people: WebPeople) -> None:
    read: list[int] = []
    answer = people.client("member").post(
        UPLOAD, content=pieces(8, read), headers={"Content-Type": "multipart/form-data; boundary=b"}
    )
    assert answer.status_code == 413
    with people.platform.database.reading() as session:
        from singleout.platform.store.submissions import submissions_of_contest

        assert len(submissions_of_contest(session, people.small.contest)) == 1


def test_forms_are_small(people: WebPeople) -> None:
    answer = people.client("member").post("/api/contests/small/team", content=b" " * 1_100_000)
    assert answer.status_code == 413


def test_the_file_of_one_contest_may_be_smaller(people: WebPeople) -> None:
    with people.platform.database.writing() as session:
        session.merge(people.small.contest).most_bytes = 100
    kept = [*people.platform.settings.folder.rglob("*")]
    answer = people.client("member").post(UPLOAD, files={"release": ("r.csv", b"x" * 101)})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert [*people.platform.settings.folder.rglob("*")] == kept


def test_headers_are_on_every_answer(people: WebPeople) -> None:
    for path in ("/api/contests", "/api/account", "/nowhere"):
        headers = people.client().get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_only_known_hosts(people: WebPeople) -> None:
    assert TestClient(people.app, base_url="http://evil.example").get("/api/contests").status_code == 400


@pytest.mark.parametrize("headers", [{"sec-fetch-site": "cross-site"}, {"origin": "http://evil.example"}])
def test_no_change_by_another_site(people: WebPeople, headers: dict[str, str]) -> None:
    answer = people.client("member").post(UPLOAD, headers=headers)
    assert answer.status_code == 403


def test_a_cookie_is_not_enough_for_the_api(people: WebPeople) -> None:
    from singleout.platform.store.accounts import open_sign_in

    with people.platform.database.writing() as session:
        secret = open_sign_in(session, people.small.member)
    client = people.client()
    client.cookies.set("singleout", secret)
    assert client.get("/api/account").json()["name"] == "Mia"
    assert client.post(UPLOAD).status_code == 401


def test_a_browser_gets_a_cookie_that_scripts_can_t_read(people: WebPeople) -> None:
    cookie = people.client().get("/nowhere").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "set-cookie" not in people.client().get("/api/contests").headers


def test_form_keys_belong_to_their_cookie() -> None:
    one, other = BrowserCookie("a" * 43), BrowserCookie("b" * 43)
    assert one.form_key != other.form_key
    assert one.secret not in one.form_key


def test_a_revoked_token_is_unknown(people: WebPeople) -> None:
    client = people.client("member")
    assert client.get("/api/account").status_code == 200
    with people.platform.database.writing() as session:
        (token,) = tokens_of(session, people.small.member)
        revoke_token(session, people.small.member, token.id)
    assert client.get("/api/account").status_code == 401


def test_rates(tmp_path: Path) -> None:
    with web_people(tmp_path, database_address(None, tmp_path), rates=True) as people:
        client = people.client("stranger")
        codes = [
            client.post("/api/contests/small/team/join", json={"code": "wrong"}).status_code
            for _ in range(21)
        ]
    assert codes == [422] * 20 + [429]


def test_over_https_cookies_stay_there(tmp_path: Path) -> None:
    with web_people(tmp_path, database_address(None, tmp_path), https=True) as people:
        headers = people.client().get("/nowhere").headers
    assert headers["set-cookie"].startswith("__Host-singleout=")
    assert "; Secure" in headers["set-cookie"]
    assert "strict-transport-security" in headers
