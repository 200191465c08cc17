"""Files of statistics: each accepted shape, each mistake in one line, and what is written can be read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.errors import InputError, SingleoutError, UsageError
from singleout.files import write_text
from singleout.risk.predict.avfm import Avfm, PairTable
from singleout.risk.predict.avfm_files import avfm_text, knowledge_text, pairs_text, read_avfm, read_pairs
from singleout.risk.predict.closed_form import expected_orr
from singleout.risk.predict.statistics_files import KnownTuple, read_knowledge
from singleout.risk.predict.what_if import (
    apportioned_counts,
    scaled_avfm,
    with_added_column,
    with_column,
    with_equal_values,
    without_columns,
)

LINES = """\
column,value,frequency
age,30,1
age,20,2
age,,1
sex,f,3
sex,m,1
"""
COLUMNS: list[Any] = [
    {
        "name": "age",
        "values": [
            {"value": "30", "frequency": 1},
            {"value": "20", "frequency": 2},
            {"value": None, "frequency": 1},
        ],
    },
    {"name": "sex", "values": [{"value": "f", "frequency": 3}, {"value": "m", "frequency": 1}]},
]
PAIR_HEADER = "column,value,other_column,other_value,frequency\n"
PAIR_LINES = PAIR_HEADER + "sex,f,age,20,1\nsex,m,age,20,1\nage,30,sex,f,1\nage,,sex,f,0\n"
KNOWN_HEADER = "column,value,on_column,on_value,confidence,frequency\n"
KNOWN_LINES = KNOWN_HEADER + "city,P,county,K,0.75,12\ncity,,county,L,1,1\n"
KNOWN = (KnownTuple("city", "P", "county", "K", 0.75, 12), KnownTuple("city", None, "county", "L", 1.0, 1))

AVFM = Avfm(("age", "sex"), (numpy.array([2, 1, 1]), numpy.array([3, 1])), (("20", "30", None), ("f", "m")))
PAIRS = (PairTable(0, 1, numpy.array([0, 0, 1]), numpy.array([0, 1, 0]), numpy.array([1, 1, 1])),)

Written = Callable[..., Path]


def shown(avfm: Avfm) -> tuple[Any, ...]:
    return avfm.columns, [column.tolist() for column in avfm.frequencies], avfm.labels


def shown_pairs(pairs: tuple[PairTable, ...]) -> list[Any]:
    return [
        (pair.first, pair.second, numpy.array([pair.first_codes, pair.second_codes, pair.counts]).T.tolist())
        for pair in pairs
    ]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def file(content: Any, name: str = "x.csv") -> Path:
        path = tmp_path / name
        raw = content if isinstance(content, str | bytes) else json.dumps(content)
        path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
        return path

    return file


@pytest.mark.parametrize(
    "content",
    [
        LINES,
        "\ufeff" + LINES,
        LINES.replace("\n", "\r\n"),
        LINES.replace("\n", "\n\n"),
        LINES.replace("age,30,1", '"age","30"," 1 "'),
        LINES + "age,40,0\n",
        LINES.rstrip("\n"),
    ],
)
def test_lines(written: Written, content: str) -> None:
    """A byte-order mark, line ends, blank lines, quotes and values that never occur make no difference."""
    assert shown(read_avfm(written(content))) == shown(AVFM)


def test_json(written: Written) -> None:
    assert shown(read_avfm(written({"columns": COLUMNS, "records": 4}, "x.JSON"))) == shown(AVFM)
    assert shown(read_avfm(written({"columns": COLUMNS}, "x.json"))) == shown(AVFM)


@pytest.mark.parametrize("content", ["2,3\n1,1\n1,", "2,3\n 1 ,1\n1,0", "2,3\n1,1\n1,\n0,0"])
def test_the_matrix_of_definition_1(written: Written, content: str) -> None:
    """Padded by nothing or by 0; its values are called by their line."""
    found = read_avfm(written("age,home_value\n" + content))
    assert shown(found) == (("age", "home_value"), [[2, 1, 1], [3, 1]], (("1", "2", "3"), ("1", "2")))


def test_codes_are_by_falling_frequency_then_by_value(written: Written) -> None:
    lines = "a,,2\na,y,2\na,x,2\na,z,3\n"
    assert read_avfm(written("column,value,frequency\n" + lines)).labels == (("z", "x", "y", None),)


def test_pairs(written: Written) -> None:
    """In either order of the columns; the table lacks a record, and a pair that never occurs is none."""
    assert shown_pairs(read_pairs(written(PAIR_LINES), AVFM)) == shown_pairs(PAIRS)
    cells = [("f", "20", 1), ("m", "20", 1), ("f", "30", 1)]
    values = [{"first": a, "second": b, "frequency": count} for a, b, count in cells]
    content = {"pairs": [{"columns": ["sex", "age"], "values": values}]}
    assert shown_pairs(read_pairs(written(content, "x.json"), AVFM)) == shown_pairs(PAIRS)
    assert read_pairs(written(PAIR_HEADER + "age,20,sex,f,0\n"), AVFM) == ()


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_that_nothing_is_known_can_be_written_and_read(written: Written, suffix: str) -> None:
    assert read_pairs(written(pairs_text(AVFM, (), suffix, True), f"x{suffix}"), AVFM) == ()
    assert read_knowledge(written(knowledge_text((), suffix), f"y{suffix}")) == ()


def test_pairs_of_values_without_names_are_by_rank(written: Written) -> None:
    nameless = Avfm(AVFM.columns, AVFM.frequencies)
    found = read_pairs(written(PAIR_HEADER + "age,3,sex,1,1\n"), nameless)
    assert shown_pairs(found) == [(0, 1, [[2, 0, 1]])]


def test_knowledge(written: Written) -> None:
    assert read_knowledge(written(KNOWN_LINES)) == KNOWN
    content = {"knowledge": [vars(each) for each in KNOWN]}
    assert read_knowledge(written(content, "x.json")) == KNOWN


NO_COUNT = "a cell is no frequency; write a whole number, 0 or more"
ONE_COLUMN = {"columns": [{"name": "a", "values": [{"value": "x", "frequency": 1}]}]}


def one_value(**change: Any) -> dict[str, Any]:
    return {"columns": [{"name": "a", "values": [{"value": "x", "frequency": 1} | change]}]}


AVFM_MISTAKES: dict[str, tuple[Any, str]] = {
    "empty": ("", "is empty; a header and at least one record are needed"),
    "blank": ("\n\n", "holds only blank lines; a header and one line or more are needed"),
    "header only": ("column,value,frequency\n", "has no frequency of any value; write one or more"),
    "matrix: header only": ("age,sex\n", "has no frequency of any value; write one or more"),
    "empty list": ({"columns": []}, "has no frequency of any value; write one or more"),
    "nearly": ("Column, Value,Frequency\na,b,1\n", "line 1: write this header as column,value,frequency"),
    "another delimiter": (
        "column;value;frequency\nage;20;2\n",
        "line 1: separate the cells by commas",
    ),
    "matrix: a name twice": ("a,a\n1,1\n", "line 1: column 'a' comes twice; give each its own name"),
    "matrix: no name": ("a,\n1,1\n", "line 1: '' is no name of a column; write its name"),
    "matrix: ragged": ("a,b\n1,1\n1\n", "line 3: has 1 cells where the header has 2"),
    "ragged": (LINES + "age,1\n", "line 7: has 2 cells where the header has 3"),
    "below a cell of two lines": (LINES + 'age,"4\n0",0\nage,5,x\n', f"line 9: {NO_COUNT}"),
    "open quote": (
        LINES + 'age,"4,1\n',
        "line 7: a quote is not closed, or text follows a closing one; double a quote inside a quoted cell",
    ),
    "negative": (LINES + "age,40,-1\n", f"line 7: {NO_COUNT}"),
    "fraction": (LINES + "age,40,1.5\n", f"line 7: {NO_COUNT}"),
    "other digits": (LINES + "age,40,٣\n", f"line 7: {NO_COUNT}"),
    "no number": (LINES + "age,40,\n", f"line 7: {NO_COUNT}"),
    "endless": (LINES + f"age,40,{'9' * 5000}\n", f"line 7: {NO_COUNT}"),
    "huge": (
        LINES + f"age,40,{2**53 + 1}\n",
        "line 7: a frequency is too much to count with; the most is 9,007,199,254,740,992",
    ),
    "huge sum": (
        f"column,value,frequency\na,b,{2**53}\na,c,1\n",
        "column 'a' adds up to too much; the most is 9,007,199,254,740,992",
    ),
    "twice": (LINES + "age,20,1\n", "line 7: column 'age' has this value already; add them up"),
    "missing twice": (LINES + "age,,1\n", "line 7: column 'age' has the missing value already; add them up"),
    "never": (LINES + "hair,red,0\n", "no value of column 'hair' ever occurs; leave the column out"),
    "unequal": (
        LINES + "sex,x,1\n",
        "each column's frequencies must add up to the same number of records: age 4, sex 5",
    ),
    "no name": (LINES + ",a,4\n", "line 7: '' is no name of a column; write its name"),
    "not UTF-8": (b"a,b\n1,\xff\n", "line 2: is not UTF-8; save the file as UTF-8"),
    "a list": ([], "should be an object with columns"),
    "no columns": ({"records": 4}, "'columns' is missing; there should be columns"),
    "no list": ({"columns": {}}, "columns: should be a list"),
    "unknown key": (ONE_COLUMN | {"record": 1}, "'record' is unknown here; did you mean 'records'?"),
    "other sum": (
        ONE_COLUMN | {"records": 5},
        "records is 5, but column 'a' adds up to 1; correct one of them",
    ),
    "column twice": (
        {"columns": [*COLUMNS, COLUMNS[0]]},
        "columns[2]: column 'age' comes twice; give each its own name",
    ),
    "column without values": (
        {"columns": [{"name": "a", "values": []}]},
        "columns[0]: no value of column 'a' ever occurs; leave the column out",
    ),
    "value without frequency": (
        {"columns": [{"name": "a", "values": [{"value": "x"}]}]},
        "columns[0].values[0]: 'frequency' is missing; there should be value, frequency",
    ),
    "a number for a value": (
        one_value(value=20),
        "columns[0].values[0]: the value is no text; write it in quotes, or null if it is missing",
    ),
    "a fraction in JSON": (one_value(frequency=1.0), f"columns[0].values[0]: {NO_COUNT}"),
    "a truth for a number": (one_value(frequency=True), f"columns[0].values[0]: {NO_COUNT}"),
    "a number for a name": (
        {"columns": [{"name": 7, "values": [{"value": "x", "frequency": 1}]}]},
        "columns[0].values[0]: 7 is no name of a column; write its name",
    ),
}

NEVER = "in the statistics; leave it out, or add it there"
SAME_PAIR = [
    {"columns": names, "values": [{"first": one, "second": other, "frequency": 1}]}
    for names, one, other in ((["age", "sex"], "20", "f"), (["sex", "age"], "m", "20"))
]
PAIR_MISTAKES: dict[str, tuple[Any, str]] = {
    "empty": ("", "is empty; a header and at least one record are needed"),
    "wrong header": (LINES, "line 1: the header should be column,value,other_column,other_value,frequency"),
    "no list": ({"pairs": None}, "pairs: should be a list"),
    "unknown column": (
        PAIR_HEADER + "agee,20,sex,f,1\n",
        "line 2: the statistics have no column 'agee'; did you mean 'age'?",
    ),
    "unknown value": (
        PAIR_HEADER + "age,21,sex,f,1\n",
        f"line 2: column 'age' never has this value {NEVER}",
    ),
    "unknown missing value": (
        PAIR_HEADER + "age,20,sex,,1\n",
        f"line 2: column 'sex' never has the missing value {NEVER}",
    ),
    "itself": (
        PAIR_HEADER + "age,20,age,20,1\n",
        "line 2: column 'age' is paired with itself; name two columns",
    ),
    "a cell twice": (
        PAIR_LINES + "age,20,sex,m,1\n",
        "line 6: these two values come together in an earlier line; add them up",
    ),
    "too many": (
        PAIR_HEADER + "age,20,sex,f,2\nage,20,sex,m,1\n",
        "column 'age' has value 1 in 3 records of its pairs with 'sex', but in 2 of the statistics; "
        "correct one",
    ),
    "too many of the other": (
        PAIR_HEADER + "age,20,sex,m,2\n",
        "column 'sex' has value 2 in 2 records of its pairs with 'age', but in 1 of the statistics; "
        "correct one",
    ),
    "fraction": (PAIR_HEADER + "age,20,sex,m,.5\n", f"line 2: {NO_COUNT}"),
    "ragged": (PAIR_HEADER + "age,20,sex,m\n", "line 2: has 4 cells where the header has 5"),
    "a pair twice": ({"pairs": SAME_PAIR}, "pairs[1]: the pair 'sex', 'age' comes twice; give it once"),
    "three columns": (
        {"pairs": [{"columns": ["age", "sex", "x"], "values": []}]},
        "pairs[0]: columns should be a list of two columns' names",
    ),
}

KNOWN_MISTAKES: dict[str, tuple[Any, str]] = {
    "wrong header": (
        PAIR_LINES,
        "line 1: the header should be column,value,on_column,on_value,confidence,frequency",
    ),
    "itself": (
        KNOWN_HEADER + "city,P,city,Q,1,1\n",
        "line 2: column 'city' can't depend on itself; name two columns",
    ),
    "twice": (
        KNOWN_LINES + "city,P,county,K,0.5,12\n",
        "line 4: this value is known on that one already; leave one line out",
    ),
    "a number in JSON": (
        {"knowledge": [vars(KNOWN[0]) | {"value": 1}]},
        "knowledge[0]: the value is no text; write it in quotes, or null if it is missing",
    ),
    **{
        f"confidence {cell}": (
            KNOWN_HEADER + f"city,P,county,K,{cell},1\n",
            "line 2: a cell is no confidence; write a number above 0, and 1 at most",
        )
        for cell in ("0", "-0.1", "1.01", "nan", "inf", "half", "")
    },
}


def check_mistake(read: Callable[[Path], Any], written: Written, content: Any, message: str) -> None:
    path = written(content, "x.csv" if isinstance(content, str | bytes) else "x.json")
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: {message}"


@pytest.mark.parametrize("mistake", AVFM_MISTAKES)
def test_mistakes_in_frequencies(written: Written, mistake: str) -> None:
    check_mistake(read_avfm, written, *AVFM_MISTAKES[mistake])


@pytest.mark.parametrize("mistake", PAIR_MISTAKES)
def test_mistakes_in_pairs(written: Written, mistake: str) -> None:
    check_mistake(lambda path: read_pairs(path, AVFM), written, *PAIR_MISTAKES[mistake])


@pytest.mark.parametrize("mistake", KNOWN_MISTAKES)
def test_mistakes_in_knowledge(written: Written, mistake: str) -> None:
    check_mistake(read_knowledge, written, *KNOWN_MISTAKES[mistake])


@pytest.mark.parametrize("content", ["{", "[" * 100_000, "nothing", '{"columns": 1' + "0" * 5000 + "}"])
def test_what_is_not_json(written: Written, content: str) -> None:
    with pytest.raises(InputError, match=r"x\.json: (is not JSON: |should be an object)") as caught:
        read_avfm(written(content, "x.json"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("read", [read_avfm, read_knowledge, lambda path: read_pairs(path, AVFM)])
def test_files_that_are_not_there(read: Callable[[Path], Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read(tmp_path / "x.csv")
    with pytest.raises(UsageError, match=r"let its name end in \.csv or \.json"):
        read(tmp_path / "x.xlsx")


def test_other_endings_are_not_written() -> None:
    for text in (avfm_text(AVFM, ".csv", True), avfm_text(AVFM, ".json", True)):
        assert text.endswith("\n")
    for suffix in (".txt", "", ".xlsx"):
        with pytest.raises(UsageError, match=r"end in \.csv or \.json"):
            avfm_text(AVFM, suffix, True)
        with pytest.raises(UsageError, match=r"end in \.csv or \.json"):
            pairs_text(AVFM, PAIRS, suffix, True)
        with pytest.raises(UsageError, match=r"end in \.csv or \.json"):
            knowledge_text(KNOWN, suffix)


def test_written_lines() -> None:
    assert avfm_text(AVFM, ".csv", True).splitlines()[:4] == [
        "column,value,frequency",
        "age,20,2",
        "age,30,1",
        "age,,1",
    ]
    assert pairs_text(AVFM, PAIRS, ".csv", True).splitlines()[1] == "age,20,sex,f,1"
    assert knowledge_text(KNOWN, ".csv") == KNOWN_LINES.replace("L,1,", "L,1.0,")


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_values_stay_hidden(written: Written, suffix: str) -> None:
    """Written by rank, the frequencies and which ranks go together are all that a file tells."""
    secret = Avfm(AVFM.columns, AVFM.frequencies, (("SECRET1", "SECRET2", None), ("SECRET3", "SECRET4")))
    frequencies, pairs = avfm_text(secret, suffix, False), pairs_text(secret, PAIRS, suffix, False)
    assert "SECRET" not in frequencies + pairs
    found = read_avfm(written(frequencies, "x" + suffix))
    assert shown(found) == (*shown(AVFM)[:2], (("1", "2", "3"), ("1", "2")))
    assert shown_pairs(read_pairs(written(pairs, "p" + suffix), found)) == shown_pairs(PAIRS)


LABELS = st.one_of(
    st.none(),
    st.text(),
    st.sampled_from(["", " ", " a", "a ", "a,b", '"', '"a"', "a\nb", "a\r", "\r\n", "é", "\0"]),
)


@st.composite
def statistics(draw: st.DrawFn) -> tuple[Avfm, tuple[PairTable, ...]]:
    """Columns with odd names and values, and pair tables of a random arrangement, some cells left out."""
    records = draw(st.integers(1, 12))
    names = draw(st.lists(st.text(min_size=1), min_size=1, max_size=3, unique=True))
    codes, labels = [], []
    for _ in names:
        values = draw(st.lists(LABELS, min_size=1, max_size=5, unique=True))
        column = draw(st.lists(st.integers(0, len(values) - 1), min_size=records, max_size=records))
        counts = {code: column.count(code) for code in column}
        order = sorted(counts, key=lambda code: (-counts[code], values[code] is None, values[code] or ""))
        codes.append([order.index(code) for code in column])
        labels.append(tuple(values[code] for code in order))
    frequencies = tuple(numpy.bincount(column) for column in codes)
    pairs = []
    for second in range(1, len(names)):
        cells = sorted(set(zip(codes[0], codes[second], strict=True)))[draw(st.integers(0, 2)) :]
        counts_of = [list(zip(codes[0], codes[second], strict=True)).count(cell) for cell in cells]
        if cells:
            ones, others = zip(*cells, strict=True)
            pairs.append(PairTable(0, second, *map(numpy.array, (ones, others, counts_of))))
    return Avfm(tuple(names), frequencies, tuple(labels)), tuple(pairs)


@given(statistics(), st.sampled_from([".csv", ".json"]), st.booleans())
def test_what_is_written_can_be_read(
    tmp_path: Path, known: tuple[Avfm, tuple[PairTable, ...]], suffix: str, show_values: bool
) -> None:
    avfm, pairs = known
    try:
        write_text(tmp_path / f"a{suffix}", avfm_text(avfm, suffix, show_values))
    except UsageError as error:
        assert suffix == ".csv" and show_values and "has an empty text and a missing value" in str(error)
        return
    write_text(tmp_path / f"p{suffix}", pairs_text(avfm, pairs, suffix, show_values))
    found = read_avfm(tmp_path / f"a{suffix}")
    assert shown(found)[:2] == shown(avfm)[:2]
    if not show_values:
        assert found.labels == avfm.by_rank().labels or max(map(len, avfm.frequencies)) > 9
    elif suffix == ".json":
        assert found.labels == avfm.labels
    if pairs:
        again = read_pairs(tmp_path / f"p{suffix}", found)
        assert named_cells(found, again) == named_cells(found if not show_values else avfm, pairs)


def named_cells(avfm: Avfm, pairs: tuple[PairTable, ...]) -> set[Any]:
    """Empty texts are missing values in CSV."""
    labels = avfm.labels or ()
    return {
        (pair.first, labels[pair.first][one] or None, pair.second, labels[pair.second][other] or None, count)
        for pair in pairs
        for one, other, count in zip(pair.first_codes, pair.second_codes, pair.counts, strict=True)
    }


KNOWN_THINGS = st.builds(
    KnownTuple,
    st.just("a") | st.text(min_size=1),
    LABELS,
    st.just("b,\n"),
    LABELS,
    st.floats(0, 1, exclude_min=True),
    st.integers(0, 2**53),
)


@given(st.lists(KNOWN_THINGS, min_size=1, unique_by=lambda each: (each.column, each.value, each.on_value)))
def test_knowledge_that_is_written_can_be_read(tmp_path: Path, known: list[KnownTuple]) -> None:
    known = [each for each in known if each.column != each.on_column] or [KNOWN[0]]
    write_text(tmp_path / "k.json", knowledge_text(known, ".json"))
    assert read_knowledge(tmp_path / "k.json") == tuple(known)
    in_csv = [each for each in known if "" not in (each.value, each.on_value)] or [KNOWN[0]]
    write_text(tmp_path / "k.csv", knowledge_text(in_csv, ".csv"))
    assert read_knowledge(tmp_path / "k.csv") == tuple(in_csv)


@st.composite
def avfms(draw: st.DrawFn) -> Avfm:
    records = draw(st.integers(1, 200))
    columns = []
    for _ in range(draw(st.integers(1, 4))):
        values = draw(st.integers(1, records))
        counts = numpy.bincount(numpy.arange(records) ** 2 % values)
        columns.append(-numpy.sort(-counts[counts > 0]))
    return Avfm(tuple(f"c{place}" for place in range(len(columns))), tuple(columns)).by_rank()


@given(avfms(), st.integers(1, 10**4))
def test_scaled_to_other_records(avfm: Avfm, records: int) -> None:
    found = scaled_avfm(avfm, records)
    assert (found.records, found.columns) == (records, avfm.columns)
    for before, after, labels in zip(avfm.frequencies, found.frequencies, found.labels or (), strict=True):
        ideal = before * records / avfm.records
        assert (numpy.abs(after - ideal[: len(after)]) < 1).all()
        assert (ideal[len(after) :] < 1).all()
        assert labels == tuple(map(str, range(1, len(after) + 1)))
    assert shown(scaled_avfm(avfm, avfm.records)) == shown(avfm)
    assert shown(scaled_avfm(scaled_avfm(avfm, 7 * avfm.records), avfm.records)) == shown(avfm)


def test_more_records_of_the_same_shape_are_less_at_risk() -> None:
    avfm = Avfm(("a", "b"), (numpy.array([50, 30, 20]), numpy.array([25] * 4)))
    risks = [expected_orr(scaled_avfm(avfm, records)).orr for records in (20, 100, 1000, 100_000)]
    assert risks == sorted(risks, reverse=True)


@given(st.lists(st.integers(1, 2**52), min_size=1, max_size=6), st.integers(1, 2**53))
def test_shared_out_by_largest_remainder(weights: list[int], records: int) -> None:
    """By whole numbers of any size; rounded down or up, never more off than by one record."""
    found = apportioned_counts(numpy.array(weights), records).tolist()
    assert sum(found) == records
    total = sum(weights)
    assert all(
        share * records // total <= got <= -(-share * records // total)
        for share, got in zip(weights, found, strict=True)
    )


def test_largest_remainder_by_hand() -> None:
    """Of 5, 4 and 1 in ten, five records get 2.5, 2 and 0.5: the first of the two halves is rounded up."""
    assert apportioned_counts(numpy.array([5, 4, 1]), 5).tolist() == [3, 2, 0]
    assert apportioned_counts(numpy.array([1, 4, 5]), 5).tolist() == [1, 2, 2]


def test_without_columns() -> None:
    assert without_columns(AVFM, ["age"]).columns == ("sex",)
    assert shown(without_columns(AVFM, [])) == shown(AVFM)
    with pytest.raises(UsageError, match=r"no column 'agee' to leave out; did you mean 'age'\?"):
        without_columns(AVFM, ["agee"])
    with pytest.raises(UsageError, match="nothing is left; keep at least one"):
        without_columns(AVFM, ["sex", "age"])


@given(avfms(), st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=8))
def test_with_a_column_of_shares(avfm: Avfm, shares: list[float]) -> None:
    found = with_column(avfm, "new", shares)
    counts = found.frequencies[-1]
    assert counts.sum() == avfm.records
    assert (counts[1:] <= counts[:-1]).all()
    assert len(counts) <= len(shares)
    assert shown(without_columns(found, ["new"])) == shown(avfm)
    assert expected_orr(found).orr >= expected_orr(avfm).orr - 1e-9
    again = with_column(avfm, "new", [3.0 * share for share in shares])
    assert numpy.abs(counts - again.frequencies[-1][: len(counts)]).max() <= 1


@given(avfms(), st.integers(1, 300))
def test_with_a_column_of_equal_values(avfm: Avfm, values: int) -> None:
    counts = with_equal_values(avfm, "new", values).frequencies[-1]
    assert len(counts) == min(values, avfm.records)
    assert counts.max() - counts.min() <= 1


def test_added_by_text() -> None:
    found = with_added_column(with_added_column(AVFM, "a=b=2"), "town=0.5,0.25,.25")
    assert found.columns == ("age", "sex", "a=b", "town")
    assert [column.tolist() for column in found.frequencies[2:]] == [[2, 2], [2, 1, 1]]
    assert found.labels is not None
    assert found.labels[3] == ("1", "2", "3")
    assert with_column(Avfm(("a",), (numpy.array([4]),)), "b", [1]).labels is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda: with_added_column(AVFM, "town"),
            "'town' is no column to add; write NAME=4, or shares as NAME=50,30,20",
        ),
        (lambda: with_added_column(AVFM, "town=2.5"), "'town=2.5' is no column to add"),
        (lambda: with_added_column(AVFM, "town=1,x"), "'town=1,x' is no column to add"),
        (
            lambda: with_added_column(AVFM, "town=1e999,1"),
            "a share of inf is impossible; take numbers above 0",
        ),
        (
            lambda: with_added_column(AVFM, "town=0"),
            "0 values are impossible; take a whole number from 1 to 10,000,000",
        ),
        (lambda: with_added_column(AVFM, "=3"), "a new column needs a name"),
        (
            lambda: with_added_column(AVFM, "age=3"),
            "there is a column 'age' already; give the new one another name",
        ),
        (lambda: with_column(AVFM, "town", []), "column 'town': no value has a share; give one or more"),
        (lambda: with_column(AVFM, "town", [1, 0]), "column 'town': a share of 0 is impossible"),
        (lambda: with_column(AVFM, "town", [1, -2]), "a share of -2 is impossible"),
        (lambda: with_column(AVFM, "town", [1, float("nan")]), "a share of nan is impossible"),
        (lambda: scaled_avfm(AVFM, 0), "0 records are impossible; take a whole number from 1 to"),
        (lambda: scaled_avfm(AVFM, 2**53 + 1), "records are impossible"),
        (lambda: scaled_avfm(AVFM, -1), "-1 records are impossible"),
    ],
)
def test_changes_that_are_impossible(change: Callable[[], Avfm], message: str) -> None:
    with pytest.raises(SingleoutError) as caught:
        change()
    assert isinstance(caught.value, UsageError)
    assert message in str(caught.value)
