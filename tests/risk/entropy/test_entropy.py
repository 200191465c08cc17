"""`singleout entropy` as people use it: the paper's worked example on every engine, words, and bad input."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.csv
import pytest

import singleout
from singleout import entropy
from singleout.cli.main import main
from singleout.errors import InputError, UsageError
from tests.support.home import Home

# Ito et al. n.d., Tables V and VII: how often three people passed three stations and bought two things
STATIONS = {"u1": (2, 1, 0), "u2": (4, 0, 4), "u3": (4, 4, 0)}
GOODS = {"u1": (2, 0), "u2": (1, 3), "u3": (0, 1)}
DOMAINS = ["S=station@use=traffic", "B=goods@use=purchase"]


def rows(counts: Mapping[str, tuple[int, ...]], use: str, column: str) -> list[dict[str, Any]]:
    return [
        {"who": who, "use": use, column: f"{column}{place}"}
        for who, numbers in counts.items()
        for place in chain.from_iterable(repeat(place, number) for place, number in enumerate(numbers))
    ]


@pytest.fixture(scope="session")
def example() -> pyarrow.Table:
    both = rows(STATIONS, "traffic", "station") + rows(GOODS, "purchase", "goods")
    schema = pyarrow.schema([(name, pyarrow.string()) for name in ("who", "use", "station", "goods")])
    return pyarrow.Table.from_pylist(both, schema=schema)


@pytest.fixture(scope="session")
def card() -> pyarrow.Table:
    table = singleout.sample("card")
    assert isinstance(table, pyarrow.Table)
    return table


CARD_DOMAINS = [
    "S=entraining_point+alighting_point@usage=traffic",
    "B=fare@usage=purchase",
    "C=fare@usage=deposit",
]


def without_place(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in ("source", "engine")}


def test_the_worked_example_on_every_engine(home: Home, example: pyarrow.Table) -> None:
    """Tables V to IX; column b as the errata correct it (E-003.1 to 7)."""
    found = entropy(home.put(example), user="who", domains=DOMAINS).to_dict()
    stations, goods = found["domains"]
    assert (stations["people"], stations["values"], stations["events"]) == (3, 3, 19)
    expected = {"h_user": 1.47, "h_user_given": 0.99, "information": 0.48, "probability": 0.50}
    assert {name: round(stations[name], 2) for name in expected} == expected
    assert round(stations["probability_before"], 2) == 0.36
    assert stations["best_guess"] == pytest.approx(12 / 19)
    corrected = {"h_user": 1.3788, "h_user_given": 0.8571, "information": 0.5216, "probability": 0.5520}
    assert {name: round(goods[name], 4) for name in corrected} == corrected
    (pair,) = found["pairs"]
    together = {"h_user": 1.19, "h_user_given": 0.46, "information": 0.73, "probability": 0.73}
    assert {name: round(pair[name], 2) for name in together} == together
    assert pair["sum_of_parts"] == pytest.approx(1.0020, abs=5e-5)
    # by fractions: 12/19, 14/19, …; E-003.22 prints the last as 0.857
    success = [round(each["success"], 4) for each in stations["known_records"]]
    assert success == [0.6316, 0.7368, 0.8207, 0.8565]
    assert all(each["exact"] for each in stations["known_records"])
    assert (stations["rule_of_thumb"], found["triples"]) == (4, [])


def test_whose_values_they_may_be(home: Home, example: pyarrow.Table) -> None:
    """Section 3C: 1/2 as printed; 16/19 if all people are as likely before (E-003.8)."""
    known = [("S", "station0"), ("B", "goods0")]
    found = entropy(home.put(example), user="who", domains=DOMAINS, known=[1], given=known).given
    assert found is not None
    assert (found.values, found.people) == (tuple(known), 2)
    assert [each.highest for each in found.posteriors] == pytest.approx([1 / 2, 16 / 19, 20 / 29])
    either = entropy(home.put(example), user="who", domains=["all=station+goods"], given=[("all", "goods1")])
    assert either.given is not None and either.given.people == 2


def test_values_that_nobody_has_together(
    tmp_path: Path, example: pyarrow.Table, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "example.csv"
    pyarrow.csv.write_csv(example, file)
    words = ["entropy", str(file), "--user", "who", "--domain", DOMAINS[0], "--domain", DOMAINS[1]]
    assert main([*words, "--given", "S=station2", "--given", "B=nothing=at all"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Given S 'station2' and B 'nothing=at all': nobody in this table has all of these." in out
    assert main([*words, "--given", "S=station2", "--json"]) == 0
    given = json.loads(capsys.readouterr().out)["given"]
    assert given["people"] == 1
    assert [each["highest"] for each in given["posteriors"]] == [1, 1, 1]
    assert main([*words, "--given", "station2"]) == 2
    assert "is no value of a domain; write it like stations=Ueno" in capsys.readouterr().err
    assert main([*words, "--given", 'S="station2']) == 2


def test_one_answer_on_every_engine(home: Home, card: pyarrow.Table) -> None:
    """Every number, also the drawn ones, whatever the number of threads."""
    asked: dict[str, Any] = {
        "user": "user", "domains": CARD_DOMAINS, "triples": True, "amount": "fare", "seed": 3,
    }  # fmt: skip
    found = entropy(home.put(card), **asked).to_dict()
    assert without_place(found) == without_place(entropy(card, threads=1, **asked).to_dict())


def test_the_card_sample_counts_what_the_paper_counts(card: pyarrow.Table) -> None:
    """Table VI: people and values of stations, purchases and deposits; entry and exit are two events."""
    found = entropy(card, user="user", domains=CARD_DOMAINS, triples=True, known=[1])
    counted = [(each.information.people, each.information.values) for each in found.domains]
    assert counted == [(31, 138), (25, 58), (29, 17)]
    assert [each.information.events for each in found.domains] == [728, 100, 84]
    assert found.pairs[0].joint.values == 138 * 58
    assert [each.names for each in found.triples] == [("S", "B", "C")]
    rare = [[level.share for level in each.rare] for each in found.domains]
    assert rare[1] == [0.41, 0.55]


def test_a_missing_value_is_skipped_or_a_value(home: Home) -> None:
    table = pyarrow.table({"who": [1, 1, 2, None], "a": ["x", None, "y", "x"], "b": ["x", "z", None, "x"]})
    data = home.put(table)
    skipped = entropy(data, user="who", domains=["ab=a+b"])
    assert (skipped.domains[0].information.events, skipped.domains[0].information.values) == (4, 3)
    assert "1 records without a user are left out" in skipped.remarks
    counted = entropy(data, user="who", domains=["ab=a+b"], missing="value")
    assert (counted.domains[0].information.events, counted.domains[0].information.values) == (8, 4)
    assert counted.domains[0].information.people == 3


def test_amounts_are_compared_between_uses(card: pyarrow.Table) -> None:
    found = entropy(card, user="user", domains=CARD_DOMAINS, known=[1], amount="fare")
    figures = {(each.first, each.second): each for each in found.correlations}
    assert len(figures) == 12
    assert figures["S records", "C amount"].people == 29
    study = singleout.Study({"user": "user", "fare": "amount"})
    by_study = entropy(card, domains=CARD_DOMAINS, known=[1], study=study)
    assert by_study.correlations == found.correlations
    plain = entropy(card, user="user", domains=CARD_DOMAINS, known=[1])
    assert {(each.first, each.second) for each in plain.correlations} == {
        ("S records", "B records"), ("S records", "C records"), ("B records", "C records"),
    }  # fmt: skip
    same_records = entropy(card, user="user", domains=["a=date", "b=times"], known=[1], amount="fare")
    assert same_records.correlations == ()
    assert any("amounts" in remark for remark in same_records.remarks)


def test_people_without_a_common_domain_are_told() -> None:
    table = pyarrow.table({"who": ["a", "a", "b"], "x": ["1", "2", None], "y": [None, None, "3"]})
    found = entropy(table, user="who", domains=["x=x", "y=y"])
    assert found.pairs == ()
    assert any("nobody has a record in each of x and y" in remark for remark in found.remarks)


def test_the_page_says_what_chance_explains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "card.csv"
    singleout.sample("card", out=file)
    words = [word for text in CARD_DOMAINS for word in ("--domain", text)]
    assert main(["entropy", str(file), "--user", "user", *words, "--amount", "fare", "--triples"]) == 0
    out, err = capsys.readouterr()
    plain = " ".join(out.split())
    assert "C tells no more of the person than chance would" in plain
    assert "That is no protection: the best guess at the person is right" in plain
    assert "S tells 1.19 bits more of the person than chance would" in plain
    assert all(len(line) <= 80 for line in out.splitlines())
    assert err == ""


def test_json_is_the_python_answer(
    tmp_path: Path, example: pyarrow.Table, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "example.csv"
    pyarrow.csv.write_csv(example, file)
    words = [word for text in DOMAINS for word in ("--domain", text)]
    assert main(["entropy", str(file), "--user", "who", *words, "--json", "--points", "1,2"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = entropy(file, user="who", domains=DOMAINS, known=[1, 2]).to_dict()
    assert document == json.loads(json.dumps(found))
    assert {"name", "people", "values", "h_user", "h_user_given", "information", "chance_information",
            "probability", "best_guess"} <= set(document["domains"][0])  # fmt: skip
    assert {"domains", "sum_of_parts", "information", "chance_information"} <= set(document["pairs"][0])


def test_results_as_tables(example: pyarrow.Table) -> None:
    found = entropy(example, user="who", domains=DOMAINS)
    assert found.to_arrow().column("name").to_pylist() == ["S", "B", "S + B"]
    assert list(found.to_frame()["people"]) == [3, 3, 3]
    assert "<table>" in found._repr_html_()
    assert "S 0.48" in repr(found)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"domains": []}, "at least one domain"),
        ({"domains": "S=station"}, "in a list"),
        ({"domains": ["station"]}, "is no domain"),
        ({"domains": ["S=sation"]}, "did you mean 'station'"),
        ({"domains": ["S=station@us=x"]}, "no column 'us'"),
        ({"domains": ["S=station", "S=goods"]}, "two domains are called 'S'"),
        ({"domains": ["S=who"]}, "is the user column"),
        ({"user": None}, "name the user column"),
        ({"known": [0]}, "from 1 to"),
        ({"known": [1.5]}, "from 1 to"),
        ({"missing": "wildcard"}, "is no rule for events; there are drop and value"),
        ({"missing": "nothing"}, "no rule"),
        ({"amount": "cost"}, "no column 'cost'"),
        ({"given": [("C", "x")]}, "no domain 'C'"),
        ({"given": ["S=x"]}, "list pairs"),
        ({"given": [("S", 1)]}, "list pairs"),
        ({"domains": [None]}, "None is no domain"),
        ({"known": 3}, "from 1 to"),
        ({"seed": "x"}, "must be a whole number"),
        ({"amount": ""}, "no column ''"),
    ],
)
def test_bad_usage_is_one_line(example: pyarrow.Table, change: dict[str, Any], fault: str) -> None:
    with pytest.raises(UsageError, match=fault) as raised:
        entropy(example, **({"user": "who", "domains": DOMAINS} | change))
    assert "\n" not in str(raised.value)


def test_a_filter_that_matches_nothing_is_an_error(home: Home, example: pyarrow.Table) -> None:
    data = home.put(example)
    with pytest.raises(
        InputError, match="domain 'S': no record has a value of station where use is 'trafic'"
    ):
        entropy(data, user="who", domains=["S=station@use=trafic", "B=goods"])
    with pytest.raises(
        InputError, match="domain 'S': no record has a value of station where use is 'purchase'"
    ):
        entropy(data, user="who", domains=["S=station@use=purchase"])


@pytest.mark.parametrize("bad", ["1_000", "１２", "1e999", "nan", "1,000"])
def test_amounts_that_only_python_or_nobody_can_read(example: pyarrow.Table, bad: str) -> None:
    table = example.append_column("fare", [["1"] * (example.num_rows - 1) + [bad]])
    with pytest.raises(InputError, match="holds something that is no number"):
        entropy(table, user="who", domains=DOMAINS, amount="fare")
    huge = example.append_column("fare", [["1e308"] * example.num_rows])
    with pytest.raises(InputError, match="holds something that is no number"):
        entropy(huge, user="who", domains=DOMAINS, amount="fare")


@pytest.mark.parametrize("columns", ["40", "60", "80"])
def test_no_digit_is_cut_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """A line may get longer than the terminal is wide, but a number stays whole."""
    monkeypatch.setenv("COLUMNS", columns)
    file = tmp_path / "card.csv"
    singleout.sample("card", out=file)
    known = ["--points", "1,2,3,4,5,6,7,8"]
    assert main(["entropy", str(file), "--user", "user", "--domain", CARD_DOMAINS[0], *known, "--alone"]) == 0
    found = entropy(file, user="user", domains=CARD_DOMAINS[:1], known=range(1, 9), pairs=False).domains[0]
    out = capsys.readouterr().out
    for success in found.known:
        assert f"{success.success:.3g}" in out
    assert "…" not in out.replace("alike … unlike", "")
    assert f"{found.chance.information:.2f} ({found.chance.low:.2f}–{found.chance.high:.2f})" in out


def test_an_amount_must_be_a_number(home: Home, example: pyarrow.Table) -> None:
    with pytest.raises(InputError, match="no number"):
        entropy(home.put(example), user="who", domains=DOMAINS, amount="station")
