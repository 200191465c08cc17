"""All metrics of utility by name, found one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from singleout.errors import UsageError, nearest
from singleout.measurement import Measure
from singleout.progress import Progress, silent
from singleout.utility.associations import ASSOCIATION_METRICS
from singleout.utility.distributions import DISTRIBUTION_METRICS
from singleout.utility.finding import Finding, Metric
from singleout.utility.group_means import GROUP_METRICS
from singleout.utility.item_popularity import ITEM_METRICS
from singleout.utility.paired_columns import Compared, NoAnswerError, Part
from singleout.utility.payment_history import PAYMENT_METRICS
from singleout.utility.query_workload import WORKLOAD_METRICS
from singleout.utility.retention import KEPT_METRICS
from singleout.utility.rfm import RFM_METRICS

METRICS: tuple[Metric, ...] = (
    *KEPT_METRICS,
    *GROUP_METRICS,
    *RFM_METRICS,
    *PAYMENT_METRICS,
    *DISTRIBUTION_METRICS,
    *ASSOCIATION_METRICS,
    *WORKLOAD_METRICS,
    *ITEM_METRICS,
)
UTILITY_MEASURES: tuple[Measure, ...] = tuple(measure for metric in METRICS for measure in metric.measures)
OF_COLUMNS: tuple[Measure, ...] = tuple(
    measure for metric in DISTRIBUTION_METRICS for measure in metric.measures
)


def utilities(
    compared: Compared, only: Collection[str] | None = None, progress: Progress = silent
) -> tuple[Finding, ...]:
    """What the release is still good for, in a fixed order; the same on any number of threads.

    Metrics whose columns are not named are left out. One that the tables leave without an answer is None with
    a reason, and so is one that is asked for by name. `only` has names of measures, as `u3_rfm`, beginnings
    of such, as `counts`, or names with a column, as `total_variation.price`.

    >>> import numpy
    >>> from singleout.engine.codes.histories import Histories, History
    >>> table = History(1, numpy.array([0, 0], "uint32"), {"shop": numpy.array([0, 1], "uint32")})
    >>> both = Compared(Histories(table, table, {"shop": ("a", "b")}), numpy.array([0]))
    >>> [(found.name, found.value) for found in utilities(both, ["total_variation", "people_kept"])]
    [('people_kept', 1.0), ('total_variation.shop', 0.0)]
    """
    check_only(compared, only)
    wanted = [metric for metric in METRICS if _asked(metric, compared, only)]
    found: list[Finding] = []
    for done, metric in enumerate(wanted):
        progress(f"measuring {metric.measures[0].title}", done, len(wanted))
        found += (each for each in _found(metric, compared) if only is None or _named(each.name, only))
    progress("measuring utility", len(wanted), len(wanted))
    return (*found, *_not_found(only or (), found))


def check_only(compared: Compared, only: Any) -> None:
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
        each for each in only if not (isinstance(each, str) and any(_within(name, each) for name in names))
    ]
    if odd:
        faults = (f"{each!r} is none; {nearest(str(each), names)}" for each in odd)
        raise UsageError(f"metrics: {', and '.join(faults)}")


def _asked(metric: Metric, compared: Compared, only: Collection[str] | None) -> bool:
    if only is None:
        return all(compared.meaning.of(part) for part in metric.needs)
    names = [measure.name for measure in metric.measures]
    return any(_within(name, each) or _within(each, name) for name in names for each in only)


def _named(name: str, only: Collection[str]) -> bool:
    return any(_within(name, each) for each in only)


def _within(name: str, beginning: str) -> bool:
    return name == beginning or name.startswith(f"{beginning}.")


def _found(metric: Metric, compared: Compared) -> Iterator[Finding]:
    if reason := _unanswerable(metric, compared):
        yield from (Finding(measure, None, reason) for measure in metric.measures)
        return
    try:
        yield from metric.find(compared)
    except NoAnswerError as unknown:
        yield from (Finding(measure, None, str(unknown)) for measure in metric.measures)


def _not_found(only: Collection[str], found: Sequence[Finding]) -> Iterator[Finding]:
    """What was asked for by name of columns that have no numbers."""
    for each in only:
        if any(_within(finding.name, each) for finding in found):
            continue
        for measure in UTILITY_MEASURES:
            if _within(each, measure.name):
                column = each.removeprefix(measure.name).removeprefix(".")
                yield Finding(measure, None, "there are no numbers", of=(column,) if column else ())


def _unanswerable(metric: Metric, compared: Compared) -> str | None:
    for part in metric.needs:
        if not compared.meaning.of(part):
            return f"no column was named as its {part}"
    for part in (*metric.needs, *metric.uses):
        if lacking := _lacking(part, compared):
            return f"the release has no column {lacking!r}"
    return None


def _lacking(part: Part, compared: Compared) -> str | None:
    """A column of the part that the release lacks; of several times the others may do."""
    named = compared.meaning.of(part)
    lacking = [column for column in named if column in compared.lacking]
    if part == "time" and len(lacking) < len(named):
        return None
    return lacking[0] if lacking else None
