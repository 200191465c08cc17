"""The entropy of how often values occur, in bits."""

from __future__ import annotations

import math

import numpy
from numpy.typing import NDArray

Counts = NDArray[numpy.int64]


def entropy_of(counts: Counts) -> float:
    """log2(n) − (1/n) Σ count·log2(count), over counts above zero."""
    total = int(counts.sum())
    sizes, number = numpy.unique(counts, return_counts=True)
    return max(0.0, math.log2(total) - math.fsum((number * sizes * numpy.log2(sizes)).tolist()) / total)
