"""Check digits by their published rules: which numbers can have been given out, and which are random."""

from __future__ import annotations

from collections.abc import Sequence

LETTERS_OF_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
LETTERS_OF_HETU = "0123456789ABCDEFHJKLMNPRSTUVWXY"
# the value of a character at an odd place of a codice fiscale; at an even one it is its rank
OF_ODD_PLACES = (
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14,
    16, 10, 22, 25, 24, 23,
)  # fmt: skip
ODD_PLACES = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", OF_ODD_PLACES, strict=True))
IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29,
    "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29,
    "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28,
    "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20,
    "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19,
    "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29,
    "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SV": 28, "TN": 24,
    "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip
DIHEDRAL = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
PERMUTED = (
    "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415",
    "7046913258",
)  # fmt: skip


def _digits(text: str) -> list[int]:
    return [int(each) for each in text if each.isdigit()]


def _weighted_sum(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True))


def luhn(text: str) -> bool:
    """Payment cards, IMEI, and the numbers of Canada and Sweden.

    >>> luhn("4111 1111 1111 1111"), luhn("4111 1111 1111 1112")
    (True, False)
    """
    digits = _digits(text)
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return sum(digits[-1::-2], sum(doubled)) % 10 == 0


def iban(text: str) -> bool:
    """ISO 13616: the remainder by 97, and the length that the country has.

    >>> iban("DE89 3704 0044 0532 0130 00"), iban("DE88 3704 0044 0532 0130 00")
    (True, False)
    """
    compact = text.replace(" ", "").upper()
    if len(compact) != IBAN_LENGTHS.get(compact[:2]):
        return False
    return int("".join(str(int(each, 36)) for each in compact[4:] + compact[:4])) % 97 == 1


def form_alone(_: str) -> bool:
    """There is no check digit."""
    return True


def ssn(text: str) -> bool:
    """The United States: no check digit, but numbers that were never given out."""
    digits = "".join(filter(str.isdigit, text))
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in ("000", "666") and group != "00" and serial != "0000"


def nino(text: str) -> bool:
    """The United Kingdom: no check digit, but beginnings that are not in use."""
    return text[:2] not in ("BG", "GB", "NK", "KN", "TN", "NT", "ZZ")


def nir(text: str) -> bool:
    """France: 97 less the remainder by 97; Corsica's 2A and 2B count as 19 and 18."""
    compact = "".join(filter(str.isalnum, text)).upper().replace("2A", "19", 1).replace("2B", "18", 1)
    return compact.isdigit() and 97 - int(compact[:13]) % 97 == int(compact[13:])


def dni(text: str) -> bool:
    """Spain: a letter by the remainder by 23; X, Y and Z of foreigners count as 0, 1 and 2."""
    compact = "".join(filter(str.isalnum, text)).upper()
    number = compact[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return LETTERS_OF_DNI[int(number) % 23] == compact[-1]


def german_tax_number(text: str) -> bool:
    """ISO 7064 mod 11,10, and of the first ten digits just one occurs twice or three times."""
    digits = _digits(text)
    repeated = [digits[:10].count(digit) for digit in set(digits[:10])]
    if digits[0] == 0 or max(repeated) > 3 or sum(many > 1 for many in repeated) != 1:
        return False
    product = 10
    for digit in digits[:10]:
        product = 2 * ((digit + product) % 10 or 10) % 11
    return (11 - product) % 10 == digits[10]


def codice_fiscale(text: str) -> bool:
    """Italy: the last letter by the sum of all characters' values."""
    compact = text.upper()
    odd = sum(ODD_PLACES[each] for each in compact[0:15:2])
    even = sum(int(each) if each.isdigit() else ord(each) - 65 for each in compact[1:15:2])
    return chr(65 + (odd + even) % 26) == compact[15]


def my_number(text: str) -> bool:
    """Japan."""
    digits = _digits(text)
    left = _weighted_sum(digits[:11], (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return digits[11] == (0 if left <= 1 else 11 - left)


def cpf(text: str) -> bool:
    """Brazil: two check digits; eleven times the same digit is nobody's."""
    digits = _digits(text)
    if len(set(digits)) == 1:
        return False
    checks = (10 * _weighted_sum(digits[:many], range(many + 1, 1, -1)) % 11 % 10 for many in (9, 10))
    return [*checks] == digits[9:]


def pesel(text: str) -> bool:
    """Poland."""
    digits = _digits(text)
    return _weighted_sum(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0 and any(digits)


def bsn(text: str) -> bool:
    """The Netherlands."""
    digits = _digits(text)
    return _weighted_sum(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0 and any(digits)


def ean(text: str) -> bool:
    """The check digit of bar codes, which Switzerland's AHV numbers have too."""
    return sum(digit * (3 if place % 2 else 1) for place, digit in enumerate(_digits(text))) % 10 == 0


def belgian_number(text: str) -> bool:
    """97 less the remainder by 97, of those born from 2000 on with a 2 in front."""
    digits = "".join(map(str, _digits(text)))
    return any(97 - int(front + digits[:9]) % 97 == int(digits[9:]) for front in ("", "2"))


def hetu(text: str) -> bool:
    """Finland."""
    number = int(text[:6] + text[7:10])
    return LETTERS_OF_HETU[number % 31] == text[10].upper()


def fodselsnummer(text: str) -> bool:
    """Norway: two check digits."""
    digits = _digits(text)
    first = _weighted_sum(digits[:10], (3, 7, 6, 1, 8, 9, 4, 5, 2, 1)) % 11
    return first == 0 and _weighted_sum(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def resident_number(text: str) -> bool:
    """China: ISO 7064 mod 11,2, with X for ten."""
    values = [10 if each in "Xx" else int(each) for each in text]
    return _weighted_sum(values, [2**place % 11 for place in range(17, -1, -1)]) % 11 == 1


def verhoeff(text: str) -> bool:
    """India's Aadhaar numbers.

    >>> verhoeff("2363"), verhoeff("2364")
    (True, False)
    """
    check = 0
    for place, digit in enumerate(reversed(_digits(text))):
        check = int(DIHEDRAL[check][int(PERMUTED[place % 8][digit])])
    return check == 0
