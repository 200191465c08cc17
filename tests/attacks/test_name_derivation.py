"""Names of a release that follow from those of the original, and random ones that do not."""

from __future__ import annotations

import base64
import hashlib
import hmac
import random
import uuid
from collections.abc import Callable

import numpy
import pytest

from singleout.attacks.name_derivation import (
    _begins_as_digest,
    _digest_writings,
    name_derivation_clue,
    value_derivation_clue,
)

OLD = [str(number) for number in random.Random(0).sample(range(10_000, 99_999), 200)]
DERIVED: dict[str, Callable[[str, int], str]] = {
    "md5": lambda old, _: hashlib.md5(old.encode()).hexdigest(),
    "sha1 in capitals": lambda old, _: hashlib.sha1(old.encode()).hexdigest().upper(),
    "the beginning of sha256": lambda old, _: hashlib.sha256(old.encode()).hexdigest()[:10],
    "sha256 in base64": lambda old, _: base64.b64encode(hashlib.sha256(old.encode()).digest()).decode(),
    "base64": lambda old, _: base64.b64encode(old.encode()).decode(),
    "backwards": lambda old, _: old[::-1],
    "digits for others": lambda old, _: old.translate(str.maketrans("0123456789", "4710259683")),
    "a number added": lambda old, _: str(int(old) + 7_000_000),
    "a word before": lambda old, _: f"customer {old}",
    "counted": lambda _, place: f"p{place + 1}",
    "a multiple of the place, modulo a prime": lambda _, place: f"{7 * place % 211:03}",
    "a multiple of the number, modulo another": lambda old, _: f"p{(301 * int(old) + 7) % 100_003}",
    "a multiple of the rank": lambda old, _: str((89 * sorted(OLD).index(old) + 5) % 200),
    "counted down": lambda _, place: str(5_000 - place),
    "within other digits": lambda old, place: f"{31 * place % 100:02}{old}{17 * place % 100:02}",
    "a digest of a digest": lambda old, _: hashlib.md5(
        hashlib.md5(old.encode()).hexdigest().encode()
    ).hexdigest(),
    "a digest with a word before": lambda old, _: hashlib.sha256(f"salt{old}".encode()).hexdigest()[:12],
    "a digest with a word behind": lambda old, _: hashlib.md5(f"{old}_SECRET".encode()).hexdigest(),
    "a digest with a word as its key": lambda old, _: hmac.new(b"changeme", old.encode(), "sha1").hexdigest(),
    "a digest behind a letter": lambda old, _: f"u{hashlib.md5(old.encode()).hexdigest()}",
    "a digest with a word, behind another": lambda old, _: (
        f"id-{hashlib.sha256(f'salt{old}'.encode()).hexdigest()[:12]}"
    ),
    "a digest of a line": lambda old, _: hashlib.md5(f"{old}\n".encode()).hexdigest(),
    "UUID of version 5": lambda old, _: str(uuid.uuid5(uuid.NAMESPACE_DNS, old)),
    "a digest of the place": lambda _, place: hashlib.sha256(str(place + 1).encode()).hexdigest()[:12],
    "of other lengths": lambda old, place: hashlib.blake2b(old.encode(), key=b"k").hexdigest()[
        : 6 + place // 8
    ],
}


def clue(new: list[str]) -> str | None:
    everybody = numpy.arange(len(OLD))
    return name_derivation_clue(new, everybody, OLD, everybody)


@pytest.mark.parametrize("way", DERIVED)
def test_names_without_a_secret_are_found(way: str) -> None:
    assert clue([DERIVED[way](old, place) for place, old in enumerate(OLD)])


@pytest.mark.parametrize("seed", range(30))
def test_random_names_are_none(seed: int) -> None:
    draw = random.Random(seed)
    assert clue([f"{draw.getrandbits(40):010x}" for _ in OLD]) is None
    assert clue([str(draw.getrandbits(30)) for _ in OLD]) is None
    keyed = [hashlib.blake2b(old.encode(), key=b"%d" % seed).hexdigest() for old in OLD]
    assert clue(keyed) is None
    assert clue([f"u{each}" for each in keyed]) is None
    salted = [hashlib.sha256(f"{draw.getrandbits(30)}{old}".encode()).hexdigest()[:12] for old in OLD]
    assert clue(salted) is None
    # as long as the old ones, and some of them by chance the same
    assert clue([str(draw.randrange(10_000, 99_999)) for _ in OLD]) is None


def test_a_code_of_the_place_is_found_in_a_release_of_some() -> None:
    some = numpy.sort(numpy.random.default_rng(3).permutation(len(OLD))[:12])
    new = [f"p{7 * place % 211}" for place in some.tolist()]
    found = name_derivation_clue(new, some, OLD, numpy.arange(len(OLD)))
    assert found and "modulo" in found


@pytest.mark.parametrize("old", ["Ann", "12345", "Ÿvès", "a b"])
def test_what_is_a_digest_begins_as_one(old: str) -> None:
    """Names that begin otherwise are not held against digests: none may be missed by that."""
    written = [each for _, writing in _digest_writings("x") for each in writing(old)]
    assert len(written) > 40
    assert all(_begins_as_digest(each, old) and _begins_as_digest(each[:6].upper(), old) for each in written)
    assert not any(_begins_as_digest(each[:5], old) for each in written)


@pytest.mark.parametrize("people", [4, 5, 7, 9, 12, 20])
def test_few_people_who_are_numbered_by_chance_are_no_clue(people: int) -> None:
    everybody = numpy.arange(people)
    old = [f"n{number}" for number in everybody]
    alarms = 0
    for seed in range(300):
        new = [str(number) for number in random.Random(seed).sample(range(1, people + 1), people)]
        alarms += name_derivation_clue(new, everybody, old, everybody) is not None
    assert alarms == 0


VALUES = [str(number) for number in random.Random(1).sample(range(1_000, 9_999), len(OLD))]


@pytest.mark.parametrize(
    "way",
    [
        lambda value: value,
        lambda value: f"p{value}",
        lambda value: str(int(value) * 77 % 10_007),
        lambda value: hashlib.sha256(value.encode()).hexdigest(),
        lambda value: f"{int(value) * 31 % 97:02}x{value}",
    ],
    ids=["the value itself", "a letter before it", "a multiple of it", "its digest", "within other letters"],
)
def test_names_made_of_a_column_that_is_not_released_are_found(way: Callable[[str], str]) -> None:
    found = value_derivation_clue([way(value) for value in VALUES], VALUES, "card")
    assert found and "the values of card in the original" in found


@pytest.mark.parametrize("different", [1, 2, 7, 200])
def test_sorted_random_names_do_not_follow_from_a_column(different: int) -> None:
    """Equal values come in no order of their own."""
    for seed in range(20):
        draw = random.Random(seed)
        names = sorted(f"{draw.getrandbits(40):010x}" for _ in OLD)
        values = [VALUES[draw.randrange(different)] for _ in OLD]
        assert value_derivation_clue(names, values, "town") is None
    assert value_derivation_clue([], [], "town") is None


def test_a_value_that_all_names_contain_says_nothing() -> None:
    """A word before all names is in them, whoever they are, and so may short values be by chance."""
    draw = random.Random(4)
    names = [f"card{draw.getrandbits(40):012}" for _ in OLD]
    assert value_derivation_clue(names, ["card"] * len(OLD), "kind") is None
    assert value_derivation_clue(names, [str(draw.randrange(10, 99)) for _ in OLD], "age") is None


def test_no_name_is_told() -> None:
    found = clue([old[::-1] for old in OLD])
    assert found
    assert not any(old in found for old in OLD)


def test_nobody_is_no_clue() -> None:
    nobody = numpy.array([], dtype=numpy.int64)
    assert name_derivation_clue([], nobody, [], nobody) is None


PARTS: dict[str, Callable[[str, str], str]] = {
    "the number": lambda _, number: f"P{number}",
    "more than the number": lambda _, number: str(int(number) + 1234),
    "a multiple of the number": lambda _, number: str(7 * int(number) % 100_003),
    "the number backwards": lambda _, number: number[::-1],
    "a digest of the number": lambda _, number: hashlib.sha256(number.encode()).hexdigest()[:12],
    "a digest without blanks": lambda old, _: hashlib.sha256(old.replace(" ", "").encode()).hexdigest(),
}


@pytest.mark.parametrize("way", PARTS)
def test_names_made_of_a_part_of_old_ones_are_found(way: str) -> None:
    draw = random.Random(3)
    old = [f"{draw.choice(['Ann', 'Bob', 'Eve'])} {draw.choice('xyz')} {number}" for number in OLD]
    new = [PARTS[way](name, number) for name, number in zip(old, OLD, strict=True)]
    everybody = numpy.arange(len(old))
    assert name_derivation_clue(new, everybody, old, everybody) is not None
    for seed in range(20):
        drawn = [f"p{number}" for number in random.Random(f"new {seed}").sample(range(10_000), len(old))]
        assert name_derivation_clue(drawn, everybody, old, everybody) is None


TOWNS = {"Bonn": "B", "Köln": "K", "Trier": "T", "Essen": "B"}
TELLING_PARTS: dict[str, Callable[[str, str], str]] = {
    "a letter for the town": lambda town, number: f"{TOWNS[town]}{number}",
    "a code before": lambda town, number: f"p{len(town) % 3}-{number}",
    "a code behind": lambda town, number: f"{number}/{TOWNS[town]}",
    "the length": lambda town, number: number + "0" * (town == "Bonn"),
}


@pytest.mark.parametrize("way", TELLING_PARTS)
def test_names_of_which_a_part_goes_with_a_value_are_found(way: str) -> None:
    """Of those of one town or district all names begin, or end, alike: nobody would draw them so."""
    draw = random.Random(4)
    towns = [draw.choice([*TOWNS]) for _ in OLD]
    drawn = random.Random(5).sample(range(10_000, 99_999), len(OLD))
    new = [TELLING_PARTS[way](town, str(number)) for town, number in zip(towns, drawn, strict=True)]
    found = value_derivation_clue(new, towns, "town")
    assert found is not None and "town" in found and not any(town in found for town in TOWNS)


@pytest.mark.parametrize("values", ["few", "one", "rare", "all different"])
def test_parts_of_random_names_go_with_nothing(values: str) -> None:
    for seed in range(30):
        draw = random.Random(seed)
        named = {
            "few": [draw.choice("mf") for _ in OLD],
            "one": ["de"] * len(OLD),
            "rare": ["fr", *["de"] * (len(OLD) - 1)],
            "all different": [f"{each} Street" for each in OLD],
        }[values]
        for names in (
            [f"p{number}" for number in draw.sample(range(10_000), len(OLD))],
            ["".join(draw.choices("abcdefghjkmnpqrstuvwxyz23456789", k=6)) for _ in OLD],
        ):
            assert value_derivation_clue(names, named, "town") is None
