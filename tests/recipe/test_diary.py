"""Diaries of what was done, read as recipes by whoever wants to know how a release was made."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from singleout import apply, dummies, generalise
from singleout.errors import InputError, UsageError
from singleout.recipe.recipe import Recipe, recipe_of
from singleout.recipe.record_table import RecordTable
from singleout.recipe.replay import Replay, contradictions, replay
from singleout.recipe.steps.distinct_values import ComparableColumn, comparable_texts, distinct_values_of
from singleout.recipe.trace import Added, Blanked, Renamed

ROWS = [
    ("ann", "2010/12/01", "21", "tea"),
    ("bob", "2010/12/09", "25", "salt"),
    ("cid", "2010/12/05", "28", "tea"),
    ("dan", "2011/01/07", "33", "milk"),
    ("eve", "2011/01/03", "35", "gold"),
    ("flo", "2012/01/03", "71", "gold"),
]
NAMES = ("who", "date", "age", "goods")
AGES = [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]
DATES = [{"type": "raw"}, {"type": "date", "to": "month"}]
LEVELS = {"attributes": {"age": {"levels": AGES}, "date": {"levels": DATES}}}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return written(tmp_path / "shop.csv", [NAMES, *ROWS])


def written(path: Path, rows: list[Any]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as handle:
        csv.writer(handle).writerows(rows)
    return path


def definition(path: Path) -> Path:
    path.write_text(json.dumps(LEVELS), encoding="utf-8")
    return path


def table_of(path: Path) -> pyarrow.Table:
    with path.open(newline="", encoding="utf-8") as handle:
        names, *rows = csv.reader(handle)
    columns = zip(*rows, strict=True)
    return pyarrow.table({
        name: pyarrow.array([value or None for value in column], pyarrow.large_string())
        for name, column in zip(names, columns, strict=True)
    })  # fmt: skip


def replay_of(recipe: Recipe, path: Path, user: str = "who") -> Replay:
    table = table_of(path)
    people = distinct_values_of(user, table[user].combine_chunks())
    return replay(recipe, RecordTable(table, people.codes, len(people.values), user))


def rows_of(table: pyarrow.Table) -> Counter[Any]:
    columns = [comparable_texts(each.combine_chunks()).to_pylist() for each in table.columns]
    return Counter(zip(*columns, strict=True))


def told(content: Any, **more: Any) -> str:
    with pytest.raises(InputError) as caught:
        recipe_of(content, **more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_diary_of_apply_is_the_recipe_it_followed(shop: Path, tmp_path: Path) -> None:
    key, diary = tmp_path / "key", tmp_path / "diary.json"
    key.write_bytes(b"0123456789abcdef")
    content = {
        "user": "who",
        "columns": ["who", "date", "age"],
        "step": [
            {"step": "pseudonymise", "how": "keyed", "key_file": str(key)},
            {"step": "generalise", "columns": ["date"], "level": 1, "levels": DATES},
            {"step": "cut", "column": "age", "begin": 25},
        ],
    }
    apply(shop, content, out=tmp_path / "out.csv", diary=diary, seed="secret")
    key.unlink()
    recipe = recipe_of(diary)
    assert recipe.steps == recipe_of(content).steps and recipe.path == str(diary)
    assert (recipe.user, recipe.columns, recipe.seed) == ("who", ("who", "date", "age"), None)
    assert recipe_of(json.loads(diary.read_text(encoding="utf-8"))).steps == recipe.steps
    found, release = replay_of(recipe, shop), table_of(tmp_path / "out.csv")
    assert found.traces["who"] == (Renamed(keyed=True),) and found.exact == ("date", "age")
    shown = ["date", "age"]
    assert rows_of(found.records.table.select(shown)) == rows_of(release.select(shown))


def test_the_diary_of_a_recipe_without_columns(shop: Path, tmp_path: Path) -> None:
    diary = tmp_path / "diary.json"
    steps = [{"step": "round", "columns": ["age"], "to": 10}]
    apply(shop, {"seed": 3, "step": steps}, diary=diary)
    recipe = recipe_of(str(diary))
    assert (recipe.user, recipe.columns, recipe.seed) == (None, None, 3)
    assert recipe.steps == recipe_of({"step": steps}).steps


@pytest.mark.parametrize("keep_suppressed", [False, True])
def test_the_diary_of_a_search_tells_the_levels(shop: Path, tmp_path: Path, keep_suppressed: bool) -> None:
    out, diary = tmp_path / "out.csv", tmp_path / "diary.json"
    more = [("gus", "2012/01/03", "72", "gold"), ("hal", "2012/01/04", "11", "gold")]
    written(shop, [NAMES, *ROWS, *more, ("ida", "2013/01/01", "22", "tea")])
    result = generalise(
        shop, hierarchies=definition(tmp_path / "levels.json"), k=2, suppress=0.3, user="who",
        levels={"age": 1, "date": 1}, keep=["who"], keep_suppressed=keep_suppressed, out=out, diary=diary,
    )  # fmt: skip
    assert result.suppressed == 2
    recipe = recipe_of(diary)
    assert recipe.columns == ("who", "date", "age")
    assert recipe.suppressed == ("cells" if keep_suppressed else "records")
    found, release = replay_of(recipe, shop), table_of(out)
    assert found.thinned is not keep_suppressed and found.left_out == ("goods",)
    assert found.traces["age"] == ((Blanked("*"),) if keep_suppressed else ())
    assert found.exact == (("who",) if keep_suppressed else ("who", "date", "age"))
    for name in found.traces:
        sides = map(ComparableColumn.of, (found.records.column(name), release[name]))
        assert contradictions(*sides) == 0
    shown = [row for row in rows_of(release).elements() if "*" not in row]
    assert Counter(shown) <= rows_of(found.records.table) and len(shown) == 7


def test_hierarchies_that_a_diary_does_not_tell(shop: Path, tmp_path: Path) -> None:
    file, diary = definition(tmp_path / "levels.json"), tmp_path / "diary.json"
    generalise(shop, hierarchies=file, k=1, levels={"age": 1, "date": 0}, diary=diary)
    known = recipe_of(diary)
    moved = file.rename(tmp_path / "moved.json")
    assert told(diary) == (
        f"{diary}: the hierarchy of 'age' is not where it was; "
        "give the hierarchies by --hierarchies, a folder or a file"
    )
    given = recipe_of(diary, hierarchies=moved)
    assert len(known.steps) == len(given.steps) == 2
    assert replay_of(given, shop).records.column("age").to_pylist()[0] == "20-29"
    older = json.loads(diary.read_text(encoding="utf-8"))
    del older["hierarchies"], older["suppressed_as"]
    assert "does not tell the hierarchy of 'age'; give the hierarchies" in told(older)
    found = replay_of(recipe_of(older, hierarchies={"age": AGES}), shop)
    assert found.records.column("age").to_pylist()[0] == "20-29"


def test_a_map_is_not_told_for_it_lists_values(shop: Path, tmp_path: Path) -> None:
    diary = tmp_path / "diary.json"
    goods = [{"type": "raw"}, {"type": "map", "map": {"tea": "drink", "milk": "drink"}, "default": "other"}]
    generalise(shop, hierarchies={"goods": goods}, k=1, levels={"goods": 1}, diary=diary)
    assert json.loads(diary.read_text(encoding="utf-8"))["hierarchies"] == {"goods": None}
    assert "does not tell the hierarchy of 'goods'" in told(diary)
    found = replay_of(recipe_of(diary, hierarchies={"goods": goods}), shop)
    assert found.records.column("goods").to_pylist()[:2] == ["drink", "other"]


def test_a_csv_hierarchy_and_columns_that_are_suppressed(shop: Path, tmp_path: Path) -> None:
    file = written(tmp_path / "goods.csv", [(each, each[0], "*") for each in ("tea", "salt", "milk", "gold")])
    diary = tmp_path / "diary.json"
    for level, first in ((0, "tea"), (1, "t"), (2, "*")):
        generalise(shop, hierarchies=file, k=1, levels={"goods": level}, diary=diary)
        assert replay_of(recipe_of(diary), shop).records.column("goods").to_pylist()[0] == first
    file.unlink()
    # all alike needs no file
    assert replay_of(recipe_of(diary), shop).records.column("goods").to_pylist() == ["*"] * 6


def test_records_with_missing_values_that_were_not_read(tmp_path: Path) -> None:
    shop = written(tmp_path / "shop.csv", [NAMES, *ROWS, ("gus", "2010/12/01", "", "tea")])
    diary = tmp_path / "diary.json"
    generalise(shop, hierarchies={"age": AGES}, k=1, missing="drop", levels={"age": 1}, diary=diary)
    assert replay_of(recipe_of(diary), shop).kept.tolist() == list(range(6))


def test_the_diary_of_dummies_tells_that_records_were_added(shop: Path, tmp_path: Path) -> None:
    diary, release = tmp_path / "diary.json", tmp_path / "release.csv"
    dummies(
        shop, user="who", item="goods", clusters=2, columns=["goods", "age"], out=release, diary=diary,
        truth=tmp_path / "truth.csv",
    )  # fmt: skip
    found = replay_of(recipe_of(diary), shop)
    assert found.traces == dict.fromkeys(("who", "age", "goods"), (Added("goods"),))
    assert not found.exact and found.left_out == ("date",) and len(found.records) == 6
    with pytest.raises(UsageError, match="is the diary of dummies, and no step adds these; make them by"):
        apply(shop, diary, user="who", out=tmp_path / "again.csv")


def test_what_is_no_diary(tmp_path: Path) -> None:
    file = tmp_path / "diary.json"
    for text, words in (
        ('{"a": 1}', "is no diary of deidentify; give one, or a recipe in TOML"),
        ("{", "is not JSON"),
        ('{"recipe": {}, "steps": []}', "is no whole diary; let deidentify write it again"),
        ('{"levels": {}, "attributes": [3]}', "is no whole diary"),
        ('{"recipe": {"seed": 1, "columns": null, "step": [{"step": "nois"}]}, "steps": [], "user": null}',
         "step 1: there is no step 'nois'; did you mean 'noise'?"),
    ):  # fmt: skip
        file.write_text(text, encoding="utf-8")
        assert words in told(file)


def test_a_search_that_suppressed_records_is_not_applied(shop: Path, tmp_path: Path) -> None:
    diary = tmp_path / "diary.json"
    written(shop, [NAMES, *ROWS, ("gus", "2012/01/03", "11", "gold")])
    generalise(
        shop, hierarchies={"age": AGES}, k=2, suppress=0.4, levels={"age": 1}, out=tmp_path / "out.csv",
        diary=diary,
    )  # fmt: skip
    with pytest.raises(UsageError, match="run generalise instead"):
        apply(shop, diary)
