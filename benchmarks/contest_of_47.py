"""The experiment of Ito et al. n.d., Sec. IV: 47 releases of 31 payment cards, ranked by the platform.

The releases are ours, made by varied recipes from generated cards; the paper's were made by people. From the
project's folder: PYTHONPATH=. python benchmarks/contest_of_47.py FOLDER
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

from papers.card_recipes import RECIPES
from singleout.platform.board import board_of
from singleout.platform.contest import template
from singleout.platform.demo_contest import DemoRelease, demo_releases
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
    rates = [[rate for name in attacks if (rate := each.values[name]) is not None] for each in board.entries]
    unknown = sum(len(each) < len(attacks) for each in rates)
    highest = [each.values[HIGHEST] or 0.0 for each in board.entries]
    alone = [max(each, default=0.0) for each in rates]
    print(f"{len(highest)} releases made in {made - start:.0f} s, checked and scored in {done - made:.0f} s")
    print(f"above 45 % by the best attack: {sum(rate > HIGH for rate in highest)}")
    print(f"above 45 % by one of S1 to S6 alone: {sum(rate > HIGH for rate in alone)}")
    print(f"of which an attack has no rate: {unknown}")
    least = sum(not each.compared for each in better)
    print(f"better than the original: {len(better)}, of {least} of them the rate is only the least")


if __name__ == "__main__":
    assert len(RELEASES) == 47, len(RELEASES)
    run(Path(sys.argv[1]))
