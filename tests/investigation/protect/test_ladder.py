"""Ladders: nested rungs with what each loses, and what there is for one column."""

import numpy
import pyarrow
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.investigation.protect.ladder import ladder_of
from singleout.investigation.protect.recipe_file import recipe_text
from singleout.recipe.recipe import recipe_of
from singleout.roles.hierarchies.hierarchy import read_hierarchies


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-500, 5000), min_size=2, max_size=60))
def test_each_rung_loses_more_than_the_one_before(numbers: list[int]) -> None:
    ladder = ladder_of("n", pyarrow.array(numbers), None, fixed=False)
    losses = [each.loss for each in ladder.rungs]
    assert losses[0] == 0.0
    assert losses[-1] == 1.0
    assert losses == sorted(losses)


def test_codes_of_one_length_are_cut() -> None:
    codes = pyarrow.array(["89073", "10115", "10117", "89079"])
    words = [each.words for each in ladder_of("zip", codes, None, fixed=False).rungs]
    assert words == ["zip as it is", "zip cut to 3 characters", "zip left out"]


def test_detail_by_hand() -> None:
    days = pyarrow.array(["2024-01-01", "2024-01-01", "2024-01-02", "2024-02-01"])
    month = ladder_of("day", days, None, fixed=False).rungs[1]
    # three records share a month of two days: each has (2 − 1) / (3 − 1)
    assert numpy.isclose(month.loss, 3 / 4 / 2)


def test_a_given_hierarchy_goes_before(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "age.csv"
    path.write_text("31;30s;*\n34;30s;*\n52;50s;*\n", encoding="utf-8")
    hierarchies, _ = read_hierarchies({"age": str(path)}, ["age"])
    ages = pyarrow.array(["31", "34", "52"])
    ladder = ladder_of("age", ages, hierarchies["age"], fixed=False)
    assert [each.words for each in ladder.rungs] == [
        "age as it is", "age at level 1 of its hierarchy", "age left out"
    ]  # fmt: skip
    step = ladder.rungs[1].step
    assert step is not None
    assert step["hierarchy"] == str(path)


def test_a_fixed_column_has_one_rung() -> None:
    assert len(ladder_of("age", pyarrow.array(["1", "2"]), None, fixed=True).rungs) == 1


def test_the_file_of_a_recipe_is_read_again(tmp_path) -> None:  # type: ignore[no-untyped-def]
    content = {
        "user": 'who "is"',
        "columns": ['who "is"', "day\x7f"],
        "step": [
            {
                "step": "generalise", "columns": ["day\x7f"], "level": 1,
                "levels": [{"type": "raw"}, {"type": "date", "to": "month"}],
            },
            {"step": "round", "columns": ["n"], "to": 0.5, "how": "down"},
        ],
    }  # fmt: skip
    path = tmp_path / "recipe"
    path.write_text(recipe_text(content, "what it is\nfor"), encoding="utf-8")
    assert recipe_of(str(path)).steps == recipe_of(content).steps
    assert recipe_of(str(path)).columns == tuple(content["columns"])
