"""The papers' experiments run, small; what they cover is there; a number that differs says why."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from papers.build import PAPERS, PLACE, index_page
from papers.contents import CONTENTS, lacking
from papers.coverage import Covered, coverage_page, covered
from papers.experiment import Experiment, Paper, PaperNumber, page_text
from tests.support.docs_site import ROOT

# what a run with the whole number of seeds must go on agreeing with, by paper
EXACT = {"ito-2019": ("Table 5", "Table 6", "Table 7 and Figure 11")}


# parts that a small run leaves out for their time
LARGE = {"ito-2020": ["Table 4", "Table 7", "Figure 9"]}


@pytest.mark.parametrize("module", PAPERS, ids=lambda each: each.__name__)
def test_a_small_version_of_every_experiment_runs(module: object) -> None:
    paper: Paper = module.paper(small=True)  # type: ignore[attr-defined]
    text = page_text(paper)
    assert text.startswith(f"# {paper.short}\n")
    for each in paper.experiments:
        assert f"## {each.title}" in text
        if each.title in EXACT.get(paper.page, ()):
            assert each.agreed == len(each.numbers), each.title
    for name, drawing in paper.drawings().items():
        assert drawing.startswith("<svg"), name
        assert f"({name})" in text
    if paper.page in CONTENTS:
        assert lacking(paper) == LARGE.get(paper.page, [])
        listed = re.findall(r"^\| ((?:Table|Figure) \w+) \|", index_page([paper]), re.MULTILINE)
        assert listed == [name for name in CONTENTS[paper.page] if name not in LARGE.get(paper.page, [])]


def test_every_table_and_figure_is_accounted_for() -> None:
    """79 in five papers, each made again on a page or left out there for a reason."""
    assert sum(map(len, CONTENTS.values())) == 79


def test_the_pages_are_written() -> None:
    """`make papers` writes them; what depends on no draw is as it would be written now."""
    assert (PLACE / "coverage.md").read_text(encoding="utf-8") == coverage_page(covered()), "make papers"
    pages = {each.name: each.read_text(encoding="utf-8") for each in PLACE.glob("*.md")}
    assert {f"{name}.md" for name in (*CONTENTS, "index", "beyond")} <= {*pages}
    drawings = {each.name for each in PLACE.glob("*.svg")}
    named = {name for text in pages.values() for name in re.findall(r"\]\(([^()/]+\.svg)\)", text)}
    assert drawings == named


def test_what_is_said_to_cover_a_part_is_there() -> None:
    parts = covered()
    assert len({each.id for each in parts}) == len(parts)
    pages = {each.stem for each in PLACE.glob("*.md")}
    for each in parts:
        if each.function:
            module, _, name = each.function.rpartition(".")
            assert hasattr(import_module(module), name), each.id
        path, _, test = each.test.partition("::")
        assert not path or f"\ndef {test}(" in (ROOT / path).read_text(encoding="utf-8"), each.id
        assert not each.experiment or each.experiment in pages, each.id


@pytest.mark.parametrize(
    ("number", "agrees"),
    [
        (PaperNumber("a", 22.23, 22.2389, 2, "truncated"), True),
        (PaperNumber("a", 22.23, 22.2401, 2, "truncated", why="w"), False),
        (PaperNumber("a", 0.3217, 0.32166, 4), True),
        (PaperNumber("a", 0.3217, 0.32164, 4, why="w"), False),
        (PaperNumber("a", 100, 109.9, 0, "about", 0.1), True),
        (PaperNumber("a", 100, 89, 0, "about", 0.1, "w"), False),
        (PaperNumber("a", -0.8, -0.87, 0, "about", 0.1), True),
        (PaperNumber("a", -0.8, 0.8, 0, "about", 0.1, "w"), False),
        (PaperNumber("a", 0.05, 0.049, 2, "at most"), True),
        (PaperNumber("a", 0.05, 0.0501, 2, "at most", why="w"), False),
    ],
)
def test_when_numbers_agree(number: PaperNumber, agrees: bool) -> None:
    assert number.agrees is agrees
    text = page_text(Paper("p", "P", "about", (Experiment("Table 1", "c", (number,)),)))
    assert ("| no: w |" in text) is not agrees
    # a reader sees how near was asked for
    assert ("| within 10% |" in text) == (agrees and number.printed == "about")


def test_what_differs_must_say_why() -> None:
    with pytest.raises(ValueError, match="nobody says why"):
        PaperNumber("a", 1, 2, 0)
    with pytest.raises(ValueError, match="the reason why"):
        Covered("P9", "x", "", "", "", "")
    with pytest.raises(ValueError, match="page of its experiment"):
        Covered("P9", "x", "f", "t", "", "")
