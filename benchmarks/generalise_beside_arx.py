"""Measures `generalise` in Python beside the times that ARX took, which are quoted, and writes its section.

A process a task; of each search, and of each whole call on the table in memory, the best of some, warm.
Needs the Adult table of ARX with its hierarchies: python benchmarks/generalise_beside_arx.py [FOLDER]
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from pathlib import Path
from typing import Any

import generalise as tables
import page

TITLE = "Beside ARX: generalise called in Python"
TIMES = 9
# seconds of ARX 3.9.2's `anonymize` on loaded data, warm, best of 3, seen on a machine of this kind
ARX_SECONDS = {
    (tables.ADULT, 0): 0.0445, (tables.ADULT, 4): 1.299, (tables.ADULT, 100): 3.767, (tables.MANY, 4): 35.4,
}  # fmt: skip
SEARCH_AIMS = {tables.ADULT: 10, tables.MANY: 3}
CALL_AIM = 5
Answer = dict[str, Any]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folder", nargs="?", type=Path, default=tables.ADULT_FOLDER)
    words.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        folder, file, percent = given.run
        print(json.dumps(run(Path(folder), Path(file), int(percent))))
        return
    if not (given.folder / "adult.csv").exists():
        print("beside ARX: left out, as ARX's Adult is not at hand; docs/data.md says where it is published")
        return
    found = {}
    for size, percent in ARX_SECONDS:
        file = tables.table_of(tables.Task(size, percent, size != tables.ADULT), given.folder)
        found[size, percent] = page.run(__file__, [str(given.folder), str(file), str(percent)])
        print(size, percent, found[size, percent], flush=True)
    page.write_section(TITLE, report(found))


def run(folder: Path, file: Path, percent: int) -> Answer:
    """The optimum is counted again from the release by the section on ANJANA; here only times are."""
    import singleout

    table = tables.text_of(file).select(list(tables.COLUMNS))
    best: Answer = {"search": math.inf, "call": math.inf, "processor": math.inf}
    for _ in range(TIMES):
        clock, worked = time.perf_counter(), time.process_time()
        found = singleout.generalise(table, hierarchies=str(folder), k=tables.K, suppress=percent / 100)
        took = {"search": found.seconds, "call": time.perf_counter() - clock}
        took["processor"] = time.process_time() - worked
        best = {name: min(best[name], seconds) for name, seconds in took.items()}
    return best | {"loss": found.loss, "suppressed": found.suppressed, "optimal": found.optimal}


def report(found: dict[tuple[int, int], Answer]) -> list[str]:
    lines = [
        page.machine("duckdb", "numba"), "",
        f"Adult, and {tables.MANY:,} records drawn from it, to be {tables.K}-anonymous with the least of "
        f"ARX's Loss; the best of {TIMES} calls, warm, on the clock; the call also opens the table in "
        "memory, looks whose records these are, codes all values and says what it found. ARX was not run: "
        "its times are **quoted**, of ARX 3.9.2's `anonymize` on data loaded before, on a machine of this "
        f"kind. The load of the machine was {os.getloadavg()[0]:.1f} at the end.", "",
        "| records | suppressed at most | search | call | processor | ARX, *quoted* | × search | × call | "
        "loss |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    for (size, percent), each in found.items():
        arx = ARX_SECONDS[size, percent]
        lines.append(
            f"| {size:,} | {percent} % | {tables.told(each['search'])} | {tables.told(each['call'])} "
            f"| {tables.told(each['processor'])} | {tables.told(arx)} | {tables.times(arx / each['search'])} "
            f"| {tables.times(arx / each['call'])} | {each['loss']:.4f} |"
        )
    return [*lines, "", "What was aimed at:", "", *(aim for task in found for aim in aims(task, found[task]))]


def aims(task: tuple[int, int], each: Answer) -> list[str]:
    size, percent = task
    where, arx, wanted = f"at {size:,} records and {percent} %", ARX_SECONDS[task], SEARCH_AIMS[size]
    lines = [f"- the search {wanted} times as fast {where}: {tables.verdict(arx / each['search'], wanted)}"]
    if size == tables.ADULT:
        met = tables.verdict(arx / each["call"], CALL_AIM)
        lines.append(f"- the whole call {CALL_AIM} times as fast {where}: {met}")
    return lines


if __name__ == "__main__":
    main()
