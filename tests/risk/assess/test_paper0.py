"""Ito et al. 2019 against its own printed numbers: the worked example, and Tables 5 to 8 on the real data."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy
import pytest

from singleout import assess
from singleout.engine.class_sizes import Sizes
from singleout.risk.assess.result import Assessment
from singleout.risk.assess.sampling import sample_curve, uniform_sample
from singleout.risk.attribute_risk import AttributeRisk, attribute_risk
from tests.extracts.build_extracts import ADULT
from tests.support.extracts import adult_column, value_counts

EXAMPLE = """\
ID,user,date,time,goods,price,number
1,1,2010/12/1,8:45,Bread,1.45,2
2,1,2010/12/1,8:45,Book,3.75,1
3,1,2010/12/1,20:10,Tea,0.85,2
4,2,2010/12/1,10:03,Bread,1.45,3
5,1,2010/12/2,15:07,Tea,0.85,3
6,3,2010/12/2,11:57,Bread,1.45,4
7,3,2010/12/2,11:57,Juice,1.25,4
8,3,2010/12/3,15:54,Book,3.75,1
9,3,2010/12/3,15:54,Tea,0.85,10
10,3,2010/12/3,15:54,Juice,1.45,10
"""
DATE = Sizes.of([(4, 2, 1), (3, 2, 1), (3, 1, 1)])


@pytest.fixture
def example(tmp_path: Path) -> Assessment:
    (tmp_path / "example.csv").write_text(EXAMPLE)
    return assess(tmp_path / "example.csv", user="user", columns=["date"], sample=2)


def test_definitions_1_to_7_on_the_worked_example(example: Assessment, golden: dict[str, Any]) -> None:
    want, date = golden["example"], example.attributes[0].risk
    assert (example.records, example.people) == (want["records"], want["people"])
    assert date.values.value == want["values"]
    assert date.alpha.known == pytest.approx(fmean(want["alpha"]), rel=1e-15)
    assert date.risk.value == want["risk"]
    assert date.low_cost.value == want["low_cost"]
    assert date.low_cost_error.known == pytest.approx(want["low_cost_error"], rel=1e-15)


def test_definition_8_on_the_worked_example(golden: dict[str, Any]) -> None:
    """Some seed draws dates 1 and 3 (alpha 2 and 3), as in Example 7; every draw is one of the three."""
    risks = {round(uniform_sample(DATE, 2, seed=seed).risk, 12) for seed in range(50)}
    assert risks == {round(fmean(pair) * 3 / 10, 12) for pair in combinations([2.0, 1.5, 3.0], 2)}
    assert golden["example"]["sampled_risk"] in risks


def test_theorem_2_printed_and_corrected(golden: dict[str, Any]) -> None:
    """The corrected standard error is the exact spread over all samples; the printed one is m/|D_X| off."""
    want, alpha = golden["example_theorem_2"], 13 / 6
    pairs = list(combinations([2.0, 1.5, 3.0], 2))
    found = sample_curve(DATE, (2,), repetitions=3_000)[0]
    exact = numpy.std([fmean(pair) for pair in pairs])
    assert found.deviation_in_theory == pytest.approx(exact)
    assert found.deviation_in_theory / alpha == pytest.approx(want["with_correction"], abs=5e-5)
    assert found.deviation == pytest.approx(exact, rel=0.05)
    uncorrected = found.deviation_in_theory / alpha / (1 - 2 / 3) ** 0.5
    assert uncorrected == pytest.approx(want["without_correction"], abs=5e-4)
    assert uncorrected * (10 / 3) == pytest.approx(want["printed"], abs=5e-4)


def test_printed_theorem_2_is_reported_beside_the_interval() -> None:
    drawn = uniform_sample(DATE, 2, seed=1)
    alphas = next(
        pair for pair in combinations([2.0, 1.5, 3.0], 2) if fmean(pair) * 0.3 == pytest.approx(drawn.risk)
    )
    printed = stdev(alphas) * 10 / (2**0.5 * 3 * fmean(alphas))
    assert drawn.theorem_2_as_printed == pytest.approx(printed)


def check_table_5(found: Assessment, want: dict[str, Any]) -> None:
    assert (found.records, found.people) == (want["records"], want["people"])
    for attribute in found.attributes:
        check_attribute(attribute.risk, want["attributes"][attribute.name])


def check_attribute(found: AttributeRisk, printed: dict[str, Any]) -> None:
    assert found.values.value == printed["values"]
    assert _truncated(found.alpha.known, printed["alpha"])
    assert _rounded(found.risk.known, printed["risk"])
    assert _rounded(found.low_cost.known, printed["low_cost"])


def test_table_5_purchases(t1: Path, golden: dict[str, Any]) -> None:
    found = assess(t1, user="customer", columns=list(golden["T1"]["attributes"]))
    check_table_5(found, golden["T1"])
    assert found.riskiest is not None
    assert (found.riskiest.exact, found.riskiest.low_cost) == ("time", "goods")  # Table 6's stars


def test_table_5_hospital_stays(real_data: Path, golden: dict[str, Any]) -> None:
    file = real_data / "diabetes" / "diabetic_data.csv.gz"
    found = assess(file, user="patient_nbr", columns=list(golden["T2"]["attributes"]))
    check_table_5(found, golden["T2"])
    assert found.riskiest is not None
    assert found.riskiest.exact == found.riskiest.low_cost == "time_in_hospital"


def test_table_5_hospital_stays_from_value_counts(golden: dict[str, Any]) -> None:
    want, patients = golden["T2"], value_counts("diabetes", "patient_nbr")
    assert (patients.total_records, patients.total_groups) == (want["records"], want["people"])
    for column, printed in want["attributes"].items():
        sizes = value_counts("diabetes", column)
        assert sizes.total_records == want["records"]
        check_attribute(attribute_risk((column,), sizes, want["people"]), printed)


def test_table_5_census_from_value_counts(golden: dict[str, Any]) -> None:
    want = golden["T3"]
    sizes = {adult_column(name): value_counts("adult", name) for name in ADULT}
    for column, printed in want["attributes"].items():
        assert sizes[column].total_records == want["records"] == want["people"]
        check_attribute(attribute_risk((column,), sizes[column], want["people"]), printed)


def test_table_5_census(real_data: Path, golden: dict[str, Any]) -> None:
    found = assess(real_data / "adult" / "adult.data", columns=list(golden["T3"]["attributes"]))
    check_table_5(found, golden["T3"])
    for attribute in found.attributes:
        sampled = attribute.sampling
        assert sampled is not None
        risk = attribute.risk.risk.known
        assert (sampled.low, sampled.high) == pytest.approx((risk, risk))  # alpha is 1 everywhere


def test_table_7_error_and_cost_of_the_models(t1: Path, golden: dict[str, Any]) -> None:
    found = assess(t1, user="customer", columns=["date"]).attributes[0].risk
    error = found.risk.known - found.low_cost.known
    assert error == pytest.approx(golden["table_7"]["low_cost_error"], abs=5e-4)
    expected_read = found.records / found.values.known
    assert expected_read == pytest.approx(golden["table_7"]["cost_of_one_value"], abs=0.05)


def test_table_8_spread_of_samples(t1: Path, golden: dict[str, Any]) -> None:
    want = golden["table_8"]
    found = assess(t1, user="customer", columns=["date"], sample_sizes=[*want["samples"], 290])
    *curve, whole = found.attributes[0].curve
    for point, printed in zip(curve, want["deviations"], strict=True):
        # the paper's own deviations are of 1,000 samples: two standard errors of a deviation are 4.5 %
        assert point.deviation_in_theory == pytest.approx(printed, rel=0.045, abs=0.03)
        assert point.deviation == pytest.approx(point.deviation_in_theory, rel=0.1)
        assert point.mean == pytest.approx(want["mean"], abs=4 * point.deviation_in_theory / 1000**0.5 + 0.01)
    assert whole.deviation == pytest.approx(0, abs=1e-9)
    assert whole.deviation_in_theory == 0


def test_edge_cases_of_the_definition() -> None:
    constant = attribute_risk(("x",), Sizes.of([(12, 4, 1)]), people=4)
    assert (constant.alpha.value, constant.risk.value) == (3.0, 0.25)
    unique = attribute_risk(("x",), Sizes.of([(1, 1, 7)]), people=7)
    assert unique.risk.value == 1
    one_each = attribute_risk(("x",), Sizes.of([(2, 2, 3)]), people=6)
    assert one_each.risk.value == one_each.low_cost.value == 0.5
    curve = sample_curve(Sizes.of([(5, 2, 1)]), (1, 10))
    assert [(point.sample, point.deviation_in_theory) for point in curve] == [(1, 0), (1, 0)]


def _truncated(value: float, printed: str) -> bool:
    """Cut off, not rounded, to the digits printed."""
    digits = Decimal(printed).as_tuple().exponent
    assert isinstance(digits, int)
    step = Decimal(1).scaleb(digits)
    return Decimal(str(value)) // step * step == Decimal(printed)


def _rounded(value: float, printed: str) -> bool:
    digits = Decimal(printed).as_tuple().exponent
    assert isinstance(digits, int)
    return round(Decimal(str(value)), -digits) == Decimal(printed)


def test_the_floor_from_value_counts(golden: dict[str, Any]) -> None:
    """30 records of at most 5 people have at least 6 each; a value with 2 records may be of two people."""
    want = golden["floor"]
    found = attribute_risk(("x",), Sizes.of([tuple(row) for row in want["sizes"]]), people=want["people"])
    assert found.low_cost_floor.value == pytest.approx(want["floor"])
    assert found.low_cost.value == pytest.approx(want["low_cost"])
