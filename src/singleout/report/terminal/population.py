"""What a sample says about everybody, for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Console
from rich.table import Table

from singleout.investigation.known_records import KnownRecordsLaws
from singleout.measurement import Measure
from singleout.report.terminal.layout import (
    hanging_text,
    plain_table,
    safe_text,
    share_text,
    short_number,
    show,
    titled_table,
)
from singleout.risk.k_map import ReferenceRisk
from singleout.risk.population.bootstrap import CONFIDENCE, Interval
from singleout.risk.population.individual_risk import WeightedRisk
from singleout.risk.population.log_linear import LogLinearRisk
from singleout.risk.population.measures import (
    POPULATION_HIGHEST,
    POPULATION_MARKETER,
    POPULATION_MEASURES,
    POPULATION_SMALL,
    POPULATION_UNIQUE,
    number_of,
)
from singleout.risk.population.population import SEVERAL_KNOWN
from singleout.risk.population.result import BESIDE, TITLES, PopulationEstimate, PopulationView
from singleout.risk.population.sample_classes import SMALL


def show_everybody(
    out: Console,
    population: PopulationView | None,
    reference: ReferenceRisk | None,
    weighted: WeightedRisk | None,
    known: KnownRecordsLaws | None,
    log_linear: LogLinearRisk | None,
) -> None:
    """What was asked for of the people whom the table is a sample of."""
    if population is not None:
        _show_population(out, population)
    for beside in (reference, weighted, log_linear):
        if beside is not None:
            show(out, plain_table(beside.table()))
    show_known_records(known, out)


def _show_population(out: Console, found: PopulationView) -> None:
    for sentence in population_sentences(found):
        out.print(hanging_text("•", sentence))
    out.print()
    show(out, _models(found))
    _show_reasons(out, refusals(found))


def _show_reasons(out: Console, reasons: Iterable[tuple[str, str]]) -> None:
    told = [hanging_text("–", f"{about}: {reason}", "dim") for about, reason in reasons]
    for each in told:
        out.print(each)
    if told:
        out.print()


def refusals(found: PopulationView) -> Iterator[tuple[str, str]]:
    """Why a number of a model is unknown, each reason once, with the models that it is about."""
    by_reason: dict[str, list[str]] = {}
    for each in found.estimates:
        for reason in [each.reason] if each.reason else each.missed.values():
            by_reason.setdefault(reason, []).append(TITLES[each.model])
    return (("; ".join(models), reason) for reason, models in by_reason.items())


def show_known_records(found: KnownRecordsLaws | None, out: Console | None = None) -> None:
    """A line for each number of known records and each way to know them; reasons once."""
    if found is None:
        return
    if out is None:
        out = Console(highlight=False)
        out.print()
    table = titled_table(f"Known records in the population of {found.size:,} (scaling law)")
    table.add_column("known records", overflow="fold")
    for title in ("unique in\nthe table", "among\nall", "", "risk in\nthe table", "among\nall", "at\nmost"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in found.laws:
        unique = average = interval = most = None
        if law := each.law:
            unique, average = (law.measurement(one).value for one in (POPULATION_UNIQUE, POPULATION_MARKETER))
            interval = law.interval(POPULATION_UNIQUE)
            _, most = law.interval(POPULATION_MARKETER) or (None, None)
        own, among = (short_number(each.unique), short_number(unique)), _ends(interval)
        risks = (short_number(number) for number in (each.rate, average, most))
        table.add_row(safe_text(each.knowledge), *own, among, *risks)
    show(out, table)
    if any(each.points > 1 and each.why is None for each in found.laws):
        out.print(hanging_text("note:", SEVERAL_KNOWN))
    _show_reasons(out, (("; ".join(laws), reason) for reason, laws in _reasons(found).items()))


def _reasons(found: KnownRecordsLaws) -> dict[str, list[str]]:
    by_reason: dict[str, list[str]] = {}
    for each in found.laws:
        if each.why:
            law = each.law
            by_reason.setdefault(law.reason if law and law.reason else each.why, []).append(each.knowledge)
        elif each.law and (missed := each.law.measurement(POPULATION_MARKETER).reason):
            by_reason.setdefault(missed, []).append(each.knowledge)
    return by_reason


def population_sentences(found: PopulationView) -> Iterator[str]:
    """What was found, and for whom it holds."""
    share = found.sample["unique_share"]
    known = f" by {_records(found.known_records)}" if found.known_records else ""
    own = (
        f"of the {found.people:,} people of the table, {share_text(share)} are unique{known} among themselves"
    )
    if found.chosen is None:
        yield f"{own}; for the population of {found.size:,} {found.reason}"
        return
    value, high = found.measurement(POPULATION_UNIQUE).known, found.highest_end(POPULATION_UNIQUE)
    yield (
        f"{own}; {share_text(value)} are estimated to be so in the population of {found.size:,} "
        f"({TITLES[found.chosen]}), and up to {_at_most(high)} may be: this is the highest of what the "
        "models and the classes of the table leave possible"
    )
    beside = [told for measure, title in BESIDE.items() if (told := _with_ends(found, measure, title))]
    if beside:
        yield f"the same of other numbers, with the lowest and the highest that may be: {'; '.join(beside)}"


def _with_ends(found: PopulationView, measure: Measure, title: str) -> str | None:
    value, low, high = found.measurement(measure).value, found.lowest_end(measure), found.highest_end(measure)
    if value is None or low is None or high is None:
        return None
    return f"{title} {short_number(value)} ({short_number(low)} to {short_number(high)})"


def _at_most(share: float | None) -> str:
    """An upper end that is hardly any is rounded up."""
    if share is None:
        return share_text(1.0)
    return share_text(max(share, 0.001) if share else share)


def _records(number: int) -> str:
    return "one record" if number == 1 else f"{number} records"


def _models(found: PopulationView) -> Table:
    marked = "; * chosen" if found.chosen else ""
    title = f"In the population of {found.size:,}: estimates with {CONFIDENCE:.0%} intervals{marked}"
    table = titled_table(title)
    table.add_column("by", overflow="fold")
    for title in ("unique", "", f"in classes\nbelow {SMALL}", "average\nrisk", "highest\nrisk"):
        table.add_column(title, justify="right", no_wrap=True)
    sample = found.sample
    table.add_row("the table itself", *_without_ends(sample))
    for estimate in found.estimates:
        table.add_row(*_row(found, estimate))
    lower = None if found.known_records else found.bounds.lower
    table.add_row("lower bound (convexity)", short_number(lower), "", "", "", "")
    table.add_row("upper bound (by any law)", *_without_ends(found.bounds.upper))
    return table


def _without_ends(numbers: Mapping[str, float]) -> tuple[str, ...]:
    unique, *beside = (short_number(numbers[number_of(each)]) for each in POPULATION_MEASURES)
    return (unique, "", *beside)


def _row(found: PopulationView, estimate: PopulationEstimate) -> tuple[str, ...]:
    name = TITLES[estimate.model] + (" *" if estimate.model == found.chosen else "")
    measures = (POPULATION_SMALL, POPULATION_MARKETER, POPULATION_HIGHEST)
    numbers = [short_number(estimate.measurement(each).value) for each in measures]
    unique = short_number(estimate.measurement(POPULATION_UNIQUE).value)
    return (name, unique, _ends(estimate.interval(POPULATION_UNIQUE)), *numbers)


def _ends(interval: Interval | None) -> str:
    return "–" if interval is None else f"{short_number(interval[0])} – {short_number(interval[1])}"
