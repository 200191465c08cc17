"""Measures what a report costs as the table grows, beside pyCANON's, and writes its section of the page.

pyCANON's report is a table of nine numbers as a PDF; what is timed is its work before that, which grows with
the square of the records, so that it is measured on the first records only.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import page

RECORDS = (500, 1_000, 2_000, 10_000, 38_087, 100_000, 1_000_000)
MOST_FOR_PYCANON = 2_000
ROUNDS = 2
PEOPLE = 10_600
COLUMNS = ["date", "time", "goods", "price", "number"]
TITLE = "Reports: singleout assess --html"


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--run", nargs=2, metavar=("NAME", "RECORDS"), help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        print(json.dumps(RUN[given.run[0]](int(given.run[1]))))
        return
    page.DATA.mkdir(exist_ok=True)
    found = {}
    for size in RECORDS:
        make(size)
        names = [name for name in RUN if name != "pyCANON" or size <= MOST_FOR_PYCANON]
        rounds = [{name: page.run(__file__, [name, str(size)]) for name in names} for _ in range(ROUNDS)]
        found[size] = {name: min((each[name] for each in rounds), key=_work) for name in names}
        print(size, found[size], flush=True)
    page.write_section(TITLE, report(found))


def _work(found: dict[str, Any]) -> float:
    return float(found["work"])


def shop(size: int) -> Path:
    return page.DATA / f"shop-report-{size}.parquet"


def make(size: int) -> None:
    """The first records of one large shop, whole customers as far as they go."""
    from pyarrow import parquet

    import singleout

    if not shop(size).exists():
        every: Any = singleout.sample("shop", people=PEOPLE)
        parquet.write_table(every.slice(0, size), shop(size))


def assess(size: int) -> dict[str, Any]:
    import singleout

    start = time.perf_counter()
    singleout.assess(shop(size), user="customer", columns=COLUMNS)
    return {"work": time.perf_counter() - start}


def html(size: int) -> dict[str, Any]:
    import singleout

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.html"
        start = time.perf_counter()
        found = singleout.investigate(shop(size), user="customer", columns=COLUMNS)
        measured = time.perf_counter()
        singleout.report_on(found).save(out)
        work, written = time.perf_counter() - start, time.perf_counter() - measured
        # of all threads, from the start of the process: what others do on the machine changes it little
        used = time.process_time()
        singleout.report_on(singleout.investigate(shop(size), user="customer", columns=COLUMNS)).save(out)
        again = time.process_time() - used
        return {
            "work": work, "written": written, "processor": used, "again": again,
            "bytes": out.stat().st_size,
        }  # fmt: skip


def pycanon(size: int) -> dict[str, Any]:
    import pandas
    from pycanon.report import base

    frame = pandas.read_parquet(shop(size)).astype(str)
    start = time.perf_counter()
    with redirect_stdout(sys.stderr):  # where it talks while it works
        base.get_report_values(frame, COLUMNS, ["customer"])
    return {"work": time.perf_counter() - start}


RUN: dict[str, Callable[[int], dict[str, Any]]] = {"assess": assess, "html": html, "pyCANON": pycanon}


def report(found: dict[int, dict[str, Any]]) -> list[str]:
    lines = [
        page.machine("singleout", "duckdb", "vl-convert-python", "pycanon"),
        "",
        f"The generated shop's first records, {len(COLUMNS)} columns known, best of {ROUNDS} interleaved "
        "runs, each in a process of its own whose start is not counted. `assess` alone; with its report "
        "(pairs, sets, budget, known records, domains, predictions, remedies, charts), of which drawing and "
        "writing it; the processor's seconds for the whole process, imports included, all threads together; "
        "the same once more in that process, which has loaded its loops and libraries; "
        "the file's size; the peak of memory; and the numbers of pyCANON's report on the same records. "
        f"The load of the machine was {os.getloadavg()[2]:.1f} at the end: what is on the clock waited for "
        "others, the processor's seconds did not.",
        "",
        "| records | assess | with report | of which writing | processor | again | file | memory | pyCANON "
        "| pyCANON / report |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for size, each in found.items():
        other = each.get("pyCANON")
        theirs = f"{other['work']:.1f} s | {other['work'] / each['html']['work']:.1f}×" if other else "– | –"
        lines.append(
            f"| {size:,} | {each['assess']['work']:.2f} s | {each['html']['work']:.1f} s | "
            f"{each['html']['written']:.1f} s | {each['html']['processor']:.1f} s | "
            f"{each['html']['again']:.1f} s | "
            f"{each['html']['bytes'] / 1000:.0f} kB | "
            f"{each['html']['gib']:.2f} GiB | {theirs} |"
        )
    return lines


if __name__ == "__main__":
    main()
