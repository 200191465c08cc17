"""Dummy records: Figs 4 and 5 of Ito et al. 2020, Algorithm 2 by a plain loop, what a release keeps to."""

from __future__ import annotations

import datetime
import stat
from collections import Counter, defaultdict
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import attack
from singleout.deidentify.dummies.clusters import Clusters
from singleout.deidentify.dummies.dummies import dummies
from singleout.deidentify.dummies.dummy_columns import DummyColumns, columns_of, item_codes, sets_of
from singleout.deidentify.dummies.dummy_records import DummyMaker, lacked_items
from singleout.deidentify.dummies.dummy_values import one_in, time_order
from singleout.deidentify.dummies.measures import DUMMY_MEASURES
from singleout.deidentify.dummies.release import SameSets
from singleout.errors import GoalError, InputError, OutputError, UsageError
from singleout.recipe.record_table import RecordTable
from singleout.roles.study import Study
from tests.support.home import Home

Row = dict[str, Any]
NAMES = ["user", "receipt", "date", "time", "goods", "price", "number"]
SHOP = DummyColumns("user", "goods", ("date", "time"), ("price",), "number")
# Ito et al. 2020, Fig. 5 (a)
FIGURE_5 = [
    dict(zip(NAMES, row, strict=True))
    for row in (
        ("u1", "1", "2010/12/1", "8:00", "A", "5", "10"),
        ("u1", "1", "2010/12/1", "8:00", "B", "10", "20"),
        ("u1", "2", "2010/12/2", "12:00", "C", "100", "30"),
        ("u2", "3", "2010/12/1", "15:00", "A", "5", "5"),
        ("u2", "4", "2010/12/5", "20:00", "B", "10", "15"),
    )
]


def records_of(rows: list[Row], user: str = "user") -> RecordTable:
    table = pyarrow.table({name: pyarrow.array([row[name] for row in rows]) for name in rows[0]})
    people = sorted({row[user] for row in rows})
    person = numpy.array([people.index(row[user]) for row in rows], dtype=numpy.int64)
    return RecordTable(table, person, len(people), user)


def making_of(records: RecordTable, columns: DummyColumns, **how: bool) -> tuple[DummyMaker, Any]:
    items = item_codes(records.column(columns.item), columns.item)
    sets = sets_of(records, items)
    return DummyMaker(records, items, columns, columns.origins(records, items, sets), **how), sets


def made(rows: list[Row], columns: DummyColumns, cluster: list[int], **how: bool) -> list[Row]:
    """The dummy records as rows, by the code."""
    records = records_of(rows, columns.user)
    making, sets = making_of(records, columns, **how)
    making.check()
    person, item = lacked_items(Clusters(numpy.array(cluster, dtype=numpy.int64), sets))
    found = making.with_dummies(person, item, numpy.random.default_rng(7))
    assert found.table.slice(0, len(rows)).to_pylist() == rows
    assert found.person[len(rows) :].tolist() == person.tolist()
    dummy_rows: list[Row] = found.table.slice(len(rows)).to_pylist()
    return dummy_rows


def test_figure_4() -> None:
    # the rows of u3 are cut off in print; I(u3) = {g4, g5}, and the receipts 700 and 800 are ours
    pairs = [("u1", "100", "g1"), ("u1", "300", "g2"), ("u2", "500", "g1"), ("u2", "500", "g3")]
    pairs += [("u2", "600", "g5"), ("u3", "700", "g4"), ("u3", "800", "g5")]
    rows = [dict(zip(("U", "Receipt ID", "Goods"), pair, strict=True)) for pair in pairs]
    found = made(rows, DummyColumns("U", "Goods"), [0, 0, 0])
    assert [tuple(row.values()) for row in found] == [
        ("u1", "300", "g3"), ("u1", "300", "g4"), ("u1", "300", "g5"),
        ("u2", "600", "g2"), ("u2", "600", "g4"),
        ("u3", "800", "g1"), ("u3", "800", "g2"), ("u3", "800", "g3"),
    ]  # fmt: skip


def test_figure_5() -> None:
    (found,) = made(FIGURE_5, SHOP, [0, 0])
    assert tuple(found.values()) == ("u2", "4", "2010/12/5", "20:00", "C", "100", "1")


# Algorithm 2 by a plain loop


def moment(row: Row) -> tuple[tuple[int, ...], tuple[int, ...]]:
    day, at = row["date"], row["time"]
    return (
        () if day is None else tuple(map(int, day.split("/"))),
        () if at is None else tuple(map(int, at.split(":"))),
    )


def by_hand(rows: list[Row], cluster: Mapping[str, int]) -> list[Row]:
    """Ito et al. 2020, Algorithm 2, record by record."""
    latest: dict[str, Row] = {}
    price: dict[str | None, Row] = {}
    for row in rows:
        if row["user"] not in latest or moment(row) >= moment(latest[row["user"]]):
            latest[row["user"]] = row
        goods = row["goods"]
        if row["price"] is not None and (goods not in price or moment(row) >= moment(price[goods])):
            price[goods] = row
    bought = defaultdict(set)
    for row in rows:
        bought[row["user"]].add(row["goods"])
    found = []
    for x in sorted(set(cluster.values())):
        members = [user for user in sorted(cluster) if cluster[user] == x]
        union = set().union(*(bought[user] for user in members))
        for user in members:
            for goods in sorted(union - bought[user], key=lambda each: (each is None, each or "")):
                its = {"goods": goods, "price": price[goods]["price"], "number": "1"}
                found.append({**latest[user], **its})
    return found


DAYS = ["2010/12/1", "2010/12/2", "2010/12/10", "2011/1/1", None]
TIMES = ["8:00", "9:30", "12:00", None]
histories = st.lists(
    st.tuples(
        st.sampled_from("abcde"), st.sampled_from("123"), st.sampled_from(DAYS), st.sampled_from(TIMES),
        st.sampled_from(["A", "B", "C", "D", None]), st.sampled_from(["5", "10", None]),
        st.sampled_from("67"),
    ).map(lambda values: dict(zip(NAMES, values, strict=True))),
    min_size=1,
    max_size=14,
)  # fmt: skip


@given(histories, st.data())
def test_algorithm_2_by_a_plain_loop(rows: list[Row], data: st.DataObject) -> None:
    priced = {row["goods"] for row in rows if row["price"] is not None}
    rows += [{**row, "price": "7"} for row in rows if row["goods"] not in priced]
    users = sorted({row["user"] for row in rows})
    chosen = data.draw(st.lists(st.integers(0, 2), min_size=len(users), max_size=len(users)))
    numbers = {x: place for place, x in enumerate(dict.fromkeys(chosen))}
    cluster = [numbers[x] for x in chosen]
    assert made(rows, SHOP, cluster) == by_hand(rows, dict(zip(users, cluster, strict=True)))


@given(histories, st.integers(0, 3))
def test_drawn_values_are_those_of_the_person_and_of_the_item(rows: list[Row], seed: int) -> None:
    rows = [{**row, "price": row["price"] or "1"} for row in rows]
    users = sorted({row["user"] for row in rows})
    cluster = [(place + seed) % 2 for place in range(len(users))] if len(users) > 1 else [0]
    found = made(rows, SHOP, cluster, spread=True, draw_numbers=True)
    plain = made(rows, SHOP, cluster)
    assert [(row["user"], row["goods"]) for row in found] == [(row["user"], row["goods"]) for row in plain]
    visits = {(row["user"], row["receipt"], row["date"], row["time"]) for row in rows}
    sales = {(row["goods"], row["price"], row["number"]) for row in rows}
    assert {(row["user"], row["receipt"], row["date"], row["time"]) for row in found} <= visits
    assert {(row["goods"], row["price"], row["number"]) for row in found} <= sales


def test_spread_dummies_stand_at_all_records_of_a_person() -> None:
    rows: list[Row] = [{"user": "a", "at": str(day), "goods": f"a{day}"} for day in range(3)]
    rows += [{"user": "b", "at": "9", "goods": f"b{item}"} for item in range(300)]
    found = [row for row in made(rows, DummyColumns("user", "goods", ("at",)), [0, 0]) if row["user"] == "a"]
    assert {row["at"] for row in found} == {"2"}
    spread = made(rows, DummyColumns("user", "goods", ("at",)), [0, 0], spread=True)
    often = Counter(row["at"] for row in spread if row["user"] == "a")
    # 300 draws of three: each 100 ± 5 standard deviations of 8.2
    assert set(often) == {"0", "1", "2"}
    assert all(60 < times < 140 for times in often.values())


def test_drawn_numbers_come_with_their_price_where_both_are_there() -> None:
    rows: list[Row] = [{"user": "a", "goods": "A", "price": "5", "number": "9"}] * 2
    rows += [{"user": "a", "goods": "A", "price": None, "number": "8"}]
    rows += [{"user": "a", "goods": "A", "price": "6", "number": None}]
    rows += [{"user": "a", "goods": "B", "price": "3", "number": None}]
    rows += [{"user": "b", "goods": "C", "price": "4", "number": "2"}]
    columns = DummyColumns("user", "goods", (), ("price",), "number")
    found = {row["goods"]: row for row in made(rows, columns, [0, 0], draw_numbers=True)}
    assert (found["A"]["price"], found["A"]["number"]) == ("5", "9")
    assert (found["B"]["price"], found["B"]["number"]) == ("3", "1")
    plain = {row["goods"]: row for row in made(rows, columns, [0, 0])}
    assert (plain["A"]["price"], plain["A"]["number"]) == ("6", "1")


# Which column goes with what


def test_a_column_that_the_item_decides_is_the_items() -> None:
    rows = [{**row, "name": f"name of {row['goods']}"} for row in FIGURE_5]
    (found,) = made(rows, SHOP, [0, 0])
    assert found["name"] == "name of C"
    kept = columns_of(
        "user", {"item": ("goods",), "time": ("date",), "with_person": ("name",)}, {}, (*rows[0],)
    )
    assert made(rows, kept, [0, 0])[0]["name"] == "name of B"


def test_a_column_that_the_person_decides_too_is_the_persons() -> None:
    rows: list[Row] = [{"user": "a", "goods": "A", "town": "Ulm"}, {"user": "b", "goods": "A", "town": "Ulm"}]
    rows += [{"user": "b", "goods": "B", "town": "Ulm"}]
    assert made(rows, DummyColumns("user", "goods"), [0, 0])[0]["town"] == "Ulm"


def test_where_nobody_shares_an_item_nothing_is_the_items() -> None:
    rows: list[Row] = [
        {"user": "a", "goods": "A", "receipt": "1"},
        {"user": "a", "goods": "B", "receipt": "2"},
    ]
    rows += [{"user": "b", "goods": "C", "receipt": "3"}, {"user": "b", "goods": "D", "receipt": "4"}]
    found = made(rows, DummyColumns("user", "goods"), [0, 0])
    assert {(row["user"], row["receipt"]) for row in found} == {("a", "2"), ("b", "4")}


def test_typed_columns_stay_typed() -> None:
    day, at = datetime.date(2010, 12, 1), datetime.datetime(2010, 12, 1, 8)
    rows: list[Row] = [
        {"user": "a", "on": day, "at": at, "goods": 2, "price": Decimal("1.50"), "number": 3, "weight": 0.5},
        {"user": "b", "on": day, "at": at, "goods": 10, "price": Decimal("2.50"), "number": 4, "weight": 1.5},
        {"user": "b", "on": day, "at": at, "goods": 2, "price": Decimal("1.75"), "number": 5, "weight": 2.5},
    ]
    columns = DummyColumns("user", "goods", ("on", "at"), ("price",), "number", with_item=("weight",))
    assert made(rows, columns, [0, 0]) == [
        {"user": "a", "on": day, "at": at, "goods": 10, "price": Decimal("2.50"), "number": 1, "weight": 1.5}
    ]


@pytest.mark.parametrize(
    ("values", "latest"),
    [
        (["2010/12/9", "2010/12/10", "2010/12/1"], 1),
        (["2010-12-09 23:59", "2010-12-10", "2010-12-09 08:26:00"], 1),
        (["9:30", "10:00", "08:59:59"], 1),
        (["9", "10.5", "-3"], 1),
        (["9", "10", "x"], 2),
        ([None, "a", None], 1),
        ([1.5, float("nan"), 0.5], 0),
        ([None, None, None], 2),
        (["7", "7.0", "07"], 2),
        ([True, False, True], 2),
    ],
)
def test_which_record_is_the_latest(values: list[Any], latest: int) -> None:
    table = pyarrow.table({"when": pyarrow.array(values)})
    found = time_order(RecordTable(table, numpy.zeros(3, dtype=numpy.int64), 1), ["when"])
    assert found.rows[-1] == latest
    assert found.as_text == (("when",) if "x" in values or "a" in values else ())


def test_latest_by_many_columns() -> None:
    # 45 to the power of 12 is more than 62 bits: ranks are numbered afresh on the way
    draw = numpy.random.default_rng(3)
    keys = [numpy.where(draw.random(3000) < 0.1, draw.integers(0, 45, 3000), 7) for _ in range(12)]
    table = pyarrow.table({f"c{place}": pyarrow.array(key) for place, key in enumerate(keys)})
    found = time_order(RecordTable(table, numpy.zeros(3000, dtype=numpy.int64), 1), table.column_names)
    assert found.rows.tolist() == numpy.lexsort(keys[::-1]).tolist()


def test_one_as_the_column_writes_it() -> None:
    assert one_in("n", pyarrow.array(["12", None])).as_py() == "1"
    assert one_in("n", pyarrow.array([1.5])).as_py() == 1.0
    with pytest.raises(UsageError, match="column 'n': is of the type bool; name a column of numbers"):
        one_in("n", pyarrow.array([True]))
    with pytest.raises(InputError, match="1 of its 2 different values are no numbers"):
        one_in("n", pyarrow.array(["1", "many"]))


def test_roles_of_a_study_name_what_was_not_named() -> None:
    roles: Any = {"who": "user", "goods": "item", "at": "time", "day": "time", "fee": "amount", "n": "amount"}
    names = ("who", "day", "at", "goods", "fee", "n")
    found = columns_of("who", {"number": ("n",)}, roles, names)
    assert found == DummyColumns("who", "goods", ("day", "at"), ("fee",), "n")
    with pytest.raises(UsageError) as error:
        columns_of("who", {"item": ("gods",), "amount": ("at",), "time": ("at",)}, {}, names)
    assert "there is no column 'gods'; did you mean 'goods'?" in str(error.value)
    assert "'at' can't be both time and amount" in str(error.value)


# The release


def released(folder: Path, ending: str = ".csv") -> tuple[list[Row], list[Row], dict[str, str]]:
    """Its records, those that are made up, and who is who."""
    read = _read_csv if ending == ".csv" else pyarrow.parquet.read_table
    truth = _read_csv(folder / "truth.csv").to_pylist()
    rows: list[Row] = read(folder / f"out{ending}").to_pylist()
    secret: list[Row] = read(folder / f"secret{ending}").to_pylist()
    return rows, secret, {row["release_user"]: row["original_user"] for row in truth}


def _read_csv(file: Path) -> pyarrow.Table:
    names = file.read_text().splitlines()[0].replace('"', "").split(",")
    types = dict.fromkeys(names, pyarrow.string())
    options = pyarrow.csv.ConvertOptions(
        column_types=types, strings_can_be_null=True, null_values=[""], quoted_strings_can_be_null=True
    )
    return pyarrow.csv.read_csv(file, convert_options=options)


def targets(folder: Path, ending: str = ".csv") -> dict[str, Any]:
    return {
        "out": folder / f"out{ending}", "truth": folder / "truth.csv", "dummies": folder / f"secret{ending}",
        "diary": folder / "diary.json",
    }  # fmt: skip


USUAL: dict[str, Any] = {
    "user": "user", "item": "goods", "time": ["date", "time"], "amount": "price", "number": "number"
}  # fmt: skip


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@settings(max_examples=12)
@given(rows=histories, seed=st.integers(0, 9))
def test_a_release_is_the_records_and_the_dummies(
    tmp_path_factory: pytest.TempPathFactory, ending: str, rows: list[Row], seed: int
) -> None:
    rows = [{**row, "price": row["price"] or "1"} for row in rows]
    rows += [{**row, "user": "z"} for row in rows[:1]]
    people = {row["user"] for row in rows}
    folder = tmp_path_factory.mktemp("release")
    table = pyarrow.table(
        {name: pyarrow.array([row[name] for row in rows], pyarrow.string()) for name in NAMES}
    )
    count = max(1, len(people) // 2)
    found = dummies(
        table,
        **USUAL,
        clusters=count,
        method="2",
        seed=seed,
        with_person="receipt",
        **targets(folder, ending),
    )
    release, secret, truth = released(folder, ending)
    assert len(release) == found.released_records == len(rows) + found.dummies
    assert {row["user"] for row in release} == set(truth)
    assert set(truth.values()) == people
    places = [int(row.pop("record")) - 1 for row in secret]
    assert [release[place] for place in places] == secret
    named = [{**row, "user": truth[row["user"]]} for row in release]
    real = [row for place, row in enumerate(named) if place not in set(places)]
    assert Counter(map(_key, real)) == Counter(map(_key, rows))
    sets: dict[str, set[Any]] = defaultdict(set)
    for row in named:
        sets[row["user"]].add(row["goods"])
    numbers = {items: place for place, items in enumerate({frozenset(each) for each in sets.values()})}
    assert len(numbers) <= len(found.clusters) == count
    # the same dummies as by hand, if two clusters of the same set count as one: they have none more
    assert Counter(_key({**row, "user": truth[row["user"]]}) for row in secret) == Counter(
        _key(row) for row in by_hand(rows, {user: numbers[frozenset(each)] for user, each in sets.items()})
    )


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in NAMES)


def test_secrets_are_for_their_owner_only(tmp_path: Path) -> None:
    table = pyarrow.Table.from_pylist(FIGURE_5)
    found = dummies(table, **USUAL, clusters=1, **targets(tmp_path))
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes["truth.csv"] == modes["secret.csv"] == modes["diary.json"] == 0o600
    assert modes["out.csv"] != 0o600
    assert found.written == {"out": 6, "secret": 1, "truth": 2}
    release, _, truth = released(tmp_path)
    assert not {"u1", "u2"} & {row["user"] for row in release}
    assert sorted(truth.values()) == ["u1", "u2"]
    assert "u1" not in (tmp_path / "diary.json").read_text()


@pytest.mark.parametrize("drawn", [False, True])
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path, drawn: bool) -> None:
    draw = numpy.random.default_rng(1)
    table = pyarrow.table(
        {
            "user": draw.integers(0, 30, 400).astype(str),
            "goods": draw.integers(0, 40, 400).astype(str),
            "date": draw.permutation(400).astype(str),
            "price": draw.integers(1, 9, 400).astype(str),
            "number": draw.integers(1, 9, 400).astype(str),
        }
    )
    shuffled = table.take(pyarrow.array(draw.permutation(400)))
    files = []
    for place, (data, seed, threads) in enumerate(
        [(table, 0, 1), (table, 0, 2), (shuffled, 0, 1), (table, 1, 1)]
    ):
        folder = tmp_path / str(place)
        folder.mkdir()
        named = targets(folder)
        del named["diary"]
        dummies(
            data, user="user", item="goods", time="date", amount="price", number="number", clusters=6,
            seed=seed, threads=threads, spread=drawn, draw_numbers=drawn, **named,
        )  # fmt: skip
        files.append([file.read_bytes() for file in sorted(folder.iterdir())])
    assert files[0] == files[1]
    # no two records are of the same time: then how they stand tells nothing either
    assert files[0] == files[2]
    assert files[0] != files[3]
    names = [{line.split(b",")[0] for line in each[2].splitlines()[1:]} for each in files]
    assert names[0] == names[2]
    assert not names[0] & names[3]


def test_drawing_depends_on_the_seed_alone(tmp_path: Path) -> None:
    found = []
    for place, threads in enumerate((1, 2)):
        out = tmp_path / f"{place}.csv"
        dummies(
            pyarrow.Table.from_pylist(FIGURE_5 * 3), **USUAL, clusters=1, spread=True, draw_numbers=True,
            out=out, order="sorted", threads=threads,
        )  # fmt: skip
        found.append(out.read_bytes())
    assert found[0] == found[1]


EDITED = [
    {"user": user, "goods": goods}
    for user, basket in {"ann": "aaab", "bob": "ac", "cid": "acd", "dot": "x", "eve": "xy"}.items()
    for goods in basket
]


@pytest.mark.parametrize(
    ("edit", "added", "removed", "left"), [("add", 6, 0, 18), ("remove", 0, 5, 7), ("any", 2, 2, 12)]
)
def test_people_are_made_alike_by_other_edits(
    edit: Any, added: int, removed: int, left: int, tmp_path: Path
) -> None:
    """By hand: a is shared; it is cheaper to add c and y than to remove them, and to remove b and d."""
    table = records_of(EDITED).table
    found = dummies(
        table, user="user", item="goods", clusters=2, method="1", edit=edit, out=tmp_path / "r.csv",
        truth=tmp_path / "t.csv", dummies=tmp_path / "d.csv", diary=tmp_path / "d.json",
    )  # fmt: skip
    assert sorted(each.size for each in found.clusters) == [2, 3]
    assert (found.dummies, found.removed, found.released_records) == (added, removed, left)
    release = pyarrow.csv.read_csv(tmp_path / "r.csv").to_pylist()
    assert len(release) == left
    sets = defaultdict(set)
    for row in release:
        sets[row["user"]].add(row["goods"])
    assert sorted(Counter(frozenset(each) for each in sets.values()).values()) == [2, 3]
    made_up = pyarrow.csv.read_csv(tmp_path / "d.csv")
    assert made_up.num_rows == (left if "dummy" in made_up.column_names else added)
    assert found.to_dict()["removed"] == removed
    # what is left out has no place in a share of dummies
    assert (found.to_random is None) == (removed > 0)
    if edit != "add":
        # an intruder who takes the real items for a part of the released ones would be led astray
        with pytest.raises(InputError, match="removed records too"):
            attack(table, tmp_path / "r.csv", user="user", item="goods", truth=tmp_path / "t.csv",
                   recipe=tmp_path / "d.json")  # fmt: skip


def test_nobody_is_edited_away() -> None:
    rows = [{"user": "ann", "goods": "a"}, {"user": "bob", "goods": "b"}]
    asked: dict[str, Any] = {"user": "user", "item": "goods", "clusters": 1}
    with pytest.raises(GoalError, match="no item is everybody's"):
        dummies(records_of(rows).table, **asked, edit="remove")
    found = dummies(records_of(rows).table, **asked, edit="any")
    assert (found.dummies, found.removed, found.clusters[0].items) == (2, 0, 2)
    with pytest.raises(UsageError, match="edit: 'drop' is none; there are add, remove, any"):
        dummies(records_of(rows).table, **asked, edit="drop")  # type: ignore[arg-type]


def test_a_person_table_gets_the_same_names(tmp_path: Path) -> None:
    people = pyarrow.table({"user": ["u2", "u3", "u1"], "sex": ["f", "m", "f"]})
    found = dummies(
        pyarrow.Table.from_pylist(FIGURE_5), **USUAL, clusters=1, people_table=people,
        people_out=tmp_path / "people.csv", **targets(tmp_path),
    )  # fmt: skip
    _, _, truth = released(tmp_path)
    rows = _read_csv(tmp_path / "people.csv").to_pylist()
    assert {truth.get(row["user"]): row["sex"] for row in rows} == {"u1": "f", "u2": "f", None: "m"}
    assert found.people == 2
    assert any("1 person of the person table" in remark for remark in found.remarks)
    assert any("not covered by the bound: sex" in remark for remark in found.remarks)


def test_numbers_as_items_are_written_alike(tmp_path: Path) -> None:
    table = pyarrow.table({"user": ["a", "b", "b", "c"], "goods": [0.0, -0.0, float("nan"), float("inf")]})
    found = dummies(table, user="user", item="goods", clusters=1, **targets(tmp_path))
    assert (found.items, found.dummies) == (3, 5)
    release, _, _ = released(tmp_path)
    assert Counter(row["goods"] for row in release) == {"0": 3, "nan": 3, "inf": 3}


def test_without_dummies_the_secret_list_is_empty(tmp_path: Path) -> None:
    found = dummies(pyarrow.Table.from_pylist(FIGURE_5), **USUAL, clusters=2, **targets(tmp_path))
    release, secret, _ = released(tmp_path)
    assert (found.dummies, len(release), secret) == (0, 5, [])
    assert repr(found).endswith("0 dummies for 2 people, clusters: 2 of 1 to 1 people, bound 1>")


def test_some_columns_only(tmp_path: Path) -> None:
    table = pyarrow.Table.from_pylist(FIGURE_5)
    found = dummies(table, **USUAL, clusters=1, columns=["price"], **targets(tmp_path))
    assert list(found.columns) == ["user", "goods", "price"]
    assert list(released(tmp_path)[0][0]) == ["user", "goods", "price"]
    assert not any("--draw-numbers" in remark for remark in found.remarks)


def test_a_release_that_is_not_right_is_not_put_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = DummyMaker.with_dummies

    def one_short(self: DummyMaker, *more: Any) -> RecordTable:
        found = whole(self, *more)
        return found.only(numpy.arange(len(found)) < len(found) - 1)

    monkeypatch.setattr(DummyMaker, "with_dummies", one_short)
    with pytest.raises(OutputError, match=r"out\.csv: people of a cluster have different items when"):
        dummies(pyarrow.Table.from_pylist(FIGURE_5), **USUAL, clusters=1, **targets(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_reading_back_finds_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "release.csv"
    file.write_text("u,g\np,A\np,B\nq,B\nq,A\nr,A\n")
    names = pyarrow.array(["q", "r", "p"])
    right = SameSets(names, numpy.array([0, 1, 0]), ("u", "g"), "u", "g", 5)
    right.check(file, "csv")
    wrong = {
        "different items": SameSets(names, numpy.array([0, 0, 0]), ("u", "g"), "u", "g", 5),
        "5 records and not 6": SameSets(names, numpy.array([0, 1, 0]), ("u", "g"), "u", "g", 6),
        "3 people and not 2": SameSets(names[:2], numpy.array([0, 1]), ("u", "g"), "u", "g", 5),
    }
    for said, check in wrong.items():
        with pytest.raises(OutputError, match=said):
            check.check(file, "csv")
    file.write_text("u,g\np,A\np,B\nq,B\nq,C\nr,A\n")
    with pytest.raises(OutputError, match="different items"):
        right.check(file, "csv")


def test_on_every_engine(home: Home, tmp_path: Path) -> None:
    table = pyarrow.Table.from_pylist([*FIGURE_5, {**FIGURE_5[0], "user": "ü '3", "goods": None}])
    found = dummies(home.put(table), **USUAL, clusters=1, **targets(tmp_path))
    assert (found.people, found.records, found.items, found.dummies) == (3, 6, 4, 6)
    assert any("1 record misses the item" in remark for remark in found.remarks)
    release, secret, truth = released(tmp_path)
    assert sorted(truth.values()) == ["u1", "u2", "ü '3"]
    assert len(release) == 12
    made_up = {
        (truth[row["user"]], row["goods"], row["receipt"], row["price"], row["number"]) for row in secret
    }
    assert made_up == {
        ("u1", None, "2", "5", "1"), ("u2", "C", "4", "100", "1"), ("u2", None, "4", "5", "1"),
        ("ü '3", "A", "1", "5", "1"), ("ü '3", "B", "1", "10", "1"), ("ü '3", "C", "1", "100", "1"),
    }  # fmt: skip


# The result


def test_the_numbers_of_the_result() -> None:
    table = pyarrow.table({"u": list("aabbccd"), "g": ["1", "2", "1", "2", "3", "4", "1"]})
    study = Study({"u": "user", "g": "item"})
    found = dummies(table, study=study, clusters=4)
    assert (found.dummies, found.singletons, found.bound, found.to_random) == (0, 4, 1.0, None)
    assert any("4 people are alone in a cluster" in remark for remark in found.remarks)
    found = dummies(table, study=study, clusters=2, method="search")
    # {a, b} have the same set; {c, d} need 1 for c and 2 for d
    assert [(each.size, each.items, each.dummies) for each in found.clusters] == [(2, 3, 3), (2, 2, 0)]
    # d_g = 3, 2, 1, 1 of 4 people in two pairs: 4(1 − C(4 − d, 2)/6) summed, less the 7 there are
    assert found.expected.by_popularity == pytest.approx(4 * (1 + 5 / 6 + 1 / 2 + 1 / 2) - 7)
    assert found.to_random == pytest.approx(3 / found.expected.by_popularity)
    assert found.to_dict()["definitions"].keys() == {measure.name for measure in DUMMY_MEASURES}
    assert found.table().to_arrow().num_rows == 2
    # Algorithm 1: the pair's set {1, 2} is a's and b's: shared; {1, 3, 4} is nearest to c's {3, 4}
    assert found.jaccard.identified == 2


@settings(max_examples=20)
@given(histories, st.integers(1, 3))
def test_nearest_sets_never_beat_the_bound(rows: list[Row], clusters: int) -> None:
    people = len({row["user"] for row in rows})
    if people < 2:
        return
    table = pyarrow.table({name: [row[name] for row in rows] for name in ("user", "goods")})
    found = dummies(table, user="user", item="goods", clusters=min(clusters, people), method="1")
    assert found.jaccard.rate <= found.bound + 1e-12
    assert found.dummies == sum(each.dummies for each in found.clusters)
    assert sum(each.size for each in found.clusters) == people


def test_a_jaccard_attack_on_the_purchases_stays_below_the_bound(t1: Path, tmp_path: Path) -> None:
    found = dummies(
        t1, user="customer", item="goods", clusters=50, method="2", time=["date", "time"], amount="price",
        number="number", out=tmp_path / "out.csv", truth=tmp_path / "truth.csv",
    )  # fmt: skip
    assert (found.people, found.records, found.items, found.smallest) == (400, 38087, 2781, 8)
    # the formula of Ito et al. 2020 for n = 400, m = 38,087, ℓ = 2,781 (errata.md E-002.15, E-002.18)
    assert round(found.expected.uniform) == 229122
    assert found.comprehensive.best_clusters == 68
    release = _read_csv(tmp_path / "out.csv")
    assert release.num_rows == 38087 + found.dummies
    sets = defaultdict(set)
    for person, goods in zip(release["customer"].to_pylist(), release["goods"].to_pylist(), strict=True):
        sets[person].add(goods)
    members = Counter(map(frozenset, sets.values()))
    assert len(members) == 50
    assert set(members.values()) == {8}
    tried = attack(
        t1, tmp_path / "out.csv", tmp_path / "truth.csv", user="customer", item="goods", attacks=["jaccard"]
    )
    jaccard = tried.by_name("jaccard")
    assert jaccard is not None
    assert jaccard.rate <= 50 / 400
    assert jaccard.rate == pytest.approx(found.jaccard.rate)


# Bad parameters


@pytest.mark.parametrize(
    ("given_so", "said"),
    [
        ({"item": None}, "name it by --item"),
        ({"item": ["goods", "price"]}, "item: 'goods', 'price' are several columns; name one"),
        ({"item": 3}, "item: a column is named by text, not by 3"),
        ({"user": None}, "say --user"),
        ({"time": [3]}, "time: a column is named by text, not by 3"),
        ({"spread": "yes"}, "spread: 'yes' is neither True nor False"),
        ({"number": None, "draw_numbers": True}, "there is no column of numbers to draw from"),
        ({"number": "goods"}, "'goods' can't be both item and number"),
        ({"columns": ["goods", "gods"]}, "there is no column 'gods'; did you mean 'goods'?"),
        ({"people_out": "people.csv", "out": "out.csv"}, "people_table and people_out belong together"),
        ({"clusters": True}, "clusters"),
        ({"clusters": None}, "say how many clusters"),
        ({"method": 2}, "method: 2 is none; there are simple, 1, 2, search"),
        ({"seed": -1}, "seed: -1 is none"),
        ({"order": "random"}, "order: 'random' is none"),
        ({"truth": "truth.csv"}, "belongs to a release; name its file by --out"),
        ({"out": 3}, "out: 3 is no name of a file"),
        ({"threads": 0}, "threads must be"),
    ],
)
def test_bad_parameters(
    given_so: dict[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as error:
        dummies(pyarrow.Table.from_pylist(FIGURE_5), **{**USUAL, "clusters": 1, **given_so})
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_unfit_data() -> None:
    with pytest.raises(InputError, match="one person"):
        dummies(pyarrow.Table.from_pylist(FIGURE_5[:2]), **USUAL, clusters=1)
    with pytest.raises(InputError, match="no records"):
        dummies(pyarrow.Table.from_pylist(FIGURE_5).slice(0, 0), **USUAL, clusters=1)
    free = [{**row, "price": None if row["goods"] == "C" else row["price"]} for row in FIGURE_5]
    with pytest.raises(InputError, match="column 'price': one item has no value in any record"):
        dummies(pyarrow.Table.from_pylist(free), **USUAL, clusters=1)
    nothing = [{**row, "goods": None} for row in FIGURE_5]
    assert dummies(pyarrow.Table.from_pylist(nothing), **USUAL, clusters=1).dummies == 0
