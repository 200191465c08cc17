"""An original and its release in the same codes: values, people and truth by hand, and every mistake."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.attacks.paired_tables import PairedTables, pair_tables
from singleout.engine.codes.histories import History
from singleout.errors import InputError, UsageError
from singleout.read.source import CsvFormat
from singleout.roles.study import Study
from tests.support.home import Home

ORIGINAL = pyarrow.table({"who": ["bob", "ann", "bob"], "shop": ["x", None, "y"], "day": ["1", "2", "3"]})
RELEASE = pyarrow.table({"who": ["p2", "p1", "p3"], "day": ["3", "9", "2"], "shop": ["y", "z", None]})
TRUTH = {"p1": "ann", "p2": "bob", "p3": None}
SECRET = "Miss Terious"
TOGETHER = (
    "of the original with several names in the release: the records of each such person were put together, "
    "since {}"
)


def records(found: PairedTables, side: str) -> list[tuple[Any, ...]]:
    """Each record as its person's name and values, read back from the codes."""
    history: History = getattr(found.histories, side)
    names = getattr(found, f"{side}_names").to_pylist()
    columns = [[found.histories.values[name][code] for code in history.codes[name]] for name in found.columns]
    return list(zip([names[person] for person in history.person], *columns, strict=True))


def truth(found: PairedTables) -> dict[str | None, str | None]:
    """{name in the release: name in the original}."""
    names = found.original_names.to_pylist()
    places = found.truth.tolist()
    return {
        name: None if place < 0 else names[place]
        for name, place in zip(found.release_names.to_pylist(), places, strict=True)
    }


def written(folder: Path, text: str, name: str = "map.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def fails(kind: type[Exception], *data: Any, **asked: Any) -> str:
    with pytest.raises(kind) as caught:
        pair_tables(*data, **asked)
    assert "\n" not in str(caught.value)
    assert SECRET not in str(caught.value)
    return str(caught.value)


def test_both_tables_in_the_same_codes() -> None:
    found = pair_tables(ORIGINAL, RELEASE, TRUTH, user="who")
    assert found.columns == ("shop", "day")
    assert records(found, "original") == [("ann", None, "2"), ("bob", "x", "1"), ("bob", "y", "3")]
    assert records(found, "release") == [("p1", "z", "9"), ("p2", "y", "3"), ("p3", None, "2")]
    assert found.histories.values == {"shop": ("x", "y", "z", None), "day": ("1", "2", "3", "9")}
    assert found.original_names.to_pylist() == ["ann", "bob"]
    assert found.release_names.to_pylist() == ["p1", "p2", "p3"]
    assert found.truth.tolist() == [0, 1, -1]
    assert (found.histories.original.people, found.histories.release.people) == (2, 3)
    assert (found.original, found.release, found.engine, found.study) == ("Table", "Table", "duckdb", None)
    made_up = "1 person of the release without an original (made up): every guess at them is wrong"
    assert found.remarks == (made_up,)


def arrays(found: PairedTables) -> list[Any]:
    """All that an attack looks into, entry by entry."""
    sides = found.histories.original, found.histories.release
    of_sides = [[each.people, each.person.tolist(), *map(list, each.codes.values())] for each in sides]
    names = found.original_names.to_pylist(), found.release_names.to_pylist()
    return [*of_sides, *found.histories.values.items(), *names, found.truth.tolist()]


def test_two_tables_on_every_engine(home: Home) -> None:
    """A database may give the records in another order, and nothing differs."""
    one = pair_tables(home.put(ORIGINAL), home.put(RELEASE), TRUTH, user="who")
    here = pair_tables(ORIGINAL, RELEASE, TRUTH, user="who")
    assert arrays(one) == arrays(here)
    assert (one.remarks, one.columns) == (here.remarks, here.columns)


def test_a_release_beside_the_database(home: Home, tmp_path: Path) -> None:
    """Original in the engine, release in a CSV file: typed numbers meet their texts."""
    table = pyarrow.table({"who": [1, 2, 3], "price": [1.5, 2.0, 1e21], "sold": [True, False, None]})
    release = written(
        tmp_path, "who,price,sold\na,2,false\nb,1.50,true\nc,1000000000000000000000,\n", "r.csv"
    )
    found = pair_tables(home.put(table), release, {"a": 2, "b": "1.0", "c": 3}, user="who", threads=1)
    assert records(found, "release") == [
        ("a", "2", "false"),
        ("b", "1.5", "true"),
        ("c", "1000000000000000000000", None),
    ]
    assert {row[1:] for row in records(found, "original")} == {row[1:] for row in records(found, "release")}
    assert truth(found) == {"a": "2", "b": "1", "c": "3"}
    assert found.engine == ("duckdb" if home.name == "duckdb" else f"{home.name} and duckdb")
    told = "column 'price' holds numbers in the original and text in the release: what reads as a number is"
    assert any(remark.startswith(told) for remark in found.remarks)
    assert any("column 'sold' holds yes or no in the original and text" in remark for remark in found.remarks)


CELLS = st.one_of(st.none(), st.sampled_from(["a", "b", "1", "1.0", "é", ""]))
TEXTS = pyarrow.schema([(name, pyarrow.string()) for name in ("who", "a", "b")])
NAMES = ["u1", "u2", "u3", "u4"]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[pyarrow.Table, pyarrow.Table, dict[str, str | None]]:
    tables = []
    for prefix in ("o", "r"):
        people = draw(st.lists(st.sampled_from([prefix + name for name in NAMES]), min_size=1, max_size=12))
        columns = {name: draw(st.lists(CELLS, min_size=len(people), max_size=len(people))) for name in "ab"}
        tables.append(pyarrow.table({"who": people} | columns, TEXTS))
    originals = st.sampled_from(sorted(set(tables[0]["who"].to_pylist())))
    release = draw(st.permutations(sorted(set(tables[1]["who"].to_pylist()))))
    mapping = {name: draw(st.one_of(st.none(), originals)) for name in release}
    if not any(mapping.values()):
        mapping[release[0]] = draw(originals)
    return tables[0], tables[1], mapping


@settings(max_examples=40)
@given(pairs())
def test_nothing_is_lost_or_mixed_up(
    pair: tuple[pyarrow.Table, pyarrow.Table, dict[str, str | None]],
) -> None:
    original, release, mapping = pair
    found = pair_tables(original, release, mapping, user="who")
    for side, table in (("original", original), ("release", release)):
        assert Counter(records(found, side)) == Counter(tuple(row.values()) for row in table.to_pylist())
        history: History = getattr(found.histories, side)
        rows = list(zip(history.person, *history.codes.values(), strict=True))
        assert rows == sorted(rows)
        names = getattr(found, f"{side}_names").to_pylist()
        assert names == sorted(set(table["who"].to_pylist()))
    assert truth(found) == mapping
    for name in "ab":
        values = {*original[name].to_pylist(), *release[name].to_pylist()}
        assert len(found.histories.values[name]) == len(values)
        assert set(found.histories.values[name]) == values


@settings(max_examples=30)
@given(pairs(), st.data())
def test_the_order_of_the_rows_changes_nothing(
    pair: tuple[pyarrow.Table, pyarrow.Table, dict[str, str | None]], data: st.DataObject
) -> None:
    original, release, mapping = pair
    shuffled = [table.take(data.draw(st.permutations(range(len(table))))) for table in pair[:2]]
    expected = arrays(pair_tables(original, release, mapping, user="who"))
    turned = dict(reversed(mapping.items()))
    assert arrays(pair_tables(shuffled[0], shuffled[1], turned, user="who")) == expected


def test_numbers_are_compared_as_numbers_only_where_a_table_has_them() -> None:
    original = pyarrow.table({"price": [Decimal("1.50"), Decimal("2.00")], "code": ["01", "1"]})
    floats = pyarrow.table({"price": [2.0, 1.5], "code": ["1", "01"]})
    found = pair_tables(original, floats, {"1": "2", "2": "1"})
    assert [row[1:] for row in records(found, "release")] == [("2", "1"), ("1.5", "01")]
    assert found.histories.values == {"price": ("1.5", "2"), "code": ("01", "1")}
    texts = pyarrow.table({"price": ["1.5e0", "none", "02"], "code": ["1", "01", "001"]})
    found = pair_tables(original, texts, {"1": "1", "2": None, "3": "2"})
    assert found.histories.values == {"price": ("1.5", "2", "none"), "code": ("001", "01", "1")}
    assert [row[1] for row in records(found, "release")] == ["1.5", "none", "2"]


def test_dates_and_texts_are_compared_as_text_and_that_is_said() -> None:
    day = pyarrow.array(["2011-01-31"]).cast(pyarrow.date32())
    time = day.cast(pyarrow.timestamp("s"))
    told = "holds dates in the original and {} in the release: they are compared as text, in which 2011-01-31"
    found = pair_tables(pyarrow.table({"at": day}), pyarrow.table({"at": ["2011-01-31"]}), {"1": "1"})
    assert found.histories.values == {"at": ("2011-01-31",)}
    assert any(told.format("text") in remark for remark in found.remarks)
    found = pair_tables(pyarrow.table({"at": day}), pyarrow.table({"at": time}), {"1": "1"})
    assert found.histories.values == {"at": ("2011-01-31", "2011-01-31 00:00:00")}
    assert any(told.format("times") in remark for remark in found.remarks)
    assert "column 'at': no value of the release is one of the original" in found.remarks


def test_types_of_csv_files_are_given_for_each(tmp_path: Path) -> None:
    original = written(tmp_path, "who,at\na,2011-01-31\nb,2011-02-01\n", "o.csv")
    release = written(tmp_path, "who;at\na;2011-01-31 00:00:00\nb;2011-01-31 00:00:00\n", "r.csv")
    types = CsvFormat(types={"at": "timestamp"})
    found = pair_tables(original, release, user="who", csv=types, release_csv=types)
    assert found.histories.values == {"at": ("2011-01-31 00:00:00", "2011-02-01 00:00:00")}
    assert not any("holds" in remark for remark in found.remarks)
    guess = f"the original {original}: the first line is taken as the column names; say --header no"
    assert any(remark.startswith(guess) for remark in found.remarks)


def test_numeric_people_meet_the_map_as_numbers(tmp_path: Path) -> None:
    original = tmp_path / "o.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"who": [12346.0, 12347.0], "x": ["a", "b"]}), original)
    release = written(tmp_path, "who,x\n007,a\n7,b\n", "r.csv")
    found = pair_tables(original, release, {"7": "12346", "007": "12347.00"}, user="who")
    assert found.original_names.to_pylist() == ["12346", "12347"]
    assert truth(found) == {"7": "12346", "007": "12347"}
    said = fails(InputError, release, original, {"12346": "7", "12346.0": "7", "12347": "07"}, user="who")
    assert said == (
        f"truth: entry 3: original_user not in the original {release}; correct it, or say --without-records "
        "if such people have no records; entries 1 and 2 name the same release_user; keep one"
    )


def test_without_a_map_people_keep_their_names() -> None:
    release = pyarrow.table({"who": ["bob", "eve", None], "shop": ["x", "y", "x"]})
    found = pair_tables(ORIGINAL, release, user="who")
    assert truth(found) == {"bob": "bob", "eve": None, None: None}
    assert found.remarks[-2:] == (
        "no truth map was given: the people of the release are those of the original of the same name",
        "2 people of the release without a name of the original (made up)",
    )
    numbers = pyarrow.table({"who": [2.0, 1.0], "shop": ["x", "y"]})
    texts = pyarrow.table({"who": ["1", "2", "02"], "shop": ["x", "y", "x"]})
    found = pair_tables(numbers, texts, user="who")
    assert truth(found) == {"1": "1", "2": "2", "02": "2"}
    assert found.remarks[-1] == f"1 person {TOGETHER.format('these names are the same number')}"
    assert found.by_person().truth.tolist() == [1, 0]
    assert fails(UsageError, ORIGINAL, RELEASE, user="who") == (
        "nobody of the release Table has a name of the original Table; say who they are by --truth"
    )


def test_without_a_user_each_record_is_a_person() -> None:
    release = pyarrow.table({"shop": [*"abcdefghijx"]})
    found = pair_tables(ORIGINAL, release, dict.fromkeys(range(1, 11)) | {"11": "3"})
    assert found.release_names.to_pylist() == [str(number) for number in range(1, 12)]
    assert found.histories.release.person.tolist() == list(range(11))
    assert records(found, "release") == [(str(place), each) for place, each in enumerate("abcdefghijx", 1)]
    assert found.truth.tolist() == [-1] * 10 + [2]
    told = "no user column: each record is its own person, called by its number in its table"
    assert told in found.remarks


NAMELESS = (
    "records without a user column have no names; name the column by --user, or say by --truth which "
    "record of the release, by its number, is which of the original"
)


def test_records_have_no_names(tmp_path: Path) -> None:
    """The third record of a release is not the original's third, unless both are the same table."""
    path, copy = tmp_path / "o.csv", tmp_path / "copy.csv"
    for each in (path, copy):
        pyarrow.csv.write_csv(ORIGINAL, each)
    for data in ((ORIGINAL, RELEASE), (ORIGINAL, ORIGINAL.take([0, 1, 2])), (path, copy), (path, ORIGINAL)):
        assert fails(UsageError, *data) == NAMELESS
    for same in (ORIGINAL, path):
        assert pair_tables(same, same).truth.tolist() == [0, 1, 2]
    numbers = {str(number): str(number) for number in (1, 2, 3)}
    assert pair_tables(path, copy, numbers).truth.tolist() == [0, 1, 2]
    assert pair_tables(path, copy, user="who").truth.tolist() == [0, 1]


def test_people_without_records() -> None:
    mapping = {**TRUTH, "p0": "zoe", "p9": "ann", "p8": "bob"}
    found = pair_tables(ORIGINAL, RELEASE, mapping, user="who", without_records=True)
    assert found.original_names.to_pylist() == ["ann", "bob", "zoe"]
    assert found.release_names.to_pylist() == ["p1", "p2", "p3", "p0", "p8", "p9"]
    assert found.histories.original.records_of_each().tolist() == [1, 2, 0]
    assert found.histories.release.records_of_each().tolist() == [1, 1, 1, 0, 0, 0]
    assert truth(found) == mapping
    assert found.remarks[1:] == (
        f"2 people {TOGETHER.format('the truth map tells whose they are')}",
        "1 person of the truth map without a record in the original",
        "3 people of the truth map without a record in the release",
    )


def test_several_names_of_one_person() -> None:
    """As they are read, everybody is a name; by person, made-up people stay apart."""
    release = pyarrow.table({"who": ["p4", "p1", "p3", "p2", "p5"], "shop": ["x", "y", "x", None, "y"]})
    mapping = {"p1": "bob", "p2": None, "p3": "ann", "p4": "bob", "p5": None}
    read = pair_tables(ORIGINAL, release, mapping, user="who")
    assert truth(read) == mapping
    assert (read.histories.release.people, read.release_people) == (5, 4)
    found = read.by_person()
    assert found.name_person.tolist() == [0, 1, 2, 0, 3]
    assert found.truth.tolist() == [1, -1, 0, -1]
    assert found.histories.release.people == found.release_people == 4
    assert found.histories.release.person.tolist() == [0, 0, 1, 2, 3]
    values = found.histories.values["shop"]
    shops = [values[code] for code in found.histories.release.codes["shop"]]
    assert shops == ["x", "y", None, "x", "y"]
    assert found.release_names.to_pylist() == ["p1", "p2", "p3", "p4", "p5"]
    assert found.histories.original is read.histories.original
    assert found.by_person() is found
    alone = pair_tables(ORIGINAL, RELEASE, TRUTH, user="who")
    assert alone.by_person() is alone


def test_people_the_tables_lack_are_told_by_line(tmp_path: Path) -> None:
    text = f"release_user,original_user\np1,{SECRET}\n{SECRET},bob\np2,x\np5,y\np6,z\np7,w\n"
    path = written(tmp_path, text)
    assert fails(InputError, ORIGINAL, RELEASE, path, user="who") == (
        f"{path}: lines 2, 4, 5 and 2 more: original_user not in the original Table; correct it, or say "
        "--without-records if such people have no records; lines 3, 5, 6 and 1 more: release_user not in the "
        "release Table; correct it, or say --without-records if such people have no records; 1 person of the "
        "release Table not listed; list them too, with an empty original_user for a made-up person"
    )
    said = fails(InputError, ORIGINAL, RELEASE, path, user="who", without_records=True)
    assert said.startswith(f"{path}: 1 person of the release Table not listed; list them too")
    numbers = pyarrow.table({"who": [1], "shop": ["x"]})
    same = {"1": "bob", "2": "ann", "2.0": "ann"}
    said = fails(InputError, ORIGINAL, numbers, same, user="who", without_records=True)
    assert said == "truth: entries 2 and 3 name the same release_user; keep one"


def test_a_map_of_nobody() -> None:
    said = fails(InputError, ORIGINAL, RELEASE, dict.fromkeys(TRUTH), user="who")
    assert said == "truth: all people are made up, and nobody can be found; name an original_user"
    odd: Any = 3
    assert fails(UsageError, ORIGINAL, RELEASE, odd, user="who") == (
        "truth: a int is no truth map; give a file's name or a mapping of names"
    )


UNKNOWN = pyarrow.table({"who": ["bob", None, "ann", None], "shop": ["x", "y", None, "x"]})


def test_unknown_people_are_one_or_left_out() -> None:
    found = pair_tables(UNKNOWN, RELEASE, TRUTH, user="who")
    assert found.original_names.to_pylist() == ["ann", "bob", None]
    assert found.histories.original.person.tolist() == [0, 1, 2, 2]
    assert records(found, "original") == [("ann", None), ("bob", "x"), (None, "x"), (None, "y")]
    assert "the original Table: 2 records without a user count as one unknown person" in found.remarks
    found = pair_tables(UNKNOWN, RELEASE, TRUTH, user="who", missing="drop")
    assert records(found, "original") == [("ann", None), ("bob", "x")]
    assert found.histories.original.people == 2
    assert "the original Table: 2 records without a user are left out" in found.remarks
    found = pair_tables(
        ORIGINAL, UNKNOWN, {"bob": "bob", "ann": "ann", "zoe": "bob"}, user="who", without_records=True
    )
    assert found.release_names.to_pylist() == ["ann", "bob", None, "zoe"]
    assert found.truth.tolist() == [0, 1, -1, 1]
    nobody = pyarrow.table({"who": pyarrow.array([None, None], "string"), "shop": ["x", "y"]})
    said = "Table: the user column 'who' holds nothing but missing values"
    assert fails(InputError, ORIGINAL, nobody, TRUTH, user="who") == said


def test_missing_rules() -> None:
    odd: Any = "none"
    assert "'none' is no rule" in fails(UsageError, ORIGINAL, RELEASE, TRUTH, user="who", missing=odd)
    assert fails(UsageError, ORIGINAL, RELEASE, TRUTH, user="who", missing="wildcard") == (
        "a missing value that matches all would match everybody; use the rule value or drop"
    )


RENAMED = RELEASE.rename_columns(["person", "date", "place"])
NEW_NAMES = {"who": "person", "day": "date", "shop": "place"}


@pytest.mark.parametrize("by", ["argument", "study", "both", "file"])
def test_renamed_columns(by: str, tmp_path: Path) -> None:
    study = '[columns]\nwho = "user"\n[renamed]\nwho = "person"\nday = "date"\nshop = "place"\n'
    ways: dict[str, dict[str, Any]] = {
        "argument": {"renamed": NEW_NAMES, "user": "who"},
        "study": {"study": Study({"who": "user"}, renamed=NEW_NAMES)},
        "both": {
            "study": Study({"who": "user"}, renamed={"day": "date", "shop": "person"}),
            "renamed": {"who": "person", "shop": "place"},
        },
        "file": {"study": written(tmp_path, study, "study.toml")},
    }
    found = pair_tables(ORIGINAL, RENAMED, TRUTH, **ways[by])
    plain = pair_tables(ORIGINAL, RELEASE, TRUTH, user="who")
    assert found.columns == ("shop", "day")
    assert records(found, "release") == records(plain, "release")
    assert (found.study is None) == (by == "argument")


def test_a_name_that_another_column_took_is_not_ones_own() -> None:
    original = pyarrow.table({"who": ["a"], "x": ["1"], "y": ["2"]})
    swapped = pyarrow.table({"who": ["a"], "y": ["1"], "x": ["2"]})
    found = pair_tables(original, swapped, user="who", renamed={"x": "y", "y": "x"})
    assert records(found, "release") == records(found, "original")
    found = pair_tables(original, swapped, user="who", renamed={"x": "y"})
    assert (found.columns, records(found, "release")) == (("x",), [("a", "1")])
    said = fails(UsageError, original, swapped, user="who", renamed={"x": "y"}, columns=["y"])
    assert said.startswith("the release Table has 'x' under the name 'y'; say what")
    assert said.endswith(
        "say what the release calls a column by --renamed, or in the table [renamed] of a study file"
    )


def test_all_mistakes_in_renamed_are_told_at_once() -> None:
    wrong = {"shpo": "place", "day": "dat"}
    faults = (
        "renamed: the original Table has no column 'shpo'; did you mean 'shop' or 'who'?; "
        "renamed: the release Table has no column 'dat'; did you mean 'date'?"
    )
    assert fails(UsageError, ORIGINAL, RENAMED, user="who", renamed=wrong) == faults
    study = Study({"who": "user", "wo": "time"}, renamed=wrong)
    said = fails(InputError, ORIGINAL, RENAMED, study=study)
    assert said == f"study: the table has no column 'wo'; did you mean 'who'?; {faults}"
    both = "renamed: 'day' and 'shop' can't both be 'date' in the release"
    assert fails(UsageError, ORIGINAL, RENAMED, renamed={"day": "date", "shop": "date"}) == both
    half = Study({}, renamed={"day": "date"})
    assert fails(UsageError, ORIGINAL, RENAMED, study=half, renamed={"shop": "date"}) == both
    odd: Any = ["day"]
    assert "has lines like goods" in fails(UsageError, ORIGINAL, RENAMED, renamed=odd)


def test_columns_that_are_asked_for() -> None:
    found = pair_tables(ORIGINAL, RELEASE, TRUTH, user="who", columns=["day", "shop", "day"])
    assert found.columns == ("shop", "day")
    assert pair_tables(ORIGINAL, RELEASE, TRUTH, user="who", columns=["day"]).columns == ("day",)
    more = ORIGINAL.append_column("age", pyarrow.array(["1", "2", "3"]))
    assert fails(UsageError, more, RELEASE, TRUTH, user="who", columns=["dya", "age"]) == (
        "the original Table has no column 'dya'; did you mean 'day'?; the release Table has no column 'age'; "
        "there are 'who', 'day', 'shop'; say what the release calls a column by --renamed, or in the table "
        "[renamed] of a study file"
    )
    text: Any = "day"
    assert "is one name; give a list" in fails(UsageError, ORIGINAL, RELEASE, TRUTH, user="who", columns=text)
    odd: Any = [3]
    assert "named by text, not by 3" in fails(UsageError, ORIGINAL, RELEASE, TRUTH, user="who", columns=odd)
    assert "name some" in fails(UsageError, ORIGINAL, RELEASE, TRUTH, user="who", columns=[])
    assert "'who' is the user column" in fails(
        UsageError, ORIGINAL, RELEASE, TRUTH, user="who", columns=["who"]
    )


def test_columns_that_are_read_too() -> None:
    """Beside the default or those asked for, and under the same names."""
    more = [
        table.append_column("age", pyarrow.array(["1", "2", "3"])) for table in (ORIGINAL, RELEASE, RENAMED)
    ]
    asked: dict[str, Any] = {"user": "who", "columns": ["day"]}
    found = pair_tables(more[0], more[1], TRUTH, **asked, also=["age", "day", "age"])
    assert found.columns == ("day", "age")
    assert records(found, "original") == [("ann", "2", "2"), ("bob", "1", "1"), ("bob", "3", "3")]
    assert pair_tables(more[0], more[1], TRUTH, user="who", also=["age"]).columns == ("shop", "day", "age")
    found = pair_tables(more[0], more[2], TRUTH, **asked, renamed=NEW_NAMES, also=["shop"])
    assert found.columns == ("shop", "day")
    assert fails(UsageError, more[0], RELEASE, TRUTH, user="who", also=["shpo", "age"]) == (
        "the original Table has no column 'shpo'; did you mean 'shop' or 'who'?; the release Table has no "
        "column 'age'; there are 'who', 'day', 'shop'; say what the release calls a column by --renamed, or "
        "in the table [renamed] of a study file"
    )
    said = "'who' is the user column; an attacker who knows it needs nothing else"
    assert fails(UsageError, ORIGINAL, RELEASE, TRUTH, **asked, also=["who"]) == said
    assert fails(UsageError, ORIGINAL, RELEASE, TRUTH, user="who", also=["who"]) == said


def test_a_study_says_what_an_attacker_does_not_know() -> None:
    study = Study({"who": "user", "shop": "sensitive"})
    assert pair_tables(ORIGINAL, RELEASE, TRUTH, study=study).columns == ("day",)
    assert pair_tables(ORIGINAL, RELEASE, TRUTH, study=study, columns=["shop"]).columns == ("shop",)
    assert pair_tables(ORIGINAL, RELEASE, TRUTH, study=study, also=["shop"]).columns == ("shop", "day")
    odd: Any = 3
    assert "study: a int is no study" in fails(UsageError, ORIGINAL, RELEASE, study=odd)


def test_no_columns_in_common() -> None:
    nothing = pyarrow.table({"who": ["p1"], "date": ["3"]})
    assert fails(UsageError, ORIGINAL, nothing, user="who") == (
        "the original Table and the release Table have no column in common to compare; say what the release "
        "calls a column by --renamed, or in the table [renamed] of a study file"
    )


def test_user_columns() -> None:
    release = RELEASE.append_column("pseudonym", RELEASE["who"])
    found = pair_tables(ORIGINAL, release, TRUTH, user="who", release_user="pseudonym")
    assert found.columns == ("shop", "day")
    named = ORIGINAL.append_column("pseudonym", ORIGINAL["who"])
    assert pair_tables(named, release, TRUTH, user="who", release_user="pseudonym").columns == ("shop", "day")
    said = fails(UsageError, named, release, user="who", release_user="pseudonym", columns=["pseudonym"])
    assert said == "'pseudonym' is the user column; an attacker who knows it needs nothing else"
    assert fails(UsageError, ORIGINAL, RENAMED, user="woh") == (
        "the original Table has no user column 'woh'; did you mean 'who'?; the release Table has no user "
        "column 'woh'; there are 'person', 'date', 'place'"
    )
    assert fails(UsageError, ORIGINAL, RELEASE, release_user="who") == (
        "a user column of the release was named and none of the original; name both"
    )


ITSELF = "the release is the original itself ({}): give the de-identified table as the release"
SAME = ITSELF.format("the same records with the same people, in the columns read")


def test_a_release_that_is_the_original(tmp_path: Path) -> None:
    path, link, copy = (tmp_path / name for name in ("o.csv", "link.csv", "copy.csv"))
    pyarrow.csv.write_csv(ORIGINAL, path)
    pyarrow.csv.write_csv(ORIGINAL, copy)
    link.symlink_to(path)
    data = ITSELF.format("it is the same data")
    for release in (path, link):
        assert pair_tables(path, release, user="who").remarks[-1] == data
    assert pair_tables(ORIGINAL, ORIGINAL, user="who").remarks[-1] == data
    assert pair_tables(path, copy, user="who").remarks[-1] == SAME
    assert pair_tables(ORIGINAL, ORIGINAL.take([2, 0, 1]), user="who").remarks[-1] == SAME
    moved = {"1": "3", "2": "1", "3": "2"}
    assert pair_tables(ORIGINAL, ORIGINAL.take([2, 0, 1]), moved).remarks[-1] == SAME


CHANGED = [
    ORIGINAL.take([0, 1]),
    ORIGINAL.take([0, 1, 2, 2]),
    ORIGINAL.set_column(2, "day", [["1", "3", "2"]]),
    ORIGINAL.set_column(2, "day", [["1", "2", "2"]]),
    ORIGINAL.set_column(0, "who", [["ann", "bob", "bob"]]),
    ORIGINAL.set_column(0, "who", [["bob", "eve", "bob"]]),
]


@pytest.mark.parametrize("release", CHANGED)
def test_a_release_that_is_not_quite_the_original(release: pyarrow.Table) -> None:
    assert not any(
        "the original itself" in remark for remark in pair_tables(ORIGINAL, release, user="who").remarks
    )


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=8), st.data())
def test_sameness_is_that_of_multisets(rows: list[tuple[str, ...]], data: st.DataObject) -> None:
    other = [tuple(row) for row in data.draw(st.permutations(rows))]
    if data.draw(st.booleans()):
        place = data.draw(st.integers(0, len(rows) - 1))
        other[place] = data.draw(st.sampled_from(rows))
    tables = [
        pyarrow.table(dict(zip(("who", "x", "y"), zip(*each, strict=True), strict=True)))
        for each in (rows, other)
    ]
    same = Counter(rows) == Counter(other)
    assert (SAME in pair_tables(*tables, user="who").remarks) == same
    values = [[row[1:] for row in each] for each in (rows, other)]
    numbers = {str(number): str(number) for number in range(1, len(rows) + 1)}
    alone = pair_tables(tables[0].drop_columns("who"), tables[1].drop_columns("who"), numbers)
    assert (SAME in alone.remarks) == (Counter(values[0]) == Counter(values[1]))


def test_empty_tables() -> None:
    for data in ((ORIGINAL, RELEASE.slice(0, 0)), (ORIGINAL.slice(0, 0), RELEASE)):
        assert fails(InputError, *data, TRUTH, user="who") == "Table: has column names but no records"


def test_a_file_that_changes_is_an_error(tmp_path: Path) -> None:
    original, release = tmp_path / "o.csv", tmp_path / "r.csv"
    pyarrow.csv.write_csv(ORIGINAL, original)
    pyarrow.csv.write_csv(RELEASE, release)

    def meddle(doing: str, done: int, total: int) -> None:  # noqa: ARG001
        pyarrow.csv.write_csv(ORIGINAL.slice(0, 2), release)

    said = fails(InputError, original, release, TRUTH, user="who", progress=meddle)
    assert said == f"{release}: changed while it was read; run again on a copy that stands still"


def test_memory_is_shared_and_progress_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    pair_tables(
        ORIGINAL, RELEASE, TRUTH, user="who", memory="120MB", threads=1,
        progress=lambda doing, done, total: told.append((doing, done, total)),
    )  # fmt: skip
    assert told == [("reading the original Table", 0, 2), ("reading the release Table", 1, 2)]
    assert "is not a size" in fails(UsageError, ORIGINAL, RELEASE, TRUTH, user="who", memory="much")
    assert "can't read it where it is" in fails(
        UsageError, ORIGINAL, RELEASE, TRUTH, user="who", engine="spark"
    )
    path = written(tmp_path, "who,shop\np1,x\n", "r.csv")
    assert "leave them out" in fails(
        UsageError, ORIGINAL, path, TRUTH, user="who", csv=CsvFormat(delimiter=",")
    )
