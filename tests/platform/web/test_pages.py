"""Pages by a client without a script: what they show to whom, and what the board costs."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest
from sqlalchemy import event, select
from starlette.testclient import TestClient

from singleout.errors import UsageError
from singleout.platform.board import Board
from singleout.platform.contest import TEMPLATES, template, with_attack_phase
from singleout.platform.ranking import RankedEntry, rank
from singleout.platform.scorer import HIGHEST, METRIC_VERSION
from singleout.platform.store.accounts import sign_up
from singleout.platform.store.contests import contest_by_name, current_data
from singleout.platform.store.database import database_address
from singleout.platform.store.evaluations import BoardEntry, MetricScore, basis_of, record_scores
from singleout.platform.store.quota import quota_left
from singleout.platform.store.schema import ContestRow, SubmissionRow, TeamRow
from singleout.platform.store.submissions import original_of, score_original
from singleout.platform.store.teams import make_team
from singleout.platform.web import organiser_pages
from singleout.platform.web.board_pages import LONGEST_KEPT, MOST_PAGES, board_rows, kept_page
from singleout.platform.web.contest_form import contest_from_form, form_values
from tests.support.small_platform import PASSWORD, START, stored
from tests.support.web_people import WebPeople, web_people

UTILITY = ("records_kept", "counts.mean_error", "mutual_information.mean_difference")
FORM = {"name": "mine", "title": "Mine", "starts": "", "ends": "", "a_day": ""}


@pytest.fixture
def people(tmp_path: Path) -> Iterator[WebPeople]:
    with web_people(tmp_path, database_address(None, tmp_path)) as filled:
        yield filled


@pytest.mark.parametrize(
    ("referer", "leads"),
    [
        ("http://localhost/contests/small/team?lang=en#x", "/contests/small/team?lang=ja"),
        ("http://localhost//elsewhere", "/?lang=ja"),
        ("http://[", "/?lang=ja"),
        ("", "/?lang=ja"),
    ],
)
def test_an_answer_to_a_form_leads_to_its_page_in_the_other_language(
    people: WebPeople, referer: str, leads: str
) -> None:
    """Nobody can ask again for what a form was sent to; whoever does is told so by a page."""
    visitor, sent_to = people.browser("stranger"), "/contests/small/team/join"
    answer = visitor.post(sent_to, data={"code": "none"}, headers={"referer": referer})
    assert answer.status_code == 422
    assert f'<a href="{leads}" lang="ja"' in answer.text
    again = visitor.get(sent_to)
    assert (again.status_code, "<h1>" in again.text) == (404, True)


def add_scored(people: WebPeople, many: int, least: bool = False, first: int = 0) -> None:
    """So many teams with a submission each, and the original."""
    platform = people.platform
    with platform.database.writing() as session:
        contest = session.get_one(ContestRow, people.small.contest.id)
        release = stored(platform.shelf, b"customer,goods\nx,tea\n")
        rows = [score_original(session, contest)]
        for number in range(first, first + many):
            account = sign_up(session, f"person {number}", PASSWORD)
            team = make_team(session, contest, account, f"Team {number:03}")
            row = SubmissionRow(
                contest_id=contest.id, state="scored", kind="release", file_name="r.csv",
                file_digest=release.digest, problems=[], log="", comment="", received_at=contest.created_at,
                team_id=team.id, account_id=account.id,
            )  # fmt: skip
            session.add(row)
            rows.append(row)
        session.flush()
        basis = basis_of(session, contest)
        for index, row in enumerate(rows):
            row.state = "scored"
            record_scores(session, row, basis, _scores(index, least=least and index == 1))


def _scores(index: int, *, least: bool) -> list[MetricScore]:
    rate, reason = (1.0 / (index + 1), "at least this much" if least else None)
    utility = [MetricScore(name, "utility", 1.0 - index / 100, None, METRIC_VERSION) for name in UTILITY]
    return [*utility, MetricScore(HIGHEST, "privacy", rate, reason, METRIC_VERSION)]


def queries_for(people: WebPeople, path: str) -> int:
    asked: list[str] = []

    def count(_c: object, _cursor: object, statement: str, *_others: object) -> None:
        asked.append(statement)

    engine = people.platform.database.engine
    event.listen(engine, "before_cursor_execute", count)
    try:
        assert people.client("organiser").get(path).status_code == 200
    finally:
        event.remove(engine, "before_cursor_execute", count)
    return len(asked)


@pytest.mark.parametrize("path", ["/contests/small/board", "/contests/small/board?every=1"])
def test_the_board_asks_the_database_as_often_for_many_as_for_few(people: WebPeople, path: str) -> None:
    add_scored(people, 3)
    few = queries_for(people, path)
    add_scored(people, 40, first=3)
    assert queries_for(people, path) == few
    assert few < 20


def test_a_rate_that_is_only_the_least_is_marked_and_ranks_last(people: WebPeople) -> None:
    add_scored(people, 3, least=True)
    text = people.client("organiser").get("/contests/small/board").text
    assert "≥" in text
    assert "They rank last in privacy" in text
    assert text.index("Team 001") < text.index("Team 000")


def test_a_least_is_marked_wherever_its_team_reads_it(people: WebPeople) -> None:
    platform = people.platform
    with platform.database.writing() as session:
        row = session.get_one(SubmissionRow, people.submission)
        contest = session.get_one(ContestRow, row.contest_id)
        row.state = "scored"
        record_scores(session, row, basis_of(session, contest), _scores(3, least=True))
    for path in ("/contests/small/submissions", f"/contests/small/submissions/{people.submission}"):
        assert re.search(r"≥ </span>25%", people.client("member").get(path).text), path


def test_values_are_not_on_the_board_for_those_who_may_not_see_them(people: WebPeople) -> None:
    add_scored(people, 3)
    shown = people.client("organiser").get("/contests/small/board").text
    hidden = people.client("visitor").get("/contests/small/board").text
    assert "33.3%" in shown
    assert "33.3%" not in hidden
    assert "attack rate 33" not in hidden
    assert "chart-submission-rates" not in hidden
    assert "The values of each metric are not shown to you" in hidden


def test_a_board_that_is_kept_is_nobody_else_s(people: WebPeople) -> None:
    """What was written for one is not shown to another who sees it differently, however they come."""
    add_scored(people, 2)
    path = "/contests/small/board"
    with people.platform.database.writing() as session:
        row = session.get_one(SubmissionRow, people.submission)
        row.state = "scored"
        record_scores(session, row, basis_of(session, people.small.contest), _scores(5, least=False))
        session.get_one(ContestRow, people.small.contest.id).values_for = "participants"
    for _ in range(2):
        shown = {role: people.browser(role).get(path).text for role in ("member", "organiser", "visitor")}
        assert [role for role, text in shown.items() if '<tr class="own">' in text] == ["member"]
        assert [role for role, text in shown.items() if "33.3%" in text] == ["member", "organiser"]
        assert [role for role, text in shown.items() if "/manage" in text] == ["organiser"]
        assert "順位" in people.browser().get(path, params={"lang": "ja"}).text
        assert people.browser().get(path).text == shown["visitor"]
        assert (
            "every=1" in shown["visitor"] and people.browser().get(f"{path}?every=1").text != shown["visitor"]
        )


def test_a_board_is_made_again_when_something_changed(people: WebPeople) -> None:
    client, path = people.client("organiser"), "/contests/small/board"
    add_scored(people, 2)
    assert client.get(path).text == client.get(path).text
    add_scored(people, 1, first=2)
    assert "Team 002" in client.get(path).text
    with people.platform.database.writing() as session:
        row = session.scalar(select(SubmissionRow).order_by(SubmissionRow.id.desc()).limit(1))
        assert row is not None
        row.disqualified = "no"
    assert "Team 002" not in client.get(path).text


def test_many_who_look_at_the_same_moment_get_their_own_page_of_few_that_are_kept() -> None:
    board, wrong, before = Board(template("single-table"), (), None, None, {}), [], sys.getswitchinterval()

    def look(first: int) -> None:
        for number in range(first, first + 20_000):
            key = number % (3 * MOST_PAGES)
            if kept_page(board, key, partial("page {}".format, key)) != f"page {key}":
                wrong.append(key)

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(16) as pool:
            for each in [pool.submit(look, 7 * number) for number in range(16)]:
                each.result()
    finally:
        sys.setswitchinterval(before)
    assert not wrong
    assert len(board.pages) == MOST_PAGES
    long = "x" * (LONGEST_KEPT + 1)
    assert kept_page(board, "all rows", lambda: long) == long
    assert "all rows" not in board.pages


def test_a_long_board_keeps_the_original_and_ones_own() -> None:
    """Three are better than the original, three are not; the last one's team looks."""
    entries = tuple(
        BoardEntry(number, number, f"T{number}", "release", False, START, {}, {}) for number in range(1, 7)
    )
    original = BoardEntry(9, None, None, "original", False, START, {}, {})
    ranked = [RankedEntry(str(each), {"error": each}, each / 10) for each in range(1, 7)]
    ranking = rank(RankedEntry("9", {"error": 3.5}, 0.35), ranked, {"error": "lower"}, {})
    board = Board(template("single-table"), entries, original, ranking, {})
    whole = board_rows(board, TeamRow(id=6), with_values=True)
    assert [row.number for row in whole] == [1, 2, 3, 9, 4, 5, 6]
    assert (whole[3].original, whole[6].own) == (True, True)
    for most in range(1, 8):
        wanted = [row for index, row in enumerate(whole) if index < most or row.original or row.own]
        assert board_rows(board, TeamRow(id=6), with_values=True, most=most) == wanted, most


def test_nothing_is_ranked_before_the_original_is_scored(people: WebPeople) -> None:
    assert "Nothing is ranked yet" in people.client().get("/contests/small/board").text


def test_names_of_people_are_text_and_never_markup(people: WebPeople) -> None:
    evil = "<script>alert(1)</script>"
    with people.platform.database.writing() as session:
        make_team(session, people.small.contest, sign_up(session, evil, PASSWORD), evil)
    add_scored(people, 1)
    for path in ("/admin", "/contests/small/board", "/contests/small/manage"):
        assert evil not in people.client("admin").get(path).text


@pytest.mark.parametrize("header", ["ja,en;q=0.5", "ja-JP"])
def test_the_language_is_the_browsers_until_another_is_chosen(people: WebPeople, header: str) -> None:
    client: TestClient = people.client()
    client.headers["Accept-Language"] = header
    assert '<html lang="ja">' in client.get("/").text
    assert '<html lang="en">' in client.get("/?lang=en").text
    assert '<html lang="en">' in client.get("/").text


@pytest.mark.parametrize("following", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere"])
def test_signing_in_leads_nowhere_else(people: WebPeople, following: str) -> None:
    for path in ("/sign-in", "/sign-up"):
        assert "elsewhere" not in people.client().get(path, params={"next": following}).text
    form = {"name": "Somebody", "password": PASSWORD, "next": following}
    assert people.browser().post("/sign-up", data=form).headers["location"] == "/"


def test_who_signs_up_comes_back_to_the_contest(people: WebPeople) -> None:
    form = {"name": "Somebody", "password": PASSWORD, "next": "/contests/small/team"}
    assert people.browser().post("/sign-up", data=form).headers["location"] == "/contests/small/team"


def test_another_language_is_the_same_board(people: WebPeople) -> None:
    add_scored(people, 3)
    path = "/contests/small/board?every=1&said=manage.done&next=//elsewhere"
    assert 'href="?every=1&amp;lang=ja"' in people.client("organiser").get(path).text


def test_an_organiser_pages_through_submissions_and_grants_more(
    people: WebPeople, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(organiser_pages, "ROWS_A_PAGE", 2)
    add_scored(people, 3)
    client, path = people.browser("organiser"), "/contests/small/manage"
    seen = []
    address: str | None = path
    while address is not None:
        text = client.get(address).text
        seen += [int(each) for each in re.findall(r"/submissions/(\d+)/run", text)]
        older = re.search(r"\?before=\d+", text)
        address = None if older is None else path + older[0]
    assert seen == sorted(set(seen), reverse=True)
    assert len(seen) == 5
    with people.platform.database.reading() as session:
        before = quota_left(session, people.small.contest, people.small.team)
    form = {"team": str(people.small.team.id), "amount": "2"}
    assert client.post(f"{path}/grant", data=form).headers["location"] == f"{path}?said=manage.granted"
    with people.platform.database.reading() as session:
        assert quota_left(session, people.small.contest, people.small.team).today == before.today + 2


def test_the_form_of_a_contest_goes_before_its_toml() -> None:
    contest = template("payment-card")
    text, shown = contest.to_toml(), form_values(contest)
    written = {
        "name": "mine", "title": "Mine", "a_day": "3", "starts": "2026-12-01T09:00",
        "ends": "2026-12-08T09:00", "most_members": "1", "values_for": "everybody", "points": "1, 4",
        "attack.pairs": "", "attack.bayes": "1", "metric.records_kept": "1",
        "weight.u1_fare_by_person": "2.5",
        "column_metrics": "total_variation.fare 2\r\nkolmogorov_smirnov.fare", "part.time": "date, times",
        "roles": 'usage = "sensitive"',
    }  # fmt: skip
    made = contest_from_form(text, {**shown, **written}, shown)
    assert (made.name, made.title, made.quota.a_day, made.quota.in_all) == ("mine", "Mine", 3, 100)
    assert (made.most_members, made.public.values, made.points) == (1, "everybody", (1, 4))
    assert (made.parts["time"], made.roles) == (["date", "times"], {"usage": "sensitive"})
    assert set(made.of_family("privacy")) == {*contest.of_family("privacy"), "bayes"} - {"pairs"}
    new = {
        "records_kept": 1,
        "u1_fare_by_person": 2.5,
        "total_variation.fare": 2,
        "kolmogorov_smirnov.fare": 1,
    }
    assert made.weights == {**contest.weights, **new}
    assert [(each.kind, each.starts and each.starts.isoformat()) for each in made.phases] == [
        ("announced", None), ("open", "2026-12-01T09:00:00+00:00"), ("closed", "2026-12-08T09:00:00+00:00"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_form_that_nobody_touched_leaves_its_template_as_it_is(name: str) -> None:
    contest, shown = template(name), form_values(template(name))
    assert contest_from_form(contest.to_toml(), {**shown, "name": contest.name}, shown) == contest


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("a_day", "many"), ("rows", "9" * 5000), ("starts", "tomorrow"), ("name", "No Name"),
        ("weight.u1_fare_by_person", "heavy"), ("column_metrics", "nothing.fare"), ("roles", "usage: x"),
        ("points", "1, x"), ("board_for", "nobody"), ("part.amount", ""),
        ("roles", f"age = {'1' * 5000}"), ("roles", f"age = {'[' * 5000}"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_field_is_told(field: str, text: str) -> None:
    shown = form_values(template("payment-card"))
    with pytest.raises(UsageError, match="contest: "):
        contest_from_form(template("payment-card").to_toml(), {**shown, "name": "mine", field: text}, shown)


@pytest.mark.parametrize("definition", ["name = ", f"seed = {'1' * 5000}", f"seed = {'[' * 5000}"])
def test_a_definition_that_is_no_toml_is_told(definition: str) -> None:
    with pytest.raises(UsageError, match="is not TOML"):
        contest_from_form(definition, {}, {})


def test_new_data_runs_everything_again(people: WebPeople) -> None:
    add_scored(people, 1)
    answer = people.browser("organiser").post(
        "/contests/small/data", files={"original": ("new.csv", b"customer,goods\na,tea\nb,tea\n")}
    )
    assert answer.status_code == 303
    with people.platform.database.reading() as session:
        contest = session.get_one(ContestRow, people.small.contest.id)
        version, files = current_data(session, contest)
        rows = session.scalars(select(SubmissionRow).where(SubmissionRow.contest_id == contest.id)).all()
    assert (version.number, files["original"].file_name) == (2, "new.csv")
    assert {row.state for row in rows} == {"received", "queued"}
    assert [row.file_digest for row in rows if row.kind == "original"] == [files["original"].digest]


def test_new_data_without_another_table_of_people_keeps_the_one_that_there_is(people: WebPeople) -> None:
    """Releases were sent with one, and would all be refused."""
    client, path = people.browser("organiser"), "/contests/small/data"
    table = ("people.csv", b"customer,segment\na,x\nb,y\n")
    for number, sent in enumerate(({"people": table}, {}), start=2):
        files = {"original": (f"{number}.csv", b"customer,goods\na,tea\nb,tea\n"), **sent}
        assert client.post(path, files=files).status_code == 303
        with people.platform.database.reading() as session:
            version, found = current_data(session, session.get_one(ContestRow, people.small.contest.id))
        assert (version.number, found["original"].file_name) == (number, f"{number}.csv")
        assert found["people"].file_name == "people.csv"


def test_a_contest_whose_original_can_t_be_scored_is_not_opened(people: WebPeople) -> None:
    client, path = people.browser("organiser"), "/contests/mine/manage"
    text = template("single-table").to_toml().replace('"single-table"', '"mine"')
    files = {"original": ("o.csv", b"a,b\n1,2\n")}
    made = people.client("organiser").post("/api/contests", data={"definition": text}, files=files)
    assert made.status_code == 201
    assert "The original is being scored" in client.get(path).text
    with people.platform.database.writing() as session:
        contest = contest_by_name(session, "mine")
        original = original_of(session, contest)
        assert original is not None
        original.state, original.log = "failed", "there is no column 'price'"
    page = client.get(path).text
    assert "The original can&#39;t be scored" in page and "no column &#39;price&#39;" in page
    answer = client.post(f"{path}/state", data={"state": "open"})
    assert (answer.status_code, "no column &#39;price&#39;" in answer.text) == (409, True)
    asked = people.client("organiser").post("/api/contests/mine/state", json={"state": "open"})
    assert (asked.status_code, asked.json()["code"]) == (409, "original_failed")
    # another definition has it scored again, and then it opens
    changed = text.replace("seed = 0", "seed = 1")
    assert client.post(f"{path}/definition", data={"definition": changed}).status_code == 303
    assert client.post(f"{path}/state", data={"state": "open"}).status_code == 303
    with people.platform.database.reading() as session:
        contest = contest_by_name(session, "mine")
        original = original_of(session, contest)
        assert original is not None
        assert (contest.state, original.state, original.log) == ("open", "queued", "")


WITH_PEOPLE = {"original": ("o.csv", b"customer,goods\na,tea\n"), "people": ("p.csv", b"customer,sex\na,f\n")}


def test_a_release_goes_with_its_table_of_people_where_the_contest_has_one(people: WebPeople) -> None:
    organiser, member = people.client("organiser"), people.client("member")
    text = template("single-table").to_toml().replace('"single-table"', '"pairs"')
    made = organiser.post("/api/contests", data={"definition": text}, files=WITH_PEOPLE)
    assert made.status_code == 201
    assert organiser.post("/api/contests/pairs/state", json={"state": "open"}).status_code == 200
    assert member.post("/api/contests/pairs/team", json={"name": "Two"}).status_code == 201
    assert 'name="people"' in people.browser("member").get("/contests/pairs/submit").text
    assert 'name="people"' not in people.browser("member").get("/contests/small/submit").text
    files = {"release": ("r.csv", b"customer,goods\nx,tea\n"), "people": ("p.csv", b"customer,sex\nx,f\n")}
    number = member.post("/api/contests/pairs/submissions", files=files).json()["number"]
    archive = ZipFile(io.BytesIO(organiser.get("/api/contests/pairs/archive").content))
    assert archive.read(f"submissions/{number}/people") == b"customer,sex\nx,f\n"
    assert archive.read("data/people") == b"customer,sex\na,f\n"


def test_an_attack_phase_has_no_table_of_people(people: WebPeople) -> None:
    """What is published there is one table, and attackers would know less than who has the release."""
    contest = with_attack_phase(replace(template("single-table"), name="both"))
    organiser = people.client("organiser")
    made = organiser.post("/api/contests", data={"definition": contest.to_toml()}, files=WITH_PEOPLE)
    assert (made.status_code, "is one table" in made.json()["message"]) == (422, True)
    plain = replace(template("single-table"), name="both").to_toml()
    assert organiser.post("/api/contests", data={"definition": plain}, files=WITH_PEOPLE).status_code == 201
    changed = people.browser("organiser").post(
        "/contests/both/manage/definition", data={"definition": contest.to_toml()}
    )
    assert (changed.status_code, "is one table" in changed.text) == (422, True)


def test_another_title_leaves_the_original_s_values(people: WebPeople) -> None:
    add_scored(people, 1)
    path = "/contests/small/manage/definition"
    with people.platform.database.reading() as session:
        text = session.get_one(ContestRow, people.small.contest.id).definition
    changed = text.replace('title = "Small"', 'title = "Other"')
    assert people.browser("organiser").post(path, data={"definition": changed}).status_code == 303
    with people.platform.database.reading() as session:
        original = original_of(session, session.get_one(ContestRow, people.small.contest.id))
    assert original is not None
    assert original.state == "scored"


def test_what_is_wrong_with_a_contest_is_listed_on_its_page(people: WebPeople) -> None:
    client = people.browser("organiser")
    answer = client.post("/contests", data={**FORM, "definition": 'title = "x"\nfoo = 1'})
    assert answer.status_code == 422
    assert answer.text.count("<li>") >= 2
    assert "foo" in answer.text


def test_a_definition_with_mistakes_stays_on_the_page(people: WebPeople) -> None:
    """Whoever wrote it needs not write it again; the contest is as it was."""
    with people.platform.database.reading() as session:
        before = session.get_one(ContestRow, people.small.contest.id).definition
    wrong = before.replace("a_day = ", "a_day = -") + "\n# a line of mine"
    answer = people.browser("organiser").post("/contests/small/manage/definition", data={"definition": wrong})
    assert answer.status_code == 422
    assert "<li>quota.a_day: must be a whole number" in answer.text and "# a line of mine" in answer.text
    with people.platform.database.reading() as session:
        assert session.get_one(ContestRow, people.small.contest.id).definition == before


def test_what_counts_can_be_chosen_only_while_releases_are_taken(people: WebPeople) -> None:
    path = f"/contests/small/submissions/{people.submission}"
    assert f'action="{path}/pin"' in people.browser("member").get(path).text
    people.browser("organiser").post("/contests/small/manage/state", data={"state": "closed"})
    page = people.browser("member").get(path)
    assert (page.status_code, f'action="{path}/pin"' in page.text) == (200, False)
