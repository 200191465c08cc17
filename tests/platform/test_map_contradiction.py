"""A map that gives people each other's names is refused; what honest recipes make is not."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from singleout.platform import map_contradiction
from singleout.platform.contest import Contest, template
from singleout.platform.demo_contest import RELEASES, demo_releases
from singleout.platform.publication import publish, read_rows
from singleout.platform.scorer import validate
from singleout.read.samples import sample

CARD, SINGLE = template("payment-card"), template("single-table")
FALSE = "records of one other person"
Who = dict[str, str]


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    original = tmp_path_factory.mktemp("card") / "card.csv"
    sample("card", out=original)
    return original


@pytest.fixture(scope="module")
def releases(card: Path) -> dict[str, tuple[Path, Path]]:
    return {each.name: (out, truth) for each, out, truth in demo_releases(card, card.parent)}


def read_map(path: Path) -> Who:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["release_user"]: row["original_user"] for row in csv.DictReader(file)}


def written_map(path: Path, who: Who) -> Path:
    lines = ["release_user,original_user", *(f"{name},{person}" for name, person in who.items()), ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def told(contest: Contest, original: Path, release: Path, truth: Path | None) -> str:
    return "; ".join(each.text for each in validate(contest, original, release, truth))


@pytest.mark.parametrize("name", [each.name for each in RELEASES])
def test_an_honest_map_is_taken(name: str, card: Path, releases: dict[str, tuple[Path, Path]]) -> None:
    assert told(CARD, card, *releases[name]) == ""


def turned(who: Who) -> Who:
    """Everybody is said to be their neighbour."""
    people = [*who.values()]
    return dict(zip(who, [*people[1:], people[0]], strict=True))


def partly(who: Who) -> Who:
    few = dict([*who.items()][: len(who) // 5])
    return {**who, **turned(few)}


def made_up(who: Who) -> Who:
    return {name: "" if index % 3 else person for index, (name, person) in enumerate(who.items())}


@pytest.mark.parametrize("name", ["copy.csv", "tens.csv", "a-third.csv"])
@pytest.mark.parametrize("lie", [turned, partly, made_up])
def test_a_false_map_is_refused(
    lie: Callable[[Who], Who], name: str, card: Path, releases: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    release, truth = releases[name]
    assert FALSE in told(CARD, card, release, written_map(tmp_path / "map.csv", lie(read_map(truth))))


def test_names_that_were_exchanged_are_a_false_map_too(card: Path, tmp_path: Path) -> None:
    with card.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    people = turned({row["user"]: row["user"] for row in rows})
    with (tmp_path / "release.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "user": people[row["user"]]} for row in rows)
    assert FALSE in told(CARD, card, tmp_path / "release.csv", None)


def records(path: Path, seed: int, span: int, *, changed: bool = False) -> Path:
    """One column of the changed one is drawn anew."""
    draw, anew = random.Random(seed), random.Random(seed + 1)
    values = [(draw.randrange(span), draw.randrange(span)) for _ in range(400)]
    lines = [f"{anew.randrange(span) if changed else a},{b}" for a, b in values]
    path.write_text("\n".join(["age,city", *lines, ""]), encoding="utf-8")
    return path


NUMBERS = {str(number): str(number) for number in range(1, 401)}


@pytest.mark.parametrize("seed", range(3))
def test_records_that_are_alike_by_chance_are_no_contradiction(seed: int, tmp_path: Path) -> None:
    """As many records as places for them: as often as it can be by chance, one falls where one other is."""
    original = records(tmp_path / "original.csv", seed, 20)
    release = records(tmp_path / "release.csv", seed, 20, changed=True)
    assert told(SINGLE, original, release, written_map(tmp_path / "map.csv", NUMBERS)) == ""


def test_a_false_map_of_single_records_is_refused(tmp_path: Path) -> None:
    original = records(tmp_path / "original.csv", 0, 1000)
    assert FALSE in told(SINGLE, original, original, written_map(tmp_path / "map.csv", turned(NUMBERS)))


def test_of_very_many_people_some_are_asked_about(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(map_contradiction, "MOST_ASKED", 40)
    original = records(tmp_path / "original.csv", 0, 1000)
    said = told(SINGLE, original, original, written_map(tmp_path / "map.csv", turned(NUMBERS)))
    assert said.startswith("40 of 40 people that were asked about have")
    assert told(SINGLE, original, original, written_map(tmp_path / "map.csv", NUMBERS)) == ""


def test_two_names_of_one_person_shift_nobody_else(tmp_path: Path) -> None:
    """Who is who in what is published decides what guesses are worth."""
    original, release = tmp_path / "original.csv", tmp_path / "release.csv"
    original.write_text("customer,goods\nann,tea\nann,salt\nbob,rice\ncid,oil\n", encoding="utf-8")
    release.write_text("customer,goods\np1,tea\np2,salt\np3,rice\np4,oil\n", encoding="utf-8")
    truth = written_map(tmp_path / "map.csv", {"p1": "ann", "p2": "ann", "p3": "bob", "p4": "cid"})
    contest = replace(template("purchase-history"), user="customer")
    out, people = tmp_path / "out.csv", tmp_path / "people.jsonl"
    publish(contest, original, release, truth, "seed", out, people)
    who = dict(read_rows(people))
    with out.open(encoding="utf-8", newline="") as file:
        found = sorted((who[row["customer"]], row["goods"]) for row in csv.DictReader(file))
    assert found == [("ann", "salt"), ("ann", "tea"), ("bob", "rice"), ("cid", "oil")]


@pytest.mark.parametrize("asked", [20, 2_000])
def test_a_rounded_record_may_be_like_that_of_somebody_else(
    asked: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whose value is round keeps it, and was exchanged with nobody."""
    monkeypatch.setattr(map_contradiction, "MOST_ASKED", asked)
    original, release = tmp_path / "original.csv", tmp_path / "release.csv"
    values = [(number % 11, number % 7, number % 5) for number in range(77)]
    for path, step in ((original, 1), (release, 3)):
        lines = [f"{a},{b // step * step},{c}" for a, b, c in values]
        path.write_text("\n".join(["age,city,work", *lines, ""]), encoding="utf-8")
    honest = {str(number): str(number) for number in range(1, 78)}
    assert told(SINGLE, original, release, written_map(tmp_path / "map.csv", honest)) == ""
    assert FALSE in told(SINGLE, original, original, written_map(tmp_path / "map.csv", turned(honest)))


def people_table(seed: int, people: int = 300) -> Sequence[tuple[str, ...]]:
    """Few columns: most of the people are like somebody else."""
    draw = random.Random(seed)
    kinds = [str(kind) for kind in range(9) for _ in range(9 - kind)]
    return [(str(18 + draw.randrange(15)), draw.choice("fm"), draw.choice(kinds)) for _ in range(people)]


def written_table(path: Path, rows: Sequence[tuple[str, ...]]) -> Path:
    path.write_text("\n".join(["age,sex,kind", *map(",".join, rows), ""]), encoding="utf-8")
    return path


def swapped(rows: Sequence[tuple[str, ...]], column: int, seed: int) -> Sequence[tuple[str, ...]]:
    values = [row[column] for row in rows]
    random.Random(seed).shuffle(values)
    return [(*row[:column], value, *row[column + 1 :]) for row, value in zip(rows, values, strict=True)]


@pytest.mark.parametrize("columns", [(0,), (2,), (0, 1), (0, 1, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_columns_that_were_swapped_each_by_itself_are_no_contradiction(
    columns: tuple[int, ...], seed: int, tmp_path: Path
) -> None:
    """Half of the people whose rank was swapped have the sex of whoever had it before."""
    ranks = random.Random(seed).sample(range(300), 300)
    rows = [(str(rank), *row[1:]) for rank, row in zip(ranks, people_table(seed), strict=True)]
    released: Sequence[tuple[str, ...]] = rows
    for column in columns:
        released = swapped(released, column, 10 * seed + column)
    tables = written_table(tmp_path / "original.csv", rows), written_table(tmp_path / "out.csv", released)
    honest = {str(number): str(number) for number in range(1, 301)}
    assert told(SINGLE, *tables, written_map(tmp_path / "map.csv", honest)) == ""


@pytest.mark.parametrize("seed", range(3))
def test_numbers_with_noise_where_each_number_is_somebodys(seed: int, tmp_path: Path) -> None:
    """Nearly every changed rank is that of one other person, and a part of them is released only."""
    draw = random.Random(seed)
    rows = [(str(rank), "f", "1") for rank in range(300)]
    drawn = draw.sample(range(300), 60)
    released = [(str(int(rows[index][0]) + draw.choice((-2, -1, 1, 2))), "f", "1") for index in drawn]
    tables = written_table(tmp_path / "original.csv", rows), written_table(tmp_path / "out.csv", released)
    who = {str(number): str(index + 1) for number, index in enumerate(drawn, 1)}
    assert told(SINGLE, *tables, written_map(tmp_path / "map.csv", who)) == ""


@pytest.mark.parametrize("seed", range(3))
def test_a_false_map_is_refused_where_many_records_are_alike(seed: int, tmp_path: Path) -> None:
    """Nobody can tell whose a common record is; those that one person has tell it."""
    original = written_table(tmp_path / "original.csv", people_table(seed))
    names = [str(number) for number in range(1, 301)]
    people = random.Random(seed).sample(names, 300)
    who = dict(zip(names, people, strict=True))
    assert FALSE in told(SINGLE, original, original, written_map(tmp_path / "map.csv", who))
