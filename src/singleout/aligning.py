"""An original and its release as attackers compare them: cut alike, and where nothing agrees, not at all."""

from __future__ import annotations

from dataclasses import replace

from singleout.attacks.alignment import agreeing, cut_to_release
from singleout.pairing import NOTHING_AGREES, Paired

CUT = "column {!r}: the release has the first {:,} characters of values only; attackers compare these"


def aligned(read: Paired) -> Paired:
    """The original cut like the release where that was cut, and the columns in which nothing agrees."""
    both, lengths = cut_to_release(read.histories)
    unmatched = tuple(name for name in both.values if not agreeing(both, name))
    mended = [NOTHING_AGREES.format(name) for name in lengths]
    told = [each for each in read.remarks if each not in mended]
    told += [CUT.format(name, length) for name, length in lengths.items()]
    return replace(read, histories=both, unmatched=unmatched, remarks=tuple(told))
