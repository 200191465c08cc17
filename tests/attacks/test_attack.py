"""`singleout.attack` as a whole: every attack by hand, laws of knowledge and of order, what is told of it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import singleout
from singleout import attack
from singleout.attacks.attacker_knowledge import known_share
from singleout.attacks.attempt import Attempt, judge_candidates
from singleout.attacks.catalogue import KINDS, WHERE_CHANGED
from singleout.attacks.linkage.item_sets import ItemSets, SetPair
from singleout.attacks.linkage.set_linkage import CosineLinkage
from singleout.attacks.paired_tables import pair_tables
from singleout.attacks.result import Reidentification
from singleout.errors import InputError, OutputError, UsageError
from singleout.progress import silent
from singleout.roles.study import Study
from tests.by_hand.attack_by_hand import (
    COLUMNS,
    LOOKED_AT,
    PARTS,
    Case,
    all_points,
    best_assignments,
    linkage,
    linkages,
    table_of,
)
from tests.by_hand.linkage_by_hand import Person
from tests.support.home import Home

VALUES: dict[str, list[str | None]] = {
    "goods": ["a", "b", "c", "d", None],
    "entry": ["x", "y", "z", None],
    "exit": ["x", "y", "z", None],
    "day": ["2011-01-30", "2011-01-31", "2011-01-31 08:26", "2011-02-03 23:59", None],
    "price": ["0.1", "0.2", "0.3", "2", "-1", None],
    "usage": ["bus", "tram", None],
}
RECORDS = some.tuples(*(some.sampled_from(VALUES[name]) for name in COLUMNS))
CONTRACT = {"name", "rate", "identified", "baseline", "low", "high", "knowledge"}


@some.composite
def cases(draw: some.DrawFn, most: int = 12, most_released: int = 6) -> Case:
    """Histories or single records; people without any, made-up people, people under several names."""
    longest = draw(some.sampled_from([1, 3]))

    def people(prefix: str, limit: int) -> dict[str, Person]:
        others = some.lists(some.lists(RECORDS, max_size=longest), max_size=limit - 1)
        first: Person = draw(some.lists(RECORDS, min_size=1, max_size=longest))
        return {f"{prefix}{place:02}": each for place, each in enumerate([first, *draw(others)])}

    original, release = people("o", most), people("r", most_released)
    names = some.one_of(some.none(), some.sampled_from(sorted(original)))
    truth = {name: draw(names) for name in draw(some.permutations(sorted(release)))}
    if not any(truth.values()):
        truth["r00"] = "o00"
    # without a record and without a name in the map, nobody knows of a person
    original = {name: each for name, each in original.items() if each or name in truth.values()}
    return Case(original, release, truth)


def by_name(found: Reidentification, name: str) -> Attempt:
    attempt = found.by_name(name)
    assert attempt is not None
    return attempt


# those that know how values were changed have references of their own
INFORMED = ("gaps", "roles", "bayes")


def credits_of(found: Reidentification, name: str, people: Sequence[str]) -> list[float]:
    """How likely each of the people is recognised."""
    table = found.people_table()
    credit = dict(zip(table["release_user"].to_pylist(), table[name].to_pylist(), strict=True))
    return [credit[each] for each in people]


def answer(found: Reidentification) -> dict[str, Any]:
    """All that is told, but for where the data was."""
    told = found.to_dict()
    del told["original"], told["release"], told["engine"], told["remarks"]
    return {**told, "fell": found.people_table().to_pylist()}


# By hand


def test_the_catalogue_is_the_one_that_is_checked() -> None:
    assert {*LOOKED_AT, *INFORMED} == {*KINDS}


@settings(max_examples=40)
@given(cases(), some.sampled_from(["value", "drop"]), some.sampled_from([1, 3]))
def test_every_attack_by_hand(case: Case, missing: Any, threads: int) -> None:
    found = attack(
        *case.tables(), case.truth, user="who", **PARTS, missing=missing, threads=threads,
        attacks=[*LOOKED_AT], points=(99,), draws=1, without_records=True,
    )  # fmt: skip
    drop, people, real = missing == "drop", len(case.asked), len(case.true) - case.true.count(None)
    assert (found.people, found.original_people) == (people, len(case.known))
    assert found.made_up == case.true.count(None)
    changed = {each.column for each in found.comparisons if not each.exact}
    by_hand, points = linkages(case, drop=drop), all_points(case, drop=drop, changed=changed)
    names = [each.name for each in found.attacks]
    assert [each for each in names if each != "points_99"] == [*by_hand, "best"]
    for name, scored in by_hand.items():
        attempt, expected = by_name(found, name), scored.credits(case)
        for names, credit in zip(case.together, expected, strict=True):
            assert credits_of(found, name, names) == pytest.approx([credit] * len(names)), name
        assert attempt.identified == pytest.approx(math.fsum(expected))
        assert attempt.rate == pytest.approx(math.fsum(expected) / people)
        assert attempt.certain == expected.count(1)
        tops = {k: math.fsum(scored.credits(case, k)) / people for k in (5, 10)}
        assert attempt.within == pytest.approx(tops), name
        assert attempt.bound is not None
        if attempt.uncompared:
            assert attempt.bound >= scored.bound(case) - 1e-12, name
        else:
            assert attempt.bound == pytest.approx(scored.bound(case)), name
        assert attempt.rate <= scored.bound(case) + 1e-12
        assert attempt.baseline == pytest.approx(real / people / len(case.known))
    if points is None:
        return
    everything = by_name(found, "points_99")
    credit, least = math.fsum(credits_of(found, "points_99", case.first_names)), math.fsum(points)
    # by hand nobody sees that a time of the release is on a day of the original, nor who is the likeliest
    more = any(each.how == "form" for each in found.comparisons) or "likeliest" in everything.knowledge
    assert credit >= least - 1e-9 if more else credit == pytest.approx(least)
    assert everything.baseline == pytest.approx(real / people / people)
    assert everything.bound is not None
    assert everything.rate <= everything.bound + 1e-12
    assert found.best is not None and found.best.bound is not None
    assert all((each.bound or 0) <= found.best.bound + 1e-12 for each in found.attacks)


WORKED = Case(
    original={
        "ann": [
            ("tea", "x", "y", "2011-01-30 08:00", "0.1", "bus"),
            ("milk", "y", "x", "2011-01-30", "0.2", "bus"),
        ],
        "bob": [("tea", "x", "x", "2011-01-31", "0.3", "tram")],
        "cid": [("salt", "z", "z", "2011-02-01", "5", "bus")] * 2,
    },
    release={
        "p": [("tea", "x", "x", "2011-01-31 09:30", "0.3", "tram")],
        "q": [
            ("milk", "x", "z", "2011-01-30 23:00", "0.2", "bus"),
            ("rice", "z", "x", "2011-01-30", "0.1", "bus"),
        ],
        "r": [("salt", "z", "z", "2011-02-01", "4", "bus")],
    },
    truth={"p": "bob", "q": "ann", "r": None},
)


def test_a_worked_example() -> None:
    """Counted on paper; p, q, r in this order, of whom r is made up."""
    found = attack(*WORKED.tables(), WORKED.truth, user="who", **PARTS, points=())
    expected = {
        "jaccard": (1, 1, 0),  # p: bob 1, ann 1/2; q: ann 1/3, others 0
        "containment": (1 / 2, 1, 0),  # ann has all of p's goods too
        "coverage": (1, 1, 0),  # p has half of ann's goods
        "weighted_jaccard": (1, 1, 0),
        "tfidf": (1, 1, 0),
        "records": (1, 1 / 2, 0),  # ann and cid have two records, as q has
        "amount": (1 / 2, 1 / 2, 0),  # 0.1 + 0.2 is exactly 0.3: ann and bob are tied
        "categories": (1, 1 / 2, 0),  # ann and cid went by bus twice
        "places": (1, 0, 0),  # q passed x and z: ann 1/3, bob and cid 1/2
        "dates": (1, 1, 0),
        "pairs": (1, 1, 0),
        "nearest": (1, 1, 0),
    }
    for name, credit in expected.items():
        assert credits_of(found, name, ["p", "q", "r"]) == pytest.approx(list(credit)), name
    assert (found.people, found.original_people, found.made_up) == (3, 3, 1)
    assert by_name(found, "jaccard").rate == pytest.approx(2 / 3)
    assert by_name(found, "jaccard").baseline == pytest.approx(2 / 9)


# Several names of one person


SEVERAL = {"p1": "ann", "p2": "ann", "p3": "bob"}
TOGETHER = (
    "1 person of the original with several names in the release: the records of each such person were put "
    "together, since the truth map tells whose they are"
)


def two_columns(who: Sequence[str], goods: Sequence[str]) -> pyarrow.Table:
    return pyarrow.table({"who": who, "goods": goods})


def test_known_records_lead_to_a_person_under_any_name() -> None:
    """ann's records r1 and r2 are p1's and p2's, so that every guess is right: 2 of 2 people, not 2 of 3."""
    goods = ["r1", "r2", "r3"]
    tables = two_columns(["ann", "ann", "bob"], goods), two_columns(["p1", "p2", "p3"], goods)
    found = attack(*tables, SEVERAL, user="who", item="goods", points=(1, 2), worst=True)
    assert (found.people, found.original_people, found.made_up) == (2, 2, 0)
    assert {each.rate for each in found.attacks} == {1.0}
    assert {each.identified for each in found.attacks} == {2.0}
    assert by_name(found, "points_1").baseline == 1 / 2
    assert TOGETHER in found.remarks
    # all that is compared agrees: none of her names lacks what the other has
    assert all(each.exact for each in found.comparisons)


def test_sets_of_a_person_with_several_names() -> None:
    """p1 and p2 together have ann's set; one by one, p2 with half of it would be as near to bob as to her.

    Jaccard of {a, b} with ann's {a, b} is 1; p3's {c, d} is nearer to ann's set by nothing, to bob's by 1/3;
    the two made-up people stay two.
    """
    original = two_columns(["ann", "ann", "bob", "bob"], ["a", "b", "b", "c"])
    release = two_columns(["p1", "p2", "p3", "p3", "p4", "p5"], ["a", "b", "c", "d", "a", "b"])
    truth = {**SEVERAL, "p4": None, "p5": None}
    found = attack(original, release, truth, user="who", item="goods", attacks=["jaccard"], points=())
    assert (found.people, found.made_up) == (4, 2)
    assert by_name(found, "jaccard").credit.tolist() == [1, 1, 0, 0]
    assert by_name(found, "jaccard").rate == 1 / 2


def test_every_name_is_listed_with_its_persons_credit(tmp_path: Path) -> None:
    """p1 and p3 have a and d, of which only ann has one; p2's b is hers, and p4 has no record."""
    path = tmp_path / "fell.csv"
    release = two_columns(["p1", "p2", "p3"], ["a", "b", "d"])
    found = attack(
        two_columns(["ann", "ann", "bob"], ["a", "b", "c"]), release,
        {"p3": "ann", "p2": "bob", "p1": "ann", "p4": "bob", "p5": None}, user="who", item="goods",
        attacks=["jaccard"], points=(), without_records=True, people=path,
    )  # fmt: skip
    assert found.people == 3
    assert found.people_table().to_pylist() == [
        {"release_user": "p1", "original_user": "ann", "jaccard": 1.0},
        {"release_user": "p2", "original_user": "bob", "jaccard": 0.0},
        {"release_user": "p3", "original_user": "ann", "jaccard": 1.0},
        {"release_user": "p4", "original_user": "bob", "jaccard": 0.0},
        {"release_user": "p5", "original_user": None, "jaccard": 0.0},
    ]
    assert pyarrow.csv.read_csv(path)["release_user"].to_pylist() == ["p1", "p2", "p3", "p4", "p5"]


@pytest.mark.parametrize("other", ["text", "decimal", "float"])
def test_amounts_are_exact_whatever_their_type(other: str) -> None:
    """0.1 + 0.2 is as far from 0.3 as 0.3 is, in every type."""
    texts = ["0.1", "0.2", "0.3", "7"]
    typed = {
        "text": pyarrow.array(texts),
        "decimal": pyarrow.array([Decimal(each) for each in texts], pyarrow.decimal128(9, 4)),
        "float": pyarrow.array([float(each) for each in texts]),
    }
    who = ["ann", "ann", "bob", "cid"]
    original = pyarrow.table({"who": who, "price": typed["decimal"]})
    release = pyarrow.table({"who": who, "price": typed[other]})
    found = attack(original, release, user="who", amount="price", attacks=["amount"], points=())
    assert credits_of(found, "amount", ["ann", "bob", "cid"]) == [0.5, 0.5, 1]


def test_times_are_told_by_their_days() -> None:
    """Whatever the hour; ann and bob were there on the same days, but ann twice on one of them."""
    texts = ["2011-01-30T08:00:00", "2011-01-30T09:00:00", "2011-01-31T10:00:00"]
    moved = ["2011-01-30T18:30:00", "2011-01-30T00:00:00", "2011-01-31T23:59:59"]
    who = ["ann", "ann", "ann", "bob", "bob"]
    tables = [
        pyarrow.table(
            {"who": who, "at": pyarrow.array([*each, each[0], each[2]]).cast(pyarrow.timestamp("s"))}
        )
        for each in (texts, moved)
    ]
    found = attack(*tables, user="who", time="at", attacks=["dates"], points=())
    assert by_name(found, "dates").rate == 1
    assert "each day of at" in by_name(found, "dates").knowledge


EMPTY = Case(
    original={"ann": [("a",)], "bob": [(None,)], "cid": [], "dot": [("b",)]},
    release={"p": [("a",)], "q": [(None,)], "r": [], "s": [(None,), ("b",)]},
    truth={"p": "ann", "q": "bob", "r": "cid", "s": "dot"},
)


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        # a missing value is a value: only cid has an empty set; s has half of bob's and half of dot's set
        ("value", (1, 1, 1, 1 / 2)),
        # dropped, bob and cid both have an empty set, and s has just what dot has
        ("drop", (1, 1 / 2, 1 / 2, 1)),
    ],
)
def test_empty_sets_are_alike(missing: Any, expected: tuple[float, ...]) -> None:
    original, release = (table_of(side, ["goods"]) for side in (EMPTY.original, EMPTY.release))
    found = attack(
        original, release, EMPTY.truth, user="who", item="goods",
        attacks=["jaccard", "weighted_jaccard", "tfidf"], points=(), missing=missing, without_records=True,
    )  # fmt: skip
    for name in ("jaccard", "weighted_jaccard"):
        assert credits_of(found, name, "pqrs") == list(expected)
    assert sum(credits_of(found, "tfidf", "pqr")) == sum(expected[:3])
    assert any("without a record in the release" in remark for remark in found.remarks)


def test_a_pair_is_the_category_or_the_item_with_its_amount() -> None:
    asked: dict[str, Any] = {"user": "who", "attacks": ["pairs"], "points": ()}
    ways: list[tuple[dict[str, Any], str]] = [
        ({"item": "goods", "amount": "price"}, "goods and price"),
        ({"item": "goods", "category": "usage", "amount": "price"}, "usage and price"),
        ({"item": "goods", "amount": "price", "pair": ["entry", "exit", "day"]}, "entry, exit and day"),
    ]
    for parts, told in ways:
        found = attack(*WORKED.tables(), WORKED.truth, **{**parts, **asked})
        assert by_name(found, "pairs").knowledge.endswith(f"combination of {told}")


# How much is known


def test_a_share_is_so_many_records_and_part_of_a_larger_one() -> None:
    """A release has one of ann's ten goods: whether she is surely recognised tells if that is known."""
    goods = [f"g{place}" for place in range(10)]
    original = pyarrow.table({"who": ["ann"] * 10 + ["bob"], "goods": [*goods, "other"]})
    shares, by_seed = (0.5, 0.1, 1.0, 0.26), []
    for seed in (0, 1):
        known: dict[str, set[str]] = {}
        for good in goods:
            found = attack(
                original, pyarrow.table({"who": ["p"], "goods": [good]}), {"p": "ann"}, user="who",
                item="goods", shares=shares, attacks=["jaccard"], points=(), seed=seed,
            )  # fmt: skip
            for each in found.attacks[:-1]:
                assert each.rate in (1, 0.5)
                known.setdefault(each.name, set()).update([good] if each.rate == 1 else [])
        assert list(known) == ["jaccard@10%", "jaccard@26%", "jaccard@50%", "jaccard"]
        parts = list(known.values())
        assert [len(each) for each in parts] == [1, 3, 5, 10]
        assert parts[0] < parts[1] < parts[2] < parts[3]
        by_seed.append(parts[1])
    assert by_seed[0] != by_seed[1]


@settings(max_examples=12)
@given(cases(most=8), some.sampled_from([0.3, 0.5]), some.integers(0, 3))
def test_a_share_is_an_attack_with_a_part_of_the_table(case: Case, share: float, seed: int) -> None:
    """By hand on just the records that are known."""
    asked: dict[str, Any] = {"user": "who", "without_records": True}
    both = pair_tables(*case.tables(), case.truth, **asked)
    part = known_share(both.histories.original, share, seed)
    values, names = both.histories.values, both.original_names.to_pylist()
    known: dict[str, Person] = {name: [] for name in case.original}
    for place, person in enumerate(part.person):
        known[names[person]].append(tuple(values[name][part.codes[name][place]] for name in COLUMNS))
    found = attack(
        *case.tables(), case.truth, **{**asked, **PARTS}, attacks=[*LOOKED_AT], shares=[share], points=(),
        seed=seed, threads=1,
    )  # fmt: skip
    for name, scored in linkages(Case(known, case.release, case.truth)).items():
        called = f"{name}@{share:.0%}"
        assert credits_of(found, called, case.first_names) == pytest.approx(scored.credits(case)), called
        assert by_name(found, called).share == share
        assert f"a random {share:.0%} of every person's records" in by_name(found, called).knowledge


@given(cases(most=5), some.integers(0, 2))
@settings(max_examples=5)
def test_the_whole_share_is_no_share(case: Case, seed: int) -> None:
    asked: dict[str, Any] = {"user": "who", **PARTS, "without_records": True, "points": (), "seed": seed}
    whole = attack(*case.tables(), case.truth, shares=[1], **asked)
    assert answer(whole) == answer(attack(*case.tables(), case.truth, **asked))


def test_attacks_stand_by_kind_then_by_share() -> None:
    found = attack(
        *WORKED.tables(), WORKED.truth, user="who", item="goods", attacks=["tfidf", "jaccard"],
        shares=[1, 0.125], one_to_one=True, points=(1, 2), worst=True,
    )  # fmt: skip
    assert [each.name for each in found.attacks] == [
        "jaccard@12.5%", "jaccard@12.5%_one_to_one", "jaccard", "jaccard_one_to_one",
        "tfidf@12.5%", "tfidf@12.5%_one_to_one", "tfidf", "tfidf_one_to_one", "combined@12.5%", "combined",
        "points_1", "points_2", "worst_points_1", "worst_points_2", "best",
    ]  # fmt: skip


@settings(max_examples=10)
@given(cases(most=6), some.lists(some.sampled_from(sorted(KINDS)), min_size=1, max_size=3, unique=True))
def test_the_best_attack_has_the_highest_rate(case: Case, names: list[str]) -> None:
    found = attack(
        *case.tables(), case.truth, user="who", **PARTS, attacks=names, shares=[0.5, 1], one_to_one=True,
        points=(2,), worst=True, without_records=True,
    )  # fmt: skip
    *others, best = found.attacks
    linked = [each for each in others if each.linked]
    assert len(linked) == len(names) * 4 + 2 * (len(names) > 1)
    assert [each.name for each in others[len(linked) :]] == ["points_2", "worst_points_2"]
    assert found.best is best is not None and found.most is not None
    assert best.rate == found.most.rate == max(each.rate for each in others[:-1])
    most = found.most
    assert best.knowledge == f"{most.knowledge}; of all attacks, {most.name} recognises most"
    assert "best" != found.most.name != "worst_points_2"


# One to one


@settings(max_examples=25)
@given(cases(most=4, most_released=5), some.integers(0, 3))
def test_nobody_is_named_twice_and_no_total_is_higher(case: Case, seed: int) -> None:
    """The mean over all of the best assignments, of which there may be several."""
    names = ["jaccard", "coverage", "records", "amount", "nearest"]
    found = attack(
        *case.tables(), case.truth, user="who", **PARTS, attacks=names, one_to_one=True, points=(), seed=seed,
        without_records=True,
    )  # fmt: skip
    for name in names:
        scored = linkage(name, case)
        ways = [scored.dealt(case, way) for way in best_assignments(scored.scores)]
        credit = credits_of(found, f"{name}_one_to_one", case.first_names)
        shared = [math.fsum(each) / len(ways) for each in zip(*ways, strict=True)]
        assert credit == pytest.approx(shared), name
        attempt = by_name(found, f"{name}_one_to_one")
        assert attempt.certain == credit.count(1)
        assert attempt.identified == pytest.approx(math.fsum(credit))
        assert attempt.bound is not None
        assert attempt.rate <= attempt.bound + 1e-12
        assert attempt.knowledge == f"{by_name(found, name).knowledge}; nobody is named twice"


def test_one_to_one_gets_right_what_single_guesses_do_not() -> None:
    """Both released people are nearest to ann, and only one can be her; of three names one is left over."""

    def spent(**amounts: str) -> pyarrow.Table:
        return pyarrow.table({"who": list(amounts), "price": list(amounts.values())})

    asked: dict[str, Any] = {
        "user": "who", "amount": "price", "attacks": ["amount"], "one_to_one": True, "points": ()
    }  # fmt: skip
    original = spent(ann="10", bob="20")
    found = attack(original, spent(p="10", q="14"), {"p": "ann", "q": "bob"}, **asked)
    assert (by_name(found, "amount").rate, by_name(found, "amount_one_to_one").rate) == (0.5, 1)
    made_up = {"p": "ann", "q": None, "r": None}
    found = attack(original, spent(p="10", q="10", r="10"), made_up, **asked)
    assert credits_of(found, "amount", "pqr") == [1, 0, 0]
    # one of the three is named ann, and each of them as likely as the others
    assert credits_of(found, "amount_one_to_one", "pqr") == [1 / 3, 0, 0]


@pytest.mark.parametrize("seed", range(6))
def test_one_to_one_does_not_tell_apart_who_looks_alike(seed: int) -> None:
    """Whichever of the best assignments the seed chooses, a third of the people is right on average."""
    table = pyarrow.table({"who": [*"abcdef"], "goods": ["x", "y"] * 3})
    release = table.set_column(0, "who", [[*"ABCDEF"]])
    truth = {name: name.lower() for name in "ABCDEF"}
    found = attack(
        table, release, truth, user="who", item="goods", attacks=["jaccard"], one_to_one=True, points=(),
        seed=seed,
    )  # fmt: skip
    attempt = by_name(found, "jaccard_one_to_one")
    assert attempt.bound == 2 / 6
    assert attempt.rate == 1 / 3 <= attempt.bound
    assert credits_of(found, "jaccard_one_to_one", "ABCDEF") == [1 / 3] * 6
    assert attempt.certain == 0


# Ties


@settings(max_examples=20)
@given(cases())
def test_the_first_of_those_who_are_as_good_by_hand(case: Case) -> None:
    found = attack(
        *case.tables(), case.truth, user="who", **PARTS, attacks=[*LOOKED_AT], points=(),
        without_records=True, ties="first",
    )  # fmt: skip
    for name, scored in linkages(case).items():
        assert credits_of(found, name, case.first_names) == scored.first(case), name
        tops = {k: math.fsum(scored.first(case, k)) / len(case.asked) for k in (5, 10)}
        assert by_name(found, name).within == pytest.approx(tops), name


def tied() -> tuple[pyarrow.Table, pyarrow.Table, dict[str, str]]:
    """Thirty people with 1 to 10 goods, three with each number; the table begins with the last of them."""
    people = [(f"o{who:02}", 1 + who % 10) for who in reversed(range(30))]
    rows = [(name, f"{name} {place}") for name, goods in people for place in range(goods)]
    original = pyarrow.table(dict(zip(("who", "goods"), zip(*rows, strict=True), strict=True)))
    truth = {f"r{who:02}": f"o{who:02}" for who in range(30)}
    renamed = [[name.replace("o", "r") for name, _ in rows]]
    return original, original.set_column(0, "who", renamed), truth


def test_the_first_of_tied_people_gets_all_the_credit() -> None:
    original, release, truth = tied()
    asked: dict[str, Any] = {"user": "who", "attacks": ["records"], "points": ()}
    assert credits_of(attack(original, release, truth, **asked), "records", sorted(truth)) == [1 / 3] * 30
    found = attack(original, release, truth, ties="first", **asked)
    assert credits_of(found, "records", sorted(truth)) == [1.0] * 10 + [0.0] * 20
    same = pyarrow.table({"who": [f"o{who:02}" for who in range(12)], "goods": ["x"] * 12})
    found = attack(same, shuffled(same, 0), ties="first", **asked)
    assert credits_of(found, "records", same["who"].to_pylist()) == [1.0] + [0.0] * 11
    assert by_name(found, "records").within == pytest.approx({5: 5 / 12, 10: 10 / 12})


def test_one_of_tied_people_at_random_gets_all_the_credit() -> None:
    """600 draws at 1/3: their mean is within 0.08, four times its deviation."""
    original, release, truth = tied()
    asked: dict[str, Any] = {"user": "who", "item": "goods", "attacks": ["jaccard", "records"], "points": ()}
    drawn = []
    for seed in range(20):
        found = attack(original, release, truth, ties="random", seed=seed, **asked)
        # who is recognised without a tie is so whatever the seed
        assert credits_of(found, "jaccard", sorted(truth)) == [1.0] * 30
        drawn.append(credits_of(found, "records", sorted(truth)))
        assert by_name(found, "records").within == {5: 1.0, 10: 1.0}
    assert {credit for each in drawn for credit in each} == {0.0, 1.0}
    assert math.fsum(map(math.fsum, drawn)) / 600 == pytest.approx(1 / 3, abs=0.08)
    # every third of them is right at times and wrong at times
    assert all(0 < sum(each) < 20 for each in zip(*drawn, strict=True))
    again = attack(original, shuffled(release, 3), truth, ties="random", seed=4, threads=1, **asked)
    assert credits_of(again, "records", sorted(truth)) == drawn[4]


def test_ties_at_random_where_the_right_person_is_far_down_the_list() -> None:
    """Everybody spent 15 more or less than before: at least ten others are nearer."""
    who, spent = [f"o{place:02}" for place in range(30)], [str(place) for place in range(30)]
    original = pyarrow.table({"who": who, "price": spent})
    release = pyarrow.table({"who": who, "price": [*spent[15:], *spent[:15]]})
    asked: dict[str, Any] = {"user": "who", "amount": "price", "attacks": ["amount"], "points": ()}
    found = attack(original, release, **asked, ties="random")
    assert by_name(found, "amount").rate == 0
    assert by_name(found, "amount").within == {5: 0, 10: 0}


@settings(max_examples=10)
@given(cases(), some.integers(0, 9))
def test_a_random_one_is_one_of_those_who_are_as_good(case: Case, seed: int) -> None:
    asked: dict[str, Any] = {"user": "who", **PARTS, "points": (), "without_records": True}
    found = attack(*case.tables(), case.truth, **asked, attacks=[*LOOKED_AT], ties="random", seed=seed)
    for name, scored in linkages(case).items():
        credit = credits_of(found, name, case.first_names)
        for own, shared in zip(credit, scored.credits(case), strict=True):
            assert own in (0, 1) and (0 < shared < 1 or own == shared), name


# Nearest records


def test_records_without_names_need_a_truth_map() -> None:
    """Of five records the release lacks the first: by their places all would be taken for others."""
    original = pyarrow.table({"age": ["20", "31", "45", "58", "70"], "job": [*"abcab"]})
    release = original.slice(1)
    asked: dict[str, Any] = {"attacks": ["nearest"], "points": ()}
    with pytest.raises(UsageError, match="records without a user column have no names; name the column by"):
        attack(original, release, **asked)
    found = attack(original, release, {str(place): str(place + 1) for place in range(1, 5)}, **asked)
    assert (by_name(found, "nearest").rate, by_name(found, "nearest").certain) == (1, 4)
    assert by_name(attack(original, original, **asked), "nearest").rate == 1


def test_how_often_a_record_is_there_is_known() -> None:
    """Both get the same votes and can't be told apart by them, but somebody who counts records can."""
    table = pyarrow.table({"who": ["a", "b", "b"], "goods": ["k"] * 3})
    found = attack(table, table, user="who", attacks=["nearest"], points=())
    assert (by_name(found, "nearest").rate, by_name(found, "nearest").bound) == (0.5, 1)


@pytest.mark.parametrize("part", ["item", "place", "category"])
def test_goods_of_numbers_are_equally_far_apart(part: str) -> None:
    """3 is next to 2 and is neither 1 nor 2 nor 100."""
    original = pyarrow.table({"who": [*"abc"], "goods": ["1", "2", "100"], "kind": [*"xyx"]})
    release = pyarrow.table({"who": ["p"], "goods": ["3"], "kind": ["z"]})
    asked: dict[str, Any] = {"user": "who", "attacks": ["nearest"], "points": ()}
    told = "the attack 'nearest' measures how far apart values of goods are; those of other columns are "
    found = attack(original, release, {"p": "b"}, **asked)
    assert credits_of(found, "nearest", "p") == [1]
    assert f"{told}equal or not" in found.remarks
    named: dict[str, Any] = {part: "goods"}
    found = attack(original, release, {"p": "b"}, **asked, **named)
    assert credits_of(found, "nearest", "p") == [1 / 3]
    assert not any("how far apart" in remark for remark in found.remarks)


def test_what_nearest_measures_is_told() -> None:
    asked: dict[str, Any] = {"user": "who", "points": (), "shares": [0.5, 1]}
    measured = "the attack 'nearest' measures how far apart values of {} are"
    told = f"{measured}; those of other columns are equal or not"
    found = attack(*WORKED.tables(), WORKED.truth, **asked)
    assert found.remarks.count(told.format("day and price")) == 1
    found = attack(*WORKED.tables(), WORKED.truth, columns=["goods", "price"], **asked)
    assert found.remarks.count(told.format("price")) == 1
    found = attack(*WORKED.tables(), WORKED.truth, attacks=["records"], **asked)
    assert not any("how far apart" in remark for remark in found.remarks)


def test_weights_say_which_columns_count() -> None:
    """r is 1/2 from a in x and 1/4 from b in y, so a is nearer where y counts more than twice as much."""
    original = pyarrow.table({"who": [*"abc"], "x": ["0", "2", "4"], "y": ["1", "0", "4"]})
    release = pyarrow.table({"who": ["r"], "x": ["2"], "y": ["1"]})
    asked: dict[str, Any] = {"user": "who", "attacks": ["nearest"], "points": ()}
    by_weights: list[tuple[dict[str, float], str]] = [
        ({"x": 0}, "a"), ({"y": 0}, "b"), ({"x": 1, "y": 1}, "b"), ({"y": 1.9}, "b"), ({"y": 2.1}, "a"),
        ({"x": 0.4}, "a"), ({"x": 10, "y": 20.1}, "a"),
    ]  # fmt: skip
    for weights, nearest in by_weights:
        for name in "ab":
            found = attack(original, release, {"r": name}, weights=weights, **asked)
            assert by_name(found, "nearest").rate == (name == nearest), weights
    found = attack(original, release, {"r": "a"}, weights={"y": 2}, **asked)
    assert by_name(found, "nearest").rate == 0.5
    plain = attack(original, release, {"r": "a"}, **asked)
    assert answer(plain) == answer(attack(original, release, {"r": "a"}, weights={"x": 3, "y": 3}, **asked))


# Rounding


def test_a_cosine_that_rounds_to_nothing_is_a_strangers() -> None:
    """They share one good bought once, beside another that each of them bought 5,000,000 times."""

    def sets(*people: dict[int, int]) -> ItemSets:
        starts = numpy.cumsum([0, *map(len, people)])
        items, counts = (
            numpy.array([each for one in people for each in column(one)], numpy.uint32)
            for column in (dict.keys, dict.values)
        )
        return ItemSets(starts, items, counts)

    pair = SetPair(sets({1: 1}, {0: 1, 2: 5_000_000}, {3: 1}), sets({0: 1, 4: 5_000_000}), 5)
    cosine = CosineLinkage(pair, 1)
    for most in (1, 2, 3):
        best = cosine.best(most, silent)
        assert best.person.tolist() == [[0, 1, 2][:most]]
        assert best.score.tolist() == [[0.0] * most]
        assert best.tied_last.tolist() == [3]
    assert cosine.score(numpy.zeros(3, numpy.int64), numpy.arange(3)).tolist() == [0.0] * 3
    credit, _ = judge_candidates(cosine, cosine.best(10, silent), numpy.array([1]))
    assert credit.tolist() == [1 / 3]


# The same answer


def drawn(people: int, seed: int, prefix: str) -> dict[str, Person]:
    draw = numpy.random.default_rng(seed)
    sizes = draw.integers(1, 7, people)
    return {
        f"{prefix}{who:02}": [
            tuple(VALUES[name][draw.integers(len(VALUES[name]))] for name in COLUMNS) for _ in range(size)
        ]
        for who, size in enumerate(sizes)
    }


ORIGINAL, RELEASE = drawn(25, 1, "o"), drawn(20, 2, "r")
TRUTH = {name: f"o{(place * 7) % 25:02}" if place % 6 else None for place, name in enumerate(RELEASE)}
EVERYTHING: dict[str, Any] = {
    "user": "who", **PARTS, "shares": [0.5, 1], "one_to_one": True, "points": (1, 2), "worst": True,
    "draws": 3, "granularity": {"day": ["month", "exact"]}, "tolerance": {"price": "5%"}, "seed": 3,
}  # fmt: skip


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    return answer(attack(table_of(ORIGINAL), table_of(RELEASE), TRUTH, **EVERYTHING, threads=1))


def shuffled(table: pyarrow.Table, seed: int) -> pyarrow.Table:
    return table.take(numpy.random.default_rng(seed).permutation(len(table)))


@pytest.mark.parametrize("threads", [1, 3])
def test_neither_order_nor_threads_matter(expected: dict[str, Any], threads: int) -> None:
    tables = shuffled(table_of(ORIGINAL), threads), shuffled(table_of(RELEASE), threads)
    truth = dict(reversed(TRUTH.items()))
    assert answer(attack(*tables, truth, **EVERYTHING, threads=threads)) == expected


@pytest.mark.parametrize("kinds", [("csv", "parquet"), ("parquet", "csv")])
def test_the_kind_of_file_does_not_matter(
    tmp_path: Path, expected: dict[str, Any], kinds: tuple[str, str]
) -> None:
    paths = [tmp_path / f"{name}.{kind}" for name, kind in zip(("known", "given"), kinds, strict=True)]
    for path, people in zip(paths, (ORIGINAL, RELEASE), strict=True):
        if path.suffix == ".csv":
            pyarrow.csv.write_csv(table_of(people), path)
        else:
            pyarrow.parquet.write_table(table_of(people), path)
    truth = tmp_path / "truth.csv"
    lines = [f"{name},{original or ''}" for name, original in TRUTH.items()]
    truth.write_text("\n".join(["release_user,original_user", *lines, ""]))
    found = attack(paths[0], paths[1], truth, **EVERYTHING)
    assert answer(found) == expected
    assert (found.original, found.release) == (str(paths[0]), str(paths[1]))


def test_one_answer_on_every_engine(home: Home) -> None:
    """With numbers as numbers, which every database writes in its own way."""
    tables = []
    for people in (ORIGINAL, RELEASE):
        table = table_of(people)
        prices = [None if each is None else float(each) for each in table["price"].to_pylist()]
        tables.append(table.set_column(5, "price", pyarrow.array(prices, pyarrow.float64())))
    here = attack(tables[0], tables[1], TRUTH, **EVERYTHING)
    there = attack(home.put(tables[0]), home.put(tables[1]), TRUTH, **EVERYTHING)
    beside = attack(home.put(tables[0]), tables[1], TRUTH, **EVERYTHING)
    assert answer(there) == answer(beside) == answer(here)
    assert there.engine == home.name


def test_another_seed_is_another_draw(expected: dict[str, Any]) -> None:
    other = answer(attack(table_of(ORIGINAL), table_of(RELEASE), TRUTH, **{**EVERYTHING, "seed": 4}))
    rates = [{each["name"]: each["rate"] for each in told["attacks"]} for told in (expected, other)]
    assert rates[0] != rates[1]
    whole = [name for name in KINDS if name in rates[0]]
    assert [rates[0][name] for name in whole] == [rates[1][name] for name in whole]


# Releases whose rates are known


@settings(max_examples=15)
@given(some.lists(some.lists(RECORDS, min_size=1, max_size=3), min_size=1, max_size=8))
def test_a_release_of_everything_tells_all_but_twins_apart(people: list[Person]) -> None:
    """Rate = different features / people: twins share one credit between them."""
    original = {f"o{place}": each for place, each in enumerate(people)}
    case = Case(original, original, {name: name for name in original})
    tables = table_of(original), shuffled(table_of(original), 0)
    found = attack(*tables, user="who", **PARTS, points=())
    for name, scored in linkages(case).items():
        if name in (
            "jaccard",
            "weighted_jaccard",
            "records",
            "amount",
            "categories",
            "places",
            "dates",
            "pairs",
        ):
            assert by_name(found, name).rate == pytest.approx(len(set(scored.look)) / len(people)), name
            assert by_name(found, name).bound == pytest.approx(by_name(found, name).rate)
    assert any("the same records with the same people" in remark for remark in found.remarks)


@settings(max_examples=15)
@given(
    some.lists(some.sets(some.sampled_from("abcdef"), max_size=4), min_size=2, max_size=9),
    some.integers(1, 3),
    some.data(),
)
def test_unified_clusters_keep_to_c_over_n(
    sets: list[set[str]], clusters: int, data: some.DataObject
) -> None:
    """Improvements T4: everybody of a cluster has the items of all of it; no item-set attack beats c/n."""
    own = [data.draw(some.integers(0, clusters - 1)) for _ in sets]
    unified = [set().union(*(one for one, at in zip(sets, own, strict=True) if at == each)) for each in own]
    sides = [
        {f"{prefix}{place}": [(item,) for item in sorted(each)] for place, each in enumerate(people)}
        for prefix, people in (("o", sets), ("r", unified))
    ]
    if not any(sets):
        return
    truth = {f"r{place}": f"o{place}" for place in range(len(sets))}
    names = ["jaccard", "containment", "coverage", "weighted_jaccard", "tfidf", "categories", "pairs"]
    tables = [table_of(side, ["goods"]) for side in sides]
    tables = [table.append_column("more", table["goods"]) for table in tables]
    found = attack(
        tables[0], tables[1], truth, user="who", item="goods", category="goods", pair=["goods", "more"],
        attacks=names, points=(), without_records=True, one_to_one=True, seed=clusters,
    )  # fmt: skip
    assert sum(each.name.endswith("_one_to_one") for each in found.attacks) == len(names)
    for attempt in found.attacks:
        assert attempt.bound is not None
        assert attempt.rate <= attempt.bound + 1e-12 <= len(set(own)) / len(sets) + 2e-12, attempt.name


def test_purchases_of_400_people(t1: Path) -> None:
    """No two of them have the same goods (README of the data), and many have equally many records."""
    asked: dict[str, Any] = {"user": "customer", "item": "goods", "points": ()}
    found = attack(t1, t1, attacks=["jaccard", "records"], **asked)
    best = by_name(found, "jaccard")
    assert (found.people, best.rate, best.certain, best.bound) == (400, 1, 400, 1)
    assert (best.baseline, best.within) == (1 / 400, {5: 1.0, 10: 1.0})
    counts = pyarrow.csv.read_csv(t1)["customer"].value_counts().to_pylist()
    assert by_name(found, "records").rate == len({each["counts"] for each in counts}) / 400
    assert "the release is the original itself (it is the same data)" in found.remarks[-1]


# Known records


def test_columns_of_known_records_at_all_granularities() -> None:
    found = attack(
        *WORKED.tables(), WORKED.truth, user="who", columns=["day", "price"], attacks=["records"],
        points=(2, 1), granularity={"day": ["day", "month"]}, tolerance={"price": "5%"}, narrow=(1, 3),
        worst=True,
    )  # fmt: skip
    told = [tuple(column.words for column in each.columns) for each in found.unicity if not each.worst]
    day, month, price = "day (to the day)", "day (to the month)", "price (± 5%)"
    ways = [(day,), (month,), (price,), (day, price), (month, price)]
    assert told == [way for way in ways for _ in range(2)]
    assert [each.points for each in found.unicity] == [2, 1] * 10
    assert all(list(each.narrowed) == [1, 3] for each in found.unicity)
    together = [each for each in found.unicity if each.columns == found.together]
    assert [each.points for each in together] == [2, 1, 2, 1]
    for kind, worst in (("points", False), ("worst_points", True)):
        for each in together:
            if each.worst == worst:
                attempt = by_name(found, f"{kind}_{each.points}")
                assert (attempt.rate, attempt.knowledge) == (each.rate, each.sentence())
    # p is bob with his only record; one of q's fits one of ann's, and r's price is off by more than 5%
    assert credits_of(found, "worst_points_2", "pqr") == [1, 1, 0]


def test_without_points_nothing_is_told_of_them() -> None:
    found = attack(*WORKED.tables(), WORKED.truth, user="who", points=())
    assert found.unicity == ()
    assert not any("points" in each.name for each in found.attacks)
    assert found.to_dict()["unicity"] == []
    assert not any(name.startswith("points") for name in found.to_dict()["definitions"])


def test_who_is_recognised_in_every_draw_is_certain() -> None:
    """Four records each, all different: any one of them is enough, however often it is drawn."""
    table = pyarrow.table({"who": ["ann"] * 4 + ["bob"] * 4, "goods": list("abcdefgh")})
    for draws in (3, 7, 10, 49):
        found = attack(table, table, user="who", attacks=[], points=(1, 2), draws=draws)
        for attempt in found.attacks:
            assert (attempt.rate, attempt.certain) == (1, 2)


# The result


def result() -> Reidentification:
    return attack(table_of(ORIGINAL), table_of(RELEASE), TRUTH, **EVERYTHING)


def test_the_document_holds_the_contract_and_no_raw_value(expected: dict[str, Any]) -> None:
    found = result()
    told = found.to_dict()
    text = json.dumps(told, allow_nan=False)
    assert json.loads(text) == told
    assert answer(found) == expected
    assert {"people", "attacks", "unicity", "remarks", "definitions", "seed", "missing_rule"} <= told.keys()
    assert (told["people"], told["original_people"], told["made_up"]) == (20, 25, 4)
    for each in told["attacks"]:
        assert each.keys() >= CONTRACT | {"certain", "bound", "top", "share", "people"}
        assert 0 <= each["low"] <= each["rate"] <= each["high"] <= 1
        assert each["identified"] == pytest.approx(each["rate"] * 20)
        assert each["knowledge"].startswith("the attacker ")
    assert "interval" in told and "happen to be in the release" in told["interval"]["covers"]
    raw = {value for values in VALUES.values() for value in values if value and len(value) > 2}
    for name in (*ORIGINAL, *RELEASE, *(raw - {"0.1", "0.2", "0.3"})):
        assert name not in text


def test_the_result_as_tables() -> None:
    found = result()
    frame, arrow = found.to_frame(), found.to_arrow()
    assert [*frame.columns] == arrow.column_names
    assert {*arrow.column_names} >= CONTRACT | {"share", "bound", "top_5", "top_10"}
    assert arrow["name"].to_pylist() == [each.name for each in found.attacks] == frame["name"].tolist()
    assert arrow["rate"].to_pylist() == [each.rate for each in found.attacks]
    page = found._repr_html_()
    assert page.count("<tr>") == len(found.attacks) + 1
    assert "weighted_jaccard@50%_one_to_one" in page
    assert page.count("<li>") == len(found.remarks) > 0
    assert repr(found).startswith("<Reidentification of Table: 20 people; rates: jaccard@50% ")
    assert not any(name in repr(found) for name in (*ORIGINAL, *RELEASE))


def test_the_table_of_people() -> None:
    found = result()
    table = found.people_table()
    assert table.column_names == [
        "release_user", "original_user", *(each.name for each in found.attacks if each.name != "best")
    ]  # fmt: skip
    rows = table.to_pylist()
    assert {row["release_user"]: row["original_user"] for row in rows} == TRUTH
    for each in found.attacks:
        if each.name != "best":
            assert math.fsum(row[each.name] for row in rows) == pytest.approx(each.identified)
            assert all(row[each.name] == 0 for row in rows if row["original_user"] is None)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_people_are_written_to_a_file(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"fell.{ending}"
    found = attack(*WORKED.tables(), WORKED.truth, user="who", item="goods", points=(), people=path)
    read = pyarrow.csv.read_csv(path) if ending == "csv" else pyarrow.parquet.read_table(path)
    assert read.column_names == found.people_table().column_names
    assert read["release_user"].to_pylist() == ["p", "q", "r"]
    assert read["jaccard"].to_pylist() == [1, 1, 0]
    assert [*tmp_path.iterdir()] == [path]


def test_the_function_is_public() -> None:
    assert singleout.attack is attack


# The study


STUDY = """
[columns]
who = "user"
goods = "item"
day = "time"
price = "amount"
usage = "ignore"
gone = "quasi-identifier"

[renamed]
who = "person"
goods = "article"
"""


def test_a_study_names_the_columns(tmp_path: Path) -> None:
    """The same attack as with the columns named one by one; the release lacks `gone`, and has other names."""
    original, release = WORKED.tables()
    original = original.append_column("gone", original["goods"])
    other = release.rename_columns(["person", "article", *release.column_names[2:]])
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    by_study = attack(original, other, WORKED.truth, study=path, points=(1,))
    by_word = attack(
        *WORKED.tables(), WORKED.truth, user="who", item="goods", time="day", amount="price", points=(1,),
        columns=["goods", "entry", "exit", "day", "price"],
    )  # fmt: skip
    assert answer(by_study) == answer(by_word)
    assert {each.name for each in by_study.attacks} >= {"jaccard", "dates", "amount", "pairs", "nearest"}
    assert by_study.user == "who"
    assert "goods and price" in by_name(by_study, "pairs").knowledge


@pytest.mark.parametrize("lacking", ["goods", "day", "price"])
def test_a_role_whose_column_the_release_lacks_is_left_out(lacking: str) -> None:
    original, release = WORKED.tables()
    study = Study({"who": "user", "goods": "item", "day": "time", "price": "amount"})
    found = attack(original, release.drop_columns(lacking), WORKED.truth, study=study, points=())
    gone = {"goods": {"jaccard", "tfidf", "pairs"}, "day": {"dates"}, "price": {"amount", "pairs"}}[lacking]
    names = {each.name for each in found.attacks}
    assert not names & gone
    assert names >= {"jaccard", "dates", "amount", "pairs", "nearest", "records"} - gone
    with pytest.raises(UsageError, match="needs a column"):
        attack(
            original,
            release.drop_columns(lacking),
            WORKED.truth,
            study=study,
            attacks=sorted(gone),
            points=(),
        )


def test_what_is_given_goes_before_the_study() -> None:
    study = Study({"who": "user", "goods": "item", "price": "amount"}, renamed={"goods": "entry"})
    found = attack(
        *WORKED.tables(), WORKED.truth, study=study, item="usage", renamed={"goods": "goods"}, points=(),
        attacks=["jaccard"],
    )  # fmt: skip
    assert by_name(found, "jaccard").knowledge.endswith("the set of usage")


# What can't be done


def fails(kind: type[Exception], **asked: Any) -> str:
    with pytest.raises(kind) as caught:
        attack(*WORKED.tables(), WORKED.truth, **{"user": "who", **asked})
    assert "\n" not in str(caught.value)
    return str(caught.value)


WRONG: list[tuple[dict[str, Any], str]] = [
    (
        {"attacks": ["jacard", "amount", "dates"]},
        "there is no attack 'jacard'; did you mean 'jaccard' or 'idf_jaccard' or 'jaccard_csls'?; the attack "
        "'amount' needs a column; name it by --amount; the attack 'dates' needs a column; name it by --time",
    ),
    ({"attacks": "jaccard"}, "attacks: 'jaccard' is one name; give a list of names"),
    (
        {"attacks": ["best", "combined", "bst"]},
        "'best' comes by itself with others; name these; 'combined' comes by itself with others; name these; "
        "there is no attack 'bst'",
    ),
    (
        {"item": ["gods"], "time": "dya"},
        "the original Table has no column 'gods'; did you mean 'goods'?; the original Table has no column "
        "'dya'; did you mean 'day'",
    ),
    ({"category": ["usage", "who"]}, "'who' is the user column; an attacker who knows it needs nothing else"),
    ({"amount": ["price", "day"]}, "amount: price, day are several columns; name one to add up"),
    ({"pair": "goods"}, "pair: 'goods' is one column; name at least two"),
    ({"shares": [0.5, 2]}, "known shares: 2 is none; give some above 0 and at most 1"),
    ({"shares": []}, "known shares: 'nothing' is none"),
    (
        {"points": [0], "draws": 0, "narrow": [0]},
        "points: 0 must be a whole number from 1 to 1,000; draws: 0 must be a whole number from 1 to 10,000; "
        "narrow: 0 must be a whole number from 1 to 1,000,000,000,000",
    ),
    ({"points": [1, 1001]}, "points: 1001 must be a whole number from 1 to 1,000"),
    ({"draws": 10_001}, "draws: 10001 must be a whole number from 1 to 10,000"),
    ({"narrow": [5, 2.5]}, "narrow: 2.5 must be a whole number from 1 to 1,000,000,000,000"),
    ({"ties": "last"}, "ties: 'last' is no rule; there are shared, first, random"),
    ({"ties": None}, "ties: None is no rule; there are shared, first, random"),
    (
        {"weights": {"gods": 1, "price": -1}},
        "'gods' is weighted but not compared: did you mean 'goods'?; the weight of 'price' is -1, it must be",
    ),
    ({"weights": {"who": 1}}, "'who' is weighted but not compared: there are 'goods', 'entry', 'exit'"),
    ({"weights": {"price": math.nan}}, "the weight of 'price' is nan, it must be"),
    ({"weights": {"price": math.inf}}, "the weight of 'price' is inf, it must be"),
    ({"weights": {"price": "2"}}, "the weight of 'price' is '2', it must be a number from 0 on"),
    ({"weights": {"price": True}}, "the weight of 'price' is True, it must be a number from 0 on"),
    ({"weights": {"price": 0}, "columns": ["price"]}, "no column is compared: name at least one"),
    (
        {"weights": {"price": 2}, "attacks": ["records"]},
        "weights are for the attack 'nearest', which is not made; name it by --attacks",
    ),
    ({"granularity": {"dya": ["month"]}}, "'dya' is no column of a known record; did you mean 'day'"),
    ({"columns": ["goods"], "tolerance": {"price": "5%"}}, "'price' is no column of a known record"),
    ({"granularity": {"day": ["moon"]}}, "column 'day': 'moon' is no granularity"),
    ({"tolerance": {"price": "a bit"}}, "column 'price': 'a bit' is no tolerance"),
    ({"missing": "wildcard"}, "a missing value that matches all would match everybody"),
    ({"threads": 0}, "threads must be a whole number from 1 to 256"),
    ({"columns": []}, "no column is left to compare; name some"),
]


@pytest.mark.parametrize(("asked", "said"), WRONG)
def test_bad_usage_is_said_in_one_line(asked: dict[str, Any], said: str) -> None:
    assert said in fails(UsageError, **asked)


ODD: list[tuple[dict[str, Any], str]] = [
    ({"columns": "day"}, "columns: 'day' is one name; give a list of names"),
    ({"points": [1.5]}, "points: 1.5 must be a whole number from 1 to 1,000"),
    ({"points": 2}, "points: 2 is no list of whole numbers"),
    ({"points": [True]}, "points: True must be a whole number from 1 to 1,000"),
    ({"draws": 1.5}, "draws: 1.5 must be a whole number from 1 to 10,000"),
    ({"narrow": "5"}, "narrow: '5' is no list of whole numbers"),
    ({"shares": 0.5}, "known shares"),
    ({"granularity": {"day": [3]}}, "column 'day': 3 is no granularity"),
    ({"tolerance": {"price": 0.5}}, "column 'price': 0.5 is no tolerance"),
    ({"item": 3}, "item: a column is named by text, not by 3"),
    ({"item": "who"}, "'who' is the user column"),
]


@pytest.mark.parametrize(("asked", "said"), ODD)
def test_values_that_only_python_can_give(asked: dict[str, Any], said: str) -> None:
    assert said in fails(UsageError, **asked)


@pytest.mark.parametrize("attacks", [[["nearest"]], [3]])
def test_attacks_that_are_no_names(attacks: Any) -> None:
    assert "an attack is named by text" in fails(UsageError, attacks=attacks)


@pytest.mark.parametrize("weights", [3, ["price"], "price=2", {3: 1}])
def test_weights_that_are_no_mapping_of_columns(weights: Any) -> None:
    assert "weight" in fails(UsageError, weights=weights)


def test_a_column_that_is_named_goes_before_its_role() -> None:
    """As --columns does: an attacker may be supposed to know what the study calls sensitive."""
    study = Study({"who": "user", "goods": "sensitive"})
    asked: dict[str, Any] = {"study": study, "attacks": ["jaccard"], "points": ()}
    found = attack(*WORKED.tables(), WORKED.truth, item="goods", **asked)
    assert by_name(found, "jaccard").rate == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "days", [["2011/1/30", "2011/1/31"], ["2011-01-30", "2011-01-31"], ["2011.1.3", "2011.12.31"]]
)
def test_days_are_cut_however_they_are_written(days: list[str]) -> None:
    tables = [
        pyarrow.table({"who": ["ann", "bob"], "at": [f"{day} {hour}:00" for day in days]}) for hour in (8, 19)
    ]
    found = attack(tables[0], tables[1], user="who", time="at", attacks=["dates"], shares=[0.125], points=())
    told = by_name(found, "dates@12.5%")
    assert "12.5% of every person's records" in told.knowledge
    assert (told.rate, told.certain) == (1, 2)
    assert not any("the attack 'dates'" in remark for remark in found.remarks)


@pytest.mark.parametrize("other", ["2011-01", "08:26", "soon", "2011-02-30", "2011/1-30"])
def test_times_without_a_day_are_compared_as_they_are(other: str) -> None:
    """So an hour that was moved hides ann, and cid, who has no day, is still found."""
    who = ["ann", "bob", "cid"]
    tables = [
        pyarrow.table({"who": who, "at": [f"2011-01-30 {hour}:00", "2011-01-31 08:00", other]})
        for hour in ("08", "09")
    ]
    asked: dict[str, Any] = {"user": "who", "time": "at", "attacks": ["dates"], "points": ()}
    found = attack(tables[0], tables[1], **asked, shares=[0.5, 1])
    told = "column 'at': not all its values are dates, so the attack 'dates' compares them as they are"
    assert found.remarks.count(told) == 1
    assert credits_of(found, "dates", who) == [1 / 3, 1, 1]
    found = attack(tables[0].slice(0, 2), tables[1].slice(0, 2), **asked)
    assert told not in found.remarks
    assert credits_of(found, "dates", who[:2]) == [1, 1]


def test_a_column_may_be_looked_at_by_one_attack_only() -> None:
    """Named for a part and not among `columns`: `nearest` and known records do not look at it."""
    found = attack(
        *WORKED.tables(), WORKED.truth, user="who", item="goods", columns=["price"],
        attacks=["jaccard", "nearest"], points=(1,),
    )  # fmt: skip
    assert by_name(found, "jaccard").knowledge.endswith("the set of goods")
    assert by_name(found, "nearest").knowledge.endswith("every record in price")
    assert {column.name for each in found.unicity for column in each.columns} == {"price"}


def test_amounts_that_are_no_numbers() -> None:
    said = fails(InputError, amount="goods", attacks=["amount"])
    assert said.startswith("column 'goods': 4 of its 4 different values are no numbers")
    assert "tea" not in said


def test_people_are_not_written_over_what_is_read(tmp_path: Path) -> None:
    original, release = tmp_path / "o.csv", tmp_path / "r.csv"
    truth, study = tmp_path / "truth.csv", tmp_path / "study.csv"
    for path, table in zip((original, release), WORKED.tables(), strict=True):
        pyarrow.csv.write_csv(table, path)
    truth.write_text("release_user,original_user\np,bob\nq,ann\nr,\n")
    study.write_text('[columns]\nwho = "user"\n')
    link = tmp_path / "link.csv"
    link.symlink_to(release)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for target in (original, release, truth, study, link, tmp_path / "." / "o.csv"):
        with pytest.raises(OutputError, match="belongs to what is read; name another file"):
            attack(original, release, truth, study=study, people=target, points=())
    for target, said in (
        (tmp_path / "fell.txt", "end the name in"),
        (tmp_path / "no" / "fell.csv", "no such"),
    ):
        with pytest.raises(OutputError, match=said):
            attack(original, release, truth, study=study, people=target, points=())
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_long_work_is_asked_about_some_people_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MOST_PAIRS", 10), ("MOST_WORK", 0), ("LEAST_ASKED", 2)):
        monkeypatch.setattr(f"singleout.attacks.attack_run.{name}", value)
    asked: dict[str, Any] = {"user": "who", "item": "goods", "points": ()}
    found = attack(*WORKED.tables(), WORKED.truth, **asked)
    whole = attack(*WORKED.tables(), WORKED.truth, attacks=["nearest", "bayes"], **asked)
    for name in ("nearest", "bayes"):
        some_people, everybody = by_name(found, name), by_name(whole, name)
        told = f"the attack {name!r} would take long for all people of the release, and was asked about 2 of"
        assert any(remark.startswith(told) for remark in found.remarks)
        assert some_people.people == 2 < everybody.people == found.people
        assert some_people.bound is not None and "asked of 2 of the" in some_people.knowledge


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[str, int, int]] = []
    attack(
        *WORKED.tables(), WORKED.truth, **EVERYTHING,
        progress=lambda doing, done, total: told.append((doing, done, total)),
    )  # fmt: skip
    assert told[-1] == ("done", 1, 1)
    assert all(0 <= done <= total for _, done, total in told)
    doing = {each for each, _, _ in told}
    for name in KINDS:
        assert any(name in each for each in doing) or name in (*WHERE_CHANGED, "repeats", "histories"), name


# A release that was made coarser


def coarse(days: list[str], goods: list[str]) -> pyarrow.Table:
    return pyarrow.table({"who": ["p", "q", "r"], "day": days, "goods": goods})


FINE = pyarrow.table(
    {
        "who": ["ann", "bob", "cid"],
        "day": ["2023-06-13", "2023-07-01", "2023-07-30"],
        "goods": ["tea", "milk", "salt"],
    }
)
WHO = {"p": "ann", "q": "bob", "r": "cid"}


def test_values_that_were_cut_are_compared_as_they_are_now() -> None:
    """2023-06 is no value of the original, but whoever knows 2023-06-13 knows to look for it."""
    release = coarse(["2023-06", "2023-07", "2023-07"], ["tea", "milk", "salt"])
    found = attack(FINE, release, WHO, user="who", time="day", item="goods", points=[1])
    assert by_name(found, "dates").rate == pytest.approx((1 + 1 / 2 + 1 / 2) / 3)
    ways = {tuple(column.name for column in each.columns): each for each in found.unicity}
    assert ways["day",].unique == pytest.approx(1 / 3)
    assert ways["day", "goods"].unique == 1
    assert any("compared with the original's, as dates, to the month" in each for each in found.remarks)
    assert not any(each.blind for each in found.attacks)


def test_columns_in_which_nothing_agrees_are_not_used_to_look_for_records() -> None:
    """With them nobody would fit, and the release would look safe."""
    release = coarse(["summer", "summer", "autumn"], ["tea", "milk", "salt"])
    found = attack(FINE, release, WHO, user="who", time="day", item="goods", points=[1])
    assert [[column.name for column in each.columns] for each in found.unicity] == [["goods"]]
    assert by_name(found, "points_1").rate == 1
    assert {each.name for each in found.attacks if each.blind} == {"dates"}
    assert any("'dates' can only guess" in each for each in found.remarks)
    nothing = attack(FINE, coarse(["x"] * 3, ["y"] * 3), WHO, user="who", item="goods", points=[1])
    assert nothing.unicity == ()
    assert nothing.enough is None


def test_an_attacker_ignores_a_column_that_was_changed() -> None:
    """All columns together fit nobody's record but bob's, the goods alone everybody's."""
    release = coarse(["2023-07-01", "2023-07-01", "2023-06-13"], ["tea", "milk", "salt"])
    found = attack(FINE, release, WHO, user="who", item="goods", points=[1])
    assert by_name(found, "points_1").rate == 1
    assert by_name(found, "points_1").knowledge.endswith("by goods")
    assert found.enough is not None
    assert [each.name for each in found.enough.columns] == ["goods"]


def test_guesses_are_whom_each_attack_names(tmp_path: Path) -> None:
    """Its credit is the confidence of the right candidate, where all that are as good are listed."""
    path = tmp_path / "guesses.parquet"
    found = attack(
        *WORKED.tables(), WORKED.truth, user="who", item="goods", points=(), guesses=path,
        attacks=["jaccard", "histories"],
    )  # fmt: skip
    rows = pyarrow.parquet.read_table(path).to_pylist()
    names = dict(zip(*(each.to_pylist() for each in found.names.columns), strict=True))
    for each in (attempt for attempt in found.attacks if attempt.name != "best"):
        right = {
            row["release_user"]: row["confidence"]
            for row in rows
            if row["attack"] == each.name and names[row["release_user"]] == row["original_user"]
        }
        assert [right.get(name, 0.0) for name in names] == pytest.approx(each.credit[found.name_person])
        assert {row["release_user"] for row in rows if row["attack"] == each.name} == {*names}
