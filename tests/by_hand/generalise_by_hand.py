"""Tables to generalise, with levels, classes, losses and releases as they follow by hand."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import strategies as st

from singleout.deidentify.generalise.result import Generalisation
from singleout.utility.information_loss import LossName
from tests.by_hand import generalise_oracle as oracle
from tests.by_hand.attribute_disclosure_by_hand import LIMITS
from tests.by_hand.generalise_oracle import Records, Vector, Wish

TOWN, AGE, DAY, JOB = 'to"wn, É', "age", "日", "job"
SCHEMA = pyarrow.schema(
    {
        "who": pyarrow.int64(),
        TOWN: pyarrow.string(),
        AGE: pyarrow.int64(),
        DAY: pyarrow.date32(),
        JOB: pyarrow.string(),
        "illness": pyarrow.string(),
        "wage": pyarrow.decimal128(6, 2),
    }
)
TOWNS = {
    "Ulm": ("Ulm", "south", "*"),
    'Ho"f, é': ('Ho"f, é', "south", "*"),
    "Kiel": ("Kiel", "north's", "*"),
    "x\ny": ("x\ny", "north's", "*"),
    "山": ("山", "east", "*"),
    "nobody lives here": ("nobody lives here", "east", "*"),
}
HEIGHTS = {TOWN: 2, AGE: 3, DAY: 3, JOB: 1}
VALUES: dict[str, list[Any]] = {
    "who": [1, 2, 3, 4, 5, 6],
    TOWN: [*list(TOWNS)[:-1], None],
    AGE: [17, 18, 34, 35, 52, None],
    DAY: [date(2024, 1, 30), date(2024, 1, 31), date(2024, 5, 1), date(2025, 5, 1), None],
    JOB: ["cook", "nurse"],
    "illness": ["flu", "gout", "mumps", None],
    "wage": [Decimal("9.50"), Decimal("-10.00")],
}
INTERVALS = [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "interval", "width": 20}]
DATES = [{"type": "raw"}, {"type": "date", "to": "month"}, {"type": "date", "to": "year"}]
STAR = {"type": "suppress"}


def random_table(rows: int, seed: int) -> pyarrow.Table:
    """Missing values, Unicode and quotes, whole numbers, dates, decimals; half of the records come twice."""
    draw = Random(seed)
    listed = [{name: draw.choice(values) for name, values in VALUES.items()} for _ in range((rows + 1) // 2)]
    listed += [{**draw.choice(listed), "who": draw.choice(VALUES["who"])} for _ in range(rows // 2)]
    return pyarrow.Table.from_pylist(listed, schema=SCHEMA)


def tables() -> st.SearchStrategy[pyarrow.Table]:
    return st.builds(random_table, st.sampled_from([30, 20, 40, 12, 5, 1]), st.integers(0, 2**32))


# What the levels are, by hand


def label_by_hand(column: str, value: Any, level: int) -> str | None:
    """Of a value that is there, as text."""
    if not level:
        return str(value)
    if column == TOWN:
        return TOWNS[value][level]
    if level == HEIGHTS[column]:
        return "*"
    if column == AGE:
        start = value - value % (10 * level)
        return f"{start}-{start + 10 * level - 1}"
    return str(value)[:7] if level == 1 else str(value)[:4]


def labels_by_hand(column: str, values: list[Any], level: int) -> list[str | None]:
    """What is missing stays so, unless all others become one and the same."""
    filled = [label_by_hand(column, value, level) for value in values if value is not None]
    if not level:
        missing = None
    elif level == HEIGHTS[column] and column != TOWN:
        missing = "*"
    else:
        missing = filled[0] if len(set(filled)) == 1 else None
    return [missing if value is None else label_by_hand(column, value, level) for value in values]


def column_by_hand(column: str, values: list[Any]) -> oracle.Column:
    """The values that are there first, then those that the file knows besides."""
    present = list(dict.fromkeys(values))
    labels = [labels_by_hand(column, present, level) for level in range(HEIGHTS[column] + 1)]
    known = [labels_of for town, labels_of in TOWNS.items() if town not in present] if column == TOWN else []
    return oracle.Column(column, (*zip(*labels, strict=True), *known), len(present))


@dataclass(frozen=True)
class Asked:
    """A table and what is asked of it, with everything that follows by hand."""

    table: pyarrow.Table
    columns: tuple[str, ...]
    wish: Wish
    loss: LossName = "loss"
    weights: Mapping[str, float] | None = None
    user: str | None = None
    missing: Any = "value"
    sensitive: tuple[str, ...] = ()

    @property
    def words(self) -> dict[str, Any]:
        wish = self.wish
        return {
            "k": wish.k, "suppress": wish.suppress, "average_risk": wish.average_risk,
            "diverse": wish.diverse, "close": wish.close, "closeness": "ordered" if wish.ordered else "equal",
            **{name: getattr(wish, name) for name in (*LIMITS, "recursive_l")},
            "sensitive": self.sensitive, "loss": self.loss, "weights": self.weights, "user": self.user,
            "missing": self.missing, "columns": self.columns,
        }  # fmt: skip

    @property
    def guarded(self) -> tuple[str, ...]:
        """Sensitive columns that a goal is about."""
        return self.sensitive if self.wish.of_sensitive else ()

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The records that count."""
        needed = (*self.columns, *self.guarded, *([self.user] if self.user else []))
        found: list[dict[str, Any]] = self.table.to_pylist()
        if self.missing == "drop":
            found = [row for row in found if all(row[name] is not None for name in needed)]
        return found

    @cached_property
    def records(self) -> Records:
        by_column = {name: [row[name] for row in self.rows] for name in self.table.column_names}
        columns = tuple(column_by_hand(name, by_column[name]) for name in self.columns)
        codes = [coded(by_column[name], list(dict.fromkeys(by_column[name]))) for name in self.columns]
        ranks = [in_order(by_column[name]) for name in self.guarded]
        persons = in_order(by_column[self.user]) if self.user else None
        many = tuple(max(each) + 1 for each in ranks)
        return Records(columns, tuple(zip(*codes, strict=True)), persons, tuple(ranks), many)

    @cached_property
    def judged(self) -> dict[Vector, oracle.Judged]:
        return oracle.judge_all(self.records, self.wish, self.loss, self.weights or {})

    @property
    def best(self) -> list[oracle.Judged]:
        """Those that release something, the least lossy first."""
        return [each for each in oracle.best_of(self.judged) if each.classes] if self.rows else []

    @property
    def too_much(self) -> bool:
        """Whether no table of this size has so large or diverse a class."""
        people, wish = self.records.persons or range(len(self.rows)), self.wish
        recursive = wish.recursive_l if wish.recursive_c is not None else 0
        values = max(wish.diverse or 0, wish.entropy_l or 0, recursive)
        return wish.k > len(set(people)) or any(values > many for many in self.records.sensitive_values)

    def kept(self, vector: Vector) -> list[list[int]]:
        every = oracle.classes(self.records, vector)
        return [members for members in every if oracle.stays(self.records, self.wish, members)]


def coded(values: list[Any], among: list[Any]) -> tuple[int, ...]:
    return tuple(among.index(value) for value in values)


def in_order(values: list[Any]) -> tuple[int, ...]:
    """Ranks, a missing value last."""
    filled = sorted({value for value in values if value is not None})
    return coded(values, [*filled, None])


@st.composite
def wishes(draw: st.DrawFn) -> Wish:
    wish = Wish(draw(st.sampled_from([2, 3, 4, 1, 5, 7])), draw(st.sampled_from([0.0, 0.1, 0.29, 0.5])))
    goals = draw(st.sets(st.sampled_from(["average_risk", "diverse", "close", "others"]), max_size=2))
    if "average_risk" in goals:
        wish = replace(wish, average_risk=draw(st.sampled_from([0.1, 0.25, 0.4, 1.0])))
    if "diverse" in goals:
        wish = replace(wish, diverse=draw(st.sampled_from([1, 2])))
    if "close" in goals:
        close = draw(st.sampled_from([0.0, 0.1, 0.25, 0.4, 0.6]))
        wish = replace(wish, close=close, ordered=draw(st.booleans()))
    return replace(wish, **draw(st.sampled_from(MODELS))) if "others" in goals else wish


# limits that no ratio of small numbers reaches exactly, but for entropies and shares
MODELS: list[dict[str, Any]] = [
    {"entropy_l": 2}, {"entropy_l": 1.3}, {"recursive_c": 2.0}, {"recursive_c": 1.1}, {"alpha": 0.75},
    {"recursive_c": 3.3, "recursive_l": 3}, {"beta_basic": 0.83}, {"beta_basic": 2.01}, {"alpha": 0.5},
    {"beta_enhanced": 0.83}, {"beta_enhanced": 3.01}, {"delta": 0.7}, {"delta": 2.2},
    {"delta_of_present": 0.7}, {"entropy_l": 1.5, "delta_of_present": 1.1, "alpha": 0.9},
]  # fmt: skip


@st.composite
def questions(draw: st.DrawFn) -> Asked:
    wish = draw(wishes())
    columns = draw(st.sampled_from([some for size in (3, 2, 1) for some in permutations(HEIGHTS, size)]))
    loss: LossName = draw(
        st.sampled_from(["loss", "non_uniform_entropy", "levels", "discernibility", "average_class_size"])
    )
    weights = draw(st.sampled_from([None, {columns[0]: 0.25}, {columns[-1]: 3}]))
    sensitive = draw(st.sampled_from([("illness",), ("wage", "illness")]))
    return Asked(
        table=draw(tables()),
        columns=columns,
        wish=wish,
        loss=loss,
        weights=None if loss in ("discernibility", "average_class_size") else weights,
        user=draw(st.sampled_from(["who", None])),
        missing=draw(st.sampled_from(["value", "value", "drop"])),
        sensitive=sensitive if draw(st.booleans()) or wish.of_sensitive else (),
    )


# What was found


def check_found(found: Generalisation, asked: Asked) -> None:
    """All numbers are those by hand, suppressed records that are shown being one class more."""
    vector = tuple(found.levels.values())
    mine, records = asked.judged[vector], asked.records
    assert tuple(found.levels) == asked.columns
    assert mine.reaches
    assert found.optimal
    assert found.loss == pytest.approx(asked.best[0].loss, abs=1e-9)
    assert found.loss == pytest.approx(mine.loss, abs=1e-9)
    assert found.loss == pytest.approx(found.bound)
    assert found.suppressed == mine.suppressed
    assert found.discernibility == mine.discernibility
    assert found.suppressed <= Decimal(str(asked.wish.suppress)) * len(asked.rows)
    assert found.lattice == len(asked.judged) >= found.evaluated
    kept = asked.kept(vector)
    here = {place for members in kept for place in members}
    gone = [place for place in range(len(records.rows)) if place not in here]
    shown = [*kept, gone] if gone and found.written == found.records else kept
    sizes = [oracle.size(records, members) for members in shown]
    assert (found.k, found.classes) == (min(sizes), len(sizes))
    assert found.released == len(here)
    risks = [1 / size for members, size in zip(shown, sizes, strict=True) for _ in members]
    assert found.average_risk == pytest.approx(sum(risks) / len(risks))
    people = records.persons or range(len(records.rows))
    assert (found.records, found.people) == (len(records.rows), len(set(people)))
    assert found.released_people == len({people[place] for place in here})
    check_sensitive(found, asked, shown)
    check_attributes(found, asked, here)


def check_sensitive(found: Generalisation, asked: Asked, shown: list[list[int]]) -> None:
    away = oracle.ordered_distance if asked.wish.ordered else oracle.equal_distance
    diversity, closeness = {}, {}
    for name, values, many in zip(
        asked.guarded, asked.records.sensitive, asked.records.sensitive_values, strict=True
    ):
        inside = [oracle.had(asked.records, values, members) for members in shown]
        diversity[name] = min(each.distinct for each in inside)
        whole = oracle.shares(oracle.had(asked.records, values, range(len(values))).values, many)
        closeness[name] = float(max(away(oracle.shares(each.values, many), whole) for each in inside))
    assert found.diversity == diversity
    assert found.closeness == pytest.approx({} if asked.wish.close is None else closeness, abs=1e-12)


def check_attributes(found: Generalisation, asked: Asked, kept: set[int]) -> None:
    records = asked.records
    gone = set(range(len(records.rows))) - kept
    by_hand = {"loss": oracle.iyengar, "non_uniform_entropy": oracle.entropy, "levels": oracle.levels}
    for place, attribute in enumerate(found.attributes):
        column, raw = records.columns[place], [row[place] for row in records.rows]
        level = attribute.level
        assert (attribute.name, attribute.height) == (column.name, HEIGHTS[column.name])
        assert attribute.values_before == len(set(raw))
        labels = Counter(column.values[raw[each]][level] for each in kept)
        assert attribute.values == len(labels)
        # never what only suppressed records have
        assert attribute.example is None or attribute.example in labels
        if asked.loss in by_hand:
            alone = replace(records, columns=(column,), rows=tuple((each,) for each in raw))
            lost = by_hand[asked.loss](alone, (level,), gone, {})
            assert attribute.loss == pytest.approx(lost, abs=1e-9)
        else:
            assert attribute.loss is None


# What was released


def cells_of(path: Path) -> tuple[list[str], list[tuple[Any, ...]]]:
    """A file's columns and rows, as texts from CSV and typed from Parquet."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        return head, list(map(tuple, rows))
    table = pyarrow.parquet.read_table(path)
    return table.column_names, [tuple(row.values()) for row in table.to_pylist()]


def released_by_hand(
    asked: Asked, vector: Vector, names: list[str], star: bool, typed: bool
) -> list[tuple[Any, ...]]:
    """Each released record: raw values with their type in Parquet, all else as text."""
    kept = {place for members in asked.kept(vector) for place in members}
    levels, records = dict(zip(asked.columns, vector, strict=True)), asked.records
    found = []
    for place, row in enumerate(asked.rows):
        if place not in kept and not star:
            continue
        labels = dict(zip(asked.columns, records.released(records.rows[place], vector), strict=True))
        cells: list[Any] = []
        for name in names:
            if name in labels and place not in kept:
                cells.append("*")
            elif name in labels and (levels[name] or star):
                cells.append(labels[name])
            else:
                cells.append(row[name])
        found.append(tuple(cells))
    return found if typed else [tuple("" if each is None else str(each) for each in row) for row in found]


def check_release(out: Path, asked: Asked, found: Generalisation, keep: list[str], star: bool) -> None:
    names, rows = cells_of(out)
    released = {*asked.columns, *asked.sensitive, *keep}
    assert names == [name for name in SCHEMA.names if name in released]
    vector = tuple(found.levels.values())
    starred = star and 0 < found.suppressed < len(rows) and len(rows) == found.records
    assert len(rows) == found.written == (found.records if starred else found.released)
    wanted = released_by_hand(asked, vector, names, starred, out.suffix == ".parquet")
    assert Counter(rows) == Counter(wanted)
    check_goals(asked, names, rows)
    if star and not starred and found.suppressed:
        assert any("as a class of their own they fail" in remark for remark in found.remarks)


def check_goals(asked: Asked, names: list[str], rows: list[tuple[Any, ...]]) -> None:
    """Whoever gets the file finds every class as safe as was asked."""
    wish = asked.wish
    classes: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        record = dict(zip(names, row, strict=True))
        classes.setdefault(tuple(record[name] for name in asked.columns), []).append(record)
    people = {
        key: len({record[asked.user] for record in members}) if asked.user else len(members)
        for key, members in classes.items()
    }
    assert min(people.values()) >= wish.k
    if wish.average_risk is not None:
        risk = sum(len(members) / people[key] for key, members in classes.items()) / len(rows)
        assert risk <= wish.average_risk + 1e-9
    for name in asked.guarded:
        written = [_as_written(row[name], rows, names, name) for row in asked.rows]
        spread = Counter(_once(written, [row[asked.user] for row in asked.rows] if asked.user else None))
        order = list(dict.fromkeys(value for value, _ in sorted(spread.items(), key=_missing_last)))
        for members in classes.values():
            whose = [record[asked.user] for record in members] if asked.user else None
            inside = _once([record[name] for record in members], whose)
            assert len(set(inside)) >= (wish.diverse or 1)
            if wish.close is not None:
                away = oracle.ordered_distance if wish.ordered else oracle.equal_distance
                here = oracle.shares(coded(inside, order), len(order))
                there = oracle.shares(coded(list(spread.elements()), order), len(order))
                assert float(away(here, there)) <= wish.close + 1e-9


def _once(values: list[Any], whose: list[Any] | None) -> list[Any]:
    """A person counts once for each value."""
    return values if whose is None else [value for _, value in {*zip(whose, values, strict=True)}]


def _as_written(value: Any, rows: list[tuple[Any, ...]], names: list[str], name: str) -> Any:
    from_csv = all(isinstance(row[names.index(name)], str) for row in rows)
    return ("" if value is None else str(value)) if from_csv else value


def _missing_last(counted: tuple[Any, int]) -> tuple[bool, Any]:
    value = counted[0]
    if value in (None, ""):
        return (True, 0)
    return (False, Decimal(value) if not str(value).isalpha() else value)
