"""How far off each method's prediction is on real data, as a section of docs/benchmarks.md.

Needs UCI Adult (its 15 columns named in a header) and UCI Diabetes 130-US hospitals; docs/data.md says where
they are published: python benchmarks/prediction_errors.py adult.csv diabetic_data.csv
"""

from __future__ import annotations

import sys

import page

import singleout
from singleout.risk.predict.predict import METHODS

ADULT = (
    "age hours-per-week",
    "age sex race",
    "marital-status relationship sex",
    "education education-num",
    "age race sex native-country",
    "age marital-status relationship sex",
    "workclass occupation hours-per-week",
    "age fnlwgt sex",
    "age capital-gain capital-loss hours-per-week",
    "education occupation hours-per-week native-country",
    "age workclass education occupation",
    "age education marital-status occupation",
    "age education occupation relationship sex native-country",
    "age workclass education marital-status occupation relationship race sex hours-per-week native-country",
)
DIABETES = (
    "age race gender",
    "age race gender time_in_hospital",
    "diag_1 diag_2",
    "age medical_specialty payer_code",
    "age gender diag_1 time_in_hospital",
    "insulin change diabetesMed metformin",
    "num_lab_procedures num_medications time_in_hospital",
    "admission_type_id discharge_disposition_id admission_source_id",
    "age race gender admission_type_id discharge_disposition_id admission_source_id",
    "age race gender diag_1 diag_2 diag_3",
)


def main() -> None:
    adult, diabetes = sys.argv[1:]
    lines = [
        page.machine("numba", "numpy"),
        "",
        "Prediction minus the ORR of the data itself, for some sets of columns of UCI Adult and UCI Diabetes",
        "(see [data](data.md)). Knowledge for `semi_random` and `tree` comes from the data. 100 shuffles or",
        "fewer each, so the last digit is noise; the closed form and random sampling estimate the same.",
        "",
        "| data | columns | ORR | closed form | random | semi-random | tree |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for name, file, sets in (("Adult", adult, ADULT), ("Diabetes", diabetes, DIABETES)):
        lines += table(name, file, sets)
    page.write_section("How far off predictions are", lines)


def table(name: str, file: str, sets: tuple[str, ...]) -> list[str]:
    lines, errors = [], []
    for columns in sets:
        found = singleout.predict(file, user="none", columns=columns.split())
        by_method = {each.method: each.error or 0.0 for each in found.predictions}
        errors.append([abs(by_method[method]) for method in METHODS])
        cells = " | ".join(f"{by_method[method]:+.4f}" for method in METHODS)
        lines.append(f"| {name} | {', '.join(columns.split())} | {found.orr:.4f} | {cells} |")
        print(lines[-1], flush=True)
    for title, of in (("mean", lambda each: sum(each) / len(each)), ("largest", max)):
        cells = " | ".join(f"**{of(each):.4f}**" for each in zip(*errors, strict=True))
        lines.append(f"| {name} | **{title} distance** | | {cells} |")
    return lines


if __name__ == "__main__":
    main()
