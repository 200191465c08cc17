"""People who try what is not meant for them: markup for names, more than their quota, a metric that spies."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sqlalchemy import select

from singleout.attacks.attack_run import ONE_TO_ONE, WORST
from singleout.errors import UsageError
from singleout.platform.board import board_of
from singleout.platform.contest import read_contest
from singleout.platform.refusal import RefusalError
from singleout.platform.store.contests import announce, change_contest
from singleout.platform.store.database import Database, database_address
from singleout.platform.store.evaluations import MetricScore, basis_of, record_scores
from singleout.platform.store.files import FileShelf
from singleout.platform.store.metrics import add_metric, adopt, finish_run, plan_runs, take_run
from singleout.platform.store.results import result_rows
from singleout.platform.store.schema import (
    AccountRow,
    AttackScoreRow,
    ContestRow,
    FileRow,
    SubmissionRow,
    TeamRow,
)
from singleout.platform.store.submissions import disqualify, score_original
from singleout.platform.uploaded_metric import read_metric
from tests.support.access_table import METRIC_TEXT, PAGE_ROUTES
from tests.support.attacked_contest import (
    RULES,
    attacked_contest,
    fill_duel,
    guess_file,
    look,
    played_until,
    truth_of_release,
    work,
    worker_here,
)
from tests.support.web_people import WebPeople, web_people

EVIL = "\"'><x-evil onload=1>{{7*7}}"
RELEASE = {"release": ("r.csv", b"customer,goods\nx,tea\n")}
OWN_NAMES = (
    "best", "guesses", "combined", "jaccard", "records_kept", "points_4", f"{WORST}_1",
    f"jaccard{ONE_TO_ONE}",
)  # fmt: skip
TOLD = "c17,secret goods"


@pytest.fixture
def people(tmp_path: Path) -> Iterator[WebPeople]:
    with web_people(tmp_path, database_address(None, tmp_path)) as filled:
        yield filled


def at_once(work: Callable[[], object], many: int) -> list[object]:
    """What each of so many comes to, begun at the same moment."""
    door, found = threading.Barrier(many), []

    def one() -> None:
        door.wait()
        found.append(work())

    threads = [threading.Thread(target=one) for _ in range(many)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return found


def test_many_uploads_at_once_share_what_is_left_of_a_quota(address: str, tmp_path: Path) -> None:
    """Of three a day one is spent."""
    with web_people(tmp_path, address) as people:
        answers = at_once(
            lambda: (
                people.client("member").post("/api/contests/small/submissions", files=RELEASE).status_code
            ),
            6,
        )
        assert Counter(answers) == {201: 2, 429: 4}
        with people.platform.database.reading() as session:
            assert len(session.scalars(select(SubmissionRow.id)).all()) == 3


def test_what_was_refused_is_not_kept(address: str, tmp_path: Path) -> None:
    """Of many files at once, the shelf has those that were taken; one that somebody else sent too stays."""
    with web_people(tmp_path, address) as people:
        before, numbers = kept_names(tmp_path), iter(range(6))

        def one() -> int:
            content = f"customer,goods\nx,tea {next(numbers)}\n".encode()
            files = {"release": ("r.csv", content), "truth": ("t.csv", content + b"y")}
            path = "/api/contests/small/submissions"
            return int(people.client("member").post(path, files=files).status_code)

        assert Counter(at_once(one, 6)) == {201: 2, 429: 4}
        assert len(kept_names(tmp_path) - before) == 2 * 2
        with people.platform.database.reading() as session:
            rows = {each.digest for each in session.scalars(select(FileRow))}
        assert kept_names(tmp_path) == rows


def test_a_contest_that_was_refused_leaves_no_data(people: WebPeople, tmp_path: Path) -> None:
    before = kept_names(tmp_path)
    form = {"data": {"definition": "no contest"}, "files": {"original": ("o.csv", b"a,secret\n1,2\n")}}
    assert people.client("organiser").post("/api/contests", **form).status_code == 422
    assert people.browser("organiser").post("/contests/small/data", files={}).status_code >= 400
    assert kept_names(tmp_path) == before


def kept_names(folder: Path) -> set[str]:
    return {each.name for each in (folder / "files").rglob("*") if each.is_file()}


def test_many_looks_at_once_share_one_ledger(
    database: Database, shelf: FileShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = replace(RULES, looks_a_day=2, looks_in_all=2)
    worker = worker_here(database, shelf, monkeypatch)
    duel = played_until(
        "attack", database, worker,
        lambda session: fill_duel(session, shelf, attacked_contest(attack=rules)),
    )  # fmt: skip
    with database.reading() as session:
        who = truth_of_release(session, duel, "Blue")

    def one() -> str:
        try:
            look(database, shelf, duel, "Red", "Blue", guess_file(who))
        except RefusalError as error:
            return error.code
        return "taken"

    assert Counter(at_once(one, 6)) == {"taken": 2, "quota_used_up": 4}
    work(worker)
    with database.reading() as session:
        shown = session.scalars(select(AttackScoreRow.shown).order_by(AttackScoreRow.submission_id)).all()
    assert shown == [1.0, None]


class Markup(HTMLParser):
    """What a browser makes of a page: its elements, and attributes that run something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.handlers: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


def write_everywhere(people: WebPeople) -> None:
    """Wherever somebody may write a text that others read."""
    platform, small = people.platform, people.small
    with platform.database.writing() as session:
        named: list[AccountRow | TeamRow] = [*session.scalars(select(AccountRow))]
        for each in (*named, *session.scalars(select(TeamRow))):
            each.name = f"{EVIL} {each.id}"
        contest = session.get_one(ContestRow, small.contest.id)
        change_contest(
            session, small.organiser, contest,
            replace(read_contest(contest.definition), title=EVIL, about=EVIL),
        )  # fmt: skip
        announce(session, small.organiser, contest, EVIL)
        release = session.get_one(SubmissionRow, people.submission)
        release.file_name = release.comment = release.log = EVIL
        release.problems = [{"text": EVIL}]
        rows = [release, score_original(session, contest)]
        text = METRIC_TEXT.format("evil").replace("-- ///\n", f"-- title = {json.dumps(EVIL)}\n-- ///\n", 1)
        version = add_metric(
            session, contest, small.member, small.team, f"{text}-- {EVIL}".encode(), f"{EVIL}.sql"
        )
        version.state = "accepted"
        session.flush()
        for row in rows:
            row.state = "scored"
            record_scores(session, row, basis_of(session, contest), [
                MetricScore("best", "privacy", 0.5, EVIL, "1"),
                MetricScore("evil", "utility", 0.5, None, version.digest),
                *(MetricScore(name, "utility", 0.5, EVIL, "1")
                  for name in read_contest(contest.definition).of_family("utility")),
            ])  # fmt: skip
        plan_runs(session, contest)
        disqualify(session, small.organiser, rows[0], EVIL)


def read_pages(people: WebPeople, role: str) -> Iterator[bool]:
    """Whether each page that a role may see shows what was written, as text."""
    for key, route in PAGE_ROUTES.items():
        if not key.startswith("GET ") or route.statuses[role] != 200 or "/static/" in key:
            continue
        path = (route.path or key.removeprefix("GET ")).format(name="small", number=people.submission)
        for language in ("en", "ja"):
            page = people.browser(role).get(path, params={"lang": language}).text
            found = Markup(page)
            assert "x-evil" not in found.elements, path
            assert found.handlers == [], path
            yield "&lt;x-evil onload=1&gt;{{7*7}}" in page


@pytest.mark.parametrize("role", ["visitor", "member", "rival", "organiser", "admin"])
def test_what_people_write_is_text_on_every_page(people: WebPeople, role: str) -> None:
    write_everywhere(people)
    shown = sum(read_pages(people, role))
    with people.platform.database.writing() as session:
        release = session.get_one(SubmissionRow, people.submission)
        disqualify(session, people.small.organiser, release, None)
    shown += sum(read_pages(people, role))
    assert shown > 2


def test_the_words_of_an_adopted_metric_are_not_told_to_its_author(people: WebPeople) -> None:
    """It runs on the releases of all: what it says of them instead of a number is for the organiser."""
    platform, small = people.platform, people.small
    path = "/api/contests/small/metrics/{}"
    with platform.database.writing() as session:
        contest = session.get_one(ContestRow, small.contest.id)
        rival = session.scalars(select(TeamRow).where(TeamRow.name == "Red")).one()
        own = session.get_one(SubmissionRow, people.submission)
        other = SubmissionRow(
            contest_id=contest.id, state="scored", kind="release", file_name="r.csv", problems=[], log="",
            file_digest=own.file_digest, comment="", received_at=contest.created_at, team_id=rival.id,
        )  # fmt: skip
        session.add(other)
        own.state = "scored"
        text = METRIC_TEXT.format("spy").encode()
        version = add_metric(session, contest, small.member, small.team, text, "spy.sql")
        version.state, number = "accepted", version.id
        session.flush()
        adopt(session, small.organiser, contest, version)
        while (taken := take_run(session, "w")) is not None:
            of_rival = taken.submission is not None and taken.submission.team_id == rival.id
            finish_run(session, taken, None if of_rival else 0.5, TOLD if of_rival else None, "")
        session.flush()
        board, rows = board_of(session, contest), result_rows(session, "metric_values", contest).rows
        assert not [each for each in board.entries if TOLD in str(each)]
        assert "spy" in {row[4] for row in rows}
        assert TOLD not in str(rows)
    answers = {role: people.client(role).get(path.format(number)).json() for role in ("member", "organiser")}
    assert [each["submission"] for each in answers["member"]["values"]] == [people.submission]
    assert TOLD in str(answers["organiser"])
    assert TOLD not in str(answers["member"])
    assert TOLD not in people.browser("member").get(f"/contests/small/metrics/{number}").text


@pytest.mark.parametrize(
    "name",
    [
        "best",
        "guesses",
        "combined",
        "jaccard",
        "records_kept",
        "points_4",
        f"{WORST}_1",
        f"jaccard{ONE_TO_ONE}",
    ],
)
def test_no_metric_takes_the_name_of_what_ranks(name: str) -> None:
    with pytest.raises(UsageError, match="one of singleout's own"):
        read_metric(METRIC_TEXT.format(name).encode(), "m.sql")
