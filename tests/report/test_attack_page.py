"""The reports of `attack` and `compare`: what their first page says, their evidence, their files."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pytest

import singleout
from singleout.cli.main import main
from singleout.report.pages.attack import attack_report
from singleout.report.pages.compare import comparison_report
from singleout.report.pages.page import Report
from singleout.utility.finding import lost_share
from tests.support.attacked_shop import (
    ORIGINAL,
    RELEASE,
    SOFTER,
    TRUTH,
    attacked,
    check_chart,
    compared,
    table_of,
)
from tests.support.command_line import error_without_a_trace, folder_with, only_json

RAW = re.compile(r"zofia|xtea|xmilk|xsalt|xrice|2011-0|\bp[1-4]\b")
COUNTED = ("str", "NoneType", "bool")


# The pages


class Page(HTMLParser):
    """Tags that are open, those that were seen, and the text."""

    VOID = ("meta", "br", "hr", "input", "img", "link")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002
        self.seen.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def check_report(report: Report) -> str:
    """It parses, it tells no raw value, every number has a definition, and names of charts differ."""
    html = report.to_html()
    Page(html)
    assert RAW.search(unescape(html)) is None
    assert 1 <= len(report.conclusions) <= 5
    assert {*report.not_tried} == {"singling out", "linkability", "inference"}
    assert all(report.not_tried.values())
    for each in report.conclusions:
        assert each.measures or not re.search(r"\d%", each.found)
        assert each.found.endswith((".", "?"))
        assert each.advice.endswith(".")
        assert each.certainty.endswith(".")
    names = [chart.name for section in report.sections for chart in section.charts]
    assert len({*names}) == len(names)
    for section in report.sections:
        for table in (*section.tables, *(chart.table for chart in section.charts)):
            for place, heading in enumerate(table.headings):
                kinds = {type(row[place]).__name__ for row in table.rows}
                assert heading.measure or heading.hint or kinds <= {*COUNTED}, heading
    for measure in report.measures:
        assert f'id="def-{measure.name}"' in html
    return html


def test_the_first_page_has_the_rate_of_the_best_attack() -> None:
    found = attacked()
    report = attack_report(found)
    check_report(report)
    first = report.conclusions[0]
    assert found.most is not None
    assert f"recognises {found.most.identified:.0f} of 4 people ({found.most.rate:.1%})" in first.found
    assert f"a mere guess recognises {found.most.baseline:.1%}" in first.found
    low, high = found.most.interval
    assert f"{low:.1%} to {high:.1%}" in first.certainty
    assert "dummies --item goods" in first.advice
    facts = dict(report.facts)
    assert "seed 0" in facts["Counted by"]
    assert "two missing values match" in facts["Missing values"]


def test_the_limit_of_the_verdict_is_printed_with_its_source() -> None:
    attacks = attacked()
    report = attack_report(attacks)
    html = check_report(report)
    assert report.decision is not None
    assert attacks.most is not None
    assert report.decision.answer == "do_not_release"
    (limits,) = (table for each in report.sections if each.name == "policy" for table in each.tables)
    ((_, asked, found, verdict, source),) = limits.rows
    assert (asked, verdict) == ("at most 0.34", "broken")
    assert found == attacks.most.rate
    assert isinstance(source, str)
    assert len(source) > 20
    assert '<a href="#policy">its limits and where they are from</a>' in html


def test_how_columns_were_compared_and_what_nobody_knows_yet() -> None:
    """Days by their months, goods under other names: what was compared how, and what could not be."""
    released = RELEASE.to_pydict()
    coarse = pyarrow.table({
        **released,
        "goods": [f"new {each[::-1]}" for each in released["goods"]],
        "day": [each[:7] for each in released["day"]],
    })  # fmt: skip
    found = attacked(release=coarse, points=[], attacks=["jaccard"])
    report = attack_report(found)
    check_report(report)
    (section,) = (each for each in report.sections if each.name == "columns")
    (table,) = section.tables
    assert table.rows == (
        ("goods", "not", "could not be compared"),
        ("day", "by form", "as dates, to the month"),
    )
    best = found.best
    assert best is not None and best.bound is not None and best.rate < best.bound
    told = (
        f"Between the best attack found ({best.rate:.1%}) and the ceiling ({best.bound:.1%}) lies what "
        "nobody knows yet."
    )
    assert told in report.conclusions[0].certainty
    assert any(told in each for section in report.sections for each in section.lead)


def test_the_known_records_that_are_enough_and_what_coarser_ones_do() -> None:
    found = attacked(granularity={"day": ["day", "year"], "goods": ["exact", "first 1"]}, worst=True)
    report = attack_report(found)
    check_report(report)
    few = report.conclusions[1]
    coarse = min(
        each.unique
        for each in found.unicity
        if each.points == 1 and not each.worst and len(each.columns) == len(found.together)
    )
    assert few.found.startswith("Whoever knows 1 random record of a person by ")
    assert f"{coarse:.1%}" in few.advice
    assert "to the year" in few.advice
    assert "At worst" in few.certainty


def test_shares_are_told_where_several_were_asked_for() -> None:
    found = attacked(shares=[0.25, 1.0], points=[])
    report = attack_report(found)
    check_report(report)
    little = max(each.rate for each in found.attacks if each.linked and each.share == 0.25)
    assert (
        f"With 25% of each person's records known, {little:.1%} of the people" in report.conclusions[1].found
    )
    assert "like nobody else" in report.conclusions[2].found
    assert [section.name for section in report.sections] == ["attacks", "columns", "look-alikes", "policy"]


def test_a_release_that_gives_nobody_away() -> None:
    same = table_of({f"p{number}": "xtea" for number in range(1, 5)}).drop_columns("day")
    report = attack_report(attacked(release=same, time=None, attacks=["jaccard"], points=[]))
    check_report(report)
    assert report.conclusions[0].advice.startswith("A guess recognises as many, for there are so few people.")
    assert "nobody is alone in the release: everybody looks like at least 3 others" in (
        report.conclusions[-1].found
    )
    assert "at least 4" in report.conclusions[-1].advice
    assert "larger groups" not in report.conclusions[-1].advice  # there is nobody else


def test_without_attacks_it_is_said_that_nothing_is_known() -> None:
    report = attack_report(attacked(attacks=[], points=[]))
    check_report(report)
    assert report.conclusions[0].found.startswith("Nobody was attacked")
    assert report.sections == ()


def test_one_person_one_record() -> None:
    one = pyarrow.table({"who": ["zofia1"], "goods": ["xtea"]})
    report = attack_report(singleout.attack(one, pyarrow.table({"who": ["p1"], "goods": ["xtea"]}),
                                            {"p1": "zofia1"}, user="who", item="goods"))  # fmt: skip
    check_report(report)
    assert "1 of 1 people (100.0%)" in report.conclusions[0].found
    assert report.conclusions[0].advice.startswith("A guess recognises as many, for there are so few people.")


ODD = ["<script>alert(1)</script>", '"><img src=x>', "漢字", "a.b", "a,b", "[x]", "a\x1bb", "n" * 300]


def test_odd_names_of_columns_stay_text() -> None:
    odd = dict.fromkeys(ODD, ORIGINAL["goods"])
    original = pyarrow.table({"who": ORIGINAL["who"], **odd})
    release = original.set_column(0, "who", RELEASE["who"])
    asked: dict[str, Any] = {"user": "who", "item": ODD[0], "attacks": ["jaccard", "nearest"], "points": [1]}
    attack = attack_report(singleout.attack(original, release, TRUTH, **asked))
    some = ["total_variation", "people_kept"]
    comparison = comparison_report(
        singleout.compare(original, release, release.slice(0, 5), truth=TRUTH, metrics=some, **asked)
    )
    for report in (attack, comparison):
        html = check_report(report)
        assert "img" not in Page(html).seen
        assert html.count("<script") == 1
        for section in report.sections:
            for chart in section.charts:
                check_chart(chart)


def test_a_comparison_of_one_release() -> None:
    found = compared()
    report = comparison_report(found)
    check_report(report)
    best = found.outcomes[0].attack("best")
    assert best is not None
    assert f"of 4 people ({best.rate:.1%})" in report.conclusions[0].found
    worst = max((lost_share(each) or 0, each.measure.title) for each in found.outcomes[0].utility)
    assert worst[1] in report.conclusions[1].found
    assert [section.name for section in report.sections] == ["utility", "attacks", "look-alikes", "policy"]


def test_a_comparison_of_several_says_which_is_the_best_bargain() -> None:
    found = compared(RELEASE, SOFTER, truth=[TRUTH, TRUTH])
    assert found.ranking is not None
    report = comparison_report(found)
    check_report(report)
    best = found.ranking.best_first[0]
    bargain, risk, others, loss, _ = report.conclusions
    assert [each.question for each in (bargain, risk, others, loss)] == [None, *["linkability"] * 2, None]
    assert re.search(r"recognises (at least )?[0-9.]+% (of the people )?in Table [12]\.$", others.found)
    assert best.name in bargain.found
    assert f"the mean rank {best.overall:g}" in bargain.found
    assert (best.overall, bargain.advice.startswith("Decide by")) == (found.ranking.boundary, True)
    assert risk.found.startswith(f"In {best.name}: somebody who knows")
    assert f"({best.highest_rate:.1%})" in risk.found
    assert loss.found.startswith(f"In {best.name}: ")
    assert [section.name for section in report.sections] == [
        "ranking",
        "utility",
        "attacks",
        "look-alikes",
        "policy",
    ]


def test_a_release_whose_people_are_unknown_is_not_called_safe() -> None:
    report = comparison_report(compared(truth=None))
    check_report(report)
    assert report.conclusions[0].found == "Who can be recognised is unknown, for it is not known who is who."
    assert report.conclusions[0].advice.startswith("Don't take the release for safe.")
    some = comparison_report(compared(SOFTER, RELEASE, truth=[TRUTH, None]))
    check_report(some)
    assert "The risk of A (Table 1), B (Table 2) is unknown" in some.conclusions[0].found


def test_utility_alone() -> None:
    for releases in ((SOFTER,), (SOFTER, RELEASE)):
        report = comparison_report(compared(*releases, privacy=False))
        check_report(report)
        assert any("no attack was made" in each.found for each in report.conclusions)
        assert "Intervals" not in dict(report.facts)


def test_the_generated_shop(tmp_path: Path) -> None:
    shop: Any = singleout.sample("shop", people=30, seed=1)
    half = shop.filter(pyarrow.array(numpy.arange(shop.num_rows) % 2 == 0))
    asked: dict[str, Any] = {"user": "customer", "item": "goods", "amount": "price", "time": "date"}
    found = singleout.attack(shop, half, columns=["date", "goods"], shares=[0.5, 1], **asked)
    html = check_report(attack_report(found))
    assert not any(f">{name}<" in html or f" {name} " in html for name in {*shop["customer"].to_pylist()})
    assert re.search(r"\b20\d\d/\d\d/\d\d\b", html) is None
    again = singleout.attack(shop, half, columns=["date", "goods"], shares=[0.5, 1], **asked)
    attack_report(again).save(tmp_path / "again.html")
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == html


# The files

CSV = {
    "o.csv": "who,goods,day\nann,tea,2011-01-30\nann,milk,2011-01-31\nbob,tea,2011-01-31\n",
    "r.csv": "who,goods,day\np,tea,2011-01-31\nq,tea,2011-01-30\nq,milk,2011-01-31\n",
    "truth.csv": "release_user,original_user\np,bob\nq,ann\n",
    "people.html": "who,sex\nann,f\nbob,m\n",
    "o.html": "who,goods,day\nann,tea,2011-01-30\n",
}
WORDS = {
    "attack": ["attack", "o.csv", "r.csv", "--truth", "truth.csv", "--user", "who", "--item", "goods"],
    "compare": ["compare", "o.csv", "r.csv", "--truth", "truth.csv", "--user", "who", "--item", "goods"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return folder_with(CSV, tmp_path, monkeypatch)


@pytest.mark.parametrize("command", [*WORDS])
def test_the_file_comes_beside_what_is_shown(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*WORDS[command]]) == 0
    plain = capsys.readouterr()
    assert main([*WORDS[command], "--html", "out.html"]) == 0
    assert capsys.readouterr() == plain
    page = Page((folder / "out.html").read_text(encoding="utf-8"))
    assert "What was found" in page.text
    assert main([*WORDS[command], "--html", "second.HTM", "--json"]) == 0
    document = only_json(capsys.readouterr().out)
    first, second = ((folder / name).read_text(encoding="utf-8") for name in ("out.html", "second.HTM"))
    assert second.replace("second.HTM --json", "out.html") == first
    tried: Sequence[Any] = document.get("attacks") or document["privacy"]
    best = next(each for each in tried if each["name"] == "best")
    assert f"({best['rate']:.1%})" in page.text
    assert json.dumps(document).count("zofia") == 0


@pytest.mark.parametrize("command", [*WORDS])
def test_a_print_can_be_tied_to_its_files(command: str, folder: Path) -> None:
    (folder / "study.toml").write_text('[columns]\nwho = "user"\n', encoding="utf-8")
    words = [*WORDS[command], "--study", "study.toml", "--date", "2026-11-16", "--html", "out.html"]
    assert main(words) == 0
    text = Page((folder / "out.html").read_text(encoding="utf-8")).text
    for name in ("o.csv", "r.csv", "study.toml"):
        content = (folder / name).read_bytes()
        assert f"{sha256(content).hexdigest()} ({name}, {len(content)} bytes)" in text
    # who knows the digest of a secret can confirm what they guess of it
    assert sha256((folder / "truth.csv").read_bytes()).hexdigest() not in text
    assert "none: it is a secret" in text
    for told in ("2026-11-16", "--truth truth.csv", f"singleout {singleout.__version__}"):
        assert told in text
    for question in (
        "Singling out",
        "Linkability",
        "Inference",
        "Not tried: what can be learned about people",
    ):
        assert question in text


def test_python_says_that_no_digest_was_taken() -> None:
    for report in (attacked(), compared(), compared(RELEASE, SOFTER, truth=[TRUTH, TRUTH])):
        text = Page(singleout.report_on(report, date="2026-11-16").to_html()).text
        assert "SHA-256 of the original" in text
        assert "none: it was not taken" in text


@pytest.mark.parametrize("command", [*WORDS])
@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("out.pdf", "end the name in .html or .htm"),
        ("", "end the name in .html or .htm"),
        ("nowhere/out.html", "nowhere/out.html: no such file or directory"),
        (".html", "end the name in .html or .htm"),
        ("taken.html", "taken.html: is a folder"),
    ],
)
def test_a_bad_target_fails_before_the_work(
    command: str, target: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    place = folder_with(CSV, tmp_path, monkeypatch)
    words = [*WORDS[command], "--html", target]
    if target == "taken.html":
        words = [each.replace("taken.html", str(tmp_path.parent / "taken.html")) for each in words]
        (tmp_path.parent / "taken.html").mkdir(exist_ok=True)
    monkeypatch.setattr("singleout.attacks.paired_tables.open_engine", None)
    assert told in error_without_a_trace(capsys, place, words)


@pytest.mark.parametrize("command", [*WORDS])
def test_what_is_read_is_never_replaced(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original = [each.replace("o.csv", "o.html") for each in WORDS[command]]
    for words in ([*original, "--html", "o.html"], [*original, "--html", "./o.html"]):
        assert "belongs to what is read" in error_without_a_trace(capsys, folder, words)
    (folder / "truth.csv").rename(folder / "truth.html")
    moved = [each.replace("truth.csv", "truth.html") for each in WORDS[command]]
    assert "belongs to what is read" in error_without_a_trace(
        capsys, folder, [*moved, "--html", "truth.html"]
    )


def test_nor_a_table_of_people(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*WORDS["compare"], "--people-table", "people.html", "--groups", "sex", "--html", "people.html"]
    assert "belongs to what is read" in error_without_a_trace(capsys, folder, words)
