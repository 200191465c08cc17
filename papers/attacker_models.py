"""Ito et al. 2019: the risk of single attributes, by three models (its Tables 1 to 8, Figures 2 to 12)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.parquet

from papers.experiment import Experiment, LeftOut, Paper, PaperNumber, places
from papers.figures import dots, histogram
from singleout import apply, assess, risks_after, value_risks
from singleout.engine.class_sizes import Sizes
from singleout.report.charts.attributes import records_and_people
from singleout.report.charts.chart import Chart
from singleout.report.charts.value_spread import bins_of
from singleout.report.charts.value_spread import histogram as alpha_histogram
from singleout.result_table import Cell, Heading, ResultTable
from singleout.risk.assess.sampling import SampledRisk, ValueSample
from singleout.risk.attribute_risk import AttributeRisk, attribute_risk
from singleout.temporary_files import temporary_folder
from tests.support.extracts import EXTRACTS, value_counts

Numbers = numpy.typing.NDArray[numpy.float64]
T1 = EXTRACTS / "purchases.parquet"
# α_X is printed truncated, the risk rounded: (α_X, |D_X|, R_mean, digits of R, R_cost)
TABLES_5_AND_6 = {
    "T1": {
        "time": (22.23, 551, 0.3217, 4, 0.0145),
        "date": (24.42, 290, 0.186, 3, 0.0076),
        "goods": (1.32, 2781, 0.0965, 4, 0.073),
        "price": (2.49, 184, 0.0121, 4, 0.0048),
        "number": (3.15, 97, 0.008, 3, 0.0025),
    },
    "T2": {
        "days": (1.05, 14, 0.000145, 6, 0.000138),
        "age": (1.35, 10, 0.000133, 6, 9.83e-05),
        "ethnicity": (1.31, 6, 7.73e-05, 7, 5.9e-05),
        "gender": (1.28, 3, 3.78e-05, 7, 2.95e-05),
    },
    "T3": {
        "age": (1.0, 73, 0.00224, 5, 0.00224),
        "occupation": (1.0, 15, 0.000461, 6, 0.000461),
        "marital": (1.0, 7, 0.000215, 6, 0.000215),
        "ethnicity": (1.0, 5, 0.000154, 6, 0.000154),
    },
}
# what the published data set calls them
COLUMNS = {
    ("T2", "days"): "time_in_hospital",
    ("T2", "ethnicity"): "race",
    ("T3", "marital"): "marital-status",
    ("T3", "ethnicity"): "race",
}
PEOPLE = {"T1": 400, "T2": 71_518, "T3": 32_561}
DATA_SETS = {"T2": "diabetes", "T3": "adult"}
# sample size: mean and standard deviation of the sample mean of α over 1,000 repetitions
TABLE_8 = {
    1: (24.03, 13.33),
    50: (24.47, 1.75),
    100: (24.39, 1.09),
    150: (24.41, 0.78),
    200: (24.41, 0.53),
    250: (24.42, 0.33),
    290: (24.42, 0.0),
}
DRAWN = "the paper's figure is of 1,000 draws"


def paper(small: bool = False) -> Paper:
    tables = ["T1"] if small else ["T1", "T2", "T3"]
    risks = {table: _risks(table) for table in tables}
    date = value_table("date")
    return Paper(
        "ito-2019",
        "Ito et al. 2019",
        "Attackers who know one value of one attribute. T1 is made by `singleout data t1` (its counts are in "
        "the project), of T2 and T3 the counts of values are.",
        (
            _worked_example(),
            Experiment("Table 5", ALL_COLUMNS, tuple(_table_5(risks)), places=("Table 5",)),
            Experiment(
                "Table 6",
                ALL_COLUMNS,
                tuple(_table_6(risks)),
                "The published intervals of ten sampled values are μ ± σ and called 90 % there; six can't be "
                "right whatever was drawn. Ours are by Student's t with the correction for drawing without "
                "replacement and by a bound for skewed attributes, from seed 0; [beyond](beyond.md) counts "
                "how often they hold. Of attributes with at most ten values all are read, and each adult has "
                "one record: these intervals are points.",
                ("Table 6",),
                (_intervals(tables),),
            ),
            Experiment(
                "Table 7 and Figure 11",
                f"{ONE_DATE} --value-risks values.csv",
                _table_7(risks, date),
                "A dot is one value: what one who samples only that value would say.",
                ("Table 7", "Figure 11"),
                charts=(_figure_11(date, risks),),
            ),
            Experiment(
                "Table 8 and Figure 12",
                f"{ONE_DATE} --sample-sizes 1,50,100,150,200,250,290",
                tuple(_table_8(date.alpha)),
                "Mean and deviation of the sample mean of α, by the formula σ/√s·√((N − s)/(N − 1)) that "
                "sampling without replacement has; the figure is of 1,000 samples of 50 values.",
                ("Table 8", "Figure 12"),
                charts=(_figure_12(date.alpha),),
            ),
            Experiment(
                "Figures 2 to 6, 9 and 10",
                f"{ALL_COLUMNS} --html t1.html",
                note="How many records a person with a value has (α_x), over the values; a broken line is "
                "the mean. The paper prints no numbers of these figures but one: α_x of 2011/8/28 is 122, "
                "the highest of all dates.",
                places=places("Figure", 2, 3, 4, 5, 6, 9, 10),
                numbers=(PaperNumber("T1 date, highest α_x", 122, float(date.alpha.max()), 0),),
                charts=tuple(_alpha_charts(tables)),
            ),
            Experiment(
                "Figures 7 and 8",
                f"{ONE_DATE} --html date.html",
                note="Records against people of each value, with the lines of both models. The paper says "
                "them the wrong way round (|U_x| = α_X·|R_x|).",
                places=places("Figure", 7, 8),
                charts=tuple(_scatters()),
            ),
            _before_and_after(),
        ),
        (
            LeftOut("Figure 1", "a sketch of the three models", ("Figure 1",)),
            LeftOut("T4 (Lending Club) in Tables 5 and 6", "the data set has no open licence"),
        ),
    )


ALL_COLUMNS = "singleout assess t1.parquet --user customer --columns date,time,goods,price,number"
ONE_DATE = "singleout assess t1.parquet --user customer --columns date"
EXAMPLE = {
    "user": [1, 1, 1, 2, 1, 3, 3, 3, 3, 3],
    "date": ["12/1"] * 4 + ["12/2"] * 3 + ["12/3"] * 3,
}
CHANGES: dict[str, dict[str, Any]] = {
    "half of the records": {"step": "sample", "what": "records", "share": 0.5},
    "30 % of the goods swapped": {"step": "swap", "columns": ["goods"], "how": "record", "share": 0.3},
    "dates moved by up to 7 days": {"step": "noise", "columns": ["date"], "days": 7},
}
# Table 6's intervals, with what is wrong with them
INTERVALS = {
    ("T1", "time"): (0.1411, 0.5998, ""),
    ("T1", "date"): (0.1267, 0.2786, ""),
    ("T1", "goods"): (0.0718, 0.0982, "the lower end is below |D_X|/m = 0.0730, which no sample goes below"),
    ("T1", "price"): (0.0036, 0.0132, "the lower end is below |D_X|/m = 0.0048"),
    ("T1", "number"): (0.0017, 0.0152, "the lower end is below |D_X|/m = 0.0025"),
    ("T2", "days"): (0.000146, 0.000152, "does not hold the truth, 0.000145"),
    ("T2", "age"): (0.000121, 0.000142, "of 10 values all 10 are sampled: the interval is a point"),
    ("T2", "ethnicity"): (6.92e-05, 8.31e-05, "of 6 values ten can't be sampled"),
    ("T2", "gender"): (3.08e-05, 4.3e-05, "of 3 values ten can't be sampled"),
    **{("T3", name): (row[2], row[2], "") for name, row in TABLES_5_AND_6["T3"].items()},
}


def _worked_example() -> Experiment:
    """Tables 1 to 4 on the paper's ten purchases."""
    table = pyarrow.table(EXAMPLE)
    found = assess(table, user="user", columns=["date"], policy=None).attributes[0].risk
    values = _values_of(table, "user", "date")
    alphas = dict(zip((3.0, 1.5, 2.0), (3.0, 1.5, 2.0), strict=True))
    error = abs(1 - 1 / found.alpha.known)
    return Experiment(
        "Tables 1 to 4: the worked example",
        "singleout assess example.csv --user user --columns date --value-risks values.csv",
        (
            PaperNumber("R(date)", 0.65, found.risk.known, 2),
            PaperNumber("values of date", 3, found.values.known, 0),
            *(
                PaperNumber(f"α_x = {alpha:g} is there", alpha, float(each), 1)
                for alpha, each in zip(sorted(alphas), sorted(values.alpha), strict=True)
            ),
            PaperNumber(
                "error of the low-cost model, 1/α − 1 (Table 4)", -0.5384615, error, 4,
                why="Table 4 has the sign of the error and forgets the bars of Theorem 1: |1 − 1/α_X|",
            ),
        ),
        "Ten purchases of three people on three days. Names are replaced by random ones in Table 2, which "
        "changes none of these numbers.",
        places("Table", 1, 2, 3, 4),
    )  # fmt: skip


def _intervals(tables: Sequence[str]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for (table, name), (low, high, fault) in INTERVALS.items():
        if table not in tables:
            continue
        ours = _sampled(table, name)
        own = f"{ours.low:.4g} to {ours.high:.4g}"
        truth = TABLES_5_AND_6[table][name][2]
        rows.append((f"{table} {name}", truth, f"{low:g} to {high:g}", own, fault or "–"))
    names = (
        "attribute", "R_mean", "published, s = 10", "singleout, s = 10", "what is wrong with the published"
    )  # fmt: skip
    return ResultTable(
        "Intervals of the sampling model", tuple(Heading(each, each) for each in names), tuple(rows)
    )


def _sampled(table: str, name: str) -> SampledRisk:
    """As `singleout assess` of the table that `singleout data` writes draws it."""
    sizes = value_table(name).sizes if table == "T1" else _sizes(table, name)
    return ValueSample(sample=10).risk((name,), sizes, one_record_each=table == "T3")


def _before_and_after() -> Experiment:
    """Definition 2 on T1: what values of the original still give away, once the release has changed."""
    rows: list[tuple[Cell, ...]] = []
    for what, change in CHANGES.items():
        with temporary_folder() as folder:
            release = Path(folder) / "release.parquet"
            apply(T1, {"user": "customer", "step": [change]}, out=release)
            rows += [
                (what, each.column, each.before, each.low, each.high, each.not_found)
                for each in risks_after(release, T1, user="customer", columns=["date", "goods"])
            ]
    names = ("release", "attribute", "before", "after, at least", "at most", "share not found again")
    return Experiment(
        "Definition 2: before and after",
        "singleout assess release.parquet --original t1.parquet --user customer --columns date,goods",
        note="The paper leaves the risk after de-identification to future work. What is learned comes from "
        "the original, before and after; values that the release does not have as they were may give away "
        "nobody or everybody, so the risk is told from the one to the other. This is the paper's definition, "
        "of one value as it is written: no bound for an intruder who knows more, or how the release was made "
        "(`singleout attack`).",
        findings=(
            ResultTable("R(X) before and after", tuple(Heading(each, each) for each in names), tuple(rows)),
        ),
    )


def _figure_11(date: ValueTable, risks: dict[str, dict[str, AttributeRisk]]) -> Chart:
    risk = risks["T1"]["date"]
    many, truth = int(risk.values.known), risk.risk.known
    errors = numpy.abs(date.alpha * many / risk.records - truth)
    points = {
        "one sampled value": [*zip(date.records.tolist(), errors.tolist(), strict=True)],
        "their mean": [(float(date.records.mean()), float(errors.mean()))],
        "mean model": [(float(risk.records), 0.0)],
        "low-cost model (reads nothing)": [(1.0, truth - risk.low_cost.known)],
    }
    axes = ("records that are read", "error of the risk")
    return dots("figure-11", "Cost and error of each model, T1, date", axes, points, log=(1, 50_000))


def _figure_12(alpha: Numbers) -> Chart:
    random = numpy.random.default_rng(0)
    means = [float(random.choice(alpha, 50, replace=False).mean()) for _ in range(1000)]
    counts, edges = numpy.histogram(means, bins=20)
    steps = [*zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)]
    axes = ("mean of α over 50 sampled values", "samples")
    return histogram("figure-12", "Means of 1,000 samples of 50 values, T1, date", axes, steps)


def _alpha_charts(tables: Sequence[str]) -> Iterator[Chart]:
    wanted = [("T1", name) for name in ("time", "date", "goods", "price", "number")]
    wanted += [("T2", "days"), ("T2", "age")] if "T2" in tables else []
    for table, name in wanted:
        sizes = value_table(name).sizes if table == "T1" else _sizes(table, name)
        bins = bins_of(sizes)
        mean = float((sizes.records / sizes.people * sizes.groups).sum() / sizes.total_groups)
        title = f"α_x of {table} {name}"
        spec = {"vconcat": [alpha_histogram(f"{table} {name}", mean, bins, is_last=True)]}
        rows = tuple((each.words, each.values) for each in bins if each.values)
        table_of_bins = ResultTable(title, (Heading("alpha", "α_x"), Heading("values", "values")), rows)
        yield Chart(f"alpha-{table.lower()}-{name}", title, f"{title}, mean {mean:.4g}.", table_of_bins, spec)


def _scatters() -> Iterator[Chart]:
    for name in ("date", "price"):
        chart = records_and_people(assess(T1, user="customer", columns=[name], policy=None))
        assert chart is not None
        yield replace(chart, name=f"scatter-{name}")


def _risks(table: str) -> dict[str, AttributeRisk]:
    names = TABLES_5_AND_6[table]
    if table == "T1":
        found = assess(T1, user="customer", columns=[*names], policy=None)
        return {each.name: each.risk for each in found.attributes}
    return {name: attribute_risk((name,), _sizes(table, name), PEOPLE[table]) for name in names}


def _sizes(table: str, name: str) -> Sizes:
    return value_counts(DATA_SETS[table], COLUMNS.get((table, name), name))


def _table_5(risks: dict[str, dict[str, AttributeRisk]]) -> list[PaperNumber]:
    numbers = []
    for table, attributes in risks.items():
        for name, risk in attributes.items():
            alpha, values, *_ = TABLES_5_AND_6[table][name]
            numbers += [
                PaperNumber(f"{table} {name}: α_X", alpha, risk.alpha.known, 2, "truncated"),
                PaperNumber(f"{table} {name}: values", values, risk.values.known, 0),
            ]
    return numbers


def _table_6(risks: dict[str, dict[str, AttributeRisk]]) -> list[PaperNumber]:
    numbers = []
    for table, attributes in risks.items():
        for name, risk in attributes.items():
            _, _, mean, digits, cost = TABLES_5_AND_6[table][name]
            cost_digits = max(4, digits)
            numbers += [
                PaperNumber(f"{table} {name}: R_mean", mean, risk.risk.known, digits),
                PaperNumber(f"{table} {name}: R_cost", cost, risk.low_cost.known, cost_digits),
            ]
    return numbers


def _table_7(
    risks: dict[str, dict[str, AttributeRisk]], values_of_date: ValueTable
) -> tuple[PaperNumber, ...]:
    date = risks["T1"]["date"]
    records, values = date.records, int(date.values.known)
    return (
        PaperNumber("cost of the mean model, in records", 38_087, records, 0),
        PaperNumber("error of the low-cost model", 0.178, date.risk.known - date.low_cost.known, 3),
        PaperNumber("cost of one sampled value, in records", 131.3, records / values, 1),
        PaperNumber(
            "error of one sampled value, mean over all",
            0.073,
            float(numpy.abs(values_of_date.alpha * values / records - date.risk.known).mean()),
            3,
            "about",
            0.1,
            "the paper draws; this is the mean over all 290 values",
        ),
    )


@dataclass(frozen=True, eq=False)
class ValueTable:
    """|R_x|, |U_x| and α_x of each value of a column."""

    records: Numbers
    people: Numbers
    alpha: Numbers

    @property
    def sizes(self) -> Sizes:
        pairs = Counter(zip(self.records.tolist(), self.people.tolist(), strict=True))
        return Sizes.of((int(records), int(people), many) for (records, people), many in pairs.items())


def value_table(column: str) -> ValueTable:
    return _values_of(T1, "customer", column)


def _values_of(data: Any, user: str, column: str) -> ValueTable:
    with temporary_folder() as folder:
        out = Path(folder) / "values.parquet"
        value_risks(data, out, user=user, columns=[column])
        table = pyarrow.parquet.read_table(out)
    return ValueTable(*(table[name].to_numpy().astype(float) for name in ("records", "people", "alpha")))


def _table_8(alphas: Numbers) -> list[PaperNumber]:
    many, mean, deviation = len(alphas), float(alphas.mean()), float(alphas.std())
    numbers = []
    for size, (published_mean, published_deviation) in TABLE_8.items():
        exact = deviation / math.sqrt(size) * math.sqrt((many - size) / (many - 1))
        numbers += [
            PaperNumber(f"s = {size}: mean", published_mean, mean, 2, "about", 0.1, DRAWN),
            PaperNumber(f"s = {size}: deviation", published_deviation, exact, 2, "about", 0.1, DRAWN),
        ]
    return numbers
