"""Names, addresses and sentences: what only words tell, judged by a sample of a column's values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from singleout.roles.identifiers.family_names import SURE_FAMILY_NAMES
from singleout.roles.identifiers.given_names import (
    CHINESE_SURNAMES,
    GIVEN_NAMES,
    JAPANESE_SURNAMES,
    KOREAN_SURNAMES,
    OTHER_MEANINGS,
    UNFOLDED,
)
from singleout.roles.identifiers.word_list import word_list

LEAST_NAMES, LEAST_NAMED, LEAST_NAMED_ALONE = 5, 0.3, 0.6
# of family names by themselves, of which there are more than a list has
LEAST_FAMILIES = 0.3
# in small or capital letters throughout, names are told from other words by the list alone
LEAST_NAMED_WITHOUT_CAPITALS = 0.4
# Jack Plug and Rosa Rug are nobody
LEAST_SURE = 0.15
SURE_NAMES = GIVEN_NAMES - OTHER_MEANINGS
# of fewer different texts all must be full names
FEWEST_FULL_NAMES = 3
FULL_NAMES = 0.5
LEAST_EAST_ASIAN = 0.7
TITLES = word_list(
    "mr mrs ms miss dr prof sir herr frau fru hr mme mlle monsieur madame sr sra srta sig dott pan pani"
)
# those that hardly mean anything else, and in small letters in the middle of a sentence
SURE_TITLES = TITLES - word_list("miss sir fru sig sr hr ms pan pani")
TITLES_OF_SENTENCES = ("mr", "mrs")
# of places that are called after people, and of what is
OF_PLACES = word_list(
    """
    san santa santo saint sankt sainte st sao new los las el la port fort mount lake cape rio villa north
    south east west street road avenue hospital clinic university college school church county island
    islands beach city park river bay hill hills valley springs falls airport station hotel foundation
    institute company inc ltd gmbh syndrome disease type test score index
    """
)
FAMILY_ENDING = re.compile(
    r".{3,}(?:sson|dottir|ovich|evich|ovna|evna|owski|owska|ewski|ewska|iewicz|owicz|opoulos|shvili|adze"
    r"|ович|евич|овна|евна|енко|ський|ська|όπουλοσ|οπούλου|ίδησ|ίδου|άδησ|άκησ|άκη)"
)
COUNTER_BEHIND = re.compile(r"[\s_]*[(\[#]?[0-9]{1,3}[)\]]?$")
JSON_TEXT = re.compile(r'"([^"]*)"\s*(?=[,}\]])')
# a value of several parts, as the engine writes it
NAMED_PART = re.compile(r"'[^']*': '?([^',}]*)|\w+=([^,}]*)")
SEPARATORS = re.compile(r"[,;|/_.+\s・]+")
CAMEL_CASE = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
HAN, HANGUL = "[㐀-鿿々]", "[가-힯]"
PLACE_ENDING = "県市区町村都府道駅店社部省州县镇路街室科院局車機薬品業堂屋館園"
JAPANESE = re.compile(
    rf"(?:{'|'.join(sorted(JAPANESE_SURNAMES))})[\s　]?(?:{HAN}|[ぁ-んァ-ヶー]){{1,4}}(?<![{PLACE_ENDING}])"
)
CHINESE = re.compile(rf"[{CHINESE_SURNAMES}]\s?{HAN}{{1,2}}(?<![{PLACE_ENDING}])")
KOREAN = re.compile(rf"[{KOREAN_SURNAMES}]\s?{HANGUL}{{2}}")
LEAST_ADDRESSES = 0.3
FEWEST_AROUND_A_NAME = 3
LEAST_PROSE, WORDS_OF_PROSE, LETTERS_OF_PROSE, WORDS_OF_A_SENTENCE = 0.3, 6, 15, 4
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


class NameParts(NamedTuple):
    """The words of what may be a name, folded; none where it can't be one."""

    words: tuple[str, ...]
    capitalised: bool

    def named(self, known: frozenset[str]) -> bool:
        ends = {self.words[0], self.words[1 % len(self.words)], self.words[-1]}
        return any(each in known or FAMILY_ENDING.fullmatch(each) for each in ends)


NO_NAME = NameParts((), False)


def are_names(texts: Sequence[str]) -> bool:
    """Whether many of the texts begin or end with a common given name, and all look like names.

    >>> are_names(["Ann Smith", "John Doe", "Lee, Mary", "Paul Klee", "Otto Dix"])
    True
    >>> are_names(["ann_smith", "DoeJohn", "mary lee (1)", "Paul;Klee", "dix otto"])
    True

    So are names behind a title, family names by themselves, and what is one when it is read backwards.

    >>> are_names(["Mrs Ekwueme", "Dr. Eneh", "MR ABARA"])
    True

    >>> are_names(["smith", "jones", "müller", "rossi", "okafor"]), are_names(["nnA", "nhoJ", "luaP"] * 2)
    (True, True)
    """
    return _are_names(texts) or _are_names([text[::-1] for text in texts])


def _are_names(texts: Sequence[str]) -> bool:
    if len(texts) < FEWEST_FULL_NAMES:
        return False
    if _are_east_asian(texts) or sum(map(is_titled_name, texts)) >= max(
        FULL_NAMES * len(texts), FEWEST_FULL_NAMES
    ):
        return True
    likely = [each for each in map(name_parts, texts) if 1 <= len(each.words) <= 4]
    several = [each for each in likely if len(each.words) > 1]
    sure = sum(each.named(SURE_NAMES) for each in several)
    named = sum(each.named(GIVEN_NAMES if each.capitalised else SURE_NAMES) for each in several)
    if len(texts) < LEAST_NAMES:
        return sure == len(texts)
    if len(likely) < 0.8 * len(texts):
        return False
    capitalised = sum(each.capitalised for each in likely)
    if len(several) >= FULL_NAMES * len(likely):
        usual = capitalised >= 0.8 * len(likely)
        least = LEAST_NAMED if usual else LEAST_NAMED_WITHOUT_CAPITALS
        return named >= max(least * len(several), 3) and sure >= LEAST_SURE * len(several)
    single = [each for each in likely if len(each.words) == 1]
    families = sum(each.words[0] in SURE_FAMILY_NAMES for each in single)
    alone = sum(each.capitalised and each.words[0] in GIVEN_NAMES for each in single)
    return named + alone >= LEAST_NAMED_ALONE * len(likely) or families >= LEAST_FAMILIES * len(likely)


def are_plain_words(texts: Sequence[str]) -> bool:
    """Whether nearly all are one to three words of letters alone: names are, and so are many other things.

    >>> are_plain_words(["Ekwueme", "J.S.", "van der Berg"]), are_plain_words(["a", "b", "x 12", "3"])
    (True, False)
    """
    words = [name_parts(text).words for text in texts]
    plain = sum(1 <= len(each) <= 3 and sum(map(len, each)) > 1 for each in words)
    return plain >= 0.8 * len(texts) > 0


def has_several_words(text: str) -> bool:
    """Whether it says more than a name or two, or than an amount and its unit: of whom, nobody knows.

    >>> [has_several_words(text) for text in ("came with her mother", "Ann van Berg", "5 to 7 kg")]
    [True, False, False]
    """
    words = [word for word in text.split() if sum(map(str.isalpha, word)) > 1]
    return len(words) >= WORDS_OF_A_SENTENCE or len(CJK.findall(text)) >= LETTERS_OF_PROSE


def _are_east_asian(texts: Sequence[str]) -> bool:
    """Families' names, of which few are common, then one to three characters."""
    likely = max(
        sum(form.fullmatch(text.strip()) is not None for text in texts)
        for form in (JAPANESE, CHINESE, KOREAN)
    )
    return likely >= max(LEAST_EAST_ASIAN * len(texts), FEWEST_FULL_NAMES)


def is_full_name(text: str) -> bool:
    """Whether one text by itself is a first and a last name: its given name must mean nothing else.

    >>> is_full_name("Mary Smith"), is_full_name("Smith, Mary"), is_full_name("Grace Period")
    (True, True, False)
    """
    words = name_parts(text).words
    if not 2 <= len(words) <= 3 or any(word in FUNCTION_WORDS for word in words):
        return False
    given = words[-1] if "," in text else words[0]
    return given in GIVEN_NAMES and given not in OTHER_MEANINGS and len(words[-1]) > 1


def is_sure_full_name(text: str) -> bool:
    """Whether one text by itself is a given and a family name that both mean nothing else.

    >>> is_sure_full_name("Ann Smith"), is_sure_full_name("Smith, Ann"), is_sure_full_name("Rosa Stone")
    (True, True, False)
    """
    words = name_parts(text).words
    return is_full_name(text) and (words[0] if "," in text else words[-1]) in SURE_FAMILY_NAMES


def is_titled_name(text: str) -> bool:
    """Whether it is a title and a name or two.

    >>> [is_titled_name(text) for text in ("Mrs EKWUEME", "dr. van Eneh", "Dr.", "Mr and Mrs", "Mrs 4")]
    [True, True, False, False, False]
    """
    words = [folded_word(word.strip(".,;")) for word in text.split()]
    named = words[1:]
    return (
        1 <= len(named) <= 3
        and words[0] in SURE_TITLES
        and all(map(NAME_PART.fullmatch, named))
        and named[-1] not in FUNCTION_WORDS | TITLES
    )


def names_somebody(text: str) -> bool:
    """Whether a name stands in a sentence: a given name or a title before another capitalised word.

    Where all words are capitalised, it may be a title or a description.

    >>> names_somebody("was handed to Maria Lopez"), names_somebody("Maria Lopez Lamp Blue")
    (True, False)
    >>> names_somebody("asked for Mrs. Smith"), names_somebody("sent to San Jose again")
    (True, False)
    >>> names_somebody("seen by anna schmidt"), names_somebody("will price the rose")
    (True, False)
    >>> names_somebody("seen by mrs eneh today"), names_somebody("mr and mrs in the letter")
    (True, False)
    """
    words = [word.strip(".,;:!?()\"'") for word in text.split()]
    words = [word for word in words if word]
    if len(words) < FEWEST_AROUND_A_NAME or not any(word.islower() and len(word) > 1 for word in words):
        return False
    return any(_is_named(*pair) or _is_named_in_small_letters(*pair) for pair in pairwise(words))


def _is_named(one: str, other: str) -> bool:
    if not (one[0].isupper() and other[0].isupper() and NAME_PART.fullmatch(other)) or other.isupper():
        return False
    first, second = folded_word(one), folded_word(other)
    if second in OF_PLACES or second in FUNCTION_WORDS:
        return False
    return first in TITLES or (first in SURE_NAMES and not one.isupper())


def _is_named_in_small_letters(one: str, other: str) -> bool:
    first, second = folded_word(one), folded_word(other)
    if first in TITLES_OF_SENTENCES:
        return NAME_PART.fullmatch(other) is not None and second not in FUNCTION_WORDS | TITLES
    return one.islower() and first in SURE_NAMES and second in SURE_FAMILY_NAMES


def name_parts(text: str) -> NameParts:
    """Words of letters only, without title and counter; whatever stands between them."""
    plain = _texts_of_parts(text) if text[:1] in "{[" else COUNTER_BEHIND.sub("", text)
    words = [word for word in SEPARATORS.split(plain) if word]
    if len(words) == 1:
        words = CAMEL_CASE.split(words[0])
    if not words or not all(NAME_PART.fullmatch(_without_marks(word)) for word in words):
        return NO_NAME
    folded = tuple(folded_word(word) for word in words)
    if any(word in OF_PLACES for word in folded):
        return NO_NAME
    # where a script has no capitals, every word is as names are
    capitalised = all(not word[0].islower() and not word[1:].isupper() for word in words)
    return NameParts(tuple(word for word in folded if word not in TITLES), capitalised)


def _texts_of_parts(text: str) -> str:
    """Of JSON, or of what an engine writes for a value of several parts."""
    parts = JSON_TEXT.findall(text) or ["".join(part) for part in NAMED_PART.findall(text)]
    return " ".join(part for part in parts if part != "NULL") or text.strip("{[]}")


def _without_marks(word: str) -> str:
    """Vowels of Hindi and Thai are marks beside a letter, and no letters themselves."""
    if word.isascii():
        return word
    return "".join(each for each in word if not unicodedata.category(each).startswith("M"))


def folded_word(word: str) -> str:
    """In small letters without accents, as the list of names has it."""
    folded = word.casefold()
    decomposed = unicodedata.normalize("NFKD", folded.translate(UNFOLDED))
    plain = "".join(each for each in decomposed if not unicodedata.combining(each))
    return plain if plain.isascii() else folded


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
