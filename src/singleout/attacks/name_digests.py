"""Digests of names: without a secret, or with a salt or a key that everybody would try first."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterator, Sequence

HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b", "blake2s")
# of a digest, the fewest first characters that nobody takes for chance
LEAST_DIGEST = 6
# that somebody salts with, and the words that are guessed first
SALTED = ("md5", "sha1", "sha256", "sha512", "blake2b")
WORDS = (
    "salt", "pepper", "secret", "password", "key", "hash", "test", "anon", "anonymous", "pseudonym", "admin",
    "private", "default", "changeme", "random", "seed", "user", "customer", "client", "patient", "id",
    "data", "release", "mysalt", "my_salt", "my-salt", "somesalt", "some_salt", "secretsalt", "secret_salt",
    "mysecret", "my_secret", "my-secret", "mykey", "my_key", "secretkey", "secret_key", "secret-key",
    "topsecret", "supersecret", "password123", "salt123", "secret123", "abc", "abc123", "qwerty", "foo",
    "foobar", "x", "0", "1", "42", "123", "1234", "12345", "123456", "12345678", "0000", "1111",
    *map(str, range(2000, 2041)),
)  # fmt: skip
BETWEEN = ("", ":", "-", "_")
# whom a salt is tried on; nobody takes it for chance if it fits most of them
TRIED = 5


def fits(name: str, written: str) -> bool:
    """All of it, or of a digest the first characters."""
    plain, written = name.casefold().rstrip("="), written.casefold().rstrip("=")
    return plain == written or (len(plain) >= LEAST_DIGEST and written.startswith(plain))


def digests(text: str, name: str) -> Iterator[str]:
    """Of a line of text too, as `echo` hands it on."""
    for spelled in dict.fromkeys((text, text.lower(), text.upper(), f"{text}\n")):
        digest = hashlib.new(name, spelled.encode(), usedforsecurity=False)
        yield digest.hexdigest()
        yield hashlib.new(name, digest.hexdigest().encode(), usedforsecurity=False).hexdigest()
        yield base64.b64encode(digest.digest()).decode()
        yield base64.urlsafe_b64encode(digest.digest()).decode()


def guessed_hash(pairs: Sequence[tuple[str, str]]) -> str | None:
    """The hash function by which each new name is a digest of the old one and a word of the list.

    >>> old = ["12583", "12584", "12585"]
    >>> guessed_hash([(hashlib.md5(f"{name}:secret".encode()).hexdigest(), name) for name in old])
    'md5'
    """
    some = [(new.casefold(), old) for new, old in pairs[:: max(1, len(pairs) // TRIED)][:TRIED]]
    if len(some) < 2 or not all(map(_may_be_digest, (new for new, _ in some))) or _are_numbers(some):
        return None
    new, old = some[0]
    for name in SALTED:
        # whoever has the word has everybody: the others are asked only then
        if any(each.startswith(new) and _fit_most(some, name, at) for at, each in _salted(old, name)):
            return name
    return None


def _may_be_digest(name: str) -> bool:
    return len(name) >= LEAST_DIGEST and not name.strip("0123456789abcdef")


def _are_numbers(pairs: Sequence[tuple[str, str]]) -> bool:
    return all(new.isdigit() for new, _ in pairs)


def _fit_most(pairs: Sequence[tuple[str, str]], name: str, place: int) -> bool:
    fitting = [dict(_salted(old, name))[place].startswith(new) for new, old in pairs]
    return 2 * sum(fitting) > len(pairs)


def _salted(text: str, name: str) -> Iterator[tuple[int, str]]:
    """With each word, small or in capitals, before it, behind it and as a key, numbered."""
    digest, number = getattr(hashlib, name), 0
    for word in WORDS:
        for spelled in dict.fromkeys((word, word.upper())):
            yield number, hmac.digest(spelled.encode(), text.encode(), name).hex()
            for between in BETWEEN:
                for salted in (f"{spelled}{between}{text}", f"{text}{between}{spelled}"):
                    number += 1
                    yield number, digest(salted.encode(), usedforsecurity=False).hexdigest()
            number += 1
