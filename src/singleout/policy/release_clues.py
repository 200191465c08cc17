"""What tells who is who in a release beside its values: the order of its records, and how names were made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow
import pyarrow.compute

from singleout.attacks.paired_tables import PairedTables, pair_tables
from singleout.errors import SingleoutError
from singleout.policy.answers.unicity_answers import WHO_IS_WHO
from singleout.policy.check_settings import Inquiry
from singleout.policy.verdict.decision import Observation

KEPT_TOPIC = "names of the original"
KEPT = (
    "{:,} of {:,} people are called as in the original, by which everybody finds them who knows these names; "
    "draw new ones at random (the step pseudonymise)"
)
# a few may be called alike by chance
LEAST_KEPT = 0.05
TOPICS = {"order": "order of the records", "names": "names that can be computed"}
WORDS = {
    "order": "{}, so that whoever holds it tells who is who by the place alone; shuffle the records, or sort "
    "them by what is released",
    "names": "the names of people can be worked out: {}; draw them at random (the step pseudonymise)",
}


@dataclass(frozen=True)
class ReleaseClues:
    """What speaks against a release, and whether its records are `ordered` by what is released.

    `made_up` are names that belong to nobody of the original, as the truth map says.
    """

    observations: tuple[Observation, ...]
    ordered: bool
    made_up: int


def release_clues(inquiry: Inquiry) -> ReleaseClues | None:
    """None where it could not be looked at: there is no original, or nothing says who is who."""
    if inquiry.original is None:
        return None
    try:
        tables = pair_tables(
            inquiry.original, inquiry.data, inquiry.said.get("truth"), user=inquiry.original_user,
            **inquiry.settings(*WHO_IS_WHO), study=inquiry.study, strangers=True, clues=True,
            beside=None,
            **inquiry.machine, progress=inquiry.progress,
        )  # fmt: skip
    except SingleoutError:  # rules about attacks tell it, where there are any
        return None
    clues = (
        Observation(TOPICS[each.kind], WORDS[each.kind].format(each.words), "linkability", True)
        for each in tables.clues
    )
    told = inquiry.said.get("truth") is not None
    return ReleaseClues((*_kept_names(tables), *clues), tables.ordered, _made_up(tables) if told else 0)


def _made_up(tables: PairedTables) -> int:
    """Records without a name are told elsewhere."""
    names = tables.release_names.filter(pyarrow.array(tables.truth < 0))
    return len(names) - int(names.null_count)


def _kept_names(tables: PairedTables) -> Iterator[Observation]:
    whose = tables.truth
    there = whose >= 0
    old = tables.original_names.take(pyarrow.array(whose[there]))
    same = pyarrow.compute.equal(old, tables.release_names.filter(pyarrow.array(there)))
    kept = int(pyarrow.compute.sum(same).as_py() or 0)
    if tables.user is not None and kept > 1 and kept >= LEAST_KEPT * int(there.sum()):
        yield Observation(KEPT_TOPIC, KEPT.format(kept, int(there.sum())), "linkability", True)
