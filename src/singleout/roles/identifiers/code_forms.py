"""Codes that stand for people or what is theirs: hashes and number plates, told by a sample of values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from singleout.roles.identifiers.identifier_kind import IdentifierKind

MOSTLY, NEARLY_ALL = 0.5, 0.9
# one value that all have tells nobody apart
FEWEST_HASHES, FEWEST_PLATES = 2, 5
# MD5, SHA-1, 224, 256, 384 and 512 in hexadecimal; the first two and SHA-256 in base64; bcrypt
HASH = re.compile(
    r"(?:0x)?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}"
    r"|[0-9A-F]{32}|[0-9A-F]{40}|[0-9A-F]{56}|[0-9A-F]{64}|[0-9A-F]{96}|[0-9A-F]{128})"
    r"|[0-9A-Za-z+/_-]{22}==|[0-9A-Za-z+/_-]{27}=|[0-9A-Za-z+/_-]{43}=|\$2[aby]\$.{56}"
)
# Germany, the United Kingdom, France and Italy, Spain
PLATE = re.compile(
    r"[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2}[- ]?[1-9][0-9]{0,3}[EH]?|[A-Z]{2}[0-9]{2} ?[A-Z]{3}"
    r"|[A-HJ-NP-TV-Z]{2}[- ]?[0-9]{3}[- ]?[A-HJ-NP-TV-Z]{2}|[0-9]{4}[ -]?[BCDFGHJ-NPRSTV-Z]{3}"
)
SHORT_DIGEST = re.compile(r"[0-9a-f]{6,31}|[0-9A-F]{6,31}")
# of sixteen digits that are drawn alike, six are letters
LEAST_LETTERS, MOST_LETTERS = 0.2, 0.55
# a number or an amount, alone or beside others in a range, is read as what it is
AMOUNT = re.compile(
    r"[0-9][0-9.,:]*(?:[eE][+-]?[0-9]+)?\s?(?:[kKmMgG]|[kc]?m|km/?h|[km]?g|[mk]?l|%|°[CF]?|h|hrs?|hours?|min|s|sec"
    r"|ms|d|days?|w|weeks?|months?|y|yrs?|years?|eur|usd|gbp|jpy|chf|am|pm|st|nd|rd|th)?(?![^\W_])",
    re.IGNORECASE,
)
JOINED = re.compile(r"\b(?:to|and|or|over|under|below|above|from|until|less|more|than|bis|und|über|unter)\b")
LONG_NUMBER = re.compile("[0-9]{9,19}")
LETTER, SIGN = re.compile(r"[^\W\d_]"), re.compile(r"[^\W_]")


def may_be_code(text: str) -> bool:
    """Whether letters stand in it, and no amount, time or single letter explains them.

    >>> [may_be_code(text) for text in ("C017", "X7-smith", "3kw_m3", "<=50K", "[50-60)", "12.5 kg", "b")]
    [True, True, True, False, False, False, False]
    """
    rest = JOINED.sub(" ", AMOUNT.sub(" ", text))
    return len(SIGN.findall(text)) > 1 and LETTER.search(rest) is not None


def is_long_number(text: str) -> bool:
    """Whether it has as many digits as that of a telephone or a person.

    >>> [is_long_number(text) for text in ("01710007919", "20240131", "000000000", "-123456789")]
    [True, False, False, False]
    """
    return LONG_NUMBER.fullmatch(text.strip()) is not None and len({*text}) > 2


def are_short_digests(texts: Sequence[str]) -> bool:
    """Whether all are as long, and of digits and letters as if drawn: what is left of a hash that was cut.

    >>> are_short_digests(["3e23e816", "18ac3e73", "ca978112"]), are_short_digests(["85123A", "71053B"])
    (True, False)
    """
    if not texts or len({*map(len, texts)}) > 1 or not all(map(SHORT_DIGEST.fullmatch, texts)):
        return False
    every = "".join(texts)
    return LEAST_LETTERS <= sum(map(str.isalpha, every)) / len(every) <= MOST_LETTERS


def code_kind(texts: Sequence[str]) -> IdentifierKind | None:
    """What nearly all of the texts are hashes of, or most of them plates of; None for anything else.

    >>> code_kind(["B-AB 123", "M-X 77", "HH-CD 4711", "K-LM 12", "S-Y 9"]), code_kind(["AB", "CD"])
    ('device id', None)
    """
    hashes = sum(HASH.fullmatch(text) is not None for text in texts)
    if hashes >= max(FEWEST_HASHES, NEARLY_ALL * len(texts)):
        return "hash"
    plates = sum(PLATE.fullmatch(text) is not None for text in texts)
    return "device id" if plates >= max(FEWEST_PLATES, MOSTLY * len(texts)) else None
