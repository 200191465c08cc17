"""How identifiers are written: forms of values, each with what must hold of a text that has the form."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache

from singleout.roles.identifiers import check_digits as check
from singleout.roles.identifiers.encoded_text import BASE64, HEX_EMAIL, HEX_NAME, LONG_BASE64, decoded_text
from singleout.roles.identifiers.identifier_kind import IdentifierKind
from singleout.roles.identifiers.national_numbers import NATIONAL_NUMBERS
from singleout.roles.identifiers.written_words import is_full_name

Counted = tuple[str, int]
# of a form that other numbers have too: so many different values, and such a share of those with the form
LEAST_VALUES, LEAST_VALID = 5, 0.8
# of a form without check digits, the share of all values
LEAST_SHARE = 0.5
OCTET = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
HEX = "[0-9A-Fa-f]"
ISSUERS = (
    "4[0-9]{3}|5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720|6011|65[0-9]{2}"
    "|64[4-9][0-9]|62[0-9]{2}|352[89]|35[3-8][0-9]"
)
CARD = (
    f"(?:(?:{ISSUERS})[ -]?[0-9]{{4}}[ -]?[0-9]{{4}}[ -]?[0-9]{{4}}"
    "|3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}|3(?:0[0-5]|[68][0-9])[0-9][ -]?[0-9]{6}[ -]?[0-9]{4})"
)
# calling codes but those of one digit, which numbers of articles begin with too
CALLING_CODE = (
    "(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]"
    "|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[058]|9[679])[0-9])"
)
MAILBOX, HOST = "[0-9A-Za-z_.+-]+", "[0-9A-Za-z-]+"
AT_SIGN = "(?:@|%40|&#(?:0*64|[xX]0*40);|&commat;)"
PLAIN_EMAIL = rf"[\w.+%'*-]+{AT_SIGN}[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{{2,}}"
BRACKETED_AT = r" ?[\[({<] ?(?i:at) ?[\])}>] ?"
SPELLED_DOT = r"(?:\.| ?[\[({<] ?(?i:dot) ?[\])}>] ?| (?i:dot) )"
LETTERS = "[A-Za-zÀ-ÖØ-öø-ʯΑ-ωА-яЁёІіЇїЎў'’-]"
CAPITAL = "[A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩА-ЯЁІЇЎ]"
TWO_OR_THREE_WORDS = f"{LETTERS}{{2,}}(?:,? {LETTERS}{{2,}}){{1,2}}"
CAPITALISED_WORDS = f"{CAPITAL}{LETTERS}+(?:,? {CAPITAL}{LETTERS}+){{1,2}}"
PHONE_WORD = "(?i:tel|phone|telephone|call|mobile|mob|cell|fax|handy|ph)[.:]{0,2} ?"
# before a clock or a fraction nothing but a date or a number is left to find
CLOCK = (
    "[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?: ?[AaPp][Mm])?"
    "(?: ?(?:Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?))?"
)
HARMLESS = (
    rf"^\s*(?:(?:[0-9]{{4}}[-/.][0-9]{{1,2}}[-/.][0-9]{{1,2}}|[0-9]{{1,2}}[-/.][0-9]{{1,2}}[-/.][0-9]{{2,4}})"
    rf"(?:[T ]{CLOCK})?|{CLOCK}|[+-]?[0-9]*[.,][0-9]*[1-9][0-9]*(?:[eE][+-]?[0-9]+)?|[+-]?[0-9]{{1,8}})\s*$"
)
PLAIN_NUMBER = r"^[0-9]{9,19}(?:\.0)?$"


@dataclass(frozen=True)
class ValueForm:
    """`telling`: one text that has the form and passes the check is enough, also inside another text.

    The others are forms that many numbers have: they count only if nearly all values with the form pass.
    `without_check` has nothing to pass, and counts only if most values have the form.
    """

    kind: IdentifierKind
    form: str
    check: Callable[[str], bool] = check.form_alone
    telling: bool = True
    # not in the middle of a longer word or number
    apart: bool = True
    # other words and codes have the form too, and say nothing against those that pass
    common: bool = False

    @property
    def without_check(self) -> bool:
        return self.check in (check.form_alone, check.nino, check.ssn, _is_dialled_abroad)

    @property
    def pattern(self) -> re.Pattern[str]:
        return _pattern(self.form, self.apart)

    @property
    def sieve(self) -> str:
        return f"(?:^|[^0-9A-Za-z])(?:{self.form})(?:$|[^0-9A-Za-z])" if self.apart else self.form


@cache
def _pattern(form: str, apart: bool) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w+])(?<![\w][.-])(?:{form})(?![\w]|[-.][0-9A-Za-z])" if apart else form)


def _is_ip6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return sum(map(bool, text.split(":"))) > 2


def _is_international(text: str) -> bool:
    return 8 <= sum(map(str.isdigit, text)) <= 15


def _is_national_phone(text: str) -> bool:
    return 9 <= sum(map(str.isdigit, text)) <= 12


def _is_dialled_abroad(text: str) -> bool:
    return 11 <= sum(map(str.isdigit, text)) <= 17


def _is_persons(text: str) -> bool:
    return is_full_name(text.strip(" ()[]{}:-–—/"))


def _is_encoded_email(text: str) -> bool:
    return re.fullmatch(PLAIN_EMAIL, decoded_text(text)) is not None


def _is_encoded_name(text: str) -> bool:
    return is_full_name(decoded_text(text))


def _has_letter_or_colon(text: str) -> bool:
    return ":" in text or any(map(str.isalpha, text))


VALUE_FORMS = (
    ValueForm("e-mail", PLAIN_EMAIL),
    ValueForm("URL", r"(?i:(?:https?|ftp)://[^\s/]+\S*|www\.[\w-]+\.\S+)"),
    ValueForm("e-mail", f"{MAILBOX}{BRACKETED_AT}{HOST}(?:{SPELLED_DOT}{HOST})*{SPELLED_DOT}[A-Za-z]{{2,}}"),
    ValueForm("e-mail", f"{MAILBOX} (?i:at) {HOST}(?: (?i:dot) {HOST})* (?i:dot) [A-Za-z]{{2,}}"),
    # things are sold at example.com too
    ValueForm("e-mail", rf"{MAILBOX} (?i:at|@) {HOST}(?:\.{HOST})*\.[A-Za-z]{{2,}}", telling=False),
    ValueForm("account name", "@[0-9A-Za-z_][0-9A-Za-z_.]{1,29}", telling=False),
    ValueForm("name", rf"[(\[{{] ?{TWO_OR_THREE_WORDS} ?[)\]}}]", _is_persons, apart=False),
    ValueForm("name", rf"(?:: | [–—-] |/ ?){CAPITALISED_WORDS}$", _is_persons, apart=False),
    ValueForm("e-mail", f"{BASE64}|{HEX_EMAIL}", _is_encoded_email, common=True),
    ValueForm("name", f"{BASE64}|{HEX_NAME}", _is_encoded_name, common=True),
    ValueForm("IP address", rf"(?:{OCTET}\.){{3}}{OCTET}"),
    ValueForm(
        "IP address",
        f"(?:{HEX}{{1,4}}:){{7}}{HEX}{{1,4}}"
        f"|(?:{HEX}{{1,4}}(?::{HEX}{{1,4}}){{0,6}})?::(?:{HEX}{{1,4}}(?::{HEX}{{1,4}}){{0,6}})?",
        _is_ip6,
    ),
    ValueForm("device id", f"{HEX}{{2}}(?:[:-]{HEX}{{2}}){{5}}", _has_letter_or_colon),
    ValueForm("device id", "[0-9]{15}", check.luhn, telling=False),
    ValueForm("device id", "[0-9]{2}-[0-9]{6}-[0-9]{6}-[0-9]", check.luhn),
    ValueForm(
        "IBAN",
        "|".join(
            f"{country}[0-9]{{2}}(?: ?[A-Z0-9]){{{length - 4}}}"
            for country, length in check.IBAN_LENGTHS.items()
        ),
        check.iban,
    ),
    ValueForm("card number", CARD, check.luhn),
    ValueForm(
        "phone", r"\+[1-9][0-9]{0,2}[ /-]?(?:\(?[0-9]{1,4}\)?[ /-]?){1,5}[0-9]{2,4}", _is_international
    ),
    ValueForm("phone", r"\+[1-9][0-9]{0,2}(?:\.[0-9]{2,8}){2,5}", _is_international),
    ValueForm(
        "phone",
        rf"00{CALLING_CODE}[ /-]?(?:\(?[0-9]{{1,4}}\)?[ /-]?){{1,5}}[0-9]{{2,4}}",
        _is_dialled_abroad,
        telling=False,
    ),
    ValueForm("phone", "[2-9][0-9]{2} [0-9]{3} [0-9]{4}", telling=False),
    ValueForm("phone", r"(?:1[ .-])?(?:\([0-9]{3}\) ?|[2-9][0-9]{2}[.-])[0-9]{3}[ .-][0-9]{4}"),
    ValueForm("phone", "0[1-9](?:[ .-][0-9]{2}){4}"),
    ValueForm("phone", rf"{PHONE_WORD}\(?[0-9][0-9 /().-]{{5,}}[0-9]"),
    ValueForm(
        "phone",
        r"\(?0[1-9][0-9]{0,3}\)?[ /-][0-9]{2,8}(?:[ -][0-9]{2,4}){0,3}",
        _is_national_phone,
        telling=False,
    ),
    *(ValueForm("national number", each.form, each.check, each.telling) for each in NATIONAL_NUMBERS),
)
# what every form but those of words has in it: quick to ask of every text of a long column
REMARKABLE = (
    f"@|%40|&#|&commat;|{LONG_BASE64}|::|://|(?i:www\\.)|(?i: at |[\\[({{<] ?at ?[\\])}}>])"
    f"|[(\\[{{:/–—-] ?{LETTERS}{{2}}"
    "|[0-9](?:[^0-9]{0,3}[0-9]){5}|[0-9]\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]"
    f"|(?:[:-]{HEX}{{2}}){{5}}|(?:{HEX}{{1,4}}:){{7}}|[A-Z]{{2}}[0-9]{{2}} ?[A-Z0-9]{{4}} ?[A-Z0-9]{{4}}"
)
# a second sieve, which leaves hardly anything of ordinary columns
SUSPICIOUS = "@|%40|&#|&commat;|://|(?i:www\\.)|" + "|".join(each.sieve for each in VALUE_FORMS[2:])


@dataclass(frozen=True)
class Sightings:
    """In how many records a kind was seen: as the `whole` value, or `inside` a longer one."""

    whole: int
    inside: int


@dataclass
class _FormCounts:
    """Texts that have each form and those that pass; records by the forms (and as a whole) that pass.

    No text is kept, so that there may be any number of them.
    """

    tried: Counter[int] = field(default_factory=Counter)
    valid: Counter[int] = field(default_factory=Counter)
    records: Counter[tuple[tuple[int, bool], ...]] = field(default_factory=Counter)

    def add(self, text: str, records: int) -> None:
        passed = []
        for index, form in enumerate(VALUE_FORMS):
            matches = [match[0] for match in form.pattern.finditer(text)]
            self.tried[index] += bool(matches)
            if valid := [match for match in matches if form.check(match)]:
                self.valid[index] += 1
                passed.append((index, text in valid))
        if passed:
            self.records[tuple(passed)] += records

    def counting(self, plain: bool, values: float) -> set[int]:
        """Which forms count, of so many `values` of the column."""
        return {
            index
            for index, valid in self.valid.items()
            if _counts(VALUE_FORMS[index], valid, self.tried[index], plain, values)
        }


def sightings(
    texts: Iterable[Counted], numbers: Iterable[Counted], distinct: float, number_values: float | None = None
) -> dict[IdentifierKind, Sightings]:
    """What was seen in suspicious texts, and in a sample of plain numbers, of a column's `distinct` values.

    Plain numbers have many forms by chance, so that all forms need more than one of them; `number_values`
    are the values of the column that the numbers stand for, where they are only some.

    >>> sightings([("write to ann@example.com", 2)], [], 10)
    {'e-mail': Sightings(whole=0, inside=2)}
    """
    whole: Counter[IdentifierKind] = Counter()
    inside: Counter[IdentifierKind] = Counter()
    values = distinct if number_values is None else number_values
    for counted, plain, of_values in ((texts, False, distinct), (numbers, True, values)):
        counts = _FormCounts()
        for text, records in counted:
            counts.add(text, records)
        counting = counts.counting(plain, of_values)
        for passed, records in counts.records.items():
            kinds = {VALUE_FORMS[index].kind for index, _ in passed if index in counting}
            as_whole = {VALUE_FORMS[index].kind for index, full in passed if full and index in counting}
            for kind in kinds:
                (whole if kind in as_whole else inside)[kind] += records
    found = dict.fromkeys(form.kind for form in VALUE_FORMS if form.kind in whole or form.kind in inside)
    return {kind: Sightings(whole[kind], inside[kind]) for kind in found}


def _counts(form: ValueForm, valid: int, tried: int, plain: bool, values: float) -> bool:
    if form.telling and not plain:
        return form.common or valid >= LEAST_SHARE * tried
    if valid < LEAST_VALUES or valid < LEAST_VALID * tried:
        return False
    return not form.without_check or valid >= LEAST_SHARE * values
