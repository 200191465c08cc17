"""Releases that tell who is who by what is no value, and rules that look past it: none of them passes."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from singleout import apply, attack, check, report_on
from singleout.errors import InputError

PEOPLE, GROUPS = 24, 4
OLD = [f"n{number:02}" for number in range(PEOPLE)]
NEW = [f"p{number}" for number in random.Random(9).sample(range(100, 999), PEOPLE)]
TRUTH = dict(zip(NEW, OLD, strict=True))
ORDERS = [*permutations(range(4))]
NAMES = ("who", "goods", "number")
Records = Sequence[tuple[str | None, ...]]
RENAMED = {"step": [{"step": "pseudonymise"}]}


def table(names: Sequence[str], records: Callable[[int], Records]) -> pyarrow.Table:
    """In an order that says nothing."""
    rows = [(name, *record) for person, name in enumerate(names) for record in records(person)]
    random.Random(names[0]).shuffle(rows)
    columns = NAMES if len(rows[0]) == 3 else (*NAMES, "note")
    return pyarrow.table(
        {
            name: pyarrow.array([row[index] for row in rows], pyarrow.string())
            for index, name in enumerate(columns)
        }
    )


def group(person: int) -> int:
    return person % GROUPS


def six_alike(person: int) -> Records:
    """Four groups of six people who have the same records; the number of some is missing."""
    own = group(person)
    missing: Records = [(f"g{own}{index}", None) for index in range(5)]
    return [*missing, (f"h{own}", str(own)), (f"h{own}", str(own)), ("z", str(own + 1))]


def repeats_replaced(person: int) -> Records:
    *others, _, last = six_alike(person)
    return [*others, (f"h{person}x", f"{group(person)}"), last]


def blanks_filled_in(person: int) -> Records:
    first, *others = six_alike(person)
    return [(first[0], str(100 + person)), *others]


def blanks_in_two_ways(person: int) -> Records:
    bits = [None if person >> index & 1 else "*" for index in range(5)]
    records = six_alike(person)
    return [*zip((goods for goods, _ in records[:5]), bits, strict=True), *records[5:]]


DISGUISES = {each.__name__: each for each in (repeats_replaced, blanks_filled_in, blanks_in_two_ways)}


def judged(release: pyarrow.Table, at_most: float = 0.5, original: Any = None, **said: Any) -> Any:
    """By a rule on the best attack; everybody is found by the telling releases."""
    rule = {"measure": "attack.best.rate", "at_most": at_most, **said.pop("rule", {})}
    old = table(OLD, six_alike) if original is None else original
    return check(release, {"rule": [rule]}, original=old, truth=said.pop("truth", TRUTH), user="who", **said)


def bound(release: pyarrow.Table, original: pyarrow.Table) -> float:
    best = attack(original, release, TRUTH, user="who", points=()).best
    assert best is not None and best.bound is not None
    return best.bound


@pytest.mark.parametrize("recipe", [None, RENAMED], ids=["blind", "informed"])
def test_a_release_that_hides_nothing_passes_by_its_groups(recipe: Any) -> None:
    verdict = judged(table(NEW, six_alike), recipe=recipe)
    assert verdict.passed
    assert verdict.rules[0].answer.value == pytest.approx(GROUPS / PEOPLE)


@pytest.mark.parametrize("recipe", [None, RENAMED], ids=["blind", "informed"])
@pytest.mark.parametrize("name", DISGUISES)
def test_what_stands_where_a_repeated_or_missing_value_was_is_no_detail(name: str, recipe: Any) -> None:
    """All that people have is there; what is there besides tells everybody apart."""
    release = table(NEW, DISGUISES[name])
    assert bound(release, table(OLD, six_alike)) == 1
    try:
        assert not judged(release, recipe=recipe).passed
    except InputError as error:
        assert recipe is not None and "can't come from this recipe" in str(error)


def test_how_many_values_of_the_only_column_are_blank_may_tell() -> None:
    def alike(person: int) -> Records:
        return [(f"g{group(person)}", "1")] * 7

    def counted(person: int) -> Records:
        blank = person // GROUPS
        return [*[("*", "*")] * blank, *alike(person)[blank:]]

    original, release = table(OLD, alike), table(NEW, counted)
    assert bound(release, original) == 1
    verdict = judged(release, original=original)
    assert not verdict.passed and "lack records" in verdict.rules[0].reason


def test_values_mixed_among_records_that_lack_another_are_not_their_own() -> None:
    def apart(_person: int) -> Records:
        return [*[(f"g{index}", str(index), None) for index in range(4)], ("z", "9", "x")]

    def mixed(person: int) -> Records:
        return [*[(f"g{index}", str(ORDERS[person][index]), None) for index in range(4)], ("z", "9", "x")]

    original, release = table(OLD, apart), table(NEW, mixed)
    assert bound(release, original) == 1
    assert not judged(release, original=original).passed


def test_a_column_left_out_in_two_ways_is_not_left_out() -> None:
    def numbered(person: int) -> Records:
        return [(f"g{group(person)}{index}", str(index)) for index in range(5)]

    def left_out(person: int) -> Records:
        return [
            (goods, None if person >> index & 1 else "*") for index, (goods, _) in enumerate(numbered(person))
        ]

    original, release = table(OLD, numbered), table(NEW, left_out)
    assert bound(release, original) == 1
    assert not judged(release, original=original).passed
    honest = table(NEW, lambda person: [(goods, "*") for goods, _ in numbered(person)])
    assert judged(honest, original=original).passed


def test_records_sorted_by_the_names_that_people_had_are_stopped() -> None:
    rows = sorted(table(NEW, six_alike).to_pylist(), key=lambda row: TRUTH[row["who"]])
    verdict = judged(pyarrow.Table.from_pylist(rows))
    assert not verdict.passed
    assert [each.topic for each in verdict.observations] == ["order of the records"]


def test_people_left_out_by_nothing_that_the_recipe_says_are_unknown() -> None:
    """Who knows which eight are there finds one of each two alike; a few known records tell less."""

    def counted(person: int) -> Records:
        return [("a", "1")] * (4 + group(person)) + [("b", "1")] * (9 - group(person))

    some, old = NEW[:8], table(OLD, counted)
    release = table(some, counted)
    said: dict[str, Any] = {
        "original": old, "truth": {name: TRUTH[name] for name in some}, "without_records": True
    }  # fmt: skip
    for recipe in (None, RENAMED):
        verdict = judged(release, 0.49, recipe=recipe, **said)
        assert "looks for the others among fewer" in verdict.rules[0].reason
        assert judged(release, recipe=recipe, **said).rules[0].answer.value == pytest.approx(0.5)
    sampled = {"step": [{"step": "sample", "number": 8}, *RENAMED["step"]]}
    drawn = judged(release, 0.49, recipe=sampled, **said)
    assert drawn.passed
    # these are the first eight: no program sees that they were not drawn
    assert any("that it was not chosen was not seen" in each for each in drawn.conditions)
    # a draw that leaves others in number did not choose these
    for draw, left in (({"share": 0.9}, "22 people"), ({"what": "records", "share": 0.5}, "156 records")):
        other = {"step": [{"step": "sample", **draw}, *RENAMED["step"]]}
        with pytest.raises(InputError, match=f"can't come from this recipe: it leaves {left}"):
            judged(release, 0.49, recipe=other, **said)


def test_rules_that_look_at_columns_apart_do_not_pass_what_is_told_together() -> None:
    def unique(person: int) -> Records:
        return [(f"g{person % 6}", str(person // 6))]

    old, release = table(OLD, unique), table(NEW, unique)
    said: dict[str, Any] = {"original": old, "truth": TRUTH, "user": "who"}
    goods, number = ({"measure": "attack.best.rate", "at_most": 0.5, "columns": [name]} for name in NAMES[1:])
    apart = check(release, {"rule": [goods, number]}, **said)
    assert [each.passed for each in apart.rules] == [True, True] and not apart.passed
    assert "no rule looked at goods and number all together" in apart.observations[0].words
    alone = {"measure": "attribute.*.risk", "at_most": 0.5}
    assert not check(release, {"rule": [alone]}, **said).passed
    both = {"measure": "attack.best.rate", "at_most": 1.0, "columns": ["goods", "number"]}
    assert check(release, {"rule": [goods, number, both]}, **said).passed


@pytest.mark.parametrize("name", ["records", "records_one_to_one", "jaccard"])
def test_an_attack_by_name_looked_at_its_own_columns_alone(name: str) -> None:
    """All have one record, and six the same goods: who also knows the number recognises everybody."""

    def unique(person: int) -> Records:
        return [(f"g{person % 6}", str(person // 6))]

    rule = {"measure": f"attack.{name}.rate"}
    said: dict[str, Any] = {"original": table(OLD, unique), "item": "goods", "sensitive": "none"}
    verdict = judged(table(NEW, unique), rule=rule, **said)
    assert verdict.rules[0].passed and not verdict.passed
    assert "no rule looked at" in verdict.observations[0].words and "number" in verdict.observations[0].words
    assert any("nobody makes another attack than" in each for each in verdict.conditions)
    both = check(
        table(NEW, unique), {"rule": [{**rule, "at_most": 1}, {"measure": "attack.best.rate", "at_most": 1}]},
        truth=TRUTH, user="who", **said,
    )  # fmt: skip
    assert both.passed and not any("another attack" in each for each in both.conditions)


def test_a_table_of_people_beside_the_release_is_no_part_of_what_was_judged() -> None:
    people = pyarrow.table({"who": NEW, "sex": [str(number) for number in range(PEOPLE)]})
    first = people.set_column(0, "who", pyarrow.array(OLD))
    verdict = judged(table(NEW, six_alike), people_table=first, release_people_table=people, groups=["sex"])
    assert any("the table of people beside it" in each for each in verdict.conditions)


def test_known_records_that_fit_nobody_leave_a_guess() -> None:
    """All values are left out: one of the people is found by chance, and no rule may say that it is fewer."""
    release = table(NEW, lambda person: [("*", "*")] * len(six_alike(person)))
    for at_most, passed in ((0.9 / PEOPLE, False), (1.1 / PEOPLE, True)):
        rule = {"measure": "points.rate", "points": 4}
        verdict = judged(release, at_most, rule=rule)
        assert verdict.rules[0].answer.value == pytest.approx(1 / PEOPLE)
        assert verdict.passed is passed


def of_names(new: Sequence[str], **said: Any) -> Any:
    """Everybody is as hidden as in the other releases; only the names are others."""
    release = table(NEW, six_alike)
    called = dict(zip(NEW, new, strict=True))
    people = pyarrow.array([called[name] for name in release["who"].to_pylist()])
    truth = dict(zip(new, OLD, strict=True))
    return judged(release.set_column(0, "who", people), truth=truth, sensitive="none", **said)


def test_names_made_in_a_way_that_was_not_seen_are_a_condition_everywhere() -> None:
    """A truth map says who is who, and not by which secret: whoever has the salt has everybody."""
    salted = [hashlib.sha256(f"9tQz/4{old}".encode()).hexdigest()[:12] for old in OLD]
    verdict = of_names(salted)
    condition, _ = verdict.conditions
    assert "names in who were drawn at random" in condition and "was not seen" in condition
    assert verdict.decision.answer == "conditions"
    assert condition in verdict.evidence()["conditions"]
    assert condition in json.loads(json.dumps(verdict.to_dict()))["verdict"]["conditions"]
    assert "how they were made was not seen" in " ".join(report_on(verdict).to_html().split())
    # a recipe does not make them random: they do not have the form of our own
    assert of_names(salted, recipe=RENAMED).conditions[0] == condition


def test_an_order_that_values_do_not_explain_is_a_condition() -> None:
    """The places of a person's five records tell who it is; nobody can see that they were not drawn."""
    codes = random.Random(2).sample([*permutations(range(5))], PEOPLE)

    def five(person: int) -> Records:
        return [(f"g{group(person)}{index}", "1") for index in codes[person]]

    places = [person for person in range(PEOPLE) for _ in range(5)]
    random.Random(3).shuffle(places)
    lines = [iter(five(person)) for person in range(PEOPLE)]
    rows = [dict(zip(NAMES, (NEW[person], *next(lines[person])), strict=True)) for person in places]
    told = pyarrow.Table.from_pylist(rows)
    in_order = told.sort_by([(name, "ascending") for name in NAMES])
    for release, ordered in ((told, False), (in_order, True)):
        verdict = judged(release, original=table(OLD, five), sensitive="none")
        assert verdict.passed and verdict.decision.answer == "conditions"
        assert any("another order may tell who is who" in each for each in verdict.conditions) is not ordered


@pytest.mark.parametrize("measure", ["attack.best.rate", "points.rate", "attack.points_4.rate"])
def test_how_records_are_divided_among_several_names_may_tell_who_it_is(measure: str) -> None:
    """Under two names each, and which records stand under the first tells the person of six alike."""

    def halves(person: int) -> Iterator[tuple[str, str, str]]:
        for index in range(5):
            yield f"{NEW[person]}{'ab'[person >> index & 1]}", f"g{group(person)}{index}", "1"

    def plain(person: int) -> Records:
        return [(goods, number) for _, goods, number in halves(person)]

    rows = sorted(row for person in range(PEOPLE) for row in halves(person))
    release = pyarrow.Table.from_pylist([dict(zip(NAMES, row, strict=True)) for row in rows])
    truth = {name: old for new, old in TRUTH.items() for name in (f"{new}a", f"{new}b")}
    truth = {name: old for name, old in truth.items() if name in {row[0] for row in rows}}
    original, points = table(OLD, plain), {"points": 4} if measure == "points.rate" else {}
    looks = {tuple(sorted(row[1] for row in halves(person) if row[0][-1] == "a")) for person in range(PEOPLE)}
    by_hand = len(looks - {()}) / PEOPLE
    assert by_hand > 0.9
    for recipe in (None, RENAMED):
        said: dict[str, Any] = {"original": original, "truth": truth, "recipe": recipe}
        verdict = judged(release, 0.5, rule={"measure": measure, **points}, **said)
        assert not verdict.passed and verdict.rules[0].answer.value is None
        assert "under several names" in verdict.rules[0].reason
        ceiling = judged(release, 0.5, rule={"measure": "attack.best.bound"}, **said)
        assert ceiling.rules[0].answer.value >= by_hand


@pytest.mark.parametrize("multiple", [7, 60])
def test_a_code_of_the_number_of_a_person_is_stopped(multiple: int) -> None:
    verdict = of_names([str(multiple * number % 61) for number in range(PEOPLE)])
    assert not verdict.passed
    assert [each.topic for each in verdict.observations] == ["names that can be computed"]


@pytest.mark.parametrize("recipe", [None, RENAMED], ids=["blind", "informed"])
def test_a_digest_with_a_salt_that_is_guessed_first_is_stopped(recipe: Any) -> None:
    verdict = of_names(
        [hashlib.sha256(f"salt:{old}".encode()).hexdigest()[:12] for old in OLD], recipe=recipe
    )
    assert not verdict.passed
    (told,) = verdict.observations
    assert told.topic == "names that can be computed" and "common words" in told.words


def test_a_digest_of_a_column_that_is_not_released_is_stopped() -> None:
    old = table(OLD, six_alike)
    cards = {name: f"card {random.Random(name).random()}" for name in OLD}
    original = old.append_column("card", pyarrow.array([cards[name] for name in old["who"].to_pylist()]))
    digests = [hashlib.sha256(cards[name].encode()).hexdigest() for name in OLD]
    verdict = of_names(digests, original=original)
    assert [each.topic for each in verdict.observations] == ["names that can be computed"]
    assert of_names([f"{random.Random(name).getrandbits(60):x}" for name in OLD], original=original).passed


def test_a_digest_of_a_column_that_is_released_coarser_is_stopped() -> None:
    born = {name: f"19{60 + index}-0{1 + index % 9}-11" for index, name in enumerate(OLD)}
    old = table(OLD, six_alike)
    original = old.append_column("born", pyarrow.array([born[name] for name in old["who"].to_pylist()]))
    digests = [hashlib.sha256(born[name].encode()).hexdigest()[:12] for name in OLD]
    release = table(digests, six_alike)
    release = release.append_column("born", pyarrow.array(["*"] * len(release)))
    verdict = judged(release, original=original, truth=dict(zip(digests, OLD, strict=True)))
    assert [each.topic for each in verdict.observations] == ["names that can be computed"]


@pytest.mark.parametrize("total", [sum, min, max], ids=["sum", "lowest", "highest"])
def test_names_that_rise_with_what_people_have_in_all_are_stopped(
    total: Callable[[Sequence[int]], int],
) -> None:
    """Of no single record: what somebody spent in all is not released, and sorts the names."""
    draw, old = random.Random(4), table(OLD, six_alike)
    spent = [draw.randrange(10**6) for _ in range(len(old))]
    original = old.append_column("spent", pyarrow.array(spent))
    of_each = {
        name: total([each for who, each in zip(old["who"].to_pylist(), spent, strict=True) if who == name])
        for name in OLD
    }
    place = {name: index for index, name in enumerate(sorted(OLD, key=of_each.__getitem__))}
    verdict = of_names([f"p{100 + place[name]}" for name in OLD], original=original)
    (told,) = verdict.observations
    assert not verdict.passed and told.topic == "names that can be computed"
    assert "of spent in the original" in told.words
    assert of_names(NEW, original=original).passed


def few_or_many(person: int) -> Records:
    """Six groups of four, one of whom has the group's item alone, and the others nine more, as everybody."""
    own: Records = [(f"g{person % 6}", "1")]
    return own if person < 6 else [*own, *((f"c{index}", "1") for index in range(9))]


@pytest.mark.parametrize(
    "rule",
    [
        {"measure": "points.rate", "points": 1},
        {"measure": "points.identified", "points": 1},
        {"measure": "points.rate", "points": 1, "worst": True},
        {"measure": "attack.points_1.rate"},
        {"measure": "attack.worst_points_1.rate"},
    ],
    ids=lambda rule: "worst" if rule.get("worst") else rule["measure"],
)
def test_one_known_record_tells_who_has_few(rule: dict[str, Any]) -> None:
    """By hand: of the four who have a group's item, it is known ten times as likely of who has nothing else.

    The six of them are found, of the others those by a common item, 1 in 18; a guess among all who fit
    finds but 1 in 4 of the six.
    """
    by_hand = (6 + 18 * 0.9 / 18) / PEOPLE
    any_of_them = (6 / 4 + 18 * (0.1 / 4 + 0.9 / 18)) / PEOPLE
    assert any_of_them < 0.15 < 0.25 < by_hand
    limit = 0.2 * PEOPLE if rule["measure"].endswith("identified") else 0.2
    original, release = table(OLD, few_or_many), table(NEW, few_or_many)
    found = judged(release, original=original, rule={**rule, "at_most": limit}).rules[0]
    assert not found.passed and found.answer.value is not None
    # of each person by whichever tells more of them: the likeliest of random ones, or a quarter at worst
    by_each = (6 + 18 / 4) / PEOPLE if rule["measure"].startswith("attack.worst") else by_hand
    assert found.answer.value * (0.2 / limit) == pytest.approx(by_each, abs=0.02)
    # at worst the same record may be known several times, which that attack leaves open
    above = judged(release, original=original, rule={**rule, "at_most": 2 * limit}).rules[0]
    assert above.passed != rule["measure"].startswith("attack.worst")


def test_a_share_of_the_records_tells_how_many_somebody_has() -> None:
    """Person p has p + 1 times the same record: of half of them somebody knows one, of two persons each."""

    def as_often(person: int) -> Records:
        return [("tea", "1")] * (person + 1)

    rule = {"measure": "attack.best.rate", "share": 0.5}
    original, release = table(OLD, as_often), table(NEW, as_often)
    assert not judged(release, 0.4, original, rule=rule).passed
    assert bound(release, original) == 1


@pytest.mark.parametrize(("how", "kept"), [("random", "seed"), ("keyed", "key")])
def test_names_of_our_own_step_need_their_seed_or_key_kept(how: str, kept: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(bytes(range(32)))
    key = {"key_file": str(tmp_path / "key")} if how == "keyed" else {}
    recipe = {"step": [{"step": "pseudonymise", "how": how, **key}]}
    old = table(OLD, six_alike)
    made = apply(old, recipe, user="who", out=tmp_path / "r.csv", truth=tmp_path / "t.csv")
    assert made.people == PEOPLE
    said: dict[str, Any] = {"original": old, "truth": str(tmp_path / "t.csv"), "sensitive": "none"}
    (condition,) = judged(str(tmp_path / "r.csv"), recipe=recipe, **said).conditions
    assert f"{kept} by which the names in who were" in condition
    (unseen,) = judged(str(tmp_path / "r.csv"), **said).conditions
    assert "was not seen" in unseen


def test_the_most_telling_records_may_be_the_same_one_several_times() -> None:
    """Person p has the first day p + 1 times: six known records tell that, different ones do not."""

    def days(person: int) -> Records:
        return [("d1", "1")] * (person + 1) + [("d2", "1")]

    said: dict[str, Any] = {"original": table(OLD, days), "sensitive": "none"}
    worst = {"measure": "attack.worst_points_6.rate", "at_most": 0.3}
    few = judged(table(NEW, days), rule=worst, **said)
    assert not few.passed and "how often each" in str(few.rules[0].answer.reason)
    bound = {"measure": "points.rate", "points": 6, "worst": True, "at_most": 1.0}
    value = judged(table(NEW, days), rule=bound, **said).rules[0].answer.value
    by_hand = sum(1 / (PEOPLE - min(each, 5)) for each in range(PEOPLE)) / PEOPLE
    assert value is not None and value >= by_hand - 1e-12 > 1 / PEOPLE


MEASURES = ("attack.best.rate", "attack.best.bound", "attack.points_4.rate", "points.rate")


def tells_the_rest(release: pyarrow.Table) -> pyarrow.Array:
    """A code of six values, which together with a person's group of four tells who it is."""
    return pyarrow.array([f"c{OLD.index(TRUTH[name]) // GROUPS}" for name in release["who"].to_pylist()])


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("name", ["renamed away", "of people", "new"])
def test_a_column_under_a_name_of_the_original_is_not_looked_at_by_that(name: str, measure: str) -> None:
    """The release calls goods articles, or people cards, and a code stands under the old name."""
    release = table(NEW, six_alike)
    code = tells_the_rest(release)
    rule = {"measure": measure, **({"points": 4} if measure == "points.rate" else {})}
    said: dict[str, Any] = {"rule": rule, "sensitive": "none"}
    new_names = {"renamed away": ["who", "article", "number"], "of people": ["card", "goods", "number"]}
    release = release.rename_columns(new_names.get(name, [*NAMES]))
    told: dict[str, dict[str, Any]] = {
        "renamed away": {"renamed": {"goods": "article"}}, "of people": {"release_user": "card"}
    }  # fmt: skip
    under = {"renamed away": "goods", "of people": "who"}.get(name, "code")
    verdict = judged(release.append_column(under, code), **said, **told.get(name, {}))
    assert verdict.rules[0].passed and not verdict.passed
    assert [each.topic for each in verdict.observations] == ["columns that no rule looked at"]
    assert f"no rule looked at {under}" in verdict.observations[0].words
    assert judged(release, **said, **told.get(name, {})).passed


@pytest.mark.parametrize("measure", MEASURES)
def test_records_that_name_nobody_are_somebodys(measure: str) -> None:
    """Attacks take them for those of one stranger: each is of another person, and tells who it is."""
    rare = [(f"x{number}", f"rare{number}", "1") for number in range(20)]
    schema = table(OLD, six_alike).schema

    def with_rare(own: pyarrow.Table, names: Sequence[str | None]) -> pyarrow.Table:
        rows = [
            dict(zip(NAMES, (name, *row[1:]), strict=True)) for name, row in zip(names, rare, strict=True)
        ]
        return pyarrow.concat_tables([own, pyarrow.Table.from_pylist(rows, schema=schema)])

    original = with_rare(table(OLD, six_alike), [row[0] for row in rare])
    release = with_rare(table(NEW, six_alike), [None] * 20)
    rule = {"measure": measure, **({"points": 4} if measure == "points.rate" else {})}
    said: dict[str, Any] = {"rule": rule, "without_records": True, "sensitive": "none"}
    verdict = judged(release, original=original, **said)
    assert verdict.rules[0].passed and not verdict.passed
    (told,) = verdict.observations
    assert told.topic == "records that name nobody" and "20 of 212 records" in told.words
    assert judged(table(NEW, six_alike), original=original, **said).passed
    # nor are they alike because they have no name
    assert not check(release, {"rule": [{"measure": "people.k", "at_least": 2}]}, user="who").passed


def test_that_nobody_knows_several_records_is_a_condition_unless_a_rule_asks() -> None:
    """Everybody has three of eight goods, which six people or more have each, and no two have the same."""
    sets = [*combinations("abcdefgh", 3)][:PEOPLE]

    def own(person: int) -> Records:
        return [(goods, "1") for goods in sets[person]]

    old, release = table(OLD, own), table(NEW, own)
    one = {"measure": "people.k", "at_least": 2}
    few = {"measure": "points.rate", "points": 2, "at_most": 1.0}
    share = {"measure": "attack.best.rate", "share": 0.5, "at_most": 1.0}
    whole = {"measure": "attack.best.rate", "at_most": 1.0}
    said: dict[str, Any] = {"user": "who", "sensitive": "none", "original": old, "truth": TRUTH}
    for rules, known in (
        ([one], "one record of each person,"),
        ([one, few], "2 records of each person,"),
        ([share], "a random 50% of the records of each person,"),
        ([one, few, whole], None),
    ):
        verdict = check(release, {"rule": rules}, **said)
        told = [each for each in verdict.conditions if "nobody knows more than" in each]
        assert verdict.passed and [f"more than {known}" in each for each in told] == [True] * (
            known is not None
        )
    # with one record each there is no more to know
    alone = check(table(NEW, lambda person: own(person % 2)[:1]), {"rule": [one]}, user="who")
    assert alone.passed and not any("nobody knows more" in each for each in alone.conditions)


def test_people_without_an_original_are_a_condition() -> None:
    """A map that was joined wrongly calls people made up, and no rule counts them."""
    release = table(NEW, six_alike)
    for made_up in (0, 5):
        truth = {name: None if index < made_up else old for index, (name, old) in enumerate(TRUTH.items())}
        verdict = judged(release, truth=truth, without_records=True, sensitive="none")
        told = [each for each in verdict.conditions if "made up" in each]
        assert [each.split()[0] for each in told] == ["5"] * bool(made_up)


def test_a_blank_by_a_rule_that_follows_on_a_draw_is_not_just_any_value(tmp_path: Path) -> None:
    """Towns of fewer than four sampled people are blanked: who sees all others knows which these are."""
    towns = ["x"] * 12 + ["y"] * 8 + ["z"] * 4
    original = pyarrow.table(
        {"who": OLD, "town": towns, "sex": ["m" if number % 2 else "f" for number in range(PEOPLE)]}
    )
    rare = {"step": "suppress", "columns": ["town"], "what": "cells", "rarer_than": 4}
    steps = [{"step": "sample", "share": 0.5}, rare, {"step": "pseudonymise"}]
    release, truth = tmp_path / "release.csv", tmp_path / "truth.csv"
    apply(original, {"step": steps}, user="who", out=release, truth=truth, seed=1)
    text = release.read_text()
    assert '"x"' in text and ",," in text
    said: dict[str, Any] = {
        "original": original, "truth": str(truth), "recipe": {"step": steps}, "without_records": True,
        "sensitive": "none",
    }  # fmt: skip
    best = attack(original, release, truth, user="who", recipe={"step": steps}, without_records=True).best
    assert best is not None and best.bound is not None and best.rate < best.bound - 0.01
    verdict = judged(str(release), best.bound - 0.01, **said)
    assert not verdict.passed and verdict.rules[0].answer.value is None
    assert "town" in verdict.rules[0].reason
    # before the draw, the rule is replayed
    steps = [rare, {"step": "sample", "share": 0.5}, {"step": "pseudonymise"}]
    apply(original, {"step": steps}, user="who", out=release, truth=truth, seed=1)
    said["recipe"] = {"step": steps}
    assert judged(str(release), best.bound, **said).rules[0].answer.value is not None


@pytest.mark.parametrize("name", ["best", "dates"])
@pytest.mark.parametrize("end", [" ", " 09:00"], ids=["blank", "time"])
def test_what_is_written_behind_a_day_tells_more_than_the_day(end: str, name: str) -> None:
    """All days are people's own; behind which of them something stands tells five of six alike."""

    def days(person: int) -> Records:
        return [(f"2011-0{1 + group(person)}-0{1 + index}", "1") for index in range(5)]

    def more(person: int) -> Records:
        marked = person // GROUPS
        return [
            (f"{day}{end}" if index == marked < 4 else day, one)
            for index, (day, one) in enumerate(days(person))
        ]

    original, release = table(OLD, days), table(NEW, more)
    said: dict[str, Any] = {"original": original, "time": "goods", "sensitive": "none"}
    rule = {"measure": f"attack.{name}.rate"}
    assert bound(release, original) == 5 / 6
    verdict = judged(release, rule=rule, **said)
    assert not verdict.rules[0].passed and "goods" in verdict.rules[0].reason
    assert judged(table(NEW, days), rule=rule, **said).rules[0].passed


@pytest.mark.parametrize("name", ["best", "of the part"])
@pytest.mark.parametrize(
    ("part", "column", "attack_name"),
    [("item", "goods", "jaccard"), ("amount", "number", "amount"), ("category", "goods", "categories")],
)
@pytest.mark.parametrize("other", [None, "*", "0{}"], ids=["blank", "star", "other writing"])
def test_an_attack_on_one_column_does_not_see_why_some_values_are_blank(
    other: str | None, part: str, column: str, attack_name: str, name: str
) -> None:
    """All values that are left are people's own; whose are not tells three of six alike from the others."""

    def alike(person: int) -> Records:
        return [(str(group(person)), str(group(person)))]

    def some_blank(person: int) -> Records:
        own = group(person)
        changed = str(own) if person // GROUPS % 2 else other and other.format(own)
        return [(changed, str(own)) if column == "goods" else (str(own), changed)]

    original, release = table(OLD, alike), table(NEW, some_blank)
    if part == "amount" and other == "*":
        with pytest.raises(InputError, match="are no numbers"):
            attack(original, release, TRUTH, user="who", amount=column)
        return
    rule = {"measure": f"attack.{'best' if name == 'best' else attack_name}.rate"}
    said: dict[str, Any] = {"original": original, part: column, "sensitive": "none", "rule": rule}
    assert bound(release, original) == 2 * GROUPS / PEOPLE
    verdict = judged(release, 0.3, **said)
    assert not verdict.rules[0].passed and column in verdict.rules[0].reason
    assert judged(table(NEW, alike), 0.3, **said).rules[0].passed


@pytest.mark.parametrize("name", ["best", "combined"])
@pytest.mark.parametrize("recipe", [None, RENAMED], ids=["blind", "informed"])
def test_sums_and_days_that_are_each_their_own_may_tell_together(recipe: Any, name: str) -> None:
    """Which price stands beside which day tells six alike apart; no attack on either column sees it."""

    def own(person: int) -> list[tuple[str, str]]:
        return [(f"2011-0{1 + group(person)}-0{1 + index}", str(1 + index)) for index in range(4)]

    def mixed(person: int) -> Records:
        order = ORDERS[person]
        return [(day, str(1 + order[index])) for index, (day, _) in enumerate(own(person))]

    original, release = table(OLD, own), table(NEW, mixed)
    said: dict[str, Any] = {"original": original, "time": "goods", "amount": "number", "sensitive": "none"}
    rule = {"measure": f"attack.{name}.rate"}
    assert bound(release, original) == 1
    assert not judged(release, rule=rule, recipe=recipe, **said).rules[0].passed
    assert judged(table(NEW, own), rule=rule, recipe=recipe, **said).rules[0].passed


def test_the_sum_of_all_votes_may_find_less_than_one_of_them() -> None:
    rule = {"measure": "attack.combined.rate"}
    verdict = judged(table(NEW, six_alike), rule=rule, item="goods", sensitive="none")
    assert verdict.rules[0].passed
    assert any("nobody makes another attack than combined" in each for each in verdict.conditions)


@pytest.mark.parametrize("recipe", [None, RENAMED], ids=["blind", "informed"])
def test_how_often_a_record_without_values_is_there_may_tell(recipe: Any) -> None:
    """Everybody has one record, and no value is released; how many blank ones there are says who it is."""

    def one(person: int) -> Records:
        return [(f"g{group(person)}", "1")]

    release = table(NEW, lambda person: [("*", "*")] * (person + 1))
    assert bound(release, table(OLD, one)) == 1
    try:
        verdict = judged(release, original=table(OLD, one), recipe=recipe)
        assert not verdict.passed and "records in the release that" in verdict.rules[0].reason
    except InputError as error:
        assert recipe is not None and "can't come from this recipe" in str(error)
    assert judged(table(NEW, lambda _: [("*", "*")]), original=table(OLD, one)).passed
