"""What commands and pages say, read aloud: sentences that must stand there, and those that must not."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pyarrow
import pyarrow.csv
import pytest

import singleout
from singleout.cli.main import main
from singleout.policy.applicable_rules import NOTHING_SENSITIVE
from singleout.policy.rules.built_in_policies import BUILT_IN
from singleout.policy.rules.policy import built_in_policy
from singleout.policy.verdict.decision import ORDER

# one of a thing is one thing; words that nobody says; numbers that contradict each other
NEVER = (
    r"\b1 (?:records|people|values|different values|sets)\b", r"\b1 of the people\b", r"A resource of",
    r"just enough to be too risky", r"The most to be had", r"The best is [A-Z]\b", r"\bwho uses others\b",
    r"\brecords who\b", r"What to do\s+Nothing,",
)  # fmt: skip
GONE = re.compile(f".{{0,40}}(?:{'|'.join(NEVER)}).{{0,20}}")
PEOPLE = pyarrow.table({
    "age": [31, 35, 40, 41, 52, 52], "town": list("aabbcc"),
    "ill": ["flu", "flu", "flu", "cold", "cold", "cold"],
})  # fmt: skip
SHOP = pyarrow.table({
    "who": [1, 1, 2, 2, 3, 4], "goods": ["tea", "milk", "tea", "salt", "salt", "rice"],
    "day": ["2011-01-01", "2011-01-02", "2011-01-01", "2011-01-03", "2011-01-03", "2011-01-04"],
})  # fmt: skip
OF_PEOPLE = ["people.csv", "--user", "none"]
WORDS = {
    "assess": ["assess", *OF_PEOPLE, "--sensitive", "ill", "--html", "out.html"],
    "history": ["assess", "shop.csv", "--user", "who", "--html", "out.html"],
    "check": ["check", *OF_PEOPLE, "--sensitive", "ill", "--policy", "public", "--html", "out.html"],
    "gate": ["check", *OF_PEOPLE, "--policy", "rules.toml", "--html", "out.html"],
    "attack": ["attack", "shop.csv", "shop.csv", "--user", "who", "--item", "goods", "--html", "out.html"],
    "one record": ["attack", "people.csv", *OF_PEOPLE, "--truth", "same.csv", "--html", "out.html"],
    "compare": ["compare", "shop.csv", "shop.csv", "copy.csv", "--user", "who", "--item", "goods", "--html",
                "out.html"],
    "sets": ["combinations", *OF_PEOPLE, "--allow", "1", "--record", "1", "--size", "2", "--costs",
             "costs.csv", "--resource", "1"],
    "policies": ["check", "--list-policies"],
}  # fmt: skip
SAID = {
    "assess": ("the smallest group of look-alikes has 1 record (k-anonymity)", "(quasi-identifier)",
               "has 1 value of ill (l-diversity)", "prosecutor risk", "no histories were looked at"),
    "history": ("the least protected record fits 1 person (k-anonymity by people)", "minimal unsafe sets",
                "What cheaper models would say", "(unicity)"),
    "check": ("has 1 value of ill (l-diversity)", "prosecutor risk", "Wanted because"),
    "gate": ("PASSED",),
    "attack": ("(unicity)", "Not tried: links to other data than this original", "SHA-256 of the release"),
    "one record": ("Whoever knows of a person's record age, town, ill is left with one candidate",
                   "nothing was drawn"),
    "compare": ("The best attack recognises 100.0% of the people in ", "SHA-256 of the release B"),
    "sets": ("k-anonymity", "prosecutor risk", "minimal sample unique",
             "An attacker who can spend 1 gets furthest"),
    "policies": ("0.34 lets it pass, 0.33 would not", "a class of 11 has 0.0909",
                 "Privacy Beyond k-Anonymity"),
}  # fmt: skip
UNSAID = {
    "assess": ("sampling model", "known records"),
    "history": ("sampled",),
    "gate": ("Wanted because",),
    "one record": ("random record", "points_2"),
    "policies": ("limit of 0.33",),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pyarrow.csv.write_csv(PEOPLE, "people.csv")
    for name in ("shop.csv", "copy.csv"):
        pyarrow.csv.write_csv(SHOP, name)
    Path("costs.csv").write_text("attribute,cost\nage,1\ntown,1\nill,1\n")
    Path("same.csv").write_text("release_user,original_user\n" + "".join(f"{n},{n}\n" for n in range(1, 7)))
    Path("rules.toml").write_text(
        '[[rule]]\nmeasure = "k"\nat_least = 1\nreason = "nobody minds"\n'
        '[[rule]]\nmeasure = "people_kept"\nat_least = 0\nreason = "use"\n'
    )
    return tmp_path


def visible(page: str) -> str:
    """The words of a page, without markup, style and script."""
    body = re.sub(r"<(style|script|svg).*?</\1>", " ", page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", " ", body))


def one_line(text: str) -> str:
    return " ".join(text.replace("•", " ").split())


@pytest.mark.parametrize("case", WORDS)
def test_sentences_that_must_and_must_not_stand_there(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    if case == "gate":
        Path("rules.toml").write_text(Path("rules.toml").read_text().partition('[[rule]]\nmeasure = "p')[0])
    main(WORDS[case])
    out, err = capsys.readouterr()
    assert "error" not in err
    page = Path("out.html").read_text(encoding="utf-8") if "--html" in WORDS[case] else ""
    told = one_line(f"{out} {err} {visible(page)}")
    for sentence in SAID[case]:
        assert sentence in told
    for sentence in UNSAID.get(case, ()):
        assert sentence not in one_line(out if case == "history" else told)
    apart = re.sub(r"<[^>]+>", " | ", page) + re.sub(r" {2,}|\n", " | ", out + err)
    assert GONE.findall(apart) == []  # cells of a table are no sentence


def test_what_is_about_use_stands_under_no_question_of_the_regulator() -> None:
    found = singleout.check(SHOP, "rules.toml", user="who", original=SHOP)
    report = singleout.report_on(found)
    by_rules = [each for each in report.conclusions if each.measures]
    assert [each.question for each in by_rules] == ["singling out", None]
    assert [each.measures[0].name for each in report.about_use] == ["people_kept"]
    assert "What is the data still good for?" in report.to_html()


def test_what_forbids_a_release_beside_the_rules_has_a_card() -> None:
    table = PEOPLE.append_column("contact", [[f"p{number}@example.com" for number in range(6)]])
    report = singleout.report_on(singleout.check(table, "public", user="none", sensitive=["none"]))
    card = report.conclusions[0]
    assert (card.found, card.weight, card.question) == (
        "Column contact leads to people (e-mail).", "against", "singling out",
    )  # fmt: skip
    assert card.advice.startswith("Leave it out")


def test_a_gap_of_the_verdict_is_on_the_page() -> None:
    """The page of a table leaves open what its verdict does, and says nothing twice."""
    found = singleout.investigate(SHOP, user="who", columns=["goods", "day"])
    assert found.decision is not None
    page, verdict = singleout.report_on(found).not_tried, found.decision.findings
    assert ORDER in page["linkability"]
    assert len({gap for gaps in page.values() for gap in gaps}) == sum(map(len, page.values()))
    assert next(each for each in verdict if each.question == "linkability").not_tried[-1] == ORDER
    said = singleout.investigate(SHOP, user="who", columns=["goods", "day"], sensitive=["none"])
    assert singleout.report_on(said).not_tried["inference"] == (NOTHING_SENSITIVE,)


def test_limits_agree_with_where_they_are_from() -> None:
    """A number of a source that is not the limit itself is told apart from it."""
    for name in BUILT_IN:
        for rule in built_in_policy(name).rules:
            told = re.findall(r"\b[\d.]+\b", rule.source or "")
            assert rule.at_most in (None, 0) or f"{rule.at_most:g}" in told or "share" in str(rule.source)
