"""Makes the papers' experiments again and writes docs/papers: python -m papers.build (`make papers`)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from papers import attacker_models, card_histories, dummy_records, risk_prediction
from papers.coverage import coverage_page, covered
from papers.experiment import Paper, page_text

PLACE = Path(__file__).parents[1] / "docs" / "papers"
PAPERS = (attacker_models, dummy_records, card_histories, risk_prediction)


def pages(small: bool = False) -> dict[str, str]:
    made = [each.paper(small) for each in PAPERS]
    found = {f"{each.page}.md": page_text(each) for each in made}
    return {"index.md": index_page(made), **found, "coverage.md": coverage_page(covered())}


def index_page(papers: Sequence[Paper]) -> str:
    lines = [
        "# The papers, made again",
        "",
        "What the papers print beside what singleout computes, whether they agree, and if not, why. "
        "`make papers` writes these pages anew; what it needs of the data sets is in the project "
        "([data](../data.md)). Where the papers are wrong, the [corrections](../corrections.md) tell.",
        "",
        "Numbers of which all printed digits agree, those that depend on draws and are near, and those that "
        "differ, each with a reason:",
        "",
        "| paper | tables and figures | all digits | near | differ |",
        "|---|---:|---:|---:|---:|",
    ]
    for each in papers:
        numbers = [number for one in each.experiments for number in one.numbers]
        near = sum(number.agrees and number.printed == "about" for number in numbers)
        differ = sum(not number.agrees for number in numbers)
        link = f"[{each.short}]({each.page}.md){each.instead}"
        lines.append(
            f"| {link} | {len(each.experiments)} | {len(numbers) - near - differ} | {near} | {differ} |"
        )
    names = [*(each.page for each in papers), "coverage"]
    lines += ["", "[What is covered](coverage.md) lists every definition, algorithm, table and figure.", ""]
    return "\n".join([*lines, "```{toctree}", ":hidden:", "", *names, "```", ""])


def main() -> int:
    PLACE.mkdir(exist_ok=True)
    for name, text in pages().items():
        (PLACE / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
