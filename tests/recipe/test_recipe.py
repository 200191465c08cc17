"""Recipes: what their files say, and all that can be wrong with them at once."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy
import pytest

from singleout.errors import InputError, UsageError
from singleout.recipe.placed_step import PlacedStep
from singleout.recipe.recipe import Recipe, read_recipe, recipe_of
from singleout.recipe.steps.catalogue import STEPS
from singleout.recipe.steps.cut import Cut
from singleout.recipe.steps.noise import Noise
from singleout.recipe.steps.pseudonymise import Pseudonymise
from singleout.recipe.steps.suppress import Suppress
from singleout.recipe.steps.swap import Swap

GOOD = """
seed = 7
user = "customer"
columns = ["customer", "date", "goods"]

[[step]]
step = "pseudonymise"

[[step]]
step = "noise"
columns = ["price"]
amount = 0.5
seed = 3

[[step]]
step = "suppress"
table = "people"
columns = ["name"]

[[step]]
step = "cut"
column = "date"
begin = 2010-12-01
end = "2011-06"
"""
HISTORY = ("customer", "date", "goods", "price")


def written(folder: Path, text: str) -> Path:
    file = folder / "recipe.toml"
    file.write_text(text, encoding="utf-8")
    return file


def mistakes(content: Any) -> str:
    with pytest.raises(InputError) as caught:
        recipe_of(content)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_recipe_is_read_as_it_is_written(tmp_path: Path) -> None:
    recipe = read_recipe(written(tmp_path, GOOD))
    assert (recipe.seed, recipe.user, recipe.columns) == (7, "customer", ("customer", "date", "goods"))
    assert recipe.steps == (
        PlacedStep(Pseudonymise()),
        PlacedStep(Noise(("price",), amount=0.5, seed=3)),
        PlacedStep(Suppress(("name",)), "people"),
        PlacedStep(Cut(column="date", begin=date(2010, 12, 1), end="2011-06")),
    )
    recipe.check(HISTORY, ("customer", "name"), "customer")


def test_a_file_a_mapping_and_a_recipe_are_the_same(tmp_path: Path) -> None:
    content = {"seed": 1, "step": [{"step": "noise", "columns": ["price"], "days": 2}]}
    text = 'seed = 1\n[[step]]\nstep = "noise"\ncolumns = ["price"]\ndays = 2\n'
    of_mapping, of_file = recipe_of(content), recipe_of(str(written(tmp_path, text)))
    assert of_mapping.steps == of_file.steps and recipe_of(of_mapping) is of_mapping


def test_all_mistakes_are_told_at_once_with_the_number_of_their_step(tmp_path: Path) -> None:
    text = """
seed = -1
usr = "customer"
columns = ["a", "a"]
[[step]]
step = "pseudonymise"
how = "keyed"
[[step]]
step = "noise"
columns = "price"
amuont = 0.5
chance = 2
tabel = "people"
[[step]]
columns = ["price"]
[[step]]
step = "rund"
[[step]]
step = "round"
to = "x"
table = "shops"
[[step]]
step = "pram"
"""
    file = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_recipe(file)
    assert str(caught.value) == (
        f"{file}: there is no 'usr'; did you mean 'user'?; seed: -1 is no whole number from 0 up; "
        "columns: names 'a' twice; name it once; "
        "step 1 (pseudonymise): key_file: is missing; keyed names need the path of a file of 16 bytes or "
        "more; "
        "step 2 (noise): there is no parameter 'amuont'; did you mean 'amount'?; "
        "there is no parameter 'tabel'; did you mean 'table'?; "
        "columns: 'price' is no list of columns; write it like columns = [\"price\"]; "
        "chance: 2 is no share; write a number above 0, and 1 at most; "
        'step 3: says no step; write one like step = "noise"; '
        "step 4: there is no step 'rund'; did you mean 'round'?; "
        'step 5 (round): columns: is missing; write it like columns = ["price"]; '
        "to: 'x' is no amount; write a number above 0; table: 'shops' is unknown; "
        "there are 'history', 'people'; "
        'step 6 (pram): columns: is missing; write it like columns = ["price"]; '
        "keep: None is no probability to keep a value; write a number from 0 to below 1"
    )


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({}, "has no step"),
        ({"step": []}, "has no step"),
        ({"steps": [{"step": "noise"}]}, "there is no 'steps'; did you mean 'step'?"),
        ({"step": {"step": "noise"}}, "two brackets"),
        ({"step": "noise"}, "two brackets"),
        ({"step": ["noise"]}, "step 1: says no step"),
        ({"step": [{"step": 3}]}, "step 1: there is no step 3"),
        ({"step": [{"step": ["noise"]}]}, "step 1: there is no step ['noise']"),
        ({"step": [{"step": "sample", "columns": ["a"], "share": 0.5}]}, "no parameter 'columns'"),
        ({"step": [{"step": "sample", "share": 0.5, 3: 1}]}, "no parameter 3"),
        ({"user": 3, "columns": []}, "user: 3 is no name of a column"),
        ({"columns": []}, 'columns: is missing; write it like columns = ["price"]'),
        ({"columns": [1]}, "columns: (1,) is no list of columns"),
        ({"seed": True, "columns": ["a"]}, "seed: True is no whole number"),
        ({"seed": 1.5, "columns": ["a"]}, "seed: 1.5 is no whole number"),
        ({"step": [{"step": "sample", "share": 0.5, "seed": -3}]}, "step 1 (sample): seed: -3"),
    ],
)
def test_what_can_not_be_meant(content: Any, told: str) -> None:
    assert told in mistakes(content)


@pytest.mark.parametrize("content", [None, 3, [], object()])
def test_what_is_no_recipe(content: Any) -> None:
    with pytest.raises(UsageError, match="is no recipe"):
        recipe_of(content)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Recipe(steps=(Noise(("a",), amount=1),)), "give a tuple of Placed ones"),  # type: ignore[arg-type]
        (lambda: PlacedStep("noise"), "'noise' is no step"),  # type: ignore[arg-type]
        (lambda: PlacedStep(Pseudonymise(), "shops"), "table: 'shops' is unknown"),
    ],
)
def test_what_is_no_step_of_a_recipe(make: Any, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert told in str(caught.value)


def test_files_that_are_no_recipes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_recipe(tmp_path / "none.toml")
    with pytest.raises(InputError, match="is a directory"):
        read_recipe(tmp_path)
    with pytest.raises(UsageError, match="'' is no file's name; name the recipe in TOML"):
        read_recipe("")
    with pytest.raises(InputError, match="is not TOML"):
        read_recipe(written(tmp_path, "[[step"))
    (tmp_path / "recipe.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="is not TOML"):
        read_recipe(tmp_path / "recipe.toml")


def test_columns_that_are_not_there_are_told_at_once() -> None:
    recipe = Recipe(
        columns=("date", "price", "god"),
        steps=(
            PlacedStep(Noise(("price", "pirce"), amount=1)),
            PlacedStep(Suppress(("price",))),
            PlacedStep(Noise(("price",), amount=1)),
            PlacedStep(Suppress(("name",)), "people"),
            PlacedStep(Swap(("goods",), how="record", share=0.5, same=("towns",))),
        ),
    )
    with pytest.raises(InputError) as caught:
        recipe.check(HISTORY, None, "customer")
    assert str(caught.value) == (
        "recipe: step 1 (noise): the history has no column 'pirce'; did you mean 'price'?; "
        "step 3 (noise): the history has no column 'price'; there are 'customer', 'date', 'goods'; "
        'step 4 (suppress): there is no table of people; give one, or leave out table = "people"; '
        "step 5 (swap): the history has no column 'towns'; there are 'customer', 'date', 'goods'; "
        "columns: the history has no column 'price'; there are 'customer', 'date', 'goods'; "
        "columns: the history has no column 'god'; did you mean 'goods'?"
    )


def test_a_column_of_one_table_is_none_of_the_other() -> None:
    recipe = Recipe(steps=(PlacedStep(Suppress(("name",)), "people"), PlacedStep(Suppress(("goods",)))))
    recipe.check(HISTORY, ("customer", "name"), "customer")
    with pytest.raises(InputError, match=r"step 1 \(suppress\): the table of people has no column 'name'"):
        recipe.check(HISTORY, ("customer",), "customer")


def test_the_user_column_must_be_there_and_stays_a_name() -> None:
    Recipe(steps=(PlacedStep(Pseudonymise()),)).check(HISTORY, None, "customer")
    Recipe(steps=(PlacedStep(Suppress(("customer",))),)).check(HISTORY, None, "customer")
    with pytest.raises(InputError, match="has no user column; name the user, or columns"):
        Recipe(steps=(PlacedStep(Pseudonymise()),)).check(HISTORY, None, None)
    with pytest.raises(InputError, match=r"step 2 \(pseudonymise\): the history has no user column"):
        Recipe(steps=(PlacedStep(Suppress(("customer",))), PlacedStep(Pseudonymise()))).check(
            HISTORY, None, "customer"
        )
    with pytest.raises(InputError, match="'customer' is the user; only pseudonymise changes it"):
        Recipe(steps=(PlacedStep(Noise(("customer",), chance=0.5)),)).check(HISTORY, None, "customer")
    with pytest.raises(InputError, match="'customer' is the user"):
        Recipe(steps=(PlacedStep(Suppress(("customer",), what="cells", rarer_than=5)),)).check(
            HISTORY, None, "customer"
        )
    with pytest.raises(InputError, match="user: the table of people has no column 'customer'"):
        Recipe(steps=(PlacedStep(Pseudonymise()),)).check(HISTORY, ("name",), "customer")


def test_the_diary_gets_all_settings_and_no_key(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"a very secret key of many bytes")
    told = PlacedStep(Pseudonymise(how="keyed", key_file=str(key))).as_dict()
    assert told == {
        "step": "pseudonymise",
        "table": "history",
        "columns": [],
        "how": "keyed",
        "key_file": str(key),
    }
    cut = PlacedStep(Cut(column="date", begin=date(2010, 12, 1), seed=numpy.int64(3)))  # type: ignore[arg-type]
    assert json.loads(json.dumps(cut.as_dict()))["begin"] == "2010-12-01"
    assert json.loads(json.dumps(cut.as_dict()))["seed"] == 3
    noise = PlacedStep(Noise(("price",), amount=numpy.float32(0.5)), "people")  # type: ignore[arg-type]
    assert json.loads(json.dumps(noise.as_dict())) == {
        "step": "noise",
        "table": "people",
        "columns": ["price"],
        "amount": 0.5,
        "distribution": "uniform",
        "per": "record",
    }


def test_every_step_has_its_name_and_nothing_slow_is_loaded() -> None:
    assert all(kind.step == name for name, kind in STEPS.items())
    code = (
        "import sys, singleout.recipe.recipe; "
        "sys.exit(', '.join({'numba', 'scipy', 'duckdb', 'pandas'} & set(sys.modules)) or None)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
