"""The compiled loops for points that many people have: their people as a bitmap, met with others by words."""

from __future__ import annotations

from typing import Any

from singleout.engine.codes.bitmap_kernels import bits_of, is_in
from singleout.engine.codes.loop_compiler import compile_inner_loop


@compile_inner_loop
def meet(bitmap: Any, other: Any) -> Any:
    """Leaves the people of both in the first; returns how many they are."""
    count = 0
    for word in range(len(bitmap)):
        bitmap[word] &= other[word]
        count += bits_of(bitmap[word])
    return count


@compile_inner_loop
def keep_in(bitmap: Any, held: Any, count: Any) -> Any:
    """Keeps those of the first `count` who are in the bitmap; returns how many."""
    kept = 0
    for index in range(count):
        held[kept] = held[index]
        kept += is_in(bitmap, held[index])
    return kept
