"""Values count on the data, by the parameters and the version of now; a board takes few queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event, insert, text
from sqlalchemy.orm import Session

from singleout.platform.board import board_of, keep_ranks
from singleout.platform.refusal import RefusalError
from singleout.platform.store.contests import add_data_version, change_contest, set_state
from singleout.platform.store.database import Database
from singleout.platform.store.evaluations import (
    OLDER_VERSION,
    BoardEntry,
    DifferentResultError,
    EvaluationBasis,
    MetricScore,
    ReadValues,
    basis_of,
    board_entries,
    board_state,
    entries_of,
    evaluations_of,
    read_values,
    record_scores,
)
from singleout.platform.store.files import FileShelf
from singleout.platform.store.results import RESULTS, result_rows
from singleout.platform.store.schema import ContestRow, EvaluationRow, SubmissionRow, TeamRow
from singleout.platform.store.submissions import disqualify, pin, run_again, score_original
from tests.support.small_platform import (
    START,
    SmallPlatform,
    StandingClock,
    fill,
    small_contest,
    stored,
    submit,
)


@pytest.fixture
def small(database: Database, shelf: FileShelf) -> SmallPlatform:
    with database.writing() as session:
        return fill(session, shelf)


def score(value: float | None, metric: str = "records_kept", version: str = "1") -> MetricScore:
    return MetricScore(metric, "utility", value, None if value is not None else "not told", version)


def scored(database: Database, shelf: FileShelf, small: SmallPlatform, *scores: MetricScore) -> int:
    with database.writing() as session:
        row = submit(session, shelf, small)
        row.state = "scored"
        record_scores(session, row, basis_of(session, small.contest), scores)
        return row.id


def board(database: Database, small: SmallPlatform) -> dict[int, tuple[Any, Any]]:
    with database.reading() as session:
        return {
            each.submission_id: (dict(each.values), dict(each.reasons))
            for each in board_entries(session, session.merge(small.contest, load=True))
        }


def test_the_latest_counts_unless_another_is_pinned_or_it_is_disqualified(
    database: Database, shelf: FileShelf, small: SmallPlatform
) -> None:
    first, second = (scored(database, shelf, small, score(value)) for value in (1.0, 2.0))
    assert list(board(database, small)) == [second]
    with database.writing() as session:
        pin(session, small.member, session.get_one(SubmissionRow, first), True)
    assert list(board(database, small)) == [first]
    with database.writing() as session:
        disqualify(session, small.organiser, session.get_one(SubmissionRow, first), "why")
    assert list(board(database, small)) == [second]


def test_what_counts_stays_when_the_contest_is_closed(
    database: Database, shelf: FileShelf, small: SmallPlatform
) -> None:
    number = scored(database, shelf, small, score(1.0))
    with database.writing() as session:
        set_state(session, small.organiser, session.get_one(ContestRow, small.contest.id), "closed")
        with pytest.raises(RefusalError, match="what counts stays"):
            pin(session, small.member, session.get_one(SubmissionRow, number), True)


def test_the_original_is_scored_anew_on_new_data(
    database: Database, shelf: FileShelf, small: SmallPlatform
) -> None:
    new = stored(shelf, b"a\n1\n")
    with database.writing() as session:
        original = score_original(session, small.contest)
        assert original.file_digest != new.digest
        add_data_version(session, small.organiser, small.contest, {"original": new})
        run_again(session, small.organiser, original)
        assert (original.file_digest, original.state) == (new.digest, "queued")


def test_unknown_is_none_with_a_reason(database: Database, shelf: FileShelf, small: SmallPlatform) -> None:
    number = scored(database, shelf, small, score(None))
    assert board(database, small)[number] == ({"records_kept": None}, {"records_kept": "not told"})
    with pytest.raises(ValueError, match="reason"):
        MetricScore("m", "utility", None, None, "1")
    with pytest.raises(ValueError, match="finite"):
        MetricScore("m", "utility", float("nan"), None, "1")


def test_an_unknown_value_may_become_known_and_a_known_one_stays(
    database: Database, shelf: FileShelf, small: SmallPlatform
) -> None:
    number = scored(database, shelf, small, score(None))
    with database.writing() as session:
        row, basis = session.get_one(SubmissionRow, number), basis_of(session, small.contest)
        record_scores(session, row, basis, [score(0.5)])
        record_scores(session, row, basis, [score(None)])
        record_scores(session, row, basis, [score(0.5)])
        with pytest.raises(DifferentResultError):
            record_scores(session, row, basis, [score(0.25)])
    assert board(database, small)[number][0] == {"records_kept": 0.5}


def test_values_of_an_older_version_are_unknown_beside_newer_ones(
    database: Database, shelf: FileShelf, small: SmallPlatform
) -> None:
    number = scored(database, shelf, small, score(1.0))
    with database.writing() as session:
        basis = basis_of(session, small.contest)
        team = TeamRow(contest_id=small.contest.id, name="Z", name_key="z", join_code="z", created_at=START)
        session.add(team)
        session.flush()
        row = submit(session, shelf, small)
        row.state, row.team_id = "scored", team.id
        record_scores(session, row, basis, [score(2.0, version="2")])
        newer = row.id
    assert board(database, small)[number] == ({"records_kept": None}, {"records_kept": OLDER_VERSION})
    assert board(database, small)[newer] == ({"records_kept": 2.0}, {})


@pytest.mark.parametrize("change", ["data", "parameters"])
def test_values_on_other_data_or_by_other_parameters_don_t_count(
    database: Database, shelf: FileShelf, small: SmallPlatform, change: str
) -> None:
    number = scored(database, shelf, small, score(1.0))
    with database.writing() as session:
        contest = session.merge(small.contest)
        if change == "data":
            add_data_version(session, small.organiser, contest, {"original": stored(shelf, b"a\n1\n")})
        else:
            change_contest(session, small.organiser, contest, replace(small_contest(), seed=7))
        session.flush()
        assert [each.values for each in board_entries(session, contest)] == [{}]
        assert evaluations_of(session, contest, session.get_one(SubmissionRow, number)) == []


def test_ranks_are_kept_when_they_change(database: Database, shelf: FileShelf, small: SmallPlatform) -> None:
    number = scored(database, shelf, small, score(1.0), MetricScore("best", "privacy", 0.5, None, "1"))
    with database.writing() as session:
        original = submit(session, shelf, small)
        original.kind, original.state, original.team_id = "original", "scored", None
        values = [score(1.0), MetricScore("best", "privacy", 1.0, None, "1")]
        record_scores(session, original, basis_of(session, small.contest), values)
        session.flush()
        assert board_of(session, small.contest).places == {number: 1}
        keep_ranks(session, small.contest)
        session.flush()
        keep_ranks(session, small.contest)
        session.flush()
        rows = result_rows(session, "ranks", small.contest).rows
    assert [(row[1], row[4]) for row in rows] == [(number, 1.0)]


def test_a_board_that_was_drawn_is_drawn_anew_when_anything_changes(
    database: Database, shelf: FileShelf, small: SmallPlatform, clock: StandingClock
) -> None:
    def drawn() -> Any:
        with database.reading() as session:
            return board_of(session, session.get_one(ContestRow, small.contest.id))

    number = scored(database, shelf, small, score(None))
    first = drawn()
    assert drawn() is first
    changes: list[Callable[[Session, SubmissionRow], None]] = [
        lambda session, row: record_scores(session, row, basis_of(session, small.contest), [score(0.5)]),
        lambda session, row: pin(session, small.member, row, True),
        lambda session, row: disqualify(session, small.organiser, row, "why"),
        lambda session, row: disqualify(session, small.organiser, row, None),
        lambda session, row: setattr(session.get_one(TeamRow, row.team_id), "name", "Other"),
        lambda session, row: change_contest(
            session, small.organiser, session.get_one(ContestRow, row.contest_id), small_contest(about="x")
        ),
    ]
    for change in changes:
        before = drawn()
        clock.pass_by(seconds=1)
        with database.writing() as session:
            change(session, session.get_one(SubmissionRow, number))
        after = drawn()
        assert after is not before
        assert drawn() is after
        database.boards.clear()
        assert drawn() == after


def test_views_have_the_columns_that_are_promised(database: Database) -> None:
    with database.reading() as session:
        for name, table in RESULTS.items():
            found = session.execute(text(f"SELECT * FROM v_{name}"))
            assert list(found.keys()) == [column.name for column in table.columns]


@contextmanager
def counted_queries(database: Database) -> Iterator[list[str]]:
    seen: list[str] = []

    def count(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        if statement.startswith("SELECT"):
            seen.append(statement)

    event.listen(database.engine, "before_cursor_execute", count)
    try:
        yield seen
    finally:
        event.remove(database.engine, "before_cursor_execute", count)


METRICS = [f"m{number}" for number in range(3)]


def add_many(database: Database, shelf: FileShelf, small: SmallPlatform, number: int) -> None:
    with database.writing() as session:
        first = submit(session, shelf, small)
        basis: EvaluationBasis = basis_of(session, small.contest)
        plain = {"contest_id": small.contest.id, "received_at": START}
        session.execute(
            insert(TeamRow),
            [
                {"id": 1000 + each, "contest_id": small.contest.id, "name": f"T{each}",
                 "name_key": f"t{each}", "join_code": f"c{each}", "created_at": START}
                for each in range(number)
            ],
        )  # fmt: skip
        session.execute(
            insert(SubmissionRow),
            [
                {**plain, "id": 1000 + each, "team_id": 1000 + each, "kind": "release", "state": "scored",
                 "file_name": "r.csv", "file_digest": first.file_digest, "problems": [], "log": "",
                 "comment": "", "pinned": False}
                for each in range(number)
            ],
        )  # fmt: skip
        session.execute(
            insert(EvaluationRow),
            [
                {"submission_id": 1000 + each, "metric": metric, "metric_version": "1", "family": "utility",
                 "data_version_id": basis.data_version_id, "parameters": basis.parameters, "value": each / 8,
                 "evaluated_at": START}
                for each in range(number)
                for metric in METRICS
            ],
        )  # fmt: skip


def test_what_came_since_is_read_as_if_all_were(
    database: Database, shelf: FileShelf, small: SmallPlatform, clock: StandingClock
) -> None:
    """New values, and unknown ones that became known, by less than all; all where that does not add up."""
    first = scored(database, shelf, small, score(1.0), score(None, "later"))

    def read(before: ReadValues | None) -> tuple[ReadValues, list[BoardEntry]]:
        with database.reading() as session:
            state = board_state(session, session.merge(small.contest, load=True), every=True)
            with counted_queries(database) as seen:
                found = read_values(session, state, before)
            asked.append(["evaluated_at >" in each for each in seen])
            assert entries_of(state, found) == entries_of(state, read_values(session, state))
            return found, entries_of(state, found)

    asked: list[list[bool]] = []
    earlier, _ = read(None)
    clock.pass_by(seconds=1)
    scored(database, shelf, small, score(2.0))
    with database.writing() as session:
        basis = basis_of(session, small.contest)
        record_scores(session, session.get_one(SubmissionRow, first), basis, [score(3.0, "later")])
    now, entries = read(earlier)
    assert [each.values.get("later") for each in entries] == [3.0, None]
    # at the same moment as the last one that was read, which nothing else tells
    third = scored(database, shelf, small, score(None))
    before, _ = read(now)
    with database.writing() as session:
        basis = basis_of(session, small.contest)
        record_scores(session, session.get_one(SubmissionRow, third), basis, [score(4.0)])
    _, entries = read(before)
    assert entries[-1].values == {"records_kept": 4.0}
    assert asked == [[False], [True], [True], [True, False]]


@pytest.mark.parametrize("number", [3, 5_000])
def test_a_board_takes_four_queries(
    database: Database, shelf: FileShelf, small: SmallPlatform, number: int
) -> None:
    add_many(database, shelf, small, number)
    with database.reading() as session, counted_queries(database) as seen:
        entries = board_entries(session, small.contest)
    assert len(entries) == number
    assert all(len(each.values) == len(METRICS) for each in entries)
    assert len(seen) == 4
