"""The common check suite: what every step of the catalogue keeps to, whatever it does."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import MISSING, fields
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pytest

from singleout.errors import InputError, SingleoutError, UsageError
from singleout.recipe.placed_step import PlacedStep, read_placed_step
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.catalogue import STEPS
from singleout.recipe.steps.cut import Cut
from singleout.recipe.steps.distinct_values import count_changed_values, distinct_values_of
from singleout.recipe.steps.generalise import Generalise
from singleout.recipe.steps.mean import Mean
from singleout.recipe.steps.microaggregate import Microaggregate
from singleout.recipe.steps.noise import Noise
from singleout.recipe.steps.pram import Pram
from singleout.recipe.steps.pseudonymise import Pseudonymise
from singleout.recipe.steps.remove_people import RemovePeople
from singleout.recipe.steps.round import Round
from singleout.recipe.steps.sample import Sample
from singleout.recipe.steps.shift_dates import ShiftDates
from singleout.recipe.steps.step import Change, Step
from singleout.recipe.steps.suppress import Suppress
from singleout.recipe.steps.swap import Swap
from singleout.recipe.steps.top_bottom import TopBottom
from singleout.recipe.trace import Exchanged, Moved, Redrawn, Renamed, Replayed, Shifted, Thinned, Trace
from tests.support.trace_checks import check_shares, check_trace

Names = dict[str, str]
NUMBER = re.compile(r"\s*[+-]?[0-9]+(\.[0-9]*)?\s*")

PLAIN: Names = {each: each for each in ("who", "date", "price", "number", "goods", "row")}
ODD: Names = {
    "who": 'who "is" it',
    "date": "日付, 'été'",
    "price": 'price"; DROP TABLE x; --',
    "number": " number\t",
    "goods": "ｇｏｏｄｓ",
    "row": "",
}
TENS = ({"type": "raw"}, {"type": "interval", "width": 10})
FIRST_LETTER = ({"type": "raw"}, {"type": "prefix", "keep": 1})


def examples(names: Names, folder: Path) -> dict[str, Step]:
    """A few of each step, on columns of these names; a key is in the folder."""
    date_, price, number, goods = (names[each] for each in ("date", "price", "number", "goods"))
    return {
        "pseudonymise": Pseudonymise(),
        "pseudonymise goods": Pseudonymise((goods, names["who"])),
        "pseudonymise keyed": Pseudonymise((names["who"], goods), how="keyed", key_file=str(folder / "key")),
        "suppress columns": Suppress((price, goods)),
        "suppress records": Suppress((goods, number), what="records", values=("tea", 3), missing=True),
        "suppress rare": Suppress((goods,), what="cells", rarer_than=3),
        "suppress marked": Suppress((goods,), what="cells", values=("tea",), missing=True, mark="?"),
        "generalise": Generalise((goods,), level=1, levels=FIRST_LETTER),
        "generalise numbers": Generalise((number,), level=1, levels=TENS),
        "round": Round((price, number), to=2),
        "round by chance": Round((number,), to=5, how="random"),
        "top_bottom": TopBottom((price, number), top=5, bottom=2.5),
        "top_bottom shares": TopBottom((number,), top_share=0.2, bottom_share=0.1, what="mean"),
        "top_bottom missing": TopBottom((price,), top=4, what="missing"),
        "noise": Noise((price, number), amount=1.5),
        "noise share": Noise((number,), share=0.5, distribution="laplace", per="person", at_least=0),
        "noise normal": Noise((price, number), amount=2, distribution="normal", at_most=8),
        "noise days": Noise((date_,), days=3),
        "noise chance": Noise((goods, date_), chance=0.5),
        "mean": Mean((price, number)),
        "mean per person": Mean((number,), per="person", of="median"),
        "microaggregate": Microaggregate((price, number), k=2),
        "swap": Swap((price, goods), within=0.5),
        "swap records": Swap((price, goods), how="record", share=0.5, same=(number,)),
        "pram": Pram((goods, number), keep=0.5),
        "pram uniform": Pram((goods,), keep=0.2, by="uniform"),
        "pram invariant": Pram((goods, number), keep=0.3, invariant=True),
        "shift_dates": ShiftDates((date_,), days=30),
        "shift_dates never zero": ShiftDates((date_,), days=2, never_zero=True),
        "sample": Sample(share=0.5),
        "sample records": Sample(what="records", share=0.3),
        "remove_people": RemovePeople(fewer_than=2, more_than=8),
        "cut": Cut(column=date_, begin="2010-12-15", end="2011-02"),
        "cut numbers": Cut(column=number, end=10),
        "cut latest": Cut(records=2, by=(date_, price)),
        "cut by chance": Cut(records=1, keep="random"),
    }


EVERY = tuple(examples(PLAIN, Path()))
# nothing is drawn, or only for people and different values: the order of the records is no matter
ORDER_FREE = [
    each
    for each in EVERY
    if each
    not in {
        "round by chance",
        "noise",
        "noise normal",
        "noise days",
        "noise chance",
        "swap",
        "swap records",
        "pram",
        "pram uniform",
        "pram invariant",
        "sample records",
        "cut by chance",
    }
]


def texts(size: int, names: Names = PLAIN) -> RecordTable:
    """A history as a CSV file has it: texts, some of them missing."""
    draw = numpy.random.default_rng(size)
    who = draw.integers(0, max(size // 4, 1), size)
    days = [
        date.fromordinal(date(2010, 12, 1).toordinal() + int(each)) for each in draw.integers(0, 90, size)
    ]
    columns: dict[str, list[str | None]] = {
        "who": [f"p{each}" for each in who],
        "date": [f"{day.year}/{day.month}/{day.day}" for day in days],
        "price": [f"{each:.2f}" for each in draw.random(size) * 6],
        "number": [str(each) for each in draw.integers(1, 30, size)],
        "goods": [("tea", "coffee", "cup", 'naïve "tee"')[each] for each in draw.choice(4, size)],
        "row": [str(each) for each in range(size)],
    }
    for name in ("date", "price", "number", "goods"):
        columns[name] = [None if draw.random() < 0.1 else each for each in columns[name]]
    table = pyarrow.table(
        {names[name]: pyarrow.array(each, pyarrow.string()) for name, each in columns.items()}
    )
    return records_of(table, names["who"])


def records_of(table: pyarrow.Table, user: str = "who") -> RecordTable:
    people = distinct_values_of(user, table[user].combine_chunks())
    person = numpy.where(people.missing, len(people.values), people.codes)
    return RecordTable(table, person, len(people.values) + int(people.missing.any()), user)


def typed(size: int) -> RecordTable:
    """The same with types, as Parquet has them."""
    table = texts(size).table
    days = pyarrow.compute.replace_substring(table["date"], "/", "-")
    read = [None if each is None else datetime.strptime(each, "%Y-%m-%d") for each in days.to_pylist()]
    columns = {
        "who": pyarrow.compute.utf8_slice_codeunits(table["who"], 1).cast(pyarrow.int32()),
        "date": pyarrow.array(read, pyarrow.timestamp("us")),
        "price": table["price"].cast(pyarrow.decimal128(9, 2)),
        "number": table["number"].cast(pyarrow.int16()),
        "goods": table["goods"].combine_chunks().dictionary_encode(),
        "row": table["row"].cast(pyarrow.int64()),
    }
    return records_of(pyarrow.table(columns))


def every_null(size: int) -> RecordTable:
    """Nothing but who it is."""
    empty = {name: pyarrow.nulls(size, pyarrow.string()) for name in ("date", "price", "number", "goods")}
    rows = pyarrow.array([str(each) for each in range(size)])
    return records_of(
        pyarrow.table({"who": pyarrow.array(["a"] * size, pyarrow.string()), **empty, "row": rows})
    )


def of_null_type(size: int) -> RecordTable:
    table = every_null(size).table
    for name in ("date", "price", "number", "goods"):
        table = table.set_column(table.column_names.index(name), name, pyarrow.nulls(size))
    return records_of(table)


def one_class(size: int) -> RecordTable:
    same = {"who": "a", "date": "2010-12-24 08:26:00", "price": "2.50", "number": "7", "goods": "tea"}
    columns = {name: pyarrow.array([each] * size) for name, each in same.items()}
    return records_of(pyarrow.table({**columns, "row": pyarrow.array([str(each) for each in range(size)])}))


TABLES: dict[str, Callable[[], RecordTable]] = {
    "empty": lambda: texts(0),
    "one row": lambda: texts(1),
    "some": lambda: texts(60),
    "typed": lambda: typed(60),
    "typed empty": lambda: typed(0),
    "floats": lambda: floats(60),
    "huge": lambda: huge(),
    "all missing": lambda: every_null(20),
    "without a type": lambda: of_null_type(20),
    "one class": lambda: one_class(200),
}
# what a step can't do, and says so
REFUSED = {
    ("suppress marked", "without a type"),
    ("microaggregate", "one row"),
}


def floats(size: int) -> RecordTable:
    """Numbers that are floats and dates that are days."""
    table = typed(size).table
    kinds = {"price": pyarrow.float64(), "number": pyarrow.float32(), "date": pyarrow.date32()}
    for name, kind in kinds.items():
        table = table.set_column(table.column_names.index(name), name, table[name].cast(kind))
    return records_of(table)


def huge() -> RecordTable:
    """Numbers at the ends of what there is."""
    prices = [1.7e308, -1.7e308, 5e-324, 1e17, -0.0, None, 1.7e308, 0.1 + 0.2]
    numbers = [2**63 - 1, -(2**63), 2**53 + 1, 0, None, 1, 2**63 - 1, -3]
    table = one_class(8).table
    for name, column in (("price", pyarrow.array(prices)), ("number", pyarrow.array(numbers))):
        table = table.set_column(table.column_names.index(name), name, column)
    return records_of(table)


def applied(step: Step, records: RecordTable, seed: int = 5) -> Change:
    return step.apply(records, numpy.random.default_rng(seed))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("steps")
    (made / "key").write_bytes(b"0123456789abcdef")
    return made


@pytest.fixture(params=EVERY)
def example(request: pytest.FixtureRequest, folder: Path) -> tuple[str, Step]:
    return request.param, examples(PLAIN, folder)[request.param]


def test_every_step_of_the_catalogue_has_an_example(folder: Path) -> None:
    assert {step.step for step in examples(PLAIN, folder).values()} == set(STEPS)


@pytest.mark.parametrize("kind", TABLES)
def test_a_step_keeps_to_the_rules(example: tuple[str, Step], kind: str) -> None:
    name, step = example
    records = TABLES[kind]()
    if (name, kind) in REFUSED:
        with pytest.raises(SingleoutError) as caught:
            applied(step, records)
        assert "\n" not in str(caught.value)
        return
    check(step, records)
    check_trace(step, records, "row")


def test_draws_are_spread_as_a_step_declares(example: tuple[str, Step]) -> None:
    for make in (texts, one_class):
        check_shares(example[1], make(2000))


def test_a_wrong_declaration_is_seen() -> None:
    """The checks themselves: each of these says of itself what another step would."""
    lies: list[tuple[Any, Any]] = [
        (Noise(("number",), amount=9), Replayed()),
        (TopBottom(("number",), top_share=0.2), Replayed()),
        (Microaggregate(("price", "number"), k=2), Replayed(reach="table")),
        (Cut(records=1, keep="random"), Replayed("records")),
        (Noise(("number",), amount=9), Moved("uniform", 3)),
        (Noise(("number",), amount=9, distribution="normal"), Moved("normal", 9, per="person")),
        (Noise(("date",), days=3), Shifted(3)),
        (ShiftDates(("date",), days=9), Shifted(3)),
        (Pram(("goods",), keep=0.5), Renamed()),
        (Swap(("price",), within=0.5), Exchanged(within=0.1)),
        (Swap(("price",), how="record", share=0.5), Exchanged(share=0.1)),
        (Sample(what="records", share=0.3), Thinned("people", share=0.3)),
        (Sample(share=0.5), Thinned("people", share=0.9)),
    ]
    for step, trace in lies:
        with pytest.raises(AssertionError):
            check_trace(saying(step, trace), texts(60), "row")
    for step, trace in (
        (Pram(("goods",), keep=0.5), Redrawn(0.8, "frequency")),
        (Pram(("goods",), keep=0.2), Redrawn(0.2, "uniform", another=False)),
        (Noise(("number",), amount=9, distribution="normal"), Moved("normal", 5)),
        (Noise(("number",), amount=9, distribution="normal"), Moved("laplace", 4)),
    ):
        with pytest.raises(AssertionError):
            check_shares(saying(step, trace), one_class(2000) if isinstance(step, Noise) else texts(2000))


def saying(step: Any, trace: Trace) -> Any:
    """The step with another declaration."""
    kind = type("Liar", (type(step),), {"trace": trace})
    return kind(**{each.name: getattr(step, each.name) for each in fields(step)})


def test_names_with_quotes_and_other_letters(folder: Path) -> None:
    for step in examples(ODD, folder).values():
        check(step, texts(40, ODD), ODD["row"])


def check(step: Step, records: RecordTable, row: str = "row") -> None:
    """All that holds for every step on every table."""
    before, person = copied(records.table), records.person.copy()
    change = applied(step, records)
    assert records.table.equals(before) and records.table.schema == before.schema
    assert (records.person == person).all()
    assert_people_stay(records, change.records, row)
    assert_others_stay(step, records, change.records, row)
    assert type(change.changed) is int and change.changed == recounted(records, change)
    again = applied(step, records)
    assert again.records.table.equals(change.records.table) and again.changed == change.changed
    said = {"changed": change.changed, "unit": change.unit, "how": change.how, "remarks": change.remarks}
    assert json.loads(json.dumps({**said, **PlacedStep(step).as_dict()}))["step"] == step.step
    assert change.how and "\n" not in change.how and all(isinstance(each, str) for each in change.remarks)


def copied(table: pyarrow.Table) -> pyarrow.Table:
    """In memory of its own, so that a change of the old is seen."""
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return pyarrow.ipc.open_stream(sink.getvalue()).read_all()


def kept_rows(after: RecordTable, row: str) -> list[int]:
    return [int(each) for each in after.column(row).to_pylist()]


def assert_people_stay(before: RecordTable, after: RecordTable, row: str) -> None:
    assert len(after) == after.table.num_rows == len(after.person)
    assert after.people == before.people
    assert after.person.tolist() == before.person[kept_rows(after, row)].tolist()


def assert_others_stay(step: Step, before: RecordTable, after: RecordTable, row: str) -> None:
    rows = kept_rows(after, row)
    changed = set(step.columns) or ({before.user or ""} if isinstance(step, Pseudonymise) else set())
    if len(rows) < len(before) or isinstance(step, (Cut, RemovePeople, Sample)):
        changed = set()
    left_out = set(before.names) - set(after.names)
    assert left_out == (changed if isinstance(step, Suppress) and step.what == "columns" else set())
    assert list(after.names) == [name for name in before.names if name not in left_out]
    assert after.user == (None if before.user in left_out else before.user)
    for name in set(after.names) - changed:
        assert (
            after.table[name]
            .combine_chunks()
            .equals(before.table[name].take(pyarrow.array(rows, pyarrow.int64())).combine_chunks())
        )


def recounted(before: RecordTable, change: Change) -> int:
    """What `changed` should be, by plain comparison."""
    after = change.records
    if change.unit == "columns":
        return len(set(before.names) - set(after.names))
    if change.unit == "records":
        return len(before) - len(after)
    if change.unit == "people":
        return len(set(before.person.tolist())) - len(set(after.person.tolist()))
    pairs = (
        pair
        for name in before.names
        for pair in zip(before.column(name).to_pylist(), after.column(name).to_pylist(), strict=True)
    )
    return sum(old is not new and not same(old, new) for old, new in pairs)


def same(old: Any, new: Any) -> bool:
    """Texts of numbers are by these, a number and a text if they are written alike; None only is as None."""
    if old is None or new is None:
        return old is new
    if isinstance(old, str) and isinstance(new, str):
        return read(old) == read(new)
    return bool(old == new if isinstance(old, str) == isinstance(new, str) else str(old) == str(new))


def read(text: str) -> Decimal | str:
    return Decimal(text) if NUMBER.fullmatch(text) else text


@pytest.mark.parametrize("name", ORDER_FREE)
@pytest.mark.parametrize("make", [texts, typed])
def test_the_order_of_records_is_no_matter(
    name: str, make: Callable[[int], RecordTable], folder: Path
) -> None:
    step, records = examples(PLAIN, folder)[name], make(80)
    # a column of its own number would tell records apart that are the same
    records = RecordTable(records.table.drop_columns(["row"]), records.person, records.people, records.user)
    mixed = numpy.random.default_rng(3).permutation(len(records))
    other = RecordTable(records.table.take(mixed), records.person[mixed], records.people, records.user)
    assert multiset(applied(step, records).records) == multiset(applied(step, other).records)


def multiset(records: RecordTable) -> Counter[Any]:
    columns = [each.to_pylist() for each in records.table.columns]
    return Counter(zip(records.person.tolist(), *columns, strict=True))


@pytest.mark.parametrize("name", EVERY)
def test_a_step_is_read_again_from_its_diary(name: str, folder: Path) -> None:
    placed = PlacedStep(examples(PLAIN, folder)[name])
    assert read_placed_step(json.loads(json.dumps(placed.as_dict()))) == (placed, placed.step.step, [])


@pytest.mark.parametrize("name", [each for each in EVERY if each not in ORDER_FREE or "person" in each])
def test_another_seed_gives_another_result(name: str, folder: Path) -> None:
    step, records = examples(PLAIN, folder)[name], texts(60)
    found = [applied(step, records, seed).records.table for seed in range(4)]
    drawn = not isinstance(step, Mean)
    assert any(not each.equals(found[0]) for each in found[1:]) == drawn


BAD: list[Any] = [
    None, True, "", "x", b"x", -1, 0, 1, 0.5, 2, 10**400, float("nan"), float("inf"), (), [],
    ["a", "a"], ("a", 3), {}, {"a": 1}, object(), Decimal("NaN"), date(2010, 1, 1), [[]], -float("inf"),
]  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("bad", BAD, ids=[f"{type(bad).__name__}{place}" for place, bad in enumerate(BAD)])
def test_a_wrong_setting_is_told_in_one_line(step: str, bad: Any) -> None:
    kind: Any = STEPS[step]
    settings = fields(kind)
    needed = {"columns": ("a",), "to": 1, "k": 3, "keep": 0.5, "days": 1, "level": 0}
    right = {each.name: needed[each.name] for each in settings if each.default is MISSING}
    for each in settings:
        try:
            made = kind(**{**right, each.name: bad})
        except UsageError as error:
            assert "\n" not in str(error) and str(error)
        else:
            json.dumps(PlacedStep(made).as_dict())


def test_a_column_that_is_not_there_is_told(folder: Path) -> None:
    names = {**PLAIN, **{each: f"{each}s" for each in ("date", "price", "number", "goods")}}
    records = texts(10)
    for step in examples(names, folder).values():
        if step.columns:
            with pytest.raises(UsageError, match="there is no column"):
                applied(step, records)


@pytest.mark.parametrize("column", ["goods", "date", "flag", "odd", "list"])
def test_values_that_are_no_numbers_are_told_and_not_shown(column: str) -> None:
    table = pyarrow.table(
        {
            "goods": ["secret", "12"],
            "date": pyarrow.array([date(2010, 1, 1)] * 2),
            "flag": [True, False],
            "odd": [float("nan"), float("inf")],
            "list": [[1], [2]],
        }
    )
    records = RecordTable(table, numpy.arange(2), 2)
    steps: list[Step] = [
        Round((column,), to=1),
        TopBottom((column,), top=1),
        Noise((column,), amount=1),
        Mean((column,)),
        Microaggregate((column,), k=2),
        Cut(column=column, begin=-5),
    ]
    for step in steps:
        with pytest.raises(InputError, match=column) as caught:
            applied(step, records)
        assert "secret" not in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("column", ["goods", "flag", "number", "month", "clock"])
def test_values_without_a_day_are_told_and_not_shown(column: str) -> None:
    table = pyarrow.table(
        {
            "goods": ["secret", "2010-01-01"],
            "flag": [True, False],
            "number": [1, 2],
            "month": ["2010-01", "2010"],
            "clock": ["08:26", "08:27:01"],
        }
    )
    records = RecordTable(table, numpy.arange(2), 2)
    for step in (Noise((column,), days=1), ShiftDates((column,), days=1)):
        with pytest.raises(InputError, match=column) as caught:
            applied(step, records)
        assert "secret" not in str(caught.value) and "\n" not in str(caught.value)


def test_changed_values_are_counted_plainly() -> None:
    count = count_changed_values
    assert count(pyarrow.array([1.0, float("nan"), None]), pyarrow.array([1.0, float("nan"), None])) == 0
    assert count(pyarrow.array([1, 2, None]), pyarrow.array(["1", "b", None])) == 1
    assert count(pyarrow.array([1, None, 3]), pyarrow.array([1, 2, None])) == 2
    assert count(pyarrow.array([], pyarrow.string()), pyarrow.array([], pyarrow.string())) == 0
    assert count(pyarrow.nulls(2), pyarrow.array([None, "a"])) == 1


def test_numbers_that_are_texts_are_counted_by_what_they_are() -> None:
    old = ["+5", " 8", "1e1", "007", "-0.0", "2.50", "1.0", "1", None, "12345678901234567890"]
    new = ["5", "8", "10", "7", "0", "2.5", "1.1", "2", "3", "12345678901234567891"]
    for kind in (pyarrow.string(), pyarrow.large_string()):
        assert count_changed_values(pyarrow.array(old, kind), pyarrow.array(new)) == 4
    assert (
        count_changed_values(
            pyarrow.array([" a", "1,0", "nan", "b", "1 0"]), pyarrow.array(["a", "1", "NaN", "b", "10"])
        )
        == 4
    )
