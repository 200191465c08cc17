"""Which function, test and experiment stand for each part of the papers."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).parent / "coverage.csv"
PAPERS = {
    "P0": "Ito et al. 2019",
    "P1": "Anon. n.d.",
    "P2": "Ito et al. 2020",
    "P3": "Ito et al. n.d.",
    "P4": "Yang et al. 2020",
}


@dataclass(frozen=True)
class Covered:
    """A part of a paper: what stands for it, or the `reason` why nothing does."""

    id: str
    what: str
    function: str
    test: str
    experiment: str
    reason: str

    def __post_init__(self) -> None:
        if not (self.function and self.test) and not self.reason:
            raise ValueError(f"{self.id}: name a function and a test, or the reason why there is none")
        if not self.experiment and not self.reason:
            raise ValueError(f"{self.id}: name the page of its experiment, or the reason why there is none")


def covered() -> list[Covered]:
    with LIST.open(encoding="utf-8", newline="") as handle:
        return [Covered(**row) for row in csv.DictReader(handle)]


def coverage_page(parts: Sequence[Covered]) -> str:
    run = sum(bool(each.experiment) for each in parts)
    tested = sum(bool(each.test) for each in parts)
    lines = [
        "# What of the papers is covered",
        "",
        f"Of {len(parts)} entries, {tested} have a function and a test, {run} an experiment that "
        "`make papers` makes again. An entry may stand for several tables or figures.",
        "",
    ]
    for prefix, paper in PAPERS.items():
        lines += [
            f"## {paper}",
            "",
            "| part | what | function | test | experiment |",
            "|---|---|---|---|---|",
        ]
        lines += [_row(each) for each in parts if each.id.startswith(prefix)]
        lines.append("")
    return "\n".join(lines)


def _row(each: Covered) -> str:
    function = f"`{each.function.removeprefix('singleout.')}`" if each.function else "–"
    test = f"`{each.test.removeprefix('tests/')}`" if each.test else "–"
    experiment = f"[page]({each.experiment}.md)" if each.experiment else each.reason
    return f"| {each.id} | {each.what} | {function} | {test} | {experiment} |"
