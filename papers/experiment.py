"""A number that a paper prints beside the one that singleout computes, and whether they agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from singleout.report.charts.chart import Chart
from singleout.result_table import Cell, ResultTable

Printed = Literal["rounded", "truncated", "about", "at most"]
ABOUT = (
    "*Yes* means that all printed digits agree, rounded or truncated as the paper does. Numbers that depend "
    "on random draws can't agree so: where they are near, the table says how near was asked for. A *no* says "
    "why, as far as we know."
)


@dataclass(frozen=True)
class PaperNumber:
    """`digits` behind the point are printed; `about` agrees within `within`, a share of the printed number;
    `at most` is a limit that the paper claims.

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
        if self.printed == "at most":
            return self.computed <= self.published
        step = 10.0**-self.digits
        if self.printed == "truncated":
            return math.floor(self.computed / step + 1e-9) == round(self.published / step)
        return abs(self.computed - self.published) <= step / 2 + 1e-12

    def __post_init__(self) -> None:
        if not self.agrees and not self.why:
            raise ValueError(f"{self.what}: {self.computed} is not {self.published}, and nobody says why")


@dataclass(frozen=True)
class Experiment:
    """Tables and figures of a paper that are made again, and the command that does it.

    `places` are what it stands for, as the paper calls them, none for what no paper has. `findings` are
    numbers that the paper does not print, `charts` the figures.
    """

    title: str
    command: str
    numbers: tuple[PaperNumber, ...] = ()
    note: str = ""
    places: tuple[str, ...] = ()
    findings: tuple[ResultTable, ...] = ()
    charts: tuple[Chart, ...] = ()

    @property
    def agreed(self) -> int:
        return sum(each.agrees for each in self.numbers)


@dataclass(frozen=True)
class LeftOut:
    """What is not made again, and why; `places` are tables and figures, none for a part of one."""

    what: str
    why: str
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Paper:
    """All experiments of a paper; `page` its file in docs/papers, `instead` what stands for its data."""

    page: str
    short: str
    about: str
    experiments: tuple[Experiment, ...]
    left_out: tuple[LeftOut, ...] = ()
    instead: str = ""

    @property
    def numbers(self) -> tuple[PaperNumber, ...]:
        return tuple(number for each in self.experiments for number in each.numbers)

    def drawings(self) -> dict[str, str]:
        """The figures by the names of their files."""
        charts = [chart for each in self.experiments for chart in each.charts]
        return {drawing_name(self, chart): chart.drawing() for chart in charts}


def drawing_name(paper: Paper, chart: Chart) -> str:
    return f"{paper.page}-{chart.name}.svg"


def places(kind: str, *names: str | int) -> tuple[str, ...]:
    """
    >>> places("Figure", 2, 3)
    ('Figure 2', 'Figure 3')
    """
    return tuple(f"{kind} {name}" for name in names)


def page_text(paper: Paper) -> str:
    lines = [f"# {paper.short}", "", paper.about, ""]
    lines += [ABOUT, ""] if paper.numbers else []
    for each in paper.experiments:
        lines += [f"## {each.title}", "", *([each.note, ""] if each.note else [])]
        lines += ["```text", each.command, "```", ""]
        lines += _numbers_table(each.numbers) if each.numbers else []
        for table in each.findings:
            lines += _findings_table(table)
        for chart in each.charts:
            lines += [f"![{chart.title}]({drawing_name(paper, chart)})", ""]
            lines += [chart.says, ""] if chart.says != chart.title else []
    if paper.left_out:
        lines += ["## Not made again", "", "| what | why |", "|---|---|"]
        lines += [f"| {_plain(left.what)} | {_plain(left.why)} |" for left in paper.left_out]
        lines.append("")
    return "\n".join(lines)


def _numbers_table(numbers: Sequence[PaperNumber]) -> list[str]:
    lines = ["| number | published | computed | agree |", "|---|---:|---:|---|"]
    for each in numbers:
        near = f"within {each.within:.0%}" if each.printed == "about" else "yes"
        agree = near if each.agrees else f"no: {each.why}"
        both = f"{_text(each.published)} | {_text(each.computed)}"
        lines.append(f"| {_plain(each.what)} | {both} | {_plain(agree)} |")
    return [*lines, ""]


def _findings_table(table: ResultTable) -> list[str]:
    sides = ["---:" if _is_number(index, table) else "---" for index in range(len(table.headings))]
    lines = [f"**{table.title}**", ""]
    lines += [
        "| " + " | ".join(_plain(each.title) for each in table.headings) + " |",
        "|" + "|".join(sides) + "|",
    ]
    lines += ["| " + " | ".join(map(_cell, row)) + " |" for row in table.rows]
    return [*lines, "", *([table.note, ""] if table.note else [])]


def _is_number(index: int, table: ResultTable) -> bool:
    return all(isinstance(row[index], (int, float)) or row[index] is None for row in table.rows)


def _cell(value: Cell) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _text(value) if isinstance(value, (int, float)) else _plain(value)


def _plain(text: str) -> str:
    """As a cell of a table has it."""
    return text.replace("|", "\\|")


def _text(value: float) -> str:
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.5g}"
