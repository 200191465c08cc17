"""Guesses by the definition: plain lists of records, one person and one record after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

Record = tuple[int, Hashable, int]


def majority_by_hand(records: Sequence[Record]) -> tuple[list[int], dict[int, int]]:
    """For records (person, class, value): what most other people of the class have, −1 if there are none.

    Of values that as many have, the more frequent among all others goes first, then the smaller. And for each
    person what most others have.
    """
    guesses, of_all = [], {}
    for person, alike, _ in records:
        others = [each for each in records if each[0] != person]
        everywhere = Counter(value for _, value in {(who, value) for who, _, value in others})
        there = Counter(value for _, value in {(who, value) for who, kind, value in others if kind == alike})
        guesses.append(min(there, key=lambda each: (-there[each], -everywhere[each], each), default=-1))
        of_all[person] = min(everywhere, key=lambda each: (-everywhere[each], each), default=-1)
    return guesses, of_all


def credit_by_hand(records: Sequence[Record]) -> tuple[dict[int, float], dict[int, float]]:
    """How much of each person look-alikes guess right: the most frequent value, and record by record."""
    guesses, of_all = majority_by_hand(records)
    told = [(who, value, guess) for (who, _, value), guess in zip(records, guesses, strict=True)]
    everybody = Counter(guess for _, guess in {(who, guess) for who, _, guess in told if guess >= 0})
    persons, by_record = {}, {}
    for person in {who for who, *_ in records}:
        own = [(value, guess) for who, value, guess in told if who == person]
        votes = Counter(guess for _, guess in own if guess >= 0)
        most = min(votes, key=lambda each: (-votes[each], -everybody[each], each), default=of_all[person])
        values = Counter(value for value, _ in own)
        persons[person] = float(values[most] == max(values.values()))
        by_record[person] = sum(
            value == (guess if guess >= 0 else of_all[person]) for value, guess in own
        ) / len(own)
    return persons, by_record
