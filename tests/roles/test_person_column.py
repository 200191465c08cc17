"""Which tables look like histories, and which do not though something repeats in them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from singleout.roles.person_column import bare_code, doubtful_person, repeated_person


@dataclass(frozen=True)
class Look:
    name: str
    distinct: int
    examples: tuple[str, ...] = ("17", "18", "19")
    records: int = 1000
    missing: int = 0
    type: str = "VARCHAR"


WORDS = ("gold", "silver", "bronze")
HASHES = ("9f86d081884c7d65", "60303ae22b998861")
MAILS = ("ann@example.org", "bob@example.org")


@pytest.mark.parametrize(
    "column",
    [
        *(
            Look(name, 300)
            for name in (
                "customer", "CustomerID", "customerId", "Customer ID", "cust_no", "CLIENTNUM", "userid",
                "patient_nbr", "visitor", "household", "hh_id", "uid", "id", "ID", "card", "card_number",
                "account", "device_id", "rider_id", "loan_id", "hashed_user", "id_customer",
                "会員番号", "顧客ID",
                "kto", "case", "case_id", "sid", "staff", "child", "patients", "patid", "nhs",
                "nhs_number", "pseudo", "bewohner", "codename", "employee_code", "users", "Klient",
            )
        ),
        Look("user", 3, ("ann", "bob", "cid")),
        Look("patient", 2, ("a", "b")),
        Look("subject", 5, ("s1", "s2")),
        Look("client", 4, ("ann", "bob", "cid", "dot")),
        Look("user", 1, ("ann",)),
        Look("patients", 9, ("101", "102")),
        Look("customer", 999),
        Look("id", 999),
        Look("code", 300, HASHES),
        Look("contact", 300, MAILS),
        Look("email", 300, MAILS),
        Look("name", 300, ("Ann Lee", "Bob Ray")),
        Look("customer", 300, missing=600),
        Look("user_id", 4, records=10_000_000),
    ],
    ids=lambda column: f"{column.name}-{column.distinct}",
)  # fmt: skip
def test_a_column_that_repeats_like_a_person(column: Look) -> None:
    age = Look("age", 70)
    assert repeated_person([age, column]) == column


@pytest.mark.parametrize(
    "column",
    [
        *(
            Look(name, 30)
            for name in (
                "account_type", "card_type", "customer_segment", "member_since", "store_id", "product_id",
                "StockCode", "InvoiceNo", "order_id", "admission_type_id", "education-num", "zip", "age",
                "cost_per_person", "number_of_users", "age_of_client", "workclass", "native-country", "job",
            )
        ),
        Look("customer", 1000),
        Look("id", 1000),
        Look("children", 5, ("0", "1", "2")),
        Look("staff", 20, ("5", "17", "120")),
        Look("visitors", 900, ("1532", "1210", "1678")),
        Look("users", 15, ("1", "2", "10")),
        Look("case", 3, ("mild", "severe", "fatal")),
        Look("user", 2, ("yes", "no")),
        Look("existing_customer", 2, ("0", "1")),
        Look("member", 1, ("yes",)),
        Look("card", 3, WORDS),
        Look("account", 2, ("checking", "savings")),
        Look("customer", 2, ("true", "false"), type="BOOLEAN"),
        Look("user_date", 30, type="DATE"),
        Look("foreign_worker", 2, ("A201", "A202")),
        Look("telephone", 2, ("A191", "A192")),
        Look("unit_id", 26, records=101_766),
        Look("email", 990, MAILS),
        Look("name", 300, ("Ann", "Bob")),
        Look("town", 30, ("Bonn", "Ulm")),
        Look("customer", 400, missing=600),
        Look("user", 0, (), missing=1000),
    ],
    ids=lambda column: f"{column.name}-{column.distinct}",
)  # fmt: skip
def test_a_column_that_does_not(column: Look) -> None:
    assert repeated_person([Look("age", 70), column]) is None


def test_a_name_may_repeat_where_the_number_does_not() -> None:
    once = Look("customer_id", 1000)
    for other in (Look("customer_name", 900), Look("household", 400), Look("email", 300, MAILS)):
        assert repeated_person([other, once]) is None
        assert repeated_person([other, replace(once, distinct=999)]) is not None
    client = Look("client_id", 300)
    assert repeated_person([once, client]) == client


def test_the_person_goes_before_what_stands_for_one_and_the_finest_before_others() -> None:
    columns = [Look("card", 800), Look("household", 200), Look("customer", 400), Look("client", 100)]
    assert repeated_person(columns) == columns[2]
    assert repeated_person(columns[:2]) == columns[0]


def test_a_bare_code_is_a_person_if_there_is_no_other_code() -> None:
    codes = Look("p", 300, ("p17", "p18"))
    assert bare_code([Look("age", 70), codes]) == codes
    assert bare_code([Look("p", 300, ("17", "18"))]) is not None
    assert bare_code([codes, Look("icd", 300, ("A01", "B02"))]) is None
    for other in (
        Look("p", 999, ("p17", "p18")),
        Look("p", 300, ("0.05", "0.01")),
        Look("p", 5, ("p1", "p2")),
        Look("p", 2, ("0", "1"), records=20),
        Look("grade", 300, ("A17", "B18")),
    ):
        assert bare_code([other]) is None


def test_a_column_who_is_told_and_not_taken_for_granted() -> None:
    who = Look("who", 300)
    assert repeated_person([Look("age", 70), who]) is None
    assert doubtful_person([Look("age", 70), who]) == who
    assert doubtful_person([Look("age", 70), Look("who", 1000)]) is None
    only = Look("who", 1)
    assert doubtful_person([Look("age", 70), only]) == only
