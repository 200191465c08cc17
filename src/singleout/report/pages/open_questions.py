"""What a page leaves open, by the regulator's questions: a gap is a finding too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.attempt import Attempt
from singleout.policy.verdict.decision import ORDER, Decision, RegulatorQuestion

ALL_COLUMNS = (
    "whether somebody stands out in the release by all of its columns, whoever holds the original; singleout "
    "assess RELEASE counts it"
)
FEW_RECORDS = "what a few known records of a person tell (--points 1,2,3,4)"
MOST_TELLING = "the most telling records of a person instead of random ones (--worst)"
OTHER_DATA = "links to other data than this original, which somebody may have too"
NO_ATTACK = "whether people of the original are recognised in the release"
NOT_COMPARED = (
    "what {} {} to somebody who knows how the values were changed, for not all could be compared with the "
    "original's"
)
SENSITIVE = (
    "what can be learned about people, for these attacks guess no sensitive value; singleout assess RELEASE "
    "--sensitive COLUMN does it"
)
OTHER_TABLES = (
    "whether records can be linked to other data, or to other months of the same people; singleout attack "
    "ORIGINAL RELEASE does it, and attack --periods"
)
NO_SENSITIVE = "what can be learned about people, for no column was named as sensitive (--sensitive)"
# of pages that count, or tell of a search
UNJUDGED = Decision("not_judged", "none", ("this page judges no release, singleout check does",))
UNJUDGED_GAPS: dict[RegulatorQuestion, tuple[str, ...]] = {
    "singling out": ("whether anybody stands out in what is released; singleout assess RELEASE tells",),
    "linkability": (OTHER_TABLES,),
    "inference": ("what can be learned about people; singleout assess RELEASE --sensitive COLUMN tells",),
}


def open_questions(
    attempts: Sequence[Attempt], *, history: bool, worst: bool = False
) -> dict[RegulatorQuestion, tuple[str, ...]]:
    """Of a `history` also what a few known records would tell; `worst`: the most telling ones were tried."""
    return {
        "singling out": (ALL_COLUMNS, *(_known_record_gaps(attempts, worst) if history else ())),
        "linkability": tuple(_linkage_gaps(attempts)),
        "inference": (SENSITIVE,),
    }


def _known_record_gaps(attempts: Sequence[Attempt], worst: bool) -> Iterator[str]:
    if all(each.linked for each in attempts):
        yield FEW_RECORDS
    elif not worst:
        yield MOST_TELLING


def _linkage_gaps(attempts: Sequence[Attempt]) -> Iterator[str]:
    if not attempts:
        yield NO_ATTACK
    best = next((each for each in attempts if each.name == "best"), None)
    if best is not None and not best.compared and not (best.added or best.other_period):
        several = len(best.uncompared) > 1
        yield NOT_COMPARED.format(in_words(best.uncompared), "tell" if several else "tells")
    yield ORDER
    yield OTHER_DATA
