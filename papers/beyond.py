"""What goes beyond the papers: where singleout does something else than they do, measured against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import numpy
import pyarrow.compute
import pyarrow.parquet

from papers.attacker_models import value_table
from papers.dummy_records import T1, hidden
from papers.experiment import Experiment, Paper
from papers.risk_prediction import column_sets, errors_by_method
from singleout import apply, attack
from singleout.engine.class_sizes import Sizes
from singleout.result_table import Cell, Heading, ResultTable
from singleout.risk.assess.sampling import tempered_sample, uniform_sample
from singleout.risk.attribute_risk import attribute_risk
from singleout.temporary_files import temporary_folder

ATTRIBUTES = ("time", "date", "goods", "price", "number")
DRAWN = 10


def paper(small: bool = False) -> Paper:
    seeds = 20 if small else 300
    attributes = ATTRIBUTES[:2] if small else ATTRIBUTES
    return Paper(
        "beyond",
        "Beyond the papers",
        "Where singleout does something else than the papers do, measured against what they do, on the data "
        "of the experiments before. Means over seeds; nothing here has a published number to agree with.",
        (
            _intervals(attributes, seeds),
            _tempered(attributes, seeds),
            _search((125,) if small else (25, 50, 100, 125), 1 if small else 3),
            _trees(small),
            _informed(15 if small else 100, 1 if small else 3),
        ),
    )


def _named(title: str, names: Sequence[str], rows: Sequence[tuple[Cell, ...]], note: str = "") -> ResultTable:
    return ResultTable(title, tuple(Heading(name, name) for name in names), tuple(rows), note)


def _intervals(attributes: Sequence[str], seeds: int) -> Experiment:
    rows = [_coverage(name, seeds) for name in attributes]
    names = ("T1", "the paper's μ ± σ/√s", "singleout's", "upper end below the truth")
    return Experiment(
        "Coverage of the corrected intervals",
        "singleout assess t1.parquet --user customer --columns … --sample-values 10",
        note="How often an interval of ten sampled values, said to hold in 90 % of the cases, holds the true "
        "risk; and how often singleout's upper end is below it, the error that makes data look safer.",
        findings=(_named(f"Held, of {seeds} samples of {DRAWN} values", names, rows),),
    )


def _coverage(name: str, seeds: int) -> tuple[Cell, ...]:
    values = value_table(name)
    sizes, many, records = values.sizes, len(values.alpha), values.records.sum()
    exact = attribute_risk((name,), sizes, 400).risk.known
    ours = [uniform_sample(sizes, DRAWN, seed=seed) for seed in range(seeds)]
    random = numpy.random.default_rng(0)
    theirs = 0
    for _ in range(seeds):
        drawn = random.choice(values.alpha, DRAWN, replace=False) * many / records
        half = drawn.std(ddof=1) / DRAWN**0.5
        theirs += abs(drawn.mean() - exact) <= half
    below = sum(each.high < exact for each in ours)
    return name, theirs / seeds, sum(each.holds(exact) for each in ours) / seeds, below / seeds


def _tempered(attributes: Sequence[str], seeds: int) -> Experiment:
    rows: list[tuple[Cell, ...]] = []
    for name in attributes:
        sizes: Sizes = value_table(name).sizes
        plain, tempered = (
            [way(sizes, DRAWN, seed=seed).risk for seed in range(seeds)]
            for way in (uniform_sample, tempered_sample)
        )
        spread = [pstdev(each) / fmean(each) for each in (plain, tempered)]
        rows.append((name, *spread, (spread[0] / spread[1]) ** 2))
    names = ("T1", "plain", "tempered", "plain draws for one tempered draw")
    return Experiment(
        "Tempered against plain sampling",
        "singleout assess t1.parquet --user customer --sample-values 10 --sample-by tempered",
        note="Values drawn with a probability by a power of their records, in place of all alike: the spread "
        "of the estimated risk over samples of ten, as a share of its mean.",
        findings=(_named("Spread of the estimate", names, rows),),
    )


def _search(numbers: Sequence[int], seeds: int) -> Experiment:
    rows: list[tuple[Cell, ...]] = []
    for clusters in numbers:
        each = {
            method: fmean(
                hidden(clusters, 400 // clusters if method == "2" else None, method, seed).dummies
                for seed in range(1, seeds + 1)
            )
            for method in ("2", "search")
        }
        random = hidden(clusters, None, "search", 1).expected.by_popularity
        rows.append((clusters, random, each["2"], each["search"], 1 - each["search"] / each["2"]))
    names = ("clusters", "random grouping", "Method 2", "search", "saved of Method 2")
    return Experiment(
        "Search against Method 2",
        "singleout deidentify dummies t1.parquet --user customer --item goods --clusters 50 --method search",
        note=f"Dummies for the same bound c/n, means over {seeds} seeds; Method 2 with the largest smallest "
        "cluster. A random grouping is the exact expectation.",
        findings=(_named("Dummies", names, rows),),
    )


def _trees(small: bool) -> Experiment:
    sets = column_sets(small)
    rows: list[tuple[Cell, ...]] = [*errors_by_method(sets)]
    return Experiment(
        "Tree against semi-random sampling",
        "singleout predict adult.csv --user none --columns … --methods closed_form,semi_random,tree",
        note="The error of the predicted ORR over all sets of columns of [Yang et al. 2020](yang-2020.md). "
        "The tree keeps the tables of the strongest pairs whole, the same kind of knowledge.",
        findings=(_named(f"Error over {len(sets)} sets", ("method", "mean", "largest"), rows),),
    )


def _informed(people: int, number: int) -> Experiment:
    rows = [*_informed_rows(people, number)]
    names = ("release", "without the recipe", "with it")
    return Experiment(
        "Informed against plain attacks",
        "singleout attack t1.parquet release.parquet --truth truth.csv --user customer --recipe recipe.toml",
        note=f"Who is recognised of {people} customers of T1 by the best attack, by an intruder who has the "
        "release and the original, and by one who knows the recipe too, though not its draws. A rate without "
        "the recipe is no bound for an intruder who has it.",
        findings=(_named("Share recognised by the best attack", names, rows),),
    )


def _informed_rows(people: int, number: int) -> Iterator[tuple[Cell, ...]]:
    table = pyarrow.parquet.read_table(T1)
    first = sorted(set(table["customer"].to_pylist()))[people - 1]
    table = table.filter(pyarrow.compute.less_equal(table["customer"], first))
    recipes: dict[str, tuple[dict[str, Any], str]] = {
        "dates moved by up to 30 days a person": (
            {"step": "shift_dates", "columns": ["date"], "days": 30}, "date",
        ),
        "prices rounded to 5": ({"step": "round", "columns": ["price"], "to": 5}, "price"),
        "noise of up to 2 on prices": ({"step": "noise", "columns": ["price"], "amount": 2}, "price"),
    }  # fmt: skip
    for words, (step, column) in list(recipes.items())[:number]:
        with temporary_folder() as folder:
            out, truth = Path(folder) / "release.parquet", Path(folder) / "truth.csv"
            recipe = {
                "user": "customer",
                "seed": 1,
                "step": [step, {"step": "pseudonymise", "columns": ["customer"]}],
            }
            apply(table, recipe, out=out, truth=truth)
            part: dict[str, Any] = {"time": column} if column == "date" else {"item": column}
            rates = []
            for given in (None, recipe):
                found = attack(
                    table, out, truth, user="customer", columns=[column], points=[], recipe=given, **part
                )
                best = found.by_name("best")
                rates.append(None if best is None else best.rate)
        yield (words, *rates)
