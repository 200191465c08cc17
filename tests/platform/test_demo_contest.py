"""The contest of the demo is one that an organiser has nothing to mend in."""

from __future__ import annotations

from sqlalchemy import select

from singleout.platform.demo_contest import RELEASES, fill_demo
from singleout.platform.store.database import Database
from singleout.platform.store.files import FileShelf
from singleout.platform.store.schema import SubmissionRow


def test_everything_of_the_demo_is_scored_and_nothing_of_it_is_told_as_unknown(
    database: Database, shelf: FileShelf
) -> None:
    fill_demo(database, shelf)
    with database.reading() as session:
        rows = session.scalars(select(SubmissionRow)).all()
    assert len(rows) == len(RELEASES) + 1
    # of the original the organiser's page tells what is in its log as metrics that are unknown
    assert {(row.state, row.log or "") for row in rows} == {("scored", "")}
