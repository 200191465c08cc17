"""Measures how fast people are linked, beside scipy and scikit-learn, and writes its section of the page.

The task is the exact best match of n people among n by their item sets (Jaccard), and how its cost grows
with n; then the ten nearest by their counts of records. Each contender has the same arrays and a process of
its own, in turns; all must agree, or the run stops.
For a trial with few people that leaves the page as it is: python benchmarks/link_people.py --small
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import linking
import page
import plot
from linking import MOST, NEAREST, OURS, SCIPY, SCIPY_THREADS, SKLEARN, TEN, THREADS, TREE, Answer, Found

TITLE = "Linking people: singleout attack"
PLOT = page.PAGE.parent / "link-people-growth.svg"
ITEMS, CATEGORIES = (3_000, 50_000), (5, 20, 58)
ROUNDS, LONG_SECONDS, VECTOR_ROUNDS = 3, 10, 2
MOST_ASKED, VALUES_COMPARED = 10_000, 14_000_000_000
AIMS, AIM_GIB = {40_000: 10, 200_000: 15}, 1.0


@dataclass(frozen=True)
class Task:
    """So many people, and items to choose from or categories to count records of."""

    people: int
    choices: int

    def drawn(self, what: str) -> Path:
        """The file of generated `people` with sets, or of `vectors`."""
        file = page.DATA / f"{what}_{self.people}_{self.choices}.npz"
        if not file.exists():
            page.DATA.mkdir(exist_ok=True)
            page.run(__file__, [f"draw_{what}", str(file), "0"])
        return file


@dataclass(frozen=True)
class Sizes:
    """`main` with all contenders, `growing` with singleout alone, each twice the one before.

    `vectors` people are linked by counts; with most categories, the tree is asked for a part of them.
    """

    main: tuple[int, ...]
    growing: tuple[int, ...]
    vectors: int
    part: int


ALL = Sizes((4_000, 40_000, 200_000), (25_000, 50_000, 100_000, 200_000), 40_000, 4_000)
SMALL = Sizes((2_000, 4_000), (1_000, 2_000, 4_000), 2_000, 200)
TITLES = {
    OURS: "singleout, the best",
    TEN: "singleout, the ten best",
    SCIPY: "scipy",
    SCIPY_THREADS: f"scipy, {THREADS} threads",
    SKLEARN: "scikit-learn",
}
VECTOR_TITLES = {NEAREST: "singleout", TREE: "scipy, cKDTree"}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--small", action="store_true", help="few people; print the section, write nothing")
    words.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.run:
        name, file, number = given.run
        print(json.dumps(linking.RUN[name](Path(file), int(number))))
        return
    sizes = SMALL if given.small else ALL
    first = compiling()
    found = {task: by_sets(task, tuple(TITLES)) for task in tasks(sizes.main)}
    grown = {task: found.get(task) or by_sets(task, (OURS,)) for task in tasks(sizes.growing)}
    near = {task: by_vectors(task, sizes) for task in (Task(sizes.vectors, many) for many in CATEGORIES)}
    lines = [*about(first), *main_table(found), *growth(grown, PLOT.name), *vector_table(near, sizes)]
    plotted = picture(found, grown)
    if given.small:
        print("\n".join(lines))
        return
    PLOT.write_text(plotted)
    page.write_section(TITLE, lines)


def tasks(sizes: tuple[int, ...]) -> list[Task]:
    return [Task(people, items) for items in ITEMS for people in sizes]


def compiling() -> tuple[float, float]:
    """Seconds of the first call with nothing compiled, and of that in the next process."""
    with tempfile.TemporaryDirectory() as empty:
        cold, warm = (
            page.run(__file__, ["warm", "-", "0"], {"NUMBA_CACHE_DIR": empty})["first"] for _ in range(2)
        )
    return cold, warm


def by_sets(task: Task, names: tuple[str, ...]) -> Found:
    many = {name: asked(name, task) for name in names}
    best = measured(task.drawn("people"), {name: people for name, people in many.items() if people}, ROUNDS)
    linking.check_sets(best)
    return best


def by_vectors(task: Task, sizes: Sizes) -> Found:
    part = sizes.part if task.choices == CATEGORIES[-1] else task.people
    best = measured(task.drawn("vectors"), {NEAREST: task.people, TREE: part}, VECTOR_ROUNDS, math.inf)
    linking.check_vectors(best)
    return best


def measured(file: Path, many: Mapping[str, int], rounds: int, patience: float = LONG_SECONDS) -> Found:
    """The best of several runs, in turns; who took longer than `patience` is not asked again."""
    best: Found = {}
    for _ in range(rounds):
        for name, people in many.items():
            known = best.get(name)
            if known and known["took"] > patience:
                continue
            found = page.run(__file__, [name, str(file), str(people)])
            print(f"{file.stem:<20} {name:<14} {found['took']:8.3f} s", flush=True)
            assert found["people"] == people, name
            best[name] = found if known is None else kept(known, found)
    return best


def asked(name: str, task: Task) -> int:
    """How many people's match is looked for: all, or as many as there is time for."""
    if name in (OURS, TEN):
        return task.people
    if name == SKLEARN:
        fits = VALUES_COMPARED // (task.people * task.choices)
        return min(task.people, fits) if task.people <= ALL.main[0] else 0
    return task.people if task.people <= ALL.main[1] else MOST_ASKED


def kept(known: Answer, found: Answer) -> Answer:
    fastest, most = min(known["took"], found["took"]), max(known["above"], found["above"])
    return found | {"took": fastest, "above": most}


def about(first: tuple[float, float]) -> list[str]:
    return [
        page.machine("duckdb", "numba", "numpy", "scipy", "scikit-learn"),
        "",
        *paragraph(
            "The task: for each person of a release, who of the original has the most similar item set",
            "(Jaccard, exactly). Everybody is released with a random half of their items, under another",
            "number. The sets are generated, about 65 items each; few people have many, few items are",
            f"frequent. All contenders have the same arrays. singleout: {THREADS} threads; the best, or the",
            "ten best with all ties, which is what `attack` asks for. scipy: products of sparse matrices,",
            "then the best of each row, in the blocks of people that were fastest (about",
            f"{linking.PAIRS_A_BLOCK:,} pairs). scikit-learn: `NearestNeighbors` with",
            f'`metric="jaccard"`, `algorithm="brute"` and `n_jobs={THREADS}`, a column an item; not run on',
            f"more than {ALL.main[0]:,} people. Who would take long is asked for fewer people of the",
            "release, at random: the cost grows with their number.",
            f"Each contender had a process of its own, warm, in turns, best of {ROUNDS} (once where it took",
            f"over {LONG_SECONDS} s). Memory is the peak above that of the process with the data loaded. All",
            "agree on how alike everybody's best match is, and on who it is where only one is best, or the",
            "run stops.",
        ),
        "",
        *paragraph(
            f"The first call in a fresh environment took {first[0]:.1f} s, most of it to compile the loops;",
            f"the next process took {first[1]:.1f} s for the same call.",
        ),
        "",
    ]


def paragraph(*pieces: str) -> list[str]:
    return textwrap.wrap(" ".join(pieces), 105, break_long_words=False, break_on_hyphens=False)


def main_table(found: dict[Task, Found]) -> list[str]:
    return [
        *head("items"),
        *(
            row(task, title, best[name], best[SCIPY])
            for task, best in found.items()
            for name, title in TITLES.items()
            if name in best
        ),
        "",
        *aims(found),
    ]


def head(choices: str) -> list[str]:
    measures = "seconds | people/s | memory above | times scipy"
    return [
        f"| people | {choices} | contender | people asked | {measures} |",
        "|---:|---:|---|---:|---:|---:|---:|---:|",
    ]


def row(task: Task, title: str, each: Answer, scipy: Answer) -> str:
    return (
        f"| {task.people:,} | {task.choices:,} | {title} | {each['people']:,} | {told(each['took'])} "
        f"| {plain(pace(each))} | {each['above']:.2f} GiB | {plain(pace(each) / pace(scipy))} |"
    )


def pace(each: Answer) -> float:
    return float(each["people"] / each["took"])


def aims(found: dict[Task, Found]) -> list[str]:
    least = min(best[OURS]["right"] for best in found.values())
    wanted = [aim(task, best) for task, best in found.items() if task.people in AIMS]
    return [
        f"The best match is the right person for at least {100 * least:.4g} % of people.",
        "",
        *wanted,
        "",
    ]


def aim(task: Task, best: Found) -> str:
    ours, wanted = best[OURS], AIMS[task.people]
    speed, beside_threads = (pace(ours) / pace(best[name]) for name in (SCIPY, SCIPY_THREADS))
    return (
        f"- {task.people:,} people, {task.choices:,} items: aimed at {wanted} times scipy: {plain(speed)}, "
        f"{verdict(speed >= wanted)} ({plain(beside_threads)} times scipy with {THREADS} threads); "
        f"at {AIM_GIB:g} GiB above the data: {ours['above']:.2f}, {verdict(ours['above'] <= AIM_GIB)}"
    )


def verdict(met: bool) -> str:
    return "met" if met else "**missed**"


def growth(grown: dict[Task, Found], picture_name: str) -> list[str]:
    lines = [
        "How cost grows, singleout, the best match of everybody:",
        "",
        f"![A plot of the seconds over the number of people, with {ITEMS[0]:,} and with {ITEMS[1]:,} items: "
        f"singleout and scipy]({picture_name})",
        "",
        "| items | people | seconds | times those of half the people | nanoseconds a pair | memory above |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    before: dict[int, float] = {}
    for task, best in grown.items():
        took, above = best[OURS]["took"], best[OURS]["above"]
        factor = f"{took / before[task.choices]:.1f}" if task.choices in before else "–"
        a_pair = f"{took / task.people**2 * 1e9:.2f}"
        lines.append(
            f"| {task.choices:,} | {task.people:,} | {told(took)} | {factor} | {a_pair} | {above:.2f} GiB |"
        )
        before[task.choices] = took
    return [*lines, ""]


def picture(found: dict[Task, Found], grown: dict[Task, Found]) -> str:
    marks = {float(people): f"{people:,}" for people in ALL.main}
    panels = [
        plot.Panel(
            f"{items:,} items", "people", True, marks,
            {
                "singleout": points(found | grown, items, OURS),
                "scipy, scaled up where asked for fewer": points(found, items, SCIPY),
            },
        )
        for items in ITEMS
    ]  # fmt: skip
    about = "Seconds for the best match of everybody, singleout and scipy, over the number of people."
    return plot.drawn("Linking people by their item sets", about, panels)


def points(found: dict[Task, Found], items: int, name: str) -> list[plot.Point]:
    tasks = sorted((task for task in found if task.choices == items), key=lambda task: task.people)
    return [(task.people, task.people / pace(found[task][name])) for task in tasks]


def vector_table(near: dict[Task, Found], sizes: Sizes) -> list[str]:
    return [
        *paragraph(
            f"The {MOST} nearest of everybody, by how many records they have of each category (Euclidean):",
            f"`VectorLinkage` beside scipy's `cKDTree`, its building and its `query` with k={MOST} and",
            f"workers={THREADS}. The counts are generated, Poisson with few frequent categories, about",
            f"{linking.RECORDS_MEAN} records a person; a random half of each person's records is released.",
            f"Best of {VECTOR_ROUNDS}. With {CATEGORIES[-1]} categories the tree is only asked for",
            f"{sizes.part:,} people of the release, its building counting whole: compare people/s. Both",
            "agree on all distances, or the run stops.",
        ),
        "",
        *head("categories"),
        *(
            row(task, title, best[name], best[TREE])
            for task, best in near.items()
            for name, title in VECTOR_TITLES.items()
        ),
    ]


def told(seconds: float) -> str:
    return f"{seconds:,.{3 if seconds < 1 else 1}f}"


def plain(number: float) -> str:
    return f"{number:,.{0 if number >= 100 else 1 if number >= 0.1 else 4}f}"


if __name__ == "__main__":
    main()
