"""`assess` about everybody, as a script and a person at a terminal see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from singleout.cli.main import main
from singleout.risk.population import bootstrap
from singleout.risk.population.bootstrap import draw_sample
from singleout.risk.population.pitman_yor import PitmanYor
from tests.support.command_line import Captured


@pytest.fixture(autouse=True)
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """1,200 people of a law; everybody is each of them five times."""
    monkeypatch.setattr(bootstrap, "DRAWS", 9)
    drawn = draw_sample(PitmanYor(0.5, 100.0), 1200, 9)
    rows: list[str] = []
    for size, many in zip(drawn.sizes.astype(int), drawn.counts.astype(int), strict=True):
        for _ in range(many):
            rows += [f"town{len(rows)}"] * size
    (tmp_path / "sample.csv").write_text("\n".join(["town", *rows, ""]))
    (tmp_path / "everybody.csv").write_text("\n".join(["town", *rows * 5, ""]))
    (tmp_path / "some.csv").write_text("\n".join(["town", *rows[600:], ""]))
    monkeypatch.chdir(tmp_path)


def test_the_document_and_the_page(capsys: Captured) -> None:
    words = ["assess", "sample.csv", "--user", "none", "--sampled", "0.2", "--reference", "everybody.csv"]
    words += ["--reference-user", "none"]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["population"]["size"], told["population"]["people"]) == (6000, 1200)
    assert told["reference"]["k_map"] == 5
    assert told["reference"]["presence_high"] == 0.2
    assert {"population.unique_share", "reference.k_map"} <= {*told["definitions"]}
    assert any("does not know who was sampled" in each for each in told["remarks"])
    assert main(words) == 0
    page, aside = capsys.readouterr()
    assert "In the population of 6,000" in page
    assert "Against the 6,000 people of everybody.csv" in page
    assert "slide negative binomial" in page
    assert "does not know who was" in aside
    assert "town1" not in page + aside


def test_a_reference_that_lacks_somebody(capsys: Captured) -> None:
    assert main(["assess", "sample.csv", "--user", "none", "--reference", "some.csv", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["reference"]
    assert told["k_map"] == 0
    assert told["journalist_highest"] == told["presence_high"] == 1
    assert told["classes_not_in_reference"] > 0
    assert "they count as singled out" in told["remarks"][0]


def test_without_a_question_there_is_no_answer(capsys: Captured) -> None:
    assert main(["assess", "sample.csv", "--user", "none", "--json"]) == 0
    assert {"population", "reference"} & {*json.loads(capsys.readouterr().out)} == set()


def test_a_study_says_it(capsys: Captured) -> None:
    Path("study.toml").write_text('user = "none"\n[population]\nsize = 2400\n')
    assert main(["assess", "sample.csv", "--study", "study.toml", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["population"]
    assert (told["size"], told["sampled"]) == (2400, 0.5)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--sampled", "0"], "sampled: 0.0 is no share of a population"),
        (["--sampled", "1.5"], "sampled: 1.5 is no share of a population"),
        (["--population", "100"], "population: 100 people are fewer than the 1,200 of the table"),
        (["--population", "0"], "population: 0 is no number of people"),
        (["--reference", "nobody.csv"], "nobody.csv: no such file"),
        (["--sampled", "0.5", "--missing", "drop"], "estimated with the missing rule value"),
        (["--reference", "everybody.csv", "--missing", "drop"], "compared with the missing rule value"),
    ],
)
def test_one_clear_line(capsys: Captured, words: list[str], error: str) -> None:
    assert main(["assess", "sample.csv", "--user", "none", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert error in " ".join(err.split())
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("option", "text", "error"),
    [
        ("--sampled", "10%", "'10%' is no number; write it like 0.05"),
        ("--population", "1e6", "'1e6' is no whole number; write it in digits, like 1000000"),
    ],
)
def test_a_number_that_is_none(capsys: Captured, option: str, text: str, error: str) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["assess", "sample.csv", option, text])
    assert f"error: argument {option}: {error}; see" in capsys.readouterr().err
