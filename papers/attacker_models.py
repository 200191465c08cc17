"""Ito et al. 2019: the risk of single attributes, by three models (its Tables 5 to 8)."""

from __future__ import annotations

import math
from pathlib import Path

import numpy

from papers.experiment import Experiment, Paper, PaperNumber
from singleout import assess
from singleout.engine.class_sizes import Sizes
from singleout.risk.attribute_risk import AttributeRisk, attribute_risk
from tests.support.extracts import EXTRACTS, value_counts

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
    return Paper(
        "ito-2019",
        "Ito et al. 2019",
        "Attackers who know one value of one attribute. T1 is made by `singleout data t1` (its counts are in "
        "the project), of T2 and T3 the counts of values are.",
        (
            Experiment("Table 5", _command(), tuple(_table_5(risks))),
            Experiment("Table 6", _command(), tuple(_table_6(risks))),
            Experiment(
                "Table 7", "singleout assess t1.parquet --user customer --columns date", _table_7(risks)
            ),
            Experiment(
                "Table 8",
                "singleout assess t1.parquet --user customer --columns date "
                "--sample-sizes 1,50,100,150,200,250,290",
                tuple(_table_8(_alphas("date"))),
                "Mean and deviation of the sample mean of α, by the formula σ/√s·√((N − s)/(N − 1)) that "
                "sampling without replacement has.",
            ),
        ),
        (
            ("T4 (Lending Club)", "the data set has no open licence"),
            (
                "Table 6, intervals of ten sampled values",
                "they depend on the paper's draws; six of them are impossible, as the corrections tell",
            ),
            ("Figures 2 to 12", "drawn by `singleout assess --html`; the papers' drawings hold no numbers"),
        ),
    )


def _command() -> str:
    return "singleout assess t1.parquet --user customer --columns date,time,goods,price,number"


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


def _table_7(risks: dict[str, dict[str, AttributeRisk]]) -> tuple[PaperNumber, ...]:
    date = risks["T1"]["date"]
    records, values = date.records, int(date.values.known)
    return (
        PaperNumber("cost of the mean model, in records", 38_087, records, 0),
        PaperNumber("error of the low-cost model", 0.178, date.risk.known - date.low_cost.known, 3),
        PaperNumber("cost of one sampled value, in records", 131.3, records / values, 1),
        PaperNumber(
            "error of one sampled value, mean over all",
            0.073,
            float(numpy.abs(_alphas("date") * values / records - date.risk.known).mean()),
            3,
            "about",
            0.1,
            "the paper draws; this is the mean over all 290 values",
        ),
    )


def _alphas(column: str) -> numpy.typing.NDArray[numpy.float64]:
    import pyarrow.parquet

    from singleout import value_risks
    from singleout.temporary_files import temporary_folder

    with temporary_folder() as folder:
        value_risks(T1, Path(folder) / "values.parquet", user="customer", columns=[column])
        return numpy.asarray(pyarrow.parquet.read_table(Path(folder) / "values.parquet")["alpha"].to_numpy())


def _table_8(alphas: numpy.typing.NDArray[numpy.float64]) -> list[PaperNumber]:
    many, mean, deviation = len(alphas), float(alphas.mean()), float(alphas.std())
    numbers = []
    for size, (published_mean, published_deviation) in TABLE_8.items():
        exact = deviation / math.sqrt(size) * math.sqrt((many - size) / (many - 1))
        numbers += [
            PaperNumber(f"s = {size}: mean", published_mean, mean, 2, "about", 0.1, DRAWN),
            PaperNumber(f"s = {size}: deviation", published_deviation, exact, 2, "about", 0.1, DRAWN),
        ]
    return numbers
