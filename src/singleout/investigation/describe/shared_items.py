"""What people have in common: items a person, items that two share, Jaccard of their item sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

from singleout.engine.protocol import Engine
from singleout.errors import InputError
from singleout.investigation.describe.people_spread import PeopleSpread
from singleout.risk.entropy.jaccard_distance import Likeness, likeness
from singleout.risk.entropy.person_value_counts import CountTable
from singleout.roles.domain import Domain

STEPS = 100
DRAWN = "a million pairs were drawn: two people who are more alike may not be among them"
ONE_PERSON = "it takes two people to compare"


@dataclass(frozen=True)
class SharedItems:
    """`by_rule` is what Ito et al. 2020, Proposition 1, would say of `shared`; the paper's rule errs."""

    item: str
    items: int
    per_person: PeopleSpread
    shared: float | None
    likeness: Likeness | None

    @property
    def jaccard(self) -> float | None:
        return None if self.likeness is None else 1 - self.likeness.mean

    @property
    def highest(self) -> float | None:
        """Only where every pair was looked at."""
        return self.likeness.most_alike if self.likeness and self.likeness.exact else None

    @property
    def by_rule(self) -> float | None:
        if self.jaccard is None or self.per_person.mean is None:
            return None
        return 2 * self.per_person.mean * self.jaccard / (1 + self.jaccard)

    def jaccard_entry(self) -> dict[str, Any]:
        like = self.likeness
        if like is None:
            return {"mean": None, "highest": None, "reason": ONE_PERSON}
        # distances in steps from 0: the last of them are the pairs with the least in common
        pairs = list(reversed(like.bins))
        return {
            "mean": self.jaccard,
            "low": 1 - like.high,
            "high": 1 - like.low,
            "highest": self.highest,
            "reason": None if like.exact else DRAWN,
            "pairs": like.pairs,
            "exact": like.exact,
            "histogram": [
                {"above": step / STEPS, "up_to": (step + 1) / STEPS, "pairs": count}
                for step, count in enumerate(pairs)
                if count
            ],
        }


def shared_items(
    counter: Engine, person: str, item: str, missing: Any, seed: int, threads: int
) -> SharedItems:
    """Every person's set of items, compared with everybody else's."""
    table = item_table(counter, person, Domain(item, (item,)), missing)
    sizes = numpy.diff(table.starts)
    there = int((sizes > 0).sum())
    buyers = numpy.bincount(table.value, minlength=table.values).astype(object)
    pairs = there * (there - 1) // 2
    both = int((buyers * (buyers - 1)).sum()) // 2
    return SharedItems(
        item=item,
        items=table.values,
        per_person=PeopleSpread.of_counts(sizes[sizes > 0]),
        shared=both / pairs if pairs else None,
        likeness=likeness(table, seed, threads, bins=STEPS),
    )


def item_table(counter: Engine, person: str, domain: Domain, missing: Any) -> CountTable:
    """How often each person has each value of a domain."""
    cells = counter.events(person, (domain,), missing)
    if not len(cells.value):
        raise InputError(
            f"{domain.name!r}: no record has a value of {' or '.join(domain.columns)}; name another"
        )
    values = int(cells.value.max()) + 1
    return CountTable.of(cells.person, cells.value, cells.count, cells.people, values)
