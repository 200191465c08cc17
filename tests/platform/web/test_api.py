"""A contest by the API alone: made, opened, submitted to, scored, ranked and exported."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from singleout.platform.settings import ProcessLimits
from singleout.platform.store.submissions import submissions_of_contest
from singleout.platform.web.table_export import harmless_cell
from singleout.platform.worker.worker import Worker
from tests.support.access_table import METRIC_TEXT
from tests.support.small_platform import small_contest
from tests.support.web_people import WebPeople, web_people


@pytest.fixture
def people(tmp_path: Path, address: str) -> Iterator[WebPeople]:
    with web_people(tmp_path, address) as filled:
        yield filled


def work(people: WebPeople) -> None:
    worker = Worker(
        people.platform.database, people.platform.shelf, "w", ProcessLimits(60, 60, 4_000),
        scorer="tests.support.small_scorer",
    )  # fmt: skip
    while worker.work_once("validate") or worker.work_once("score"):
        pass


def submit(people: WebPeople, role: str, content: bytes, contest: str = "small") -> dict[str, Any]:
    answer = people.client(role).post(
        f"/api/contests/{contest}/submissions", files={"release": ("=r.csv", content)}
    )
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_definition_may_be_sent_as_a_file(people: WebPeople) -> None:
    """As `curl -F definition=@contest.toml` sends it."""
    files = {
        "definition": ("contest.toml", small_contest("filed").to_toml().encode()),
        "original": ("o.csv", b"customer,goods\na,tea\n"),
    }
    made = people.client("organiser").post("/api/contests", files=files)
    assert (made.status_code, made.json()["name"]) == (201, "filed")


def test_from_the_definition_to_the_archive(people: WebPeople) -> None:
    organiser, member, rival = (people.client(role) for role in ("organiser", "member", "rival"))
    made = organiser.post(
        "/api/contests",
        data={"definition": small_contest("api").to_toml()},
        files={"original": ("o.csv", b"customer,goods\na,tea\n")},
    )
    assert (made.status_code, made.json()["state"]) == (201, "draft")
    assert organiser.post("/api/contests/api/state", json={"state": "open"}).json()["phase"] == "Submissions"
    code = member.post("/api/contests/api/team", json={"name": "=cmd|' /C calc'!A0"}).json()["join_code"]
    assert rival.post("/api/contests/api/team/join", json={"code": code}).json()["members"] == [
        "Mia",
        "rival",
    ]
    good, bad = (submit(people, role, text, "api") for role, text in (("member", b"good"), ("rival", b"bad")))
    work(people)
    status = rival.get(f"/api/contests/api/submissions/{good['number']}").json()
    assert status["state"] == "scored"
    assert {each["metric"]: each["value"] for each in status["values"]}["best"] == 0.5
    refused = member.get(f"/api/contests/api/submissions/{bad['number']}").json()
    assert (refused["state"], refused["problems"][0]["text"]) == ("refused", "column goods, record 1: is bad")
    board = people.client().get("/api/contests/api/board").json()
    assert board["ranked"]
    assert [(line["number"], line["place"], line["values"]) for line in board["lines"]] == [
        (good["number"], 1, None)
    ]
    assert member.get("/api/contests/api/board").json()["lines"][0]["values"]["best"] == 0.5
    check_exports(people, good["number"])
    check_archive(people, good["number"])


def check_exports(people: WebPeople, number: int) -> None:
    client, path = people.client("member"), "/api/contests/api/results/metric_values?format="
    rows = list(csv.DictReader(io.StringIO(client.get(f"{path}csv").text)))
    assert {row["team"] for row in rows} == {"'=cmd|' /C calc'!A0", ""}
    as_json = client.get(f"{path}json").json()
    assert {row["team"] for row in as_json} == {"=cmd|' /C calc'!A0", None}
    table = pyarrow.parquet.read_table(io.BytesIO(client.get(f"{path}parquet").content))
    assert table.num_rows == len(rows) == len(as_json)
    assert [row["value"] for row in as_json] == table["value"].to_pylist()
    ranks = client.get("/api/contests/api/results/ranks").json()
    assert [(row["submission"], row["position"]) for row in ranks] == [(number, 1.0)]


def check_archive(people: WebPeople, number: int) -> None:
    content = people.client("organiser").get("/api/contests/api/archive").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.read(f"submissions/{number}/release") == b"good"
        assert archive.read("data/original") == b"customer,goods\na,tea\n"
        assert {"contest.toml", "metric_values.parquet", "ranks.csv", "submission_logs.csv"} <= {
            *archive.namelist()
        }
        assert "'=r.csv" in archive.read("submission_logs.csv").decode()


def test_the_archive_has_uploaded_metrics(people: WebPeople) -> None:
    content = people.client("organiser").get("/api/contests/small/archive").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.read("metrics/1.sql").decode() == METRIC_TEXT.format("kept")


def test_what_is_unknown_is_null_with_its_reason(people: WebPeople) -> None:
    number = submit(people, "member", b"unknown")["number"]
    work(people)
    values = people.client("member").get(f"/api/contests/small/submissions/{number}").json()["values"]
    unknown = [each for each in values if each["metric"] == "nearest"]
    assert [(each["value"], each["reason"]) for each in unknown] == [(None, "not made")]


def test_the_kit_and_the_data_are_for_those_who_may_have_them(people: WebPeople) -> None:
    content = people.client("member").get("/api/contests/small/kit").content
    with zipfile.ZipFile(io.BytesIO(content)) as kit:
        assert kit.read("original.csv") == b"customer,goods\na,tea\nb,salt\n"
    data = people.client("member").get("/api/contests/small/data/original")
    assert data.content.startswith(b"customer,goods")
    assert data.headers["content-disposition"] == 'attachment; filename="small-original.csv"'
    assert people.client("member").get("/api/contests/small/data/people").status_code == 404


def test_a_file_name_is_only_shown(people: WebPeople) -> None:
    found = people.client("member").post(
        "/api/contests/small/submissions", files={"release": ("../../etc/passwd", b"x")}
    )
    assert found.json()["file_name"] == "passwd"


def test_a_comment_is_for_its_own_team_only(people: WebPeople) -> None:
    path = "/api/contests/small/submissions"
    sent = people.client("member").post(
        path, files={"release": ("r.csv", b"customer,goods\nx,tea\n")}, data={"comment": "our trick"}
    )
    number = sent.json()["number"]
    assert sent.json()["comment"] == "our trick"
    for role, wanted in (("member", "our trick"), ("organiser", ""), ("admin", "")):
        client = people.client(role)
        assert client.get(f"{path}/{number}").json()["comment"] == wanted, role
        assert {each["number"]: each["comment"] for each in client.get(path).json()}[number] == wanted, role
    assert people.client("organiser").post(f"{path}/{number}/run-again").json()["comment"] == ""


def test_no_file_no_submission(people: WebPeople) -> None:
    client, path = people.client("member"), "/api/contests/small/submissions"
    for wish in ({"files": {"release": ("r.csv", b"")}}, {"data": {"comment": "x"}}, {"content": b"{}"}):
        assert client.post(path, **wish).status_code in (400, 422)
    with people.platform.database.reading() as session:
        assert len(submissions_of_contest(session, people.small.contest)) == 1


def test_faults_are_told_without_inner_messages(people: WebPeople, monkeypatch: pytest.MonkeyPatch) -> None:
    from singleout.platform.web import api

    def fail(*_: object) -> None:
        raise RuntimeError("secret 4711")

    monkeypatch.setattr(api, "all_contests", fail)
    answer = people.client(raise_server_exceptions=False).get("/api/contests")
    assert (answer.status_code, answer.json()["code"]) == (500, "own_fault")
    assert "4711" not in answer.text
    assert "content-security-policy" in answer.headers


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\ta", "  =1", "|x", "%x"])
def test_formulas_are_neutralised(text: str) -> None:
    assert harmless_cell(text) == f"'{text}"


def test_json_is_json(people: WebPeople) -> None:
    text = people.client("organiser").get("/api/contests/small/results/submissions").text
    assert json.loads(text)[0]["contest"] == "small"
