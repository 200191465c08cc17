"""Every command that finds something writes it as a page too: its sentences, charts and tables."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

import singleout
from singleout.cli.main import main
from singleout.report.pages.page import Report
from tests.support.command_line import Captured

DOMAINS = ["S=entraining_point+alighting_point@usage=traffic", "B=fare@usage=purchase"]
TABLE = pyarrow.table(
    {
        "who": [1, 1, 2, 2, 3, 3, 4, 4],
        "age": [31, 31, 32, 32, 47, 47, 48, 48],
        "town": ["ax", "ax", "ax", "ax", "by", "by", "by", "cz"],
        "good": ["tea", "jam", "tea", "egg", "jam", "egg", "oil", "tea"],
    }
)
HIERARCHY = {
    "age": {"levels": [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]},
    "town": {"levels": [{"type": "raw"}, {"type": "suppress"}]},
}


def _generalised(folder: Path, local: bool) -> object:
    import json

    place = folder / "levels.json"
    place.write_text(json.dumps({"attributes": HIERARCHY}), encoding="utf-8")
    how = singleout.generalise_locally if local else singleout.generalise
    return how(TABLE, user="who", columns=["age", "town"], hierarchies=place, k=2, suppress=0.25)


FOUND: dict[str, Callable[[Path], object]] = {
    "entropy": lambda _: singleout.entropy(
        singleout.sample("card"), user="user", domains=DOMAINS, known=[1, 2]
    ),
    "predict": lambda _: singleout.predict(TABLE, user="who", records=[16], drop=[["age"]]),
    "combinations": lambda _: singleout.combinations(
        TABLE, user="who", allow=1, size=2, resource=2, known=[["age"]], record=[1]
    ),
    "dummies": lambda _: singleout.dummies(TABLE, user="who", item="good", clusters=2),
    "generalise": lambda folder: _generalised(folder, local=False),
    "generalise --local": lambda folder: _generalised(folder, local=True),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_has_a_page(name: str, tmp_path: Path) -> None:
    """Sentences first, of which one says what to do; every chart is drawn, every table has its rows."""
    report: Report = singleout.report_on(FOUND[name](tmp_path), date="2026-11-17")
    assert report.conclusions
    assert report.decision is not None
    assert report.decision.answer == "not_judged"
    assert [bool(each.not_tried) for each in report.by_question] == [True] * 3
    assert not report.about_use
    assert report.conclusions[0].advice
    assert all(each.certainty for each in report.conclusions)
    page = report.to_html()
    charts = [chart for section in report.sections for chart in section.charts]
    assert charts, "a page without a chart"
    assert page.count("<svg") == len(charts)
    assert all(
        len(row) == len(table.headings)
        for each in report.sections
        for table in each.tables
        for row in table.rows
    )
    assert not re.search(r"(src|href)=\"http", page)


def test_a_page_never_says_that_a_set_is_safe() -> None:
    """A rule allows it: whoever knows more may still single people out."""
    report = singleout.report_on(singleout.combinations(TABLE, user="who", allow=1), date="2026-11-17")
    assert "safe by the rule only" in report.to_html()


COMMANDS = {
    "entropy": ["entropy", "t.parquet", "--user", "who", "--domain", "g=good"],
    "predict": ["predict", "t.parquet", "--user", "who"],
    "combinations": ["combinations", "t.parquet", "--user", "who", "--allow", "1"],
    "dummies": ["deidentify", "dummies", "t.parquet", "--user", "who", "--item", "good", "--clusters", "2"],
    "generalise": [
        "deidentify", "generalise", "t.parquet", "--user", "who", "--hierarchies", "levels.json", "--k", "2",
        "--suppress", "0.3",
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_write_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    import json

    monkeypatch.chdir(tmp_path)
    pyarrow.parquet.write_table(TABLE, "t.parquet")
    Path("levels.json").write_text(json.dumps({"attributes": HIERARCHY}), encoding="utf-8")
    assert main([*COMMANDS[name], "--html", "page.html", "--date", "2026-11-17"]) == 0
    text = Path("page.html").read_text(encoding="utf-8")
    assert "2026-11-17" in text
    assert f"singleout {COMMANDS[name][0]}" in text
    assert f"{hashlib.sha256(Path('t.parquet').read_bytes()).hexdigest()} (t.parquet, " in text
    if "levels.json" in COMMANDS[name]:
        assert hashlib.sha256(Path("levels.json").read_bytes()).hexdigest() in text
    # the table itself is never written over
    assert main([*COMMANDS[name], "--html", "t.parquet"]) == 2
    capsys.readouterr()


@pytest.mark.parametrize("k", [1, 3])
def test_the_page_of_a_gate_says_what_is_taken_for_granted(k: int) -> None:
    """Also where it fails, as the terminal does: a number may hang on it."""
    found = singleout.check(TABLE, {"rule": [{"measure": "k", "at_least": k}]}, user="who")
    report = singleout.report_on(found, date="2026-11-17")
    (section,) = (each for each in report.sections if each.name == "policy")
    told = [f"It is taken for granted that {each}." for each in found.conditions]
    assert told
    # once: where the answer is that it may go out on these conditions, they stand below it
    assert list(section.lead[1:]) == ([] if found.passed else told)
    assert all(f"<li>{each}" in report.to_html() for each in found.conditions) == found.passed
