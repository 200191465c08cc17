"""Whether the names of a release can be computed from those of the original: pseudonyms without a secret."""

from __future__ import annotations

import base64
import codecs
import math
import operator
import re
import uuid
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.attacks.name_digests import HASHES, LEAST_DIGEST, digests, fits, guessed_hash
from singleout.attacks.record_order import LEAST_CHANCE, rank_agreement
from singleout.engine.codes.histories import Indices

LEAST_NAME = 2
# fewer characters of a name are those of others by chance
LEAST_PART = 4
LEAST_ENCIPHERED = 8
MOST_LOOKED_AT = 2_000
# of so many old values it is remembered how their digests begin
MOST_REMEMBERED = 1 << 15
# a few may be alike by chance
LEAST_SHARE = 0.05
SALTED = (
    "they are digests of {} ({}) with a salt or a key that is in a list of common words, which everybody can "
    "try"
)
DIGEST = "they are digests of {} ({}) without a secret, which everybody can compute"
WRITTEN = "they are {} {}, which everybody can undo"
COPIED = "they are {}"
DIGITS, BARE = "the digits of the original's names", "the letters and digits of the original's names"
OLD_NAMES, COLUMN = "the original's names", "the values of {} in the original"
# of people who are called by a value of their own, fewer may be so by chance
LEAST_COPIED = 0.5
WITHIN = "they contain {}"
NAMESPACES = (uuid.NAMESPACE_DNS, uuid.NAMESPACE_URL, uuid.NAMESPACE_OID, uuid.NAMESPACE_X500)
# of whom it is tried whether the name is a digest of a number
FEW = 200
RISING = "they rise with {} (rank correlation {:.2f})"
LENGTHS = "their lengths rise with {} (rank correlation {:.2f})"
COUNTED = "they are {} times a number, plus another, modulo a third, which a few known people tell"
FEWEST_COUNTED = 4
BEGIN, END, LENGTH = (
    "how they begin goes with {}",
    "how they end goes with {}",
    "how long they are goes with {}",
)
NAME_PARTS: tuple[tuple[str, Callable[[str], str]], ...] = (
    *((BEGIN, operator.itemgetter(slice(most))) for most in (1, 2, 3)),
    *((END, operator.itemgetter(slice(-most, None))) for most in (1, 2)),
    (LENGTH, lambda name: str(len(name))),
)
# one of many columns and parts may go together sooner than one alone
LEAST_CHANCE_OF_PARTS = 1e-6
# Python reads no numbers of thousands of digits
LAST_NUMBER = re.compile(r"[0-9]{1,1000}$")
Writing = Callable[[str], Iterator[str]]
Totals = NDArray[numpy.float64]


def name_derivation_clue(
    released: Sequence[str], person: Indices, original: Sequence[str], first_line: Indices
) -> str | None:
    """How the names of the release follow from those of the same people in the original, if they do.

    `person` is who of the original each name of the release is, `original` is what these are called there,
    and `first_line` where each first appears.

    >>> name_derivation_clue(["cba", "fed"], numpy.array([0, 1]), ["abc", "def"], numpy.array([0, 1]))
    "they are the original's names written backwards, which everybody can undo"
    """
    old = [original[index] for index in person.tolist()]
    some = [*zip(released, old, strict=True)][:: max(1, len(released) // MOST_LOOKED_AT)]
    if words := _writing_clue(some, OLD_NAMES) or _begun_digest_clue(some, OLD_NAMES):
        return words
    others = {"the names of the original": _ranks(old), "first appearance in it": first_line[person]}
    numbers = _numbers_of_people(original, first_line)
    return (
        _order_clue(released, others)
        or _count_clue(released, person, numbers)
        or _number_digest_clue(released, person, numbers)
        or _part_clue(released, old)
    )


def value_derivation_clue(released: Sequence[str], values: Sequence[str], column: str) -> str | None:
    """How the names of the release follow from what the same people have in a column of the original.

    >>> value_derivation_clue(["cba", "fed"], ["abc", "def"], "card")
    'they are the values of card in the original written backwards, which everybody can undo'
    """
    called = COLUMN.format(column)
    return _value_clue(released, values, called) or _parts_clue(released, values, called)


def _parts_clue(released: Sequence[str], values: Sequence[str], called: str) -> str | None:
    """Names of which a part stands for the value, such as M-17 for a man, or the value for a part."""
    for words, part in NAME_PARTS:
        parts = [part(name) for name in released]
        chances = _chance_alike(parts, values), _chance_alike(values, parts)
        if min(chances) < LEAST_CHANCE_OF_PARTS:
            return words.format(called)
    return None


def _chance_alike(groups: Sequence[str], values: Sequence[str]) -> float:
    """How likely it is that all of a group have the same value, by chance; 1 where they have not."""
    whose = dict(zip(groups, values, strict=True))
    if any(whose[group] != value for group, value in zip(groups, values, strict=True)):
        return 1.0
    alike = sum((number / len(values)) ** 2 for number in Counter(values).values())
    return float(alike ** (len(groups) - len(whose)))


def _part_clue(released: Sequence[str], old: Sequence[str]) -> str | None:
    """How new names follow from the number in an old one, or from its letters and digits alone."""
    for called, part in ((DIGITS, str.isdigit), (BARE, str.isalnum)):
        values = ["".join(filter(part, name)) for name in old]
        some = [
            (new, *each)
            for new, *each in zip(released, values, old, strict=True)
            if len(each[0]) >= LEAST_PART
        ]
        if len(some) < LEAST_COPIED * len(old) or all(value == name for _, value, name in some):
            continue
        new, values = [each for each, _, _ in some], [each for _, each, _ in some]
        if clue := _value_clue(new, values, called):
            return clue
    return None


def _value_clue(released: Sequence[str], values: Sequence[str], called: str) -> str | None:
    copied = sum(new.casefold() == old.casefold() for new, old in zip(released, values, strict=True))
    if released and copied >= LEAST_COPIED * len(released):
        return COPIED.format(called)
    some = [*zip(released, values, strict=True)][:: max(1, len(released) // MOST_LOOKED_AT)]
    # equal values have one place, which no order of names may break
    different = [*dict.fromkeys(values)]
    place = dict(zip(different, _ranks(different).tolist(), strict=True))
    places = [place[value] for value in values]
    numbers = {called: _last_numbers(values), f"the place among {called}": places}
    return (
        _writing_clue(some, called)
        or _begun_digest_clue(some, called)
        or _order_clue(released, {called: numpy.array(places, dtype=numpy.int64)})
        or _count_clue(released, numpy.arange(len(values)), numbers)
    )


def _begun_digest_clue(pairs: Sequence[tuple[str, str]], called: str) -> str | None:
    """Digests behind a beginning that all names have, such as `u-`."""
    letters = zip(*(new for new, _ in pairs), strict=False)
    begin = sum(1 for _ in takewhile(lambda each: len({*each}) == 1, letters))
    if not begin:
        return None
    bare = [(new[begin:], old) for new, old in pairs]
    if words := _digest_clue(bare, called):
        return words
    name = guessed_hash(bare)
    return None if name is None else SALTED.format(called, name)


def _digest_clue(pairs: Sequence[tuple[str, str]], called: str) -> str | None:
    begun = [each for each in pairs if _begins_as_digest(*each)]
    return next(
        (words for words, writing in _digest_writings(called) if _are_many(begun, writing, len(pairs))), None
    )


def _writing_clue(pairs: Sequence[tuple[str, str]], called: str) -> str | None:
    if digest := _digest_clue(pairs, called):
        return digest
    written = [each for each in pairs if _is_written(*each)]
    for words, writing in _other_writings(called):
        if _are_many(written, writing, len(pairs)):
            return words
    if (name := guessed_hash(pairs)) is not None:
        return SALTED.format(called, name)
    if _are_enciphered(pairs):
        return WRITTEN.format(called, "with each character for another")
    return WITHIN.format(called) if _are_within(pairs) else None


def _are_within(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether names contain what their own people had, and far fewer contain what the next ones had."""
    plain = [(new.casefold(), _letters_and_digits(old)) for new, old in pairs]
    fitting = [(_letters_and_digits(new), old) for new, old in plain if len(old) >= LEAST_NAME]
    others = [old for _, old in fitting[1:] + fitting[:1]]
    own = sum(old in new for new, old in fitting)
    by_chance = sum(other in new for (new, _), other in zip(fitting, others, strict=True))
    return own >= max(2, LEAST_COPIED * len(pairs)) and by_chance <= own / 2


def _letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _digest_writings(called: str) -> Iterator[tuple[str, Writing]]:
    for name in HASHES:
        yield DIGEST.format(called, name), lambda text, name=name: digests(text, name)  # type: ignore[misc]
    yield DIGEST.format(called, "UUID of version 3 or 5"), _uuids


def _begins_as_digest(name: str, old: str) -> bool:
    """Sooner told than which digest it is; each has more characters than that."""
    begin = name.casefold()[:LEAST_DIGEST]
    return len(begin) == LEAST_DIGEST and f" {begin}" in _digest_beginnings(old)


@lru_cache(MOST_REMEMBERED)
def _digest_beginnings(old: str) -> str:
    """Behind a space each: one text takes less memory than a set, and many releases ask about one table."""
    written = (each for _, writing in _digest_writings("") for each in writing(old))
    return "".join(sorted({f" {each[:LEAST_DIGEST].casefold()}" for each in written}))


def _other_writings(called: str) -> Iterator[tuple[str, Writing]]:
    yield DIGEST.format(called, "crc32"), _checksums
    yield WRITTEN.format(called, "written backwards"), lambda text: iter([text[::-1]])
    yield WRITTEN.format(called, "in another writing (base64, hexadecimal or rot13)"), _encodings


def _is_written(name: str, old: str) -> bool:
    """Whether the name is any of the other writings, sooner told than which one it is."""
    plain = name.casefold().rstrip("=")
    written = _written(old)
    return f"\n{plain}\n" in written or (len(plain) >= LEAST_DIGEST and f"\n{plain}" in written)


@lru_cache(MOST_REMEMBERED)
def _written(old: str) -> str:
    """Between line ends each, as above."""
    plain = (each.casefold().rstrip("=") for _, writing in _other_writings("") for each in writing(old))
    return "\n".join(("", *sorted({*plain}), ""))


def _are_many(pairs: Sequence[tuple[str, str]], writing: Writing, people: int) -> bool:
    """Whether the names of enough of so many people are a writing of the old ones."""
    fitting = sum(
        any(fits(new, each) for each in writing(old))
        for new, old in pairs
        if len(old) >= LEAST_NAME and new.casefold() != old.casefold()
    )
    return people > 0 and fitting >= LEAST_SHARE * people


def _are_enciphered(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether each character always stands for the same other one, and more often than could be chance."""
    if any(len(new) != len(old) for new, old in pairs):
        return False
    letters = [both for new, old in pairs for both in zip(new, old, strict=True)]
    code = set(letters)
    one_to_one = len(code) == len({new for new, _ in code}) == len({old for _, old in code})
    return one_to_one and len(pairs) >= LEAST_ENCIPHERED and len(letters) >= 2 * len(code)


def _uuids(text: str) -> Iterator[str]:
    for space in NAMESPACES:
        for made in (uuid.uuid3(space, text), uuid.uuid5(space, text)):
            yield str(made)
            yield made.hex


def _checksums(text: str) -> Iterator[str]:
    for checksum in (zlib.crc32(text.encode()), zlib.adler32(text.encode())):
        yield f"{checksum:08x}"
        yield str(checksum)


def _encodings(text: str) -> Iterator[str]:
    yield base64.b64encode(text.encode()).decode()
    yield base64.b32encode(text.encode()).decode()
    yield text.encode().hex()
    yield codecs.encode(text, "rot13")


def name_order_clue(released: Sequence[str], others: Mapping[str, Totals]) -> str | None:
    """Whether names rise with a number that people have; who has none (NaN) is left out.

    >>> spent = numpy.array([float(each * each) for each in range(9)])
    >>> name_order_clue([f"p{each}" for each in range(9)], {"the sum of price": spent})
    'they rise with the sum of price (rank correlation 1.00)'
    """
    for words, other in others.items():
        there = numpy.flatnonzero(~numpy.isnan(other))
        if clue := _order_clue([released[index] for index in there.tolist()], {words: other[there]}):
            return clue
    return None


def _order_clue(released: Sequence[str], others: Mapping[str, Indices | Totals]) -> str | None:
    one_run = numpy.zeros(len(released), dtype=numpy.int64)
    ranks, lengths = _ranks(released), numpy.array([len(name) for name in released], dtype=numpy.int64)
    for words, other in others.items():
        for rising, agreement in (
            (RISING, rank_agreement(one_run, ranks, other)),
            (LENGTHS, rank_agreement(one_run, other, lengths)),
        ):
            if agreement.is_beyond_chance:
                return rising.format(words, agreement.correlation)
    return None


def _ranks(names: Sequence[str]) -> Indices:
    """As numbers where all end in one behind the same beginning, else as texts: `p2` comes before `p10`."""
    beginnings = {name.rstrip("0123456789") for name in names}
    numbered = len(beginnings) == 1 and not any(name in beginnings for name in names)
    texts = pyarrow.array(names, pyarrow.large_string())
    lengths = pyarrow.compute.utf8_length(texts)
    keys = {"length": lengths, "text": texts} if numbered else {"text": texts}
    # by their bytes, which in UTF-8 is by their characters
    order = pyarrow.compute.sort_indices(pyarrow.table(keys), [(key, "ascending") for key in keys])
    ranks = numpy.empty(len(names), dtype=numpy.int64)
    ranks[order.to_numpy()] = numpy.arange(len(names))
    return ranks


def _numbers_of_people(original: Sequence[str], first_line: Indices) -> dict[str, list[int] | None]:
    """What somebody who numbers people would take, by its name."""
    return {
        "the place among the original's names": _ranks(original).tolist(),
        "the place of first appearance in the original": numpy.argsort(numpy.argsort(first_line)).tolist(),
        "the line of first appearance in the original": first_line.tolist(),
        "the number in the original's name": _last_numbers(original),
    }


def _count_clue(
    released: Sequence[str], person: Indices, numbers: Mapping[str, list[int] | None]
) -> str | None:
    codes = _last_numbers(released)
    for words, every in numbers.items():
        if codes and every and _are_congruent([every[index] for index in person.tolist()], codes):
            return COUNTED.format(words)
    return None


def _number_digest_clue(
    released: Sequence[str], person: Indices, numbers: Mapping[str, list[int] | None]
) -> str | None:
    """Digests of whatever somebody who numbers people would take, from 0 or from 1 on."""
    some = range(0, len(released), max(1, len(released) // FEW))
    for words, every in numbers.items():
        for first in (0, 1) if every else ():
            pairs = [(released[index], str(every[person[index]] + first)) for index in some]  # type: ignore[index]
            begun = [each for each in pairs if _begins_as_digest(*each)]
            for name in HASHES:
                fitting = sum(any(fits(new, each) for each in digests(old, name)) for new, old in begun)
                if fitting > LEAST_SHARE * len(pairs):
                    return DIGEST.format(words, name)
    return None


def _last_numbers(names: Sequence[str]) -> list[int] | None:
    """The number that each ends in, behind the same beginning."""
    numbers, beginning = [], None
    for name in names:
        end = LAST_NUMBER.search(name)
        if end is None or beginning not in (None, name[: end.start()]):
            return None
        beginning = name[: end.start()]
        numbers.append(int(end.group()))
    return numbers or None


def _are_congruent(places: Sequence[int], codes: Sequence[int]) -> bool:
    """Whether code = a · place + b modulo some m above all codes, and chance does not do that.

    Then (p₁ − p₀)(c − c₀) − (p − p₀)(c₁ − c₀) is a multiple of m for everybody, whatever a and b are.

    >>> _are_congruent(range(9), [(7 * place + 3) % 61 for place in range(9)])
    True
    """
    people = len(codes)
    if people < FEWEST_COUNTED or len({*codes}) < people or len({*places}) < people:
        return False
    pairs = sorted(zip(places, codes, strict=True))
    # two neighbours: what their differences have in common, all multiples have
    first = min(range(people - 1), key=lambda index: pairs[index + 1][0] - pairs[index][0])
    (place, code), (next_place, next_code) = pairs[first], pairs[first + 1]
    width, height = next_place - place, next_code - code
    multiple = math.gcd(*(width * (each - code) - (where - place) * height for where, each in pairs))
    span = max(codes) - min(codes)
    modulus = multiple // math.gcd(width, height) if multiple else span + 1
    if modulus < people or 0 < multiple <= span:
        return False
    return _congruence_chance(people, modulus) <= math.log(LEAST_CHANCE)


def _congruence_chance(people: int, modulus: int) -> float:
    """The logarithm of how likely different random numbers below a modulus are so: a, b and it are free."""
    drawn = math.lgamma(modulus + 1) - math.lgamma(modulus - people + 1)
    return 3 * math.log(modulus) - drawn
