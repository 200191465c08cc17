"""The made-up people of the payment cards: the table M of Ito et al. n.d., with ranges of season tickets.

A season ticket goes from the station where a person's first trip starts to the one passed most often beside
it; who has none, about one in four, has missing values. Sex, grade and address are drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from singleout.read.sample_card import card_batches
from singleout.read.sample_draws import check, stream

SCHEMA = pa.schema(
    [
        ("user", pa.string()),
        ("sex", pa.string()),
        ("grade", pa.int64()),
        ("address", pa.string()),
        ("range1", pa.string()),
        ("range2", pa.string()),
    ]
)
GRADES = 4
WITH_TICKET = 0.75
ADDRESSES = ("Adachi", "Bunkyo", "Chuo", "Edogawa", "Koto", "Minato", "Nerima", "Ota", "Shinagawa", "Taito")


def holder_batches(people: int, seed: int = 0) -> Iterator[pa.RecordBatch]:
    """One row a card, in the order of the cards."""
    check(people, seed)
    for number, batch in enumerate(card_batches(people, seed)):
        yield _batch(batch, stream(seed, 3, number))


def _batch(trips: pa.RecordBatch, random: np.random.Generator) -> pa.RecordBatch:
    passed: dict[str, list[str]] = {}
    columns = ("user", "entraining_point", "alighting_point")
    for user, enter, leave in zip(*(trips.column(name).to_pylist() for name in columns), strict=True):
        passed.setdefault(user, []).extend(point for point in (enter, leave) if point is not None)
    has_ticket = random.random(len(passed)) < WITH_TICKET
    ranges = [
        _range(points) if ticket else (None, None)
        for points, ticket in zip(passed.values(), has_ticket.tolist(), strict=True)
    ]
    rows = {
        "user": list(passed),
        "sex": np.array(["F", "M"])[random.integers(0, 2, len(passed))].tolist(),
        "grade": random.integers(1, GRADES + 1, len(passed)),
        "address": np.array(ADDRESSES)[random.integers(0, len(ADDRESSES), len(passed))].tolist(),
        "range1": [one for one, _ in ranges],
        "range2": [other for _, other in ranges],
    }
    return pa.RecordBatch.from_pydict(rows, schema=SCHEMA)


def _range(points: list[str]) -> tuple[str | None, str | None]:
    """Home, and the station passed most often beside it; of equally frequent ones the alphabet's first."""
    if not points:
        return None, None
    others = Counter(point for point in points if point != points[0])
    return points[0], min(others, key=lambda each: (-others[each], each), default=None)
