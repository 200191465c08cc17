"""Files of offices that fill the memory, and readers that crash or hang: one line, and nothing is left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import polars
import pyreadstat
import pytest
import xlsxwriter

from singleout import limited_process
from singleout.cli.main import main
from singleout.errors import InputError
from singleout.read import office_process
from singleout.read.office_process import read_labels, read_office_file

SHEET = "xl/worksheets/sheet1.xml"
# seconds in which what was killed is gone, on a busy machine; it would sleep for ten minutes
PATIENCE = 120
# of which the reader and its libraries take the larger part
LITTLE = 400_000_000
MANIFEST = """<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>"""
ODS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>
<table:table table:name="a"><table:table-row table:number-rows-repeated="16000"><table:table-cell
 office:value-type="string" table:number-columns-repeated="6000"
><text:p>x</text:p></table:table-cell></table:table-row>
</table:table></office:spreadsheet></office:body></office:document-content>"""


def workbook_bomb(path: Path) -> None:
    """A cell of 300 megabytes in a third of one."""
    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet("a").write_column(0, 0, ["who", "ann"])
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    start, _, end = parts.pop(SHEET).partition(b"</sheetData>")
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
        with archive.open(SHEET, "w") as part:
            part.write(start + b'<row r="3"><c r="A3" t="inlineStr"><is><t>')
            for _ in range(300):
                part.write(b"x" * 1_000_000)
            part.write(b"</t></is></c></row></sheetData>" + end)


def spreadsheet_bomb(path: Path) -> None:
    """A hundred million cells in a kilobyte."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr("content.xml", ODS)


BOMBS = {"a.xlsx": workbook_bomb, "a.ods": spreadsheet_bomb}


@pytest.mark.parametrize("name", BOMBS)
def test_a_file_that_fills_the_memory_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    BOMBS[name](tmp_path / name)
    size = (tmp_path / name).stat().st_size
    assert size < 500_000
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(office_process, "LEAST_BYTES", LITTLE)
    monkeypatch.setattr(office_process, "BYTES_OF_EACH", 0)
    assert main(["assess", str(tmp_path / name)]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    said = "is damaged, or needs more than 0.4 GB of memory to be read; save it again, or as .csv"
    assert error == f"error: {tmp_path / name}: {said}\n"
    assert [*temporary.iterdir()] == []


LARGE, SLOW = "is damaged, or needs more than .* GB of memory", "took more than 1 seconds to read"
HEAD = '{"remarks": [], "merged": [], "other_contents": []}'
DOOMED = {
    "crashes": ("os.abort()", LARGE),
    "fills the memory": ("x = bytearray(10**12)", LARGE),
    "waits for ever": ("time.sleep(600)", SLOW),
    "works for ever": ("while True: pass", SLOW),
    "writes no table": (f"print({HEAD!r}); print('nonsense')", "is damaged; save it again"),
    "writes nonsense": ("print('nonsense')", LARGE),
    "writes for ever": ("while True: os.write(1, bytes(2**16))", LARGE),
}


@pytest.mark.parametrize("doom", DOOMED)
def test_a_reader_that_fails_is_one_line_and_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, doom: str
) -> None:
    work, said = DOOMED[doom]
    limits = "" if doom == "writes for ever" else "limited_process.take_request()"
    (tmp_path / "doomed_reader.py").write_text(
        "import os, time\nfrom pathlib import Path\nfrom singleout import limited_process\n"
        f"Path('number').write_text(str(os.getpid()))\n{limits}\n{work}"
    )
    (tmp_path / "a.xlsx").write_bytes(b"x")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(office_process, "MODULE", "doomed_reader")
    monkeypatch.setattr(limited_process, "start", _once_at_work(limited_process.start))
    monkeypatch.setattr(office_process, "LEAST_SECONDS", 1 if said == SLOW else 60)
    if doom == "writes for ever":
        monkeypatch.setattr(office_process, "LEAST_BYTES", 10_000_000)
    with pytest.raises(InputError, match=said):
        read_office_file(Path("a.xlsx"), "excel")
    with pytest.raises(ProcessLookupError):
        os.kill(int(Path("number").read_text()), 0)


def _once_at_work(start: Callable[..., subprocess.Popen[bytes]]) -> Callable[..., subprocess.Popen[bytes]]:
    """On a busy machine a process may take longer to start than its reader is given."""

    def started(*words: Any, **variables: str) -> subprocess.Popen[bytes]:
        process = start(*words, **variables)
        deadline = time.monotonic() + PATIENCE
        while not Path("number").exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        return process

    return started


RUN = """
import sys
from pathlib import Path
sys.path.insert(0, ".")
from singleout.read import office_process
office_process.MODULE = "doomed_reader"
office_process.read_office_file(Path("a.xlsx"), "excel")
"""


def test_a_run_that_is_killed_takes_its_reader_along(tmp_path: Path) -> None:
    (tmp_path / "doomed_reader.py").write_text(
        "import os, time\nfrom pathlib import Path\nfrom singleout import limited_process\n"
        "Path('number').write_text(str(os.getpid()))\nlimited_process.take_request()\n"
        "Path('ready').touch()\ntime.sleep(600)"
    )
    (tmp_path / "a.xlsx").write_bytes(b"x")
    run = subprocess.Popen([sys.executable, "-c", RUN], cwd=tmp_path)
    while not (tmp_path / "ready").exists():
        assert run.poll() is None
        time.sleep(0.02)
    run.kill()
    run.wait()
    reader = int((tmp_path / "number").read_text())
    deadline = time.monotonic() + PATIENCE
    while _is_at_work(reader) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _is_at_work(reader)


def _is_at_work(process: int) -> bool:
    """One that has ended may stay in the list until somebody asks for its end."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_module_beside_the_data_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json", "pyarrow", "python_calamine", "singleout"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(7)")
    with xlsxwriter.Workbook(str(tmp_path / "a.xlsx")) as book:
        book.add_worksheet("a").write_column(0, 0, ["who", "ann"])
    monkeypatch.chdir(tmp_path)
    assert read_office_file(Path("a.xlsx"), "excel").table.to_pylist() == [{"who": "ann"}]


def test_labels_come_through_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(
        polars.DataFrame({"sex": [1, 2, 9], "town": ["o", "b", "o"]}), str(path),
        column_labels={"sex": "Sex"}, missing_ranges={"sex": [9]},
        variable_value_labels={"sex": {1: "male", 2: "female"}, "town": {"o": "Oslo"}},
        variable_measure={"sex": "nominal"},
    )  # fmt: skip
    labels = read_labels(path, "spss")
    assert labels.columns == {"sex": "Sex"}
    assert labels.values == {"sex": {1.0: "male", 2.0: "female"}, "town": {"o": "Oslo"}}
    assert labels.missing == {"sex": [{"lo": 9.0, "hi": 9.0}]}
    assert labels.measures["sex"] == "nominal"
