"""Anon. n.d.: its published loops, its laws, and numbers that the specification and other tools print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations as choose
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from singleout import CsvFormat, assess, combinations, record_risks, sample
from tests.support.combination_tables import PETS, WIDE, close, read, wide_table
from tests.support.extracts import ARX_ADULT, PYCANON_ADULT, class_sizes, table_of_classes

ROWS = PETS.to_pylist()
ATTRIBUTES = tuple(PETS.column_names)
KNOWLEDGES = [each for size in range(4) for each in choose(ATTRIBUTES, size)]


def index_repeats(attributes: Sequence[str]) -> Counter[tuple[str, ...]]:
    """Algorithm 1, with tuples for keys (E-001.1)."""
    index: Counter[tuple[str, ...]] = Counter()
    for record in ROWS:
        index[key(record, attributes)] += 1
    return index


def key(record: dict[str, str], attributes: Sequence[str]) -> tuple[str, ...]:
    return tuple(record[name] for name in attributes)


def attack(attributes: Sequence[str]) -> list[float]:
    """Algorithm 3: Pr(re_id|K_p) of each record."""
    index = index_repeats(attributes)
    return [1 / index[key(record, attributes)] for record in ROWS]


def test_algorithms_1_to_3(tmp_path: Path) -> None:
    found = combinations(PETS, known=KNOWLEDGES).to_dict()["known"]
    for told, attributes in zip(found, KNOWLEDGES, strict=True):
        index, risks = index_repeats(attributes), attack(attributes)
        assert told["columns"] == list(attributes)
        assert (told["classes"], told["smallest_class"]) == (len(index), min(index.values()))
        assert told["curve"] == [
            {"risk": risk, "share": sum(other <= risk for other in risks) / len(ROWS)}
            for risk in sorted(set(risks))
        ]
        assert told["highest_risk"] == max(risks)
        assert told["average_risk"] == len(index) / len(ROWS) == close(sum(risks) / len(ROWS))
        if attributes:
            record_risks(PETS, tmp_path / "risks.csv", columns=attributes)
            assert [(line["record"], line["risk"]) for line in read(tmp_path / "risks.csv")] == list(
                enumerate(risks, 1)
            )


def test_keys_are_not_joined_texts() -> None:
    """Joined, 1 and 23 is 12 and 3 (E-001.1)."""
    (found,) = combinations(pyarrow.table({"a": ["1", "12"], "b": ["23", "3"]}), known=[["a", "b"]]).known
    assert found.classes.value == 2


def algorithm_4(start: tuple[str, ...], allow: int) -> set[frozenset[str]]:
    """While N < n another attribute is added; n is |D| at first, then the smallest class (E-001.3)."""
    emitted = set()
    for order in permutations([name for name in ATTRIBUTES if name not in start]):
        known, rest = list(start), list(order)
        n = min(index_repeats(known).values())
        while allow < n and rest:
            known.append(rest.pop(0))
            n = min(index_repeats(known).values())
        if n <= allow:
            emitted.add(frozenset(known))
    return emitted


@pytest.mark.parametrize("allow", range(1, 9))
def test_algorithm_4(allow: int) -> None:
    """From the empty set it emits all minimal sets, from others only sets that hold one."""
    told = combinations(PETS, allow=allow).to_dict()["minimal"]
    minimal = {frozenset(each["columns"]) for each in told}
    emitted = algorithm_4((), allow)
    assert minimal == {each for each in emitted if not any(part < each for part in emitted)}
    for start in KNOWLEDGES:
        for each in algorithm_4(start, allow):
            assert each >= set(start)
            assert any(part <= each for part in minimal)
    for each in told:
        assert each["highest_risk"] == max(attack(each["columns"]))


@pytest.mark.parametrize("x", [1, 2, 3])
@pytest.mark.parametrize("y", [1, 1.5, 2])
def test_algorithm_5(tmp_path: Path, x: int, y: float) -> None:
    """x attributes are drawn (not z), and z is of each record (E-001.2)."""
    emitted = []
    for attributes in choose(ATTRIBUTES, x):
        parts = [attack([name]) for name in attributes]
        for p, risk in enumerate(attack(attributes)):
            z = min(risk / part[p] for part in parts)
            if z > y:
                emitted.append((",".join(attributes), p + 1, risk, close(z)))
    found = combinations(PETS, size=x, synergy=y, records=tmp_path / "behind.parquet").to_dict()
    listed = read(tmp_path / "behind.parquet")
    told = [(each["columns"], each["record"], each["risk"], each["synergy"]) for each in listed]
    assert sorted(told) == sorted(emitted, key=lambda each: each[:2])
    assert {",".join(each["columns"]) for each in found["combinations"]} == {each[0] for each in emitted}


@pytest.mark.parametrize("resource", [0, 1, 2, 2.5, 3, 4.5, 9])
def test_algorithm_6(resource: float) -> None:
    """Another attribute is added while the set with it costs no more than the resource (E-001.4)."""
    costs = {"animal": 1, "colour": 1.5, "number": 2}
    emitted = {frozenset[str]()}
    for order in permutations(ATTRIBUTES):
        known: list[str] = []
        for name in order:
            if sum(costs[each] for each in (*known, name)) > resource:
                break
            known.append(name)
            emitted.add(frozenset(known))
    told = combinations(PETS, costs=costs, resource=resource).to_dict()["affordable"]
    assert {frozenset(each["columns"]) for each in told} == emitted
    assert len(told) == len(emitted)
    for each in told:
        risks = attack(each["columns"])
        assert (each["highest_risk"], each["average_risk"]) == (max(risks), close(sum(risks) / len(risks)))


def test_another_attribute_never_makes_a_set_safer(tmp_path: Path) -> None:
    combinations(wide_table(), user="who", all=True, allow=3, out=tmp_path / "all.csv")
    lines = {frozenset(line["columns"].split(",")): line for line in read(tmp_path / "all.csv")}
    rising = [
        "classes",
        "unique",
        "records_at_risk",
        "people_at_risk",
        "highest_risk",
        "average_risk",
        "entropy",
    ]
    steps = [(less, more) for less in lines for more in lines if less < more and len(more) == len(less) + 1]
    assert len(steps) == WIDE * 2 ** (WIDE - 1) - WIDE
    for less, more in steps:
        assert lines[less]["smallest_class"] >= lines[more]["smallest_class"]
        for name in rising:
            assert lines[less][name] <= lines[more][name] + 1e-12


def test_the_more_is_asked_the_more_is_found() -> None:
    """A larger N finds smaller sets, a larger resource more of them, a higher share costs more."""
    table = wide_table()
    found = [combinations(table, user="who", allow=allow).allowable for allow in (1, 2, 5, 20)]
    for strict, loose in pairwise(found):
        assert strict
        assert loose
        parts = [set(each.columns) for each in loose.minimal]
        assert all(any(part <= set(each.columns) for part in parts) for each in strict.minimal)
    costs = {f"c{place}": place + 1 for place in range(WIDE)}
    cheap, dear = (combinations(table, user="who", costs=costs, resource=each).priced for each in (5, 9))
    assert cheap
    assert dear
    assert {each.risk for each in cheap.affordable} < {each.risk for each in dear.affordable}
    assert cheap.curve == tuple(point for point in dear.curve if point.resource <= 5)
    prices = [
        combinations(table, user="who", costs=costs, identify=share).cheapest for share in (0.1, 0.5, 0.9)
    ]
    paid = [each.cost for each in prices if each and each.cost is not None]
    assert len(paid) == 3
    assert paid == sorted(paid)


def test_adult_without_weight_and_income(real_data: Path) -> None:
    """Thirteen attributes, N = 1: 48 of 8,191, says the specification (Anon. n.d., complexity)."""
    quasi = [f"column{place}" for place in range(1, 16) if place not in (3, 15)]
    found = combinations(real_data / "adult" / "adult.data", columns=quasi, allow=1).allowable
    assert found
    assert (found.evaluated, found.subsets, found.not_looked_at) == (48, 8191, ())


def test_pycanon_adult(real_data: Path, golden: dict[str, Any], tmp_path: Path) -> None:
    check_pycanon_adult(real_data / "adult" / "adult.data", golden["pycanon_adult"], tmp_path)


def test_a_table_with_the_classes_of_pycanon_adult(golden: dict[str, Any], tmp_path: Path) -> None:
    want = golden["pycanon_adult"]
    check_pycanon_adult(
        table_of_classes(class_sizes("adult", PYCANON_ADULT), want["columns"]), want, tmp_path
    )


def check_pycanon_adult(table: Any, want: dict[str, Any], folder: Path) -> None:
    columns, out = want["columns"], folder / "all.parquet"
    found = combinations(table, columns=columns, known=[columns], all=True, out=out).to_dict()
    numbers = {"classes": want["classes"], "unique": want["unique"], "smallest_class": want["k"]}
    (known,), last = found["known"], read(out)[-1]
    assert len(read(out)) == 63
    for told in (known, last):
        assert {name: told[name] for name in numbers} == numbers


def test_arx_adult(real_data: Path, golden: dict[str, Any], tmp_path: Path) -> None:
    path = real_data / "arx_adult" / "adult.csv"
    assert path.read_text().splitlines()[0].split(";") == ARX_ADULT.split()
    check_arx_adult(path, golden["arx_adult"], tmp_path, csv=CsvFormat(delimiter=";"))


def test_a_table_with_the_classes_of_arx_adult(golden: dict[str, Any], tmp_path: Path) -> None:
    table = table_of_classes(class_sizes("arx_adult", ARX_ADULT), ARX_ADULT.split())
    check_arx_adult(table, golden["arx_adult"], tmp_path)


def check_arx_adult(table: Any, want: dict[str, Any], folder: Path, **words: Any) -> None:
    out = folder / "all.csv"
    found = combinations(table, known=[ARX_ADULT.split()], all=True, out=out, **words).to_dict()
    (known,), last = found["known"], read(out)[-1]
    assert len(read(out)) == 511
    for told in (known, last):
        assert (told["classes"], told["unique"]) == (want["classes"], want["unique"])
        assert told["average_risk"] == close(want["average_risk"])
    shares = [0.0, *(point["share"] for point in known["curve"])]
    classes = {
        round(1 / point["risk"]): (point["share"] - below) * found["records"] * point["risk"]
        for point, below in zip(known["curve"], shares, strict=False)
    }
    assert [round(classes[size], 6) for size in range(1, 7)] == want["sizes"]
    assert max(classes) == want["largest"]


def test_a_history_is_judged_as_assess_does() -> None:
    """Ito et al. 2019 calls it the risk of a tuple of attributes, Definition 5."""
    shop = sample("shop")
    for columns in (("price", "number"), ("date", "time", "number")):
        counting = {"user": "customer", "columns": columns}
        found = combinations(shop, **counting, known=[columns], resource=9, maximal=True)  # type: ignore[arg-type]
        (known,), priced = found.known, found.priced
        assert priced
        (whole,) = priced.affordable
        assessed = assess(shop, **counting, together=[columns]).to_dict()  # type: ignore[arg-type]
        (together,) = (each for each in assessed["attributes"] if tuple(each["columns"]) == columns)
        people = assessed["classes"]["people"]
        assert known.by_people
        for told in (known.by_people.average_risk.value, whole.risk.average_risk, together["risk"]):
            assert told == close(people["average_risk"])
        assert (whole.risk.smallest_class, whole.risk.records_at_risk) == (people["k"], people["unique"])
        assert whole.risk.people_at_risk == assessed["classes"]["people_alone"]
