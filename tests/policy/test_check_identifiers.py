"""Direct identifiers stop the line by every road, whatever roles say, unless the policy allows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.csv
import pytest

from singleout import Study, assess, check, investigate, report_on, suggest_roles
from singleout.cli.main import main
from singleout.errors import InputError
from singleout.investigation.result import Investigation
from singleout.report.wording import findings
from tests.support.people_table import CANARIES, IDENTIFIERS, IGNORING, people_table, safe_table

RULES: dict[str, Any] = {"rule": [{"measure": "k", "at_least": 5, "columns": ["sex", "age"]}]}
ROADS = ("no study", "suggested study", "ignored")
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pyarrow.csv.write_csv(people_table(), "people.csv")
    pyarrow.csv.write_csv(safe_table(), "safe.csv")
    Path("suggested.toml").write_text(suggest_roles("people.csv").study_text())
    ignored = "".join(f'{name} = "{role}"\n' for name, role in IGNORING.items())
    Path("ignored.toml").write_text(f"[columns]\n{ignored}")
    rule = '[[rule]]\nmeasure = "k"\nat_least = 5\ncolumns = ["sex", "age"]\n'
    Path("policy.toml").write_text(rule)
    Path("allowed.toml").write_text(f"allow_identifiers = {json.dumps([*IDENTIFIERS])}\n{rule}")


def study_of(road: str) -> str | None:
    return {"no study": None, "suggested study": "suggested.toml", "ignored": "ignored.toml"}[road]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("road", ROADS)
def test_no_road_leads_past_check(road: str, capsys: Captured) -> None:
    study = study_of(road)
    options = ["--study", study] if study else []
    command = ["check", "people.csv", "--policy", "policy.toml", *options]
    assert main([*command, "--evidence", "e.json", "--junit", "j.xml"]) == 1
    out, err = capsys.readouterr()
    words = " ".join(out.split())
    assert "FAILED: people.csv names people (name and mail and phone and remark)" in words
    assert "though the only rule of policy.toml is kept" in words
    assert 'allow_identifiers = ["phone"]' in words
    assert main([*command, "--json"]) == 1
    document = capsys.readouterr().out
    told = json.loads(document)
    assert not told["passed"]
    assert all(each["passed"] for each in told["rules"])
    assert {each["column"]: each["kind"] for each in told["identifiers"]} == IDENTIFIERS
    assert {each["allowed"] for each in told["identifiers"]} == {False}
    evidence, junit = Path("e.json").read_text(), Path("j.xml").read_text()
    assert json.loads(evidence)["identifiers"] == told["identifiers"]
    assert ElementTree.fromstring(junit).attrib["failures"] == "1"
    for text in (out, err, document, evidence, junit):
        assert not any(canary in text for canary in CANARIES)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("road", ROADS)
def test_no_road_leads_past_assess(road: str, capsys: Captured) -> None:
    study = study_of(road)
    options = ["--study", study] if study else []
    assert main(["assess", "people.csv", *options, "--html", "r.html"]) == 0
    out, err = capsys.readouterr()
    assert "Direct identifiers are in this table: name (name); mail (e-mail)" in " ".join(out.split())
    page = Path("r.html").read_text()
    assert "Direct identifiers, to be left out" in page
    assert "Nothing, as long as no further column" not in page
    assert main(["assess", "people.csv", *options, "--json"]) == 0
    document = capsys.readouterr().out
    assert {each["column"]: each["kind"] for each in json.loads(document)["identifiers"]} == IDENTIFIERS
    for text in (out, err, page, document):
        assert not any(canary in text for canary in CANARIES)


@pytest.mark.usefixtures("files")
def test_a_policy_may_allow_them_and_says_so(capsys: Captured) -> None:
    assert main(["check", "people.csv", "--policy", "allowed.toml", "--evidence", "e.json"]) == 0
    assert capsys.readouterr().out.count("allowed by the policy") == len(IDENTIFIERS)
    told = json.loads(Path("e.json").read_text())
    assert told["passed"]
    assert {each["allowed"] for each in told["identifiers"]} == {True}
    assert main(["check", "safe.csv", "--policy", "policy.toml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["identifiers"] == []
    with pytest.raises(InputError, match=r"allow_identifiers: safe\.csv: there is no column 'name'"):
        check("safe.csv", "allowed.toml")


def test_only_some_are_allowed() -> None:
    verdict = check(people_table(), {"allow_identifiers": ["name", "mail"], **RULES})
    assert not verdict.passed
    assert [each.column for each in verdict.blocking] == ["phone", "remark"]
    assert not verdict.failed
    assert "2 direct identifiers" in repr(verdict)
    assert check(safe_table(), RULES).passed


@pytest.mark.parametrize("odd", ["phone", [1], ["a", "a"], True, {"a": 1}])
def test_what_can_be_allowed(odd: Any) -> None:
    with pytest.raises(InputError, match=r"allow_identifiers: .* is wrong; write a list of columns"):
        check(safe_table(), {"allow_identifiers": odd, **RULES})


def test_an_ignored_column_that_is_gone_is_no_trouble() -> None:
    assert check(safe_table(), RULES, study=Study({"name": "ignore", "sex": "quasi-identifier"})).passed


def test_look_alikes_are_no_comfort_beside_names(tmp_path: Path) -> None:
    told = assess(people_table(), columns=["sex", "age"])
    page = page_of(told, tmp_path)
    assert "Every combination of values is shared by at least" in page
    assert "Leave out name, mail, phone and remark: a direct identifier" in page


@pytest.fixture(scope="module")
def investigated() -> Investigation:
    return investigate(people_table(), columns=["name", "phone", "sex", "age"])


def test_advice_leaves_identifiers_out(investigated: Investigation) -> None:
    found = investigated.remedies
    assert found is not None
    assert found.identifiers == ("name", "phone")
    for column in found.identifiers:
        assert [each.granularity for each in found.of(column)] == [None]
    assert [each.words for each in found.chosen][:2] == ["name left out", "phone left out"]
    assert found.together is not None
    assert (found.together.k, found.together.unique) == (20, 0)
    recipe = found.recipe(None, ["name", "phone", "sex", "age"])
    assert recipe.startswith('user = "none"\ncolumns = ["sex", "age"]')


def page_of(found: Any, folder: Path) -> str:
    report_on(found).save(folder / "r.html")
    return (folder / "r.html").read_text()


def test_the_report_does_not_coarsen_identifiers(investigated: Investigation, tmp_path: Path) -> None:
    page = page_of(investigated, tmp_path)
    assert "phone in steps" not in page
    assert "phone cut to" not in page
    assert "it is a direct identifier, and coarser values of it name people still" in page
    assert not any(canary in page for canary in CANARIES)


def test_a_table_without_them_says_that_it_is_no_proof(tmp_path: Path) -> None:
    told = assess(safe_table())
    assert told.identifiers == ()
    assert not any("Direct identifiers" in sentence for sentence in findings(told))
    assert "names and values, which is no proof that there are none" in page_of(told, tmp_path)
