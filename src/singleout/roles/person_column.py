"""Which column seems to name the person: by its name, by how its values look, and by whether they repeat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol, TypeVar

# what `user` is where each record is its own person
NONE = "none"

ID = r"(ids?|no|nr|num|nbr|number|key|code|hash|token|pseudonym|ref|uuid|guid|index|idx|identifier|name)"
PERSON = (
    r"user|customer|cust|client|patient|member|person|subject|employee|student|pupil|learner|passenger|"
    r"participant|respondent|resident|citizen|individual|subscriber|visitor|guest|donor|voter|applicant|"
    r"borrower|insured|policy_?holder|card_?holder|account_?holder|beneficiary|tax_?payer|claimant|driver|"
    r"rider|travell?er|commuter|player|buyer|shopper|consumer|tenant|kunden?|benutzer|nutzer|mitglied|"
    r"versicherten?|utilisateur|cliente|usuario|paciente|wer|kto|qui|quien|pat|inmate|prisoner|attendee|"
    r"enrollee|caller|athlete|(?:be|ein)wohner|mieter|teilnehmer|proband|mitarbeiter|patienten|sch(?:ü|ue)ler|"
    r"personne|employ[ée]|[ée]l[èe]ve|salari[ée]|adh[ée]rent|abonn[ée]|persona|empleado|alumno|paziente|utente|"
    r"dipendente|pacjent|klient|osob[ay]|pracownik|klant|werknemer|medlem|asiakas|potilas"
)
PERSON_NAME = re.compile(
    rf"(^|[_\W])({PERSON})s?([_\W]?{ID})?$|(顧客|会員|利用者|患者|個人|お客様|ユーザー?)[_\W]?(id|番号|コード|名)?$",
    re.IGNORECASE,
)
# what stands for a person, more or less
PROXY_NAME = re.compile(
    rf"(^|[_\W])(card|account|acct|household|hh|family|device|cookie|case|staff|child|nhs)s?([_\W]?{ID})?$|"
    r"(^|[_\W])(sid|pseudo|code_?name|children|kids|uid|uuid|guid|pid|puid|imei|imsi|mrn|ssn|iban|login|nick_?name|alias|pseudonym|user_?name|"
    r"hash|token)$|^(hashed_|anon(ymous)?_)?id$",
    re.IGNORECASE,
)
CONTACT_NAME = re.compile(rf"(^|[_\W])(e_?mail(_address)?|(phone|msisdn)([_\W]?{ID})?)$", re.IGNORECASE)
OTHER_ID = re.compile(r"(\w+?)[_\W]+(id|uuid|guid|hash|key|nbr|token|pseudonym)$", re.IGNORECASE)
THING = re.compile(
    r"(^|[_\W])(product|item|goods?|sku|stock|article|station|stop|place|location|loc|store|shop|branch|site|"
    r"region|area|zone|district|city|town|country|state|county|zip|post|postal|street|house|building|room|"
    r"floor|school|university|hospital|clinic|ward|dep(artmen)?t|class|course|grade|category|cat|type|kind|"
    r"group|segment|plan|tariff|offer|order|invoice|receipt|basket|transaction|trans|txn|payment|purchase|"
    r"visit|encounter|admission|discharge|disposition|episode|event|trip|ride|journey|route|line|bus|train|"
    r"flight|session|batch|file|source|model|brand|make|job|occupation|industry|company|firm|employer|"
    r"organi[sz]ation|org|team|project|task|campaign|channel|currency|language|lang|status|result|diagnosis|"
    r"diag|icd|drug|atc|procedure|specialty|provider|physician|doctor|payer|merchant|vendor|supplier|seller|"
    r"agent|version|row|record|seq|question|answer|test|survey|cluster|cohort|sample|geo|census|tract|block|"
    r"parent|level|code)$",
    re.IGNORECASE,
)
# a number or a kind of people, and no person
ABOUT_PEOPLE = re.compile(
    r"(^|[_\W])(per|of|num|number|count|avg|mean|total|sum|is|has|type|kind|age)[_\W]", re.IGNORECASE
)
FULL_NAME = re.compile(r"^(full_?)?name$|^氏名$", re.IGNORECASE)
OPAQUE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|"
    r"(?=.*[0-9])(?=.*[a-z])([0-9a-f]{12,}|[0-9a-z_=+/-]{20,})|"
    r"[^@\s]+@[^@\s]+\.[^@\s]+|\+[0-9][0-9 ()/-]{7,}",
    re.IGNORECASE,
)
TWO_WORDS = re.compile(r"\S+[ ,]+\S.*")
FLAGS = {"yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "0.0", "1.0"}
NO_PERSON_TYPE = re.compile(r"bool|date|time|interval", re.IGNORECASE)
# their few words are kinds of them, where a client's may be names
KIND_NAME = re.compile(
    r"(^|[_\W])(card|account|acct|family|household|device|case|staff|child|children|kids)s?$", re.IGNORECASE
)
# under such a name numbers are rather how many they are
MANY_NAME = re.compile(rf"(^|[_\W])(({PERSON}|case|kid)s|staff|child|children)$", re.IGNORECASE)
# says nothing by itself, unless it is the only code of a table
BARE_NAME = re.compile(
    r"p|u|k|s|pt|pat|pers|subj|emp|stud|nr|no|num|key|ref|nummer|numer|id_?[0-9]", re.IGNORECASE
)
# may name people, which is told and not taken for granted
DOUBTFUL_NAME = re.compile(r"who(se|m)?", re.IGNORECASE)
CODE = re.compile(r"[A-Za-z]{1,5}[-_.]?[0-9]{1,12}[A-Za-z]?|[0-9]{1,12}[-_.]?[A-Za-z]{1,5}")
WHOLE_NUMBER = re.compile(r"[0-9]{1,18}(\.0)?")
MOST_KINDS, MOST_COUNTS = 10, 20
# fewer values in more records are codes of categories, where the name does not speak of people
FEW_VALUES, MANY_RECORDS = 100, 100
# families share an address, and lists have doubles
REPEATED = 1.2
STRONG, PROXY, OTHER, BY_VALUES = range(4)


class ColumnLook(Protocol):
    """What is known of a column before its role is; `examples` are raw values."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def records(self) -> int: ...
    @property
    def missing(self) -> int: ...
    @property
    def distinct(self) -> int: ...
    @property
    def examples(self) -> tuple[str, ...]: ...


Look = TypeVar("Look", bound=ColumnLook)


def repeated_person(columns: Sequence[Look]) -> Look | None:
    """The column whose values repeat like a person's: of several the one that says so best, then the finest.

    Where no two records share a customer_id, a customer_name may repeat, or a household.
    """
    ranked = [(rank, column) for column in columns if (rank := person_rank(column)) is not None]
    once = {_person_word(each) for rank, each in ranked if rank == STRONG and not _repeats(each, rank)}
    repeated = [
        (rank, -column.distinct, column)
        for rank, column in ranked
        if _repeats(column, rank) and not (_person_word(column) in once if rank == STRONG else once)
    ]
    return min(repeated, key=lambda each: each[:2])[2] if repeated else None


def person_rank(column: ColumnLook) -> int | None:
    """How much speaks for a column of people, 0 for most; None where nothing does."""
    name = spaced_name(column.name)
    if not column.distinct or _is_flag(column) or not may_name_people(name, column.type):
        return None
    if MANY_NAME.search(name) and _are_counts(column):
        return None
    if name_rank(name) == STRONG:
        return STRONG
    if column.distinct < 2:
        return None
    if name_rank(name) == PROXY:
        return None if _is_kind(name, column) else PROXY
    if column.distinct <= FEW_VALUES and _filled(column) >= MANY_RECORDS * column.distinct:
        return None
    if name_rank(name) is not None:
        return name_rank(name)
    return BY_VALUES if look_like_people(name, column.examples) else None


def bare_code(columns: Sequence[Look]) -> Look | None:
    """A column `p` of codes that repeat, if no other column holds any: its name says too little."""
    codes = [
        each
        for each in columns
        if each.distinct > 1 and look_like_codes(each.name, each.examples) and _repeats(each, BY_VALUES)
    ]
    if len(codes) != 1 or not is_bare_name(codes[0].name):
        return None
    few = codes[0].distinct <= FEW_VALUES and _filled(codes[0]) >= MANY_RECORDS * codes[0].distinct
    return None if few or _is_flag(codes[0]) else codes[0]


def doubtful_person(columns: Sequence[Look]) -> Look | None:
    """A column `who` whose values repeat."""
    named = (each for each in columns if is_doubtful_name(each.name))
    return next((each for each in named if each.distinct and _repeats(each, STRONG)), None)


def is_doubtful_name(name: str) -> bool:
    return DOUBTFUL_NAME.fullmatch(spaced_name(name)) is not None


def is_bare_name(name: str) -> bool:
    return BARE_NAME.fullmatch(spaced_name(name)) is not None


def look_like_codes(name: str, examples: Iterable[str]) -> bool:
    """Letters and digits; whole numbers too where the name is one of a code."""
    looks = (CODE, WHOLE_NUMBER) if is_bare_name(name) else (CODE,)
    filled = [each.strip() for each in examples if each.strip()]
    return bool(filled) and all(any(look.fullmatch(each) for look in looks) for each in filled)


def may_name_people(name: str, column_type: str) -> bool:
    """Whether a column is worth a look, by what is known without reading it."""
    thing = OTHER_ID.fullmatch(spaced_name(name))
    return not (NO_PERSON_TYPE.match(column_type) or (thing and THING.search(thing[1])))


@lru_cache(1000)
def name_rank(name: str) -> int | None:
    spaced = spaced_name(name)
    if PERSON_NAME.search(spaced) and not ABOUT_PEOPLE.search(spaced):
        return STRONG
    if PROXY_NAME.search(spaced):
        return PROXY
    if CONTACT_NAME.search(spaced):
        return BY_VALUES
    return OTHER if OTHER_ID.fullmatch(spaced) else None


def look_like_people(name: str, examples: Iterable[str]) -> bool:
    """Whether values are like e-mail addresses, hashes or numbers of phones, or first and last names."""
    look = TWO_WORDS if FULL_NAME.search(name) else OPAQUE
    filled = [(each.strip(), many) for each, many in Counter(examples).items() if each.strip()]
    alike = sum(many for each, many in filled if look.fullmatch(each))
    return bool(filled) and alike >= 0.9 * sum(many for _, many in filled)


def spaced_name(name: str) -> str:
    """CustomerID and customerId read like customer_ID."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)


def _person_word(column: ColumnLook) -> str:
    word = PERSON_NAME.search(spaced_name(column.name))
    return (word[2] or word[5]).lower() if word else ""


def _repeats(column: ColumnLook, rank: int) -> bool:
    least = REPEATED if rank == BY_VALUES else 1
    return _filled(column) > 1 and _filled(column) > least * column.distinct


def _are_counts(column: ColumnLook) -> bool:
    """Whole numbers that hardly come again, or few of different length."""
    texts = [each.strip().removesuffix(".0") for each in column.examples]
    if not texts or not all(map(str.isdigit, texts)):
        return False
    if _filled(column) < 2 * column.distinct:
        return True
    return column.distinct <= MOST_COUNTS and (len({*map(len, texts)}) > 1 or len(texts[0]) < 3)


def _is_flag(column: ColumnLook) -> bool:
    return column.distinct <= 2 and {each.strip().lower() for each in column.examples} <= FLAGS


def _is_kind(name: str, column: ColumnLook) -> bool:
    """Gold and silver in a column `card` are no cards."""
    few = column.distinct <= MOST_KINDS and _filled(column) >= 2 * column.distinct
    words = not any(character.isdigit() for each in column.examples for character in each)
    return bool(KIND_NAME.search(name)) and few and words


def _filled(column: ColumnLook) -> int:
    return column.records - column.missing
