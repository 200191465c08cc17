"""Goals about sensitive values: ARX's optima, what stands in the way, and the road from the command."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from singleout import generalise
from singleout.cli.main import main
from singleout.errors import GoalError, UsageError
from singleout.risk.measures import SENSITIVE_MEASURES
from tests.support.extracts import ARX_ADULT

AGES = [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]
TABLE = pyarrow.table(
    {
        "age": ["21", "22", "31", "32", "41", "42", "51", "52"],
        "ill": ["flu", "flu", "flu", "gout", "gout", "gout", "flu", "gout"],
    }
)


def check_arx(folder: Path, told: dict[str, Any]) -> None:
    columns = [name for name in ARX_ADULT.split() if name != told["sensitive"]]
    goals = told.get("goals") or {"delta_of_present": told["delta_in_bits"] * math.log(2)}
    found = generalise(
        folder / "adult.csv", hierarchies=folder, k=5, suppress=0.04, columns=columns,
        sensitive=[told["sensitive"]], alternatives=0, **goals,
    )  # fmt: skip
    assert list(found.levels.values()) == told["levels"]
    assert found.loss == pytest.approx(told["loss"], abs=1e-9)
    assert found.suppressed == told["suppressed"]
    assert found.optimal


@pytest.mark.parametrize("arx_adult", ["extract"], indirect=True)
def test_arx(arx_adult: Path, golden: dict[str, Any]) -> None:
    """All but those about ages, which the extract has by five years; none of the best has ages finer."""
    told = [each for each in golden["arx_sensitive"] if each["sensitive"] != "age"]
    assert len(told) == 18
    for each in told:
        check_arx(arx_adult, each)


def test_arx_about_ages(real_data: Path, golden: dict[str, Any]) -> None:
    for each in golden["arx_sensitive"]:
        if each["sensitive"] == "age":
            check_arx(real_data / "arx_adult", each)


@pytest.mark.parametrize("arx_adult", ["extract"], indirect=True)
def test_arx_has_no_solution(arx_adult: Path) -> None:
    with pytest.raises(GoalError, match=r"recursive_c of a class is 3\.02 where 3 is allowed"):
        generalise(
            arx_adult / "adult.csv", hierarchies=arx_adult, k=5, suppress=0.04, recursive_c=3,
            sensitive=["salary-class"], columns=[n for n in ARX_ADULT.split() if n != "salary-class"],
        )  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "number"),
    [
        ("entropy_l", 2), ("recursive_c", 1.5), ("beta_basic", 0.4), ("beta_enhanced", 0.4), ("delta", 0.1),
        ("delta_of_present", 0.1), ("alpha", 0.6),
    ],
)  # fmt: skip
def test_a_goal_by_the_command(
    goal: str, number: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of classes by ten years two have one illness, so that nothing but all ages together will do."""
    pyarrow.csv.write_csv(TABLE, tmp_path / "ill.csv")
    (tmp_path / "age.json").write_text(json.dumps({"attributes": {"age": {"levels": AGES}}}))
    words = ["--sensitive", "ill", f"--{goal.replace('_', '-')}", str(number), "--json"]
    main(
        [
            "deidentify",
            "generalise",
            str(tmp_path / "ill.csv"),
            "--hierarchies",
            str(tmp_path / "age.json"),
            *words,
        ]
    )
    found = json.loads(capsys.readouterr().out)
    assert found["levels"] == {"age": 2}
    assert found["goals"][goal] == number
    assert set(found["spread"]["ill"]) == {goal}
    assert goal in found["definitions"]
    assert {"sensitive." + goal} <= {each.name for each in SENSITIVE_MEASURES}


def test_all_people_with_the_same_values_are_not_diverse() -> None:
    """Two people who both have both illnesses: two values in the class, and no doubt about either of them."""
    rows = [
        ("1", "21", "flu"),
        ("1", "22", "gout"),
        ("2", "23", "gout"),
        ("2", "24", "flu"),
        ("3", "31", "flu"),
    ]
    rows += [("4", "32", "gout"), ("5", "41", "flu"), ("6", "42", "gout")]
    who, age, ill = map(list, zip(*rows, strict=True))
    table = pyarrow.table({"who": who, "age": age, "ill": ill})
    words: dict[str, Any] = {"hierarchies": {"age": AGES}, "sensitive": ["ill"], "diverse": 2}
    assert generalise(table, user="none", **words).levels == {"age": 1}
    assert generalise(table, user="who", **words).levels == {"age": 2}


def test_a_hierarchy_is_needed_for_its_distance() -> None:
    words: dict[str, Any] = {"sensitive": ["ill"], "close": 0.2, "closeness": "hierarchical"}
    with pytest.raises(UsageError, match="'ill' has no hierarchy"):
        generalise(TABLE, hierarchies={"age": AGES}, **words)
    tree = [{"type": "raw"}, {"type": "suppress"}]
    found = generalise(TABLE, hierarchies={"age": AGES, "ill": tree}, **words)
    assert found.levels == {"age": 2}
    assert not any("ill: not generalised" in remark for remark in found.remarks)


@pytest.mark.parametrize(
    ("goals", "said"),
    [
        ({"entropy_l": 3}, "3 different values can't be had"),
        ({"recursive_c": 2, "recursive_l": 3}, "3 different values can't be had"),
        ({"entropy_l": 0.5}, "write one, 1 or more"),
        ({"beta_basic": -1}, "write one, 0 or more"),
        ({"alpha": 1.5}, "is no share"),
    ],
)
def test_goals_that_make_no_sense(goals: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        generalise(TABLE, hierarchies={"age": AGES}, sensitive=["ill"], **goals)
