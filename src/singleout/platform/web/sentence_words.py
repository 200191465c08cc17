"""Sentences that are alike but for what they tell of, from English into another language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from singleout.platform.web.metric_titles import title_of

PLACE = re.compile(r"\\\{([a-z]+)\\\}")
BETWEEN, WITHIN_ONE = "; ", ("line", "lines", "further")
# somebody's own words may be in it, which are not to keep a page busy
LONGEST, DEEPEST, MOST_SENTENCES = 2_000, 3, 20
Sentences = tuple[tuple[re.Pattern[str], str], ...]


def sentences_of(both: Mapping[str, str]) -> Sentences:
    """By what each is in English; `{…}` stands for anything, `{lines}` and the like for a part of one."""
    return tuple((re.compile(PLACE.sub(_place, re.escape(each)), re.DOTALL), both[each]) for each in both)


def _place(name: re.Match[str]) -> str:
    return f"(?P<{name[1]}>{'[^:;]+' if name[1] in WITHIN_ONE else '.+?'})"


def translated(sentences: Sentences, text: str, depth: int = DEEPEST) -> str | None:
    """In the other language, with what it tells of, which may be sentences too; None if none is like it."""
    if depth == 0 or len(text) > LONGEST:
        return None
    for sentence, wanted in sentences:
        if found := sentence.fullmatch(text):
            inner = found.groupdict().items()
            return wanted.format(
                **{name: _one_or_more(sentences, each, depth - 1) or each for name, each in inner}
            )
    return None


def translated_all(sentences: Sentences, text: str) -> str | None:
    """The same of several sentences in a line, if all of them are known; what they are about is not said."""
    if (whole := translated(sentences, text)) is not None:
        return whole
    return _one_or_more(sentences, text.removeprefix("contest: ").removeprefix("metric: "), DEEPEST)


def _one_or_more(sentences: Sentences, text: str, depth: int) -> str | None:
    """A sentence may have the mark that stands between sentences in itself: the longest is tried first."""
    if (whole := translated(sentences, text, depth)) is not None or BETWEEN not in text:
        return whole
    parts, told = text.split(BETWEEN), list[str]()
    if len(parts) > MOST_SENTENCES:
        return None
    while parts:
        tries = ((many, translated(sentences, BETWEEN.join(parts[:many]), depth)) for many in (3, 2, 1))
        many, found = next((each for each in tries if each[1] is not None), (0, None))
        if found is None:
            return None
        told.append(found)
        parts = parts[many:]
    return "。".join(told)


@cache
def told_sentences(language: str) -> Sentences:
    """What the platform says beside its pages: problems, reasons, refusals, what is done, metrics' titles."""
    shelf = files("singleout.platform.web") / "texts"
    content, metrics = (
        tomllib.loads((shelf / f"{name}-{language}.toml").read_text(encoding="utf-8"))
        for name in ("sentences", "metrics")
    )
    titles = {title_of(name, family): metrics[family][name] for family in metrics for name in metrics[family]}
    return tuple(each for part in (*content.values(), titles) for each in sentences_of(part))
