"""Jobs of an attack phase: what a process is given for them, and what becomes of its answer."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import BytesIO, StringIO
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from singleout.platform.contest import read_contest
from singleout.platform.guess_score import Guess
from singleout.platform.guess_table import COLUMNS
from singleout.platform.publication import deciding_people, read_rows
from singleout.platform.store.database import Database
from singleout.platform.store.files import FileShelf
from singleout.platform.store.guesses import add_house_guesses, score_guesses
from singleout.platform.store.publications import finish_publication, publication_of
from singleout.platform.store.queue import TakenJob, finish_job, finish_validation
from singleout.platform.store.schema import ContestRow, SubmissionRow

ATTACK_KINDS = ("publish", "attack", "guesses")


def request_kind(kind: str, submission: SubmissionRow) -> str:
    """Guesses are checked and scored in one go."""
    return "guesses" if submission.kind == "guesses" and kind == "validate" else kind


def tables_of(session: Session, kind: str, submission: SubmissionRow) -> dict[str, str | None]:
    """The files beside the original, by what they are: guesses and the house look at what was published."""
    if submission.kind == "guesses":
        assert submission.target_id is not None
        publication = publication_of(session, submission.target_id)
        assert publication is not None
        return {"release": publication.file_digest, "guesses": submission.file_digest}
    if kind == "attack":
        publication = publication_of(session, submission.id)
        assert publication is not None
        return {
            "release": publication.file_digest, "truth": publication.truth_digest,
            "recipe": submission.recipe_digest,
        }  # fmt: skip
    return {
        "release": submission.file_digest, "truth": submission.truth_digest,
        "recipe": submission.recipe_digest, "release_people": submission.people_digest,
    }  # fmt: skip


def attack_answers(contest: ContestRow, submission: SubmissionRow, folder: Path) -> dict[str, str]:
    """Where the process writes, and the seed of this release, which says nothing of any other's."""
    rows, table = folder / "rows.jsonl", folder / "published.csv"
    return {"rows": str(rows), "table": str(table), "seed": release_seed(contest, submission)}


def release_seed(contest: ContestRow, submission: SubmissionRow) -> str:
    return f"{contest.attack_seed} {submission.id}"


def finish_attack(
    database: Database,
    shelf: FileShelf,
    taken: TakenJob,
    contest: ContestRow,
    request: dict[str, Any],
    result: list[dict[str, Any]],
) -> None:
    rows = read_rows(request["rows"])
    if request["kind"] == "publish":
        _finish_publication(database, shelf, taken, contest, request, rows, result[0]["records"])
    elif request["kind"] == "attack":
        _finish_house(database, shelf, taken, rows)
    elif result:
        with database.writing() as session:
            finish_validation(session, taken, result)
    else:
        step = read_contest(contest.definition).attack.step
        with database.writing() as session:
            score_guesses(session, taken, _guesses(rows), step)


def _finish_publication(
    database: Database,
    shelf: FileShelf,
    taken: TakenJob,
    contest: ContestRow,
    request: dict[str, Any],
    rows: list[list[Any]],
    records: int,
) -> None:
    deciding = deciding_people([person for _, person in rows if person is not None], request["seed"])
    people = [
        {"release_user": name, "person": person, "decides": person in deciding} for name, person in rows
    ]
    file = shelf.put_path(Path(request["table"]), "published.csv")
    truth = shelf.put(BytesIO(csv_text(rows).encode()), "truth.csv")
    house = read_contest(contest.definition).attack.house
    with database.writing() as session:
        finish_publication(session, taken, file, truth, people, records=records, house=house)


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """As `singleout attack` reads and writes who is who.

    >>> print(csv_text([["p1", "ann"], ["p2", None]]), end="")
    release_user,original_user
    p1,ann
    p2,
    """
    text, listed = StringIO(newline=""), [*rows]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS[: len(listed[0])] if listed else COLUMNS)
    writer.writerows(["" if cell is None else cell for cell in row] for row in listed)
    return text.getvalue()


def _finish_house(database: Database, shelf: FileShelf, taken: TakenJob, rows: list[list[Any]]) -> None:
    """A submission for each player, with its guesses as a file too."""
    played = {player: [row[1:] for row in each] for player, each in groupby(rows, lambda row: row[0])}
    files = {
        player: shelf.put(BytesIO(csv_text(each).encode()), f"{player}.csv")
        for player, each in played.items()
    }
    with database.writing() as session:
        if not finish_job(session, taken):
            return
        release = session.get_one(SubmissionRow, taken.submission_id)
        for player, each in played.items():
            add_house_guesses(session, release, str(player), files[player], _guesses(each))


def _guesses(rows: Iterable[list[Any]]) -> list[Guess]:
    return [Guess(*row) for row in rows]
