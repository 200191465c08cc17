"""The search beside all recipes that there are, on small random tables that are counted by hand."""

import functools
import itertools
from dataclasses import replace

import numpy
import pyarrow
import pytest
from numpy.typing import NDArray

from singleout.investigation.protect import recipe_search
from singleout.investigation.protect.explanation import obstacles
from singleout.investigation.protect.ladder import Ladder, ladder_of
from singleout.investigation.protect.objective import Kept
from singleout.investigation.protect.recipe_search import RecipeSearch, SearchLimits
from singleout.investigation.protect.recipe_space import CandidateRecipe, RecipeSpace
from singleout.investigation.protect.record_change import NO_CHANGE, RecordChange, dummy_changes
from singleout.investigation.protect.trial import RecipeTrial
from singleout.policy.rules.measure_paths import find_path
from singleout.policy.rules.rule import Rule
from singleout.policy.verdict.rule_verdict import Answer, RuleVerdict
from singleout.progress import silent
from singleout.risk.equivalence_classes import K

TABLES, RECORDS = 200, 400
WEIGHTS = (3.0, 1.0, 2.0)
Numbers = NDArray[numpy.int64]


class SmallTable:
    """Three columns of numbers in steps, of which every recipe can be counted by hand."""

    def __init__(self, seed: int) -> None:
        draw = numpy.random.default_rng(seed)
        self.columns = [draw.integers(0, top, RECORDS) for top in draw.integers(4, 60, 3)]
        self.rule = Rule("k", at_least=int(draw.integers(2, 6)))
        ladders = [
            ladder_of(f"c{index}", pyarrow.array(values), None, fixed=False)
            for index, values in enumerate(self.columns)
        ]
        self.space = RecipeSpace(None, ("c0", "c1", "c2"), tuple(ladders), (NO_CHANGE,))

    def smallest_class(self, candidate: CandidateRecipe) -> int:
        kept = [
            self._coarse(ladder, level, values)
            for values, ladder, level in zip(self.columns, self.space.ladders, candidate.levels, strict=True)
        ]
        return int(numpy.unique(numpy.stack(kept), axis=1, return_counts=True)[1].min())

    def _coarse(self, ladder: Ladder, level: int, values: Numbers) -> Numbers:
        rung = ladder.rungs[level]
        if rung.left_out:
            return numpy.zeros(len(values), dtype=numpy.int64)
        return values if rung.step is None else values // int(rung.step["to"])

    def trial(self, candidate: CandidateRecipe) -> RecipeTrial:
        k = self.smallest_class(candidate)
        losses = [rung.loss for rung in self.space.rungs(candidate)]
        lost = sum(one * other for one, other in zip(WEIGHTS, losses, strict=True)) / sum(WEIGHTS)
        judged = RuleVerdict(1, self.rule, K, Answer(k))
        return RecipeTrial(
            candidate, self.space.words(candidate), {}, self.space.detail_lost(candidate), (judged,),
            passed=judged.passed, complete=True, kept=(Kept("x", 1.0, lost, lost),),
        )  # fmt: skip

    def best(self) -> float | None:
        """Over all recipes, one after the other."""
        levels = itertools.product(*(range(len(each.rungs)) for each in self.space.ladders))
        releases = filter(self.space.is_release, map(CandidateRecipe, levels))
        lost = [trial.lost for trial in map(self.trial, releases) if trial.passed]
        return min((each for each in lost if each is not None), default=None)


@functools.cache
def best_loss(seed: int) -> float | None:
    return SmallTable(seed).best()


def found_loss(table: SmallTable, tries: int = 10_000) -> tuple[float | None, RecipeSearch]:
    search = RecipeSearch(table.space, table.trial, SearchLimits(tries), silent)
    search.run()
    return (search.best.lost if search.best else None), search


def test_small_spaces_are_searched_whole() -> None:
    spared = 0
    for seed in range(TABLES):
        table = SmallTable(seed)
        lost, search = found_loss(table)
        assert lost == pytest.approx(best_loss(seed))
        known = table.space.count_known(search.broken, list(search.trials))
        assert known is not None
        assert known[1] == 0
        spared += table.space.recipes - len(search.trials)
    # what is finer than a recipe that breaks a rule is not tried
    assert spared > TABLES * 10


def test_climbs_come_near_to_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in spaces that are too large for all: the beam finds the best of every one of these."""
    monkeypatch.setattr(recipe_search, "SMALL", 0)
    off = []
    for seed in range(TABLES):
        table = SmallTable(seed)
        best, (lost, _) = best_loss(seed), found_loss(table)
        assert (best is None) == (lost is None)
        if best is not None and lost is not None:
            off.append(lost - best)
    assert min(off) > -1e-9
    assert max(off) < 1e-9


@pytest.mark.parametrize(("small", "more"), [(recipe_search.SMALL, 1e-9), (0, 0.1)])
def test_a_rule_that_asks_for_detail_ends_no_way_to_finer_recipes(
    small: int, more: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The coarsest recipes break it; the best one, and some that lose a little more, keep it."""
    monkeypatch.setattr(recipe_search, "SMALL", small)
    asked = 0
    for seed in range(20):
        table, best = SmallTable(seed), best_loss(seed)
        if best is None:
            continue
        search = RecipeSearch(
            table.space, functools.partial(useful, table, best + more), SearchLimits(10_000), silent
        )
        search.run()
        asked += any(each.is_too_coarse for each in search.trials.values())
        assert search.best is not None and search.best.lost == pytest.approx(best, abs=more)
        assert all(table.smallest_class(each) < table.rule.at_least for each in search.broken)  # type: ignore[operator]
    assert asked > 10


def useful(table: SmallTable, limit: float, candidate: CandidateRecipe) -> RecipeTrial:
    """A trial under one rule more: no more may be lost."""
    trial = table.trial(candidate)
    found = find_path("counts.mean_error")
    assert found is not None
    rule = Rule("counts.mean_error", at_most=limit)
    use = RuleVerdict(2, rule, found.path.measure, Answer(trial.lost))
    return replace(trial, rules=(*trial.rules, use), passed=trial.passed and use.passed)


def test_a_short_search_halves_one_way_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten recipes of up to 200: mostly one that keeps the rules, and never a better one than there is."""
    monkeypatch.setattr(recipe_search, "SMALL", 0)
    reached, off = 0, []
    for seed in range(TABLES):
        table = SmallTable(seed)
        best, (lost, search) = best_loss(seed), found_loss(table, tries=10)
        assert len(search.trials) <= 10
        if best is not None and lost is not None:
            reached += 1
            off.append(lost - best)
    assert min(off) > -1e-9
    assert reached >= 0.95 * sum(best_loss(seed) is not None for seed in range(TABLES))
    assert numpy.mean(off) < 0.1


def test_the_way_down_loses_more_with_each_step() -> None:
    space = SmallTable(3).space
    way = space.way_down()
    assert all(later.is_as_coarse_as(each) for each, later in itertools.pairwise(way))
    lost = [space.detail_lost(each) for each in way]
    assert lost == sorted(lost)
    assert all(map(space.is_release, way))


def test_a_rule_that_no_recipe_came_to_is_not_called_broken() -> None:
    table = SmallTable(3)
    tried, other = table.trial(table.space.original), Rule("attack.best.rate", at_most=0.1)
    told = [*obstacles(None, [tried], [table.rule, other])]
    assert told == [
        f"no recipe that was tried keeps k {table.rule.limit_words}",
        f"attack.best.rate {other.limit_words} was asked of no recipe, for all broke another rule before",
    ]


def test_an_end_keeps_the_best_so_far() -> None:
    table = SmallTable(3)
    everything = found_loss(table)[1]
    lost, search = found_loss(table, tries=6)
    assert search.ended == "6 recipes were tried"
    assert len(search.trials) == 6
    assert list(search.trials) == list(everything.trials)[:6]
    assert lost is None or lost >= (table.best() or 0.0)


def test_an_interruption_keeps_the_best_so_far() -> None:
    table = SmallTable(3)
    calls = []

    def interrupted(candidate: CandidateRecipe) -> RecipeTrial:
        calls.append(candidate)
        if len(calls) == 8:
            raise KeyboardInterrupt
        return table.trial(candidate)

    search = RecipeSearch(table.space, interrupted, SearchLimits(), silent)
    search.run()
    assert search.ended == "interrupted"
    assert len(search.trials) == 7


def test_the_time_only_ends_the_search() -> None:
    table = SmallTable(4)
    search = RecipeSearch(table.space, table.trial, SearchLimits(until=0.0), silent)
    search.run()
    assert search.ended == "the time was up"
    assert list(search.trials) == [table.space.original]


def test_a_column_that_names_people_is_not_tried_as_fine_again() -> None:
    table = SmallTable(5)

    def naming(candidate: CandidateRecipe) -> RecipeTrial:
        trial = table.trial(candidate)
        named = candidate.levels[0] == 0
        return replace(trial, naming=("c0",), passed=False) if named else trial

    search = RecipeSearch(table.space, naming, SearchLimits(10_000), silent)
    search.run()
    raw = [each for each in search.trials if each.levels[0] == 0]
    assert raw == [table.space.original]


def test_a_short_search_tries_dummies_before_it_climbs() -> None:
    """They keep rules of attacks by a ceiling: what follows must not use up all tries before them."""
    table = SmallTable(3)
    dummies = RecordChange("dummies", "dummy records", dummies=0.1, item="c1")
    space = table.space = replace(table.space, changes=(NO_CHANGE, dummies))
    search = RecipeSearch(space, table.trial, SearchLimits(2), silent)
    search.run()
    tops = [each.top for each in space.ladders]
    assert list(search.trials) == [space.original, CandidateRecipe((tops[0], 0, tops[2]), 1)]


def test_large_spaces_are_halved_before_dummies_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many people these take longer than all that finds a first recipe that keeps the rules."""
    monkeypatch.setattr(recipe_search, "SMALL", 0)
    table = SmallTable(3)
    dummies = RecordChange("dummies", "dummy records", dummies=0.1, item="c1")
    space = table.space = replace(table.space, changes=(NO_CHANGE, dummies))
    search = RecipeSearch(space, table.trial, SearchLimits(10_000), silent)
    search.run()
    before = list(search.trials)[: [each.change for each in search.trials].index(1)]
    assert {*before} <= {space.original, *space.way_down()}
    assert any(search.trials[each].passed for each in before)
    assert 2 ** (len(before) - 2) <= len(space.way_down())


def test_what_is_costly_comes_last() -> None:
    table = SmallTable(3)
    costly = RecordChange("dummies", "dummy records", dummies=0.1, item="c1", costly=True)
    cut = RecordChange("cut", "the latest record of each person")
    table.space = replace(table.space, changes=(NO_CHANGE, costly, cut))
    search = RecipeSearch(table.space, table.trial, SearchLimits(10_000), silent)
    search.run()
    order = [each.change for each in search.trials]
    assert 2 in order and 1 in order[1:]
    assert max(index for index, change in enumerate(order) if change != 1) < order.index(1)


def test_dummies_for_very_many_people_are_costly() -> None:
    rules = [Rule("attack.best.rate", at_most=0.1)]
    assert [each.costly for people in (20_000, 20_001) for each in dummy_changes(rules, "c1", people)] == [
        False,
        True,
    ]


def test_what_is_unknown_is_not_passed_on_to_finer_recipes() -> None:
    """A rule that could not be judged breaks this recipe, and says nothing of others."""
    table = SmallTable(6)

    def unknown(candidate: CandidateRecipe) -> RecipeTrial:
        rule = RuleVerdict(1, Rule("k", at_least=2), K, Answer(None, "not looked at"))
        return replace(table.trial(candidate), rules=(rule,), passed=False)

    search = RecipeSearch(table.space, unknown, SearchLimits(10_000), silent)
    search.run()
    assert search.best is None
    assert search.broken == []
    # all but the recipe that releases nothing
    assert len(search.trials) == table.space.recipes - 1
