"""How much more is known of a class than of everybody: β-likeness, δ-disclosure, the α of (α,k)-anonymity."""

from __future__ import annotations

import numpy

from singleout.measurement import Measure
from singleout.risk.sensitive_values import MISSING, Reals, SensitiveCounts

LIKENESS = "Cao and Karras, Publishing Microdata with a Robust Privacy Guarantee, PVLDB 5(11), 2012"
DISCLOSURE = "Brickell and Shmatikov, The Cost of Privacy, KDD 2008"
# a gain that equals its cap must not fail by the last digit of a logarithm
ROUNDING = 1e-12
SHARES = "p being the share of the class's people who have the value, q that of all people"

BETA_BASIC = Measure(
    name="sensitive.beta_basic",
    title="highest gain",
    question="By how much does knowing the class raise the probability of a sensitive value, at most?",
    formula=f"max over classes and values of (p − q) / q, {SHARES}",
    unit="ratio",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference=f"basic β-likeness; {LIKENESS}",
)
BETA_ENHANCED = Measure(
    name="sensitive.beta_enhanced",
    title="highest gain, frequent values guarded too",
    question="For which β is no gain above β, and none above −ln of the value's share in the table?",
    formula=f"max over classes and values of (p − q) / q, if it is at most −ln q for each value, {SHARES}; "
    "where a value gains more than −ln q no β holds, and it is unknown",
    unit="ratio",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference=f"enhanced β-likeness; {LIKENESS}",
)
DELTA = Measure(
    name="sensitive.delta",
    title="widest ratio of shares",
    question="How far can the probability of a sensitive value move, up or down, for who knows the class?",
    formula=f"max over classes and all values of the table of |ln(p / q)|, {SHARES}; δ-disclosure privacy "
    "holds for every δ above it, and for none if a class lacks a value (unknown then)",
    unit="nats",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference=f"δ-disclosure privacy; {DISCLOSURE}",
)
DELTA_OF_PRESENT = Measure(
    name="sensitive.delta_of_present",
    title="widest ratio of shares, of the values that are there",
    question="How far does the probability of a value move that the class has?",
    formula=f"max over classes and the values that they have of |ln(p / q)|, {SHARES}; that a class lacks a "
    "value, and so rules it out, is left out: it can be below δ",
    unit="nats",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference=f"δ-disclosure as pyCANON and (in bits) ARX have it; {DISCLOSURE}",
)
ALPHA = Measure(
    name="sensitive.alpha",
    title="surest guess in a class",
    question="What share of a class has the same sensitive value, at most?",
    formula="max over classes and values of the share of the class's people who have the value; "
    "(α,k)-anonymity holds for this α and every k up to that of the classes (`people.k` of a history)",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference="(α,k)-anonymity; Wong, Li, Fu and Wang, (α,k)-Anonymity, KDD 2006",
)
SKEW = Measure(
    name="sensitive.skew",
    title="most one-sided class",
    question="How far above its share in the table is the share of a sensitive value in a class, at most?",
    formula=f"max over classes and values of 2 arcsin √p − 2 arcsin √q (Cohen's h), 0 where none is above, "
    f"{SHARES}. From 2 % to 98 % it is 2.6, from 25 % to 50 % 0.5, from 95 % to 100 % 0.5; chance alone "
    "moves it by about 1 / √people of a class, whatever q is",
    unit="effect size",
    lowest=0,
    highest=3.141592653589793,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference="skewness attack (Li, Li and Venkatasubramanian, t-Closeness, ICDE 2007), by the effect size h "
    "of Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 6",
)


def basic_likeness(counts: SensitiveCounts) -> Reals:
    """Of each class, the highest gain of a value; classes that gain nothing have 0."""
    return _highest(counts, counts.gains - 1)


def enhanced_likeness(counts: SensitiveCounts) -> Reals:
    """The same; infinite where a value gains more than −ln of its share in the table."""
    gains = counts.gains - 1
    caps = -numpy.log(counts.totals[counts.value_of] / float(counts.table_people))
    return _highest(counts, numpy.where(gains > caps * (1 + ROUNDING) + ROUNDING, numpy.inf, gains))


def disclosures(counts: SensitiveCounts, of_present: bool = False) -> Reals:
    """Of each class, the widest |ln(p / q)|; infinite where it lacks a value, unless `of_present` only."""
    widest = _highest(counts, numpy.abs(numpy.log(counts.gains)))
    if of_present:
        return widest
    values = counts.sums(numpy.ones(len(counts.having)))
    found: Reals = numpy.where(values < numpy.count_nonzero(counts.totals), numpy.inf, widest)
    return found


def skews(counts: SensitiveCounts) -> Reals:
    """Of each class, by how much the share of a value is above the table's, as Cohen's h."""
    here = counts.having / numpy.maximum(counts.people, 1)[counts.class_of]
    there = counts.totals[counts.value_of] / float(counts.table_people)
    return _highest(counts, 2 * (numpy.arcsin(numpy.sqrt(here)) - numpy.arcsin(numpy.sqrt(there))))


def highest_shares(counts: SensitiveCounts) -> Reals:
    """Of each class, the share of its people who have its most frequent value."""
    shares: Reals = counts.highest / numpy.maximum(counts.people, 1)
    return shares


def _highest(counts: SensitiveCounts, numbers: Reals) -> Reals:
    found = numpy.zeros(counts.classes)
    numpy.maximum.at(found, counts.class_of, numbers)
    return found
