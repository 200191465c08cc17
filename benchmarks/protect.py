"""Measures `singleout protect` on generated purchases, each size in a process of its own; writes a section.

Sizes may be measured apart, as the largest takes long: what was measured before stays in the section.
python benchmarks/protect.py [--people 400,4000] [--minutes M]
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
# the aim for the largest is half an hour; the last recipe and its release come after the time
TRIES, MINUTES = 40, 15.0
AIMS = {400: (2, None), 40_000: (30, 4)}
KNOWN = page.DATA / "protect.json"
MACHINE = page.machine("singleout", "numpy", "duckdb")
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
    words.add_argument("--people", default=",".join(map(str, SIZES)), help="sizes to measure")
    words.add_argument("--minutes", type=float, default=MINUTES, help="of each search, at most")
    words.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        people, minutes = given.run
        print(json.dumps(run(int(people), float(minutes))))
        return
    known: dict[str, Any] = json.loads(KNOWN.read_text()) if KNOWN.exists() else {}
    for size in given.people.split(","):
        known[size] = page.run(__file__, [size, str(given.minutes)]) | {"machine": MACHINE}
        print(size, known[size], flush=True)
    page.DATA.mkdir(exist_ok=True)
    KNOWN.write_text(json.dumps(known))
    page.write_section(TITLE, report({size: known[str(size)] for size in SIZES if str(size) in known}))


def run(people: int, minutes: float) -> dict[str, Any]:
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
            minutes=minutes,
            out=Path(folder) / "out.parquet",
            truth=Path(folder) / "who.csv",
            **PARTS,
        )
        spent, worked = time.perf_counter() - began, time.process_time() - busy
    front = [(each.lost, found.privacy_of(each)) for each in found.front]
    return {
        "records": found.records, "reached": found.reached, "tried": len(found.trials), "front": front,
        "lost": found.chosen.lost if found.chosen else None, "clock": spent, "processor": worked,
        "ended": found.proof.ended, "minutes": minutes,
    }  # fmt: skip


def report(found: dict[int, dict[str, Any]]) -> list[str]:
    lines = [
        *dict.fromkeys(each["machine"] for each in found.values()), "",
        f"Generated purchases (`singleout sample shop`), at most {TRIES} recipes; the policy: four known "
        f"records name at most {LIMIT:.0%} of the people. Each recipe is made, attacked, judged, measured; "
        "reading, the reasons of changes and the last judgement of the written file are in the times.", "",
        "| people | records | reached | recipes tried | ended | lost | on the clock, s | processor, s | "
        "GiB |",
        "|---:|---:|---|---:|---|---:|---:|---:|---:|",
    ]  # fmt: skip
    for people, each in found.items():
        lost = "–" if each["lost"] is None else f"{each['lost']:.1%}"
        lines.append(
            f"| {people:,} | {each['records']:,} | {'yes' if each['reached'] else 'no'} | {each['tried']} | "
            f"{_end(each)} | "
            f"{lost} | {each['clock']:.0f} | {each['processor']:.0f} | {each['gib']:.2f} |"
        )
    lines += ["", "What was aimed at:", "", *(line for people in AIMS for line in aims(people, found))]
    lines += ["", "The front, as lost of what is needed and share of people named:", ""]
    for people, each in found.items():
        points = ", ".join(f"{lost:.1%}: {privacy:.1%}" for lost, privacy in each["front"])
        lines.append(f"- {people:,} people: {points}")
    return lines


def aims(people: int, found: dict[int, dict[str, Any]]) -> list[str]:
    """Met or missed, as far as that was measured."""
    minutes, gib = AIMS[people]
    if people not in found:
        return [f"- {people:,} people within {minutes} minutes: not measured"]
    took, memory = found[people]["clock"] / 60, found[people]["gib"]
    lines = [f"- {people:,} people within {minutes} minutes: {took:.1f}, {_met(took <= minutes)}"]
    if gib is not None:
        lines.append(f"- {people:,} people within {gib} GiB: {memory:.2f}, {_met(memory <= gib)}")
    return lines


def _end(each: dict[str, Any]) -> str:
    return f"{each['ended'] or 'nothing was left to try'} (of {each['minutes']:g} minutes)"


def _met(met: bool) -> str:
    return "met" if met else "**missed**"


if __name__ == "__main__":
    main()
