"""What the names of people tell beside the values: in a header, and one person's written in several ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from singleout.engine.codes.spelling_variants import folded
from singleout.policy.verdict.decision import Observation

IN_HEADERS = "names of people in the header"
NAMED = (
    "the header of column {} has a word that is the name of somebody in {}, so that it may tell who is who; "
    "call the column by what it holds and nothing else"
)
WRITINGS = "people who may be one"
WRITTEN_APART = (
    "{:,} of {:,} names in {} are others but for case, blanks or how a number is written, so that one person "
    "may count as several; write one person's alike, and if these are different people, draw new names for "
    "them (the step pseudonymise)"
)
WORD = re.compile(r"[^\W_]+")
# as many as a UUID has
MOST_WORDS = 5
LEAST_LETTERS = 3
# of 'price 10' and 'income 2010' nobody says that they are people
LEAST_NUMBER, YEARS = 1_000, range(1_900, 2_100)


def names_in_headers(headers: Sequence[str], names: Iterable[str], column: str) -> Iterator[Observation]:
    """The header may hold data itself; only the place of its column is told."""
    words = [{*_phrases(each)} for each in headers]
    every = set[str]().union(*words)
    there = every & {_plain(name) for name in names} if every else every
    for place, own in enumerate(words, 1):
        if own & there:
            yield Observation(IN_HEADERS, NAMED.format(f"{place:,}", column), "linkability", False)


def names_written_apart(names: Iterable[str], column: str) -> Iterator[Observation]:
    """Whoever has two of them counts as two people, who hide nobody from each other."""
    listed = [*names]
    if again := len(listed) - len({folded(name) for name in listed}):
        words = WRITTEN_APART.format(again, len(listed), column)
        yield Observation(WRITINGS, words, "singling out", False)


def _phrases(header: str) -> Iterator[str]:
    """
    >>> [*_phrases("Ann_Lee 10, 2010")]
    ['ann', 'ann lee', 'ann lee 10', 'ann lee 10 2010', 'lee', 'lee 10', 'lee 10 2010', '10 2010']
    """
    words = WORD.findall(folded(header) or "")
    for first in range(len(words)):
        for last in range(first + 1, min(first + MOST_WORDS, len(words)) + 1):
            phrase = " ".join(words[first:last])
            if len(phrase) >= LEAST_LETTERS and not _is_small(phrase):
                yield _plain(phrase)


def _is_small(phrase: str) -> bool:
    """Whether it is a number that a header may have for another reason."""
    return phrase.isdecimal() and (int(phrase) < LEAST_NUMBER or int(phrase) in YEARS)


def _plain(name: str) -> str:
    """
    >>> _plain(" Lee, Ann"), _plain("1001.0"), _plain("1001")
    ('lee ann', '1001', '1001')
    """
    return " ".join(WORD.findall(folded(name) or "")).lower()
