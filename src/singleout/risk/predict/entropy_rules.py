"""Entropies and rules of Yang et al. 2020: what the statistics of a table say about its risk."""

from __future__ import annotations

import math
from dataclasses import dataclass

from singleout.measurement import Measure
from singleout.risk.predict.avfm import Avfm

ROUNDING = 1e-9
MANY_COLUMNS = 10
SPARSE_BITS = 10.0
NEARLY_ALL = 0.95
WRITTEN_OUT = 50
NO_DATA = "records (TDE): not known without the data"
NO_SHUFFLES = "shuffled (RDE): not known, for nothing was shuffled"

MAXIMUM = Measure(
    name="prediction.entropies.maximum",
    title="largest entropy (ME)",
    question="How uncertain is a record at most, if no two are alike?",
    formula="ME = log2(n)",
    unit="bits",
    lowest=0,
    highest=None,
    better="neither",
    counted_over="records",
    reference="Yang et al. 2020, Definition 6",
)
EXPERIENCE = Measure(
    name="prediction.entropies.experience",
    title="experience entropy (EE)",
    question="How uncertain would a record be if the columns were independent and the table endless?",
    formula="EE = Σ over columns of H(A_j)",
    unit="bits",
    lowest=0,
    highest=None,
    better="neither",
    counted_over="records",
    reference="Yang et al. 2020, Definition 6",
)
RANDOM = Measure(
    name="prediction.entropies.random",
    title="random entropy (RDE)",
    question="How uncertain is a record on average once each column is shuffled?",
    formula="mean of H(rows) over shuffled tables",
    unit="bits",
    lowest=0,
    highest=None,
    better="neither",
    counted_over="records",
    reference="Yang et al. 2020, Definition 6",
)
TARGET = Measure(
    name="prediction.entropies.target",
    title="target entropy (TDE)",
    question="How uncertain is a record of the data itself?",
    formula="TDE = −Σ over classes of (size/n)·log2(size/n)",
    unit="bits",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    reference="Yang et al. 2020, Definition 6",
)


@dataclass(frozen=True)
class Entropies:
    """Of a table, in bits; `target` is None without the data, `random` where nothing was shuffled.

    maximum (ME) = log2(n): all records differ. experience (EE) = Σ_j H(A_j): the columns independent and the
    table endless. random (RDE): mean over tables with the columns shuffled. target (TDE) = H of the rows.
    Yang et al. 2020, Definition 6.
    """

    maximum: float
    experience: float
    random: float | None
    target: float | None = None


@dataclass(frozen=True)
class RuleCheck:
    """Whether a rule of Yang et al. 2020 holds here; None where unknown, with the reason in `figures`."""

    rule: int
    statement: str
    holds: bool | None
    figures: str


def entropies(avfm: Avfm, random: float | None, target: float | None = None) -> Entropies:
    """How uncertain is a record, at most and by chance?

    `random` is the mean entropy of random sampling, `target` that of the records themselves where they are
    known. In bits, counted over records; a missing value is a value like any other. Yang et al. 2020,
    Definition 6.

    >>> import numpy
    >>> ten = numpy.full(10, 100)
    >>> found = entropies(Avfm(tuple("abcd"), (ten, ten, ten, ten)), random=9.9)
    >>> round(found.maximum, 4), round(found.experience, 4)
    (9.9658, 13.2877)
    """
    return Entropies(math.log2(avfm.records), math.fsum(avfm.entropies), random, target)


def check_rules(bits: Entropies, orr: float | None = None) -> tuple[RuleCheck, ...]:
    """Do the four rules that link entropy and risk hold for this table?

    `orr` is the true overall risk (distinct rows / records), or None where only statistics are known. Rules 1
    to 3 are laws, up to what rule 2 says about size; rule 4 is a tendency. Yang et al. 2020, Section V.

    >>> [(each.rule, each.holds) for each in check_rules(Entropies(2.0, 2.0, 5 / 3, 2.0), orr=1.0)]
    [(1, True), (1, True), (2, None), (3, True), (4, False)]
    """
    return (
        _uniqueness_rule(bits, orr),
        _independence_rule(bits),
        _size_rule(bits),
        _random_rule(bits),
        _target_rule(bits),
    )


def _uniqueness_rule(bits: Entropies, orr: float | None) -> RuleCheck:
    """Two alike records among n cost 2/n bits and 1/n risk: half of that tells rounding from a difference."""
    statement = "The records are as uncertain as possible exactly when no two are alike, which is risk 1"
    if bits.target is None or orr is None:
        return RuleCheck(1, statement, None, NO_DATA)
    one_record = 2**-bits.maximum
    full, unique = bits.maximum - bits.target < one_record, 1 - orr < one_record / 2
    figures = f"records (TDE) {bits.target:.4f}, possible (ME) {bits.maximum:.4f} bits, risk {orr:.4f}"
    return RuleCheck(1, statement, full == unique, figures)


def _independence_rule(bits: Entropies) -> RuleCheck:
    statement = "No arrangement of the values is more uncertain than independent columns"
    known = [each for each in (bits.target, bits.random) if each is not None]
    holds = all(each <= bits.experience + ROUNDING for each in known) if known else None
    figures = f"independent (EE) {bits.experience:.4f}, {_shuffled_text(bits)}, {_rows_text(bits)}"
    return RuleCheck(1, statement, holds, figures)


def _size_rule(bits: Entropies) -> RuleCheck:
    """Nothing that could fail: which of the two is larger tells whether the table is small."""
    statement = (
        "Independent columns depend on the shares of the values only, so a small table can't reach them"
    )
    small = bits.experience > bits.maximum + ROUNDING
    figures = (
        f"independent (EE) {bits.experience:.4f}, possible (ME) {bits.maximum:.4f} bits: the table is "
        f"{'small' if small else 'not small'}; with these shares the two meet at "
        f"{_records_text(bits.experience)}"
    )
    return RuleCheck(2, statement, None, figures)


def _records_text(bits: float) -> str:
    return f"{2**bits:,.0f} records" if bits < WRITTEN_OUT else f"2^{bits:.0f} records"


def _random_rule(bits: Entropies) -> RuleCheck:
    statement = "Shuffled columns are at most as uncertain as independent ones, and as log2(n)"
    limit = min(bits.experience, bits.maximum) + ROUNDING
    holds = None if bits.random is None else bits.random <= limit
    limits = f"independent (EE) {bits.experience:.4f}, possible (ME) {bits.maximum:.4f}"
    return RuleCheck(3, statement, holds, f"{_shuffled_text(bits)}, {limits}")


def _target_rule(bits: Entropies) -> RuleCheck:
    statement = "Real records are less uncertain than shuffled ones (a tendency, not a law)"
    figures = f"{_rows_text(bits)}, {_shuffled_text(bits)}"
    if bits.target is None or bits.random is None:
        return RuleCheck(4, statement, None, figures)
    return RuleCheck(4, statement, bits.target <= bits.random + ROUNDING, figures)


def _shuffled_text(bits: Entropies) -> str:
    return NO_SHUFFLES if bits.random is None else f"shuffled (RDE) {bits.random:.4f}"


def _rows_text(bits: Entropies) -> str:
    return NO_DATA if bits.target is None else f"records (TDE) {bits.target:.4f}"


def sparse_warning(avfm: Avfm, expected_orr: float) -> str | None:
    """Is the table too wide for a prediction to say anything?

    A warning where there are at least 10 columns, EE exceeds ME by 10 bits or more (a thousand times more
    likely combinations than records), and the predicted risk is 0.95 or more. Yang et al. 2020, Section V:
    the method is not made for sparse tables of many columns.

    >>> import numpy
    >>> half = numpy.array([50, 50])
    >>> print(sparse_warning(Avfm(tuple("abc"), (half,) * 3), 0.08))
    None
    """
    room = math.fsum(avfm.entropies) - math.log2(avfm.records)
    if len(avfm.columns) < MANY_COLUMNS or room < SPARSE_BITS or expected_orr < NEARLY_ALL:
        return None
    return (
        f"{len(avfm.columns)} columns allow 2^{room:.0f} times more combinations than there are records, so "
        "nearly every record stands alone; split the table into smaller ones and predict for each"
    )
