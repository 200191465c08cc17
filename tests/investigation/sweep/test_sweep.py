"""Sweeps: every run as if made by hand, means that hide nothing, and numbers that no thread changes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout import apply, compare, report_on, sample, sweep
from singleout.errors import InputError, OutputError, SingleoutError, UsageError
from singleout.investigation.sweep import sweep as module
from singleout.investigation.sweep.averages import average
from singleout.investigation.sweep.sweep_run import measure_run
from singleout.investigation.sweep.sweep_study import study_of
from tests.support.command_line import Captured, complaint, document_of

STEPS = [{"step": "noise", "columns": ["price"], "amount": "$size"}]
MEASURED: dict[str, Any] = {
    "user": "customer", "item": "goods", "amount": "price", "metrics": ["u1_fare_by_person"],
    "attacks": ["jaccard", "amount"],
}  # fmt: skip
RUNS = 4


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sweep") / "shop.csv"
    sample("shop", people=8, out=place)
    return place


def noise(shop: Path, **changed: Any) -> dict[str, Any]:
    release = {"name": "noise", "parameters": {"size": [1, 50]}, "step": STEPS}
    return {"data": str(shop), "seeds": 2, "measured": MEASURED, "release": [release], **changed}


@pytest.fixture(scope="module")
def found(shop: Path) -> Any:
    return sweep(noise(shop), threads=1)


def test_a_run_is_what_apply_and_compare_give(shop: Path, found: Any, tmp_path: Path) -> None:
    recipe = {"step": [{**STEPS[0], "amount": 50}]}
    apply(shop, recipe, user="customer", seed=2, out=tmp_path / "r.parquet", truth=tmp_path / "t.csv")
    by_hand = compare(
        shop, tmp_path / "r.parquet", truth=tmp_path / "t.csv", recipe=recipe, seed=2, **MEASURED
    ).outcomes[0]
    row = found.rows[-1]
    assert (row["release"], row["setting"], row["seed"]) == ("noise", {"size": 50}, 2)
    assert row["utility.u1_fare_by_person"] == by_hand.metric("u1_fare_by_person").value  # type: ignore[union-attr]
    for name in ("jaccard", "amount", "best"):
        assert row[f"privacy.{name}"] == by_hand.attack(name).rate  # type: ignore[union-attr]


def test_means_are_over_seeds(found: Any) -> None:
    assert [each["seed"] for each in found.rows] == [1, 2, 1, 2]
    mean = next(each for each in found.averages if each.name == "utility.u1_fare_by_person")
    values = [row["utility.u1_fare_by_person"] for row in found.rows[:2]]
    assert mean.mean == pytest.approx(fmean(values))
    # t with one degree of freedom is 12.706
    assert mean.high - mean.mean == pytest.approx(12.7062 * stdev(values) / math.sqrt(2), rel=1e-4)
    assert (mean.lowest, mean.highest) == (min(values), max(values))


def test_as_many_processes_as_you_like(shop: Path, found: Any) -> None:
    assert sweep(noise(shop), threads=2).rows == found.rows


def test_dummies_are_swept_too(shop: Path) -> None:
    release = {
        "name": "dummies", "parameters": {"c": [2, 4], "how": ["1", "2"]},
        "dummies": {"clusters": "$c", "method": "$how"},
    }  # fmt: skip
    swept = sweep(noise(shop, release=[release], seeds=1), threads=1)
    assert [row["setting"] for row in swept.rows] == [
        {"c": 2, "how": "1"}, {"c": 2, "how": "2"}, {"c": 4, "how": "1"}, {"c": 4, "how": "2"},
    ]  # fmt: skip
    for row in swept.rows:
        assert row["made.bound"] == row["setting"]["c"] / 8
        assert row["privacy.jaccard"] <= row["made.bound"] + 1e-12
        assert row["made.records"] == row["made.dummies"] + 762
    assert swept.remarks == (module.ONE_SEED,)
    assert all(each.low is None for each in swept.averages)


def test_a_stopped_sweep_goes_on(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Any
) -> None:
    made: list[str] = []

    def stop_after(most: int) -> None:
        def counted(study: Any, run: Any, threads: Any) -> Any:
            if len(made) == most:
                raise KeyboardInterrupt
            made.append(run.key)
            return measure_run(study, run, threads)

        monkeypatch.setattr(module, "measure_run", counted)

    out = tmp_path / "runs.parquet"
    stop_after(3)
    with pytest.raises(KeyboardInterrupt):
        sweep(noise(shop), out=out, threads=1)
    assert not out.exists()
    stop_after(99)
    again = sweep(noise(shop), out=out, threads=1)
    assert len(made) == len({*made}) == RUNS
    assert (again.resumed, again.rows) == (3, found.rows)
    assert pyarrow.parquet.read_table(out).num_rows == RUNS
    assert [each.name for each in tmp_path.iterdir()] == ["runs.parquet"]


def test_a_damaged_number_is_not_taken(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Any
) -> None:
    out = tmp_path / "runs.csv"
    kept = Path(f"{out}{module.ENDING}")

    def one_run(study: Any, run: Any, threads: Any) -> Any:
        if kept.exists():
            raise KeyboardInterrupt
        return measure_run(study, run, threads)

    monkeypatch.setattr(module, "measure_run", one_run)
    with pytest.raises(KeyboardInterrupt):
        sweep(noise(shop), out=out, threads=1)
    sound = kept.read_text()
    damaged = sound.replace('"made.records": ', '"made.records": 1', 1)
    assert damaged != sound
    kept.write_text(damaged)
    monkeypatch.setattr(module, "measure_run", measure_run)
    again = sweep(noise(shop), out=out, threads=1)
    assert (again.resumed, again.rows) == (0, found.rows)
    assert "is damaged, or of another study" in again.remarks[0]


def test_a_text_that_is_too_long_for_the_name_of_a_file(shop: Path) -> None:
    module._digest(study_of(noise(shop, measured={**MEASURED, "hierarchies": "x" * 5000})))


@pytest.mark.parametrize("left", ["{", '{"check": "x", "done": {}}', '{"done": 1}', "[]", "[" * 100_000])
def test_what_others_left_is_not_taken(left: str, shop: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "measure_run", lambda *_: {"made.records": 1})
    out = tmp_path / "runs.csv"
    Path(f"{out}{module.ENDING}").write_text(left)
    swept = sweep(noise(shop), out=out, threads=1)
    assert (swept.resumed, len(swept.remarks)) == (0, 1)
    assert "all runs are made anew" in swept.remarks[0]


def test_other_data_is_another_study(shop: Path, tmp_path: Path, monkeypatch: Any) -> None:
    other = tmp_path / "shop.csv"
    other.write_bytes(shop.read_bytes())
    before = module._digest(study_of(noise(other)))
    assert module._digest(study_of(noise(other))) == before
    other.write_bytes(shop.read_bytes().replace(b"2011", b"2012", 1))
    assert module._digest(study_of(noise(other))) != before
    monkeypatch.chdir(tmp_path)
    levels = {**MEASURED, "hierarchies": "levels.csv"}
    absent = module._digest(study_of(noise(other, measured=levels)))
    (tmp_path / "levels.csv").write_text("a;*\n")
    assert module._digest(study_of(noise(other, measured=levels))) != absent


@given(
    values=st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=6),
)
def test_a_mean_with_an_unknown_run_is_unknown(values: list[float | None]) -> None:
    rows = [
        {"privacy.x": value, **({} if value is not None else {"reason.privacy.x": "r"})} for value in values
    ]
    got = average("a", {}, "privacy.x", rows)
    if None in values:
        assert got.mean is got.low is got.highest is None
        assert got.reason == "r"
        return
    known = [value for value in values if value is not None]
    assert got.mean == pytest.approx(fmean(known))
    if len(values) > 1:
        assert 0 <= got.low <= got.mean + 1e-12  # type: ignore[operator]
        assert got.mean - 1e-12 <= got.high <= 1  # type: ignore[operator]


def test_the_tables(found: Any) -> None:
    table = found.to_arrow()
    assert table.column_names[:3] == ["release", "size", "seed"]
    assert table.num_rows == RUNS
    averages = found.average_table().to_arrow()
    assert averages.num_rows == len(found.averages)
    entry = found.to_dict()
    assert json.loads(json.dumps(entry, allow_nan=False)) == entry
    pairs = {(each["of"], each["with"]): each["pearson"] for each in entry["correlations"]}
    # all runs have as many records
    assert pairs["made.records", "utility.u1_fare_by_person"] is None


def test_correlations_are_over_runs(found: Any) -> None:
    one, two = found.values("utility.u1_fare_by_person"), found.values("privacy.amount")
    mean = fmean(one), fmean(two)
    product = sum((x - mean[0]) * (y - mean[1]) for x, y in zip(one, two, strict=True))
    spread = math.sqrt(sum((x - mean[0]) ** 2 for x in one) * sum((y - mean[1]) ** 2 for y in two))
    assert found.correlation("utility.u1_fare_by_person", "privacy.amount") == pytest.approx(product / spread)


def test_the_page(found: Any) -> None:
    report = report_on(found, date="2026-11-16")
    names = [chart.name for section in report.sections for chart in section.charts]
    assert any(name.startswith("curve-") for name in names)
    assert any(name.startswith("bargain-") for name in names)
    page = report.to_html()
    assert "utility.u1_fare_by_person by size" in page
    assert "a mean over seeds judges none" in page.replace("\n", " ")


def test_the_command(shop: Path, tmp_path: Path, capsys: Captured, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(
        f'data = "{shop}"\n[measured]\nuser = "customer"\nitem = "goods"\nmetrics = ["records_kept"]\n'
        'attacks = ["jaccard"]\n[[release]]\nname = "plain"\n[[release.step]]\nstep = "pseudonymise"\n'
    )
    words = ["sweep", "study.toml", "--out", "runs.csv", "--averages", "means.csv", "--html", "s.html"]
    document = document_of(capsys, [*words, "--threads", "1"])
    assert document["runs"][0]["privacy.jaccard"] == 1
    assert pyarrow.csv.read_csv("runs.csv").num_rows == 1
    assert {each.name for each in tmp_path.iterdir()} == {"study.toml", "runs.csv", "means.csv", "s.html"}


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"seeds": 0}, "seeds: 0 is wrong"),
        ({"seeds": [1, 1]}, "seeds: "),
        ({"sedes": 1}, "there is no 'sedes'; did you mean 'seeds'"),
        ({"measured": 1}, r"write a table \[measured\]"),
        ({"measured": {"itm": "goods"}}, "there is no 'itm'; did you mean 'item'"),
        ({"release": []}, r"write each as \[\[release\]\]"),
        ({"release": [{"name": "a"}]}, "release 1: write either"),
        ({"release": [{"name": "", "step": []}]}, "release 1: name"),
        ({"release": [{"step": STEPS}]}, r"\$size is no parameter"),
        ({"release": [{"step": STEPS, "parameters": {"size": []}}]}, "size: write a list"),
        ({"release": [{"step": STEPS, "parameters": {"size": [1, 1]}}]}, "a value is there twice"),
        ({"release": [{"step": STEPS, "parameters": {"size": [1], "x": [2]}}]}, "'x' stands nowhere"),
        ({"release": [{"step": [], "name": "a"}] * 2}, "two releases are called 'a'"),
        ({"seeds": 60_000}, "that are 120,000 runs"),
    ],
)
def test_what_no_study_says(changed: dict[str, Any], fault: str, shop: Path) -> None:
    with pytest.raises(InputError, match=fault):
        study_of(noise(shop, **changed))


def test_a_failed_run_says_which(shop: Path) -> None:
    release = {"name": "odd", "parameters": {"size": [-1]}, "step": STEPS}
    with pytest.raises(SingleoutError, match=r"odd \(size = -1\), seed 1: "):
        sweep(noise(shop, release=[release]), threads=1)


def test_tables_in_memory_and_one_file_for_both_are_refused(shop: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="every run reads anew"):
        sweep(noise(shop, data=pyarrow.table({"a": [1]})))
    with pytest.raises(OutputError, match="name two files"):
        sweep(noise(shop), out=tmp_path / "a.csv", averages=tmp_path / "a.csv")


def test_nothing_that_is_read_is_written_to(shop: Path, tmp_path: Path, capsys: Captured) -> None:
    data, levels = tmp_path / "shop.csv", tmp_path / "levels.csv"
    data.write_bytes(shop.read_bytes())
    levels.write_text("1;*\n")
    study = tmp_path / "study.csv"
    measured = {**MEASURED, "hierarchies": str(levels)}
    for target in (data, levels):
        for asked in ({"out": target}, {"out": tmp_path / "o.csv", "averages": target}):
            with pytest.raises(OutputError, match="belongs to what is read; name another file"):
                sweep(noise(data, measured=measured), threads=1, **asked)  # type: ignore[arg-type]
    with pytest.raises(OutputError, match="name two files"):
        sweep(
            noise(data), out=tmp_path / "o.csv", averages=tmp_path / ".." / tmp_path.name / "o.csv", threads=1
        )
    study.write_text(f'data = "{data}"\n[[release]]\n[[release.step]]\nstep = "sample"\nshare = 1\n')
    assert "belongs to what is read" in complaint(["sweep", str(study), "--out", str(study)], capsys)
    assert data.read_bytes() == shop.read_bytes()


def test_data_that_is_replaced_between_runs(shop: Path, tmp_path: Path) -> None:
    data = tmp_path / "shop.csv"
    data.write_bytes(shop.read_bytes())

    def replace(doing: str, done: int, total: int) -> None:  # noqa: ARG001
        data.write_bytes(shop.read_bytes() if done == 0 else shop.read_bytes()[:-40])

    with pytest.raises(InputError, match=r"shop\.csv: changed while it was read"):
        sweep(noise(data), out=tmp_path / "o.csv", threads=1, progress=replace)
    assert not (tmp_path / "o.csv").exists()


def test_more_settings_than_anybody_could_count(shop: Path) -> None:
    """They are multiplied, not walked through."""
    parameters = {f"p{number}": list(range(1000)) for number in range(9)}
    steps = [{"step": "noise", "columns": [f"${name}" for name in parameters]}]
    with pytest.raises(
        InputError, match="that are 1,000,000,000,000,000,000,000,000,000 runs; at most 100,000"
    ):
        study_of(noise(shop, seeds=1, release=[{"name": "n", "parameters": parameters, "step": steps}]))
