"""Decides by a column's name and values whether it holds direct identifiers, and of which kinds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from singleout.roles.identifiers.check_digits import luhn
from singleout.roles.identifiers.code_forms import are_short_digests, code_kind, is_long_number, may_be_code
from singleout.roles.identifiers.column_names import (
    FITTING,
    FLAGS,
    REDACTED,
    SAYING_NOTHING,
    SORTING,
    SUBJECTS,
    kinds_by_name,
    words_of,
)
from singleout.roles.identifiers.identifier_kind import KIND_WORDS, IdentifierKind
from singleout.roles.identifiers.ordinary_words import ORDINARY_LISTS, has_odd_word
from singleout.roles.identifiers.value_forms import Counted, Sightings, sightings
from singleout.roles.identifiers.word_list import word_list
from singleout.roles.identifiers.written_words import (
    LEAST_PROSE,
    are_addresses,
    are_names,
    are_plain_words,
    has_several_words,
    is_sure_full_name,
    is_titled_name,
    names_somebody,
    prose_share,
)

NEARLY_ALL, MOSTLY, SOME = 0.95, 0.5, 0.05
# what a user column of pseudonyms or customer numbers may look like
PSEUDONYMS: tuple[IdentifierKind, ...] = ("national number", "device id")
# below, that each record has a value of its own says little
LEAST_RECORDS = 20
# a text that so many people share, on average, is a description of something else
SHARED_BY = 10
FEWEST_WORDS_OF_A_NOTE = 3
# of fewer different words, whoever reads the table sees what they are
LEAST_WORDS = 10
NUMBER = re.compile(r"[+-]?(?:[0-9]+|[0-9]*[.,][0-9]+|[0-9]+[.,])(?:[eE][+-]?[0-9]+)?")
FRACTION = re.compile(r"[+-]?[0-9]*[.,][0-9]*[1-9][0-9]*(?:[eE][+-]?[0-9]+)?|.*[eE]-[0-9]+")
TIME = re.compile(
    r"[0-9]{4}[-/.][0-9]{1,2}(?:[-/.][0-9]{1,2})?(?:[T ].*)?"
    r"|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4}(?:[T ].*)?"
    r"|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?"
)
# a number, with its currency or unit
QUANTITY = re.compile(
    r"(?:[A-Z]{3} ?|[$€£¥] ?)?[+-]?[.,]?[0-9][0-9.,'’ ]*(?:[eE][+-]?[0-9]+)?(?:%|[^\W\d_]{1,5}|[$€£¥°])?"
)
# when and where: near-unique values of these are no codes
TIMES_AND_PLACES = word_list(
    """
    time date day month year timestamp when epoch dob born birth birthday birthdate zip zipcode zcta
    postcode postal plz cap cp city town county region state country district province
    """
)
# nor are those of what is measured, if they are numbers
MEASURED = word_list(
    """
    amount price fare cost costs quantity qty count sum total value salary income wage wages pay
    balance revenue sales profit tax fee weight height length width size distance duration age score
    rating rate ratio share area volume speed temperature pressure steps latitude longitude lat lon
    lng x y easting northing altitude elevation seconds minutes hours ms frequency probability
    mean average median variance deviation error
    """
)
CODES = word_list("id ids number no nr num nbr key uuid guid token hash")
# a code, a label or an answer may be of anything
SAID = SUBJECTS - SAYING_NOTHING
Unexplained = Literal["words", "full name", "digests", "sentences", "codes", "few words"]
# judged as other columns are, on a condition
JUDGED: tuple[Unexplained, ...] = ("codes", "few words")


class ValueOwners(NamedTuple):
    """Records whose value no other person has, how many people a value has on average; of which records."""

    own_records: int
    shared_by: float
    of_records: int


@dataclass(frozen=True)
class SiftedColumn:
    """What recognition looks at; the texts are raw values: never print them.

    `records` have a value, `distinct` different ones. `sample` is drawn from these by chance, `suspects` are
    all that may have the form of an identifier, `numbers` a sample of long plain numbers. `owners` is worked
    out where it is asked for. `measured` are numbers with a fraction and times; `partly`: of so many suspects
    or numbers (`suspect_values`, `number_values`) that only some are here; `rare` is the part of the sample
    that only a record or two have.
    """

    name: str
    records: int
    distinct: int
    people: int
    owners: Callable[[], ValueOwners] = field(repr=False)
    sample: Sequence[str] = field(repr=False)
    suspects: Sequence[Counted] = field(default=(), repr=False)
    numbers: Sequence[Counted] = field(default=(), repr=False)
    suspect_values: int | None = None
    number_values: int | None = None
    measured: bool = False
    is_user: bool = False
    partly: bool = False
    rare: Sequence[str] = field(default=(), repr=False)

    @property
    def by_record(self) -> bool:
        """Whether each record is its own person."""
        return self.people == self.records


@dataclass(frozen=True)
class Recognised:
    """One kind in a column: in how many records, whether among other things, and why it is taken as such."""

    kind: IdentifierKind
    records: int
    hidden: bool
    reason: str


def recognise(column: SiftedColumn) -> tuple[Recognised, ...]:
    """Every kind at most once; a column that holds one is not called a near-unique code besides.

    >>> owners, suspects = lambda: ValueOwners(3, 1, 3), [("a@example.com", 1)]
    >>> contact = SiftedColumn("contact", 3, 3, 3, owners, ("a", "b"), suspects)
    >>> [(each.kind, each.hidden) for each in recognise(contact)]
    [('e-mail', True)]
    """
    found: dict[IdentifierKind, Recognised] = {}
    for each in (*_by_name(column), *_by_form(column), *_by_words(column)):
        known = found.get(each.kind)
        if known is None or (known.hidden and not each.hidden):
            found[each.kind] = each
    return tuple(found.values()) or tuple(_by_variety(column))


def _telling_sample(column: SiftedColumn) -> list[str]:
    """Without what stands for nothing: a flag, a dash, a word for what was taken out."""
    texts = (text.strip() for text in column.sample)
    kept = [text for text in texts if any(map(str.isalnum, text)) and text.casefold() not in REDACTED]
    return [] if all(text.casefold() in FLAGS for text in kept) else kept


def _by_name(column: SiftedColumn) -> Iterator[Recognised]:
    texts = _telling_sample(column)
    for kind in kinds_by_name(column.name):
        if column.is_user and kind == "device id":
            continue
        if kind == "free text":
            fits = prose_share(texts, FEWEST_WORDS_OF_A_NOTE) >= LEAST_PROSE and not _is_shared(column)
        else:
            fits = sum(_fits(kind, text) for text in texts) >= MOSTLY * len(texts) > 0
        if fits:
            reason = f"its name says that it holds {KIND_WORDS[kind]}, and its values do not say otherwise"
            yield Recognised(kind, column.records, False, reason)


def _fits(kind: IdentifierKind, text: str) -> bool:
    return FITTING[kind].fullmatch(text) is not None and (kind != "card number" or luhn(text))


def _by_form(column: SiftedColumn) -> Iterator[Recognised]:
    for kind, seen in _seen(column).items():
        if kind == "URL" and _is_shared(column):
            continue
        if column.is_user and kind in PSEUDONYMS and not column.suspects:
            continue  # a customer number may have a check digit too
        yield _form_finding(column, kind, seen)


def _seen(column: SiftedColumn) -> dict[IdentifierKind, Sightings]:
    """Where only some are looked at, they stand for the others of their kind."""
    texts, numbers = column.suspects, column.numbers
    return sightings(
        texts,
        numbers,
        column.distinct * len(texts) / (column.suspect_values or len(texts) or 1),
        column.distinct * len(numbers) / (column.number_values or len(numbers) or 1),
    )


def _form_finding(column: SiftedColumn, kind: IdentifierKind, seen: Sightings) -> Recognised:
    records = seen.whole + seen.inside
    looked_at = column.records
    if column.partly:
        looked_at = sum(records for counted in (column.suspects, column.numbers) for _, records in counted)
    hidden = seen.whole < MOSTLY * looked_at
    where = "hidden among other values" if hidden else "its values look like it"
    number = f"{'at least ' if column.partly else ''}{records:,} of {column.records:,} records"
    return Recognised(kind, records, hidden, f"{where}: {KIND_WORDS[kind]} in {number}")


def _by_words(column: SiftedColumn) -> Iterator[Recognised]:
    texts = _telling_sample(column)
    lists: list[tuple[IdentifierKind, bool]] = [
        ("name", are_names(texts)),
        ("address", are_addresses(texts) and not _is_shared(column)),
        ("free text", prose_share(texts) >= LEAST_PROSE and not _is_shared(column)),
    ]
    for kind, fits in lists:
        if fits:
            yield Recognised(kind, column.records, False, f"many of its values look like {KIND_WORDS[kind]}")
    if not column.is_user and (code := code_kind(texts)):
        yield Recognised(code, column.records, False, f"its values look like {KIND_WORDS[code]}")
    if named := sum(map(names_somebody, column.rare)):
        number = f"at least {named:,} of {column.records:,} records"
        yield Recognised("name", named, True, f"hidden among other values: {KIND_WORDS['name']} in {number}")


def unexplained(column: SiftedColumn) -> Unexplained | None:
    """What nobody says that it is: different words, sentences, codes, a name among other values, a few words.

    Not where its header says what it holds. However many share them: fifty of one family name are named.
    """
    header = words_of(column.name)
    if column.is_user or column.measured or any(word in SAID for word in header):
        return None
    texts = _telling_sample(column)
    if any(map(_may_name_somebody, texts)):
        return "full name"
    if column.distinct >= LEAST_WORDS:
        if are_plain_words(texts):
            return None if _are_ordinary(texts) else "words"
        if are_short_digests(texts):
            return "digests"
        if sum(map(has_several_words, texts)) >= LEAST_PROSE * len(texts) > 0:
            return "sentences"
        if sum(map(may_be_code, texts)) >= MOSTLY * len(texts) > 0:
            return "codes"
    numbers = sum(map(is_long_number, texts))
    if numbers >= MOSTLY * len(texts) > 0 and not _is_called_measured(column):
        return "codes"
    sorting = not SORTING.isdisjoint(header) and SORTING.issuperset(header)
    return "few words" if not sorting and any(map(has_odd_word, texts)) else None


def _may_name_somebody(text: str) -> bool:
    return is_sure_full_name(text) or is_titled_name(text) or names_somebody(text)


def _are_ordinary(texts: Sequence[str]) -> bool:
    """Months, countries or colours alone."""
    words = [text.casefold().strip(".") for text in texts]
    return any(sum(word in known for word in words) >= NEARLY_ALL * len(words) for known in ORDINARY_LISTS)


def _is_shared(column: SiftedColumn) -> bool:
    """Descriptions of goods come again and again, what is said of a person does not."""
    return column.owners().shared_by >= SHARED_BY


def _by_variety(column: SiftedColumn) -> Iterator[Recognised]:
    """Nearly every record has a value of its own, or one that no other person has."""
    if column.is_user or column.measured or min(column.people, column.distinct) <= LEAST_RECORDS:
        return
    if column.distinct < SOME * column.people or _is_measured(column.sample):
        return
    if _is_called_measured(column):
        return
    owners = column.owners()
    if not owners.own_records or owners.own_records < NEARLY_ALL * owners.of_records:
        return
    reason = (
        "nearly every record has its own value" if column.by_record else "nearly every value is one person's"
    )
    yield Recognised("near-unique code", owners.own_records, False, reason)


def _is_called_measured(column: SiftedColumn) -> bool:
    words = words_of(column.name)
    if not words or words[-1] in CODES:
        return False
    if any(word in TIMES_AND_PLACES for word in words):
        return True
    numbers = sum(QUANTITY.fullmatch(text.strip()) is not None for text in column.sample)
    return any(word in MEASURED for word in words) and numbers >= NEARLY_ALL * len(column.sample)


def _is_measured(texts: Sequence[str]) -> bool:
    """Dates and times, or numbers of which some have a fraction."""
    stripped = [text.strip() for text in texts]
    if sum(TIME.fullmatch(text) is not None for text in stripped) >= MOSTLY * len(texts):
        return True
    fractions = sum(FRACTION.fullmatch(text) is not None for text in stripped)
    return fractions >= SOME * len(texts) and all(map(NUMBER.fullmatch, stripped))
