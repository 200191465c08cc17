"""A header that names somebody is told, and headers of ordinary columns are not."""

from __future__ import annotations

import pytest

from singleout.roles.identifiers.header_values import recognise_header


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("ann@example.com", "e-mail"), ("ann＠example.com", "e-mail"), ("+44 20 7946 0018", "phone"),
        ("219-09-9999", "national number"), ("John Smith", "name"), ("John_Smith", "name"),
        ("JohnSmith", "name"), ("Smith, John", "name"), ("Smith John", "name"), ("Ольга Смирнова", "name"),
        ("score (Mary Smith)", "name"), ("192.0.2.17", "IP address"),
    ],
)  # fmt: skip
def test_headers_that_name_somebody(header: str, kind: str) -> None:
    (told,) = recognise_header(header, 7)
    assert (told.kind, told.records, told.hidden) == (kind, 7, False)
    assert told.reason.startswith("its header is ")
    assert header not in told.reason


@pytest.mark.parametrize(
    "header",
    [
        "name", "First Name", "Customer Name", "e-mail", "Contact Person", "Grace Period", "Mark Price",
        "Martin Score", "Will Call", "Date of Birth", "age", "Unit Price", "StockCode", "CustomerID",
        "native-country", "hours-per-week", "admission_type_id", "max_glu_serum", "glyburide-metformin",
        "2024-01-31", "2024", "column1", "Q1 (in days)", "Jean Size", "San Francisco", "Virginia", "none", "",
    ],
)  # fmt: skip
def test_headers_of_ordinary_columns(header: str) -> None:
    assert recognise_header(header, 7) == ()
