"""The sections of a report about everybody whom the table is a sample of."""

from __future__ import annotations

from collections.abc import Iterator

from singleout.investigation.known_records import KnownRecordsLaws
from singleout.report.charts.population_sizes import population_sizes
from singleout.report.pages.page import Section, drawable_charts
from singleout.report.terminal.population import population_sentences, refusals
from singleout.report.wording import whole_sentence
from singleout.risk.k_map import REFERENCE_MEASURES, ReferenceRisk
from singleout.risk.population.individual_risk import WEIGHTED_MEASURES, WeightedRisk
from singleout.risk.population.log_linear import LOG_LINEAR_MEASURES, LogLinearRisk
from singleout.risk.population.measures import (
    POPULATION_MARKETER,
    POPULATION_MEASURES,
    POPULATION_UNIQUE,
)
from singleout.risk.population.population import SEVERAL_KNOWN
from singleout.risk.population.result import PopulationView


def everybody_sections(
    population: PopulationView | None,
    reference: ReferenceRisk | None,
    weighted: WeightedRisk | None = None,
    known: KnownRecordsLaws | None = None,
    log_linear: LogLinearRisk | None = None,
) -> Iterator[Section]:
    """Only what was asked for."""
    if population is not None:
        refused = (f"{models}: {reason}" for models, reason in refusals(population))
        yield Section(
            "population",
            "In the whole population",
            tuple(map(whole_sentence, (*population_sentences(population), *population.remarks, *refused))),
            drawable_charts(population_sizes(population)),
            (population.table(),),
            POPULATION_MEASURES,
        )
    if reference is not None:
        yield Section(
            "reference",
            "Against a table of everybody",
            tuple(map(whole_sentence, reference.remarks)),
            (),
            (reference.table(),),
            REFERENCE_MEASURES,
        )
    if weighted is not None:
        said, tables = tuple(map(whole_sentence, weighted.remarks)), (weighted.table(),)
        yield Section("weights", "By survey weights", said, (), tables, WEIGHTED_MEASURES)
    if known is not None:
        asked = (
            "How many people would be singled out among all of them by somebody who knows so many records of "
            "a person: the scaling law, fitted to how many people of the table fit them"
        )
        several = any(each.points > 1 and each.why is None for each in known.laws)
        # beside the whole population they stand there
        beside = [*(() if population else known.remarks), *([SEVERAL_KNOWN] if several else [])]
        known_measures = (POPULATION_UNIQUE, POPULATION_MARKETER)
        said, title = tuple(map(whole_sentence, (asked, *beside))), "Known records among everybody"
        yield Section("known-records-of-all", title, said, (), (known.table(),), known_measures)
    if log_linear is not None:
        said, title = tuple(map(whole_sentence, log_linear.remarks)), "Who is unique, by a log-linear model"
        yield Section("log-linear", title, said, (), (log_linear.table(),), LOG_LINEAR_MEASURES)
