"""What a report is written from: every part where it makes sense, and advice that keeps what it promises."""

from __future__ import annotations

import json
import math
import tomllib
from collections import defaultdict
from dataclasses import asdict
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import Domain, Study, apply, assess, attack, sample
from singleout.attacks.result import Reidentification
from singleout.engine.protocol import Question
from singleout.engine.session import open_session
from singleout.errors import InputError, UsageError
from singleout.investigation import evidence as looking
from singleout.investigation.coarser_values import coarsenings
from singleout.investigation.investigate import investigate
from singleout.investigation.remedies import Remedies, Trial
from singleout.investigation.remedy_trials import remedies
from singleout.investigation.result import Investigation
from singleout.read.costs import costs_of
from singleout.recipe.recipe import recipe_of
from tests.support.home import Home
from tests.support.postgres_server import load_into_postgres

COLUMNS = ["date", "time", "goods", "price", "number"]


def mended(table: Any, *, most: int = 5, limit: float = 0.05, **asked: Any) -> Remedies:
    found = assess(table, **asked)
    with open_session(table, **asked) as (counter, plan, _):
        return remedies(counter, plan, found.attributes, most=most, limit=limit)


@pytest.fixture(scope="module")
def shop() -> pyarrow.Table:
    table = sample("shop", people=40)
    assert isinstance(table, pyarrow.Table)
    return table


@pytest.fixture(scope="module")
def tried(shop: pyarrow.Table) -> Remedies:
    return mended(shop, user="customer", columns=COLUMNS)


def counted(found: Trial) -> tuple[Any, ...]:
    return found.average_risk, found.k, found.unique, found.people_alone


def test_each_kind_of_value_has_its_own_ways(tried: Remedies) -> None:
    words = [each.words for each in tried.trials]
    assert [each for each in words if "price" not in each and "number" not in each] == [
        "time to the hour", "time left out",
        "date to the month", "date to the year", "date left out",
        "goods cut to 3 characters", "goods cut to 2 characters", "goods left out",
    ]  # fmt: skip
    assert sum(each.startswith("price in steps of ") for each in words) == 3
    assert sum(each.startswith("number in steps of ") for each in words) >= 2


def test_a_recipe_keeps_what_its_trial_promises(shop: pyarrow.Table, tried: Remedies, tmp_path: Path) -> None:
    """Applied as written, assessed anew: the same numbers, digit by digit."""
    for place, trial in enumerate(tried.trials):
        out = tmp_path / f"{place}.parquet"
        apply(shop, recipe_of(tomllib.loads(trial.recipe)), user="customer", out=out)
        left = [name for name in COLUMNS if trial.granularity is not None or name != trial.column]
        found = assess(out, user="customer", columns=left)
        assert counted(trial) == exposure(found)
        if trial.granularity is not None:
            own = next(each.risk for each in found.attributes if each.name == trial.column)
            assert (trial.values, trial.risk) == (own.values.value, own.risk.value)


def test_all_recipes_at_once(shop: pyarrow.Table, tried: Remedies, tmp_path: Path) -> None:
    assert tried.together
    assert [each.column for each in tried.chosen] == ["time", "date", "goods", "price"]
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(tried.recipe("customer", COLUMNS))
    apply(shop, recipe, user="customer", out=tmp_path / "out.parquet")
    found = assess(tmp_path / "out.parquet", user="customer", columns=COLUMNS)
    assert counted(tried.together) == exposure(found)
    assert tried.together.risk == max(each.risk.risk.known for each in found.attributes)


def exposure(found: Any) -> tuple[Any, ...]:
    by = found.classes.by_people or found.classes.by_records
    alone = found.classes.people_alone.value if found.classes.people_alone else None
    return by.average_risk.value, by.k.value, by.unique.value, alone


@pytest.mark.parametrize(
    ("values", "granularities"),
    [
        (
            [f"2024-0{1 + i % 3}-0{1 + i % 2} 1{i % 5}:3{i % 7}:0{i % 9}" for i in range(400)],
            ["minute", "hour", "day", "month"],
        ),
        ([f"2024-02-30 {10 + i}:00:00" for i in range(12)] + ["2024-03-01 10:00:00"], ["day"]),
        ([f"890{i % 7}{i % 3}" for i in range(40)], ["first 4"]),
        ([f"A{i % 9}{i % 7}{i % 3}-X"[: 5 + i % 2] for i in range(400)], ["first 3", "first 2"]),
        ([f"{i % 11}.{i % 7}5" for i in range(40)], ["round 0.2", "round 1", "round 5"]),
        ([float(i) / 10 for i in range(40)], ["round 0.5", "round 2"]),
        ([-(i**3) for i in range(40)], ["round 2000", "round 10000", "round 50000"]),
        ([None, *range(30, 69)], ["round 5", "round 20"]),
    ],
)
def test_recipes_of_other_columns(values: list[Any], granularities: list[str], tmp_path: Path) -> None:
    """Times with seconds, days that do not exist, codes, texts and negative numbers; records of their own."""
    table = pyarrow.table({'a "b"': values, "other": [i % 3 for i in range(len(values))]})
    found = mended(table, most=1, columns=['a "b"', "other"])
    assert [each.granularity for each in found.of('a "b"')] == [*granularities, None]
    for trial in found.of('a "b"'):
        apply(table, recipe_of(tomllib.loads(trial.recipe)), out=tmp_path / "out.parquet")
        left = ["other"] if trial.granularity is None else ['a "b"', "other"]
        assert counted(trial) == exposure(assess(tmp_path / "out.parquet", columns=left))
        assert trial.people_alone is None


def test_typed_dates(tmp_path: Path) -> None:
    seconds = [1_700_000_000 + 7777 * i * i for i in range(60)]
    times = pyarrow.array(seconds, pyarrow.timestamp("s")).cast(pyarrow.timestamp("us"))
    table = pyarrow.table({"at": times, "day": times.cast(pyarrow.date32(), safe=False)})
    found = mended(table)
    assert [each.granularity for each in found.of("at")] == ["day", "month", "year", None]
    assert [each.granularity for each in found.of("day")] == ["month", "year", None]
    for trial in found.trials:
        apply(table, recipe_of(tomllib.loads(trial.recipe)), out=tmp_path / "out.parquet")
        assert counted(trial) == exposure(assess(tmp_path / "out.parquet"))


DAYS = st.one_of(st.none(), st.sampled_from(["2023-12-31", "2024-01-01", "2024-01-31", "2024-02-01"]))
PRICES = st.one_of(st.none(), st.sampled_from(["0.3", "0.30", "7", "-1", "12.5", "1e1", "49", "110"]))


Bought = list[tuple[Any, ...]]


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(1, 4), DAYS, PRICES), min_size=3, max_size=12))
def test_trials_equal_a_count_by_hand(rows: Bought) -> None:
    """The coarse table made in Python, and counted there."""
    check_by_hand(rows, mended(bought(rows), user="who", limit=0.3))


def test_trials_in_a_database(postgres_address: str) -> None:
    rows: Bought = [
        (1, "2024-01-01", "0.3"), (1, "2024-02-01", "-1"), (2, "2024-01-31", "12.5"), (2, None, "1e1"),
        (3, "2023-12-31", "110"), (3, "2024-02-01", "7"), (3, "2023-12-31", None),
    ]  # fmt: skip
    found = mended(load_into_postgres(postgres_address, bought(rows)), user="who")
    ways = ["round 5", "round 20", None, "month", "year", None]
    assert [each.granularity for each in found.trials] == ways
    check_by_hand(rows, found)


def bought(rows: Bought) -> pyarrow.Table:
    kinds = {"who": pyarrow.int64(), "day": pyarrow.string(), "price": pyarrow.string()}
    columns = zip(*rows, strict=True)
    return pyarrow.table(dict(zip(kinds, map(list, columns), strict=True)), schema=pyarrow.schema(kinds))


def check_by_hand(rows: Bought, found: Remedies) -> None:
    who = [row[0] for row in rows]
    assert found.before
    assert counted(found.before) == by_hand(who, [row[1:] for row in rows])
    for trial in found.trials:
        place = ("day", "price").index(trial.column) + 1
        own = [coarse(trial.granularity, row[place]) for row in rows]
        assert counted(trial) == by_hand(who, list(zip(own, (row[3 - place] for row in rows), strict=True)))
        if trial.granularity is not None:
            assert (trial.risk, trial.values) == (by_hand(who, own)[0], len(set(own)))
    check_laws(found)


def coarse(granularity: str | None, value: str | None) -> Any:
    if granularity is None or value is None:
        return None
    if granularity.startswith("round "):
        return math.floor(round(float(value) / float(granularity.removeprefix("round ")), 9))
    return value[: {"month": 7, "year": 4}[granularity]]


def by_hand(who: list[int], records: list[Any]) -> tuple[Any, int, int, int]:
    people: defaultdict[Any, set[int]] = defaultdict(set)
    for person, record in zip(who, records, strict=True):
        people[record].add(person)
    shared = [len(people[record]) for record in records]
    alone = {person for person, number in zip(who, shared, strict=True) if number == 1}
    average = pytest.approx(math.fsum(1 / each for each in shared) / len(shared), rel=1e-12)
    return average, min(shared), shared.count(1), len(alone)


def check_laws(found: Remedies) -> None:
    """What is coarser is never riskier, by itself or together; the least risky keeps nothing."""
    assert found.before
    for column in dict.fromkeys(each.column for each in found.trials):
        rising = [found.before, *found.of(column)]
        for finer, coarser in pairwise(rising):
            assert coarser.average_risk <= finer.average_risk * (1 + 1e-12)
            assert (coarser.people_alone or 0) <= (finer.people_alone or 0)
            assert coarser.k >= finer.k
            assert coarser.unique <= finer.unique
        for finer, coarser in pairwise(rising[1:]):
            assert coarser.risk <= finer.risk
            assert coarser.values < finer.values
    for each in found.chosen:
        good = [other for other in found.of(each.column) if other.granularity and other.risk <= found.limit]
        assert each == good[0] if good else each.risk >= found.of(each.column)[-1].risk


def test_laws_on_the_shop(tried: Remedies) -> None:
    check_laws(tried)
    assert tried.before
    assert tried.together
    assert tried.together.average_risk < tried.before.average_risk


def test_what_is_below_the_limit_needs_no_remedy(shop: pyarrow.Table) -> None:
    found = mended(shop, user="customer", columns=COLUMNS, limit=1.0)
    assert found.trials
    assert (found.chosen, found.together, found.recipe(None, ["a"])) == ((), None, "")


def test_what_can_not_be_coarser_is_left_out() -> None:
    table = pyarrow.table({"who": [1, 2, 3], "name": ["Ann", "Bo", "Cecil Z"], "sex": ["f", "m", "m"]})
    found = mended(table, user="who")
    assert [each.words for each in found.chosen] == ["name left out", "sex left out"]
    assert (found.chosen[0].values, found.chosen[0].risk) == (0, 0.0)
    assert found.together is None
    assert found.recipe("who", ["name", "sex"]) == ""
    alone = mended(table, user="who", columns=["name"])
    assert (alone.trials, alone.chosen, alone.together) == ((), (), None)


def test_where_only_all_together_are_risky_each_is_made_as_coarse_as_can_be() -> None:
    """No column is above the limit by itself, but most records are alone by both."""
    numbers = [[(7 * i) % 40 for i in range(400)], [(11 * i + i // 40) % 40 for i in range(400)]]
    table = pyarrow.table({"a": numbers[0], "b": numbers[1], "c": ["x", "y"] * 200})
    found = mended(table, limit=0.2)
    assert found.before
    assert found.before.average_risk > 0.2 > max(each.risk for each in found.trials)
    coarsest = [[each for each in found.of(name) if each.granularity][-1] for name in ("a", "b")]
    assert [*found.chosen] == coarsest
    assert found.together
    assert found.together.unique < min(each.unique for each in coarsest)
    assert found.best == min(found.trials, key=lambda each: (each.unique, each.average_risk))


def test_at_most_six_above_the_limit_are_tried_and_the_others_named() -> None:
    table = pyarrow.table({f"c{place}": [f"{place}{i}" for i in range(10)] for place in range(8)})
    found = mended(table)
    assert {each.column for each in found.trials} == {f"c{place}" for place in range(6)}
    assert [each for each in found.remarks if each.startswith("coarser values of c6, c7 were not tried")]


def test_records_that_are_written_in_another_way() -> None:
    days = ["2024-01-01", "2024-01-02", "2024-02-01", "2025-02-01", "unknown"]
    numbers = ["1", "20", "30", "400", "many"]
    table = pyarrow.table({"day": days * 100, "number": numbers * 100, "row": [str(i) for i in range(500)]})
    columns = ["day", "number"]
    assert mended(table, columns=columns).trials[0].words == "day left out"
    found = assess(table, columns=columns)
    with open_session(table, columns=columns) as (counter, plan, _), pytest.MonkeyPatch.context() as patch:
        # where the examples alone would mislead, the records tell
        patch.setattr("singleout.investigation.remedy_trials.MOST_VALUES", 0)
        patch.setattr("singleout.engine.databases.duckdb.EXAMPLES", 4)
        misled = remedies(counter, plan, found.attributes)
    assert [each.granularity for each in misled.trials] == [None, None]
    assert misled.remarks == (
        "not tried: day to the month, day to the year, for some records are not written like the others",
        "not tried: number in steps of 10, number in steps of 50, number in steps of 200, "
        "for some records are not written like the others",
    )


def test_names_of_coarse_columns_do_not_meet_those_of_the_table() -> None:
    table = pyarrow.table(
        {"day": ["2024-01-01", "2024-02-02", "2024-02-03"], "DAY at month": ["x", "y", "y"], "n": [1, 2, 3]}
    )
    assert "month" in [each.granularity for each in mended(table).of("day")]


def test_ways_that_fit() -> None:
    def granularities(*texts: str, text: bool = True) -> list[str | None]:
        return [each.granularity for each in coarsenings("x", texts, text=text, dates=True)]

    assert granularities("08:15", "09:20") == ["hour"]
    assert granularities("08:15:30", "09:20:00") == ["minute", "hour"]
    assert granularities("2024-01-31", "2024/01/31") == []
    assert granularities("0123", "1234") == ["first 2", "first 1"]
    assert granularities("1234", "9999")[-1] == "round 5000"
    assert granularities("12345", "99999", text=False)[-1] == "round 50000"
    assert granularities("5", "5") == granularities("a b", "c d") == granularities("", " ") == []
    assert granularities("1e-30", "2e-30") == []


def test_every_part_of_the_shop(shop: pyarrow.Table) -> None:
    heard: list[str] = []
    found = investigate(
        shop, user="customer", columns=COLUMNS, progress=lambda doing, *_: heard.append(doing)
    )
    assert found.assessment == assess(shop, user="customer", columns=COLUMNS)
    assert found.pairs
    assert found.pairs.priced
    assert found.pairs.priced.number == 1 + 5 + 10
    assert found.sets
    assert found.sets.allowable
    assert found.sets.priced
    assert (found.sets.allowable.subsets, found.sets.priced.number) == (31, 32)
    assert [float(cost) for _, cost in found.sets.priced.costs] == [1.0] * 5
    assert found.points
    known = {each.words for way in found.points.unicity for each in way.columns}
    assert known == {*COLUMNS, "date (to the month)", "time (to the hour)"}
    assert found.domains
    assert [each.domain.name for each in found.domains.domains] == COLUMNS
    assert found.prediction
    assert found.prediction.columns == tuple(COLUMNS)
    assert found.remedies
    assert [each.column for each in found.remedies.chosen] == ["time", "date", "goods", "price"]
    nothing = "a short search (singleout protect): none of 7 changes keeps the policy internal sharing"
    assert (found.telling, found.remarks) == ((), (nothing,))
    for part in ("pairs of columns: ", "sets of columns: ", "known records: ", "domains: ", "prediction: "):
        assert any(each.startswith(part) for each in heard)
    assert heard[-1] == "done"


def test_no_raw_value_unless_asked() -> None:
    secret = [f"secret-{i}" for i in range(20)]
    days = [f"2024-01-{1 + i % 20:02}" for i in range(20)]
    table = pyarrow.table({"who": [f"person-{i % 7}" for i in range(20)], "what": secret, "day": days})
    found = investigate(table, user="who")
    told = repr(found) + repr(_plain(asdict(found)))
    assert not any(each in told for each in (*secret, *days, "person-", "2024"))
    shown = investigate(table, user="who", show_values=True)
    assert {each.value for each in shown.telling} <= {*secret, *days}
    assert len(shown.telling) == 20


def _plain(content: Any) -> Any:
    """With all of its arrays and tables as lists, which `repr` would shorten."""
    if isinstance(content, dict):
        return {_plain(name): _plain(each) for name, each in content.items()}
    if isinstance(content, list | tuple):
        return [_plain(each) for each in content]
    if isinstance(content, pyarrow.Table):
        return content.to_pylist()
    return content.tolist() if hasattr(content, "tolist") else content


def test_telling_values(home: Home) -> None:
    """Those of the fewest people first, of these those of the most records, then by their order."""
    table = pyarrow.table(
        {"who": [1, 1, 2, 3, 3, 3, 2, 1], "shop": ["a", "b", "b", "c", "c", None, "d", "b"]}
    )

    def told(person: str | None, rule: Any) -> list[tuple[str | None, int, int]]:
        listed = looking.telling_values(engine, Question(("shop",), person, rule))
        assert {each.column for each in listed} == {"shop"}
        return [(each.value, each.records, each.people) for each in listed]

    with home.open(table) as engine:
        assert told("who", "value") == [("c", 2, 1), ("a", 1, 1), ("d", 1, 1), (None, 1, 1), ("b", 3, 2)]
        assert told("who", "drop") == [("c", 2, 1), ("a", 1, 1), ("d", 1, 1), ("b", 3, 2)]
        assert told(None, "value") == [("a", 1, 1), ("d", 1, 1), (None, 1, 1), ("c", 2, 2), ("b", 3, 3)]


def test_a_database_is_investigated_too(postgres_address: str) -> None:
    table = pyarrow.table({"who": [1, 1, 2, 3], "x": ["a", "b", "b", "c"], "y": ["5", "50", "500", "7"]})
    wanted = investigate(table, user="who", show_values=True)
    found = investigate(load_into_postgres(postgres_address, table), user="who", show_values=True)
    assert (found.remedies, found.telling) == (wanted.remedies, wanted.telling)
    for part in ("pairs", "sets", "points", "domains", "prediction"):
        assert getattr(found, part) is not None


def test_at_most_ten_values_of_three_columns() -> None:
    sizes = {"a": 40, "b": 20, "c": 5, "d": 2}
    table = pyarrow.table({name: [i % size for i in range(40)] for name, size in sizes.items()})
    found = investigate(table, show_values=True)
    assert [each.column for each in found.telling] == ["a"] * 10 + ["b"] * 10 + ["c"] * 5


def test_without_a_user() -> None:
    found = investigate(pyarrow.table({"sex": ["f", "m", "m"], "age": [30, 40, 50]}))
    assert (found.points, found.domains) == (None, None)
    assert found.remarks == (looking.NO_USER,)
    assert found.sets
    assert found.remedies
    assert found.remedies.trials[0].people_alone is None


def test_one_column() -> None:
    found = investigate(pyarrow.table({"who": [1, 2, 3], "age": [30, 40, 50]}), user="who")
    assert (found.pairs, found.remarks) == (None, (looking.ONE_COLUMN,))
    assert found.sets
    assert found.points
    assert found.domains
    assert found.prediction


def test_missing_values_that_match_everything() -> None:
    table = pyarrow.table({"who": [1, 2, 3], "age": [30, 40, None], "sex": ["f", None, "m"]})
    found = investigate(table, user="who", missing="wildcard", show_values=True)
    assert found == Investigation(found.assessment, telling=found.telling, remarks=(looking.ALL_IN_ONE,))
    assert len(found.telling) == 6


@pytest.mark.parametrize(
    "table",
    [
        {"who": [1], "x": ["a"], "y": ["2024-01-01"]},
        {"who": [1, 1, 1], "x": ["a", "b", "c"], "y": ["1", "2", "3"]},
        {"who": [1, 2], "x": pyarrow.nulls(2), "y": pyarrow.nulls(2, pyarrow.string())},
        {"who": [None, None, "q"], "x": [None, "", " "], "y": [math.nan, -0.0, 1e300]},
        {"who": [1, 2], "x": [b"a", b"b"], "y": [True, None]},
        {"who": [1, 2, 3], "x": [10**17, 10**17 + 1, 10**17 + 2], "y": ["9" * 50, "1e99", "-1e99"]},
        {"who": [1, 2, 3], "<script>": ["a", "b", "c"], 'a.b,"[x]" ' + "漢" * 99: ["2024-01-01"] * 3},
    ],
)
@pytest.mark.parametrize("rule", ["value", "drop", "wildcard"])
def test_odd_tables(table: dict[str, Any], rule: Any, tmp_path: Path) -> None:
    data = pyarrow.table(table)
    found = investigate(data, user="who", missing=rule, show_values=True, limit=0)
    assert found.assessment.people >= 1
    for each in found.remedies.trials if found.remedies else ():
        apply(data, recipe_of(tomllib.loads(each.recipe)), user="who", out=tmp_path / "out.parquet")
        left = [name for name in table if name != "who" and (each.granularity or name != each.column)]
        again = assess(tmp_path / "out.parquet", user="who", columns=left, missing=rule)
        assert counted(each) == exposure(again)


def test_nothing_is_left_where_all_is_missing() -> None:
    table = pyarrow.table({"who": [1, 2], "x": pyarrow.array([None, None], pyarrow.string())})
    found = investigate(table, user="who", missing="drop")
    assert found == Investigation(found.assessment, remarks=(looking.NO_VALUES,))


def test_a_part_that_can_not_be_done_is_a_remark() -> None:
    table = pyarrow.table({"who": [1, 2], "x": ["a", None], "y": [None, "b"]})
    found = investigate(table, user="who", missing="drop")
    assert (found.pairs, found.sets, found.prediction) == (None, None, None)
    assert found.domains
    said = [each for each in found.remarks if each.startswith("sets of columns: not looked at: ")]
    assert len(said) == 1
    assert "no record has a value in every column" in said[0]


def test_what_would_take_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pyarrow.table({"who": [1, 2, 3, 3], **{f"c{i}": [*range(i, i + 3), i] for i in range(9)}})
    monkeypatch.setattr(looking, "MOST_COUNTED", 4 * 8)
    found = investigate(table, user="who")
    assert found.pairs
    assert found.sets
    assert (len(found.pairs.columns), len(found.sets.columns)) == (4, 3)
    assert (
        "sets of columns: only the 3 riskiest of 9 columns are looked at, for more would take too long"
        in (found.remarks)
    )
    monkeypatch.setattr(looking, "MOST_COUNTED", 1)
    monkeypatch.setattr(looking, "MOST_RECORDS", 3)
    found = investigate(table, user="who", show_values=True)
    assert found == Investigation(
        found.assessment, remedies=found.remedies, ways=found.ways, remarks=found.remarks
    )
    # one of them tells of the short search
    assert len(found.remarks) == 7


def test_costs_and_domains_of_a_study(tmp_path: Path, shop: pyarrow.Table) -> None:
    study = Study(
        {"customer": "user", "receipt": "ignore"},
        costs=costs_of({"date": {"month": 1, "exact": 3}, "goods": 2}),
        renamed={"goods": "article"},
    )
    domains: list[Domain | str] = ["when=date", Domain("what", ("goods",))]
    found = investigate(shop, study=study, domains=domains, allow=2)
    assert found.assessment.user == "customer"
    assert found.sets
    assert found.sets.priced
    assert found.sets.allowable
    assert found.sets.allowable.criterion.allow == 2
    costs = {name: int(cost) for name, cost in found.sets.priced.costs}
    assert costs == {"date at month": 1, "date": 3, "goods": 2, "time": 1, "price": 1, "number": 1}
    assert found.points
    assert found.domains
    assert [each.domain.name for each in found.domains.domains] == ["when", "what"]
    file = tmp_path / "costs.csv"
    file.write_text("attribute,cost\ngoods,5\n")
    given_file = investigate(shop, study=study, columns=["goods", "number"], costs=file)
    assert given_file.sets
    assert given_file.sets.priced
    assert dict(given_file.sets.priced.costs) == {"goods": 5, "number": 1}


def test_files_and_streams_are_asked_several_times(tmp_path: Path) -> None:
    table = pyarrow.table({"who": ["1", "1", "2"], "x": ["a", "b", "b"], "y": ["5", "50", "500"]})
    pyarrow.csv.write_csv(table, tmp_path / "t.csv")
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    wanted = investigate(table, user="who").remedies
    stream = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches())
    for data in (stream, tmp_path / "t.csv", tmp_path / "t.parquet"):
        found = investigate(data, user="who")
        assert found.remedies == wanted
        assert found.points


def test_mistakes_of_the_question_are_errors() -> None:
    table = pyarrow.table({"who": [1, 2], "x": ["a", "b"]})
    with pytest.raises(UsageError, match="there is no column 'y'"):
        investigate(table, user="who", columns=["y"])
    with pytest.raises(UsageError, match="there is no column 'z'"):
        investigate(table, user="who", domains=["d=z"])
    with pytest.raises(InputError, match="the table has no column 'z'"):
        investigate(table, user="who", costs={"z": 1})
    with pytest.raises(UsageError, match=r"limit: 2 is no risk; .*; allow: 0 is no class size"):
        investigate(table, user="who", limit=2, allow=0)
    odd: Any
    for odd in ("d=x", 5, [5], {"d": 1}):
        with pytest.raises(UsageError, match=r"domains: .* is (no list of domains|one domain)"):
            investigate(table, user="who", domains=odd)
    for odd in ("much", None, True, math.nan):
        with pytest.raises(UsageError, match=r"limit: .* is no risk; write a number from 0 to 1"):
            investigate(table, user="who", limit=odd)
    with pytest.raises(UsageError, match="costs: 7 are none"):
        investigate(table, user="who", costs=odd_costs())


def odd_costs() -> Any:
    return 7


def test_everything_can_be_told_in_json(shop: pyarrow.Table) -> None:
    """Each part as its own job tells it; what each of their numbers means stands there once."""
    found = investigate(shop, user="customer", columns=["date", "goods"], show_values=True)
    told = found.to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    parts = ("points", "domains", "prediction", "sets", "pairs", "assessment")
    definitions: dict[str, Any] = {}
    for part in parts:
        whole = getattr(found, part).to_dict()
        definitions |= whole.pop("definitions")
        assert told[part] == whole
    assert told["definitions"] == definitions
    assert found.remedies is not None
    assert [each["words"] for each in told["remedies"]["trials"]] == [
        each.words for each in found.remedies.trials
    ]
    assert [each["value"] for each in told["telling"]] == [each.value for each in found.telling] != []
    assert set(told) == {*vars(found), "definitions"}


def test_what_was_left_out_is_none_in_json(shop: pyarrow.Table) -> None:
    told = Investigation(assess(shop, user="customer", columns=["goods"]), remarks=("too large",)).to_dict()
    assert told["sets"] is told["remedies"] is None
    assert (told["telling"], told["others"], told["remarks"]) == ([], [], ["too large"])


def test_same_seed_same_answer(shop: pyarrow.Table) -> None:
    one, other = (investigate(shop, user="customer", columns=["date", "goods"], seed=3) for _ in range(2))
    assert one.remedies == other.remedies
    for part in ("points", "domains", "prediction", "sets", "pairs", "assessment"):
        assert getattr(one, part).to_dict() == getattr(other, part).to_dict()


@pytest.mark.parametrize(("many_records", "many_people", "draws"), [(30, 9, 10), (20, 9, 3), (20, 7, 1)])
def test_the_more_people_the_fewer_draws(
    monkeypatch: pytest.MonkeyPatch, many_records: int, many_people: int, draws: int
) -> None:
    monkeypatch.setattr(looking, "FEW_DRAWS_FROM", many_records)
    monkeypatch.setattr(looking, "ONE_DRAW_FROM", many_people)
    who, what = [i % 7 for i in range(21)], [i * i % 11 for i in range(21)]
    asked: list[int] = []

    def counted(*tables: Any, draws: int, **more: Any) -> Reidentification:
        asked.append(draws)
        return attack(*tables, draws=draws, **more)

    monkeypatch.setattr(looking, "attack", counted)
    assert investigate(pyarrow.table({"who": who, "what": what}), user="who").points
    assert asked == [draws]


def test_a_notebook_shows_what_was_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "MOST_RECORDS", 5)
    found = investigate(pyarrow.table({"who": [1, 1, 2, 2, 3, 3], "what": list("aabbcd")}), user="who")
    page = found._repr_html_()
    assert any(each.startswith("known records: not looked at") for each in found.remarks)
    assert all(page.count(f"<li>{escape(each)}</li>") == 1 for each in found.remarks)
