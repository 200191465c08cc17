"""What who calls the library can count on: results that fit on a screen, notes by Python's logging."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import singleout
from singleout.measurement import Measurement

PEOPLE = 60
TABLE = pyarrow.table(
    {
        "who": [f"person {number % PEOPLE:03}" for number in range(5 * PEOPLE)],
        "goods": [f"article {number * 7 % 41} of {number % 13}" for number in range(5 * PEOPLE)],
        "day": [f"2026-{1 + number % 12:02}-{1 + number % 28:02}" for number in range(5 * PEOPLE)],
    }
)
LEVELS: dict[str, Any] = {"day": [{"type": "raw"}, {"type": "date", "to": "month"}, {"type": "suppress"}]}
RULES = {"rule": [{"measure": "k", "at_least": 2}]}
RECIPE = {"step": [{"step": "pseudonymise"}]}
# every job that gives something back, on a table with more values than a screen has lines
JOBS: dict[str, Callable[[], Any]] = {
    "assess": lambda: singleout.assess(TABLE, user="who"),
    "record_risks": lambda: singleout.record_risks(TABLE, user="who", columns=["goods"]),
    "person_risks": lambda: singleout.person_risks(TABLE, user="who", columns=["goods"]),
    "describe": lambda: singleout.describe(TABLE, user="who"),
    "combinations": lambda: singleout.combinations(TABLE, user="who", allow=3),
    "entropy": lambda: singleout.entropy(TABLE, user="who", domains=["goods=goods"]),
    "predict": lambda: singleout.predict(TABLE, user="who", columns=["goods", "day"]),
    "apply": lambda: singleout.apply(TABLE, RECIPE, user="who"),
    "generalise": lambda: singleout.generalise(TABLE, user="none", columns=["day"], hierarchies=LEVELS, k=5),
    "dummies": lambda: singleout.dummies(TABLE, user="who", item="goods", clusters=10),
    "attack": lambda: singleout.attack(TABLE, TABLE, user="who", item="goods"),
    "compare": lambda: singleout.compare(TABLE, TABLE, user="who", item="goods"),
    "investigate": lambda: singleout.investigate(TABLE, user="who"),
    "source": lambda: singleout.source(TABLE, name="purchases"),
    "suppress": lambda: singleout.suppress(TABLE, columns=["day"], k=2, user="none"),
    "generalise_locally": lambda: singleout.generalise_locally(
        TABLE, user="none", columns=["day"], hierarchies=LEVELS, k=5
    ),
    "hierarchy": lambda: singleout.hierarchy(TABLE, "goods", prefixes=[7]),
    "infer": lambda: singleout.infer(TABLE, user="none", sensitive=["goods"]),
    "check": lambda: singleout.check(TABLE, RULES, user="who"),
    "record_prices": lambda: singleout.record_prices(TABLE, user="who"),
    "sketch": lambda: singleout.sketch(TABLE, user="who"),
    "value_risks": lambda: singleout.value_risks(TABLE, user="who", columns=["goods"]),
    "sample": lambda: singleout.sample("shop", people=30),
    "report_on": lambda: singleout.report_on(singleout.investigate(TABLE, user="who")),
    "suggest_roles": lambda: singleout.suggest_roles(TABLE),
}
# these need files, other results or minutes
OTHERS = {
    "data", "join_people", "join_uniqueness", "known_records", "protect", "read_study", "risks_after", "sweep"
}  # fmt: skip
LINES, LETTERS = 24, 24 * 80


@pytest.mark.parametrize("job", JOBS)
def test_what_a_job_gives_back_fits_on_a_screen(job: str) -> None:
    shown = repr(JOBS[job]())
    assert len(shown) <= LETTERS
    assert shown.count("\n") < LINES
    assert " object at 0x" not in shown


def test_a_number_says_what_it_is_and_no_more() -> None:
    every = singleout.assess(TABLE, user="who", columns=["goods"]).classes
    assert every is not None
    classes = every.by_people
    assert classes is not None
    assert repr(classes.k) == f"<people.k: {classes.k.value} people>"
    assert repr(classes.k.measure).startswith("<Measure people.k: ")
    alone = singleout.assess(TABLE, user="none", columns=["goods"]).classes
    assert len(repr(alone)) <= LETTERS
    unknown = Measurement(classes.k.measure, None, "nobody looked")
    assert repr(unknown) == "<people.k: unknown, nobody looked>"


def test_no_job_is_left_out() -> None:
    jobs = {name for name in singleout.__all__ if inspect.isfunction(getattr(singleout, name))}
    assert jobs == JOBS.keys() | OTHERS


def test_a_written_file_is_told_by_logging_and_by_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "release.csv"
    with caplog.at_level(logging.INFO, logger="singleout"):
        singleout.apply(TABLE, RECIPE, user="who", out=out)
    told = [each.getMessage() for each in caplog.records if each.name.startswith("singleout.")]
    assert f"wrote {out}" in told
    assert capsys.readouterr() == ("", "")
