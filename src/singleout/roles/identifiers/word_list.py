"""Lists of words as people write them: with blanks, or with commas where an entry has several words."""

from __future__ import annotations


def word_list(text: str) -> frozenset[str]:
    """
    >>> sorted(word_list("ann bob"))
    ['ann', 'bob']
    """
    return frozenset(text.casefold().split())


def phrase_list(text: str) -> frozenset[str]:
    """
    >>> sorted(phrase_list("mobile phone, fax"))
    ['fax', 'mobile phone']
    """
    return frozenset(" ".join(each.split()) for each in text.split(","))
