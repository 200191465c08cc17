"""Every command asks whose records they are: a history is refused, a column or none is taken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import singleout
from singleout.cli.main import main
from singleout.errors import UsageError
from tests.support.command_line import Captured, folder_with

PEOPLE = ("ann", "bob", "cid", "dot")
HISTORY = "customer,date,goods\n" + "".join(
    f"{person},2011-01-{day},{goods}\n" for person in PEOPLE for day, goods in (("30", "tea"), ("31", "milk"))
)
FILES = {
    "shop.csv": HISTORY,
    "release.csv": HISTORY.replace("2011-01-31", "2011-02-01"),
    "who.csv": "release_user,original_user\n" + "".join(f"{each},{each}\n" for each in range(1, 9)),
    "policy.toml": '[[rule]]\nmeasure = "k"\nat_least = 1\n'
    '[[rule]]\nmeasure = "attribute.*.risk"\nat_most = 1\n',
    "none.toml": '[data]\nuser = "none"\n[[rule]]\nmeasure = "k"\nat_least = 1\n',
    "cut.toml": 'columns = ["goods"]\n[[step]]\nstep = "cut"\ncolumn = "date"\nbegin = "2011-01"\n',
    "costs.toml": '[costs]\ngoods = 1\n\n[columns]\ngoods = "item"\n',
    "study.toml": 'user = "none"\n\n[columns]\ngoods = "item"\n',
    "levels.json": '{"attributes": {"goods": {"levels": [{"type": "raw"}, {"type": "suppress"}]}}}',
}
SENTENCE = (
    "error: shop.csv: column 'customer' seems to name the person (4 in 8 records), and nobody said whose "
    "records they are; say --user customer, or --user none if each record is its own person\n"
)
UNIT = "no user column: each record is its own person"
COMMANDS = {
    "assess": ["assess", "shop.csv"],
    "assess some columns": ["assess", "shop.csv", "--columns", "goods"],
    "assess --html": ["assess", "shop.csv", "--html", "out.html"],
    "assess --record-risks": ["assess", "shop.csv", "--record-risks", "out.csv"],
    "describe": ["describe", "shop.csv"],
    "combinations": ["combinations", "shop.csv", "--allow", "1"],
    "predict": ["predict", "shop.csv", "--columns", "date,goods"],
    "generalise": ["deidentify", "generalise", "shop.csv", "--hierarchies", "levels.json", "--k", "2"],
    "apply": ["deidentify", "apply", "shop.csv", "--recipe", "cut.toml", "--out", "out.csv"],
    "attack": ["attack", "shop.csv", "release.csv", "--truth", "who.csv", "--points", "0"],
    "compare": ["compare", "shop.csv", "release.csv", "--truth", "who.csv"],
    "check": ["check", "shop.csv", "--policy", "policy.toml"],
}
OF_PEOPLE = {
    "entropy": ["entropy", "shop.csv", "--domain", "goods=goods"],
    "dummies": ["deidentify", "dummies", "shop.csv", "--item", "goods", "--clusters", "2"],
    "attack --periods": [
        "attack",
        "shop.csv",
        "--periods",
        "2011-01-31",
        "--time",
        "date",
        "--item",
        "goods",
    ],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return folder_with(FILES, tmp_path, monkeypatch)


@pytest.mark.parametrize("words", [*COMMANDS.values(), *OF_PEOPLE.values()], ids=[*COMMANDS, *OF_PEOPLE])
def test_a_history_is_refused_by_one_sentence(words: list[str], folder: Path, capsys: Captured) -> None:
    before = sorted(folder.iterdir())
    for more in ([], ["--json"], ["--study", "costs.toml"]):
        assert main([*words, *more]) == 2
        assert capsys.readouterr() == ("", SENTENCE)
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("words", [*COMMANDS.values()], ids=[*COMMANDS])
def test_each_record_may_be_said_to_be_its_own_person(words: list[str], capsys: Captured) -> None:
    """By the option and by a study the same; the output says so."""
    documents = []
    for more in (["--user", "none"], ["--study", "study.toml"]):
        assert main([*words, *more, "--json"]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    for document in documents:
        assert document.get("user") is None
        assert document.get("people", 8) == document.get("original_people", 8) == 8
        assert any(each.startswith(UNIT) for each in document["remarks"])


@pytest.mark.parametrize("words", [*COMMANDS.values(), *OF_PEOPLE.values()], ids=[*COMMANDS, *OF_PEOPLE])
def test_a_column_is_taken(words: list[str], folder: Path, capsys: Captured) -> None:
    (folder / "who.csv").write_text("release_user,original_user\n" + "".join(f"{p},{p}\n" for p in PEOPLE))
    assert main([*words, "--user", "customer", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document.get("people", 4) == document.get("original_people", 4) == 4
    assert not any(each.startswith(UNIT) for each in document["remarks"])


@pytest.mark.parametrize("words", OF_PEOPLE.values(), ids=OF_PEOPLE)
def test_what_is_about_people_needs_them(words: list[str], capsys: Captured) -> None:
    assert main([*words, "--user", "none"]) == 2
    assert "by --user" in capsys.readouterr().err


def test_a_list_of_people_needs_them(capsys: Captured) -> None:
    assert main(["assess", "shop.csv", "--user", "none", "--person-risks", "out.csv"]) == 2
    assert capsys.readouterr().err.startswith("error: one line a person needs to know the people")


def test_a_policy_and_a_recipe_may_say_none(folder: Path, capsys: Captured) -> None:
    assert main(["check", "shop.csv", "--policy", "none.toml", "--json"]) == 0
    assert UNIT in json.loads(capsys.readouterr().out)["remarks"]
    recipe = folder / "cut.toml"
    recipe.write_text('user = "none"\n' + recipe.read_text())
    assert (
        main(["deidentify", "apply", "shop.csv", "--recipe", "cut.toml", "--out", "out.csv", "--json"]) == 0
    )
    assert json.loads(capsys.readouterr().out)["people"] == 8


def test_a_release_is_asked_about_by_its_own_option(folder: Path, capsys: Captured) -> None:
    """Its column may have another name than that of the original."""
    (folder / "release.csv").write_text(HISTORY.replace("customer", "client"))
    words = [
        "check",
        "release.csv",
        "--policy",
        "policy.toml",
        "--original",
        "shop.csv",
        "--user",
        "customer",
    ]
    assert main(words) == 2
    assert "; say --release-user client, or --release-user none if each" in capsys.readouterr().err
    assert main([*words, "--release-user", "client"]) == 1
    assert "4 of 4 people are called as in the original" in capsys.readouterr().out
    assert main([*words, "--release-user", "none"]) == 0


def test_a_study_without_a_user_does_not_fit_a_history(capsys: Captured) -> None:
    assert main(["roles", "shop.csv", "--check", "costs.toml"]) == 2
    assert capsys.readouterr().err == SENTENCE
    assert main(["roles", "shop.csv", "--check", "study.toml"]) == 0
    assert capsys.readouterr().out.startswith("user: none: each record is its own person\n")


def test_python_says_the_same() -> None:
    for refused in (singleout.assess, singleout.investigate, singleout.predict):
        with pytest.raises(UsageError) as caught:
            refused("shop.csv")
        assert f"error: {caught.value}\n" == SENTENCE
    investigation = singleout.investigate("shop.csv", user="none")
    assert investigation.assessment.people == 8
    assert not any("not looked at" in each and "seems to name" in each for each in investigation.remarks)
    assert investigation.sets is not None
    assert investigation.prediction is not None
