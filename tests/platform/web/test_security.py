"""What every request passes: size, host, origin, headers, cookie, rate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from singleout.platform.store.accounts import account_by_sign_in, revoke_token, tokens_of
from singleout.platform.store.audit import audit_log
from singleout.platform.store.database import database_address
from singleout.platform.web.app import create_app
from singleout.platform.web.security import BrowserCookie
from tests.support.small_platform import PASSWORD
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


def test_a_contest_s_own_limit_ends_a_body_too(people: WebPeople) -> None:
    """Long before the server's would."""
    with people.platform.database.writing() as session:
        session.merge(people.small.contest).most_bytes = 100
    large = replace(people.platform.settings, most_upload_bytes=10**9)
    app = create_app(large)
    read: list[int] = []
    client = TestClient(app, base_url="http://localhost", headers=people.client("member").headers)
    answer = client.post(
        UPLOAD, content=pieces(8, read), headers={"Content-Type": "multipart/form-data; boundary=b"}
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    app.state.platform.database.close()


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


def test_only_what_is_everybody_s_is_kept_by_browsers(people: WebPeople) -> None:
    """The page that says that there is no such file has its asker's name on it."""
    visitor = people.client("member")
    missing = visitor.get("/static/nothing.css")
    assert (missing.status_code, missing.headers["cache-control"]) == (404, "no-store")
    assert visitor.get("/static/platform.css").headers["cache-control"].startswith("max-age=")


def test_only_known_hosts(people: WebPeople) -> None:
    assert TestClient(people.app, base_url="http://evil.example").get("/api/contests").status_code == 400


@pytest.mark.parametrize("headers", [{"sec-fetch-site": "cross-site"}, {"origin": "http://evil.example"}])
def test_no_change_by_another_site(people: WebPeople, headers: dict[str, str]) -> None:
    answer = people.client("member").post(UPLOAD, headers=headers)
    assert answer.status_code == 403
    assert "content-security-policy" in answer.headers


def test_a_refusal_at_the_door_has_the_headers_too(people: WebPeople) -> None:
    wrong_host = TestClient(people.app, base_url="http://evil.example").get("/")
    too_large = people.client("member").post("/api/contests/small/team", content=b" " * 1_100_000)
    for answer, status in ((wrong_host, 400), (too_large, 413)):
        assert answer.status_code == status
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["archive", "kit", "data/original", "submissions/{number}/release"])
def test_private_files_are_kept_by_no_cache(people: WebPeople, path: str) -> None:
    answer = people.client("organiser").get(f"/api/contests/small/{path.format(number=people.submission)}")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-disposition"].startswith("attachment")


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


def signed_in(people: WebPeople, client: TestClient) -> str | None:
    with people.platform.database.reading() as session:
        account = account_by_sign_in(session, client.cookies["singleout"])
    return None if account is None else account.name


def test_a_secret_that_was_planted_before_is_good_for_nothing(people: WebPeople) -> None:
    """Session fixation: whoever gave the browser its cookie does not get in with it."""
    client = people.browser()
    planted = client.cookies["singleout"]
    answer = client.post("/sign-in", data={"name": "Mia", "password": PASSWORD})
    assert answer.status_code == 303
    (new,) = [each for each in client.cookies.jar if each.value != planted]
    with people.platform.database.reading() as session:
        assert account_by_sign_in(session, planted) is None
        found = account_by_sign_in(session, str(new.value))
        assert found is not None
        assert found.name == "Mia"


@pytest.mark.parametrize(
    "further",
    ["https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
     "/\n/evil.example", "javascript:alert(1)", "evil.example", " //evil.example", "///evil.example"],
)  # fmt: skip
def test_nobody_is_sent_to_another_site(people: WebPeople, further: str) -> None:
    """Open redirects: what an address or a form says is only followed within this site."""
    signing = {"name": "Mia", "password": PASSWORD, "next": further}
    assert people.browser().post("/sign-in", data=signing).headers["location"] == "/"
    assert (
        people.browser().post("/sign-in", data=signing | {"next": "/account"}).headers["location"]
        == "/account"
    )
    assert further not in people.browser().get("/sign-in", params={"next": further}).text
    newcomer = {"name": "Nora", "password": PASSWORD, "next": further}
    assert people.browser().post("/sign-up", data=newcomer).headers["location"] == "/"


def test_signing_in_ends_what_the_browser_was_signed_in_as(people: WebPeople) -> None:
    client = people.browser("rival")
    before = client.cookies["singleout"]
    client.post("/sign-in", data={"name": "Mia", "password": PASSWORD})
    with people.platform.database.reading() as session:
        assert account_by_sign_in(session, before) is None


def test_another_password_ends_all_other_sessions(people: WebPeople) -> None:
    here, elsewhere = people.browser("member"), people.browser("member")
    wrong = here.post("/account/password", data={"old": "not it at all", "new": "a new password"})
    assert wrong.status_code == 401
    short = here.post("/account/password", data={"old": PASSWORD, "new": "short"})
    assert short.status_code == 422
    assert signed_in(people, elsewhere) == "Mia"
    right = here.post("/account/password", data={"old": PASSWORD, "new": "a new password"})
    assert (right.status_code, right.headers["location"]) == (303, "/account?said=account.password_changed")
    assert signed_in(people, elsewhere) is None
    fresh = people.browser()
    assert fresh.post("/sign-in", data={"name": "Mia", "password": PASSWORD}).status_code == 401
    assert fresh.post("/sign-in", data={"name": "Mia", "password": "a new password"}).status_code == 303


def test_an_admin_hands_out_a_new_password(people: WebPeople) -> None:
    elsewhere = people.browser("member")
    page = people.browser("admin").post(f"/admin/accounts/{people.small.member.id}/password").text
    found = re.search(r'class="secret"><code>(\S+)</code>', page)
    assert found is not None
    assert signed_in(people, elsewhere) is None
    fresh = people.browser()
    assert fresh.post("/sign-in", data={"name": "Mia", "password": found[1]}).status_code == 303
    assert found[1] not in people.client("admin").get("/admin").text


def test_the_audit_log_tells_of_guesses_and_exports(people: WebPeople) -> None:
    people.browser().post("/sign-in", data={"name": "Mia", "password": "a wrong password"})
    people.client("organiser").get("/api/contests/small/archive")
    with people.platform.database.reading() as session:
        log = [(row.action, row.about, name) for row, name in audit_log(session)]
    assert ("wrong password", f"account {people.small.member.id}", None) in log
    assert ("export everything", "small", "Olga") in log


def test_a_fault_shows_and_logs_no_secret(
    people: WebPeople, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from singleout.platform.web import account_pages

    def fail(*_: object) -> None:
        raise RuntimeError("inside 4711")

    monkeypatch.setattr(account_pages, "use_admin_link", fail)
    client = TestClient(people.app, base_url="http://localhost", raise_server_exceptions=False)
    browser = people.browser()
    client.cookies, client.headers = browser.cookies, browser.headers
    answer = client.post("/admin-link/so-secret", data={"name": "x", "password": PASSWORD})
    assert answer.status_code == 500
    assert "(500)" in answer.text
    assert "4711" not in answer.text
    assert "so-secret" not in caplog.text
    assert "POST /admin-link/{secret}: RuntimeError" in caplog.text


@pytest.mark.parametrize("digits", ["9" * 5000, "-1", "²", ""])
def test_odd_numbers_are_refused(people: WebPeople, digits: str) -> None:
    client = people.browser("organiser")
    for path, form in (
        ("/contests/small/manage/phase", {"position": digits}),
        ("/contests/small/manage/grant", {"team": str(people.small.team.id), "amount": digits}),
        ("/contests/small/manage/grant", {"team": digits, "amount": "1"}),
    ):
        assert 400 <= client.post(path, data=form).status_code < 500
    assert client.get("/contests/small/manage", params={"before": digits}).status_code == 200


def test_rates(tmp_path: Path) -> None:
    with web_people(tmp_path, database_address(None, tmp_path), rates=True) as people:
        client = people.client("stranger")
        codes = [
            client.post("/api/contests/small/team/join", json={"code": "wrong"}).status_code
            for _ in range(21)
        ]
    assert codes == [422] * 20 + [429]


def test_a_password_can_t_be_guessed(tmp_path: Path) -> None:
    """Twenty guesses an hour, however the name is written; then the right one is no better."""
    with web_people(tmp_path, database_address(None, tmp_path), rates=True) as people:
        client = people.browser()

        def codes(*passwords: str) -> list[int]:
            names = ("Mia", "mia", " MIA ", "\uff2d\uff49\uff41")
            return [
                client.post("/sign-in", data={"name": names[index % 4], "password": each}).status_code
                for index, each in enumerate(passwords)
            ]

        assert codes(*(f"guess number {each}" for each in range(20))) == [401] * 20
        assert codes(PASSWORD) == [429]
        other = client.post("/sign-in", data={"name": "Olga", "password": PASSWORD})
        assert other.status_code == 303


def test_over_https_cookies_stay_there(tmp_path: Path) -> None:
    with web_people(tmp_path, database_address(None, tmp_path), https=True) as people:
        headers = people.client().get("/nowhere").headers
    assert headers["set-cookie"].startswith("__Host-singleout=")
    assert "; Secure" in headers["set-cookie"]
    assert "strict-transport-security" in headers
