"""What the reports of `attack` and `compare` say first, and what they advise, case by case."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pyarrow
import pytest

from singleout import attack
from singleout.attacks.attack_run import best_of
from singleout.attacks.attempt import Attempt
from singleout.attacks.result import Reidentification
from singleout.recipe.steps.catalogue import STEPS
from singleout.report.charts.unicity import unicity
from singleout.report.pages.attack import attack_report, recognition
from singleout.report.pages.compare import comparison_report
from singleout.report.pages.protection import (
    OF_RECORDS,
    WAYS,
    hardest_attack,
    known_facts,
    protection_advice,
)
from singleout.report.terminal.attack import people_text, sentences, show_attack
from singleout.report.terminal.layout import share_text
from singleout.report.terminal.ranking import best_sentences
from singleout.utility.compare.ranking import Contender, Ranking, rank_releases
from singleout.utility.finding import Finding
from singleout.utility.item_popularity import POPULARITY
from singleout.utility.retention import PEOPLE_KEPT
from tests.support.attacked_shop import RELEASE, SOFTER, TRUTH, attacked, attempt, compared

# What to do


@pytest.mark.parametrize(
    ("name", "columns", "knows", "told"),
    [
        ("jaccard", ["goods"], "the set of goods", "singleout deidentify dummies --item goods,"),
        ("jaccard", ["the a and b"], "the set of the a and b", "dummies --item 'the a and b',"),
        ("jaccard", ["entry", "exit"], "the set of entry and exit", "dummies --item COLUMN,"),
        ("dates@25%", ["date"], "how many records are of each day of date", "Make dates coarser"),
        ("amount_one_to_one", ["price"], "the sum of price; nobody is named twice", "round, or mean"),
        ("records", [], "the number of records", "the step cut"),
        ("nearest", ["age", "zip"], "every record in age and zip", "generalise --k 5"),
    ],
)
def test_advice_is_by_the_columns_of_the_attack(name: str, columns: list[str], knows: str, told: str) -> None:
    whom = "a random 25% of every person's records" if "@" in name else "every person"
    knowledge = f"the attacker knows, of {whom}, {knows}"
    one = replace(attempt(name), columns=tuple(columns), knowledge=knowledge)
    assert told in protection_advice([one])
    assert known_facts(one) == knows.removesuffix("; nobody is named twice")


def test_no_step_is_advised_that_an_informed_attack_undoes() -> None:
    """Noise, PRAM, swaps, shifts and new names on T1: docs/how-to/what-an-intruder-can-undo.md."""
    undone = {name for name in STEPS if name in ("noise", "pram", "swap", "shift_dates", "pseudonymise")}
    assert len(undone) == 5
    advised = " ".join([*WAYS.values(), OF_RECORDS])
    assert not undone & {*re.findall(r"[a-z_]+", advised)}


def test_the_hardest_attack_is_no_combination_of_others() -> None:
    tried = [
        attempt("jaccard", 0.4),
        attempt("combined", 0.9),
        replace(attempt("points_1", 0.8, bound=0.9), points=1),
    ]
    most = hardest_attack([*tried, attempt("best", 0.9)])
    assert most is not None
    assert most.name == "jaccard"
    assert "A few known records are enough" in protection_advice(tried[2:])
    assert protection_advice([]) == ""


def test_the_hardest_attack_is_the_first_of_equals_whatever_its_kind() -> None:
    tried = [attempt("nearest", 0.9), attempt("tfidf", 0.9), attempt("jaccard", 0.4)]
    most = hardest_attack(tried)
    assert most is not None
    assert most.name == "tfidf"  # before nearest in the catalogue
    assert hardest_attack([tried[0], tried[2]]) is tried[0]


# The sentences of the first page


def found_by(*attempts: Attempt, **more: Any) -> Reidentification:
    """A result with these attacks, the best of them found as by the job."""
    uncompared = tuple(name for each in attempts for name in each.uncompared)
    best = (replace(each, uncompared=uncompared) for each in best_of(attempts))
    return replace(attacked(points=[]), attacks=(*attempts, *best), unicity=(), **more)


def test_two_of_two_people_are_recognised_though_a_guess_might_do_it() -> None:
    # Wilson at 95 % of 2 of 2: from 0.342, which is below the guess of 0.5
    both = replace(attempt("jaccard", 1.0, people=2, bound=1.0), baseline=0.5, columns=("goods",))
    told = recognition(both, [both], 0)
    assert both.interval[0] < 0.5
    assert told.advice.startswith("There are too few people to tell this from a guess")
    assert "dummies --item goods" in told.advice
    assert {each.name for each in told.measures} >= {"attack.rate", "attack.baseline", "attack.low"}
    sure = replace(attempt("jaccard", 1.0, people=40, bound=1.0), baseline=0.025)
    assert recognition(sure, [sure], 0).advice.startswith("The attack that hits hardest by itself, jaccard")
    none = replace(attempt("jaccard", 0.025, people=40), baseline=0.025)
    assert recognition(none, [none], 0).advice.startswith(
        "Nothing is left to do against those who know no more than this"
    )


@pytest.mark.parametrize(
    ("little", "much", "people", "guess", "told"),
    [
        (0.5, 0.9, 100, 0.01, "Don't count on attackers who know little"),
        (0.1, 0.9, 100, 0.01, "The risk is from those who know much"),
        (0.01, 0.9, 100, 0.01, "The risk is from those who know much"),
        (
            0.01,
            0.01,
            100,
            0.01,
            "Nothing is left to do against those who know no more than this: neither is better",
        ),
        (1.0, 1.0, 2, 0.5, "There are too few people to tell either from a mere guess"),
    ],
)
def test_what_little_knowledge_means(
    little: float, much: float, people: int, guess: float, told: str
) -> None:
    tried = [
        replace(attempt(name, rate, people=people, share=share), baseline=guess)
        for name, rate, share in (("jaccard@25%", little, 0.25), ("jaccard", much, 1.0))
    ]
    by_share = attack_report(found_by(*tried)).conclusions[1]
    assert by_share.found.startswith("With 25% of each person's records known")
    assert by_share.advice.startswith(told)


def test_look_alikes_are_told_of_the_attack_that_recognises_most() -> None:
    weak = replace(attempt("records", 0.01, people=8, bound=0.5, look_alikes={2: 4}), knowledge="the number")
    hard = attempt("jaccard", 1.0, people=8, bound=1.0, look_alikes={1: 8})
    told = attack_report(found_by(weak, hard)).conclusions[-1]
    assert told.found == (
        "To whoever knows just the set of goods, 8 of 8 people (100.0%) are like nobody else in the release."
    )
    assert told.advice.startswith("Nobody hides them. Hide each person's set")
    assert "hits hardest" not in told.advice


def test_no_headline_calms_where_others_recognise_most_people() -> None:
    alike = attempt("jaccard", 0.4, people=8, bound=0.5, look_alikes={2: 4})
    calm = attack_report(found_by(alike))
    assert "nobody is alone in the release: everybody looks like at least 1 other." in (
        calm.conclusions[-1].found
    )
    others = attempt("combined", 0.95, people=8, bound=1.0, look_alikes={1: 8})
    report = attack_report(found_by(alike, others))
    assert not any("nobody is alone" in each.found for each in report.conclusions)
    lead = next(each.lead for each in report.sections if each.name == "look-alikes")
    assert "That protects from this knowledge only" in lead[1]
    assert "95.0%" in lead[1]


def test_who_hides_in_groups_is_not_told_to_hide_again() -> None:
    # c/n of Ito et al. 2020: four groups of ten among forty people, so at most a tenth is recognised
    alike = replace(attempt("jaccard", 0.1, 40, bound=0.1, look_alikes={10: 4}), baseline=0.025)
    told = recognition(alike, [alike], 0)
    assert "at the limit that the groups of look-alikes allow" in told.advice
    assert "at least 10, themselves included" in told.advice
    assert "Only larger groups would lower it" in told.advice
    assert "dummies --item" not in told.advice
    # Wilson's upper end, 0.231, is beyond the bound
    assert "The interval reaches beyond that, for it is about which people" in told.certainty
    assert "With just this knowledge no attack exceeds 10.0% on average" in told.certainty


def test_known_records_that_recognise_most_are_what_is_advised_against() -> None:
    few, whole = (
        replace(attempt("points_4", 0.9, bound=0.95), points=4),
        attempt("dates", 0.3, columns=("day",)),
    )
    told = attack_report(found_by(whole, few)).conclusions[0]
    assert told.advice.startswith("A few known records are enough.")


def test_what_nobody_knows_yet_is_told() -> None:
    best = attempt("jaccard", 0.25, bound=0.5)
    told = " ".join(sentences(found_by(best)))
    gap = "Between the best attack found (25.0%) and the ceiling (50.0%) lies what nobody knows yet."
    assert gap in told
    assert gap in recognition(best, [best], 0).certainty
    assert "may recognise more" not in told
    blind = replace(attempt("jaccard", 0.01, bound=1.0), baseline=0.01, uncompared=("day",))
    conclusion = attack_report(found_by(blind)).conclusions[0]
    assert conclusion.advice.startswith("Don't take that for safe: not all columns could be compared")
    assert "Not all values of day could be compared" in conclusion.certainty


def ranking_of(*places: tuple[float, float]) -> Ranking:
    """Releases by error and rate, beside an original without errors of which everybody is recognised."""
    return rank_releases(
        Contender("shop", {"error": 0.0}, 1.0),
        [Contender(f"r{number}.csv", {"error": error}, rate) for number, (error, rate) in enumerate(places)],
        {"error": "lower"},
    )


def test_a_draw_by_rank_is_called_one() -> None:
    names = ["r0.csv", "r1.csv"]
    # errors 1, 2 and none: ranks 2, 3, 1; rates .5, .2 and 1: ranks 2, 1, 3; so all have the mean 2
    draw = [*best_sentences(ranking_of((1.0, 0.5), (2.0, 0.2)), names)]
    assert draw == [
        "No release is a better bargain than the untouched original: A, r0.csv; B, r1.csv have the mean "
        "rank 2, as has the original.",
        "That says nothing of safety: of the people in B, r1.csv, 20.0% are recognised by the best attack "
        "found.",
    ]
    # equal errors share ranks: 1.5 and 1.5 beside 3; the rates are 1 and 2 beside 3
    better = [*best_sentences(ranking_of((0.0, 0.5), (9.0, 0.9)), names)]
    assert better[0].startswith("The best bargain of use and protection is A, r0.csv (mean of the ranks for")
    assert "privacy 1.25, the untouched original's " in better[0]
    assert "of the people in A, r0.csv, 50.0% are recognised" in better[1]
    worse = [*best_sentences(ranking_of((1.0, 1.0), (2.0, 1.0)), names)]
    assert worse[0].startswith("No release is a better bargain than the untouched original. A, r0.csv, comes")
    assert "privacy 2, the untouched original's 1.5; 1 is best" in worse[0]


def test_the_advice_on_a_draw_is_not_to_drop_them() -> None:
    found = compared(RELEASE, SOFTER, truth=[TRUTH, TRUTH])
    report = comparison_report(replace(found, ranking=ranking_of((1.0, 0.5), (2.0, 0.2))))
    assert report.conclusions[0].advice.startswith("Decide by what you need")
    assert "r1.csv" not in report.conclusions[0].advice
    assert "Table 2 gives away fewest" in report.conclusions[0].advice
    lost_by_rank = comparison_report(replace(found, ranking=ranking_of((1.0, 1.0), (2.0, 1.0))))
    assert lost_by_rank.conclusions[0].advice.startswith("By rank none of them is worth what it loses.")


def test_of_several_releases_it_is_said_which_is_meant() -> None:
    several = comparison_report(compared(RELEASE, SOFTER, truth=[TRUTH, TRUTH]))
    lead = next(each.lead for each in several.sections if each.name == "utility")
    assert all(each.startswith("In Table ") for each in lead)
    alone = next(each.lead for each in comparison_report(compared()).sections if each.name == "utility")
    assert alone[0].startswith("Of ")
    assert alone[-1].startswith("Ranks, and the line that tells")
    assert alone[-1].endswith("compare two or more for them.")


def test_a_correlation_may_be_what_is_lost_most() -> None:
    found = compared()
    utility = (Finding(POPULARITY, -0.5), Finding(PEOPLE_KEPT, 0.4))
    found = replace(found, outcomes=(replace(found.outcomes[0], utility=utility),))
    told = comparison_report(found).conclusions[1]
    # (1 + 0.5) / 2 of its range, beside 0.6 of the other's
    lost = "item popularity, rank correlation has lost most (75.0% of the range): it is -0.5, and 1 in an"
    assert lost in told.found
    assert {each.name for each in told.measures} == {"lost", "item_popularity.rank_correlation"}


def test_known_records_recognise_on_the_page_what_the_likeliest_guess_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whoever has one record is meant by it: of three people who have tea, that is the first."""
    table = pyarrow.table({"who": list("abbccc"), "goods": ["tea", "tea", "milk", "tea", "milk", "salt"]})
    found = attack(table, table, user="who", attacks=[], points=[1])
    (known,) = found.unicity
    assert known.rate < known.most.rate
    told = found.to_dict()["unicity"][0]
    assert (told["rate"], told["identified"]) == (known.most.rate, known.most.identified)
    assert (told["low"], told["high"]) == known.most.over_draws
    assert "names the likeliest candidate" in told["knowledge"]
    headline = sentences(found)[-1]
    assert headline.endswith(f"and recognises {share_text(known.most.rate)} in all.")
    chart = unicity(found)
    assert chart is not None and chart.table.rows[0][4] == known.most.rate
    show_attack(found)
    detail = capsys.readouterr().out.partition("The same in detail")[2]
    assert f" 1  {people_text(known.most.identified):>10}" in detail
