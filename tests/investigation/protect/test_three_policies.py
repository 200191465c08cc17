"""Three policies on purchases, in small: each reached or refused, and what is written attacked again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from singleout import attack, dummies, protect, sample
from singleout.investigation.protect.result import Protection

POLICIES = {
    "four known records": [{"measure": "attack.points_4.rate", "at_most": 0.2}],
    "best attack": [{"measure": "attack.best.rate", "at_most": 0.1}],
    "groups and best attack": [
        {"measure": "people.k", "at_least": 5},
        {"measure": "attack.best.rate", "at_most": 0.05},
    ],
}
PARTS: dict[str, Any] = {
    "item": "goods", "time": ["date", "time"], "amount": "price", "number": "number", "receipt": "receipt"
}  # fmt: skip
# of these parts an attack asks
ATTACKED = ("item", "time", "amount")
PEOPLE = 40


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("three") / "shop.parquet"
    sample("shop", people=PEOPLE, seed=1, out=path)
    return path


def attacked_again(shop: Path, out: Path, truth: Path) -> Any:
    """By somebody who knows the recipe, and every column that is left."""
    left = pyarrow.parquet.read_schema(out).names
    parts = {
        name: each
        for name, each in PARTS.items()
        if name in ATTACKED and all(column in left for column in ([each] if isinstance(each, str) else each))
    }
    return attack(shop, out, truth, user="customer", points=[4], recipe=f"{out}.recipe", **parts)


@pytest.mark.parametrize("name", POLICIES)
def test_each_policy_is_reached_within_its_limit_or_refused(shop: Path, tmp_path: Path, name: str) -> None:
    rules = POLICIES[name]
    out, truth = tmp_path / "out.parquet", tmp_path / "who.csv"
    found = protect(shop, {"rule": rules}, user="customer", tries=15, out=out, truth=truth, **PARTS)
    if not found.reached:
        assert name != "four known records"
        assert found.obstacles and found.advice
        assert not out.exists() and not truth.exists()
        return
    again = attacked_again(shop, out, truth)
    limit = rules[-1]["at_most"]
    if name == "four known records":
        tried = again.by_name("points_4")
        assert tried is not None and tried.rate <= limit
    else:
        assert again.best is not None and again.best.rate <= limit


def protected_items(items: Path, limit: float, **files: Any) -> Protection:
    policy = {"rule": [{"measure": "attack.best.rate", "at_most": limit}]}
    return protect(items, policy, user="customer", item="goods", tries=15, **files)


def test_item_sets_are_protected_as_well_as_by_dummies_alone(shop: Path, tmp_path: Path) -> None:
    """At the same limit: no more is lost, by the measure of the search, than by the dummies."""
    table = pyarrow.parquet.read_table(shop, columns=["customer", "goods"])
    items = tmp_path / "items.parquet"
    once = table.group_by(["customer", "goods"]).aggregate([])
    pyarrow.parquet.write_table(once, items)
    found = protected_items(items, 0.2, out=tmp_path / "out.parquet", truth=tmp_path / "who.csv")
    assert found.reached and found.chosen is not None and found.chosen.lost is not None
    alone = dummies(items, user="customer", item="goods", bound=0.2)
    by_dummies = [
        each for each in found.trials if each.passed and "dummy records" in (each.words or ("",))[0]
    ]
    assert by_dummies and all(found.chosen.lost <= each.lost + 1e-12 for each in by_dummies if each.lost)
    assert any(each.records == len(once) + alone.dummies for each in by_dummies)
    again = attack(
        items, tmp_path / "out.parquet", tmp_path / "who.csv", user="customer", item="goods",
        recipe=tmp_path / "out.parquet.recipe",
    )  # fmt: skip
    assert again.best is not None and again.best.rate <= 0.2
