"""The platform from the command line: started, submitted to, stopped, backed up; one line if it can't be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from singleout.cli.main import main
from singleout.platform.contest import Contest
from singleout.platform.scorer import score
from singleout.platform.settings import Settings, settings_for
from singleout.platform.store.accounts import make_token, sign_up
from singleout.platform.store.contests import create_contest, set_state
from singleout.platform.store.files import open_shelf
from singleout.platform.store.migration import open_platform
from singleout.platform.store.submissions import score_original
from singleout.platform.store.teams import make_team
from tests.support.command_line import complaint
from tests.support.postgres_server import new_schema
from tests.support.sandbox_walls import metric_file
from tests.support.small_platform import PASSWORD, small_contest

GOODS = ("tea", "salt", "rice", "soap")
RECORDS = [(f"c{number}", GOODS[number % 4], number % 7) for number in range(40)]


def table(*, rounded: bool = False) -> str:
    lines = (f"{who},{goods},{price // 3 * 3 if rounded else price}" for who, goods, price in RECORDS)
    return "customer,goods,price\n" + "\n".join(lines) + "\n"


def contest() -> Contest:
    return replace(small_contest("shop"), user="customer", truth="names")


def filled(settings: Settings, folder: Path) -> str:
    """A contest with a team; returns the token of its member."""
    (folder / "original.csv").write_text(table())
    (folder / "release.csv").write_text(table(rounded=True))
    (folder / "bad.csv").write_text("customer,price\nc1,1\n")
    database = open_platform(settings.database)
    with database.writing() as session:
        owner, member = sign_up(session, "Olga", PASSWORD, "organiser"), sign_up(session, "Mia", PASSWORD)
        original = open_shelf(settings.folder).put_path(folder / "original.csv")
        row = create_contest(session, owner, contest(), {"original": original})
        set_state(session, owner, row, "open")
        score_original(session, row)
        make_team(session, row, member, "Blue")
        token = make_token(session, member, "t")[1]
    database.close()
    return token


@contextmanager
def running(
    folder: Path, *words: str, environment: dict[str, str] | None = None
) -> Iterator[tuple[str, list[str]]]:
    """The server as somebody starts it; yields its address and all that it said."""
    process = subprocess.Popen(
        [sys.executable, "-m", "singleout", "serve", "--folder", str(folder), "--port", "0", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        said = [process.stdout.readline()]
        said += [process.stdout.readline()] if "--admin-link" in words else []
        yield said[0].split()[-1], said
    finally:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=300)
    assert (process.returncode, out.splitlines()[-1:], err) == (0, ["stopped"], "")


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))]
)
def test_submit_gives_the_digits_of_the_scorer_at_home(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    place = tmp_path / "platform"
    address = new_schema(request.getfixturevalue("postgres_address")) if kind == "postgres" else None
    token = filled(settings_for(place, address), tmp_path)
    monkeypatch.setenv("SINGLEOUT_TOKEN", token)
    with running(place, environment={} if address is None else {"SINGLEOUT_DATABASE": address}) as (url, _):
        words = ["--server", url, "--contest", "shop"]
        assert main(["submit", str(tmp_path / "release.csv"), *words, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert main(["submit", str(tmp_path / "bad.csv"), *words]) == 1
        assert "column goods: is missing" in capsys.readouterr().out
        wrong = ["submit", str(tmp_path / "bad.csv"), "--server", url, "--contest", "none"]
        assert "no such contest" in complaint(wrong, capsys)
    at_home = score(contest(), tmp_path / "original.csv", tmp_path / "release.csv")
    assert {each["metric"]: each["value"] for each in found["values"]} == {
        each.metric: each.value for each in at_home
    }
    assert found["state"] == "scored"


def test_the_first_start_ends_with_an_address_and_a_link(tmp_path: Path) -> None:
    with running(tmp_path / "new", "--workers", "0", "--admin-link") as (url, said):
        assert f"{url}/admin-link/" in said[1]
        link = said[1].split()[-1]
        with urllib.request.urlopen(link) as page:
            assert page.status == 200
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0


def test_backup_and_restore(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filled(settings_for(tmp_path / "one"), tmp_path)
    backup = str(tmp_path / "b.zip")
    assert main(["serve", "backup", backup, "--folder", str(tmp_path / "one")]) == 0
    assert main(["serve", "restore", backup, "--folder", str(tmp_path / "two")]) == 0
    capsys.readouterr()
    assert "already" in complaint(["serve", "restore", backup, "--folder", str(tmp_path / "two")], capsys)
    nowhere = ["serve", "backup", backup, "--folder", str(tmp_path / "none")]
    assert "no platform here" in complaint(nowhere, capsys)
    assert not (tmp_path / "none").exists()


def test_a_restoration_that_fails_leaves_the_folder_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "b.zip").write_bytes(b"nothing")
    (tmp_path / "empty").mkdir()
    (tmp_path / "filled").mkdir()
    (tmp_path / "filled" / "mine.txt").write_text("mine")
    for name in ("new/below", "empty", "filled"):
        words = ["serve", "restore", str(tmp_path / "b.zip"), "--folder", str(tmp_path / name)]
        assert "is no backup of a platform" in complaint(words, capsys)
    own = ["--database", f"sqlite:///{tmp_path}/own.db", "--folder", str(tmp_path / "empty")]
    assert "is no backup" in complaint(["serve", "restore", str(tmp_path / "b.zip"), *own], capsys)
    assert not (tmp_path / "new").exists()
    assert list(tmp_path.glob("own.db*")) == []
    assert list((tmp_path / "empty").iterdir()) == []
    assert [each.name for each in (tmp_path / "filled").rglob("*")] == ["mine.txt"]


def test_a_link_to_a_folder_that_is_not_there_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "b.zip").write_bytes(b"nothing")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    words = ["serve", "restore", str(tmp_path / "b.zip"), "--folder", str(tmp_path / "link")]
    assert "what is no folder" in complaint(words, capsys)
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["serve", "backup"], "singleout serve backup FILE"),
        (["serve", "restore", ""], "the name of the backup is empty"),
        (["serve", "restore", ".", "--folder", "f"], "is a folder; name the file"),
        (["serve", "restore", "/dev/zero", "--folder", "f"], "is a pipe or a device"),
        (["serve", "--port", "99999"], "0 to 65535"),
        (["serve", "--names", "a,,b"], "is no list of names; write it like"),
        (["serve", "--host", "nowhere.invalid", "--folder", "f"], "choose another --host or --port"),
        (["serve", "--host", "x" * 300, "--folder", "f"], "choose another --host or --port"),
        (["serve", "--folder", "/dev/null"], "what is no folder"),
        (["serve", "--folder", "/dev/null/f"], "what is no folder"),
        (["worker", "--database", "sqlite:///none/own.db", "--folder", "f"], "can't be opened"),
        (["serve", "--database", "sqlite:///", "--folder", "f"], "is no database of the platform"),
        (["serve", "--database", "sqlite:///:memory:", "--folder", "f"], "is no database of the platform"),
        (
            ["serve", "--database", "sqlite:///x?mode=memory", "--folder", "f"],
            "is no database of the platform",
        ),
        (["serve", "--database", "sqlite:////dev/null", "--folder", "f"], "is a pipe or a device"),
        (["serve", "--database", f"sqlite:///{__file__}", "--folder", "f"], "file is not a database"),
        (
            ["serve", "--database", "postgresql://u:ge@geheim@127.0.0.1:9/d", "--folder", "f"],
            "can't be opened",
        ),
        (["serve", "--database", "postgresql://u@h:port/d", "--folder", "f"], "can't be opened"),
        (["serve", "--workers", "-1"], "0 to 64"),
        (["serve", "--database", "mysql://u:geheim@h/d", "--folder", "f"], "postgresql://"),
        (["serve", "--database", "postgresql://u:geheim@127.0.0.1:9/d", "--folder", "f"], "can't be opened"),
        (["serve", "--database", "sqlite:///none/own.db", "--folder", "f"], "can't be opened"),
        (["submit", "none.csv", "--server", "http://x", "--contest", "c"], "there is no such file"),
        (["submit", "r.csv", "--server", "ftp://x", "--contest", "c"], "an address like"),
        (["submit", "r.csv", "--server", "http://127.0.0.1:9", "--contest", "c"], "can't be reached"),
        (["submit", "r.csv", "--server", "http://127.0.0.1:x", "--contest", "c"], "an address like"),
        (["submit", "r.csv", "--server", "http://127.0.0.1:99999", "--contest", "c"], "an address like"),
        (["submit", "r.csv", "--server", "http://[::1", "--contest", "c"], "an address like"),
        (["submit", "r.csv", "--server", "http://a..b", "--contest", "c"], "an address like"),
        (["submit", "r.csv", "--server", "http://127.0.0.1:9/a b", "--contest", "c"], "an address like"),
        (["submit", "r.csv", "--server", "http://127.0.0.1:9", "--contest", "\udcff"], "texts in UTF-8"),
        (["submit", "r.csv", "--server", "http://127.0.0.1:9", "--contest", "c", "--wait", "nan"], "from 0"),
        (
            ["submit", "r.csv", "--server", "http://x", "--contest", "c", "--token-file", "/dev/zero"],
            "is a pipe or a device",
        ),
    ],
)
def test_one_line_where_it_can_t_be(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SINGLEOUT_TOKEN", "so_token")
    (tmp_path / "r.csv").write_text("a\n1\n")
    line = complaint(words, capsys)
    assert told in line
    assert "geheim" not in line
    assert "so_token" not in line
    assert [each.name for each in tmp_path.iterdir()] == ["r.csv"]


ODD_ANSWERS = {
    "not JSON": (b"<html>", "the platform says: HTTP 200"),
    "deep": (b"[" * 100_000, "the platform says: HTTP 200"),
    "a list": (b"[]", "the platform says: HTTP 200"),
    "nothing": (b"{}", "the answer is not understood"),
    "no state": (b'{"number": 1}', "the answer is not understood"),
    "odd values": (b'{"number": 1, "state": "scored", "values": [{}]}', "the answer is not understood"),
    "odd number": (
        b'{"number": 1, "state": "scored", "values": [{"family": 1, "metric": 1, "value": "x"}]}',
        "the answer is not understood",
    ),
    "odd problems": (b'{"number": 1, "state": "refused", "problems": ["x"]}', "the answer is not understood"),
}


@contextmanager
def answering(content: bytes) -> Iterator[str]:
    """The address of a server that says this to whatever is sent."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *words: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.mark.parametrize("answer", ODD_ANSWERS)
def test_a_server_that_is_no_platform(
    answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content, told = ODD_ANSWERS[answer]
    monkeypatch.setenv("SINGLEOUT_TOKEN", "so_token")
    (tmp_path / "r.csv").write_text("a\n1\n")
    with answering(content) as address:
        words = ["submit", str(tmp_path / "r.csv"), "--server", address, "--contest", "c", "--no-wait"]
        assert told in complaint(words, capsys)


def test_values_of_a_metric_that_ran_at_once_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Values of a metric are by submission, those of a submission by metric."""
    header = 'name = "m"', 'family = "utility"', 'better = "lower"', "range = [0, 1]"
    (tmp_path / "m.sql").write_text(metric_file("sql", "SELECT 1", *header))
    values = [{"submission": 3, "value": 0.5, "reason": None}]
    details = {"number": 1, "name": "m", "state": "accepted", "trial_value": 1.0, "trial_reason": None}
    monkeypatch.setenv("SINGLEOUT_TOKEN", "so_token")
    with answering(json.dumps({**details, "values": values}).encode()) as address:
        words = ["--metric", "--server", address, "--contest", "c", "--no-wait"]
        assert main(["submit", str(tmp_path / "m.sql"), *words]) == 0
    assert "submission 3: 0.5" in capsys.readouterr().out


def test_without_its_packages_one_line_says_how_to_get_them(tmp_path: Path) -> None:
    """As in a plain installation."""
    code = (
        "import sys\nfor name in ('sqlalchemy', 'fastapi', 'alembic'):\n    sys.modules[name] = None\n"
        "from singleout.cli.main import main\nsys.exit(main(['serve', '--folder', 'f']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: the platform needs its packages: pip install 'singleout[platform]'\n"


@pytest.mark.parametrize("command", ["serve", "worker", "submit"])
def test_help_loads_none_of_them(command: str) -> None:
    code = (
        "import sys\nfrom singleout.cli.main import main\n"
        f"try:\n    main([{command!r}, '--help'])\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert loaded & {"fastapi", "sqlalchemy", "starlette", "uvicorn", "pydantic", "obstore", "numpy"} == set()
