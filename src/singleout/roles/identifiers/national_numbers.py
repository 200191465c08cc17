"""National and tax numbers by country: how each is written, and its check digits where it has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from singleout.roles.identifiers import check_digits as check

DAY, MONTH = "(?:0[1-9]|[12][0-9]|3[01])", "(?:0[1-9]|1[0-2])"


@dataclass(frozen=True)
class NationalNumber:
    """`form` is a regular expression that Python and RE2 read alike; `check` is asked of what has the form.

    `telling`: hardly anything else is written so, so that one is enough, also inside a text.
    """

    country: str
    title: str
    form: str
    check: Callable[[str], bool]
    telling: bool = False


NATIONAL_NUMBERS = (
    NationalNumber(
        "United States",
        "SSN or ITIN",
        "[0-9]{3}-[0-9]{2}-[0-9]{4}",
        check.ssn,
        telling=True,
    ),
    NationalNumber("United States", "SSN with dots", "[0-9]{3}[. ][0-9]{2}[. ][0-9]{4}", check.ssn),
    NationalNumber(
        "United Kingdom",
        "NINO",
        "[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]",
        check.nino,
    ),
    NationalNumber(
        "France",
        "NIR",
        f"[1278] ?[0-9]{{2}} ?(?:{MONTH}|[2-9][0-9]) ?(?:[0-9]{{2}}|2[AB])"
        " ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}",
        check.nir,
        telling=True,
    ),
    NationalNumber("Spain", "DNI", "[0-9]{8}-?[A-HJ-NP-TV-Z]", check.dni),
    NationalNumber("Spain", "NIE", "[XYZ]-?[0-9]{7}-?[A-HJ-NP-TV-Z]", check.dni),
    NationalNumber(
        "Germany", "Steuer-ID", "[1-9][0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}", check.german_tax_number
    ),
    NationalNumber(
        "Italy",
        "codice fiscale",
        "[A-Z]{6}[0-9LMNP-V]{2}[ABCDEHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]",
        check.codice_fiscale,
        telling=True,
    ),
    NationalNumber("Japan", "My Number", "[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}", check.my_number),
    NationalNumber("Brazil", "CPF", r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}", check.cpf, telling=True),
    NationalNumber("Brazil", "CPF", "[0-9]{11}", check.cpf),
    NationalNumber("Poland", "PESEL", f"[0-9]{{2}}(?:[02468][1-9]|[13579][0-2]){DAY}[0-9]{{5}}", check.pesel),
    NationalNumber("Netherlands", "BSN", "[0-9]{9}", check.bsn),
    NationalNumber("Canada", "SIN", "[1-79][0-9]{2}[ -]?[0-9]{3}[ -]?[0-9]{3}", check.luhn),
    NationalNumber(
        "Sweden", "personnummer", f"[0-9]{{2}}{MONTH}(?:{DAY}|[6-8][0-9]|9[01])[-+][0-9]{{4}}", check.luhn
    ),
    NationalNumber(
        "Finland", "HETU", f"{DAY}{MONTH}[0-9]{{2}}[-+A-FU-Y][0-9]{{3}}[0-9A-Y]", check.hetu, telling=True
    ),
    NationalNumber(
        "Belgium",
        "national number",
        rf"[0-9]{{2}}\.{MONTH}\.{DAY}-[0-9]{{3}}\.[0-9]{{2}}",
        check.belgian_number,
        telling=True,
    ),
    NationalNumber(
        "Switzerland", "AHV number", r"756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}", check.ean, telling=True
    ),
    NationalNumber(
        "Norway", "fødselsnummer", f"(?:{DAY}|[4-7][0-9]){MONTH}[0-9]{{2}} ?[0-9]{{5}}", check.fodselsnummer
    ),
    NationalNumber(
        "China",
        "resident identity number",
        f"[1-8][0-9]{{5}}(?:19|20)[0-9]{{2}}{MONTH}{DAY}[0-9]{{3}}[0-9X]",
        check.resident_number,
        telling=True,
    ),
    NationalNumber(
        "Korea", "resident registration number", f"[0-9]{{2}}{MONTH}{DAY}-[1-8][0-9]{{6}}", check.form_alone
    ),
    NationalNumber("India", "Aadhaar", "[2-9][0-9]{3} ?[0-9]{4} ?[0-9]{4}", check.verhoeff),
)
