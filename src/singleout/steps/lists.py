"""The lists that a recipe or a caller gives a step, made so that they can't be changed."""

from __future__ import annotations

from typing import Any


def frozen(given: Any) -> Any:
    """A list as a tuple, and so the lists in it; anything else as it is.

    >>> frozen(["age", ["a", "b"]]), frozen("age")
    (('age', ('a', 'b')), 'age')
    """
    return tuple(map(frozen, given)) if isinstance(given, list) else given
