"""Names, addresses and sentences: what only words tell, judged by a sample of a column's values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from singleout.roles.identifiers.given_names import GIVEN_NAMES
from singleout.roles.identifiers.word_list import word_list

LEAST_NAMES, LEAST_NAMED, LEAST_NAMED_ALONE = 5, 0.3, 0.6
FULL_NAMES = 0.5
LEAST_ADDRESSES = 0.3
LEAST_PROSE, WORDS_OF_PROSE, LETTERS_OF_PROSE = 0.3, 6, 15
NAME_PART = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
ADDRESS = re.compile(
    r"""
    \b[0-9]{1,5}[a-z]?,?\s+(?:[^\W\d_][\w.'-]*\s+){1,4}(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr
        |boulevard|blvd|court|ct|way|terrace|close|square|crescent)\b
    | (?:stra(?:ß|ss)e|str\.|gasse|allee|platz|weg|laan|straat|gatan|vägen|gade|vej|katu)\s+[0-9]{1,4}\b
    | \b[0-9]{1,4}(?:\s?(?:bis|ter))?,?\s+(?:rue|avenue|boulevard|place|chemin|allée|impasse|quai|cours)\s
    | \b(?:calle|c/|avenida|avda|plaza|paseo|via|viale|piazza|corso|rua|travessa|ulica|ul\.)
        \s+[^\W\d_].*[0-9]{1,4}\b
    | [0-9０-９]+(?:丁目|番地|号)
    """,
    re.IGNORECASE | re.VERBOSE,
)
FUNCTION_WORDS = word_list(
    """
    the and is was were are be been has have had he she it they we you i his her their my your this
    that with for from not but when who which will would can could should did does to of in on at
    der die das und ist war nicht mit für von ein eine er sie wir ich den dem des zu im auf le la
    les et est était pas avec pour un une il elle nous je dans que qui sur el los las y es era no
    con para por una que se su en lo il lo gli e è non con per che di del della una sono o os as e
    não com para um uma que do da de het een en niet met voor van
    """
)
CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")


def are_names(texts: Sequence[str]) -> bool:
    """Whether many of the texts begin or end with a common given name, and all look like names.

    >>> are_names(["Ann Smith", "John Doe", "Lee, Mary", "Paul Klee", "Otto Dix"])
    True
    """
    parts = [_name_parts(text) for text in texts]
    likely = [each for each in parts if 1 <= len(each) <= 4]
    if len(texts) < LEAST_NAMES or len(likely) < 0.8 * len(texts):
        return False
    several = [each for each in likely if len(each) > 1]
    named = sum(any(part in GIVEN_NAMES for part in (each[0], each[1], each[-1])) for each in several)
    alone = sum(each[0] in GIVEN_NAMES for each in likely if len(each) == 1)
    if len(several) >= FULL_NAMES * len(likely):
        return named >= max(LEAST_NAMED * len(several), 3)
    return named + alone >= LEAST_NAMED_ALONE * len(likely)


def _name_parts(text: str) -> list[str]:
    """Words of letters only, in small letters; none where something else is in the text."""
    words = text.replace(",", " ").split()
    if not all(NAME_PART.fullmatch(word) and word[0].isupper() for word in words):
        return []
    return [word.rstrip(".").casefold() for word in words]


def are_addresses(texts: Sequence[str]) -> bool:
    return bool(texts) and sum(map(_is_address, texts)) >= LEAST_ADDRESSES * len(texts)


def _is_address(text: str) -> bool:
    return ADDRESS.search(text) is not None


def prose_share(texts: Sequence[str], fewest_words: int = WORDS_OF_PROSE) -> float:
    """Which share of the texts are sentences: several words, among them some that only hold others together.

    >>> prose_share(["She was seen on Monday and sent home.", "WHITE HANGING HEART T-LIGHT HOLDER"])
    0.5
    """
    return sum(_is_prose(text, fewest_words) for text in texts) / len(texts) if texts else 0.0


def _is_prose(text: str, fewest_words: int) -> bool:
    words = text.split()
    if len(words) < fewest_words:
        return len(CJK.findall(text)) >= LETTERS_OF_PROSE
    held = sum(word.strip(".,;:!?") in FUNCTION_WORDS for word in map(str.casefold, words))
    return held >= 2 and not text.isupper()
