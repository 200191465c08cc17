"""The experiment of Ito et al. n.d., Sec. IV: 47 releases of 31 payment cards, ranked by the platform.

The releases are ours, made by varied recipes from generated cards; the paper's were made by people.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from singleout.platform.board import board_of
from singleout.platform.contest import template
from singleout.platform.demo_contest import ALL, STATIONS, DemoRelease, Step, demo_releases
from singleout.platform.scorer import HIGHEST
from singleout.platform.settings import settings_for
from singleout.platform.store.accounts import sign_up
from singleout.platform.store.contests import create_contest, set_state
from singleout.platform.store.files import open_shelf
from singleout.platform.store.migration import open_platform
from singleout.platform.store.secret import new_secret
from singleout.platform.store.submissions import receive, score_original
from singleout.platform.store.teams import make_team
from singleout.platform.worker.worker import Worker
from singleout.read.samples import sample
from singleout.temporary_files import temporary_folder

HIGH = 0.45


def step(kind: str, *columns: str, **how: Any) -> Step:
    return {"step": kind, "columns": [*columns], **how}


Recipe = tuple[str, tuple[Step, ...]]


def fares() -> Iterator[Recipe]:
    for amount in (1, 10, 50, 100, 200, 500, 1000):
        yield f"fares-{amount}", (step("noise", "fare", amount=amount),)
    for to in (10, 100, 1000):
        yield f"round-{to}", (step("round", "fare", to=to),)
    for per in ("all", "person"):
        yield f"mean-of-{per}", (step("mean", "fare", per=per),)
    for k in (5, 20, 100):
        yield f"groups-of-{k}", (step("microaggregate", "fare", k=k),)


def days_and_stations() -> Iterator[Recipe]:
    for days in (1, 3, 7, 14, 30):
        yield f"days-{days}", (step("noise", "date", days=days),)
    for days in (7, 30):
        yield f"shift-{days}", (step("shift_dates", "date", days=days),)
    for chance in (0.1, 0.3, 0.5, 0.9):
        yield f"stations-{chance:g}", (step("noise", *STATIONS, chance=chance),)


def records() -> Iterator[Recipe]:
    for share in (0.9, 0.5, 0.25):
        yield f"records-{share:g}", ({"step": "sample", "what": "records", "share": share},)
    for number in (15, 5):
        yield f"latest-{number}", ({"step": "cut", "records": number, "by": ["date", "times"]},)
    for column in ("date", "fare", "usage"):
        yield f"swap-{column}", (step("swap", column, how="record", share=1.0),)
    for share in (0.1, 0.2, 0.4, 0.6, 0.8, 1.0):
        yield f"shuffle-{share:g}", (step("swap", *ALL, how="record", share=share),)


def several() -> Iterator[Recipe]:
    for amount, days in ((50, 3), (100, 7), (200, 14), (500, 30)):
        yield f"both-{amount}-{days}", noise(amount, days)
    strong = step("noise", *STATIONS, chance=0.9), step("pram", "usage", keep=0.2)
    for amount, days in ((200, 14), (1000, 30), (5000, 90)):
        yield f"all-{amount}-{days}", (*noise(amount, days), *strong)


def noise(amount: int, days: int) -> tuple[Step, ...]:
    return step("noise", "fare", amount=amount), step("noise", "date", days=days)


RECIPES = (*fares(), *days_and_stations(), *records(), *several())
RELEASES = tuple(DemoRelease(name, f"{name}.csv", steps) for name, steps in RECIPES)


def run(folder: Path) -> None:
    """The platform in a folder, which `singleout serve --folder` then shows."""
    settings = settings_for(folder)
    database, shelf = open_platform(settings.database), open_shelf(settings.folder)
    title = "47 releases of 31 payment cards"
    # as in the paper, whose ranks are by what the attacks recognised
    contest = replace(template("payment-card"), name="card-47", title=title, uncertain="measured")
    start = time.perf_counter()
    with temporary_folder() as tables:
        sample("card", out=tables / "card.csv")
        with database.writing() as session:
            owner = sign_up(session, "Organiser", new_secret(), role="organiser")
            row = create_contest(session, owner, contest, {"original": shelf.put_path(tables / "card.csv")})
            set_state(session, owner, row, "open")
            score_original(session, row)
        for each, out, truth in demo_releases(tables / "card.csv", tables, RELEASES):
            with database.writing() as session:
                account = sign_up(session, each.team, new_secret())
                make_team(session, row, account, each.team)
                receive(session, row, account, shelf.put_path(out), truth=shelf.put_path(truth))
    made = time.perf_counter()
    worker = Worker(database, shelf, "benchmark", settings.limits)
    while worker.work_once("validate") or worker.work_once("score"):
        pass
    done = time.perf_counter()
    with database.reading() as session:
        board = board_of(session, row)
    assert board.ranking is not None
    better = [each for each in board.ranking.releases if board.ranking.better_than_original(each)]
    attacks = contest.of_family("privacy")
    highest = [each.values[HIGHEST] or 0.0 for each in board.entries]
    alone = [max(each.values[name] or 0.0 for name in attacks) for each in board.entries]
    print(f"{len(highest)} releases made in {made - start:.0f} s, checked and scored in {done - made:.0f} s")
    print(f"above 45 % by the best attack: {sum(rate > HIGH for rate in highest)}")
    print(f"above 45 % by one of S1 to S6 alone: {sum(rate > HIGH for rate in alone)}")
    least = sum(not each.compared for each in better)
    print(f"better than the original: {len(better)}, of {least} of them the rate is only the least")


if __name__ == "__main__":
    assert len(RELEASES) == 47, len(RELEASES)
    run(Path(sys.argv[1]))
