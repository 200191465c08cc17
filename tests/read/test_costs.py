"""Files of costs and what they say; and values known coarsely."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.errors import InputError, SingleoutError, UsageError
from singleout.read.costs import Costs, Price, amount, costs_of, granularity, read_costs
from singleout.roles.granularity import DIGITS, Beginning, check_fit, known_prefix

PRICES = (
    Price("age", None, Fraction(1, 2)),
    Price("date", "month", Fraction(1)),
    Price("date", "day", Fraction(3)),
    Price("date", None, Fraction(5)),
    Price("zip", "first 3", Fraction(0)),
)
CSV = "attribute,granularity,cost\nage,,0.5\ndate,month,1\ndate,Day,3.0\ndate,exact,5\n\nzip,first  3,0\n"
JSON = '{"age": 0.5, "date": {"month": 1, "day": 3e0, "": 5}, "zip": {"first 3": 0}}'


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("costs.csv", CSV),
        ("COSTS.CSV", "\ufeff" + CSV.replace("\n", "\r\n")),
        ("costs.json", JSON),
        ("costs.json", "\ufeff" + JSON),
    ],
)
def test_the_same_costs_in_every_form(tmp_path: Path, name: str, text: str) -> None:
    path = write(tmp_path, name, text)
    found = read_costs(path)
    assert (found.prices, found.place) == (PRICES, str(path))
    assert costs_of(json.loads(JSON)).prices == PRICES


def test_two_columns_are_enough(tmp_path: Path) -> None:
    found = read_costs(write(tmp_path, "costs.csv", 'Attribute , Cost\nage,.1\n"a ""b"", c",1e-1\n'))
    assert found.prices == (Price("age", None, Fraction(1, 10)), Price('a "b", c', None, Fraction(1, 10)))


def test_columns_without_a_cost() -> None:
    costs = costs_of({"date": {"month": 2}, "sex": 3})
    assert costs.without_cost(["zip", "date", "age"]) == ("zip", "age")
    assert costs.of(["zip", "date"]) == (Price("zip", None, Fraction(1)), Price("date", "month", Fraction(2)))
    assert Costs().of(["a"]) == (Price("a", None, Fraction(1)),)


def test_attributes_that_the_table_lacks() -> None:
    costs = costs_of({"age": 1, "dat": {"month": 1, "day": 2}, "sxe": 1}, "c.csv")
    costs.check(["age", "dat", "sxe"])
    with pytest.raises(InputError) as caught:
        costs.check(["age", "date", "sex"])
    assert str(caught.value) == (
        "c.csv: the table has no column 'dat'; did you mean 'date'?; "
        "the table has no column 'sxe'; did you mean 'sex'?"
    )


BAD_FILES = {
    "costs.txt": ("age,1", "costs.txt: a file of costs is CSV or JSON"),
    "none.csv": (None, "none.csv: there is no such file"),
    "a.csv": (
        "attribute;cost\nage;1\n",
        "a.csv: line 1: the header should be attribute,cost or",
    ),
    "b.csv": (
        "attribute,cost\nage,-1\n",
        "b.csv: line 2: cost: '-1' is no amount; write a number, 0",
    ),
    "c.csv": ("attribute,cost\n\nage,cheap\n", "c.csv: line 3: cost: 'cheap' is no amount"),
    "d.csv": ("attribute,cost\n,1\n", "d.csv: line 2: attribute: '' is no name"),
    "e.csv": ("attribute,cost\nage,1\nage,2\n", "e.csv: line 3: attribute: 'age' has such a cost already"),
    "f.csv": (
        "attribute,granularity,cost\nage,week,1\n",
        "line 2: granularity: there are year, month, day, hour, minute, second and first N, not 'week'",
    ),
    "g.csv": ("attribute,cost\nage,1,2\n", "g.csv: line 2: has 3 cells where the header has 2"),
    "h.csv": ("attribute,cost\n", "h.csv: has no cost of any attribute; write one or more"),
    "i.csv": (b"attribute,cost\n\xe9,1\n", "i.csv: line 2: is not UTF-8"),
    "j.csv": ("attribute,cost\nage,inf\n", "'inf' is no amount"),
    "k.csv": ("attribute,cost\nage,1e13\n", "'1e13': write 12 digits at most before and after the point"),
    "l.csv": ("attribute,cost\nage,1e-13\n", "'1e-13': write 12 digits at most"),
    "m.csv": ("attribute,granularity,cost\nzip,first 0,1\n", "and first N, not 'first 0'"),
    "n.csv": ("attribute,cost\nage,\n", "cost: '' is no amount"),
    "a.json": ("[1]", "a.json: should be an object such as "),
    "b.json": ("{", "b.json: is not JSON: "),
    "c.json": ('{"age": -0.5}', "c.json: 'age': cost: '-0.5' is no amount"),
    "d.json": ('{"age": true}', "'age': cost: True is no amount"),
    "e.json": ('{"age": NaN}', "'age': cost: nan is no amount"),
    "f.json": ('{"age": 1, "age": 2}', "f.json: 'age': attribute: 'age' has such a cost already"),
    "g.json": ('{"d": {"day": 1, "DAY": 2}}', "'d' at 'DAY': attribute: 'd' has such a cost already"),
    "h.json": ('{"d": {"day": {"hour": 1}}}', "'d' at 'day': cost: "),
    "i.json": ('{"d": {}}', "'d': cost: {} is no amount"),
    "j.json": ('{"d": null}', "'d': cost: None is no amount"),
    "k.json": ('{"": 1}', "'': attribute: '' is no name"),
    "l.json": ("{}", "l.json: has no cost of any attribute"),
    "m.json": ('{"d": ' + "1" * 5000 + "}", "is no amount"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files(tmp_path: Path, name: str) -> None:
    text, said = BAD_FILES[name]
    path = tmp_path / name if text is None else write(tmp_path, name, text)
    with pytest.raises(SingleoutError) as caught:
        read_costs(path)
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "c.csv", "attribute,granularity,cost\n,week,x\nage,,1\nage,,1\nsex,,-1\n")
    with pytest.raises(InputError) as caught:
        read_costs(path)
    for said in (
        "line 2: attribute: ''",
        "line 2: granularity: ",
        "line 2: cost: 'x'",
        "line 4: ",
        "line 5: ",
    ):
        assert said in str(caught.value)


@given(st.integers(0, 10**12 - 1), st.integers(0, 12))
def test_amounts_are_exact(digits: int, places: int) -> None:
    text = f"{digits // 10**places}.{digits % 10**places:0{places}d}" if places else f"{digits}."
    assert amount(text) == amount(f" +{text}0 ") == Fraction(digits, 10**places)
    assert amount(digits) == digits


def test_amounts_of_python_numbers() -> None:
    assert amount(0.1) + amount(0.2) == amount(0.3)
    assert amount(Fraction(1, 3)) == Fraction(1, 3)
    for bad in (-0.1, float("inf"), None, True, "1/3", "1_0", "٣", Fraction(-1, 3), "1e", "."):
        with pytest.raises(UsageError, match="is no amount; write a number, 0 or more"):
            amount(bad)


def test_names_of_granularities() -> None:
    assert [granularity(each) for each in ("", " Exact", "YEAR", "first 12")] == [
        None,
        None,
        "year",
        "first 12",
    ]
    for bad in ("years", "first", "first 01", "first 10000", 3, None):
        with pytest.raises(UsageError, match=r"there are year, .* and first N, not"):
            granularity(bad)


def fits(text: str, found: Beginning) -> bool:
    return all(text[place - 1 : place] in marked and text[place - 1 :] for place, marked in found.marks)


@pytest.mark.parametrize(
    ("at", "example", "kept"),
    [
        ("year", "2024-01-31", "2024"),
        ("month", "2024/01/31", "2024/01"),
        ("day", "2024.01.31 08:45", "2024.01.31"),
        ("hour", "2024-01-31T08:45:59.123Z", "2024-01-31T08"),
        ("minute", "2024-01-31 08:45:59", "2024-01-31 08:45"),
        ("second", "2024-01-31 08:45:59+09:00", "2024-01-31 08:45:59"),
        ("hour", "08:45", "08"),
        ("minute", "08:45:59", "08:45"),
        ("second", "08:45:59.5", "08:45:59"),
        ("first 3", "89073", "890"),
    ],
)
def test_what_a_granularity_keeps(at: str, example: str, kept: str) -> None:
    found = known_prefix("c", at, [example, " ", example])
    assert example[: found.keep] == kept
    assert fits(example, found)
    if not at.startswith("first"):
        assert not fits("x" + example, found)
        assert not fits(example[: len(kept) - 1], found)
        assert not fits(
            example.replace("-", "~").replace("/", "~").replace(".", "~").replace(":", "~"), found
        )


def test_marks_tell_apart_what_is_written_otherwise() -> None:
    found = known_prefix("date", "month", ["2024-01-31"])
    assert found.marks == (
        *((place, DIGITS) for place in (1, 2, 3, 4)),
        (5, "-"),
        (6, DIGITS),
        (7, DIGITS),
        (8, "-"),
    )
    for other in ("2024-1-31", "2024/01/31", "31.01.2024", "2024-01", "", "20240131"):
        assert not fits(other, found)
    assert known_prefix("time", "hour", ["08:45"]).marks == ((1, DIGITS), (2, DIGITS), (3, ":"))
    assert not fits("8:45", known_prefix("time", "hour", ["08:45"]))
    assert known_prefix("zip", "first 3", ["89073"]).marks == ()


@pytest.mark.parametrize(
    ("at", "examples"),
    [
        (None, ["89073"]),
        ("month", []),
        ("month", ["", " "]),
    ],
)
def test_the_value_itself(at: str | None, examples: list[str]) -> None:
    assert known_prefix("c", at, examples) == Beginning(None, ())


@pytest.mark.parametrize(
    ("at", "keep", "examples"),
    [
        ("day", 10, ["2024-01-31"]),
        ("minute", 16, ["2024-01-31", "2024-02-01"]),
        ("minute", 5, ["08:45"]),
        ("second", 19, ["2024-01-31 08:45", "2024-01-31 08:45:10"]),
    ],
)
def test_finer_than_the_examples(at: str, keep: int, examples: list[str]) -> None:
    """All of an example is kept, and what only other records have, finer still, is cut."""
    found = known_prefix("c", at, examples)
    assert found.keep == keep
    assert all(len(example) <= keep and fits(example, found) for example in examples)


BAD_GRANULARITIES: list[tuple[str, list[str], str]] = [
    ("month", ["89073"], "not all its values are dates like 2024-01-31 or times like 08:45; 'first N' keeps"),
    ("month", ["2024-01-31", "08:45"], "not all its values are dates"),
    ("hour", ["8:45"], "not all its values are dates"),
    ("month", ["2024-01/31"], "not all its values are dates"),
    ("month", ["31.01.2024"], "not all its values are dates"),
    ("month", ["08:45"], "its values are times of day; there are hour, minute, second"),
    ("month", ["2024-01-31", "2024/02/01"], "character 5 differs between values; write all alike"),
    (
        "hour",
        ["2024-01-31", "2024-01-31 08:45"],
        "not all its values are that fine; there are year, month, day",
    ),
]


@pytest.mark.parametrize(("at", "examples", "said"), BAD_GRANULARITIES)
def test_granularities_that_values_do_not_have(at: str, examples: list[str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        known_prefix("when", at, examples)
    assert str(caught.value).startswith(f"column 'when' can't be known at '{at}': {said}")
    assert not any(
        example in str(caught.value).replace("2024-01-31 or times like 08:45", "") for example in examples
    )


def test_records_that_do_not_fit() -> None:
    check_fit("date", "month", 0)
    with pytest.raises(InputError, match="'date' can't be known at 'month': 1,234 records are written"):
        check_fit("date", "month", 1234)


def test_every_granularity_is_coarser_than_the_next() -> None:
    kept: list[Any] = [
        known_prefix("c", at, ["2024-01-31 08:45:59.5"]).keep
        for at in ("year", "month", "day", "hour", "minute", "second")
    ]
    assert kept == sorted(kept) == [4, 7, 10, 13, 16, 19]
