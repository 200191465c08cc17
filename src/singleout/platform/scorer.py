"""What a submission is worth: the library's `compare`, so that everybody has the same digits at home."""

from __future__ import annotations

import filecmp
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy

from singleout.attacks.paired_tables import pair_tables
from singleout.engine.codes.column_numbers import kind_of
from singleout.engine.open_engine import open_engine
from singleout.engine.open_tables import share_open_tables
from singleout.engine.protocol import Engine
from singleout.errors import SingleoutError, name_hint, one_line
from singleout.platform.contest import OPTIONS, PARTS, Contest, Family
from singleout.platform.map_contradiction import map_contradiction
from singleout.platform.refusal import ContestFaultError, without_paths
from singleout.progress import Progress, silent
from singleout.read.source import source
from singleout.utility.compare.compare import compare
from singleout.utility.compare.result import Outcome
from singleout.version import VERSION

FilePath = str | PathLike[str]
# an evaluation by another version is another evaluation
METRIC_VERSION = f"singleout {VERSION}"
HIGHEST = "best"
MOST_LISTED = 3
LONGEST_COLUMN = 200
NUMBERS = ("amount", "number")
PARQUET = b"PAR1"
NOT_MADE = "the attack could not be made on this table"
AT_LEAST = "at least this much, for not all could be compared: {}"
NOBODY = "nobody in it has a name of the original; keep the names, or send a map of who is who with it"
# files as participants call them, and as the library does
CALLED = ("the table", "the map", "the original", "the contest's table of people", "your table of people")
OTHERWISE_CALLED = (
    "the release", "the map", "the original", "the people table", "the people table of the release",
)  # fmt: skip
# options and names of files are for whoever reads the file at home
ADVICE_AT_HOME = (
    (re.compile(r"if [^;,]* say --[^;,]*, else "), ""),
    (re.compile(r", or say (the right )?--.*"), ""),
    (re.compile(r"; say the right --encoding, perhaps .*"), "; save it as UTF-8"),
    (
        re.compile(r"(is compressed by \w+) and its name does not say so; add \.\w+ to the name"),
        r"\1; unpack it",
    ),
)
# enough to see whether tables can be compared
IN_SHORT: dict[str, Any] = {"metrics": ["records_kept"], "privacy": False}
THEIR_PEOPLE = "their-people.csv"
NO_RISK = "no attack could be made: it is not known who is who"
CONTESTS_OWN = "the contest itself is at fault, not the release: {}"


@dataclass(frozen=True)
class Problem:
    """Why a submission is refused: the column, how many records, the first by number; never a value."""

    message: str
    column: str | None = None
    records: int | None = None
    first: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """
        >>> Problem("is no number", "fare", 4, (2, 7, 9)).text
        'column fare, records 2, 7, 9 and 1 more: is no number'
        """
        where = [] if self.column is None else [f"column {self.column}"]
        if self.records:
            more = f" and {self.records - len(self.first):,} more" if self.records > len(self.first) else ""
            listed = ", ".join(f"{each:,}" for each in self.first)
            where.append(f"record{'' if self.records == 1 else 's'} {listed}{more}")
        return f"{', '.join(where)}: {self.message}" if where else self.message

    def as_dict(self) -> dict[str, Any]:
        return {
            "message": self.message, "column": self.column, "records": self.records,
            "first": list(self.first), "text": self.text,
        }  # fmt: skip


@dataclass(frozen=True)
class Score:
    """A metric's value; unknown is None with a reason. A value with a reason is the least that it is."""

    metric: str
    family: Family
    value: float | None
    reason: str | None = None

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError(f"{self.metric}: a value, or a reason why there is none")


def table_ending(head: bytes) -> str:
    """What a file is by its first bytes, whatever it is called: the ending that it is to be read by."""
    return ".parquet" if head.startswith(PARQUET) else ".csv"


def validate(
    contest: Contest,
    original: FilePath,
    release: FilePath,
    truth: FilePath | None = None,
    people: FilePath | None = None,
    release_people: FilePath | None = None,
) -> list[Problem]:
    """Everything that is wrong with a submission, told at once as far as it can be read.

    `people` is the contest's table of people, `release_people` what became of it.
    """
    try:
        with share_open_tables():
            problems = [*_problems(contest, original, release, truth)]
            problems += _people_problems(contest, people, release_people)
            if not problems:
                tables = original, release, truth, people, release_people
                (outcome,) = _compare(contest, *tables, **IN_SHORT).outcomes
                problems += [Problem(NOBODY)] if outcome.made_up is None else []
                problems += [] if problems else _contradictions(contest, original, release, truth)
    except SingleoutError as fault:
        _check_original(contest, original, people)
        return [Problem(_public_message(fault, release, truth, original, people, release_people))]
    return problems


def _check_original(contest: Contest, original: FilePath, people: FilePath | None) -> None:
    """What the untouched original can't be read by is nobody's fault who submits."""
    try:
        _compare(contest, original, original, None, people, people, **IN_SHORT)
    except SingleoutError as fault:
        message = _public_message(fault, None, None, original, people, None)
        raise ContestFaultError(CONTESTS_OWN.format(message)) from fault


def _contradictions(
    contest: Contest, original: FilePath, release: FilePath, truth: FilePath | None
) -> list[Problem]:
    if truth is None and contest.user is None:
        return []
    read = pair_tables(
        source(str(original)), source(str(release)), None if truth is None else str(truth),
        user=contest.user or "none", study=contest.study, strangers=True,
    )  # fmt: skip
    found = map_contradiction(read)
    return [] if found is None else [Problem(found.text)]


def _public_message(fault: SingleoutError, *paths: FilePath | None) -> str:
    """Where files lie on the server is nobody's business."""
    message = advice_here(one_line(str(fault)))
    named = zip(paths, CALLED, OTHERWISE_CALLED, strict=True)
    files = [(path, called, before) for path, called, before in named if path is not None]
    message = without_paths(message, files)
    return message.replace("--truth", "a map").replace("--user", "its name")


def advice_here(message: str) -> str:
    """What the library says of a file, without what only its reader at home can do.

    >>> advice_here("the table: is compressed by gzip and its name does not say so; add .gz to the name")
    'the table: is compressed by gzip; unpack it'
    """
    for advice, instead in ADVICE_AT_HOME:
        message = advice.sub(instead, message)
    return message


def _problems(
    contest: Contest, original: FilePath, release: FilePath, truth: FilePath | None
) -> Iterator[Problem]:
    yield from _truth_problems(contest, truth)
    with open_engine(source(str(original))) as known, open_engine(source(str(release))) as table:
        names = [each.name for each in table.columns()]
        shape = [*_shape_problems(contest, [each.name for each in known.columns()], names)]
        yield from shape
        if shape:
            return
        records = table.look(names[0]).records
        if records > contest.limits.rows:
            yield Problem(f"has {records:,} records; at most {contest.limits.rows:,} are taken")
            return
        yield from _cell_problems(contest, table)


def _truth_problems(contest: Contest, truth: FilePath | None) -> Iterator[Problem]:
    if truth is None and contest.truth == "map":
        yield Problem("send a map of who is who with it: CSV with the header release_user,original_user")
    if truth is not None and contest.truth == "names":
        yield Problem("people keep their names in this contest; leave the map out")


def _people_problems(
    contest: Contest, people: FilePath | None, release_people: FilePath | None
) -> Iterator[Problem]:
    if people is None and release_people is not None:
        yield Problem("this contest has no table of people; leave it out")
    elif people is not None and release_people is None:
        yield Problem("send the table of people with it: one row for each person, named as in the release")
    elif people is not None and release_people is not None:
        with open_engine(source(str(people))) as known, open_engine(source(str(release_people))) as table:
            names = [[each.name for each in engine.columns()] for engine in (known, table)]
        for problem in _shape_problems(contest, *names):
            yield replace(problem, message=f"{problem.message} (in the table of people)")


def _shape_problems(contest: Contest, wanted: Sequence[str], names: Sequence[str]) -> Iterator[Problem]:
    if len(names) > contest.limits.columns:
        yield Problem(f"has {len(names):,} columns; at most {contest.limits.columns:,} are taken")
        return
    for name in wanted:
        if name not in names:
            yield Problem("is missing; a submission has all columns of the original", name)
    for name in names:
        if name not in wanted:
            yield Problem(f"is not in the original; {name_hint(name, wanted)}", short_name(name))


def short_name(column: str) -> str:
    """Of a column that somebody made up: it is told, and need not fill the page.

    >>> len(short_name("c" * 1_000_000))
    201
    """
    return column if len(column) <= LONGEST_COLUMN else f"{column[:LONGEST_COLUMN]}…"


def _cell_problems(contest: Contest, table: Engine) -> Iterator[Problem]:
    for column in dict.fromkeys(contest.parts[part] for part in NUMBERS if part in contest.parts):
        yield from _located("is no number; write all like 35 or 2.5", column, table, _is_no_number)
    if contest.user is not None:
        yield from _located("nobody is named; each record has its person", contest.user, table, _is_nobody)


def _located(message: str, column: str, table: Engine, is_odd: Any) -> Iterator[Problem]:
    texts = table.texts((column,))
    odd = numpy.array([is_odd(each) for each in texts.values[0].to_pylist()], dtype=bool)
    records = numpy.flatnonzero(odd[texts.codes[0]]) + 1
    if len(records):
        first = tuple(int(each) for each in records[:MOST_LISTED])
        yield Problem(message, column, len(records), first)


def _is_no_number(text: str | None) -> bool:
    return text is not None and kind_of([text]) != "number"


def _is_nobody(text: str | None) -> bool:
    return text is None or not text.strip()


def score(
    contest: Contest,
    original: FilePath,
    release: FilePath,
    truth: FilePath | None = None,
    people: FilePath | None = None,
    release_people: FilePath | None = None,
    *,
    progress: Progress = silent,
) -> list[Score]:
    """Each metric of the contest, each attack, and `best`: the highest rate of all attacks."""
    asked = {"metrics": list(contest.of_family("utility")), "attacks": list(contest.of_family("privacy"))}
    found = _compare(
        contest, original, release, truth or _own_numbers(contest, original, release), people,
        release_people, **asked, points=list(contest.points), progress=progress,
    )  # fmt: skip
    outcome = found.outcomes[0]
    return [*_utility(contest, outcome), *_privacy(contest, outcome)]


def _own_numbers(contest: Contest, original: FilePath, release: FilePath) -> dict[str, str] | None:
    """Of the untouched original, where each record is its own person: each is the one that it is."""
    if contest.user is not None or not filecmp.cmp(original, release, shallow=False):
        return None
    with open_engine(source(str(original))) as table:
        records = table.look(table.columns()[0].name).records
    return {str(number): str(number) for number in range(1, records + 1)}


def _compare(
    contest: Contest,
    original: FilePath,
    release: FilePath,
    truth: FilePath | dict[str, str] | None,
    people: FilePath | None,
    release_people: FilePath | None,
    **asked: Any,
) -> Any:
    given = {"people_table": people, "release_people_table": release_people}
    people_tables: dict[str, Any] = {name: str(path) for name, path in given.items() if path is not None}
    return compare(
        str(original), str(release), truth=truth if truth is None or isinstance(truth, dict) else str(truth),
        user="none" if contest.user is None else contest.user, study=contest.study, seed=contest.seed,
        **{part: contest.parts[part] for part in PARTS if part in contest.parts}, **people_tables, **asked,
    )  # fmt: skip


def _utility(contest: Contest, outcome: Outcome) -> Iterator[Score]:
    for name in contest.of_family("utility"):
        finding = outcome.metric(name)
        if finding is None:
            yield Score(name, "utility", None, "the metric can't be told of this table")
        else:
            value = None if finding.value is None else float(finding.value)
            yield Score(name, "utility", value, finding.reason)


def _privacy(contest: Contest, outcome: Outcome) -> Iterator[Score]:
    """An attack that was asked for and not made is unknown, and so is the highest rate then."""
    attempts = {each.name: each for each in outcome.privacy}
    asked = contest.of_family("privacy")
    for name in (*asked, *(name for name in attempts if name not in (*asked, HIGHEST))):
        attempt = attempts.get(name)
        if attempt is None:
            yield Score(name, "privacy", None, _why_not(name, outcome))
        else:
            least = None if attempt.compared else AT_LEAST.format(", ".join(attempt.uncompared))
            yield Score(name, "privacy", attempt.rate, least)
    yield _highest(asked, attempts)


def _highest(asked: Sequence[str], attempts: dict[str, Any]) -> Score:
    if HIGHEST not in attempts:
        return Score(HIGHEST, "privacy", None, NO_RISK)
    best = attempts[HIGHEST]
    reasons = [f"{name} was not made" for name in asked if name not in attempts]
    reasons += [] if best.compared else [AT_LEAST.format(", ".join(best.uncompared))]
    certain = not reasons or best.rate == 1.0
    return Score(HIGHEST, "privacy", best.rate, None if certain else "; ".join(reasons))


def _why_not(name: str, outcome: Outcome) -> str:
    about = f"the attack {name!r} was left out"
    return next((each for each in outcome.remarks if each.startswith(about)), NOT_MADE)


def compare_command(
    contest: Contest, original: str, release: str, truth: str | None, people: str | None = None
) -> str:
    """The command that gives the same digits on a participant's own machine."""
    words = ["singleout", "compare", original, release, "--user", contest.user or "none"]
    words += [] if truth is None else ["--truth", truth]
    words += ["--study", "study.toml"] if contest.roles else []
    for part in PARTS:
        if part in contest.parts:
            named = contest.parts[part]
            words += [f"--{OPTIONS.get(part, part)}", named if isinstance(named, str) else ",".join(named)]
    words += ["--metrics", ",".join(contest.of_family("utility"))]
    words += ["--attacks", ",".join(contest.of_family("privacy"))]
    words += ["--points", ",".join(map(str, contest.points))] if contest.points else []
    words += ["--seed", str(contest.seed)] if contest.seed else []
    words += [] if people is None else ["--people-table", people, "--release-people-table", THEIR_PEOPLE]
    return shlex.join(words)
