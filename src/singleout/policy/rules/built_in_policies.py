"""Policies that come with singleout, by how far the data goes: colleagues, a trusted partner, everybody."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

# from the least that is asked to the most
BUILT_IN = ("internal sharing", "trusted partner", "public")


def built_in_name(said: str) -> str | None:
    """The policy that somebody means, however it is written; None for a file.

    >>> built_in_name("Trusted-Partner"), built_in_name("public.toml")
    ('trusted partner', None)
    """
    plain = re.sub(r"[\s_-]+", " ", said.strip().lower())
    return plain if plain in BUILT_IN else None


@cache
def built_in_text(name: str) -> str:
    """The policy as a file that can be copied and changed."""
    shelf = files("singleout.policy") / "built_in"
    return (shelf / f"{name.replace(' ', '_')}.toml").read_text(encoding="utf-8")
