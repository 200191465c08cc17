"""Releases made, attacked and judged by command: with the recipe, without it, and with a wrong one."""

from __future__ import annotations

import csv
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from singleout.attacks import attack_run
from singleout.cli.main import main
from tests.support.command_line import Captured, document_of, error_of

Rows = list[dict[str, str]]
PEOPLE = 40
NEW_NAMES = '[[step]]\nstep = "pseudonymise"\n'
RECIPES = {
    "month": """[[step]]
step = "generalise"
columns = ["date"]
level = 1
levels = [{type = "raw"}, {type = "date", to = "month"}]
""",
    "rounded": '[[step]]\nstep = "round"\ncolumns = ["price"]\nto = 5\n',
    "rare": '[[step]]\nstep = "suppress"\nwhat = "cells"\ncolumns = ["goods"]\nrarer_than = 6\n',
    "shifted": '[[step]]\nstep = "shift_dates"\ncolumns = ["date"]\ndays = 20\n',
    "renamed": '[[step]]\nstep = "pseudonymise"\ncolumns = ["goods"]\n',
}
# what each release shows beside the names of people, and what the attack is told of it
SHOWN = {"month": "date", "rounded": "price", "rare": "goods", "shifted": "date", "renamed": "goods"}
PARTS = {"date": ["--time", "date"], "goods": ["--item", "goods"], "price": []}
POLICY = """[data]
original = "shop.csv"
truth = "who.csv"
user = "who"
sensitive = "none"
{more}
[[rule]]
measure = "attack.best.rate"
at_most = {limit}
"""


def history() -> Rows:
    """Forty people who are much alike: a few days, a dozen goods, whole prices."""
    draw = random.Random(18)
    rows = [
        {
            "who": f"c{person:02}",
            "date": str(date(2011, 1, 1) + timedelta(draw.randrange(40))),
            "goods": f"{100 + int(draw.paretovariate(0.6)) % 12}A",
            "price": str(draw.randrange(1, 30)),
        }
        for person in range(PEOPLE)
        for _ in range(draw.choice([1, 2, 2, 3]))
    ]
    draw.shuffle(rows)
    return rows


def write(file: str, rows: Rows) -> None:
    with Path(file).open("w", newline="") as text:
        table = csv.DictWriter(text, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


def read(file: str) -> Rows:
    with Path(file).open(newline="") as text:
        return [*csv.DictReader(text)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("shop.csv", history())


def release_by(name: str, capsys: Captured) -> str:
    """The recipe's file; the release and who is who lie beside it."""
    head = f'user = "who"\ncolumns = ["who", "{SHOWN[name]}"]\n'
    Path(f"{name}.toml").write_text(head + RECIPES[name] + NEW_NAMES)
    words = ["deidentify", "apply", "shop.csv", "--recipe", f"{name}.toml", "--truth", "who.csv"]
    assert main([*words, "--out", "release.csv", "--quiet"]) == 0
    capsys.readouterr()
    return f"{name}.toml"


def profiles(rows: Rows, column: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        found[row["who"]].append(row[column])
    return {who: sorted(each) for who, each in found.items()}


def recognised(key: Callable[[list[str]], Any], original: Mapping[str, list[str]], released: Any) -> float:
    """Everybody of the release is one of those with the same key in the original; the credit is shared."""
    truth = {row["release_user"]: row["original_user"] for row in read("who.csv")}
    alike = Counter(key(each) for each in original.values())
    right = [
        key(original[truth[name]]) == key(own) and 1 / alike[key(original[truth[name]])]
        for name, own in released.items()
    ]
    return sum(right) / len(right)


def gaps(days: Sequence[str]) -> tuple[int, ...]:
    numbers = [date.fromisoformat(day).toordinal() for day in days]
    return tuple(number - min(numbers) for number in sorted(numbers))


def by_hand(name: str) -> float:
    """What a few lines find who know the step: it is made on the original, or what it leaves is compared."""
    column = SHOWN[name]
    known, seen = profiles(read("shop.csv"), column), profiles(read("release.csv"), column)
    if name == "shifted":
        return recognised(gaps, known, seen)
    if name == "renamed":
        popular = [Counter(item for each in side.values() for item in {*each}) for side in (known, seen)]
        spelled = [
            {who: sorted(str(counts[item]) for item in each) for who, each in side.items()}
            for side, counts in zip((known, seen), popular, strict=True)
        ]
        return recognised(tuple, *spelled)
    return len({tuple(each) for each in seen.values()}) / len(seen)


def best(document: Any) -> Any:
    return next(each for each in document["attacks"] if each["name"] == "best")


def checked(capsys: Captured, limit: float, more: str = "") -> tuple[int, str]:
    Path("policy.toml").write_text(POLICY.format(limit=limit, more=more))
    answer = main(["check", "release.csv", "--policy", "policy.toml"])
    out, err = capsys.readouterr()
    return answer, " ".join((out + err).split())


@pytest.mark.parametrize("name", RECIPES)
def test_a_release_by_command_is_undone_and_judged(name: str, capsys: Captured) -> None:
    recipe, column = release_by(name, capsys), SHOWN[name]
    words = ["attack", "shop.csv", "release.csv", "--truth", "who.csv", "--user", "who", "--columns", column]
    words += [*PARTS[column], "--points", "0"]
    blind, informed = (best(document_of(capsys, [*words, *told])) for told in ([], ["--recipe", recipe]))
    reference = by_hand(name)
    assert informed["rate"] >= reference - 1e-9
    assert informed["rate"] >= blind["rate"] - 1e-9
    assert informed["rate"] <= informed["bound"] + 1e-9
    exact = name in ("month", "rounded", "rare")
    if exact:
        assert informed["rate"] == pytest.approx(reference) == pytest.approx(informed["bound"])
    # below what a few lines of Python find nothing passes, with the recipe or without it
    for more in ("", f'recipe = "{recipe}"'):
        answer, told = checked(capsys, reference - 0.001, more)
        assert answer == 1 and "FAILED" in told
    assert checked(capsys, 1.0, f'recipe = "{recipe}"')[0] == (0 if exact else 1)
    assert checked(capsys, informed["bound"] - 0.001, f'recipe = "{recipe}"')[0] == 1


@pytest.mark.parametrize("name", RECIPES)
def test_a_wrong_recipe_is_an_error_that_counts_and_shows_nothing(name: str, capsys: Captured) -> None:
    release_by(name, capsys)
    # it leaves all as it was, or blanks what is there
    steps = RECIPES["rare"].replace("rarer_than = 6", 'values = ["100A", "101A"]') if name == "rare" else ""
    Path("wrong.toml").write_text('user = "who"\n' + steps + NEW_NAMES)
    words = ["release.csv", "--truth", "who.csv", "--user", "who", "--recipe", "wrong.toml"]
    for command in (["attack", "shop.csv", *words], ["compare", "shop.csv", *words]):
        told = error_of(capsys, command)
        assert "wrong.toml: the release can't come from this recipe: " in told
        assert not any(row[column] in told for row in read("shop.csv") for column in ("who", "date", "goods"))
    answer, told = checked(capsys, 1.0, 'recipe = "wrong.toml"')
    assert answer == 2 and "the release can't come from this recipe" in told


# Six small cases


def changed(column: str, change: Callable[[str], str]) -> Rows:
    return [{**row, column: change(row[column])} for row in history()]


def rate(capsys: Captured, name: str, *words: str) -> float:
    found = document_of(capsys, ["attack", *words, "--user", "who", "--attacks", name])
    return float(next(each["rate"] for each in found["attacks"] if each["name"] == name))


def jaccard_by_hand(column: str) -> float:
    """Who shares most with whom; equally good ones share the credit."""
    sets = {who: {*each} for who, each in profiles(read("known.csv"), column).items()}
    credit = 0.0
    for who, own in sets.items():
        scores = {other: len(own & theirs) / len(own | theirs) for other, theirs in sets.items()}
        equal = [other for other, score in scores.items() if score == max(scores.values())]
        credit += (who in equal) / len(equal)
    return credit / len(sets)


def test_what_is_known_is_coarser_than_the_release(capsys: Captured) -> None:
    write("known.csv", changed("goods", lambda text: text[:2]))
    found = rate(
        capsys, "jaccard", "known.csv", "shop.csv", "--item", "goods", "--columns", "goods", "--points", "0"
    )
    assert found == pytest.approx(jaccard_by_hand("goods"))


def test_a_day_in_another_writing(capsys: Captured) -> None:
    write("known.csv", changed("date", lambda text: text.replace("-0", "/").replace("-", "/")))
    words = ["--together", "date,goods", "--columns", "date,goods", "--points", "0"]
    same = rate(capsys, "pairs", "shop.csv", "shop.csv", *words)
    assert rate(capsys, "pairs", "known.csv", "shop.csv", *words) == pytest.approx(same)
    assert rate(capsys, "pairs", "shop.csv", "known.csv", *words) == pytest.approx(same)
    assert same > 0.5


def test_nearest_is_made_however_many_pairs_there_are(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("release.csv", changed("price", lambda text: f"{int(text) + 0.1:.1f}"))
    monkeypatch.setattr(attack_run, "MOST_PAIRS", 10)
    monkeypatch.setattr(attack_run, "LEAST_ASKED", 16)
    words = ["attack", "shop.csv", "release.csv", "--user", "who", "--columns", "date,price", "--points", "0"]
    found = document_of(capsys, words)
    nearest = next(each for each in found["attacks"] if each["name"] == "nearest")
    assert best(found)["rate"] >= nearest["rate"] > 0.5
    assert any("was asked about 16 of 40" in each for each in found["remarks"])


def test_several_pseudonyms_are_one_person(capsys: Captured) -> None:
    goods = ("r1", "r2", "r3")
    for file, names in (("known.csv", "aab"), ("release.csv", ("p1", "p2", "p3"))):
        write(file, [{"who": who, "goods": item} for who, item in zip(names, goods, strict=True)])
    Path("who.csv").write_text("release_user,original_user\np1,a\np2,a\np3,b\n")
    words = ["known.csv", "release.csv", "--truth", "who.csv", "--item", "goods", "--points", "1"]
    found = document_of(capsys, ["attack", *words, "--user", "who"])
    rates = {each["name"]: each["rate"] for each in found["attacks"]}
    assert rates["points_1"] == rates["jaccard"] == 1.0


@pytest.mark.parametrize("told", [[], ["--recipe", "rounded.toml"]], ids=["without", "with"])
def test_numbers_are_rounded_to_the_nearest(told: list[str], capsys: Captured) -> None:
    """One record a person: by hand, the different multiples of five over the people."""
    once = [{**row, "who": f"q{number}"} for number, row in enumerate(history())]
    write("shop.csv", once)
    release_by("rounded", capsys)
    multiples = {5 * ((int(row["price"]) + 2) // 5) for row in once}
    words = ["attack", "shop.csv", "release.csv", "--truth", "who.csv", "--user", "who", "--columns", "price"]
    found = document_of(capsys, [*words, "--points", "1", *told])
    points = next(each for each in found["attacks"] if each["name"] == "points_1")
    assert points["rate"] == pytest.approx(len(multiples) / len(once))


def test_equally_good_assignments_share_the_credit(capsys: Captured) -> None:
    """Nothing tells people apart: any of n! assignments is as good, and names one in n right on average."""
    write("known.csv", [{"who": f"c{number}", "goods": "tea"} for number in range(24)])
    write("release.csv", [{"who": f"c{number}", "goods": "milk"} for number in range(24)])
    for release in ("known.csv", "release.csv"):
        words = ["attack", "known.csv", release, "--user", "who", "--item", "goods", "--points", "0"]
        found = document_of(capsys, [*words, "--one-to-one"])
        shared = next(each for each in found["attacks"] if each["name"] == "jaccard_one_to_one")
        assert shared["rate"] == pytest.approx(1 / 24)
