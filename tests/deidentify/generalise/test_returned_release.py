"""The release of a generalisation comes back in Python, in the caller's own kind of frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import singleout
from singleout.cli.main import main
from singleout.errors import InputError

ROWS = {
    "age": [17, 18, 34, 35, 36, 71],
    "zip": ["10115", "10115", "10117", "10117", "10119", "99999"],
    "visits": [3, 1, 2, 2, 5, 9],
}
INTERVALS = [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]
PREFIX = [{"type": "raw"}, {"type": "prefix", "keep": [4]}, {"type": "suppress"}]
WORDS: dict[str, Any] = {"user": "none", "hierarchies": {"age": INTERVALS}, "k": 2, "suppress": 0.2}
JOBS: dict[str, Any] = {"whole": singleout.generalise, "local": singleout.generalise_locally}
MADE: dict[str, Any] = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "pyarrow": pyarrow.table}


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("library", MADE)
def test_it_is_of_the_callers_own_kind(job: str, library: str) -> None:
    frame = MADE[library](ROWS)
    found = JOBS[job](frame, keep=["visits"], **WORDS)
    back = found.release.to_frame()
    assert type(back) is type(frame)
    assert len(back) == len(found.release) == found.released
    assert found.release.to_arrow().column_names == ["age", "visits"]
    assert len(repr(found.release)) < 100


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_it_is_what_the_file_holds(job: str, order: Any, tmp_path: Path) -> None:
    """Whether or not a file is named."""
    words = {**WORDS, "keep": ["zip"], "order": order, "seed": 5}
    path = tmp_path / "release.parquet"
    written = JOBS[job](pyarrow.table(ROWS), out=path, **words)
    held = pyarrow.parquet.read_table(path).to_pylist()
    assert held == written.release.to_arrow().to_pylist()
    assert held == JOBS[job](pyarrow.table(ROWS), **words).release.to_arrow().to_pylist()
    assert [each.name for each in tmp_path.iterdir()] == ["release.parquet"]


def test_other_jobs_take_it() -> None:
    found = singleout.generalise(pyarrow.table(ROWS), **WORDS)
    assert singleout.assess(found.release, user="none").records == found.released
    assert polars.DataFrame(found.release).columns == ["age"]


def test_uuids_come_back_as_uuids() -> None:
    numbers = [UUID(int=number) for number in range(6)]
    table = pyarrow.table({"age": ROWS["age"], "visit": pyarrow.array(numbers, pyarrow.uuid())})
    release = singleout.generalise(table, keep=["visit"], **WORDS).release
    assert release.to_arrow()["visit"].type == pyarrow.uuid()
    assert set(polars.from_arrow(pyarrow.table(release))["visit"]) <= set(map(str, numbers))


def test_data_that_has_changed_since_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age\n17\n18\n34\n35\n")
    found = singleout.generalise(path, user="none", hierarchies={"age": INTERVALS}, k=2)
    path.write_text("age\n17\n18\n34\n35\n36\n37\n61\n62\n")
    with pytest.raises(InputError, match="changed since it was generalised"):
        found.release.to_arrow()


@pytest.mark.parametrize("option", ["--fixed zip", "--keep-suppressed"])
def test_at_the_shell_a_release_needs_a_file(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path := tmp_path / "people.csv").write_text("age,zip\n17,1\n18,1\n")
    words = f"deidentify generalise {path} --user none --hierarchies {tmp_path} --k 2 {option}"
    assert main(words.split()) == 2
    assert "name its file by --out" in capsys.readouterr().err
