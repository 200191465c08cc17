"""What the numbers about blank cells mean."""

from __future__ import annotations

from singleout.measurement import Measure

OWN_RULE = "a missing value is a value; where blank cells are written as missing ones it is as they are"

CELLS = Measure(
    name="suppress.cells",
    title="blank cells",
    question="How many values were blanked so that no record stands out?",
    formula="cells of the release that are blank and were not so in the data",
    unit="cells",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    missing=OWN_RULE,
    reference="Meyerson and Williams 2004",
)
LOWER_BOUND = Measure(
    name="suppress.lower_bound",
    title="lower bound",
    question="What do blank cells cost at least, whichever are chosen?",
    formula="Σ over records of the least cost of blanks after which k records of the data fit it, in each "
    "set of columns by itself; the most over the sets, or their sum where they share no column",
    unit="cost",
    lowest=0,
    highest=None,
    better="neither",
    counted_over="records",
    missing=OWN_RULE,
    reference="here: a blank cell is a value, so that no blank of others makes more records fit",
)
FITTING = Measure(
    name="suppress.fitting",
    title="people who fit a record (wildcards)",
    question="How few people of the data fit what is left of a record, where that is least?",
    formula="min over records and sets of columns of the number of people (records, where none are named) of "
    "the data with the same values in the cells that are not blank; blanks of other records fit nobody",
    unit="people",
    lowest=1,
    highest=None,
    better="higher",
    counted_over="records",
    missing="a missing value is blank in the record, and fits no other value in the data",
    reference="(k,1)-anonymity of Gionis et al. 2008; never above the fk of sdcMicro's freqCalc",
)
SUPPRESS_MEASURES: tuple[Measure, ...] = (CELLS, LOWER_BOUND, FITTING)
