"""Pieces of Markdown that the pages of the reference are made of."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table; what stands in a cell may have bars.

    >>> table(["rule"], [["a|b"]])
    ['| rule |', '|---|', '| a\\\\|b |', '']
    """
    lines = [list(headings), *rows]
    written = ["| " + " | ".join(each.replace("|", "\\|") for each in row) + " |" for row in lines]
    return [written[0], "|" + "---|" * len(headings), *written[1:], ""]


def section(title: str, about: str, *parts: list[str]) -> list[str]:
    """A heading, a sentence or none, and what stands below them."""
    lines = [f"## {title}", "", *([about, ""] if about else [])]
    return lines + [line for part in parts for line in part]


def block(language: str, *lines: str) -> list[str]:
    return [f"```{language}", *lines, "```", ""]


def docstring(thing: object) -> list[str]:
    """Its paragraphs, an example that runs as a block of its own."""
    lines: list[str] = []
    for paragraph in inspect.cleandoc(thing.__doc__ or "").split("\n\n"):
        shown = paragraph.splitlines()
        lines += block("pycon", *shown) if paragraph.startswith(">>>") else [*shown, ""]
    return lines


def anchor(heading: str) -> str:
    """What a link to a heading is called, as code hosts and the site's reader make it.

    >>> anchor("Measure `attack.rate`"), anchor("… read the JSON of `attack`")
    ('measure-attackrate', '-read-the-json-of-attack')
    """
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def link(words: str, heading: str) -> str:
    """A link to a heading of the same page."""
    return f"[{words}](#{anchor(heading)})"
