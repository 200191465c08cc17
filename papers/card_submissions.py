"""Forty-seven releases of the payment cards, compared and ranked as Ito et al. n.d. did on their platform."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from papers.card_recipes import FILES, RECIPES, Recipe, Step
from papers.experiment import Experiment, PaperNumber
from papers.figures import curves, dots
from singleout import Comparison, apply, compare, sample
from singleout.report.charts.chart import Chart
from singleout.report.charts.releases import utility_and_privacy
from singleout.result_table import Cell, Heading, ResultTable
from singleout.temporary_files import temporary_folder
from singleout.utility.compare.result import Outcome

HIGH = 0.45
# S1 to S6
METRICS = ("records", "amount", "categories", "places", "dates", "pairs")
COLUMNS: dict[str, Any] = {
    "user": "user", "time": "date", "amount": "fare", "category": "usage", "entry": "entraining_point",
    "exit": "alighting_point", "routes": ["entraining_route", "alighting_route"], "location": "location",
}  # fmt: skip
OURS = "the submissions are ours, by recipes, on generated cards; the paper's were made by people"
LEAST = "Rates are what these six recognise; an intruder who knows the recipe may recognise more."
COMMAND = (
    "singleout compare card.csv release-*.csv --user user --time date --amount fare --category usage "
    "--entry entraining_point --exit alighting_point --attacks records,amount,categories,places,dates,pairs"
)


def submissions(small: bool) -> Experiment:
    recipes = RECIPES[::8] if small else RECIPES
    with temporary_folder() as folder:
        found = _compared(Path(folder), recipes)
    rates = sorted(
        ([_rate(each, name) for name in METRICS] for each in found.outcomes), key=lambda each: -max(each)
    )
    highest = [max(each) for each in rates]
    assert found.ranking is not None
    better = sum(found.ranking.better_than_original(each) is True for each in found.ranking.releases)
    above = sum(rate > HIGH for rate in highest)
    return Experiment(
        "Figures 13 to 16",
        COMMAND,
        (
            PaperNumber("submissions", 47, len(recipes), 0, why="a small run"),
            PaperNumber(
                "recognised above 45 % by one of S1 to S6",
                44,
                above,
                0,
                "about",
                0.1,
                f"{OURS}; a rate is a least",
            ),
            PaperNumber("better than the original", 8, better, 0, why=OURS),
        ),
        "47 releases by recipes of our own, from hardly any noise to very much. Figure 13 ranks use against "
        "protection, where a release whose columns could not all be compared comes last in protection; the "
        "original is the boundary. Figures 14 and 15 are the rates of S1 to S6 and their highest, sorted. "
        f"{LEAST}",
        ("Figure 13", "Figure 14", "Figure 15", "Figure 16"),
        charts=(*_ranks(found), _rates_chart(rates), _highest_chart(highest), _bargain(found)),
    )


def named_files(small: bool) -> Experiment:
    """The screens of Figures 11 and 12: files whose names say how they were made."""
    files = FILES[:3] if small else FILES
    with temporary_folder() as folder:
        found = _compared(Path(folder), files)
    rows: list[tuple[Cell, ...]] = []
    for (name, steps), each in zip(files, found.outcomes, strict=True):
        made = ", ".join(_step_words(step) for step in steps) or "nothing but new names"
        loss = each.metric("u1_fare_by_person")
        highest = max(METRICS, key=lambda metric, of=each: _rate(of, metric))  # type: ignore[misc]
        rows.append((name, made, loss.value if loss else None, _rate(each, highest), highest))
    names = ("file", "made here by", "U1", "highest of S1 to S6", "by")
    return Experiment(
        "Figures 11 and 12",
        COMMAND,
        note="The screens of the paper's platform list files by names that tell how they were made: copied, "
        "halved, digits, random users, random fares and dates. What they seem to say, as recipes (our "
        "reading: how much noise is ours). A copy under new names keeps all use and hides nobody; to give "
        "every record to a random person (8_randUser) hides most and leaves nothing that is about people. "
        f"{LEAST}",
        places=("Figure 11", "Figure 12"),
        findings=(ResultTable("Files", tuple(Heading(each, each) for each in names), tuple(rows)),),
    )


def _step_words(step: Step) -> str:
    """
    >>> _step_words({"step": "noise", "columns": ["fare"], "amount": 20})
    'noise on fare (amount 20)'
    """
    columns = step.get("columns", ())
    of = f" on {' and '.join(columns) if len(columns) < 3 else 'all columns'}" if columns else ""
    how = ", ".join(f"{name} {value}" for name, value in step.items() if name not in ("step", "columns"))
    return f"{step['step']}{of} ({how})"


def _compared(folder: Path, recipes: Sequence[Recipe]) -> Comparison:
    cards = sample("card")
    releases, truths = [], []
    for name, steps in recipes:
        out, truth = folder / f"{name}.csv", folder / f"{name}-truth.csv"
        pseudonyms = {"step": "pseudonymise", "columns": ["user"]}
        recipe = {"user": "user", "seed": 1, "step": [dict(each) for each in steps] + [pseudonyms]}
        apply(cards, recipe, out=out, truth=truth)
        releases.append(out)
        truths.append(truth)
    return compare(cards, *releases, truth=truths, attacks=list(METRICS), **COLUMNS)


def _rate(each: Outcome, name: str) -> float:
    attempt = each.attack(name)
    return 0.0 if attempt is None else attempt.rate


def _ranks(found: Comparison) -> tuple[Chart, ...]:
    chart = None if found.ranking is None else utility_and_privacy(found.ranking)
    return () if chart is None else (chart,)


def _rates_chart(rates: list[list[float]]) -> Chart:
    groups = {
        f"S{index + 1} ({name})": [(float(place + 1), row[index]) for place, row in enumerate(rates)]
        for index, name in enumerate(METRICS)
    }
    axes = ("submission", "share recognised")
    return dots("figure-14", "Who is recognised by each metric", axes, groups)


def _highest_chart(highest: list[float]) -> Chart:
    points = [(float(place + 1), rate) for place, rate in enumerate(highest)]
    limit = [(1.0, HIGH), (float(len(points)), HIGH)]
    axes = ("submission", "highest of S1 to S6")
    return curves("figure-15", "The highest of the six", axes, {"submissions": points, "45 %": limit})


def _bargain(found: Comparison) -> Chart:
    """S2 against U1 as the noise on fares grows."""
    points = []
    for each in found.outcomes:
        loss = each.metric("u1_fare_by_person")
        if Path(each.release).stem.startswith("fares-") and loss is not None and loss.value is not None:
            points.append((float(loss.value), _rate(each, "amount")))
    axes = ("U1: error of the sum of fares of a person", "S2: recognised by the sum of fares")
    return curves("figure-16", "More noise on fares", axes, {"noise on fares": sorted(points)})
