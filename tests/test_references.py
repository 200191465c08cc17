"""The papers: every citation is in the list, and the page of references tells the whole list."""

from __future__ import annotations

import re
from pathlib import Path

from singleout.attacks.measures import ATTACK_MEASURES
from singleout.deidentify.dummies.measures import DUMMY_MEASURES
from singleout.policy.measures import CHECK_MEASURES
from singleout.references import REFERENCES, cited_papers
from singleout.risk.measures import (
    ASSESSMENT_MEASURES,
    COMBINATION_MEASURES,
    DISCLOSURE_MEASURES,
    PREDICTION_MEASURES,
)
from singleout.utility.catalogue import UTILITY_MEASURES

ROOT = Path(__file__).parent.parent
GROUPS = (
    ASSESSMENT_MEASURES, COMBINATION_MEASURES, DISCLOSURE_MEASURES, PREDICTION_MEASURES, ATTACK_MEASURES,
    DUMMY_MEASURES, CHECK_MEASURES, UTILITY_MEASURES,
)  # fmt: skip
CITATION = re.compile(r"(?:Ito|Yang) et al\. (?:\d{4}|n\.d\.)|Anon\. n\.d\.")


def test_the_page_tells_every_paper() -> None:
    page = (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
    assert [short for short, full in REFERENCES.items() if f"| {short} | {full} |" not in page] == []


def test_measures_cite_papers_that_are_in_the_list() -> None:
    references = [each.reference for group in GROUPS for each in group]
    cited = {short for text in references for short in CITATION.findall(text)}
    assert cited == {*REFERENCES}
    assert [short for short, _ in cited_papers(references)] == [*REFERENCES]


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
