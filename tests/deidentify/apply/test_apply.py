"""The job `apply`: what a recipe makes of a history and its people, on every engine, whole or not at all."""

from __future__ import annotations

import csv
import hashlib
import json
import stat
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout
from singleout import apply
from singleout.deidentify.apply.recipe_run import RecipeRun
from singleout.deidentify.input_tables import subject_of
from singleout.errors import InputError, OutputError, SingleoutError, UsageError
from singleout.read.source import source
from singleout.recipe.recipe import recipe_of
from tests.support.home import Home

ROWS = [
    ("ann", "r1", "2010/12/1", "tea", 1.5, 1),
    ("ann", "r1", "2010/12/1", "milk", 2.0, 2),
    ("ann", "r2", "2010/12/9", "salt", 0.3, 1),
    ("bob", "r3", "2010/12/5", "tea", 1.5, 7),
    ("bob", "r4", "2010/12/7", "milk", 2.0, 1),
    ("cid", "r5", "2010/12/3", "gold", 900.0, 1),
    ("dan", "r6", "2010/12/3", "tea", 1.5, 3),
    ("dan", "r6", "2010/12/3", "salt", 0.3, 3),
    ("dan", "r7", "2011/1/2", "milk", 2.1, 3),
    ("eve", "r8", "2011/1/3", "tea", None, 2),
]
NAMES = ("who", "receipt", "date", "goods", "price", "number")
SHOP = pyarrow.table(dict(zip(NAMES, map(list, zip(*ROWS, strict=True)), strict=True)))
PEOPLE = pyarrow.table(
    {
        "who": ["ann", "bob", "cid", "dan", "flo"],
        "sex": ["f", "m", "m", "m", "f"],
        "age": [30, 41, 52, 63, 74],
    }
)
NEW_NAMES: dict[str, Any] = {"step": "pseudonymise"}


def recipe(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"user": "who", "step": list(steps), **more}


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


def truth_of(path: Path) -> dict[str, str]:
    return {row["release_user"]: row["original_user"] for row in rows_of(path)}


def released(folder: Path, given: Any, **more: Any) -> tuple[list[dict[str, str]], dict[str, str]]:
    """The release, and who is who in it."""
    apply(SHOP, given, out=folder / "o.csv", truth=folder / "t.csv", **more)
    return rows_of(folder / "o.csv"), truth_of(folder / "t.csv")


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_records_without_a_user_are_told_by_their_numbers(tmp_path: Path, order: Any) -> None:
    """Those in the file that is written, and those in the data as it stood."""
    data = pyarrow.table({"goods": ["tea", "milk", "salt", "rice", "corn"], "price": [52, 11, 38, 27, 44]})
    steps = [{"step": "round", "columns": ["price"], "to": 10}, {"step": "sample", "number": 3}]
    apply(data, {"step": steps}, out=tmp_path / "o.csv", truth=tmp_path / "t.csv", order=order, seed=1)
    found, truth = rows_of(tmp_path / "o.csv"), truth_of(tmp_path / "t.csv")
    assert list(truth) == ["1", "2", "3"]
    records = data.to_pylist()
    own = [records[int(number) - 1] for number in truth.values()]
    assert [row["goods"] for row in found] == [each["goods"] for each in own]
    assert [int(row["price"]) for row in found] == [round(each["price"], -1) for each in own]


def test_a_persons_records_stay_together_under_a_new_name(tmp_path: Path) -> None:
    found, truth = released(tmp_path, recipe(NEW_NAMES))
    assert set(truth.values()) == {"ann", "bob", "cid", "dan", "eve"}
    assert not set(truth) & set(truth.values())
    again = Counter((truth[row["who"]], row["receipt"], row["goods"], row["number"]) for row in found)
    assert again == Counter((who, receipt, goods, str(number)) for who, receipt, _, goods, _, number in ROWS)


MANY_STEPS = recipe(
    {"step": "pseudonymise", "columns": ["receipt", "who"]},
    {"step": "shift_dates", "columns": ["date"], "days": 20},
    {"step": "noise", "columns": ["price"], "share": 0.1},
    {"step": "top_bottom", "columns": ["number"], "top": 5},
    {"step": "suppress", "columns": ["goods"], "what": "cells", "values": ["salt"], "mark": "*"},
    {"step": "pram", "columns": ["goods"], "keep": 0.8},
    {"step": "remove_people", "fewer_than": 2},
    {"step": "sample", "share": 0.75},
    {"step": "round", "table": "people", "columns": ["age"], "to": 10},
)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_every_engine_makes_the_same_release(home: Home, tmp_path: Path, ending: str) -> None:
    order = [3, 9, 0, 7, 1, 8, 5, 2, 6, 4]
    written = []
    for number, (history, people) in enumerate(
        [(SHOP, PEOPLE), (home.put(SHOP.take(order)), home.put(PEOPLE.take([4, 2, 0, 1, 3])))]
    ):
        places = [tmp_path / f"{part}{number}{ending}" for part in "om"]
        truth = tmp_path / f"t{number}.csv"
        apply(
            history, MANY_STEPS, people_table=people, out=places[0], people_out=places[1], truth=truth, seed=3
        )
        read = pyarrow.csv.read_csv if ending == ".csv" else pyarrow.parquet.read_table
        written.append([truth.read_text(), *(read(place).to_pydict() for place in places)])
    assert written[0] == written[1]


def test_the_same_seed_is_the_same_release_and_another_is_not(tmp_path: Path) -> None:
    written = []
    for seed in (None, 0, 1):
        apply(SHOP, MANY_STEPS | {"step": MANY_STEPS["step"][:-1]}, seed=seed, out=tmp_path / "o.csv")
        written.append((tmp_path / "o.csv").read_bytes())
    assert written[0] == written[1] != written[2]
    pseudonyms = []
    words: dict[str, Any]
    for words in ({"seed": 1}, {"seed": 2}, {}):
        _, truth = released(tmp_path, recipe(NEW_NAMES, seed=2), **words)
        pseudonyms.append(set(truth))
    assert pseudonyms[1] == pseudonyms[2]
    assert not pseudonyms[0] & pseudonyms[1]


def test_who_knows_the_seed_but_not_the_data_does_not_know_the_names(tmp_path: Path) -> None:
    """The number of people is known to all: with other data of as many, all names are others."""
    _, truth = released(tmp_path, recipe(NEW_NAMES))
    other = SHOP.set_column(5, "number", [pyarrow.array([*range(10)])])
    apply(other, recipe(NEW_NAMES), out=tmp_path / "o.csv", truth=tmp_path / "t.csv")
    assert not set(truth) & set(truth_of(tmp_path / "t.csv"))


def test_a_step_may_have_a_seed_of_its_own(tmp_path: Path) -> None:
    own = recipe(NEW_NAMES | {"seed": 4})
    assert released(tmp_path, own, seed=1) == released(tmp_path, own, seed=2)


REMOVING: dict[str, dict[str, Any]] = {
    "people with few records": {"step": "remove_people", "fewer_than": 2},
    "people with many records": {"step": "remove_people", "more_than": 2},
    "a sample of people": {"step": "sample", "share": 0.5},
    "a sample of records": {"step": "sample", "what": "records", "share": 0.3},
    "a sample of the person table": {"step": "sample", "number": 2, "table": "people"},
    "records of a value": {"step": "suppress", "columns": ["goods"], "what": "records", "values": ["tea"]},
    "rare values": {"step": "suppress", "columns": ["goods"], "what": "records", "rarer_than": 2},
    "people of a value": {
        "step": "suppress", "columns": ["sex"], "what": "records", "values": ["f"], "table": "people",
    },
    "a person by name": {"step": "suppress", "columns": ["who"], "what": "records", "values": ["dan"]},
    "a window": {"step": "cut", "column": "date", "begin": "2010-12-04", "end": "2010-12-31"},
    "so many records": {"step": "cut", "records": 1, "by": ["date"]},
}  # fmt: skip


def test_two_releases_have_no_draws_in_common(tmp_path: Path) -> None:
    """Whoever gets two releases of the same data must not be able to join them by their names."""
    names = [
        set(released(tmp_path, recipe({"step": "pseudonymise"}, *more))[1])
        for more in ([], [{"step": "round", "columns": ["price"], "to": 5}])
    ]
    assert not names[0] & names[1]
    cuts = [
        set(released(tmp_path, recipe({"step": "pseudonymise"}), columns=columns)[1])
        for columns in (["who", "goods"], ["who", "price"])
    ]
    assert not cuts[0] & cuts[1]


def test_a_secret_seed_is_another_each_time(tmp_path: Path) -> None:
    given = recipe({"step": "pseudonymise"})
    diary = {"diary": tmp_path / "d.json"}
    one, other = (released(tmp_path, given, seed="secret", **diary)[1] for _ in range(2))
    assert not set(one) & set(other)
    seed = json.loads((tmp_path / "d.json").read_text())["seed"]
    assert seed > 2**64 and released(tmp_path, given, seed=seed)[1] == other
    assert any("secret" in each for each in apply(SHOP, given).remarks)
    assert not any("secret" in each for each in apply(SHOP, given, seed=5).remarks)
    assert not any(
        "secret" in each for each in apply(SHOP, recipe({"step": "mean", "columns": ["price"]})).remarks
    )
    own = recipe({"step": "pseudonymise", "seed": 0})
    assert any("secret" in each for each in apply(SHOP, own, seed=5).remarks)


def test_steps_with_the_same_seed_do_not_move_alike() -> None:
    """Else whoever knows one column would know how another was changed."""
    draw = numpy.random.default_rng(1)
    table = pyarrow.table({name: draw.integers(0, 1000, 200) for name in ("one", "other")})
    steps = [{"step": "noise", "columns": [name], "amount": 50, "seed": 3} for name in ("one", "other")]
    parsed = recipe_of({"step": steps})
    history = RecipeRun.of(subject_of(table), 0, parsed)
    before = history.history.table
    for place, placed in enumerate(parsed.steps):
        history = history.apply_step(placed, place)
    moved = [history.history.table[name].to_numpy() - before[name].to_numpy() for name in ("one", "other")]
    assert (moved[0] != moved[1]).any()


@pytest.mark.parametrize("case", REMOVING)
@pytest.mark.parametrize("renamed", ["never", "before", "after"])
def test_both_tables_go_on_naming_the_same_people(tmp_path: Path, case: str, renamed: str) -> None:
    step = REMOVING[case]
    if case == "a person by name" and renamed == "before":
        return  # nobody has that name any more
    steps = {"never": [step], "before": [NEW_NAMES, step], "after": [step, NEW_NAMES]}[renamed]
    found = apply(
        SHOP, recipe(*steps), people_table=PEOPLE, out=tmp_path / "o.csv", people_out=tmp_path / "m.csv",
        truth=tmp_path / "t.csv", seed=8,
    )  # fmt: skip
    history, people = rows_of(tmp_path / "o.csv"), rows_of(tmp_path / "m.csv")
    assert (len(history), len(people)) == (found.released_records, found.released_rows)
    truth, records = truth_of(tmp_path / "t.csv"), {row["who"] for row in history}
    assert set(truth) == records
    assert len(records) == found.released_people
    sexes = dict(zip(PEOPLE["who"].to_pylist(), PEOPLE["sex"].to_pylist(), strict=True))
    known = [row for row in people if row["who"] in truth]
    # eve has no row in the person table from the beginning
    assert {truth[row["who"]] for row in known} == set(truth.values()) - {"eve"}
    assert all(sexes[truth[row["who"]]] == row["sex"] for row in known)
    # and flo no records: only a step on the person table can leave her out
    assert "table" in step or len(people) == len(known) + 1


def test_who_leaves_the_other_table_too_is_told() -> None:
    found = apply(SHOP, recipe({"step": "remove_people", "fewer_than": 2}), people_table=PEOPLE)
    (done,) = found.steps
    assert (done.table, done.changed, done.unit) == ("history", 2, "people")  # cid and eve
    assert done.how.endswith("; with people who are gone: 1 rows of the person table")
    women = {"step": "suppress", "columns": ["sex"], "what": "records", "values": ["f"], "table": "people"}
    found = apply(SHOP, recipe(women), people_table=PEOPLE)
    assert (found.steps[0].table, found.released_records, found.released_rows) == ("people", 7, 3)
    assert found.steps[0].how.endswith("; with people who are gone: 3 records")


@settings(max_examples=30)
@given(
    rows=st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz")), min_size=1, max_size=9),
    removed=st.sampled_from("xyz"),
    with_people=st.booleans(),
)
def test_by_hand_on_random_tables(
    tmp_path: Path, rows: list[tuple[str, str]], removed: str, with_people: bool
) -> None:
    left = [row for row in rows if row[1] != removed]
    table = pyarrow.table({"who": [row[0] for row in rows], "item": [row[1] for row in rows]})
    people = pyarrow.table({"who": list("bcde"), "mark": list("BCDE")}) if with_people else None
    step = {"step": "suppress", "columns": ["item"], "what": "records", "values": [removed]}
    places: dict[str, Any] = {
        "out": tmp_path / "o.csv",
        "truth": tmp_path / "t.csv",
        "diary": tmp_path / "d.json",
    }
    if with_people:
        places["people_out"] = tmp_path / "m.csv"
    for path in tmp_path.iterdir():
        path.unlink()
    if not left:
        with pytest.raises(InputError, match="nothing is left after step 1"):
            apply(table, recipe(step, NEW_NAMES), people_table=people, **places)
        assert list(tmp_path.iterdir()) == []
        return
    found = apply(table, recipe(step, NEW_NAMES), people_table=people, **places)
    truth = truth_of(tmp_path / "t.csv")
    assert Counter((truth[row["who"]], row["item"]) for row in rows_of(tmp_path / "o.csv")) == Counter(left)
    assert (found.released_records, found.released_people) == (len(left), len({row[0] for row in left}))
    if with_people:
        gone = {row[0] for row in rows} - {row[0] for row in left}
        marks = {row["who"]: row["mark"] for row in rows_of(tmp_path / "m.csv")}
        assert sorted(marks.values()) == sorted({"B", "C", "D", "E"} - {who.upper() for who in gone})
        assert all(marks[name] == who.upper() for name, who in truth.items() if name in marks)


def test_what_is_released_and_in_which_order(tmp_path: Path) -> None:
    steps = ({"step": "suppress", "columns": ["receipt"]}, NEW_NAMES)
    found = apply(SHOP, recipe(*steps, columns=["goods", "who"]), out=tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_text().splitlines()[0] == '"goods","who"'
    assert found.columns == ("goods", "who")
    assert "not released: receipt, date, price, number" in found.remarks
    found = apply(SHOP, recipe(*steps, columns=["goods", "who"]), columns=["who"], out=tmp_path / "o.csv")
    assert found.columns == ("who",)
    goods = apply(SHOP, recipe(columns=["goods"]), out=tmp_path / "o.csv")
    assert (goods.steps, goods.columns, goods.untouched) == ((), ("goods",), ("goods",))


def test_what_stays_as_it_was_is_told() -> None:
    same = (
        "5 people are released by their own name in 'who': whoever knows it finds all their records; "
        "add a pseudonymise step"
    )
    rounded = {"step": "round", "columns": ["price"], "to": 1}
    found = apply(SHOP, recipe(rounded))
    assert found.untouched == ("who", "receipt", "date", "goods", "number")
    assert same in found.remarks
    assert "released exactly as they were: receipt, date, goods, number" in found.remarks
    found = apply(SHOP, recipe(NEW_NAMES, rounded | {"columns": ["number"]}), people_table=PEOPLE)
    assert not [remark for remark in found.remarks if "own name" in remark]
    # rounding whole numbers to 1 changes nothing
    assert "number" in found.untouched
    assert "of the person table, released exactly as they were: sex, age" in found.remarks


@pytest.mark.parametrize("users", [[8, 7, 8], [8.0, 7.0, 8.0], ["8", "7", "8"]])
def test_own_names_are_found_whatever_their_type(tmp_path: Path, users: list[Any]) -> None:
    table = pyarrow.table({"who": users, "goods": list("abc")})
    people = pyarrow.table({"who": ["7", "8"]})
    found = apply(
        table, recipe(columns=["who"]), people_table=people, out=tmp_path / "o.csv", truth=tmp_path / "t.csv"
    )
    assert any(remark.startswith("2 people are released by their own name") for remark in found.remarks)
    assert truth_of(tmp_path / "t.csv") == {"7": "7", "8": "8"}


def test_an_unknown_person_stays_unknown(tmp_path: Path) -> None:
    table = pyarrow.table({"who": ["ann", None, None], "goods": ["a", "b", "c"]})
    found = apply(table, recipe(NEW_NAMES), out=tmp_path / "o.csv", truth=tmp_path / "t.csv")
    assert (found.people, found.released_people) == (2, 2)
    assert [row["who"] == "" for row in rows_of(tmp_path / "o.csv")].count(True) == 2
    assert list(truth_of(tmp_path / "t.csv").values()) == ["ann"]


def test_keyed_names_are_the_same_in_every_release(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"k" * 32)
    keyed = recipe({"step": "pseudonymise", "how": "keyed", "key_file": str(tmp_path / "key")})
    one = released(tmp_path, keyed, seed=1)[1]
    other = released(tmp_path, keyed, seed=2, people_table=PEOPLE, people_out=tmp_path / "m.csv")[1]
    assert one == other
    by_person = {row["sex"]: one.get(row["who"]) for row in rows_of(tmp_path / "m.csv") if row["age"] == "30"}
    assert by_person == {"f": "ann"}
    with pytest.raises(OutputError, match="key: is read for this"):
        apply(SHOP, keyed, out=tmp_path / "o.csv", diary=tmp_path / "key")
    assert (tmp_path / "key").read_bytes() == b"k" * 32


def test_the_diary_tells_everything_but_the_draws(tmp_path: Path) -> None:
    pyarrow.csv.write_csv(SHOP, tmp_path / "shop.csv")
    (tmp_path / "r.toml").write_text('user = "who"\nseed = 6\n[[step]]\nstep = "pseudonymise"\n')
    places: dict[str, Any] = {
        "out": tmp_path / "o.csv",
        "truth": tmp_path / "t.csv",
        "diary": tmp_path / "d.json",
    }
    found = apply(tmp_path / "shop.csv", tmp_path / "r.toml", people_table=PEOPLE, **places)
    text = (tmp_path / "d.json").read_text()
    told = json.loads(text)
    assert told["recipe"]["step"] == [
        {"step": "pseudonymise", "table": "history", "columns": [], "how": "random"}
    ]
    assert (told["seed"], told["recipe"]["seed"], told["recipe"]["file"]) == (6, 6, str(tmp_path / "r.toml"))
    digests = {each["file"]: each["sha256"] for each in (*told["inputs"], *told["outputs"]) if "file" in each}
    assert set(digests) == {str(tmp_path / name) for name in ("shop.csv", "o.csv", "t.csv")}
    assert digests.pop(str(tmp_path / "t.csv")) is None
    for file, digest in digests.items():
        assert digest == hashlib.sha256(Path(file).read_bytes()).hexdigest()
    assert {name: told[name] for name in found.to_dict()} == json.loads(json.dumps(found.to_dict()))
    # what the draws come from is as secret as the data
    subject = subject_of(tmp_path / "shop.csv", user="who", people_table=PEOPLE)
    assert told["inputs"][1] == {"table": "Table", "contents": subject.contents}
    assert subject.digest not in text
    assert not [who for who in ("ann", "bob", "cid") if who in text.replace(str(tmp_path), "")]


def test_only_the_owner_reads_who_is_who(tmp_path: Path) -> None:
    released(tmp_path, recipe(NEW_NAMES))
    assert stat.S_IMODE((tmp_path / "t.csv").stat().st_mode) == 0o600


def test_nothing_is_written_without_a_name_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = apply(SHOP, recipe(NEW_NAMES))
    assert (found.out, found.steps[0].changed) == (None, 10)
    assert list(tmp_path.iterdir()) == []


def test_a_release_that_is_read_back_otherwise_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "o.csv").write_text("as it was")

    def refuse(*_: Any) -> None:
        raise OutputError("is not what it should be")

    monkeypatch.setattr("singleout.deidentify.delivery.check_draft", refuse)
    with pytest.raises(OutputError, match=r"o\.csv: is not what it should be; nothing was written"):
        released(tmp_path, recipe(NEW_NAMES), diary=tmp_path / "d.json")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"o.csv": "as it was"}


def test_input_and_steps_stay_as_they_were(tmp_path: Path) -> None:
    before, people = SHOP.to_pylist(), PEOPLE.to_pylist()
    apply(SHOP, MANY_STEPS, people_table=PEOPLE, out=tmp_path / "o.csv")
    assert (SHOP.to_pylist(), PEOPLE.to_pylist()) == (before, people)


def test_the_result_is_one_value() -> None:
    found = apply(SHOP, MANY_STEPS, people_table=PEOPLE)
    assert isinstance(found, singleout.Application)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["steps"][0]["columns"] == [
        "who",
        "receipt",
    ]
    assert set(found.to_dict()["definitions"]) <= {*found.to_dict(), "changed"}
    assert len(found.to_frame()) == len(found.steps) == len(MANY_STEPS["step"]) + 1
    assert repr(found).startswith("<Application of 10 steps to Table: ")
    assert "<table>" in found._repr_html_()


def test_purchases_of_paper_2_are_the_same_under_other_names(t1: Path, tmp_path: Path) -> None:
    """All that is changed are the names: by the truth map every person has the same records as before."""
    places: dict[str, Any] = {"out": tmp_path / "o.csv", "truth": tmp_path / "t.csv"}
    found = apply(t1, {"user": "customer", "step": [NEW_NAMES]}, **places)
    assert (found.released_records, found.released_people) == (38_087, 400)
    original: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for row in rows_of(t1):
        original[row.pop("customer")][tuple(row.values())] += 1
    release: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    truth = truth_of(tmp_path / "t.csv")
    for row in rows_of(tmp_path / "o.csv"):
        release[truth[row.pop("customer")]][tuple(row.values())] += 1
    assert release == original


WRONG: dict[str, tuple[dict[str, Any], type[SingleoutError], str]] = {
    "no such user": ({"user": "whom"}, UsageError, "there is no column 'whom'"),
    "a recipe that is not there": ({"recipe": "no.toml"}, InputError, "no.toml: no such file"),
    "no recipe": ({"recipe": 5}, UsageError, "recipe: a int is no recipe"),
    "a step that is not there": (
        {"recipe": recipe({"step": "nois"})}, InputError, "step 1: there is no step 'nois'",
    ),
    "a column that is not there": (
        {"recipe": recipe({"step": "round", "columns": ["prize"], "to": 1})}, InputError,
        "step 1 (round): the history has no column 'prize'; did you mean 'price'?",
    ),
    "a step that fails": (
        {"recipe": recipe(NEW_NAMES, {"step": "sample", "number": 50})}, UsageError,
        "step 2 (sample): number: there are only 5 people to draw 50 from",
    ),
    "nothing left": (
        {"recipe": recipe({"step": "remove_people", "fewer_than": 20})}, InputError,
        "Table: nothing is left after step 1 (remove_people); change it so that some records stay",
    ),
    "people that nobody gave": (
        {"recipe": recipe({"step": "sample", "share": 0.5, "table": "people"})}, InputError,
        "no table of people",
    ),
    "people out of nowhere": ({"people_out": "m.csv"}, UsageError, "people_out: there is no person table"),
    "people without the user": (
        {"people_table": PEOPLE.select(["age"])}, UsageError, "there is no column 'who'",
    ),
    "people twice": ({"people_table": PEOPLE.take([0, 0])}, InputError, "1 person has more than one row"),
    "the user is not released": (
        {"columns": ["goods"], "truth": "t.csv"}, UsageError,
        "truth: a truth map is about the user column; release it, or write no truth map",
    ),
    "the user is left out": (
        {"recipe": recipe({"step": "suppress", "columns": ["who"]}), "truth": "t.csv"}, UsageError,
        "truth: the release has no user column",
    ),
    "names of many": (
        {"recipe": recipe({"step": "round", "columns": ["who"], "to": 10})}, InputError, "'who' is the user",
    ),
    "one name for columns": ({"columns": "goods"}, UsageError, "columns: 'goods' is no list of columns"),
    "columns that are not there": ({"columns": ["good"]}, InputError, "no column 'good'; did you mean"),
    "no columns": ({"columns": []}, UsageError, "columns: is missing"),
    "a seed": ({"seed": -1}, UsageError, "seed: -1 is none"),
    "a seed of another type": ({"seed": True}, UsageError, "seed: True is none"),
    "an order": ({"order": "random"}, UsageError, "order: 'random' is none"),
    "threads": ({"threads": 0}, UsageError, "threads must be a whole number"),
    "nothing but columns left out": (
        {"recipe": recipe({"step": "suppress", "columns": [*NAMES]})}, UsageError,
        "no column of the release is left; leave fewer out",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_one_line_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    monkeypatch.chdir(tmp_path)
    words, kind, said = WRONG[case]
    given: dict[str, Any] = {"recipe": recipe(NEW_NAMES), "out": "o.csv", "diary": "d.json"} | words
    with pytest.raises(kind) as failed:
        apply(SHOP, **given)
    assert said in str(failed.value)
    assert "\n" not in str(failed.value)
    assert list(tmp_path.iterdir()) == []


def test_the_data_is_never_replaced(tmp_path: Path) -> None:
    pyarrow.csv.write_csv(SHOP, tmp_path / "shop.csv")
    pyarrow.csv.write_csv(PEOPLE, tmp_path / "people.csv")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for target in ("shop.csv", "people.csv"):
        with pytest.raises(OutputError, match="belongs to the data that is read"):
            apply(
                source(tmp_path / "shop.csv"), recipe(NEW_NAMES), people_table=tmp_path / "people.csv",
                out=tmp_path / target,
            )  # fmt: skip
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_one_record_of_one_person(tmp_path: Path) -> None:
    table = pyarrow.table({"who": ["ann"], "goods": pyarrow.nulls(1, pyarrow.string())})
    found = apply(table, recipe(NEW_NAMES), out=tmp_path / "o.csv", truth=tmp_path / "t.csv")
    assert (found.released_records, found.released_people) == (1, 1)
    assert list(truth_of(tmp_path / "t.csv").values()) == ["ann"]
