"""Uploaded metrics: tried first, run on what their uploader may see, never with old scores."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy.orm import Session

from singleout.platform.board import board_of, keep_ranks
from singleout.platform.contest import read_contest
from singleout.platform.refusal import RefusalError
from singleout.platform.sandbox.wall_check import WallCheck
from singleout.platform.store.accounts import sign_up
from singleout.platform.store.contests import add_data_version
from singleout.platform.store.database import Database
from singleout.platform.store.evaluations import MetricScore, basis_of, evaluations_of, record_scores
from singleout.platform.store.files import FileShelf
from singleout.platform.store.metrics import (
    MOST_OF_A_TEAM,
    add_metric,
    adopt,
    approve,
    drop,
    has_run,
    listed_metrics,
    plan_runs,
    runs_of,
    shown_versions,
    take_run,
    trial_of,
)
from singleout.platform.store.queue import all_workers
from singleout.platform.store.results import result_rows
from singleout.platform.store.schema import ContestRow, MetricVersionRow, SubmissionRow
from singleout.platform.store.submissions import receive, score_original
from singleout.platform.store.teams import make_team
from singleout.platform.worker.metric_runs import MetricRuns
from singleout.platform.worker.worker import Worker
from tests.support.sandbox_walls import metric_file, wall_or_skip
from tests.support.small_platform import PASSWORD, SmallPlatform, fill, stored

KEPT = 'name = "kept"', 'family = "utility"', 'better = "higher"', "range = [0, 10]"
RISK = 'name = "risk"', 'family = "privacy"', 'better = "lower"', "range = [0, 1]"
ROWS = "SELECT count(*) FROM release"
MORE = "SELECT count(*) + 1 FROM release"


def sql(body: str, *lines: str) -> bytes:
    return metric_file("sql", body, *(lines or KEPT)).encode()


def scored(session: Session, shelf: FileShelf, small: SmallPlatform) -> tuple[int, int, int]:
    """The original, a submission of the team Blue, and one of the team Red, with a map of who is who."""
    rival = sign_up(session, "Rita", PASSWORD)
    make_team(session, small.contest, rival, "Red")
    found = [score_original(session, small.contest)]
    releases = {small.member: b"customer,goods\nx,tea\n", rival: b"customer,goods\nx,tea\ny,salt\nz,tea\n"}
    for account, content in releases.items():
        truth = stored(shelf, b"release_user,original_user\nx,a\n", "who.csv")
        found.append(receive(session, small.contest, account, stored(shelf, content), truth=truth))
    for each in found:
        each.state = "scored"
    return found[0].id, found[1].id, found[2].id


def run_all(database: Database, shelf: FileShelf) -> int:
    runs = MetricRuns(database, shelf, "w1", wall_or_skip())
    many = 0
    while runs.work_once():
        many += 1
    return many


def values_of(database: Database, version: int) -> dict[int | None, float | None]:
    with database.reading() as session:
        row = session.get_one(MetricVersionRow, version)
        return {each.submission_id: each.value for each in runs_of(session, row, team=None, every=True)}


def test_a_metric_is_tried_runs_on_ones_own_and_ranks_when_adopted(
    database: Database, shelf: FileShelf
) -> None:
    with database.writing() as session:
        small = fill(session, shelf)
        original, own, other = scored(session, shelf, small)
        version = add_metric(session, small.contest, small.member, small.team, sql(ROWS), "kept.sql").id
        again = add_metric(session, small.contest, small.member, small.team, sql(ROWS), "kept.sql").id
        assert again == version
    assert run_all(database, shelf) == 3
    assert values_of(database, version) == {own: 1, original: 2}
    with database.writing() as session:
        row = session.get_one(MetricVersionRow, version)
        trial = trial_of(session, row)
        assert (row.state, trial and trial.value) == ("accepted", 2)
        contest = session.get_one(ContestRow, small.contest.id)
        adopt(session, small.organiser, contest, row)
        assert read_contest(contest.definition).pinned == {"kept": row.digest}
    assert run_all(database, shelf) == 1
    assert values_of(database, version) == {own: 1, original: 2, other: 3}
    with database.writing() as session:
        contest = session.get_one(ContestRow, small.contest.id)
        board = board_of(session, contest)
        assert {each.submission_id: each.values["kept"] for each in board.entries} == {own: 1, other: 3}
        assert board.ranking is not None and "kept" in board.ranking.metrics
        rows = result_rows(session, "metric_values", contest).rows
        assert {row[4] for row in rows} == {"kept"}
        keep_ranks(session, contest)
        drop(session, small.organiser, contest, session.get_one(MetricVersionRow, version))
        assert read_contest(contest.definition).pinned == {}


def test_a_team_can_t_fill_the_board(database: Database, shelf: FileShelf) -> None:
    lines = [(f'name = "kept{each}"', *KEPT[1:]) for each in range(MOST_OF_A_TEAM + 1)]
    with database.writing() as session:
        small = fill(session, shelf)
        for each in lines[:-1]:
            add_metric(session, small.contest, small.member, small.team, sql(ROWS, *each), "kept.sql")
        add_metric(session, small.contest, small.member, small.team, sql(MORE, *lines[0]), "kept.sql")
        with pytest.raises(RefusalError, match="a team has at most 20 metrics"):
            add_metric(session, small.contest, small.member, small.team, sql(ROWS, *lines[-1]), "kept.sql")
        add_metric(session, small.contest, small.organiser, None, sql(ROWS, *lines[-1]), "kept.sql")


def test_a_new_version_never_keeps_old_scores(database: Database, shelf: FileShelf) -> None:
    with database.writing() as session:
        small = fill(session, shelf)
        _, own, _ = scored(session, shelf, small)
        first = add_metric(session, small.contest, small.member, small.team, sql(ROWS), "kept.sql").id
    run_all(database, shelf)
    with database.writing() as session:
        second = add_metric(session, small.contest, small.member, small.team, sql(MORE), "k.sql").id
        row = session.get_one(MetricVersionRow, second)
        row.state = "accepted"  # as after its trial, before it ran on anything
        session.flush()
        submission = session.get_one(SubmissionRow, own)
        versions = shown_versions(session, small.contest)
        assert versions == {"kept": row.digest}
        assert evaluations_of(session, small.contest, submission, versions) == []
        entry = next(e for e in board_of(session, small.contest).entries if e.submission_id == own)
        assert entry.values["kept"] is None and "older version" in entry.reasons["kept"]
        row.state = "waiting"
    run_all(database, shelf)
    assert values_of(database, second)[own] == 2 and values_of(database, first)[own] == 1
    with database.reading() as session:
        listed = listed_metrics(session, small.contest, team=small.team, every=False)
        assert [each.current for each in listed] == [True, False]


def test_a_pinned_version_stays_until_another_is_adopted(database: Database, shelf: FileShelf) -> None:
    with database.writing() as session:
        small = fill(session, shelf)
        _, own, _ = scored(session, shelf, small)
        add_metric(session, small.contest, small.member, small.team, sql(ROWS), "kept.sql")
    run_all(database, shelf)
    with database.writing() as session:
        contest = session.get_one(ContestRow, small.contest.id)
        (listed,) = listed_metrics(session, contest, team=None, every=True)
        adopt(session, small.organiser, contest, listed.version)
        add_metric(session, contest, small.member, small.team, sql(MORE), "kept.sql")
    run_all(database, shelf)
    with database.reading() as session:
        contest = session.get_one(ContestRow, small.contest.id)
        entry = next(e for e in board_of(session, contest).entries if e.submission_id == own)
        assert entry.values["kept"] == 1
        assert shown_versions(session, contest) == {"kept": listed.version.digest}


def test_an_adopted_risk_counts_as_the_highest_and_unknown_never_passes(
    database: Database, shelf: FileShelf
) -> None:
    body = "SELECT CASE WHEN count(*) = 1 THEN 0.9 END FROM release"
    with database.writing() as session:
        small = fill(session, shelf)
        numbers = scored(session, shelf, small)
        basis = basis_of(session, small.contest)
        for number in numbers:
            score = MetricScore("best", "privacy", 0.5, None, "1")
            record_scores(session, session.get_one(SubmissionRow, number), basis, [score])
        version = add_metric(session, small.contest, small.organiser, None, sql(body, *RISK), "risk.sql")
        version.state = "accepted"
        session.flush()
        adopt(session, small.organiser, small.contest, version)
    run_all(database, shelf)
    with database.reading() as session:
        contest = session.get_one(ContestRow, small.contest.id)
        board = board_of(session, contest)
        entries = {each.submission_id: each for each in board.entries}
        assert entries[numbers[1]].values["best"] == 0.9
        assert entries[numbers[2]].values["best"] == 0.5 and "risk" in entries[numbers[2]].reasons["best"]
        assert board.ranking is not None
        standing = {int(each.name): each for each in board.ranking.releases}
        assert not standing[numbers[2]].compared


def test_who_is_who_is_only_for_what_the_organiser_approved(database: Database, shelf: FileShelf) -> None:
    lines = (*KEPT[:3], "range = [0, 100]", "secret = true")
    with database.writing() as session:
        small = fill(session, shelf)
        original, own, other = scored(session, shelf, small)
        text = sql("SELECT 0.123456 + count(*) FROM truth", *lines)
        version = add_metric(session, small.contest, small.member, small.team, text, "kept.sql")
        assert version.state == "unapproved" and trial_of(session, version) is None
        plan_runs(session, small.contest)
    assert run_all(database, shelf) == 0
    with database.writing() as session:
        row = session.get_one(MetricVersionRow, version.id)
        with pytest.raises(RefusalError, match="reads no secret"):
            adopt(session, small.organiser, small.contest, row)
        approve(session, small.organiser, small.contest, row)
    run_all(database, shelf)
    assert values_of(database, version.id) == {own: 1.1}
    with database.reading() as session:
        contest = session.get_one(ContestRow, small.contest.id)
        assert (
            shown_versions(session, contest) == {}
            and result_rows(session, "metric_values", contest).rows == []
        )
    assert original != other


def test_a_metric_that_sees_no_map_finds_none(database: Database, shelf: FileShelf) -> None:
    with database.writing() as session:
        small = fill(session, shelf)
        scored(session, shelf, small)
        text = sql("SELECT count(*) FROM truth")
        version = add_metric(session, small.contest, small.member, small.team, text, "kept.sql").id
    run_all(database, shelf)
    with database.reading() as session:
        row = session.get_one(MetricVersionRow, version)
        trial = trial_of(session, row)
        assert row.state == "refused" and trial is not None and "truth" in (trial.reason or "")


NAMES_KEPT = "SELECT count(*) FROM release JOIN original USING (customer)"
SAME_PLACE = """SELECT count(*) FROM (SELECT *, row_number() OVER () AS place FROM original) AS o
    JOIN (SELECT *, row_number() OVER () AS place FROM release) AS r
    ON o.place = r.place AND o.goods = r.goods"""


@pytest.mark.parametrize("body", [NAMES_KEPT, SAME_PLACE])
def test_a_release_tells_no_metric_who_is_who(database: Database, shelf: FileShelf, body: str) -> None:
    """Neither by names that were kept nor by the order of its records; what it holds is all there."""
    people = range(40)
    table = "customer,goods\n" + "".join(f"c{number},g{number}\n" for number in people)
    lines = (*KEPT[:3], "range = [0, 100]")
    with database.writing() as session:
        small = fill(session, shelf)
        contest = replace(read_contest(small.contest.definition), user="customer", truth="names")
        small.contest.definition = contest.to_toml()
        add_data_version(session, small.organiser, small.contest, {"original": stored(shelf, table.encode())})
        row = receive(session, small.contest, small.member, stored(shelf, table.encode()))
        row.state = "scored"
        number = row.id
        upload = partial(add_metric, session, small.contest, small.member, small.team)
        linked = upload(sql(body, *lines), "kept.sql").id
        counted = upload(
            sql("SELECT count(DISTINCT customer || goods) FROM release", 'name = "all"', *lines[1:]),
            "all.sql",
        ).id
    run_all(database, shelf)
    value = values_of(database, linked)[number]
    assert value is not None and value < 10
    assert values_of(database, counted)[number] == len(people)


def test_a_name_is_its_first_team_s(database: Database, shelf: FileShelf) -> None:
    with database.writing() as session:
        small = fill(session, shelf)
        scored(session, shelf, small)
        add_metric(session, small.contest, small.member, small.team, sql(ROWS), "kept.sql")
        with pytest.raises(RefusalError, match="somebody else"):
            add_metric(session, small.contest, small.organiser, None, sql(ROWS), "kept.sql")


def test_what_a_vanished_worker_held_is_run_again_and_given_up_at_last(
    database: Database, shelf: FileShelf
) -> None:
    with database.writing() as session:
        small = fill(session, shelf)
        version = add_metric(session, small.contest, small.member, small.team, sql(ROWS), "kept.sql").id
    for attempt in range(1, 4):
        with database.writing() as session:
            taken = take_run(session, f"w{attempt}", timedelta(seconds=-1))
            assert taken is not None and taken.attempt == attempt
    with database.writing() as session:
        assert take_run(session, "w4") is None and not has_run(session)
        trial = trial_of(session, session.get_one(MetricVersionRow, version))
        assert trial is not None and trial.state == "failed" and "vanished" in (trial.reason or "")


def test_a_worker_says_what_its_sandbox_is_and_runs_no_metric_without_one(
    database: Database, shelf: FileShelf
) -> None:
    with database.writing() as session:
        small = fill(session, shelf)
        version = add_metric(session, small.contest, small.member, small.team, sql(ROWS), "kept.sql").id
    open_wall = WallCheck(None, 79, ("read_a_file",), "bubblewrap does not hold: read_a_file")
    worker = Worker(database, shelf, "w1", walls=lambda: open_wall)
    worker.stop.set()
    worker.run()
    worker._give_sign(open_wall.says)
    with database.reading() as session:
        assert [each.sandbox for each in all_workers(session)] == [open_wall.says]
        trial = trial_of(session, session.get_one(MetricVersionRow, version))
        assert trial is not None and trial.state == "waiting"
