"""The kinds of direct identifiers that are looked for, and what each is called."""

from __future__ import annotations

from typing import Literal, get_args

IdentifierKind = Literal[
    "name",
    "e-mail",
    "phone",
    "national number",
    "card number",
    "IBAN",
    "address",
    "free text",
    "near-unique code",
    "URL",
    "IP address",
    "device id",
    "account name",
    "hash",
]
IDENTIFIER_KINDS: tuple[IdentifierKind, ...] = get_args(IdentifierKind)
# as in "3 of 400 records hold …"
KIND_WORDS: dict[IdentifierKind, str] = {
    "name": "a person's name",
    "e-mail": "an e-mail address",
    "phone": "a phone number",
    "national number": "a national or tax number",
    "card number": "a payment card's number with a valid check digit",
    "IBAN": "a bank account's number with valid check digits (IBAN)",
    "address": "a postal address",
    "free text": "sentences, in which anything may stand",
    "near-unique code": "a code of its own",
    "URL": "a web address",
    "IP address": "an IP address",
    "device id": "the number of a device or a vehicle",
    "account name": "the name of an account (@handle)",
    "hash": "a hash, which whoever has the names or numbers computes again",
}
