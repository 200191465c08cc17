"""Yang et al. 2020: the risk from statistics alone, on columns of Adult and Diabetes."""

from __future__ import annotations

from papers.experiment import Paper
from singleout.risk.equivalence_classes import average_risk
from singleout.risk.predict.attribute_dependency import dependencies
from singleout.risk.predict.closed_form import expected_orr
from tests.support.extracts import class_sizes, statistics

SETS = {
    "adult": (
        "age workclass education occupation",
        "workclass occupation hours-per-week",
        "marital-status relationship sex",
        "age race sex",
        "education education-num",
        "age hours-per-week",
        "education occupation hours-per-week native-country",
    ),
    "diabetes": ("race gender age time_in_hospital", "diag_1 diag_2", "gender age time_in_hospital diag_1"),
}
CLAIM = 0.05


def paper(small: bool = False) -> Paper:
    rows = [_row(table, columns) for table, sets in SETS.items() for columns in (sets[:2] if small else sets)]
    lines = [
        "The paper's hospital data (SPD) is not public. On columns of Adult and Diabetes, by their published "
        "counts, the error of the closed form (what random sampling comes to, without drawing) stands beside "
        "the largest gain ratio of two columns. The paper's claim is that without a strong pair (gain ratio "
        "0.5 or more) the error is below 0.05.",
        "",
        "| table | columns | ORR | predicted | error | largest gain ratio | the paper's claim |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for table, columns, true, predicted, ratio in rows:
        error = abs(predicted - true)
        claim = "says nothing" if ratio >= 0.5 else ("holds" if error < CLAIM else "does not hold")
        lines.append(
            f"| {table} | {columns} | {true:.4f} | {predicted:.4f} | {error:.4f} | {ratio:.3f} | {claim} |"
        )
    return Paper(
        "yang-2020",
        "Yang et al. 2020",
        "\n".join(lines),
        (),
        (
            ("Tables 3 to 5, Figures 2 and 3", "their hospital data (SPD) is not public"),
            ("Figures 1 and 4", "drawn over data sets whose sizes the paper does not tell"),
        ),
        ", its claim tried on other data",
    )


def _row(table: str, columns: str) -> tuple[str, str, float, float, float]:
    avfm, pairs = statistics(table, columns)
    largest = max(each.gain_ratio for each in dependencies(avfm, pairs))
    true = average_risk(class_sizes(table, columns))
    return table, columns, true, expected_orr(avfm).orr, largest
