"""Whether what a caller gave is a number, or a whole one."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any


def is_number(number: Any) -> bool:
    return isinstance(number, (int, float, Real)) and not isinstance(number, bool)


def is_whole(number: Any) -> bool:
    """Also if it is one of numpy's."""
    return isinstance(number, Integral) and not isinstance(number, bool)
