"""Measures `entropy` of five domains beside work by hand, and writes its section of docs/benchmarks.md."""

from __future__ import annotations

import argparse
import json
import math
from itertools import pairwise
from typing import Any

import page
from assess import table_of

USER = "customer"
DOMAINS = ["date", "time", "goods", "price", "number"]
SIZES = (10**6, 10**7)
ROUNDS = 3
CONTENDERS = {
    "singleout": (
        "singleout entropy",
        "information, chance level, success after 1 to 8 records, rare values, distances",
    ),
    "pandas": ("pandas group-by", "information alone, by hand"),
    "duckdb": ("DuckDB GROUP BY", "information alone, by hand"),
}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--run", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        print(json.dumps(RUN[given.run[0]](given.run[1])))
        return
    found = {size: measured(size) for size in SIZES}
    page.write_section("Entropy: singleout entropy", report(found))


def measured(size: int) -> dict[str, dict[str, Any]]:
    file = table_of(size)
    best: dict[str, dict[str, Any]] = {}
    for _ in range(ROUNDS):
        for name in CONTENDERS:
            once = page.run(__file__, [name, str(file)])
            print(f"{size:>11,} {name:<12} {once['seconds']:8.2f} s {once['gib']:6.2f} GiB", flush=True)
            if name not in best or once["seconds"] < best[name]["seconds"]:
                best[name] = once
    for name, each in best.items():
        for domain, bits in each["information"].items():
            assert abs(bits - best["singleout"]["information"][domain]) < 1e-9, (name, domain)
    return best


def run_singleout(file: str) -> dict[str, Any]:
    import singleout

    domains = [f"{name}={name}" for name in DOMAINS]
    found = singleout.entropy(file, user=USER, domains=domains, pairs=False)
    return {"information": {each.name: each.information.information for each in found.domains}}


def run_pandas(file: str) -> dict[str, Any]:
    import pandas

    frame = pandas.read_parquet(file, columns=[USER, *DOMAINS])
    people = bits(frame.groupby(USER, sort=False).size())
    told = {}
    for name in DOMAINS:
        both = frame.groupby([USER, name], sort=False, observed=True).size()
        told[name] = people + bits(frame.groupby(name, sort=False, observed=True).size()) - bits(both)
    return {"information": told}


def bits(counts: Any) -> float:
    import numpy

    total = int(counts.sum())
    return math.log2(total) - float((counts * numpy.log2(counts)).sum()) / total


def run_duckdb(file: str) -> dict[str, Any]:
    import duckdb

    connection = duckdb.connect()

    def entropy(columns: str) -> float:
        sizes = f"SELECT count(*) AS c FROM read_parquet('{file}') GROUP BY {columns}"
        sql = f"SELECT log2(sum(c)) - sum(c * log2(c)) / sum(c) FROM ({sizes})"
        return float(connection.execute(sql).fetchall()[0][0])

    people = entropy(USER)
    told = {name: people + entropy(name) - entropy(f"{USER}, {name}") for name in DOMAINS}
    return {"information": told}


RUN = {"singleout": run_singleout, "pandas": run_pandas, "duckdb": run_duckdb}


def report(found: dict[int, dict[str, dict[str, Any]]]) -> list[str]:
    lines = [
        page.machine("duckdb", "numba", "pandas"),
        "",
        f"The task: what one record tells about the customer, for the five domains {', '.join(DOMAINS)} of a",
        "generated purchase history in Parquet. Each contender ran in a process of its own, timed from start",
        f"to end, in turns, best of {ROUNDS}; all came to the same information, or the run stops.",
        "",
        "| records | contender | seconds | peak memory | time over singleout's | what it answers |",
        "|---:|---|---:|---:|---:|---|",
    ]
    for size, best in found.items():
        for name, (title, answers) in CONTENDERS.items():
            seconds, memory = best[name]["seconds"], best[name]["gib"]
            ratio = seconds / best["singleout"]["seconds"]
            lines.append(
                f"| {size:,} | {title} | {seconds:.2f} | {memory:.2f} GiB | {ratio:.2f} | {answers} |"
            )
    return [*lines, "", *growth(found)]


def growth(found: dict[int, dict[str, dict[str, Any]]]) -> list[str]:
    lines = []
    for small, large in pairwise(found):
        first, second = found[small]["singleout"], found[large]["singleout"]
        lines.append(
            f"How cost grows: from {small:,} to {large:,} records singleout takes "
            f"{second['seconds'] / first['seconds']:.1f} times as long and "
            f"{second['gib'] / first['gib']:.1f} times the memory."
        )
    return lines


if __name__ == "__main__":
    main()
