"""Releases that surely break a rule on attacks, seen on some of their people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from singleout import protect, sample
from singleout.investigation.protect import attack_screen as screens
from singleout.investigation.protect.attack_screen import AttackScreen, attack_screen, least_rate
from singleout.investigation.protect.explanation import broken_words
from singleout.investigation.protect.result import Protection
from singleout.policy.rules.policy import policy_of

PARTS: dict[str, Any] = {"item": "goods", "time": ["date", "time"], "amount": "price", "number": "number"}
POLICY = {"rule": [{"measure": "attack.points_4.rate", "at_most": 0.3}]}
NOBODY: Any = {"engine": None, "memory": None, "threads": 1}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("screen") / "shop.parquet"
    sample("shop", people=150, seed=1, out=path)
    return path


def found(shop: Path, tries: int = 8, **more: Any) -> Protection:
    forbid = ["cut", "remove_people", "sample", "shift_dates", "dummies"]
    return protect(shop, POLICY, user="customer", tries=tries, forbid=forbid, **PARTS, **more)


@pytest.fixture(scope="module")
def in_full(shop: Path) -> Protection:
    return found(shop)


def test_a_sample_says_of_what_is_broken_alone_that_it_is(
    shop: Path, in_full: Protection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same recipe is chosen, and each that some people call broken is so by all."""
    monkeypatch.setattr(screens, "MOST_PEOPLE", 100)
    monkeypatch.setattr(screens, "ASKED", 120)
    by_some = found(shop)
    assert in_full.reached and by_some.reached
    assert in_full.chosen is not None and by_some.chosen is not None
    assert by_some.chosen.words == in_full.chosen.words
    assert not by_some.chosen.sampled
    truly = {each.candidate: each for each in in_full.trials}
    sampled = [each for each in by_some.trials if each.sampled]
    assert sampled and not any(each.sampled for each in in_full.trials)
    for each in sampled:
        (judged,), (whole,) = each.rules, truly[each.candidate].rules
        assert each.breaks and whole.breaks and not each.passed
        assert whole.answer.value is not None and judged.answer.value is not None
        assert least_rate(judged.answer.value, 120) <= whole.answer.value
        assert abs(judged.answer.value - whole.answer.value) < 0.1
        assert "120 of the 150 people, drawn at random" in judged.reason
        assert broken_words(each).endswith("(estimated from 120 of the 150 people, drawn at random)")
        assert "estimated" not in broken_words(truly[each.candidate])
        assert each.kept == truly[each.candidate].kept
    assert any("were not attacked further" in each for each in by_some.remarks)
    assert not any("were not attacked further" in each for each in in_full.remarks)


def test_the_original_shows_which_columns_name_people(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though no more than some of its people are attacked."""
    monkeypatch.setattr(screens, "MOST_PEOPLE", 100)
    monkeypatch.setattr(screens, "ASKED", 120)
    table = pyarrow.parquet.read_table(shop).drop_columns(["receipt", "price", "number"])
    mail = [f"{who}@example.org" for who in table["customer"].to_pylist()]
    pyarrow.parquet.write_table(table.append_column("mail", [mail]), tmp_path / "shop.parquet")
    parts = {name: PARTS[name] for name in ("item", "time")}
    told = protect(tmp_path / "shop.parquet", POLICY, user="customer", tries=4, **parts)
    # what follows the search tells what each change is for
    first, *others = told.trials[:4]
    assert first.sampled and first.naming == ("mail",)
    # none has it as it is, its last column
    assert others and all(each.candidate.levels[-1] for each in others)


def test_what_attacks_tell_of_finer_recipes_is_no_proof(in_full: Protection) -> None:
    proof = in_full.proof
    assert proof.inferred and proof.broken and 0 < proof.inferred < proof.broken
    told = f"({proof.inferred:,} of them by what attacks and the like found of a coarser one, no proof)"
    assert told in proof.words
    assert not replace(proof, unknown=0, ways=0, ended=None).is_best
    assert replace(proof, unknown=0, inferred=0, ways=0, ended=None).is_best


def test_known_records_alone_are_no_rate_of_the_best_attack(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All attacks may find more: such a number is on no front, and the nearest is attacked in full."""
    monkeypatch.setattr(screens, "MOST_PEOPLE", 100)
    monkeypatch.setattr(screens, "ASKED", 140)
    forbid = ["cut", "remove_people", "sample", "shift_dates", "dummies"]
    policy = {"rule": [{"measure": "attack.best.rate", "at_most": 0.001}]}
    told = protect(shop, policy, user="customer", tries=3, forbid=forbid, **PARTS)
    sampled = [each for each in told.trials if each.sampled]
    assert sampled and not told.reached
    assert all(told.privacy_of(each) is None for each in sampled)
    assert not any(each in told.front for each in sampled)
    assert told.chosen is not None and not told.chosen.sampled
    assert not any("estimated" in each for each in told.obstacles)


def test_threads_change_nothing(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "MOST_PEOPLE", 100)
    monkeypatch.setattr(screens, "ASKED", 120)
    one, other = (found(shop, 3, threads=threads).to_dict() for threads in (1, 2))
    assert one == other


def test_tables_of_few_people_are_not_read_for_it(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(screens, "pair_tables")
    assert len(found(shop, 2).trials) == 2


def test_few_people_decide_nothing() -> None:
    assert least_rate(1.0, 20) < 0.5 < least_rate(1.0, 100)


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        ({"measure": "attack.points_2.rate", "at_most": 0.2}, [2]),
        ({"measure": "attack.best.rate", "at_most": 0.2}, [1, 2, 3, 4]),
        ({"measure": "attack.best.bound", "at_most": 0.2}, None),
        ({"measure": "attack.points_2.rate", "at_least": 0.2}, None),
        ({"measure": "attack.worst_points_2.rate", "at_most": 0.2}, None),
        ({"measure": "attack.points_2.rate", "at_most": 0.2, "columns": ["goods"]}, None),
        ({"measure": "k", "at_least": 2}, None),
    ],
)
def test_what_a_sample_may_say_no_to(rule: dict[str, Any], asked: list[int] | None) -> None:
    screen = attack_screen(policy_of({"rule": [rule]}), None, NOBODY, 0)
    assert (None if screen is None else [*_points(screen)]) == asked


def test_where_records_that_lack_a_value_are_left_out_all_are_attacked() -> None:
    rule = {"measure": "attack.points_2.rate", "at_most": 0.2}
    for missing, screened in (("value", True), ("drop", False)):
        policy = policy_of({"data": {"missing": missing}, "rule": [rule]})
        assert (attack_screen(policy, None, NOBODY, 0) is not None) == screened


def _points(screen: AttackScreen) -> Any:
    return screen._points
