"""One suite of checks for the whole assessment, on ordinary and on extreme tables."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import singleout
from singleout import assess, person_risks, record_risks
from singleout.engine.databases import duckdb
from singleout.engine.missing_values import Missing
from singleout.errors import InputError, UsageError
from singleout.report.terminal.assess import show_assessment
from singleout.report.wording import percent
from singleout.risk.measures import ASSESSMENT_MEASURES

TEXT = pyarrow.string()
TABLES: dict[str, pyarrow.Table] = {
    "one record": pyarrow.table({"who": ["a"], "x": ["1"]}),
    "all missing": pyarrow.table(
        {"who": ["a", "b"], "x": pyarrow.array([None, None], TEXT), "y": ["1", "2"]}
    ),
    "one huge class": pyarrow.table({"who": [str(n) for n in range(500)], "x": ["same"] * 500}),
    "all different": pyarrow.table({"who": ["a"] * 500, "x": [str(n) for n in range(500)]}),
    "awkward names": pyarrow.table(
        {"who": ["a", "b"], "q\"'`.;--": ["1", "2"], "select": ["x", "x"], "é 名": [1, 2]}
    ),
    "some people missing": pyarrow.table({"who": ["a", None, "b", None], "x": ["1", "1", "2", "3"]}),
    "typed": pyarrow.table({"who": [1, 2, 2], "x": [1.5, float("nan"), -0.0], "y": [True, None, False]}),
    "shop": singleout.sample("shop", people=20),
}


@pytest.fixture(params=TABLES, ids=list(TABLES))
def table(request: pytest.FixtureRequest) -> pyarrow.Table:
    return TABLES[request.param]


def user_of(table: pyarrow.Table) -> str:
    return str(table.column_names[0])


def numbers(found: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every number of a measure, by the measure's name."""
    for attribute in found["attributes"]:
        for name in ("values", "alpha", "risk", "low_cost", "low_cost_error", "low_cost_floor"):
            yield name, attribute[name]
        if attribute["sampling"]:
            yield "sampling.risk", attribute["sampling"]["risk"]
    for name in ("classes", "k", "unique", "highest_risk", "average_risk", "entropy", "people_alone"):
        yield name, found["classes"][name]
    for name, value in (found["classes"]["people"] or {}).items():
        yield f"people.{name}", value


@pytest.mark.parametrize("missing", ["value", "wildcard"])
def test_numbers_are_in_their_range_or_unknown_with_a_reason(table: pyarrow.Table, missing: Missing) -> None:
    found = assess(table, user=user_of(table), missing=missing).to_dict()
    defined = {measure.name: measure for measure in ASSESSMENT_MEASURES}
    for name, value in numbers(found):
        if value is None:
            assert missing == "wildcard"
            continue
        measure = defined[name]
        assert measure.lowest - 1e-12 <= value
        assert measure.highest is None or value <= measure.highest + 1e-12
        assert found["definitions"][name]["counted_over"] in ("records", "people", "classes", "values")


def test_every_measure_is_reported() -> None:
    found = assess(TABLES["shop"], user="customer").to_dict()
    assert {name for name, value in numbers(found) if value is not None} == {
        each.name for each in ASSESSMENT_MEASURES
    }


def test_json_round_trip_without_not_a_number(table: pyarrow.Table) -> None:
    found = assess(table, user=user_of(table)).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_the_fields_that_others_script_against(table: pyarrow.Table) -> None:
    found = assess(table, user=user_of(table)).to_dict()
    assert {"records", "people", "attributes", "riskiest", "classes", "curve", "remarks"} <= found.keys()
    for attribute in found["attributes"]:
        wanted = {"name", "values", "alpha", "risk", "low_cost", "low_cost_error", "sampling"}
        assert wanted <= attribute.keys()
        assert {"sample", "risk", "low", "high", "confidence", "read"} <= attribute["sampling"].keys()
    wanted = {"columns", "classes", "k", "unique", "highest_risk", "average_risk", "entropy"}
    assert wanted <= found["classes"].keys()
    assert all(point.keys() == {"risk", "share"} for point in found["curve"])
    assert found["curve"][-1]["share"] == 1


def test_frames_and_notebooks(table: pyarrow.Table) -> None:
    found = assess(table, user=user_of(table))
    frame = found.to_frame()
    assert list(frame["name"]) == found.to_arrow().column("name").to_pylist()
    assert len(frame) == len(found.attributes)
    html = found._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 2
    assert "\"'`" not in html  # names are escaped
    assert html.startswith("<p><strong>")
    assert found.decision.headline in html.partition("<table>")[0]


def test_same_seed_same_answer_on_any_number_of_threads(
    table: pyarrow.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = assess(table, user=user_of(table), seed=4)
    monkeypatch.setattr(duckdb, "CODES_FROM", 1)
    for threads in (1, 2, 3):
        assert assess(table, user=user_of(table), seed=4, threads=threads) == plain


def test_the_input_is_not_changed(table: pyarrow.Table) -> None:
    before = table.to_pydict()
    assess(table, user=user_of(table))
    assert repr(table.to_pydict()) == repr(before)


def test_without_a_user_each_record_is_its_own_person() -> None:
    found = assess(TABLES["one huge class"], columns=["x"])
    assert found.people == found.records == 500
    assert found.remarks == ("no user column: each record is its own person",)
    assert found.attributes[0].risk.alpha.value == 1
    assert found.classes is not None
    assert found.classes.by_people is None


def test_records_without_a_user_are_told() -> None:
    table = TABLES["some people missing"]
    kept = assess(table, user="who")
    assert (kept.people, kept.remarks) == (3, ("2 records without a user count as one unknown person",))
    left_out = assess(table, user="who", missing="drop")
    assert (left_out.people, left_out.remarks) == (2, ("2 records without a user are left out",))
    assert left_out.attributes[0].risk.records == 2


def test_a_column_without_values_is_left_out_by_the_rule_drop() -> None:
    found = assess(TABLES["all missing"], user="who", missing="drop")
    assert [attribute.name for attribute in found.attributes] == ["y"]
    assert found.classes is None
    assert found.to_dict()["classes"] is None
    assert [remark.split(":")[0] for remark in found.remarks] == ["x", "all columns together"]


def test_tuples_of_attributes() -> None:
    table = pyarrow.table({"who": [1, 1, 2, 3], "a": ["x", "x", "x", "y"], "b": ["1", "2", "1", "1"]})
    found = {each.name: each.risk for each in assess(table, user="who", together=[("a", "b")]).attributes}
    assert found["a+b"].values.value == 3
    assert found["a+b"].risk.value == pytest.approx((2 * 1 / 2 + 1 + 1) / 4)
    assert found["a"].risk.value == pytest.approx((3 * 1 / 2 + 1) / 4)


def test_the_riskiest_attribute_and_whether_samples_separate_it() -> None:
    clear = pyarrow.table({"who": list(range(200)), "safe": ["x"] * 200, "risky": list(range(200))})
    found = assess(clear, user="who").riskiest
    assert found is not None
    assert (found.exact, found.low_cost, found.sampling, found.separated) == ("risky", "risky", "risky", True)
    even = pyarrow.table({"who": [1, 2], "a": ["x", "y"], "b": ["x", "y"]})
    tied = assess(even, user="who").riskiest
    assert tied is not None
    assert tied.separated is False


def test_progress_is_told_in_order_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    assess(TABLES["shop"], user="customer", progress=lambda _, done, total: told.append((done, total)))
    assert told[:8] == [(place, 7) for place in range(8)]
    assert told[-1] == (1, 1)


def test_a_file_larger_than_the_threshold_gives_the_same_by_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    shop = singleout.sample("shop", people=100, seed=9)
    by_sql = assess(shop, user="customer", together=[("date", "time")])
    monkeypatch.setattr(duckdb, "CODES_FROM", 1)
    assert assess(shop, user="customer", together=[("date", "time")]) == by_sql


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"user": "whoo"}, "did you mean 'who'"),
        ({"columns": ["z"]}, "there is no column 'z'"),
        ({"columns": []}, "no column is left"),
        ({"columns": ["who"], "user": "who"}, "is the user column"),
        ({"together": ["x"]}, "is one column"),
        ({"missing": "maybe"}, "is no rule"),
        ({"sampling": "clever"}, "there is no sampling"),
        ({"engine": "oracle"}, "there is no engine"),
        ({"sample": 0}, "a whole number from 1 up"),
        ({"confidence": math.nan}, "is impossible"),
        ({"memory": "lots"}, "write it like 4GB"),
        ({"memory": "1MB"}, "at least 100MB"),
        ({"threads": 0}, "from 1 to 256"),
        ({"threads": "2"}, "must be a whole number"),
        ({"confidence": "0.9"}, "is impossible"),
        ({"study": {"x": "user"}}, "a dict is no study"),
        ({"columns": "x"}, "give a list"),
        ({"columns": [1]}, "named by text"),
        ({"missing": "wildcard", "sample_sizes": [1]}, "curve needs"),
    ],
)
def test_wrong_questions_say_what_would_be_right(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        assess(TABLES["one record"], **wrong)


def test_nothing_to_assess_is_an_error() -> None:
    empty = pyarrow.table({"who": pyarrow.array([], TEXT), "x": pyarrow.array([], TEXT)})
    with pytest.raises(InputError, match="no records"):
        assess(empty, user="who")
    nobody = pyarrow.table({"who": pyarrow.array([None, None], TEXT), "x": ["1", "2"]})
    with pytest.raises(InputError, match="nothing but missing"):
        assess(nobody, user="who")
    with pytest.raises(UsageError, match="is not a table"):
        assess(3)


def test_a_mistyped_parameter_is_refused(tmp_path: Path) -> None:
    jobs: list[Any] = [record_risks, person_risks]
    for job in jobs:
        with pytest.raises(TypeError, match="'colums' is no parameter"):
            job(TABLES["shop"], tmp_path / "x.csv", colums=["date"])


def test_where_a_sample_would_mislead_is_told() -> None:
    """The exact risk is known, so an interval that misses it is called out."""
    rare = pyarrow.table(
        {"who": [n % 40 for n in range(4000)], "x": [n if n < 500 else -1 for n in range(4000)]}
    )
    told = [assess(rare, user="who", seed=seed) for seed in range(10)]
    for found in told:
        drawn, exact = found.attributes[0].sampling, found.attributes[0].risk.risk.known
        assert drawn is not None
        said = any("misses the exact risk of x" in remark for remark in found.remarks)
        assert said == (not drawn.low <= exact <= drawn.high)


def test_a_tuple_does_not_compete_with_its_parts() -> None:
    table = pyarrow.table(
        {"who": [1, 2, 3], "a": ["x", "x", "y"], "b": ["u", "v", "v"], "a+b": ["w", "w", "w"]}
    )
    found = assess(table, user="who", together=[("a", "b")]).riskiest
    assert found is not None
    assert found.exact == "a"


def test_left_out_records_are_counted() -> None:
    table = pyarrow.table({"who": ["a", "b", None], "x": ["1", None, "1"], "y": [None, "2", "2"]})
    found = assess(table, user="who", missing="drop")
    assert (found.records, found.people) == (2, 2)
    assert "records left out for a missing value: x 1, y 1" in found.remarks


@pytest.mark.parametrize("width", [20, 42, 60, 80, 200])
def test_name_and_risk_are_shown_at_any_width(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    table = pyarrow.table({"who": [1, 2, 2], "goods": ["x", "y", "y"], "\x1b[31mred": ["x", "x", "x"]})
    show_assessment(assess(table, user="who"))
    shown = capsys.readouterr().out
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= width
    assert "goods" in shown
    assert "\x1b[31m" not in shown
    assert any(line.split()[:2] == ["goods", "1"] for line in shown.splitlines())


@pytest.mark.parametrize(
    ("part", "whole", "words"),
    [(0, 9, "0%"), (1, 900, "under 1%"), (450, 900, "50%"), (899, 900, "over 99%"), (9, 9, "100%")],
)
def test_some_is_never_none_and_nearly_all_never_all(part: int, whole: int, words: str) -> None:
    assert percent(part, whole) == words
