"""The kit of a contest: its data with a description, the rules, an example, a checker, the command."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path

from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Engine
from singleout.platform.contest import PARTS, Contest
from singleout.platform.scoring import compare_command
from singleout.read.source import source
from singleout.roles.study import study_text

EXAMPLE_RECORDS = 20
CHECKER = '''\
"""Checks and scores a submission as the platform does: python check.py release.csv [who.csv]"""

import sys
from pathlib import Path

from singleout.platform.contest import read_contest
from singleout.platform.scoring import score, validate

here = Path(__file__).parent
contest = read_contest((here / "contest.toml").read_text(encoding="utf-8"))
tables = [here / "{original}", *sys.argv[1:3]]
people = here / "{people}" if "{people}" else None
problems = validate(contest, *tables, people=people)
for problem in problems:
    print(problem.text)
if not problems:
    for each in score(contest, *tables, people=people):
        print(each.family, each.metric, each.value, each.reason or "")
sys.exit(1 if problems else 0)
'''
README = """\
{title}
{line}
{about}

What is in here
{files}

A submission is CSV or Parquet with all columns of the original. {who}

The same digits as on the board, on your own machine (pip install singleout):
  {command}

Hand it in (a token is on your account's page):
  SINGLEOUT_TOKEN=… singleout submit release.csv --server {server} --contest {name}
"""
WHAT = {"original": "the original, which is to be de-identified", "people": "one record a person"}
MADE = [
    ("contest.toml", "the rules: columns, metrics, phases, quotas"),
    ("columns.csv", "the columns: type, what they mean, how many records lack a value"),
    ("example.csv", "the first records of the original, as a submission is written"),
    ("check.py", "checks and scores a submission as the platform does"),
]
WHO = {
    "names": "People keep their names in it.",
    "map": "A map is sent with it: CSV with the header release_user,original_user.",
    "either": "People keep their names in it, or a map is sent with it: CSV with the header "
    "release_user,original_user.",
}


def kit_texts(
    contest: Contest, server: str, names: Mapping[str, str], original: Path | None
) -> Iterator[tuple[str, str]]:
    """The texts of a kit by their names; `names` are those of its data by part, `original` is where that is.

    Whoever may not have the original gets the rules alone.
    """
    truth = "who.csv" if contest.truth == "map" else None
    people = names.get("people", "")
    command = compare_command(contest, names.get("original", "original.csv"), "release.csv", truth)
    listed = [(name, WHAT[part]) for part, name in names.items() if part in WHAT]
    listed += MADE if original is not None else MADE[:1]
    text = README.format(
        title=contest.title, line="=" * len(contest.title), about=contest.about.strip(), name=contest.name,
        files="\n".join(f"  {name:<16}{what}" for name, what in listed), who=WHO[contest.truth],
        command=command + (f" --people-table {people}" if people else ""), server=server,
    )  # fmt: skip
    yield "README.txt", text
    yield "contest.toml", contest.to_toml()
    if contest.roles:
        yield "study.toml", study_text(dict(contest.roles), dict.fromkeys(contest.roles, "by the contest"))
    if original is not None:
        yield "check.py", CHECKER.format(original=names["original"], people=people)
        with open_engine(source(str(original))) as table:
            yield "columns.csv", _columns(contest, table)
            yield "example.csv", _example(table)


def _columns(contest: Contest, table: Engine) -> str:
    rows = [("column", "type", "meaning", "records", "missing")]
    for each in table.columns():
        seen = table.look(each.name)
        rows.append(
            (each.name, each.type, _meaning(contest, each.name), str(seen.records), str(seen.missing))
        )
    return _csv(rows)


def _meaning(contest: Contest, column: str) -> str:
    if column == contest.user:
        return "names the person"
    parts = [part for part in PARTS if column in _names(contest.parts.get(part))]
    return " ".join([*parts, *([contest.roles[column]] if column in contest.roles else [])])


def _names(columns: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return (columns,) if isinstance(columns, str) else tuple(columns or ())


def _example(table: Engine) -> str:
    names = tuple(each.name for each in table.columns())
    records = table.records(names).slice(0, EXAMPLE_RECORDS).to_pylist()
    return _csv(
        [names, *(tuple("" if row[name] is None else str(row[name]) for name in names) for row in records)]
    )


def _csv(rows: list[tuple[str, ...]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
