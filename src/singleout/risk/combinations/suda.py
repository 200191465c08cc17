"""SUDA: how special a record is, scored by its minimal sample uniques, and which attribute makes it so."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.collapsed_rows import CollapsedRows
from singleout.errors import UsageError
from singleout.measurement import Measure
from singleout.risk.combinations.minimal_sample_uniques import MinimalSets, look_alikes

Numbers = NDArray[numpy.float64]
# from here on the published exponent 1 + (8 − d) / 20 no longer lets the risk rise with the score
MOST_COLUMNS_OF_DIS = 27
IN_SUDA = "Elliot, Manning, Ford 2002; Elliot, Manning, Mayes, Gurd, Bane 2005"

MINIMAL_SETS = Measure(
    name="record.minimal_sets",
    title="minimal sets (minimal sample uniques)",
    question="In how many ways can this record be singled out, with no attribute to spare?",
    formula="inclusion-minimal sets S for which the record's class on S has at most N people",
    unit="sets",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="people",
    reference="Manning, Haglin, Keane 2008 (minimal sample uniques); Anon. n.d., Algorithm 4",
)
SMALLEST_SET = Measure(
    name="record.smallest_set",
    title="smallest set",
    question="How few attributes are enough to single this record out?",
    formula="min over the record's minimal sets of the number of attributes",
    unit="attributes",
    lowest=0,
    highest=None,
    better="higher",
    counted_over="people",
    reference="Manning, Haglin, Keane 2008 (minimal sample uniques); Anon. n.d., Algorithm 4",
)
SCORE = Measure(
    name="record.suda",
    title="SUDA score",
    question="How special is this record: how many small sets of attributes single it out?",
    formula="Σ over minimal sets of size s of Π for i = s … min(M, d − 1) of (d − i)",
    unit="points",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="people",
    reference=IN_SUDA,
)
CONTRIBUTION = Measure(
    name="attribute.suda_contribution",
    title="contribution to SUDA",
    question="Which share of the SUDA scores comes from sets with this attribute?",
    formula="points of the minimal sets that have the attribute / points of all",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="sdcMicro, suda2: contributionPercent and attribute_contributions",
)
DIS_SUDA = Measure(
    name="record.dis_suda",
    title="DIS-SUDA score",
    question="If an intruder finds exactly this record for somebody, how likely is it the right person?",
    formula="1 / (1 + P·(1 − f)/f / (score^q · Σ 1/score^q)), q = 1 + (8 − d)/20, P people in classes of 2",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    reference="Elliot, Manning 2003, as computed by sdcMicro, suda2: disScore",
)


def points(columns: int, largest: int) -> list[int]:
    """What a minimal set of each size 0, 1, …, `largest` adds to a record's score.

    Π for i = s … M of (d − i), where the last size looked at, M, counts as d − 1 if it is d: that factor
    would be 0. Without a bound it is (d − s)!. A bound M divides every score by the same (d − M − 1)!.

    >>> points(4, 4)
    [24, 6, 2, 1, 1]
    """
    end = min(largest, columns - 1)
    return [math.prod(columns - i for i in range(size, end + 1)) for size in range(largest + 1)]


def scores(minimal: MinimalSets) -> Numbers:
    """How special is each row?

    Σ over its minimal sample uniques of size s of Π for i = s … min(M, d − 1) of (d − i), for d columns and
    sizes up to M; counted in people. A missing value is a value. Zero: no set of these sizes singles it out.
    Whole numbers as floats: exact up to 2^53, which is 18 columns. Elliot et al. 2002, 2005.

    >>> two = MinimalSets(numpy.array([0, 2]), numpy.array([1, 6], dtype=numpy.uint64), 3, 1, 3)
    >>> scores(two).tolist()
    [3.0]
    """
    _check_allow(minimal)
    total = numpy.zeros(minimal.rows)
    for size, each in enumerate(points(minimal.columns, minimal.largest)):
        rows = minimal.row_of_set[minimal.sizes == size]
        total += float(each) * numpy.bincount(rows, minlength=minimal.rows)
    return total


def contributions(minimal: MinimalSets) -> Numbers:
    """Of each row (first axis) the share of its score from sets with each column; 0 if it has no score."""
    worth = numpy.array(points(minimal.columns, minimal.largest), dtype=numpy.float64)[minimal.sizes]
    row, total = minimal.row_of_set, scores(minimal)
    shares = numpy.zeros((minimal.rows, minimal.columns))
    for column in range(minimal.columns):
        has = _has_column(minimal, column)
        part = numpy.bincount(row[has], worth[has], minimal.rows)
        numpy.divide(part, total, out=shares[:, column], where=total > 0)
    return shares


def attribute_contributions(minimal: MinimalSets, records: Counts) -> list[float | None]:
    """Which share of all records' scores comes from sets with each column? None where no record has a score.

    Several columns share a set, so that these add up to more than 1. Counted over records, exactly. A missing
    value is a value. sdcMicro's suda2 prints the same in percent.

    >>> two = MinimalSets(numpy.array([0, 2]), numpy.array([1, 6], dtype=numpy.uint64), 3, 1, 3)
    >>> [round(each, 2) for each in attribute_contributions(two, numpy.array([1]))]
    [0.67, 0.33, 0.33]
    """
    _check_allow(minimal)
    total = _worth(minimal, records, numpy.ones(len(minimal.masks), dtype=bool))
    if not total:
        return [None] * minimal.columns
    parts = (_worth(minimal, records, _has_column(minimal, column)) for column in range(minimal.columns))
    return [float(Fraction(part, total)) for part in parts]


def dis_suda(score: Numbers, columns: int, in_pairs: int, fraction: float) -> Numbers:
    """If exactly this record matches somebody, how likely is that the right person?

    The file's risk DIS = U·f / (U·f + P·(1 − f)), for U people alone, P people in classes of two and a
    sample of the share f of the population, is spread over the records by their scores: 1 / (1 + U·(1/DIS
    − 1) / (score^q · Σ 1/score^q)) with q = 1 + (8 − d)/20, where U cancels out. Rows without a score have 0.
    A missing value is a value. Elliot and Manning 2003, as sdcMicro's suda2 computes it.

    >>> dis_suda(numpy.array([0.0, 6.0]), columns=4, in_pairs=2, fraction=0.1).round(4).tolist()
    [0.0, 0.0526]
    """
    _check_dis(columns, fraction)
    risk = numpy.zeros(len(score))
    scored = score > 0
    power = 1 + (8 - columns) / 20
    # relative to the highest, so that no power overflows
    weight = (score[scored] / score.max(initial=0.0)) ** power
    spread = weight * math.fsum((1 / weight).tolist())
    risk[scored] = 1 / (1 + in_pairs * (1 - fraction) / fraction / spread)
    return risk


def people_in_pairs(rows: CollapsedRows) -> int:
    """How many people share all values of a record with exactly one other person: P of the file's risk DIS.

    Each person once, however many of their records are in classes of two people. A missing value is a value.

    >>> from singleout.engine.codes.dictionary import Codes
    >>> from singleout.engine.codes.collapsed_rows import collapse
    >>> colour, person = numpy.array([[0, 0, 1, 1, 2], [0, 1, 0, 1, 1]], dtype=numpy.uint32)
    >>> people_in_pairs(collapse([Codes(colour, 3)], Codes(person, 2)))
    2
    """
    alike = look_alikes(rows) == 2
    if rows.persons is None:
        return int(rows.records[alike].sum())
    return len(numpy.unique(rows.persons[alike]))


def _check_allow(minimal: MinimalSets) -> None:
    if minimal.allow != 1:
        raise UsageError(f"a SUDA score is about classes of one; allow 1, not {minimal.allow}")


def _has_column(minimal: MinimalSets, column: int) -> NDArray[numpy.bool_]:
    return (minimal.masks >> numpy.uint64(column) & numpy.uint64(1)).astype(bool)


def _worth(minimal: MinimalSets, records: Counts, which: NDArray[numpy.bool_]) -> int:
    """Σ of the points of these sets over the records, in whole numbers."""
    weights = records[minimal.row_of_set[which]]
    sizes = minimal.sizes[which]
    each = points(minimal.columns, minimal.largest)
    return sum(worth * int(weights[sizes == size].sum()) for size, worth in enumerate(each))


def _check_dis(columns: int, fraction: float) -> None:
    wrong = []
    if not 0 < fraction <= 1:
        wrong.append(f"a sample of {fraction} of the population is impossible; take a share above 0, up to 1")
    if columns > MOST_COLUMNS_OF_DIS:
        wrong.append(f"DIS-SUDA is not defined for {columns} columns; take at most {MOST_COLUMNS_OF_DIS}")
    if wrong:
        raise UsageError("; ".join(wrong))
