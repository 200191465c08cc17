"""What is asked of the history of a payment card (paper 3, U1 to U12)."""

from __future__ import annotations

from singleout.measurement import CountedOver, Measure
from singleout.utility.whole_amounts import MISSING

PEOPLE = "people of the original and made-up people of the release, who have nothing in the other table"


def _error(number: int, name: str, question: str, of: str, over: CountedOver, more: str = "") -> Measure:
    """The mean absolute error of what is added up or counted: fares, or else records."""
    return Measure(
        name=f"u{number}_{name}",
        title=f"U{number}: {name.replace('_', ' ')}",
        question=question,
        formula=f"mean over {of} in the original − in the release|{more}",
        unit="of the amount" if "fare" in name else "records",
        lowest=0,
        highest=None,
        better="lower",
        counted_over=over,
        missing=f"{MISSING}, any other missing value is a value",
        reference=f"Paper 3, U{number}",
    )


U1 = _error(1, "fare_by_person", "How far off is what a person paid?", f"{PEOPLE}, of |Σ fare", "people")
U2 = _error(
    2,
    "mean_fare_by_person",
    "How far off is a person's mean fare?",
    f"{PEOPLE}, of |mean fare",
    "people",
    "; 0 without records",
)
U3 = _error(
    3,
    "fare_by_day",
    "How far off is what was paid in a day?",
    "the days of either table of |Σ fare",
    "values",
)
U4 = _error(
    4,
    "records_by_person",
    "How far off is how many records a person has?",
    f"{PEOPLE}, of |records",
    "people",
)
U5 = _error(
    5,
    "records_by_day",
    "How far off is how many records a day has?",
    "the days of either table of |records",
    "values",
)
U6 = _error(
    6,
    "records_by_entry",
    "How far off is how many records enter at a point?",
    "the points of entry of either table of |records",
    "values",
)
U7 = _error(
    7,
    "records_by_exit",
    "How far off is how many records leave at a point?",
    "the points of exit of either table of |records",
    "values",
)
U8 = _error(
    8,
    "records_by_route",
    "How far off is how many records take a route?",
    "the routes of either table, those of each column by themselves and all in one list, of |records",
    "values",
)
U9 = _error(
    9,
    "records_by_location",
    "How far off is how many records a location has?",
    "the locations of either table of |records",
    "values",
)
U10 = _error(
    10,
    "records_by_category",
    "How far off is how many records a category has?",
    "the categories, as a card's usages, of either table of |records",
    "values",
)
U11 = _error(
    11,
    "fare_by_category_and_person",
    "How far off is a person's sum in a category?",
    f"all pairs of a category of either table and a person, of the {PEOPLE}, of |Σ fare",
    "people",
)
U12 = _error(
    12,
    "sorted_fares",
    "How far off are a person's single fares?",
    f"{PEOPLE}, and over places of |fare",
    "records",
    "; a person's fares are in rising order, the shorter list is filled up with 0 in front",
)
