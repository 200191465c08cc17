"""Guesses as a file: who somebody of a published release is, by one candidate or several with confidences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike

from singleout.engine.codes.number_texts import number_text
from singleout.engine.open_engine import open_engine
from singleout.engine.open_tables import share_open_tables
from singleout.errors import SingleoutError, name_hint, one_line
from singleout.platform.contest import Contest
from singleout.platform.guess_score import Guess
from singleout.platform.publication import people_in
from singleout.platform.scorer import MOST_LISTED, Problem, advice_here, short_name
from singleout.read.source import source

FilePath = str | PathLike[str]
RELEASED, ORIGINAL, CONFIDENCE = "release_user", "original_user", "confidence"
COLUMNS = (RELEASED, ORIGINAL, CONFIDENCE)
# more than are right, so that each wrong one is told, and not ten thousand of them
MOST_COLUMNS = 20
HEADER = f"the header is {RELEASED},{ORIGINAL}, with {CONFIDENCE} if you like"
# confidences that were added up in another order, or written with a few digits
ROUNDING = 1e-6


@dataclass
class RowFaults:
    """What is wrong, and in which rows."""

    rows: dict[tuple[str, str | None], list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, message: str, column: str | None, row: int) -> None:
        self.rows[message, column].append(row)

    def problems(self) -> Iterator[Problem]:
        for (message, column), rows in self.rows.items():
            yield Problem(message, column, len(rows), tuple(rows[:MOST_LISTED]))


def check_guesses(
    contest: Contest, original: FilePath, published: FilePath, guesses: FilePath
) -> tuple[list[Problem], list[Guess]]:
    """All that is wrong with them, by rows and never by a name; or the guesses, each with its confidence."""
    try:
        with share_open_tables():
            with open_engine(source(str(published))) as table:
                released = people_in(table, contest.user, "the release")
            with open_engine(source(str(original))) as table:
                known = people_in(table, contest.user, "the original")
            with open_engine(source(str(guesses))) as table:
                names = [each.name for each in table.columns()]
                if faults := [*_header_problems(names)]:
                    return faults, []
                wanted = tuple(name for name in COLUMNS if name in names)
                texts = table.texts(wanted)
    except SingleoutError as fault:
        return [Problem(f"can't be read; {HEADER} ({_public(fault, guesses)})")], []
    columns = [
        values.take(_as_array(codes)).to_pylist()
        for codes, values in zip(texts.codes, texts.values, strict=True)
    ]
    confidences = columns[2] if len(columns) > 2 else [None] * len(columns[0])
    rows = [*zip(columns[0], columns[1], confidences, strict=True)]
    people = {*released.names.to_pylist()}, {*known.names.to_pylist()}
    return _checked(rows, people, known.numbers, contest.attack.candidates)


def _as_array(codes: object) -> object:
    import pyarrow

    return pyarrow.array(codes)


def _public(fault: SingleoutError, path: FilePath) -> str:
    return advice_here(one_line(str(fault)).replace(str(path), "the file"))


def _header_problems(names: Sequence[str]) -> Iterator[Problem]:
    if len(names) > MOST_COLUMNS:
        yield Problem(f"has {len(names):,} columns; at most {MOST_COLUMNS:,} are taken")
        return
    for name in (RELEASED, ORIGINAL):
        if name not in names:
            yield Problem(f"is missing; {HEADER}", name)
    for name in names:
        if name not in COLUMNS:
            yield Problem(f"is none of guesses; {name_hint(name, COLUMNS)}", short_name(name))


def _checked(
    rows: Sequence[tuple[str | None, str | None, str | None]],
    people: tuple[set[str | None], set[str | None]],
    numbers: bool,
    most: int,
) -> tuple[list[Problem], list[Guess]]:
    if not rows:
        return [Problem("names nobody; write a row for each guess")], []
    faults, candidates = RowFaults(), defaultdict[str, list[tuple[int, str, float | None]]](list)
    for row, (released, original, confidence) in enumerate(rows, 1):
        named = number_text(original) if numbers and original is not None else original
        if released is None or released not in people[0]:
            faults.add("is nobody of this release; names are those of the published file", RELEASED, row)
        if named is None or named not in people[1]:
            faults.add("is nobody of the original", ORIGINAL, row)
        share = _share(confidence)
        if confidence is not None and share is None:
            faults.add("is no confidence; write a number above 0 and at most 1", CONFIDENCE, row)
        if released is not None and named is not None:
            candidates[released].append((row, named, share))
    for listed in candidates.values():
        _check_candidates(listed, most, faults)
    if problems := [*faults.problems()]:
        return problems, []
    return [], [*_guesses(candidates.items())]


def _share(text: str | None) -> float | None:
    try:
        share = float(text) if text is not None else None
    except ValueError:
        return None
    return share if share is not None and 0 < share <= 1 else None


def _check_candidates(listed: Sequence[tuple[int, str, float | None]], most: int, faults: RowFaults) -> None:
    seen: set[str] = set()
    for row, name, _ in listed:
        if name in seen:
            faults.add("names the same person twice for one; keep one row", ORIGINAL, row)
        seen.add(name)
    if len(listed) > most:
        faults.add(f"has more than {most} candidates; keep the best", RELEASED, listed[most][0])
    shares = [share for _, _, share in listed if share is not None]
    if shares and len(shares) < len(listed):
        faults.add("lacks a confidence where other rows of the person have one", CONFIDENCE, listed[0][0])
    if sum(shares) > 1 + ROUNDING:
        faults.add("adds up to more than 1 with the other rows of the person", CONFIDENCE, listed[0][0])


def _guesses(
    candidates: Iterable[tuple[str, Sequence[tuple[int, str, float | None]]]],
) -> Iterator[Guess]:
    """Without confidences all candidates of a person are as likely."""
    for released, listed in candidates:
        for _, name, share in listed:
            yield Guess(released, name, 1 / len(listed) if share is None else share)
