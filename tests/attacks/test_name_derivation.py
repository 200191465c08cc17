"""Names of a release that follow from those of the original, and random ones that do not."""

from __future__ import annotations

import base64
import hashlib
import random
from collections.abc import Callable

import numpy
import pytest

from singleout.attacks.name_derivation import name_derivation_clue

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
    "counted down": lambda _, place: str(5_000 - place),
}


def clue(new: list[str]) -> str | None:
    return name_derivation_clue(new, OLD, numpy.arange(len(OLD)))


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
    # as long as the old ones, and some of them by chance the same
    assert clue([str(draw.randrange(10_000, 99_999)) for _ in OLD]) is None


def test_no_name_is_told() -> None:
    found = clue([old[::-1] for old in OLD])
    assert found
    assert not any(old in found for old in OLD)


def test_nobody_is_no_clue() -> None:
    assert name_derivation_clue([], [], numpy.array([], dtype=numpy.int64)) is None
