"""`check` of a release beside its original: attacks, known records, utility, and what may not pass."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import singleout
from singleout import attack, check, compare
from singleout.attacks.wilson_interval import wilson
from singleout.policy.rules.measure_paths import measure_paths
from singleout.report.terminal.attack import WEIGHED_SHARE, sentences
from singleout.result_table import cell_text
from tests.support.check_shop import (
    BESIDE,
    DOMAINS,
    RELEASE,
    SHOP,
    STUDY,
    TRUTH,
    asked,
    fault,
    reason,
    value,
    values,
)


def test_losses_by_hand() -> None:
    table = pyarrow.table({"town": ["x", "x", "y"]})
    assert value(table, "discernibility") == 2**2 + 1
    assert value(table, "average_class_size") == 1.5
    whole = pyarrow.table({"town": ["x", "x", "y", "z", "z"]})
    said = {"original": whole}
    assert value(table, "discernibility", said) == 2**2 + 1 + 2 * 5
    assert value(table, "average_class_size", said) == 5 / 3


def test_attacks_are_those_of_attack() -> None:
    parts: dict[str, Any] = {"item": "goods", "time": "date", "amount": "price"}
    found = attack(SHOP, RELEASE, TRUTH, user="who", **parts, one_to_one=True).to_dict()["attacks"]
    told = ("rate", "identified", "certain", "baseline", "low", "high", "bound")
    # what is best here is one to one, which is not tried unasked
    some = [each for each in found if each["name"] != "best"]
    drawn = [each["name"] for each in some if each["over_draws"]]
    assert drawn == ["points_1", "points_2", "points_3", "points_4"]
    wanted = {
        f"attack.{each['name']}.{part}": each[part]
        for each in some
        for part in told
        if each["name"] not in drawn or part not in ("rate", "identified")
    }
    wanted |= {f"attack.{each['name']}.top_5": each["top"].get("5") for each in some}
    values(RELEASE, wanted, **BESIDE, amount="price")
    best = attack(SHOP, RELEASE, TRUTH, user="who", **parts).best
    assert best is not None
    said = {**BESIDE, "amount": "price"}
    assert value(RELEASE, "attack.best.rate", said, equals=1) == best.rate
    assert value(RELEASE, "attack.best.bound", said) == best.bound


def test_known_records_are_judged_by_the_safe_end() -> None:
    """An estimate that is below its limit by luck does not pass; who asks for the mean gets it."""
    said: dict[str, Any] = {"user": "who", "columns": ["goods", "date"], "seed": 3}
    (one,) = (
        each
        for each in attack(SHOP, SHOP, user="who", columns=["goods", "date"], points=[1], seed=3).unicity
        if len(each.columns) == 2
    )
    likeliest = one.most
    assert likeliest.by_chance
    low, high = likeliest.over_draws
    assert low < likeliest.rate < high < likeliest.bound
    rule = {"measure": "points.rate", "points": 1}
    (judged,) = asked(SHOP, {**rule, "at_most": likeliest.rate}, **said).rules
    assert (judged.answer.value, judged.passed) == (high, False)
    assert (
        f"it is the upper end of the 90 % interval, whose mean is {cell_text(likeliest.rate)}"
        in judged.reason
    )
    assert value(SHOP, "points.mean", said, points=1, at_most=1) == likeliest.rate
    assert value(SHOP, "points.rate", said, points=1, at_least=0) == low
    assert value(SHOP, "points.rate", said, points=1, equals=1) == likeliest.rate
    assert value(SHOP, "points.identified", said, points=1, at_most=9) == high * one.people
    # of all others too: most people unique, or narrowed down, and fewest candidates
    shares = {
        "unique": (one.unique, one.unique_over_draws),
        "narrowed": (one.narrowed[5], one.narrowed_over_draws[5]),
    }
    for part, (mean, (low, high)) in shares.items():
        also = {"narrow": 5} if part == "narrowed" else {}
        rule = {"points": 1, **also}
        assert low <= mean < high or mean == 1
        assert value(SHOP, f"points.{part}", said, **rule, at_most=1) == high
        assert value(SHOP, f"points.{part}", said, **rule, at_least=0) == low
        assert value(SHOP, f"points.{part}", said, **rule, equals=1) == mean
        assert value(SHOP, f"points.{part}.mean", said, **rule, at_most=1) == mean
    assert one.candidates is not None and one.candidates_over_draws is not None
    assert one.candidates_over_draws[0] < one.candidates
    (judged,) = asked(
        SHOP, {"measure": "points.candidates", "points": 1, "at_least": one.candidates}, **said
    ).rules
    assert (judged.answer.value, judged.passed) == (one.candidates_over_draws[0], False)
    assert value(SHOP, "points.candidates.mean", said, points=1, at_least=0) == one.candidates
    beside = {**BESIDE, "seed": 3}
    found = attack(SHOP, RELEASE, TRUTH, user="who", columns=["goods", "date"], attacks=[], seed=3)
    seen = found.by_name("points_1")
    assert seen is not None and seen.over_draws is not None
    rule = {"columns": ["goods", "date"], "at_most": 1}
    assert value(RELEASE, "attack.points_1.rate", beside, **rule) == seen.over_draws[1]


def test_a_share_that_was_drawn_once_has_an_interval_too() -> None:
    """Of one draw nobody knows how others differ."""
    half = {"half": {"columns": ["goods", "date"], "share": 0.5}}
    said = {**BESIDE, "attackers": half}
    mean = value(RELEASE, "points.mean", said, attacker="half")
    high = value(RELEASE, "points.rate", said, attacker="half", at_most=1)
    assert mean is not None and high is not None
    assert high == wilson(mean * 4, 4, 0.9)[1] > mean
    unique, fewest, candidates = (
        value(RELEASE, f"points.{part}", said, attacker="half", at_least=0)
        for part in ("unique.mean", "candidates", "candidates.mean")
    )
    assert unique is not None and candidates is not None
    assert value(RELEASE, "points.unique", said, attacker="half", at_most=1) == wilson(unique * 4, 4, 0.9)[1]
    assert fewest == 4 * wilson(candidates, 4, 0.9)[0] < candidates


def test_a_ceiling_is_known_where_columns_could_not_be_compared() -> None:
    """It depends on the release alone: who can compare its dates tells all apart by them."""
    for name in ("best", "dates", "points_2", "combined"):
        said: dict[str, Any] = {"columns": ["date", "goods"]} if name == "points_2" else {}
        assert TOLD in reason(BY_QUARTER, f"attack.{name}.rate", BESIDE, at_most=1, **said) or name == "dates"
        assert value(BY_QUARTER, f"attack.{name}.bound", BESIDE, at_most=1, **said) is not None
    (judged,) = asked(BY_QUARTER, {"measure": "attack.best.bound", "at_most": 0.5}, **BESIDE).rules
    assert (judged.answer.value, judged.passed) == (1.0, False)


def test_who_weighs_a_share_of_the_records_is_in_the_interval_too() -> None:
    """How often each has five things: no attack on whole people sees it as well as who weighs it."""
    often = [(person, (person * thing) % 7 + 1, thing) for person in range(12) for thing in range(5)]
    rows = [(f"p{person}", f"thing {thing}") for person, many, thing in often for _ in range(many)]
    table = pyarrow.table({"who": [who for who, _ in rows], "goods": [goods for _, goods in rows]})
    said = {"original": table, "user": "who", "item": "goods", "columns": ["goods"], "sensitive": "none"}
    rules = [
        {"measure": f"attack.best.{part}", "share": 0.5, "at_most": 0}
        for part in ("rate", "identified", "high")
    ]
    rate, identified, high = (each.answer for each in asked(table, *rules, **said).rules)
    assert {rate.of, identified.of, high.of} == {"known records"}
    assert rate.value is not None and high.value is not None and identified.value == rate.value * 12
    assert high.value > rate.value
    page = attack(table, table, user="who", item="goods", columns=["goods"], shares=[0.5])
    assert page.best is not None and page.best.rate < rate.value
    assert WEIGHED_SHARE in sentences(page)
    assert WEIGHED_SHARE not in sentences(attack(table, table, user="who", item="goods"))


def test_a_share_of_the_records() -> None:
    found = attack(SHOP, RELEASE, TRUTH, user="who", item="goods", attacks=["jaccard"], shares=[0.5])
    want = found.by_name("jaccard@50%")
    assert want is not None
    assert value(RELEASE, "attack.jaccard.rate", BESIDE, share=0.5, equals=1) == want.rate
    low, high = wilson(want.identified, want.people, 0.9)
    assert value(RELEASE, "attack.jaccard.rate", BESIDE, share=0.5, at_most=1) == high
    assert value(RELEASE, "attack.jaccard.rate", BESIDE, share=0.5, at_least=0) == low


def test_known_records_are_those_of_attack() -> None:
    columns = ["date", "goods", "price"]
    found = attack(
        SHOP, RELEASE, TRUTH, user="who", columns=columns, attacks=[], points=[1, 2], narrow=[3], worst=True
    )
    together = [each for each in found.unicity if len(each.columns) == len(columns)]
    parts = ("unique", "narrowed", "candidates", "rate", "identified")
    rules = [
        {
            "measure": f"points.{part}",
            "points": each.points,
            "worst": each.worst,
            "columns": columns,
            **({"narrow": 3} if part == "narrowed" else {}),
        }
        for each in together
        for part in parts
    ]
    wanted = [
        each.narrowed[3] if part == "narrowed" else getattr(each, part) for each in together for part in parts
    ]
    # who is named, and not how many fit: the likeliest, and at worst whoever random records tell too
    guessed = {part: index for index, part in enumerate(parts) if part in ("rate", "identified")}
    drawn = {each.points: each.most for each in together if not each.worst}
    for number, known in enumerate(together):
        for part, index in guessed.items():
            place = number * len(parts) + index
            wanted[place] = max(wanted[place], getattr(drawn[known.points], part))
    assert len(wanted) == 20
    # nothing is as many: so that no way is passed over for keeping the rule
    for each in rules:
        each |= {"equals": 99}
    assert [each.answer.value for each in asked(RELEASE, *rules, **BESIDE).rules] == wanted


def test_several_names_of_one_person_are_one_to_rules() -> None:
    """Each record is of a person who is there under two names, or is alone: all are found."""
    original = pyarrow.table({"who": ["a", "a", "b"], "goods": ["r1", "r2", "r3"]})
    release = original.set_column(0, "who", [["p1", "p2", "p3"]])
    said = {"original": original, "user": "who", "truth": {"p1": "a", "p2": "a", "p3": "b"}}
    for measure in ("points.mean", "points.unique.mean"):
        assert value(release, measure, said, points=1) == 1
    assert value(release, "attack.jaccard.rate", {**said, "item": "goods"}) == 1


def test_without_an_original_known_records_are_unicity() -> None:
    said = {"user": "who", "columns": ["goods", "price"]}
    assert value(SHOP, "points.unique", said, points=1) == value(
        RELEASE, "points.unique", {**BESIDE, **said}, points=1
    )
    found = asked(SHOP, {"measure": "points.unique", "points": 1}, **said)
    assert not any("the release is the original itself" in each for each in found.remarks)


def test_utility_is_that_of_compare() -> None:
    coarse = RELEASE.set_column(5, "age", pyarrow.array(["30-39"] * 5 + ["40-49"] * 3))
    levels = {"age": [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]}
    parts: dict[str, Any] = {"item": "goods", "time": "date", "amount": "price"}
    found = compare(SHOP, coarse, truth=TRUTH, user="who", **parts, hierarchies=levels, privacy=False)
    said = {**BESIDE, "amount": "price", "hierarchies": levels}
    outcome = found.outcomes[0]
    rules = [{"measure": each.name} for each in outcome.utility]
    judged = asked(coarse, *rules, **said).rules
    assert [each.answer.value for each in judged] == [each.value for each in outcome.utility]
    assert "loss" in {each["measure"] for each in rules}
    whole = [each.value for each in outcome.utility if each.measure.name == "total_variation"]
    (worst,) = asked(coarse, {"measure": "total_variation.*", "at_most": 0}, **said).rules
    assert worst.answer.value == max(each for each in whole if each is not None)
    assert worst.answer.of == "age"


def test_every_path_has_an_answer() -> None:
    """All of them at once, on a table with everything that they need: a number in its range, or why not."""
    names = {
        "attack": "best",
        "prediction": "tree",
        "domain": "goods",
        "attribute": "goods",
        "record": "goods",
    }
    own: dict[str, dict[str, Any]] = {
        "sensitive": {"sensitive": "goods"}, "inference": {"sensitive": "goods"}, "points": {"points": 2},
    }  # fmt: skip
    rules = [
        {"measure": path.words.replace("NAME", names.get(path.family, "price")), **own.get(path.family, {})}
        for path in measure_paths()
        if path.family != "weighted"  # no number of this table is the same in all records of a person
    ]
    said = {
        **BESIDE, "amount": "price", "domains": DOMAINS, "hierarchies": {"age": [{"type": "raw"}]},
        "sampled": 0.5, "reference": RELEASE,
    }  # fmt: skip
    found = asked(RELEASE, *rules, **said)
    lacking = [each for each in found.rules if each.answer.value is None]
    told = (
        "no column was named",
        "several domains",
        "4 people are too few",
        "this data does not tell",
        "no hierarchy of this column",
        "no c holds",
        "no δ holds",
        "no β holds",
        "no numbers or dates",
    )
    assert all(any(words in each.reason for words in told) for each in lacking), lacking
    of_sensitive = {each.rule.measure for each in lacking if each.rule.measure.startswith("sensitive.")}
    assert of_sensitive == {
        f"sensitive.{part}"
        for part in ("recursive_c", "t_ordered", "t_hierarchical", "beta_enhanced", "delta")
    }
    assert len(lacking) == 16 + 4 + len(of_sensitive)
    for each in found.rules:
        if each.answer.value is not None:
            assert each.measure.lowest <= each.answer.value
            assert each.measure.highest is None or each.answer.value <= each.measure.highest
    json.dumps(found.evidence(), allow_nan=False)


def test_one_question_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def counted(*about: Any, **named: Any) -> Any:
        made.append(named["attacks"])
        return attack(*about, **named)

    monkeypatch.setattr("singleout.policy.answers.release_answers.attack", counted)
    rules = [
        {"measure": f"attack.{name}.{part}"} for name in ("jaccard", "tfidf") for part in ("rate", "high")
    ]
    asked(RELEASE, *rules, {"measure": "k"}, **BESIDE)
    assert [sorted({*each}) for each in made] == [["jaccard", "tfidf"]]
    asked(RELEASE, {"measure": "k"}, **BESIDE)
    assert len(made) == 1


def test_a_release_with_other_names_and_fewer_columns() -> None:
    release = RELEASE.rename_columns(["card", "day", "time", "article", "price", "age"]).drop_columns(
        ["time"]
    )
    study = singleout.Study(STUDY.roles, renamed={"goods": "article", "date": "day"})
    said = {"original": SHOP, "truth": TRUTH, "study": study, "release_user": "card"}
    found = asked(
        release,
        {"measure": "people.k", "columns": ["article"]},
        {"measure": "attack.jaccard.rate"},
        {"measure": "points.unique", "attacker": "insider"},
        {"measure": "k", "attacker": "neighbour"},
        {"measure": "total_variation.goods"},
        **said,
    )
    assert found.user == "card"
    assert {each.column: each.role for each in found.attackers[0].columns}["article"] == "item"
    assert found.rules[1].answer.value == value(RELEASE, "attack.jaccard.rate", BESIDE)
    assert found.rules[4].answer.value == 0


def test_a_release_without_its_user() -> None:
    found = asked(
        RELEASE.drop_columns(["who"]), {"measure": "k"}, {"measure": "people.k"}, original=SHOP, user="who"
    )
    assert [each.answer.value for each in found.rules] == [None, None]
    assert "does not say whose each is" in found.rules[0].reason
    assert not found.passed
    single = SHOP.slice(0, 1)
    alone = asked(single.drop_columns(["who"]), {"measure": "k"}, original=single, user="who")
    assert alone.rules[0].answer.value == 1


def test_jobs_tell_which_rule_they_could_not_answer() -> None:
    said = {name: each for name, each in BESIDE.items() if name != "item"}
    told = fault(RELEASE, {"measure": "k"}, {"measure": "attack.jaccard.rate", "name": "sets"}, **said)
    assert told.startswith("policy: rule 2 (sets): the attack 'jaccard' needs a column; name it by --item")
    told = fault(RELEASE, {"measure": "domain.gods.information"}, user="who", domains=DOMAINS)
    assert "there is no domain 'gods'; did you mean 'goods'" in told
    told = fault(RELEASE, {"measure": "domain.goods+price+age+x.information"}, user="who", domains=DOMAINS)
    assert "there is no domain 'x'" in told
    assert "more than three domains" in told


def test_nobody_is_named_and_nothing_shown() -> None:
    rules = [{"measure": "k", "attacker": name} for name in ("neighbour", "insider")]
    found = asked(
        RELEASE, *rules, {"measure": "attack.best.rate"}, {"measure": "points.unique", "points": 1}, **BESIDE
    )
    text = json.dumps(found.evidence()) + repr(found) + found._repr_html_()
    assert not any(f'"{secret}"' in text for secret in ("ann", "tea", "2011-01-30", "08:30", "p"))


def test_digests_are_none_for_what_is_no_file() -> None:
    found = asked(RELEASE, {"measure": "k"}, **BESIDE, study=STUDY)
    told = {each.what: (each.sha256, each.reason) for each in found.inputs}
    assert told == dict.fromkeys(told, (None, "it was given in memory, not as a file"))
    assert {*told} == {"data", "policy", "original", "study", "truth"}


def test_the_same_seed_gives_the_same_on_any_threads() -> None:
    rules = [
        {"measure": "points.unique", "points": 1, "draws": 3},
        {"measure": "attack.jaccard.rate", "share": 0.5},
    ]
    told = [asked(RELEASE, *rules, **BESIDE, seed=7, threads=threads).to_dict() for threads in (1, 2, 1)]
    assert told[0] == told[1] == told[2]


def test_files_of_a_policy_are_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "policies"
    place.mkdir()
    pyarrow.parquet.write_table(SHOP, place / "shop.parquet")
    (place / "who.csv").write_text(
        "release_user,original_user\n" + "".join(f"{new},{old}\n" for new, old in TRUTH.items())
    )
    (place / "study.toml").write_text('[columns]\nwho = "user"\ngoods = "item"\n')
    (place / "p.toml").write_text(
        '[data]\noriginal = "shop.parquet"\ntruth = "who.csv"\nstudy = "study.toml"\n'
        '[[rule]]\nmeasure = "attack.jaccard.rate"\nat_most = 1\n'
    )
    monkeypatch.chdir(tmp_path)
    found = check(RELEASE, "policies/p.toml")
    assert found.rules[0].answer.value == value(RELEASE, "attack.jaccard.rate", BESIDE)
    assert {each.what: each.files for each in found.inputs} == {
        "data": 0, "policy": 1, "original": 1, "study": 1, "truth": 1,
    }  # fmt: skip


def test_no_question_beyond_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule about classes runs no job of another kind."""
    refuse: Callable[..., Any] = lambda *_, **__: pytest.fail("nobody asked for this")  # noqa: E731
    for place in ("release_answers.attack", "release_answers.compare", "unicity_answers.pair_tables"):
        monkeypatch.setattr(f"singleout.policy.answers.{place}", refuse)
    for place in ("job_answers.entropy", "job_answers.predict", "attacker_columns.suggest"):
        monkeypatch.setattr(f"singleout.policy.answers.{place}", refuse)
    assert asked(RELEASE, {"measure": "people.k"}, **BESIDE).passed


def with_dates(texts: list[str]) -> pyarrow.Table:
    return RELEASE.set_column(1, "date", pyarrow.array(texts))


DATES = RELEASE["date"].to_pylist()
BY_MONTH = with_dates([date[:7] for date in DATES])
BY_QUARTER = with_dates([f"Q1 of {date[:4]}" for date in DATES])
TOLD = "the values of date could not all be compared with the original's"


@pytest.mark.parametrize("part", ["unique", "narrowed", "candidates", "rate", "identified"])
def test_a_month_is_compared_with_a_month(part: str) -> None:
    """A release that was cut is attacked like one whose original was cut too."""
    months = SHOP.set_column(1, "date", pyarrow.array([date[:7] for date in DATES]))
    rule = {"measure": f"points.{part}", "points": 2, "columns": ["date", "age"]}
    cut, both = (asked(BY_MONTH, rule, **{**BESIDE, "original": each}).rules[0] for each in (SHOP, months))
    assert cut.answer.value == both.answer.value
    assert cut.answer.value != 0
    rate = {"measure": "attack.points_2.rate", "columns": ["date", "age"]}
    cut, both = (asked(BY_MONTH, rate, **{**BESIDE, "original": each}).rules[0] for each in (SHOP, months))
    assert cut.answer.value == both.answer.value


def test_a_column_that_could_not_be_compared_makes_the_answer_unknown() -> None:
    """Who could not look must not say that nothing is there; without the column the rule is answered."""
    rule = {"measure": "points.unique", "points": 2, "at_most": 1}
    (judged,) = asked(BY_QUARTER, {**rule, "columns": ["date", "goods"]}, **BESIDE).rules
    assert judged.answer.value is None and not judged.passed
    assert TOLD in judged.reason
    (judged,) = asked(BY_QUARTER, {**rule, "columns": ["goods"]}, **BESIDE).rules
    assert judged.answer.value == value(
        RELEASE, "points.unique", BESIDE, points=2, columns=["goods"], at_most=1
    )
    neighbour = {"measure": "points.unique", "attacker": "neighbour", "at_most": 1}
    (judged,) = asked(BY_QUARTER, neighbour, **BESIDE, study=STUDY).rules
    assert not judged.passed
    assert TOLD in judged.reason


@pytest.mark.parametrize("part", ["unique", "narrowed", "candidates", "rate", "identified", "rate_high"])
def test_where_nothing_agrees_the_answer_is_unknown(part: str) -> None:
    said = {"points": 2, "columns": ["date"]}
    assert TOLD in reason(BY_QUARTER, f"points.{part}", BESIDE, at_most=1, **said)
    later = with_dates([f"20{31 + place}-01-01" for place in range(8)])
    coarse = {"me": {"columns": ["date"], "granularity": {"date": "day"}, "points": 2}}
    told = reason(later, f"points.{part}", {**BESIDE, "attackers": coarse}, attacker="me")
    assert TOLD in told


def test_attacks_that_can_only_guess_are_unknown() -> None:
    told = reason(BY_QUARTER, "attack.dates.rate", BESIDE, at_most=1)
    assert "the attack 'dates' can only guess" in told
    told = reason(BY_QUARTER, "attack.points_2.rate", BESIDE, at_most=1, columns=["date", "goods"])
    assert TOLD in told
    assert TOLD in reason(BY_QUARTER, "attack.best.rate", BESIDE, at_most=1)


def test_values_that_were_changed_at_random_are_unknown() -> None:
    """Prices that were changed hide people from whoever takes them for true, and from nobody else."""
    random = RELEASE.set_column(4, "price", pyarrow.array([1.5, 1.5, 9.0, 7.0, 2.0, 2.0, 1.5, 7.0]))
    columns = ["goods", "price"]
    told = reason(random, "points.rate", BESIDE, points=2, columns=columns)
    assert "the values of price could not all be compared" in told
    found = attack(SHOP, random, TRUTH, user="who", columns=columns, attacks=[], points=[2])
    rates = {tuple(one.name for one in each.columns): each.most.rate for each in found.unicity}
    assert max(rates, key=lambda each: rates[each]) == ("goods",)
    (judged,) = asked(random, {"measure": "points.rate", "points": 2, "columns": ["goods"]}, **BESIDE).rules
    assert judged.answer.value == rates["goods",]


@pytest.mark.parametrize("part", ["unique", "narrowed", "candidates", "rate", "identified", "rate_high"])
def test_known_records_that_lack_everything_are_unknown(part: str) -> None:
    empty = SHOP.set_column(3, "goods", pyarrow.array([None] * 8, pyarrow.string()))
    rule = {"points": 2, "columns": ["goods"], "missing": "drop"}
    told = reason(empty, f"points.{part}", {"user": "who"}, **rule)
    assert "no record has a value in all of these columns" in told
    beside = {**BESIDE, "original": empty}
    release = empty.set_column(0, "who", RELEASE["who"])
    reason(release, f"points.{part}", beside, **rule)
    reason(release, "attack.points_2.rate", beside, columns=["goods"], missing="drop")
    reason(release, "attack.jaccard.rate", beside, missing="drop")


def test_upper_ends() -> None:
    said = {"points": 1, "columns": ["goods"]}
    found = attack(SHOP, RELEASE, TRUTH, user="who", columns=["goods"], attacks=[], points=[1])
    one = found.by_name("points_1")
    assert one is not None
    assert value(RELEASE, "points.rate_high", BESIDE, **said) == one.interval[1]
    assert value(RELEASE, "attack.points_1.high", BESIDE, columns=["goods"]) == one.interval[1]


def test_estimates_are_called_so() -> None:
    rules: list[dict[str, Any]] = [
        {"measure": "points.unique", "points": 1},
        {"measure": "points.unique", "points": 1, "draws": 3},
        {"measure": "points.unique", "points": 1, "worst": True},
        {"measure": "points.unique", "points": 9},
        {"measure": "points.unique", "attacker": "insider"},
        {"measure": "points.unique", "attacker": "maximum_knowledge"},
        {"measure": "attack.jaccard.rate", "share": 0.5},
        {"measure": "attack.jaccard.rate"},
        {"measure": "attack.points_2.rate"},
        {"measure": "attack.worst_points_2.rate"},
        {"measure": "attribute.goods.sampling.high"},
        {"measure": "domain.goods.chance_information"},
        {"measure": "counts.median_error"},
        {"measure": "prediction.random.orr"},
        {"measure": "k"},
    ]
    found = asked(RELEASE, *rules, **BESIDE, study=STUDY, domains=DOMAINS, seed=5)
    told = [each.to_dict() for each in found.rules]
    assert [each["estimated"] for each in told] == [
        "10 draws, seed 5", "3 draws, seed 5", None, None, "1 draw of 50% of the records, seed 5", None,
        "1 draw of 50% of the records, seed 5", None, "10 draws, seed 5", None,
        "a sample of 3 values, seed 5", told[11]["estimated"], "1,000 random queries, seed 5",
        told[13]["estimated"], None,
    ]  # fmt: skip
    assert told[11]["estimated"].endswith("permutations, seed 5")
    assert told[13]["estimated"].endswith("random tables, seed 5")
    for each in told:
        assert (each["estimated"] is None) == ("estimated from" not in each["reason"])
    assert [each["parameters"] for each in told[:9]] == [
        {"points": 1, "draws": 10}, {"points": 1, "draws": 3}, {"points": 1, "worst": True},
        {"points": 9, "draws": 10}, {"share": 0.5}, {"share": 1.0}, {"share": 0.5}, {"share": 1.0},
        {"points": 2, "draws": 10},
    ]  # fmt: skip


def test_what_the_best_attack_lacks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    (whole,) = asked(RELEASE, {"measure": "attack.best.rate"}, **BESIDE).rules
    assert "would take long" not in whole.reason
    for name in ("MOST_PAIRS", "LEAST_ASKED", "MOST_ASKED"):
        monkeypatch.setattr(f"singleout.attacks.attack_run.{name}", 1)
    rules = [{"measure": f"attack.{name}.rate"} for name in ("best", "combined", "jaccard", "nearest")]
    found = asked(RELEASE, *rules, **BESIDE)
    told = ["the attack 'nearest' would take long" in each.to_dict()["reason"] for each in found.rules]
    assert told == [True, True, False, False]
    assert all(each.passed for each in found.rules)


def test_a_table_alone_is_not_told_of_an_original() -> None:
    found = asked(SHOP, {"measure": "points.unique", "points": 2}, user="who")
    assert not any("truth map" in each or "original" in each for each in found.remarks)


def test_people_whom_missing_values_hide_are_not_passed_over() -> None:
    """Everybody lacks another value: dropped, nobody is left; as values they tell everybody apart."""
    names = [f"q{index}" for index in range(6)]
    rows = {name: [None if index == who else "x" for who in range(6)] for index, name in enumerate(names)}
    table = pyarrow.table({"who": [f"c{who}" for who in range(6)], **rows})
    rule = {"measure": "attack.best.rate", "at_most": 0.5}
    said: dict[str, Any] = {"original": table, "user": "who"}
    (as_values,) = check(table, {"rule": [rule]}, **said).rules
    assert (as_values.passed, as_values.answer.value) == (False, 1.0)
    (dropped,) = check(table, {"rule": [{**rule, "missing": "drop"}]}, **said).rules
    assert not dropped.passed
    some = pyarrow.table({"who": ["a", "b", "c"], "goods": ["x", "x", None], "price": ["1", "1", "2"]})
    few = {"measure": "points.mean", "points": 1, "at_most": 0.5, "missing": "drop"}
    (known,) = check(some, {"rule": [few]}, original=some, user="who").rules
    assert not known.passed and "no record is left of 1 people" in known.reason


@pytest.mark.parametrize("told", [False, True], ids=("nobody told", "recipe"))
@pytest.mark.parametrize("measure", ["attack.points_2.rate", "attack.points_2.identified", "points.rate"])
def test_known_records_of_a_sample_pass_by_the_ceiling_only(measure: str, told: bool) -> None:
    """Counting who fits is not the best that can be done where records are left out by chance."""
    table = pyarrow.table(
        {"who": [f"p{row % 12}" for row in range(120)], "goods": [f"g{row * row % 17}" for row in range(120)]}
    )
    recipe = {"user": "who", "step": [{"step": "sample", "what": "records", "share": 0.5}]}
    release = singleout.apply(table, recipe).release
    people = 12 if measure.endswith("identified") else 1

    def verdict(limit: float) -> tuple[bool, Any]:
        rule = {"measure": measure, "at_most": limit * people} | ({} if "_2" in measure else {"points": 2})
        found = check(release, {"rule": [rule]}, original=table, user="who", recipe=recipe if told else None)
        one = found.to_dict()["rules"][0]
        return one["passed"], one["value"]

    assert verdict(0.99) == (False, None)
    assert verdict(1.0) == (True, people)
    passed, value_found = verdict(0.01)
    assert (passed, value_found > 0.01 * people) == (False, True)


# of forty ages two decades are released, so that about ninety of each sex and decade look alike
AGES = [f"{20 + record * 7 % 40}" for record in range(360)]
SEXES = ["fm"[record * 7 // 40 % 2] for record in range(360)]
UNNAMED = pyarrow.table({"age": AGES, "sex": SEXES})
COARSE = pyarrow.table({"age": [f"{each[0]}0s" for each in AGES], "sex": SEXES})
SORTED = COARSE.sort_by([("age", "ascending"), ("sex", "ascending")])
LINKED = {"rule": [{"measure": "attack.best.rate", "at_most": 0.1}]}


def unnamed(release: pyarrow.Table, original: pyarrow.Table = UNNAMED, **said: Any) -> singleout.Verdict:
    return check(release, LINKED, original=original, user="none", sensitive=["none"], **said)


def test_nobody_without_a_name_is_recognised_more_often_than_by_look_alikes() -> None:
    verdict = unnamed(SORTED)
    groups = len(set(zip(*COARSE.to_pydict().values(), strict=True)))
    assert verdict.passed
    assert verdict.rules[0].answer.value == groups / 360
    assert "no attack was made" in str(verdict.rules[0].answer.reason)


def test_look_alikes_hide_nobody_whose_place_may_tell() -> None:
    """In the original's order, with records left out, and in an order that nobody knows."""
    shuffled = COARSE.take([record * 7 % 360 for record in range(360)])
    fewer = COARSE.filter(pyarrow.array([record % 10 > 0 for record in range(360)]))
    for release in (COARSE, fewer, shuffled):
        verdict = unnamed(release)
        assert not verdict.passed
        assert any("who is who" in each for each in verdict.decision.reasons)
    extra = SORTED.append_column("mark", pyarrow.array([f"{record % 2}" for record in range(360)]))
    assert not unnamed(extra).passed


def test_look_alikes_are_no_answer_where_they_are_too_few_or_may_be_one_person() -> None:
    few = unnamed(UNNAMED.sort_by([("age", "ascending"), ("sex", "ascending")])).rules[0].answer
    assert few.value is None
    assert "may reach 0.2222" in str(few.reason)
    history = UNNAMED.append_column("customer", pyarrow.array([f"c{record // 90}" for record in range(360)]))
    said = unnamed(SORTED, history).rules[0].answer
    assert said.value is None
    assert "column 'customer' of the original seems to name people" in str(said.reason)


@pytest.mark.parametrize("user", [None, "none"])
def test_look_alikes_of_one_person_hide_nobody_whose_names_were_left_out(user: str | None) -> None:
    """Everybody has six records that are alike, and nobody those of another: the original says so."""
    town = pyarrow.array([f"t{record // 6}" for record in range(60)])
    original = pyarrow.table({"customer": [f"c{record // 6}" for record in range(60)], "town": town})
    release = pyarrow.table({"town": town})
    said: dict[str, Any] = {"user": user, "sensitive": "none"}
    (rule,) = check(release, {"rule": [{"measure": "k", "at_least": 3}]}, original=original, **said).rules
    assert not rule.passed and rule.answer.value is None
    assert "column 'customer' of the original seems to name people" in str(rule.answer.reason)
    # who gives no original is believed
    assert check(release, {"rule": [{"measure": "k", "at_least": 3}]}, **said).rules[0].passed


def test_sensitive_columns_that_a_release_lacks_are_no_columns_that_nobody_named() -> None:
    whole = pyarrow.table({"town": ["x", "x", "y", "y"], "illness": ["flu", "cold", "flu", "cold"]})
    rules = [
        {"measure": "k", "at_least": 2},
        {"measure": "sensitive.distinct_l", "sensitive": "*", "at_least": 2, "when": "sensitive"},
    ]
    said: dict[str, Any] = {"original": whole, "user": "none", "sensitive": ["illness"]}
    found = check(whole.select(["town"]), {"rule": rules}, **said)
    assert found.passed
    (ends,) = [each for each in found.decision.findings if each.question == "inference"]
    assert ends.not_tried == (
        "the release lacks illness, so nobody asked whether it can be learned of people from the rest",
    )
    assert "no column but illness, which the release lacks, holds what must not be learned about people" in (
        " ".join(found.decision.conditions)
    )
    there = check(whole, {"rule": rules}, **said)
    assert there.passed and not any("which the release lacks" in each for each in there.decision.conditions)
