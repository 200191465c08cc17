"""The seed of random draws: a number, or one that nobody can guess."""

from __future__ import annotations

import secrets
from typing import Any

from singleout.checks import is_whole
from singleout.errors import UsageError

SECRET = "secret"
BITS = 127
SEED_0 = (
    "names and draws come from the data and the seed 0: whoever has all of this data can repeat them; use "
    "--seed secret if others may have it"
)


class SecretSeed(int):
    """Whoever has the data and this number can repeat the draws: only the diary tells it."""


def told_seed(seed: int) -> int | str:
    """What everybody may read of a seed.

    >>> told_seed(7), told_seed(seed_of("secret"))
    (7, 'secret')
    """
    return SECRET if isinstance(seed, SecretSeed) else seed


def seed_of(seed: Any) -> int:
    """A whole number as it is; for "secret" one of 127 random bits, which only the diary tells.

    >>> seed_of(7), seed_of("secret") == seed_of("secret")
    (7, False)
    """
    if isinstance(seed, str) and seed == SECRET:
        return SecretSeed(secrets.randbits(BITS))
    if not is_whole(seed) or seed < 0:
        raise UsageError(f"seed: {seed!r} is none; write a whole number, 0 or more, or {SECRET!r}")
    return int(seed)
