"""Hierarchies: read from CSV and JSON, laid over values, always coarsenings; and what is wrong with them."""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.errors import InputError, SingleoutError
from singleout.read.hierarchy_file import read_table, table_text
from singleout.roles.hierarchies.definition_file import rules_of
from singleout.roles.hierarchies.hierarchy import (
    Hierarchy,
    Levels,
    column_of,
    levels_over,
    read_hierarchies,
    without_hierarchy,
)
from singleout.roles.hierarchies.level_rules import (
    UNITS,
    DateTo,
    Interval,
    MappedLevel,
    Prefix,
    RawLevel,
    SuppressAll,
    number,
)
from singleout.roles.hierarchies.suggestion import suggested_levels, widths

Label = str | None

COLUMNS = ("age", "zip", "job", "date")
DEFINITION: dict[str, Any] = {
    "attributes": {
        "age": {"levels": [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]},
        "zip": {"levels": [{"type": "raw"}, {"type": "prefix", "keep": 3}, {"type": "prefix", "keep": 0}]},
        "job": {"levels": [{"type": "map", "map": {"nurse": "health", "": "none"}, "default": "other"}]},
        "date": {"levels": [{"type": "date", "to": "month"}, {"type": "date", "to": "decade"}]},
    }
}


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def over(levels: Any, values: list[Label]) -> Levels:
    return levels_over(read_hierarchies({"x": levels}, ["x"])[0]["x"], values)


def same(one: Levels, other: Levels) -> bool:
    return (one.labels, one.shares, one.domain) == (other.labels, other.shares, other.domain)


# The rules


NUMBERS = st.decimals(-1000, 1000, places=2).map(str) | st.integers(-50, 200).map(str) | st.just("1e2")
WIDTHS = st.sampled_from(["1", "5", "10", "0.5", "2.5", "0.1", "7"])


@given(st.lists(NUMBERS, min_size=1, unique=True), WIDTHS, st.sampled_from(["0", "3", "-0.25", "12.5"]))
def test_intervals_hold_their_values_and_are_told_apart_exactly(
    values: list[str], width: str, origin: str
) -> None:
    rule = Interval(number(width) or 0, number(origin) or 0)
    places = [floor((Fraction(value) - Fraction(origin)) / Fraction(width)) for value in values]
    starts = [Fraction(origin) + place * Fraction(width) for place in places]
    whole = all(Fraction(each).denominator == 1 for each in (*values, width, origin)) and min(starts) >= 0
    for start, label in zip(starts, rule.labels(values), strict=True):
        assert label is not None
        if whole:
            first, _, last = label.partition("-")
            assert (Fraction(first), Fraction(last or first) + 1) == (start, start + Fraction(width))
        else:
            low, high = label.removeprefix("[").removesuffix(")").split(", ")
            assert (Fraction(low), Fraction(high)) == (start, start + Fraction(width))
            assert "E" not in label


@pytest.mark.parametrize(
    ("rule", "values", "labels"),
    [
        (Interval(5), ["35", " 39 ", "40.0", "+4e1"], ["35-39", "35-39", "40-44", "40-44"]),
        (Interval(1), ["35"], ["35"]),
        (Interval(5), ["35", "39.5"], ["[35, 40)", "[35, 40)"]),
        (Interval(5), ["-1", "3"], ["[-5, 0)", "[0, 5)"]),
        (Interval(Decimal("0.1")), ["0.3", "0.29"], ["[0.3, 0.4)", "[0.2, 0.3)"]),
        (Interval(10, 5), ["4", "5"], ["[-5, 5)", "[5, 15)"]),
        (Interval(10), [str(10**30 + 7)], [f"{10**30}-{10**30 + 9}"]),
        (Interval(10), ["1e300", "1e-300"], [f"[{10**300}, {10**300 + 10})", "[0, 10)"]),
        (Prefix(3), ["89073", "890", "8", ""], ["890*", "890", "8", ""]),
        (Prefix(0), ["89073", "", None], ["*", "", None]),
        (MappedLevel({"a": "x"}, "y"), ["a", "b", None], ["x", "y", None]),
        (MappedLevel({"a": "x", "": "z"}), ["a", None], ["x", "z"]),
        (MappedLevel({"a": None}), ["a"], [None]),
        (DateTo("day"), ["2024/1/5", "2024.01.05 23:59:59.5+01"], ["2024-01-05", "2024-01-05"]),
        (DateTo("hour"), ["2024-01-05T08:45"], ["2024-01-05 08h"]),
        (DateTo("quarter"), ["2023-03-31", "2023-04-01", "2023-12-31"], ["2023-Q1", "2023-Q2", "2023-Q4"]),
        (DateTo("decade"), ["0999-01-01", "2029-12-31", None], ["0990s", "2020s", None]),
        (SuppressAll(), ["a", None], ["*", "*"]),
        (SuppressAll(), [None], ["*"]),
        (RawLevel(), ["a", None], ["a", None]),
        (Interval(10), ["1", "2", None], ["0-9", "0-9", "0-9"]),
        (Interval(10), ["1", "11", None], ["0-9", "10-19", None]),
        (Interval(10), [None], [None]),
    ],
)
def test_labels(rule: Any, values: list[Label], labels: list[Label]) -> None:
    assert rule.labels(values) == labels


@pytest.mark.parametrize(
    ("rule", "values", "said"),
    [
        (Interval(5), ["1", "x", "1,5", "nan", None], "x: 3 values are no numbers; write"),
        (
            Interval(5),
            ["inf"],
            "x: 1 value is no number; write all like 35 or 2.5, or use another rule",
        ),
        (
            DateTo("month"),
            ["2024-02-30", "24-01-01", "2024-1/1", "2024-01-01x"],
            "x: 4 values are no dates; write",
        ),
        (
            DateTo("hour"),
            ["2024-01-01"],
            "x: 1 value is no date with a time; write all like 2024-",
        ),
        (
            DateTo("day"),
            ["2024-01-01 25:00", "0000-01-01"],
            "x: 2 values are no dates; write",
        ),
        (
            MappedLevel({"a": "b"}),
            ["a", "c", "d"],
            "x: 2 values are not in the map; add a label for each",
        ),
        (Interval(5), [f"v{place}" for place in range(1100)], "x: 1,100 values are no numbers; write"),
    ],
)
def test_values_that_a_rule_does_not_fit(rule: Any, values: list[Label], said: str) -> None:
    with pytest.raises(InputError) as caught:
        levels_over(Hierarchy("x", (RawLevel(), rule)), values)
    assert said in str(caught.value)


def test_rules_in_words() -> None:
    rules = (
        RawLevel(),
        Interval(10),
        Interval(Decimal("2.50"), 5),
        Prefix(1),
        Prefix(3),
        DateTo("month"),
        SuppressAll(),
    )
    assert [rule.words for rule in rules] == [
        "as it is", "intervals of 10", "intervals of 2.5 from 5", "first character", "first 3 characters",
        "month", "suppressed",
    ]  # fmt: skip
    assert MappedLevel({"a": "b"}).words == "groups of 1 listed values"


# Laying


CELLS = st.sampled_from(["a", "b", "c", None])


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=7), st.data())
def test_laid_exactly_where_each_level_is_a_coarsening(
    tmp_path: Path, labels: list[tuple[Label, Label]], data: st.DataObject
) -> None:
    """Shares and domain are counted by hand over all rows of the file."""
    raw: list[Label] = [
        *(f"v{place}" for place in range(len(labels) - 1)),
        data.draw(st.sampled_from(["w", None])),
    ]
    rows = [(value, *pair) for value, pair in zip(raw, labels, strict=True)]
    path = write(tmp_path, "x.csv", table_text(list(zip(*rows, strict=True))))
    present = [row for row in rows if data.draw(st.booleans())]
    pairs = [(one, other) for one in present for other in present if one[1] == other[1]]
    values = [row[0] for row in present]
    if all(one[2] == other[2] for one, other in pairs):
        found = over(path, values)
        for level in range(3):
            assert found.labels[level] == tuple(row[level] for row in present)
            counted = Counter(row[level] for row in rows)
            assert found.shares[level] == tuple(counted[row[level]] for row in present)
        assert (found.domain, found.height) == (len(rows), 2)
    else:
        with pytest.raises(
            InputError, match=r"^x: level 2 is no coarsening of level 1: two values .* at level 2; what is"
        ):
            over(path, values)


TIMES = st.datetimes(datetime(1000, 1, 1))
LEVELS: list[tuple[Any, Any]] = [
    ([{"type": "raw"}, *({"type": "interval", "width": width} for width in (2, 10, 50))], NUMBERS),
    (
        [
            {"type": "interval", "width": 0.5, "origin": -0.25},
            {"type": "interval", "width": 2, "origin": -0.25},
        ],
        NUMBERS,
    ),
    (
        [{"type": "raw"}, *({"type": "prefix", "keep": keep} for keep in (4, 2, 1, 0))],
        st.text("ab*", max_size=6),
    ),
    (
        [{"type": "date", "to": unit} for unit in UNITS],
        TIMES.map(lambda when: f"{when:%Y/%m/%d %H:%M}"),
    ),
]


@given(st.data())
def test_rules_that_widen_are_coarsenings_and_codes_follow_the_labels(data: st.DataObject) -> None:
    levels, kind = data.draw(st.sampled_from(LEVELS))
    values: list[Label] = data.draw(st.lists(kind | st.none(), unique=True))
    found = over([*levels, {"type": "suppress"}], values)
    assert set(found.labels[-1]) <= {"*"}
    for level in range(found.height + 1):
        codes = found.codes(level)
        assert codes.dtype == "uint32"
        firsts = list(dict.fromkeys(found.labels[level]))
        assert codes.tolist() == [firsts.index(label) for label in found.labels[level]]
        assert sum(dict(zip(found.labels[level], found.shares[level], strict=True)).values()) == found.domain
        if level:
            finer = found.labels[level - 1]
            assert len(set(zip(finer, found.labels[level], strict=True))) == len(set(finer))


def test_no_coarsening_names_the_values() -> None:
    levels = [
        {"type": "interval", "width": 5},
        {"type": "interval", "width": 8, "origin": 2},
        {"type": "raw"},
    ]
    with pytest.raises(InputError) as caught:
        over(levels, ["15", "17", "18", "19"])
    assert str(caught.value) == (
        "x: level 1 is no coarsening of level 0: two values that are alike at level 0 differ at level 1; "
        "what is alike at one level must stay alike at all later ones; level 2 is no coarsening of level 1: "
        "two values that are alike at level 1 differ at level 2; what is alike at one level must stay alike "
        "at all later ones"
    )
    assert caught.value.values == ("15", "18", "15", "17")


def test_a_missing_value_joins_only_where_all_others_are_one(tmp_path: Path) -> None:
    path = write(tmp_path, "job.csv", "cook;service;*\nnurse;health;*\nwaiter;service;*\n")
    found = over(path, ["cook", "nurse", None])
    assert found.labels == (("cook", "nurse", None), ("service", "health", None), ("*", "*", "*"))
    assert (found.shares, found.domain) == (((1, 1, 1), (2, 1, 1), (4, 4, 4)), 4)
    assert found.rules == ("as it is", "level 1 of job.csv", "suppressed")
    alike = over(path, ["cook", "waiter", None])
    assert (alike.labels[1], alike.shares[1]) == (("service",) * 3, (3,) * 3)
    said = write(tmp_path, "said.csv", "cook;service;*\nnurse;health;*\n;unknown;\n")
    found = over(said, ["cook", None])
    assert found.labels == (("cook", None), ("service", "unknown"), ("*", None))
    assert (found.shares, found.domain) == (((1, 1), (1, 1), (2, 1)), 3)


def test_without_a_hierarchy() -> None:
    found = levels_over(without_hierarchy("x"), ["a", "b", None])
    assert (found.column, found.rules, found.height) == ("x", ("as it is", "suppressed"), 1)
    assert found.labels == (("a", "b", None), ("*", "*", "*"))
    assert found.shares == ((1, 1, 1), (3, 3, 3))


# Reading


def test_every_definition(tmp_path: Path) -> None:
    path = write(tmp_path, "definition.json", "\ufeff" + json.dumps(DEFINITION))
    found, remarks = read_hierarchies(path, COLUMNS)
    assert remarks == ()
    assert {name: each.rules for name, each in found.items()} == {
        "age": (RawLevel(), Interval(10), SuppressAll()),
        "zip": (RawLevel(), Prefix(3), Prefix(0)),
        "job": (MappedLevel({"nurse": "health", "": "none"}, "other"),),
        "date": (DateTo("month"), DateTo("decade")),
    }
    assert read_hierarchies({"age": path}, ["age"])[0]["age"] == found["age"]
    from_python = {name: each["levels"] for name, each in DEFINITION["attributes"].items()}
    assert read_hierarchies(from_python, COLUMNS)[0] == found
    assert read_hierarchies({"zip": found["age"]}, COLUMNS)[0] == {
        "zip": Hierarchy("zip", found["age"].rules)
    }


def test_numbers_are_exact_as_written(tmp_path: Path) -> None:
    levels = '[{"type": "interval", "width": 0.10000000000000000000001, "origin": 1e-3}]'
    path = write(tmp_path, "d.json", f'{{"attributes": {{"x": {{"levels": {levels}}}}}}}')
    rule = read_hierarchies(path, ["x"])[0]["x"].rules[0]
    assert rule == Interval(Decimal("0.10000000000000000000001"), Decimal("0.001"))
    assert rules_of([{"type": "interval", "width": 0.1}])[0] == (Interval(Decimal("0.1")),)


@pytest.mark.parametrize(
    "text",
    [
        "a;1;*\nb;2;*\n",
        "\ufeffa,1,*\r\nb,2,*",
        '\n"a"\t"1"\t*\n\nb\t2\t*\na\t1\t*\n',
        "a|1|*\nb|2|*\n",
        "a, 1, *\nb, 2, *\n",
    ],
)
def test_every_way_to_write_the_rows(tmp_path: Path, text: str) -> None:
    table = read_table(write(tmp_path, "x.csv", text))
    assert table.labels == {"a": ("a", "1", "*"), "b": ("b", "2", "*")}
    assert (table.name, table.height, table.at(1)) == ("x.csv", 2, ["1", "2"])


def test_a_file_is_read_again_however_soon_it_changed(tmp_path: Path) -> None:
    path = write(tmp_path, "x.csv", "a;1\nb;2\n")
    before = path.stat()
    assert read_table(path).labels == {"a": ("a", "1"), "b": ("b", "2")}
    path.write_text("a;3\nb;2\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert read_table(path).labels == {"a": ("a", "3"), "b": ("b", "2")}


def test_a_folder(tmp_path: Path) -> None:
    write(tmp_path, "table.csv", "anything at all")
    write(tmp_path, "notes.txt", "")
    write(tmp_path, ".hidden.csv", "")
    write(tmp_path, "adult_hierarchy_AGE.CSV", "1;*\n")
    write(tmp_path, "zip_hierarchy.csv", "zip;0\n8;*\n")
    write(tmp_path, "rest.json", json.dumps({"attributes": {"job": {"levels": [{"type": "raw"}]}}}))
    found, remarks = read_hierarchies(tmp_path, ("date", "zip", "age", "job"))
    assert list(found) == ["zip", "age", "job"]
    assert remarks == (
        "table.csv is not read, for it is named after no column; columns without a hierarchy: date",
        f"{tmp_path}/zip_hierarchy.csv: the first row says what a value 'zip' becomes; leave out a header",
    )
    alone, remarks = read_hierarchies(tmp_path / "adult_hierarchy_AGE.CSV", ["age"])
    assert (list(alone), remarks) == (["age"], ())


@pytest.mark.parametrize(
    ("stem", "columns", "column"),
    [
        ("age", ["Age", "age"], "age"),
        ("AGE", ["Age"], "Age"),
        ("my_hierarchy_marital-status", ["marital-status"], "marital-status"),
        ("hierarchy_age", ["age", "hierarchy_age"], "hierarchy_age"),
        ("Age_Hierarchy", ["age"], "age"),
        ("ages", ["age"], None),
        ("_hierarchy", ["a"], None),
    ],
)
def test_which_column_a_file_is_named_after(stem: str, columns: list[str], column: str | None) -> None:
    assert column_of(stem, columns) == column


def level(**settings: Any) -> str:
    return json.dumps({"attributes": {"age": {"levels": [{"type": "raw"}, settings]}}})


BAD_FILES: dict[str, tuple[str | bytes, str]] = {
    "age.csv": ("", "age.csv: is empty"),
    "AGE.csv": ("\n\r\n", "AGE.csv: holds only blank lines; write a row for each raw value"),
    "1_hierarchy_age.csv": ("1;*\n2;*;*\n3\n", "line 2 has 3 cells where the first row has 2; line 3 has 1"),
    "2_hierarchy_age.csv": ('1;a\n"2\n";b\n1;c\n;x\n;y\n', ": lines 1 and 4 differ in what a value becomes; "
                            "keep one; lines 5 and 6 differ in what the missing value becomes; keep one"),
    "3_hierarchy_age.csv": ('1;"a\n2;b\n', ".csv: line 1: a quote is not closed"),
    "4_hierarchy_age.csv": (b"1;\xff\n", "line 1: is not UTF-8"),
    "5_hierarchy_age.csv": ("1;a\n" + "1;b\n" * 30, "; and 10 more mistakes"),
    "ages.csv": ("1;*\n", "ages.csv: has no hierarchy of any column; name a CSV file after its column"),
    "a.txt": ("1;*\n", "a.txt: hierarchies are a folder, or a file that ends in .csv or .json"),
    "a.json": ("{", "a.json: is not JSON: "),
    "b.json": ("[1]", "b.json: should be an object such as {\"attributes\": "),
    "c.json": ('{"attribute": {}}', "c.json: 'attributes' is missing; write it as in {"),
    "d.json": ('{"attribute": {}}', "; 'attribute' is unknown here; did you mean 'attributes'?"),
    "e.json": ('{"attributes": {}}', "attributes: should be an object with one attribute or more"),
    "f.json": ('{"attributes": {"age": [1]}}', "age: should be an object such as {\"levels\": "),
    "g.json": ('{"attributes": {"age": {"levels": []}}}', "age: levels: should be a list such as ["),
    "h.json": ('{"attributes": {"age": {"level": []}}}', "age: 'levels' is missing; write it as in"),
    "i.json": ('{"attributes": {"aeg": {"levels": [{"type": "raw"}]}}}',
               "no column 'aeg'; did you mean 'age'"),
    "j.json": ('{"attributes": {"age": {"levels": [{"type": "raw"}]}, "age": {"levels": [{"type": "raw"}]}}}',
               "j.json: 'age' comes twice; keep one"),
    "k.json": ('{"attributes": {"age": {"levels": [{"type": "raw", "type": "raw"}]}}}',
               "age: level 0: 'type' comes twice; keep one"),
    "l.json": (level(type="intervals"), "level 1: type: 'intervals' is unknown; did you mean 'interval'?"),
    "m.json": (level(type=["raw"]), "age: level 1: type: ['raw'] is unknown; did you mean 'raw'?"),
    "n.json": (level(), "age: level 1: 'type' is missing; write it as in"),
    "o.json": (level(type="interval", widht=5), "age: level 1: 'width' is missing; write it as in {"),
    "oo.json": (level(type="interval", widht=5), "; age: level 1: 'widht' is unknown here; did you mean 'w"),
    "p.json": (level(type="interval", width=0, origin="x"),
               "width: '0' is no width; write a number above 0; age: level 1: origin: 'x' is no number"),
    "q.json": (level(type="interval", width=-2.5), "width: '-2.5' is no width"),
    "r.json": (level(type="interval", width=True), "width: True is no width"),
    "s.json": ('{"attributes": {"age": {"levels": [{"type": "interval", "width": NaN}]}}}',
               "width: nan is no width"),
    "t.json": (level(type="prefix", keep=-1), "keep: '-1' is no number of characters; write a whole"),
    "u.json": (level(type="prefix", keep=1.5), "keep: '1.5' is no number"),
    "v.json": (level(type="date", to="weak"), "to: 'weak' is no unit of dates; "),
    "w.json": (level(type="date", to=None), "to: None is no unit of dates; "),
    "x.json": (level(type="map", map={}), "map: {} is no map; write an object such as"),
    "y.json": (level(type="map", map={"a": None, "b": {}}, default=None),
               "map: None is no text; write it in quotes; {} is no text; write it in quotes; "
               "age: level 1: default: None is no label; write a text"),
    "z.json": ('{"attributes": {"age": {"levels": [{"type": "map", "map": {"a": "b", "a": "c"}}]}}}',
               "level 0: map: 'a' comes twice; keep one"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files(tmp_path: Path, name: str) -> None:
    text, said = BAD_FILES[name]
    path = write(tmp_path, name, text)
    with pytest.raises(SingleoutError) as caught:
        read_hierarchies(path, COLUMNS)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_mistakes_of_a_folder_at_once(tmp_path: Path) -> None:
    write(tmp_path, "age.csv", "1;*\n2\n")
    write(tmp_path, "a_hierarchy_zip.csv", "1;*\n")
    write(tmp_path, "b_hierarchy_zip.csv", "1;*\n")
    write(tmp_path, "more.json", '{"attributes": {"jbo": {"levels": [{"type": "raw"}, {"type": "prefix"}]}}}')
    with pytest.raises(InputError) as caught:
        read_hierarchies(tmp_path, COLUMNS)
    said = str(caught.value)
    assert f"{tmp_path / 'age.csv'}: line 2 has 1 cells where the first row has 2" in said
    assert f"{tmp_path / 'a_hierarchy_zip.csv'} and {tmp_path / 'b_hierarchy_zip.csv'}: both have a" in said
    assert "the table has no column 'jbo'; did you mean 'job'?" in said
    assert "jbo: level 1: 'keep' is missing" in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"aeg": []}, "the table has no column 'aeg'; did you mean 'age'"),
        ({"age": []}, "age: levels: should be a list such as"),
        ({"age": 5, "zip": [{"type": "x"}]}, "not 5; zip: level 0: type: 'x' is unknown"),
        ({"age": "age.txt"}, "age: 'age.txt' is no hierarchy; name a file that ends in .csv or .json"),
        ({"age": "nowhere.csv"}, "nowhere.csv: there is no such file"),
        ({}, "hierarchies: has no hierarchy of any column"),
        ("nowhere", "nowhere: there is no such file or folder"),
    ],
)
def test_bad_places(given: Any, said: str) -> None:
    with pytest.raises(SingleoutError) as caught:
        read_hierarchies(given, COLUMNS)
    assert said in str(caught.value)


def test_a_definition_without_the_column(tmp_path: Path) -> None:
    path = write(tmp_path, "d.json", json.dumps(DEFINITION))
    with pytest.raises(InputError, match=r"d\.json: has no attribute 'sex'; add it"):
        read_hierarchies({"sex": path}, ["sex"])


def test_values_that_are_not_in_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "age.csv", "17;*\n18;*\n")
    with pytest.raises(InputError) as caught:
        over(path, ["17", "91", "", "x", None])
    assert str(caught.value) == "x: 3 values are not in age.csv; add a row for each"


# What is written is read again


@settings(max_examples=200)
@given(
    st.lists(st.none() | st.text(min_size=1, max_size=5), min_size=1, unique=True),
    st.lists(st.integers(0, 4), unique=True),
)
def test_rows_survive_being_written(tmp_path: Path, values: list[Label], keeps: list[int]) -> None:
    """Whatever marks the values hold; an empty text is left out, for it is written like a missing value."""
    rules = (RawLevel(), *map(Prefix, sorted(keeps, reverse=True)), SuppressAll())
    before = levels_over(Hierarchy("x", rules), values)
    path = tmp_path / "x.csv"
    path.write_text(table_text(before.labels), encoding="utf-8", newline="")
    assert same(over(path, values), before)


# Suggestions


def words(column: str, values: list[Label]) -> list[str]:
    return [rule.words for rule in suggested_levels(column, values)[0]][1:-1]


def days(years: range) -> list[Label]:
    return [f"{year}-{month:02}-{day:02}" for year in years for month in range(1, 13) for day in (1, 2, 3)]


@pytest.mark.parametrize(
    ("column", "values", "between"),
    [
        ("date", days(range(2010, 2013)), ["month", "quarter", "year"]),
        ("date", days(range(2010, 2011)), ["month", "quarter"]),
        ("when", [f"2024-01-{day:02} 10:{at}" for day in range(1, 9) for at in range(10, 60)], ["day"]),
        ("year", [str(year) for year in range(1950, 2010)],
         ["intervals of 5", "intervals of 10", "intervals of 20", "intervals of 100"]),
        ("x", ["A10", "A11", "B10", "B12"], ["first 2 characters"]),
        ("zip", [str(code) for code in range(10_000, 99_999, 101)],
         ["first 2 characters", "first character"]),
        ("x", ["001", "002", "101"], ["first 2 characters"]),
        ("share", [f"{part / 100:.2f}" for part in range(100)],
         ["intervals of 0.05", "intervals of 0.1", "intervals of 0.2"]),
    ],
)  # fmt: skip
def test_suggested_levels(column: str, values: list[Label], between: list[str]) -> None:
    assert words(column, [*values, None]) == between
    assert suggested_levels(column, values)[1] == ()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["cook", "nurse"], "no rule fits its values: let --out write a CSV file"),
        (["1", "2", "inf"], "no rule fits its values"),
        (["2024-02-30", "2024-02-01"], "no rule fits its values"),
        (["0", "1"], "its values are too few or too alike"),
        (["7"], "its values are too few or too alike"),
        ([None], "its values are too few or too alike"),
    ],
)
def test_nothing_to_suggest(values: list[Label], said: str) -> None:
    rules, remarks = suggested_levels("x", values)
    assert rules == (RawLevel(), SuppressAll())
    assert [said in remark for remark in remarks] == [True]


@given(st.lists(NUMBERS, min_size=2, max_size=200, unique_by=Fraction))
def test_suggested_widths_are_multiples_that_leave_fewer_each_time(values: list[str]) -> None:
    found = [Fraction(width) for width in widths([number(value) or 0 for value in values])]
    left = [len({floor(Fraction(value) / width) for value in values}) for width in found]
    assert all(wider % finer == 0 for finer, wider in pairwise(found))
    assert all(1 < after < before for before, after in pairwise(left))
    assert all(each.numerator in {int(f"{step}{'0' * power}") for step in (1, 2, 5) for power in range(9)}
               for each in found if each >= 1)  # fmt: skip
    levels = over(
        [{"type": "raw"}, *({"type": "interval", "width": str(float(each))} for each in found)], [*values]
    )
    assert [len(set(labels)) for labels in levels.labels[1:]] == left


# The real ones


def test_every_hierarchy_of_arx_fits_adult(arx_adult: Path) -> None:
    """One row of the file a raw value: https://arx.deidentifier.org, data set Adult."""
    with (arx_adult / "adult.csv").open(newline="") as handle:
        rows = list(csv.DictReader(handle, delimiter=";"))
    found, remarks = read_hierarchies(arx_adult, tuple(rows[0]))
    assert list(found) == list(rows[0])
    assert remarks == (
        "adult.csv is not read, for it is named after no column; columns without a hierarchy: none",
    )
    heights, domains = {}, {}
    for name, each in found.items():
        levels = levels_over(each, sorted({row[name] for row in rows}))
        heights[name], domains[name] = levels.height, levels.domain
        assert set(levels.labels[-1]) == {"*"}
        assert set(levels.shares[-1]) == {levels.domain}
        assert levels.rules[-1] == "suppressed"
    assert heights == {
        "sex": 1, "age": 4, "race": 1, "marital-status": 2, "education": 3, "native-country": 2,
        "workclass": 2, "occupation": 2, "salary-class": 1,
    }  # fmt: skip
    assert domains == {
        "sex": 2, "age": 100, "race": 5, "marital-status": 7, "education": 16, "native-country": 41,
        "workclass": 8, "occupation": 14, "salary-class": 2,
    }  # fmt: skip
