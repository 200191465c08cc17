"""How many people have a sensitive value that hardly anybody else has, so that it finds their record."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from singleout.engine.codes.dictionary import Codes
from singleout.measurement import Measure
from singleout.risk.sensitive_values import Flags, table_values

# two who share a value know each other's, and a third is the least that hides them
FEW = 3
RARE_SHARE = Measure(
    name="sensitive.rare_share",
    title="share of people with a rare value",
    question=f"What share of the people have a sensitive value that fewer than {FEW} people have?",
    formula=f"people with a value that fewer than {FEW} people of the table have / people. Whoever knows "
    "such a value of somebody, as an employer a salary or a doctor a diagnosis, finds the record by it alone",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing="a missing or blank sensitive value is none to know somebody by, and is not rare; values "
    "that are spelled otherwise are others",
    reference="singling out by one column; the minimum of 3 of the frequency rule for tables (Hundepool et "
    "al., Statistical Disclosure Control, Wiley 2012)",
)


def rare_records(
    values: Codes, texts: Sequence[str | None], persons: Codes | None, threads: int = 1
) -> Flags:
    """Which records have a value that fewer than three people have.

    >>> codes = Codes(numpy.array([0, 0, 0, 1, 2], dtype=numpy.uint32), 3)
    >>> rare_records(codes, ["flu", "gout", None], None).tolist()
    [False, False, False, True, False]
    """
    filled = numpy.array([bool(text and text.strip()) for text in texts])
    rare: Flags = (table_values(values, persons, threads=threads).totals < FEW) & filled
    found: Flags = rare[values.codes]
    return found
