"""New names for people: fresh and random, or made by a key so that they are the same everywhere."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable

import numpy
import pyarrow
from numpy.typing import NDArray

LETTERS = numpy.frombuffer(b"23456789abcdefghjkmnpqrstuvwxyz", dtype="S1")
LEAST_LENGTH = 6
KEYED_LENGTH = 20
RANDOM_FORM = re.compile(f"[{LETTERS.tobytes().decode()}]{{{LEAST_LENGTH},}}")
KEYED_FORM = re.compile(f"[0-9a-f]{{{KEYED_LENGTH}}}")


def random_pseudonyms(people: int, draw: numpy.random.Generator) -> pyarrow.Array:
    """A random text for each person, all different and of one length, so long that none can be guessed.

    >>> names = random_pseudonyms(3, numpy.random.default_rng(1)).to_pylist()
    >>> len(set(names)), {len(name) for name in names}
    (3, {6})
    """
    length = LEAST_LENGTH
    while len(LETTERS) ** length < 100 * max(people, 1) ** 2:
        length += 1
    while True:
        drawn = LETTERS[_letters(people * length, draw.bytes(32))]
        texts = drawn.view(f"S{length}").reshape(people).astype(str)
        if len(numpy.unique(texts)) == people:
            return pyarrow.array(texts, pyarrow.string())


def _letters(count: int, key: bytes) -> NDArray[numpy.uint8]:
    """So many numbers of letters from a cryptographic stream: no name tells anything about another."""
    fair = 256 - 256 % len(LETTERS)
    wanted = count + 64
    while True:
        drawn = numpy.frombuffer(hashlib.shake_256(key).digest(wanted), numpy.uint8)
        drawn = drawn[drawn < fair]
        if len(drawn) >= count:
            return drawn[:count] % numpy.uint8(len(LETTERS))
        wanted *= 2


def keyed_pseudonyms(names: pyarrow.Array, key: bytes) -> pyarrow.Array:
    """HMAC-SHA-256 of each name, shortened: the same name and key give the same text in every table.

    >>> keyed_pseudonyms(pyarrow.array(["ann", None]), b"k" * 32).to_pylist()
    ['8adee30bc7f03373ea62', None]
    """
    pseudonyms = [
        None
        if name is None
        else hmac.new(key, name.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:KEYED_LENGTH]
        for name in names.cast(pyarrow.string()).to_pylist()
    ]
    return pyarrow.array(pseudonyms, pyarrow.string())


def may_be_pseudonyms(names: Iterable[str], keyed: bool) -> bool:
    """Whether names have the form of those made here; others are certainly not.

    >>> may_be_pseudonyms(["3kq9xz", "aa77bc"], keyed=False), may_be_pseudonyms(["p1", "p2"], keyed=False)
    (True, False)
    """
    listed, form = [*names], KEYED_FORM if keyed else RANDOM_FORM
    return len({len(name) for name in listed}) <= 1 and all(map(form.fullmatch, listed))
