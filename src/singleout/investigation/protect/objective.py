"""What the data is needed for: metrics of utility with weights, and what a release has lost by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from singleout.checks import is_number
from singleout.errors import UsageError, name_hint
from singleout.measurement import Measure
from singleout.utility.catalogue import OF_COLUMNS, UTILITY_MEASURES
from singleout.utility.finding import Finding, lost_share
from singleout.utility.query_workload import MOST_CONDITIONS

DETAIL = Measure(
    name="detail_lost",
    title="detail lost",
    question="How much of the columns' detail is gone?",
    formula="1 − share of the records kept · (1 − mean over columns of the mean over records of (values "
    "under the released one − 1) / (values of the column − 1)); 1 for a column that is left out",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing="a missing value is left out",
    reference="ARX's Loss, after Iyengar 2002",
)
NEED_LOST = Measure(
    name="protect.lost",
    title="lost of what is needed",
    question="How much of what the data is needed for is lost?",
    formula="weighted mean over the metrics that are to be kept of the share of its range that each has "
    "lost; an error x without an end counts as x / (1 + x), a metric that is unknown as 1; of metrics that "
    "ask about columns, what asks about a column that is left out is wholly lost. Unless metrics are named, "
    "those that compare values look at the original made as coarse as the release: what coarser values lose "
    "is told by detail_lost and by pairs of columns",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="values",
    missing="as in the metrics' own definitions",
    reference="metrics of different units side by side, each by its range",
)
PROTECT_MEASURES = (NEED_LOST, DETAIL)
GONE = "{:.1%} of what it asks is about columns that are left out, which is lost"
UNKNOWN = "{} of {} columns are left out or unknown, which is lost"
OF_ALL_COLUMNS = "total_variation"
OF_PAIRS = ("mutual_information", "correlation")
OF_QUERIES = ("counts", "sums")
FOR_HISTORIES = {
    OF_ALL_COLUMNS: 1.0, "mutual_information.mean_difference": 1.0, "counts.mean_error": 1.0,
    DETAIL.name: 1.0,
}  # fmt: skip
BY_PART = {"amount": "sums.mean_error", "item": "item_popularity.rank_correlation"}


@dataclass(frozen=True)
class Kept:
    """A metric that is to be kept, its `weight`, and how much of it is `lost`, from 0 to 1; `reason` says why
    it is unknown, or why more is lost than its `value` tells."""

    metric: str
    weight: float
    lost: float
    value: float | None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return vars(self).copy()


@dataclass(frozen=True)
class Objective:
    """The metrics by name, with their weights.

    With `common_level` those that compare values see the original as coarse as the release is: otherwise a
    date to the month has nothing in common with any day, and is as good as left out.
    """

    weights: Mapping[str, float]
    common_level: bool = False

    @property
    def metrics(self) -> list[str]:
        """Those that a comparison has to measure."""
        return [name for name in self.weights if name != DETAIL.name]

    @property
    def of_values(self) -> list[str]:
        """Those that are measured at the level that both tables have; pairs are compared whatever it is."""
        return [name for name in self.metrics if self.common_level and not name.startswith(OF_PAIRS)]

    def kept(
        self, findings: Sequence[Finding], detail_lost: float, left: int, columns: int
    ) -> tuple[Kept, ...]:
        """Of a release that has `left` of so many columns."""
        return tuple(
            Kept(DETAIL.name, weight, detail_lost, detail_lost)
            if name == DETAIL.name
            else _kept(name, weight, [each for each in findings if _is_of(each, name)], left, columns)
            for name, weight in self.weights.items()
        )


def total_lost(kept: Sequence[Kept]) -> float:
    """The weighted mean."""
    return sum(each.weight * each.lost for each in kept) / sum(each.weight for each in kept)


def objective_of(
    keep: Mapping[str, float] | None, parts: Mapping[str, Any], *, history: bool, columns: int = 2
) -> Objective:
    """What was asked for, or else what suits the table: for one without people with histories, its detail.

    >>> objective_of(None, {"item": "goods"}, history=True).metrics[-1]
    'item_popularity.rank_correlation'
    >>> objective_of({"count": 1}, {}, history=True)
    Traceback (most recent call last):
    singleout.errors.UsageError: keep: there is no metric 'count'; did you mean 'counts'?
    """
    if keep is None:
        usual = {**FOR_HISTORIES, **{name: 1.0 for part, name in BY_PART.items() if parts.get(part)}}
        # one column alone has no pairs
        fitting = {name: each for name, each in usual.items() if columns > 1 or not name.startswith(OF_PAIRS)}
        return Objective(fitting, common_level=True) if history else Objective({DETAIL.name: 1.0})
    faults = [fault for name, weight in keep.items() for fault in _faults(name, weight)]
    if not keep:
        faults.append("name a metric and its weight, such as counts.mean_error=1")
    if faults:
        raise UsageError(f"keep: {'; '.join(faults)}")
    return Objective(dict(keep))


def _faults(name: str, weight: Any) -> list[str]:
    names = [DETAIL.name, *(measure.name for measure in UTILITY_MEASURES)]
    families = {each.partition(".")[0] for each in names}
    of_columns = tuple(f"{measure.name}." for measure in OF_COLUMNS)
    found = []
    if not isinstance(name, str) or not (
        name in names or name in families or (name.startswith(of_columns) and name not in of_columns)
    ):
        found.append(f"there is no metric {name!r}; {name_hint(str(name), [*families, *names])}")
    if not (is_number(weight) and 0 < weight < 1e9):
        found.append(f"{name}: {weight!r} is no weight; write a number above 0")
    return found


def _is_of(finding: Finding, name: str) -> bool:
    return finding.name == name or finding.name.startswith(f"{name}.")


def _kept(name: str, weight: float, findings: Sequence[Finding], left: int, columns: int) -> Kept:
    known = [each for each in findings if each.value is not None]
    if not known:
        reason = findings[0].reason if findings else "it was not measured"
        return Kept(name, weight, 1.0, None, reason)
    shares = [_lost(each) for each in findings]
    answered = _answered(name, left, columns)
    lost = 1 - answered * (1 - sum(shares) / len(shares))
    value = known[0].value if len(findings) == 1 else None
    reason = "; ".join(_reasons(1 - answered, len(findings) - len(known), len(findings)))
    return Kept(name, weight, lost, None if value is None else float(value), reason or None)


def _reasons(gone: float, unknown: int, of: int) -> Iterator[str]:
    """Why more is lost than the value says."""
    if gone:
        yield GONE.format(gone)
    if unknown:
        yield UNKNOWN.format(unknown, of)


def _lost(finding: Finding) -> float:
    if finding.value is None:
        return 1.0
    share = lost_share(finding)
    return abs(finding.value) / (1 + abs(finding.value)) if share is None else share


def _answered(name: str, left: int, columns: int) -> float:
    """The share of pairs, or of queries, that ask about columns that are left only."""
    family = name.partition(".")[0]
    if family in OF_PAIRS:
        return comb(left, 2) / max(comb(columns, 2), 1) if columns > 1 else 1.0
    if family in OF_QUERIES:
        sizes = range(1, min(MOST_CONDITIONS, columns) + 1)
        return sum(comb(left, size) / comb(columns, size) for size in sizes) / len(sizes)
    return 1.0
