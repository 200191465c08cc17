"""Secrets that people carry: drawn here, and kept by their digest only."""

from __future__ import annotations

from hashlib import sha256
from secrets import choice, token_urlsafe

# no letters that look like another
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def new_secret() -> str:
    return token_urlsafe(32)


def secret_digest(secret: str) -> str:
    """Enough for a random secret of 256 bits; passwords, which people choose, have argon2id."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def join_code() -> str:
    """For a team, to be read out: 12 letters, about 59 bits."""
    return "-".join("".join(choice(CODE_LETTERS) for _ in range(4)) for _ in range(3))
