"""Charts that another process draws: the same as ours, and ours where it can't."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

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


def test_an_answer_that_nobody_waited_for_is_not_the_next_one(
    process: DrawingProcess, chart: Chart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after Ctrl-C in a notebook: another chart must not stand under this one's title."""
    right = chart.svg()

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(json, "loads", Mock(side_effect=KeyboardInterrupt))
        process.draw(drawing_process.FIRST_DRAWN)
    assert started_drawing() is None
    assert chart.svg() == right


def test_the_answer_to_another_request_is_not_taken(process: DrawingProcess, chart: Chart) -> None:
    right = chart.svg()
    assert process._process.stdin is not None
    process._process.stdin.write(json.dumps([99, drawing_process.FIRST_DRAWN]).encode() + b"\n")
    assert chart.svg() == right
    assert started_drawing() is None


def test_threads_get_their_own_charts(process: DrawingProcess) -> None:
    def spec(number: int) -> dict[str, Any]:
        values = {"values": [{"a": f"chart {number}"}]}
        return {"data": values, "mark": "text", "encoding": {"text": {"field": "a"}}}

    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(process.draw, map(spec, range(24))))
    assert all(each is not None and f">chart {number}<" in each for number, each in enumerate(drawn))


def test_a_forked_process_leaves_it_alone(process: DrawingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "owner", os.getpid() + 1)
    assert started_drawing() is None
    process.end()
    assert process._process.poll() is None
    monkeypatch.undo()


def test_nothing_is_started_where_python_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    if (other := started_drawing()) is not None:
        other.end()
    monkeypatch.setattr(sys, "executable", None)
    start_drawing()
    assert started_drawing() is None


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
