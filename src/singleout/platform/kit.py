"""The kit of a contest: its data with a description, the rules, an example, a checker, the command."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Engine
from singleout.platform.contest import PARTS, Contest
from singleout.platform.scorer import THEIR_PEOPLE, compare_command
from singleout.read.source import source
from singleout.roles.study import study_text

EXAMPLE_RECORDS = 20
CHECKER = '''\
"""Checks and scores a submission as the platform does: python check.py release.csv{call}"""

import sys
from pathlib import Path

from singleout.errors import SingleoutError
from singleout.platform.contest import read_contest
from singleout.platform.scorer import score, validate

if len(sys.argv) not in {counts}:
    sys.exit(__doc__)
here = Path(__file__).parent
contest = read_contest((here / "contest.toml").read_text(encoding="utf-8"))
files = sys.argv[1:]
people = (here / "{people}", files.pop()) if "{people}" else (None, None)
tables = [here / "{original}", files[0], files[1] if len(files) == 2 else None, *people]
try:
    problems = validate(contest, *tables)
except SingleoutError as fault:
    sys.exit(str(fault))
for problem in problems:
    print(problem.text)
if not problems:
    for each in score(contest, *tables):
        print(each.family, each.metric, each.value, each.reason or "")
sys.exit(1 if problems else 0)
'''
README = """\
{title}
{line}
{about}

What is in here
  contest.toml   the rules: columns, metrics, phases, quotas
  {original}   the original, which is to be de-identified
  columns.csv    its columns: type, what they mean, how many records lack a value
  example.csv    the first records of the original, as a submission is written
  check.py       checks and scores a submission as the platform does: python check.py release.csv{call}

A submission is CSV or Parquet with all columns of the original. {who}
The same digits as on the board, by the command line (pip install singleout):

  {command}
{remarks}"""
WITH_PEOPLE = (
    "\nWith it goes the table of people: one row for each, named as in the release, with all its columns."
)
BY_NUMBER = " Each record is its own person: both columns of the map are numbers of records, the first is 1."
ADD_THE_MAP = "With a map, add: --truth who.csv"
UPLOADED = "Also ranks, and is run by singleout metric run: {}"
WHO = {
    "names": "People keep their names in it.",
    "map": "A map is sent with it: CSV with the header release_user,original_user.",
    "either": "People keep their names in it, or a map is sent with it: CSV with the header "
    "release_user,original_user.",
}


def write_kit(target: Path, contest: Contest, original: Path, people: Path | None = None) -> None:
    """A zip file; the original is called `original` in it, with its own ending."""
    name = f"original{original.suffix}"
    people_name = "" if people is None else f"people{people.suffix}"
    with ZipFile(target, "w", ZIP_DEFLATED) as kit:
        for called, text in _texts(contest, original, name, people_name):
            kit.writestr(called, text)
        kit.write(original, name)
        if people is not None:
            kit.write(people, people_name)


def _texts(contest: Contest, original: Path, name: str, people_name: str) -> Iterator[tuple[str, str]]:
    truth = "who.csv" if contest.truth == "map" else None
    command = compare_command(contest, name, "release.csv", truth, people_name or None)
    text = README.format(
        title=contest.title, line="=" * len(contest.title), about=contest.about.strip(), original=name,
        call=_call(contest, people_name), who=_who(contest) + (WITH_PEOPLE if people_name else ""),
        command=command,
        remarks="".join(f"{each}\n" for each in _remarks(contest)),
    )  # fmt: skip
    yield "README.txt", text
    yield "contest.toml", contest.to_toml()
    counts = (3, 4) if people_name else (2, 3)
    call = _call(contest, people_name)
    yield "check.py", CHECKER.format(original=name, people=people_name, call=call, counts=counts)
    if contest.roles:
        yield "study.toml", study_text(dict(contest.roles), dict.fromkeys(contest.roles, "by the contest"))
    with open_engine(source(str(original))) as table:
        yield "columns.csv", _columns(contest, table)
        yield "example.csv", _example(table)


def _who(contest: Contest) -> str:
    return WHO[contest.truth] + ("" if contest.user is not None else BY_NUMBER)


def _call(contest: Contest, people_name: str) -> str:
    """What follows the release in the call of the checker."""
    truth = {"names": "", "map": " who.csv", "either": " [who.csv]"}[contest.truth]
    return truth + (f" {THEIR_PEOPLE}" if people_name else "")


def _remarks(contest: Contest) -> Iterator[str]:
    if contest.truth == "either":
        yield ADD_THE_MAP
    if uploaded := [each.name for each in contest.metrics if each.digest is not None]:
        yield UPLOADED.format(", ".join(uploaded))


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
    cells = [tuple("" if row[name] is None else str(row[name]) for name in names) for row in records]
    return _csv([names, *cells])


def _csv(rows: Iterable[Sequence[str]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
