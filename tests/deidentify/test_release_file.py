"""A release in its original's format: written, read back equal, with the labels of what is in it."""

import datetime
from collections import Counter
from collections.abc import Callable
from errno import ENOSPC
from functools import partial
from os import strerror
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pyreadstat
import pytest
import xlsxwriter

from singleout import apply, dummies, generalise, generalise_locally, suppress
from singleout.cli.main import main
from singleout.deidentify.release_file import RELEASE_ENDINGS, check_release_target, write_release_file
from singleout.engine.open_engine import open_engine
from singleout.errors import OutputError
from singleout.read.source import source
from singleout.read.statistics_file import labels_of

TABLE = pyarrow.table(
    {
        "name": ["ann", "=1+1", "-5", None],
        "sex": pyarrow.array([1, 2, 2, None], pyarrow.int64()),
        "height": [1.5, 2.0, None, 0.25],
        "day": pyarrow.array([datetime.date(2020, 1, 2), None, datetime.date(1950, 5, 6), None]),
        "at": pyarrow.array(
            [datetime.datetime(2020, 1, 2, 3, 4, 5), None, None, datetime.datetime(1999, 1, 1, 0, 0, 1)]
        ),
    }
)
TYPED = [each for each in RELEASE_ENDINGS if each != ".csv"]


def read_back(path: Path) -> list[dict[str, Any]]:
    with open_engine(source(path)) as engine:
        found: list[dict[str, Any]] = engine.records(
            tuple(each.name for each in engine.columns())
        ).to_pylist()
    return found


@pytest.mark.parametrize("ending", TYPED)
def test_what_is_written_is_read_back_equal(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"release{ending}"
    assert write_release_file(path, path, TABLE, None) == TABLE.num_rows
    assert read_back(path) == TABLE.to_pylist()


def survey(path: Path) -> Path:
    frame = polars.DataFrame({"sex": [1, 2, 2, 1, 9], "age": [30, 30, 40, 50, 50], "who": list("abcde")})
    write = pyreadstat.write_sav if path.suffix == ".sav" else pyreadstat.write_dta
    more: dict[str, Any] = {"missing_ranges": {"sex": [9]}} if path.suffix == ".sav" else {}
    words = {1: "male", 2: "female", 9: "refused", 7: "nobody"}
    write(frame, str(path), column_labels={"sex": "Sex"}, variable_value_labels={"sex": words}, **more)
    return path


@pytest.mark.parametrize("ending", [".sav", ".dta"])
@pytest.mark.parametrize("original", [".sav", ".dta"])
def test_labels_go_with_the_release(tmp_path: Path, original: str, ending: str) -> None:
    """Those of codes that are in it: one that no row has would tell of somebody who is gone."""
    origin, path = source(survey(tmp_path / f"survey{original}")), tmp_path / f"release{ending}"
    table = pyarrow.table({"sex": pyarrow.array([1, 2], pyarrow.int64()), "age": ["30-39", "40-49"]})
    write_release_file(path, path, table, origin)
    assert read_back(path) == table.to_pylist()
    labels = labels_of(path, "spss" if ending == ".sav" else "stata")
    assert labels.columns == {"sex": "Sex"}
    assert labels.values == {"sex": {1: "male", 2: "female"}}
    if original == ending == ".sav":
        assert labels.missing == {"sex": [{"lo": 9.0, "hi": 9.0}]}


@pytest.mark.parametrize("ending", RELEASE_ENDINGS)
def test_a_recipe_writes_every_format(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"release{ending}"
    steps = [{"step": "round", "columns": ["age"], "to": 20}]
    apply(survey(tmp_path / "survey.sav"), {"step": steps}, user="none", out=out)
    assert sorted(int(row["age"]) for row in read_back(out)) == [40, 40, 40, 60, 60]


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (pyarrow.array([2**60]), "'a': a cell can't hold a number with so many digits"),
        (pyarrow.array([datetime.date(1800, 1, 1)]), "a cell can't hold a date before 1901"),
        (pyarrow.array(["x" * 40_000]), "a cell can't hold more than 32,767 characters"),
        (pyarrow.array([float("inf")]), "a cell can't hold what is no number"),
        (pyarrow.array([b"x"]), "a cell can't hold values of the type binary"),
        (pyarrow.array(["x\0y"]), "a.xlsx: column 'a': a cell can't hold texts with a zero byte"),
    ],
)
def test_what_a_workbook_cannot_hold(tmp_path: Path, column: pyarrow.Array, said: str) -> None:
    with pytest.raises(OutputError, match=said):
        write_release_file(tmp_path / "a.xlsx", tmp_path / "a.part", pyarrow.table({"a": column}), None)


def test_numbers_of_a_workbook_have_all_their_digits(tmp_path: Path) -> None:
    numbers = [0.1 + 0.2, 1 / 3, 5e-324, 123456789.12345679, -1e300]
    write_release_file(tmp_path / "a.xlsx", tmp_path / "a.xlsx", pyarrow.table({"a": numbers}), None)
    assert [row["a"] for row in read_back(tmp_path / "a.xlsx")] == numbers


@pytest.mark.parametrize("ending", [".sav", ".dta"])
@pytest.mark.parametrize(
    ("column", "said"),
    [
        (pyarrow.array(["x\0y"]), "texts with a zero byte"),
        (pyarrow.array([2**64 - 1], pyarrow.uint64()), "a number with so many digits"),
        (pyarrow.array([None, -(2**53)]), "a number with so many digits"),
        (pyarrow.array([b"x"]), "bytes"),
    ],
)
def test_what_a_statistics_program_cannot_hold(
    tmp_path: Path, column: pyarrow.Array, said: str, ending: str
) -> None:
    path = tmp_path / f"a{ending}"
    with pytest.raises(
        OutputError, match=f"a{ending}: column 'a': such a file can't hold {said}; write .parq"
    ):
        write_release_file(path, path, pyarrow.table({"a": column}), None)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_durations_of_parquet_are_written_as_they_came(tmp_path: Path, unit: str) -> None:
    waits = pyarrow.array([1, 2_500, None, -7], pyarrow.duration(unit))
    data = pyarrow.table({"who": list("abcd"), "wait": waits})
    pyarrow.parquet.write_table(data, tmp_path / "t.parquet")
    out = tmp_path / "out.parquet"
    steps = [{"step": "suppress", "columns": ["who"]}]
    found = apply(tmp_path / "t.parquet", {"step": steps}, user="none", out=out)
    for released in (pyarrow.parquet.read_table(out)["wait"], found.release.to_arrow()["wait"]):
        assert released.type == waits.type
        assert sorted(released.cast(pyarrow.int64()).drop_null().to_pylist()) == [-7, 1, 2_500]


def test_names_that_a_statistics_program_cannot_have(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"a.sav: can't hold this .*; write .parquet or .csv"):
        write_release_file(tmp_path / "a.sav", tmp_path / "a.part", pyarrow.table({"a b": [1]}), None)


def test_nothing_is_left_of_a_workbook_that_could_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library keeps its rows in a file of its own until it closes the book."""

    def fails(book: xlsxwriter.Workbook) -> None:
        for sheet in book.worksheets():
            sheet.row_data_fh.close()
        raise OSError(ENOSPC, strerror(ENOSPC))

    monkeypatch.setattr(xlsxwriter.Workbook, "close", fails)
    path = tmp_path / "release.xlsx"
    with pytest.raises(OSError, match=strerror(ENOSPC)):
        write_release_file(path, path, TABLE, None)
    assert [*tmp_path.iterdir()] == []


def test_texts_are_no_formulas_in_a_workbook(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "a.xlsx"
    texts = ["=1+1", "+1", "-1", "@x", "http://x.y"]
    write_release_file(path, path, pyarrow.table({"a": texts}), None)
    with zipfile.ZipFile(path) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    assert "hyperlink" not in sheet
    assert [row["a"] for row in read_back(path)] == texts


def test_other_endings_are_refused_before_the_work() -> None:
    with pytest.raises(OutputError, match=r"end the name in \.csv, .* or \.dta"):
        check_release_target("release.pdf")


def test_generalise_keeps_the_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    survey(Path("survey.sav"))
    Path("levels").mkdir()
    assert (
        main(
            ["hierarchy", "survey.sav", "--column", "age", "--intervals", "20,40", "--out", "levels/age.json"]
        )
        == 0
    )
    words = [
        "deidentify",
        "generalise",
        "survey.sav",
        "--user",
        "none",
        "--hierarchies",
        "levels",
        "--k",
        "2",
    ]
    assert main([*words, "--fixed", "sex", "--out", "release.sav"]) == 0
    assert labels_of(Path("release.sav"), "spss").values["sex"][1] == "male"


def test_words_for_codes_do_not_stay_on_values_that_were_changed(tmp_path: Path) -> None:
    """A number that came by noise is no "refused", and the word for a person's number is a name."""
    path = tmp_path / "survey.sav"
    frame = polars.DataFrame({"who": [1, 2, 3, 4], "income": [10, 20, 30, 40], "sex": [1, 2, 1, 2]})
    words = {"who": {1: "Ann", 2: "Bob"}, "income": {40: "refused", 20: "twenty"}, "sex": {1: "male"}}
    pyreadstat.write_sav(
        frame, str(path), column_labels={"income": "Income"}, variable_value_labels=words,
        missing_ranges={"income": [40], "sex": [2]},
    )  # fmt: skip
    steps = [{"step": "round", "columns": ["income"], "to": 20}, {"step": "pseudonymise"}]
    out = tmp_path / "release.sav"
    apply(path, {"seed": 3, "step": steps}, user="who", out=out, truth=tmp_path / "truth.csv")
    labels = labels_of(out, "spss")
    assert labels.columns == {"income": "Income"}
    assert labels.values == {"sex": {1: "male"}}
    assert {*labels.missing} == {"sex"}


def test_words_of_the_person_table_are_its_own(tmp_path: Path) -> None:
    history, people = tmp_path / "h.sav", tmp_path / "p.sav"
    frame = polars.DataFrame({"who": ["a", "b"], "code": [1, 2]})
    for path, word in ((history, "tea"), (people, "north")):
        pyreadstat.write_sav(frame, str(path), variable_value_labels={"code": {1: word}})
    recipe = {"seed": 3, "step": [{"step": "pseudonymise"}]}
    out, people_out, truth = (tmp_path / name for name in ("out.sav", "people.sav", "truth.csv"))
    apply(history, recipe, user="who", people_table=people, out=out, people_out=people_out, truth=truth)
    assert labels_of(people_out, "spss").values == {"code": {1: "north"}}
    assert labels_of(out, "spss").values == {"code": {1: "tea"}}


UUIDS = pyarrow.array([bytes([number // 2]) * 16 for number in range(4)], pyarrow.binary(16))
WITH_UUIDS = pyarrow.table(
    {
        "who": list("abcd"),
        "shop": pyarrow.ExtensionArray.from_storage(pyarrow.uuid(), UUIDS),
        "age": [31, 31, 42, 42],
    }
)
LEVELS = {"age": [{"type": "raw"}, {"type": "suppress"}]}
RELEASES: dict[str, Callable[..., Any]] = {
    "apply": partial(apply, recipe={"step": [{"step": "round", "columns": ["age"], "to": 10}]}),
    "suppress": partial(suppress, user="none", k=2, columns=["age"], keep=["shop"]),
    "suppress some": partial(suppress, user="none", k=4, columns=["age"], keep=["shop"]),
    "dummies": partial(dummies, user="who", item="shop", clusters=2),
    "generalise": partial(generalise, hierarchies=LEVELS, user="none", k=2, columns=["age"], keep=["shop"]),
    "generalise at level 0": partial(
        generalise, hierarchies=LEVELS, user="none", k=2, columns=["age", "shop"]
    ),
    "locally": partial(
        generalise_locally, hierarchies=LEVELS, user="none", k=2, columns=["age"], keep=["shop"]
    ),
}


def uuid_file(path: Path) -> str:
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(WITH_UUIDS, path)
    elif path.suffix == ".arrow":
        with pyarrow.ipc.new_file(str(path), WITH_UUIDS.schema) as writer:
            writer.write_table(WITH_UUIDS)
    else:
        with duckdb.connect(str(path)) as connection:
            connection.register("given", WITH_UUIDS)
            connection.execute("CREATE TABLE t AS SELECT * FROM given")
    return f"{path}::t" if path.suffix == ".duckdb" else str(path)


def typed(path: Path) -> pyarrow.ChunkedArray:
    table = (
        pyarrow.parquet.read_table(path) if path.suffix == ".parquet" else pyarrow.feather.read_table(path)
    )
    return table["shop"]


@pytest.mark.parametrize("original", [".parquet", ".arrow", ".duckdb"])
@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_uuids_are_written_as_they_came(tmp_path: Path, original: str, ending: str) -> None:
    data, out = uuid_file(tmp_path / f"t{original}"), tmp_path / f"release{ending}"
    found = RELEASES["apply"](data, out=out)
    assert typed(out).type == pyarrow.uuid()
    assert Counter(typed(out).to_pylist()) == Counter(WITH_UUIDS["shop"].to_pylist())
    assert [each for each in found.remarks if "UUID" in each] == []


@pytest.mark.parametrize("made", RELEASES)
def test_every_release_keeps_uuids(tmp_path: Path, made: str) -> None:
    out = tmp_path / "release.parquet"
    RELEASES[made](uuid_file(tmp_path / "t.parquet"), out=out)
    assert typed(out).type == pyarrow.uuid()
    assert set(typed(out).to_pylist()) == set(WITH_UUIDS["shop"].to_pylist())


def test_uuids_in_memory_and_as_text() -> None:
    release = RELEASES["apply"](WITH_UUIDS).release
    assert release.to_frame().schema.field("shop").type == pyarrow.uuid()
    texts = {f"{each}" for each in WITH_UUIDS["shop"].to_pylist()}
    assert set(polars.DataFrame(release)["shop"].to_list()) == texts


@pytest.mark.parametrize("blank", [None, "*"])
def test_what_is_no_uuid_any_more_is_text(tmp_path: Path, blank: str | None) -> None:
    """A blank cell that is missing leaves the type as it is; a star does not."""
    out, texts = tmp_path / "release.parquet", "aaabc"
    numbers = pyarrow.array([each.encode() * 16 for each in texts], pyarrow.binary(16))
    table = pyarrow.table({"shop": pyarrow.ExtensionArray.from_storage(pyarrow.uuid(), numbers)})
    suppress(table, user="none", k=2, columns=["shop"], out=out, blank=blank)
    assert typed(out).type == (pyarrow.uuid() if blank is None else pyarrow.string())
    assert Counter(map(str, typed(out).to_pylist())) == {str(table["shop"][0]): 3, str(blank): 2}
    nothing = tmp_path / "nothing.parquet"
    missing = pyarrow.table({"shop": pyarrow.array([None, None], pyarrow.string())})
    write_release_file(nothing, nothing, missing, None, ["shop"])
    assert typed(nothing).type == pyarrow.uuid()
