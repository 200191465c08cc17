"""Measures `singleout protect` on generated purchases, each size in a process of its own; writes a section.

python benchmarks/protect.py [--largest PEOPLE]
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import page

TITLE = "The least costly change that keeps a policy: singleout protect"
SIZES = (400, 4_000, 40_000)
TRIES = 40
LIMIT = 0.2
POLICY = {"rule": [{"measure": "attack.points_4.rate", "at_most": LIMIT}]}
PARTS: dict[str, Any] = {
    "user": "customer",
    "item": "goods",
    "amount": "price",
    "number": "number",
    "time": ["date", "time"],
}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--largest", type=int, default=SIZES[-1], help="leave out more people than this")
    words.add_argument("--run", nargs=1, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        print(json.dumps(run(int(given.run[0]))))
        return
    found = {size: page.run(__file__, [str(size)]) for size in SIZES if size <= given.largest}
    page.write_section(TITLE, report(found))


def run(people: int) -> dict[str, Any]:
    """The purchases are made before the clock starts."""
    import singleout

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "shop.parquet"
        singleout.sample("shop", people=people, out=file)
        began, busy = time.perf_counter(), time.process_time()
        found = singleout.protect(
            file,
            POLICY,
            tries=TRIES,
            out=Path(folder) / "out.parquet",
            truth=Path(folder) / "who.csv",
            **PARTS,
        )
        spent, worked = time.perf_counter() - began, time.process_time() - busy
    front = [(each.lost, found.privacy_of(each)) for each in found.front]
    return {
        "records": found.records, "reached": found.reached, "tried": len(found.trials), "front": front,
        "lost": found.chosen.lost if found.chosen else None, "clock": spent, "processor": worked,
    }  # fmt: skip


def report(found: dict[int, dict[str, Any]]) -> list[str]:
    lines = [
        page.machine("singleout", "numpy", "duckdb"), "",
        f"Generated purchases (`singleout sample shop`), at most {TRIES} recipes; the policy: four known "
        f"records name at most {LIMIT:.0%} of the people. Each recipe is made, attacked, judged, measured; "
        "reading, the reasons of changes and the last judgement of the written file are in the times.", "",
        "| people | records | reached | recipes tried | lost | on the clock, s | processor, s | GiB |",
        "|---:|---:|---|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    for people, each in found.items():
        lost = "–" if each["lost"] is None else f"{each['lost']:.1%}"
        lines.append(
            f"| {people:,} | {each['records']:,} | {'yes' if each['reached'] else 'no'} | {each['tried']} | "
            f"{lost} | {each['clock']:.0f} | {each['processor']:.0f} | {each['gib']:.2f} |"
        )
    lines += ["", "The front, as lost of what is needed and share of people named:", ""]
    for people, each in found.items():
        points = ", ".join(f"{lost:.1%}: {privacy:.1%}" for lost, privacy in each["front"])
        lines.append(f"- {people:,} people: {points}")
    return lines


if __name__ == "__main__":
    main()
