"""Measures counting all subsets of columns beside a GROUP BY a subset, and writes its section and its plot.

A contender is given the table as codes, in a process of its own, and only its counting is timed, warm. Those
that take too long for all subsets count a fair sample of them, and their time is scaled up.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import page
import plot

TITLE = "Every combination: singleout combinations"
PLOT = page.PAGE.parent / "combinations-growth.svg"
ADULT, MANY = 32_561, 10**6
COLUMNS = (10, 12, 15)
GROWING_RECORDS, AT_COLUMNS = (10**4, 3 * 10**4, 10**5, 3 * 10**5, MANY), 12
GROWING_COLUMNS = (6, 8, 10, 12, 14, 15)
WIDEST = 2  # the column with most values; subsets with it have far more classes than others
PROFILES = 24
ROUNDS = 2
PATIENCE_SECONDS = 20
AT_LEAST_SECONDS = 0.5  # a shorter count is repeated in its process
MOST_MEMORY = 3
Answer = dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """A column: how frequent its first value is, how fast the others get rare, how many follow a profile."""

    values: int
    first: float = 0.0
    skew: float = 0.0
    tied: float = 0.0
    renames_last: bool = False


# the columns of Adult; `tied` is fitted so that its subsets have about as many classes
SHAPES = (
    Shape(73, 0.03, 0.3, 0.4),
    Shape(9, 0.70, 1.2, 0.4),
    Shape(21_648, 0.0, 0.0, 0.2),
    Shape(16, 0.32, 1.3, 0.5),
    Shape(16, renames_last=True),
    Shape(7, 0.46, 1.5, 0.7),
    Shape(15, 0.13, 0.5, 0.5),
    Shape(6, 0.41, 0.8, 0.85),
    Shape(5, 0.85, 1.5, 0.3),
    Shape(2, 0.67, 0.0, 0.8),
    Shape(119, 0.92, 0.5, 0.3),
    Shape(92, 0.95, 0.5, 0.3),
    Shape(94, 0.47, 1.1, 0.4),
    Shape(42, 0.90, 0.8, 0.4),
    Shape(2, 0.76, 0.0, 0.6),
)


@dataclass(frozen=True)
class Contender:
    """`work` is how many records it counts in one run: `work` / records subsets, but at least `least`."""

    name: str
    title: str
    work: float = float("inf")
    least: int = 0
    threads: int = 0

    def sample(self, records: int, columns: int) -> int:
        return int(min(2**columns - 1, max(self.least, self.work // records)))


OURS = Contender("singleout", "singleout", threads=2)
ALONE = Contender("singleout", "singleout, 1 thread", threads=1)
DUCKDB = Contender("duckdb", "DuckDB", work=13e6, least=40)
PANDAS = Contender("pandas", "pandas", work=6.5e6, least=32)
PYCANON = Contender("pycanon", "pyCANON", work=3.5e5, least=2)
Found = dict[Contender, Answer]


@dataclass(frozen=True)
class Task:
    records: int
    columns: int

    def contenders(self) -> tuple[Contender, ...]:
        """All at the sizes of the main table, but for two that take long; two for the plot."""
        if self.records not in (ADULT, MANY) or self.columns not in COLUMNS:
            return (OURS, DUCKDB)
        if (self.records, self.columns) == (MANY, 15):
            return (OURS, DUCKDB, PANDAS)
        return (OURS, ALONE, DUCKDB, PANDAS, PYCANON)

    @property
    def subsets(self) -> int:
        return int(2**self.columns - 1)


AIMS = ((DUCKDB, Task(ADULT, 15), 150), (PANDAS, Task(ADULT, 15), 300), (DUCKDB, Task(MANY, 12), 15))
MAIN = tuple(Task(records, columns) for records in (ADULT, MANY) for columns in COLUMNS)
BY_RECORDS = tuple(Task(records, AT_COLUMNS) for records in GROWING_RECORDS)
BY_COLUMNS = tuple(Task(ADULT, columns) for columns in GROWING_COLUMNS)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("adult", nargs="?", type=Path, help="adult.data of UCI, instead of a table like it")
    words.add_argument(
        "--largest", type=float, default=MANY, help="leave out larger tables than this, or Adult"
    )
    words.add_argument("--run", nargs=4, metavar=("NAME", "FILE", "COLUMNS", "HOW"), help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        name, file, columns, how = given.run
        print(json.dumps(RUN[name](Path(file), int(columns), int(how))))
        return
    largest = max(given.largest, ADULT)
    tasks = [task for task in dict.fromkeys(MAIN + BY_RECORDS + BY_COLUMNS) if task.records <= largest]
    files = {task.records: table_of(task.records, given.adult) for task in tasks}
    found = {task: measured(task, files[task.records]) for task in tasks}
    prepared = {task: preparing(task, files[task.records]) for task in tasks if task in MAIN}
    PLOT.write_text(picture(found))
    page.write_section(TITLE, report(found, prepared, real=given.adult is not None))


def measured(task: Task, file: Path) -> Found:
    """The best of several runs, in turns; who took long is not asked again."""
    best: Found = {}
    for _ in range(ROUNDS):
        for contender in task.contenders():
            if contender in best and best[contender]["took"] > PATIENCE_SECONDS:
                continue
            how = contender.threads or contender.sample(task.records, task.columns)
            found = page.run(__file__, [contender.name, str(file), str(task.columns), str(how)])
            size = f"{task.records:>9,} × {task.columns:<2}"
            print(f"{size} {contender.title:<20} {found['seconds']:10.3f} s", flush=True)
            if contender not in best or found["seconds"] < best[contender]["seconds"]:
                best[contender] = found
    check_same(best)
    return best


def check_same(best: Found) -> None:
    """A fast wrong answer is no answer: classes, smallest class and records alone of each subset counted."""
    want = best[OURS]["answers"]
    for contender, found in best.items():
        for subset, answer in found["answers"].items():
            for told, right in zip(answer, want[subset], strict=True):
                assert told is None or told == right, (contender.title, subset, answer, want[subset])


def preparing(task: Task, file: Path) -> Answer:
    """What a user waits for before the first subset, and the memory that codes alone need."""
    runs = [page.run(__file__, ["coding", str(file), str(task.columns), "2"]) for _ in range(ROUNDS)]
    codes = page.run(__file__, ["codes", str(file), str(task.columns), "2"])
    return codes | {"seconds": min(each["seconds"] for each in runs)}


def table_of(records: int, adult: Path | None) -> Path:
    """The codes of each column, in the smallest type; beside them the same values as text, in Parquet."""
    real = adult is not None and records == ADULT
    file = page.DATA / (f"adult_{records}.npz" if real else f"like_adult_{records}.npz")
    if file.exists():
        return file
    import numpy
    import pyarrow.parquet

    page.DATA.mkdir(exist_ok=True)
    table = read_adult(adult) if adult is not None and real else like_adult(records)
    pyarrow.parquet.write_table(table, file.with_suffix(".parquet"))
    coded = [table.column(name).combine_chunks().dictionary_encode() for name in table.column_names]
    draft = file.with_suffix(".part.npz")
    kinds = [numpy.min_scalar_type(len(each.dictionary) - 1) for each in coded]
    numpy.savez(
        draft, *(each.indices.to_numpy().astype(kind) for each, kind in zip(coded, kinds, strict=True))
    )
    draft.rename(file)
    return file


def read_adult(file: Path) -> Any:
    import pyarrow.csv

    names = [f"c{place}" for place in range(len(SHAPES))]
    table = pyarrow.csv.read_csv(
        file,
        read_options=pyarrow.csv.ReadOptions(column_names=names),
        convert_options=pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.string())),
    )
    if table.num_rows != ADULT:
        raise SystemExit(f"{file.name} has {table.num_rows:,} records; adult.data has {ADULT:,}")
    return table


def like_adult(records: int) -> Any:
    """Each record has a hidden profile: some of its values follow from it, the others from chance."""
    import numpy
    import pyarrow

    draw = numpy.random.default_rng(0)
    profile = ranks(draw.random(records), 1 / numpy.arange(1, PROFILES + 1))
    codes: list[Any] = []
    for shape in SHAPES:
        if shape.renames_last:
            codes.append(draw.permutation(shape.values)[codes[-1]])
            continue
        tied = draw.random(records) < shape.tied
        place = numpy.where(tied, draw.random(PROFILES)[profile], draw.random(records))
        codes.append(ranks(place, weights(shape)))
        if records >= shape.values:
            codes[-1][draw.choice(records, shape.values, replace=False)] = numpy.arange(shape.values)
    columns = {f"c{place}": pyarrow.array(each).cast(pyarrow.string()) for place, each in enumerate(codes)}
    return pyarrow.table(columns)


def weights(shape: Shape) -> Any:
    import numpy

    rest = 1 / numpy.arange(1, shape.values) ** shape.skew
    return numpy.concatenate(([shape.first or 1 / shape.values], (1 - shape.first) * rest / rest.sum()))


def ranks(place: Any, frequency: Any) -> Any:
    """Which value a place from 0 to 1 falls on, where values are as wide as they are frequent."""
    import numpy

    return numpy.searchsorted(numpy.cumsum(frequency / frequency.sum())[:-1], place)


def sampled(columns: int, number: int) -> list[int]:
    """Equally many steps apart in all subsets, those with the widest column apart, each part by size."""
    draw = random.Random(0)

    def order(subset: int) -> tuple[int, int, float]:
        return subset >> WIDEST & 1, subset.bit_count(), draw.random()

    subsets = sorted(range(1, 1 << columns), key=order)
    return [subsets[(2 * place + 1) * len(subsets) // (2 * number)] for place in range(number)]


def members(subset: int) -> list[str]:
    return [f"c{place}" for place in range(len(SHAPES)) if subset >> place & 1]


def small_codes(file: Path, columns: int) -> dict[str, Any]:
    import numpy

    kept = numpy.load(file)
    return {f"c{place}": kept[f"arr_{place}"] for place in range(columns)}


def run_singleout(file: Path, columns: int, threads: int) -> Answer:
    import numpy

    from singleout.engine.codes.collapsed_rows import collapse
    from singleout.engine.column_sets.lattice import Lattice

    rows = collapse(warm_codes(file, columns, threads), threads=threads)
    subsets = numpy.arange(1, 1 << columns, dtype=numpy.uint64)
    seconds, found = best_of(lambda: Lattice(rows, threads).count(subsets, 1))
    peak = peak_bytes()
    answers = zip(found.classes.tolist(), found.smallest.tolist(), found.unique.tolist(), strict=True)
    return {"seconds": seconds, "took": seconds, "peak": peak, "answers": dict(enumerate(answers, 1))}


def best_of(work: Callable[[], Any]) -> tuple[float, Any]:
    took, best, answer = 0.0, float("inf"), None
    while took < AT_LEAST_SECONDS:
        start = time.perf_counter()
        answer = work()
        seconds = time.perf_counter() - start
        best, took = min(best, seconds), took + seconds
    return best, answer


def warm_codes(file: Path, columns: int, threads: int) -> list[Any]:
    """The table as the engine has it, after a few records of it have been counted."""
    import numpy

    from singleout.engine.codes.collapsed_rows import collapse
    from singleout.engine.codes.dictionary import Codes
    from singleout.engine.column_sets.lattice import Lattice

    kept = numpy.load(file)
    codes = []
    for place in range(columns):
        each = kept[f"arr_{place}"].astype(numpy.uint32)
        codes.append(Codes(each, int(each.max()) + 1))
    few = collapse([Codes(each.codes[:1000], each.count) for each in codes], threads=threads)
    Lattice(few, threads).count(numpy.arange(1, 1 << columns, dtype=numpy.uint64)[:64], 1)
    return codes


def peak_bytes() -> int:
    """Of this process's own memory; the peak that `getrusage` tells begins with that of the parent."""
    words = Path("/proc/self/status").read_text().split()
    return int(words[words.index("VmHWM:") + 1]) * 1024


def run_codes(file: Path, columns: int, threads: int) -> Answer:
    held = sum(each.bytes for each in warm_codes(file, columns, threads))
    peak = peak_bytes()
    small = sum(each.nbytes for each in small_codes(file, columns).values())
    return {"peak": peak, "small": small, "held": held}


def run_coding(file: Path, columns: int, threads: int) -> Answer:
    import pyarrow.parquet

    from singleout.engine.codes.collapsed_rows import collapse
    from singleout.engine.codes.dictionary import encode

    warm_codes(file, columns, threads)
    start = time.perf_counter()
    text = pyarrow.parquet.ParquetFile(file.with_suffix(".parquet"))
    names = [f"c{place}" for place in range(columns)]
    coded = [encode(text.iter_batches(columns=[name]), 2**30, threads) for name in names]
    collapse(coded, threads=threads)
    return {"seconds": time.perf_counter() - start}


def run_duckdb(file: Path, columns: int, number: int) -> Answer:
    import duckdb
    import pyarrow

    codes = pyarrow.table(small_codes(file, columns))
    connection = duckdb.connect()
    connection.register("codes", codes)
    connection.execute("CREATE TABLE records AS SELECT * FROM codes")

    def count(subset: int) -> list[int]:
        groups = f"SELECT count(*) AS n FROM records GROUP BY {', '.join(members(subset))}"
        sql = f"SELECT count(*), min(n), count(*) FILTER (WHERE n = 1) FROM ({groups})"
        return list(connection.execute(sql).fetchall()[0])

    return each_sampled(count, columns, number)


def run_pandas(file: Path, columns: int, number: int) -> Answer:
    import pandas

    frame = pandas.DataFrame(small_codes(file, columns))

    def count(subset: int) -> list[int]:
        sizes = frame.groupby(members(subset), dropna=False, observed=True, sort=False).size()
        return [len(sizes), int(sizes.min()), int((sizes == 1).sum())]

    return each_sampled(count, columns, number)


def run_pycanon(file: Path, columns: int, number: int) -> Answer:
    import pandas
    from pycanon import anonymity

    frame = pandas.DataFrame(small_codes(file, columns))
    return each_sampled(
        lambda subset: [None, int(anonymity.k_anonymity(frame, members(subset))), None], columns, number
    )


def each_sampled(count: Callable[[int], Any], columns: int, number: int) -> Answer:
    subsets = sampled(columns, number)
    count(1)
    took, answers = best_of(lambda: {subset: count(subset) for subset in subsets})
    return {"seconds": took * (2**columns - 1) / number, "took": took, "number": number, "answers": answers}


RUN: dict[str, Callable[[Path, int, int], Answer]] = {
    "singleout": run_singleout,
    "codes": run_codes,
    "coding": run_coding,
    "duckdb": run_duckdb,
    "pandas": run_pandas,
    "pycanon": run_pycanon,
}


def picture(found: dict[Task, Found]) -> str:
    return plot.drawn(
        "Counting all subsets of the columns",
        "Seconds over the number of records and of columns, singleout and a GROUP BY a subset in DuckDB.",
        [
            plot.Panel(
                f"{AT_COLUMNS} columns, {2**AT_COLUMNS - 1:,} subsets",
                "records",
                True,
                {10**power: f"{10**power:,}" for power in (4, 5, 6)},
                plotted(found, [(task.records, task) for task in BY_RECORDS]),
            ),
            plot.Panel(
                f"{ADULT:,} records",
                "columns (each one more doubles the subsets)",
                False,
                {columns: str(columns) for columns in GROWING_COLUMNS},
                plotted(found, [(task.columns, task) for task in BY_COLUMNS]),
            ),
        ],
    )


def plotted(found: dict[Task, Found], tasks: list[tuple[int, Task]]) -> dict[str, list[plot.Point]]:
    names = {OURS: "singleout, 2 threads", DUCKDB: "DuckDB, one GROUP BY a subset (≈ beyond 8 columns)"}
    known = [(across, found[task]) for across, task in tasks if task in found]
    return {
        name: [(across, each[contender]["seconds"]) for across, each in known]
        for contender, name in names.items()
    }


def report(found: dict[Task, Found], prepared: dict[Task, Answer], real: bool) -> list[str]:
    main = {task: each for task, each in found.items() if task in MAIN}
    table = "UCI Adult (see [data](data.md))" if real else "a generated table in the shape of UCI Adult"
    return [
        page.machine("duckdb", "numba", "pandas", "pycanon"),
        "",
        "The task: of each subset of the first 10, 12 and 15 columns, how many classes there are, the size",
        f"of the smallest and how many records are alone. At {ADULT:,} records {table};",
        "at other sizes records are generated in the same shape: 2 to 21,648 values a column, few of them",
        "frequent, some following from other columns. Every contender has the table in memory as codes and",
        "a process of its own; its counting alone is timed, warm, in turns, best of at least",
        f"{ROUNDS} (once where it took over {PATIENCE_SECONDS} s). singleout counts all subsets; times",
        "marked ≈ are scaled up from a sample: in brackets, how many, equally far apart in all subsets",
        "ordered by size, first those without the widest column, then those with it. DuckDB has 2 threads",
        "too; pyCANON's `k_anonymity` tells the smallest class only. All agree on every subset they counted,",
        "or the run stops. ×: its time over singleout's with 2 threads.",
        "",
        "| records | columns | subsets | singleout, 1 thread | 2 threads | DuckDB | × | pandas | × "
        "| pyCANON | × |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        *(main_row(task, each) for task, each in main.items()),
        "",
        "Before that, singleout reads the table (here text in Parquet), codes it and makes one row of equal",
        "records. Memory is the peak while all subsets are counted with 2 threads, above a process that only",
        "has the codes; a coded table has one or two bytes a value here, and singleout reads it into four.",
        "",
        "| records | columns | reading, coding, collapsing | coded table | peak above it "
        "| times the coded table | times its 4-byte codes |",
        "|---:|---:|---:|---:|---:|---:|---:|",
        *(memory_row(task, main[task], each) for task, each in prepared.items()),
        "",
        "What was aimed at:",
        "",
        *(aimed(main[task], rival, task, times) for rival, task, times in AIMS if task in main),
        memory_aim(main, prepared),
        "",
        "How cost grows:",
        "",
        "![Two plots of the seconds for all subsets, singleout beside DuckDB: over 10,000 to 1,000,000 "
        f"records at {AT_COLUMNS} columns, and over 6 to 15 columns at {ADULT:,} records]({PLOT.name})",
        "",
        "| records | columns | subsets | singleout, 2 threads | microseconds a subset | DuckDB | × |",
        "|---:|---:|---:|---:|---:|---:|---:|",
        *(growth_row(task, found[task]) for task in BY_RECORDS + BY_COLUMNS if task in found),
    ]


def told(seconds: float) -> str:
    if seconds < 1:
        return f"{seconds * 1000:,.{0 if seconds >= 0.1 else 1}f} ms"
    return f"{seconds:,.{0 if seconds >= 100 else 1}f} s"


def ratio(each: Found, rival: Contender) -> float:
    return float(each[rival]["seconds"] / each[OURS]["seconds"])


def scaled(each: Found, contender: Contender, task: Task) -> str:
    """Its time, marked where it is scaled up, and its ratio."""
    if contender not in each:
        return "– | –"
    number = each[contender]["number"]
    seconds, times = told(each[contender]["seconds"]), f"{ratio(each, contender):,.0f}"
    return f"{seconds} | {times}" if number == task.subsets else f"≈ {seconds} ({number:,}) | {times}"


def size(task: Task) -> str:
    return f"| {task.records:,} | {task.columns}"


def main_row(task: Task, each: Found) -> str:
    alone = told(each[ALONE]["seconds"]) if ALONE in each else "–"
    rivals = " | ".join(scaled(each, rival, task) for rival in (DUCKDB, PANDAS, PYCANON))
    return f"{size(task)} | {task.subsets:,} | {alone} | {told(each[OURS]['seconds'])} | {rivals} |"


def growth_row(task: Task, each: Found) -> str:
    ours = each[OURS]["seconds"]
    a_subset = f"{ours / task.subsets * 1e6:,.0f}"
    return f"{size(task)} | {task.subsets:,} | {told(ours)} | {a_subset} | {scaled(each, DUCKDB, task)} |"


def peak_above(each: Found, codes: Answer) -> int:
    return int(each[OURS]["peak"] - codes["peak"])


def memory_row(task: Task, each: Found, codes: Answer) -> str:
    above, small = peak_above(each, codes), codes["small"]
    return (
        f"{size(task)} | {told(codes['seconds'])} | {small / 2**20:.1f} MiB | {above / 2**20:.1f} MiB "
        f"| {above / small:.1f} | {above / codes['held']:.1f} |"
    )


def aimed(each: Found, rival: Contender, task: Task, times: int) -> str:
    found = ratio(each, rival)
    verdict = "met" if found >= times else "**missed**"
    what = f"at least {times} times as fast as {rival.title} at {task.records:,} × {task.columns}"
    return f"- {what}: {found:,.0f} times, {verdict}"


def memory_aim(main: dict[Task, Found], prepared: dict[Task, Answer]) -> str:
    least = [peak_above(main[task], codes) / codes["small"] for task, codes in prepared.items()]
    held = [peak_above(main[task], codes) / codes["held"] for task, codes in prepared.items()]
    verdict = "met" if max(least) <= MOST_MEMORY else "**missed**"
    return (
        f"- at most {MOST_MEMORY} times the coded table above it in memory: {min(least):.1f} to "
        f"{max(least):.1f} times, {verdict}; {min(held):.1f} to {max(held):.1f} times codes of four bytes"
    )


if __name__ == "__main__":
    main()
