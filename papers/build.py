"""Makes the papers' experiments again and writes docs/papers: python -m papers.build (`make papers`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from papers import (
    attacker_models,
    beyond,
    card_histories,
    dummy_records,
    k_anonymised_table,
    risk_prediction,
)
from papers.contents import CONTENTS, fates, made_again
from papers.coverage import coverage_page, covered
from papers.experiment import Paper, page_text

PLACE = Path(__file__).parents[1] / "docs" / "papers"
PAPERS = (attacker_models, k_anonymised_table, dummy_records, card_histories, risk_prediction, beyond)


def pages(small: bool = False) -> dict[str, str]:
    """The files of docs/papers by their names: pages, and drawings."""
    made = []
    for each in PAPERS:
        sys.stderr.write(f"{each.__name__} …\n")
        made.append(each.paper(small))
    found = {f"{each.page}.md": page_text(each) for each in made}
    for each in made:
        found |= each.drawings()
    return {"index.md": index_page(made), **found, "coverage.md": coverage_page(covered())}


def index_page(papers: Sequence[Paper]) -> str:
    there, made, reasons = made_again(papers)
    lines = [
        "# The papers, made again",
        "",
        "What the papers print beside what singleout computes, whether they agree, and if not, why. "
        "`make papers` writes these pages anew; what it needs of the data sets is in the project "
        "([data](../data.md)). Where the papers are wrong, the [corrections](../corrections.md) tell.",
        "",
        f"Of {there} tables and figures, {made} are made again; {reasons} are sketches, schemas, screens or "
        "worked examples that are tests, and each page says which. Of the numbers all printed digits agree, "
        "or those that depend on draws are near, or they differ, each with a reason:",
        "",
        "| paper | tables and figures | made again | all digits | near | differ |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for each in papers:
        near = sum(number.agrees and number.printed == "about" for number in each.numbers)
        differ = sum(not number.agrees for number in each.numbers)
        link = f"[{each.short}]({each.page}.md){each.instead}"
        there, made, _ = made_again([each])
        if there:
            exact = len(each.numbers) - near - differ
            lines.append(f"| {link} | {there} | {made} | {exact} | {near} | {differ} |")
    names = [*(each.page for each in papers), "coverage"]
    lines += [
        "",
        "[Beyond the papers](beyond.md) measures where singleout does something else than they do. "
        "[What is covered](coverage.md) lists every definition, algorithm, table and figure.",
        "",
        *_every_table(papers),
        "",
    ]
    return "\n".join([*lines, "```{toctree}", ":hidden:", "", *names, "```", ""])


def _every_table(papers: Sequence[Paper]) -> Iterator[str]:
    yield "## Every table and figure"
    for each in papers:
        if each.page in CONTENTS:
            yield from ("", f"### {each.short}", "")
            yield from ("| place | made again as | numbers that agree |", "|---|---|---|")
            yield from (f"| {' | '.join(fate)} |" for fate in fates(each))


def main() -> int:
    PLACE.mkdir(exist_ok=True)
    written = pages()
    for old in PLACE.glob("*.svg"):
        old.unlink()
    for name, text in written.items():
        (PLACE / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
