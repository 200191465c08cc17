"""Measures every attack on real purchases, UCI Online Retail, and writes its section of the page.

The release has a part of each customer's records under shuffled numbers. Each attack has a process of its
own, on tables in memory.
For a trial with few customers that leaves the page as it is: python benchmarks/attack_purchases.py --small
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import page
from linking import THREADS, Answer, by_lot

TITLE = "Attacks on real purchases: singleout attack"
RETAIL = page.HERE.parents[1] / "shared" / "data" / "online_retail" / "online_retail.parquet"
ORIGINAL, RELEASE = (page.DATA / f"retail_{which}.parquet" for which in ("original", "release"))
TRUTH = page.DATA / "retail_truth.json"
RELEASED, FEW_CUSTOMERS = 0.7, 300
LONG_SECONDS, TOO_LONG_SECONDS = 10, 60
POINTS, POINTS_COLUMNS = (1, 2, 3, 4), ("InvoiceDate", "StockCode")
POINTS_KNOWN = "so many random records, by the day of InvoiceDate and StockCode"
RECORD_COLUMNS = (*POINTS_COLUMNS, "Quantity", "UnitPrice")
PARTS: dict[str, Any] = {
    "item": "StockCode",
    "place": "Country",
    "category": "Kind",
    "time": "InvoiceDate",
    "amount": "Paid",
    "pair": ("StockCode", "Quantity"),
}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("retail", nargs="?", type=Path, default=RETAIL, help="UCI Online Retail, in Parquet")
    words.add_argument("--small", action="store_true", help="few customers; print the section, write nothing")
    words.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        name, what, number = given.run
        print(json.dumps(RUN[name](what, int(number))))
        return
    if not given.retail.exists():
        print("attack_purchases: Online Retail is not at hand; docs/data.md says where it is")
        return
    lines = report(given.retail, FEW_CUSTOMERS if given.small else 0)
    if given.small:
        print("\n".join(lines))
        return
    page.write_section(TITLE, lines)


def run_draw(file: str, few: int) -> Answer:
    """The sales to customers as a history, a release of it beside it, and which attacks there are."""
    import numpy
    import pyarrow.parquet

    from singleout.attacks.catalogue import KINDS

    sales = sold(pyarrow.parquet.read_table(file), few)
    draw = numpy.random.default_rng(6)
    customer = sales["CustomerID"].combine_chunks().dictionary_encode()
    person = customer.indices.to_numpy()
    pseudonym = draw.permutation(len(customer.dictionary)) + 1
    kept = draw.permutation(by_lot(draw, person, numpy.ceil(numpy.bincount(person) * RELEASED)))
    names = pyarrow.array(pseudonym[person])
    release = sales.set_column(sales.column_names.index("CustomerID"), "CustomerID", names).take(kept)
    page.DATA.mkdir(exist_ok=True)
    pyarrow.parquet.write_table(sales, ORIGINAL)
    pyarrow.parquet.write_table(release, RELEASE)
    truth = dict(zip(pseudonym.tolist(), customer.dictionary.to_pylist(), strict=True))
    TRUTH.write_text(json.dumps(truth))
    told = {"people": len(truth), "records": len(person), "released": len(kept)}
    return told | {"attacks": list(KINDS)}


def sold(sales: Any, few: int) -> Any:
    """What was bought and not given back, by all customers or a few; its cost, and how its item begins."""
    import pyarrow.compute as compute

    real = compute.and_(compute.greater(sales["Quantity"], 0), compute.greater(sales["UnitPrice"], 0))
    cancelled = compute.starts_with(sales["InvoiceNo"], "C")
    named = compute.is_valid(sales["CustomerID"])
    sales = sales.filter(compute.and_(compute.and_(real, named), compute.invert(cancelled)))
    if few:
        first = sales["CustomerID"].unique()[:few]
        sales = sales.filter(compute.is_in(sales["CustomerID"], value_set=first))
    paid = compute.round(compute.multiply(sales["Quantity"], sales["UnitPrice"]), 2)
    kind = compute.utf8_slice_codeunits(sales["StockCode"], 0, 2)
    return sales.drop(["Description"]).append_column("Paid", paid).append_column("Kind", kind)


def run_attack(name: str, _: int) -> Answer:
    """Warm: the better of two calls, unless the first took long."""
    points = POINTS if name == "points" else ()
    given: Answer = {
        "attacks": ["records" if points else name],
        "points": points,
        "columns": POINTS_COLUMNS if points else RECORD_COLUMNS,
        "granularity": {"InvoiceDate": ["day"]},
    }
    limit = threading.Timer(TOO_LONG_SECONDS, stop)
    limit.daemon = True
    limit.start()
    took, found = timed_attack(given)
    if took < LONG_SECONDS:
        took = min(took, timed_attack(given)[0])
    limit.cancel()
    tried = [found.by_name(each) for each in [f"points_{number}" for number in points] or [name]]
    return {"took": took, "rates": [each.rate for each in tried], "knowledge": tried[0].knowledge}


def timed_attack(given: Answer) -> tuple[float, Any]:
    import pyarrow.parquet

    import singleout

    original = pyarrow.parquet.read_table(ORIGINAL)
    release = pyarrow.parquet.read_table(RELEASE)
    truth = {int(key): name for key, name in json.loads(TRUTH.read_text()).items()}
    start = time.perf_counter()
    found = singleout.attack(original, release, truth, user="CustomerID", threads=THREADS, **PARTS, **given)
    return time.perf_counter() - start, found


def stop() -> None:
    """End the process at once: loops that are under way know of no interruption."""
    print(json.dumps({"stopped": True}), flush=True)
    os._exit(0)


RUN: dict[str, Callable[[str, int], Answer]] = {"draw": run_draw, "attack": run_attack}


def report(file: Path, few: int) -> list[str]:
    both = page.run(__file__, ["draw", str(file), str(few)])
    return [
        page.machine("duckdb", "numba", "numpy", "pyarrow", "scipy"),
        "",
        f"The task: every attack on UCI Online Retail (see [data](data.md)): {both['people']:,} customers",
        f"with {both['records']:,} records, against a release with a random {100 * RELEASED:g} % of each",
        f"customer's records, {both['released']:,} in all, under shuffled numbers. `singleout.attack` on",
        f"tables in memory, {THREADS} threads, warm, better of 2 (once where it took over {LONG_SECONDS} s),",
        "reading and coding both tables included: the attack by the number of records does little else.",
        "`Kind` is the first two characters of StockCode, `Paid` is Quantity times UnitPrice. The seconds of",
        "known points are those of all four numbers together.",
        "",
        "| attack | seconds | rate | what the attacker knows of a person |",
        "|---|---:|---:|---|",
        *(attack_row(name) for name in (*both["attacks"], "points")),
    ]


def attack_row(name: str) -> str:
    found = page.run(__file__, ["attack", name, "0"])
    print(f"{name:<18}", found, flush=True)
    title = f"{POINTS[0]} to {POINTS[-1]} known points" if name == "points" else name
    if found.get("stopped"):
        return f"| {title} | stopped after {TOO_LONG_SECONDS} s | – | – |"
    rates = ", ".join(f"{rate:.4f}" for rate in found["rates"])
    knows = POINTS_KNOWN if name == "points" else found["knowledge"].partition("every person, ")[2]
    return f"| {title} | {found['took']:.2f} | {rates} | {knows} |"


if __name__ == "__main__":
    main()
