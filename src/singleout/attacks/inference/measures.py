"""What the numbers of the inference of sensitive values mean."""

from __future__ import annotations

from singleout.engine.codes.spelling_variants import SPELLINGS
from singleout.measurement import Measure

BOTH_WAYS = (
    "a missing value is a value of its own, to know and to guess; where sensitive values are missing, they "
    "are also guessed of those who have one, and the worse counts; with the rule drop, records that miss one "
    f"of the columns are left out. {SPELLINGS}"
)
REFERENCE = (
    "Working Party 29, Opinion 05/2014 (inference); every attack beside a guesser: Giomi et al. 2022 "
    "(Anonymeter)"
)

INFERENCE_RATE = Measure(
    name="inference.rate",
    title="guessed right",
    question="Of what share of people does somebody guess the sensitive value right who knows the other "
    "columns?",
    formula="people whose value is guessed right / people, by the best guesser: the most frequent value "
    "among other people who are alike in all known columns, or in the fewer that tell most, and gradient "
    "boosting that learned from the people of the other 4 of 5 folds. A history is guessed person by person, "
    "the most frequent value being right, and record by record, a person counting by the share of records "
    "guessed right. Numbers and dates of more than 20 values are guessed by their range, one of 10 of about "
    "equally many records. Who has a value that nobody else has is left out. A rule with at_most takes the "
    "upper end of the 95 % interval, one with at_least alone the lower end",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=BOTH_WAYS,
    reference=REFERENCE,
)
INFERENCE_BASELINE = Measure(
    name="inference.baseline",
    title="base rate",
    question="Of what share of people does somebody guess the sensitive value right who knows nothing else?",
    formula="people whose value is the most frequent one among people of the other 4 of 5 folds / people; of "
    "the same people and in the same folds as inference.rate",
    unit="share",
    lowest=0,
    highest=1,
    better="neither",
    counted_over="people",
    missing=BOTH_WAYS,
    reference=REFERENCE,
)
INFERENCE_GAIN = Measure(
    name="inference.gain",
    title="better than the base rate",
    question="Of how many more people is the sensitive value guessed right by knowing the other columns?",
    formula="inference.rate − inference.baseline. Its interval: the share of people whom only the guesser "
    "gets right less that of those whom only the base rate does, each by the end of Wilson's 95 % interval "
    "that is farther off. A rule with at_most takes the upper end, one with at_least alone the lower end",
    unit="share",
    lowest=-1,
    highest=1,
    better="lower",
    counted_over="people",
    missing=BOTH_WAYS,
    reference=REFERENCE,
)
INFERENCE_INTERVAL = Measure(
    name="inference.low",
    title="95 % interval",
    question="How often might sensitive values of other people of the same kind be guessed right?",
    formula="Wilson's interval at 95 % for the people guessed right, from low to high; it covers which "
    "people happen to be in the table, or in the sample of it. That the best of several guessers was "
    "chosen makes the rate a little too high, which is the safe side; a better guesser than these may exist",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=BOTH_WAYS,
    reference="Wilson 1927",
)
INFERENCE_MEASURES = (INFERENCE_RATE, INFERENCE_BASELINE, INFERENCE_GAIN, INFERENCE_INTERVAL)
