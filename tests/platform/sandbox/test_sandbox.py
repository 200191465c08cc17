"""Metrics in three languages on the same tables, and what they are told of them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.deidentify.apply.apply import apply
from singleout.platform.sandbox.confinement import Wall
from singleout.platform.sandbox.metric_answer import MetricAnswerError, read_answer
from singleout.platform.sandbox.metric_tables import metric_tables
from singleout.platform.sandbox.sandbox import run_metric
from singleout.platform.uploaded_metric import Language, read_metric
from singleout.read.samples import sample
from tests.support.sandbox_walls import LIMITS, metric, r_or_skip, run, wall_or_skip

MEAN_AGE: dict[Language, str] = {
    "sql": "SELECT avg(age) FROM release",
    "python": "def metric(release):\n    return sum(v for v in release['age'].to_pylist() if v) / 2",
    "r": "mean(release$age, na.rm = TRUE)",
}
MISSING_CITIES: dict[Language, str] = {
    "sql": "SELECT count(*) FROM original WHERE city IS NULL",
    "python": "def metric(original):\n    return original['city'].null_count",
    "r": "sum(is.na(original$city))",
}
USER: dict[Language, str] = {
    "sql": "SELECT len(getvariable('user'))",
    "python": "def metric(parameters):\n    return len(parameters['user'])",
    "r": "nchar(parameters$user)",
}
UNKNOWN: dict[Language, str] = {
    "sql": "SELECT NULL",
    "python": "def metric():\n    return None",
    "r": "NA",
}


@pytest.mark.parametrize("language", ["sql", "python", "r"])
def test_every_language_gives_the_same_number(language: Language, tmp_path: Path) -> None:
    if language == "r":
        r_or_skip()
    values = [run(language, each[language], tmp_path).value for each in (MEAN_AGE, MISSING_CITIES, USER)]
    assert values == [35.0, 1.0, 3.0]
    unknown = run(language, UNKNOWN[language], tmp_path)
    assert (unknown.value, unknown.reason) == (None, "the metric gave no value")


@pytest.mark.parametrize("form", ["pandas", "polars"])
def test_python_takes_tables_as_it_likes(form: str, tmp_path: Path) -> None:
    found = wall_or_skip()
    table = tmp_path / "table.csv"
    table.write_text("age\n30\n40\n")
    body = "def metric(original):\n    print(type(original).__module__)\n    return original['age'].mean()"
    wanted = metric("python", body)
    wanted = type(wanted)(**{**vars(wanted), "tables": form})
    done = run_metric(wanted, {"original": table}, found, limits=LIMITS)
    assert done.value == 35 and done.log.startswith(form)


@pytest.mark.parametrize("wall", ["landlock", "none"])
def test_the_number_does_not_depend_on_the_wall(wall: Wall, tmp_path: Path) -> None:
    found = wall_or_skip(wall) if wall == "landlock" else wall_or_skip().__class__("none", as_root=False)
    table = tmp_path / "table.csv"
    table.write_text("who,age,city\na,30,Oslo\nb,40,\nc,,Rome\n")
    for language in ("sql", "python"):
        done = run_metric(metric(language, MEAN_AGE[language]), {"release": table}, found, limits=LIMITS)
        assert done.value == 35


@pytest.mark.parametrize("wall", ["bubblewrap", "landlock"])
def test_packages_outside_of_pythons_own_folders_are_found(
    wall: Wall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `pip install --user` or a .pth file has them; other folders of the path stay outside."""
    found = wall_or_skip(wall)
    for name in ("site-packages", "elsewhere"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"from_{name[:4]}.py").write_text("NUMBER = 7\n")
        monkeypatch.syspath_prepend(tmp_path / name)
    body = "def metric():\n    import from_site\n    return from_site.NUMBER\n"
    assert run_metric(metric("python", body), {}, found, limits=LIMITS).value == 7
    outside = run_metric(metric("python", body.replace("site", "else")), {}, found, limits=LIMITS)
    assert outside.reason == "ModuleNotFoundError: No module named 'from_else'"


def test_a_metric_leaves_the_way_to_pages_and_uploads(tmp_path: Path) -> None:
    body = "import os\ndef metric():\n    return os.getpriority(os.PRIO_PROCESS, 0)\n"
    assert run("python", body, tmp_path).value == min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)


def test_r_is_told_that_it_needs_bubblewrap(tmp_path: Path) -> None:
    found = wall_or_skip("landlock")
    (tmp_path / "table.csv").write_text("a\n1\n")
    done = run_metric(metric("r", "1"), {"release": tmp_path / "table.csv"}, found, limits=LIMITS)
    assert done.value is None and "without bubblewrap" in (done.reason or "")


def test_a_table_that_nobody_else_may_read_is_read(tmp_path: Path) -> None:
    found = wall_or_skip()
    table = tmp_path / "secret.csv"
    table.write_text("a\n1\n2\n")
    table.chmod(0o600)
    done = run_metric(metric("sql", "SELECT sum(a) FROM release"), {"release": table}, found, limits=LIMITS)
    assert done.value == 3


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("SELECT 1; SELECT 2", "exactly one SELECT"),
        ("CREATE TABLE x AS SELECT 1", "exactly one SELECT"),
        ("", "exactly one SELECT"),
        ("SELECT 1, 2", "one row with one number"),
        ("SELECT 1 WHERE false", "one row with one number"),
        ("SELECT unnest([1, 2])", "one row with one number"),
        ("SELECT 'x'", "instead of a number"),
        ("SELECT 1/0::DOUBLE", "no finite number"),
        ("SELECT nothing FROM release", "nothing"),
        ("SELECT count(*) FROM read_csv('/tables/original.csv')", "disabled by configuration"),
    ],
)
def test_sql_that_gives_no_number_says_why(body: str, reason: str, tmp_path: Path) -> None:
    found = run("sql", body, tmp_path)
    assert found.value is None and reason in (found.reason or "")


def test_the_log_is_the_authors_and_nothing_is_left_behind(tmp_path: Path) -> None:
    body = "import sys\ndef metric():\n    print('one')\n    print('\\x1b[2Jtwo', file=sys.stderr)\n    1 / 0"
    found = run("python", body, tmp_path)
    assert found.reason == "ZeroDivisionError: division by zero"
    assert "one" in found.log and "two" in found.log and "\x1b" not in found.log
    assert "line 5, in metric" in found.log and "guest.py" not in found.log


@pytest.mark.parametrize(
    ("first", "second", "kinds"),
    [
        ("1", "2", ("int64", "int64")),
        ("1", "2.5", ("double", "double")),
        ("1", "x", ("string", "string")),
        ("1", "", ("int64", "int64")),
        ("0501", "2", ("string", "string")),
        ("0", "0.5", ("double", "double")),
        ("nan", "1", ("string", "string")),
        ("1e3", "2", ("double", "double")),
        ("9223372036854775808", "1", ("double", "double")),
    ],
)
def test_a_column_is_a_number_in_both_tables_or_in_none(
    first: str, second: str, kinds: tuple[str, str], tmp_path: Path
) -> None:
    for name, value in (("original", first), ("release", second)):
        (tmp_path / f"{name}.csv").write_text(f"a,b\n{value},x\n")
    paths = {name: str(tmp_path / f"{name}.csv") for name in ("original", "release")}
    tables = metric_tables(paths, 1_000)
    assert tuple(str(each.schema.field("a").type) for each in tables.values()) == kinds


def test_types_of_parquet_stay_where_they_agree(tmp_path: Path) -> None:
    table = pyarrow.table({"day": pyarrow.array([1], pyarrow.date32()), "number": [1]})
    pyarrow.parquet.write_table(table, tmp_path / "original.parquet")
    shutil.copy(tmp_path / "original.parquet", tmp_path / "release.parquet")
    same = metric_tables({name: str(tmp_path / f"{name}.parquet") for name in ("original", "release")}, 1_000)
    assert str(same["release"].schema.field("day").type) == "date32[day]"
    (tmp_path / "release.csv").write_text("day,number\n1970-01-02,2.5\n")
    other = metric_tables(
        {"original": str(tmp_path / "original.parquet"), "release": str(tmp_path / "release.csv")}, 1_000
    )
    assert {str(each.schema.field("day").type) for each in other.values()} == {"string"}
    assert {str(each.schema.field("number").type) for each in other.values()} == {"double"}


@pytest.mark.parametrize(
    "content",
    [
        b"", b"1", b"[]", b"null", b"{}", b'{"value": 1}', b'{"value": 1, "reason": null, "more": 1}',
        b'{"value": NaN, "reason": null}', b'{"value": Infinity, "reason": null}',
        b'{"value": 1e999, "reason": null}', b'{"value": true, "reason": null}',
        b'{"value": "1", "reason": null}', b'{"value": [1], "reason": null}',
        b'{"value": 1, "value": 2, "reason": null}', b'{"value": 1, "reason": 2}',
        b'{"value": 1, "reason": null} {"value": 2, "reason": null}', b"[" * 100_000, b'{"value":' * 50_000,
        b'\xff\xfe{"value": 1}', b'{"value": ' + b"9" * 5_000 + b', "reason": null}',
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_refused(content: bytes) -> None:
    with pytest.raises(MetricAnswerError, match="not one JSON object"):
        read_answer(content)


@given(st.binary(max_size=200))
def test_any_answer_is_read_or_refused(content: bytes) -> None:
    try:
        found = read_answer(content)
    except MetricAnswerError:
        return
    assert found.value is None or abs(found.value) < float("inf")


@pytest.mark.parametrize(
    ("language", "body", "reason"),
    [
        ("python", "def metric():\n    raise KeyError('[[a], [b]] {c}')", "KeyError: '[[a], [b]] {c}'"),
        ("r", "stop('[[a], [b]] {c} is ärger')", "R: [[a], [b]] {c} is ärger"),
    ],
)
def test_a_reason_is_told_whatever_letters_it_has(
    language: Language, body: str, reason: str, tmp_path: Path
) -> None:
    if language == "r":
        r_or_skip()
    assert run(language, body, tmp_path).reason == reason


def test_a_database_of_ones_own_works_though_nothing_can_be_locked(tmp_path: Path) -> None:
    body = """
import sqlite3
def metric():
    with sqlite3.connect("/tmp/own.db") as database:
        database.execute("CREATE TABLE t AS SELECT 7 AS a")
    return sqlite3.connect("/tmp/own.db").execute("SELECT a FROM t").fetchone()[0]
"""
    assert run("python", body, tmp_path).value == 7


def test_a_reason_can_not_steer_a_terminal() -> None:
    found = read_answer(b'{"value": null, "reason": "a\\u001b[2Jb\\nc"}')
    assert found.reason is not None and "\x1b" not in found.reason and "\n" not in found.reason


@pytest.mark.parametrize("ending", ["sql", "py", "R"])
def test_the_metrics_of_the_documentation_give_the_number_that_it_shows(ending: str, tmp_path: Path) -> None:
    found = r_or_skip() if ending == "R" else wall_or_skip()
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "write-a-metric.md").read_text(encoding="utf-8")
    text = page.partition(f"cat > fare_error.{ending} <<'END'\n")[2].partition("\nEND\n")[0]
    number = float(page.partition("\nfare_error = ")[2].partition("\n")[0])
    original, release = tmp_path / "original.csv", tmp_path / "release.csv"
    sample("card", out=original)
    step = {"step": "round", "columns": ["fare"], "to": 100}
    apply(original, {"user": "user", "step": [step]}, out=release)
    wanted = read_metric(text.encode(), f"fare_error.{ending}")
    done = run_metric(wanted, {"original": original, "release": release}, found, limits=LIMITS)
    assert done.value == number, done
