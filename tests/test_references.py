"""The papers: every citation is in the list, and the page of references tells the whole list."""

from __future__ import annotations

import re
from pathlib import Path

from singleout.attacks.measures import ATTACK_MEASURES
from singleout.deidentify.dummies.measures import DUMMY_MEASURES
from singleout.deidentify.suppress.measures import SUPPRESS_MEASURES
from singleout.policy.rules.built_in_policies import BUILT_IN
from singleout.policy.rules.measures import CHECK_MEASURES
from singleout.policy.rules.policy import built_in_policy
from singleout.references import OTHER_WORKS, REFERENCES, cited_papers
from singleout.risk.measures import (
    ASSESSMENT_MEASURES,
    COMBINATION_MEASURES,
    DISCLOSURE_MEASURES,
    POPULATION_MEASURES,
    PREDICTION_MEASURES,
    REFERENCE_MEASURES,
    WEIGHTED_MEASURES,
)
from singleout.utility.catalogue import UTILITY_MEASURES

ROOT = Path(__file__).parent.parent
GROUPS = (
    ASSESSMENT_MEASURES, COMBINATION_MEASURES, DISCLOSURE_MEASURES, PREDICTION_MEASURES, ATTACK_MEASURES,
    DUMMY_MEASURES, CHECK_MEASURES, UTILITY_MEASURES, POPULATION_MEASURES, REFERENCE_MEASURES,
    WEIGHTED_MEASURES, SUPPRESS_MEASURES,
)  # fmt: skip
CITATION = re.compile(r"(?:Ito|Yang) et al\. (?:\d{4}|n\.d\.)|Anon\. n\.d\.")


def test_the_page_tells_every_paper() -> None:
    page = (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
    assert [
        short for short, full in (REFERENCES | OTHER_WORKS).items() if f"| {short} | {full} |" not in page
    ] == []


def test_measures_cite_papers_that_are_in_the_list() -> None:
    references = [each.reference for group in GROUPS for each in group]
    cited = {short for text in references for short in CITATION.findall(text)}
    assert cited == {*REFERENCES}
    assert [short for short, _ in cited_papers(references)][: len(REFERENCES)] == [*REFERENCES]


def test_no_work_is_in_the_list_that_nothing_cites() -> None:
    source = ROOT / "src" / "singleout"
    others = [path for kind in ("py", "toml") for path in source.rglob(f"*.{kind}")]
    lines = [
        line
        for path in others
        if path.name != "references.py"
        for line in path.read_text(encoding="utf-8").replace('"\n    "', "").splitlines()
    ]
    cited = [short for short, _ in cited_papers(lines)]
    assert [short for short in OTHER_WORKS if short not in cited] == []


def test_whoever_is_cited_with_a_year_is_in_the_list() -> None:
    """In measures and in the limits of policies: an author's name and a year have a title and a venue."""
    sources = [rule.source or "" for name in BUILT_IN for rule in built_in_policy(name).rules]
    references = [each.reference for group in GROUPS for each in group]
    for text in (*sources, *references):
        years = set(re.findall(r"\b(?:19|20)\d\d\b", text.replace("PWS Cup 2016", "").replace("ISO/IEC", "")))
        told = " ".join(full for _, full in cited_papers([text]))
        assert [year for year in years if year not in told] == [], text


def test_no_text_cites_a_paper_by_a_number() -> None:
    """Readers don't know which paper is the third."""
    folders = [ROOT / name for name in ("src", "docs")]
    texts = [path for folder in folders for kind in ("py", "md") for path in folder.rglob(f"*.{kind}")]
    left = ("report/pages/page.py", "docs/reference/")
    assert [
        str(path.relative_to(ROOT))
        for path in [*texts, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
        if re.search(r"\bpapers?\s+\d\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
        and not any(each in path.as_posix() for each in left)
    ] == []
