"""`combinations` against every set counted by hand, and against the published loops of Anon. n.d."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import combinations
from singleout.engine.missing_values import Missing
from singleout.errors import InputError, UsageError
from singleout.risk.combinations.allowable_risk import Criterion
from singleout.risk.combinations.survey import quoted_name
from tests.by_hand.attribute_sets_by_hand import Toy, by_definition, criteria, holds, places_of
from tests.support.combination_tables import PETS, WIDE, close, read, wide_table
from tests.support.home import Home

CELLS: dict[str, Any] = {
    "who": st.sampled_from("aabbcd"),
    "age": st.integers(1, 3),
    "sex": st.sampled_from("fm"),
    'town, "or" city': st.sampled_from(["x", "X", "", "é"]),
    "day": st.sampled_from(["2024-01-01", "2024-01-02", "2024-02-01"]),
}
SCHEMA = pyarrow.schema({name: pyarrow.int64() if name == "age" else pyarrow.string() for name in CELLS})
NAMES = tuple(CELLS)[1:]
RULES: tuple[Missing, ...] = ("value", "drop")
AMOUNTS = [Fraction(0), Fraction(1, 10), Fraction(1, 5), Fraction(1), Fraction(5, 2)]
HEADINGS = [
    "columns", "size", "classes", "smallest_class", "unique", "records_at_risk", "people_at_risk",
    "highest_risk", "average_risk", "entropy",
]  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A small table with a question, and the records that count."""

    table: pyarrow.Table
    user: str | None
    missing: Missing
    columns: tuple[str, ...] = NAMES

    def ask(self, data: Any = None, **asked: Any) -> dict[str, Any]:
        data = self.table if data is None else data
        return combinations(
            data, user=self.user, columns=self.columns, missing=self.missing, **asked
        ).to_dict()

    @cached_property
    def places(self) -> list[int]:
        """The records with a value everywhere, or all."""
        asked = [*self.columns, *([self.user] if self.user else [])]
        rows = self.table.to_pylist()
        complete = [all(row[name] is not None for name in asked) for row in rows]
        return [place for place, kept in enumerate(complete) if kept or self.missing == "value"]

    @cached_property
    def toy(self) -> Toy:
        return self._toy(self.columns)

    @cached_property
    def shortened(self) -> Toy:
        """With the month beside the day."""
        months = [None if day is None else day[:7] for day in self.table["day"].to_pylist()]
        table = self.table.append_column("day at month", pyarrow.array(months, pyarrow.string()))
        names = (*self.columns[:-1], "day at month", "day")
        return Case(table, self.user, self.missing, self.columns)._toy(names)

    def _toy(self, columns: Iterable[str]) -> Toy:
        kept = self.table.take(pyarrow.array(self.places, pyarrow.int64()))
        rows = tuple(zip(*(kept[name].to_pylist() for name in columns), strict=True))
        return Toy(rows, tuple(kept[self.user].to_pylist()) if self.user else None)


@st.composite
def cases(draw: st.DrawFn, columns: tuple[str, ...] = NAMES) -> Case:
    """The first record has all its values, so that some record always counts."""
    missing: Missing = draw(st.sampled_from(RULES))
    cells = {name: CELLS[name] for name in ("who", *columns)}
    odd = st.tuples(*(st.one_of(st.none(), cell, cell, cell, cell) for cell in cells.values()))
    rows = [draw(st.tuples(*cells.values())), *draw(st.lists(odd, max_size=9))]
    schema = pyarrow.schema([SCHEMA.field(name) for name in cells])
    table = pyarrow.table(dict(zip(cells, map(list, zip(*rows, strict=True)), strict=True)), schema=schema)
    return Case(table, draw(st.sampled_from([None, "who"])), missing, columns)


def names_in(mask: int, names: Sequence[str] = NAMES) -> list[str]:
    return [names[place] for place in places_of(mask)]


def by_size(masks: Iterable[int]) -> list[int]:
    return sorted(masks, key=lambda mask: (mask.bit_count(), mask))


def risk_of(toy: Toy, mask: int, limit: int) -> dict[str, Any]:
    sizes = toy.sizes(mask)
    return {
        "smallest_class": min(sizes),
        "records_at_risk": sum(size <= limit for size in sizes),
        "people_at_risk": toy.people_at_risk(mask, limit),
        "highest_risk": 1 / min(sizes),
        "average_risk": close(toy.average_risk(mask)),
    }


# Allowable risk: Algorithm 4


@settings(max_examples=35)
@given(cases(), criteria(), st.sampled_from([None, None, 1, 2, 3, 4, 9]))
def test_the_smallest_too_risky_and_the_largest_safe_sets(
    case: Case, criterion: Criterion, largest: int | None
) -> None:
    found = ask_allowable(case, None, criterion, largest)
    check_allowable(case, found, criterion, largest)


def ask_allowable(
    case: Case, data: Any, criterion: Criterion, largest: int | None, **more: Any
) -> dict[str, Any]:
    asked = {"allow": criterion.allow, "criterion": criterion.kind, "strict": criterion.strict}
    return case.ask(data, **asked, share=float(criterion.share), largest=largest, **more)


def check_allowable(case: Case, found: dict[str, Any], criterion: Criterion, largest: int | None) -> None:
    toy, most = case.toy, largest or case.toy.width
    risky = {mask: by_definition(toy, mask, criterion) for mask in range(2**toy.width)}
    looked = [mask for mask in risky if mask.bit_count() <= most]

    def part_is_risky(mask: int) -> bool:
        return any(risky[part] for part in risky if holds(mask, part) and part != mask)

    minimal = [mask for mask in looked if risky[mask] and not part_is_risky(mask)]
    safe = [mask for mask in looked if not risky[mask]]
    largest_safe = [mask for mask in safe if not any(holds(more, mask) and more != mask for more in safe)]
    for name, masks in (("minimal", minimal), ("safe", largest_safe)):
        assert {tuple(each["columns"]): each for each in found[name]} == {
            tuple(names): {"columns": names, **risk_of(toy, mask, criterion.limit)}
            for mask, names in ((mask, names_in(mask, case.columns)) for mask in masks)
        }
    riskiest_first = [(len(each["columns"]), -each["people_at_risk"]) for each in found["minimal"]]
    safest_first = [(-len(each["columns"]), -each["smallest_class"]) for each in found["safe"]]
    assert (riskiest_first, safest_first) == (sorted(riskiest_first), sorted(safest_first))
    assert found["evaluated"] == sum(1 for mask in looked if mask and not part_is_risky(mask))
    assert found["subsets"] == 2**toy.width - 1
    undecided = sum(
        1 for mask in risky if mask not in looked and not any(holds(mask, low) for low in minimal)
    )
    told = sum(each["sets"] for each in found["not_looked_at"])
    assert told >= undecided
    assert bool(told) == bool(undecided)
    assert found["allow"] == criterion.allow


def test_counted_in_people_or_in_records() -> None:
    case = Case(pyarrow.table({"who": ["a", "a", "b"], "age": [1, 1, 2]}), "who", "value", ("age",))
    assert case.ask(allow=1)["minimal"] == [
        {
            "columns": ["age"], "smallest_class": 1, "records_at_risk": 3, "people_at_risk": 2,
            "highest_risk": 1.0, "average_risk": 1.0,
        }
    ]  # fmt: skip
    (alone,) = Case(case.table, None, "value", ("age",)).ask(allow=1)["minimal"]
    assert (alone["records_at_risk"], alone["average_risk"]) == (1, close(2 / 3))


def test_what_is_counted_is_told() -> None:
    table = pyarrow.table({"who": ["a", None, "b", "a"], "age": [1, 1, None, 2]})
    counted = Case(table, "who", "value", ("age",)).ask(allow=1)
    assert (counted["records"], counted["people"]) == (4, 3)
    assert counted["remarks"] == ["1 records without a user count as one unknown person"]
    left = Case(table, "who", "drop", ("age",)).ask(allow=1)
    assert (left["records"], left["people"]) == (2, 1)
    assert left["remarks"] == [
        "1 records without a user are left out",
        "1 records with a missing value are left out of every set",
    ]


@pytest.mark.parametrize(
    "asked",
    [
        {"allow": 1}, {"size": 2}, {"resource": 1}, {"identify": 0.5}, {"known": [["a", "b"]]},
        {"record": [1]}, {"records": "list.csv"}, {"all": True, "out": "all.csv"},
    ],
)  # fmt: skip
def test_no_record_is_left(tmp_path: Path, asked: dict[str, Any]) -> None:
    table = pyarrow.table({"a": ["x", None], "b": [None, "y"]})
    placed = {
        name: tmp_path / value if name in ("records", "out") else value for name, value in asked.items()
    }
    with pytest.raises(InputError, match="no record has a value in"):
        combinations(table, missing="drop", **placed)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("asked", [{"allow": 1}, {"size": 2}, {"record": [1]}, {"known": [["animal"]]}])
def test_a_missing_value_that_matches_everything_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="the missing rule wildcard puts it in several; use value or drop"):
        combinations(PETS, missing="wildcard", **asked)


@pytest.mark.parametrize(
    "asked",
    [
        {"allow": 2}, {"size": 2}, {"resource": 2}, {"identify": 0.5}, {"known": [["animal"]]},
        {"record": [1, 3]},
    ],
)  # fmt: skip
def test_a_result_shows_itself(asked: dict[str, Any]) -> None:
    found = combinations(PETS, **asked)
    assert repr(found) == "<Combinations of Table: 8 records of 8 people, 3 columns>"
    assert found.table().rows
    assert "8 records of 8 people" in found.table()._repr_html_()
    assert found.table().to_arrow().num_rows == len(found.table().rows)


# Synergy: Algorithm 5


def synergy_by_hand(toy: Toy, mask: int) -> list[Fraction]:
    """z of each record: min over q of Pr(K_p) / Pr(attr_q)."""
    parts = [toy.sizes(1 << place) for place in places_of(mask)]
    return [
        min(Fraction(1, size) / Fraction(1, part[record]) for part in parts)
        for record, size in enumerate(toy.sizes(mask))
    ]


@settings(max_examples=20)
@given(case=cases(), size=st.integers(1, 4), least=st.sampled_from([1.0, 1.2, 1.5, 2.0, 3.0]))
def test_combinations_riskier_than_their_parts(tmp_path: Path, case: Case, size: int, least: float) -> None:
    listed = tmp_path / "behind.parquet"
    found = case.ask(size=size, synergy=least, records=listed)
    check_synergies(case, found, size, least)
    masks = [mask for mask in range(2**case.toy.width) if mask.bit_count() == size]
    assert pyarrow.parquet.read_table(listed).to_pylist() == [
        {
            "record": case.places[place] + 1,
            "columns": ",".join(map(quoted_name, names_in(mask))),
            "people": people,
            "risk": 1 / people,
            "synergy": float(z),
        }
        for mask in masks
        for place, (people, z) in enumerate(
            zip(case.toy.sizes(mask), synergy_by_hand(case.toy, mask), strict=True)
        )
        if z > Fraction(str(least))
    ]


def check_synergies(case: Case, found: dict[str, Any], size: int, least: float) -> None:
    wanted = {}
    for mask in range(2**case.toy.width):
        z = synergy_by_hand(case.toy, mask) if mask.bit_count() == size else []
        above = sum(each > Fraction(str(least)) for each in z)
        if above:
            wanted[tuple(names_in(mask, case.columns))] = {
                "highest_synergy": float(max(z)),
                "mean_synergy": close(sum(z) / len(z)),
                "share": above / len(z),
                "highest_risk": 1 / min(case.toy.sizes(mask)),
                "records_above": above,
            }
    told = {tuple(each["columns"]): {**each} for each in found["combinations"]}
    ranked = [(-each["highest_synergy"], -each["mean_synergy"], each["columns"]) for each in told.values()]
    assert ranked == sorted(ranked)
    for each in told.values():
        del each["columns"]
        assert each["mean_synergy"] >= 1 - 1e-12
    assert told == wanted
    assert (found["size"], found["synergy"]) == (size, least)
    assert found["looked_at"] == math.comb(case.toy.width, size)


def test_synergy_is_counted_in_people() -> None:
    """Two records each of four people: by both attributes a person is alone with the own two records."""
    table = pyarrow.table({"who": [*"aabbccdd"], "age": [1, 1, 1, 1, 2, 2, 2, 2], "sex": [*"ffmmffmm"]})
    (found,) = Case(table, "who", "value", ("age", "sex")).ask(size=2)["combinations"]
    assert (found["highest_synergy"], found["highest_risk"], found["records_above"]) == (2, 1, 8)
    (found,) = Case(table, None, "value", ("age", "sex")).ask(size=2)["combinations"]
    assert (found["highest_synergy"], found["highest_risk"]) == (2, 0.5)


def test_one_attribute_is_its_own_part() -> None:
    assert combinations(PETS, size=1).to_dict()["combinations"] == []


# Price: Algorithm 6


@dataclass(frozen=True)
class Shop:
    """What is for sale of a case: all but the day exactly, the day at its month too."""

    case: Case
    amounts: tuple[Fraction, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.case.columns[:-1], "day at month", "day")

    @property
    def costs(self) -> dict[str, Any]:
        *others, month, day = self.amounts
        return {**dict(zip(self.case.columns, others, strict=False)), "day": {"month": month, "": day}}

    @cached_property
    def choices(self) -> list[int]:
        """One way of knowing each attribute, or none; what is free is known, or something finer."""
        width = len(self.amounts)
        ways = []
        for places in [*([place] for place in range(width - 2)), [width - 2, width - 1]]:
            base = max((place for place in places if not self.amounts[place]), default=-1)
            finer = [1 << place for place in places if place > base]
            ways.append([0 if base < 0 else 1 << base, *finer])
        return sorted(sum(each) for each in product(*ways))

    @property
    def dearest(self) -> Fraction:
        return max(map(self.cost, self.choices))

    def cost(self, mask: int) -> Fraction:
        return sum((self.amounts[place] for place in places_of(mask)), Fraction(0))

    def tells_no_more(self, mask: int, other: int) -> bool:
        """The day tells its month."""
        month = 1 << len(self.amounts) - 2
        return holds(other | (month if other & month << 1 else 0), mask)

    def within(self, resource: Fraction) -> list[int]:
        return [mask for mask in self.choices if self.cost(mask) <= resource]

    def in_turn(self, mask: int) -> tuple[Fraction, int, int]:
        return self.cost(mask), mask.bit_count(), mask


@st.composite
def shops(draw: st.DrawFn, columns: tuple[str, ...] = NAMES) -> Shop:
    case = draw(cases(columns))
    amounts = draw(st.tuples(*[st.sampled_from(AMOUNTS)] * (len(columns) + 1)))
    return Shop(case, amounts)


@settings(max_examples=28)
@given(
    shops(), st.one_of(st.none(), st.integers(0, 45).map(lambda tenths: Fraction(tenths, 10))), st.booleans(),
    st.sampled_from([None, 1, 2]), st.sampled_from([0.01, 0.3, 0.5, 1]),
)  # fmt: skip
def test_what_a_resource_buys_and_what_is_enough(
    shop: Shop, resource: Fraction | None, maximal: bool, allow: int | None, share: float
) -> None:
    found = shop.case.ask(costs=shop.costs, resource=resource, maximal=maximal, allow=allow, identify=share)
    check_affordable(shop, found, resource, maximal, allow or 1)
    check_curve(shop, found, resource, allow or 1)
    check_cheapest(shop, found, allow or 1, share)


def check_affordable(
    shop: Shop, found: dict[str, Any], resource: Fraction | None, maximal: bool, allow: int
) -> None:
    toy, budget = shop.case.shortened, shop.dearest if resource is None else resource
    every = shop.within(budget)

    def can_grow(mask: int) -> bool:
        return any(shop.tells_no_more(mask, more) and more != mask for more in every)

    wanted = [mask for mask in every if not (maximal and can_grow(mask))]
    told = {tuple(each["columns"]): {**each} for each in found["affordable"]}
    ranked = [(-each["average_risk"], each["cost"]) for each in told.values()]
    assert ranked == sorted(ranked)
    assert told == {
        tuple(names_in(mask, shop.names)): {
            "columns": names_in(mask, shop.names), "cost": close(shop.cost(mask)), **risk_of(toy, mask, allow)
        }
        for mask in wanted
    }  # fmt: skip
    assert (found["resource"], found["maximal"]) == (close(budget), maximal)
    assert found["costs"] == {name: close(each) for name, each in zip(shop.names, shop.amounts, strict=True)}


def check_curve(shop: Shop, found: dict[str, Any], resource: Fraction | None, allow: int) -> None:
    toy, people = shop.case.shortened, len(set(shop.case.shortened.persons))
    every = sorted(shop.within(shop.dearest if resource is None else resource), key=shop.in_turn)
    wanted: list[tuple[Fraction, int, int]] = []
    for step in sorted({shop.cost(mask) for mask in every}):
        known = [mask for mask in every if shop.cost(mask) <= step]
        average = max(known, key=toy.average_risk)
        highest = min(known, key=lambda mask: min(toy.sizes(mask)))
        if not wanted or wanted[-1][1:] != (average, highest):
            wanted.append((step, average, highest))
    assert found["curve"] == [
        {
            "resource": close(step),
            "columns": names_in(average, shop.names),
            "average_risk": close(toy.average_risk(average)),
            "share_at_risk": close(toy.people_at_risk(average, allow) / people),
            "highest_columns": names_in(highest, shop.names),
            "highest_risk": 1 / min(toy.sizes(highest)),
        }
        for step, average, highest in wanted
    ]


def check_cheapest(shop: Shop, found: dict[str, Any], allow: int, share: float) -> None:
    toy, people = shop.case.shortened, len(set(shop.case.shortened.persons))
    at_risk = {mask: toy.people_at_risk(mask, allow) for mask in shop.choices}
    enough = [mask for mask in at_risk if Fraction(at_risk[mask], people) >= Fraction(str(share))]
    told = found["cheapest"]
    assert (told["people"], told["sets"]) == (people, len(at_risk))
    if not enough:
        assert (told["columns"], told["cost"], told["share"]) == (None, None, max(at_risk.values()) / people)
        assert told["reason"].startswith("all that is for sale puts ")
        return
    best = min(enough, key=lambda mask: (shop.cost(mask), -at_risk[mask], *shop.in_turn(mask)[1:]))
    assert (told["columns"], told["cost"]) == (names_in(best, shop.names), close(shop.cost(best)))
    assert (told["people_at_risk"], told["share"]) == (at_risk[best], at_risk[best] / people)
    assert told["reason"] is None


def test_without_costs_each_attribute_costs_1() -> None:
    found = combinations(PETS, resource=1).to_dict()
    assert found["costs"] == {"animal": 1, "colour": 1, "number": 1}
    assert sorted(map(tuple, (each["columns"] for each in found["affordable"]))) == [
        (), ("animal",), ("colour",), ("number",),
    ]  # fmt: skip
    assert (
        combinations(PETS, resource=3).to_dict()["curve"] == combinations(PETS, costs={}).to_dict()["curve"]
    )


def test_what_can_not_grow_is_listed_where_all_would_be_too_many() -> None:
    """30 attributes at 1 each: 2^30 sets, of which 30 leave one out."""
    table = pyarrow.table({f"c{place}": [0, place // 15] for place in range(30)})
    found = combinations(table, resource=29, maximal=True)
    assert found.priced
    assert (len(found.priced.affordable), found.priced.curve) == (30, ())
    with pytest.raises(UsageError, match=r"over 1,048,576 sets are affordable, .* ask for the maximal ones"):
        combinations(table, resource=29)


# Attacks and records: Algorithms 2 and 3, minimal sample uniques


@settings(max_examples=20)
@given(cases(), st.integers(0, 15))
def test_an_attack_by_who_knows_some_attributes(case: Case, mask: int) -> None:
    sizes = case.toy.sizes(mask)
    assert case.ask(known=[names_in(mask)])["known"] == [
        {
            "columns": names_in(mask),
            "classes": len(case.toy.classes(mask)),
            "smallest_class": min(sizes),
            "unique": sizes.count(1),
            "highest_risk": 1 / min(sizes),
            "average_risk": close(case.toy.average_risk(mask)),
            "curve": [
                {"risk": 1 / size, "share": close(sum(each >= size for each in sizes) / len(sizes))}
                for size in sorted(set(sizes), reverse=True)
            ],
        }
    ]


@pytest.mark.parametrize("known", ["animal", ["animal", "colour"]])
def test_names_are_no_list_of_lists(known: Any) -> None:
    with pytest.raises(UsageError, match=r"known: .* are names; give a list of lists of names"):
        combinations(PETS, known=known)


def minimal_by_hand(toy: Toy, record: int, limit: int, most: int) -> list[int]:
    enough = [mask for mask in range(2**toy.width) if toy.sizes(mask)[record] <= limit]
    minimal = [mask for mask in enough if not any(holds(mask, part) and part != mask for part in enough)]
    return by_size(mask for mask in minimal if mask.bit_count() <= most)


def points(width: int, size: int, most: int) -> int:
    """(d − s)!, cut off where larger sets are not looked at."""
    return math.prod(width - each for each in range(size, min(most, width - 1) + 1))


@settings(max_examples=28)
@given(
    case=cases(), allow=st.sampled_from([None, 1, 2, 3]), strict=st.booleans(),
    largest=st.sampled_from([None, None, 1, 2, 3]), ending=st.sampled_from(["csv", "parquet"]),
)  # fmt: skip
def test_the_smallest_sets_that_single_a_record_out(
    tmp_path: Path, case: Case, allow: int | None, strict: bool, largest: int | None, ending: str
) -> None:
    strict = strict and (allow or 1) > 1
    limit = (allow or 1) - strict
    listed = tmp_path / f"records.{ending}"
    asked = {"allow": allow, "strict": strict, "largest": largest}
    numbers = [place + 1 for place in case.places]
    found = case.ask(record=numbers, records=listed, **asked)
    wanted = {
        number: minimal_by_hand(case.toy, place, limit, largest or case.toy.width)
        for place, number in enumerate(numbers)
    }
    check_records(case, found, wanted, limit, largest or case.toy.width)
    check_list(case, read(listed), wanted, limit, largest or case.toy.width)


def score(case: Case, masks: list[int], most: int) -> int:
    return sum(points(case.toy.width, mask.bit_count(), most) for mask in masks)


def check_records(
    case: Case, found: dict[str, Any], wanted: dict[int, list[int]], limit: int, most: int
) -> None:
    assert found["singled_out"] == [
        {
            "record": number,
            "minimal": [names_in(mask, case.columns) for mask in masks],
            "suda": score(case, masks, most) if limit == 1 else None,
        }
        for number, masks in wanted.items()
    ]
    assert ("contributions" in found) == (limit == 1)
    if limit == 1:
        assert found["contributions"] == contributions(case, wanted.values(), most)


def contributions(case: Case, sets: Iterable[list[int]], most: int) -> dict[str, Any]:
    masks = [mask for each in sets for mask in each]
    whole = score(case, masks, most)
    parts = {
        name: score(case, [mask for mask in masks if mask >> place & 1], most)
        for place, name in enumerate(case.columns)
    }
    return {name: close(part / whole) if whole else None for name, part in parts.items()}


def check_list(
    case: Case, lines: list[dict[str, Any]], wanted: dict[int, list[int]], limit: int, most: int
) -> None:
    assert [line["record"] for line in lines] == list(wanted)
    for line, masks in zip(lines, wanted.values(), strict=True):
        texts = [",".join(map(quoted_name, names_in(mask, case.columns))) for mask in masks]
        assert line["sets"] == " | ".join(texts)
        assert line["minimal_sets"] == len(masks)
        assert line["smallest_set"] == (masks[0].bit_count() if masks else None)
        if limit > 1:
            assert list(line) == ["record", "minimal_sets", "smallest_set", "sets"]
            continue
        assert line["suda"] == score(case, masks, most)
        assert (line["dis_suda"] > 0) == bool(masks)
        parts = contributions(case, [masks], most)
        assert {name: line[f"contribution of {name}"] for name in case.columns} == {
            name: 0 if each is None else each for name, each in parts.items()
        }


def test_a_record_that_is_left_out_is_none() -> None:
    table = pyarrow.table({"a": ["x", None, "y"]})
    with pytest.raises(UsageError, match="record 2: there is none with a value in every column; take one"):
        combinations(table, missing="drop", record=[2])
    (found,) = combinations(table, missing="drop", record=[3]).singled_out
    assert (found.minimal, found.suda) == ((("a",),), 1)


# Every set


def line_of(toy: Toy, mask: int, names: Sequence[str], limit: int) -> dict[str, Any]:
    classes, sizes = toy.classes(mask), toy.sizes(mask)
    shares = [len(each) / len(sizes) for each in classes.values()]
    return {
        "columns": ",".join(map(quoted_name, names_in(mask, names))),
        "size": mask.bit_count(),
        "classes": len(classes),
        "unique": sizes.count(1),
        "entropy": pytest.approx(-sum(share * math.log2(share) for share in shares), abs=1e-9),
        **risk_of(toy, mask, limit),
    }


def check_lines(path: Path, toy: Toy, masks: Iterable[int], names: Sequence[str], limit: int) -> None:
    lines = read(path)
    assert list(lines[0]) == HEADINGS
    assert lines == [line_of(toy, mask, names, limit) for mask in by_size(masks)]


ENDINGS = st.sampled_from(["csv", "parquet"])


@settings(max_examples=20)
@given(
    case=cases(), allow=st.sampled_from([None, 2]), largest=st.sampled_from([None, 1, 3, 7]), ending=ENDINGS
)
def test_every_set_in_a_file(
    tmp_path: Path, case: Case, allow: int | None, largest: int | None, ending: str
) -> None:
    out = tmp_path / f"all.{ending}"
    found = case.ask(all=True, out=out, allow=allow, largest=largest)["all"]
    masks = [mask for mask in range(1, 16) if mask.bit_count() <= (largest or 4)]
    check_lines(out, case.toy, masks, NAMES, allow or 1)
    assert (found["out"], found["resumed"], found["subsets"]) == (str(out), 0, 15)
    check_left_out(found, len(masks), f"they have more than {largest} columns")


def check_left_out(found: dict[str, Any], written: int, reason: str) -> None:
    left = found["subsets"] - written
    wanted = [{"sets": left, "reason": reason, "at_most": False}] if left else []
    assert (found["written"], found["not_looked_at"]) == (written, wanted)


@settings(max_examples=20)
@given(
    shop=shops(), resource=st.sampled_from([None, "0.5", "1", "2.5"]), largest=st.sampled_from([None, 2]),
    ending=ENDINGS,
)  # fmt: skip
def test_every_affordable_set_in_a_file(
    tmp_path: Path, shop: Shop, resource: str | None, largest: int | None, ending: str
) -> None:
    out = tmp_path / f"all.{ending}"
    out.unlink(missing_ok=True)
    within = shop.within(shop.dearest if resource is None else Fraction(resource))
    masks = [mask for mask in within if mask and mask.bit_count() <= (largest or 9)]
    asked = {"all": True, "out": out, "costs": shop.costs, "resource": resource, "largest": largest}
    if not masks:
        with pytest.raises(UsageError, match="there are no sets of columns to count"):
            shop.case.ask(**asked)
        assert not out.exists()
        return
    found = shop.case.ask(**asked)
    assert "affordable" not in found
    check_lines(out, shop.case.shortened, masks, shop.names, 1)
    assert found["all"]["subsets"] == sum(map(bool, shop.choices))
    size = [f"they have more than {largest} columns"] if largest else []
    price = [f"they cost more than {resource}"] if resource else []
    check_left_out(found["all"], len(masks), " or ".join(size + price))


@settings(max_examples=20)
@given(case=cases(), criterion=criteria(), largest=st.sampled_from([None, None, 1, 2]), ending=ENDINGS)
def test_no_set_above_those_that_are_too_risky(
    tmp_path: Path, case: Case, criterion: Criterion, largest: int | None, ending: str
) -> None:
    out = tmp_path / f"pruned.{ending}"
    out.unlink(missing_ok=True)
    risky = [mask for mask in range(16) if by_definition(case.toy, mask, criterion)]
    if 0 in risky:
        with pytest.raises(UsageError, match="prune: the empty set is too risky already"):
            ask_allowable(case, None, criterion, largest, all=True, prune=True, out=out)
        assert not out.exists()
        return
    found = ask_allowable(case, None, criterion, largest, all=True, prune=True, out=out)["all"]
    masks = [
        mask
        for mask in range(1, 16)
        if mask.bit_count() <= (largest or 4)
        and not any(holds(mask, part) and part != mask for part in risky)
    ]
    check_lines(out, case.toy, masks, NAMES, criterion.limit)
    assert (found["written"], found["subsets"]) == (len(masks), 15)
    left = sum(each["sets"] for each in found["not_looked_at"])
    assert left >= 15 - len(masks) if largest else left == 15 - len(masks)


# One answer everywhere


def comparable(found: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in found.items() if name not in ("source", "engine", "all")}


def numbered_alike(lines: list[dict[str, Any]]) -> list[str]:
    """In a database a record's number is only a number."""
    return sorted(repr({name: each for name, each in line.items() if name != "record"}) for line in lines)


VALUES: dict[str, list[Any]] = {
    "age": [1, 2, 2],
    "sex": ["f", "m", None],
    "day": ["2024-01-01", "2024-01-02", "2024-02-01", None],
}
QUESTIONS: list[tuple[str | None, Missing, Criterion]] = [
    ("who", "drop", Criterion("worst", 1)),
    (None, "value", Criterion("mean", 2)),
    ("who", "value", Criterion("share", 2, 0.5)),
    (None, "drop", Criterion("worst", 3, strict=True)),
]


def drawn_shop(seed: int, columns: tuple[str, ...]) -> tuple[Shop, Criterion]:
    """Fourteen records, of which some lack a value."""
    random = Random(seed)
    drawn = {name: random.choices(VALUES[name], k=14) for name in columns}
    who = random.choices(["a", "b", "c", "d", "e", None], k=14)
    schema = pyarrow.schema([SCHEMA.field(name) for name in ("who", *columns)])
    user, missing, criterion = QUESTIONS[seed]
    case = Case(pyarrow.table({"who": who, **drawn}, schema=schema), user, missing, columns)
    return Shop(case, tuple(random.choices(AMOUNTS, k=len(columns) + 1))), criterion


def test_every_engine_counts_as_by_hand(home: Home, tmp_path: Path) -> None:
    few = home.name == "spark"
    for seed in range(1 if few else len(QUESTIONS)):
        shop, criterion = drawn_shop(seed, ("sex", "day") if few else ("age", "sex", "day"))
        data = home.put(shop.case.table)
        check_answers(data, shop, criterion, tmp_path / f"{seed}.parquet")
        check_list_of(data, shop.case, tmp_path)
        if not few:
            found = shop.case.ask(data, costs=shop.costs, resource=3)
            check_affordable(shop, found, Fraction(3), False, 1)
            check_curve(shop, found, Fraction(3), 1)
            assert comparable(found) == comparable(shop.case.ask(costs=shop.costs, resource=3))


def check_answers(data: Any, shop: Shop, criterion: Criterion, out: Path) -> None:
    case, limit = shop.case, criterion.limit
    asked = {"size": 2, "costs": shop.costs, "identify": 0.5, "all": True, "out": out}
    found = ask_allowable(case, data, criterion, None, **asked)
    check_allowable(case, found, criterion, None)
    check_synergies(case, found, 2, 1.0)
    check_cheapest(shop, found, limit, 0.5)
    check_lines(out, case.shortened, filter(None, shop.choices), shop.names, limit)
    assert found["minimal"]
    assert comparable(found) == comparable(ask_allowable(case, None, criterion, None, **asked))


def check_list_of(data: Any, case: Case, folder: Path) -> None:
    there, here = folder / "there.parquet", folder / "here.parquet"
    case.ask(data, records=there)
    case.ask(records=here)
    assert numbered_alike(read(there)) == numbered_alike(read(here))
    assert len(read(here)) == len(case.places)


def ask_everything(table: pyarrow.Table, folder: Path, threads: int) -> tuple[Any, list[Any], list[Any]]:
    found = combinations(
        table, user="who", threads=threads, allow=2, size=3, synergy=2, costs={"c1": 2, "c2": 0}, resource=4,
        identify=0.9, known=[["c0", "c6"]], record=[1, 7], all=False,
    )  # fmt: skip
    combinations(
        table, user="who", threads=threads, all=True, out=folder / "all.csv", records=folder / "records.csv"
    )
    return comparable(found.to_dict()), read(folder / "all.csv"), read(folder / "records.csv")


def test_the_number_of_threads_changes_nothing(tmp_path: Path) -> None:
    one, two, three = (ask_everything(wide_table(), tmp_path, threads) for threads in (1, 2, 3))
    assert one == two == three
    assert len(one[1]) == 2**WIDE - 1
    assert len(one[0]["combinations"]) > 10


def test_the_order_of_records_changes_nothing(tmp_path: Path) -> None:
    table = wide_table()
    order = list(range(table.num_rows))
    Random(1).shuffle(order)
    before, after = (ask_everything(each, tmp_path, 2) for each in (table, table.take(order)))
    assert before[1] == after[1]
    assert numbered_alike(before[2]) == numbered_alike(after[2])
    for told in (before[0], after[0]):
        del told["singled_out"]
    assert before[0] == after[0]
