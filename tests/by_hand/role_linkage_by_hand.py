"""Roles of people and items by their definition: colours refined with dictionaries until none is split."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

# records of each item, whatever items are called
Basket = Counter[Any]


def numbered(signatures: Mapping[Hashable, Hashable]) -> dict[Hashable, int]:
    """A number for each key, equal where the signatures are."""
    seen: dict[Hashable, int] = {}
    return {key: seen.setdefault(signature, len(seen)) for key, signature in signatures.items()}


def neighbour_colours(counts: Counter[Hashable], colour: Mapping[Hashable, int]) -> Hashable:
    """How often each pair of a neighbour's colour and a number of records occurs."""
    return frozenset(Counter((colour[other], number) for other, number in counts.items()).items())


def stable_colours(baskets: Sequence[Basket]) -> tuple[list[int], dict[Hashable, int]]:
    """The colours of people, and of items by name; a basket has the number of records of each item."""
    buyers: dict[Hashable, Counter[Hashable]] = {}
    for who, basket in enumerate(baskets):
        for item, number in basket.items():
            buyers.setdefault(item, Counter())[who] = number
    item_colour: dict[Hashable, int] = dict.fromkeys(buyers, 0)
    told_apart = -1
    while True:
        person_colour = numbered(
            {who: neighbour_colours(basket, item_colour) for who, basket in enumerate(baskets)}
        )
        item_colour = numbered({item: neighbour_colours(who, person_colour) for item, who in buyers.items()})
        colours = len({*person_colour.values()}) + len({*item_colour.values()})
        if colours == told_apart:
            return [person_colour[who] for who in range(len(baskets))], item_colour
        told_apart = colours


def partition(colours: Sequence[Hashable]) -> list[int]:
    """The same groups, numbered in the order of first appearance."""
    seen: dict[Hashable, int] = {}
    return [seen.setdefault(colour, len(seen)) for colour in colours]


def likelihood(released: Basket, known: Basket, floor: float) -> float:
    """How likely Poisson numbers of records are, less what does not depend on what is known."""
    gain = math.fsum(number * math.log(1 + known[item] / floor) for item, number in released.items())
    return gain - known.total()
