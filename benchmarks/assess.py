"""Measures `assess` beside what a user would do instead, and writes its section of docs/benchmarks.md.

Each contender runs in a process of its own, in turns, three times; the best time counts, and the peak memory
is the process's own. All contenders that count the same thing must come to the same numbers.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import page

USER = "customer"
ATTRIBUTES = ["receipt", "date", "time", "goods", "price", "number", "month", "hour", "shelf", "till"]
SIZES = (10**6, 10**7, 10**8)
RECORDS_A_PERSON = 38_087 / 400
ROUNDS = 3
PATIENCE_SECONDS = 60


@dataclass(frozen=True)
class Contender:
    """`largest`: the most records it can hold on this machine; `answers`: what it tells."""

    name: str
    title: str
    largest: int
    answers: str


CONTENDERS = (
    Contender("singleout", "singleout assess", 10**8, "all attributes, classes in records and people"),
    Contender("pandas", "pandas group-by", 10**7, "the same, by hand"),
    Contender("duckdb", "DuckDB count(distinct) an attribute", 10**8, "the same, by hand"),
    Contender("pycanon", "pyCANON k_anonymity", 10**7, "k of all columns only"),
)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--largest", type=float, default=10**8, help="leave out larger tables")
    words.add_argument("--run", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        print(json.dumps(RUN[given.run[0]](given.run[1])))
        return
    sizes = [size for size in SIZES if size <= given.largest]
    page.write_section(
        "Assessing: singleout assess", report({size: measured(size) for size in sizes}, cold_start())
    )


def measured(size: int) -> dict[str, dict[str, Any]]:
    """The best of several runs, in turns; who took over a minute is not asked again."""
    file = table_of(size)
    best: dict[str, dict[str, Any]] = {}
    for _ in range(ROUNDS):
        for contender in CONTENDERS:
            known = best.get(contender.name, {"seconds": 0.0})
            if size > contender.largest or known["seconds"] > PATIENCE_SECONDS:
                continue
            found = run(contender.name, file)
            measures = f"{found['seconds']:8.2f} s {found['gib']:6.2f} GiB"
            print(f"{size:>11,} {contender.title:<36} {measures}", flush=True)
            if contender.name not in best or found["seconds"] < known["seconds"]:
                best[contender.name] = found
    check_same(best)
    return best


def run(name: str, file: Path, environment: dict[str, str] | None = None) -> dict[str, Any]:
    return page.run(__file__, [name, str(file)], environment)


def check_same(best: dict[str, dict[str, Any]]) -> None:
    """A fast wrong answer is no answer."""
    want = best["singleout"]
    for name, found in best.items():
        assert found["k"] == want["k"], (name, found["k"], want["k"])
        for attribute, risk in found.get("risks", {}).items():
            assert abs(risk - want["risks"][attribute]) < 1e-9, (name, attribute)


def table_of(size: int) -> Path:
    """Generated purchases by time, with four more columns made of the first: ten attributes in all."""
    file = page.DATA / f"shop_{size}.parquet"
    if file.exists():
        return file
    import duckdb

    import singleout

    page.DATA.mkdir(exist_ok=True)
    plain = page.DATA / f"plain_{size}.parquet"
    singleout.sample("shop", people=round(size / RECORDS_A_PERSON), out=plain)
    draft = file.with_suffix(".part")
    duckdb.sql(
        f"""COPY (SELECT *, date[1:7] AS month, time[1:2] AS hour, goods[1:3] AS shelf,
                         CAST(CAST(receipt AS BIGINT) % 17 AS VARCHAR) AS till
            FROM read_parquet('{plain}') ORDER BY date, time, receipt) TO '{draft}' (FORMAT parquet)"""
    )
    draft.rename(file)
    plain.unlink()
    return file


def run_singleout(file: str) -> dict[str, Any]:
    import singleout

    found = singleout.assess(file, user=USER, columns=ATTRIBUTES, memory="4GiB")
    assert found.classes is not None
    risks = {each.name: each.risk.risk.known for each in found.attributes}
    return {"k": found.classes.by_records.k.value, "risks": risks, "records": found.records}


def run_pandas(file: str) -> dict[str, Any]:
    import pandas

    frame = pandas.read_parquet(file)
    risks = {}
    for name in ATTRIBUTES:
        values = frame.groupby(name, dropna=False, sort=False, observed=True)[USER]
        risks[name] = float((values.size() / values.nunique(dropna=False)).sum() / len(frame))
    groups = frame.groupby(ATTRIBUTES, dropna=False, sort=False, observed=True)[USER]
    sizes, people = groups.size(), groups.nunique(dropna=False)
    (sizes.value_counts(), people.value_counts())
    return {"k": int(sizes.min()), "risks": risks}


def run_duckdb(file: str) -> dict[str, Any]:
    import duckdb

    connection = duckdb.connect()
    table = f"read_parquet('{file}')"
    risks = {}
    for name in ATTRIBUTES:
        sql = f"SELECT count(*) AS r, count(DISTINCT {USER}) AS u FROM {table} GROUP BY {name}"
        risks[name] = connection.execute(f"SELECT sum(r / u) / sum(r) FROM ({sql})").fetchall()[0][0]
    sql = f"SELECT count(*) AS r, count(DISTINCT {USER}) AS u FROM {table} GROUP BY {', '.join(ATTRIBUTES)}"
    pairs = connection.execute(f"SELECT r, u, count(*) FROM ({sql}) GROUP BY r, u").fetchall()
    return {"k": min(row[0] for row in pairs), "risks": risks}


def run_pycanon(file: str) -> dict[str, Any]:
    import pandas
    from pycanon import anonymity

    frame = pandas.read_parquet(file, columns=ATTRIBUTES)
    return {"k": int(anonymity.k_anonymity(frame, ATTRIBUTES))}


RUN = {"singleout": run_singleout, "pandas": run_pandas, "duckdb": run_duckdb, "pycanon": run_pycanon}


def cold_start() -> float:
    """Seconds that the very first run takes longer, because the loops are compiled once."""
    import tempfile

    file = table_of(SIZES[0])
    warm = min(run("singleout", file)["seconds"] for _ in range(2))
    with tempfile.TemporaryDirectory() as folder:
        cold = run("singleout", file, {"NUMBA_CACHE_DIR": folder})["seconds"]
    return float(cold - warm)


def report(results: dict[int, dict[str, dict[str, Any]]], compiling: float) -> list[str]:
    lines = [
        page.machine("duckdb", "numba", "pandas", "pycanon"),
        "",
        "The task: the risk of ten attributes (records and distinct people of each value) and the classes of",
        "all ten together, in records and in people, of a generated purchase history by time, in Parquet.",
        "Each contender ran in a process of its own, timed from start to end, imports included; in turns,",
        f"best of {ROUNDS} (one run where it took over a minute). The ratio is its time over singleout's.",
        "Contenders that count the same came to the same numbers: the run stops if not. singleout was",
        "allowed 4 GiB of memory, the others all there is.",
        "",
        "| records | contender | seconds | records/s | peak memory | ratio | what it answers |",
        "|---:|---|---:|---:|---:|---:|---|",
    ]
    for best in results.values():
        records = best["singleout"]["records"]
        for contender in CONTENDERS:
            lines.append(row(records, contender, best))
    return [*lines, "", *growth(results), "", *first_run(compiling)]


def row(records: int, contender: Contender, best: dict[str, dict[str, Any]]) -> str:
    if contender.name not in best:
        return f"| {records:,} | {contender.title} | – | – | – | – | not run: too slow or too large for it |"
    found, ours = best[contender.name], best["singleout"]["seconds"]
    seconds = found["seconds"]
    return (
        f"| {records:,} | {contender.title} | {seconds:.2f} | {records / seconds:,.0f} "
        f"| {found['gib']:.2f} GiB | {seconds / ours:.1f} | {contender.answers} |"
    )


def growth(results: dict[int, dict[str, dict[str, Any]]]) -> list[str]:
    """How cost grows: the time of ten times the records, divided by the time of the records."""
    lines = ["How cost grows, from one size to the next (ten times the records):", ""]
    sizes = list(results)
    for contender in CONTENDERS:
        steps = []
        for small, large in pairwise(sizes):
            if contender.name in results[small] and contender.name in results[large]:
                first, second = results[small][contender.name], results[large][contender.name]
                steps.append(
                    f"{small:,} to {large:,}: {second['seconds'] / first['seconds']:.1f} times the time, "
                    f"{second['gib'] / first['gib']:.1f} times the memory"
                )
        if steps:
            lines.append(f"- {contender.title}: " + "; ".join(steps))
    return lines


def first_run(compiling: float) -> list[str]:
    return [
        f"The very first run on a machine takes {compiling:.1f} s longer: the counting loops are compiled",
        "once and kept on disk. Tables of fewer than 500,000 records are counted by SQL without them.",
    ]


if __name__ == "__main__":
    main()
