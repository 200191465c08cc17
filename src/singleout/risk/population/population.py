"""Runs the population models on one table and returns one PopulationView."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy
import pyarrow

from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion, open_session
from singleout.errors import UsageError
from singleout.progress import Progress, teller
from singleout.risk.population.back_test import (
    FEWEST_PEOPLE,
    SHARES,
    TOO_FEW,
    BackTest,
    back_tests,
    misfit,
)
from singleout.risk.population.bootstrap import ModelIntervals
from singleout.risk.population.models import (
    MODELS,
    Fits,
    FittedModel,
    Model,
    chosen_model,
    fit_models,
)
from singleout.risk.population.nonparametric_bound import (
    bounds_however_drawn,
    least_highest_risk,
    lower_bound,
    upper_bounds,
)
from singleout.risk.population.pitman import NoEstimate
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.result import PopulationBounds, PopulationEstimate, PopulationView, SizePoint
from singleout.risk.population.sample_classes import SampleClasses
from singleout.risk.population.tested_interval import LARGE_SHARE, beyond_tests, tested_intervals, widened
from singleout.risk.survey_weights import drawn_unlike
from singleout.roles.population_size import PopulationSize

ONLY_VALUES = (
    "a population is estimated with the missing rule value: who is dropped, or matches anything, is in it too"
)
BEYOND = (
    "the population is {:,.1f} times the sample, and the models were tested on growth by {:,.0f} only: their "
    "upper ends are those for {:,.0f} people, beyond whom nobody's risk rises, and their low ends are those "
    "of the bound that needs no model"
)
SHORT = (
    "low ends of intervals may be too short here: of samples of more than a fifth, models say too much where "
    "columns do not depend on each other; upper ends are not too short, and rules under at_least take the "
    "bound that needs no model"
)
WHO_KNOWS = (
    "numbers of the population hold for somebody who does not know who was sampled; for who does, the risk "
    "is that of the sample itself"
)
BY_CHANCE = (
    "models and bounds take it that the table was drawn by chance, each person as likely as any other: of "
    "whole families, one place or a chosen group, more may be unique among all than any of them says"
)
SEVERAL = (
    "people have several records here: the numbers of the population are for somebody who knows {} "
    "of a person, any of them alike"
)
SEVERAL_KNOWN = (
    "of several known records the law often says too much, and no bound is sure, for one person may fit most "
    "others: the low ends of its intervals are 0"
)
BELOW_BOUND = "its interval ends at {:.3f}, below the {:.3f} that follow from the sample by convexity"
POINTS = 25


@takes_options(JobOptions)
def population(
    data: Any,
    size: PopulationSize,
    *,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    **options: Unpack[JobOptions],
) -> PopulationView:
    """How many people are alone in the population that the table is a sample of?

    The classes of all `columns` together; where people have several records, what one known record tells.
    Every model was fitted to parts of the table first, and is refused where it does not foretell the whole.

    >>> import pyarrow
    >>> table = pyarrow.table({"town": [1, 1, 2, 3]})
    >>> found = population(table, PopulationSize(sampled=0.5), user="none")
    >>> found.size, found.chosen, found.of("pitman").reason
    (8, None, '4 people are too few to test a model on a tenth of them; it takes 1,000')
    """
    if options["missing"] != "value":
        raise UsageError(ONLY_VALUES)
    with open_session(data, **count_options(options, user, columns)) as (counter, plan, _):
        return population_of(counter, plan, plan.columns, size, options["seed"], teller(options["progress"]))


def population_of(
    counter: Engine,
    plan: CheckedQuestion,
    columns: tuple[str, ...],
    size: PopulationSize,
    seed: int,
    progress: Progress,
) -> PopulationView:
    """The same of a table that is open."""
    people = size.people_of(plan.people)
    unlike = unlike_people(counter, plan, people)
    return population_view(sample_classes(counter, plan, columns), people, seed, progress, unlike=unlike)


def unlike_people(counter: Engine, plan: CheckedQuestion, people: int) -> str | None:
    """Why models of people who were drawn alike say nothing, where survey weights tell that they were not."""
    weight = plan.study.first("weight") if plan.study else None
    return None if weight is None else drawn_unlike(counter, plan.user, weight, people)


def sample_classes(counter: Engine, plan: CheckedQuestion, columns: tuple[str, ...]) -> SampleClasses:
    question = plan.question(columns)
    if plan.user is None or plan.people == plan.records:
        return SampleClasses.of(counter.sizes(question).by_people())
    table = pyarrow.Table.from_batches(counter.person_classes(question))
    people = table.column(0).combine_chunks().dictionary_encode(null_encoding="encode").indices.to_numpy()
    candidates, records = (table.column(index).to_numpy().astype(int) for index in (1, 2))
    shares = records / numpy.bincount(people, weights=records)[people]
    found = numpy.bincount(candidates, weights=shares)
    return SampleClasses.of_candidates((int(each), float(found[each])) for each in numpy.flatnonzero(found))


def population_view(
    sample: SampleClasses,
    people: int,
    seed: int,
    progress: Progress,
    known_records: int = 1,
    unlike: str | None = None,
) -> PopulationView:
    """From the list of class sizes alone; of people with several records, how many fit `known_records`.

    All models are refused if the people were drawn `unlike` each other: why is what it says.
    """
    share = sample.people / people
    fits: Fits = fit_models(sample, people) if unlike is None else dict.fromkeys(MODELS, NoEstimate(unlike))
    tested = round(sample.people) >= FEWEST_PEOPLE and unlike is None
    tests = back_tests(sample, seed, progress) if tested else ()
    progress("drawing samples for the intervals", len(SHARES), len(SHARES) + 1)
    bounds = _bounds(sample, people, unlike is None)
    intervals = ModelIntervals({}, {})
    if tested:
        intervals = tested_intervals(sample, people, fits, bounds.lower, seed, known_records)
    estimates = tuple(_estimate(sample, people, name, fits, intervals, tests, bounds) for name in MODELS)
    accepted = {each.model: each.numbers["unique_share"] for each in estimates if each.accepted}
    by_rule = chosen_model(share, fits, _shares(fits))
    # ARX's form stands there to be compared, and is wrong where the sample is a large part of all
    highest = sorted(accepted, key=lambda name: (name == "pitman_asymptotic", -accepted[name]))
    chosen = by_rule if by_rule in accepted else next(iter(highest), None)
    progress("done", 1, 1)
    return PopulationView(
        size=people,
        sampled=share,
        people=round(sample.people),
        sample=sample.numbers(),
        estimates=estimates,
        chosen=chosen,
        rule=by_rule,
        tests=tests,
        bounds=bounds,
        curve=tuple(_curve(sample, people, fits, accepted, unlike is None)),
        known_records=known_records if sample.overlapping else None,
        remarks=(
            WHO_KNOWS,
            *([BY_CHANCE] if unlike is None else []),
            *_remarks(sample, known_records),
            *(_of_intervals(sample, people) if accepted else ()),
        ),
    )


def _bounds(sample: SampleClasses, people: int, drawn_alike: bool) -> PopulationBounds:
    if drawn_alike:
        return PopulationBounds(lower_bound(sample, people), upper_bounds(sample, people))
    return PopulationBounds(*bounds_however_drawn(sample, people))


def _shares(fits: Fits) -> dict[Model, float]:
    return {
        name: each.numbers["unique_share"] for name, each in fits.items() if isinstance(each, FittedModel)
    }


def _estimate(
    sample: SampleClasses,
    people: float,
    name: Model,
    fits: Fits,
    found: ModelIntervals,
    tests: Sequence[BackTest],
    bounds: PopulationBounds,
) -> PopulationEstimate:
    fit, mine = fits[name], [each for each in tests if each.model == name]
    if not isinstance(fit, FittedModel):
        return PopulationEstimate(name, {}, {}, str(fit))
    if not mine:
        few = TOO_FEW.format(round(sample.people), FEWEST_PEOPLE)
        return PopulationEstimate(name, fit.numbers, {}, few)
    if name not in found.intervals:
        return PopulationEstimate(name, fit.numbers, {}, found.reasons[name])
    intervals = widened(sample, people, found.intervals[name], mine)
    missed = {each.number: each.reason for each in reversed(mine) if each.reason}
    law = fits["pitman"] if name == "pitman_asymptotic" else fit
    if isinstance(law, FittedModel) and isinstance(law.fit, PitmanYor) and (why := misfit(law.fit, sample)):
        missed.setdefault("unique_share", why)
    if (high := intervals["unique_share"][1]) < bounds.lower:
        missed.setdefault("unique_share", BELOW_BOUND.format(high, bounds.lower))
    # a law may be wrong where no test sees it: what the sample leaves possible is inside
    reaching = {number: (low, max(high, bounds.upper[number])) for number, (low, high) in intervals.items()}
    if "journalist.highest" in reaching:
        # the models' number is what it is at most: below it only this is sure
        least, (_, high) = least_highest_risk(sample, people), reaching["journalist.highest"]
        reaching["journalist.highest"] = (least, max(least, high))
    return PopulationEstimate(name, fit.numbers, reaching, missed.pop("unique_share", None), missed)


def _curve(
    sample: SampleClasses, people: int, fits: Fits, accepted: Mapping[Model, float], drawn_alike: bool
) -> list[SizePoint]:
    """Uniqueness against the number of people: the sample thinned, the laws that held, and the bound."""
    within = numpy.geomspace(sample.people / 100, sample.people, POINTS)[:-1].tolist()
    points = [SizePoint(size, "sample", sample.thinned(size / sample.people).unique_share) for size in within]
    points.append(SizePoint(sample.people, "sample", sample.unique_share))
    beyond = numpy.geomspace(sample.people, people, POINTS).tolist()
    for name in ("pitman", "law"):
        fit = fits[name]
        if name in accepted and isinstance(fit, FittedModel):
            points += [SizePoint(size, name, fit.fit.uniqueness(size)) for size in beyond]
    if sample.overlapping or not drawn_alike:
        return points
    bounds = [SizePoint(size, "bound", lower_bound(sample, size)) for size in beyond]
    # a bound of 0 says nothing; the first shows where that begins
    return points + bounds[: sum(each.unique_share > 0 for each in bounds) + 1]


def remark_on_records(known: int) -> str:
    return SEVERAL.format("one record" if known == 1 else f"{known} records")


def _remarks(sample: SampleClasses, known_records: int) -> list[str]:
    remarks = [remark_on_records(known_records)] if sample.overlapping else []
    return remarks + ([SEVERAL_KNOWN] if known_records > 1 else [])


def _of_intervals(sample: SampleClasses, people: int) -> list[str]:
    """Said only where there are some."""
    growth, tested = people / sample.people, 1 / min(SHARES)
    if beyond_tests(sample, people):
        return [BEYOND.format(growth, tested, tested * sample.people)]
    return [SHORT] if 1 < growth < 1 / LARGE_SHARE else []
