"""A number that a paper prints beside the one that singleout computes, and whether they agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Printed = Literal["rounded", "truncated", "about"]
ABOUT = (
    "*Yes* means that all printed digits agree, rounded or truncated as the paper does. Numbers that depend "
    "on random draws can't agree so: where they are near, the table says how near was asked for. A *no* says "
    "why, as far as we know."
)


@dataclass(frozen=True)
class PaperNumber:
    """`digits` behind the point are printed; `about` agrees within `within`, a share of the printed number.

    Where they do not agree, `why` says what a reader can check.
    """

    what: str
    published: float
    computed: float
    digits: int = 2
    printed: Printed = "rounded"
    within: float = 0.0
    why: str = ""

    @property
    def agrees(self) -> bool:
        if self.printed == "about":
            return abs(self.computed - self.published) <= self.within * abs(self.published)
        step = 10.0**-self.digits
        if self.printed == "truncated":
            return math.floor(self.computed / step + 1e-9) == round(self.published / step)
        return abs(self.computed - self.published) <= step / 2 + 1e-12

    def __post_init__(self) -> None:
        if not self.agrees and not self.why:
            raise ValueError(f"{self.what}: {self.computed} is not {self.published}, and nobody says why")


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper: what is compared, and the command that does it."""

    place: str
    command: str
    numbers: tuple[PaperNumber, ...]
    note: str = ""
    drawing: str = ""

    @property
    def agreed(self) -> int:
        return sum(each.agrees for each in self.numbers)


@dataclass(frozen=True)
class Paper:
    """All experiments of a paper; `page` its file in docs/papers, `instead` what stands for its data."""

    page: str
    short: str
    about: str
    experiments: tuple[Experiment, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    instead: str = ""


def page_text(paper: Paper) -> str:
    lines = [f"# {paper.short}", "", paper.about, "", ABOUT, ""]
    for each in paper.experiments:
        lines += [f"## {each.place}", "", *([each.note, ""] if each.note else [])]
        lines += ["```text", each.command, "```", ""]
        lines += [f"![{each.place}]({each.drawing})", ""] if each.drawing else []
        lines += _table(each.numbers) if each.numbers else []
    if paper.left_out:
        lines += ["## Not made again", "", "| what | why |", "|---|---|"]
        lines += [f"| {what} | {why} |" for what, why in paper.left_out]
        lines.append("")
    return "\n".join(lines)


def _table(numbers: Sequence[PaperNumber]) -> list[str]:
    lines = ["| number | published | computed | agree |", "|---|---:|---:|---|"]
    for each in numbers:
        near = f"within {each.within:.0%}" if each.printed == "about" else "yes"
        agree = near if each.agrees else f"no: {each.why}"
        lines.append(f"| {each.what} | {_text(each.published)} | {_text(each.computed)} | {agree} |")
    return [*lines, ""]


def _text(value: float) -> str:
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"
