"""A submission's values are those of `compare`; what is wrong with one is told by records and columns."""

from __future__ import annotations

import csv
import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from singleout.cli.main import main
from singleout.platform.contest import Contest, ContestMetric, SubmissionLimits, template
from singleout.platform.refusal import ContestFaultError
from singleout.platform.scorer import (
    HIGHEST,
    Score,
    compare_command,
    score,
    table_ending,
    validate,
)
from singleout.read.samples import sample
from singleout.utility.compare.compare import compare

Rows = list[dict[str, str]]
CARD = template("payment-card")


@pytest.fixture
def card(tmp_path: Path) -> Path:
    sample("card", out=tmp_path / "card.csv")
    return tmp_path / "card.csv"


def changed(original: Path, change: Callable[[Rows], Rows], name: str = "release.csv") -> Path:
    with original.open(encoding="utf-8", newline="") as file:
        rows = change(list(csv.DictReader(file)))
    target = original.parent / name
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return target


def rounded(rows: Rows) -> Rows:
    return [{**row, "fare": str(round(int(row["fare"]), -2))} for row in rows]


def test_the_values_are_those_of_compare_by_hand(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release = changed(card, rounded)
    found = score(CARD, card, release)
    words = shlex.split(compare_command(CARD, str(card), str(release), None))
    assert main([*words[1:], "--json"]) == 0
    printed = capsys.readouterr()
    assert "the old way" not in printed.err  # the command is one of today
    by_hand = json.loads(printed.out)
    values = {each["name"]: each["value"] for each in by_hand["utility"]}
    values |= {each["name"]: each["rate"] for each in by_hand["privacy"]}
    assert {each.metric: each.value for each in found} == values
    assert len(values) == 12 + 6 + 2
    assert score(CARD, card, release) == found


def test_the_highest_rate_is_the_maximum_over_the_attacks(card: Path) -> None:
    rates = {
        each.metric: each.value
        for each in score(CARD, card, changed(card, rounded))
        if each.family == "privacy"
    }
    assert rates[HIGHEST] == max(rate for name, rate in rates.items() if rate is not None and name != HIGHEST)


def test_an_attack_that_was_not_made_leaves_the_highest_rate_a_least(card: Path) -> None:
    coarse = changed(card, lambda rows: [{**row, "fare": "low"} for row in rows])
    found = {each.metric: each for each in score(CARD, card, coarse)}
    assert found["amount"].value is None
    assert "no numbers" in str(found["amount"].reason)
    assert found["u1_fare_by_person"].value is None
    assert found[HIGHEST].value == 1.0 or found[HIGHEST].reason is not None


def test_cells_are_told_by_column_and_record_and_never_by_value(card: Path) -> None:
    def spoil(rows: Rows) -> Rows:
        for index in (3, 7, 11, 500):
            rows[index]["fare"] = "secretword"
        rows[20]["user"] = ""
        return rows

    problems = validate(CARD, card, changed(card, spoil))
    assert [each.text for each in problems] == [
        "column fare, records 4, 8, 12 and 1 more: is no number; write all like 35 or 2.5",
        "column user, record 21: nobody is named; each record has its person",
    ]


def test_columns_that_lack_or_are_too_many_are_told_together(card: Path) -> None:
    def renamed(rows: Rows) -> Rows:
        return [{**{key: value for key, value in row.items() if key != "fare"}, "far": "1"} for row in rows]

    problems = validate(CARD, card, changed(card, renamed))
    assert [(each.column, each.message.split(";")[0]) for each in problems] == [
        ("fare", "is missing"), ("far", "is not in the original"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (SubmissionLimits(rows=583), "584 records; at most 583"),
        (SubmissionLimits(columns=9), "10 columns; at most 9"),
    ],
)
def test_what_is_too_large_is_refused(card: Path, limits: SubmissionLimits, said: str) -> None:
    assert said in validate(replace(CARD, limits=limits), card, card)[0].text


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"a,b\n1\n", b"PAR1nonsense"])
def test_what_is_no_table_is_told_without_the_servers_paths(card: Path, content: bytes) -> None:
    odd = card.parent / f"strange{table_ending(content)}"
    odd.write_bytes(content)
    (problem, *_) = validate(CARD, card, odd)
    assert "\n" not in problem.text and "--" not in problem.text
    assert str(card.parent) not in problem.text


def test_a_map_is_asked_for_checked_and_used(card: Path) -> None:
    release = changed(card, lambda rows: [{**row, "user": f"p{row['user']}"} for row in rows])
    assert "nobody in it" in validate(CARD, card, release)[0].text
    assert "send a map" in validate(replace(CARD, truth="map"), card, release)[0].text
    truth = card.parent / "who.csv"
    truth.write_text("release_user,original_user\n" + "".join(f"p{n:02},{n:02}\n" for n in range(1, 32)))
    assert validate(CARD, card, release, truth) == []
    assert "leave the map out" in validate(replace(CARD, truth="names"), card, release, truth)[0].text
    assert {each.metric: each.value for each in score(CARD, card, release, truth)} == {
        each.metric: each.value for each in score(CARD, card, card)
    }
    truth.write_text("release_user,original_user\np01,01\np01,02\n")
    assert "lines 2 and 3" in validate(CARD, card, release, truth)[0].text


def test_a_table_of_people_is_scored_by_its_records(tmp_path: Path) -> None:
    contest = template("single-table")
    original, release, truth = (tmp_path / f"{name}.csv" for name in ("original", "release", "who"))
    original.write_text("age,town\n" + "".join(f"{20 + n},{'ab'[n % 2]}\n" for n in range(30)))
    release.write_text("age,town\n" + "".join(f"{20 + n},{'ab'[n % 2]}\n" for n in reversed(range(30))))
    truth.write_text("release_user,original_user\n" + "".join(f"{n + 1},{30 - n}\n" for n in range(30)))
    assert validate(contest, original, release, truth) == []
    assert None not in {each.value for each in score(contest, original, original)}
    assert {each.metric: each.value for each in score(contest, original, release, truth)}[HIGHEST] == 1.0
    # the boundary line needs no map: each record of the untouched original is the one that it is
    assert {each.metric: each.value for each in score(contest, original, original)}[HIGHEST] == 1.0


@pytest.mark.parametrize(("name", "kind"), [("payment-card", "card"), ("purchase-history", "shop")])
def test_a_template_fits_its_sample(tmp_path: Path, name: str, kind: str) -> None:
    """Every metric has a value, and the untouched original is recognised."""
    sample(kind, people=20, out=tmp_path / "original.csv")
    contest, original = template(name), tmp_path / "original.csv"
    found = {each.metric: each.value for each in score(contest, original, original)}
    assert found[HIGHEST] == 1.0
    assert None not in found.values()


def test_a_contest_that_names_no_column_of_its_original_blames_no_release(card: Path) -> None:
    contest: Contest = replace(CARD, parts={**CARD.parts, "amount": "price"})
    with pytest.raises(ContestFaultError, match=r"the contest itself.*no column 'price'"):
        validate(contest, card, card)


SHOP = replace(
    template("purchase-history"),
    metrics=(ContestMetric("amount", "privacy"), ContestMetric("u1_cmae", "utility")),
    parts={"amount": "price", "groups": ["segment"]},
)


def people_table(path: Path, names: dict[str, str]) -> Path:
    rows = "".join(f"{new},{'ab'[index % 2]}\n" for index, new in enumerate(names.values()))
    path.write_text(f"customer,segment\n{rows}")
    return path


def test_groups_of_a_table_of_people_are_compared_with_those_of_the_releases_own(tmp_path: Path) -> None:
    """As by `singleout compare --people-table --release-people-table`."""
    original, truth = tmp_path / "original.csv", tmp_path / "who.csv"
    sample("shop", people=12, out=original)
    with original.open(encoding="utf-8", newline="") as file:
        names = {row["customer"]: f"p{row['customer']}" for row in csv.DictReader(file)}
    release = changed(original, lambda rows: [{**row, "customer": names[row["customer"]]} for row in rows])
    truth.write_text("release_user,original_user\n" + "".join(f"{new},{old}\n" for old, new in names.items()))
    people = people_table(tmp_path / "people.csv", {each: each for each in names})
    theirs = people_table(tmp_path / "theirs.csv", names)
    assert validate(SHOP, original, release, truth, people, theirs) == []
    found = {each.metric: each.value for each in score(SHOP, original, release, truth, people, theirs)}
    assert found["u1_cmae"] == 0.0
    swapped = people_table(tmp_path / "swapped.csv", dict([*names.items()][1:] + [*names.items()][:1]))
    found = {each.metric: each.value for each in score(SHOP, original, release, truth, people, swapped)}
    asked = compare(
        original, release, truth=truth, user="customer", amount="price", groups=["segment"],
        metrics=["u1_cmae"], attacks=["amount"], people_table=people, release_people_table=swapped,
    ).outcomes[0].metric("u1_cmae")  # fmt: skip
    assert asked is not None
    assert found["u1_cmae"] == asked.value
    assert (found["u1_cmae"] or 0.0) > 0
    assert found["amount"] == 1.0


def test_what_is_wrong_with_a_table_of_people_is_told(tmp_path: Path) -> None:
    original = tmp_path / "original.csv"
    sample("shop", people=12, out=original)
    people = tmp_path / "people.csv"
    people.write_text("customer,segment\n1,a\n")
    # as the worker calls them: the name of one is the end of the other's
    other = tmp_path / "secret" / "release_people.csv"
    other.parent.mkdir()

    def told(text: str) -> str:
        other.write_text(text)
        (problem,) = validate(SHOP, original, original, None, people, other)
        assert str(tmp_path) not in problem.text
        assert "release_" not in problem.text
        return problem.text

    assert told("customer,segment\n") == "your table of people: has column names but no records"
    assert told("customer,segment\n\0,a\n").startswith("your table of people: holds zero bytes")
    assert "column segment: is missing" in told("customer\n1\n")
    assert told("customer,segment\n1,a\n1,b\n").startswith(
        "your table of people: somebody stands in it twice"
    )
    (lacking,) = validate(SHOP, original, original, None, people)
    assert "send the table of people with it" in lacking.text
    (needless,) = validate(template("purchase-history"), original, original, None, None, people)
    assert "has no table of people" in needless.text
    # where the contest's own table is at fault, no release is blamed
    people.write_text("customer,kind\n1,a\n")
    with pytest.raises(ContestFaultError, match=r"the contest itself.*segment"):
        validate(SHOP, original, original, None, people, people)


def test_an_unknown_value_has_a_reason() -> None:
    with pytest.raises(ValueError, match="a reason"):
        Score("u1", "utility", None)
