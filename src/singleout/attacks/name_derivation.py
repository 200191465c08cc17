"""Whether the names of a release can be computed from those of the original: pseudonyms without a secret."""

from __future__ import annotations

import base64
import codecs
import hashlib
import zlib
from collections.abc import Callable, Iterator, Sequence

import numpy

from singleout.attacks.record_order import rank_agreement
from singleout.engine.codes.histories import Indices

HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b", "blake2s")
# of a digest, the fewest first characters that nobody takes for chance
LEAST_DIGEST = 6
LEAST_NAME = 2
LEAST_ENCIPHERED = 8
MOST_LOOKED_AT = 2_000
# a few may be alike by chance
LEAST_SHARE = 0.05
DIGEST = "they are digests of the original's names ({}) without a secret, which everybody can compute"
WRITTEN = "they are the original's names {}, which everybody can undo"
RISING = "they rise with {} (rank correlation {:.2f})"
Writing = Callable[[str], Iterator[str]]


def name_derivation_clue(released: Sequence[str], original: Sequence[str], first_line: Indices) -> str | None:
    """How the names of the release follow from those of the same people in the original, if they do.

    `first_line` is where each of these people first appears in the original.

    >>> name_derivation_clue(["cba", "fed"], ["abc", "def"], numpy.array([0, 1]))
    "they are the original's names written backwards, which everybody can undo"
    """
    some = [*zip(released, original, strict=True)][:: max(1, len(released) // MOST_LOOKED_AT)]
    for words, writing in _writings():
        if _share(some, writing) >= LEAST_SHARE:
            return words
    if _are_enciphered(some):
        return WRITTEN.format("with each character for another")
    return _order_clue(released, original, first_line)


def _writings() -> Iterator[tuple[str, Writing]]:
    for name in HASHES:
        yield DIGEST.format(name), lambda text, name=name: _digests(text, name)  # type: ignore[misc]
    yield DIGEST.format("crc32"), _checksums
    yield WRITTEN.format("written backwards"), lambda text: iter([text[::-1]])
    yield WRITTEN.format("in another writing (base64, hexadecimal or rot13)"), _other_writings


def _share(pairs: Sequence[tuple[str, str]], writing: Writing) -> float:
    """Of these people, whose name is a writing of the old one."""
    fitting = [
        new.casefold() == old.casefold() or any(_fits(new, each) for each in writing(old))
        for new, old in pairs
        if len(old) >= LEAST_NAME and new.casefold() != old.casefold()
    ]
    return sum(fitting) / len(pairs) if pairs else 0.0


def _are_enciphered(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether each character always stands for the same other one, and more often than could be chance."""
    if any(len(new) != len(old) for new, old in pairs):
        return False
    letters = [both for new, old in pairs for both in zip(new, old, strict=True)]
    code = set(letters)
    one_to_one = len(code) == len({new for new, _ in code}) == len({old for _, old in code})
    return one_to_one and len(pairs) >= LEAST_ENCIPHERED and len(letters) >= 2 * len(code)


def _fits(name: str, written: str) -> bool:
    """All of it, or of a digest the first characters."""
    plain, written = name.casefold().rstrip("="), written.casefold().rstrip("=")
    return plain == written or (len(plain) >= LEAST_DIGEST and written.startswith(plain))


def _digests(text: str, name: str) -> Iterator[str]:
    for spelled in dict.fromkeys((text, text.lower(), text.upper())):
        digest = hashlib.new(name, spelled.encode(), usedforsecurity=False)
        yield digest.hexdigest()
        yield base64.b64encode(digest.digest()).decode()
        yield base64.urlsafe_b64encode(digest.digest()).decode()


def _checksums(text: str) -> Iterator[str]:
    for checksum in (zlib.crc32(text.encode()), zlib.adler32(text.encode())):
        yield f"{checksum:08x}"
        yield str(checksum)


def _other_writings(text: str) -> Iterator[str]:
    yield base64.b64encode(text.encode()).decode()
    yield base64.b32encode(text.encode()).decode()
    yield text.encode().hex()
    yield codecs.encode(text, "rot13")


def _order_clue(released: Sequence[str], original: Sequence[str], first_line: Indices) -> str | None:
    one_run = numpy.zeros(len(released), dtype=numpy.int64)
    others = {"the names of the original": _ranks(original), "first appearance in it": first_line}
    for words, other in others.items():
        agreement = rank_agreement(one_run, _ranks(released), other)
        if agreement.is_beyond_chance:
            return RISING.format(words, agreement.correlation)
    return None


def _ranks(names: Sequence[str]) -> Indices:
    """As numbers where all end in one behind the same beginning, else as texts."""
    order = sorted(range(len(names)), key=_sort_key(names))
    ranks = numpy.empty(len(names), dtype=numpy.int64)
    ranks[order] = numpy.arange(len(names))
    return ranks


def _sort_key(names: Sequence[str]) -> Callable[[int], tuple[int, str]]:
    """`p2` comes before `p10`."""
    lengths = [len(name) for name in names]
    beginnings = {name.rstrip("0123456789") for name in names}
    numbered = len(beginnings) == 1 and not any(name in beginnings for name in names)
    return lambda index: (lengths[index] if numbered else 0, names[index])
