"""Which people and records are still there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy

from singleout.measurement import Better, CountedOver, Measure
from singleout.utility.finding import Finding, Metric
from singleout.utility.paired_columns import NO_ORIGINAL, PairedColumns, joint_codes

MISSING = "a missing value is a value"
SAME = (
    "Σ over people and combinations of values in all columns that both tables have of min(records in the "
    "original, in the release)"
)


def _share(
    name: str,
    title: str,
    question: str,
    formula: str,
    highest: float | None,
    better: Better,
    over: CountedOver,
) -> Measure:
    return Measure(
        name=name,
        title=title,
        question=question,
        formula=formula,
        unit="share",
        lowest=0,
        highest=highest,
        better=better,
        counted_over=over,
        missing=MISSING,
        reference="what analysts ask of a release",
    )


PEOPLE_KEPT = _share(
    "people_kept",
    "people kept",
    "What share of the people is still there?",
    "people who have records in both tables / people who have records in the original",
    1,
    "higher",
    "people",
)
RECORDS_RELEASED = _share(
    "records_released",
    "records released",
    "How many records has the release for one of the original?",
    "records of the release / records of the original",
    None,
    "neither",
    "records",
)
RECORDS_KEPT = _share(
    "records_kept",
    "records kept",
    "What share of the records is unchanged, with the same person?",
    f"{SAME} / records of the original",
    1,
    "higher",
    "records",
)
RECORDS_TRUE = _share(
    "records_true",
    "true records",
    "What share of released records is unchanged, with the same person?",
    f"{SAME} / records of the release",
    1,
    "higher",
    "records",
)
RECORDS_MADE_UP = _share(
    "records_of_made_up_people",
    "records of made-up people",
    "What share of released records is of made-up people?",
    "records of people without an original / records of the release",
    1,
    "lower",
    "records",
)


def release_size(compared: PairedColumns) -> Iterator[Finding]:
    """How large the release is."""
    original, release = compared.histories.original, compared.histories.release
    yield _share_finding(RECORDS_RELEASED, release.records, original.records, "original")


def kept_shares(compared: PairedColumns) -> Iterator[Finding]:
    """What share of people and of records is kept."""
    original, release = compared.histories.original, compared.histories.release
    slots = compared.slots()
    there = [counts > 0 for counts in slots.counts()]
    yield _share_finding(PEOPLE_KEPT, int((there[0] & there[1]).sum()), int(there[0].sum()), "original")
    whole = joint_codes([slots, *(compared.codes(column) for column in compared.columns)], compared.threads)
    same = int(numpy.minimum(*whole.counts()).sum())
    yield _share_finding(RECORDS_KEPT, same, original.records, "original")
    yield _share_finding(RECORDS_TRUE, same, release.records, "release")
    made_up = int((compared.truth[release.person] == NO_ORIGINAL).sum())
    yield _share_finding(RECORDS_MADE_UP, made_up, release.records, "release")


def _share_finding(measure: Measure, part: int, whole: int, called: str) -> Finding:
    if not whole:
        return Finding(measure, None, f"the {called} has no records")
    return Finding(measure, part / whole, detail={"part": part, "whole": whole})


KEPT_METRICS: tuple[Metric, ...] = (
    Metric((PEOPLE_KEPT, RECORDS_KEPT, RECORDS_TRUE, RECORDS_MADE_UP), kept_shares),
    Metric((RECORDS_RELEASED,), release_size),
)
