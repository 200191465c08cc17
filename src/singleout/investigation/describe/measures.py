"""The measures of `describe`: what is not here is not in the documentation."""

from __future__ import annotations

import math

from singleout.measurement import CountedOver, Measure

SKIPPED = "a missing value is skipped; with the rule `value` it is a value"


def _measure(
    name: str, title: str, question: str, formula: str, unit: str, over: CountedOver, source: str,
    highest: float | None = None,
) -> Measure:  # fmt: skip
    return Measure(
        name=f"describe.{name}",
        title=title,
        question=question,
        formula=formula,
        unit=unit,
        lowest=0,
        highest=highest,
        better="neither",
        counted_over=over,
        missing=SKIPPED,
        reference=source,
    )


RECORDS_PER_PERSON = _measure(
    "records_per_person", "records a person", "How many records does a person have?",
    "records / people; the middle half of the people lies between the quartiles", "records", "people",
    "Ito et al. n.d., Section 4A",
)  # fmt: skip
ITEMS_PER_PERSON = _measure(
    "items_per_person", "different items a person (b)", "How many different items does a person have?",
    "b = Σ_u |I(u)| / n, I(u) = the set of the person's items", "items", "people",
    "Ito et al. 2020, Definition 1, Table 3",
)  # fmt: skip
SHARED_ITEMS = _measure(
    "shared_items", "items that two people share (h)", "How many items do two people have in common?",
    "h = Σ_g C(d_g, 2) / C(n, 2), d_g = people who have the item g", "items", "people",
    "Ito et al. 2020, Definition 5; its Proposition 1, h = 2bμ/(1 + μ), holds for a ratio of means only",
)  # fmt: skip
JACCARD_MEAN = _measure(
    "jaccard_mean", "mean Jaccard (μ)", "How alike are the item sets of two people, on average?",
    "μ = mean over pairs of people of |I(u) ∩ I(v)| / |I(u) ∪ I(v)|", "share", "people",
    "Ito et al. 2020, Definition 5, Table 3, Figure 2", 1,
)  # fmt: skip
JACCARD_HIGHEST = _measure(
    "jaccard_highest", "highest Jaccard", "How alike are the two people whose item sets are most alike?",
    "max over pairs of people of |I(u) ∩ I(v)| / |I(u) ∪ I(v)|; 1 where two people have equal sets", "share",
    "people", "Ito et al. 2020, Section 2.3, Figure 2", 1,
)  # fmt: skip
AMOUNT_PER_PERSON = Measure(
    name="describe.amount_per_person",
    title="amount a person",
    question="How much do the records of a person come to?",
    formula="Σ of the amounts of the person's records; mean and quartiles over people who have an amount; "
    "unless values are shown, a quartile is the mean of the five people about it, from 20 people on",
    unit="amount",
    lowest=-math.inf,
    highest=None,
    better="neither",
    counted_over="people",
    missing=SKIPPED,
    reference="Ito et al. n.d., Table X, Figure 4",
)
AMOUNT_PER_MONTH = Measure(
    name="describe.amount_per_month",
    title="amount a month",
    question="How much do the records of a month come to?",
    formula="Σ of the amounts of the month's records",
    unit="amount",
    lowest=-math.inf,
    highest=None,
    better="neither",
    counted_over="records",
    missing=SKIPPED,
    reference="Ito et al. n.d., Figure 3",
)
CATEGORY_SHARE = _measure(
    "category_share", "share of a category", "What share of the records is of a category?",
    "records of the category / records with a category; of a person: of the person's own", "share", "records",
    "Ito et al. n.d., Figure 5", 1,
)  # fmt: skip
FREQUENCY = _measure(
    "frequency", "records of a value", "How many records have the values, from the most frequent down?",
    "records of the value of rank r; values are counted, not named", "records", "values",
    "Ito et al. n.d., Figures 7 to 9",
)  # fmt: skip

DESCRIPTION_MEASURES: tuple[Measure, ...] = (
    RECORDS_PER_PERSON,
    ITEMS_PER_PERSON,
    SHARED_ITEMS,
    JACCARD_MEAN,
    JACCARD_HIGHEST,
    AMOUNT_PER_PERSON,
    AMOUNT_PER_MONTH,
    CATEGORY_SHARE,
    FREQUENCY,
)
