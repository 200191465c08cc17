"""Sentences that are alike but for what they tell of, from English into another language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

PLACE = re.compile(r"\\\{([a-z]+)\\\}")
BETWEEN = "; "
# somebody's own words may be in it, which are not to keep a page busy
LONGEST, DEEPEST = 2_000, 3
Sentences = tuple[tuple[re.Pattern[str], str], ...]


def sentences_of(both: Mapping[str, str]) -> Sentences:
    """By what each is in English; `{…}` stands for anything."""
    return tuple(
        (re.compile(PLACE.sub(r"(?P<\1>.+)", re.escape(each)), re.DOTALL), both[each]) for each in both
    )


def translated(sentences: Sentences, text: str, depth: int = DEEPEST) -> str | None:
    """In the other language, with what it tells of, which may be sentences too; None if none is like it."""
    if depth == 0 or len(text) > LONGEST:
        return None
    for sentence, wanted in sentences:
        if found := sentence.fullmatch(text):
            inner = found.groupdict().items()
            return wanted.format(
                **{name: translated(sentences, each, depth - 1) or each for name, each in inner}
            )
    return None


def translated_all(sentences: Sentences, text: str) -> str | None:
    """The same of several sentences in a line, if all of them are known; what they are about is not said."""
    text = text.removeprefix("contest: ").removeprefix("metric: ")
    if (whole := translated(sentences, text)) is not None or BETWEEN not in text:
        return whole
    parts = [translated(sentences, each) for each in text.split(BETWEEN)]
    return None if None in parts else "。".join(each for each in parts if each is not None)


@cache
def told_sentences(language: str) -> Sentences:
    """What the platform says beside its pages: problems, reasons and refusals."""
    shelf = files("singleout.platform.web") / "texts" / f"sentences-{language}.toml"
    content = tomllib.loads(shelf.read_text(encoding="utf-8"))
    return tuple(each for part in content.values() for each in sentences_of(part))
