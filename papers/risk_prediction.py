"""Yang et al. 2020: the risk from statistics alone, on columns of Adult and Diabetes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy

from papers.experiment import Experiment, LeftOut, Paper, PaperNumber, places
from papers.figures import curves, dots
from singleout import predict
from singleout.report.charts.chart import Chart
from singleout.result_table import Cell, Heading, ResultTable
from singleout.risk.equivalence_classes import average_risk, entropy
from singleout.risk.predict.attribute_dependency import Dependency, dependencies
from singleout.risk.predict.avfm import Avfm, PairTable
from singleout.risk.predict.closed_form import expected_orr
from singleout.risk.predict.frequent_tuples import frequent_tuples
from singleout.risk.predict.random_shuffle import SampledOrr, random_sampling
from singleout.risk.predict.semi_random import semi_random
from singleout.risk.predict.tree_permutation import tree_permutation
from tests.extracts.build_extracts import SETS
from tests.support.extracts import EXTRACTS, class_sizes, statistics

CLAIM, SEMI_CLAIM, LARGE = 0.05, 0.09, 0.2
SAMPLES, CAPACITY, FEWER = 20, 50, 10
PREDICT = "singleout predict adult.csv --user none --columns …"
TEN = SETS["adult"][0].split()
T1 = EXTRACTS / "purchases.parquet"
GROUPS = [["date", "time"], ["goods", "price"]]
PEOPLE_SETS = (["date", "number"], ["date", "price"], ["time", "number"], ["goods", "number"])


@dataclass(frozen=True, eq=False)
class ColumnSet:
    """A set of columns of a published data set, by its counts."""

    number: int
    table: str
    columns: str
    capacity: int

    @cached_property
    def statistics(self) -> tuple[Avfm, list[PairTable]]:
        return statistics(self.table, self.columns)

    @property
    def avfm(self) -> Avfm:
        return self.statistics[0]

    @cached_property
    def dependencies(self) -> tuple[Dependency, ...]:
        return dependencies(*self.statistics)

    @property
    def largest(self) -> Dependency:
        return max(self.dependencies, key=lambda each: each.gain_ratio)

    @property
    def is_strong(self) -> bool:
        return self.largest.strong

    @cached_property
    def orr(self) -> float:
        return average_risk(class_sizes(self.table, self.columns))

    @cached_property
    def row_entropy(self) -> float:
        return entropy(class_sizes(self.table, self.columns))

    @cached_property
    def predicted(self) -> float:
        return expected_orr(self.avfm).orr

    @cached_property
    def sampled(self) -> SampledOrr:
        return random_sampling(self.avfm, samples=SAMPLES, capacity=self.capacity)

    @cached_property
    def by_tuples(self) -> float:
        avfm, pairs = self.statistics
        tuples = frequent_tuples(avfm, pairs, self.dependencies)
        return semi_random(avfm, tuples, samples=2, capacity=min(self.capacity, FEWER)).orr

    @cached_property
    def by_tree(self) -> float:
        return tree_permutation(*self.statistics, samples=2, capacity=min(self.capacity, FEWER)).orr

    @property
    def error(self) -> float:
        return abs(self.predicted - self.orr)


def column_sets(small: bool = False) -> list[ColumnSet]:
    named = [(table, columns) for table, sets in SETS.items() for columns in sets]
    if small:
        named = [
            each for each in named if each[1] in ("education education-num", "age race sex", "diag_1 diag_2")
        ]
    capacity = 2 if small else CAPACITY
    return [ColumnSet(place + 1, *each, capacity) for place, each in enumerate(named)]


def paper(small: bool = False) -> Paper:
    sets = column_sets(small)
    return Paper(
        "yang-2020",
        "Yang et al. 2020",
        "The paper's hospital data (SPD, 3,985,166 records) is not public. The same experiments on "
        f"{len(sets)} sets of columns of Adult (32,561 records) and Diabetes (101,766), by their published "
        "counts.",
        (
            _worked_example(),
            Experiment(
                "Tables 2 to 5",
                PREDICT,
                note="Our sets of columns in place of Table 4's, the ten columns of Adult in place of Table "
                "3's, and how much each says about each other (row depends on column) in place of Table 5's.",
                places=places("Table", 2, 3, 4, 5),
                findings=(_sets_table(sets), *_dependency_tables(sets)),
            ),
            _figure_1(sets),
            _figure_2(sets),
            _figure_3(sets),
            _figure_4(sets),
            _groups(),
            _people(small),
        ),
        (LeftOut("its own numbers of Tables 3 to 5", "they are of the hospital data, which is not public"),),
        ", on Adult and Diabetes",
    )  # fmt: skip


def _worked_example() -> Experiment:
    example = Avfm(
        ("age", "gender", "smoking"), (numpy.array([3, 1, 1]), numpy.array([3, 2]), numpy.array([3, 2]))
    )
    thousand = Avfm(tuple("abcd"), (numpy.full(10, 100),) * 4)
    return Experiment(
        "Table 1, and the numbers of Section V",
        PREDICT,
        (
            PaperNumber(
                "most frequent age of Table 1", 2, int(example.frequencies[0].max()), 0,
                why="Table 1 has the age 25 three times; with 1:2:1 the column would sum to 4 of 5 records",
            ),
            PaperNumber("ME of 1,000 records", 9.9658, math.log2(thousand.records), 4),
            PaperNumber("EE of 4 attributes of 10 values", 13.2877, math.fsum(thousand.entropies), 4),
        ),
        places=("Table 1",),
    )  # fmt: skip


def _named(title: str, names: Sequence[str], rows: Sequence[tuple[Cell, ...]], note: str = "") -> ResultTable:
    return ResultTable(title, tuple(Heading(name, name) for name in names), tuple(rows), note)


def _sets_table(sets: Sequence[ColumnSet]) -> ResultTable:
    rows = [
        (each.number, each.table, each.columns.replace(" ", ", "), each.orr, _pair(each.largest))
        for each in sets
    ]
    return _named("The sets of columns", ("set", "of", "columns", "ORR", "largest gain ratio"), rows)


def _pair(each: Dependency) -> str:
    return f"{each.gain_ratio:.3f}, {each.of} on {each.on}"


def _dependency_tables(sets: Sequence[ColumnSet]) -> Iterator[ResultTable]:
    ten = next((each for each in sets if each.columns.split() == TEN), None)
    if ten is not None:
        yield _gain_table(ten)
        yield _class_table(ten)


def _gain_table(ten: ColumnSet) -> ResultTable:
    ratios = {(each.of, each.on): each.gain_ratio for each in ten.dependencies}
    rows: list[tuple[Cell, ...]] = [
        (of, *(1.0 if of == on else round(ratios[of, on], 3) for on in TEN)) for of in TEN
    ]
    return _named("Gain ratio g(row, column) of Adult's columns", ("", *TEN), rows)


def _class_table(ten: ColumnSet) -> ResultTable:
    counted = Counter(each.dependency for each in ten.dependencies)
    limits = {"complete": "1", "strong": "0.5 to 1", "weak": "0 to 0.5", "independent": "0"}
    rows = [(name, limits[name], counted[name]) for name in limits]  # type: ignore[index]
    return _named("Classes of dependency (Table 2)", ("dependency", "gain ratio", "ordered pairs"), rows)


def _figure_1(sets: Sequence[ColumnSet]) -> Experiment:
    points = [
        (each.sampled.orr, abs(mean - each.sampled.orr))
        for each in sets
        for mean in each.sampled.sample_means
    ]
    largest = max(error for _, error in points)
    off = max(abs(each.sampled.orr - each.predicted) for each in sets)
    axes = ("average of the sample means", "error of a sample mean")
    return Experiment(
        "Figure 1",
        f"{PREDICT} --methods random --draws {SAMPLES} --capacity {sets[0].capacity}",
        (
            PaperNumber(
                "largest error of a sample mean, at most", 0.001, largest, 3, "at most",
                why="these tables are a hundred times smaller than SPD, so that a shuffle spreads more",
            ),
        ),
        f"Sample means of shuffled data sets. The closed form needs no shuffling: it is within {off:.4f} of "
        "the average of every set.",
        ("Figure 1",),
        charts=(dots("figure-1", "Sample means of Algorithm 1", axes, {"sample means": points}),),
    )  # fmt: skip


def _figure_2(sets: Sequence[ColumnSet]) -> Experiment:
    weak = [each for each in sets if not each.is_strong]
    strong = [each for each in sets if each.is_strong]
    worst = max(weak, key=lambda each: each.error)
    axes = ("predicted ORR", "error")
    groups = {
        "with a strong pair": [(each.predicted, each.error) for each in strong],
        "without": [(each.predicted, each.error) for each in weak],
    }
    counted = sum(each.error > LARGE for each in strong)
    return Experiment(
        "Figure 2",
        f"{PREDICT} --methods closed_form",
        (
            PaperNumber(
                "largest error without a strong pair, below", CLAIM, worst.error, 2, "at most",
                why=f"not general: {worst.columns.replace(' ', ', ')} of {worst.table} has no strong pair "
                f"(largest gain ratio {worst.largest.gain_ratio:.3f}), a true ORR of {worst.orr:.3f} and is "
                f"predicted {worst.predicted:.3f}",
            ),
        ),
        f"Of {len(strong)} sets with a strong pair the error is above 0.2 in {counted}; in the paper in all "
        "six. A strong pair is a warning, and many weak ones together err as much.",
        ("Figure 2",),
        charts=(dots("figure-2", "Error of taking columns for independent", axes, groups),),
    )  # fmt: skip


def _figure_3(sets: Sequence[ColumnSet]) -> Experiment:
    strong = [each for each in sets if each.is_strong]
    groups = {
        "independent (Algorithm 1)": [(float(each.number), each.error) for each in strong],
        "frequent pairs kept (Algorithm 2)": [
            (float(each.number), abs(each.by_tuples - each.orr)) for each in strong
        ],
        "strongest pairs kept (tree)": [
            (float(each.number), abs(each.by_tree - each.orr)) for each in strong
        ],
    }
    largest = max(abs(each.by_tuples - each.orr) for each in strong)
    worst = max(strong, key=lambda each: abs(each.by_tuples - each.orr))
    return Experiment(
        "Figure 3",
        f"{PREDICT} --methods semi_random,tree",
        (
            PaperNumber(
                "largest error of semi-random sampling, at most", SEMI_CLAIM, largest, 2, "at most",
                why=f"set {worst.number} ({worst.columns.replace(' ', ', ')}) has weak pairs too, which "
                "semi-random sampling does not know; the tree keeps the strongest of them",
            ),
        ),
        places=("Figure 3",),
        charts=(dots("figure-3", "Error with knowledge of pairs", ("set", "error"), groups),),
    )  # fmt: skip


def _figure_4(sets: Sequence[ColumnSet]) -> Experiment:
    lines = {
        "ME = log2 n": [(float(each.number), math.log2(each.avfm.records)) for each in sets],
        "EE = Σ H(A)": [(float(each.number), math.fsum(each.avfm.entropies)) for each in sets],
        "RDE, shuffled": [(float(each.number), each.sampled.entropy) for each in sets],
        "TDE, the data": [(float(each.number), each.row_entropy) for each in sets],
    }
    against = [each.number for each in sets if each.row_entropy > each.sampled.entropy + 1e-9]
    rule = (
        "Rule 4, TDE ≤ RDE, holds here in every set, and is no law: a 2×2 Latin square has TDE 2 > RDE 1.67."
        if not against
        else f"Rule 4, TDE ≤ RDE, fails in the sets {', '.join(map(str, against))}: it is a tendency."
    )
    chart: Chart = curves("figure-4", "Entropies of the sets", ("set", "bits"), lines)
    return Experiment(
        "Figure 4",
        PREDICT,
        note=f"The entropy of rows: largest possible, by independent columns, shuffled, and true. {rule}",
        places=("Figure 4",),
        charts=(chart,),
    )


def _groups() -> Experiment:
    """Definition 5 is of groups of columns."""
    found = predict(T1, user="none", columns=["date", "time", "goods", "price"], groups=GROUPS, samples=2)
    rows: list[tuple[Cell, ...]] = [
        (each.of, each.on, each.gain_ratio, each.dependency) for each in found.groups
    ]
    return Experiment(
        "Definition 5: groups of columns",
        "singleout predict t1.parquet --user none --columns date,time,goods,price "
        "--together date,time --together goods,price",
        note="How much a group of columns says about another; the paper defines it and measures pairs only. "
        "T1, the purchases of [Ito et al. 2019](ito-2019.md).",
        findings=(_named("Gain ratio of groups", ("of", "on", "gain ratio", "dependency"), rows),),
    )


def _people(small: bool) -> Experiment:
    """Records of one person are alike: the average risk by records is not that of people."""
    rows: list[tuple[Cell, ...]] = []
    for columns in PEOPLE_SETS[:1] if small else PEOPLE_SETS:
        found = predict(T1, user="customer", columns=columns, samples=2)
        errors = {each.method: each.error for each in found.people}
        rows.append((", ".join(columns), found.orr, found.people_risk, errors["random"], errors["tree"]))
    names = ("columns", "ORR by records", "risk in people", "error, independent", "error, tree")
    return Experiment(
        "Histories: the risk in people",
        "singleout predict t1.parquet --user customer --columns date,number",
        note="The paper takes each record for a person. In a history one person's records are alike, and "
        "the risk by records is too low: predicted here with the user as one more column (T1).",
        findings=(_named("Predicted for people of T1", names, rows),),
    )


def errors_by_method(sets: Sequence[ColumnSet]) -> Iterator[tuple[str, float, float]]:
    """Mean and largest error of each method over the sets."""
    methods = {
        "independent (closed form)": [each.predicted - each.orr for each in sets],
        "semi-random (Algorithm 2)": [each.by_tuples - each.orr for each in sets],
        "tree of the strongest pairs": [each.by_tree - each.orr for each in sets],
    }
    for name, errors in methods.items():
        sizes = numpy.abs(errors)
        yield name, float(sizes.mean()), float(sizes.max())
