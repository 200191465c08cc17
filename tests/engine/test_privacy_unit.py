"""Whose records they are is asked for, never assumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow
import pytest

from singleout.engine.class_sizes import Sizes
from singleout.engine.open_engine import open_engine
from singleout.engine.privacy_unit import other_person, privacy_unit
from singleout.engine.protocol import Question
from singleout.errors import InputError, UsageError
from singleout.read.source import source
from singleout.roles.study import Study, read_study

BOUGHT: dict[str, list[Any]] = {"customer": ["p", "p", "q", None], "goods": ["tea", "milk", "tea", "salt"]}
SENTENCE = (
    "Table: column 'customer' seems to name the person (2 in 3 records), and nobody said whose records they "
    "are; say --user customer, or --user none if each record is its own person"
)


def unit(columns: dict[str, list[Any]], user: str | None = None, study: Study | None = None) -> str | None:
    with open_engine(source(pyarrow.table(columns)), None) as counter:
        return privacy_unit(counter, user, study)


def test_a_history_of_which_nobody_said_anything_is_refused() -> None:
    for study in (None, Study({}), Study({"customer": "quasi-identifier"}), Study({"customer": "ignore"})):
        with pytest.raises(UsageError) as caught:
            unit(BOUGHT, None, study)
        assert str(caught.value) == SENTENCE


def test_what_was_said_goes() -> None:
    assert unit(BOUGHT, "customer") == "customer"
    assert unit(BOUGHT, "none") is None
    assert unit(BOUGHT, None, Study({"customer": "user"})) == "customer"
    assert unit(BOUGHT, "none", Study({"customer": "user"})) is None
    assert unit(BOUGHT, None, Study({}, each_record=True)) is None
    assert unit(BOUGHT, "customer", Study({}, each_record=True)) == "customer"


def test_any_other_table_is_taken_record_by_record() -> None:
    assert unit({"age": [30, 30], "town": ["x", "y"]}) is None
    assert unit({"customer": ["p", "q"], "goods": ["tea", "tea"]}) is None


def test_a_name_that_needs_quotes_can_be_copied_to_the_command_line() -> None:
    with pytest.raises(UsageError, match="say --user 'Customer ID', or --user none if"):
        unit({"Customer ID": [1, 1, 2]})


def test_a_column_called_none_is_asked_about() -> None:
    table = {"none": ["p", "p", "q"], "goods": ["tea", "milk", "tea"]}
    with pytest.raises(UsageError, match="there is a column 'none'; rename it, or say in a study file"):
        unit(table, "none")
    assert unit(table, None, Study({"none": "user"})) == "none"
    assert unit(table, "none", Study({"none": "user"})) == "none"
    assert unit(table, None, Study({}, each_record=True)) is None
    assert unit(table) is None


def test_a_study_file_says_that_each_record_is_a_person(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text('user = "none"\n[columns]\ncustomer = "quasi-identifier"\n')
    assert read_study(path).each_record
    path.write_text('user = "none"\n')
    assert unit(BOUGHT, None, read_study(path)) is None
    path.write_text('user = "customer"\n[columns]\n')
    with pytest.raises(InputError, match='write user = "none" if each record is its own person'):
        read_study(path)
    path.write_text('user = "none"\n[columns]\ncustomer = "user"\n')
    with pytest.raises(InputError, match="no column names the person, and 'customer' is the user"):
        read_study(path)
    with pytest.raises(InputError, match="no column names the person, and 'customer' is the user"):
        Study({"customer": "user"}, each_record=True)


def test_only_columns_that_may_name_people_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    table = pyarrow.table({"age": [1, 1], "town": ["x", "x"], "uid": [1, 2]})
    with open_engine(source(table), None) as counter:
        sizes = counter.sizes

        def count(question: Question) -> Sizes:
            counted.append(question.columns)
            return sizes(question)

        monkeypatch.setattr(counter, "sizes", count)
        assert privacy_unit(counter, None) is None
    assert counted == [("uid",)]


def other(columns: dict[str, list[Any]], user: str | None) -> str | None:
    with open_engine(source(pyarrow.table(columns)), None) as counter:
        return other_person(counter, user)


SHOP: dict[str, list[Any]] = {
    "customer": [f"c{place // 6}" for place in range(60)],
    "receipt": [f"r{place // 3}" for place in range(60)],
    "card": [place // 5 for place in range(60)],
    "household": [place // 12 for place in range(60)],
    "goods": [f"{place % 7} things" for place in range(60)],
}


def test_another_column_than_the_named_one_looks_like_the_persons() -> None:
    assert other(SHOP, "receipt") == "customer"
    assert other(SHOP, "goods") == "customer"
    assert other(SHOP | {"store_id": SHOP["goods"]}, "store_id") == "customer"
    assert other(SHOP | {"receipt_id": SHOP["receipt"]}, "receipt_id") == "customer"
    assert other(SHOP, None) == other(SHOP, "none") == "customer"
    assert other({"customer": SHOP["customer"], "card": SHOP["receipt"]}, "card") == "customer"
    missing = [None, *SHOP["customer"][1:]]
    assert other(SHOP | {"customer": missing}, "receipt") == "customer"
    without = {name: values for name, values in SHOP.items() if name != "customer"}
    assert other({"who_knows": SHOP["receipt"], "card": SHOP["customer"]}, "who_knows") == "card"
    assert other(without | {"customer": [*range(60)]}, "receipt") != "customer"


def test_no_other_column_looks_like_the_persons() -> None:
    assert other(SHOP, "customer") is None
    assert other({"age": [30, 30, 40], "town": ["x", "y", "x"]}, None) is None
    assert other({"receipt": SHOP["receipt"], "goods": SHOP["goods"]}, "receipt") is None
    crossed = {"customer": [place % 7 for place in range(60)], "card": SHOP["receipt"]}
    assert other(crossed, "card") is None


def test_a_bare_code_is_asked_about_if_other_columns_change_within_it() -> None:
    people = [f"p{place // 3}" for place in range(60)]
    ages = [str(place % 9) for place in range(60)]
    with pytest.raises(UsageError, match="column 'p' seems to name the person"):
        unit({"p": people, "age": ages})
    assert unit({"p": people, "age": [place // 3 for place in range(60)]}) is None
    assert unit({"p": people, "age": ages, "icd": [f"A{place % 9}" for place in range(60)]}) is None
