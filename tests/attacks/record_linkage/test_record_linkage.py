"""Linkage by the nearest records over mixed columns."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.attacks.record_linkage import record_votes
from singleout.attacks.record_linkage.record_distance import comparable_rows
from singleout.attacks.record_linkage.record_linkage import RecordLinkage
from singleout.attacks.record_linkage.record_votes import RecordVotes
from singleout.engine.codes.histories import Histories, History
from singleout.errors import UsageError
from singleout.progress import silent
from tests.by_hand.nearest_by_hand import Table, check, coded, tables

CELLS: dict[str, st.SearchStrategy[str | None]] = {
    "age": st.sampled_from(["20", "20.0", "27.5", "35", "50", None]),
    "when": st.sampled_from(["2011-01-31", "2011-02-01", "2011-02-03 12:00", None]),
    "job": st.sampled_from(["cook", "clerk", "20", None]),
}
COLUMNS = list(CELLS)
CODES = st.sampled_from([(), ("age",), ("age", "when", "job")])
WEIGHTS = st.sampled_from([None, {"age": 2.5}, {"when": 0, "job": 0.1}, {"age": 0, "when": 0, "job": 3}])


def number(name: str, text: str) -> Fraction:
    if name == "age":
        return Fraction(text)
    return Fraction(int((datetime.fromisoformat(text) - datetime(2000, 1, 1)).total_seconds()))


def numeric(name: str, filled: list[str | None]) -> bool:
    """The jobs are numbers too where all are '20'."""
    return bool(filled) and (name != "job" or set(filled) == {"20"})


def distance_by_hand(
    original: Table, release: Table, weights: Mapping[str, float] | None, codes: Sequence[str]
) -> Any:
    rows = [row for table in (original, release) for _, row in table.rows]
    filled = {name: [row[name] for row in rows if row[name] is not None] for name in COLUMNS}

    def apart(name: str, one: str | None, other: str | None) -> Fraction:
        if one is None or other is None or name in codes or not numeric(name, filled[name]):
            return Fraction(one != other)
        if name == "job":
            return Fraction(0)
        numbers = [number(name, text) for text in filled[name] if text is not None]
        span = max(numbers) - min(numbers)
        return abs(number(name, one) - number(name, other)) / span if span else Fraction(0)

    given = {name: Fraction(str((weights or {}).get(name, 1))) for name in COLUMNS}

    def distance(one: dict[str, str | None], other: dict[str, str | None]) -> Fraction:
        parts = [given[name] * apart(name, one[name], other[name]) for name in COLUMNS]
        return sum(parts, Fraction(0)) / sum(given.values())

    return distance


def single_score(distance: Any, one: list[Any], other: list[Any]) -> Fraction:
    if one and other:
        return -Fraction(distance(one[0], other[0]))
    return Fraction(-1 if one or other else 0)


def votes_by_hand(distance: Any, own: list[Any], original: Table) -> list[Fraction]:
    if not own:
        return [Fraction(not original.of(who)) for who in range(original.people)]
    votes = [Fraction(0)] * original.people
    for record in own:
        apart = [(distance(record, row), who) for who, row in original.rows]
        owners = {who for far, who in apart if far == min(apart)[0]}
        for who in owners:
            votes[who] += Fraction(1, len(owners) * len(own))
    return votes


@settings(max_examples=80)
@given(tables(CELLS, 1), tables(CELLS, 1), WEIGHTS, CODES, st.sampled_from([1, 3]))
def test_one_record_each_equals_the_definition(
    original: Table, release: Table, weights: Mapping[str, float] | None, codes: Sequence[str], threads: int
) -> None:
    linkage = RecordLinkage.of(coded(original, release, COLUMNS), COLUMNS, threads, weights, codes)
    assert isinstance(linkage, RecordLinkage)
    distance = distance_by_hand(original, release, weights, codes)
    scores = [
        [single_score(distance, release.of(one), original.of(other)) for other in range(original.people)]
        for one in range(release.people)
    ]
    check(linkage, scores, original.people)


@settings(max_examples=80)
@given(tables(CELLS, 3), tables(CELLS, 3), WEIGHTS, CODES, st.sampled_from([1, 3]), st.sampled_from([64, 1]))
def test_votes_equal_the_definition(
    original: Table,
    release: Table,
    weights: Mapping[str, float] | None,
    codes: Sequence[str],
    threads: int,
    listed: int,
) -> None:
    """Also where the nearest records of most are looked up again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(record_votes, "LISTED", listed)
        linkage = RecordLinkage.of(coded(original, release, COLUMNS), COLUMNS, threads, weights, codes)
    if isinstance(linkage, RecordVotes):
        distance = distance_by_hand(original, release, weights, codes)
        scores = [votes_by_hand(distance, release.of(one), original) for one in range(release.people)]
        check(linkage, scores, original.people)
        own = [Counter(tuple(row.values()) for row in release.of(who)) for who in range(release.people)]
        alike = linkage.indistinguishable().tolist()
        for one in range(release.people):
            for other in range(release.people):
                assert own[one] != own[other] or alike[one] == alike[other]
                assert alike[one] != alike[other] or own[one].total() == own[other].total()


def test_the_same_records_equally_often_look_alike() -> None:
    """Twice as often gets the same votes, and is still told apart by how often."""
    cook, clerk = ({"age": None, "when": None, "job": job} for job in ("cook", "clerk"))
    release = Table(
        6, ((0, cook), (1, cook), (1, cook), (2, cook), (2, clerk), (4, clerk), (5, cook), (4, cook))
    )
    linkage = RecordLinkage.of(coded(release, release, COLUMNS), COLUMNS)
    assert linkage.indistinguishable().tolist() == [0, 1, 2, 3, 2, 0]


def test_numbers_that_are_names_are_equally_far_apart() -> None:
    goods = ["1", "2", "100"]
    table = Table(3, tuple((who, {"goods": each}) for who, each in enumerate(goods)))
    both = coded(table, table, ["goods"])
    left, right = numpy.array([0, 0, 1, 2]), numpy.array([1, 2, 2, 2])
    assert RecordLinkage.of(both, ["goods"], codes=["goods"]).score(left, right).tolist() == [-1, -1, -1, 0]
    far = [-1 / 99, -1, -98 / 99, 0]
    assert RecordLinkage.of(both, ["goods"]).score(left, right).tolist() == pytest.approx(far)


def test_gower_by_hand() -> None:
    """Age 20, 30, 60 (range 40) and a category: the mean of 10/40 and 1 is 0.625."""
    rows = [("20", "a"), ("30", "b"), ("60", "b")]
    table = Table(
        3, tuple((who, {"age": age, "when": None, "job": job}) for who, (age, job) in enumerate(rows))
    )
    linkage = RecordLinkage.of(coded(table, table, COLUMNS), ["age", "job"])
    assert linkage.score(numpy.array([0, 0, 1]), numpy.array([1, 2, 2])).tolist() == [-0.625, -1.0, -0.375]


def test_distances_too_fine_for_exact_fractions_are_nearly_right() -> None:
    """Three ranges without a common divisor, of 16 digits each, and one that no whole number holds."""
    names = ["a", "b", "c", "d"]
    random = numpy.random.default_rng(3)
    numbers = random.integers(0, 10**16, (40, 3))
    rows = [
        {**{name: str(each) for name, each in zip("abc", row, strict=True)}, "d": f"{row[0]}e-30"}
        for row in numbers
    ]
    table = Table(40, tuple((who, dict(row)) for who, row in enumerate(rows)))
    linkage = RecordLinkage.of(coded(table, table, names), names)
    shares = numbers / (numbers.max(axis=0) - numbers.min(axis=0))
    weighted = abs(shares[:, None] - shares[None]) * [2, 1, 1]
    by_hand = weighted.sum(axis=2) / 4
    left, right = (each.reshape(-1) for each in numpy.indices((40, 40)))
    assert -linkage.score(left, right) == pytest.approx(by_hand.reshape(-1), abs=1e-11)
    best = linkage.best(3, silent)
    assert (best.person == numpy.argsort(by_hand, axis=1)[:, :3]).all()
    assert comparable_rows(coded(table, table, names), names)[2].step > 1


def test_all_faults_of_the_weights_at_once() -> None:
    both = coded(Table(0, ()), Table(0, ()), COLUMNS)
    with pytest.raises(UsageError) as caught:
        comparable_rows(both, ["age"], {"agee": 1, "age": -1, "job": float("nan")})
    assert str(caught.value) == (
        "'agee' is weighted but not compared: did you mean 'age'?; "
        "'job' is weighted but not compared: there are 'age'; "
        "the weight of 'age' is -1, it must be a number from 0 on; "
        "the weight of 'job' is nan, it must be a number from 0 on"
    )
    for columns, weights in (([], {}), (["age"], {"age": 0})):
        with pytest.raises(UsageError, match="no column is compared"):
            comparable_rows(both, columns, weights)


def test_a_column_of_missing_values_and_one_of_one_value_tell_nothing() -> None:
    rows = [("20", "x"), ("20.0", "y")]
    table = Table(
        2, tuple((who, {"age": age, "when": None, "job": job}) for who, (age, job) in enumerate(rows))
    )
    linkage = RecordLinkage.of(coded(table, table, COLUMNS), ["age", "when", "job"])
    assert linkage.score(numpy.array([0, 0]), numpy.array([0, 1])).tolist() == pytest.approx([0.0, -1 / 3])


def adult(folder: Path) -> Histories:
    with (folder / "adult.csv").open(encoding="utf-8") as handle:
        names, *rows = csv.reader(handle, delimiter=";")
    values = {
        name: tuple(sorted(set(column))) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }
    codes = {
        name: numpy.array([values[name].index(row[place]) for row in rows[:6000]], dtype=numpy.uint32)
        for place, name in enumerate(names)
    }
    random = numpy.random.default_rng(0)
    released = {name: column.copy() for name, column in codes.items()}
    for name in names[:4]:
        changed = random.random(6000) < 0.6
        released[name][changed] = random.permutation(codes[name])[changed]
    person = numpy.arange(6000, dtype=numpy.uint32)
    return Histories(History(6000, person, codes), History(6000, person, released), values)


def test_real_records(arx_adult: Path) -> None:
    """Against all distances to all records, in another way: codes compared, the age as it is."""
    both = adult(arx_adult)
    names = list(both.values)
    ages = numpy.array([int(text or 0) for text in both.values["age"]])
    best = [RecordLinkage.of(both, names, threads).best(10, silent) for threads in (1, 3)]
    assert all((one == other).all() for one, other in zip(*map(vars_of, best), strict=True))
    span = numpy.ptp(ages[numpy.concatenate([both.original.codes["age"], both.release.codes["age"]])])
    for person in range(0, 6000, 60):
        steps = numpy.zeros(6000, dtype=numpy.int64)
        for name in names:
            known, own = both.original.codes[name], both.release.codes[name][person]
            steps += abs(ages[known] - ages[own]) if name == "age" else span * (known != own)
        order = numpy.argsort(steps, kind="stable")[:10]
        assert best[0].person[person].tolist() == order.tolist()
        assert best[0].score[person].tolist() == pytest.approx((-steps[order] / (9 * span)).tolist())
        assert best[0].tied_last[person] == (steps == steps[order[-1]]).sum()


def vars_of(best: Any) -> tuple[Any, ...]:
    return best.person, best.score, best.tied_last


@pytest.mark.parametrize("high", ["1e308", "1.7976931348623157e308"])
def test_numbers_whose_difference_no_double_holds(high: str) -> None:
    """The same distances as among numbers of which the same shares of the span are apart."""
    found = []
    for most in (high, "1"):
        texts = (most, f"-{most}", "0", None)
        codes = numpy.arange(4, dtype=numpy.uint32)
        table = History(4, codes, {"pay": codes})
        rows, _, distance = comparable_rows(Histories(table, table, {"pay": texts}), ["pay"])
        found.append((rows[:, 0] / distance.costs[0]).tolist())
    assert found[0][:3] == found[1][:3] == [1.0, 0.0, 0.5]
    assert found[0][3] < 0
