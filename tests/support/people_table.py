"""A table with names, e-mail addresses and phone numbers, all of them made up."""

from __future__ import annotations

import pyarrow

PEOPLE = 40
FIRST = ("Ann", "Paul", "Maria", "John", "Lisa", "Peter", "Julia", "Hans")
LAST = ("Canaryfield", "Secretson", "Hiddenberg", "Unseenova", "Maskedlund")
NAMES = [f"{FIRST[place % 8]} {LAST[place % 5]}" for place in range(PEOPLE)]
MAILS = [f"canary{place}@example.com" for place in range(PEOPLE)]
PHONES = [f"+44 20 7946 {place:04d}" for place in range(PEOPLE)]
# what must not be in any output
CANARIES = (*LAST, "canary", "example.com", "7946")
IDENTIFIERS = {"name": "name", "mail": "e-mail", "phone": "phone", "remark": "e-mail"}
IGNORING = {"name": "ignore", "mail": "ignore", "phone": "ignore", "remark": "ignore"}


def people_table() -> pyarrow.Table:
    """Forty people in four groups of ten that look alike, but for what names them."""
    return pyarrow.table(
        {
            "name": NAMES,
            "mail": MAILS,
            "phone": PHONES,
            "sex": ["f", "m"] * (PEOPLE // 2),
            "age": [30 + place % 2 * 10 for place in range(PEOPLE)],
            "remark": [*["fine"] * (PEOPLE - 1), "ask canary7@example.com"],
        }
    )


def safe_table() -> pyarrow.Table:
    return people_table().select(["sex", "age"])
