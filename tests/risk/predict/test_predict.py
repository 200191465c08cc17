"""`singleout predict` as people use it: from a table or its statistics, on every engine, and bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.csv
import pytest

import singleout
from singleout import predict
from singleout.cli.main import main
from singleout.errors import InputError, OutputError, UsageError
from singleout.risk.equivalence_classes import average_risk
from singleout.risk.predict.avfm_files import avfm_text, pairs_text
from tests.support.extracts import class_sizes, statistics
from tests.support.home import Home

COLUMNS = ["date", "goods", "price", "number"]
AVFM = "column,value,frequency\nage,20,3\nage,30,2\nsex,f,4\nsex,m,1\n"
PAIRS = "column,value,other_column,other_value,frequency\nage,20,sex,f,3\nage,30,sex,f,1\nage,30,sex,m,1\n"


@pytest.fixture(scope="session")
def shop() -> pyarrow.Table:
    table = singleout.sample("shop", people=30, seed=2)
    assert isinstance(table, pyarrow.Table)
    return table


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "avfm.csv").write_text(AVFM)
    (tmp_path / "pairs.csv").write_text(PAIRS)
    return tmp_path


def by_method(found: singleout.Prediction) -> dict[str, float]:
    return {each.method: each.orr for each in found.predictions}


def test_one_answer_on_every_engine(home: Home, shop: pyarrow.Table) -> None:
    """Every number, also the shuffled ones, whatever the number of threads."""
    asked: dict[str, Any] = {
        "user": "customer",
        "columns": COLUMNS,
        "seed": 4,
        "records": [100],
        "show_values": True,
    }
    found = predict(home.put(shop), **asked).to_dict()
    reference = predict(shop, threads=1, **asked).to_dict()
    ours = [{name: value for name, value in each.items() if name not in ("source", "engine")}
            for each in (found, reference)]  # fmt: skip
    assert ours[0] == ours[1]


@pytest.mark.parametrize("missing", ["value", "drop"])
def test_the_data_itself_is_counted_too(shop: pyarrow.Table, missing: Any) -> None:
    found = predict(shop, user="customer", columns=COLUMNS, missing=missing)
    rows = list(zip(*(shop.column(name).to_pylist() for name in COLUMNS), strict=True))
    assert found.orr == len(set(rows)) / len(rows)
    assert found.records == len(rows)
    assert found.recommended == "tree"
    assert [each.method for each in found.predictions] == ["closed_form", "random", "semi_random", "tree"]
    for each in found.predictions:
        assert each.low <= each.orr <= each.high
        assert each.error == each.orr - found.orr
    assert abs(by_method(found)["closed_form"] - by_method(found)["random"]) < 0.01
    assert abs(by_method(found)["tree"] - found.orr) < abs(by_method(found)["random"] - found.orr)


def test_statistics_alone_predict_the_same(tmp_path: Path, shop: pyarrow.Table) -> None:
    """Written to files and read again, ranks instead of values: no record is needed for any method."""
    for ending in (".csv", ".json"):
        avfm, pairs = tmp_path / f"avfm{ending}", tmp_path / f"pairs{ending}"
        table = predict(shop, user="customer", columns=COLUMNS, write_avfm=avfm, write_pairs=pairs)
        alone = predict(avfm=avfm)
        assert [each.method for each in alone.predictions] == ["closed_form", "random"]
        assert (alone.orr, alone.entropies.target) == (None, None)
        assert by_method(alone)["closed_form"] == by_method(table)["closed_form"]
        assert by_method(alone)["random"] == by_method(table)["random"]
        both = predict(avfm=avfm, pairs=pairs)
        assert both.recommended == "tree"
        assert by_method(both)["tree"] == pytest.approx(by_method(table)["tree"], abs=0.01)
        assert "orr" not in both.to_dict() and "orr" in table.to_dict()
        assert both.to_dict()["values"] == table.to_dict()["values"]


def test_values_are_written_only_when_asked_for(tmp_path: Path) -> None:
    table = pyarrow.table({"town": ["Ulm", "Ulm", "Bonn"], "county": ["BW", "BW", None]})
    places = {name: tmp_path / f"{name}.csv" for name in ("avfm", "pairs", "knowledge")}
    targets: dict[str, Any] = {f"write_{name}": place for name, place in places.items()}
    found = predict(table, write_avfm=places["avfm"], write_pairs=places["pairs"])
    written = places["avfm"].read_text() + places["pairs"].read_text() + json.dumps(found.to_dict())
    assert "Ulm" not in written and "BW" not in written
    with pytest.raises(UsageError, match="add --show-values"):
        predict(table, **targets)
    predict(table, show_values=True, **targets)
    assert places["avfm"].read_text().splitlines() == [
        "column,value,frequency", "town,Ulm,2", "town,Bonn,1", "county,BW,2", "county,,1",
    ]  # fmt: skip
    assert "town,Ulm,county,BW,2" in places["pairs"].read_text()
    assert "county,BW,town,Ulm,1.0,2" in places["knowledge"].read_text()


def test_knowledge_of_a_larger_table(tmp_path: Path) -> None:
    """Half of the towns decide the county; who knows that from elsewhere predicts better than by chance."""
    large = pyarrow.table({"town": ["a", "b", "c", "d"] * 500, "county": ["x", "x", "y", "y"] * 500})
    small = large.slice(0, 40)
    learned = predict(small, columns=["town", "county"], knowledge_from=large)
    assert by_method(learned)["semi_random"] == learned.orr == 0.1
    with_more = small.append_column("more", [["x"] * 40])
    assert by_method(predict(with_more, knowledge_from=large))["semi_random"] == 0.1
    with pytest.raises(UsageError, match="shares fewer than two columns"):
        predict(small, knowledge_from=large.select(["town"]))
    file = tmp_path / "knowledge.csv"
    predict(large, write_knowledge=file, show_values=True, samples=2, capacity=1)
    avfm = tmp_path / "avfm.csv"
    predict(small, write_avfm=avfm, show_values=True, samples=2, capacity=1)
    from_files = predict(avfm=avfm, knowledge=file)
    assert [each.method for each in from_files.predictions] == ["closed_form", "random", "semi_random"]
    assert by_method(from_files)["semi_random"] == 0.1
    assert by_method(from_files)["random"] > 0.15


def test_what_if(files: Path) -> None:
    avfm = files / "avfm.csv"
    found = predict(avfm=avfm, drop=[["age"]], add=["town=5"], records=[50, 5000])
    changes = {(each.change, each.records): each for each in found.what_if}
    assert changes["without age", 5].orr == 2 / 5
    assert changes["without age", 5].columns == ("sex",)
    assert changes["with town=5", 5].orr == 1.0
    assert changes["with 5,000 records", 5000].orr == pytest.approx(4 / 5000)
    assert changes["with 5,000 records", 5000].high > changes["with 5,000 records", 5000].orr
    assert any("new values turn up" in remark for remark in found.remarks)
    assert changes["all of these", 50].columns == ("sex", "town")
    assert [each.records for each in found.what_if] == [5, 5, 50, 5000, 50, 5000]


def test_more_records_of_unique_values_stay_unique() -> None:
    """The same proportions would make each name ten times as frequent; the high end says what will be."""
    table = pyarrow.table({"name": [str(place) for place in range(100)], "sex": ["f", "m"] * 50})
    (grown,) = predict(table, records=[1000], methods=["closed_form"]).what_if
    assert (round(grown.orr, 2), grown.high) == (0.2, 1.0)
    (shrunk,) = predict(table, records=[10], methods=["closed_form"]).what_if
    assert (shrunk.orr, shrunk.high) == (1.0, 1.0)


def test_what_is_too_large_to_shuffle_is_predicted_by_formula(tmp_path: Path) -> None:
    file = tmp_path / "avfm.csv"
    file.write_text("a,b\n3000000000,2500000000\n2000000000,2500000000\n")
    found = predict(avfm=file)
    assert [each.method for each in found.predictions] == ["closed_form"]
    assert any("too large to shuffle unasked: name random by --methods" in each for each in found.remarks)
    with pytest.raises(UsageError, match="too many to shuffle"):
        predict(avfm=file, methods=["random"])


def test_records_left_out_are_counted_once() -> None:
    table = pyarrow.table({"who": [1, 1, 2, None], "a": ["x", "y", None, "x"], "b": ["x", "y", "x", "x"]})
    found = predict(table, user="who", missing="drop")
    assert found.records == 3
    assert "1 records with a missing value are left out" in found.remarks
    assert not any("without a user" in each or "-" in each for each in found.remarks)


def test_only_the_methods_asked_for(shop: pyarrow.Table) -> None:
    found = predict(shop, user="customer", columns=COLUMNS, methods=["closed_form"])
    assert [each.method for each in found.predictions] == ["closed_form"]
    assert found.entropies.random is None
    assert found.recommended == "closed_form"


def test_sparse_tables_are_warned_of() -> None:
    table = pyarrow.table(
        {f"c{place}": [str((row * (place + 7)) % 61) for row in range(200)] for place in range(12)}
    )
    found = predict(table)
    assert any("split the table into smaller ones" in remark for remark in found.remarks)
    assert not any("split" in remark for remark in predict(table.select(["c0", "c1"])).remarks)


def test_the_command_prints_what_python_returns(
    files: Path, shop: pyarrow.Table, capsys: pytest.CaptureFixture[str]
) -> None:
    file = files / "shop.csv"
    pyarrow.csv.write_csv(shop, file)
    words = ["predict", str(file), "--columns", ",".join(COLUMNS), "--user", "customer"]
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads(json.dumps(predict(file, columns=COLUMNS, user="customer").to_dict()))
    assert {"records", "columns", "predictions", "orr", "entropies", "dependencies"} <= set(document)
    assert set(document["predictions"][0]) >= {"method", "orr", "low", "high"}
    assert set(document["entropies"]) == {"maximum", "experience", "random", "target"}
    assert set(document["dependencies"][0]) >= {"of", "on", "gain_ratio", "class"}
    assert main([*words, "--drop", "date", "--add", "till=9", "--record-counts", "9"]) == 0
    out, err = capsys.readouterr()
    assert "predicted from statistics, by the method tree" in " ".join(out.split())
    assert all(len(line) <= 80 for line in out.splitlines())
    assert "the ORR counts records" in " ".join(err.split())


def test_how_to_read_the_table_can_be_said(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of both tables, and of none where there is only a file of statistics."""
    for name in ("one.csv", "other.csv"):
        (files / name).write_text("20;?\n20;f\n30;f\n")
    words = ["--delimiter", ";", "--header", "no", "--missing-text", "?", "--missing", "drop", "--json"]
    other = ["--knowledge-from", str(files / "other.csv")]
    assert main(["predict", str(files / "one.csv"), *other, *words]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["records"], len(document["columns"])) == (2, 2)
    assert main(["predict", "--avfm", str(files / "avfm.csv"), "--delimiter", ";"]) == 2
    assert "with --avfm leave it out" in capsys.readouterr().err


def test_alternatives_need_not_fit_together(files: Path) -> None:
    found = predict(avfm=files / "avfm.csv", drop=[["age"], ["sex"]], add=["n=3", "n=4"], records=[100])
    assert [each.change for each in found.what_if] == [
        "without age", "without sex", "with n=3", "with n=4", "with 100 records",
    ]  # fmt: skip


def test_new_values_beyond_all_lists_are_taken_as_unique() -> None:
    table = pyarrow.table({"id": [str(place) for place in range(300)]})
    (grown,) = predict(table, records=[10**9], methods=["closed_form"]).what_if
    assert grown.high == 1.0


def test_what_can_not_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    table = pyarrow.table({"a": ["", None, "x"], "b": ["1", "2", "2"]})
    with pytest.raises(UsageError, match=r"write \.json"):
        predict(table, show_values=True, write_avfm=tmp_path / "a.json", write_pairs=tmp_path / "p.csv")
    assert list(tmp_path.iterdir()) == []


def test_labels_keep_what_the_codes_tell_apart(tmp_path: Path) -> None:
    """Nanoseconds are told apart by the database, so their texts must be too."""
    times = pyarrow.array([1577836800000000001, 1577836800000000002], pyarrow.timestamp("ns"))
    file = tmp_path / "avfm.csv"
    predict(pyarrow.table({"t": times, "b": ["x", "y"]}), show_values=True, write_avfm=file)
    assert predict(avfm=file).records == 2


def test_a_constant_column_depends_on_nothing_in_words(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "constant.csv"
    file.write_text("a,b\n" + "x,y\n" * 5)
    assert main(["predict", str(file)]) == 0
    assert "depend strongly" not in capsys.readouterr().out


def test_statistics_by_the_command(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pairs of two columns are all there is to know: the tree is exact, three rows of five."""
    words = ["predict", "--avfm", str(files / "avfm.csv"), "--pairs", str(files / "pairs.csv")]
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [each["orr"] for each in document["predictions"] if each["method"] == "tree"] == [0.6]
    assert "orr" not in document
    assert main(words) == 0
    assert "0.6000" in capsys.readouterr().out


def test_results_as_tables(files: Path) -> None:
    found = predict(avfm=files / "avfm.csv")
    assert found.to_arrow().column("method").to_pylist() == ["closed_form", "random"]
    assert list(found.to_frame()["method"]) == ["closed_form", "random"]
    assert "<table>" in found._repr_html_()
    assert "closed_form 0.6" in repr(found)


BAD_FILES = {
    "unequal sums": ("column,value,frequency\na,x,3\nb,y,4\n", "same number of records"),
    "negative": ("column,value,frequency\na,x,-3\n", "line 2"),
    "fractional": ("column,value,frequency\na,x,1.5\n", "line 2"),
    "no number": ("column,value,frequency\na,x,many\n", "line 2"),
    "empty": ("", "avfm.csv"),
    "only a header": ("column,value,frequency\n", "avfm.csv"),
}


@pytest.mark.parametrize(("text", "fault"), BAD_FILES.values(), ids=list(BAD_FILES))
def test_bad_statistics_are_one_line(
    files: Path, text: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "avfm.csv").write_text(text)
    assert main(["predict", "--avfm", str(files / "avfm.csv")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err[:7]) == ("", 1, "error: ")
    assert fault in err and "avfm.csv" in err


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("town,20,sex,f,1", "no column 'town'"),
        ("age,20,sex,x,1", "never has this value"),
        ("age,20,sex,f,-1", "line 2"),
        ("age,20,sex,f,4", "age"),
        ("age,20,age,30,1", "age"),
    ],
)
def test_bad_pairs_are_one_line(
    files: Path, line: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "pairs.csv").write_text(PAIRS.splitlines()[0] + f"\n{line}\n")
    words = ["predict", "--avfm", str(files / "avfm.csv"), "--pairs", str(files / "pairs.csv")]
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err[:7]) == ("", 1, "error: ")
    assert fault in err and "pairs.csv" in err


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"avfm": None}, "either the data or"),
        ({"data": "x.csv"}, "either the data or"),
        ({"methods": ["closd_form"]}, "did you mean 'closed_form'"),
        ({"methods": ["tree"]}, "give pair tables by --pairs"),
        ({"methods": ["semi_random"]}, "give pair tables by --pairs"),
        ({"methods": []}, "at least one method"),
        ({"samples": 0}, "samples"),
        ({"capacity": 0, "methods": ["closed_form"]}, "capacity"),
        ({"drop": ["age"]}, "drop lists lists"),
        ({"records": 100}, "records lists whole numbers"),
        ({"samples": 1, "capacity": 1}, "at least 2 shuffles"),
        ({"drop": [["agee"]]}, "did you mean 'age'"),
        ({"drop": [["age", "sex"]]}, "nothing is left"),
        ({"add": ["x"]}, "is no column to add"),
        ({"add": ["x=0"]}, "0 values are impossible"),
        ({"add": ["x=1,-1"]}, "impossible"),
        ({"add": ["age=2"]}, "a column 'age' already"),
        ({"records": [0]}, "0 records are impossible"),
        ({"columns": ["age"]}, "columns is said of a table; with --avfm leave it out"),
        ({"user": "age"}, "user is said of a table"),
        ({"study": "s.toml"}, "study is said of a table"),
        ({"missing": "drop"}, "missing is said of a table"),
        ({"knowledge": "a.csv", "knowledge_from": "b.csv"}, "give one of them"),
    ],
)
def test_bad_usage_is_one_line(files: Path, change: dict[str, Any], fault: str) -> None:
    with pytest.raises(UsageError, match=fault) as raised:
        predict(**({"avfm": files / "avfm.csv"} | change))
    assert "\n" not in str(raised.value)


def test_bad_targets_are_told_before_the_work(files: Path) -> None:
    avfm = files / "avfm.csv"
    for target, fault in (
        (avfm, "belongs to what is read"),
        (files / "out.xlsx", "end the name in .csv or .json"),
    ):
        with pytest.raises(OutputError, match=fault):
            predict(avfm=avfm, write_avfm=target)
    with pytest.raises(UsageError, match="name each differently"):
        predict(avfm=avfm, write_avfm=files / "a.csv", write_pairs=files / "a.csv")
    with pytest.raises(UsageError, match="use value or drop"):
        predict(pyarrow.table({"a": ["x"]}), missing="wildcard")
    with pytest.raises(InputError, match="no record has a value in every column"):
        predict(pyarrow.table({"a": ["x", None], "b": [None, "y"]}), missing="drop")
    with pytest.raises(UsageError, match="leave --pairs out"):
        predict(pyarrow.table({"a": ["x"]}), pairs=files / "pairs.csv")


HOSPITAL = ["age race gender time_in_hospital", "diag_1 diag_2", "age gender diag_1 time_in_hospital"]


@pytest.mark.parametrize("columns", HOSPITAL)
def test_hospital_stays(real_data: Path, columns: str) -> None:
    """UCI Diabetes: the closed form is what shuffles tend to, and the tree comes far nearer to the truth."""
    file = real_data / "diabetes" / "diabetic_data.csv.gz"
    found = predict(file, user="none", columns=columns.split(), methods=["closed_form", "random", "tree"])
    check_hospital_stays({each.method: each.error or 0.0 for each in found.predictions})


def check_hospital_stays(error: dict[str, float]) -> None:
    assert abs(error["closed_form"] - error["random"]) < 0.002
    assert abs(error["tree"]) < min(0.005, abs(error["random"]))


@pytest.mark.parametrize("columns", HOSPITAL)
def test_hospital_stays_from_statistics(columns: str, tmp_path: Path) -> None:
    """The same without the records: from files of frequencies and pairs, and the truth from class sizes."""
    frequencies, pairs = statistics("diabetes", columns)
    (tmp_path / "avfm.csv").write_text(avfm_text(frequencies, ".csv", show_values=False))
    (tmp_path / "pairs.csv").write_text(pairs_text(frequencies, pairs, ".csv", show_values=False))
    found = predict(
        avfm=tmp_path / "avfm.csv",
        pairs=tmp_path / "pairs.csv",
        methods=["closed_form", "random", "tree"],
    )
    true = average_risk(class_sizes("diabetes", columns))
    check_hospital_stays({method: orr - true for method, orr in by_method(found).items()})


def test_a_table_too_wide_for_all_its_pairs_is_refused_at_once() -> None:
    table = pyarrow.table({f"c{number}": [1, 2, 3] for number in range(500)})
    with pytest.raises(UsageError, match=r"500 columns have 124,750 pairs, .* by --columns, 250 at most"):
        predict(table)
    assert predict(table, columns=["c1", "c2"]).columns == ("c1", "c2")
