"""Measures attacks by an intruder who knows the recipe, on real purchases, and writes its section.

UCI Online Retail is released by a few recipes, as `deidentify apply` does; each attack has a process of its
own, on tables in memory.
For a trial with few customers that leaves the page as it is: python benchmarks/informed_attacks.py --small
For some parts alone, which leaves it too: --only shift,many (releases by name, roles, many)
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import page
from attack_purchases import FEW_CUSTOMERS, RETAIL, sold
from linking import THREADS, Answer, drawn_sets

TITLE = "An intruder who knows the recipe: singleout attack --recipe"
ORIGINAL = page.DATA / "informed_original.parquet"
COLUMNS = ("InvoiceDate", "StockCode", "Quantity", "UnitPrice")
PEOPLE, ITEMS = 40_000, 3_000
MONTHS = [{"type": "raw"}, {"type": "date", "to": "month"}]
COARSE: list[dict[str, Any]] = [
    {"step": "generalise", "columns": ["InvoiceDate"], "level": 1, "levels": MONTHS},
    {"step": "round", "columns": ["UnitPrice"], "to": 5},
    {"step": "suppress", "what": "columns", "columns": ["StockCode"]},
]
NOISE: list[dict[str, Any]] = [
    {"step": "noise", "columns": ["UnitPrice"], "share": 0.1},
    {"step": "noise", "columns": ["InvoiceDate"], "days": 3},
]
# in words, the steps, the attack that undoes them, and the attack that was best without a recipe
RELEASES: dict[str, tuple[str, list[dict[str, Any]], str, str]] = {
    "coarse": ("dates to the month, prices to 5, no items", COARSE, "bayes", "nearest"),
    "noise": ("prices by ±10 %, dates by ±3 days", NOISE, "bayes", "nearest"),
    "shift": (
        "all dates of a customer by up to ±30 days",
        [{"step": "shift_dates", "columns": ["InvoiceDate"], "days": 30}], "gaps", "dates",
    ),
    "renamed": (
        "items under random names", [{"step": "pseudonymise", "columns": ["StockCode"]}], "roles", "jaccard",
    ),
}  # fmt: skip


PARTS = (*RELEASES, "roles", "many")
MANY = 100_000


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("retail", nargs="?", type=Path, default=RETAIL, help="UCI Online Retail, in Parquet")
    words.add_argument("--small", action="store_true", help="few customers; print the section, write nothing")
    words.add_argument("--only", type=_names, default=PARTS, help="parts by name; prints, writes nothing")
    words.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        name, what, number = given.run
        print(json.dumps(RUN[name](what, int(number))))
        return
    if not given.retail.exists():
        print("informed_attacks: Online Retail is not at hand; docs/data.md says where it is")
        return
    lines = report(given.retail, given.small, given.only)
    if given.small or given.only != PARTS:
        print("\n".join(lines))
        return
    page.write_section(TITLE, lines)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := [name for name in names if name not in PARTS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is no part; there are {', '.join(PARTS)}")
    return names


def run_draw(file: str, few: int) -> Answer:
    """The sales to customers as a history, and each release of it with its truth map."""
    import pyarrow.parquet

    import singleout

    sales = sold(pyarrow.parquet.read_table(file), few).select(["CustomerID", *COLUMNS])
    page.DATA.mkdir(exist_ok=True)
    pyarrow.parquet.write_table(sales, ORIGINAL)
    for name, (_, steps, _, _) in RELEASES.items():
        recipe = {"seed": 1, "step": [*steps, {"step": "pseudonymise"}]}
        for path in (release_file(name), truth_file(name)):
            path.unlink(missing_ok=True)
        singleout.apply(ORIGINAL, recipe, user="CustomerID", out=release_file(name), truth=truth_file(name))
    return {"people": len(sales["CustomerID"].unique()), "records": len(sales)}


def release_file(name: str) -> Path:
    return page.DATA / f"informed_{name}.parquet"


def truth_file(name: str) -> Path:
    return page.DATA / f"informed_{name}_truth.csv"


def run_informed(name: str, times: int) -> Answer:
    """With the recipe; warm, the better of two, or cold, the first and only one."""
    steps, attack = RELEASES[name][1], RELEASES[name][2]
    return timed(name, attack, times, recipe={"step": [*steps, {"step": "pseudonymise"}]})


def run_plain(name: str, times: int) -> Answer:
    return timed(name, RELEASES[name][3], times)


def timed(name: str, attack: str, times: int, **more: Any) -> Answer:
    import pyarrow.parquet

    import singleout

    original, release = (pyarrow.parquet.read_table(file) for file in (ORIGINAL, release_file(name)))
    columns = [column for column in COLUMNS if column in release.column_names]
    item = "StockCode" if "StockCode" in columns else None
    took = []
    for _ in range(times):
        start, worked = time.perf_counter(), time.process_time()
        found = singleout.attack(
            original, release, truth_file(name), user="CustomerID", columns=columns, time="InvoiceDate",
            item=item, attacks=[attack], points=(), threads=THREADS, **more,
        )  # fmt: skip
        took.append((time.perf_counter() - start, time.process_time() - worked))
    attempt = found.by_name(attack)
    assert attempt is not None
    seconds, processor = (min(each) for each in zip(*took, strict=True))
    return {"took": seconds, "processor": processor, "rate": attempt.rate, "bound": attempt.bound}


def run_roles(_: str, people: int) -> Answer:
    """Renamed items of many people, drawn as for the benchmark of set linkage."""
    import numpy

    from singleout.attacks.role_linkage.role_linkage import RoleLinkage
    from singleout.engine.codes.histories import Histories, History
    from singleout.progress import silent

    draw = numpy.random.default_rng(5)
    person, item = drawn_sets(draw, people, ITEMS)
    times = 1 + draw.poisson(0.5, len(item))
    person, item = numpy.repeat(person, times), numpy.repeat(item, times)
    names, people_names = draw.permutation(ITEMS), draw.permutation(people)
    known = History(people, person.astype(numpy.uint32), {"item": item.astype(numpy.uint32)})
    released = History(
        people, people_names[person].astype(numpy.uint32), {"item": names[item].astype(numpy.uint32)}
    )
    both = Histories(known, released, {"item": tuple(map(str, range(ITEMS)))}).sort_records()
    start, worked = time.perf_counter(), time.process_time()
    best = RoleLinkage.of(both, ["item"], THREADS).best(1, silent)
    took, processor = time.perf_counter() - start, time.process_time() - worked
    truth = numpy.argsort(people_names)
    right = float((best.person[:, 0] == truth).mean())
    return {"took": took, "processor": processor, "rate": right, "records": len(item)}


def run_many(attack: str, records: int) -> Answer:
    """So many records of a fifth as many people, prices by ±10 % and no names of customers, by one attack."""
    import numpy
    import pyarrow

    import singleout

    draw = numpy.random.default_rng(7)
    person, town = draw.integers(0, records // 5, records), draw.integers(0, 500, records)
    price, day = draw.lognormal(2, 1, records).round(2), draw.integers(0, 365, records)
    columns = {"town": town, "day": day, "price": price}
    original = pyarrow.table({"who": person, **columns})
    names, order = draw.permutation(records), draw.permutation(records)
    noisy = {**columns, "price": (price * draw.uniform(0.9, 1.1, records)).round(2)}
    release = pyarrow.table({"who": names[person], **noisy}).take(pyarrow.array(order))
    truth = {str(names[each]): str(each) for each in numpy.unique(person).tolist()}
    recipe = {"step": [{"step": "noise", "columns": ["price"], "share": 0.1}, {"step": "pseudonymise"}]}
    start, worked = time.perf_counter(), time.process_time()
    found = singleout.attack(
        original, release, truth, user="who", attacks=[attack], points=(), threads=THREADS, recipe=recipe,
    )  # fmt: skip
    attempt = found.by_name(attack)
    assert attempt is not None
    took, processor = time.perf_counter() - start, time.process_time() - worked
    return {"took": took, "processor": processor, "rate": attempt.rate}


RUN: dict[str, Callable[[str, int], Answer]] = {
    "draw": run_draw, "informed": run_informed, "plain": run_plain, "roles": run_roles, "many": run_many,
}  # fmt: skip


def report(file: Path, small: bool, parts: tuple[str, ...]) -> list[str]:
    releases = [name for name in RELEASES if name in parts]
    return [
        page.machine("duckdb", "numba", "numpy", "pyarrow", "scipy"),
        "",
        *(release_lines(file, small, releases) if releases else []),
        *(roles_lines(PEOPLE // 10 if small else PEOPLE) if "roles" in parts else []),
        *(many_lines(MANY // 10 if small else MANY) if "many" in parts else []),
    ]


def release_lines(file: Path, small: bool, releases: list[str]) -> list[str]:
    both = page.run(__file__, ["draw", str(file), str(FEW_CUSTOMERS if small else 0)])
    return [
        f"The task: UCI Online Retail (see [data](data.md)), {both['people']:,} customers with",
        f"{both['records']:,} records in {', '.join(COLUMNS)},",
        "released by a recipe and under other names. The attack that undoes the recipe stands beside the",
        "one that did best before there were informed ones.",
        f"`singleout.attack` on tables in memory, {THREADS} threads, warm, better of 2, reading,",
        "replaying and coding both tables included, on the clock and of the processor, which other work",
        "does not lengthen; GiB is the process at its peak.",
        "Cold is the processor's time for a new process from its start to its end that has to compile all",
        f"loops, for their cache is empty. {busy()}",
        "",
        "| release | attack | rate | seconds | processor | cold | GiB | without the recipe | rate | seconds "
        "| processor |",
        "|---|---|---:|---:|---:|---:|---:|---|---:|---:|---:|",
        *map(release_row, releases),
        "",
    ]


def roles_lines(people: int) -> list[str]:
    many = page.run(__file__, ["roles", "-", str(people)])
    return [
        f"Renamed items of {people:,} people with {many['records']:,} records, generated, by roles alone:",
        f"{clock(many)}, {many['gib']:.2f} GiB, {100 * many['rate']:.1f} % recognised.",
        "",
    ]


def many_lines(records: int) -> list[str]:
    """Whole records of many people against as many."""
    found = {attack: page.run(__file__, ["many", attack, str(records)]) for attack in ("bayes", "nearest")}
    return [
        f"Each of {records:,} records against as many, generated, prices by ±10 %, all people asked about:",
        *(
            f"`{attack}` {clock(each)}, {each['gib']:.2f} GiB, {100 * each['rate']:.1f} % recognised."
            for attack, each in found.items()
        ),
    ]


def clock(found: Answer) -> str:
    return f"{found['took']:.1f} s ({found['processor']:.1f} s of the processor)"


def busy() -> str:
    """What else the machine had to do: times are longer then."""
    load, threads = os.getloadavg()[0], os.cpu_count() or 1
    others = f"While this was measured, {load:.0f} processes ran or waited for {threads} processor threads"
    return f"{others}: times are longer than alone." if load > threads + 1 else ""


def release_row(name: str) -> str:
    words, _, attack, other = RELEASES[name]
    informed, plain = (page.run(__file__, [how, name, "2"]) for how in ("informed", "plain"))
    with tempfile.TemporaryDirectory() as empty:
        cold = page.run(__file__, ["informed", name, "1"], {"NUMBA_CACHE_DIR": empty})
    print(f"{name:<10}", informed, plain, cold, flush=True)
    return (
        f"| {words} | {attack} | {informed['rate']:.4f} | {informed['took']:.2f} "
        f"| {informed['processor']:.2f} | {cold['worked']:.1f} | {informed['gib']:.2f} "
        f"| {other} | {plain['rate']:.4f} | {plain['took']:.2f} | {plain['processor']:.2f} |"
    )


if __name__ == "__main__":
    main()
