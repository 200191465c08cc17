"""Charts that another process draws: the same as ours, and ours where it can't."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import singleout
from singleout.report.charts import drawing_process
from singleout.report.charts.attributes import attribute_risks
from singleout.report.charts.chart import Chart
from singleout.report.charts.drawing_process import DrawingProcess, start_drawing, started_drawing


@pytest.fixture
def chart() -> Chart:
    shop = singleout.sample("shop", people=20)
    drawn = attribute_risks(singleout.assess(shop, user="customer", columns=["date", "goods"]))
    assert drawn is not None
    return drawn


@pytest.fixture
def process() -> Iterator[DrawingProcess]:
    if (other := started_drawing()) is not None:
        other.end()
    start_drawing()
    started = started_drawing()
    assert started is not None
    yield started
    started.end()


def test_both_draw_the_same(process: DrawingProcess, chart: Chart) -> None:
    by_it = chart.svg()
    process.end()
    assert started_drawing() is None
    assert chart.svg() == by_it


def test_one_process_draws_all(process: DrawingProcess, chart: Chart) -> None:
    chart.svg()
    start_drawing()
    chart.drawing()
    assert started_drawing() is process


@pytest.mark.usefixtures("process")
def test_whoever_asked_draws_where_the_process_has_ended(
    process: DrawingProcess, chart: Chart, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = chart.svg()
    os.kill(process._process.pid, signal.SIGKILL)
    assert chart.svg() == before
    assert started_drawing() is None
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    start_drawing()
    assert started_drawing() is None
    assert chart.svg() == before


def test_what_can_not_be_drawn_ends_nothing(process: DrawingProcess, chart: Chart) -> None:
    assert process.draw({"mark": "nothing of the kind"}) is None
    assert process.draw(chart.spec) is not None


def test_numbers_that_json_lacks_are_not_sent(process: DrawingProcess) -> None:
    assert process.draw({"data": {"values": [{"a": float("nan")}]}, "mark": "point"}) is None


ENDED = """
import os, sys
from singleout.report.charts import drawing_process
drawing_process.start_drawing()
print(drawing_process.started_drawing()._process.pid, flush=True)
if sys.argv[1] == "killed":
    os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("how", ["ended", "killed"])
def test_it_ends_with_the_one_that_started_it(how: str, tmp_path: Path) -> None:
    words = [sys.executable, "-c", ENDED, how]
    parent = subprocess.Popen(words, stdout=subprocess.PIPE, cwd=tmp_path)
    told, _ = parent.communicate(timeout=120)
    assert parent.returncode == (0 if how == "ended" else -signal.SIGKILL)
    assert _has_ended(int(told))


def _has_ended(pid: int) -> bool:
    for _ in range(600):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.1)
    return False


def test_it_is_not_started_without_a_report(tmp_path: Path) -> None:
    asked = "from singleout.cli.main import main; import sys; main(sys.argv[1:]); "
    told = f"print({drawing_process.__name__!r} in sys.modules)"
    file = tmp_path / "shop.csv"
    file.write_text("who,goods\n1,tea\n2,milk\n2,tea\n")
    words = [sys.executable, "-c", asked + told, "assess", str(file), "--user", "who"]
    ended = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    assert ended.stdout.endswith("False\n")
