"""Measures `deidentify generalise` beside ANJANA on Adult and tables drawn from it, and writes its section.

Each contender runs in a process of its own, in turns. Whatever it releases is read again and measured here:
k, levels, suppressed records and ARX's Loss. ARX's times are in generalise_beside_arx.py.
Needs the Adult table of ARX with its hierarchies: python benchmarks/generalise.py [FOLDER]
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import page
import plot

TITLE = "The least lossy generalisation: singleout deidentify generalise"
PLOT = page.PAGE.parent / "generalise-growth.svg"
ADULT_FOLDER = page.HERE.parents[1] / "shared" / "data" / "arx_adult"
COLUMNS = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)
REDRAWN = ("age", "occupation")
ADULT, MANY, NODES = 30_162, 10**6, 12_960
PERCENTS = (0, 4, 100)
GROWING, GROWING_PERCENT = (10**4, 3 * 10**4, 10**5, 3 * 10**5, MANY), 4
K = 5
ROUNDS = 3
LONG_SECONDS, TOO_LONG_SECONDS = 20, 300
AT_LEAST_SECONDS = 1.0  # a shorter search is repeated in its process
Answer = dict[str, Any]
Levels = list[list[str]]  # one row a raw value, one column a level


@dataclass(frozen=True)
class Task:
    """`drawn`: records are drawn from Adult, with some columns apart, instead of being Adult itself."""

    records: int
    percent: int
    drawn: bool


@dataclass(frozen=True)
class Optimum:
    """What ARX found on Adult, in the order of the columns, as it printed it."""

    levels: tuple[int, ...]
    loss: float
    suppressed: int


COMMAND, SEARCH, ANJANA = "singleout", "search", "anjana"
Found = dict[str, Answer]
MAIN = tuple(Task(records, percent, records != ADULT) for records in (ADULT, MANY) for percent in PERCENTS)
BY_RECORDS = tuple(Task(records, GROWING_PERCENT, True) for records in GROWING)
ARX_OPTIMA = {
    0: Optimum((0, 4, 1, 1, 3, 2, 2, 1, 0), 0.5731509656, 0),
    4: Optimum((0, 3, 0, 1, 1, 1, 1, 2, 0), 0.2661108192, 1_178),
}
ANJANA_AIM = 50


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folder", nargs="?", type=Path, default=ADULT_FOLDER, help="adult.csv and hierarchies")
    words.add_argument(
        "--largest", type=float, default=MANY, help="leave out larger tables than this, or Adult"
    )
    words.add_argument("--rounds", type=int, default=ROUNDS, help="the best of so many runs")
    words.add_argument("--run", nargs=5, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        name, folder, file, percent, out = given.run
        print(json.dumps(RUN[name](Path(folder), Path(file), int(percent), Path(out))))
        return
    if not (given.folder / "adult.csv").exists():
        print("generalise: left out, as ARX's Adult is not at hand; docs/data.md says where it is published")
        return
    largest = max(given.largest, ADULT)
    tasks = [task for task in dict.fromkeys(MAIN + BY_RECORDS) if task.records <= largest]
    found = {task: measured(task, given.folder, given.rounds) for task in tasks}
    PLOT.write_text(picture(found))
    page.write_section(TITLE, report(found, given.rounds))


def measured(task: Task, folder: Path, rounds: int) -> Found:
    """The best of several runs, in turns; who took long is not asked again."""
    best: Found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(rounds):
            for name in (COMMAND, SEARCH, ANJANA):
                if name in best and best[name]["seconds"] > LONG_SECONDS:
                    continue
                found = asked(name, task, folder, Path(scratch))
                best[name] = kept(best.get(name), found)
    check(task, best)
    return best


def asked(name: str, task: Task, folder: Path, scratch: Path) -> Answer:
    """One run, and what its release is found to be; a search releases nothing that is looked at."""
    file, out = table_of(task, folder), scratch / f"{name}.csv"
    out.unlink(missing_ok=True)
    found = page.run(__file__, [name, str(folder), str(file), str(task.percent), str(out)])
    said = "stopped" if found.get("stopped") else f"{found['seconds']:8.2f} s {found['gib']:6.2f} GiB"
    print(f"{task.records:>9,} {task.percent:>3} % {name:<10} {said}", flush=True)
    if name == SEARCH or found.get("stopped"):
        return found
    look: Answer = page.run(__file__, ["look", str(folder), str(file), str(task.percent), str(out)])["look"]
    return found | look


def kept(known: Answer | None, found: Answer) -> Answer:
    """The best of each time apart, as a process may start fast and search slowly; the most memory."""
    if known is None:
        return found
    fastest = {what: min(known[what], found[what]) for what in ("seconds", "search") if what in found}
    return found | fastest | {"gib": max(known["gib"], found["gib"])}


def check(task: Task, best: Found) -> None:
    """A fast wrong answer is no answer."""
    ours, told = best[COMMAND], best[SEARCH]
    assert told["optimal"] and told["lattice"] == NODES, told
    assert ours["levels"] == told["levels"] and ours["suppressed"] == told["suppressed"], (ours, told)
    assert math.isclose(ours["loss"], told["loss"], rel_tol=1e-9), (ours["loss"], told["loss"])
    for name in (COMMAND, ANJANA):
        if not best[name].get("stopped"):
            assert best[name]["k"] >= K and best[name]["loss"] >= ours["loss"] - 1e-9, (name, best[name])
            assert best[name]["suppressed"] <= task.percent / 100 * task.records, (name, best[name])
    if not task.drawn and task.percent in ARX_OPTIMA:
        want = ARX_OPTIMA[task.percent]
        assert ours["levels"] == list(want.levels) and ours["suppressed"] == want.suppressed, (ours, want)
        assert abs(ours["loss"] - want.loss) < 1e-9, (ours, want)


def table_of(task: Task, folder: Path) -> Path:
    """Made in a process of its own: the peak that is told of a child begins with that of its parent."""
    if not task.drawn:
        return folder / "adult.csv"
    file = page.DATA / f"drawn_adult_{task.records}.csv"
    if not file.exists():
        page.DATA.mkdir(exist_ok=True)
        page.run(__file__, ["draw", str(folder), str(folder / "adult.csv"), "0", str(file)])
    return file


def run_draw(_: Path, adult: Path, __: int, out: Path) -> Answer:
    """Records drawn with replacement; two columns are drawn apart, which makes new combinations."""
    import numpy
    import pyarrow.csv

    table, draw = text_of(adult), numpy.random.default_rng(0)
    records = int(out.stem.rpartition("_")[2])
    drawn = table.take(draw.integers(0, table.num_rows, records))
    for name in REDRAWN:
        apart = table.column(name).take(draw.integers(0, table.num_rows, records))
        drawn = drawn.set_column(drawn.column_names.index(name), name, apart)
    draft = out.with_suffix(".part")
    pyarrow.csv.write_csv(drawn, draft, pyarrow.csv.WriteOptions(delimiter=";"))
    draft.rename(out)
    return {}


def text_of(file: Path) -> Any:
    import pyarrow.csv

    return pyarrow.csv.read_csv(
        file,
        parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter_of(file)),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(COLUMNS, pyarrow.string()), include_columns=list(COLUMNS)
        ),
    )


def delimiter_of(file: Path) -> str:
    with file.open() as lines:
        return ";" if ";" in next(lines) else ","


def hierarchy_of(folder: Path, column: str) -> Levels:
    with (folder / f"adult_hierarchy_{column}.csv").open(newline="") as lines:
        return list(csv.reader(lines, delimiter=";"))


def run_look(folder: Path, file: Path, _: int, out: Path) -> Answer:
    """What a release is, whoever made it: its smallest class, levels, suppressed records and loss."""
    released, records = text_of(out), text_of(file).num_rows
    suppressed = records - released.num_rows
    levels, losses = [], []
    for name in COLUMNS:
        hierarchy = hierarchy_of(folder, name)
        counts = Counter(released.column(name).to_pylist())
        levels.append(level_of(counts, hierarchy))
        losses.append(loss_of(counts, hierarchy, levels[-1], suppressed))
    loss = math.prod(1 + each for each in losses) ** (1 / len(losses)) - 1
    sizes = released.group_by(list(COLUMNS)).aggregate([([], "count_all")])
    k = min(sizes.column("count_all").to_pylist(), default=records)
    return {"look": {"k": k, "levels": levels, "suppressed": suppressed, "loss": loss}}


def level_of(counts: Counter[str], hierarchy: Levels) -> int:
    """No name is used at two levels of one hierarchy, so that names tell the level."""
    fits = [
        level
        for level in range(len(hierarchy[0]))
        if counts.keys() <= {values[level] for values in hierarchy}
    ]
    assert len(fits) == 1, (fits, list(counts)[:5])
    return fits[0]


def loss_of(counts: Counter[str], hierarchy: Levels, level: int, suppressed: int) -> float:
    """ARX's Loss of one column: a suppressed record counts as if its value could be any."""
    raw, records = len(hierarchy), counts.total() + suppressed
    shares = Counter(values[level] for values in hierarchy)
    total = math.fsum(number * shares[value] / raw for value, number in counts.items()) + suppressed
    return max(0.0, (total - records / raw) / (records - records / raw))


def run_command(folder: Path, file: Path, percent: int, out: Path) -> Answer:
    """All that a user waits for, from the start of the process to the release on disk."""
    from singleout.cli.main import main as command

    words = ["deidentify", "generalise", str(file), "--hierarchies", str(folder), "--k", str(K)]
    with redirect_stdout(sys.stderr):
        code = command([*words, "--suppress", str(percent / 100), "--out", str(out)])
    if code:
        sys.exit(code)
    return {}


def run_search(folder: Path, file: Path, percent: int, out: Path) -> Answer:
    """The search alone, on the coded table, warm: the best of at least two."""
    import singleout

    best, took, times = math.inf, 0.0, 0
    while times < 2 or took < AT_LEAST_SECONDS:
        out.unlink(missing_ok=True)
        start = time.perf_counter()
        found = singleout.generalise(
            str(file), hierarchies=str(folder), k=K, suppress=percent / 100, out=str(out)
        )
        took, times = took + time.perf_counter() - start, times + 1
        best = min(best, found.seconds)
    return {
        "search": best,
        "levels": [found.levels[name] for name in COLUMNS],
        "loss": found.loss,
        "suppressed": found.suppressed,
        "evaluated": found.evaluated,
        "lattice": found.lattice,
        "optimal": found.optimal,
    }


def run_anjana(folder: Path, file: Path, percent: int, out: Path) -> Answer:
    """It takes a dictionary of levels a column, counts in percent, and prints what it did."""
    import pandas
    from anjana.anonymity import k_anonymity

    def stop(*_: object) -> None:
        raise TimeoutError

    hierarchies = {
        name: dict(enumerate(map(list, zip(*hierarchy_of(folder, name), strict=True)))) for name in COLUMNS
    }
    frame = pandas.read_csv(file, sep=";", dtype=str, keep_default_na=False)
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(TOO_LONG_SECONDS)
    start = time.perf_counter()
    try:
        with redirect_stdout(sys.stderr):
            found = k_anonymity(frame, [], list(COLUMNS), K, percent, hierarchies)
    except TimeoutError:
        return {"stopped": True}
    signal.alarm(0)
    search = time.perf_counter() - start
    found.to_csv(out, sep=";", index=False, columns=list(COLUMNS))
    return {"search": search}


RUN: dict[str, Callable[[Path, Path, int, Path], Answer]] = {
    COMMAND: run_command,
    SEARCH: run_search,
    ANJANA: run_anjana,
    "draw": run_draw,
    "look": run_look,
}


def picture(found: dict[Task, Found]) -> str:
    kinds = {
        "singleout, the search": (SEARCH, "search"),
        "singleout, the whole command": (COMMAND, "seconds"),
        "ANJANA, the whole process": (ANJANA, "seconds"),
    }
    lines = {title: plotted(found, name, what) for title, (name, what) in kinds.items()}
    marks = {10.0**power: f"{10**power:,}" for power in (4, 5, 6)}
    panel = plot.Panel(
        f"at most {GROWING_PERCENT} % suppressed, {NODES:,} nodes", "records", True, marks, lines
    )
    about = "Seconds over the number of records, the search and the whole command of singleout and ANJANA."
    return plot.drawn("Generalising to 5-anonymity", about, [panel])


def plotted(found: dict[Task, Found], name: str, what: str) -> list[plot.Point]:
    tasks = [task for task in BY_RECORDS if task in found]
    return [(task.records, found[task][name][what]) for task in tasks if what in found[task][name]]


def report(found: dict[Task, Found], rounds: int) -> list[str]:
    main = {task: each for task, each in found.items() if task in MAIN}
    return [
        page.machine("duckdb", "numba", "pandas", "pycanon", "anjana"),
        "",
        f"The task: ARX's Adult (see [data](data.md)), {ADULT:,} records with nine columns and their",
        f"hierarchies, {NODES:,} nodes, is to be {K}-anonymous with the least of ARX's Loss and at most so",
        f"many percent of the records suppressed. {MANY:,} records are drawn from it with replacement,",
        f"{' and '.join(REDRAWN)} each drawn apart. Search: on the table in memory, warm for singleout.",
        "Whole: a process from its start to the release on disk, and the peak of its memory. In turns, best",
        f"of {rounds} (once where it took over {LONG_SECONDS} s). ×: its time over singleout's. Each release",
        "was read again and measured by the benchmark: k, levels, suppressed records and loss. The run stops",
        "if a release is not safe, if singleout's loss is not what it says or not the least of all, or not",
        "the one that ARX printed for 0 and 4 % of Adult. Levels are in the order",
        f"{', '.join(COLUMNS)}.",
        "",
        "| records | suppressed at most | tool | search | × | whole | × | peak memory | loss | levels "
        "| suppressed |",
        "|---:|---:|---|---:|---:|---:|---:|---:|---:|---|---:|",
        *(line for task, each in main.items() for line in rows(task, each)),
        "",
        "What was aimed at:",
        "",
        *(line for task, each in main.items() for line in aims(task, each)),
        "",
        f"How cost grows, at most {GROWING_PERCENT} % suppressed, records drawn at each size:",
        "",
        "![A plot of the seconds over 10,000 to 1,000,000 records: the search and the whole command of "
        f"singleout, and ANJANA]({PLOT.name})",
        "",
        "| records | nodes evaluated | search | whole | peak memory | loss | ANJANA, whole | its loss |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
        *(growth_row(task, found[task]) for task in BY_RECORDS if task in found),
    ]


def rows(task: Task, each: Found) -> list[str]:
    head = f"| {task.records:,} | {task.percent} %"
    ours = each[COMMAND] | {"search": each[SEARCH]["search"]}
    return [f"{head} | {line} |" for line in (row("singleout", ours, ours), anjana_row(each, ours))]


def row(tool: str, each: Answer, ours: Answer) -> str:
    search, whole = each["search"], each["seconds"]
    return (
        f"{tool} | {told(search)} | {times(search / ours['search'])} | {told(whole)} "
        f"| {times(whole / ours['seconds'])} | {memory(each)} | {each['loss']:.4f} "
        f"| {','.join(map(str, each['levels']))} | {each['suppressed']:,}"
    )


def anjana_row(each: Found, ours: Answer) -> str:
    if each[ANJANA].get("stopped"):
        return f"ANJANA | stopped after {TOO_LONG_SECONDS} s | – | – | – | – | – | – | –"
    return row("ANJANA", each[ANJANA], ours)


def aims(task: Task, each: Found) -> list[str]:
    where = f"at {task.records:,} records and {task.percent} %"
    search, lines = each[SEARCH]["search"], []
    if not task.drawn:
        anjana = each[ANJANA]
        lines.append(
            f"- the search at least {ANJANA_AIM} times as fast as ANJANA's {where}: "
            f"{verdict(anjana['search'] / search, ANJANA_AIM)}; {losses(each)}"
        )
    return lines


def verdict(found: float, wanted: int) -> str:
    return f"{times(found)} times, {'met' if found >= wanted else '**missed**'}"


def losses(each: Found) -> str:
    ours, theirs = each[COMMAND]["loss"], each[ANJANA]["loss"]
    if math.isclose(ours, theirs, rel_tol=1e-9):
        return f"the same loss, {ours:.4f}: its greedy walk happens to end at the optimum"
    return f"loss {ours:.4f} instead of {theirs:.4f}"


def growth_row(task: Task, each: Found) -> str:
    ours, anjana = each[COMMAND], each[ANJANA]
    theirs = "– | –" if anjana.get("stopped") else f"{told(anjana['seconds'])} | {anjana['loss']:.4f}"
    return (
        f"| {task.records:,} | {each[SEARCH]['evaluated']:,} | {told(each[SEARCH]['search'])} "
        f"| {told(ours['seconds'])} | {memory(ours)} | {ours['loss']:.4f} | {theirs} |"
    )


def told(seconds: float) -> str:
    if seconds < 1:
        return f"{seconds * 1000:,.{0 if seconds >= 0.1 else 1}f} ms"
    return f"{seconds:,.{0 if seconds >= 100 else 1}f} s"


def times(ratio: float) -> str:
    return f"{ratio:,.{0 if ratio >= 100 else 1}f}"


def memory(each: Answer) -> str:
    return f"{each['gib']:.2f} GiB"


if __name__ == "__main__":
    main()
