"""All metrics of utility by name, found one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from singleout.errors import UsageError, name_hint
from singleout.measurement import Measure
from singleout.progress import Progress, silent
from singleout.utility.associations import ASSOCIATION_METRICS
from singleout.utility.distributions import DISTRIBUTION_METRICS
from singleout.utility.finding import Finding, Metric
from singleout.utility.group_means import GROUP_METRICS
from singleout.utility.item_popularity import ITEM_METRICS
from singleout.utility.paired_columns import NoAnswerError, PairedColumns, Part
from singleout.utility.payment_history import PAYMENT_METRICS
from singleout.utility.query_workload import WORKLOAD_METRICS
from singleout.utility.retention import KEPT_METRICS
from singleout.utility.rfm import RFM_METRICS

# by what they are about
FAMILIES: dict[str, tuple[Metric, ...]] = {
    "people, records and detail": KEPT_METRICS,
    "means of groups": GROUP_METRICS,
    "recency, frequency, money": RFM_METRICS,
    "payments and journeys": PAYMENT_METRICS,
    "values of each column": DISTRIBUTION_METRICS,
    "columns together": ASSOCIATION_METRICS,
    "answers to questions": WORKLOAD_METRICS,
    "popularity of items": ITEM_METRICS,
}
METRICS: tuple[Metric, ...] = tuple(metric for family in FAMILIES.values() for metric in family)
UTILITY_MEASURES: tuple[Measure, ...] = tuple(measure for metric in METRICS for measure in metric.measures)
OF_COLUMNS: tuple[Measure, ...] = tuple(
    measure for metric in DISTRIBUTION_METRICS for measure in metric.measures
)


def utilities(
    compared: PairedColumns, only: Collection[str] | None = None, progress: Progress = silent
) -> tuple[Finding, ...]:
    """What the release is still good for, in a fixed order; the same on any number of threads.

    Metrics whose columns are not named are left out. One that the tables leave without an answer is None with
    a reason, and so is one that is asked for by name. `only` has names of measures, as `u3_rfm`, beginnings
    of such, as `counts`, or names with a column, as `total_variation.price`.

    >>> import numpy
    >>> from singleout.engine.codes.histories import Histories, History
    >>> table = History(1, numpy.array([0, 0], "uint32"), {"shop": numpy.array([0, 1], "uint32")})
    >>> both = PairedColumns(Histories(table, table, {"shop": ("a", "b")}), numpy.array([0]))
    >>> [(found.name, found.value) for found in utilities(both, ["total_variation", "people_kept"])]
    [('people_kept', 1.0), ('total_variation.shop', 0.0)]
    """
    check_only(compared, only)
    wanted = [metric for metric in METRICS if _is_asked(metric, compared, only)]
    findings: list[Finding] = []
    for done, metric in enumerate(wanted):
        progress(f"measuring {metric.measures[0].title}", done, len(wanted))
        findings += (
            each for each in _findings(metric, compared) if only is None or _is_named(each.name, only)
        )
    progress("measuring utility", len(wanted), len(wanted))
    return (*findings, *_unanswered_findings(only or (), findings))


def check_only(compared: PairedColumns, only: Any) -> None:
    """Each name is that of a measure, its beginning, or that of a measure and a column."""
    if only is None:
        return
    if isinstance(only, str) or not isinstance(only, Collection):
        raise UsageError(
            f"metrics: {only!r} is no list of names; give one like ['u3_rfm', 'total_variation']"
        )
    names = [measure.name for measure in UTILITY_MEASURES]
    names += [f"{measure.name}.{column}" for measure in OF_COLUMNS for column in compared.every_column]
    odd = [
        each
        for each in only
        if not (isinstance(each, str) and any(_begins_with(name, each) for name in names))
    ]
    if odd:
        faults = (f"{each!r} is none; {name_hint(str(each), names)}" for each in odd)
        raise UsageError(f"metrics: {', and '.join(faults)}")


def _is_asked(metric: Metric, compared: PairedColumns, only: Collection[str] | None) -> bool:
    if only is None:
        return all(compared.meaning.of(part) for part in metric.needs)
    names = [measure.name for measure in metric.measures]
    return any(_begins_with(name, each) or _begins_with(each, name) for name in names for each in only)


def _is_named(name: str, only: Collection[str]) -> bool:
    return any(_begins_with(name, each) for each in only)


def _begins_with(name: str, beginning: str) -> bool:
    return name == beginning or name.startswith(f"{beginning}.")


def _findings(metric: Metric, compared: PairedColumns) -> Iterator[Finding]:
    if reason := _unknown_reason(metric, compared):
        yield from (Finding(measure, None, reason) for measure in metric.measures)
        return
    try:
        yield from metric.find(compared)
    except NoAnswerError as unknown:
        yield from (Finding(measure, None, str(unknown)) for measure in metric.measures)


def _unanswered_findings(only: Collection[str], found: Sequence[Finding]) -> Iterator[Finding]:
    """What was asked for by name of columns that have no numbers."""
    for each in only:
        if any(_begins_with(finding.name, each) for finding in found):
            continue
        for measure in UTILITY_MEASURES:
            if _begins_with(each, measure.name):
                column = each.removeprefix(measure.name).removeprefix(".")
                yield Finding(measure, None, "there are no numbers", of=(column,) if column else ())


def _unknown_reason(metric: Metric, compared: PairedColumns) -> str | None:
    for part in metric.needs:
        if not compared.meaning.of(part):
            return f"no column was named as its {part}"
    for part in (*metric.needs, *metric.uses):
        if lacking := _lacking_column(part, compared):
            return f"the release has no column {lacking!r}"
    return None


def _lacking_column(part: Part, compared: PairedColumns) -> str | None:
    """A column of the part that the release lacks; of several times the others may do."""
    named = compared.meaning.of(part)
    lacking = [column for column in named if column in compared.lacking]
    if part == "time" and len(lacking) < len(named):
        return None
    return lacking[0] if lacking else None
