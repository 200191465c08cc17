"""Protect from end to end: reached, judged again, repeated by the recipe, or refused."""

import json
import random
import re
import time
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

from singleout import apply, attack, check, protect, report_on
from singleout.cli.main import main
from singleout.deidentify.input_tables import subject_of
from singleout.errors import OutputError, UsageError
from singleout.investigation.protect import recipe_search
from singleout.investigation.protect.explanation import nearest_trial, obstacles
from singleout.investigation.protect.objective import objective_of, total_lost
from singleout.investigation.protect.recipe_search import TRIES
from singleout.investigation.protect.request import SearchBounds
from singleout.investigation.protect.result import Protection
from singleout.investigation.protect.subject_space import space_of
from singleout.policy import check as gate
from singleout.policy.answers import release_answers
from singleout.policy.release_clues import release_clues
from singleout.policy.rules.rule import Rule
from singleout.report.terminal.protect import sentences
from singleout.roles.study import Study

POLICY = {"rule": [{"measure": "attack.points_2.rate", "at_most": 0.4}]}
STRICT = {"rule": [{"measure": "attack.points_2.rate", "at_most": 0.1}]}
GROUPS = {"rule": [{"measure": "k", "at_least": 3}]}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty people who bought on some days of a year."""
    draw = random.Random(1)
    rows = [
        (f"p{person}", f"2024-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}", draw.choice("abcdef"))
        for person in range(20)
        for _ in range(draw.randint(2, 6))
    ]
    path = tmp_path_factory.mktemp("shop") / "shop.csv"
    columns = dict(zip(("who", "day", "goods"), zip(*rows, strict=True), strict=True))
    pyarrow.csv.write_csv(pyarrow.table({name: list(each) for name, each in columns.items()}), path)
    return path


@pytest.fixture(scope="module")
def protected(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Protection, Path]:
    place = tmp_path_factory.mktemp("release")
    found = protect(
        shop,
        POLICY,
        user="who",
        item="goods",
        time="day",
        out=place / "out.csv",
        truth=place / "who.csv",
        seed=5,
    )
    return found, place


def test_the_release_keeps_the_policy_when_it_is_read_again(
    shop: Path, protected: tuple[Protection, Path]
) -> None:
    found, place = protected
    assert found.reached
    assert found.trials[0].words == ()
    assert not found.trials[0].passed
    told: Any = {"user": "who", "item": "goods", "original": shop, "truth": place / "who.csv"}
    released = (place / "out.csv").read_text(encoding="utf-8").splitlines()[0].replace('"', "").split(",")
    told = told if "goods" in released else {name: each for name, each in told.items() if name != "item"}
    verdict = check(place / "out.csv", POLICY, recipe=place / "out.csv.recipe", **told)
    assert verdict.passed
    again = attack(
        shop, place / "out.csv", place / "who.csv", user="who", attacks=(), points=[2],
        recipe=place / "out.csv.recipe",
    )  # fmt: skip
    tried = again.by_name("points_2")
    assert tried is not None
    assert tried.rate <= 0.4


def test_the_recipe_repeats_the_release(shop: Path, protected: tuple[Protection, Path]) -> None:
    _, place = protected
    apply(shop, place / "out.csv.recipe", out=place / "again.csv", truth=place / "again.who.csv", seed=5)
    assert (place / "again.csv").read_bytes() == (place / "out.csv").read_bytes()
    assert (place / "again.who.csv").read_bytes() == (place / "who.csv").read_bytes()


def test_what_passing_takes_for_granted_is_told_with_the_answer(
    shop: Path, protected: tuple[Protection, Path]
) -> None:
    """As the gate tells it of the same file: reached is no more than passed."""
    found, place = protected
    told: Any = {"user": "who", "original": shop, "truth": place / "who.csv"}
    verdict = check(place / "out.csv", POLICY, recipe=place / "out.csv.recipe", **told)
    assert found.decision is not None
    assert found.decision.answer == verdict.decision.answer == "conditions"
    assert verdict.conditions and set(verdict.conditions) <= set(found.decision.conditions)
    assert [each.not_tried for each in found.decision.findings] == [
        each.not_tried for each in verdict.decision.findings
    ]
    assert found.headline.endswith("Only under these conditions.")
    page = report_on(found).to_html()
    assert "Not tried" in page
    assert all(each.partition(":")[0].replace("'", "&#39;") in page for each in found.decision.conditions)
    digest = next(each for each in found.decision.inputs if each.what == "release")
    assert digest.name == str(place / "out.csv")
    assert digest.sha256 == sha256((place / "out.csv").read_bytes()).hexdigest()


def test_what_left_out_columns_cost_is_said_beside_the_metric(protected: tuple[Protection, Path]) -> None:
    found, _ = protected
    for each in found.trials:
        if each.complete and any(rung.endswith("left out") for rung in each.words):
            counts = {kept.metric: kept for kept in each.kept}["counts.mean_error"]
            assert counts.reason is not None and "columns that are left out" in counts.reason


def test_nothing_better_was_tried(protected: tuple[Protection, Path]) -> None:
    found, _ = protected
    assert found.chosen is not None
    assert found.chosen.lost is not None
    passed = [each.lost for each in found.trials if each.passed]
    assert found.chosen.lost <= min(each for each in passed if each is not None) + 1e-12
    assert found.chosen.lost == total_lost(found.chosen.kept)


def test_coarser_values_are_compared_at_the_level_that_both_tables_have(
    protected: tuple[Protection, Path], shop: Path
) -> None:
    found, _ = protected
    month, gone = ("day to the month", "goods left out"), ("day left out",)
    tried = {each.words: {kept.metric: kept.lost for kept in each.kept} for each in found.trials}
    # one of the two columns is gone, and the other as it was at its level
    assert tried[month]["total_variation"] == tried[gone]["total_variation"] == 0.5
    assert tried[gone]["detail_lost"] == 0.5 < tried[month]["detail_lost"] < 0.6
    named = protect(shop, POLICY, user="who", keep={"total_variation": 1}, forbid=["cut", "sample"])
    assert {each.words: each.lost for each in named.trials}[month] == 1


def test_each_change_has_a_measured_reason(protected: tuple[Protection, Path]) -> None:
    found, _ = protected
    assert found.chosen is not None
    assert [each.words for each in found.reasons] == list(found.chosen.words)
    assert all(each.reason.startswith("without it") for each in found.reasons)


def test_the_front_beats_all_others(protected: tuple[Protection, Path]) -> None:
    found, _ = protected
    for one in found.front:
        for other in found.trials:
            privacy = found.privacy_of(other)
            if other.lost is None or privacy is None or one.lost is None:
                continue
            own = found.privacy_of(one)
            assert own is not None
            assert not (other.lost < one.lost and privacy < own)


def test_the_same_seed_gives_the_same_answer_on_any_number_of_threads(shop: Path) -> None:
    one, other = (
        protect(shop, POLICY, user="who", item="goods", threads=threads, tries=6) for threads in (1, 2)
    )
    first, second = one.to_dict(), other.to_dict()
    assert first == second


def test_the_document_has_what_the_contract_says(protected: tuple[Protection, Path]) -> None:
    told = json.loads(json.dumps(protected[0].to_dict(), allow_nan=False))
    assert told["reached"] is True
    assert {"rules", "recipe", "utility", "privacy", "front", "tried"} <= told.keys()
    assert {"recipe", "utility", "privacy"} <= told["front"][0].keys()
    assert "What each limit costs" in report_on(protected[0])._repr_html_()


def test_a_notebook_shows_the_answer_before_the_recipes(protected: tuple[Protection, Path]) -> None:
    """A recipe that keeps the policy stands in the table also where nothing was reached."""
    found = protected[0]
    page = found._repr_html_()
    assert page.startswith(f"<p><strong>{found.headline}</strong></p><p><strong>Only under these conditions")
    assert page.count("<li>if: ") == len(found.decision.conditions if found.decision else ())
    missed = replace(found, reached=False, obstacles=("rule 1 is in the way",))._repr_html_()
    assert missed.startswith("<p><strong>NOT REACHED")
    assert "<li>rule 1 is in the way</li>" in missed
    assert "Only under these conditions" not in missed


@pytest.fixture
def people() -> pyarrow.Table:
    draw = random.Random(2)
    ages = [str(draw.randint(20, 60)) for _ in range(60)]
    towns = [draw.choice(["10115", "10117", "89073", "89079"]) for _ in range(60)]
    return pyarrow.table({"age": ages, "zip": towns})


def test_what_can_not_be_judged_is_told_of_the_table_and_no_temporary_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "only.csv").write_text("who\na\nb\nc\n")
    (tmp_path / "k.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 2\n')
    words = ["protect", str(tmp_path / "only.csv"), "--user", "who", "--policy", str(tmp_path / "k.toml")]
    assert main([*words, "--out", str(tmp_path / "o.csv")]) == 2
    *_, line = capsys.readouterr().err.splitlines()
    assert line == f"error: {tmp_path}/only.csv: no column is left that an attacker may know; name some"


def test_a_table_is_recoded_locally_where_that_costs_less(people: pyarrow.Table, tmp_path: Path) -> None:
    found = protect(people, GROUPS, user="none", out=tmp_path / "out.parquet")
    assert found.reached
    # local recoding is a rule of thumb, and one of two ways to change records
    assert (found.proof.unknown, found.proof.ways, found.proof.is_best) == (0, 2, False)
    assert "records can be changed too, in 2 ways with as many recipes each, of which" in found.proof.words
    plain = protect(people, GROUPS, user="none", forbid=["local", "cells"])
    assert (plain.proof.ways, plain.proof.is_best) == (0, True)
    assert "records can be changed" not in plain.proof.words
    kinds = {each.words[0].split(" (")[0] for each in found.trials if each.passed and each.words}
    assert "each record as fine as groups of 3 allow" in kinds
    apply(people, tmp_path / "out.parquet.recipe", out=tmp_path / "again.parquet", user="none")
    assert (tmp_path / "again.parquet").read_bytes() == (tmp_path / "out.parquet").read_bytes()


def test_fixed_columns_count_and_stay_in_local_recoding_and_blank_cells(
    people: pyarrow.Table, tmp_path: Path
) -> None:
    """In no released record is a fixed value another one, and classes are of all columns, fixed ones too."""
    sexes, houses = ["f", "f", "m", "m"] * 15, [str(each // 2) for each in range(60)]
    table = people.append_column("sex", [sexes]).append_column("house", [houses])
    known = ["age", "zip", "sex"]
    rule = {"rule": [{"measure": "k", "at_least": 3, "columns": known}], "allow_unjudged": ["house"]}
    for only, forbidden in (("local", "cells"), ("cells", "local")):
        out = tmp_path / f"{only}.parquet"
        found = protect(
            table, rule, user="none", fixed=["sex", "house"], out=out,
            forbid=["generalise", "round", "suppress", forbidden],
        )  # fmt: skip
        assert found.reached and found.chosen is not None and len(found.chosen.words) == 1
        released = pyarrow.parquet.read_table(out)
        records = list(zip(*(released[name].to_pylist() for name in known), strict=True))
        assert min(map(records.count, records)) >= 3
        house = released["house"].to_pylist()
        assert len(house) >= 57
        assert [sexes[2 * int(each)] for each in house] == released["sex"].to_pylist()


def test_a_fixed_value_that_few_have_stands_in_the_way(people: pyarrow.Table) -> None:
    rare = people.append_column("sex", [["f"] * 58 + ["m"] * 2])
    forbid = ["generalise", "round", "suppress", "remove_people", "local"]
    found = protect(rare, GROUPS, user="none", fixed=["sex"], forbid=forbid)
    stopped = [each.stopped for each in found.trials if each.stopped]
    assert not found.reached
    assert stopped == ["cells of sex would have to be blank, which is to stay as it is"]


def test_dates_that_are_fixed_are_not_moved(shop: Path) -> None:
    found = protect(shop, STRICT, user="who", time="day", fixed=["day"], tries=40)
    assert not [each.words for each in found.trials if "moved" in each.words[:1]]
    free = protect(shop, STRICT, user="who", time="day", forbid=["generalise", "suppress"], tries=40)
    moved = "day of each person moved by up to 7 days"
    assert moved in {each.words[0] for each in free.trials if each.words}
    assert moved not in {word for each in found.trials for word in each.words}


def test_a_short_search_tries_local_recoding_first(people: pyarrow.Table) -> None:
    found = protect(people, GROUPS, user="none", tries=3)
    assert found.reached and found.chosen is not None
    assert "each record as fine as groups of 3 allow" in found.chosen.words[0]


def test_records_that_were_added_are_told_as_more(people: pyarrow.Table) -> None:
    found = protect(people, GROUPS, user="none", tries=3)
    assert found.chosen is not None
    more = replace(found, chosen=replace(found.chosen, records=100))
    assert "100 records, 40 more than in the original, and" in " ".join(sentences(more))
    assert "60 of 60 records and" in " ".join(sentences(found))


def test_a_secret_seed_is_told_to_nobody(people: pyarrow.Table, tmp_path: Path) -> None:
    found = protect(
        people, GROUPS, user="none", seed="secret", out=tmp_path / "out.csv", tries=3, nearest=True
    )
    told = json.dumps(found.to_dict()) + (tmp_path / "out.csv.recipe").read_text(encoding="utf-8")
    assert str(int(found.seed)) not in told + report_on(found).to_html()
    assert found.to_dict()["seed"] == "secret"


def test_what_can_t_be_reached_is_refused(people: pyarrow.Table, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    found = protect(people, GROUPS, user="none", fixed=["age"], out=out)
    assert not found.reached
    assert "no recipe that was tried keeps k at least 3" in found.obstacles
    assert any("let age become coarser" in each for each in found.advice)
    said = " ".join(sentences(found))
    assert "How far the search came" in said and "cheapest" not in said and "Cheaper" not in said
    assert not list(tmp_path.iterdir())
    nearest = protect(people, GROUPS, user="none", fixed=["age"], out=out, nearest=True)
    assert not nearest.reached
    assert out.is_file()


def test_the_nearest_is_judged_by_all_rules_where_a_counted_one_is_never_kept(
    shop: Path, tmp_path: Path
) -> None:
    """No recipe was attacked, for all break that rule; the nearest is named, measured and written."""
    policy = {"rule": [{"measure": "people.k", "at_least": 30}, *POLICY["rule"]]}
    out = tmp_path / "out.csv"
    found = protect(shop, policy, user="who", fixed=["goods"], tries=2)
    assert not found.reached
    assert found.chosen is not None and found.chosen.lost is not None
    assert [each.rule.measure for each in found.rules] == ["people.k", "attack.points_2.rate"]
    assert any(each.startswith("the nearest: ") for each in found.obstacles)
    assert "The nearest that was found" in " ".join(sentences(found))
    again = protect(shop, policy, user="who", fixed=["goods"], tries=2, out=out, nearest=True)
    assert not again.reached and out.is_file()


def test_a_page_without_an_answer_has_no_empty_tables(people: pyarrow.Table) -> None:
    found = protect(people, GROUPS, user="none", fixed=["age"], tries=2)
    names = [each.name for each in report_on(found).sections]
    assert "use" not in names or (found.chosen is not None and found.chosen.kept)
    assert all(table.rows for each in report_on(found).sections for table in each.tables)


def test_look_alikes_keep_rules_about_attacks_where_nobody_has_a_name(people: pyarrow.Table) -> None:
    """Of records that are alike in all columns anybody is right about one."""
    for policy, group in {"internal sharing": 3, "trusted partner": 5}.items():
        found = protect(people, policy, user="none", sensitive=["none"], tries=8)
        assert found.reached
        assert found.chosen is not None
        linked = next(each for each in found.chosen.rules if each.rule.measure == "attack.best.rate")
        assert linked.answer.value is not None
        assert linked.answer.value <= 1 / group


def test_other_rules_about_attacks_are_refused_at_once_where_nobody_has_a_name(people: pyarrow.Table) -> None:
    """Else no recipe can be judged, and the answer is that none keeps any rule."""
    rules = [{"measure": "attack.jaccard.high", "at_most": 0.5}]
    with pytest.raises(UsageError, match=r"attack.jaccard.high.*who is who.*number its records"):
        protect(people, {"rule": rules}, user="none", sensitive=["none"])
    numbered = people.append_column("id", [[f"p{each}" for each in range(people.num_rows)]])
    assert protect(numbered, "internal sharing", user="id", sensitive=["none"], tries=8).reached


def test_recipes_that_could_not_be_judged_are_told(people: pyarrow.Table) -> None:
    found = protect(people, GROUPS, user="none", fixed=["age"])
    stopped = [replace(each, stopped="no who is who") for each in found.trials[:2]]
    told = list(obstacles(None, [*stopped, *found.trials[2:]], [Rule("k", at_least=3)]))
    assert any(each.endswith("recipes could not be judged: no who is who") for each in told)


def test_the_nearest_is_judged_by_its_rules_whatever_else_forbids_it(people: pyarrow.Table) -> None:
    """What was not said of a column forbids all recipes alike; a name of a person is worst of all."""
    found = protect(people, GROUPS, user="none", tries=3)
    original, near = (replace(each, passed=False, blocked=("not said",)) for each in found.trials[:2])
    assert original.lost == 0 and near.excess == 1 < original.excess
    named = replace(near, naming=("zip",), kept=original.kept)
    assert nearest_trial([original, near]) is near
    assert nearest_trial([original, near, named]) is near
    assert nearest_trial([original, named]) is original


def test_what_must_be_said_of_columns_is_asked_before_the_search(people: pyarrow.Table) -> None:
    """The gate passes no recipe that releases a diagnosis of which nobody spoke."""
    ill = people.append_column("diagnosis", [["flu", "none"] * 30])
    with pytest.raises(UsageError, match=r"nobody said whether diagnosis may be learned.*--sensitive none"):
        protect(ill, GROUPS, user="none", tries=2)
    assert protect(ill, GROUPS, user="none", sensitive=["none"], tries=2).reached
    ignored = Study({"diagnosis": "ignore"})
    assert protect(ill, GROUPS, user="none", study=ignored, tries=2).reached


def test_unknown_never_passes(shop: Path) -> None:
    """Dates shifted by chance leave the gate without an answer: such a recipe is none."""
    policy = {"rule": [{"measure": "attack.points_2.rate", "at_most": 0.9}]}
    forbid = ["generalise", "suppress", "cut", "remove_people", "sample"]
    found = protect(shop, policy, user="who", time="day", forbid=forbid)
    unknown = [each for each in found.trials for rule in each.rules if rule.answer.value is None]
    assert unknown
    assert not any(each.passed or each.breaks for each in unknown)
    assert not found.reached


def test_what_is_forbidden_is_not_done(shop: Path) -> None:
    found = protect(shop, POLICY, user="who", forbid=["generalise", "cut"], tries=15)
    for each in found.trials:
        assert all(step["step"] not in ("generalise", "cut") for step in each.content["step"])


def test_no_more_people_are_lost_than_was_said(shop: Path) -> None:
    free = protect(shop, STRICT, user="who", forbid=["suppress", "sample"], lose_people=1)
    judged = [each for each in free.trials if not each.stopped]
    assert min(each.people for each in judged) < 20 * 0.9
    bound = protect(shop, STRICT, user="who", forbid=["suppress", "sample"], lose_people=0.1)
    judged = [each for each in bound.trials if not each.stopped]
    assert min(each.people for each in judged) >= 20 * 0.9
    assert free.reached or not bound.reached


def test_no_more_records_are_lost_than_was_said(shop: Path) -> None:
    least = {}
    for share in (1.0, 0.2, 0.0):
        found = protect(shop, STRICT, user="who", forbid=["suppress"], lose_records=share, lose_people=1)
        least[share] = min(each.records for each in found.trials if not each.stopped) / found.records
    assert least[1.0] < 0.8 <= least[0.2] < 1.0 == least[0.0]


@pytest.mark.parametrize(("people", "records", "most"), [(1, 1, 0.05), (0.01, 1, 0.01), (1, 0, 0)])
def test_local_recoding_may_leave_out_no_more_than_was_said(
    people: float, records: float, most: float
) -> None:
    table = pyarrow.table({"who": ["p1", "p2", "p3"], "age": ["20", "21", "90"]})
    bounds = SearchBounds(lose_people=people, lose_records=records)
    space = space_of(subject_of(table, user="who"), None, bounds, [Rule("k", at_least=2)], {}, {})
    assert [each.local.suppress for each in space.changes if each.kind == "local" and each.local] == [most]


def test_when_the_time_is_up_the_best_so_far_is_written(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, looks = time.monotonic(), iter(range(1000))
    ten_seconds_each = SimpleNamespace(monotonic=lambda: began + 10 * next(looks))
    monkeypatch.setattr(recipe_search, "time", ten_seconds_each)
    found = protect(
        shop,
        POLICY,
        user="who",
        item="goods",
        minutes=2,
        out=tmp_path / "out.csv",
        truth=tmp_path / "who.csv",
    )
    assert 8 < len(found.trials) < TRIES
    assert found.proof.ended == "the time was up"
    assert "the search ended early: the time was up" in found.proof.words
    assert found.reached
    assert found.chosen is not None
    best = min(each.lost for each in found.trials if each.passed and each.lost is not None)
    assert found.chosen.lost == pytest.approx(best)
    assert (tmp_path / "out.csv").is_file()


def test_clues_are_looked_for_in_what_keeps_the_rules(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []

    def look(inquiry: Any) -> Any:
        looked.append(inquiry)
        return release_clues(inquiry)

    monkeypatch.setattr(gate, "release_clues", look)
    found = protect(shop, POLICY, user="who", item="goods", tries=16)
    kept = [each for each in found.trials if each.rules and all(rule.passed for rule in each.rules)]
    assert 0 < len(looked) == len(kept) < len(found.trials)
    assert [each.passed for each in kept] == [not each.blocked for each in kept]


def test_rules_that_are_counted_spare_the_others(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = {"rule": [{"measure": "people.k", "at_least": 20}, *POLICY["rule"]]}
    attacked = []

    def try_attacks(*given: Any, **said: Any) -> Any:
        attacked.append(said)
        return attack(*given, **said)

    monkeypatch.setattr(release_answers, "attack", try_attacks)
    found = protect(shop, both, user="who", item="goods", tries=8)
    counted = [each for each in found.trials if len(each.rules) == 1]
    assert found.trials[0] in counted
    assert len(attacked) == len([each for each in found.trials if len(each.rules) == 2])


def test_mistakes_are_told_at_once(shop: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no step 'cutt'; did you mean 'cut'"):
        protect(shop, POLICY, user="who", forbid=["cutt"])
    with pytest.raises(UsageError, match="lose_people: 2 is no share"):
        protect(shop, POLICY, user="who", lose_people=2)
    with pytest.raises(UsageError, match="fixed: there is no column 'dya'; did you mean 'day'"):
        protect(shop, POLICY, user="who", fixed=["dya"])
    with pytest.raises(UsageError, match="minutes: 0 is no time"):
        protect(shop, POLICY, user="who", minutes=0)
    with pytest.raises(OutputError, match="belongs to what is read"):
        protect(shop, POLICY, user="who", out=shop)
    with pytest.raises(OutputError, match="name the same file"):
        protect(shop, POLICY, user="who", out=tmp_path / "a.csv", truth=tmp_path / "a.csv")
    with pytest.raises(UsageError, match="truth: there is no user column"):
        protect(shop, GROUPS, user="none", out=tmp_path / "a.csv", truth=tmp_path / "b.csv")


def test_what_is_to_be_kept_by_hand() -> None:
    objective = objective_of({"counts.mean_error": 1, "detail_lost": 3}, {}, history=True)
    kept = objective.kept((), 0.5, 2, 4)
    # nothing was measured of the counts, so that all of them is lost
    assert total_lost(kept) == pytest.approx((1 * 1.0 + 3 * 0.5) / 4)
    with pytest.raises(UsageError, match="keep: detail_lost: 0 is no weight"):
        objective_of({"detail_lost": 0}, {}, history=True)


def test_the_command_says_by_its_code_whether_it_was_reached(
    people: pyarrow.Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pyarrow.csv.write_csv(people, tmp_path / "people.csv")
    (tmp_path / "k.toml").write_text('[[rule]]\nmeasure = "k"\nat_least = 3\n', encoding="utf-8")
    words = ["protect", str(tmp_path / "people.csv"), "--user", "none", "--policy", str(tmp_path / "k.toml")]
    assert main([*words, "--out", str(tmp_path / "out.csv"), "--keep", "detail_lost=1"]) == 0
    shown = capsys.readouterr().out
    assert "REACHED" in shown
    assert "The front: what each limit costs" in shown
    assert main([*words, "--out", str(tmp_path / "none.csv"), "--fixed", "age", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["reached"] is False
    assert not (tmp_path / "none.csv").exists()


def test_a_page_names_each_file_once_and_the_recipe_as_written(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(
        '[[rule]]\nmeasure = "attack.points_2.rate"\nat_most = 0.6\n', encoding="utf-8"
    )
    out, page = tmp_path / "out.csv", tmp_path / "page.html"
    words = ["protect", str(shop), "--user", "who", "--policy", str(tmp_path / "rules.toml"), "--tries", "8"]
    assert main([*words, "--out", str(out), "--truth", str(tmp_path / "w.csv"), "--html", str(page)]) == 0
    told = page.read_text(encoding="utf-8")
    for name in (shop, out, Path(f"{out}.recipe"), tmp_path / "rules.toml"):
        assert told.count(sha256(name.read_bytes()).hexdigest()) == 1
    parts = re.findall(r"SHA-256 of the ([\w ]+)<", told)
    assert parts == ["data", "policy", "release", "truth", "recipe"]
