"""A filled contest to click through: generated payment cards, and releases of them by varied recipes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from singleout.deidentify.apply.apply import apply
from singleout.platform.board import keep_ranks
from singleout.platform.contest import Contest, Visibility, template
from singleout.platform.scorer import METRIC_VERSION, score
from singleout.platform.store.accounts import sign_up
from singleout.platform.store.contests import announce, create_contest, set_state
from singleout.platform.store.database import Database
from singleout.platform.store.evaluations import MetricScore, basis_of, record_scores
from singleout.platform.store.files import FileShelf
from singleout.platform.store.queue import finish_scores, finish_validation, take_job
from singleout.platform.store.schema import AccountRow, ContestRow, SubmissionRow
from singleout.platform.store.secret import new_secret
from singleout.platform.store.submissions import receive, score_original
from singleout.platform.store.teams import make_team
from singleout.read.samples import sample
from singleout.temporary_files import temporary_folder

NAME, TITLE = "card-demo", "Payment cards: the demo"
WORKER = "demo"
ANNOUNCEMENT = "Welcome. All cards are made up; sign up, make a team and submit a release of your own."

Step = Mapping[str, Any]


@dataclass(frozen=True)
class DemoRelease:
    """Who submits which release, and how it is made."""

    team: str
    name: str
    steps: tuple[Step, ...]


def _fares(**how: Any) -> Step:
    return {"step": "noise", "columns": ["fare"], **how}


def _swapped(*columns: str, share: float = 1.0) -> Step:
    """Records exchange these columns, which each keep exactly the values that they have."""
    return {"step": "swap", "columns": [*columns], "how": "record", "share": share}


STATIONS = ("entraining_point", "alighting_point")
ALL = ("date", "times", *STATIONS, "entraining_route", "alighting_route", "usage", "location", "fare")
DAYS: Step = {"step": "noise", "columns": ["date"], "days": 14}
SHIFT: Step = {"step": "shift_dates", "columns": ["date"], "days": 30}
NEW_STATIONS: Step = {"step": "noise", "columns": [*STATIONS], "chance": 0.9}
NEW_USAGE: Step = {"step": "pram", "columns": ["usage"], "keep": 0.2}
FEW: Step = {"step": "cut", "records": 10, "by": ["date", "times"]}
RELEASES = (
    DemoRelease("Untouched", "copy.csv", ({"step": "round", "columns": ["fare"], "to": 1},)),
    DemoRelease("Rounders", "tens.csv", ({"step": "round", "columns": ["fare"], "to": 10},)),
    DemoRelease("Rounders", "thousands.csv", ({"step": "round", "columns": ["fare"], "to": 1000}, SHIFT)),
    DemoRelease("Noise", "noise.csv", (_fares(amount=200), DAYS)),
    DemoRelease("Noise", "much-noise.csv", (_fares(amount=1000), DAYS, NEW_STATIONS, NEW_USAGE)),
    DemoRelease("Means", "mean.csv", ({"step": "mean", "columns": ["fare"]}, SHIFT)),
    DemoRelease("Means", "groups.csv", ({"step": "microaggregate", "columns": ["fare"], "k": 20}, DAYS)),
    DemoRelease("Swappers", "columns.csv", (*map(_swapped, ("date", "fare", "usage", *STATIONS)),)),
    DemoRelease("Shufflers", "a-third.csv", (_swapped(*ALL, share=0.34),)),
    DemoRelease("Shufflers", "two-thirds.csv", (_swapped(*ALL, share=0.67),)),
    DemoRelease("Shufflers", "all-records.csv", (_swapped(*ALL),)),
    DemoRelease("Few", "ten-each.csv", (FEW, _fares(amount=300), NEW_STATIONS, DAYS)),
)


def demo_releases(
    original: Path, folder: Path, releases: Sequence[DemoRelease] = RELEASES
) -> Iterator[tuple[DemoRelease, Path, Path]]:
    """Each release with its file and its map, under new names for people."""
    for number, each in enumerate(releases):
        out, truth = folder / each.name, folder / f"who-{number}.csv"
        steps = [*map(dict, each.steps), {"step": "pseudonymise"}]
        apply(original, {"user": "user", "step": steps}, out=out, truth=truth, seed=number)
        yield each, out, truth


def fill_demo(database: Database, shelf: FileShelf) -> None:
    """The contest, its teams and their releases, scored here and now."""
    public = Visibility(values="everybody")
    contest = replace(template("payment-card"), name=NAME, title=TITLE, public=public)
    with temporary_folder() as folder:
        original = folder / "card.csv"
        sample("card", out=original)
        with database.writing() as session:
            row = _open(session, shelf, contest, original)
            teams = {
                team: _team(session, row, team) for team in dict.fromkeys(each.team for each in RELEASES)
            }
        _score(database, contest, row, original, original, None)
        for each, out, truth in demo_releases(original, folder):
            with database.writing() as session:
                files = shelf.put_path(out), shelf.put_path(truth)
                receive(session, row, teams[each.team], files[0], truth=files[1])
            _score(database, contest, row, original, out, truth)


def _open(session: Session, shelf: FileShelf, contest: Contest, original: Path) -> ContestRow:
    owner = sign_up(session, "Demo organiser", new_secret(), role="organiser")
    row = create_contest(session, owner, contest, {"original": shelf.put_path(original)})
    set_state(session, owner, row, "open")
    announce(session, owner, row, ANNOUNCEMENT)
    score_original(session, row)
    return row


def _team(session: Session, row: ContestRow, name: str) -> AccountRow:
    account = sign_up(session, f"{name} (demo)", new_secret())
    make_team(session, row, account, name)
    return account


def _score(
    database: Database, contest: Contest, row: ContestRow, original: Path, release: Path, truth: Path | None
) -> None:
    """What a worker would do, without a process of its own: these tables are ours."""
    scores = [
        MetricScore(each.metric, each.family, each.value, each.reason, METRIC_VERSION)
        for each in score(contest, original, release, truth)
    ]
    with database.writing() as session:
        if (check := take_job(session, WORKER, "validate")) is not None:
            finish_validation(session, check, [])
    with database.writing() as session:
        job = take_job(session, WORKER, "score")
        assert job is not None
        submission = session.get_one(SubmissionRow, job.submission_id)
        finish_scores(session, job, "")
        record_scores(session, submission, basis_of(session, row), scores)
        keep_ranks(session, row)
