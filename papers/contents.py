"""Every table and figure of the five papers, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papers.experiment import Experiment, Paper

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI")


def _numbered(tables: int, figures: int, roman: bool = False) -> tuple[str, ...]:
    names = ROMAN if roman else [str(number + 1) for number in range(tables)]
    return (
        *(f"Table {name}" for name in names[:tables]),
        *(f"Figure {number + 1}" for number in range(figures)),
    )


CONTENTS = {
    "ito-2019": _numbered(8, 12),
    "anon-nd": _numbered(0, 1),
    "ito-2020": _numbered(8, 14),
    "ito-nd": _numbered(11, 16, roman=True),
    "yang-2020": _numbered(5, 4),
}


def lacking(paper: Paper) -> list[str]:
    """What neither an experiment makes again nor a reason accounts for, and what is there twice."""
    there = [*_places(paper)]
    return [name for name in CONTENTS[paper.page] if there.count(name) != 1]


def _places(paper: Paper) -> Iterator[str]:
    for each in paper.experiments:
        yield from each.places
    for left in paper.left_out:
        yield from left.places


def fates(paper: Paper) -> Iterator[tuple[str, str, str]]:
    """Of each table and figure: its name, where it is made again, or why not, and how its numbers agree."""
    found = {
        place: (f"[{each.title}]({paper.page}.md)", _agreement(each))
        for each in paper.experiments
        for place in each.places
    }
    found |= {place: (f"not made again: {left.why}", "–") for left in paper.left_out for place in left.places}
    for name in CONTENTS[paper.page]:
        if name in found:
            yield name, *found[name]


def _agreement(experiment: Experiment) -> str:
    """Of all numbers of the experiment, which may stand for several tables and figures."""
    if not experiment.numbers:
        return "the paper prints no number that can be compared"
    differ = len(experiment.numbers) - experiment.agreed
    told = f"{experiment.agreed} of {len(experiment.numbers)}"
    return f"{told}; the page says why not" if differ else told


def made_again(papers: Sequence[Paper]) -> tuple[int, int, int]:
    """How many tables and figures there are, are made again, and are not, for a reason."""
    made = [name for paper in papers for each in paper.experiments for name in each.places]
    reasons = [name for paper in papers for left in paper.left_out for name in left.places]
    return len(made) + len(reasons), len(made), len(reasons)
